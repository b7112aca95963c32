// Whether a call in one file means a function of another, by the names that stand in both. What a manifest or an import
// says is sure; what only fits is a guess, and a call whose name the parser had to guess is never more than one.

import type { Packages } from '../project/packages.ts'
import type { CallLink, FileLinks, UnitLink } from './links.ts'
import { leadsTo, fromRoot } from './modules.ts'
import { isTelling, piecesOfName, piecesOfPath } from './pieces.ts'
import { isConstructor, isInside, ownerOf, samePackage, suitesAround, type Place } from './places.ts'

/** How sure a step is: the import leads there, the package does, or only the name fits. */
export type Sureness = 'sure' | 'likely' | 'guess'

const ORDER: readonly Sureness[] = ['sure', 'likely', 'guess']
const atMost = (sure: Sureness | undefined, most: Sureness): Sureness | undefined =>
  sure === undefined ? undefined : ORDER[Math.max(ORDER.indexOf(sure), ORDER.indexOf(most))]

export function reaches(file: FileLinks, caller: UnitLink, call: CallLink, place: Place, packages: Packages): Sureness | undefined {
  if (file.language !== place.language) return undefined
  if (call.target !== undefined) return file.path === place.path && file.units[call.target]?.at.start === place.at ? 'sure' : undefined
  const pieces = piecesOfName(call.name)
  const last = pieces.at(-1)
  if (last === undefined) return undefined
  if (place.within !== null)
    return last === place.name && file.path === place.path
        && isInside(file, caller, u => u.at.start === place.within && u.role.is !== 'module')
      ? 'sure'
      : undefined
  const makes = isConstructor(place) && place.owner !== null
  const qualifiers = makes && last === 'new'
    ? pieces.slice(0, -1)
    : makes && last === place.owner
    ? pieces
    : last === place.name.replaceAll('-', '_')
    ? pieces.slice(0, -1)
    : undefined
  if (!qualifiers || (makes && qualifiers.at(-1) !== place.owner)) return undefined
  const sure = judge(file, caller, call, place, qualifiers, packages)
  return call.resolution === 'guess' && file.path !== place.path && qualifiers.length > 0 ? atMost(sure, 'guess') : sure
}

/** A call, with the numbers of its unit and of itself in it. */
interface Called {
  readonly unit: number
  readonly number: number
}

/** The calls of a file by the last piece of their names, and by where in the file the function stands that they are known to call. */
const calls = new WeakMap<FileLinks, ReadonlyMap<string | number, readonly Called[]>>()

function callsIn(file: FileLinks): ReadonlyMap<string | number, readonly Called[]> {
  const known = calls.get(file)
  if (known) return known
  const made = new Map<string | number, Called[]>()
  file.units.forEach(({ calls }, unit) =>
    calls.forEach(({ target, name }, number) => {
      const key = target === undefined ? piecesOfName(name).at(-1) : file.units[target]?.at.start
      if (key !== undefined) made.get(key)?.push({ unit, number }) ?? made.set(key, [{ unit, number }])
    })
  )
  calls.set(file, made)
  return made
}

/** The calls of a file that could reach the place, by their units, both in their order: `reaches` says no to all others. */
export function mayReach(file: FileLinks, place: Place): ReadonlyMap<UnitLink, readonly CallLink[]> {
  const known = callsIn(file)
  const keys = new Set([place.at, place.name, place.name.replaceAll('-', '_'), ...(place.owner === null ? [] : ['new', place.owner])])
  const found = [...keys].flatMap(key => known.get(key) ?? []).sort((a, b) => a.unit - b.unit || a.number - b.number)
  const byUnit = new Map<UnitLink, CallLink[]>()
  for (const { unit, number } of found) {
    const caller = file.units[unit]!, call = caller.calls[number]!
    byUnit.get(caller)?.push(call) ?? byUnit.set(caller, [call])
  }
  return byUnit
}

