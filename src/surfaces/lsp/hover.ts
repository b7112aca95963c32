// What is shown of a finding when the pointer rests on it: what it says, and as much of its rule's page as fits.

import { MarkupKind, type Hover, type Position } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { pageOf, type Finding } from '../../index.ts'
import { isComplaint, pageHref } from './diagnostics.ts'
import { rangesIn, touch } from './places.ts'

/** Of a page, in this order; tables and examples are for those who open it. */
const SECTIONS = ['Why', 'Instead', 'Silent when']
const ROOM = 3000

export function hoverAt(position: Position, findings: readonly Finding[], document: TextDocument, markdown: boolean): Hover | null {
  const range = rangesIn(document)
  const here = findings.filter(f => touch(range(f), { start: position, end: position }))
  if (here.length === 0) return null
  const pages = [...new Set(here.map(f => f.ruleId))].map(id => textOf(id, here.filter(f => f.ruleId === id)))
  return { range: range(here[0]!),
    contents: { kind: markdown ? MarkupKind.Markdown : MarkupKind.PlainText, value: pages.join('\n\n---\n\n') } }
}

function textOf(ruleId: string, findings: readonly Finding[]): string {
  const said = findings.map(f =>
    `**${ruleId}** (${f.severity}, ${f.confidence} confidence${f.test === null ? '' : `, in ${code(f.test)}`}): ${f.message}`
  )
  const page = isComplaint(ruleId) ? [] : partOf(pageOf(ruleId), ROOM)
  return [...said, ...page, `[${isComplaint(ruleId) ? 'How to silence a finding' : `The page of ${ruleId}`}](${pageHref(ruleId)})`].join(
    '\n\n',
  )
}

/** The name of a test may hold backticks itself. */
const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

/** Whole sections, while there is room for them. */
export function partOf(page: string, room: number): string[] {
  const [head = '', ...sections] = page.split(/^## /m)
  const titled = (title: string) => sections.find(s => s.startsWith(`${title}\n`))
  const parts = [head.replace(/^# .*\n/, ''), ...SECTIONS.flatMap(title => (titled(title) === undefined ? [] : [`### ${titled(title)!}`]))]
    .map(p => p.trim())
  let left = room
  return parts.filter((part, i) => (left -= part.length) >= 0 || i === 0)
}
