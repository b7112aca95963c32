import type { Call, Unit, Value } from '../../facts/facts.ts'
import { has, valuesIn } from '../../facts/query.ts'
import { clockIn, cutsDay, comesBack, fieldOfNow, handedNow, isDayAlone, isSetDay, MAKES_DATE } from '../../flow/time/calendar.ts'
import { type Confidence, type FileView } from '../rule.ts'

/** The format of a shell's `date` that leaves out the day. */
const HOUR_ALONE = /^\+['"]?%(T|R|X|H:%M(:%S)?)['"]?$/
const DAY_OF_RUN = 'writes down which day it is: around midnight, and in another zone, it is another one than the code sees'
const MONTHS = /\b(last|next|[+-]?\s*\d+)\s*months?\b/

export function judge(unit: Unit, call: Call, view: FileView): { message: string; confidence: Confidence } | undefined {
  const last = call.name.slice(Math.max(call.name.lastIndexOf('.'), call.name.lastIndexOf(':')) + 1)
  const now = () =>
    call.receiver !== null
    && (clockIn(unit, call.receiver, call.span.start, view.flows) !== undefined
      || handedNow(view.facts, unit, call.receiver, view.flows) !== undefined)
  if (has(call, 'clock') && call.args.some(a => a.is === 'literal' && MONTHS.test(String(a.value))))
    return { message: 'counts months from today: from the 31st, a month back can be the same month again', confidence: 'medium' }
  if (last === 'date' && call.receiver?.is === 'call' && unit.calls[call.receiver.call]!.name === 'django.utils.timezone.now')
    return { message: 'takes the day of UTC for today: for some hours of each day it is another one where the code runs',
      confidence: 'medium' }
  if (has(call, 'clock') && call.args.some(a => a.is === 'literal' && HOUR_ALONE.test(String(a.value)))
    && unit.writes.some(w => w.span.start <= call.span.start && w.span.end >= call.span.end))
    return { message: 'keeps a time of day without its day: past midnight it means another one', confidence: 'medium' }
  if (/(^|\.)(LocalTime|OffsetTime)\.(plus|minus)(Hours|Minutes)$/.test(call.name) && now())
    return { message: 'moves a time of day by hours and keeps no day: past midnight the later one is the smaller', confidence: 'medium' }
  if (cutsDay(last, call) && now())
    return { message: 'cuts today to the beginning of its day: how much of it has passed depends on when the test runs',
      confidence: 'medium' }
  if ((last === 'with_year' || (/^set(UTC)?FullYear$/.test(last) && call.args.length === 1)) && now())
    return { message: 'puts another year into today: on 29 February there is no such date', confidence: 'medium' }
  if (/Calendar\.set$/.test(call.name) && call.args[0]?.is === 'name' && /[.]MONTH$/.test(call.args[0].path) && now()
    && !isSetDay(unit, call))
    return { message: 'puts another month into today: from the 29th on it can spill over into the next', confidence: 'medium' }
  if ((last === 'replace' || last === 'with_day' || last === 'with_month') && now()) {
    const month = 'month' in call.named || last === 'with_month',
      day = call.named['day'] ?? (last === 'with_day' ? call.args[0] : undefined)
    const safe = day?.is === 'literal' && typeof day.value === 'number' && day.value <= 28
    if ((month && !safe) || (day && !safe))
      return { message: 'puts another month or day into today: some days of the year there is no such date', confidence: 'medium' }
    return 'year' in call.named && !safe
      ? { message: 'puts another year into today: on 29 February there is no such date', confidence: 'medium' }
      : undefined
  }
  if (/^set(UTC)?Month$/.test(last) && call.args.length === 1 && now()
    && !unit.calls.some(c => /\.set(UTC)?Date$/.test(c.name) && c.span.end <= call.span.start))
    return { message: 'puts another month into today: from the 29th on it can spill over into the next', confidence: 'medium' }
  if (last === 'roll' && now() && !isSetDay(unit, call))
    return { message: 'rolls a field of today: at its last value it starts over, so the next day of the month can be the first of the same',
      confidence: 'medium' }
  if (last === 'AddDate' && now() && call.args.slice(0, 2).some(a => !isZero(a)))
    return { message: 'moves today by months or years: a day that the month lacks spills over into the next',
      confidence: isCompared(unit, call) && !isZero(call.args[1]) ? 'medium' : 'low' }
  if (/^(Format|strftime|format|toFormat)$/.test(last) && call.args.some(isDayAlone) && now() && !comesBack(unit, call))
    return { message: DAY_OF_RUN, confidence: 'medium' }
  if (last === 'format' && /DateFormat\.format$/.test(call.name) && isDayFormat(unit, call) && !comesBack(unit, call)
    && call.args.length === 1 && clockIn(unit, call.args[0]!, call.span.start, view.flows))
    return { message: DAY_OF_RUN, confidence: 'medium' }
  // `new Date(now.setDate(now.getDate() - 1))` counts back and rolls over.
  if (!MAKES_DATE.test(call.name) || (call.name === 'Date.new' && call.args.length === 1)) return undefined
  const fields = call.args.flatMap(a => (fieldOfNow(unit, a, call.span.start, view.flows, view.textOf) ? [a] : []))
  if (fields.some(isMoved) && !call.name.startsWith('Date.') && call.name !== 'time.Date')
    return { message: 'adds to a field of today: in December there is no month 13, and at the end of a month no next day',
      confidence: 'medium' }
  // Year, month and day together only cut off the hours.
  return fields.length === 1 && call.args[0] === fields[0] && !isMoved(fields[0]!)
    ? { message: 'makes a date in the year of the run: around New Year it is another one than the code sees', confidence: 'medium' }
    : undefined
}

/** `new SimpleDateFormat("yyyyMMdd")`, kept or not. */
const isDayFormat = (unit: Unit, { receiver, span }: Call): boolean => {
  const made = receiver?.is === 'name'
    ? unit.writes.findLast(w => w.target === receiver.path && w.span.end <= span.start)?.value
    : receiver ?? undefined
  return made?.is === 'call' && unit.calls[made.call]!.args.some(isDayAlone)
}

const isZero = (value: Value | undefined): boolean => value?.is === 'literal' && value.value === 0

/** What it gives is part of what a test compares. */
const isCompared = (unit: Unit, call: Call): boolean => {
  const kept = unit.writes.filter(w => w.span.start <= call.span.start && w.span.end >= call.span.end).map(w => w.target)
  return unit.assertions.some(a =>
    a.compare === '=='
    && a.operands.some(o =>
      [...valuesIn(o, unit)].some(v => (v.is === 'call' && unit.calls[v.call] === call) || (v.is === 'name' && kept.includes(v.path)))
    )
  )
}

const isMoved = (value: Value): boolean => value.is === 'op' && (value.op === '+' || value.op === '-') && value.of.length === 2
