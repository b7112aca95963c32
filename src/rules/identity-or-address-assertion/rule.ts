import { has, isTestCode } from '../../facts/query.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

export default defineRule(
  {
    id: 'identity-or-address-assertion', title: 'A test compares an address or a hash that differs from run to run', category: 'order', severity: 'warning',
    triggers: [], words: { python: ['==\\s*(?:id|hash)\\(', '\\bassert\\w*[ (](?:id|hash)\\('], java: ['\\bidentityHashCode\\('] }, confirm: ['hash-seed', 'repeat'], cap: 'medium', since: '0.2.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const assertion of unit.assertions) {
        if (assertion.compare !== '==' || !assertion.operands.some(o => o.is === 'literal')) continue
        const call = assertion.operands.flatMap(o => (o.is === 'call' ? [unit.calls[o.call]!] : [])).find(c => has(c, 'identity'))
        // The hash of a number is the number.
        if (!call || (call.args[0]?.is === 'literal' && typeof call.args[0].value === 'number')) continue
        yield { at: assertion.span, unit: unit.id, confidence: confidenceOf(call), message: `compares ${call.name.split('.').at(-1)}() with a constant: it differs from one process to the next` }
      }
    }
  },
)
