// Which findings matter most, for readers that take only so many.

import type { Finding } from '../rules/rule.ts'

const SEVERITY = { error: 0, warning: 1, note: 2 } as const
const CONFIDENCE = { high: 0, medium: 1, low: 2 } as const

/** Silenced ones last; then by severity, confidence and the number of endangered tests. Equals stay in the order of the report. */
export const worstFirst = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort((a, b) =>
    Number(a.suppressed !== undefined) - Number(b.suppressed !== undefined) || SEVERITY[a.severity] - SEVERITY[b.severity]
    || CONFIDENCE[a.confidence] - CONFIDENCE[b.confidence] || (b.endangers?.length ?? 0) - (a.endangers?.length ?? 0)
  )

/** At most so many, the worst, in the order of the report. */
export function worst(findings: readonly Finding[], most: number): readonly Finding[] {
  if (findings.length <= most) return findings
  const kept = new Set(worstFirst(findings).slice(0, most))
  return findings.filter(f => kept.has(f))
}
