// A worker thread: takes batches of files, gives back what was found in them.

import { parentPort, workerData } from 'node:worker_threads'
import { analyseFiles } from './batch.ts'
import { makeAnalyser } from './analyse.ts'
import type { FoundFile } from '../discover/discover.ts'
import type { Settings } from './settings.ts'

const analyser = makeAnalyser(workerData as Settings)

parentPort!.on('message', (files: FoundFile[]) => {
  void analyseFiles(files, analyser).then(outcome => parentPort!.postMessage(outcome))
})
