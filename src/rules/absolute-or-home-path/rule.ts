import { isTestCode } from '../../facts/query.ts'
import { isStandIn } from '../../flow/machine/temp-names.ts'
import { defineRule } from '../rule.ts'
import { WORDS } from './words.ts'
import { inHome, messageFor, ownsHome, placeIn, sureness, usedBy } from './signs.ts'

export default defineRule(
  {
    id: 'absolute-or-home-path',
    title: "A test reads or writes in somebody's home",
    category: 'environment',
    severity: 'warning',
    triggers: ['home-read'],
    words: WORDS,
    confirm: ['env-scrub'],
    cap: 'medium',
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    const told = new Set<string>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || ownsHome(unit, view)) continue
      const tilde = inHome(unit)
      // Whoever takes it may only expand or compare it.
      if (tilde)
        yield { at: tilde, unit: unit.id, confidence: 'low',
          message: 'names a place in the home of whoever runs the test: another run has the same, and not every account has one' }
      for (const call of unit.calls) {
        const used = usedBy(call, unit, view)
        const where = used && placeIn(used.path, used.writes, unit, view)
        if (!where || told.has(where) || isStandIn(unit, view)) continue
        told.add(where)
        yield { at: call.span, unit: unit.id, confidence: sureness(where, call, view), message: messageFor(where, used.writes) }
      }
    }
  },
)
