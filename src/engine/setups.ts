// Reads the shared set-up files of a run, so that what they do for every test is known before the first test is judged.

import type { FoundFile } from '../discover/discover.ts'
import { seeThroughHelpers } from '../flow/helpers.ts'
import { annotate, indexCatalog } from '../parsers/annotate.ts'
import type { Frontend } from '../parsers/frontend.ts'
import { frontendOf, readyFrontend } from '../parsers/registry.ts'
import type { FolderCure } from '../project/cures.ts'
import type { RunnerFile } from '../project/evidence.ts'
import { cureWords, curesIn, namedForAll, setupFiles, takenBy, type SetupFile } from '../project/setups.ts'
import { readSource } from './read.ts'

/** More than this many in one project are no longer set-ups. */
const MOST = 300

export async function setupCures(files: readonly FoundFile[], configs: readonly RunnerFile[]): Promise<FolderCure[]> {
  const cures: FolderCure[] = []
  for (const telling of tellingSetups(files, configs)) {
    const frontend = await frontendOf(telling.file.language)
    await frontend.load()
    cures.push(...curesOf(telling, frontend))
  }
  return namedForAll(cures, configs)
}

/** The same at once, of the languages that are loaded. */
export const setupCuresNow = (files: readonly FoundFile[], configs: readonly RunnerFile[]): FolderCure[] =>
  namedForAll([...tellingSetups(files.filter(f => readyFrontend(f.language)), configs)].flatMap(telling => curesOf(telling, readyFrontend(telling.file.language)!)), configs)

interface Telling {
  readonly setup: SetupFile
  readonly file: FoundFile
  readonly text: string
}

/** The set-up files in which some word of a cure stands, and what they take for their own. */
function* tellingSetups(files: readonly FoundFile[], configs: readonly RunnerFile[]): Generator<Telling> {
  const byPath = new Map(files.map(f => [f.path, f]))
  const setups = setupFiles([...byPath.keys()], configs)
  // Files of base classes are many; what is run for everybody comes before them.
  const queue = [...setups.filter(s => !s.classes), ...setups.filter(s => s.classes)].slice(0, MOST)
  const taken = new Set<string>()
  for (let setup = queue.shift(); setup; setup = queue.shift()) {
    const file = byPath.get(setup.path)!
    const reading = readSource(file)
    if (!('text' in reading)) continue
    for (const path of takenBy(setup, reading.text).flatMap(places => places.find(p => byPath.has(p)) ?? [])) {
      if (taken.size < MOST && !taken.has(`${setup.folder} ${path}`)) taken.add(`${setup.folder} ${path}`), queue.push({ path, folder: setup.folder })
    }
    if (cureWords(file.path).test(reading.text)) yield { setup, file, text: reading.text }
  }
}

function curesOf({ setup, file, text }: Telling, frontend: Frontend): FolderCure[] {
  try {
    // Whatever its name says: it is run for tests, and its hooks are theirs.
    const kind = 'support'
    const parsed = frontend.parse(text, { path: file.path, kind, testFunctions: [] })
    seeThroughHelpers(parsed.units, annotate(parsed, indexCatalog(frontend.catalog), frontend.durations))
    return curesIn({ path: file.path, language: file.language, kind, ...parsed }, setup)
  } catch {
    // What cannot be read cures nothing; the run itself tells of a parser's failure when the file's turn comes.
    return []
  }
}
