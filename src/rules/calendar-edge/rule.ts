import type { Assertion, Call, Unit, Value } from '../../facts/facts.ts'
import { frozenClock, has, isProperty, isTestCode, valuesIn } from '../../facts/query.ts'
import { clockIn, cutsDay, comesBack, fieldOfNow, handedNow, isDayAlone, isSetDay, MAKES_DATE, movedMonth, passingField } from '../../flow/time/calendar.ts'
import { defineRule, type Confidence, type FileView, type Report } from '../rule.ts'

export default defineRule(
  {
    id: 'calendar-edge', title: 'The outcome depends on where in the calendar the test runs', category: 'time', severity: 'warning',
    triggers: ['clock'], confirm: ['clock-shift'], crowds: 4, since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit) || unit.role.is === 'suite' || unit.role.is === 'module') continue
      if (!unit.calls.some(c => has(c, 'clock')) && !unit.calls.some(c => c.receiver && handedNow(facts, unit, c.receiver, view.flows))) continue
      for (const call of unit.calls) yield* moved(unit, call, view)
      yield* nextMonth(unit, view)
      const told = new Set<Call>()
      for (const assertion of unit.assertions) {
        const clock = passingField(assertion, unit, view.flows, view.textOf)
        if (clock && !frozenClock(facts, unit, clock.span.start)) told.add(clock), yield { at: assertion.span, unit: unit.id, confidence: 'medium', message: 'asks for the day or hour of the run: around its end, or on another day, it is another one' }
      }
      for (const region of unit.regions) {
        if (region.kind !== 'if' || !region.condition) continue
        const field = fieldOfNow(unit, region.condition, region.span.start, view.flows, view.textOf)
        if (field && !told.has(field.clock) && !frozenClock(facts, unit, field.clock.span.start)) yield { at: field.span, unit: unit.id, confidence: 'medium', message: 'the test takes another way by the day or hour on which it runs: most runs never see one of them' }
      }
    }
  },
)

/** `today.month + 1`, kept or compared; `today.month - 1` only compared, for kept it counts from nought. */
function* nextMonth(unit: Unit, { facts, flows, textOf }: FileView): Generator<Report> {
  const isJs = facts.language === 'typescript'
  const asks = (a: Assertion, like: RegExp) => a.operands.some(o => o.is === 'call' && like.test(unit.calls[o.call]!.name))
  const kept = isJs ? [] : unit.writes.map(w => ({ span: w.span, values: [w.value], back: false }))
  const compared = unit.assertions.filter(a => a.compare === '==' && (!isJs || asks(a, /\.get(UTC)?Month$/))).flatMap(a => [false, true].map(back => ({ span: a.span, values: a.operands, back })))
  for (const { span, values, back } of [...kept, ...compared]) {
    const clock = values.map(v => movedMonth(unit, v, span.start, flows, textOf, back)).find(c => c !== undefined)
    // Calendars and dates of old count from nought too.
    if (back && facts.language === 'java' && values.some(v => v.is === 'call' && /\.(get|getMonth)$/.test(unit.calls[v.call]!.name))) continue
    if (clock && !frozenClock(facts, unit, clock.span.start)) yield { at: span, unit: unit.id, confidence: 'medium', message: back ? 'takes from the month of today: in January there is no month before it' : 'adds to the month of today: in December there is no month 13' }
  }
}

