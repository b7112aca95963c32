// Time that a test measures without a clock of its own in sight: kept in a name that says so, taken by a helper that
// was given the start, spent by a loop that runs until its time is over.

import { UNKNOWN, type Assertion, type Call, type Comparison, type FileFacts, type Region, type Span, type Unit,
  type Value } from '../../facts/facts.ts'
import { fold, milliseconds, type Folding } from '../../facts/fold.ts'
import { around, has, inForce, isInSpan, looksLikePoll, polls, valuesIn, within } from '../../facts/query.ts'
import { rememberedOf } from '../../facts/remembered.ts'
import { isInstant, snake, type Flows, type Ingredients, type Origin } from '../flow.ts'
import { isGivenTime, isRecorded } from './given-times.ts'
import { inRange, isSpanWithUnit, isTaken, isTwiceRead, movesClock, ofRange } from './measures.ts'

const MEASURED =
  /(^|[a-z_.\d])(elapsed(_?time)?|durations?|took|latenc(y|ies)|wait(ing|ed)(_?times?)?|time_?taken|(response|start_?up|shut_?down|loading)_?times?|round_?trip(_?time)?|deltas?|dt)(_?(in_?)?(ms|ns|us|s|secs?|seconds|millis|nanos))?\d*(\(\))?$/i
/** `durationMigrate`: a measured time of something, where what it is held against is a time too. */
const MEASURED_OF = /^(elapsed|duration|took)_[a-z]+$/i
/** A limit or wait that is named, not told. */
const NAMED_TIME = /(time_?out|delay|interval|wait|duration|deadline|period)\w*$/i
/** `capacity_in_throttling_duration`: how much there is of something else in that time. */
const COUNTED = /[a-z\d]_(in|per|during|within)_(?!(ms|ns|us|secs?|seconds|milli\w*|nano\w*|micro\w*)$)(\w+_)?[a-z]+$/i

/** The test makes the thing that tells its time, and says how long it took: `Measure { duration: 1000 }`. */
export function tellsGivenTime(unit: Unit): boolean {
  const isPlain = (value: Value) => [...valuesIn(value, unit)].every(v => v.is === 'literal' || v.is === 'op')
  return unit.calls.some(c => Object.entries(c.named).some(([key, value]) => MEASURED.test(key) && isPlain(value)))
    || unit.writes.some(w => w.target.includes('.') && !w.adds && MEASURED.test(w.target) && isPlain(w.value))
}

/** `benchmark.stats["mean"]`, `benchmark.stats.stats.max`: what pytest-benchmark measured. */
const isBenchmarked = (value: Value, unit: Unit): boolean =>
  [...valuesIn(value, unit)].some(v => v.is === 'name' && /^benchmark\.stats(\.|$)/.test(v.path))
  && !/rounds|iterations|outliers/.test(nameOf(value, unit))

/** A name on either side that says it holds a measured time, where nothing tells what it really holds. */
export function namedAsMeasured(value: Value, unit: Unit,
  view: { readonly facts: Pick<FileFacts, 'units'>; readonly flows: Flows; readonly folding: Folding }, at: number): boolean
{
  const { flows } = view
  if (isSinceReading(value, unit, flows, at) || isTaken(value, unit, view, at) || isBenchmarked(value, unit)) return true
  if (readsGivenClock(value, unit, view.facts, at)) return false
  if (movesClock(unit) || flows.ingredients(unit, value, at).origins.some(o => o.kind !== 'unordered')) return false
  if (isEndLessBegin(value, unit, at) || isSinceNamed(value, unit, at) || isTwiceRead(value, unit, at)) return true
  // How many were measured is no time.
  if (value.is === 'call' && /[.:](size|len|length|count)$/.test(unit.calls[value.call]!.name)) return false
  return [...valuesIn(value, unit)].some(v => {
    // `e := watch.Elapsed()` is told by what gave it.
    const kept = v.is === 'name' ? unit.writes.findLast(w => w.target === v.path && w.span.start < at)?.value : undefined
    const name = kept?.is === 'call' && MEASURED.test(nameOf(kept, unit)) ? nameOf(kept, unit) : nameOf(v, unit)
    if (kept && [...valuesIn(kept, unit)].some(x => PLAYED.test(nameOf(x, unit)))) return false
    return (MEASURED.test(name) || MEASURED_OF.test(name) || isSpanWithUnit(name)) && !COUNTED.test(name) && !CHOSEN.test(name)
      && !isGiven(v.is === 'name' ? v.path : name, unit) && !isConstant(v, unit, view.folding) && !isGivenTime(v, unit, at)
      && !isRecorded(v, unit, view.folding, at)
  })
}

/** How long the code means to wait is chosen, not measured, and of what is left a busy machine leaves less. */
const CHOSEN = /(remaining|left|until)$|(^|_)(back_?off|retry|retries|sleep|poll|timeout|cool_?down)_?(durations?|delays?|intervals?)$/i

/** `const SYNC_LATENCY = 50 * time.Millisecond`: the test says how long it is. What starts at nought is counted up. */
function isConstant(value: Value, unit: Unit, folding: Folding): boolean {
  const told = value.is === 'name' ? fold(value, unit, folding) : undefined
  return (typeof told === 'number' && told !== 0) || (typeof told === 'object' && told.ms !== 0)
}

