// Which document is looked at next, and what may be shown, with looks that end when the test says so.

import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeDesk } from '../src/surfaces/lsp/desk.ts'

afterEach(() => void vi.useRealTimers())

/** `look` waits until it is told what was seen; everything that happens is written down. */
function played() {
  const happened: string[] = []
  const looks: { readonly uri: string; readonly end: (seen: string | null) => void; readonly fail: (error: Error) => void }[] = []
  const watchers = new Set<() => void>()
  const told = () => [...watchers].forEach(w => w())
  const desk = makeDesk<string>({
    look: uri =>
      new Promise<string | null>((end, fail) => {
        looks.push({ uri, end, fail })
        happened.push(`look ${uri}`)
        told()
      }),
    show: (uri, looked) => {
      happened.push(`show ${uri} ${looked}`)
      told()
    },
    giveUp: () => {
      happened.push('give up')
      looks.at(-1)!.end(null)
      told()
    },
    failed: (uri, error) => {
      happened.push(`failed ${uri} ${(error as Error).message}`)
      told()
    },
  })
  const until = (what: string) =>
    new Promise<void>(resolve => {
      const look = () => {
        if (happened.at(-1) !== what) return
        watchers.delete(look)
        resolve()
      }
      watchers.add(look)
      look()
    })
  return { desk, happened, looks, until }
}

describe('what is shown', () => {
  test('is of the newest text: a look that an edit overtook is dropped, and those who asked are told that it is gone', async () => {
    const { desk, happened, looks, until } = played()
    desk.ask('a')
    await until('look a')
    const early = desk.looked('a')
    desk.ask('a')
    const late = desk.looked('a')
    looks[0]!.end('old')
    await vi.waitUntil(() => looks.length === 2)
    looks[1]!.end('new')
    await until('show a new')
    expect(happened).toEqual(['look a', 'look a', 'show a new'])
    expect([await early, await late, await desk.looked('a')]).toEqual([null, 'new', 'new'])
  })

  test('is nothing where the document was closed, nor where another of its name was opened since', async () => {
    const { desk, happened, looks, until } = played()
    desk.ask('a')
    await until('look a')
    desk.close('a')
    desk.ask('a')
    looks[0]!.end('of the closed one')
    await vi.waitUntil(() => looks.length === 2)
    looks[1]!.end('of the open one')
    await until('show a of the open one')
    expect(happened.filter(h => h.startsWith('show'))).toEqual(['show a of the open one'])
    expect(await desk.looked('b')).toBeNull()
  })
})

test('what was asked for in one breath is looked at once, the newest document first', async () => {
  const { desk, happened, looks, until } = played()
  for (const uri of ['a', 'b', 'a', 'b', 'b', 'a']) desk.ask(uri)
  await until('look a')
  looks[0]!.end('1')
  await until('look b')
  looks[1]!.end('2')
  await until('show b 2')
  expect(happened).toEqual(['look a', 'show a 1', 'look b', 'show b 2'])
})

test('a look that fails stops nobody', async () => {
  const { desk, looks, until, happened } = played()
  desk.ask('b')
  desk.ask('a')
  await until('look a')
  looks[0]!.fail(new Error('broken'))
  await until('look b')
  looks[1]!.end('fine')
  await until('show b fine')
  expect(happened).toEqual(['look a', 'failed a broken', 'look b', 'show b fine'])
})

test('a look that takes long is given up for something newer, and its turn comes again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const { desk, happened, looks, until } = played()
  desk.ask('large')
  await until('look large')
  vi.advanceTimersByTime(60_000)
  expect(happened, 'alone it may take its time').toEqual(['look large'])
  desk.ask('small')
  vi.advanceTimersByTime(1)
  await until('look small')
  looks[1]!.end('s')
  await until('look large')
  vi.advanceTimersByTime(60_000)
  looks[2]!.end('l')
  await until('show large l')
  expect(happened).toEqual(['look large', 'give up', 'look small', 'show small s', 'look large', 'show large l'])
})
