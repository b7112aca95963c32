// Java: plain fields, arrays and collections that threads of a test change with nothing between them.

import type { Call, FileFacts, Span, Unit } from '../../facts/facts.ts'
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
  for (let at = region; at !== 0; at = unit.regions[at]!.in) if (isParallel(unit, at)) return at
  return undefined
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

/** Started in a loop, with a variable from outside of it. */
function isRepeated(unit: Unit, work: number, name: string): boolean {
  const born = unit.writes.find(w => w.declares && w.target === name)
  return [...around(unit, unit.regions[work]!.in)].some(r =>
    r.kind === 'loop' && !(born && born.span.start >= r.span.start && born.span.end <= r.span.end)
  )
}

const isLocked = (unit: Unit, work: number, { textOf }: View): boolean =>
  /\bsynchronized\b|\.lock\(\)/.test(textOf(unit.regions[work]!.span))
  || unit.calls.some(c => has(c, 'serialise') && isInside(unit, c.in, work))

const isVolatile = (name: string, { facts, textOf }: View): boolean =>
  new RegExp(`\\bvolatile\\b[^;=\\n]*\\b${name.replace(/^this\./, '')}\\b`).test(textOf(facts.units[0]!.span))
