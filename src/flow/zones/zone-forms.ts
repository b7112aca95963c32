// Forms that bring the host's zone in by themselves, wherever their value goes: a fixed day of the machine's own calendar, a moment that is
// shown as it stands, texts of a day and hour without a zone.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { has, isInSpan, valuesIn } from '../../facts/query.ts'
import { chainOf, isSetWhole } from '../time/now.ts'
import { comparesItself } from './locales.ts'
import { expectedBy } from '../claims/expected.ts'
import { hasMoment, keptIn } from './zone.ts'
import { isTold } from './zoned-text.ts'

export interface Form {
  readonly is: 'instant' | 'shown' | 'apart'
  readonly span: Span
  /** Something beside it is the same everywhere, so that the two differ elsewhere; most often the code goes by the same wall. */
  readonly sure: boolean
}

/** One of each kind in a test: they have one cure. */
export function* zoneForms(file: FileFacts, unit: Unit): Generator<Form> {
  const told = new Set<string>()
  if (file.language === 'go') yield* comparedByOperator(unit)
  const found = unit.calls.flatMap(call => {
    const is = FORMS[file.language]?.(call, unit)
    return !is || (is === 'instant' && (isLocalThroughout(unit) || hasTwin(unit, call))) || comparesItself(unit, call)
      ? []
      : [{ is, call, sure: isOfOneZone(file, unit, call, is) }]
  })
  for (const { is, call, sure } of [...found.filter(f => f.sure), ...found.filter(f => !f.sure)])
    if (!told.has(call.name)) told.add(call.name), yield { is, span: call.span, sure }
}

/** The same day and hour once more: what goes in and what is expected were made by the same wall. */
const hasTwin = (unit: Unit, call: Call): boolean =>
  call.args.length >= 3 && unit.calls.some(c => c !== call && c.name === call.name && JSON.stringify(c.args) === JSON.stringify(call.args))

/** A day is set as the present of the code under test. */
const SETS_PRESENT = /(^|[.])(mockDate|setSystemTime|useFakeTimers|MockDate\.set|advanceTo|install)$/
/** JavaScript reads a day alone as one of UTC. */
const DAY_ALONE = /^\d{4}-\d\d-\d\d$/

/**
 * Whether one side is known not to go by the machine's zone. What is made by the wall is most often read by the wall again in the code
 * under test, so the form alone says little.
 */
function isOfOneZone(file: FileFacts, unit: Unit, call: Call, is: Form['is']): boolean {
  if (is === 'shown')
    return file.language === 'go'
      ? isShownMoment(call, unit)
      : isCalledUtc(unit, call)
        || (showsMoment(file, unit, call) && unit.assertions.some(a => a.operands.some(o => /\d[:./-]\d/.test(textOf(o)))))
  const text = textOf(call.args[0])
  const isGivenToo = text !== ''
    && unit.calls.some(c => c !== call && c.name !== call.name && [...c.args, ...Object.values(c.named)].some(a => holds(a, unit, text)))
  if (isGivenToo) return false
  // JDBC's days and hours stand for what the wall shows, and are shown by it again.
  if (/^java\.sql\./.test(call.name)) return false
  const isByWall = (v: Value) =>
    [...valuesIn(v, unit)].some(p => p.is === 'call' && FORMS[file.language]?.(unit.calls[p.call]!, unit) === is)
  const asserted = unit.assertions.filter(a => isInSpan(call.span, a.span)).toSorted((a, b) => b.span.start - a.span.start)[0]
  if (asserted && !asserted.operands.every(isByWall)) return true
  // A moment of the whole world is expected; somewhere else in the test it is most often another one.
  if ([...expectedBy(file, unit)].some(e => isTold(e.value, { is: 'instant' }))) return true
  if (file.language === 'go' && (hasMoment({ units: [unit] }) || speaksOfDay(unit, call))) return true
  const value = unit.calls.indexOf(call)
  return unit.calls.some(c => SETS_PRESENT.test(c.name) && c.args.some(a => a.is === 'call' && a.call === value))
    && file.units.some(u => u.calls.some(c => c.args.some(a => [...valuesIn(a, u)].some(v => DAY_ALONE.test(textOf(v))))))
}

/**
 * A text of the test shows the day that was made, or names the zone of the world (`orders-1995-04-21`, `CRON_TZ=UTC 30 9 * * 1-5`), and
 * the test itself does not show the moment.
 */
