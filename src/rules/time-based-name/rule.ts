import type { Unit } from '../../facts/facts.ts'
import { argumentOf, effectOf, frozenClock, valuesIn } from '../../facts/query.ts'
import { DATABASE, inShared, sharedNames } from '../../flow/state/shared-names.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { confidenceOf, least, way } from '../wording.ts'
import { clockAlone, isDivided, isText, NAMES, readOf, shares, sureOf, textSpan } from './signs.ts'

export default defineRule(
  {
    id: 'time-based-name',
    title: 'A shared thing is named by the clock',
    category: 'time',
    severity: 'warning',
    triggers: ['clock', 'mono', 'process-id'],
    source: ['clock', 'process-id'],
    confirm: ['parallelise'],
    crowds: 5,
    cap: 'medium',
    since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (unit.calls.every(c => c.effects.length === 0) && unit.writes.length === 0) continue
      const told = new Set<number>()
      for (const report of [...sinks(unit, view), ...names(unit, view), ...given(unit, view)]) {
        const key = report.trace?.[0]?.span.start ?? report.at.start
        if (told.has(key)) continue
        told.add(key)
        yield report
      }
    }
  },
)

function* sinks(unit: Unit, view: FileView): Generator<Report> {
  for (const call of unit.calls) {
    const effect = effectOf(call, 'name-resource')
    const name = effect && argumentOf(call, effect)
    if (!effect || !name || !isText(name, unit, call)) continue
    const clock = clockAlone(view.flows.ingredients(unit, name, call.span.start))
    if (!clock || frozenClock(view.facts, unit, clock.span.start)) continue
    yield {
      at: textSpan(clock, call, unit),
      unit: unit.id,
      confidence: sureOf(clock, unit, view, effect.what === 'database' ? confidenceOf(call) : least(confidenceOf(call), 'medium')),
      ...(effect.what === 'database' && { severity: 'error' as const }),
      message: `names a ${effect.what ?? 'resource'} by ${shares(clock)}`,
      trace: way(clock, readOf(clock), { span: call.span, message: `and names a ${effect.what ?? 'resource'}` }),
    }
  }
}

/** Where no call is known to take the name, its variable says what it is for. */
function* names(unit: Unit, view: FileView): Generator<Report> {
  for (const write of unit.writes) {
    if (write.value.is !== 'text') continue
    const clock = clockAlone(view.flows.ingredients(unit, write.value, write.span.start))
    const prefix = [...valuesIn(write.value, unit)].find(v => v.is === 'literal' && typeof v.value === 'string') as
      | { value: string }
      | undefined
    // The number of a day is what the code under test calls its table by.
    if (clock?.steps.some(s => unit.writes.some(w => w.span.start === s.span.start && isDivided(w.value, unit)))) continue
    if (!clock
      || !(NAMES.test(write.target) || NAMES.test(prefix?.value ?? '') || DATABASE.test(prefix?.value ?? '') || inShared(write.value, unit))
      || frozenClock(view.facts, unit, clock.span.start)) continue
    yield {
      at: write.span,
      unit: unit.id,
      confidence: sureOf(clock, unit, view, 'medium'),
      message: `${write.target} is named by ${shares(clock)}`,
      trace: way(clock, readOf(clock), { span: write.span, message: `and becomes part of ${write.target}` }),
    }
  }
}

/** Where the text itself, or what takes it, says what it names. */
function* given(unit: Unit, view: FileView): Generator<Report> {
  for (const { call, value, what } of sharedNames(unit)) {
    const clock = clockAlone(view.flows.ingredients(unit, value, call.span.start))
    if (!clock || frozenClock(view.facts, unit, clock.span.start)) continue
    yield {
      at: call.span,
      unit: unit.id,
      confidence: sureOf(clock, unit, view, 'medium'),
      message: `names a ${what} by ${shares(clock)}`,
      trace: way(clock, readOf(clock), { span: call.span, message: `and names a ${what}` }),
    }
  }
}
