// What the init script tells, line by line, and the records that follow from it.

import type { TestRecord } from '../../runner.ts'

export type GradleEvent =
  | { readonly e: 'task'; readonly roots: readonly string[]; readonly classes: readonly string[] }
  | { readonly e: 'start'; readonly type: string; readonly name: string }
  | { readonly e: 'end'; readonly type: string; readonly name: string; readonly outcome: 'SUCCESS' | 'FAILURE' | 'SKIPPED';
    readonly ms: number; readonly message: string | null }

type End = Extract<GradleEvent, { e: 'end' }>

export const readEvents = (text: string): GradleEvent[] =>
  text.split('\n').flatMap(line => {
    try {
      return [JSON.parse(line) as GradleEvent]
    } catch {
      return []
    }
  })

/** Gradle calls a method of JUnit 5 without parameters `adds()`: reports of other tools leave the empty ones out. */
const idOf = ({ type, name }: { readonly type: string; readonly name: string }): string => `${type}#${name.replace(/\(\)$/, '')}`

/** One record for each test, in the order of the starts. A test that was started and ended several times was tried again. */
export function recordsOf(events: readonly GradleEvent[], ended: string): TestRecord[] {
  const ids = [...new Set(events.flatMap(e => (e.e === 'start' ? [idOf(e)] : [])))]
  const ends = new Map<string, End[]>()
  for (const event of events) if (event.e === 'end') ends.set(idOf(event), [...(ends.get(idOf(event)) ?? []), event])
  return ids.map(id => {
    const tries = ends.get(id) ?? []
    const last = tries.at(-1)
    const record = { id, attempts: Math.max(tries.length, 1), setupMs: null, testMs: last?.ms ?? null, teardownMs: null }
    if (!last) return { ...record, outcome: 'fail', message: `the process ended during the test (${ended})` }
    const message = tries.find(t => t.message !== null)?.message
    return { ...record, outcome: last.outcome === 'SUCCESS' ? 'pass' : last.outcome === 'FAILURE' ? 'fail' : 'skip',
      ...(message && { message: message.split('\n').slice(0, 6).join('\n') }) }
  })
}

/** `shop.CartTest` of `shop.CartTest$WhenEmpty`. */
const outermost = (name: string): string => name.replace(/\$.*/, '')

/**
 * Classes that were to run and of which nothing was told, because a test ended the process: what it had told last may be lost with it, and
 * what was to come after it never began.
 */
export function unheardOf(events: readonly GradleEvent[]): string[] {
  const started = events.flatMap(e => (e.e === 'start' ? [e] : []))
  const ended = new Set(events.flatMap(e => (e.e === 'end' ? [idOf(e)] : [])))
  if (started.length > 0 && started.every(s => ended.has(idOf(s)))) return []
  const told = new Set(started.map(s => outermost(s.type)))
  return events.flatMap(e => (e.e === 'task' ? e.classes : [])).filter(c => c === outermost(c) && !told.has(c))
}
