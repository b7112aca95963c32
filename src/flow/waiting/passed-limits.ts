// Limits whose time stands elsewhere than where it runs out: told to a helper of the file, which waits or fails by it, or
// kept by a timer that races with the work.

import type { Call, Span, Unit, Value } from '../../facts/facts.ts'
import { fold, milliseconds, type Folded, type Folding } from '../../facts/fold.ts'
import { argumentOf, around, effectOf, has, isFixture, polls, valuesIn, within } from '../../facts/query.ts'
import { rememberedByName } from '../../facts/remembered.ts'
import { snake } from '../flow.ts'
import { withArguments } from '../helpers.ts'
import { isMeantToFail, isSwallowed, roundsOf, wantsItToPass, type Limit } from './limits.ts'

const MAX_DEPTH = 2
/** Longer than this only a hung run takes, as far as a helper can be told. */
const LONG_MS = 1000
/** A helper that wants nothing to come, or to wait for a while, says so. */
const PASSES =
  /(^|_)(no|not|never|none|nothing|silen\w*|absent|quiet|idle|stays?|still|without|consistently|sleep|delay|pause|times?_?out|timed_?out|expires?|blocks?|slow|drain)($|_)/
/** The first to end wins. */
const RACE = /^Promise\.(race|any)\b|(^|\.)CompletableFuture\.anyOf$/
const ERROR =
  /(Error|Exception|Timeout|Failure)(\.new|::new)?$|^(panic|unreachable|bail|anyhow|unimplemented)!?$|^(reject|rej|fail)$|\.fail$/

export function* passedLimits(unit: Unit, units: readonly Unit[], folding: Folding): Generator<Limit> {
  yield* byDefault(unit, units)
  for (const call of unit.calls) {
    const helper = call.target === undefined ? undefined : units[call.target]
    const at = { span: call.span, in: call.in, sure: false, call }
    if (helper && isTold(call) && isOwn(call, helper) && !isOneOfMany(call, helper, units)) {
      const found = limitOf(helper, withArguments(helper, call, unit, folding), units)
      const limit = found && (!found.raced || isRacing(unit, call)) ? { ...at, ms: found.ms, is: found.is, bare: true } : undefined
      if (limit && !(limit.is === 'guard' && (limit.ms > LONG_MS || isForgiven(unit, call)))) yield limit
    }
    const firing = firesInto(call, unit, units, folding)
    if (firing !== undefined) yield { ...at, ms: firing, is: 'guard', bare: true }
    const sleep = effectOf(call, 'sleep')
    if (!sleep?.ms) continue
    if (isWatchdog(unit, call)) yield { ...at, ms: sleep.ms, is: 'guard', bare: true }
    // Who comes first is asked, or what the work has left.
    if (call.target === undefined && /^asyncio\./.test(call.name) && isRacing(unit, call))
      yield { ...at, ms: sleep.ms, is: 'limit', bare: true }
    if (sleep.ms <= LONG_MS && isAgainst(unit, call)) yield { ...at, ms: sleep.ms, is: 'guard', bare: true }
  }
}

/** `function nextMessage(socket, ms = 200)`, which fails after that, and whom nobody tells another time. */
function* byDefault(helper: Unit, units: readonly Unit[]): Generator<Limit> {
  for (const { target, value, adds, span } of helper.role.is === 'helper' ? helper.writes : []) {
    const place = adds && value.is === 'literal' && typeof value.value === 'number' && value.value <= LONG_MS
      ? helper.params.indexOf(target)
      : -1
    const guard = place < 0
      ? undefined
      : helper.calls.find(c => effectOf(c, 'timeout')?.note === 'guard' && c.args.some(a => a.is === 'name' && a.path === target))
    if (!guard || isPromised(helper, guard) || PASSES.test(snake(helper.name).toLowerCase())) continue
    const untold = units.some(u =>
      u.calls.some(c => c.target === helper.id && c.args.length <= place && !(target in c.named) && !isForgiven(u, c))
    )
    if (untold) yield { span, in: 0, sure: false, ms: (value as { value: number }).value, is: 'guard', bare: true }
  }
}

/** That it fails is wanted, or nobody minds. */
const isForgiven = (unit: Unit, call: Call): boolean =>
  isSwallowed(unit, call.in) || isMeantToFail(unit, call)
  || unit.calls.some(c => /\.catch$/.test(c.name) && c.receiver?.is === 'call' && unit.calls[c.receiver.call] === call)

/** It says how long by itself: what a helper waits by its own count is told there. */
const isTold = (call: Call): boolean => call.args.length + Object.keys(call.named).length > 0

