// What a test asks at once about work that it has only just started: a counter that the work raises, a list that it fills, the handle
// of the work itself, a queue that it is given. Nothing between the two waits.

import type { Assertion, Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { closureOf, effectOf, has, polls, runsIn, valuesIn } from '../../facts/query.ts'
import { callsOf, isInside, isListener, keptIn, startedIn, startOf, type Work } from '../threads/background.ts'
import { waits } from './started.ts'

type File = Pick<FileFacts, 'units' | 'kind' | 'language'>

export interface Asked {
  readonly at: Assertion
  readonly start: Call
  readonly what: string
}

/** Methods that change what they are called on, in any of the languages. */
const CHANGES =
  /(^|[.:])(add\w*|append|push\w*|put\w*|set|offer\w*|insert\w*|store|swap|increment\w*|decrement\w*|incr|getAnd\w+|\w+AndGet|fetch_(add|sub|or|and)|compare\w+|send|try_send|extend|update|accept|record\w*|Add\w*|Store\w*|Inc\w*|Append|CompareAndSwap|Write\w*|write\w*)$/
/** Questions to a handle: is it over by now? */
const OVER =
  /(^|[.:])(isDone|isCompletedNormally|isSuccess|getNow|resultNow|done|ready|successful|is_finished|exitValue|poll|is_set|isTerminated)$/
/** Looks into a queue or channel that take what is there, and do not wait. */
const TAKES = /(^|[.:])(try_recv|try_next|get_nowait|qsize|empty|poll|peek|size|isEmpty|len|remainingCapacity|try_iter)$/
/** What is put into a queue or channel is there at once, and whoever takes it out has done nothing with it yet. */
const GIVES = /(Sender|Queue|Channel|Deque)(::|\.)(send|try_send|put|put_nowait|offer\w*|add\w*)$/i
/** Executors that do their work right where they are asked. */
const DIRECT = /direct|same|(?<![aA])[sS]ync|immediate|inline|determin|fake|mock|stub|caller/i
/** What may stand between without waiting. */
const QUICK =
  /(^|[.:])(start|lock|unlock|Lock|Unlock|RLock|RUnlock|clone|unwrap|expect|get\w*|is[A-Z]\w*|is_\w+|size|len|Len|Load\w*|load|String|Count|count|println|print|format|valueOf|of|asList|as_str|to_string|to_vec|int\w*|float\w*|list|sorted|str|set)$/

export function* askedAtOnce(file: File, unit: Unit): Generator<Asked> {
  const told = new Set<Assertion>()
  for (const work of startedIn(file, unit)) {
    const { call } = work
    if (isListener(call) || call.result === 'awaited' || runsIn(unit, call.in) !== 'inline' || TURNS.test(call.name)
      || isDirect(file, unit, call) || isChained(unit, call) || effectOf(call, 'spawn')?.ms === 0) continue
    const at = nextAssertion(unit, call, work)
    if (!at || told.has(at) || !isAtOnce(file, unit, call, at, work)) continue
    const asksMock = unit.calls.some(c => isOf(c, at) && has(c, 'observe') && /verify$/.test(c.name))
    const what = [...subjects(unit, at)].find(name => (asksMock
      ? callsOf(work).some(c => c.receiver?.is === 'name' && c.receiver.path === name)
      : touched(unit, at, work, name))
    )
    if (what !== undefined) told.add(at), yield { at, start: call, what }
  }
  for (const call of unit.calls) {
    if (!has(call, 'spawn') || isListener(call) || runsIn(unit, call.in) !== 'inline' || TURNS.test(call.name) || isDirect(file, unit, call)
      || isChained(unit, call)) continue
    const at = nextAssertion(unit, call)
    if (!at || told.has(at) || !isAtOnce(file, unit, call, at)) continue
    const what = asksHandle(unit, at, keptIn(unit, call)) ?? asksQueue(unit, at, call) ?? asksFilled(unit, at, call)
    if (what !== undefined) told.add(at), yield { at, start: call, what }
  }
}

/** By its name, or by what made it: one that must do something with what it refuses may do it right here. */
const isDirect = ({ units }: File, unit: Unit, { receiver }: Call): boolean => {
  const made = (u: Unit, value: Value) =>
    [...valuesIn(value, u)].some(v =>
      v.is === 'call'
      && (DIRECT.test(u.calls[v.call]!.name) || /Sequential|Decorator|Wrapp|ForwardingE|Polic(y|ies)/.test(u.calls[v.call]!.name))
    )
  if (receiver?.is !== 'name') return receiver !== null && made(unit, receiver)
  return DIRECT.test(receiver.path.split('.').at(-1)!)
    || units.some(u => u.writes.some(w => w.target === receiver.path && made(u, w.value)))
}

/** A task of the test's own event loop does nothing until the test awaits something: what is asked before that is the same every time. */
const TURNS = /(^|\.)(create_task|ensure_future|call_soon|call_later)$/

/** Something is asked of it in the same breath: `submit(…).get()`. */
const isChained = (unit: Unit, call: Call): boolean =>
  unit.calls.some(c => c.receiver?.is === 'call' && unit.calls[c.receiver.call] === call && !/[.:]start$/.test(c.name))

const nextAssertion = (unit: Unit, call: Call, work?: Work): Assertion | undefined => {
  const next = unit.assertions.find(a =>
    a.span.start >= call.span.end && !(work && work.body === unit && isInside(unit, a.in, work.region))
  )
  return next && next.claims === 'presence' && next.compare !== 'throws' && next.in === call.in && !/^[<>]/.test(next.compare)
      && !polls(unit, next.in) && runsIn(unit, next.in) === 'inline' && startOf(unit, next.in) === startOf(unit, call.in)
    ? next
    : undefined
}

/** Nothing between the start and the question waits, or could. */
function isAtOnce(file: File, unit: Unit, call: Call, at: Assertion, work?: Work): boolean {
  const between = unit.calls.filter(c =>
    c.span.start >= call.span.end && c.span.end <= at.span.end && !(work && work.body === unit && isInside(unit, c.in, work.region))
  )
  if (unit.awaits?.some(a => a.span.start >= call.span.end && a.span.end <= at.span.end)) return false
  return between.every(c =>
    has(c, 'log') || isOf(c, at) || GIVES.test(c.name) || (QUICK.test(c.name) && !waits(file, c)) || (has(c, 'spawn') && !isListener(c))
  )
    && !between.some(c =>
      isOf(c, at)
      && (has(c, 'sync', 'sync-timed', 'wait-until', 'sleep') || c.result === 'awaited'
        || /(?<!no_?)wait|eventually|until|within/i.test(c.name))
    )
}

const isOf = (c: Call, { span }: Assertion): boolean => c.span.start >= span.start && c.span.end <= span.end

/** What the assertion is about: a variable, or what is asked of one. What is only told to somebody else is not looked at. */
function* subjects(unit: Unit, { operands }: Assertion): Generator<string> {
  for (const operand of operands) for (const path of askedOf(unit, operand)) if (!/^e?rr\d*$/i.test(path)) yield path
}

function* askedOf(unit: Unit, value: Value, depth = 0): Generator<string> {
  if (depth > 8) return
  if (value.is === 'name') {
    yield value.path
    // A reading that is kept first: `got := n.Load()`.
    const kept = unit.writes.find(w => w.target === value.path && w.declares)?.value
    if (kept?.is === 'call' && unit.calls[kept.call]!.receiver) yield* askedOf(unit, unit.calls[kept.call]!.receiver!, depth + 4)
  }
  if (value.is === 'op' || (value.is === 'group' && value.of.length === 1)) { for (const v of value.of) yield* askedOf(unit, v, depth + 1) }
  if (value.is !== 'call') return
  const { name, receiver, args } = unit.calls[value.call]!
  const of = receiver
    ?? (/^(sync\/)?atomic\.|(^|[.:])(len|list|sorted|set|tuple|dict|sum|str|verify|assertThat)$/.test(name) ? args[0] : undefined)
  if (of) yield* askedOf(unit, of, depth + 1)
}

const READS =
  /(^|[.:])(get\w+|get|size|len\w*|Len|[lL]oad\w*|is[A-Z_]\w*|[cC]ount\w*|sum|contains\w*|value|String|lock|keys|values|first|last|peek\w*)$/

const rootOf = (path: string): string => path.replace(/^&/, '')

/** The work changes it: writes it, or calls a method on it that changes things. */
function touched(unit: Unit, at: Assertion, work: Work, name: string): boolean {
  const { body, region } = work
  const path = rootOf(name)
  // What takes something out may wait until it is there.
  if (unit.calls.some(c => isOf(c, at) && c.receiver?.is === 'name' && c.receiver.path === name && !READS.test(c.name))) return false
  if (body.writes.some(w => w.declares && w.target === path && isInside(body, w.in, region))) return false
  if (body.writes.some(w => !w.declares && rootOf(w.target).replace(/\[.*$/, '') === path && isInside(body, w.in, region))) return true
  const clones = [path, ...aliases(work.body, path)]
  return callsOf(work).some(c =>
    CHANGES.test(c.name)
    && [c.receiver, ...c.args.slice(0, 1)].some(v =>
      v && [...valuesIn(v, body)].some(x => x.is === 'name' && clones.includes(rootOf(x.path)))
    )
  )
}

/** `let m = n.clone()`, `Arc::clone(&n)`: the same thing by another name. */
const aliases = (unit: Unit, path: string): string[] =>
  unit.writes.flatMap(w => {
    if (w.value.is === 'name' && w.declares && w.value.path === path) return [w.target]
    const made = w.value.is === 'call' ? unit.calls[w.value.call]! : undefined
    const of = made && /(^|[.:])clone$/.test(made.name) ? made.receiver ?? made.args[0] : undefined
    return of && [...valuesIn(of, unit)].some(v => v.is === 'name' && rootOf(v.path) === path) ? [w.target] : []
  })

function asksHandle(unit: Unit, { operands }: Assertion, handle: string | undefined): string | undefined {
  if (handle === undefined) return undefined
  const asks = operands.flatMap(o => [...valuesIn(o, unit)]).some(v =>
    v.is === 'call' && OVER.test(unit.calls[v.call]!.name) && unit.calls[v.call]!.receiver?.is === 'name'
    && (unit.calls[v.call]!.receiver as { path: string }).path === handle
  )
  return asks ? handle : undefined
}

/** Something empty that the work was given to fill, whole or by a method that fills it: `args=(orders, out.append)`. */
function asksFilled(unit: Unit, at: Assertion, start: Call): string | undefined {
  const given = [...start.args, ...Object.values(start.named)].flatMap(v => [...valuesIn(v, unit)]).flatMap(
    v => (v.is === 'name' ? [v.path] : []),
  )
  const asked = new Set(subjects(unit, at))
  const isEmpty = (name: string) =>
    unit.writes.some(w =>
      w.declares && w.target === name && w.value.is === 'group' && w.value.of.length === 0 && w.span.end <= start.span.start
    )
  return given.map(path => (CHANGES.test(path) ? path.replace(/(\.|::)\w+$/, '') : path)).find(name => asked.has(name) && isEmpty(name))
}

/** A queue, channel or event that the work was given. */
function asksQueue(unit: Unit, { operands }: Assertion, start: Call): string | undefined {
  const closure = closureOf(unit, start)
  const given = [...start.args, ...Object.values(start.named)].flatMap(v => [...valuesIn(v, unit)]).flatMap(
    v => (v.is === 'name' ? [v.path, v.path.split('.')[0]!] : []),
  )
  for (const v of operands.flatMap(o => [...valuesIn(o, unit)])) {
    // A stand-in that the thread itself calls.
    if (v.is === 'name' && start.named['target']?.is === 'name' && start.named['target'].path === v.path) return v.path
    const call = v.is === 'call' ? unit.calls[v.call]! : undefined
    const of = call && (TAKES.test(call.name) || OVER.test(call.name)) ? call.receiver ?? call.args[0] : undefined
    if (of?.is !== 'name') continue
    if (given.includes(of.path)) return of.path
    const pair = unit.writes.find(w => w.target === of.path)
    const other = pair && unit.writes.filter(w => w !== pair && w.span.start === pair.span.start).map(w => w.target)
    if (other?.some(o =>
      unit.calls.some(c =>
        closure > 0 && isInside(unit, c.in, closure) && /(^|[.:])send$/.test(c.name) && c.receiver?.is === 'name' && c.receiver.path === o
      )
    )) return of.path
  }
  return undefined
}
