// What a sleep in a test is for, as far as what stands around it tells: a wait for something, a pace, a tick of the clock, a
// try again, a limit.

import type { Assertion, Call, FileFacts, Region, Span, Unit, Value } from '../../facts/facts.ts'
import { fold, milliseconds, type Folding } from '../../facts/fold.ts'
import { around, assertionsAfter, effectOf, has, looksLikePoll, polls, runsIn, valuesIn, within, isInSpan } from '../../facts/query.ts'
import { handsClock } from './binding.ts'
import { isRacing } from './passed-limits.ts'

type TextOf = (span: Span) => string

/** So short that it only lets a clock tick. */
const TICK_MS = 10
const LONG_MS = 30_000

/**
 * `runtime.Gosched()`, `time.sleep(0)`: it gives way, for no time at all, and then the test looks for what another thread shall have done.
 */
export const givesWay = (unit: Unit, call: Call): boolean =>
  has(call, 'yield') && call.target === undefined && !call.effects.some(e => e.through !== undefined)
  && (effectOf(call, 'sleep') === undefined || effectOf(call, 'sleep')!.ms === 0) && unit.role.is === 'test'
  && runsIn(unit, call.in) === 'inline'
  && ![...around(unit, call.in)].some(r => r.kind === 'loop') && unit.assertions.find(a =>
      a.span.start > call.span.end
    )?.claims === 'presence'

/**
 * A sleep that races, in a select or against another promise, is a limit, not a wait; one in a part that runs beside others,
 * `Promise.all([upgrade(), (async () => { await sleep(10); answer() })()])`, plays somebody slow, unless it looks after it.
 */
export const isRaced = (unit: Unit, call: Call): boolean =>
  within(unit, call.in, 'select') || isRacing(unit, call)
  || [...around(unit, call.in)].some(r => {
    const name = r.kind === 'closure' && r.call !== undefined ? unit.calls[r.call]!.name : ''
    return /^Promise\.(race|any)\b/.test(name)
      || (/^Promise\.all(Settled)?$/.test(name)
        && !unit.assertions.some(a => a.span.start > call.span.end && [...around(unit, a.in)].includes(r)))
  })

/**
 * `select { case <-broken: t.Fatal() case <-time.After(d): }`: nothing may break for so long, and what must have come by then is looked at
 * and asserted.
 */
export function looksAfterPause(unit: Unit, call: Call, textOf: TextOf): boolean {
  const isHush = HUSH.test(call.name) && call.args.length > 0, over = isHush ? call.span.end : unit.regions[call.in]!.span.end
  const next = isHush || call.name.startsWith('silence ') ? assertionsAfter(unit, over)[0] : undefined
  if (!next || (next.claims !== 'presence' && !(isHush && isEnd(unit, call, next, textOf))) || !/^(==|>=?|truth)$/.test(next.compare))
    return false
  // Where something else is done first, the assertion is about that.
  if (unit.calls.some(c => c.span.start >= over && c.span.end <= next.span.start && c.result === 'discarded' && !isAside(c))) return false
  const looks = (v: Value): boolean => v.is === 'call' && unit.calls[v.call]!.span.start >= over
  return next.operands.some(o =>
    [...valuesIn(o, unit)].some(v =>
      looks(v)
      || (v.is === 'name'
        && unit.writes.some(w => w.target === v.path && w.span.start >= over && w.span.start <= next.span.end && looks(w.value)))
    )
  )
}

/** It says something or holds others off, and changes nothing that is asserted. */
const isAside = (call: Call): boolean => has(call, 'log') || /[.]R?(Un)?lock$/i.test(call.name)

/** Akka's `expectNoMessage(d)` stands for a time of silence. */
const HUSH = /(^|[.])expectNo(Message|Msg)$/

/** A callback that somebody runs: what is asserted in it comes after the sleep in it. In a thread of its own, where that comes next. */
export function looksAfter(unit: Unit, call: Call): boolean {
  const where = runsIn(unit, call.in)
  // `return delay(20)` is all that comes of it there.
  if (call.result === 'returned') return false
  if (where !== 'callback') return where === 'spawn' && looksNext(unit, call)
  const own = [...around(unit, call.in)].find(r => r.kind === 'closure')
  // A server that is slow on purpose.
  if (own?.call !== undefined && /(^|[./])Handle(r)?(Func)?$/.test(unit.calls[own.call]!.name)) return false
  return own !== undefined && unit.assertions.some(a => a.span.start > call.span.end && a.span.end <= own.span.end)
}

