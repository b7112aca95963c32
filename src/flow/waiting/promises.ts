// Promises, coroutines and futures that a call gives and nobody waits for.

import type { Call, FileFacts, Region, Unit, Value } from '../../facts/facts.ts'
import { around, effectOf, has, isCalledElsewhere, isTestCode, looksLikePoll, mentions, valuesIn } from '../../facts/query.ts'
import { isAskedAfter } from './coroutines.ts'
import { isGivenPage, PAGES } from './pages.ts'

type File = Pick<FileFacts, 'units' | 'kind' | 'imports' | 'language'>

export interface Floating {
  readonly unit: Unit
  readonly call: Call
  /**
   * How we know that it gives a promise: the catalog says so, it is an async function of this file, or the same thing is
   * waited for elsewhere in this file (`once`: only there, and dropped only here); or its name says that it waits, in a function that
   * awaits; or it is given the page that the runner has opened for the test.
   */
  readonly known: 'catalog' | 'local' | 'seen' | 'named' | 'once' | 'page'
  /** seen: how often it is waited for. */
  readonly times: number
  /** seen: on whatever it is called there, and never on this one. */
  readonly like: boolean
  /** Something that was begun before is waited for after it: the call may only be what sets that off. */
  readonly sets: boolean
  /** sets: that wait begins only after the call, and may miss what it waits for. */
  readonly late: boolean
  /** What it stands in awaits or chains what comes next, and does not wait here. */
  readonly skipped: boolean
  /**
   * The next thing that the test does is to assert, and nothing is awaited before; or what it works on is asked before it is known to be
   * over.
   */
  readonly asserted: boolean
}

/** Functions that run in a page: nobody in the test can wait for what they begin. */
const IN_PAGE = /(^|\.)(evaluate\w*|addInitScript|evaluateOnNewDocument|waitForFunction|\$\$?eval|executeScript|executeAsyncScript)$/
const WAITS_FOR =
  /^Promise\.(all|allSettled|race|any)\b|^asyncio\.(gather|wait|wait_for|create_task|ensure_future|run)$|(^|\.)(rejects|doesNotReject|throwsAsync|notThrowsAsync|resolves|assertRejects)(\.|$)/
const ASSERTS = /^(expect|assert|t)\.(?!step)|(^|\.)assert[A-Z]\w*$/
/** What ends a test or a promise is often given back, and is none. */
const ENDS = /^(done|fail|next|resolve|reject|cb|callback)$/
const CHAINS = /^\?\.(then|catch|finally)$/
/** Words whose result is a promise in one library and nothing in the next: only the same thing, by name, counts. */
const LEAST_SAME = 2, LEAST_LIKE = 4

export function* floatingPromises(file: File): Generator<Floating> {
  // A class that tests only use, such as an endpoint, leaves things running because that is what it plays.
  if (file.language === 'java' && !file.units.some(u => u.role.is === 'test')) return
  const seen = evidenceOf(file)
  for (const unit of file.units) {
    if (unit.role.is === 'module' || unit.role.is === 'suite' || !isTestCode(file, unit) || isCalledElsewhere(file, unit)) continue
    for (const call of unit.calls) {
      if (call.result !== 'discarded') continue
      const where = runs(unit, call)
      if (where === 'elsewhere') continue
      const target = call.target === undefined ? undefined : file.units[call.target]
      // Python's libraries give one method to both worlds: on a pipeline or from plain code it does its work at once. A function is of one.
      const found = seen(unit, call), ofOne = file.language !== 'python' || (call.receiver === null && unit.async === true)
      const waits = found?.once || !ofOne || (file.language === 'python' && unit.params.includes(call.name)) ? undefined : found
      const times = waits?.times ?? 0
      // What decorates a function may call it, and wait.
      const known = givesPromise(call, file) && !CHAINS.test(call.name)
        ? 'catalog'
        : target?.async && target.markers.length === 0 && isItsName(call, target)
            // A variable of the same name is another.
            && !unit.writes.some(w => w.target === call.name && w.span.start < call.span.start)
        ? 'local'
        : times >= (where === 'here' ? LEAST_SAME : LEAST_LIKE)
        ? 'seen'
        : where === 'here' && saysWait(file, unit, call)
        ? 'named'
        : where === 'here' && found?.once && isLeftOut(file, unit, call)
        ? 'once'
        : where === 'here' && target === undefined && file.language === 'typescript' && isGivenPage(unit, call)
        ? 'page'
        : undefined
      if (!known || (known !== 'seen' && where !== 'here')
        || ((known !== 'catalog' || call.name.startsWith('fs.')) && file.language !== 'python' && isTold(unit, call))) continue
      const sets = setsOff(unit, call)
      yield { unit, call, known, times, like: waits?.like ?? false,
        sets: sets !== undefined && !(known === 'seen' && file.language === 'python'), late: sets === 'later',
        skipped: where === 'here' && isSkipped(unit, call), asserted: isAssertedNext(unit, call) || isAskedAfter(file, unit, call) }
    }
  }
}

