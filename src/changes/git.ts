// Asks git, without a shell and without letting the repository's configuration start programs of its own.

import { spawnSync } from 'node:child_process'
import { shownPath } from '../discover/places.ts'

/** Carries a message for the user; the way out is part of it. */
export interface ChangesError extends Error {
  readonly name: 'ChangesError'
}

export const isChangesError = (error: unknown): error is ChangesError => error instanceof Error && error.name === 'ChangesError'

export function cannot(message: string): never {
  throw Object.assign(new Error(message), { name: 'ChangesError' as const })
}

/** A monitor is a program that the configuration names; the rest would change what is printed. */
const PLAIN = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=true', '-c', 'color.ui=false', '--no-pager', '--literal-pathspecs']
const MOST_OUTPUT = 2 ** 30

export interface Answer {
  readonly ok: boolean
  readonly bytes: Buffer
  /** Git's own complaint, in one line. */
  readonly complaint: string
}

export function askGit(cwd: string, args: readonly string[], input = ''): Answer {
  // The environment stays: inside a hook it names the index that is about to be committed. Nothing is locked or refreshed on disk.
  const env = { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' }
  const asked = spawnSync('git', [...PLAIN, ...args], { cwd, env, input, maxBuffer: MOST_OUTPUT, windowsHide: true })
  if (asked.error) {
    const code = (asked.error as NodeJS.ErrnoException).code
    cannot(
      code === 'ENOENT'
        ? 'git was not found: install it, or name the files to lint instead'
        : `git could not be run (${code ?? asked.error.message})`,
    )
  }
  return { ok: asked.status === 0, bytes: asked.stdout,
    complaint: asked.stderr.toString('utf8').trim().split('\n')[0]!.replace(/^(?:fatal|error): /, '') }
}

export function tell(cwd: string, args: readonly string[], input = ''): Buffer {
  const { ok, bytes, complaint } = askGit(cwd, args, input)
  return ok ? bytes : cannot(`git ${args[0]} failed in ${cwd}: ${complaint}`)
}

/** The records of an answer with -z, as paths are shown. */
export function records(bytes: Buffer): string[] {
  const found: string[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at)
    found.push(shownPath(bytes.subarray(at, end === -1 ? bytes.length : end)))
    at = end === -1 ? bytes.length : end + 1
  }
  return found
}

/** The top of the work tree around a folder. */
export function workTree(folder: string, option: string): string {
  const { ok, bytes, complaint } = askGit(folder, ['rev-parse', '--show-toplevel'])
  if (ok) return bytes.toString('utf8').replace(/\r?\n$/, '')
  if (/not a git repository/.test(complaint))
    cannot(`${option}: ${folder} is in no git repository; run it inside of one, or name the files to lint instead`)
  return cannot(`${option}: git says of ${folder}: ${complaint}`)
}
