import type { Assertion, Call, Unit } from '../../facts/facts.ts'
import { assertionsAfter, effectOf, isCalledElsewhere, isTestCode, polls, runsIn, stillTime, testOf } from '../../facts/query.ts'
import { isPolledNext, isRaced } from '../../flow/waiting/sleeps.ts'
import { followsSync } from '../../flow/waiting/waiting.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf, duration, least } from '../wording.ts'

export default defineRule(
  {
    id: 'sleep-after-sync',
    title: 'A sleep after a synchronisation point: the latch, join or signal fires before the work is done',
    category: 'waiting',
    severity: 'error',
    triggers: ['sleep'],
    confirm: ['cpu-stress'],
    since: '0.1.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isCalledElsewhere(facts, unit)) continue
      for (const call of unit.calls) {
        const sleep = effectOf(call, 'sleep')
        if (!sleep || sleep.ms === 0 || polls(unit, call.in) || runsIn(unit, call.in) !== 'inline' || isRaced(unit, call)
          || stillTime(facts, unit, call.span.start)) continue
        const sync = followsSync(unit, call)
        if (!sync) continue
        const next = assertionsAfter(unit, call.span.end)[0]
        const asserted = next?.claims === 'presence' && !STAYS.test(testOf(facts, unit)?.name ?? '')
        yield {
          at: call.span,
          unit: unit.id,
          confidence: waitsAgain(unit, call, next) ? 'low' : asserted ? least(confidenceOf(call), confidenceOf(sync)) : 'medium',
          ...(!asserted && { severity: 'warning' as const }),
          message: `waits ${duration(sleep)} although it has just waited for ${
            shortName(sync.name)
          }: what was waited for does not mean that the work is done`,
          related: [{ span: sync.span, message: 'the synchronisation point' }],
        }
      }
    }
  },
)

/** A poll or a loop that looks again comes before the assertion, and waits for what the sleep was meant for. */
const waitsAgain = (unit: Unit, call: Call, next: Assertion | undefined): boolean =>
  isPolledNext(unit, call, next)
  || unit.regions.some((r, at) =>
    r.kind === 'loop' && r.span.start > call.span.end && (!next || r.span.start < next.span.end) && polls(unit, at)
  )

/** `does not abort`, `stays open`: the sleep lets time pass in which nothing is to happen. */
const STAYS = /\b(?:not|never|no longer|still|stays?|remains?|keeps?|without)\b/

const shortName = (name: string): string => name.replace(/^\?\./, '').split(/\.|::/).slice(-2).join('.')
