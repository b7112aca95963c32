import type { FileFacts, Swallow, Unit } from '../../facts/facts.ts'
import { isTestCode, polls, runsIn, within } from '../../facts/query.ts'
import { takeOffMask } from '../../fixes/masks.ts'
import { defineRule, type Confidence, type FileView, type Severity } from '../rule.ts'

/** Putting away what may already be gone is allowed to fail. */
const CLEANUP = /^(rm|rmdir|kill|pkill|killall|umount|unmount|fusermount|losetup|userdel|groupdel|pclose|trap)\b|(^|[.:\s_-])(close|closeAll|stop|kill|remove|rm|rmi|rmtree|unlink|delete|destroy|drop|clean\w*|clear|shutdown\w*|terminate|cancel|abort|disconnect|release|teardown|tear_down|unsubscribe|dispose|quit|exit|reset|rollback|join|wait|prune|down|purge|interrupt|end|sleep)(_?\w*)?$/i
const VERBS = /(?:\b|_)(stop|kill|remove|rm|rmi|delete|destroy|uninstall|prune|purge|down|umount|unmount|disconnect|clean\w*|reset|logout|deprovision|unset|teardown|revert)(?:\b|_)/i
const PROBE = /^(command -v|type|which|hash|let|\(\(|read|grep|wait|true|test|\[|cat|ls|ps|df|head|tail|diff|echo|printf|journalctl|dmesg|lsof|netstat|ss|env|id|uname|(docker|podman|kubectl|nerdctl) (logs|ps|inspect|describe|get|images|info|version|events|top|stats))\b/
/** What a language throws to say «stop»: ignoring it hides no failure. */
const SIGNALS = /Interrupted|Cancel|StopIteration|GeneratorExit|Closed|NotFound|NoSuch|FileExists|AlreadyExists|ImportError|ProcessLookup|KeyboardInterrupt|EOF|BrokenPipe|ConnectionReset/
const BROAD = /^(except( (Exception|BaseException|AssertionError))?|catch( \(?(Exception|Throwable|AssertionError|Error)\)?)?)$/

export default defineRule(
  {
    id: 'swallowed-failure', title: 'A failure is made to vanish, and the test goes on as if nothing had happened', category: 'masking', severity: 'warning',
    triggers: ['swallow'], confirm: ['repeat'], cap: 'medium', since: '0.1.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      for (const swallow of unit.swallows) {
        const verdict = judge(unit, swallow, view)
        if (verdict && !isExcused(facts, swallow, view)) yield { at: swallow.span, unit: unit.id, ...verdict, fixes: takeOffMask(view, swallow) }
      }
    }
  },
)

function judge(unit: Unit, swallow: Swallow, { facts }: FileView): { message: string; confidence: Confidence; severity?: Severity } | undefined {
  if (SIGNALS.test(swallow.how) || polls(unit, swallow.in) || runsIn(unit, swallow.in) !== 'inline') return undefined
  const cleaning = (unit.role.is === 'hook' && unit.role.when === 'after') || within(unit, swallow.in, 'finally', 'catch')
  const shell = facts.language === 'bash'
  const what = swallow.text.trim().split('\n')[0]!.slice(0, 60)
  const names = swallow.calls.map(i => unit.calls[i]?.name ?? '').filter(Boolean)
  const last = names.at(-1) ?? ''
  const putsAway = CLEANUP.test(what) || CLEANUP.test(last) || (shell && VERBS.test(what.split(/\s+/).slice(0, 4).join(' ')))
  if (cleaning) return { message: `a failure of «${what}» is dropped while cleaning up`, confidence: 'low', severity: 'note' }
  if (shell) {
    if (PROBE.test(what)) return undefined
    const message = `«${what}» may fail and nobody learns of it (${swallow.how})`
    return putsAway ? { message, confidence: /^rm\s+-\w*f/.test(what) && unit.role.is === 'test' ? 'medium' : 'low', severity: 'note' } : { message, confidence: unit.role.is === 'test' ? 'medium' : 'low' }
  }
  if (putsAway) return undefined
  const tried = unit.regions.filter(r => r.kind === 'try' && r.in === swallow.in && r.span.end <= swallow.span.end).sort((a, b) => b.span.end - a.span.end)[0]
  const asserts = tried !== undefined && unit.assertions.some(a => a.span.start >= tried.span.start && a.span.end <= tried.span.end)
  // In the languages that say `catch (Exception)`, a failed assertion is none.
  // Whoever says something in the catch has thought of it.
  const said = facts.comments.some(c => c.span.start > swallow.span.start && c.span.end < swallow.span.end && !/eslint|noqa|noinspection|pylint|nosec/.test(c.text))
  if (asserts && BROAD.test(swallow.how) && !/^catch \(?Exception/.test(swallow.how)) return { message: `the assertion stands where its failure is caught and dropped (${swallow.how}): it cannot fail`, confidence: said ? 'medium' : 'high', severity: 'error' }
  // Where something is asserted later, what was dropped may be what the test provokes.
  const broad = BROAD.test(swallow.how) && !said && !unit.assertions.some(a => a.span.start > swallow.span.end)
  return { message: `a failure of «${what}» is dropped (${swallow.how})`, confidence: broad && unit.role.is === 'test' ? 'medium' : 'low', severity: 'note' }
}

/** «OK to fail: why» above or beside the line is an answer to the question this rule asks. */
function isExcused(facts: FileFacts, swallow: Swallow, { textOf }: FileView): boolean {
  return facts.comments.some(c => {
    if (!/^ok to fail\b[:,\s-]*\S+/i.test(c.text)) return false
    if (c.span.start >= swallow.span.start) return c.span.start <= swallow.span.end + 200 && !textOf({ start: swallow.span.end, end: c.span.start }).includes('\n')
    // Above: only further comment lines and blanks may stand between.
    return textOf({ start: c.span.end, end: swallow.span.start }).split('\n').slice(1, -1).every(line => /^\s*(#|\/\/|\*|$)/.test(line))
  })
}
