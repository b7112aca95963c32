// Numbers that can be looked up elsewhere.

import { describe, expect, test } from 'vitest'
import { cautiousRate, fisher, median, passesThatAcquit, runsToSee, wilson, zeroFailureBound } from '../src/confirm/statistics.ts'

describe('Wilson’s interval', () => {
  test.each([
    [1, 10, 0.018, 0.404],
    [3, 10, 0.108, 0.603],
    [7, 10, 0.397, 0.892],
    [8, 10, 0.49, 0.943],
    [10, 10, 0.722, 1],
    [0, 10, 0, 0.278],
    [1, 20, 0.009, 0.236],
  ])('%i of %i', (failures, runs, low, high) => {
    const made = wilson(failures, runs)
    expect(made.low).toBeCloseTo(low, 3)
    expect(made.high).toBeCloseTo(high, 3)
  })

  test('of no runs excludes nothing', () => expect(wilson(0, 0)).toEqual({ low: 0, high: 1 }))
})

test.each([[5, 0.451], [10, 0.259], [20, 0.139], [30, 0.095], [300, 0.00994]])('no failure in %i runs excludes rates above %f',
  (runs, bound) => expect(zeroFailureBound(runs)).toBeCloseTo(bound, 3))

test.each([[0.5, 0.95, 5], [0.2, 0.95, 14], [0.1, 0.95, 29], [0.05, 0.99, 90], [0.01, 0.9, 230], [1, 0.99, 1]])(
  'a rate of %f is seen with confidence %f in %i runs',
  (rate, confidence, runs) => expect(runsToSee(rate, confidence)).toBe(runs),
)

test.each([[0, 5, 5, 5, 0.008], [0, 5, 4, 5, 0.048], [0, 5, 3, 5, 0.167], [1, 5, 5, 5, 0.048], [1, 5, 4, 5, 0.206], [0, 10, 5, 10, 0.033], [
  2,
  5,
  2,
  5,
  1,
]])('Fisher: %i of %i against %i of %i', (a, n, b, m, p) => expect(fisher(a, n, b, m)).toBeCloseTo(p, 3))

test('a search plans cautiously', () => {
  expect(cautiousRate(5, 10)).toBeCloseTo(0.375, 6)
  expect(passesThatAcquit(0.375)).toBe(10)
  expect(passesThatAcquit(0.999)).toBe(3)
})

test('the median of an even number lies between', () => {
  expect(median([3, 1])).toBe(2)
  expect(median([9, 1, 5])).toBe(5)
  expect(median([])).toBe(0)
})
