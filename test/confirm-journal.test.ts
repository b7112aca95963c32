// What probes tell, line by line, and the records that follow from it.

import { describe, expect, test } from 'vitest'
import type { Listed } from '../src/confirm/runner.ts'
import { partsOf, readJournal, titlesOf, whatWentWrong } from '../src/confirm/runners/journal.ts'
import { ENDED, madeUpPlace } from './confirm-made-up-place.ts'

const journalOf = (lines: readonly object[], more = '') => {
  const place = madeUpPlace({})
  place.write('records.jsonl', lines.map(l => `${JSON.stringify(l)}\n`).join('') + more)
  return (...rest: [Parameters<typeof readJournal>[1]?, Parameters<typeof readJournal>[2]?]) =>
    readJournal(place, rest[0] ?? ENDED, rest[1])
}
const listed = (id: string, file: string, name = id.split(' > ').at(-1)!): Listed => ({ id, file, name })

describe('records', () => {
  test('a later line about the same execution takes the place of the earlier', () => {
    const { records } = journalOf([{ n: '1', id: 'a > x' }, {
      n: '1',
      id: 'a > x',
      outcome: 'pass',
      attempts: 1,
      setupMs: 1,
      testMs: 2,
      teardownMs: 3,
    }, { n: '1', outcome: 'fail', message: 'after the test: no' }])()
    expect(records).toEqual([{
      id: 'a > x',
      outcome: 'fail',
      attempts: 1,
      setupMs: 1,
      testMs: 2,
      teardownMs: 3,
      message: 'after the test: no',
    }])
  })

  test('a test that began and never ended took its process with it', () => {
    const { records } = journalOf([{ n: '1', id: 'a > x' }])({ ...ENDED, code: 0 })
    expect(records).toMatchObject([{ outcome: 'fail', message: 'the process ended during the test (exit status 0)' }])
    expect(journalOf([{ n: '1', id: 'a > x' }])({ ...ENDED, code: null, timedOut: true }).records[0]?.message).toContain('took too long')
  })

  test('the same test twice is two records', () => {
    expect(journalOf([{ n: '1', id: 'a > x', outcome: 'pass' }, { n: '2', id: 'a > x', outcome: 'fail' }])().records.map(r => r.outcome))
      .toEqual(['pass', 'fail'])
  })

  test('a retry is told, with what it hid', () => {
    expect(
      journalOf([{ n: '1', id: 'a > x', outcome: 'fail', attempts: 1, message: 'first' }, {
        n: '1',
        id: 'a > x',
        outcome: 'pass',
        attempts: 2,
      }])().records,
    ).toMatchObject([{ outcome: 'pass', attempts: 2, message: 'first' }])
  })

  test('a line that was cut short is left out', () => {
    expect(journalOf([{ n: '1', id: 'a > x', outcome: 'pass' }], '{"n":"2","id":"a > y","outc')().records.map(r => r.id)).toEqual(['a > x'])
  })

  test('a wanted test of a file that does not load has failed', () => {
    const { records } = journalOf([{ file: 'a', error: 'no such module' }])(ENDED, [{ file: 'a', ids: ['a > x'] }, {
      file: 'b',
      ids: ['b > y'],
    }])
    expect(records).toMatchObject([{ id: 'a > x', outcome: 'fail', message: 'a could not be loaded: no such module' }])
  })

  test('an error outside of tests fails the one that it may belong to, or the last of its file', () => {
    const lines = [{ n: '1', id: 'a > x', outcome: 'pass' }, { n: '2', id: 'a > y', outcome: 'pass' }, {
      n: '3',
      id: 'b > z',
      outcome: 'pass',
    }]
    expect(journalOf([...lines, { stray: 'a', name: 'x', message: 'late' }])().records.map(r => r.outcome)).toEqual([
      'fail',
      'pass',
      'pass',
    ])
    expect(journalOf([...lines, { stray: 'a', message: 'late' }])().records.map(r => r.outcome)).toEqual(['pass', 'fail', 'pass'])
  })

  test('nothing told is nothing passed, and says why', () => {
    const journal = journalOf([])()
    expect(journal.records).toEqual([])
    expect(whatWentWrong('Jest', { ...ENDED, code: 1, stderr: 'no config\n' }, journal)).toBe(
      'Jest ended with exit status 1 and reported no test:\nno config',
    )
  })
})

describe('parts', () => {
  const tests = [listed('a > 1', 'a'), listed('b > 1', 'b'), listed('a > 2', 'a')]

  test('one after another, a file comes as often as it must', () => {
    expect(partsOf({ tests, parallel: false })).toEqual([{ file: 'a', ids: ['a > 1'] }, { file: 'b', ids: ['b > 1'] }, {
      file: 'a',
      ids: ['a > 2'],
    }])
  })

  test('side by side, a file comes once', () => {
    expect(partsOf({ tests, parallel: true })).toEqual([{ file: 'a', ids: ['a > 1', 'a > 2'] }, { file: 'b', ids: ['b > 1'] }])
  })

  test('the whole suite has none', () => {
    expect(partsOf({ tests: null, parallel: false })).toBeNull()
  })
})

test('the titles of a test are those that its file has, without our number', () => {
  expect(titlesOf(listed('a.js > outer > x', 'a.js', 'x'))).toEqual(['outer', 'x'])
  expect(titlesOf(listed('a.js > outer > x #2', 'a.js', 'x'))).toEqual(['outer', 'x'])
  expect(titlesOf(listed('a.js > x #2', 'a.js', 'x #2'))).toEqual(['x #2'])
})
