// Types that only the whole file tells: of a field set in `setUp`, of a variable of the module, of what a fixture gives.

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { ancestors } from '../../facts/query.ts'
import type { Draft } from '../build.ts'
import { MAKERS } from './catalog.ts'
import { FIXTURES } from './frameworks.ts'

/** What a stand-in does is not what its namesake does: a MemoryReactor listens on no port. */
export const isStandIn = (type: string): boolean => /(^|\.)_?(Memory|Fake|Mock|Stub|Dummy|MagicMock|AsyncMock)\w*$/.test(type)

/** Names the calls whose receiver's type could not be told while reading. */
export function settleTypes(units: readonly Draft[], annotated: ReadonlyMap<number, ReadonlyMap<string, string>>,
  known: ReadonlySet<string>): void
{
  const classes = new Set(units.filter(u => u.role.is === 'suite').map(u => u.name))
  const methods = new Set(
    units.filter(u => u.parent !== null && units[u.parent]!.role.is === 'suite').map(u => `${units[u.parent!]!.name}.${u.name}`),
  )
  const told = new Map<string, string | undefined>()
  for (const unit of units)
    for (const [i, call] of unit.calls.entries()) {
      if (call.resolution !== 'guess' || call.receiver?.is !== 'name') continue
      const path = call.receiver.path, key = `${unit.id} ${path}`
      if (!told.has(key)) told.set(key, typeFor(path, unit, units, annotated, classes))
      const type = told.get(key)
      if (type === undefined) continue
      const method = call.name.slice(call.name.lastIndexOf('.') + 1), name = `${type}.${method}`
      if (classes.has(type)) {
        if (methods.has(name)) unit.calls[i] = { ...call, name, resolution: 'local' }
      } else if (known.has(name) || !known.has(`?.${method}`) || isStandIn(type)) unit.calls[i] = { ...call, name, resolution: 'type' }
    }
}

function typeFor(path: string, unit: Draft, units: readonly Draft[], annotated: ReadonlyMap<number, ReadonlyMap<string, string>>,
  classes: ReadonlySet<string>): string | undefined
{
  const up = [unit, ...ancestors({ units }, unit) as Draft[]]
  const field = /^(self|cls)\.(\w+)$/.exec(path)
  const suite = up.find(u => u.role.is === 'suite')
  if (field) {
    const line = new Set(suite ? lineOf(suite, units) : [])
    return only(
      units.filter(u => line.has(u) || (u.parent !== null && line.has(units[u.parent]!))).flatMap(u =>
        writtenTypes(u, line.has(u) ? field[2]! : path, classes)
      ),
    )
  }
  for (const at of up) {
    const type = annotated.get(at.id)?.get(path) ?? only(writtenTypes(at, path, classes))
    if (type) return type
    if (at.params.includes(path))
      return only(units.filter(u => u.name === path && isFixture(u)).flatMap(u => u.returns.flatMap(v => typesOf(v, u, classes))))
    if (at.writes.some(w => w.target === path)) return undefined
  }
  return undefined
}

/** A class and what it extends in this file. */
function lineOf(suite: Draft, units: readonly Draft[], depth = 0): Draft[] {
  if (depth > 8) return []
  return [suite,
    ...suite.params.flatMap(base =>
      units.filter(u => u !== suite && u.role.is === 'suite' && u.name === base).flatMap(u => lineOf(u, units, depth + 1))
    )]
}

const isFixture = (unit: Unit): boolean => unit.markers.some(m => FIXTURES.has(m.name))

/** What made all that a list holds: `[Thread(…) for _ in range(8)]`, `threads.append(Thread(…))`. */
export function heldIn(path: string, unit: Draft): Call | undefined {
  const listed = unit.writes.filter(w => w.target === path).flatMap(w => (w.value.is === 'group' ? w.value.of : []))
  const added = unit.calls.flatMap(c => (/[.]append$/.test(c.name) && c.receiver?.is === 'name' && c.receiver.path === path ? c.args : []))
  const made = [...listed, ...added].map(v => (v.is === 'name' ? unit.writes.findLast(w => w.target === v.path)?.value ?? v : v))
  const makers = made.flatMap(v => (v.is === 'call' && unit.calls[v.call]!.resolution === 'import' ? [unit.calls[v.call]!] : []))
  return new Set(makers.map(m => m.name)).size === 1 ? makers[0] : undefined
}

/** One type, or none where they differ. */
const only = (types: readonly string[]): string | undefined => (new Set(types).size === 1 && types[0] !== '?' ? types[0] : undefined)

const writtenTypes = (unit: Draft, path: string, classes: ReadonlySet<string>): string[] =>
  unit.writes.filter(w => w.target === path && !(w.value.is === 'literal' && w.value.value === null)).flatMap(w =>
    typesOf(w.value, unit, classes)
  )

function typesOf(value: Value, unit: Draft, classes: ReadonlySet<string>): string[] {
  const made = value.is === 'group' && value.of.length === 1 ? value.of[0]! : value
  if (made.is === 'name')
    return unit.writes.filter(w => w.target === made.path && w.value.is === 'call').flatMap(w => typesOf(w.value, unit, classes))
  const maker = made.is === 'call' ? unit.calls[made.call] : undefined
  if (!maker) return ['?']
  if (maker.resolution === 'local' && classes.has(maker.name)) return [maker.name]
  if (maker.resolution !== 'import') return ['?']
  return [MAKERS[maker.name] ?? (/(^|\.)[A-Z]\w*$/.test(maker.name) ? maker.name : '?')]
}
