// The linter of single texts: it must say what a run says of the same file, and see when the project around it changes.

import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { homeOf, isConfigError, lineEdits, loadLanguages, makeLinter, run, type Finding, type Language, type Preset } from '../src/index.ts'

const LANGUAGES: Language[] = ['python', 'typescript', 'java', 'go', 'rust', 'bash']
await loadLanguages(LANGUAGES)

const SLEEPY = 'import time\n\ndef test_a(job):\n    time.sleep(1)\n    assert job.done\n'
const CLOCK = "import { expect, test } from 'vitest'\n\ntest('a', () => {\n  expect(new Date().getFullYear()).toBe(2026)\n})\n"

let folder: string
let edits = 0
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-linter-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Each write is later than the one before, however fast the machine and coarse its clock. */
const write = (path: string, text: string) => {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  edits++
  for (const at of [file, dirname(file)]) utimesSync(at, edits, edits)
}

const rulesIn = (findings: readonly Finding[]) => findings.map(f => f.ruleId)

describe('over the fixtures', () => {
  const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))
  const projects = readdirSync(fixtures, { withFileTypes: true }).filter(e => e.isDirectory()).map(e => e.name)

  test.each(projects.flatMap(name => (['recommended', 'audit'] as Preset[]).map(preset => ({ name, preset }))))(
    '$name at $preset: the findings of a run',
    async ({ name, preset }) => {
      const cwd = join(fixtures, name)
      const { summary } = await run({ cwd, paths: ['.'], preset, trace: false, jobs: 1 })
      const linter = makeLinter({ cwd, preset })
      const bySource = new Map<string, Finding[]>()
      for (const entry of readdirSync(cwd, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(py|[cm]?[jt]sx?|java|go|rs|sh|bash|bats)$/.test(entry.name)) continue
        const path = join(entry.parentPath, entry.name)
        const { findings } = linter.lint({ path, text: readFileSync(path, 'utf8') })
        if (findings[0]) bySource.set(findings[0].file, [...findings])
      }
      const files = new Set(summary.findings.map(f => f.file).filter(f => /\.(py|[cm]?[jt]sx?|java|go|rs|sh|bash|bats)$/.test(f)))
      for (const file of new Set([...files, ...bySource.keys()]))
        expect(bySource.get(file), file).toEqual(
          summary.findings.filter(f => f.file === file),
        )
    },
  )
})

describe('what lies around a file', () => {
  test('a rule that flakesniff.json turns off is off, until it is changed', () => {
    write('flakesniff.json', '{ "rules": { "fixed-sleep": "off" } }')
    const linter = makeLinter({ cwd: folder })
    expect(rulesIn(linter.lint({ path: 'test_a.py', text: SLEEPY }).findings)).toEqual([])
    write('flakesniff.json', '{ "rules": { "fixed-sleep": "error" } }')
    expect(linter.lint({ path: 'test_a.py', text: SLEEPY }).findings).toMatchObject([{ ruleId: 'fixed-sleep', severity: 'error' }])
  })

  test('a fault in flakesniff.json is thrown with its place', () => {
    write('flakesniff.json', '{ "presett": "strict" }')
    const caught = (() => {
      try {
        return makeLinter({ cwd: folder }).lint({ path: 'test_a.py', text: SLEEPY })
      } catch (error) {
        return error
      }
    })()
    expect(isConfigError(caught) && caught.message).toContain('flakesniff.json:1:3')
  })

  test('a set-up file cures, also one that comes or goes later, and one that only a configuration names', () => {
    const linter = makeLinter({ cwd: folder })
    const lint = () => rulesIn(linter.lint({ path: 'src/a.test.ts', text: CLOCK }).findings)
    write('src/a.test.ts', CLOCK)
    expect(lint()).toEqual(['wall-clock-in-assertion'])
    write('test/setup.ts', "import { beforeEach, vi } from 'vitest'\nbeforeEach(() => { vi.useFakeTimers(); vi.setSystemTime(0) })\n")
    edits++
    utimesSync(folder, edits, edits)
    expect(lint()).toEqual([])
    write('test/setup.ts', '')
    expect(lint()).toEqual(['wall-clock-in-assertion'])
    write('tools/prepare.ts', "import { beforeEach, vi } from 'vitest'\nbeforeEach(() => { vi.useFakeTimers(); vi.setSystemTime(0) })\n")
    write('vitest.config.ts', "export default { test: { setupFiles: ['./tools/prepare'] } }\n")
    expect(lint()).toEqual([])
  })

  test('nothing above the repository or the working directory is read', () => {
    write('flakesniff.json', '{ "rules": { "fixed-sleep": "off" } }')
    mkdirSync(join(folder, 'inner'))
    const linter = makeLinter({ cwd: join(folder, 'inner') })
    expect(rulesIn(linter.lint({ path: 'test_a.py', text: SLEEPY }).findings)).toEqual(['fixed-sleep'])
  })
})

