// What a repository is made of, as far as setting up flakesniff needs to know. Everything is read, nothing is executed.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { discover } from '../discover/discover.ts'
import type { Language } from '../facts/facts.ts'
import { frontendOf } from '../parsers/registry.ts'

export interface Survey {
  /** The languages in which there are tests, in the order of the number of test files. */
  readonly languages: readonly Language[]
  readonly runners: readonly string[]
  /** The text of a file, or null where there is none. */
  readonly read: (path: string) => string | null
  /** The names in a folder; none where there is no such folder. */
  readonly list: (path: string) => readonly string[]
  /** The first of the files that is there. */
  readonly first: (...paths: readonly string[]) => string | undefined
}

/** What tells of a runner: a file, or words in one. */
const RUNNERS: readonly (readonly [name: string, file: RegExp, words?: RegExp])[] = [
  ['vitest', /(^|\/)package\.json$/, /"vitest"/],
  ['jest', /(^|\/)package\.json$/, /"(?:@jest\/core|jest)"/],
  ['mocha', /(^|\/)package\.json$/, /"mocha"/],
  ['playwright', /(^|\/)package\.json$/, /"@playwright\/test"/],
  ['node:test', /(^|\/)package\.json$/, /node (?:[\w-]+ )*--test\b/],
  ['pytest', /(^|\/)(pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|\.pytest\.ini)$/, /pytest/],
  ['cargo-nextest', /\.config\/nextest\.toml$/],
  ['cargo test', /(^|\/)Cargo\.toml$/],
  ['Maven', /(^|\/)pom\.xml$/],
  ['Gradle', /(^|\/)build\.gradle(\.kts)?$/],
]

export async function survey(root: string): Promise<Survey> {
  const read = (path: string): string | null => {
    try {
      return readFileSync(join(root, path), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return null
      throw error
    }
  }
  const list = (path: string): string[] => {
    try {
      return readdirSync(join(root, path)).sort()
    } catch {
      return []
    }
  }
  const found = discover([root], { root })
  const counts = new Map<Language, number>()
  for (const { path, language } of found.files) {
    const frontend = await frontendOf(language)
    if (frontend.kindOf(path) === 'test' || (frontend.testsInSource && frontend.countTests(read(path) ?? '') > 0))
      counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  const runners = RUNNERS.filter(([, file, words]) => found.configFiles.some(p => file.test(p) && (!words || words.test(read(p) ?? ''))))
    .map(([name]) => name)
  const more = [...(counts.has('go') ? ['go test'] : []), ...(found.files.some(f => f.path.endsWith('.bats')) ? ['bats'] : [])]
  return {
    languages: [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([language]) => language),
    runners: [...runners, ...more],
    read,
    list,
    first: (...paths) => paths.find(p => read(p) !== null),
  }
}
