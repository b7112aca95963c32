import type { Call, FileFacts, Unit } from '../../facts/facts.ts'
import { frozenClock, has, isCalledElsewhere, isTestCode, polls, runsIn, testOf, within } from '../../facts/query.ts'
import { defineRule } from '../rule.ts'
import { spell } from '../wording.ts'

/** Below the first a loaded machine misses it often, below the second now and then; from the third on, readers shrug. */
const TIGHT_MS = 100, SHORT_MS = 1000, NOISY_MS = 250

export default defineRule(
  {
    id: 'tight-timeout', title: 'Something must succeed within a time limit that a busy machine misses', category: 'waiting', severity: 'warning',
    triggers: ['timeout', 'sync-timed'], confirm: ['cpu-stress'], since: '0.1.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || expectsTimeout(facts, unit) || isCalledElsewhere(facts, unit)) continue
      for (const call of unit.calls) {
        const limit = call.effects.find(e => e.kind === 'timeout' || e.kind === 'sync-timed')
        if (limit?.ms === undefined || limit.ms <= 0 || limit.ms >= SHORT_MS) continue
        if (polls(unit, call.in) || runsIn(unit, call.in) === 'spawn' || expectsFailure(unit, call) || frozenClock(facts, unit, call.span.start)) continue
        const tight = limit.ms < TIGHT_MS
        yield {
          at: call.span, unit: unit.id, confidence: limit.ms >= NOISY_MS || (call.resolution === 'guess' && !tight) ? 'low' : 'medium', ...(!tight && { severity: 'note' as const }),
          message: `gives it ${spell(limit.ms)} of real time: a busy machine needs longer`,
        }
      }
    }
  },
)

const ABOUT_TIME = /time_?d?_?out|timeout|timelimit|deadline|expir|ttl|slow|cancel|abort|latency|delay/i

/** A test of timeouts wants its limit to pass. */
const expectsTimeout = (facts: FileFacts, unit: Unit): boolean => ABOUT_TIME.test(testOf(facts, unit)?.name ?? unit.name)

function expectsFailure(unit: Unit, call: Call): boolean {
  if (within(unit, call.in, 'try')) return true
  for (let at = call.in; at !== 0; at = unit.regions[at]!.in) {
    const around = unit.regions[at]!.call
    if (around !== undefined && (has(unit.calls[around]!, 'inline') || /raises|throws|rejects|fail|error/i.test(unit.calls[around]!.name))) return true
  }
  return unit.assertions.some(a => (a.claims === 'absence' || a.compare === 'throws') && a.span.start <= call.span.start && a.span.end >= call.span.end)
    || unit.assertions.find(a => a.span.start >= call.span.end)?.compare === 'throws'
    || unit.assertions.find(a => a.span.end >= call.span.start)?.claims === 'absence'
}
