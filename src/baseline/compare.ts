// Today's findings against the accepted ones.

import type { Finding } from '../rules/rule.ts'
import { joined, keyOf, toEntry, type Entry } from './entries.ts'

export interface Asked {
  /** A finding's file as the baseline tells it. */
  readonly fileOf: (finding: Finding) => string
  /** Whether the run would have found an entry's finding if it were still there. */
  readonly judges: (entry: Entry) => boolean
  readonly exists: (file: string) => boolean
}

export interface Comparison {
  readonly accepted: ReadonlySet<Finding>
  /** What stays accepted, where it stands today. */
  readonly kept: readonly Entry[]
  /** What nobody has accepted yet. */
  readonly fresh: readonly Entry[]
  /** What was accepted and is there no more. */
  readonly gone: readonly Entry[]
}

/**
 * First by place. Then, for what is left over: a finding that vanished in one file and appeared in another moved. Where the
 * run did not look everywhere, only what stood in a file that is no more can have moved.
 */
export function compare(findings: readonly Finding[], entries: readonly Entry[], asked: Asked): Comparison {
  const left = new Map(entries.map(e => [keyOf(e), e.count]))
  const accepted = new Set<Finding>()
  const take = (finding: Finding, entry: Pick<Entry, 'file' | 'id'>): boolean => {
    const n = left.get(keyOf(entry)) ?? 0
    if (n === 0) return false
    left.set(keyOf(entry), n - 1)
    accepted.add(finding)
    return true
  }
  const elsewhere = findings.filter(f => !take(f, { file: asked.fileOf(f), id: f.likeness }))
  const movable = byId(entries)
  for (const finding of elsewhere)
    (movable.get(finding.likeness) ?? []).some(entry => (asked.judges(entry) || !asked.exists(entry.file)) && take(finding, entry))
  const rest = entries.flatMap(e => (left.get(keyOf(e))! > 0 ? [{ ...e, count: left.get(keyOf(e))! }] : []))
  const entryOf = (f: Finding) => toEntry(f, asked.fileOf(f))
  return {
    accepted,
    kept: joined([...findings.filter(f => accepted.has(f)).map(entryOf), ...rest.filter(e => !asked.judges(e))]),
    fresh: joined(findings.filter(f => !accepted.has(f)).map(entryOf)),
    gone: rest.filter(asked.judges),
  }
}

function byId(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) groups.get(entry.id)?.push(entry) ?? groups.set(entry.id, [entry])
  return groups
}
