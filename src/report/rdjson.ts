// The diagnostic format of reviewdog. Its columns count bytes of UTF-8, so they are told only where the line is known.

import type { Finding, FindingFix, Region, Severity } from '../rules/rule.ts'
import { reachOf } from './endangered.ts'
import type { Formatter } from './summary.ts'
import { toJson, visible } from './visible.ts'

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'ERROR', warning: 'WARNING', note: 'INFO' }

export const formatRdjson: Formatter = summary =>
  toJson({
    source: { name: 'flakesniff' },
    diagnostics: summary.findings.filter(f => f.suppressed === undefined).map(f => ({
      message: visible(`${f.message}${reachOf(f) === null ? '' : `; endangers ${reachOf(f)}`}`),
      location: { path: f.file, range: rangeOf(f, f) ?? { start: { line: f.startLine }, end: { line: f.endLine } } },
      severity: SEVERITY[f.severity],
      code: { value: f.ruleId },
      ...suggestions(f),
    })),
  })

/** Several edits cannot be told as one suggestion, and half a fix is worse than none. */
function suggestions(finding: Finding) {
  const told = (finding.fixes ?? []).flatMap(({ edits }: FindingFix) => {
    const range = edits.length === 1 ? rangeOf(edits[0]!, finding) : undefined
    return range ? [{ range, text: edits[0]!.text }] : []
  })
  return told.length > 0 ? { suggestions: told } : {}
}

/** Undefined where one of its lines is not in the finding's frame. */
function rangeOf(region: Region, { frame }: Finding) {
  const column = (line: number, units: number) => {
    const text = frame.find(l => l.line === line)?.text
    return text === undefined || text.length < units - 1 ? undefined : Buffer.byteLength(text.slice(0, units - 1)) + 1
  }
  const start = column(region.startLine, region.startColumn), end = column(region.endLine, region.endColumn)
  if (start === undefined || end === undefined) return undefined
  return { start: { line: region.startLine, column: start }, end: { line: region.endLine, column: end } }
}
