// SARIF 2.1.0, written for what GitHub code scanning makes of it: related places show only when the message links to
// them, `security-severity` would turn a smell into a vulnerability, and a suppressed result would show as an open alert.

import type { AppliedRule, Formatter, Summary } from './summary.ts'
import type { Confidence, Finding, FindingFix, FindingPlace, Notice, Preset, Region, Severity } from '../rules/rule.ts'
import { nearest, reachOf } from './endangered.ts'
import { advice, opening } from './page.ts'
import { LIMITS, details, fits, whatIsLeftOut, type Detail } from './sarif-limits.ts'
import { shorten, toJson, visible, wellFormed } from './visible.ts'
import { worst } from './worst.ts'

const MAX_NAME = 255
const MAX_DESCRIPTION = 1024
const ROOT = '%SRCROOT%'

const PROBLEM: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'recommendation' }
/** The least confidence a preset lets through. It holds for the rule in every run, whatever this one found. */
const PRECISION: Readonly<Record<Preset, Confidence>> = { recommended: 'high', strict: 'medium', audit: 'low' }
const SEVERITY_RANK: Readonly<Record<Severity, number>> = { error: 70, warning: 40, note: 10 }
const CONFIDENCE_RANK: Readonly<Record<Confidence, number>> = { high: 30, medium: 20, low: 10 }

export const formatSarif: Formatter = (summary, { tell }) => {
  const mostTests = summary.findings.reduce((most, f) => Math.max(most, f.endangers?.length ?? 0), 0)
  let text = '', leftOut: string[] = []
  for (const detail of details(summary.findings.length)) {
    leftOut = whatIsLeftOut(summary.findings.length, detail, mostTests)
    text = toJson(log(summary, detail, leftOut))
    if (fits(text)) break
  }
  for (const what of leftOut) tell?.(what)
  return text
}

function log(summary: Summary, detail: Detail, leftOut: readonly string[]) {
  const indexOf = new Map(summary.rules.map((rule, i) => [rule.id, i]))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{
      tool: {
        driver: {
          name: 'flakesniff',
          version: summary.version,
          semanticVersion: summary.version,
          rules: summary.rules.map(rule => toRule(rule, summary.preset)),
        },
      },
      automationDetails: { id: 'flakesniff/' },
      invocations: [invocation(summary, leftOut)],
      originalUriBaseIds: { [ROOT]: { description: { text: 'The folder that was checked.' } } },
      columnKind: 'utf16CodeUnits',
      results: [
        ...worst(summary.findings, detail.results).map(finding =>
          toResult(finding, indexOf.get(finding.ruleId), detail, summary.baseline !== undefined)
        ),
        ...absent(summary),
      ],
    }],
  }
}

/** Accepted findings that are gone: only where accepted ones are told at all, since GitHub would show them as open. */
const absent = ({ baseline }: Summary) =>
  (baseline?.all ? baseline.gone : []).map(gone => ({
    ruleId: gone.rule,
    level: 'note',
    message: { text: sentence(escapeBrackets(visible(gone.code === '' ? gone.rule : gone.code))) },
    locations: [{ physicalLocation: { artifactLocation: artifact(gone.file) } }],
    baselineState: 'absent',
    suppressions: [{ kind: 'external', justification: visible(`accepted in ${baseline!.file}`) }],
  }))

function toRule(rule: AppliedRule, preset: Preset) {
  const title = sentence(rule.title)
  const what = advice(rule.page)
  return {
    id: rule.id,
    name: shorten(pascalCase(rule.id), MAX_NAME),
    shortDescription: { text: shorten(title, MAX_DESCRIPTION) },
    fullDescription: { text: shorten(visible(opening(rule.page) ?? title), MAX_DESCRIPTION) },
    help: { text: what === null ? title : `${title} ${visible(what)}`, markdown: rule.page.trim() === '' ? title : rule.page },
    defaultConfiguration: { level: rule.level },
    properties: {
      tags: ['flaky-tests', 'testing', rule.category],
      precision: PRECISION[preset],
      'problem.severity': PROBLEM[rule.level],
    },
  }
}

const pascalCase = (id: string): string => id.split('-').map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')

