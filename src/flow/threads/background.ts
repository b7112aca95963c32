// Work that a test starts and that goes on beside it: which piece of code it is, and whether the test waits for it.

import type { Call, FileFacts, Region, Span, Unit, Value } from '../../facts/facts.ts'
import { around, has, valuesIn, within } from '../../facts/query.ts'

type File = Pick<FileFacts, 'units' | 'kind'>

/** A closure, or a function of the file, that a call runs in another thread, task or timer. */
export interface Work {
  readonly call: Call
  /** The unit in which it stands: the one that starts it, or the named function that is handed over. */
  readonly body: Unit
  /** The region of `body` that is run; 0 for all of it. */
  readonly region: number
}

/** Everything a unit starts, in order. */
export function* startedIn(file: File, unit: Unit): Generator<Work> {
  for (const [region, r] of unit.regions.entries())
    if (r.kind === 'closure' && r.call !== undefined && has(unit.calls[r.call]!, 'spawn'))
      yield { call: unit.calls[r.call]!, body: unit, region }
  for (const call of unit.calls) {
    if (!has(call, 'spawn') || (call.resolution === 'guess' && !isOfPool(unit, call))) continue
    for (const value of [...call.args, ...Object.values(call.named)]) {
      const body = value.is === 'name' ? handedOver(file, unit, value.path) : undefined
      if (body) yield { call, body, region: 0 }
    }
  }
}

/** `with ThreadPoolExecutor() as pool: pool.submit(check)`. */
const isOfPool = (unit: Unit, { receiver }: Call): boolean =>
  receiver?.is === 'name'
  && unit.writes.some(w =>
    w.target === receiver.path && [...valuesIn(w.value, unit)].some(v => v.is === 'call' && /PoolExecutor$/.test(unit.calls[v.call]!.name))
  )

/** A function inside the unit, by its name. */
export const handedOver = (file: File, unit: Unit, name: string): Unit | undefined =>
  file.units.find(u => u.role.is === 'helper' && u.name === name && u.parent === unit.id)

export const isInside = (unit: Unit, region: number, outer: number): boolean => {
  for (let at = region;; at = unit.regions[at]!.in) {
    if (at === outer) return true
    if (at === 0) return false
  }
}

/** The calls of a piece of work that are its own: not those of work that it starts in turn. */
export const callsOf = (work: Work): Call[] =>
  work.body.calls.filter(c =>
    isInside(work.body, c.in, work.region) && startOf(work.body, c.in) === (work.region === 0 ? undefined : work.region)
    && !isLeftForLater(work.body, c.in)
  )

/** `t.Cleanup(func() { require.NoError(t, err) })`: the test itself runs it when it is over. */
export const isLeftForLater = (unit: Unit, region: number): boolean =>
  [...around(unit, region)].some(r => r.kind === 'closure' && r.call !== undefined && /\.Cleanup$/.test(unit.calls[r.call]!.name))

/** The innermost started closure around a place. */
export function startOf(unit: Unit, region: number): number | undefined {
  for (let at = region; at !== 0; at = unit.regions[at]!.in) if (isStarted(unit, unit.regions[at]!)) return at
  return undefined
}

/** A listener may be called right here, by who triggers it. */
export const isListener = (call: Call): boolean => call.effects.some(e => e.kind === 'spawn' && e.note === 'listener')

const isStarted = (unit: Unit, r: Region): boolean =>
  r.kind === 'background' || (r.kind === 'closure' && r.call !== undefined && has(unit.calls[r.call]!, 'spawn'))

const WAITS =
  /(^|[.:_])(wait|join|stop|shutdown|shutdownNow|close|cancel|terminate|kill|result|gather|abort|sync|drain|tearDown|cleanup|interrupt|awaitTermination|waitpid|communicate)(_?(all|for|until|group|gracefully|sync|done|and)\w*)?$/i