function speaksOfDay(unit: Unit, call: Call): boolean {
  const kept = unit.writes.find(w => made(w.value, unit) === call)?.target
  if (unit.calls.some(c => /[.](Format|String)$/.test(c.name) && c.receiver?.is === 'name' && c.receiver.path === kept)) return false
  const [year, , day] = call.args.map(a => (a.is === 'literal' ? String(a.value).padStart(2, '0') : undefined))
  if (year === undefined || day === undefined) return false
  const told = new RegExp(`\\b${year}[-/.]?[01]\\d[-/.]?${day}(?!\\d)|\\bUTC\\b`)
  return [...unit.calls.flatMap(c => c.args), ...unit.writes.map(w => w.value), ...unit.assertions.flatMap(a => a.operands)].some(v =>
    [...valuesIn(v, unit)].some(p => told.test(textOf(p)))
  )
}

const holds = (value: Value, unit: Unit, text: string): boolean => [...valuesIn(value, unit)].some(v => textOf(v) === text)

/** `new SimpleDateFormat("HH:mm'Z'").format(date)`: the text says UTC, the hour does not. */
function isCalledUtc(unit: Unit, call: Call): boolean {
  const kept = unit.writes.find(w => made(w.value, unit) === call)?.target
  return /HH.*'Z'$/.test(textOf(call.args[0]))
    && unit.calls.some(c =>
      /[.]format$/.test(c.name)
      && (made(c.receiver, unit) === call || (kept !== undefined && c.receiver?.is === 'name' && c.receiver.path === kept))
    )
}

/** `format.format(new Date(0))`: the moment is given as a count, which is the same everywhere. */
function showsMoment(file: FileFacts, unit: Unit, call: Call): boolean {
  const kept = unit.writes.find(w => made(w.value, unit) === call)?.target
  const isCount = (v: Value | undefined): boolean => {
    const found = v?.is === 'name' ? keptIn(file, unit, v.path, unit.span.end) : v && { value: v, unit }
    const date = found && made(found.value, found.unit)
    return found?.value.is === 'literal'
      ? typeof found.value.value === 'number'
      : date !== undefined && /Date\.new$|ofEpoch\w+$/.test(date.name)
        && date.args.length === 1 && date.args[0]!.is === 'literal'
  }
  return unit.calls.some(c =>
    /[.]format$/.test(c.name) && isCount(c.args[0])
    && (made(c.receiver, unit) === call || (kept !== undefined && c.receiver?.is === 'name' && c.receiver.path === kept))
  )
}

/** Parts of a moment as the machine's own clock and calendar tell them. */
const LOCAL_PART =
  /(^|[.])(get(FullYear|Month|Date|Day|Hours|Minutes)|Year|Month|Day|Hour|Minute|Weekday|YearDay|get(Year|MonthOfYear|MonthValue|DayOfMonth|DayOfWeek|HourOfDay|Hour|MinuteOfHour)|Calendar\.get)$/
/** The same everywhere, or of a zone that is named. */
const OF_THE_WORLD =
  /(^|[.:])(toISOString|toJSON|getTime|valueOf|getUTC\w+|setUTC\w+|toUTCString|toGMTString|Date\.UTC|getTimeInMillis|getMillis|toInstant|toEpoch\w+|Unix(Nano|Milli|Micro)?|UTC|LoadLocation|FixedZone|utc|tz|withZone\w*|ZoneId\.of|forID|JSON\.stringify)$/

const isLocalMaker = ({ name, args }: Call): boolean =>
  (/^Date\.new$|(^|[.])(DateTime|GregorianCalendar|java\.util\.Date)\.new$/.test(name) && args.length >= 3
    && args.every(a => isNumber(a) || (a.is === 'name' && /(^|[.])[A-Z]{3,9}$/.test(a.path))))
  || (name === 'time.Date' && args[7]?.is === 'name' && args[7].path === 'time.Local')

/**
 * What goes in was made by the machine's own calendar, what comes out is held against it again, and no moment of the whole world is beside
 * it.
 */
function isLocalThroughout(unit: Unit): boolean {
  const isLocal = (c: Call) =>
    isLocalMaker(c) || (c.receiver !== null && LOCAL_PART.test(c.name) && (c.args.length === 0 || /Calendar/.test(c.name)))
  if (unit.calls.filter(isLocal).length < 2 || unit.calls.some(c => OF_THE_WORLD.test(c.name)) || hasMoment({ units: [unit] })) return false
  const looked = (v: Value, at: number): Value =>
    v.is === 'name' ? keptIn({ units: [] }, { ...unit, parent: null }, v.path, at)?.value ?? v : v
  // By an assertion, or by a helper of the file that compares the two it is given.
  const compared = [...unit.assertions.map(a => ({ span: a.span, sides: a.operands })),
    ...unit.calls.filter(c => c.target !== undefined && c.args.length >= 2).map(c => ({ span: c.span, sides: c.args }))]
  return compared.some(({ span, sides }) =>
    sides.some(o => [...valuesIn(looked(o, span.start), unit)].some(v => v.is === 'call' && isLocal(unit.calls[v.call]!)))
  )
}

