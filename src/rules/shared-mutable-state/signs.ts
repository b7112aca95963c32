import type { Assertion, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { valuesIn } from '../../facts/query.ts'
import { afterwards, touches } from '../../flow/state/leaks.ts'
import { shorten } from '../../flow/state/statics.ts'
import { type Confidence } from '../rule.ts'

/** What the test hangs on the global object itself is its own more often than anybody else's. */
export const GLOBAL = /^(global|globalThis|window|self)\./

const REGISTRY = /(^|\.)(DefaultGatherer|DefaultRegisterer|DefaultServeMux|REGISTRY)$/

/** A registry that the whole process adds to, or a counter of a class that nobody sets back, compared with what one test expects of it. */
export function countOf(facts: FileFacts, unit: Unit, { operands, compare }: Assertion): { name: string; sure: Confidence } | undefined {
  const names = operands.flatMap(o => [...valuesIn(o, unit)]).flatMap(v => (v.is === 'name' ? [v.path] : []))
  const registry = names.find(n => REGISTRY.test(n))
  // Whether something is the registry says nothing of what it holds.
  // Nor is it everybody's where the test has put its own in its place.
  if (registry)
    return operands.some(isRegistry) || unit.writes.some(w => w.target === registry) ? undefined : { name: shorten(registry), sure: 'high' }
  const counter = compare === '==' && operands.some(isCount) ? operands.find(o => o.is === 'name' && STATIC.test(o.path)) : undefined
  if (counter?.is !== 'name' || facts.units.some(u => u.writes.some(w => w.target === counter.path && !w.adds))
    || afterwards(facts, unit).some(c => touches(c, counter.path))) return undefined
  return { name: shorten(counter.path), sure: 'medium' }
}

const isRegistry = (
  value: Value,
): boolean => value.is === 'name' ? REGISTRY.test(value.path) : value.is === 'op' && value.op !== '[]' && value.of.some(isRegistry)
const isCount = (value: Value): boolean => value.is === 'literal' && typeof value.value === 'number' && value.value > 0
/** A field of a class that is written like a variable: `Basket.count`, never `Basket.MAX`, nor a field of an object. */
const STATIC =
  /(^|\.)[A-Z][a-z]\w*\.[a-z]\w*([cC]ount(er)?|[tT]otal|[cC]alls?|[iI]nvocations?|[tT]imes|[sS]ize)$|(^|\.)[A-Z][a-z]\w*\.(count(er)?|total|calls?|invoked|invocations?|times|size|num\w*)$/
