import { ancestors } from '../../facts/query.ts'
import { unfocus } from '../../fixes/focus.ts'
import { defineRule } from '../rule.ts'

export default defineRule(
  {
    id: 'focused-test',
    title: 'A focused test keeps all the others from running',
    category: 'masking',
    severity: 'error',
    triggers: [],
    words: {
      typescript: ['\\.only\\b', '\\bonly\\s*:\\s*true', '\\b(?:fit|fdescribe|fcontext|ftest)\\s*\\('],
      go: ['\\bF(?:It|Describe|DescribeTable|Context|Specify|When|Entry)\\(', ',\\s*(?:\\w+\\.)?Focus\\b'],
      bash: ['bats:focus'],
      python: ['mark\\.only\\b'],
    },
    confirm: ['unskip'],
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    // A fixture is a test of a test runner's own, run apart; so is a file that is named after what focuses.
    const confidence =
      /(^|\/)(__)?(fixtures?|test-?data|test-?cases|examples?)(__)?\/|(^|[/._-])(only|focus(ed)?|exclusive)[/._-]/i.test(facts.path)
        ? 'low'
        : 'high'
    for (const unit of facts.units)
      for (const marker of unit.markers)
        // `bundled.only = (name, fn) => it.only(name, fn)` is a way to focus, which somebody else may go; inside of a test it is what is
        // tested.
        if (marker.is === 'focus' && !ancestors(facts, unit).some(u => u.role.is === 'test')
          && !/(^|[._a-z])([oO]nly|[fF]ocus(ed)?)$/.test(facts.units[unit.parent ?? 0]!.name)
          && !MEANT.test(view.textOf({ start: 0, end: marker.span.start })))
          // A tag stands in a comment above the test.
          yield { at: marker.name.endsWith('_tags') ? unit.nameSpan : marker.span, unit: unit.id, confidence,
            message: `\`${
              marker.name.endsWith('_tags') ? marker.key : marker.name
            }\` runs this alone: whatever else breaks, nobody sees it`, fixes: unfocus(view, marker) }
  },
  function* ({ chosen }) {
    for (const { file, span, how } of chosen ?? [])
      yield { file, at: span, confidence: 'medium',
        message: `\`${how}\` chooses tests by name on every run: whatever else breaks, nobody sees it` }
  },
)

/** Whoever has told the rule of another linter that this focus is meant has told us. */
const MEANT = /eslint-disable[^\n]*\b(no-focused-tests|no-exclusive-tests|no-only-tests)\b/
