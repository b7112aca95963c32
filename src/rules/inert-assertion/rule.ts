import type { Call, FileFacts, Span, Unit } from '../../facts/facts.ts'
import { isTestCode, within } from '../../facts/query.ts'
import { countDenial, lookAtStatus } from '../../fixes/bats.ts'
import { endSentence, makeItClaim } from '../../fixes/claims.ts'
import { hollow } from '../../flow/claims/hollow.ts'
import { printedDifferences } from '../../flow/masking/printed.ts'
import { neverAsked, unended } from '../../flow/claims/sentences.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { WORDS } from './words.ts'

/** Tools whose end tells nothing of an earlier `run`. */
const PLAIN =
  /^(echo|printf|cat|ls|cp|mv|rm|mkdir|rmdir|touch|cd|pushd|popd|export|local|sleep|true|:|chmod|ln|sed|git|run|>|>>|tee|unset|load|kill|sync)( |$)/
const TIDIES = /\b(rm|rmi|kill|pkill|stop|delete|remove|destroy|uninstall|umount|down|prune|clean\w*|purge|reset)\b/

export default defineRule(
  {
    id: 'inert-assertion',
    title: 'An assertion cannot fail where it stands',
    category: 'masking',
    severity: 'error',
    triggers: [],
    words: WORDS,
    confirm: ['repeat'],
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const inert of unit.inert ?? []) {
        // Another linter was told of it, so somebody meant it.
        if (facts.comments.some(c => isTold(c, inert.span, view))) continue
        // What is compared inside `raises` is compared for the sake of the exception.
        yield { at: inert.span, unit: unit.id,
          confidence: within(unit, inert.in, 'with', 'try', 'closure') ? 'low' : inert.likely ? 'medium' : 'high',
          message: `this cannot fail: ${inert.how}`, fixes: isBats(facts) ? countDenial(view, unit, inert) : makeItClaim(view, inert) }
      }
      yield* claimless(unit, view)
      yield* unread(unit, view)
    }
  },
)

/** Beside the line, or above it where the linter wants its comment there. */
const isTold = (c: FileFacts['comments'][number], { start, end }: Span, { textOf }: FileView): boolean =>
  (c.span.start >= end && /noqa|pylint|eslint|ruff/.test(c.text) && !textOf({ start: end, end: c.span.start }).includes('\n'))
  || (c.span.end <= start && /shellcheck disable=\S*SC(2314|2315|2251)/.test(c.text)
    && textOf({ start: c.span.end, end: start }).trim() === '')

/** Sentences without an end, and claims that hold whatever happens. */
function* claimless(unit: Unit, view: FileView): Generator<Report> {
  const { facts, textOf } = view
  for (const { call, how, bare } of unended(facts, unit))
    yield { at: call.span, unit: unit.id, confidence: call.resolution === 'guess' || !bare ? 'medium' : 'high',
      message: `this cannot fail: ${how}`, ...(bare && { fixes: endSentence(view, call) }) }
  for (const { span, how } of [...neverAsked(unit), ...hollow(facts, unit, textOf)])
    yield { at: span, unit: unit.id, confidence: 'medium', message: `this cannot fail: ${how}` }
  // Beside other claims it may be a remark.
  for (const span of printedDifferences(unit, textOf))
    yield { at: span, unit: unit.id, confidence: unit.assertions.length === 0 ? 'medium' : 'low',
      message: 'this cannot fail: the difference is printed, and the test goes on' }
}

/** bats' `run` never fails: what it kept must be looked at. */
function* unread(unit: Unit, view: FileView): Generator<Report> {
  const { facts, textOf } = view
  if (!isBats(facts) || unit.role.is !== 'test') return
  const runs = unit.calls.filter(c => c.name === 'run' && c.resolution === 'global')
  for (const [i, call] of runs.entries()) {
    const before = textOf({ start: Math.max(unit.span.start, call.span.start - 40), end: call.span.start })
    const after = textOf({ start: call.span.end, end: Math.min(unit.span.end, call.span.end + 60) })
    const said = (how: string): Report => ({ at: call.span, unit: unit.id, confidence: 'high', message: `this cannot fail: ${how}` })
    if (/\b(if|elif|while|until)\s+(!\s*)?$/.test(before)) yield said('run always succeeds, so the question has one answer')
    else if (/^\s*\|\|\s*(fail|flunk|exit|return|false|die)\b/.test(after))
      yield said('run always succeeds, so what follows || never happens')
    else if (isUnread(unit, call, runs[i + 1], textOf))
      yield { ...said('run keeps the status to itself and nobody looks at it'),
        confidence: unit.assertions.length === 0 ? (runs.length === 1 ? 'high' : 'medium') : 'low', severity: 'warning',
        fixes: lookAtStatus(view, call) }
  }
}

const isBats = (facts: FileFacts): boolean => /\.(bats|bash)$/.test(facts.path)

function isUnread(unit: Unit, call: Call, next: Call | undefined, textOf: FileView['textOf']): boolean {
  const own = textOf(call.span)
  if (/^run\s+(!|-\d|--)/.test(own) || TIDIES.test(own) || within(unit, call.in, 'if', 'else', 'loop', 'subshell', 'background'))
    return false
  const end = next?.span.start ?? unit.span.end
  if (/\b(status|output|lines|stderr|stderr_lines|BATS_RUN_COMMAND)\b/.test(
    textOf({ start: call.span.end, end }).replace(/\s#[^\n]*/g, ''),
  )) return false
  const between = unit.calls.filter(c => c.span.start >= call.span.end && c.span.start < end)
  // A command of somebody's own may well look at the status.
  return between.every(c => c.resolution === 'global' && PLAIN.test(c.name))
    && !unit.assertions.some(a => a.span.start >= call.span.start && a.span.start < end)
}
