// The report a person reads on a terminal.

import type { AppliedRule, Formatter, Summary } from './summary.ts'
import type { Finding, FindingPlace, Notice, Severity } from '../rules/rule.ts'
import { nearest, reachOf } from './endangered.ts'
import { codeFrame } from './frame.ts'
import { advice } from './page.ts'
import { visible } from './visible.ts'

const CODES = { error: 31, warning: 33, note: 36, bold: 1, dim: 2, good: 32 } as const
type Paint = (style: keyof typeof CODES, text: string) => string

const painted: Paint = (style, text) => `\x1b[${CODES[style]}m${text}\x1b[0m`
const unpainted: Paint = (_, text) => text

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note']

export const formatText: Formatter = (summary, { color, quiet }) => {
  const paint = color ? painted : unpainted
  if (quiet) return summary.findings.map(f => `${headline(f, paint)}\n`).join('')
  const explain = explanations(summary.rules)
  const lines: string[] = []
  for (const [file, findings] of byFile(summary.findings)) {
    lines.push(paint('bold', `${visible(file)}: ${count(findings.length, 'finding')}`), '')
    for (const finding of findings) lines.push(...printFinding(finding, explain, paint), '')
  }
  lines.push(...printSummary(summary, paint))
  return `${lines.join('\n')}\n`
}

function byFile(findings: readonly Finding[]): Map<string, Finding[]> {
  const files = new Map<string, Finding[]>()
  for (const finding of findings) {
    const group = files.get(finding.file)
    if (group === undefined) files.set(finding.file, [finding])
    else group.push(finding)
  }
  return files
}

type Detail = readonly [label: string, text: string]

/** The why and the do of each rule, read from its page once. */
function explanations(rules: readonly AppliedRule[]): ReadonlyMap<string, readonly Detail[]> {
  return new Map(rules.map(rule => {
    const what = advice(rule.page)
    return [rule.id, [['why', rule.title], ...(what === null ? [] : [['do', what] as const])]]
  }))
}

function headline(finding: Finding, paint: Paint): string {
  const rule = finding.suppressed === undefined ? finding.ruleId : `${finding.ruleId}, suppressed`
  return `${place(finding)}  ${paint(finding.severity, finding.severity)}  ${visible(finding.message)}  ${
    paint('dim', `(${visible(rule)})`)
  }`
}

const place = (at: { file: string; startLine: number; startColumn: number }): string =>
  `${visible(at.file)}:${at.startLine}:${at.startColumn}`

function printFinding(finding: Finding, explain: ReadonlyMap<string, readonly Detail[]>, paint: Paint): string[] {
  const frame = codeFrame(finding).map(({ gutter, text, is }) => {
    const shown = is === 'caret' ? paint(finding.severity, text) : text
    return `  ${paint('dim', `${gutter} |`)}${text === '' ? '' : ` ${shown}`}`
  })
  const details: Detail[] = [...(explain.get(finding.ruleId) ?? [])]
  if (finding.test !== null) details.push(['test', finding.test])
  finding.trace.forEach((step, i) => details.push([i === 0 ? 'from' : 'then', placeAndMessage(step)]))
  const reach = reachOf(finding), first = nearest(finding)
  if (reach !== null) details.push(['endangers', reach])
  first?.path.forEach((step, i) => details.push([i === 0 ? 'path' : 'then', placeAndMessage(step)]))
  for (const other of finding.related) details.push(['see', placeAndMessage(other)])
  for (const { title, safe } of finding.fixes ?? []) details.push(safe ? ['fix', `${title} (--fix does it)`] : ['try', title])
  if (finding.suppressed !== undefined) details.push(['suppressed', finding.suppressed.reason])
  return [headline(finding, paint), ...frame, ...details.map(([label, text]) => `  ${paint('dim', `${label}:`)} ${visible(text)}`)]
}

const placeAndMessage = (at: FindingPlace): string => [place(at), at.message].filter(Boolean).join('  ')

function printSummary(summary: Summary, paint: Paint): string[] {
  const { files } = summary
  const leftOut = counted(files.leftOut)
  const tests = counted(summary.tests)
  const lines = [
    verdict(summary, paint),
    `${count(files.checked, 'file')} checked, ${files.parsed} parsed${leftOut === '' ? '' : `; left out: ${leftOut}`}`,
    `tests seen: ${tests === '' ? 'none' : tests}`,
  ]
  const fixable = summary.findings.filter(f => f.suppressed === undefined && f.fixes?.some(x => x.safe)).length
  if (fixable > 0) lines.push(`${fixable} can be fixed with --fix; --fix-dry-run shows how`)
  if (summary.suppressed > 0) lines.push(`${count(summary.suppressed, 'finding')} suppressed`)
  lines.push(...baselineLines(summary))
  if (files.withProblems > 0) lines.push(`${count(files.withProblems, 'file')} with parse problems`)
  return [...lines, ...summary.notices.map(n => printNotice(n, paint))]
}

const GONE_SHOWN = 5

function baselineLines({ baseline }: Summary): string[] {
  if (!baseline) return []
  const gone = baseline.gone.reduce((n, g) => n + g.count, 0)
  return [
    ...(baseline.accepted > 0 ? [`${count(baseline.accepted, 'finding')} accepted in ${visible(baseline.file)}`] : []),
    ...(gone > 0
      ? [
        `${count(gone, 'accepted finding')} ${gone === 1 ? 'is' : 'are'} gone: \`flakesniff baseline --prune\` forgets ${
          gone === 1 ? 'it' : 'them'
        }`,
      ]
      : []),
    ...baseline.gone.slice(0, GONE_SHOWN).map(g =>
      `  gone: ${visible(g.file)}  ${visible(g.code)}  (${visible(g.rule)})${g.count > 1 ? `, ${g.count} times` : ''}`
    ),
    ...(baseline.gone.length > GONE_SHOWN ? ['  …'] : []),
  ]
}

function verdict(summary: Summary, paint: Paint): string {
  const active = summary.findings.filter(f => f.suppressed === undefined)
  if (active.length > 0) {
    const bySeverity = SEVERITIES.map(s => [s, active.filter(f => f.severity === s).length] as const).filter(([, n]) => n > 0)
    return `${paint('bold', count(active.length, 'finding'))}: ${bySeverity.map(([s, n]) => paint(s, count(n, s))).join(', ')}`
  }
  if (summary.baseline && summary.baseline.accepted > 0) return paint('good', 'Nothing new found.')
  if (summary.narrowed) return paint('good', `Nothing found in ${count(summary.narrowed.files, 'file')} ${visible(summary.narrowed.to)}.`)
  // Silence about no tests at all is no good news.
  const seen = Object.values(summary.tests).some(n => n > 0)
  if (!seen) return 'Nothing found, but no tests were seen either: are these the right paths?'
  return paint('good', 'Nothing found: no test here shows a risk of flakiness.')
}

function printNotice(notice: Notice, paint: Paint): string {
  const where = notice.file === null ? '' : `${visible(notice.file)}${notice.line === null ? '' : `:${notice.line}`}  `
  return `${where}${paint(notice.level, notice.level)}  ${visible(notice.message)}  ${paint('dim', `(${notice.id})`)}`
}

const count = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? '' : 's'}`

/** `3 generated, 1 too large`, by name, so that the order in which they were counted does not show. */
function counted(numbers: Readonly<Record<string, number>>): string {
  return Object.keys(numbers).sort().filter(name => numbers[name]! > 0).map(name => `${numbers[name]} ${visible(name)}`).join(', ')
}
