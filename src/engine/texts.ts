// The texts of a run's files, read when the first question comes and kept for the next.

import type { FoundFile } from '../discover/discover.ts'
import type { Language } from '../facts/facts.ts'
import { linesOf, type Lines } from './lines.ts'
import { readSource } from './read.ts'
import { hashesOf, mayHold, wordsOf, type Words } from './words.ts'

export interface Texts {
  readonly of: (language: Language) => ReadonlyMap<string, string>
  readonly languageOf: (path: string) => Language
  readonly textOf: (path: string) => string
  readonly linesOf: (path: string) => Lines
  /** Whether all words of a name stand in a file, whatever they mean there; a yes may be wrong. */
  readonly mayHold: (path: string, name: string) => boolean
}

export function textsOf(files: ReadonlyMap<string, FoundFile>): Texts {
  const byLanguage = new Map<Language, ReadonlyMap<string, string>>()
  const lines = new Map<string, Lines>()
  const read = (language: Language) =>
    new Map([...files.values()].flatMap(file => {
      const reading = file.language === language ? readSource(file) : undefined
      return reading && 'text' in reading ? [[file.path, reading.text] as const] : []
    }))
  const of = (language: Language) => byLanguage.get(language) ?? byLanguage.set(language, read(language)).get(language)!
  const languageOf = (path: string) => files.get(path)!.language
  const textOf = (path: string) => of(languageOf(path)).get(path) ?? ''
  const words = new Map<string, Words>(), hashes = new Map<string, readonly number[]>()
  const wordsIn = (path: string) => words.get(path) ?? words.set(path, wordsOf(textOf(path))).get(path)!
  const hashesIn = (name: string) => hashes.get(name) ?? hashes.set(name, hashesOf(name)).get(name)!
  return {
    of,
    languageOf,
    textOf,
    mayHold: (path, name) => mayHold(wordsIn(path), hashesIn(name)),
    linesOf: path => lines.get(path) ?? lines.set(path, linesOf(textOf(path))).get(path)!,
  }
}
