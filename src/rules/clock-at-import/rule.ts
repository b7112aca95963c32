import type { Unit, Write } from '../../facts/facts.ts'
import { fixtureName, isFixture, isTestCode } from '../../facts/query.ts'
import { isTime, readInCases } from '../../flow/time/case-times.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { compared, isStatic, tabled } from './signs.ts'

export default defineRule(
  {
    id: 'clock-at-import',
    title: 'The clock is read when the file is loaded, and tests compare with it later',
    category: 'time',
    severity: 'warning',
    triggers: ['clock'],
    words: { python: ['parametrize\\([^]{0,400}?\\b(?:now|utcnow|today|time)\\('] },
    confirm: ['clock-shift'],
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    if (facts.kind === 'source') return
    for (const unit of facts.units) {
      if (unit.role.is === 'module' || unit.role.is === 'suite') {
        for (const write of unit.writes) yield* [...kept(unit, write, view), ...tabled(unit, write, view)]
      }
      yield* shared(unit, view)
      for (const marker of unit.markers) {
        if (marker.is === 'frozen-clock' || !/parametrize/.test(marker.name)) continue
        const read = readInCases(marker.key ?? '', unit, view)
        if (read)
          yield { at: marker.span, unit: unit.id, confidence: 'medium',
            message: `a case is made of the time at which the file was loaded (${read}): the test runs later, perhaps on another day` }
      }
    }
  },
)

function* kept(unit: Unit, write: Write, view: FileView): Generator<Report> {
  const clock = view.flows.ingredients(unit, write.value, write.span.end).origins.find(o => isTime(o, unit))
  if (!clock || !isStatic(unit, write, view)) return
  const users = view.facts.units.filter(u => u.id !== unit.id && isTestCode(view.facts, u) && !u.params.includes(write.target))
  yield* compared(unit, write.target, write.span, clock, users, view, `${write.target} is the time at which the file was loaded`)
}

/** A fixture that many tests share is made once, before the first of them. */
function* shared(unit: Unit, view: FileView): Generator<Report> {
  const scope = isFixture(unit)
    ? unit.markers.flatMap(m => /scope\s*=\s*["'](session|package|module|class)["']/.exec(m.key ?? '') ?? [])[1]
    : undefined
  const clock = scope && unit.returns.flatMap(r => view.flows.ingredients(unit, r, unit.span.end).origins).find(o => isTime(o, unit))
  if (!clock) return
  const name = fixtureName(unit)
  const users = view.facts.units.filter(u => u.params.includes(name))
  yield* compared(unit, name, clock.span, clock, users, view,
    `the fixture ${name} reads the time once for the whole ${scope === 'session' ? 'run' : scope}`)
}
