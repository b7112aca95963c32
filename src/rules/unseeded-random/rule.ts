import type { Unit } from '../../facts/facts.ts'
import { curedBeyond, has, inForce, isTestCode } from '../../facts/query.ts'
import { seedGenerator } from '../../fixes/seeds.ts'
import { boundOnChance, chanceIn, drawnArrays, fewNames, seedsFor, shuffledApart, unseededSources } from '../../flow/chance/draws.ts'
import { asksForm, onlyDelays } from '../../flow/chance/fed.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { asserted, DRAWN, fed, inStatements, isDrawing, isOpen, surestFirst, tokens } from './signs.ts'

export default defineRule(
  {
    id: 'unseeded-random',
    title: 'The outcome depends on a random number that no run can repeat',
    category: 'random',
    severity: 'warning',
    triggers: ['random'],
    words: ['random\\(\\)::', '(?:ORDER BY|order by) (?:RANDOM|random|RAND|rand|NEWID)\\(\\)', '[sS]huffle', 'Math\\.random'],
    source: ['clock'],
    confirm: ['seed-vary'],
    crowds: 8,
    since: '0.1.0',
  },
  function* (view) {
    const { facts } = view, told = new Set<number>(), worked = [...fed(view)]
    const once = (reports: Iterable<Report>) =>
      [...reports].map(raised).filter(r => !told.has(r.at.start) && (r.confidence === 'low' || told.add(r.at.start)))
    const raised = (
      r: Report,
    ): Report =>
      r.confidence === 'low' && worked.some(w => w.at.start === r.at.start)
        ? { ...r, confidence: 'medium', severity: 'warning' }
        : r
    for (const { draw, choices } of fewNames(view))
      if (isOpen(facts.units[draw.unit]!, view))
        yield* once([{ at: draw.span, unit: draw.unit, confidence: 'medium',
          message: `names are drawn out of ${choices}, again and again and without a seed: sooner or later two of them are the same` }])
    for (const unit of facts.units) {
      if (!unit.calls.some(c => has(c, 'random')) && !unit.assertions.length) continue
      if (!isTestCode(facts, unit)) yield* once([...tokens(unit, view)])
      else if (isOpen(unit, view)) yield* once(surestFirst([...asserted(unit, view), ...bounds(unit, view), ...inStatements(unit)]))
    }
    yield* once(worked.filter(w => !w.related?.some(({ span }) => [...told].some(at => at >= span.start && at < span.end))))
    for (const unit of facts.units)
      yield* once([...(isDrawing(unit, view)
        ? unseededSources(unit, told, c => curedBeyond(facts, unit, 'seed') || seedsFor(c, inForce(facts, unit))).filter(c =>
          !onlyDelays(c, unit)
        )
        : []), ...(isOpen(unit, view) && !asksForm(unit, view.textOf) ? drawnArrays(unit, told) : [])].map(c => ({ at: c.span,
          unit: unit.id, confidence: 'medium', message: DRAWN })
        ))
  },
)

/** A margin around what came of many draws, and an order that a shuffle must change: told where it is drawn, for there it is cured. */
function* bounds(unit: Unit, view: FileView): Generator<Report> {
  const chance = unit.assertions.some(a => /^(<|<=|>|>=|near|!=)$/.test(a.compare)) && chanceIn(unit, view)
  if (!chance) return
  for (const assertion of unit.assertions) {
    const bound = boundOnChance(assertion, unit, view, chance), draw = bound ?? shuffledApart(assertion, unit, chance)
    if (!draw) continue
    yield {
      at: draw.span,
      unit: draw.unit,
      confidence: 'medium',
      related: [{ span: assertion.span, message: 'asserted here' }],
      message: bound
        ? 'a bound is asserted on what comes of numbers drawn without a seed: sooner or later a run is outside'
        : 'a shuffle without a seed must change the order: now and then it does not',
      ...(draw.call && { fixes: seedGenerator(view, draw.call) }),
    }
  }
}
