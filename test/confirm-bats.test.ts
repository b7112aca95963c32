import { describe, expect, test } from 'vitest'
import { bats } from '../src/confirm/runners/bats/bats.ts'
import { segmentsOf } from '../src/confirm/runners/bats/segments.ts'
import { hear } from '../src/confirm/runners/bats/stream.ts'
import { exactly, testsOf } from '../src/confirm/runners/bats/titles.ts'
import { playedPlace } from './played-place.ts'

const SOURCE = ['@test "one" {', '  true', '}', "@test 'two; $(x)' {", '}', 'three() { # @test', '}', '# @test "not one" {'].join('\n')
const ONE_TWO = testsOf('t/a.bats', '@test "one" {\n}\n@test "two" {\n}\n')
const heard = (...lines: string[]) => hear(lines.join('\n'), ONE_TWO, '/project', 'exit status 1')

describe('titles', () => {
  test('are found as bats finds them', () => {
    expect(testsOf('t/a.bats', SOURCE)).toEqual([
      { id: 't/a.bats::one', file: 't/a.bats', line: 1, name: 'one' },
      { id: 't/a.bats::two; $(x)', file: 't/a.bats', line: 4, name: 'two; $(x)' },
      { id: 't/a.bats::three', file: 't/a.bats', line: 6, name: 'three' },
    ])
  })

  test('become a pattern in which no sign has a meaning', () => {
    expect(exactly(['a.b', 'c|d (e) [f] $g \\'])).toBe('^(a\\.b|c\\|d \\(e\\) \\[f\\] \\$g \\\\)$')
  })
})

describe('the stream', () => {
  test('tells outcomes, times and the comments of a failure', () => {
    expect(
      heard('1..2', 'suite /project/t/a.bats', 'begin 1 one', 'ok 1 one in 12ms', 'begin 2 two', 'not ok 2 two in 3ms', '# (line 4)',
        "#   `false' failed"),
    ).toEqual({
      planned: 2,
      records: [
        { id: 't/a.bats::one', outcome: 'pass', attempts: 1, setupMs: null, testMs: 12, teardownMs: null },
        {
          id: 't/a.bats::two',
          outcome: 'fail',
          attempts: 1,
          setupMs: null,
          testMs: 3,
          teardownMs: null,
          message: "(line 4)\n  `false' failed",
        },
      ],
    })
  })

  test('shows a retry as a second beginning', () => {
    expect(heard('1..2', 'begin 1 one', 'begin 1 one', 'ok 1 one in 5ms').records).toMatchObject([{ outcome: 'pass', attempts: 2 }])
  })

  test('is not fooled by a test that prints a result', () => {
    expect(heard('1..2', 'begin 1 one', 'ok 1 fake', 'not ok 1 one in 5ms').records).toMatchObject([{ outcome: 'fail' }])
  })

  test('knows a skip from a title that speaks of one', () => {
    const [skipped, spoken] =
      hear('1..2\nbegin 1 a\nok 1 a in 1ms # skip why\nbegin 2 b # skip\nok 2 b # skip in 1ms',
        testsOf('a.bats', '@test "a" {\n@test "b # skip" {'), '/', '').records
    expect([skipped!.outcome, spoken!.outcome]).toEqual(['skip', 'pass'])
  })

  test('a test that took the run with it has failed', () => {
    expect(heard('1..2', 'begin 1 one').records).toMatchObject([{
      id: 't/a.bats::one',
      outcome: 'fail',
      message: 'the run ended during the test (exit status 1)',
    }])
  })

  test('a failed setup_file fails the tests of its file', () => {
    expect(heard('1..2', 'suite /project/t/a.bats', 'not ok 1 setup_file failed', '# (line 1)').records).toMatchObject([
      { id: 't/a.bats::one', outcome: 'fail', message: 'setup_file failed\n(line 1)' },
      { id: 't/a.bats::two', outcome: 'fail' },
    ])
  })
})

describe('a chosen list', () => {
  const files = new Map([['a', testsOf('a', '@test "x" {\n@test "y" {')], ['b', testsOf('b', '@test "y" {\n@test "z" {')]])
  const [ax, ay, by, bz] = [...files.values()].flat()
  const ids = (...tests: (typeof ax)[]) => segmentsOf(tests.map(t => t!), f => files.get(f)!).map(s => s.map(t => t.id))

  test('is one call where bats keeps its order', () => expect(ids(ax, ay, by, bz)).toEqual([['a::x', 'a::y', 'b::y', 'b::z']]))
  test('is cut where the order turns', () => expect(ids(ay, ax)).toEqual([['a::y'], ['a::x']]))
  test('is cut where one filter would catch more', () => expect(ids(ay, bz)).toEqual([['a::y'], ['b::z']]))
  test('may hold a test twice', () => expect(ids(ax, ax)).toEqual([['a::x'], ['a::x']]))
})

describe('a run', () => {
  const project = { 't/a.bats': '@test "one" {\n}\n@test "two" {\n}\n' }
  const prepared = { bats: 'bats', parallel: true }
  const played = (report: string | undefined, finished = {}) =>
    playedPlace(project, (_, place) => {
      if (report !== undefined) place.files.set('/temp/bats-0/report.log', report)
      return finished
    })

  test('asks for exactly the chosen tests, through no shell', async () => {
    const place = played('1..1\nbegin 1 two\nok 1 two in 1ms')
    const report = await bats.run(place, bats.detect(place)!, prepared, { tests: [ONE_TWO[1]!], parallel: true, workers: 3 })
    expect(place.commands.map(c => c.argv)).toEqual([[
      'bats',
      '--formatter',
      'tap',
      '--timing',
      '--report-formatter',
      'cat',
      '--output',
      '/temp/bats-0',
      '--jobs',
      '3',
      '--filter',
      '^(two)$',
      '/project/t/a.bats',
    ]])
    expect(report.records.map(r => [r.id, r.outcome])).toEqual([['t/a.bats::two', 'pass']])
  })

  test.each([['nothing matched', '1..0\n'], ['no report', undefined], [
    'more ran than was asked for',
    '1..2\nbegin 1 one\nok 1 one\nbegin 2 two\nok 2 two\n',
  ]])('%s: broken, and no record', async (_, log) => {
    const place = played(log)
    expect(await bats.run(place, bats.detect(place)!, prepared, { tests: [ONE_TWO[1]!], parallel: false })).toMatchObject({
      records: [],
      broken: expect.stringMatching(/^bats (ran|planned)/),
    })
  })

  test('names the files that set retries', () => {
    const place = playedPlace({ 'a.bats': '# BATS_TEST_RETRIES=9\nsetup_file() { export BATS_TEST_RETRIES=2; }' })
    expect(bats.retries!(place, bats.detect(place)!)).toEqual(['BATS_TEST_RETRIES=2 in a.bats'])
  })

  test('says how to install bats', async () => {
    const place = playedPlace(project, () => ({ code: 127 }))
    await expect(bats.prepare!(place, bats.detect(place)!)).rejects.toThrow(/^bats does not run: install it/)
  })
})

test("the tests of bats itself, carried along, are not the project's", () => {
  expect(bats.detect(playedPlace({ 'test/bats/test/x.bats': '' }))).toBeNull()
  expect(bats.detect(playedPlace({ 'node_modules/y/x.bats': '' }))).toBeNull()
})
