// Which test stands at a place of a file, by our own parsers: for runners that tell no lines.

import { readFileSync } from 'node:fs'
import { frontendOf, languageOf } from '../parsers/registry.ts'
import { linesOf } from './lines.ts'

/** The title of the innermost test around the line, or null. */
export async function testAt(file: string, line: number): Promise<string | null> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return null
  }
  const language = languageOf(file, text.slice(0, 128))
  if (!language) return null
  const frontend = await frontendOf(language)
  await frontend.load()
  const lines = linesOf(text)
  const around = frontend.parse(text, { path: file, kind: 'test', testFunctions: [] }).units.filter(u =>
    u.role.is === 'test' && lines.lineOf(u.span.start) <= line && lines.lineOf(u.span.end) >= line
  )
  return around.sort((a, b) => b.span.start - a.span.start)[0]?.title ?? null
}
