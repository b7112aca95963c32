// State of other modules and classes that a test changes: attributes of what it imports, singletons, contexts of the
// thread, registries that everyone shares.

import type { Call, FileFacts, Span, Unit, Value, Write } from '../../facts/facts.ts'
import { ancestors, around, has, inForce, isProperty, runsIn, valuesIn } from '../../facts/query.ts'
import { afterwards, changersOf, fateOf, isEnclosed, touches, undoes, type Fate } from './leaks.ts'
import { rootOf } from './shared.ts'

export interface Outside {
  readonly unit: Unit
  readonly span: Span
  readonly what: string
  readonly fate: Exclude<Fate, 'put back'>
  /** Nothing but a guess says that it outlives the test. */
  readonly guess: boolean
  /** Other tests of the file give it the very same value: none of them looks at what another left. */
  readonly alike?: boolean
}

/** Getters of what exists once. Rust's `default()` makes a new one, so only names with dots count. */
const SINGLETON = /\.(get_?\w*(instance|context|loader|registry|root_?logger)|instance|current|get_?current|shared|singleton)$/i
const CHANGES = /(^|[.:])(set|add|put|register|replace|install|enable|disable|bind|attach)([A-Z_]\w*)?$|[.:]start[A-Z]\w*$/
const UNDOES =
  /(^|[.:])(remove|clear|reset|restore|destroy|release|unregister|deregister|uninstall|stop|close|shutdown|dispose|cleanup|tearDown|set|unset|delete|disable)([A-Z_]\w*)?$/i

/** What of other modules and classes a test changes and does not put back; the first of each kind and name in a unit. */
export function* outsideChanges(file: FileFacts, textOf: (span: Span) => string): Generator<Outside> {
  for (const unit of changersOf(file)) {
    const told = new Set<string>()
    for (const found of [...attributes(file, unit), ...packageVariables(file, unit, textOf), ...singletons(file, unit),
      ...switches(file, unit), ...setters(file, unit), ...forced(file, unit), ...grown(file, unit), ...turned(file, unit)])
    {
      if (told.has(found.what)) continue
      told.add(found.what)
      yield found
    }
  }
}

const importOf = (file: FileFacts, path: string) =>
  file.imports.filter(i => i.name !== '' && path.startsWith(`${i.name}.`) && i.local !== '*').sort((a, b) =>
    b.name.length - a.name.length
  )[0]

