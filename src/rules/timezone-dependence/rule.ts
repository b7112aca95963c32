import type { Unit } from '../../facts/facts.ts'
import { curedOutside, effectOf, isProperty, isTestCode } from '../../facts/query.ts'
import { expectedBy, testsReached } from '../../flow/claims/expected.ts'
import { countsDays, hasMoment, isAskedHere, isConverted, pinsZone, setsZone, zoneOf } from '../../flow/zones/zone.ts'
import { comparesItself } from '../../flow/zones/locales.ts'
import { FORMATTERS, isOffset, isShownWhole, isTold, sureOfZone } from '../../flow/zones/zoned-text.ts'
import { byCommands, foreignText } from '../../flow/zones/zone-texts.ts'
import { zoneForms } from '../../flow/zones/zone-forms.ts'
import { zoneSources, type Source } from '../../flow/zones/zone-sources.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { least } from '../wording.ts'
import { words } from './words.ts'
const JUDGED = new Set(['==', '!=', 'contains', 'matches', 'near', 'snapshot'])
export default defineRule(
  {
    id: 'timezone-dependence', title: 'The outcome depends on the time zone of the machine', category: 'time', severity: 'warning',
    triggers: ['local-zone'], confirm: ['tz-shift'], crowds: 6, since: '0.2.0',
    // Where days are counted as hours, the zone often came in far from there.
    words,
  },
  function* (view) {
    const { facts } = view
    if (pinsZone(facts) || curedOutside(facts, 'zone')) return
    const seen = new Set<number>(), unsure: Report[] = []
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit) || setsZone(facts, unit)) continue
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
          at: found.call.span, unit: found.unit.id, confidence: least(confidence, found.sure ? 'high' : 'medium'), message: SAYS[found.is],
          trace: [{ span: found.call.span, message: 'here the time zone of the machine comes in' }, { span: assertion.span, message: 'and here it is compared' }],
        }
        // What comes later may make it surer.
        if (report.confidence === 'low') unsure.push(report)
        else seen.add(found.call.span.start), yield report
      }
    }
    for (const unit of facts.units) if (isTestCode(facts, unit) && !isProperty(facts, unit) && !setsZone(facts, unit)) yield* unseen(unit, seen, view)
    for (const unit of facts.units) if (isTestCode(facts, unit) && !isProperty(facts, unit) && !setsZone(facts, unit))
      for (const { is, span } of zoneSources(facts, unit, view.folding)) if (!seen.has(span.start)) seen.add(span.start), yield { at: span, unit: unit.id, confidence: is === 'offset' || is === 'season' ? 'high' : 'medium', message: is === 'days' ? DAYS : SAYS[is] }
    for (const unit of facts.units) if (isTestCode(facts, unit) && !isProperty(facts, unit) && !setsZone(facts, unit)) yield* texts(unit, seen, view)
    for (const unit of facts.units) if (isTestCode(facts, unit) && !isProperty(facts, unit) && !setsZone(facts, unit) && ![...seen].some(s => s >= unit.span.start && s < unit.span.end))
      for (const { is, span } of zoneForms(facts, unit)) seen.add(span.start), yield { at: span, unit: unit.id, confidence: 'medium', message: SAYS[is] }
    for (const report of unsure) if (!seen.has(report.at.start)) seen.add(report.at.start), yield report
  },
)

/** A source whose way into the assertion is not seen, in a test that expects what another zone would not give; one for each test. */
function* unseen(unit: Unit, seen: Set<number>, { facts, folding }: FileView): Generator<Report> {
  const told = new Set<Unit>()
  for (const [at, call] of unit.calls.entries()) {
    const zone = zoneOf(facts, unit, { is: 'call', call: at }, call.span.start)
    if (!zone || zone.call !== call || zone.is === 'offset' || seen.has(call.span.start) || isConverted(unit, zone) || isAskedHere(facts, unit, zone) || comparesItself(unit, call)) continue
    // In an assertion its way is seen.
    if (unit.assertions.some(a => a.span.start <= call.span.start && a.span.end >= call.span.end)) continue
    for (const test of testsReached(facts, unit, call)) {
      // Who asks for the offset reckons with it.
      if (test.calls.some(c => effectOf(c, 'local-zone')?.note === 'zone')) continue
      const first = [...expectedBy(facts, test)].some(e => isTold(e.value, zone))
      const days = zone.is === 'instant' && countsDays(facts, test, folding)
      if (told.has(test)) break
      if (!days && (!first || (zone.is === 'shown' && (!zone.fixed || FORMATTERS.test(zone.call.name)) && !hasMoment(facts)))) continue
      seen.add(call.span.start), told.add(test)
      yield { at: call.span, unit: unit.id, confidence: 'medium', message: days ? DAYS : SAYS[zone.is], related: [{ span: test.nameSpan, message: 'this test expects what one zone gives' }] }
      break
    }
  }
}

/** What is expected tells by itself that one zone is meant; where the zone came in is not seen. */
function* texts(unit: Unit, seen: Set<number>, { facts, textOf }: FileView): Generator<Report> {
  const isNear = (at: Report['at']) => [...seen].some(s => s >= unit.span.start && s < unit.span.end) || seen.has(at.start)
  const shown = foreignText(facts, unit, textOf)
  for (const at of [...(shown ? [shown] : []), ...byCommands(facts, unit, textOf)]) if (!isNear(at)) seen.add(at.start), yield { at, unit: unit.id, confidence: 'medium', message: ONE }
}

const ONE = 'expects what the clocks of one time zone show, and nothing says which zone is meant: elsewhere it is another hour'
const DAYS = 'days are counted as 24 hours between moments of the machine\'s time zone: where clocks change, one has 23 and one 25'

const SAYS: Readonly<Record<Exclude<Source['is'], 'days'> | 'apart', string>> = {
  apart: 'two moments are compared by an operator: the same moment is not equal where it names another zone',
  instant: 'a moment is made by the time zone of the machine and compared with one that is not: elsewhere it is another moment',
  shown: 'a moment is shown in the time zone of the machine: elsewhere it is another hour, and near midnight another day',
  offset: 'the offset of the machine\'s time zone goes into what is expected: it changes with the season, and hours wrap around midnight',
  season: 'the time of the run is put into a zone with a summer time: twice a year a day there has 23 or 25 hours, and the offset is another',
}