function judge(file: FileLinks, caller: UnitLink, call: CallLink, place: Place, qualifiers: readonly string[], packages: Packages):
  | Sureness
  | undefined
{
  const sameFile = file.path === place.path
  if (call.name.startsWith('?')) {
    // A method of something unknown: only where the file has to do with the owner, and the name is telling.
    if (place.owner === null || !isTelling(place.name)) return undefined
    return sameFile ? 'likely' : knows(file, place, packages) ? 'guess' : undefined
  }
  if (call.resolution === 'import' && (file.language === 'typescript' || call.name.startsWith('.')))
    return leadsTo(fromRoot(file, call.name, packages), place)
  if (qualifiers.length === 0) return bare(file, caller, place, packages)
  const owned = place.owner !== null && qualifiers.at(-1) === place.owner
  if (place.owner !== null && !owned) return undefined
  if (sameFile) return 'sure'
  const path = owned ? qualifiers.slice(0, -1) : qualifiers
  // Classes of a Java package and types of a Go package know each other by their bare names.
  if (path.length === 0 && (place.language === 'java' || place.language === 'go') && samePackage(file.path, place.path)) return 'sure'
  if (path.length === 0)
    return samePackage(file.path, place.path) || knows(file, place, packages)
      ? 'likely'
      : place.language !== 'go' && isTelling(place.name)
      ? 'guess'
      : undefined
  if (place.language === 'go') return inGo(call.name, place, packages) ?? byPieces(path, place)
  if (place.language === 'rust') return inRust(file, call.name, path, place, packages)
  return byPieces(path, place)
}

function byPieces(path: readonly string[], place: Place): Sureness | undefined {
  const home = piecesOfPath(place.path)
  if (!path.some(p => home.includes(p))) return undefined
  return path.at(-1) === home.at(-1) || path.at(-1) === home.at(-2) ? 'sure' : 'likely'
}

/** An import path is a package's name; nothing else is. Undefined goes on to pieces only where no go.mod tells the name. */
function inGo(name: string, place: Place, packages: Packages): Sureness | undefined {
  const home = packages.goImport(place.path)
  return home !== undefined && name.startsWith(`${home}.`) ? 'sure' : undefined
}

/** `crate::…` stays in the crate, another crate's name leaves it; what a third crate hands on is a guess. */
function inRust(file: FileLinks, name: string, path: readonly string[], place: Place, packages: Packages): Sureness | undefined {
  const fits = byPieces(path, place)
  const home = packages.crateOf(place.path)
  if (home === undefined) return fits
  const first = name.split('::', 1)[0]!
  const here = packages.crateOf(file.path)
  if (first === home.name) return fits === 'sure' || path.length === 1 ? 'sure' : 'likely'
  if (packages.crates.has(first)) return atMost(fits, 'guess')
  return here?.folder === home.folder ? fits : undefined
}

/** A name with nothing before it: of the same package, a base class, a sourced file, or of an import of everything. */
function bare(file: FileLinks, caller: UnitLink, place: Place, packages: Packages): Sureness | undefined {
  if (file.path === place.path)
    return place.owner === null || ownerOf(file, caller) === place.owner
      ? 'sure'
      : inherits(file, caller, place.owner)
      ? 'sure'
      : 'guess'
  if (place.owner !== null) return inherits(file, caller, place.owner) ? 'sure' : undefined
  if (place.language === 'go') return samePackage(file.path, place.path) ? 'sure' : undefined
  if (place.language === 'bash') return knows(file, place, packages) ? 'sure' : samePackage(file.path, place.path) ? 'likely' : 'guess'
  const home = piecesOfPath(place.path)
  if (file.imports.some(i => i.endsWith('*') && piecesOfName(i).some(p => home.includes(p)))) return 'likely'
  return samePackage(file.path, place.path) && place.language === 'rust' ? 'guess' : undefined
}

const lastOf = (name: string): string => name.split(/[.:]/).at(-1)!

const inherits = (file: FileLinks, caller: UnitLink, owner: string): boolean =>
  [...suitesAround(file, caller)].some(s => s.params.some(b => lastOf(b) === owner))

/** A class that extends the place's class: as sure as the name of its base is. */
export function extendsPlace(file: FileLinks, suite: UnitLink, place: Place, packages: Packages): Sureness | undefined {
  const base = suite.params.find(b => lastOf(b) === place.name)
  if (base === undefined || suite.role.is !== 'suite') return undefined
  if (lastOf(base) === base) return file.path === place.path || samePackage(file.path, place.path) ? 'sure' : 'guess'
  return reaches(file, suite, { name: base, resolution: 'import', at: suite.at }, place, packages)
}

/** A shell file that loads the place's file. */
export const loads = (file: FileLinks, place: Place): boolean =>
  file.imports.some(i => piecesOfName(i).at(-1) === place.name.replaceAll('-', '_'))

/** An import of the file leads to the place's file or speaks of its owner. */
function knows(file: FileLinks, place: Place, packages: Packages): boolean {
  const home = piecesOfPath(place.path)
  if (place.language === 'go') {
    const name = packages.goImport(place.path)
    if (name !== undefined) return file.imports.includes(name) || samePackage(file.path, place.path)
  }
  return file.imports.some(i => {
    const last = piecesOfName(i).at(-1)
    return last !== undefined && ((place.owner !== null && last === place.owner) || last === home.at(-1) || last === home.at(-2))
  })
}
