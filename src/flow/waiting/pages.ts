// What a test does to a page and what it reads off it: where between the two somebody waits.

import type { Assertion, Call, Span, Unit, Value } from '../../facts/facts.ts'
import { around, has, looksLikePoll, polls, valuesIn } from '../../facts/query.ts'

const lastOf = (name: string): string => /[^.:]*$/.exec(name)![0]
/** What makes a page go on by itself. Going to an address waits for the page it loads; these do not. */
const ACTS =
  /^(click|dblclick|dblClick|double_click|tap|press|pressSequentially|press_sequentially|type|fill|check|uncheck|selectOption|select_option|select|setInputFiles|set_input_files|send_keys|sendKeys|submit|dragTo|drag_to|dragAndDrop|drag_and_drop)$/
const LOADS = /^(goto|reload|goBack|goForward|go_back|go_forward|setContent|set_content|evaluate|get|refresh)$/

export const actsOnPage = (call: Call): boolean => (ACTS.test(lastOf(call.name)) && call.receiver !== null) || isOwnStep(call)

/** `await page.notebook.runCell(0)`: a step that the project has added to its pages. */
const isOwnStep = ({ receiver, result, name }: Call): boolean =>
  receiver?.is === 'name' && /^page\.(?!context|request|clock|coverage|video)[a-z]\w*$/.test(receiver.path) && result === 'awaited'
  && /^(run|execute|set|add|delete|insert|enter|open|close|select|toggle|switch|move|save|submit)(?=[A-Z]|$)/.test(lastOf(name))

/** The next step makes the page go on: nothing waits until the page is ready for it, as an assertion on a page does by itself. */
export function actsNext(unit: Unit, { span: { end } }: Call): boolean {
  const next = unit.calls.filter(c => c.span.start > end && c.result !== 'used').sort((a, b) => a.span.start - b.span.start)[0]
  return next !== undefined && (actsOnPage(next) || /(^|[.])reload$/.test(next.name))
}

/** `await search(page, 'tea')`: a function of the file whose last step makes the page go on, and that waits for nothing after it. */
export function actsThrough(units: readonly Unit[], { target, result, args }: Call): boolean {
  const helper = target === undefined || result !== 'awaited' || args.length === 0 ? undefined : units[target]
  const at = helper?.role.is === 'helper'
    ? helper.calls.findLastIndex(c =>
      actsOnPage(c) && /^(page|locator|elementHandle|frame)\./.test(c.name) && c.result === 'awaited' && c.in === 0
    )
    : -1
  return helper !== undefined && at >= 0
    && !helper.calls.slice(at + 1).some(c => c.result === 'awaited' || has(c, 'wait-until', 'sync', 'sleep'))
}

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
  unit.calls.some(c =>
    c.span.start >= from.span.end && c.span.end <= to.span.start
    && (has(c, 'wait-until', 'wait-event', 'idle-wait', 'sync', 'sync-timed', 'sleep') || looksLikePoll(c)
      || (loadsPage(c) && lastOf(c.name) !== 'evaluate'))
  )

/** The variable that a call is made on: `page` in `page.locator('a').click()`. */
export function rootOf(value: Value | null, unit: Unit, depth = 0): string | undefined {
  if (!value || depth > 8) return undefined
  if (value.is === 'name') return value.path
  return value.is === 'call' ? rootOf(unit.calls[value.call]?.receiver ?? null, unit, depth + 1) : undefined
}

