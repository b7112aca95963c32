// The story of a confirmation: find the runner, list its tests, find the target, say what will be run, climb the ladder.

import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { chooseRunner, type Chosen } from './choose.ts'
import { toConfirmation, type Confirmation } from './confirmation.ts'
import { drive } from './drive.ts'
import { environmentOf } from './environment.ts'
import { startGuard } from './guard.ts'
import { noJournal, openJournal } from './journal.ts'
import type { Perturbation, Variant, World } from './perturbations/perturbation.ts'
import { shakeNamed, USUAL } from './perturbations/registry.ts'
import { planOf, type Plan } from './plan.ts'
import { readOnlyPlace } from './place.ts'
import type { Ask, Run } from './protocols/ask.ts'
import { nothingKnown, type Situation } from './protocols/known.ts'
import { ladder } from './protocols/ladder.ts'
import type { ShakePlan } from './protocols/shake.ts'
import type { Listed } from './runner.ts'
import { commandRunner } from './runners/command/command.ts'
import { openSession, type Session } from './session.ts'
import { chooseTarget, isListed, readPlace, type Choice, type Wanted } from './target.ts'
import { commandLine } from './words.ts'
import { changesIn, newChanges } from './worktree.ts'

export interface ConfirmOptions {
  readonly cwd: string
  /** A runner's id, FILE:LINE or a name. */
  readonly target: string
  /** The name of the test there, where it is known. */
  readonly test?: string
  readonly runner?: string
  readonly runs?: number
  readonly budgetMs?: number
  /** Only these; where left out, the whole ladder with what is usual. */
  readonly perturb?: readonly Perturbation[]
  /** Tried before the usual ones: what the rule that raised the suspicion names. */
  readonly suggested?: readonly Perturbation[]
  readonly beforeRun?: readonly string[]
  /** With `{test}` where the test's name goes. */
  readonly command?: readonly string[]
  readonly shard?: { readonly index: number; readonly of: number }
  readonly journal?: string
  /** Variables to pass: `NAME` or `NAME=VALUE`. */
  readonly env?: readonly string[]
  readonly ownEnv: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly signal?: AbortSignal
  /** The name of the test around a place, by our own parser. */
  readonly locate?: (file: string, line: number) => Promise<string | null>
  readonly onEvent?: (event: ConfirmEvent) => void
}

export type ConfirmEvent =
  | { readonly is: 'start'; readonly runner: string; readonly reasons: readonly string[]; readonly root: string }
  | { readonly is: 'exec'; readonly argv: readonly string[] }
  | { readonly is: 'plan'; readonly plan: Plan }
  | { readonly is: 'ask'; readonly ask: Ask; readonly done: number }
  | { readonly is: 'run'; readonly run: Run; readonly fresh: boolean }
  | { readonly is: 'note'; readonly text: string }

export const BUDGET_MS = 10 * 60_000

export const confirm = (options: ConfirmOptions): Promise<Confirmation> => prepared(options, ready => carryOut(options, ready))

/** What `confirm` would do: it lists the tests, and runs none. */
export const planned = (options: ConfirmOptions): Promise<Plan> => prepared(options, async ready => ready.plan)

interface Ready extends Chosen {
  readonly session: Session
  readonly choice: Choice
  readonly situation: Situation
  readonly variants: ReadonlyMap<string, readonly Variant[]>
  readonly unavailable: Confirmation['unavailable']
  readonly environment: Confirmation['environment']
  readonly plan: Plan
}

async function prepared<T>(options: ConfirmOptions, then: (ready: Ready) => Promise<T>): Promise<T> {
  const { cwd, signal } = options
  const { env, dropped, set } = environmentOf(options.ownEnv, options.env)
  const place = readPlace(options.target) ?? fileOfId(cwd, options.target)
  const file = place === null ? null : resolve(cwd, place.file)
  const chosen = options.command
    ? { runner: commandRunner(options.command, options.target), detection: { reasons: ['given by --command'], folder: '' }, root: cwd }
    : await chooseRunner(cwd, file, env, options.runner)
  options.onEvent?.({ is: 'start', runner: chosen.runner.title, reasons: chosen.detection.reasons, root: chosen.root })
  const guard = startGuard()
  let session: Session | undefined
  try {
    session = await openSession({ ...chosen, env, guard, workers: Math.max(4, availableParallelism()), onExec: argv =>
      options.onEvent?.({ is: 'exec', argv }), ...(signal && { signal }), ...(options.beforeRun && { beforeRun: options.beforeRun }) })
    const wanted = await wantedOf(options, chosen.root, file)
    const listed = await withFile(session, wanted, file === null ? undefined : relative(chosen.root, file).split(sep).join('/'))
    const choice = chooseTarget(wanted, listed, chosen.runner.named)
    const world: World = {
      runner: chosen.runner.id,
      can: session.can,
      target: choice.target,
      text: textOf(chosen.root, choice.target.file),
      env,
      passed: options.env ?? [],
      folder: session.folder,
      exec: session.exec,
      guard,
    }
    const shakes = await shakesOf(options, world)
    const situation: Situation = {
      target: choice.target,
      listed,
      can: session.can,
      only: new Set(options.perturb ?? []),
      shakes: shakes.plans,
      slowMs: (options.budgetMs ?? BUDGET_MS) / 12,
      ...(options.runs !== undefined && { runs: options.runs }),
      ...(options.shard && { shard: options.shard }),
    }
    const plan = planOf(chosen, situation, { session, dropped, unavailable: shakes.unavailable, budgetMs: options.budgetMs ?? BUDGET_MS,
      others: choice.others, beforeRun: options.beforeRun ?? [] })
    return await then({ ...chosen, session, choice, situation, ...shakes, environment: { dropped, set }, plan })
  } finally {
    session?.close()
    guard.release()
  }
}

