import type { Assertion, Unit } from '../../facts/facts.ts'
import { valuesIn } from '../../facts/query.ts'
import { demandsIn } from '../../flow/order.ts'
import { defineRule } from '../rule.ts'

export default defineRule(
  {
    id: 'unordered-query-result', title: 'A test expects the rows of a query in one order that the query does not ask for', category: 'order', severity: 'warning', triggers: [],
    words: {
      python: ['\\bfetch(?:all|many)\\(', '\\.objects\\.(?:all|filter|exclude|values_list)\\(', '\\bsession\\.query\\(', '\\.(?:execute|scalars)\\((?:select\\(|\\w+\\))'],
      typescript: ['["\'`]\\s*(?:SELECT|select)\\s[^"\'`]{0,300}\\b(?:FROM|from)\\b', '\\.select\\([^;]{0,200}\\)\\s*\\.from\\(', '\\.find(?:Many|All)\\(', '\\.get(?:Raw)?Many\\(', '\\)\\s*\\.(?:toArray|lean|exec)\\(', '\\bknex\\(', '(?:[rR]epo|[rR]epository(?:\\(\\w+\\))?)\\.find\\('],
      java: ['\\.executeQuery\\(', '\\.queryForList\\(', '\\.getResultList\\(', '(?:[rR]epo|[rR]epository|[dD]ao)\\.findAll\\(\\)', '"\\s*(?:SELECT|select)\\s[^"\\n]{0,300}\\b(?:FROM|from)\\b'],
      go: ['\\.Find\\(&', '\\.Query(?:x?Context|x)?\\([^)]', '[`"]\\s*(?:SELECT|select)\\s[^`"]{0,300}\\b(?:FROM|from)\\b'],
      rust: ['\\bfetch_all\\(', '\\bquery_map\\('],
      bash: ['\\b(?:psql|mysql|mariadb|sqlite3)\\b'],
    },
    confirm: ['repeat'], since: '0.2.0',
  },
  function* ({ facts }) {
    for (const { unit, assertion, found, at, in: place, atSource } of demandsIn(facts, 'rows')) {
      if (found.form === 'element' && !found.several && !knowsSeveral(unit, assertion)) continue
      yield {
        at, unit: place, confidence: found.spelled ? 'medium' : 'low',
        message: atSource ? 'asks for rows in no order, and the test expects one: the database may give them in any' : 'expects rows in one order, but the query asks for none: the database may give them in any',
        related: [atSource ? { span: assertion.span, message: 'expected here' } : { span: found.origin.span, message: 'the query' }],
      }
    }
  },
)

/** One row is picked by its place, and the test looks at a second one too. */
function knowsSeveral(unit: Unit, assertion: Assertion): boolean {
  const indexed = (a: Assertion) => a.operands.flatMap(o => [...valuesIn(o, unit)]).flatMap(v => (v.is === 'op' && v.op === '[]' && v.of[0]?.is === 'name' ? [{ name: v.of[0].path, index: v.of[1] }] : []))
  const own = indexed(assertion).map(i => i.name)
  return unit.assertions.flatMap(indexed).some(i => own.includes(i.name) && i.index?.is === 'literal' && typeof i.index.value === 'number' && i.index.value > 0)
}
