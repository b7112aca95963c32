// `confirm` as a tool. It starts processes and waits for them, so it needs no thread; the signal ends them all.

import { didYouMean, loadConfirm, VERSION } from '../../index.ts'
import { callError } from './envelope.ts'
import type { Gate } from './roots.ts'

export interface ConfirmArguments {
  readonly test: string
  readonly runner?: string
  readonly runs?: number
  readonly perturb?: readonly string[]
  readonly budgetMs?: number
}

/** `tests/test_a.py::test_x`, `a.test.ts > suite > test` and `a_test.go:12` begin with a file. */
const fileOf = (test: string): string => test.split(/::| > |:\d+$/)[0]!

export async function confirmTest(asked: ConfirmArguments,
  { cwd, timeoutMs, gate, signal }: { readonly cwd: string; readonly timeoutMs: number; readonly gate: Gate;
    readonly signal: AbortSignal }): Promise<object>
{
  refuseOutside(asked.test, gate)
  const api = await loadConfirm()
  const perturb = asked.perturb?.map(name => api.PERTURBATIONS.find(p => p === name) ?? unknownShake(name, api.PERTURBATIONS))
  try {
    return await api.confirm({
      cwd,
      target: asked.test,
      ownEnv: process.env,
      version: VERSION,
      locate: api.testAt,
      signal,
      budgetMs: Math.min(asked.budgetMs ?? api.BUDGET_MS, timeoutMs * 0.9),
      ...(perturb && { perturb }),
      ...(asked.runner !== undefined && { runner: asked.runner }),
      ...(asked.runs !== undefined && { runs: asked.runs }),
    })
  } catch (error) {
    if (!signal.aborted && (api.isConfirmError(error) || api.isRunnerError(error))) throw callError('CANNOT_CONFIRM', error.message)
    throw error
  }
}

/** A test's name need not be a path: only one that leads out is refused here. */
function refuseOutside(test: string, gate: Gate): void {
  try {
    gate(fileOf(test))
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'PATH_NOT_FOUND') throw error
  }
}

const unknownShake = (name: string, known: readonly string[]): never => {
  throw callError('INVALID_PARAMS',
    `confirm: perturb ${JSON.stringify(name)}: must be one of ${known.join(', ')}${didYouMean(name, known)}`)
}
