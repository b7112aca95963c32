// The formats a run can be printed in: as findings, or as an analysis of their causes.

import { formatCausesJson } from './causes-json.ts'
import { formatHtml } from './html.ts'
import type { Formatter } from './summary.ts'
import { formatJson } from './json.ts'
import { formatMarkdown } from './markdown.ts'
import { formatSarif } from './sarif.ts'
import { formatText } from './text.ts'

export type Format = 'text' | 'json' | 'sarif'
export type ReportFormat = 'markdown' | 'json' | 'html'

export const formats: Readonly<Record<Format, Formatter>> = { text: formatText, json: formatJson, sarif: formatSarif }
export const reports: Readonly<Record<ReportFormat, Formatter>> = { markdown: formatMarkdown, json: formatCausesJson, html: formatHtml }
