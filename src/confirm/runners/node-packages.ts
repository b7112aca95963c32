// How a runner from npm is recognised and found: what package.json says, which configuration files stand beside it, and where
// node_modules holds the package. Nothing is executed to find out.

import { dirname, join, resolve } from 'node:path'
import { runnerError, type Detection, type Place } from '../runner.ts'

export interface Manifest {
  readonly version?: string
  readonly bin?: string | Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly [key: string]: unknown
}

export function manifestIn(place: Place, folder: string): Manifest | undefined {
  try {
    const read: unknown = JSON.parse(place.read(join(folder, 'package.json')) ?? 'null')
    return typeof read === 'object' && read !== null ? read as Manifest : undefined
  } catch {
    // Not for us to complain of: a package.json that cannot be read names no runner.
    return undefined
  }
}

/** The folder whose signs name the runner: the root itself, or the only one below it that does. */
export function detectIn(place: Place, signs: (folder: string) => readonly string[]): Detection | null {
  const here = signs('')
  if (here.length > 0) return { reasons: here, folder: '' }
  const below = packagesBelow(place).map(folder => ({ folder, reasons: signs(folder) })).filter(d => d.reasons.length > 0)
  return below.length === 1 ? below[0]! : null
}

const packagesBelow = (place: Place): string[] => {
  const inside = (folder: string) =>
    place.names(folder === '' ? '.' : folder).filter(n => !n.startsWith('.') && n !== 'node_modules').map(
      n => (folder === '' ? n : `${folder}/${n}`),
    )
  const first = inside('')
  return [...first, ...first.flatMap(inside)].filter(folder => place.names(folder).includes('package.json'))
}

/** The signs that most runners share: a dependency, a key in package.json, a configuration file. */
export function packageSigns(place: Place, folder: string, name: string, key: string | null, configuration: RegExp): string[] {
  const manifest = manifestIn(place, folder)
  const at = join(folder, 'package.json')
  return [
    ...(manifest?.dependencies?.[name] ?? manifest?.devDependencies?.[name] ? [`${name} is a dependency in ${at}`] : []),
    ...(key !== null && manifest?.[key] !== undefined ? [`${at} configures it under "${key}"`] : []),
    ...place.names(folder === '' ? '.' : folder).filter(n => configuration.test(n)).map(n => `${join(folder, n)} configures it`),
  ]
}

export interface Installed {
  /** Absolute. */
  readonly folder: string
  readonly version: string
  /** The script that its command starts, absolute. */
  readonly bin: string
}

/** Where Node would find the package from the runner's folder. */
export function installedIn(place: Place, folder: string, name: string, command = name): Installed {
  const from = resolve(place.root, folder)
  for (let at = from;; at = dirname(at)) {
    const home = join(at, 'node_modules', name)
    const manifest = manifestIn(place, home)
    if (manifest) {
      const bin = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin?.[command]
      if (bin === undefined) throw runnerError(`${home} has no command ${command}: install ${name} again`)
      return { folder: home, version: manifest.version ?? '0.0.0', bin: join(home, bin) }
    }
    if (at === dirname(at)) break
  }
  throw runnerError(`${name} is not installed for ${from}: install the project's packages first (npm ci, pnpm install, yarn install)`)
}

export const majorOf = (version: string): number => Number.parseInt(version, 10)

/** Names that match nothing else: for a pattern that must say exactly one text. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
