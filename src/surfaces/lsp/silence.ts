// Comments that silence findings, each tried: between the lines of a string or a here-document a comment is none.

import { silencing, type FindingFix, type Linter } from '../../index.ts'
import type { Answers, Job } from './jobs.ts'

export function silencingsOf(linter: Linter, job: Job): Answers['silence'] {
  const lines = job.text.split('\n')
  const offered = linter.lint(job).findings.flatMap(({ fingerprint, ...finding }): [string, FindingFix][] => {
    const fix = silencing(finding, job.language, lines)
    return fix ? [[fingerprint, fix]] : []
  })
  if (offered.length === 0) return {}
  const { suppressed } = linter.lint({ ...job, text: withReasons(lines, offered.map(([, fix]) => fix)) })
  const silenced = new Set(suppressed.map(f => f.fingerprint))
  return Object.fromEntries(offered.filter(([fingerprint]) => silenced.has(fingerprint)))
}

/** All of them at once, each with a reason: comments do not disturb one another. */
function withReasons(lines: readonly string[], fixes: readonly FindingFix[]): string {
  const above = new Map<number, string>()
  for (const { startLine, text } of fixes.flatMap(f => f.edits))
    above.set(startLine, (above.get(startLine) ?? '') + text.replace(/ -- (?=\r?\n$)/, ' -- tried'))
  return lines.map((line, i) => (above.get(i + 1) ?? '') + line).join('\n')
}
