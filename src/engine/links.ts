// Who calls what in some files, as far as some words concern it. Asked by the trace, answered in whatever thread.

import type { FoundFile } from '../discover/discover.ts'
import type { FileLinks } from '../trace/links.ts'
import type { Analyser } from './analyse.ts'
import { readSource } from './read.ts'

export interface LinkAsk {
  readonly file: FoundFile
  /** The runner runs it before tests: whatever its name says, its hooks are theirs. */
  readonly setup: boolean
  /** What calls look like, as the source of a pattern, and the words in it; null where everything is asked for. */
  readonly about: { readonly pattern: string; readonly words: readonly string[] } | null
}

export interface LinkAnswer {
  readonly path: string
  readonly links: FileLinks
  /** Nothing was left out: it answers every other question, too. */
  readonly whole: boolean
}

export async function linksIn(asks: readonly LinkAsk[], analyser: Analyser): Promise<LinkAnswer[]> {
  const answers: LinkAnswer[] = []
  for (const { file, setup, about } of asks) {
    const reading = readSource(file)
    if (!('text' in reading)) continue
    try {
      const first = await analyser.links(file.path, reading.text, file.language, about && new RegExp(about.pattern, 'g'), setup)
      // What runs for a whole suite or file concerns tests in which the word does not stand.
      const again = about && !first.whole && concernsMany(first.links, about.words)
      answers.push({ path: file.path, ...(again ? await analyser.links(file.path, reading.text, file.language, null, setup) : first) })
    } catch {
      // A file that the parser cannot read was told of when it was checked; nobody is known to call from it.
    }
  }
  return answers
}

/** A hook, a suite's or the file's own body that has to do with one of the words. */
const concernsMany = (links: FileLinks, words: readonly string[]): boolean =>
  links.units.some(u => u.role.is !== 'helper' && u.role.is !== 'test' && (u.calls.some(c => words.some(w => c.name.includes(w))) || u.params.some(p => words.some(w => p.includes(w)))))
