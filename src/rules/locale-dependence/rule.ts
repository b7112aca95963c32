import { fold } from '../../facts/fold.ts'
import { curedOutside, isProperty, isTestCode } from '../../facts/query.ts'
import { formattedText, isByLocale, pinsLocale } from '../../flow/locales.ts'
import { defineRule } from '../rule.ts'
import { way } from '../wording.ts'

const JUDGED = new Set(['==', '!=', 'contains', 'matches', 'snapshot'])
const SAYS = 'a text is made by the locale of the machine and compared with a fixed one: elsewhere separators and names differ'

export default defineRule(
  {
    id: 'locale-dependence', title: 'The outcome depends on the language settings of the machine', category: 'environment', severity: 'warning',
    triggers: ['locale'], words: { java: ['"[^"\\n]*%[-+ 0#(]*,\\d*[df]'] }, confirm: ['locale-shift'], cap: 'medium', since: '0.2.0',
  },
  function* (view) {
    const { facts, flows, folding } = view
    if (pinsLocale(facts) || curedOutside(facts, 'locale')) return
    const seen = new Set<number>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const assertion of unit.assertions) {
        if (!JUDGED.has(assertion.compare)) continue
        const sides = assertion.operands.map(o => flows.ingredients(unit, o, assertion.span.start).origins.filter(x => x.kind === 'locale' && isByLocale(x, facts)))
        const made = assertion.operands.map((o, i) => sides[i]!.length > 0 || formattedText(o, unit, facts.language))
        if (made.filter(Boolean).length !== 1) continue
        const at = made.indexOf(true), origin = sides[at]![0]
        const expected = assertion.compare === 'snapshot' || (assertion.operands[1 - at] !== undefined && typeof fold(assertion.operands[1 - at], unit, folding) === 'string')
        const span = origin && origin.unit === unit.id ? origin.span : assertion.span
        if (seen.has(span.start)) continue
        seen.add(span.start)
        yield {
          // The code under test may go by the same locale.
          at: span, unit: unit.id, confidence: expected && !origin?.opaque ? 'high' : 'low', message: SAYS,
          ...(origin && { trace: way(origin, 'here the locale comes in', { span: assertion.span, message: 'and here it is compared' }) }),
        }
      }
    }
  },
)