/** `clock.monotonic() - begin`, where `clock` is a fixture or field: a clock that a test is handed is one that it turns. */
const readsGivenClock = (value: Value, unit: Unit, facts: Pick<FileFacts, 'units'>, at: number, depth = 0): boolean =>
  [...valuesIn(madeOf(value, unit, at), unit)].some(v => {
    if (v.is === 'name' && depth < 3) {
      const made = madeOf(v, unit, at)
      return made !== v && readsGivenClock(made, unit, facts, at, depth + 1)
    }
    const of = v.is === 'call' && /^(guess|local|type|import)$/.test(unit.calls[v.call]!.resolution)
      ? unit.calls[v.call]!.receiver
      : undefined
    if (of?.is !== 'name') return false
    return PRETENDED.test(of.path) || isPretended(of.path, unit, facts)
      || (/^(self\.)?_?(test_?)?clock$/i.test(of.path) && (of.path.startsWith('self.') || unit.params.includes(of.path)))
  })
/** A clock that says of itself that it is none. */
const PRETENDED = /^((self|this)\.)?_?(fake|mock|virtual|manual|simulated)_?(clock|time|timer|loop|ticker)$/i
const PRETENDS =
  /(^|[.:])(Fake|Mock|Virtual|Manual|Simulated|Settable|Controllable)\w*(Clock|Time|Timer|Ticker|TimeSource|TimeProvider)(\.new|::new|\{\})?$/

/** `Time time = new MockTime()`, here or in what stands around. */
const isPretended = (path: string, unit: Unit, facts: Pick<FileFacts, 'units'>): boolean => {
  const name = path.replace(/^(self|this)\./, '')
  return [unit, ...inForce(facts, unit)].some(u =>
    u.writes.some(w =>
      w.target.replace(/^(self|this)\./, '') === name && w.value.is === 'call' && PRETENDS.test(u.calls[w.value.call]!.name)
    )
  )
}

/** `assert_abs_diff_eq!(lap.as_secs_f64(), 0.2, …)` after a sleep of just that: whatever it is called, it was timed. */
export function isAsSlept(value: Value, other: Value | undefined, unit: Unit, folding: Folding): boolean {
  const counts = countedIn(madeOf(value, unit, Infinity), unit), told = fold(other, unit, folding)
  return counts !== undefined && typeof told === 'number' && told > 0
    && unit.calls.some(c => c.effects.some(e => e.kind === 'sleep' && e.ms !== undefined && Math.abs(e.ms - told * counts) < 1e-6))
}

/** `meta.age`, `gap`: a time only where the bound is one. */
const isNamedSpan = (value: Value, unit: Unit): boolean =>
  /(^|[_.])(age|gap|diff|difference|lag|drift|skew|jitter|dur|cost|spent|rtt)$/i.test(nameOf(value, unit))

/**
 * `endMs - beginMs`, `startedAt[1] - startedAt[0]`: two readings of a clock that nothing here knows; also where a local keeps their
 * difference.
 */
export function isEndLessBegin(value: Value, unit: Unit, at: number): boolean {
  const made = converted(madeOf(value, unit, at), unit)
  const names = made.is === 'op' && made.op === '-' ? made.of.map(v => nameOf(v, unit)) : []
  return names.length === 2 && names.every(n => (READING.test(n) || STAMP.test(n)) && !PLANNED.test(n) && !PLAYED.test(n))
    && names.some(n => TIMED.test(n))
}

/** `MILLISECONDS.convert(end - begin, NANOSECONDS)`: in another unit it is the same time. */
function converted(value: Value, unit: Unit): Value {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  return call && /(^|\.)TimeUnit\.\w+\.(convert|to[A-Z]\w*)$|(^|\.)Math\.(abs|round)$|^abs$/.test(call.name) && call.args[0]
    ? call.args[0]
    : value
}

const madeOf = (value: Value, unit: Unit, at: number): Value =>
  value.is === 'name'
    ? unit.writes.findLast(w => w.target === value.path && w.span.end <= at && !w.adds)?.value ?? value
    : value

/** `timestamps[1] - start`: what the code under test noted, less a reading of the test's own. */
function isSinceReading(value: Value, unit: Unit, flows: Flows, at: number): boolean {
  const made = madeOf(value, unit, at), call = made.is === 'call' ? unit.calls[made.call] : undefined
  // `record.at.signed_duration_since(before)` says the same by its name.
  const parts = call && /[.:](signed_)?duration_since$/.test(call.name) && call.receiver && !has(call, 'elapsed')
    ? [call.receiver, ...call.args]
    : made.is === 'op' && made.op === '-'
    ? made.of
    : []
  if (parts.length !== 2) return false
  const [noted, read] = parts.map(v => flows.ingredients(unit, v, at)) as [Ingredients, Ingredients]
  const isNow = (i: Ingredients) => i.origins.some(o => isInstant(o) && !o.opaque)
  if (isNow(noted) && read.origins.length === 0 && read.unknown.some(n => /(^|[._a-z])[tT]ime$/.test(n))) return true
  return isNow(read) && noted.origins.length === 0 && noted.unknown.length > 0 && !noted.unknown.some(n => PLANNED.test(n))
}

