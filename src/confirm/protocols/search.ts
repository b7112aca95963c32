// Which of many make it happen? A search that stays right when it happens only now and then.
//
// The two halves race: one run of the first, one of the second, and so on until the thing happens. That is proof of where
// the cause is, while its absence in a few runs is not; so no branch is ever taken on weak evidence, and where the thing
// happens always, the race is over after a run or two. Where neither half does it in as many runs as acquit both, parts of
// both are needed together: each is searched with the other held fixed (QuickXplain).

import { passesThatAcquit } from '../statistics.ts'

/** Asks whether it happens with these before the target, in their own order. */
export type Search<T, R> = Generator<readonly T[], R, boolean>

export interface Found<T> {
  readonly cause: readonly T[]
  /** How often it happened with the cause alone, of how many. */
  readonly hits: number
  readonly tries: number
  /** Two hits with the cause alone. */
  readonly confirmed: boolean
}

export interface SearchOptions {
  /** How often it happens with all of them, cautiously. */
  readonly rate: number
  /** It happened every time so far: one run of a half then tells enough to go on, and the confirmation tells if it did not. */
  readonly always: boolean
}

const CONFIRMATIONS = 5
/** A search whose answer does not hold is made again, with twice the patience. */
const ATTEMPTS = 2
/** The rate to plan with after one that was too good to be true. */
const LUCKY = 0.35

export function* search<T>(candidates: readonly T[], { rate, always }: SearchOptions): Search<T, Found<T> | null> {
  if (candidates.length === 0) return null
  let patience = passesThatAcquit(rate)
  if (always) {
    const found = yield* confirm([yield* descend(candidates)], CONFIRMATIONS)
    if (found.confirmed) return found
    // So it does not happen always, or not by one alone: the rate was luck.
    patience = Math.max(patience, passesThatAcquit(LUCKY))
  }
  const position = new Map(candidates.map((c, i) => [c, i]))
  const inOrder = (some: readonly T[]) => [...some].sort((a, b) => position.get(a)! - position.get(b)!)
  let found: Found<T> | null = null
  for (let attempt = 0; attempt < ATTEMPTS && !found?.confirmed; attempt++, patience *= 2) {
    const cause = yield* polish(inOrder(yield* minimise(candidates, [], patience, inOrder)), patience)
    found = yield* confirm(cause, Math.max(CONFIRMATIONS, patience))
  }
  return found
}

/** Plain bisection on one run a step: where the first half is innocent, the second is guilty. */
function* descend<T>(candidates: readonly T[]): Search<T, T> {
  let left = candidates
  while (left.length > 1) {
    const middle = left.length >> 1
    left = (yield left.slice(0, middle)) ? left.slice(0, middle) : left.slice(middle)
  }
  return left[0]!
}

function* minimise<T>(candidates: readonly T[], held: readonly T[], patience: number,
  inOrder: (some: readonly T[]) => T[]): Search<T, readonly T[]>
{
  if (candidates.length <= 1) return candidates
  const middle = candidates.length >> 1
  const first = candidates.slice(0, middle), second = candidates.slice(middle)
  for (let round = 0; round < patience; round++) {
    if (yield inOrder([...held, ...first])) return yield* minimise(first, held, patience, inOrder)
    if (yield inOrder([...held, ...second])) return yield* minimise(second, held, patience, inOrder)
  }
  const ofFirst = yield* minimise(first, [...held, ...second], patience, inOrder)
  const ofSecond = yield* minimise(second, [...held, ...ofFirst], patience, inOrder)
  return [...ofFirst, ...ofSecond]
}

/** Leaves out each in turn: what happens without it does not need it. */
function* polish<T>(rough: readonly T[], patience: number): Search<T, readonly T[]> {
  let cause = rough
  for (const one of rough) {
    if (cause.length === 1) break
    const without = cause.filter(c => c !== one)
    for (let round = 0; round < patience; round++) {
      if (!(yield without)) continue
      cause = without
      break
    }
  }
  return cause
}

/** At least as many runs as the protocol asks for, until it happened twice. */
function* confirm<T>(cause: readonly T[], most: number): Search<T, Found<T>> {
  let hits = 0, tries = 0
  while (tries < most && !(hits >= 2 && tries >= Math.min(most, CONFIRMATIONS))) {
    if (yield cause) hits++
    tries++
    if (tries === 2 && hits === 0 && most === CONFIRMATIONS) break
  }
  return { cause, hits, tries, confirmed: hits >= 2 }
}
