// What a test expects, as literals, and which tests hang on a value: for sources whose way into an assertion leads
// through code that we do not see. There a source counts where the test expects what only such a source could give.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { ancestors, valuesIn } from '../../facts/query.ts'
import { keptIn } from '../zones/zone.ts'

type Facts = Pick<FileFacts, 'units'>
const JUDGED = new Set(['==', '!=', 'contains', 'matches', 'near', 'snapshot'])
const MAX_DEPTH = 3

/** The tests that call the function in which something stands, or that use a name which was made of it. */
export function testsReached(file: Facts, unit: Unit, call: Call): Unit[] {
  const found = new Set<Unit>()
  spread(file, unit, namesOf(unit, call), found, 0)
  return [...found].filter(u => u.assertions.some(a => JUDGED.has(a.compare)))
}

function spread(file: Facts, unit: Unit, names: ReadonlySet<string>, found: Set<Unit>, depth: number): void {
  if (found.has(unit) || depth > MAX_DEPTH) return
  const isShared = unit.role.is === 'module' || unit.role.is === 'suite' || unit.role.is === 'hook'
  if (!isShared) found.add(unit)
  const fixture = unit.role.is === 'hook' && unit.markers.some(m => m.name === 'pytest.fixture')
  for (const other of file.units) {
    if (other === unit || found.has(other)) continue
    const calls = unit.role.is === 'helper' && unit.name !== ''
      && (other.calls.some(c => c.target === unit.id) || mentions(other, new Set([unit.name])))
    const asks = fixture && other.params.includes(unit.name)
    const uses = isShared && !fixture && names.size > 0 && isUnder(file, other, unit) && mentions(other, names)
    if (calls || asks || uses)
      spread(file, other, calls ? namesWith(other, new Set([unit.name])) : uses ? namesWith(other, names) : new Set(), found, depth + 1)
  }
}

/** Fields and constants are seen inside of what they stand in; those a hook fills, beside it too. */
const isUnder = (file: Facts, unit: Unit, outer: Unit): boolean =>
  ancestors(file, unit).some(a => a.id === (outer.role.is === 'hook' ? outer.parent : outer.id))

const bare = (path: string): string => path.replace(/^(self|this)\./, '')
const isOneOf = (path: string, names: ReadonlySet<string>): boolean => names.has(bare(path)) || names.has(bare(path).split('.')[0]!)

/** The names that a call is kept under, and those that are made of them. */
function namesOf(unit: Unit, call: Call): Set<string> {
  return namesWith(unit,
    new Set(unit.writes.filter(w => w.span.start <= call.span.start && w.span.end >= call.span.end).map(w => bare(w.target))))
}

function namesWith(unit: Unit, from: ReadonlySet<string>): Set<string> {
  const names = new Set(from)
  for (const write of unit.writes)
    if ([...valuesIn(write.value, unit)].some(v => v.is === 'name' && isOneOf(v.path, names))) names.add(bare(write.target))
  return names
}

const mentions = (unit: Unit, names: ReadonlySet<string>): boolean => {
  const holds = (value: Value | null) => value !== null && [...valuesIn(value, unit)].some(v => v.is === 'name' && isOneOf(v.path, names))
  return unit.calls.some(c => holds(c.receiver) || [...c.args, ...Object.values(c.named)].some(holds) || names.has(c.name.split('.')[0]!))
    || unit.assertions.some(a => a.operands.some(holds)) || unit.writes.some(w => holds(w.value))
}

/** A literal that a test compares with. */
export interface Expected {
  readonly value: string | number
  /** What it is compared with; none where it stands in a table of cases. */
  readonly with?: Value
  /** The assertion; none where it stands in a table of cases. */
  readonly span?: Span
}

/** The literals that a test compares with, names and tables of cases looked behind. */
export function* expectedBy(file: Facts, unit: Unit): Generator<Expected> {
  for (const { compare, operands, span } of unit.assertions) {
    if (!JUDGED.has(compare)) continue
    for (const [i, operand] of operands.entries())
      for (const value of literalsBehind(file, unit, operand, span.start)) yield { value, with: operands[1 - i], span }
  }
  for (const marker of unit.markers) {
    for (const text of (marker.key ?? '').matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)) {
      yield { value: text[1] ?? text[2]! }
      // The cases of JUnit and TestNG are made by a function that the test names.
      const cases = file.units.find(u => u.role.is === 'helper' && u.name === (text[1] ?? text[2]))
      for (const call of cases?.calls ?? [])
        for (const a of call.args)
          if (a.is === 'literal' && (typeof a.value === 'string' || typeof a.value === 'number'))
            yield { value: a.value }
    }
    for (const number of (marker.key ?? '').matchAll(/\b\d[\d_]{8,}\b/g)) yield { value: Number(number[0].replaceAll('_', '')) }
  }
}

/** They are their parts: lists, and the records of Go. */
const LISTS = /^(set|list|tuple|frozenset|vec!|range map|.*\{\}|.*\.(List|Set|Arrays|Arguments)\.(of|asList))$/

function* literalsBehind(file: Facts, unit: Unit, value: Value, offset: number, depth = 0): Generator<string | number> {
  if (value.is === 'literal' && (typeof value.value === 'string' || typeof value.value === 'number')) yield value.value
  if (depth > 5) return
  // What a function is given is not what is expected of it; a list is its parts.
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const parts = value.is === 'group' || value.is === 'op'
    ? value.of
    : value.is === 'text'
    ? value.parts
    : call && LISTS.test(call.name)
    ? [...call.args, ...Object.values(call.named)]
    : []
  for (const part of parts) yield* literalsBehind(file, unit, part, offset, depth + 1)
  const kept = value.is === 'name' ? keptIn(file, unit, value.path, offset) : undefined
  if (kept) yield* literalsBehind(file, kept.unit, kept.value, kept.offset, depth + 1)
}

/** A test that hangs on the call, or subtests and cases of the unit in which it stands. */
export const reachesTest = (file: Facts & Pick<FileFacts, 'kind'>, unit: Unit, call: Call): boolean =>
  asserts(file, unit) || testsReached(file, unit, call).length > 0

const EXPECTS = /(^|[.:])(expect|should|assert\w*)$/

/** The unit asserts, or a subtest of it does; for a hook, or a class with helpers, whatever tests the file has: not all are read. */
export function asserts(file: Facts & Pick<FileFacts, 'kind'>, unit: Unit): boolean {
  const own = (u: Unit) => u.assertions.length > 0 || (u.role.is === 'test' && u.calls.some(c => EXPECTS.test(c.name)))
  if (unit.role.is === 'hook' || (unit.role.is === 'suite' && file.units.some(u => u.parent === unit.id && u.role.is === 'helper')))
    return file.kind === 'test' || file.units.some(u => u.role.is === 'test')
  return unit.role.is !== 'module' && unit.role.is !== 'suite'
    && (own(unit) || file.units.some(u => own(u) && ancestors(file, u).includes(unit)))
}
