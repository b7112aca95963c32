// Time limits, in whatever form a test gives them: to a call, to the thing under test, by a guard that fails, by the
// budget of a loop that looks again.

import type { Assertion, Call, Region, Span, Unit, Value, Write } from '../../facts/facts.ts'
import { fold, milliseconds, type Folding } from '../../facts/fold.ts'
import { argumentOf, around, closureOf, effectOf, has, looksLikePoll, runsIn, valuesIn, isInSpan } from '../../facts/query.ts'
import { isInstant, type Flows } from '../flow.ts'
import { failingTimer, goesByClock, handedToMaker, isUnit, namedWait } from './waiters.ts'

export interface Limit {
  readonly span: Span
  /** The region it stands in. */
  readonly in: number
  readonly ms: number
  /**
   * `limit` of one call, `guard` that fails the test by itself, `budget` of a poll, `rounds` of a loop that counts,
   * `deadline` of a loop that looks at the clock, `option` of the thing under test, `handed` to it without a name, `asked`
   * where the next assertion is whether it was in time, `named`: kept under a limit's name for whoever takes it.
   */
  readonly is: 'limit' | 'guard' | 'budget' | 'rounds' | 'deadline' | 'option' | 'handed' | 'asked' | 'named'
  /** The API is known, not guessed by its name; a deadline: the loop does not sleep between its looks, as a careful one does. */
  readonly sure: boolean
  /** A poll: what its number counts is guessed. A limit: that it is one, only a name tells. */
  readonly bare?: boolean
  /** A deadline: each round asserts that it is not over. */
  readonly asserted?: boolean
  /** The name that it is kept under. */
  readonly name?: string
  /** The option's name, as it is written. */
  readonly key?: string
  readonly call?: Call
}

/** How long something idle is kept limits nobody's success. */
const KEPT = /keep_?alive|idle|linger/i
const OPTION = /(^|[a-z_.])(time_?out|deadline|stop_after_delay)(_?(in|after))?([._]?(ms|millis|milliseconds|secs?|seconds))?(_?config)?$/i
/** How long something counts as alive or valid: what must come before it is over comes in time or not. */
const LIFE =
  /(^|[a-z_.])(ttl|time_?to_?live|lease(_?(time|duration|ttl))?|expiry|expiration(_?time)?|expire|expires?_?(in|after)(_?(write|access|create))?)(_?(ms|millis|milliseconds|secs?|seconds))?$/i
/** What a test calls its own limits. */
const NAMED =
  /(^|[a-z_.])(time_?out|deadline|(max|short|ack|reply)_?wait(_?time)?|wait_?(time|limit))(_?(in|after))?([._]?(ms|millis|milliseconds|secs?|seconds|duration))?$/i
const isOption = (name: string): boolean => (OPTION.test(name) || LIFE.test(name)) && !KEPT.test(name)
/** Longer than the second nobody's life is short; what is shorter than the first is meant to be over. */
const OVER_MS = 20, SHORT_LIFE_MS = 250
/** `config("defaultCommandTimeout", 100)`, `props.put(SESSION_TIMEOUT_MS_CONFIG, 100)`. */
const SETTER = /(^|[.:_])(put|set\w*|config\w*|options?|with\w*|add\w*|override\w*)$/i
/** One thing is awaited, by a call that nothing here knows. */
const AWAITS = /(^|[.:_])(get|poll|take|await\w*|wait\w*|try_?(acquire|lock)|join|recv\w*|receive\w*|next\w*)$/i
const TIMEOUT_MAKER = /(^|[.:])\w*Timeout(\.new)?$/
/** A poll that wants something to stay as it is passes when its time is over. */
const STAYS = /(never|consistently|continual\w*)f?$/i
/** What a mock is asked or told. */
const VERIFIES = /(^|[.:])(verify|when|doReturn|doThrow|doAnswer|inOrder)$/
/** How often it looks, not for how long. */
const STEP = /(interval|delay|every|PollUntil(ContextCancel)?|Poll(Immediate)?(Until|Infinite)(WithContext)?)$/i
/** A helper of the project's own that is imported. */
const POLL = /(^|[.:_])(poll|wait)_?(for|until)$|eventually$/i
/** Its bare number is for how long it looks. */
const BARE_POLL = /(^|[.:_])(wait_?(for|until)(_?condition)?|eventually|assert_?eventually|poll_?until|await_?(condition|until))$/i
/** Looks again only where it is handed what to look at; else it looks once. */
const CHECK = /(^|[.:_])check/i
/** A time that nothing here tells. */
const SPAN = /(time_?out|interval|wait|delay|deadline|duration|period|ttl(?!e(?!x)|ing|y)|max)\w*$/i
const TELLS_SPAN = /(time_?out|interval|deadline|duration|period|wait_?time)(_?ms)?$/i
const UNTIL = /deadline|time_?out|until|expir|end|limit|stop/i

