// Time that a test measures without a clock of its own in sight: kept in a name that says so, taken by a helper that
// was given the start, spent by a loop that runs until its time is over.

import type { Assertion, Call, FileFacts, Region, Span, Unit, Value } from '../facts/facts.ts'
import { fold, milliseconds, type Folding } from '../facts/fold.ts'
import { has, polls, valuesIn, within } from '../facts/query.ts'
import { isInstant, type Flows, type Origin } from './flow.ts'

const MEASURED = /(^|[a-z_.\d])(elapsed|durations?|took|latenc(y|ies)|wait(ing|ed)(_?times?)?|time_?taken|response_?time|round_?trip(_?time)?|deltas?|dt)(_?(ms|ns|us|s|secs?|seconds|millis|nanos))?\d*(\(\))?$/i
/** `capacity_in_throttling_duration`: how much there is of something else in that time. */
const COUNTED = /[a-z\d]_(in|per|during|within)_(\w+_)?[a-z]+$/i

/** The test makes the thing that tells its time, and says how long it took: `Measure { duration: 1000 }`. */
export function tellsGivenTime(unit: Unit): boolean {
  const isPlain = (value: Value) => [...valuesIn(value, unit)].every(v => v.is === 'literal' || v.is === 'op')
  return unit.calls.some(c => Object.entries(c.named).some(([key, value]) => MEASURED.test(key) && isPlain(value)))
    || unit.writes.some(w => w.target.includes('.') && !w.adds && MEASURED.test(w.target) && isPlain(w.value))
}

/** A name on either side that says it holds a measured time, where nothing tells what it really holds. */
export function namedAsMeasured(value: Value, unit: Unit, flows: Flows, at: number): boolean {
  if (flows.ingredients(unit, value, at).origins.length > 0) return false
  if (isEndLessBegin(value, unit, at)) return true
  return [...valuesIn(value, unit)].some(v => {
    const name = nameOf(v, unit)
    return MEASURED.test(name) && !COUNTED.test(name) && !isGiven(v.is === 'name' ? v.path : name, unit)
  })
}

/** `meta.age`, `gap`: a time only where the bound is one. */
const isNamedSpan = (value: Value, unit: Unit): boolean => /(^|[_.])(age|gap|diff|difference|lag|drift|skew|jitter)$/i.test(nameOf(value, unit))

/** `endMs - beginMs`, `startedAt[1] - startedAt[0]`: two readings of a clock that nothing here knows; also where a local keeps their difference. */
export function isEndLessBegin(value: Value, unit: Unit, at: number): boolean {
  const made = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path && w.span.end <= at && !w.adds)?.value ?? value : value
  const names = made.is === 'op' && made.op === '-' ? made.of.map(v => nameOf(v, unit)) : []
  return names.length === 2 && names.every(n => READING.test(n) && !PLANNED.test(n)) && names.some(n => TIMED.test(n))
}
const TIME = '(at|times?|time_?stamps?|instants?|ms|ns|us|millis|nanos|perf|now)'
const EDGE = '(start(ed)?|begin|began|before|then|prev(ious)?|last|first|end(ed)?|finish(ed)?|stop(ped)?|after|now|fired|done|t\\d)'
const READING = new RegExp(`(^|[._])(${EDGE}(_?${TIME})*|\\w+_${TIME})$`, 'i'), TIMED = new RegExp(`(^|[._])(\\w+_)?${TIME}$`, 'i')

/** What is to come was reckoned, not read. */
const PLANNED = /expir|deadline|due|until|valid|next|not_(before|after)/i

/** The last name of a variable, of what an index is taken from, or of a call without arguments, in small letters with underscores. */
function nameOf(value: Value, unit: Unit): string {
  if (value.is === 'op' && value.op === '[]' && value.of[0]) return nameOf(value.of[0], unit)
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const name = value.is === 'name' ? value.path : call && call.args.length === 0 ? call.name.replace(/^.*(?:\.|::)/, '') : ''
  return name.replace(/([a-z\d])([A-Z])/g, '$1_$2')
}

/** The test itself says what it is: `duration = 5`, `timeout_elapsed = true`. */
const isGiven = (name: string, unit: Unit): boolean => unit.writes.some(w => w.target === name && !w.adds && w.value.is === 'literal' && w.value.value !== 0 && w.value.value !== null)

