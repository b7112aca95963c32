// A finding as ESLint wants it: places as offsets, fixes that keep behaviour as fixes, the others as suggestions.

import type { Rule } from 'eslint'
import type { Finding, FindingFix, Language } from '../../index.ts'
import type { Context } from './analysis.ts'

type Descriptor = Rule.ReportDescriptor

export function descriptorsOf(findings: readonly Finding[], { sourceCode }: Context): Descriptor[] {
  if (findings.length === 0) return []
  const { text, ast } = sourceCode
  const lines = text.split('\n')
  const offset = offsetsIn(lines)
  const place = (line: number, column: number) => sourceCode.getLocFromIndex(offset(line, column))
  const edit = ({ edits }: FindingFix) => (fixer: Rule.RuleFixer): Rule.Fix[] =>
    edits.map(e => fixer.replaceTextRange([offset(e.startLine, e.startColumn), offset(e.endLine, e.endColumn)], e.text))
  return findings.map(finding => {
    const fixes = finding.fixes ?? []
    const safe = fixes.find(f => f.safe)
    const silence = ast.language && silenced(finding, ast.language, lines)
    return {
      message: finding.message,
      loc: { start: place(finding.startLine, finding.startColumn), end: place(finding.endLine, finding.endColumn) },
      ...(safe && { fix: edit(safe) }),
      suggest: [...fixes.filter(f => f !== safe), ...(silence ? [silence] : [])].map(f => ({ desc: f.title, fix: edit(f) })),
    }
  })
}

/** From our lines and columns to offsets: ESLint ends lines of JavaScript at other signs, too. */
function offsetsIn(lines: readonly string[]): (line: number, column: number) => number {
  const starts = [0]
  for (const line of lines) starts.push(starts.at(-1)! + line.length + 1)
  const end = starts.at(-1)! - 1
  return (line, column) => Math.min((starts[line - 1] ?? end) + column - 1, end)
}

const HASH: readonly Language[] = ['python', 'bash']

/**
 * Editors offer to silence a rule with a comment in the signs of JavaScript, whatever the file. Ours has the right ones; it
 * silences nothing until a reason is written behind it. A line that goes on with the one above has no room for it.
 */
function silenced({ ruleId, startLine }: Finding, language: Language, lines: readonly string[]): FindingFix | undefined {
  if (/\\\r?$/.test(lines[startLine - 2] ?? '')) return undefined
  const indent = /^[ \t]*/.exec(lines[startLine - 1] ?? '')![0]
  const end = lines[startLine - 1]?.endsWith('\r') ? '\r\n' : '\n'
  const comment = `${indent}${HASH.includes(language) ? '#' : '//'} flakesniff-disable-next-line ${ruleId} -- ${end}`
  return { title: `Silence ${ruleId} here with a comment, and say why`, safe: false, edits: [{ startLine, startColumn: 1, endLine: startLine, endColumn: 1, text: comment }] }
}
