// Variables and fields that two threads touch with nothing between them.

import type { FileFacts, Span, Unit, Value, Write } from '../../facts/facts.ts'
import { around, has, looksLikePoll, valuesIn, within } from '../../facts/query.ts'
import { isInside, startOf } from './background.ts'

export interface Race {
  readonly write: Write
  readonly writer: Unit
  /** Where the other side reads or writes. */
  readonly other: Span
  readonly how: 'many' | 'polled' | 'beside' | 'half-locked' | 'reassigned' | 'counted' | 'counted alone' | 'served' | 'kept' | 'set-back'
    | 'twice'
}

const LOCKS = /(^|[.:])(Lock|RLock|lock|TryLock|acquire|synchronized|Do)$/

const locks = (unit: Unit, region: number): boolean => unit.calls.some(c => LOCKS.test(c.name) && isInside(unit, c.in, region))
const root = (target: string): string => target.split(/[.[]/)[0]!

/** Variables of a unit that a piece of work it starts changes, while the unit looks at them. */
export function* racesIn(unit: Unit, textOf: (span: Span) => string): Generator<Race> {
  for (const write of unit.writes) {
    if (write.declares || write.target === '_' || (write.target.endsWith('[]') && !isMap(unit, root(write.target), textOf))) continue
    const work = startOf(unit, write.in) ?? handlerAround(unit, write.in) ?? calledBack(unit, write.in)
    if (work === undefined) {
      yield* reassigned(unit, write)
      yield* setBack(unit, write)
      continue
    }
    const name = root(write.target)
    // Its own variable, or one that only this turn of the loop has.
    const born = unit.writes.find(w => w.declares && w.target === name)
    if (!born || unit.writes.some(w => w.declares && w.target === name && isInside(unit, w.in, work)) || locks(unit, work)) continue
    const started = unit.calls[unit.regions[work]!.call!]!
    const slept = calledBack(unit, write.in) === work
      && unit.calls.some(c => has(c, 'sleep') && c.in === 0 && c.span.start > started.span.end)
    const spawned = has(started, 'spawn') && !started.effects.some(e => e.note === 'listener')
    const polled = polledAt(unit, write.target.replace(/\[\]$/, ''), work)
    const rival = spawned && !write.adds ? rivalOf(unit, write, work) : undefined
    if (rival) yield { write, writer: unit, other: rival.span, how: 'twice' }
    else if (polled) yield { write, writer: unit, other: polled, how: 'polled' }
    else if (spawned && (write.adds || write.target.endsWith('[]')) && repeated(unit, work, born) && !talks(unit, work))
      yield { write, writer: unit, other: started.nameSpan, how: 'many' }
    else if ((spawned || slept) && !talks(unit, work)) {
      const read = readAfter(unit, write.target.replace(/\[\]$/, ''), started.span.end, work)
      if (read) yield { write, writer: unit, other: read, how: 'beside' }
    } else if (SERVES.test(started.name) && !talks(unit, work) && !/^e?rr\d*$/.test(name)) {
      const read = write.adds ? started.nameSpan : readAfter(unit, write.target.replace(/\[\]$/, ''), started.span.end, work)
      if (read) yield { write, writer: unit, other: read, how: 'served' }
    }
  }
}

/** `go func() { _, err = read() }()` and the same in another goroutine: one `err` for both, whatever tells the test that they are done. */
function rivalOf(unit: Unit, write: Write, work: number): Write | undefined {
  const end = unit.calls[unit.regions[work]!.call!]!.span.end
  // A name that is declared in several functions is several variables.
  const home = (w: Write) =>
    Math.max(-1, ...unit.writes.filter(d => d.declares && d.target === root(w.target) && isInside(unit, w.in, d.in)).map(d => d.in))
  return unit.writes.find(w => {
    const other = w.target === write.target && w !== write && !w.declares ? startOf(unit, w.in) : undefined
    if (other === undefined || other === work || home(w) !== home(write) || isInside(unit, other, work) || isInside(unit, work, other)
      || locks(unit, other) || unit.writes.some(d => d.declares && d.target === root(w.target) && isInside(unit, d.in, other))) return false
    const start = unit.calls[unit.regions[other]!.call!]!.span.start
    return start > end && !unit.assertions.some(a => a.in === 0 && a.span.start > end && a.span.end < start)
      && !unit.calls.some(c =>
        (has(c, 'sync', 'sync-timed', 'wait-until') || looksLikePoll(c)) && c.in === 0 && c.span.start > end && c.span.end < start
      )
  })
}

/** A server calls what it is given in a goroutine of its own, a new one for each connection. */
const SERVES = /(^|[.:])(HandlerFunc|Handle(Func)?|(New|new|Start|start)\w*Server|Register\w*Handler)$/

/** What is called like this is read again and again by whatever goes on in the background. */
const TIMES = /([iI]nterval|[tT]imeout|[dD]elay|[pP]eriod|[dD]uration|[bB]ackoff|TTL|[wW]ait(Time)?|Rate|[fF]requency)\w*$/

/**
 * `pollInterval = time.Millisecond; defer func() { pollInterval = old }()`: a variable of the package that goroutines may read while it is
 * set.
 */
function* setBack(unit: Unit, write: Write): Generator<Race> {
  if (!/^[a-z]\w*$/.test(write.target) || !TIMES.test(write.target) || write.adds || within(unit, write.in, 'closure', 'finally', 'loop')
    || unit.params.includes(write.target) || unit.writes.some(w => w.declares && w.target === write.target)) return
  const back = unit.writes.find(w =>
    w.target === write.target && w !== write
    && (within(unit, w.in, 'finally') || [...around(unit, w.in)].some(r => r.call !== undefined && has(unit.calls[r.call]!, 'restore')))
  )
  if (back) yield { write, writer: unit, other: back.span, how: 'set-back' }
}

/** Entries of a slice are apart from each other; those of a map are not. */
const isMap = (unit: Unit, name: string, textOf: (span: Span) => string): boolean => {
  const born = unit.writes.find(w => w.declares && w.target === name)
  return born !== undefined && /^[^\n]*\bmap\[/.test(textOf({ start: born.span.start, end: born.span.end + 200 }))
}

/** A callback that somebody is given by a name that says when it is called: later. */
function calledBack(unit: Unit, region: number): number | undefined {
  for (let at = region; at !== 0; at = unit.regions[at]!.in) {
    const r = unit.regions[at]!
    const call = r.kind === 'closure' && r.call !== undefined ? unit.calls[r.call]! : undefined
    if (call && !has(call, 'inline', 'wait-until', 'restore', 'stub', 'spawn') && CALLS_BACK.test(call.name)) return at
  }
  return undefined
}

const CALLS_BACK =
  /(^|\.)((New|new|Start|start)\w*Server|Subscribe\w*|On[A-Z]\w*|Handle\w*|Register\w*|Watch\w*|Listen\w*|AddListener|AddHandler|QueueSubscribe|Set\w*(Handler|Callback|CB|Func)|Consume\w*|Notify\w*)$/

/** A handler or stub that a server calls from a thread of its own. */
function handlerAround(unit: Unit, region: number): number | undefined {
  for (let at = region; at !== 0; at = unit.regions[at]!.in) {
    const r = unit.regions[at]!
    const call = r.kind === 'closure' && r.call !== undefined ? unit.calls[r.call]! : undefined
    if (call && !has(call, 'inline', 'wait-until', 'spawn', 'restore') && !looksLikePoll(call) && has(call, 'stub')) return at
  }
  return undefined
}

/** The same code is started more than once: in a loop, with a variable from outside of it. */
const repeated = (unit: Unit, work: number, born: Write): boolean =>
  [...around(unit, unit.regions[work]!.in)].some(r =>
    r.kind === 'loop' && !(born.span.start >= r.span.start && born.span.end <= r.span.end)
  )

/** The work speaks with others through a channel; what it does may be ordered by that. */
const talks = (unit: Unit, work: number): boolean =>
  unit.calls.some(c =>
    isInside(unit, c.in, work) && !within(unit, c.in, 'finally') && has(c, 'sync', 'sync-timed') && c.name !== 'range channel'
  )

const reads = (unit: Unit, value: Value, target: string): boolean =>
  [...valuesIn(value, unit)].some(v => v.is === 'name' && (v.path === target || v.path.startsWith(`${target}.`)))

function polledAt(unit: Unit, target: string, work: number): Span | undefined {
  const poll = unit.calls.find((c, i) =>
    has(c, 'wait-until') && !isInside(unit, c.in, work) && c.args.some(a => reads(unit, a, target))
    && !unit.regions.some((r, at) =>
      r.call === i && (locks(unit, at) || unit.writes.some(w => w.declares && w.target === root(target) && isInside(unit, w.in, at)))
    )
  )
  return poll?.span ?? loopedOver(unit, target, work)
}

/** `for !done { time.Sleep(…) }`: a loop of the test's own that looks at it with no lock. */
function loopedOver(unit: Unit, target: string, work: number): Span | undefined {
  const at = unit.regions.findIndex((r, i) =>
    r.kind === 'loop' && r.condition !== undefined && r.span.start > unit.regions[work]!.span.end && !isInside(unit, i, work)
    && reads(unit, r.condition, target) && !locks(unit, i)
  )
  return at === -1 ? undefined : unit.regions[at]!.span
}

/** Where the unit itself looks at it after the start, before it waits for anything. */
export function readAfter(unit: Unit, target: string, from: number, work: number): Span | undefined {
  const here = (span: Span, region: number) =>
    span.start > from && !isInside(unit, region, work) && !within(unit, region, 'closure', 'finally')
  const asked = unit.assertions.filter(a => here(a.span, a.in) && a.operands.some(o => reads(unit, o, target)))
  const first = asked.map(a => a.span).sort((a, b) => a.start - b.start)[0]
  if (!first) return undefined
  const waits = unit.calls.some(c =>
    c.span.start > from && c.span.start < first.end && !isInside(unit, c.in, work)
    && (has(c, 'sync', 'sync-timed', 'closes') || c.target !== undefined || c.result === 'awaited'
      || /wait|join|stop|close|shutdown|flush|complete|finish|drain|\bLock$/i.test(c.name))
  )
  return waits ? undefined : first
}

/** A channel variable that gets a new channel while the goroutine that got the old one may still close it. */
function* reassigned(unit: Unit, write: Write): Generator<Race> {
  if (within(unit, write.in, 'closure', 'loop')
    || !unit.calls.some(c => c.name === 'make' && c.span.start >= write.span.start && c.span.end <= write.span.end)) return
  const closes = unit.calls.find(c =>
    c.name === 'close' && c.span.end < write.span.start && startOf(unit, c.in) !== undefined && !within(unit, c.in, 'finally')
    && c.args.some(a => a.is === 'name' && a.path === write.target)
  )
  if (!closes || isInside(unit, unit.writes.find(w => w.declares && w.target === write.target)?.in ?? 0, startOf(unit, closes.in)!)) return
  const joined = unit.calls.some(c =>
    c.span.start > closes.span.end && c.span.end < write.span.start && /WaitGroup\.Wait$|Group\.Wait$/.test(c.name)
  )
  if (!joined) yield { write, writer: unit, other: closes.span, how: 'reassigned' }
}

interface Method {
  readonly unit: Unit
  readonly type: string
  readonly self: string
  readonly locked: boolean
}

/** Fields of a file's own types that a method changes without the lock that the type has, or that a test polls. */
export function* fieldRaces(file: Pick<FileFacts, 'units'>): Generator<Race> {
  const methods = file.units.flatMap(methodOf)
  const threaded = file.units.flatMap(u => u.calls).find(c => has(c, 'spawn') && c.resolution !== 'guess')
  for (const method of methods) {
    if (method.locked) continue
    for (const write of method.unit.writes) {
      const field = fieldOf(write.target, method)
      if (field === undefined || within(method.unit, write.in, 'closure')) continue
      const counts = write.adds && write.value.is === 'literal'
      const polled = counts ? polledField(file, field) : undefined
      if (polled) yield { write, writer: method.unit, other: polled, how: 'polled' }
      const siblings = methods.filter(m => m.type === method.type && m.unit !== method.unit)
      const other = siblings.some(m => m.locked) && siblings.find(m => touches(m, field))
      if (!polled && other && !/Locked$|^(New|new|Reset|reset|init)/.test(method.unit.name))
        yield { write, writer: method.unit, other: other.unit.nameSpan, how: 'half-locked' }
      else if (!polled && counts && !siblings.some(m => m.locked)
        && (threaded || (STANDS_IN.test(method.type) && !TAKES_TURNS.test(method.unit.name))))
        yield { write, writer: method.unit, other: threaded?.nameSpan ?? method.unit.nameSpan,
          how: STANDS_IN.test(method.type) && (threaded || BLOCKS.test(method.unit.name)) ? 'counted' : 'counted alone' }
    }
    // A counter of the whole file that stand-ins raise.
    const counter = method.unit.writes.find(w =>
      w.adds && !w.declares && w.value.is === 'literal' && /^\w+$/.test(w.target) && STANDS_IN.test(method.type)
      && file.units[0]!.writes.some(m => m.target === w.target) && !method.unit.writes.some(x => x.declares && x.target === w.target)
      && !method.unit.params.includes(w.target)
    )
    if (counter) yield { write: counter, writer: method.unit, other: method.unit.nameSpan, how: 'counted' }
  }
}

/** Types that stand in for something that the code under test calls, from whatever goroutine it likes. */
const STANDS_IN = /mock|fake|stub|noop|dummy|server$/i
/** What goes on until something happens is given a goroutine of its own. */
const BLOCKS = /^(Wait|Run|Serve|Listen|Watch|Poll)/
/** What one reader calls again and again, one call after the other. */
const TAKES_TURNS = /^(Next|Recv|Read|Scan|Err|Seek|Push|Pop|At)/

function methodOf(unit: Unit): Method[] {
  const type = /^(\w+)\.\w+$/.exec(unit.title)?.[1]
  const self = unit.writes[0]
  if (unit.role.is !== 'helper' || !type || !self?.declares || self.value.is !== 'unknown' || unit.params.includes(self.target)) return []
  return [{ unit, type, self: self.target,
    locked: unit.calls.some(c => LOCKS.test(c.name) && !(c.receiver?.is === 'name' && root(c.receiver.path) !== self.target)) }]
}

const fieldOf = (target: string, { self }: Method): string | undefined =>
  target.startsWith(`${self}.`) && !/[.[]/.test(target.slice(self.length + 1)) ? target.slice(self.length + 1) : undefined

function touches({ unit, self }: Method, field: string): boolean {
  const path = `${self}.${field}`
  const values = [...unit.returns, ...unit.writes.map(w => w.value),
    ...unit.calls.flatMap(c => [...c.args, ...(c.receiver ? [c.receiver] : [])]),
    ...unit.regions.flatMap(r => (r.condition ? [r.condition] : []))]
  return unit.writes.some(w => w.target === path) || values.some(v => reads(unit, v, path))
}

function polledField(file: Pick<FileFacts, 'units'>, field: string): Span | undefined {
  for (const unit of file.units)
    for (const [i, call] of unit.calls.entries())
      if (has(call, 'wait-until') && !unit.regions.some((r, at) => r.call === i && locks(unit, at))
        && call.args.some(a => [...valuesIn(a, unit)].some(v => v.is === 'name' && v.path.endsWith(`.${field}`)))) return call.span
  return undefined
}