function isAssertedNext(unit: Unit, call: Call): boolean {
  const next = unit.assertions.find(a => a.span.start > call.span.end)
  const before = ({ span }: { span: { start: number } }) => span.start > call.span.end && span.start < (next?.span.end ?? 0)
  return next !== undefined && next.claims === 'presence' && next.in === call.in && !unit.awaits?.some(before)
    && !unit.calls.some(c => before(c) && (c.result === 'awaited' || has(c, 'sync', 'sync-timed', 'wait-until', 'sleep')))
}

const NAMED_WAIT = /(^|[.])(wait(For|Until)[A-Z]\w*|waitUntil|eventually)$|(^|\.)waitFor$/

/** `waitForReady(server)` as a statement of an async function; chains of some drivers queue their waits themselves. */
const saysWait = (file: File, unit: Unit, call: Call): boolean =>
  isDroppedFuture(file, unit, call)
  || (file.language === 'typescript' && unit.async === true && call.target === undefined && NAMED_WAIT.test(call.name)
    && !has(call, 'wait-until') && !(call.receiver?.is === 'name' && /^(cy|browser|client|I|nightwatch)$/.test(call.receiver.path))
    && call.receiver?.is !== 'call')

/** `admin.removeLimitAsync(shop);` and an assertion after it, in a language whose futures are asked by `get()`. */
const isDroppedFuture = (file: File, unit: Unit, call: Call): boolean =>
  file.language === 'java' && ASYNC.test(call.name) && call.target === undefined
  && !/(^|\.)(verify|when|doReturn|doThrow|doNothing|inOrder)/.test(receiverName(unit, call))
  && unit.assertions.some(a => a.span.start > call.span.end) && !setsOff(unit, call) && file.units.some(asksFutures)

const ASYNC = /[.](?!set|is|enable|disable|stop)[a-z]\w*(?<!If)Async$/
/** The file knows that such calls give a future: it asks others of them. */
const asksFutures = (unit: Unit): boolean => unit.calls.some(c => /[.](get|join)$/.test(c.name) && ASYNC.test(receiverName(unit, c)))

const receiverName = (unit: Unit, { receiver }: Call): string => (receiver?.is === 'call' ? unit.calls[receiver.call]!.name : '')

/** What the catalog says, where the module it speaks of is there: `toBeVisible` gives a promise in one library only. */
function givesPromise(call: Call, { imports }: File): boolean {
  const effect = effectOf(call, 'promise')
  if (!effect || effect.through !== undefined) return false
  return effect.what === undefined
    || imports.some(i => i.name === effect.what || i.name.startsWith(`${effect.what}.`) || i.name.startsWith(`${effect.what}/`))
}

/** A function by its name, or a method of the class around or of a class that is named: `client.close` may be anybody's. */
const isItsName = (call: Call, target: Unit): boolean =>
  !/[.:]/.test(call.name) || /^(this|self|cls)\.\w+$/.test(call.name) || target.title.endsWith(call.name)

/**
 * It is given a function to call, or the test's own `done`: whoever is told that way need not wait. (In Python a parameter is a fixture.)
 */
function isTold(unit: Unit, call: Call): boolean {
  const index = unit.calls.indexOf(call)
  const given = [...call.args, ...Object.values(call.named)]
  // What a wait is given is what it waits for: it asserts, or is waited for itself.
  if (NAMED_WAIT.test(call.name)
    && unit.regions.some((r, at) =>
      r.kind === 'closure' && r.call === index && (r.async === true || unit.assertions.some(a => a.in === at))
    )) return false
  return unit.regions.some(r => r.kind === 'closure' && r.call === index)
    || given.some(a =>
      [...valuesIn(a, unit)].some(v => v.is === 'name' && unit.role.is === 'test' && unit.params.includes(v.path) && !PAGES.test(v.path))
    )
}

