// Which tests reach a place, through how many calls. Asked backwards: from the places that matter to who calls them, and
// only files that mention a name are looked at. A step that is only guessed makes the whole way less sure.

import type { Language, Span } from '../facts/facts.ts'
import type { Packages } from '../project/packages.ts'
import { classOfHook, folderOfHook, testsIn, testsUnder, type Setup } from './around.ts'
import type { CallLink, FileLinks, UnitLink } from './links.ts'
import { extendsPlace, loads, mayReach, reaches, type Sureness } from './names.ts'
import { isAbove } from './nearby.ts'
import { calledAs, classPlace, loadedPlace, placeOf, type Place } from './places.ts'

export interface Step {
  readonly path: string
  /** Where the callee's name stands, or at least begins to: a base class is named behind the class. */
  readonly at: Span
  /** The unit in which the call stands, and what it calls, asks for or extends. */
  readonly by: string
  readonly does: 'calls' | 'asks for' | 'extends' | 'loads'
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
  readonly packages: Packages
  readonly setupOf: (path: string) => Setup | undefined
  /** Files that could call, ask for or extend the place, by their text. */
  readonly mentioning: (place: Place) => readonly string[]
  /** Files of tests in a folder, and below it unless `flat`. */
  readonly testFiles: (language: Language, folder: string, flat: boolean) => readonly string[]
  /** Who calls what in these files, as far as they can be read. */
  readonly linksOf: (paths: ReadonlySet<string>) => Promise<ReadonlyMap<string, FileLinks>>
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

/** What is known of one of the places so far. */
interface Found {
  readonly tests: Map<string, Reached>
  readonly seen: Set<string>
}

const keyOf = (place: Pick<Place, 'path' | 'at'>): string => `${place.path}\0${place.at}`
const sureness = (guesses: number): Sureness => (guesses === 0 ? 'sure' : guesses <= 1 ? 'likely' : 'guess')
const COST: Readonly<Record<Sureness, number>> = { sure: 0, likely: 0.5, guess: 1.5 }
/** A way of more guesses than this leads anywhere. */
const MAX_GUESSES = 3

/** The tests that reach each of the places, in the order of the places. */
export async function traceAll(places: readonly Place[], sight: Sight, limits: Limits = LIMITS): Promise<Reached[][]> {
  const found: Found[] = places.map(p => ({ tests: new Map(), seen: new Set([keyOf(p)]) }))
  let frontier: Way[][] = places.map(place => [{ place, steps: [], guesses: 0 }])
  for (let depth = 0; depth < limits.depth && frontier.some(ways => ways.length > 0); depth++) {
    const round = await look(frontier.flat(), sight, limits)
    frontier = frontier.map((ways, i) =>
      ways.flatMap(
        way => [...runsAround(way, round, found[i]!, sight, limits), ...callers(way, round.files(way.place), found[i]!, sight, limits)],
      )
    )
  }
  return found.map(f => [...f.tests.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.at.start - b.at.start)))
}

interface Round {
  readonly files: (place: Place) => readonly FileLinks[]
  readonly file: (path: string) => FileLinks | undefined
  /** Of hooks that run for a folder: the files of its tests. */
  readonly below: (place: Place) => readonly string[]
}

/** One look at all files that the ways of this round lead to. */
async function look(ways: readonly Way[], sight: Sight, limits: Limits): Promise<Round> {
  const mentioning = new Map<string, readonly string[]>(), below = new Map<string, readonly string[]>()
  const wanted = new Set<string>()
  for (const { place } of ways) {
    const key = keyOf(place)
    if (mentioning.has(key)) continue
    const paths = calledAs(place) === null ? [] : sight.mentioning(place)
    mentioning.set(key, paths.length > limits.files ? [] : paths)
    const hook = folderOfHook(place, sight.setupOf(place.path))
    below.set(key, hook ? sight.testFiles(place.language, hook.folder, hook.flat).slice(0, limits.files) : [])
    for (const path of [...mentioning.get(key)!, ...(place.run === 'around' || place.autouse ? [place.path] : []), ...below.get(key)!])
      wanted.add(path)
  }
  const links = await sight.linksOf(wanted)
  return {
    files: place => (mentioning.get(keyOf(place)) ?? []).flatMap(p => links.get(p) ?? []),
    file: path => links.get(path),
    below: place => below.get(keyOf(place)) ?? [],
  }
}

