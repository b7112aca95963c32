import type { Assertion, Call, Unit } from '../../facts/facts.ts'
import { milliseconds } from '../../facts/fold.ts'
import { frozenClock, has, isProperty, isTestCode, valuesIn } from '../../facts/query.ts'
import { isHandedOn, type Origin } from '../../flow/flow.ts'
import { expectedNow, readApart, soonOver, type Now } from '../../flow/now.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { confidenceOf, least, lower, way } from '../wording.ts'

/** Inequalities are left out: `before <= stamp && stamp <= after` is the cure. */
const JUDGED = new Set(['==', '!=', 'contains', 'matches', 'near'])

export default defineRule(
  {
    id: 'wall-clock-in-assertion', title: 'An assertion compares with the wall clock', category: 'time', severity: 'warning',
    triggers: ['clock'], confirm: ['clock-shift'], since: '0.1.0',
  },
  function* (view) {
    const { facts, flows } = view
    const told = new Set<Call>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const assertion of unit.assertions) {
        if (!JUDGED.has(assertion.compare)) continue
        const sides = assertion.operands.map(o => flows.ingredients(unit, o, assertion.span.start).origins)
        const clock = sides.flat().find(o => o.kind === 'clock' && !o.opaque && (o.shape === 'plain' || o.shape === 'text'))
        if (!clock || isShared(clock, sides) || isNothing(assertion) || frozenClock(facts, unit, clock.unit === unit.id ? clock.span.start : undefined)) continue
        const source = facts.units[clock.unit]!.calls[clock.call]!
        if (has(source, 'fake-clock')) continue
        if (isHandedOn(unit, clock, assertion.span)) continue
        const slack = slackOf(assertion, unit, view)
        if (slack !== undefined && slack >= 1000) continue
        // A reading kept in a variable often reaches the code under test in ways we do not see.
        const sure = clock.steps.length > 0 ? (isMade(unit, clock) ? least('medium', confidenceOf(source)) : 'low') : assertion.compare === '!=' || (slack !== undefined && slack >= 100) ? lower(confidenceOf(source)) : confidenceOf(source)
        if (sure !== 'low') told.add(source)
        yield {
          at: assertion.span, unit: unit.id, confidence: sure, ...(assertion.compare === '==' && sure === 'high' && { severity: 'error' as const }),
          message: `compares with the time of the run (${view.textOf(clock.span).slice(0, 60)}): the outcome depends on when it is read`,
          trace: way(clock, 'the clock is read', { span: assertion.span, message: 'and compared' }),
        }
      }
      yield* named(unit, view)
      let left = 4
      for (const now of [...expectedNow(unit, view), ...readApart(unit, view), ...soonOver(unit, view)]) {
        // A table of cases repeats what its first ones say.
        if (left === 0) break
        if (told.has(now.clock) || frozenClock(facts, unit, now.clock.span.start)) continue
        told.add(now.clock), left--
        yield { at: now.span, unit: unit.id, confidence: now.is === 'expected' ? 'high' : now.is === 'soon' ? 'medium' : 'low', message: SAYS[now.is] }
      }
    }
  },
)

const SAYS: Readonly<Record<Now['is'], string>> = {
  expected: 'what is expected is made of the time of the run: the code reads the clock at another moment',
  apart: 'the clock is read again for the same data: between the two readings the second or the day may end',
  soon: 'a limit lies a moment after the time of the run: on a busy machine it is over before it is looked at',
}

/** What looks for a file, or reads it. */
const LOOKS = /(^|[.:])(exists|existsSync|isFile|is_file|read_to_string|read_text|readFileSync|readFile|ReadFile|Stat|stat|statSync|FileExists|toBeAFile|assert_(file_)?exists?|assert_file_\w+|assertFileExists)$/

/** A file is looked for under a name that is made of the time at which it is looked for; what made it read the clock earlier. */
function* named(unit: Unit, { facts, flows, textOf }: FileView): Generator<Report> {
  if (unit.role.is !== 'test') return
  for (const call of unit.calls) {
    if (!LOOKS.test(call.name)) continue
    const clock = [...call.args, ...(call.receiver ? [call.receiver] : [])].flatMap(a => flows.ingredients(unit, a, call.span.start).origins).find(o => o.kind === 'clock' && (o.shape === 'text' || o.opaque))
    if (!clock || clock.unit !== unit.id || isHandedOn(unit, clock, call.span) || frozenClock(facts, unit, clock.span.start) || !unit.calls.some(c => c.span.end <= clock.span.start && c.args.length > 0)) continue
    yield {
      at: clock.span, unit: unit.id, confidence: least('medium', confidenceOf(unit.calls[clock.call]!)),
      message: `looks for a name that is made of the time at which it looks (${textOf(clock.span).slice(0, 60)}): what made the file read the clock earlier`,
      trace: way(clock, 'the clock is read', { span: call.span, message: 'and the file is looked for' }),
    }
  }
}

/** Both sides made from one reading: the comparison does not care what time it was. */
const isShared = (clock: Origin, sides: readonly (readonly Origin[])[]): boolean =>
  sides.length > 1 && sides.filter(side => side.some(o => o.unit === clock.unit && o.call === clock.call)).length > 1

/** A day from now, the year, a text: what is expected was made of the reading, so it does not come back by itself. */
const isMade = (unit: Unit, clock: Origin): boolean =>
  clock.shape === 'text' || clock.steps.some(s => unit.writes.some(w => w.span.start === s.span.start && w.span.end === s.span.end && [...valuesIn(w.value, unit)].some(v => v.is === 'op' || v.is === 'text' || (v.is === 'call' && FORMS.test(unit.calls[v.call]!.name)))))

const FORMS = /(^|[.:])(format|Format|strftime|isoformat|toISOString|getFullYear|getMonth|getDate|year|Year|plus\w*|minus\w*|add|subtract|startOf|endOf|Add|AddDate|Truncate|truncatedTo|to_rfc3339|to_string|toString)$/

const isNothing = (a: Assertion): boolean => a.operands.some(o => (o.is === 'literal' && (o.value === null || o.value === 0 || o.value === '')) || (o.is === 'group' && o.of.length === 0))

function slackOf(a: Assertion, unit: Unit, { facts, folding }: FileView): number | undefined {
  if (a.compare !== 'near') return undefined
  // Where clocks count in milliseconds, so does the slack, unless they were divided.
  const divided = a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'op' && v.op === '/'))
  return a.tolerance ? milliseconds(a.tolerance, unit, folding, (facts.language === 'java' || facts.language === 'typescript') && !divided ? 1 : 1000) ?? Infinity : 0
}
