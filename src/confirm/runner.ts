// What a test runner is to us: something that can be found out, asked for its tests, and made to run a chosen list of them.
// A runner builds command lines and reads machine-readable reports; it starts no process and touches no disk itself. Both
// go through its `Place`, so a test can play every runner with made-up answers.

/** One test as its runner knows it. */
export interface Listed {
  /** The runner's own id: unique in the project, and what a user may type. */
  readonly id: string
  /** From the project's root, with `/`; null where the runner does not tell. */
  readonly file: string | null
  /** From 1; left out where the runner does not tell. */
  readonly line?: number
  /** The title alone, for people. */
  readonly name: string
}

/** A process to start: never through a shell. */
export interface Command {
  readonly argv: readonly string[]
  /** Where it starts, from the project's root; the root where it is left out. */
  readonly cwd?: string
  /** Added to the environment of the run. */
  readonly env?: Readonly<Record<string, string>>
  /** Longer than this and it is ended; the place's own limit where it is left out. */
  readonly timeoutMs?: number
}

/** How a process ended. Output is capped: the head and the tail are kept. */
export interface Finished {
  readonly code: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
  /** Processes it left behind, which were then ended. */
  readonly leaked?: number
}

/** Where a runner works. `root` is never written to: what must be written goes into `temp`, fresh for every run. */
export interface Place {
  readonly root: string
  readonly temp: string
  /** The environment that processes will see, without what a command adds. */
  readonly env: Readonly<Record<string, string>>
  readonly exec: (command: Command) => Promise<Finished>
  /** A file of the project or of `temp`, by its absolute path or from the root; undefined where there is none. */
  readonly read: (path: string) => string | undefined
  /** Names in a folder, sorted; empty where there is none. */
  readonly names: (folder: string) => readonly string[]
  /** Writes into `temp` and gives the absolute path. */
  readonly write: (name: string, text: string) => string
}

/** Why a runner was chosen, in words for the user: `vitest is a dependency in package.json`. */
export interface Detection {
  readonly reasons: readonly string[]
  /** The folder the runner works from (that of its package.json, go.mod, Cargo.toml …), from the root asked for; '' for the root itself. */
  readonly folder: string
}

/** What the runner can do, so that a protocol asks for nothing else and the user is told what was not possible. */
export interface Abilities {
  /** Whether a chosen list runs in the chosen order: every test, whole files only, or not at all (it keeps its own order). */
  readonly order: 'tests' | 'files' | 'none'
  readonly shuffle: boolean
  readonly parallel: boolean
  readonly race: boolean
  /** Whether set-up, test and teardown are told apart. */
  readonly phases: boolean
  /** Whether tests of one run share a process, so that one can spoil another in memory. */
  readonly sharedProcess: boolean
  /** Whether the same test may stand twice in a list, in one process. */
  readonly twice?: boolean
  /** Whether tests can be started in another working directory. */
  readonly cwd?: boolean
  /** Whether tests that are marked as skipped can be run all the same. */
  readonly unskip?: boolean
}

export interface Request {
  /** What to run, in this order where the runner can; `null` for the whole suite in its own order. */
  readonly tests: readonly Listed[] | null
  readonly parallel: boolean
  /** Workers or threads where `parallel`. */
  readonly workers?: number
  /** Shuffle by this seed, where the runner can. */
  readonly seed?: number
  /** Watch for data races, where the runner can. */
  readonly race?: boolean
  /** An absolute folder that tests start in, where the runner can. */
  readonly cwd?: string
  /** Run what is marked as skipped, where the runner can. */
  readonly unskip?: boolean
}

export type Outcome = 'pass' | 'fail' | 'skip'

/** What a report says of one test in one run. */
export interface TestRecord {
  readonly id: string
  readonly outcome: Outcome
  /** How many times the runner itself tried it: above 1, a retry hid failures. */
  readonly attempts: number
  readonly setupMs: number | null
  readonly testMs: number | null
  readonly teardownMs: number | null
  /** The first lines of what failed. */
  readonly message?: string
  /** The worker it ran in, where several ran side by side: only what ran in the same one can have spoilt it in memory. */
  readonly worker?: string
}

/** What one run of the runner told. A run that says nothing of the target is never a pass: whoever asks looks for its record. */
export interface RunReport {
  /** In the order they ran. */
  readonly records: readonly TestRecord[]
  /** The command as a user would type it. */
  readonly command: readonly string[]
  /** Set where the runner itself went wrong (build error, usage error, no report): nothing may be concluded. */
  readonly broken?: string
  /** The race detector spoke. */
  readonly race?: boolean
}

export interface Runner {
  readonly id: string
  /** As people write it: «go test», «Vitest». */
  readonly title: string
  readonly can: Abilities
  /** Where what it can do depends on what is installed: asked once after `prepare`. */
  readonly abilities?: (detection: Detection, prepared: unknown) => Abilities
  readonly detect: (place: Place) => Detection | null
  /** Build once what every run needs (go, cargo, Maven); its result is handed to `list` and `run`. */
  readonly prepare?: (place: Place, detection: Detection) => Promise<unknown>
  /** All tests in the runner's own order; `file` narrows it where that is cheaper. Throws a `RunnerError` where it cannot. */
  readonly list: (place: Place, detection: Detection, prepared: unknown, file?: string) => Promise<readonly Listed[]>
  readonly run: (place: Place, detection: Detection, prepared: unknown, request: Request) => Promise<RunReport>
  /**
   * A test that comes to life only in a run, so that no listing tells of it (one of a table), by what the user wrote; null where it names
   * none.
   */
  readonly named?: (text: string, listed: readonly Listed[]) => Listed | null
  /** The runner's own settings that retry failures, as far as files tell: `BATS_TEST_RETRIES=2 in a.bats`. */
  readonly retries?: (place: Place, detection: Detection) => readonly string[]
}

/** The runner cannot be asked: not installed, does not build, answers nonsense. The message names the way out. */
export interface RunnerError extends Error {
  readonly name: 'RunnerError'
}

export function runnerError(message: string): RunnerError {
  return Object.assign(new Error(message), { name: 'RunnerError' as const })
}

export const isRunnerError = (error: unknown): error is RunnerError => error instanceof Error && error.name === 'RunnerError'
