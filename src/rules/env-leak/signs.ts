import type { FileFacts, Unit } from '../../facts/facts.ts'
import { cured, has, inForce, marked, within } from '../../facts/query.ts'
import { changesIn, hooksUnseen, inheritsUnseen, testsBeyond, undoes, textBehind, type Change } from '../../flow/state/leaks.ts'
import { parallelFor } from '../../project/project.ts'
import { type Confidence, type FileView } from '../rule.ts'
import { lower } from '../wording.ts'

export const ENV = /^(process\.env|os\.environ)\b/
export const GUARD = /environ|patch\.dict|SystemPropert|EnvironmentVariable|SystemStubs|SystemLambda|with_vars?\b|Jail|[eE]nv(Var)?Guard/
const REMOVES = /^(del(ete)?\s)|[.:](pop|clearProperty|getProperties\(\)\.remove|Unsetenv|unsetenv|remove_var|delete)\(/

export function confidenceOf({ facts }: FileView, unit: Unit, change: Change, stays: boolean): Confidence {
  // What a set-up changes for all of its tests is mostly meant to be.
  const sure = stays && !change.through && unit.role.is === 'test' ? 'high' : 'medium'
  // Tests that take turns over a variable mostly set it each for itself.
  if (hooksUnseen(facts) || (unit.role.is === 'hook' && facts.language === 'java') || marked(facts, unit, 'serial')
    || cured(facts, unit, 'serialise')) return 'low'
  return inheritsUnseen(facts, unit) ? lower(sure) : sure
}

/** A helper of another file, by its name: `Settings.clearSystemProperty(…)`, `resetEnv()`. */
export const isCleared = ({ unit, call }: Change): boolean =>
  unit.role.is === 'hook' && /(^|[.:_])(clear|reset|restore|unset)\w*(Propert|_?[eE]nv)/.test(call?.name ?? '')

/** In the same body, only what concerns the same variable puts it back. */
export function undoesSame(view: FileView, change: Change, later: Change): boolean {
  if (later.write && WHOLE.test(later.write.target)) return true
  // Of what is written, only the variable counts, not its value; a name that stands for a text is that text.
  const names = (c: Change) =>
    ((c.write ? view.textOf(c.span).replace(/[^=!<>]=(?!=)[^]*$/, '') : view.textOf(c.span)).match(
      /process\.env\.\w+|(?<=[("'`[]\s*)[\w.]+/g,
    ) ?? []).flatMap(n => [n, textBehind(c.unit, n)])
  const own = new Set(names(change))
  // What a clean-up is given to call stands among its arguments.
  const given = later.call && !has(later.call, 'env-write') ? view.textOf(later.span).match(/\w+/g) ?? [] : []
  return change.through !== undefined || given.some(n => own.has(n))
    || names(later).slice(0, later.call && has(later.call, 'env-write') ? 2 : undefined).some(n => own.has(n))
    || /environ\.(clear|update)|setProperties/.test(view.textOf(later.span)) || isEachOf(later)
}

const WHOLE = /^(process\.env|os\.environ)$/

/** `finally: for name in names: del os.environ[name]`. */
const isEachOf = ({ unit, in: at, write, call }: Change): boolean =>
  (write ?? call) !== undefined && undoes(unit, at) && within(unit, at, 'loop')

/** A helper that only takes away, or takes away what it has set before it is done. */
export function tidiesItself(view: FileView, { through, call }: Change): boolean {
  const helper = through === undefined || call?.target === undefined ? undefined : view.facts.units[call.target]
  const own = helper ? changesIn(view.facts, helper, 'env-write', ENV) : []
  const sets = own.filter(c => !isTidying(view, c))
  return sets.every(s => own.some(c => c.span.start > s.span.start && isTidying(view, c) && undoesSame(view, s, c))) && own.length > 0
}

/** A hook before each test sets the same, or all of it: nobody finds what another test left. */
export const setAnew = (facts: FileFacts, unit: Unit, { write }: Change): boolean =>
  facts.language === 'typescript' && unit.role.is === 'test' && write !== undefined
  && inForce(facts, unit).some(u =>
    u.role.is === 'hook' && u.role.per === 'test' && u.writes.some(w => w.target === write.target || WHOLE.test(w.target))
  )

/** Taking away, where nothing was set before, is how tests make sure of a default; and an old value put back is no change. */
export const isTidying = (view: FileView, { span, write }: Change): boolean =>
  REMOVES.test(view.textOf(span)) || (write?.value.is === 'name' && /old|orig|prev|sav|before|backup|initial/i.test(write.value.path))

/**
 * Nobody finds what this unit left: its runner gives each test a process, each file one, or the tests run side by side,
 * where another rule speaks.
 */
export function isApart({ facts, project }: FileView, unit: Unit): boolean {
  const runner = parallelFor(project, facts.language, facts.path)
  if (facts.language === 'rust' && runner.scope === 'processes' && runner.grain === 'tests') return true
  if (facts.language === 'typescript' && testsBeyond(facts, unit).length === 0) return true
  const beside = marked(facts, unit, 'parallel') || (runner.on && runner.scope === 'threads')
  return beside && !marked(facts, unit, 'serial') && !cured(facts, unit, 'serialise')
}
