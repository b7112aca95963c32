import type { Unit } from '../../facts/facts.ts'
import { ancestors, effectOf, isTestCode, within } from '../../facts/query.ts'
import { closeAfterwards } from '../../fixes/endings.ts'
import { consumed, isClosed } from '../../flow/lifetimes.ts'
import { defineRule } from '../rule.ts'
import { confidenceOf, least, lower } from '../wording.ts'

export default defineRule(
  {
    id: 'missing-cleanup', title: 'A test opens something and never closes it: the tests after it find it there', category: 'state', severity: 'warning',
    triggers: [], confirm: ['isolate', 'repeat'], cap: 'medium', since: '0.2.0',
    words: {
      go: ['httptest\\.New(?:TLS)?Server\\(', '\\bnet\\.Listen'], python: ['\\bPopen\\(', '\\bmkdtemp\\(', 'HTTPServer\\(', 'TCPServer\\('], rust: ['\\.(?:into_path|keep)\\(\\)'],
      typescript: ['\\bcreate(?:Secure)?Server\\('], java: ['\\(\\s*new File(?:InputStream|OutputStream|Reader|Writer)\\(', '\\bnew (?:ServerSocket|MockWebServer|WireMockServer)\\(', '\\bHttpServer\\.create\\('],
    },
  },
  function* (view) {
    const { facts, textOf } = view
    for (const unit of facts.units) {
      const left = isTestCode(facts, unit) ? consumed(unit) : undefined
      if (left) yield { at: left.span, unit: unit.id, confidence: 'medium', message: 'opens a file for this call alone, and nobody can close it: until it is collected, its handle stays open' }
      if (!isTestCode(facts, unit) || unit.role.is !== 'test' || ancestors(facts, unit).some(a => a.markers.some(m => m.is === 'benchmark'))) continue
      for (const call of unit.calls) {
        const opens = effectOf(call, 'opens')
        if (!opens || within(unit, call.in, 'background', 'subshell')) continue
        const rest = (u: Unit, from: number) => textOf({ start: from, end: u.span.end })
        if (opens.note === 'leaks') {
          if (!unit.calls.some(c => /remove_dir_all$|remove_dir$/.test(c.name))) yield { at: call.nameSpan, unit: unit.id, confidence: lower('high'), message: 'takes the folder from the guard that would remove it: it stays after the test' }
          continue
        }
        if (isClosed(facts, unit, call, rest)) continue
        const folder = opens.what === 'folder' || opens.what === 'listener'
        yield { at: call.span, unit: unit.id, confidence: folder ? 'low' : least(confidenceOf(call), lower('high')), message: `opens a ${opens.what ?? 'thing'} that nothing closes when the test ends`, fixes: closeAfterwards(view, unit, call) }
      }
    }
  },
)
