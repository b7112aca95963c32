// Shared set-up files: what they do before every test, they do for the tests of a whole folder, or of the classes that
// extend them. They are found here by name and by the runner's configuration; setup-cures.ts judges them by their facts.

import { parse } from 'yaml'
import type { FolderCure } from './cures.ts'
import { specifiersIn } from './offers.ts'
import { type RunnerFile, commands, folderOf, isManifest, isRecord, json, nameOf, withoutComments } from './evidence.ts'

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
  /** Nobody runs it by itself: what it does counts for those that import it or call its functions. */
  readonly offers?: true
  /** Another set-up file imports it. */
  readonly taken?: true
  /** The extension of JUnit that tests must name for it to hold. */
  readonly extension?: string
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
    if (PYTHON_BASE.test(name) && (TESTS.test(folder) || /test/i.test(name)))
      return [{ path, folder: aboveTests(folder), classes: true as const }]
    if (/^(?:main|testmain|setup|suite|base)_test\.go$|_suite_test\.go$/.test(name)) return [{ path, folder }]
    if (/^(?:test_helpers?|common|helpers?|setup_suite)\.(?:bash|sh)$/.test(name))
      return [{ path, folder: folder.replace(/\/?(?:test_helpers?|helpers?|lib|common)$/, '') }]
    const base = JAVA_BASE.exec(name)?.[1]
    if (base && /(?:^|\/)(?:src\/)?(?:test|it|testFixtures|integrationTest)\//.test(path)) return [{ path, folder: '', base }]
    const script = /\.[cm]?[jt]sx?$/.test(path)
      ? named.get(path) ?? named.get(path.replace(/\.[cm]?[jt]sx?$/, '')) ?? named.get(`${folder}/*`)
      : undefined
    if (script) return [{ ...script, path, named: true }]
    if (SETUP.test(name))
      return [{ path, folder: folder.replace(/(?:^|\/)(?:tests?|__tests__|spec|setup|support|config|test-?utils|scripts)$/, '') }]
    return []
  })
}

const aboveTests = (folder: string): string => folder.slice(0, TESTS.exec(folder)?.index ?? 0)

/** The folders, beside a project's own, in which its set-up files lie by convention: `setupFiles` gives them to the folder above. */
export const SETUP_FOLDERS = ['test', 'tests', '__tests__', 'spec', 'setup', 'support', 'config', 'test-utils', 'testutils', 'scripts',
  'test_helper', 'test_helpers', 'helper', 'helpers', 'lib', 'common', 'mocks', 'hooks', 'utils']

/**
 * Modules whose fixtures a conftest.py takes for its own: plugins, and what it imports; modules that a script runs by importing them. Each
 * as the paths where it may lie.
 */
