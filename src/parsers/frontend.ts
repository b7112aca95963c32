// What a language implements. A frontend reads text and returns facts; it never judges, never throws, never does I/O
// except to load its grammar.

import type { Effect, EffectKind } from '../facts/effects.ts'
import type { FileKind, Language, Parsed } from '../facts/facts.ts'

/** One row of knowledge: what a name does. Rows with the same name add up. */
export interface CatalogRow {
  /**
   * Qualified as the parser qualifies calls. `random.*` stands for every name below. `?.await` is a method of a receiver
   * whose type is not known: findings that rest on it are a guess.
   */
  readonly name: string | readonly string[]
  readonly effect: EffectKind
  /** Where the duration is: an argument's place or name, the unit of a bare number, or the place of a unit argument. */
  readonly ms?: { readonly arg: number | string; readonly unit?: 'ns' | 'us' | 'ms' | 's' | 'm'; readonly unitArg?: number }
  /** The argument that matters (a name, a seed, a port); -1 is the receiver. */
  readonly arg?: number | string
  /** Only when called with exactly this many arguments. */
  readonly args?: number | readonly number[]
  /** Only when the call has (or, with a leading !, has not) this named argument. */
  readonly with?: string
  /** name-resource: what is named. */
  readonly what?: string
  readonly note?: string
}

/** How a test runner of this language is recognised, and by which files; data for `kindOf` and for the rule pages. */
export interface Framework {
  readonly id: string
  readonly title: string
}

export interface Frontend {
  readonly id: Language
  /** As a reader calls it: «Python», «Bash/BATS». */
  readonly title: string
  readonly extensions: readonly string[]
  /** Whole file names and the programs of a first `#!` line. */
  readonly fileNames?: readonly string[]
  readonly shebangs?: readonly string[]
  /** The first word of a rule page's fence. */
  readonly fences: readonly string[]
  readonly catalog: readonly CatalogRow[]
  /** Milliseconds that names and constructors of durations are worth: see fold.ts. */
  readonly durations: Readonly<Record<string, number>>
  readonly frameworks: readonly Framework[]
  /**
   * What makes a file worth parsing beyond the catalog's names, by what a rule looks for: a word each, or a piece of a
   * regular expression where a word will not do (`\\|\\|`).
   */
  readonly words: Readonly<Record<'skip' | 'swallow' | 'global', readonly string[]>>
  /** The language keeps tests beside the code they test, in files that are source by their path. */
  readonly testsInSource?: true
  /** By path alone, with / between parts, relative to the linted root. */
  kindOf(path: string): FileKind
  /** Tests in a file that is not worth parsing, counted by its text. Must agree with `parse` on files in plain style. */
  countTests(text: string): number
  /** A file without tests that says of some of its code that only tests have it. */
  holdsTestCode?(text: string): boolean
  load(): Promise<void>
  /** Synchronous; a file the grammar cannot read still gives facts, with problems. */
  parse(text: string, options: ParseOptions): Parsed
}

export interface ParseOptions {
  readonly path: string
  readonly kind: FileKind
  /** Names of the project's own that begin tests, from the configuration. */
  readonly testFunctions: readonly string[]
  /** What somebody else has already made of the same text. A frontend that cannot use it parses the text itself. */
  readonly tree?: ForeignTree
}

/** An ESTree program and its comments, as ESLint and oxlint hold them. */
export interface ForeignTree {
  readonly program: unknown
  readonly comments: readonly unknown[]
}

export type { Effect, EffectKind, FileKind, Parsed }
