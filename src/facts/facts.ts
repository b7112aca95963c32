// The vocabulary. A parser turns one file into these facts; every other room speaks only of them.
// Plain data: no syntax tree, no functions, so that facts can be cached, sent to a worker and printed.

import type { Effect } from './effects.ts'

export type Language = 'python' | 'typescript' | 'java' | 'go' | 'rust' | 'bash'

/** UTF-16 offsets into the file's text, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * How a name was found out. Confidence follows it: `import` and `type` are as good as the compiler's word,
 * `local` is a function of this file, `global` a built-in that nothing shadows, `guess` only looks like it.
 */
export type Resolution = 'import' | 'type' | 'local' | 'global' | 'guess'

/** A value as far as we follow it. Whatever we do not understand keeps its parts in a `group`. */
export type Value =
  | { readonly is: 'literal'; readonly value: string | number | boolean | null }
  /** A variable, parameter, field or constant: `x`, `self.x`, `Foo.BAR`. */
  | { readonly is: 'name'; readonly path: string }
  /** The result of `unit.calls[call]`. */
  | { readonly is: 'call'; readonly call: number }
  /** A string built from parts: template, concatenation with a string, format call. */
  | { readonly is: 'text'; readonly parts: readonly Value[] }
  /** An operator: `+ - * / % < <= > >= == != in and or not ? []` and the like. */
  | { readonly is: 'op'; readonly op: string; readonly of: readonly Value[] }
  /** List, tuple, map, cast, closure result: the parts matter, the whole does not. */
  | { readonly is: 'group'; readonly of: readonly Value[] }
  | { readonly is: 'unknown' }

export interface Call {
  readonly span: Span
  /** Where the callee's last name stands: what a report underlines when the call is long. */
  readonly nameSpan: Span
  /** Qualified in the language's own way: `time.sleep`, `java.lang.Thread.sleep`, `std::thread::sleep`. */
  readonly name: string
  readonly resolution: Resolution
  readonly receiver: Value | null
  readonly args: readonly Value[]
  readonly named: Readonly<Record<string, Value>>
  /** Index into `unit.regions` of the innermost region around the call. */
  readonly in: number
  readonly result: 'discarded' | 'awaited' | 'returned' | 'used'
  /** What the catalog says of this name; filled in by the engine, empty from a parser. */
  effects: Effect[]
  /** The unit of this file that the call reaches, where known; filled in by the engine. */
  target?: number
}

export interface Write {
  readonly span: Span
  /** Where it goes: `x`, `self.x`, `os.environ[]`, `process.env.HOME`; `ch<-` for what is sent into a channel. */
  readonly target: string
  readonly value: Value
  readonly in: number
  /** True where the write makes a new local variable. */
  readonly declares: boolean
  /** True for `+=`, append and the like: what was there before still matters. */
  readonly adds: boolean
}

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'truth' | 'contains' | 'matches' | 'throws' | 'snapshot' | 'near' | 'other'

export interface Assertion {
  readonly span: Span
  readonly compare: Comparison
  /** What is tested, then what it is tested against. Messages are left out. */
  readonly operands: readonly Value[]
  /**
   * `absence` where it holds when something did not happen (`assertFalse(called)`, `assertNull`, `not.toHaveBeenCalled`,
   * `refute`, `assertEquals(0, events.size())`). It passes too early rather than too late.
   */
  readonly claims: 'presence' | 'absence'
  /** The slack of a `near`. */
  readonly tolerance?: Value
  readonly in: number
}

export type RegionKind = 'body' | 'loop' | 'closure' | 'try' | 'catch' | 'finally' | 'if' | 'else' | 'with' | 'select' | 'subshell'
  | 'background'

export interface Region {
  readonly kind: RegionKind
  /** The region around it; the body is its own parent. */
  readonly in: number
  readonly span: Span
  /** loop, if, else: what decides. */
  readonly condition?: Value
  /** loop: it can end before its condition does (break, return, throw under an if or in a try). */
  readonly leaves?: boolean
  /** loop: it runs over a range, a list or up to a count, so it ends by itself. */
  readonly counted?: boolean
  /** loop: up to what it counts, or the range it runs over, where the header says so. */
  readonly upTo?: Value
  /** closure, with: the call it is handed to, or the context manager called. */
  readonly call?: number
  /** closure: it gives a promise, coroutine or future when called. */
  readonly async?: boolean
  /** catch: nothing is done with the failure. */
  readonly empty?: boolean
  /** catch: at its end it throws, the same or something else. */
  readonly rethrows?: boolean
  /** catch: the exception types named, none for all. */
  readonly catches?: readonly string[]
}

