// Fixes as they are applied: to texts, to files, by the command.

import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync,
  writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { applyPatch } from 'diff'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultConfig } from '../src/config/config.ts'
import { makeAnalyser, type Analyser } from '../src/engine/analyse.ts'
import { fixFiles, fixText } from '../src/engine/fix.ts'
import { applyFixes } from '../src/fixes/apply.ts'
import type { FindingFix } from '../src/rules/rule.ts'
import { run } from '../src/run.ts'

const bin = fileURLToPath(new URL('../bin/flakesniff.js', import.meta.url))
const UNSORTED = 'import os\n\ndef test_export(folder):\n    assert os.listdir(folder) == ["a.csv", "b.csv"]\n'
const SORTED = UNSORTED.replace('os.listdir(folder)', 'sorted(os.listdir(folder))')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-fix-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string | Uint8Array) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const flakesniff = (args: readonly string[], input = '') =>
  spawnSync(process.execPath, [bin, ...args], { cwd: folder, input, encoding: 'utf8' })
const analyser = (): Analyser =>
  makeAnalyser({ config: defaultConfig('/'), preset: 'audit', levels: {}, project: { parallel: {}, bats: {} } })

/** A change of the first line, from one column to another. */
const change = (...edits: readonly [from: number, to: number, text: string][]): FindingFix => ({
  title: 'x',
  safe: true,
  edits: edits.map(([from, to, text]) => ({ startLine: 1, startColumn: from, endLine: 1, endColumn: to, text })),
})

describe('putting fixes into a text', () => {
  test('all that do not touch each other', () => {
    expect(applyFixes('one two three', [change([9, 14, 'drei']), change([1, 4, 'ein'], [5, 8, 'zwei'])])).toEqual({
      text: 'ein zwei drei',
      fixes: 2,
    })
  })

  test('of two that touch, the first alone', () => {
    expect(applyFixes('one two', [change([4, 8, '']), change([1, 4, 'a'])])).toEqual({ text: 'a two', fixes: 1 })
    expect(applyFixes('one', [change([1, 1, 'a']), change([1, 1, 'b'])])).toEqual({ text: 'aone', fixes: 1 })
  })

  test('a line that two of them need, once', () => {
    expect(applyFixes('one two', [change([1, 1, 'head '], [1, 4, '1']), change([1, 1, 'head '], [5, 8, '2'])])).toEqual({
      text: 'head 1 2',
      fixes: 2,
    })
  })

  test('several at one place in their order', () => {
    expect(applyFixes('call()', [change([1, 1, 'await '], [1, 5, 'other'], [7, 7, ';'])]).text).toBe('await other();')
  })
})

describe('rounds', () => {
  test('the last one that needed an import takes it away', async () => {
    const body = (name: string) =>
      `func Test${name}(t *testing.T) {\n\tos.Setenv("SHOP_${name}", "10")\n\tif price() != 9 {\n\t\tt.Fatal("price")\n\t}\n}\n`
    const names = Array.from({ length: 14 }, (_, i) => `N${i}`)
    const text = `package shop\n\nimport (\n\t"os"\n\t"testing"\n)\n\n${names.map(body).join('\n')}`
    const fixed = await fixText('shop_test.go', text, 'go', analyser())
    expect(fixed.fixes).toBe(14)
    expect(fixed.after).toBe(text.replace('\t"os"\n', '').replaceAll('os.Setenv', 't.Setenv'))
  })

  test('a numbered file gets its whole skeleton', async () => {
    write('test/helpers.bash',
      'setup_sequential_test() { echo "$1 after $2"; }\nload_test_env() { echo "$1"; }\nmark_test_complete() { echo "$1"; }\n')
    write('test/01-meta.bats', '@test "meta" { true; }\n')
    write('test/02-dist.bats', 'load helpers\n\n# Packs it.\n@test "dist" {\n  [ -f dist.zip ]\n}\n')
    await run({ cwd: folder, paths: ['.'], preset: 'strict', fix: 'write' })
    expect(read('test/02-dist.bats')).toMatchInlineSnapshot(`
      "load helpers

      setup_file() {
        setup_sequential_test "02-dist" "01-meta"
      }

      setup() {
        load_test_env "sequential"
      }

      teardown_file() {
        mark_test_complete "02-dist"
      }

      # Packs it.
      @test "dist" {
        [ -f dist.zip ]
      }
      "
    `)
  })
})

