// How sure the limit of a poll is told follows its length, and whether the test asserts it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadLanguages, makeLinter } from '../src/index.ts'

await loadLanguages(['python', 'java'])
const folder = mkdtempSync(join(tmpdir(), 'flakesniff-deadlines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const linter = makeLinter({ cwd: folder, preset: 'audit' })

const toldOf = (path: string, lines: readonly string[]) =>
  linter.lint({ path, text: `${lines.join('\n')}\n` }).findings.filter(f => f.ruleId === 'tight-timeout').map(f =>
    `${f.confidence}: ${/[\d.]+ m?s/.exec(f.message)?.[0]}`
  )

const inPython = (header: string, ...body: string[]) =>
  toldOf('test_shop.py', [
    'import time',
    '',
    'def test_shop(shop):',
    '    start = time.monotonic()',
    `    while ${header}:`,
    ...body.map(l => `        ${l}`),
  ])

test.each([
  ['asserted, and short', ['not shop.sold()', 'time.sleep(0.01)', 'assert time.monotonic() < start + 0.3'], ['high: 300 ms']],
  ['short', ['not shop.sold() and time.monotonic() < start + 0.3', 'time.sleep(0.01)'], ['medium: 300 ms']],
  ['asserted, and of seconds', ['not shop.sold()', 'time.sleep(0.01)', 'assert time.monotonic() < start + 3'], ['low: 3 s']],
] as const)('a deadline that is %s', (_, [header, ...body], told) => {
  expect(inPython(header, ...body)).toEqual(told)
})

test.each([['SECONDS', []], ['MILLISECONDS', ['medium: 120 ms']]])('120 %s on a stopwatch', (unit, told) => {
  expect(toldOf('ShopTest.java', [
    'import com.google.common.base.Stopwatch;',
    'import java.util.concurrent.TimeUnit;',
    'import org.junit.jupiter.api.Test;',
    'class ShopTest {',
    '  @Test',
    '  void sells() throws Exception {',
    '    Stopwatch watch = Stopwatch.createStarted();',
    `    while (!shop.sold() && watch.elapsed(TimeUnit.${unit}) < 120) {`,
    '      TimeUnit.MILLISECONDS.sleep(5);',
    '    }',
    '  }',
    '}',
  ])).toEqual(told)
})
