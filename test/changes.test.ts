// What changed, as git tells it, and what a run then speaks of.

import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changedLines } from '../src/changes/hunks.ts'
import { BIN, makeRepository, type Repository } from './repository.ts'

const SLEEPY = 'import time\n\ndef test_a(job):\n    time.sleep(1)\n    assert job.done\n'
const CALM = 'def test_a(job):\n    assert job.wait()\n'
const HELPER = 'import sqlite3, time\n\ndef scratch():\n    return sqlite3.connect(f"scratch_{time.time_ns()}.db")\n'
const USER = 'from tests.helpers import scratch\n\ndef test_b():\n    assert scratch() is not None\n'

let repo: Repository
beforeEach(() => {
  repo = makeRepository()
})
afterEach(() => repo.remove())

const found = (...args: readonly string[]) => {
  const { stdout, stderr, status } = repo.flakesniff([...args, '--format', 'json'])
  expect(stderr).toBe('')
  const report = JSON.parse(stdout)
  return { status, report, places: report.findings.map((f: { file: string; startLine: number }) => `${f.file}:${f.startLine}`) as string[] }
}

describe('--staged', () => {
  test('sees what is staged, not what lies in the folder', () => {
    repo.write('test_a.py', CALM)
    repo.commitAll()
    repo.write('test_a.py', SLEEPY)
    expect(found('--staged').places).toEqual([])
    repo.git('add', 'test_a.py')
    repo.write('test_a.py', CALM)
    expect(found('--staged')).toMatchObject({ status: 1, places: ['test_a.py:4'] })
    expect(found().places).toEqual([])
  })

  test('of a file staged in part, the part', () => {
    repo.write('test_a.py', CALM)
    repo.commitAll()
    repo.write('test_a.py', `${SLEEPY}\n`)
    repo.git('add', 'test_a.py')
    repo.write('test_a.py', `${SLEEPY}\n\ndef test_b(job):\n    time.sleep(2)\n    assert job.done\n`)
    expect(found('--staged').places).toEqual(['test_a.py:4'])
    expect(found().places).toEqual(['test_a.py:4', 'test_a.py:9'])
  })

  test('before the first commit, and of a file that is gone from the folder', () => {
    repo.write('test_a.py', SLEEPY)
    repo.git('add', 'test_a.py')
    expect(found('--staged').places).toEqual(['test_a.py:4'])
    rmSync(join(repo.folder, 'test_a.py'))
    expect(found('--staged').places).toEqual(['test_a.py:4'])
    repo.write('.flakesniffignore', 'test_a.py\n')
    expect(found('--staged').places).toEqual([])
  })

  test('neither untracked, unchanged nor deleted files, but a renamed one by its new name', () => {
    for (const name of ['test_same.py', 'test_gone.py', 'test_old.py']) repo.write(name, SLEEPY.replace('test_a', name.slice(0, -3)))
    repo.commitAll()
    repo.write('test_untracked.py', SLEEPY)
    repo.git('rm', '--quiet', 'test_gone.py')
    mkdirSync(join(repo.folder, 'odd\nfolder'))
    repo.git('mv', 'test_old.py', 'odd\nfolder/test_new.py')
    expect(found('--staged').places).toEqual(['odd\nfolder/test_new.py:4'])
    expect(repo.flakesniff(['--staged', '--quiet']).stdout).toContain('odd\\nfolder/test_new.py:4:5')
  })

  test('a changed helper names the unchanged tests that it endangers, as they are staged', () => {
    repo.write('tests/helpers.py', 'def scratch():\n    return object()\n')
    repo.write('tests/test_b.py', USER)
    repo.write('tests/test_c.py', CALM)
    repo.commitAll()
    repo.write('tests/helpers.py', HELPER)
    repo.git('add', '--all')
    // Not staged, so not part of what is asked.
    repo.write('tests/test_c.py', USER)
    repo.write('tests/test_d.py', USER)
    const { report, places } = found('--staged', '--preset', 'strict')
    expect(places).toEqual(['tests/helpers.py:4'])
    expect(report.findings[0].endangers.map((e: { file: string }) => e.file)).toEqual(['tests/test_b.py'])
    expect(report.summary.narrowed).toEqual({ to: 'staged', files: 1 })
  })

  test('runner configuration is the staged one', () => {
    repo.write('package.json', '{}')
    repo.commitAll()
    repo.write('package.json', '{ "jest": {}, "scripts": { "test": "mocha --retries 3" } }')
    repo.git('add', '--all')
    repo.write('package.json', '{}')
    expect(found('--staged', '--preset', 'strict').report.findings.map((f: { ruleId: string }) => f.ruleId)).toEqual(['retry-masks-flake'])
  })

  test('only below the given paths, from a folder inside the repository too', () => {
    repo.write('a/test_a.py', SLEEPY)
    repo.write('b/test_b.py', SLEEPY)
    repo.git('add', '--all')
    expect(found('--staged', 'b').places).toEqual(['b/test_b.py:4'])
    expect(repo.flakesniff(['--staged', '--quiet'], { cwd: join(repo.folder, 'a') }).stdout).toMatch(/^test_a\.py:4:5/)
  })

  test('a submodule is a repository of its own', () => {
    const other = makeRepository()
    try {
      other.write('test_sub.py', SLEEPY)
      other.commitAll()
      repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.folder, 'sub')
      repo.write('test_a.py', SLEEPY)
      repo.git('add', '--all')
      expect(found('--staged').places).toEqual(['test_a.py:4'])
      repo.commitAll()
      expect(found('--since', 'HEAD').places).toEqual([])
    } finally {
      other.remove()
    }
  })

  test('nothing staged is nothing found', () => {
    repo.write('test_a.py', SLEEPY)
    repo.commitAll()
    const run = repo.flakesniff(['--staged'])
    expect(run.status).toBe(0)
    expect(run.stdout).toContain('Nothing found in 0 files staged.')
  })

  test('the index that a hook is told of is the one that is read', () => {
    repo.write('test_a.py', CALM)
    repo.commitAll()
    repo.write('test_a.py', SLEEPY)
    // Of `git commit FILE`, the hook sees an index that is not the repository's own.
    repo.write('.git/hooks/pre-commit', `#!/bin/sh\n"${process.execPath}" "${BIN}" --staged --quiet > "${repo.folder}/out.txt"\n`)
    chmodSync(join(repo.folder, '.git/hooks/pre-commit'), 0o755)
    expect(() => repo.git('commit', '--message', 'b', 'test_a.py')).toThrow()
    expect(readFileSync(join(repo.folder, 'out.txt'), 'utf8')).toContain('test_a.py:4:5')
  })
})

