import { around, assertionsAfter, effectOf, frozenClock, has, isCalledElsewhere, isTestCode, polls, runsIn, valuesIn, within } from '../../facts/query.ts'
import type { Assertion, Call, Unit } from '../../facts/facts.ts'
import { followsSync } from '../../flow/waiting.ts'
import { wrappedSleep } from '../../flow/helpers.ts'
import { defineRule, type Report } from '../rule.ts'
import { confidenceOf, duration, lower } from '../wording.ts'

/** So short that it only lets a clock tick. */
const TICK_MS = 10
/** Calls between a sleep and what it is for. */
const NEAR = 2

export default defineRule(
  {
    id: 'fixed-sleep', title: 'A test waits a fixed time instead of waiting for the thing it needs', category: 'waiting', severity: 'warning',
    triggers: ['sleep'], confirm: ['cpu-stress', 'latency-inject'], since: '0.1.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || wrappedSleep(unit)) continue
      for (const call of unit.calls) {
        const sleep = effectOf(call, 'sleep')
        if (!sleep || (sleep.ms !== undefined && sleep.ms < 1) || polls(unit, call.in) || runsIn(unit, call.in) !== 'inline' || within(unit, call.in, 'select')) continue
        // A sleep that races in a select is a limit, not a wait.
        if (frozenClock(facts, unit, call.span.start) || followsSync(unit, call) || isCalledElsewhere(facts, unit) || isAllThereIs(unit)) continue
        yield { at: call.span, unit: unit.id, ...judge(unit, call, duration(sleep)) }
      }
    }
  },
)

/** A test that does nothing but sleep is a stand-in for a slow test, in the suite of a test runner. */
const isAllThereIs = (unit: Unit): boolean => unit.role.is === 'test' && unit.assertions.length === 0 && unit.calls.every(c => has(c, 'sleep', 'log'))

/** Nobody minds whether it is long enough: it paces a loop, lets the clock tick, or a poll with a limit comes after it. */
function isIdle(unit: Unit, call: Call, next: Assertion | undefined): boolean {
  const ms = effectOf(call, 'sleep')?.ms
  const polled = unit.calls.some(c => c.span.start > call.span.end && (!next || c.span.end <= next.span.end) && has(c, 'wait-until'))
  return polled || (ms !== undefined && ms <= TICK_MS) || [...around(unit, call.in)].some(r => r.kind === 'loop' && r.counted) || isDrawn(unit, call)
    || (!next && unit.role.is === 'test' && !unit.calls.some(c => c.span.start > call.span.end && c.target !== undefined))
}

/** So much is done between the sleep and the assertion that the one may not be for the other. */
const isFar = (unit: Unit, call: Call, next: Assertion): boolean => effectOf(call, 'sleep')?.ms === undefined
  || unit.calls.filter(c => c.span.start > call.span.end && c.span.end <= next.span.start && !has(c, 'log')).length > NEAR

/** Shorter than any work: it lets the clock tick. Or it keeps what a loop makes apart, and the assertion comes after the loop. */
const isPace = (unit: Unit, call: Call, next: Assertion): boolean => (effectOf(call, 'sleep')?.ms ?? TICK_MS) < TICK_MS
  || [...around(unit, call.in)].some(r => r.kind === 'loop' && r.counted && next.span.start >= r.span.end)

/** `time.Sleep(m.delay)` in a method: a stand-in that plays a slow partner. */
function isOwnPace(unit: Unit, call: Call): boolean {
  const given = call.args[0]
  return effectOf(call, 'sleep')?.ms === undefined && given?.is === 'name' && given.path.includes('.') && unit.assertions.length === 0
}

const isDrawn = (unit: Unit, call: Call): boolean => [...valuesIn({ is: 'group', of: call.args }, unit)].some(v => v.is === 'call' && has(unit.calls[v.call]!, 'random'))

function judge(unit: Unit, call: Call, waits: string): Pick<Report, 'message' | 'confidence' | 'severity'> {
  const after = assertionsAfter(unit, call.span.end)
  const next = after[0]
  const sure = confidenceOf(call)
  if (unit.role.is === 'helper' && isOwnPace(unit, call)) return { message: `waits ${waits}, as slow as it was told to be`, confidence: 'low', severity: 'note' }
  if (within(unit, call.in, 'finally') || (unit.role.is === 'hook' && unit.role.when === 'after'))
    return { message: `waits ${waits} while cleaning up, and hopes that it is enough`, confidence: 'low', severity: 'note' }
  // A wait between the sleep and the assertion makes the sleep harmless more often than not.
  const waitsAnyway = next && unit.calls.some(c => c.span.start > call.span.end && c.span.end <= next.span.end && has(c, 'wait-until', 'sync', 'sync-timed'))
  if (next?.claims === 'absence')
    return { message: `waits ${waits} to see that something does not happen: on a slow machine it has not happened yet`, confidence: lower(sure), severity: 'note' }
  if (next && !waitsAnyway) return { message: `waits ${waits} and then asserts: on a slow machine the assertion comes too early`, confidence: unit.role.is === 'helper' || isFar(unit, call, next) || isPace(unit, call, next) ? lower(sure) : sure }
  return { message: `waits ${waits} instead of waiting for what it needs`, confidence: isIdle(unit, call, next) ? 'low' : lower(sure), ...(unit.role.is !== 'test' && { severity: 'note' as const }) }
}
