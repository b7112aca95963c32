// The working tree is never written by us. Tests may write it all the same: then it is said.

import { execFile } from 'node:child_process'

/** What git sees as changed, or null where there is no git or no repository. */
export const changesIn = (root: string): Promise<ReadonlySet<string> | null> =>
  new Promise(settle => {
    execFile('git', ['-C', root, 'status', '--porcelain', '-z', '--untracked-files=normal'], { maxBuffer: 2 ** 26,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' } },
      (error, stdout) => settle(error ? null : new Set(stdout.split('\0').filter(line => line !== ''))))
  })

export function newChanges(before: ReadonlySet<string> | null, after: ReadonlySet<string> | null): string[] {
  if (!before || !after) return []
  return [...after].filter(line => !before.has(line)).map(line => line.slice(3)).sort()
}
