import type { Assertion, Unit } from '../../facts/facts.ts'
import { milliseconds } from '../../facts/fold.ts'
import { frozenClock, isTestCode, runsApart } from '../../facts/query.ts'
import { fieldOfNow } from '../../flow/time/calendar.ts'
import { asksHelper, boundingHelpers, comesToBound, comparisonsOf, deadline, fits, goesByGiven, isBound, isLater, isLaterLook, isLoose,
  isRetried, judgingHelpers, tellsGivenTime, timedLoops } from '../../flow/time/elapsed.ts'
import { checksTime } from '../../flow/time/measures.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { surer, way } from '../wording.ts'
import { words } from './words.ts'
import { APART, judge, named, ROOMY_MS, TOLD, type Verdict } from './signs.ts'

export default defineRule(
  {
    id: 'elapsed-bound-assertion',
    title: 'An assertion bounds how long something took',
    category: 'time',
    severity: 'warning',
    triggers: ['mono', 'clock', 'elapsed'],
    words,
    confirm: ['cpu-stress'],
    crowds: 20,
    since: '0.1.0',
  },
  function* (view) {
    const { facts, flows } = view, helpers = boundingHelpers(facts, flows), judging = judgingHelpers(facts)
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || runsApart(facts, unit)) continue
      const told = new Map<number, Report>()
      for (const assertion of unit.assertions) {
        if (frozenClock(facts, unit, assertion.span.start)) continue
        const inText = assertion.claims === 'presence' && /^(==|contains|matches)$/.test(assertion.compare)
          && assertion.operands.some(o => o.is === 'literal' && typeof o.value === 'string' && TOLD.test(o.value))
        if (inText && !tellsGivenTime(unit))
          yield { at: assertion.span, unit: unit.id, confidence: 'medium',
            message: 'expects an exact measured time in a text: a busy machine takes longer' }
        if (asksHelper(assertion, unit, judging, flows)) yield { at: assertion.span, unit: unit.id, confidence: 'medium', message: APART }
        // Two bounds in one assertion are one mistake.
        for (const found of isRetried(unit, assertion.in)
          ? []
          : comparisonsOf(assertion, unit).filter(c => isBound(c) && !isLoose(c, unit, view) && !isLaterLook(c, unit)).flatMap(claim =>
            measuredIn(claim, unit, view) ?? named(claim, unit, view) ?? []
          ))
          told.set(assertion.span.start, surer(told.get(assertion.span.start), { at: assertion.span, unit: unit.id, ...found }))
      }
      yield* told.values()
      for (const call of unit.calls)
        if ((call.target !== undefined
          ? helpers.has(call.target) && fits(call, facts.units[call.target]!)
            && comesToBound(call, facts.units[call.target]!, flows)
          : checksTime(call, unit, view))
          && !frozenClock(facts, unit, call.span.start))
          yield { at: call.span, unit: unit.id, confidence: call.target === undefined || call.args.some(a =>
              (milliseconds(a, unit, view.folding, 1) ?? 0) >= ROOMY_MS
            )
            ? 'medium'
            : 'high',
            message: `bounds how long something took, by ${/\w+!?$/.exec(call.name)?.[0] ?? call.name}: a busy machine takes longer` }
      for (const { region, clock, asked } of timedLoops(unit, flows))
        if (!frozenClock(facts, unit, region.span.start))
          yield { at: clock.span, unit: unit.id, confidence: 'medium',
            message: 'works until a time is over and then asserts how far it came: a busy machine comes less far',
            related: [{ span: asked.span, message: 'what must have been reached by then' }] }
    }
  },
)

function measuredIn(assertion: Assertion, unit: Unit, view: FileView): Verdict | undefined {
  const sides = assertion.operands.map(o => view.flows.ingredients(unit, o, assertion.span.start).origins.filter(x => !x.opaque))
  const [left = [], right = []] = sides.map(side => side.filter(o => o.shape === 'duration'))
  const measured = left[0] ?? right[0] ?? deadline(sides, assertion, unit)
  if (!measured || goesByGiven(view.facts, measured, unit)) return undefined
  // The month of today less one is a page of the calendar.
  const verdict = !assertion.operands.some(o => fieldOfNow(unit, o, assertion.span.start, view.flows, view.textOf))
    && judge(assertion, measured, left.length > 0 ? 0 : right.length > 0 ? 1 : isLater(sides) ? 0 : 1, left.length > 0 && right.length > 0,
      unit, view)
  return verdict
    ? { ...verdict, trace: way(measured, 'the time is taken', { span: assertion.span, message: 'and the time since then is bounded' }) }
    : undefined
}
