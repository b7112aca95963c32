// The public API: the only door the surfaces use.

import type { Setup } from './init/proposal.ts'
import type { Preset } from './rules/rule.ts'

export { lint, isPathError, type LintOptions, type PathError } from './lint.ts'
export type { Report, ReportedFinding } from './report/report.ts'
export { run, type Run, type RunOptions } from './run.ts'
export { commentsIn, homeOf, loadLanguages, makeLinter, type ForeignTree, type LintResult, type Linter, type LinterOptions,
  type Source } from './linter.ts'
export { formats, reports, type Format, type ReportFormat } from './report/index.ts'
export { lineEdits, unifiedDiff } from './report/diff.ts'
export type { Formatter, Summary } from './report/summary.ts'
export { rules } from './rules/registry.ts'
export { silencing } from './fixes/silence.ts'
export { languageOf } from './parsers/registry.ts'
export type { FixedFile } from './engine/fix.ts'
/** Loaded only where it is asked for: it brings parsers of its own. */
export const proposeSetup = async (root: string, version: string, preset: Preset): Promise<Setup> =>
  (await import('./init/init.ts')).proposeSetup(root, version, preset)
export type { Advice, Proposal, Setup } from './init/proposal.ts'
export { pageOf, pageUrlOf } from './rules/pages.ts'
export type { Comment, Language } from './facts/facts.ts'
export type { Confidence, Finding, FindingFix, FindingPlace, Notice, Preset, Region, RuleMeta, Severity } from './rules/rule.ts'
export { isTypedError } from './typed/typed.ts'
export { isConfigError, type FailOn, type Level } from './config/config.ts'
export { printEntries, isBaselineError, type BaselineError, type Entry } from './baseline/entries.ts'
export type { Baseline } from './engine/accepted.ts'
export { isChangesError, type ChangesError } from './changes/git.ts'
export type { ChangesOf } from './changes/changes.ts'
export { isInside, realPlace } from './discover/places.ts'
export { didYouMean } from './config/nearest.ts'
export { SUPPRESSION_RULES } from './config/suppress.ts'
export { VERSION } from './version.ts'
export type { Confirmation, ConfirmEvent, ConfirmFormat, ConfirmOptions, Enrichment, Plan, Suspicion } from './confirm/api.ts'

/** Everything about confirming by runs, loaded only where it is asked for. */
export async function loadConfirm() {
  const [api, { testAt }] = await Promise.all([import('./confirm/api.ts'), import('./engine/locate.ts')])
  return { ...api, testAt }
}
