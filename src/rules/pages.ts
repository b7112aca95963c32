// Rule pages: the one place where a rule is explained, exemplified and tested. Found beside the rule's source both from
// src/ and from dist/, so that the package ships one copy.

import { readFileSync } from 'node:fs'

export const pageUrlOf = (ruleId: string): URL => new URL(`../../src/rules/${ruleId}/rule.md`, import.meta.url)

export const pageOf = (ruleId: string): string => readFileSync(pageUrlOf(ruleId), 'utf8')

export type Verdict = 'bad' | 'good' | 'todo-bad' | 'todo-good' | 'file'
export const VERDICTS: readonly string[] = ['bad', 'good', 'todo-bad', 'todo-good', 'file'] satisfies Verdict[]

export interface Example {
  readonly fence: string
  readonly verdict: Verdict
  /** The path it is to have, where the name matters. */
  readonly path: string | null
  /** The heading it stands under. */
  readonly section: string
  readonly source: string
  /** Where it begins in the page, counted from 1. */
  readonly line: number
}

/** Every fence of a page that names a language. A verdict that is none of ours is an error, so a typo cannot switch a test off. */
export function examplesIn(page: string, where: string): Example[] {
  const examples: Example[] = []
  let section = ''
  const lines = page.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const heading = /^#+ (.*)$/.exec(lines[i]!)
    if (heading) section = heading[1]!
    const open = /^```(\w+)?(?: (\S+))?(?: (\S+))?\s*$/.exec(lines[i]!)
    if (!open && lines[i]!.startsWith('```')) throw new Error(`${where}:${i + 1}: a fence has at most a language, a verdict and a path`)
    if (!open) continue
    const start = i + 1
    while (++i < lines.length && lines[i] !== '```');
    if (i === lines.length) throw new Error(`${where}:${start}: this fence is never closed`)
    if (!open[1] || open[1] === 'text' || open[1] === 'json' || open[1] === 'yaml') continue
    if (!open[2] || !VERDICTS.includes(open[2]))
      throw new Error(`${where}:${start}: «${open[2] ?? ''}» is no verdict; one of ${VERDICTS.join(', ')} is`)
    examples.push({ fence: open[1], verdict: open[2] as Verdict, path: open[3] ?? null, section,
      source: `${lines.slice(start, i).join('\n')}\n`, line: start })
  }
  return examples
}
