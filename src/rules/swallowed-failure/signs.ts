import type { FileFacts, Swallow, Unit } from '../../facts/facts.ts'
import { around, polls, runsIn, within } from '../../facts/query.ts'
import { CLEANUP, isNoException, isSignal } from '../../flow/masking/forgiven.ts'
import { type Printed } from '../../flow/masking/printed.ts'
import { TEST_COMMAND } from '../../project/retries.ts'
import { type Confidence, type FileView, type Severity } from '../rule.ts'

export const BROAD = /^(except( (Exception|BaseException|AssertionError))?|catch( \(?(Exception|Throwable|AssertionError|Error)\)?)?)$/

export const isSetUp = (unit: Unit): boolean => unit.role.is === 'hook' && unit.role.when === 'before' && unit.role.per === 'test'

/** A script that runs tests, by their runner or one file after another, and goes on whatever they say. */
export function runsTests(unit: Unit, { text, in: at }: Swallow, textOf: FileView['textOf']): boolean {
  if (TEST_COMMAND.test(`${text} `)) return true
  const loop = [...around(unit, at)].find(r => r.kind === 'loop')
  const over = loop && /\bfor\s+(\w+)\s+in\s+[^;\n]*test/i.exec(textOf(loop.span).slice(0, 200))?.[1]
  return over !== undefined && new RegExp(`^(bash|sh|zsh|source|\\.)?\\s*(-\\w+\\s+)*"?\\$\\{?${over}\\b`).test(text.trim())
}

/** Something is asserted in the `try` before it. */
export function assertsIn(unit: Unit, swallow: Swallow): boolean {
  const tried =
    unit.regions.filter(r => r.kind === 'try' && r.in === swallow.in && r.span.end <= swallow.span.end).sort((a, b) =>
      b.span.end - a.span.end
    )[0]
  return tried !== undefined && unit.assertions.some(a => a.span.start >= tried.span.start && a.span.end <= tried.span.end)
}

/** Printed, the failure can at least be found by who reads the log; where a claim hangs on it, nobody reads it. */
export function judgePrinted(unit: Unit, printed: Printed): { message: string; confidence: Confidence; severity: Severity } | undefined {
  if (isSignal(printed.how) || polls(unit, printed.in) || runsIn(unit, printed.in) !== 'inline'
    || within(unit, printed.in, 'finally', 'catch')) return undefined
  const what = printed.text.trim().split('\n')[0]!.slice(0, 60)
  if (CLEANUP.test(what) || CLEANUP.test(unit.calls[printed.calls.at(-1) ?? -1]?.name ?? '')
    || (unit.role.is === 'hook' && unit.role.when === 'after')) return undefined
  const asserts = BROAD.test(printed.how) && !isNoException(printed) && assertsIn(unit, printed)
  const skips = printed.ends && unit.assertions.every(a => a.span.start > printed.span.end)
  const confidence = unit.role.is === 'test' && (asserts || skips) ? 'medium' : 'low'
  return {
    message: asserts
      ? `what the test claims stands where its failure is caught and only printed (${printed.how})`
      : `a failure of «${what}» is only printed (${printed.how})`,
    confidence,
    severity: asserts ? 'warning' : 'note',
  }
}

/** «OK to fail: why» above or beside the line is an answer to the question this rule asks. */
export function isExcused(facts: FileFacts, swallow: Swallow, { textOf }: FileView): boolean {
  return facts.comments.some(c => {
    if (!/^ok to fail\b[:,\s-]*\S+/i.test(c.text)) return false
    if (c.span.start >= swallow.span.start)
      return c.span.start <= swallow.span.end + 200 && !textOf({ start: swallow.span.end, end: c.span.start }).includes('\n')
    // Above: only further comment lines and blanks may stand between.
    return textOf({ start: c.span.end, end: swallow.span.start }).split('\n').slice(1, -1).every(line => /^\s*(#|\/\/|\*|$)/.test(line))
  })
}