/** Globals of the language's own that tests replace. */
const GLOBAL =
  /^(global|globalThis|window|console|Date|Math|navigator|document|process|Object|Array|Promise)\.(?!env\b|exitCode\b)\w+$|^(global|globalThis|window)\.(?!location|history|document|process|localStorage|sessionStorage|_)\w+\.\w+$|^(sys\.(argv|path|stdout|stderr|stdin|modules|platform)|time\.Local|net\/http\.Default\w+)(\b|\[)/

const MOCKS = /\.(Mock|Fake|Stub|Patch|Override|Swap)$/
const SETS_ASIDE = /patch|aside|overrid|preserv|restor|swap|tempor/i

/** A parameter or variable of the unit's own that is called like a module or a global. */
function isOwn(unit: Unit, target: string): boolean {
  const root = /^\w+(?=\.)/.exec(target)?.[0]
  return root !== undefined && (unit.params.includes(root) || unit.writes.some(w => w.target === root && w.declares))
}

function* attributes(file: FileFacts, unit: Unit): Generator<Outside> {
  // A hook that sets it before each test is what sets it back.
  if (unit.role.is === 'hook' && unit.role.per === 'test') return
  for (const write of unit.writes) {
    if (write.declares || undoes(unit, write.in) || runsIn(unit, write.in) !== 'inline' || isOwn(unit, write.target)
      || isEnclosed(unit, write.in, SETS_ASIDE)) continue
    const owner = importOf(file, write.target)
    const isGlobal = GLOBAL.test(write.target)
    const rest = owner && write.target.slice(owner.name.length + 1)
    // An attribute of what the module holds may be an object of the test's own; of the module or class itself it is not.
    const held = isHeld(file, unit, owner, rest) || isNeighbour(file, write)
    if (!isGlobal && !held && (!rest || !/^\w+$/.test(rest) || unit.writes.some(w => w.declares && w.target === owner!.local))) continue
    const restoring = write.value.is === 'name'
      && (/old|orig|prev|sav|before|backup|real/i.test(write.value.path) || isTakenFrom(unit, write.value.path, write))
    const bare = write.target.replace(/\[\]$/, '')
    // `del sys.path[0]` takes away what the test itself put there.
    const takesAway = write.value.is === 'unknown' && unit.calls.some(c => c.span.start < write.span.start && c.name.startsWith(`${bare}.`))
    // `mail.outbox = []` empties what others left.
    const empties = file.language === 'python' && write.value.is === 'group' && write.value.of.length === 0
    // `defer shop.MockOpen(true)()` puts back whatever is set meanwhile.
    const mocked = rest
      && unit.calls.some(c => c.span.start < write.span.start && c.name.endsWith(rest) && MOCKS.test(c.name.slice(0, -rest.length)))
    // `monkeypatch.setattr(shop, "total", 1)` does so, too.
    const patched = unit.calls.some(c =>
      c.span.start < write.span.start && /monkey_?patch\.setattr$/i.test(c.name) && c.args[0]?.is === 'name'
      && c.args[1]?.is === 'literal' && `${c.args[0].path}.${c.args[1].value}` === write.target
    )
    // `with pytest.raises(…): shop.total = 1` says that it is not changed.
    const refused = isEnclosed(unit, write.in, /raises/i) && !unit.calls.some(c => c.in === write.in && c.span.start > write.span.end)
    if (refused || patched || restoring || takesAway || empties || mocked || isSetBack(unit, write)) continue
    const whole = isGlobal || !owner ? write.target : owner.name
    const fate = fateOf(file, { unit, span: write.span, in: write.in, write }, c =>
      c.write !== write && (c.write
        ? c.write.target === write.target
        : touches(c, bare)
          && !(c.unit === unit
            && ((file.language === 'java' && c.call?.result === 'used')
              || (file.language !== 'python' && /assert|verify|(^|\.)expect$/i.test(c.call?.name ?? ''))))))
    const others = afterwards(file, unit).some(c => touches(c, bare) || (c.call !== undefined && touches(c, whole)))
    if (fate !== 'put back' && !others && !setBefore(file, unit, write.target))
      yield { unit, span: write.span, what: shorten(write.target), fate, guess: held,
        alike: isOwnFlag(write) || (fate === 'stays' && (isAlike(file, unit, write) || putsItselfBack(file, unit, write))) }
  }
}

/**
 * `shop.config.timeout = 4`, `shop.registry['a'] = 4`, `web.app.config['a'] = 4`: an object of a module that the file imports as such, and
 * that the test has not made.
 */
const isHeld = (file: FileFacts, unit: Unit, owner: FileFacts['imports'][number] | undefined, rest: string | undefined): boolean =>
  file.language === 'python' && owner !== undefined && rest !== undefined && /^_*[a-z]\w*$/.test(owner.local)
  && /^\w+(\.\w+|(\.\w+)?\[\])$/.test(rest) && !/(^|\.)(side_effect|return_value|environ|__\w+__)/.test(rest)
  && !unit.writes.some(w => w.target === `${owner.name}.${rest.split(/[.[]/)[0]}`)

/** `window.__seen = false`: a flag by a private name, which this test sets to nothing or takes away. */
const isOwnFlag = ({ target, value }: Write): boolean =>
  /^(global|globalThis|window|self)\.__\w+$/.test(target) && (value.is === 'unknown' || (value.is === 'literal' && !value.value))

/** `shop.warn = line => { shop.warn = old; … }`: a stand-in that makes way as soon as it is called. */
function putsItselfBack(file: FileFacts, unit: Unit, { target, span }: Write): boolean {
  const old = unit.writes.filter(w => w.declares && w.value.is === 'name' && w.value.path === target).map(w => w.target)
  return file.units.some(u =>
    u.writes.some(w =>
      w.target === target && w.value.is === 'name' && old.includes(w.value.path) && w.span.start > span.start && w.span.end <= span.end
    )
  )
}

/** In Java a class of the same package needs no import: `Basket.count = 3`. */
const isNeighbour = (file: FileFacts, { target, adds }: Write): boolean =>
  file.language === 'java' && !adds && /^[A-Z]\w*[a-z]\w*\.[a-z]\w*$/.test(target)
  && !file.units.some(u => u.role.is === 'suite' && u.name === target.split('.')[0])

/** `goods = SHOP.goods.copy()` and later `SHOP.goods = goods`: it had been set aside, and nobody has changed it. */
const isTakenFrom = (unit: Unit, name: string, { target, span }: Write): boolean => {
  const last = target.slice(target.lastIndexOf('.') + 1)
  return ![name, target].some(n => unit.writes.some(w => w.target.startsWith(`${n}.`)))
    && unit.writes.some(w =>
      w.target === name && w.span.end <= span.start
      && [...valuesIn(w.value, unit)].some(v => v.is === 'name' && (v.path === target || v.path.endsWith(`.${last}`)))
    )
}

/** The last thing that a test does, having looked at it: `assertEquals(2, Basket.count); Basket.count = 0`. */
const isSetBack = (unit: Unit, { span, target, value }: Write): boolean =>
  value.is === 'literal' && !value.value && !unit.calls.some(c => c.span.start > span.end) && !unit.assertions.some(a =>
    a.span.start > span.end
  )
  && unit.assertions.some(a => a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'name' && v.path === target)))