export function* limitsOf(unit: Unit, folding: Folding, flows: Flows): Generator<Limit> {
  for (const { is, key, name, span } of unit.markers) {
    // JUnit's own annotation counts seconds; what is given to the test counts as the language's timeouts do.
    const seconds = is === 'timeout' && /(^|\.)Timeout$/.test(name)
      ? /^\(?(?:value\s*=\s*)?(\d+)(?:\s*,\s*unit\s*=\s*(?:\w+\.)*SECONDS)?\)?$/.exec(key ?? '')
      : null
    if (seconds) yield { span, in: 0, ms: Number(seconds[1]) * 1000, is: 'option', sure: true }
    const told = is === 'timeout' && !/(^|\.)Timeout$/.test(name) ? /^\(?(?:time_?out\s*[=:]\s*)?([\d_.]+)L?\)?$/i.exec(key ?? '') : null
    const inMillis = is === 'timeout'
      ? /^\(?value\s*=\s*(\d+)\s*,\s*unit\s*=\s*(?:\w+\.)*MILLISECONDS|(?:from_millis|ofMillis)\((\d+)\)|\b(\d+) ?\* ?time\.Millisecond/
        .exec(key ?? '')
      : null
    if (inMillis) yield { span, in: 0, ms: Number(inMillis.slice(1).find(n => n !== undefined)), is: 'option', sure: true }
    for (const [, set = '', count] of is === 'other' ? (key ?? '').matchAll(/(\w+)\s*=\s*(\d[\d_.]*)\b/g) : []) {
      const ms = isOption(set) ? optionMs(set, { is: 'literal', value: Number(count) }, unit, folding) : undefined
      if (ms !== undefined) yield { span, in: 0, ms, is: 'option', sure: false }
    }
    if (told)
      yield { span, in: 0, ms: Number(told[1]!.replaceAll('_', '')) * (/^ntest/.test(name) ? 1 : folding.durations['timeout='] ?? 1000),
        is: 'option', sure: true }
  }
  for (const call of unit.calls) yield* ofCall(call, unit, folding, flows)
  yield* keptIn(unit, folding)
  for (const write of unit.writes) {
    const isDefault = write.adds && unit.role.is === 'helper' && unit.params.includes(write.target) && write.value.is === 'literal'
    const ms = isOption(write.target) && (isDefault || /[.[]/.test(write.target)) && !isComparedWhole(write, unit)
      ? optionMs(write.target, write.value, unit, folding)
      : undefined
    if (ms !== undefined) yield { span: write.span, in: write.in, ms, is: 'option', sure: false }
    yield* ofPairs(write.value, unit, folding, { span: write.span, in: write.in, is: 'option', sure: false })
    const until = UNTIL.test(write.target) ? aheadOf(write.value, unit, folding, flows, write.span.start) : undefined
    const loop = until === undefined ? undefined : watchedBy(write.target, write.span.end, unit)
    if (until !== undefined && loop && canEndEarly(loop, unit) && !isBeside(loop, unit) && !isHandedOut(write.target, unit))
      yield { span: write.span, in: write.in, ms: until, is: 'deadline', sure: !sleepsIn(loop, unit) }
  }
  for (const [index, region] of unit.regions.entries()) if (region.kind === 'loop') yield* ofLoop(region, index, unit, folding, flows)
}

/** `want.Timeout = 444`, and then `want` itself is compared: it is what is expected, and nobody waits by it. */
const isComparedWhole = ({ target, span }: Write, unit: Unit): boolean => {
  const root = target.split(/[.[]/)[0]
  return root !== target
    && unit.assertions.some(a => a.compare === '==' && a.span.start >= span.end && a.operands.some(o => o.is === 'name' && o.path === root))
}

/** What Hypothesis gives each example unless it is told otherwise. */
const DEADLINE_MS = 200

/** `@settings(deadline=50)`: less time for each example than it has by itself. */
export function* exampleLimits(unit: Unit): Generator<Limit> {
  for (const { name, key, span } of unit.markers) {
    const told = name === 'hypothesis.settings'
      ? /\bdeadline\s*=\s*(?:(?:datetime\.)?timedelta\((milli)?seconds\s*=\s*([\d.]+)\)|([\d.]+))/.exec(key ?? '')
      : null
    const ms = told ? Number(told[2] ?? told[3]) * (told[2] !== undefined && told[1] === undefined ? 1000 : 1) : DEADLINE_MS
    if (ms < DEADLINE_MS) yield { span, in: 0, ms, is: 'option', sure: true }
  }
}

/** Limits that are kept under a name. */
export function* keptIn(unit: Unit, folding: Folding): Generator<Limit> {
  for (const { target, value, span, in: region } of unit.writes)
    if ((NAMED.test(target) || isMadeShort(unit, target)) && !/[.[]/.test(target) && hasUnit(target, value, unit, folding))
      yield { span, in: region, ms: setMs(target, value, unit, folding)!, is: 'named', sure: false, name: target }
}

/** `#[cfg(test)] const TIMEOUT_OF_SALES`: what is another constant in tests is a limit wherever its name says so. */
const isMadeShort = ({ name, markers }: Unit, target: string): boolean =>
  target === name && markers.some(m => m.name === 'cfg(test)') && /(^|_)(TIME_?OUT|DEADLINE)(_|$)/.test(target) && !KEPT.test(target)

/** `retry({ minTimeout: 10, maxTimeout: 100 })`: between which bounds the pauses lie. What has a least is no limit. */
const isPause = (key: string, keys: readonly string[]): boolean =>
  /^(min|max)_?time_?out(_?ms)?$/i.test(key) && keys.some(k => /^min_?time_?out(_?ms)?$/i.test(k))

/** `{"health_check_timeout_ms": 10}`, in whatever it is put. */
function* ofPairs(value: Value, unit: Unit, folding: Folding, at: Omit<Limit, 'ms'>): Generator<Limit> {
  const pairs = [...pairsIn(value)], keys = pairs.map(p => p.key)
  for (const { key, held } of pairs) {
    const ms = isOption(key) && !isPause(key, keys) ? optionMs(key, held, unit, folding) : undefined
    if (ms !== undefined) yield { ...at, ms, key }
  }
}

function* pairsIn(value: Value, depth = 0): Generator<{ readonly key: string; readonly held: Value }> {
  if (value.is !== 'group' || depth > 6) return
  const [key, held] = value.of
  if (value.of.length === 2 && key?.is === 'literal' && typeof key.value === 'string' && held) yield { key: key.value, held }
  for (const part of value.of) yield* pairsIn(part, depth + 1)
}

function* ofCall(call: Call, unit: Unit, folding: Folding, flows: Flows): Generator<Limit> {
  // Told nothing, and known to nobody.
  if (call.args.length === 0 && call.effects.length === 0 && Object.keys(call.named).length === 0) return
  let isKnown = false
  for (const limit of ofKnown(call, unit, folding, flows)) (isKnown = true), yield limit
  if (isKnown) return
  const at = { span: call.span, in: call.in, sure: false, call }
  const firing = failingTimer(call)
  if (firing !== undefined) return void (yield { ...at, ms: firing, is: 'guard' })
  const waited = has(call, 'wait-until') || builds(call, unit, VERIFIES) ? undefined : namedWait(call, unit, folding)
  if (waited !== undefined) return void (yield { ...at, ms: waited, is: 'limit', bare: true })
  const handed = handedToMaker(call, unit, folding)
  if (handed !== undefined) yield { ...at, ms: handed, is: 'handed' }
}

/** `mock_io::Builder::new().write(order).wait(pause).read(answer)`: what a stand-in does, one after another. */
const PLAYS_IO = /mock\w*::(\w+::)*Builder::new$|tokio_test::io::Builder::new$/i

function* ofKnown(call: Call, unit: Unit, folding: Folding, flows: Flows): Generator<Limit> {
  const at = { span: call.span, in: call.in, sure: call.resolution !== 'guess' || isAwaiting(call), call }
  const limit = call.effects.find(e => e.kind === 'timeout' || e.kind === 'sync-timed')
  const asked = askedAfter(call, unit, folding)
    ? limit?.ms ?? (call.args.length === 1 ? milliseconds(call.args[0], unit, folding, folding.durations['timeout='] ?? 1000) : undefined)
    : undefined
  if (asked !== undefined) return void (yield { ...at, ms: asked, is: 'asked' })
  // `wait_for(reply, 5)` waits for one thing; with a closure to ask, it looks again.
  const asks = closureOf(unit, call) >= 0
  // Who polls and drops what it gives drives a loop of its own: `selector.poll(timeout_ms=50)`.
  const poll = !has(call, 'sleep') && !/(::|[.])new$/.test(call.name) && !builds(call, unit, PLAYS_IO)
    && !(!asks && call.result === 'discarded' && /[.]poll$/.test(call.name))
    && (has(call, 'wait-until') || (asks && POLL.test(call.name)) || ((asks || (!limit && !CHECK.test(call.name))) && looksLikePoll(call)))
  // What says by its result that the time is over, and nobody listens.
  if (limit?.note === 'told' && call.result === 'discarded') return
  // A thread that is not over by then is left alone.
  if (limit?.kind === 'sync-timed' && call.result === 'discarded' && /[.]Thread\.join$/.test(call.name)) return
  const spent = limit?.ms ?? (limit?.kind === 'sync-timed' ? longest(call, unit, folding) : undefined)
  if (limit && spent !== undefined)
    return void (yield { ...at, ms: spent, is: poll ? 'budget' : limit.note === 'guard' ? 'guard' : 'limit' })
  if (poll && !STAYS.test(call.name) && !STEP.test(call.name) && !isOpen(call, unit, folding)) {
    const ms = effectOf(call, 'wait-until')?.ms ?? longest(call, unit, folding)
    if (ms !== undefined) return void (yield { ...at, ms, is: 'budget' })
    // `waitUntilCondition(isNull, 60, SECONDS)`: the number says what it counts.
    const counted = call.args.length >= 2 ? inUnit(call.args.slice(-2), folding) : undefined
    if (counted !== undefined) return void (yield { ...at, ms: counted, is: 'budget' })
    const each = folding.durations['timeout='] ?? 0
    const bare = asks && BARE_POLL.test(call.name) && each > 0
      ? call.args.map(a => fold(a, unit, folding)).flatMap(n => (typeof n === 'number' && n >= (each === 1 ? 50 : 0.05) ? [n * each] : []))
      : []
    if (bare.length > 0) return void (yield { ...at, ms: Math.max(...bare), is: 'budget', bare: true })
  }
  const inUnits = !limit && !has(call, 'sleep', 'spawn') && !goesByClock(call, unit) && AWAITS.test(call.name) && call.args.length >= 2
      && !builds(call, unit, VERIFIES)
    ? inUnit(call.args.slice(-2), folding)
    : undefined
  if (inUnits !== undefined) return void (yield { ...at, ms: inUnits, is: 'limit', sure: true })
  // What is compared is not set.
  const groups = call.args.filter(a => a.is === 'group')
  if (groups.length > 0 && !unit.assertions.some(a => a.span.start === call.span.start)) {
    for (const arg of groups) yield* ofPairs(arg, unit, folding, { ...at, is: 'option', sure: false })
  }
  const key = call.args.length === 2 && SETTER.test(call.name) && !isUnit(call.args[1]!, folding) ? call.args[0] : undefined
  const told = key?.is === 'literal' ? String(key.value) : key?.is === 'name' ? key.path : ''
  const set = isOption(told) ? optionMs(told, call.args[1], unit, folding) : undefined
  if (set !== undefined) yield { ...at, ms: set, is: 'option', sure: false }
  const all = TIMEOUT_MAKER.test(call.name)
  for (const [key, value] of isTimerFor(call) ? [] : Object.entries(call.named)) {
    const ms = (all || isOption(key)) && !isPause(key, Object.keys(call.named))
      ? optionMs(key, value, unit, folding)
        ?? (/deadline$/i.test(key) ? aheadOf(moment(value, unit, call.span.start), unit, folding, flows, call.span.start) : undefined)
      : undefined
    if (ms !== undefined) yield { ...at, ms, is: poll ? 'budget' : 'option', sure: false, key }
  }
  const name = /[A-Za-z]\w*$/.exec(call.name)?.[0] ?? ''
  const ahead = limit && call.args.map(a => aheadOf(a, unit, folding, flows, call.span.start)).find(ms => ms !== undefined)
  if (ahead !== undefined) yield { ...at, ms: ahead, is: 'option' }
  if (limit || has(call, 'sleep', 'spawn') || call.args.length === 0 || call.args.length > 2 || !isOption(name)
    || !(/^(set|with)/i.test(name) || isChained(call, unit) || isPlain(call, folding))) return
  // A field of a message is a limit for whoever gets it; here nobody waits.
  if (builds(call, unit, /(Data|Request|Response|Message|Record)(\.new)?$/)) return
  const ms = inUnit(call.args, folding) ?? optionMs(name, call.args[0], unit, folding)
    ?? aheadOf(call.args[0]!, unit, folding, flows, call.span.start)
  if (ms !== undefined) yield { ...at, ms, is: 'option', sure: false }
}

/** `add_timeout_callback(callback=tick, timeout_ms=50)`: when it is called, not by when. */
const isTimerFor = ({ name, named }: Call): boolean =>
  /(call_?back|timer|later)$/i.test(name) && Object.keys(named).some(key => /^(call_?back|func(tion)?|fn|handler)$/i.test(key))

/** `future.result(timeout=0.5)`: whoever is told nothing but a limit waits, whatever it is. */
const isAwaiting = ({ name, args, named }: Call): boolean =>
  /^\?[.](result|exception|get|wait|join)$/.test(name) && args.length === 0 && 'timeout' in named

/** `(50, TimeUnit.MILLISECONDS)`. */
function inUnit([count, unit]: readonly Value[], { durations }: Folding): number | undefined {
  const ms = unit?.is === 'name' ? durations[unit.path] : undefined
  return ms !== undefined && count?.is === 'literal' && typeof count.value === 'number' ? count.value * ms : undefined
}

/** A step of a builder: `Client.builder().readTimeout(…).build()`. */
function isChained(call: Call, unit: Unit): boolean {
  const next = (of: Call) => unit.calls.find(c => c.receiver?.is === 'call' && unit.calls[c.receiver.call] === of)
  if (call.receiver?.is !== 'call') return false
  const first = next(call)
  if (first && /(^|[.:])(set\w*|with\w*|\w*timeout)$/i.test(first.name)) return true
  for (let at = first; at; at = next(at)) if (/(^|[.:])(build|create|start|connect|open)(_(with|lazy)\w*)?$/i.test(at.name)) return true
  return false
}

/** `route.batch().timeout(50)`, `t.timeout(100)`: milliseconds by a method that is called nothing else. */
const isPlain = ({ name, receiver, args: [count, ...others] }: Call, { durations }: Folding): boolean =>
  /[.]timeout$/.test(name) && receiver !== null && others.length === 0 && durations['timeout='] === 1 && count?.is === 'literal'
  && typeof count.value === 'number' && count.value >= 5

/** The assertion after it asks whether it was in time: `thread.join(1)` and `isAlive()`, `event.wait(1)` and `isSet()`. */
function askedAfter(call: Call, unit: Unit, folding: Folding): boolean {
  const one = call.receiver?.is === 'name' ? call.receiver.path : undefined
  const given = call.args.filter(a => !isUnit(a, folding)).length + Object.keys(call.named).length
  if (given !== 1 || !isUnused(call, unit)
    || !(/[.:](join|wait|await)$/.test(call.name) || (/[.:]get$/.test(call.name) && isSwallowed(unit, call.in)))) return false
  const tried = unit.regions[call.in]!.kind === 'try' ? unit.regions[call.in]!.in : call.in
  const next = unit.assertions.find(a => a.span.start >= call.span.end && (a.in === call.in || a.in === tried))
  const asks = next?.operands[0]?.is === 'call' ? unit.calls[next.operands[0].call] : undefined
  return asks !== undefined && asks.receiver?.is === 'name' && asks.receiver.path === one
    && (next!.claims === 'absence'
      ? /[.:](is_?alive|is_?running)$/i
      : /[.:](is_?set|is_?done|is_?terminated|is_?finished|is_?completed(exceptionally)?)$/i).test(asks.name)
}

/** Nobody looks at what it gives, waited for or not. */
function isUnused(call: Call, unit: Unit): boolean {
  const looked =
    () => [...unit.writes.map(w => w.value), ...unit.assertions.flatMap(a => a.operands), ...unit.regions.flatMap(r => r.condition ?? [])]
  const isIt = (v: Value) => v.is === 'call' && unit.calls[v.call] === call
  return call.result === 'discarded' || (call.result === 'awaited' && !looked().some(v => [...valuesIn(v, unit)].some(isIt)))
}

/** What the chain of calls begins with: `new RequestData().setAcks(1).setTimeoutMs(10)`. */
function builds(call: Call, unit: Unit, like: RegExp): boolean {
  const { receiver } = call
  return receiver?.is === 'call' ? like.test(unit.calls[receiver.call]!.name) || builds(unit.calls[receiver.call]!, unit, like) : false
}

/**
 * `Eventually(t, sold, 10*shop.Pace(), 200*time.Millisecond)`: what stands in the limit's place is reckoned elsewhere, so all that is known
 * is how often it looks.
 */
function isOpen(call: Call, unit: Unit, folding: Folding): boolean {
  const effect = effectOf(call, 'wait-until'), limit = effect && effect.ms === undefined ? argumentOf(call, effect) : undefined
  return limit !== undefined && /^(call|op|name)$/.test(limit.is) && fold(limit, unit, folding) === undefined
}

/** The longest duration that a poll is given; its step is the shorter one. A single one beside a number is slept that many times. */
function longest(call: Call, unit: Unit, folding: Folding): number | undefined {
  // `retry.RunWith(&retry.Counter{Count: 5, Wait: 10 * time.Millisecond}, …)`
  const parts = (
    a: Value,
  ): Value[] => a.is === 'call' && /\{\}$/.test(unit.calls[a.call]!.name) ? Object.values(unit.calls[a.call]!.named) : [a]
  const args = [...call.args, ...Object.values(call.named)].flatMap(parts).filter(a => !isUnit(a, folding)).map(a => ({ a,
    worth: fold(a, unit, folding) })
  )
  // `checkFor(t, 2*pingInterval, 15*time.Millisecond, …)`: what is known is the step.
  const isSpan = (v: Value): boolean =>
    v.is === 'name' && (SPAN.test(v.path) || unit.writes.some(w => w.target === v.path && typeof fold(w.value, unit, folding) === 'object'))
  // And so it is where the limit is asked of somebody: `waitFor(ready, limits.waitTimeout(), 50*time.Millisecond)`.
  const isAsked = (v: Value): boolean => v.is === 'call' ? TELLS_SPAN.test(unit.calls[v.call]!.name) : v.is === 'op' && v.of.some(isAsked)
  if (args.some(({ a, worth }) => worth === undefined && (isAsked(a) || [...valuesIn(a, unit)].some(isSpan)))) return undefined
  const given = args.flatMap(({ worth }) => (typeof worth === 'object' ? [worth.ms] : spelled(worth) ?? []))
  const tries = given.length === 1 ? args.filter(({ worth }) => typeof worth === 'number' && worth > 1 && worth <= 1000) : []
  return given.length > 0 ? Math.max(...given) * (tries.length === 1 ? Number(tries[0]!.worth) : 1) : undefined
}

/** What an option is worth. A bare number counts what its name says, else what the language's timeouts count. */
function optionMs(name: string, value: Value | undefined, unit: Unit, folding: Folding): number | undefined {
  const ms = setMs(name, value, unit, folding)
  return ms !== undefined && (ms < OVER_MS || ms > SHORT_LIFE_MS) && LIFE.test(name) ? undefined : ms
}

const TELLS_UNIT = /(ms|millis|milliseconds|secs?|seconds)(_?config)?$/i

function setMs(name: string, value: Value | undefined, unit: Unit, folding: Folding): number | undefined {
  const folded = fold(value, unit, folding)
  if (typeof folded === 'object') return folded.ms
  const told = spelled(folded)
  if (told !== undefined) return told
  const unitMs = /(^|_)w_?timeout$|(ms|millis|milliseconds)(_?config)?$/i.test(name)
    ? 1
    : /(secs?|seconds)$/i.test(name)
    ? 1000
    : folding.durations['timeout=']
  // Settings are texts in some places: `setProperty("request.timeout.ms", "50")`. Where no name tells the unit, whoever reads the text does.
  const count = typeof folded === 'string' && /^\d+$/.test(folded) && TELLS_UNIT.test(name) ? Number(folded) : folded
  return typeof count === 'number' && unitMs !== undefined ? count * unitMs : undefined
}

/** What is counted is told, by the value or by the name: a bare `timeout = 10` may be seconds. */
function hasUnit(name: string, value: Value, unit: Unit, folding: Folding): boolean {
  const folded = fold(value, unit, folding)
  return typeof folded === 'object' || spelled(folded) !== undefined
    || (typeof folded === 'number'
      && (/(ms|millis|milliseconds|secs?|seconds)$/i.test(name) || (folding.durations['timeout='] === 1000 && folded < 1)))
}

/** `"100ms"`, `"2s"`. */
function spelled(value: unknown): number | undefined {
  const parts = typeof value === 'string' ? /^([\d.]+) ?(ms|s)$/.exec(value) : null
  return parts ? Number(parts[1]) * (parts[2] === 's' ? 1000 : 1) : undefined
}

/** How far a value lies ahead of the clock: `now() + 5`. */
function aheadOf(value: Value, unit: Unit, folding: Folding, flows: Flows, at: number): number | undefined {
  const isPlus = value.is === 'op' && value.op === '+' && value.of.length === 2
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const [clock, ahead] = isPlus
    ? value.of
    : call && /[.:](add|plus\w*|checked_add)$/i.test(call.name) && call.receiver
    ? [call.receiver, call.args[0]]
    : []
  const readings = clock && ahead
    ? flows.ingredients(unit, clock, at).origins.filter(o => (isInstant(o) || unit.calls[o.call]?.name === '$SECONDS') && !o.opaque)
    : []
  const source = readings[0] && unit.calls[readings[0].call]
  if (readings.length === 0 || /nano/i.test(source?.name ?? '')) return undefined
  const ms = milliseconds(ahead, unit, folding, stepOf(call) ?? folding.durations['timeout='] ?? 1000)
  // Whole seconds of the shell: the first may be over at once.
  return ms !== undefined && source?.name === '$SECONDS' ? ms - 1 : ms
}

/** `now.plusSeconds(3)`, `dayjs().add(3, 'seconds')`: what is added says what it counts. */
function stepOf(call: Call | undefined): number | undefined {
  const told = call?.args[1], name = told?.is === 'literal' ? String(told.value) : /plus(\w+)$/i.exec(call?.name ?? '')?.[1] ?? ''
  return STEPS.find(([like]) => like.test(name))?.[1]
}

const STEPS: readonly (readonly [RegExp, number])[] = [[/^nano/i, 1e-6], [/^micro/i, 1e-3], [/^(milli|ms$)/i, 1], [/^(sec|s$)/i, 1000], [
  /^(min|m$)/i,
  60_000,
], [/^(hour|h$)/i, 3_600_000], [/^(day|d$)/i, 86_400_000]]

/** What a date is made of, and a name stands for: `const deadline = new Date(Date.now() + 50)`. */
function moment(value: Value, unit: Unit, before: number): Value {
  const kept = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path && w.span.end <= before)?.value ?? value : value
  const made = kept.is === 'call' ? unit.calls[kept.call]! : undefined
  return made?.name === 'Date.new' && made.args.length === 1 ? made.args[0]! : kept
}

/** It is told to something else too, which then goes by it. */
const isHandedOut = (name: string, unit: Unit): boolean =>
  unit.calls.some(c =>
    !/[.:](before|after|is_?before|is_?after|sub|until|since|compare_?to|duration_since|min|max)$/i.test(c.name)
    && !has(c, 'sleep', 'log', 'timeout', 'sync-timed', 'elapsed') && c.args.some(a => a.is === 'name' && a.path === name)
    && !unit.assertions.some(a => isInSpan(c.span, a.span) && (c.span.start === a.span.start || c.span.end === a.span.end))
  )

/** A loop that nothing but the clock or its own count ends goes on for a while: it does not wait for anything. */
const canEndEarly = (loop: Region, unit: Unit): boolean =>
  (loop.condition !== undefined && loop.leaves === true)
  || !(loop.condition ? isOwnEnd(loop.condition, loop, unit) : onlyTimeLeaves(loop, unit))

/** The clock is compared, or what each turn adds to. */
function isOwnEnd(value: Value, loop: Region, unit: Unit): boolean {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  if (call) return /[.:](is_?before|before|is_?after|after)$/i.test(call.name)
  if (value.is !== 'op') return false
  if (value.op === 'not' || (value.op === 'and' && value !== loop.condition)) return value.of.every(v => isOwnEnd(v, loop, unit))
  if (value.op === 'and')
    return value.of.every(v =>
      isOwnEnd(v, loop, unit)
      && (v.is !== 'op' || v.op === 'not' || readsClock(v, unit) || v.of.some(o => isCounter(o, unit.regions.indexOf(loop), unit)))
    )
  return /^[<>]=?$/.test(value.op)
}

/**
 * `for (;;) { if (now() - start > limit) return; … }`: no other `if` in it asks for anything but its own count, and nothing fails when the
 * time is over.
 */
function onlyTimeLeaves(loop: Region, unit: Unit): boolean {
  const index = unit.regions.indexOf(loop)
  const inside = unit.regions.filter(r => r !== loop && isInSpan(r.span, loop.span))
  const asks = inside.filter(r => r.kind === 'if')
  const isCount = (v: Value): boolean => v.is === 'literal' || isCounter(v, index, unit) || (v.is === 'op' && v.of.every(isCount))
  const isClock = (r: Region) => r.condition !== undefined && readsClock(r.condition, unit)
  const fails = (r: Region) =>
    unit.calls.some(c => isInSpan(c.span, r.span) && c.in === unit.regions.indexOf(r) && !has(c, 'log'))
    || unit.assertions.some(a => a.in === unit.regions.indexOf(r))
  return asks.some(isClock) && !inside.some(r => /^(try|select|loop)$/.test(r.kind))
    && asks.every(r => (isClock(r) ? !fails(r) : r.condition !== undefined && isCount(r.condition)))
}

/** In a thread of its own nobody waits by it: it goes on doing something for so long, or so often. */
const isBeside = (loop: Region, unit: Unit): boolean => runsIn(unit, loop.in) === 'spawn'

const sleepsIn = (loop: Region, unit: Unit): boolean => unit.calls.some(c => has(c, 'sleep') && isInSpan(c.span, loop.span))

/** The later loop that looks at it. */
function watchedBy(name: string, after: number, unit: Unit): Region | undefined {
  const mentions = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'name' && x.path === name)
  return unit.regions.find(r =>
    r.kind === 'loop' && r.span.start >= after
    && ((r.condition && mentions(r.condition))
      || unit.regions.some(x => x.kind === 'if' && x.condition && isInSpan(x.span, r.span) && mentions(x.condition))
      || unit.calls.some(c => isInSpan(c.span, r.span) && ((c.receiver && mentions(c.receiver)) || c.args.some(mentions))))
  )
}

function* ofLoop(region: Region, index: number, unit: Unit, folding: Folding, flows: Flows): Generator<Limit> {
  if (isBeside(region, unit)) return
  const sleeps = unit.calls.filter(c => has(c, 'sleep') && c.in === index)
  const told = withDefaults(unit, folding), pause = sleeps.length === 1 ? effectOf(sleeps[0]!, 'sleep')! : undefined
  const step = pause && (pause.ms ?? milliseconds(argumentOf(sleeps[0]!, pause), unit, told, pause.unitMs ?? 1))
  const rounds = step !== undefined && (region.leaves || (region.condition?.is === 'op' && /^(and|not)$/.test(region.condition.op)))
    ? roundsOf(region, index, unit, told)
    : undefined
  // The header, not the body: a reader looks for the count.
  const first = Math.min(...unit.calls.filter(c => c.in === index && c.span.start > region.span.start).map(c => c.span.start),
    region.span.end)
  if (rounds !== undefined && rounds > 1)
    yield { span: { start: region.span.start, end: first }, in: region.in, ms: rounds * step!, is: 'rounds', sure: true }
  for (const part of region.condition === undefined && !canEndEarly(region, unit)
      || region.condition?.is === 'op' && region.condition.op === 'and' && !canEndEarly(region, unit)
    ? []
    : clockParts(region, index, unit))
  {
    if (part.is !== 'op' || !/^[<>]=?$/.test(part.op)) continue
    for (const [one, other] of [[part.of[0]!, part.of[1]!], [part.of[1]!, part.of[0]!]] as const) {
      const reading = flows.ingredients(unit, one, region.span.end).origins.find(o => !o.opaque && (o.shape === 'duration' || isInstant(o)))
      const call = reading && unit.calls[reading.call]
      if (!reading || !call || /nano/i.test(call.name)) continue
      const ms = reading.shape === 'duration'
        ? milliseconds(other, unit, folding, countedIn(call, folding) ?? folding.durations['timeout='] ?? 1000)
        : aheadOf(other, unit, folding, flows, region.span.start)
      if (ms !== undefined)
        return void (yield { span: { start: region.span.start, end: Math.max(first, call.span.end) }, in: region.in, ms, is: 'deadline',
          sure: !sleepsIn(region, unit), ...(isAsserted(part, index, unit) && { asserted: true }) })
    }
  }
}

/** `def eventually(asked, tries=20, pause=0.01)`: who is not told otherwise goes by these. */
function withDefaults(unit: Unit, folding: Folding): Folding {
  const given = unit.role.is === 'helper'
    ? unit.writes.filter(w =>
      w.adds && w.value.is === 'literal' && typeof w.value.value === 'number' && unit.params.includes(w.target)
      && !unit.writes.some(x => x !== w && x.target === w.target)
    )
    : []
  if (given.length === 0) return folding
  const constants = new Map([...folding.constants(unit), ...given.map(w => [w.target, fold(w.value, unit, folding)!] as const)])
  return { ...folding, constants: u => (u === unit ? constants : folding.constants(u)) }
}

/** `watch.elapsed(TimeUnit.SECONDS)`. */
const countedIn = ({ args: [unit] }: Call, { durations }: Folding):
  | number
  | undefined => (unit?.is === 'name' ? durations[unit.path] : undefined)

const isAsserted = (part: Value, index: number, unit: Unit): boolean =>
  part.is === 'op' && unit.assertions.some(a => a.in === index && a.operands === part.of)

/** Where a loop may look at the clock: in its header, or under an `if` by which it is left. */
function clockParts({ condition, leaves, span, counted }: Region, index: number, unit: Unit): readonly Value[] {
  const asked = condition?.is === 'op' && (condition.op === 'and' || leaves) ? (condition.op === 'and' ? condition.of : [condition]) : []
  if (counted) return asked
  const under = unit.regions.filter(r => r.kind === 'if' && r.in === index && r.condition !== undefined && isInSpan(r.span, span)).map(r =>
    r.condition!
  )
  const failing = unit.assertions.filter(a => a.in === index && /^<=?$/.test(a.compare) && a.operands.length === 2).map((a): Value => ({
    is: 'op',
    op: a.compare,
    of: a.operands,
  }))
  return [...asked, ...(leaves || failing.length > 0 ? under : []), ...failing]
}

/** `range(20)`, `{1..5}`, `i < 20`, `0..20`. */
export function roundsOf(region: Region, index: number, unit: Unit, folding: Folding): number | undefined {
  const number = (v: Value | undefined) => {
    const n = fold(v, unit, folding)
    return typeof n === 'number' ? n : undefined
  }
  const { condition } = region
  if (condition?.is === 'op' && condition.op === 'and')
    return condition.of.flatMap(
      part => (part.is === 'op' && /^<=?$/.test(part.op) && !readsClock(part, unit) && isCounter(part.of[0]!, index, unit)
        ? number(part.of[1]) ?? []
        : []),
    )[0]
  if (condition?.is === 'op' && /^<=?$/.test(condition.op)) return readsClock(condition, unit) ? undefined : number(condition.of[1])
  const tries = triesOf(region, index, unit, number) ?? countdownOf(region, index, unit, number)
  if (tries !== undefined || !region.counted) return tries
  const limit = number(region.upTo)
  if (limit !== undefined) return limit
  const over = region.upTo
    ?? unit.writes.find(w =>
      w.declares && w.span.start >= region.span.start && w.span.end <= region.span.end && (w.in === index || w.in === region.in)
    )?.value
  // `for i in 1 2 3`.
  if (over?.is === 'group' && over.of.length > 1 && over.of.every(v => v.is === 'literal' && typeof v.value === 'number'))
    return over.of.length
  for (const v of over ? valuesIn(over, unit) : []) {
    const braces = v.is === 'literal' && typeof v.value === 'string' ? /^\{(\d+)\.\.(\d+)\}$/.exec(v.value) : null
    if (braces) return Number(braces[2]) - Number(braces[1]) + 1
    if (v.is === 'call' && /^(range|seq|std::ops::Range)$/.test(unit.calls[v.call]!.name)) {
      const ends = unit.calls[v.call]!.args.map(number)
      // `seq 10 -1 1`.
      if (ends.length === 3 && unit.calls[v.call]!.name === 'seq')
        return ends.every(e => e)
          ? Math.floor(Math.abs((ends[2]! - ends[0]!) / ends[1]!)) + 1
          : undefined
      return ends.length === 1 ? ends[0] : ends[0] !== undefined && ends[1] !== undefined ? ends[1] - ends[0] : undefined
    }
    if (v.is === 'op' && /^\.\.=?$/.test(v.op)) {
      const from = number(v.of[0]), to = number(v.of[1])
      return from !== undefined && to !== undefined ? to - from : undefined
    }
  }
  return undefined
}

/** `if (++tries > 20) fail()`, `until ready || tries >= 10`. */
function triesOf({ condition, span }: Region, index: number, unit: Unit, number: (v: Value | undefined) => number | undefined):
  | number
  | undefined
{
  const not = condition?.is === 'op' && condition.op === 'not' ? condition.of[0] : undefined
  const asked = [...(not?.is === 'op' && not.op === 'or' ? not.of : []),
    ...unit.regions.flatMap(r => (r.kind === 'if' && r.in === index && isInSpan(r.span, span) && r.condition ? [r.condition] : []))]
  return asked.flatMap(v => (v.is === 'op' && /^(>|>=|==)$/.test(v.op) && isCounter(v.of[0]!, index, unit) ? number(v.of[1]) ?? [] : []))[0]
}

/** `tries=10; while ! ready; do (( tries-- > 0 )) || fail; …`: it begins with a number and ends with none. */
function countdownOf({ condition, span }: Region, index: number, unit: Unit, number: (v: Value | undefined) => number | undefined):
  | number
  | undefined
{
  const parts = (v: Value): readonly Value[] => (v.is === 'op' && /^(not|and|or)$/.test(v.op) ? v.of.flatMap(parts) : [v])
  const asked = [...(condition ? parts(condition) : []),
    ...unit.regions.flatMap(r => (r.kind === 'if' && r.in === index && isInSpan(r.span, span) && r.condition ? parts(r.condition) : []))]
  for (const v of asked) {
    const left = v.is === 'op' && /^(==|!=|[<>]=?)$/.test(v.op) && [0, 1].includes(number(v.of[1]) ?? -1) ? v.of[0] : undefined
    const start = left?.is === 'name' && (isCounter(left, index, unit) || unit.writes.some(w =>
        w.target === left.path && w.in === index && isStep(w.value, left.path, '-')
      ))
      ? unit.writes.findLast(w =>
        w.target === left.path && !w.adds && w.span.end <= span.start
      )
      : undefined
    const from = start && number(start.value)
    if (from !== undefined && from > 1) return from
  }
  return undefined
}

/** Each turn adds to it. */
const isCounter = (value: Value, index: number, unit: Unit): boolean =>
  value.is === 'name' && unit.writes.some(w => w.target === value.path && w.in === index && (w.adds || isStep(w.value, value.path, '+')))

/** `i=$((i + 1))`. */
const isStep = (value: Value, name: string, op: string): boolean =>
  value.is === 'op' && value.op === op && value.of[0]?.is === 'name' && value.of[0].path === name && value.of[1]?.is === 'literal'
  && value.of[1].value === 1

/** `while start.elapsed() < 10` counts time, not rounds. */
const readsClock = (value: Value, unit: Unit): boolean =>
  [...valuesIn(value, unit)].some(v => v.is === 'call' && has(unit.calls[v.call]!, 'clock', 'mono', 'elapsed'))

/** The test wants a limit to pass: it catches, expects a failure, or asserts that nothing came. */
export function wantsItToPass(unit: Unit, { span, in: region, call, is, ms }: Pick<Limit, 'span' | 'in' | 'call' | 'is' | 'ms'>): boolean {
  if ((is === 'option' || is === 'handed') && isAskedAsData(unit, span, ms)) return true
  // Who is told what to do instead is to be late.
  if (call && Object.keys(call.named).some(key => /^(fallback|onTimeout|defaultTo|timeout_value)$/.test(key))) return true
  if (isSwallowed(unit, region, call)
    || (call && (isStandIn(unit, call) || (is !== 'option' && isLeft(unit, call)) || isCaught(unit, call)))) return true
  if (call && (isToldLate(unit, call) || isWaitedOut(unit, call))) return true
  const kept = call && unit.writes.find(w => w.value.is === 'call' && unit.calls[w.value.call] === call)?.target
  const asked = kept === undefined
    ? undefined
    : unit.assertions.find(a =>
      a.span.start >= span.end
      && a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'name' && (v.path === kept || v.path.startsWith(`${kept}.`))))
    )
  if (asked
    && (isNothing(asked, unit)
      || asked.claims === 'presence'
        && asked.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'name' && UNFINISHED.test(v.path))))) return true
  return isMeantToFail(unit, { span, in: region }) || takesError(unit, span)
    || isFailure(unit.assertions.find(a => a.span.start >= span.end), unit, region)
    // What is set once holds for all that follows, not for the next assertion alone.
    // What a known limit stands around is asserted within it.
    || (is !== 'option'
      && isNothing(
        unit.assertions.find(a =>
          a.span.end >= span.start && !(call && has(call, 'timeout') && a.span.start > span.start && a.span.end < span.end)
        ),
        unit,
      ))
}