/** `completed[i] - prevTime`: whatever is less an earlier time is a time too. */
function isSinceNamed(value: Value, unit: Unit, at: number): boolean {
  const made = madeOf(value, unit, at)
  const [later, earlier] = made.is === 'op' && made.op === '-' ? made.of : []
  return later !== undefined && earlier !== undefined && later.is !== 'literal' && EARLIER.test(nameOf(earlier, unit))
    && !PLANNED.test(nameOf(later, unit))
}
const EARLIER = /(^|[._])(start|begin|prev(ious)?|last)(ed)?_(time|at|ms|millis|nanos|time_?stamp)(_?ms)?$/i

/** Nothing tells the bound, but its name says that it is a time. */
export const isNamedTime = (value: Value | undefined, unit: Unit): boolean =>
  value !== undefined && [...valuesIn(value, unit)].some(v => v.is === 'name' && NAMED_TIME.test(v.path))

/** `a.createdAt` beside `b.getTime()`: each side read a clock that nothing here knows. */
export const areReadings = (operands: readonly Value[], unit: Unit): boolean =>
  operands.length > 1
  && operands.slice(0, 2).every(o =>
    TIMED.test(nameOf(o, unit)) && !PLANNED.test(nameOf(o, unit)) && !/(^|[._])(want|expected|exp)(_|$)/i.test(nameOf(o, unit))
  )

const TIME = '(at|times?|time_?stamps?|instants?|ms|ns|us|millis|nanos|perf|now)'
const EDGE = '(start(ed)?|begin|began|before|then|prev(ious)?|last|first|end(ed)?|finish(ed)?|stop(ped)?|after|now|fired|done|t\\d)'
const READING = new RegExp(`(^|[._])(${EDGE}(_?${TIME})*|\\w+_${TIME})$`, 'i'), TIMED = new RegExp(`(^|[._])(\\w+_)?${TIME}$`, 'i')

/** What each of two events noted of itself. */
const STAMP = /(^|[._])time_?stamp$/i

/** Where a film or a song is, in its own seconds. */
const PLAYED = /(^|[._])(video|audio|media|player|element|track)\w*\.(current|start|end|seek)_?time$/i

/** What is to come was reckoned, not read. */
const PLANNED = /expir|deadline|due|until|valid|next|not_(before|after)/i

/** The last name of a variable, of what an index is taken from, or of a call without arguments, in small letters with underscores. */
function nameOf(value: Value, unit: Unit): string {
  if (value.is === 'op' && value.op === '[]' && value.of[0]) {
    const key = value.of[1]
    return key?.is === 'literal' && typeof key.value === 'string' ? snake(key.value) : nameOf(value.of[0], unit)
  }
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const name = value.is === 'name' ? value.path : call && call.args.length === 0 ? call.name.replace(/^.*(?:\.|::)/, '') : ''
  return snake(name)
}

/**
 * The comparisons that an assertion comes to: its own, those that a flag was made of (`ok := d > min && d < max`), that of each
 * element (`all(t < 1 for t in times)`).
 */
export function comparisonsOf(assertion: Assertion, unit: Unit): readonly Assertion[] {
  const [flag, is] = assertion.operands
  const ranged = ofRange(assertion, unit), within = inRange(assertion, unit)
  if (within) return [{ ...assertion, compare: 'near', operands: within }]
  if (ranged) return [{ ...assertion, compare: 'near', operands: [ranged, UNKNOWN, UNKNOWN] }]
  const isFlag = assertion.claims === 'presence'
    && (assertion.compare === 'truth' || (assertion.compare === '==' && is?.is === 'literal' && is.value === true))
  const found = flag && isFlag ? [...partsOf(madeOf(flag, unit, assertion.span.start), unit)] : []
  return (found.length > 0 ? found.map(({ op, of }) => ({ ...assertion, compare: op as Comparison, operands: of })) : [assertion]).map(a =>
    turned(a, unit)
  )
}

const TURNED: Partial<Record<Comparison, Comparison>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** What is left until a moment grows smaller as time goes by: at least so much of it is at most so much that has passed. */
function turned(assertion: Assertion, unit: Unit): Assertion {
  const other = TURNED[assertion.compare]
  const isLeft = (v: Value): boolean => v.is === 'call' && unit.calls[v.call]!.name === 'time.Until'
  // Of a difference at most so much is never missed by being late; at least so much may be, by how much nobody can tell.
  const isMost = (i: number): boolean => (i === 0 ? /^<=?$/ : /^>=?$/).test(assertion.compare)
  return other
      && assertion.operands.some((o, i) =>
        isLeft(madeOf(o, unit, assertion.span.start)) || (isMost(i) && isUntil(madeOf(o, unit, assertion.span.start), unit))
      )
    ? { ...assertion, compare: other }
    : assertion
}

/** `due - now()`, where the clock is read last: less than nothing, once that moment is over. */
const isUntil = (value: Value, unit: Unit): boolean => {
  const [moment, now] = value.is === 'op' && value.op === '-' ? value.of : []
  const isNow = (v: Value | undefined) =>
    v !== undefined && [...valuesIn(v, unit)].some(x => x.is === 'call' && has(unit.calls[x.call]!, 'clock', 'mono'))
  return moment !== undefined && now?.is === 'call' && isNow(now) && !isNow(moment)
}

