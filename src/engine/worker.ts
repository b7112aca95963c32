// A worker thread: takes batches of files, gives back what was found in them, or who calls what in them.

import { parentPort, workerData } from 'node:worker_threads'
import { analyseFiles } from './batch.ts'
import { makeAnalyser } from './analyse.ts'
import { linksIn } from './links.ts'
import type { Request } from './pool.ts'
import type { Settings } from './settings.ts'

const analyser = makeAnalyser(workerData as Settings)

parentPort!.on('message', (request: Request) => {
  const answer = 'files' in request ? analyseFiles(request.files, analyser) : linksIn(request.asks, analyser)
  void answer.then(a => parentPort!.postMessage(a))
})
