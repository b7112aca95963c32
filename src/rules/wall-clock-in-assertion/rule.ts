import type { Call, Unit } from '../../facts/facts.ts'
import { frozenClock, has, isProperty, isTestCode } from '../../facts/query.ts'
import { isHandedOn } from '../../flow/flow.ts'
import { bounded, demanded, expectedNow, isOther, isSetInside, isSetWhole, readApart, soonOver } from '../../flow/time/now.ts'
import { lookedFor, presentIn } from '../../flow/time/present.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { confidenceOf, least, lower, way } from '../wording.ts'
import { asksZone, COARSE, isBare, isMade, isNothing, isShared, isToldTime, JUDGED, SAYS, slackOf, SURE } from './signs.ts'

export default defineRule(
  {
    id: 'wall-clock-in-assertion',
    title: 'An assertion compares with the wall clock',
    category: 'time',
    severity: 'warning',
    triggers: ['clock'],
    confirm: ['clock-shift'],
    crowds: 8,
    since: '0.1.0',
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
        if (!clock || isShared(clock, sides, assertion.compare) || isOther(assertion)
          || isSetInside(facts.units[facts.units[clock.unit]!.calls[clock.call]!.target ?? -1]) || assertion.operands.some(o =>
            isSetWhole(unit, o)
          ) || isNothing(assertion) || frozenClock(facts, unit, clock.unit === unit.id ? clock.span.start : undefined)) continue
        const source = facts.units[clock.unit]!.calls[clock.call]!
        if (has(source, 'fake-clock') || isToldTime(facts, source) || /['"]Date\.now['"]/.test(view.textOf(unit.span))
          || isHandedOn(unit, clock, assertion.span, facts.units)
          || asksZone(unit, source)) continue
        const slack = slackOf(assertion, unit, view)
        if (slack !== undefined && slack >= 1000) continue
        if (clock.steps.length > 0 && wanted.has(source) && !isMade(unit, clock)) continue
        // A reading kept in a variable often reaches the code under test in ways we do not see.
        const sure = assertion.compare === '!='
          ? 'low'
          : clock.steps.length > 0
          ? (isMade(unit, clock) || isBare(clock, source) ? least('medium', confidenceOf(source)) : 'low')
          : slack !== undefined && slack >= 100
          ? lower(confidenceOf(source))
          : confidenceOf(source)
        if (sure !== 'low') told.add(source)
        yield {
          // Between two readings a year or a day ends so seldom that nobody minds; a fixed one is over for good.
          at: assertion.span,
          unit: unit.id,
          confidence: (COARSE.test(view.textOf(assertion.span)) && !assertion.operands.some(o =>
              o.is === 'literal'
            )) || source.effects.some(e => e.kind === 'clock' && e.through !== undefined)
            ? least(sure, 'medium')
            : sure,
          ...(assertion.compare === '==' && sure === 'high' && { severity: 'error' as const }),
          message: `compares with the time of the run (${view.textOf(clock.span).slice(0, 60)}): the outcome depends on when it is read`,
          trace: way(clock, 'the clock is read', { span: assertion.span, message: 'and compared' }),
        }
      }
      yield* named(unit, view)
      let left = 4
      for (const now of [...expectedNow(unit, view), ...readApart(unit, view), ...soonOver(unit, view), ...bounded(unit, view),
        ...demanded(unit, view), ...presentIn(unit, view)])
      {
        // A table of cases repeats what its first ones say.
        if (left === 0) break
        if (told.has(now.clock) || frozenClock(facts, unit, now.clock.span.start)) continue
        told.add(now.clock), left--
        yield { at: now.span, unit: unit.id, confidence: SURE[now.is] ?? 'medium', message: SAYS[now.is] }
      }
    }
  },
)

function* named(unit: Unit, view: FileView): Generator<Report> {
  for (const { clock, call } of lookedFor(unit, view))
    yield {
      at: clock.span,
      unit: unit.id,
      confidence: least('medium', confidenceOf(unit.calls[clock.call]!)),
      message: `looks for a name that is made of the time at which it looks (${
        view.textOf(clock.span).slice(0, 60)
      }): what made the file read the clock earlier`,
      trace: way(clock, 'the clock is read', { span: call.span, message: 'and the file is looked for' }),
    }
}
