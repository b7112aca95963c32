// What lies around a part of a project that is linted by itself: set-up files above it or beside it hold for it all the same.

import { readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { foldersUpward, runnerFilesIn } from '../discover/above.ts'
import type { FoundFile } from '../discover/discover.ts'
import { attempt, slashed } from '../discover/places.ts'
import { languageOf } from '../parsers/registry.ts'
import { SETUP_FOLDERS } from '../project/setups.ts'

/** A folder's own files and those of the folders in it where set-up files lie. */
export interface Listing {
  readonly folders: readonly string[]
  readonly files: readonly string[]
  readonly runnerFiles: readonly string[]
}

export function listingOf(folder: string): Listing {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []
  const below = entries.filter(e => e.isDirectory() && SETUP_FOLDERS.includes(e.name)).map(e => join(folder, e.name))
  const files = entries.filter(e => !e.isDirectory()).map(e => join(folder, e.name))
  const inside = below.flatMap(at => (attempt(() => readdirSync(at)) ?? []).map(name => join(at, name)))
  return { folders: [folder, ...below], files: [...files, ...inside], runnerFiles: runnerFilesIn(folder) }
}

/** The helpers of a suite of shell tests often lie one folder below. */
export const filesOneBelow = (folder: string): string[] =>
  (attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []).filter(e => e.isDirectory() && e.name !== 'node_modules')
    .flatMap(e => (attempt(() => readdirSync(join(folder, e.name))) ?? []).map(name => join(folder, e.name, name)))

/** A configuration may name a module without its ending. */
export const withEndings = (path: string): string[] =>
  ['', '.ts', '.js', '.mts', '.mjs', '.cts', '.cjs', '.tsx', '.jsx'].map(ending => path + ending).filter(p =>
    attempt(() => statSync(p))?.isFile()
  )

/**
 * The files around what was asked for, and those that a configuration names, of the languages that are in it and without what was found
 * anyway. Only their names are read here.
 */
export function filesBeside(root: string, asked: readonly string[], found: readonly FoundFile[], named: readonly string[]): FoundFile[] {
  const known = new Set(found.map(f => f.absolute)),
    languages = new Set([...found.map(f => f.language), ...asked.map(path => languageOf(path, ''))])
  const folders = new Set(asked.map(path => (attempt(() => statSync(path))?.isDirectory() ? path : dirname(path))))
  const upward = new Set([...folders].flatMap(folder => foldersUpward(folder, root)))
  const files = new Set([...[...upward].flatMap(folder => listingOf(folder).files),
    ...named.flatMap(path => withEndings(resolve(root, path))), ...(languages.has('bash') ? [...folders].flatMap(filesOneBelow) : [])])
  return [...files].filter(absolute => !known.has(absolute)).flatMap((absolute): FoundFile[] => {
    const path = slashed(relative(root, absolute)), language = languageOf(path, '')
    return language !== undefined && languages.has(language) ? [{ path, absolute, language, size: 0 }] : []
  })
}
