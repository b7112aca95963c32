// A number of files in one go, in this thread.

import type { FoundFile } from '../discover/discover.ts'
import type { Notice } from '../rules/rule.ts'
import type { Analyser, FileResult } from './analyse.ts'
import { readSource } from './read.ts'

export interface Outcome {
  readonly results: FileResult[]
  readonly leftOut: Record<string, number>
  readonly notices: Notice[]
}

export async function analyseFiles(files: readonly FoundFile[], analyser: Analyser): Promise<Outcome> {
  const outcome: Outcome = { results: [], leftOut: {}, notices: [] }
  for (const file of files) {
    const reading = readSource(file)
    if ('text' in reading) outcome.results.push(await analyser.analyse(file.path, reading.text, file.language))
    else {
      outcome.leftOut[reading.leftOut] = (outcome.leftOut[reading.leftOut] ?? 0) + 1
      if (reading.notice) outcome.notices.push(reading.notice)
    }
  }
  return outcome
}
