// State that the tests of a file share: what the module, a suite or a class holds, who changes it and who depends on it.

import type { Call, FileFacts, Span, Unit, Value, Write } from '../../facts/facts.ts'
import { ancestors, has, runsIn, valuesIn } from '../../facts/query.ts'
import { rememberedOf } from '../../facts/remembered.ts'
import { afterwards, isPartOf, undoes } from './leaks.ts'

/** A binding that is made once for several tests. */
export interface Shared {
  readonly name: string
  /** As tests may write it: `x`, `self.x`, `CartTest.x`. */
  readonly paths: readonly string[]
  readonly owner: Unit
  readonly write: Write
  /** Declared and nothing more: what it holds comes from elsewhere, so a method of it may mean anything. */
  readonly bare?: true
}

/** A test that changes a shared binding, and where. */
export interface Touch {
  readonly test: Unit
  readonly span: Span
  /** It depends on what was there before. */
  readonly adds: boolean
}

const MUTATORS =
  /(^|[.:])(append|extend|insert|add|addAll|addFirst|addLast|put|putAll|putIfAbsent|push|push_back|unshift|set|store|remove|removeAll|pop|shift|splice|update|setdefault|delete|discard|offer|enqueue|fetch_add|fetch_sub|getAndIncrement|incrementAndGet|getAndAdd|addAndGet|compareAndSet|decrementAndGet|register|increment|incr)$/i
const RESETS =
  /(^|[.:])(clear|reset|removeAll|resetAll|clearAll|mockClear|mockReset|cache_clear|truncate|retainAll|invalidateAll|cleanUp|store|set|flush)$/

export function sharedIn(file: FileFacts): Shared[] {
  const found: Shared[] = []
  const rebound = new Set<string>()
  for (const owner of file.units) {
    if (owner.role.is !== 'module' && owner.role.is !== 'suite') continue
    // A class's own object serves all of its tests.
    const once = owner.markers.some(m => /TestInstance$/.test(m.name) && /PER_CLASS/.test(m.key ?? ''))
    for (const write of owner.writes) {
      if (!/^\w+$/.test(write.target) || write.in !== 0 || isStandIn(write.value, owner)) continue
      if (file.language === 'java' && owner.role.is === 'suite' && write.declares && !once) continue
      if (found.some(f => f.owner === owner && f.name === write.target)) rebound.add(`${owner.id} ${write.target}`)
      const name = write.target
      const paths = owner.role.is === 'suite' && file.language !== 'typescript'
        ? [name, `self.${name}`, `cls.${name}`, `this.${name}`, `${owner.name}.${name}`].slice(file.language === 'python' ? 1 : 0)
        : [name]
      found.push({ name, paths, owner, write })
    }
  }
  return found.filter(f => !rebound.has(`${f.owner.id} ${f.name}`))
}

/** Stand-ins, loggers, locks and functions are state of another kind. */
const isStandIn = (value: Value, unit: Unit): boolean =>
  value.is === 'call'
  && (has(unit.calls[value.call]!, 'stub', 'unique-id', 'temp-dir', 'seed', 'random')
    || /log|latch|require|import|mock|semaphore|describe|Pattern|compile/i.test(unit.calls[value.call]!.name))

const outermost = (file: FileFacts, unit: Unit): Unit => [unit, ...ancestors(file, unit)].findLast(u => u.role.is === 'test') ?? unit

/** The name at the bottom of `x.lock().unwrap()`, `x[0]`. */
export function rootOf(value: Value | undefined | null, unit: Unit, depth = 0): string | undefined {
  if (!value || depth > 8) return undefined
  if (value.is === 'name') return value.path
  if (value.is === 'call') return rootOf(unit.calls[value.call]?.receiver, unit, depth + 1)
  return value.is === 'op' && value.op === '[]' ? rootOf(value.of[0], unit, depth + 1) : undefined
}

const isOne = (shared: Shared, path: string | undefined): boolean => path !== undefined && shared.paths.some(p => isPartOf(path, p))

/** `seen.length = 0` takes away what was there. */
const isEmptied = ({ target, value }: Write): boolean => target.endsWith('.length') && value.is === 'literal' && value.value === 0

const shadows = (shared: Shared, unit: Unit): boolean =>
  unit.params.includes(shared.name) || unit.writes.some(w => w.declares && w.target === shared.name)

