import type { Unit, Value } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { argumentOf, effectOf, isTestCode } from '../../facts/query.ts'
import { defineRule, type FileView } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

export default defineRule(
  {
    id: 'fixed-port', title: 'A test listens on a port that it chose beforehand', category: 'environment', severity: 'warning',
    triggers: ['bind-port'], confirm: ['port-occupy', 'parallelise'], since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const call of unit.calls) {
        const bind = effectOf(call, 'bind-port')
        const port = bind && portIn(argumentOf(call, bind), unit, view)
        if (port) yield { at: call.span, unit: unit.id, confidence: confidenceOf(call), message: `listens on port ${port}: whoever holds it already makes the test fail` }
      }
    }
  },
)

/** A number, or the end of an address: 8080, ":8080", ("localhost", 8080). Zero asks for a free one. */
function portIn(value: Value | undefined, unit: Unit, view: FileView): number | undefined {
  const folded = fold(value, unit, view.folding)
  if (typeof folded === 'number') return Number.isInteger(folded) && folded > 0 && folded < 65_536 ? folded : undefined
  if (typeof folded === 'string') return Number(/:(\d{2,5})$/.exec(folded)?.[1] ?? (/^\d{2,5}$/.test(folded) ? folded : 0)) || undefined
  const kept = value?.is === 'name' ? unit.writes.findLast(w => w.target === value.path)?.value : value
  if (kept?.is === 'call') return unit.calls[kept.call]!.args.map(a => portIn(a, unit, view)).find(p => p !== undefined)
  return kept?.is === 'group' && kept !== value ? portIn(kept, unit, view) : kept?.is === 'group' ? kept.of.map(v => portIn(v, unit, view)).find(p => p !== undefined) : undefined
}