/** `ctx, cancel := context.WithTimeout(…)` and then a bare `<-ctx.Done()`: the test waits until the time is over. */
function isWaitedOut(unit: Unit, call: Call): boolean {
  const isIt = (v: Value) => v.is === 'call' && unit.calls[v.call] === call
  const kept = unit.writes.filter(w => isIt(w.value) || (w.value.is === 'group' && w.value.of.some(isIt))).map(w => w.target)
  return kept.length > 0 && unit.calls.some(c => {
    const done = c.name === '<-' && c.result === 'discarded' && c.args[0]?.is === 'call' ? unit.calls[c.args[0].call] : undefined
    return done?.receiver?.is === 'name' && kept.includes(done.receiver.path) && /[.]Done$/.test(done.name)
  })
}

/** `let (_, told) = c.wait_timeout(…)` and `assert!(told.timed_out())`: one of the things that it gives says so. */
function isToldLate(unit: Unit, call: Call): boolean {
  const isIt = (v: Value) => v.is === 'call' && unit.calls[v.call] === call
  const parts = unit.writes.filter(w => w.value.is === 'group' && w.value.of.some(isIt)).map(w => w.target)
  return parts.length > 0 && unit.assertions.some(a => {
    const [o] = a.operands, asks = a.compare === 'truth' && a.claims === 'presence' && o?.is === 'call' ? unit.calls[o.call] : undefined
    return asks?.receiver?.is === 'name' && parts.includes(asks.receiver.path) && /[.:]timed_?out$/i.test(asks.name)
  })
}

