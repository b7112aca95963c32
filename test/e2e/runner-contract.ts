// One contract for all runners: on its own fixture project each must list, select exactly, and lead to the right verdict.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { confirm, type ConfirmOptions } from '../../src/confirm/confirm.ts'
import { environmentOf } from '../../src/confirm/environment.ts'
import { startGuard } from '../../src/confirm/guard.ts'
import { makePlace, readOnlyPlace, type OwnPlace } from '../../src/confirm/place.ts'
import { execute } from '../../src/confirm/process.ts'
import { answerOf } from '../../src/confirm/session.ts'
import type { Detection, Listed, Request, Runner, RunReport } from '../../src/confirm/runner.ts'
import { RUNNERS } from '../../src/confirm/runners/registry.ts'
import type { RunnerFixture } from './runners/fixture.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
const folder = join(here, 'runners')
/** Only these, where the environment says so. */
const wanted = process.env['FLAKESNIFF_RUNNERS']?.split(',')

/** All fixtures, by name. */
async function runnerFixtures(): Promise<RunnerFixture[]> {
  const names = readdirSync(folder).filter(n => n !== 'fixture.ts').sort()
  return Promise.all(names.map(async name => ((await import(join(folder, name))) as { fixture: RunnerFixture }).fixture))
}

/** Files of tests run side by side: the runners are dealt out to several. */
export async function holdToContract(...runners: readonly string[]): Promise<void> {
  const fixtures = await runnerFixtures()

  test('every runner has a fixture, and a file that asks it', () => {
    const asking = readdirSync(here).filter(n => n.startsWith('confirm-')).map(n => readFileSync(join(here, n), 'utf8')).join()
    expect(
      RUNNERS.map(r => r.id).filter(id => !fixtures.some(f => f.runner === id) || !new RegExp(`holdToContract\\(.*'${id}'`).test(asking)),
    ).toEqual([])
  })

  for (const fixture of fixtures.filter(f => runners.includes(f.runner) && (wanted?.includes(f.runner) ?? true))) holdOne(fixture)
}

