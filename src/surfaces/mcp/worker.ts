// A thread: takes one job at a time and answers it.

import { parentPort } from 'node:worker_threads'
import { failureOf } from './envelope.ts'
import { work, type Job } from './jobs.ts'
import type { Answer } from './threads.ts'

parentPort!.on('message', (job: Job) => {
  void work(job).then((result): Answer => ({ result }), (error: unknown): Answer => ({ failure: failureOf(error) })).then(answer =>
    parentPort!.postMessage(answer)
  )
})
