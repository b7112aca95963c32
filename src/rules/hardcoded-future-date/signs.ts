import type { Assertion, Call, Unit, Value } from '../../facts/facts.ts'
import { frozenClock, has, valuesIn } from '../../facts/query.ts'
import { type FileView } from '../rule.ts'

/** What is said of a date that must not have passed. */
export const LIMITS =
  /(^|[._\s])(set|with)?_?(expir\w*|valid_?(to|until|till)|not_?(valid_)?after|deadline|due_?(date|at|on)|embargo\w*|end_?of_?life|ends_?(at|on)|ttl_?until)$|expir(y|es|ation)_?(date|at|on|time)?$/i
/** Years that come while the tests are in use. Earlier ones have passed by now, later ones mean «never». */
const FIRST = 2025, LAST = 2045
const TEXT = /^(20[2-4]\d)[-/](0?[1-9]|1[0-2])([-/]|$)/

export function limitsOf(call: Call): [string, Value][] {
  const named = Object.entries(call.named).filter(([name]) => LIMITS.test(name))
  const last = call.name.slice(Math.max(call.name.lastIndexOf('.'), call.name.lastIndexOf(':')) + 1)
  return call.args.length === 1 && LIMITS.test(last.replace(/^(set|with)(?=[A-Z])/, '')) ? [...named, [last, call.args[0]!]] : named
}

/** The test itself holds it against the clock, or asks whether it has run out and tells no time for that. */
export function isHeld(unit: Unit, name: string, { facts }: FileView): boolean {
  const isIt = (v: Value): boolean => v.is === 'name' && v.path.split('.').at(-1) === name
  const asks = (u: Unit, { claims, compare, operands: [o] }: Assertion): boolean =>
    claims === 'absence' && compare === 'truth' && o?.is === 'call' && isAsked(u.calls[o.call]!)
  // A test asks what it made itself, or a helper for it.
  const made = (u: Unit): boolean => u === unit || u.calls.some(c => c.target === unit.id)
  const users = facts.units.filter(u => u === unit || (unit.role.is !== 'test' && u.role.is === 'test'))
  return users.some(u => !frozenClock(facts, u) && u.assertions.some(a => isAhead(a, u, isIt) || (made(u) && asks(u, a))))
}

const isAsked = ({ name, args, named }: Call): boolean =>
  args.length + Object.keys(named).length === 0 && /(^|[.:_?])(is|has)?_?expired$/i.test(name)

/** Some moment is claimed to come after the time of the run. */
export function isAhead({ compare, operands, claims }: Assertion, unit: Unit, isMoment: (v: Value) => boolean): boolean {
  const isNow = (v: Value | null | undefined): boolean =>
    v !== null && v !== undefined && [...valuesIn(v, unit)].some(x => x.is === 'call' && has(unit.calls[x.call]!, 'clock'))
  const [one, other] = operands
  if (one && other)
    return (/^>=?$/.test(compare) && isMoment(one) && isNow(other)) || (/^<=?$/.test(compare) && isNow(one) && isMoment(other))
  const call = compare === 'truth' && one?.is === 'call' ? unit.calls[one.call] : undefined
  const way = call && /(^|[.:])(is_?)?(after|before)$/i.exec(call.name)?.[3]?.toLowerCase()
  if (!call || way === undefined || !call.receiver || !call.args[0]) return false
  return (way === 'after') === (claims === 'presence')
    ? isMoment(call.receiver) && isNow(call.args[0])
    : isNow(call.receiver) && isMoment(call.args[0])
}

export function yearOf(value: Value, unit: Unit): number | undefined {
  if (value.is === 'literal') return typeof value.value === 'string' ? inRange(Number(TEXT.exec(value.value)?.[1])) : undefined
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const [first, second] = call?.args ?? []
  if (!call || first?.is !== 'literal') return undefined
  if (typeof first.value === 'string') return inRange(Number(TEXT.exec(first.value)?.[1]))
  return second && typeof first.value === 'number' ? inRange(first.value) : undefined
}

const inRange = (year: number): number | undefined => (year >= FIRST && year <= LAST ? year : undefined)
