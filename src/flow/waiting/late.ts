// Waits for an event that begin when what brings it about is already under way.

import type { Call, Span, Unit } from '../../facts/facts.ts'
import { around, closureOf, has, valuesIn } from '../../facts/query.ts'
import { isInside } from '../threads/background.ts'
import { lastBefore, rootOf } from './pages.ts'

/** A wait for the next event of a thing. */
export interface EventWait {
  /** The call that waits, and where it stands. */
  readonly call: Call
  readonly emitter: string
  readonly event: string
}

/** Events that a method of the same thing brings about, sooner or later. */
const BROUGHT_BY: Readonly<Record<string, RegExp>> = {
  emit: /./,
  listen: /^listening$/,
  connect: /^(connect|ready)$/,
  close: /^close$/,
  end: /^(close|end|finish)$/,
  destroy: /^close$/,
  kill: /^(exit|close)$/,
  terminate: /^(exit|close)$/,
  disconnect: /^disconnect$/,
}

/**
 * What goes on by itself once it is made, and the events that it comes to. A child keeps its messages until somebody listens, a stream its
 * data.
 */
const BORN_WITH: readonly (readonly [RegExp, RegExp])[] = [
  [/^child_process\.(spawn|fork|exec|execFile)$|^cross-spawn$/, /^(exit|close|spawn)$/],
  [/(^|\.)Worker\.new$/, /^(online|exit|message)$/],
  [/^(net\.(connect|createConnection)|tls\.connect)$/, /^(connect|ready|secureConnect)$/],
  [/(^|\.)WebSocket\.new$/, /^open$/],
]

/** `once(child, 'exit')`, and `await new Promise(done => child.on('exit', done))`. */
export function* eventWaits(unit: Unit): Generator<EventWait> {
  for (const call of unit.calls) {
    const isOnce = call.effects.some(e => e.kind === 'wait-event' && e.what === 'emitter')
    if (!isOnce && !/[.](on|once)$/.test(call.name)) continue
    const [emitter, event] = isOnce ? call.args : [call.receiver, call.args[0]]
    if (emitter?.is !== 'name' || event?.is !== 'literal' || typeof event.value !== 'string') continue
    const wait = isOnce ? call : promiseAround(unit, call)
    if (wait && (isOnce || actsNotIn(unit, wait))) yield { call: wait, emitter: emitter.path, event: event.value }
  }
}

function promiseAround(unit: Unit, { in: at }: Call): Call | undefined {
  for (const r of around(unit, at)) {
    if (r.kind !== 'closure') continue
    const call = r.call === undefined ? undefined : unit.calls[r.call]
    return call?.name === 'Promise.new' && call.result === 'awaited' ? call : undefined
  }
  return undefined
}

/** `new Promise(done => { child.on('exit', done); child.kill() })`: what sets it off may stand right there. */
const actsNotIn = (unit: Unit, promise: Call): boolean => {
  const region = closureOf(unit, promise)
  return !unit.calls.some(c =>
    c.in === region && !/[.](on|once|addListener)$|^(setTimeout|resolve|reject|done|res|rej)\b|^[?]\.(toString|push)$/.test(c.name)
  )
}

/** What has set the event off before the wait, where it can have come in the meantime. Until the first await nothing else runs. */
export function setOff(unit: Unit, wait: EventWait, textOf: (span: Span) => string): Call | undefined {
  const { call: at, emitter, event } = wait
  const isBetween = (from: Span, span: Span) => span.start >= from.end && span.end <= at.span.start
  const isAwaited = (from: Span) =>
    unit.calls.some(c => isBetween(from, c.span) && c.result === 'awaited') || unit.awaits?.some(a => isBetween(from, a.span)) === true
  const cause = lastBefore(unit, at, c =>
    c.result !== 'awaited' && c.in === at.in && rootOf(c.receiver, unit) === emitter
    && BROUGHT_BY[/[^.:]*$/.exec(c.name)![0]]?.test(event) === true)
  if (cause && isEmit(cause)) return cause.args[0]?.is === 'literal' && cause.args[0].value === event ? cause : undefined
  if (cause) return isAwaited(cause.span) ? cause : undefined
  // Who keeps the promise may set it off before it awaits it.
  if (at.result !== 'awaited') return undefined
  const made = unit.writes.findLast(w => w.target === emitter && w.span.end <= at.span.start)?.value
  const origin = made?.is === 'call' ? unit.calls[made.call]! : undefined
  if (!origin || !BORN_WITH.some(([maker, events]) => maker.test(origin.name) && events.test(event))
    || lastBefore(unit, at, c => c === origin) === undefined) return undefined
  // Who asks whether it has come already, or listens from the beginning, knows.
  if (/\.(exitCode|signalCode|killed|readyState|connecting)\b/.test(textOf({ start: origin.span.end, end: at.span.end }))) return undefined
  const listens = ({ name, args: [to], receiver }: Call): boolean =>
    /[.](on|once)$/.test(name) && to?.is === 'literal' && to.value === event && rootOf(receiver, unit) === emitter
  if (unit.calls.some(c => c.span.end <= at.span.start && listens(c))) return undefined
  const touch = lastBefore(unit, at,
    c => c.span.start >= origin.span.end && !/[.](on|once|addListener|setEncoding|ref|unref)$/.test(c.name) && mentions(unit, c, emitter))
  return isAwaited(touch && touch.result !== 'awaited' ? touch.span : origin.span) ? origin : undefined
}

