import type { Call, FileFacts, Unit } from '../../facts/facts.ts'
import { curedBeyond, effectOf, has, inForce, isTestCode } from '../../facts/query.ts'
import { afterwards, changersOf, changesIn, fateOf, hooksUnseen, inheritsUnseen, isEnclosed, isGuarded, isKeptBack, mayEndBefore, testsBeyond, touches, undoes, type Change, type Fate } from '../../flow/state/leaks.ts'
import { defineRule, type Report } from '../rule.ts'
import { lower } from '../wording.ts'

/** Fakes that hold until they are undone; others belong to an object that the test made, or to one block. */
const INSTALLS = /(^|\.)(useFakeTimers|setSystemTime|freeze|install|mockDate|setCurrentMillisFixed|setCurrentMillisOffset|enable)$|^[mM]ock[dD]ate\.set$/
const GUARD = /DefaultTimeZone|DefaultLocale|freeze|travel|patch|run_with_locale|override/i

export default defineRule(
  {
    id: 'fake-clock-not-restored', title: 'A test replaces the clock, the time zone or the locale and nothing puts it back', category: 'state', severity: 'warning',
    triggers: ['fake-clock'], words: { java: ['TimeZone\\.setDefault', 'Locale\\.setDefault'], python: ['tzset', 'setlocale', '\\b(?:translation|timezone)\\.activate\\(', '\\bset_locale\\('], go: ['\\btime\\.Local\\s*=[^=]'], typescript: ['\\b(?:moment|dayjs|numeral)\\.(?:tz\\.setDefault|locale|lang)\\(', '\\bi18next\\.changeLanguage\\('] }, confirm: ['shuffle-order'], cap: 'medium', since: '0.2.0',
  },
  function* ({ facts }) {
    for (const unit of [...changersOf(facts), ...facts.units.slice(0, 1)]) {
      if (curedBeyond(facts, unit, 'restore-clock', 'fake-clock')) continue
      // A file of its own process, all of whose tests share the fake, leaves nothing behind.
      if (!isTestCode(facts, unit) || isGuarded(facts, unit, GUARD) || (facts.language === 'typescript' && testsBeyond(facts, unit).length === 0 && !sharesProcess(facts))) continue
      // What is set a second time is put back. One that is put back says nothing of the others: a zone is not a locale.
      const calls = unit.calls.filter((c, i) => (unit.role.is === 'module' ? startsFake(c, unit) : replaced(c, unit) !== undefined) && !undoes(unit, c.in) && !isEnclosed(unit, c.in, GUARD) && !unit.calls.slice(0, i).some(o => o.name === c.name))
      const left = calls.map(call => ({ call, fate: fateOf(facts, { unit, span: call.span, in: call.in, call }, c => isUndoing(c, call, unit)) })).find(l => l.fate !== 'put back')
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
        at: call.span, unit: unit.id, confidence: harmless || hooksUnseen(facts) || (unit.role.is === 'hook' && facts.language === 'typescript' && !sharesProcess(facts)) ? 'low' : inheritsUnseen(facts, unit) || unit.role.is === 'hook' ? lower(sure) : sure,
        message: told(what, fate),
      }
    }
  },
)

/** Every file has its own process, and nobody comes after this one. */
const isLastOfFile = (facts: FileFacts, unit: Unit): boolean =>
  facts.language === 'typescript' && unit.role.is === 'test' && !sharesProcess(facts) && !facts.units.some(u => u.role.is === 'test' && u.span.start > unit.span.end)

/** The time of a clock that hooks have replaced is set by them before or after each test. */
const setAnew = (facts: FileFacts, unit: Unit, { name }: Call): boolean =>
  unit.role.is === 'test' && /[.]setSystemTime$/.test(name) && [...inForce(facts, unit), ...afterwards(facts, unit).map(c => c.unit)].some(u => u.role.is === 'hook' && u.role.per === 'test' && u.calls.some(c => c.name === name))

