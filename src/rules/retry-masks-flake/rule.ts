import type { Call, FileFacts, Marker, Span, Unit } from '../../facts/facts.ts'
import { around, isTestCode } from '../../facts/query.ts'
import { TEST_COMMAND, type Retry } from '../../project/retries.ts'
import { defineRule, type ProjectReport, type Report } from '../rule.ts'

/** Known, and on its way to be cured: an issue, a date, a reason that is more than a word. */
const TRACKED = /#\d+|https?:\/\/|\b[A-Z]{2,}-\d+|\b20\d\d-\d\d|reason\s*=/

export default defineRule(
  {
    id: 'retry-masks-flake', title: 'A test that fails is run again until it passes, so a flake is never seen', category: 'masking', severity: 'warning',
    triggers: [],
    words: {
      python: ['\\bflaky\\b'], go: ['FlakeAttempts'], java: ['@Retr', 'RepeatedIfExceptions', 'RepeatFailedTest', 'retryAnalyzer', 'successPercentage', '\\bRetry\\w*Rule\\b', 'FlakyTest'],
      typescript: ['retryTimes', 'this\\.retries\\(', '\\bretr(?:y|ies)\\s*:\\s*[1-9\\w]', '\\bretr(?:y|ies)\\s*:\\s*\\{[^}]*(?:Mode|count)\\s*:\\s*[1-9\\w]'], rust: ['#\\[[\\w:]*(?:retry|flaky)'], bash: ['BATS_TEST_RETRIES', '\\b(?:for|until|while)\\b[^\\n]*\\n?[^\\n]*\\btest'],
    },
    confirm: ['repeat'], since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const marker of unit.markers) if (marker.is === 'retry' && repeats(marker)) yield* marked(facts, unit, marker, view.textOf)
      yield* loops(unit, view.textOf)
    }
  },
  function* ({ retries }) {
    for (const retry of retries ?? []) yield configured(retry)
  },
)

/** `retries: 0` and an empty setting turn it off. */
const repeats = ({ key, name }: Marker): boolean => !/^\s*(0|1|false|undefined|null)?\s*$/.test(key ?? 'unset') && !/^\{(?:\s*\w+\s*:\s*(?:0|false|undefined|null)\s*,?)*\s*\}$/.test(key ?? '') && !/successPercentage\s*=\s*100\b/.test(key ?? '') && !/tolerance/i.test(name)

function* marked(facts: FileFacts, unit: Unit, marker: Marker, textOf: (span: Span) => string): Generator<Report> {
  const tracked = TRACKED.test(`${marker.key ?? ''} ${textOf(marker.span)} ${commentAbove(facts, marker.span, textOf)} ${commentAbove(facts, unit.span, textOf)}`)
  yield {
    at: marker.span, unit: unit.id, confidence: tracked ? 'low' : 'high', ...(tracked && { severity: 'note' as const }),
    message: `${last(marker.name)} runs it again when it fails: what fails one time in a few is green, and nobody learns of it`,
  }
}

const last = (name: string): string => name.split(/\.(?=[\w]+$)|::/).at(-1)!

function commentAbove(facts: FileFacts, at: Span, textOf: (span: Span) => string): string {
  return facts.comments.filter(c => (c.span.end <= at.start && /^\s*$/.test(textOf({ start: c.span.end, end: at.start }))) || (c.span.start >= at.end && !textOf({ start: at.end, end: c.span.start }).includes('\n')))
    .map(c => c.text).join(' ')
}

/** A script that runs a suite in a loop and leaves it when the suite passes. */
function* loops(unit: Unit, textOf: (span: Span) => string): Generator<Report> {
  if (unit.role.is !== 'module' && unit.role.is !== 'helper') return
  const isSuite = (c: Call) => TEST_COMMAND.test(`${textOf(c.span)} `)
  for (const call of unit.calls.filter(c => c.resolution === 'global' && isSuite(c))) {
    const loop = [...around(unit, call.in)].find(r => r.kind === 'loop' && r.leaves)
    if (!loop || !/\b(break|exit 0|return 0)\b/.test(textOf(loop.span))) continue
    yield { at: call.span, unit: unit.id, confidence: 'medium', message: 'the tests are run in a loop until they pass: what fails now and then is never seen' }
    return
  }
}

const configured = ({ file, span, how, times, kind }: Retry): ProjectReport => ({
  file, at: span, confidence: kind === 'retry' ? 'high' : 'medium', severity: 'note',
  message: kind === 'retry' ? `${how} runs failed tests again${times === undefined ? '' : ` (${times})`}: flakes are green, and nobody counts them` : `${how}: tests may fail here and the run stays green`,
})
