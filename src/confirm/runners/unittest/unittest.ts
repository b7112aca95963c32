// unittest, through a script that loads with its loader and runs with its suite: the chosen order is the order that runs, and
// only the modules that are needed are imported.

import { join } from 'node:path'
import { runnerError, type Abilities, type Command, type Detection, type Finished, type Listed, type Place, type Request, type Runner,
  type RunReport } from '../../runner.ts'
import { partsOf, readJournal, whatWentWrong } from '../journal.ts'
import { probe } from '../probe.ts'
import { pythonOf } from '../python.ts'

const CAN: Abilities = { order: 'tests', shuffle: true, parallel: false, race: false, phases: true, sharedProcess: true, twice: true,
  cwd: true, unskip: true }

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
  const [first] = testFiles(place, '', 3)
  return first === undefined ? null : { reasons: [`${first} holds tests of unittest`], folder: '' }
}

/** Files, not too deep, that are named as tests and use unittest. */
function testFiles(place: Place, folder: string, depth: number): string[] {
  const names = place.names(folder === '' ? '.' : folder)
  const here = names.filter(n => TEST_FILE.test(n) && USES.test(place.read(join(folder, n)) ?? '')).map(n => join(folder, n))
  return depth === 0
    ? here
    : [...here, ...names.filter(n => !n.includes('.') && n !== 'node_modules').flatMap(n => testFiles(place, join(folder, n), depth - 1))]
}

async function prepare(place: Place): Promise<Prepared> {
  const python = pythonOf(place)
  const asked = await place.exec({ argv: [python, '-c', 'import sys; sys.exit(sys.version_info < (3, 8))'] })
  if (asked.code === 1) throw runnerError(`${python} is older than 3.8: activate a newer one`)
  if (asked.code !== 0) throw runnerError(`${python} does not run: activate the project's virtual environment`)
  return { python, top: commonTop(place) }
}

/**
 * Where a file's module name begins: discovery goes only into packages, and a folder of tests that is none, as in `discover -s tests`, is a
 * beginning.
 */
function topOf(place: Place, file: string): string {
  const folders = file.split('/').slice(0, -1)
  const packages = folders.map((_, at) => place.names(folders.slice(0, at + 1).join('/')).includes('__init__.py'))
  return folders.slice(0, packages.lastIndexOf(false) + 1).join('/')
}

/** Where most test files begin. */
function commonTop(place: Place): string {
  const tops = testFiles(place, '', 3).map(file => topOf(place, file))
  const counts = [...new Set(tops)].map(top => ({ top, files: tops.filter(t => t === top).length }))
  return counts.sort((a, b) => b.files - a.files)[0]?.top ?? ''
}

function start(place: Place, { python, top }: Prepared, plan: Readonly<Record<string, unknown>>,
  more: Partial<Command> = {}): Promise<Finished>
{
  const script = place.write('probe.py', probe('unittest', 'probe.py'))
  place.write('plan.json', JSON.stringify({ root: place.root, top, pattern: PATTERN, ...plan }))
  return place.exec({ argv: [python, '-B', script], ...more })
}

const moduleOf = (top: string, file: string): string =>
  file.slice(top === '' ? 0 : top.length + 1).replace(/\.py$/, '').replace(/\/__init__$/, '').replaceAll('/', '.')

/** What to import for these files; everything that discovery finds where there are none. */
const needed = (top: string, files: readonly string[] | undefined) =>
  files && { modules: [...new Set(files.map(f => moduleOf(top, f)))], files: Object.fromEntries(files.map(f => [moduleOf(top, f), f])) }

async function list(place: Place, _: Detection, prepared: unknown, file?: string): Promise<readonly Listed[]> {
  const own = file === undefined ? prepared as Prepared : { ...prepared as Prepared, top: topOf(place, file) }
  const finished = await start(place, own, { mode: 'list', ...needed(own.top, file === undefined ? undefined : [file]) })
  const journal = readJournal(place, finished)
  if (journal.listed.length === 0) throw runnerError(whatWentWrong('unittest', finished, journal))
  return journal.listed.map(({ line, ...test }) => ({ ...test, ...(line && { line }) }))
}

async function run(place: Place, _: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const parts = partsOf(request)
  const tops = new Set(parts?.map(p => topOf(place, p.file)))
  const own = { ...prepared as Prepared, ...(tops.size === 1 && { top: [...tops][0]! }) }
  const plan = { mode: 'run', ids: request.tests?.map(t => t.id), ...needed(own.top, parts?.map(p => p.file)), seed: request.seed,
    unskip: request.unskip }
  const finished = await start(place, own, plan, request.cwd === undefined ? {} : { cwd: request.cwd })
  const journal = readJournal(place, finished, parts)
  return { records: journal.records, command: typed(own, request),
    ...(journal.records.length === 0 && { broken: whatWentWrong('unittest', finished, journal) }) }
}

function typed({ python, top }: Prepared, { tests }: Request): string[] {
  const from = top === '' ? [] : ['-s', top]
  if (!tests) return [python, '-m', 'unittest', 'discover', ...from]
  return top === ''
    ? [python, '-m', 'unittest', ...tests.map(t => t.id)]
    : [python, '-m', 'unittest', 'discover', ...from, ...tests.flatMap(t => ['-k', t.id])]
}
