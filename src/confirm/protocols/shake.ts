// Shake one thing of the world and look whether a test that passes begins to fail; beside each shaken run, one at rest.

import type { Listed } from '../runner.ts'
import { fisher } from '../statistics.ts'
import { countedIn, failed, failuresIn, type Ask, type Protocol, type Run } from './ask.ts'

/** A shake as a protocol sees it: a name and a number of ways to do it. */
export interface ShakePlan {
  readonly name: string
  readonly variants: readonly { readonly title: string; readonly asks?: Pick<Ask, 'parallel' | 'seed' | 'copies'>;
    readonly inSuite?: boolean }[]
  /** The same variant always does the same: one run tells. Others need several. */
  readonly sure: boolean
}

export interface Shaken {
  readonly name: string
  readonly variant: number
  readonly title: string
  readonly runs: readonly Run[]
  readonly baseline: readonly Run[]
  /** It made a test fail that passes at rest. */
  readonly revealed: boolean
  /** How likely so unequal counts are by chance. */
  readonly p: number
}

const UNSURE_TIMES = 10
const SURE_TIMES = 3

export function* shake(target: Listed, plan: ShakePlan, alone: readonly Run[]): Protocol<Shaken[]> {
  const made: Shaken[] = []
  for (const [variant, { title, asks, inSuite }] of plan.variants.entries()) {
    const at = { protocol: 'perturbation' as const, tests: inSuite ? null : [target] }
    const shaken: Ask = { ...at, ...asks, what: `${plan.name}: ${title}`, shake: { name: plan.name, variant } }
    const resting: Ask = { ...at, what: `${plan.name}: at rest` }
    const runs: Run[] = [], baseline: Run[] = []
    const most = plan.sure ? SURE_TIMES : UNSURE_TIMES
    for (let n = 0; n < most; n++) {
      const run = { ask: shaken, ...(yield shaken) }
      runs.push(run)
      // What always does the same and did nothing is done with; one run at rest goes with all of its variants.
      if (plan.sure && !failed(run)) break
      baseline.push({ ask: resting, ...(yield resting) })
      if (!plan.sure && isClear(runs, baseline)) break
    }
    if (plan.sure && baseline.length === 0 && variant === plan.variants.length - 1 && made.every(m => m.baseline.length === 0))
      baseline.push({ ask: resting, ...(yield resting) })
    const one = judgeShake(plan.name, variant, title, runs, inSuite ? baseline : [...baseline, ...(baseline.length < 3 ? alone : [])])
    made.push(one)
    if (one.revealed) break
  }
  return made
}

export function judgeShake(name: string, variant: number, title: string, runs: readonly Run[], baseline: readonly Run[]): Shaken {
  const [f, n, g, m] = [failuresIn(runs), countedIn(runs), failuresIn(baseline), countedIn(baseline)]
  return { name, variant, title, runs, baseline, revealed: f > 0 && g === 0 && (m > 0 || name === 'unskip'),
    p: n === 0 || m === 0 ? 1 : fisher(f, n, g, m) }
}

const isClear = (runs: readonly Run[], baseline: readonly Run[]): boolean =>
  failuresIn(runs) >= 3 && failuresIn(baseline) === 0 && fisher(failuresIn(runs), countedIn(runs), 0, countedIn(baseline)) < 0.05
