// The analysis of causes: its sections for every language, its schema, and what hostile names cannot do to it.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { likelihoodOf } from '../src/report/likelihood.ts'
import { reports } from '../src/report/index.ts'
import type { Summary } from '../src/report/summary.ts'
import { run } from '../src/run.ts'
import { clockRule, emptySummary, fullSummary, hostileSummary, HOSTILE, sleepFinding, sleepRule } from './report-sample.ts'

const OPTIONS = { color: false, quiet: false }
const schema = JSON.parse(readFileSync(new URL('../schema/flakesniff-causes.schema.json', import.meta.url), 'utf8')) as object
const valid = new Ajv({ allowUnionTypes: true }).compile(schema)
const parse = (summary: Summary) => JSON.parse(reports.json(summary, OPTIONS)) as Record<string, any>
/** The data that the page's script reads. */
const dataOf = (html: string) =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)![1]!) as Record<string, any>

const SECTIONS = [
  '# Flaky tests: root causes',
  '## Summary',
  '## Root causes',
  '**Class**:',
  '**Location**:',
  '**Mechanism**:',
  '**Tests affected**:',
  '**A way from a test to it**:',
  '**How it would show**:',
  '**Fixes**:',
  '**What would confirm it**:',
  '**Competing explanations**:',
  '## Endangered tests',
  '## How risk is reckoned',
  '## What was looked at',
]

describe.each(['trace-rust', 'trace-python', 'trace-java', 'trace-go', 'trace-typescript', 'trace-bats'])('the analysis of fixtures/%s',
  name => {
    const folder = fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))
    const summary = run({ cwd: folder, paths: ['.'], preset: 'strict', jobs: 1 }).then(r => r.summary)
    const endangered = readFileSync(`${folder}/endangered.txt`, 'utf8').split('\n').filter(l => l !== '').map(l =>
      l.split(' ').slice(2).join(' ')
    )

    test('has every section, in order', async () => {
      const text = reports.markdown(await summary, OPTIONS)
      const places = SECTIONS.map(s => text.indexOf(s))
      expect(SECTIONS.filter((_, i) => places[i] === -1)).toEqual([])
      expect(places).toEqual([...places].sort((a, b) => a - b))
    })

    test('names every endangered test in the catalogue and on the page', async () => {
      const catalogue = reports.markdown(await summary, OPTIONS).split('## Endangered tests')[1]!
      expect(endangered.filter(t => !catalogue.includes(t))).toEqual([])
      const shown = dataOf(reports.html(await summary, OPTIONS)).tests.map((t: [number, number, string]) => t[2])
      expect([...shown].sort()).toEqual([...new Set(endangered)].sort())
    })

    test('says for every cause how it shows, what to do and how to confirm it', async () => {
      const { causes } = parse(await summary)
      expect(causes.length).toBeGreaterThan(0)
      for (const cause of causes)
        for (const part of ['why', 'shows', 'fixes', 'confirm', 'others', 'path', 'tests'])
          expect(cause[part], `${cause.rule}: ${part}`)
            .not.toEqual([])
    })

    test('keeps to its schema', async () => {
      valid(parse(await summary))
      expect(valid.errors).toBeNull()
    })
  })

describe('the causes as JSON', () => {
  test.each([['an empty', emptySummary], ['a full', fullSummary], ['a hostile', hostileSummary]])('of %s summary keep to their schema',
    (_, summary) => {
      valid(parse({ ...summary, findings: summary.findings.map(({ suppressed, ...f }) => f) }))
      expect(valid.errors).toBeNull()
    })

  test.each([
    ['a key too many', (r: Record<string, any>) => {
      r.causes[0].frame = []
    }],
    ['a key too few', (r: Record<string, any>) => {
      delete r.causes[0].tests
    }],
    ['a line 0', (r: Record<string, any>) => {
      r.causes[0].line = 0
    }],
    ['an unknown sureness', (r: Record<string, any>) => {
      r.causes[0].tests[0].sure = 'perhaps'
    }],
    ['another version', (r: Record<string, any>) => {
      r.schemaVersion = 2
    }],
    ['a likelihood above 1', (r: Record<string, any>) => {
      r.causes[0].likelihood = 1.5
    }],
  ])('with %s are refused', (_, spoil) => {
    const report = parse({ ...fullSummary, findings: [sleepFinding] })
    expect(valid(report)).toBe(true)
    spoil(report)
    expect(valid(report)).toBe(false)
  })
})

