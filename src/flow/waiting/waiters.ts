// Limits that only a name tells: a wait of the project's own that is given a time, a timer that fails, a time handed to
// what the test makes.

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { effectOf, has } from '../../facts/query.ts'
import { rememberedByName, rememberedOf } from '../../facts/remembered.ts'
import { snake } from '../flow.ts'

/** It ends when something came, or when the time is over. */
const WAITER =
  /^(await|wait|block|take|recv|receive|next|poll|get|result|acquire|lock|try_lock|join|drain|collect|consume|read)(_[a-z\d_]*)?$|^expect_(msg|message|event|next|signal|response|reply|recv)|(^|_)(within|or_fail|or_timeout|with_timeout)$/
/** Waits for a time, for as long as nothing comes, or between two looks. */
const NOT_FOR_ONE =
  /never|no_?thing|not_|_no_|silen|interval|delay|every|duration|sleep|ticks?$|backoff|offset|elapsed|step|option|fixed|random|exponential|(?<!with_)time_?out$/
/** Methods that wait and count in seconds: `event.wait(0.2)`, `future.result(.5)`. */
const IN_SECONDS = /[.](wait|poll|result|get|acquire|join|expect\w*|select|recv\w*|wait_\w+)$/
/** Waits until all is sent and fails where it is not by then; whoever closes or stops says so only by what it gives. */
const FLUSHES = /^(flush|drain|quiesce)(_(all|now|buffers?|queue|events|messages|time_?out|with_time_?out))?$/,
  CLOSES = /^(close|stop|shut_?down|terminate)(_(gracefully|now|and_wait))?$/
/** `withTimeout(work(), 50)`. */
const LIMITED = /(^|_)(with_timeout|promise_timeout|timeout|timeout_after|time_limit|within)$/

const lastOf = rememberedByName(name => snake(/\w+$/.exec(name)?.[0] ?? '').toLowerCase())

/** What a wait is given that nothing here knows but by its name, in milliseconds. */
export function namedWait(call: Call, unit: Unit, folding: Folding): number | undefined {
  // Most calls are given no time; to part the words of all names would cost more than the rest of the rule.
  if (call.args.length === 0) return undefined
  if (call.effects.some(e => e.kind !== 'promise' && e.kind !== 'log') || goesByClock(call, unit)) return undefined
  const name = lastOf(call.name)
  const ended = call.args.length === 1 && call.receiver !== null && !isSpawned(call, unit)
    && (call.result === 'discarded'
      ? /^flush/.test(name) && FLUSHES.test(name) && throwsLate(call, unit)
      : FLUSHES.test(name) || CLOSES.test(name))
  if (ended) return timesIn(call, unit, folding)[0]
  if (NOT_FOR_ONE.test(name) || isLeftAlone(call, unit)) return undefined
  const last = call.args.at(-1)
  if (IN_SECONDS.test(call.name) && folding.durations['timeout='] === 1000 && last?.is === 'literal' && typeof last.value === 'number'
    && last.value > 0 && last.value < 1) return last.value * 1000
  // Sockets and pollers count in milliseconds; so many seconds nobody polls.
  if (/[.]poll$/.test(call.name) && folding.durations['timeout='] === 1000 && call.args.length === 1 && last?.is === 'literal'
    && Number.isInteger(last.value) && Number(last.value) >= 20) return Number(last.value)
  const given = timesIn(call, unit, folding)
  if (WAITER.test(name) && given.length === 1) return given[0]
  const [of, ms] = call.args
  return LIMITED.test(name) && call.args.length <= 3 && folding.durations['timeout='] === 1 && of && of.is !== 'literal'
      && ms?.is === 'literal' && typeof ms.value === 'number' && ms.value >= 5
    ? ms.value
    : undefined
}

/** Nobody asks a method for what it gives, or it is handed on to run beside the test. */
const isLeftAlone = (call: Call, unit: Unit): boolean =>
  (call.result === 'discarded' && call.receiver !== null && !/(within|orFail|or_fail)$/i.test(call.name))
  || isSpawned(call, unit)
const isSpawned = (call: Call, unit: Unit): boolean => spawnedIn(unit).has(call)
const spawnedIn = rememberedOf((unit: Unit): ReadonlySet<Call> =>
  new Set(unit.calls.flatMap(c => (has(c, 'spawn') ? c.args.flatMap(a => (a.is === 'call' ? [unit.calls[a.call]!] : [])) : [])))
)

/** `connection.flush(Duration.ofMillis(500))`: in Java the end of the time is thrown; elsewhere who drops what it gives does not mind. */
const throwsLate = ({ args: [time] }: Call, unit: Unit): boolean =>
  time?.is === 'call' && /^java\.time\.Duration\./.test(unit.calls[time.call]!.name)