describe('--since', () => {
  const branch = () => {
    repo.commitAll()
    repo.git('checkout', '--quiet', '-b', 'work')
  }

  test('what the branch changed, committed, uncommitted and new, and not what the other branch did meanwhile', () => {
    for (const name of ['a', 'b', 'c']) repo.write(`test_${name}.py`, CALM)
    branch()
    repo.write('test_a.py', SLEEPY)
    repo.commitAll()
    repo.git('checkout', '--quiet', 'main')
    repo.write('test_c.py', SLEEPY)
    repo.commitAll()
    repo.git('checkout', '--quiet', 'work')
    repo.write('test_b.py', SLEEPY)
    repo.write('test_new one.py', SLEEPY)
    expect(found('--since', 'main').places).toEqual(['test_a.py:4', 'test_b.py:4', 'test_new one.py:4'])
    expect(found('--since', 'HEAD').places).toEqual(['test_b.py:4', 'test_new one.py:4'])
  })

  test('a changed helper speaks of unchanged tests; an unchanged helper only where a changed line calls it', () => {
    repo.write('tests/helpers.py', HELPER)
    repo.write('tests/test_b.py', USER)
    branch()
    repo.write('tests/test_b.py', `${USER}\n\ndef test_calm():\n    assert True\n`)
    expect(found('--since', 'main', '--preset', 'strict').places).toEqual([])
    repo.write('tests/test_c.py', USER.replace('test_b', 'test_c'))
    const { places, report } = found('--since', 'main', '--preset', 'strict')
    expect(places).toEqual(['tests/helpers.py:4'])
    expect(report.findings[0].endangers.map((e: { test: string }) => e.test)).toEqual(['test_b', 'test_c'])
  })
})

