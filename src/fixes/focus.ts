// Taking the focus off a test, so that the others run again.

import type { Language, Marker } from '../facts/facts.ts'
import type { Fix } from '../rules/rule.ts'
import { fix, linesAround, removeLines, replace, type Sheet } from './edits.ts'

/** What the marker's text becomes without its focus. */
const UNFOCUSED: Readonly<Partial<Record<Language, readonly (readonly [RegExp, string])[]>>> = {
  typescript: [[/^((?:[\w$]+\.)*[\w$]+)\.only$/, '$1'], [/^f(it|describe|context|test)$/, '$1'], [/^only\s*:\s*true$/, 'only: false']],
  go: [[/^(\w+\.)?F(It|Describe|DescribeTable|Context|Specify|When|Entry)$/, '$1$2']],
}

export function unfocus(sheet: Sheet, marker: Marker): Fix[] {
  const text = sheet.textOf(marker.span)
  for (const [like, plain] of UNFOCUSED[sheet.facts.language] ?? [])
    if (like.test(text)) return fix('Let the other tests run too', false, [replace(marker.span, text.replace(like, plain))])
  const lines = linesAround(sheet, marker.span)
  return /^\s*(@[\w.]*mark\.only(\(\))?|# bats (test|file)_tags=bats:focus)\s*$/.test(sheet.textOf(lines))
    ? fix('Let the other tests run too', false, [removeLines(sheet, trimmed(sheet, lines))])
    : []
}

const trimmed = ({ textOf }: Sheet, { start, end }: { start: number; end: number }) => {
  const text = textOf({ start, end })
  return { start: start + text.length - text.trimStart().length, end: start + text.trimEnd().length }
}
