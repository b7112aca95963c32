// Finds which of hundreds of patterns can match a text in one pass over it. Of each pattern a stretch is known, or some, of which every
// match holds one as it is written; three characters at a time are looked up in a table of where such stretches begin. Only
// patterns whose stretch is there are tried themselves, and most are plain words, for which the stretch is all.

export interface Sieve {
  /** The number by which a look tells of the pattern. */
  readonly numberOf: (pattern: string) => number
  readonly look: (text: string) => Look
}

/** One text, looked through once. */
export interface Look {
  /** The patterns whose stretch stands in the text, by number, and those of which no stretch is known. */
  readonly candidates: readonly number[]
  readonly matches: (number: number) => boolean
}

interface Stretch {
  readonly text: string
  readonly number: number
  /** The character behind those that are looked up: most stretches are told from the text by it. */
  readonly fourth: number
  /** A word must begin, or end, with the stretch. */
  readonly begins: boolean
  readonly ends: boolean
}

const SHORTEST = 3
/** Behind a stretch of three characters anything may stand. */
const ANY = -1
const TABLE = 1 << 15
const WORD = /^\\b(\w(?:[\w-]*\w)?)\\b$/, METHOD = /^\\(\.\w(?:[\w-]*\w)?)\\b$/

export function makeSieve(patterns: Iterable<string>): Sieve {
  const all = [...new Set(patterns)]
  const numbers = new Map(all.map((p, i) => [p, i]))
  // Of a plain word its stretch at a word's ends is all there is.
  const compiled = all.map(p => (plain(p) ? undefined : new RegExp(p)))
  const stretches = all.map((p, number) => stretchesOf(p, number))
  const unknown = stretches.flatMap((s, i) => (s ? [] : [i]))
  const table = tableOf(stretches.flatMap(s => s ?? []))
  return {
    numberOf: pattern => numbers.get(pattern) ?? -1,
    look: text => {
      const found = seek(text, table)
      const candidates = [...found, ...unknown]
      const known = new Map<number, boolean>()
      return {
        candidates,
        matches: number => {
          const told = known.get(number)
          if (told !== undefined) return told
          const matches = (stretches[number] === undefined || found.has(number)) && compiled[number]?.test(text) !== false
          known.set(number, matches)
          return matches
        },
      }
    },
  }
}

const plain = (pattern: string): string | undefined => {
  const word = (WORD.exec(pattern) ?? METHOD.exec(pattern))?.[1]
  return word !== undefined && word.length >= SHORTEST ? word : undefined
}

function stretchesOf(pattern: string, number: number): readonly Stretch[] | undefined {
  const word = plain(pattern)
  const stretch = (text: string, begins: boolean, ends: boolean): Stretch => ({ text, number, begins, ends,
    fourth: text.length > SHORTEST ? text.charCodeAt(SHORTEST) : ANY })
  if (word !== undefined) return [stretch(word, !word.startsWith('.'), true)]
  return literalParts(pattern)?.map(text => stretch(text, false, false))
}

/** Stretches by the hash of their first three characters. */
function tableOf(stretches: readonly Stretch[]): (Stretch[] | undefined)[] {
  const table: (Stretch[] | undefined)[] = new Array(TABLE).fill(undefined)
  for (const stretch of stretches) {
    let hash = 0
    for (let i = 0; i < SHORTEST; i++) hash = next(hash, stretch.text.charCodeAt(i))
    ;(table[hash] ??= []).push(stretch)
  }
  return table
}

/** Five bits a character: after three steps an older one has left. */
const next = (hash: number, code: number): number => ((hash << 5) ^ code) & (TABLE - 1)

/** The numbers of the patterns of which a stretch stands in the text. */
function seek(text: string, table: readonly (readonly Stretch[] | undefined)[]): Set<number> {
  const found = new Set<number>()
  let hash = 0
  for (let i = 0; i < text.length; i++) {
    hash = next(hash, text.charCodeAt(i))
    const bucket = table[hash]
    if (bucket === undefined || i < SHORTEST - 1) continue
    const at = i - SHORTEST + 1, following = text.charCodeAt(i + 1)
    for (const { text: sought, number, fourth, begins, ends } of bucket)
      if ((fourth === following || fourth === ANY) && !found.has(number) && text.startsWith(sought, at)
        && !(begins && isWord(text.charCodeAt(at - 1)))
        && !(ends && isWord(text.charCodeAt(at + sought.length)))) found.add(number)
  }
  return found
}

/** What `\w` means; before the first and after the last character there is none. */
const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95

/** The alternatives of a pattern: each is a pattern of its own. */
export function alternativesOf(pattern: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < pattern.length; at++) {
    const c = pattern[at]!
    if (c === '\\') at++
    else if (c === '(' || c === '[') at = closing(pattern, at)
    else if (c === '|') {
      parts.push(pattern.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, pattern.slice(from)]
}

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
      // What follows may say that the group need not be there; it is not part of a stretch in any case.
      if ('?*+'.includes(pattern[at + 1] ?? ' ')) at++
    } else if (c === '\\') {
      const escaped = pattern[++at]!
      if (/[a-zA-Z0-9]/.test(escaped)) {
        end()
        if ('?*+'.includes(pattern[at + 1] ?? ' ')) at++
      } else run += escaped
    } else if ('?*{'.includes(c)) {
      // The sign before it need not be there.
      run = run.slice(0, -1)
      end()
      if (c === '{') at = pattern.indexOf('}', at)
    } else if ('.^$+)]}'.includes(c)) end()
    else run += c
  }
  end()
  return best.length >= SHORTEST ? best : undefined
}

/** Stretches of which every match of a pattern holds one: its own, or those of the ways through one of its groups. */
export function literalParts(pattern: string): readonly string[] | undefined {
  const whole = literalPart(pattern)
  if (whole !== undefined) return [whole]
  let best: readonly string[] | undefined
  const shortest = (parts: readonly string[]) => Math.min(...parts.map(p => p.length))
  for (let at = 0; at < pattern.length; at++) {
    const c = pattern[at]!
    if (c === '|') return undefined
    if (c === '\\') at++
    else if (c === '[') at = closing(pattern, at)
    else if (c === '(') {
      const from = at
      at = closing(pattern, at)
      const inner = pattern.slice(from + 1, at)
      // What is only looked at, and what need not be there, no match has to hold.
      if (/^\?[^:]/.test(inner) || '?*{'.includes(pattern[at + 1] ?? ' ')) continue
      const ways = alternativesOf(inner.replace(/^\?:/, '')).map(literalParts)
      const parts = ways.every(w => w !== undefined) ? ways.flat() : undefined
      if (parts && (!best || shortest(parts) > shortest(best))) best = parts
    }
  }
  return best
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
