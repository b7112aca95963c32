// What every extractor needs to fill in units: drafts that grow, and the reading of a condition as assertions.

import { UNKNOWN, type Assertion, type Await, type Call, type Comparison, type Inert, type Marker, type Region, type Role, type Skip,
  type Span, type Swallow, type Unit, type Value, type Write } from '../facts/facts.ts'

export interface Draft extends Unit {
  role: Role
  readonly params: string[]
  readonly markers: Marker[]
  readonly skips: Skip[]
  readonly calls: Call[]
  readonly writes: Write[]
  readonly assertions: Assertion[]
  readonly regions: Region[]
  readonly swallows: Swallow[]
  inert?: Inert[]
  readonly returns: Value[]
  async?: boolean
  awaits?: Await[]
}

export function draft(units: Draft[],
  of: { role: Role; name: string; title?: string; span: Span; nameSpan?: Span; parent: number | null }): Draft
{
  const unit: Draft = {
    id: units.length,
    role: of.role,
    name: of.name,
    title: of.title ?? of.name,
    span: of.span,
    nameSpan: of.nameSpan ?? of.span,
    parent: of.parent,
    params: [],
    markers: [],
    skips: [],
    calls: [],
    writes: [],
    assertions: [],
    regions: [{ kind: 'body', in: 0, span: of.span }],
    swallows: [],
    returns: [],
  }
  units.push(unit)
  return unit
}

export function addRegion(unit: Draft, region: Region): number {
  unit.regions.push(region)
  return unit.regions.length - 1
}

/** `await ready`: what is waited for has a name, and was begun further up. */
export function addAwait(unit: Draft, value: Value, span: Span): void {
  if (value.is === 'name') (unit.awaits ??= []).push({ span, path: value.path })
}

export function addCall(unit: Draft,
  call: Omit<Call, 'effects' | 'named' | 'receiver' | 'nameSpan'> & Partial<Pick<Call, 'named' | 'receiver' | 'nameSpan'>>): Value
{
  const { span, nameSpan = span, name, resolution, receiver = null, args, named = {}, in: region, result } = call
  // One shape for all: what reads calls of many shapes reads them slowly.
  unit.calls.push({ span, nameSpan, name, resolution, receiver, args, named, in: region, result, effects: [] })
  return { is: 'call', call: unit.calls.length - 1 }
}

const OPPOSITE: Partial<Record<string, Comparison>> = { '==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<' }
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>='])

/** Nothing was there: zero, null, false, the empty string or list. */
export function isNothing(value: Value | undefined): boolean {
  if (!value) return false
  if (value.is === 'literal') return value.value === 0 || value.value === null || value.value === false || value.value === ''
  return value.is === 'group' && value.of.length === 0
}

export function claimOf(compare: Comparison, operands: readonly Value[], negated = false): 'presence' | 'absence' {
  const nothing = operands.length > 1 && operands.some(isNothing)
  if (compare === '==' || compare === '<=') return nothing !== negated ? 'absence' : 'presence'
  if (compare === '!=') return nothing ? 'presence' : negated ? 'presence' : 'absence'
  return negated ? 'absence' : 'presence'
}

/**
 * A condition that must hold (or, negated, must not) becomes one assertion for each part that stands on its own:
 * `assert a < b and c`, `if !ok || n != 3 { t.Fatal() }`.
 */
export function assertCondition(unit: Draft, condition: Value, span: Span, region: number, negated = false): void {
  const push = (compare: Comparison, operands: readonly Value[], claims: 'presence' | 'absence') =>
    unit.assertions.push({ span, compare, operands, claims, in: region })
  if (condition.is === 'group' && condition.of.length === 1) return assertCondition(unit, condition.of[0]!, span, region, negated)
  if (condition.is === 'op') {
    const { op, of } = condition
    const joins = negated ? 'or' : 'and'
    if (op === joins) return of.forEach(part => assertCondition(unit, part, span, region, negated))
    if (op === 'not') return assertCondition(unit, of[0] ?? UNKNOWN, span, region, !negated)
    if (COMPARISONS.has(op) && of.length === 2) {
      const compare = (negated ? OPPOSITE[op] : op) as Comparison
      return void push(compare, of, claimOf(compare, of))
    }
    if (op === 'in') return void push('contains', of, negated ? 'absence' : 'presence')
  }
  push('truth', [condition], negated ? 'absence' : 'presence')
}

export type Result = Call['result']

/** Closures among a call's arguments are handed to that call: regions made directly in `region` between two marks. */
export function handTo(unit: Draft, value: Value, region: number, from: number, to: number): void {
  if (value.is !== 'call') return
  for (let i = from; i < to; i++) {
    const r = unit.regions[i]!
    if (r.kind === 'closure' && r.in === region && r.call === undefined) unit.regions[i] = { ...r, call: value.call }
  }
}
