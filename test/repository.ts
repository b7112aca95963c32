// A git repository of its own for a test: no configuration of the machine, fixed names and dates.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const BIN = fileURLToPath(new URL('../bin/flakesniff.js', import.meta.url))

export interface Repository {
  readonly folder: string
  readonly write: (path: string, text: string) => void
  readonly git: (...args: readonly string[]) => string
  readonly commitAll: () => void
  readonly flakesniff: (args: readonly string[],
    options?: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv }
  ) => { readonly status: number | null; readonly stdout: string; readonly stderr: string }
  readonly remove: () => void
}

/** Git's own variables are those of whoever runs the tests: inside a hook they name another repository. */
const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
const ENV = {
  ...clean,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_AUTHOR_DATE: '2024-01-02T03:04:05Z',
  GIT_COMMITTER_DATE: '2024-01-02T03:04:05Z',
  GIT_ALLOW_PROTOCOL: 'file',
}

export function makeRepository(): Repository {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flakesniff-repository-')))
  const git = (...args: readonly string[]) => {
    const run = spawnSync('git', args, { cwd: folder, env: ENV, encoding: 'utf8' })
    if (run.status !== 0) throw new Error(`git ${args.join(' ')}: ${run.error?.message ?? run.stderr}`)
    return run.stdout
  }
  git('init', '--quiet', '--initial-branch=main')
  return {
    folder,
    git,
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    commitAll: () => {
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--message', 'a')
    },
    flakesniff: (args, options = {}) =>
      spawnSync(process.execPath, [BIN, ...args], { cwd: options.cwd ?? folder, env: { ...ENV, ...options.env }, encoding: 'utf8' }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
