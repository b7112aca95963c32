// The texts of a run's files, read when the first question comes and kept for the next.

import type { FoundFile } from '../discover/discover.ts'
import type { Language } from '../facts/facts.ts'
import { linesOf, type Lines } from './lines.ts'
import { readSource } from './read.ts'

export interface Texts {
  readonly of: (language: Language) => ReadonlyMap<string, string>
  readonly languageOf: (path: string) => Language
  readonly textOf: (path: string) => string
  readonly linesOf: (path: string) => Lines
}

export function textsOf(files: ReadonlyMap<string, FoundFile>): Texts {
  const byLanguage = new Map<Language, ReadonlyMap<string, string>>()
  const lines = new Map<string, Lines>()
  const read = (language: Language) => new Map([...files.values()].flatMap(file => {
    const reading = file.language === language ? readSource(file) : undefined
    return reading && 'text' in reading ? [[file.path, reading.text] as const] : []
  }))
  const of = (language: Language) => byLanguage.get(language) ?? byLanguage.set(language, read(language)).get(language)!
  const languageOf = (path: string) => files.get(path)!.language
  const textOf = (path: string) => of(languageOf(path)).get(path) ?? ''
  return { of, languageOf, textOf, linesOf: path => lines.get(path) ?? lines.set(path, linesOf(textOf(path))).get(path)! }
}
