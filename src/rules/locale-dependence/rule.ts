import type { Unit } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { curedOutside, isProperty, isTestCode } from '../../facts/query.ts'
import { formattedBy, formattedText, isByLocale, lackedLocale, localTexts, pinsLocale, setsLocale } from '../../flow/zones/locales.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { way } from '../wording.ts'
import { BYTES, HERE, isSlight, JUDGED, LACKED, MADE, SAID, SAYS, STARTED, unseen } from './signs.ts'

export default defineRule(
  {
    id: 'locale-dependence',
    title: 'The outcome depends on the language settings of the machine',
    category: 'environment',
    severity: 'warning',
    triggers: ['locale'],
    words: {
      java: ['to(?:Lower|Upper)Case\\(\\)', 'getDisplay\\w+\\(\\)', 'getLocalizedMessage\\(', 'Connection re(?:fused|set)',
        'Address already in use', 'Permission denied', '"[^"\\n]*%[-+ 0#(]*,[\\d.]*[df]', '"[^"\\n]*%[\\d-]*(?:\\.\\d+)?f',
        '"[^"\\n]*\\d,\\d{3}\\b', ...STARTED],
      python: ['\\bsetlocale\\(', 'WinError \\d', ...STARTED],
      go: STARTED,
      rust: STARTED,
      typescript: [...STARTED, 'localeCompare\\('],
      bash: ['\\|\\s*sort\\b', '\\\\u[0-9a-fA-F]{2}', ...SAID],
    },
    confirm: ['locale-shift'],
    crowds: 6,
    cap: 'medium',
    since: '0.2.0',
  },
  function* (view) {
    const { facts, flows, folding } = view
    if (pinsLocale(facts) || curedOutside(facts, 'locale')) return
    const seen = new Set<number>(), unsure: { readonly report: Report; readonly from: number }[] = []
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit) || setsLocale(facts, unit)) continue
      for (const assertion of unit.assertions) {
        if (!JUDGED.has(assertion.compare)) continue
        const sides = assertion.operands.map(o =>
          flows.ingredients(unit, o, assertion.span.start).origins.filter(x => x.kind === 'locale' && isByLocale(x, facts))
        )
        const made = assertion.operands.map((o, i) =>
          sides[i]!.length > 0 || formattedText(o, unit, facts.language) || formattedBy(o, unit, facts)
        )
        if (made.filter(Boolean).length !== 1) continue
        const at = made.indexOf(true), origin = sides[at]![0]
        const expected = assertion.compare === 'snapshot'
          || (assertion.operands[1 - at] !== undefined && typeof fold(assertion.operands[1 - at], unit, folding) === 'string')
        const span = origin && origin.unit === unit.id ? origin.span : assertion.span
        if (seen.has(span.start)
          || (at >= 0 && assertion.operands[1 - at] !== undefined && fold(assertion.operands[1 - at], unit, folding) === '')) continue
        const report: Report = {
          // The code under test may go by the same locale.
          at: span,
          unit: unit.id,
          confidence: expected && !origin?.opaque ? 'high' : 'low',
          message: SAYS,
          ...(origin && { trace: way(origin, 'here the locale comes in', { span: assertion.span, message: 'and here it is compared' }) }),
        }
        // What comes later may make it surer.
        if (report.confidence === 'low') unsure.push({ report, from: origin?.span.start ?? span.start })
        else seen.add(span.start), yield report
      }
    }
    for (const unit of facts.units)
      if (isTestCode(facts, unit) && !isProperty(facts, unit) && !setsLocale(facts, unit))
        yield* unseen(unit, seen, view), yield* expectedTexts(unit, seen, view)
    for (const unit of facts.units) {
      const at = isTestCode(facts, unit) && unit.role.is === 'test' ? lackedLocale(unit) : undefined
      if (at) yield { at, unit: unit.id, confidence: 'low', message: LACKED }
    }
    // Of a test, one.
    for (const unit of facts.units)
      if (isTestCode(facts, unit) && !isProperty(facts, unit) && !setsLocale(facts, unit)
        && ![...seen].some(s => s >= unit.span.start && s < unit.span.end))
      {
        for (const span of localTexts(unit, facts.language, folding, view.textOf).slice(0, 1))
          seen.add(span.start),
            yield { at: span, unit: unit.id, confidence: isSlight(unit, span, view) ? 'low' : 'medium',
              message: facts.language === 'bash' ? BYTES : HERE }
      }
    for (const { report, from } of unsure) if (!seen.has(from) && !seen.has(report.at.start)) seen.add(report.at.start), yield report
  },
)

/** `String expected = String.format("%,d", value)`: what is expected goes by the locale, and what the code gives may not. */
function* expectedTexts(unit: Unit, seen: Set<number>, { facts }: FileView): Generator<Report> {
  for (const { target, value, span } of unit.writes)
    if (/expect/i.test(target) && !seen.has(span.start) && formattedText(value, unit, facts.language))
      seen.add(span.start), yield { at: span, unit: unit.id, confidence: 'medium', message: MADE }
}
