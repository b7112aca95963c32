// What a test changes beyond itself, and what puts it back: after hooks, `finally`, `defer`, clean-ups that a runner calls.

import type { EffectKind } from '../../facts/effects.ts'
import type { Call, FileFacts, Span, Unit, Value, Write } from '../../facts/facts.ts'
import { ancestors, around, has, hooksOf, inForce, lineage, runsIn, valuesIn } from '../../facts/query.ts'

type File = Pick<FileFacts, 'units' | 'imports'>

/** One change, in the unit where it stands. */
export interface Change {
  readonly unit: Unit
  readonly span: Span
  readonly in: number
  readonly call?: Call
  readonly write?: Write
  /** The helper of the file that does it on behalf of the unit. */
  readonly through?: string
}

/** How a change fares once its test is over. */
export type Fate = 'put back' | 'put back if it passes' | 'stays'

const CLEANUP =
  /cleanup|add_?teardown|add_?finalizer|addfinalizer|defer|onTestFinished|onTestFailed|ExitStack|callback|(^|[.:])(finally|guard|after|teardown)$/i

/** The place runs however the test ends. */
export function undoes(unit: Unit, region: number): boolean {
  for (const r of around(unit, region)) {
    if (r.kind === 'finally') return true
    const call = r.kind === 'closure' && r.call !== undefined ? unit.calls[r.call] : undefined
    if (call && (has(call, 'restore') || CLEANUP.test(call.name))) return true
  }
  return false
}

/** Fixtures and context managers are run to their end by whoever uses them. */
const runsToItsEnd = (unit: Unit): boolean => unit.markers.some(m => /(^|\.)(\w*fixture|(async)?contextmanager)$/.test(m.name))

/** What runs when the unit is over, whether it passed or not: calls and writes, each with the unit in which it stands. */
export function afterwards(file: File, unit: Unit): Change[] {
  const found: Change[] = []
  const take = (u: Unit, wanted: (region: number) => boolean, depth = 0): void => {
    for (const call of u.calls) {
      if (!wanted(call.in)) continue
      found.push({ unit: u, span: call.span, in: call.in, call })
      if (call.target !== undefined && depth < 2) take(file.units[call.target]!, () => true, depth + 1)
    }
    for (const write of u.writes) if (wanted(write.in)) found.push({ unit: u, span: write.span, in: write.in, write })
  }
  const takeHanded = (u: Unit): void => {
    for (const change of handed(u)) {
      found.push(change)
      for (const arg of change.call!.args) {
        const name = arg.is === 'name' ? arg.path.replace(/^(self|this)\./, '') : undefined
        const given = name === undefined ? undefined : file.units.find(f => f.role.is === 'helper' && f.name === name)
        if (given) take(given, () => true)
      }
    }
  }
  for (const u of hooksOf(file, [unit, ...lineage(file, unit)], 'after')) if (u.id !== unit.id) take(u, () => true)
  for (const u of inForce(file, unit)) {
    if (u.role.is === 'hook' && runsToItsEnd(u)) take(u, () => true)
    else if (u.role.is === 'hook') take(u, region => undoes(u, region)), takeHanded(u)
  }
  // A subtest is over before the test around it, which may tidy up for both.
  for (const u of [unit, ...ancestors(file, unit).filter(a => a.role.is === 'test')]) take(u, region => undoes(u, region)), takeHanded(u)
  return found
}

/** Clean-ups that are handed over as they are: `addCleanup(patcher.stop)`, `t.Cleanup(srv.Close)`. */
const handed = (unit: Unit): Change[] =>
  unit.calls.filter(c => CLEANUP.test(c.name)).map(call => ({ unit, span: call.span, in: call.in, call }))

/** Whether a value is or belongs to what goes by this name. */
export function mentions(unit: Unit, value: Value | undefined, path: string): boolean {
  if (!value) return false
  for (const v of valuesIn(value, unit)) if (v.is === 'name' && isPartOf(v.path, path)) return true
  return false
}

