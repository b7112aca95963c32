import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'

export const SEQUENTIAL = /^(\d\d)-.*\.bats$/

export const split = (
  path: string,
): [string, string] => [path.slice(0, Math.max(0, path.lastIndexOf('/'))), path.slice(path.lastIndexOf('/') + 1)]
export const hook = (facts: FileFacts, name: string): Unit | undefined => facts.units.find(u => u.name === name && u.role.is === 'hook')
export const text = (value: Value | undefined): string | undefined => (value?.is === 'literal' ? String(value.value) : undefined)
const firstLine = (facts: FileFacts): Span => ({ start: 0, end: Math.min(1, facts.units[0]?.span.end ?? 0) })

export function called(facts: FileFacts, hookName: string, name: string): { unit: Unit; call: Call } | { at: Span; unit: number } {
  const unit = hook(facts, hookName)
  const call = unit?.calls.find(c => c.name === name)
  return unit && call ? { unit, call } : { at: unit?.nameSpan ?? firstLine(facts), unit: unit?.id ?? 0 }
}
