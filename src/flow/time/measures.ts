// Times that a test has measured without a difference in sight: given back by a helper, taken between the readings of a
// list, told by the name of what took or checks them.

import type { Assertion, Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { fold, milliseconds, type Folding } from '../../facts/fold.ts'
import { has, inForce, valuesIn } from '../../facts/query.ts'
import { rememberedByName } from '../../facts/remembered.ts'
import { isInstant, snake, type Flows } from '../flow.ts'
import { isRecorded } from './given-times.ts'

type View = { readonly facts: Pick<FileFacts, 'units'>; readonly flows: Flows }

const known = new WeakMap<Flows, ReadonlySet<number>>()

/** Helpers of the file that give back how long something took. */
function measuringHelpers({ facts, flows }: View): ReadonlySet<number> {
  const found = known.get(flows)
  if (found) return found
  const measures = (unit: Unit) =>
    unit.returns.some(r =>
      flows.ingredients(unit, r, unit.span.end).origins.some(o => o.shape === 'duration' && !o.opaque && r.is !== 'group')
    )
  const helpers = new Set(facts.units.filter(u => u.role.is === 'helper' && measures(u)).map(u => u.id))
  known.set(flows, helpers)
  return helpers
}

/** `(value, took)`: the place of the time among what a helper of the file gives back at once. */
function timedPlace(helper: Unit | undefined, flows: Flows): { readonly at: number; readonly of: number } | undefined {
  const gives = helper?.role.is === 'helper' && helper.returns.length === 1 ? helper.returns[0] : undefined
  const times = gives?.is === 'group' && gives.of.length > 1
    ? gives.of.map(v => flows.ingredients(helper!, v, helper!.span.end).origins.some(o => o.shape === 'duration' && !o.opaque))
    : []
  return times.filter(Boolean).length === 1 ? { at: times.indexOf(true), of: times.length } : undefined
}

/** `let (sum, took) = timed(…)`: the name in that place. */
function isTakenApart(value: Value, unit: Unit, { facts, flows }: View, at: number): boolean {
  const write = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path && w.span.end <= at) : undefined
  const from = write?.value.is === 'group' && write.value.of.length === 1 ? write.value.of[0] : undefined
  const target = from?.is === 'call' ? unit.calls[from.call]!.target : undefined
  const place = target === undefined ? undefined : timedPlace(facts.units[target], flows)
  const beside = place && unit.writes.filter(w => w.span.start === write!.span.start && w.span.end === write!.span.end)
  return beside !== undefined && beside.length === place!.of && beside[place!.at] === write
}

/** Measured, though no difference of two readings is in sight. */
export const isTaken = (value: Value, unit: Unit, view: View, at: number): boolean =>
  isTakenByHelper(value, unit, measuringHelpers(view), at) || isTakenApart(value, unit, view, at)
  || isBetweenReadings(value, unit, view.flows, at)

/** `measure_time(f)`, `timeIt(() => …)`: it runs what it is given and says how long that took. */
const MEASURES =
  /(^|_)(measure_(\w+_)?(time|duration|elapsed|latency)(_(ms|millis|nanos))?|measure_millis|time_it|time_call|time_of|timed?_run|run_timed|elapsed_(of|ms|time|millis|seconds))$/

/** A value that a measuring helper gives, as itself or kept in a local. */
function isTakenByHelper(value: Value, unit: Unit, helpers: ReadonlySet<number>, at: number): boolean {
  return [...valuesIn(behind(value, unit, at), unit)].some(v => {
    const call = v.is === 'call' ? unit.calls[v.call] : undefined
    return call !== undefined
      && (call.target !== undefined
        ? helpers.has(call.target)
        : call.args.length > 0 && !has(call, 'elapsed') && MEASURES.test(snake(/\w+$/.exec(call.name)?.[0] ?? '').toLowerCase()))
  })
}

const behind = (value: Value, unit: Unit, at: number): Value =>
  value.is === 'name'
    ? unit.writes.findLast(w => w.target === value.path && w.span.end <= at && !w.adds)?.value ?? value
    : value

/** `stamps[i] - stamps[i - 1]`, `b - a` of pairs: the time between two readings that one list holds. */
function isBetweenReadings(value: Value, unit: Unit, flows: Flows, at: number, depth = 0): boolean {
  if (depth > 4) return false
  const again = (v: Value) => isBetweenReadings(v, unit, flows, at, depth + 1)
  if (value.is === 'op' && value.op === '-' && value.of.length === 2) return value.of.every(v => isReading(v, unit, flows, at))
  if (value.is === 'name') return unit.writes.some(w => w.target === value.path && w.span.end <= at && again(w.value))
  if (value.is === 'group') return value.of.some(again)
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  if (!call) return false
  if (/[.:](sub|duration_since|minus)$/i.test(call.name) && call.receiver && call.args[0])
    return [call.receiver, call.args[0]].every(v => isReading(v, unit, flows, at))
  return /(^|[.:])(abs|max|min|round|floor|mean|diff|as_\w+|to_?\w+|Milliseconds|Seconds|Math\.\w+)$/i.test(call.name)
    && [call.receiver, ...call.args].some(v => v && again(v))
}