export const isPartOf = (path: string, whole: string): boolean =>
  path === whole || (path.startsWith(whole) && /^(\.|::|\[)/.test(path.slice(whole.length)))

/** Whether a change has to do with a name: writes it, calls on it, or is given it. */
export function touches({ unit, call, write }: Change, path: string): boolean {
  if (write) return isPartOf(write.target, path)
  if (!call) return false
  // `setattr(sys, "stdout", old)`, by itself or handed to a clean-up.
  const named = call.args.some((a, i) => {
    const next = call.args[i + 1]
    return a.is === 'name' && next?.is === 'literal' && `${a.path}.${next.value}` === path
  })
  return named || isPartOf(call.name, path)
    || [call.receiver ?? undefined, ...call.args, ...Object.values(call.named)].some(v => mentions(unit, v, path))
}

/** Changes of a unit, by the effect of a call or the target of a write, its own and those of the helpers it calls; not those that undo. */
export function changesIn(file: File, unit: Unit, kind: EffectKind, target?: RegExp): Change[] {
  const isChange = (u: Unit, c: Call) => has(c, kind) && !has(c, 'restore') && runsIn(u, c.in) === 'inline' && !undoes(u, c.in)
  const isWrite = (u: Unit, w: Write) =>
    target !== undefined && !w.declares && target.test(w.target) && runsIn(u, w.in) === 'inline' && !undoes(u, w.in)
  const found: Change[] = []
  for (const call of unit.calls) {
    if (isChange(unit, call)) found.push({ unit, span: call.span, in: call.in, call })
    const helper = call.target === undefined ? undefined : file.units[call.target]
    if (!helper || helper.role.is !== 'helper' || runsToItsEnd(helper) || runsIn(unit, call.in) !== 'inline' || undoes(unit, call.in))
      continue
    const inner = helper.calls.find(c => isChange(helper, c)) ?? helper.writes.find(w => isWrite(helper, w))
    if (inner && !puttingBack(file, helper, kind, target)) found.push({ unit, span: call.span, in: call.in, call, through: helper.name })
  }
  for (const write of unit.writes) if (isWrite(unit, write)) found.push({ unit, span: write.span, in: write.in, write })
  return found.sort((a, b) => a.span.start - b.span.start)
}

function puttingBack(file: File, unit: Unit, kind: EffectKind, target?: RegExp): boolean {
  return afterwards(file, unit).some(c => isOf(c, kind, target))
}

/** Whether a change is of a kind: by its effect, by what it writes, or by what a clean-up is given to call. */
export function isOf({ unit, call, write }: Change, kind: EffectKind, target?: RegExp): boolean {
  if (write) return target?.test(write.target) ?? false
  if (!call) return false
  if (has(call, kind)) return true
  return call.args.some(a => [...valuesIn(a, unit)].some(v => v.is === 'name' && target?.test(v.path)))
}

/** Inside a block that puts things back when it is left: `with patch.dict(os.environ):`, `try (var m = mockStatic(X))`. */
export function isEnclosed(unit: Unit, region: number, like: RegExp): boolean {
  for (const r of around(unit, region)) {
    const call = (r.kind === 'with' || r.kind === 'closure') && r.call !== undefined ? unit.calls[r.call] : undefined
    if (call && (has(call, 'restore') || like.test(call.name))) return true
  }
  return false
}

/** An annotation, decorator, rule or extension in force that puts things back. */
export function isGuarded(file: File, unit: Unit, like: RegExp): boolean {
  const around = [unit, ...lineage(file, unit)]
  return around.some(u =>
    u.markers.some(m => like.test(m.name) || like.test(m.key ?? ''))
    || ((u.role.is === 'suite' || u.role.is === 'module') && u.calls.some(c => has(c, 'restore') && like.test(c.name)))
  )
}

/** A name that is bound once, to a text, is as good as the text. */
export function textBehind(unit: Unit, name: string): string {
  const kept = unit.writes.filter(w => w.target === name)
  return kept.length === 1 && kept[0]!.value.is === 'literal' ? String(kept[0]!.value.value) : name
}

/** What a fixture does after its `yield` is the clean-up itself. */
export const isAfterYield = ({ textOf }: { readonly textOf: (span: Span) => string }, { unit, span }: Change): boolean =>
  runsToItsEnd(unit) && /^[ \t]*(?:\w+\s*=\s*)?yield\b/m.test(textOf({ start: unit.span.start, end: span.start }))

/** The fate of a change, by what counts as its undoing. */
export function fateOf(file: File, change: Change, isUndoing: (c: Change) => boolean): Fate {
  const { unit } = change
  if (afterwards(file, unit).some(isUndoing) || isKeptBack(file, unit, c => c === change.call)) return 'put back'
  const later = (s: Span) => s.start > change.span.start
  const trailing = [
    ...unit.calls.filter(c => later(c.span)).map(call => ({ unit, span: call.span, in: call.in, call })),
    ...unit.writes.filter(w => later(w.span)).map(write => ({ unit, span: write.span, in: write.in, write })),
  ].some(isUndoing)
  return !trailing ? 'stays' : runsToItsEnd(unit) ? 'put back' : 'put back if it passes'
}

/** `restore := moveTo(dir); defer restore()`, `defer moveTo(dir)()`: what a call gives is called at the end, and puts things back. */
export function isKeptBack(file: File, unit: Unit, from: (call: Call) => boolean): boolean {
  const made = unit.calls.flatMap((c, i) => (from(c) ? [i] : []))
  if (made.length === 0) return false
  const kept = unit.writes.filter(w => w.value.is === 'call' && made.includes(w.value.call)).map(w => w.target)
  const isRun = (c: Call) =>
    kept.includes(c.name) || kept.includes(c.name.replace(/^this\./, ''))
    || (CLEANUP.test(c.name) && c.args.some(a => a.is === 'name' && kept.includes(a.path)))
  // What is made in the clean-up and called there and then has changed things already.
  const atOnce = made.some(i =>
    undoes(unit, unit.calls[i]!.in) && unit.calls[i + 1]?.name === '?' && unit.calls[i + 1]!.span.start === unit.calls[i]!.span.start
  )
  return atOnce || (kept.length > 0 && afterwards(file, unit).some(c => c.unit === unit && c.call !== undefined && isRun(c.call)))
}

/** Whether anything between a change and its undoing may end the test: in Go, only what says so. */
export function mayEndBefore({ language }: Pick<FileFacts, 'language'>, change: Change, isUndoing: (c: Change) => boolean): boolean {
  const { unit, span } = change
  const undone =
    [...unit.calls.map(call => ({ unit, span: call.span, in: call.in, call })),
      ...unit.writes.map(write => ({ unit, span: write.span, in: write.in, write }))]
      .filter(c => c.span.start > span.start && isUndoing(c)).map(c => c.span.start).sort((a, b) => a - b)[0]
  if (undone === undefined) return true
  const between = (s: Span) => s.start >= span.end && s.start < undone
  if (language === 'go') return unit.calls.some(c => between(c.span) && (has(c, 'exit') || c.name === 'panic' || c.target !== undefined))
  if (language !== 'java' && language !== 'typescript') return true
  return unit.assertions.some(a => between(a.span))
    || unit.calls.some(c => between(c.span) && (c.result === 'awaited' || /assert|expect|verify/i.test(c.name)))
}

/** A value that the unit keeps, or has a helper make, puts things back when it goes out of scope: its type says so in `Drop`. */
export function isDropped({ facts, textOf }: { readonly facts: FileFacts; readonly textOf: (span: Span) => string }, unit: Unit,
  kind: EffectKind): boolean
{
  if (facts.language !== 'rust') return false
  const drops = (type: Unit) => facts.units.some(d => d.parent === type.id && d.name === 'drop' && reaches(facts, d, kind))
  const guards = facts.units.filter(u => u.role.is === 'suite' && u.params.includes('Drop') && drops(u)).map(u => u.name)
  if (guards.length === 0) return false
  const made = new RegExp(String.raw`\b(?:${guards.join('|')})\b`)
  // `let _ = …` drops it at once.
  const keeps = new RegExp(String.raw`\blet\s+(?:mut\s+)?(?!_\s*[:=])\w+[^=;]{0,100}=\s*(?:\w+::)*(?:${guards.join('|')})\b`)
  const helpers = unit.calls.flatMap(c => (c.target !== undefined && c.result !== 'discarded' ? [facts.units[c.target]!] : [])).filter(u =>
    u.role.is === 'helper'
  )
  return keeps.test(textOf(unit.span)) || helpers.some(h => made.test(textOf(h.span)))
}

const reaches = (file: File, unit: Unit, kind: EffectKind): boolean =>
  unit.calls.some(c => has(c, kind) || (c.target !== undefined && file.units[c.target]!.calls.some(i => has(i, kind))))

/** Tear-down may stand in a class that this file does not show. */
export function inheritsUnseen(file: File, unit: Unit): boolean {
  const own = new Set(file.units.filter(u => u.role.is === 'suite').map(u => u.name))
  return ancestors(file, unit).some(u => u.role.is === 'suite' && u.params.some(base => !own.has(base) && !KNOWN_BASES.test(base)))
}
const KNOWN_BASES = /(^|\.)(TestCase|IsolatedAsyncioTestCase|Object|object|TransactionTestCase|SimpleTestCase)$/

/** The runner's hooks hold for a whole package, and may stand in any file of it. */
export const hooksUnseen = (file: File): boolean => file.imports.some(i => /\bonsi\/ginkgo\b/.test(i.name))

/** Units whose changes outlive a test: tests themselves, and hooks before one test or a file. */
export const changersOf = (file: File): Unit[] =>
  file.units.filter(u =>
    !isPutAway(file, u) && (u.role.is === 'test' || (u.role.is === 'hook' && u.role.when === 'before' && u.role.per !== 'run'))
  )

/** Who never runs leaves nothing. */
const isPutAway = (file: File, unit: Unit): boolean =>
  [unit, ...ancestors(file, unit)].some(u => u.role.is !== 'module' && u.skips.some(s => s.condition === null))

/** Tests of the file that do not run under this unit: those that would find what it left. */
export function testsBeyond(file: File, unit: Unit): Unit[] {
  const scope = unit.role.is === 'hook' ? unit.parent : unit.id
  return file.units.filter(u => u.role.is === 'test' && u.id !== unit.id && !ancestors(file, u).some(a => a.id === scope))
}
