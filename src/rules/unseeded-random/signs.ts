import type { Unit } from '../../facts/facts.ts'
import { curedBeyond, cures, has, inForce, isProperty, isTestCode, marked } from '../../facts/query.ts'
import { seedGenerator } from '../../fixes/seeds.ts'
import { covers, drawsInStatement, isNonce, tokenOf } from '../../flow/chance/draws.ts'
import { fedDraws } from '../../flow/chance/fed.ts'
import { isHandedOn, type Origin } from '../../flow/flow.ts'
import { isMasked } from '../../flow/claims/masked.ts'
import { type FileView, type Report } from '../rule.ts'
import { confidenceOf, least, lower, way } from '../wording.ts'

export const DRAWN = 'works on numbers drawn without a seed: a failure cannot be repeated'
export const surestFirst = (reports: readonly Report[]): Report[] =>
  (['high', 'medium', 'low'] as const).flatMap(c => reports.filter(r => r.confidence === c))
/** Nobody seeds or makes properties here. */
export const isDrawing = (unit: Unit, { facts }: FileView): boolean =>
  isTestCode(facts, unit) && !isProperty(facts, unit) && !marked(facts, unit, 'seeded')
export const isOpen = (unit: Unit, view: FileView): boolean => isDrawing(unit, view) && !isSeeded(unit, view)

/** `rng = RandomState(7)` beside `numpy.random.rand()`: a seed is one for those who draw from that generator. */
function isSeeded(unit: Unit, { facts }: FileView): boolean {
  if (curedBeyond(facts, unit, 'seed')) return true
  const seeds = [unit, ...inForce(facts, unit)].flatMap(u => u.calls.filter(c => cures(c, 'seed')))
  return seeds.length > 0 && unit.calls.filter(c => has(c, 'random')).every(draw => seeds.some(s => covers(s, draw)))
}

/** Ids and passwords are random on purpose; only what is drawn to be looked at counts. */
const isDrawn = (o: Origin, view: FileView): boolean =>
  o.kind === 'random' && !has(view.facts.units[o.unit]!.calls[o.call]!, 'unique-id', 'clock')

export function* asserted(unit: Unit, view: FileView): Generator<Report> {
  const seen = new Set<number>()
  for (const assertion of unit.assertions.filter(a => a.compare !== 'snapshot' || !isMasked(unit, a.span, view.textOf))) {
    const sides = assertion.operands.map(o => view.flows.ingredients(unit, o, assertion.span.start).origins)
    const drawn = sides.flat().find(o => isDrawn(o, view))
    if (!drawn || seen.has(drawn.call) || view.facts.units[drawn.unit] === undefined) continue
    // The same draw on both sides cancels out: a round trip. Two results of one input that need only be near each other may part.
    const both = sides.filter(side => side.some(o => o.call === drawn.call && o.unit === drawn.unit)).length > 1
    const parts = both && assertion.compare === 'near' && sides.some(side => side.some(o => o.call === drawn.call && o.opaque))
    if (both && !parts) continue
    const threshold = /^(<|<=|>|>=|near)$/.test(assertion.compare)
    if (!threshold && (isHandedOn(unit, drawn, assertion.span) || isNonce(unit, assertion, sides, view.flows))) continue
    seen.add(drawn.call)
    const source = view.facts.units[drawn.unit]!.calls[drawn.call]!, known = confidenceOf(source)
    // What is made with a generator, or around a number that a helper drew, is bounded by how it is made more often than by the draw.
    const vague = drawn.opaque && source.effects.some(e => e.kind === 'random' && (e.note === 'generator' || e.through !== undefined))
    yield {
      at: drawn.unit === unit.id ? drawn.span : assertion.span,
      unit: unit.id,
      confidence: threshold ? (vague ? 'low' : least(known, 'medium')) : drawn.opaque ? 'low' : lower(known),
      ...(threshold && !drawn.opaque && { severity: 'error' as const }),
      ...(drawn.opaque && { severity: 'note' as const }),
      message: parts
        ? 'what is computed from a number drawn without a seed must be near: sooner or later a draw is further off'
        : threshold
        ? 'a bound is asserted on a number drawn without a seed: sooner or later it is drawn outside'
        : 'the assertion sees a number drawn without a seed: a failure cannot be repeated',
      trace: drawn.unit === unit.id ? way(drawn, 'drawn without a seed', { span: assertion.span, message: 'and asserted' }) : [],
      fixes: seedGenerator(view, source),
    }
  }
}

/** The code under test is fed with what was drawn, and one thing is expected of it whatever comes. */
export function* fed(view: FileView): Generator<Report> {
  for (const { draw, unit, assertion } of fedDraws(view))
    yield {
      at: draw.span,
      unit: draw.unit,
      confidence: 'medium',
      ...(draw.call && { fixes: seedGenerator(view, draw.call) }),
      related: assertion ? [{ span: assertion.span, message: 'expected here' }] : [],
      message: assertion
        ? `${
          unit.role.is === 'test' ? 'the test' : unit.name
        } works on numbers drawn without a seed and expects one outcome: a failure cannot be repeated`
        : 'tests of this file work on numbers drawn without a seed: a failure cannot be repeated',
    }
}

/** Chance in a statement for a database, in a test that then expects something. */
export const inStatements = (unit: Unit): Report[] =>
  unit.assertions.length === 0 ? [] : unit.calls.filter(drawsInStatement)
    .map(c => ({ at: c.span, unit: unit.id, confidence: 'medium',
      message: 'lets the database draw numbers without a seed: every run asserts on other rows' })
    )

/** Source code that mixes clock and chance into one text makes a token that no test can foresee or repeat. */
export function* tokens(unit: Unit, view: FileView): Generator<Report> {
  const drawn = tokenOf(unit, view.flows, o => isDrawn(o, view))
  if (drawn)
    yield { at: drawn.span, unit: unit.id, confidence: 'medium',
      message: 'a name made of the clock and an unseeded random number: no run can repeat it, and tests that see it cannot either' }
}
