// What only a real runner can show of the core: the search on a suite whose victim fails half of the time, shakes that reach
// into the runner, retries that hide failures, and findings of a report confirmed.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { confirm, type ConfirmOptions } from '../../src/confirm/confirm.ts'
import { drive } from '../../src/confirm/drive.ts'
import { environmentOf } from '../../src/confirm/environment.ts'
import { startGuard } from '../../src/confirm/guard.ts'
import { nothingKnown } from '../../src/confirm/protocols/known.ts'
import { ladder } from '../../src/confirm/protocols/ladder.ts'
import { pytest } from '../../src/confirm/runners/pytest/pytest.ts'
import { openSession } from '../../src/confirm/session.ts'
import { fixture } from './runners/pytest.ts'

const bin = fileURLToPath(new URL('../../bin/flakesniff.js', import.meta.url))
let temp: string, project: string
let env: readonly string[]
beforeAll(async () => {
  temp = mkdtempSync(join(tmpdir(), 'flakesniff-e2e-core-'))
  env = await fixture.install('', temp)
})
beforeEach(() => {
  project = mkdtempSync(join(temp, 'project-'))
})
afterAll(() => rmSync(temp, { recursive: true, force: true, maxRetries: 3 }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}
const verdictOf = (target: string, more: Partial<ConfirmOptions> = {}) =>
  confirm({
    cwd: project,
    target,
    env: [`FLAKY_DIR=${project}`, 'TZ=UTC', ...env],
    ownEnv: process.env,
    version: 'test',
    budgetMs: 1_200_000,
    ...more,
  })

/** Thirty-three tests; after the polluter, the last one fails at a coin that a counter and a seed throw. */
const COIN = (polluter: number, seed: number) => `
import hashlib, os, pathlib
state = {}

def coin():
    path = pathlib.Path(os.environ["FLAKY_DIR"]) / "coin"
    n = int(path.read_text()) + 1 if path.exists() else 1
    path.write_text(str(n))
    return hashlib.sha256(f"${seed}:{n}".encode()).digest()[0] % 2 == 0

${
  Array.from({ length: 32 },
    (_, i) => `def test_${String(i).padStart(2, '0')}():\n    ${i === polluter ? 'state["spoilt"] = True' : 'assert True'}\n`).join('\n')
}

def test_victim():
    assert not (state.get("spoilt") and coin())
`

test('the polluter of a victim that fails half of the time is found in 10 of 10 suites', async () => {
  const found: string[] = [], expected: string[] = []
  for (let seed = 0; seed < 10; seed++) {
    const polluter = (seed * 7 + 3) % 32
    project = mkdtempSync(join(temp, 'coin-'))
    write('test_suite.py', COIN(polluter, seed))
    const guard = startGuard()
    const own = environmentOf(process.env, [`FLAKY_DIR=${project}`, ...env]).env
    const session = await openSession({
      root: project,
      runner: pytest,
      detection: { reasons: [], folder: '' },
      env: own,
      guard,
      workers: 2,
    })
    try {
      const target = session.listed.at(-1)!
      const known = nothingKnown()
      // Two runs alone will do here: it is the search that is asked about.
      await drive(
        ladder({ target, listed: session.listed, can: session.can, runs: 2, only: new Set(), shakes: [], slowMs: 600_000 }, known),
        {
          run: ask => session.answer(target, ask),
          recorded: () => undefined,
          onRun: run => void known.runs.push(run),
          budgetMs: 3_600_000,
          now: () => performance.now(),
        },
      )
      found.push(known.ordering?.interferers.map(t => t.name).join() ?? 'none')
      expected.push(`test_${String(polluter).padStart(2, '0')}`)
    } finally {
      session.close()
      guard.release()
    }
  }
  expect(found).toEqual(expected)
}, 1_800_000)

describe('shakes reach into pytest', () => {
  test('clock-shift: a date that ends', async () => {
    write('test_a.py', 'import datetime\n\ndef test_expires():\n    assert datetime.date.today().year < 2035\n')
    expect(await verdictOf('test_a.py::test_expires', { perturb: ['clock-shift'], runs: 2 })).toMatchObject({
      verdict: 'environment-sensitive',
      perturbation: { name: 'clock-shift', title: 'the clock at 2040-06-15 12:00:00' },
      unavailable: [],
    })
  })

  test('hash-seed: the order of a set', async () => {
    write('test_a.py',
      'import os\n\ndef test_order():\n    assert os.environ.get("PYTHONHASHSEED") is None or next(iter({"a", "b", "c", "d"})) != next(iter({"d", "c", "b", "a", "e"}))\n')
    expect((await verdictOf('test_order', { perturb: ['hash-seed'], runs: 2 })).perturbation?.name).toBe('hash-seed')
  })

  test('seed-vary: a random number that decides', async () => {
    write('test_a.py',
      'import os, random\n\ndef test_luck():\n    assert os.environ.get("FLAKESNIFF_RANDOM_SEED") is None or random.random() > 0.3\n')
    expect(await verdictOf('test_luck', { perturb: ['seed-vary'], runs: 2 })).toMatchObject({
      verdict: 'environment-sensitive',
      reproduce: 'flakesniff confirm test_luck --perturb seed-vary',
    })
  })

  test('cwd-change: a path relative to wherever pytest was started', async () => {
    write('data.txt', 'x')
    write('test_a.py', 'def test_reads():\n    assert open("data.txt").read() == "x"\n')
    expect((await verdictOf('test_reads', { perturb: ['cwd-change'], runs: 2 })).perturbation?.name).toBe('cwd-change')
  })

  test('unskip: what a skipped test would say', async () => {
    write('test_a.py', 'import pytest\n\n@pytest.mark.skip(reason="later")\ndef test_later():\n    assert False\n')
    expect(await verdictOf('test_later', { runs: 2 })).toMatchObject({
      verdict: 'invalid',
      diagnosis: expect.stringContaining('--perturb unskip'),
    })
    expect(await verdictOf('test_later', { perturb: ['unskip'], runs: 2 })).toMatchObject({
      verdict: 'broken',
      condition: 'run in spite of its skip mark',
    })
  })
})

test('a test that spoils itself is found by running it twice', async () => {
  write('test_a.py',
    'seen = []\n\ndef test_first_time_only():\n    seen.append(1)\n    assert len(seen) == 1\n\ndef test_other():\n    pass\n')
  const made = await verdictOf('test_first_time_only', { perturb: ['shuffle-order'], runs: 2 })
  expect(made).toMatchObject({ verdict: 'order-dependent', condition: 'twice in one process' })
})

test('failures that retries hide are seen', async () => {
  write('pytest.ini', '[pytest]\naddopts = --reruns 2\n')
  write('test_a.py',
    'import os, pathlib\n\ndef test_retried():\n    path = pathlib.Path(os.environ["FLAKY_DIR"]) / "n"\n    n = int(path.read_text()) + 1 if path.exists() else 1\n    path.write_text(str(n))\n    assert n % 3 != 1\n')
  expect(await verdictOf('test_retried', { runs: 6 })).toMatchObject({ verdict: 'masked-by-retry', confirmed: true })
})

test('a syntax error in the tests is told, and is no verdict', async () => {
  write('test_a.py', 'def test_a(:\n')
  await expect(verdictOf('test_a.py::test_a')).rejects.toThrow(/test_a\.py cannot be collected/)
})

test('findings of a report are confirmed where they stand, and the log is given back with what was shown', () => {
  cpSync(fileURLToPath(new URL('../../fixtures/confirm-pytest', import.meta.url)), project, { recursive: true })
  write('tests/test_zone.py', 'import datetime\n\n\ndef test_midnight():\n    assert datetime.datetime.fromtimestamp(0).hour == 0\n')
  const flakesniff = (...args: readonly string[]) =>
    spawnSync(process.execPath, [bin, ...args], {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, FLAKY_DIR: project, TZ: 'UTC', ...Object.fromEntries(env.map(e => e.split('=') as [string, string])) },
    })
  flakesniff('tests/test_zone.py', '--preset', 'audit', '--output', 'found.sarif', '--fail-on', 'never')
  const done = flakesniff('confirm', '--from', 'found.sarif', '--perturb', 'tz-shift', '--runs', '2', '--output', 'confirmed.sarif')
  expect(done.status, done.stderr).toBe(1)
  const log = JSON.parse(readFileSync(join(project, 'confirmed.sarif'), 'utf8')) as {
    runs: { results: { ruleId: string; properties: object }[] }[]
  }
  expect(log.runs[0]!.results.find(r => r.ruleId === 'timezone-dependence')?.properties).toMatchObject({
    confirmed: true,
    verdict: 'environment-sensitive',
    perturbation: 'tz-shift',
    failureRate: 1,
  })
})

test('faketime is there: without it a shake would be left out unseen', () => {
  expect(execFileSync('faketime', ['-f', '@2030-01-02 03:04:05', 'date', '+%Y'], { encoding: 'utf8' })).toBe('2030\n')
})
