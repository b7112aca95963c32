// Shared set-up files: what they do before every test, they do for the tests of a whole folder, or of the classes that
// extend them. They are found here by name and by the runner's configuration, and judged by their facts.

import type { Cure, FileFacts, Language, Unit } from '../facts/facts.ts'
import { ancestors, copiesEnvironment, cures, effectOf, fixtureName, has, isFixture, isForAll, within } from '../facts/query.ts'
import type { FolderCure } from './cures.ts'
import { type RunnerFile, folderOf, isManifest, nameOf, withoutComments } from './evidence.ts'

export interface SetupFile {
  readonly path: string
  /** The folder whose tests it is run for. */
  readonly folder: string
  /** The class that tests must extend for it to hold. */
  readonly base?: string
  /** Only its classes count, for those that extend them. */
  readonly classes?: true
  /** It runs once, in the process that starts the others: only what they inherit counts, the environment. */
  readonly once?: true
  /** A configuration says so; the others are known by what they are called. */
  readonly named?: true
}

const parentOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
/** Set-up files of JavaScript by the names that projects give them; a runner's configuration may name others. */
const SETUP = /^(?:(?:jest|vitest|mocha|test)[.-]?)?set-?up(?:[.-]?(?:tests?|jest|vitest|mocha|after-?env|env))?\.[cm]?[jt]sx?$/i
const JAVA_BASE = /^((?:Abstract|Base)\w+|\w+(?:Base|BaseTest|TestCase|Support))\.java$/
const PYTHON_BASE = /^(?:__init__|\w*(?:base|support|cases?|common|helpers?|utils?|mixins?|testing)\w*)\.py$/
const TESTS = /(?:^|\/)(?:\w*tests?|testing|testlib)(?=\/|$)/

