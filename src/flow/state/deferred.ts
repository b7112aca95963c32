// What a function of Go puts off until it returns, and what is over by then.

import type { Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { around, has, mentions, within } from '../../facts/query.ts'

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

const CONTEXT = /^testing\.(T|B|F|TB)\.Context$/
/** Makes one context of another: whoever is given that is told. One that is cut off from its end, or has no end, is alive. */
const DERIVES = /(^|\.)(context|signal)\.(With(?!outCancel)\w+|NotifyContext)$/

/**
 * `t.Cleanup(func() { shop.Shutdown(t.Context()) })`: the context of a test ends just before its clean-up begins. The calls in there that
 * are given it, as it is, kept or with a limit of its own.
 */
export function* givenEndedContext(unit: Unit): Generator<Call> {
  for (const call of unit.calls) {
    const cleanup = [...around(unit, call.in)].map(r => (r.kind === 'closure' && r.call !== undefined ? unit.calls[r.call]! : undefined))
      .find(c => c !== undefined && /^testing\.(T|B|F|TB)\.Cleanup$/.test(c.name))
    if (cleanup && !has(call, 'log') && !DERIVES.test(call.name) && !/(^|\.)context\.WithoutCancel$/.test(call.name)
      && call.args.some(a => isContextOf(cleanup, a, unit, call.span.start))) yield call
  }
}

/** The context of the test that the clean-up is of; that of a test around it lives on. */
function isContextOf(cleanup: Call, value: Value, unit: Unit, at: number, depth = 0): boolean {
  if (depth > 3) return false
  const inner = value.is === 'group' && value.of.length === 1 ? value.of[0]! : value
  if (inner.is === 'name') {
    const kept = unit.writes.findLast(w => w.target === inner.path && w.span.end <= at)
    return kept !== undefined && isContextOf(cleanup, kept.value, unit, kept.span.start, depth + 1)
  }
  const call = inner.is === 'call' ? unit.calls[inner.call]! : undefined
  if (!call) return false
  return DERIVES.test(call.name)
    ? call.args[0] !== undefined && isContextOf(cleanup, call.args[0], unit, call.span.start, depth + 1)
    : CONTEXT.test(call.name) && isSame(call.receiver, cleanup.receiver, unit)
}

/** `t` and `t`, or `s.T()` and `s.T()`. */
const isSame = (a: Value | null, b: Value | null, unit: Unit): boolean =>
  (a?.is === 'name' && b?.is === 'name' && a.path === b.path)
  || (a?.is === 'call' && b?.is === 'call' && unit.calls[a.call]!.name === unit.calls[b.call]!.name)
