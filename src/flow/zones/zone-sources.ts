// Places of test code where the host's zone surely comes in, for tests whose way from there into the assertion is not seen.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import type { Folding } from '../../facts/fold.ts'
import { ancestors, effectOf, has, valuesIn } from '../../facts/query.ts'
import { asserts, reachesTest } from '../claims/expected.ts'
import { ABSOLUTE_TEXT, countsDays, isConverted, isEpoch, keptIn, ofWallDate, zoneOf, type Zoned } from './zone.ts'
import { isGivenSame } from './zoned-text.ts'

export interface Source {
  /** `days`: days of the machine's calendar, counted as 24 hours. */
  readonly is: Zoned['is'] | 'season' | 'days'
  readonly span: Span
}

/** What is the same everywhere: asked of a moment, or made without the host's zone. */
const SAME_EVERYWHERE =
  /(^|[.:])(toUTCString|toGMTString|getUTC\w+|setUTC\w+|Date\.UTC|moment\.utc|dayjs\.utc|utcfromtimestamp|calendar\.timegm)$/
/** A setter that goes by the wall. */
const SETS = /(^|[.:])setHours$/
const HOST = /^(time\.(timezone|altzone|tzname)|time\.Local)$/
/** They make an instant of the clock on the wall whatever they are given. */
const CERTAIN = /^time\.(mktime|Date|ParseInLocation)$/

export function* zoneSources(file: FileFacts, unit: Unit, folding: Folding): Generator<Source> {
  const told = new Set<string>()
  for (const [at, call] of unit.calls.entries()) {
    const is = isNextDay(file, unit, call) && countsDays(file, unit, folding) ? 'days' : ofCall(file, unit, call, at)
    const key = `${is} ${call.name}`
    if (!is || told.has(key) || !reachesTest(file, unit, call)) continue
    told.add(key)
    yield { is, span: call.span }
  }
  for (const write of unit.writes)
    if (file.language === 'python' && isShifted(write.value, unit) && asserts(file, unit)) yield { is: 'offset', span: write.span }
}

function ofCall(file: FileFacts, unit: Unit, call: Call, at: number): Source['is'] | undefined {
  if (isOffsetOfNow(unit, call)) return 'offset'
  if (isSeasonal(file, unit, call) || (/\.inDaylightTime$/.test(call.name) && call.args.some(a => isClock(file, unit, a, call.span.start))))
    return 'season'
  if (file.language === 'typescript' && SETS.test(call.name))
    return isDate(file, unit, call) && call.args.every(a => a.is === 'literal') && looksAbsolute(file, unit) ? 'instant' : undefined
  if (call.name === 'java.util.Calendar.getInstance') return looksAbsolute(file, unit) ? ofCalendar(unit, call) : undefined
  // In an assertion its way is seen.
  if (unit.assertions.some(a => a.span.start <= call.span.start && a.span.end >= call.span.end)) return undefined
  const zone = zoneOf(file, unit, { is: 'call', call: at }, call.span.start)
  if (!zone || isConverted(unit, zone) || zone.is === 'offset') return undefined
  // Who asks for the offset reckons with it.
  if (zone.call !== call || unit.calls.some(c => effectOf(c, 'local-zone')?.note === 'zone')) return undefined
  const note = effectOf(call, 'local-zone')?.note
  // What formatters and moments show is often made by the same wall in the code under test.
  if (note === 'formatter' || note === 'shown' || note === 'library' || /^java\.text\./.test(call.name)) return undefined
  // Local on both sides is the rule: a moment of the whole world beside it is what makes the difference.
  if ((CERTAIN.test(call.name) && zone.is !== 'instant') || ofWallDate(call)) return zone.is
  if (zone.is === 'shown')
    return zone.sure && zone.fixed && file.language === 'go'
        && !unit.assertions.some(a => a.operands.some(o => isGivenSame(zone, o, unit)))
      ? zone.is
      : undefined
  return looksAbsolute(file, unit) && !isDayOfWall(call) ? zone.is : undefined
}

/** A moment of the whole world beside them is most often another one: days as JDBC keeps them, and a day alone. */
const isDayOfWall = ({ name, args }: Call): boolean =>
  /^java\.sql\.(Date|Timestamp)\.valueOf$/.test(name) || (name === 'Date.new' && args.length === 3)

const NEXT_DAY = /(^|[.:])(AddDate|setDate)$/

/** A day is added to the present as the host's calendar goes. */
const isNextDay = (file: FileFacts, unit: Unit, call: Call): boolean =>
  NEXT_DAY.test(call.name) && call.receiver !== null && isClock(file, unit, call.receiver, call.span.start)

