// `lint`, as a program calls it.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isConfigError, isPathError, lint, run, type LintOptions, type Report } from '../src/index.ts'
import { BIN } from './repository.ts'

const SLEEPY = 'import time\n\ndef test_a(job):\n    time.sleep(1)\n    assert job.done\n'
const CALM = 'def test_a(job):\n    assert job.wait()\n'
const HELPER = 'import sqlite3, time\n\ndef scratch():\n    return sqlite3.connect(f"scratch_{time.time_ns()}.db")\n'
const USER = 'from tests.helpers import scratch\n\ndef test_b():\n    assert scratch() is not None\n'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'flakesniff-api-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const places = ({ findings }: Report) => findings.map(f => `${f.file}:${f.startLine} ${f.ruleId}`)
const placesOf = async (options: LintOptions) => places(await lint({ cwd: folder, ...options }))

describe('the report', () => {
  test('is what the command prints, key by key, and fits the schema', async () => {
    write('test_a.py', SLEEPY)
    write('tests/helpers.py', HELPER)
    write('tests/test_b.py', USER.replace('test_b', 'test_b\u{1F600}'))
    for (const preset of ['recommended', 'audit'] as const) {
      const report = await lint({ cwd: folder, preset })
      const printed = spawnSync(process.execPath, [BIN, '--format', 'json', '--preset', preset], { cwd: folder, encoding: 'utf8' }).stdout
      expect(report).toEqual(JSON.parse(printed))
      const valid = new Ajv({ strict: false }).compile(
        JSON.parse(readFileSync(fileURLToPath(new URL('../schema/flakesniff-report.schema.json', import.meta.url)), 'utf8')),
      )
      expect(valid(report), JSON.stringify(valid.errors)).toBe(true)
    }
  })

  test('follows the options that are given', async () => {
    write('test_a.py', SLEEPY)
    write('tests/helpers.py', HELPER)
    write('tests/test_b.py', USER)
    write('test_c.py', SLEEPY.replace('    time', '    # flakesniff-disable-next-line fixed-sleep -- nothing to wait for\n    time'))
    expect(await placesOf({ paths: ['test_a.py'] })).toEqual(['test_a.py:4 fixed-sleep'])
    expect(await placesOf({ paths: ['test_a.py'], rules: { 'fixed-sleep': 'off' } })).toEqual([])
    expect((await lint({ cwd: folder, paths: ['test_a.py'], rules: { 'fixed-sleep': 'error' } })).summary.findings).toEqual({
      error: 1,
      warning: 0,
      note: 0,
    })
    expect((await lint({ cwd: folder, paths: ['test_c.py'], showSuppressed: true })).findings).toMatchObject([{
      suppressed: { reason: 'nothing to wait for' },
    }])
    const traced = (report: Report) => report.findings.filter(f => (f.endangers ?? []).length > 0)
    expect(traced(await lint({ cwd: folder, preset: 'audit' }))).not.toEqual([])
    expect(traced(await lint({ cwd: folder, preset: 'audit', trace: false }))).toEqual([])
  })

  test('what cannot be done is refused with a message for people', async () => {
    write('flakesniff.json', '{ "presett": "strict" }')
    const refusal = (options: LintOptions) =>
      lint({ cwd: folder, ...options }).then(() => expect.fail('it was accepted'), (error: Error) => error)
    expect(isConfigError(await refusal({}))).toBe(true)
    rmSync(join(folder, 'flakesniff.json'))
    const missing = await refusal({ paths: ['nowhere', '.'] })
    expect(isPathError(missing) && missing.paths).toEqual(['nowhere'])
    expect((await refusal({ pathss: ['.'] } as LintOptions)).message).toBe('lint: there is no option "pathss"; did you mean "paths"?')
    expect((await refusal({ rules: { 'fixed-slep': 'off' } })).message).toBe(
      'lint: there is no rule "fixed-slep"; did you mean "fixed-sleep"?',
    )
    await expect(run({ cwd: folder, paths: ['.'], files: {}, changes: { is: 'given' } })).rejects.toThrow('cannot be given together')
  })
})