function* partsOf(value: Value, unit: Unit): Generator<{ readonly op: string; readonly of: readonly Value[] }> {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const each = call && /(^|[.:])(all|every|allMatch)$/.test(call.name) ? call.args[0] : undefined
  if (each) yield* partsOf(each, unit)
  if (value.is === 'group' && value.of.length === 1) yield* partsOf(value.of[0]!, unit)
  if (value.is === 'op' && value.op === 'and') { for (const part of value.of) yield* partsOf(part, unit) }
  if (value.is === 'op' && /^[<>]=?$/.test(value.op)) yield value
}

/** Two values are held against each other, and neither is nothing. */
export const isBound = ({ compare, operands }: Assertion): boolean =>
  /^(<|<=|>|>=|==|near|other)$/.test(compare) && operands.length > 1 && !operands.some(o => o.is === 'literal' && o.value === null)

/** It is looked at until it holds. A loop over a table looks once at each. */
export const isRetried = (unit: Unit, region: number): boolean =>
  polls(unit, region) && [...around(unit, region)].some(r =>
    r.kind === 'closure'
      ? r.call !== undefined && looksLikePoll(unit.calls[r.call]!)
      : r.kind === 'loop'
        && (!r.counted || unit.calls.some(c => has(c, 'sleep') && c.span.start >= r.span.start && c.span.end <= r.span.end))
  )

/** The test itself says what it is: `duration = 5`, `timeout_elapsed = true`. */
const isGiven = (name: string, unit: Unit): boolean =>
  unit.writes.some(w => w.target === name && !w.adds && w.value.is === 'literal' && w.value.value !== 0 && w.value.value !== null)

/** That it is a time, only the unit in its name tells. */
export const isByUnit = (value: Value, unit: Unit): boolean => [...valuesIn(value, unit)].some(v => isSpanWithUnit(nameOf(v, unit)))

/** What a value is rounded to, in milliseconds: `Round(24 * time.Hour)` swallows any delay. */
const roundedTo = (value: Value, unit: Unit, folding: Folding, at = Infinity): number =>
  Math.max(0, ...behindNames(value, unit, at).flatMap(v => {
    const call = v.is === 'call' ? unit.calls[v.call] : undefined
    return call && /[.:](round|truncate)$/i.test(call.name) ? milliseconds(call.args[0], unit, folding, 1) ?? [] : []
  }))

/** Whatever a value is made of, through the names that hold it. */
const behindNames = (value: Value, unit: Unit, at: number, depth = 0): Value[] =>
  [...valuesIn(value, unit)].flatMap(v => {
    const made = v.is === 'name' && depth < 3 ? madeOf(v, unit, at) : v
    return made === v ? [v] : behindNames(made, unit, at, depth + 1)
  })

/** `Date.now() / 1000`, `time.Now().Unix() / 3600`: how many milliseconds are one of what a divided reading counts. */
const countsOf = (value: Value, unit: Unit, folding: Folding, at: number): number =>
  Math.max(0, ...behindNames(value, unit, at).flatMap(v => {
    if (v.is !== 'op' || v.op !== '/' || v.of.length !== 2) return []
    const clock = [...valuesIn(v.of[0]!, unit)].flatMap(x => (x.is === 'call' ? [unit.calls[x.call]!] : [])).find(c =>
      has(c, 'clock', 'mono') || /\.Unix(Milli)?$/.test(c.name)
    )
    const by = fold(v.of[1], unit, folding),
      each = clock && MILLIS.test(clock.name) ? 1 : clock && SECONDS.test(clock.name) ? 1000 : undefined
    return each !== undefined && typeof by === 'number' ? [by * each] : []
  }))

/** Only a machine that stands still misses it: rounded to hours or days, or a bound that counts them. */
export const isLoose = ({ operands, span }: Assertion, unit: Unit, { folding }: { readonly folding: Folding }): boolean =>
  operands.some((o, i) => {
    const bound = fold(operands[1 - i], unit, folding)
    return roundedTo(o, unit, folding, span.start) >= LOOSE_MS
      || (typeof bound === 'number' && bound * countsOf(o, unit, folding, span.start) >= LOOSE_MS)
  })
const LOOSE_MS = 10_000
const MILLIS = /(^|[.:])(Date\.now|performance\.now|getTime|currentTimeMillis|UnixMilli)$/,
  SECONDS = /(^|[.:])(Unix|time\.time|time\.monotonic)$/

/** Helpers of the file that bound the time since an instant they are given; who calls them bounds it. */
export function boundingHelpers(facts: Pick<FileFacts, 'units'>, flows: Flows): Set<number> {
  const found = new Set<number>()
  for (const unit of facts.units)
    if (unit.role.is === 'helper' && unit.params.length > 1
      && unit.assertions.some(a => !polls(unit, a.in) && isSinceParameter(a, unit, flows))) found.add(unit.id)
  return found
}

