import type { Call, Unit } from '../../facts/facts.ts'
import { has, runsIn, valuesIn, within } from '../../facts/query.ts'

/** So long a list of threads, or one that only its name tells, is given to end at all; what they did is done by then. */
const PATIENT_MS = 5000
export const isPatient = (unit: Unit, { name, resolution, in: at }: Call, ms = 0): boolean =>
  ms >= PATIENT_MS && /[.]Thread\.join$/.test(name) && (resolution === 'guess' || within(unit, at, 'loop'))

/** What is waited for: `thread` of `thread.join(5)` and of `Threads.join(thread, 5)`. */
function subjectOf({ receiver, args }: Call): string | undefined {
  const on = receiver?.is === 'name' && !/(^|\.)[A-Z][a-z]\w*$/.test(receiver.path) ? receiver : args[0]
  return on?.is === 'name' ? on.path : undefined
}

/** The test has waited for the same thing without a limit before: it is over. */
export const isOver = (unit: Unit, call: Call): boolean =>
  unit.calls.some(c =>
    c.span.end < call.span.start && has(c, 'sync') && subjectOf(c) === subjectOf(call) && subjectOf(c) !== undefined
    && runsIn(unit, c.in) === 'inline'
  )

/** Before it asserts, the test waits for something else that cannot be ignored: it rarely gets there too early. */
export function waitsAgain(unit: Unit, call: Call): boolean {
  const next = unit.assertions.find(a => a.span.start > call.span.end)
  return next !== undefined
    && unit.calls.some(c =>
      c.span.start > call.span.end && c.span.end <= next.span.end
      && (has(c, 'sync', 'wait-until') || (has(c, 'sync-timed') && c.result === 'used'))
    )
}

/** `thread.join(5)` tells nothing; asking the same thread `is_alive()` afterwards does. */
export function asksLater(unit: Unit, call: Call, question: string | undefined): boolean {
  const waited = subjectOf(call)
  if (question === undefined || waited === undefined) return false
  const asks = new RegExp(`(^|[.:])(${question}|isAlive|is_alive|exitcode|is_finished|getState)$`)
  const later = [...unit.calls].filter(c =>
    c.span.start > call.span.end && c.receiver?.is === 'name' && c.receiver.path === waited && asks.test(c.name)
  )
  return later.length > 0
    || unit.assertions.some(a =>
      a.span.start > call.span.end && a.operands.some(o => o.is === 'name' && o.path.startsWith(`${waited}.`) && asks.test(o.path))
    )
}

/** `cond.wait_for(lambda: shop.stock is not None, 2)`: what it waits for is asked again. Or what came is kept, in the other case of a select. */
const isAwaited = (path: string, unit: Unit, call: Call): boolean =>
  call.args.some(a => a.is === 'group' && [...valuesIn(a, unit)].some(v => v.is === 'name' && v.path === path))
  || (unit.regions[call.in]!.kind === 'select'
    && unit.writes.some(w => w.target === path && w.in === call.in && w.span.start <= call.span.end))

/** `let (_, told) = c.wait_timeout(…)`: what it gives is kept, and asserted. */
export const isKept = (unit: Unit, call: Call): boolean =>
  unit.writes.some(w =>
    [...valuesIn(w.value, unit)].some(v => v.is === 'call' && unit.calls[v.call] === call)
    && unit.assertions.some(a =>
      a.span.start > call.span.end && a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'name' && v.path === w.target))
    )
  )

/** `select { case <-time.After(d): case <-errs: }`: it lets something run for a while, and hopes that no error comes. */
export const isRun = (unit: Unit, call: Call): boolean => {
  const others = unit.calls.filter(c => c.in === call.in && c.name === '<-' && unit.regions[call.in]!.kind === 'select')
  return others.length > 0 && others.every(c => c.args[0]?.is === 'name' && /err(or)?s?(_?(ch(an(nel)?)?|c))?$/i.test(c.args[0].path))
}

/** What the next statement asserts: the state of what was awaited, something, or nothing. */
export function asksNext(unit: Unit, call: Call): 'same' | 'something' | undefined {
  const next = unit.assertions.find(a => a.span.start > call.span.end)
  if (!next || next.claims === 'absence' || unit.calls.some(c => c.span.start > call.span.end && c.span.end < next.span.start))
    return undefined
  const asks = next.operands.flatMap(o => [...valuesIn(o, unit)]).some(v =>
    (v.is === 'name' && isAwaited(v.path, unit, call))
    || /(^|[.:])(is_set|isSet|is_alive|isAlive|isDone|is_done|done|getCount|get_count|isTerminated|isCompleted|count)$/.test(
      v.is === 'call' ? unit.calls[v.call]!.name : v.is === 'name' ? v.path : '',
    )
  )
  return asks ? 'same' : 'something'
}
