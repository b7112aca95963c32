// Puts the catalog's effects on a file's calls.

import type { Call, Parsed, Span, Unit } from '../facts/facts.ts'
import { foldingOf, milliseconds, type Folding } from '../facts/fold.ts'
import { optionOf } from '../facts/query.ts'
import type { CatalogRow, Effect } from './frontend.ts'
import { isByName, isPause } from './pauses.ts'

export type Catalog = ReadonlyMap<string, readonly CatalogRow[]>

const UNITS = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000, m: 60_000 } as const

export function indexCatalog(rows: readonly CatalogRow[]): Catalog {
  const index = new Map<string, CatalogRow[]>()
  for (const row of rows)
    for (const name of typeof row.name === 'string' ? [row.name] : row.name)
      index.has(name) ? index.get(name)!.push(row) : index.set(name, [row])
  return index
}

/** Fills in `effects` of every call and returns what folds. */
export function annotate(parsed: Parsed, catalog: Catalog, durations: Readonly<Record<string, number>>): Folding {
  const folding = foldingOf(parsed.units, durations)
  for (const list of [parsed.imports, parsed.comments, parsed.problems])
    for (const item of list) (item as { span: Span }).span = plain(item.span)
  const own = new Set(parsed.units.filter(u => u.role.is === 'helper').map(u => u.name))
  for (const unit of parsed.units) {
    placePlainly(unit)
    // A function of the file that is called like a catalogued one is not it: a stub of `date`, a helper `sleep`.
    for (const call of unit.calls)
      call.effects = call.resolution === 'local' && own.has(call.name)
        ? []
        : effectsOf(call, unit, catalog, folding, own)
  }
  return folding
}

/** A parser may give a syntax node for a span; what is kept is the span alone, so that facts hold no tree. */
const plain = ({ start, end }: Span): Span => ({ start, end })

function placePlainly(unit: Unit): void {
  const put = (of: { span: Span; nameSpan?: Span }): void => {
    of.span = plain(of.span)
    if (of.nameSpan) of.nameSpan = plain(of.nameSpan)
  }
  put(unit as { span: Span; nameSpan: Span })
  for (const list of [unit.calls, unit.writes, unit.assertions, unit.regions, unit.swallows, unit.skips, unit.markers, unit.awaits ?? [],
    unit.inert ?? []]) for (const item of list) put(item as { span: Span })
}

function effectsOf(call: Call, unit: Unit, catalog: Catalog, folding: Folding, own: ReadonlySet<string>): Effect[] {
  const effects: Effect[] = []
  for (const row of rowsOf(call, catalog, own)) {
    const count = call.args.length + Object.keys(call.named).length
    if (row.args !== undefined && !(typeof row.args === 'number' ? row.args === count : row.args.includes(count))) continue
    if (isByName(row) && !isPause(row, call, unit, folding)) continue
    if (row.with && hasOption(call, row.with.replace(/^!/, ''), unit, folding) === row.with.startsWith('!')) continue
    effects.push(effectOf(row, call, unit, folding))
  }
  return effects
}

/** Given by name, or in options that are kept in a constant: `const options = { port: 8080 }`. */
const hasOption = (call: Call, key: string, unit: Unit, folding: Folding): boolean => {
  const last = call.args.at(-1)
  return key in call.named || (last?.is === 'name' && folding.constants(unit).has(`${last.path}.${key}`))
}

function* rowsOf(call: Call, catalog: Catalog, own: ReadonlySet<string>): Generator<CatalogRow> {
  const { rows, last, named } = rowsFor(call.name, catalog)
  yield* rows
  if (named.length > 0 && !(call.resolution === 'local' && own.has(last))) {
    const isFunction = (call.resolution === 'import' || call.resolution === 'guess') && !call.name.startsWith('?')
    for (const row of named) if (isFunction || isByName(row)) yield row
  }
  // A row for `*` speaks of any call that has a certain named argument: `timeout=0.1`.
  if (Object.keys(call.named).length > 0) yield* catalog.get('*') ?? []
}

interface Named {
  readonly rows: readonly CatalogRow[]
  readonly last: string
  /**
   * Where no row fits the whole name, those for its last word: `…sleep` is a function of that name from anywhere; a method may belong to a
   * fake clock.
   */
  readonly named: readonly CatalogRow[]
}

/** The same names are called again and again. */
const remembered = new WeakMap<Catalog, Map<string, Named>>()

function rowsFor(name: string, catalog: Catalog): Named {
  const known = remembered.get(catalog) ?? remembered.set(catalog, new Map()).get(catalog)!
  const found = known.get(name)
  if (found) return found
  const rows = rowsOfName(name, catalog), last = /\w*$/.exec(name)![0]
  const made = { rows, last, named: rows.length === 0 ? catalog.get(`…${/\w+\.new$/.exec(name)?.[0] ?? last}`) ?? [] : [] }
  known.set(name, made)
  return made
}

function rowsOfName(name: string, catalog: Catalog): readonly CatalogRow[] {
  const exact = catalog.get(name)
  if (exact) return exact
  for (let at = name.length; (at = Math.max(name.lastIndexOf('.', at - 1), name.lastIndexOf('::', at - 1))) > 0;) {
    const separator = name[at] === ':' ? '::' : '.'
    const rows = catalog.get(`${name.slice(0, at)}${separator}*`)
    if (rows) return rows
  }
  return []
}

/** `timeout=(0.1, 0.5)`: one to connect, one to read; the longer one is the limit. */
const ofEach = (
  ms: readonly (number | undefined)[],
): number | undefined => ms.length === 2 && ms.every(m => m !== undefined) ? Math.max(...ms as number[]) : undefined

function effectOf(row: CatalogRow, call: Call, unit: Unit, folding: Folding): Effect {
  const at = (place: number | string) =>
    typeof place === 'string' ? optionOf(call, place) : place === -1 ? call.receiver ?? undefined : call.args[place]
  let ms: number | undefined, unitMs: number | undefined
  if (row.ms) {
    // A unit that is given and not understood may be any.
    const told = row.ms.unitArg === undefined ? undefined : call.args[row.ms.unitArg]
    unitMs = row.ms.unitArg === undefined ? UNITS[row.ms.unit ?? 'ms'] : told === undefined ? 1 : milliseconds(told, unit, folding, 1)
    const given = at(row.ms.arg)
    ms = unitMs === undefined
      ? undefined
      : milliseconds(given, unit, folding, unitMs) ?? (row.ms.arg === 'timeout' && given?.is === 'group'
        ? ofEach(given.of.map(v => milliseconds(v, unit, folding, unitMs!)))
        : undefined)
  }
  return {
    kind: row.effect,
    ...(ms !== undefined && { ms }),
    ...(unitMs !== undefined && { unitMs }),
    ...((row.arg ?? row.ms?.arg) !== undefined && { arg: row.arg ?? row.ms!.arg }),
    ...(row.what !== undefined && { what: row.what }),
    ...(row.note !== undefined && { note: row.note }),
  }
}
