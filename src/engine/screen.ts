// Before a file is parsed, its text is searched for the words that any enabled rule could act on. Most files have none.
// A telling word (`currentTimeMillis`) does alone; a common one (`get`, `now`) only beside the type or module it belongs to.

import type { CatalogRow, Frontend } from '../parsers/frontend.ts'
import type { RuleMeta } from '../rules/rule.ts'

export interface Screen {
  /** Worth parsing as test code. */
  readonly tests: (text: string, path: string) => boolean
  /** Worth parsing as code that tests may use. */
  readonly source: (text: string, path: string) => boolean
  /** Where the words stand, and those of cures: a fake clock in a hook is as important as the sleep it cures. */
  readonly hits: (text: string) => number[]
}

/** Words of this length and longer are telling. */
const TELLING = 9

interface Wanted {
  /** Pieces of a pattern, any of which does. */
  readonly alone: Set<string>
  /** Common words by the word that must stand beside them. */
  readonly beside: Map<string, Set<string>>
}

export function makeScreen(frontend: Frontend, rules: readonly RuleMeta[], extra: readonly CatalogRow[]): Screen {
  const catalog = [...frontend.catalog, ...extra]
  const passing = (chosen: readonly RuleMeta[]) => {
    if (chosen.length === 0) return () => false
    const triggers = new Set<string>(chosen.flatMap(r => r.triggers))
    const wanted: Wanted = { alone: new Set(['flakesniff-']), beside: new Map() }
    for (const row of catalog) if (triggers.has(row.effect)) want(row, wanted)
    for (const kind of ['skip', 'swallow', 'global'] as const) if (triggers.has(kind)) frontend.words[kind].forEach(w => wanted.alone.add(bounded(w)))
    chosen.forEach(r => r.words?.forEach(w => wanted.alone.add(w)))
    return matcher(wanted, chosen.flatMap(r => (r.paths ? [r.paths] : [])))
  }
  return { tests: passing(rules), source: passing(rules.filter(r => r.source)), hits: finder(frontend, rules, catalog) }
}

const CURES = ['fake-clock', 'real-clock', 'fake-net', 'seed', 'serialise', 'restore', 'property']

function finder(frontend: Frontend, rules: readonly RuleMeta[], catalog: readonly CatalogRow[]): (text: string) => number[] {
  const triggers = new Set<string>([...rules.flatMap(r => r.triggers), ...CURES])
  const wanted: Wanted = { alone: new Set(['flakesniff-']), beside: new Map() }
  for (const row of catalog) if (triggers.has(row.effect)) want(row, wanted)
  for (const kind of ['skip', 'swallow', 'global'] as const) if (triggers.has(kind)) frontend.words[kind].forEach(w => wanted.alone.add(bounded(w)))
  rules.forEach(r => r.words?.forEach(w => wanted.alone.add(w)))
  const owners = new RegExp(`\\b(?:${[...wanted.beside.keys()].join('|')})\\b`, 'g')
  return text => {
    const present = new Set(Array.from(text.matchAll(owners), m => m[0]))
    const common = [...present].flatMap(owner => [...(wanted.beside.get(owner) ?? [])])
    const all = new RegExp(alternation([...wanted.alone, ...common.map(bounded)]), 'g')
    return Array.from(text.matchAll(all), m => m.index)
  }
}

const bounded = (word: string): string => (/^[\w-]+$/.test(word) ? `\\b${word}\\b` : word)

/** Words of one kind are gathered in one group, which the engine of regular expressions searches many times as fast. */
function alternation(pieces: Iterable<string>): string {
  const all = [...pieces]
  const inner = (shape: RegExp) => all.flatMap(p => shape.exec(p)?.[1] ?? [])
  const words = inner(/^\\b([\w-]+)\\b$/), methods = inner(/^\\\.([\w-]+)\\b$/)
  const others = all.filter(p => !/^\\[b.][\w-]+\\b$/.test(p))
  return [...(words.length > 0 ? [`\\b(?:${words.join('|')})\\b`] : []), ...(methods.length > 0 ? [`\\.(?:${methods.join('|')})\\b`] : []), ...others].join('|')
}

function want(row: CatalogRow, { alone, beside }: Wanted): void {
  for (const name of typeof row.name === 'string' ? [row.name] : row.name) {
    if (name === '*' && row.with) alone.add(`\\b${row.with}\\s*[:=]`)
    // `mktemp -u` is looked for by its command, `setTimeout(fail)` by its callee; a method of an unknown receiver by its call.
    const parts = name.split(/ |\(/)[0]!.split(/[^\w-]+/).filter(p => p !== '' && p !== 'new')
    const last = parts.at(-1), owner = parts.at(-2)
    if (!last) continue
    if (name.startsWith('?.')) alone.add(`\\.${last}\\b`)
    else if (owner === undefined || last.length >= TELLING) alone.add(bounded(last))
    else beside.get(owner)?.add(last) ?? beside.set(owner, new Set([last]))
  }
}

function matcher({ alone, beside }: Wanted, paths: readonly RegExp[]): (text: string, path: string) => boolean {
  const telling = new RegExp(alternation(alone))
  const owners = new RegExp(`\\b(?:${[...beside.keys()].join('|')})\\b`, 'g')
  const pairs = new Map([...beside].map(([owner, words]) => [owner, new RegExp(`\\b(?:${[...words].join('|')})\\b`)]))
  return (text, path) => {
    if (paths.some(p => p.test(path)) || telling.test(text)) return true
    if (beside.size === 0) return false
    const seen = new Set<string>()
    for (const [owner] of text.matchAll(owners)) {
      if (seen.has(owner)) continue
      seen.add(owner)
      if (pairs.get(owner)!.test(text)) return true
    }
    return false
  }
}
