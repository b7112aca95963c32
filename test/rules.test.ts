// The rule pages are the tests of the rules: a `bad` block is flagged on exactly the lines it says, a `good` block is
// quiet under every rule, a `todo-` block is still wrong.

import { describe, expect, test } from 'vitest'
import { examplesOf, flaggedIn, lintExample, ruleFolders } from './pages.ts'

const pages = await Promise.all(ruleFolders().map(async id => ({ id, examples: await examplesOf(id) })))

describe.each(pages)('$id', ({ id, examples }) => {
  test.each(examples.map(e => ({ title: `${e.where} is ${e.verdict}`, example: e })))('$title', async ({ example }) => {
    const flagged = flaggedIn(example.source)
    const { findings, trouble } = await lintExample(example, 'audit', id)
    expect(trouble, 'an example must be real code').toEqual([])
    const said = findings.map(f => ({ line: f.startLine, message: f.message }))
    if (example.verdict === 'bad') {
      expect(flagged.length, 'a bad block says which lines are flagged').toBeGreaterThan(0)
      expect(said.map(s => s.line)).toEqual(flagged.map(f => f.line))
      flagged.forEach((f, i) => expect(said[i]!.message).toContain(f.words))
      return
    }
    if (example.verdict === 'good') {
      const { findings: all } = await lintExample(example, 'strict')
      expect(all.map(f => `${f.startLine} ${f.ruleId}: ${f.message}`)).toEqual([])
      return
    }
    const wrong = example.verdict === 'todo-bad' ? said.length === 0 : said.length > 0
    expect(wrong, `this gap is closed: rename ${example.verdict} to ${example.verdict.slice(5)}`).toBe(true)
  })
})
