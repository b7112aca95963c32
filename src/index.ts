// The public API: the only door the surfaces use.

export { run, type Run, type RunOptions } from './run.ts'
export { formats, reports, type Format, type ReportFormat } from './report/index.ts'
export type { Formatter, Summary } from './report/summary.ts'
export { rules } from './rules/registry.ts'
export { pageOf } from './rules/pages.ts'
export type { Confidence, Finding, Notice, Preset, RuleMeta, Severity } from './rules/rule.ts'
export { isTypedError } from './typed/typed.ts'
export { isConfigError, type FailOn, type Level } from './config/config.ts'
export { didYouMean } from './config/nearest.ts'
export { VERSION } from './version.ts'
export type { Confirmation, ConfirmEvent, ConfirmFormat, ConfirmOptions, Enrichment, Plan, Suspicion } from './confirm/api.ts'

/** Everything about confirming by runs, loaded only where it is asked for. */
export async function loadConfirm() {
  const [api, { testAt }] = await Promise.all([import('./confirm/api.ts'), import('./engine/locate.ts')])
  return { ...api, testAt }
}
