import type { FileFacts, Span, Unit } from '../../facts/facts.ts'
import { cured, has, inForce, isTestCode, marked, runsIn } from '../../facts/query.ts'
import { parallelFor } from '../../project/project.ts'
import { defineRule } from '../rule.ts'

const GLOBALS = /^(process\.env|os\.environ|global|globalThis|window)\b/

export default defineRule(
  {
    id: 'missing-serial-marker',
    title: 'A test changes something that the whole process shares while other tests run beside it',
    category: 'state',
    severity: 'error',
    triggers: ['env-write', 'cwd-write', 'global-write', 'global'],
    parallel: true,
    confirm: ['parallelise'],
    crowds: 5,
    cap: 'medium',
    since: '0.1.0',
  },
  function* ({ facts, project, textOf }) {
    const runner = parallelFor(project, facts.language, facts.path)
    // A helper that many tests call is mended once.
    const told = new Set<number>()
    // The only test of a file has others beside it in other files, if anywhere.
    const alone = facts.units.filter(u => u.role.is === 'test').length === 1 && !facts.units.some(u => marked(facts, u, 'parallel'))
    for (const unit of facts.units) {
      if (unit.role.is !== 'test' || !isTestCode(facts, unit) || marked(facts, unit, 'serial') || cured(facts, unit, 'serialise')) continue
      const beside = marked(facts, unit, 'parallel')
        ? 'it is marked to run beside others'
        : runner.on && runner.scope === 'threads'
        ? runner.because
        : undefined
      const change = beside ? changes(facts, unit) : undefined
      if (!change || told.has(change.span.start) || (alone && isOwnBinary(facts.path, textOf(facts.units[0]!.span)))
        || SILENCES.test(textOf(change.span))) continue
      told.add(change.span.start)
      yield {
        at: change.span,
        unit: change.in.id,
        confidence: 'medium',
        message: `changes ${change.what} while other tests may run (${beside})`,
        related: change.from ? [{ span: change.from, message: `${unit.title} calls it` }] : [],
      }
    }
  },
)

/**
 * Cargo makes a program of each file that lies right in these folders: its only test has the process to itself, unless it takes in others.
 */
const isOwnBinary = (path: string, text: string): boolean =>
  /(^|\/)(tests|examples|benches)\/[^/]+\.rs$/.test(path) && !/^\s*(?:pub\s+)?mod\s+(?!\w*(?:common|util|support|helper))\w+;/m.test(text)
/** A hook that does nothing: the panics of others are not printed, and that is all. */
const SILENCES = /set_hook\(\s*(?:std::boxed::)?Box::new\(\s*(?:move\s*)?\|_?\w*\|\s*(?:\{\s*\}|\(\))\s*\)\s*\)/

const WHAT = { 'env-write': 'the process environment', 'cwd-write': 'the working directory',
  'global-write': 'state of the whole process' } as const
const KINDS = ['env-write', 'cwd-write', 'global-write'] as const

interface Found {
  readonly span: Span
  readonly in: Unit
  readonly what: string
  readonly from?: Span
}

/** The change of the test itself, or else the one that a helper of the file makes for it: told where the change stands. */
function changes(facts: FileFacts, unit: Unit): Found | undefined {
  for (const call of unit.calls) {
    const kind = has(call, 'restore') ? undefined : KINDS.find(k => has(call, k) && !call.effects.some(e => e.kind === k && e.through))
    if (kind && runsIn(unit, call.in) === 'inline')
      return { span: call.span, in: unit, what: WHAT[kind] }
  }
  const own = new Set(unit.writes.filter(w => w.declares).map(w => w.target))
  const write = unit.writes.find(w => GLOBALS.test(w.target) && !w.declares && !own.has(w.target.split(/[.[]/)[0]!))
  if (write) return { span: write.span, in: unit, what: /env/.test(write.target) ? WHAT['env-write'] : write.target }
  for (const call of unit.calls) {
    const helper = call.target === undefined || has(call, 'restore') ? undefined : facts.units[call.target]
    const inner = helper?.calls.find(c => has(c, 'env-write', 'cwd-write'))
    if (!helper || !inner || cured(facts, helper, 'serialise')) continue
    const what = WHAT[has(inner, 'env-write') ? 'env-write' : 'cwd-write']
    return isTestCode(facts, helper)
      ? { span: inner.span, in: helper, what, from: call.span }
      : { span: call.span, in: unit, what }
  }
  // What a hook puts in place before a test, and takes away after it, is there for the tests beside it all the same.
  for (const hook of inForce(facts, unit).filter(u => u.role.is === 'hook' && u.role.per !== 'run')) {
    const inner = hook.calls.find(c =>
      !has(c, 'restore') && KINDS.some(k => has(c, k)) && runsIn(hook, c.in) === 'inline' && c.resolution !== 'guess'
    )
    if (inner && !cured(facts, hook, 'serialise'))
      return { span: inner.span, in: hook, what: WHAT[KINDS.find(k => has(inner, k))!] }
  }
  return undefined
}
