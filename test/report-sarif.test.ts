import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { formats } from '../src/report/index.ts'
import type { Summary } from '../src/report/summary.ts'
import { clockFinding, emptySummary, fullSummary, hostileSummary, manyFindings, sleepFinding, sleepRule } from './report-sample.ts'

const path = createRequire(import.meta.url).resolve('schemastore/schemas/json/sarif-2.1.0.json')
// The schema names formats that ajv does not bring along, and has a pattern that is no Unicode pattern.
const valid = new Ajv({ strict: false, unicodeRegExp: false, validateFormats: false }).compile(
  JSON.parse(readFileSync(path, 'utf8')) as object,
)
const sarif = (summary: Summary) => JSON.parse(formats.sarif(summary, { color: false, quiet: false })) as Record<string, any>
const run = (summary: Summary) => sarif(summary).runs[0] as Record<string, any>
const message = (text: string): string => run({ ...emptySummary, findings: [{ ...sleepFinding, message: text }] }).results[0].message.text

describe('the SARIF report', () => {
  test.each([
    ['an empty', emptySummary],
    ['a full', fullSummary],
    ['a hostile', hostileSummary],
    ['a rule-less', { ...fullSummary, rules: [] }],
  ])('of %s summary is valid', (_, summary) => {
    const accepted = valid(sarif(summary))
    expect(valid.errors).toBeNull()
    expect(accepted).toBe(true)
  })

  test.each([
    ['line 0', (r: any) => {
      r.results[0].locations[0].physicalLocation.region.startLine = 0
    }],
    ['an unknown level', (r: any) => {
      r.results[0].level = 'fatal'
    }],
    ['no message', (r: any) => {
      delete r.results[0].message
    }],
    ['an unknown key', (r: any) => {
      r.results[0].severity = 'error'
    }],
    ['a nameless tool', (r: any) => {
      delete r.tool.driver.name
    }],
  ])('with %s is refused', (_, spoil) => {
    const report = sarif(fullSummary)
    spoil(report.runs[0])
    expect(valid(report)).toBe(false)
  })

  test('has one run, with its category, columns and root', () => {
    const report = sarif(fullSummary)
    expect(report.version).toBe('2.1.0')
    expect(report.$schema).toMatch(/sarif-2\.1\.0\.json$/)
    expect(report.runs).toHaveLength(1)
    expect(report.runs[0]).toMatchObject({
      automationDetails: { id: 'flakesniff/' },
      columnKind: 'utf16CodeUnits',
      originalUriBaseIds: { '%SRCROOT%': {} },
      tool: { driver: { name: 'flakesniff', version: '0.1.0', semanticVersion: '0.1.0' } },
    })
    expect(report.runs[0].tool.driver).not.toHaveProperty('informationUri')
  })

  test('describes a rule with its page', () => {
    expect(run(fullSummary).tool.driver.rules[0]).toEqual({
      id: 'fixed-sleep',
      name: 'FixedSleep',
      shortDescription: { text: 'A test waits a fixed time instead of waiting for the thing it needs.' },
      fullDescription: { text: 'A test waits a fixed time instead of waiting for the thing it needs.' },
      help: {
        text:
          'A test waits a fixed time instead of waiting for the thing it needs. Wait for the condition itself, e.g. with `wait_for(ready, timeout=5)` or a latch.',
        markdown: sleepRule.page,
      },
      defaultConfiguration: { level: 'warning' },
      properties: { tags: ['flaky-tests', 'testing', 'waiting'], precision: 'medium', 'problem.severity': 'warning' },
    })
  })

  test('keeps names and descriptions within what GitHub takes, and none empty', () => {
    const long = { ...sleepRule, id: 'x'.repeat(400), title: '😀'.repeat(800), page: `# x\n\n${'y'.repeat(3000)}` }
    const rule = run({ ...emptySummary, rules: [long] }).tool.driver.rules[0]
    for (const { text } of [rule.shortDescription, rule.fullDescription]) {
      expect(text.length).toBeLessThanOrEqual(1024)
      expect(text).not.toMatch(/\p{Cs}|\uFFFD/u)
    }
    expect(rule.name.length).toBeLessThanOrEqual(255)
    const bare = run({ ...emptySummary, rules: [{ ...sleepRule, page: '' }] }).tool.driver.rules[0]
    expect([bare.fullDescription.text, bare.help.text, bare.help.markdown]).toEqual(Array(3).fill(`${sleepRule.title}.`))
  })

  test('is never a security alert', () => {
    expect(formats.sarif(fullSummary, { color: false, quiet: false })).not.toContain('security-severity')
  })

  test('puts a finding with its links, way and fingerprints', () => {
    const [result] = run(fullSummary).results
    expect(result).toMatchObject({
      ruleId: 'wall-clock',
      ruleIndex: 1,
      level: 'error',
      rank: 90,
      properties: { confidence: 'medium' },
      message: { text: 'toBe compares with the clock. See [the same clock](1).' },
      partialFingerprints: { primaryLocationLineHash: clockFinding.lineHash, 'flakesniff/v1': clockFinding.fingerprint },
    })
    expect(result.relatedLocations.map((l: any) => [l.id, l.physicalLocation.artifactLocation.uri])).toEqual([[1, 'src/other.test.ts']])
    const steps = result.codeFlows[0].threadFlows[0].locations
    expect(steps.map((s: any) => s.location.message.text)).toEqual(['the clock is read', 'and compared'])
    expect(steps.map((s: any) => s.location.physicalLocation.region.startLine)).toEqual([99, 101])
    expect(run(fullSummary).results[1]).not.toHaveProperty('codeFlows')
    expect(run(fullSummary).results[1].properties).toEqual({ confidence: 'high', test: 'TestWorker::test_done' })
  })

  test('marks a suppressed finding only where it is given one', () => {
    const [result] = run({ ...emptySummary, findings: [{ ...sleepFinding, suppressed: { reason: 'needed' } }] }).results
    expect(result.suppressions).toEqual([{ kind: 'inSource', justification: 'needed' }])
    expect(run(fullSummary).results.some((r: any) => 'suppressions' in r)).toBe(false)
  })

  test('tells of notices, and of failure where one is an error', () => {
    const [calm] = run(fullSummary).invocations
    expect(calm.executionSuccessful).toBe(true)
    expect(calm.toolExecutionNotifications[0]).toEqual({
      descriptor: { id: 'parse-problem' },
      level: 'warning',
      message: { text: 'the grammar gave up here.' },
      locations: [{
        physicalLocation: { artifactLocation: { uri: 'tests/odd%20name.py', uriBaseId: '%SRCROOT%' }, region: { startLine: 3 } },
      }],
    })
    expect(run(hostileSummary).invocations[0].executionSuccessful).toBe(false)
  })

  test('takes ten thousand findings', () => {
    expect(run(manyFindings(10_000)).results).toHaveLength(10_000)
  })
})

