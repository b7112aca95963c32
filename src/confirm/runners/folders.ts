// Looking for a project's files through a place, without going where no project keeps its own.

import { join } from 'node:path'
import type { Place } from '../runner.ts'

const NEVER = new Set(['node_modules', 'vendor', 'target', 'build', 'dist', 'third_party'])

// A name with a dot in it is a file but for rare cases; asking the disk for each would cost more than those are worth.
const isFolderLike = (name: string): boolean => !name.includes('.') && !NEVER.has(name)

/** Files below a folder whose name fits, sorted by folder: what stands in a folder comes before what stands below it. */
export function filesBelow(place: Place, fits: RegExp, folder = '', depth = 6): string[] {
  const names = place.names(folder || '.')
  const here = names.filter(n => fits.test(n)).map(n => join(folder, n))
  if (depth === 0) return here
  return [...here, ...names.filter(isFolderLike).flatMap(n => filesBelow(place, fits, join(folder, n), depth - 1))]
}

/** The root, or the nearest folder below it, that holds one of the names; undefined where none or several equally near do. */
export function folderWith(place: Place, names: readonly string[], depth = 2): string | undefined {
  let level = ['']
  for (let d = 0; d <= depth; d++) {
    const holding = level.filter(folder => place.names(folder || '.').some(n => names.includes(n)))
    if (holding.length > 0) return holding.length === 1 ? holding[0] : undefined
    level = level.flatMap(folder => place.names(folder || '.').filter(isFolderLike).map(n => join(folder, n)))
  }
  return undefined
}
