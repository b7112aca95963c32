import type { FileFacts, Swallow, Unit } from '../../facts/facts.ts'
import { around, isTestCode, polls, runsIn, within } from '../../facts/query.ts'
import { takeOffMask } from '../../fixes/masks.ts'
import { CLEANUP, isMeantToFail, isNoException, isProbe, isReadAfter, isSignal, putsAwayInShell } from '../../flow/masking/forgiven.ts'
import { printedFailures, type Printed } from '../../flow/masking/printed.ts'
import { TEST_COMMAND } from '../../project/retries.ts'
import { defineRule, type Confidence, type FileView, type Severity } from '../rule.ts'

const BROAD = /^(except( (Exception|BaseException|AssertionError))?|catch( \(?(Exception|Throwable|AssertionError|Error)\)?)?)$/

export default defineRule(
  {
    id: 'swallowed-failure', title: 'A failure is made to vanish, and the test goes on as if nothing had happened', category: 'masking', severity: 'warning',
    triggers: ['swallow'], confirm: ['repeat'], cap: 'medium', since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const swallow of unit.swallows) {
        const verdict = judge(unit, swallow, view)
        if (verdict && !isExcused(facts, swallow, view)) yield { at: swallow.span, unit: unit.id, ...verdict, fixes: takeOffMask(view, swallow) }
      }
      for (const printed of printedFailures(facts, unit, view.textOf)) {
        const verdict = judgePrinted(unit, printed)
        if (verdict && !isExcused(facts, printed, view)) yield { at: printed.span, unit: unit.id, ...verdict }
      }
    }
  },
  function* ({ masks }) {
    for (const { file, span, command, how, kept } of masks ?? []) yield { file, at: span, confidence: kept ? 'low' : 'medium', message: `«${command}» may fail and the run stays green (${how})` }
  },
)

