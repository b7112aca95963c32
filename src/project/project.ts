// What the configuration of runners and CI says, read as data: above all, whether tests run at the same time.

import type { Language } from '../facts/facts.ts'

export interface ProjectFacts {
  /** Tests of one file or class may run at the same time in one process. */
  readonly parallel: Readonly<Partial<Record<Language, Parallel>>>
  /** Every file's path in the run, for rules about a suite as a whole. */
  readonly batsFiles: readonly string[]
}

export interface Parallel {
  readonly on: boolean
  /** What says so: `junit-platform.properties`, «cargo test runs tests in threads». */
  readonly because: string
}

export const NO_PROJECT: ProjectFacts = { parallel: {}, batsFiles: [] }
