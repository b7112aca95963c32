// How many calls work at once and when they end, without threads or pipes.

import { expect, test } from 'vitest'
import { callError, failureOf } from '../src/surfaces/mcp/envelope.ts'
import { makeLane } from '../src/surfaces/mcp/lane.ts'

const LONG = 60_000
const never = new AbortController().signal
const codeOf = (work: Promise<unknown>) => work.then(() => 'ok', (error: unknown) => failureOf(error).code)

/** Work that ends when it is told to. */
function work() {
  let end = () => {}
  const done = new Promise<string>(resolve => (end = () => resolve('done')))
  return { run: () => done, end }
}

test('with a limit of two, of twenty calls at once exactly two are let in', async () => {
  const lane = makeLane(2)
  const slow = work()
  const codes = Array.from({ length: 20 }, () => codeOf(lane.run(LONG, never, slow.run)))
  // The refusals do not wait for the work.
  expect(await Promise.all(codes.slice(2))).toEqual(Array<string>(18).fill('OVERLOADED'))
  expect(lane.running()).toBe(2)
  slow.end()
  expect(await Promise.all(codes.slice(0, 2))).toEqual(['ok', 'ok'])
  expect(lane.running()).toBe(0)
  expect(await codeOf(lane.run(LONG, never, slow.run))).toBe('ok')
})

test('a call that takes too long is told so only when its work has ended', async () => {
  const lane = makeLane(1)
  const slow = work()
  let signalled = () => {}
  const stopped = new Promise<void>(resolve => (signalled = resolve))
  const late = codeOf(lane.run(1, never, async signal => {
    signal.addEventListener('abort', () => signalled())
    return slow.run()
  }))
  await stopped
  expect(lane.running()).toBe(1)
  expect(await codeOf(lane.run(LONG, never, slow.run))).toBe('OVERLOADED')
  slow.end()
  expect(await late).toBe('TIMEOUT')
  expect(lane.running()).toBe(0)
})

test('a call that is cancelled before it begins does no work', async () => {
  const lane = makeLane(1)
  let begun = false
  expect(await codeOf(lane.run(LONG, AbortSignal.abort(), async () => (begun = true)))).toBe('CANCELLED')
  expect(begun).toBe(false)
  expect(lane.running()).toBe(0)
})

test('work that fails frees its place, and its error is kept', async () => {
  const lane = makeLane(1)
  expect(await codeOf(lane.run(LONG, never, () => Promise.reject(callError('PATH_NOT_FOUND', 'gone'))))).toBe('PATH_NOT_FOUND')
  expect(await codeOf(lane.run(LONG, never, () => Promise.reject(new Error('broken'))))).toBe('INTERNAL')
  expect(lane.running()).toBe(0)
})
