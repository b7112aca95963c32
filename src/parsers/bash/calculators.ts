// What the shell leaves to others: numbers with a fraction are compared by bc and awk, which tell by what they print or how they end.

import { literal, type Value } from '../../facts/facts.ts'
import type { Word } from './assertions.ts'

const COMPARES = /^(.*?)\s*(<=|>=|<|>)\s*(.*)$/s
const EXITS = /\bexit\s*(!?)\s*\(([^()]*)\)/

/** `bc <<< "$took < 0.5"`, `awk -v t="$took" 'BEGIN { exit !(t < 0.5) }'` as the comparison that they make. */
export function calculated(name: string, words: readonly Word[], stdin: Value | undefined): Value | undefined {
  if (name === 'bc') return stdin ? comparison(flat(stdin), new Map()) : undefined
  if (!/^[gmn]?awk$/.test(name)) return undefined
  const bound = new Map<string, Value>()
  words.forEach((w, i) => {
    const [head, ...rest] = words[i - 1]?.literal === '-v' ? partsOf(w.value) : []
    const set = head?.is === 'literal' ? /^(\w+)=(.*)$/s.exec(String(head.value)) : null
    if (set) bound.set(set[1]!, rest[0] ?? literal(set[2]!))
  })
  for (const w of words) {
    const script = flat(w.value), told = /^\s*BEGIN\b/.test(script.text) ? EXITS.exec(script.text) : null
    const value = told ? comparison({ ...script, text: told[2]! }, bound) : undefined
    if (value) return told![1] === '!' ? value : { is: 'op', op: 'not', of: [value] }
  }
  return undefined
}

interface Flat {
  readonly text: string
  readonly parts: readonly Value[]
}

const partsOf = (value: Value): readonly Value[] => (value.is === 'text' ? value.parts : [value])

/** What is put into a text stands in it as `@0@`. */
function flat(value: Value): Flat {
  const parts = partsOf(value)
  return { parts, text: parts.map((p, i) => (p.is === 'literal' ? String(p.value).replaceAll('@', '') : `@${i}@`)).join('') }
}

function comparison({ text, parts }: Flat, bound: ReadonlyMap<string, Value>): Value | undefined {
  const found = COMPARES.exec(text.trim())
  if (!found || /[<>=&|]/.test(found[1]! + found[3]!)) return undefined
  const side = (given: string): Value => {
    const plain = given.trim()
    if (/^\d*\.?\d+$/.test(plain)) return literal(Number(plain))
    const held = [...plain.matchAll(/@(\d+)@|[A-Za-z_]\w*/g)].flatMap(m =>
      (m[1] !== undefined ? parts[Number(m[1])] : bound.get(m[0])) ?? []
    )
    return held.length === 1 && !/[-+*/]/.test(plain) ? held[0]! : { is: 'group', of: held }
  }
  return { is: 'op', op: found[2]!, of: [side(found[1]!), side(found[3]!)] }
}
