// Every fix that is offered on a rule's page, in bad examples and in what is only a note in good ones, is tried: what it gives can be
// parsed, the finding is gone, and no rule says anything new.

import { describe, expect, test } from 'vitest'
import { applyFixes } from '../src/fixes/apply.ts'
import type { Finding, FindingFix, Preset } from '../src/rules/rule.ts'
import { pageOf } from '../src/rules/pages.ts'
import { examplesOf, lintExample, ruleFolders, type PageExample } from './pages.ts'

const PRESETS: readonly Preset[] = ['recommended', 'strict', 'audit']

/** Without the notes for the other test: they are comments that nobody has in his code. */
const plain = (example: PageExample): PageExample => ({ ...example, source: example.source.replace(/[ \t]*(?:#|\/\/) flagged:.*$/gm, '') })

const counts = (findings: readonly Finding[]): Map<string, number> => {
  const by = new Map<string, number>()
  for (const f of findings) by.set(f.ruleId, (by.get(f.ruleId) ?? 0) + 1)
  return by
}

interface Offer {
  readonly title: string
  readonly example: PageExample
  readonly fix: FindingFix
}

async function offersOf(id: string): Promise<Offer[]> {
  const examples = (await examplesOf(id)).filter(e => e.verdict === 'bad' || e.verdict === 'good').map(plain)
  const found = await Promise.all(
    examples.map(async example => ({ example, findings: (await lintExample(example, 'audit', id)).findings })),
  )
  return found.flatMap(({ example, findings }) =>
    findings.flatMap(f =>
      (f.fixes ?? []).map(fix => ({
        title: `${example.where}+${f.startLine} ${fix.safe ? 'fix' : 'suggestion'}: ${fix.title}`,
        example,
        fix,
      }))
    )
  )
}

const pages = (await Promise.all(ruleFolders().map(async id => ({ id, offers: await offersOf(id) })))).filter(p => p.offers.length > 0)

describe.each(pages)('$id', ({ id, offers }) => {
  test.each(offers)('$title', async ({ example, fix }) => {
    const after = { ...example, source: applyFixes(example.source, [fix]).text }
    for (const preset of PRESETS) {
      const [was, is] = await Promise.all([lintExample(example, preset), lintExample(after, preset)])
      expect(is.trouble, after.source).toEqual([])
      const before = counts(was.findings), now = counts(is.findings)
      for (const [rule, n] of now)
        expect(n, `${rule} says something new (${preset}):\n${after.source}`).toBeLessThanOrEqual(before.get(rule) ?? 0)
      if ((before.get(id) ?? 0) > 0 && preset === 'audit')
        expect(now.get(id) ?? 0, `${id} is still there:\n${after.source}`).toBeLessThan(before.get(id)!)
    }
  })
})

test('a rule argues on its page why its fix keeps what a test does', () => {
  const safe = pages.filter(p => p.offers.some(o => o.fix.safe)).map(p => p.id)
  expect(ruleFolders().filter(id => pageOf(id).includes('\n## Applied by --fix\n'))).toEqual(safe)
})

test('rules that promise a fix have one on their pages', () => {
  expect(pages.map(p => p.id)).toMatchInlineSnapshot(`
    [
      "async-test-not-awaited-by-runner",
      "bats-background-holds-fd-three",
      "bats-fd-three-without-hash",
      "bats-sequential-contract",
      "cwd-mutation",
      "env-leak",
      "exact-float-equality",
      "fixed-port",
      "focused-test",
      "inert-assertion",
      "missing-cleanup",
      "nondeterministic-seed",
      "process-exit-in-test",
      "swallowed-failure",
      "sync-result-ignored",
      "unawaited-async",
      "unseeded-random",
      "unsorted-fs-listing",
    ]
  `)
})