describe('a text', () => {
  test('need not be on the disk, and is told by its path from the working directory', () => {
    const { findings } = makeLinter({ cwd: folder }).lint({ path: join(folder, 'deep/down/test_a.py'), text: SLEEPY })
    expect(findings).toMatchObject([{ ruleId: 'fixed-sleep', file: 'deep/down/test_a.py', startLine: 4 }])
  })

  test.each([
    ['notes.txt', 'hello', 'unknown language'],
    ['test_a.py', `# Code generated by a tool. DO NOT EDIT.\n${SLEEPY}`, 'generated'],
    ['test_a.py', `${SLEEPY}${'x = 1\n'.repeat(200_000)}`, 'too large'],
    ['a.test.js', `${'a();'.repeat(1000)}\n`, 'minified'],
  ])('%s may be left out, and the reason is told', (path, text, reason) => {
    expect(makeLinter({ cwd: folder }).lint({ path, text })).toEqual({ findings: [], suppressed: [], notices: [], leftOut: reason })
  })

  test('is silenced by comments, and what they silence is told apart', () => {
    const text = SLEEPY.replace('    time', '    # flakesniff-disable-next-line fixed-sleep -- the daemon says nothing\n    time')
    expect(makeLinter({ cwd: folder }).lint({ path: 'test_a.py', text })).toMatchObject({
      findings: [],
      suppressed: [{ ruleId: 'fixed-sleep', suppressed: { reason: 'the daemon says nothing' } }],
    })
  })
})

describe('fixing a text', () => {
  const text = 'import os\r\n\r\ndef test_a(tmp_path):\r\n    assert os.listdir(tmp_path) == ["a", "b"]'

  test('gives what --fix would write, in the line ends of the text', async () => {
    const { after, fixes } = await makeLinter({ cwd: folder }).fix({ path: 'test_a.py', text })
    expect([after, fixes]).toEqual([text.replace('os.listdir(tmp_path)', 'sorted(os.listdir(tmp_path))'), 1])
    expect(await lineEdits(text, after)).toEqual([{
      startLine: 4,
      startColumn: 1,
      endLine: 5,
      endColumn: 1,
      text: '    assert sorted(os.listdir(tmp_path)) == ["a", "b"]',
    }])
  })

  test('leaves alone what is left out', async () => {
    expect(await makeLinter({ cwd: folder }).fix({ path: 'notes.txt', text })).toMatchObject({ after: text, fixes: 0 })
  })

  test.each([
    ['a\nb\nc\n', 'a\nc\n', [[2, 3, '']]],
    ['a\nc\n', 'a\nb\nc\n', [[2, 2, 'b\n']]],
    ['a\nb\nc\nd', 'A\nb\nc\nD\n', [[1, 2, 'A\n'], [4, 5, 'D\n']]],
    ['a\n', 'a\n', []],
  ])('the edits from %j to %j touch only what differs', async (before, after, expected) => {
    expect((await lineEdits(before, after)).map(e => [e.startLine, e.endLine, e.text])).toEqual(expected)
  })
})

test('a file is part of the innermost folder around it, or of its repository, or of its own folder', () => {
  mkdirSync(join(folder, 'repository/.git'), { recursive: true })
  const file = join(folder, 'repository/packages/app/test_a.py')
  expect(homeOf(file, [folder, join(folder, 'repository/packages'), join(folder, 'repository/pack')])).toBe(
    join(folder, 'repository/packages'),
  )
  expect(homeOf(file, [])).toBe(join(folder, 'repository'))
  expect(homeOf(join(folder, 'elsewhere/test_a.py'), [join(folder, 'repository')])).toBe(join(folder, 'elsewhere'))
})

test('what a test does that never runs is not said for sure', () => {
  const text = `import pytest
import time


@pytest.mark.skip(reason="not yet")
def test_put_away(job):
    time.sleep(1)
    assert job.done


@pytest.mark.skipif("sys.platform == 'win32'")
def test_runs_here(job):
    time.sleep(1)
    assert job.done
`
  write('test_jobs.py', text)
  const told = makeLinter({ cwd: folder, preset: 'strict' }).lint({ path: 'test_jobs.py', text }).findings.filter(f =>
    f.ruleId === 'fixed-sleep'
  )
  expect(told.map(f => [f.startLine, f.confidence])).toEqual([[7, 'medium'], [13, 'high']])
})

