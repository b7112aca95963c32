import { frozenClock, has, isTestCode } from '../../facts/query.ts'
import { defineRule } from '../rule.ts'

export default defineRule(
  {
    id: 'wall-clock-read',
    title: 'Test code reads the wall clock',
    category: 'time',
    severity: 'note',
    triggers: ['clock'],
    audit: true,
    confirm: ['clock-shift'],
    since: '0.1.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const call of unit.calls)
        if (has(call, 'clock') && !frozenClock(facts, unit, call.span.start))
          yield { at: call.span, unit: unit.id, confidence: 'low', message: 'reads the wall clock: a value that no run can repeat' }
    }
  },
)
