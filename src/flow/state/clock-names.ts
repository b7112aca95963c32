// Names by the clock that nobody else makes at the same moment: a prefix that only one test has, or a clock too fine to be read twice alike.

import type { FileFacts, Span, Unit } from '../../facts/facts.ts'
import { within } from '../../facts/query.ts'
import type { Origin } from '../flow.ts'

interface View { readonly facts: FileFacts; readonly textOf: (span: Span) => string }

const FINE = /nano|hrtime|time_ns|perf_counter|performance\.now/i
const READ = /^\/proc\//

/** The piece of text that a name begins with: before the clock, on its line or the two above. */
function prefixOf(clock: Origin, unit: Unit, { textOf }: View): string | undefined {
  const used = [clock.span, ...clock.steps.map(s => s.span)]
  for (const { start, end } of used.reverse()) {
    const before = textOf({ start: Math.max(unit.span.start, start - 160), end: Math.min(end, unit.span.end) }).split('\n').slice(-4).join('\n')
    const found = [...before.matchAll(/["'`]([^"'`\n]*[A-Za-z]{2}[^"'`\n$%{]*)/g)].at(-1)?.[1]
    if (found && !/^https?:/.test(found)) return found
  }
  return undefined
}

/** One test makes the name, once, and no other begins one like it. */
export function isAlone(clock: Origin, unit: Unit, view: View): boolean {
  const around = view.textOf({ start: Math.max(0, clock.span.start - 40), end: clock.span.end + 60 }).split(';')[0]!
  if (clock.kind !== 'process-id' && FINE.test(around)) return true
  const prefix = prefixOf(clock, unit, view)
  if (prefix === undefined) return false
  if (READ.test(prefix)) return true
  const call = view.facts.units[clock.unit]?.calls[clock.call]
  if (clock.unit !== unit.id || unit.role.is !== 'test' || !call || within(unit, call.in, 'loop')) return false
  return view.textOf(view.facts.units[0]!.span).split(prefix).length === 2
}
