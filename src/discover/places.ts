// Where things lie: paths as text, and what the disk says of them without following a link.

import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'

/** With `/` between parts on every system. */
export const slashed = (path: string): string => (sep === '/' ? path : path.replaceAll(sep, '/'))

/** The way from one folder to another as a prefix: `''` or `a/b/`. */
export function folderPath(from: string, to: string): string {
  const path = slashed(relative(from, to))
  return path === '' ? '' : `${path}/`
}

export const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

export const exists = (path: string): boolean => attempt(() => lstatSync(path)) !== undefined

export const isPlainFile = (path: string): boolean => attempt(() => lstatSync(path))?.isFile() ?? false

/** Without links, as far as the disk knows the way; the rest as it is named, so that a file that is not there has a place too. */
export function realPlace(path: string): string {
  const real = attempt(() => realpathSync.native(path))
  if (real !== undefined || dirname(path) === path) return real ?? path
  return join(realPlace(dirname(path)), basename(path))
}

/** The nearest folder upward that holds a `.git`. */
export function repositoryTop(folder: string): string | undefined {
  for (let at = folder;; at = dirname(at)) {
    if (exists(join(at, '.git'))) return at
    if (dirname(at) === at) return undefined
  }
}

export function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** A path of the system as text: bytes that are no UTF-8 are written `\\xE9`. */
export function shownPath(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('utf8')
  if (Buffer.from(text).equals(bytes)) return text
  let shown = ''
  for (let at = 0; at < bytes.length;) {
    const character = [1, 2, 3, 4].map(n => Buffer.from(bytes.subarray(at, at + n))).find(part =>
      Buffer.from(part.toString('utf8')).equals(part)
    )
    shown += character?.toString('utf8') ?? `\\x${bytes[at]!.toString(16).toUpperCase().padStart(2, '0')}`
    at += character?.length ?? 1
  }
  return shown
}
