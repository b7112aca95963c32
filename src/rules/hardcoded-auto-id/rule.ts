import type { Call, Unit, Value } from '../../facts/facts.ts'
import { isTestCode, valuesIn } from '../../facts/query.ts'
import { rootOf } from '../../flow/state/shared.ts'
import { defineRule } from '../rule.ts'

const MADE = /(^|[.:])(create|save|insert|persist|bulk_create|insertOne|saveAndFlush|add_row|objects\.create|Create|Save|Insert)$/
const POSTS = /[.]post$/
/** Looks a row up by its number. */
const FINDS = /(^|[.:])(get|findById|getById|getReferenceById|find_by_id|get_by_id|FindByID|GetByID|findByPk|findOneById)$/
const ID = /\.(id|pk|Id|ID)$/
const GETS_ID = /(^|[.:])(getId|get_id|getID)$/

export default defineRule(
  {
    id: 'hardcoded-auto-id',
    title: 'A test expects the number that a database gives to a row',
    category: 'state',
    severity: 'note',
    triggers: [],
    audit: true,
    words: ['\\b(?:id|pk)\\b[^\\n]{0,12}(?:==|toBe|toEqual|,)\\s*\\(?\\d', 'getId\\(\\)', '\\.I[dD]\\b', '\\bget\\((?:id|pk)=\\d',
      '(?:By|_by_)(?:I[dD]|id|Pk)\\(\\d'],
    confirm: ['shuffle-order', 'isolate'],
    since: '0.2.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units) {
      if (unit.role.is !== 'test' || !isTestCode(facts, unit)) continue
      for (const assertion of unit.assertions) {
        const given = assertion.operands.find(o => isGiven(o, unit))
        if (assertion.compare === '==' && given && assertion.operands.some(isNumber))
          yield { at: assertion.span, unit: unit.id, confidence: 'low',
            message: 'expects a certain id of a row that was just made: rows that other tests made before count too' }
      }
      const found = unit.calls.find(c => isLookedUp(c, unit))
      if (found)
        yield { at: found.span, unit: unit.id, confidence: 'low',
          message: 'looks a row that was just made up by a certain id: rows that other tests made before count too' }
    }
  },
)

/** Found by a number, in a store into which the test has just put something without saying which number it wants. */
function isLookedUp(call: Call, unit: Unit): boolean {
  const id = call.named['id'] ?? call.named['pk'] ?? (/get$/.test(call.name) ? undefined : call.args[0])
  const store = call.name.replace(/[.:]\w+$/, '')
  if (!FINDS.test(call.name) || id?.is !== 'literal' || !isNumber(id) || store === '?' || store === call.name) return false
  const makers = unit.calls.filter(c => c.span.start < call.span.start && MADE.test(c.name) && c.name.replace(/[.:]\w+$/, '') === store)
  const says = (c: Call): boolean =>
    [...c.args, ...Object.values(c.named)].some(a => [...valuesIn(a, unit)].some(v => v.is === 'literal' && v.value === id.value))
  // What was made before by a name may have been given its number there.
  return makers.length > 0 && !makers.some(c => says(c) || c.args.some(a => a.is === 'name'))
    && !unit.calls.some(c => /([sS]et|with)_?I[dD]$|(^|[.])(when|given|mock)$/.test(c.name))
}

const isNumber = (value: Value): boolean =>
  value.is === 'literal' && typeof value.value === 'number' && value.value > 0
  || (value.is === 'group' && value.of.length === 1 && isNumber(value.of[0]!))

/** The id of something that the test has just put into a store, without saying which id it wants. */
function isGiven(value: Value, unit: Unit): boolean {
  if (value.is === 'name' && ID.test(value.path)) return isMade(value.path.replace(ID, ''), unit)
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  // `res.get_json()["id"]`, of what a request has just made.
  const field = value.is === 'op' && value.op === '[]' && value.of[1]?.is === 'literal' && value.of[1].value === 'id'
    ? rootOf(value.of[0], unit)
    : undefined
  if (field !== undefined) return isMade(field, unit, POSTS)
  return call !== undefined && GETS_ID.test(call.name) && call.receiver?.is === 'name' && isMade(call.receiver.path, unit)
}

function isMade(variable: string, unit: Unit, by = MADE): boolean {
  const last = unit.writes.findLast(w => w.target === variable)?.value
  const kept = last?.is === 'group' && last.of.length === 1 ? last.of[0] : last
  const maker = kept?.is === 'call' ? unit.calls[kept.call] : undefined
  return maker !== undefined && by.test(maker.name) && !('id' in maker.named) && !('pk' in maker.named)
}
