// The search for interfering tests, on made-up suites: how often it is right, and what it costs.

import { describe, expect, test } from 'vitest'
import { search } from '../src/confirm/protocols/search.ts'
import { seeded, shuffled } from '../src/confirm/protocols/shuffle.ts'
import { cautiousRate } from '../src/confirm/statistics.ts'

interface Suite {
  readonly tests: number
  readonly polluters: number
  readonly rate: number
}

/** One search in a suite whose polluters make the target fail only together, and then only at a rate. */
function once({ tests, polluters, rate }: Suite, seed: number): { readonly right: boolean; readonly runs: number } {
  const chance = seeded(seed)
  const candidates = Array.from({ length: tests }, (_, i) => i)
  const guilty = shuffled(candidates, seed + 1).slice(0, polluters)
  const fails = (ran: readonly number[]) => guilty.every(g => ran.includes(g)) && chance() < rate
  // What the runs in suite have shown before a search begins: five at least, on to three failures.
  let hits = 0, suiteRuns = 0
  while (suiteRuns < 5 || (hits < 3 && suiteRuns < 40)) {
    if (fails(candidates)) hits++
    suiteRuns++
  }
  const steps = search(candidates, { rate: cautiousRate(hits, suiteRuns), always: hits === suiteRuns })
  let runs = 0, next = steps.next()
  while (!next.done) {
    runs++
    next = steps.next(fails(next.value))
  }
  const found = next.value
  return {
    right: found !== null && found.confirmed && found.cause.length === guilty.length && guilty.every(g => found.cause.includes(g)),
    runs,
  }
}

const repeated = (suite: Suite, times = 100) => {
  const made = Array.from({ length: times }, (_, i) => once(suite, 1000 + i * 17))
  return {
    right: made.filter(m => m.right).length,
    mean: made.reduce((sum, m) => sum + m.runs, 0) / times,
    most: Math.max(...made.map(m => m.runs)),
  }
}

describe('is right', () => {
  test('among 1,000 tests, where the target fails half of the time after its polluter: in 45 runs on average at most', () => {
    const { right, mean } = repeated({ tests: 1000, polluters: 1, rate: 0.5 })
    expect(right).toBeGreaterThanOrEqual(98)
    expect(mean).toBeLessThanOrEqual(45)
  })

  test.each([1, 0.5])('where two bite only together among 256, at a rate of %f', rate => {
    expect(repeated({ tests: 256, polluters: 2, rate }).right).toBeGreaterThanOrEqual(98)
  })

  test('among 3,000 where one always bites: in 25 runs at most', () => {
    const { right, most } = repeated({ tests: 3000, polluters: 1, rate: 1 })
    expect(right).toBe(100)
    expect(most).toBeLessThanOrEqual(25)
  })

  test('where it fails one time in five', () => {
    expect(repeated({ tests: 256, polluters: 1, rate: 0.2 }).right).toBeGreaterThanOrEqual(95)
  })

  test('where there is one candidate alone, or none', () => {
    expect(once({ tests: 1, polluters: 1, rate: 1 }, 3).right).toBe(true)
    expect(search([], { rate: 0.5, always: false }).next()).toEqual({ done: true, value: null })
  })
})

test('what never happens is not found', () => {
  const steps = search([1, 2, 3, 4], { rate: 0.9, always: true })
  let next = steps.next()
  while (!next.done) next = steps.next(false)
  expect(next.value?.confirmed).toBe(false)
})
