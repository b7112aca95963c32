import type { Call, Cure, Unit, Value } from '../../facts/facts.ts'
import { ancestors, effectOf, has, inForce } from '../../facts/query.ts'
import { afterwards, isEnclosed, mentions, undoes, type Change } from '../../flow/state/leaks.ts'
import { type FileView } from '../rule.ts'

const PATCH = /(^|\.)(patch|stub|sandbox)/i
const RESTORES =
  /(^|\.)(restoreAllMocks|resetAllMocks|restoreAll|restore|verifyAndRestore|mockRestore|mockReset|unstubAllGlobals|unstubAllEnvs|reset|stop|stopall|close|closeOnDemand|clearAllCaches)$/

/** In force after the test, and put on something that the test did not make itself. */
export function outlives({ facts, textOf }: FileView, unit: Unit, call: Call): boolean {
  const effect = effectOf(call, 'mock')!
  if (undoes(unit, call.in) || isEnclosed(unit, call.in, PATCH)
    || facts.units[unit.id]!.regions.some(r => r.kind === 'with' && r.call !== undefined && unit.calls[r.call] === call)) return false
  if (effect.note === 'once started')
    return unit.calls.some(c => /(^|\.)start$/.test(c.name) && c.receiver && isMadeBy(unit, c.receiver, call))
  const keeping = unit.writes.find(w => w.span.start <= call.span.start && w.span.end >= call.span.end)
  if (keeping && /\busing\s+$/.test(textOf({ start: keeping.span.start - 7, end: keeping.span.start }))) return false
  const target = effect.arg === undefined ? undefined : call.args[effect.arg as number]
  if (!target) return effect.note === 'by name'
  const root = target.is === 'name' ? target.path.split(/[.[]/)[0]! : undefined
  if (root === undefined || root === 'this' || root === 'self' || root === 't') return false
  // Made in the test or by a hook before each: it is gone with the test.
  return ![unit, ...ancestors(facts, unit), ...inForce(facts, unit)].some(u =>
    u.params.includes(root) || (u.role.is !== 'module' && u.writes.some(w => w.target === root))
  )
    && !facts.units.some(u =>
      u.role.is === 'module'
      && u.writes.some(w => w.target === root && facts.units.some(h => h.role.is === 'hook' && h.writes.some(x => x.target === root)))
    )
}

const isMadeBy = (unit: Unit, value: Value, call: Call): boolean =>
  value.is === 'call'
    ? unit.calls[value.call] === call
    : value.is === 'name' && unit.writes.some(w => w.target === value.path && w.value.is === 'call' && unit.calls[w.value.call] === call)

/** The names by which it goes: where it is kept, and where that is kept in turn. */
export const keptIn = (unit: Unit, call: Call): readonly string[] => {
  const first = unit.writes.find(w => w.span.start <= call.span.start && w.span.end >= call.span.end)?.target
  return first === undefined ? [] : [first, ...unit.writes.filter(w => w.value.is === 'name' && w.value.path === first).map(w => w.target)]
}

/** Globals and variables of the environment are put back by functions and options of their own: what restores mocks leaves them. */
export const restoreOf = (
  mock: Call,
): Cure => /\.stubGlobal$/.test(mock.name) ? 'restore-globals' : /\.stubEnv$/.test(mock.name) ? 'restore-env' : 'restore-mocks'
const UNSTUBS: Partial<Record<Cure, RegExp>> = { 'restore-globals': /\.unstubAllGlobals$/, 'restore-env': /\.unstubAllEnvs$/ }

/** What puts things back, and this one among them. */
const restores = (call: Call, mock: Call): boolean => RESTORES.test(call.name) && (UNSTUBS[restoreOf(mock)]?.test(call.name) ?? true)

export function isUndoing({ call, unit }: Change, mock: Call, kept: readonly string[]): boolean {
  if (!call || call === mock) return false
  if (restores(call, mock)
    && (/All|stopall|^sinon\.|^jest\.|^vi\.|mock\.(reset|restoreAll)/.test(call.name) || !call.receiver || kept.length === 0
      || kept.some(k => mentions(unit, call.receiver!, k)) || /sandbox|mocks?$/i.test(call.name))) return true
  // What it has recorded is looked at; the whole of it, or what puts it back, may be handed to who calls it.
  return !/assert|expect|verify/i.test(call.name)
    && call.args.some(a =>
      a.is === 'name' && (kept.includes(a.path) || (RESTORES.test(a.path) && kept.some(k => a.path.startsWith(`${k}.`))))
    )
}

/** Whoever puts everything back before each test needs nothing after it. */
export const clearedBefore = ({ facts }: FileView, unit: Unit, mock: Call): boolean =>
  [...inForce(facts, unit), ...afterwards(facts, unit).map(c => c.unit)].some(u =>
    u.role.is === 'hook' && u.calls.some(c => restores(c, mock) && has(c, 'restore'))
  )

/** A spy that only watches calls through: what stays behind is its count. */
export const changesBehaviour = (unit: Unit, call: Call): boolean =>
  !(/spy/i.test(call.name) || (/\bmock\.method$/.test(call.name) && call.args.length < 3))
  || unit.calls.some(c =>
    c.receiver?.is === 'call' && unit.calls[c.receiver.call] === call && /mock|returns|callsFake|throws|resolves|rejects/.test(c.name)
  )

/** Who spies anew gets a spy of his own; only sinon refuses. */
export const onlyWatches = (unit: Unit, call: Call): boolean => !changesBehaviour(unit, call) && !/sinon/.test(call.name)

export function nameOf({ textOf }: FileView, call: Call): string {
  const text = textOf(call.span).replace(/\s+/g, ' ')
  return text.length > 60 ? `${call.name.split('.').slice(-1)[0]}(…)` : text
}