/** A test that the suite leaves out is still a test of its file. */
async function withFile(session: Session, wanted: Wanted, file: string | undefined): Promise<readonly Listed[]> {
  if (file === undefined || isListed(wanted, session.listed)) return session.listed
  const known = new Set(session.listed.map(t => t.id))
  return [...session.listed, ...(await session.listFile(file)).filter(t => !known.has(t.id))]
}

async function carryOut(options: ConfirmOptions, ready: Ready): Promise<Confirmation> {
  const { runner, detection, root, session, situation, variants, environment, plan } = ready
  const { target } = situation
  options.onEvent?.({ is: 'plan', plan })
  const journal = options.journal === undefined
    ? noJournal
    : openJournal(resolve(options.cwd, options.journal), { target: target.id, runner: runner.id, tests: session.listed.length })
  if (journal.held > 0) options.onEvent?.({ is: 'note', text: `${journal.held} runs are taken from ${options.journal}` })
  const before = await changesIn(root)
  const known = nothingKnown()
  const variantOf = (ask: Ask): Variant | undefined => (ask.shake ? variants.get(ask.shake.name)?.[ask.shake.variant] : undefined)
  const ending = await drive(ladder(situation, known), {
    run: ask => session.answer(target, ask, variantOf(ask)),
    recorded: journal.recorded,
    onAsk: ask => options.onEvent?.({ is: 'ask', ask, done: known.runs.length }),
    onRun: (run, fresh) => {
      const { ask, ...answer } = run
      known.runs.push(run)
      if (fresh) journal.add(ask, answer)
      options.onEvent?.({ is: 'run', run, fresh })
    },
    budgetMs: options.budgetMs ?? BUDGET_MS,
    now: () => performance.now(),
    ...(options.signal && { signal: options.signal }),
  })
  const written = newChanges(before, await changesIn(root))
  const leaked = known.runs.filter(r => (r.leaked ?? 0) > 0).length
  return toConfirmation(known, {
    tool: { name: 'flakesniff', version: options.version },
    target,
    runner: { id: runner.id, title: runner.title, reasons: detection.reasons },
    unavailable: ready.unavailable,
    environment,
    ending,
    shard: options.shard ?? null,
    warnings: [
      ...(ready.choice.others.length > 0
        ? [`${options.target} fits ${ready.choice.others.length + 1} tests; this is the first of them`]
        : []),
      ...(written.length > 0
        ? [
          `the runs changed the working tree: ${written.slice(0, 5).join(', ')}${
            written.length > 5 ? ` and ${written.length - 5} more` : ''
          }`,
        ]
        : []),
      ...(leaked > 0 ? [`${leaked} runs left processes behind, which were ended: they could have disturbed whatever ran next`] : []),
    ],
    retries: runner.retries?.(readOnlyPlace(root, environment.set), detection) ?? [],
    reveals: name => shakeNamed(name as Perturbation)?.reveals ?? '',
    commandOf: run => reproduction(run, variantOf(run.ask), root, options.cwd, options),
  })
}

/** The shakes that are wanted and possible, and what is not. */
async function shakesOf(options: ConfirmOptions,
  world: World): Promise<{ plans: ShakePlan[]; variants: Map<string, readonly Variant[]>; unavailable: { name: string; why: string }[] }>
{
  const names = options.shard ? [] : options.perturb ?? [...new Set([...options.suggested ?? [], ...USUAL])]
  const variants = new Map<string, readonly Variant[]>()
  const plans: ShakePlan[] = [], unavailable: { name: string; why: string }[] = []
  for (const name of names) {
    const shake = shakeNamed(name)
    if (!shake) continue
    const found = await shake.variants(world)
    if (typeof found === 'string') unavailable.push({ name, why: found })
    else {
      variants.set(name, found)
      plans.push({ name, sure: shake.sure,
        variants: found.map(v => ({ title: v.title, ...(v.asks && { asks: v.asks }), ...(v.inSuite && { inSuite: true }) })) })
    }
  }
  return { plans, variants, unavailable }
}

/** What a user types to see it: with the shake's own settings where those are settings, else through us. */
function reproduction(run: Run, variant: Variant | undefined, root: string, cwd: string, options: ConfirmOptions): string {
  const bySettings = variant === undefined
    || (variant.around === undefined && variant.beside === undefined && variant.request === undefined && variant.wholeEnv === undefined
      && !('FLAKESNIFF_RANDOM_SEED' in (variant.env ?? {})) && !run.ask.copies)
  if (!bySettings)
    return `flakesniff confirm ${commandLine([options.target])}${
      options.runner === undefined ? '' : ` --runner ${options.runner}`
    } --perturb ${run.ask.shake!.name}`
  const folder = relative(cwd, root)
  return commandLine([...variant?.prefix ?? [], ...run.command], variant?.env, folder === '' ? undefined : folder)
}

async function wantedOf({ target, test, locate }: ConfirmOptions, root: string, file: string | null): Promise<Wanted> {
  const place = readPlace(target)
  if (!place || file === null) return { text: target, ...(test !== undefined && { test }) }
  const name = test ?? await locate?.(file, place.line) ?? undefined
  return { text: target, file: relative(root, file).split(sep).join('/'), line: place.line, ...(name !== undefined && { test: name }) }
}

/** `tests/a.py::test_x` begins with a file: that tells where to look for a runner. */
function fileOfId(cwd: string, id: string): { file: string } | null {
  const file = id.split(/::| > /)[0]!
  return /\.\w+$/.test(file) && !isAbsolute(file) && textOf(cwd, file) !== '' ? { file } : null
}

function textOf(root: string, file: string | null): string {
  if (file === null) return ''
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return ''
  }
}