/** Right where it stands; in a function that something calls back; or in a handler, stub, other thread or page. */
function runs(unit: Unit, call: Call): 'here' | 'called' | 'elsewhere' {
  let found: 'here' | 'called' = 'here'
  for (const region of around(unit, call.in)) {
    if (region.kind === 'background' || region.kind === 'catch') return 'elsewhere'
    if (region.kind !== 'closure' || region.call === undefined) continue
    const to = unit.calls[region.call]!
    // What an assertion calls is meant to fail, and where: `expect(() => { cart.pay() }).toThrow()`.
    // `act` goes on until all that its function has begun is done.
    if (has(to, 'spawn', 'stub', 'fake-net') || IN_PAGE.test(to.name) || ASSERTS.test(to.name) || /(^|\.)act$/.test(to.name))
      return 'elsewhere'
    if (!runsRightHere(region, to)) found = 'called'
  }
  return found
}

const runsRightHere = (region: Region, to: Call): boolean =>
  has(to, 'inline', 'wait-until') || looksLikePoll(to) || to.result === 'awaited' || (to.result === 'returned' && region.async === true)

/** In an async function or a hook, or in a `then` that another one follows: the next step comes at once. */
const isSkipped = (unit: Unit, call: Call): boolean =>
  unit.async === true || unit.role.is === 'hook'
  || [...around(unit, call.in)].some(r =>
    r.kind === 'closure' && r.call !== undefined && CHAINS.test(unit.calls[r.call]!.name)
    && unit.calls.some(c => c.name === '?.then' && c.receiver?.is === 'call' && c.receiver.call === r.call)
  )

/** `const loaded = page.waitForEvent('load'); page.click('a'); await loaded`: the click is waited for by what it causes. */
function setsOff(unit: Unit, call: Call): 'before' | 'later' | undefined {
  const begun = (path: string): boolean => {
    const root = path.split('.')[0]!
    const writes = unit.writes.filter(w => w.target === path || w.target === root)
    return writes.length === 0 || writes.some(w => w.span.end <= call.span.start)
  }
  const after = (start: number): boolean => start >= call.span.end
  // Inside of `new Promise(resolve => …)` somebody else says when it is over.
  if ([...around(unit, call.in)].some(r => r.call !== undefined && unit.calls[r.call]!.name === 'Promise.new')) return 'before'
  if (EMBER.test(call.name)) {
    const looks = unit.assertions.find(a => after(a.span.start))?.span.start ?? Infinity
    if (unit.calls.some(c => c.result === 'awaited' && EMBER.test(c.name) && after(c.span.start) && c.span.start < looks)) return 'before'
  }
  if (unit.awaits?.some(a => after(a.span.start) && begun(a.path))) return 'before'
  if (unit.calls.some(c => has(c, 'sync', 'sync-timed') && !has(c, 'promise') && after(c.span.start))) return 'before'
  // Awaitility: whoever looks until it is so waits for what was begun.
  if (call.name.startsWith('java.') && unit.calls.some(c => (has(c, 'wait-until') || looksLikePoll(c)) && after(c.span.start)))
    return 'before'
  const awaited = unit.calls.filter(c => c.result === 'awaited' && after(c.span.start))
  if (awaited.some(c =>
    (CHAINS.test(c.name) && c.receiver?.is === 'name' && begun(c.receiver.path))
    || (WAITS_FOR.test(c.name) && c.args.some(a => [...valuesIn(a, unit)].some(v => v.is === 'name' && begun(v.path))))
  )) return 'before'
  if (awaited.some(c => has(c, 'wait-until', 'sync', 'sync-timed', 'sleep') || looksLikePoll(c)))
    return ACTS.test(call.name)
      ? 'later'
      : 'before'
  return awaited.some(c => has(c, 'wait-event') || /wait|once/i.test(c.name)) ? 'later' : undefined
}

/** Ember's helpers wait until all that was begun has settled, not only for their own part. */
const EMBER = /^@ember\/test-helpers\./

