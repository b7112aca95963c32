import { effectOf, frozenClock } from '../../facts/query.ts'
import { awaitCall, gatherLoop } from '../../fixes/awaiting.ts'
import { leftOnPages } from '../../flow/waiting/coroutines.ts'
import { assertedPromises, floatingPromises, leftListening, leftToCallbacks, pipedAway,
  unawaitedLoops } from '../../flow/waiting/promises.ts'
import { defineRule } from '../rule.ts'
import { alwaysSaysNo, isOfOld, isSafe, judge, shortName } from './signs.ts'

export default defineRule(
  {
    id: 'unawaited-async',
    title: 'Nobody waits for something asynchronous that a test begins',
    category: 'waiting',
    severity: 'warning',
    triggers: ['promise'],
    words: {
      typescript: ['\\bcreateWriteStream\\(', '\\bawait\\b', '\\basync\\b', '\\.then\\(', '\\.listen\\(', '\\breadFile\\(',
        '\\bexec(?:File)?\\('],
      python: ['\\basync def\\b', '@(?:\\w+\\.)*(?:coroutine|gen_test|inlineCallbacks)\\b', '\\.stop(?:Listening|Service)\\(\\)'],
      java: ['\\n\\s+[^=;\\n]*[\\w)]\\.\\w+Async\\([^;\\n]*\\);'],
    },
    confirm: ['latency-inject'],
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const floating of floatingPromises(facts)) {
      const { unit, call } = floating
      // With a clock that stands still, nothing goes on by itself: the test moves the clock and then looks.
      if (frozenClock(facts, unit, call.span.start) && !effectOf(call, 'promise')?.note) continue
      // A call that is there for the compiler to refuse.
      if (/@ts-expect-error[^\n]*\n[^\n]*$/.test(view.textOf({ start: Math.max(0, call.span.start - 200), end: call.span.start }))) continue
      // `handlers[0](order)`: who is called has no name to be known by.
      if (shortName(call.name) === '') continue
      // A wait whose look always says no is never over: it only listens.
      if (floating.known === 'named' && alwaysSaysNo(view, unit, call)) continue
      const told = judge(floating, facts.language), said = isOfOld(facts, call) ? { ...told, confidence: 'low' as const } : told
      yield { at: call.span, unit: unit.id, ...said,
        fixes: awaitCall(view, unit, call, said.confidence === 'high' && isSafe(floating, view)) }
    }
    for (const { unit, call, claims } of leftOnPages(facts))
      yield { at: call.span, unit: unit.id, confidence: 'medium',
        message: `\`${shortName(call.name)}\` gives a coroutine that nobody awaits: ${
          claims ? 'nothing is claimed here' : 'it does not even begin'
        }` }
    for (const { unit, call, what } of leftToCallbacks(facts))
      if (!frozenClock(facts, unit, call.span.start))
        yield { at: call.span, unit: unit.id, confidence: 'medium', message: what
          ? `\`${what}\` is set when \`${shortName(call.name)}\` calls back, and nobody waits until it does`
          : `nobody waits for what \`${shortName(call.name)}\` is given: the hook is over before it runs` }
    for (const { unit, call, sure } of leftListening(facts))
      yield { at: call.span, unit: unit.id, confidence: sure ? 'medium' : 'low',
        message: `\`${shortName(call.name)}\` gives a Deferred that nobody waits for: the next test may find the port still taken` }
    for (const { unit, call } of pipedAway(facts))
      yield { at: call.span, unit: unit.id, confidence: 'medium',
        message: 'nobody waits until the file is written: what follows may find a part of it' }
    for (const { unit, call } of assertedPromises(facts))
      yield { at: call.span, unit: unit.id, confidence: 'high',
        message: `\`${shortName(call.name)}\` gives a promise, and the promise itself is asserted: it is always there` }
    for (const { unit, call } of unawaitedLoops(facts))
      yield { at: call.span, unit: unit.id,
        message: `\`${shortName(call.name)}\` does not wait for the async function it is given: what follows comes too early`,
        confidence: 'high', fixes: gatherLoop(view, unit, call) }
  },
)
