// A code frame: the lines around a finding with its place underlined. Columns come in UTF-16 units and leave as cells of
// a terminal, so tabs, wide characters and spelled-out hidden ones all move the caret.

import type { Finding } from '../rules/rule.ts'
import { isPlain, visible } from './visible.ts'

const TAB_STOP = 4
const MAX_CELLS = 120
/** How much of an overlong line is kept before the place. */
const LEAD = 40

const WIDE = new RegExp(
  '\\p{Emoji_Presentation}|[\\u1100-\\u115F\\u2E80-\\u303E\\u3041-\\uA4CF\\uA960-\\uA97C\\uAC00-\\uD7A3\\uF900-\\uFAFF\\uFE30-\\uFE6F'
    + '\\uFF01-\\uFF60\\uFFE0-\\uFFE6\\u{1F300}-\\u{1FAFF}\\u{20000}-\\u{3FFFD}]',
  'u',
)
const NO_WIDTH = /[\p{Mn}\p{Me}]/u

export interface FrameLine {
  readonly gutter: string
  readonly text: string
  readonly is: 'code' | 'caret'
}

/** Empty where the finding's own line is not among the lines given. */
export function codeFrame(finding: Finding): FrameLine[] {
  const own = finding.frame.find(l => l.line === finding.startLine)
  if (own === undefined) return []
  const width = Math.max(2, ...finding.frame.map(l => String(l.line).length))
  const from = windowStart(own.text, finding.startColumn - 1)
  const lines: FrameLine[] = []
  for (const { line, text } of finding.frame) {
    lines.push({ gutter: String(line).padStart(width), text: render(text, from).text, is: 'code' })
    if (line === finding.startLine) lines.push({ gutter: ' '.repeat(width), text: underline(finding, text, from), is: 'caret' })
  }
  return lines
}

const windowStart = (text: string, start: number): number => (start < MAX_CELLS - LEAD ? 0 : wholeCharacter(text, start - LEAD))

/** One unit earlier where the offset would cut a surrogate pair in two. */
const wholeCharacter = (text: string, at: number): number =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1)) ? at - 1 : at

interface Rendered {
  readonly text: string
  /** The cell at which the character with this offset begins; the end of what is shown for those beyond it. */
  readonly cellOf: (offset: number) => number
}

function render(source: string, from: number): Rendered {
  const line = withoutLineEnd(source)
  const lead = from > 0 && line.length > 0 ? '…' : ''
  if (line.length - from <= MAX_CELLS && isPlain(line.slice(from))) {
    return { text: lead + line.slice(from), cellOf: offset => lead.length + Math.max(0, Math.min(offset, line.length) - from) }
  }
  const cells: number[] = []
  let text = lead
  let cell = lead.length
  let offset = from
  // The window bounds the work: what an overlong line has beyond it is never looked at.
  for (const character of line.slice(from, wholeCharacter(line, from + MAX_CELLS * 2))) {
    const shown = character === '\t' ? ' '.repeat(TAB_STOP - ((cell - lead.length) % TAB_STOP)) : visible(character)
    const wide = shown === character ? cellsOf(character) : shown.length
    if (cell + wide > MAX_CELLS) break
    for (let unit = 0; unit < character.length; unit++) cells.push(cell)
    text += shown
    cell += wide
    offset += character.length
  }
  const end = cell
  return { text: offset < line.length ? `${text}…` : text, cellOf: at => cells[Math.max(0, at - from)] ?? end }
}

// A pattern would walk through the whole of a line that may be megabytes long.
function withoutLineEnd(line: string): string {
  let end = line.length
  while (end > 0 && '\r\n'.includes(line[end - 1]!)) end--
  return line.slice(0, end)
}

const cellsOf = (character: string): number => (isPlain(character) ? 1 : NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1)

function underline(finding: Finding, text: string, from: number): string {
  const { cellOf } = render(text, from)
  const oneLine = finding.endLine === finding.startLine
  const start = cellOf(finding.startColumn - 1)
  const end = cellOf(oneLine ? finding.endColumn - 1 : text.trimEnd().length)
  return ' '.repeat(start) + '^'.repeat(Math.max(1, end - start))
}
