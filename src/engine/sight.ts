// What the trace sees of a run: texts are searched for words, and of the files that hold one only what is near it is parsed.

import type { Language } from '../facts/facts.ts'
import type { FileLinks } from '../trace/links.ts'
import { isNearby, spelling } from '../trace/nearby.ts'
import { calledAs, folderOf, type Place } from '../trace/places.ts'
import type { Sight } from '../trace/trace.ts'
import type { Analyser, FileResult } from './analyse.ts'
import type { Texts } from './texts.ts'
import type { Neighbours } from './trace.ts'

export function sightOf(results: readonly FileResult[], texts: Texts, analyser: Analyser, { packages, setups }: Neighbours): Sight {
  const whole = new Map<string, FileLinks>()
  const holding = new Map<string, readonly string[]>()
  const setupFiles = new Map(setups.map(s => [s.path, s]))
  /** Files in which a word stands, whatever it means there. */
  const filesWith = (language: Language, word: string): readonly string[] => {
    const key = `${language}\0${word}`
    return holding.get(key) ?? holding.set(key, [...texts.of(language)].flatMap(([path, text]) => (text.includes(word) ? [path] : []))).get(key)!
  }

  async function parse(path: string, places: readonly Place[]): Promise<FileLinks> {
    const known = whole.get(path)
    if (known) return known
    const text = texts.textOf(path), language = texts.languageOf(path)
    const words = places.flatMap(p => spelling(p) ?? [])
    const made = await analyser.links(path, text, language, words.length === 0 ? null : new RegExp([...new Set(words)].join('|'), 'g'))
    // What runs for a whole suite or file concerns tests in which the word does not stand.
    const { links } = made.whole || !concernsMany(made.links, places) ? made : await analyser.links(path, text, language, null)
    if (made.whole || links !== made.links) whole.set(path, links)
    return links
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
    testFiles: (language, folder, flat) => results.flatMap(({ path, language: its, tests }) =>
      (its === language && tests > 0 && (flat ? folderOf(path) === folder : folder === '' || path.startsWith(`${folder}/`)) ? [path] : [])),
    async linksOf(wanted) {
      const links = new Map<string, FileLinks>()
      for (const [path, places] of [...wanted].sort(([a], [b]) => (a < b ? -1 : 1))) links.set(path, await parse(path, places))
      return links
    },
  }
}

/** A hook, a suite's or the file's own body that calls one of the places. */
function concernsMany(links: FileLinks, places: readonly Place[]): boolean {
  const words = places.map(calledAs).filter(w => w !== null)
  return links.units.some(u => u.role.is !== 'helper' && u.role.is !== 'test' && (u.calls.some(c => words.some(w => c.name.includes(w))) || u.params.some(p => words.some(w => p.includes(w)))))
}
