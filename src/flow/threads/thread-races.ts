// Java: plain fields, arrays and collections that threads of a test change with nothing between them.

import type { Call, FileFacts, Region, Span, Unit } from '../../facts/facts.ts'
import { around, has } from '../../facts/query.ts'
import { isInside, startOf } from './background.ts'
import { readAfter, type Race } from './races.ts'

interface View {
  readonly facts: FileFacts
  readonly textOf: (span: Span) => string
}

const PLAIN =
  /^java\.util\.(ArrayList|LinkedList|HashMap|HashSet|LinkedHashMap|LinkedHashSet|TreeMap|TreeSet|ArrayDeque)\.(add|put|remove|addAll|putAll|merge|computeIfAbsent|push|offer)$|^java\.lang\.StringBuilder\.append$/
/** One thread for all, or the test's own. */
const ALONE =
  /newSingleThread|[sS]erializing|[sS]equential|SerialExecutor|directExecutor|sameThread|Runnable::run|newFixedThreadPool\(1\)|MoreExecutors\.\w*irect/

export function* threadRaces(unit: Unit, view: View): Generator<Race> {
  const found = [...collections(unit, view), ...variables(unit, view)]
  // Asked last: it reads the whole file.
  if (found.length > 0 && !ALONE.test(view.textOf(view.facts.units[0]!.span))) yield* found
}

function* variables(unit: Unit, view: View): Generator<Race> {
  for (const write of unit.writes) {
    const work = startOf(unit, write.in)
    if (work === undefined || write.declares || isLocked(unit, work, view)) continue
    const name = write.target.replace(/\[\]$/, '')
    const isArray = name !== write.target
    // A local of the closure; what another object holds may have a lock of its own.
    if (!/^(this\.)?\w+$/.test(name) || unit.writes.some(w => w.declares && w.target === name && isInside(unit, w.in, work))
      || (!isArray && isVolatile(name, view))) continue
    const started = unit.calls[unit.regions[work]!.call!]!
    if (write.adds && isRepeated(unit, work, name)) yield { write, writer: unit, other: started.nameSpan, how: 'many' }
    else {
      const read = readAfter(unit, name, started.span.end, work)
      if (read) yield { write, writer: unit, other: read, how: 'beside' }
    }
  }
}

/** A collection with no lock of its own that two pieces of work change, or one that is started many times. */
function* collections(unit: Unit, view: View): Generator<Race> {
  const told = new Set<string>()
  for (const call of unit.calls) {
    const name = PLAIN.test(call.name) && call.receiver?.is === 'name' ? call.receiver.path : undefined
    const work = name === undefined ? undefined : workAround(unit, call.in)
    if (!name || work === undefined || told.has(name) || isLocked(unit, work, view)) continue
    const born = unit.writes.find(w => w.target === name)
    if (born && isInside(unit, born.in, work)) continue
    const others = unit.calls.filter(c =>
      c !== call && PLAIN.test(c.name) && c.receiver?.is === 'name' && c.receiver.path === name
      && ![undefined, work].includes(workAround(unit, c.in))
    )
    if (others.length === 0 && !isRepeated(unit, work, name) && !isParallel(unit, work)) continue
    told.add(name)
    const write = { span: call.span, target: name, value: { is: 'unknown' as const }, in: call.in, declares: false, adds: true }
    yield { write, writer: unit, other: others[0]?.span ?? unit.calls[unit.regions[work]!.call!]!.nameSpan, how: 'many' }
  }
}

/** The thread, task or parallel stream that runs a place. */
function workAround(unit: Unit, region: number): number | undefined {
  const started = startOf(unit, region)
  if (started !== undefined) return started
  for (let at = region; at !== 0; at = unit.regions[at]!.in) if (isParallel(unit, at) || isTask(unit, at)) return at
  return undefined
}

/** `tasks.add(() -> …)` and later `pool.invokeAll(tasks)`; `pool.invokeAll(nCopies(9, () -> …))`. */
function isTask(unit: Unit, region: number): boolean {
  const { kind, call: index } = unit.regions[region]!
  const call = kind === 'closure' && index !== undefined ? unit.calls[index]! : undefined
  const kept = call && /[.]add$/.test(call.name) && call.receiver?.is === 'name' ? call.receiver.path : undefined
  return call !== undefined
    && unit.calls.some(c =>
      /[.]invokeAll$/.test(c.name) && has(c, 'spawn')
      && c.args.some(a => (a.is === 'name' && a.path === kept) || (a.is === 'call' && a.call === index && /[.]nCopies$/.test(call.name)))
    )
}

/** `items.parallelStream().forEach(…)`, `range(0, 9).parallel().map(…)`. */
function isParallel(unit: Unit, region: number): boolean {
  const { kind, call } = unit.regions[region]!
  if (kind !== 'closure' || call === undefined || /forEachOrdered$/.test(unit.calls[call]!.name)) return false
  for (let at: Call | undefined = unit.calls[call], depth = 0; at && depth < 10; depth++) {
    if (/[.](parallelStream|parallel)$/.test(at.name)) return true
    at = at.receiver?.is === 'call' ? unit.calls[at.receiver.call] : undefined
  }
  return false
}

/** Started in a loop or for each of many, with a variable from outside of it; or what is kept under a name, more than once. */
function isRepeated(unit: Unit, work: number, name: string): boolean {
  const born = unit.writes.find(w => w.declares && w.target === name)
  const started = unit.calls[unit.regions[work]!.call!]!
  const turns = new Set([...around(unit, unit.regions[work]!.in), ...around(unit, started.in)])
  const isOwn = (r: Region) => born !== undefined && born.span.start >= r.span.start && born.span.end <= r.span.end
  return [...turns].some(r => isTurn(unit, r) && !isOwn(r) && !waitsInTurn(unit, r, started)) || isStartedTwice(unit, started)
    || /^java\.util\.Collections\.nCopies$/.test(started.name)
}

/** `IntStream.range(0, 9).forEach(i -> pool.submit(…))`. */
const isTurn = (unit: Unit, { kind, call }: Region): boolean =>
  kind === 'loop' || (kind === 'closure' && call !== undefined && EACH.test(unit.calls[call]!.name) && !has(unit.calls[call]!, 'spawn'))
const EACH = /[.](forEach|map|mapToObj|generate)$/

/** `t.start(); t.join()` at each turn: one after the other. */
const waitsInTurn = (unit: Unit, turn: Region, { span }: Call): boolean =>
  unit.calls.some(c => unit.regions[c.in] === turn && c.span.end > span.end && has(c, 'sync', 'sync-timed'))

/** `new Thread(sell)` and `new Thread(sell)`. */
function isStartedTwice(unit: Unit, started: Call): boolean {
  const kept = started.args[0]?.is === 'name' ? started.args[0].path : undefined
  return kept !== undefined
    && unit.calls.some(c =>
      c !== started && has(c, 'spawn') && c.args[0]?.is === 'name' && c.args[0].path === kept
      && unit.writes.filter(w => w.target === kept).length === 1
    )
}

const isLocked = (unit: Unit, work: number, { textOf }: View): boolean =>
  /\bsynchronized\b|\.lock\(\)/.test(textOf(unit.regions[work]!.span))
  || unit.calls.some(c => has(c, 'serialise') && isInside(unit, c.in, work))

const isVolatile = (name: string, { facts, textOf }: View): boolean =>
  new RegExp(`\\bvolatile\\b[^;=\\n]*\\b${name.replace(/^this\./, '')}\\b`).test(textOf(facts.units[0]!.span))
