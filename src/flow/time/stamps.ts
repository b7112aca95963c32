// Readings of the clock that a maker puts into what it makes, and readings that become keys: two of them can be the same.

import type { Assertion, Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { has, valuesIn, within } from '../../facts/query.ts'
import type { Flows, Origin } from '../flow.ts'
import { fieldOf, originsOf, type Part } from '../records.ts'

type View = { readonly facts: FileFacts; readonly flows: Flows; readonly textOf: (span: Span) => string }

/** `assertTrue(b.isAfter(a))` is a strict comparison. */
export function strictOf(assertion: Assertion, unit: Unit): { compare: string; operands: readonly Value[] } {
  const only = assertion.operands[0]
  const call = assertion.compare === 'truth' && only?.is === 'call' ? unit.calls[only.call] : undefined
  return call?.receiver && assertion.claims === 'presence' && /(^|[.:])(isAfter|isBefore|After|Before)$/.test(call.name) && call.args[0]
    ? { compare: '>', operands: [call.receiver, call.args[0]] }
    : assertion
}

/** Fields that a helper or class of the file fills with the time, each for itself: `a.id` beside `b.id`, both from `makeItem()`. */
export function stampedApart(view: View, unit: Unit, operands: readonly Value[], compare: string, offset: number): Origin | undefined {
  const [a, b] = operands.slice(0, 2).map(o =>
    fieldOf(view, unit, o, offset).flatMap(part => {
      const stamp = stampIn(part, view.flows, compare === '!=')
      return stamp ? [{ stamp, root: rootOf(o, unit, offset) }] : []
    })[0]
  )
  return a && b && (a.root !== b.root || a.stamp.call !== b.stamp.call) ? a.stamp : undefined
}

/** The reading as it is; a text of it alone is another only where the reading is. */
function stampIn(part: Part, flows: Flows, asText: boolean): Origin | undefined {
  const origins = originsOf(part, flows), [stamp] = origins
  if (origins.length !== 1 || stamp!.kind !== 'clock' || stamp!.opaque || [...valuesIn(part.value, part.unit)].some(v => v.is === 'op'))
    return undefined
  return stamp!.shape === 'plain' || (asText && stamp!.shape === 'text' && isOfCallsAlone(part.value)) ? stamp : undefined
}

/** A counter or a name beside the reading makes each text another. */
const isOfCallsAlone = (value: Value): boolean =>
  value.is === 'text' ? value.parts.every(isOfCallsAlone) : value.is === 'literal' || value.is === 'call'

/** The call that made the record. */
function rootOf(value: Value, unit: Unit, offset: number): number {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const name = value.is === 'op' ? value.of[0] : call?.receiver ?? value
  const path = name?.is === 'name' ? name.path.split('.')[0] : undefined
  const made = unit.writes.findLast(w => w.target === path && w.span.end <= offset)?.value
  return made?.is === 'call' ? made.call : -1
}

const PUTS = /[.:](put|set|insert)$/

/** Two entries under keys that are fresh readings, and then both are counted. */
export function* countedByReading(unit: Unit): Generator<{ readonly put: Call; readonly counted: Assertion }> {
  const puts = unit.calls.filter(c =>
    PUTS.test(c.name) && c.args.length === 2 && c.receiver?.is === 'name'
    && c.args[0]?.is === 'call' && has(unit.calls[c.args[0].call]!, 'clock') && !within(unit, c.in, 'loop', 'closure')
  )
  for (const put of puts) {
    const path = put.receiver?.is === 'name' ? put.receiver.path : '', all = puts.filter(c =>
      c.receiver?.is === 'name' && c.receiver.path === path
    )
    const counted = all[0] === put && all.length > 1
      ? unit.assertions.find(a =>
        a.compare === '==' && a.span.start >= all.at(-1)!.span.end
        && a.operands.some(o => o.is === 'literal' && o.value === all.length)
        && a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'name' && v.path.split('.')[0] === path))
      )
      : undefined
    if (counted) yield { put: all[1]!, counted }
  }
}
