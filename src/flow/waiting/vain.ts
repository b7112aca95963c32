// Polls that do not look twice: what is asserted in them fails the test itself, not the look.

import type { Assertion, Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { closureOf, has, runsIn, within } from '../../facts/query.ts'
import { handedOver, isInside } from '../threads/background.ts'

type File = Pick<FileFacts, 'units' | 'kind'>

export interface Vain {
  readonly call: Call
  readonly poll: Call
  readonly sure: boolean
}

/** Go: the first assertion inside of a poll that is given the test itself: `Eventually(func() bool { assert.Equal(t, …) … })`. */
export function* assertedInPolls(file: File, unit: Unit): Generator<Vain> {
  for (const [at, region] of unit.regions.entries()) {
    const poll = region.kind === 'closure' && region.call !== undefined ? unit.calls[region.call]! : undefined
    const teller = poll && tellerOf(file, poll)
    // A name that the closure gives anew, as EventuallyWithT does, is another one.
    if (!teller || unit.writes.some(w => w.declares && w.target === teller && isInside(unit, w.in, at))) continue
    const own = unit.calls.filter(c =>
      c.in !== 0 && isInside(unit, c.in, at) && fails(file, unit, c, teller) && !isSettled(unit, c, teller, region.span.start)
    )
    // What is given back is what was waited for; that there is no error is asked beforehand.
    const call = own.find(c => c.result === 'returned') ?? own.find(c => !/Error\w*$/.test(c.name)) ?? own[0]
    // That the question itself could be asked is often sure; who goes on after an error expects one.
    if (call) yield { call, poll, sure: call.result === 'returned' || !/Error\w*$/.test(call.name) || !has(call, 'exit') }
  }
}

/** `require.NotNil(t, shop)` of what the test had before the poll and nobody changes since: it holds at every look. */
function isSettled(unit: Unit, { args }: Call, teller: string, since: number): boolean {
  const names = args.flatMap(a => (a.is === 'name' && a.path !== teller ? [a.path] : []))
  const isPlain = args.every(a => a.is === 'name' || a.is === 'literal')
  return isPlain && names.length > 0
    && names.every(n => {
      const writes = unit.writes.filter(w => w.target === n)
      return writes.length > 0 && writes.every(w => w.span.end <= since && runsIn(unit, w.in) === 'inline')
    })
}

/** By which name the test goes in a poll that knows nothing of assertions. */
function tellerOf(file: File, poll: Call): string | undefined {
  if (/(^|\.)Eventuallyf?(WithT)?f?$/.test(poll.name))
    return poll.receiver?.is === 'name' ? poll.receiver.path : poll.args[0]?.is === 'name' ? poll.args[0].path : undefined
  // Whoever can say no looks for something else, and may assert on purpose what must hold once that is there.
  const asks = /^k8s\.io\/apimachinery\/pkg\/util\/wait\.Poll/.test(poll.name) || isOwnPoller(file, poll)
  return asks && poll.args.some(isAlwaysTrue) ? 't' : undefined
}

/** Who calls Fatal there has seen what must not be, and ends the poll on purpose. */
const FAILS =
  /(^|\.)(Equal|EqualValues|NotEqual|NoError|Error|ErrorIs|Len|True|False|Nil|NotNil|Contains|NotContains|Empty|NotEmpty|Greater\w*|Less\w*|ElementsMatch|JSONEq)$/
const HELPS = /(^|\.)([aA]ssert|[rR]equire)[A-Z]\w*$/

function fails(file: File, unit: Unit, call: Call, teller: string): boolean {
  if (FAILS.test(call.name)) return tells(unit, call, teller)
  // What such a helper gives to go on with was asked for; what it claims comes back as an answer, or not at all.
  if (call.result === 'used' || call.args[0]?.is !== 'name' || call.args[0].path !== teller) return false
  // One of another file may look again by itself: it counts where its answer is all that the poll has.
  if (call.target === undefined)
    return call.resolution === 'import' && call.result === 'returned' && HELPS.test(call.name) && !/Error\w*$/.test(call.name)
  const helper = file.units[call.target]!, own = helper.params[0]
  return /(^|\.)([aA]ssert|[rR]equire|[cC]heck)[A-Z]\w*$/.test(call.name) && own !== undefined
    && helper.calls.some(c => c.in === 0 && FAILS.test(c.name) && !/Error$/.test(c.name) && tells(helper, c, own))
}

/** `assert.Equal(t, …)`, `s.Equal(…)`, `s.Require().Equal(…)`. */
function tells(unit: Unit, { receiver, args }: Call, teller: string): boolean {
  if (args[0]?.is === 'name' && args[0].path === teller) return true
  if (receiver?.is === 'call') return tells(unit, { ...unit.calls[receiver.call]!, args: [] }, teller)
  return receiver?.is === 'name' && receiver.path === teller
}

/**
 * `waitUntil(() => { expect(sold()).toBe(3); return true })`, where the one that looks catches nothing: it never hears a no. Whoever gives
 * back something else may assert on purpose what must hold at every look.
 */
export function* assertedInOwnPolls(file: File,
  unit: Unit): Generator<{ readonly body: Unit; readonly at: Assertion; readonly poll: Call }>
{
  for (const poll of unit.calls) {
    if (!isOwnPoller(file, poll) && !isStrict(poll)) continue
    for (const { body, region } of contentLooks(file, unit, poll)) {
      const at = body.assertions.find(a => isInside(body, a.in, region) && !within(body, a.in, 'try', 'if', 'else'))
      if (at) yield { body, at, poll }
    }
  }
}

/** What a poll is given to look with, where all that it ever says is yes. */
function* contentLooks(file: File, unit: Unit, poll: Call): Generator<{ readonly body: Unit; readonly region: number }> {
  const closure = closureOf(unit, poll)
  if (closure >= 0 && poll.args.some(isAlwaysTrue)) yield { body: unit, region: closure }
  for (const value of poll.args) {
    const body = value.is === 'name' ? handedOver(file, unit, value.path) : undefined
    if (body && isAlwaysTrue({ is: 'group', of: body.returns })) yield { body, region: 0 }
  }
}

/** Pollers of libraries that let through whatever is thrown. */
const isStrict = ({ name, named }: Call): boolean =>
  /^(polling2?\.poll|waiting\.wait|p-wait-for(\.default)?)$/.test(name) && !named.ignore_exceptions && !named.expected_exceptions

/** A function of the file that calls what it is given in a loop, between pauses, until it is content; and catches nothing. */
function isOwnPoller(file: File, { target }: Call): boolean {
  const helper = target === undefined ? undefined : file.units[target]
  return helper !== undefined
    && helper.calls.some(c =>
      c.result !== 'discarded' && helper.params.some(p => c.name === p || (c.receiver?.is === 'name' && c.receiver.path === p))
      && within(helper, c.in, 'loop') && !within(helper, c.in, 'try', 'with')
      && helper.calls.some(s => has(s, 'sleep') && within(helper, s.in, 'loop'))
    )
}

const isAlwaysTrue = (v: Value): boolean =>
  v.is === 'group' && v.of.length > 0 && v.of.every(x => x.is === 'literal' && (x.value === true || x.value === null))
  && v.of.some(x => x.is === 'literal' && x.value === true)

/** Polls that look again only where what they are given says no, and assertions that fail the test itself. */
const ASKS = /gomega.*\.Eventually$|ConditionFactory\.until$/
const THROWS = /onsi\/gomega\.(?:Expect|Ω)$|(?:^|\.)(?:Assert|Assertions|Truth|MatcherAssert)\.(?:assert|fail)\w*$/

/** `await().until(() -> { assertEquals(3, sold()); return true; })`, unless it is told to go on whatever is thrown. */
export const assertedInAsks = (unit: Unit, poll: Call, region: number, textOf: (span: Span) => string): Call | undefined =>
  ASKS.test(poll.name) && !textOf(poll.span).includes('.ignoreException')
    ? unit.calls.find(c => isInside(unit, c.in, region) && THROWS.test(c.name) && !within(unit, c.in, 'try') && !isAsked(c))
    : undefined

/** `Exception e = assertThrows(…); return e instanceof …`: what is thrown is what the poll looks at. */
const isAsked = ({ name, result }: Call): boolean => /[.]assertThrows\w*$/.test(name) && result !== 'discarded'
