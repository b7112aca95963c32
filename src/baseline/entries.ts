// The file of accepted findings: one JSON object on a line, sorted, without line numbers. Two branches that accept different
// findings touch different lines, and `merge=union` in .gitattributes joins them whatever they do.

import type { Confidence, Finding } from '../rules/rule.ts'

export const BASELINE_FILE = '.flakesniff-baseline.jsonl'

export interface Entry {
  /** Relative to the folder of the baseline, with `/`. */
  readonly file: string
  readonly rule: string
  readonly test: string | null
  /** The first line of what was found, for the reader. */
  readonly code: string
  readonly confidence: Confidence
  /** The finding without its place: see `likeness`. */
  readonly id: string
  /** How many that are alike in all this. */
  readonly count: number
}

const VERSION = 1
const HEADER = { flakesniffBaseline: VERSION,
  about: 'Findings that were there when flakesniff came. Only new ones fail. `flakesniff baseline --prune` forgets those that are gone.' }
const MAX_CODE = 120

export function toEntry(finding: Finding, file: string): Entry {
  const line = finding.frame.find(l => l.line === finding.startLine)?.text ?? ''
  const code = line.slice(finding.startColumn - 1, finding.endLine === finding.startLine ? finding.endColumn - 1 : undefined).replace(
    /\s+/g,
    ' ',
  ).trim()
  return { file, rule: finding.ruleId, test: finding.test, code: code.length > MAX_CODE ? `${code.slice(0, MAX_CODE)}…` : code,
    confidence: finding.confidence, id: finding.likeness, count: 1 }
}

export const keyOf = ({ file, id }: Pick<Entry, 'file' | 'id'>): string => `${file}\0${id}`

/** Entries of the same key as one, sorted. */
export function joined(entries: readonly Entry[], count: (a: number, b: number) => number = (a, b) => a + b): Entry[] {
  const byKey = new Map<string, Entry>()
  for (const entry of entries) {
    const known = byKey.get(keyOf(entry))
    byKey.set(keyOf(entry), known ? { ...known, count: count(known.count, entry.count) } : entry)
  }
  return [...byKey.values()].sort((a, b) =>
    compare(a.file, b.file) || compare(a.rule, b.rule) || compare(a.test ?? '', b.test ?? '') || compare(a.code, b.code)
    || compare(a.id, b.id)
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const printEntries = (entries: readonly Entry[]): string =>
  [HEADER,
    ...joined(entries).map(({ file, rule, test, code, confidence, id, count }) => ({ file, rule, test, code, confidence,
      ...(count > 1 && { count }), id })
    )].map(line => `${JSON.stringify(line)}\n`).join('')

/** Throws a BaselineError that names the line. */
export function readEntries(text: string, shown: string): Entry[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/).map((line, i) => ({ line: line.trim(), number: i + 1 })).filter(l =>
    l.line !== ''
  )
  const read = lines.flatMap(({ line, number }) => {
    const value = parse(line)
    if (value === undefined)
      return wrong(
        `${shown}:${number}: is no JSON${
          /^[<=>|]{7}/.test(line)
            ? ': a merge left a conflict here; keep the lines of both sides'
            : '; `flakesniff baseline` writes the file anew once it is removed'
        }`,
      )
    if ('flakesniffBaseline' in value)
      return value['flakesniffBaseline'] === VERSION
        ? []
        : wrong(`${shown}:${number}: was written by a newer flakesniff; update it here`)
    return [
      entryOf(value)
        ?? wrong(
          `${shown}:${number}: is no accepted finding: it needs "file", "rule" and "id"; \`flakesniff baseline\` writes the file anew once it is removed`,
        ),
    ]
  })
  // A union of two branches may hold the same finding twice: the larger number was right on one of them.
  return joined(read, Math.max)
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function entryOf({ file, rule, test, code, confidence, id, count }: Record<string, unknown>): Entry | undefined {
  if (typeof file !== 'string' || typeof rule !== 'string' || typeof id !== 'string') return undefined
  return {
    file,
    rule,
    id,
    test: typeof test === 'string' ? test : null,
    code: typeof code === 'string' ? code : '',
    confidence: confidence === 'medium' || confidence === 'low' ? confidence : 'high',
    count: Number.isInteger(count) && (count as number) > 1 ? (count as number) : 1,
  }
}

/** Carries a message for the user; the way out is part of it. */
export interface BaselineError extends Error {
  readonly name: 'BaselineError'
}

export const isBaselineError = (error: unknown): error is BaselineError => error instanceof Error && error.name === 'BaselineError'

export function wrong(message: string): never {
  throw Object.assign(new Error(message), { name: 'BaselineError' as const })
}