/** Every test of the file that writes it writes the same. */
function isAlike(file: FileFacts, unit: Unit, { target, value }: Write): boolean {
  const others = file.units.filter(u => u !== unit && u.role.is === 'test').flatMap(u =>
    u.writes.filter(w => w.target === target && !undoes(u, w.in)).map(w => worth(w.value, u))
  )
  return others.length > 0 && others.every(o => o === worth(value, unit))
}

/** What a value says, calls by their names; places and numbers of calls aside. */
const worth = (value: Value, unit: Unit): string =>
  JSON.stringify(
    [...valuesIn(value, unit)].map(
      v => (v.is === 'call' ? unit.calls[v.call]!.name : v.is === 'literal' ? v.value : v.is === 'name' ? v.path : v.is),
    ),
  )

/** A hook before each test sets it for everyone in the file. */
const setBefore = (file: FileFacts, unit: Unit, target: string): boolean =>
  unit.role.is === 'test'
  && inForce(file, unit).some(u => u.role.is === 'hook' && u.role.per === 'test' && u.writes.some(w => w.target === target))

/** In Go a name that a test neither makes nor is given belongs to the package: to a file of it, this one or another. */
function* packageVariables(file: FileFacts, unit: Unit, textOf: (span: Span) => string): Generator<Outside> {
  // A benchmark keeps its result so that the compiler does not drop the work.
  if (file.language !== 'go' || isProperty(file, unit)) return
  const inner = new Set(
    [unit, ...ancestors(file, unit)].flatMap(
      u => (u.role.is === 'module' ? [] : [...u.params, ...u.writes.filter(w => w.declares).map(w => w.target)]),
    ),
  )
  const own = new Set(file.units[0]!.writes.map(w => w.target))
  for (const write of unit.writes) {
    if (write.declares || write.adds || !/^[a-zA-Z]\w*$/.test(write.target) || inner.has(write.target) || own.has(write.target)
      || isResult(write, unit, textOf)) continue
    if (undoes(unit, write.in) || runsIn(unit, write.in) !== 'inline' || ancestors(file, unit).some(a => a.role.is === 'suite')) continue
    const fate = fateOf(file, { unit, span: write.span, in: write.in, write }, c => c.write !== write && c.write?.target === write.target)
    if (fate !== 'put back' && !afterwards(file, unit).some(c => touches(c, write.target)))
      yield { unit, span: write.span, what: `the package's ${write.target}`, fate, guess: fate === 'stays',
        alike: fate === 'stays' && (isAlike(file, unit, write) || isNothing(write)) }
  }
}

