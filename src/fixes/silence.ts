// The comment that silences a finding, in the signs of its language, as an editor offers it.

import type { Language } from '../facts/facts.ts'
import type { Finding, FindingFix } from '../rules/rule.ts'

const HASH: readonly Language[] = ['python', 'bash']

/**
 * It silences nothing until a reason is written behind it. A line that goes on with the one above has no room for it. `lines` are
 * those of the text, with what stands before their `\n`.
 */
export function silencing({ ruleId, startLine }: Pick<Finding, 'ruleId' | 'startLine'>, language: Language, lines: readonly string[]):
  | FindingFix
  | undefined
{
  if (/\\\r?$/.test(lines[startLine - 2] ?? '')) return undefined
  const indent = /^[ \t]*/.exec(lines[startLine - 1] ?? '')![0]
  const end = lines[startLine - 1]?.endsWith('\r') ? '\r\n' : '\n'
  const comment = `${indent}${HASH.includes(language) ? '#' : '//'} flakesniff-disable-next-line ${ruleId} -- ${end}`
  return { title: `Silence ${ruleId} here with a comment, and say why`, safe: false,
    edits: [{ startLine, startColumn: 1, endLine: startLine, endColumn: 1, text: comment }] }
}
