// Findings in source code count only where a test uses the code. Until calls are followed across files, a test «uses» a
// function when a file with test code calls its name.

import { readFileSync } from 'node:fs'
import { openable, type FoundFile } from '../discover/discover.ts'
import type { Finding } from '../rules/rule.ts'
import type { FileResult } from './analyse.ts'

/** Where a name is called, in at most this many files, goes with the finding. */
const SHOWN = 10

export function reachedFindings(results: readonly FileResult[], files: ReadonlyMap<string, FoundFile>): Finding[] {
  const pending = results.flatMap(r => r.pending)
  if (pending.length === 0) return []
  const names = [...new Set(pending.flatMap(p => p.names))].filter(n => n.length > 2)
  if (names.length === 0) return []
  const called = new Map<string, { file: string; line: number; column: number }[]>()
  const pattern = new RegExp(`(?<![\\w$])(${names.map(n => n.replace(/[^\w]/g, '\\$&')).join('|')})\\s*(?:::<[^>]*>)?\\(`, 'g')
  for (const result of [...results].filter(r => r.testCode).sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const file = files.get(result.path)
    if (!file) continue
    const text = readFileSync(openable(file), 'utf8')
    for (const match of text.matchAll(pattern)) {
      const name = match[1]!
      if (isDefinition(text, match.index)) continue
      const places = called.get(name) ?? called.set(name, []).get(name)!
      if (places.some(p => p.file === result.path)) continue
      const before = text.slice(0, match.index)
      places.push({ file: result.path, line: before.split('\n').length, column: match.index - before.lastIndexOf('\n') })
    }
  }
  return pending.flatMap(({ finding, names: wanted }) => {
    const places = wanted.flatMap(n => called.get(n) ?? [])
    if (places.length === 0) return []
    const related = places.slice(0, SHOWN).map(p => ({
      file: p.file, startLine: p.line, startColumn: p.column, endLine: p.line, endColumn: p.column + wanted[0]!.length, message: `${wanted[0]} is called by tests here`,
    }))
    return [{ ...finding, related: [...finding.related, ...related] }]
  })
}

/** `fn new_in_memory(` and `def open_scratch(` define; they do not call. */
const isDefinition = (text: string, at: number): boolean => /\b(fn|def|func|function|void|static|public|private)\s+$/.test(text.slice(Math.max(0, at - 20), at))
