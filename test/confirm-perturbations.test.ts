// Shakes, each on a command that minds it: at rest it passes, shaken it fails.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { confirm } from '../src/confirm/confirm.ts'
import { familyOf, type Perturbation, type World } from '../src/confirm/perturbations/perturbation.ts'
import { PERTURBATIONS, SHAKES, shakeNamed, USUAL } from '../src/confirm/perturbations/registry.ts'
import { execute } from '../src/confirm/process.ts'
import { startGuard, type Guard } from '../src/confirm/guard.ts'
import { CAN } from './confirm-world.ts'

let folder: string
let guard: Guard
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-shake-'))
  guard = startGuard()
})
afterEach(() => {
  guard.release()
  rmSync(folder, { recursive: true, force: true })
})

const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TZ: 'UTC' }

/** A test that passes where the expression is true. */
async function shaken(name: Perturbation, expression: string, own: Readonly<Record<string, string>> = {}) {
  writeFileSync(join(folder, 'check.cjs'), `const os = require('node:os'); process.exit((${expression}) ? 0 : 1)\n`)
  return confirm({
    cwd: folder,
    target: 'check',
    command: [process.execPath, join(folder, 'check.cjs'), '{test}'],
    perturb: [name],
    runs: 2,
    ownEnv: { ...env, ...own },
    version: 'test',
  })
}

const world = (runner: string, more: Partial<World> = {}): World => ({
  runner,
  can: CAN,
  target: { id: 't', name: 't', file: 't.py' },
  text: '',
  env,
  passed: [],
  guard,
  folder: name => join(folder, name),
  exec: command => execute(command, { root: folder, env, guard, timeoutMs: 60_000 }),
  ...more,
})

describe('turns a pass into a failure', () => {
  test.each<[Perturbation, string, Record<string, string>]>([
    ['tz-shift', 'new Date(0).getHours() === 0', {}],
    ['env-scrub', 'process.env.MY_SETTING === "on"', { MY_SETTING: 'on' }],
    ['tmp-move', 'os.tmpdir() === "/var/tmp"', { TMPDIR: '/var/tmp' }],
    ['net-off', 'Object.keys(os.networkInterfaces()).some(n => n !== "lo")', {}],
    ['locale-shift', '(process.env.LC_ALL ?? "") === ""', {}],
  ])('%s', async (name, expression, own) => {
    const made = await shaken(name, expression, own)
    expect(made, JSON.stringify(made.unavailable)).toMatchObject({
      verdict: 'environment-sensitive',
      perturbation: { name },
      confirmed: true,
    })
    expect(made.perturbations.find(p => p.revealed)?.baseline.every(r => r.outcome === 'pass')).toBe(true)
    expect(made.reproduce).not.toBeNull()
  })

  test('parallelise, by copies of it', async () => {
    const made = await shaken('parallelise',
      `(() => { const fs = require('node:fs'); try { fs.mkdirSync('lock') } catch { return false } const end = Date.now() + 300; while (Date.now() < end); fs.rmdirSync('lock'); return true })()`)
    expect(made).toMatchObject({ verdict: 'parallel-only', perturbation: { name: 'parallelise' } })
  })
})

test('what a test does not mind reveals nothing', async () =>
  expect(await shaken('tz-shift', 'true')).toMatchObject({ verdict: 'not-reproduced', perturbation: null }))

test('cpu-stress burns at nice 10, and ends', async () => {
  const [variant] = await shakeNamed('cpu-stress')!.variants(world('pytest')) as readonly { title: string }[]
  expect(variant!.title).toMatch(/^\d+ processes that burn CPU at nice 10$/)
  const made = await shaken('cpu-stress',
    `require('node:fs').readdirSync('/proc').filter(p => /^\\d+$/.test(p)).filter(p => { try { return require('node:fs').readFileSync('/proc/' + p + '/cmdline', 'latin1').includes('for (;;);') && os.getPriority(Number(p)) === 10 } catch { return false } }).length === 0`)
  expect(made).toMatchObject({ verdict: 'environment-sensitive', perturbation: { name: 'cpu-stress' } })
})

test('port-occupy takes the ports that stand in the file', async () => {
  expect(await shakeNamed('port-occupy')!.variants(world('pytest'))).toContain('no port number')
  expect(
    await shakeNamed('port-occupy')!.variants(
      world('pytest', { text: 'server = Server("127.0.0.1", 18080)\nurl = "http://localhost:18081/"' }),
    ),
  ).toMatchObject([{ title: 'port 18080 is taken' }, { title: 'port 18081 is taken' }])
})

test('what is not possible says why, and what would do', async () => {
  expect(await shakeNamed('hash-seed')!.variants(world('go'))).toContain('--perturb repeat')
  expect(await shakeNamed('clock-shift')!.variants(world('go'))).toContain('libfaketime')
  expect(await shakeNamed('seed-vary')!.variants(world('cargo'))).toContain('--perturb repeat')
  expect(await shakeNamed('cwd-change')!.variants(world('go', { can: { ...CAN, cwd: false } }))).toContain('go')
  expect(await shakeNamed('unskip')!.variants(world('go', { can: { ...CAN, unskip: false } }))).toContain('take the mark away')
})

test('seeds reach Python and Node', async () => {
  expect(await shakeNamed('hash-seed')!.variants(world('unittest'))).toContainEqual({
    title: 'PYTHONHASHSEED=0',
    env: { PYTHONHASHSEED: '0' },
  })
  const [first] = await shakeNamed('seed-vary')!.variants(world('vitest')) as readonly { env: Record<string, string> }[]
  const drawn = async () =>
    (await execute({ argv: [process.execPath, '-p', 'Math.random()'], env: first!.env }, { root: folder, env, guard, timeoutMs: 60_000 }))
      .stdout
  expect(await drawn()).toMatch(/^0\.\d+\n$/)
  expect(await drawn()).toBe(await drawn())
})

test('every name has a shake or a protocol', () => {
  expect(new Set(PERTURBATIONS).size).toBe(17)
  expect(SHAKES.every(s => s.reveals !== '')).toBe(true)
  expect(USUAL.every(n => shakeNamed(n))).toBe(true)
  expect(familyOf('surefire')).toBe('jvm')
})