const told = (what: string, fate: Fate): string =>
  fate === 'stays' ? `replaces the ${what}, and nothing puts it back: later tests run by it too` : `replaces the ${what} and puts it back in the body: a failure before that leaves it replaced`

/** Where the zone is a variable of the whole process: `time.Local = zone`, here or in a helper. */
function* zoneLeft(facts: FileFacts, unit: Unit): Generator<Report> {
  if (facts.language !== 'go') return
  const isZone = (u: Unit) => u.writes.some(w => w.target === ZONE)
  const change = changesIn(facts, unit, 'global-write', new RegExp(`^${ZONE}$`)).find(c => c.write ?? (c.through !== undefined && isZone(facts.units[c.call!.target!]!)))
  const fate = change && fateOf(facts, change, c => touches(c, ZONE))
  if (change && fate && fate !== 'put back' && !isKeptBack(facts, unit, c => touches({ unit, span: c.span, in: c.in, call: c }, ZONE))) yield { at: change.span, unit: unit.id, confidence: hooksUnseen(facts) ? 'low' : 'medium', message: told('time zone', fate) }
}

const ZONE = 'time.Local'

/** Hooks by these names are mocha's, which runs all files in one process; those of node:test are imported. */
const sharesProcess = (facts: FileFacts): boolean =>
  facts.units.some(u => u.role.is === 'hook' && /^(before|after)$/.test(u.name)) && !facts.imports.some(i => /^(node:test|vitest|bun:test)\b/.test(i.name))

/** `freezer.start()`, where the freezer is a fake clock that the unit made. */
function startsFake(call: Call, unit: Unit): boolean {
  if (!/[.]start$/.test(call.name) || !call.receiver) return false
  const { receiver } = call
  const from = receiver.is === 'name' ? unit.writes.findLast(w => w.target === receiver.path && w.span.start < call.span.start)?.value : receiver
  return from?.is === 'call' && has(unit.calls[from.call]!, 'fake-clock') && /(freeze_time|travel)$/.test(unit.calls[from.call]!.name)
}

function replaced(call: Call, unit: Unit): string | undefined {
  const changed = effectOf(call, 'global-write')?.what
  // Setting it to nothing only asks what it is.
  const last = call.args.at(-1)
  if (last?.is === 'literal' && last.value === null) return undefined
  if (changed === 'time zone' || changed === 'locale') return changed
  if (startsFake(call, unit)) return 'clock'
  return has(call, 'fake-clock') && INSTALLS.test(call.name) && !/^(cy|page|browserContext|t)\./.test(call.name) ? 'clock' : undefined
}

/** A clock is undone by its counterpart or by whatever a fake was kept in; a zone or locale by setting it again. */
function isUndoing({ call, unit }: Change, fake: Call, from: Unit): boolean {
  if (!call || call === fake) return false
  const started = startsFake(fake, from) && fake.receiver?.is === 'name' ? `${fake.receiver.path}.stop` : undefined
  const stopped = call.receiver?.is === 'name' && /[.]stop$/.test(call.name) ? `${call.receiver.path}.stop` : undefined
  if (started !== undefined && (stopped === started || call.args.some(a => a.is === 'name' && a.path === started))) return true
  if (has(call, 'real-clock') || (has(fake, 'global-write') && (call.name === fake.name || call.args.some(a => a.is === 'name' && a.path === fake.name)))) return true
  if (has(fake, 'global-write') && /[.]activate$/.test(fake.name) && call.name.startsWith(fake.name.replace(/activate$/, 'deactivate'))) return true
  const kept = from.writes.find(w => w.value.is === 'call' && from.calls[w.value.call] === fake)?.target
  const receiver = call.receiver?.is === 'name' ? call.receiver.path : undefined
  return has(fake, 'fake-clock') && unit !== undefined && /(^|\.)(restore|uninstall|stop|reset|useRealTimers|close)$/.test(call.name) && (kept === undefined ? /clock|timer|sandbox/i.test(receiver ?? '') : receiver === kept)
}
