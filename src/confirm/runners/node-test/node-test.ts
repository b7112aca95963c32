// node:test, each file in a process of its own as `node --test` does it, with a face before `node:test` that picks tests by id:
// names as patterns mean other tests in other versions of Node.

import { join } from 'node:path'
import { runnerError, type Abilities, type Detection, type Finished, type Listed, type Place, type Request, type Runner, type RunReport,
  type TestRecord } from '../../runner.ts'
import { partsOf, readJournal, titlesOf, whatWentWrong, writeProbe, type Part } from '../journal.ts'
import { detectIn, escaped, majorOf } from '../node-packages.ts'
import { saidTo } from '../scripts.ts'
import { commandLineOf, type CommandLine } from './command-line.ts'

const CAN: Abilities = { order: 'tests', shuffle: true, parallel: true, race: false, phases: true, sharedProcess: true, twice: true }

export const nodeTest: Runner = {
  id: 'node-test',
  title: 'node:test',
  can: CAN,
  detect: place => detectIn(place, folder => signsIn(place, folder)),
  prepare: async (place, { folder }) => {
    const asked = await place.exec({ argv: ['node', '--version'] })
    const version = asked.stdout.trim().replace(/^v/, '')
    if (asked.code !== 0 || !(majorOf(version) >= 20))
      throw runnerError(`node:test needs Node 20 or later on the path, and there ${version === '' ? 'is none' : `is ${version}`}`)
    return commandLineOf(place, folder, saidTo(place, folder, 'node', '--test'), majorOf(version))
  },
  list,
  run,
}

const TEST_FILE = /(?:^test[.-].*|[._-]test|^test)\.[cm]?[jt]s$/

function signsIn(place: Place, folder: string): string[] {
  const said = saidTo(place, folder, 'node', '--test')
  if (said) return [`the script "${said.script}" in ${join(folder, 'package.json')} runs node --test`]
  for (const at of [folder, join(folder, 'test'), join(folder, 'tests')]) {
    const inTests = at !== folder
    const file = place.names(at === '' ? '.' : at).find(n =>
      (inTests ? /\.[cm]?[jt]s$/ : TEST_FILE).test(n) && /(?:from\s*|require\(\s*)['"]node:test['"]/.test(place.read(join(at, n)) ?? '')
    )
    if (file !== undefined) return [`${join(at, file)} imports node:test`]
  }
  return []
}

const PROBE = ['probe.mjs', 'resolve.mjs', 'face.mjs', 'face.cjs', 'order.cjs', 'reporter.mjs']

async function list(place: Place, { folder }: Detection, prepared: unknown, file?: string): Promise<readonly Listed[]> {
  const { flags, files, env } = prepared as CommandLine
  const probe = writeProbe(place, 'node-test', PROBE, { mode: 'list' })
  const finished = await place.exec({
    argv: ['node', ...flags, `--import=${probe}`, '--test', ...(file === undefined ? files : [join(place.root, file)])],
    ...(folder !== '' && { cwd: folder }),
    env,
  })
  const journal = readJournal(place, finished)
  if (journal.listed.length === 0) throw runnerError(whatWentWrong('node --test', finished, journal))
  // Files are asked side by side: what they say comes mixed.
  return grouped(journal.listed)
}

const grouped = (listed: readonly Listed[]): Listed[] =>
  [...new Set(listed.map(l => l.file))].sort().flatMap(file => listed.filter(l => l.file === file))

interface WholePart extends Part {
  /** Everything that the file declares: nothing need be kept back to be put in order. */
  readonly whole: boolean
}

async function run(place: Place, detection: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const line = prepared as CommandLine
  const parts = await wholeParts(place, detection, prepared, request)
  const probe = writeProbe(place, 'node-test', PROBE, { mode: 'run', parts, parallel: request.parallel,
    ...(request.seed !== undefined && { seed: request.seed }) })
  const one = (part: Part, at: number): Promise<Finished> =>
    place.exec({
      argv: ['node', ...line.flags, `--import=${probe}`, `--test-reporter=${join(place.temp, 'reporter.mjs')}`,
        '--test-reporter-destination=stdout', join(place.root, part.file)],
      ...(detection.folder !== '' && { cwd: detection.folder }),
      env: { ...line.env, FLAKESNIFF_PART: String(at) },
    })
  const finished = await each(parts, one, request.parallel ? request.workers ?? 2 : 1)
  const journals = finished.map((ended, at) => readJournal(place, ended, null, `records-${at}.jsonl`))
  const records = parts.flatMap((part, at) => judged(part, finished[at]!, journals[at]!.records))
  return { records, command: typed(line, request),
    ...(records.length === 0 && { broken: whatWentWrong('node:test', finished[0]!, journals[0]!) }) }
}

async function wholeParts(place: Place, detection: Detection, prepared: unknown, request: Request): Promise<readonly WholePart[]> {
  if (request.tests) return partsOf(request)!.map(part => ({ ...part, whole: false }))
  const tests = await list(place, detection, prepared)
  return partsOf({ ...request, tests })!.map(part => ({ ...part, whole: true }))
}

/** What a process says by its end alone: that the file does not load, or that something broke outside of its tests. */
function judged(part: Part, finished: Finished, records: readonly TestRecord[]): readonly TestRecord[] {
  if (finished.code === 0 || records.some(r => r.outcome === 'fail')) return records
  const why = `${finished.timedOut ? 'it took too long' : finished.signal ?? `exit status ${finished.code}`}\n${
    finished.stderr.trim().split('\n').slice(0, 8).join('\n')
  }`.trim()
  const last = records.findLast(r => r.outcome === 'pass')
  if (last) return records.map(r => (r === last ? { ...r, outcome: 'fail', message: `outside of any test the process failed: ${why}` } : r))
  return part.ids.map(id => ({ id, outcome: 'fail', attempts: 1, setupMs: null, testMs: null, teardownMs: null,
    message: `${part.file} could not be loaded: ${why}` })
  )
}

/** So many at a time, the results in the order of the items. */
async function each<T, R>(items: readonly T[], work: (item: T, at: number) => Promise<R>, limit: number): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at]!, at)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}

/** The nearest that Node's own command line can say; since Node 22 a pattern means the titles joined by a space. */
function typed({ flags, files }: CommandLine, { tests, parallel, workers }: Request): string[] {
  const mode = parallel ? [`--test-concurrency=${workers ?? 2}`] : ['--test-concurrency=1']
  if (!tests) return ['node', ...flags, '--test', ...mode, ...files]
  const names = [...new Set(tests.map(t => `--test-name-pattern=^${escaped(titlesOf(t).join(' '))}$`))]
  return ['node', ...flags, '--test', ...mode, ...names, ...new Set(tests.flatMap(t => t.file ?? []))]
}
