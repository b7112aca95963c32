// Which runner runs it: the one asked for, or the first that recognises the project and knows tests in such a file.

import { dirname, join, relative, resolve, sep } from 'node:path'
import { didYouMean } from '../config/nearest.ts'
import { confirmError } from './error.ts'
import { readOnlyPlace } from './place.ts'
import type { Detection, Runner } from './runner.ts'
import { RUNNERS, type RunnerEntry } from './runners/registry.ts'

export interface Chosen {
  readonly runner: Runner
  readonly detection: Detection
  /** The folder that it was recognised in, absolute. */
  readonly root: string
}

/** `file` is absolute. Looked for from the top down, so that a project's settings are found before a folder's. */
export async function chooseRunner(top: string, file: string | null, env: Readonly<Record<string, string>>,
  asked?: string): Promise<Chosen>
{
  const fits = entries(asked).filter(e => file === null || asked !== undefined || e.files.test(file))
  if (fits.length === 0) throw confirmError(`no runner for ${relative(top, file ?? top)}: --command 'argv… {test}' runs anything`)
  for (const root of foldersTo(top, file === null ? top : dirname(file))) {
    for (const entry of fits) {
      const runner = await entry.load()
      const detection = runner.detect(readOnlyPlace(root, env))
      if (detection) return { runner, detection, root }
    }
  }
  if (asked !== undefined)
    return { runner: await fits[0]!.load(), detection: { reasons: ['asked for by --runner'], folder: '' }, root: top }
  throw confirmError(
    `no test runner recognised in ${top} (looked for ${
      fits.map(e => e.id).join(', ')
    }): name one with --runner, or give the command with --command 'argv… {test}'`,
  )
}

function entries(asked: string | undefined): readonly RunnerEntry[] {
  if (asked === undefined) return RUNNERS
  const entry = RUNNERS.find(e => e.id === asked)
  if (!entry)
    throw confirmError(`--runner ${asked}: must be one of ${RUNNERS.map(e => e.id).join(', ')}${didYouMean(asked, RUNNERS.map(e => e.id))}`)
  return [entry]
}

function foldersTo(top: string, bottom: string): string[] {
  const inside = relative(top, bottom)
  if (inside === '' || inside.startsWith('..')) return [top]
  return inside.split(sep).reduce<string[]>((all, name) => [...all, join(all.at(-1)!, name)], [resolve(top)])
}