/** `call().unwrap_err()` comes next: that it fails is what is asked for. */
function takesError(unit: Unit, { end }: Span): boolean {
  const next = unit.assertions.find(a => a.span.start >= end)
  return next !== undefined
    && unit.calls.some(c =>
      /^\?\.(unwrap_err|expect_err)$|::(unwrap_err|expect_err)$/.test(c.name) && c.span.start >= end && c.span.end <= next.span.end
    )
}

/** It stands in what must fail, or in what must not come. */
export function isMeantToFail(unit: Unit, { span, in: region }: Pick<Limit, 'span' | 'in'>): boolean {
  for (let at = region; at !== 0; at = unit.regions[at]!.in) {
    const around = unit.regions[at]!.call
    if (around !== undefined && isFailing(unit.calls[around]!.name)) return true
  }
  return unit.assertions.some(a =>
    (a.claims === 'absence' || a.compare === 'throws') && a.span.start <= span.start && a.span.end >= span.end && !isSpared(a, unit)
  )
}

/** It runs what it is given and wants that to fail. */
const isFailing = (name: string): boolean =>
  /raises|throw|rejects|fail(?!_?(after|fast|safe))|error|panics|warns|assertThatCode$|catch_unwind$/i.test(name)
  && !/not\W?_?(to)?_?(throw|reject|panic|raise|fail)/i.test(name)

