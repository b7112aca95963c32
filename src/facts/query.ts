// Questions that rules and flows ask of facts, each answered in one place.

import type { EffectKind, Effect } from './effects.ts'
import type { Assertion, Call, FileFacts, Region, Span, Unit, Value, Write } from './facts.ts'
import { rememberedByName, rememberedOf } from './remembered.ts'

type File = Pick<FileFacts, 'units' | 'kind'>
type Curable = Pick<FileFacts, 'units' | 'cures' | 'fixtures'>

/** The unit's ancestors, nearest first, without itself. */
export function ancestors(file: Pick<FileFacts, 'units'>, unit: Unit): Unit[] {
  const found: Unit[] = []
  for (let at = unit.parent; at !== null; at = file.units[at]!.parent) found.push(file.units[at]!)
  return found
}

/** The nearest write of this kind, in the unit or around it. */
export function writeAround(file: Pick<FileFacts, 'units'>, unit: Unit, isIt: (write: Write, unit: Unit) => boolean): Write | undefined {
  for (const u of [unit, ...ancestors(file, unit)]) {
    const write = u.writes.find(w => isIt(w, u))
    if (write) return write
  }
  return undefined
}

/** Source files can hold tests (Rust does): there, only tests, hooks and what stands in a test module count. */
export function isTestCode(file: File, unit: Unit): boolean {
  if (file.kind !== 'source' || unit.role.is === 'test' || unit.role.is === 'hook') return true
  return [unit, ...ancestors(file, unit)].some(u => u.role.is === 'test' || u.markers.some(m => m.name === 'cfg(test)'))
}

/** The test around this unit, or itself. */
export const testOf = (file: Pick<FileFacts, 'units'>, unit: Unit): Unit | undefined =>
  [unit, ...ancestors(file, unit)].find(u => u.role.is === 'test')

/** Tests as their runner counts them: a subtest is one where the runner reports it by itself, as node:test does and go test does not. */
export const testsOf = (file: Pick<FileFacts, 'units'>, subtests: boolean): Unit[] =>
  file.units.filter(u => u.role.is === 'test' && (subtests || !ancestors(file, u).some(a => a.role.is === 'test')))

export const effectOf = (call: Call, kind: EffectKind): Effect | undefined => call.effects.find(e => e.kind === kind)
/** Most calls have no effect. */
export const has = (call: Call, ...kinds: EffectKind[]): boolean =>
  call.effects.length > 0 && call.effects.some(e => kinds.includes(e.kind))

/** The regions around a place, innermost first, without the body. */
export function* around(unit: Unit, region: number): Generator<Region> {
  for (let at = region; at !== 0; at = unit.regions[at]!.in) yield unit.regions[at]!
}

export const within = (unit: Unit, region: number, ...kinds: Region['kind'][]): boolean =>
  [...around(unit, region)].some(r => kinds.includes(r.kind))

/** The closure that a call is given, by its place among the unit's regions; -1 where it is given none. */
export const closureOf = (unit: Unit, call: Call): number => closuresOf(unit).get(call) ?? -1
const closuresOf = rememberedOf((unit: Unit): ReadonlyMap<Call, number> =>
  new Map(
    unit.regions.map((r, i) => [r, i] as const).reverse().flatMap(([r, i]) =>
      r.kind === 'closure' && r.call !== undefined && unit.calls[r.call] ? [[unit.calls[r.call]!, i]] : []
    ),
  )
)

/** `while (!open)`, `for (i = 0; i < 9 && !open; i++)`; a count alone asks for nothing. */
const asksFor = ({ condition, counted }: Region): boolean =>
  condition !== undefined && condition.is !== 'literal'
  && !(counted && condition.is === 'op' && /^([<>]=?|[!=]==?)$/.test(condition.op) && condition.of.every(v => v.is !== 'call'))

/** A loop that looks again until something holds, or a closure that a polling helper calls. */
export function polls(unit: Unit, region: number): boolean {
  for (const r of around(unit, region)) {
    // A loop that nothing ends is a worker's, and no test waits for it.
    if (r.kind === 'loop' && !r.leaves && !r.counted && r.condition === undefined) return true
    if (r.kind === 'loop' && (r.leaves || asksFor(r))) return true
    if (r.kind === 'closure' && r.call !== undefined && looksLikePoll(unit.calls[r.call]!)) return true
  }
  return false
}

