import type { Assertion, Call, Unit, Value } from '../../facts/facts.ts'
import { effectOf, has, valuesIn } from '../../facts/query.ts'
import type { Origin } from '../../flow/flow.ts'
import { type Demand } from '../../flow/order/demands.ts'
import { type Confidence, type FileView } from '../rule.ts'

export const SAYS = 'expects results in an order that depends on which of them finished first'

/** In one thread each goes on until it waits, and what it waits for may well come in the order of asking. */
export const TURNS = /^Promise\.|[.]map$|create_task|ensure_future|start_soon|^tokio::|JoinSet::spawn/

/** One of them alone may be like all others: the test must expect another one too, or start two things that differ. */
export function differ({ unit, assertion, found }: Demand, all: readonly Demand[]): boolean {
  const same = (o: Demand) =>
    o.found.origin === found.origin || (o.unit === unit && o.found.origin.name === found.origin.name && has(found.origin, 'completion'))
  const wanted = all.filter(same).flatMap(d =>
    d.assertion.operands.flatMap(
      o => (o.is === 'literal' ? [o.value] : o.is === 'group' ? o.of.flatMap(v => (v.is === 'literal' ? [v.value] : [])) : []),
    )
  )
  if (new Set(wanted).size > 1) return true
  if (!has(found.origin, 'completion')) return false
  return assertion.operands.some(isPlaceOf) || startedApart(unit, found.origin) > 1
}

const startedApart = (unit: Unit, { receiver }: Call): number =>
  unit.calls.filter(c =>
    has(c, 'spawn') && c.in === 0 && receiver?.is === 'name' && c.receiver?.is === 'name' && c.receiver.path === receiver.path
  ).length

export function finishing(unit: Unit, assertion: Assertion, view: FileView): { origin: Origin; confidence: Confidence } | undefined {
  const sides = assertion.operands.slice(0, 2)
  for (const [i, side] of sides.entries()) {
    const other = sides[1 - i]!
    const { origins } = view.flows.ingredients(unit, side, assertion.span.start)
    const origin = origins.find(o => o.kind === 'completion' && (!o.opaque || isList(side, unit)) && o.shape !== 'truth')
    if (!origin || isSorted(side, unit)
      || origin.steps.some(s => unit.calls.some(c => has(c, 'sort') && c.receiver?.is === 'name' && c.receiver.path === s.name))) continue
    const call = view.facts.units[origin.unit]!.calls[origin.call]!
    // The first of several is as much a matter of chance as the order of all, but often one of them cannot come first.
    if (effectOf(call, 'completion')?.what === 'first') return other.is === 'literal' ? { origin, confidence: 'low' } : undefined
    if (isListOfSeveral(other, unit) || isPlaceOf(side)) return { origin, confidence: call.resolution === 'guess' ? 'low' : 'medium' }
  }
  return undefined
}

const isSorted = (value: Value, unit: Unit): boolean =>
  [...valuesIn(value, unit)].some(v =>
    v.is === 'call'
    && /(^|[.:])(sort\w*|set|Set|frozenset|Counter|sum|len|max|min|dict|collect_set|toSet|size|length|count)(\.new)?$/.test(
      unit.calls[v.call]!.name,
    )
  )
/** `List.of(a, b)`, `Arrays.asList(a, b)`. */
const isList = (value: Value, unit: Unit): boolean =>
  value.is === 'call' && /(^|[.:])(of|asList|ImmutableList\.of)$/.test(unit.calls[value.call]!.name)
const isListOfSeveral = (value: Value, unit: Unit): boolean =>
  (value.is === 'group' && value.of.length > 1) || (value.is === 'call' && isList(value, unit) && unit.calls[value.call]!.args.length > 1)
const isPlaceOf = (value: Value): boolean =>
  value.is === 'op' && value.op === '[]' && value.of[1]?.is === 'literal' && typeof value.of[1].value === 'number'
