import type { Assertion, Unit, Value } from '../../facts/facts.ts'
import { effectOf, has, isTestCode, valuesIn } from '../../facts/query.ts'
import type { Origin } from '../../flow/flow.ts'
import { defineRule, type Confidence, type FileView } from '../rule.ts'
import { way } from '../wording.ts'

export default defineRule(
  {
    id: 'completion-order-assertion', title: 'An assertion expects things in the order in which they happened to finish', category: 'order', severity: 'warning',
    triggers: ['completion'], confirm: ['cpu-stress', 'repeat'], since: '0.2.0',
  },
  function* (view) {
    for (const unit of view.facts.units) {
      if (!isTestCode(view.facts, unit)) continue
      for (const assertion of unit.assertions) {
        if (assertion.compare !== '==' || assertion.operands.length < 2) continue
        const found = finishing(unit, assertion, view)
        if (!found) continue
        yield {
          at: assertion.span, unit: unit.id, confidence: found.confidence, message: 'expects results in an order that depends on which of them finished first',
          trace: way(found.origin, 'results come as they finish', { span: assertion.span, message: 'and are compared place by place' }),
        }
      }
    }
  },
)

function finishing(unit: Unit, assertion: Assertion, view: FileView): { origin: Origin; confidence: Confidence } | undefined {
  const sides = assertion.operands.slice(0, 2)
  for (const [i, side] of sides.entries()) {
    const other = sides[1 - i]!
    const { origins } = view.flows.ingredients(unit, side, assertion.span.start)
    const origin = origins.find(o => o.kind === 'completion' && (!o.opaque || isList(side, unit)) && o.shape !== 'truth')
    if (!origin || isSorted(side, unit) || origin.steps.some(s => unit.calls.some(c => has(c, 'sort') && c.receiver?.is === 'name' && c.receiver.path === s.name))) continue
    const call = view.facts.units[origin.unit]!.calls[origin.call]!
    // The first of several is as much a matter of chance as the order of all, but often one of them cannot come first.
    if (effectOf(call, 'completion')?.what === 'first') return other.is === 'literal' ? { origin, confidence: 'low' } : undefined
    if (isListOfSeveral(other, unit) || isPlaceOf(side)) return { origin, confidence: call.resolution === 'guess' ? 'low' : 'medium' }
  }
  return undefined
}

const isSorted = (value: Value, unit: Unit): boolean => [...valuesIn(value, unit)].some(v => v.is === 'call' && /(^|[.:])(sort\w*|set|Set|frozenset|Counter|sum|len|max|min|dict|collect_set|toSet|size|length|count)(\.new)?$/.test(unit.calls[v.call]!.name))
/** `List.of(a, b)`, `Arrays.asList(a, b)`. */
const isList = (value: Value, unit: Unit): boolean => value.is === 'call' && /(^|[.:])(of|asList|ImmutableList\.of)$/.test(unit.calls[value.call]!.name)
const isListOfSeveral = (value: Value, unit: Unit): boolean => (value.is === 'group' && value.of.length > 1) || (value.is === 'call' && isList(value, unit) && unit.calls[value.call]!.args.length > 1)
const isPlaceOf = (value: Value): boolean => value.is === 'op' && value.op === '[]' && value.of[1]?.is === 'literal' && typeof value.of[1].value === 'number'
