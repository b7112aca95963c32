// Constants, folded: literals, constants of the file, arithmetic on them, and durations in whatever spelling a
// language has. A sleep hides as easily in `GRACE_MS` or `5 * time.Second` as in a number.

import type { Call, Unit, Value } from './facts.ts'

export type Constant = string | number | boolean

export interface Folding {
  /** Named constants as a unit sees them, by path: the file's, hidden by its own. */
  readonly constants: (unit: Unit) => ReadonlyMap<string, Folded>
  /**
   * Milliseconds a name is worth (`time.Second`) or a constructor's unit (`Duration::from_secs`); under `timeout=` what a
   * bare number counts that is given as a time limit.
   */
  readonly durations: Readonly<Record<string, number>>
}

/** A duration that is known to be in milliseconds already. */
export interface Milliseconds {
  readonly ms: number
}

export type Folded = Constant | Milliseconds

/** `self.LIMIT`, `this.limit`: a constant of the class goes by its bare name. */
const ofClass = (path: string): string => path.replace(/^(self|cls|this|Self::)\.?(?=\w+$)/, '')

const isDuration = (v: Folded | undefined): v is Milliseconds => typeof v === 'object'
const same = (a: Folded | undefined, b: Folded | undefined): boolean => a === b || (isDuration(a) && isDuration(b) && a.ms === b.ms)

export const fold = (value: Value | undefined, unit: Unit, folding: Folding): Folded | undefined =>
  foldWith(value, unit.calls, folding.constants(unit), folding.durations)

function foldWith(
  value: Value | undefined,
  calls: readonly Call[],
  constants: ReadonlyMap<string, Folded>,
  durations: Folding['durations'],
  depth = 0,
): Folded | undefined {
  if (!value || depth > 12) return undefined
  const inner = (v: Value | undefined) => foldWith(v, calls, constants, durations, depth + 1)
  switch (value.is) {
    case 'literal':
      return value.value ?? undefined
    case 'name': {
      const worth = Object.hasOwn(durations, value.path) ? durations[value.path] : undefined
      return worth !== undefined ? { ms: worth } : constants.get(value.path) ?? constants.get(ofClass(value.path))
    }
    case 'call': {
      const call = calls[value.call]
      if (!call) return undefined
      const worth = Object.hasOwn(durations, call.name) ? durations[call.name] : undefined
      if (worth === undefined) return CASTS.test(call.name) && call.args.length === 1 ? counted(inner(call.args[0])) : undefined
      const unit = inner(call.args[1])
      // `Duration.ofSeconds(5).toMillis()` is what it is called on.
      const amount = inner(call.args[0]) ?? inner(Object.values(call.named)[0])
        ?? (call.args.length === 0 ? inner(call.receiver ?? undefined) : undefined)
      if (typeof amount !== 'number') return isDuration(amount) ? amount : undefined
      // `Duration::new(0, 50_000_000)` counts seconds first, and then nanoseconds.
      if (typeof unit === 'number' && call.name.endsWith('::new')) return { ms: amount * worth + unit / 1e6 }
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

/** `Number(1000)`, `float(2)`. */
const CASTS = /^(Number|float)$/
const counted = (
  v: Folded | undefined,
): number | undefined => typeof v === 'number' ? v : typeof v === 'string' && /^\d+(\.\d+)?$/.test(v) ? Number(v) : undefined

function arithmetic(op: string, of: readonly (Folded | undefined)[]): Folded | undefined {
  const [a, b] = of
  if (a === undefined) return undefined
  if (of.length === 1)
    return op === '-' && typeof a === 'number'
      ? -a
      : op === '-' && isDuration(a)
      ? { ms: -a.ms }
      : op === '+'
      ? a
      : undefined
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

/**
 * Constants that are bound once and never changed: those of the module and its classes, and in each function its own
 * and those of the functions around it.
 */
export function foldingOf(units: readonly Unit[], durations: Folding['durations']): Folding {
  const isTop = (u: Unit) => u.role.is === 'module' || u.role.is === 'suite'
  const changed = new Set(units.filter(u => !isTop(u)).flatMap(u => u.writes.filter(w => !w.declares).map(w => w.target)))
  const top = new Map<string, Folded>()
  for (const unit of units.filter(isTop)) bind(unit, top, durations)
  for (const name of changed) top.delete(name), top.delete(ofClass(name))
  const known = new Map<number, ReadonlyMap<string, Folded>>()
  const constants = (unit: Unit): ReadonlyMap<string, Folded> => {
    const seen = known.get(unit.id)
    if (seen) return seen
    const outer = unit.parent === null ? undefined : units[unit.parent]
    const around = outer && !isTop(outer) ? constants(outer) : top
    const own = isTop(unit) || (unit.writes.length === 0 && unit.params.length === 0)
      ? around
      : bind(unit, withoutParams(unit, around), durations)
    known.set(unit.id, own)
    return own
  }
  return { constants, durations }
}

/** A parameter hides what the file calls by its name. */
function withoutParams(unit: Unit, around: ReadonlyMap<string, Folded>): Map<string, Folded> {
  const inner = new Map(around)
  for (const param of unit.params) inner.delete(param)
  return inner
}

/** Adds what a unit binds once; what it binds twice, or to something we cannot fold, is no constant in it. */
function bind(unit: Unit, constants: Map<string, Folded>, durations: Folding['durations']): Map<string, Folded> {
  const bound = new Set<string>()
  for (const write of unit.writes) {
    const folded = foldWith(write.value, unit.calls, constants, durations)
    const again = bound.has(write.target) && !same(folded, constants.get(write.target))
    bound.add(write.target)
    if (write.adds || again || folded === undefined) constants.delete(write.target)
    else constants.set(write.target, folded)
  }
  return constants
}

/** Milliseconds in a value, where a bare number counts in `unitMs`. */
export function milliseconds(value: Value | undefined, unit: Unit, folding: Folding, unitMs: number): number | undefined {
  const folded = fold(value, unit, folding)
  if (isDuration(folded)) return folded.ms
  const n = typeof folded === 'string' ? Number(folded) : folded
  return typeof n === 'number' && Number.isFinite(n) ? n * unitMs : undefined
}
