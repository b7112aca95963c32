// For an issue or a pull request.

import { visible } from '../../report/visible.ts'
import type { Confirmation } from '../confirmation.ts'
import { advice, ENDINGS, rateSentence } from './numbers.ts'
import { records } from './text.ts'

export const formatConfirmMarkdown = (c: Confirmation): string => {
  const hint = advice(c)
  return `${
    [
      `# ${code(c.target.id)}: ${c.verdict}`,
      '',
      `${plain(c.diagnosis)}. ${plain(c.condition[0]!.toUpperCase() + c.condition.slice(1))}: ${rateSentence(c)}`,
      '',
      ...(c.ending === 'done' ? [] : [`_${ENDINGS[c.ending]}_`, '']),
      ...(hint === null ? [] : [hint, '']),
      ...(c.interferers.length > 0 ? ['**Interfering test**:', '', ...c.interferers.map(t => `- ${code(t.id)}`), ''] : []),
      ...(c.perturbation
        ? [`**Perturbation**: ${code(c.perturbation.name)} (${plain(c.perturbation.title)}), which reveals ${c.perturbation.reveals}`, '']
        : []),
      ...(c.reproduce === null ? [] : ['**Reproduce**:', '', ...fenced([c.reproduce], 'sh'), '']),
      ...records(c).flatMap(([title, ...lines]) => [`## ${title![0]}${title!.slice(1).toLowerCase()}`, '', ...fenced(lines, 'text'), '']),
    ].join('\n').trimEnd()
  }\n`
}

/** A fence longer than any in what it holds. */
function fenced(lines: readonly string[], language: string): string[] {
  const shown = lines.map(visible)
  const longest = Math.max(2, ...shown.flatMap(l => [...l.matchAll(/`+/g)].map(m => m[0].length)))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, ...shown, fence]
}

function code(text: string): string {
  const shown = visible(text)
  const fence = '`'.repeat(Math.max(0, ...[...shown.matchAll(/`+/g)].map(m => m[0].length)) + 1)
  return /^`|`$/.test(shown) ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`
}

const plain = (text: string): string => visible(text).replace(/[\\`*_{}[\]<>|#]/g, c => `\\${c}`)
