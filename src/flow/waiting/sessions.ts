// A program that a Ginkgo suite runs by gexec writes and ends when it likes: who has waited for a part of its output has not waited for
// the next, nor for its end.

import type { Call, Unit, Value } from '../../facts/facts.ts'

const LATER = /(^|\.)(Say|Exit)$/, ENDS = /(^|\.)Exit$/
const rootOf = (value: Value | undefined): string | undefined => (value?.is === 'name' ? value.path.split('.')[0] : undefined)

/** The first `Expect(session).To(Say(…))` of each session that an `Eventually(session)` before it has shown to be still running. */
export function* glancesAtSessions(unit: Unit): Generator<{ readonly look: Call; readonly waited: Call }> {
  const told = new Set<string>()
  const chains = unit.calls.flatMap(call => {
    const first = call.receiver?.is === 'call' ? firstOf(call, unit) : undefined
    const matcher = call.args[0]?.is === 'call' ? unit.calls[call.args[0].call]!.name : ''
    const session = first && rootOf(first.args[0])
    return session !== undefined && LATER.test(matcher)
      ? [{ call, session, waits: /\.Eventually\w*$/.test(first!.name), ends: ENDS.test(matcher) }]
      : []
  }).sort((a, b) => a.call.span.start - b.call.span.start)
  for (const { call, session, waits } of chains) {
    if (waits || told.has(session) || !/(^|\.)(To|Should)$/.test(call.name)) continue
    const before = chains.filter(c => c.session === session && c.waits && c.call.span.end <= call.span.start)
    if (before.length === 0 || before.some(b => b.ends) || isWaitedFor(session, call, unit)) continue
    told.add(session)
    yield { look: call, waited: before.at(-1)!.call }
  }
}

function firstOf(call: Call, unit: Unit): Call | undefined {
  let at: Call | undefined = call
  while (at && !/\.(Expect|Ω|Eventually)(WithOffset)?$/.test(at.name))
    at = at.receiver?.is === 'call'
      ? unit.calls[at.receiver.call]
      : undefined
  return at?.name.endsWith('WithOffset') ? undefined : at
}

/** `session.Wait()`, `waitForExit(session)`, `<-session.Exited`. */
const isWaitedFor = (session: string, look: Call, unit: Unit): boolean =>
  unit.calls.some(c =>
    c.span.end <= look.span.start && /wait|exit/i.test(c.name.slice(c.name.lastIndexOf('.') + 1)) && !LATER.test(c.name)
    && [c.receiver ?? undefined, ...c.args].some(v => rootOf(v) === session)
  ) || unit.calls.some(c => c.span.end <= look.span.start && /^<-/.test(c.name) && c.args.some(v => rootOf(v) === session))