const holdOne = (
  { runner: id, title = id, project: source = `confirm-${id}`, install, tests, lacks, runs = 3, exitsIn, listsByRunning, verdicts }:
    RunnerFixture,
) =>
  describe(title, () => {
    let temp: string, project: string, state: string
    let env: readonly string[]
    const guard = startGuard()
    beforeAll(async () => {
      temp = mkdtempSync(join(tmpdir(), `flakesniff-e2e-${id}-`))
      project = join(temp, 'project')
      cpSync(fileURLToPath(new URL(`../../fixtures/${source}`, import.meta.url)), project, { recursive: true })
      env = await install(project, temp)
      // A repository, so that the check of the working tree has something to look at.
      for (const args of [['init', '-q'], ['add', '-A'], ['-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'fixture']])
        execFileSync('git', args, { cwd: project })
    })
    beforeEach(() => {
      state = mkdtempSync(join(temp, 'state-'))
    })
    afterAll(() => {
      guard.release()
      rmSync(temp, { recursive: true, force: true, maxRetries: 3 })
    })

    const passed = () => [`FLAKY_DIR=${state}`, 'TZ=UTC', ...env]
    const verdictOf = (target: string, more: Partial<ConfirmOptions> = {}) =>
      confirm({
        cwd: project,
        target,
        runner: id,
        runs,
        env: passed(),
        ownEnv: process.env,
        version: 'test',
        budgetMs: 20 * 60_000,
        ...more,
      })

    const all = verdicts === undefined

    if (all)
      test('passes → not reproduced, and says which rates that excludes', async () => {
        const made = await verdictOf(tests.passing, { perturb: ['isolate'] })
        expect(made).toMatchObject({ verdict: 'not-reproduced', confirmed: false, runs, failures: 0, warnings: [] })
        expect(made.excludedAbove).toBeCloseTo(1 - 0.05 ** (1 / runs), 6)
        expect(made.isolation?.inSuite.map(r => r.outcome)).toEqual(Array(Math.min(5, runs)).fill('pass'))
      })

    if (all)
      test('always fails → broken', async () => {
        expect(await verdictOf(tests.broken)).toMatchObject({
          verdict: 'broken',
          confirmed: true,
          runs,
          failures: runs,
          nondeterministic: false,
        })
      })

    if (all)
      test('fails every third time → flaky, with its rate', async () => {
        // The suite and the suite in parallel are asked of every runner by other tests here.
        const made = await verdictOf(tests.flaky, { perturb: ['repeat'] })
        expect(made).toMatchObject({ verdict: 'flaky', confirmed: true, runs, failures: Math.floor(runs / 3), nondeterministic: true })
        expect(made.reproduce).toBeTruthy()
      })

    if (tests.victim !== null && (all || verdicts.includes('order')))
      test('fails after another → order-dependent, and names it', async () => {
        const made = await verdictOf(tests.victim!)
        expect(made).toMatchObject({ verdict: 'order-dependent', confirmed: true })
        expect(made.interferers.map(t => t.id)).toEqual([tests.polluter])
      })

    if (tests.brittle !== null && all)
      test('passes only after another → brittle, and names it', async () => {
        const made = await verdictOf(tests.brittle!)
        expect(made).toMatchObject({ verdict: 'brittle', confirmed: true })
        expect(made.interferers.map(t => t.id)).toEqual([tests.setter])
      })

    if (tests.slowSetUp !== null && all)
      test('a set-up that once took long is seen', async () => {
        const made = await verdictOf(tests.slowSetUp!, { perturb: ['repeat'], runs: 8 })
        expect(made.verdict).toBe('not-reproduced')
        expect(made.timing.observations.join()).toContain('Set-up once took')
      })

    if (tests.parallelOnly !== null && (all || verdicts.includes('parallel')))
      test('fails side by side with others → parallel-only', async () => {
        const made = await verdictOf(tests.parallelOnly!, { perturb: ['isolate', 'parallelise'] })
        expect(made).toMatchObject({ verdict: 'parallel-only', confirmed: true })
      })

    if (all)
      test('fails in another time zone → environment-sensitive, with the command that shows it', async () => {
        const made = await verdictOf(tests.timeZone, { perturb: ['tz-shift'] })
        expect(made).toMatchObject({ verdict: 'environment-sensitive', confirmed: true, perturbation: { name: 'tz-shift' } })
        expect(made.reproduce).toMatch(/^TZ=\S+ /)
      })

    if (tests.exits !== null && (all || verdicts.includes('exit')))
      test('ends its process early → never a pass', async () => {
        const asked = verdictOf(tests.exits!, {
          perturb: ['repeat'],
          runs: 2,
          ...(exitsIn !== undefined && { cwd: join(project, exitsIn) }),
        })
        if (listsByRunning) return expect(asked).rejects.toThrow('no test was found')
        const made = await asked
        expect(made.verdict).not.toBe('not-reproduced')
        expect(made.multiRun.lines.map(r => r.outcome)).not.toContain('pass')
      })

    test('a kind of test that is not there has a reason', () => {
      const missing = (['victim', 'brittle', 'slowSetUp', 'parallelOnly', 'exits'] as const).filter(kind => tests[kind] === null)
      expect(missing.filter(kind => !lacks?.[kind])).toEqual([])
    })

    describe('by itself', () => {
      let runner: Runner, detection: Detection, prepared: unknown, listed: readonly Listed[]
      const places: OwnPlace[] = []
      const place = () => {
        const own = environmentOf(process.env, passed()).env
        const made = makePlace(project, own, command => execute(command, { root: project, env: own, guard, timeoutMs: 300_000 }))
        places.push(made)
        return made
      }
      afterAll(() => places.forEach(p => p.remove()))
      beforeAll(async () => {
        state = mkdtempSync(join(temp, 'state-'))
        runner = await RUNNERS.find(r => r.id === id)!.load()
        const found = runner.detect(readOnlyPlace(project, environmentOf(process.env, passed()).env))
        expect(found, `${id} recognises its project`).not.toBeNull()
        detection = found!
        expect(detection.reasons.join()).not.toBe('')
        prepared = await runner.prepare?.(place(), detection)
        listed = await runner.list(place(), detection, prepared)
      })

      const run = (wantedTests: Request['tests'], more: Partial<Request> = {}): Promise<RunReport> =>
        runner.run(place(), detection, prepared, { tests: wantedTests, parallel: false, ...more })
      const find = (testId: string) => {
        const found = listed.find(t => t.id === testId) ?? runner.named?.(testId, listed) ?? undefined
        expect(found, `${testId} is listed`).toBeDefined()
        return found!
      }

      test('lists every test once', () => {
        expect(new Set(listed.map(t => t.id)).size).toBe(listed.length)
        expect(listed.length).toBeGreaterThan(40)
      })

      test('runs exactly the test of a hostile name', async () => {
        for (const name of tests.hostile) {
          const report = await run([find(name)])
          expect(report.records.filter(r => r.outcome !== 'skip').map(r => [r.id, r.outcome]), name).toEqual([[name, 'pass']])
        }
        expect(readdirSync(project)).not.toContain('pwned')
      })

      test('runs a chosen list, in the chosen order where it can', async () => {
        const some = [find(tests.passing), ...tests.hostile.slice(0, 2).map(find)]
        const chosen = (runner.abilities?.(detection, prepared) ?? runner.can).order === 'tests' ? some.toReversed() : some
        const report = await run(chosen)
        const ran = report.records.filter(r => r.outcome !== 'skip').map(r => r.id)
        expect([...ran].sort()).toEqual(chosen.map(t => t.id).sort())
        if (runner.can.order === 'tests') expect(ran).toEqual(chosen.map(t => t.id))
      })

      test('a test that is not there leaves no record of a pass', async () => {
        const real = find(tests.passing)
        const gone: Listed = { ...real, id: `${real.id}_gone`, name: `${real.name}_gone` }
        const ask = { protocol: 'multi-run', what: 'alone', tests: [gone] } as const
        expect(['missing', 'broken']).toContain(answerOf(await run([gone]), gone, ask, false).outcome)
        // Neither does an earlier run's report speak for a later one.
        expect(answerOf(await run([real]), real, ask, false).outcome).toBe('pass')
        expect(['missing', 'broken']).toContain(answerOf(await run([gone]), gone, ask, false).outcome)
        expect(answerOf(await run([real]), real, ask, false).outcome).toBe('pass')
      })
    })

    test('the working tree is as it was', () => {
      mkdirSync(state, { recursive: true })
      expect(execFileSync('git', ['status', '--porcelain'], { cwd: project, encoding: 'utf8' })).toBe('')
    })
  })
