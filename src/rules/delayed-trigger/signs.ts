import type { Language, Unit } from '../../facts/facts.ts'
import { around, has, runsIn, testOf } from '../../facts/query.ts'
import { cutsShort, isInHandler, type Delay } from '../../flow/waiting/delays.ts'
import { type Limit } from '../../flow/waiting/limits.ts'
import { type FileView, type Place } from '../rule.ts'
import { spell } from '../wording.ts'

/** Two times that lie further apart than this do not race. */
export const RACE = 4
/** And times as long as this are not meant to be close. */
export const LONG_MS = 5000
/** Nothing is sure to have happened after this. */
export const MOMENT_MS = 10
/** A machine that pauses for a moment loses this much: what lies closer together is turned round. */
export const PAUSE_MS = 100
/** Nor does a pause last longer than this. */
const FAR_MS = 500

export const waitOf = ({ ms }: Delay): string => (ms === undefined ? 'a computed time' : `a fixed ${spell(ms)}`)

/**
 * What ends or looks comes at once. Where all share one event loop, whoever sets a timer sets the test a pace: one in eight of those is
 * touched by a fix, of the sleeping threads of the other languages one in sixteen. A handler or a stub only plays slow work.
 */
export const isTelling = (delay: Delay, language: Language): boolean =>
  (delay.ms ?? LONG_MS) <= MOMENT_MS ? cutsShort(delay) : language === 'typescript' && !isInHandler(delay) && !endsTest(delay)

/** `setTimeout(done, 50)`, `setTimeout(() => shop.carts().then(carts => done(carts.length)), 50)`: nothing comes after it. */
function endsTest({ unit, call }: Delay): boolean {
  const isEnd = (name: string) => unit.params.includes(name) || /^(done|end|hook)$/.test(name)
  return call.args.some(a => a.is === 'name' && isEnd(a.path))
    || unit.calls.some(c =>
      c.span.start > call.span.start && isEnd(c.name) && [...around(unit, c.in)].some(r => unit.calls[r.call ?? -1] === call)
    )
}

/** In a helper that stands beside the tests. */
export const isApartFromTests = ({ unit }: Delay, { facts }: FileView): boolean => unit.role.is === 'helper' && !testOf(facts, unit)

export interface Rival extends Place {
  /** A timer runs whatever the test does; a thread that sleeps may begin late itself, but a single pause turns round what is this close. */
  readonly sure: boolean
  /** So much lies between the two that no pause turns them round, or one event loop has them both. */
  readonly far?: boolean
}

export const isFar = (a: number, b: number): boolean => Math.abs(a - b) > FAR_MS
export const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= PAUSE_MS

/** The test has waited by this limit before it sets up the delay: by then it is over. */
export function isPast(limit: Limit, unit: Unit, { unit: own, call }: Delay): boolean {
  const isCase = unit.regions[limit.in]!.kind === 'select', region = isCase ? unit.regions[limit.in]!.in : limit.in
  return unit === own && limit.span.end <= call.span.start && runsIn(unit, limit.in) === 'inline'
    && (isCase || /^(limit|asked|budget|rounds)$/.test(limit.is))
    && (region === 0 || region === call.in || [...around(unit, call.in)].includes(unit.regions[region]!))
}

/** What one thread does comes one after another, however long each takes. */
export function isAfter(region: number, unit: Unit, delay: Delay): boolean {
  const thread = (at: number) => [...around(unit, at)].find(r => r.kind === 'closure' || r.kind === 'background')
  return unit === delay.unit && has(delay.by, 'sleep') && thread(region) !== undefined && thread(region) === thread(delay.call.in)
}
