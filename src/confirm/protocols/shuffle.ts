// Orders that anyone can make again: from a seed, by our own generator, so that no runner's or language's chance is part of it.

import type { Listed } from '../runner.ts'

/** Numbers in [0, 1) from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const next = seeded(seed)
  const made = [...items]
  for (let i = made.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1))
    ;[made[i], made[j]] = [made[j]!, made[i]!]
  }
  return made
}

/** Where a runner orders whole files only, files are shuffled and their tests keep together. */
export function reordered(tests: readonly Listed[], by: 'tests' | 'files', order: 'reversed' | number): Listed[] {
  const change = <T>(items: readonly T[]): T[] => (order === 'reversed' ? [...items].reverse() : shuffled(items, order))
  if (by === 'tests') return change(tests)
  const files = new Map<string, Listed[]>()
  for (const test of tests) files.get(test.file ?? '')?.push(test) ?? files.set(test.file ?? '', [test])
  return change([...files.values()]).flat()
}
