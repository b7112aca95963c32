// The skeleton of a numbered bats file: the three hooks of its suite's contract, and the names in them.

import type { Call, Unit } from '../facts/facts.ts'
import type { Edit, Fix } from '../rules/rule.ts'
import { bracketsAfter, fix, insert, linesAround, replace, wholeText, type Sheet } from './edits.ts'

/** The order in which a reader wants to see them. */
const IN_ORDER = ['setup_file', 'setup', 'teardown', 'teardown_file']

/** Calls a command in a hook, which is made where the file has none. */
export function callInHook(sheet: Sheet, hook: string, unit: Unit | undefined, command: string): Fix[] {
  const title = `Call ${command} in ${hook}`
  const written = `${hook}() {\n  ${command}\n}`
  const before = sheet.facts.units.filter(u => u.role.is === 'hook' && IN_ORDER.indexOf(u.name) < IN_ORDER.indexOf(hook)).at(-1)
  if (!unit) return fix(title, true, [before ? insert(before.span.end, `\n\n${written}`) : insert(firstFunction(sheet), `${written}\n\n`)])
  const body = bracketsAfter(sheet, unit.nameSpan.end + 2, unit.span.end - unit.nameSpan.end)
  if (!body || sheet.textOf({ start: body.start, end: body.start + 1 }) !== '{') return []
  // What is loaded first may be what defines the command.
  const loaded = unit.calls.findLast(c => /^(load|source|\.|bats_load_library)( |$)/.test(c.name))
  return fix(title, true, [insert(loaded?.span.end ?? body.start + 1, `\n  ${command}`)])
}

/** Where the first test or function begins, with the comments that belong to it. */
function firstFunction(sheet: Sheet): number {
  const first = sheet.facts.units.filter(u => u.role.is !== 'module').map(u => u.span.start).sort((a, b) => a - b)[0]
  const text = wholeText(sheet)
  if (first === undefined) return text.length
  let start = linesAround(sheet, { start: first, end: first }).start
  for (;;) {
    const above = text.lastIndexOf('\n', start - 2) + 1
    if (start === 0 || above === 0 || !/^[ \t]*#/.test(text.slice(above, start))) return start
    start = above
  }
}

/** Puts another name in the place of a quoted or bare one. */
export function rename(sheet: Sheet, call: Call, from: string, to: string): Fix[] {
  const text = sheet.textOf(call.span)
  const at = new RegExp(`(?<=[\\s"'])${from.replace(/[^\w]/g, '\\$&')}(?=["'\\s]|$)`).exec(text)
  return at ? fix(`Name «${to}»`, true, [replaced(call, at.index, from, to)]) : []
}

const replaced = (call: Call, at: number, from: string, to: string): Edit =>
  replace({ start: call.span.start + at, end: call.span.start + at + from.length }, to)

/** One more name at the end of a call. */
export const addName = (call: Call, name: string): Fix[] => fix(`Name «${name}» too`, true, [insert(call.span.end, ` "${name}"`)])