/** `at != time.Unix(17, 0).UTC()`: two equal moments differ where they name another zone. */
function* comparedByOperator(unit: Unit): Generator<Form> {
  const makes = (v: Value) => /^time\.(Unix(Milli|Micro)?|Date)$|^time\.Time\.(UTC|Local|In)$/.test(made(v, unit)?.name ?? '')
  for (const { compare, operands, span } of unit.assertions)
    if (/^[!=]=$/.test(compare) && operands.some(makes) && !unit.calls.some(c => c.span.start === span.start && c.span.end >= span.end))
      yield { is: 'apart', span, sure: true }
}

type Judge = (call: Call, unit: Unit) => Form['is'] | undefined

const textOf = (value: Value | undefined): string => (value?.is === 'literal' && typeof value.value === 'string' ? value.value : '')
const made = (value: Value | null | undefined, unit: Unit): Call | undefined => (value?.is === 'call' ? unit.calls[value.call] : undefined)

/** `time.Date(2022, 8, 2, 15, 49, 10, 0, time.Local)`, `time.Unix(0, 17).Format(layout)`. */
const go: Judge = (call, unit) => {
  const zone = call.name === 'time.Date' && call.args.length === 8 ? call.args[7]! : undefined
  // Asked for its year, it is the same everywhere.
  const asked = unit.calls.some(c =>
    made(c.receiver, unit) === call && /[.](Year|Month|Day|Hour|Minute|Weekday|YearDay|Date|Clock)$/.test(c.name)
  )
  if (zone?.is === 'name' && zone.path === 'time.Local') return call.args[0]!.is === 'literal' && !asked ? 'instant' : undefined
  // `moment.In(time.Local).Format(layout)`, `moment.Local()`.
  // What the clock gives is of here already.
  const of = made(call.receiver, unit)
  if (/[.]Local$/.test(call.name) && call.args.length === 0) return of && has(of, 'clock') ? undefined : 'shown'
  if (/[.]In$/.test(call.name) && call.args[0]?.is === 'name' && call.args[0].path === 'time.Local') return 'shown'
  const from = /(^|[.])(Format|String)$/.test(call.name) ? made(call.receiver, unit) : undefined
  // Prometheus keeps milliseconds and gives them back as a moment of the machine's zone.
  const kept = from && /(^|[.])Time$/.test(from.name) && from.args.length === 0 ? made(from.receiver, unit)?.name : undefined
  return from && (UNIX.test(from.name) || kept === 'github.com/prometheus/common/model.Time') && !givesMoments(unit) ? 'shown' : undefined
}

const UNIX = /^time\.Unix(Milli|Micro)?$/

/** `Order{Placed: time.Unix(17, 0)}`: the code is given moments of the same kind, and shows them by the same wall. */
const givesMoments = (unit: Unit): boolean => unit.calls.some(c => UNIX.test(c.name) && !unit.calls.some(o => made(o.receiver, unit) === c))

/** `time.Unix(0, 17).Format(layout)`, `time.Date(2024, …, time.UTC).Local()`: a moment that is the same everywhere is shown as it is here. */
const isShownMoment = (call: Call, unit: Unit): boolean =>
  /(^|[.])(Format|String)$/.test(call.name) || /^time\.(Unix\w*|Date|Parse)$/.test(made(call.receiver, unit)?.name ?? '')

const ZONED_PATTERN = /[zZX]/

/** `new DateTime(2009, 10, 31, 12, 0)`, `new GregorianCalendar(2017, 3, 25)`: a day and an hour, and no zone behind them. */
const DAYS_OF_HERE = /(^|[.])(DateTime|GregorianCalendar)\.new$/
const ZONE_OF_HERE = /(^|[.])(TimeZone\.getDefault|ZoneId\.systemDefault|DateTimeZone\.getDefault)$/
const isNumber = (value: Value): boolean =>
  (value.is === 'literal' && typeof value.value === 'number') || (value.is === 'name' && /Calendar[.][A-Z]+$/.test(value.path))

/** A calendar reckons its moment when it is first asked, by the zone that it has then. */
function isZonedLater(call: Call, unit: Unit): boolean {
  const kept = unit.writes.find(w => made(w.value, unit) === call)?.target
  return unit.calls.some(c =>
    kept !== undefined && /[.]setTimeZone$/.test(c.name) && c.span.start > call.span.start && c.receiver?.is === 'name'
    && c.receiver.path === kept
  )
}

