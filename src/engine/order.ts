// The order in which findings are told, wherever they are told.

import type { Finding } from '../rules/rule.ts'

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const byPlace = (a: Finding, b: Finding): number =>
  compare(a.file, b.file) || a.startLine - b.startLine || a.startColumn - b.startColumn || compare(a.ruleId, b.ruleId)
  || compare(a.fingerprint, b.fingerprint)
