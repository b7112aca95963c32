// Where a runner works: the project, which it only reads, and a temporary folder that is its own for one run.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { Finished, Command, Place } from './runner.ts'

/** A report larger than this is not of tests. */
const MAX_BYTES = 256 * 2 ** 20

export interface OwnPlace extends Place {
  readonly remove: () => void
}

export function makePlace(root: string, env: Readonly<Record<string, string>>, exec: (command: Command) => Promise<Finished>): OwnPlace {
  const temp = mkdtempSync(join(tmpdir(), 'flakesniff-run-'))
  return {
    root,
    temp,
    env,
    exec,
    read: path => readText(resolve(root, path)),
    names: folder => namesIn(resolve(root, folder)),
    write: (name, text) => {
      const path = resolve(temp, name)
      const inside = relative(temp, path)
      if (inside.startsWith('..') || isAbsolute(inside)) throw new Error(`${name} lies outside of the run's temporary folder`)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      return path
    },
    remove: () => rmSync(temp, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** For detection alone: reads, starts nothing, writes nothing. */
export const readOnlyPlace = (root: string, env: Readonly<Record<string, string>>): Place => ({
  root,
  temp: root,
  env,
  exec: () => Promise.reject(new Error('nothing is started while a runner is looked for')),
  read: path => readText(resolve(root, path)),
  names: folder => namesIn(resolve(root, folder)),
  write: () => {
    throw new Error('nothing is written while a runner is looked for')
  },
})

function readText(path: string): string | undefined {
  try {
    const bytes = readFileSync(path)
    return bytes.length > MAX_BYTES ? undefined : bytes.toString('utf8')
  } catch {
    return undefined
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path).sort()
  } catch {
    return []
  }
}
