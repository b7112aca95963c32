import type { Assertion, Call, Span, Unit, Value } from '../../facts/facts.ts'
import { frozenClock, has, isProperty, isTestCode, valuesIn } from '../../facts/query.ts'
import { keptIn } from '../../flow/zones/zone.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'

/** What is said of a date that must not have passed. */
const LIMITS = /(^|[._\s])(set|with)?_?(expir\w*|valid_?(to|until|till)|not_?(valid_)?after|deadline|due_?(date|at|on)|embargo\w*|end_?of_?life|ends_?(at|on)|ttl_?until)$|expir(y|es|ation)_?(date|at|on|time)?$/i
/** Years that come while the tests are in use. Earlier ones have passed by now, later ones mean «never». */
const FIRST = 2025, LAST = 2045
const TEXT = /^(20[2-4]\d)[-/](0?[1-9]|1[0-2])([-/]|$)/

export default defineRule(
  {
    id: 'hardcoded-future-date', title: 'A test stops working on a date that it names itself', category: 'time', severity: 'note', cap: 'medium',
    triggers: [], words: ['[\'"`]20(?:2[5-9]|3\\d|4[0-5])[-/][01]?\\d', '\\(\\s*20(?:2[5-9]|3\\d|4[0-5])\\s*,\\s*(?:\\d|time\\.|Month\\.)'], confirm: ['clock-shift'], since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    if (facts.language === 'bash') return
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const write of unit.writes) if (LIMITS.test(write.target)) yield* told(unit, write.value, write.span, write.target, view)
      for (const call of unit.calls) for (const [name, value] of limitsOf(call)) yield* told(unit, value, call.span, name, view)
      for (const assertion of unit.assertions) yield* bare(unit, assertion, view)
    }
  },
)

function limitsOf(call: Call): [string, Value][] {
  const named = Object.entries(call.named).filter(([name]) => LIMITS.test(name))
  const last = call.name.slice(Math.max(call.name.lastIndexOf('.'), call.name.lastIndexOf(':')) + 1)
  return call.args.length === 1 && LIMITS.test(last.replace(/^(set|with)(?=[A-Z])/, '')) ? [...named, [last, call.args[0]!]] : named
}

function* told(unit: Unit, value: Value, at: Span, name: string, view: FileView): Generator<Report> {
  const kept = value.is === 'name' ? keptIn(view.facts, unit, value.path, at.start) : { unit, value }
  const year = kept && yearOf(kept.value, kept.unit)
  if (year === undefined || frozenClock(view.facts, unit)) return
  yield { at, unit: unit.id, confidence: isHeld(unit, name.split('.').at(-1)!, view) ? 'medium' : 'low', message: `${name.split('.').at(-1)} is a date in ${year}: the test changes its outcome once that day is past` }
}

/** `assert date(2031, 1, 1) > date.today()`. */
function* bare(unit: Unit, assertion: Assertion, view: FileView): Generator<Report> {
  const years: number[] = []
  const isDate = (v: Value): boolean => {
    const kept = v.is === 'name' && !LIMITS.test(v.path) ? keptIn(view.facts, unit, v.path, assertion.span.start) : { unit, value: v }
    const year = kept && yearOf(kept.value, kept.unit)
    if (year !== undefined) years.push(year)
    return year !== undefined
  }
  if (!isAhead(assertion, unit, isDate) || frozenClock(view.facts, unit, assertion.span.start)) return
  yield { at: assertion.span, unit: unit.id, confidence: 'medium', message: `wants a date in ${years[0]} to lie ahead: the test fails once that day is past` }
}

/** The test itself holds it against the clock, or asks whether it has run out and tells no time for that. */
function isHeld(unit: Unit, name: string, { facts }: FileView): boolean {
  const isIt = (v: Value): boolean => v.is === 'name' && v.path.split('.').at(-1) === name
  const asks = (u: Unit, { claims, compare, operands: [o] }: Assertion): boolean => claims === 'absence' && compare === 'truth' && o?.is === 'call' && isAsked(u.calls[o.call]!)
  // A test asks what it made itself, or a helper for it.
  const made = (u: Unit): boolean => u === unit || u.calls.some(c => c.target === unit.id)
  const users = facts.units.filter(u => u === unit || (unit.role.is !== 'test' && u.role.is === 'test'))
  return users.some(u => !frozenClock(facts, u) && u.assertions.some(a => isAhead(a, u, isIt) || (made(u) && asks(u, a))))
}

const isAsked = ({ name, args, named }: Call): boolean => args.length + Object.keys(named).length === 0 && /(^|[.:_?])(is|has)?_?expired$/i.test(name)

/** Some moment is claimed to come after the time of the run. */
function isAhead({ compare, operands, claims }: Assertion, unit: Unit, isMoment: (v: Value) => boolean): boolean {
  const isNow = (v: Value | null | undefined): boolean => v !== null && v !== undefined && [...valuesIn(v, unit)].some(x => x.is === 'call' && has(unit.calls[x.call]!, 'clock'))
  const [one, other] = operands
  if (one && other) return (/^>=?$/.test(compare) && isMoment(one) && isNow(other)) || (/^<=?$/.test(compare) && isNow(one) && isMoment(other))
  const call = compare === 'truth' && one?.is === 'call' ? unit.calls[one.call] : undefined
  const way = call && /(^|[.:])(is_?)?(after|before)$/i.exec(call.name)?.[3]?.toLowerCase()
  if (!call || way === undefined || !call.receiver || !call.args[0]) return false
  return (way === 'after') === (claims === 'presence') ? isMoment(call.receiver) && isNow(call.args[0]) : isNow(call.receiver) && isMoment(call.args[0])
}

function yearOf(value: Value, unit: Unit): number | undefined {
  if (value.is === 'literal') return typeof value.value === 'string' ? inRange(Number(TEXT.exec(value.value)?.[1])) : undefined
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const [first, second] = call?.args ?? []
  if (!call || first?.is !== 'literal') return undefined
  if (typeof first.value === 'string') return inRange(Number(TEXT.exec(first.value)?.[1]))
  return second && typeof first.value === 'number' ? inRange(first.value) : undefined
}

const inRange = (year: number): number | undefined => (year >= FIRST && year <= LAST ? year : undefined)