/** One of a list of readings, by its place or as what a loop binds. */
function isReading(value: Value, unit: Unit, flows: Flows, at: number): boolean {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const list = value.is === 'op' && value.op === '[]'
    ? value.of[0]
    : call && /[.:](get|at|nth|first|last|getFirst|getLast)$/.test(call.name)
    ? call.receiver
    : undefined
  if (list?.is === 'name') return holdsReadings(list.path, unit, flows, at)
  if (value.is !== 'name') return false
  const bound = unit.writes.findLast(w => w.target === value.path && w.span.start <= at)?.value
  return bound?.is === 'group'
    && [...valuesIn(bound, unit)].some(v => v.is === 'name' && v.path !== value.path && holdsReadings(v.path, unit, flows, at))
}

/** The clock is read into it: `times.append(time())`. */
function holdsReadings(list: string, unit: Unit, flows: Flows, at: number): boolean {
  const isNow = (v: Value) => flows.ingredients(unit, v, at).origins.some(o => isInstant(o) && !o.opaque)
  return unit.writes.some(w => w.target === list && w.adds && isNow(w.value))
    || unit.calls.some(c =>
      c.receiver?.is === 'name' && c.receiver.path === list && /[.:](append|add|push|push_back|offer|add_?last)$/i.test(c.name)
      && c.args.some(isNow)
    )
}

/** `lock_time_ms`: a time with its unit; but `start_time_ms` is a point in time. */
export const isSpanWithUnit = (name: string): boolean =>
  /(^|[._])[a-z]\w*_time_(ms|us|ns|millis|nanos|micros|secs?|seconds)$/i.test(name)
  && !/(^|[._])(\w+_)?(start|end|begin|creat|event|current|now|last|first|prev|next|finish|stop|commit|update|modif|expir|due|unix|epoch|publish|max|min|access|due|log|store|born)\w*_time_/i
    .test(name)

const READS = /(^|[._:])(\w*now|\w*clock|(get_?)?(current_?)?time(_?(ms|us|ns|millis|nanos|stamp))?)$/i

/** `now() - began`, where `began = now()`: a clock that nothing here knows, read twice. */
export const isTwiceRead = (value: Value, unit: Unit, at: number): boolean =>
  [...valuesIn(behind(value, unit, at), unit)].some(v => {
    const [later, earlier] = v.is === 'op' && v.op === '-' ? v.of : [], call = later?.is === 'call' ? unit.calls[later.call] : undefined
    const first = earlier?.is === 'name' ? behind(earlier, unit, at) : undefined
    return call !== undefined && call.args.length === 0 && READS.test(call.name) && first?.is === 'call'
      && unit.calls[first.call]!.name === call.name
  })

const LEFT = /(^|[._])(p?ttl|remaining(_(time|ttl))?|time_(left|remaining|to_live))(_(ms|secs?|seconds|millis))?$/i

/** `ttl >= expiry - 1ms`: how much is left of a time must be nearly all that it was given. */
export function leftAtLeast({ compare, operands, span }: Assertion, unit: Unit, folding: Folding, given: readonly number[]): boolean {
  const side = operands.slice(0, 2).findIndex(o => LEFT.test(leftName(o, unit)))
  if (side === -1 || !(side === 0 ? /^>=?$/ : /^<=?$/).test(compare) || behind(operands[side]!, unit, span.start).is === 'literal')
    return false
  const bound = milliseconds(operands[1 - side], unit, folding, 1)
  return bound !== undefined && bound > 1 && given.some(ms => ms >= bound && ms <= bound * NEARLY_ALL)
}
const NEARLY_ALL = 4 / 3

/** `ttl`, or `ttl.Val()`. */
function leftName(value: Value, unit: Unit): string {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  if (call?.receiver?.is === 'name' && call.args.length === 0 && /[.:](val|value|result|get|unwrap)$/i.test(call.name))
    return snake(call.receiver.path)
  return value.is === 'name' ? snake(value.path) : ''
}

/** `assertElapsed(start, 100)`, `checkDuration(…)`, `assertTimeWithinRange(fired - now, …)`. */
const CHECKS =
  /^(assert|check|expect|verify|require|ensure|validate)\w*_(elapsed|duration|took|latency|time_(within|between|in_range|taken|elapsed|spent|about|close|almost)|took_\w+|faster|quick)/
/** Of these it is enough that they stand around what is measured. */
const TIMES_BLOCK =
  /^(assert|check|expect|verify|require|ensure)\w*_(elapsed|(max|min|maximum|minimum)_(duration|time)|faster|took|duration_(less|below|under|within|between|at)|(completes?|finish(es)?|returns?|ends?)_within)|^assert_(duration|elapsed|max_time|faster|run_?time)/

const lastWords = rememberedByName(name => snake(/\w+(?=!?$)/.exec(name)?.[0] ?? '').toLowerCase())

