// Before a file is parsed, its text is searched for the words that any enabled rule could act on. Most files have none.

import { wordsOf } from '../parsers/annotate.ts'
import type { CatalogRow, Frontend } from '../parsers/frontend.ts'
import type { RuleMeta } from '../rules/rule.ts'

export interface Screen {
  /** Worth parsing as test code. */
  readonly tests: (text: string, path: string) => boolean
  /** Worth parsing as code that tests may use. */
  readonly source: (text: string, path: string) => boolean
}

export function makeScreen(frontend: Frontend, rules: readonly RuleMeta[], extra: readonly CatalogRow[]): Screen {
  const catalog = [...frontend.catalog, ...extra]
  const passing = (chosen: readonly RuleMeta[]) => {
    const triggers = new Set<string>(chosen.flatMap(r => r.triggers))
    const pieces = new Set(wordsOf(catalog.filter(row => triggers.has(row.effect))))
    for (const kind of ['skip', 'swallow', 'global'] as const) if (triggers.has(kind)) frontend.words[kind].forEach(w => pieces.add(w))
    chosen.forEach(r => r.words?.forEach(w => pieces.add(w)))
    const words = [...pieces].filter(p => /^\w+$/.test(p)), others = [...pieces].filter(p => !/^\w+$/.test(p)).map(p => (/^[\w-]+$/.test(p) ? `\\b${p}\\b` : p))
    const pattern = chosen.length === 0 ? undefined : new RegExp([`\\b(?:${words.join('|')})\\b`, 'flakesniff-', ...others].join('|'))
    const paths = chosen.flatMap(r => (r.paths ? [r.paths] : []))
    return (text: string, path: string) => (pattern?.test(text) ?? false) || paths.some(p => p.test(path))
  }
  return { tests: passing(rules), source: passing(rules.filter(r => r.source)) }
}
