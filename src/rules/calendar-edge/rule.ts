import type { Assertion, Call, Unit } from '../../facts/facts.ts'
import { frozenClock, has, isProperty, isTestCode } from '../../facts/query.ts'
import { fieldOfNow, handedNow, movedMonth, movedTimes, passingField } from '../../flow/time/calendar.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { judge } from './signs.ts'

export default defineRule(
  {
    id: 'calendar-edge',
    title: 'The outcome depends on where in the calendar the test runs',
    category: 'time',
    severity: 'warning',
    triggers: ['clock'],
    confirm: ['clock-shift'],
    crowds: 4,
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit) || unit.role.is === 'suite' || unit.role.is === 'module') continue
      if (!unit.calls.some(c => has(c, 'clock')) && !unit.calls.some(c => c.receiver && handedNow(facts, unit, c.receiver, view.flows)))
        continue
      for (const call of unit.calls) yield* moved(unit, call, view)
      yield* nextMonth(unit, view)
      for (const { clock, span } of movedTimes(unit, view.flows, view.textOf))
        if (!frozenClock(facts, unit, clock.span.start))
          yield { at: span, unit: unit.id, confidence: 'medium',
            message: 'moves the second, minute or hour of the run and carries nothing over: there is no 60, no 24 and no -1' }
      const told = new Set<Call>()
      for (const assertion of unit.assertions) {
        const clock = passingField(assertion, unit, view.flows, view.textOf)
        if (clock && !frozenClock(facts, unit, clock.span.start))
          told.add(clock),
            yield { at: assertion.span, unit: unit.id, confidence: 'medium',
              message: 'asks for the day or hour of the run: around its end, or on another day, it is another one' }
      }
      for (const region of unit.regions) {
        if (region.kind !== 'if' || !region.condition) continue
        const field = fieldOfNow(unit, region.condition, region.span.start, view.flows, view.textOf)
        if (field && !told.has(field.clock) && !frozenClock(facts, unit, field.clock.span.start))
          yield { at: field.span, unit: unit.id, confidence: 'medium',
            message: 'the test takes another way by the day or hour on which it runs: most runs never see one of them' }
      }
    }
  },
)

/** `today.month + 1`, kept or compared; `today.month - 1` only compared, for kept it counts from nought. */
function* nextMonth(unit: Unit, { facts, flows, textOf }: FileView): Generator<Report> {
  const isJs = facts.language === 'typescript'
  const asks = (a: Assertion, like: RegExp) => a.operands.some(o => o.is === 'call' && like.test(unit.calls[o.call]!.name))
  const kept = isJs ? [] : unit.writes.map(w => ({ span: w.span, values: [w.value], back: false }))
  const compared = unit.assertions.filter(a => a.compare === '==' && (!isJs || asks(a, /\.get(UTC)?Month$/))).flatMap(a =>
    [false, true].map(back => ({ span: a.span, values: a.operands, back }))
  )
  for (const { span, values, back } of [...kept, ...compared]) {
    const clock = values.map(v => movedMonth(unit, v, span.start, flows, textOf, back)).find(c => c !== undefined)
    // Calendars and dates of old count from nought too.
    if (back && facts.language === 'java' && values.some(v => v.is === 'call' && /\.(get|getMonth)$/.test(unit.calls[v.call]!.name)))
      continue
    if (clock && !frozenClock(facts, unit, clock.span.start))
      yield { at: span, unit: unit.id, confidence: 'medium', message: back
        ? 'takes from the month of today: in January there is no month before it'
        : 'adds to the month of today: in December there is no month 13' }
  }
}

function* moved(unit: Unit, call: Call, view: FileView): Generator<Report> {
  const said = judge(unit, call, view)
  if (said && !frozenClock(view.facts, unit, call.span.start)) yield { at: call.span, unit: unit.id, ...said }
}
