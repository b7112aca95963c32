import type { Assertion, Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { has, valuesIn } from '../../facts/query.ts'
import { lastOf } from '../../flow/order/hashes.ts'

/** An identity, or a number that is reckoned from one, against a constant. */
export function ofIdentity(facts: FileFacts, unit: Unit, { compare, operands }: Assertion): Call | undefined {
  if (compare !== '==' || operands.length !== 2) return undefined
  return operands.map((o, i) => (isConstant(unit, operands[1 - i]!) ? identityIn(facts, unit, o) : undefined)).find(c => c !== undefined)
}

const RECKONS = /^(%|&|\||\^|\+|-|\*|\/\/?|>>|<<)$/
const CONVERTS = /(^|\.)(abs|int|str|hex|toHexString|floorMod)$/

function identityIn(facts: FileFacts, unit: Unit, value: Value | undefined, depth = 0): Call | undefined {
  if (!value || depth > 6) return undefined
  const first = (values: readonly Value[]) => values.map(v => identityIn(facts, unit, v, depth + 1)).find(c => c !== undefined)
  if (value.is === 'op') return RECKONS.test(value.op) ? first(value.of) : undefined
  if (value.is === 'text') return first(value.parts)
  if (value.is === 'name') return identityIn(facts, unit, lastOf(unit, value.path), depth + 1)
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  if (!call) return undefined
  if (has(call, 'identity')) return isStable(unit, call.args[0]) ? undefined : call
  const helper = call.target === undefined || call.args.every(a => isStable(unit, a)) ? undefined : facts.units[call.target]
  if (helper) return helper.returns.map(v => identityIn(facts, helper, v, depth + 3)).find(c => c !== undefined)
  return CONVERTS.test(call.name) ? first(call.args) : undefined
}

/** The hash of a number is the number, and that of numbers is made of theirs. */
function isStable(unit: Unit, value: Value | undefined): boolean {
  if (value?.is === 'literal') return typeof value.value !== 'string'
  if (value?.is === 'group' || value?.is === 'op') return value.of.every(v => isStable(unit, v))
  if (value?.is !== 'name') return false
  const kept = lastOf(unit, value.path)
  return kept
    ? isStable(unit, kept)
    : unit.markers.some(m => names(m.key, value.path) && !/["']/.test(m.key!.replace(/^[^,[(]*["'][^"']*["']/, '')))
}

const names = (key: string | undefined, param: string): boolean => key !== undefined && new RegExp(`\\b${param}\\b`).test(key)

/** A literal, here or under a name, or what the test is parametrised with. */
function isConstant(unit: Unit, value: Value): boolean {
  if (value.is === 'literal') return typeof value.value === 'number' || typeof value.value === 'string'
  if (value.is !== 'name') return false
  return lastOf(unit, value.path)?.is === 'literal'
    || (unit.params.includes(value.path) && unit.markers.some(m => /parametrize$/.test(m.name) && names(m.key, value.path)))
}

const ADDRESS = /\bat 0x[0-9a-fA-F]{6,}>|^\[?\[?[\w$;]+(?:\.[\w$;]+)*@(?=[0-9a-f]*\d)[0-9a-f]{5,8}$|^0xc0[0-9a-f]{6,}$/

/** An address in the expected text, which the test has put nowhere else. */
export function spelledAddress(unit: Unit, { operands }: Assertion): string | undefined {
  const expected = operands.find(o => o.is === 'literal' && typeof o.value === 'string' && ADDRESS.test(o.value))
  const actual = operands.find(o => o !== expected)
  const text = expected?.is === 'literal' ? /0x[0-9a-fA-F]+|@[0-9a-f]+/.exec(String(expected.value))![0] : ''
  const put = [...unit.calls.flatMap(c => [...c.args, ...Object.values(c.named)]), ...unit.writes.map(w => w.value)].flatMap(
    v => [...valuesIn(v, unit)],
  )
  const given = put.some(v => v !== expected && v.is === 'literal' && String(v.value).includes(text))
  return expected && actual && actual.is !== 'literal' && !given ? text : undefined
}
