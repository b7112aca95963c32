import type { Assertion, Unit } from '../../facts/facts.ts'
import { valuesIn } from '../../facts/query.ts'
import { demandsIn } from '../../flow/order/demands.ts'
import { defineRule } from '../rule.ts'
import { words } from './words.ts'

export default defineRule(
  {
    id: 'unordered-query-result',
    title: 'A test expects the rows of a query in one order that the query does not ask for',
    category: 'order',
    severity: 'warning',
    triggers: [],
    words,
    confirm: ['repeat'],
    since: '0.2.0',
  },
  function* ({ facts }) {
    for (const { unit, assertion, found, at, in: place, atSource } of demandsIn(facts, 'rows')) {
      if (found.form === 'element' && !found.several && !knowsSeveral(unit, assertion)) continue
      yield {
        at,
        unit: place,
        confidence: found.spelled ? 'medium' : 'low',
        message: atSource
          ? 'asks for rows in no order, and the test expects one: the database may give them in any'
          : 'expects rows in one order, but the query asks for none: the database may give them in any',
        related: [atSource ? { span: assertion.span, message: 'expected here' } : { span: found.origin.span, message: 'the query' }],
      }
    }
  },
)

/** One row is picked by its place, and the test looks at a second one too. */
function knowsSeveral(unit: Unit, assertion: Assertion): boolean {
  const indexed = (a: Assertion) =>
    a.operands.flatMap(o => [...valuesIn(o, unit)]).flatMap(
      v => (v.is === 'op' && v.op === '[]' && v.of[0]?.is === 'name' ? [{ name: v.of[0].path, index: v.of[1] }] : []),
    )
  const own = indexed(assertion).map(i => i.name)
  return unit.assertions.flatMap(indexed).some(i =>
    own.includes(i.name) && i.index?.is === 'literal' && typeof i.index.value === 'number' && i.index.value > 0
  )
}
