// What a confirmation prints, in each format, and what shards add up to.

import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import type { Confirmation } from '../src/confirm/confirmation.ts'
import { merge, readConfirmations } from '../src/confirm/merge.ts'
import { confirmFormats } from '../src/confirm/report/index.ts'
import { enrichSarif } from '../src/confirm/report/sarif.ts'
import { readSuspicions } from '../src/confirm/suspicions.ts'
import { quoted } from '../src/confirm/words.ts'
import { confirmationOf } from './confirm-sample.ts'

const flaky = confirmationOf((_, __, nth) => ({
  outcome: nth === 3 || nth === 7 ? 'fail' : 'pass',
  testMs: nth === 7 ? 2034 : 148,
  message: 'assert 1 == 2',
}))
const victim = confirmationOf(before => !before.includes('t31'))
const parallel = confirmationOf((_, ask) => !ask.parallel)
const zone = confirmationOf((_, ask) => ask.shake === undefined, {
  shakes: [{ name: 'tz-shift', sure: true, variants: [{ title: 'TZ=A' }] }],
  only: new Set(['tz-shift']),
})
const passes = confirmationOf(() => true)
const invalid = confirmationOf(() => ({ outcome: 'missing' }))
const HOSTILE = 'a</script><img src=x onerror=alert(1)>`"\'&|\u202e\u001b[31m\n# b'
const hostile = confirmationOf(() => false, {}, { targetId: HOSTILE })
const all: readonly Confirmation[] = [flaky, victim, parallel, zone, passes, invalid, hostile]

describe('text', () => {
  test('records the multi-run as the protocol does', () => {
    expect(confirmFormats.text([flaky])).toContain(
      'MULTI-RUN RESULTS\nCommand: pytest t40\nRuns: 10\nResults: P P F P P P F P P P\nPass: 8, Fail: 2\nFail rate: 20% (95% interval 5.7% to 51%)\n',
    )
  })

  test('records the isolation as the protocol does', () => {
    expect(confirmFormats.text([victim])).toMatch(
      /ISOLATION RESULTS\nIsolated \(20 runs\): P P .* — fail rate: 0%\nIn-suite \(5 runs\): F F F F F — fail rate: 100%\nDiagnosis: Ordering-dependent\n/,
    )
  })

  test('records the bisection step by step, and names the interfering test', () => {
    const text = confirmFormats.text([victim])
    expect(text).toContain('ORDERING BISECTION\nFull suite: 40 tests before target\nStep 1: tests[0:19] + target → 1 run: P (not here)\n')
    expect(text).toMatch(/Step \d: test\[31\] \+ target → \d runs: F F F F F( F)? \(CONFIRMED\)/)
    expect(text).toContain('Interfering test: t31 (t31)')
    expect(text).toContain('Reproduce: pytest t31 t40')
  })

  test('records timing as the protocol does', () => {
    expect(confirmFormats.text([parallel])).toContain(
      'TIMING ANALYSIS\nParallel mode: 5 runs → 5 failures (100% fail rate)\nSerial mode: 5 runs → 0 failures (0% fail rate)\nDiagnosis: Fails only under parallel execution\n',
    )
    expect(confirmFormats.text([flaky])).toContain('  Test:     median=148ms, max=2034ms (14x variance on a failing run)')
    expect(confirmFormats.text([flaky])).toContain('Observation: A failing run shows the test body taking 14x longer')
  })

  test('says what no failure excludes, and never that a test is not flaky', () => {
    expect(confirmFormats.text([passes])).toContain('Not one of 20 runs failed: a failure rate above 14% is excluded at 95%.')
    expect(confirmFormats.text([passes])).not.toMatch(/is not flaky/)
  })

  test('names what turned a pass into a failure', () =>
    expect(confirmFormats.text([zone])).toContain('tz-shift (TZ=A): F F F — at rest: P P P (turned a pass into a failure)'))

  test('says what was left out of the environment', () =>
    expect(confirmFormats.text([flaky])).toContain('Left out of the environment (--env NAME passes one): API_TOKEN'))
})

describe('json', () => {
  const valid = new Ajv({ allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(new URL('../schema/flakesniff-confirm.schema.json', import.meta.url), 'utf8')) as object,
  )

  test.each(all.map(c => [c.verdict, c] as const))('keeps to its schema: %s', (_, confirmation) => {
    expect(valid(JSON.parse(confirmFormats.json([confirmation]))), JSON.stringify(valid.errors)).toBe(true)
  })

  test('of several keeps to it too', () => expect(valid(JSON.parse(confirmFormats.json(all))), JSON.stringify(valid.errors)).toBe(true))

  test('says at least what was promised', () => {
    expect(JSON.parse(confirmFormats.json([victim]))).toMatchObject({
      verdict: 'order-dependent',
      confirmed: true,
      interferers: [{ id: 't31' }],
      perturbation: null,
      reproduce: 'pytest t31 t40',
      runs: expect.any(Number),
      failures: expect.any(Number),
      interval: { high: 1 },
    })
  })
})

