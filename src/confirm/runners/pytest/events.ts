// What the plugin tells, line by line, and the records that follow from it.

import type { Finished, TestRecord } from '../../runner.ts'

export type PytestEvent =
  | { readonly e: 'item'; readonly id: string; readonly file: string; readonly line: number | null; readonly name: string }
  | { readonly e: 'uncollected'; readonly id: string; readonly message: string }
  | { readonly e: 'start'; readonly id: string }
  | { readonly e: 'phase'; readonly id: string; readonly when: 'setup' | 'call' | 'teardown';
    readonly outcome: 'passed' | 'failed' | 'skipped' | 'rerun'; readonly xfail: boolean; readonly ms: number;
    readonly message: string | null; readonly worker: string | null }
  | { readonly e: 'end'; readonly status: number }

type Phase = Extract<PytestEvent, { e: 'phase' }>

/** A last line cut short by a process that died is left out. */
export const readEvents = (text: string): PytestEvent[] =>
  text.split('\n').flatMap(line => {
    try {
      return [JSON.parse(line) as PytestEvent]
    } catch {
      return []
    }
  })

/** One record for each time a test was started, in the order of the starts. */
export function recordsOf(events: readonly PytestEvent[], finished: Finished): TestRecord[] {
  const started: { id: string; phases: Phase[] }[] = []
  for (const event of events) {
    // A plugin that tries a failed test again starts it anew: that is the same test, once more.
    if (event.e === 'start' && started.findLast(s => s.id === event.id)?.phases.at(-1)?.outcome !== 'rerun')
      started.push({ id: event.id, phases: [] })
    // With several workers their tests interleave, so a phase belongs to the last start of its own test.
    if (event.e === 'phase') started.findLast(s => s.id === event.id)?.phases.push(event)
  }
  return started.map(s => recordOf(s.id, s.phases, finished))
}

function recordOf(id: string, phases: readonly Phase[], finished: Finished): TestRecord {
  const ms = (when: Phase['when']) => phases.findLast(p => p.when === when)?.ms ?? null
  const times = { setupMs: ms('setup'), testMs: ms('call'), teardownMs: ms('teardown') }
  const worker = phases.find(p => p.worker !== null)?.worker
  const reruns = phases.filter(p => p.outcome === 'rerun').length
  const failed = phases.find(p => p.outcome === 'failed')
  const record = { id, attempts: reruns + 1, ...times, ...(worker && { worker }) }
  if (failed) return { ...record, outcome: 'fail', message: tail(failed.message) }
  // A test that never reached its teardown took the process with it, whatever the exit status says.
  if (!phases.some(p => p.when === 'teardown'))
    return { ...record, outcome: 'fail',
      message: `the process ended during the test (${
        finished.timedOut ? 'it took too long' : finished.signal ?? `exit status ${finished.code}`
      })` }
  return { ...record, outcome: phases.some(p => p.outcome === 'skipped' && !p.xfail) ? 'skip' : 'pass',
    ...(reruns > 0 && { message: tail(phases.find(p => p.outcome === 'rerun')!.message) }) }
}

const tail = (message: string | null): string => (message ?? '').trim().split('\n').slice(-6).join('\n')
