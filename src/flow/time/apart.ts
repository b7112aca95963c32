// How far two moments lie apart that the code under test has noted, each for itself: when two orders began, when they were
// written down. No clock is read in sight, and the difference is a measured time all the same.

import type { Assertion, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { has, valuesIn } from '../../facts/query.ts'
import { snake, type Flows } from '../flow.ts'
import { movesClock } from './measures.ts'

type View = { readonly flows: Flows; readonly folding: Folding }

/** What the difference counts once it is a number, in milliseconds. */
const COUNTS: Readonly<Record<string, number>> = { Seconds: 1000, Milliseconds: 1, Microseconds: 1e-3, total_seconds: 1000, toMillis: 1,
  toSeconds: 1000, getSeconds: 1000, as_millis: 1, as_secs: 1000, as_secs_f64: 1000, num_milliseconds: 1, num_seconds: 1000 }
/** The same time without its sign, or as another type. */
const SAME = /(^|[.:])(abs|Abs|time\.Duration|float64|int64|int|float|unsigned_abs|unwrap)$/
const BETWEEN = /[.:](Sub|duration_since|signed_duration_since|between)$/
/** What is to come, or what the test wants it to be, was reckoned and not read; what is now is read by the test itself. */
const RECKONED =
  /expir|deadline|due|until|valid|next|not_(before|after)|want|expect|(^|[._])exp($|_)|schedul|plan|(^|[._])eta$|ttl|lease|target|(^|[._])now$/i
const MAKES =
  /^(time\.(Date|Unix\w*|Parse\w*)|datetime\.(datetime|date)(\.(strptime|fromisoformat|fromtimestamp|combine))?|java\.time\.\w+\.(of|parse)\w*)$/

/** What the test reads itself is told where it is read. */
const CLOCKS: ReadonlySet<string> = new Set(['clock', 'mono', 'elapsed'])

interface Apart {
  readonly parts: readonly Value[]
  /** What a bare number beside it counts. */
  readonly each?: number
}

/** The bound, in milliseconds, that an assertion sets from above to how far two noted moments lie apart. */
export function apartAtMost({ compare, operands, span }: Assertion, unit: Unit, { flows, folding }: View): number | undefined {
  const side = /^<=?$/.test(compare) ? 0 : /^>=?$/.test(compare) ? 1 : -1
  const apart = side === -1 || !operands[side] ? undefined : differenceIn(operands[side], unit, span.start)
  const told = apart && fold(operands[1 - side], unit, folding)
  const bound = typeof told === 'object' ? told.ms : typeof told === 'number' && apart?.each !== undefined ? told * apart.each : undefined
  if (!apart || bound === undefined || bound <= 0 || movesClock(unit)) return undefined
  const isNoted = (v: Value) =>
    !flows.ingredients(unit, v, span.start).origins.some(o => CLOCKS.has(o.kind)) && fold(v, unit, folding) === undefined
    && !isFixed(v, unit, span.start) && !RECKONED.test(nameOf(v, unit))
  return apart.parts.every(isNoted) && areOfOneKind(apart.parts, unit, span.start) ? bound : undefined
}

/**
 * Moments of two things that came in the same way, or the end and the beginning of one. What was stored and what comes back are one moment,
 * however close they must be.
 */
function areOfOneKind([a, b]: readonly Value[], unit: Unit, at: number): boolean {
  const [left, right] = [sourceOf(a!, unit, at), sourceOf(b!, unit, at)]
  if (left === undefined || left !== right) return false
  const names = [nameOf(a!, unit), nameOf(b!, unit)].map(n => n.replace(/^.*\./, ''))
  return (/^(call|list) /.test(left) && rootOf(a!, unit) !== rootOf(b!, unit))
    || (names.some(n => ENDS.test(n)) && names.some(n => BEGINS.test(n)))
}
const ENDS = /(^|_)(end|finish|complet|stop|done|clos|last)/, BEGINS = /(^|_)(start|begin|began|begun|creat|open|queu|first)/

/** Where the thing that holds a moment came from: a list, a call, or a name that nothing is seen behind. */
function sourceOf(value: Value, unit: Unit, at: number, depth = 0): string | undefined {
  if (depth > 8) return undefined
  const inner = (v: Value | null | undefined) => (v ? sourceOf(v, unit, at, depth + 1) : undefined)
  if (value.is === 'group') return value.of.length === 1 ? inner(value.of[0]) : undefined
  if (value.is === 'op') return value.op === '[]' && value.of[0]?.is === 'name' ? `list ${value.of[0].path}` : undefined
  if (value.is === 'name') {
    const root = value.path.split('.')[0]!, made = unit.writes.findLast(w => w.target === root && w.span.end <= at && !w.adds)
    return made ? inner(made.value) : /^(self|this|cls|[A-Z_\d]+)$/.test(root) || root === '…' ? undefined : `name ${root}`
  }
  const call = value.is === 'call' ? unit.calls[value.call]! : undefined
  if (!call) return undefined
  if (call.receiver && ((call.args.length === 0 && ASKS.test(call.name)) || ROUNDS.test(call.name))) return inner(call.receiver)
  return `call ${call.receiver?.is === 'name' ? call.receiver.path : ''} ${call.name}`
}
/** What asks a thing for one of its moments, or changes how that looks. */
const ASKS = /[.:](get[A-Z_]\w*|\w*([tT]ime|_at|At|[sS]tamp)|UTC|Local|AsTime|unwrap)$/

const ROUNDS = /[.:](Round|Truncate|In|truncatedTo|replace|astimezone|with_timezone)$/

/** By which name, or which place of a list, the thing goes. */
const rootOf = (value: Value, unit: Unit): string => {
  const call = value.is === 'call' ? unit.calls[value.call]! : undefined
  if (call?.receiver && call.args.length === 0) return rootOf(call.receiver, unit)
  if (value.is === 'group' && value.of.length === 1) return rootOf(value.of[0]!, unit)
  if (value.is === 'op') return JSON.stringify(value)
  return value.is === 'name' ? value.path.split('.')[0]! : call ? `${call.span.start}` : ''
}

const behind = (value: Value, unit: Unit, at: number): Value =>
  value.is === 'name' ? unit.writes.findLast(w => w.target === value.path && w.span.end <= at && !w.adds)?.value ?? value : value

/** `b.Sub(a)`, `abs(b - a)`, `(b - a).total_seconds()`, `Duration.between(a, b).toMillis()`, kept under a name or not. */
function differenceIn(value: Value, unit: Unit, at: number, each?: number, depth = 0): Apart | undefined {
  const made = behind(value, unit, at)
  if (depth > 6) return undefined
  const inner = (v: Value | null | undefined, counts = each) => v ? differenceIn(v, unit, at, counts, depth + 1) : undefined
  if (made.is === 'group') return made.of.length === 1 ? inner(made.of[0]) : undefined
  const counted = each === undefined ? {} : { each }
  if (made.is === 'op') return made.op === '-' && made.of.length === 2 ? { parts: made.of, ...counted } : undefined
  const call = made.is === 'call' ? unit.calls[made.call]! : undefined
  if (!call) return undefined
  const counts = COUNTS[/\w+$/.exec(call.name)?.[0] ?? '']
  if (counts !== undefined && call.args.length === 0) return inner(call.receiver, counts)
  if (SAME.test(call.name)) return inner(call.args[0] ?? call.receiver)
  if (!BETWEEN.test(call.name) || has(call, 'elapsed')) return undefined
  const parts = call.args.length === 2 ? call.args : call.receiver && call.args.length === 1 ? [call.receiver, call.args[0]!] : []
  return parts.length === 2 ? { parts, ...counted } : undefined
}

/** A date that stands in the test is no moment of the run. */
function isFixed(value: Value, unit: Unit, at: number, depth = 0): boolean {
  const made = behind(value, unit, at)
  if (made.is === 'literal') return true
  const call = made.is === 'call' ? unit.calls[made.call] : undefined
  return (call !== undefined && MAKES.test(call.name))
    || (depth < 3 && [...valuesIn(made, unit)].some(v => v !== value && v.is !== 'literal' && isFixed(v, unit, at, depth + 1)))
}

/** The name of what is noted, in small letters with underscores. */
function nameOf(value: Value, unit: Unit): string {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  if (call) return snake(`${call.receiver ? nameOf(call.receiver, unit) : ''}.${/\w+$/.exec(call.name)?.[0] ?? ''}`)
  return value.is === 'name'
    ? snake(value.path)
    : value.is === 'op' && value.op === '[]'
    ? value.of.map(v => nameOf(v, unit)).join('.')
    : ''
}
