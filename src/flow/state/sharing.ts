// What tests of one file share beyond their own variables.

import type { FileFacts, Unit, Value, Write } from '../../facts/facts.ts'
import { ancestors, valuesIn } from '../../facts/query.ts'

/** Writes to a variable that the unit has not made itself: it belongs to the function, suite or module around it. */
export function outerWrites(unit: Unit): Write[] {
  const own = new Set([...unit.params, ...unit.writes.filter(w => w.declares).map(w => w.target)])
  return unit.writes.filter(w => !w.declares && /^[A-Za-z_]\w*$/.test(w.target) && !own.has(w.target))
}

/** Every value that stands anywhere in a unit. */
function* valuesOf(unit: Unit): Generator<Value> {
  for (const a of unit.assertions) for (const o of a.operands) yield* valuesIn(o, unit)
  for (const w of unit.writes) yield* valuesIn(w.value, unit)
  for (const c of unit.calls) for (const v of [c.receiver, ...c.args, ...Object.values(c.named)]) if (v) yield* valuesIn(v, unit)
  for (const v of unit.returns) yield* valuesIn(v, unit)
}

/** Whether a unit uses a variable of the outside by this name. */
export function mentions(unit: Unit, name: string): boolean {
  if (unit.params.includes(name) || unit.writes.some(w => w.declares && w.target === name)) return false
  if (unit.writes.some(w => w.target === name)) return true
  for (const v of valuesOf(unit)) if (v.is === 'name' && v.path.split(/[.[]/)[0] === name) return true
  return false
}

/** The function, suite or module that an outer variable belongs to. */
const ownerOf = (file: Pick<FileFacts, 'units'>, unit: Unit, name: string): Unit | undefined =>
  ancestors(file, unit).find(a => a.writes.some(w => w.declares && w.target === name)) ?? ancestors(file, unit).at(-1)

/** Whether a test runs beside others that see the variable: something between it and the variable's owner says so. */
export function runsBeside(file: Pick<FileFacts, 'units'>, unit: Unit, name: string): boolean {
  const owner = ownerOf(file, unit, name)
  const chain = [unit, ...ancestors(file, unit)]
  const below = owner ? chain.slice(0, chain.indexOf(owner)) : chain
  return below.some(u => u.markers.some(m => m.is === 'parallel'))
}

/** The tests that see the same outer variable: all of the file, or those inside the function that declares it. */
export function sharersOf(file: Pick<FileFacts, 'units'>, unit: Unit, name: string): Unit[] {
  const owner = ownerOf(file, unit, name)
  return file.units.filter(u =>
    u.id !== unit.id && u.role.is === 'test' && (owner === undefined || ancestors(file, u).includes(owner)) && mentions(u, name)
  )
}

/** A test that a loop makes many of. */
export function isMadeInLoop(file: Pick<FileFacts, 'units'>, unit: Unit): boolean {
  const outer = unit.parent === null ? undefined : file.units[unit.parent]
  return outer?.regions.some(r => r.kind === 'loop' && r.span.start <= unit.span.start && r.span.end >= unit.span.end) ?? false
}

/**
 * Among whom a parallel test runs: the number of the test around the outermost that asked for it, since tests that did not ask wait
 * until those inside of them are over; -1 for all tests of the package.
 */
export function crowdOf(file: Pick<FileFacts, 'units'>, unit: Unit): number {
  const chain = [unit, ...ancestors(file, unit)]
  const outermost = chain.findLastIndex(u => u.markers.some(m => m.is === 'parallel'))
  return chain.slice(outermost + 1).find(u => u.role.is === 'test')?.id ?? -1
}