// What somebody could call a file or a test, or write into a line of code, to get markup into a report.
const EVIL = [
  '</script><script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked=1">',
  '<!--<script>',
  '`` ``` ~~~ `',
  '# heading',
  '| a | b |',
  '[link](javascript:alert(1))',
  '![x](http://example.org/x.png)',
  '\n## Summary\n\n- forged',
  '&lt;b&gt;',
  "$& $1 $'",
  '*/ style',
  HOSTILE,
]
const evilSummary = (evil: string): Summary => ({
  ...emptySummary,
  rules: [sleepRule, clockRule],
  findings: [{
    ...sleepFinding,
    file: `src/${evil}.py`,
    message: evil,
    test: evil,
    frame: [{ line: 9, text: evil }],
    endangers: [{
      file: `tests/${evil}.py`,
      startLine: 4,
      startColumn: 1,
      endLine: 4,
      endColumn: 9,
      message: evil,
      test: evil,
      calls: 1,
      sure: 'sure',
      path: [{ file: `tests/${evil}.py`, startLine: 5, startColumn: 1, endLine: 5, endColumn: 9, message: evil }],
    }],
  }],
})

/** Markdown with everything taken out that cannot be markup: fenced code, code spans, escaped signs. */
const bare = (markdown: string): string =>
  markdown.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?\n\1$/gm, '').replace(/(?<![`\\])(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, 'CODE').replace(
    /\\[!-/:-@[-`{-~]/g,
    'x',
  )

describe.each(EVIL)('the name %j', evil => {
  const summary = evilSummary(evil)
  const harmless = evilSummary('harmless')

  test('is no markup in Markdown', () => {
    const shape = (s: Summary) => bare(reports.markdown(s, OPTIONS)).split('\n').map(l => /^\s*(#+|-|\||\d+\.|>|```)?/.exec(l)![0])
    const text = bare(reports.markdown(summary, OPTIONS))
    expect(text).not.toMatch(/<\/?[a-z!]/i)
    expect(text).not.toContain('](http')
    expect(text).not.toContain('](javascript')
    expect(shape(summary)).toEqual(shape(harmless))
    // A row of the overview has as many cells as its heading.
    const rows = reports.markdown(summary, OPTIONS).split('\n').filter(l => l.startsWith('| 1 |'))
    expect(rows.map(r => r.split(/(?<!\\)\|/).length)).toEqual([7])
  })

  test('is only data in HTML', () => {
    const html = reports.html(summary, OPTIONS), other = reports.html(harmless, OPTIONS)
    const shell = (page: string) => page.replace(/(id="data">).*?(<\/script>)/s, '$1$2')
    expect(shell(html)).toBe(shell(other))
    expect(/id="data">(.*?)<\/script>/s.exec(html)![1]).not.toMatch(/[<>&\u2028\u2029]/)
    expect(dataOf(html).tests).toHaveLength(1)
  })
})

test('the page lets nothing in from outside', () => {
  const html = reports.html(fullSummary, OPTIONS)
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"`)
  expect(html).not.toMatch(/\b(?:src|href)=["']?https?:/)
})

describe('risk', () => {
  test('is the same however often it is asked for, and between 0 and 1', () => {
    for (const ruleId of ['fixed-sleep', 'fixed-port', 'no-such-rule']) {
      const likelihood = likelihoodOf({ ruleId, confidence: 'high' })
      expect(likelihood).toBe(likelihoodOf({ ruleId, confidence: 'high' }))
      expect(likelihood).toBeGreaterThan(0)
      expect(likelihood).toBeLessThan(1)
    }
  })

  test('counts a test that is only guessed for less', () => {
    const [finding] = evilSummary('a').findings
    const score = (sure: 'sure' | 'likely' | 'guess') =>
      parse({
        ...emptySummary,
        findings: [{ ...finding!, endangers: Array.from({ length: 10 }, (_, i) => ({ ...finding!.endangers![0]!, test: `t${i}`, sure })) }],
      }).causes[0].score as number
    expect(score('sure')).toBeGreaterThan(score('likely'))
    expect(score('likely')).toBeGreaterThan(score('guess'))
  })

  test('is explained where it is shown', () => {
    expect(reports.markdown(fullSummary, OPTIONS)).toContain('(#how-risk-is-reckoned)')
    expect(reports.html(fullSummary, OPTIONS)).toContain('How risk is reckoned')
  })
})
