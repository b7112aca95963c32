import { ancestors, effectOf, isCalledElsewhere, isTestCode, runsIn, within } from '../../facts/query.ts'
import { endTestInstead } from '../../fixes/endings.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf, least } from '../wording.ts'

export default defineRule(
  {
    id: 'process-exit-in-test', title: 'A test ends the whole process: the tests after it are not run, and their clean-up is not done', category: 'state', severity: 'error',
    triggers: [], confirm: ['shuffle-order'], since: '0.2.0',
    words: {
      go: ['\\bos\\.Exit\\(', '\\blog\\.Fatal', '\\blogrus\\.(?:Fatal|Exit)'], java: ['\\bSystem\\.exit\\(', '\\.halt\\('], python: ['\\bsys\\.exit\\(', '\\bos\\._exit\\(', '\\bos\\.abort\\('],
      rust: ['\\bprocess::(?:exit|abort)\\('], typescript: ['\\bprocess\\.(?:exit|abort)\\(', '\\bDeno\\.exit\\('],
    },
  },
  function* (view) {
    const { facts, textOf } = view
    for (const unit of facts.units) {
      if (unit.role.is !== 'test' && (unit.role.is !== 'hook' || unit.role.per === 'run')) continue
      if (!isTestCode(facts, unit) || isCalledElsewhere(facts, unit) || ancestors(facts, unit).some(a => a.markers.some(m => m.is === 'benchmark'))) continue
      for (const call of unit.calls) {
        const exit = effectOf(call, 'exit')
        // In a handler or a child it is what the test wants to see; where the runner turns it into an exception, it is caught.
        if (!exit || exit.note !== undefined || runsIn(unit, call.in) !== 'inline' || within(unit, call.in, 'with', 'try', 'subshell', 'background', 'closure')) continue
        if (unit.calls.some(c => /(^|[.:])fork$/.test(c.name) && c.span.start < call.span.start)) continue
        // A test that calls itself in a child process asks the environment or its arguments which of the two it is.
        if (unit.writes.some(w => w.value.is === 'name' && /(^|\.)(Args|argv)$/.test(w.value.path) && w.span.start < call.span.start)) continue
        if (unit.calls.some(c => /(^|\.)(Getenv|getenv|LookupEnv|flag\.Args?)$/.test(c.name) && c.span.start < call.span.start)) continue
        yield { at: call.span, unit: unit.id, confidence: least(confidenceOf(call), unit.role.is !== 'test' ? 'low' : facts.language === 'go' ? 'high' : 'medium'), message: `${textOf(call.nameSpan)} ends the process in which the other tests run`, fixes: endTestInstead(view, unit, call) }
      }
    }
  },
)
