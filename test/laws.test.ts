// The project's laws: what every rule has, and what no room does.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EFFECTS } from '../src/facts/effects.ts'
import { LANGUAGES, frontendOf } from '../src/parsers/registry.ts'
import { COLUMNS } from '../src/report/causes.ts'
import { bullets, table } from '../src/report/page.ts'
import { pageOf } from '../src/rules/pages.ts'
import { rules } from '../src/rules/registry.ts'
import { examplesOf } from './pages.ts'

const SCREEN = 100

/** The cells of a section's table as they stand on the page; a bar inside of a cell is escaped. */
const rowsOf = (page: string, heading: string): string[][] =>
  (page.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ')[0]!.split('\n').filter(line => line.startsWith('|')).map(line =>
    line.split(/(?<!\\)\|/).slice(1, -1)
  )

describe.each(rules.map(r => r.meta))('the rule $id', meta => {
  const page = pageOf(meta.id)

  test('has a name that says the pattern, not the cure', () => {
    expect(meta.id).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(meta.id).not.toMatch(/^(no|prefer|require|use|always|never)-/)
  })

  test('has a page that begins with its title and says why and what instead', () => {
    expect(page.startsWith(`# ${meta.id}\n\n${meta.title}.\n`)).toBe(true)
    expect(page).toContain('\n## Why\n')
    expect(page).toContain('\n## Instead\n')
    expect(meta.title).toMatch(/^[A-Z].*[^.]$/)
  })

  test('says how it shows, how it is fixed and what else it could be', async () => {
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(m => m[1])
    expect(headings.slice(headings.indexOf('Instead')).slice(0, 4)).toEqual(['Instead', 'Shows as', 'Fixes', 'Could also be'])
    expect(bullets(page, 'Shows as').length).toBeGreaterThanOrEqual(2)
    expect(bullets(page, 'Could also be').length).toBeGreaterThanOrEqual(1)

    const columns = ['Fix', 'Trade-off', ...Object.values(COLUMNS)]
    const fixes = table(page, 'Fixes')
    expect(fixes.length).toBeGreaterThanOrEqual(2)
    for (const row of rowsOf(page, 'Fixes')) expect(row, row.join(' | ')).toHaveLength(columns.length)
    for (const row of fixes) {
      expect(Object.keys(row)).toEqual(columns)
      expect(row['Fix'], 'a fix has a name').not.toBe('')
      expect(row['Trade-off'], `${row['Fix']} has its price`).not.toBe('')
    }
    const languages = new Set((await examplesOf(meta.id)).map(e => e.language))
    expect([...languages].filter(l => fixes.every(row => row[COLUMNS[l]] === '')), 'languages with examples and no fix').toEqual([])
  })

  test('names the shake that could prove it, and when it came', () => {
    expect(meta.confirm.length).toBeGreaterThan(0)
    expect(meta.since).toMatch(/^\d+\.\d+\.\d+$/)
  })

  test('has an example that is flagged and one that is not', async () => {
    const verdicts = (await examplesOf(meta.id)).map(e => e.verdict)
    expect(verdicts).toContain('bad')
    expect(verdicts).toContain('good')
  })

  test('fits on a screen', () => {
    const source = readFileSync(new URL(`../src/rules/${meta.id}/rule.ts`, import.meta.url), 'utf8')
    expect(source.split('\n').length).toBeLessThanOrEqual(SCREEN)
  })

  test('can be triggered in some language', async () => {
    const frontends = await Promise.all(LANGUAGES.map(frontendOf))
    const possible = meta.paths !== undefined || meta.words !== undefined
      || meta.triggers.some(t =>
        frontends.some(f => (t === 'skip' || t === 'swallow' || t === 'global' ? f.words[t].length > 0 : f.catalog.some(row =>
          row.effect === t
        )))
      )
    expect(possible).toBe(true)
  })
})

describe.each(LANGUAGES)('the catalog of %s', language => {
  test('speaks only of known effects and repeats no row', async () => {
    const { catalog } = await frontendOf(language)
    const rows = catalog.flatMap(row =>
      (typeof row.name === 'string' ? [row.name] : row.name).map(name =>
        JSON.stringify([name, row.effect, row.args, row.with, row.ms, row.arg])
      )
    )
    expect(rows.filter((r, i) => rows.indexOf(r) !== i)).toEqual([])
    expect(catalog.map(r => r.effect).filter(e => !EFFECTS.includes(e))).toEqual([])
  })

  test('knows a clock, a sleep, a generator and a cure of each', async () => {
    const { catalog } = await frontendOf(language)
    const effects = new Set(catalog.map(r => r.effect))
    // Go's one clock is both.
    expect(effects.has('mono') || effects.has('elapsed'), `${language} measures no time`).toBe(true)
    for (const needed of ['clock', 'sleep', 'random', 'wait-until', 'temp-dir', 'spawn', 'sync'] as const)
      expect(effects, `${language} has no ${needed}`).toContain(needed)
  })
})
