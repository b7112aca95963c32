import type { EffectKind } from '../../facts/effects.ts'
import { fold, milliseconds } from '../../facts/fold.ts'
import { isProperty, isTestCode } from '../../facts/query.ts'
import { defineRule } from '../rule.ts'
import { way } from '../wording.ts'

const MEASURED: readonly EffectKind[] = ['mono', 'elapsed', 'clock', 'random', 'usage']

export default defineRule(
  {
    id: 'too-narrow-tolerance',
    title: 'A measured or drawn quantity is allowed almost no tolerance',
    category: 'numeric',
    severity: 'note',
    audit: true,
    triggers: ['mono', 'elapsed', 'clock', 'random', 'usage'],
    confirm: ['repeat', 'cpu-stress'],
    since: '0.2.0',
  },
  function* ({ facts, flows, folding }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const assertion of unit.assertions) {
        if (assertion.compare !== 'near' || !assertion.tolerance) continue
        const measured = assertion.operands.flatMap(o => flows.ingredients(unit, o, assertion.span.start).origins).find(o =>
          MEASURED.includes(o.kind)
        )
        const slack = fold(assertion.tolerance, unit, folding)
        if (!measured || slack === undefined) continue
        const expected = assertion.operands.map(o => fold(o, unit, folding)).find(n => typeof n === 'number')
        const narrow = typeof slack === 'number'
          ? typeof expected === 'number' && expected !== 0 && slack < 1 && Math.abs(slack / expected) < 0.01
          : (milliseconds(assertion.tolerance, unit, folding, 1) ?? Infinity) < 10
        if (!narrow) continue
        yield {
          at: assertion.span,
          unit: unit.id,
          confidence: 'low',
          message: 'allows less than a hundredth, or less than 10 ms, between what is measured and what is expected',
          trace: way(measured, 'it is measured or drawn', { span: assertion.span, message: 'and compared' }),
        }
      }
    }
  },
)