/** This call comes to the helper's bound: it does not switch it off, as `check(order, limit, false)` does where that asks `if (late)`. */
export function comesToBound(call: Call, helper: Unit, flows: Flows): boolean {
  const params = helper.params.filter(p => p !== 'self' && p !== 'cls')
  const given = (v: Value | undefined): unknown => {
    const told = v?.is === 'name' && params.includes(v.path) ? call.named[v.path] ?? call.args[params.indexOf(v.path)] : undefined
    return told?.is === 'literal' ? told.value : undefined
  }
  return helper.assertions.some(a =>
    !polls(helper, a.in) && isSinceParameter(a, helper, flows)
    && ![...around(helper, a.in)].some(r => (r.kind === 'if' || r.kind === 'else') && given(r.condition) === (r.kind === 'else'))
  )
}

/** It is given what the helper asks for; one of the same name that takes more is another one. */
export function fits(call: Call, helper: Unit): boolean {
  const params = helper.params.filter(p => p !== 'self' && p !== 'cls'), given = call.args.length + Object.keys(call.named).length
  return given <= params.length && given >= params.length - helper.writes.filter(w => w.adds && params.includes(w.target)).length
}

/**
 * Helpers of the file that say whether two times they are given are close: `return b.After(a) && b.Before(a.Add(10 * time.Millisecond))`.
 */
export function judgingHelpers(facts: Pick<FileFacts, 'units'>): Set<number> {
  return new Set(
    facts.units.filter(u => u.role.is === 'helper' && u.params.length > 1 && u.returns.some(r => isJudgement(r, u))).map(u => u.id),
  )
}

function isJudgement(value: Value, unit: Unit): boolean {
  if (value.is === 'group' && value.of.length === 1) return isJudgement(value.of[0]!, unit)
  if (value.is === 'op' && value.op === 'and') return value.of.some(part => isJudgement(part, unit))
  const given = (v: Value | null | undefined) => v?.is === 'name' && unit.params.includes(v.path)
  if (value.is !== 'op' || !/^<=?$/.test(value.op)) return false
  const [later, limit] = value.of
  return (given(later) && limit?.is === 'op' && limit.op === '+' && limit.of.some(given))
    || isApart(madeOf(later!, unit, Infinity), unit, given)
}

/** `b.Sub(a)`, `abs(b - a)`. */
function isApart(value: Value, unit: Unit, given: (v: Value | null | undefined) => boolean): boolean {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  if (call && /(^|[.:])abs$/i.test(call.name) && call.args[0]) return isApart(madeOf(call.args[0], unit, Infinity), unit, given)
  return call !== undefined && /[.:](Sub|duration_since|between)$/.test(call.name)
    && [call.receiver, ...call.args].filter(given).length === 2
}

/** Whether two times are close is asked of a helper, and one of them is read here. */
export function asksHelper({ operands: [asked], compare, span }: Assertion, unit: Unit, judging: ReadonlySet<number>,
  flows: Flows): boolean
{
  const call = compare === 'truth' && asked?.is === 'call' ? unit.calls[asked.call] : undefined
  return call?.target !== undefined && judging.has(call.target)
    && call.args.some(a => flows.ingredients(unit, a, span.start).origins.some(o => isInstant(o) && !o.opaque))
}

/** It bounds the time since a parameter from above by another parameter; «at least» does not mind a busy machine. */
function isSinceParameter(assertion: Assertion, unit: Unit, flows: Flows): boolean {
  if (!/^(<|<=|>|>=)$/.test(assertion.compare)) return false
  const sides = assertion.operands.map(o => flows.ingredients(unit, o, assertion.span.start))
  const params = new Set(unit.params)
  const upper = (side: number) => (side === 0 ? /^<=?$/ : /^>=?$/).test(assertion.compare)
  return sides.some((side, i) =>
    upper(i) && side.origins.some(o => o.shape === 'duration')
    && sides.some((other, j) => j !== i && other.unknown.some(n => params.has(n)))
  )
}

/** How long loops that watch the clock go on: `while (now() - start < 600)`. */
export function* clockLoops(unit: Unit, folding: Folding, flows: Flows): Generator<{ readonly span: Span; readonly ms: number }> {
  for (const { kind, condition, span } of unit.regions) {
    if (kind !== 'loop' || condition?.is !== 'op' || !/^[<>]=?$/.test(condition.op)) continue
    const measured = condition.of.findIndex(side =>
      flows.ingredients(unit, side, span.end).origins.some(o => o.shape === 'duration' && !o.opaque)
    )
    const ms = measured === -1 ? undefined : milliseconds(condition.of[1 - measured], unit, folding, folding.durations['timeout='] ?? 1000)
    if (ms !== undefined) yield { span, ms }
  }
}

/** Loops that go on until a measured time is over and then are asked how far they came. */
export function* timedLoops(unit: Unit,
  flows: Flows): Generator<{ readonly region: Region; readonly clock: Call; readonly asked: Assertion }>
{
  for (const [index, region] of unit.regions.entries()) {
    if (region.kind !== 'loop' || region.leaves || region.condition?.is !== 'op' || !/^(<|<=|>|>=)$/.test(region.condition.op)) continue
    const clock = unit.calls.find(c => c.in === index && has(c, 'clock', 'mono', 'elapsed') && isIn(c, region.condition!, unit))
    if (!clock || !flows.ingredients(unit, region.condition, region.span.end).origins.some(o => !o.opaque)) continue
    if (unit.assertions.some(a => isWithin(a.in, index, unit))) continue
    // How often it could look is up to the machine; what it was told to count is not.
    const counted = new Set(unit.writes.filter(w => w.adds && isInSpan(w.span, region.span)).map(w => w.target))
    const after = unit.assertions.filter(a => a.span.start >= region.span.end)
    const asked = after.find(a =>
      a.compare === '>=' && a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'name' && counted.has(v.path)))
    )
      ?? after.find(a => !isActedBetween(region, a, unit))
    if (asked && /^(==|>=)$/.test(asked.compare) && asked.claims === 'presence' && !within(unit, asked.in, 'loop'))
      yield { region, clock, asked }
  }
}

