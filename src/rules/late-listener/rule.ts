import type { Call, Unit } from '../../facts/facts.ts'
import { effectOf, has, isTestCode, polls } from '../../facts/query.ts'
import { eventWaits, isEmit, lateListeners, lateSubscribers, setOff } from '../../flow/waiting/late.ts'
import { actsOnPage, hasHappened, lastBefore, loadsPage, rootOf } from '../../flow/waiting/pages.ts'
import { defineRule, type Report } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

export default defineRule(
  {
    id: 'late-listener',
    title: 'A test begins to wait for an event after what brings it about',
    category: 'waiting',
    severity: 'warning',
    triggers: ['wait-event'],
    confirm: ['latency-inject', 'cpu-stress'],
    since: '0.2.0',
    words: {
      java: ['[mM]ock\\w*\\.expected\\w*\\(', 'Listener\\([^;\\n]*\\n?[^;\\n]*\\bcountDown\\('],
      go: ['\\bsignal\\.Notify\\('],
      rust: ['\\bbroadcast::'],
      typescript: ['\\.on(?:ce)?\\(\\s*[\'"](?:exit|close|listening|connect|ready|open|online)[\'"]'],
    },
  },
  function* ({ facts, textOf }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const call of unit.calls) {
        const waits = effectOf(call, 'wait-event')
        if (!waits || waits.what === 'emitter' || !hasHappened(call) || polls(unit, call.in)) continue
        const report = ofPage(unit, call)
        if (report) yield { unit: unit.id, at: call.span, ...report }
      }
      for (const wait of eventWaits(unit)) {
        const cause = hasHappened(wait.call) && !polls(unit, wait.call.in) ? setOff(unit, wait, textOf) : undefined
        if (cause) yield { unit: unit.id, at: wait.call.span, ...ofEmitter(wait.event, cause) }
      }
      for (const { at, cause } of [...lateListeners(unit), ...lateSubscribers(unit)])
        yield {
          unit: unit.id,
          at: at.span,
          confidence: 'medium',
          message: 'begins to listen after what it listens for was set off: it may have come already',
          related: [{ span: cause.span, message: 'this sets it off' }],
        }
      const late = lateExpectation(unit)
      if (late)
        yield { unit: unit.id, at: late.start.span, confidence: 'medium',
          message: 'starts what sends by itself before the mock knows what to expect',
          related: [{ span: late.expects.span, message: 'expected only here' }] }
    }
  },
)

type Said = Pick<Report, 'message' | 'confidence' | 'related'> | undefined

/** `await page.click('a'); await page.waitForResponse(…)`. */
function ofPage(unit: Unit, wait: Call): Said {
  const before = lastBefore(unit, wait,
    c => hasHappened(c) && c.result !== 'used' && (c.result === 'awaited' || c.result === 'discarded') && !has(c, 'log'))
  if (!before || !(actsOnPage(before) || loadsPage(before))) return undefined
  const page = rootOf(wait.receiver, unit)
  const root = rootOf(before.receiver, unit)
  // An element or a frame was got from some page; another page is another page.
  if (page !== undefined && root !== undefined && page !== root && /page/i.test(root)) return undefined
  return {
    message: 'begins to wait after what it waits for was set off: an event that came at once is missed',
    confidence: root !== page ? 'medium' : /page$/i.test(page ?? '') ? 'high' : confidenceOf(wait),
    related: [{ span: before.span, message: 'this sets it off' }],
  }
}

/** `server.listen(0); await other(); await once(server, 'listening')`. */
const ofEmitter = (event: string, cause: Call): NonNullable<Said> => ({
  message: isEmit(cause)
    ? `waits for «${event}» after it was emitted: that one is missed`
    : `begins to wait for «${event}» after another wait: it may have come in the meantime`,
  confidence: isEmit(cause) ? 'high' : 'medium',
  related: [{ span: cause.span, message: 'this sets it off' }],
})

/** `context.start(); mock.expectedMessageCount(1); mock.assertIsSatisfied()`: nothing that the test sends comes after it. */
function lateExpectation({ calls }: Unit): { readonly start: Call; readonly expects: Call } | undefined {
  const expects = calls.find(c => /MockEndpoint\.expected\w+$/.test(c.name))
  const start = expects
    && calls.findLast(c =>
      /(^|[.])start$/.test(c.name) && c.receiver?.is === 'name' && /context$/i.test(c.receiver.path) && c.span.end < expects.span.start
    )
  return start
      && !calls.some(c =>
        c.span.start > start.span.end && /[.](send|request|asyncSend|asyncRequest|write|put|copy|move|publish|create)\w*$/.test(c.name)
      )
    ? { start, expects: expects! }
    : undefined
}
