import { has, isTestCode, valuesIn } from '../../facts/query.ts'
import type { Call, Unit } from '../../facts/facts.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

export default defineRule(
  {
    id: 'network-idle-wait', title: 'A test waits until the network is quiet instead of waiting for what it needs', category: 'waiting', severity: 'warning',
    triggers: ['idle-wait'], words: ['networkidle'], confirm: ['latency-inject'], cap: 'medium', crowds: 5, since: '0.2.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      // A test of the waiting itself.
      if (/idle/i.test(unit.title)) continue
      for (const call of unit.calls)
        if (has(call, 'idle-wait') || asksForIdle(call, unit))
          yield {
            // Puppeteer, whose states these are, has little else to wait with.
            at: call.span, unit: unit.id, confidence: has(call, 'idle-wait') || asksForIdle(call, unit, /^networkidle[02]$/) ? 'low' : confidenceOf(call),
            message: 'waits until nothing was sent for half a second: a slow request comes after it, and one that never ends keeps it for ever',
          }
    }
  },
)

const TAKES_STATE = /(^|\.)(waitForLoadState|wait_for_load_state|goto|reload|setContent|set_content|waitForNavigation|goBack|goForward|go_back|go_forward|waitForURL|wait_for_url)$/

/** `goto(url, { waitUntil: 'networkidle' })`, `wait_for_load_state("networkidle")`. */
const asksForIdle = (call: Call, unit: Unit, states = /^networkidle[02]?$/): boolean =>
  TAKES_STATE.test(call.name) && [...call.args, ...Object.values(call.named)].some(a => [...valuesIn(a, unit)].some(v => v.is === 'literal' && states.test(String(v.value))))
