import type { Call, Unit } from '../../facts/facts.ts'
import { ancestors, effectOf, isTestCode, within } from '../../facts/query.ts'
import { closeAfterwards } from '../../fixes/endings.ts'
import { givenEndedContext } from '../../flow/state/deferred.ts'
import { consumed, endedLate, endsByItself, isClosed, isDrained, killedLate, leftByHook } from '../../flow/state/lifetimes.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf, least, lower } from '../wording.ts'

const LATE = (what: string, by: Call): string =>
  `opens a ${what} that «${by.name.replace(/^.*[.:]/, '')}» ends only when the assertions before it hold: where one fails, it goes on`
const BEFORE = (what: string): string => `opens a ${what} before the tests, and nothing in this file closes it after them`
const LEFT = 'a failure here leaves it behind'
const ENDED = (by: Call): string =>
  `gives «${
    by.name.replace(/^.*[.:]/, '')
  }» the context of the test, which is cancelled just before clean-up begins: it may give up and leave all as it is`

export default defineRule(
  {
    id: 'missing-cleanup',
    title: 'A test opens something and never closes it: the tests after it find it there',
    category: 'state',
    severity: 'warning',
    triggers: [],
    confirm: ['isolate', 'repeat'],
    cap: 'medium',
    since: '0.2.0',
    words: {
      bash: ['3>&?-?.{0,200}[^&|>]&[ \\t]*(?:\\n|#|$)'],
      go: ['httptest\\.New(?:TLS)?Server\\(', '\\bnet\\.Listen', '\\bexec\\.Command\\(', '\\b[tb]\\w*\\.Context\\(\\)',
        '\\bT\\(\\)\\.Context\\(\\)'],
      python: ['\\bPopen\\(', '\\bmkdtemp\\(', 'HTTPServer\\(', 'TCPServer\\('],
      rust: ['\\.(?:into_path|keep|spawn)\\(\\)'],
      typescript: ['\\bcreate(?:Secure)?Server\\(', '\\bchild_process\\b'],
      java: ['\\(\\s*new File(?:InputStream|OutputStream|Reader|Writer)\\(', '\\bnew (?:ServerSocket|MockWebServer|WireMockServer)\\(',
        '\\bHttpServer\\.create\\(', '\\bProcessBuilder\\b', '\\bnew\\w*Thread(?:Pool|Executor|ScheduledExecutor)\\('],
    },
  },
  function* (view) {
    const { facts, textOf } = view
    for (const unit of facts.units) {
      const left = isTestCode(facts, unit) ? consumed(unit) : undefined
      if (left)
        yield { at: left.span, unit: unit.id, confidence: 'medium',
          message: 'opens a file for this call alone, and nobody can close it: until it is collected, its handle stays open' }
      for (const call of isTestCode(facts, unit) ? givenEndedContext(unit) : [])
        yield { at: call.span, unit: unit.id, confidence: 'medium', message: ENDED(call) }
      const hook = unit.role.is === 'hook' && unit.role.when === 'before' && unit.role.per !== 'run' ? unit.role : undefined
      if (!isTestCode(facts, unit) || (unit.role.is !== 'test' && !hook)
        || ancestors(facts, unit).some(a => a.markers.some(m => m.is === 'benchmark'))) continue
      // A child that holds the runner's own output is worse, and another matter.
      for (const region of unit.regions.filter(r => r.kind === 'background' && /(?<![\w&])3>/.test(textOf(r.span)))) {
        const late = killedLate(facts, unit, region)
        if (late)
          yield { at: region.span, unit: unit.id, confidence: 'medium', message: LATE('process', late.by),
            related: [{ span: late.behind.span, message: LEFT }] }
      }
      for (const call of unit.calls) {
        const opens = effectOf(call, 'opens')
        if (!opens || within(unit, call.in, 'background', 'subshell')) continue
        const rest = (u: Unit, from: number) => textOf({ start: from, end: u.span.end })
        if (opens.note === 'leaks') {
          if (!unit.calls.some(c => /remove_dir_all$|remove_dir$/.test(c.name)))
            yield { at: call.nameSpan, unit: unit.id, confidence: lower('high'),
              message: 'takes the folder from the guard that would remove it: it stays after the test' }
          continue
        }
        const child = opens.what === 'process'
        if (child && endsByItself(unit, call, textOf(call.span))) continue
        if (hook) {
          const confidence = child || (hook.per === 'test' && !/^(folder|thread pool)$/.test(opens.what ?? ''))
            ? least(confidenceOf(call), lower('high'))
            : 'low'
          if (leftByHook(facts, unit, call, textOf(facts.units[0]!.span)))
            yield { at: call.span, unit: unit.id, confidence, message: BEFORE(opens.what ?? 'thing') }
          continue
        }
        if (isClosed(facts, unit, call, rest)) {
          const late = endedLate(facts, unit, call)
          if (late)
            yield { at: call.span, unit: unit.id, confidence: child ? 'medium' : 'low', message: LATE(opens.what ?? 'thing', late.by),
              related: [{ span: late.behind.span, message: LEFT }] }
          continue
        }
        if (child && isDrained(rest(unit, call.span.end))) continue
        // What has a port or a name of its own is in nobody's way.
        const folder = /^(folder|listener|thread pool)$/.test(opens.what ?? '') || /httptest\./.test(call.name)
        yield { at: call.span, unit: unit.id, confidence: folder ? 'low' : least(confidenceOf(call), lower('high')),
          message: `opens a ${opens.what ?? 'thing'} that nothing closes when the test ends`, fixes: closeAfterwards(view, unit, call) }
      }
    }
  },
)
