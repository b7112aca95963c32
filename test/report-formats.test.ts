// The formats for code review and CI, against the shapes that their readers document, and with names made to break them.

import { gzipSync } from 'node:zlib'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { formats, type Format } from '../src/report/index.ts'
import { LIMITS, details, fits } from '../src/report/sarif-limits.ts'
import type { Summary } from '../src/report/summary.ts'
import { worst } from '../src/report/worst.ts'
import type { Finding } from '../src/rules/rule.ts'
import { clockFinding, emptySummary, fullSummary, hostileSummary, manyFindings, sleepFinding } from './report-sample.ts'

const told: string[] = []
const print = (format: Format, summary: Summary): string => {
  told.length = 0
  return formats[format](summary, { color: false, quiet: false, tell: what => told.push(what) })
}
const unsilenced = (summary: Summary): Summary => ({ ...summary, findings: summary.findings.map(({ suppressed: _, ...f }) => f) })
const hostile = unsilenced(hostileSummary)
const silenced: Summary = { ...emptySummary, findings: [{ ...sleepFinding, suppressed: { reason: 'needed' } }] }

const check = (schema: object, value: unknown) => {
  const ajv = new Ajv({ allErrors: true })
  expect(ajv.validate(schema, value), ajv.errorsText()).toBe(true)
}

describe('github', () => {
  test('a command for each finding, the worst first', () => {
    expect(print('github', fullSummary)).toBe([
      '::error file=src/due.test.ts,line=101,endLine=102,title=flakesniff%3A wall-clock::toBe compares with the clock',
      '::warning file=tests/test_worker.py,line=9,endLine=9,col=2,endColumn=17,title=flakesniff%3A fixed-sleep::the assertion relies on 100 ms being enough',
      '',
    ].join('\n'))
    expect(told).toEqual([])
    expect(print('github', silenced)).toBe('')
  })

  test('ten of a kind, the rest in plain lines, and it is said', () => {
    const lines = print('github', { ...manyFindings(25), findings: [...manyFindings(25).findings, clockFinding] }).trimEnd().split('\n')
    expect(lines.filter(l => l.startsWith('::warning '))).toHaveLength(10)
    expect(lines.filter(l => l.startsWith('::error '))).toHaveLength(1)
    expect(lines.filter(l => l.startsWith('warning  tests/'))).toHaveLength(15)
    expect(told).toEqual(['GitHub shows 10 annotations of a kind for a step: 15 of 26 findings are in the log only'])
  })

  test('nothing in a name can begin a command', () => {
    const evil = {
      ...sleepFinding,
      file: '::error::x,line=1\n::set-env name=A::b',
      message: '##[add-mask]x %0A::stop-commands::x',
      ruleId: '::debug::',
    }
    const lines = print('github', { ...emptySummary, findings: Array.from({ length: 12 }, () => ({ ...evil })) }).trimEnd().split('\n')
    expect(lines).toHaveLength(12)
    for (const line of lines) {
      expect(line).toMatch(/^(?:::warning file=%3A%3Aerror%3A%3Ax%2Cline=1%0A%3A%3Aset-env|warning  )/)
      expect(line).not.toContain('##[')
    }
    expect(print('github', hostile).split('\n')).toHaveLength(2)
  })
})

