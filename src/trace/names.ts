// Whether a call in one file means a function of another, by the names that stand in both. Imports, packages and paths
// are compared piece by piece, so that one comparison serves every language: `shop.store.open`, `acme.com/shop/store.Open`,
// `../src/store.open`, `store_crate::Store::open` all end in a path that the function's file has too.

import type { Language } from '../facts/facts.ts'
import type { CallLink, FileLinks, UnitLink } from './links.ts'

/** How sure a step is: the import leads there, the package does, or only the name fits. */
export type Sureness = 'sure' | 'likely' | 'guess'

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
}

/** Pieces of a path that say nothing about what is in it. */
const HOLLOW = new Set(['src', 'lib', 'mod', 'index', '__init__', 'main', 'test', 'java', 'kotlin', 'crate', 'self', 'super', 'crates', 'packages', '@', '~', '.', '..', ''])
const CONSTRUCTORS = new Set(['__init__', 'constructor', '<init>', 'new'])

const clean = (piece: string): string => piece.replace(/\.(?:[cm]?[jt]sx?|py|rs|go|java|bash|sh|bats)$/, '').replaceAll('-', '_')

/** The telling pieces of a file's path: `crates/order-store/src/lib.rs` gives `order_store`. */
export const piecesOfPath = (path: string): string[] => path.split('/').map(clean).filter(p => !HOLLOW.has(p))

/** A call's name in pieces, what it is called last: `acme.com/shop/store.Open` gives acme.com … store, Open. */
export function piecesOfName(name: string): string[] {
  const slash = name.lastIndexOf('/')
  const before = slash === -1 ? [] : name.slice(0, slash).split('/')
  return [...before, ...name.slice(slash + 1).replace(/\.([cm]?[jt]sx?)(?=\.|$)/, '').split(/::|\./)].map(clean).filter(p => p !== '?' && !HOLLOW.has(p))
}

