// Which tests reach a place, through how many calls. Asked backwards: from the places that matter to who calls them, and
// only files that mention a name are looked at. A step that is only guessed makes the whole way less sure.

import type { Language, Span } from '../facts/facts.ts'
import type { FileLinks, UnitLink } from './links.ts'
import { calledAs, placeOf, reaches, wordsFor, type Place, type Sureness } from './names.ts'

export interface Step {
  readonly path: string
  readonly at: Span
  /** The unit in which the call stands, and what it calls. */
  readonly by: string
  readonly calls: string
}

export interface Reached {
  readonly path: string
  readonly test: string
  readonly at: Span
  /** From the test to the place. */
  readonly steps: readonly Step[]
  readonly sure: Sureness
}

/** What the trace asks of the world. */
export interface Sight {
  /** Files of a language in which one of these words stands. */
  readonly mentioning: (language: Language, words: readonly string[]) => readonly string[]
  /** Who calls what in these files, as far as it has to do with the words. */
  readonly linksOf: (paths: readonly string[], words: readonly string[]) => Promise<ReadonlyMap<string, FileLinks>>
}

export interface Limits {
  readonly depth: number
  readonly tests: number
  /** A name called by more files than this is everybody's: following it would say nothing. */
  readonly files: number
}

export const LIMITS: Limits = { depth: 8, tests: 5000, files: 1500 }

interface Way {
  readonly place: Place
  readonly steps: readonly Step[]
  readonly guesses: number
}

const keyOf = (place: Pick<Place, 'path' | 'at'>): string => `${place.path}\0${place.at}`
const sureness = (guesses: number): Sureness => (guesses === 0 ? 'sure' : guesses === 1 ? 'likely' : 'guess')
const COST: Readonly<Record<Sureness, number>> = { sure: 0, likely: 0.5, guess: 1 }
/** A way of more guesses than this leads anywhere. */
const MAX_GUESSES = 2

/** The tests that reach each of the places, in the order of the places. */
export async function traceAll(places: readonly Place[], sight: Sight, limits: Limits = LIMITS): Promise<Reached[][]> {
  const reached: Map<string, Reached>[] = places.map(() => new Map())
  const seen = places.map(p => new Set([keyOf(p)]))
  let frontier: Way[][] = places.map(place => [{ place, steps: [], guesses: 0 }])
  for (let depth = 0; depth < limits.depth && frontier.some(ways => ways.length > 0); depth++) {
    const files = await filesFor(frontier.flat(), sight, limits)
    frontier = frontier.map((ways, i) => ways.flatMap(way => step(way, files(way.place), reached[i]!, seen[i]!, limits)))
  }
  return reached.map(found => [...found.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.at.start - b.at.start)))
}

async function filesFor(ways: readonly Way[], sight: Sight, limits: Limits): Promise<(place: Place) => readonly FileLinks[]> {
  const byWord = new Map<string, readonly string[]>()
  for (const { place } of ways)
    for (const word of wordsFor(place)) {
      const key = `${place.language}\0${word}`
      if (!byWord.has(key)) byWord.set(key, sight.mentioning(place.language, [word]))
    }
  const few = [...byWord].filter(([, paths]) => paths.length <= limits.files)
  const links = await sight.linksOf([...new Set(few.flatMap(([, paths]) => paths))].sort(), [...new Set(few.map(([key]) => key.split('\0')[1]!))])
  return place => wordsFor(place).flatMap(word => {
    const paths = byWord.get(`${place.language}\0${word}`) ?? []
    return paths.length > limits.files ? [] : paths.flatMap(p => links.get(p) ?? [])
  })
}

/** Who calls the place; tests among them are noted, the rest is looked for next. */
function step(way: Way, files: readonly FileLinks[], reached: Map<string, Reached>, seen: Set<string>, limits: Limits): Way[] {
  const next: Way[] = []
  for (const file of files)
    for (const unit of file.units) {
      const call = unit.calls.map(c => ({ c, sure: reaches(file, unit, c, way.place) })).find(x => x.sure !== undefined)
      const asked = call === undefined && asksFor(file, unit, way.place, files)
      if (!call && !asked) continue
      const guesses = way.guesses + (call ? COST[call.sure!] : 0)
      if (guesses > MAX_GUESSES) continue
      const key = keyOf({ path: file.path, at: unit.at.start })
      if (seen.has(key)) continue
      seen.add(key)
      const steps = [{ path: file.path, at: call ? call.c.at : unit.at, by: unit.title, calls: calledAs(way.place) }, ...way.steps]
      for (const test of testsUnder(file, unit)) note(reached, file, test, steps, guesses, limits)
      if (unit.role.is === 'helper' || (unit.role.is === 'hook' && unit.isFixture)) next.push({ place: placeOf(file, unit), steps, guesses })
    }
  return next
}

function note(reached: Map<string, Reached>, file: FileLinks, test: UnitLink, steps: readonly Step[], guesses: number, limits: Limits): void {
  const key = keyOf({ path: file.path, at: test.at.start })
  if (reached.has(key) || reached.size >= limits.tests) return
  reached.set(key, { path: file.path, test: test.title, at: test.at, steps, sure: sureness(Math.ceil(guesses)) })
}

/** The tests that a unit runs for: itself, or all that a hook, suite or module stands around. */
function testsUnder(file: FileLinks, unit: UnitLink): UnitLink[] {
  const inside = (test: UnitLink, around: number | null): boolean => {
    for (let at: UnitLink | undefined = test; at; at = at.parent === null ? undefined : file.units[at.parent]) if (at.id === around) return true
    return false
  }
  const around = unit.role.is === 'hook' ? (unit.isFixture && !unit.autouse ? undefined : unit.parent) : unit.role.is === 'helper' ? undefined : unit.id
  if (around === undefined) return []
  if (unit.role.is === 'test') return [unit]
  return file.units.filter(u => u.role.is === 'test' && inside(u, around))
}

/** A fixture is called by being named. */
function asksFor(file: FileLinks, unit: UnitLink, place: Place, files: readonly FileLinks[]): boolean {
  if (!unit.params.includes(place.name)) return false
  const home = files.find(f => f.path === place.path)
  return home?.units.some(u => u.at.start === place.at && u.isFixture) === true && isAbove(place.path, file.path)
}

/** A fixture of a conftest.py holds for the folders below it; one of a test file for that file. */
const isAbove = (home: string, path: string): boolean =>
  home === path || (home.endsWith('conftest.py') && path.startsWith(home.slice(0, -'conftest.py'.length)))
