// What a test does to a page and what it reads off it: where between the two somebody waits.

import type { Call, Unit, Value } from '../facts/facts.ts'
import { around, has, looksLikePoll } from '../facts/query.ts'

const lastOf = (name: string): string => /[^.:]*$/.exec(name)![0]
/** What makes a page go on by itself. Going to an address waits for the page it loads; these do not. */
const ACTS = /^(click|dblclick|dblClick|double_click|tap|press|pressSequentially|press_sequentially|type|fill|check|uncheck|selectOption|select_option|select|setInputFiles|set_input_files|send_keys|sendKeys|submit|dragTo|drag_to|dragAndDrop|drag_and_drop)$/
const LOADS = /^(goto|reload|goBack|goForward|go_back|go_forward|setContent|set_content|evaluate|get|refresh)$/

export const actsOnPage = (call: Call): boolean => ACTS.test(lastOf(call.name)) && call.receiver !== null
export const loadsPage = (call: Call): boolean => LOADS.test(lastOf(call.name)) && call.receiver !== null

/** Where promises are, a call has happened once it is awaited; elsewhere, once it has returned. */
export const hasHappened = (call: Call): boolean => call.result === 'awaited' || !has(call, 'promise')

/** The last of some calls before a place, in the same stretch of code. */
export function lastBefore(unit: Unit, at: Call, wanted: (call: Call) => boolean): Call | undefined {
  const stretch = closureOf(unit, at.in)
  return unit.calls.findLast(c => c !== at && c.span.end <= at.span.start && closureOf(unit, c.in) === stretch && wanted(c))
}

const closureOf = (unit: Unit, region: number): number => {
  for (const r of around(unit, region)) if (r.kind === 'closure') return r.span.start
  return -1
}

/** Whether somebody waits between two calls: for an element, a response, a state, or a time. */
export const waitsBetween = (unit: Unit, from: Call, to: Call): boolean =>
  unit.calls.some(c => c.span.start >= from.span.end && c.span.end <= to.span.start && (has(c, 'wait-until', 'wait-event', 'idle-wait', 'sync', 'sync-timed', 'sleep') || looksLikePoll(c) || (loadsPage(c) && lastOf(c.name) !== 'evaluate')))

/** The variable that a call is made on: `page` in `page.locator('a').click()`. */
export function rootOf(value: Value | null, unit: Unit, depth = 0): string | undefined {
  if (!value || depth > 8) return undefined
  if (value.is === 'name') return value.path
  return value.is === 'call' ? rootOf(unit.calls[value.call]?.receiver ?? null, unit, depth + 1) : undefined
}
