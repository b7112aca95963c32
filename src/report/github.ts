// Workflow commands of GitHub Actions: each becomes an annotation on a line of the diff. GitHub keeps ten of a kind for a
// step and drops the rest without a word, so the worst ten of each are annotated and the others printed as plain lines.

import type { Finding, Severity } from '../rules/rule.ts'
import { reachOf } from './endangered.ts'
import type { Formatter } from './summary.ts'
import { visible, wellFormed } from './visible.ts'
import { worstFirst } from './worst.ts'

const MOST_OF_A_KIND = 10
const COMMAND: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' }

export const formatGithub: Formatter = (summary, { tell }) => {
  const active = worstFirst(summary.findings.filter(f => f.suppressed === undefined))
  const kept = (['error', 'warning', 'note'] as const).flatMap(s => active.filter(f => f.severity === s).slice(0, MOST_OF_A_KIND))
  const rest = active.filter(f => !kept.includes(f))
  if (rest.length > 0)
    tell?.(
      `GitHub shows ${MOST_OF_A_KIND} annotations of a kind for a step: ${rest.length} of ${active.length} findings are in the log only`,
    )
  return [...kept.map(annotation), ...rest.map(plainLine)].map(line => `${line}\n`).join('')
}

function annotation(f: Finding): string {
  // Columns mean something only on one line.
  const columns = f.startLine === f.endLine ? [`col=${f.startColumn}`, `endColumn=${f.endColumn}`] : []
  const properties = [`file=${property(f.file)}`, `line=${f.startLine}`, `endLine=${f.endLine}`, ...columns,
    `title=${property(`flakesniff: ${f.ruleId}`)}`]
  return `::${COMMAND[f.severity]} ${properties.join(',')}::${data(messageOf(f))}`
}

/** Begins with a word of ours, and has no older form of a command in it: nothing in a repository can make it one. */
const plainLine = (f: Finding): string =>
  `${f.severity}  ${visible(f.file)}:${f.startLine}:${f.startColumn}  ${visible(messageOf(f))}  (${visible(f.ruleId)})`.replaceAll('##[',
    '## [')

const messageOf = (f: Finding): string => `${f.message}${reachOf(f) === null ? '' : `; endangers ${reachOf(f)}`}`

const data = (text: string): string => visible(text).replaceAll('%', '%25').replaceAll('##[', '## [')
const property = (text: string): string =>
  wellFormed(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll(':', '%3A').replaceAll(',', '%2C')
    .replaceAll('##[', '## [')
