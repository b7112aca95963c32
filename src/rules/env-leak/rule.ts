import type { FileFacts, Unit } from '../../facts/facts.ts'
import { copiesEnvironment, cured, curedBeyond, has, inForce, isTestCode, marked, within } from '../../facts/query.ts'
import { restoreThroughTest } from '../../fixes/restoring.ts'
import { changersOf, changesIn, fateOf, hooksUnseen, inheritsUnseen, isAfterYield, isDropped, isEnclosed, isGuarded, isOf, mayEndBefore, testsBeyond, undoes, textBehind, type Change } from '../../flow/state/leaks.ts'
import { parallelFor } from '../../project/project.ts'
import { defineRule, type Confidence, type FileView } from '../rule.ts'
import { lower } from '../wording.ts'

const ENV = /^(process\.env|os\.environ)\b/
const GUARD = /environ|patch\.dict|SystemPropert|EnvironmentVariable|SystemStubs|SystemLambda|with_vars?\b|Jail|[eE]nv(Var)?Guard/
const REMOVES = /^(del(ete)?\s)|[.:](pop|clearProperty|getProperties\(\)\.remove|Unsetenv|unsetenv|remove_var|delete)\(/

export default defineRule(
  {
    id: 'env-leak', title: 'A test changes the process environment and nothing puts it back', category: 'state', severity: 'warning',
    // `setProperty` is also a method of every map of properties: the class beside it is what tells.
    triggers: [], words: {
      python: ['environ\\b', 'putenv\\b'], typescript: ['process\\.env\\b[^;\\n=]{0,60}[^=!<>]=(?!=)', 'delete process\\.env', 'Deno\\.env\\.set', 'assign\\(process\\.env', 'dotenv', 'loadEnvFile'],
      java: ['System\\s*\\.(?:set|clear|get)Properties\\(', 'System\\s*\\.(?:set|clear)Property'], go: ['\\b(?:os|syscall)\\.(?:Setenv|Unsetenv|Clearenv)\\b'], rust: ['\\b(?:set_var|remove_var|setenv|putenv)\\b', 'dotenvy?::'],
    },
    confirm: ['shuffle-order', 'env-scrub'], cap: 'medium', since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of changersOf(facts)) {
      if (!isTestCode(facts, unit) || isGuarded(facts, unit, GUARD) || isApart(view, unit) || curedBeyond(facts, unit, 'restore-env')) continue
      if ([unit, ...inForce(facts, unit)].some(u => u.role.is === 'hook' && u.calls.some(copiesEnvironment))) continue
      const all = changesIn(facts, unit, 'env-write', ENV).filter(c => !isTidying(view, c) && !isAfterYield(view, c) && !isEnclosed(unit, c.in, GUARD) && !tidiesItself(view, c))
      const first = all[0]
      const isUndoing = (c: Change) => c.span.start !== first!.span.start && isOf(c, 'env-write', ENV) && ((c.unit !== unit && (c.unit.role.is === 'hook' || c.unit.role.is === 'helper')) || undoesSame(view, first!, c)) || isCleared(c)
      const fate = first && fateOf(facts, first, isUndoing)
      if (!first || fate === 'put back' || isDropped(view, unit, 'env-write') || setAnew(facts, unit, first)) continue
      const what = `changes ${facts.language === 'java' ? 'a system property' : 'the environment'}${first.through ? ` through ${first.through}()` : ''}`
      yield {
        at: first.span, unit: unit.id, confidence: fate !== 'stays' && !mayEndBefore(facts, first, isUndoing) ? 'low' : confidenceOf(view, unit, first, fate === 'stays'),
        message: fate === 'stays' ? `${what}, and nothing puts it back: later tests of this process find it changed` : `${what} and puts it back in the body: a failure before that leaves it changed`,
        fixes: restoreThroughTest(view, unit, 'environment', all),
      }
    }
  },
)