/** `.awaitDone(1, SECONDS).assertNoErrors()`: that nothing went wrong is no claim that nothing came. */
const isSpared = ({ span }: Assertion, unit: Unit): boolean =>
  unit.calls.some(c =>
    c.span.start === span.start && c.span.end === span.end && /no_?(errors?|time_?outs?|failures?|exceptions?)$/i.test(c.name)
  )

/** In a `try` whose `catch` goes on; what only cleans up, or fails, lets nothing pass. */
export function isSwallowed(unit: Unit, region: number, call?: Call): boolean {
  const other = /awaitility/.test(call?.name ?? '')
    ? OTHER_THAN_POLL
    : /[.:](get|result)$/.test(call?.name ?? '')
    ? OTHER_THAN_LATE
    : undefined
  for (let at = region; at !== 0; at = unit.regions[at]!.in) {
    const { kind, in: outer, span } = unit.regions[at]!
    if (kind !== 'try') continue
    const next = unit.regions.find(r => r.in === outer && r.span.start >= span.end && r.kind === 'try')?.span.start ?? Infinity
    const isIts = (r: Region) => r.kind === 'catch' && r.in === outer && r.span.start >= span.end && r.span.start < next
    const goesOn = (r: Region, index: number): boolean =>
      isIts(r) && !r.rethrows && !(r.catches?.length && r.catches.every(c => other?.test(c)))
      && !unit.calls.some(c => c.in === index && /(^|[.:])(fail\w*|(Assertion|Runtime|IllegalState)\w*\.new|panic!?)$/i.test(c.name))
    if (unit.regions.some(goesOn)) return true
  }
  return false
}

