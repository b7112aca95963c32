// Summaries made by hand, for the tests of the formatters.

import type { AppliedRule, Summary } from '../src/report/summary.ts'
import type { Finding } from '../src/rules/rule.ts'

export const SLEEP_PAGE = `# fixed-sleep

A test waits a fixed time instead of waiting for the thing it needs.

## Why

A fixed wait is a bet on the speed of the machine.

\`\`\`bash bad
## Instead
sleep 5 # flagged: waits a fixed 5 s
\`\`\`

## Instead

Wait for the **condition** itself, e.g. with \`wait_for(ready, timeout=5)\` or a
[latch](https://example.org/latch). Raise no timeout.
`

export const sleepRule: AppliedRule = {
  id: 'fixed-sleep',
  title: 'A test waits a fixed time instead of waiting for the thing it needs',
  category: 'waiting',
  severity: 'warning',
  level: 'warning',
  triggers: ['sleep'],
  confirm: ['cpu-stress'],
  since: '0.1.0',
  page: SLEEP_PAGE,
}

export const clockRule: AppliedRule = {
  id: 'wall-clock',
  title: 'An assertion depends on the time of day',
  category: 'time',
  severity: 'error',
  level: 'error',
  triggers: ['clock'],
  confirm: ['clock-shift'],
  since: '0.1.0',
  page: '# wall-clock\n',
}

export const sleepFinding: Finding = {
  ruleId: 'fixed-sleep',
  severity: 'warning',
  confidence: 'high',
  file: 'tests/test_worker.py',
  startLine: 9,
  startColumn: 2,
  endLine: 9,
  endColumn: 17,
  message: 'the assertion relies on 100 ms being enough',
  test: 'TestWorker::test_done',
  trace: [],
  related: [],
  fingerprint: '0123456789abcdef',
  likeness: '00112233445566aa',
  lineHash: 'a7f2ff13bc495cf2:1',
  frame: [{ line: 8, text: '\tstart()' }, { line: 9, text: '\ttime.sleep(0.1)' }, { line: 10, text: '\tassert done()' }],
}

export const clockFinding: Finding = {
  ruleId: 'wall-clock',
  severity: 'error',
  confidence: 'medium',
  file: 'src/due.test.ts',
  startLine: 101,
  startColumn: 3,
  endLine: 102,
  endColumn: 8,
  message: 'toBe compares with the clock',
  test: null,
  trace: [
    { file: 'src/due.test.ts', startLine: 99, startColumn: 15, endLine: 99, endColumn: 25, message: 'the clock is read' },
    { file: 'src/due.test.ts', startLine: 101, startColumn: 3, endLine: 102, endColumn: 8, message: 'and compared' },
  ],
  related: [{ file: 'src/other.test.ts', startLine: 4, startColumn: 1, endLine: 4, endColumn: 9, message: 'the same clock' }],
  fingerprint: 'fedcba9876543210',
  likeness: 'ffeeddccbbaa9988',
  lineHash: '54703d4cd895b18:1',
  frame: [{ line: 100, text: '' }, { line: 101, text: '  expect(due)' }, { line: 102, text: '    .toBe(now)' }],
}

export const emptySummary: Summary = {
  version: '0.1.0',
  preset: 'strict',
  rules: [sleepRule, clockRule],
  findings: [],
  suppressed: 0,
  notices: [],
  files: { checked: 12, parsed: 3, withProblems: 0, leftOut: {} },
  tests: { python: 7 },
}

export const fullSummary: Summary = {
  ...emptySummary,
  findings: [clockFinding, sleepFinding],
  suppressed: 1,
  notices: [
    { level: 'warning', id: 'parse-problem', file: 'tests/odd name.py', line: 3, message: 'the grammar gave up here' },
    { level: 'note', id: 'left-out', file: null, line: null, message: 'the cache was not used' },
  ],
  files: { checked: 12, parsed: 3, withProblems: 1, leftOut: { 'too large': 1, generated: 3, binary: 0 } },
  tests: { typescript: 2, python: 7 },
}

/** Everything a hostile repository could put into a name: escapes, a new direction, a new line, half a character, a link. */
export const HOSTILE = 'a\x1b[31m\u202eb\r\n\x9b2J\u0000\u200b\ud800\u2028[x](1)\\[y\\](2){0}\\'

export const hostileSummary: Summary = {
  ...emptySummary,
  findings: [{
    ...sleepFinding,
    file: `dir:1/${HOSTILE}`,
    message: HOSTILE,
    test: HOSTILE,
    trace: [{ ...clockFinding.trace[0]!, file: HOSTILE, message: HOSTILE }],
    related: [{ ...clockFinding.related[0]!, file: HOSTILE, message: HOSTILE }],
    frame: [{ line: 9, text: `\t${HOSTILE}` }],
    suppressed: { reason: HOSTILE },
  }],
  notices: [{ level: 'error', id: 'internal', file: HOSTILE, line: 1, message: HOSTILE }],
}

/** Many findings in many files, all different. */
export const manyFindings = (n: number): Summary => ({
  ...fullSummary,
  findings: Array.from({ length: n }, (_, i) => ({
    ...sleepFinding,
    file: `tests/test_${String(i >> 3).padStart(5, '0')}.py`,
    startLine: i + 1,
    endLine: i + 1,
    frame: sleepFinding.frame.map((l, k) => ({ ...l, line: i + k })),
  })),
})
