// `flakesniff confirm` and `merge` as a user meets them, with commands for tests; the real runners stand in test/e2e.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PERTURBATIONS } from '../src/confirm/perturbations/registry.ts'
import { rules } from '../src/rules/registry.ts'
import { readConfirm, words } from '../src/surfaces/cli/confirm-options.ts'

const bin = fileURLToPath(new URL('../bin/flakesniff.js', import.meta.url))
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-confirm-cli-'))
  // Fails where the count of its runs is a multiple of its argument; says which test it was given.
  writeFileSync(join(folder, 'every.cjs'), `
const fs = require('node:fs')
const n = fs.existsSync('count') ? Number(fs.readFileSync('count', 'utf8')) + 1 : 1
fs.writeFileSync('count', String(n))
fs.appendFileSync('given', JSON.stringify(process.argv[3]) + '\\n')
process.exit(n % Number(process.argv[2]) === 0 ? 1 : 0)
`)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const flakesniff = (...args: readonly string[]) =>
  spawnSync(process.execPath, [bin, ...args], { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
const every = (n: number) => `'${process.execPath}' every.cjs ${n} {test}`
const confirm = (n: number, ...args: readonly string[]) =>
  flakesniff('confirm', 'a test', '--command', every(n), '--perturb', 'repeat', ...args)

describe('the exit status', () => {
  test('is 1 where it is confirmed', () => {
    const done = confirm(3, '--runs', '9')
    expect(done.status, done.stderr).toBe(1)
    expect(done.stdout).toContain('a test: flaky')
    expect(done.stdout).toContain('Results: P P F P P F P P F')
  })

  test('is 0 where nothing fails', () => expect(confirm(1000, '--runs', '4').status).toBe(0))

  test('is 2 where it cannot be run', () => {
    const done = flakesniff('confirm', 'x', '--command', 'no-such-program {test}')
    expect(done.status).toBe(2)
    expect(done.stdout).toContain('x: invalid')
  })

  test.each([
    [['confirm'], 'which test'],
    [['confirm', 'a', 'b'], 'one test at a time'],
    [['confirm', 'x', '--perturb', 'tz'], 'tz-shift'],
    [['confirm', 'x', '--command', 'true'], '{test}'],
    [['confirm', 'x', '--budget', '10'], '90s, 10m or 1h'],
    [['confirm', 'x', '--shard', '3/2'], '--shard 3/2'],
    [['confirm', 'x', '--runner', 'pytset'], 'pytest'],
    [['confirm', 'x'], '--command'],
    [['confirm', '--from', 'none.sarif'], 'none.sarif'],
    [['confirm', 'x', '--runs', '0'], 'whole number'],
    [['confirm', 'x', '--rnner', 'y'], '--runner'],
    [['merge'], 'which files'],
    [['merge', 'none.json'], 'none.json'],
    [['confirm', 'x', '--command', '"a {test}'], 'quote'],
    [['confirm', 'x', '--from', 'y'], 'not both'],
  ])('is 2 for %j, and the message names the way out', (args, hint) => {
    const done = flakesniff(...args)
    expect(done.status).toBe(2)
    expect(done.stderr).toContain(hint)
  })
})

test('a hostile name reaches the command as it is', () => {
  const name = '$(touch pwned) `x` "\';\n*'
  expect(flakesniff('confirm', name, '--command', every(1000), '--runs', '1', '--perturb', 'repeat').status).toBe(0)
  expect(JSON.parse(readFileSync(join(folder, 'given'), 'utf8'))).toBe(name)
})

test('says first what it will execute', () => {
  const { stderr } = confirm(1000, '--runs', '1')
  expect(stderr).toContain('confirm runs the tests of')
  expect(stderr).toMatch(/\$ .*every\.cjs 1000 a test/)
  expect(confirm(1000, '--runs', '1', '-q').stderr).toBe('')
})

test('--plan runs nothing', () => {
  const done = confirm(3, '--plan')
  expect(done.status).toBe(0)
  expect(done.stdout).toContain('multi-run: the target alone')
  expect(() => readFileSync(join(folder, 'count'))).toThrow('ENOENT')
})

test('--before-run is started before every run, and its failure is no failure of the test', () => {
  writeFileSync(join(folder, 'reset.cjs'), "require('node:fs').rmSync('count', { force: true })")
  expect(confirm(2, '--runs', '4', '--before-run', `'${process.execPath}' reset.cjs`).status).toBe(0)
  const broken = confirm(2, '--runs', '4', '--before-run', `'${process.execPath}' -e 'process.exit(3)'`)
  expect(broken.status).toBe(2)
  expect(broken.stdout).toContain('--before-run')
})

test('--resume goes on where the journal ends, and refuses that of another test', () => {
  expect(confirm(1000, '--runs', '6', '--resume', 'j.jsonl').status).toBe(0)
  const lines = readFileSync(join(folder, 'j.jsonl'), 'utf8').trim().split('\n')
  expect(lines).toHaveLength(7)
  // As if it had been cut short in the middle of the fifth run.
  writeFileSync(join(folder, 'j.jsonl'), `${lines.slice(0, 5).join('\n')}\n${lines[5]!.slice(0, 20)}`)
  rmSync(join(folder, 'count'))
  const done = confirm(1000, '--runs', '6', '--resume', 'j.jsonl')
  expect(done.stderr).toContain('4 runs are taken from j.jsonl')
  expect(readFileSync(join(folder, 'count'), 'utf8')).toBe('2')
  expect(done.stdout).toContain('Runs: 6')
  const other = flakesniff('confirm', 'another', '--command', every(1000), '--resume', 'j.jsonl')
  expect(other.status).toBe(2)
  expect(other.stderr).toContain('j.jsonl is not the journal of this confirmation')
})

test('shards are merged', () => {
  for (const i of ['1', '2', '3']) expect(confirm(5, '--runs', '12', '--shard', `${i}/3`, '--output', `s${i}.json`).status).toBeLessThan(2)
  const merged = flakesniff('merge', 's1.json', 's2.json', 's3.json', '--format', 'json')
  expect(merged.status).toBe(1)
  expect(JSON.parse(merged.stdout)).toMatchObject({ verdict: 'flaky', runs: 12, warnings: [] })
})

test('several outputs at once, each in the format of its ending', () => {
  expect(confirm(2, '--runs', '4', '--output', 'a.json', '--output', 'a.html', '--output', 'a.md', '--output', 'a.sarif').stdout).toBe('')
  expect(JSON.parse(readFileSync(join(folder, 'a.json'), 'utf8'))).toMatchObject({ verdict: 'flaky', failures: 2 })
  expect(readFileSync(join(folder, 'a.html'), 'utf8')).toMatch(/^<!doctype html>/)
  expect(readFileSync(join(folder, 'a.md'), 'utf8')).toMatch(/^# `a test`: flaky/)
  expect(JSON.parse(readFileSync(join(folder, 'a.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' })
})

test('every command that a report of causes prints is understood', () => {
  for (const { meta } of rules) {
    expect(meta.confirm.filter(p => !PERTURBATIONS.includes(p)), meta.id).toEqual([])
    for (const shake of meta.confirm)
      expect(readConfirm(['tests/a b.py:12', '--perturb', shake])).toMatchObject({
        is: 'confirm',
        target: 'tests/a b.py:12',
        perturb: [shake],
      })
  }
})

test.each([['a b', ['a', 'b']], [`'a b' c`, ['a b', 'c']], ['a\\ b', ['a b']], ['"a\\"b" \'\'', ['a"b', '']], ['$HOME *', ['$HOME', '*']]])(
  'words of %s',
  (text, made) => expect(words('--command', text)).toEqual(made),
)
