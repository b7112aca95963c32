// What a function of Go puts off until it returns, and what is over by then.

import type { Call, FileFacts, Unit } from '../../facts/facts.ts'
import { mentions, within } from '../../facts/query.ts'

interface Deferred {
  readonly call: Call
  /** What is over once it was called: a server that is closed, a folder that is removed, the context of a `cancel`. */
  readonly names: readonly string[]
}

/** What ends something; a lock that is given back or a line in a log ends nothing. */
const ENDS =
  /(^|[.])(Close|Stop|Shutdown|ShutdownNow|Kill|RemoveAll|Remove|Terminate|Teardown|TearDown|Cleanup|Disconnect|GracefulStop|cancel\w*|stop\w*|close\w*|cleanup\w*|teardown\w*)$/i

function* deferredIn(unit: Unit): Generator<Deferred> {
  for (const call of unit.calls) {
    if (!within(unit, call.in, 'finally') || within(unit, call.in, 'closure') || !ENDS.test(call.name)) continue
    const owner = call.receiver?.is === 'name' ? [call.receiver.path.split('.')[0]!] : []
    const given = call.args.flatMap(a => (a.is === 'name' ? [a.path.split('.')[0]!] : []))
    yield { call, names: [...owner, ...given, ...(owner.length + given.length === 0 ? madeWith(unit, call.name) : [])] }
  }
}

/**
 * `defer server.Close()` beside `t.Run(…, func(t) { t.Parallel() … })`: the deferred call comes when the function returns, and only then do
 * its parallel subtests go on.
 */
export function* overBefore(facts: Pick<FileFacts, 'units' | 'language'>,
  unit: Unit): Generator<{ readonly call: Call; readonly used: string; readonly parent: Unit }>
{
  const parent = facts.language === 'go' && unit.markers.some(m => m.is === 'parallel') ? facts.units[unit.parent ?? -1] : undefined
  for (const { call, names } of parent && parent.role.is !== 'module' ? deferredIn(parent) : []) {
    const used = names.find(n => mentions(unit, n) && !unit.writes.some(w => w.declares && w.target === n))
    if (used !== undefined) yield { call, used, parent: parent! }
  }
}

/** `ctx, cancel := context.WithCancel(…)`: what came from the same call as the function. */
function madeWith(unit: Unit, name: string): string[] {
  const made = unit.writes.find(w => w.target === name && w.declares)
  return made
    ? unit.writes.filter(w => w !== made && w.declares && w.span.start === made.span.start && !/^(_|err)$/.test(w.target)).map(w =>
      w.target
    )
    : []
}
