// Constants, folded: literals, constants of the file, arithmetic on them, and durations in whatever spelling a
// language has. A sleep hides as easily in `GRACE_MS` or `5 * time.Second` as in a number.

import type { Call, Unit, Value } from './facts.ts'

export type Constant = string | number | boolean

export interface Folding {
  /** Named constants of the file, by path. */
  readonly constants: ReadonlyMap<string, Folded>
  /** Milliseconds a name is worth (`time.Second`) or a constructor's unit (`Duration::from_secs`). */
  readonly durations: Readonly<Record<string, number>>
}

/** A duration that is known to be in milliseconds already. */
export interface Milliseconds {
  readonly ms: number
}

export type Folded = Constant | Milliseconds

const isDuration = (v: Folded | undefined): v is Milliseconds => typeof v === 'object'
const same = (a: Folded | undefined, b: Folded | undefined): boolean => a === b || (isDuration(a) && isDuration(b) && a.ms === b.ms)

export function fold(value: Value | undefined, calls: readonly Call[], { constants, durations }: Folding, depth = 0): Folded | undefined {
  if (!value || depth > 12) return undefined
  const inner = (v: Value | undefined) => fold(v, calls, { constants, durations }, depth + 1)
  switch (value.is) {
    case 'literal':
      return value.value ?? undefined
    case 'name': {
      const worth = durations[value.path]
      return worth !== undefined ? { ms: worth } : constants.get(value.path)
    }
    case 'call': {
      const call = calls[value.call]
      if (!call) return undefined
      const worth = durations[call.name]
      if (worth === undefined) return undefined
      const unit = inner(call.args[1])
      // `Duration.ofSeconds(5).toMillis()` is what it is called on.
      const amount = inner(call.args[0]) ?? inner(Object.values(call.named)[0]) ?? (call.args.length === 0 ? inner(call.receiver ?? undefined) : undefined)
      if (typeof amount !== 'number') return isDuration(amount) ? amount : undefined
      return { ms: amount * (isDuration(unit) ? unit.ms : worth) }
    }
    case 'text': {
      const parts = value.parts.map(inner)
      return parts.every(p => p !== undefined && !isDuration(p)) ? parts.join('') : undefined
    }
    case 'group':
      return value.of.length === 1 ? inner(value.of[0]) : undefined
    case 'op':
      return arithmetic(value.op, value.of.map(inner))
    case 'unknown':
      return undefined
  }
}

function arithmetic(op: string, of: readonly (Folded | undefined)[]): Folded | undefined {
  const [a, b] = of
  if (a === undefined) return undefined
  if (of.length === 1) return op === '-' && typeof a === 'number' ? -a : op === '+' ? a : undefined
  if (b === undefined || of.length !== 2) return undefined
  if (typeof a === 'string' || typeof b === 'string')
    return op === '+' && !isDuration(a) && !isDuration(b) ? `${a}${b}` : undefined
  const x = isDuration(a) ? a.ms : a, y = isDuration(b) ? b.ms : b
  if (typeof x !== 'number' || typeof y !== 'number') return undefined
  // Go's durations are counts of nanoseconds and multiply as such: time.Duration(5) * time.Millisecond.
  if (op === '*' && isDuration(a) && isDuration(b)) return { ms: Math.round(x * y * 1e12) / 1e6 }
  const n = op === '+' ? x + y : op === '-' ? x - y : op === '*' ? x * y : op === '/' && y !== 0 ? x / y : op === '**' ? x ** y : undefined
  if (n === undefined) return undefined
  // A duration divided by a duration is a plain number again.
  return (isDuration(a) || isDuration(b)) && !(op === '/' && isDuration(a) && isDuration(b)) ? { ms: n } : n
}

/** Constants that a file declares once and never changes: module level, class level and locals bound to one literal. */
export function constantsOf(units: readonly Unit[], durations: Readonly<Record<string, number>>): Map<string, Folded> {
  const constants = new Map<string, Folded>()
  const torn = new Set<string>()
  const writes = units.flatMap(u => u.writes.map(w => ({ w, calls: u.calls, top: u.role.is === 'module' || u.role.is === 'suite' })))
  for (const { w, calls, top } of writes) {
    if (torn.has(w.target)) continue
    if (w.adds || constants.has(w.target)) {
      const again = fold(w.value, calls, { constants, durations })
      if (!w.adds && same(again, constants.get(w.target))) continue
      constants.delete(w.target)
      torn.add(w.target)
      continue
    }
    const folded = fold(w.value, calls, { constants, durations })
    if (folded === undefined) {
      if (top || !w.declares) torn.add(w.target)
    } else constants.set(w.target, folded)
  }
  return constants
}

/** Milliseconds in a value, where a bare number counts in `unitMs`. */
export function milliseconds(value: Value | undefined, calls: readonly Call[], folding: Folding, unitMs: number): number | undefined {
  const folded = fold(value, calls, folding)
  if (isDuration(folded)) return folded.ms
  const n = typeof folded === 'string' ? Number(folded) : folded
  return typeof n === 'number' && Number.isFinite(n) ? n * unitMs : undefined
}
