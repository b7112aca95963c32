import { describe, expect, test } from 'vitest'
import type { Command, Request } from '../src/confirm/runner.ts'
import { cargo } from '../src/confirm/runners/cargo/cargo.ts'
import { readEvents, recordsOf } from '../src/confirm/runners/cargo/events.ts'
import { playedPlace } from './played-place.ts'

const records = (...lines: string[]) => recordsOf(readEvents(lines.join('\n')), 'shop::api', 'exit status 101')

describe('events', () => {
  test('become records', () => {
    expect(records(
      '{ "type": "suite", "event": "started", "test_count": 3 }',
      '{ "type": "test", "event": "started", "name": "a" }',
      '{ "type": "test", "name": "a", "event": "ok", "exec_time": 0.002 }',
      '{ "type": "test", "event": "started", "name": "b" }',
      '{ "type": "test", "name": "b", "event": "failed", "exec_time": 0.001, "stdout": "\\nthread \'b\' panicked\\n" }',
      '{ "type": "test", "event": "started", "name": "c" }',
      '{ "type": "test", "name": "c", "event": "ignored", "message": "why" }',
    )).toEqual([
      { id: 'shop::api a', outcome: 'pass', attempts: 1, setupMs: null, testMs: 2, teardownMs: null },
      { id: 'shop::api b', outcome: 'fail', attempts: 1, setupMs: null, testMs: 1, teardownMs: null, message: "thread 'b' panicked" },
      { id: 'shop::api c', outcome: 'skip', attempts: 1, setupMs: null, testMs: null, teardownMs: null },
    ])
  })

  test('are found behind half a line that a program printed', () => {
    expect(records('{ "type": "test", "event": "started", "name": "a" }', 'half a line{ "type": "test", "name": "a", "event": "ok" }'))
      .toMatchObject([{ outcome: 'pass' }])
  })

  test('a test that took the process with it has failed, also where it only took long before', () => {
    expect(records('{ "type": "test", "event": "started", "name": "a" }', '{ "type": "test", "event": "timeout", "name": "a" }'))
      .toMatchObject([{ outcome: 'fail', message: 'the process ended during the test (exit status 101)' }])
  })
})

const artifact = (kind: string, name: string, executable: string) =>
  JSON.stringify({
    reason: 'compiler-artifact',
    package_id: 'shop-id',
    target: { kind: [kind], name },
    profile: { test: true },
    executable,
  })
const METADATA = JSON.stringify({
  workspace_root: '/project',
  packages: [{ id: 'shop-id', name: 'shop', version: '1.2.3', manifest_path: '/project/Cargo.toml' }],
})
const BUILT = [
  artifact('test', 'api', '/t/debug/deps/api-1'),
  artifact('lib', 'shop', '/t/debug/deps/shop-1'),
  artifact('bin', 'till', '/t/debug/deps/till-1'),
  JSON.stringify({
    reason: 'build-script-executed',
    package_id: 'shop-id',
    linked_paths: ['native=/t/out/lib'],
    env: [['MADE', 'here']],
    out_dir: '/t/out',
  }),
].join('\n')
const project = { 'Cargo.toml': '[package]', 'Cargo.lock': '' }

async function played(request: Partial<Request>, answer: (command: Command) => object) {
  const place = playedPlace(project, command => {
    if (command.argv[1] === 'metadata') return { stdout: METADATA }
    if (command.argv[0] === 'rustc') return { stdout: '/rust/lib\n' }
    return command.argv[1] === 'test' ? { stdout: BUILT } : answer(command)
  })
  const prepared = await cargo.prepare!(place, cargo.detect(place)!)
  return { place, prepared, report: await cargo.run(place, cargo.detect(place)!, prepared, { tests: null, parallel: false, ...request }) }
}

const started = (name: string) => ({
  stdout:
    `{ "type": "suite", "event": "started" }\n{ "type": "test", "event": "started", "name": "${name}" }\n{ "type": "test", "name": "${name}", "event": "ok" }`,
})

