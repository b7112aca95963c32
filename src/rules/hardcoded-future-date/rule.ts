import type { Call, Span, Unit, Value } from '../../facts/facts.ts'
import { frozenClock, isProperty, isTestCode } from '../../facts/query.ts'
import { keptIn } from '../../flow/zone.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'

/** What is said of a date that must not have passed. */
const LIMITS = /(^|[._\s])(set|with)?_?(expir\w*|valid_?(to|until|till)|not_?(valid_)?after|deadline|due_?(date|at|on)|embargo\w*|end_?of_?life|ends_?(at|on)|ttl_?until)$|expir(y|es|ation)_?(date|at|on|time)?$/i
/** Years that come while the tests are in use. Earlier ones have passed by now, later ones mean «never». */
const FIRST = 2025, LAST = 2045
const TEXT = /^(20[2-4]\d)[-/](0?[1-9]|1[0-2])([-/]|$)/

export default defineRule(
  {
    id: 'hardcoded-future-date', title: 'A test stops working on a date that it names itself', category: 'time', severity: 'note', audit: true,
    triggers: [], words: ['[\'"`]20(?:2[5-9]|3\\d|4[0-5])[-/][01]?\\d', '\\(\\s*20(?:2[5-9]|3\\d|4[0-5])\\s*,\\s*(?:\\d|time\\.|Month\\.)'], confirm: ['clock-shift'], since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    if (facts.language === 'bash') return
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const write of unit.writes) if (LIMITS.test(write.target)) yield* told(unit, write.value, write.span, write.target, view)
      for (const call of unit.calls) for (const [name, value] of limitsOf(call)) yield* told(unit, value, call.span, name, view)
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
  yield { at, unit: unit.id, confidence: 'low', message: `${name.split('.').at(-1)} is a date in ${year}: the test changes its outcome once that day is past` }
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
