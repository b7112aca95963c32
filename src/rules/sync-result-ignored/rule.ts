import type { Call, Unit } from '../../facts/facts.ts'
import { effectOf, isCalledElsewhere, isTestCode, polls, runsIn, valuesIn, within } from '../../facts/query.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf, least, spell } from '../wording.ts'

export default defineRule(
  {
    id: 'sync-result-ignored', title: 'A wait with a time limit whose outcome nobody looks at: after the limit the test goes on as if it had been reached', category: 'waiting', severity: 'error',
    triggers: ['sync-timed'], confirm: ['cpu-stress'], since: '0.1.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isCalledElsewhere(facts, unit)) continue
      for (const call of unit.calls) {
        const wait = effectOf(call, 'sync-timed')
        if (!wait || call.result === 'used' || call.result === 'returned' || polls(unit, call.in) || runsIn(unit, call.in) !== 'inline') continue
        // A wait that throws when its time is up cannot be ignored.
        if (wait.note === 'throws' || wait.ms === 0 || asksLater(unit, call, wait.note)) continue
        const cleaning = (unit.role.is === 'hook' && unit.role.when === 'after') || within(unit, call.in, 'finally', 'catch', 'with')
        const observed = unit.assertions.some(a => a.span.start > call.span.end)
        // Right after it the test asks for what was awaited: it fails there when the time was up, with a poorer message.
        const asked = asksNext(unit, call)
        const confidence = asked === 'same' ? 'low' : asked === 'something' ? least('medium', confidenceOf(call)) : confidenceOf(call)
        yield {
          at: call.span, unit: unit.id,
          confidence: cleaning || !observed ? 'low' : confidence, ...((cleaning || !observed) && { severity: 'note' as const }),
          message: `waits at most ${wait.ms === undefined ? 'some time' : spell(wait.ms)} and does not look whether it was reached`,
        }
      }
    }
  },
)

/** `thread.join(5)` tells nothing; asking the same thread `is_alive()` afterwards does. */
function asksLater(unit: Unit, call: Call, question: string | undefined): boolean {
  const on = call.receiver?.is === 'name' ? call.receiver : call.args[0]
  if (question === undefined || on?.is !== 'name') return false
  const waited = on.path
  const asks = new RegExp(`(^|[.:])(${question}|isAlive|is_alive|exitcode|is_finished|getState)$`)
  const later = [...unit.calls].filter(c => c.span.start > call.span.end && c.receiver?.is === 'name' && c.receiver.path === waited && asks.test(c.name))
  return later.length > 0 || unit.assertions.some(a => a.span.start > call.span.end && a.operands.some(o => o.is === 'name' && o.path.startsWith(`${waited}.`) && asks.test(o.path)))
}

/** What the next statement asserts: the state of what was awaited, something, or nothing. */
function asksNext(unit: Unit, call: Call): 'same' | 'something' | undefined {
  const next = unit.assertions.find(a => a.span.start > call.span.end)
  if (!next || next.claims === 'absence' || unit.calls.some(c => c.span.start > call.span.end && c.span.end < next.span.start)) return undefined
  const asks = next.operands.flatMap(o => [...valuesIn(o, unit)]).some(v => /(^|[.:])(is_set|isSet|is_alive|isAlive|isDone|is_done|done|getCount|get_count|isTerminated|isCompleted|count)$/.test(v.is === 'call' ? unit.calls[v.call]!.name : v.is === 'name' ? v.path : ''))
  return asks ? 'same' : 'something'
}
