// Before a file is parsed, its text is searched for the words that any enabled rule could act on. Most files have none.
// A telling word (`currentTimeMillis`) does alone; a common one (`get`, `now`) only beside the type or module it belongs to.

import type { CatalogRow, Frontend } from '../parsers/frontend.ts'
import type { RuleMeta } from '../rules/rule.ts'

export interface Screen {
  /** Worth parsing at all. */
  readonly passes: (text: string, path: string) => boolean
  /** Where the words stand, and those of cures: a fake clock in a hook is as important as the sleep it cures. */
  readonly hits: (text: string) => number[]
}

export interface Screens {
  readonly tests: Screen
  /** For tests that run beside others. */
  readonly beside: Screen
  /** For code that tests may use; fewer rules look at it. */
  readonly source: Screen
}

/** Words of this length and longer are telling. */
const TELLING = 9
/** An open parenthesis, something without a comma at its top, and a comma. */
const TWO_ARGUMENTS = '\\s*\\([^;{}(),]*(?:\\([^()]*\\)[^;{}(),]*)*,'
const CURES = ['fake-clock', 'real-clock', 'seed', 'serialise', 'property']

interface Wanted {
  /** Pieces of a pattern, any of which does. */
  readonly alone: Set<string>
  /** Pieces for common words, by the word that must stand beside them. */
  readonly beside: Map<string, Set<string>>
}

export function makeScreens(frontend: Frontend, rules: readonly RuleMeta[], extra: readonly CatalogRow[]): Screens {
  const catalog = [...frontend.catalog, ...extra]
  const screenFor = (chosen: readonly RuleMeta[]) => makeScreen(frontend, catalog, chosen, r => r.triggers)
  return { tests: screenFor(rules.filter(r => !r.parallel)), beside: screenFor(rules), source: makeScreen(frontend, catalog, rules.filter(r => r.source), r => r.source ?? []) }
}

function makeScreen(frontend: Frontend, catalog: readonly CatalogRow[], rules: readonly RuleMeta[], triggersOf: (rule: RuleMeta) => readonly string[]): Screen {
  if (rules.length === 0) return { passes: () => false, hits: () => [] }
  const triggers = new Set(rules.flatMap(triggersOf))
  const gather = (effects: ReadonlySet<string>): Wanted => {
    const wanted: Wanted = { alone: new Set(['flakesniff-']), beside: new Map() }
    const ids = new Set(catalog.filter(r => r.effect === 'unique-id').flatMap(namesOf))
    for (const row of catalog)
      if (effects.has(row.effect))
        // Opaque ids are drawn everywhere, and no rule minds them.
        for (const name of namesOf(row)) if (row.effect !== 'random' || !ids.has(name)) want(name, row, wanted)
    for (const kind of ['skip', 'swallow', 'global'] as const) if (effects.has(kind)) frontend.words[kind].forEach(w => wanted.alone.add(bounded(w)))
    rules.flatMap(r => wordsOf(r, frontend.id)).forEach(w => wanted.alone.add(w))
    return wanted
  }
  return { passes: matcher(gather(triggers), rules.flatMap(r => (r.paths ? [r.paths] : []))), hits: finder(gather(new Set([...triggers, ...CURES]))) }
}

function wordsOf({ words = [] }: RuleMeta, language: Frontend['id']): readonly string[] {
  return 'at' in words ? words : words[language] ?? []
}

const namesOf = (row: CatalogRow): readonly string[] => (typeof row.name === 'string' ? [row.name] : row.name)
const bounded = (word: string): string => (/^[\w-]+$/.test(word) ? `\\b${word}\\b` : word)

function want(name: string, row: CatalogRow, { alone, beside }: Wanted): void {
  if (name === '*' && row.with) alone.add(`\\b${row.with}\\s*[:=]`)
  // `mktemp -u` is looked for by its command, `setTimeout(fail)` by its callee; a method of an unknown receiver by its call.
  const parts = name.split(/ |\(/)[0]!.split(/[^\w-]+/).filter(p => p !== '')
  if (parts.at(-1) === 'new' && parts.length > 1) return void alone.add(`\\bnew\\s+(?:[\\w.]+\\.)?${parts.at(-2)}\\b|\\b${parts.at(-2)}::new\\b`)
  const last = parts.at(-1), owner = parts.at(-2)
  if (!last) return
  // Called with two arguments or not at all: `future.get(5, SECONDS)`, never `map.get(key)`.
  const least = typeof row.args === 'number' ? row.args : row.args ? Math.min(...row.args) : 0
  const word = least >= 2 && /^\w+$/.test(last) ? `\\b${last}${TWO_ARGUMENTS}` : bounded(last)
  if (name.startsWith('?.')) alone.add(least >= 2 ? `\\.${last}${TWO_ARGUMENTS}` : `\\.${last}\\b`)
  else if (owner === undefined || last.length >= TELLING) alone.add(word)
  else beside.get(owner)?.add(word) ?? beside.set(owner, new Set([word]))
}

/** Words of one kind are gathered in one group, which the engine of regular expressions searches many times as fast. */
function alternation(pieces: Iterable<string>): string {
  const all = [...new Set(pieces)]
  const inner = (shape: RegExp) => all.flatMap(p => shape.exec(p)?.[1] ?? [])
  const words = inner(/^\\b([\w-]+)\\b$/), methods = inner(/^\\\.([\w-]+)\\b$/)
  const others = all.filter(p => !/^\\[b.][\w-]+\\b$/.test(p))
  return [...(words.length > 0 ? [`\\b(?:${words.join('|')})\\b`] : []), ...(methods.length > 0 ? [`\\.(?:${methods.join('|')})\\b`] : []), ...others].join('|')
}

const ownersPattern = (beside: Wanted['beside']): RegExp | undefined => (beside.size === 0 ? undefined : new RegExp(`\\b(?:${[...beside.keys()].join('|')})\\b`, 'g'))

function matcher({ alone, beside }: Wanted, paths: readonly RegExp[]): Screen['passes'] {
  const telling = new RegExp(alternation(alone))
  const owners = ownersPattern(beside)
  const pairs = new Map([...beside].map(([owner, words]) => [owner, new RegExp(alternation(words))]))
  return (text, path) => {
    if (paths.some(p => p.test(path)) || telling.test(text)) return true
    const seen = new Set<string>()
    for (const [owner] of owners ? text.matchAll(owners) : []) {
      if (seen.has(owner)) continue
      seen.add(owner)
      if (pairs.get(owner)!.test(text)) return true
    }
    return false
  }
}

function finder({ alone, beside }: Wanted): Screen['hits'] {
  const owners = ownersPattern(beside)
  const telling = new RegExp(alternation(alone), 'g')
  // One small pattern an owner, each made once: a pattern made for each file would cost more than it finds.
  const common = new Map([...beside].map(([owner, words]) => [owner, new RegExp(alternation(words), 'g')]))
  return text => {
    const present = new Set(owners ? Array.from(text.matchAll(owners), m => m[0]) : [])
    const hits = Array.from(text.matchAll(telling), m => m.index)
    for (const owner of present) for (const match of text.matchAll(common.get(owner)!)) hits.push(match.index)
    return hits.sort((a, b) => a - b)
  }
}
