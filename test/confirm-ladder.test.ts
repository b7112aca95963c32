// From the behaviour of a test to its verdict, on made-up suites.

import { describe, expect, test } from 'vitest'
import { climb, CAN, situationOf } from './confirm-world.ts'
import { labelOf } from '../src/confirm/protocols/multi-run.ts'

const TZ = { name: 'tz-shift', sure: true, variants: [{ title: 'TZ=A' }, { title: 'TZ=B' }] }
const STRESS = { name: 'cpu-stress', sure: false, variants: [{ title: 'burners' }] }

describe('the verdict', () => {
  test('of one that always passes: 20 runs alone, 5 in suite, other orders, itself twice, in parallel', () => {
    const { judged, runs } = climb(situationOf(50, 40), () => true)
    expect(judged).toMatchObject({ verdict: 'not-reproduced', proof: null })
    expect(runs.filter(r => r.ask.protocol === 'multi-run')).toHaveLength(20)
    expect(runs.filter(r => r.ask.protocol === 'isolation')).toHaveLength(5)
    expect([...new Set(runs.map(r => r.ask.what))]).toEqual([
      'alone',
      'in suite',
      'suite backwards',
      'suite shuffled by 1',
      'suite shuffled by 2',
      'suite shuffled by 3',
      'target + target',
      'suite in parallel',
    ])
  })

  test('of one that always fails is broken', () => expect(climb(situationOf(50, 40), () => false).judged.verdict).toBe('broken'))

  test('of one that fails now and then is flaky, with ten runs and no search', () => {
    const { judged, runs } = climb(situationOf(50, 40), (_, __, nth) => nth % 3 !== 0)
    expect(judged).toMatchObject({ verdict: 'flaky', condition: 'alone' })
    expect(runs.filter(r => r.ask.protocol === 'multi-run')).toHaveLength(10)
    expect(runs.filter(r => r.ask.protocol === 'ordering')).toEqual([])
  })

  test('of one that fails in 9 of 10 runs is flaky all the same: it passed', () => {
    expect(climb(situationOf(50, 40), (_, __, nth) => nth === 4).judged.verdict).toBe('flaky')
    expect(labelOf(9, 10)).toBe('likely-broken')
  })

  test('of a victim names its polluter', () => {
    const { judged } = climb(situationOf(500, 400), before => !before.includes('t123'))
    expect(judged.verdict).toBe('order-dependent')
    expect(judged.interferers.map(t => t.id)).toEqual(['t123'])
    expect(judged.proof?.ask.tests?.map(t => t.id)).toEqual(['t123', 't400'])
  })

  test('of a victim of two that act together names both', () => {
    const { judged } = climb(situationOf(100, 90), before => !(before.includes('t12') && before.includes('t77')))
    expect(judged.interferers.map(t => t.id)).toEqual(['t12', 't77'])
  })

  test('of a victim of either of two names one, and the other beside it', () => {
    const { judged, known } = climb(situationOf(100, 90), before => !(before.includes('t12') || before.includes('t77')))
    expect([...judged.interferers, ...known.ordering!.more.flat()].map(t => t.id).sort()).toEqual(['t12', 't77'])
  })

  test('of a victim whose polluter runs after it in the usual order is found backwards', () => {
    const { judged } = climb(situationOf(100, 10), before => !before.includes('t60'))
    expect(judged).toMatchObject({ verdict: 'order-dependent' })
    expect(judged.interferers.map(t => t.id)).toEqual(['t60'])
  })

  test('of a victim under a runner that keeps its own order is found under the seed that failed', () => {
    const situation = situationOf(40, 10, { can: { ...CAN, order: 'none', shuffle: true } })
    const { judged, runs } = climb(situation, (before, ask) => (ask.seed === 2
      ? { outcome: ask.tests === null || ask.tests.some(t => t.id === 't30') ? 'fail' : 'pass', before: ['t30', 't31', 't3'] }
      : { before }))
    expect(judged.verdict).toBe('order-dependent')
    expect(judged.interferers.map(t => t.id)).toEqual(['t30'])
    expect(runs.filter(r => r.ask.what.includes('+ target')).every(r => r.ask.seed === 2 || r.ask.what === 'target + target')).toBe(true)
  })

  test('of one that needs another is brittle, and names it', () => {
    const { judged } = climb(situationOf(100, 90), before => before.includes('t33'))
    expect(judged.verdict).toBe('brittle')
    expect(judged.interferers.map(t => t.id)).toEqual(['t33'])
  })

  test('of one that spoils itself names itself', () => {
    const { judged } = climb(situationOf(20, 10), before => !before.includes('t10'))
    expect(judged).toMatchObject({ verdict: 'order-dependent', condition: 'twice in one process' })
    expect(judged.interferers.map(t => t.id)).toEqual(['t10'])
  })

  test('of one that fails only in parallel', () =>
    expect(climb(situationOf(50, 40), (_, ask) => !ask.parallel).judged).toMatchObject({
      verdict: 'parallel-only',
      condition: 'suite in parallel',
    }))

  test('of one that fails in another time zone', () => {
    const { judged, known } = climb(situationOf(50, 40, { shakes: [TZ], only: new Set(['tz-shift']) }),
      (_, ask) => ask.shake?.variant !== 1)
    expect(judged).toMatchObject({ verdict: 'environment-sensitive', condition: 'tz-shift: TZ=B' })
    expect(known.shaken.at(-1)!.baseline.length).toBeGreaterThanOrEqual(3)
  })

  test('of one that fails at rest too is not the shake’s: it is flaky', () => {
    const { judged } = climb(situationOf(50, 40, { shakes: [STRESS], only: new Set(['cpu-stress']) }),
      (_, ask, nth) => ask.protocol !== 'perturbation' || nth % 3 !== 0)
    expect(judged).toMatchObject({ verdict: 'flaky', condition: 'alone' })
  })

  test('of one that retries hide', () =>
    expect(climb(situationOf(50, 40), (_, __, nth) => ({ attempts: nth === 2 ? 3 : 1 })).judged.verdict).toBe('masked-by-retry'))

  test.each(['missing', 'broken', 'skip'] as const)('of one of which runs tell nothing (%s) is invalid after two runs', outcome => {
    const { judged, runs } = climb(situationOf(50, 40), () => ({ outcome }))
    expect(judged.verdict).toBe('invalid')
    expect(runs).toHaveLength(2)
  })
})

test('a suite that takes too long is narrowed to the file', () => {
  const { known, judged } = climb(situationOf(50, 45),
    (before, ask) => ({ outcome: before.includes('t41') ? 'fail' : 'pass', ms: ask.tests === null ? 60_000 : 100 }))
  expect(known.isolation?.scope).toBe('file')
  expect(judged.interferers.map(t => t.id)).toEqual(['t41'])
})

test('shards share the runs between them', () => {
  const made = [1, 2, 3].map(index => climb(situationOf(50, 40, { shard: { index, of: 3 }, runs: 20 }), () => true).runs)
  expect(made.flat().filter(r => r.ask.protocol === 'multi-run')).toHaveLength(20)
  expect(made.flat().filter(r => r.ask.protocol === 'isolation')).toHaveLength(20)
})
