import type { FileFacts, Marker, Span, Unit } from '../../facts/facts.ts'
import { ancestors } from '../../facts/query.ts'
import { type Retried } from '../../flow/masking/retried.ts'

/** Known, and on its way to be cured: an issue, a date, a reason that is more than a word. */
export const TRACKED = /#\d+|https?:\/\/|\b[A-Z]{2,}-\d+|\b20\d\d-\d\d|reason\s*=/

export const RUNS = 'runs it again when it fails: what fails one time in a few is green'
export const AGAIN = 'does its steps again when they have failed: what fails one time in a few is green'

/** `@Retry` of a service in the folder of the tests is what the service does. */
export const ofTests = (facts: FileFacts, unit: Unit): boolean =>
  facts.language !== 'java' || unit.role.is === 'test' || facts.units.some(u => u.role.is === 'test' && ancestors(facts, u).includes(unit))

/** `retries: 0` and an empty setting turn it off. */
export const repeats = ({ key, name }: Marker): boolean =>
  !/^\s*(0|1|false|undefined|null)?\s*$/.test(key ?? 'unset')
  && !/^\{(?:\s*\w+\s*:\s*(?:0|false|undefined|null)\s*,?)*\s*\}$/.test(key ?? '') && !/successPercentage\s*=\s*100\b/.test(key ?? '')
  && !/tolerance/i.test(name)

/** A number that the whole suite is given. */
export const attempts = (unit: Unit): Retried[] =>
  unit.writes.filter(w => /\.FlakeAttempts$/.test(w.target) && !(w.value.is === 'literal' && Number(w.value.value) < 2))
    .map(({ span }) => ({ span, by: 'FlakeAttempts', sure: true }))

export const last = (name: string): string => name.split(/\.(?=[\w]+$)|::/).at(-1)!

export function commentAbove(facts: FileFacts, at: Span, textOf: (span: Span) => string): string {
  return facts.comments.filter(c =>
    (c.span.end <= at.start && /^\s*$/.test(textOf({ start: c.span.end, end: at.start })))
    || (c.span.start >= at.end && !textOf({ start: at.end, end: c.span.start }).includes('\n'))
  )
    .map(c => c.text).join(' ')
}

/** A script that is one of the suite by its name, and none that waits for something or prepares it. */
export const SCRIPT =
  /^(?:bash |sh )?"?(?:[\w.$"{}-]*\/)*(?=[\w-]*(?:tests?|e2e|smoke|integration))(?![\w-]*(?:wait|ready|set-?up|start|health|check|up-))[\w-]+\.(?:sh|bash)\b/