/** What is done after the loop has its own outcome; ending what ran beside it has none. */
const isActedBetween = ({ span }: Region, asked: Assertion, unit: Unit): boolean =>
  unit.calls.some(c => c.span.start >= span.end && c.span.end <= asked.span.start && !ENDS.test(c.name))
const ENDS = /(^|[._:])(stop|close|join|cancel|set|shut_?down|kill|terminate|release|log|debug|info|print\w*)$/i

const isIn = (call: Call, value: Value, unit: Unit): boolean =>
  [...valuesIn(value, unit)].some(v => v.is === 'call' && unit.calls[v.call] === call)

function isWithin(region: number, outer: number, unit: Unit): boolean {
  for (let at = region; at !== 0; at = unit.regions[at]!.in) if (at === outer) return true
  return false
}

/** `time() < start + 5`: two readings with arithmetic between them bound the time between. */
export function deadline(sides: readonly (readonly Origin[])[], assertion: Assertion, unit: Unit): Origin | undefined {
  const [a, b] = sides.map(side => side.find(isInstant))
  if (!a || !b || (a.call === b.call && a.unit === b.unit)) return undefined
  const moved = assertion.operands.some(o =>
    [...valuesIn(madeOf(o, unit, assertion.span.start), unit)].some(v => v.is === 'op' && (v.op === '+' || v.op === '-'))
  )
  return moved ? a : undefined
}

export const isLater = (sides: readonly (readonly Origin[])[]): boolean =>
  (sides[0]?.find(isInstant)?.span.start ?? 0) >= (sides[1]?.find(isInstant)?.span.start ?? 0)

/** `second >= first`, both read off the watch that was started once: the later look shows more. */
export function isLaterLook({ compare, operands: [a, b], span }: Assertion, unit: Unit): boolean {
  const look = (value: Value | undefined) => {
    const write = value?.is === 'name' ? unit.writes.findLast(w => w.target === value.path && w.span.end <= span.start) : undefined
    const call = write?.value.is === 'call' ? unit.calls[write.value.call] : undefined
    return call?.receiver?.is === 'name' && call.args.length === 0 ? { of: call.receiver.path, at: call.span.start } : undefined
  }
  const [left, right] = [look(a), look(b)]
  return left !== undefined && right !== undefined && left.of === right.of && (left.at > right.at ? /^>=?$/ : /^<=?$/).test(compare)
}

/**
 * The clock counts whole seconds, and a wait of two never reads as one; or timers wait by the clock that measures, and none comes early.
 */
export const neverEarly = (facts: Pick<FileFacts, 'units'>, o: Origin): boolean => /^(seconds|steady)$/.test(noteOf(facts, o))

/** A watch that goes by what it was given: `Stopwatch.createStarted(ticker)`. Whoever hands it a clock moves that one by hand. */
export function goesByGiven(facts: Pick<FileFacts, 'units'>, o: Origin, unit: Unit): boolean {
  const path = [facts.units[o.unit]?.calls[o.call]?.receiver].flatMap(r => (r?.is === 'name' ? [r.path] : []))[0]
  const makers = [unit, ...inForce(facts, unit)].flatMap(u =>
    u.writes.flatMap(w => (w.target === path && w.value.is === 'call' ? [[u.calls[w.value.call]!, u] as const] : []))
  )
  const madeBy = (c: Call, of: Unit): string =>
    c.receiver?.is === 'call' ? madeBy(of.calls[c.receiver.call]!, of) : c.receiver?.is === 'name' ? c.receiver.path : ''
  return makers.some(([c, u]) =>
    STAND_IN.test(madeBy(c, u))
    || /stop_?watch|timer|watch/i.test(c.name)
      && [...c.args, ...Object.values(c.named)].some(a => a.is === 'name' && /(ticker|clock|time_?source|time_?provider)$/i.test(a.path))
  )
}

/** `fakeClock.getStopwatchSupplier().get()` */
const STAND_IN = /(fake|mock|manual|virtual)_?(clock|ticker|time)/i

/** Timers wait by the clock that measures. */
export const isSteady = (facts: Pick<FileFacts, 'units'>, o: Origin): boolean => noteOf(facts, o) === 'steady'

const noteOf = (facts: Pick<FileFacts, 'units'>, o: Origin): string =>
  facts.units[o.unit]?.calls[o.call]?.effects.find(e => e.kind === o.kind)?.note ?? ''

/** `elapsed + 5 >= expected` leaves room for the grains. */
export const isWidened = (value: Value | undefined): boolean =>
  value?.is === 'op' && value.op === '+' && value.of.some(v => v.is === 'literal')

