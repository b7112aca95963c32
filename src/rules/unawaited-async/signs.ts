import type { FileFacts, Language } from '../../facts/facts.ts'
import { effectOf, has, valuesIn } from '../../facts/query.ts'
import { endsByItself, isSettledBefore } from '../../fixes/awaiting.ts'
import { type Floating } from '../../flow/waiting/promises.ts'
import { type FileView, type Report } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

/**
 * Awaiting keeps what the test does where nothing later sets off what is waited for: the promise is made in the statement itself,
 * or only assertions follow; an async function of the file comes to its end by itself.
 */
export function isSafe({ unit, call, known, sets }: Floating, { facts }: FileView): boolean {
  if (sets || known === 'seen' || known === 'once' || known === 'page') return false
  if (isSettledBefore(unit, call.span)) return true
  return known === 'local'
    ? endsByItself(facts, call)
    : effectOf(call, 'promise')?.note === 'asserts'
      && ![...valuesIn({ is: 'call', call: unit.calls.indexOf(call) }, unit)].some(v =>
        v.is === 'name' && unit.writes.some(w => w.target === v.path)
      )
}

/** `userEvent.click(button)` gives a promise since its version 14, and what came before is done at once: where nobody awaits one, it is old. */
export const isOfOld = ({ units }: FileFacts, { name }: Floating['call']): boolean =>
  /^@testing-library\/user-event\./.test(name)
  && !units.some(u => u.calls.some(c => c.result === 'awaited' && /^@testing-library\/user-event\./.test(c.name)))

export function judge({ unit, call, known, times, sets, late, skipped, asserted, like }: Floating,
  language: Language): Pick<Report, 'message' | 'confidence' | 'severity'>
{
  const name = shortName(call.name)
  // The note says what is lost: an assertion that nobody waits for cannot fail its test.
  if (effectOf(call, 'promise')?.note === 'asserts')
    return { message: `\`${name}\` gives a promise that nobody waits for: the test ends before it can fail`, confidence: confidenceOf(call),
      severity: 'error' }
  if (known === 'catalog')
    return { message: `\`${name}\` gives a promise that nobody waits for: what follows may come first`, confidence: sets
      ? (late ? 'high' : 'low')
      : effectOf(call, 'promise')?.note === 'task'
      ? (asserted ? 'medium' : 'low')
      : effectOf(call, 'promise')?.note === 'type'
      ? 'high'
      : confidenceOf(call) }
  if (known === 'named')
    return { message: /Async$/.test(name)
      ? `\`${name}\` goes on by itself, by its name, and nobody waits for it`
      : `\`${name}\` waits, by its name, and nobody waits for it`, confidence: /Async$/.test(name) ? 'low' : 'medium' }
  if (known === 'page')
    return { message: `\`${name.slice(name.lastIndexOf('.') + 1)}\` is given the page, and nobody waits for what it does there`,
      confidence: sets ? 'low' : 'medium' }
  if (known === 'once')
    return { message: `\`${name}\` is waited for elsewhere in this file, but not here`,
      confidence: sets || begins(call, unit) || call.named.signal || isToldByDone(unit) ? 'low' : 'medium' }
  // In Python it does not begin by itself, whatever it is called.
  if (known === 'local')
    return { message: `\`${name}\` is asynchronous, and nobody waits for it here`, confidence: begins(call, unit) || (sets && !late)
      ? (language === 'python' && unit.async ? 'medium' : 'low')
      : sets
      ? 'medium'
      : 'high' }
  return { message: `\`${name}\` is waited for ${times} times in this file, but not here`,
    confidence: sets || begins(call, unit) || call.named.signal || like || !(skipped || times >= OFTEN)
      ? 'low'
      : isToldByDone(unit) && !asserted
      ? 'medium'
      : 'high' }
}

/** `waitForOrder(shop, order => { seen.push(order); return false })`. */
export const alwaysSaysNo = ({ textOf }: FileView, unit: Floating['unit'], call: Floating['call']): boolean =>
  unit.regions.some(r => {
    const given = r.kind === 'closure' && r.call !== undefined && unit.calls[r.call] === call
      ? textOf(r.span).match(/\breturn\b[^;\n]*/g)
      : null
    return given !== null && given.every(said => /^return false\b/.test(said))
  })

/** Whoever is called back when all is over need not wait for its parts, unless the next line asserts what one of them has done. */
const isToldByDone = (unit: Floating['unit']): boolean =>
  unit.role.is === 'test' && unit.params.some(p => /^_?(done|cb|callback|end|finish)$/i.test(p))

/** So often waited for that the one time it is not is a slip. */
const OFTEN = 10

/** Something that the test lets run beside it, by its name or by what it does. */
const begins = (call: Floating['call'], unit: Floating['unit']): boolean =>
  has(call, 'spawn', 'start')
  || (/(^|[.:_])(start|run|serve|listen|loop|main|connect|emit|worker|consume|poll)/i.test(shortName(call.name)) && unit.role.is !== 'hook')

export const shortName = (name: string): string => name.replace(/^\?\./, '')
