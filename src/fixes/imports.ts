// An import that a fix leaves without a use: in some languages it would no longer compile, in others a linter complains.

import type { Language, Span } from '../facts/facts.ts'
import type { Edit } from '../rules/rule.ts'
import { removeLines, replace, wholeText, type Sheet } from './edits.ts'

/** How a whole line imports a name and nothing else. */
const LINES: Readonly<Partial<Record<Language, (name: string) => RegExp>>> = {
  python: name => new RegExp(`^import ${name}$`),
  go: name => new RegExp(`^(?:import )?"(?:[\\w./-]*/)?${name}"$`),
}

/**
 * Takes an import away where nothing outside of the given places uses it. Where something does, the import is written as it was: so two
 * fixes that each leave the other's use of it are not applied at once, and the last one sees that none is left.
 */
export function unusedImport(sheet: Sheet, name: string, gone: readonly Span[]): Edit[] {
  const line = LINES[sheet.facts.language]?.(name)
  const imported = sheet.facts.imports.find(i => i.local === name)
  if (!line || !imported) return []
  const isIn = (at: number, { start, end }: Span) => at >= start && at < end
  const aside = [...gone, imported.span, ...sheet.facts.comments.map(c => c.span)]
  const used = [...wholeText(sheet).matchAll(new RegExp(`(?<![\\w.])${name}\\s*\\.`, 'g'))].some(m => !aside.some(s => isIn(m.index, s)))
  const text = sheet.textOf(imported.span)
  if (!line.test(text.trim())) return []
  const edit = used ? replace(imported.span, text) : removeLines(sheet, imported.span)
  return edit ? [edit] : []
}
