import { assertionsAfter, effectOf, has, runsIn, valuesIn } from '../../facts/query.ts'
import type { Assertion, Call, Span, Unit } from '../../facts/facts.ts'
import { actsNext } from '../../flow/waiting/pages.ts'
import type { Purpose } from '../../flow/waiting/said.ts'
import { actsBefore, actsBeforePoll, endsNext, isAtMost, isChange, isCleaningUp, isEnd, isForNone, isGlance, isJoin, isLong, isMeasured,
  isOwnPace, isPace, isPacing, isPolledNext, isProgram, isReadAgain, isRepeated, isTurn, looksAfter, looksAtOnce, receivesNext,
  waitsBetween } from '../../flow/waiting/sleeps.ts'
import { type Confidence, type FileView, type Report } from '../rule.ts'
import { confidenceOf, least, lower } from '../wording.ts'

export type Verdict = Pick<Report, 'message' | 'confidence' | 'severity'>

/** The caller says how long. */
export const isTold = (helper: Unit, sleep: Call): boolean =>
  [...sleep.args, ...Object.values(sleep.named)].some(a =>
    [...valuesIn(a, helper)].some(v => v.is === 'name' && helper.params.includes(v.path))
  )

/** The time of a timer stands behind what it does: up to there, unless that is long. */
export function placeOf(unit: Unit, call: Call, { textOf }: FileView): Span {
  const callback = unit.regions.find(r =>
    r.kind === 'closure' && r.span.start >= call.span.start && r.span.start <= call.span.end && r.span.end > call.span.end
  )
  const rest = callback && /^\s*,\s*[\w.* +]+\)?/.exec(textOf({ start: callback.span.end, end: callback.span.end + 40 }))
  return callback && rest && textOf(callback.span).split('\n').length <= 12
    ? { start: call.span.start, end: callback.span.end + rest[0].length }
    : call.span
}

/**
 * Whoever is called just that and is given a time does nothing else, wherever it comes from; so does a helper of the project whose name is
 * one of a pause.
 */
const isCalledSleep = (call: Call): boolean =>
  effectOf(call, 'sleep')?.ms !== undefined
  && (/(^|[./:])[sS]leep$|\(own\)$/.test(call.name) || call.effects.some(e => e.kind === 'sleep' && e.note?.startsWith('pause by name')))

/** A loop that asserts after every sleep looks once each time. */
export const assertsEachTime = (unit: Unit, call: Call): boolean =>
  unit.regions[call.in]!.kind === 'loop' && unit.regions[call.in]!.counted === true
  && unit.assertions.some(a => a.in === call.in && a.span.start > call.span.end)

/** Less than a millisecond is no wait to speak of, unless the next thing is to look. */
export const isLookedAt = (unit: Unit, call: Call, textOf: FileView['textOf']): boolean =>
  unit.assertions.some(a =>
    a.in === call.in && a.span.start > call.span.end
    && /^[\s;)]*(\.await;?\s*)?$/.test(textOf({ start: call.span.end, end: a.span.start }).replace(/(\/\/|#).*/g, ''))
  )

/**
 * Where it stands, or in a callback that looks after it: `on('ready', () => setTimeout(() => { assert(x); done() }, 300))`,
 * `withStore(store => { sleep(50); assert(x) })`.
 */
export const isAwaitedHere = (unit: Unit, call: Call): boolean =>
  runsIn(unit, call.in) === 'inline' || /^setTimeout\((done|hook)\)$/.test(call.name) || looksAfter(unit, call)

/** What else is known of a sleep than where it stands. */
export interface Known {
  readonly waits: string
  /** Looks of functions of the file that are called after it. */
  readonly checks: readonly Assertion[]
  /** What its comment says. */
  readonly said: Purpose | undefined
  /** Whether what is said of the assertion is that nothing has changed. */
  readonly stays: (next: Assertion) => boolean
  /** The test gave something a time that is over by then: what is looked for after it shall be gone. */
  readonly runsOut: boolean
  /** It is the last thing that a helper does, and who calls that asserts next. */
  readonly isLast: boolean
}

export function judge(unit: Unit, call: Call, { waits, checks, said, stays, runsOut, isLast }: Known, textOf: FileView['textOf']): Verdict {
  const after = [...assertionsAfter(unit, call.span.end), ...checks].sort((a, b) => a.span.start - b.span.start)
  const next = after[0]
  const cleans = isCleaningUp(unit, call.in), named = isCalledSleep(call) ? 'high' : confidenceOf(call)
  const sure = cleans ? least('medium', named) : named
  if (unit.role.is === 'helper' && isOwnPace(unit, call))
    return { message: `waits ${waits}, as slow as it was told to be`, confidence: 'low', severity: 'note' }
  if (cleans && !(next && looksAtOnce(unit, call, next)))
    return { message: `waits ${waits} while cleaning up, and hopes that it is enough`, confidence: 'low', severity: 'note' }
  // A wait between the sleep and the assertion makes the sleep harmless more often than not.
  const waitsAnyway = next
    && (receivesNext(unit, call) || isPolledNext(unit, call, next) || waitsBetween(unit, call, next, textOf)
      || unit.calls.some(c => c.span.start > call.span.end && c.span.end <= next.span.end && (has(c, 'sync', 'sync-timed') || isJoin(c))))
  // Too short a wait for nothing lets the test pass.
  const isForNothing = (a: Assertion) =>
    said !== 'start' && !actsBefore(unit, call, a)
    && ((a.claims === 'absence' && !isChange(a) && !runsOut && !isEnd(unit, call, a, textOf)) || isRepeated(unit, call, a, textOf)
      || stays(a) || isAtMost(a))
  // Whether it could be read at all is often asserted first.
  if (next
    && (said === 'still' || isForNone(call, textOf) || isForNothing(next) || after.slice(0, 2).some(a => isReadAgain(unit, call, a))))
    return { message: `waits ${waits} to see that something does not happen: on a slow machine it has not happened yet`,
      confidence: least('medium', sure), severity: 'note' }
  if (next && !waitsAnyway)
    return { message: `waits ${waits} and then asserts: on a slow machine the assertion comes too early`,
      confidence: said === 'start' ? sure : asserted(unit, call, next, sure) }
  return {
    message: `waits ${waits} instead of waiting for what it needs`,
    confidence: call.name === 'cy.wait' || /[.]waitForTimeout$/.test(call.name)
      ? (actsNext(unit, call) ? sure : 'medium')
      : isPacing(unit, call)
      ? 'low'
      : isPolledNext(unit, call, next)
      ? (said === 'start' || said === 'somebody' || (said !== 'clock' && !runsOut && actsBeforePoll(unit, call, next))
        ? least('medium', sure)
        : 'low')
      : isGlance(call)
      ? 'medium'
      : isLong(call) || effectOf(call, 'sleep')?.ms === undefined || isProgram(unit, call)
      ? lower(sure)
      : said === 'start' || said === 'somebody' || isLast || unit.role.is === 'hook' || unit.role.is === 'module'
      ? sure
      : least('medium', sure),
    ...(unit.role.is !== 'test' && { severity: 'note' as const }),
  }
}

function asserted(unit: Unit, call: Call, next: Assertion, sure: Confidence): Confidence {
  return unit.role.is === 'helper' || endsNext(unit, call, next) || isTurn(call) || isLong(call) || isPace(unit, call, next)
      || isChange(next)
      || isMeasured(unit, call, next)
    ? 'medium'
    : sure
}
