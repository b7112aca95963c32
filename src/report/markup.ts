// Text in Markdown that cannot become markup, whatever a file or test is called.

import { visible } from './visible.ts'

export const plain = (text: string): string => visible(text).replace(/[\\`*_{}[\]<>()#+!|~&-]/g, '\\$&')

/** Code that keeps its own backquotes. */
export function code(text: string): string {
  const shown = visible(text)
  const fence = '`'.repeat(Math.max(0, ...[...shown.matchAll(/`+/g)].map(m => m[0].length)) + 1)
  return shown.includes('`') ? `${fence} ${shown} ${fence}` : `\`${shown}\``
}
