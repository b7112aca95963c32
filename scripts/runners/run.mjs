// Starting programs, and finding the files of a project.

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { sep } from 'node:path'

const LIMIT_MS = 5 * 60_000
// CI likes colours, which would be part of the names.
const PLAIN = { NO_COLOR: '1', FORCE_COLOR: '0', CARGO_TERM_COLOR: 'never', SHUNIT_COLOR: 'none' }

/** Runs a program to its end, whatever its exit code: fixtures have tests that fail on some days. */
export function run(tool, args, { cwd, env } = {}) {
  const result = spawnSync(tool, args, { cwd, env: { ...process.env, ...PLAIN, ...env }, encoding: 'utf8', timeout: LIMIT_MS,
    maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] })
  if (result.error?.code === 'ENOENT') throw new Error(`needs ${tool}, which is not on the PATH`)
  if (result.error) throw result.error
  return result
}

/** The same for a program that has to succeed. */
export function demand(tool, args, options) {
  const result = run(tool, args, options)
  if (result.status !== 0)
    throw new Error(`${[tool, ...args].join(' ')} ended with ${result.signal ?? result.status}\n${result.stdout}${result.stderr}`.trimEnd())
  return result
}

/** The paths of a project's files that match, with slashes. */
export function filesOf(folder, pattern) {
  return readdirSync(folder, { recursive: true }).map(path => path.split(sep).join('/')).filter(path => pattern.test(path)).sort()
}
