import { copiesEnvironment, curedBeyond, inForce, isTestCode } from '../../facts/query.ts'
import { restoreThroughTest } from '../../fixes/restoring.ts'
import { changersOf, changesIn, fateOf, isAfterYield, isDropped, isEnclosed, isGuarded, isOf, mayEndBefore,
  type Change } from '../../flow/state/leaks.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf, ENV, GUARD, isApart, isCleared, isTidying, setAnew, tidiesItself, undoesSame } from './signs.ts'

export default defineRule(
  {
    id: 'env-leak',
    title: 'A test changes the process environment and nothing puts it back',
    category: 'state',
    severity: 'warning',
    // `setProperty` is also a method of every map of properties: the class beside it is what tells.
    triggers: [],
    words: {
      python: ['environ\\b', 'putenv\\b'],
      typescript: ['process\\.env\\b[^;\\n=]{0,60}[^=!<>]=(?!=)', 'delete process\\.env', 'Deno\\.env\\.set', 'assign\\(process\\.env',
        'dotenv', 'loadEnvFile'],
      java: ['System\\s*\\.(?:set|clear|get)Properties\\(', 'System\\s*\\.(?:set|clear)Property'],
      go: ['\\b(?:os|syscall)\\.(?:Setenv|Unsetenv|Clearenv)\\b'],
      rust: ['\\b(?:set_var|remove_var|setenv|putenv)\\b', 'dotenvy?::'],
    },
    confirm: ['shuffle-order', 'env-scrub'],
    cap: 'medium',
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of changersOf(facts)) {
      if (!isTestCode(facts, unit) || isGuarded(facts, unit, GUARD) || isApart(view, unit) || curedBeyond(facts, unit, 'restore-env'))
        continue
      if ([unit, ...inForce(facts, unit)].some(u => u.role.is === 'hook' && u.calls.some(copiesEnvironment))) continue
      const all = changesIn(facts, unit, 'env-write', ENV).filter(c =>
        !isTidying(view, c) && !isAfterYield(view, c) && !isEnclosed(unit, c.in, GUARD) && !tidiesItself(view, c)
      )
      const first = all[0]
      const isUndoing = (c: Change) =>
        c.span.start !== first!.span.start && isOf(c, 'env-write', ENV)
          && ((c.unit !== unit && (c.unit.role.is === 'hook' || c.unit.role.is === 'helper')) || undoesSame(view, first!, c))
        || isCleared(c)
      const fate = first && fateOf(facts, first, isUndoing)
      if (!first || fate === 'put back' || isDropped(view, unit, 'env-write') || setAnew(facts, unit, first)) continue
      const what = `changes ${facts.language === 'java' ? 'a system property' : 'the environment'}${
        first.through ? ` through ${first.through}()` : ''
      }`
      yield {
        at: first.span,
        unit: unit.id,
        confidence: fate !== 'stays' && !mayEndBefore(facts, first, isUndoing) ? 'low' : confidenceOf(view, unit, first, fate === 'stays'),
        message: fate === 'stays'
          ? `${what}, and nothing puts it back: later tests of this process find it changed`
          : `${what} and puts it back in the body: a failure before that leaves it changed`,
        fixes: restoreThroughTest(view, unit, 'environment', all),
      }
    }
  },
)