/** `RateLimiter.create(5, stopwatch)`: who was given a clock waits by that one. */
export const goesByClock = ({ receiver }: Call, unit: Unit): boolean =>
  receiver?.is === 'name'
  && unit.writes.some(w =>
    w.target === receiver.path && w.value.is === 'call' && unit.calls[w.value.call]!.args.some(a =>
      a.is === 'name' && /(ticker|clock|stop_?watch|time_?source|time_?provider)$/i.test(a.path)
    )
  )

/** `SECONDS` alone is a unit, not a time. */
export const isUnit = (value: Value, folding: Folding): boolean =>
  value.is === 'name' && Object.hasOwn(folding.durations, value.path) && /[A-Z]{2}S$/.test(value.path)

/** Times that are told with their unit. */
const timesIn = (call: Call, unit: Unit, folding: Folding): number[] =>
  call.args.flatMap((arg, i) => {
    const told = fold(optional(arg), unit, folding), next = call.args[i + 1]
    if (isUnit(arg, folding)) return []
    if (typeof told === 'object') return [told.ms]
    const worth = next?.is === 'name' && Object.hasOwn(folding.durations, next.path) ? folding.durations[next.path] : undefined
    return typeof told === 'number' && worth !== undefined ? [told * worth] : []
  })

/** `Some(limit)` in a language of options. */
const optional = (value: Value): Value => (value.is === 'group' && value.of.length === 1 ? value.of[0]! : value)

/** `Timer(1.0, self.fail)`: when it fires the test has failed. */
export function failingTimer(call: Call): number | undefined {
  const timer = effectOf(call, 'spawn')
  return timer?.note === 'timer'
      && call.args.some(a =>
        a.is === 'name' && /(^|[._])(fail(_?test)?|abort|time_?out|timed_?out|interrupt_main|on_?time_?out)$/i.test(a.path)
      )
    ? timer.ms
    : undefined
}

const MAKER = /(^|[.:])(new|start|spawn|with)(_[a-z\d_]*)?$/
/** A time of another name than a limit's is for something else; who is handed the test is a helper of it. */
const LIMITS = /time_?out|ttl(?!e(?!x)|ing|y)|limit|lease|deadline|expir/i
/** What is paced, counted or shown by a time is not late by it. */
const PACED =
  /tick|timer|interval|poll|backoff|retr(y|ies)|delay|sleep|throttl|debounc|limiter|rate|window|histogram|bucket|clock|duration|time_?(out|span|range|series|unit|stamp)|mock|fake|stub|span|event|record|sample|stat|metric|point|entry|option|request|response|message|context|data|schedul|period|jitter|latency|slow|wait|result|info|proxy|link|simul|chaos/

const makerOf = rememberedByName(name => snake(name.replace(/^.*\//, '')).toLowerCase())

/** Some milliseconds that are handed to what the test makes: mostly for how long it waits, or how long something in it lives. */
export function handedToMaker(call: Call, unit: Unit, folding: Folding): number | undefined {
  if (call.result !== 'used' || call.args.length === 0) return undefined
  const made = makerOf(call.name)
  if (has(call, 'sleep', 'spawn', 'timeout', 'sync-timed', 'wait-until', 'stub', 'fake-clock') || !MAKER.test(made) || PACED.test(made))
    return undefined
  // Who is given a clock goes by that one.
  if (call.args.some(a =>
    a.is === 'name'
    && (a.path === 't' || /(ticker|clock|time_?source|time_?provider|scheduler)$/i.test(a.path)
      || (typeof fold(a, unit, folding) === 'object' && !isUnit(a, folding) && !LIMITS.test(a.path)))
  )) return undefined
  const given = timesIn(call, unit, folding),
    kept = unit.writes.find(w => w.value.is === 'call' && unit.calls[w.value.call] === call)?.target
  return given.length === 1 && kept !== undefined && !paces(kept, given[0]!, unit, folding) ? given[0] : undefined
}

/** It is asked to wait or to let pass, or its time is what must at least have gone by: an interval, and no limit. */
const paces = (kept: string, ms: number, unit: Unit, folding: Folding): boolean =>
  unit.calls.some(c =>
    c.receiver?.is === 'name' && c.receiver.path === kept && /(^|[.:])(wait|allow|throttle|tick|debounce|reserve|pace)$/i.test(c.name)
  )
  || unit.assertions.some(({ compare, operands: [a, b] }) => {
    const least = fold(compare === '>' || compare === '>=' ? b : compare === '<' || compare === '<=' ? a : undefined, unit, folding)
    return typeof least === 'object' && least.ms <= ms && least.ms > ms / 2
  })
