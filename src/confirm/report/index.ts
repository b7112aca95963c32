// The formats of a confirmation. Each takes all of them: one test, or those of a list of findings.

import type { Confirmation } from '../confirmation.ts'
import { formatConfirmHtml } from './html.ts'
import { formatConfirmJson } from './json.ts'
import { formatConfirmMarkdown } from './markdown.ts'
import { formatConfirmSarif } from './sarif.ts'
import { formatConfirmText } from './text.ts'

export type ConfirmFormat = 'text' | 'json' | 'markdown' | 'html' | 'sarif'

export const confirmFormats: Readonly<Record<ConfirmFormat, (confirmations: readonly Confirmation[]) => string>> = {
  text: all => all.map(formatConfirmText).join('\n'),
  json: formatConfirmJson,
  markdown: all => all.map(formatConfirmMarkdown).join('\n'),
  html: formatConfirmHtml,
  sarif: formatConfirmSarif,
}
