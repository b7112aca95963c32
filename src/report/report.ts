// The report as a program gets it: printed by `--format json`, given by `lint`, sent by the MCP server. The same shape as
// schema/flakesniff-report.schema.json, which also holds what is promised of it.

import type { Language } from '../facts/facts.ts'
import type { Confidence, Endangered, FindingFix, FindingPlace, Notice, Preset, Region, RuleMeta, Severity } from '../rules/rule.ts'

export interface ReportedFinding extends Region {
  readonly ruleId: string
  readonly severity: Severity
  readonly confidence: Confidence
  /** Relative to the root, with `/`. */
  readonly file: string
  /** What depends on what. */
  readonly message: string
  /** The test, hook or helper around it, as its runner would name it. */
  readonly test: string | null
  /** The way of the value, from where it arises to where it matters. */
  readonly trace: readonly FindingPlace[]
  readonly related: readonly FindingPlace[]
  /** The tests that reach a finding outside a test. Missing where it stands in a test, or where nothing was traced. */
  readonly endangers?: readonly Endangered[]
  /** What would cure it, the best first. */
  readonly fixes?: readonly FindingFix[]
  /** Stays the same under edits elsewhere in the file. */
  readonly fingerprint: string
  readonly lineHash: string
  /** There where suppressed findings were asked for and this is one. */
  readonly suppressed?: { readonly reason: string; readonly by?: 'baseline' }
}

export interface Report {
  /** Raised by a change that breaks a reader. */
  readonly schemaVersion: 1
  readonly tool: { readonly name: 'flakesniff'; readonly version: string }
  readonly preset: Preset
  readonly summary: {
    readonly files: { readonly checked: number; readonly parsed: number; readonly withProblems: number;
      readonly leftOut: Readonly<Record<string, number>> }
    /** Tests seen. */
    readonly tests: Readonly<Partial<Record<Language, number>>>
    readonly findings: Readonly<Record<Severity, number>>
    readonly suppressed: number
    readonly narrowed?: { readonly to: string; readonly files: number }
    readonly baseline?: { readonly file: string; readonly accepted: number;
      readonly gone: readonly { readonly file: string; readonly rule: string; readonly test: string | null; readonly code: string;
        readonly count: number }[] }
  }
  /** Those that were on, sorted by id. */
  readonly rules: readonly { readonly id: string; readonly title: string; readonly category: RuleMeta['category'];
    readonly severity: Severity }[]
  /** Sorted by file, position and rule. */
  readonly findings: readonly ReportedFinding[]
  readonly notices: readonly Notice[]
}