describe('a file that is full of one thing', () => {
  const sleepy = (n: number) =>
    `import time\n${Array.from({ length: n }, (_, i) => `\ndef test_${i}(job):\n    time.sleep(1)\n    assert job.done\n`).join('')}`
  const lines = (n: number, preset: Preset) => {
    write('test_jobs.py', sleepy(n))
    return makeLinter({ cwd: folder, preset }).lint({ path: 'test_jobs.py', text: sleepy(n) }).findings.map(f => f.startLine)
  }

  test('is no crowd where the file is long', () => {
    const text = `${sleepy(25)}${'\n'.repeat(250 * 25)}`
    expect(makeLinter({ cwd: folder, preset: 'strict' }).lint({ path: 'test_jobs.py', text }).findings).toHaveLength(25)
  })

  test('shows all where they are few, and the first five where they are a crowd', () => {
    expect(lines(19, 'recommended')).toHaveLength(19)
    expect(lines(20, 'recommended')).toEqual([4, 8, 12, 16, 20])
    expect(lines(20, 'strict')).toHaveLength(20)
    expect(lines(25, 'strict')).toHaveLength(20)
    expect(lines(25, 'audit').filter((line, i, all) => all.indexOf(line) === i)).toHaveLength(25)
  })

  test('says first what is sure, wherever it stands', () => {
    const short = sleepy(20).replaceAll('sleep(1)', 'sleep(0.001)').replaceAll('test_', 'test_short_')
    const text = `${short}${sleepy(3).replace('import time\n', '')}`
    const told = makeLinter({ cwd: folder, preset: 'strict' }).lint({ path: 'test_jobs.py', text }).findings.filter(f =>
      f.ruleId === 'fixed-sleep'
    )
    expect(told).toHaveLength(20)
    expect(told.filter(f => f.confidence === 'high').map(f => f.startLine)).toEqual([84, 88, 92])
  })
})

/** A page of a rule shows what `strict` says; these show what is sure enough for `recommended`. */
describe('sure enough for recommended', () => {
  test.each([
    [
      'a helper of the project that is called sleep and given a time',
      'rooms.test.ts',
      "import { sleep } from './util'\n\ntest('leaves', async () => {\n  room.leave()\n  await sleep(200)\n  expect(room.size).toBe(1)\n})\n",
      [5],
    ],
    [
      'one that is called by another name of a pause',
      'MonitorTest.java',
      'import org.junit.jupiter.api.Test;\nimport shop.test.ThreadUtils;\n\nclass MonitorTest {\n  @Test\n  void stops() {\n    monitor.close();\n    ThreadUtils.sleepQuietly(200);\n    assertFalse(monitor.isRunning());\n  }\n}\n',
      [8],
    ],
    [
      'as many goroutines as before',
      'pool_test.go',
      'package shop\n\nimport (\n\t"runtime"\n\t"testing"\n)\n\nfunc TestCloses(t *testing.T) {\n\tbefore := runtime.NumGoroutine()\n\tuse()\n\tif after := runtime.NumGoroutine(); after > before {\n\t\tt.Fatal(after)\n\t}\n}\n',
      [11],
    ],
    [
      'a few more goroutines than before',
      'pool_test.go',
      'package shop\n\nimport (\n\t"runtime"\n\t"testing"\n)\n\nfunc TestCloses(t *testing.T) {\n\tbefore := runtime.NumGoroutine()\n\tuse()\n\tif leaked := runtime.NumGoroutine() - before; leaked > 3 {\n\t\tt.Fatal(leaked)\n\t}\n}\n',
      [],
    ],
    [
      'a port that was bound, asked for and let go again',
      'test_shop.py',
      "import socket\n\n\ndef free_port():\n    with socket.socket() as s:\n        s.bind(('', 0))\n        return s.getsockname()[1]\n\n\ndef test_opens(shop):\n    shop.open(free_port())\n    assert shop.is_open\n",
      [7],
    ],
    [
      'a port that is drawn',
      'shop.test.ts',
      "test('opens', async () => {\n  const port = 20000 + Math.floor(Math.random() * 10000)\n  const shop = await open({ port })\n  expect(shop.isOpen).toBe(true)\n})\n",
      [2],
    ],
    [
      'a helper that gives a free port, in any language but the shell',
      'shop_test.go',
      'package shop\n\nimport (\n\t"testing"\n\n\t"example.org/shop/freeport"\n)\n\nfunc TestOpens(t *testing.T) {\n\tport := freeport.GetFreePort()\n\tif err := Open(port); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n',
      [10],
    ],
    [
      'an assertion whose failure stays in its thread',
      'LockTest.java',
      'import org.junit.jupiter.api.Test;\n\nclass LockTest {\n  @Test\n  void locks() throws Exception {\n    Thread other = new Thread(() -> {\n      assertTrue(lock.isLocked());\n    });\n    other.start();\n    other.join();\n  }\n}\n',
      [7],
    ],
    [
      'a deferred end that comes before parallel subtests',
      'shop_test.go',
      'package shop\n\nimport "testing"\n\nfunc TestSells(t *testing.T) {\n\tshop := open()\n\tdefer shop.Close()\n\tt.Run("tea", func(t *testing.T) {\n\t\tt.Parallel()\n\t\tif shop.Sell("tea") != nil {\n\t\t\tt.Fatal()\n\t\t}\n\t})\n}\n',
      [7],
    ],
    [
      'a pause whose length is not to be seen',
      'rooms.test.ts',
      "import { pause } from './util'\n\ntest('leaves', async () => {\n  room.leave()\n  await pause(settleTime)\n  expect(room.size).toBe(1)\n})\n",
      [],
    ],
  ])('%s', (_, path, text, expected) => {
    expect(makeLinter({ cwd: folder, preset: 'recommended' }).lint({ path, text }).findings.map(f => f.startLine)).toEqual(expected)
  })
})
