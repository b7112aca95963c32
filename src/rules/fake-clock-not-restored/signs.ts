import type { Call, FileFacts, Unit } from '../../facts/facts.ts'
import { effectOf, has, inForce } from '../../facts/query.ts'
import { afterwards, type Change, type Fate } from '../../flow/state/leaks.ts'

/** Fakes that hold until they are undone; others belong to an object that the test made, or to one block. */
const INSTALLS =
  /(^|\.)(useFakeTimers|setSystemTime|freeze|install|mockDate|setCurrentMillisFixed|setCurrentMillisOffset|enable)$|^[mM]ock[dD]ate\.set$/
export const GUARD = /DefaultTimeZone|DefaultLocale|freeze|travel|patch|run_with_locale|override/i

/** Every file has its own process, and nobody comes after this one. */
export const isLastOfFile = (facts: FileFacts, unit: Unit): boolean =>
  facts.language === 'typescript' && unit.role.is === 'test' && !sharesProcess(facts)
  && !facts.units.some(u => u.role.is === 'test' && u.span.start > unit.span.end)

/** The time of a clock that hooks have replaced is set by them before or after each test. */
export const setAnew = (facts: FileFacts, unit: Unit, { name }: Call): boolean =>
  unit.role.is === 'test' && /[.]setSystemTime$/.test(name)
  && [...inForce(facts, unit), ...afterwards(facts, unit).map(c => c.unit)].some(u =>
    u.role.is === 'hook' && u.role.per === 'test' && u.calls.some(c => c.name === name)
  )

export const told = (what: string, fate: Fate): string =>
  fate === 'stays'
    ? `replaces the ${what}, and nothing puts it back: later tests run by it too`
    : `replaces the ${what} and puts it back in the body: a failure before that leaves it replaced`

export const ZONE = 'time.Local'

/** Hooks by these names are mocha's, which runs all files in one process; those of node:test are imported. */
export const sharesProcess = (facts: FileFacts): boolean =>
  facts.units.some(u => u.role.is === 'hook' && /^(before|after)$/.test(u.name))
  && !facts.imports.some(i => /^(node:test|vitest|bun:test)\b/.test(i.name))

/** `freezer.start()`, where the freezer is a fake clock that the unit made. */
export function startsFake(call: Call, unit: Unit): boolean {
  if (!/[.]start$/.test(call.name) || !call.receiver) return false
  const { receiver } = call
  const from = receiver.is === 'name'
    ? unit.writes.findLast(w => w.target === receiver.path && w.span.start < call.span.start)?.value
    : receiver
  return from?.is === 'call' && has(unit.calls[from.call]!, 'fake-clock') && /(freeze_time|travel)$/.test(unit.calls[from.call]!.name)
}

export function replaced(call: Call, unit: Unit): string | undefined {
  const changed = effectOf(call, 'global-write')?.what
  // Setting it to nothing only asks what it is.
  const last = call.args.at(-1)
  if (last?.is === 'literal' && last.value === null) return undefined
  if (changed === 'time zone' || changed === 'locale') return changed
  if (startsFake(call, unit)) return 'clock'
  return has(call, 'fake-clock') && INSTALLS.test(call.name) && !/^(cy|page|browserContext|t)\./.test(call.name) ? 'clock' : undefined
}

/** A clock is undone by its counterpart or by whatever a fake was kept in; a zone or locale by setting it again. */
export function isUndoing({ call, unit }: Change, fake: Call, from: Unit): boolean {
  if (!call || call === fake) return false
  const started = startsFake(fake, from) && fake.receiver?.is === 'name' ? `${fake.receiver.path}.stop` : undefined
  const stopped = call.receiver?.is === 'name' && /[.]stop$/.test(call.name) ? `${call.receiver.path}.stop` : undefined
  if (started !== undefined && (stopped === started || call.args.some(a => a.is === 'name' && a.path === started))) return true
  if (has(call, 'real-clock')
    || (has(fake, 'global-write') && (call.name === fake.name || call.args.some(a => a.is === 'name' && a.path === fake.name)))) return true
  if (has(fake, 'global-write') && /[.]activate$/.test(fake.name) && call.name.startsWith(fake.name.replace(/activate$/, 'deactivate')))
    return true
  const kept = from.writes.find(w => w.value.is === 'call' && from.calls[w.value.call] === fake)?.target
  const receiver = call.receiver?.is === 'name' ? call.receiver.path : undefined
  return has(fake, 'fake-clock') && unit !== undefined && /(^|\.)(restore|uninstall|stop|reset|useRealTimers|close)$/.test(call.name)
    && (kept === undefined ? /clock|timer|sandbox/i.test(receiver ?? '') : receiver === kept)
}
