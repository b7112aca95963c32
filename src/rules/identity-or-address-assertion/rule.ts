import { isTestCode } from '../../facts/query.ts'
import { ofPassing } from '../../flow/order/hashes.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf } from '../wording.ts'
import { ofIdentity, spelledAddress } from './signs.ts'

export default defineRule(
  {
    id: 'identity-or-address-assertion',
    title: 'A test compares an address or a hash that differs from run to run',
    category: 'order',
    severity: 'warning',
    triggers: [],
    words: {
      python: ['==\\s*(?:id|hash)\\(', '\\bassert\\w*[ (](?:id|hash)\\(', '\\bhash\\([^()\\n]*\\)\\)?\\s*[%&]', '=\\s*id\\(\\w[\\w.]*\\(',
        '\\bat 0x[0-9a-fA-F]{6,}'],
      java: ['\\bidentityHashCode\\(', '@[0-9a-f]{5,8}"'],
      go: ['Sprintf\\("%p"', '"0xc0[0-9a-f]{6,}'],
      rust: ['\\{:p\\}'],
    },
    confirm: ['hash-seed', 'repeat'],
    cap: 'medium',
    since: '0.2.0',
  },
  function* ({ facts, textOf }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const assertion of unit.assertions) {
        const at = { at: assertion.span, unit: unit.id }
        const literal = assertion.compare === '==' ? spelledAddress(unit, assertion) : undefined
        if (literal)
          yield { ...at, confidence: 'medium',
            message: `compares with ${literal}, an address or identity hash that is written out: it differs from one process to the next` }
        const call = literal ? undefined : ofIdentity(facts, unit, assertion)
        if (call)
          yield { ...at, confidence: confidenceOf(call),
            message: `compares ${call.name.split('.').at(-1)}() with a constant: it differs from one process to the next` }
        const gone = assertion.compare === '!=' ? ofPassing(unit, assertion, textOf) : undefined
        const same = gone === 'id()' ? gone : 'address'
        if (gone)
          yield { ...at, confidence: gone === 'kept' ? 'low' : 'medium',
            message: `compares addresses of things that nobody keeps: what is made next may get the same ${same}` }
      }
    }
  },
)
