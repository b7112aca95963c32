// What the configuration of runners and CI says, read as data: above all, whether tests run at the same time. Scripts
// are read as text, never run; a file that makes no sense says nothing.

import type { Language } from '../facts/facts.ts'
import { bashSays } from './bash.ts'
import type { BatsSuite } from './bats.ts'
import type { RunnerFile, Says, Statement } from './evidence.ts'
import { goSays } from './go.ts'
import { javaSays } from './java.ts'
import { javascriptSays } from './javascript.ts'
import { pythonSays } from './python.ts'
import { restoresIn, type Restored, type Restores } from './restores.ts'
import { rustSays } from './rust.ts'

export type { BatsSuite } from './bats.ts'
export type { RunnerFile } from './evidence.ts'

export interface ProjectFacts {
  /** Tests of one file or class may run at the same time in one process. */
  readonly parallel: Readonly<Partial<Record<Language, Parallel>>>
  /** BATS suites by folder, for rules about a suite as a whole. */
  readonly bats: Readonly<Record<string, BatsSuite>>
  /** What was said in which folder; `parallelFor` asks it. */
  readonly statements?: readonly Statement[]
  /** What is put back for every test of a folder; `restoredFor` asks it. */
  readonly restores?: readonly Restores[]
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
  go: { on: false, scope: 'processes', grain: 'files', because: 'go test runs packages side by side, and the tests of one only where they call t.Parallel()' },
  typescript: { on: false, because: 'no configuration asks for tests to run at the same time' },
  bash: { on: false, because: 'bats runs tests one after another without --jobs' },
}

const READERS: Readonly<Record<Language, Says>> = {
  rust: rustSays, java: javaSays, python: pythonSays, go: goSays, typescript: javascriptSays, bash: bashSays,
}

/** Nobody writes longer ones by hand. */
const MAX_LENGTH = 512 * 1024

const LANGUAGES = Object.keys(DEFAULTS) as Language[]

/** From the files in which a project says how its tests run; paths relative to the root. */
export function readProject(configFiles: readonly RunnerFile[], bats: ProjectFacts['bats'] = {}): ProjectFacts {
  const files = configFiles.filter(f => f.text.length <= MAX_LENGTH)
  const statements = LANGUAGES.flatMap(language => READERS[language](files).map(s => ({ ...s, language })))
  const project: ProjectFacts = { parallel: {}, bats, statements, restores: restoresIn(files) }
  return { ...project, parallel: Object.fromEntries(LANGUAGES.map(l => [l, parallelFor(project, l, '')])) }
}

/** What holds for a file: the nearest folder upward that says something decides. */
export function parallelFor(project: ProjectFacts, language: Language, path: string): Parallel {
  const speaking = (project.statements ?? []).filter(s => s.language === language && holdsIn(s.folder, path))
  const nearest = Math.max(...speaking.map(s => depth(s.folder)))
  const here = speaking.filter(s => depth(s.folder) === nearest).sort((a, b) => b.weight - a.weight)
  return here[0]?.parallel ?? project.parallel[language] ?? DEFAULTS[language]
}

/** Whether the project puts something back after every test of a file: by configuration, a set-up file or a fixture for all. */
export const restoredFor = (project: ProjectFacts, language: Language, path: string, what: Restored): boolean =>
  (project.restores ?? []).some(r => r.language === language && r.what.includes(what) && holdsIn(r.folder.replace(SETUP_FOLDER, ''), path))

/** A set-up file often stands beside the tests it is for. */
const SETUP_FOLDER = /(?:^|\/)(?:tests?|__tests__|spec|setup|support|config|test-?utils|scripts)$/

const ABOVE = /^\.\.(?:\/\.\.)*$/

const holdsIn = (folder: string, path: string) =>
  folder === '' || path === folder || path.startsWith(`${folder}/`) || (ABOVE.test(folder) && !path.startsWith('../'))

/** Folders above the root lie higher than it. */
const depth = (folder: string) => (folder === '' ? 0 : ABOVE.test(folder) ? -folder.split('/').length : folder.split('/').length)
