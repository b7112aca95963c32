// Time that a test measures without a clock of its own in sight: kept in a name that says so, taken by a helper that
// was given the start, spent by a loop that runs until its time is over.

import type { Assertion, Call, FileFacts, Region, Unit, Value } from '../facts/facts.ts'
import { milliseconds, type Folding } from '../facts/fold.ts'
import { has, valuesIn, within } from '../facts/query.ts'
import type { Flows } from './flow.ts'

const MEASURED = /(^|[a-z_.\d])(elapsed|durations?|took|latenc(y|ies)|wait(ing|ed)(_?times?)?|time_?taken|deltas?|dt)(_?(ms|ns|us|s|secs?|seconds|millis|nanos))?\d*(\(\))?$/i

/** A name on either side that says it holds a measured time, where nothing tells what it really holds. */
export function namedAsMeasured(value: Value, unit: Unit, flows: Flows, at: number): boolean {
  if (flows.ingredients(unit, value, at).origins.length > 0) return false
  for (const v of valuesIn(value, unit)) {
    const name = v.is === 'name' ? v.path : v.is === 'call' ? unit.calls[v.call]?.name.replace(/^.*(?:\.|::)/, '') ?? '' : ''
    if (MEASURED.test(name.replace(/([a-z])([A-Z])/g, '$1_$2')) && !isGiven(name, unit)) return true
  }
  return false
}

/** The test itself says what it is: `duration = 5`, `timeout_elapsed = true`. */
const isGiven = (name: string, unit: Unit): boolean => unit.writes.some(w => w.target === name && !w.adds && w.value.is === 'literal' && w.value.value !== 0 && w.value.value !== null)

/** What a value is rounded to, in milliseconds: `Round(24 * time.Hour)` swallows any delay. */
export const roundedTo = (value: Value, unit: Unit, folding: Folding): number => Math.max(0, ...[...valuesIn(value, unit)].flatMap(v => {
  const call = v.is === 'call' ? unit.calls[v.call] : undefined
  return call && /[.:](round|truncate)$/i.test(call.name) ? milliseconds(call.args[0], unit, folding, 1) ?? [] : []
}))

/** Helpers of the file that bound the time since an instant they are given; who calls them bounds it. */
export function boundingHelpers(facts: Pick<FileFacts, 'units'>, flows: Flows): Set<number> {
  const found = new Set<number>()
  for (const unit of facts.units)
    if (unit.role.is === 'helper' && unit.params.length > 1 && unit.assertions.some(a => isSinceParameter(a, unit, flows))) found.add(unit.id)
  return found
}

/** It compares the time since a parameter with another parameter. */
function isSinceParameter(assertion: Assertion, unit: Unit, flows: Flows): boolean {
  if (!/^(<|<=|>|>=)$/.test(assertion.compare)) return false
  const sides = assertion.operands.map(o => flows.ingredients(unit, o, assertion.span.start))
  const params = new Set(unit.params)
  return sides.some((side, i) => side.origins.some(o => o.shape === 'duration') && sides.some((other, j) => j !== i && other.unknown.some(n => params.has(n))))
}

/** Loops that go on until a measured time is over and then are asked how far they came. */
export function* timedLoops(unit: Unit, flows: Flows): Generator<{ readonly region: Region; readonly clock: Call; readonly asked: Assertion }> {
  for (const [index, region] of unit.regions.entries()) {
    if (region.kind !== 'loop' || region.leaves || region.condition?.is !== 'op' || !/^(<|<=|>|>=)$/.test(region.condition.op)) continue
    const clock = unit.calls.find(c => c.in === index && has(c, 'clock', 'mono', 'elapsed') && isIn(c, region.condition!, unit))
    if (!clock || !flows.ingredients(unit, region.condition, region.span.end).origins.some(o => !o.opaque)) continue
    if (unit.assertions.some(a => isWithin(a.in, index, unit))) continue
    // How often it could look is up to the machine; what it was told to count is not.
    const asked = unit.assertions.find(a => a.span.start >= region.span.end)
    if (asked && (asked.compare === '==' || asked.compare === '>=') && asked.claims === 'presence' && !within(unit, asked.in, 'loop')) yield { region, clock, asked }
  }
}

const isIn = (call: Call, value: Value, unit: Unit): boolean => [...valuesIn(value, unit)].some(v => v.is === 'call' && unit.calls[v.call] === call)

function isWithin(region: number, outer: number, unit: Unit): boolean {
  for (let at = region; at !== 0; at = unit.regions[at]!.in) if (at === outer) return true
  return false
}