/** What is done to a page: a wait that begins after it may look at the page as it was. */
const ACTS =
  /(^|\.)(click|dblclick|tap|press|type|fill|check|uncheck|hover|focus|selectOption|goto|goBack|goForward|reload|setContent|dispatchEvent)$/

// ------------------------------------------------------------------------------------------------ callbacks

/** Functions that call back in a later turn. */
const CALLS_BACK =
  /(^|\.)(listen|readFile|readdir|mkdtemp|exec|execFile|connect|createConnection|bind|request|setTimeout|setImmediate|nextTick)$/

export interface Left {
  readonly unit: Unit
  readonly call: Call
  readonly what: string | undefined
}

/**
 * What a hook or test leaves to a callback, without a `done`, an await or a promise that it gives back: `before(() => { server.listen(0, () => { url = … }) })`,
 * `afterEach(() => { close(w).then(…) })`.
 */
export function* leftToCallbacks(file: File): Generator<Left> {
  if (file.language !== 'typescript') return
  for (const unit of file.units) {
    if ((unit.role.is !== 'hook' && unit.role.is !== 'test') || unit.params.length > 0 || !isTestCode(file, unit)) continue
    for (const [i, region] of unit.regions.entries()) {
      const call = region.kind === 'closure' && region.call !== undefined ? unit.calls[region.call]! : undefined
      if (call?.result !== 'discarded' || [...around(unit, call.in)].some(r => r.kind === 'closure')) continue
      const chained = /^\?\.(then|finally)$/.test(call.name)
      const after = (span: { start: number }) => span.start >= call.span.end
      if ((!chained && !CALLS_BACK.test(call.name)) || isMoved(unit, call) || has(call, 'fake-clock', 'stub') || unit.awaits?.some(a =>
        after(a.span)
      ) || unit.calls.some(c => (c.result === 'awaited' || (c.result === 'returned' && c.in === 0)) && after(c.span))) continue
      const own = new Set(unit.writes.filter(w => w.declares && [...around(unit, w.in)].includes(unit.regions[i]!)).map(w => w.target))
      const set = unit.writes.filter(w => w.in === i && /^\w+$/.test(w.target) && !own.has(w.target)).map(w => w.target)
      const read = unit.role.is === 'test'
        ? set.find(t =>
          unit.assertions.some(a =>
            after(a.span) && ![...around(unit, a.in)].includes(unit.regions[i]!)
            && a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'name' && v.path.split('.')[0] === t))
          )
        )
        : set.find(t => file.units.some(u => u !== unit && u.role.is !== 'module' && mentions(u, t)))
      if (read !== undefined || (chained && unit.role.is === 'hook')) yield { unit, call, what: read }
    }
  }
}

/** `clock.setTimeout(…); clock.tick(100)`: the test moves that clock itself. */
const isMoved = (unit: Unit, { receiver, span }: Call): boolean =>
  receiver?.is === 'name'
  && unit.calls.some(c =>
    c.span.start >= span.end && c.receiver?.is === 'name' && c.receiver.path === receiver.path
    && /[.](tick|advance\w*|run\w*|flush\w*)$/.test(c.name)
  )

/** Twisted: `self.port.stopListening()` in a hook after the test, neither given back nor yielded. */
export function* leftListening(file: File): Generator<{ readonly unit: Unit; readonly call: Call; readonly sure: boolean }> {
  if (file.language !== 'python') return
  for (const unit of file.units) {
    const call = unit.role.is === 'hook' && unit.role.when === 'after'
      ? unit.calls.find(c => c.result === 'discarded' && /[.]stopListening$/.test(c.name) && c.args.length === 0)
      : undefined
    // A hook that gives something else back may wait for what comes of it.
    if (call) yield { unit, call, sure: unit.returns.length === 0 || unit.markers.some(m => /inlineCallbacks$/.test(m.name)) }
  }
}

/** `createReadStream(a).pipe(createWriteStream(b))` as a statement of its own: the copy is written while the test goes on. */
export function* pipedAway(file: File): Generator<{ readonly unit: Unit; readonly call: Call }> {
  if (file.language !== 'typescript') return
  for (const unit of file.units) {
    const call = unit.role.is === 'suite' || unit.role.is === 'module' || !isTestCode(file, unit)
      ? undefined
      : unit.calls.find(c =>
        c.result === 'discarded' && /[.]pipe$/.test(c.name) && c.args[0]?.is === 'call'
        && /(^|[.])createWriteStream$/.test(unit.calls[c.args[0].call]!.name) && ![...around(unit, c.in)].some(r => r.kind === 'closure')
      )
    if (call && !unit.calls.some(c => c.span.start > call.span.end && /(^|[.])(finished|once|on)$/.test(c.name))) yield { unit, call }
  }
}