describe('files in memory', () => {
  test('need not be on the disk, nor their folder', async () => {
    expect(await placesOf({ files: { 'test_a.py': SLEEPY, 'deep/down/test_b.py': SLEEPY } })).toEqual([
      'deep/down/test_b.py:4 fixed-sleep',
      'test_a.py:4 fixed-sleep',
    ])
    expect(await placesOf({ cwd: join(folder, 'not', 'there'), files: { 'test_a.py': SLEEPY } })).toEqual(['test_a.py:4 fixed-sleep'])
    expect(await placesOf({ files: { [join(folder, 'test_a.py')]: Buffer.from(SLEEPY) } })).toEqual(['test_a.py:4 fixed-sleep'])
  })

  test('without paths nothing else is looked at; with paths they lie over what the disk holds', async () => {
    write('test_a.py', SLEEPY)
    write('test_b.py', SLEEPY)
    expect(await placesOf({ files: { 'test_a.py': CALM } })).toEqual([])
    expect(await placesOf({ files: { 'test_a.py': CALM }, paths: ['.'] })).toEqual(['test_b.py:4 fixed-sleep'])
    expect(await placesOf({ files: { 'test_b.py': `\n${SLEEPY}`, 'test_c.py': SLEEPY }, paths: ['.'] })).toEqual([
      'test_a.py:4 fixed-sleep',
      'test_b.py:5 fixed-sleep',
      'test_c.py:4 fixed-sleep',
    ])
  })

  test('count only where paths ask for them', async () => {
    write('test_a.py', SLEEPY)
    expect(await placesOf({ files: { 'sub/test_b.py': SLEEPY, 'test_c.py': SLEEPY }, paths: ['sub'] })).toEqual([
      'sub/test_b.py:4 fixed-sleep',
    ])
    expect(await placesOf({ files: { 'test_c.py': SLEEPY }, paths: ['test_a.py'] })).toEqual(['test_a.py:4 fixed-sleep'])
  })

  test('are ignored as files of the disk are, unless they are asked for by name', async () => {
    write('.gitignore', 'out/\n')
    expect(await placesOf({ files: { 'out/test_a.py': SLEEPY }, paths: ['.'] })).toEqual([])
    expect(await placesOf({ files: { 'out/test_a.py': SLEEPY } })).toEqual(['out/test_a.py:4 fixed-sleep'])
  })

  test('are traced across, with each other and with the disk', async () => {
    write('tests/test_b.py', USER)
    const traced = (await lint({ cwd: folder, files: { 'tests/helpers.py': HELPER }, paths: ['.'], preset: 'audit' })).findings.find(f =>
      f.file === 'tests/helpers.py' && f.endangers
    )
    expect(traced?.endangers).toMatchObject([{ file: 'tests/test_b.py', test: 'test_b' }])
  })

  test('may say how the tests run', async () => {
    const files = { 'test_a.py': 'def test_a():\n    assert 1 == 1\n', 'pytest.ini': '[pytest]\naddopts = --reruns 3\n' }
    const onDisk = async () => {
      for (const [path, text] of Object.entries(files)) write(path, text)
      return placesOf({ preset: 'audit' })
    }
    const inMemory = await placesOf({ files, preset: 'audit' })
    expect(inMemory.join()).toContain('pytest.ini')
    expect(await onDisk()).toEqual(inMemory)
  })

  test('of no known language, or too large, are told of', async () => {
    const { notices, findings } = await lint({ cwd: folder, files: { 'notes.txt': 'x', 'test_a.py': `${SLEEPY}#${'x'.repeat(2 ** 20)}` } })
    expect(findings).toEqual([])
    expect(notices.map(n => `${n.file} ${n.message}`)).toEqual([
      expect.stringContaining('notes.txt is of no language'),
      expect.stringMatching(/^test_a\.py has \d+ bytes/),
    ])
  })
})

describe('a signal', () => {
  test('that is given already refuses the work with its reason', async () => {
    write('test_a.py', SLEEPY)
    await expect(lint({ cwd: folder, signal: AbortSignal.abort(new Error('no more')) })).rejects.toThrow('no more')
  })

  test('ends a run between two batches', async () => {
    for (let i = 0; i < 60; i++) write(`test_${i}.py`, SLEEPY)
    const stop = new AbortController()
    const told: number[] = []
    const running = run({
      cwd: folder,
      paths: ['.'],
      jobs: 1,
      signal: stop.signal,
      onProgress: done => (told.push(done), stop.abort(new Error('enough'))),
    })
    await expect(running).rejects.toThrow('enough')
    expect(told).toEqual([24])
  })

  test('that nobody uses changes nothing', async () => {
    write('test_a.py', SLEEPY)
    expect(await lint({ cwd: folder, signal: new AbortController().signal })).toEqual(await lint({ cwd: folder }))
  })

  test('ends worker threads: the process is free to go', () => {
    for (let i = 0; i < 60; i++) write(`test_${i}.py`, SLEEPY)
    const program = `
      import { run } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)}
      const stop = new AbortController()
      const running = run({ cwd: ${
      JSON.stringify(folder)
    }, paths: ['.'], jobs: 3, signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) })
      console.log(await running.then(() => 'done', error => error.message))`
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
    expect(stdout).toBe('enough\n')
    expect(status).toBe(0)
  })
})