function toResult(finding: Finding, ruleIndex: number | undefined, detail: Detail, compared: boolean) {
  const { trace, suppressed } = finding
  const tests = (finding.endangers ?? []).slice(0, detail.tests)
  const related = [...finding.related, ...tests].slice(0, LIMITS.related)
  // The way of the value, then the way of the calls: from the surest test by the fewest calls.
  const flows = [trace, nearest(finding)?.path ?? []].map(steps => steps.slice(0, LIMITS.steps / 2)).filter(steps => steps.length > 0)
  return {
    ruleId: finding.ruleId,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    level: finding.severity,
    message: { text: messageWithLinks(finding) },
    locations: [physical(finding)],
    ...(related.length === 0 ? {} : { relatedLocations: related.map((place, i) => ({ id: i + 1, ...noted(place) })) }),
    ...(flows.length === 0
      ? {}
      : { codeFlows: flows.map(steps => ({ threadFlows: [{ locations: steps.map(step => ({ location: noted(step) })) }] })) }),
    partialFingerprints: {
      ...(finding.lineHash === '' ? {} : { primaryLocationLineHash: finding.lineHash }),
      'flakesniff/v1': finding.fingerprint,
    },
    ...(finding.fixes === undefined ? {} : { fixes: finding.fixes.map(fix => toFix(fix, finding.file)) }),
    ...(compared && { baselineState: suppressed?.by === 'baseline' ? 'unchanged' : 'new' }),
    rank: SEVERITY_RANK[finding.severity] + CONFIDENCE_RANK[finding.confidence],
    ...(suppressed === undefined
      ? {}
      : { suppressions: [{ kind: suppressed.by === 'baseline' ? 'external' : 'inSource', justification: visible(suppressed.reason) }] }),
    properties: { confidence: finding.confidence, ...(finding.test === null ? {} : { test: visible(finding.test) }),
      ...(finding.endangers === undefined ? {} : { endangers: finding.endangers.length }) },
  }
}

/** What is only a suggestion says so: a viewer may offer all of them alike. */
const toFix = ({ title, safe, edits }: FindingFix, file: string) => ({
  description: { text: sentence(visible(safe ? title : `${title} (a suggestion: look at it before you keep it)`)) },
  artifactChanges: [{
    artifactLocation: artifact(file),
    replacements: edits.map(({ startLine, startColumn, endLine, endColumn, text }) => ({
      deletedRegion: { startLine, startColumn, endLine, endColumn },
      insertedContent: { text },
    })),
  }],
})

function messageWithLinks(finding: Finding): string {
  const links = finding.related.slice(0, LIMITS.related).map((place, i) => `[${label(place)}](${i + 1})`)
  const reach = reachOf(finding)
  return [sentence(escapeBrackets(visible(finding.message))),
    ...(reach === null ? [] : [sentence(`Endangers ${escapeBrackets(visible(reach))}`)]),
    ...(links.length === 0 ? [] : [`See ${links.join(', ')}.`])].join(' ')
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const label = (place: FindingPlace): string =>
  escapeBrackets(visible(place.message.trim() === '' ? `${place.file}:${place.startLine}` : place.message))

/**
 * Square brackets make links in a SARIF message. Backslashes before them are doubled, so that a message cannot bring
 * its own escape to undo ours. Braces stay single: readers replace only `{0}` where arguments are given, and we give none.
 */
function escapeBrackets(text: string): string {
  return text.replace(/\\+|[[\]]/g, (found: string, at: number) => {
    if (!found.startsWith('\\')) return `\\${found}`
    const next = text[at + found.length]
    // At the end, what follows may be the bracket that closes a link of ours.
    return next === undefined || next === '[' || next === ']' ? found + found : found
  })
}

const physical = (at: Region & { file: string }) => ({
  physicalLocation: {
    artifactLocation: artifact(at.file),
    region: { startLine: at.startLine, startColumn: at.startColumn, endLine: at.endLine, endColumn: at.endColumn },
  },
})

const noted = (place: FindingPlace) => ({ ...physical(place), message: { text: label(place) } })

const artifact = (file: string) => ({ uri: wellFormed(file).split('/').map(encodeURIComponent).join('/'), uriBaseId: ROOT })

function invocation(summary: Summary, leftOut: readonly string[]) {
  return {
    executionSuccessful: summary.notices.every(n => n.level !== 'error'),
    toolExecutionNotifications: [
      ...summary.notices.map(toNotification),
      ...leftOut.map(what => ({ descriptor: { id: 'report-limit' }, level: 'warning', message: { text: sentence(what) } })),
    ],
  }
}

function toNotification(notice: Notice) {
  return {
    descriptor: { id: notice.id },
    level: notice.level,
    message: { text: sentence(escapeBrackets(visible(notice.message))) },
    ...(notice.file === null ? {} : { locations: [noticeLocation(notice.file, notice.line)] }),
  }
}

const noticeLocation = (file: string, line: number | null) => ({
  physicalLocation: { artifactLocation: artifact(file), ...(line === null ? {} : { region: { startLine: line } }) },
})
