import { effectOf, isCalledElsewhere, isTestCode, polls, runsIn, within } from '../../facts/query.ts'
import { assertCall } from '../../fixes/claims.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf, least, spell } from '../wording.ts'
import { asksLater, asksNext, isKept, isOver, isPatient, isRun, waitsAgain } from './signs.ts'

export default defineRule(
  {
    id: 'sync-result-ignored',
    title: 'A wait with a time limit whose outcome nobody looks at: after the limit the test goes on as if it had been reached',
    category: 'waiting',
    severity: 'error',
    triggers: ['sync-timed'],
    words: { python: ['\\.join\\(\\s*(?:timeout\\s*=\\s*)?\\.?\\d'] },
    confirm: ['cpu-stress'],
    cap: 'medium',
    crowds: 6,
    since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isCalledElsewhere(facts, unit)) continue
      for (const call of unit.calls) {
        const wait = effectOf(call, 'sync-timed')
        if (!wait || call.result === 'used' || call.result === 'returned' || polls(unit, call.in) || runsIn(unit, call.in) !== 'inline')
          continue
        // A wait that throws when its time is up cannot be ignored.
        if (wait.note === 'throws' || (wait.ms !== undefined && wait.ms <= 0) || asksLater(unit, call, wait.note) || isOver(unit, call)
          || isKept(unit, call) || isRun(unit, call))
          continue
        const cleaning = (unit.role.is === 'hook' && unit.role.when === 'after') || within(unit, call.in, 'finally', 'catch', 'with')
        const observed = unit.assertions.some(a => a.span.start > call.span.end)
        // Right after it the test asks for what was awaited: it fails there when the time was up, with a poorer message.
        const asked = asksNext(unit, call)
        const confidence = asked === 'same'
          ? 'low'
          : asked === 'something' || waitsAgain(unit, call)
          ? least('medium', confidenceOf(call))
          : confidenceOf(call)
        yield {
          at: call.span,
          unit: unit.id,
          confidence: cleaning || !observed || isPatient(unit, call, wait.ms) ? 'low' : confidence,
          ...((cleaning || !observed) && { severity: 'note' as const }),
          message: `waits at most ${wait.ms === undefined ? 'some time' : spell(wait.ms)} and does not look whether it was reached`,
          fixes: assertCall(view, call),
        }
      }
    }
  },
)
