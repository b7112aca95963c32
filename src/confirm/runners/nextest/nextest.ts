// cargo nextest: every test is a process of its own, so none can spoil another in memory; where that is the question, `--runner cargo`
// asks it. Built once into the temporary folder (or CARGO_TARGET_DIR, where the user set it); each run then reuses the binaries.

import { join } from 'node:path'
import { runnerError, type Detection, type Finished, type Listed, type Place, type Request, type Runner, type RunReport,
  type TestRecord } from '../../runner.ts'
import { folderWith } from '../folders.ts'
import { casesIn, recordOf } from '../junit-xml.ts'
import { located } from './sources.ts'

interface Prepared {
  /** Options that let a run reuse what was built. */
  readonly reuse: readonly string[]
  /** The first source file of each binary. */
  readonly starts: ReadonlyMap<string, string>
}

interface Metadata {
  readonly workspace_root: string
  readonly packages: readonly { readonly id: string; readonly name: string;
    readonly targets: readonly { readonly name: string; readonly kind: readonly string[]; readonly src_path: string }[] }[]
}

interface ListedSuites {
  readonly 'rust-suites': Readonly<Record<string, { readonly testcases: Readonly<Record<string, unknown>> }>>
}

interface BuiltBinaries {
  readonly 'rust-binaries': Readonly<
    Record<string, { readonly 'package-id': string; readonly 'binary-name': string; readonly kind: string }>
  >
}

export const nextest: Runner = {
  id: 'nextest',
  title: 'cargo nextest',
  can: { order: 'none', shuffle: false, parallel: true, race: false, phases: false, sharedProcess: false, unskip: true },
  detect,
  prepare,
  list,
  run,
  retries: (place, { folder }) =>
    [...(place.read(join(folder, '.config/nextest.toml')) ?? '').matchAll(/^\s*(retries\s*=\s*(?:[1-9]\d*|\{.*))$/gm)].map(m =>
      `${m[1]!.trim()} in ${join(folder, '.config/nextest.toml')}`
    ),
}

function detect(place: Place): Detection | null {
  const folder = folderWith(place, ['Cargo.toml'])
  if (folder === undefined || !place.names(join(folder, '.config')).includes('nextest.toml')) return null
  return { reasons: [`${join(folder, '.config/nextest.toml')} configures nextest`], folder }
}

async function prepare(place: Place, { folder }: Detection): Promise<Prepared> {
  // The metadata names the folder that every later run writes to, so it must be asked for with the same setting as the build.
  const env = { CARGO_TARGET_DIR: place.env['CARGO_TARGET_DIR'] ?? join(place.temp, 'target') }
  const asked = await place.exec({ argv: ['cargo', 'metadata', '--format-version=1', '--locked'], cwd: folder, env })
  if (asked.code !== 0)
    throw runnerError(asked.code === 127
      ? 'cargo does not run: install it with rustup, or put it on the PATH'
      : `cargo cannot read the project: ${firstLines(asked.stderr)}`)
  const built = await place.exec({
    argv: ['cargo', 'nextest', 'list', '--workspace', '--locked', '--list-type', 'binaries-only', '--message-format', 'json'],
    cwd: folder,
    env,
  })
  if (built.code !== 0)
    throw runnerError(/no such (?:sub)?command/.test(built.stderr)
      ? 'cargo-nextest is not installed: `cargo install cargo-nextest --locked`'
      : `the tests do not build: ${firstLines(built.stderr)}`)
  const metadata = JSON.parse(asked.stdout) as Metadata
  const starts = Object.entries((JSON.parse(built.stdout) as BuiltBinaries)['rust-binaries']).flatMap(([id, b]) => {
    const target = metadata.packages.find(p => p.id === b['package-id'])?.targets.find(t =>
      t.kind.includes(b.kind) && t.name.replaceAll('-', '_') === b['binary-name'].replaceAll('-', '_')
    )
    return target ? [[id, target.src_path] as const] : []
  })
  const reuse = ['--cargo-metadata', place.write('cargo-metadata.json', asked.stdout), '--binaries-metadata',
    place.write('binaries-metadata.json', built.stdout)]
  return { reuse, starts: new Map(starts) } satisfies Prepared
}

async function list(place: Place, { folder }: Detection, prepared: unknown, file?: string): Promise<readonly Listed[]> {
  const { reuse, starts } = prepared as Prepared
  const asked = await place.exec({ argv: ['cargo', 'nextest', 'list', ...reuse, '--message-format', 'json'], cwd: folder })
  if (asked.code !== 0) throw runnerError(`nextest cannot list the tests: ${firstLines(asked.stderr)}`)
  const all = Object.entries((JSON.parse(asked.stdout) as ListedSuites)['rust-suites']).flatMap(([binary, suite]) =>
    Object.keys(suite.testcases).map(name => ({ id: `${binary} ${name}`, name, ...located(place, starts.get(binary), name) }))
  )
  return file === undefined ? all : all.filter(t => t.file === file)
}

async function run(place: Place, { folder }: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const { reuse } = prepared as Prepared
  const report = join(place.temp, 'junit.xml')
  // A profile of our own inherits from the project's default, retries and all, and writes its report where nothing old can be.
  const config = place.write('nextest.toml', `[profile.flakesniff.junit]\npath = ${JSON.stringify(report)}\nstore-success-output = true\n`)
  const told = [
    ...(request.tests === null ? [] : ['-E', filterOf(request.tests)]),
    '--test-threads',
    String(request.parallel ? request.workers ?? 2 : 1),
    '--no-fail-fast',
    ...(request.unskip ? ['--run-ignored', 'all'] : []),
  ]
  const finished = await place.exec({
    argv: ['cargo', 'nextest', 'run', ...reuse, '--tool-config-file', `flakesniff:${config}`, '--profile', 'flakesniff', ...told],
    cwd: folder,
  })
  const records = recordsIn(place.read(report) ?? '')
  const went = records.length > 0 || finished.timedOut
  return { records, command: ['cargo', 'nextest', 'run', ...told],
    ...(!went && { broken: `nextest reported no test (${endOf(finished)}): ${firstLines(finished.stderr)}` }) }
}

// To nextest a process that ends with 0 has passed. libtest says first that it runs a test and last how that went: one that said the
// first alone was ended by its test.
const recordsIn = (xml: string): TestRecord[] =>
  casesIn(xml).map(c => {
    const ended = c.outcome === 'pass' && /^running 1 test$/m.test(c.output) && !/^test result: /m.test(c.output)
    return recordOf(`${c.suite} ${c.name}`,
      ended ? { ...c, outcome: 'fail', message: 'the process ended during the test (exit status 0)' } : c)
  })

/** Names between slashes would be patterns; after `=` they are exact, and only these signs mean anything in them. */
const filterOf = (tests: readonly Listed[]): string =>
  tests.map(({ id }) => `(binary_id(=${exact(id.slice(0, id.indexOf(' ')))}) & test(=${exact(id.slice(id.indexOf(' ') + 1))}))`).join(' | ')
const exact = (name: string): string => name.replace(/[\\()/,]/g, '\\$&')

const endOf = (finished: Finished): string => (finished.timedOut ? 'it took too long' : finished.signal ?? `exit status ${finished.code}`)
const firstLines = (text: string): string =>
  text.trim().split('\n').filter(l => /error|warning|no tests/i.test(l)).concat(text.trim().split('\n')).slice(0, 3).join('\n')
