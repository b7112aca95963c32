// Reads the shared set-up files of a run, so that what they do for every test is known before the first test is judged.

import type { FoundFile } from '../discover/discover.ts'
import type { EffectKind } from '../facts/effects.ts'
import type { FileFacts, Language } from '../facts/facts.ts'
import { has } from '../facts/query.ts'
import { seeThroughHelpers } from '../flow/helpers.ts'
import { annotate, indexCatalog } from '../parsers/annotate.ts'
import type { Frontend } from '../parsers/frontend.ts'
import { frontendOf, readyFrontend } from '../parsers/registry.ts'
import type { FolderCure } from '../project/cures.ts'
import type { RunnerFile } from '../project/evidence.ts'
import { foundByJUnit, isLent, looksFirstIn, offeringFiles, offersBy, standInPrograms, takesOf } from '../project/offers.ts'
import { isWhole } from '../project/project.ts'
import { cureWords, curesIn, lentBy } from '../project/setup-cures.ts'
import { namedForAll, setupFiles, takenBy, type SetupFile } from '../project/setups.ts'
import { readSource } from './read.ts'

/** More than this many in one project are no longer set-ups. */
const MOST = 300

export async function setupCures(files: readonly FoundFile[], configs: readonly RunnerFile[]): Promise<FolderCure[]> {
  const tellings = tellingSetups(files, configs), frontends = new Map<string, Frontend>()
  for (const { file: { language } } of tellings.parsed) {
    const frontend = frontends.get(language) ?? await frontendOf(language)
    if (!frontends.has(language)) await frontend.load()
    frontends.set(language, frontend)
  }
  return curesOf(tellings, configs, language => frontends.get(language)!)
}

/** The same at once, of the languages that are loaded. */
export const setupCuresNow = (files: readonly FoundFile[], configs: readonly RunnerFile[]): FolderCure[] =>
  curesOf(tellingSetups(files.filter(f => readyFrontend(f.language)), configs), configs, language => readyFrontend(language)!)

interface Telling {
  readonly setup: SetupFile
  readonly file: FoundFile
  readonly text: string
}

interface Tellings {
  readonly parsed: readonly Telling[]
  /** Programs that stand in for others, for everybody where a set-up file puts them first. */
  readonly programs: readonly FolderCure[]
}

/** The set-up files in which some word of a cure stands, and what they take for their own. */
function tellingSetups(files: readonly FoundFile[], configs: readonly RunnerFile[]): Tellings {
  const byPath = new Map(files.map(f => [f.path, f]))
  const paths = [...byPath.keys()], setups = setupFiles(paths, configs), known = new Set(setups.map(s => s.path))
  // Files of base classes are many; what is run for everybody comes before them.
  const queue = [...setups.filter(s => !s.classes), ...setups.filter(s => s.classes)].slice(0, MOST).concat(
    offeringFiles(paths).filter(s => !known.has(s.path)).slice(0, MOST),
  )
  const taken = new Set<string>(), telling = new Set<string>(), read: (Telling & { readonly takes: readonly string[] })[] = []
  const programs = files.some(f => f.language === 'bash') ? standInPrograms(paths) : []
  const everywhere: FolderCure[] = []
  for (let setup = queue.shift(); setup; setup = queue.shift()) {
    const file = byPath.get(setup.path)!
    const reading = readSource(file)
    if (!('text' in reading)) continue
    const { text } = reading
    const takes = takenBy(setup, text).flatMap(places => places.find(p => byPath.has(p)) ?? [])
    for (const path of takes)
      if (taken.size < MOST && !taken.has(`${setup.folder} ${path}`))
        taken.add(`${setup.folder} ${path}`), queue.push({ path, folder: setup.folder, taken: true })
    for (const { programs: folder, ...cure } of file.language === 'bash' ? programs : [])
      if (looksFirstIn(folder!, text)) everywhere.push({ ...cure, folder: setup.folder })
    if (setup.offers || setup.extension !== undefined ? offersBy(file.path, text) : cureWords(file.path).test(text)) telling.add(file.path)
    read.push({ setup, file, text, takes })
  }
  return { parsed: read.filter(r => telling.has(r.file.path) || r.takes.some(t => telling.has(t))), programs: [...programs, ...everywhere] }
}

function curesOf({ parsed, programs }: Tellings, configs: readonly RunnerFile[],
  frontendFor: (language: Language) => Frontend): FolderCure[]
{
  const facts = parsed.flatMap(({ setup, file, text }) => {
    const made = factsOf(file, text, frontendFor(file.language))
    return made ? [{ setup, ...made }] : []
  })
  const lent = facts.flatMap(({ setup, facts: file }) => lentBy(file, setup))
  const cures = facts.flatMap(({ setup, facts: file, text }) => {
    const takes = takesOf(file.language, file.path, text)
    lend(file, lent.filter(c => c.language === file.language && takes(c.module!)))
    return curesIn(file, setup)
  })
  return [...namedForAll(cures, configs), ...foundByJUnit(cures, configs), ...lent, ...programs]
}

function factsOf(file: FoundFile, text: string, frontend: Frontend): { readonly facts: FileFacts; readonly text: string } | undefined {
  try {
    // Whatever its name says: it is run for tests, and its hooks are theirs.
    const kind = 'support'
    const parsed = frontend.parse(text, { path: file.path, kind, testFunctions: [] })
    seeThroughHelpers(parsed.units, annotate(parsed, indexCatalog(frontend.catalog), frontend.durations))
    return { facts: { path: file.path, language: file.language, kind, ...parsed }, text }
  } catch {
    // What cannot be read cures nothing; the run itself tells of a parser's failure when the file's turn comes.
    return undefined
  }
}

/** Calls of functions of other files do what those do. One of the file by the same name stands in its place. */
export function lend({ units, path }: Pick<FileFacts, 'units' | 'path'>, lent: readonly FolderCure[]): void {
  const open = lent.filter(c => c.helper !== undefined && !isWhole(c) && !units.some(u => u.role.is === 'helper' && u.name === c.helper))
  if (open.length === 0) return
  for (const unit of units)
    for (const call of unit.calls)
      for (const cure of open)
        if (isLent(cure, call, path) && !has(call, cure.kind as EffectKind))
          call.effects.push({ kind: cure.kind as EffectKind, through: cure.helper! })
}
