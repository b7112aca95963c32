// Handlers of Go's HTTP servers: each request is answered in a goroutine of its own.

import type { Call, FileFacts, Span, Unit } from '../../facts/facts.ts'
import { isInside, startOf } from './background.ts'

interface View {
  readonly facts: FileFacts
  readonly textOf: (span: Span) => string
}

const HANDLER = /^func\(\w+ http\.ResponseWriter\b/
/** A recorder calls the handler right here; a server does not. */
const SERVED = /httptest\.New(TLS|Unstarted)?Server\(|http\.(ListenAndServe|Serve|Server\{)/

/** The first call of a unit that would end a test, in a handler that a server calls. */
export function endsInHandler(unit: Unit, { facts, textOf }: View, ends: (call: Call) => boolean): Call | undefined {
  if (facts.language !== 'go') return undefined
  const handlers = [...unit.regions.keys()].filter(i => unit.regions[i]!.kind === 'closure' && HANDLER.test(textOf(unit.regions[i]!.span)))
  if (handlers.length === 0 || !SERVED.test(textOf(facts.units[0]!.span))) return undefined
  return unit.calls.find(c => ends(c) && startOf(unit, c.in) === undefined && handlers.some(h => isInside(unit, c.in, h)))
}
