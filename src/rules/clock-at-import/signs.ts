import type { Span, Unit, Value, Write } from '../../facts/facts.ts'
import { fixtureName, frozenClock, has, isFixture, valuesIn } from '../../facts/query.ts'
import { givesIt, isTime } from '../../flow/time/case-times.ts'
import { snake, type Origin } from '../../flow/flow.ts'
import { type FileView, type Report } from '../rule.ts'
import { confidenceOf, least } from '../wording.ts'

export function* compared(unit: Unit, name: string, at: Span, clock: Origin, users: readonly Unit[], { facts }: FileView,
  what: string): Generator<Report>
{
  const isIt = (v: Value) => v.is === 'name' && (v.path === name || v.path.startsWith(`${name}.`) || v.path.endsWith(`.${name}`))
  const asserted = (u: Unit, { start, end }: Span) => u.assertions.some(a => a.span.start <= start && a.span.end >= end)
  const goesOut = (u: Unit, is: (v: Value) => boolean) =>
    u.calls.some(c => !asserted(u, c.span) && [...c.args, ...Object.values(c.named)].some(a => [...valuesIn(a, u)].some(is)))
  /** `expected = TODAY.isoformat()`: what is made of it for the assertion alone. */
  const isOf = (target: string) => (v: Value) => v.is === 'name' && v.path.split(/[.[]/)[0] === target
  const makes = (u: Unit) =>
    u.writes.filter(w => w.declares && /^\w+$/.test(w.target) && [...valuesIn(w.value, u)].some(isIt) && !goesOut(u, isOf(w.target))).map(
      w => w.target,
    )
  const known = new Map(users.map(u => [u, makes(u)]))
  const holds = (u: Unit, value: Value) => {
    const own = known.get(u)!
    return [...valuesIn(value, u)].some(v => isIt(v) || (v.is === 'name' && own.includes(v.path)))
  }
  // What tests hand to the code and get back again may be any time.
  const along = unit.writes.filter(w => w.target !== name && [...valuesIn(w.value, unit)].some(isIt)).map(w => w.target)
  const handed = users.some(u =>
    goesOut(u, v => isIt(v) || along.some(target => isOf(target)(v))) || givesIt(u, isIt)
    || u.writes.some(w => !known.get(u)!.includes(w.target) && [...valuesIn(w.value, u)].some(isIt))
  )
  for (const user of users)
    for (const assertion of user.assertions) {
      const given = fixturesWith(facts.units, user, isIt)
      const through = given.length > 0 && RELATIVE.test(snake(user.name))
        && assertion.operands.some(o => [...valuesIn(o, user)].some(v => v.is === 'name' && given.includes(v.path)))
      if ((!through && !assertion.operands.some(o => holds(user, o))) || frozenClock(facts, user)) continue
      // A lower bound that was read early is still one.
      const fresh = assertion.operands.some(o =>
        !holds(user, o) && [...valuesIn(o, user)].some(v => v.is === 'call' && has(user.calls[v.call]!, 'clock'))
      )
      const moved = assertion.operands.some(o => [...valuesIn(o, user)].some(v => v.is === 'op'))
      if (/^[<>]=?$/.test(assertion.compare) && !(fresh && moved)) continue
      yield {
        at,
        unit: unit.id,
        confidence: handed && !through ? 'low' : least(fresh ? 'high' : 'medium', confidenceOf(unit.calls[clock.call]!)),
        message: `${what}; the test that compares with it runs later, perhaps on another day`,
        related: [{ span: assertion.span, message: 'compared here' }],
      }
      return
    }
}

/** What a test is called that goes by the day or the moment it runs at. */
const RELATIVE =
  /(^|_)(todays?|yesterdays?|tomorrows?|now|ago|age|aged|recent\w*|current\w*|fresh|stale|expired?|expires|overdue|due|upcoming|past|future|this_(day|week|month|year))($|_)/i
/** Words and counts that hold for a moment only. */
const WORDS = /\bago\b|\bjust now\b|^(now|today|yesterday|tomorrow)$|\b(in|an?|\d+) ?(seconds?|minutes?|hours?|days?|s|m|h|d)\b/i

/** Fixtures that hold it, among those a test names. */
const fixturesWith = (units: readonly Unit[], user: Unit, isIt: (v: Value) => boolean): string[] =>
  units.filter(u =>
    isFixture(u) && user.params.includes(fixtureName(u))
    && [...u.returns, ...u.calls.flatMap(c => c.args)].some(v => [...valuesIn(v, u)].some(isIt))
  ).map(fixtureName)

/** A table that is made with the file: a moment, and the word for it. */
export function* tabled(unit: Unit, write: Write, view: FileView): Generator<Report> {
  const { facts, flows } = view
  const rows = write.value.is === 'group' && isStatic(unit, write, view) ? write.value.of : []
  const partsOf = (
    row: Value,
  ): readonly Value[] =>
    row.is === 'group'
      ? row.of
      : row.is === 'call'
      ? [...unit.calls[row.call]!.args, ...Object.values(unit.calls[row.call]!.named)]
      : []
  const isMoment = (v: Value) => flows.ingredients(unit, v, write.span.end).origins.some(o => isTime(o, unit))
  if (!rows.some(r => partsOf(r).some(v => v.is === 'literal' && WORDS.test(String(v.value))) && partsOf(r).some(isMoment))) return
  const listed = (u: Unit) => u.markers.some(m => /parametrize/.test(m.name) && (m.key ?? '').split(/\W+/).includes(write.target))
  const user = facts.units.find(u =>
    u.id !== unit.id && (listed(u) || u.writes.some(w => [...valuesIn(w.value, u)].some(v => v.is === 'name' && v.path === write.target)))
  )
  if (!user || frozenClock(facts, user)) return
  yield { at: write.span, unit: unit.id, confidence: 'medium',
    message:
      `a case is made of the time at which the file was loaded: the test that goes through ${write.target} runs later, and expects a word for that moment` }
}

/** Fields of an object are made anew for each test; those of a class once. */
export const isStatic = (unit: Unit, write: Write, view: FileView): boolean =>
  unit.role.is === 'module' || view.facts.language !== 'java'
  || /\bstatic\b[^;{}]*$/.test(view.textOf({ start: Math.max(0, write.span.start - 120), end: write.span.end }))
