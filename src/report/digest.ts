// The findings as a page of Markdown that stays small: for a job's summary or a comment on a merge request.

import type { Finding } from '../rules/rule.ts'
import { reachOf } from './endangered.ts'
import { code, plain } from './markup.ts'
import type { Formatter, Summary } from './summary.ts'
import { visible } from './visible.ts'
import { worstFirst } from './worst.ts'

/** A comment on GitHub has room for 65,536 characters, a summary for a megabyte: rows end long before. */
const MOST_ROWS = 100

export const formatDigest: Formatter = (summary, { tell }) => {
  const active = worstFirst(summary.findings.filter(f => f.suppressed === undefined))
  if (active.length > MOST_ROWS) tell?.(`the page shows the worst ${MOST_ROWS} of ${active.length} findings`)
  return `${['## flakesniff', '', ...(active.length === 0 ? [verdict(summary)] : table(active)), '', ...footer(summary)].join('\n')}\n`
}

const count = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? '' : 's'}`

function verdict({ baseline, narrowed }: Summary): string {
  const where = narrowed ? ` in ${count(narrowed.files, 'file')} ${plain(narrowed.to)}` : ''
  return `${baseline && baseline.accepted > 0 ? 'Nothing new found' : 'Nothing found'}${where}.`
}

function table(findings: readonly Finding[]): string[] {
  const counts = (['error', 'warning', 'note'] as const).map(s => [s, findings.filter(f => f.severity === s).length] as const).filter((
    [, n],
  ) => n > 0)
  return [
    `**${count(findings.length, 'risk')}** of flakiness: ${counts.map(([s, n]) => count(n, s)).join(', ')}.`,
    '',
    '| | where | what | rule |',
    '|---|---|---|---|',
    ...findings.slice(0, MOST_ROWS).map(row),
    ...(findings.length > MOST_ROWS ? ['', `The worst ${MOST_ROWS} are shown; ${findings.length - MOST_ROWS} more were found.`] : []),
  ]
}

function row(f: Finding): string {
  const reach = reachOf(f)
  const what = `${plain(f.message)}${f.test === null ? '' : `, in ${cell(f.test)}`}${reach === null ? '' : `; endangers ${plain(reach)}`}`
  return `| ${f.severity} | ${cell(`${f.file}:${f.startLine}`)} | ${what} | ${cell(f.ruleId)} |`
}

/** A bar ends a cell even inside code. */
const cell = (text: string): string => code(text).replaceAll('|', '\\|')

function footer({ files, tests, suppressed, baseline, notices }: Summary): string[] {
  const seen = Object.values(tests).reduce((a, b) => a + b, 0)
  const silenced = [...(suppressed > 0 ? [`${suppressed} silenced by comments`] : []),
    ...(baseline && baseline.accepted > 0 ? [`${baseline.accepted} accepted in the baseline`] : [])]
  const gone = baseline?.gone.reduce((n, g) => n + g.count, 0) ?? 0
  return [
    `${count(files.checked, 'file')} checked, ${count(seen, 'test')} seen${silenced.length > 0 ? `; ${silenced.join(', ')}` : ''}.`,
    ...(gone > 0
      ? ['',
        `${count(gone, 'accepted finding')} ${gone === 1 ? 'is' : 'are'} gone: \`flakesniff baseline --prune\` forgets ${
          gone === 1 ? 'it' : 'them'
        }.`]
      : []),
    ...notices.filter(n => n.level === 'error').flatMap(
      n => ['', `**${n.level}**: ${n.file === null ? '' : `${code(n.file)} `}${plain(visible(n.message))}`],
    ),
  ]
}
