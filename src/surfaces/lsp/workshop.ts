// Linting in a thread of its own, so that the server answers while a long file is looked at. The thread is started when it is
// first needed, and again when it has died or was given up.

import { Worker } from 'node:worker_threads'
import type { Answers, Job, Reply, Request } from './jobs.ts'

/** What went wrong: `theirs` means that the project's configuration is at fault. */
export interface Fault {
  readonly fault: string
  readonly theirs: boolean
}

export interface Workshop {
  /** Null where it was given up. */
  readonly ask: <K extends keyof Answers>(is: K, job: Job) => Promise<Answers[K] | Fault | null>
  /** Ends what is being done; those who wait are answered null. */
  readonly giveUp: () => void
}

export const isFault = (answer: object | null): answer is Fault => answer !== null && 'fault' in answer

type Settle = (answer: Answers[keyof Answers] | Fault | null) => void

export function openWorkshop(): Workshop {
  let thread: { readonly worker: Worker; readonly open: Map<number, Settle> } | undefined
  let asked = 0

  function start(): NonNullable<typeof thread> {
    const open = new Map<number, Settle>()
    // Its standard output would be ours, which belongs to the protocol.
    const worker = new Worker(new URL('./worker.js', import.meta.url), { stdout: true })
    worker.stdout.pipe(process.stderr)
    const made = { worker, open }
    const end = (answer: Fault | null) => {
      if (thread === made) thread = undefined
      for (const settle of open.values()) settle(answer)
      open.clear()
    }
    worker.on('message', (reply: Reply) => {
      const settle = open.get(reply.id)
      open.delete(reply.id)
      settle?.('fault' in reply ? reply : reply.value)
    })
    worker.on('error', error => end({ fault: `the thread that lints ended: ${error.stack ?? error.message}`, theirs: false }))
    worker.on('exit', () => end(null))
    return made
  }

  return {
    ask: <K extends keyof Answers>(is: K, job: Job) => {
      thread ??= start()
      const { worker, open } = thread
      return new Promise<Answers[K] | Fault | null>(resolve => {
        const request: Request = { id: ++asked, is, job }
        open.set(request.id, resolve as Settle)
        worker.postMessage(request)
      })
    },
    giveUp: () => {
      const ended = thread
      thread = undefined
      void ended?.worker.terminate()
    },
  }
}
