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

/** What only wraps an address; the argument of any other function is not the port. */
const ADDRESS = /addr|socket|inet|endpoint|url|uri|sprintf|tuple|from|into|host|(^|[.:])(parse|format)$/i

/** A number, or the end of an address: 8080, ":8080", ("localhost", 8080). Zero asks for a free one. */
function portIn(value: Value | undefined, unit: Unit, view: FileView, depth = 0): number | undefined {
  if (depth > 4) return undefined
  const inner = (v: Value) => portIn(v, unit, view, depth + 1)
  const folded = fold(value, unit, view.folding)
  if (typeof folded === 'number') return Number.isInteger(folded) && folded > 0 && folded < 65_536 ? folded : undefined
  if (typeof folded === 'string') return Number(/:(\d{2,5})$/.exec(folded)?.[1] ?? (/^\d{2,5}$/.test(folded) ? folded : 0)) || undefined
  const kept = value?.is === 'name' ? unit.writes.findLast(w => w.target === value.path)?.value : value
  if (kept?.is === 'call') {
    const call = unit.calls[kept.call]!
    return ADDRESS.test(call.name) ? call.args.map(inner).find(p => p !== undefined) : undefined
  }
  return kept?.is === 'group' ? kept.of.map(inner).find(p => p !== undefined) : undefined
}
