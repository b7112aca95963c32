// A function as the trace knows it: where it stands, what it is called and how others come to run it.

import type { Language } from '../facts/facts.ts'
import type { FileLinks, UnitLink } from './links.ts'

export interface Place {
  readonly path: string
  readonly language: Language
  /** Where its name stands in the file: what tells it from others, however much of the file was parsed. */
  readonly at: number
  readonly name: string
  /** The class, trait or receiver type that it belongs to. */
  readonly owner: string | null
  /** The function in which it is defined: nobody outside can call it by name. */
  readonly within: number | null
  /**
   * Run by being called, by being asked for as a parameter, or by the runner around tests; a class hands its hooks on to
   * those that extend it, a shell file to those that load it.
   */
  readonly run: 'called' | 'asked' | 'around' | 'inherited' | 'loaded'
  /** A fixture that nobody has to ask for. */
  readonly autouse?: true
}

const CONSTRUCTORS = new Set(['__init__', 'constructor', '<init>', 'new'])

export function placeOf(file: FileLinks, unit: UnitLink): Place {
  const parent = unit.parent === null ? undefined : file.units[unit.parent]
  const within = parent && (parent.role.is === 'test' || parent.role.is === 'helper' || parent.role.is === 'hook') ? parent.at.start : null
  const base = { path: file.path, language: file.language, at: unit.at.start, name: unit.name, within, run: runOf(unit),
    ...(unit.autouse && { autouse: true as const }) }
  if (within !== null) return { ...base, owner: null }
  const dotted = unit.title.split(/::|\.|#/)
  const owner = parent && parent.role.is === 'suite' && parent.name !== ''
    ? parent.name
    : dotted.length > 1 && dotted.at(-1) === unit.name
    ? dotted.at(-2)!
    : null
  return { ...base, owner }
}

const runOf = (unit: UnitLink): Place['run'] => (unit.isFixture ? 'asked' : unit.role.is === 'hook' ? 'around' : 'called')

/** A class whose hooks, or whose bases' hooks, run for what extends it. */
export const classPlace = (file: FileLinks, suite: UnitLink): Place => ({ path: file.path, language: file.language, at: suite.at.start,
  name: suite.name, owner: null, within: null, run: 'inherited' })

/** A file of the shell whose hooks run for what loads it; `name` is the file's. */
export const loadedPlace = (place: Place): Place => ({ ...place,
  name: place.path.slice(place.path.lastIndexOf('/') + 1).replace(/\.(?:ba)?sh$/, ''), owner: null, run: 'loaded' })

export const isConstructor = (place: Place): boolean =>
  CONSTRUCTORS.has(place.name) || (place.language === 'java' && place.name === place.owner)

/** The word that stands where it is called, or null where no name leads to it: a hook, a closure that has only a title. */
export function calledAs(place: Place): string | null {
  if (place.run === 'around') return null
  const word = isConstructor(place) && place.owner ? place.owner : place.name
  return /^[\w$-]+$/.test(word) && word !== 'default' ? word : null
}

/** The suites around a unit, from the inside; with itself where it is one. */
export function* suitesAround(file: FileLinks, unit: UnitLink): Generator<UnitLink> {
  for (let at: UnitLink | undefined = unit; at; at = at.parent === null ? undefined : file.units[at.parent])
    if (at.role.is === 'suite' && at.name !== '') yield at
}

export const ownerOf = (file: FileLinks, unit: UnitLink): string | null => suitesAround(file, unit).next().value?.name ?? null

/** Whether a unit stands in another one, or is it. */
export function isInside(file: FileLinks, unit: UnitLink, isOuter: (u: UnitLink) => boolean): boolean {
  for (let at: UnitLink | undefined = unit; at; at = at.parent === null ? undefined : file.units[at.parent]) if (isOuter(at)) return true
  return false
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** A folder without the part that tells the main tree of a Java package from its test tree; asked for the same paths again and again. */
const packages = new Map<string, string>()
const packageOf = (path: string): string =>
  packages.get(path)
    ?? packages.set(path, folderOf(path).replace(/(^|\/)src\/(?:main|test|it|integrationTest|testFixtures)\//, '$1src/')).get(path)!

/** In one folder, or in the main and test tree of one Java package. */
export const samePackage = (a: string, b: string): boolean => packageOf(a) === packageOf(b)