describe('--changed', () => {
  test('the given files, with the tests that they endanger anywhere', () => {
    repo.write('tests/helpers.py', HELPER)
    repo.write('tests/test_b.py', USER)
    repo.write('tests/test_other.py', SLEEPY)
    const { places, report } = found('--changed', '--preset', 'strict', join(repo.folder, 'tests/helpers.py'))
    expect(places).toEqual(['tests/helpers.py:4'])
    expect(report.findings[0].endangers).toHaveLength(1)
  })

  test('what is ignored stays so even if a hook names it', () => {
    repo.write('.flakesniffignore', 'vendor/\n')
    repo.write('vendor/test_a.py', SLEEPY)
    expect(found('--changed', 'vendor/test_a.py').places).toEqual([])
  })
})

describe('errors name the way out', () => {
  test.each([
    [['--since', 'nowhere'], 'git fetch origin nowhere'],
    [['--since=--output=x'], 'knows no such commit'],
    [['--since', 'main', '--staged'], 'cannot be asked for together'],
    [['--changed'], '--staged or --since REF'],
    [['--changed', 'none.py'], 'none.py: cannot be read'],
    [['report', '--staged'], 'has no meaning here'],
  ])('%j', (args, hint) => {
    repo.commitAll()
    const run = repo.flakesniff(args)
    expect(run.stderr).toContain(hint)
    expect(run.status).toBe(2)
  })

  test('outside of a repository, and without git', () => {
    renameSync(join(repo.folder, '.git'), join(repo.folder, 'git'))
    expect(repo.flakesniff(['--staged'], { env: { GIT_CEILING_DIRECTORIES: join(repo.folder, '..') } })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is in no git repository'),
    })
    mkdirSync(join(repo.folder, 'empty'))
    expect(repo.flakesniff(['--staged'], { env: { PATH: join(repo.folder, 'empty') } })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('git was not found'),
    })
  })

  test('no common commit', () => {
    repo.commitAll()
    repo.git('checkout', '--quiet', '--orphan', 'other')
    repo.write('test_a.py', CALM)
    repo.commitAll()
    expect(repo.flakesniff(['--since', 'main']).stderr).toContain('no commit in common')
  })
})

test('a line of a file never passes for a header of the patch', () => {
  const patch = [
    'diff --git a/x b/x',
    '--- a/x',
    '+++ b/x',
    '@@ -1 +1,3 @@',
    '--- a/y',
    '+++ b/evil',
    '+@@ -1 +1 @@',
    '+b',
    '@@ -9,2 +11,0 @@',
    '-a',
    '-b',
    'diff --git "a/n\\nl" "b/n\\nl"',
    '--- /dev/null',
    '+++ "b/n\\nl\\303\\251"',
    '@@ -0,0 +1 @@',
    '+x',
    '\\ No newline at end of file',
    'diff --git a/a b b/a b',
    '--- a/a b\t',
    '+++ b/a b\t',
    '@@ -3 +5 @@',
    '-x',
    '+y',
    '',
  ].join('\n')
  expect([...changedLines(Buffer.from(patch), path => path.toString('utf8'))]).toEqual([['x', [[1, 3]]], ['n\nlé', [[1, 1]]], ['a b', [[
    5,
    5,
  ]]]])
})
