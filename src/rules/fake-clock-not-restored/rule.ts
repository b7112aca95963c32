import type { FileFacts, Unit } from '../../facts/facts.ts'
import { curedBeyond, isTestCode } from '../../facts/query.ts'
import { changersOf, changesIn, fateOf, hooksUnseen, inheritsUnseen, isEnclosed, isGuarded, isKeptBack, mayEndBefore, testsBeyond, touches,
  undoes } from '../../flow/state/leaks.ts'
import { defineRule, type Report } from '../rule.ts'
import { lower } from '../wording.ts'
import { GUARD, isLastOfFile, isUndoing, replaced, setAnew, sharesProcess, startsFake, told, ZONE } from './signs.ts'

export default defineRule(
  {
    id: 'fake-clock-not-restored',
    title: 'A test replaces the clock, the time zone or the locale and nothing puts it back',
    category: 'state',
    severity: 'warning',
    triggers: ['fake-clock'],
    words: {
      java: ['TimeZone\\.setDefault', 'Locale\\.setDefault'],
      python: ['tzset', 'setlocale', '\\b(?:translation|timezone)\\.activate\\(', '\\bset_locale\\('],
      go: ['\\btime\\.Local\\s*=[^=]'],
      typescript: ['\\b(?:moment|dayjs|numeral)\\.(?:tz\\.setDefault|locale|lang)\\(', '\\bi18next\\.changeLanguage\\('],
    },
    confirm: ['shuffle-order'],
    cap: 'medium',
    since: '0.2.0',
  },
  function* ({ facts }) {
    for (const unit of [...changersOf(facts), ...facts.units.slice(0, 1)]) {
      if (curedBeyond(facts, unit, 'restore-clock', 'fake-clock')) continue
      // A file of its own process, all of whose tests share the fake, leaves nothing behind.
      if (!isTestCode(facts, unit) || isGuarded(facts, unit, GUARD)
        || (facts.language === 'typescript' && testsBeyond(facts, unit).length === 0 && !sharesProcess(facts))) continue
      // What is set a second time is put back. One that is put back says nothing of the others: a zone is not a locale.
      const calls = unit.calls.filter((c, i) =>
        (unit.role.is === 'module' ? startsFake(c, unit) : replaced(c, unit) !== undefined) && !undoes(unit, c.in)
        && !isEnclosed(unit, c.in, GUARD) && !unit.calls.slice(0, i).some(o => o.name === c.name)
      )
      const left = calls.map(call => ({ call, fate: fateOf(facts, { unit, span: call.span, in: call.in, call }, c =>
        isUndoing(c, call, unit)) })
      ).find(l => l.fate !== 'put back')
      if (!left) {
        yield* zoneLeft(facts, unit)
        continue
      }
      const { call, fate } = left
      if (setAnew(facts, unit, call)) continue
      const change = { unit, span: call.span, in: call.in, call }
      const harmless = (fate !== 'stays' && !mayEndBefore(facts, change, c => isUndoing(c, call, unit))) || isLastOfFile(facts, unit)
      const what = replaced(call, unit)!
      const sure = fate === 'stays' && call.resolution !== 'guess' ? 'high' : 'medium'
      yield {
        at: call.span,
        unit: unit.id,
        confidence: harmless || hooksUnseen(facts) || (unit.role.is === 'hook' && facts.language === 'typescript' && !sharesProcess(facts))
          ? 'low'
          : inheritsUnseen(facts, unit) || unit.role.is === 'hook'
          ? lower(sure)
          : sure,
        message: told(what, fate),
      }
    }
  },
)

/** Where the zone is a variable of the whole process: `time.Local = zone`, here or in a helper. */
function* zoneLeft(facts: FileFacts, unit: Unit): Generator<Report> {
  if (facts.language !== 'go') return
  const isZone = (u: Unit) => u.writes.some(w => w.target === ZONE)
  const change = changesIn(facts, unit, 'global-write', new RegExp(`^${ZONE}$`)).find(c =>
    c.write ?? (c.through !== undefined && isZone(facts.units[c.call!.target!]!))
  )
  const fate = change && fateOf(facts, change, c => touches(c, ZONE))
  if (change && fate && fate !== 'put back' && !isKeptBack(facts, unit, c => touches({ unit, span: c.span, in: c.in, call: c }, ZONE)))
    yield { at: change.span, unit: unit.id, confidence: hooksUnseen(facts) ? 'low' : 'medium', message: told('time zone', fate) }
}
