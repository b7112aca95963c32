import { has, isTestCode, valuesIn } from '../../facts/query.ts'
import type { Unit, Value } from '../../facts/facts.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

export default defineRule(
  {
    id: 'network-idle-wait',
    title: 'A test waits until the network is quiet instead of waiting for what it needs',
    category: 'waiting',
    severity: 'warning',
    triggers: ['idle-wait'],
    words: ['networkidle'],
    confirm: ['latency-inject'],
    cap: 'medium',
    crowds: 5,
    since: '0.2.0',
  },
  function* ({ facts }) {
    // `const NAV = { waitUntil: 'networkidle' }`, by the name that it is kept in.
    const outer = facts.units.filter(u => u.role.is === 'module' || u.role.is === 'suite')
    const kept = new Map(
      outer.flatMap(u => u.writes.map(w => [w.target, stateIn(w.value, u)] as const)).filter(([, state]) => state !== undefined),
    )
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      // A test of the waiting itself.
      if (/idle/i.test(unit.title)) continue
      for (const call of unit.calls) {
        const state = TAKES_STATE.test(call.name)
          ? [...call.args, ...Object.values(call.named)].map(a => stateIn(a, unit, kept)).find(s => s !== undefined)
          : undefined
        if (has(call, 'idle-wait') || state !== undefined)
          yield {
            // Puppeteer, whose states these are, has little else to wait with.
            at: call.span,
            unit: unit.id,
            confidence: has(call, 'idle-wait') || /[02]$/.test(state ?? '') ? 'low' : confidenceOf(call),
            message:
              'waits until nothing was sent for half a second: a slow request comes after it, and one that never ends keeps it for ever',
          }
      }
    }
  },
)

const TAKES_STATE =
  /(^|\.)(waitForLoadState|wait_for_load_state|goto|reload|setContent|set_content|waitForNavigation|goBack|goForward|go_back|go_forward|waitForURL|wait_for_url)$/

/** `goto(url, { waitUntil: 'networkidle' })`, `wait_for_load_state("networkidle")`, and the same by a name of this unit or of the file. */
function stateIn(value: Value, unit: Unit, kept?: ReadonlyMap<string, string | undefined>): string | undefined {
  for (const v of valuesIn(value, unit)) {
    if (v.is === 'literal' && /^networkidle[02]?$/.test(String(v.value))) return String(v.value)
    if (v.is !== 'name' || !kept) continue
    const own = unit.writes.findLast(w => w.target === v.path)
    const state = own ? stateIn(own.value, unit) : kept.get(v.path)
    if (state !== undefined) return state
  }
  return undefined
}
