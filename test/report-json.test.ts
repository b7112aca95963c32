import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { formatJson } from '../src/report/json.ts'
import { emptySummary, fullSummary, hostileSummary, manyFindings, sleepFinding } from './report-sample.ts'

const OPTIONS = { color: false, quiet: false }
const schema = JSON.parse(readFileSync(new URL('../schema/flakesniff-report.schema.json', import.meta.url), 'utf8')) as object
const valid = new Ajv({ allowUnionTypes: true }).compile(schema)
const parse = (text: string) => JSON.parse(text) as Record<string, any>

describe('the JSON report', () => {
  test.each([
    ['an empty', emptySummary],
    ['a full', fullSummary],
    ['a hostile', hostileSummary],
    ['a suppressed', { ...fullSummary, findings: [{ ...sleepFinding, suppressed: { reason: '' } }] }],
  ])('of %s summary keeps to its schema', (_, summary) => {
    const accepted = valid(parse(formatJson(summary, OPTIONS)))
    expect(valid.errors).toBeNull()
    expect(accepted).toBe(true)
  })

  test.each([
    ['a key too many', (r: Record<string, any>) => {
      r.findings[0].frame = []
    }],
    ['a key too few', (r: Record<string, any>) => {
      delete r.findings[0].test
    }],
    ['a column from 0', (r: Record<string, any>) => {
      r.findings[0].startColumn = 0
    }],
    ['another version', (r: Record<string, any>) => {
      r.schemaVersion = 2
    }],
    ['an unknown language', (r: Record<string, any>) => {
      r.summary.tests.cobol = 1
    }],
  ])('with %s is refused', (_, spoil) => {
    const report = parse(formatJson(fullSummary, OPTIONS))
    spoil(report)
    expect(valid(report)).toBe(false)
  })

  test('has its keys in a fixed order and ends with a new line', () => {
    const text = formatJson(fullSummary, OPTIONS)
    const report = parse(text)
    expect(text).toBe(`${JSON.stringify(report, null, 2)}\n`)
    expect(Object.keys(report)).toEqual(['schemaVersion', 'tool', 'preset', 'summary', 'rules', 'findings', 'notices'])
    expect(Object.keys(report.findings[0])).toEqual([
      'ruleId',
      'severity',
      'confidence',
      'file',
      'startLine',
      'startColumn',
      'endLine',
      'endColumn',
      'message',
      'test',
      'trace',
      'related',
      'fingerprint',
      'lineHash',
    ])
    expect(report.summary).toEqual({
      files: { checked: 12, parsed: 3, withProblems: 1, leftOut: { binary: 0, generated: 3, 'too large': 1 } },
      tests: { python: 7, typescript: 2 },
      findings: { error: 1, warning: 1, note: 0 },
      suppressed: 1,
    })
  })

  test('gives a rule the severity that was configured', () => {
    const rules = fullSummary.rules.map(r => ({ ...r, level: 'note' as const }))
    expect(parse(formatJson({ ...fullSummary, rules }, OPTIONS)).rules[0].severity).toBe('note')
  })

  test('keeps hidden characters but writes them as escapes', () => {
    const text = formatJson(hostileSummary, OPTIONS)
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
    expect(parse(text).findings[0].test).toBe(hostileSummary.findings[0]!.test!.replace('\ud800', '\uFFFD'))
  })

  test('takes ten thousand findings', () => {
    expect(parse(formatJson(manyFindings(10_000), OPTIONS)).findings).toHaveLength(10_000)
  })
})
