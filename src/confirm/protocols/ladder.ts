// The protocols joined: each step is taken because of what the one before showed.

import type { Listed } from '../runner.ts'
import { counts, countedIn, failed, failuresIn, passed, repeat, type Protocol, type Run } from './ask.ts'
import { isolation, judgeIsolation, suiteRuns, type Isolation, type Scope } from './isolation.ts'
import type { Known, Situation } from './known.ts'
import { multiRun } from './multi-run.ts'
import { ordering, type Ordering } from './ordering.ts'
import { shake } from './shake.ts'
import { reordered } from './shuffle.ts'
import { judgeTiming, parallelRuns, raceRuns } from './timing.ts'

/** Runs alone where the user asks for repetition itself. */
const REPEATED = 30
/** Runs alone and in suite that all shards make together, where the user does not say. */
const SHARDED_RUNS = 60
const SHARDED_SUITE_RUNS = 20

/** What falls to one of n, so that all of them together make the whole. */
const shareOf = (all: number, { index, of }: { readonly index: number; readonly of: number }): number =>
  Math.floor((all * index) / of) - Math.floor((all * (index - 1)) / of)

export function* ladder(situation: Situation, known: Known): Protocol<void> {
  const { target, runs, only, shard } = situation
  const alone = yield* multiRun(target, shard ? shareOf(runs ?? SHARDED_RUNS, shard) : runs ?? (only.has('repeat') ? REPEATED : undefined))
  known.multiRun = alone
  known.timing = judgeTiming(alone.runs, [], [], [])
  if (!alone.runs.some(counts)) return only.has('unskip') ? yield* shakes(situation, known) : undefined
  if (shard) {
    const inSuite = yield* repeat({ protocol: 'isolation', what: 'in suite', tests: null }, shareOf(SHARDED_SUITE_RUNS, shard))
    known.isolation = judgeIsolation(alone.runs, inSuite, 'suite')
    return
  }
  // The runner's retries have shown that it fails: that is what was asked.
  if (alone.runs.some(r => r.attempts > 1) && failuresIn(alone.runs) === 0) return
  const focused = only.size > 0 && failuresIn(alone.runs) === 0
  if (focused && !wants(situation, 'isolate', 'shuffle-order', 'parallelise')) return yield* shakes(situation, known)
  if (situation.listed.length > 1 && (!focused || only.has('isolate'))) {
    known.isolation = yield* inSuite(situation, alone.runs)
    switch (known.isolation.reading) {
      case 'ordering-dependent':
        return yield* interferers(situation, known, 'polluter', known.isolation.inSuite)
      case 'brittle':
        return yield* interferers(situation, known, 'setter', known.isolation.inSuite)
      case 'consistently-broken':
        return
      case 'not-ordering-dependent':
      case 'unusual':
        return yield* sideBySide(situation, known)
    }
  }
  if (failuresIn(alone.runs) > 0) return
  yield* otherOrders(situation, known)
  if (known.ordering ?? known.twice?.some(failed)) return
  yield* sideBySide(situation, known)
  if (failuresIn(known.timing.parallel) > 0) return
  yield* shakes(situation, known)
}

const wants = ({ only }: Situation, ...names: readonly string[]): boolean => only.size === 0 || names.some(n => only.has(n))

/** In the whole suite; in the target's file where one run of the suite takes too long. */
function* inSuite({ target, listed, slowMs, runs }: Situation, alone: readonly Run[]): Protocol<Isolation> {
  const suite: Scope = { name: 'suite', tests: null }
  const file: Scope = { name: 'file', tests: listed.filter(t => t.file === target.file) }
  const times = suiteRuns(runs)
  const steps = isolation(alone, suite, times)
  let next = steps.next()
  for (let first = true; !next.done; first = false) {
    const answer = yield next.value
    if (first && answer.ms > slowMs && target.file !== null && file.tests!.length > 1) return yield* isolation(alone, file, times)
    next = steps.next(answer)
  }
  return next.value
}

/** From the order of a run in which it happened: what ran before the target, in its own process. */
function* interferers(situation: Situation, known: Known, kind: Ordering['kind'], runs: readonly Run[]): Protocol<void> {
  const happened = kind === 'polluter' ? failed : passed
  const shown = runs.findLast(r => happened(r) && (r.before?.length ?? 0) > 0)
  if (!shown) return
  const byId = new Map(situation.listed.map(t => [t.id, t]))
  const candidates = (shown.before ?? []).flatMap(id => byId.get(id) ?? []).filter(t => t !== situation.target)
  const seen = { hits: runs.filter(happened).length, runs: countedIn(runs) }
  known.ordering = yield* ordering({ target: situation.target, candidates: [...new Set(candidates)], kind, seen,
    ...(shown.ask.seed !== undefined && { seed: shown.ask.seed }) })
}

const SEEDS = [1, 2, 3] as const

/** The suite backwards and shuffled, and the target twice in one process. */
function* otherOrders(situation: Situation, known: Known): Protocol<void> {
  if (!wants(situation, 'shuffle-order')) return
  const { target, can } = situation
  const runs: Run[] = []
  known.shuffles = runs
  for (const ask of orders(situation)) {
    const run = { ask, ...(yield ask) }
    runs.push(run)
    if (!failed(run)) continue
    const again = yield* repeat(ask, 4)
    runs.push(...again)
    return yield* interferers(situation, known, 'polluter', [run, ...again])
  }
  if (can.twice && can.sharedProcess)
    known.twice = yield* repeat({ protocol: 'ordering', what: 'target + target', tests: [target, target] }, 2)
}

function* orders({ listed, can, only }: Situation) {
  const seeds = only.has('shuffle-order') ? [...SEEDS, 4, 5, 6, 7, 8, 9, 10] : SEEDS
  if (listed.length < 2) return
  if (can.order !== 'none') {
    const by = can.order
    const made = (what: string, tests: readonly Listed[]) => ({ protocol: 'ordering' as const, what: `suite ${what}`, tests })
    yield made('backwards', reordered(listed, by, 'reversed'))
    for (const seed of seeds) yield made(`shuffled by ${seed}`, reordered(listed, by, seed))
  } else if (can.shuffle) {
    for (const seed of seeds) yield { protocol: 'ordering' as const, what: `suite shuffled by ${seed}`, tests: null, seed }
  }
}

function* sideBySide(situation: Situation, known: Known): Protocol<void> {
  const { can, target } = situation
  const times = suiteRuns(situation.runs)
  const timed = known.multiRun?.runs ?? []
  const serial = known.isolation?.inSuite ?? []
  const parallel = can.parallel && wants(situation, 'parallelise') && situation.listed.length > 1 ? yield* parallelRuns(times) : []
  known.timing = judgeTiming(timed, parallel, serial, [])
  // Without runs of the suite one after the other there is nothing to hold the parallel ones against.
  const compared = failuresIn(parallel) > 0 && serial.length === 0
    ? yield* repeat({ protocol: 'isolation', what: 'in suite', tests: null }, times)
    : serial
  const race = can.race && (failuresIn(timed) > 0 || failuresIn(parallel) > 0) ? yield* raceRuns([target]) : []
  known.timing = judgeTiming(timed, parallel, compared, race)
}

function* shakes({ target, shakes: plans }: Situation, known: Known): Protocol<void> {
  for (const plan of plans) {
    const made = yield* shake(target, plan, known.multiRun?.runs ?? [])
    known.shaken.push(...made)
    if (made.some(m => m.revealed)) return
  }
}