function judge(unit: Unit, swallow: Swallow, { facts, textOf }: FileView): { message: string; confidence: Confidence; severity?: Severity } | undefined {
  if (isSignal(swallow.how) || polls(unit, swallow.in) || runsIn(unit, swallow.in) !== 'inline') return undefined
  // Over a whole test; a test that wants the panic ends with a failure of its own.
  if (swallow.how === 'recover' && unit.role.is === 'test' && unit.assertions.length > 0 && !unit.calls.some(c => c.in === 0 && /\.(Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/.test(c.name)))
    return { message: 'a panic of the test ends here and nobody learns of it (recover)', confidence: 'medium' }
  const cleaning = (unit.role.is === 'hook' && unit.role.when === 'after') || within(unit, swallow.in, 'finally', 'catch')
  const shell = facts.language === 'bash'
  const what = swallow.text.trim().split('\n')[0]!.slice(0, 60)
  const names = swallow.calls.map(i => unit.calls[i]?.name ?? '').filter(Boolean)
  const last = names.at(-1) ?? ''
  const putsAway = CLEANUP.test(what) || CLEANUP.test(last) || (shell && putsAwayInShell(what))
  if (cleaning) return { message: `a failure of «${what}» is dropped while cleaning up`, confidence: 'low', severity: 'note' }
  if (shell) {
    if (isProbe(what)) return undefined
    const message = `«${what}» may fail and nobody learns of it (${swallow.how})`
    return putsAway ? { message, confidence: /^rm\s+-\w*f/.test(what) && unit.role.is === 'test' ? 'medium' : 'low', severity: 'note' } : { message, confidence: (unit.role.is === 'test' || isSetUp(unit) || runsTests(unit, swallow, textOf)) && !isReadAfter(unit, swallow, textOf) ? 'medium' : 'low' }
  }
  if (putsAway) return undefined
  const asserts = assertsIn(unit, swallow)
  // Whoever says something in the catch has thought of it.
  const said = facts.comments.some(c => c.span.start > swallow.span.start && c.span.end < swallow.span.end && !/eslint|noqa|noinspection|pylint|nosec/.test(c.text))
  if (asserts && isMeantToFail(unit, swallow, textOf)) return undefined
  if (asserts && BROAD.test(swallow.how) && !isNoException(swallow)) return { message: `the assertion stands where its failure is caught and dropped (${swallow.how}): it cannot fail`, confidence: said ? 'medium' : 'high', severity: 'error' }
  // Where something is asserted later, what was dropped may be what the test provokes.
  const broad = (BROAD.test(swallow.how) || (swallow.how === '.catch' && unit.assertions.length === 0)) && !said && !unit.assertions.some(a => a.span.start > swallow.span.end)
  return { message: `a failure of «${what}» is dropped (${swallow.how})`, confidence: broad && unit.role.is === 'test' ? 'medium' : 'low', severity: 'note' }
}

const isSetUp = (unit: Unit): boolean => unit.role.is === 'hook' && unit.role.when === 'before' && unit.role.per === 'test'

/** A script that runs tests, by their runner or one file after another, and goes on whatever they say. */
function runsTests(unit: Unit, { text, in: at }: Swallow, textOf: FileView['textOf']): boolean {
  if (TEST_COMMAND.test(`${text} `)) return true
  const loop = [...around(unit, at)].find(r => r.kind === 'loop')
  const over = loop && /\bfor\s+(\w+)\s+in\s+[^;\n]*test/i.exec(textOf(loop.span).slice(0, 200))?.[1]
  return over !== undefined && new RegExp(`^(bash|sh|zsh|source|\\.)?\\s*(-\\w+\\s+)*"?\\$\\{?${over}\\b`).test(text.trim())
}

/** Something is asserted in the `try` before it. */
function assertsIn(unit: Unit, swallow: Swallow): boolean {
  const tried = unit.regions.filter(r => r.kind === 'try' && r.in === swallow.in && r.span.end <= swallow.span.end).sort((a, b) => b.span.end - a.span.end)[0]
  return tried !== undefined && unit.assertions.some(a => a.span.start >= tried.span.start && a.span.end <= tried.span.end)
}

/** Printed, the failure can at least be found by who reads the log; where a claim hangs on it, nobody reads it. */
function judgePrinted(unit: Unit, printed: Printed): { message: string; confidence: Confidence; severity: Severity } | undefined {
  if (isSignal(printed.how) || polls(unit, printed.in) || runsIn(unit, printed.in) !== 'inline' || within(unit, printed.in, 'finally', 'catch')) return undefined
  const what = printed.text.trim().split('\n')[0]!.slice(0, 60)
  if (CLEANUP.test(what) || CLEANUP.test(unit.calls[printed.calls.at(-1) ?? -1]?.name ?? '') || (unit.role.is === 'hook' && unit.role.when === 'after')) return undefined
  const asserts = BROAD.test(printed.how) && !isNoException(printed) && assertsIn(unit, printed)
  const skips = printed.ends && unit.assertions.every(a => a.span.start > printed.span.end)
  const confidence = unit.role.is === 'test' && (asserts || skips) ? 'medium' : 'low'
  return { message: asserts ? `what the test claims stands where its failure is caught and only printed (${printed.how})` : `a failure of «${what}» is only printed (${printed.how})`, confidence, severity: asserts ? 'warning' : 'note' }
}

/** «OK to fail: why» above or beside the line is an answer to the question this rule asks. */
function isExcused(facts: FileFacts, swallow: Swallow, { textOf }: FileView): boolean {
  return facts.comments.some(c => {
    if (!/^ok to fail\b[:,\s-]*\S+/i.test(c.text)) return false
    if (c.span.start >= swallow.span.start) return c.span.start <= swallow.span.end + 200 && !textOf({ start: swallow.span.end, end: c.span.start }).includes('\n')
    // Above: only further comment lines and blanks may stand between.
    return textOf({ start: c.span.end, end: swallow.span.start }).split('\n').slice(1, -1).every(line => /^\s*(#|\/\/|\*|$)/.test(line))
  })
}
