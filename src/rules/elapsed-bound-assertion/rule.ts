import type { Assertion, Unit, Value } from '../../facts/facts.ts'
import { fold, milliseconds } from '../../facts/fold.ts'
import { frozenClock, isProperty, isTestCode, polls, valuesIn } from '../../facts/query.ts'
import { isInstant, type Origin } from '../../flow/flow.ts'
import { defineRule, type Confidence, type FileView, type Severity } from '../rule.ts'
import { way } from '../wording.ts'

/** Above this, only a machine that stands still breaks the bound. */
const LOOSE_MS = 10_000

export default defineRule(
  {
    id: 'elapsed-bound-assertion', title: 'An assertion bounds how long something took', category: 'time', severity: 'warning',
    triggers: ['mono', 'clock', 'elapsed'], confirm: ['cpu-stress'], since: '0.1.0',
  },
  function* (view) {
    const { facts, flows } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const assertion of unit.assertions) {
        if (!/^(<|<=|>|>=|==|near)$/.test(assertion.compare) || assertion.operands.length < 2 || assertion.operands.some(o => o.is === 'literal' && o.value === null) || polls(unit, assertion.in)) continue
        const sides = assertion.operands.map(o => flows.ingredients(unit, o, assertion.span.start).origins.filter(x => !x.opaque))
        const [left = [], right = []] = sides.map(side => side.filter(o => o.shape === 'duration'))
        const measured = left[0] ?? right[0] ?? deadline(sides, assertion, unit)
        if (!measured || frozenClock(facts, unit, measured.span.start)) continue
        const verdict = judge(assertion, left.length > 0 ? 0 : right.length > 0 ? 1 : isLater(sides) ? 0 : 1, left.length > 0 && right.length > 0, unit, view)
        if (!verdict) continue
        yield {
          at: assertion.span, unit: unit.id, ...verdict,
          trace: way(measured, 'the time is taken', { span: assertion.span, message: 'and the time since then is bounded' }),
        }
      }
    }
  },
)

/** `time() < start + 5`: two readings with arithmetic between them bound the time between. */
function deadline(sides: readonly (readonly Origin[])[], assertion: Assertion, unit: Unit): Origin | undefined {
  const [a, b] = sides.map(side => side.find(isInstant))
  if (!a || !b || (a.call === b.call && a.unit === b.unit)) return undefined
  const moved = assertion.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'op' && (v.op === '+' || v.op === '-')))
  return moved ? a : undefined
}

const isLater = (sides: readonly (readonly Origin[])[]): boolean => (sides[0]?.find(isInstant)?.span.start ?? 0) >= (sides[1]?.find(isInstant)?.span.start ?? 0)

function judge(assertion: Assertion, side: 0 | 1, both: boolean, unit: Unit, view: FileView): { message: string; confidence: Confidence; severity?: Severity } | undefined {
  const { compare } = assertion
  if (both) return { message: 'compares two measured times: either can be stretched by a busy machine', confidence: 'high' }
  const upper = side === 0 ? compare === '<' || compare === '<=' : compare === '>' || compare === '>='
  const bound = boundOf(assertion.operands[1 - side], unit, view)
  if (compare === '==' || compare === 'near') return { message: 'expects an exact measured time', confidence: compare === '==' ? 'high' : 'medium' }
  if (upper) {
    const loose = bound !== undefined && bound >= LOOSE_MS
    return { message: 'bounds how long something took from above: a busy machine takes longer', confidence: loose ? 'low' : 'high', ...(loose && { severity: 'note' as const }) }
  }
  // Timers and clocks have different grains, so even «at least» is missed by a hair; comparing with nothing is not a bound.
  if (bound === 0) return undefined
  const slack = bound !== undefined && waitsIn(unit, view).some(ms => ms > bound * 1.05 && ms < bound * 20)
  return { message: 'bounds how long something took from below to the millisecond: timer and clock do not tick together', confidence: slack ? 'low' : 'medium', severity: 'note' }
}

/** Every duration that the unit hands to something: a bound well below one of them has slack. */
const waitsIn = (unit: Unit, { folding }: FileView): number[] =>
  unit.calls.flatMap(c => [...c.effects.flatMap(e => e.ms ?? []), ...[...c.args, ...Object.values(c.named)].flatMap(a => milliseconds(a, unit, folding, 1) ?? [])])

function boundOf(value: Value | undefined, unit: Unit, { folding }: FileView): number | undefined {
  const n = milliseconds(value, unit, folding, 1)
  // A small bare number counts seconds in most languages.
  return n !== undefined && n > 0 && n < 100 && typeof fold(value, unit, folding) === 'number' ? n * 1000 : n
}
