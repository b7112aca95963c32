// What lies between two texts: a unified diff, as `git apply` and `patch` read it, or edits of whole lines. The library is loaded only
// where a diff is asked for.

import type { FindingFix } from '../rules/rule.ts'

const CONTEXT = 3

export async function unifiedDiff(path: string, before: string | null, after: string): Promise<string> {
  const { createTwoFilesPatch } = await import('diff')
  const patch = createTwoFilesPatch(before === null ? '/dev/null' : `a/${path}`, `b/${path}`, before ?? '', after, undefined, undefined, {
    context: CONTEXT,
  })
  return patch.replace(/^=+\n/, '')
}

/** Edits of whole lines that make one text of the other, counted as a reader counts; in the order of the text. */
export async function lineEdits(before: string, after: string): Promise<FindingFix['edits']> {
  const { diffArrays } = await import('diff')
  const lines = (text: string) => text.split(/(?<=\n)/)
  const edits: FindingFix['edits'][number][] = []
  let line = 1, gone = 0, text: string[] = []
  const flush = () => {
    if (gone > 0 || text.length > 0)
      edits.push({ startLine: line - gone, startColumn: 1, endLine: line, endColumn: 1, text: text.join('') })
    gone = 0
    text = []
  }
  for (const { added, removed, value } of diffArrays(lines(before), lines(after))) {
    if (added) text.push(...value)
    else {
      if (!removed) flush()
      line += value.length
      if (removed) gone += value.length
    }
  }
  flush()
  return edits
}
