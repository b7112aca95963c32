// Rounded numbers compared with a tolerance.

import type { Assertion, Language } from '../facts/facts.ts'
import type { Fix } from '../rules/rule.ts'
import { fix, replace, type Sheet } from './edits.ts'

const NEAR: Readonly<Partial<Record<Language, { readonly exact: RegExp; readonly near: string; readonly needs?: string }>>> = {
  typescript: { exact: /\.toBe\((-?\d*\.\d+)\)$/, near: '.toBeCloseTo($1)' },
  python: { exact: /==\s*(-?\d*\.\d+)$/, near: '== pytest.approx($1)', needs: 'pytest' },
}

export function compareNearly(sheet: Sheet, { span }: Assertion): Fix[] {
  const how = NEAR[sheet.facts.language]
  const text = sheet.textOf(span)
  if (!how?.exact.test(text) || (how.needs !== undefined && !sheet.facts.imports.some(i => i.local === how.needs))) return []
  return fix('Compare with a tolerance', false, [replace(span, text.replace(how.exact, how.near))])
}