function confidenceOf({ facts }: FileView, unit: Unit, change: Change, stays: boolean): Confidence {
  // What a set-up changes for all of its tests is mostly meant to be.
  const sure = stays && !change.through && unit.role.is === 'test' ? 'high' : 'medium'
  // Tests that take turns over a variable mostly set it each for itself.
  if (hooksUnseen(facts) || (unit.role.is === 'hook' && facts.language === 'java') || marked(facts, unit, 'serial') || cured(facts, unit, 'serialise')) return 'low'
  return inheritsUnseen(facts, unit) ? lower(sure) : sure
}

/** A helper of another file, by its name: `Settings.clearSystemProperty(…)`, `resetEnv()`. */
const isCleared = ({ unit, call }: Change): boolean => unit.role.is === 'hook' && /(^|[.:_])(clear|reset|restore|unset)\w*(Propert|_?[eE]nv)/.test(call?.name ?? '')

/** In the same body, only what concerns the same variable puts it back. */
function undoesSame(view: FileView, change: Change, later: Change): boolean {
  if (later.write && WHOLE.test(later.write.target)) return true
  // Of what is written, only the variable counts, not its value; a name that stands for a text is that text.
  const names = (c: Change) => ((c.write ? view.textOf(c.span).replace(/[^=!<>]=(?!=)[^]*$/, '') : view.textOf(c.span)).match(/process\.env\.\w+|(?<=[("'`[]\s*)[\w.]+/g) ?? []).flatMap(n => [n, textBehind(c.unit, n)])
  const own = new Set(names(change))
  // What a clean-up is given to call stands among its arguments.
  const given = later.call && !has(later.call, 'env-write') ? view.textOf(later.span).match(/\w+/g) ?? [] : []
  return change.through !== undefined || given.some(n => own.has(n)) || names(later).slice(0, later.call && has(later.call, 'env-write') ? 2 : undefined).some(n => own.has(n)) || /environ\.(clear|update)|setProperties/.test(view.textOf(later.span)) || isEachOf(later)
}

const WHOLE = /^(process\.env|os\.environ)$/

/** `finally: for name in names: del os.environ[name]`. */
const isEachOf = ({ unit, in: at, write, call }: Change): boolean => (write ?? call) !== undefined && undoes(unit, at) && within(unit, at, 'loop')

/** A helper that only takes away, or takes away what it has set before it is done. */
function tidiesItself(view: FileView, { through, call }: Change): boolean {
  const helper = through === undefined || call?.target === undefined ? undefined : view.facts.units[call.target]
  const own = helper ? changesIn(view.facts, helper, 'env-write', ENV) : []
  const sets = own.filter(c => !isTidying(view, c))
  return sets.every(s => own.some(c => c.span.start > s.span.start && isTidying(view, c) && undoesSame(view, s, c))) && own.length > 0
}

/** A hook before each test sets the same, or all of it: nobody finds what another test left. */
const setAnew = (facts: FileFacts, unit: Unit, { write }: Change): boolean =>
  facts.language === 'typescript' && unit.role.is === 'test' && write !== undefined
  && inForce(facts, unit).some(u => u.role.is === 'hook' && u.role.per === 'test' && u.writes.some(w => w.target === write.target || WHOLE.test(w.target)))

/** Taking away, where nothing was set before, is how tests make sure of a default; and an old value put back is no change. */
const isTidying = (view: FileView, { span, write }: Change): boolean =>
  REMOVES.test(view.textOf(span)) || (write?.value.is === 'name' && /old|orig|prev|sav|before|backup|initial/i.test(write.value.path))

/**
 * Nobody finds what this unit left: its runner gives each test a process, each file one, or the tests run side by side,
 * where another rule speaks.
 */
function isApart({ facts, project }: FileView, unit: Unit): boolean {
  const runner = parallelFor(project, facts.language, facts.path)
  if (facts.language === 'rust' && runner.scope === 'processes' && runner.grain === 'tests') return true
  if (facts.language === 'typescript' && testsBeyond(facts, unit).length === 0) return true
  const beside = marked(facts, unit, 'parallel') || (runner.on && runner.scope === 'threads')
  return beside && !marked(facts, unit, 'serial') && !cured(facts, unit, 'serialise')
}
