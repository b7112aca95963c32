import { effectOf } from '../../facts/query.ts'
import { commentLine } from '../../fixes/bats.ts'
import { defineRule } from '../rule.ts'
import { beginningOf } from '../wording.ts'

export default defineRule(
  {
    id: 'bats-fd-three-without-hash', title: 'A line is sent to bats’ terminal without the «# » that keeps it out of the results', category: 'masking', severity: 'warning',
    triggers: [], words: { bash: ['>\\s*&\\s*3\\b', '/dev/fd/3\\b'] }, confirm: ['repeat'], cap: 'medium', since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    if (!/\.(bats|bash)$/.test(facts.path)) return
    for (const unit of facts.units)
      for (const call of unit.calls) {
        const to = call.named['>&']
        if (to?.is !== 'literal' || to.value !== 3 || !effectOf(call, 'log')) continue
        // What was put together elsewhere may have its sign already.
        const begins = beginningOf(call, call.name === 'echo' ? /^-[neE]+$/ : /^--$/)
        if (begins === undefined || begins === '' || begins.startsWith('#') || begins.startsWith('%')) continue
        yield { at: call.span, unit: unit.id, confidence: 'high', message: `«${begins.slice(0, 40)}» goes into the TAP stream as if it were a result: a line for the reader begins with «# »`, fixes: commentLine(view, call) }
      }
  },
)
