import type { Unit, Value, Write } from '../../facts/facts.ts'
import { frozenClock, has, isTestCode, valuesIn } from '../../facts/query.ts'
import { isInstant } from '../../flow/flow.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { confidenceOf, least } from '../wording.ts'

export default defineRule(
  {
    id: 'clock-at-import', title: 'The clock is read when the file is loaded, and tests compare with it later', category: 'time', severity: 'warning',
    triggers: ['clock'], words: { python: ['parametrize\\([^)]*(?:now|utcnow|today|time)\\('] }, confirm: ['clock-shift'], since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    if (facts.kind === 'source') return
    for (const unit of facts.units) {
      if (unit.role.is === 'module' || unit.role.is === 'suite') for (const write of unit.writes) yield* kept(unit, write, view)
      for (const marker of unit.markers) {
        const read = marker.is === 'frozen-clock' ? null : /\b(?:datetime|dt)\.(?:utcnow|now)\([^()]*\)|\bdate\.today\(\)|\btime\.time\(\)|\btimezone\.now\(\)/.exec(marker.key ?? '')
        if (!read || !/parametrize/.test(marker.name)) continue
        yield { at: marker.span, unit: unit.id, confidence: 'medium', message: `a case is made of the time at which the file was loaded (${read[0]}): the test runs later, perhaps on another day` }
      }
    }
  },
)

function* kept(unit: Unit, write: Write, view: FileView): Generator<Report> {
  const { facts, flows } = view
  const clock = flows.ingredients(unit, write.value, write.span.end).origins.find(o => o.kind === 'clock' && o.unit === unit.id && !o.opaque && (isInstant(o) || o.shape === 'text'))
  if (!clock || !isStatic(unit, write, view)) return
  const name = write.target
  const holds = (user: Unit, value: Value) => [...valuesIn(value, user)].some(v => v.is === 'name' && (v.path === name || v.path.startsWith(`${name}.`) || v.path.endsWith(`.${name}`)))
  const users = facts.units.filter(u => u.id !== unit.id && isTestCode(facts, u) && !u.params.includes(name))
  // What tests hand to the code and get back again may be any time.
  const handed = users.some(u => u.calls.some(c => !u.assertions.some(a => a.span.start <= c.span.start && a.span.end >= c.span.end) && [...c.args, ...Object.values(c.named)].some(a => holds(u, a))) || u.writes.some(w => holds(u, w.value)))
  for (const user of users)
    for (const assertion of user.assertions) {
      if (!assertion.operands.some(o => holds(user, o)) || frozenClock(facts, user)) continue
      // A lower bound that was read early is still one.
      const fresh = assertion.operands.some(o => !holds(user, o) && [...valuesIn(o, user)].some(v => v.is === 'call' && has(user.calls[v.call]!, 'clock')))
      const moved = assertion.operands.some(o => [...valuesIn(o, user)].some(v => v.is === 'op'))
      if (/^[<>]=?$/.test(assertion.compare) && !(fresh && moved)) continue
      const source = unit.calls[clock.call]!
      yield {
        at: write.span, unit: unit.id, confidence: handed ? 'low' : least(fresh ? 'high' : 'medium', confidenceOf(source)),
        message: `${name} is the time at which the file was loaded; the test that compares with it runs later, perhaps on another day`,
        related: [{ span: assertion.span, message: 'compared here' }],
      }
      return
    }
}

/** Fields of an object are made anew for each test; those of a class once. */
const isStatic = (unit: Unit, write: Write, view: FileView): boolean =>
  unit.role.is === 'module' || view.facts.language !== 'java' || /\bstatic\b[^;{}]*$/.test(view.textOf({ start: Math.max(0, write.span.start - 120), end: write.span.end }))
