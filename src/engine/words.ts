// Which words a text holds, as bits by their hashes. A trace asks for hundreds of words in thousands of texts, and nearly every answer is
// no: told by one bit instead of a search through the text. A yes may be another word's bit; whoever needs to be sure looks.

export interface Words {
  readonly bits: Uint32Array
  /** Of a hash, what tells the bit. */
  readonly mask: number
}

/** A word in twenty to thirty characters is new: so one bit in ten or so is set. */
const CHARACTERS_PER_BIT = 2
const LEAST_BITS = 1024

export function wordsOf(text: string): Words {
  const size = 2 ** Math.ceil(Math.log2(Math.max(LEAST_BITS, text.length / CHARACTERS_PER_BIT)))
  const bits = new Uint32Array(size / 32)
  const mask = size - 1
  let hash = 0, inside = false
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0
    if (isWord(code)) {
      hash = inside ? step(hash, code) : step(0, code)
      inside = true
    } else if (inside) {
      inside = false
      const bit = mixed(hash) & mask
      bits[bit >>> 5]! |= 1 << (bit & 31)
    }
  }
  return { bits, mask }
}

/** The hashes of a name's words: of `wait-for-it` there are three. */
export function hashesOf(name: string): readonly number[] {
  return (name.match(/[\w$]+/g) ?? []).map(word => {
    let hash = 0
    for (let i = 0; i < word.length; i++) hash = step(hash, word.charCodeAt(i))
    return mixed(hash)
  })
}

export const mayHold = ({ bits, mask }: Words, hashes: readonly number[]): boolean =>
  hashes.every(h => (bits[(h & mask) >>> 5]! & (1 << (h & 31))) !== 0)

const step = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0
/** Names of one pattern differ in their last letters alone; their bits should not lie side by side. */
const mixed = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 3

/** What a name is made of: `[\w$]`. */
const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 36
