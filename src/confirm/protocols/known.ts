// What is known of a test so far. Filled as protocols go, so that whoever is interrupted can still say what there is.

import type { Abilities, Listed } from '../runner.ts'
import type { Run } from './ask.ts'
import { judgeIsolation, type Isolation } from './isolation.ts'
import { judgeRuns, type MultiRun } from './multi-run.ts'
import type { Ordering } from './ordering.ts'
import type { Shaken, ShakePlan } from './shake.ts'
import { judgeTiming, type Timing } from './timing.ts'

export interface Known {
  /** Every run, in the order they were made. */
  readonly runs: Run[]
  multiRun?: MultiRun
  isolation?: Isolation
  shuffles?: readonly Run[]
  twice?: readonly Run[]
  ordering?: Ordering
  timing?: Timing
  readonly shaken: Shaken[]
}

export const nothingKnown = (): Known => ({ runs: [], shaken: [] })

/** What the ladder may use, and what it was asked. */
export interface Situation {
  readonly target: Listed
  /** All tests of the project, in the runner's own order. */
  readonly listed: readonly Listed[]
  readonly can: Abilities
  /** Runs alone, where the user said how many. */
  readonly runs?: number
  /** Only these, where the user named perturbations: the rest of the ladder is left out. */
  readonly only: ReadonlySet<string>
  readonly shakes: readonly ShakePlan[]
  /** A suite that takes longer than this is narrowed to the target's file. */
  readonly slowMs: number
  /** One part of many: its share of the plain runs, and nothing that depends on how they go. `index` counts from 1. */
  readonly shard?: { readonly index: number; readonly of: number }
}

/** Closes what was cut short: parts of which runs exist but no judgement. */
export function closed(known: Known): Known {
  const of = (protocol: string, what?: string) =>
    known.runs.filter(r => r.ask.protocol === protocol && (what === undefined || r.ask.what === what))
  const multiRun = known.multiRun ?? judgeRuns(of('multi-run', 'alone'))
  const inSuite = of('isolation', 'in suite'), inFile = of('isolation', 'in its file')
  const isolation = known.isolation
    ?? (inFile.length > 0
      ? judgeIsolation(multiRun.runs, inFile, 'file')
      : inSuite.length > 0
      ? judgeIsolation(multiRun.runs, inSuite, 'suite')
      : undefined)
  const parallel = of('timing', 'suite in parallel')
  const timing = known.timing ?? judgeTiming(multiRun.runs, parallel, isolation?.inSuite ?? [], of('timing', 'with the race detector'))
  const shuffles = known.shuffles ?? known.runs.filter(r => r.ask.protocol === 'ordering' && r.ask.what.startsWith('suite '))
  return { ...known, multiRun, timing, shuffles, ...(isolation && { isolation }) }
}
