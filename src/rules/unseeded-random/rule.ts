import type { Unit } from '../../facts/facts.ts'
import { cured, curedBeyond, has, inForce, isProperty, isTestCode, marked } from '../../facts/query.ts'
import { seedGenerator } from '../../fixes/seeds.ts'
import { boundOnChance, chanceIn, drawnArrays, drawsInStatement, fewNames, isNonce, seedsFor, shuffledApart, tokenOf, unseededSources } from '../../flow/chance/draws.ts'
import { fedDraws } from '../../flow/chance/fed.ts'
import { isHandedOn, type Origin } from '../../flow/flow.ts'
import { isMasked } from '../../flow/claims/masked.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { confidenceOf, least, lower, way } from '../wording.ts'

export default defineRule(
  {
    id: 'unseeded-random', title: 'The outcome depends on a random number that no run can repeat', category: 'random', severity: 'warning',
    triggers: ['random'], words: ['random\\(\\)::', '(?:ORDER BY|order by) (?:RANDOM|random|RAND|rand|NEWID)\\(\\)', '[sS]huffle', 'Math\\.random'], source: ['clock'], confirm: ['seed-vary'], crowds: 8, since: '0.1.0',
  },
  function* (view) {
    const { facts } = view, told = new Set<number>(), worked = [...fed(view)]
    const once = (reports: Iterable<Report>) => [...reports].map(raised).filter(r => !told.has(r.at.start) && (r.confidence === 'low' || told.add(r.at.start)))
    const raised = (r: Report): Report => (r.confidence === 'low' && worked.some(w => w.at.start === r.at.start) ? { ...r, confidence: 'medium', severity: 'warning' } : r)
    for (const { draw, choices } of fewNames(view))
      if (isOpen(facts.units[draw.unit]!, view)) yield* once([{ at: draw.span, unit: draw.unit, confidence: 'medium', message: `names are drawn out of ${choices}, again and again and without a seed: sooner or later two of them are the same` }])
    for (const unit of facts.units) {
      if (!unit.calls.some(c => has(c, 'random')) && !unit.assertions.length) continue
      if (!isTestCode(facts, unit)) yield* once([...tokens(unit, view)])
      else if (isOpen(unit, view)) yield* once(surestFirst([...asserted(unit, view), ...bounds(unit, view), ...inStatements(unit)]))
    }
    yield* once(worked.filter(w => !w.related?.some(({ span }) => [...told].some(at => at >= span.start && at < span.end))))
    for (const unit of facts.units) yield* once([...(isDrawing(unit, view) ? unseededSources(unit, told, c => curedBeyond(facts, unit, 'seed') || seedsFor(c, inForce(facts, unit))) : []), ...(isOpen(unit, view) ? drawnArrays(unit, told) : [])].map(c => ({ at: c.span, unit: unit.id, confidence: 'medium', message: DRAWN })))
  },
)

const DRAWN = 'works on numbers drawn without a seed: a failure cannot be repeated'
const surestFirst = (reports: readonly Report[]): Report[] => (['high', 'medium', 'low'] as const).flatMap(c => reports.filter(r => r.confidence === c))
/** Nobody seeds or makes properties here. */
const isDrawing = (unit: Unit, { facts }: FileView): boolean => isTestCode(facts, unit) && !isProperty(facts, unit) && !marked(facts, unit, 'seeded')
const isOpen = (unit: Unit, view: FileView): boolean => isDrawing(unit, view) && !cured(view.facts, unit, 'seed')

/** A margin around what came of many draws, and an order that a shuffle must change: told where it is drawn, for there it is cured. */
function* bounds(unit: Unit, view: FileView): Generator<Report> {
  const chance = unit.assertions.some(a => /^(<|<=|>|>=|near|!=)$/.test(a.compare)) && chanceIn(unit, view)
  if (!chance) return
  for (const assertion of unit.assertions) {
    const bound = boundOnChance(assertion, unit, view, chance), draw = bound ?? shuffledApart(assertion, unit, chance)
    if (!draw) continue
    yield {
      at: draw.span, unit: draw.unit, confidence: 'medium', related: [{ span: assertion.span, message: 'asserted here' }],
      message: bound ? 'a bound is asserted on what comes of numbers drawn without a seed: sooner or later a run is outside' : 'a shuffle without a seed must change the order: now and then it does not',
      ...(draw.call && { fixes: seedGenerator(view, draw.call) }),
    }
  }
}

/** Ids and passwords are random on purpose; only what is drawn to be looked at counts. */
const isDrawn = (o: Origin, view: FileView): boolean => o.kind === 'random' && !has(view.facts.units[o.unit]!.calls[o.call]!, 'unique-id', 'clock')

function* asserted(unit: Unit, view: FileView): Generator<Report> {
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
      at: drawn.unit === unit.id ? drawn.span : assertion.span, unit: unit.id, confidence: threshold ? (vague ? 'low' : least(known, 'medium')) : drawn.opaque ? 'low' : lower(known),
      ...(threshold && !drawn.opaque && { severity: 'error' as const }), ...(drawn.opaque && { severity: 'note' as const }),
      message: parts ? 'what is computed from a number drawn without a seed must be near: sooner or later a draw is further off' : threshold ? 'a bound is asserted on a number drawn without a seed: sooner or later it is drawn outside' : 'the assertion sees a number drawn without a seed: a failure cannot be repeated',
      trace: drawn.unit === unit.id ? way(drawn, 'drawn without a seed', { span: assertion.span, message: 'and asserted' }) : [],
      fixes: seedGenerator(view, source),
    }
  }
}

/** The code under test is fed with what was drawn, and one thing is expected of it whatever comes. */
function* fed(view: FileView): Generator<Report> {
  for (const { draw, unit, assertion } of fedDraws(view))
    yield {
      at: draw.span, unit: draw.unit, confidence: 'medium', ...(draw.call && { fixes: seedGenerator(view, draw.call) }), related: assertion ? [{ span: assertion.span, message: 'expected here' }] : [],
      message: assertion ? `${unit.role.is === 'test' ? 'the test' : unit.name} works on numbers drawn without a seed and expects one outcome: a failure cannot be repeated` : 'tests of this file work on numbers drawn without a seed: a failure cannot be repeated',
    }
}

/** Chance in a statement for a database, in a test that then expects something. */
const inStatements = (unit: Unit): Report[] => (unit.assertions.length === 0 ? [] : unit.calls.filter(drawsInStatement)
  .map(c => ({ at: c.span, unit: unit.id, confidence: 'medium', message: 'lets the database draw numbers without a seed: every run asserts on other rows' })))

/** Source code that mixes clock and chance into one text makes a token that no test can foresee or repeat. */
function* tokens(unit: Unit, view: FileView): Generator<Report> {
  const drawn = tokenOf(unit, view.flows, o => isDrawn(o, view))
  if (drawn) yield { at: drawn.span, unit: unit.id, confidence: 'medium', message: 'a name made of the clock and an unseeded random number: no run can repeat it, and tests that see it cannot either' }
}
