// Which paths a client may name: those that lie in an allowed root, links followed.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isInside, realPlace } from '../../index.ts'
import { callError } from './envelope.ts'

/** Throws where a path is not to be read; relative paths begin at the first root. */
export type Gate = (path: string) => void

export function makeGate(roots: readonly string[]): Gate {
  const real = roots.map(realPlace)
  return path => {
    // A NUL is refused by the system in the middle of a walk.
    if (path.includes('\0')) throw callError('INVALID_PARAMS', 'a path holds a NUL character')
    const absolute = resolve(roots[0]!, path)
    // First where, then whether: what lies outside is not told, not even that it is there.
    if (!real.some(root => isInside(root, realPlace(absolute))))
      throw callError('PATH_OUTSIDE_ROOT', `${path} lies outside of ${roots.join(', ')}; start the server with --root to allow more`, {
        path,
        roots,
      })
    if (!existsSync(absolute)) throw callError('PATH_NOT_FOUND', `${path}: no such file or folder in ${roots[0]}`, { path })
  }
}
