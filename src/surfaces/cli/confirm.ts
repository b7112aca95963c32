// `confirm` and `merge`: they run what was asked, tell how it goes, and end cleanly when interrupted.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { didYouMean, loadConfirm, rules, VERSION, type Confirmation, type ConfirmFormat, type ConfirmOptions, type Enrichment,
  type Suspicion } from '../../index.ts'
import type { ConfirmCommand, ConfirmOutput, MergeCommand } from './confirm-options.ts'
import { confirmProgress, planText, type ConfirmProgress } from './confirm-progress.ts'
import { usage } from './usage.ts'
import { complain, print } from './say.ts'
import { writeWhole } from './write.ts'

type Api = Awaited<ReturnType<typeof loadConfirm>>
type Perturbations = NonNullable<ConfirmOptions['perturb']>

/** Returns the exit status: 1 confirmed, 0 not reproduced, 2 could not be run. */
export async function confirmCommand(command: ConfirmCommand): Promise<number> {
  const api = await loadConfirm()
  const perturb = command.perturb.map(name => knownPerturbation(name, api))
  const progress = confirmProgress(process.stderr, command.quiet, api.LETTERS)
  const interruption = onInterrupt()
  const base = {
    cwd: process.cwd(),
    ownEnv: process.env,
    version: VERSION,
    env: command.env,
    locate: api.testAt,
    signal: interruption.signal,
    onEvent: progress.tell,
    ...(perturb.length > 0 && { perturb }),
    ...(command.runner !== undefined && { runner: command.runner }),
    ...(command.runs !== undefined && { runs: command.runs }),
    ...(command.budgetMs !== undefined && { budgetMs: command.budgetMs }),
    ...(command.beforeRun && { beforeRun: command.beforeRun }),
    ...(command.command && { command: command.command }),
    ...(command.shard && { shard: command.shard }),
    ...(command.journal !== undefined && { journal: command.journal }),
  }
  try {
    if (command.from !== null) return await confirmAll(command, command.from, base, api, progress, interruption.signal)
    const options = { ...base, target: command.target! }
    if (command.plan) return print(planAs(command.format, await api.planned(options)))
    const made = await api.confirm(options)
    progress.end()
    write([made], command, api)
    return status([made], api)
  } catch (error) {
    progress.end()
    if (api.isConfirmError(error) || api.isRunnerError(error)) return complain(error.message)
    throw error
  } finally {
    interruption.end()
  }
}

/** One after the other; what cannot be run is told and does not stop the rest. */
async function confirmAll(command: ConfirmCommand, from: string, base: Omit<ConfirmOptions, 'target'>, api: Api, progress: ConfirmProgress,
  signal: AbortSignal): Promise<number>
{
  const text = read('--from', from)
  const suspicions = api.readSuspicions(from, text)
  const made: { readonly suspicion: Suspicion; readonly confirmation: Confirmation }[] = []
  const plans: string[] = []
  let failed = 0
  for (const suspicion of suspicions) {
    if (signal.aborted) break
    const options = { ...base, target: suspicion.target, suggested: suggestions(suspicion),
      ...(suspicion.test !== null && { test: suspicion.test }) }
    try {
      if (command.plan) plans.push(planAs(command.format, await api.planned(options)))
      else made.push({ suspicion, confirmation: await api.confirm(options) })
    } catch (error) {
      if (!api.isConfirmError(error) && !api.isRunnerError(error)) throw error
      failed++
      complain(`${suspicion.target}: ${error.message}`)
    }
    progress.end()
  }
  if (command.plan) return print(plans.join('\n')) || (failed > 0 ? 2 : 0)
  const enrichments = made.flatMap(m => m.suspicion.results.map((at): Enrichment => ({ ...at, confirmation: m.confirmation })))
  const isSarif = suspicions.some(s => s.results.length > 0)
  write(made.map(m => m.confirmation), command, api, isSarif ? () => api.enrichSarif(text, enrichments) : undefined)
  const known = status(made.map(m => m.confirmation), api)
  return known === 1 ? 1 : failed > 0 ? 2 : known
}

const suggestions = (
  suspicion: Suspicion,
): Perturbations => [...new Set(suspicion.rules.flatMap(id => rules.find(r => r.meta.id === id)?.meta.confirm ?? []))]

export async function mergeCommand(command: MergeCommand): Promise<number> {
  const api = await loadConfirm()
  try {
    const merged = api.merge(command.files.flatMap(file => api.readConfirmations(file, read('merge', file))))
    write(merged, command, api)
    return status(merged, api)
  } catch (error) {
    if (api.isConfirmError(error)) return complain(error.message)
    throw error
  }
}

function knownPerturbation(name: string, { PERTURBATIONS }: Api): Perturbations[number] {
  return PERTURBATIONS.find(p => p === name)
    ?? usage(`--perturb ${name}: must be one of ${PERTURBATIONS.join(', ')}${didYouMean(name, PERTURBATIONS)}`)
}

/** What was interrupted and shows nothing has not been done. */
function status(made: readonly Confirmation[], { exitStatusOf }: Api): number {
  const all = made.map(c => (c.ending === 'interrupted' && !c.confirmed ? 2 : exitStatusOf(c.verdict)))
  return all.includes(1) ? 1 : all.includes(2) ? 2 : 0
}

function write(made: readonly Confirmation[],
  { format, outputs }: { readonly format: ConfirmFormat; readonly outputs: readonly ConfirmOutput[] }, { confirmFormats }: Api,
  sarif?: () => string): void
{
  const as = (wanted: ConfirmFormat) => (wanted === 'sarif' && sarif ? sarif() : confirmFormats[wanted](made))
  for (const { format: wanted, file } of outputs) writeWhole(resolve(file), as(wanted))
  if (outputs.length === 0) process.stdout.write(as(format))
}

const planAs = (format: ConfirmFormat, plan: Parameters<typeof planText>[0]): string =>
  format === 'json' ? `${JSON.stringify(plan, null, 2)}\n` : planText(plan)

function read(what: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return usage(`${what} ${file}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first signal ends the run that goes on, and what is known is told; the second ends us at once. */
function onInterrupt(): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController()
  const handle = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  for (const signal of SIGNALS) process.on(signal, handle)
  return { signal: controller.signal, end: () => SIGNALS.forEach(signal => process.off(signal, handle)) }
}
