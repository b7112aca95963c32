import type { Assertion, Call, Unit } from '../../facts/facts.ts'
import { milliseconds } from '../../facts/fold.ts'
import { valuesIn } from '../../facts/query.ts'
import { type Origin } from '../../flow/flow.ts'
import { type Now } from '../../flow/time/now.ts'
import { type Confidence, type FileView } from '../rule.ts'

/** Inequalities are left out: `before <= stamp && stamp <= after` is the cure. */
export const JUDGED = new Set(['==', '!=', 'contains', 'matches', 'near'])

export const COARSE = /[yY]ear|[dD]ay|DateString|strftime|[fF]ormat\(|natural|[hH]umanize|mock|stub/
export const SURE: Readonly<Partial<Record<Now['is'], Confidence>>> = { held: 'low' }
export const SAYS: Readonly<Record<Now['is'], string>> = {
  expected: 'what is expected is made of the time of the run: the code reads the clock at another moment',
  apart: 'the clock is read again for the same data: between the two readings the second or the day may end',
  held: 'what the code must have given holds a reading of the clock: the code read it at another moment',
  word:
    'a word for a day or a count is expected of the time of the run: at midnight, at the end of a month or a second later it is another',
  shown: 'the time of the run goes into the data and a text of it is compared: texts drop digits, and now and then a nought',
  margin: 'a moment is cut off at a second, and the stretch until then is held against a limit: up to a second of it is lost',
  bounded: 'a moment is held against the time of the run, give or take a little: the test may come to it later than that',
  soon: 'a limit lies a moment after the time of the run: on a busy machine it is over before it is looked at',
}

/** Both sides made from one reading: the comparison does not care what time it was. Nor between two that were kept before and after. */
export const isShared = (clock: Origin, sides: readonly (readonly Origin[])[], compare: string): boolean =>
  (compare === 'near' && sides.length === 3 && new Set(sides.slice(1).map(side =>
        side.find(o => o.kind === 'clock' && o.steps.length > 0)?.call ?? -1
      )).size === 2
    && sides.slice(1).every(side => side.some(o => o.steps.length > 0)))
  || sides.length > 1 && sides.filter(side => side.some(o => o.unit === clock.unit && o.call === clock.call)).length > 1

/** `clock.SetNow(fixed)` beside `clock.Now()`: the project's own clock tells what the tests of this file have told it. */
export function isToldTime({ units }: FileView['facts'], { name }: Call): boolean {
  const owner = name.slice(0, name.lastIndexOf('.') + 1)
  return owner !== '' && /[.]now$/i.test(name)
    && units.some(u => u.calls.some(c => c.name.startsWith(owner) && TELLS.test(c.name.slice(owner.length))))
}
const TELLS = /^(set|mock|freeze|stub|fake|override)_?\w*(now|time|clock)\w*$/i

/** `OffsetDateTime.now().getOffset()`: which zone it is, not which time. */
export const asksZone = (unit: Unit, source: Call): boolean =>
  unit.calls.some(c =>
    c.receiver?.is === 'call' && unit.calls[c.receiver.call] === source
    && /[.](getOffset|getZone|offset|utcoffset|tzinfo|Location)$/.test(c.name)
  )

/** A day from now, the year, a text: what is expected was made of the reading, so it does not come back by itself. */
export const isMade = (unit: Unit, clock: Origin): boolean =>
  clock.shape === 'text'
  || clock.steps.some(s =>
    unit.writes.some(w =>
      w.span.start === s.span.start && w.span.end === s.span.end && [...valuesIn(w.value, unit)].some(v =>
        v.is === 'op' || v.is === 'text' || (v.is === 'call' && FORMS.test(unit.calls[v.call]!.name))
      )
    )
  )

const FORMS =
  /(^|[.:])(format|Format|strftime|isoformat|toISOString|getFullYear|getMonth|getDate|year|Year|plus\w*|minus\w*|add|subtract|startOf|endOf|Add|AddDate|Truncate|truncatedTo|to_rfc3339|to_string|toString)$/

/** A field of what is saved elsewhere may come back, and a calendar is set. */
export const isBare = (clock: Origin, source: Call): boolean =>
  !/Calendar/.test(source.name) && clock.steps.every(s => !s.name.includes('.'))

export const isNothing = (a: Assertion): boolean =>
  a.operands.some(o =>
    (o.is === 'name' && /(::|\.)ZERO$/.test(o.path)) || (o.is === 'literal' && (o.value === null || o.value === 0 || o.value === ''))
    || (o.is === 'group' && o.of.length === 0)
  )

export function slackOf(a: Assertion, unit: Unit, { facts, folding }: FileView): number | undefined {
  if (a.compare !== 'near') return undefined
  // Where clocks count in milliseconds, so does the slack, unless they were divided.
  const divided = a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'op' && v.op === '/'))
  return a.tolerance
    ? milliseconds(a.tolerance, unit, folding, (facts.language === 'java' || facts.language === 'typescript') && !divided ? 1 : 1000)
      ?? Infinity
    : 0
}
