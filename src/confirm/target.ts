// Which test is meant: by its runner's own id, by a place in a file, or by its name.

import { didYouMean } from '../config/nearest.ts'
import { confirmError } from './error.ts'
import type { Listed, Runner } from './runner.ts'

export interface Wanted {
  /** As it was written. */
  readonly text: string
  /** From the root, where a place was given. */
  readonly file?: string
  readonly line?: number
  /** The name our own parser gives the test at that place. */
  readonly test?: string
}

export interface Choice {
  readonly target: Listed
  /** Where several fit: the others. */
  readonly others: readonly Listed[]
}

/** `FILE:LINE` or `FILE:LINE:COLUMN`; anything else is an id or a name. */
export function readPlace(text: string): { readonly file: string; readonly line: number } | null {
  const place = /^(.+?):(\d+)(?::\d+)?$/.exec(text)
  return place && !place[1]!.includes('::') ? { file: place[1]!, line: Number(place[2]) } : null
}

export function chooseTarget(wanted: Wanted, listed: readonly Listed[], named?: Runner['named']): Choice {
  const [target, ...others] = candidates(wanted, listed)
  if (target) return { target, others }
  const unlisted = named?.(wanted.text, listed)
  if (unlisted) return { target: unlisted, others: [] }
  const where = wanted.file === undefined ? '' : `, ${listed.filter(t => t.file === wanted.file).length} of them in ${wanted.file}`
  throw confirmError(
    `no test ${wanted.text} among the ${listed.length} that the runner lists${where}${
      didYouMean(wanted.text, listed.flatMap(t => [t.id, t.name]))
    }`,
  )
}

export const isListed = (wanted: Wanted, listed: readonly Listed[]): boolean => candidates(wanted, listed).length > 0

function candidates(wanted: Wanted, listed: readonly Listed[]): readonly Listed[] {
  const exact = listed.filter(t => t.id === wanted.text)
  if (exact.length > 0) return exact
  if (wanted.file !== undefined) {
    const inFile = listed.filter(t => t.file === wanted.file)
    const named = wanted.test === undefined ? [] : byName(wanted.test, inFile)
    return named.length > 0 ? named : byLine(inFile, wanted.line ?? 1)
  }
  return byName(wanted.text, listed)
}

/** The last that begins at or above the line; several, where one function makes several tests. */
function byLine(inFile: readonly Listed[], line: number): readonly Listed[] {
  const above = inFile.filter(t => t.line !== undefined && t.line <= line)
  const last = Math.max(...above.map(t => t.line!))
  return above.filter(t => t.line === last)
}

/** A name as our parser, the runner or a person writes it: separators are all alike, and a parameter may be left out. */
function byName(name: string, tests: readonly Listed[]): readonly Listed[] {
  const exact = tests.filter(t => t.name === name)
  if (exact.length > 0) return exact
  const wanted = words(name)
  if (wanted === '') return []
  return tests.filter(t => [t.id, t.name].some(n => [n, n.replace(/\[.*\]$/s, '')].some(m => ` ${words(m)}`.endsWith(` ${wanted}`))))
}

const words = (name: string): string => name.replace(/::|[.#]| > | › |\//g, ' ').replace(/\s+/g, ' ').trim()