/** `delay - 100`, `delay / 2`, `delay * 0.9`: less than the whole is asked for. What is taken off for the rounding of floats is no room. */
export const isEased = (bound: Value | undefined): boolean =>
  bound?.is === 'op' && ((bound.op === '-' && !bound.of.some(v =>
    v.is === 'literal' && typeof v.value === 'number' && v.value < 1e-3
  )) || bound.op === '/' || (bound.op === '*' && bound.of.some(v => v.is === 'literal' && Number(v.value) < 1))) && bound.of.some(v =>
    v.is === 'name'
  )

/** The very time that something was given, by its name and without slack: what began before the clock was read is shorter by that. */
export const isWhole = (bound: Value | undefined, unit: Unit, told: boolean): boolean =>
  bound !== undefined && !isEased(bound)
  && [...valuesIn(bound, unit)].some(v => v.is === 'name' && (told || NAMED_TIME.test(v.path)) && !v.path.startsWith('time.'))

/**
 * Every duration that the unit hands to something: a bound well below one of them has slack. What a server answers with `Retry-After`
 * counts seconds.
 */
export const waitsIn = (unit: Unit, folding: Folding): readonly number[] => waitsBy(folding)(unit)
const waitsBy = rememberedOf((folding: Folding) => rememberedOf((unit: Unit) => workedOutWaits(unit, folding)))

const workedOutWaits = (unit: Unit, folding: Folding): number[] =>
  unit.calls.filter(c => !unit.assertions.some(a => a.span.start === c.span.start && a.span.end === c.span.end)).flatMap(c => [
    ...c.effects.flatMap(e => e.ms ?? []),
    ...c.args.flatMap((a, i) => withUnit(a, c.args[i + 1], unit, folding) ?? timesOf(a, unit, folding)),
    ...Object.entries(c.named).flatMap((
      [key, a],
    ) => (/^retry-?after$/i.test(key) ? milliseconds(a, unit, folding, 1000) ?? [] : timesOf(a, unit, folding))),
  ])

/** How far a bound lies above the longest time that the test gives to something: so long may a machine stand still. */
export const roomAbove = (bound: number, unit: Unit, folding: Folding): number =>
  bound - Math.max(0, ...waitsIn(unit, folding).filter(ms => ms < bound))

/** `wait + pause + 3 * time.Second`: what is added to names that are not known. */
export const addedRoom = (bound: Value | undefined, unit: Unit, folding: Folding): number =>
  bound?.is === 'op' && bound.op === '+'
    ? Math.max(0, ...bound.of.map(v => (v.is === 'name' ? 0 : boundOf(v, unit, folding) ?? addedRoom(v, unit, folding))))
    : 0

/** `schedule(task, 10, TimeUnit.SECONDS)`. */
function withUnit(value: Value, counts: Value | undefined, unit: Unit, folding: Folding): number | undefined {
  const each = counts?.is === 'name' ? UNITS[/(?:^|\.)([A-Z]+)$/.exec(counts.path)?.[1] ?? ''] : undefined,
    n = each === undefined ? undefined : fold(value, unit, folding)
  return each !== undefined && typeof n === 'number' ? n * each : undefined
}
const UNITS: Readonly<Record<string, number>> = { MILLISECONDS: 1, SECONDS: 1000, MINUTES: 60_000 }

/** A small bare number may count what bounds count: `Throttle(interval=0.05)`. */
function timesOf(value: Value, unit: Unit, folding: Folding): number[] {
  // `connect("shop://localhost?retryDelay=15000")`
  const told = valuesIn(value, unit).flatMap(v =>
    v.is === 'literal' && typeof v.value === 'string' && v.value.includes('=')
      ? [...v.value.matchAll(/[?&]\w*(?:delay|timeout|interval|wait|period)\w*=(\d+)/gi)].map(m => Number(m[1]))
      : []
  )
  if (told.length > 0) return told
  const ms = milliseconds(value, unit, folding, 1), each = folding.durations['timeout='] ?? 1000
  return ms === undefined ? [] : each > 1 && ms > 0 && ms < 100 && typeof fold(value, unit, folding) === 'number' ? [ms, ms * each] : [ms]
}

/** Clocks and units that count in whole milliseconds or seconds: what is quick takes none. */
const COARSE =
  /currentTimeMillis$|^Date\.(now|new)$|[.:](toMillis|toSeconds|getSeconds|Milliseconds|as_millis|as_secs|num_milliseconds|num_seconds)$/

/** `took > 0`, where the clock may not have gone on between the two looks and nothing in the test waits. */
export function isMoreThanNone(measured: Origin, asked: Value | undefined, unit: Unit, at: number): boolean {
  if (measured.unit !== unit.id || asked === undefined) return false
  const begun = Math.min(measured.span.start, ...measured.steps.map(s => s.span.start))
  const waits = (c: Call): boolean =>
    has(c, 'sleep', 'sync', 'sync-timed', 'wait-until', 'wait-event', 'network', 'start', 'yield') || /sleep|wait|delay|pause/i.test(c.name)
  if (unit.calls.some(c => c.span.start < at && waits(c))) return false
  const behind = [asked,
    ...unit.writes.filter(w => w.span.start >= begun && w.span.end <= at && measured.steps.some(s => s.span.start === w.span.start)).map(
      w => w.value,
    )]
  return behind.some(value =>
    [...valuesIn(value, unit)].some(v => {
      const call = v.is === 'call' ? unit.calls[v.call] : undefined
      return call !== undefined && (COARSE.test(call.name) || (/[.]elapsed$/.test(call.name) && call.args.some(a =>
        a.is === 'name' && /(MILLI)?SECONDS$/.test(a.path) && !/MICRO|NANO/.test(a.path)
      )))
    })
  )
}

