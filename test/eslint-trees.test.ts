// Whoever parsed the file, the findings are the same: every example of the rule pages, by our own parse, by espree and by
// typescript-eslint's parser.

import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseForESLint } from '@typescript-eslint/parser'
import { describe, expect, test } from 'vitest'
import { loadLanguages, makeLinter, type ForeignTree } from '../src/index.ts'
import { examplesOf, ruleFolders } from './pages.ts'

await loadLanguages(['typescript'])

// ESLint's default parser, the one that the installed ESLint brings with it.
const espree = createRequire(createRequire(import.meta.url).resolve('eslint/package.json'))('espree') as {
  parse: (text: string, options: object) => { comments: unknown[] }
}

const linter = makeLinter({ cwd: join(tmpdir(), 'flakesniff-no-such-folder'), preset: 'audit' })
const pages = (await Promise.all(ruleFolders().map(async id => (await examplesOf(id)).filter(e => e.language === 'typescript')))).flat()

const byTypeScript = (text: string, filePath: string): ForeignTree => {
  const { ast } = parseForESLint(text, {
    filePath,
    range: true,
    loc: true,
    comment: true,
    tokens: true,
    sourceType: 'module',
    ecmaFeatures: { jsx: filePath.endsWith('x') },
  })
  return { program: ast, comments: ast.comments ?? [] }
}
const byEspree = (text: string): ForeignTree => {
  const program = espree.parse(text, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    range: true,
    loc: true,
    comment: true,
    tokens: true,
    ecmaFeatures: { jsx: true },
  })
  return { program, comments: program.comments }
}
const attempt = (parse: () => ForeignTree): ForeignTree | undefined => {
  try {
    return parse()
  } catch {
    // Types, to espree; JSX in a .ts file, to typescript-eslint: then ESLint would report the file itself.
    return undefined
  }
}

test('both parsers read most examples', () => {
  expect(pages.length).toBeGreaterThan(150)
  expect(pages.filter(e => attempt(() => byEspree(e.source))).length).toBeGreaterThan(pages.length * 0.7)
  expect(pages.filter(e => attempt(() => byTypeScript(e.source, 'example.test.ts'))).length).toBeGreaterThan(pages.length * 0.9)
})

test.each(pages)('$where', ({ path: given, source: text, fence }) => {
  const path = given ?? `example.test.${fence.endsWith('x') ? 'tsx' : 'ts'}`
  const own = linter.lint({ path, text })
  for (const tree of [attempt(() => byTypeScript(text, path)), attempt(() => byEspree(text))])
    if (tree) expect(linter.lint({ path, text, tree })).toEqual(own)
})

describe('a tree that cannot be used is left aside, and the text is parsed', () => {
  const text =
    "import { setTimeout as sleep } from 'node:timers/promises'\n\ntest('a', async () => {\n  await sleep(1000)\n  expect(job.done).toBe(true)\n})\n"
  const own = linter.lint({ path: 'a.test.js', text })

  test.each<[string, ForeignTree]>([
    ['of another kind', { program: { type: 'File', program: { type: 'Program', body: [] } }, comments: [] }],
    ['without offsets', { program: { type: 'Program', body: [{ type: 'ExpressionStatement' }] }, comments: [] }],
    ['whose comments have none', { program: { type: 'Program', body: [] }, comments: [{ type: 'Line', value: 'x' }] }],
    ['of a longer text', { program: { type: 'Program', body: [{ type: 'EmptyStatement', range: [0, 9000] }] }, comments: [] }],
    ['that is none', { program: null, comments: [] }],
  ])('one %s', (_, tree) => {
    expect(own.findings).toHaveLength(1)
    expect(linter.lint({ path: 'a.test.js', text, tree })).toEqual(own)
  })

  test('while one that can be used is believed', () => {
    expect(linter.lint({ path: 'a.test.js', text, tree: { program: { type: 'Program', body: [] }, comments: [] } }).findings).toEqual([])
  })
})
