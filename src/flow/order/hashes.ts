// Hashes and addresses that are others in the next process: Python salts the hash of every text, and an object is put where there is room.

import type { Assertion, Call, Span, Unit, Value } from '../../facts/facts.ts'
import { has } from '../../facts/query.ts'

/** A text by the name it goes by: `__name__`, `request.node.nodeid`, `test_name`, `path`. */
const TEXT_NAME = /(^|[._])(name|names|nodeid|title|key|path|label|text|string|word|slug|filename|dirname|method_?name)(__)?$/i
const TEXT_CALL = /(^|\.)(str|repr|format|join|lower|upper|strip|id|as_posix)$/

/** The hash of a number is the number; that of a text is drawn anew with every process, and so is that of a tuple which holds one. */
export function isSalted(call: Call, unit: Unit): boolean {
  if (!has(call, 'identity')) return false
  return call.name !== 'hash' || (call.args.length === 1 && holdsText(call.args[0]!, unit))
}

function holdsText(value: Value, unit: Unit, depth = 0): boolean {
  if (depth > 4) return false
  if (value.is === 'literal') return typeof value.value === 'string' && value.value !== ''
  if (value.is === 'text') return true
  if (value.is === 'call') return TEXT_CALL.test(unit.calls[value.call]!.name)
  if (value.is === 'group' || value.is === 'op') return value.of.some(v => holdsText(v, unit, depth + 1))
  if (value.is !== 'name') return false
  const kept = lastOf(unit, value.path)
  return kept ? holdsText(kept, unit, depth + 1) : TEXT_NAME.test(value.path)
}

export const lastOf = (unit: Unit, path: string): Value | undefined => unit.writes.findLast(w => w.target === path && !w.adds)?.value

/** `before = id(table["a"])`, and `table` is another one by now: what was asked for its address may be gone with the first. */
function isGone(unit: Unit, of: Value | undefined, from: number, until: number): boolean {
  if (of?.is === 'call') return true
  const holder = of?.is === 'op' && of.op === '[]' && of.of[0]?.is === 'name' ? of.of[0].path.split('.')[0] : undefined
  return holder !== undefined && unit.writes.some(w => w.target === holder && w.span.start > from && w.span.end < until)
}

/** `id(make()) != id(make())`: the first is gone before the second is made. What has a name is there a while longer. */
export function ofPassing(unit: Unit, { operands, span }: Assertion, textOf: (span: Span) => string): 'id()' | 'address' | 'kept'
  | undefined
{
  const kept = operands.map(o => (o.is === 'name' ? lastOf(unit, o.path) : o))
  const called = kept.map(o => (o?.is === 'call' ? unit.calls[o.call] : undefined))
  const [first, second] = called.filter(c => c?.name === 'id').sort((a, b) => a!.span.start - b!.span.start)
  if (first && second && isGone(unit, first.args[0], first.span.end, second.span.start) && /^(call|op)$/.test(second.args[0]?.is ?? ''))
    return 'id()'
  const shown = kept.map((o, i) => (o?.is === 'text'
    ? [o.parts.at(-1), textOf(unit.writes.findLast(w => operands[i]!.is === 'name' && w.value === o)?.span ?? span)] as const
    : undefined)
  )
  if (shown.length !== 2 || !shown.every(t => t !== undefined && /^[^]*(?:Sprintf\("%p"|\{:p\})/.test(t[1]))) return undefined
  const isPassing = (v: Value | undefined) =>
    v?.is === 'call' && !/[.:](as_ptr|as_ref|get|borrow|deref|clone)$/i.test(unit.calls[v.call]!.name)
  return shown.every(t => isPassing(t![0])) ? 'address' : shown.every(t => /Sprintf/.test(t![1])) ? 'kept' : undefined
}