/** `new SimpleDateFormat("yyyy-MM-dd HH:mm")` whose zone nobody sets; a day and hour as JDBC reads it. */
const java: Judge = (call, unit) => {
  if (call.name === 'java.util.Date.new' && call.args.length >= 3)
    return call.args.every(a => a.is === 'literal' || a.is === 'name')
      ? 'instant'
      : undefined
  if (DAYS_OF_HERE.test(call.name) && call.args.length >= 3 && call.args.every(isNumber))
    return isZonedLater(call, unit) || (call.args.length === 3 && unit.assertions.some(a => isInSpan(call.span, a.span)))
      ? undefined
      : 'instant'
  // `new DateTime().withDate(2017, 5, 21).withTime(0, 0, 0, 0)`: a day and an hour once more, and no zone on the way.
  if (/[.]withTime$/.test(call.name)) {
    const value: Value = { is: 'call', call: unit.calls.indexOf(call) }, chain = chainOf(unit, value)
    return chain.at(-1) === 'org.joda.time.DateTime.new' && isSetWhole(unit, value) && !chain.some(n => /[.]withZone\w*$/.test(n))
      ? 'instant'
      : undefined
  }
  if (/(^|[.])DateTime\.parse$/.test(call.name) && DAY_AND_HOUR.test(textOf(call.args[0])) && call.args.length === 1) return 'instant'
  if (ZONE_OF_HERE.test(call.name)) return 'shown'
  if (/^java\.sql\.(Date|Timestamp)\.valueOf$/.test(call.name)) return textOf(call.args[0]) === '' ? undefined : 'instant'
  if (!/^java\.text\.(SimpleDateFormat\.new|(Simple)?DateFormat\.get\w*Instance)$/.test(call.name)
    || ZONED_PATTERN.test(textOf(call.args[0]).replace(/'[^']*'/g, ''))) return undefined
  const kept = unit.writes.find(w => w.value.is === 'call' && unit.calls[w.value.call] === call)?.target
  const on = unit.calls.filter(c => kept !== undefined && c.receiver?.is === 'name' && c.receiver.path === kept).map(c =>
    c.name.slice(c.name.lastIndexOf('.') + 1)
  )
  // There and back is the same everywhere.
  return on.includes('setTimeZone') || on.includes('setCalendar') || (on.includes('format') && on.includes('parse')) ? undefined : 'shown'
}

const DAY_AND_HOUR = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/

/** `new Date('2017-09-06T17:14:01')`: no Z. The day of the machine, taken from the present. */
const typescript: Judge = (call, unit) => {
  // Who asks for the offset reckons with it.
  // A day of the machine's own is the same day to whoever asks it as a day, and most likely to what an assertion hands it to.
  const by = unit.calls.find(c =>
    made(c.receiver, unit) === call
    || (c.receiver?.is === 'name'
      && unit.writes.some(w => w.target === (c.receiver as { path: string }).path && made(w.value, unit) === call))
  )?.name ?? ''
  if (call.name === 'Date.new' && call.args.length >= 3 && call.args.every(a => a.is === 'literal' && typeof a.value === 'number'))
    return unit.calls.some(c => /getTimezoneOffset$/.test(c.name)) || /[.]get[A-Z]\w+$/.test(by)
        || (call.args.length === 3 && unit.assertions.some(a => a.span.start <= call.span.start && a.span.end >= call.span.end))
      ? undefined
      : 'instant'
  if (call.name === 'Date.new')
    return call.args.length === 1 && DAY_AND_HOUR.test(textOf(call.args[0])) && !unit.calls.some(c => /getTimezoneOffset$/.test(c.name))
      ? 'instant'
      : undefined
  if (!/^\?\.(getDate|getMonth|getFullYear)$|^Date\.(getDate|getMonth|getFullYear)$/.test(call.name) || call.receiver?.is !== 'name')
    return undefined
  const path = call.receiver.path
  const now = unit.writes.some(w => w.target === path && w.value.is === 'call' && has(unit.calls[w.value.call]!, 'clock'))
  const at = unit.calls.indexOf(call)
  return now
      && [...unit.writes.map(w => w.value), ...unit.assertions.flatMap(a => a.operands)].some(v =>
        [...valuesIn(v, unit)].some(p => p.is === 'text' && [...valuesIn(p, unit)].some(x => x.is === 'call' && x.call === at))
      )
    ? 'shown'
    : undefined
}

const FORMS: Partial<Record<FileFacts['language'], Judge>> = { go, java, typescript }
