import type { FileFacts, Skip } from '../../facts/facts.ts'
import { isTestCode, marked } from '../../facts/query.ts'
import { defineRule, type Confidence, type FileView, type Severity } from '../rule.ts'

const FLAKY =
  /flak(e(?!\d)|y|i)|\bintermittent|\bunstable\b(?! (api|feature|rust|branch|version))|\bsporadic|non-?determin|\bsometimes\b|\boccasional|\brac(e condition|es|y)\b|\btiming[- ](issue|depend|sensitive|problem)|\b(?<!will )hangs?\b(?! currently)|\btim(es|ed|ing) ?out|\brandom(ly)? fail|\bfails? random|\bunreliable/i
const IN_CI = /\bCI\b|GITHUB_ACTIONS|TRAVIS|JENKINS|APPVEYOR|CIRCLECI|BUILDKITE|GITLAB_CI|AZURE_PIPELINES/
/** The guard asks how the thing under test went: its status, or whether it left its results. */
const OUTCOME = /\$\{?status\b|\$\?|-[fesdr]\s+\S*(result|output|actual|report|\.out\b|\.log\b)/i

export default defineRule(
  {
    id: 'skipped-test',
    title: 'A test does not run, and nothing says why or until when',
    category: 'masking',
    severity: 'warning',
    triggers: ['skip'],
    confirm: ['unskip'],
    since: '0.1.0',
  },
  function* ({ facts, textOf }) {
    for (const unit of facts.units) {
      // What a benchmark measures decides nothing.
      if (!isTestCode(facts, unit) || facts.kind === 'support' || marked(facts, unit, 'benchmark')) continue
      for (const skip of unit.skips) {
        const verdict = judge({ ...skip, reason: skip.reason ?? commentAt(facts, skip, textOf) })
        if (verdict) yield { at: skip.span, unit: unit.id, ...verdict }
      }
    }
  },
)

function judge({ reason, condition, how }: Skip): { message: string; confidence: Confidence; severity?: Severity } | undefined {
  const why = reason?.trim() ?? ''
  if (condition !== null) {
    if (IN_CI.test(condition))
      return why === ''
        ? { message: `runs everywhere but in CI (${how}), and nothing says why`, confidence: 'medium' }
        : { message: `runs everywhere but in CI: ${why}`, confidence: 'low', severity: 'note' }
    if (OUTCOME.test(condition))
      return { message: 'skips where it should fail: the guard asks how the thing under test went', confidence: 'medium' }
    return undefined
  }
  if (FLAKY.test(why)) return { message: `a flaky test is put away, not cured: ${why}`, confidence: 'high' }
  if (why === '') return { message: `skipped without a reason (${how})`, confidence: 'low', severity: 'note' }
  return { message: `skipped: ${why}`, confidence: 'low', severity: 'note' }
}

/** A comment beside or right above is a reason too. */
function commentAt(facts: FileFacts, { span }: Skip, textOf: FileView['textOf']): string | null {
  const near = facts.comments.filter(c =>
    (c.span.start >= span.end && !textOf({ start: span.end, end: c.span.start }).includes('\n'))
    || (c.span.end <= span.start && /^\s*$/.test(textOf({ start: c.span.end, end: span.start })))
  )
  return near.length === 0 ? null : near.map(c => c.text).join(' ')
}
