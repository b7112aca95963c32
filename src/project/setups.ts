// Shared set-up files: what they do before every test, they do for the tests of a whole folder, or of the classes that
// extend them. They are found here by name and by the runner's configuration, and judged by their facts.

import type { Cure, FileFacts, Language, Unit } from '../facts/facts.ts'
import { cures, has, within } from '../facts/query.ts'
import type { FolderCure } from './cures.ts'
import { type RunnerFile, folderOf, isManifest, nameOf, withoutComments } from './evidence.ts'

export interface SetupFile {
  readonly path: string
  /** The folder whose tests it is run for. */
  readonly folder: string
  /** The class that tests must extend for it to hold. */
  readonly base?: string
  /** A configuration says so; the others are known by what they are called. */
  readonly named?: true
}

const parentOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
/** Set-up files of JavaScript by the names that projects give them; a runner's configuration may name others. */
const SETUP = /^(?:(?:jest|vitest|mocha|test)[.-]?)?set-?up(?:[.-]?(?:tests?|jest|vitest|mocha|after-?env|env))?\.[cm]?[jt]sx?$/i
const JAVA_BASE = /^((?:Abstract|Base)\w+|\w+(?:Base|BaseTest|TestCase|TestSupport))\.java$/

/** By the conventions of the languages, and by what configurations name. */
export function setupFiles(paths: readonly string[], configs: readonly RunnerFile[]): SetupFile[] {
  const named = new Map(configs.flatMap(f => setupsIn(f).map(s => [s.path, s] as const)))
  return paths.flatMap(path => {
    const name = nameOf(path), folder = parentOf(path)
    if (name === 'conftest.py') return [{ path, folder }]
    if (/^(?:main|testmain|setup|suite)_test\.go$|_suite_test\.go$/.test(name)) return [{ path, folder }]
    if (/^(?:test_helpers?|common|helpers?|setup_suite)\.(?:bash|sh)$/.test(name)) return [{ path, folder: folder.replace(/\/?(?:test_helpers?|helpers?|lib|common)$/, '') }]
    const base = JAVA_BASE.exec(name)?.[1]
    if (base && /(?:^|\/)(?:src\/)?(?:test|it|testFixtures|integrationTest)\//.test(path)) return [{ path, folder: '', base }]
    const script = /\.[cm]?[jt]sx?$/.test(path) ? named.get(path) ?? named.get(path.replace(/\.[cm]?[jt]sx?$/, '')) : undefined
    if (script) return [{ path, folder: script.folder, named: true }]
    if (SETUP.test(name)) return [{ path, folder: folder.replace(/(?:^|\/)(?:tests?|__tests__|spec|setup|support|config|test-?utils|scripts)$/, '') }]
    return []
  })
}

/** The folders, beside a project's own, in which its set-up files lie by convention: `setupFiles` gives them to the folder above. */
export const SETUP_FOLDERS = ['test', 'tests', '__tests__', 'spec', 'setup', 'support', 'config', 'test-utils', 'testutils', 'scripts', 'test_helper', 'test_helpers', 'helper', 'helpers', 'lib', 'common']

/** The paths that configurations name, some of them without their ending. */
export const namedSetups = (configs: readonly RunnerFile[]): string[] => configs.flatMap(f => setupsIn(f).map(s => s.path))

/** Files that jest, vitest or mocha run before each test file. */
function setupsIn(file: RunnerFile): SetupFile[] {
  const name = nameOf(file.path)
  if (!/^(?:vitest|vite|jest)\b|^\.mocharc/.test(name) && !isManifest(file.path)) return []
  const text = isManifest(file.path) ? file.text : withoutComments(file.text)
  const lists = [...text.matchAll(/\b(?:setupFiles|setupFilesAfterEnv|setupTestFrameworkScriptFile|require|file)["']?\s*:\s*(\[[^\]]{0,2000}\]|["'][^"'\n]{1,300}["'])/g)].map(m => m[1]!)
  const folder = folderOf(file.path)
  return lists.flatMap(list => [...list.matchAll(/["']([^"'\n]{1,300})["']/g)].map(m => ({ path: joined(folder, m[1]!.replace(/^<rootDir>\//, './')), folder })))
}

function joined(folder: string, path: string): string {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) part === '..' ? parts.pop() : part !== '.' && part !== '' && parts.push(part)
  return parts.join('/')
}

/** A word of any cure; a set-up file without one is not parsed. Java has a base class in every other folder, and few ways to cure by one. */
export const cureWords = (path: string): RegExp => (path.endsWith('.java') ? JAVA_WORDS : WORDS)
const JAVA_WORDS = /(?:TimeZone|Locale)\.setDefault|mockStatic|WireMock|MockWebServer|setCurrentMillis|Clock\.fixed/
const WORDS = /freeze|time_machine|travel|[fF]akeTimers|setSystemTime|MockDate|seed|Seed|socket|disableNetConnect|setupServer|onUnhandledRequest|responses|vcr|restoreAllMocks|restore\(|resetAllMocks|unstubAll|\bTZ\b|tzset|LC_ALL|setDefault|time\.Local|monkeypatch|mockStatic|WireMock|useRealTimers|environ|chdir|\bHOME=/

/** What a set-up file does for every test. */
export function curesIn(file: FileFacts, setup: SetupFile): FolderCure[] {
  const kinds = new Set<Cure>()
  for (const unit of file.units) {
    const when = whenRun(unit)
    // In the shell a function that the tests call first does it.
    if ((when === 'before' || file.language === 'bash') && pins(unit, 'HOME', /$^/)) kinds.add('home')
    if (when === 'before') {
      for (const kind of ['fake-clock', 'seed', 'fake-net'] as const) if (unit.calls.some(c => cures(c, kind) && !within(unit, c.in, 'if', 'closure'))) kinds.add(kind)
      if (pins(unit, 'TZ', /(TimeZone\.setDefault|time\.tzset)$/)) kinds.add('zone')
      if (pins(unit, 'LC_ALL', /(Locale\.setDefault|locale\.setlocale)$/)) kinds.add('locale')
    }
    for (const call of when ? unit.calls : []) {
      if (/\.(restoreAllMocks|resetAllMocks)$|^sinon\.(restore|sandbox\.restore)$/.test(call.name)) kinds.add('restore-mocks')
      if (/\.unstubAllEnvs$/.test(call.name)) kinds.add('restore-env')
      if (has(call, 'real-clock')) kinds.add('restore-clock')
      // A fixture for everyone that changes the environment or the folder is there to put it back.
      if (unit.role.is === 'hook' && has(call, 'env-write')) kinds.add('restore-env')
      if (unit.role.is === 'hook' && (has(call, 'cwd-write') || /^monkeypatch\.chdir$/.test(call.name))) kinds.add('restore-cwd')
      if (/\.unstubAllGlobals$/.test(call.name)) kinds.add('restore-globals')
    }
  }
  return [...kinds].map(kind => ({ kind, language: file.language as Language, folder: setup.folder, because: `${setup.path} ${DOES[kind] ?? 'sees to it'} for every test`, ...(setup.base && { base: setup.base }) }))
}

const DOES: Partial<Record<Cure, string>> = {
  'fake-clock': 'replaces the clock', seed: 'seeds the generators', 'fake-net': 'replaces the network', zone: 'pins the time zone', locale: 'pins the locale',
  'restore-mocks': 'puts mocks back', 'restore-env': 'puts the environment back', 'restore-cwd': 'puts the working directory back', 'restore-clock': 'puts the clock back', 'restore-globals': 'puts globals back', home: 'gives a home',
}

/** The module and its hooks run for everybody; a fixture only where it says so. */
function whenRun(unit: Unit): 'before' | 'after' | undefined {
  if (unit.role.is === 'module' || /^(TestMain|pytest_configure|pytest_sessionstart|pytest_runtest_setup|setup_suite|setup)$/.test(unit.name)) return 'before'
  if (unit.role.is !== 'hook') return undefined
  const fixture = unit.markers.find(m => m.name === 'pytest.fixture')
  return fixture && !/autouse\s*=\s*True/.test(fixture.key ?? '') ? undefined : unit.role.when
}

/** Sets a variable of the environment, or calls what does the same. */
function pins(unit: Unit, variable: string, calls: RegExp): boolean {
  const names = new RegExp(String.raw`(^|[.\['"])${variable}(['"\]]|$)`)
  return unit.writes.some(w => names.test(w.target) || (variable === 'TZ' && w.target === 'time.Local'))
    || unit.calls.some(c => calls.test(c.name) || (has(c, 'env-write', 'restore') && c.args[0]?.is === 'literal' && c.args[0].value === variable))
}
