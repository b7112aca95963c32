import type { Unit, Value } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { argumentOf, effectOf, isTestCode, valuesIn } from '../../facts/query.ts'
import { defineRule, type FileView } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

const TEMP = /^(file:)?(\/tmp\/|\/var\/tmp\/|\/dev\/shm\/|[A-Za-z]:\\(Windows\\)?Temp\\)./i

export default defineRule(
  {
    id: 'fixed-temp-path', title: 'A test writes to a fixed place in the shared temporary folder', category: 'environment', severity: 'warning',
    triggers: [], words: ['/tmp/', '/dev/shm/', 'tmpdir\\(', 'temp_dir\\(', 'TempDir\\(', '\\\\Temp\\\\'], confirm: ['parallelise', 'tmp-move'], since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    // One report for a path: the cure is in one place.
    const told = new Set<string>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const call of unit.calls) {
        const effect = effectOf(call, 'name-resource')
        const path = effect && pathIn(argumentOf(call, effect), unit, view)
        if (!path || told.has(path)) continue
        told.add(path)
        yield { at: call.span, unit: unit.id, confidence: confidenceOf(call), message: `writes to ${path}: another run or test on the same machine does too` }
      }
    }
  },
)

function pathIn(value: Value | undefined, unit: Unit, view: FileView): string | undefined {
  if (!value) return undefined
  const folded = fold(value, unit, view.folding)
  if (typeof folded === 'string') return TEMP.test(folded) ? folded : undefined
  const { origins, unknown } = view.flows.ingredients(unit, value, Infinity)
  if (origins.length > 0 || unknown.some(u => u !== '…')) return undefined
  const inner = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path)?.value : value
  const first = inner && [...valuesIn(inner, unit)].find(v => v.is === 'literal' && typeof v.value === 'string') as { value: string } | undefined
  return first && TEMP.test(first.value) ? first.value : undefined
}
