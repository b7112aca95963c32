// A runner made ready for one project: built, listed, and able to answer what protocols ask.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Guard } from './guard.ts'
import type { Variant } from './perturbations/perturbation.ts'
import { makePlace, type OwnPlace } from './place.ts'
import { execute } from './process.ts'
import type { Answer, Ask, RunOutcome } from './protocols/ask.ts'
import { isRunnerError, type Abilities, type Command, type Detection, type Finished, type Listed, type Runner,
  type RunReport } from './runner.ts'
import { median } from './statistics.ts'

export interface SessionOptions {
  readonly root: string
  readonly runner: Runner
  readonly detection: Detection
  readonly env: Readonly<Record<string, string>>
  readonly guard: Guard
  readonly signal?: AbortSignal
  /** Started before every run, to clean up what runs leave behind. */
  readonly beforeRun?: readonly string[]
  readonly workers: number
  /** Told of every command before it starts. */
  readonly onExec?: (argv: readonly string[]) => void
}

export interface Session {
  readonly can: Abilities
  readonly listed: readonly Listed[]
  /** The tests of one file, also where the suite leaves it out. */
  readonly listFile: (file: string) => Promise<readonly Listed[]>
  /** How long listing took: every run takes about as long, and then its tests. */
  readonly listMs: number
  readonly exec: (command: Command) => Promise<Finished>
  /** A folder that lasts as long as the session. */
  readonly folder: (name: string) => string
  readonly answer: (target: Listed, ask: Ask, variant?: Variant) => Promise<Answer>
  readonly close: () => void
}

const BUILD_MS = 20 * 60_000
const FIRST_RUN_MS = 10 * 60_000
const LEAST_MS = 30_000

