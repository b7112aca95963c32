// nextest tells the names of tests, and cargo the file that each binary begins with: between the two lies the module path.

import { dirname, join, relative } from 'node:path'
import type { Listed, Place } from '../../runner.ts'

export function located(place: Place, start: string | undefined, name: string): Pick<Listed, 'file' | 'line'> {
  if (start === undefined) return { file: null }
  const modules = name.split('::')
  const declared = new RegExp(`\\bfn\\s+${modules.pop()!.replace(/[^\p{L}\p{N}_]/gu, '')}\\s*[(<]`, 'u')
  // The module itself or the nearest above it: `mod tests { … }` stands in the file of its parent.
  const folders = modules.map((_, at) => join(dirname(start), ...modules.slice(0, at + 1))).reverse()
  for (const file of [...folders.flatMap(f => [`${f}.rs`, join(f, 'mod.rs')]), start]) {
    const line = (place.read(file) ?? '').split('\n').findIndex(l => declared.test(l))
    if (line >= 0) return { file: relative(place.root, file), line: line + 1 }
  }
  return { file: null }
}