/** `cart.wait(t)`, and two types of the file have a `wait`: which of them is meant, nothing here tells. */
const isOneOfMany = ({ receiver, resolution }: Call, helper: Unit, units: readonly Unit[]): boolean =>
  receiver !== null && resolution !== 'type' && resolution !== 'import'
  && units.some(u => u !== helper && u.role.is === 'helper' && lastOf(u.name) === lastOf(helper.name))
const lastOf = rememberedByName((name: string): string | undefined => /\w+$/.exec(name)?.[0])

/** Told more than it takes, it is another of the same name. */
const isOwn = (call: Call, helper: Unit): boolean =>
  helper.role.is === 'helper' && !isFixture(helper) && (call.args.length <= helper.params.length || helper.params[0] === '1')
  && !has(call, 'spawn', 'stub', 'fake-clock') && !PASSES.test(snake(helper.name).toLowerCase())

interface Found {
  readonly ms: number
  readonly is: 'guard' | 'limit' | 'rounds'
  readonly raced: boolean
}

/** The time that this call of a helper gives to what the helper waits for. */
function limitOf(helper: Unit, given: Folding, units: readonly Unit[], depth = 0): Found | undefined {
  const rounds = helper.params[0] === '1' ? roundsIn(helper, given) : undefined
  if (rounds !== undefined) return { ms: rounds, is: 'rounds', raced: false }
  for (const call of helper.calls) {
    const effect = call.effects.find(e => (e.kind === 'timeout' || e.kind === 'sync-timed') && e.ms === undefined)
    const told = effect && argumentOf(call, effect)
    if (effect && told && isParameter(told, helper)) {
      const ms = countedIn(call, told, helper, given, effect.unitMs ?? 1)
      const limit = { span: call.span, in: call.in, call, is: effect.note === 'guard' && !isGivenBack(helper, call) ? 'guard' : 'limit',
        ms: ms ?? 0 } as const
      // The step of a loop that looks again, or a limit whose end is no failure.
      if (ms === undefined || polls(helper, call.in) || within(helper, call.in, 'loop') || isSwallowed(helper, call.in)) continue
      if (limit.is === 'limit' && (call.result === 'discarded' || wantsItToPass(helper, limit))) continue
      return { ms, is: limit.is, raced: isPromised(helper, call) }
    }
    const late = failsAfter(helper, call)
    const wait = late
      && milliseconds(argumentOf(call, late) ?? call.args[0], helper, given, late.unitMs ?? given.durations['timeout='] ?? 1)
    if (wait !== undefined) return { ms: wait, is: 'guard', raced: true }
    const next = call.target === undefined || depth >= MAX_DEPTH ? undefined : units[call.target]
    const isPassedOn = [...call.args, ...Object.values(call.named)].some(a => isParameter(a, helper))
    const through = next && next !== helper && isPassedOn && isOwn(call, next)
      ? limitOf(next, withArguments(next, call, helper, given), units, depth + 1)
      : undefined
    if (through && (!through.raced || isRacing(helper, call))) return { ...through, raced: false }
  }
  return undefined
}

/** `await(timeout, unit)` in a helper that is told both: what the number counts is told with it. */
function countedIn(call: Call, told: Value, helper: Unit, given: Folding, unitMs: number): number | undefined {
  const next = call.args[call.args.indexOf(told) + 1]
  const unit = next && isParameter(next, helper) && /unit$/i.test(pathOf(next)) ? fold(next, helper, given) ?? 'unknown' : undefined
  return unit === undefined
    ? milliseconds(told, helper, given, unitMs)
    : typeof unit === 'object'
    ? milliseconds(told, helper, given, unit.ms)
    : undefined
}

/** `retry 5 cmd`: a function of a script that looks as often as it is told. */
function roundsIn(helper: Unit, given: Folding): number | undefined {
  for (const [index, region] of helper.regions.entries()) {
    const sleeps = region.kind === 'loop' && region.leaves ? helper.calls.filter(c => has(c, 'sleep') && c.in === index) : []
    const sleep = sleeps.length === 1 ? effectOf(sleeps[0]!, 'sleep')! : undefined
    const step = sleep && (sleep.ms ?? milliseconds(argumentOf(sleeps[0]!, sleep), helper, given, sleep.unitMs ?? 1))
    const rounds = step === undefined ? undefined : roundsOf(region, index, helper, given)
    const own = rounds === undefined ? undefined : roundsOf(region, index, helper, { ...given, constants: () => NOTHING })
    if (rounds !== undefined && rounds > 1 && (own === undefined || sleep!.ms === undefined)) return rounds * step!
  }
  return undefined
}

const NOTHING: ReadonlyMap<string, Folded> = new Map()

/** `case <-time.After(d): return errLate`: whoever called it says whether that is a failure. */
const isGivenBack = (helper: Unit, call: Call): boolean =>
  helper.regions[call.in]!.kind === 'select'
  && !helper.assertions.some(a =>
    a.in === call.in && a.claims === 'presence' && a.span.start <= call.span.start && a.span.end >= call.span.end
  )