const SHOWN = /^\s*\.(text\b|get_attribute\(|get_property\(|get_dom_attribute\()/

/** Selenium's `driver.find_element(…).text`: the element is waited for at most, what it shows is not. */
export function textIn(unit: Unit, { operands, span }: Assertion, textOf: (span: Span) => string): Call | undefined {
  for (const value of operands.flatMap(o => [...valuesIn(o, unit)])) {
    const made = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path && w.span.end <= span.start)?.value : value
    for (const v of made ? valuesIn(made, unit) : []) {
      const call = v.is === 'call' ? unit.calls[v.call]! : undefined
      if (call && /[.]find_element(_by_\w+)?$/.test(call.name) && SHOWN.test(textOf({ start: call.span.end, end: call.span.end + 24 }))
        && !polls(unit, call.in)) return call
    }
  }
  return undefined
}

/** Answers that no library waits for: where the page is, what a script finds in it, where something stands, what there is of a kind. */
const ASKS = /^(page|frame|locator|elementHandle)\.(evaluate|evaluateAll|\$eval|\$\$eval|boundingBox|bounding_box|url|all|scrollY)$/
/** Pages by their name, where nothing tells what they are. */
const PAGE = /(^|\.)(page|frame|locator)$/i

const OF_PAGE = /^(?!Math|JSON|console|Promise|crypto)\w+\.\w/
/** What a script is given to look at need be nothing that the page changes. */
const GLOBALS = /^(window|document|globalThis|self|location|history|navigator|localStorage|sessionStorage)\.\w/

/**
 * The step before it waited for the page: for an element, an address, a function of its own, or until nothing comes over the net. Where
 * something stands may change after that.
 */
function isWaitedBefore(unit: Unit, ask: Call): boolean {
  if (!/[eE]val|url$/.test(ask.name)) return false
  const step = lastBefore(unit, ask, c => (c.result === 'awaited' || has(c, 'sleep')) && !ASKS.test(c.name) && !has(c, 'ui-read'))
  return step !== undefined
    && (has(step, 'wait-until', 'wait-event', 'idle-wait')
      || (loadsPage(step) && step.named.waitUntil?.is === 'literal' && /^networkidle/.test(String(step.named.waitUntil.value))))
}

/** The script itself asks a server and waits for the answer: what the page shows has no part in it. */
const asksElsewhere = (unit: Unit, ask: Call): boolean =>
  unit.calls.some(c =>
    /^(fetch|XMLHttpRequest\.new)$/.test(c.name)
    && [...around(unit, c.in)].some(r => r.kind === 'closure' && r.call !== undefined && unit.calls[r.call] === ask)
  )

/** `expect(await page.evaluate(() => scrollY)).toBe(0)`: the moment decides, and nothing asks again. */
export function asksOnce(unit: Unit, { operands, span, in: region, claims }: Assertion): Call | undefined {
  // What is not there must not come later either; a number that must be zero has to get there first.
  if (polls(unit, region) || unit.calls.some(c => has(c, 'wait-until') && c.span.start >= span.start && c.span.end <= span.end)
    || (claims === 'absence' && !operands.some(o => o.is === 'literal' && o.value === 0))) return undefined
  for (const value of operands.flatMap(o => [...valuesIn(o, unit)])) {
    const made = value.is === 'name'
      ? unit.writes.findLast(w => w.target === value.path.replace(/\.length$/, '') && w.span.end <= span.start)?.value
      : value
    const call = made?.is === 'call' ? unit.calls[made.call]! : undefined
    if (!call || polls(unit, call.in) || isWaitedBefore(unit, call) || asksElsewhere(unit, call)) continue
    const root = rootOf(call.receiver, unit)
    if (/[eE]val/.test(call.name)
      && !call.args.flatMap(a => [...valuesIn(a, unit)]).some(v =>
        (v.is === 'name' && ((call.args.length > 1 ? GLOBALS : OF_PAGE).test(v.path) || /^(scroll|inner|outer|location)/.test(v.path)))
        || (v.is === 'literal' && /\b(window|document|scroll)/.test(String(v.value)))
      )) continue
    if (ASKS.test(call.name) || (/^\?\.(evaluate|boundingBox|bounding_box|url)$/.test(call.name) && root !== undefined && PAGE.test(root)))
      return call
  }
  return undefined
}

/** Playwright's fixtures that live in another process: whatever is done with them takes its time. */
export const PAGES = /^(page|context|browser|request)$/
/** Made, asked or told to listen, which is done at once. */
const AT_ONCE =
  /^(new|create|make|build|get|is|has|as|with|use|on|mock|stub|expect|set[A-Z]?\w*(Timeout|Listener|Handler)|format|to)(?=[A-Z]|$)|listen|track|collect|log|watch|capture|attach|record|monitor|observe|register|handle|dismiss|ignore|skip|fail/i

/** `initialize({ page })` in a test or hook that is given the page by its runner: it tells the page something, and that is not done at once. */
export const isGivenPage = (unit: Unit, call: Call): boolean =>
  (unit.role.is === 'test' || unit.role.is === 'hook') && call.receiver === null && call.resolution === 'import'
  && !call.name.endsWith('.new') && !AT_ONCE.test(lastOf(call.name))
  && [...call.args, ...Object.values(call.named)].some(a => a.is === 'name' && PAGES.test(a.path) && unit.params.includes(a.path))
