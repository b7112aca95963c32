import type { Assertion, Unit } from '../../facts/facts.ts'
import { frozenClock, has, isProperty, isTestCode } from '../../facts/query.ts'
import { isInstant, type Origin } from '../../flow/flow.ts'
import { countedByReading, stampedApart, strictOf } from '../../flow/time/stamps.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { way } from '../wording.ts'
import { BESIDE, besideReading, isBare, isGiven, isKept, isSameBut, isStamp, KEYS, MOVES, STRICT } from './signs.ts'

export default defineRule(
  {
    id: 'timestamp-uniqueness-or-order',
    title: 'Two readings of the clock are expected to differ',
    category: 'time',
    severity: 'warning',
    triggers: ['clock'],
    confirm: ['repeat'],
    since: '0.2.0',
    words: ['(?:[uU]pdated|[mM]odified)_?(?:[aA]t|[oO]n|[tT]ime|[dD]ate)\\b', '\\b(?:st_|get)?mtime(?:Ms|Ns|_ns)?\\b', '\\bModTime\\(',
      '\\b(?:get)?[lL]astModified(?:Time)?\\(', '\\.modified\\(\\)', '[tT]imestamp\\(\\)\\)\\.is(?:Before|After|Less|Greater)\\w*\\('],
  },
  function* (view) {
    const { facts, flows } = view
    for (const unit of facts.units) {
      // Who waits between the readings has another problem, and another rule.
      if (!isTestCode(facts, unit) || isProperty(facts, unit) || unit.calls.some(c =>
        has(c, 'sleep', 'fake-clock', 'wait-until') || MOVES.test(c.name)
      ) || frozenClock(facts, unit)) continue
      for (const assertion of unit.assertions) {
        const { compare, operands } = strictOf(assertion, unit)
        if (!STRICT.has(compare) || operands.length < 2 || operands.some(o => o.is === 'op' && o.op !== '[]')) continue
        const [a, b] = operands.map(o =>
          flows.ingredients(unit, o, assertion.span.start).origins.find(x => x.kind === 'clock' && isInstant(x) && !x.opaque)
        )
        const made = a && b ? undefined : stampedApart(view, unit, operands, compare, assertion.span.start)
        const beside = compare === '!=' ? undefined : besideReading(operands, unit, assertion.span.start, view)
        if (a && b) {
          if (a.call !== b.call && a.unit === unit.id && b.unit === unit.id
            && operands.every(o => isBare(o, unit, assertion.span.start, view))) yield report(assertion, unit, a)
        } else if (made || operands.every(o => isStamp(o, unit, assertion.span.start, view)) && !isGiven(unit))
          yield report(assertion, unit, made)
        else if (beside) yield { ...report(assertion, unit, beside), message: BESIDE }
      }
      for (const { put, counted } of countedByReading(unit))
        yield { at: put.span, unit: unit.id, confidence: 'medium', message: KEYS,
          related: [{ span: counted.span, message: 'both are counted' }] }
      yield* again(unit, view)
    }
  },
)

function report(assertion: Assertion, unit: Unit, clock: Origin | undefined): Report {
  return {
    at: assertion.span,
    unit: unit.id,
    confidence: 'medium',
    message: 'expects two times to differ: on a fast machine, or with a coarse clock, both are read in the same tick',
    ...(clock && { trace: way(clock, 'one reading', { span: assertion.span, message: 'and compared with another' }) }),
  }
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
    if (unit.calls.some(c =>
      c !== call && c.name === call.name && c.span.end <= call.span.start && isSameBut(at, c, call) && isKept(c.args[at], c, unit, flows)
    ))
      yield { at: call.span, unit: unit.id, confidence: 'high',
        message: 'expects a fresh reading of the clock to differ from an earlier one: both can be read in the same tick' }
  }
}
