// Failures that nobody hears of: those of a future that was let go, of a callback that runs when the test is over.

import type { Assertion, Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { has, runsIn, valuesIn, within } from '../../facts/query.ts'
import { rememberedOf } from '../../facts/remembered.ts'
import { isInside, names, type Work } from '../threads/background.ts'
import { rootOf } from '../waiting/pages.ts'

const POOLS =
  /(^|[.])Executors\.new\w+$|(ThreadPoolExecutor|ForkJoinPool|ProcessPoolExecutor|InterpreterPoolExecutor)(\.new)?$|ForkJoinPool\.commonPool$/
const GIVEN = /(^|[.])(submit|execute|schedule)$/
/** Whatever these throw goes into the future that they give, also where the one before has long been done. */
const CHAINED = /(^|[.])(thenAccept|thenApply|thenRun|thenCompose|whenComplete|handle)(Async)?$/
const STARTED = /CompletableFuture\.(runAsync|supplyAsync)$/

/** A future, or a thread of a pool, keeps what was thrown in it, and nobody asks: `pool.submit(() -> assertEquals(…));`. */
export const isLetGo = (file: Pick<FileFacts, 'units' | 'language'>, unit: Unit, call: Call): boolean =>
  call.result === 'discarded'
  && ((file.language === 'java' && (CHAINED.test(call.name) || STARTED.test(call.name)))
    || (GIVEN.test(call.name) && isPool(file, unit, call.receiver)))

/**
 * Threads of the library, by what made them: in this function, its class or a set-up. An executor of another make may run its work right
 * here.
 */
function isPool(file: Pick<FileFacts, 'units'>, unit: Unit, receiver: Value | null): boolean {
  const path = receiver?.is === 'name' ? receiver.path.replace(/^(this|self)\./, '') : undefined
  const made = (of: Unit, value: Value) => [...valuesIn(value, of)].some(v => v.is === 'call' && POOLS.test(of.calls[v.call]!.name))
  if (path === undefined) return receiver !== null && made(unit, receiver)
  const own = unit.writes.filter(w => w.target === path)
  if (own.length > 0) return own.some(w => made(unit, w.value))
  return file.units.some(u =>
    u.role.is !== 'test' && u.writes.some(w => w.target.replace(/^(this|self)\./, '') === path && made(u, w.value))
  )
}

/** `assertTrue` of a class that the test extends: it may tell the test by itself. */
export const isInherited = ({ body }: Work, { span }: Assertion): boolean =>
  body.calls.some(c => c.span.start === span.start && c.resolution === 'guess' && c.receiver === null)

/** Whether somebody in the work itself catches what an assertion throws. A `finally` alone lets it pass. */
export function isCaught({ body, region }: Work, at: number): boolean {
  for (let now = at; now !== region && now !== 0; now = body.regions[now]!.in) {
    const r = body.regions[now]!
    if (r.kind === 'try' && body.regions.some(c => c.kind === 'catch' && c.in === r.in && c.span.start >= r.span.end)) return true
  }
  return false
}

/** `if (wrong) { failures.add(…); throw … }`. */
const KEEPS = /[.](add|put|set|append|offer|push|incrementAndGet|compareAndSet)$/

/** Something that is done only once the assertion has held, and that the test asks for later: a latch, a flag, a count. */
export function isToldAfter(unit: Unit, work: Work, own: readonly Call[], { span, in: region }: Assertion): boolean {
  const told = [
    ...own.filter(c =>
      (c.in === region && c.span.start > span.end) || (KEEPS.test(c.name) && c.span.start > span.start && c.span.end < span.end)
    )
      .flatMap(c => (c.receiver?.is === 'name' ? [c.receiver.path] : [])),
    ...work.body.writes.flatMap(w => (w.in === region && w.span.start > span.end && !w.declares ? [w.target.replace(/[.[].*$/, '')] : [])),
  ]
  const after = (at: { readonly start: number }) => at.start > work.call.span.end
  const asked = [...unit.calls.filter(c => after(c.span)).flatMap(c => [...(c.receiver ? [c.receiver] : []), ...c.args]),
    ...unit.assertions.filter(a => after(a.span)).flatMap(a => a.operands)]
  return told.some(path => asked.some(v => names(unit, v, path)))
}

/** A signal that somebody may wait for. */
const SIGNALS = /(^|\.)(Done|close|Close|release|countDown)$/

/**
 * `defer wg.Done()`, there or in the function that is run there, `wg.Go(…)`: whoever waits learns of the end however it comes. A group that
 * keeps errors does so too, unless the work gives a signal of its own halfway.
 */
export function signalsAnyway({ units }: Pick<FileFacts, 'units'>, { call, body }: Work, own: readonly Call[]): boolean {
  const isDeferred = (unit: Unit, c: Call): boolean => SIGNALS.test(c.name) && within(unit, c.in, 'finally')
  if (/WaitGroup\.Go$/.test(call.name) || own.some(c => isDeferred(body, c))) return true
  if (/(^|[./])errgroup\.Group\.Go$/.test(call.name)) return !own.some(c => SIGNALS.test(c.name))
  return own.some(({ target }) => target !== undefined && units[target]!.calls.some(c => isDeferred(units[target]!, c)))
}

/** A test that pauses after it has started something means to wait for it. */
export const sleepsBeside = (unit: Unit, { span }: Call): boolean =>
  unit.calls.some(c => c.span.start > span.end && has(c, 'sleep') && runsIn(unit, c.in) === 'inline')

const RUNS = /(^|[.])(Run|Serve\w*|ListenAndServe\w*)$/

/** `go func() { assert.NoError(t, shop.Run(ctx)) }()` beside `defer shop.Stop()`: what it runs ends with the test, and then it asserts. */
export const endsWithTest = (unit: Unit, own: readonly Call[]): boolean =>
  own.some(({ name, receiver }) =>
    RUNS.test(name) && receiver?.is === 'name'
    && unit.calls.some(c =>
      within(unit, c.in, 'finally') && /(^|[.])(Graceful)?(Stop|Shutdown|Close)$/.test(c.name) && c.receiver?.is === 'name'
      && c.receiver.path === receiver.path
    )
  )

/** Calls of node that come back to their callback in a later turn of the event loop. */
const CALLS_BACK =
  /^(fs\.(readFile|writeFile|appendFile|l?stat|access|readdir|mkdir|unlink|rm|exists)|https?\.(get|request)|child_process\.exec(File)?|dns\.lookup|zlib\.(gzip|gunzip))$/
/** What speaks in later turns alone, and the events that it speaks of. */
const SPEAKS =
  /^(fs\.create(Read|Write)Stream|child_process\.(spawn|fork|exec|execFile)|https?\.(get|request)|net\.(connect|createConnection)|stream\.Readable\.from|worker_threads\.Worker\.new)$/
const PASSES_ON = /^[?]\.(pipe|on|once|setEncoding)$/
const EVENTS = /^(data|end|finish|close|exit|response|connect|message|readable|error)$/

/** `jest.mock('fs')`: a stand-in may call back at once. */
const standsIn = rememberedOf((units: FileFacts['units']): boolean =>
  units.some(u =>
    u.calls.some(({ name, args: [what] }) =>
      what?.is === 'literal' && /(^|[.])(mock|doMock|unstable_mockModule|module)$/.test(name) && MOCKED.test(String(what.value))
    )
  )
)
const MOCKED = /^(node:)?(fs|child_process|https?|net|stream|zlib|dns)\b/

/** `stream.on('end', () => { expect(lines)… })` in a test that neither waits nor is told to: it is over before. */
export function* cameTooLate(file: Pick<FileFacts, 'units'>, unit: Unit): Generator<{ readonly call: Call; readonly asserted: Assertion }> {
  if (unit.role.is !== 'test' || unit.params.length > 0 || unit.returns.length > 0 || unit.awaits?.length || standsIn(file.units)) return
  for (const [region, r] of unit.regions.entries()) {
    const call = r.kind === 'closure' && r.call !== undefined ? unit.calls[r.call]! : undefined
    if (!call || within(unit, call.in, 'closure') || !(CALLS_BACK.test(call.name) || isEventOf(unit, call))) continue
    const asserted = unit.assertions.find(a => isInside(unit, a.in, region))
    if (asserted && !unit.calls.some(c => c.result === 'awaited' || (c.result === 'returned' && !within(unit, c.in, 'closure'))))
      yield { call, asserted }
  }
}

const VERTX = /[.](request|send|deployVerticle|undeploy|setHandler|onComplete|onSuccess|onFailure|listen|setTimer|executeBlocking|getNow)$/

/** Vert.x's `TestContext` waits only for what was asked of it as `async`. */
export function* forgottenByContext(unit: Unit): Generator<{ readonly call: Call; readonly asserted: Assertion }> {
  const asserts = (c: Call) => /[.]TestContext[.](assert|fail)/.test(c.name)
  if (unit.role.is !== 'test' || !unit.calls.some(asserts)
    || unit.calls.some(c => /[.](async|strictAsync|asyncAssert\w*)$/.test(c.name) || has(c, 'sync', 'sync-timed', 'wait-until', 'sleep')))
    return
  for (const [region, r] of unit.regions.entries()) {
    const call = r.kind === 'closure' && r.call !== undefined ? unit.calls[r.call]! : undefined
    const asserted = call && VERTX.test(call.name) && !within(unit, call.in, 'closure')
      ? unit.assertions.find(a => isInside(unit, a.in, region))
      : undefined
    if (asserted) yield { call: call!, asserted }
  }
}

function isEventOf(unit: Unit, { name, args: [event], receiver }: Call): boolean {
  if (!/[.](on|once)$/.test(name) || event?.is !== 'literal' || !EVENTS.test(String(event.value))) return false
  const root = rootOf(receiver, unit)
  const made = unit.writes.findLast(w => w.target === root?.split('.')[0])?.value ?? receiver
  const chain = chainOf(unit, made)
  return chain.some(c => SPEAKS.test(c.name)) && chain.every(c => SPEAKS.test(c.name) || PASSES_ON.test(c.name))
}

const chainOf = (unit: Unit, value: Value | null): Call[] =>
  value?.is === 'call' ? [unit.calls[value.call]!, ...chainOf(unit, unit.calls[value.call]!.receiver)] : []

/** An executor that runs what it is given right here. */
export function isDirect(unit: Unit, { receiver }: Call): boolean {
  const made = receiver?.is === 'name' ? unit.writes.find(w => w.target === receiver.path)?.value : receiver
  return !!made
    && [...valuesIn(made, unit)].some(v =>
      v.is === 'call'
      && /(direct|same_?thread|immediate|synchronous|caller_?runs)\w*executor|Runnable\.run$/i.test(unit.calls[v.call]!.name)
    )
}
