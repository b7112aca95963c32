// Imports by path: where a relative import, an alias or a package's name leads, told from the root.

import type { Packages } from '../project/packages.ts'
import type { FileLinks } from './links.ts'
import type { Sureness } from './names.ts'
import { folderOf, type Place } from './places.ts'

/** What an import may mean: a path from the root with the members behind it, or anything of a package. */
export interface Target {
  readonly path: string
  readonly within?: string
}

/** The name of a call as paths from the root; none where it leads out of the project. */
export function fromRoot(file: FileLinks, name: string, packages: Packages): readonly Target[] {
  if (file.language === 'python') return [{ path: pythonPath(file.path, name) }]
  return name.startsWith('.') ? [{ path: resolved(folderOf(file.path), name).join('/') }] : packages.aliased(file.path, name)
}

/** `..base.Store` in tests/a/test_x.py is `tests/base/Store`. */
function pythonPath(from: string, name: string): string {
  const dots = /^\.*/.exec(name)![0].length
  const folder = folderOf(from).split('/').filter(p => p !== '')
  return [...folder.slice(0, folder.length - (dots - 1)), ...name.slice(dots).split('.')].join('/')
}

/** To the file itself, or to a folder or index that may hand it on. */
export function leadsTo(targets: readonly Target[], place: Place): Sureness | undefined {
  const found = targets.map(t => (place.language === 'python' ? inPython(t.path, place) : inScript(t, place)))
  return found.includes('sure') ? 'sure' : found.find(s => s !== undefined)
}

function inPython(path: string, place: Place): Sureness | undefined {
  const home = place.path.replace(/(?:\/__init__)?\.py$/, '')
  if (path.startsWith(`${home}/`)) return 'sure'
  // A package may hand on what stands in its modules.
  const package_ = folderOf(path)
  return package_ !== '' && home.startsWith(`${package_}/`) ? 'likely' : undefined
}

function inScript({ path, within }: Target, place: Place): Sureness | undefined {
  const home = place.path.replace(/\.[cm]?[jt]sx?$/, '')
  const slash = path.lastIndexOf('/') + 1
  // Members and extensions follow the file's name after dots, and so may parts of that name.
  const names = path.slice(slash).split('.').map((_, i, all) => path.slice(0, slash) + all.slice(0, i + 1).join('.'))
  if (names.some(n => home === n || home === (n === '' ? 'index' : `${n}/index`))) return 'sure'
  const folder = names[0]!.replace(/(^|\/)index$/, '$1').replace(/\/$/, '')
  if (folder === '' || home.startsWith(`${folder}/`)) return 'likely'
  // A package keeps its modules where it likes: `shop/utils/clock` may be shop/app/utils/clock.
  const rest = within === undefined || !place.path.startsWith(within === '' ? '' : `${within}/`)
    ? ''
    : folder.slice(within === '' ? 0 : within.length + 1)
  return rest !== '' && home.endsWith(`/${rest}`) ? 'likely' : undefined
}

function resolved(folder: string, path: string): string[] {
  const parts = folder.split('/').filter(p => p !== '')
  for (const piece of path.split('/')) piece === '..' ? parts.pop() : piece !== '.' && piece !== '' && parts.push(piece)
  return parts
}
