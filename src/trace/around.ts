// What runs around tests without being called: hooks of a suite, a file or a folder. Whom they run for is told by where
// they stand, and by what the project declares to be a set-up.

import type { FileLinks, UnitLink } from './links.ts'
import { folderOf, isInside, suitesAround, type Place } from './places.ts'

/** A file that the project's runner runs before the tests of a folder. */
export interface Setup {
  readonly folder: string
  /** By what it is called and not by a configuration. */
  readonly conventional: boolean
}

/** The tests of its own file that a unit runs for: itself, or all that a hook, suite or module stands around. */
export function testsUnder(file: FileLinks, unit: UnitLink): UnitLink[] {
  if (unit.role.is === 'test') return [unit]
  if (unit.role.is === 'helper' || (unit.isFixture && !unit.autouse)) return []
  const around = unit.role.is === 'hook' ? unit.parent : unit.id
  return file.units.filter(u => u.role.is === 'test' && isInside(file, u, o => o.id === around))
}

export const testsIn = (file: FileLinks): UnitLink[] => file.units.filter(u => u.role.is === 'test')

/** The folder for whose tests the place runs, in other files than its own; undefined where it keeps to its file. */
export function folderOfHook(place: Place, setup: Setup | undefined): { readonly folder: string; readonly flat: boolean;
  readonly guessed: boolean } | undefined
{
  if (place.autouse && place.path.endsWith('conftest.py')) return { folder: folderOf(place.path), flat: false, guessed: false }
  if (place.run !== 'around') return undefined
  if (place.language === 'go' && place.name === 'TestMain') return { folder: folderOf(place.path), flat: true, guessed: false }
  if (place.language === 'typescript' && place.owner === null && setup)
    return { folder: setup.folder, flat: false, guessed: setup.conventional }
  return undefined
}

/** The class that hands a hook on to those that extend it, or whose methods stand in several files. */
export const classOfHook = (file: FileLinks, unit: UnitLink): UnitLink | undefined =>
  unit.role.is === 'hook' ? suitesAround(file, unit).next().value ?? undefined : undefined
