// JUnit XML, which nearly every CI server shows: a suite for each file, a failed case for each finding.

import type { Finding } from '../rules/rule.ts'
import { nearest, reachOf } from './endangered.ts'
import type { Formatter } from './summary.ts'
import { visible } from './visible.ts'

export const formatJunit: Formatter = summary => {
  const active = summary.findings.filter(f => f.suppressed === undefined)
  const files = [...new Set(active.map(f => f.file))]
  const suites = files.map(file => suite(file, active.filter(f => f.file === file).map(failed)))
  // A report without a case is an error to some readers.
  const body = suites.length > 0
    ? suites
    : [suite('flakesniff', ['    <testcase name="nothing found" classname="flakesniff" time="0"/>'], 0)]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="flakesniff" tests="${Math.max(1, active.length)}" failures="${active.length}" errors="0" time="0">`,
    ...body,
    '</testsuites>',
    '',
  ].join('\n')
}

const suite = (name: string, cases: readonly string[], failures = cases.length): string =>
  [`  <testsuite name="${attribute(name)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="0" time="0">`, ...cases,
    '  </testsuite>'].join('\n')

function failed(f: Finding): string {
  const place = `${visible(f.file)}:${f.startLine}:${f.startColumn}`
  const reach = reachOf(f)
  const details = [
    `${place}  ${visible(f.message)}`,
    ...(f.test === null ? [] : [`test: ${visible(f.test)}`]),
    ...(reach === null ? [] : [`endangers: ${reach}`]),
    ...[...f.trace, ...(nearest(f)?.path ?? [])].map(s => `${visible(s.file)}:${s.startLine}:${s.startColumn}  ${visible(s.message)}`),
  ]
  return [
    `    <testcase name="${attribute(`${f.ruleId} at ${f.startLine}:${f.startColumn}`)}" classname="${attribute(f.file)}" time="0">`,
    `      <failure type="${attribute(f.severity)}" message="${attribute(f.message)}">${escaped(details.join('\n'))}</failure>`,
    '    </testcase>',
  ].join('\n')
}

/** XML 1.0 has no way to write most control characters: `visible` has spelled them out. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
const attribute = (text: string): string => escaped(visible(text)).replaceAll('"', '&quot;')
