import type { Unit, Value } from '../../facts/facts.ts'
import { isTestCode } from '../../facts/query.ts'
import { defineRule } from '../rule.ts'

const MADE = /(^|[.:])(create|save|insert|persist|bulk_create|insertOne|saveAndFlush|add_row|objects\.create)$/
const ID = /\.(id|pk|Id|ID)$/
const GETS_ID = /(^|[.:])(getId|get_id|getID)$/

export default defineRule(
  {
    id: 'hardcoded-auto-id', title: 'A test expects the number that a database gives to a row', category: 'state', severity: 'note',
    triggers: [], audit: true, words: ['\\b(?:id|pk)\\b[^\\n]{0,12}(?:==|toBe|toEqual|,)\\s*\\(?\\d', 'getId\\(\\)', '\\.I[dD]\\b'], confirm: ['shuffle-order', 'isolate'], since: '0.2.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units) {
      if (unit.role.is !== 'test' || !isTestCode(facts, unit)) continue
      for (const assertion of unit.assertions) {
        const given = assertion.operands.find(o => isGiven(o, unit))
        if (assertion.compare === '==' && given && assertion.operands.some(isNumber))
          yield { at: assertion.span, unit: unit.id, confidence: 'low', message: 'expects a certain id of a row that was just made: rows that other tests made before count too' }
      }
    }
  },
)

const isNumber = (value: Value): boolean => value.is === 'literal' && typeof value.value === 'number' && value.value > 0

/** The id of something that the test has just put into a store, without saying which id it wants. */
function isGiven(value: Value, unit: Unit): boolean {
  if (value.is === 'name' && ID.test(value.path)) return isMade(value.path.replace(ID, ''), unit)
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  return call !== undefined && GETS_ID.test(call.name) && call.receiver?.is === 'name' && isMade(call.receiver.path, unit)
}

function isMade(variable: string, unit: Unit): boolean {
  const kept = unit.writes.findLast(w => w.target === variable)?.value
  const maker = kept?.is === 'call' ? unit.calls[kept.call] : undefined
  return maker !== undefined && MADE.test(maker.name) && !('id' in maker.named) && !('pk' in maker.named)
}
