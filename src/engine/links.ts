// Who calls what in some files. Asked by the trace, answered in whatever thread.

import type { FoundFile } from '../discover/discover.ts'
import type { FileLinks } from '../trace/links.ts'
import type { Analyser } from './analyse.ts'
import { readSource } from './read.ts'

export interface LinkAsk {
  readonly file: FoundFile
  /** The runner runs it before tests: whatever its name says, its hooks are theirs. */
  readonly setup: boolean
}

export async function linksIn(asks: readonly LinkAsk[], analyser: Analyser): Promise<FileLinks[]> {
  const answers: FileLinks[] = []
  for (const { file, setup } of asks) {
    const reading = readSource(file)
    if (!('text' in reading)) continue
    try {
      answers.push(await analyser.links(file.path, reading.text, file.language, setup))
    } catch {
      // A file that the parser cannot read was told of when it was checked; nobody is known to call from it.
    }
  }
  return answers
}
