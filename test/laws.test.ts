// The project's laws: what every rule has, and what no room does.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EFFECTS } from '../src/facts/effects.ts'
import { LANGUAGES, frontendOf } from '../src/parsers/registry.ts'
import { pageOf } from '../src/rules/pages.ts'
import { rules } from '../src/rules/registry.ts'
import { examplesOf } from './pages.ts'

const SCREEN = 100

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
    const possible = meta.paths !== undefined || meta.words !== undefined || meta.triggers.some(t => frontends.some(f => (t === 'skip' || t === 'swallow' || t === 'global' ? f.words[t].length > 0 : f.catalog.some(row => row.effect === t))))
    expect(possible).toBe(true)
  })
})

describe.each(LANGUAGES)('the catalog of %s', language => {
  test('speaks only of known effects and repeats no row', async () => {
    const { catalog } = await frontendOf(language)
    const rows = catalog.flatMap(row => (typeof row.name === 'string' ? [row.name] : row.name).map(name => JSON.stringify([name, row.effect, row.args, row.with, row.ms, row.arg])))
    expect(rows.filter((r, i) => rows.indexOf(r) !== i)).toEqual([])
    expect(catalog.map(r => r.effect).filter(e => !EFFECTS.includes(e))).toEqual([])
  })

  test('knows a clock, a sleep, a generator and a cure of each', async () => {
    const { catalog } = await frontendOf(language)
    const effects = new Set(catalog.map(r => r.effect))
    // Go's one clock is both.
    expect(effects.has('mono') || effects.has('elapsed'), `${language} measures no time`).toBe(true)
    for (const needed of ['clock', 'sleep', 'random', 'wait-until', 'temp-dir', 'spawn', 'sync'] as const) expect(effects, `${language} has no ${needed}`).toContain(needed)
  })
})