/** A future that is late throws none of these; a poll nothing but its own and what holds all. A wait that comes back throws nothing. */
const OTHER_THAN_LATE = /(^|\.)(InterruptedException|ExecutionException|KeyError|ValueError|TypeError|AttributeError)$/
const OTHER_THAN_POLL = /^(?!(.*\.)?(Throwable|(Runtime)?Exception|Error|AssertionError|\w*Timeout\w*)$)/

/** That it failed; where that hangs on a condition of a table, other rows want it to succeed. */
const isFailure = (a: Assertion | undefined, unit: Unit, region: number): boolean =>
  a?.compare === 'throws'
  && !(unit.regions[a.in]?.kind === 'if' && unit.regions[a.in]!.in === region
    && unit.assertions.some(b => b.in !== a.in && b.compare !== 'throws' && b.span.start > a.span.start))

/** That nothing came. That a program ended with 0 is no such claim. */
const isNothing = (a: Assertion | undefined, unit: Unit): boolean =>
  a?.claims === 'absence' && !isSpared(a, unit) && !a.operands.some(o => IN_TIME.test(nameIn(o, unit)))
  && !(a.operands.some(o => o.is === 'literal' && o.value === 0)
    && a.operands.some(o =>
      [...valuesIn(o, unit)].some(v => v.is === 'name' && /(return_?code|exit_?(code|status|value)|status)$/i.test(v.path))
    ))

