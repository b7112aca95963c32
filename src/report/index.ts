// The formats a run can be printed in.

import type { Formatter } from './summary.ts'
import { formatJson } from './json.ts'
import { formatSarif } from './sarif.ts'
import { formatText } from './text.ts'

export type Format = 'text' | 'json' | 'sarif'

export const formats: Readonly<Record<Format, Formatter>> = { text: formatText, json: formatJson, sarif: formatSarif }
