// Spreads files over worker threads, in batches that shrink towards the end so that no worker is left with a long tail.

import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { FoundFile } from '../discover/discover.ts'
import { makeAnalyser } from './analyse.ts'
import { analyseFiles, type Outcome } from './batch.ts'
import type { Settings } from './settings.ts'

/** Below this, starting a thread costs more than it saves. */
const WORTH_A_WORKER = 1_000_000
const MAX_WORKERS = 8
const BATCH = 24

/**
 * How soon the engine optimises a function. With its default, workers on a machine of few cores spend nearly half of
 * their time on optimising, and optimising again, functions that run for seconds only: on kafka, two workers took 9.6 s
 * with it and 6.2 s with this. New threads take it over; the main thread is left as it is.
 */
const PATIENT = '--interrupt-budget=1000000'

export async function analyseAll(files: readonly FoundFile[], settings: Settings, jobs: number | undefined, progress: (done: number) => void): Promise<Outcome[]> {
  const bytes = files.reduce((sum, f) => sum + f.size, 0)
  const wanted = jobs ?? Math.min(MAX_WORKERS, availableParallelism(), Math.floor(bytes / WORTH_A_WORKER))
  const script = fileURLToPath(new URL('./worker.js', import.meta.url))
  if (wanted <= 1 || files.length < 2 || !existsSync(script)) return inThisThread(files, settings, progress)
  setFlagsFromString(PATIENT)
  return overWorkers(files, settings, wanted, script, progress)
}

async function inThisThread(files: readonly FoundFile[], settings: Settings, progress: (done: number) => void): Promise<Outcome[]> {
  const analyser = makeAnalyser(settings)
  const outcomes: Outcome[] = []
  for (let at = 0; at < files.length; at += BATCH) {
    outcomes.push(await analyseFiles(files.slice(at, at + BATCH), analyser))
    progress(Math.min(files.length, at + BATCH))
  }
  return outcomes
}

function overWorkers(files: readonly FoundFile[], settings: Settings, count: number, script: string, progress: (done: number) => void): Promise<Outcome[]> {
  return new Promise(resolve => {
    const outcomes: Outcome[] = []
    let next = 0, done = 0, alive = 0
    const take = (): readonly FoundFile[] => {
      const size = Math.max(1, Math.min(BATCH, Math.ceil((files.length - next) / (count * 4))))
      const batch = files.slice(next, next + size)
      next += batch.length
      return batch
    }
    const start = (): void => {
      alive++
      const worker = new Worker(script, { workerData: settings })
      let batch: readonly FoundFile[] = []
      const stop = (): void => {
        alive--
        void worker.terminate()
        if (alive === 0) resolve(outcomes)
      }
      const finish = (outcome: Outcome): void => {
        outcomes.push(outcome)
        done += batch.length
        progress(done)
      }
      const feed = (): void => {
        batch = take()
        if (batch.length === 0) stop()
        else worker.postMessage(batch)
      }
      worker.on('message', (outcome: Outcome) => (finish(outcome), feed()))
      // What kills a worker costs the files in its hands, not the run.
      worker.on('error', error => {
        finish(lost(batch, error))
        if (next < files.length) start()
        stop()
      })
      feed()
    }
    for (let i = 0; i < Math.min(count, files.length); i++) start()
  })
}

const lost = (batch: readonly FoundFile[], error: Error): Outcome => ({
  results: [], leftOut: { 'lost with a worker': batch.length },
  notices: batch.map(file => ({ level: 'error', id: 'internal', file: file.path, line: null, message: `was not checked: a worker failed (${error.message}); this is a fault of flakesniff, not of the file` })),
})
