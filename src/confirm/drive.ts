// Leads a protocol through its runs: replays those that a journal holds, makes the others, and stops in time.

import type { Answer, Ask, Protocol, Run } from './protocols/ask.ts'
import { counts } from './protocols/ask.ts'

export type Ending = 'done' | 'budget' | 'interrupted' | 'useless'

export interface Drive {
  readonly run: (ask: Ask) => Promise<Answer>
  /** An answer from an earlier, interrupted confirmation: undefined once there are no more, or where the question differs. */
  readonly recorded: (ask: Ask) => Answer | undefined
  readonly onAsk?: (ask: Ask) => void
  readonly onRun: (run: Run, fresh: boolean) => void
  readonly budgetMs: number
  readonly now: () => number
  readonly signal?: AbortSignal
}

/** So many runs in a row that tell nothing of the target: whatever is wrong, more runs will not help. */
const USELESS = 4

export async function drive(protocol: Protocol<void>, { run, recorded, onAsk, onRun, budgetMs, now, signal }: Drive): Promise<Ending> {
  const started = now()
  let useless = 0
  let next = protocol.next()
  while (!next.done) {
    const ask = next.value
    const known = recorded(ask)
    if (known === undefined) {
      if (signal?.aborted) return 'interrupted'
      if (now() - started > budgetMs) return 'budget'
      onAsk?.(ask)
    }
    const answer = known ?? await run(ask)
    // A run that the user cut short tells nothing.
    if (known === undefined && signal?.aborted) return 'interrupted'
    onRun({ ask, ...answer }, known === undefined)
    useless = counts(answer) ? 0 : useless + 1
    if (useless >= USELESS) return 'useless'
    next = protocol.next(answer)
  }
  return 'done'
}