export async function openSession(options: SessionOptions): Promise<Session> {
  const { root, runner, detection, env, guard, signal } = options
  const base = { root, env, guard, ...(signal && { signal }) }
  const scratch = mkdtempSync(join(tmpdir(), 'flakesniff-confirm-'))
  const places: OwnPlace[] = []
  const close = () => {
    places.forEach(p => p.remove())
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
  }
  const exec = (command: Command) => {
    options.onExec?.(command.argv)
    return execute(command, { ...base, timeoutMs: BUILD_MS })
  }
  const lasting = () => {
    const place = makePlace(root, env, exec)
    places.push(place)
    return place
  }
  try {
    const prepared = await runner.prepare?.(lasting(), detection)
    const started = performance.now()
    const listed = await runner.list(lasting(), detection, prepared)
    const listMs = performance.now() - started
    const limits = timeLimits()
    return {
      can: runner.abilities?.(detection, prepared) ?? runner.can,
      listed,
      listMs,
      exec,
      close,
      listFile: file => runner.list(lasting(), detection, prepared, file),
      folder: name => {
        const folder = join(scratch, name)
        mkdirSync(folder, { recursive: true })
        return folder
      },
      answer: async (target, ask, variant) => {
        const end = await variant?.around?.()
        try {
          const copies = await Promise.all(
            Array.from({ length: ask.copies ?? 1 }, () => once(options, prepared, target, ask, variant, limits)),
          )
          return copies.find(c => c.outcome === 'fail' || c.outcome === 'timeout') ?? copies[0]!
        } finally {
          end?.()
        }
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

async function once(options: SessionOptions, prepared: unknown, target: Listed, ask: Ask, variant: Variant | undefined,
  limits: TimeLimits): Promise<Answer>
{
  const { root, runner, detection, guard, signal, beforeRun, workers } = options
  const env = { ...(variant?.wholeEnv ?? options.env), ...variant?.env }
  const kind = ask.tests === null ? 'suite' : ask.tests.length === 1 ? 'alone' : 'some'
  let ms = 0, timedOut = false, leaked = 0
  const place = makePlace(root, env, async command => {
    options.onExec?.([...variant?.prefix ?? [], ...command.argv])
    const finished = await execute(command, {
      root,
      env,
      guard,
      timeoutMs: limits.of(kind),
      ...(signal && { signal }),
      ...(variant?.prefix && { prefix: variant.prefix }),
      ...(variant?.beside && { beside: variant.beside }),
    })
    ms += finished.ms
    timedOut ||= finished.timedOut
    leaked += finished.leaked ?? 0
    return finished
  })
  try {
    const nothing = { setupMs: null, testMs: null, teardownMs: null, attempts: 1, command: [] }
    if (beforeRun && beforeRun.length > 0) {
      const done = await execute({ argv: beforeRun }, { root, env: options.env, guard, timeoutMs: BUILD_MS, ...(signal && { signal }) })
      if (done.code !== 0)
        return { ...nothing, outcome: 'broken', ms: done.ms,
          message: `--before-run ${beforeRun.join(' ')} ended with ${done.signal ?? `exit status ${done.code}`}: ${
            done.stderr.trim().split('\n').at(-1) ?? ''
          }` }
    }
    const report = await runner.run(place, detection, prepared, {
      tests: ask.tests,
      parallel: ask.parallel ?? false,
      ...(ask.parallel && { workers }),
      ...(ask.seed !== undefined && { seed: ask.seed }),
      ...(ask.race && { race: true }),
      ...variant?.request,
    })
    if (!timedOut) limits.add(kind, ms)
    return { ...answerOf(report, target, ask, timedOut), ms, ...(leaked > 0 && { leaked }) }
  } catch (error) {
    if (!isRunnerError(error)) throw error
    return { outcome: 'broken', setupMs: null, testMs: null, teardownMs: null, attempts: 1, command: [], ms, message: error.message }
  } finally {
    place.remove()
  }
}

/** The target's own record is all that counts; where it ran several times, the last. */
export function answerOf(report: RunReport, target: Listed, ask: Ask, timedOut: boolean): Omit<Answer, 'ms'> {
  const at = report.records.findLastIndex(r => r.id === target.id)
  const record = report.records[at]
  const race = report.race === undefined ? {} : { race: report.race }
  if (record === undefined) {
    // Alone, it is the target that hung; among others it may have been any of them.
    const outcome: RunOutcome = timedOut && ask.tests?.length === 1
      ? 'timeout'
      : report.broken !== undefined || timedOut
      ? 'broken'
      : 'missing'
    const message = report.broken ?? (timedOut ? 'the run took too long and was ended' : undefined)
    return { outcome, setupMs: null, testMs: null, teardownMs: null, attempts: 1, command: report.command,
      ...(message !== undefined && { message }), ...race }
  }
  // The runner spoke of the target, and then of itself: a crash after the test is not the test's.
  const before = ask.tests === null || ask.seed !== undefined || ask.tests.length > 1
    ? report.records.slice(0, at).filter(r => r.worker === record.worker && r.outcome !== 'skip').map(r => r.id)
    : undefined
  return {
    outcome: record.outcome === 'fail' && timedOut ? 'timeout' : record.outcome,
    setupMs: record.setupMs,
    testMs: record.testMs,
    teardownMs: record.teardownMs,
    attempts: record.attempts,
    command: report.command,
    ...(record.message !== undefined && { message: record.message }),
    ...(before && { before }),
    ...race,
  }
}

interface TimeLimits {
  readonly of: (kind: string) => number
  readonly add: (kind: string, ms: number) => void
}

/** Five times what such a run usually takes, and never so little that a busy machine decides. */
function timeLimits(): TimeLimits {
  const seen = new Map<string, number[]>()
  return {
    of: kind => {
      const times = seen.get(kind) ?? []
      return times.length < 3 ? FIRST_RUN_MS : Math.max(LEAST_MS, 5 * median(times))
    },
    add: (kind, ms) => void (seen.get(kind)?.push(ms) ?? seen.set(kind, [ms])),
  }
}
