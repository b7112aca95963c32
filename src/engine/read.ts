// Reads a found file, once, and says why it is left out where it is.

import { readFileSync } from 'node:fs'
import { isBinary, isGenerated, isMinified, openable, type FoundFile } from '../discover/discover.ts'
import type { Notice } from '../rules/rule.ts'

export type Reading = { readonly text: string } | { readonly leftOut: string; readonly notice?: Notice }

export function readSource(file: FoundFile): Reading {
  let bytes: Buffer
  try {
    bytes = file.content ? Buffer.from(file.content) : readFileSync(openable(file))
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error)
    return { leftOut: 'unreadable',
      notice: { level: 'warning', id: 'unreadable', file: file.path, line: null, message: `cannot be read (${why})` } }
  }
  if (isBinary(bytes)) return { leftOut: 'binary' }
  const text = bytes.toString('utf8')
  if (isGenerated(text)) return { leftOut: 'generated' }
  if (isMinified(text)) return { leftOut: 'minified' }
  return { text }
}
