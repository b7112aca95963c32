// What the trace sees of a run: texts are searched for words, and of the files that hold one only what is near it is parsed.

import type { FoundFile } from '../discover/discover.ts'
import type { Language } from '../facts/facts.ts'
import type { FileLinks } from '../trace/links.ts'
import { isNearby, spelling } from '../trace/nearby.ts'
import { calledAs, folderOf, type Place } from '../trace/places.ts'
import type { Sight } from '../trace/trace.ts'
import type { FileResult } from './analyse.ts'
import type { LinkAsk } from './links.ts'
import type { Pool } from './pool.ts'
import type { Texts } from './texts.ts'
import type { Neighbours } from './trace.ts'

export function sightOf(results: readonly FileResult[], files: ReadonlyMap<string, FoundFile>, texts: Texts, ask: Pool['links'], { packages, setups }: Neighbours): Sight {
  const whole = new Map<string, FileLinks>()
  const tests = new Map(results.map(r => [r.path, r.tests]))
  const holding = new Map<string, readonly string[]>()
  const setupFiles = new Map(setups.map(s => [s.path, s]))
  /** Files in which a word stands, whatever it means there. */
  const filesWith = (language: Language, word: string): readonly string[] => {
    const key = `${language}\0${word}`
    return holding.get(key) ?? holding.set(key, [...texts.of(language)].flatMap(([path, text]) => (text.includes(word) ? [path] : []))).get(key)!
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
        return near(path, text) && pattern.test(text)
      })
    },
    // Of a file that was not checked nobody has counted the tests: it may hold some.
    testFiles: (language, folder, flat) => [...files.values()].flatMap(({ path, language: its }) =>
      (its === language && (tests.get(path) ?? 1) > 0 && (flat ? folderOf(path) === folder : folder === '' || path.startsWith(`${folder}/`)) ? [path] : [])),
    async linksOf(wanted) {
      const asks = [...wanted].filter(([path]) => !whole.has(path)).sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([path, places]) => {
        const file = files.get(path)
        return file ? [{ file, setup: setupFiles.has(path), about: aboutOf(places) }] : []
      })
      const links = new Map([...wanted.keys()].flatMap(path => (whole.has(path) ? [[path, whole.get(path)!] as const] : [])))
      for (const answer of await ask(asks)) {
        links.set(answer.path, answer.links)
        if (answer.whole) whole.set(answer.path, answer.links)
      }
      return links
    },
  }
}

function aboutOf(places: readonly Place[]): LinkAsk['about'] {
  const patterns = [...new Set(places.flatMap(p => spelling(p) ?? []))]
  return patterns.length === 0 ? null : { pattern: patterns.join('|'), words: [...new Set(places.flatMap(p => calledAs(p) ?? []))] }
}
