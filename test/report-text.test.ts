import { describe, expect, test } from 'vitest'
import { formatText } from '../src/report/text.ts'
import type { Summary } from '../src/report/summary.ts'
import { HOSTILE, emptySummary, fullSummary, hostileSummary, manyFindings, sleepFinding } from './report-sample.ts'

const PLAIN = { color: false, quiet: false }
const withFrame = (text: string, startColumn: number, endColumn: number): Summary => ({
  ...emptySummary,
  findings: [{ ...sleepFinding, startLine: 9, endLine: 9, startColumn, endColumn, frame: [{ line: 9, text }] }],
})
/** The code line and the caret line, without the gutter. */
const frameOf = (summary: Summary): string[] =>
  formatText(summary, PLAIN).split('\n').filter(l => /^ {2}[ \d]+ \|/.test(l)).map(l => l.slice('   9 | '.length))

describe('the text report', () => {
  test('of a small run', () => {
    expect(formatText(fullSummary, PLAIN)).toMatchInlineSnapshot(`
      "src/due.test.ts: 1 finding

      src/due.test.ts:101:3  error  toBe compares with the clock  (wall-clock)
        100 |
        101 |   expect(due)
            |   ^^^^^^^^^^^
        102 |     .toBe(now)
        why: An assertion depends on the time of day
        from: src/due.test.ts:99:15  the clock is read
        then: src/due.test.ts:101:3  and compared
        see: src/other.test.ts:4:1  the same clock

      tests/test_worker.py: 1 finding

      tests/test_worker.py:9:2  warning  the assertion relies on 100 ms being enough  (fixed-sleep)
         8 |     start()
         9 |     time.sleep(0.1)
           |     ^^^^^^^^^^^^^^^
        10 |     assert done()
        why: A test waits a fixed time instead of waiting for the thing it needs
        do: Wait for the condition itself, e.g. with \`wait_for(ready, timeout=5)\` or a latch.
        test: TestWorker::test_done

      2 findings: 1 error, 1 warning
      12 files checked, 3 parsed; left out: 3 generated, 1 too large
      tests seen: 7 python, 2 typescript
      1 finding suppressed
      1 file with parse problems
      tests/odd name.py:3  warning  the grammar gave up here  (parse-problem)
      note  the cache was not used  (left-out)
      "
    `)
  })

  test('of a run that found nothing', () => {
    expect(formatText(emptySummary, PLAIN)).toMatchInlineSnapshot(`
      "Nothing found: no test here shows a risk of flakiness.
      12 files checked, 3 parsed
      tests seen: 7 python
      "
    `)
  })

  test('says so when there were no tests to find anything in', () => {
    expect(formatText({ ...emptySummary, tests: { go: 0 } }, PLAIN)).toMatchInlineSnapshot(`
      "Nothing found, but no tests were seen either: are these the right paths?
      12 files checked, 3 parsed
      tests seen: none
      "
    `)
  })

  test('is one line per finding when quiet', () => {
    expect(formatText(fullSummary, { color: false, quiet: true })).toMatchInlineSnapshot(`
      "src/due.test.ts:101:3  error  toBe compares with the clock  (wall-clock)
      tests/test_worker.py:9:2  warning  the assertion relies on 100 ms being enough  (fixed-sleep)
      "
    `)
    expect(formatText(emptySummary, { color: false, quiet: true })).toBe('')
  })

  test('marks suppressed findings and does not count them', () => {
    const text = formatText({ ...fullSummary, findings: [{ ...sleepFinding, suppressed: { reason: 'hardware needs it' } }] }, PLAIN)
    expect(text).toContain('(fixed-sleep, suppressed)')
    expect(text).toContain('suppressed: hardware needs it')
    expect(text).toContain('Nothing found')
  })

  test('in colour says the same', () => {
    const colored = formatText(fullSummary, { color: true, quiet: false })
    expect(colored).toContain('\x1b[31merror\x1b[0m')
    expect(colored.replace(/\x1b\[\d+m/g, '')).toBe(formatText(fullSummary, PLAIN))
  })

  test('does not depend on the order in which things were counted', () => {
    const turned = {
      ...fullSummary,
      tests: { python: 7, typescript: 2 },
      files: { ...fullSummary.files, leftOut: { generated: 3, 'too large': 1 } },
    }
    expect(formatText(turned, PLAIN)).toBe(formatText(fullSummary, PLAIN))
  })

  test('leaves out why and do of a rule it does not know', () => {
    expect(formatText({ ...fullSummary, rules: [] }, PLAIN)).not.toMatch(/^ {2}(why|do):/m)
  })

  test('takes ten thousand findings', () => {
    expect(formatText(manyFindings(10_000), PLAIN)).toContain('10000 findings: 10000 warnings')
  })
})

describe('hostile names', () => {
  test.each([false, true])('are spelled out (quiet: %s)', quiet => {
    const text = formatText(hostileSummary, { color: false, quiet })
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
    expect(text).toContain('a\\x1b[31m\\u{202e}b\\r\\n\\u{9b}2J\\u{0}\\u{200b}\\u{d800}\\u{2028}[x](1)')
  })

  test('add no lines', () => {
    const clean = JSON.parse(JSON.stringify(hostileSummary).replaceAll(JSON.stringify(HOSTILE).slice(1, -1), 'x')) as Summary
    expect(formatText(hostileSummary, PLAIN).split('\n')).toHaveLength(formatText(clean, PLAIN).split('\n').length)
  })
})

describe('the code frame', () => {
  test('expands tabs', () => {
    expect(frameOf(withFrame('\ta\tb', 4, 5))).toEqual(['    a   b', '        ^'])
  })

  test('gives wide characters two cells and combining ones none', () => {
    expect(frameOf(withFrame('日本 x', 4, 5))).toEqual(['日本 x', '     ^'])
    expect(frameOf(withFrame('e\u0301 x', 4, 5))).toEqual(['e\u0301 x', '  ^'])
  })

  test('underlines a surrogate pair whole', () => {
    expect(frameOf(withFrame('a😀b', 2, 4))).toEqual(['a😀b', ' ^^'])
    expect(frameOf(withFrame('a𝒳b', 4, 5))).toEqual(['a𝒳b', '  ^'])
  })

  test('moves the caret by what was spelled out', () => {
    expect(frameOf(withFrame('\u202ex', 2, 3))).toEqual(['\\u{202e}x', '        ^'])
  })

  test('shows the place in an overlong line', () => {
    const [code, caret] = frameOf(withFrame(`${'a'.repeat(5000)}HERE${'b'.repeat(5000)}`, 5001, 5005))
    expect(code!.length).toBeLessThan(130)
    expect(code!.slice(caret!.indexOf('^'), caret!.length)).toBe('HERE')
    const [wide, under] = frameOf(withFrame('😀'.repeat(300), 301, 303))
    expect(wide).toMatch(/^…(😀)+…$/u)
    expect(under).toMatch(/^ +\^\^$/)
    // Wherever the cut falls, no pair is cut in two.
    for (const column of [200, 201]) expect(frameOf(withFrame('😀'.repeat(300), column, column + 1))[0]).toMatch(/^…(😀)+…$/u)
  })

  test('marks an empty place and one past the end with one caret', () => {
    expect(frameOf(withFrame('ab', 2, 2))).toEqual(['ab', ' ^'])
    expect(frameOf(withFrame('ab', 9, 12))).toEqual(['ab', '  ^'])
  })

  test('leaves out the line end of a CRLF file', () => {
    expect(frameOf(withFrame('ab\r', 1, 3))).toEqual(['ab', '^^'])
  })

  test('is missing where the line is', () => {
    expect(frameOf({ ...emptySummary, findings: [{ ...sleepFinding, frame: [] }] })).toEqual([])
  })
})
