// Adds to a JSON file that may hold comments: whatever stands beside an entry stays beside it.

import { applyEdits, findNodeAtLocation, modify, parseTree, type FormattingOptions } from 'jsonc-parser'

const formatOf = (text: string): FormattingOptions => ({ insertSpaces: !/^\t/m.test(text), tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2,
  eol: text.includes('\r\n') ? '\r\n' : '\n' })

/** Sets what is at a place; what is new comes last, on lines of its own where the others have theirs. */
export function setInJson(text: string, path: readonly string[], value: unknown): string {
  const format = formatOf(text)
  const tree = parseTree(text, [], { allowTrailingComma: true })
  const holder = tree && findNodeAtLocation(tree, path.slice(0, -1))
  const last = holder?.children?.at(-1)
  const end = last ? last.offset + last.length : 0
  const lead = last ? /(?:^|\n)([ \t]*)$/.exec(text.slice(0, last.offset)) : null
  // The library puts a new entry before the comment that belongs to the one above.
  if (!tree || !lead || findNodeAtLocation(tree, [...path]) || !/^[ \t]*,?[ \t]*(\/\/|\/\*)/.test(text.slice(end)))
    return applyEdits(text, modify(text, [...path], value, { formattingOptions: format }))
  const comma = /^[ \t]*,/.exec(text.slice(end))?.[0] ?? ''
  const remark = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)/.exec(text.slice(end + comma.length))?.[0] ?? ''
  const at = end + comma.length + remark.length
  const step = format.insertSpaces ? ' '.repeat(format.tabSize!) : '\t'
  const written = JSON.stringify(value, null, step).replaceAll('\n', `${format.eol}${lead[1]}`)
  return `${text.slice(0, end)}${comma || ','}${remark}${format.eol}${lead[1]}${JSON.stringify(path.at(-1))}: ${written}${
    comma ? ',' : ''
  }${text.slice(at)}`
}
