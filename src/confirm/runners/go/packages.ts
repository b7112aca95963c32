// What `go list` tells of the packages that have tests, and where in their files the tests stand.

import { join, relative } from 'node:path'
import type { Listed, Place } from '../../runner.ts'

export interface Package {
  readonly path: string
  /** From the project's root. */
  readonly dir: string
  /** Names of test files: of the package itself, and of its `_test` twin. */
  readonly files: readonly string[]
}

interface ListedPackage {
  readonly Dir?: string
  readonly ImportPath: string
  readonly TestGoFiles?: readonly string[]
  readonly XTestGoFiles?: readonly string[]
}

/** `go list -json` prints one object after the other, each closed by a brace that stands alone on its line. */
export const packagesOf = (stdout: string, root: string): Package[] =>
  stdout.split(/^\}$/m).filter(text => text.trim() !== '').map(text => JSON.parse(`${text}}`) as ListedPackage).flatMap(p => {
    const files = [...(p.TestGoFiles ?? []), ...(p.XTestGoFiles ?? [])]
    return p.Dir === undefined || files.length === 0 ? [] : [{ path: p.ImportPath, dir: relative(root, p.Dir), files }]
  })

/** Names as `-test.list` prints them; whatever TestMain prints in between is left out. */
export const namesIn = (stdout: string): string[] =>
  stdout.split('\n').map(l => l.trim()).filter(l => /^(?:Test|Example|Fuzz)[\p{L}\p{N}_]*$/u.test(l))

export function listedIn(place: Place, of: Package, names: readonly string[]): Listed[] {
  const found = new Map<string, { readonly file: string; readonly line: number }>()
  for (const name of of.files) {
    const file = join(of.dir, name)
    for (const [at, line] of (place.read(file) ?? '').split('\n').entries()) {
      const declared = /^func ([\p{L}\p{N}_]+)\(/u.exec(line)?.[1]
      if (declared !== undefined && !found.has(declared)) found.set(declared, { file, line: at + 1 })
    }
  }
  return names.map(name => ({ id: `${of.path}.${name}`, name, file: null, ...found.get(name) }))
}

/** The package an id belongs to: import paths may hold dots too, so the longest that fits. */
export const packageOf = (id: string, packages: readonly Package[]): Package | undefined =>
  packages.filter(p => id.startsWith(`${p.path}.`)).sort((a, b) => b.path.length - a.path.length)[0]

/** `TestTable/a_b` of `example.com/shop.TestTable/a_b`. */
export const nameIn = (id: string, of: Package): string => id.slice(of.path.length + 1)
