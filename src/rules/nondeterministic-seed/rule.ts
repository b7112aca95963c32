import { effectOf, has, isTestCode, valuesIn } from '../../facts/query.ts'
import { argumentIngredients, type Origin } from '../../flow/flow.ts'
import type { Unit } from '../../facts/facts.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf, way } from '../wording.ts'

export default defineRule(
  {
    id: 'nondeterministic-seed', title: 'A generator is seeded with something that changes from run to run', category: 'random', severity: 'error',
    triggers: ['seed'], confirm: ['seed-vary'], since: '0.1.0',
  },
  function* ({ facts, flows }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const call of unit.calls) {
        const seed = effectOf(call, 'seed')
        if (!seed || seed.through) continue
        const from = argumentIngredients(flows, unit, call, seed).origins.find(o => /^(clock|mono|random|process-id)$/.test(o.kind) && !o.opaque)
        if (!from) continue
        const told = isTold(unit, from)
        yield {
          at: call.span, unit: unit.id, confidence: told ? 'low' : confidenceOf(call), ...(told && { severity: 'note' as const }),
          message: told ? 'seeded anew in every run; the seed is printed, so a failure can be repeated by hand' : `seeded from ${WORDS[from.kind] ?? 'chance'}: the seed is lost with the run, and so is the failure`,
          trace: way(from, 'changes from run to run', { span: call.span, message: 'and becomes the seed' }),
        }
      }
    }
  },
)

const WORDS: Partial<Record<string, string>> = { clock: 'the clock', mono: 'the clock', random: 'another random number', 'process-id': 'the process id' }

/** The seed's variable is printed or logged in the same unit. */
function isTold(unit: Unit, origin: Origin): boolean {
  const names = new Set(origin.steps.map(s => s.name))
  return unit.calls.some(c => has(c, 'log') && [...c.args, ...Object.values(c.named)].some(a => [...valuesIn(a, unit)].some(v => v.is === 'name' && names.has(v.path))))
}
