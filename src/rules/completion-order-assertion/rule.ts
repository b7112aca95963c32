import type { Assertion } from '../../facts/facts.ts'
import { isTestCode } from '../../facts/query.ts'
import { demandsIn } from '../../flow/order/demands.ts'
import { defineRule } from '../rule.ts'
import { way } from '../wording.ts'
import { words } from './words.ts'
import { differ, finishing, SAYS, TURNS } from './signs.ts'

export default defineRule(
  {
    id: 'completion-order-assertion',
    title: 'An assertion expects things in the order in which they happened to finish',
    category: 'order',
    severity: 'warning',
    triggers: ['completion'],
    words,
    confirm: ['cpu-stress', 'repeat'],
    since: '0.2.0',
  },
  function* (view) {
    const told = new Set<Assertion>()
    for (const unit of view.facts.units) {
      if (!isTestCode(view.facts, unit)) continue
      for (const assertion of unit.assertions) {
        if (assertion.compare !== '==' || assertion.operands.length < 2) continue
        const found = finishing(unit, assertion, view)
        if (!found) continue
        if (found.confidence !== 'low') told.add(assertion)
        yield {
          at: assertion.span,
          unit: unit.id,
          confidence: found.confidence,
          message: SAYS,
          trace: way(found.origin, 'results come as they finish', { span: assertion.span, message: 'and are compared place by place' }),
        }
      }
    }
    const demands = demandsIn(view.facts, 'completion')
    for (const demand of demands) {
      const { unit, assertion, found } = demand
      if (told.has(assertion) || !found.spelled || (found.form === 'element' && !differ(demand, demands))) continue
      yield {
        at: assertion.span,
        unit: unit.id,
        confidence: TURNS.test(found.origin.name) && !unit.markers.some(m => m.key?.includes('multi_thread')) ? 'low' : 'medium',
        message: SAYS,
        related: [{ span: found.origin.nameSpan, message: 'one of those that finish when they like' }],
      }
    }
  },
)
