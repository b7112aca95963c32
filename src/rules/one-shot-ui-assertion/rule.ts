import type { Assertion, Call, Unit } from '../../facts/facts.ts'
import { has, isTestCode, polls, valuesIn } from '../../facts/query.ts'
import { actsOnPage, actsThrough, asksOnce, hasHappened, lastBefore, textIn, waitsBetween } from '../../flow/waiting/pages.ts'
import { defineRule } from '../rule.ts'

export default defineRule(
  {
    id: 'one-shot-ui-assertion',
    title: 'A test looks at a page once, right after it did something to it',
    category: 'waiting',
    severity: 'warning',
    triggers: ['ui-read'],
    words: { typescript: ['\\.(?:evaluate(?:All)?|boundingBox|\\$\\$?eval|all)\\(', '\\bpage\\.url\\(\\)'],
      python: ['\\.(?:evaluate|bounding_box)\\(', '\\.find_element\\w*\\([^\\n]*\\)\\s*\\.(?:text|get_)'] },
    confirm: ['latency-inject', 'cpu-stress'],
    cap: 'medium',
    crowds: 5,
    since: '0.2.0',
  },
  function* ({ facts, textOf }) {
    let told = false
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const assertion of unit.assertions) {
        if (polls(unit, assertion.in)) continue
        const shown = facts.language === 'python' ? textIn(unit, assertion, textOf) : undefined
        const read = readIn(unit, assertion) ?? shown
        const act = read && lastBefore(unit, read, c => (actsOnPage(c) && hasHappened(c)) || actsThrough(facts.units, c))
        if (!read || !act || waitsBetween(unit, act, read)) continue
        told = true
        yield {
          at: assertion.span,
          unit: unit.id,
          confidence: read.resolution === 'type' && read !== shown && act.target === undefined ? 'high' : 'medium',
          message: `\`${
            read.name.replace(/^\?\.|^[\w.]+\.(?=[A-Z]\w*\.\w+$)/, '')
          }\` tells what the page shows at this moment: it may not have caught up with what was done to it`,
          related: [{ span: act.span, message: 'the page goes on from here by itself' }],
        }
      }
    }
    for (const unit of facts.units) {
      const asked = told || !isTestCode(facts, unit)
        ? undefined
        : unit.assertions.map(at => ({ at, ask: asksOnce(unit, at) })).find(a => a.ask)
      if (!asked) continue
      // Scripts and addresses are asked for in many a test of a file: one word for all of them.
      told = /[eE]val|url$/.test(asked.ask!.name)
      yield { at: asked.at.span, unit: unit.id, confidence: 'medium',
        message: `\`${asked.ask!.name.replace(/^\?\./, '')}\` is asked once, and nothing asks again: the page may still be on its way` }
    }
  },
)

/** `(await output.innerText()).split('\\n')`: what is done to a text leaves it what it was. */
const readBehind = (call: Call, unit: Unit): Call =>
  call.receiver?.is === 'call' && /[.](split|trim\w*|replace(All)?|slice|substring|match|to(Lower|Upper)Case)$/.test(call.name)
    ? readBehind(unit.calls[call.receiver.call]!, unit)
    : call

/** The reading that an assertion speaks of: in its operands, or in a variable that is compared. */
function readIn(unit: Unit, assertion: Assertion): Call | undefined {
  for (const operand of assertion.operands)
    for (const value of valuesIn(operand, unit)) {
      const made = value.is === 'name'
        ? unit.writes.findLast(w => w.target === value.path && w.span.end <= assertion.span.start)?.value
        : value
      const call = made?.is === 'call' ? readBehind(unit.calls[made.call]!, unit) : undefined
      if (call && has(call, 'ui-read') && !polls(unit, call.in)) return call
    }
  return undefined
}