/** What a value is rounded to, in milliseconds: `Round(24 * time.Hour)` swallows any delay. */
export const roundedTo = (value: Value, unit: Unit, folding: Folding): number => Math.max(0, ...[...valuesIn(value, unit)].flatMap(v => {
  const call = v.is === 'call' ? unit.calls[v.call] : undefined
  return call && /[.:](round|truncate)$/i.test(call.name) ? milliseconds(call.args[0], unit, folding, 1) ?? [] : []
}))

/** Helpers of the file that bound the time since an instant they are given; who calls them bounds it. */
export function boundingHelpers(facts: Pick<FileFacts, 'units'>, flows: Flows): Set<number> {
  const found = new Set<number>()
  for (const unit of facts.units)
    if (unit.role.is === 'helper' && unit.params.length > 1 && unit.assertions.some(a => !polls(unit, a.in) && isSinceParameter(a, unit, flows))) found.add(unit.id)
  return found
}

/** It bounds the time since a parameter from above by another parameter; «at least» does not mind a busy machine. */
function isSinceParameter(assertion: Assertion, unit: Unit, flows: Flows): boolean {
  if (!/^(<|<=|>|>=)$/.test(assertion.compare)) return false
  const sides = assertion.operands.map(o => flows.ingredients(unit, o, assertion.span.start))
  const params = new Set(unit.params)
  const upper = (side: number) => (side === 0 ? /^<=?$/ : /^>=?$/).test(assertion.compare)
  return sides.some((side, i) => upper(i) && side.origins.some(o => o.shape === 'duration') && sides.some((other, j) => j !== i && other.unknown.some(n => params.has(n))))
}

/** How long loops that watch the clock go on: `while (now() - start < 600)`. */
export function* clockLoops(unit: Unit, folding: Folding, flows: Flows): Generator<{ readonly span: Span; readonly ms: number }> {
  for (const { kind, condition, span } of unit.regions) {
    if (kind !== 'loop' || condition?.is !== 'op' || !/^[<>]=?$/.test(condition.op)) continue
    const measured = condition.of.findIndex(side => flows.ingredients(unit, side, span.end).origins.some(o => o.shape === 'duration' && !o.opaque))
    const ms = measured === -1 ? undefined : milliseconds(condition.of[1 - measured], unit, folding, folding.durations['timeout='] ?? 1000)
    if (ms !== undefined) yield { span, ms }
  }
}

/** Loops that go on until a measured time is over and then are asked how far they came. */
export function* timedLoops(unit: Unit, flows: Flows): Generator<{ readonly region: Region; readonly clock: Call; readonly asked: Assertion }> {
  for (const [index, region] of unit.regions.entries()) {
    if (region.kind !== 'loop' || region.leaves || region.condition?.is !== 'op' || !/^(<|<=|>|>=)$/.test(region.condition.op)) continue
    const clock = unit.calls.find(c => c.in === index && has(c, 'clock', 'mono', 'elapsed') && isIn(c, region.condition!, unit))
    if (!clock || !flows.ingredients(unit, region.condition, region.span.end).origins.some(o => !o.opaque)) continue
    if (unit.assertions.some(a => isWithin(a.in, index, unit))) continue
    // How often it could look is up to the machine; what it was told to count is not.
    const asked = unit.assertions.find(a => a.span.start >= region.span.end)
    if (asked && (asked.compare === '==' || asked.compare === '>=') && asked.claims === 'presence' && !within(unit, asked.in, 'loop')) yield { region, clock, asked }
  }
}

const isIn = (call: Call, value: Value, unit: Unit): boolean => [...valuesIn(value, unit)].some(v => v.is === 'call' && unit.calls[v.call] === call)

function isWithin(region: number, outer: number, unit: Unit): boolean {
  for (let at = region; at !== 0; at = unit.regions[at]!.in) if (at === outer) return true
  return false
}

/** `time() < start + 5`: two readings with arithmetic between them bound the time between. */
export function deadline(sides: readonly (readonly Origin[])[], assertion: Assertion, unit: Unit): Origin | undefined {
  const [a, b] = sides.map(side => side.find(isInstant))
  if (!a || !b || (a.call === b.call && a.unit === b.unit)) return undefined
  const moved = assertion.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'op' && (v.op === '+' || v.op === '-')))
  return moved ? a : undefined
}

export const isLater = (sides: readonly (readonly Origin[])[]): boolean => (sides[0]?.find(isInstant)?.span.start ?? 0) >= (sides[1]?.find(isInstant)?.span.start ?? 0)

