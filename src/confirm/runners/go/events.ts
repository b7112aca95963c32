// What `test2json` tells, and the records that follow from it.

import type { TestRecord } from '../../runner.ts'

export interface GoEvent {
  readonly Time?: string
  readonly Action: string
  readonly Test?: string
  readonly Output?: string
}

interface Started {
  readonly name: string
  readonly output: string[]
  /** Whether it waits for its turn among tests that run side by side. */
  paused: boolean
  since: number
  ms: number
  outcome?: TestRecord['outcome']
}

export const readEvents = (text: string): GoEvent[] =>
  text.split('\n').flatMap(line => {
    try {
      return [JSON.parse(line) as GoEvent]
    } catch {
      return []
    }
  })

const OUTCOMES: Readonly<Record<string, TestRecord['outcome']>> = { pass: 'pass', fail: 'fail', skip: 'skip' }

/** One record for each time a test was started. `ended` tells how the process ended, for those it took along. */
export function recordsOf(events: readonly GoEvent[], path: string, ended: string): TestRecord[] {
  const all: Started[] = []
  const latest = new Map<string, Started>()
  for (const event of events) {
    if (event.Test === undefined) continue
    // The rounded `Elapsed` is of no use for tests of a few milliseconds; the stamps are exact.
    const at = Date.parse(event.Time ?? '')
    if (event.Action === 'run') {
      const started: Started = { name: event.Test, output: [], paused: false, since: at, ms: 0 }
      all.push(started)
      latest.set(event.Test, started)
      continue
    }
    const test = latest.get(event.Test)
    if (!test) continue
    if (event.Action === 'output') test.output.push(event.Output ?? '')
    if (event.Action === 'cont') Object.assign(test, { paused: false, since: at })
    if (event.Action === 'pause' || event.Action in OUTCOMES) {
      if (!test.paused) test.ms += at - test.since
      Object.assign(test, event.Action === 'pause' ? { paused: true } : { outcome: OUTCOMES[event.Action] })
    }
  }
  return all.flatMap(test => recordOf(test, path, ended))
}

function recordOf(test: Started, path: string, ended: string): TestRecord[] {
  const record = { id: `${path}.${test.name}`, attempts: 1, setupMs: null, testMs: Number.isFinite(test.ms) ? test.ms : null,
    teardownMs: null }
  const message = messageOf(test.output)
  if (test.outcome !== undefined)
    return [{ ...record, outcome: test.outcome, ...(test.outcome === 'fail' && { message: message || 'a subtest failed' }) }]
  // One that still waited for its turn was never tried.
  return test.paused
    ? []
    : [{ ...record, testMs: null, outcome: 'fail',
      message: `the process ended during the test (${ended})${message === '' ? '' : `\n${message}`}` }]
}

const messageOf = (output: readonly string[]): string =>
  output.join('').split('\n').filter(l => l.trim() !== '' && !/^\s*(=== |--- )/.test(l)).slice(0, 6).join('\n')
