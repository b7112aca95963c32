// A change of one file that is proposed, shown and then made or not.

export interface Proposal {
  readonly path: string
  /** What it is good for, in a sentence without a full stop. */
  readonly why: string
  /** What the file holds now; null where it is not there. */
  readonly before: string | null
  readonly after: string
}

/** Some things only a person can do: a sentence, and lines to be copied. */
export interface Advice {
  readonly say: string
  readonly lines: readonly string[]
}

export interface Setup {
  readonly seen: readonly string[]
  readonly proposals: readonly Proposal[]
  readonly advice: readonly Advice[]
}

export const isProposal = (thing: Proposal | Advice): thing is Proposal => 'after' in thing
