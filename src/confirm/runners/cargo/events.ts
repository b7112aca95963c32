// The JSON of libtest: what it lists, and what it tells of a run.

import type { TestRecord } from '../../runner.ts'

export interface LibtestEvent {
  readonly type: string
  readonly event: string
  readonly name?: string
  readonly exec_time?: number
  readonly stdout?: string
  readonly message?: string
  readonly source_path?: string
  readonly start_line?: number
}

/** A program that a test started may print half a line before an event: events begin where libtest begins them. */
export const readEvents = (text: string): LibtestEvent[] =>
  text.split('\n').flatMap(line => {
    try {
      return [JSON.parse(line.slice(Math.max(line.indexOf('{ "type": "'), 0))) as LibtestEvent]
    } catch {
      return []
    }
  })

const OUTCOMES: Readonly<Record<string, TestRecord['outcome']>> = { ok: 'pass', failed: 'fail', ignored: 'skip' }

export function recordsOf(events: readonly LibtestEvent[], binary: string, ended: string): TestRecord[] {
  const tests = events.filter(e => e.type === 'test' && e.name !== undefined)
  return tests.filter(e => e.event === 'started').map(({ name }) => {
    const record = { id: `${binary} ${name}`, attempts: 1, setupMs: null, teardownMs: null }
    // Other events only say that it takes long; its end comes later.
    const end = tests.find(e => e.name === name && e.event in OUTCOMES)
    if (!end) return { ...record, testMs: null, outcome: 'fail', message: `the process ended during the test (${ended})` }
    const outcome = OUTCOMES[end.event]!
    return { ...record, testMs: end.exec_time === undefined ? null : end.exec_time * 1000, outcome,
      ...(outcome === 'fail' && { message: headOf(end.stdout ?? end.message ?? '') }) }
  })
}

const headOf = (text: string): string => text.trim().split('\n').slice(0, 6).join('\n')
