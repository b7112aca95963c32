// Spreads files over worker threads, in batches that shrink towards the end so that no worker is left with a long tail.

import { availableParallelism } from 'node:os'
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

export async function analyseAll(files: readonly FoundFile[], settings: Settings, jobs: number | undefined, progress: (done: number) => void): Promise<Outcome[]> {
  const bytes = files.reduce((sum, f) => sum + f.size, 0)
  const wanted = jobs ?? Math.min(MAX_WORKERS, availableParallelism(), Math.floor(bytes / WORTH_A_WORKER))
  const script = fileURLToPath(new URL('./worker.js', import.meta.url))
  if (wanted <= 1 || files.length < 2 || !existsSync(script)) return inThisThread(files, settings, progress)
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
  return new Promise((resolve, reject) => {
    const outcomes: Outcome[] = []
    let next = 0, done = 0, alive = 0
    const workers: Worker[] = []
    const stop = () => workers.forEach(w => void w.terminate())
    const feed = (worker: Worker): void => {
      if (next >= files.length) {
        alive--
        worker.unref()
        void worker.terminate()
        if (alive === 0) resolve(outcomes)
        return
      }
      const size = Math.max(1, Math.min(BATCH, Math.ceil((files.length - next) / (count * 4))))
      const batch = files.slice(next, next + size)
      next += batch.length
      worker.once('message', (outcome: Outcome) => {
        outcomes.push(outcome)
        done += batch.length
        progress(done)
        feed(worker)
      })
      worker.postMessage(batch)
    }
    for (let i = 0; i < Math.min(count, files.length); i++) {
      const worker = new Worker(script, { workerData: settings })
      worker.on('error', error => (stop(), reject(error)))
      workers.push(worker)
      alive++
      feed(worker)
    }
  })
}
