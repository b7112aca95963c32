import { assertionsAfter, effectOf, has, runsIn, valuesIn } from '../../facts/query.ts'
import type { Assertion, Call, Span, Unit } from '../../facts/facts.ts'
import { actsNext } from '../../flow/waiting/pages.ts'
import { isChange, isCleaningUp, isEnd, isGlance, isIdle, isLong, isMeasured, isOwnPace, isPace, isProgram, isRepeated, isTurn, isWaitFor,
  looksAfter, looksAtOnce, receivesNext } from '../../flow/waiting/sleeps.ts'
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

export function judge(unit: Unit, call: Call, waits: string, checks: readonly Assertion[], textOf: FileView['textOf']): Verdict {
  const after = [...assertionsAfter(unit, call.span.end), ...checks].sort((a, b) => a.span.start - b.span.start)
  const next = after[0]
  const sure = isCalledSleep(call) ? 'high' : confidenceOf(call)
  if (unit.role.is === 'helper' && isOwnPace(unit, call))
    return { message: `waits ${waits}, as slow as it was told to be`, confidence: 'low', severity: 'note' }
  const cleans = isCleaningUp(unit, call.in)
  if (cleans && next && looksAtOnce(unit, call, next))
    return next.claims === 'absence' && !isEnd(unit, call, next, textOf)
      ? { message: `waits ${waits} to see that something did not happen: on a slow machine it has not happened yet`,
        confidence: least('medium', sure), severity: 'note' }
      : { message: `waits ${waits} and then asserts: on a slow machine the assertion comes too early`, confidence: least('medium', sure) }
  if (cleans)
    return { message: `waits ${waits} while cleaning up, and hopes that it is enough`, confidence: 'low', severity: 'note' }
  // A wait between the sleep and the assertion makes the sleep harmless more often than not.
  const waitsAnyway = next
    && (receivesNext(unit, call)
      || unit.calls.some(c =>
        c.span.start > call.span.end && c.span.end <= next.span.end && (has(c, 'sync', 'sync-timed') || isWaitFor(c))
      ))
  if (next && ((next.claims === 'absence' && !isChange(next) && !isEnd(unit, call, next, textOf)) || isRepeated(unit, call, next, textOf)))
    return { message: `waits ${waits} to see that something does not happen: on a slow machine it has not happened yet`, confidence: sure,
      severity: 'note' }
  if (next && !waitsAnyway)
    return { message: `waits ${waits} and then asserts: on a slow machine the assertion comes too early`,
      confidence: asserted(unit, call, next, sure) }
  return {
    message: `waits ${waits} instead of waiting for what it needs`,
    confidence: call.name === 'cy.wait' || /[.]waitForTimeout$/.test(call.name)
      ? (actsNext(unit, call) ? sure : 'medium')
      : isIdle(unit, call, next)
      ? 'low'
      : isGlance(call)
      ? 'medium'
      : isLong(call) || effectOf(call, 'sleep')?.ms === undefined || isProgram(unit, call)
      ? lower(sure)
      : sure,
    ...(unit.role.is !== 'test' && { severity: 'note' as const }),
  }
}

function asserted(unit: Unit, call: Call, next: Assertion, sure: Confidence): Confidence {
  return unit.role.is === 'helper' || isTurn(call) || isLong(call) || isPace(unit, call, next) || isChange(next)
      || isMeasured(unit, call, next)
    ? 'medium'
    : sure
}
