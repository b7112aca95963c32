// What a fixture project offers to the contract test: the same ten kinds of test in every language.

export interface RunnerFixture {
  readonly runner: string
  /** Where its project stands in fixtures, when not in confirm-RUNNER. */
  readonly project?: string
  /** Where a runner has several fixtures: what this one is about. */
  readonly title?: string
  /**
   * Makes the runner ready for a copy of the project, in `temp`, and gives variables for its environment (`NAME=VALUE`).
   * Throws where the runner cannot be had: that is a failure, never a skip.
   */
  readonly install: (project: string, temp: string) => Promise<readonly string[]>
  /** Runs alone for each verdict: three, where nothing is said. A start of some runners takes seconds. */
  readonly runs?: number
  /** Ids as the runner lists them. */
  readonly tests: {
    readonly passing: string
    readonly broken: string
    /** Fails at every third run, counted in a file in the folder FLAKY_DIR. */
    readonly flaky: string
    /**
     * Passes alone and fails after `polluter`, with more than 40 tests in the suite; null where tests share no process, or no order can be
     * kept.
     */
    readonly victim: string | null
    readonly polluter: string | null
    /** Fails alone and passes after `setter`. */
    readonly brittle: string | null
    readonly setter: string | null
    /** Its set-up takes long at every seventh time (counted as above); null where the runner does not tell phases apart. */
    readonly slowSetUp: string | null
    /** Fails only where the suite runs in parallel. */
    readonly parallelOnly: string | null
    /** Passes with TZ=UTC, and fails in another zone. */
    readonly timeZone: string
    /** Ends its process with status 0 in the middle of the test. Not part of the suite, or of a folder of its own. */
    readonly exits: string | null
    /** Tests that pass, with names as hostile as the language allows. */
    readonly hostile: readonly string[]
  }
  /** Only these verdicts, where another fixture of the same runner asks for all. */
  readonly verdicts?: readonly ('order' | 'parallel' | 'exit')[]
  /** Why a kind of test is null above. */
  readonly lacks?: Readonly<Partial<Record<'victim' | 'brittle' | 'slowSetUp' | 'parallelOnly' | 'exits', string>>>
  /** Tests are listed by running them: one that ends its process makes the list impossible, which is an error. */
  readonly listsByRunning?: true
  /** For `exits`: another folder of the project to work from. */
  readonly exitsIn?: string
}
