// Statics of a Rust file that two tests change, which run at the same time: what one expects to find, the other has touched.

import type { Assertion, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { cured, marked } from '../../facts/query.ts'

export interface RacedStatic {
  readonly name: string
  readonly test: Unit
  readonly other: Unit
  readonly assertion: Assertion
}

const MAX_DEPTH = 3
const STATIC = /^[A-Z][A-Z\d_]*$/
const lastOf = (path: string): string => path.slice(path.lastIndexOf(':') + 1)

/** The first assertion of each test that expects an exact state of a static which it and another test change, with no turn taken. */
export function* racedStatics(file: FileFacts): Generator<RacedStatic> {
  if (file.language !== 'rust') return
  const statics = new Set(
    file.units.flatMap(
      u => (u.role.is === 'module' || u.role.is === 'suite' ? u.writes.map(w => w.target).filter(t => STATIC.test(t)) : []),
    ),
  )
  const tests = statics.size === 0 ? [] : file.units.filter(u => u.role.is === 'test')
  if (tests.length < 2) return
  const changed = new Map(tests.map(t => [t, changedBy(file, t, statics)]))
  for (const test of tests) {
    if (marked(file, test, 'serial') || cured(file, test, 'serialise')) continue
    for (const assertion of test.assertions) {
      const name = assertion.compare === '=='
        ? assertion.operands.flatMap(o => stateIn(file, test, o)).find(n => changed.get(test)!.has(n))
        : undefined
      const other = name && tests.find(t => t !== test && changed.get(t)!.has(name) && !cured(file, t, 'serialise'))
      if (!other) continue
      yield { name: name!, test, other, assertion }
      break
    }
  }
}

/** The statics that a unit changes, by itself or through functions of the file. */
function changedBy(file: FileFacts, unit: Unit, statics: ReadonlySet<string>, depth = 0): Set<string> {
  const found = new Set(unit.writes.filter(w => !w.declares).map(w => lastOf(w.target.replace(/\[\]$/, ''))).filter(n => statics.has(n)))
  if (depth < MAX_DEPTH) {
    for (const { target } of unit.calls)
      if (target !== undefined && target !== unit.id) {
        for (const name of changedBy(file, file.units[target]!, statics, depth + 1)) found.add(name)
      }
  }
  return found
}

/** The static whose whole state a value is, here or in a function that gives it; what is asked for by a key may be one's own. */
function stateIn(file: FileFacts, unit: Unit, value: Value, depth = 0): string[] {
  if (value.is === 'name') return STATIC.test(lastOf(value.path)) ? [lastOf(value.path)] : []
  const call = value.is === 'call' ? unit.calls[value.call]! : undefined
  if (call?.target !== undefined && call.receiver === null && depth < 2)
    return file.units[call.target]!.returns.flatMap(r => stateIn(file, file.units[call.target!]!, r, depth + 1))
  if (!call?.receiver || call.args.some(a => !(a.is === 'name' && /Ordering::/.test(a.path)))) return []
  return stateIn(file, unit, call.receiver, depth)
}