/** A group that waits for its members when it ends. */
const SCOPES =
  /(^|[.:])(scope|TaskGroup|ThreadPoolExecutor|ProcessPoolExecutor|Pool|open_nursery|create_task_group|JoinSet)(\.new|::new)?$|(^|\.)Executors\.new\w+$/

const TURNS =
  /^(set(Timeout|Interval|Immediate)|process\.nextTick|queueMicrotask|request\w+)$|^\?\.(call_later|call_soon|call_at|add_callback|callLater|add_timeout)$/

const isWait = (call: Call): boolean => has(call, 'sync', 'sync-timed', 'closes')

/** Whether the unit waits, after the work was started, for something that could be its end. */
export function isWaitedFor(file: File, unit: Unit, work: Work, textOf: (span: Span) => string): boolean {
  const { call } = work
  if (call.result === 'awaited' || call.result === 'returned') return true
  if ([...around(unit, call.in)].some(r =>
    r.call !== undefined && r.call !== unit.calls.indexOf(call)
    && (SCOPES.test(unit.calls[r.call]!.name) || unit.calls[r.call]!.name === 'Promise.new' || unit.calls[r.call]!.result === 'awaited')
  )) return true
  const later = unit.calls.filter(c =>
    (work.body !== unit || !isInside(unit, c.in, work.region))
    && (c.span.start > call.span.end || isAskedOf(c, unit, call) || within(unit, c.in, 'finally', 'closure'))
    && startOf(unit, c.in) === startOf(unit, call.in)
  )
  if (later.some(c => isWait(c) || (c.target !== undefined && file.units[c.target]!.calls.some(isWait)))) return true
  const waits = later.filter(c => AWAITS.test(c.name))
  if (waits.length > 0 && handlesOf(unit, work).some(h => waits.some(c => mentions(unit, c, h)))) return true
  // What an event loop runs later runs while the test awaits something else.
  if (TURNS.test(call.name) && later.some(c => c.result === 'awaited' || c.result === 'returned')) return true
  const keeper = keptIn(unit, call)
  if (keeper === undefined) return false
  if (later.some(c => mentions(unit, c, keeper) && (WAITS.test(c.name) || has(c, 'restore')))) return true
  // A plain `await task` is no call; what is handed on may be waited for there.
  return isAwaited(keeper, textOf({ start: call.span.end, end: unit.span.end }))
}

const AWAITS = /(await|wait|eventually|returns?(Before|Within)|receive)/i

/** What the work tells that it is done, at its end and not in a loop: a channel it sends on, or something of the test's that it calls. */
function handlesOf(unit: Unit, { body, region }: Work): string[] {
  if (body !== unit) return []
  const begin = unit.regions[region]!.span.start
  const isStep = ({ in: at }: { readonly in: number }) =>
    isInside(unit, at, region) && ![...around(unit, at)].some(r => r.kind === 'loop' && r.span.start >= begin)
  return [
    ...unit.calls.filter(c => isStep(c) && c.result === 'discarded').flatMap(c => (c.receiver?.is === 'name' ? [c.receiver.path] : [])),
    ...unit.writes.filter(w => isStep(w) && w.target.endsWith('<-')).map(w => w.target.slice(0, -2)),
  ].filter(name => unit.writes.some(w => w.declares && w.target === name && !isInside(unit, w.in, region)))
}

/** `spawn(…).join()`. */
const isAskedOf = (later: Call, unit: Unit, call: Call): boolean =>
  later.receiver?.is === 'call' && unit.calls[later.receiver.call] === call

function isAwaited(name: string, after: string): boolean {
  const word = name.replace(/[^\w.]/g, '').replaceAll('.', '\\.')
  return word !== ''
    && new RegExp(`\\bawait\\b[^;\\n]*\\b${word}\\b|\\b${word}(?:\\.await\\b|\\s*[,)\\]])|\\b(?:return|yield|in)\\s+&?(?:mut )?${word}\\b`)
      .test(after)
}

