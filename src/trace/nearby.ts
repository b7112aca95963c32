// Which files could call a function at all, told by their text before anything is parsed. It lets through whatever
// names.ts could say yes to, and little else: in a large project most files that hold a common word mean another.

import type { Language } from '../facts/facts.ts'
import type { Packages } from '../project/packages.ts'
import { piecesOfPath } from './pieces.ts'
import { calledAs, folderOf, isConstructor, samePackage, type Place } from './places.ts'

/**
 * Whether a file could have to do with the place; asked only of files in which its word stands. `holds` tells whether a name stands in the
 * text as a word.
 */
export function isNearby(place: Place, packages: Packages): (path: string, text: string, holds: (name: string) => boolean) => boolean {
  if (place.within !== null) return path => path === place.path
  const beside = (path: string) => samePackage(path, place.path)
  if (place.run === 'asked') return path => isAbove(place.path, path)
  switch (place.language) {
    case 'bash':
      return () => true
    case 'go': {
      const name = packages.goImport(place.path) ?? `/${folderOf(place.path).split('/').at(-1)}`
      return (path, text) => beside(path) || text.includes(`${name}"`)
    }
    case 'java': {
      const words = [place.owner ?? place.name, piecesOfPath(place.path).at(-1) ?? place.name]
      return (path, _, holds) => beside(path) || words.some(holds)
    }
    case 'typescript': {
      // Through an index anything may come: `import { open } from '..'`.
      const words = [...new Set([place.owner, ...place.path.replace(/\.[cm]?[jt]sx?$/, '').split('/')])].filter(w =>
        w !== null && w !== '' && w !== 'index'
      )
      return (path, text, holds) => path === place.path || words.some(w => holds(w!)) || /['"](?:\.{1,2}\/)*\.{1,2}\/?['"]/.test(text)
    }
    case 'rust': {
      const home = packages.crateOf(place.path)
      const words = [place.owner, ...piecesOfPath(place.path).slice(-2)].filter(w => w !== null && w !== undefined)
      return (path, text, holds) => beside(path) || (home !== undefined && text.includes(`${home.name}::`)) || words.some(holds)
    }
    case 'python': {
      const words = [place.owner, ...piecesOfPath(place.path)].filter(w => w !== null && w !== undefined)
      return (path, _, holds) => path === place.path || words.some(holds)
    }
  }
}

/** A fixture of a conftest.py holds for the folders below it; one of a test file for that file. */
export const isAbove = (home: string, path: string): boolean =>
  home === path || (home.endsWith('conftest.py') && path.startsWith(home.slice(0, -'conftest.py'.length)))

const AFTER: Readonly<Partial<Record<Language, string>>> = { go: '\\s*[(\\[]', java: '\\s*\\(', rust: '\\s*(?:\\(|::\\s*<)' }

/** What stands where the place is called or extended, as a pattern. */
export function spelling(place: Place): string | null {
  const word = calledAs(place)
  if (word === null) return null
  const called = place.run === 'called' && !isConstructor(place) ? AFTER[place.language] ?? '' : ''
  return `(?<![\\w$])${word.replace(/[^\w]/g, '\\$&')}(?![\\w$])${called}`
}
