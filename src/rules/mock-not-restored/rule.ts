import { curedBeyond, has, isTestCode } from '../../facts/query.ts'
import { changersOf, fateOf, hooksUnseen, inheritsUnseen, mayEndBefore, testsBeyond } from '../../flow/state/leaks.ts'
import { defineRule } from '../rule.ts'
import { lower } from '../wording.ts'
import { changesBehaviour, clearedBefore, isUndoing, keptIn, nameOf, onlyWatches, outlives, restoreOf } from './signs.ts'

export default defineRule(
  {
    id: 'mock-not-restored',
    title: 'A test replaces something that outlives it and nothing puts it back',
    category: 'state',
    severity: 'warning',
    triggers: ['mock'],
    confirm: ['shuffle-order', 'isolate'],
    cap: 'medium',
    crowds: 5,
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of changersOf(facts)) {
      if (!isTestCode(facts, unit)
        || (facts.language === 'typescript' && (unit.role.is !== 'test' || testsBeyond(facts, unit).length === 0))) continue
      const call = unit.calls.find(c => has(c, 'mock') && !curedBeyond(facts, unit, restoreOf(c)) && outlives(view, unit, c))
      if (!call) continue
      const kept = keptIn(unit, call)
      const change = { unit, span: call.span, in: call.in, call }
      const fate = fateOf(facts, change, c => isUndoing(c, call, kept))
      if (fate === 'put back' || clearedBefore(view, unit, call)) continue
      const sure = onlyWatches(unit, call) || (fate !== 'stays' && !mayEndBefore(facts, change, c => isUndoing(c, call, kept)))
        ? 'low'
        : fate === 'stays' && call.resolution !== 'guess' && changesBehaviour(unit, call)
        ? 'high'
        : 'medium'
      const what = nameOf(view, call)
      yield {
        at: call.span,
        unit: unit.id,
        confidence: hooksUnseen(facts) ? 'low' : inheritsUnseen(facts, unit) ? lower(sure) : sure,
        message: fate === 'stays'
          ? `replaces ${what}, and nothing puts it back: later tests meet the stand-in`
          : `replaces ${what} and puts it back in the body: a failure before that leaves the stand-in`,
      }
    }
  },
)
