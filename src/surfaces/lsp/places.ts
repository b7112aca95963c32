// From our lines and columns to the protocol's, and from its addresses to paths.

import { fileURLToPath } from 'node:url'
import type { Position, Range } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { languageOf, type Language, type Region } from '../../index.ts'

/** Regions of the document's own text, by offsets: a lone carriage return ends a line of the protocol, but none of ours. */
export function rangesIn(document: TextDocument): (region: Region) => Range {
  const text = document.getText()
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const place = (line: number, column: number) => document.positionAt(Math.min((starts[line - 1] ?? text.length) + column - 1, text.length))
  return r => ({ start: place(r.startLine, r.startColumn), end: place(r.endLine, r.endColumn) })
}

/** In a text that we do not hold. */
export const rangeOf = (r: Region): Range => ({ start: { line: r.startLine - 1, character: r.startColumn - 1 },
  end: { line: r.endLine - 1, character: r.endColumn - 1 } })

const isBefore = (a: Position, b: Position): boolean => a.line < b.line || (a.line === b.line && a.character < b.character)

/** Also where they only touch: the cursor stands between two characters. */
export const touch = (a: Range, b: Range): boolean => !isBefore(a.end, b.start) && !isBefore(b.end, a.start)

/** Undefined where it is no file: a notebook's cell, a draft without a name. */
export function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}

/** What editors call our languages. */
const IDS: Readonly<Record<string, Language>> = {
  python: 'python',
  java: 'java',
  go: 'go',
  rust: 'rust',
  shellscript: 'bash',
  sh: 'bash',
  bash: 'bash',
  bats: 'bash',
  javascript: 'typescript',
  javascriptreact: 'typescript',
  jsx: 'typescript',
  typescript: 'typescript',
  typescriptreact: 'typescript',
  tsx: 'typescript',
}

/** By its path, as in a run; where that says nothing, by what the editor takes it for. */
export const languageIn = (path: string, text: string, id: string): Language | undefined =>
  languageOf(path.replaceAll('\\', '/'), text.slice(0, 128)) ?? IDS[id]
