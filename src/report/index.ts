// The formats a run can be printed in: as findings, or as an analysis of their causes.

import { formatCausesJson } from './causes-json.ts'
import { formatDigest } from './digest.ts'
import { formatGithub } from './github.ts'
import { formatGitlab } from './gitlab.ts'
import { formatHtml } from './html.ts'
import type { Formatter } from './summary.ts'
import { formatJson } from './json.ts'
import { formatJunit } from './junit.ts'
import { formatMarkdown } from './markdown.ts'
import { formatRdjson } from './rdjson.ts'
import { formatSarif } from './sarif.ts'
import { formatText } from './text.ts'

export type Format = 'text' | 'json' | 'sarif' | 'github' | 'gitlab' | 'markdown' | 'rdjson' | 'junit'
export type ReportFormat = 'markdown' | 'json' | 'html'

export const formats: Readonly<Record<Format, Formatter>> = {
  text: formatText,
  json: formatJson,
  sarif: formatSarif,
  github: formatGithub,
  gitlab: formatGitlab,
  markdown: formatDigest,
  rdjson: formatRdjson,
  junit: formatJunit,
}
export const reports: Readonly<Record<ReportFormat, Formatter>> = { markdown: formatMarkdown, json: formatCausesJson, html: formatHtml }