/** `sleep(1s); seen := count.Swap(0); assert.InDelta(t, 50, seen, 5)`: nothing is done in between but to read what is asserted. */
function looksNext(unit: Unit, { span: { end }, in: region }: Call): boolean {
  const next = unit.assertions.find(a => a.in === region && a.span.start > end)
  const between = next ? unit.calls.filter(c => c.span.start > end && c.span.end <= next.span.start) : []
  return next !== undefined && next.claims === 'presence' && /^(==|near|>=?)$/.test(next.compare) && !next.operands.some(isError)
    && between.every(c => c.in === region && (c.result !== 'discarded' || isAside(c)))
}

/** Whether what was done went well is another question than what came of it. */
const isError = (v: Value): boolean => (v.is === 'literal' && v.value === null) || (v.is === 'name' && /^err\d*$/i.test(v.path))

/** In a hook after the tests, or in what a test leaves to be done at its end. */
export const isCleaningUp = (unit: Unit, region: number): boolean =>
  within(unit, region, 'finally') || (unit.role.is === 'hook' && unit.role.when === 'after')
  || [...around(unit, region)].some(r => r.call !== undefined && /^testing\.\w+\.Cleanup$/.test(unit.calls[r.call]!.name))

/** While cleaning up: a sleep and then a look, with nothing put away in between that the assertion could be about. */
export const looksAtOnce = (unit: Unit, { span: { end }, in: region }: Call, next: Assertion): boolean =>
  next.in === region && !next.operands.some(isError)
  && unit.calls.every((c, i) =>
    c.span.start < end || c.span.end > next.span.start || isAside(c)
    || (c.result !== 'discarded' && !(c.result === 'awaited' && !unit.writes.some(w => w.value.is === 'call' && w.value.call === i)))
  )

/** A test that does nothing but sleep is a stand-in for a slow test, in the suite of a test runner. */
export const isAllThereIs = (unit: Unit): boolean =>
  unit.role.is === 'test' && unit.assertions.length === 0 && unit.calls.every(c => has(c, 'sleep', 'log'))

/** What must throw is what sleeps, and nothing comes after it: `assertThrows(Timeout, proxy::slow)`. */
export const isUnderTest = (unit: Unit, call: Call): boolean =>
  unit.assertions.some(a =>
    a.compare === 'throws' && a.span.start <= call.span.start && a.span.end >= call.span.end
    && !unit.calls.some(c => c.span.start > call.span.end && c.span.end < a.span.end)
  )

/** `doNothing().when(runner).sleep(anyLong())`: what it shall do is told, and nobody sleeps. */
export const isStubbed = (unit: Unit, { receiver, span }: Call): boolean =>
  (receiver?.is === 'call' && /(^|[.])(when|given|should|verify)$/.test(unit.calls[receiver.call]!.name))
  || unit.calls.some(c => PLAYS.test(c.name) && c.span.start < span.start && c.span.end >= span.end)

/** `sinon.stub().returns(new Promise(resolve => setTimeout(resolve, 10)))`: as slow as the one that it stands in for. */
const PLAYS = /[.](returns|resolves|callsFake|mock(Return|Resolved)Value(Once)?|mockImplementation(Once)?)$/

