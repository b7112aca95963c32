// Worker threads for the length of a run: files are spread over them in batches that shrink towards the end, so that no
// worker is left with a long tail. The trace asks the same threads again, whose parsers are warm by then.

import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { FoundFile } from '../discover/discover.ts'
import type { FileLinks } from '../trace/links.ts'
import { makeAnalyser } from './analyse.ts'
import { analyseFiles, type Outcome } from './batch.ts'
import { linksIn, type LinkAsk } from './links.ts'
import type { Settings } from './settings.ts'

export interface Pool {
  readonly analyse: (files: readonly FoundFile[], progress: (done: number) => void) => Promise<Outcome[]>
  readonly links: (asks: readonly LinkAsk[]) => Promise<FileLinks[]>
  readonly close: () => void
}

/** What goes to a worker; what comes back is an outcome or a list of answers. */
export type Request = { readonly files: readonly FoundFile[] } | { readonly asks: readonly LinkAsk[] }

/** Below this, starting a thread costs more than it saves. */
const WORTH_A_WORKER = 1_000_000
const MAX_WORKERS = 8
const BATCH = 24

/**
 * How soon the engine optimises a function. With its default, threads on a machine of few cores spend nearly half of
 * their time on optimising, and optimising again, functions that run for seconds only. On the 84 longest tests of kafka one thread takes
 * 20 s with this and 25 s without, on two cores, and 23 s of both together instead of 40. A short run never comes so far.
 */
const PATIENT = '--interrupt-budget=1000000'

/** Once the signal says so, nothing more is begun, the threads are ended, and what was asked for is refused with its reason. */
export function openPool(files: readonly FoundFile[], settings: Settings, jobs: number | undefined, signal?: AbortSignal): Pool {
  const bytes = files.reduce((sum, f) => sum + f.size, 0)
  const wanted = Math.min(files.length, jobs ?? Math.min(MAX_WORKERS, availableParallelism(), Math.floor(bytes / WORTH_A_WORKER)))
  const script = fileURLToPath(new URL('./worker.js', import.meta.url))
  if (bytes > WORTH_A_WORKER) setFlagsFromString(PATIENT)
  if (wanted <= 1 || !existsSync(script)) return inThisThread(settings, signal)
  return overWorkers(settings, wanted, script, signal)
}

function inThisThread(settings: Settings, signal: AbortSignal | undefined): Pool {
  const analyser = makeAnalyser(settings)
  return {
    async analyse(files, progress) {
      const outcomes: Outcome[] = []
      for (let at = 0; at < files.length; at += BATCH) {
        outcomes.push(await analyseFiles(files.slice(at, at + BATCH), analyser))
        progress(Math.min(files.length, at + BATCH))
        await breath(signal)
      }
      return outcomes
    },
    links: async asks => {
      await breath(signal)
      return linksIn(asks, analyser)
    },
    close: () => {},
  }
}

/** Whoever may stop us needs a turn of the loop to say so; where nobody may, nobody pays for it. */
async function breath(signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return
  await new Promise(resolve => setImmediate(resolve))
  signal.throwIfAborted()
}

function overWorkers(settings: Settings, count: number, script: string, signal: AbortSignal | undefined): Pool {
  const workers = new Set<Worker>()
  const start = (): Worker => {
    // One that dies while nobody waits for it is missed by nobody.
    const worker = new Worker(script, { workerData: settings }).on('error', () => workers.delete(worker))
    workers.add(worker)
    return worker
  }
  for (let i = 0; i < count; i++) start()
  const close = () => workers.forEach(w => void w.terminate())
  /** A thread that is ended answers no more: somebody else must end the waiting. */
  const orStopped = <T>(work: () => Promise<T>): Promise<T> =>
    new Promise((succeed, fail) => {
      const stop = () => (close(), fail(signal!.reason))
      if (signal?.aborted) return stop()
      signal?.addEventListener('abort', stop, { once: true })
      void work().then(succeed, fail).finally(() => signal?.removeEventListener('abort', stop))
    })

  /** Which thread has looked at a file: the trace asks that one, which knows what it has parsed. */
  const lookedAt = new Map<string, Worker>()

  /** Hands out all items, each to its own worker if it has one and that is not behind; the answers come in no order. */
  const spread = <Item, Answer>(items: readonly Item[], request: (batch: readonly Item[], worker: Worker) => Request,
    lost: (batch: readonly Item[], error: Error) => Answer, progress: (done: number) => void,
    ownerOf: (item: Item) => Worker | undefined = () => undefined) =>
    new Promise<Answer[]>(resolve => {
      const answers: Answer[] = []
      const piles = new Map<Worker | undefined, Item[]>()
      for (const item of items) (piles.get(ownerOf(item)) ?? piles.set(ownerOf(item), []).get(ownerOf(item))!).push(item)
      let left = items.length, done = 0
      const pileFor = (worker: Worker): Item[] =>
        [piles.get(worker), piles.get(undefined)].find(pile => pile?.length)
          ?? [...piles.values()].reduce((a, b) => (b.length > a.length ? b : a), [])
      const serve = (worker: Worker): void => {
        const batch = pileFor(worker).splice(0, Math.max(1, Math.min(BATCH, Math.ceil(left / (count * 4)))))
        if (batch.length === 0) return
        left -= batch.length
        const finish = (answer: Answer): void => {
          worker.off('message', answered).off('error', died)
          answers.push(answer)
          done += batch.length
          progress(done)
          if (done === items.length) resolve(answers)
        }
        const answered = (answer: Answer): void => (finish(answer), serve(worker))
        // What kills a worker costs the files in its hands, not the run.
        const died = (error: Error): void => {
          workers.delete(worker)
          finish(lost(batch, error))
          serve(start())
        }
        worker.on('message', answered).on('error', died)
        worker.postMessage(request(batch, worker))
      }
      if (items.length === 0) resolve(answers)
      for (const worker of [...workers]) serve(worker)
    })

  const toAnalyse = (files: readonly FoundFile[], worker: Worker): Request => {
    for (const file of files) lookedAt.set(file.path, worker)
    return { files }
  }

  return {
    analyse: (files, progress) => orStopped(() => spread<FoundFile, Outcome>(files, toAnalyse, lostFiles, progress)),
    links: async asks =>
      (await orStopped(() =>
        spread<LinkAsk, FileLinks[]>(asks, batch => ({ asks: batch }), () => [], () => {}, ask => lookedAt.get(ask.file.path))
      )).flat(),
    close,
  }
}

const lostFiles = (batch: readonly FoundFile[], error: Error): Outcome => ({
  results: [],
  leftOut: { 'lost with a worker': batch.length },
  notices: batch.map(file => ({ level: 'error', id: 'internal', file: file.path, line: null,
    message: `was not checked: a worker failed (${error.message}); this is a fault of flakesniff, not of the file` })
  ),
})
