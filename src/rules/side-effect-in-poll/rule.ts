import type { Call, Unit, Write } from '../../facts/facts.ts'
import { has, isTestCode, valuesIn, within } from '../../facts/query.ts'
import { isInside } from '../../flow/background.ts'
import { defineRule } from '../rule.ts'

const ACTS = /(^|[.:])(fireEvent|userEvent)\.\w+$|^\?\.(click|dblclick|type|submit|press|tap|send_keys|sendKeys)$/
/** Queries that wait themselves, by default as long as `waitFor` does. */
const FINDS = /\.find(All)?By(Role|Text|LabelText|PlaceholderText|TestId|AltText|Title|DisplayValue)$/
const TRIES = /(attempt|tries|try|retr|iter|poll|loop|round)\w*$|^[ijn]$/i

/** Polls that look again only where what they are given says no, and assertions that fail the test itself. */
const ASKS = /testify\/.*\.Eventually\w*$|gomega.*\.Eventually$|ConditionFactory\.until$/
const FAILS = /testify\/(?:assert|require|suite)\.(?:(?:Assertions|Suite)\.)?(?!Eventually|Never|ObjectsAre|Require$|Assert$|T$|New$)[A-Z]\w*$|onsi\/gomega\.(?:Expect|Ω)$|(?:^|\.)(?:Assert|Assertions|Truth|MatcherAssert)\.(?:assert|fail)\w*$/

export default defineRule(
  {
    id: 'side-effect-in-poll', title: 'A polling callback changes what it polls: how often it runs depends on the speed of the machine', category: 'waiting', severity: 'warning',
    triggers: [], confirm: ['latency-inject', 'cpu-stress'], crowds: 5, since: '0.2.0',
    words: { typescript: ['\\bwaitFor\\('], go: ['\\bEventually', '\\.Consistently'], java: ['(?<![.\\w])await\\(\\)'], python: ['\\bwait_(?:for|until)\\('] },
  },
  function* ({ facts, textOf }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const [region, r] of unit.regions.entries()) {
        const poll = r.kind === 'closure' && r.call !== undefined ? unit.calls[r.call] : undefined
        if (!poll || !has(poll, 'wait-until')) continue
        for (const write of unit.writes)
          if (write.adds && isInside(unit, write.in, region) && isCaptured(unit, write, region) && matters(unit, write, poll.span.end))
            yield { at: write.span, unit: unit.id, confidence: 'medium', message: `adds to ${write.target} at every turn of the poll, and nobody knows how many there are` }
        for (const call of unit.calls)
          if (ACTS.test(call.name) && isInside(unit, call.in, region))
            yield { at: call.span, unit: unit.id, confidence: call.resolution === 'guess' ? 'low' : 'medium', message: `${textOf(call.nameSpan)} acts at every turn of the poll, and nobody knows how many there are` }
        for (const call of unit.calls)
          if (FINDS.test(call.name) && /(^|\.)waitFor$/.test(poll.name) && isInside(unit, call.in, region) && Object.keys(poll.named).length === 0)
            yield { at: call.span, unit: unit.id, confidence: 'medium', message: `${textOf(call.nameSpan)} waits by itself as long as the poll around it: there is no second look` }
        const fails = ASKS.test(poll.name) ? unit.calls.filter(c => isInside(unit, c.in, region) && FAILS.test(c.name) && isOuter(unit, c, region)) : []
        for (const [at, call] of fails.entries())
          if (at === 0 || !/\.(NoError|Nil|NotNil)f?$/.test(call.name))
            yield { at: call.span, unit: unit.id, confidence: 'medium', message: `${textOf(call.nameSpan)} fails the test at the first look: the poll never gets to a second one` }
      }
    }
  },
)

/** It speaks to the test around, not to what the poll hands to its callback. */
const isOuter = (unit: Unit, call: Call, region: number): boolean => {
  const to = call.receiver ?? call.args[0]
  if (within(unit, call.in, 'try')) return false
  if (!/testify/.test(call.name)) return true
  return to !== undefined && [...valuesIn(to, unit)].some(v => v.is === 'name' && !unit.writes.some(w => w.target === v.path.split('.')[0] && w.declares && isInside(unit, w.in, region)))
}

/** Neither born in the callback nor a mere count of the tries. */
const isCaptured = (unit: Unit, write: Write, region: number): boolean => {
  const name = write.target.split(/[.[]/)[0]!
  return !TRIES.test(write.target) && !unit.writes.some(w => w.target === name && w.declares && isInside(unit, w.in, region)) && !unit.writes.some(w => w.target === write.target && !w.adds && isInside(unit, w.in, region))
}

/** An assertion after the poll depends on it. */
const matters = (unit: Unit, write: Write, from: number): boolean =>
  unit.assertions.some(a => a.span.start > from && a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'name' && (v.path === write.target || v.path.startsWith(`${write.target}.`)))))