describe('a hostile name', () => {
  test('is no markup in HTML, which runs no script at all', () => {
    const page = confirmFormats.html(all)
    expect(page).not.toMatch(/<script|<img|\u202e|\u001b/)
    expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'")
    expect(page).toContain('&lt;img src=x')
    expect([...page.matchAll(/<i class="/g)].length).toBeGreaterThan(100)
    expect(page).toContain('<circle')
  })

  test.each(['text', 'markdown', 'json', 'sarif'] as const)('moves no cursor in %s',
    format => expect(confirmFormats[format]([hostile])).not.toMatch(/[\u202e\u001b]/))

  test('begins no heading in Markdown', () => expect(confirmFormats.markdown([hostile])).not.toMatch(/^# b/m))

  test('stays one word for a shell', () => {
    expect(quoted("it's $(x)")).toBe("'it'\\''s $(x)'")
    expect(quoted('a\nb')).toBe("$'a\\nb'")
  })
})

describe('SARIF', () => {
  const log = JSON.stringify({
    version: '2.1.0',
    runs: [{
      results: [
        {
          ruleId: 'fixed-sleep',
          locations: [{ physicalLocation: { artifactLocation: { uri: 'a%20b.py' }, region: { startLine: 4 } } }],
          properties: { test: 'test_a', confidence: 'high' },
        },
        {
          ruleId: 'wall-clock-in-assertion',
          locations: [{ physicalLocation: { artifactLocation: { uri: 'a%20b.py' }, region: { startLine: 5 } } }],
          properties: { test: 'test_a' },
        },
        {
          ruleId: 'time-based-name',
          locations: [{ physicalLocation: { artifactLocation: { uri: 'help.py' }, region: { startLine: 1 } } }],
          relatedLocations: [{ physicalLocation: { artifactLocation: { uri: 'c.py' }, region: { startLine: 9 } } }],
          properties: { endangers: 1 },
        },
        { ruleId: 'fixed-sleep', suppressions: [{}], locations: [{ physicalLocation: { artifactLocation: { uri: 'd.py' } } }] },
      ],
    }],
  })

  test('tells which tests are suspected of what: each once, a helper’s through the test', () => {
    expect(readSuspicions('x.sarif', log)).toEqual([
      {
        target: 'a b.py:4',
        test: 'test_a',
        rules: ['fixed-sleep', 'wall-clock-in-assertion'],
        results: [{ run: 0, result: 0 }, { run: 0, result: 1 }],
      },
      { target: 'c.py:9', test: null, rules: ['time-based-name'], results: [{ run: 0, result: 2 }] },
    ])
  })

  test('is given back with what the runs showed, and nothing lost', () => {
    const made = JSON.parse(enrichSarif(log, [{ run: 0, result: 0, confirmation: victim }])) as {
      runs: { results: { properties: object }[] }[]
    }
    expect(made.runs[0]!.results[0]!.properties).toMatchObject({
      test: 'test_a',
      confidence: 'high',
      confirmed: true,
      verdict: 'order-dependent',
      failureRate: 1,
      interferingTest: 't31',
      diagnosis: expect.stringContaining('t31'),
    })
    expect(made.runs[0]!.results[2]).toEqual((JSON.parse(log) as typeof made).runs[0]!.results[2])
  })

  test.each(['nonsense', '{}', '[]', 'null'])('that is none (%s) is an error that names the file',
    text => expect(() => readSuspicions('x.sarif', text)).toThrow('x.sarif'))
})

describe('shards', () => {
  const shard = (index: number, fails: boolean): Confirmation =>
    confirmationOf((_, __, nth) => !(fails && nth === 2), { shard: { index, of: 3 }, runs: 12 }, { shard: { index, of: 3 } })

  test('add up to one confirmation', () => {
    const [merged, ...more] = merge([shard(2, true), shard(1, false), shard(3, false)])
    expect(more).toEqual([])
    expect(merged).toMatchObject({ verdict: 'flaky', runs: 12, failures: 1, shard: null, warnings: [] })
    expect(merged!.isolation?.inSuite).toHaveLength(20)
  })

  test('of which one is missing say so', () =>
    expect(merge([shard(1, false), shard(3, false)])[0]).toMatchObject({
      verdict: 'not-reproduced',
      runs: 8,
      warnings: ['no report of shard 2 of 3'],
    }))

  test('are read from files, and nothing else is', () => {
    expect(readConfirmations('a.json', confirmFormats.json([flaky]))).toHaveLength(1)
    expect(readConfirmations('a.json', confirmFormats.json(all))).toHaveLength(all.length)
    expect(() => readConfirmations('a.json', '{"schemaVersion":1}')).toThrow('a.json')
  })
})
