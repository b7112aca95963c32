import { curedOutside, isProperty, isTestCode } from '../../facts/query.ts'
import { mistaken } from '../../flow/zones/mistaken.ts'
import { pinsZone, setsZone, zoneOf } from '../../flow/zones/zone.ts'
import { isOffset, isShownWhole, sureOfZone } from '../../flow/zones/zoned-text.ts'
import { zoneForms } from '../../flow/zones/zone-forms.ts'
import { zoneSources } from '../../flow/zones/zone-sources.ts'
import { defineRule, type Report } from '../rule.ts'
import { least } from '../wording.ts'
import { words } from './words.ts'
import { DAYS, JUDGED, SAYS, texts, unseen } from './signs.ts'

export default defineRule(
  {
    id: 'timezone-dependence',
    title: 'The outcome depends on the time zone of the machine',
    category: 'time',
    severity: 'warning',
    triggers: ['local-zone'],
    confirm: ['tz-shift'],
    crowds: 6,
    since: '0.2.0',
    // Where days are counted as hours, the zone often came in far from there.
    words,
  },
  function* (view) {
    const { facts } = view
    if (pinsZone(facts) || curedOutside(facts, 'zone')) return
    const seen = new Set<number>(), unsure: Report[] = []
    const units = facts.units.filter(u => isTestCode(facts, u) && !isProperty(facts, u) && !setsZone(facts, u))
    for (const unit of units) {
      for (const assertion of unit.assertions) {
        if (!JUDGED.has(assertion.compare)) continue
        const zones = assertion.operands.map(o => zoneOf(facts, unit, o, assertion.span.start))
        // Both sides go by the same wall clock, whatever it shows.
        const zoned = zones.filter(z => z !== undefined)
        if (assertion.operands.every(isShownWhole)) continue
        const found = zoned.length === 1 || isOffset(zoned) ? zoned.find(z => z.is === 'offset') ?? zoned[0] : undefined
        if (!found || seen.has(found.call.span.start)) continue
        const confidence = sureOfZone(found, assertion.operands[1 - zones.indexOf(found)], unit, assertion, view)
        if (!confidence) continue
        const report: Report = {
          at: found.call.span,
          unit: found.unit.id,
          confidence: least(confidence, found.sure ? 'high' : 'medium'),
          message: SAYS[found.is],
          trace: [{ span: found.call.span, message: 'here the time zone of the machine comes in' }, { span: assertion.span,
            message: 'and here it is compared' }],
        }
        // What comes later may make it surer.
        if (report.confidence === 'low') unsure.push(report)
        else seen.add(found.call.span.start), yield report
      }
    }
    for (const unit of units)
      for (const { as, span } of mistaken(facts, unit))
        if (!seen.has(span.start)) seen.add(span.start), yield { at: span, unit: unit.id, confidence: 'medium', message: SAYS[as] }
    for (const unit of units) yield* unseen(unit, seen, view)
    for (const unit of units)
      for (const { is, span } of zoneSources(facts, unit, view.folding))
        if (!seen.has(span.start))
          seen.add(span.start), yield { at: span, unit: unit.id, confidence: 'medium', message: is === 'days' ? DAYS : SAYS[is] }
    for (const unit of units) yield* texts(unit, seen, view)
    for (const unit of units) {
      if ([...seen].some(s => s >= unit.span.start && s < unit.span.end)) continue
      for (const { is, span, sure } of zoneForms(facts, unit))
        seen.add(span.start), yield { at: span, unit: unit.id, confidence: sure ? 'medium' : 'low', message: SAYS[is] }
    }
    for (const report of unsure) if (!seen.has(report.at.start)) seen.add(report.at.start), yield report
  },
)