export function takenBy(setup: SetupFile, text: string): string[][] {
  if (/\.[cm]?[jt]sx?$/.test(setup.path) && !setup.offers && !setup.once && !setup.taken)
    return specifiersIn(text).filter(s => s.startsWith('.')).map(s => endings(joined(parentOf(setup.path), s)))
  if (nameOf(setup.path) !== 'conftest.py') return []
  const plugins = Array.from(text.matchAll(/^pytest_plugins\b[^=\n]*=\s*(\[[^\]]*\]|\([^)]*\)|["'][^"'\n]+["'])/gm),
    m => Array.from(m[1]!.matchAll(/["']([\w.]+)["']/g), n => n[1]!)).flat()
  const imports = Array.from(text.matchAll(/^from\s+(\.*[\w.]*)\s+import\b/gm), m => m[1]!)
  return [...plugins, ...imports].map(module => {
    const dots = /^\.*/.exec(module)![0].length, path = module.slice(dots).replaceAll('.', '/')
    const folders = dots > 0 ? [joined(parentOf(setup.path), '../'.repeat(dots - 1))] : upward(parentOf(setup.path))
    return folders.flatMap(
      folder => [joined(folder, `${path}.py`), joined(folder, `${path}/__init__.py`), joined(folder, `src/${path}.py`)],
    )
  })
}

const ENDINGS = ['', '.ts', '.js', '.tsx', '.jsx', '.mts', '.mjs', '.cjs', '/index.ts', '/index.js']
const endings = (
  path: string,
): string[] => [...ENDINGS.map(e => path + e), ...(/\.[cm]?jsx?$/.test(path) ? [path.replace(/js(x?)$/, 'ts$1')] : [])]

const upward = (folder: string): string[] => (folder === '' ? [''] : [folder, ...upward(parentOf(folder))])

/** Fixtures that a configuration of pytest names for every test are those of everybody below it. */
export function namedForAll(cures: readonly FolderCure[], configs: readonly RunnerFile[]): FolderCure[] {
  const names = configs.flatMap(file => {
    const value =
      /^[ \t]*usefixtures\s*=\s*(\[[^\]]*\]|[^\n]*(?:\n[ \t]+[^\n]+)*)/m.exec(PYTEST_CONFIG.test(nameOf(file.path)) ? file.text : '')?.[1]
        ?? ''
    return (value.match(/\w+/g) ?? []).map(name => ({ name, folder: folderOf(file.path) }))
  })
  return cures.map((
    { fixture, ...cure },
  ) => (fixture === undefined || names.some(n => n.name === fixture && isBelow(cure.folder, n.folder)) ? cure : { ...cure, fixture }))
}
const PYTEST_CONFIG = /^(?:\.?pytest\.ini|pyproject\.toml|tox\.ini|setup\.cfg)$/
const isBelow = (folder: string, top: string): boolean => top === '' || folder === top || folder.startsWith(`${top}/`)

/** The paths that configurations name, some of them without their ending. */
export const namedSetups = (configs: readonly RunnerFile[]): string[] => configs.flatMap(f => setupsIn(f).map(s => s.path))

/** Files that jest, vitest or mocha run before each test file. */
function setupsIn(file: RunnerFile): SetupFile[] {
  const name = nameOf(file.path)
  if (!/^(?:vitest|vite|jest)\b|^\.mocharc/.test(name) && !isManifest(file.path)) return []
  const folder = folderOf(file.path)
  const flags = isManifest(file.path)
    ? commands([file], 'mocha').flatMap(c => Array.from(c.text.matchAll(/\s(?:-r|--require|--file)[\s=]+["']?([^\s"']+)/g), m => m[1]!))
    : []
  // `mocha "test/helpers/*.js" "test/**/*.js"`: hooks of files that hold no tests are for all.
  const helpers = isManifest(file.path)
    ? commands([file], 'mocha').flatMap(c =>
      Array.from(c.text.matchAll(/(?<=["'\s])([\w./-]+\/(?:helpers?|support|set-?up|hooks))\/\*\.[cm]?[jt]sx?(?=[\\"'\s]|$)/g), m =>
        `${m[1]!}/*`)
    )
    : []
  const started = [...flags, ...helpers].map(path => ({ path: joined(folder, path), folder }))
  const own = isManifest(file.path) ? runnersIn(file.text) : /\.ya?ml$/.test(name) ? yaml(file.text) : withoutComments(file.text)
  // Of what a base names nobody says whether it is meant from there or from here.
  const inherited = (file.bases ?? []).flatMap(base =>
    [folder, folderOf(base.path)].flatMap(from => listedIn(withoutComments(base.text), from, folder))
  )
  return [...started, ...listedIn(own, folder, folder), ...inherited]
}

function listedIn(text: string, from: string, folder: string): SetupFile[] {
  const lists = [
    ...text.matchAll(
      /\b(globalSetup|setupFiles|setupFilesAfterEnv|setupTestFrameworkScriptFile|require|file)["']?\s*:\s*(\[[^\]]{0,2000}\]|["'][^"'\n]{1,300}["'])/g,
    ),
  ].map(m => ({ key: m[1]!, list: m[2]! }))
  return lists.flatMap(({ key, list }) =>
    [...list.matchAll(/["']([^"'\n]{1,300})["']/g)].map(m => ({ path: joined(from, m[1]!.replace(/^<rootDir>\//, './')), folder,
      ...(key === 'globalSetup' && { once: true as const }) })
    )
  )
}

/** What a manifest says to runners of tests; `require` has another meaning elsewhere in it. */
function runnersIn(text: string): string {
  const manifest = /"(?:jest|vitest|mocha|ava)"\s*:\s*\{/.test(text) ? json(text) : undefined
  return manifest ? JSON.stringify(['jest', 'vitest', 'mocha', 'ava'].map(runner => manifest[runner]).filter(isRecord)) : ''
}

/** YAML as it would stand in JSON, so that it is read like a script. */
function yaml(text: string): string {
  try {
    return JSON.stringify(parse(text)) ?? ''
  } catch {
    return ''
  }
}

function joined(folder: string, path: string): string {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) part === '..' ? parts.pop() : part !== '.' && part !== '' && parts.push(part)
  return parts.join('/')
}
