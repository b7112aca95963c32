import { isProperty, isTestCode } from '../../facts/query.ts'
import { compareNearly } from '../../fixes/floats.ts'
import { isFraction, rounded, type Rounded } from '../../flow/floats.ts'
import { defineRule, type Confidence } from '../rule.ts'

export default defineRule(
  {
    id: 'exact-float-equality', title: 'Rounded numbers are expected to be exactly equal', category: 'numeric', severity: 'warning',
    triggers: [],
    words: { python: ['_(?:at|time|mono|ts)\\w* - [\\w.]+_(?:at|time|mono|ts)', '\\bassert_array_equal\\(', '==\\s*\\d*\\.\\d*[1-9]\\d*\\b'], typescript: ['\\btoBe\\(\\d*\\.\\d+\\)'], rust: ['assert_eq!\\([^;]{0,120}\\d\\.\\d+\\)'] },
    confirm: ['repeat'], since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const assertion of unit.assertions) {
        if (assertion.compare !== '==' || assertion.operands.length < 2) continue
        const sides = assertion.operands.map(o => rounded(facts, unit, o, assertion.span.start))
        const found = sides[0] ?? sides[1]
        if (!found) continue
        const other = assertion.operands[sides[0] ? 1 : 0]!
        const number = other.is === 'literal' && typeof other.value === 'number'
        // Nothing, and what a binary fraction hits, is often met exactly.
        if ((other.is === 'literal' && !number) || (other.is === 'literal' && other.value === 0)) continue
        // Clocks count in whole ticks in most languages and in fractions of a second in Python.
        if (found.how === 'times' && !(facts.language === 'python' && number)) continue
        yield { at: assertion.span, unit: unit.id, confidence: sureOf(found, isFraction(other), number), message: SAYS[found.how], fixes: compareNearly(view, assertion) }
      }
    }
  },
)

function sureOf({ how }: Rounded, fraction: boolean, number: boolean): Confidence {
  if (how === 'times') return 'high'
  return how === 'aggregate' && (fraction || !number) ? 'medium' : 'low'
}

const SAYS: Readonly<Record<Rounded['how'], string>> = {
  times: 'expects the difference of two times to be exact: each is rounded, and the rest depends on when they were read',
  aggregate: 'expects an exact sum or mean of fractions: its last digits depend on the order of the additions and on the machine',
  arithmetic: 'expects an exact result of reckoning with fractions: its last digits are rounded',
}
