import type { Call, FileFacts, Marker, Span, Unit } from '../../facts/facts.ts'
import { isTestCode } from '../../facts/query.ts'
import { TEST_COMMAND, type Retry } from '../../project/retries.ts'
import { repeatedCommands, untilItSucceeds } from '../../flow/masking/retried-commands.ts'
import { retriedIn } from '../../flow/masking/retried.ts'
import { defineRule, type ProjectReport, type Report } from '../rule.ts'
import { words } from './words.ts'
import { AGAIN, attempts, commentAbove, last, ofTests, repeats, RUNS, SCRIPT, TRACKED } from './signs.ts'

export default defineRule(
  {
    id: 'retry-masks-flake',
    title: 'A test that fails is run again until it passes, so a flake is never seen',
    category: 'masking',
    severity: 'warning',
    triggers: [],
    words,
    confirm: ['repeat'],
    crowds: 5,
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const marker of unit.markers)
        if (marker.is === 'retry' && repeats(marker) && ofTests(facts, unit)) yield* marked(facts, unit, marker, view.textOf)
      for (const { span, sure, by } of [...attempts(unit), ...retriedIn(facts, unit, view.textOf)])
        yield { at: span, unit: unit.id, confidence: sure ? 'medium' : 'low',
          message: `${by === undefined ? AGAIN : `${last(by)} ${RUNS}`}, and nobody learns of it` }
      yield* loops(facts, unit, view.textOf)
    }
  },
  function* ({ retries }) {
    // A command is told by its line and by its flag.
    for (const retry of retries ?? [])
      if (!retries!.some(r => r !== retry && r.file === retry.file && r.span.start < retry.span.start && r.span.end >= retry.span.end))
        yield configured(retry)
  },
)

function* marked(facts: FileFacts, unit: Unit, marker: Marker, textOf: (span: Span) => string): Generator<Report> {
  const tracked = TRACKED.test(
    `${marker.key ?? ''} ${textOf(marker.span)} ${commentAbove(facts, marker.span, textOf)} ${commentAbove(facts, unit.span, textOf)}`,
  )
  yield {
    at: marker.span,
    unit: unit.id,
    confidence: tracked ? 'low' : 'high',
    ...(tracked && { severity: 'note' as const }),
    message: `${last(marker.name)} ${RUNS}, and nobody learns of it`,
  }
}

/** A script that runs a suite in a loop and leaves it when the suite passes; a test that does so with what it tests. */
function* loops(facts: FileFacts, unit: Unit, textOf: (span: Span) => string): Generator<Report> {
  if (facts.language !== 'bash') return
  const isSuite = (c: Call) => c.resolution === 'global' && (TEST_COMMAND.test(`${textOf(c.span)} `) || SCRIPT.test(textOf(c.span)))
  const suite = unit.role.is === 'module' || unit.role.is === 'helper'
    ? [...untilItSucceeds(unit)].find(({ call }) => isSuite(call))
    : undefined
  if (suite)
    yield { at: suite.call.span, unit: unit.id, confidence: 'medium',
      message: 'the tests are run in a loop until they pass: what fails now and then is never seen' }
  for (const { call, acts } of repeatedCommands(facts, unit, textOf))
    yield { at: call.span, unit: unit.id, confidence: acts ? 'medium' : 'low',
      message: `runs ${call.name} again until it succeeds once: what fails now and then is never seen` }
}

const configured = ({ file, span, how, times, kind }: Retry): ProjectReport => ({
  file,
  at: span,
  confidence: kind === 'retry' ? 'high' : 'medium',
  severity: 'note',
  message: kind === 'retry'
    ? `${how} runs failed tests again${times === undefined ? '' : ` (${times})`}: flakes are green, and nobody counts them`
    : `${how}: tests may fail here and the run stays green`,
})
