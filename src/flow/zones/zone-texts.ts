// What a test expects that only one zone shows: an offset or the name of a zone that nothing in the file asks for, or the clock of a
// moment that is known, some hours off. Here the expected text itself tells; where the zone comes in need not be seen.

import type { Assertion, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { inForce, valuesIn } from '../../facts/query.ts'
import { expectedBy } from '../claims/expected.ts'
import { constant } from '../order/spelled.ts'
import { isEpoch } from './zone.ts'
import { WALL_TEXT } from './zoned-text.ts'

type TextOf = (span: Span) => string

const OFFSET = /\d:\d\d(?::\d\d(?:[.,]\d+)?)? ?(?:GMT|UTC)?([+-](?:0[1-9]|1[0-4]):?[0-5]\d)\b/
const ZONE = /\d:\d\d(?::\d\d)?(?: [AP]M)?,? \(?(CES?T|E[SD]T|P[SD]T|C[SD]T|M[SD]T|BST|IST|JST|AE[SD]T|MSK|EES?T)\b/
/** How a date of Java or JavaScript prints itself, which is by the machine's zone: `Mon Dec 15 00:00:00 CST 1969`. */
const PRINTED =
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d (?:\d\d:\d\d:\d\d [A-Z]{3,4} \d{4}\b|\d{4} \d\d:\d\d:\d\d GMT[+-]\d{4})/
/** Whoever speaks of zones in a file knows which one is meant. */
const SPEAKS =
  /ZoneId\.of|ZoneOffset|TimeZone|[tT]imezone|time_zone|timeZone|tzinfo|ZoneInfo|pytz|gettz|FixedZone|LoadLocation|FixedOffset|utcoffset|utcOffset|\btzset?\b|\bTZ\b|\b(?:America|Europe|Asia|Africa|Australia|Pacific|US|Etc)\/[A-Z]|forOffset|forID|ofHours\(|setZone|\.tz\(|Settings\.default|useFakeTimers|freeze_time/
/** Something that the host's zone is at work on: a day or hour without a zone, or a count of seconds. */
const LOCAL =
  /\b1[0-6]\d{8}(?:\d{3})?L?\b|Calendar|DateFormat|\bdatetime\(|new Date\(|\btime\.(?:Date|Unix)\w*\(|LocalDate|strptime|mktime|Date\.class|['"]\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?['"]|\d:\d\d(?::\d\d)?(?:\.\d+)?(?: GMT| UTC|Z)\b/

export interface Foreign {
  readonly span: Span
  /** The assertion itself spells out the offset or name of the zone, rather than a column of cases. */
  readonly sure: boolean
}

/** The first assertion of a test that expects what one zone shows. */
export function foreignText(file: FileFacts, unit: Unit, textOf: TextOf): Foreign | undefined {
  if (unit.role.is !== 'test' && unit.role.is !== 'helper') return undefined
  const moments = momentsAround(file, unit)
  for (const assertion of unit.assertions) {
    const texts = textsOf(file, unit, assertion)
    const printed = /^(java|typescript)$/.test(file.language) ? texts.find(t => PRINTED.test(t) && !isRead(t, unit)) : undefined
    if (printed === undefined && !texts.some(t => OFFSET.test(t) || ZONE.test(t) || moments.some(m => isOff(t, m)))) continue
    const all = textOf(file.units[0]!.span)
    if (SPEAKS.test(all)) return undefined
    if (printed !== undefined || texts.some(t => moments.some(m => isOff(t, m)) || isUnasked(t, all)))
      return { span: assertion.span, sure: assertion.operands.some(o => namesZone(constant(file, unit, o), unit)) }
  }
  return undefined
}

/** The code is given the text, and is to read it. */
const isRead = (text: string, unit: Unit): boolean =>
  unit.calls.some(c =>
    !unit.assertions.some(a => a.span.start <= c.span.start && a.span.end >= c.span.end)
    && c.args.some(a => a.is === 'literal' && typeof a.value === 'string' && a.value.includes(text))
  )

const namesZone = (value: Value, unit: Unit): boolean =>
  [...valuesIn(value, unit)].some(v =>
    v.is === 'literal' && typeof v.value === 'string' && (OFFSET.test(v.value) || ZONE.test(v.value) || PRINTED.test(v.value))
  )

const textsOf = (file: FileFacts, unit: Unit, assertion: Assertion): string[] =>
  [...[...expectedBy(file, { ...unit, assertions: [assertion], markers: [] })], ...lookedUp(unit, assertion)].flatMap(
    e => (typeof e.value === 'string' && e.value.length < 400 ? [e.value] : []),
  )

/** What a page is searched for: `getByText('10:47')`. */
const lookedUp = (unit: Unit, { operands }: Assertion): { value: string | number }[] =>
  operands.flatMap(
    o => (o.is === 'call' && /By(Text|LabelText|DisplayValue|Title)$/.test(unit.calls[o.call]!.name) ? unit.calls[o.call]!.args : []),
  ).flatMap(a => (a.is === 'literal' && typeof a.value === 'string' ? [{ value: a.value }] : []))

/** The offset stands in what is expected and in nothing that the code is given. */
function isUnasked(text: string, all: string): boolean {
  const zone = (OFFSET.exec(text) ?? ZONE.exec(text))?.[1]
  return zone !== undefined && all.split(text).length === 2 && !all.replace(text, '').includes(zone) && LOCAL.test(all.replace(text, ''))
}

/** Counts of seconds or milliseconds that the test gives to the code, or that stand around it. */
function momentsAround(file: FileFacts, unit: Unit): Date[] {
  const found: Date[] = []
  const take = (u: Unit, v: Value) => {
    for (const p of valuesIn(v, u))
      if (p.is === 'literal' && typeof p.value === 'number' && isEpoch(p.value))
        found.push(
          new Date(p.value < 5e9 ? p.value * 1000 : p.value),
        )
  }
  for (const u of [unit, ...inForce(file, unit)]) {
    for (const call of u.calls) for (const v of [...call.args, ...Object.values(call.named)]) take(u, v)
    for (const write of u.writes) take(u, write.value)
  }
  return found.slice(0, 20)
}

const CLOCK = /(?<![\d.])([01]?\d|2[0-3])[:h]([0-5]\d)(?::([0-5]\d))?(?!\d)( ?[AP]M)?/i

/** The minutes are those of the moment, the hour is not. */
function isOff(text: string, moment: Date): boolean {
  const shown = CLOCK.exec(text)
  if (!shown || (moment.getUTCMinutes() === 0 && moment.getUTCSeconds() === 0)) return false
  const hour = (Number(shown[1]) % (shown[4] ? 12 : 24)) + (/pm/i.test(shown[4] ?? '') ? 12 : 0)
  const same = Number(shown[2]) === moment.getUTCMinutes()
    && (shown[3] === undefined ? WALL_TEXT.test(text) && moment.getUTCMinutes() !== 0 : Number(shown[3]) === moment.getUTCSeconds())
  return same && hour !== moment.getUTCHours()
}

const SHOWS = /^(ls\b.*--time-style|ls\b.*--full-time|stat\b.*-c ?['"]?[^\n]*%[xyw]\b|git\b.*--date=(local|\w+-local)|date -r)/
const SETS = /^touch\b.*(?:-d|--date[= ]) ?['"]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?['"]? |^touch\b.*-t ?['"]?\d{10,12}/

/** Commands of the shell that show or set the times of files by the host's zone, in a test that expects one. */
export function* byCommands(file: FileFacts, unit: Unit, textOf: TextOf): Generator<Foreign> {
  if (file.language !== 'bash' || unit.assertions.length === 0) return
  const expected = [...expectedBy(file, unit)].map(e => e.value)
  const wall = expected.some(v => typeof v === 'string' && WALL_TEXT.test(v)), epoch = expected.some(v => isEpoch(Number(v)))
  if (!wall && !epoch) return
  // What was set by the wall shows the same everywhere.
  const set = unit.calls.some(c => /^touch\b.*(-d|-t|--date)\b/.test(textOf(c.span)) && !/@\d|\dZ|UTC|GMT/.test(textOf(c.span)))
  for (const call of unit.calls) {
    const text = textOf(call.span)
    if ((wall && !set && SHOWS.test(text)) || (epoch && SETS.test(text))) return yield { span: call.span, sure: false }
  }
}
