// Findings that were accepted: what stays accepted, what is new, what is gone.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compare } from '../src/baseline/compare.ts'
import { printEntries, readEntries, toEntry } from '../src/baseline/entries.ts'
import type { Finding } from '../src/rules/rule.ts'
import { sleepFinding } from './report-sample.ts'
import { makeRepository, type Repository } from './repository.ts'

const SLEEPY = 'import time\n\ndef test_a(job):\n    time.sleep(1)\n    assert job.done\n'
const JAVA = (name: string) =>
  `import org.junit.jupiter.api.Test;\n\nclass ${name} {\n    @Test\n    void a() throws Exception {\n        Thread.sleep(1000);\n        org.junit.jupiter.api.Assertions.assertTrue(job.done());\n    }\n}\n`
const FILE = '.flakesniff-baseline.jsonl'

describe('the file', () => {
  const entry = toEntry(sleepFinding, 'tests/test_worker.py')

  test('is a line for a finding, sorted, and no line number in it', () => {
    const text = printEntries([{ ...entry, file: 'z.py' }, entry, entry])
    expect(text.split('\n').slice(1)).toEqual([
      '{"file":"tests/test_worker.py","rule":"fixed-sleep","test":"TestWorker::test_done","code":"time.sleep(0.1)","confidence":"high","count":2,"id":"00112233445566aa"}',
      '{"file":"z.py","rule":"fixed-sleep","test":"TestWorker::test_done","code":"time.sleep(0.1)","confidence":"high","id":"00112233445566aa"}',
      '',
    ])
    expect(printEntries(readEntries(text, FILE))).toBe(text)
  })

  test('may be the union of two branches, in any order', () => {
    const [head, ...lines] = printEntries([entry, entry]).trimEnd().split('\n')
    const union = [...lines, head, printEntries([entry]).trimEnd()].join('\r\n')
    expect(readEntries(union, FILE)).toEqual([{ ...entry, count: 2 }])
  })

  test.each([
    ['<<<<<<< ours', `${FILE}:2: is no JSON: a merge left a conflict here; keep the lines of both sides`],
    ['{"file":', `${FILE}:2: is no JSON; `],
    ['{"file":"a"}', `${FILE}:2: is no accepted finding`],
    ['{"flakesniffBaseline":9}', `${FILE}:2: was written by a newer flakesniff`],
  ])('that cannot be read says where: %s', (line, message) => {
    expect(() => readEntries(`\n${line}\n`, FILE)).toThrow(message)
  })
})

describe('the comparison', () => {
  const at = (file: string, likeness = 'a'): Finding => ({ ...sleepFinding, file, likeness })
  const entries = (...findings: Finding[]) => readEntries(printEntries(findings.map(f => toEntry(f, f.file))), FILE)
  const everywhere = { fileOf: (f: Finding) => f.file, judges: () => true, exists: () => true }
  const files = (list: readonly { file: string; count: number }[]) => list.map(e => `${e.file} ${e.count}`)

  test('counts what is alike', () => {
    const { accepted, fresh, gone } = compare([at('x'), at('x'), at('x')], entries(at('x'), at('x')), everywhere)
    expect([accepted.size, files(fresh), gone]).toEqual([2, ['x 1'], []])
    expect(files(compare([at('x')], entries(at('x'), at('x'), at('x')), everywhere).gone)).toEqual(['x 2'])
  })

  test('follows a move, and prefers what stayed', () => {
    const { accepted, kept, fresh, gone } = compare([at('new'), at('old')], entries(at('old')), everywhere)
    expect([[...accepted].map(f => f.file), files(kept), files(fresh), gone]).toEqual([['old'], ['old 1'], ['new 1'], []])
    expect(compare([at('new')], entries(at('old')), everywhere)).toMatchObject({ kept: [{ file: 'new' }], fresh: [], gone: [] })
  })

  test('where the run looked at a part, only what stood in a file that is no more can have moved, and nothing is gone', () => {
    const part = { ...everywhere, judges: () => false }
    expect(compare([at('new')], entries(at('old')), part)).toMatchObject({ kept: [{ file: 'old' }], fresh: [{ file: 'new' }], gone: [] })
    expect(compare([at('new')], entries(at('old')), { ...part, exists: () => false })).toMatchObject({
      kept: [{ file: 'new' }],
      fresh: [],
      gone: [],
    })
  })
})