/** The variable in which a call's result is kept. */
export function keptIn(unit: Unit, call: Call): string | undefined {
  const index = unit.calls.indexOf(call)
  const kept = unit.writes.find(w =>
    w.span.start <= call.span.start && w.span.end >= call.span.end
    && [...valuesIn(w.value, unit)].some(v => v.is === 'call' && v.call === index)
  )
  return kept && !/^_/.test(kept.target) ? kept.target : undefined
}

export const names = (unit: Unit, value: Value, path: string): boolean =>
  [...valuesIn(value, unit)].some(v =>
    v.is === 'name' && (v.path === path || v.path.startsWith(`${path}.`) || v.path.startsWith(`${path}[`))
  )

const mentions = (unit: Unit, call: Call, path: string): boolean =>
  (call.receiver !== null && names(unit, call.receiver, path))
  || [...call.args, ...Object.values(call.named)].some(v => names(unit, v, path))

/** `select { case <-ready: default: t.Fatal(…) }` with nothing before it that waits: the other side may not have come so far. */
export function* glancesAtChannels(unit: Unit): Generator<{ readonly call: Call; readonly channel: string; readonly beside: boolean }> {
  for (const call of unit.calls) {
    const channel = call.name === '<- or default' && call.args[0]?.is === 'name' ? call.args[0].path : undefined
    if (!channel || hasLimit(unit, call.in) || [...around(unit, call.in)].some(r => r.kind === 'loop' || r.kind === 'closure')) continue
    if (!unit.assertions.some(a => a.in === call.in && a.claims === 'presence' && a.compare === 'other')) continue
    const made = unit.writes.findLast(w => w.target === channel && w.span.end < call.span.start)?.span.end
    if (made === undefined || unit.calls.some(c => c.span.start > made && c.span.end < call.span.start && mayWait(unit, c, channel)))
      continue
    yield { call, channel, beside: unit.calls.some(c => c.span.end < call.span.start && (has(c, 'start') || BESIDE.test(c.name))) }
  }
}

const hasLimit = (unit: Unit, select: number): boolean => unit.calls.some(c => c.name === 'select time.After' && c.in === select)

/** The limit of a select with a default: that one goes on at once. */
export const isNeverWaitedFor = (unit: Unit, call: Call): boolean =>
  call.name === 'select time.After' && unit.calls.some(c => c.name === '<- or default' && c.in === call.in)

/** `select { case <-ready: … case <-time.After(limit): t.Error(…) default: }`: the last is always ready, so nobody waits for the others. */
export function* vainLimits(unit: Unit, textOf: (span: Span) => string): Generator<Span> {
  for (const call of unit.calls) {
    const select = isNeverWaitedFor(unit, call) ? unit.regions[call.in]!.span : undefined
    const fallback = select && /\n\s*(default:)/d.exec(textOf(select))?.indices?.[1]
    if (fallback) yield { start: select.start + fallback[0], end: select.start + fallback[1] }
  }
}

/** Something goes on beside the test. What a plain call sends into a buffer or closes is there when it comes back. */
const BESIDE = /(^|\.)(Yield|Gosched|Start\w*|Serve\w*|Listen\w*|Dial\w*|Connect\w*)$/

/**
 * By what it does or by its own name, whatever its package is called; a call that is given the channel may look at it until something is
 * there.
 */
function mayWait(unit: Unit, call: Call, channel: string): boolean {
  // Beside a goroutine of its own a test often looks whether one has failed by now: what is there then is no promise.
  if (call.name === 'go') return true
  // What is done at the end keeps nobody here, and a channel that is closed is told, not waited for.
  if (within(unit, call.in, 'finally') || call.name === 'close') return false
  const own = call.name.slice(call.name.lastIndexOf('/') + 1).replace(/^sync\./, '')
  if (isWait(call) || has(call, 'wait-until', 'sleep') || /wait|join|sync|flush|drain|close|stop/i.test(own)) return true
  return !/^\w+[.\w]*$/.test(call.name) && call.args.some(a => a.is === 'name' && a.path === channel)
}
