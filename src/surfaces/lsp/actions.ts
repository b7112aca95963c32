// What can be done about findings: fixes, comments that silence them, and all safe fixes at once.

import { CodeActionKind, type CodeAction, type Diagnostic, type Range, type WorkspaceEdit } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import type { Finding, FindingFix } from '../../index.ts'
import { isComplaint } from './diagnostics.ts'
import type { Answers } from './jobs.ts'
import { rangesIn, touch } from './places.ts'

export const FIX_ALL = `${CodeActionKind.SourceFixAll}.flakesniff`

/** Kinds form a tree: who asks for `source` asks for `source.fixAll` too. */
export const wants = (only: readonly string[] | undefined, kind: string): boolean =>
  only?.some(o => o === '' || o === kind || kind.startsWith(`${o}.`)) ?? true

const safeFix = (finding: Finding): FindingFix | undefined => finding.fixes?.find(f => f.safe)

export const findingsAt = (range: Range, findings: readonly Finding[], document: TextDocument): readonly Finding[] => {
  const place = rangesIn(document)
  return findings.filter(f => touch(place(f), range))
}

/** Asked for by name, or there are several and the cursor stands on one of them: to find out what all would do takes some looks. */
export const offersAll = (only: readonly string[] | undefined, here: readonly Finding[], all: readonly Finding[]): boolean =>
  wants(only, FIX_ALL) && (only !== undefined ? all.some(safeFix) : here.some(safeFix) && all.filter(safeFix).length > 1)

export const editsOf = (edits: FindingFix['edits'], document: TextDocument, versioned: boolean): WorkspaceEdit => {
  const range = rangesIn(document)
  const changes = edits.map(e => ({ range: range(e), newText: e.text }))
  const { uri, version } = document
  return versioned ? { documentChanges: [{ textDocument: { uri, version }, edits: changes }] } : { changes: { [uri]: changes } }
}

export function quickFixes(finding: Finding, diagnostic: Diagnostic, silencings: Answers['silence'], document: TextDocument,
  versioned: boolean): CodeAction[]
{
  const safe = safeFix(finding)
  const silence = isComplaint(finding.ruleId) ? undefined : silencings[finding.fingerprint]
  return [...finding.fixes ?? [], ...(silence ? [silence] : [])].map(fix => ({
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnostic],
    edit: editsOf(fix.edits, document, versioned),
    ...(fix === safe && { isPreferred: true }),
  }))
}

export const fixAll = (edits: FindingFix['edits'], fixes: number, document: TextDocument, versioned: boolean): CodeAction => ({
  title: `Apply ${fixes === 1 ? 'the safe fix' : `all ${fixes} safe fixes`} of flakesniff`,
  kind: FIX_ALL,
  edit: editsOf(edits, document, versioned),
})
