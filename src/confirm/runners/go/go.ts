// go test: each package's test binary is compiled once and run in the package's folder, as `go test` would, with its words turned
// into JSON by Go's own test2json. Packages are processes of their own, so only tests of one package share memory.

import { join } from 'node:path'
import { isRunnerError, runnerError, type Command, type Detection, type Finished, type Listed, type Place, type Request, type Runner,
  type RunReport, type TestRecord } from '../../runner.ts'
import { folderWith } from '../folders.ts'
import { compiler, type Compile } from './binaries.ts'
import { readEvents, recordsOf } from './events.ts'
import { listedIn, nameIn, namesIn, packageOf, packagesOf, type Package } from './packages.ts'
import { isOwnOrder, runPattern, topOf } from './select.ts'

interface Prepared {
  readonly packages: readonly Package[]
  readonly compile: Compile
  /** Names of a package's tests in the order in which they run by themselves. */
  readonly names: (of: Package) => Promise<readonly string[]>
}

export const go: Runner = {
  id: 'go',
  title: 'go test',
  can: { order: 'tests', shuffle: true, parallel: true, race: true, phases: false, sharedProcess: true, twice: true, cwd: true },
  detect,
  prepare,
  list,
  run,
  named: subtestNamed,
}

function detect(place: Place): Detection | null {
  const folder = folderWith(place, ['go.work', 'go.mod'])
  if (folder === undefined) return null
  const mark = place.names(folder || '.').includes('go.work') ? 'go.work' : 'go.mod'
  return { reasons: [`${join(folder, mark)} is here`], folder }
}

async function prepare(place: Place, { folder }: Detection): Promise<Prepared> {
  const modules = place.read(join(folder, 'go.work')) === undefined ? ['./...'] : await modulesOf(place, folder)
  const asked = await place.exec({ argv: ['go', 'list', '-e', '-json=Dir,ImportPath,TestGoFiles,XTestGoFiles', ...modules], cwd: folder })
  if (asked.code === 127) throw runnerError('go does not run: install it from go.dev, or put it on the PATH')
  const packages = packagesOf(asked.stdout, place.root)
  if (packages.length === 0)
    throw runnerError(`go list knows no package with tests${asked.stderr.trim() === '' ? '' : `: ${firstLines(asked.stderr)}`}`)
  const compile = compiler(place, folder)
  const known = new Map<string, Promise<readonly string[]>>()
  const names = (of: Package) => known.get(of.path) ?? known.set(of.path, askNames(place, compile, of)).get(of.path)!
  return { packages, compile, names } satisfies Prepared
}

async function modulesOf(place: Place, folder: string): Promise<string[]> {
  const { stdout } = await place.exec({ argv: ['go', 'list', '-m', '-f', '{{.Dir}}'], cwd: folder })
  return stdout.split('\n').filter(Boolean).map(dir => `${dir}/...`)
}

async function askNames(place: Place, compile: Compile, of: Package): Promise<readonly string[]> {
  return namesIn((await place.exec({ argv: [await compile(of, { race: false, ordered: false }), '-test.list', '.'], cwd: of.dir })).stdout)
}

async function list(place: Place, _: Detection, prepared: unknown, file?: string): Promise<readonly Listed[]> {
  const { packages, names } = prepared as Prepared
  const asked = file === undefined ? packages : packages.filter(p => p.files.some(f => join(p.dir, f) === file))
  const errors: unknown[] = []
  const listed: Listed[] = []
  for (const of of asked) {
    try {
      listed.push(...listedIn(place, of, await names(of)))
    } catch (error) {
      errors.push(error)
    }
  }
  // One package that does not build keeps no other from its tests.
  if (listed.length === 0 && errors.length > 0) throw errors[0]
  return listed
}

async function run(place: Place, _: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const own = prepared as Prepared
  const groups = request.tests === null ? own.packages.map(of => ({ of, names: null })) : groupsOf(request.tests, own.packages)
  if (groups.length === 0) return { records: [], command: [], broken: `no package here has a test called ${request.tests?.[0]?.id}` }
  const reports: RunReport[] = []
  const waiting = [...groups.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      reports[next[0]] = await runPackage(place, own, request, next[1], join(place.temp, `race-${next[0]}`))
  }
  await Promise.all(Array.from({ length: request.parallel ? request.workers ?? 2 : 1 }, work))
  const records = reports.flatMap(r => r.records)
  const broken = reports.find(r => r.broken !== undefined)?.broken
  return {
    records,
    command: reports.findLast(r => r.command.length > 0)?.command ?? [],
    ...(reports.some(r => r.race) && { race: true }),
    ...(broken !== undefined && (request.tests !== null || records.length === 0) && { broken }),
  }
}