// ------------------------------------------------------------------------------------------------- evidence

interface Tally {
  waited: number
  not: number
}

/** How often the same call is waited for in this file, where it nearly always is. */
function evidenceOf(file: File): (unit: Unit, call: Call) => (Pick<Floating, 'times' | 'like'> & { readonly once: boolean }) | undefined {
  const tallies = new Map<string, Tally>()
  for (const unit of file.units) {
    if (unit.calls.length === 0) continue
    const waited = waitedCalls(unit)
    unit.calls.forEach((call, i) => {
      const how = waited.has(i) ? 'waited' : call.result === 'discarded' || keptPlain(unit, i) ? 'not' : undefined
      for (const key of how ? keysOf(file, unit, call) : []) {
        const tally = tallies.get(key) ?? { waited: 0, not: 0 }
        tally[how!]++
        tallies.set(key, tally)
      }
    })
  }
  return (unit, call) => {
    const [same, like] = keysOf(file, unit, call).map(key => tallies.get(key))
    if (same && same.waited >= LEAST_SAME && same.waited >= 2 * same.not) return { times: same.waited, like: false, once: false }
    if (like && like.waited >= LEAST_LIKE && like.waited >= 8 * like.not) return { times: like.waited, like: true, once: false }
    return same && same.waited >= 1 && same.not === 1 ? { times: same.waited, like: false, once: true } : undefined
  }
}

const COROUTINE = /(^|\.)(coroutine|gen_test|inlineCallbacks)$/
/** What its name says to go on beside the test, or by itself. */
const BESIDE = /background|spawn|schedule|fire|trigger|emit|notify|enqueue|submit|send/i

/**
 * The one time that nobody waits, in a function that could: an async one, a coroutine of tornado, a hook. In Python only for the same
 * thing, as a test keeps it: there, a variable of the same name may be of the other world.
 */
function isLeftOut(file: File, unit: Unit, call: Call): boolean {
  // A test's own assertions are waited for by the one that runs it: tap's `t.rejects(…)`.
  if (call.receiver?.is === 'name' && /^(t|tap|assert)$/.test(call.receiver.path)) return false
  if (BESIDE.test(call.name) || isKnownHere(file, unit, call)) return false
  if (file.language === 'typescript') return isSkipped(unit, call)
  return file.language === 'python' && (unit.async === true || unit.markers.some(m => COROUTINE.test(m.name)))
    && call.receiver?.is === 'name' && /^self\./.test(call.receiver.path)
}

/** The same is waited for in the same function: whoever does not do it there has a reason. */
const isKnownHere = (file: File, unit: Unit, call: Call): boolean => {
  const [key] = keysOf(file, unit, call), waited = waitedCalls(unit)
  return unit.calls.some((c, i) => waited.has(i) && keysOf(file, unit, c)[0] === key)
}

const FILLS = /^(push|unshift|add|set|delete|append)$/

/** A list of the file's own gives nothing to wait for: `.then(() => seen.push(1))`. */
const isCollection = (name: string, file: File): boolean =>
  file.units.some(u =>
    u.writes.some(w =>
      w.target === name
      && (w.value.is === 'group'
        || (w.value.is === 'call' && /^(Array|Set|Map|WeakSet|WeakMap)(\.new)?$/.test(u.calls[w.value.call]!.name)))
    )
  )

/** `cart.save` as it stands, then any `.save`. */
function keysOf(file: File, unit: Unit, call: Call): string[] {
  if (call.name === '?' || call.name.endsWith('.new') || call.name.startsWith('expect') || CHAINS.test(call.name)
    || has(call, 'stub', 'log')) return []
  const method = /[^.:]*$/.exec(call.name)![0]
  // Where the type is known, another type's method by the same name says nothing: one client blocks, the next one does not.
  if (file.language === 'rust' && call.resolution === 'type') return [call.name]
  // `done.fail` ends a test as `done` does.
  if (call.receiver?.is === 'name' && ENDS.test(call.receiver.path) && unit.params.includes(call.receiver.path)) return []
  // React's `act` gives a promise where its function does.
  if (method === 'act') return []
  // A store gives a promise for a thunk, and nothing to wait for where it is given a plain action.
  if (method === 'dispatch') return []
  if (!call.receiver) return unit.params.includes(call.name) || ENDS.test(call.name) ? [] : [call.name]
  if (FILLS.test(method) && call.receiver.is === 'name' && isCollection(call.receiver.path, file)) return []
  return [call.receiver.is === 'name' ? `${call.receiver.path}.${method}` : `${printed(call.receiver, unit)}.${method}`, `.${method}`]
}

