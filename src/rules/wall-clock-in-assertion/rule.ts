import type { Assertion, Call, Unit } from '../../facts/facts.ts'
import { milliseconds } from '../../facts/fold.ts'
import { frozenClock, has, isProperty, isTestCode, valuesIn } from '../../facts/query.ts'
import { isHandedOn, type Origin } from '../../flow/flow.ts'
import { bounded, expectedNow, isOther, isSetInside, isSetWhole, readApart, soonOver, type Now } from '../../flow/time/now.ts'
import { lookedFor, presentIn } from '../../flow/time/present.ts'
import { defineRule, type Confidence, type FileView, type Report } from '../rule.ts'
import { confidenceOf, least, lower, way } from '../wording.ts'

/** Inequalities are left out: `before <= stamp && stamp <= after` is the cure. */
const JUDGED = new Set(['==', '!=', 'contains', 'matches', 'near'])

export default defineRule(
  {
    id: 'wall-clock-in-assertion', title: 'An assertion compares with the wall clock', category: 'time', severity: 'warning',
    triggers: ['clock'], confirm: ['clock-shift'], crowds: 8, since: '0.1.0',
  },
  function* (view) {
    const { facts, flows } = view
    const told = new Set<Call>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      const wanted = new Set([...expectedNow(unit, view)].map(n => n.clock))
      for (const assertion of unit.assertions) {
        if (!JUDGED.has(assertion.compare)) continue
        const sides = assertion.operands.map(o => flows.ingredients(unit, o, assertion.span.start).origins)
        const clock = sides.flat().find(o => o.kind === 'clock' && !o.opaque && (o.shape === 'plain' || o.shape === 'text'))
        if (!clock || isShared(clock, sides, assertion.compare) || isOther(assertion) || isSetInside(facts.units[facts.units[clock.unit]!.calls[clock.call]!.target ?? -1]) || assertion.operands.some(o => isSetWhole(unit, o)) || isNothing(assertion) || frozenClock(facts, unit, clock.unit === unit.id ? clock.span.start : undefined)) continue
        const source = facts.units[clock.unit]!.calls[clock.call]!
        if (has(source, 'fake-clock') || /['"]Date\.now['"]/.test(view.textOf(unit.span)) || isHandedOn(unit, clock, assertion.span)) continue
        const slack = slackOf(assertion, unit, view)
        if (slack !== undefined && slack >= 1000) continue
        if (clock.steps.length > 0 && wanted.has(source) && !isMade(unit, clock)) continue
        // A reading kept in a variable often reaches the code under test in ways we do not see.
        const sure = assertion.compare === '!=' ? 'low' : clock.steps.length > 0 ? (isMade(unit, clock) || isBare(clock, source) ? least('medium', confidenceOf(source)) : 'low') : slack !== undefined && slack >= 100 ? lower(confidenceOf(source)) : confidenceOf(source)
        if (sure !== 'low') told.add(source)
        yield {
          // Between two readings a year or a day ends so seldom that nobody minds; a fixed one is over for good.
          at: assertion.span, unit: unit.id, confidence: (COARSE.test(view.textOf(assertion.span)) && !assertion.operands.some(o => o.is === 'literal')) || source.effects.some(e => e.kind === 'clock' && e.through !== undefined) ? least(sure, 'medium') : sure, ...(assertion.compare === '==' && sure === 'high' && { severity: 'error' as const }),
          message: `compares with the time of the run (${view.textOf(clock.span).slice(0, 60)}): the outcome depends on when it is read`,
          trace: way(clock, 'the clock is read', { span: assertion.span, message: 'and compared' }),
        }
      }
      yield* named(unit, view)
      let left = 4
      for (const now of [...expectedNow(unit, view), ...readApart(unit, view), ...soonOver(unit, view), ...bounded(unit, view), ...presentIn(unit, view)]) {
        // A table of cases repeats what its first ones say.
        if (left === 0) break
        if (told.has(now.clock) || frozenClock(facts, unit, now.clock.span.start)) continue
        told.add(now.clock), left--
        yield { at: now.span, unit: unit.id, confidence: SURE[now.is] ?? 'medium', message: SAYS[now.is] }
      }
    }
  },
)

const COARSE = /[yY]ear|[dD]ay|DateString|strftime|[fF]ormat\(|natural|[hH]umanize|mock|stub/
const SURE: Readonly<Partial<Record<Now['is'], Confidence>>> = { held: 'low' }
const SAYS: Readonly<Record<Now['is'], string>> = {
  expected: 'what is expected is made of the time of the run: the code reads the clock at another moment',
  apart: 'the clock is read again for the same data: between the two readings the second or the day may end',
  held: 'what the code must have given holds a reading of the clock: the code read it at another moment',
  word: 'a word for a day or a count is expected of the time of the run: at midnight, at the end of a month or a second later it is another',
  shown: 'the time of the run goes into the data and a text of it is compared: texts drop digits, and now and then a nought',
  margin: 'a moment is cut off at a second, and the stretch until then is held against a limit: up to a second of it is lost',
  bounded: 'a moment is held against the time of the run, give or take a little: the test may come to it later than that',
  soon: 'a limit lies a moment after the time of the run: on a busy machine it is over before it is looked at',
}

function* named(unit: Unit, view: FileView): Generator<Report> {
  for (const { clock, call } of lookedFor(unit, view))
    yield {
      at: clock.span, unit: unit.id, confidence: least('medium', confidenceOf(unit.calls[clock.call]!)),
      message: `looks for a name that is made of the time at which it looks (${view.textOf(clock.span).slice(0, 60)}): what made the file read the clock earlier`,
      trace: way(clock, 'the clock is read', { span: call.span, message: 'and the file is looked for' }),
    }
}

/** Both sides made from one reading: the comparison does not care what time it was. Nor between two that were kept before and after. */
const isShared = (clock: Origin, sides: readonly (readonly Origin[])[], compare: string): boolean => (compare === 'near' && sides.length === 3 && new Set(sides.slice(1).map(side => side.find(o => o.kind === 'clock' && o.steps.length > 0)?.call ?? -1)).size === 2 && sides.slice(1).every(side => side.some(o => o.steps.length > 0))) ||
  sides.length > 1 && sides.filter(side => side.some(o => o.unit === clock.unit && o.call === clock.call)).length > 1

/** A day from now, the year, a text: what is expected was made of the reading, so it does not come back by itself. */
const isMade = (unit: Unit, clock: Origin): boolean =>
  clock.shape === 'text' || clock.steps.some(s => unit.writes.some(w => w.span.start === s.span.start && w.span.end === s.span.end && [...valuesIn(w.value, unit)].some(v => v.is === 'op' || v.is === 'text' || (v.is === 'call' && FORMS.test(unit.calls[v.call]!.name)))))

const FORMS = /(^|[.:])(format|Format|strftime|isoformat|toISOString|getFullYear|getMonth|getDate|year|Year|plus\w*|minus\w*|add|subtract|startOf|endOf|Add|AddDate|Truncate|truncatedTo|to_rfc3339|to_string|toString)$/

/** A field of what is saved elsewhere may come back, and a calendar is set. */
const isBare = (clock: Origin, source: Call): boolean => !/Calendar/.test(source.name) && clock.steps.every(s => !s.name.includes('.'))

const isNothing = (a: Assertion): boolean => a.operands.some(o => (o.is === 'name' && /(::|\.)ZERO$/.test(o.path)) || (o.is === 'literal' && (o.value === null || o.value === 0 || o.value === '')) || (o.is === 'group' && o.of.length === 0))

function slackOf(a: Assertion, unit: Unit, { facts, folding }: FileView): number | undefined {
  if (a.compare !== 'near') return undefined
  // Where clocks count in milliseconds, so does the slack, unless they were divided.
  const divided = a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'op' && v.op === '/'))
  return a.tolerance ? milliseconds(a.tolerance, unit, folding, (facts.language === 'java' || facts.language === 'typescript') && !divided ? 1 : 1000) ?? Infinity : 0
}
