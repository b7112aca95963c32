// Python's coroutines: one that nobody awaits does not even begin, and a task that is dropped goes as far as it happens to.

import type { Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { has, isTestCode, looksLikePoll, valuesIn } from '../../facts/query.ts'

type File = Pick<FileFacts, 'units' | 'kind' | 'imports' | 'language'>

const PLAYWRIGHT = 'playwright.async_api'
const PAGE = /(^|[._])(page|popup|frame|tab|browser|context|locator|dialog)\d?$/
/** Ways to something on a page, which are taken at once. */
const LEADS = /[.](get_by_\w+|locator|frame_locator|content_frame|filter|nth|first|last|and_|or_)$/
const ACTS = new RegExp(
  String
    .raw`[.](click|dblclick|tap|fill|type|press|press_sequentially|check|uncheck|set_checked|hover|focus|blur|clear|select_option|set_input_files|drag_to|drag_and_drop
  |goto|go_back|go_forward|reload|set_content|wait_for|wait_for_\w+|screenshot|dispatch_event|scroll_into_view_if_needed|add_init_script|add_cookies|clear_cookies|route|unroute)$`
    .replace(/\s+/g, ''),
)
const CLAIMS = /[.](not_)?to_(be|have|contain|match)_\w+$/

/** What Playwright's async API is told to do, or is asked, without an `await`. */
export function* leftOnPages(file: File): Generator<{ readonly unit: Unit; readonly call: Call; readonly claims: boolean }> {
  const from = (name: string) => file.imports.some(i => i.name === name || i.name.startsWith(`${name}.`))
  if (file.language !== 'python' || !from(PLAYWRIGHT) || from('playwright.sync_api')) return
  for (const unit of file.units) {
    if (!unit.async || !isTestCode(file, unit)) continue
    for (const call of unit.calls) {
      if (call.result !== 'discarded' || call.target !== undefined) continue
      if (CLAIMS.test(call.name) && asked(unit, call.receiver)) yield { unit, call, claims: true }
      else if (ACTS.test(call.name) && isOnPage(unit, call)) yield { unit, call, claims: false }
    }
  }
}

const asked = (unit: Unit, value: Value | null): boolean => value?.is === 'call' && unit.calls[value.call]!.name === `${PLAYWRIGHT}.expect`

function isOnPage(unit: Unit, { name, receiver }: Call): boolean {
  if (name.startsWith(`${PLAYWRIGHT}.`)) return true
  if (receiver?.is === 'name')
    return PAGE.test(receiver.path)
      || unit.writes.some(w => w.target === receiver.path && w.value.is === 'call' && leads(unit, unit.calls[w.value.call]!))
  return receiver?.is === 'call' && leads(unit, unit.calls[receiver.call]!)
}

const leads = (unit: Unit, call: Call): boolean => LEADS.test(call.name) && isOnPage(unit, call)

/** `create_task(self.produce(3))`, and what that function works on is asked before anything could tell that it is over. */
export function isAskedAfter(file: File, unit: Unit, call: Call): boolean {
  const made = call.args[0]?.is === 'call' ? unit.calls[call.args[0].call]! : undefined
  const work = made?.target === undefined ? undefined : file.units[made.target]!
  // A worker that goes on for ever is meant to run beside.
  if (file.language !== 'python' || !made || !work?.async || work.regions.some(r => r.kind === 'loop' && !r.counted)) return false
  const next = unit.assertions.find(a => a.span.start > call.span.end)
  const between = ({ span }: { span: { start: number } }) => span.start > call.span.end && span.start < (next?.span.end ?? 0)
  if (!next || next.claims !== 'presence' || next.in !== call.in || unit.awaits?.some(between)) return false
  if (unit.calls.some(c =>
    between(c)
    && (has(c, 'sync', 'sync-timed', 'wait-until', 'sleep') || looksLikePoll(c)
      || /wait|join|gather|drain|until|recv|receive|\.get$/i.test(c.name))
  )) return false
  const given = made.args.flatMap(a => (a.is === 'name' ? [a.path] : []))
  const touched = work.calls.flatMap(c => (c.receiver?.is === 'name' && c.receiver.path.startsWith('self.') ? [c.receiver.path] : []))
  const paths = [...given, ...touched]
  return next.operands.some(o =>
    [...valuesIn(o, unit)].some(v => v.is === 'name' && paths.some(p => v.path === p || v.path.startsWith(`${p}.`)))
  )
}
