import { cured, curedBeyond, has, isTestCode, marked, within } from '../../facts/query.ts'
import { restoreThroughTest } from '../../fixes/restoring.ts'
import { changersOf, changesIn, fateOf, hooksUnseen, inheritsUnseen, isDropped, isEnclosed, isGuarded, isOf } from '../../flow/state/leaks.ts'
import { parallelFor } from '../../project/project.ts'
import { defineRule } from '../rule.ts'
import { lower } from '../wording.ts'

const GUARD = /chdir|cwd|isolated_filesystem|isolation|working_dir|CurrentDir|DirGuard|Jail/i
const CHDIR = /(^|[.:])(chdir|Chdir|set_current_dir)$/

export default defineRule(
  {
    id: 'cwd-mutation', title: 'A test changes the working directory and nothing puts it back', category: 'state', severity: 'warning',
    triggers: ['cwd-write'], confirm: ['shuffle-order', 'cwd-change'], cap: 'medium', since: '0.2.0',
  },
  function* (view) {
    const { facts, project } = view
    const runner = parallelFor(project, facts.language, facts.path)
    if (facts.language === 'rust' && runner.scope === 'processes' && runner.grain === 'tests') return
    for (const unit of changersOf(facts)) {
      if (!isTestCode(facts, unit) || isGuarded(facts, unit, GUARD) || curedBeyond(facts, unit, 'restore-cwd')) continue
      // Tests that run side by side are another rule's business.
      if ((marked(facts, unit, 'parallel') || (runner.on && runner.scope === 'threads')) && !marked(facts, unit, 'serial') && !cured(facts, unit, 'serialise')) continue
      const all = changesIn(facts, unit, 'cwd-write', CHDIR).filter(c => !isEnclosed(unit, c.in, GUARD) && !within(unit, c.in, 'with', 'subshell'))
      const first = all[0]
      const fate = first && fateOf(facts, first, c => c.span.start !== first.span.start && isOf(c, 'cwd-write', CHDIR))
      if (!first || fate === 'put back' || isDropped(view, unit, 'cwd-write')) continue
      const sure = fate === 'stays' && !first.through && !(first.call && has(first.call, 'temp-dir')) ? 'high' : 'medium'
      yield {
        at: first.span, unit: unit.id, confidence: hooksUnseen(facts) ? 'low' : inheritsUnseen(facts, unit) ? lower(sure) : sure,
        message: fate === 'stays' ? 'changes the working directory, and nothing puts it back: relative paths of later tests lead elsewhere'
          : 'changes the working directory and puts it back in the body: a failure before that leaves later tests elsewhere',
        fixes: fate === 'stays' ? restoreThroughTest(view, unit, 'directory', all) : [],
      }
    }
  },
)