export function placeOf(file: FileLinks, unit: UnitLink): Place {
  const parent = unit.parent === null ? undefined : file.units[unit.parent]
  const within = parent && (parent.role.is === 'test' || parent.role.is === 'helper' || parent.role.is === 'hook') ? parent.at.start : null
  if (within !== null) return { path: file.path, language: file.language, at: unit.at.start, name: unit.name, owner: null, within }
  const dotted = unit.title.split(/::|\.|#/)
  const owner = parent && parent.role.is === 'suite' && parent.name !== '' ? parent.name : dotted.length > 1 && dotted.at(-1) === unit.name ? dotted.at(-2)! : null
  return { path: file.path, language: file.language, at: unit.at.start, name: unit.name, owner, within }
}

/** What a caller writes. */
export const calledAs = (place: Place): string => wordsFor(place)[0]!

/** The words by which a file could call this place: its name, or its type's where it makes one. */
export const wordsFor = (place: Place): string[] => (isConstructor(place) && place.owner ? [place.owner] : [place.name])

const isConstructor = (place: Place): boolean => CONSTRUCTORS.has(place.name) || (place.language === 'java' && place.name === place.owner)

export function reaches(file: FileLinks, caller: UnitLink, call: CallLink, place: Place): Sureness | undefined {
  if (file.language !== place.language) return undefined
  if (call.target !== undefined) return file.path === place.path && file.units[call.target]?.at.start === place.at ? 'sure' : undefined
  const pieces = piecesOfName(call.name)
  const last = pieces.at(-1)
  if (last === undefined) return undefined
  if (place.within !== null) return last === place.name && file.path === place.path && isInside(file, caller, place.within) ? 'sure' : undefined
  const makes = isConstructor(place) && place.owner !== null
  const qualifiers = makes && last === 'new' ? pieces.slice(0, -1) : makes && last === place.owner ? pieces : last === place.name ? pieces.slice(0, -1) : undefined
  if (!qualifiers) return undefined
  if (makes && qualifiers.at(-1) !== place.owner) return undefined
  return judge(file, caller, call, place, qualifiers)
}

function isInside(file: FileLinks, unit: UnitLink, outer: number): boolean {
  for (let at: UnitLink | undefined = unit; at; at = at.parent === null ? undefined : file.units[at.parent]) if (at.at.start === outer && at.role.is !== 'module') return true
  return false
}

function judge(file: FileLinks, caller: UnitLink, call: CallLink, place: Place, qualifiers: readonly string[]): Sureness | undefined {
  const home = piecesOfPath(place.path)
  const sameFile = file.path === place.path
  if (call.name.startsWith('?')) {
    // A method of something unknown: only where the file has to do with the owner, and the name is telling.
    if (place.owner === null || !isTelling(place.name)) return undefined
    return sameFile ? 'likely' : knows(file, place, home) ? 'guess' : undefined
  }
  if (call.name.startsWith('.')) return leadsTo(file.path, call.name, place)
  if (qualifiers.length === 0) {
    if (sameFile) return place.owner === null || ownerOf(file, caller) === place.owner ? 'sure' : 'guess'
    return bare(file, caller, place, home)
  }
  const owned = place.owner !== null && qualifiers.at(-1) === place.owner
  if (place.owner !== null && !owned) return undefined
  const path = owned ? qualifiers.slice(0, -1) : qualifiers
  if (sameFile) return 'sure'
  if (path.length === 0) return samePackage(file.path, place.path) || knows(file, place, home) ? 'likely' : isTelling(place.name) ? 'guess' : undefined
  const shared = path.filter(p => home.includes(p))
  return shared.length === 0 ? undefined : path.at(-1) === home.at(-1) || path.at(-1) === home.at(-2) ? 'sure' : 'likely'
}

/** An import by path: to the file itself, or to a folder or index that may hand it on. */
function leadsTo(from: string, name: string, place: Place): Sureness | undefined {
  const home = place.path.replace(/\.[cm]?[jt]sx?$/, '')
  const module = resolved(folderOf(from), name.slice(0, name.lastIndexOf('/') + 1))
  // Members and extensions follow the file's name after dots, and so may parts of that name.
  const names = name.slice(name.lastIndexOf('/') + 1).split('.').map((_, i, all) => [...module, all.slice(0, i + 1).join('.')].join('/'))
  if (names.some(n => home === n || home === `${n}/index`)) return 'sure'
  const folder = names[0]!.replace(/(^|\/)index$/, '$1')
  return home.startsWith(folder.endsWith('/') || folder === '' ? folder : `${folder}/`) ? 'likely' : undefined
}

function resolved(folder: string, path: string): string[] {
  const parts = folder.split('/').filter(p => p !== '')
  for (const piece of path.split('/')) piece === '..' ? parts.pop() : piece !== '.' && piece !== '' && parts.push(piece)
  return parts
}

/** A name with nothing before it: of the same package, a base class, a sourced file, or of an import of everything. */
function bare(file: FileLinks, caller: UnitLink, place: Place, home: readonly string[]): Sureness | undefined {
  const owner = ownerOf(file, caller)
  if (place.owner !== null) {
    const bases = owner === null ? [] : file.units.find(u => u.role.is === 'suite' && u.name === owner)?.params ?? []
    return bases.some(b => b.split(/[.:]/).at(-1) === place.owner) ? 'sure' : undefined
  }
  if (place.language === 'go') return samePackage(file.path, place.path) ? 'sure' : undefined
  if (place.language === 'bash') return knows(file, place, home) || samePackage(file.path, place.path) ? 'likely' : 'guess'
  return file.imports.some(i => i.endsWith('*') && piecesOfName(i).some(p => home.includes(p))) ? 'likely' : samePackage(file.path, place.path) && place.language === 'rust' ? 'guess' : undefined
}

const ownerOf = (file: FileLinks, unit: UnitLink): string | null => {
  for (let at: UnitLink | undefined = unit; at; at = at.parent === null ? undefined : file.units[at.parent]) if (at.role.is === 'suite' && at.name !== '') return at.name
  return null
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** In one folder, or in the main and test tree of one Java package. */
export function samePackage(a: string, b: string): boolean {
  const plain = (path: string) => folderOf(path).replace(/(^|\/)src\/(?:main|test|it|integrationTest|testFixtures)\//, '$1src/')
  return plain(a) === plain(b)
}

/** An import of the file leads to the place's file or speaks of its owner. */
const knows = (file: FileLinks, place: Place, home: readonly string[]): boolean =>
  file.imports.some(i => {
    const pieces = piecesOfName(i)
    return (place.owner !== null && pieces.at(-1) === place.owner) || pieces.at(-1) === home.at(-1) || pieces.at(-1) === home.at(-2)
  })

/** Names that half of all classes have say nothing by themselves. */
const COMMON = /^(get|set|run|new|open|close|start|stop|add|put|remove|delete|create|build|init|setup|set_?up|tear_?down|call|apply|execute|next|read|write|send|load|save|clear|reset|update|handle|process|test|check|main|do|make|id|name|of|from|to_?string|to_?json|clone|copy|equals|compare|hash|size|len|length|value|values|key|keys|items?|default|with|into|parse|format|print|log|wait|join|poll|connect|accept|request|fetch|find|list|map|filter|push|pop|insert|query|exec|begin|end|commit)$/i
const isTelling = (name: string): boolean => name.length > 4 && !COMMON.test(name)
