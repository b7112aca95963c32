import type { Assertion, Unit, Value } from '../../facts/facts.ts'
import { isHandedOn, type Origin } from '../../flow/flow.ts'
import { addedRoom, areReadings, boundOf, isAsSlept, isByUnit, isClose, isEased, isEndLessBegin, isHemmedIn, isMoreThanNone, isNamedTime,
  isSteady, isUpToCaller, isWhole, isWidened, namedAsMeasured, namedSpanBound, neverEarly, roomAbove,
  waitsIn } from '../../flow/time/elapsed.ts'
import { areTimes, isRate, isTaken, leftAtLeast } from '../../flow/time/measures.ts'
import { type FileView, type Report } from '../rule.ts'

/**
 * From the first on a busy machine breaks the bound seldom, from the second on only one that stands still; any pause is longer than the
 * third.
 */
export const ROOMY_MS = 2500, LOOSE_MS = 10_000, HAIR_MS = 100

/**
 * Room over what the test itself waits, and bounds from below. In the files of 652 fixes 3 of 32 bounds with so much room were mended, and 28
 * of 160 with less; from below 5 of 11, and none of 13 that are coarser.
 */
const ROOM_MS = 1500, COARSE_MS = 2000

/** `2 tests in 0 seconds`; but `retrying in 5s` and `failed to stop in 2s` tell what somebody set, and beside a date both were given. */
export const TOLD =
  /^(?![^]*\d{4}-\d\d-\d\d)(?![^]*\b(?:[Ff]ail(?:ed|s)? to|[Uu]nable to|[Cc]ould not|[Dd]id not|[Cc]annot|not \w+ed) )[^]*((?<!\b(?:retry|retrying|again|waiting|sleeping|expires?) )\bin|\btook|(?<!\b(?:timeout|timed out|killed|expires?|expired|again) )\bafter) \d+(\.\d+)? ?(s|ms|secs?|seconds?|milliseconds?)\b/

export type Verdict = Pick<Report, 'message' | 'confidence' | 'severity' | 'trace'>

/** What the code under test measured, by its name, against a bound that the test gives. */
export function named(assertion: Assertion, unit: Unit, view: FileView): Verdict | undefined {
  const { compare, operands, span } = assertion
  const side = operands.slice(0, 2).findIndex((o, i) =>
    namedAsMeasured(o, unit, view, span.start) || (compare === 'near' && isAsSlept(o, operands[1 - i], unit, view.folding))
  )
  const bound = side === -1
    ? undefined
    : boundOf(compare === 'other' && operands.length === 3 ? operands[2] : operands[1 - side], unit, view.folding, operands[side])
  const aged = side === -1 ? namedSpanBound(assertion, unit, view) : undefined
  const apart = side === -1 && compare === 'near' && areReadings(operands, unit)
    ? boundOf(assertion.tolerance, unit, view.folding)
    : undefined
  if (apart !== undefined && apart > 0 && apart < ROOMY_MS) return { message: APART, confidence: 'high' }
  if (side === -1 && compare === 'near' && areTimes(assertion, unit, view, ROOMY_MS))
    return { message: APART, confidence: areTimes(assertion, unit, view, 10 * HAIR_MS) ? 'medium' : 'low' }
  if (side === -1)
    return aged !== undefined && aged < LOOSE_MS
      ? { message: ABOVE, confidence: aged < ROOMY_MS ? 'high' : 'low' }
      : leftAtLeast(assertion, unit, view.folding, waitsIn(unit, view.folding))
      ? { message: GONE, confidence: 'medium', severity: 'note' }
      : undefined
  // Without a slack of its own it only allows for the rounding of floats, of what was given.
  if (compare === 'near' || compare === 'other')
    return !isRounding(assertion.tolerance) && bound !== undefined && (bound > 0 || operands.length === 3)
        && (compare === 'other' || assertion.tolerance || operands.length === 3)
        && isClose(assertion, unit, view.folding, ROOMY_MS)
      ? { message: bound === 0 ? ABOVE : CLOSE, confidence: 'high' }
      : undefined
  const isDifference = isEndLessBegin(operands[side]!, unit, span.start) || isTaken(operands[side]!, unit, view, span.start)
  if (operands.length === 2 && operands.every(o => isTaken(o, unit, view, span.start))) return { message: BOTH, confidence: 'high' }
  if ((bound === undefined && !isDifference && !isNamedTime(operands[1 - side], unit))
    || (bound !== undefined && (bound <= 0 || bound >= LOOSE_MS)) || compare === '==') return undefined
  if ((side === 0) === (compare === '<' || compare === '<='))
    return { message: ABOVE, confidence: bound !== undefined
        && (((isDifference ? roomAbove(bound, unit, view.folding) < ROOM_MS : bound <= 10 * HAIR_MS) && !isByUnit(operands[side]!, unit))
          || isHemmedIn(operands[side]!, bound, unit, view.folding))
      ? 'high'
      : (bound ?? 0) >= ROOMY_MS
      ? 'low'
      : 'medium' }
  // A moment less the time of the run grows smaller, the later that is.
  return { message: BELOW, confidence: bound === undefined || operands[side]!.is === 'op' ? 'low' : 'medium', severity: 'note' }
}

