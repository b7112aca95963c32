import type { Unit } from '../../facts/facts.ts'
import { frozenClock, has, isTestCode } from '../../facts/query.ts'
import { callsOf, isInside, isListener, isWaitedFor, keptIn, startedIn, type Work } from '../../flow/threads/background.ts'
import { fold } from '../../facts/fold.ts'
import { defineRule, type Confidence, type FileView } from '../rule.ts'
import { ENDS, isEndless, isStopped, joinsItself, LONG_MS, readsOn } from './signs.ts'

export default defineRule(
  {
    id: 'leaked-background-work',
    title: 'Work that a test starts is still going on when the test is over',
    category: 'state',
    severity: 'warning',
    triggers: [],
    confirm: ['repeat', 'shuffle-order'],
    since: '0.2.0',
    words: {
      go: ['\\bgo\\s+func\\b', '\\bgo\\s+\\w+\\(', '\\bgo\\s+[\\w.]+\\(context\\.(?:Background|TODO)\\(\\)'],
      python: ['\\bThread\\('],
      rust: ['\\b(?:thread|tokio|task)::spawn\\b'],
      typescript: ['\\bset(?:Interval|Timeout)\\('],
    },
  },
  function* (view) {
    for (const unit of view.facts.units) {
      if (unit.role.is !== 'test' || !isTestCode(view.facts, unit)) continue
      for (const work of startedIn(view.facts, unit)) {
        const said = judge(view, unit, work)
        if (said) yield { at: work.call.nameSpan, unit: unit.id, ...said }
      }
    }
  },
)

function judge({ facts, folding, textOf }: FileView, unit: Unit, work: Work): { confidence: Confidence; message: string } | undefined {
  const { call } = work
  if (isListener(call) || frozenClock(facts, unit, call.span.start)) return undefined
  if (/^set(Interval|Timeout)$/.test(call.name)) return timer(unit, work, Number(fold(call.args[1], unit, folding)))
  // Who waits for the group may do so before this one has joined it.
  if (call.name === 'go' && joinsItself(unit, work))
    return { confidence: 'high', message: 'the goroutine joins its WaitGroup itself: Wait may be over before it has begun' }
  // Assertions that may come too late are another rule's.
  if (work.body.assertions.some(a => isInside(work.body, a.in, work.region))) return undefined
  const speaks = callsOf(work).find(c => has(c, 'log') && /^testing\./.test(c.name))
  // What the test waits for is then something else.
  if (isWaitedFor(facts, unit, work, textOf) && !(speaks && readsOn(work))) return undefined
  if (speaks)
    return { confidence: 'medium',
      message: 'nobody waits for this goroutine, and it speaks to the test: after the end of the test that is a panic' }
  if (call.name === 'go' && callsOf(work).some(c => /^context\.(Background|TODO)$/.test(c.name)) && !isStopped(unit, work))
    return { confidence: 'low',
      message: 'nobody can end what this goroutine runs: its context is never cancelled, and it goes on beside the next tests' }
  if (isEndless(work))
    return { confidence: 'medium',
      message: 'this goroutine has no end: it goes on beside the next tests, and while this one is cleaned up' }
  return { confidence: 'low',
    message: `nobody waits for what ${call.name === 'go' ? 'this goroutine' : call.name} runs: it may go on during the next test` }
}

/** A timer that fires when the test is long over, or again and again. */
function timer(unit: Unit, { call, region }: Work, ms: number): { confidence: Confidence; message: string } | undefined {
  const stopped = unit.calls.some(c =>
    /^clear(Interval|Timeout)$|\.(unref|close|clear|refresh)$/.test(c.name)
    && (c.receiver === null || /unref|close|clear/.test(c.name) || keptIn(unit, call) !== undefined)
  )
  if (call.name === 'setInterval')
    return stopped || call.result !== 'discarded'
      ? undefined
      : { confidence: 'medium', message: 'starts a timer that nobody stops' }
  if (!(ms >= 1000) || call.result !== 'discarded' || unit.calls.some(c => /^clearTimeout$|\.unref$/.test(c.name))) return undefined
  const waits = [...unit.regions.entries()].some(([at, r]) =>
    r.kind === 'closure' && isInside(unit, call.in, at) && r.call !== undefined && unit.calls[r.call]!.name === 'Promise.new'
  )
  const ends = unit.calls.some(c =>
    isInside(unit, c.in, region) && (ENDS.test(c.name) || c.args.some(a => a.is === 'name' && ENDS.test(a.path)))
  )
  return waits || ends
    ? undefined
    : { confidence: ms >= LONG_MS ? 'medium' : 'low', message: `starts a timer of ${ms / 1000} s that may outlive the test` }
}
