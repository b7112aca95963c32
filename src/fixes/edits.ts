// The words in which fixes are written: replacements in a file's text, and what the text around them looks like.
// Pure: a fix is data until somebody applies it.

import type { Span } from '../facts/facts.ts'
import type { Edit, FileView, Fix } from '../rules/rule.ts'

/** What building a fix needs to see of a file. */
export type Sheet = Pick<FileView, 'facts' | 'textOf'>

export const insert = (at: number, text: string): Edit => ({ span: { start: at, end: at }, text })
export const replace = (span: Span, text: string): Edit => ({ span, text })
export const remove = (span: Span): Edit => ({ span, text: '' })

/** A fix, or none where some part of it could not be made. */
export const fix = (title: string, safe: boolean, edits: readonly (Edit | undefined)[]): Fix[] =>
  edits.length > 0 && edits.every(e => e !== undefined) ? [{ title, safe, edits: inOrder(edits as Edit[]) }] : []

const inOrder = (edits: readonly Edit[]): Edit[] => [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)

export const wholeText = ({ textOf }: Pick<Sheet, 'textOf'>): string => textOf({ start: 0, end: Infinity })

/** The line or lines on which a span stands, without the end of the last one. */
export function linesAround(sheet: Pick<Sheet, 'textOf'>, { start, end }: Span): Span {
  const text = wholeText(sheet)
  const next = text.indexOf('\n', end)
  return { start: text.lastIndexOf('\n', start - 1) + 1,
    end: next === -1 ? text.length : text[next - 1] === '\r' && next > end ? next - 1 : next }
}

/** The blanks that a line begins with. */
export const indentAt = (sheet: Pick<Sheet, 'textOf'>, offset: number): string =>
  /^[ \t]*/.exec(sheet.textOf(linesAround(sheet, { start: offset, end: offset })))![0]

/** Nothing but blanks, and a semicolon, stands beside it on its lines. */
export function standsAlone(sheet: Sheet, span: Span): boolean {
  const lines = linesAround(sheet, span)
  return /^[ \t]*$/.test(sheet.textOf({ start: lines.start, end: span.start }))
    && /^[ \t]*;?[ \t]*$/.test(sheet.textOf({ start: span.end, end: lines.end }))
}

/** It is the first on its line, and nothing but a comment comes after it. */
export function isStatement(sheet: Sheet, span: Span): boolean {
  const lines = linesAround(sheet, span)
  return /^[ \t]*$/.test(sheet.textOf({ start: lines.start, end: span.start }))
    && /^[ \t]*;?[ \t]*((#|\/\/).*)?$/.test(sheet.textOf({ start: span.end, end: lines.end }))
}

/** Takes the statement away with its lines; nothing where something else stands on them. */
export function removeLines(sheet: Sheet, span: Span): Edit | undefined {
  if (!standsAlone(sheet, span)) return undefined
  const { start, end } = linesAround(sheet, span)
  return remove({ start, end: wholeText(sheet).indexOf('\n', end) + 1 || end })
}

/** The code before an offset, comments between aside: what a statement there follows. */
export function codeBefore({ facts, textOf }: Sheet, offset: number): string {
  let end = offset
  for (;;) {
    const text = textOf({ start: Math.max(0, end - 400), end })
    const blank = end - (text.length - text.trimEnd().length)
    const comment = facts.comments.find(c => c.span.start < blank && blank <= c.span.end)
    if (!comment) return text.trimEnd()
    end = comment.span.start
  }
}

/** What an expression cannot begin a statement after. */
const WITHIN = /[=,(&|?+\-*<>!.~^%[]$|\b(?:return|void|await|typeof|yield|in|of|new|delete|throw|case|assert|not|and|or|default)$/

/** The span is a statement of its own, so that a word may be put before it. */
export function beginsStatement(sheet: Sheet, { start }: Span): boolean {
  const before = codeBefore(sheet, start)
  return sheet.facts.language === 'python'
    ? /(^|\n)[ \t]*$/.test(sheet.textOf({ start: Math.max(0, start - 200), end: start })) && !/[,([{\\]$/.test(before)
    : !WITHIN.test(before) && !/:$/.test(before)
}

/** The brackets that open at or after an offset: where they open and close. Quotes are passed over; comments are not understood. */
export function bracketsAfter(sheet: Pick<Sheet, 'textOf'>, from: number, within = 4000): Span | undefined {
  const text = sheet.textOf({ start: from, end: from + within })
  const open = text.search(/[([{]/)
  if (open === -1) return undefined
  let depth = 0
  for (let i = open; i < text.length; i++) {
    const c = text[i]!
    if (c === '"' || c === "'" || c === '`') {
      const close = endOfQuote(text, i)
      if (close === -1) return undefined
      i = close
    } else if ('([{'.includes(c)) depth++
    else if (')]}'.includes(c) && --depth === 0) return { start: from + open, end: from + i + 1 }
  }
  return undefined
}

function endOfQuote(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === text[at]) return i
  }
  return -1
}
