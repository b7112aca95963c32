// Delays that a test sets up elsewhere: in a thread, a task, a timer, a handler. They make one thing happen after another.

import type { Assertion, Call, FileFacts, Span, Unit } from '../../facts/facts.ts'
import { milliseconds, type Folding } from '../../facts/fold.ts'
import { argumentOf, around, closureOf, effectOf, has, isCalledElsewhere, polls, runsIn, testOf } from '../../facts/query.ts'
import { looksAfter } from './sleeps.ts'

export interface Delay {
  /** The unit in which it is to be reported, and where. */
  readonly unit: Unit
  readonly span: Span
  readonly ms: number | undefined
  /** The call of that unit which sets it up. */
  readonly call: Call
  /** What delays, and its unit: the call itself, or the sleep of a helper that it tells how long. */
  readonly by: Call
  readonly home: Unit
}

export function* delaysOf(file: Pick<FileFacts, 'units' | 'kind'>, unit: Unit, folding: Folding): Generator<Delay> {
  const elsewhere = isCalledElsewhere(file, unit)
  for (const [index, call] of unit.calls.entries()) {
    const timer = call.effects.find(e => e.kind === 'spawn' && e.note === 'timer')
    const isSet = timer && (timer.ms ?? 1) >= 1 && argumentOf(call, timer) !== undefined && !isPlayed(call) && !playsClock(file, unit)
    if (isSet && !polls(unit, call.in) && !comesAgain(unit, call) && acts(unit, index))
      yield { unit, span: call.span, ms: timer.ms, call, by: call, home: unit }
    const sleep = effectOf(call, 'sleep')
    if (!sleep || (sleep.ms !== undefined && sleep.ms < 1) || polls(unit, call.in)
      || (!elsewhere && (runsIn(unit, call.in) === 'inline' || looksAfter(unit, call))) || !isFollowed(unit, call)) continue
    const given = argumentOf(call, sleep)
    const param = sleep.ms === undefined && given?.is === 'name' ? unit.params.indexOf(given.path) : -1
    if (param < 0) yield { unit, span: call.span, ms: sleep.ms, call, by: call, home: unit }
    // A helper that is told how long to wait is reported where it is told.
    else for (const caller of file.units)
        for (const c of caller.calls)
          if (c.target === unit.id)
            yield { unit: caller, span: c.span,
              ms: milliseconds(c.named[unit.params[param]!] ?? c.args[param], caller, folding, sleep.unitMs ?? 1), call: c, by: call,
              home: unit }
  }
}

/** A scheduler that the test moves by hand, by its name. */
const isPlayed = ({ receiver }: Call): boolean => receiver?.is === 'name' && /mock|fake|manual|virtual|determin|stub/i.test(receiver.path)

/** The test around has made one: `reactor = FakeReactor()`. */
const playsClock = ({ units }: Pick<FileFacts, 'units'>, unit: Unit): boolean =>
  [unit, unit.parent === null ? undefined : units[unit.parent]]
    .some(u =>
      u?.calls.some(c => /(Fake|Mock|Stub|Manual|Virtual)\w*(Reactor|Clock|Scheduler|Timer|Loop)(\.new)?$|(^|\.)task\.Clock$/.test(c.name))
    )

/** Timers of one event loop fire in the order of their times, however late; in JavaScript those that are set in one go. */
export const onOneLoop = (a: Delay, b: Delay): boolean =>
  [a, b].every(d => /(^|\.)call_?later$/i.test(d.by.name))
  || (a.unit === b.unit && a.call.in === b.call.in && [a, b].every(d => /^(global\.|window\.)?setTimeout$/.test(d.by.name)))

/** In each round of a loop it sets the pace; which of two paces is first nobody asks. */
function isPace({ unit, call }: Delay): boolean {
  for (const { kind } of around(unit, call.in)) if (kind === 'loop' || kind === 'closure') return kind === 'loop'
  return false
}

/**
 * They come one after the other: one is begun by the other, or between the two the test has looked or waited for something. Or one of
 * them comes again and again.
 */
export function areApart(a: Delay, b: Delay): boolean {
  if (isPace(a) || isPace(b)) return true
  if (a.unit !== b.unit) return false
  const { unit } = a
  const isIn = (region: number, outer: number) => outer > 0 && isWithin(unit, region, outer)
  if (isIn(a.call.in, closureOf(unit, b.call)) || isIn(b.call.in, closureOf(unit, a.call))) return true
  if (a.call.in !== b.call.in) return false
  const [first, last] = a.span.start < b.span.start ? [a, b] : [b, a]
  const between = ({ span, in: region }: { span: Span; in: number }) =>
    span.start >= first.span.end && span.end <= last.span.start && runsIn(unit, region) === 'inline'
  return unit.assertions.some(between)
    || unit.calls.some(c => between(c) && (c.result === 'awaited' || has(c, 'sync', 'sync-timed', 'wait-until', 'sleep')))
}

