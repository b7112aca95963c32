// What is compared when surfaces are held against each other. docs/conformance.md says the same in words.

import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Found from this file, so that the working directory does not matter. */
const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))

/** A copy of fixture projects in a folder of its own, in no repository: nothing above it has a say. */
export function copyOfFixtures(
  wanted: RegExp,
): { readonly folder: string; readonly projects: readonly string[]; readonly remove: () => void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flakesniff-parity-')))
  const projects = readdirSync(fixtures).filter(name => wanted.test(name)).sort()
  for (const name of projects)
    cpSync(join(fixtures, name), join(folder, name), {
      recursive: true,
      filter: path => !path.split(sep).includes('node_modules'),
    })
  return { folder, projects, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A finding as every surface can tell it: lines and columns from 1, the end exclusive. */
export interface Told {
  /** Absolute, or relative to the folder. */
  readonly file: string
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
  readonly ruleId: string
  readonly message: string
}

/** One line for a finding, sorted; paths from the folder with `/`. Nothing else is evened out. */
export const normal = (findings: readonly Told[], folder: string): string[] =>
  findings.map(f =>
    `${
      (f.file.startsWith(folder) ? relative(folder, f.file) : f.file).replaceAll(sep, '/')
    }:${f.startLine}:${f.startColumn}-${f.endLine}:${f.endColumn} ${f.ruleId} ${f.message}`
  ).sort()

/** Each surface against the first, in sentences; none where all say the same. */
export function differences(answers: Readonly<Record<string, readonly string[]>>): string[] {
  const [[first, expected], ...others] = Object.entries(answers) as [[string, readonly string[]], ...[string, readonly string[]][]]
  return others.flatMap(([name, told]) => [
    ...without(expected, told).map(line => `${name} does not tell what ${first} tells: ${line}`),
    ...without(told, expected).map(line => `${name} tells what ${first} does not tell: ${line}`),
  ])
}

/** As bags: what stands twice in one and once in the other is left once. */
function without(lines: readonly string[], taken: readonly string[]): string[] {
  const left = [...taken]
  return lines.filter(line => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
