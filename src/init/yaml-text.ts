// Adds to a YAML file by its text, at the end of a list or a map that the parser found: whatever the rest looks like, comments,
// quotes and blank lines, it stays as it is.

import { isMap, isPair, isNode, type YAMLMap, type YAMLSeq } from 'yaml'

/** Lines of the new entry, without indentation; nothing where the list is written in brackets or is empty. */
export function addToYaml(text: string, into: YAMLSeq | YAMLMap, lines: readonly string[]): string | undefined {
  const first = into.items[0]
  const start = isPair(first) ? (isNode(first.key) ? first.key.range?.[0] : undefined) : isNode(first) ? first.range?.[0] : undefined
  if (into.flow || start === undefined || !into.range) return undefined
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lead = text.slice(lineStart, start)
  const indent = isMap(into) ? lead : /^\s*/.exec(lead)![0]
  if (!/^\s*$/.test(indent)) return undefined
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const end = endOfContent(text, into.range[1])
  return `${text.slice(0, end)}${eol}${lines.map(l => `${indent}${l}`).join(eol)}${text.slice(end) || eol}`
}

/** Behind the last line that holds something: blank lines and comments between this part of the file and the next stay there. */
function endOfContent(text: string, end: number): number {
  const within = text.slice(0, end).trimEnd().length
  const next = text.indexOf('\n', within)
  const lineEnd = next === -1 ? text.length : next
  return text.slice(0, lineEnd).trimEnd().length
}
