// What is said to be done before it is: the signal comes first, and whoever waits for it may look in between.

import type { Call, FileFacts, Span, Unit, Write } from '../../facts/facts.ts'
import { around, has, valuesIn, within } from '../../facts/query.ts'
import { isOf } from './listeners.ts'

/** Somebody else has to do with what is set after the signal. */
function isLookedAt(units: readonly Unit[], unit: Unit, { receiver, in: at }: Call): boolean {
  if (receiver?.is !== 'name' || unit.regions[at]!.kind === 'closure' || within(unit, at, 'closure')) return true
  const name = receiver.path.replace(/^this\./, '')
  const asks = (u: Unit) =>
    [...u.calls.flatMap(c => [...c.args, ...(c.receiver ? [c.receiver] : [])]), ...u.assertions.flatMap(a => a.operands), ...u.returns]
      .some(v => [...valuesIn(v, u)].some(n => n.is === 'name' && (n.path === name || n.path.endsWith(`.${name}`))))
  return units.some(u => u !== unit && asks(u))
}

export interface Early {
  readonly unit: Unit
  readonly signal: Call
  readonly then: { readonly span: Span }
}

/** Signals by which work says that it has begun, or by which it lets others go on. */
const BEGINS =
  /about|start|ready|begin|enter|reach|arriv|block|running|before|proceed|resum|release|go$|init|inside|invoked|called|waiting/i
const SETS =
  /(^|[.:])(add(All|First|Last)?|put(All)?|set|offer|push|append|incrementAndGet|getAndIncrement|addAndGet|compareAndSet|merge|computeIfAbsent)$|^super\.\w+$/

/** `latch.countDown(); received.add(message)` in a callback: who waits for the latch looks before it is there. */
export function* earlySignals({ units }: FileFacts): Generator<Early> {
  for (const unit of units)
    for (const signal of unit.calls) {
      const latch = signal.receiver?.is === 'name' ? signal.receiver.path : ''
      if (!/CountDownLatch\.countDown$/.test(signal.name) || BEGINS.test(latch)
        || !(within(unit, signal.in, 'closure') || unit.role.is === 'helper') || within(unit, signal.in, 'finally')) continue
      // Of several in a row, the last one.
      if (unit.calls.some(c => c.in === signal.in && c.name === signal.name && c.span.start > signal.span.end)) continue
      const later = unit.calls.filter(c => c.in === signal.in && c.span.start > signal.span.end)
      const then = later.find(c => SETS.test(c.name) && !/ThreadLocal|AtomicBoolean/.test(c.name))
      if (!then || later.some(c => has(c, 'sync', 'sync-timed', 'sleep') || /await|acquire|join|wait/i.test(c.name))) continue
      if (!isLookedAt(units, unit, then)) continue
      if (units.some(u => u.calls.some(c => /CountDownLatch\.await$/.test(c.name) && isOf(c, latch)))) yield { unit, signal, then }
    }
}

/** The name that a call says «done» by, and those that wait for it. */
const SAYS: readonly { readonly done: RegExp; readonly waits: RegExp }[] = [
  { done: /^sync\.WaitGroup\.Done$/, waits: /^sync\.WaitGroup\.Wait$/ },
  { done: /^close$/, waits: /^<-$/ },
  { done: /CountDownLatch\.countDown$/, waits: /CountDownLatch\.await$/ },
]

const about = ({ receiver, args }: Call): string | undefined =>
  receiver?.is === 'name' ? receiver.path : args[0]?.is === 'name' ? args[0].path : undefined

/** `func() { wg.Done(); called = true }` and `wg.Wait(); assert(called)`: the test goes on while the work is still to be written down. */
export function* writtenLate(unit: Unit): Generator<Early> {
  for (const signal of unit.calls) {
    const pair = SAYS.find(s => s.done.test(signal.name))
    if (!pair) continue
    const name = about(signal), work = [...around(unit, signal.in)].find(r => r.kind === 'closure')
    // What is deferred is said at the end, wherever it stands.
    if (!name || !work || BEGINS.test(name) || within(unit, signal.in, 'finally')) continue
    const wait = unit.calls.find(c => pair.waits.test(c.name) && about(c) === name && !isIn(c.span, work.span))
    const then = wait
      && unit.writes.find(w =>
        isAfter(unit, signal, w) && !isBarrier(unit, signal, w, pair.waits) && isAskedAfter(unit, w, wait.span.end, work.span)
      )
    if (then) yield { unit, signal, then }
  }
}

const isIn = (inner: Span, outer: Span): boolean => outer.start <= inner.start && inner.end <= outer.end

/** In the same block or below it: a signal that ends its branch is followed by nothing. */
const isAfter = (unit: Unit, { span, in: block }: Call, write: Write): boolean =>
  write.span.start > span.end && [...around(unit, write.in)].includes(unit.regions[block]!)

/** Who waits between the signal and the write has only said that it came so far. */
const isBarrier = (unit: Unit, { span: { end } }: Call, { span: { start } }: Write, waits: RegExp): boolean =>
  unit.calls.some(c => c.span.start > end && c.span.end <= start && (has(c, 'sync', 'wait-until') || waits.test(c.name)))

/** A variable from outside of the work, which an assertion looks at once the wait is over. */
function isAskedAfter(unit: Unit, { target, declares }: Write, end: number, work: Span): boolean {
  const name = target.split(/[.[]/)[0]!
  return !declares && !unit.writes.some(w => w.declares && w.target === name && isIn(w.span, work))
    && unit.assertions.some(a =>
      a.span.start > end && a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'name' && v.path.split(/[.[]/)[0] === name))
    )
}
