// What the configuration of runners and CI says, read as data: above all, whether tests run at the same time. Scripts
// are read as text, never run; a file that makes no sense says nothing.

import type { Cure, Language } from '../facts/facts.ts'
import { bashSays } from './bash.ts'
import type { BatsSuite } from './bats.ts'
import { readChosen, type Chosen } from './chosen.ts'
import { type FolderCure, readCures } from './cures.ts'
import type { RunnerFile, Says, Statement } from './evidence.ts'
import { readLimits, type TestLimit } from './limits.ts'
import { looksFirstIn, takesOf } from './offers.ts'
import { goModules, goSays, type GoModule } from './go.ts'
import { javaSays } from './java.ts'
import { javascriptSays } from './javascript.ts'
import { readMasks, type Mask } from './masks.ts'
import { pythonSays } from './python.ts'
import { readRetries, type Retry } from './retries.ts'
import { rustSays } from './rust.ts'

export type { BatsSuite } from './bats.ts'
export type { FolderCure } from './cures.ts'
export type { RunnerFile } from './evidence.ts'

export interface ProjectFacts {
  /** Tests of one file or class may run at the same time in one process. */
  readonly parallel: Readonly<Partial<Record<Language, Parallel>>>
  /** BATS suites by folder, for rules about a suite as a whole. */
  readonly bats: Readonly<Record<string, BatsSuite>>
  /** What was said in which folder; `parallelFor` asks it. */
  readonly statements?: readonly Statement[]
  /** Where configuration has failed tests run again or lets them fail. */
  readonly retries?: readonly Retry[]
  /** Where a script runs the tests and drops what they say. */
  readonly masks?: readonly Mask[]
  /** Where configuration chooses a few tests by their names. */
  readonly chosen?: readonly Chosen[]
  /** Where configuration gives tests less time than a busy machine needs. */
  readonly limits?: readonly TestLimit[]
  /** What cures the tests of a whole folder, and because of which file; `curedFor` asks it. */
  readonly cures?: readonly FolderCure[]
  /** Which version of Go the modules are written for; `goFor` asks it. */
  readonly go?: readonly GoModule[]
}

export interface Parallel {
  /** Tests run at the same time in one process: they share its environment, working directory and globals. */
  readonly on: boolean
  /** What says so: `junit-platform.properties`, «cargo test runs tests in threads». */
  readonly because: string
  /**
   * What runs side by side, if anything does. Threads share the process (`on`); processes share only what lies outside:
   * ports, files, databases, services.
   */
  readonly scope?: 'threads' | 'processes'
  /** What is spread: single tests, or whole files, classes or packages whose tests run one after another. */
  readonly grain?: 'tests' | 'files'
}

export const NO_PROJECT: ProjectFacts = { parallel: {}, bats: {} }

const DEFAULTS: Readonly<Record<Language, Parallel>> = {
  rust: { on: true, scope: 'threads', grain: 'tests', because: 'cargo test runs the tests of a crate in threads' },
  java: { on: false, because: 'JUnit and TestNG run tests one after another unless they are told otherwise' },
  python: { on: false, because: 'pytest and unittest run tests one after another' },
  go: { on: false, scope: 'processes', grain: 'files',
    because: 'go test runs packages side by side, and the tests of one only where they call t.Parallel()' },
  typescript: { on: false, because: 'no configuration asks for tests to run at the same time' },
  bash: { on: false, because: 'bats runs tests one after another without --jobs' },
}

const READERS: Readonly<Record<Language, Says>> = {
  rust: rustSays,
  java: javaSays,
  python: pythonSays,
  go: goSays,
  typescript: javascriptSays,
  bash: bashSays,
}

/** Nobody writes longer ones by hand. */
const MAX_LENGTH = 512 * 1024

const LANGUAGES = Object.keys(DEFAULTS) as Language[]

/** From the files in which a project says how its tests run; paths relative to the root. */
export function readProject(configFiles: readonly RunnerFile[], bats: ProjectFacts['bats'] = {}): ProjectFacts {
  const files = configFiles.filter(f => f.text.length <= MAX_LENGTH)
  const statements = LANGUAGES.flatMap(language => READERS[language](files).map(s => ({ ...s, language })))
  const project: ProjectFacts = { parallel: {}, bats, statements, retries: readRetries(files), masks: readMasks(files),
    chosen: readChosen(files), limits: readLimits(files), cures: readCures(files), go: goModules(files) }
  return { ...project, parallel: Object.fromEntries(LANGUAGES.map(l => [l, parallelFor(project, l, '')])) }
}