/** What a machine's pause takes is not within the slack. */
export function isClose({ tolerance, operands }: Assertion, unit: Unit, folding: Folding, roomy: number): boolean {
  const slack = milliseconds(tolerance ?? operands[2], unit, folding, 1)
  return slack === undefined ? !isEndless(operands[2]) : slack < roomy
}

/** `isBetween(150, Long.MAX_VALUE)` has one end. */
const isEndless = (value: Value | undefined): boolean => value?.is === 'name' && /MAX(_\w+)?$|Infinity$/.test(value.path)

/** Held from below, too, and by not much less: what must take between 900 and 1,000 ms is timed, whatever it is called. */
export const isHemmedIn = (value: Value, upper: number, unit: Unit, folding: Folding): boolean =>
  nameOf(value, unit) !== '' && unit.assertions.some(a =>
    comparisonsOf(a, unit).some(({ compare, operands: [left, right] }) => {
      const [held, lower] = /^>=?$/.test(compare) ? [left, right] : /^<=?$/.test(compare) ? [right, left] : []
      return held !== undefined && nameOf(held, unit) === nameOf(value, unit)
        && (boundOf(lower, unit, folding, held) ?? 0) * HEMMED >= upper
    })
  )
const HEMMED = 2.5

/** A helper bounds by what its caller thinks right. */
export const isUpToCaller = (value: Value | undefined, unit: Unit): boolean =>
  unit.role.is === 'helper' && value !== undefined && [...valuesIn(value, unit)].some(v => v.is === 'name' && unit.params.includes(v.path))

/** In milliseconds. A small bare number counts what is beside it, else what the language's timeouts count, seconds in most. */
export function boundOf(value: Value | undefined, unit: Unit, folding: Folding, beside?: Value): number | undefined {
  const n = milliseconds(value, unit, folding, 1) ?? convertedOf(value, unit, folding)
  const counts = beside && typeof fold(value, unit, folding) === 'number' ? countedIn(madeOf(beside, unit, Infinity), unit) : undefined
  if (n !== undefined && counts !== undefined) return n * counts
  if (beside
    && [...valuesIn(beside, unit)].some(v =>
      (v.is === 'call' ? /[.:_](as_?millis|to_?millis|milliseconds|\w+_ms)$/i : /(^ms|_ms|Ms|_?millis)$/).test(
        v.is === 'call' ? unit.calls[v.call]!.name : v.is === 'name' ? v.path : '',
      )
    )) return n
  return n !== undefined && n > 0 && n < 100 && typeof fold(value, unit, folding) === 'number'
    ? n * (folding.durations['timeout='] ?? 1000)
    : n
}

/** `took.as_micros()`: what the number beside it counts, in milliseconds. */
function countedIn(value: Value, unit: Unit): number | undefined {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  return call && call.args.length === 0 ? COUNTS[/(?:::|^\?\.)(as_\w+|(?:sub|num|whole)_\w+)$/.exec(call.name)?.[1] ?? ''] : undefined
}
const COUNTS: Readonly<Record<string, number>> = {
  as_nanos: 1e-6,
  as_micros: 1e-3,
  as_millis: 1,
  as_millis_f64: 1,
  as_millis_f32: 1,
  as_secs: 1000,
  as_secs_f64: 1000,
  as_secs_f32: 1000,
  as_seconds_f64: 1000,
  as_seconds_f32: 1000,
  subsec_nanos: 1e-6,
  subsec_micros: 1e-3,
  subsec_millis: 1,
  num_nanoseconds: 1e-6,
  num_microseconds: 1e-3,
  num_milliseconds: 1,
  num_seconds: 1000,
  num_minutes: 60_000,
  num_hours: 3_600_000,
  whole_nanoseconds: 1e-6,
  whole_microseconds: 1e-3,
  whole_milliseconds: 1,
  whole_seconds: 1000,
  whole_minutes: 60_000,
}

/** `(25 * time.Millisecond).Seconds()`. */
function convertedOf(value: Value | undefined, unit: Unit, folding: Folding): number | undefined {
  const call = value?.is === 'call' ? unit.calls[value.call] : undefined
  const of = call?.receiver && call.args.length === 0 ? fold(call.receiver, unit, folding) : undefined
  return typeof of === 'object' ? of.ms : undefined
}

/** `meta.age < Duration::from_secs(1)`: that the bound is a time makes the other one. */
export function namedSpanBound({ compare, operands, span }: Assertion, unit: Unit,
  { flows, folding }: { readonly flows: Flows; readonly folding: Folding }): number | undefined
{
  const side = operands.slice(0, 2).findIndex(o => isNamedSpan(o, unit) && flows.ingredients(unit, o, span.start).origins.length === 0)
  const bound = side === -1 ? undefined : fold(operands[1 - side], unit, folding)
  return typeof bound === 'object' && (side === 0 ? /^<=?$/ : /^>=?$/).test(compare) ? bound.ms : undefined
}