/** `TestTable/a_b`, with or without its package: subtests are there only once their test runs. */
function subtestNamed(text: string, listed: readonly Listed[]): Listed | null {
  const parent = listed.find(t => text.startsWith(`${t.id}/`) || text.startsWith(`${t.name}/`))
  if (parent === undefined) return null
  const name = parent.name + text.slice((text.startsWith(`${parent.id}/`) ? parent.id : parent.name).length)
  return { ...parent, id: parent.id.slice(0, -parent.name.length) + name, name }
}

interface Group {
  readonly of: Package
  readonly names: readonly string[] | null
}

/** One process for each package; the package of the last test comes last. */
function groupsOf(tests: readonly Listed[], packages: readonly Package[]): Group[] {
  const groups = new Map<Package, string[]>()
  for (const test of tests) {
    const of = packageOf(test.id, packages)
    if (of === undefined) continue
    const names = groups.get(of) ?? []
    groups.delete(of)
    groups.set(of, [...names, nameIn(test.id, of)])
  }
  return [...groups].map(([of, names]) => ({ of, names }))
}

async function runPackage(place: Place, { compile, names: namesOf }: Prepared, request: Request, { of, names }: Group,
  raceLog: string): Promise<RunReport>
{
  try {
    const ordered = names !== null && request.seed === undefined && !isOwnOrder(names, await namesOf(of))
    const binary = await compile(of, { race: request.race ?? false, ordered })
    const options = [
      ...(names === null ? [] : [`-test.run=${runPattern(names)}`]),
      ...(request.seed === undefined ? [] : [`-test.shuffle=${request.seed}`]),
      `-test.parallel=${request.parallel ? request.workers ?? 2 : 1}`,
    ]
    const command: Command = {
      // A test that leaves by os.Exit(0) is no pass, and a test that hangs ends with its stacks: both as `go test` has it.
      argv: ['go', 'tool', 'test2json', '-t', '-p', of.path, binary, '-test.v=test2json', '-test.paniconexit0', '-test.timeout=10m',
        ...options],
      cwd: request.cwd ?? of.dir,
      env: { ...(ordered && { FLAKESNIFF_GO_ORDER: orderOf(names).join('\n') }), ...(request.race && { GORACE: `log_path=${raceLog}` }) },
    }
    const finished = await place.exec(command)
    // A subtest runs inside its parents, whose outcomes are its own.
    const asked = names === null ? null : new Set(names.map(name => `${of.path}.${name}`))
    const records = recordsOf(readEvents(finished.stdout), of.path, endOf(finished)).filter(r => asked?.has(r.id) ?? true)
    const race = request.race === true && place.names(place.temp).some(n => n.startsWith(`${raceLog.slice(place.temp.length + 1)}.`))
    return { records, command: asTyped(of, request, options), ...(race && { race }), ...brokenBy(finished, of, records, names !== null) }
  } catch (error) {
    if (!isRunnerError(error)) throw error
    return { records: [], command: [], broken: error.message }
  }
}

/** Tests of the top, in order: subtests of one that stand together are one visit of it. */
const orderOf = (names: readonly string[]): string[] =>
  names.filter((name, at) => topOf(name) !== topOf(names[at - 1] ?? '') || name === names[at - 1]).map(topOf)

const asTyped = (of: Package, request: Request,
  options: readonly string[]): string[] => ['go', 'test', '-count=1', '-v', ...(request.race ? ['-race'] : []),
  ...options.map(o => o.replace('-test.', '-')), of.path]

function brokenBy(finished: Finished, of: Package, records: readonly TestRecord[], chosen: boolean): { broken?: string } {
  if (records.length > 0 || finished.timedOut) return {}
  if (finished.code === 0 && !chosen) return {}
  return {
    broken: finished.code === 0
      ? `no test of ${of.path} fits the names that were asked for`
      : `the tests of ${of.path} ended before the first of them began (${endOf(finished)}): ${firstLines(outputOf(finished))}`,
  }
}

const outputOf = ({ stdout, stderr }: Finished): string => readEvents(stdout).map(e => e.Output ?? '').join('') + stderr
const endOf = (finished: Finished): string => (finished.timedOut ? 'it took too long' : finished.signal ?? `exit status ${finished.code}`)
const firstLines = (text: string): string => text.trim().split('\n').slice(0, 4).join('\n')
