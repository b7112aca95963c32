// Puts fixes into a text. Two fixes that touch the same place are not put in together: the one that comes later in the file
// waits for the next round, when the file has been looked at anew.

import type { FindingFix } from '../rules/rule.ts'

interface Change {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface Applied {
  readonly text: string
  /** How many of the fixes are in it. */
  readonly fixes: number
}

export function applyFixes(text: string, fixes: readonly FindingFix[]): Applied {
  const starts = lineStarts(text)
  const placed = fixes.map(f =>
    f.edits.map((e): Change => ({ start: starts[e.startLine - 1]! + e.startColumn - 1, end: starts[e.endLine - 1]! + e.endColumn - 1,
      text: e.text })
    )
  )
  const taken: Change[] = []
  let count = 0
  for (const changes of placed.filter(c => c.length > 0).sort((a, b) => a[0]!.start - b[0]!.start)) {
    const fresh = changes.filter(c => !taken.some(t => isSameInsertion(c, t)))
    if (fresh.some(c => taken.some(t => touch(c, t)))) continue
    taken.push(...fresh)
    count++
  }
  return { text: withChanges(text, taken), fixes: count }
}

/** Two fixes may need the same line at the head of a file. */
const isSameInsertion = (a: Change, b: Change): boolean => a.start === a.end && a.start === b.start && a.end === b.end && a.text === b.text

const touch = (a: Change, b: Change): boolean => a.start <= b.end && b.start <= a.end

function withChanges(text: string, changes: readonly Change[]): string {
  let written = '', at = 0
  // Changes of one fix may begin at the same place: they stay in their order.
  for (const c of [...changes].sort((a, b) => a.start - b.start)) {
    written += text.slice(at, c.start) + c.text
    at = c.end
  }
  return written + text.slice(at)
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
