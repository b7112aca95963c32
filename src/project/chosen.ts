// Where a configuration chooses a few tests by their names, for everybody and for good.

import type { Span } from '../facts/facts.ts'
import { type RunnerFile, isSample, nameOf } from './evidence.ts'

export interface Chosen {
  /** Relative to the root, with `/`. */
  readonly file: string
  readonly span: Span
  /** As it is written there. */
  readonly how: string
}

interface Pattern {
  readonly of: RegExp
  readonly find: RegExp
}

/** The first group is what is chosen. What begins with «not» leaves a few out, which is another matter. */
const PATTERNS: readonly Pattern[] = [
  { of: /^(?:\.?pytest\.ini|setup\.cfg|tox\.ini)$/,
    find: /^addopts\s*=[^\n]*?\s(-k[ =]?(?!["']?not\b)(?:"[^"\n]+"|'[^'\n]+'|[^\s"']+))/gm },
  { of: /^pyproject\.toml$/, find: /^addopts\s*=[^\n]*?[\s"'](-k(?:[ =]|["'],\s*["'])(?!["']?not\b)[^\s"',\]]+)/gm },
  { of: /^\.mocharc\./, find: /^[ \t{]*["']?(f?grep["']?\s*[:=]\s*["'][^"'\n]+["'])/gm },
  { of: /^(?:jest|vitest)[\w.-]*\.config\./, find: /^[ \t{]*["']?(testNamePattern["']?\s*:\s*["'/][^\n,]+)/gm },
]

export function readChosen(files: readonly RunnerFile[]): Chosen[] {
  return files.filter(f => !isSample(f.path)).flatMap(({ path, text }) =>
    PATTERNS.filter(p => p.of.test(nameOf(path))).flatMap(({ find }) =>
      [...text.matchAll(find)].map(m => {
        const start = m.index + m[0].lastIndexOf(m[1]!)
        return { file: path, span: { start, end: start + m[1]!.length }, how: m[1]!.replace(/["'],\s*["']/, ' ') }
      })
    )
  )
}