describe('the command', () => {
  let repo: Repository
  beforeEach(() => {
    repo = makeRepository()
    repo.write('test_a.py', SLEEPY)
  })
  afterEach(() => repo.remove())
  const read = () => readFileSync(join(repo.folder, FILE), 'utf8')
  const sarif = (...args: string[]) =>
    JSON.parse(repo.flakesniff([...args, '--format', 'sarif']).stdout).runs[0].results.map((
      r: any,
    ) => [r.ruleId, r.baselineState, r.suppressions?.[0].kind])

  test('accepts what is there: only new findings fail, from any folder', () => {
    repo.write('sub/test_b.py', SLEEPY)
    expect(repo.flakesniff(['baseline'])).toMatchObject({ status: 0, stdout: `${FILE}: 2 accepted, 2 of them new, 0 gone and forgotten\n` })
    const first = read()
    expect(repo.flakesniff([])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(
        `Nothing new found.\n2 files checked, 2 parsed\ntests seen: 2 python\n2 findings accepted in ${FILE}\n`,
      ),
    })
    expect(repo.flakesniff([], { cwd: join(repo.folder, 'sub') }).status).toBe(0)
    expect(repo.flakesniff(['--no-baseline']).status).toBe(1)
    repo.write('test_a.py', `# moved\n\n\n${SLEEPY}\ndef test_new(job):\n    time.sleep(2)\n    assert job.done\n`)
    expect(repo.flakesniff(['--quiet']).stdout).toMatch(/^test_a\.py:11:5 [^\n]*\n$/)
    repo.flakesniff(['baseline'])
    const [a, b] = [first.split('\n'), read().split('\n')]
    expect(a.filter(line => !b.includes(line))).toEqual([])
    expect(b.length).toBe(a.length + 1)
    const before = read()
    repo.flakesniff(['baseline'])
    expect(read()).toBe(before)
  })

  test('what is gone is told, and forgotten by --prune, which accepts nothing', () => {
    repo.flakesniff(['baseline'])
    repo.write('test_a.py', 'def test_a(job):\n    assert job.wait()\n')
    repo.write('test_b.py', SLEEPY.replace('test_a', 'test_b'))
    const run = repo.flakesniff([])
    expect(run.stdout).toContain(
      '1 accepted finding is gone: `flakesniff baseline --prune` forgets it\n  gone: test_a.py  time.sleep(1)  (fixed-sleep)\n',
    )
    expect(repo.flakesniff(['baseline', '--prune']).stdout).toBe(`${FILE}: 0 accepted, 1 new not accepted, 1 gone and forgotten\n`)
    expect(read().split('\n')).toHaveLength(2)
    expect(repo.flakesniff([]).status).toBe(1)
  })

  test('survives the rename of a file, also of one whose tests carry its name', () => {
    repo.write('FirstTest.java', JAVA('FirstTest'))
    repo.flakesniff(['baseline'])
    renameSync(join(repo.folder, 'test_a.py'), join(repo.folder, 'test_z.py'))
    rmSync(join(repo.folder, 'FirstTest.java'))
    repo.write('SecondTest.java', JAVA('SecondTest'))
    expect(repo.flakesniff([]).status).toBe(0)
    expect(repo.flakesniff(['test_z.py']).status).toBe(0)
    repo.flakesniff(['baseline', '--prune'])
    expect(read()).toContain('"file":"test_z.py"')
    expect(read()).not.toContain('test_a.py')
  })

  test('a look at a part, or with less confidence, forgets nothing', () => {
    repo.write('test_b.py', SLEEPY)
    repo.flakesniff(['baseline'])
    repo.write('test_b.py', 'def test_b(): pass\n')
    expect(repo.flakesniff(['test_a.py']).stdout).not.toContain('gone')
    expect(repo.flakesniff(['baseline', 'test_a.py']).stdout).toContain('2 accepted, 0 of them new, 0 gone')
    writeFileSync(join(repo.folder, FILE), read().replaceAll('"confidence":"high"', '"confidence":"low"'))
    expect(repo.flakesniff([]).stdout).not.toContain('gone')
    expect(repo.flakesniff(['--preset', 'audit']).stdout).toContain('gone')
  })

  test('SARIF tells the state of each', () => {
    repo.write('test_b.py', SLEEPY)
    expect(sarif()).toEqual([['fixed-sleep', undefined, undefined], ['fixed-sleep', undefined, undefined]])
    repo.flakesniff(['baseline'])
    rmSync(join(repo.folder, 'test_b.py'))
    repo.write('test_c.py', SLEEPY.replace('test_a', 'test_c'))
    expect(sarif()).toEqual([['fixed-sleep', 'new', undefined]])
    expect(sarif('--show-suppressed')).toEqual([['fixed-sleep', 'unchanged', 'external'], ['fixed-sleep', 'new', undefined], [
      'fixed-sleep',
      'absent',
      'external',
    ]])
  })

  test('may stand elsewhere, by the configuration', () => {
    repo.write('flakesniff.json', '{ "baseline": "ci/accepted.jsonl" }')
    repo.write('ci/keep', '')
    expect(repo.flakesniff([])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('there is no such file; `flakesniff baseline` writes it'),
    })
    repo.flakesniff(['baseline'])
    expect(readFileSync(join(repo.folder, 'ci/accepted.jsonl'), 'utf8')).toContain('"file":"../test_a.py"')
    expect(repo.flakesniff([]).status).toBe(0)
  })

  test.each([
    [['baseline', '--prune'], `there is no ${FILE} to prune`],
    [['baseline', '--prune', 'x'], 'leave the paths out'],
    [['--prune'], 'flakesniff baseline --prune'],
    [['baseline', '--staged'], 'has no meaning here'],
  ])('%j is an error with the way out', (args, hint) => {
    expect(repo.flakesniff(args)).toMatchObject({ status: 2, stderr: expect.stringContaining(hint) })
  })

  test('a broken file is an error, and can be done without', () => {
    repo.write(FILE, '<<<<<<< ours\n')
    expect(repo.flakesniff([])).toMatchObject({ status: 2, stderr: expect.stringContaining('keep the lines of both sides') })
    expect(repo.flakesniff(['--no-baseline']).status).toBe(1)
  })
})
