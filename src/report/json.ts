// The report a program reads. Its shape is promised by schema/flakesniff-report.schema.json: a change that breaks a reader
// raises the version.

import type { Formatter, Summary } from './summary.ts'
import type { Finding, FindingPlace, Region } from '../rules/rule.ts'
import type { Report, ReportedFinding } from './report.ts'
import { toJson } from './visible.ts'

export const SCHEMA_VERSION = 1

/** The report as data. It is what is printed, read back: so no difference between the two can creep in. */
export const reportOf = (summary: Summary): Report => JSON.parse(formatJson(summary, { color: false, quiet: false })) as Report

export const formatJson: Formatter = summary => toJson(toReport(summary))

const toReport = (summary: Summary): Report => ({
  schemaVersion: SCHEMA_VERSION,
  tool: { name: 'flakesniff', version: summary.version },
  preset: summary.preset,
  summary: counts(summary),
  rules: summary.rules.map(({ id, title, category, level }) => ({ id, title, category, severity: level })),
  findings: summary.findings.map(toFinding),
  notices: summary.notices.map(({ level, id, file, line, message }) => ({ level, id, file, line, message })),
})

function counts({ files, tests, findings, suppressed, narrowed, baseline }: Summary): Report['summary'] {
  const active = findings.filter(f => f.suppressed === undefined)
  const of = (severity: Finding['severity']) => active.filter(f => f.severity === severity).length
  return {
    files: { checked: files.checked, parsed: files.parsed, withProblems: files.withProblems, leftOut: byName(files.leftOut) },
    tests: byName(tests),
    findings: { error: of('error'), warning: of('warning'), note: of('note') },
    suppressed,
    ...(narrowed && { narrowed }),
    ...(baseline
      && {
        baseline: { file: baseline.file, accepted: baseline.accepted,
          gone: baseline.gone.map(({ file, rule, test, code, count }) => ({ file, rule, test, code, count })) },
      }),
  }
}

const byName = (numbers: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.keys(numbers).sort().map(name => [name, numbers[name]!]))

function toFinding(finding: Finding): ReportedFinding {
  return {
    ruleId: finding.ruleId,
    severity: finding.severity,
    confidence: finding.confidence,
    file: finding.file,
    ...region(finding),
    message: finding.message,
    test: finding.test,
    trace: finding.trace.map(toPlace),
    related: finding.related.map(toPlace),
    ...(finding.endangers === undefined
      ? {}
      : {
        endangers: finding.endangers.map(e => ({ test: e.test, calls: e.calls, sure: e.sure, ...toPlace(e), path: e.path.map(toPlace) })),
      }),
    ...(finding.fixes === undefined
      ? {}
      : {
        fixes: finding.fixes.map(({ title, safe, edits }) => ({ title, safe, edits: edits.map(e => ({ ...region(e), text: e.text })) })),
      }),
    fingerprint: finding.fingerprint,
    lineHash: finding.lineHash,
    ...(finding.suppressed === undefined ? {} : { suppressed: finding.suppressed }),
  }
}

const toPlace = (place: FindingPlace) => ({ file: place.file, ...region(place), message: place.message })

const region = ({ startLine, startColumn, endLine, endColumn }: Region) => ({ startLine, startColumn, endLine, endColumn })
