// Whether a limit must be kept for the test to pass, as far as one can see.

import type { Assertion, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { around, frozenClock, has, polls, runsIn, testOf, valuesIn } from '../../facts/query.ts'
import { snake } from '../flow.ts'
import { isNeverWaitedFor } from '../threads/background.ts'
import { guardsNothing, guardWins, isPlayed, isShrugged, isSwallowed, wantsItToPass, type Limit } from './limits.ts'

/** What a loaded machine still gives within a moment, and what it gives within a second. */
const MOMENT_MS = 50, SECOND_MS = 1000

/** So little may be over before what must come first. */
const RACED_MS = 500

/**
 * Time that runs out in a test of time, beside steps that must come before it is over; where nothing but its end is looked at, it has
 * nothing to race with.
 */
export const isRaced = (limit: Limit, unit: Unit, aboutTime: boolean): boolean =>
  limit.ms <= RACED_MS && /^(option|limit|budget|handed)$/.test(limit.is)
  && (aboutTime
    ? !wantsItToPass(unit, limit) && (limit.is !== 'limit' || unit.calls.some(c => c.span.end <= limit.span.start))
    : limit.is === 'budget' && isSwallowed(unit, limit.in))

/** A cluster or a database starts programs of its own on the way: a few seconds are short. */
export const isOfServer = ({ ms, call }: Limit): boolean =>
  ms <= 5000 && /^(kubectl|oc) (wait|rollout status)$|^pg_ctl$|^os::cmd::try_until_/.test(call?.name ?? '')

/** Success is needed within it, as far as one can see. */
export function isBinding(limit: Limit, unit: Unit, aboutTime: boolean): boolean {
  // A guard fails the test, and a loop that looks again is followed by an assertion: both want it to be in time. Where the race must come
  // to nothing, the guard is to win.
  if (limit.is === 'guard')
    return !isPlayed(limit, unit) && !guardWins(limit, unit) && !guardsNothing(limit, unit)
      && !(limit.call && isNeverWaitedFor(unit, limit.call))
      && (!isShrugged(limit, unit) || isCounted(limit, unit))
      && !unit.assertions.some(a =>
        a.claims === 'absence' && (a.compare === 'truth' || isNull(a)) && a.span.start <= limit.span.start && a.span.end >= limit.span.end
      )
  if (limit.is === 'asked' || (limit.is === 'handed' && limit.ms <= MOMENT_MS)) return true
  if (limit.is === 'rounds' || limit.is === 'deadline') return !aboutTime && !(limit.call !== undefined && wantsItToPass(unit, limit))
  return (!aboutTime || isClaimed(limit, unit)) && !isThere(limit, unit) && !isUnread(limit, unit) && !polls(unit, limit.in)
    && (runsIn(unit, limit.in) !== 'spawn' || limit.is === 'limit' && limit.sure) && !wantsItToPass(unit, limit)
}

/** `expect(race).resolves.toBeUndefined()`. */
const isNull = ({ compare, operands }: Assertion): boolean =>
  compare === '==' && operands[1]?.is === 'literal' && operands[1].value === null

/**
 * `require.Eventually(…)`, `assertTrue(latch.await(…))`, `ts.await(…).assertValues(…)`: whatever the test is about, this must come in time.
 */
function isClaimed({ is, in: region, span, call }: Limit, unit: Unit): boolean {
  if (is !== 'budget' && !(is === 'limit' && call !== undefined && has(call, 'sync-timed'))) return false
  const wants = (a: Assertion) => a.claims === 'presence' && (is === 'budget' ? a.compare !== 'throws' : a.compare === 'truth')
  return unit.assertions.some(a => a.in === region && wants(a) && a.span.start <= span.start && a.span.end >= span.end)
}

/** The test itself has given the future its result: `price.complete(5)` before `price.get(5, MILLISECONDS)`. */
const COMPLETES = /[.:](complete(Exceptionally|_exceptionally)?|onComplete|onError|set_?(result|exception))$/i
const isOnTheWay = (region: number, to: number, unit: Unit): boolean =>
  region === 0 || region === to || [...around(unit, to)].includes(unit.regions[region]!)

/** `checkPending(t, sub, 3)` has waited for what `sub.Next(limit)` then takes, and so has `while (latch.getCount() > 0)`. */
function isThere({ call }: Limit, unit: Unit): boolean {
  const one = call?.receiver?.is === 'name' ? call.receiver.path : undefined
  const isOne = (v: Value | null): boolean => v?.is === 'name' && v.path === one
  return call !== undefined && one !== undefined
    && (unit.calls.some(c =>
      c.span.end <= call.span.start && /(^|[.:_])(check|wait|await)\w*(Pending|Ready|For|Until|Received|Msgs|Messages)/i.test(c.name)
      && c.args.some(isOne)
    )
      || unit.calls.some(c =>
        c.span.end <= call.span.start && COMPLETES.test(c.name) && isOne(c.receiver) && isOnTheWay(c.in, call.in, unit)
      )
      || unit.regions.some(r =>
        r.kind === 'loop' && r.condition !== undefined && r.span.end <= call.span.start
        && [...valuesIn(r.condition, unit)].some(v => isOne(v) || (v.is === 'call' && isOne(unit.calls[v.call]!.receiver)))
      ))
}

/** `poll.poll(&mut events, limit)`, and nobody looks into `events`: an empty list will do. */
function isUnread({ is, call }: Limit, unit: Unit): boolean {
  const filled = is === 'budget' && /(^|[.:])poll$/.test(call?.name ?? '') ? call!.args[0] : undefined
  if (filled?.is !== 'name') return false
  const reads = (v: Value | null) => v !== null && [...valuesIn(v, unit)].some(x => x.is === 'name' && x.path === filled.path)
  const after = ({ span }: { readonly span: { readonly start: number } }) => span.start >= call!.span.end
  return !unit.calls.some(c => after(c) && [c.receiver, ...c.args].some(reads))
    && !unit.assertions.some(a => after(a) && a.operands.some(reads))
    && !unit.regions.some(r => r.condition !== undefined && reads(r.condition)) && !unit.writes.some(w => after(w) && reads(w.value))
}

/** Nobody asks who won, but what must have come by then is asserted. */
const isCounted = ({ ms, span, in: region }: Limit, unit: Unit): boolean =>
  ms <= SECOND_MS
  && unit.assertions.some(a => a.span.start >= span.end && a.in === region && a.claims === 'presence' && /^(==|contains)$/.test(a.compare))

/** Code that is given a clock of the test's own counts its limits by that one. */
export const handsClock = (unit: Unit): boolean =>
  unit.calls.some(c =>
    has(c, 'fake-clock')
    || /(^|[.:])(New)?(Mock|Fake|Manual|Virtual|Simulated)(Time|Timer|Clock|Ticker|Scheduler)(\.new|::new)?$/.test(c.name)
  )

/**
 * Who takes what is kept under a name waits by the real clock; a wait that is only slept is a pause. Nobody in sight may be somebody
 * elsewhere.
 */
export function inRealTime(facts: FileFacts, name: string): boolean {
  const names = (v: Value | null | undefined, unit: Unit): boolean =>
    v !== null && v !== undefined && [...valuesIn(v, unit)].some(x => x.is === 'name' && (x.path === name || x.path.endsWith(`.${name}`)))
  const taken = facts.units.flatMap(unit => [
    ...unit.calls.filter(c => [c.receiver, ...c.args, ...Object.values(c.named)].some(v => names(v, unit))).map(c => ({ unit,
      at: c.span.start, sleeps: /wait/i.test(name) && has(c, 'sleep') })
    ),
    ...unit.writes.filter(w => names(w.value, unit)).map(w => ({ unit, at: w.span.start, sleeps: false })),
    ...unit.assertions.filter(a => a.operands.some(o => names(o, unit))).map(a => ({ unit, at: a.span.start, sleeps: false })),
  ])
  return taken.length === 0
    || taken.some(({ unit, at, sleeps }) =>
      !sleeps && !frozenClock(facts, unit, at) && !handsClock(testOf(facts, unit) ?? unit) && !handsClock(unit)
    )
}

/** `deadlineNotExceeded` wants the opposite. */
const IN_TIME =
  /(^|[_ ])(not|never|no|without|before|within|doesn_?t|does_?not)[_ ](\w*[_ ])?(time_?d?_?out|deadline|expire)|(deadline|time_?out)_?(is_?)?not/i
const ABOUT_TIME =
  /time_?d?_?out|timeout|timelimit|deadline|expir|ttl(?!e(?!x)|ing|y)|slow|cancel|abort|latency|delay|hangs|hung|stall|unresponsive/i

/** A test of timeouts wants its limit to pass. */
export const expectsTimeout = (facts: FileFacts, unit: Unit): boolean => {
  const name = snake(testOf(facts, unit)?.name ?? unit.name)
  return ABOUT_TIME.test(name) && !IN_TIME.test(name)
}

/** `verify(observer, timeout(100))` where everybody runs on the thread of the test: it has happened before anybody looks. */
export const isDoneAtOnce = ({ call }: Limit, { units }: Pick<FileFacts, 'units'>): boolean =>
  call?.name === 'org.mockito.Mockito.timeout'
  && units.some(u => u.calls.some(c => /(^|[.])(directExecutor|newDirectExecutorService|sameThreadExecutor)$/.test(c.name)))