/** That these are not is what one hopes for. */
const IN_TIME = /(timed_?out|cancell?ed(_?caught)?|expired|is_?alive|get_?count|pending|not_?done|err(ors?)?|failures?|failed)$/i
const nameIn = (value: Value, unit: Unit): string =>
  value.is === 'name' ? value.path : value.is === 'call' ? unit.calls[value.call]!.name : ''

const UNFINISHED = /(not_?done|pending|unfinished|timed_?out|ErrWaitTimeout)$/i

/** `expect(client.options.timeout).toBe(50)`: what was set is looked at as a setting. */
function isAskedAsData(unit: Unit, { end }: Span, ms: number): boolean {
  const isIt = (v: Value) => v.is === 'literal' && typeof v.value === 'number' && (v.value === ms || v.value * 1000 === ms)
  const isNamed = (v: Value): boolean =>
    (v.is === 'name' && isOption(v.path)) || (v.is === 'literal' && typeof v.value === 'string' && isOption(v.value))
    || (v.is === 'call'
      && (isOption(/\w+$/.exec(unit.calls[v.call]!.name)?.[0] ?? '') || Object.keys(unit.calls[v.call]!.named).some(isOption)))
  return unit.assertions.some(a => {
    const parts = a.span.end > end && /^(==|contains|other)$/.test(a.compare) ? a.operands.flatMap(o => [...valuesIn(o, unit)]) : []
    return parts.some(isIt) && parts.some(isNamed)
  })
}

