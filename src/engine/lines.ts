// Offsets as a reader counts them.

import type { Span } from '../facts/facts.ts'
import type { Region } from '../rules/rule.ts'

export interface Lines {
  readonly count: number
  readonly lineOf: (offset: number) => number
  /** The text of a line, counted from 1, without its end. */
  readonly line: (line: number) => string
  readonly all: () => string[]
  readonly regionOf: (span: Span) => Region
}

export function linesOf(text: string): Lines {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const lineOf = (offset: number): number => {
    let low = 0, high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
  const column = (offset: number, line: number) => offset - starts[line - 1]! + 1
  return {
    count: starts.length,
    lineOf,
    line: n => text.slice(starts[n - 1] ?? text.length, starts[n] ?? text.length).replace(/\r?\n$/, ''),
    all: () => text.split(/\r?\n/),
    regionOf: ({ start, end }) => {
      const startLine = lineOf(start), endLine = lineOf(Math.max(start, end))
      return { startLine, startColumn: column(start, startLine), endLine, endColumn: column(Math.max(start, end), endLine) }
    },
  }
}
