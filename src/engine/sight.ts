// What the trace sees of a run: texts are searched for words, and the files that hold one are parsed, each once.

import type { FoundFile } from '../discover/discover.ts'
import type { Language } from '../facts/facts.ts'
import type { FileLinks } from '../trace/links.ts'
import { isNearby, spelling } from '../trace/nearby.ts'
import { calledAs, folderOf } from '../trace/places.ts'
import type { Sight } from '../trace/trace.ts'
import type { FileResult } from './analyse.ts'
import type { Pool } from './pool.ts'
import type { Texts } from './texts.ts'
import type { Neighbours } from './trace.ts'

export function sightOf(results: readonly FileResult[], files: ReadonlyMap<string, FoundFile>, texts: Texts, ask: Pool['links'],
  { packages, setups }: Neighbours): Sight
{
  const known = new Map<string, FileLinks>()
  const tests = new Map(results.map(r => [r.path, r.tests]))
  const holding = new Map<string, readonly string[]>()
  const setupFiles = new Map(setups.map(s => [s.path, s]))
  /** Files in which a name may stand, whatever it means there. */
  const filesWith = (language: Language, word: string): readonly string[] => {
    const key = `${language}\0${word}`
    return holding.get(key) ?? holding.set(key, [...texts.of(language).keys()].filter(path => texts.mayHold(path, word))).get(key)!
  }

  return {
    packages,
    setupOf: path => {
      const setup = setupFiles.get(path)
      return setup && { folder: setup.folder, conventional: setup.named !== true }
    },
    mentioning(place) {
      const pattern = new RegExp(spelling(place)!)
      const near = isNearby(place, packages)
      return filesWith(place.language, calledAs(place)!).filter(path => {
        const text = texts.textOf(path)
        return near(path, text, word => texts.mayHold(path, word) && text.includes(word)) && pattern.test(text)
      })
    },
    // Of a file that was not checked nobody has counted the tests: it may hold some.
    testFiles: (language, folder, flat) =>
      [...files.values()].flatMap((
        { path, language: its },
      ) => (its === language && (tests.get(path) ?? 1) > 0
          && (flat ? folderOf(path) === folder : folder === '' || path.startsWith(`${folder}/`))
        ? [path]
        : [])
      ),
    async linksOf(wanted) {
      const asks = [...wanted].filter(path => !known.has(path)).sort().flatMap(path => {
        const file = files.get(path)
        return file ? [{ file, setup: setupFiles.has(path) }] : []
      })
      for (const links of await ask(asks)) known.set(links.path, links)
      return known
    },
  }
}
