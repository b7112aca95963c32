import { around, assertionsAfter, effectOf, frozenClock, has, isCalledElsewhere, isTestCode, looksLikePoll, polls, runsIn, valuesIn, within } from '../../facts/query.ts'
import type { Assertion, Call, Unit } from '../../facts/facts.ts'
import { followsSync, isTimer } from '../../flow/waiting.ts'
import { wrappedSleep } from '../../flow/helpers.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
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
  function* ({ facts, textOf }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || wrappedSleep(unit)) continue
      for (const call of unit.calls) {
        const sleep = effectOf(call, 'sleep')
        if (!sleep || (sleep.ms !== undefined && sleep.ms < 1) || polls(unit, call.in) || runsIn(unit, call.in) !== 'inline' || isRaced(unit, call)) continue
        if (isTimer(unit, call) || frozenClock(facts, unit, call.span.start) || followsSync(unit, call) || isCalledElsewhere(facts, unit) || isAllThereIs(unit) || isUnderTest(unit, call)) continue
        const verdict = judge(unit, call, duration(sleep), textOf)
        yield { at: call.span, unit: unit.id, ...verdict, confidence: letsTick(unit, call) || triesAgain(unit, call, textOf) ? 'low' : verdict.confidence }
      }
    }
  },
)

/** A sleep that races, in a select or against another promise, is a limit, not a wait. */
const isRaced = (unit: Unit, call: Call): boolean =>
  within(unit, call.in, 'select') || [...around(unit, call.in)].some(r => r.kind === 'closure' && r.call !== undefined && /^Promise\.(race|any)\b/.test(unit.calls[r.call]!.name))

/** A test that does nothing but sleep is a stand-in for a slow test, in the suite of a test runner. */
const isAllThereIs = (unit: Unit): boolean => unit.role.is === 'test' && unit.assertions.length === 0 && unit.calls.every(c => has(c, 'sleep', 'log'))

/** What must throw is what sleeps, and nothing comes after it: `assertThrows(Timeout, proxy::slow)`. */
const isUnderTest = (unit: Unit, call: Call): boolean => unit.assertions.some(a => a.compare === 'throws' && a.span.start <= call.span.start && a.span.end >= call.span.end
  && !unit.calls.some(c => c.span.start > call.span.end && c.span.end < a.span.end))

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

/** `time.Sleep(m.delay)` in a method: a stand-in that plays a slow partner. */
function isOwnPace(unit: Unit, call: Call): boolean {
  const given = call.args[0]
  return effectOf(call, 'sleep')?.ms === undefined && given?.is === 'name' && given.path.includes('.') && unit.assertions.length === 0
}

/** A whole second or two beside a date that is printed to the second: the next one shall be another. */
function letsTick(unit: Unit, call: Call): boolean {
  const ms = effectOf(call, 'sleep')?.ms ?? Infinity
  const at = unit.calls.indexOf(call)
  const [before, next] = [unit.calls[at - 1], unit.calls[at + 1]]
  const tells = (c: Call | undefined) => c !== undefined && /^(printed|seconds)$/.test(effectOf(c, 'clock')?.note ?? '')
  return ms % 1000 === 0 && ms <= 2000 && (tells(before) || (tells(next) && before !== undefined && looksLikePoll(before)))
}

/** In a branch that runs what failed before it once more: a pause between two tries. */
function triesAgain(unit: Unit, call: Call, textOf: FileView['textOf']): boolean {
  const branch = [...around(unit, call.in)].find(r => r.kind === 'if' || r.kind === 'else')
  const tried = new Set(unit.calls.filter(c => branch && c.span.start < branch.span.start && !has(c, 'log', 'sleep')).map(c => textOf(c.span)))
  return unit.calls.some(c => branch && c.span.start > call.span.end && c.span.end <= branch.span.end && tried.has(textOf(c.span)))
}

const isDrawn = (unit: Unit, call: Call): boolean => [...valuesIn({ is: 'group', of: call.args }, unit)].some(v => v.is === 'call' && has(unit.calls[v.call]!, 'random'))

/** What was asserted before the sleep is asserted again: nothing is to have changed. */
const isRepeated = (unit: Unit, call: Call, next: Assertion, textOf: FileView['textOf']): boolean =>
  unit.assertions.some(a => a.span.end <= call.span.start && textOf(a.span) === textOf(next.span))

/** An awaited sleep this short lets the event loop turn. */
const isTurn = (call: Call): boolean => call.result === 'awaited' && (effectOf(call, 'sleep')?.ms ?? Infinity) <= TICK_MS

/** `new != old` waits for a change, not for nothing. */
const isChange = (a: Assertion): boolean => a.compare === '!=' && a.operands.length === 2 && a.operands.every(o => o.is !== 'literal')

function judge(unit: Unit, call: Call, waits: string, textOf: FileView['textOf']): Pick<Report, 'message' | 'confidence' | 'severity'> {
  const after = assertionsAfter(unit, call.span.end)
  const next = after[0]
  const sure = confidenceOf(call)
  if (unit.role.is === 'helper' && isOwnPace(unit, call)) return { message: `waits ${waits}, as slow as it was told to be`, confidence: 'low', severity: 'note' }
  if (within(unit, call.in, 'finally') || (unit.role.is === 'hook' && unit.role.when === 'after'))
    return { message: `waits ${waits} while cleaning up, and hopes that it is enough`, confidence: 'low', severity: 'note' }
  // A wait between the sleep and the assertion makes the sleep harmless more often than not.
  const waitsAnyway = next && unit.calls.some(c => c.span.start > call.span.end && c.span.end <= next.span.end && has(c, 'wait-until', 'sync', 'sync-timed'))
  if (next && ((next.claims === 'absence' && !isChange(next)) || isRepeated(unit, call, next, textOf)))
    return { message: `waits ${waits} to see that something does not happen: on a slow machine it has not happened yet`, confidence: lower(sure), severity: 'note' }
  if (next && !waitsAnyway) return { message: `waits ${waits} and then asserts: on a slow machine the assertion comes too early`, confidence: unit.role.is === 'helper' || isTurn(call) || isFar(unit, call, next) || isChange(next) ? lower(sure) : sure }
  return { message: `waits ${waits} instead of waiting for what it needs`, confidence: isIdle(unit, call, next) ? 'low' : lower(sure), ...(unit.role.is !== 'test' && { severity: 'note' as const }) }
}
