// Claims that are made good: what was only computed is asserted, what was only begun is ended.

import type { Call, Inert, Language } from '../facts/facts.ts'
import type { Fix } from '../rules/rule.ts'
import { beginsStatement, fix, insert, remove, wholeText, type Sheet } from './edits.ts'

/** How a condition is asserted, in a file that asserts so already. */
const ASSERTS: Readonly<Partial<Record<Language, (text: string) => readonly [string, string] | undefined>>> = {
  python: () => ['assert ', ''],
  java: text => {
    if (/^import static [\w.]+\.(assertTrue|\*);|\bextends \w*TestCase\b/m.test(text) && /(?<![\w.])assertTrue\(/.test(text))
      return ['assertTrue(', ')']
    const qualified = /(?<![\w.])(Assert(?:ions)?)\.assertTrue\(/.exec(text)?.[1]
    return qualified === undefined ? undefined : [`${qualified}.assertTrue(`, ')']
  },
}

/** Waits that tell whether it was reached; others throw, give what they got, or nothing. */
const TELLS: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /(Event|Condition)\.(wait|wait_for)$|(Lock|Semaphore)\.acquire$/,
  java:
    /\.(await|awaitTermination|tryAcquire|tryLock|waitFor|awaitQuiescence|awaitUninterruptibly|awaitTerminationUninterruptibly|tryAcquireUninterruptibly)$/,
}

/** Asserts that a wait was successful. */
export function assertCall(sheet: Sheet, call: Call): Fix[] {
  if (!TELLS[sheet.facts.language]?.test(call.name)) return []
  const around = call.result === 'discarded' && beginsStatement(sheet, call.span)
    ? ASSERTS[sheet.facts.language]?.(wholeText(sheet))
    : undefined
  return around
    ? fix('Assert that it was reached', false, [insert(call.span.start, around[0]),
      ...(around[1] === '' ? [] : [insert(call.span.end, around[1])])])
    : []
}

/** Matchers that claim something without an argument. */
const ALONE =
  /\.(to(HaveBeenCalled|BeTruthy|BeFalsy|BeDefined|BeUndefined|BeNull|BeNaN|Throw|ThrowError|HaveBeenCalledOnce|HaveReturned|BeVisible|BeInTheDocument|BeDisabled|BeEnabled|BeChecked))$|\.assert_(called|called_once|not_called|awaited|awaited_once|not_awaited)$/

/** What is inert by the way it is written, in the languages whose parsers tell of such a thing. */
export function makeItClaim(sheet: Sheet, { span, how }: Inert): Fix[] {
  const text = sheet.textOf(span)
  if (ALONE.test(text)) return fix('Call it', false, [insert(span.end, '()')])
  if (sheet.facts.language !== 'python') return []
  if (/comparison/.test(how) && beginsStatement(sheet, span)) return fix('Assert the comparison', false, [insert(span.start, 'assert ')])
  // A condition and its message, put into one pair of brackets.
  if (/^\([^\n]+,\s*[rf]?(["'])[^"'\n]*\1\s*\)$/.test(text) && !/,.*,/.test(text))
    return fix('Take the brackets away, so that the condition is asserted', false, [remove({ start: span.start, end: span.start + 1 }),
      remove({ start: span.end - 1, end: span.end })])
  return []
}

/** `expect(total > 3)` says nothing of it: whatever it is, it must be true. */
export function endSentence(sheet: Sheet, call: Call): Fix[] {
  if (sheet.facts.language !== 'typescript' || !/(^|\.)expect$/.test(call.name) || call.args.length !== 1) return []
  const claim = call.name.startsWith('chai') || sheet.facts.imports.some(i => i.local === 'expect' && /^chai\b/.test(i.name))
    ? '.to.be.ok'
    : '.toBeTruthy()'
  return fix('Expect it to be true', false, [insert(call.span.end, claim)])
}