export const isEmit = (call: Call): boolean => /emit$/.test(call.name)

const mentions = (unit: Unit, call: Call, path: string): boolean =>
  [...(call.receiver ? [call.receiver] : []), ...call.args].flatMap(v => [...valuesIn(v, unit)]).some(v =>
    v.is === 'name' && (v.path === path || v.path.startsWith(`${path}.`))
  )

export interface Late {
  readonly at: Call
  readonly cause: Call
}

const LISTENS = /[.](add\w*Listener|set\w*Listener|register\w*Listener|subscribe)$/
const LASTS = /future|promise|stage|deferred|single|mono|flux|observable|flowable|task|process/i
const STARTS = /[.](start|run|connect|open|launch|begin)([A-Z]\w*)?$/

/**
 * `engine.startAsync(); engine.addListener(s -> started.countDown()); started.await(…)`: between listening and waiting nothing is done that
 * could bring the event about.
 */
export function* lateListeners(unit: Unit): Generator<Late> {
  for (const at of unit.calls) {
    const path = LISTENS.test(at.name) && at.receiver?.is === 'name' && at.result === 'discarded' ? at.receiver.path : undefined
    const region = path === undefined ? -1 : closureOf(unit, at)
    if (path === undefined || region < 0) continue
    // A future tells those who come late, too.
    const born = LASTS.test(at.name) || LASTS.test(path)
      ? undefined
      : unit.writes.findLast(w => w.target === path && w.declares && w.span.end <= at.span.start)?.value
    const cause = lastBefore(unit, at, c => c.receiver?.is === 'name' && c.receiver.path === path)
      ?? (born?.is === 'call' ? unit.calls[born.call] : undefined)
    const next = unit.calls.find(c => c.span.start >= at.span.end && c.in === at.in)
    const told = unit.calls.filter(c => isInside(unit, c.in, region) && /[.](countDown|release|complete|set|offer|put)$/.test(c.name)).map(
      c => rootOf(c.receiver, unit),
    )
    if (cause && cause.in === at.in && STARTS.test(cause.name) && next && has(next, 'sync', 'sync-timed')
      && told.includes(rootOf(next.receiver, unit))) yield { at, cause }
  }
}

const SIGNALS = /^(syscall\.Kill|golang\.org\/x\/sys\/unix\.Kill)$|(^|[.])Process\.Signal$|^[?]\.Signal$/

/** A goroutine sends a signal, or a task of another thread a message, before anybody has asked to be told. */
export function* lateSubscribers(unit: Unit): Generator<Late> {
  for (const at of unit.calls) {
    const signal = at.name === 'os/signal.Notify'
    if (!signal && at.name !== 'tokio::sync::broadcast::Sender::subscribe') continue
    const cause = lastBefore(unit, at, c => has(c, 'spawn') && c.in === at.in)
    if (!cause) continue
    const own = unit.calls.filter(c => isInside(unit, c.in, closureOf(unit, cause)))
    if (own.some(c => has(c, 'sleep', 'sync', 'sync-timed'))) continue
    if (signal
      ? closureOf(unit, cause) >= 0 && own.some(c => SIGNALS.test(c.name))
      : cause.result === 'discarded' && isReadNext(unit, at, cause)) yield { at, cause }
  }
}

/** With one thread, a task does not run before somebody awaits. */
const isReadNext = (unit: Unit, at: Call, cause: Call): boolean =>
  (unit.markers.some(m => /multi_thread/.test(m.key ?? ''))
    || unit.calls.some(c => c.result === 'awaited' && c.span.start > cause.span.end && c.span.end < at.span.start))
  && /broadcast::Receiver::recv$/.test(unit.calls.find(c => c.span.start >= at.span.end)?.name ?? '')