/** Changes of the binding in a unit that stay: its own writes, and calls that change what it holds. */
export function touchesOf(shared: Shared, unit: Unit): Touch[] {
  if (shadows(shared, unit)) return []
  const stays = (region: number) => !undoes(unit, region)
  const writes = unit.writes.filter(w => isOne(shared, w.target) && stays(w.in) && !isEmptied(w)).map(w => ({ test: unit, span: w.span,
    adds: w.adds || !shared.paths.includes(w.target) })
  )
  if (shared.bare) return writes.filter(w => w.adds)
  const calls = unit.calls.filter(c => MUTATORS.test(c.name) && isOne(shared, rootOf(c.receiver, unit)) && stays(c.in)).map(c => ({
    test: unit,
    span: c.span,
    adds: true,
  }))
  return [...writes, ...calls].sort((a, b) => a.span.start - b.span.start)
}

/** Where a unit first depends on what it finds there: an assertion that looks at it before the unit itself has set it. */
export function dependsOn(shared: Shared, unit: Unit): Span | undefined {
  // A test that is skipped where nothing is there knows what it needs.
  if (shadows(shared, unit) || unit.skips.some(s => s.condition?.split(/\W+/).includes(shared.name))) return undefined
  const set = unit.writes.find(w => shared.paths.includes(w.target) && !w.adds)?.span.start ?? Infinity
  const reset = unit.calls.find(c => RESETS.test(c.name) && isOne(shared, rootOf(c.receiver, unit)))?.span.start ?? Infinity
  return unit.assertions.find(a =>
    a.span.start < Math.min(set, reset) && a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'name' && isOne(shared, v.path)))
  )?.span
}

/** A hook around each test sets it anew or empties it. */
export function isReset(file: FileFacts, shared: Shared, test: Unit): boolean {
  const up = new Set([test, ...ancestors(file, test)].map(u => u.id))
  const hooks = file.units.filter(u => u.role.is === 'hook' && u.role.per === 'test' && u.parent !== null && up.has(u.parent))
  const resets = (u: Unit, depth = 0): boolean =>
    u.writes.some(w => isOne(shared, w.target) && !w.adds)
    || u.calls.some(c =>
      (RESETS.test(c.name) && (isOne(shared, rootOf(c.receiver, u)) || c.args.some(a => isOne(shared, rootOf(a, u)))))
      || (c.target !== undefined && depth < 2 && resets(file.units[c.target]!, depth + 1))
    )
  return hooks.some(h => resets(h))
    || afterwards(file, test).some(c =>
      (c.write && isOne(shared, c.write.target)) || (c.call && RESETS.test(c.call.name) && isOne(shared, rootOf(c.call.receiver, c.unit)))
    )
}

export interface Pair {
  readonly shared: Shared
  readonly writer: Touch
  readonly reader: { readonly test: Unit; readonly span: Span }
  /** A hook before all tests made it. */
  readonly fixture: boolean
}

/** A test that changes a shared binding and another that depends on it, with nothing to set it back between them. */
export function* pairsIn(file: FileFacts, more: readonly Shared[] = []): Generator<Pair> {
  const tests = file.units.filter(u => u.role.is === 'test')
  if (tests.length < 2) return
  for (const shared of [...sharedIn(file), ...more]) {
    const under = tests.filter(t => shared.owner.role.is === 'module' || ancestors(file, t).some(a => a.id === shared.owner.id))
    const writers = under.flatMap(t => [...touchesOf(shared, t).filter(w => isHere(t, w)), ...recordings(file, shared, t)])
    if (writers.length === 0) continue
    for (const test of under) {
      const span = dependsOn(shared, test)
      const writer = span && writers.find(w => outermost(file, w.test) !== outermost(file, test))
      if (!span || !writer || isReset(file, shared, test) || isReset(file, shared, writer.test)) continue
      yield { shared, writer, reader: { test, span }, fixture: file.units.some(u =>
        u.role.is === 'hook' && u.role.when === 'before' && u.role.per !== 'test' && u.writes.some(w =>
          isOne(shared, w.target)
        )
      ) }
      break
    }
  }
}

/** The names that a unit gives to what it calls. */
const handedOver = rememberedOf((unit: Unit): ReadonlySet<string> =>
  new Set(
    unit.calls.flatMap(c => [...c.args, ...Object.values(c.named)]).flatMap(
      a => (a.is === 'name' ? [a.path.replace(/^(self|this|cls)\./, '')] : []),
    ),
  )
)

/** Changes by a callback of a test, or by a helper that the test hands over, where the test itself expects to find them. */
function recordings(file: FileFacts, shared: Shared, test: Unit): Touch[] {
  if (shared.bare || shadows(shared, test)) return []
  const handed = file.units.filter(u => u.role.is === 'helper' && handedOver(test).has(u.name)).flatMap(u => touchesOf(shared, u))
  const seen = test.assertions.find(a =>
    a.claims === 'presence' && a.compare === '=='
    && a.operands.some(o => [...valuesIn(o, test)].some(v => v.is === 'name' && isOne(shared, v.path)))
  )
  return seen ? [...touchesOf(shared, test).filter(t => !isHere(test, t)), ...handed].filter(t => t.adds).map(t => ({ ...t, test })) : []
}