/** `func() (lower, upper int) { upper = 1 … }`: a result that has a name. */
const isResult = ({ target, in: at }: Write, unit: Unit, textOf: (span: Span) => string): boolean =>
  [...around(unit, at)].some(r => {
    const header = r.kind === 'closure' ? /^func\s*\([^{]*?\)\s*\(([^()]*)\)\s*\{/.exec(textOf(r.span))?.[1] : undefined
    return header !== undefined && header.split(',').some(p => p.trim().split(/\s+/)[0] === target)
  })

/** `keys = ""`: what a variable of the package has before anybody sets it, mostly. */
const isNothing = ({ value }: Write): boolean => value.is === 'literal' && !value.value

function* singletons(file: FileFacts, unit: Unit): Generator<Outside> {
  if (unit.role.is !== 'test') return
  for (const call of unit.calls) {
    if (!CHANGES.test(call.name) || has(call, 'spawn') || undoes(unit, call.in) || runsIn(unit, call.in) !== 'inline') continue
    const getter = getterBehind(call.receiver, unit)
    const owner = getter && SINGLETON.test(getter.name) ? classOf(getter) : undefined
    // `KeyStore.getInstance("JKS")` makes a new one of a kind, as those of the JDK do.
    if (!getter || !owner || /^javax?\./.test(owner) || (getter.args.length > 0 && /instance$/i.test(getter.name))) continue
    const kept = rootOf(call.receiver, unit)
    const isUndoing = (c: { unit: Unit; call?: Call }) =>
      c.call !== undefined && c.call !== call && UNDOES.test(c.call.name)
      && (c.call.name.startsWith(`${owner}.`) || getterBehind(c.call.receiver, c.unit)?.name === getter.name
        || (kept !== undefined && rootOf(c.call.receiver, c.unit) === kept && !CHANGES.test(c.call.name)))
    const fate = fateOf(file, { unit, span: call.span, in: call.in, call }, isUndoing)
    const hooked = file.units.some(u => u.role.is === 'hook' && u.calls.some(c => isUndoing({ unit: u, call: c })))
    if (fate !== 'put back' && !hooked) yield { unit, span: call.span, what: `what ${shorten(getter.name)}() gives`, fate, guess: true }
  }
}

/** Classes whose setters are for tests, or that other rules speak of. */
const OTHERS =
  /^(java|javax|org\.junit|org\.mockito|org\.assertj|org\.hamcrest|io\.restassured|org\.testng|org\.awaitility)\.|(Mock\w*|Assert\w*|Utils?|Helper|Support|Builder|Factory|Array|Field|Modifier|TestBase)$/

/** What every piece of code on the same thread looks at. */
const CONTEXTS = /(^|\.)(MDC|NDC|ThreadContext|\w*ContextHolder)$/

/** `Tills.setField(till, "open", true)`: what is changed is the first thing that it is given. */
const isOfInstance = ({ args }: Call, unit: Unit): boolean => {
  const [first] = args
  return args.length > 1 && first?.is === 'name'
    && (unit.params.includes(first.path) || unit.writes.some(w => w.declares && w.target === first.path))
}

/** A setter of a class itself, in a test, and nobody who calls it again afterwards: `Currency.setDefault(EUR)`. */
function* setters(file: FileFacts, unit: Unit): Generator<Outside> {
  if (unit.role.is !== 'test' || file.language !== 'java') return
  for (const call of unit.calls) {
    const owner = classOf(call)
      ?? (/^(MDC|NDC|org\.slf4j\.MDC|org\.apache\.log4j\.(MDC|NDC))\.p/.test(call.name)
        ? call.name.slice(0, call.name.lastIndexOf('.'))
        : undefined)
    if (!owner || OTHERS.test(owner)
      || !(/^(set|enable|disable|register|install)([A-Z]\w*)$/.test(lastOf(call.name))
        || (/^(put|push)$/.test(lastOf(call.name)) && CONTEXTS.test(owner)))
      || call.result !== 'discarded' || call.args.every(a => a.is === 'literal' && !a.value) || isOfInstance(call, unit)
      || has(call, 'fake-clock', 'mock', 'env-write', 'global-write')) continue
    if (undoes(unit, call.in) || runsIn(unit, call.in) !== 'inline'
      || file.units.some(u => u.role.is === 'suite' && u.name === lastOf(owner))) continue
    const isUndoing = (c: { call?: Call }) =>
      c.call !== undefined && c.call !== call && c.call.name.startsWith(`${owner}.`) && UNDOES.test(c.call.name)
    const fate = fateOf(file, { unit, span: call.span, in: call.in, call }, isUndoing)
    const hooked = file.units.some(u => u.role.is === 'hook' && u.calls.some(c => isUndoing({ call: c })))
    if (fate === 'stays' && !hooked) yield { unit, span: call.span, what: `${lastOf(owner)} as a whole`, fate, guess: true }
  }
}

/** `registry.ITEMS.append(x)`: a constant by its name, of a module that everyone imports. */
function* grown(file: FileFacts, unit: Unit): Generator<Outside> {
  if (unit.role.is !== 'test' || file.language !== 'python') return
  for (const call of unit.calls) {
    const path = call.receiver?.is === 'name' && /\.(append|extend|update|add|insert)$/.test(call.name) ? call.receiver.path : undefined
    const owner = path === undefined ? undefined : importOf(file, path)
    if (!path || !owner || !/^[A-Z][A-Z_]+$/.test(path.slice(owner.name.length + 1)) || undoes(unit, call.in)
      || runsIn(unit, call.in) !== 'inline' || isEnclosed(unit, call.in, SETS_ASIDE)) continue
    const isUndoing = (c: { unit: Unit; call?: Call; write?: Write; span: Span; in: number }) =>
      c.call !== call && touches(c, path) && (c.write !== undefined || /\.(remove|pop|clear|discard|reload)$/.test(c.call?.name ?? ''))
    const fate = fateOf(file, { unit, span: call.span, in: call.in, call }, isUndoing)
    if (fate !== 'put back') yield { unit, span: call.span, what: `what ${shorten(path)} holds`, fate, guess: false }
  }
}

/** What holds for the whole process, and what turns it back where that has another name. */
const PROCESS_WIDE = /^(logging\.disable|socket\.setdefaulttimeout|sys\.setrecursionlimit|gc\.disable|os\.umask)$/

/** `logging.disable(CRITICAL)`, and nobody calls it again. */
function* turned(file: FileFacts, unit: Unit): Generator<Outside> {
  if (file.language !== 'python') return
  for (const call of unit.calls) {
    const off = call.args[0]
    if (!(PROCESS_WIDE.test(call.name) || setsRoot(unit, call)) || (off?.is === 'name' && /NOTSET$/.test(off.path))
      || (off?.is === 'literal' && (off.value === 0 || off.value === null)) || undoes(unit, call.in) || runsIn(unit, call.in) !== 'inline')
      continue
    const back = call.name === 'gc.disable' ? 'gc.enable' : call.name
    const isBack = (c: Call) => c !== call && (c.name === back || c.args.some(a => a.is === 'name' && a.path === back))
    const fate = fateOf(file, { unit, span: call.span, in: call.in, call }, c => c.call !== undefined && isBack(c.call))
    if (fate !== 'put back' && !file.units.some(u => u.role.is !== 'test' && u.calls.some(isBack)))
      yield { unit, span: call.span, what: `what ${call.name} sets for the whole process`, fate, guess: true }
  }
}

/** `logging.getLogger().setLevel(DEBUG)`: without a name it is the one that all others ask. */
function setsRoot(unit: Unit, { name, receiver }: Call): boolean {
  const made = receiver?.is === 'name' ? unit.writes.findLast(w => w.target === receiver.path)?.value : receiver
  const from = /\.setLevel$/.test(name) && made?.is === 'call' ? unit.calls[made.call] : undefined
  return from?.name === 'logging.getLogger' && from.args.length === 0
}

const FORCES =
  /(^|\.)(ReflectionTestUtils\.setField|Whitebox\.setInternalState|FieldUtils\.writeStaticField|TestUtils\.setStaticField|Field\.set)$/

/** A static field that reflection overwrites: `field.set(null, x)`, `setField(Clock.class, "now", x)`. */
function* forced(file: FileFacts, unit: Unit): Generator<Outside> {
  if (unit.role.is !== 'test' || file.language !== 'java') return
  const isForced = (call: Call) =>
    FORCES.test(call.name)
    && (/Field\.set$/.test(call.name)
      ? call.args[0]?.is === 'literal' && call.args[0].value === null
      : call.args[0]?.is === 'name' && /\.class$/.test(call.args[0].path))
  const call = unit.calls.find(c => isForced(c) && !undoes(unit, c.in) && runsIn(unit, c.in) === 'inline')
  if (!call || file.units.some(u => u.role.is === 'hook' && u.calls.some(isForced))) return
  const fate = fateOf(file, { unit, span: call.span, in: call.in, call }, c => c.call !== undefined && c.call !== call && isForced(c.call))
  if (fate !== 'put back') yield { unit, span: call.span, what: 'a static field by reflection', fate, guess: true }
}

const COUNTERPART: Readonly<Record<string, RegExp>> = {
  start: /\.stop$/,
  enable: /\.disable$/,
  install: /\.uninstall$/,
  register: /\.(un|de)register$/,
  setUp: /\.tearDown$/,
  activate: /\.deactivate$/,
  begin: /\.end$/,
}

/** A class itself that is switched on, and off again only if the test gets that far: `Recorder.start()` … `Recorder.stop()`. */
function* switches(file: FileFacts, unit: Unit): Generator<Outside> {
  if (unit.role.is !== 'test') return
  for (const call of unit.calls) {
    const owner = classOf(call)
    const off = owner && Object.hasOwn(COUNTERPART, lastOf(call.name)) ? COUNTERPART[lastOf(call.name)] : undefined
    if (!owner || !off || call.result !== 'discarded' || undoes(unit, call.in) || runsIn(unit, call.in) !== 'inline') continue
    const isOff = (c: { call?: Call }) => c.call !== undefined && classOf(c.call) === owner && off.test(c.call.name)
    const fate = fateOf(file, { unit, span: call.span, in: call.in, call }, isOff)
    if (fate === 'put back if it passes') yield { unit, span: call.span, what: lastOf(owner), fate, guess: false }
  }
}

const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** The class whose own function is called: `org.shop.Recorder` of `org.shop.Recorder.start`. */
function classOf(call: Call): string | undefined {
  const owner = call.name.slice(0, Math.max(0, call.name.lastIndexOf('.')))
  const isStatic = call.receiver === null
    || (call.receiver.is === 'name' && /(^|\.)[A-Z][a-zA-Z0-9]*$/.test(call.receiver.path) && /[a-z]/.test(lastOf(call.receiver.path)))
  return isStatic && call.resolution !== 'guess' && /(^|\.)[A-Z]\w*$/.test(owner) ? owner : undefined
}

/**
 * State of a class that is emptied before each test and not after it: the last test leaves what it made to whoever comes
 * next.
 */
export function* clearedOnlyBefore(file: FileFacts): Generator<{ readonly unit: Unit; readonly span: Span; readonly what: string }> {
  for (const unit of file.units) {
    if (unit.role.is !== 'hook' || unit.role.when !== 'before' || unit.role.per !== 'test') continue
    for (const call of unit.calls) {
      const owner = classOf(call)
      if (!owner || !/^(clear|reset|removeAll)([A-Z]\w*)?$/.test(lastOf(call.name)) || call.result !== 'discarded'
        || has(call, 'restore', 'seed', 'real-clock')) continue
      const tests = file.units.filter(u => u.role.is === 'test' && u.calls.some(c => classOf(c) === owner))
      if (tests.length > 0
        && !afterwards(file, tests[0]!).some(c => c.unit.role.is === 'hook' && c.unit.role.when === 'after' && touches(c, owner)))
        yield { unit, span: call.span, what: lastOf(owner) }
    }
  }
}

/** The call that gave the receiver, straight or through a variable. */
function getterBehind(value: Value | null, unit: Unit, depth = 0): Call | undefined {
  if (!value || depth > 3) return undefined
  if (value.is === 'call') return unit.calls[value.call]
  return value.is === 'name' ? getterBehind(unit.writes.find(w => w.target === value.path)?.value ?? null, unit, depth + 1) : undefined
}

export const shorten = (path: string): string => path.slice(path.lastIndexOf('/') + 1).split(/\.(?=\w)/).slice(-2).join('.')
