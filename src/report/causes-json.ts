// The root-cause analysis for programs. Its shape is promised by schema/flakesniff-causes.schema.json.

import { causesOf, type Cause } from './causes.ts'
import type { Formatter } from './summary.ts'
import { toJson } from './visible.ts'

export const formatCausesJson: Formatter = summary =>
  toJson({
    schemaVersion: 1,
    tool: { name: 'flakesniff', version: summary.version },
    preset: summary.preset,
    tests: Object.fromEntries(Object.entries(summary.tests).sort(([a], [b]) => (a < b ? -1 : 1))),
    causes: causesOf(summary).map(toPlain),
  })

const toPlain = (cause: Cause) => ({
  rule: cause.rule,
  title: cause.title,
  category: cause.category,
  severity: cause.severity,
  confidence: cause.confidence,
  file: cause.finding.file,
  line: cause.finding.startLine,
  function: cause.finding.test,
  message: cause.finding.message,
  fingerprint: cause.finding.fingerprint,
  score: cause.score,
  likelihood: Math.round(cause.likelihood * 1000) / 1000,
  places: cause.places.map(p => ({ file: p.file, line: p.startLine, message: p.message })),
  tests: cause.tests,
  path: cause.path.map(s => ({ file: s.file, line: s.startLine, message: s.message })),
  why: cause.why,
  shows: cause.shows,
  fixes: cause.fixes,
  confirm: cause.confirm,
  others: cause.others,
})
