// pytest, through a small plugin that selects by node id and tells each phase of each test: no name is ever a pattern, and the
// chosen order is the order that runs.

import { join, relative } from 'node:path'
import { runnerError, type Abilities, type Command, type Detection, type Finished, type Listed, type Place, type Request, type Runner,
  type RunReport } from '../../runner.ts'
import { probe } from '../probe.ts'
import { pythonOf } from '../python.ts'
import { readEvents, recordsOf, type PytestEvent } from './events.ts'

interface Prepared {
  readonly python: string
  readonly xdist: boolean
}

const CAN: Abilities = { order: 'tests', shuffle: false, parallel: true, race: false, phases: true, sharedProcess: true, twice: true,
  cwd: true, unskip: true }

export const pytest: Runner = {
  id: 'pytest',
  title: 'pytest',
  can: CAN,
  abilities: (_, prepared) => ({ ...CAN, parallel: (prepared as Prepared).xdist }),
  detect,
  prepare,
  list,
  run,
}

const MARKS: readonly (readonly [file: string, says: RegExp])[] = [
  ['pytest.ini', /^/],
  ['pyproject.toml', /\[tool\.pytest/],
  ['setup.cfg', /\[tool:pytest\]/],
  ['tox.ini', /\[pytest\]/],
  ['conftest.py', /^/],
  ['pyproject.toml', /["']pytest\b/],
  ['requirements.txt', /^pytest\b/m],
  ['requirements-dev.txt', /^pytest\b/m],
]
const TEST_FILE = /^test_.*\.py$|_test\.py$/

function detect(place: Place): Detection | null {
  const reasons = MARKS.flatMap((
    [file, says],
  ) => (says.test(place.read(file) ?? '\0') && place.read(file) !== undefined ? [`${file} configures or names pytest`] : []))
  if (reasons.length > 0) return { reasons: [...new Set(reasons)], folder: '' }
  for (const folder of ['', 'tests', 'test']) {
    const file = place.names(folder || '.').find(n =>
      TEST_FILE.test(n) && /^def test_|^class Test\w*:|import pytest|from pytest/m.test(place.read(join(folder, n)) ?? '')
    )
    if (file !== undefined) return { reasons: [`${join(folder, file)} holds tests as pytest finds them`], folder: '' }
  }
  return null
}

async function prepare(place: Place): Promise<Prepared> {
  const python = pythonOf(place)
  const asked = await place.exec({
    argv: [python, '-c', 'import importlib.util as u; print(*(m for m in ("pytest", "xdist") if u.find_spec(m)))'],
  })
  if (asked.code !== 0) throw runnerError(`${python} does not run (${firstLine(asked.stderr)}): activate the project's virtual environment`)
  const found = asked.stdout.split(/\s+/)
  if (!found.includes('pytest'))
    throw runnerError(
      `pytest is not installed for ${python}: activate the project's virtual environment, or \`${python} -m pip install pytest\``,
    )
  return { python, xdist: found.includes('xdist') }
}

interface Told {
  readonly ids?: readonly string[]
  readonly list?: boolean
  readonly unskip?: boolean
}

async function start(place: Place, python: string, told: Told, args: readonly string[],
  more: Partial<Command> = {}): Promise<{ finished: Finished; events: readonly PytestEvent[] }>
{
  place.write('flakesniff_probe.py', probe('pytest', 'flakesniff_probe.py'))
  const out = join(place.temp, 'events.jsonl')
  const settings = place.write('told.json', JSON.stringify({ ...told, out }))
  const path = [place.env['PYTHONPATH'], more.cwd === undefined ? undefined : place.root, place.temp].filter(p =>
    p !== undefined && p !== ''
  ).join(':')
  const finished = await place.exec({
    // A cache in the temporary folder, and no early stop: what the project's own options say of both would spoil the run.
    argv: [python, '-m', 'pytest', '-p', 'flakesniff_probe', '-o', `cache_dir=${join(place.temp, 'cache')}`, '--maxfail=0',
      `--rootdir=${place.root}`, ...args],
    ...more,
    env: { PYTHONPATH: path, FLAKESNIFF_PYTEST: settings, ...more.env },
  })
  return { finished, events: readEvents(place.read(out) ?? '') }
}

async function list(place: Place, _: Detection, prepared: unknown, file?: string): Promise<readonly Listed[]> {
  const { python, xdist } = prepared as Prepared
  const { finished, events } = await start(place, python, { list: true }, ['--collect-only', ...serial(xdist),
    ...(file === undefined ? [] : [join(place.root, file)])])
  const items = events.filter(e => e.e === 'item')
  if (items.length === 0 && finished.code !== 5) throw runnerError(whatWentWrong(finished, events))
  return items.map(i => ({ id: i.id, file: relative(place.root, i.file), name: i.name, ...(i.line !== null && { line: i.line }) }))
}

const serial = (xdist: boolean): string[] => (xdist ? ['-n', '0'] : [])

async function run(place: Place, _: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const { python, xdist } = prepared as Prepared
  const files = [...new Set((request.tests ?? []).flatMap(t => (t.file === null ? [] : [join(place.root, t.file)])))]
  const mode = request.parallel ? ['-n', String(request.workers ?? 2)] : serial(xdist)
  const told = { ...(request.tests && { ids: request.tests.map(t => t.id) }), ...(request.unskip && { unskip: true }) }
  const { finished, events } = await start(place, python, told, [...mode, ...files], request.cwd === undefined ? {} : { cwd: request.cwd })
  const records = recordsOf(events, finished)
  const went = records.length > 0 || finished.timedOut
  return { records, command: [python, '-m', 'pytest', ...mode, ...(request.tests ?? []).map(t => t.id)],
    ...(!went && { broken: whatWentWrong(finished, events) }) }
}

const MEANINGS: Readonly<Record<number, string>> = { 2: 'pytest was interrupted or could not collect', 3: 'an internal error of pytest',
  4: 'pytest was used wrongly', 5: 'pytest collected no tests' }

function whatWentWrong(finished: Finished, events: readonly PytestEvent[]): string {
  const uncollected = events.find(e => e.e === 'uncollected')
  if (uncollected) return `${uncollected.id} cannot be collected: ${lastLine(uncollected.message)}`
  const meaning = MEANINGS[finished.code ?? -1]
    ?? `pytest ended with ${finished.signal ?? `exit status ${finished.code}`} and reported no test`
  return `${meaning}${finished.stderr.trim() === '' ? '' : `: ${lastLine(finished.stderr)}`}`
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? ''
const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
