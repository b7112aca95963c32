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
  /** Pieces of which a part must stand in the text as it is: looked for only where it does. */
  readonly gated: Map<string, string>
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
    const wanted: Wanted = { alone: new Set(['flakesniff-']), gated: new Map(), beside: new Map() }
    const ids = new Set(catalog.filter(r => r.effect === 'unique-id').flatMap(namesOf))
    for (const row of catalog)
      if (effects.has(row.effect))
        // Opaque ids are drawn everywhere, and no rule minds them.
        for (const name of namesOf(row)) if (row.effect !== 'random' || !ids.has(name)) want(name, row, wanted)
    for (const kind of ['skip', 'swallow', 'global'] as const) if (effects.has(kind)) frontend.words[kind].forEach(w => wanted.alone.add(bounded(w)))
    for (const piece of rules.flatMap(r => wordsOf(r, frontend.id))) {
      const part = literalPart(piece)
      part === undefined ? wanted.alone.add(piece) : wanted.gated.set(piece, part)
    }
    return wanted
  }
  return { passes: matcher(gather(triggers), rules.flatMap(r => (r.paths ? [r.paths] : []))), hits: finder(gather(new Set([...triggers, ...CURES]))) }
}

/**
 * Whether a parsed file holds what a rule acts on: one of its effects, or one of its words. So a rule says the same whichever
 * other rules are on, and costs nothing where it has nothing to say.
 */
export function concerns(rule: RuleMeta, language: Frontend['id']): (text: string, path: string, effects: ReadonlySet<string>) => boolean {
  const words = wordsOf(rule, language).map(piece => ({ part: literalPart(piece), pattern: new RegExp(piece) }))
  const always = rule.triggers.some(t => t === 'skip' || t === 'swallow' || t === 'global')
  return (text, path, effects) => always || rule.triggers.some(t => effects.has(t)) || rule.paths?.test(path) === true
    || words.some(({ part, pattern }) => (part === undefined || text.includes(part)) && pattern.test(text))
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
  const words = inner(WORD), methods = inner(METHOD), made = inner(MADE)
  const others = all.filter(p => ![WORD, METHOD, MADE].some(shape => shape.test(p)))
  return [
    ...(words.length > 0 ? [`\\b(?:${words.join('|')})\\b`] : []), ...(methods.length > 0 ? [`\\.(?:${methods.join('|')})\\b`] : []),
    ...(made.length > 0 ? [`\\bnew\\s+(?:[\\w.]+\\.)?(?:${made.join('|')})\\b`, `\\b(?:${made.join('|')})::new\\b`] : []), ...others,
  ].join('|')
}

const WORD = /^\\b([\w-]+)\\b$/, METHOD = /^\\\.([\w-]+)\\b$/, MADE = /^\\bnew\\s\+\(\?:\[\\w\.\]\+\\\.\)\?(\w+)\\b\|/

const ownersPattern = (beside: Wanted['beside']): RegExp | undefined => (beside.size === 0 ? undefined : new RegExp(`\\b(?:${[...beside.keys()].join('|')})\\b`, 'g'))

/** Shorter parts stand everywhere, and looking for them costs more than it saves. */
const WORTH_A_GATE = 4

/** The longest stretch of a pattern that every match of it holds as it is written. */
export function literalPart(pattern: string): string | undefined {
  let best = '', run = ''
  const end = () => ((best = run.length > best.length ? run : best), (run = ''))
  for (let at = 0; at < pattern.length; at++) {
    const c = pattern[at]!
    if (c === '|') return undefined
    if (c === '(' || c === '[') {
      end()
      at = closing(pattern, at)
    } else if (c === '\\') {
      const escaped = pattern[++at]!
      if (/[a-zA-Z0-9]/.test(escaped)) end()
      else run += escaped
    } else if ('?*{'.includes(c)) {
      // The sign before it need not be there.
      run = run.slice(0, -1)
      end()
      if (c === '{') at = pattern.indexOf('}', at)
    } else if ('.^$+)]}'.includes(c)) end()
    else run += c
  }
  end()
  return best.length >= WORTH_A_GATE ? best : undefined
}

/** Where the group or class that begins here ends. */
function closing(pattern: string, from: number): number {
  let depth = 0, inClass = false
  for (let at = from; at < pattern.length; at++) {
    const c = pattern[at]!
    if (c === '\\') at++
    else if (inClass) inClass = c !== ']'
    else if (c === '[') inClass = true
    else if (c === '(') depth++
    else if (c === ')') depth--
    if (depth === 0 && !inClass) return at
  }
  return pattern.length
}

/** One pattern for the pieces whose part stands in a text; texts are much alike, so each is made once. */
function gates(gated: Wanted['gated'], flags: string): (text: string) => RegExp | undefined {
  const pieces = [...gated]
  const made = new Map<string, RegExp | undefined>()
  return text => {
    const open = pieces.flatMap(([, part], i) => (text.includes(part) ? [i] : []))
    const key = open.join()
    if (!made.has(key)) made.set(key, open.length === 0 ? undefined : new RegExp(open.map(i => pieces[i]![0]).join('|'), flags))
    return made.get(key)
  }
}

function matcher({ alone, gated, beside }: Wanted, paths: readonly RegExp[]): Screen['passes'] {
  const telling = new RegExp(alternation(alone))
  const through = gates(gated, '')
  const owners = ownersPattern(beside)
  const pairs = new Map([...beside].map(([owner, words]) => [owner, new RegExp(alternation(words))]))
  return (text, path) => {
    if (paths.some(p => p.test(path)) || telling.test(text) || through(text)?.test(text)) return true
    const seen = new Set<string>()
    for (const [owner] of owners ? text.matchAll(owners) : []) {
      if (seen.has(owner)) continue
      seen.add(owner)
      if (pairs.get(owner)!.test(text)) return true
    }
    return false
  }
}

function finder({ alone, gated, beside }: Wanted): Screen['hits'] {
  const owners = ownersPattern(beside)
  const telling = new RegExp(alternation(alone), 'g')
  const through = gates(gated, 'g')
  // One small pattern an owner, each made once: a pattern made for each file would cost more than it finds.
  const common = new Map([...beside].map(([owner, words]) => [owner, new RegExp(alternation(words), 'g')]))
  return text => {
    const present = new Set(owners ? Array.from(text.matchAll(owners), m => m[0]) : [])
    const hits = Array.from(text.matchAll(telling), m => m.index)
    const opened = through(text)
    if (opened) for (const match of text.matchAll(opened)) hits.push(match.index)
    for (const owner of present) for (const match of text.matchAll(common.get(owner)!)) hits.push(match.index)
    return hits.sort((a, b) => a - b)
  }
}
