// Is it flaky, and how often does it fail? Ten runs; twenty where none of ten failed.

import type { Listed } from '../runner.ts'
import { counts, failuresIn, repeat, type Protocol, type Run } from './ask.ts'

export type MultiRunLabel = 'none' | 'flaky' | 'highly-flaky' | 'likely-broken'

export interface MultiRun {
  readonly runs: readonly Run[]
  readonly label: MultiRunLabel
  /** Both outcomes were seen: that it is not deterministic is then observed, whatever the label says. */
  readonly nondeterministic: boolean
}

export const FIRST_RUNS = 10

/** `wanted` runs in all, where the user says so; else ten, and ten more where none failed. */
export function* multiRun(target: Listed, wanted?: number): Protocol<MultiRun> {
  const ask = { protocol: 'multi-run', what: 'alone', tests: [target] } as const
  const runs = yield* repeat(ask, wanted ?? FIRST_RUNS)
  if (wanted === undefined && failuresIn(runs) === 0 && runs.every(counts)) runs.push(...(yield* repeat(ask, FIRST_RUNS)))
  return judgeRuns(runs)
}

export function judgeRuns(runs: readonly Run[]): MultiRun {
  const failures = failuresIn(runs), all = runs.filter(counts).length
  return { runs, label: labelOf(failures, all), nondeterministic: failures > 0 && failures < all }
}

/** The table speaks of ten runs: 0, 1–3, 4–7, 8–10. */
export function labelOf(failures: number, runs: number): MultiRunLabel {
  if (failures === 0) return 'none'
  const ofTen = (failures / runs) * 10
  return ofTen < 3.5 ? 'flaky' : ofTen < 7.5 ? 'highly-flaky' : 'likely-broken'
}

export const LABELS: Readonly<Record<MultiRunLabel, string>> = {
  none: 'no failure: it may not be flaky in this environment',
  flaky: 'flakiness confirmed',
  'highly-flaky': 'highly flaky',
  'likely-broken': 'likely a real bug, not flakiness: it appears consistently broken',
}
