import type { Assertion, Call, Unit, Value } from '../../facts/facts.ts'
import { frozenClock, has, isProperty, isTestCode, valuesIn } from '../../facts/query.ts'
import { isInstant, type Origin } from '../../flow/flow.ts'
import { keptIn } from '../../flow/zone.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { way } from '../wording.ts'

const STRICT = new Set(['!=', '<', '>'])
const STAMP = /(^|[._])(created|updated|modified|changed|mtime|ctime|timestamp)$|(created|updated|modified|changed|last_?used|last_?seen)_?(at|on|time|date|timestamp)$|[a-z]Timestamp$|(^|[._])last_?modified$/i

export default defineRule(
  {
    id: 'timestamp-uniqueness-or-order', title: 'Two readings of the clock are expected to differ', category: 'time', severity: 'warning',
    triggers: ['clock'], confirm: ['repeat'], since: '0.2.0',
  },
  function* (view) {
    const { facts, flows } = view
    for (const unit of facts.units) {
      // Who waits between the readings has another problem, and another rule.
      if (!isTestCode(facts, unit) || isProperty(facts, unit) || unit.calls.some(c => has(c, 'sleep', 'fake-clock', 'wait-until')) || frozenClock(facts, unit)) continue
      for (const assertion of unit.assertions) {
        const { compare, operands } = strictOf(assertion, unit)
        if (!STRICT.has(compare) || operands.length < 2 || operands.some(o => o.is === 'op')) continue
        const [a, b] = operands.map(o => flows.ingredients(unit, o, assertion.span.start).origins.find(x => x.kind === 'clock' && isInstant(x) && !x.opaque))
        if (a && b) {
          if (a.call !== b.call && a.unit === unit.id && b.unit === unit.id && operands.every(o => isBare(o, unit, assertion.span.start, view))) yield report(assertion, unit, a)
        }
        else if (isStamp(operands[0]!) && isStamp(operands[1]!)) yield report(assertion, unit, undefined)
      }
      yield* again(unit, view)
    }
  },
)

function report(assertion: Assertion, unit: Unit, clock: Origin | undefined): Report {
  return {
    at: assertion.span, unit: unit.id, confidence: 'medium',
    message: 'expects two times to differ: on a fast machine, or with a coarse clock, both are read in the same tick',
    ...(clock && { trace: way(clock, 'one reading', { span: assertion.span, message: 'and compared with another' }) }),
  }
}

/** A reading as it was, not moved by a time: that would be a bound on how long something took. */
function isBare(value: Value, unit: Unit, offset: number, { facts }: FileView): boolean {
  const kept = value.is === 'name' ? keptIn(facts, unit, value.path, offset)?.value : value
  return kept !== undefined && [...valuesIn(kept, unit)].every(v => v.is === 'name' || v.is === 'group' || v.is === 'literal' || (v.is === 'call' && (has(unit.calls[v.call]!, 'clock') || unit.calls[v.call]!.args.length === 0)))
}

/** `assertTrue(b.isAfter(a))` is a strict comparison. */
function strictOf(assertion: Assertion, unit: Unit): { compare: string; operands: readonly Value[] } {
  const only = assertion.operands[0]
  const call = assertion.compare === 'truth' && only?.is === 'call' ? unit.calls[only.call] : undefined
  return call?.receiver && assertion.claims === 'presence' && /(^|[.:])(isAfter|isBefore|After|Before)$/.test(call.name) && call.args[0] ? { compare: '>', operands: [call.receiver, call.args[0]] } : assertion
}

/** The same field of two things, such as `a.updated` and `b.updated`. */
function isStamp(value: Value): boolean {
  return value.is === 'name' && STAMP.test(value.path)
}

/** The same call with a reading that was kept and, later, with a fresh one that must not match. */
function* again(unit: Unit, { flows }: FileView): Generator<Report> {
  const readings = unit.calls.filter(c => has(c, 'clock'))
  if (readings.length < 2) return
  for (const call of unit.calls) {
    const fresh = call.args.find(a => a.is === 'call' && has(unit.calls[a.call]!, 'clock'))
    const next = fresh && unit.assertions.find(a => a.span.start >= call.span.end)
    if (!next || next.claims !== 'absence' || next.compare === 'throws') continue
    const at = call.args.indexOf(fresh)
    const kept = unit.calls.find(c => c !== call && c.name === call.name && c.span.end <= call.span.start && isSameBut(at, c, call) && isKept(c.args[at], c, unit, flows))
    if (kept) yield { at: call.span, unit: unit.id, confidence: 'high', message: 'expects a fresh reading of the clock to differ from an earlier one: both can be read in the same tick' }
  }
}

const isSameBut = (at: number, a: Call, b: Call): boolean =>
  a.args.length === b.args.length && a.args.every((v, i) => i === at || (v.is === 'literal' && b.args[i]?.is === 'literal' && v.value === b.args[i].value))

const isKept = (value: Value | undefined, call: Call, unit: Unit, flows: FileView['flows']): boolean =>
  value?.is === 'name' && flows.ingredients(unit, value, call.span.start).origins.some(o => o.kind === 'clock' && isInstant(o))
