// What would be run, in which order, and for how long.

import type { Chosen } from './choose.ts'
import { suiteRuns } from './protocols/isolation.ts'
import type { Situation } from './protocols/known.ts'
import type { Listed } from './runner.ts'
import type { Session } from './session.ts'

export interface PlanStep {
  readonly what: string
  readonly runs: string
  /** Only then. */
  readonly when: string
}

export interface Plan {
  readonly runner: string
  readonly reasons: readonly string[]
  readonly root: string
  readonly target: Listed
  readonly others: readonly Listed[]
  readonly tests: number
  readonly steps: readonly PlanStep[]
  readonly dropped: readonly string[]
  readonly unavailable: readonly { readonly name: string; readonly why: string }[]
  readonly beforeRun: readonly string[]
  readonly budgetMs: number
  /** How long the runner took to list its tests: the least that a run takes. */
  readonly listMs: number
}

export function planOf(chosen: Chosen, situation: Situation,
  more: { readonly session: Session } & Pick<Plan, 'dropped' | 'unavailable' | 'budgetMs' | 'others' | 'beforeRun'>): Plan
{
  const { session, ...rest } = more
  return {
    runner: chosen.runner.title,
    reasons: chosen.detection.reasons,
    root: chosen.root,
    target: situation.target,
    tests: situation.listed.length,
    listMs: session.listMs,
    ...rest,
    steps: situation.shard
      ? [{ what: `part ${situation.shard.index} of ${situation.shard.of} of the runs, alone and in suite`, runs: 'its share',
        when: 'always' }]
      : stepsOf(situation),
  }
}

function stepsOf({ can, only, shakes, runs, listed }: Situation): PlanStep[] {
  const all = only.size === 0
  const many = listed.length > 1
  const times = suiteRuns(runs)
  return [
    { what: 'multi-run: the target alone',
      runs: runs === undefined ? (only.has('repeat') ? '30' : '10, then 10 more where none failed') : String(runs), when: 'always' },
    ...(many && (all || only.has('isolate'))
      ? [{ what: 'isolation: the suite, looking at the target', runs: `${times} to ${times * 2}`, when: 'the target left a record' }]
      : []),
    ...(many && (all || only.has('isolate') || only.has('shuffle-order'))
      ? [{ what: `ordering: a search for the interfering test${can.order === 'none' ? ', in the order that the runner keeps' : ''}`,
        runs: 'about 10 to 45', when: 'it depends on other tests' }]
      : []),
    ...(many && (all || only.has('shuffle-order')) && (can.order !== 'none' || can.shuffle)
      ? [{ what: 'ordering: the suite backwards and shuffled', runs: all ? '4' : '11', when: 'nothing failed so far' }]
      : []),
    ...(many && can.parallel && (all || only.has('parallelise'))
      ? [{ what: 'timing: the suite in parallel', runs: String(times), when: 'no order was found to matter' }]
      : []),
    ...(can.race && all ? [{ what: 'timing: with the race detector', runs: '3', when: 'it failed by itself or in parallel' }] : []),
    ...shakes.map(s => ({ what: `perturbation ${s.name}: ${s.variants.map(v => v.title).join(', ')}`,
      runs: s.sure ? `${s.variants.length} to ${s.variants.length * 6}` : 'at most 20',
      when: all ? 'nothing failed so far' : 'it passes at rest' })
    ),
  ]
}
