import type { Call, FileFacts, Marker, Span, Unit } from '../../facts/facts.ts'
import { ancestors, isTestCode } from '../../facts/query.ts'
import { TEST_COMMAND, type Retry } from '../../project/retries.ts'
import { repeatedCommands, untilItSucceeds } from '../../flow/masking/retried-commands.ts'
import { retriedIn, type Retried } from '../../flow/masking/retried.ts'
import { defineRule, type ProjectReport, type Report } from '../rule.ts'
import { words } from './words.ts'

/** Known, and on its way to be cured: an issue, a date, a reason that is more than a word. */
const TRACKED = /#\d+|https?:\/\/|\b[A-Z]{2,}-\d+|\b20\d\d-\d\d|reason\s*=/

const RUNS = 'runs it again when it fails: what fails one time in a few is green'
const AGAIN = 'does its steps again when they have failed: what fails one time in a few is green'

export default defineRule(
  {
    id: 'retry-masks-flake', title: 'A test that fails is run again until it passes, so a flake is never seen', category: 'masking', severity: 'warning',
    triggers: [],
    words,
    confirm: ['repeat'], crowds: 5, since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const marker of unit.markers) if (marker.is === 'retry' && repeats(marker) && ofTests(facts, unit)) yield* marked(facts, unit, marker, view.textOf)
      for (const { span, sure, by } of [...attempts(unit), ...retriedIn(facts, unit, view.textOf)])
        yield { at: span, unit: unit.id, confidence: sure ? 'medium' : 'low', message: `${by === undefined ? AGAIN : `${last(by)} ${RUNS}`}, and nobody learns of it` }
      yield* loops(facts, unit, view.textOf)
    }
  },
  function* ({ retries }) {
    // A command is told by its line and by its flag.
    for (const retry of retries ?? []) if (!retries!.some(r => r !== retry && r.file === retry.file && r.span.start < retry.span.start && r.span.end >= retry.span.end)) yield configured(retry)
  },
)

/** `@Retry` of a service in the folder of the tests is what the service does. */
const ofTests = (facts: FileFacts, unit: Unit): boolean => facts.language !== 'java' || unit.role.is === 'test' || facts.units.some(u => u.role.is === 'test' && ancestors(facts, u).includes(unit))

/** `retries: 0` and an empty setting turn it off. */
const repeats = ({ key, name }: Marker): boolean => !/^\s*(0|1|false|undefined|null)?\s*$/.test(key ?? 'unset') && !/^\{(?:\s*\w+\s*:\s*(?:0|false|undefined|null)\s*,?)*\s*\}$/.test(key ?? '') && !/successPercentage\s*=\s*100\b/.test(key ?? '') && !/tolerance/i.test(name)

function* marked(facts: FileFacts, unit: Unit, marker: Marker, textOf: (span: Span) => string): Generator<Report> {
  const tracked = TRACKED.test(`${marker.key ?? ''} ${textOf(marker.span)} ${commentAbove(facts, marker.span, textOf)} ${commentAbove(facts, unit.span, textOf)}`)
  yield {
    at: marker.span, unit: unit.id, confidence: tracked ? 'low' : 'high', ...(tracked && { severity: 'note' as const }),
    message: `${last(marker.name)} ${RUNS}, and nobody learns of it`,
  }
}

/** A number that the whole suite is given. */
const attempts = (unit: Unit): Retried[] => unit.writes.filter(w => /\.FlakeAttempts$/.test(w.target) && !(w.value.is === 'literal' && Number(w.value.value) < 2))
  .map(({ span }) => ({ span, by: 'FlakeAttempts', sure: true }))

const last = (name: string): string => name.split(/\.(?=[\w]+$)|::/).at(-1)!

function commentAbove(facts: FileFacts, at: Span, textOf: (span: Span) => string): string {
  return facts.comments.filter(c => (c.span.end <= at.start && /^\s*$/.test(textOf({ start: c.span.end, end: at.start }))) || (c.span.start >= at.end && !textOf({ start: at.end, end: c.span.start }).includes('\n')))
    .map(c => c.text).join(' ')
}

/** A script that is one of the suite by its name, and none that waits for something or prepares it. */
const SCRIPT = /^(?:bash |sh )?"?(?:[\w.$"{}-]*\/)*(?=[\w-]*(?:tests?|e2e|smoke|integration))(?![\w-]*(?:wait|ready|set-?up|start|health|check|up-))[\w-]+\.(?:sh|bash)\b/

/** A script that runs a suite in a loop and leaves it when the suite passes; a test that does so with what it tests. */
function* loops(facts: FileFacts, unit: Unit, textOf: (span: Span) => string): Generator<Report> {
  if (facts.language !== 'bash') return
  const isSuite = (c: Call) => c.resolution === 'global' && (TEST_COMMAND.test(`${textOf(c.span)} `) || SCRIPT.test(textOf(c.span)))
  const suite = unit.role.is === 'module' || unit.role.is === 'helper' ? [...untilItSucceeds(unit)].find(({ call }) => isSuite(call)) : undefined
  if (suite) yield { at: suite.call.span, unit: unit.id, confidence: 'medium', message: 'the tests are run in a loop until they pass: what fails now and then is never seen' }
  for (const { call, acts } of repeatedCommands(facts, unit, textOf))
    yield { at: call.span, unit: unit.id, confidence: acts ? 'medium' : 'low', message: `runs ${call.name} again until it succeeds once: what fails now and then is never seen` }
}

const configured = ({ file, span, how, times, kind }: Retry): ProjectReport => ({
  file, at: span, confidence: kind === 'retry' ? 'high' : 'medium', severity: 'note',
  message: kind === 'retry' ? `${how} runs failed tests again${times === undefined ? '' : ` (${times})`}: flakes are green, and nobody counts them` : `${how}: tests may fail here and the run stays green`,
})
