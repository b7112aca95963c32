// What stands between two calls of a unit, seen as waiting.

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { has, within } from '../../facts/query.ts'

const HOUSEKEEPING = /(^|[.:])(shutdown|shutdownNow|close|stop|assert\w*|is|require_?\w*|expect\w*|print\w*|log\w*|info|debug)$/

/** `let limit = sleep(5 s)`: a sleep that is kept and not awaited is a timer for something else to race with. */
export function isTimer(unit: Unit, sleep: Call): boolean {
  if (sleep.result !== 'used' || sleep.effects.some(e => e.through !== undefined)) return false
  const holds = (v: Value): boolean =>
    v.is === 'call' && (unit.calls[v.call] === sleep || (PINS.test(unit.calls[v.call]!.name) && unit.calls[v.call]!.args.some(holds)))
  return unit.writes.some(w => holds(w.value)) || unit.calls.some(c => Object.values(c.named).some(holds))
}

const PINS = /(^|[.:])(pin|Some)!?$/

/** The synchronisation point that a sleep comes right after, with nothing but assertions and housekeeping between. */
export function followsSync(unit: Unit, sleep: Call): Call | undefined {
  const index = unit.calls.indexOf(sleep)
  for (let i = index - 1; i >= 0; i--) {
    const call = unit.calls[i]!
    if (call.span.start >= sleep.span.start) continue
    if (has(call, 'sync', 'sync-timed')) return sameStretch(unit, call, sleep) ? call : undefined
    if (!HOUSEKEEPING.test(call.name) && !has(call, 'log') && !isInside(call, unit.calls[i + 1])) return undefined
  }
  return undefined
}

/** Arguments stand before their call: `assertTrue(latch.await(5, SECONDS))`. */
const isInside = (inner: Call, outer: Call | undefined): boolean =>
  outer !== undefined && inner.span.start >= outer.span.start && inner.span.end <= outer.span.end

function sameStretch(unit: Unit, a: Call, b: Call): boolean {
  return a.in === b.in
    || !(within(unit, a.in, 'loop', 'closure', 'if', 'else', 'catch', 'finally', 'background')
      || within(unit, b.in, 'loop', 'closure', 'if', 'else', 'catch', 'finally', 'background'))
}