describe('files', () => {
  test('keep their line ends, their mark, their permissions and the link that leads to them', async () => {
    write('real/test_a.py', `\uFEFF${UNSORTED.replaceAll('\n', '\r\n')}`)
    chmodSync(join(folder, 'real/test_a.py'), 0o750)
    mkdirSync(join(folder, 'links'))
    symlinkSync('../real/test_a.py', join(folder, 'links/test_b.py'))
    const { fixed } = await run({ cwd: folder, paths: ['real'], preset: 'recommended', fix: 'write' })
    expect(fixed).toHaveLength(1)
    expect(read('real/test_a.py')).toBe(`\uFEFF${SORTED.replaceAll('\n', '\r\n')}`)
    expect(statSync(join(folder, 'real/test_a.py')).mode & 0o777).toBe(0o750)
    expect(lstatSync(join(folder, 'links/test_b.py')).isSymbolicLink()).toBe(true)
    expect(readdirSync(join(folder, 'real'))).toEqual(['test_a.py'])
  })

  test('new lines come in the line ends of the file', async () => {
    write('a.bats', '@test "a" {\r\n  ! grep -q error shop.log\r\n  [ -f shop.log ]\r\n}\r\n')
    await run({ cwd: folder, paths: ['.'], preset: 'strict', fix: 'write' })
    expect(read('a.bats')).toBe(
      'bats_require_minimum_version 1.5.0\r\n\r\n@test "a" {\r\n  run ! grep -q error shop.log\r\n  [ -f shop.log ]\r\n}\r\n',
    )
  })

  test('one that was changed in the meantime is left alone, and the run says so', async () => {
    write('test_a.py', UNSORTED)
    const real = analyser()
    const meddling: Analyser = {
      ...real,
      analyse: (path, text, language) => {
        write('test_a.py', `# mine\n${UNSORTED}`)
        return real.analyse(path, text, language)
      },
    }
    const file = { path: 'test_a.py', absolute: join(folder, 'test_a.py'), language: 'python' as const, size: UNSORTED.length }
    const found = await real.analyse('test_a.py', UNSORTED, 'python')
    const { fixed, notices } = await fixFiles([found], new Map([['test_a.py', file]]), meddling, true)
    expect(fixed).toEqual([])
    expect(notices.map(n => `${n.file} ${n.message}`)).toEqual(['test_a.py was not fixed: it was changed in the meantime; run it again'])
    expect(read('test_a.py')).toBe(`# mine\n${UNSORTED}`)
  })

  test('one that is no UTF-8 is left alone', async () => {
    const bytes = Buffer.concat([Buffer.from('# caf'), Buffer.from([0xe9]), Buffer.from(`\n${UNSORTED}`)])
    write('test_a.py', bytes)
    const { fixed, summary } = await run({ cwd: folder, paths: ['.'], fix: 'write' })
    expect(fixed).toEqual([])
    expect(summary.notices.map(n => n.message)).toContain('was not fixed: it holds bytes that are no UTF-8')
    expect(readFileSync(join(folder, 'test_a.py')).equals(bytes)).toBe(true)
  })
})

describe('the command', () => {
  test('--fix writes, tells what is left, and has nothing to do the second time', () => {
    write('test_a.py', `${UNSORTED}\n\ndef test_slow(job):\n    import time\n    time.sleep(1)\n    assert job.done\n`)
    const first = flakesniff(['--fix'])
    expect(read('test_a.py')).toContain('sorted(os.listdir(folder))')
    expect(first.stderr).toContain('applied 1 fix in 1 file')
    expect(first.stdout).toContain('fixed-sleep')
    expect(first.stdout).not.toContain('unsorted-fs-listing')
    expect(first.status).toBe(1)
    expect(flakesniff(['--fix']).stderr).toContain('nothing that can be fixed safely')
  })

  test('--fix-dry-run prints a diff that applies, and writes nothing', () => {
    write('test_a.py', UNSORTED)
    const shown = flakesniff(['--fix-dry-run'])
    expect(read('test_a.py')).toBe(UNSORTED)
    expect(shown.stdout).toContain('--- a/test_a.py\n+++ b/test_a.py\n')
    expect(applyPatch(UNSORTED, shown.stdout)).toBe(SORTED)
    expect(shown.stderr).toContain('1 fix in 1 file; nothing was written')
    expect(shown.status).toBe(1)
  })

  test('standard input is fixed on paper only', () => {
    expect(applyPatch(UNSORTED, flakesniff(['--fix-dry-run', '--stdin-filename', 'test_a.py'], UNSORTED).stdout)).toBe(SORTED)
    const refused = flakesniff(['--fix', '--stdin-filename', 'test_a.py'], UNSORTED)
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain('--fix-dry-run')
    expect(existsSync(join(folder, 'test_a.py'))).toBe(false)
  })

  test('suggestions, silenced findings and rules that are off are never applied', () => {
    const silenced = UNSORTED.replace('    assert', '    # flakesniff-disable-next-line unsorted-fs-listing -- the store sorts\n    assert')
    write('test_a.py', silenced)
    write('a.test.js', "it.only('a', () => {\n  expect(1).toBe(1)\n})\n")
    const before = read('a.test.js')
    const done = flakesniff(['--fix'])
    expect(done.stdout).toContain('try: Let the other tests run too')
    expect([read('test_a.py'), read('a.test.js')]).toEqual([silenced, before])
    write('test_a.py', UNSORTED)
    flakesniff(['--fix', '--rule', 'unsorted-fs-listing=off'])
    expect(read('test_a.py')).toBe(UNSORTED)
  })

  test.each([
    [['--fix', '--fix-dry-run'], 'give one of them'],
    [['--fix-dry-run', '--format', 'json'], '--output'],
    [['report', '--fix'], 'has no meaning here'],
  ])('refuses %j and says what would do', (args, hint) => {
    const refused = flakesniff(args)
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain(hint)
  })

  test('the JSON report carries fixes and suggestions', () => {
    write('test_a.py', UNSORTED)
    const [finding] = JSON.parse(flakesniff(['--format', 'json']).stdout).findings
    expect(finding.fixes).toEqual([{
      title: 'Sort the entries',
      safe: true,
      edits: [
        { startLine: 4, startColumn: 12, endLine: 4, endColumn: 12, text: 'sorted(' },
        { startLine: 4, startColumn: 30, endLine: 4, endColumn: 30, text: ')' },
      ],
    }])
  })

  test('SARIF carries them as replacements', () => {
    write('test_a.py', UNSORTED)
    const [result] = JSON.parse(flakesniff(['--format', 'sarif']).stdout).runs[0].results
    expect(result.fixes).toMatchObject([{
      description: { text: 'Sort the entries.' },
      artifactChanges: [{
        artifactLocation: { uri: 'test_a.py' },
        replacements: [{ insertedContent: { text: 'sorted(' } }, { insertedContent: { text: ')' } }],
      }],
    }])
  })
})
