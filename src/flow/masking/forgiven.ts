// What may fail without a test being the worse for it: tidying up, asking around, being told to stop.

import type { Span, Swallow, Unit } from '../../facts/facts.ts'

/** Putting away what may already be gone is allowed to fail. */
export const CLEANUP =
  /^(rm|rmdir|kill|pkill|killall|umount|unmount|fusermount|losetup|userdel|groupdel|pclose|trap)\b|(^|[.:\s_-])(close|closeAll|stop|kill|remove|rm|rmi|rmtree|unlink|delete|destroy|drop|clean\w*|clear|shutdown\w*|terminate|cancel|abort|disconnect|release|teardown|tear_down|unsubscribe|dispose|quit|exit|reset|rollback|join|wait|prune|down|purge|interrupt|end|sleep)(_?\w*)?$/i
const VERBS =
  /(?:\b|_)(stop|kill|remove|rm|rmi|delete|destroy|uninstall|prune|purge|down|umount|unmount|disconnect|clean\w*|reset|logout|deprovision|unset|teardown|revert)(?:\b|_)/i
const PROBE =
  /^(command -v|type|which|hash|let|\(\(|read|grep|wait|true|test|\[|cat|ls|ps|df|head|tail|diff|echo|printf|journalctl|dmesg|lsof|netstat|ss|env|id|uname|(docker|podman|kubectl|nerdctl) (logs|ps|inspect|describe|get|images|info|version|events|top|stats))\b/
/** What a language throws to say «stop»: ignoring it hides no failure. */
const SIGNALS =
  /Interrupted|Cancel|StopIteration|GeneratorExit|Closed|NotFound|NoSuch|FileExists|AlreadyExists|ImportError|ProcessLookup|KeyboardInterrupt|EOF|BrokenPipe|ConnectionReset/

/** Asks whether something is there, or shows it: no answer is an answer. */
export const isProbe = (command: string): boolean => PROBE.test(command)
export const isSignal = (how: string): boolean => SIGNALS.test(how)
/** One of the first words of the command says so. */
export const putsAwayInShell = (command: string): boolean => VERBS.test(command.split(/\s+/).slice(0, 4).join(' '))

/** In the languages that say `catch (Exception)`, a failed assertion is none. */
export const isNoException = ({ how }: Pick<Swallow, 'how'>): boolean => /^catch \(?Exception/.test(how)

/**
 * `except AssertionError: raise` before it; or the `try` ends with another failure, which gets through: then the assertion is meant to
 * fail.
 */
export const isMeantToFail = (unit: Unit, { span, in: at, how }: Swallow, textOf: (span: Span) => string): boolean =>
  unit.regions.some(r =>
    r.in === at && r.span.end <= span.end && (
      (r.kind === 'catch' && r.catches?.includes('AssertionError') === true && /\braise\s*$/.test(textOf(r.span).trim()))
      || (r.kind === 'try' && /Assertion/.test(how) && /\b(throw new|raise)\s+(?!Assertion)\w+[^;\n]*;?\s*\}?\s*$/.test(textOf(r.span)))
    )
  )

/** `shop order > out || true`, and then somebody looks into `out`: what failed is seen there. */
export function isReadAfter(unit: Unit, { text, span }: Swallow, textOf: (span: Span) => string): boolean {
  const file = />>?\s*"?([\w$./{}-]+)"?/.exec(text.replace(/2>&?\s*"?[\w$./{}-]+"?/g, ''))?.[1]
  if (file === undefined || file === '/dev/null') return false
  const looks = new RegExp(
    `(^|[;&|\\s])(grep|diff|cmp|test_cmp|test|jq|assert\\w*|\\[)\\s[^\\n]*${file.replace(/[.$*+?(){}|^[\]\\]/g, '\\$&')}`,
  )
  return looks.test(textOf({ start: span.end, end: unit.span.end }))
}