/** What holds for a file: the nearest folder upward that says something decides. */
export function parallelFor(project: ProjectFacts, language: Language, path: string): Parallel {
  const speaking = (project.statements ?? []).filter(s => s.language === language && holdsIn(s.folder, path))
  const nearest = Math.max(...speaking.map(s => depth(s.folder)))
  const here = speaking.filter(s => depth(s.folder) === nearest).sort((a, b) => b.weight - a.weight)
  return here[0]?.parallel ?? project.parallel[language] ?? DEFAULTS[language]
}

/** The minor version of Go 1 that the module around a file is written for, where its go.mod says so. */
export const goFor = (project: ProjectFacts, path: string): number | undefined =>
  (project.go ?? []).filter(m => holdsIn(m.folder, path)).sort((a, b) => depth(b.folder) - depth(a.folder))[0]?.minor

/** The cure of a kind that holds for a file, from the nearest folder. */
export const curedFor = (project: ProjectFacts, language: Language, path: string, kind: Cure, text = ''): FolderCure | undefined =>
  curesFor(project, language, path, text).filter(c => c.kind === kind && isWhole(c)).sort((a, b) => depth(b.folder) - depth(a.folder))[0]

/** A cure for the whole file, and not for some of its tests, calls or commands. */
export const isWhole = (c: FolderCure): boolean =>
  c.fixture === undefined && c.command === undefined && (c.helper === undefined || !BY_CALL.includes(c.kind))
/** What a call does is told of the call; hooks that it makes are there for the file. */
const BY_CALL: readonly Cure[] = ['fake-clock', 'seed', 'fake-net']

/**
 * All cures that hold for a file; those of base classes by what its text extends, those of fixtures, functions and modules where it names
 * them.
 */
export function curesFor(project: ProjectFacts, language: Language, path: string, text = ''): FolderCure[] {
  const takes = takesOf(language, path, text)
  return (project.cures ?? []).filter(c =>
    (c.language === undefined || c.language === language) && holdsIn(c.folder, path)
    && (c.seeds === undefined || !DRAWS_FROM_OTHER[c.seeds].test(text))
    && (c.base === undefined || builds(language, c.base).test(text))
    && (c.fixture === undefined || new RegExp(`\\b${c.fixture}\\b`).test(text))
    && (c.module === undefined || takes(c.module))
    && (c.helper === undefined || (text.includes(c.helper) && new RegExp(`\\b${c.helper}\\b${isWhole(c) ? '\\s*\\(' : ''}`).test(text)))
    && (c.extension === undefined || (EXTENDED.test(text) && new RegExp(`\\b${c.extension}(?:\\.class\\b|\\s*\\(|\\.\\w+\\()`).test(text)))
    && (c.hook === undefined || !new RegExp(`^[ \\t]*(?:function[ \\t]+)?${c.hook}[ \\t]*(?:\\(\\)|\\{)`, 'm').test(text))
    && (c.programs === undefined || looksFirstIn(c.programs, text))
  )
}

const EXTENDED = /@(?:ExtendWith|Extensions|RegisterExtension|Rule|ClassRule)\b/

const DRAWS_FROM_OTHER = {
  random:
    /\b(?:np|numpy)\.random\.(?:rand|randn|randint|random|normal|uniform|choice|shuffle|permutation|standard_normal|random_sample|poisson|binomial|exponential)\(/,
  numpy: /(?<![\w.])random\.(?:random|randint|randrange|choice|choices|shuffle|sample|uniform|gauss|getrandbits)\(/,
}

/** How a class says that it builds on another; in Go by a field without a name, or by a method of the same type in another file. */
const builds = (language: Language, base: string): RegExp =>
  language === 'python'
    ? new RegExp(`^[ \\t]*class\\s+\\w+\\s*\\([^)]*\\b${base}\\b`, 'm')
    : language === 'go'
    ? new RegExp(`^\\s*\\*?(?:\\w+\\.)?${base}[ \\t]*$|^func\\s*\\(\\w+\\s+\\*?${base}\\)`, 'm')
    : new RegExp(`\\bextends\\s+(?:[\\w.]+\\.)?${base}\\b`)

const ABOVE = /^\.\.(?:\/\.\.)*$/

export const holdsIn = (folder: string, path: string) =>
  folder === '' || path === folder || path.startsWith(`${folder}/`) || (ABOVE.test(folder) && !path.startsWith('../'))

/** Folders above the root lie higher than it. */
const depth = (folder: string) => (folder === '' ? 0 : ABOVE.test(folder) ? -folder.split('/').length : folder.split('/').length)
