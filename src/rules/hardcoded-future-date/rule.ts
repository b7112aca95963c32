import type { Assertion, Span, Unit, Value } from '../../facts/facts.ts'
import { frozenClock, isProperty, isTestCode } from '../../facts/query.ts'
import { keptIn } from '../../flow/zones/zone.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { isAhead, isHeld, LIMITS, limitsOf, yearOf } from './signs.ts'

export default defineRule(
  {
    id: 'hardcoded-future-date',
    title: 'A test stops working on a date that it names itself',
    category: 'time',
    severity: 'note',
    cap: 'medium',
    triggers: [],
    words: ['[\'"`]20(?:2[5-9]|3\\d|4[0-5])[-/][01]?\\d', '\\(\\s*20(?:2[5-9]|3\\d|4[0-5])\\s*,\\s*(?:\\d|time\\.|Month\\.)'],
    confirm: ['clock-shift'],
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    if (facts.language === 'bash') return
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const write of unit.writes) if (LIMITS.test(write.target)) yield* told(unit, write.value, write.span, write.target, view)
      for (const call of unit.calls) for (const [name, value] of limitsOf(call)) yield* told(unit, value, call.span, name, view)
      for (const assertion of unit.assertions) yield* bare(unit, assertion, view)
    }
  },
)

function* told(unit: Unit, value: Value, at: Span, name: string, view: FileView): Generator<Report> {
  const kept = value.is === 'name' ? keptIn(view.facts, unit, value.path, at.start) : { unit, value }
  const year = kept && yearOf(kept.value, kept.unit)
  if (year === undefined || frozenClock(view.facts, unit)) return
  yield { at, unit: unit.id, confidence: isHeld(unit, name.split('.').at(-1)!, view) ? 'medium' : 'low',
    message: `${name.split('.').at(-1)} is a date in ${year}: the test changes its outcome once that day is past` }
}

/** `assert date(2031, 1, 1) > date.today()`. */
function* bare(unit: Unit, assertion: Assertion, view: FileView): Generator<Report> {
  const years: number[] = []
  const isDate = (v: Value): boolean => {
    const kept = v.is === 'name' && !LIMITS.test(v.path) ? keptIn(view.facts, unit, v.path, assertion.span.start) : { unit, value: v }
    const year = kept && yearOf(kept.value, kept.unit)
    if (year !== undefined) years.push(year)
    return year !== undefined
  }
  if (!isAhead(assertion, unit, isDate) || frozenClock(view.facts, unit, assertion.span.start)) return
  yield { at: assertion.span, unit: unit.id, confidence: 'medium',
    message: `wants a date in ${years[0]} to lie ahead: the test fails once that day is past` }
}
