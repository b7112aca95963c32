import type { Assertion, Unit } from '../../facts/facts.ts'
import { around, isProperty } from '../../facts/query.ts'
import { defineRule } from '../rule.ts'

export default defineRule(
  {
    id: 'conditional-assertion',
    title: 'Every assertion of a test stands under a condition: where it does not hold, nothing is tested',
    category: 'masking',
    severity: 'note',
    triggers: [],
    words: ['\\bif\\b', '\\bcatch\\b', '\\bexcept\\b', '\\bfor\\b'],
    audit: true,
    confirm: ['repeat'],
    since: '0.2.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units) {
      if (unit.role.is !== 'test' || unit.assertions.length === 0 || isProperty(facts, unit)) continue
      // Somebody counts the assertions, or another function may make some.
      if (unit.calls.some(c =>
        /assertions$|hasAssertions$|(^|[._:])(plan|fail|flunk|Fatal|Fatalf|Error|Errorf|panic|assert\w*|verify\w*|check\w*|expect\w*)$/
          .test(c.name) && c.target === undefined && !underCondition(unit, c.in)
      )) continue
      if (unit.calls.some(c => c.target !== undefined && facts.units[c.target]!.assertions.length > 0 && !underCondition(unit, c.in)))
        continue
      if (facts.units.some(u => u.parent === unit.id && u.assertions.length > 0)) continue
      const under = unit.assertions.map(a => conditionOf(unit, a))
      if (under.some(u => u === undefined) || (under.includes('if') && under.includes('else'))) continue
      yield { at: unit.assertions[0]!.span, unit: unit.id, confidence: 'low',
        message: `the only assertions of this test stand ${WHERE[under[0]!]}: it passes where that is not reached` }
    }
  },
)

type Under = 'if' | 'else' | 'catch' | 'loop'
const WHERE: Readonly<Record<Under, string>> = { if: 'under a condition', else: 'under a condition', catch: 'where a failure is caught',
  loop: 'in a loop that may run no round' }

function conditionOf(unit: Unit, assertion: Assertion): Under | undefined {
  const regions = [...around(unit, assertion.in)]
  // A condition that is itself the assertion (`if got != want { t.Fatal() }`) stands in no region of its own.
  const found = regions.find(r =>
    r.kind === 'if' || r.kind === 'else' || r.kind === 'catch'
    || (r.kind === 'loop' && !r.counted && r.condition !== undefined && r.condition.is !== 'literal')
  )
  return found?.kind as Under | undefined
}

const underCondition = (unit: Unit, region: number): boolean => [...around(unit, region)].some(r => /^(if|else|catch|loop)$/.test(r.kind))