describe('what a repository can put into SARIF', () => {
  test('a path is a relative reference and leads back to the file', () => {
    const uri: string = run(hostileSummary).results[0].locations[0].physicalLocation.artifactLocation.uri
    expect(uri).toMatch(/^dir%3A1\/a%1B%5B31m[\w%./()-]*$/)
    expect(decodeURIComponent(uri)).toBe(hostileSummary.findings[0]!.file.replace('\ud800', '\uFFFD'))
  })

  test.each([
    ['a [b] c', 'a \\[b\\] c.'],
    ['[x](1)', '\\[x\\](1).'],
    ['\\[x\\](1)', '\\\\\\[x\\\\\\](1).'],
    ['C:\\tmp\\x', 'C:\\tmp\\x.'],
    ['{0} stays', '{0} stays.'],
    ['Done!', 'Done!'],
  ])('%j is no link', (text, expected) => {
    expect(message(text)).toBe(expected)
  })

  test('a link text cannot swallow the bracket that closes it', () => {
    const related = [{ ...clockFinding.related[0]!, message: 'ends with \\' }, { ...clockFinding.related[0]!, message: '' }]
    const [result] = run({ ...emptySummary, findings: [{ ...sleepFinding, related }] }).results
    expect(result.message.text).toMatch(/See \[ends with \\\\\]\(1\), \[src\/other\.test\.ts:4\]\(2\)\.$/)
  })

  test('no text has a control character or half a character', () => {
    const { results, invocations } = run(hostileSummary)
    const [result] = results
    const messages = [result.message, result.relatedLocations[0].message, invocations[0].toolExecutionNotifications[0].message]
    for (const text of [result.properties.test, ...messages.map(m => m.text)]) expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
  })
})
