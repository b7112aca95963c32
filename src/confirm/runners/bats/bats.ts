// BATS, through the stream that it hands to its formatters, written to a file of the run.

import { join } from 'node:path'
import { runnerError, type Abilities, type Detection, type Finished, type Listed, type Place, type Request, type Runner, type RunReport,
  type TestRecord } from '../../runner.ts'
import { filesBelow } from '../folders.ts'
import { filesOf, segmentsOf } from './segments.ts'
import { hear } from './stream.ts'
import { exactly, testsOf } from './titles.ts'

interface Prepared {
  readonly bats: string
  /** GNU parallel is what bats starts its jobs with. */
  readonly parallel: boolean
}

const CAN: Abilities = { order: 'tests', shuffle: false, parallel: true, race: false, phases: false, sharedProcess: false, twice: true,
  cwd: true }

export const bats: Runner = {
  id: 'bats',
  title: 'BATS',
  can: CAN,
  abilities: (_, prepared) => ({ ...CAN, parallel: (prepared as Prepared).parallel }),
  detect,
  prepare,
  list: async (place, detection, _, file) => (file === undefined ? testFiles(place, detection) : [file]).flatMap(f => testsIn(place, f)),
  run,
  retries: (place, detection) =>
    testFiles(place, detection).flatMap(file =>
      [...(place.read(file) ?? '').matchAll(/^[^#\n]*\b(BATS_TEST_RETRIES=[1-9]\d*)/gm)].map(m => `${m[1]} in ${file}`)
    ),
}

// The copies of bats and its libraries that projects carry have tests of their own.
const CARRIED = /(^|\/)(bats|bats-core|bats-assert|bats-support|bats-file|bats-mock)\//

const batsFiles = (place: Place): string[] => filesBelow(place, /\.bats$/).filter(f => !CARRIED.test(f))
const testFiles = (place: Place, { folder }: Detection): string[] => batsFiles(place).filter(f => f.startsWith(folder))
const testsIn = (place: Place, file: string): Listed[] => testsOf(file, place.read(file) ?? '')

function detect(place: Place): Detection | null {
  const files = batsFiles(place)
  return files.length === 0
    ? null
    : { reasons: [`${files[0]} is a BATS file${files.length > 1 ? `, as are ${files.length - 1} others` : ''}`], folder: '' }
}

const OWN = ['node_modules/bats/bin', 'test/bats/bin', 'tests/bats/bin', 'test/libs/bats/bin', 'test/test_helper/bats-core/bin', 'bats/bin',
  'bats-core/bin']

async function prepare(place: Place): Promise<Prepared> {
  const own = OWN.find(folder => place.names(folder).includes('bats'))
  const command = own === undefined ? 'bats' : join(place.root, own, 'bats')
  const asked = await place.exec({ argv: [command, '--version'] })
  const [, major, minor] = /(\d+)\.(\d+)/.exec(asked.stdout) ?? []
  if (asked.code !== 0 || major === undefined)
    throw runnerError(`${command} does not run: install it (\`npm install --save-dev bats\`, or your system's package \`bats\`)`)
  if (Number(major) === 1 && Number(minor) < 5)
    throw runnerError(`${command} is version ${major}.${minor}; at least 1.5 is needed to write a report to a file`)
  const parallel = await place.exec({ argv: ['parallel', '--version'] })
  return { bats: command, parallel: parallel.code === 0 && parallel.stdout.startsWith('GNU') }
}

async function run(place: Place, detection: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const known = new Map<string, Listed[]>()
  const testsOfFile = (file: string): Listed[] => known.get(file) ?? known.set(file, testsIn(place, file)).get(file)!
  const wanted = request.tests ?? testFiles(place, detection).flatMap(testsOfFile)
  const records: TestRecord[] = []
  const command: string[] = []
  for (const [at, segment] of segmentsOf(wanted, testsOfFile).entries()) {
    const one = await runSegment(place, prepared as Prepared, request, segment, join(place.temp, `bats-${at}`))
    command.push(...(at === 0 ? [] : ['&&']), ...one.command)
    records.push(...one.records)
    if (one.broken !== undefined) return { records, command, broken: one.broken }
  }
  return { records, command }
}

async function runSegment(place: Place, { bats }: Prepared, request: Request, tests: readonly Listed[],
  folder: string): Promise<RunReport>
{
  const jobs = request.parallel ? ['--jobs', String(request.workers ?? 2)] : []
  const files = filesOf(tests)
  const filter = request.tests === null ? [] : ['--filter', exactly(tests.map(t => t.name))]
  const keep = place.write(`${folder.slice(place.temp.length + 1)}/.keep`, '')
  const finished = await place.exec({
    argv: [bats, '--formatter', 'tap', '--timing', '--report-formatter', 'cat', '--output', join(keep, '..'), ...jobs, ...filter,
      ...files.map(f => join(place.root, f))],
    ...(request.cwd !== undefined && { cwd: request.cwd }),
  })
  const { records, planned } = hear(place.read(join(folder, 'report.log')) ?? '', tests, place.root, endOf(finished))
  const command = [bats, ...jobs, ...filter, ...files]
  if (planned !== tests.length && !finished.timedOut)
    return { records: [], command, broken: whatWentWrong(finished, planned, tests.length) }
  return { records, command }
}

const endOf = (finished: Finished): string => (finished.timedOut ? 'it took too long' : finished.signal ?? `exit status ${finished.code}`)

function whatWentWrong(finished: Finished, planned: number | null, expected: number): string {
  if (planned === null || finished.code !== 0 && planned <= 1 && /gather-tests/.test(finished.stdout + finished.stderr))
    return `bats ran nothing (${endOf(finished)}): ${firstLines(finished.stderr || finished.stdout)}`
  return `bats planned ${planned} tests where ${expected} were asked for: tests that are registered by a loop or focused by a tag cannot be chosen one by one`
}

const firstLines = (text: string): string => text.trim().split('\n').slice(0, 4).join('\n')