/** A place where a failure is made to vanish: `|| true`, an empty catch, `_ = err`, `let _ = fallible()`. */
export interface Swallow {
  readonly span: Span
  readonly how: string
  /** What fails unseen: the text of the command or the calls' names. */
  readonly calls: readonly number[]
  readonly text: string
  readonly in: number
}

/** What looks like an assertion and cannot fail where it stands: `expect(x).toBe` without a call, `! cmd` in the middle of a bats test. */
export interface Inert {
  readonly span: Span
  /** Why it cannot fail, as a clause. */
  readonly how: string
  readonly in: number
  /** As far as the file alone can tell. */
  readonly likely?: true
}

export interface Skip {
  readonly span: Span
  readonly how: string
  readonly reason: string | null
  /** What it hangs on, as text, where it is conditional. */
  readonly condition: string | null
}

/** An annotation, decorator, attribute or call that says how the runner treats a unit. */
export interface Marker {
  readonly span: Span
  readonly is: 'serial' | 'parallel' | 'frozen-clock' | 'seeded' | 'property' | 'retry' | 'timeout' | 'benchmark' | 'ordered' | 'focus'
    | 'async' | 'tag' | 'other'
  /** As qualified as the parser could: `serial_test::serial`, `pytest.mark.flaky`. */
  readonly name: string
  /** The group or key of a serial marker, the text of the argument otherwise. */
  readonly key?: string
}

export type Role =
  | { readonly is: 'test' }
  | { readonly is: 'hook'; readonly when: 'before' | 'after'; readonly per: 'test' | 'file' | 'run' }
  | { readonly is: 'suite' }
  | { readonly is: 'helper' }
  | { readonly is: 'module' }

/** A function, or what stands for one: a test, hook, suite, helper or the module's own body. */
export interface Unit {
  /** Its place in `file.units`. The module's body is unit 0. */
  readonly id: number
  readonly role: Role
  /** The name in code. Tests that only have a title carry it here too. */
  readonly name: string
  /** What a runner prints, path included: `TestCart::test_add`, `cart adds an item`. */
  readonly title: string
  readonly span: Span
  readonly nameSpan: Span
  /** The suite, class or function around it; null for the module. */
  readonly parent: number | null
  readonly params: readonly string[]
  /** It gives a promise, coroutine or future when called. */
  readonly async?: boolean
  readonly markers: readonly Marker[]
  readonly skips: readonly Skip[]
  readonly calls: Call[]
  readonly writes: readonly Write[]
  readonly assertions: readonly Assertion[]
  readonly regions: readonly Region[]
  readonly swallows: readonly Swallow[]
  readonly inert?: readonly Inert[]
  readonly returns: readonly Value[]
  /** Variables that are waited for by name: `await ready`, `handle.await`. */
  readonly awaits?: readonly Await[]
}

export interface Await {
  readonly span: Span
  readonly path: string
}

export interface Import {
  readonly span: Span
  /** The name it has in this file; `*` where everything comes in. */
  readonly local: string
  readonly name: string
}

export interface Comment {
  readonly span: Span
  /** Without the comment signs, trimmed. */
  readonly text: string
}

export interface Problem {
  readonly span: Span
  readonly message: string
}

/** How a file stands to the tests, by the conventions of its runners. */
export type FileKind = 'test' | 'support' | 'source'

/** What cures a whole file: an effect that is at work in all of it, or state that somebody pins or puts back for every test. */
export type Cure = 'fake-clock' | 'seed' | 'fake-net' | 'serialise' | 'restore-mocks' | 'restore-env' | 'restore-globals' | 'restore-cwd'
  | 'restore-clock' | 'zone' | 'locale' | 'home'

export interface FileFacts {
  readonly path: string
  readonly language: Language
  readonly kind: FileKind
  /** Cures from outside of the file: the runner's configuration, shared set-up files. Filled in by the engine. */
  readonly cures?: readonly Cure[]
  /** What fixtures of other files cure for the tests that name them. Filled in by the engine, too. */
  readonly fixtures?: readonly { readonly name: string; readonly kind: Cure }[]
  /** Commands of the shell that other files have put a stand-in before. Filled in by the engine, too. */
  readonly stubbed?: readonly string[]
  readonly units: readonly Unit[]
  readonly imports: readonly Import[]
  readonly comments: readonly Comment[]
  /** Places the grammar could not read. */
  readonly problems: readonly Problem[]
}

/** What a parser returns: everything it can know without the path. */
export type Parsed = Omit<FileFacts, 'path' | 'language' | 'kind' | 'cures' | 'fixtures' | 'stubbed'>

export const UNKNOWN: Value = { is: 'unknown' }
export const literal = (value: string | number | boolean | null): Value => ({ is: 'literal', value })
