// What a report says of the tests that a finding elsewhere endangers.

import type { Endangered, Finding } from '../rules/rule.ts'

const SURENESS = { sure: 0, likely: 1, guess: 2 } as const

/** The test whose way to the finding is the surest, then the shortest, then the first. */
export const nearest = ({ endangers = [] }: Finding): Endangered | undefined =>
  endangers.reduce<Endangered | undefined>(
    (best,
      e) => (best === undefined || SURENESS[e.sure] < SURENESS[best.sure] || (e.sure === best.sure && e.calls < best.calls) ? e : best),
    undefined,
  )

/** `45 tests in 4 files`, or null where none is known. */
export function reachOf({ endangers = [] }: Finding): string | null {
  if (endangers.length === 0) return null
  const files = new Set(endangers.map(e => e.file)).size
  const guessed = endangers.filter(e => e.sure === 'guess').length
  return `${count(endangers.length, 'test')} in ${count(files, 'file')}${guessed === 0 ? '' : `, ${guessed} of them by a guess`}`
}

const count = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? '' : 's'}`
