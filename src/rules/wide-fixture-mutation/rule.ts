import { isTestCode, marked } from '../../facts/query.ts'
import { bareNames } from '../../flow/state/handed.ts'
import { hooksUnseen, inheritsUnseen } from '../../flow/state/leaks.ts'
import { changedFixtures, pairsIn } from '../../flow/state/shared.ts'
import { defineRule } from '../rule.ts'

export default defineRule(
  {
    id: 'wide-fixture-mutation',
    title: 'A test changes what a fixture made once for several tests',
    category: 'state',
    severity: 'warning',
    triggers: [],
    words: {
      python: ['scope\\s*=\\s*["\'](?:module|session|class|package)'],
      java: ['\\bstatic\\s+(?!final\\b)\\w*(?:List|Map|Set)(?:<[^;()]{0,60}>)?\\s+\\w+;'],
      typescript: ['\\bbeforeAll\\(', '\\n\\s*before\\('],
    },
    confirm: ['shuffle-order', 'isolate'],
    since: '0.2.0',
  },
  function* ({ facts, textOf }) {
    for (const { shared, writer, reader, fixture } of pairsIn(facts, bareNames(facts, textOf))) {
      if (!fixture || !isTestCode(facts, writer.test) || marked(facts, writer.test, 'ordered')) continue
      yield {
        at: writer.span,
        unit: writer.test.id,
        confidence: hooksUnseen(facts) || inheritsUnseen(facts, writer.test) ? 'low' : 'medium',
        message: `changes ${shared.name}, which was made once for all tests, and ${reader.test.name} looks at it as well`,
        related: [{ span: reader.span, message: 'the other test looks at it here' }],
      }
    }
    for (const { writer, fixture, others } of changedFixtures(facts)) {
      if (marked(facts, writer.test, 'ordered')) continue
      yield {
        at: writer.span,
        unit: writer.test.id,
        confidence: 'medium',
        message: `changes the fixture ${fixture.name}, which ${others[0]!.name} gets as well: what that test finds depends on the order`,
        related: [{ span: others[0]!.nameSpan, message: 'the other test gets it here' }],
      }
    }
  },
)
