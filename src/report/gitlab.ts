// GitLab's Code Quality report: shown in the merge request, where findings that the target branch has too are left out.

import type { Severity } from '../rules/rule.ts'
import type { Formatter } from './summary.ts'
import { reachOf } from './endangered.ts'
import { toJson, visible } from './visible.ts'

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'major', warning: 'minor', note: 'info' }

export const formatGitlab: Formatter = summary =>
  toJson(summary.findings.filter(f => f.suppressed === undefined).map(f => ({
    type: 'issue',
    check_name: f.ruleId,
    description: visible(`${f.message}${reachOf(f) === null ? '' : `; endangers ${reachOf(f)}`}`),
    categories: ['Bug Risk'],
    severity: SEVERITY[f.severity],
    fingerprint: f.fingerprint,
    location: { path: f.file, lines: { begin: f.startLine, end: f.endLine } },
  })))
