// How a test ends: by itself rather than with its process, with what it opened closed, by its promise alone.

import type { Call, Unit } from '../facts/facts.ts'
import type { Edit, Fix } from '../rules/rule.ts'
import { bracketsAfter, fix, indentAt, insert, remove, removeLines, replace, standsAlone, type Sheet } from './edits.ts'
import { unusedImport } from './imports.ts'
import { testingT } from './restoring.ts'

/** `log.Fatal(…)` → `t.Fatal(…)`: the test ends, and not the process. */
export function endTestInstead(sheet: Sheet, unit: Unit, call: Call): Fix[] {
  const handle = sheet.facts.language === 'go' ? testingT(sheet, unit) : undefined
  const said = /^log\.(Fatalf|Fatalln|Fatal)(?=\()/.exec(sheet.textOf(call.span))
  if (!handle || !said) return []
  const edit = replace({ start: call.span.start, end: call.span.start + said[0].length },
    `${handle.name}.${said[1] === 'Fatalf' ? 'Fatalf' : 'Fatal'}`)
  return fix('End the test instead', false, [edit, ...unusedImport(sheet, 'log', [call.span])])
}

/** `srv := httptest.NewServer(…)` is followed by `defer srv.Close()`. */
export function closeAfterwards(sheet: Sheet, unit: Unit, call: Call): Fix[] {
  const kept = unit.writes.find(w => w.declares && w.value.is === 'call' && unit.calls[w.value.call] === call && w.in === call.in)
  if (sheet.facts.language !== 'go' || !/\bhttptest\.New\w*Server$/.test(call.name) || !kept || !/^\w+$/.test(kept.target)
    || kept.target === '_' || !standsAlone(sheet, kept.span)) return []
  return fix('Close it when the test is over', false, [
    insert(kept.span.end, `\n${indentAt(sheet, kept.span.start)}defer ${kept.target}.Close()`),
  ])
}

const TAKES_DONE = /^\s*,\s*(async\s+)(?:(done)(?=\s*=>)|\(\s*(done)\s*\)(?=\s*=>)|function\s*\w*\s*\(\s*(done)\s*\))/

/**
 * An async test that takes `done` and calls it last: without both, its promise ends it at the same moment. Nothing is offered
 * where `done` is used in any other way.
 */
export function dropDone(sheet: Sheet, unit: Unit): Fix[] {
  const from = unit.nameSpan.end
  const header = sheet.facts.language === 'typescript' ? TAKES_DONE.exec(sheet.textOf({ start: from, end: from + 120 })) : null
  const calls = unit.calls.filter(c => c.name === 'done')
  const [call] = calls
  const body = header ? bracketsAfter(sheet, from + header[0].length, unit.span.end - from) : undefined
  if (!header || !call || calls.length > 1 || call.in !== 0 || call.args.length > 0 || !body || sheet.textOf(call.span) !== 'done()')
    return []
  const mentions = sheet.textOf({ start: from, end: body.end }).match(/(?<![\w.'"`$-])done\b/g)?.length
  if (mentions !== 2 || !/^\s*;?\s*\}$/.test(sheet.textOf({ start: call.span.end, end: body.end }))) return []
  return fix('Let the promise alone end the test', true, [withoutParameter(header, from),
    removeLines(sheet, call.span) ?? remove(call.span)])
}

function withoutParameter(header: RegExpExecArray, from: number): Edit {
  const bare = header[2] !== undefined
  const end = from + header[0].length
  if (bare) return replace({ start: end - 'done'.length, end }, '()')
  const open = from + header[0].lastIndexOf('(')
  return replace({ start: open, end }, '()')
}
