import type { Assertion, Unit, Value } from '../../facts/facts.ts'
import { fold, milliseconds } from '../../facts/fold.ts'
import { frozenClock, isProperty, isTestCode, polls, valuesIn } from '../../facts/query.ts'
import { isInstant, type Origin } from '../../flow/flow.ts'
import { boundingHelpers, namedAsMeasured, roundedTo, timedLoops } from '../../flow/elapsed.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { way } from '../wording.ts'
/** Above this, only a machine that stands still breaks the bound. */
const LOOSE_MS = 10_000

/** `2 tests in 0 seconds`; not `retrying in 2s` nor `failed to stop in 2s`, which somebody set. */
const TOLD = /^(?!.*(?:retry|failed|timed? ?out|expire|wait)).*\b(in|took|after) \d+(\.\d+)? ?(s|ms|secs?|seconds?|milliseconds?)\b/

export default defineRule(
  {
    id: 'elapsed-bound-assertion', title: 'An assertion bounds how long something took', category: 'time', severity: 'warning',
    triggers: ['mono', 'clock', 'elapsed'], words: ['get_?(?:[cC]urrent_?)?[tT]ime_?(?:[mun]s|[mM]illis)\\b', '\\bin 0(?:\\.0+)? ?(?:s|ms|seconds)\\b'], confirm: ['cpu-stress'], since: '0.1.0',
  },
  function* (view) {
    const { facts, flows } = view
    const helpers = boundingHelpers(facts, flows)
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const assertion of unit.assertions) {
        if (frozenClock(facts, unit, assertion.span.start)) continue
        const told = assertion.claims === 'presence' && /^(==|contains|matches)$/.test(assertion.compare) && assertion.operands.some(o => o.is === 'literal' && typeof o.value === 'string' && TOLD.test(o.value))
        if (told) yield { at: assertion.span, unit: unit.id, confidence: 'medium', message: 'expects an exact measured time in a text: a busy machine takes longer' }
        if (!/^(<|<=|>|>=|==|near)$/.test(assertion.compare) || assertion.operands.length < 2 || assertion.operands.some(o => o.is === 'literal' && o.value === null) || polls(unit, assertion.in)) continue
        const found = measuredIn(assertion, unit, view) ?? named(assertion, unit, view)
        if (found) yield { at: assertion.span, unit: unit.id, ...found }
      }
      for (const call of unit.calls)
        if (call.target !== undefined && helpers.has(call.target) && !frozenClock(facts, unit, call.span.start))
          yield { at: call.span, unit: unit.id, confidence: 'high', message: `bounds how long something took, by ${facts.units[call.target]!.name}: a busy machine takes longer` }
      for (const { region, clock, asked } of timedLoops(unit, flows))
        if (!frozenClock(facts, unit, region.span.start))
          yield { at: clock.span, unit: unit.id, confidence: 'medium', message: 'works until a time is over and then asserts how far it came: a busy machine comes less far', related: [{ span: asked.span, message: 'what must have been reached by then' }] }
    }
  },
)

type Verdict = Pick<Report, 'message' | 'confidence' | 'severity' | 'trace'>

function measuredIn(assertion: Assertion, unit: Unit, view: FileView): Verdict | undefined {
  const sides = assertion.operands.map(o => view.flows.ingredients(unit, o, assertion.span.start).origins.filter(x => !x.opaque))
  const [left = [], right = []] = sides.map(side => side.filter(o => o.shape === 'duration'))
  const measured = left[0] ?? right[0] ?? deadline(sides, assertion, unit)
  if (assertion.operands.some(o => roundedTo(o, unit, view.folding) >= LOOSE_MS)) return undefined
  const side = left.length > 0 ? 0 : right.length > 0 ? 1 : isLater(sides) ? 0 : 1
  const verdict = measured && judge(assertion, side, left.length > 0 && right.length > 0, unit, view, isSteady(measured, view))
  return verdict && { ...verdict, trace: way(measured, 'the time is taken', { span: assertion.span, message: 'and the time since then is bounded' }) }
}

/** What the code under test measured, by its name, against a bound that the test gives. */
function named(assertion: Assertion, unit: Unit, view: FileView): Verdict | undefined {
  const { compare, operands: [a, b], span } = assertion
  const side = a && namedAsMeasured(a, unit, view.flows, span.start) ? 0 : b && namedAsMeasured(b, unit, view.flows, span.start) ? 1 : undefined
  const bound = side === undefined ? undefined : boundOf(assertion.operands[1 - side], unit, view)
  if (side === undefined || bound === undefined || bound <= 0 || bound >= LOOSE_MS || !(side === 0 ? /^<=?$/ : /^>=?$/).test(compare)) return undefined
  return { message: 'bounds a measured time from above: a busy machine takes longer', confidence: 'medium' }
}

/** `time() < start + 5`: two readings with arithmetic between them bound the time between. */
function deadline(sides: readonly (readonly Origin[])[], assertion: Assertion, unit: Unit): Origin | undefined {
  const [a, b] = sides.map(side => side.find(isInstant))
  if (!a || !b || (a.call === b.call && a.unit === b.unit)) return undefined
  const moved = assertion.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'op' && (v.op === '+' || v.op === '-')))
  return moved ? a : undefined
}

const isLater = (sides: readonly (readonly Origin[])[]): boolean => (sides[0]?.find(isInstant)?.span.start ?? 0) >= (sides[1]?.find(isInstant)?.span.start ?? 0)

/** A clock that goes with the timers shows no less than they waited. */
const isSteady = ({ unit, call }: Origin, { facts }: FileView): boolean => facts.units[unit]!.calls[call]!.effects.some(e => e.note === 'steady')

function judge(assertion: Assertion, side: 0 | 1, both: boolean, unit: Unit, view: FileView, steady: boolean): Verdict | undefined {
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
  return { message: 'bounds how long something took from below to the millisecond: timer and clock do not tick together', confidence: slack || steady ? 'low' : 'high', severity: 'note' }
}

/** Every duration that the unit hands to something: a bound well below one of them has slack. */
const waitsIn = (unit: Unit, { folding }: FileView): number[] =>
  unit.calls.flatMap(c => [...c.effects.flatMap(e => e.ms ?? []), ...[...c.args, ...Object.values(c.named)].flatMap(a => milliseconds(a, unit, folding, 1) ?? [])])

function boundOf(value: Value | undefined, unit: Unit, { folding }: FileView): number | undefined {
  const n = milliseconds(value, unit, folding, 1)
  // A small bare number counts seconds in most languages.
  return n !== undefined && n > 0 && n < 100 && typeof fold(value, unit, folding) === 'number' ? n * 1000 : n
}
