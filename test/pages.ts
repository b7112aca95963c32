// Runs the examples of the rule pages.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { defaultConfig } from '../src/config/config.ts'
import { makeAnalyser } from '../src/engine/analyse.ts'
import type { Settings } from '../src/engine/settings.ts'
import type { Language } from '../src/facts/facts.ts'
import type { Frontend } from '../src/parsers/frontend.ts'
import { LANGUAGES, frontendOf } from '../src/parsers/registry.ts'
import { readBatsSuites } from '../src/project/bats.ts'
import { examplesIn, pageOf, type Example } from '../src/rules/pages.ts'
import { rules } from '../src/rules/registry.ts'
import type { Finding, Preset } from '../src/rules/rule.ts'

export interface PageExample extends Example {
  readonly ruleId: string
  readonly language: Language
  readonly where: string
  /** Other files of the same section. */
  readonly beside: readonly Example[]
}

const DEFAULT_PATHS: Readonly<Record<Language, string>> = {
  python: 'test_example.py',
  typescript: 'example.test.ts',
  java: 'src/test/java/ExampleTest.java',
  go: 'example_test.go',
  rust: 'tests/example.rs',
  bash: 'test/example.bats',
}

export const ruleFolders = (): string[] =>
  readdirSync(new URL('../src/rules/', import.meta.url), { withFileTypes: true }).filter(e => e.isDirectory()).map(e => e.name).sort()

export async function languageOfFence(fence: string): Promise<Language> {
  for (const language of LANGUAGES) if ((await frontendOf(language)).fences.includes(fence)) return language
  throw new Error(`no language has the fence «${fence}»`)
}

/** The examples of a rule: those of its own page, then those that each language keeps for it under a heading of its id. */
export async function examplesOf(ruleId: string): Promise<PageExample[]> {
  const own = examplesIn(pageOf(ruleId), `src/rules/${ruleId}/rule.md`).map(e => ({ e, where: `src/rules/${ruleId}/rule.md:${e.line}` }))
  const ofLanguages = LANGUAGES.flatMap(language => {
    const url = new URL(`../src/parsers/${language}/rules.md`, import.meta.url)
    if (!existsSync(url)) return []
    return examplesIn(readFileSync(url, 'utf8'), `src/parsers/${language}/rules.md`).filter(e => e.section === ruleId)
      .map(e => ({ e, where: `src/parsers/${language}/rules.md:${e.line}` }))
  })
  const all = [...own, ...ofLanguages]
  return Promise.all(all.filter(({ e }) => e.verdict !== 'file').map(async ({ e, where }) => ({
    ...e,
    ruleId,
    where,
    language: await languageOfFence(e.fence),
    beside: all.filter(o => o.e !== e && o.e.section === e.section && o.e.verdict === 'file').map(o => o.e),
  })))
}

const DEFAULTS = defaultConfig('/')

const settings = (example: PageExample, path: string, preset: Preset): Settings => {
  const files = new Map([[path, example.source], ...example.beside.map((f): [string, string] => [f.path ?? '', f.source])])
  return { config: DEFAULTS, preset, levels: {}, project: { parallel: {}, bats: readBatsSuites([...files.keys()], p => files.get(p)) } }
}

/** What the given rules say of an example, and what could not be parsed. */
export async function lintExample(example: PageExample, preset: Preset,
  only?: string): Promise<{ findings: Finding[]; trouble: string[] }>
{
  const path = example.path ?? DEFAULT_PATHS[example.language]
  const chosen = only === undefined ? rules : rules.filter(r => r.meta.id === only)
  const result = await makeAnalyser(settings(example, path, preset), chosen).analyse(path, example.source, example.language)
  return { findings: [...result.findings, ...result.pending], trouble: result.notices.map(n => n.message) }
}

/** The lines that an example says are flagged, with the words that the message must hold; ` | ` parts two findings of a line. */
export function flaggedIn(source: string): { line: number; words: string }[] {
  return source.split('\n').flatMap((text, i) => {
    const flagged = /(?:#|\/\/) flagged:\s*(.*)$/.exec(text)
    return flagged ? flagged[1]!.split(' | ').map(words => ({ line: i + 1, words: words.trim() })) : []
  })
}

export type { Frontend }