/** The format of a shell's `date` that leaves out the day. */
const HOUR_ALONE = /^\+['"]?%(T|R|X|H:%M(:%S)?)['"]?$/
const MONTHS = /\b(last|next|[+-]?\s*\d+)\s*months?\b/

function* moved(unit: Unit, call: Call, view: FileView): Generator<Report> {
  const said = judge(unit, call, view)
  if (said && !frozenClock(view.facts, unit, call.span.start)) yield { at: call.span, unit: unit.id, ...said }
}

function judge(unit: Unit, call: Call, view: FileView): { message: string; confidence: Confidence } | undefined {
  const last = call.name.slice(Math.max(call.name.lastIndexOf('.'), call.name.lastIndexOf(':')) + 1)
  const now = () => call.receiver !== null && (clockIn(unit, call.receiver, call.span.start, view.flows) !== undefined || handedNow(view.facts, unit, call.receiver, view.flows) !== undefined)
  if (has(call, 'clock') && call.args.some(a => a.is === 'literal' && MONTHS.test(String(a.value))))
    return { message: 'counts months from today: from the 31st, a month back can be the same month again', confidence: 'medium' }
  if (last === 'date' && call.receiver?.is === 'call' && unit.calls[call.receiver.call]!.name === 'django.utils.timezone.now')
    return { message: 'takes the day of UTC for today: for some hours of each day it is another one where the code runs', confidence: 'medium' }
  if (has(call, 'clock') && call.args.some(a => a.is === 'literal' && HOUR_ALONE.test(String(a.value))) && unit.writes.some(w => w.span.start <= call.span.start && w.span.end >= call.span.end))
    return { message: 'keeps a time of day without its day: past midnight it means another one', confidence: 'medium' }
  if (/(^|\.)(LocalTime|OffsetTime)\.(plus|minus)(Hours|Minutes)$/.test(call.name) && now())
    return { message: 'moves a time of day by hours and keeps no day: past midnight the later one is the smaller', confidence: 'medium' }
  if (cutsDay(last, call) && now())
    return { message: 'cuts today to the beginning of its day: how much of it has passed depends on when the test runs', confidence: 'medium' }
  if ((last === 'replace' || last === 'with_day' || last === 'with_month') && now()) {
    const month = 'month' in call.named || last === 'with_month', day = call.named['day'] ?? (last === 'with_day' ? call.args[0] : undefined)
    const safe = day?.is === 'literal' && typeof day.value === 'number' && day.value <= 28
    if ((month && !safe) || (day && !safe)) return { message: 'puts another month or day into today: some days of the year there is no such date', confidence: 'medium' }
    return 'year' in call.named && !safe ? { message: 'puts another year into today: on 29 February there is no such date', confidence: 'medium' } : undefined
  }
  if (/^set(UTC)?Month$/.test(last) && call.args.length === 1 && now() && !unit.calls.some(c => /\.set(UTC)?Date$/.test(c.name) && c.span.end <= call.span.start))
    return { message: 'puts another month into today: from the 29th on it can spill over into the next', confidence: 'medium' }
  if (last === 'roll' && now() && !isSetDay(unit, call))
    return { message: 'rolls a field of today: at its last value it starts over, so the next day of the month can be the first of the same', confidence: 'medium' }
  if (last === 'AddDate' && now() && call.args.slice(0, 2).some(a => !isZero(a)))
    return { message: 'moves today by months or years: a day that the month lacks spills over into the next', confidence: isCompared(unit, call) && !isZero(call.args[1]) ? 'medium' : 'low' }
  if (/^(Format|strftime|format|toFormat)$/.test(last) && call.args.some(isDayAlone) && now() && !comesBack(unit, call))
    return { message: 'writes down which day it is: around midnight, and in another zone, it is another one than the code sees', confidence: 'medium' }
  // `new Date(now.setDate(now.getDate() - 1))` counts back and rolls over.
  if (!MAKES_DATE.test(call.name) || (call.name === 'Date.new' && call.args.length === 1)) return undefined
  const fields = call.args.flatMap(a => (fieldOfNow(unit, a, call.span.start, view.flows, view.textOf) ? [a] : []))
  if (fields.some(isMoved) && !call.name.startsWith('Date.') && call.name !== 'time.Date') return { message: 'adds to a field of today: in December there is no month 13, and at the end of a month no next day', confidence: 'medium' }
  // Year, month and day together only cut off the hours.
  return fields.length === 1 && call.args[0] === fields[0] && !isMoved(fields[0]!) ? { message: 'makes a date in the year of the run: around New Year it is another one than the code sees', confidence: 'medium' } : undefined
}

const isZero = (value: Value | undefined): boolean => value?.is === 'literal' && value.value === 0

/** What it gives is part of what a test compares. */
const isCompared = (unit: Unit, call: Call): boolean => {
  const kept = unit.writes.filter(w => w.span.start <= call.span.start && w.span.end >= call.span.end).map(w => w.target)
  return unit.assertions.some(a => a.compare === '==' && a.operands.some(o => [...valuesIn(o, unit)].some(v => (v.is === 'call' && unit.calls[v.call] === call) || (v.is === 'name' && kept.includes(v.path)))))
}

const isMoved = (value: Value): boolean => value.is === 'op' && (value.op === '+' || value.op === '-') && value.of.length === 2
