// Races, timeouts and slow set-up show in how long things take, and in what running side by side changes.

import { median } from '../statistics.ts'
import { counts, failed, failuresIn, repeat, type Protocol, type Run } from './ask.ts'

export type Phase = 'setup' | 'test' | 'teardown'

export interface PhaseTiming {
  readonly phase: Phase
  readonly median: number
  readonly max: number
  /** The longest against the median. */
  readonly ratio: number
  /** The longest of them was a run that failed. */
  readonly onFailing: boolean
}

export interface Timing {
  readonly parallel: readonly Run[]
  readonly serial: readonly Run[]
  readonly race: readonly Run[]
  readonly phases: readonly PhaseTiming[]
  readonly observations: readonly string[]
}

const RACE_RUNS = 3
/** Below this, scheduling alone makes any ratio. */
const NOTEWORTHY_MS = 50

/** Side by side and one after the other, the same number of times; with the race detector, where there is one. */
export function* parallelRuns(times: number): Protocol<Run[]> {
  return yield* repeat({ protocol: 'timing', what: 'suite in parallel', tests: null, parallel: true }, times)
}

export function* raceRuns(tests: Run['ask']['tests']): Protocol<Run[]> {
  return yield* repeat({ protocol: 'timing', what: 'with the race detector', tests, race: true }, RACE_RUNS)
}

export function judgeTiming(timed: readonly Run[], parallel: readonly Run[], serial: readonly Run[], race: readonly Run[]): Timing {
  const phases = (['setup', 'test', 'teardown'] as const).flatMap(phase => phaseOf(phase, timed.filter(counts)))
  return { parallel, serial, race, phases,
    observations: [...phases.flatMap(observe), ...sideBySide(parallel, serial),
      ...(race.some(r => r.race) ? ['The race detector reported a data race.'] : [])] }
}

const msOf = (run: Run, phase: Phase): number | null => (phase === 'setup' ? run.setupMs : phase === 'test' ? run.testMs : run.teardownMs)

function phaseOf(phase: Phase, runs: readonly Run[]): PhaseTiming[] {
  const timed = runs.flatMap(run => {
    const ms = msOf(run, phase)
    return ms === null ? [] : [{ ms, failed: failed(run) }]
  })
  if (timed.length < 2) return []
  const middle = median(timed.map(t => t.ms))
  const longest = timed.reduce((a, b) => (b.ms > a.ms ? b : a))
  // A hundredth of a millisecond is nothing that anyone measured.
  return [{ phase, median: middle, max: longest.ms, ratio: longest.ms / Math.max(middle, 0.01), onFailing: longest.failed }]
}

function observe({ phase, max, ratio, onFailing }: PhaseTiming): string[] {
  if (max < NOTEWORTHY_MS) return []
  const times = `${Math.round(ratio)}x`
  if (phase === 'setup' && ratio > 10) return [`Set-up once took ${times} its median — slow resource initialization (database, network).`]
  if (phase === 'test' && ratio > 5 && onFailing)
    return [`A failing run shows the test body taking ${times} longer — a timeout, or a blocking call that waits for something shared.`]
  if (phase === 'teardown' && ratio > 5) return [`Teardown once took ${times} its median — a race in cleaning up.`]
  return []
}

function sideBySide(parallel: readonly Run[], serial: readonly Run[]): string[] {
  if (failuresIn(parallel) === 0 || !serial.some(counts)) return []
  return failuresIn(serial) === 0 ? ['Fails only under parallel execution: shared state or contention for a resource.'] : []
}
