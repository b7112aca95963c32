// What the server asks of the thread that lints, and what it is told.

import type { Finding, FindingFix, FixedFile, Language, LintResult, Preset } from '../../index.ts'

/** A text as it was when it was asked about. */
export interface Job {
  /** What its path is told from, and where its configuration is looked for. */
  readonly folder: string
  readonly preset: Preset | null
  readonly path: string
  readonly text: string
  readonly language: Language
}

export interface Answers {
  readonly lint: LintResult
  readonly fix: FixedFile
  /** The comments that would silence findings, by their fingerprints. */
  readonly silence: Readonly<Record<Finding['fingerprint'], FindingFix>>
}

export interface Request {
  readonly id: number
  readonly is: keyof Answers
  readonly job: Job
}

/** A fault is `theirs` where the project's configuration is at fault, and the message says where. */
export type Reply =
  | { readonly id: number; readonly value: Answers[keyof Answers] }
  | { readonly id: number; readonly fault: string; readonly theirs: boolean }
