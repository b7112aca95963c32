// Fields of the present moment: its year, month, day or hour. They change all at once, at a boundary.

import type { Assertion, Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { callsOf, has, valuesIn } from '../../facts/query.ts'
import { isHandedOn, isInstant, type Flows } from '../flow.ts'

const FIELD =
  /(^|[.:])(get(UTC)?(FullYear|Month|Date|Day|Hours)|getYear|getMonthValue|getDayOfMonth|getDayOfWeek|getDayOfYear|getHour|year|month|day|weekday|isoweekday|toordinal|hour|Year|Month|Day|Weekday|YearDay|Hour)$/
/** Makers of a date from its fields that refuse a field out of range. */
export const MAKES_DATE =
  /^(datetime\.(datetime|date)|java\.time\.(LocalDate|LocalDateTime|ZonedDateTime|OffsetDateTime|YearMonth|MonthDay)\.of|chrono::(Utc|Local|NaiveDate)::(ymd|ymd_opt|from_ymd|from_ymd_opt|with_ymd_and_hms)|time\.Date|Date\.new|Date\.UTC|java\.util\.GregorianCalendar\.new)$/

/** `calendar.get(Calendar.MONTH)` names its field in an argument. */
const CALENDAR_FIELDS: Readonly<Record<string, string>> = { YEAR: '.getYear', MONTH: '.getMonth', DAY_OF_MONTH: '.getDayOfMonth',
  DATE: '.getDayOfMonth', DAY_OF_WEEK: '.getDayOfWeek', DAY_OF_YEAR: '.getDayOfYear', HOUR_OF_DAY: '.getHour', HOUR: '.getHour' }
const fieldAsked = ({ name, args: [field] }: Call): string =>
  /Calendar\.get$/.test(name) && field?.is === 'name' ? field.path.slice(field.path.lastIndexOf('.') + 1) : ''

export interface Field {
  readonly clock: Call
  readonly span: Span
}

/** The field of the present moment in a value, if there is one: `today.year`, `LocalDate.now().getMonth()`. */
export function fieldOfNow(unit: Unit, value: Value, offset: number, flows: Flows, textOf: (span: Span) => string, which = FIELD):
  | Field
  | undefined
{
  for (const v of valuesIn(value, unit)) {
    const call = v.is === 'call' ? unit.calls[v.call] : undefined
    if (call?.receiver && which.test(CALENDAR_FIELDS[fieldAsked(call)] ?? call.name)) {
      const clock = clockIn(unit, call.receiver, offset, flows)
      if (clock && !(fieldAsked(call) && isSetDay(unit, call))) return { clock, span: call.span }
    }
    // `date.today().year` keeps the reading and leaves out the field's name, which is read behind it.
    if (call && has(call, 'clock')
      && which.test(`.${/^\.(\w+)\b(?!\()/.exec(textOf({ start: call.span.end, end: call.span.end + 16 }))?.[1] ?? ''}`))
      return { clock: call, span: call.span }
    if (v.is === 'name' && v.path.includes('.') && which.test(v.path)) {
      const clock = clockIn(unit, { is: 'name', path: v.path.slice(0, v.path.lastIndexOf('.')) }, offset, flows)
      if (clock) return { clock, span: clock.span }
    }
  }
  return undefined
}

/** A reading of the clock that a value is, moved or not. */
export function clockIn(unit: Unit, value: Value, offset: number, flows: Flows): Call | undefined {
  const found = flows.ingredients(unit, value, offset).origins.find(o =>
    o.kind === 'clock' && isInstant(o) && !o.opaque && o.unit === unit.id
  )
  return found && unit.calls[found.call]
}

/** The caller that hands the present moment to a helper, where a value is its parameter. */
export function handedNow(file: Pick<FileFacts, 'units'>, unit: Unit, value: Value, flows: Flows): Unit | undefined {
  const at = value.is === 'name' && unit.role.is === 'helper' ? unit.params.filter(p => p !== 'self').indexOf(value.path) : -1
  return at < 0
    ? undefined
    : callsOf(file, unit).find(({ by, call: { args, span } }) =>
      args[at] !== undefined && clockIn(by, args[at], span.start, flows) !== undefined
    )?.by
}

/** Fields that change at midnight or with the hour; a year ends too seldom to matter here. */
const PASSING =
  /(^|[.:])(get(UTC)?(Date|Day|Hours)|getDayOf(Month|Week|Year)|getHour|day|weekday|isoweekday|hour|Day|Weekday|YearDay|Hour)$/

/**
 * The reading whose day or hour is expected to be that of another moment: `later.day == now.day`, `now.plusHours(1).getDayOfWeek()` beside
 * `now.getDayOfWeek()`. Or to be a certain one: `now.weekday() < 5`.
 */
export function passingField({ compare, operands: [left, right], span }: Assertion, unit: Unit, flows: Flows,
  textOf: (span: Span) => string): Call | undefined
{
  if (!left || !right || !/^(==|[<>]=?)$/.test(compare)) return undefined
  const fields = [left, right].map(side => fieldOfNow(unit, side, span.start, flows, textOf, PASSING))
  const clock = (fields[0] ?? fields[1])?.clock
  if (!clock) return undefined
  // `planSale(now.hour) == null` asks whether something went wrong.
  if (left.is === 'literal' || right.is === 'literal')
    return [left, right].some(v => v.is === 'literal' && v.value === null)
      ? undefined
      : clock
  // What was given the reading may give it back, with the same day in it.
  if (!(fields[0] && fields[1])
    && [left, right].some(side =>
      flows.ingredients(unit, side, span.start).origins.some(o =>
        o.unit === unit.id && unit.calls[o.call] === clock && isHandedOn(unit, o, span)
      )
    )) return undefined
  const asked = [left, right].every((side, i) => fields[i] !== undefined || namesField(unit, side))
  const isOne = fields[0]?.clock === fields[1]?.clock
  return compare === '==' && asked
      && (!isOne || textOf(fields[0]!.span) !== textOf(fields[1]!.span) || isMovedFrom(unit, left) !== isMovedFrom(unit, right))
    ? clock
    : undefined
}

const namesField = (unit: Unit, value: Value): boolean =>
  (value.is === 'name' && value.path.includes('.') && PASSING.test(value.path))
  || (value.is === 'call' && unit.calls[value.call]!.receiver !== null && PASSING.test(unit.calls[value.call]!.name))
/** It was kept before its field was asked for, so it may have been moved. */
const isMovedFrom = (unit: Unit, value: Value): string =>
  value.is === 'name'
    ? value.path
    : value.is === 'call' && unit.calls[value.call]!.receiver?.is === 'name'
    ? (unit.calls[value.call]!.receiver as { path: string }).path
    : ''

const MONTH = /(^|[.:])(get(UTC)?Month|getMonthValue|month|Month)$/

/**
 * The month of today with a number added to it or, where `back`, taken from it, as it stands: `today.month + 1`. JavaScript counts
 * months from nought, so there `getMonth() + 1` is the month itself.
 */
export const movedMonth = (unit: Unit, value: Value, offset: number, flows: Flows, textOf: (span: Span) => string, back = false):
  | Call
  | undefined => movedField(unit, value, offset, flows, textOf, MONTH, back ? ['-'] : ['+'])

/** A field of the present moment with a number added to it or taken from it, as it stands. */
function movedField(unit: Unit, value: Value, offset: number, flows: Flows, textOf: (span: Span) => string, which: RegExp,
  signs: readonly string[]): Call | undefined
{
  // `names[today.month - 1]` asks for the name of a month.
  if (value.is === 'op' && (value.op === '?' || value.op === '%' || value.op === '[]')) return undefined
  // `('' + (now.getHours() + 100)).slice(1)` only writes two figures.
  if (value.is === 'op' && signs.includes(value.op) && value.of[1]?.is === 'literal' && Number(value.of[1].value) < 60) {
    const of = value.of[0]!.is === 'group' ? value.of[0]!.of[0] ?? value.of[0]! : value.of[0]!
    const call = of.is === 'call' ? unit.calls[of.call] : undefined
    // `date.today().month`: the field's name is read behind the reading. A shell asks for the field alone: `date +%M`.
    if (call && has(call, 'clock')) {
      const behind = /^\.(\w+)\b(?!\()/.exec(textOf({ start: call.span.end, end: call.span.end + 12 }))?.[1] ?? shellField(call)
      if (behind !== undefined && which.test(`.${behind}`)) return call
    }
    const on = call && which.test(call.name)
      ? call.receiver
      : of.is === 'name' && which.test(of.path) && of.path.includes('.')
      ? { is: 'name' as const, path: of.path.slice(0, of.path.lastIndexOf('.')) }
      : null
    return on ? clockIn(unit, on, offset, flows) : undefined
  }
  const parts = value.is === 'op' || value.is === 'group' ? value.of : value.is === 'text' ? value.parts : []
  return parts.map(p => movedField(unit, p, offset, flows, textOf, which, signs)).find(c => c !== undefined)
}

const SHELL_FIELDS: Readonly<Record<string, string>> = { H: 'hour', k: 'hour', M: 'minute', S: 'second' }
const shellField = ({ name, args: [format] }: Call): string | undefined =>
  name === 'date' && format?.is === 'literal'
    ? SHELL_FIELDS[/^\+['"]?%[-_0]?([HkMS])['"]?$/.exec(String(format.value))?.[1] ?? '']
    : undefined

const TIME = /(^|[.:])(get(UTC)?(Hours|Minutes|Seconds)|get(Hour|Minute|Second)|hour|minute|second|Hour|Minute|Second)$/
/** They carry over what is too much, or only reckon with it. */
const CARRIES =
  /^time\.Date$|^Date\.(new|UTC)$|[.:]set((UTC)?(Hours|Minutes|Seconds|Time))?$|Calendar\.(set|new)$|^java\.(util\.Date|sql\.Time(stamp)?)\.new$|(^|[.:])(plus|minus|add|sub)\w*$|sleep|delta|duration|(^|[.:])(abs|min|max|floor|round|range|hours?|minutes?|seconds?|\w*print\w*|log\w*|expect)$/i

/**
 * Where the second, minute or hour of the run is moved by a number and then put into a text, a date or a call: `now.Second() + 1` in a
 * plan. Who looks at the field first, or takes what is left of a division, has thought of the end.
 */
export function* movedTimes(unit: Unit, flows: Flows,
  textOf: (span: Span) => string): Generator<{ readonly clock: Call; readonly span: Span }>
{
  const isLookedAt = (v: Value, at: number) => fieldOfNow(unit, v, at, flows, textOf, TIME) !== undefined
  if (unit.regions.some(r => r.condition && isLookedAt(r.condition, r.span.start))) return
  const moved = (v: Value, at: number) => movedField(unit, v, at, flows, textOf, TIME, ['+', '-'])
  for (const { target, value, span } of unit.writes) {
    const clock = moved(value, span.start)
    if (clock && (value.is === 'text' || isPutIn(target, span.end, unit))) yield { clock, span }
  }
  for (const call of unit.calls) {
    const clock = takes(call, unit) && givenTo(call).map(v => moved(v, call.span.start)).find(c => c !== undefined)
    if (clock) yield { clock, span: call.span }
  }
}

const givenTo = (call: Call): Value[] => [...call.args, ...Object.values(call.named)]

/** It makes something of what it is given; what is only compared or said is not. */
const takes = (call: Call, unit: Unit): boolean =>
  !CARRIES.test(call.name) && !has(call, 'log', 'sleep')
  && !unit.assertions.some(a => a.span.start === call.span.start && a.span.end === call.span.end)

/** What is kept under a name goes into a text or a call as it is; who asks whether it is too much carries it. */
function isPutIn(name: string, from: number, unit: Unit): boolean {
  const names = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'name' && x.path === name)
  const isCut = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'op' && x.op !== '+' && x.op !== '-' && x.of.some(names))
  const given = [...unit.calls.filter(c => c.span.start >= from && takes(c, unit)).flatMap(givenTo),
    ...unit.writes.filter(w => w.span.start >= from && w.value.is === 'text').map(w => w.value)].filter(names)
  return given.length > 0 && !given.some(isCut) && !unit.regions.some(r => r.condition && names(r.condition))
    && !unit.writes.some(w => w.span.start >= from && (w.target === name || isCut(w.value)))
}

/** `replace(hour=0, minute=0)`, `startOf('day')`, `atStartOfDay()`, `truncatedTo(DAYS)`. */
export const cutsDay = (last: string, { args, named }: Call): boolean =>
  (last === 'replace' && named['hour']?.is === 'literal' && !('day' in named) && !('month' in named)) || last === 'atStartOfDay'
  || (/^(startOf|endOf)$/.test(last) && args[0]?.is === 'literal' && args[0].value === 'day')
  || (last === 'truncatedTo' && args[0]?.is === 'name' && /(^|\.)DAYS$/.test(args[0].path))

/** `2006-01-02`, `%Y-%m-%d`, `YYYY-MM-DD`: a day, and no hour. */
export const isDayAlone = (value: Value): boolean =>
  value.is === 'literal' && typeof value.value === 'string' && /02|%[dFDjx]|DD|dd/.test(value.value)
  && !/15|0?3:04|%[HITRXcs]|[hH]{1,2}|RFC|X$/.test(value.value)

/** `day == Day.parse(day).toString()`: whatever day it is stands on both sides, and nobody asks the clock again. */
export function comesBack(unit: Unit, call: Call): boolean {
  const kept = unit.writes.find(w => w.span.start <= call.span.start && w.span.end >= call.span.end)?.target
  const holds = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'name' && x.path === kept)
  const asked = kept === undefined ? [] : unit.assertions.filter(a => a.operands.some(holds))
  return asked.length > 0 && asked.every(a => a.operands.length > 1 && a.operands.every(holds))
}

/** A calendar that is put to a certain day first is today's no more. */
export const isSetDay = (unit: Unit, { receiver, span }: Call): boolean =>
  unit.calls.some(c =>
    c.span.end <= span.start && c.receiver?.is === 'name' && receiver?.is === 'name' && c.receiver.path === receiver.path
    && (/Calendar\.(clear|setTime\w*)$/.test(c.name)
      || (/Calendar\.set$/.test(c.name)
        && (c.args.length > 2 || (c.args[0]?.is === 'name' && /\.(DAY_OF_\w+|DATE)$/.test(c.args[0].path)))))
  )
