// A run that knows the whole tree and speaks of what changed in it.

import { join } from 'node:path'
import type { Changes } from '../changes/changes.ts'
import type { FoundFile } from '../discover/discover.ts'
import { isInside } from '../discover/places.ts'
import type { Finding, Notice } from '../rules/rule.ts'

export interface Focus {
  readonly title: string
  /** True of a path (relative to the root) that changed and was asked for. */
  readonly includes: (path: string) => boolean
  /** The files to check: all where unchanged code may be newly reached, or else only those that changed. */
  readonly toCheck: (files: readonly FoundFile[]) => readonly FoundFile[]
  readonly shows: (finding: Finding) => boolean
  readonly tells: (notice: Notice) => boolean
}

export function focusOf(changes: Changes, root: string, asked: readonly string[]): Focus {
  const includes = (path: string) => {
    const absolute = join(root, path)
    return changes.has(absolute) && asked.some(a => isInside(a, absolute))
  }
  const { lines } = changes
  const isChanged = (file: string, from: number, to: number) =>
    (lines?.get(join(root, file)) ?? []).some(([first, last]) => first <= to && from <= last)
  // Old code that a test calls from a new line is a new risk of that test; one that it called before is not.
  const newlyReached = (finding: Finding) =>
    (finding.endangers ?? []).some(e => e.path.some(step => includes(step.file) && isChanged(step.file, step.startLine, step.endLine)))
  return {
    title: changes.title,
    includes,
    toCheck: files => (lines === null ? files.filter(f => includes(f.path)) : files),
    shows: finding => includes(finding.file) || newlyReached(finding),
    tells: notice => notice.file === null || includes(notice.file),
  }
}
