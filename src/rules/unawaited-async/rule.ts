import type { Language } from '../../facts/facts.ts'
import { effectOf, frozenClock, has, valuesIn } from '../../facts/query.ts'
import { awaitCall, endsByItself, gatherLoop, isSettledBefore } from '../../fixes/awaiting.ts'
import { leftOnPages } from '../../flow/waiting/coroutines.ts'
import { assertedPromises, floatingPromises, leftListening, leftToCallbacks, pipedAway, unawaitedLoops, type Floating } from '../../flow/waiting/promises.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

export default defineRule(
  {
    id: 'unawaited-async', title: 'Nobody waits for something asynchronous that a test begins', category: 'waiting', severity: 'warning',
    triggers: ['promise'], words: { typescript: ['\\bcreateWriteStream\\(', '\\bawait\\b', '\\basync\\b', '\\.then\\(', '\\.listen\\(', '\\breadFile\\(', '\\bexec(?:File)?\\('], python: ['\\basync def\\b', '\\.stop(?:Listening|Service)\\(\\)'], java: ['\\n\\s+[^=;\\n]*[\\w)]\\.\\w+Async\\([^;\\n]*\\);'] }, confirm: ['latency-inject'], since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const floating of floatingPromises(facts)) {
      const { unit, call } = floating
      // With a clock that stands still, nothing goes on by itself: the test moves the clock and then looks.
      if (frozenClock(facts, unit, call.span.start) && !effectOf(call, 'promise')?.note) continue
      // A call that is there for the compiler to refuse.
      if (/@ts-expect-error[^\n]*\n[^\n]*$/.test(view.textOf({ start: Math.max(0, call.span.start - 200), end: call.span.start }))) continue
      // A wait whose look always says no is never over: it only listens.
      if (floating.known === 'named' && alwaysSaysNo(view, unit, call)) continue
      const said = judge(floating, facts.language)
      yield { at: call.span, unit: unit.id, ...said, fixes: awaitCall(view, unit, call, said.confidence === 'high' && isSafe(floating, view)) }
    }
    for (const { unit, call, claims } of leftOnPages(facts))
      yield { at: call.span, unit: unit.id, confidence: 'medium', message: `\`${shortName(call.name)}\` gives a coroutine that nobody awaits: ${claims ? 'nothing is claimed here' : 'it does not even begin'}` }
    for (const { unit, call, what } of leftToCallbacks(facts))
      if (!frozenClock(facts, unit, call.span.start))
        yield { at: call.span, unit: unit.id, confidence: 'medium', message: what ? `\`${what}\` is set when \`${shortName(call.name)}\` calls back, and nobody waits until it does` : `nobody waits for what \`${shortName(call.name)}\` is given: the hook is over before it runs` }
    for (const { unit, call, sure } of leftListening(facts))
      yield { at: call.span, unit: unit.id, confidence: sure ? 'medium' : 'low', message: `\`${shortName(call.name)}\` gives a Deferred that nobody waits for: the next test may find the port still taken` }
    for (const { unit, call } of pipedAway(facts))
      yield { at: call.span, unit: unit.id, confidence: 'medium', message: 'nobody waits until the file is written: what follows may find a part of it' }
    for (const { unit, call } of assertedPromises(facts))
      yield { at: call.span, unit: unit.id, confidence: 'high', message: `\`${shortName(call.name)}\` gives a promise, and the promise itself is asserted: it is always there` }
    for (const { unit, call } of unawaitedLoops(facts))
      yield { at: call.span, unit: unit.id, message: `\`${shortName(call.name)}\` does not wait for the async function it is given: what follows comes too early`, confidence: 'high', fixes: gatherLoop(view, unit, call) }
  },
)

/**
 * Awaiting keeps what the test does where nothing later sets off what is waited for: the promise is made in the statement itself,
 * or only assertions follow; an async function of the file comes to its end by itself.
 */
function isSafe({ unit, call, known, sets }: Floating, { facts }: FileView): boolean {
  if (sets || known === 'seen') return false
  if (isSettledBefore(unit, call.span)) return true
  return known === 'local' ? endsByItself(facts, call) : effectOf(call, 'promise')?.note === 'asserts' && ![...valuesIn({ is: 'call', call: unit.calls.indexOf(call) }, unit)].some(v => v.is === 'name' && unit.writes.some(w => w.target === v.path))
}

function judge({ unit, call, known, times, sets, late, skipped, asserted, like }: Floating, language: Language): Pick<Report, 'message' | 'confidence' | 'severity'> {
  const name = shortName(call.name)
  // The note says what is lost: an assertion that nobody waits for cannot fail its test.
  if (effectOf(call, 'promise')?.note === 'asserts')
    return { message: `\`${name}\` gives a promise that nobody waits for: the test ends before it can fail`, confidence: confidenceOf(call), severity: 'error' }
  if (known === 'catalog')
    return { message: `\`${name}\` gives a promise that nobody waits for: what follows may come first`, confidence: sets ? (late ? 'high' : 'low') : effectOf(call, 'promise')?.note === 'task' ? (asserted ? 'medium' : 'low') : effectOf(call, 'promise')?.note === 'type' ? 'high' : confidenceOf(call) }
  if (known === 'named') return { message: /Async$/.test(name) ? `\`${name}\` goes on by itself, by its name, and nobody waits for it` : `\`${name}\` waits, by its name, and nobody waits for it`, confidence: /Async$/.test(name) ? 'low' : 'medium' }
  // In Python it does not begin by itself, whatever it is called.
  if (known === 'local')
    return { message: `\`${name}\` is asynchronous, and nobody waits for it here`, confidence: begins(call, unit) || (sets && !late) ? (language === 'python' && unit.async ? 'medium' : 'low') : sets ? 'medium' : 'high' }
  return { message: `\`${name}\` is waited for ${times} times in this file, but not here`, confidence: sets || begins(call, unit) || call.named.signal || like || !(skipped || times >= OFTEN) ? 'low' : isToldByDone(unit) ? 'medium' : 'high' }
}

/** `waitForOrder(shop, order => { seen.push(order); return false })`. */
const alwaysSaysNo = ({ textOf }: FileView, unit: Floating['unit'], call: Floating['call']): boolean => unit.regions.some(r => {
  const given = r.kind === 'closure' && r.call !== undefined && unit.calls[r.call] === call ? textOf(r.span).match(/\breturn\b[^;\n]*/g) : null
  return given !== null && given.every(said => /^return false\b/.test(said))
})

/** Whoever is called back when all is over need not wait for its parts. */
const isToldByDone = (unit: Floating['unit']): boolean => unit.role.is === 'test' && unit.params.some(p => /^_?(done|cb|callback|end|finish)$/i.test(p))

/** So often waited for that the one time it is not is a slip. */
const OFTEN = 10

/** Something that the test lets run beside it, by its name or by what it does. */
const begins = (call: Floating['call'], unit: Floating['unit']): boolean => has(call, 'spawn', 'start') || (/(^|[.:_])(start|run|serve|listen|loop|main|connect|emit|worker|consume|poll)/i.test(shortName(call.name)) && unit.role.is !== 'hook')

const shortName = (name: string): string => name.replace(/^\?\./, '')
