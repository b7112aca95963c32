import type { Unit } from '../../facts/facts.ts'
import { has } from '../../facts/query.ts'
import { callsOf, isInside, type Work } from '../../flow/threads/background.ts'

/** `wg.Add(1)` only in there; who adds before the start may add more later on. */
export function joinsItself(unit: Unit, work: Work): boolean {
  const group = (
    c: Unit['calls'][number],
  ): string | undefined => c.name === 'sync.WaitGroup.Add' && c.receiver?.is === 'name' ? c.receiver.path : undefined
  const own = callsOf(work), joined = own.map(group).find(g => g !== undefined)
  // A group that it waits for itself is of those that it starts.
  const isOwn = own.some(c => c.name === 'sync.WaitGroup.Wait' && c.receiver?.is === 'name' && c.receiver.path === joined)
  return joined !== undefined && !isOwn && !unit.calls.some(c => !own.includes(c) && group(c) === joined)
}

/** `for { store.Put(x) }` with no way out, and nothing in it that could fail or wait. */
export const isEndless = ({ call, body, region }: Work): boolean =>
  call.name === 'go'
  && body.regions.some((r, at) =>
    r.kind === 'loop' && isInside(body, r.in, region) && !r.leaves && !r.counted && r.condition === undefined
    && !body.calls.some(c => isInside(body, c.in, at) && has(c, 'sync', 'sync-timed', 'exit', 'sleep'))
    && !body.regions.some(s => s.kind === 'select' && isInside(body, s.in, at))
  )

/** `for { if _, err := conn.Read(b); err != nil { t.Log(err); return } }`: it goes on until somebody closes, and tells nobody that it is over. */
export const readsOn = ({ call, body, region }: Work): boolean =>
  call.name === 'go'
  && body.regions.some(r => r.kind === 'loop' && isInside(body, r.in, region) && !r.counted && r.condition === undefined)
  && !body.regions.some(r => r.kind === 'select' && isInside(body, r.in, region))
  && !body.calls.some(c =>
    isInside(body, c.in, region) && (has(c, 'sync', 'sync-timed') || /(^|\.)(close|Done|[cC]ancel\w*|Signal|Broadcast)$/.test(c.name))
  )
  && !body.writes.some(w => w.target.endsWith('<-') && isInside(body, w.in, region))

/** Somebody stops the thing whose method runs there. */
export function isStopped(unit: Unit, work: Work): boolean {
  const own = callsOf(work).flatMap(c => (c.receiver?.is === 'name' ? [c.receiver.path] : []))
  return unit.calls.some(c =>
    /(^|\.)(Stop|Close|Shutdown|Quit|Cancel)\w*$/.test(c.name) && c.receiver?.is === 'name' && own.includes(c.receiver.path)
  )
}

/** What a test ends with: who calls it in a timer waits for that timer. */
export const ENDS = /^(done|resolve|reject)(\.|$)/
/** Shorter ones are mostly waited for in a way that nobody can see. */
export const LONG_MS = 5000
