import { cured, curedBeyond, has, isTestCode, marked, within } from '../../facts/query.ts'
import { restoreThroughTest } from '../../fixes/restoring.ts'
import { changersOf, changesIn, fateOf, hooksUnseen, inheritsUnseen, isAfterYield, isDropped, isEnclosed, isGuarded, isKeptBack, isOf,
  mayEndBefore, type Change } from '../../flow/state/leaks.ts'
import { parallelFor } from '../../project/project.ts'
import { defineRule } from '../rule.ts'
import { lower } from '../wording.ts'

const GUARD = /chdir|cwd|isolated_filesystem|isolation|working_dir|CurrentDir|DirGuard|Jail/i
const CHDIR = /(^|[.:])(chdir|Chdir|set_current_dir)$/
/** A helper of another file that goes somewhere and gives the way back. */
const GOES = /(^|[._:])(ch_?dir|pushd?|cd)\w*$/i
/** `chdir(PROJECT_ROOT)`: where the run began, or one place for all who ask. */
const isHome = ({ call }: Change): boolean =>
  call?.args[0]?.is === 'name' && /(^|[._])(ROOT|TOP|REPO|PROJECT|BASE)(_(DIR|PATH|ROOT|FOLDER))?$/.test(call.args[0].path)

export default defineRule(
  {
    id: 'cwd-mutation',
    title: 'A test changes the working directory and nothing puts it back',
    category: 'state',
    severity: 'warning',
    triggers: ['cwd-write'],
    confirm: ['shuffle-order', 'cwd-change'],
    cap: 'medium',
    since: '0.2.0',
  },
  function* (view) {
    const { facts, project } = view
    const runner = parallelFor(project, facts.language, facts.path)
    if (facts.language === 'rust' && runner.scope === 'processes' && runner.grain === 'tests') return
    for (const unit of changersOf(facts)) {
      if (!isTestCode(facts, unit) || isGuarded(facts, unit, GUARD) || curedBeyond(facts, unit, 'restore-cwd')) continue
      // Tests that run side by side are another rule's business.
      if ((marked(facts, unit, 'parallel') || (runner.on && runner.scope === 'threads')) && !marked(facts, unit, 'serial')
        && !cured(facts, unit, 'serialise')) continue
      const all = changesIn(facts, unit, 'cwd-write', CHDIR).filter(c =>
        !isAfterYield(view, c) && !isEnclosed(unit, c.in, GUARD) && !within(unit, c.in, 'with', 'subshell')
      )
      const first = all[0]
      const isUndoing = (c: Change) => c.span.start !== first!.span.start && isOf(c, 'cwd-write', CHDIR)
      const fate = first && fateOf(facts, first, isUndoing)
      if (!first || fate === 'put back' || isDropped(view, unit, 'cwd-write') || isKeptBack(facts, unit, c => GOES.test(c.name))) continue
      const late = fate !== 'stays' && !mayEndBefore(facts, first, isUndoing)
      const sure = late || isHome(first)
        ? 'low'
        : fate === 'stays' && !first.through && !(first.call && has(first.call, 'temp-dir'))
        ? 'high'
        : 'medium'
      yield {
        at: first.span,
        unit: unit.id,
        confidence: hooksUnseen(facts) ? 'low' : inheritsUnseen(facts, unit) ? lower(sure) : sure,
        message: fate === 'stays'
          ? 'changes the working directory, and nothing puts it back: relative paths of later tests lead elsewhere'
          : 'changes the working directory and puts it back in the body: a failure before that leaves later tests elsewhere',
        fixes: fate === 'stays' ? restoreThroughTest(view, unit, 'directory', all) : [],
      }
    }
  },
)