describe('gitlab', () => {
  const schema = {
    type: 'array',
    items: {
      type: 'object',
      required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
      properties: {
        type: { const: 'issue' },
        description: { type: 'string', minLength: 1 },
        check_name: { type: 'string', minLength: 1 },
        fingerprint: { type: 'string', minLength: 1 },
        severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
        categories: {
          type: 'array',
          items: { enum: ['Bug Risk', 'Clarity', 'Compatibility', 'Complexity', 'Duplication', 'Performance', 'Security', 'Style'] },
        },
        location: {
          type: 'object',
          required: ['path', 'lines'],
          properties: {
            path: { type: 'string', pattern: '^(?!/|\\./)' },
            lines: {
              type: 'object',
              required: ['begin'],
              properties: { begin: { type: 'integer', minimum: 1 }, end: { type: 'integer', minimum: 1 } },
            },
          },
        },
      },
    },
  }

  test('is a code quality report, each finding with a fingerprint of its own', () => {
    for (const summary of [emptySummary, fullSummary, hostile, silenced]) check(schema, JSON.parse(print('gitlab', summary)))
    const [first, second] = JSON.parse(print('gitlab', fullSummary))
    expect(first).toMatchObject({
      severity: 'major',
      check_name: 'wall-clock',
      fingerprint: clockFinding.fingerprint,
      location: { path: 'src/due.test.ts', lines: { begin: 101, end: 102 } },
    })
    expect(second).toMatchObject({ severity: 'minor' })
    expect(print('gitlab', emptySummary)).toBe('[]\n')
    expect(print('gitlab', silenced)).toBe('[]\n')
  })
})

describe('rdjson', () => {
  const position = {
    type: 'object',
    required: ['line'],
    additionalProperties: false,
    properties: { line: { type: 'integer', minimum: 1 }, column: { type: 'integer', minimum: 1 } },
  }
  const range = { type: 'object', required: ['start'], additionalProperties: false, properties: { start: position, end: position } }
  const schema = {
    type: 'object',
    required: ['diagnostics'],
    additionalProperties: false,
    properties: {
      source: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: { name: { type: 'string' }, url: { type: 'string' } },
      },
      severity: { enum: ['UNKNOWN_SEVERITY', 'ERROR', 'WARNING', 'INFO'] },
      diagnostics: {
        type: 'array',
        items: {
          type: 'object',
          required: ['message', 'location'],
          additionalProperties: false,
          properties: {
            message: { type: 'string' },
            severity: { enum: ['UNKNOWN_SEVERITY', 'ERROR', 'WARNING', 'INFO'] },
            original_output: { type: 'string' },
            location: { type: 'object', required: ['path'], additionalProperties: false, properties: { path: { type: 'string' }, range } },
            code: { type: 'object', additionalProperties: false, properties: { value: { type: 'string' }, url: { type: 'string' } } },
            suggestions: {
              type: 'array',
              items: {
                type: 'object',
                required: ['range', 'text'],
                additionalProperties: false,
                properties: { range, text: { type: 'string' } },
              },
            },
          },
        },
      },
    },
  }
  const rangeOf = (finding: Finding) => JSON.parse(print('rdjson', { ...emptySummary, findings: [finding] })).diagnostics[0]

  test('has the shape of reviewdog', () => {
    for (const summary of [emptySummary, fullSummary, hostile, silenced]) check(schema, JSON.parse(print('rdjson', summary)))
    expect(JSON.parse(print('rdjson', silenced)).diagnostics).toEqual([])
  })

  test('columns count bytes, and are left out where a line is not known', () => {
    const frame = [{ line: 9, text: 'é𝒳 nap()' }]
    expect(rangeOf({ ...sleepFinding, startColumn: 5, endColumn: 10, frame }).location.range).toEqual({
      start: { line: 9, column: 8 },
      end: { line: 9, column: 13 },
    })
    expect(rangeOf({ ...sleepFinding, endLine: 40, frame }).location.range).toEqual({ start: { line: 9 }, end: { line: 40 } })
  })

  test('a fix of one edit is a suggestion', () => {
    const edit = { startLine: 9, startColumn: 2, endLine: 9, endColumn: 2, text: 'await ' }
    expect(
      rangeOf({
        ...sleepFinding,
        fixes: [{ title: 'Await', safe: true, edits: [edit] }, { title: 'Both', safe: true, edits: [edit, edit] }],
      }).suggestions,
    ).toEqual([
      { range: { start: { line: 9, column: 2 }, end: { line: 9, column: 2 } }, text: 'await ' },
    ])
  })
})

