// What the parts of the extractor share while one file is read.

import type { Import, Span, Value } from '../../facts/facts.ts'
import type { Draft, Result } from '../build.ts'
import type { ParseOptions } from '../frontend.ts'
import type { Node } from '../tree-sitter.ts'
import type { Runner } from './frameworks.ts'

/** Where a statement stands. */
export interface Place {
  readonly unit: Draft
  readonly region: number
  /** The text of the innermost `if`, `&&` or `||` that decides whether this place is reached. */
  readonly guard: string | null
  /** A test that stands here alone fails the unit when it is false. */
  readonly asserts: boolean
  /** What a pipe or redirection feeds the very next command, and what a loop around it reads. */
  readonly stdin?: Value
  readonly input?: Value
  /** Standard output goes to a file, so it is not what the function gives back. */
  readonly redirected?: boolean
}

export interface Title {
  readonly title: string
  readonly span: Span
}

export interface Tags {
  readonly span: Span
  readonly of: 'test' | 'file'
  readonly tags: readonly string[]
}

export interface Scope {
  readonly text: string
  readonly options: ParseOptions
  readonly units: Draft[]
  readonly imports: Import[]
  /** Functions this file defines, with the span in which each can be called. */
  readonly own: Map<string, Span[]>
  /** Titles of bats tests, by where the function's name stands once the file is rewritten. */
  readonly titles: ReadonlyMap<number, Title>
  /** Functions made tests by `bats_test_function`. */
  readonly registered: Map<string, string>
  readonly tags: Tags[]
  readonly runner: Runner | null
  /** Names that a unit has declared `local`, and its `set +e` that is still open. */
  readonly locals: Map<Draft, Set<string>>
  readonly lax: Map<Draft, { span: Span; firstCall: number; region: number }>
  depth: number
  /** Reads a statement wherever one can stand: also inside words, conditions and quoted scripts. */
  evaluate(node: Node, at: Place, result?: Result): Value
  sequence(nodes: readonly Node[], at: Place): Value
  /** Reads a quoted script as if it stood where its text stands. */
  script(text: string, start: number, at: Place): Value
}

const DEEPEST = 120

/** Code nested deeper than anybody writes is left unread rather than read with an overflowing stack. */
export function bounded<T>(scope: Scope, otherwise: T, read: () => T): T {
  if (scope.depth >= DEEPEST) return otherwise
  scope.depth++
  try {
    return read()
  } finally {
    scope.depth--
  }
}

export const textOf = (node: Node | undefined, scope: Scope): string => (node ? scope.text.slice(node.start, node.end) : '')

/** A place whose commands are conditions or values: nothing there is an assertion. */
export const quietly = (at: Place): Place => ({ unit: at.unit, region: at.region, guard: at.guard, asserts: false,
  ...(at.input && { input: at.input }) })

export function isOwn(name: string, at: number, scope: Scope): boolean {
  return scope.own.get(name)?.some(s => s.start <= at && at < s.end) ?? false
}

/** What is piped into a group is there for whatever `read` finds it. */
export const inherit = (at: Place): Place => {
  const { stdin, ...rest } = at
  return stdin ? { ...rest, input: stdin } : at
}
