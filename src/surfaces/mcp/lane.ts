// How many calls work at once, and for how long. Who finds the lane full is told so at once: a queue would only hide it.

import { callError } from './envelope.ts'

export interface Lane {
  /** Runs the work with a signal that says when to end it; the work must have ended when its promise settles. */
  readonly run: <T>(timeoutMs: number, cancelled: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>
  readonly running: () => number
}

export function makeLane(limit: number): Lane {
  let running = 0
  return {
    running: () => running,
    async run(timeoutMs, cancelled, work) {
      if (running >= limit)
        throw callError('OVERLOADED',
          `${running} calls are at work, and the limit is ${limit}; try again when one is done, or start the server with a higher --max-parallel`,
          { limit })
      running++
      const end = new AbortController()
      const cancel = () => end.abort(callError('CANCELLED', 'the call was cancelled'))
      const timer = setTimeout(
        () =>
          end.abort(
            callError('TIMEOUT',
              `not done after ${timeoutMs} ms; ask for fewer paths, or for more time with timeoutMs or the server's --timeout-ms`, {
              timeoutMs,
            }),
          ),
        timeoutMs,
      )
      cancelled.addEventListener('abort', cancel, { once: true })
      if (cancelled.aborted) cancel()
      try {
        end.signal.throwIfAborted()
        const result = await work(end.signal)
        // Work that was ended may still have something to say; nobody asked for half of it.
        end.signal.throwIfAborted()
        return result
      } finally {
        clearTimeout(timer)
        cancelled.removeEventListener('abort', cancel)
        running--
      }
    },
  }
}
