import type { Call, Unit } from '../../facts/facts.ts'
import { effectOf } from '../../facts/query.ts'
import { expectedBy, testsReached } from '../../flow/claims/expected.ts'
import { countsDays, hasMoment, isAskedHere, isConverted, zoneOf } from '../../flow/zones/zone.ts'
import { comparesItself } from '../../flow/zones/locales.ts'
import { FORMATTERS, isPutIn, isTold } from '../../flow/zones/zoned-text.ts'
import { byCommands, foreignText } from '../../flow/zones/zone-texts.ts'
import { type Mistaken } from '../../flow/zones/mistaken.ts'
import { type Source } from '../../flow/zones/zone-sources.ts'
import { type FileView, type Report } from '../rule.ts'

export const JUDGED = new Set(['==', '!=', 'contains', 'matches', 'near', 'snapshot'])

const namesZone = ({ name, args }: Call): boolean =>
  /(^|[.:])(FixedZone|LoadLocation|ZoneId\.of|ZoneOffset\.of\w*|TimeZone\.getTimeZone)$/.test(name)
  || args.some(a => a.is === 'name' && /^time\.UTC$|ZoneOffset\.UTC$/.test(a.path))

/** A source whose way into the assertion is not seen, in a test that expects what another zone would not give; one for each test. */
export function* unseen(unit: Unit, seen: Set<number>, { facts, folding }: FileView): Generator<Report> {
  const told = new Set<Unit>()
  for (const [at, call] of unit.calls.entries()) {
    const zone = zoneOf(facts, unit, { is: 'call', call: at }, call.span.start)
    if (!zone || zone.call !== call || zone.is === 'offset' || seen.has(call.span.start) || isConverted(unit, zone)
      || isAskedHere(facts, unit, zone) || comparesItself(unit, call)) continue
    // In an assertion its way is seen.
    if (unit.assertions.some(a => a.span.start <= call.span.start && a.span.end >= call.span.end)) continue
    for (const test of testsReached(facts, unit, call)) {
      // Who asks for the offset reckons with it.
      if (test.calls.some(c => effectOf(c, 'local-zone')?.note === 'zone')) continue
      // Who names a zone shows moments in that one.
      if (zone.is === 'shown' && test.calls.some(namesZone)) continue
      const first = [...expectedBy(facts, test)].some(e =>
        isTold(e.value, zone) && !(zone.is === 'shown' && e.span && isPutIn(String(e.value), test, e.span.start))
      )
      const days = zone.is === 'instant' && countsDays(facts, test, folding)
      if (told.has(test)) break
      if (!days && (!first || (zone.is === 'shown' && (!zone.fixed || FORMATTERS.test(zone.call.name)) && !hasMoment(facts)))) continue
      seen.add(call.span.start), told.add(test)
      yield { at: call.span, unit: unit.id, confidence: 'medium', message: days ? DAYS : SAYS[zone.is],
        related: [{ span: test.nameSpan, message: 'this test expects what one zone gives' }] }
      break
    }
  }
}

/** What is expected tells by itself that one zone is meant; where the zone came in is not seen. */
export function* texts(unit: Unit, seen: Set<number>, { facts, textOf }: FileView): Generator<Report> {
  const isNear = (at: Report['at']) => [...seen].some(s => s >= unit.span.start && s < unit.span.end) || seen.has(at.start)
  const shown = foreignText(facts, unit, textOf)
  for (const { span: at, sure } of [...(shown ? [shown] : []), ...byCommands(facts, unit, textOf)])
    if (!isNear(at)) seen.add(at.start), yield { at, unit: unit.id, confidence: sure ? 'medium' : 'low', message: ONE }
}

const ONE = 'expects what the clocks of one time zone show, and nothing says which zone is meant: elsewhere it is another hour'
export const DAYS = "days are counted as 24 hours between moments of the machine's time zone: where clocks change, one has 23 and one 25"

export const SAYS: Readonly<Record<Exclude<Source['is'], 'days'> | Mistaken['as'] | 'apart', string>> = {
  apart: 'two moments are compared by an operator: the same moment is not equal where it names another zone',
  instant: 'a moment is made by the time zone of the machine and compared with one that is not: elsewhere it is another moment',
  shown: 'a moment is shown in the time zone of the machine: elsewhere it is another hour, and near midnight another day',
  utc: 'the clock of the machine is read by its own zone and called UTC: elsewhere it is hours off',
  local: "a reading of the clock in UTC is taken for one of the machine's zone: elsewhere it is hours off",
  offset: "the offset of the machine's time zone goes into what is expected: it changes with the season, and hours wrap around midnight",
  season:
    'the time of the run is put into a zone with a summer time: twice a year a day there has 23 or 25 hours, and the offset is another',
}