/** A calendar of the host's zone: its day or hour is set, or it is given a moment and must show a number that is written down. */
function ofCalendar(unit: Unit, call: Call): 'instant' | 'shown' | undefined {
  const kept = unit.writes.find(w => w.value.is === 'call' && unit.calls[w.value.call] === call)?.target
  const on = unit.calls.filter(c => c.receiver?.is === 'name' && c.receiver.path === kept)
  const isZoned = call.args.some(a => a.is !== 'name' || !/Locale/.test(a.path)) || on.some(c => /\.setTimeZone$/.test(c.name))
  // Two of them go by the same wall, and so does a formatter.
  const alone =
    unit.calls.filter(c => (c.name === call.name && c.args.length === call.args.length) || effectOf(c, 'local-zone')?.note === 'formatter')
      .length === 1
  if (kept === undefined || !alone || isZoned) return undefined
  if (on.some(c =>
    /\.(set|clear)$/.test(c.name)
    && (c.args.length > 2 || (c.args[0]?.is === 'name' && /YEAR|MONTH|DAY|DATE|HOUR|AM_PM/.test(c.args[0].path)))
  )) return 'instant'
  return on.some(c => /\.setTime(InMillis)?$/.test(c.name)) && on.some(c => /\.get$/.test(c.name) && isWrittenDown(unit, c))
    ? 'shown'
    : undefined
}

/** What the call gives, at once or kept, must be a number in the test. */
function isWrittenDown(unit: Unit, call: Call): boolean {
  const isIt = (v: Value) => v.is === 'call' && unit.calls[v.call] === call
  const kept = new Set(unit.writes.filter(w => isIt(w.value)).map(w => w.target))
  return unit.assertions.some(a =>
    a.compare === '==' && a.operands.some(o => o.is === 'literal' && typeof o.value === 'number')
    && a.operands.some(o => isIt(o) || (o.is === 'name' && kept.has(o.path)))
  )
}

/** The offset of today, for a date that may lie in another season. */
const isOffsetOfNow = (unit: Unit, call: Call): boolean =>
  /^java\.time\.(OffsetDateTime|ZonedDateTime)\.getOffset$|(^|[.:])offset$/.test(call.name) && call.receiver?.is === 'call'
  && has(unit.calls[call.receiver.call]!, 'clock') && !/Utc|utc/.test(unit.calls[call.receiver.call]!.name)
  && unit.calls[call.receiver.call]!.args.length === 0

/** A place whose clocks are put forward and back: its offset in winter is not that in summer. */
const changesClocks = (zone: string): boolean => {
  if (!/^[A-Z]\w+(\/\w+)+$/.test(zone)) return false
  const offset = (month: number) =>
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(Date.UTC(2024, month)).find(p =>
      p.type === 'timeZoneName'
    )?.value
  try {
    return offset(0) !== offset(6)
  } catch {
    return false // No zone by that name.
  }
}
const TAKES_ZONE = /(^|[.:])(In|tz|setZone|astimezone|replace|now|localize|atZone|withZoneSameInstant|with_timezone)$/

/** The present, put into a zone with a summer time. */
function isSeasonal(file: FileFacts, unit: Unit, call: Call): boolean {
  if (!TAKES_ZONE.test(call.name)) return false
  const isNow = has(call, 'clock') || (call.receiver !== null && isClock(file, unit, call.receiver, call.span.start))
  return isNow && [...call.args, ...Object.values(call.named)].some(a => isCity(file, unit, a, call.span.start))
}

const isClock = (file: FileFacts, unit: Unit, value: Value, offset: number): boolean => {
  const kept = value.is === 'name' ? keptIn(file, unit, value.path, offset) : { unit, value }
  const call = kept?.value.is === 'call' ? kept.unit.calls[kept.value.call] : undefined
  return call !== undefined && has(call, 'clock')
}

function isCity(file: FileFacts, unit: Unit, value: Value, offset: number): boolean {
  const kept = value.is === 'name' ? keptIn(file, unit, value.path, offset) : { unit, value }
  return kept !== undefined
    && [...valuesIn(kept.value, kept.unit)].some(v => v.is === 'literal' && typeof v.value === 'string' && changesClocks(v.value))
}

/** `epoch + time.timezone` is off by an hour in summer. */
const isShifted = (value: Value, unit: Unit): boolean =>
  [...valuesIn(value, unit)].some(v => v.is === 'op' && /^[-+]$/.test(v.op) && v.of.some(p => p.is === 'name' && HOST.test(p.path)))

/** A date by its making: a setter of that name may be anybody's. */
function isDate(file: FileFacts, unit: Unit, call: Call): boolean {
  const kept = call.receiver?.is === 'name' ? keptIn(file, unit, call.receiver.path, call.span.start) : undefined
  return kept?.value.is === 'call' && /(^|\.)Date\.new$/.test(kept.unit.calls[kept.value.call]!.name)
}

/** Somewhere in the unit, or in the tests of its suite, stands a moment that is the same everywhere. */
function looksAbsolute(file: FileFacts, unit: Unit): boolean {
  const beside = unit.role.is === 'test'
    ? [unit]
    : file.units.filter(u =>
      u === unit || (unit.role.is !== 'helper' && u.parent === unit.parent) || ancestors(file, u).includes(unit)
      || u.calls.some(c => c.target === unit.id)
    )
  return beside.some(u =>
    u.calls.some(c => SAME_EVERYWHERE.test(c.name) || [...c.args, ...Object.values(c.named)].some(isMoment)) || u.writes.some(w =>
      isMoment(w.value)
    ) || u.assertions.some(a => a.operands.some(isMoment))
  )
}

const isMoment = (v: Value): boolean =>
  v.is === 'literal'
  && (typeof v.value === 'number'
    ? isEpoch(v.value)
    : typeof v.value === 'string' && v.value.length < 300 && /\d:\d/.test(v.value) && ABSOLUTE_TEXT.test(v.value))
