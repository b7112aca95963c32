// What a formatter is given: everything a run found, as plain data, in the order it is to be shown.

import type { Language } from '../facts/facts.ts'
import type { Finding, Notice, Preset, RuleMeta, Severity } from '../rules/rule.ts'

/** A rule as it was applied in this run. */
export interface AppliedRule extends RuleMeta {
  /** What the configuration made of it. */
  readonly level: Severity
  /** The whole page, in Markdown. */
  readonly page: string
}

export interface Summary {
  readonly version: string
  readonly preset: Preset
  /** Sorted by id; only those that were on. */
  readonly rules: readonly AppliedRule[]
  /** Sorted by file, position and rule. Suppressed ones are among them only when they were asked for. */
  readonly findings: readonly Finding[]
  readonly suppressed: number
  readonly notices: readonly Notice[]
  readonly files: {
    /** Looked at: of a language we know, and not left out. */
    readonly checked: number
    readonly parsed: number
    readonly withProblems: number
    /** Left out, by reason: ignored, vendored, generated, minified, binary, too large, unreadable. */
    readonly leftOut: Readonly<Record<string, number>>
  }
  readonly tests: Readonly<Partial<Record<Language, number>>>
  /** Where only changed files were spoken of: «staged», «changed since main», «given», and how many of them are code. */
  readonly narrowed?: { readonly to: string; readonly files: number }
  /** Where findings were accepted before. */
  readonly baseline?: {
    readonly file: string
    readonly accepted: number
    /** Accepted, and there no more. */
    readonly gone: readonly { readonly file: string; readonly rule: string; readonly test: string | null; readonly code: string;
      readonly count: number }[]
    /** Accepted findings are among the findings, marked as suppressed. */
    readonly all: boolean
  }
}

export interface FormatOptions {
  readonly color: boolean
  readonly quiet: boolean
  /** Is told what the format had to leave out. */
  readonly tell?: (leftOut: string) => void
}

export type Formatter = (summary: Summary, options: FormatOptions) => string
