// The command as a user meets it: the built program, in folders of its own.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const bin = fileURLToPath(new URL('../bin/flakesniff.js', import.meta.url))
const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))
const SLEEPY = 'import time\n\ndef test_a(job):\n    time.sleep(1)\n    assert job.done\n'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-cli-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const flakesniff = (args: readonly string[], options: { cwd?: string; input?: string; env?: Record<string, string> } = {}) =>
  spawnSync(process.execPath, [bin, ...args], {
    cwd: options.cwd ?? folder,
    input: options.input ?? '',
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, ...options.env },
  })

describe('the exit status', () => {
  test('is 0 where nothing is found, and the summary says what was seen', () => {
    write('test_a.py', 'def test_a():\n    assert 1 + 1 == 2\n')
    const run = flakesniff([])
    expect(run.status).toBe(0)
    expect(run.stdout).toContain('tests seen: 1 python')
  })

  test('is 1 where a finding reaches the fail level, and 0 where it does not', () => {
    write('test_a.py', SLEEPY)
    expect(flakesniff([]).status).toBe(1)
    expect(flakesniff(['--fail-on', 'error']).status).toBe(0)
    expect(flakesniff(['--fail-on', 'never']).status).toBe(0)
    expect(flakesniff(['--rule', 'fixed-sleep=error', '--fail-on', 'error']).status).toBe(1)
    expect(flakesniff(['--rule', 'fixed-sleep=off']).status).toBe(0)
  })

  test('tells what was found, and nothing else, where nobody reads to the end', () => {
    write('test_a.py',
      `import time\n${Array.from({ length: 900 }, (_, i) => `\ndef test_${i}(job):\n    time.sleep(1)\n    assert job.done\n`).join('')}`)
    const run = spawnSync('bash', ['-c', '"$0" "$@" | true; exit "${PIPESTATUS[0]}"', process.execPath, bin, '--format', 'sarif'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(run.stderr).toBe('')
    expect(run.status).toBe(1)
  })

  test.each([
    [['--presett', 'strict'], '--preset'],
    [['--preset', 'strickt'], 'strict'],
    [['--rule', 'fixed-slep=off'], 'fixed-sleep'],
    [['--rule', 'fixed-sleep'], 'ID=off|note|warning|error'],
    [['--jobs', 'many'], 'whole number'],
    [['nowhere'], 'nowhere'],
    [['explain', 'fixed-slep'], 'fixed-sleep'],
    [['--config', 'none.json'], 'none.json'],
    [['--output', 'no/such/folder/x.sarif'], 'no/such/folder'],
  ])('is 2 for %j, and the message names the way out', (args, hint) => {
    const run = flakesniff(args)
    expect(run.status).toBe(2)
    expect(run.stderr).toContain(hint)
  })

  test('is 2 for a configuration with an unknown key, and shows where', () => {
    write('flakesniff.json', '{\n  "presett": "strict"\n}\n')
    const run = flakesniff([])
    expect(run.status).toBe(2)
    expect(run.stderr).toMatch(/flakesniff\.json:2:\d+.*preset/)
  })
})

describe('what it prints', () => {
  test('text has place, frame, why, what to do', () => {
    write('test_a.py', SLEEPY)
    const { stdout } = flakesniff([])
    expect(stdout).toContain('test_a.py:4:5  warning  waits a fixed 1 s')
    expect(stdout).toContain('|     ^^^^^^^^^^^^^')
    expect(stdout).toContain('why: ')
    expect(stdout).toContain('do: ')
    expect(stdout).not.toContain('\u001b')
  })

  test('json and sarif are valid and can be written side by side', () => {
    write('test_a.py', SLEEPY)
    const run = flakesniff(['--output', 'json:out/../report.json', '--output', 'sarif:report.sarif'])
    expect(run.status).toBe(1)
    expect(run.stdout).toBe('')
    const json = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
    const schema = JSON.parse(readFileSync(new URL('../schema/flakesniff-report.schema.json', import.meta.url), 'utf8'))
    expect(new Ajv({ strict: false }).validate(schema, json)).toBe(true)
    expect(JSON.parse(readFileSync(join(folder, 'report.sarif'), 'utf8')).runs[0].results).toHaveLength(1)
    expect(readdirSync(folder).sort()).toEqual(['report.json', 'report.sarif', 'test_a.py'])
  })

  test('help, version, rules and explain', () => {
    expect(flakesniff(['--help']).stdout).toContain('--fail-on')
    expect(flakesniff(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(flakesniff(['rules']).stdout).toContain('fixed-sleep')
    expect(JSON.parse(flakesniff(['rules', '--format', 'json']).stdout)[0]).toHaveProperty('id')
    expect(flakesniff(['explain', 'fixed-sleep']).stdout.startsWith('# fixed-sleep\n')).toBe(true)
  })
})

describe('what it lints', () => {
  test('standard input, under the name it is given', () => {
    const run = flakesniff(['--stdin-filename', 'tests/test_a.py', '--quiet'], { input: SLEEPY })
    expect(run.status).toBe(1)
    expect(run.stdout).toContain('tests/test_a.py:4:5')
  })

  test('standard input without an ending, by its first line', () => {
    const run = flakesniff(['--stdin-filename', 'tests/check', '--quiet', '--preset', 'audit'], {
      input: '#!/usr/bin/env bash\nmake test || true\n',
    })
    expect(run.stdout).toContain('tests/check:2:1')
  })

  test('comments silence findings with a reason, and are told when they do not', () => {
    write('test_a.py',
      SLEEPY.replace('    time.sleep(1)', '    # flakesniff-disable-next-line fixed-sleep -- the daemon forks twice\n    time.sleep(1)'))
    expect(flakesniff([]).status).toBe(0)
    const shown = JSON.parse(flakesniff(['--show-suppressed', '--format', 'sarif']).stdout)
    expect(shown.runs[0].results[0].suppressions[0].justification).toBe('the daemon forks twice')
    write('test_a.py', SLEEPY.replace('    time.sleep(1)', '    # flakesniff-disable-next-line fixed-sleep\n    time.sleep(1)'))
    expect(flakesniff(['--quiet']).stdout).toContain('suppression-without-reason')
    write('test_a.py', '# flakesniff-disable-file fixed-sleep -- none is left\ndef test_a():\n    pass\n')
    expect(flakesniff(['--quiet']).stdout).toContain('unused-suppression')
  })

  test('names that a project declares for itself', () => {
    write('flakesniff.json', '{ "sleeps": [{ "name": "shop.nap", "unit": "s" }] }')
    write('test_a.py', 'from shop import nap\n\ndef test_a(job):\n    nap(2)\n    assert job.done\n')
    expect(flakesniff(['--quiet']).stdout).toContain('waits a fixed 2 s')
  })

  test('source code only where a test calls it', () => {
    write('shop/store.py', 'import sqlite3, time\n\ndef open_scratch():\n    return sqlite3.connect(f"scratch_{time.time_ns()}.db")\n')
    expect(flakesniff(['--preset', 'strict']).status).toBe(0)
    write('tests/test_store.py', 'from shop.store import open_scratch\n\ndef test_a():\n    assert open_scratch() is not None\n')
    const run = flakesniff(['--preset', 'strict', '--format', 'json'])
    const [finding] = JSON.parse(run.stdout).findings
    expect(finding).toMatchObject({ ruleId: 'time-based-name', file: 'shop/store.py' })
    expect(finding.endangers).toMatchObject([{
      file: 'tests/test_store.py',
      test: 'test_a',
      calls: 1,
      sure: 'sure',
      path: [{ startLine: 4 }],
    }])
  })
})

describe('the same bytes', () => {
  const bytes = (args: readonly string[], cwd: string, env: Record<string, string> = {}) =>
    flakesniff([...args, '--preset', 'audit', '--format', 'sarif'], { cwd, env }).stdout

  test('whatever the workers, the working directory, the time zone and the locale, twice', () => {
    cpSync(fixtures, join(folder, 'tree'), { recursive: true })
    const tree = join(folder, 'tree')
    const once = bytes(['.'], tree)
    expect(once.length).toBeGreaterThan(10_000)
    expect(bytes(['.'], tree)).toBe(once)
    expect(bytes(['.', '--jobs', '1'], tree)).toBe(once)
    expect(bytes(['.', '--jobs', '2'], tree)).toBe(once)
    expect(bytes([tree], tmpdir())).toBe(once)
    expect(bytes(['.'], tree, { TZ: 'Asia/Kathmandu', LC_ALL: 'C' })).toBe(once)
  })
})

test('every language is found in the fixtures', () => {
  const run = flakesniff(['fixtures', '--quiet'], { cwd: dirname(fixtures) })
  expect(run.status).toBe(1)
  for (const extension of ['py', 'ts', 'java', 'go', 'rs', 'bats'])
    expect(run.stdout, extension).toMatch(new RegExp(`^\\S+\\.${extension}:\\d+`, 'm'))
})
