// Before a file is parsed, its text is searched for the words that any enabled rule could act on. Most files have none.
// A telling word (`currentTimeMillis`) does alone; a common one (`get`, `now`) only beside the type or module it belongs to.

import type { CatalogRow, Frontend } from '../parsers/frontend.ts'
import type { RuleMeta } from '../rules/rule.ts'
import { alternativesOf, makeSieve, type Look, type Sieve } from './sieve.ts'

/** Whether a file is worth parsing at all. */
export type Screen = (look: Look, path: string) => boolean

export interface Screens {
  /** Looks through a text once, for all that follows. */
  readonly look: Sieve['look']
  readonly tests: Screen
  /** For tests that run beside others. */
  readonly beside: Screen
  /** For code that tests may use; fewer rules look at it. */
  readonly source: Screen
  /**
   * Whether a parsed file holds what a rule acts on: one of its effects, or one of its words. So a rule says the same whichever
   * other rules are on, and costs nothing where it has nothing to say.
   */
  readonly concerns: (rule: RuleMeta) => (look: Look, path: string, effects: ReadonlySet<string>) => boolean
}

/** Words of this length and longer are telling. */
const TELLING = 9
/** An open parenthesis, something without a comma at its top, and a comma. */
const TWO_ARGUMENTS = '\\s*\\([^;{}(),]*(?:\\([^()]*\\)[^;{}(),]*)*,'

interface Wanted {
  /** Patterns, any of which does. */
  readonly alone: Set<string>
  /** Patterns for common words, by the word that must stand beside them. */
  readonly beside: Map<string, Set<string>>
}

/** `rules` are those that are on. */
export function makeScreens(frontend: Frontend, rules: readonly RuleMeta[], extra: readonly CatalogRow[]): Screens {
  const catalog = [...frontend.catalog, ...extra]
  const gather = (looks: (rule: RuleMeta) => boolean, source = false) => {
    const chosen = rules.filter(looks)
    return { chosen,
      wanted: wantedBy(frontend, catalog, chosen, new Set<string>(chosen.flatMap(r => (source ? r.source ?? [] : r.triggers)))) }
  }
  const gathered = { tests: gather(r => !r.parallel), beside: gather(() => true), source: gather(r => r.source !== undefined, true) }
  const sieve = makeSieve([...Object.values(gathered).flatMap(({ wanted }) => patternsOf(wanted)),
    ...rules.flatMap(r => wordsOf(r, frontend.id))])
  const screen = ({ chosen, wanted }: ReturnType<typeof gather>): Screen =>
    chosen.length === 0 ? () => false : matcher(wanted, sieve, chosen.flatMap(r => (r.paths ? [r.paths] : [])))
  return {
    look: sieve.look,
    tests: screen(gathered.tests),
    beside: screen(gathered.beside),
    source: screen(gathered.source),
    concerns: rule => {
      const words = wordsOf(rule, frontend.id).map(sieve.numberOf)
      const always = rule.triggers.some(t => t === 'skip' || t === 'swallow' || t === 'global')
      return (look, path, effects) =>
        always || rule.triggers.some(t => effects.has(t)) || rule.paths?.test(path) === true || words.some(look.matches)
    },
  }
}

function wantedBy(frontend: Frontend, catalog: readonly CatalogRow[], rules: readonly RuleMeta[], effects: ReadonlySet<string>): Wanted {
  const wanted: Wanted = { alone: new Set(['flakesniff-']), beside: new Map() }
  const ids = new Set(catalog.filter(r => r.effect === 'unique-id').flatMap(namesOf))
  for (const row of catalog)
    if (effects.has(row.effect)) {
      // Opaque ids are drawn everywhere, and no rule minds them.
      for (const name of namesOf(row)) if (row.effect !== 'random' || !ids.has(name)) want(name, row, wanted)
    }
  for (const kind of ['skip', 'swallow', 'global'] as const)
    if (effects.has(kind)) frontend.words[kind].forEach(w => alternativesOf(bounded(w)).forEach(p => wanted.alone.add(p)))
  for (const pattern of rules.flatMap(r => wordsOf(r, frontend.id))) wanted.alone.add(pattern)
  return wanted
}

const patternsOf = (
  { alone, beside }: Wanted,
): string[] => [...alone, ...[...beside].flatMap(([owner, words]) => [bounded(owner), ...words])]

const wordsOf = ({ words = [] }: RuleMeta, language: Frontend['id']): readonly string[] =>
  ('at' in words ? words : words[language] ?? []).flatMap(alternativesOf)

const namesOf = (row: CatalogRow): readonly string[] => (typeof row.name === 'string' ? [row.name] : row.name)
const bounded = (word: string): string => (/^[\w-]+$/.test(word) ? `\\b${word}\\b` : word)

function want(name: string, row: CatalogRow, { alone, beside }: Wanted): void {
  if (name === '*' && row.with) alone.add(`\\b${row.with}\\s*[:=]`)
  // `mktemp -u` is looked for by its command, `setTimeout(fail)` by its callee; a method of an unknown receiver by its call.
  const parts = name.split(/ |\(/)[0]!.split(/[^\w-]+/).filter(p => p !== '')
  if (parts.at(-1) === 'new' && parts.length > 1) {
    alone.add(`\\bnew\\s+(?:[\\w.]+\\.)?${parts.at(-2)}\\b`)
    return void alone.add(`\\b${parts.at(-2)}::new\\b`)
  }
  const last = parts.at(-1), owner = parts.at(-2)
  if (!last) return
  // Called with two arguments or not at all: `future.get(5, SECONDS)`, never `map.get(key)`.
  const least = typeof row.args === 'number' ? row.args : row.args ? Math.min(...row.args) : 0
  const word = least >= 2 && /^\w+$/.test(last) ? `\\b${last}${TWO_ARGUMENTS}` : bounded(last)
  if (name.startsWith('?.')) alone.add(least >= 2 ? `\\.${last}${TWO_ARGUMENTS}` : `\\.${last}\\b`)
  else if (owner === undefined || last.length >= TELLING) alone.add(word)
  else beside.get(owner)?.add(word) ?? beside.set(owner, new Set([word]))
}

/** Patterns by their numbers, and for each owner those of the words that matter beside it. */
function numbered({ alone, beside }: Wanted, { numberOf }: Sieve) {
  return { alone: new Set([...alone].map(numberOf)),
    beside: [...beside].map(([owner, words]) => ({ owner: numberOf(bounded(owner)), words: [...words].map(numberOf) })) }
}

function matcher(wanted: Wanted, sieve: Sieve, paths: readonly RegExp[]): Screen {
  const { alone, beside } = numbered(wanted, sieve)
  return (look, path) =>
    paths.some(p => p.test(path)) || look.candidates.some(n => alone.has(n) && look.matches(n))
    || beside.some(({ owner, words }) => look.matches(owner) && words.some(look.matches))
}
