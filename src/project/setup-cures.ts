// What shared set-up files do for tests, told by their facts: before every test, for the classes that extend one of theirs, for
// those who name a fixture, call a function or import the file.

import type { Call, Cure, FileFacts, Language, Unit } from '../facts/facts.ts'
import { ancestors, copiesEnvironment, cures, effectOf, fixtureName, has, isFixture, isForAll, within } from '../facts/query.ts'
import type { FolderCure } from './cures.ts'
import type { SetupFile } from './setups.ts'

/**
 * A word of any cure; a set-up file without one is not parsed. Java has a base class in every other folder, and few ways to cure by one.
 */
export const cureWords = (path: string): RegExp => (path.endsWith('.java') ? JAVA_WORDS : WORDS)
const JAVA_WORDS =
  /RestoreSystem|(?:TimeZone|Locale)\.setDefault|System\s*\.(?:set|clear)Propert|SystemProperties|MockedStatic|mockStatic|WireMock|MockWebServer|setCurrentMillis|Clock\.fixed/
const WORDS =
  /freeze|time_machine|travel|[fF]akeTimers|setSystemTime|MockDate|seed|Seed|socket|disableNetConnect|setupServer|onUnhandledRequest|responses|vcr|restoreAllMocks|restore\(|resetAllMocks|unstubAll|\bTZ\b|tzset|LC_ALL|setDefault|time\.Local|monkeypatch|mockStatic|WireMock|useRealTimers|stopall|[sS]etenv|process\.env|environ|chdir|\bHOME=|enableMocks|fetch-?[mM]ock|\bnock\b|setupWorker|stubGlobal|\.fetch\s*=|requests|httpx|httpretty|pook|aioresponses|httpmock|gock|synctest|start_paused|time::pause|Default(?:Transport|Client)\b|RANDOM=|^[ \t]*(?:function[ \t]+)?(?:date|curl|wget)[ \t]*\(\)/m

/**
 * What a set-up file does for every test, for those of the classes that extend one of its own, and for those that name one of its fixtures.
 */
export function curesIn(file: FileFacts, setup: SetupFile): FolderCure[] {
  const found = new Map<string, FolderCure>()
  if (setup.once) {
    const because = `${setup.path} ${DOES.zone} for every test`
    return file.units.some(u => pins(u, 'TZ', /$^/))
      ? [{ kind: 'zone', language: file.language as Language, folder: setup.folder, because }]
      : []
  }
  for (const unit of file.units) {
    const whom = forWhom(file, unit, setup)
    if (!whom || isOffered(file, unit)) continue
    const kinds = kindsOf(file, unit, setup)
    // A fixture that is given another does what that one does.
    for (const other of fixturesOf(file, unit)) for (const kind of kindsOf(file, other, setup)) kinds.add(kind)
    for (const kind of kinds) {
      // Of two fixtures that seed a library each, both count.
      const seeds = kind === 'seed' ? seedsOf([unit, ...fixturesOf(file, unit)]) : {}
      const because = `${setup.path} ${DOES[kind] ?? 'sees to it'} for ${
        whom.fixture ? `tests that name ${whom.fixture}` : whom.module ? 'those that import it' : 'every test'
      }`
      // A test file of bats that has a function of that name has it in the place of the loaded one.
      const hook = file.language === 'bash' && SHELL_HOOKS.test(unit.name) && kind !== 'home' ? { hook: unit.name } : {}
      found.set(`${kind} ${Object.values(whom).join()} ${seeds.seeds ?? ''}`, { kind, language: file.language as Language,
        folder: setup.folder, because, ...whom, ...seeds, ...hook })
    }
  }
  return [...found.values(), ...stubbedIn(file, setup)]
}

const SHELL_HOOKS = /^(?:setup|setup_file|setUp|oneTimeSetUp)$/

/** Commands that talk, and that a function of a loaded file of the shell stands in for without calling them. */
function stubbedIn(file: FileFacts, { path, folder }: SetupFile): FolderCure[] {
  if (file.language !== 'bash') return []
  return file.units.filter(u =>
    u.role.is === 'helper' && TALKING.test(u.name) && !u.calls.some(c => has(c, 'network') || /^(command|builtin|exec|env)\b/.test(c.name))
  )
    .map(u => ({ kind: 'fake-net', language: 'bash', folder, command: u.name, because: `${path} stands in for ${u.name}` }))
}
const TALKING =
  /^(?:curl|wget|git|gh|ssh|scp|rsync|nc|dig|host|nslookup|ping|aws|gcloud|kubectl|helm|docker|podman|npm|pip|pip3|apt-get|brew|http)$/

/** What a file lends to those that call its functions, or that start a server it keeps. */
export function lentBy(file: FileFacts, { path, folder }: SetupFile): FolderCure[] {
  const language = file.language as Language
  if (language === 'java') return []
  // Scripts and Go name the file itself; elsewhere a name is only known among its own.
  const whose = language === 'bash' || language === 'python'
    ? folder
    : language === 'rust'
    ? path.replace(/(?:^|\/)(?:tests|src)\/.*$/, '')
    : ''
  const lend = (helper: string, kind: Cure, rest: Partial<FolderCure> = {}): FolderCure => ({ kind, language, folder: whose, module: path,
    helper, because: `${path} ${DOES[kind] ?? 'sees to it'} for those who call ${helper}`, ...rest })
  const isOpen = (u: Unit): boolean =>
    u.role.is === 'helper' && /^[\w$]+$/.test(u.name) && !/^(?:[tT]est|Benchmark|Example|Fuzz|main$)/.test(u.name)
    && ancestors(file, u).every(a => a.role.is === 'module')
  const functions = file.units.filter(isOpen).flatMap(unit => {
    const hooks = file.units.filter(u => u.role.is === 'hook' && u.parent === unit.id)
    const own = CALLED.filter(kind =>
      unit.calls.some(c => cures(c, kind) && !within(unit, c.in, 'if', 'closure') && (kind !== 'seed' || SEEDS_ALL.test(c.name)))
    )
    return [...new Set([...own, ...hooks.flatMap(h => [...kindsOf(file, h, { path, folder })])])].map(kind => lend(unit.name, kind))
  })
  const module = file.units.find(u => u.role.is === 'module')
  const kept = (module?.writes ?? []).flatMap(
    w => (w.value.is === 'call' && isServer(module!.calls[w.value.call]!) && /^[\w$]+$/.test(w.target)
      ? [lend(w.target, 'fake-net', { starts: true })]
      : []),
  )
  return [...functions, ...kept]
}
/** Seeds a generator that others draw from, and makes none of its own. */
const SEEDS_ALL = /(?:^|[._:/])(?:[sS]eed|manual_seed|set_seed|seedrandom|RANDOM=)$/
const CALLED = ['fake-clock', 'seed', 'fake-net'] as const

/** Made at one place and started at another. */
const isServer = (call: Call): boolean => /\.setup(?:Server|Worker)$/.test(call.name)

/** A hook in a function is there for those who call it. */
function isOffered(file: FileFacts, unit: Unit): boolean {
  const around = unit.role.is === 'hook' ? ancestors(file, unit).find(u => u.role.is === 'helper') : undefined
  return around !== undefined
    && !file.units.some(u => (u.role.is === 'module' || u.role.is === 'suite') && u.calls.some(c => c.target === around.id))
}

/** The one library that is seeded, where it is one of the two that people take for each other. */
function seedsOf(units: readonly Unit[]): { readonly seeds?: 'random' | 'numpy' } {
  const names = new Set(units.flatMap(u => u.calls.filter(c => cures(c, 'seed')).map(c => c.name)))
  const [only] = names
  return names.size !== 1 ? {} : only === 'random.seed' ? { seeds: 'random' } : only === 'numpy.random.seed' ? { seeds: 'numpy' } : {}
}

interface Whom {
  readonly base?: string
  readonly fixture?: string
  readonly module?: string
  readonly extension?: string
}

/** Hooks of a class are for those that extend it, a fixture that is not for everyone for those who name it. */
function forWhom(file: FileFacts, unit: Unit, { path, base, classes, extension, offers }: SetupFile): Whom | undefined {
  if (base !== undefined) return { base }
  if (extension !== undefined) return { extension }
  // Whoever imports a module runs it; of other languages only what is called counts.
  if (offers) return file.language === 'typescript' ? { module: path } : undefined
  const suite = CLASSES.includes(file.language) ? [unit, ...ancestors(file, unit)].find(u => u.role.is === 'suite') : undefined
  if (suite) return { base: suite.name }
  if (classes) return undefined
  return isFixture(unit) && !isForAll(unit) ? { fixture: fixtureName(unit) } : {}
}
const CLASSES: readonly Language[] = ['python', 'go']

/** The fixtures of the file that a fixture is given, and those that these are given. */
function fixturesOf(file: FileFacts, unit: Unit, depth = 0): Unit[] {
  const given = isFixture(unit) && depth < 4
    ? file.units.filter(u => u !== unit && isFixture(u) && unit.params.includes(fixtureName(u)))
    : []
  return given.flatMap(g => [g, ...fixturesOf(file, g, depth + 1)])
}

const ENV = /^(process\.env|os\.environ)\b/

/** What a unit that runs before or after tests does for them. */
function kindsOf(file: FileFacts, unit: Unit, setup: SetupFile): Set<Cure> {
  const kinds = new Set<Cure>(), when = whenRun(file, unit, setup)
  // In the shell a function that the tests call first does it.
  if ((when === 'before' || file.language === 'bash') && pins(unit, 'HOME', /$^/)) kinds.add('home')
  if (when === 'before') {
    for (const kind of ['fake-clock', 'seed', 'fake-net'] as const)
      if (unit.calls.some(c => cures(c, kind) && !within(unit, c.in, 'if', 'closure') && !isIdle(file, c))) kinds.add(kind)
    if (replacesNetwork(unit)) kinds.add('fake-net')
    if (pins(unit, 'TZ', /(TimeZone\.setDefault|time\.tzset)$/)) kinds.add('zone')
    if (pins(unit, 'LC_ALL', /(Locale\.setDefault|locale\.setlocale)$/)) kinds.add('locale')
  }
  if ((unit.role.is === 'suite' || file.language === 'bash') && unit.markers.some(m => m.is === 'frozen-clock')) kinds.add('fake-clock')
  if (unit.role.is === 'suite' && unit.calls.some(c => has(c, 'restore') && ENV_RULE.test(c.name))) kinds.add('restore-env')
  const isHook = unit.role.is === 'hook', undoes = when === 'after' || isFixture(unit)
  for (const call of when ? unit.calls : []) {
    if (/\.(restoreAllMocks|resetAllMocks|stopall|clearAllCaches)$|^sinon\.(restore|sandbox\.restore)$/.test(call.name))
      kinds.add('restore-mocks')
    if (undoes && /\bMocked(Static|Construction)\.close(OnDemand)?$/.test(call.name)) kinds.add('restore-mocks')
    if (/\.unstubAllEnvs$/.test(call.name)) kinds.add('restore-env')
    if (has(call, 'real-clock') || (when === 'after' && ZONES.has(effectOf(call, 'global-write')?.what ?? ''))) kinds.add('restore-clock')
    // A fixture for everyone that changes the environment or the folder is there to put it back; so is a copy of the environment that is
    // laid over it.
    if (isHook
      && ((has(call, 'env-write') && undoes && !(has(call, 'restore') && isFixture(unit) && !isForAll(unit))) || copiesEnvironment(call)))
      kinds.add('restore-env')
    if (isHook && (has(call, 'cwd-write') || /^monkeypatch\.chdir$/.test(call.name))) kinds.add('restore-cwd')
    if (/\.unstubAllGlobals$/.test(call.name)) kinds.add('restore-globals')
  }
  if (when === 'after' && unit.writes.some(w => ENV.test(w.target) && !w.declares)) kinds.add('restore-env')
  return kinds
}

const ENV_RULE =
  /RestoreSystemProperties|SystemStubs|\.(ProvideSystemProperty|ClearSystemProperties|SystemProperties|EnvironmentVariables)(Rule)?\.new$/
const ZONES: ReadonlySet<string> = new Set(['time zone', 'locale'])

const DOES: Partial<Record<Cure, string>> = {
  'fake-clock': 'replaces the clock',
  seed: 'seeds the generators',
  'fake-net': 'replaces the network',
  zone: 'pins the time zone',
  locale: 'pins the locale',
  'restore-mocks': 'puts mocks back',
  'restore-env': 'puts the environment back',
  'restore-cwd': 'puts the working directory back',
  'restore-clock': 'puts the clock back',
  'restore-globals': 'puts globals back',
  home: 'gives a home',
}

/** The module and its hooks run for everybody, those of a class and fixtures for some. */
function whenRun(file: FileFacts, unit: Unit, { extension }: SetupFile): 'before' | 'after' | undefined {
  if (unit.role.is === 'module'
    || /^(TestMain|pytest_configure|pytest_sessionstart|pytest_runtest_setup|setup_suite|setup|setup_file|oneTimeSetUp)$/.test(unit.name))
    return 'before'
  if (unit.role.is === 'hook') return unit.role.when
  // What a runner calls by its name: an extension of JUnit, the root hooks of mocha.
  const isRoot = file.language === 'typescript' && file.units[0]!.writes.some(w => /(^|\.)mochaHooks$/.test(w.target))
  const called = extension !== undefined ? EXTENSION.exec(unit.name) : isRoot ? ROOT_HOOK.exec(unit.name) : null
  return called ? (called[1] !== undefined ? 'before' : 'after') : undefined
}
const EXTENSION =
  /^(?:(before(?:All|Each|TestExecution|TestMethod|TestClass)?|starting|evaluate|interceptTestMethod)|after(?:All|Each|TestExecution|TestMethod|TestClass)?|finished)$/
const ROOT_HOOK = /^(?:(before(?:All|Each)?)|after(?:All|Each)?)$/

/** A server that is made and that nobody in the file starts. */
const isIdle = (file: FileFacts, call: Call): boolean =>
  isServer(call) && !file.units.some(u => u.calls.some(c => /\.(?:listen|start)$/.test(c.name)))

const NETWORK = /^(?:requests|urllib3?|http\.client|httpx|aiohttp|socket)\b/
const PATCHES = /^(?:monkeypatch\.(?:setattr|delattr)|(?:unittest\.mock|mocker)\.patch(?:\.object)?)$/
const NETWORK_FIXTURES = /^(?:requests_mock|httpx_mock|respx_mock|aioresponses|socket_disabled|mocked_responses|httpretty)$/

/**
 * By hand: `fetch` or the transport of everybody replaced by a stand-in, a method of the client taken away, a fixture of a plugin that does
 * it.
 */
function replacesNetwork(unit: Unit): boolean {
  const isStandIn = (value: Unit['writes'][number]['value']): boolean => value.is === 'call' && has(unit.calls[value.call]!, 'stub')
  return unit.writes.some(w =>
    (/^(?:global|globalThis|window)\.fetch$/.test(w.target) && isStandIn(w.value))
    || (/^net\/http\.Default(?:Transport|Client(?:\.Transport)?)$/.test(w.target) && w.value.is === 'call'
      && !/^net\/http\.|Clone$/.test(unit.calls[w.value.call]!.name))
  )
    || unit.calls.some(c => {
      const [first, second] = c.args
      if (/^vi\.stubGlobal$/.test(c.name))
        return first?.is === 'literal' && first.value === 'fetch' && second !== undefined && isStandIn(second)
      const patched = first?.is === 'literal' ? String(first.value) : first?.is === 'name' ? first.path : ''
      return PATCHES.test(c.name) && NETWORK.test(patched)
    })
    || (isFixture(unit) && unit.params.some(p => NETWORK_FIXTURES.test(p)))
}

/** Sets a variable of the environment, or calls what does the same. */
function pins(unit: Unit, variable: string, calls: RegExp): boolean {
  const names = new RegExp(String.raw`(^|[.\['"])${variable}(['"\]]|$)`)
  return unit.writes.some(w => names.test(w.target) || (variable === 'TZ' && w.target === 'time.Local'))
    || unit.calls.some(c =>
      calls.test(c.name) || (has(c, 'env-write', 'restore') && c.args[0]?.is === 'literal' && c.args[0].value === variable)
    )
}
