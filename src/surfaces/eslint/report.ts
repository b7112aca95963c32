// A finding as ESLint wants it: places as offsets, fixes that keep behaviour as fixes, the others as suggestions.

import type { Rule } from 'eslint'
import { silencing, type Finding, type FindingFix } from '../../index.ts'
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
    // Editors offer to silence a rule with a comment in the signs of JavaScript, whatever the file. Ours has the right ones.
    const silence = ast.language && silencing(finding, ast.language, lines)
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
