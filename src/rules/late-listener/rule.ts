import type { Call, Unit } from '../../facts/facts.ts'
import { effectOf, has, isTestCode, polls } from '../../facts/query.ts'
import { actsOnPage, hasHappened, lastBefore, loadsPage, rootOf } from '../../flow/pages.ts'
import { defineRule, type Report } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

/** Events that a method of the same thing brings about, sooner or later. */
const BROUGHT_BY: Readonly<Record<string, RegExp>> = {
  emit: /./, listen: /^listening$/, connect: /^(connect|ready)$/, close: /^close$/, end: /^(close|end|finish)$/, destroy: /^close$/, kill: /^(exit|close)$/, terminate: /^(exit|close)$/, disconnect: /^disconnect$/,
}

export default defineRule(
  {
    id: 'late-listener', title: 'A test begins to wait for an event after what brings it about', category: 'waiting', severity: 'warning',
    triggers: ['wait-event'], words: { java: ['[mM]ock\\w*\\.expected\\w*\\('] }, confirm: ['latency-inject', 'cpu-stress'], since: '0.2.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const call of unit.calls) {
        const waits = effectOf(call, 'wait-event')
        if (!waits || !hasHappened(call) || polls(unit, call.in)) continue
        const report = waits.what === 'emitter' ? ofEmitter(unit, call) : ofPage(unit, call)
        if (report) yield { unit: unit.id, at: call.span, ...report }
      }
      const late = lateExpectation(unit)
      if (late) yield { unit: unit.id, at: late.start.span, confidence: 'medium', message: 'starts what sends by itself before the mock knows what to expect', related: [{ span: late.expects.span, message: 'expected only here' }] }
    }
  },
)

type Said = Pick<Report, 'message' | 'confidence' | 'related'> | undefined

/** `await page.click('a'); await page.waitForResponse(…)`. */
function ofPage(unit: Unit, wait: Call): Said {
  const before = lastBefore(unit, wait, c => hasHappened(c) && c.result !== 'used' && (c.result === 'awaited' || c.result === 'discarded') && !has(c, 'log'))
  if (!before || !(actsOnPage(before) || loadsPage(before))) return undefined
  const page = rootOf(wait.receiver, unit)
  const root = rootOf(before.receiver, unit)
  // An element or a frame was got from some page; another page is another page.
  if (page !== undefined && root !== undefined && page !== root && /page/i.test(root)) return undefined
  return {
    message: 'begins to wait after what it waits for was set off: an event that came at once is missed', confidence: root !== page ? 'medium' : /page$/i.test(page ?? '') ? 'high' : confidenceOf(wait),
    related: [{ span: before.span, message: 'this sets it off' }],
  }
}

/** `server.listen(0); await other(); await once(server, 'listening')`. */
function ofEmitter(unit: Unit, wait: Call): Said {
  const [emitter, event] = wait.args
  if (emitter?.is !== 'name' || event?.is !== 'literal' || typeof event.value !== 'string') return undefined
  const name = event.value
  const cause = lastBefore(unit, wait, c => c.result !== 'awaited' && c.in === wait.in && rootOf(c.receiver, unit) === emitter.path && BROUGHT_BY[/[^.:]*$/.exec(c.name)![0]]?.test(name) === true)
  if (!cause || (/emit$/.test(cause.name) && !(cause.args[0]?.is === 'literal' && cause.args[0].value === name))) return undefined
  const now = /emit$/.test(cause.name)
  // Until the first await nothing else runs, so no event of a socket or server can have come.
  const between = unit.calls.find(c => c.span.start >= cause.span.end && c.span.end <= wait.span.start && c.result === 'awaited') ?? unit.awaits?.find(a => a.span.start >= cause.span.end && a.span.end <= wait.span.start)
  if (!now && !between) return undefined
  return {
    message: now ? `waits for «${name}» after it was emitted: that one is missed` : `begins to wait for «${name}» after another wait: it may have come in the meantime`,
    confidence: now ? 'high' : 'medium', related: [{ span: cause.span, message: 'this sets it off' }],
  }
}

/** `context.start(); mock.expectedMessageCount(1); mock.assertIsSatisfied()`: nothing that the test sends comes after it. */
function lateExpectation({ calls }: Unit): { readonly start: Call; readonly expects: Call } | undefined {
  const expects = calls.find(c => /MockEndpoint\.expected\w+$/.test(c.name))
  const start = expects && calls.findLast(c => /(^|[.])start$/.test(c.name) && c.receiver?.is === 'name' && /context$/i.test(c.receiver.path) && c.span.end < expects.span.start)
  return start && !calls.some(c => c.span.start > start.span.end && /[.](send|request|asyncSend|asyncRequest|write|put|copy|move|publish|create)\w*$/.test(c.name)) ? { start, expects: expects! } : undefined
}
