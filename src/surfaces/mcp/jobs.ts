// The work of a thread: what lint and report do, from arguments to the result.

import { isBaselineError, isConfigError, isPathError, isTypedError, lint, reports, run, type Preset, type Report } from '../../index.ts'
import { callError } from './envelope.ts'

interface Asked {
  readonly cwd: string
  readonly paths: readonly string[]
  readonly preset?: Preset
}

export type Job =
  | (Asked & { readonly is: 'lint'; readonly limit?: number })
  | (Asked & { readonly is: 'report'; readonly format: 'json' | 'markdown' })

export async function work(job: Job): Promise<object> {
  try {
    return job.is === 'lint'
      ? shortened(await lint({ cwd: job.cwd, paths: job.paths, ...(job.preset && { preset: job.preset }) }), job.limit)
      : await causes(job)
  } catch (error) {
    if (isPathError(error)) throw callError('PATH_NOT_FOUND', error.message, { paths: error.paths })
    if (isConfigError(error) || isBaselineError(error) || isTypedError(error)) throw callError('BAD_CONFIGURATION', error.message)
    throw error
  }
}

/** Without the list of rules: a tool of its own gives it, and every finding names its rule. */
function shortened({ schemaVersion, summary, findings, notices }: Report, limit = Infinity): object {
  const omitted = Math.max(0, findings.length - limit)
  return { schemaVersion, summary, findings: findings.slice(0, limit), notices, ...(omitted > 0 && { omitted }) }
}

/** As `flakesniff report` does it. */
async function causes({ cwd, paths, preset = 'strict', format }: Extract<Job, { is: 'report' }>): Promise<object> {
  const { summary } = await run({ cwd, paths, preset, baseline: false })
  const text = reports[format](summary, { color: false, quiet: false })
  return { format, report: format === 'json' ? JSON.parse(text) as object : text }
}