/** `second >= first`, both read off the watch that was started once. */
export function isLaterLook({ compare, operands: [a, b], span }: Assertion, unit: Unit): boolean {
  const look = (value: Value | undefined) => {
    const write = value?.is === 'name' ? unit.writes.findLast(w => w.target === value.path && w.span.end <= span.start) : undefined
    const call = write?.value.is === 'call' ? unit.calls[write.value.call] : undefined
    return call?.receiver?.is === 'name' ? { of: call.receiver.path, at: call.span.start } : undefined
  }
  const [left, right] = [look(a), look(b)]
  return left !== undefined && right !== undefined && left.of === right.of && (left.at > right.at ? /^>=?$/ : /^<=?$/).test(compare)
}

/** The clock counts whole seconds, and a wait of two never reads as one; or timers wait by the clock that measures, and none comes early. */
export const neverEarly = (facts: Pick<FileFacts, 'units'>, o: Origin): boolean => /^(seconds|steady)$/.test(noteOf(facts, o))

/** The clock of the wall in whole milliseconds: a timer goes by another one, and both readings are cut off. */
export const cutsOff = (facts: Pick<FileFacts, 'units'>, o: Origin): boolean => noteOf(facts, o) === 'millis'

const noteOf = (facts: Pick<FileFacts, 'units'>, o: Origin): string => facts.units[o.unit]?.calls[o.call]?.effects.find(e => e.kind === o.kind)?.note ?? ''

/** `elapsed + 5 >= expected` leaves room for the grains. */
export const isWidened = (value: Value | undefined): boolean => value?.is === 'op' && value.op === '+' && value.of.some(v => v.is === 'literal')

/** `delay - 100`, `delay / 2`, `delay * 0.9`: less than the whole is asked for. What is taken off for the rounding of floats is no room. */
export const isEased = (bound: Value | undefined): boolean =>
  bound?.is === 'op' && ((bound.op === '-' && !bound.of.some(v => v.is === 'literal' && typeof v.value === 'number' && v.value < 1e-3)) || bound.op === '/' || (bound.op === '*' && bound.of.some(v => v.is === 'literal' && Number(v.value) < 1))) && bound.of.some(v => v.is === 'name')

/** Every duration that the unit hands to something: a bound well below one of them has slack. What a server answers with `Retry-After` counts seconds. */
export const waitsIn = (unit: Unit, folding: Folding): number[] => unit.calls.flatMap(c => [
  ...c.effects.flatMap(e => e.ms ?? []), ...c.args.flatMap(a => milliseconds(a, unit, folding, 1) ?? []),
  ...Object.entries(c.named).flatMap(([key, a]) => milliseconds(a, unit, folding, /^retry-?after$/i.test(key) ? 1000 : 1) ?? []),
])

/** What a machine's pause takes is not within the slack. */
export function isClose({ tolerance, operands }: Assertion, unit: Unit, folding: Folding, roomy: number): boolean {
  const slack = milliseconds(tolerance ?? operands[2], unit, folding, 1)
  return slack === undefined || slack < roomy
}

/** A helper bounds by what its caller thinks right. */
export const isUpToCaller = (value: Value | undefined, unit: Unit): boolean =>
  unit.role.is === 'helper' && value !== undefined && [...valuesIn(value, unit)].some(v => v.is === 'name' && unit.params.includes(v.path))

/** In milliseconds. A small bare number counts what the language's timeouts count, seconds in most. */
export function boundOf(value: Value | undefined, unit: Unit, folding: Folding): number | undefined {
  const n = milliseconds(value, unit, folding, 1)
  return n !== undefined && n > 0 && n < 100 && typeof fold(value, unit, folding) === 'number' ? n * (folding.durations['timeout='] ?? 1000) : n
}

/** `meta.age < Duration::from_secs(1)`: that the bound is a time makes the other one. */
export function namedSpanBound({ compare, operands, span }: Assertion, unit: Unit, { flows, folding }: { readonly flows: Flows; readonly folding: Folding }): number | undefined {
  const side = operands.slice(0, 2).findIndex(o => isNamedSpan(o, unit) && flows.ingredients(unit, o, span.start).origins.length === 0)
  const bound = side === -1 ? undefined : fold(operands[1 - side], unit, folding)
  return typeof bound === 'object' && (side === 0 ? /^<=?$/ : /^>=?$/).test(compare) ? bound.ms : undefined
}
