// Waiting for what is begun: `await` before a call whose promise is thrown away.

import type { Call, FileFacts, Language, Span, Unit } from '../facts/facts.ts'
import { around, has } from '../facts/query.ts'
import type { Edit, Fix } from '../rules/rule.ts'
import { beginsStatement, fix, insert, replace, type Sheet } from './edits.ts'

const WORD: Readonly<Partial<Record<Language, string>>> = { typescript: 'await ', python: 'await ' }

/** The function right around the call is async, so that `await` may stand in it. */
function isInAsync(unit: Unit, call: Call): boolean {
  const closure = [...around(unit, call.in)].find(r => r.kind === 'closure')
  return closure ? closure.async === true : unit.async === true
}

/**
 * Awaits a call. It is safe only where the caller says that the call is sure to give a promise and that nothing later sets off
 * what is awaited; in a test that is not async yet, that is made so first, which is a suggestion.
 */
export function awaitCall(sheet: Sheet, unit: Unit, call: Call, sure: boolean): Fix[] {
  const word = WORD[sheet.facts.language]
  if (!word || !beginsStatement(sheet, call.span)) return []
  if (isInAsync(unit, call)) return fix('Await the call', sure, [insert(call.span.start, word)])
  const closure = [...around(unit, call.in)].some(r => r.kind === 'closure')
  return closure || unit.params.length > 0
    ? []
    : fix('Make the test async and await the call', false, [madeAsync(sheet, unit), insert(call.span.start, word)])
}

/** A runner's function is handed over behind the title: `it('adds', () => {`. */
function madeAsync({ facts, textOf }: Sheet, unit: Unit): Edit | undefined {
  if (facts.language !== 'typescript' || (unit.role.is !== 'test' && unit.role.is !== 'hook')) return undefined
  const behind = /^\s*,\s*(?=function\s*\(\s*\)|\(\s*\)\s*=>)/.exec(textOf({ start: unit.nameSpan.end, end: unit.nameSpan.end + 120 }))
  return behind ? insert(unit.nameSpan.end + behind[0].length, 'async ') : undefined
}

/** Nothing in the function goes on until somebody stops it, or waits for what another does: awaited, it comes to its end. */
export const endsByItself = (file: Pick<FileFacts, 'units'>, call: Call): boolean => {
  const target = call.target === undefined ? undefined : file.units[call.target]
  return target !== undefined && target.regions.every(r => r.kind !== 'loop' || r.counted === true) && (target.awaits ?? []).length === 0
    && !target.calls.some(c =>
      has(c, 'sync', 'sync-timed', 'wait-event', 'wait-until', 'sleep', 'start')
      || /Promise\.new$|(^|[.:])(on|once|wait\w*|listen)$/i.test(c.name)
    )
}

/** Nothing but assertions comes after it in its unit: whatever it waits for has been begun. */
export const isSettledBefore = (unit: Unit, { end }: Span): boolean =>
  unit.calls.every(c =>
    c.span.start < end || unit.assertions.some(a => a.span.start <= c.span.start && a.span.end >= c.span.end) || c.result === 'used'
  )

/** `items.forEach(async …)` → `await Promise.all(items.map(async …))`: the same calls, and somebody waits for all. */
export function gatherLoop(sheet: Sheet, unit: Unit, call: Call): Fix[] {
  if (!isInAsync(unit, call) || !beginsStatement(sheet, call.span) || sheet.textOf(call.nameSpan) !== 'forEach') return []
  return fix('Gather the promises and await them all', false, [insert(call.span.start, 'await Promise.all('), replace(call.nameSpan, 'map'),
    insert(call.span.end, ')')])
}
