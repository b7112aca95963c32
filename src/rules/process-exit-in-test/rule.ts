import type { FileFacts, Unit } from '../../facts/facts.ts'
import { ancestors, effectOf, isCalledElsewhere, isExample, isTestCode, runsIn, within } from '../../facts/query.ts'
import { endTestInstead } from '../../fixes/endings.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf, least } from '../wording.ts'

/** A test, or a hook around one, calls it right where it stands. */
const isCalledByTests = ({ units }: FileFacts, helper: Unit): boolean =>
  units.some(u =>
    (u.role.is === 'test' || (u.role.is === 'hook' && u.role.per !== 'run'))
    && u.calls.some(c => c.target === helper.id && runsIn(u, c.in) === 'inline')
  )

export default defineRule(
  {
    id: 'process-exit-in-test',
    title: 'A test ends the whole process: the tests after it are not run, and their clean-up is not done',
    category: 'state',
    severity: 'error',
    triggers: [],
    confirm: ['shuffle-order'],
    crowds: 5,
    since: '0.2.0',
    words: {
      go: ['\\bos\\.Exit\\(', '\\blog\\.Fatal', '\\blogrus\\.(?:Fatal|Exit)'],
      java: ['\\bSystem\\.exit\\(', '\\.halt\\('],
      python: ['\\bsys\\.exit\\(', '\\bos\\._exit\\(', '\\bos\\.abort\\('],
      rust: ['\\bprocess::(?:exit|abort)\\('],
      typescript: ['\\bprocess\\.(?:exit|abort)\\(', '\\bDeno\\.exit\\('],
    },
  },
  function* (view) {
    const { facts, textOf } = view
    for (const unit of facts.units) {
      const helper = unit.role.is === 'helper' && facts.kind === 'test' && isCalledByTests(facts, unit)
      if (unit.role.is !== 'test' && !helper && (unit.role.is !== 'hook' || unit.role.per === 'run')) continue
      if (!isTestCode(facts, unit) || isCalledElsewhere(facts, unit)
        || ancestors(facts, unit).some(a => a.markers.some(m => m.is === 'benchmark'))) continue
      // An example has no `t` to fail by.
      if (isExample(facts, unit)) continue
      for (const call of unit.calls) {
        const exit = effectOf(call, 'exit')
        // In a handler or a child it is what the test wants to see; where the runner turns it into an exception, it is caught.
        if (!exit || exit.note !== undefined || runsIn(unit, call.in) !== 'inline'
          || within(unit, call.in, 'with', 'try', 'subshell', 'background', 'closure')) continue
        if (unit.calls.some(c => /(^|[.:])fork$/.test(c.name) && c.span.start < call.span.start)) continue
        // A hook or helper of a file that forks may stand in the child.
        if (unit.role.is !== 'test' && facts.units.some(u => u.calls.some(c => /(^|[.:_])fork(_?[Pp]rocess\w*)?$/.test(c.name)))) continue
        // A test that calls itself in a child process asks the environment or its arguments which of the two it is.
        if (unit.writes.some(w => w.value.is === 'name' && /(^|\.)(Args|argv)$/.test(w.value.path) && w.span.start < call.span.start))
          continue
        if (unit.calls.some(c => /(^|\.)(Getenv|getenv|LookupEnv|flag\.Args?)$/.test(c.name) && c.span.start < call.span.start)) continue
        const most = unit.role.is === 'test' && facts.language === 'go' ? 'high' : 'medium'
        const message = `${textOf(call.nameSpan)} ends the process in which the other tests run`
        yield { at: call.span, unit: unit.id, confidence: least(confidenceOf(call), most), message,
          fixes: endTestInstead(view, unit, call) }
        // Once is enough for what several tests share.
        if (unit.role.is !== 'test') break
      }
    }
  },
)
