// unittest, through a script that loads with its loader and runs with its suite: the chosen order is the order that runs, and
// only the modules that are needed are imported.

import { join } from 'node:path'
import { runnerError, type Abilities, type Command, type Detection, type Finished, type Listed, type Place, type Request, type Runner, type RunReport } from '../../runner.ts'
import { partsOf, readJournal, whatWentWrong } from '../journal.ts'
import { probe } from '../probe.ts'

const CAN: Abilities = { order: 'tests', shuffle: true, parallel: false, race: false, phases: true, sharedProcess: true, twice: true, cwd: true, unskip: true }

interface Prepared {
  readonly python: string
  /** The folder that module names begin at, from the root. */
  readonly top: string
}

export const unittest: Runner = { id: 'unittest', title: 'unittest', can: CAN, detect, prepare, list, run }

const PATTERN = 'test*.py'
const TEST_FILE = /^test.*\.py$/
const USES = /^\s*(?:import unittest|from unittest import|from django\.test import)/m

function detect(place: Place): Detection | null {
  const found = testFile(place, '', 3)
  return found === undefined ? null : { reasons: [`${found} holds tests of unittest`], folder: '' }
}

/** The first file, not too deep, that is named as a test and uses unittest. */
function testFile(place: Place, folder: string, depth: number): string | undefined {
  const names = place.names(folder === '' ? '.' : folder)
  const here = names.find(n => TEST_FILE.test(n) && USES.test(place.read(join(folder, n)) ?? ''))
  if (here !== undefined) return join(folder, here)
  if (depth === 0) return undefined
  for (const name of names) {
    const found = name.includes('.') || name === 'node_modules' ? undefined : testFile(place, join(folder, name), depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

async function prepare(place: Place): Promise<Prepared> {
  const python = pythonOf(place)
  const asked = await place.exec({ argv: [python, '-c', 'import sys; sys.exit(sys.version_info < (3, 8))'] })
  if (asked.code === 1) throw runnerError(`${python} is older than 3.8: activate a newer one`)
  if (asked.code !== 0) throw runnerError(`${python} does not run: activate the project's virtual environment`)
  return { python, top: topOf(place) }
}

/** The project's own virtual environment, an activated one, or the Python of the path. */
function pythonOf(place: Place): string {
  for (const name of ['.venv', 'venv']) if (place.names(`${name}/bin`).includes('python')) return join(place.root, name, 'bin/python')
  return place.env['VIRTUAL_ENV'] ? join(place.env['VIRTUAL_ENV'], 'bin/python') : 'python3'
}

/** Discovery goes only into packages: a folder of tests that is none, as in `discover -s tests`, is where module names begin. */
function topOf(place: Place): string {
  const file = testFile(place, '', 3) ?? ''
  const folders = file.split('/').slice(0, -1)
  const packages = folders.map((_, at) => place.names(folders.slice(0, at + 1).join('/')).includes('__init__.py'))
  return folders.slice(0, packages.lastIndexOf(false) + 1).join('/')
}

function start(place: Place, { python, top }: Prepared, plan: Readonly<Record<string, unknown>>, more: Partial<Command> = {}): Promise<Finished> {
  const script = place.write('probe.py', probe('unittest', 'probe.py'))
  place.write('plan.json', JSON.stringify({ root: place.root, top, pattern: PATTERN, ...plan }))
  return place.exec({ argv: [python, '-B', script], ...more })
}

const moduleOf = (top: string, file: string): string => file.slice(top === '' ? 0 : top.length + 1).replace(/\.py$/, '').replace(/\/__init__$/, '').replaceAll('/', '.')

/** What to import for these files; everything that discovery finds where there are none. */
const needed = (top: string, files: readonly string[] | undefined) =>
  files && { modules: [...new Set(files.map(f => moduleOf(top, f)))], files: Object.fromEntries(files.map(f => [moduleOf(top, f), f])) }

async function list(place: Place, _: Detection, prepared: unknown, file?: string): Promise<readonly Listed[]> {
  const own = prepared as Prepared
  const finished = await start(place, own, { mode: 'list', ...needed(own.top, file === undefined ? undefined : [file]) })
  const journal = readJournal(place, finished)
  if (journal.listed.length === 0) throw runnerError(whatWentWrong('unittest', finished, journal))
  return journal.listed.map(({ line, ...test }) => ({ ...test, ...(line && { line }) }))
}

async function run(place: Place, _: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const own = prepared as Prepared
  const parts = partsOf(request)
  const plan = { mode: 'run', ids: request.tests?.map(t => t.id), ...needed(own.top, parts?.map(p => p.file)), seed: request.seed, unskip: request.unskip }
  const finished = await start(place, own, plan, request.cwd === undefined ? {} : { cwd: request.cwd })
  const journal = readJournal(place, finished, parts)
  return { records: journal.records, command: typed(own, request), ...(journal.records.length === 0 && { broken: whatWentWrong('unittest', finished, journal) }) }
}

function typed({ python, top }: Prepared, { tests }: Request): string[] {
  const from = top === '' ? [] : ['-s', top]
  if (!tests) return [python, '-m', 'unittest', 'discover', ...from]
  return top === '' ? [python, '-m', 'unittest', ...tests.map(t => t.id)] : [python, '-m', 'unittest', 'discover', ...from, ...tests.flatMap(t => ['-k', t.id])]
}
