import type { Swallow, Unit } from '../../facts/facts.ts'
import { isTestCode, polls, runsIn, within } from '../../facts/query.ts'
import { takeOffMask } from '../../fixes/masks.ts'
import { CLEANUP, isMeantToFail, isNoException, isProbe, isReadAfter, isSignal, putsAwayInShell } from '../../flow/masking/forgiven.ts'
import { printedFailures } from '../../flow/masking/printed.ts'
import { defineRule, type Confidence, type FileView, type Severity } from '../rule.ts'
import { assertsIn, BROAD, isExcused, isSetUp, judgePrinted, runsTests } from './signs.ts'

export default defineRule(
  {
    id: 'swallowed-failure',
    title: 'A failure is made to vanish, and the test goes on as if nothing had happened',
    category: 'masking',
    severity: 'warning',
    triggers: ['swallow'],
    confirm: ['repeat'],
    cap: 'medium',
    since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const swallow of unit.swallows) {
        const verdict = judge(unit, swallow, view)
        if (verdict && !isExcused(facts, swallow, view))
          yield { at: swallow.span, unit: unit.id, ...verdict, fixes: takeOffMask(view, swallow) }
      }
      for (const printed of printedFailures(facts, unit, view.textOf)) {
        const verdict = judgePrinted(unit, printed)
        if (verdict && !isExcused(facts, printed, view)) yield { at: printed.span, unit: unit.id, ...verdict }
      }
    }
  },
  function* ({ masks }) {
    for (const { file, span, command, how, kept } of masks ?? [])
      yield { file, at: span, confidence: kept ? 'low' : 'medium', message: `«${command}» may fail and the run stays green (${how})` }
  },
)

function judge(unit: Unit, swallow: Swallow, { facts, textOf }: FileView):
  | { message: string; confidence: Confidence; severity?: Severity }
  | undefined
{
  if (isSignal(swallow.how) || polls(unit, swallow.in) || runsIn(unit, swallow.in) !== 'inline') return undefined
  // Over a whole test; a test that wants the panic ends with a failure of its own.
  if (swallow.how === 'recover' && unit.role.is === 'test' && unit.assertions.length > 0
    && !unit.calls.some(c => c.in === 0 && /\.(Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/.test(c.name)))
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
    return putsAway
      ? { message, confidence: /^rm\s+-\w*f/.test(what) && unit.role.is === 'test' ? 'medium' : 'low', severity: 'note' }
      : { message,
        confidence: (unit.role.is === 'test' || isSetUp(unit) || runsTests(unit, swallow, textOf)) && !isReadAfter(unit, swallow, textOf)
          ? 'medium'
          : 'low' }
  }
  if (putsAway) return undefined
  const asserts = assertsIn(unit, swallow)
  // Whoever says something in the catch has thought of it.
  const said = facts.comments.some(c =>
    c.span.start > swallow.span.start && c.span.end < swallow.span.end && !/eslint|noqa|noinspection|pylint|nosec/.test(c.text)
  )
  if (asserts && isMeantToFail(unit, swallow, textOf)) return undefined
  if (asserts && BROAD.test(swallow.how) && !isNoException(swallow))
    return { message: `the assertion stands where its failure is caught and dropped (${swallow.how}): it cannot fail`,
      confidence: said ? 'medium' : 'high', severity: 'error' }
  // Where something is asserted later, what was dropped may be what the test provokes.
  const broad = (BROAD.test(swallow.how) || (swallow.how === '.catch' && unit.assertions.length === 0)) && !said
    && !unit.assertions.some(a => a.span.start > swallow.span.end)
  return { message: `a failure of «${what}» is dropped (${swallow.how})`, confidence: broad && unit.role.is === 'test' ? 'medium' : 'low',
    severity: 'note' }
}
