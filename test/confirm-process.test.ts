// Processes: what they are given, how they are ended, and that nobody is left behind.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bareEnvironment, environmentOf } from '../src/confirm/environment.ts'
import { startGuard, type Guard } from '../src/confirm/guard.ts'
import { keepEnds } from '../src/confirm/output.ts'
import { makePlace } from '../src/confirm/place.ts'
import { execute, type Surroundings } from '../src/confirm/process.ts'

const bin = fileURLToPath(new URL('../bin/flakesniff.js', import.meta.url))
let folder: string
let guard: Guard
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-process-'))
  guard = startGuard()
})
afterEach(() => {
  guard.release()
  rmSync(folder, { recursive: true, force: true })
})

const run = (argv: readonly string[], more: Partial<Surroundings> = {}) =>
  execute({ argv }, { root: folder, env: { PATH: process.env['PATH'] ?? '' }, timeoutMs: 60_000, guard, ...more })
const node = (script: string, ...args: readonly string[]) => [process.execPath, '-e', script, '--', ...args]

/** A child in a session of its own that ignores polite signals, and a grandchild of the same kind; each leaves its process id. */
const STUBBORN = `
const { spawn } = require('node:child_process'), fs = require('node:fs')
for (const s of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(s, () => {})
const [folder, depth] = process.argv.slice(1).filter(a => a !== '--')
fs.writeFileSync(folder + '/pid' + depth, String(process.pid))
if (Number(depth) > 0) spawn(process.execPath, ['-e', process.env.SCRIPT, '--', folder, String(depth - 1)], { detached: true, stdio: 'ignore' }).unref()
setInterval(() => {}, 1000)
`
const pids = () =>
  [0, 1, 2].map(n => join(folder, `pid${n}`)).filter(f => existsSync(f)).map(f => Number(readFileSync(f, 'utf8'))).filter(pid => pid > 0)
/** Zombies do not count: their parent has only not looked yet. */
const alive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
const left = () => pids().filter(alive)
/** How soon nobody may be left. */
const SOON = { timeout: 5000, interval: 50 }
const allThere = () => expect.poll(() => pids().length, { timeout: 20_000, interval: 20 }).toBe(3)

describe('a command', () => {
  test('is started without a shell: its words arrive as they are', async () => {
    const hostile = ['$(touch pwned)', '`touch pwned`', 'a b', "it's", '"', ';', '\n', '*', '-x']
    const done = await run(node('console.log(JSON.stringify(process.argv.slice(1)))', ...hostile))
    expect(JSON.parse(done.stdout)).toEqual(hostile)
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })

  test('has no standard input to wait for', async () =>
    expect((await run(node('process.stdin.on("end", () => process.exit(7)).resume()'))).code).toBe(7))

  test('that does not exist is told as such', async () =>
    expect(await run(['no-such-program-here'])).toMatchObject({ code: 127, stderr: expect.stringContaining('no-such-program-here') }))

  test('that takes too long is ended, also where it ignores the polite signal and forked away', async () => {
    const done = run([process.execPath, '-e', STUBBORN, '--', folder, '2'], {
      env: { PATH: process.env['PATH'] ?? '', SCRIPT: STUBBORN },
      timeoutMs: 3000,
    })
    await allThere()
    expect(await done).toMatchObject({ timedOut: true, code: null, signal: 'SIGKILL' })
    await expect.poll(left, SOON).toEqual([])
  })

  test('that leaves children behind is found out, though they hold its output open', async () => {
    const leaves =
      `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'inherit' }).unref(); console.log('done')`
    expect(await run(node(leaves))).toMatchObject({ code: 0, stdout: 'done\n', leaked: 1 })
  })

  test('is ended when the user interrupts', async () => {
    const controller = new AbortController()
    const done = run([process.execPath, '-e', STUBBORN, '--', folder, '2'], {
      env: { PATH: process.env['PATH'] ?? '', SCRIPT: STUBBORN },
      signal: controller.signal,
    })
    await allThere()
    controller.abort()
    expect((await done).code).toBe(null)
    await expect.poll(left, SOON).toEqual([])
  })
})

describe('flakesniff itself', () => {
  const start = () => {
    writeFileSync(join(folder, 'stubborn.cjs'),
      STUBBORN.replace("['-e', process.env.SCRIPT, '--', folder", '[__filename, folder').replace('process.argv.slice(1)',
        'process.argv.slice(2)'))
    return spawn(process.execPath, [
      bin,
      'confirm',
      'hangs',
      '--command',
      `${process.execPath} ${join(folder, 'stubborn.cjs')} ${folder} 2 -- {test}`,
    ], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  test('killed outright leaves nobody behind', async () => {
    const child = start()
    await allThere()
    child.kill('SIGKILL')
    await expect.poll(left, SOON).toEqual([])
  })

  test('interrupted leaves nobody behind, and says what it knows', async () => {
    const child = start()
    let told = ''
    child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()))
    const ended = new Promise<number | null>(settle => child.on('close', settle))
    await allThere()
    child.kill('SIGINT')
    expect(await ended).toBe(2)
    expect(told).toContain('It was interrupted')
    await expect.poll(left, SOON).toEqual([])
  })
})

test('of much output the head and the tail are kept', () => {
  const kept = keepEnds(10)
  for (const part of ['head-', 'head-', 'x'.repeat(100), 'y'.repeat(100), '-tail-tail']) kept.add(Buffer.from(part))
  expect(kept.text()).toMatch(/^head-head-\n… \d+ bytes left out …\n.*-tail-tail$/s)
  expect(kept.text().length).toBeLessThan(200)
})

test('a place writes into its temporary folder alone, and takes it away', () => {
  const place = makePlace(folder, {}, () => Promise.reject(new Error('unused')))
  const path = place.write('a/b.txt', 'x')
  expect(place.read(path)).toBe('x')
  expect(() => place.write('../out.txt', 'x')).toThrow('outside')
  expect(place.read('nowhere')).toBeUndefined()
  place.remove()
  expect(existsSync(path)).toBe(false)
})

test('the environment loses secrets and what bends runners, says which, and keeps what is passed by name', () => {
  const own = {
    PATH: '/bin',
    API_TOKEN: 'x',
    AWS_SECRET_ACCESS_KEY: 'y',
    PYTEST_ADDOPTS: '-x',
    DATABASE_URL: 'db',
    SSH_AUTH_SOCK: '/s',
    EMPTY: undefined,
  }
  expect(environmentOf(own)).toMatchObject({
    dropped: ['API_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'PYTEST_ADDOPTS'],
    env: { PATH: '/bin', DATABASE_URL: 'db', SSH_AUTH_SOCK: '/s', CI: '1' },
  })
  expect(environmentOf(own, ['API_TOKEN', 'CI=']).env).toMatchObject({ API_TOKEN: 'x', CI: '' })
  expect(bareEnvironment({ PATH: '/bin', DATABASE_URL: 'db', MINE: '1' }, ['MINE'])).toEqual({
    env: { PATH: '/bin', MINE: '1' },
    dropped: ['DATABASE_URL'],
  })
})