const printed = (value: Value, unit: Unit): string => (value.is === 'call' ? `${unit.calls[value.call]?.name}()` : value.is)

/** Calls that are awaited, chained, gathered, kept for a later await, or given back to a chain. */
function waitedCalls(unit: Unit): Set<number> {
  const waited = new Set<number>()
  const note = (value: Value | null | undefined): void => {
    if (value?.is === 'call') waited.add(value.call)
    else if (value?.is === 'group') value.of.forEach(note)
  }
  unit.calls.forEach((call, i) => {
    if (call.result === 'awaited') waited.add(i)
    if (call.result === 'returned'
      && [...around(unit, call.in)].some(r => r.kind === 'closure' && r.call !== undefined && CHAINS.test(unit.calls[r.call]!.name)))
      waited.add(i)
    if (CHAINS.test(call.name)) note(call.receiver)
    if (WAITS_FOR.test(call.name)) [call.receiver, ...call.args].forEach(note)
  })
  for (const { path } of unit.awaits ?? []) for (const write of unit.writes) if (write.target === path) note(write.value)
  return waited
}

/** `const total = cart.total()`, and `total` is used as it is. */
const keptPlain = (unit: Unit, index: number): boolean => unit.writes.some(w => w.value.is === 'call' && w.value.call === index)

// ------------------------------------------------------------------------------------------------ assertions

/** `expect(screen.findByText('x')).toBeTruthy()`: what is asserted is the promise, and that is always there. */
export function* assertedPromises(file: File): Generator<{ unit: Unit; call: Call }> {
  if (file.language !== 'typescript') return
  for (const unit of file.units) {
    if (!isTestCode(file, unit)) continue
    for (const { operands, span, compare } of unit.assertions) {
      const call = operands[0]?.is === 'call' ? unit.calls[operands[0].call]! : undefined
      if (call?.result !== 'used' || compare === 'throws' || !FINDS.test(call.name)) continue
      if (!unit.calls.some(c =>
        c.span.start <= span.start && c.span.end >= span.end && /resolves|rejects|eventually|poll|reject|fulfil|Promise/.test(c.name)
      )) yield { unit, call }
    }
  }
}

const FINDS = /\.find(All)?By(Role|Text|LabelText|PlaceholderText|TestId|AltText|Title|DisplayValue)$/

// ---------------------------------------------------------------------------------------------------- loops

/** A list of promises that is dropped, or a loop that gives none. An `act` that nobody awaits is the same. */
const isDroppedLoop = (call: Call): boolean =>
  (call.name === '?.forEach' && call.result !== 'awaited')
  || (call.result === 'discarded' && /^\?\.(map|flatMap)$|^@testing-library\.act$|^react(-dom\/test-utils)?\.act$/.test(call.name))

/** `items.forEach(async item => { await … })`: the loop ends before any of it is done. */
export function* unawaitedLoops(file: File): Generator<{ unit: Unit; call: Call }> {
  for (const unit of file.units) {
    if (unit.role.is === 'module' || unit.role.is === 'suite' || !isTestCode(file, unit)) continue
    for (const region of unit.regions) {
      const call = region.kind === 'closure' && region.async && region.call !== undefined ? unit.calls[region.call]! : undefined
      // `routes.map(paths, { before: [async …] })` is no list's.
      if (!call || !isDroppedLoop(call) || call.args[0]?.is === 'name' || runs(unit, call) === 'elsewhere') continue
      // What awaits in a function that it hands on does so at another time.
      const awaits = (c: Call) => c.result === 'awaited' && [...around(unit, c.in)].find(r => r.kind === 'closure') === region
      if (unit.calls.some(awaits)) yield { unit, call }
    }
  }
}