/** Who is only told of something does none of the work. */
const TOLD_OF = /^on[A-Z_]|call_?back|handler|listener|logger|log$/i

/** A call that is given a stand-in, by place or among its options, takes no longer than the stand-in. */
function isStandIn(unit: Unit, call: Call): boolean {
  const stands = (v: Value | null | undefined): boolean =>
    (v?.is === 'call' && has(unit.calls[v.call]!, 'stub'))
    || (v?.is === 'name' && unit.writes.some(w => w.target === v.path && w.value.is === 'call' && has(unit.calls[w.value.call]!, 'stub')))
  const options = [...Object.entries(call.named), ...call.args.flatMap(a => [...pairsIn(a)].map(({ key, held }) => [key, held] as const))]
  return [call.receiver, ...call.args].some(v => v?.is === 'name' && stands(v))
    || options.some(([key, held]) => !TOLD_OF.test(key) && stands(held))
}

/** Among calls that are awaited, one that is not waits for nothing. */
const isLeft = (unit: Unit, call: Call): boolean =>
  call.result === 'discarded' && !has(call, 'sync-timed') && unit.calls.some(c => c.result === 'awaited')

/** `find(…).catch(e => { error = e })`: its failure is what is looked at. */
const isCaught = (unit: Unit, call: Call): boolean =>
  unit.calls.some(c => /\.catch$/.test(c.name) && c.receiver?.is === 'call' && unit.calls[c.receiver.call] === call)

/** `await Promise.race([closed, sleep(1000)])`, and whoever won, it goes on. */
export const isShrugged = ({ call }: Limit, unit: Unit): boolean =>
  call?.name === 'Promise.race(sleep)' && call.result === 'awaited' && !call.args.some(a => throwsAfter(a, unit))
  && ![...unit.writes.map(w => w.value), ...unit.assertions.flatMap(a => a.operands),
    ...unit.calls.flatMap(c => [...c.args, ...(c.receiver ? [c.receiver] : [])])].some(v =>
      [...valuesIn(v, unit)].some(x => x.is === 'call' && unit.calls[x.call] === call)
    )

/** `sleep(20).then(() => { throw new Error('late') })`. */
const throwsAfter = (raced: Value, unit: Unit): boolean =>
  raced.is === 'group' && raced.of.some(side => {
    if (side.is === 'call' && /(^|\.)(fail|reject|throw)(After|In)(Ms)?(\(race\))?$/i.test(unit.calls[side.call]!.name)) return true
    const then = side.is === 'call' && /^\?\.then$/.test(unit.calls[side.call]!.name)
      ? unit.regions.findIndex(r => r.kind === 'closure' && r.call === side.call)
      : -1
    return then >= 0 && unit.calls.some(c => c.in === then && /Error\.new$|^(reject|fail)$|\.(reject|fail)$/.test(c.name))
  })

/**
 * A promise that a callback gives and that always fails plays a part of the test, and so does a test that is made by a test; a race in a
 * helper that asserts nothing has another way on.
 */
export const isPlayed = ({ call, in: region }: Limit, unit: Unit): boolean =>
  (call?.name === 'Promise.race(sleep)' && unit.role.is === 'helper' && unit.assertions.length === 0)
  || [...around(unit, region)].some(r =>
    r.call !== undefined
    && (MADE_TEST.test(unit.calls[r.call]!.name)
      || (unit.calls[r.call]!.name === 'Promise.new' && unit.calls[r.call]!.result === 'returned' && unit.calls[r.call]!.in !== 0))
  )

/** A timer that fails, in a test that begins nothing beside it: there is nothing to be late, and its failure is what somebody looks at. */
export function guardsNothing({ call }: Limit, unit: Unit): boolean {
  const timers = unit.calls.filter(c => /^setTimeout(\(\w+\))?$/.test(c.name))
  return call?.name === 'setTimeout(fail)' && runsIn(unit, call.in) === 'inline' && !unit.awaits?.length
    && unit.calls.every(c => timers.some(t => isInSpan(c.span, t.span)) || has(c, 'log') || /Error\.new$/.test(c.name))
    && !unit.writes.some(w => /[.[]/.test(w.target))
}

/** A guard that is to win: what races with it is tried and its failure looked at, or the thread that panics is asked for its error. */
export function guardWins({ call, span }: Limit, unit: Unit): boolean {
  if (!call) return false
  const made = [...around(unit, call.in)].find(r => r.call !== undefined && unit.calls[r.call]!.name === 'Promise.new')
  const promise = made && unit.calls[made.call!]
  const isIt = (v: Value): boolean => v.is === 'call' && unit.calls[v.call] === promise
  const kept = promise && unit.writes.find(w => isIt(w.value))?.target
  const races = unit.calls.filter(c =>
    RACES.test(c.name)
    && c.args.some(a => [...valuesIn(a, unit)].some(v => isIt(v) || (v.is === 'name' && v.path === kept)))
  )
  if (promise && races.some(c => [c, ...awaitsOf(c, unit)].some(at => isSwallowed(unit, at.in) && endsInError(unit, at)))) return true
  // The step of a loop that looks again, and goes on when nothing came.
  if (races.some(c =>
    isSwallowed(unit, c.in)
    && [...around(unit, c.in)].some(r => r.kind === 'loop' && r.condition !== undefined && readsClock(r.condition, unit))
  ))
    return true
  // Given away as a value, it is what something else shall cope with.
  if (promise && kept === undefined && races.length === 0 && unit.calls.some(c => Object.values(c.named).some(isIt))) return true
  return has(call, 'sleep') && runsIn(unit, call.in) === 'spawn' && takesError(unit, span)
}

const RACES = /^Promise\.(race|any)\b/

/** Where a race that is kept under a name is awaited. */
function awaitsOf(race: Call, unit: Unit): { readonly span: Span; readonly in: number }[] {
  const kept = unit.writes.find(w => w.value.is === 'call' && unit.calls[w.value.call] === race)?.target
  const inner = ({ start, end }: Span) => unit.regions.findLastIndex(r => r.span.start <= start && r.span.end >= end)
  return (unit.awaits ?? []).filter(a => a.path === kept).map(({ span }) => ({ span, in: Math.max(0, inner(span)) }))
}

/** `await Promise.race(…); throw new Error('came after all')`. */
const endsInError = (unit: Unit, race: { readonly span: Span; readonly in: number }): boolean =>
  unit.calls.some(c => c.in === race.in && c.span.start >= race.span.end && /(Error\.new|(^|\.)fail)$/.test(c.name))

/** `env.it('fails', …)`: a suite that the test makes and runs. */
const MADE_TEST = /^\?\.(it|test|specify|describe|(before|after)(Each|All)?)$/
