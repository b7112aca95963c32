// What protocols say to whoever runs tests for them. A protocol is a generator: it yields what it wants run, is told how that
// went, and returns what it found. It starts nothing, knows no clock and no chance, so a recorded conversation can be replayed.

import type { Listed } from '../runner.ts'

export type ProtocolName = 'multi-run' | 'isolation' | 'ordering' | 'timing' | 'perturbation'

export interface Ask {
  readonly protocol: ProtocolName
  /** In a few words, for the progress line and the record: `alone`, `in suite`, `tests[0:23] + target`. */
  readonly what: string
  /** The tests to run in this order, the target among them; null for the whole suite in its own order. */
  readonly tests: readonly Listed[] | null
  readonly parallel?: boolean
  /** Shuffle by this seed: only where the runner does it itself. */
  readonly seed?: number
  readonly race?: boolean
  /** So many of it side by side, in processes of their own; it fails where one of them does. */
  readonly copies?: number
  /** A shake of the world, by name, and which of its variants. */
  readonly shake?: { readonly name: string; readonly variant: number }
}

/**
 * `timeout` is a failure that is told apart. `missing`: the run left no record of the target. `broken`: the runner itself went
 * wrong. Neither is ever a pass, and nothing is concluded from them.
 */
export type RunOutcome = 'pass' | 'fail' | 'timeout' | 'skip' | 'missing' | 'broken'

export interface Answer {
  readonly outcome: RunOutcome
  readonly setupMs: number | null
  readonly testMs: number | null
  readonly teardownMs: number | null
  /** Wall time of the whole run. */
  readonly ms: number
  /** Above 1, the runner's own retries hid failures. */
  readonly attempts: number
  readonly message?: string
  readonly command: readonly string[]
  /** Ids of the tests that ran before the target, in its own worker; only where the whole suite or a shuffled list was asked for. */
  readonly before?: readonly string[]
  readonly race?: boolean
  readonly leaked?: number
}

export type Protocol<T> = Generator<Ask, T, Answer>

/** One run of the target, as it is kept. */
export interface Run extends Answer {
  readonly ask: Ask
}

export const failed = (run: Pick<Answer, 'outcome'>): boolean => run.outcome === 'fail' || run.outcome === 'timeout'
export const passed = (run: Pick<Answer, 'outcome'>): boolean => run.outcome === 'pass'
/** The target ran and told how it went. */
export const counts = (run: Pick<Answer, 'outcome'>): boolean => failed(run) || passed(run)

export const failuresIn = (runs: readonly Answer[]): number => runs.filter(failed).length
export const countedIn = (runs: readonly Answer[]): number => runs.filter(counts).length

/** Asks for the same thing n times. Two runs in a row of which nothing can be concluded end it: a third would tell no more. */
export function* repeat(ask: Ask, times: number): Protocol<Run[]> {
  const runs: Run[] = []
  let wasted = 0
  while (runs.length < times && wasted < 2) {
    const run = { ask, ...(yield ask) }
    runs.push(run)
    wasted = counts(run) ? 0 : wasted + 1
  }
  return runs
}
