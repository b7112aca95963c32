// Does it fail by itself, or only when other tests run too?

import type { Listed } from '../runner.ts'
import { countedIn, failuresIn, repeat, type Protocol, type Run } from './ask.ts'
import { fisher } from '../statistics.ts'

export type IsolationReading = 'ordering-dependent' | 'not-ordering-dependent' | 'unusual' | 'consistently-broken' | 'brittle' | 'both-pass'
  | 'unknown'

export interface Isolation {
  readonly isolated: readonly Run[]
  readonly inSuite: readonly Run[]
  readonly reading: IsolationReading
  /** How likely so unequal counts are by chance; null where one side has none. */
  readonly p: number | null
  /** What «in suite» meant: the whole suite, or the target's file where the suite takes too long. */
  readonly scope: 'suite' | 'file'
}

/** As many as the table speaks of; fewer where the user wants fewer runs of anything. */
export const suiteRuns = (wanted: number | undefined): number => Math.min(5, wanted ?? 5)

export interface Scope {
  readonly name: 'suite' | 'file'
  readonly tests: readonly Listed[] | null
}

/**
 * The runs alone are those of the multi-run: the same command. Five runs in suite; where they fail now and then and so few
 * runs could be chance, five more.
 */
export function* isolation(isolated: readonly Run[], scope: Scope, times: number): Protocol<Isolation> {
  const ask = { protocol: 'isolation', what: scope.name === 'suite' ? 'in suite' : 'in its file', tests: scope.tests } as const
  const inSuite = yield* repeat(ask, times)
  const made = judgeIsolation(isolated, inSuite, scope.name)
  if (made.p !== null && made.p > 0.05 && failuresIn(isolated) === 0 && failuresIn(inSuite) > 0)
    inSuite.push(...(yield* repeat(ask, times)))
  return judgeIsolation(isolated, inSuite, scope.name)
}

export function judgeIsolation(isolated: readonly Run[], inSuite: readonly Run[], scope: 'suite' | 'file'): Isolation {
  const [a, n, b, m] = [failuresIn(isolated), countedIn(isolated), failuresIn(inSuite), countedIn(inSuite)]
  return { isolated, inSuite, scope, reading: readingOf(a, n, b, m), p: n === 0 || m === 0 ? null : fisher(a, n, b, m) }
}

function readingOf(a: number, n: number, b: number, m: number): IsolationReading {
  if (n === 0 || m === 0) return 'unknown'
  if (a === 0) return b === 0 ? 'both-pass' : 'ordering-dependent'
  if (a === n) return b === m ? 'consistently-broken' : 'brittle'
  return b === 0 ? 'unusual' : 'not-ordering-dependent'
}

export const READINGS: Readonly<Record<IsolationReading, string>> = {
  'ordering-dependent': 'Ordering-dependent',
  'not-ordering-dependent': 'Not ordering-dependent',
  unusual: 'Unusual — possible resource leak from the test itself',
  'consistently-broken': 'Not flaky — consistently broken',
  brittle: 'Ordering-dependent — it passes only after other tests (brittle)',
  'both-pass': 'It passes both alone and in the suite',
  unknown: 'Nothing can be said: the target left no record',
}
