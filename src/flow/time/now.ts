// Readings of the clock that go into what a test expects, told by where they stand: under the name of an expected value, beside
// another reading, or a moment before a limit. Where the way into the assertion is seen, the rule has told it already.

import { UNKNOWN, type Assertion, type Call, type FileFacts, type Span, type Unit, type Value, type Write } from '../../facts/facts.ts'
import { milliseconds, type Folding } from '../../facts/fold.ts'
import { effectOf, has, looksLikePoll, polls, valuesIn } from '../../facts/query.ts'
import { ANSWERS } from '../answers.ts'
import { asserts } from '../claims/expected.ts'
import { isHandedOn, isInstant, type Flows, type Origin } from '../flow.ts'

export interface View {
  readonly facts: FileFacts
  readonly flows: Flows
  readonly folding: Folding
  readonly textOf: (span: Span) => string
}

export interface Now {
  readonly is: 'expected' | 'apart' | 'soon' | 'held' | 'word' | 'shown' | 'margin' | 'bounded'
  readonly span: Span
  readonly clock: Call
}

/** What an expected value is called: a variable, a field, a key, a parameter. */
export const EXPECTED = /(^|[._])(expect(ed)?|want(ed)?)(?![a-z])\w*$|[a-z]Expected$/
/** The same before a reading, with whatever stands between its name and the reading. */
const GIVEN = /(?:^|[\s({,[.$])((?:expected|expect|wanted|want)(?![a-z])\w*)['"]?\s*(?::=|=>|:|=(?!=))\s*[^,;{}]*$/
const EXACT = new Set(['==', '!=', 'contains', 'matches', 'other', 'truth', 'snapshot'])

/** Readings that stand for what is expected, in a test that compares exactly. */
export function* expectedNow(unit: Unit, view: View): Generator<Now> {
  if (!asserts(view.facts, unit)) return
  for (const write of unit.writes) {
    if (!EXPECTED.test(write.target) || !isComparedExactly(unit, write.target, view) || isMoved(unit, write.target)
      || isSetWhole(unit, write.value) || isDeadline(unit, write.target) || comesBack(unit, write) || isAnswered(unit, write.target))
      continue
    const clock = view.flows.ingredients(unit, write.value, write.span.start).origins.find(o =>
      isReading(o) && o.unit === unit.id && o.steps.length < 2
    )
    if (clock && !isElsewhere(unit, clock, write)) yield { is: 'expected', span: write.span, clock: unit.calls[clock.call]! }
  }
  for (const call of unit.calls) {
    if (!has(call, 'clock') || has(call, 'fake-clock')) continue
    const before = view.textOf({ start: Math.max(0, call.span.start - 100), end: call.span.start })
    const name = GIVEN.exec(before.slice(before.lastIndexOf('\n') + 1))?.[1]
    if (name && isComparedExactly(unit, name, view) && !isMoved(unit, name) && !isDeadline(unit, name)
      && !unit.writes.some(w => w.target === name && (isSetWhole(unit, w.value) || comesBack(unit, w) || isAnswered(unit, name))))
      yield { is: 'expected', span: call.span, clock: call }
  }
  for (const row of unit.calls) {
    if (!row.name.endsWith('{}')) continue
    for (const [name, value] of Object.entries(row.named)) {
      const clock = EXPECTED.test(name)
        ? view.flows.ingredients(unit, value, row.span.end).origins.find(o => isReading(o) && o.unit === unit.id && o.steps.length === 0)
        : undefined
      if (clock && isComparedExactly(unit, name, view) && !isDeadline(unit, name))
        yield { is: 'expected', span: clock.span, clock: unit.calls[clock.call]! }
    }
  }
}

/** `parse(format(expected))` beside `expected`: what is compared with it is made of it. */
const comesBack = (unit: Unit, { target }: Write): boolean => {
  const isOf = (v: Value, name: string) => v.is === 'name' && v.path === name
  const made = unit.writes.filter(w =>
    w.target !== target
    && [...valuesIn(w.value, unit)].some(v => isOf(v, target) || (v.is === 'call' && isOf(unit.calls[v.call]!.receiver ?? UNKNOWN, target)))
  ).map(w => w.target)
  const holding = unit.assertions.filter(a => a.operands.some(o => names(unit, o, target)))
  return holding.length > 0
    && holding.every(a =>
      a.compare === '==' && a.operands.length === 2
      && a.operands.some(o => !names(unit, o, target) && made.some(name => names(unit, o, name)))
    )
}

/** A stand-in answers with it, or with what was made of it: the code under test is given what is expected. */
function isAnswered(unit: Unit, target: string): boolean {
  const made = [target, ...unit.writes.filter(w => w.target !== target && names(unit, w.value, target)).map(w => w.target)]
  return unit.calls.some(c => ANSWERS.test(c.name) && c.args.some(a => made.some(name => names(unit, a, name))))
}

/** A calendar whose year is set is another day's. */
export const isMoved = (unit: Unit, target: string): boolean =>
  unit.calls.some(c => /Calendar\.(set|clear|setTime\w*)$/.test(c.name) && c.receiver?.is === 'name' && c.receiver.path === target)

/** `property(order, 'total', 5)`: a property of what was given a time is no time. */
export const isOther = ({ operands: [, key, is], operands }: Assertion): boolean =>
  operands.length === 3 && key?.is === 'literal' && typeof key.value === 'string' && is?.is === 'literal'

/** A helper that sets its calendar to what it was given tells nothing of today. */
export const isSetInside = (helper: Unit | undefined): boolean =>
  helper?.calls.some(c => /Calendar\.(set|clear|setTime\w*)$/.test(c.name)) ?? false

/** The names of the calls that a value is a chain of, the last first. */
export function chainOf(unit: Unit, value: Value): string[] {
  const names: string[] = []
  for (let at: Value | null = value; at?.is === 'call' && names.length < 12; at = unit.calls[at.call]!.receiver)
    names.push(unit.calls[at.call]!.name)
  return names
}

/** `new DateTime().withDate(2017, 5, 22).withTime(0, 0, 0, 0)`: nothing is left of the time of the run. */
export function isSetWhole(unit: Unit, whole: Value): boolean {
  const chain = chainOf(unit, whole.is === 'name' ? unit.writes.findLast(w => w.target === whole.path)?.value ?? whole : whole)
  return chain.some(n => /[.]withDate$/.test(n)) && chain.some(n => /[.]with(Time|TimeAtStartOfDay|MillisOfDay)$/.test(n))
}

const names = (unit: Unit, value: Value, name: string): boolean => [...valuesIn(value, unit)].some(v => v.is === 'name' && v.path === name)

/** A loop or a condition looks at it: it says how long the test waits. */
export const isDeadline = (unit: Unit, name: string): boolean =>
  unit.regions.some(r => r.condition !== undefined && names(unit, r.condition, name)) || unit.writes.some(w => isRest(unit, w.value, name))

/** `end - now()`: how much of it is left. */
const isRest = (unit: Unit, value: Value, name: string): boolean =>
  value.is === 'op' && value.op === '-' && value.of[0]?.is === 'name' && value.of[0].path === name
  && value.of[1]?.is === 'call' && has(unit.calls[value.of[1].call]!, 'clock', 'mono')

const isReading = (o: Origin): boolean => o.kind === 'clock' && (o.shape === 'plain' || o.shape === 'text') && !o.opaque

/** The reading also goes to the code under test, which may give it back; but not cut off. */
const isElsewhere = (unit: Unit, clock: Origin, write: Write): boolean =>
  clock.steps.length > 0 && !(write.value.is === 'call' && /(^|[.:])(Format|strftime|format)$/.test(unit.calls[write.value.call]!.name))
  && isHandedOn(unit, clock, write.span)

/** Not only held between wide bounds: those are the cure. Where no assertion of the unit names it, a table or helper compares it. */
export function isComparedExactly(unit: Unit, name: string, { folding }: View): boolean {
  const isTight = (o: Value): boolean =>
    o.is === 'op' && o.op === '+' && o.of.some(p => (milliseconds(p, unit, folding, 1e9) ?? Infinity) < 1000)
  const holding = unit.assertions.filter(a =>
    a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'name' && (v.path === name || v.path.endsWith(`.${name}`))))
  )
  return holding.length === 0
    ? !unit.assertions.some(a => a.compare === 'near')
    : holding.some(a => EXACT.has(a.compare) || (/^[<>]=?$/.test(a.compare) && a.operands.some(isTight)))
}

/** `verify(ledger).book(order, paid)`: what the code must have handed on is a reading that was kept, and that it was never given. */
export function* demanded(unit: Unit, { flows }: View): Generator<Now> {
  if (!unit.calls.some(c => has(c, 'clock'))) return
  for (const call of unit.calls) {
    const claim = call.name.startsWith('mock.')
      ? unit.assertions.find(a => a.span.start <= call.span.start && a.span.end >= call.span.end)
      : undefined
    const clock = claim
      && call.args.flatMap(a => flows.ingredients(unit, a, call.span.start).origins).find(o =>
        isReading(o) && isInstant(o) && o.unit === unit.id && o.steps.length > 0 && !isHandedOn(unit, o, claim.span)
      )
    if (clock) yield { is: 'expected', span: call.span, clock: unit.calls[clock.call]! }
  }
}

/** They cut a reading off at a second, a minute or a day. */
const CUTS =
  /(^|[.:])(int|Unix|Format|strftime|date|toEpochSecond|getEpochSecond|truncatedTo|Truncate|Round|startOf|format|isoformat|as_secs|timestamp|floor|Math\.(floor|round|trunc))$/

/** Two readings right after one another, each cut off: between them the second may end. */
export function* readApart(unit: Unit, view: View): Generator<Now> {
  if (unit.role.is !== 'test' || !asserts(view.facts, unit)) return
  let last: { readonly end: number } | undefined
  for (const write of [...unit.writes].sort((a, b) => a.span.start - b.span.start)) {
    const fresh =
      [...valuesIn(write.value, unit)].flatMap(v => (v.is === 'call' && has(unit.calls[v.call]!, 'clock') ? [unit.calls[v.call]!] : []))[0]
    const isCut = fresh && [...valuesIn(write.value, unit)].some(v => v.is === 'call' && CUTS.test(unit.calls[v.call]!.name))
    if (!fresh || !isCut || has(fresh, 'fake-clock') || !isExpected(unit, write.target)) continue
    const start = last?.end
    if (start !== undefined && !unit.calls.some(c => c.span.start >= start && c.span.end <= write.span.start))
      yield { is: 'apart', span: write.span, clock: fresh }
    last = { end: write.span.end }
  }
}

/** What is expected is made of it, here or in a table. */
const isExpected = (unit: Unit, name: string): boolean =>
  unit.assertions.some(a => a.operands.some(o => names(unit, o, name))) || unit.calls.some(c =>
    Object.entries(c.named).some(([key, v]) => EXPECTED.test(key) && names(unit, v, name))
  )
  || unit.writes.some(w => EXPECTED.test(w.target) && names(unit, w.value, name))

const EXPIRES = /expir|(^|[._])exp(_?(time|at|date))?$|not_?after|valid_?(until|to)$|ttl(?!e(?!x)|ing|y)/i
const SOON = 2000

/** A limit that is a moment away: what is done before it must be done by then. */
export function* soonOver(unit: Unit, view: View): Generator<Now> {
  if (!asserts(view.facts, unit)) return
  const given: [string, Value, Span, number][] = [
    ...unit.writes.map((w): [string, Value, Span, number] => [w.target, w.value, w.span, w.in]),
    ...unit.calls.flatMap(c => Object.entries(c.named).map(([name, value]): [string, Value, Span, number] => [name, value, c.span, c.in])),
    ...unit.calls.filter(c => c.args.length === 1).map((c): [string, Value, Span, number] => [c.name, c.args[0]!, c.span, c.in]),
  ]
  for (const [name, value, span, region] of given) {
    if (!EXPIRES.test(name) || polls(unit, region) || isDeadline(unit, name)) continue
    const clock = view.flows.ingredients(unit, value, span.start).origins.find(o =>
      o.kind === 'clock' && isInstant(o) && !o.opaque && o.unit === unit.id && o.steps.length === 0
    )
    const ahead = clock && soonIn(unit, value, unit.calls[clock.call]!, view)
    if (clock && ahead !== undefined && !isSleptOver(unit, ahead, span, view.textOf))
      yield { is: 'soon', span, clock: unit.calls[clock.call]! }
  }
}

const MOVES = /(^|[.:])(Add|plus\w*|add|checked_add)$/

/** The test sleeps for longer than that before anything is asserted, or waits until it is over by its name: it is meant to be. */
function isSleptOver(unit: Unit, ahead: number, { end }: Span, textOf: View['textOf']): boolean {
  const next = unit.assertions.find(a => a.span.start >= end)
  return next !== undefined
    && (/expired/i.test(textOf(next.span))
        && unit.calls.some(c => c.span.start >= next.span.start && c.span.end <= next.span.end && looksLikePoll(c))
      || unit.calls.some(c =>
        c.span.start >= end && c.span.end <= next.span.start && c.in === next.in
        && (effectOf(c, 'sleep')?.ms ?? 0) > ahead
        && !unit.calls.some(o => o.span.start >= end && o.span.end <= c.span.start && TAKES_BACK.test(o.name))
      ))
}

/** `offer.clearExpiry()`, `lease.renew()`: then it must not be over before that. */
const TAKES_BACK = /(^|[.:_])(clear|renew|extend|refresh|persist|touch|cancel|reset|keep_?alive)\w*$/i

/** `now + 1 s`, written as a sum or as a call: how many milliseconds lie between. */
function soonIn(unit: Unit, value: Value, clock: Call, { folding }: View): number | undefined {
  // A number is what the clock counts in, unless it was divided.
  const scale = /illis$|^Date\.(now|new)$/.test(clock.name) && ![...valuesIn(value, unit)].some(v => v.is === 'op' && v.op === '/')
    ? 1
    : 1000
  const short = (v: Value | undefined, scale: number): number[] => {
    const ms = milliseconds(v, unit, folding, scale)
    return ms !== undefined && ms > 0 && ms <= SOON ? [ms] : []
  }
  return [...valuesIn(value, unit)].flatMap(v => {
    if (v.is === 'op' && v.op === '+') return short(v.of[1], scale)
    const call = v.is === 'call' ? unit.calls[v.call] : undefined
    return call !== undefined && MOVES.test(call.name)
      ? short(call.args[0], /Seconds$/.test(call.name) ? 1000 : /Millis$/.test(call.name) ? 1 : 1e9)
      : []
  })[0]
}

/**
 * `now + 4 s < planned < now + 6 s`, `now - changed > 1 s`: a moment of the code's own, held against the time of the run give or take a
 * little.
 */
export function* bounded(unit: Unit, { facts, flows, folding }: View): Generator<Now> {
  for (const { compare, operands, span } of unit.assertions) {
    if (!/^[<>]=?$/.test(compare) || operands.length !== 2) continue
    const clocks = operands.map(o => flows.ingredients(unit, o, span.start).origins.find(x => x.kind === 'clock' && !x.opaque))
    const at = clocks.findIndex(c => c !== undefined), clock = clocks[at]
    // A literal beside it makes it a measured time, and so does a clock on both sides.
    if (!clock || clocks[1 - at] || clock.shape !== 'plain' || clock.unit !== unit.id || operands[1 - at]!.is === 'literal'
      || isHandedOn(unit, clock, span)) continue
    const atLeast = (at === 1) === compare.startsWith('>'), since = sinceNow(operands[at]!, unit, flows, span)
    // `paid - now >= ttl` asks of the payment what `paid >= now + ttl` does.
    if (isBracketed(unit, since ?? operands[1 - at]!, clock, since ? !atLeast : atLeast)
      || (!since && atLeast && isWideBack(unit, operands[at]!, facts.language, folding))) continue
    if ([...valuesIn(operands[at]!, unit)].some(v =>
      (v.is === 'op' && /^[-+]$/.test(v.op) && v.of.length === 2) || (v.is === 'call' && SHIFTS.test(unit.calls[v.call]!.name))
    )) yield { is: 'bounded', span, clock: unit.calls[clock.call]! }
  }
}

/** `d.getTime() - now`, `t1.Sub(now)`: the moment that a reading is taken from. */
function sinceNow(value: Value, unit: Unit, flows: Flows, { start }: Span): Value | undefined {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const [moment, now] = value.is === 'op' && value.op === '-'
    ? value.of
    : call && /[.](Sub|minus)$/.test(call.name)
    ? [call.receiver, call.args[0]]
    : []
  const isNow = (v: Value) => flows.ingredients(unit, v, start).origins.some(o => isInstant(o) && !o.opaque)
  return moment && now && isNow(now) && !isNow(moment) ? moment : undefined
}

/** `now - 1 s`: a second and more is room enough. */
const isWideBack = (unit: Unit, value: Value, language: string, folding: Folding): boolean =>
  [...valuesIn(value, unit)].some(v => {
    const call = v.is === 'call' && /[.](minus\w*|subtract)$/.test(unit.calls[v.call]!.name) ? unit.calls[v.call] : undefined
    const back = v.is === 'op' && v.op === '-' && v.of.length === 2 ? v.of[1] : call?.args[0]
    return back !== undefined
      && (milliseconds(back, unit, folding,
          call && /Seconds$/.test(call.name) ? 1000 : language === 'java' || language === 'typescript' ? 1 : 1000) ?? 0) >= 1000
  })

/** The name at the root of `order.paidAt`, `order.get().paidAt()`. */
function rootOf(value: Value, unit: Unit): string | undefined {
  if (value.is === 'name') return value.path.split(/[.[]/)[0]
  if (value.is === 'op' && value.of[0] && (value.of.length === 1 || value.op === '[]')) return rootOf(value.of[0], unit)
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  return call?.receiver ? rootOf(call.receiver, unit) : call && call.args.length === 1 ? rootOf(call.args[0]!, unit) : undefined
}

/** At least what was read before it was made, or at most what was read after: later is never wrong. */
function isBracketed(unit: Unit, moment: Value, clock: Origin, atLeast: boolean, depth = 0): boolean {
  const read = clock.span, root = rootOf(moment, unit)
  // What is read in the assertion itself is read after all else.
  if (clock.steps.length === 0 && !atLeast) return true
  const made = unit.writes.findLast(w => w.target === root && w.value.is === 'call')
  // `order.paidAt.getTime()` is as old as the order.
  const from = made?.value.is === 'call' ? unit.calls[made.value.call]! : undefined
  if (from?.receiver?.is === 'name' && from.args.length === 0
    && /(^|[.:])(getTime|valueOf|toMillis|toEpochMilli|timestamp|Unix\w*)$/.test(from.name) && depth < 3)
    return isBracketed(unit, from.receiver, clock, atLeast, depth + 1)
  return made !== undefined && (atLeast ? read.end <= made.span.start : read.start >= made.span.end)
}

const SHIFTS = /(^|[.:])(Add|Sub|plus\w*|minus\w*|add|subtract)$/
