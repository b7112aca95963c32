// Threads that do the linting, so that the server can answer while they work, and end them in the middle of it. A thread that
// finished is kept for the next call: its grammars are loaded.

import { Worker } from 'node:worker_threads'
import { callError, type Failure } from './envelope.ts'
import type { Job } from './jobs.ts'

export type Answer = { readonly result: object } | { readonly failure: Failure }

export interface Threads {
  /** Where the signal says so, the thread and the threads that it started are ended; then the promise is rejected with its reason. */
  readonly run: (job: Job, signal: AbortSignal) => Promise<object>
  readonly close: () => Promise<void>
}

export function makeThreads(): Threads {
  const idle: Worker[] = []
  // Standard output is the protocol's: nothing else may be written there.
  const start = () => new Worker(new URL('./worker.js', import.meta.url), { stdout: true })

  const run = (job: Job, signal: AbortSignal) =>
    new Promise<object>((succeed, fail) => {
      const worker = idle.pop() ?? start()
      const leave = () => {
        worker.off('message', answered).off('error', died).off('exit', exited)
        signal.removeEventListener('abort', stop)
      }
      const answered = (answer: Answer) => {
        leave()
        idle.push(worker)
        if ('result' in answer) succeed(answer.result)
        else fail(callError(answer.failure.code, answer.failure.message, answer.failure.details))
      }
      const died = (error: Error) => (leave(), fail(error))
      const exited = (status: number) => died(new Error(`a thread ended with status ${status}`))
      const stop = () => {
        leave()
        worker.on('error', () => {})
        void worker.terminate().then(() => fail(signal.reason))
      }
      worker.on('message', answered).on('error', died).on('exit', exited)
      signal.addEventListener('abort', stop, { once: true })
      worker.postMessage(job)
    })
  return { run, close: async () => void await Promise.all(idle.splice(0).map(w => w.terminate())) }
}