const isParameter = (value: Value, helper: Unit): boolean =>
  [...valuesIn(value, helper)].some(v => v.is === 'name' && helper.params.includes(v.path))

/**
 * `new Promise((_, reject) => setTimeout(() => reject(…), ms))`: it fails nobody who does not wait for it; one that can also end well is
 * waited for.
 */
const isPromised = (helper: Unit, call: Call): boolean =>
  [...around(helper, call.in)].some(r =>
    r.call !== undefined && helper.calls[r.call]!.name === 'Promise.new' && !isRacing(helper, helper.calls[r.call]!)
    && !endsWell(helper, r.span)
  )

/** `socket.once('message', resolve)`. */
const endsWell = (helper: Unit, { start, end }: Span): boolean =>
  helper.calls.some(c =>
    c.span.start >= start && c.span.end <= end && (c.name === 'resolve' || c.args.some(a => a.is === 'name' && a.path === 'resolve'))
  )

/** `await sleep(ms); throw new Error('late')`: nothing else than an error comes after it. */
function failsAfter(helper: Unit, call: Call): Call['effects'][number] | undefined {
  const sleep = effectOf(call, 'sleep')
  if (!sleep || sleep.ms !== undefined || within(helper, call.in, 'loop', 'if')) return undefined
  const after = helper.calls.filter(c => c.span.start >= call.span.end && !/\.then$/.test(c.name))
  return helper.assertions.length === 0 && after.length > 0 && after.every(c => ERROR.test(c.name)) ? sleep : undefined
}

/** It is one of those that race, by itself or by the name it is kept under. */
export function isRacing(unit: Unit, call: Call): boolean {
  const isIt = (v: Value): boolean => v.is === 'call' && unit.calls[v.call] === call
  const races = unit.calls.filter(c => isRace(c) && c !== call)
  const kept = races.length > 0 ? unit.writes.find(w => [...valuesIn(w.value, unit)].some(isIt))?.target : undefined
  return races.some(c => c.args.some(a => [...valuesIn(a, unit)].some(v => isIt(v) || (v.is === 'name' && v.path === kept))))
}

const isRace = (call: Call): boolean =>
  RACE.test(call.name) || (call.name === 'asyncio.wait' && /FIRST_(COMPLETED|EXCEPTION)/.test(pathOf(call.named['return_when'])))
const pathOf = (value: Value | undefined): string => (value?.is === 'name' ? value.path : '')

const FAILS = /(^|[.:])(fail(_?(test|now|with\w*))?|fatalf?|panic|exit|_exit|abort|interrupt_main)!?$/i

/** `setTimeout(giveUp, 1000)`, where `giveUp` is a function of the file that fails the test and asks nothing before. */
function firesInto(call: Call, unit: Unit, units: readonly Unit[], folding: Folding): number | undefined {
  const timer = effectOf(call, 'spawn'), isTimer = timer?.note === 'timer', [first, ms] = call.args
  if (!isTimer && !(/[.]setTimeout$/.test(call.name) && call.args.length === 2)) return undefined
  const name = first?.is === 'name' ? first.path : isTimer && ms?.is === 'name' ? ms.path : undefined
  const isNear = (u: Unit) => u.parent === unit.id || u.parent === unit.parent || u.parent === 0
  const fired = name === undefined ? undefined : units.find(u => u.role.is === 'helper' && u.name === name && isNear(u))
  if (!fired?.calls.some(c => c.in === 0 && FAILS.test(c.name))) return undefined
  return isTimer ? timer.ms : milliseconds(ms, unit, folding, 1)
}

/** `go func() { time.Sleep(limit); panic("late") }()`: who is not over by then has failed. */
function isWatchdog(unit: Unit, call: Call): boolean {
  const region = unit.regions[call.in]!
  if (region.kind !== 'closure' || region.call === undefined || !has(unit.calls[region.call]!, 'spawn')) return false
  const next =
    unit.calls.filter(c => c.span.start >= call.span.end && c.span.end <= region.span.end).sort((a, b) => a.span.start - b.span.start)[0]
  if (next === undefined || next.in !== call.in || !FAILS.test(next.name)) return false
  return !unit.assertions.some(a => a.in === call.in && a.span.start >= call.span.end && a.span.end < next.span.start)
}

/** `select! { … _ = sleep(limit) => panic!() }`: what follows its end is a failure. */
function isAgainst(unit: Unit, call: Call): boolean {
  if (unit.regions[call.in]!.kind !== 'select') return false
  const next = unit.calls.filter(c => c.span.start >= call.span.end).sort((a, b) => a.span.start - b.span.start)[0]
  return next !== undefined && /^(panic|unreachable|bail)!?$/.test(next.name) && within(unit, next.in, 'select')
}
