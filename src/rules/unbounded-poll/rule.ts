import type { Region, Unit } from '../../facts/facts.ts'
import { around, has, isTestCode, marked, runsIn, valuesIn, within } from '../../facts/query.ts'
import { isInside } from '../../flow/threads/background.ts'
import { defineRule } from '../rule.ts'

export default defineRule(
  {
    id: 'unbounded-poll',
    title: 'A test looks again and again with no limit: if the thing never comes, the run hangs',
    category: 'waiting',
    severity: 'warning',
    triggers: ['sleep'],
    audit: true,
    confirm: ['latency-inject'],
    since: '0.2.0',
  },
  function* ({ facts, textOf }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || marked(facts, unit, 'timeout')) continue
      for (const [at, loop] of unit.regions.entries()) {
        if (loop.kind !== 'loop' || loop.counted || runsIn(unit, loop.in) !== 'inline' || within(unit, loop.in, 'background', 'select'))
          continue
        const sleeps = unit.calls.some(c => has(c, 'sleep') && isInside(unit, c.in, at) && runsIn(unit, c.in) === 'inline')
        if (!sleeps || !waits(unit, loop, at) || isBounded(unit, loop, at, textOf(loop.span))) continue
        yield { at: { start: loop.span.start, end: loop.span.start + (/^[^\n]*/.exec(textOf(loop.span))?.[0].length ?? 1) }, unit: unit.id,
          confidence: 'low', message: 'looks again until it holds, with no limit' }
      }
    }
  },
)

/** The loop ends by what it sees: a condition that asks something, a break under one, or a try that went well. */
const waits = (unit: Unit, loop: Region, at: number): boolean =>
  loop.condition === undefined || loop.condition.is === 'literal'
    ? loop.leaves === true && unit.regions.some(r => (r.kind === 'if' || r.kind === 'try') && isInside(unit, r.in, at))
    : [...valuesIn(loop.condition, unit)].some(v => v.is === 'call' || v.is === 'name')

/** A clock, a counter, a context or a deadline of whoever is around. */
function isBounded(unit: Unit, loop: Region, at: number, text: string): boolean {
  if (unit.calls.some(c => isInside(unit, c.in, at) && has(c, 'clock', 'mono', 'elapsed', 'timeout', 'sync-timed', 'wait-until', 'exit')))
    return true
  if (unit.writes.some(w => isInside(unit, w.in, at) && w.adds)) return true
  if ([...around(unit, loop.in)].some(r => r.call !== undefined && has(unit.calls[r.call]!, 'timeout', 'wait-until', 'sync-timed')))
    return true
  return /time|deadline|attempt|retr|limit|max|count|tries|elapsed|ctx|cancel|SECONDS|left|remaining|\+\+|--\w|\w--|[-+]= ?1/i.test(
    text.replace(/(?:\/\/|#).*$/gm, '').replace(/\b(?:time\.)?sleep\b|\btime\.(?:Sleep|Milli|Sec)\w*/gi, ''),
  )
}