/** By the conventions of the languages, and by what configurations name. */
export function setupFiles(paths: readonly string[], configs: readonly RunnerFile[]): SetupFile[] {
  const named = new Map(configs.flatMap(f => setupsIn(f).map(s => [s.path, s] as const)))
  return paths.flatMap(path => {
    const name = nameOf(path), folder = parentOf(path)
    if (name === 'conftest.py') return [{ path, folder }]
    // Classes that others extend lie among the tests, or beside them and say by their name what they are for.
    if (PYTHON_BASE.test(name) && (TESTS.test(folder) || /test/i.test(name))) return [{ path, folder: aboveTests(folder), classes: true as const }]
    if (/^(?:main|testmain|setup|suite|base)_test\.go$|_suite_test\.go$/.test(name)) return [{ path, folder }]
    if (/^(?:test_helpers?|common|helpers?|setup_suite)\.(?:bash|sh)$/.test(name)) return [{ path, folder: folder.replace(/\/?(?:test_helpers?|helpers?|lib|common)$/, '') }]
    const base = JAVA_BASE.exec(name)?.[1]
    if (base && /(?:^|\/)(?:src\/)?(?:test|it|testFixtures|integrationTest)\//.test(path)) return [{ path, folder: '', base }]
    const script = /\.[cm]?[jt]sx?$/.test(path) ? named.get(path) ?? named.get(path.replace(/\.[cm]?[jt]sx?$/, '')) : undefined
    if (script) return [{ ...script, path, named: true }]
    if (SETUP.test(name)) return [{ path, folder: folder.replace(/(?:^|\/)(?:tests?|__tests__|spec|setup|support|config|test-?utils|scripts)$/, '') }]
    return []
  })
}

const aboveTests = (folder: string): string => folder.slice(0, TESTS.exec(folder)?.index ?? 0)

/** The folders, beside a project's own, in which its set-up files lie by convention: `setupFiles` gives them to the folder above. */
export const SETUP_FOLDERS = ['test', 'tests', '__tests__', 'spec', 'setup', 'support', 'config', 'test-utils', 'testutils', 'scripts', 'test_helper', 'test_helpers', 'helper', 'helpers', 'lib', 'common']

/** Modules whose fixtures a conftest.py takes for its own: plugins, and what it imports; each as the paths where it may lie. */
export function takenBy(setup: SetupFile, text: string): string[][] {
  if (nameOf(setup.path) !== 'conftest.py') return []
  const plugins = Array.from(text.matchAll(/^pytest_plugins\b[^=\n]*=\s*(\[[^\]]*\]|\([^)]*\)|["'][^"'\n]+["'])/gm), m => Array.from(m[1]!.matchAll(/["']([\w.]+)["']/g), n => n[1]!)).flat()
  const imports = Array.from(text.matchAll(/^from\s+(\.*[\w.]*)\s+import\b/gm), m => m[1]!)
  return [...plugins, ...imports].map(module => {
    const dots = /^\.*/.exec(module)![0].length, path = module.slice(dots).replaceAll('.', '/')
    const folders = dots > 0 ? [joined(parentOf(setup.path), '../'.repeat(dots - 1))] : upward(parentOf(setup.path))
    return folders.flatMap(folder => [joined(folder, `${path}.py`), joined(folder, `${path}/__init__.py`), joined(folder, `src/${path}.py`)])
  })
}

const upward = (folder: string): string[] => (folder === '' ? [''] : [folder, ...upward(parentOf(folder))])

/** Fixtures that a configuration of pytest names for every test are those of everybody below it. */
export function namedForAll(cures: readonly FolderCure[], configs: readonly RunnerFile[]): FolderCure[] {
  const names = configs.flatMap(file => {
    const value = /^[ \t]*usefixtures\s*=\s*(\[[^\]]*\]|[^\n]*(?:\n[ \t]+[^\n]+)*)/m.exec(PYTEST_CONFIG.test(nameOf(file.path)) ? file.text : '')?.[1] ?? ''
    return (value.match(/\w+/g) ?? []).map(name => ({ name, folder: folderOf(file.path) }))
  })
  return cures.map(({ fixture, ...cure }) => (fixture === undefined || names.some(n => n.name === fixture && isBelow(cure.folder, n.folder)) ? cure : { ...cure, fixture }))
}
const PYTEST_CONFIG = /^(?:\.?pytest\.ini|pyproject\.toml|tox\.ini|setup\.cfg)$/
const isBelow = (folder: string, top: string): boolean => top === '' || folder === top || folder.startsWith(`${top}/`)

/** The paths that configurations name, some of them without their ending. */
export const namedSetups = (configs: readonly RunnerFile[]): string[] => configs.flatMap(f => setupsIn(f).map(s => s.path))

/** Files that jest, vitest or mocha run before each test file. */
function setupsIn(file: RunnerFile): SetupFile[] {
  const name = nameOf(file.path)
  if (!/^(?:vitest|vite|jest)\b|^\.mocharc/.test(name) && !isManifest(file.path)) return []
  const text = isManifest(file.path) ? file.text : withoutComments(file.text)
  const lists = [...text.matchAll(/\b(globalSetup|setupFiles|setupFilesAfterEnv|setupTestFrameworkScriptFile|require|file)["']?\s*:\s*(\[[^\]]{0,2000}\]|["'][^"'\n]{1,300}["'])/g)].map(m => ({ key: m[1]!, list: m[2]! }))
  const folder = folderOf(file.path)
  return lists.flatMap(({ key, list }) => [...list.matchAll(/["']([^"'\n]{1,300})["']/g)].map(m =>
    ({ path: joined(folder, m[1]!.replace(/^<rootDir>\//, './')), folder, ...(key === 'globalSetup' && { once: true as const }) })))
}

function joined(folder: string, path: string): string {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) part === '..' ? parts.pop() : part !== '.' && part !== '' && parts.push(part)
  return parts.join('/')
}

/** A word of any cure; a set-up file without one is not parsed. Java has a base class in every other folder, and few ways to cure by one. */
export const cureWords = (path: string): RegExp => (path.endsWith('.java') ? JAVA_WORDS : WORDS)
const JAVA_WORDS = /(?:TimeZone|Locale)\.setDefault|System\s*\.(?:set|clear)Propert|SystemProperties|MockedStatic|mockStatic|WireMock|MockWebServer|setCurrentMillis|Clock\.fixed/
const WORDS = /freeze|time_machine|travel|[fF]akeTimers|setSystemTime|MockDate|seed|Seed|socket|disableNetConnect|setupServer|onUnhandledRequest|responses|vcr|restoreAllMocks|restore\(|resetAllMocks|unstubAll|\bTZ\b|tzset|LC_ALL|setDefault|time\.Local|monkeypatch|mockStatic|WireMock|useRealTimers|stopall|[sS]etenv|process\.env|environ|chdir|\bHOME=/

/** What a set-up file does for every test, for those of the classes that extend one of its own, and for those that name one of its fixtures. */
export function curesIn(file: FileFacts, setup: SetupFile): FolderCure[] {
  const found = new Map<string, FolderCure>()
  if (setup.once) {
    const because = `${setup.path} ${DOES.zone} for every test`
    return file.units.some(u => pins(u, 'TZ', /$^/)) ? [{ kind: 'zone', language: file.language as Language, folder: setup.folder, because }] : []
  }
  for (const unit of file.units) {
    const whom = forWhom(file, unit, setup)
    if (!whom) continue
    const kinds = kindsOf(file, unit)
    // A fixture that is given another does what that one does.
    for (const other of fixturesOf(file, unit)) for (const kind of kindsOf(file, other)) kinds.add(kind)
    for (const kind of kinds) {
      // Of two fixtures that seed a library each, both count.
      const seeds = kind === 'seed' ? seedsOf([unit, ...fixturesOf(file, unit)]) : {}
      const because = `${setup.path} ${DOES[kind] ?? 'sees to it'} for ${whom.fixture ? `tests that name ${whom.fixture}` : 'every test'}`
      found.set(`${kind} ${whom.base ?? ''} ${whom.fixture ?? ''} ${seeds.seeds ?? ''}`, { kind, language: file.language as Language, folder: setup.folder, because, ...whom, ...seeds })
    }
  }
  return [...found.values()]
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
}

/** Hooks of a class are for those that extend it, a fixture that is not for everyone for those who name it. */
function forWhom(file: FileFacts, unit: Unit, { base, classes }: SetupFile): Whom | undefined {
  if (base !== undefined) return { base }
  const suite = CLASSES.includes(file.language) ? [unit, ...ancestors(file, unit)].find(u => u.role.is === 'suite') : undefined
  if (suite) return { base: suite.name }
  if (classes) return undefined
  return isFixture(unit) && !isForAll(unit) ? { fixture: fixtureName(unit) } : {}
}
const CLASSES: readonly Language[] = ['python', 'go']

/** The fixtures of the file that a fixture is given, and those that these are given. */
function fixturesOf(file: FileFacts, unit: Unit, depth = 0): Unit[] {
  const given = isFixture(unit) && depth < 4 ? file.units.filter(u => u !== unit && isFixture(u) && unit.params.includes(fixtureName(u))) : []
  return given.flatMap(g => [g, ...fixturesOf(file, g, depth + 1)])
}

const ENV = /^(process\.env|os\.environ)\b/

/** What a unit that runs before or after tests does for them. */
function kindsOf(file: FileFacts, unit: Unit): Set<Cure> {
  const kinds = new Set<Cure>(), when = whenRun(unit)
  // In the shell a function that the tests call first does it.
  if ((when === 'before' || file.language === 'bash') && pins(unit, 'HOME', /$^/)) kinds.add('home')
  if (when === 'before') {
    for (const kind of ['fake-clock', 'seed', 'fake-net'] as const) if (unit.calls.some(c => cures(c, kind) && !within(unit, c.in, 'if', 'closure'))) kinds.add(kind)
    if (pins(unit, 'TZ', /(TimeZone\.setDefault|time\.tzset)$/)) kinds.add('zone')
    if (pins(unit, 'LC_ALL', /(Locale\.setDefault|locale\.setlocale)$/)) kinds.add('locale')
  }
  if (unit.role.is === 'suite' && unit.markers.some(m => m.is === 'frozen-clock')) kinds.add('fake-clock')
  if (unit.role.is === 'suite' && unit.calls.some(c => has(c, 'restore') && ENV_RULE.test(c.name))) kinds.add('restore-env')
  const isHook = unit.role.is === 'hook', undoes = when === 'after' || isFixture(unit)
  for (const call of when ? unit.calls : []) {
    if (/\.(restoreAllMocks|resetAllMocks|stopall|clearAllCaches)$|^sinon\.(restore|sandbox\.restore)$/.test(call.name)) kinds.add('restore-mocks')
    if (undoes && /\bMocked(Static|Construction)\.close(OnDemand)?$/.test(call.name)) kinds.add('restore-mocks')
    if (/\.unstubAllEnvs$/.test(call.name)) kinds.add('restore-env')
    if (has(call, 'real-clock') || (when === 'after' && ZONES.has(effectOf(call, 'global-write')?.what ?? ''))) kinds.add('restore-clock')
    // A fixture for everyone that changes the environment or the folder is there to put it back; so is a copy of the environment that is laid over it.
    if (isHook && ((has(call, 'env-write') && undoes && !(has(call, 'restore') && isFixture(unit) && !isForAll(unit))) || copiesEnvironment(call))) kinds.add('restore-env')
    if (isHook && (has(call, 'cwd-write') || /^monkeypatch\.chdir$/.test(call.name))) kinds.add('restore-cwd')
    if (/\.unstubAllGlobals$/.test(call.name)) kinds.add('restore-globals')
  }
  if (when === 'after' && unit.writes.some(w => ENV.test(w.target) && !w.declares)) kinds.add('restore-env')
  return kinds
}

const ENV_RULE = /RestoreSystemProperties|SystemStubs|\.(ProvideSystemProperty|ClearSystemProperties|SystemProperties|EnvironmentVariables)(Rule)?\.new$/
const ZONES: ReadonlySet<string> = new Set(['time zone', 'locale'])

const DOES: Partial<Record<Cure, string>> = {
  'fake-clock': 'replaces the clock', seed: 'seeds the generators', 'fake-net': 'replaces the network', zone: 'pins the time zone', locale: 'pins the locale',
  'restore-mocks': 'puts mocks back', 'restore-env': 'puts the environment back', 'restore-cwd': 'puts the working directory back', 'restore-clock': 'puts the clock back', 'restore-globals': 'puts globals back', home: 'gives a home',
}

/** The module and its hooks run for everybody, those of a class and fixtures for some. */
function whenRun(unit: Unit): 'before' | 'after' | undefined {
  if (unit.role.is === 'module' || /^(TestMain|pytest_configure|pytest_sessionstart|pytest_runtest_setup|setup_suite|setup)$/.test(unit.name)) return 'before'
  return unit.role.is === 'hook' ? unit.role.when : undefined
}

/** Sets a variable of the environment, or calls what does the same. */
function pins(unit: Unit, variable: string, calls: RegExp): boolean {
  const names = new RegExp(String.raw`(^|[.\['"])${variable}(['"\]]|$)`)
  return unit.writes.some(w => names.test(w.target) || (variable === 'TZ' && w.target === 'time.Local'))
    || unit.calls.some(c => calls.test(c.name) || (has(c, 'env-write', 'restore') && c.args[0]?.is === 'literal' && c.args[0].value === variable))
}
