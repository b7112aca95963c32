// cargo test: built once, then the test binaries are run as cargo runs them, told to speak JSON. That is still unstable in libtest,
// so RUSTC_BOOTSTRAP is set for their runs alone, never for a build: a build script may ask whether it is there.
//
// The working tree is not written to, so the build goes to the temporary folder, or to CARGO_TARGET_DIR where the user set it.

import { join, relative } from 'node:path'
import { runnerError, type Detection, type Finished, type Listed, type Place, type Request, type Runner,
  type RunReport } from '../../runner.ts'
import { folderWith } from '../folders.ts'
import { binariesOf, compilerErrors, readMessages, type Binary, type Metadata } from './binaries.ts'
import { readEvents, recordsOf } from './events.ts'

interface Prepared {
  readonly binaries: readonly Binary[]
  readonly workspace: string
}

export const cargo: Runner = {
  id: 'cargo',
  title: 'cargo test',
  // libtest sorts what it runs by name, whatever the order of its arguments.
  can: { order: 'none', shuffle: true, parallel: true, race: false, phases: false, sharedProcess: true, cwd: true, unskip: true },
  detect,
  prepare,
  list,
  run,
}

function detect(place: Place): Detection | null {
  const folder = folderWith(place, ['Cargo.toml'])
  return folder === undefined ? null : { reasons: [`${join(folder, 'Cargo.toml')} is here`], folder }
}

async function prepare(place: Place, { folder }: Detection): Promise<Prepared> {
  const asked = await place.exec({ argv: ['cargo', 'metadata', '--no-deps', '--format-version=1'], cwd: folder })
  if (asked.code !== 0)
    throw runnerError(asked.code === 127
      ? 'cargo does not run: install it with rustup, or put it on the PATH'
      : `cargo cannot read the project: ${firstLines(asked.stderr)}`)
  const metadata = JSON.parse(asked.stdout) as Metadata
  if (place.read(join(metadata.workspace_root, 'Cargo.lock')) === undefined)
    throw runnerError(
      `there is no Cargo.lock in ${metadata.workspace_root}, and a build would write it: run \`cargo generate-lockfile\` first`,
    )
  const libraries = await place.exec({ argv: ['rustc', '--print', 'target-libdir'], cwd: folder })
  const built = await place.exec({
    argv: ['cargo', 'test', '--no-run', '--locked', '--workspace', '--no-fail-fast', '--message-format=json'],
    cwd: folder,
    env: { CARGO_TARGET_DIR: place.env['CARGO_TARGET_DIR'] ?? join(place.temp, 'target') },
  })
  const messages = readMessages(built.stdout)
  if (built.code !== 0) throw runnerError(`the tests do not build: ${firstLines(compilerErrors(messages)[0] ?? built.stderr)}`)
  return { binaries: binariesOf(messages, metadata, place.root, [libraries.stdout.trim()]),
    workspace: metadata.workspace_root } satisfies Prepared
}

const JSON_EVENTS = ['-Zunstable-options', '--format=json']
const NIGHTLY = { RUSTC_BOOTSTRAP: '1' }

async function list(place: Place, _: Detection, prepared: unknown, file?: string): Promise<readonly Listed[]> {
  const { binaries, workspace } = prepared as Prepared
  const all: Listed[] = []
  for (const binary of binaries) {
    const { stdout } = await place.exec({ argv: [binary.executable, '--list', ...JSON_EVENTS], cwd: binary.dir,
      env: { ...binary.env, ...NIGHTLY } })
    for (const { event, name, source_path: path, start_line: line } of readEvents(stdout)) {
      if (event === 'discovered' && name !== undefined)
        all.push({ id: `${binary.id} ${name}`, name, file: path === undefined ? null : relative(place.root, join(workspace, path)),
          ...(line !== undefined && { line }) })
    }
  }
  return file === undefined ? all : all.filter(t => t.file === file)
}

async function run(place: Place, _: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const { binaries } = prepared as Prepared
  const groups = request.tests === null ? binaries.map(binary => ({ binary, names: null })) : groupsOf(request.tests, binaries)
  if (groups.length === 0) return { records: [], command: [], broken: `no test binary holds ${request.tests?.[0]?.id}` }
  const reports: RunReport[] = []
  for (const { binary, names } of groups) reports.push(await runBinary(place, request, binary, names))
  const broken = reports.find(r => r.broken !== undefined)?.broken
  return { records: reports.flatMap(r => r.records), command: reports.at(-1)!.command, ...(broken !== undefined && { broken }) }
}

/** One process for each binary, as cargo has it, one after the other; the binary of the last test comes last. */
function groupsOf(tests: readonly Listed[], binaries: readonly Binary[]): { readonly binary: Binary; readonly names: readonly string[] }[] {
  const groups = new Map<Binary, string[]>()
  for (const { id } of tests) {
    const binary = binaries.find(b => id.startsWith(`${b.id} `))
    if (binary === undefined) continue
    const names = groups.get(binary) ?? []
    groups.delete(binary)
    groups.set(binary, [...names, id.slice(binary.id.length + 1)])
  }
  return [...groups].map(([binary, names]) => ({ binary, names }))
}

async function runBinary(place: Place, request: Request, binary: Binary, names: readonly string[] | null): Promise<RunReport> {
  const chosen = [
    ...(names === null ? [] : ['--exact', ...new Set(names)]),
    `--test-threads=${request.parallel ? request.workers ?? 2 : 1}`,
    ...(request.unskip ? ['--include-ignored'] : []),
  ]
  const seed = request.seed === undefined ? [] : [`--shuffle-seed=${request.seed}`]
  const finished = await place.exec({ argv: [binary.executable, ...JSON_EVENTS, '--report-time', ...seed, ...chosen],
    cwd: request.cwd ?? binary.dir, env: { ...binary.env, ...NIGHTLY } })
  const events = readEvents(finished.stdout)
  const command = ['cargo', 'test', ...binary.choose, '--', ...chosen, ...(seed.length > 0 ? ['-Zunstable-options', ...seed] : [])]
  const records = recordsOf(events, binary.id, endOf(finished))
  if (records.length > 0 || finished.timedOut) return { records, command }
  if (!events.some(e => e.type === 'suite'))
    return names === null
      ? { records, command }
      : { records, command, broken: `${binary.id} does not speak as libtest does (${endOf(finished)}): ${firstLines(finished.stderr)}` }
  return { records, command, ...(names !== null && { broken: `no test of ${binary.id} is called ${names[0]}` }) }
}

const endOf = (finished: Finished): string => (finished.timedOut ? 'it took too long' : finished.signal ?? `exit status ${finished.code}`)
const firstLines = (text: string): string => text.trim().split('\n').slice(0, 4).join('\n')