export interface Spoiled {
  readonly shared: Shared
  readonly writer: Touch
  readonly reader: Unit
}

/**
 * A list or table that the file or a class holds for its tests, changed in its insides by one of them and handed around by another:
 * `self.payload['value'] = -10`, where the next test gives `self.payload` to the code.
 */
export function* spoiledTables(file: FileFacts): Generator<Spoiled> {
  const tests = file.units.filter(u => u.role.is === 'test')
  if (tests.length < 2 || file.language === 'bash') return
  for (const shared of sharedIn(file)) {
    if (shared.write.value.is !== 'group') continue
    const under = tests.filter(t => shared.owner.role.is === 'module' || ancestors(file, t).some(a => a.id === shared.owner.id))
    const writer = under.flatMap(t => insideChanges(shared, t).filter(w => isHere(t, w)))[0]
    if (!writer || isReset(file, shared, writer.test)) continue
    const reader = under.find(t => outermost(file, t) !== outermost(file, writer.test) && uses(shared, t))
    if (reader && !isReset(file, shared, reader)) yield { shared, writer, reader }
  }
}

/** Changes of what a binding holds, not of the binding: by its name, or by another that the unit gave it. */
function insideChanges(shared: Shared, unit: Unit): Touch[] {
  const own = touchesOf(shared, unit).filter(t => t.adds)
  const aliases = unit.writes.filter(w => w.declares && w.value.is === 'name' && shared.paths.includes(w.value.path)).map(w => w.target)
  const others = aliases.flatMap(alias =>
    unit.writes.filter(w => w.target.startsWith(`${alias}[`) || w.target.startsWith(`${alias}.`)).map(w => ({ test: unit, span: w.span,
      adds: true })
    )
  )
  // What the test itself takes out again, or puts back, is its own affair.
  const undone = unit.calls.some(c => /(^|[.:])(pop|remove|discard|clear)$/.test(c.name) && isOne(shared, rootOf(c.receiver, unit)))
    || unit.writes.some(w => w.value.is === 'name' && /old|orig|prev|sav|before|backup/i.test(w.value.path) && isOne(shared, w.target))
  return undone ? [] : [...own, ...others]
}

/** A test that hands it to somebody or looks at it, before it has set it itself. */
function uses(shared: Shared, unit: Unit): boolean {
  if (shadows(shared, unit)) return false
  const set = unit.writes.find(w => shared.paths.includes(w.target) && !w.adds)?.span.start ?? Infinity
  const named = (v: Value) => v.is === 'name' && shared.paths.includes(v.path)
  return unit.calls.some(c => c.span.start < set && !/copy/i.test(c.name) && [...c.args, ...Object.values(c.named)].some(named))
    || dependsOn(shared, unit) !== undefined
}

/** A callback may run in any test, or in none. */
const isHere = (unit: Unit, { span }: Touch): boolean => {
  const at = [...unit.calls, ...unit.writes].find((x: Call | Write) => x.span.start === span.start && x.span.end === span.end)
  return at !== undefined && runsIn(unit, at.in) === 'inline'
}

/** A test that changes what a fixture gives to several: its parameter is the fixture's one object. */
export function* changedFixtures(
  file: FileFacts,
): Generator<{ readonly writer: Touch; readonly fixture: Unit; readonly others: readonly Unit[] }> {
  for (const fixture of file.units) {
    if (fixture.role.is !== 'hook' || fixture.role.when !== 'before' || fixture.role.per === 'test'
      || !fixture.markers.some(m => /fixture$/.test(m.name))) continue
    const users = file.units.filter(u => u.role.is === 'test' && u.params.includes(fixture.name))
    for (const test of users) {
      const others = users.filter(u => u !== test)
      const owned: Shared = { name: '', paths: [fixture.name], owner: fixture, write: fixture.writes[0]
        ?? { span: fixture.span, target: fixture.name, value: { is: 'unknown' }, in: 0, declares: true, adds: false } }
      const writer = others.length > 0 ? touchesOf(owned, test).find(t => t.adds && isHere(test, t)) : undefined
      if (!writer || test.writes.some(w => w.target === fixture.name) || isReset(file, owned, test)) continue
      yield { writer, fixture, others }
      break
    }
  }
}