describe('a run', () => {
  test('builds into the temporary folder, and never with the switch that a build script may ask for', async () => {
    const { place } = await played({}, () => ({}))
    expect(place.commands.find(c => c.argv[1] === 'test')).toEqual({
      argv: ['cargo', 'test', '--no-run', '--locked', '--workspace', '--no-fail-fast', '--message-format=json'],
      cwd: '',
      env: { CARGO_TARGET_DIR: '/temp/target' },
    })
  })

  test('goes through library, programs and tests in the order of cargo, with what cargo would set', async () => {
    const { place } = await played({ unskip: true, seed: 7 }, () => started('x'))
    const runs = place.commands.filter(c => c.argv.includes('--report-time'))
    expect(runs.map(c => c.argv[0])).toEqual(['/t/debug/deps/shop-1', '/t/debug/deps/till-1', '/t/debug/deps/api-1'])
    expect(runs[0]!.argv.slice(1)).toEqual([
      '-Zunstable-options',
      '--format=json',
      '--report-time',
      '--shuffle-seed=7',
      '--test-threads=1',
      '--include-ignored',
    ])
    expect(runs[0]!.env).toEqual({
      CARGO_MANIFEST_DIR: '/project',
      CARGO_MANIFEST_PATH: '/project/Cargo.toml',
      CARGO_PKG_NAME: 'shop',
      CARGO_PKG_VERSION: '1.2.3',
      MADE: 'here',
      OUT_DIR: '/t/out',
      RUSTC_BOOTSTRAP: '1',
      [process.platform === 'darwin' ? 'DYLD_FALLBACK_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: '/t/out/lib:/t/debug/deps:/t/debug:/rust/lib',
    })
  })

  test('takes names exactly, and says what a user would type', async () => {
    const { report } = await played({ tests: [{ id: 'shop::api cart::adds', file: null, name: 'cart::adds' }], parallel: true, workers: 4 },
      () => started('cart::adds'))
    expect(report).toMatchObject({
      records: [{ id: 'shop::api cart::adds', outcome: 'pass' }],
      command: ['cargo', 'test', '-p', 'shop', '--test', 'api', '--', '--exact', 'cart::adds', '--test-threads=4'],
    })
  })

  test.each([
    [
      'no test fits',
      'shop::api nope',
      { stdout: '{ "type": "suite", "event": "started", "test_count": 0 }' },
      'no test of shop::api is called nope',
    ],
    ['no such binary', 'shop::cli nope', {}, 'no test binary holds shop::cli nope'],
    [
      'a harness of its own',
      'shop::api nope',
      { code: 2, stderr: 'unknown option' },
      'shop::api does not speak as libtest does (exit status 2): unknown option',
    ],
  ])('%s: broken, and no record', async (_, id, answer, broken) => {
    expect((await played({ tests: [{ id, file: null, name: '' }] }, () => answer)).report).toMatchObject({ records: [], broken })
  })
})

test('a missing lock file is not written', async () => {
  const place = playedPlace({ 'Cargo.toml': '' }, () => ({ stdout: METADATA }))
  await expect(cargo.prepare!(place, cargo.detect(place)!)).rejects.toThrow(
    'there is no Cargo.lock in /project, and a build would write it: run `cargo generate-lockfile` first',
  )
})

test('a build that fails shows the first error of the compiler', async () => {
  const place = playedPlace(project, (
    { argv },
  ) => (argv[1] === 'metadata'
    ? { stdout: METADATA }
    : {
      code: 101,
      stdout: JSON.stringify({
        reason: 'compiler-message',
        package_id: '',
        message: { level: 'error', rendered: 'error[E0425]: not found\n --> src/lib.rs:1' },
      }),
    }))
  await expect(cargo.prepare!(place, cargo.detect(place)!)).rejects.toThrow(
    'the tests do not build: error[E0425]: not found\n --> src/lib.rs:1',
  )
})