/** `InDelta(0.123, stats.RoundTrip, 1e-9)`: no clock counts so finely; it was given, and read back. */
const isRounding = (tolerance: Value | undefined): boolean =>
  tolerance?.is === 'literal' && typeof tolerance.value === 'number' && tolerance.value > 0 && tolerance.value <= 1e-6

export const NONE = 'expects that whole milliseconds went by: what is quick is over within one',
  GONE = 'bounds from below how much of a time is left: on a busy machine more of it is gone',
  WHOLE = 'bounds how long something took from below by the very time that was given: what began before the clock was read is shorter',
  BOTH = 'compares two measured times: either can be stretched by a busy machine',
  APART = 'expects two readings of a clock to be close: a busy machine takes longer between them',
  ABOVE = 'bounds a measured time from above: a busy machine takes longer',
  BELOW = 'bounds how long something took from below to the millisecond: timer and clock do not tick together',
  CLOSE = 'expects a measured time to be close to a given one: a busy machine takes longer'

export function judge(assertion: Assertion, measured: Origin, side: 0 | 1, both: boolean, unit: Unit, view: FileView): Verdict | undefined {
  const { compare } = assertion
  // What is stored and read again is the same, whatever it was.
  if ((compare === '=='
    && assertion.operands.some(o =>
      view.flows.ingredients(unit, o, assertion.span.start).origins.some(x => x.unit === unit.id && isHandedOn(unit, x, assertion.span))
    ))) return undefined
  if (both && compare !== 'other') return { message: BOTH, confidence: 'high' }
  const upper = (side === 0 ? /^<=?$/ : /^>=?$/).test(compare)
  if (isRate(assertion.operands[side], unit, view.flows, assertion.span.start))
    return upper || compare === '=='
      ? undefined
      : { message: 'expects so much in a measured time: a busy machine does less', confidence: 'medium' }
  const bound = boundOf(assertion.operands[1 - side], unit, view.folding, assertion.operands[side])
  if (compare === '==') return { message: 'expects an exact measured time', confidence: measured.unit === unit.id ? 'high' : 'medium' }
  if (compare === 'near' || compare === 'other')
    return isClose(assertion, unit, view.folding, ROOMY_MS) && (compare === 'near' || bound !== undefined)
      ? { message: CLOSE, confidence: 'high' }
      : compare === 'near' && assertion.operands.length === 3 && (bound ?? 0) > 0
      ? { message: waitsIn(unit, view.folding).some(ms => ms > bound! && ms < bound! * 2) ? ABOVE : BELOW, confidence: 'medium',
        severity: 'note' }
      : undefined
  // `time.Until(deadline) > 0`: how long that is, is seldom told beside it.
  if (upper && bound === 0) return { message: GONE, confidence: 'medium', severity: 'note' }
  if (upper) {
    const loose = bound !== undefined && bound >= LOOSE_MS, other = assertion.operands[1 - side]
    const room = bound === undefined ? addedRoom(other, unit, view.folding) : roomAbove(bound, unit, view.folding)
    // The shell counts whole seconds, and what it times are programs that it starts.
    const roomy = view.facts.language === 'bash' ? loose : room >= ROOM_MS
    return { message: 'bounds how long something took from above: a busy machine takes longer',
      confidence: roomy || (bound === undefined && isUpToCaller(other, unit)) ? 'medium' : 'high',
      ...(loose && { severity: 'note' as const }) }
  }
  // Timers and clocks have different grains, so even «at least» is missed by a hair; comparing with nothing is not a bound.
  if (bound === 0 || isWidened(assertion.operands[side]))
    return bound === 0 && /^[<>]$/.test(compare) && isMoreThanNone(measured, assertion.operands[side], unit, assertion.span.start)
      ? { message: NONE, confidence: 'medium', severity: 'note' }
      : undefined
  const waits = waitsIn(unit, view.folding),
    slack = isEased(assertion.operands[1 - side]) || bound !== undefined && waits.some(ms => ms > bound * 1.05 && ms < bound * 20)
  if (!slack && measured.shape === 'duration' && isSteady(view.facts, measured)
    && isWhole(assertion.operands[1 - side], unit, bound !== undefined)) return { message: WHOLE, confidence: 'medium', severity: 'note' }
  return { message: BELOW, confidence: neverEarly(view.facts, measured) || slack
    ? 'low'
    : view.facts.language !== 'java' && bound !== undefined && bound <= COARSE_MS
    ? 'high'
    : 'medium', severity: 'note' }
}