describe('junit', () => {
  /** What readers such as Jenkins' allow, by element: its attributes and its children. */
  const SHAPE: Readonly<
    Record<string, { readonly may: readonly string[]; readonly needs: readonly string[]; readonly children: readonly string[] }>
  > = {
    testsuites: { may: ['name', 'tests', 'failures', 'errors', 'time'], needs: [], children: ['testsuite'] },
    testsuite: { may: ['name', 'tests', 'failures', 'errors', 'skipped', 'time'], needs: ['name', 'tests'], children: ['testcase'] },
    testcase: { may: ['name', 'classname', 'time'], needs: ['name', 'classname'], children: ['failure'] },
    failure: { may: ['type', 'message'], needs: ['message'], children: [] },
  }
  const TOKEN = /<\?xml [^?]*\?>|<(\/?)(\w+)((?: \w+="[^"<]*")*)(\/?)>|([^<]+)|(<)/g

  /** Checks that it is well-formed and of that shape; returns how often each element stands there. */
  function read(xml: string): Record<string, number> {
    expect(xml).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|&(?!amp;|lt;|gt;|quot;)/)
    const counts: Record<string, number> = {}
    const open: string[] = []
    for (const [, closing, name, attributes, empty, text, stray] of xml.matchAll(TOKEN)) {
      expect(stray).toBeUndefined()
      if (text !== undefined && open.at(-1) !== 'failure') expect(text.trim()).toBe('')
      if (name === undefined) continue
      if (closing) {
        expect(open.pop()).toBe(name)
        continue
      }
      const shape = SHAPE[name]!
      expect(open.length === 0 ? ['testsuites'] : SHAPE[open.at(-1)!]!.children).toContain(name)
      const names = [...attributes!.matchAll(/ (\w+)="/g)].map(m => m[1]!)
      expect(shape.may).toEqual(expect.arrayContaining(names))
      expect(names).toEqual(expect.arrayContaining([...shape.needs]))
      counts[name] = (counts[name] ?? 0) + 1
      if (!empty) open.push(name)
    }
    expect(open).toEqual([])
    return counts
  }

  test('is well-formed and of the known shape', () => {
    expect(read(print('junit', fullSummary))).toEqual({ testsuites: 1, testsuite: 2, testcase: 2, failure: 2 })
    expect(read(print('junit', emptySummary))).toEqual({ testsuites: 1, testsuite: 1, testcase: 1 })
    expect(read(print('junit', silenced))).toEqual({ testsuites: 1, testsuite: 1, testcase: 1 })
    expect(read(print('junit', hostile))).toMatchObject({ failure: 1 })
    const evil = { ...sleepFinding, file: 'a"><failure/>', message: '"]]>&amp;<!-- \uFFFF' }
    expect(read(print('junit', { ...emptySummary, findings: [evil] }))).toMatchObject({ failure: 1 })
  })

  test('counts its cases', () => {
    expect(print('junit', fullSummary)).toContain('<testsuites name="flakesniff" tests="2" failures="2" errors="0" time="0">')
    expect(print('junit', fullSummary)).toContain('<testcase name="fixed-sleep at 9:2" classname="tests/test_worker.py" time="0">')
  })
})

describe('markdown', () => {
  test('is a table, the worst first', () => {
    expect(print('markdown', fullSummary)).toMatchInlineSnapshot(`
      "## flakesniff

      **2 risks** of flakiness: 1 error, 1 warning.

      | | where | what | rule |
      |---|---|---|---|
      | error | \`src/due.test.ts:101\` | toBe compares with the clock | \`wall-clock\` |
      | warning | \`tests/test_worker.py:9\` | the assertion relies on 100 ms being enough, in \`TestWorker::test_done\` | \`fixed-sleep\` |

      12 files checked, 9 tests seen; 1 silenced by comments.
      "
    `)
  })

  test('stays small, and says how much it left out', () => {
    const page = print('markdown', manyFindings(5000))
    expect(page.length).toBeLessThan(65_536)
    expect(page).toContain('The worst 100 are shown; 4900 more were found.')
    expect(told).toEqual(['the page shows the worst 100 of 5000 findings'])
  })

  test('a name cannot leave its cell', () => {
    const evil = { ...sleepFinding, file: 'a|b`c.py', message: '<img src=x> | [x](y)', test: '|' }
    const rows = print('markdown', { ...emptySummary, findings: [evil] }).split('\n').filter(l => l.startsWith('| warning'))
    expect(rows).toHaveLength(1)
    expect(rows[0]!.replace(/\\./g, '').split('|')).toHaveLength(6)
    expect(rows[0]).not.toMatch(/(?<!\\)[<\]]/)
  })

  test('says what the baseline accepts', () => {
    expect(
      print('markdown', {
        ...emptySummary,
        narrowed: { to: 'staged', files: 2 },
        baseline: { file: 'b', accepted: 3, gone: [{ file: 'a', rule: 'r', test: null, code: 'c', count: 2 }], all: false },
      }),
    ).toMatch(
      /Nothing new found in 2 files staged\.\n\n12 files checked, 7 tests seen; 3 accepted in the baseline\.\n\n2 accepted findings are gone/,
    )
  })
})

describe("SARIF within GitHub's limits", () => {
  const run = (summary: Summary) => JSON.parse(print('sarif', summary)).runs[0]

  test('keeps the worst 25,000, in their order, and says so in the file and beside it', () => {
    const many = manyFindings(25_010)
    const notes = many.findings.map((f, i): Finding => (i % 1000 === 0 ? { ...f, severity: 'note' } : f))
    const { results, invocations } = run({ ...many, findings: [...notes, clockFinding] })
    expect(results).toHaveLength(25_000)
    expect(results.at(-1).ruleId).toBe('wall-clock')
    expect(results.filter((r: any) => r.level === 'note')).toHaveLength(15)
    const said = [
      '11 of 25,011 findings were left out of the SARIF file, the least of them: GitHub takes 25,000 results and 10 MB',
      'of 25,000 results in the SARIF file, GitHub shows the worst 5,000',
    ]
    expect(told).toEqual(said)
    expect(invocations[0].toolExecutionNotifications.filter((n: any) => n.descriptor.id === 'report-limit').map((n: any) => n.message.text))
      .toEqual(said.map(s => `${s}.`))
  })

  test('names fewer endangered tests before it leaves out findings', () => {
    const endangers = Array.from({ length: 3000 },
      (_, i) => ({ ...clockFinding.related[0]!, startLine: i + 1, test: `t${i}`, calls: 1, sure: 'sure' as const, path: [] }))
    const { results } = run({ ...emptySummary, findings: [{ ...sleepFinding, endangers }] })
    expect(results[0].relatedLocations).toHaveLength(LIMITS.related)
    expect(results[0].properties.endangers).toBe(3000)
    expect(told).toEqual(['the SARIF file names at most 1,000 endangered tests of a finding, so that GitHub takes it'])
  })

  test('goes down by steps until the file is small enough', () => {
    expect([...details(60_000)].slice(0, 5)).toEqual([
      { results: 25_000, tests: 1000 },
      { results: 25_000, tests: 100 },
      { results: 25_000, tests: 10 },
      { results: 12_500, tests: 10 },
      { results: 6_250, tests: 10 },
    ])
    expect([...details(0)]).toHaveLength(3)
    const text = 'flaky '.repeat(1000)
    expect(fits(text, 5000)).toBe(true)
    expect(fits(text, gzipSync(text).length - 1)).toBe(false)
  })

  test('the worst are chosen by severity, confidence and reach', () => {
    const far = { ...sleepFinding, endangers: [{ ...clockFinding.related[0]!, test: 't', calls: 1, sure: 'sure' as const, path: [] }] }
    const unsure: Finding = { ...sleepFinding, confidence: 'low' }
    const quiet: Finding = { ...clockFinding, suppressed: { reason: 'r' } }
    const all = [quiet, unsure, sleepFinding, far, clockFinding]
    expect([1, 2, 3, 4].map(n => worst(all, n))).toEqual([[clockFinding], [far, clockFinding], [sleepFinding, far, clockFinding], [
      unsure,
      sleepFinding,
      far,
      clockFinding,
    ]])
  })
})
