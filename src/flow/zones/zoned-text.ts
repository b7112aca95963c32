// What a test expects of a moment, and whether that could be the same in every zone.

import type { Assertion, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { valuesIn } from '../../facts/query.ts'
import { ABSOLUTE_TEXT, hasMoment, isEpoch, keptIn, type Zoned } from './zone.ts'

interface View {
  readonly facts: FileFacts
  readonly folding: Folding
}

/** An expected text that looks like a clock on the wall, or a page of a calendar. */
export const WALL_TEXT =
  /(^|\D)([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?(?!\d)|(^|\D)(19|20)\d\d[-/.][01]?\d[-/.][0-3]?\d(?!\d)|(^|\D)[0-3]?\d[-/. ]([01]?\d|(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*)[-/. ](19|20)\d\d|\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w* \d{1,2}, \d{4}|(^|\D)(19|20)\d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w* \d{1,2}(?!\d)/

/** Milliseconds since 1970 in a text, as JSON and logs hold them. */
const MILLISECONDS = /(^|[^\w.-])1[0-6]\d{11}(?![\w.-])/

/** What one zone gives and another does not. */
export const isTold = (value: string | number, { is }: Pick<Zoned, 'is'>): boolean =>
  is === 'shown'
    ? typeof value === 'string' && WALL_TEXT.test(value) && !ABSOLUTE_TEXT.test(value)
    : typeof value === 'number'
    ? isEpoch(value)
    : (/\d:\d/.test(value) && ABSOLUTE_TEXT.test(value)) || MILLISECONDS.test(value)

/** They take a count of seconds, which is the same everywhere. */
const EPOCH = /fromtimestamp$|localtime$|ctime$|^time\.Unix|::timestamp/

/** The code is given a date that was made in the same way. */
const isAlike = (zone: Zoned, other: Value | undefined, unit: Unit): boolean =>
  other !== undefined && [...valuesIn(other, unit)].some(v => v.is === 'call' && unit.calls[v.call]!.name === zone.call.name)

/** `localtime(1234567)` beside `show(1234567)`: the code is given the same moment, and is to show it by the same wall. */
export const isGivenSame = (zone: Zoned, other: Value | undefined, unit: Unit): boolean => {
  const given = new Set(
    zone.call.args.flatMap(a => [...valuesIn(a, unit)]).flatMap(v => (v.is === 'literal' && v.value !== 0 ? [v.value] : [])),
  )
  return other !== undefined
    && [...valuesIn(other, unit)].some(v => v.is === 'call' && unit.calls[v.call]!.args.some(a => a.is === 'literal' && given.has(a.value)))
}

/** `parse(show(1234567)) == 1234567.0` */
const isGivenTo = ({ call }: Zoned, expected: unknown, unit: Unit): boolean =>
  typeof expected === 'number'
  && call.args.some(a => [...valuesIn(a, unit)].some(v => v.is === 'literal' && typeof v.value === 'number' && v.value === expected))

/** The moment itself goes to the code under test, which is to show it by the same wall. */
const isGivenOn = ({ call }: Zoned, unit: Unit, { span }: Assertion): boolean => {
  const kept = unit.writes.filter(w => w.value.is === 'call' && unit.calls[w.value.call] === call).map(w => w.target)
  return unit.calls.some(c => c.span.end <= span.start && c.args.some(a => a.is === 'name' && kept.includes(a.path)))
}

/** What is expected to be shown stands in what the test puts in as well: it was read by the same wall. */
export const isPutIn = (text: string, unit: Unit, before: number): boolean =>
  WALL_TEXT.test(text)
  && [...unit.calls.flatMap(c => [...c.args, ...Object.values(c.named)].map(a => ({ a, at: c.span }))),
    ...unit.writes.map(w => ({ a: w.value, at: w.span }))].some(({ a, at }) =>
      at.end <= before && [...valuesIn(a, unit)].some(v => v.is === 'literal' && typeof v.value === 'string' && v.value.includes(text))
    )

/** Numbers are reckoned with the offset, rather than the offset itself being expected. */
const isReckoned = (zone: Zoned, unit: Unit, assertion: Assertion, { facts }: View): boolean =>
  [...assertion.operands.map(value => ({ value, unit })), ...assertion.operands.flatMap(o =>
    valuesIn(o, unit).flatMap(v => (v.is === 'name' ? keptIn(facts, unit, v.path, assertion.span.start) ?? [] : []))
  )]
    .some(({ value, unit: of }) =>
      valuesIn(value, of).some(v =>
        v.is === 'op' && /^[-+*/]$/.test(v.op) && valuesIn(v, of).some(p =>
          p.is === 'call' && of.calls[p.call] === zone.call
        )
      )
    )

/** A literal, a constant, or a date made of literals in a zone of its own. */
function isConstant(value: Value | undefined, unit: Unit, assertion: Assertion, { facts, folding }: View): boolean {
  if (!value) return assertion.compare === 'snapshot'
  if (fold(value, unit, folding) !== undefined) return true
  const kept = value.is === 'name' ? keptIn(facts, unit, value.path, assertion.span.start) : { value, unit }
  return kept !== undefined && kept.value.is !== 'unknown' && kept.value.is !== 'name'
    && (kept.value.is !== 'group' || kept.value.of.length > 0)
    && valuesIn(kept.value, kept.unit).every(v =>
      v.is === 'literal' || v.is === 'group' || v.is === 'op' || (v.is === 'name' && /(^|[.:])(utc|UTC)$/i.test(v.path))
      || (v.is === 'call' && isDateOfLiterals(kept.unit.calls[v.call]?.name ?? ''))
    )
}

/** A column of cases that holds the clock of a wall. */
const isCase = (value: Value | undefined, unit: Unit): boolean =>
  value?.is === 'name' && unit.params.includes(value.path)
  && unit.markers.some(m => /parametrize$|Source$/.test(m.name) && WALL_TEXT.test(m.key ?? '') && !ABSOLUTE_TEXT.test(m.key ?? ''))

const isDateOfLiterals = (name: string): boolean =>
  /(^|[.:])(datetime\.(datetime|date)|Date\.UTC|time\.Date|LocalDate\.of|LocalDateTime\.of|struct_time)$/.test(name)

/** What they show is handed to them later. */
export const FORMATTERS = /DateFormat\.(new|get\w+)$|DateTimeFormat\.new$|withZone$/

/** `a.toString()` beside `b.toString()`. */
export const isShownWhole = (value: Value): boolean => value.is === 'text' && value.parts.length === 1 && value.parts[0]!.is !== 'literal'

export const isOffset = (zoned: readonly Zoned[]): boolean => zoned.length === 2 && zoned.some(z => z.is === 'offset')

/** How sure it is that what is compared is another in another zone. */
export function sureOfZone(zone: Zoned, other: Value | undefined, unit: Unit, assertion: Assertion, view: View): 'high' | 'medium' | 'low'
  | undefined
{
  const expected = isConstant(other, unit, assertion, view) || isCase(other, unit)
  const text = other && fold(other, unit, view.folding)
  if (zone.is === 'offset') return /imezoneOffset$/.test(zone.call.name) && isReckoned(zone, unit, assertion, view) ? 'high' : undefined
  const absolute = typeof text === 'string' ? ABSOLUTE_TEXT.test(text) : typeof text === 'number' && isEpoch(text)
  // Who takes such a moment may go by the wall too; an expected text in UTC says that it does not.
  if (zone.is === 'instant' && (zone.opaque || !zone.visible))
    return expected
      ? (!absolute ? undefined : 'medium')
      : zone.opaque
      ? undefined
      : 'low'
  if (!zone.visible) return undefined
  // What the code gave may have been made by the wall: shown on it, it is the same everywhere.
  if (zone.is === 'shown' && (typeof text === 'string' ? isPutIn(text, unit, assertion.span.start) : isGivenTo(zone, text, unit)))
    return 'low'
  if (expected)
    return zone.fixed
      ? 'medium'
      : zone.opaque
      ? undefined
      : EPOCH.test(zone.call.name)
          || (zone.is === 'instant' ? absolute : other?.is === 'literal' && hasMoment(view.facts) && WALL_TEXT.test(String(text)))
      ? 'medium'
      : 'low'
  // The code under test may do the same, or give back what it was given: then both agree everywhere. Only a moment of Go keeps its zone,
  // and shows another hour than one that came over the wire.
  return zone.opaque || zone.is === 'instant' || !zone.fixed || view.facts.language !== 'go' || isAlike(zone, other, unit)
      || isGivenSame(zone, other, unit) || isGivenOn(zone, unit, assertion)
    ? 'low'
    : 'medium'
}
