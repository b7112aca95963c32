// Files that are written by a test: `npm run update` writes them, and a drift fails here.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { LANGUAGES, frontendOf } from '../src/parsers/registry.ts'
import { pageOf } from '../src/rules/pages.ts'
import { rules } from '../src/rules/registry.ts'
import { examplesOf, flaggedIn, lintExample, ruleFolders } from './pages.ts'

const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const camel = (id: string) => id.replace(/-(\w)/g, (_, c: string) => c.toUpperCase())

test('the registry of rules is the list of their folders', async () => {
  const ids = ruleFolders()
  const text = [
    '// Generated from the folders of src/rules by test/generated.test.ts: `npm run update` writes it.\n',
    "import type { Rule } from './rule.ts'",
    ...ids.map(id => `import ${camel(id)} from './${id}/rule.ts'`),
    '\nexport const rules: readonly Rule[] = [',
    ...ids.map(id => `  ${camel(id)},`),
    ']\n',
  ].join('\n')
  await expect(text).toMatchFileSnapshot(path('src/rules/registry.ts'))
})

/** A language is covered when a bad and a good example in it hold; whether all do, the tests of the rules say. */
async function coverage(id: string): Promise<Set<string>> {
  const held = new Map<string, Set<string>>()
  for (const example of await examplesOf(id)) {
    if ((example.verdict !== 'bad' && example.verdict !== 'good') || held.get(example.language)?.has(example.verdict)) continue
    const { findings } = await lintExample(example, 'audit', id)
    const holds = example.verdict === 'good'
      ? (await lintExample(example, 'strict')).findings.length === 0
      : findings.map(f => f.startLine).join() === flaggedIn(example.source).map(f => f.line).join()
    if (holds) held.set(example.language, (held.get(example.language) ?? new Set()).add(example.verdict))
  }
  return new Set([...held].filter(([, verdicts]) => verdicts.has('bad') && verdicts.has('good')).map(([language]) => language))
}

test('rules.md is made of the rule pages', async () => {
  const titles = await Promise.all(LANGUAGES.map(async l => (await frontendOf(l)).title))
  const rows: string[] = []
  for (const { meta } of rules) {
    const covered = await coverage(meta.id)
    rows.push(
      `| [${meta.id}](#${meta.id}) | ${meta.category} | ${meta.severity} | ${
        LANGUAGES.map(l => (covered.has(l) ? '✓' : '')).join(' | ')
      } |`,
    )
  }
  const text = [
    '# Rules\n',
    'Made from the rule pages, which are also the tests of the rules: a language is ticked when an example that must be flagged and one that must not both hold.\n',
    `| rule | about | severity | ${titles.join(' | ')} |`,
    `|---|---|---|${LANGUAGES.map(() => '---|').join('')}`,
    ...rows,
    '',
    ...rules.map(({ meta }) => pageOf(meta.id).replace(/^(#+ )/gm, '#$1').trimEnd() + '\n'),
  ].join('\n')
  await expect(text).toMatchFileSnapshot(path('rules.md'))
})

test('the grammars are the ones recorded', () => {
  const recorded = JSON.parse(readFileSync(path('grammars/grammars.json'), 'utf8')) as {
    grammars: { file: string; package: string; version: string; licence: string; sha256: string }[]
  }
  expect(recorded.grammars.map(g => g.file).sort()).toEqual(['bash', 'go', 'java', 'python', 'rust'].map(g => `tree-sitter-${g}.wasm`))
  for (const grammar of recorded.grammars) {
    expect(sha256(path(`grammars/${grammar.file}`)), grammar.file).toBe(grammar.sha256)
    expect(readFileSync(path(`grammars/${grammar.licence}`), 'utf8')).toContain('Permission is hereby granted')
  }
})

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

test('the presets for oxlint are those for ESLint', async () => {
  const { default: flakesniff } = await import('../src/surfaces/eslint/index.ts')
  for (const preset of ['recommended', 'strict'] as const) {
    const config = {
      jsPlugins: [{ name: 'flakesniff', specifier: '../dist/surfaces/eslint/index.js' }],
      rules: flakesniff.configs[preset][0]!.rules,
    }
    await expect(
      `${JSON.stringify(config, null, 2).replace(/\[\n\s+("\w+"),\n\s+\{\n\s+("preset": "\w+")\n\s+\}\n\s+\]/g, '[$1, { $2 }]')}\n`,
    ).toMatchFileSnapshot(path(`oxlint/${preset}.json`))
  }
})
