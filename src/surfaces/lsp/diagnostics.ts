// A finding as a client shows it.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DiagnosticSeverity, DiagnosticTag, type Diagnostic, type DiagnosticRelatedInformation } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { SUPPRESSION_RULES, pageUrlOf, type Finding, type FindingPlace, type Severity } from '../../index.ts'
import { rangeOf, rangesIn } from './places.ts'

/** What the client understands. */
export interface Understood {
  readonly related: boolean
  readonly tags: boolean
  readonly codeDescription: boolean
}

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = { error: DiagnosticSeverity.Error, warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information }

const README = new URL('../../../README.md#silence-a-finding', import.meta.url).href

/** Complaints about our own comments are no rules, and have no page. */
export const isComplaint = (ruleId: string): boolean => (SUPPRESSION_RULES as readonly string[]).includes(ruleId)

export const pageHref = (ruleId: string): string => (isComplaint(ruleId) ? README : pageUrlOf(ruleId).href)

/** `folder` is what the paths of findings are told from. */
export function diagnosticsOf(findings: readonly Finding[], document: TextDocument, folder: string, understood: Understood): Diagnostic[] {
  const range = rangesIn(document)
  const related = (own: string, { file, message, ...region }: FindingPlace): DiagnosticRelatedInformation => ({
    message,
    location: file === own
      ? { uri: document.uri, range: range(region) }
      : { uri: pathToFileURL(join(folder, file)).href, range: rangeOf(region) },
  })
  return findings.map(finding => {
    const places = [...finding.trace, ...finding.related]
    return {
      range: range(finding),
      severity: SEVERITIES[finding.severity],
      source: 'flakesniff',
      code: finding.ruleId,
      message: finding.message,
      ...(understood.codeDescription && { codeDescription: { href: pageHref(finding.ruleId) } }),
      // A comment that silences nothing can go: clients fade it.
      ...(understood.tags && finding.ruleId === 'unused-suppression' && { tags: [DiagnosticTag.Unnecessary] }),
      ...(understood.related && places.length > 0 && { relatedInformation: places.map(p => related(finding.file, p)) }),
    }
  })
}