/** A helper from elsewhere that is given a reading or a measured time to check. */
export function checksTime(call: Call, unit: Unit, view: View): boolean {
  if (call.target !== undefined) return false
  const name = lastWords(call.name)
  // Camel's mocks: `mock.message(1).arrives().between(0, 500).millis().afterPrevious()`.
  if (name === 'arrives' && call.args.length === 0 && call.receiver !== null) return true
  if (TIMES_BLOCK.test(name)
    && unit.regions.some(r => (r.kind === 'with' || r.kind === 'closure') && r.call !== undefined && unit.calls[r.call] === call))
    return call.args.length + Object.keys(call.named).length > 0
  return call.result !== 'used' && CHECKS.test(name)
    && call.args.some(a =>
      view.flows.ingredients(unit, a, call.span.start).origins.some(o => (isInstant(o) || o.shape === 'duration') && !o.opaque)
      || isTaken(a, unit, view, call.span.start)
    )
}

/** So many in a measured time: the longer it took, the fewer. */
export function isRate(value: Value | undefined, unit: Unit, flows: Flows, at: number): boolean {
  const made = value && behind(value, unit, at)
  if (made?.is !== 'op' || made.op !== '/' || made.of.length !== 2) return false
  const [count, time] = made.of.map(v => flows.ingredients(unit, v, at).origins.some(o => o.shape === 'duration' && !o.opaque))
  return !count && time === true
}

/** `took in range(90, 110)`, `(90..110).contains(&took)`. */
export function ofRange({ compare, operands }: Assertion, unit: Unit): Value | undefined {
  const isRange = (v: Value) =>
    (v.is === 'op' && /^\.\.=?$/.test(v.op)) || (v.is === 'call' && unit.calls[v.call]!.name === 'range')
    || (v.is === 'group' && v.of.length === 1 && v.of[0]!.is === 'op' && /^\.\.=?$/.test(v.of[0]!.op))
  return compare === 'contains' && operands.length === 2 && operands.some(isRange) ? operands.find(o => !isRange(o)) : undefined
}

/** `inRange(took, { start: 90, end: 120 })`, `_.inRange(took, 90, 120)`: what is asked, and both ends. */
export function inRange({ compare, claims, operands: [flag, is] }: Assertion, unit: Unit): readonly Value[] | undefined {
  const call =
    flag?.is === 'call' && claims === 'presence' && (compare === 'truth' || (compare === '==' && is?.is === 'literal' && is.value === true))
      ? unit.calls[flag.call]
      : undefined
  if (!call || !/(^|[./])(is_?)?in-?_?range$/i.test(call.name)) return undefined
  const [value, from = call.named['start'], to = call.named['end']] = call.args.filter(a => a.is !== 'group')
  return value && (to || from) ? [value, to ? from ?? { is: 'literal', value: 0 } : { is: 'literal', value: 0 }, to ?? from!] : undefined
}

/** `clock.advance(100)`: the time that passes is the test's own. */
export const movesClock = (unit: Unit): boolean =>
  unit.calls.some(({ name, args, receiver }) =>
    args.length > 0 && receiver?.is === 'name' && /[.:](advance\w*|tick|fast_?forward|forward|step|move)$/i.test(name)
    && /(clock|clk|time|timers?)$/i.test(receiver.path)
  )

const COUNTED = /(^|[.:])(Unix(Nano|Milli|Micro)?|getTime|toEpochMilli|currentTimeMillis|timestamp)$/

/** A clock of the test's own is about: times that nobody is seen to read may be of that one. */
const handsClock = ({ facts }: View, unit: Unit): boolean =>
  [unit, ...inForce(facts, unit)].some(u => u.calls.some(c => has(c, 'fake-clock')))

/** `mtime := time.Date(2025, 6, 15, …)`: a day of the test's own choosing, that no clock was asked for. */
function isFixedDate(value: Value, unit: Unit): boolean {
  const made = behind(value, unit, Infinity), call = made.is === 'call' ? unit.calls[made.call] : undefined
  const isPlain = (v: Value) => v.is === 'literal' || v.is === 'name'
  return call !== undefined
    && /^(time\.(Date|Unix)|datetime\.(datetime|date)|Date\.(new|UTC)|java\.time\.\w+\.(of|parse)\w*)$/.test(call.name)
    && call.args.some(a => a.is === 'literal') && call.args.every(isPlain)
}

/** Two times that must be close, by the slack they are given or by what counts them. */
export function areTimes({ operands, tolerance, span }: Assertion, unit: Unit, view: View & { readonly folding: Folding },
  below: number): boolean
{
  const slack = handsClock(view, unit)
      || operands.some(o => isFixedDate(o, unit) || [...valuesIn(o, unit)].some(v => isRecorded(v, unit, view.folding, span.start)))
    ? undefined
    : fold(tolerance, unit, view.folding)
  if (typeof slack === 'object') return slack.ms > 0 && slack.ms < below
  // What counts whole seconds is given seconds.
  return typeof slack === 'number'
    && !(below <= 1000 && operands.some(o => o.is === 'call' && /[.:](Unix|timestamp)$/.test(unit.calls[o.call]!.name)))
    && operands.length === 2 && operands.every(o => o.is === 'call' && COUNTED.test(unit.calls[o.call]!.name))
}
