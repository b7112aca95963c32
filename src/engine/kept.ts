// Things made of files, made again only when one of the files is no longer what it was.

import { statSync } from 'node:fs'
import { attempt } from '../discover/places.ts'

export interface Made<T> {
  readonly value: T
  /** The files and folders it was made of; a folder changes when a name in it comes or goes. */
  readonly from: readonly string[]
}

/** By key; `get` calls `make` where nothing is kept or something has changed. */
export interface Kept<T> {
  readonly get: (key: string, make: () => Made<T>) => T
}

export function makeKept<T>(): Kept<T> {
  const all = new Map<string, { readonly made: Made<T>; readonly stamp: string }>()
  return {
    get: (key, make) => {
      const known = all.get(key)
      if (known && stampOf(known.made.from) === known.stamp) return known.made.value
      const made = make()
      all.set(key, { made, stamp: stampOf(made.from) })
      return made.value
    },
  }
}

const stampOf = (paths: readonly string[]): string =>
  paths.map(path => {
    const stats = attempt(() => statSync(path, { throwIfNoEntry: false }))
    return stats ? `${stats.mtimeMs}:${stats.size}` : ''
  }).join()