/** `ask({ hooks: { before: [async order => { await sleep(100) }] } })`: a part of what is given, as slow as it shall be; it asserts nothing. */
export const isPartOf = (unit: Unit, call: Call, textOf: TextOf): boolean => {
  const own = [...around(unit, call.in)].find(r => r.kind === 'closure')
  return own?.call !== undefined && /:\s*\[?\s*$/.test(textOf({ start: Math.max(0, own.span.start - 40), end: own.span.start }))
    && !unit.assertions.some(a => a.span.start > call.span.end && a.span.end <= own.span.end)
}

/** `proxy.OnOrder = func(o Order) error { time.Sleep(d); … }`: whoever has it for a field calls it, as slow as it shall be; it asserts nothing. */
export const isHandler = (unit: Unit, call: Call): boolean => {
  const own = [...around(unit, call.in)].find(r => r.kind === 'closure')
  return own !== undefined && own.call === undefined
    && unit.writes.some(w => /\w\.\w+$/.test(w.target) && w.span.start < own.span.start && w.span.end >= own.span.end)
    && !unit.assertions.some(a => a.span.start > call.span.end && a.span.end <= own.span.end)
}

/** Mockito's `after(200).never()`: time for something that must not come. */
export const isForNone = ({ name, span: { end } }: Call, textOf: TextOf): boolean =>
  name === 'org.mockito.Mockito.after' && /^\s*\.(never|atMost\w*)\(/.test(textOf({ start: end, end: end + 20 }))

/** Only some system or cloud needs it: `if cfg!(windows)`, `if is_aws_cloud():`. */
export const isForOneSystem = (unit: Unit, call: Call): boolean =>
  [...around(unit, call.in)].some(r =>
    (r.kind === 'if' || r.kind === 'else') && r.condition !== undefined
    && [...valuesIn(r.condition, unit)].some(v =>
      SYSTEM.test(v.is === 'name' ? v.path : v.is === 'call' ? unit.calls[v.call]!.name : v.is === 'literal' ? String(v.value) : '')
    )
  )

const SYSTEM = /windows|win32|darwin|mac_?os|\baws\b|_aws_|is_?aws|runtime\.GOOS|sys\.platform|process\.platform/i

/** `Self { delay: Box::pin(sleep(d)) }`: a time that somebody waits for when he is asked to. */
export const isBoxed = ({ span, result }: Call, textOf: TextOf): boolean =>
  result === 'used' && /\bBox::pin\(\s*$/.test(textOf({ start: Math.max(0, span.start - 16), end: span.start }))

/**
 * `await sleep()` of another file, told no time: a turn of the event loop as well as a pause. `pause.sleep()` is told by what it is called
 * on.
 */
export const isUntold = (call: Call): boolean =>
  effectOf(call, 'sleep')?.ms === undefined && call.receiver === null && call.args.length === 0 && Object.keys(call.named).length === 0
  && call.target === undefined

/** Nobody minds whether it is long enough: it paces a loop, or the next thing is to wait for a message. */
export const isPacing = (unit: Unit, call: Call): boolean =>
  receivesNext(unit, call) || isDrawn(unit, call)
  || [...around(unit, call.in)].some(r => r.kind === 'loop' && r.counted && !isCountdown(unit, r))

/** A poll comes after it that holds the next assertion, or comes before it, or is asserted itself. */
export const isPolledNext = (unit: Unit, call: Call, next: Assertion | undefined): boolean => polledNext(unit, call, next) !== undefined

const polledNext = (unit: Unit, { span: { end } }: Call, next: Assertion | undefined): Call | undefined =>
  unit.calls.find(c =>
    c.span.start > end && (!next || c.span.start < next.span.end)
    && (isWaitFor(c) || (next !== undefined && c.span.start >= next.span.start && ASKED_TO_WAIT.test(c.name)))
  )

/** `sleep(2s); shop.open(); waitFor(…)`: the poll waits for what was done after the sleep, not for what the sleep was for. */
export function actsBeforePoll(unit: Unit, call: Call, next: Assertion | undefined): boolean {
  const poll = polledNext(unit, call, next)
  return poll !== undefined
    && unit.calls.some(c =>
      c.span.start > call.span.end && c.span.end <= poll.span.start && c.in === call.in && !has(c, 'sleep', 'clock') && !isAside(c)
      && (c.result === 'discarded' || (c.result === 'awaited' && !isJoin(c)))
    )
}

/** `assertTrue(waitForOrders(shop, 3))`: whoever is asserted to have come waits by its name. */
const ASKED_TO_WAIT = /(^|[.:])([wW]ait|[aA]wait)_?([fF]or|[uU]ntil)(?![a-z])\w*$/

/** The next thing the test does is to wait for a message: that comes when it comes. */
export function receivesNext(unit: Unit, sleep: Call): boolean {
  const next = unit.calls.filter(c => c.span.start > sleep.span.end).sort((a, b) => a.span.end - b.span.end)[0]
  return next?.result === 'awaited' && next.in === sleep.in && /[.:](recv|recv_async|accept\w*|changed)$/.test(next.name)
}

/** Nothing but time is counted, in a script that is the test: together the rounds are one pause. */
function isCountdown(unit: Unit, loop: Region): boolean {
  const inside = unit.calls.filter(c => [...around(unit, c.in)].includes(loop))
  return (unit.role.is === 'module' || unit.role.is === 'test') && unit.regions[loop.in]!.kind === 'body' && inside.length > 0
    && inside.every(c => c.name === 'sleep' || has(c, 'log')) && !unit.assertions.some(a => [...around(unit, a.in)].includes(loop))
}

/** A poll that is known, or one that is awaited by its name: what comes after it does not hang on the sleep. */
export const isWaitFor = (call: Call): boolean =>
  has(call, 'wait-until') || TRIES.test(call.name)
  || (call.result === 'awaited' && call.resolution === 'guess' && looksLikePoll(call))

/** `await wait(futures)`, `await Promise.all(orders)`: what was begun is waited for. */
export const isJoin = (call: Call): boolean =>
  call.result === 'awaited' && /(^|[.:])(wait|gather|join|join_all|try_join_all|Promise\.all(Settled)?)$/.test(call.name)
  && call.args.some(a => a.is !== 'literal')

/** `retry.Run(t, func(r *retry.R) { … })`, whosever it is: what is asserted in there is asserted again until it holds. */
const TRIES = /(^|[./])retry\.Run(With)?$/

/** Something else is done between the sleep and the assertion: that is about what was done. */
export const actsBefore = (unit: Unit, { span: { end } }: Call, next: Assertion): boolean =>
  unit.calls.some(c => c.span.start > end && c.span.end <= next.span.start && c.result === 'discarded' && !has(c, 'sleep') && !isAside(c))

/** `store.put(order); sleep(1s)` ends a helper, and a test that calls it looks next: the sleep is as good as one in the test. */
export const endsHelper = (units: readonly Unit[], unit: Unit, { span: { end } }: Call): boolean =>
  unit.role.is === 'helper' && !unit.calls.some(c => c.span.start > end) && !unit.assertions.some(a => a.span.start > end)
  && units.some(u => u.role.is === 'test' && u.calls.some(c => c.target === unit.id && assertionsAfter(u, c.span.end).length > 0))

/** `verifyHead(t, head)`: where a function of the file looks just once, the call is as good as the look. */
export function checksAfter(units: readonly Unit[], unit: Unit, { span: { end } }: Call): Assertion[] {
  return unit.calls.flatMap(call => {
    const looks = call.target !== undefined && call.span.start > end && CHECKS.test(call.name) ? units[call.target] : undefined
    if (!looks || looks.assertions.length === 0 || looks.assertions.some(a => polls(looks, a.in))
      || looks.calls.some(c => isWaitFor(c) || has(c, 'sync', 'sync-timed', 'sleep'))) return []
    return [
      { span: call.span, in: call.in, compare: 'other', operands: call.args, claims: looks.assertions.every(a => a.claims === 'absence')
        ? 'absence'
        : 'presence' } as const,
    ]
  })
}

const CHECKS = /(^|[.:_])_?(verify|check|assert|validate|expect)/i

/**
 * Shorter than any work: it lets the clock tick. Or it keeps what a loop makes apart, and the assertion comes after the loop or asks whether
 * that went well.
 */
export const isPace = (unit: Unit, call: Call, next: Assertion): boolean =>
  (effectOf(call, 'sleep')?.ms ?? TICK_MS) < TICK_MS
  || [...around(unit, call.in)].some(r =>
    r.kind === 'loop' && r.counted && !isCountdown(unit, r) && (next.span.start >= r.span.end || next.operands.some(isError))
  )

/** `time.Sleep(m.delay)` in a method: a stand-in that plays a slow partner. */
export function isOwnPace(unit: Unit, call: Call): boolean {
  const given = call.args[0]
  return effectOf(call, 'sleep')?.ms === undefined && given?.is === 'name' && given.path.includes('.') && /[.:]/.test(unit.title)
    && unit.assertions.length === 0
}

/** A whole second or two beside a date that is printed to the second: the next one shall be another. */
export function letsTick(unit: Unit, call: Call): boolean {
  const ms = effectOf(call, 'sleep')?.ms ?? Infinity
  const at = unit.calls.indexOf(call)
  const [before, next] = [unit.calls[at - 1], unit.calls[at + 1]]
  const tells = (c: Call | undefined) => c !== undefined && /^(printed|seconds)$/.test(effectOf(c, 'clock')?.note ?? '')
  // Times of files are mostly looked at by the second.
  const stamps = (c: Call) => c.name === 'stat' && c.args.some(a => a.is === 'literal' && /%[XYZW]/.test(String(a.value)))
  if (ms % 1000 === 0 && ms <= 2000 && unit.calls.slice(Math.max(at - 4, 0), at).some(stamps)) return true
  return ms % 1000 === 0 && ms <= 2000 && (tells(before) || (tells(next) && before !== undefined && looksLikePoll(before)))
}

/** In a branch that runs once more what was tried right before it: a pause between two tries. */
export function triesAgain(unit: Unit, call: Call, textOf: TextOf): boolean {
  const branch = [...around(unit, call.in)].find(r => r.kind === 'if' || r.kind === 'else')
  const before = unit.calls.filter(c => branch && c.span.start < branch.span.start && !has(c, 'log', 'sleep'))
  const tried = new Set(before.slice(-TRIED).map(c => textOf(c.span)))
  return unit.calls.some(c => branch && c.span.start > call.span.end && c.span.end <= branch.span.end && tried.has(textOf(c.span)))
}

/** What is tried, what its answer is asked for, and a look at what it left. */
const TRIED = 4

const isDrawn = (unit: Unit, call: Call): boolean =>
  [...valuesIn({ is: 'group', of: call.args }, unit)].some(v => v.is === 'call' && has(unit.calls[v.call]!, 'random'))

/**
 * What was asserted before the sleep is asserted first after it, and nothing was done since: nothing is to have changed. That nothing failed
 * is asserted everywhere.
 */
export const isRepeated = (unit: Unit, { span: { start } }: Call, next: Assertion, textOf: TextOf): boolean => {
  const before = unit.assertions.filter(a => a.span.end <= start)
  const same = before.findLast(a => textOf(a.span) === textOf(next.span))
  const isAct = (c: Call) => c.result === 'discarded' && !isAside(c) && !unit.assertions.some(a => isInSpan(c.span, a.span))
  // `assert_success` says of whom only to the shell: of what ran last.
  return same !== undefined && !/\berr(or)?\b|(^|[\s"${])status\b|^\w+$/i.test(textOf(next.span).trim())
    && (same === before.at(-1) || !unit.calls.some(c => c.span.start >= same.span.end && c.span.end <= start && isAct(c)))
}

/** `message = await received`, `for (let i = 0; !seen && i < 60; i++) await sleep(500)`: between the sleep and the look there is a real wait. */
export const waitsBetween = (unit: Unit, { span: { end } }: Call, next: Assertion, textOf: TextOf): boolean =>
  /\bawait (?:self\.|this\.)?\w+\s*(?:$|[;,)])/m.test(textOf({ start: end, end: Math.max(end, next.span.start) }))
  || unit.regions.some(r =>
    r.kind === 'loop' && r.span.start >= end && r.span.end <= next.span.start
    && unit.calls.some(c => has(c, 'sleep') && isInSpan(c.span, r.span))
  )

/** `synctestTest(t, func(t *testing.T) { … })`: whatever the project calls its bubble, time in it is not the machine's. */
export const isInBubble = (unit: Unit, call: Call): boolean =>
  unit.calls.some(c => /synctest/i.test(c.name) && c !== call && isInSpan(call.span, c.span))

/** `new FakeTicker()`: what the test looks at goes by that one, and a sleep changes nothing. */
export const hasOwnClock = ({ units }: FileFacts, unit: Unit): boolean =>
  [unit, ...units.filter(u => u.role.is === 'hook' || u.role.is === 'suite' || u.role.is === 'module')].some(handsClock)

/** `jasmine.Ajax.install()`: a request is answered by the test itself, and what hangs on it is done before any timer. */
export const isAnsweredHere = ({ language, units }: FileFacts): boolean =>
  language === 'typescript'
  && units.some(u => u.calls.some(c => /(^|[.])(jasmine\.Ajax|fakeServer|createFakeServer|useFakeXMLHttpRequest)\b/.test(c.name)))

/** `@Timeout(10)` on a method that only sleeps: that is what shall be cut off. */
export const isCutOff = ({ markers, assertions }: Unit): boolean =>
  assertions.length === 0 && markers.some(m => /(^|\.)Timeout$/.test(m.name))

/** `before := read(path); sleep(1); after := read(path); assert before == after`: the same was read before it, and must not have changed. */
export const isReadAgain = (unit: Unit, { span }: Call, { compare, operands }: Assertion): boolean => {
  const readBy = (v: Value) => {
    const write = v.is === 'name' ? unit.writes.findLast(w => w.target === v.path && w.value.is === 'call') : undefined
    return write?.value.is === 'call' ? { name: unit.calls[write.value.call]!.name, at: write.span.start } : undefined
  }
  const [one, two] = operands.map(readBy)
  return compare === '==' && one !== undefined && two !== undefined && one.name === two.name
    && (one.at < span.start) !== (two.at < span.start)
}

/** How long it waits was also given to something else: `newShop(delay)` and then `sleep(delay)`. */
export function isAsTold(units: readonly Unit[], call: Call): boolean {
  const names = [...call.args, ...Object.values(call.named)].flatMap(a => (a.is === 'name' ? [a.path] : []))
  const isIt = (v: Value) => v.is === 'name' && names.includes(v.path)
  return units.some(u =>
    u.calls.some(c => c !== call && !has(c, 'sleep', 'log') && [...c.args, ...Object.values(c.named)].some(isIt))
    || u.writes.some(w => isIt(w.value) || (w.value.is === 'group' && w.value.of.some(isIt)))
  )
}

/** What is looked for comes by the clock alone, by the names of the test and of what it asks: `testTokenExpires`, `isExpired()`. */
export const goesByAge = (unit: Unit, { span: { end } }: Call, next: Assertion | undefined, textOf: TextOf): boolean =>
  AGES.test(unit.name) || (next !== undefined && AGES.test(textOf({ start: Math.min(end, next.span.start), end: next.span.end })))
const AGES =
  /expir|(?<![a-z])ttl|[a-z]ttl(?![a-z])|time_?to_?live|life_?time|rate_?limit|throttl|sliding_?window|evict|abandon|modified_?since|(creation|creat(e|ed)|modified|modification|access(ed)?|updated?)_?(time|at)(?![a-z])|mtime/i

/** What a file does when it is run as a program, for tests to talk to. In the shell a test is one itself. */
export const isProgram = (unit: Unit, call: Call): boolean => unit.role.is === 'module' && call.name !== 'sleep'

/** A program that a test runs, not a test: it is as slow as it shall be. */
export const isOfProgram = ({ language, units }: FileFacts, unit: Unit): boolean =>
  language !== 'bash' && (unit.role.is === 'module' || unit.name === 'main') && !units.some(u => u.role.is === 'test')

/** So short that nothing would have happened on an idle machine either. */
export const isGlance = (call: Call): boolean => (effectOf(call, 'sleep')?.ms ?? Infinity) <= TICK_MS

/** The longer it waits, the seldomer it is too short. */
export const isLong = (call: Call): boolean => (effectOf(call, 'sleep')?.ms ?? 0) > LONG_MS

/** An awaited sleep or a timer this short lets the event loop turn. */
export const isTurn = (call: Call): boolean =>
  (call.result === 'awaited' || call.name.startsWith('setTimeout')) && (effectOf(call, 'sleep')?.ms ?? Infinity) <= TICK_MS

/** What runs out by itself once its time is over. */
const RUNS_OUT = /ttl(?!e(?!x)|ing|y)|expir|deadline|time_?out|keep_?alive|refill|grace|retention|debounce|throttl|max_?age|lease|evict/i

/** A slower machine only makes it surer that a time is over that is as short. Whole seconds are given to servers, which look now and then. */
export const isUnderSecond = (call: Call): boolean => (effectOf(call, 'sleep')?.ms ?? Infinity) < 1000

/**
 * The test gave something a time that runs out before the sleep ends: by its name, or because it says its unit and is given to what
 * waits.
 */
export function runsOut(unit: Unit, call: Call, folding: Folding): boolean {
  const ms = effectOf(call, 'sleep')?.ms
  if (ms === undefined) return false
  const shorter = (value: Value) => {
    const told = value.is === 'literal' && typeof value.value === 'string' ? /^(\d+) ?(ms|s)$/.exec(value.value) : undefined
    const given = told ? Number(told[1]) * (told[2] === 's' ? 1000 : 1) : milliseconds(value, unit, folding, 1)
    return given !== undefined && given > 0 && given <= ms
  }
  const waits = (c: Call) =>
    /(^|[.:_])(wait|acquire|get|recv|join)$/.test(c.name) && c.args.some(a => typeof fold(a, unit, folding) === 'object' && shorter(a))
  return unit.writes.some(w => w.span.start < call.span.start && RUNS_OUT.test(w.target) && shorter(w.value))
    || unit.calls.some(c =>
      c !== call && c.span.start < call.span.start
      && ((RUNS_OUT.test(c.name) && c.args.some(shorter)) || waits(c)
        || Object.entries(c.named).some(([key, value]) => RUNS_OUT.test(key) && shorter(value)))
    )
}

/** `new != old` waits for a change, not for nothing. */
export const isChange = (a: Assertion): boolean =>
  a.compare === '!=' && a.operands.length === 2 && a.operands.every(o => o.is !== 'literal')

/** What ends something: what is looked for after it shall be gone. */
const ENDS =
  /(^|[.:_]|\b)(drop|close|stop|shut_?down|kill|cancel|remove|delete|destroy|terminate|disconnect|unsubscribe|release|expire|evict|leave|abort|interrupt|disable|unregister)(?![a-z])/i

/** `require.NoError(t, shop.Close())`: whether something can be ended does not hang on how long it had. */
export function endsNext(unit: Unit, { span: { end } }: Call, next: Assertion): boolean {
  const asked = next.operands.flatMap(o => [...valuesIn(o, unit)]).flatMap(v =>
    v.is === 'call' ? [unit.calls[v.call]!] : v.is === 'name'
      ? unit.writes.filter(w => w.target === v.path && w.span.start >= end && w.span.end <= next.span.start).flatMap(w =>
        w.value.is === 'call' ? [unit.calls[w.value.call]!] : []
      )
      : []
  )
  return asked.length > 0 && asked.every(c => c.span.start >= end && /[.:](close|stop|shut_?down)$/i.test(c.name))
}

/** `count < 3`: whoever comes too early finds fewer. */
export const isAtMost = ({ compare, operands: [, bound] }: Assertion): boolean => /^<=?$/.test(compare) && bound?.is === 'literal'

/** Stand-ins that nobody called. */
const NEVER = /\bverify\b|\bnever\b|[cC]alled|\bcallCount\b|call_count/

/**
 * It waits for an end: what is gone after the sleep was there before it, or was just told to go. That there is no error is no absence at
 * all.
 */
export function isEnd(unit: Unit, call: Call, next: Assertion, textOf: TextOf): boolean {
  if (NEVER.test(textOf(next.span))) return false
  const about = (a: Assertion) =>
    new Set(
      a.operands.flatMap(o =>
        [...valuesIn(o, unit)].flatMap(v => (v.is === 'name' ? [v.path] : v.is === 'call' ? [unit.calls[v.call]!.name] : []))
      ),
    )
  const asked = about(next)
  if ([...asked].some(n => /(^|\.)err(or)?$/.test(n))) return true
  // What is left to be done at the end has not been done yet.
  const before = unit.calls.filter(c => c.span.end <= call.span.start && !has(c, 'log') && !within(unit, c.in, 'finally')).slice(-2)
  return before.some(c => ENDS.test(c.name))
    || unit.assertions.some(a => a.span.end <= call.span.start && a.claims === 'presence' && [...about(a)].some(n => asked.has(n)))
}

/** `later > earlier` after a sleep between the two: it lets the clock tick. And what was slept is what is asserted: `measured >= pause`. */
export function isMeasured(unit: Unit, call: Call, next: Assertion): boolean {
  const names = (values: readonly Value[]) => values.flatMap(v => [...valuesIn(v, unit)].flatMap(x => (x.is === 'name' ? [x.path] : [])))
  const slept = new Set(names(call.args))
  return (/^[<>]=?$/.test(next.compare) && next.operands.every(o => o.is === 'name')) || names(next.operands).some(n => slept.has(n))
}

/** In a function that runs in a page, nobody waits: the page does. */
export const isInPage = (unit: Unit, call: Call): boolean =>
  [...around(unit, call.in)].some(r =>
    r.kind === 'closure' && r.call !== undefined && /(^|\.)(evaluate\w*|\$\$?eval|addInitScript)$/.test(unit.calls[r.call]!.name)
  )

/** `sleep infinity`, `sleep 999999`: something is to be there until it is ended. */
export const isKeptAlive = (call: Call): boolean =>
  call.name === 'sleep'
  && ((effectOf(call, 'sleep')?.ms ?? 0) >= 3_600_000 || call.args.some(a => a.is === 'literal' && a.value === 'infinity'))

const LIMITS = /(^|[._])([tT]imeout|fail_after|move_on_after|timeout_after|time_limit)$/

/** `with Timeout(1): sleep(2)`: the sleep is what shall be cut off. Or `orders.then(|o| async move { sleep(d).await; o })`: orders come slowly. */
export const isWhatIsTried = (unit: Unit, call: Call, { language }: Pick<FileFacts, 'language'>): boolean =>
  [...around(unit, call.in)].some(r => {
    const by = r.call === undefined ? undefined : unit.calls[r.call]!.name
    if (by === undefined) return false
    return (r.kind === 'with' && LIMITS.test(by) && !unit.calls.some(c => c.span.start > call.span.end && c.span.end <= r.span.end))
      || (r.kind === 'closure' && language === 'rust' && /(^\?\.|::)then$/.test(by))
  })

/** `impl Courier for SlowCourier`: a stand-in that is slow, for whoever calls it out of sight. */
export const playsPart = ({ language, units }: FileFacts, unit: Unit): boolean => {
  const owner = unit.role.is === 'helper' && unit.parent !== null && unit.assertions.length === 0 ? units[unit.parent]! : undefined
  return language === 'rust' && owner?.role.is === 'suite' && owner.params.length > 0
    && !units.some(u => u.calls.some(c => c.target === unit.id))
}

/** A helper of the project's own that looks again, by its name, is imported: what it asks is asked until it holds, and may be slow. */
const ASKS = /(^|[./:])(poll|wait)_?(for|until)$|(^|[./:])eventually$/i
export const isAsked = (unit: Unit, call: Call): boolean =>
  [...around(unit, call.in)].some(r => {
    const by = r.kind === 'closure' && r.call !== undefined ? unit.calls[r.call]! : undefined
    return by?.resolution === 'import' && by.result === 'awaited' && ASKS.test(by.name)
  })

/** Leaves a function as it is, and makes a test, a hook or a fixture of it. */
const PLAIN =
  /^(cfg|cfg_attr|allow|expect|warn|deny|inline|must_use|doc|cold|track_caller|deprecated|rustfmt|clippy|tracing|instrument|ignore|should_panic)\b/
const MAKES_TEST = /test|case|bench|fixture|apply|before|after|setup|scenario|spec|given|when|then/i

/**
 * `#[command] async fn restock() { sleep(d).await }`, which nobody here calls and a test names: `run(shop, "restock")`. An attribute has made
 * something of it that is what the test tries.
 */
export function isMadeOver({ language, units }: FileFacts, unit: Unit, textOf: TextOf): boolean {
  if (language !== 'rust' || unit.role.is !== 'helper' || units.some(u => u.calls.some(c => c.target === unit.id))) return false
  const above = /((?:#\[[^\]]*\]\s*|\/\/[^\n]*\n\s*)+)(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+$/.exec(
    textOf({ start: Math.max(0, unit.nameSpan.start - 400), end: unit.nameSpan.start }),
  )?.[1]
  const attributes = [...(above ?? '').matchAll(/#\[\s*([\w:]+)/g)].map(m => m[1]!)
  const isIt = (v: Value) => v.is === 'literal' && v.value === unit.name
  return attributes.some(a => !PLAIN.test(a)) && !attributes.some(a => MAKES_TEST.test(a))
    && units.some(u => u.calls.some(c => c.args.some(isIt)))
}

/** A script that sets something up or starts it, by its name: it is run for tests, and is none. */
export const isSetUpScript = (path: string): boolean => /(^|\/)(run|setup|install|build|start|deploy|bootstrap)[\w-]*\.sh$/.test(path)
