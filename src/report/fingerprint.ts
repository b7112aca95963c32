// What makes a finding the same finding tomorrow: GitHub's hash of its line, and a name of our own.

import { createHash } from 'node:crypto'

const WINDOW = 100
const BASE = 37
const TWO_32 = 2 ** 32
const END_OF_FILE = 0xffff
const [TAB, LF, CR, BLANK] = [9, 10, 13, 32]

/** 37^100 mod 2^64, as two halves: what a unit weighs when the window has moved past it. */
const WEIGHT = halves(BigInt(BASE) ** BigInt(WINDOW))

function halves(value: bigint): { readonly high: number; readonly low: number } {
  return { high: Number((value >> 32n) & 0xffffffffn), low: Number(value & 0xffffffffn) }
}

/**
 * GitHub's `primaryLocationLineHash` of every line, the first line at index 0. Lines end with LF, CR or CRLF.
 *
 * The hash of a window is the difference of two hashes of the whole text so far: the one at the window's end and the
 * weighted one at its start. So a unit costs one small multiplication, and only a line costs a wide one.
 */
export function lineHashes(text: string): string[] {
  const hashes: string[] = []
  const seen = new Map<string, number>()
  // Where each line begins, counted in units that count, and the hash of all before it.
  const at: number[] = []
  const highs: number[] = []
  const lows: number[] = []
  let [high, low, count, lineStart] = [0, 0, 0, true]
  for (let i = 0; i <= text.length || hashes.length < at.length; i++) {
    let unit = unitAt(text, i)
    if (unit === BLANK || unit === TAB) continue
    if (unit === LF && text.charCodeAt(i - 1) === CR) continue
    if (unit === CR) unit = LF
    if (lineStart) {
      at.push(count)
      highs.push(high)
      lows.push(low)
    }
    lineStart = unit === LF
    // 16 bits at a time: all stays within small integers, which measured twice as fast as doubles.
    const right = (low & 0xffff) * BASE + unit
    const left = (low >>> 16) * BASE + (right >>> 16)
    low = (left << 16) | (right & 0xffff)
    high = (Math.imul(high, BASE) + (left >>> 16)) | 0
    count++
    const line = hashes.length
    if (count - at[line]! === WINDOW) hashes.push(numbered(windowHash(high, low, highs[line]!, lows[line]!), seen))
  }
  return hashes
}

/** The text, then the mark of its end, then zeros until the last line's window is full. */
const unitAt = (text: string, i: number): number => (i < text.length ? text.charCodeAt(i) : i === text.length ? END_OF_FILE : 0)

function numbered(hash: string, seen: Map<string, number>): string {
  const times = (seen.get(hash) ?? 0) + 1
  seen.set(hash, times)
  return `${hash}:${times}`
}

/** `end - start * 37^100` mod 2^64, in hexadecimal without leading zeros. Halves may come signed. */
function windowHash(endHigh: number, endLow: number, startHigh: number, startLow: number): string {
  const product = timesWeight(startHigh, startLow)
  const low = (endLow >>> 0) - product.low
  const high = (endHigh - product.high - (low < 0 ? 1 : 0)) >>> 0
  const tail = (low >>> 0).toString(16)
  return high === 0 ? tail : high.toString(16) + tail.padStart(8, '0')
}

function timesWeight(high: number, low: number): { high: number; low: number } {
  // The low half in two parts of 16 bits, so that every product stays exact in a double.
  const first = (low & 0xffff) * WEIGHT.low
  const second = (low >>> 16) * WEIGHT.low
  const sum = first + (second % 65536) * 65536
  const carry = Math.floor(sum / TWO_32) + Math.floor(second / 65536)
  return { low: sum >>> 0, high: (Math.imul(high, WEIGHT.low) + Math.imul(low, WEIGHT.high) + carry) >>> 0 }
}

/** The hash of single lines, counted from 1. Nothing is hashed before the first question, and then only once. */
export function lineHasher(text: string): (line: number) => string {
  let hashes: string[] | undefined
  return line => (hashes ??= lineHashes(text))[line - 1] ?? ''
}

export interface Identity {
  readonly ruleId: string
  readonly file: string
  readonly test: string | null
  /** The finding's own text. */
  readonly snippet: string
  /** Tells apart findings that are equal in all the rest, from 0, in the order of the file. */
  readonly occurrence: number
}

/** 16 hexadecimal digits. There is no line number in it, so that edits above leave it alone; nor does indentation count. */
export function fingerprint(of: Identity): string {
  const parts = ['v1', of.ruleId, of.file, of.test, of.snippet.replace(/\s+/g, ' ').trim(), of.occurrence]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

/**
 * The same finding wherever its file went, and however many there are of it: no path, no number, and of the test's name
 * only the last part, since classes and modules are often named by their file.
 */
export function likeness({ ruleId, test, snippet }: Omit<Identity, 'file' | 'occurrence'>): string {
  const parts = ['v1', ruleId, test?.split('::').at(-1) ?? null, snippet.replace(/\s+/g, ' ').trim()]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

/** Both names of a finding. */
export const identified = (of: Identity): { readonly fingerprint: string; readonly likeness: string } => ({ fingerprint: fingerprint(of),
  likeness: likeness(of) })
