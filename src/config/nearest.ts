// «Did you mean …»: the known word that is nearest to what was written.

export function nearest(word: string, known: Iterable<string>): string | undefined {
  const small = word.toLowerCase()
  let best: string | undefined, least = Math.floor(Math.max(small.length, 3) / 3) + 1
  for (const candidate of known) {
    const d = distance(small, candidate.toLowerCase(), least)
    if (d < least) [best, least] = [candidate, d]
  }
  return best ?? beginning(small, known)
}

/** A sentence's end, or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const near = nearest(word, known)
  return near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
}

// `warn` is far from `warning` by edits, and still plainly meant.
function beginning(small: string, known: Iterable<string>): string | undefined {
  const fits = [...known].filter(k => small.length >= 3 && (k.startsWith(small) || small.startsWith(k)))
  return fits.length === 1 ? fits[0] : undefined
}

/** Insertions, deletions, replacements and swaps of neighbours; gives up at `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = [], last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