const POLL_NAME = /(^|[.:_])(wait|await|poll|until|eventually|retry|check)(_?(for|until|while|all|any|cond|condition|util))?s?($|_|[A-Z(])/
/** A variable is used somewhere in a unit: called on, given, kept or asserted. */
export const mentions = (unit: Unit, name: string): boolean =>
  [...unit.calls.flatMap(c => [...(c.receiver ? [c.receiver] : []), ...c.args, ...Object.values(c.named)]), ...unit.writes.map(w =>
    w.value
  ), ...unit.assertions.flatMap(a => a.operands)]
    .some(v => [...valuesIn(v, unit)].some(x => x.is === 'name' && x.path.split('.')[0] === name))

/** `waitDuration(…)`, `RetryConfig.custom()`: a setting of something that waits or tries again. */
const POLL_SETTING = /(duration|interval|delay|period|config|policy|strategy|options?|backoff)\w*([.:]+\w+)?$/i
export const looksLikePoll = (call: Call): boolean =>
  has(call, 'wait-until')
  || (call.resolution !== 'import' && pollsByName(call.name))
const pollsByName = rememberedByName(name => POLL_NAME.test(name.replace(/^\?\./, '')) && !POLL_SETTING.test(name))

/**
 * Whether code runs elsewhere than where it stands: `spawn` in another thread, task or process, `callback` when somebody
 * calls it (a handler, a stub), `inline` right here.
 */
export function runsIn(unit: Unit, region: number): 'inline' | 'spawn' | 'callback' {
  let found: 'inline' | 'callback' = 'inline'
  for (const r of around(unit, region)) {
    if (r.kind === 'background') return 'spawn'
    if (r.kind !== 'closure') continue
    const call = r.call === undefined ? undefined : unit.calls[r.call]
    // A closure that a class or file keeps runs when somebody calls it.
    if (!call && (unit.role.is === 'suite' || unit.role.is === 'module')) found = 'callback'
    if (call && has(call, 'spawn')) return 'spawn'
    if (call && (HANDS_OVER.test(call.name) || !isWaitedFor(unit, r.call!)) && !has(call, 'inline', 'wait-until') && !looksLikePoll(call))
      found = 'callback'
  }
  return found
}

/** Waited for is that somebody is told whom to call, not the call: `await channel.consume(queue, async message => …)`. */
const HANDS_OVER = /[.](consume|p?subscribe|on|once|addListener|addEventListener|route|exposeFunction|exposeBinding|process)$/i

/** The test waits for what the call gives: it awaits it, returns it, or does so with what comes after it. */
function isWaitedFor(unit: Unit, index: number, depth = 0): boolean {
  const call = unit.calls[index]!
  if (call.result === 'awaited' || (call.result === 'returned' && unit.role.is === 'test')) return true
  if (depth > 4) return false
  const next = unit.calls.findIndex(c => c.receiver?.is === 'call' && c.receiver.call === index && /[.](then|catch|finally)$/.test(c.name))
  return next >= 0 && isWaitedFor(unit, next, depth + 1)
}

/**
 * A function that nothing in its file calls where it stands: one inside a test that is handed to a thread or a server, a
 * handler's method. It simulates work, and no test waits in it.
 */
export function isCalledElsewhere(file: File, unit: Unit): boolean {
  if (unit.role.is !== 'helper') return false
  const outer = ancestors(file, unit)[0]
  // A subtest of a helper runs where it stands.
  if (outer && unit.title.startsWith(`${outer.title}/`)) return false
  const nested = outer !== undefined && (outer.role.is === 'test' || outer.role.is === 'helper' || outer.role.is === 'hook')
  const ofHandler = file.kind === 'test' && outer?.role.is === 'suite'
    && !file.units.some(u => u.parent === outer.id && (u.role.is === 'test' || u.role.is === 'hook'))
  // Go's methods stand beside their type: `fakeShop.Open`. Only a test has a `t` to give.
  const ofFake = /^\w*(fake|mock|stub|dummy|slow|blocking)\w*\.\w+$/i.test(unit.title) && !unit.params.includes('t')
  return (nested || ofHandler || ofFake)
    && !callsOf(file, unit).some(({ by, call }) => runsIn(by, call.in) === 'inline' && !isHandedOn(unit, call, by))
}

const RUNS = /(^|[.:_])(run|run_\w+|block_on|wait_for|shield|timeout)$/

/** An async function that is called and not awaited only makes a coroutine: whoever is given it runs it, beside the caller. */
export function isHandedOn(callee: Unit, call: Call, caller: Unit): boolean {
  if (!callee.async || call.result !== 'used') return false
  const to = caller.calls.find(c => c.args.some(a => a.is === 'call' && caller.calls[a.call] === call))
  return !to || !RUNS.test(to.name)
}

/** The unit's ancestors, each before the classes of this file that it extends: what these do, they do for it too. */
export function lineage(file: Pick<FileFacts, 'units'>, unit: Unit): Unit[] {
  const found: Unit[] = []
  const add = (u: Unit): void => {
    if (found.includes(u)) return
    found.push(u)
    if (u.role.is === 'suite') {
      for (const name of u.params)
        for (const base of file.units)
          if (base.role.is === 'suite' && base.name === name && base !== u) add(base)
    }
  }
  for (const u of ancestors(file, unit)) add(u)
  return found
}

/** Units whose calls are in force when this one runs: its hooks, its suites and those they extend, the module. */
export const inForce = ({ units }: Pick<FileFacts, 'units'>, unit: Unit): Unit[] => [...inForceIn(units)(unit)]

const inForceIn = rememberedOf((units: readonly Unit[]) => rememberedOf((unit: Unit) => workedInForce({ units }, unit)))

function workedInForce(file: Pick<FileFacts, 'units'>, unit: Unit): Unit[] {
  const up = lineage(file, unit)
  const hooks = hooksOf(file, up, 'before').filter(u => u.id !== unit.id)
  if (!hooks.some(h => fixtureOf(h))) return [...up.reverse(), ...hooks]
  const asked = askedBy(file, unit)
  return [...up.reverse(), ...hooks.filter(h => !fixtureOf(h) || isForAll(h) || asked.has(fixtureName(h)))]
}

/**
 * The hooks of some suites, which are told the nearest first; one that a nearer suite has by the same name, and that does not call on,
 * hides it.
 */
export function hooksOf(file: Pick<FileFacts, 'units'>, suites: readonly Unit[], when: 'before' | 'after'): Unit[] {
  const near = new Map(suites.map((u, at) => [u.id, at]))
  const hooks = file.units.filter(u => u.role.is === 'hook' && u.role.when === when && u.parent !== null && near.has(u.parent))
  const hides = (own: Unit, other: Unit) =>
    own.name === other.name && suites[near.get(other.parent!)!]!.role.is === 'suite' && suites[near.get(own.parent!)!]!.params.length > 0
    && near.get(own.parent!)! < near.get(other.parent!)! && !own.calls.some(c => c.name.endsWith(`.${own.name}`))
  return hooks.filter(h => !hooks.some(own => hides(own, h)))
}

const fixtureOf = (unit: Unit): Unit['markers'][number] | undefined => unit.markers.find(m => FIXTURE.test(m.name))
const FIXTURE = /^pytest(_asyncio)?\.(yield_)?fixture$|^pytest_trio\.trio_fixture$/

/** A function that pytest calls for the tests that name it, or for everybody where it says so. */
export const isFixture = (unit: Unit): boolean => fixtureOf(unit) !== undefined
export const isForAll = (unit: Unit): boolean => /autouse\s*=\s*True/.test(fixtureOf(unit)?.key ?? '')
export const fixtureName = (unit: Unit): string => /\bname\s*=\s*["'](\w+)["']/.exec(fixtureOf(unit)?.key ?? '')?.[1] ?? unit.name

/** The fixtures that a unit names: among its parameters, in a mark of its own, of its suites or of the file, and those that these name. */
function askedBy(file: Pick<FileFacts, 'units'>, unit: Unit): Set<string> {
  const around = [unit, ...lineage(file, unit)]
  const marks = around.flatMap(u => u.markers.filter(m => m.name.endsWith('.usefixtures')))
  // `with_shop = pytest.mark.usefixtures("shop")`, and then `@with_shop`.
  const kept = around.flatMap(u => u.markers).flatMap(m =>
    file.units[0]!.writes.filter(w => w.target === m.name).map(
      w => (w.value.is === 'call' ? file.units[0]!.calls[w.value.call] : undefined),
    )
  ).filter(c => c?.name.endsWith('.usefixtures'))
  const asked = new Set([...unit.params, ...kept.flatMap(c => c!.args.flatMap(a => (a.is === 'literal' ? [String(a.value)] : []))),
    ...marks.flatMap(m => Array.from((m.key ?? '').matchAll(/["'](\w+)["']/g), n => n[1]!))])
  const ids = new Set(around.map(u => u.id))
  const fixtures = file.units.filter(u => u.parent !== null && ids.has(u.parent) && isFixture(u))
  for (const known = new Set<Unit>();;) {
    const next = fixtures.find(f => !known.has(f) && (isForAll(f) || asked.has(fixtureName(f))))
    if (!next) return asked
    known.add(next)
    for (const name of next.params) asked.add(name)
  }
}

/** Whether a cure is at work in a unit: called in it, in its hooks, suites or module, and not undone in between. */
export function cured(file: Curable, unit: Unit, kind: EffectKind, before = Infinity): boolean {
  const undo = kind === 'fake-clock' ? 'real-clock' : undefined
  let on = curedBeyond(file, unit, kind) || inForce(file, unit).some(u => u.calls.some(c => cures(c, kind)))
  for (const call of unit.calls) {
    // A call stands behind what it is given: one that runs a function does it for the calls in there.
    if (call.span.start > before || (call.span.start < before && call.span.end > before && !runsAround(unit, call, before))) continue
    if (cures(call, kind)) on = true
    if (undo && has(call, undo) && !within(unit, call.in, 'finally', 'closure')) on = false
  }
  return on
}

/** A place in a function that a call is given. */
const runsAround = (unit: Unit, call: Call, at: number): boolean =>
  unit.regions.some(r => r.kind === 'closure' && r.span.start > call.span.start && r.span.start <= at && r.span.end > at)

/** A clock that is handed to what is tested stops nothing else: who sleeps beside it sleeps for real. */
export const cures = (call: Call, kind: EffectKind): boolean => has(call, kind) && effectOf(call, kind)?.note !== 'handed'

/**
 * `patch.dict(os.environ)`: a copy of the environment, and what was there comes back however it is changed meanwhile. Whoever asks for it
 * enters or starts it.
 */
export function copiesEnvironment(call: Call): boolean {
  const first = call.args[0] ?? call.named['in_dict']
  return /(^|\.)patch\.dict$/.test(call.name)
    && ((first?.is === 'name' && first.path === 'os.environ') || (first?.is === 'literal' && first.value === 'os.environ'))
}

/** Cured by something outside of the file: the runner's configuration, a shared set-up file. */
export const curedOutside = (file: Pick<FileFacts, 'cures'>, ...kinds: string[]): boolean =>
  file.cures?.some(c => kinds.includes(c)) ?? false

/** The same for one unit: also what a fixture of another file does for those who name it. */
export function curedBeyond(file: Curable, unit: Unit, ...kinds: string[]): boolean {
  if (curedOutside(file, ...kinds)) return true
  const able = file.fixtures?.filter(f => kinds.includes(f.kind)) ?? []
  if (able.length === 0) return false
  const asked = askedBy(file, unit)
  // One of the file itself by the same name stands in its place.
  return able.some(f => asked.has(f.name) && !file.units.some(u => isFixture(u) && fixtureName(u) === f.name))
}

export const marked = (file: Pick<FileFacts, 'units'>, unit: Unit, is: Unit['markers'][number]['is']): boolean =>
  [unit, ...lineage(file, unit)].some(u => u.markers.some(m => m.is === is))

/** The clock stands still for this unit: by its own doing, by what is in force around it, or for a helper by that of all who call it. */
export const frozenClock = (file: Curable, unit: Unit, at?: number): boolean => stands(file, unit, at) || replacesClock(file, unit)

/** `time.time = fake_time`, `Date.now = () => 9001`, in the test or a hook before it; what is put back is called so. */
const replacesClock = (file: Curable, unit: Unit): boolean => [unit, ...inForce(file, unit)].some(isClockReplacedIn)
const isClockReplacedIn = rememberedOf((unit: Unit): boolean =>
  unit.writes.some(w => !w.declares && CLOCK.test(w.target) && !(w.value.is === 'name' && PUT_BACK.test(w.value.path)))
  || unit.calls.some(c => c.args.length > 0 && STANDS_IN.test(c.name))
)
/** `shop.MockTimeNow(func() time.Time { return now })`, `stubClock(at)`. */
const STANDS_IN = /(^|[./:_])(mock|stub|fake|freeze|patch|override|pin)_?(time_?now|now|clock|current_?time|system_?time)$/i
const CLOCK =
  /^(time\.(time|monotonic|perf_counter)|((global|globalThis|window)\.)?(Date|performance)\.now|(global|globalThis|window)\.Date)$/
const PUT_BACK = /(^|[._])(was|orig|original|old|real|saved|native|prev|previous)(?![a-z])|^(was|orig|old|real|saved|native|prev)/i

const stands = (file: Curable, unit: Unit, at?: number): boolean =>
  marked(file, unit, 'frozen-clock') || cured(file, unit, 'fake-clock', at) || frozenByCallers(file, unit) || isGivenClock(file, unit)
  || hasOwnLoop(file)

/** `class FastLoop(asyncio.SelectorEventLoop)` with a `time` of its own: what waits in it waits by that one. */
const hasOwnLoop = (file: Curable): boolean => isOwnLoopIn(file.units)
const isOwnLoopIn = rememberedOf((units: readonly Unit[]): boolean =>
  units.some(u =>
    u.role.is === 'suite' && u.params.some(base => /EventLoop$/.test(base)) && units.some(m => m.parent === u.id && m.name === 'time')
  )
)

/** `describeShop('orders', ({ api, getClock }) => {…})`: whoever makes the suite hands it a clock to turn. */
const isGivenClock = (file: Curable, unit: Unit): boolean =>
  lineage(file, unit).some(u => u.role.is === 'suite' && u.params.some(p => /^(get)?(fake|mock)?clock$/i.test(p)))

/**
 * Time itself stands still, not only what is read of it. A date that is set, and a fake clock that goes on by itself, let whoever
 * sleeps sleep for real.
 */
export const stillTime = (file: Curable, unit: Unit, at?: number): boolean => stands(file, unit, at) && !sleepsOn(file, unit)

const SETS_DATE =
  /^(mockdate|MockDate|timekeeper|tk|jest-date-mock|freezegun|freezer|time_machine)\.|\((Date|performance)\.now\)$|^bun:test\.setSystemTime$|\.setCurrentMillis(Fixed|Offset)$|\.mockStatic$/
const DATE_MARKS = /(^|\.)(freeze_time|time_machine|travel|freezer|frozen_time)$/

function sleepsOn(file: Curable, unit: Unit): boolean {
  const around = [unit, ...inForce(file, unit)]
  const marks = [unit, ...lineage(file, unit)].flatMap(u => u.markers.filter(m => m.is === 'frozen-clock'))
  const fakes = around.flatMap(u => u.calls.filter(c => cures(c, 'fake-clock')))
  return marks.length + fakes.length > 0 && !curedBeyond(file, unit, 'fake-clock') && marks.every(m => DATE_MARKS.test(m.name))
    && fakes.every(c => SETS_DATE.test(c.name) || goesOn(c))
}

const goesOn = ({ named }: Call): boolean => {
  const advance = named['shouldAdvanceTime'] ?? named['advanceTimers'], only = named['toFake'] ?? named['apis']
  return (advance?.is === 'literal' && advance.value !== false)
    || (only?.is === 'group' && only.of.length > 0 && only.of.every(v => v.is === 'literal' && v.value !== 'setTimeout'))
}

function frozenByCallers(file: Curable, unit: Unit, depth = 0): boolean {
  if (unit.role.is !== 'helper' || depth > 2) return false
  const callers = callsOf(file, unit).filter(c => c.by !== unit)
  return callers.length > 0
    && callers.every(({ by, call: { span } }) =>
      marked(file, by, 'frozen-clock') || cured(file, by, 'fake-clock', span.start) || replacesClock(file, by)
      || frozenByCallers(file, by, depth + 1)
    )
}

/** `func ExampleOpen()`: shown in the documentation of Go, with no `t` to fail by. */
export const isExample = ({ language }: Pick<FileFacts, 'language'>, { name }: Unit): boolean =>
  language === 'go' && /^Example(?!\p{Ll})/u.test(name)

/** Property-based tests and benchmarks live by other rules. */
export const isProperty = (file: Pick<FileFacts, 'units'>, unit: Unit): boolean =>
  marked(file, unit, 'property') || marked(file, unit, 'benchmark') || [unit, ...inForce(file, unit)].some(asksForProperty)
const asksForProperty = rememberedOf((unit: Unit): boolean => unit.calls.some(c => has(c, 'property')))

/** Benchmarks run when somebody asks for them; those of pytest run with the tests unless somebody says otherwise. */
export const runsApart = (file: Pick<FileFacts, 'units' | 'language'>, unit: Unit): boolean =>
  file.language !== 'python' && marked(file, unit, 'benchmark')

export const assertionsAfter = (unit: Unit, offset: number): Assertion[] => unit.assertions.filter(a => a.span.start >= offset)

/** Every value inside a value, itself included; the arguments of calls too. */
export function valuesIn(value: Value, unit: Unit): readonly Value[] {
  const found: Value[] = []
  gather(value, unit, found, 0)
  return found
}

function gather(value: Value, unit: Unit, found: Value[], depth: number): void {
  found.push(value)
  if (depth > 20 || value.is === 'literal' || value.is === 'name') return
  const inner = value.is === 'text' ? value.parts : value.is === 'op' || value.is === 'group'
    ? value.of
    : value.is === 'call'
    ? callParts(unit.calls[value.call])
    : []
  for (const part of inner) gather(part, unit, found, depth + 1)
}

const callParts = (call: Call | undefined): Value[] =>
  call ? [...(call.receiver ? [call.receiver] : []), ...call.args, ...Object.values(call.named)] : []

/** One place lies in another, or is it. */
export const isInSpan = (inner: Span, outer: Span): boolean => inner.start >= outer.start && inner.end <= outer.end

/** The calls of a function in its own file. */
export const callsOf = ({ units }: Pick<FileFacts, 'units'>, unit: Unit): readonly { readonly by: Unit; readonly call: Call }[] =>
  callsByTarget(units).get(unit.id) ?? []

const callsByTarget = rememberedOf((units: readonly Unit[]) => {
  const found = new Map<number, { by: Unit; call: Call }[]>()
  for (const by of units)
    for (const call of by.calls)
      if (call.target !== undefined) {
        if (!found.has(call.target)) found.set(call.target, [])
        found.get(call.target)!.push({ by, call })
      }
  return found
})

/** The functions of this file that a unit calls. */
export const calledBy = ({ units }: Pick<FileFacts, 'units'>, unit: Unit): Unit[] =>
  unit.calls.flatMap(c => (c.target === undefined ? [] : [units[c.target]!]))

/** The argument an effect speaks of. */
export function argumentOf(call: Call, effect: Effect): Value | undefined {
  if (effect.arg === undefined) return undefined
  if (typeof effect.arg === 'string') return optionOf(call, effect.arg)
  return effect.arg === -1 ? call.receiver ?? undefined : call.args[effect.arg]
}

/** Given by name, or in options that are kept under one. */
export function optionOf({ named, args }: Call, key: string): Value | undefined {
  const last = args.at(-1)
  return named[key] ?? (last?.is === 'name' ? { is: 'name', path: `${last.path}.${key}` } : undefined)
}