/** A timer after which the test looks: what its closure asserts, there or in what it begins. */
export function looksIn({ unit, call, by }: Delay): boolean {
  const own = closureOf(unit, call)
  return own > 0 && !has(by, 'sleep')
    && unit.assertions.some(a => isWithin(unit, a.in, own) && a.compare !== 'throws' && a.claims !== 'absence' && tells(unit, a))
}

const ENDS = /(^|[.:_])(cancel|close|stop|kill|abort|end|shutdown|destroy|disconnect|terminate|interrupt)\w*$/i

/** After the delay something is ended, or looked at: what was to come before that has this long. */
export function cutsShort({ unit, call }: Delay): boolean {
  const own = closureOf(unit, call), closure = [...around(unit, call.in)].find(r => r.kind === 'closure' || r.kind === 'background')
  const region = own > 0 ? own : closure ? unit.regions.indexOf(closure) : 0
  const after = (x: { readonly span: Span; readonly in: number }) =>
    x.span.start > call.span.start && region > 0 && isWithin(unit, x.in, region)
  return unit.calls.some(c => after(c) && ENDS.test(c.name)) || unit.assertions.some(after)
    || (own < 0 && call.args.some(a => a.is === 'name' && ENDS.test(a.path)))
}

/** `function look() { …; setTimeout(look, 50) }`, `setTimeout(retry, 50)`: whoever comes again until it has found something is a poll. */
const AGAIN = /^(retry|poll|again|try_?again)/i
function comesAgain(unit: Unit, call: Call): boolean {
  const own = closureOf(unit, call)
  return call.args.some(a => a.is === 'name' && (a.path === unit.name || AGAIN.test(a.path)))
    || (own > 0 && unit.calls.some(c => (c.target === unit.id || c.name === unit.name) && isWithin(unit, c.in, own)))
}

/** Bound or served for as long as the test goes on: `app.Listen(address)`, `server.serve_forever()`. */
const SERVES = /[.:](listen(_?and_?serve(_?tls)?|_?tls)?|serve(_?tls|_?forever)?|accept)$/i

/** A thread waits, and only then does the test begin to listen: that it does so in time is up to the machine. */
export function precedesListening({ unit, call }: Delay): boolean {
  const thread = [...around(unit, call.in)].findLast(r =>
    r.kind === 'background' || (r.kind === 'closure' && r.call !== undefined && has(unit.calls[r.call]!, 'spawn'))
  )
  return thread !== undefined
    && unit.calls.some(c =>
      c.span.start > thread.span.end && runsIn(unit, c.in) === 'inline' && (has(c, 'bind-port') || SERVES.test(c.name)) && !has(c, 'stub')
    )
}

/** In a function that somebody else calls when it is time for it: a handler, a stub, a listener. */
export const isInHandler = ({ unit, call }: Delay): boolean =>
  [...around(unit, call.in)].some(r =>
    r.kind === 'closure' && r.call !== undefined && !has(unit.calls[r.call]!, 'spawn', 'promise', 'inline') && unit.calls[r.call] !== call
  )

/** That what was done went well is asserted everywhere. */
const tells = (unit: Unit, { operands }: Assertion): boolean =>
  operands.length > 0
  && !operands.some(o =>
    (o.is === 'name' && /(^|\.)e?rr(or)?\d*$/i.test(o.path))
    || (operands.length === 1 && o.is === 'call' && unit.calls[o.call]!.effects.length === 0
      && /\.[A-Z]\w*$/.test(unit.calls[o.call]!.name))
  )

/** The timer's closure does something, or it is given a function to call. */
function acts(unit: Unit, timer: number): boolean {
  const own = unit.regions.findIndex(r => r.kind === 'closure' && r.call === timer)
  if (own < 0) return unit.calls[timer]!.args.some(a => a.is === 'name')
  return unit.calls.some(c => !has(c, 'log') && isWithin(unit, c.in, own))
}

/** Something comes after the sleep in the same thread, task or handler. */
function isFollowed(unit: Unit, sleep: Call): boolean {
  const closure = [...around(unit, sleep.in)].find(r => r.kind === 'closure' || r.kind === 'background')
  const region = closure ? unit.regions.indexOf(closure) : 0
  return unit.calls.some(c => c.span.start >= sleep.span.end && !has(c, 'log', 'sleep') && isWithin(unit, c.in, region))
}

function isWithin(unit: Unit, region: number, outer: number): boolean {
  for (let at = region; at !== outer; at = unit.regions[at]!.in) if (at === 0) return false
  return true
}

/** The units that belong to one test: itself and what stands in it. */
export function familyOf(file: Pick<FileFacts, 'units'>, unit: Unit): readonly Unit[] {
  const test = testOf(file, unit)
  return test ? file.units.filter(u => testOf(file, u) === test) : [unit]
}
