// From what is known to what a team can act on.

import type { Listed } from '../runner.ts'
import { counts, countedIn, failed, failuresIn, type Run } from './ask.ts'
import type { Known } from './known.ts'

export type Verdict = 'flaky' | 'order-dependent' | 'brittle' | 'parallel-only' | 'environment-sensitive' | 'broken' | 'not-reproduced'
  | 'masked-by-retry' | 'invalid'

export interface Judgement {
  readonly verdict: Verdict
  /** In a sentence. */
  readonly diagnosis: string
  /** The runs that the verdict rests on, and what they have in common. */
  readonly condition: string
  readonly shown: readonly Run[]
  readonly interferers: readonly Listed[]
  /** The run to show again. */
  readonly proof: Run | null
}

export function judge(known: Known, target: Listed): Judgement {
  const alone = known.multiRun?.runs ?? []
  const made = (verdict: Verdict, diagnosis: string, condition: string, shown: readonly Run[],
    more: Partial<Judgement> = {}): Judgement => ({ verdict, diagnosis, condition, shown, interferers: [],
      proof: shown.findLast(failed) ?? null, ...more })

  const shaken = known.shaken.find(s => s.revealed)
  const unskipped = known.shaken.find(s => s.name === 'unskip')
  if (unskipped && countedIn(unskipped.runs) > 0) {
    const f = failuresIn(unskipped.runs), n = countedIn(unskipped.runs)
    return made(f === 0 ? 'not-reproduced' : f === n ? 'broken' : 'flaky',
      `It is marked as skipped; run all the same, it failed ${f} of ${n} times`, unskipped.title, unskipped.runs)
  }
  if (!alone.some(counts)) return made('invalid', whyInvalid(alone), 'alone', alone, { proof: null })

  const ordering = known.ordering
  if (ordering?.confirmed) {
    const names = ordering.interferers.map(t => t.id).join(' + ')
    const after = known.runs.filter(r =>
      r.ask.protocol === 'ordering' && r.ask.tests?.length === ordering.interferers.length + 1
      && ordering.interferers.every((t, i) => r.ask.tests![i] === t)
    )
    return ordering.kind === 'polluter'
      ? made('order-dependent', `It passes alone and fails after ${names}`, `after ${names}`, after, { interferers: ordering.interferers,
        proof: ordering.proof })
      : made('brittle', `It fails alone and passes after ${names}, which sets up what it needs`, 'alone', alone, {
        interferers: ordering.interferers,
      })
  }
  const isolation = known.isolation
  if (isolation?.reading === 'brittle')
    return made('brittle', 'It fails alone and passes among other tests; which of them it needs was not found', 'alone', alone)
  if (known.multiRun!.nondeterministic) return made('flaky', whyFlaky(known), 'alone', alone)
  if (failuresIn(alone) > 0) return made('broken', 'It fails every time: a real bug, not flakiness', 'alone', alone)
  if (isolation && failuresIn(isolation.inSuite) > 0) {
    return (isolation.p ?? 1) <= 0.05
      ? made('order-dependent', 'It passes alone and fails among other tests; which of them spoils it was not found', 'in suite',
        isolation.inSuite)
      : made('flaky',
        `It passed ${countedIn(alone)} times alone and failed ${failuresIn(isolation.inSuite)} of ${
          countedIn(isolation.inSuite)
        } times in the suite: too few to tell whether order matters`, 'in suite', isolation.inSuite)
  }
  const shuffles = known.shuffles ?? []
  if (failuresIn(shuffles) > 0)
    return made('order-dependent', 'It passes alone and in the usual order, and fails in another; which test spoils it was not found',
      'in another order', shuffles)
  if (known.twice?.some(failed))
    return made('order-dependent', 'It spoils itself: run twice in one process, the second run fails', 'twice in one process', known.twice,
      { interferers: [target] })
  const timing = known.timing
  if (timing && failuresIn(timing.parallel) > 0 && failuresIn(timing.serial) === 0)
    return made('parallel-only', 'Fails only under parallel execution', 'suite in parallel', timing.parallel)
  if (shaken) {
    return shaken.name === 'parallelise'
      ? made('parallel-only', `It passes by itself and fails with ${shaken.title}`, shaken.title, shaken.runs)
      : made('environment-sensitive', `It passes as things are and fails under ${shaken.name} (${shaken.title})`,
        `${shaken.name}: ${shaken.title}`, shaken.runs)
  }
  const atRest = [...alone, ...known.runs.filter(r => r.ask.protocol === 'perturbation' && r.ask.shake === undefined)]
  if (failuresIn(atRest) > 0)
    return made('flaky', 'It fails by itself now and then: also at rest, between runs that were shaken', 'alone', atRest)
  const retried = known.runs.filter(r => r.attempts > 1)
  if (retried.length > 0)
    return made('masked-by-retry',
      `It failed in ${retried.length} of ${countedIn(known.runs)} runs, and the runner's own retry made each of them pass`, 'alone', alone,
      { proof: retried.at(-1)! })
  return made('not-reproduced', 'It passed every time', 'alone', alone)
}

function whyFlaky({ timing, isolation }: Known): string {
  if (timing?.race.some(r => r.race)) return 'It fails by itself now and then, and the race detector reported a data race'
  if (timing && failuresIn(timing.parallel) > 0 && isolation && failuresIn(isolation.inSuite) === 0)
    return 'It fails by itself now and then, in the suite only under parallel execution'
  if (isolation?.reading === 'unusual')
    return 'It fails by itself now and then, but not in the suite: possibly a resource that the test itself leaks'
  return 'It fails by itself now and then, whatever runs before it'
}

function whyInvalid(runs: readonly Run[]): string {
  const last = runs.at(-1)
  if (!last) return 'It was not run'
  if (last.outcome === 'skip')
    return 'It is skipped: no run tells anything of it (`--perturb unskip` runs it all the same, where the runner can)'
  if (last.outcome === 'broken') return `The runner could not run it: ${last.message ?? 'no reason given'}`
  return 'The runner ran and left no record of this test: nothing matched, or the process ended before it'
}

/** 1: something was shown. 0: nothing failed. 2: nothing could be run. */
export const exitStatusOf = (verdict: Verdict): 0 | 1 | 2 => (verdict === 'invalid' ? 2 : verdict === 'not-reproduced' ? 0 : 1)
