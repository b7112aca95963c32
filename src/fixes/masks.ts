// Masks that are taken off: `|| true` behind a command, `.ok()` behind a result.

import type { Language, Swallow } from '../facts/facts.ts'
import type { Fix } from '../rules/rule.ts'
import { fix, remove, replace, type Sheet } from './edits.ts'

interface Mask {
  readonly at: RegExp
  readonly instead: string
}

const MASKS: Readonly<Partial<Record<Language, Mask>>> = {
  bash: { at: /[ \t]*(?:\|\||;)[ \t\\\n]*(?:true|:)[ \t]*$/, instead: '' },
  rust: { at: /\.ok\(\)(?=;?$)/, instead: '.unwrap()' },
}

/** `rm -f` says itself that what is not there is no failure. Whoever hides its complaints expects others. */
const PUTS_AWAY = /^(?:\\|command )?rm\s+(?:-\w+\s+)*-(\w*f\w*)((?:\s+(?:--|-\w+))*)\s+([^|&;<>()`\n]+)$/

export function takeOffMask(sheet: Sheet, { span }: Swallow): Fix[] {
  const mask = MASKS[sheet.facts.language]
  const text = sheet.textOf(span)
  const found = mask?.at.exec(text)
  if (!mask || !found) return []
  const start = span.start + found.index
  const end = start + found[0].length
  const rest = text.slice(0, found.index).trim()
  const rm = sheet.facts.language === 'bash' ? PUTS_AWAY.exec(rest) : null
  // Without -r, a folder that a pattern matches is a failure.
  const needless = rm !== null && (/[rR]/.test(rm[1]! + rm[2]!) || !/[*?[$]/.test(rm[3]!.replace(/"[^"*?]*"/g, '')))
  return fix(needless ? 'Drop the needless mask' : 'Let the failure show', needless, [
    mask.instead === '' ? remove({ start, end }) : replace({ start, end }, mask.instead),
  ])
}
