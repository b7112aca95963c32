// What lies on the way from a folder up to the top of its repository.

import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { attempt, isInside, repositoryTop, slashed } from './places.ts'
import { RUNNER_FOLDERS, isRunnerFile } from './runner-files.ts'

/** The folder first. Without a repository the way ends at the boundary, or at once where that lies elsewhere. */
export function foldersUpward(folder: string, boundary: string): string[] {
  const top = repositoryTop(folder) ?? (isInside(boundary, folder) ? boundary : folder)
  const folders = [folder]
  for (let at = folder; at !== top && dirname(at) !== at; at = dirname(at)) folders.push(dirname(at))
  return folders
}

/** The files of one folder in which a project says how its tests run, also those that it keeps in a known folder below. */
export const runnerFilesIn = (folder: string): string[] =>
  RUNNER_FOLDERS.flatMap(part =>
    (attempt(() => readdirSync(join(folder, part), { withFileTypes: true })) ?? [])
      .filter(entry => entry.isFile() && isRunnerFile(slashed(join(part, entry.name)))).map(entry => join(folder, part, entry.name))
  )