/** For a hook: the tests around which it runs, and the class through which others inherit it. */
function runsAround(way: Way, round: Round, found: Found, sight: Sight, limits: Limits): Way[] {
  const { place } = way
  if (place.run !== 'around' && !place.autouse) return []
  const home = round.file(place.path)
  const unit = home?.units.find(u => u.at.start === place.at && u.role.is === 'hook')
  if (!home || !unit) return []
  for (const test of testsUnder(home, unit)) note(found, home, test, way.steps, way.guesses, limits)
  const guessed = folderOfHook(place, sight.setupOf(place.path))?.guessed === true
  for (const path of round.below(place)) {
    const file = path === place.path ? undefined : round.file(path)
    for (const test of file ? testsIn(file) : []) note(found, file!, test, way.steps, way.guesses + (guessed ? COST.likely : 0), limits)
  }
  if (place.language === 'bash') return place.path.endsWith('.bats') ? [] : [{ ...way, place: loadedPlace(place) }]
  const suite = classOfHook(home, unit)
  return suite ? [{ ...way, place: classPlace(home, suite) }] : []
}

/** Who calls the place, asks for it or extends it; tests among them are noted, the rest is looked for next. */
function callers(way: Way, files: readonly FileLinks[], found: Found, sight: Sight, limits: Limits): Way[] {
  const next: Way[] = []
  const fixtureHome = way.place.run === 'asked'
  for (const file of files) {
    const calls = mayReach(file, way.place)
    for (const unit of way.place.run === 'called' ? calls.keys() : file.units) {
      const link = fixtureHome && isAbove(way.place.path, file.path) && unit.params.includes(way.place.name)
        ? { does: 'asks for' as const, at: unit.at, sure: 'sure' as const }
        : linkOf(file, unit, calls.get(unit) ?? [], way.place, sight.packages)
      if (!link) continue
      const guesses = way.guesses + COST[link.sure]
      const key = keyOf({ path: file.path, at: unit.at.start })
      if (guesses > MAX_GUESSES || found.seen.has(key)) continue
      found.seen.add(key)
      const steps = [{ path: file.path, at: link.at, by: unit.title, does: link.does, calls: calledAs(way.place)! }, ...way.steps]
      for (const test of testsUnder(file, unit)) note(found, file, test, steps, guesses, limits)
      if (link.does === 'extends') next.push({ place: classPlace(file, unit), steps, guesses })
      else if (unit.role.is === 'helper' || unit.role.is === 'hook') next.push({ place: placeOf(file, unit), steps, guesses })
    }
  }
  return next
}

function linkOf(file: FileLinks, unit: UnitLink, calls: readonly CallLink[], place: Place, packages: Packages): {
  readonly does: Step['does']
  readonly at: Span
  readonly sure: Sureness
} | undefined {
  if (place.run === 'inherited') {
    const sure = unit.at.start === place.at && file.path === place.path ? undefined : extendsPlace(file, unit, place, packages)
    return sure && { does: 'extends', at: unit.at, sure }
  }
  if (place.run === 'loaded')
    return unit.role.is === 'module' && loads(file, place)
      ? { does: 'loads', at: unit.at, sure: 'likely' }
      : undefined
  let best: ReturnType<typeof linkOf>
  for (const call of calls) {
    const sure = reaches(file, unit, call, place, packages)
    if (sure === 'sure') return { does: 'calls', at: call.at, sure }
    if (sure && (!best || COST[sure] < COST[best.sure])) best = { does: 'calls', at: call.at, sure }
  }
  return best
}

function note({ tests }: Found, file: FileLinks, test: UnitLink, steps: readonly Step[], guesses: number, limits: Limits): void {
  const key = keyOf({ path: file.path, at: test.at.start })
  if (tests.has(key) || tests.size >= limits.tests) return
  tests.set(key, { path: file.path, test: test.title, at: test.at, steps, sure: sureness(guesses) })
}
