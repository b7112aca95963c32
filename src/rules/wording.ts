// Words and scales that several rules share.

import type { Effect } from '../facts/effects.ts'
import type { Call } from '../facts/facts.ts'
import type { Origin } from '../flow/flow.ts'
import type { Confidence, Place, Report } from './rule.ts'

/** A name that was only guessed cannot carry a confident finding. */
export const confidenceOf = (
  call: Call,
): Confidence => call.resolution === 'guess' || call.effects.some(e => e.note !== undefined && /^pause/.test(e.note)) ? 'medium' : 'high'

export const lower = (confidence: Confidence): Confidence => (confidence === 'high' ? 'medium' : 'low')

export const least = (...all: Confidence[]): Confidence => (all.includes('low') ? 'low' : all.includes('medium') ? 'medium' : 'high')

/** Of two that are said of one place: the surer, then the one that is more than a note. */
export const surer = (a: Report | undefined, b: Report): Report =>
  a
    && (RANK[a.confidence] > RANK[b.confidence] || (a.confidence === b.confidence && (b.severity === 'note' || a.severity !== 'note')))
    ? a
    : b
export const RANK: Readonly<Record<Confidence, number>> = { low: 0, medium: 1, high: 2 }

export const duration = ({ ms }: { readonly ms?: Effect['ms'] | undefined }): string =>
  ms === undefined ? 'a computed time' : `a fixed ${spell(ms)}`

export function spell(ms: number): string {
  const [n, unit] = ms >= 60_000 && ms % 60_000 === 0
    ? [ms / 60_000, 'min']
    : ms >= 1000
    ? [ms / 1000, 's']
    : ms >= 1
    ? [ms, 'ms']
    : [ms * 1000, 'µs']
  return `${Number(n.toPrecision(6))} ${unit}`
}

/** The way of a value, for a trace: where it arises, the variables it passes, where it matters. */
export function way(origin: Origin, arises: string, sink: Place): Place[] {
  const steps = origin.steps.map(s => ({ span: s.span, message: `kept in ${s.name}` }))
  return [{ span: origin.span, message: arises }, ...steps, sink]
}

/** The text a printing call begins with, colours and blanks aside, where it stands in the code; '' for nothing but those. */
export function beginningOf(call: Call, flag: RegExp): string | undefined {
  const first = call.args.find(a => !(a.is === 'literal' && flag.test(String(a.value))))
  const start = first?.is === 'text' ? first.parts[0] : first
  return first === undefined
    ? ''
    : start?.is === 'literal'
    ? String(start.value).replace(/^(?:\\[nrt]|\\(?:e|033|x1b)\[[\d;]*m|\s)+/i, '')
    : undefined
}
