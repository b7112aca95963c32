// Follows findings outside tests to the tests that they endanger. A finding in code that is not a test's counts only
// where a test reaches it.

import type { FoundFile } from '../discover/discover.ts'
import type { Language } from '../facts/facts.ts'
import type { Endangered, Finding, FindingPlace } from '../rules/rule.ts'
import type { FileLinks } from '../trace/links.ts'
import { traceAll, type Reached, type Sight } from '../trace/trace.ts'
import type { Analyser, FileResult } from './analyse.ts'
import { linesOf, type Lines } from './lines.ts'
import { readSource } from './read.ts'

/**
 * All findings of a run, those outside tests with the tests that reach them, those of source code that none reaches left
 * out. Tests are looked for in all files, also where only some of them were checked.
 */
export async function traced(unsorted: readonly FileResult[], files: ReadonlyMap<string, FoundFile>, analyser: Analyser): Promise<Finding[]> {
  // Workers finish in any order; the way that is shown must not depend on it.
  const results = [...unsorted].sort((a, b) => (a.path < b.path ? -1 : 1))
  const causes = results.flatMap(r => r.causes)
  const texts = textsOf(files)
  const reached = await traceAll(causes.map(c => c.place), sightOf(texts, analyser))
  const endangered = new Map(causes.map((c, i) => [c.fingerprint, reached[i]!.map(r => toEndangered(r, texts))]))
  const tell = (finding: Finding): Finding => {
    const tests = endangered.get(finding.fingerprint)
    return tests ? { ...finding, endangers: tests } : finding
  }
  return [...results.flatMap(r => r.findings).map(tell), ...results.flatMap(r => r.pending).map(tell).filter(f => (f.endangers ?? []).length > 0)]
}

interface Texts {
  readonly of: (language: Language) => ReadonlyMap<string, string>
  readonly languageOf: (path: string) => Language
  readonly linesOf: (path: string) => Lines
}

/** Texts of files, read when the first question comes and kept for the next. */
function textsOf(files: ReadonlyMap<string, FoundFile>): Texts {
  const byLanguage = new Map<Language, ReadonlyMap<string, string>>()
  const lines = new Map<string, Lines>()
  const read = (language: Language) => new Map([...files.values()].flatMap(file => {
    const reading = file.language === language ? readSource(file) : undefined
    return reading && 'text' in reading ? [[file.path, reading.text] as const] : []
  }))
  const of = (language: Language) => byLanguage.get(language) ?? byLanguage.set(language, read(language)).get(language)!
  const languageOf = (path: string) => files.get(path)!.language
  const fresh = (path: string) => linesOf(of(languageOf(path)).get(path) ?? '')
  return { of, languageOf, linesOf: path => lines.get(path) ?? lines.set(path, fresh(path)).get(path)! }
}

const anyOf = (words: readonly string[]): string => `(?<![\\w$])(?:${words.map(w => w.replace(/[^\w]/g, '\\$&')).join('|')})(?![\\w$])`

function sightOf(texts: Texts, analyser: Analyser): Sight {
  const kept = new Map<string, FileLinks>()
  return {
    mentioning(language, words) {
      const pattern = new RegExp(anyOf(words))
      return [...texts.of(language)].flatMap(([path, text]) => (words.some(w => text.includes(w)) && pattern.test(text) ? [path] : []))
    },
    async linksOf(paths, words) {
      const pattern = new RegExp(anyOf(words), 'g')
      const links = new Map<string, FileLinks>()
      for (const path of paths) {
        const language = texts.languageOf(path)
        // Bodies are left out where a language can, so what was parsed for other words is parsed again; the rest is kept.
        const known = kept.get(path)
        const { links: fresh, whole } = known ? { links: known, whole: true } : await analyser.links(path, texts.of(language).get(path) ?? '', language, pattern)
        if (whole) kept.set(path, fresh)
        links.set(path, fresh)
      }
      return links
    },
  }
}

function toEndangered(reached: Reached, texts: Texts): Endangered {
  const place = (path: string, span: Reached['at'], message: string): FindingPlace => ({ file: path, message, ...texts.linesOf(path).regionOf(span) })
  return {
    ...place(reached.path, reached.at, `${reached.test} depends on it`), test: reached.test, calls: reached.steps.length, sure: reached.sure,
    path: reached.steps.map(s => place(s.path, s.at, `${s.by} calls ${s.calls}`)),
  }
}
