import type { Span, Unit } from '../../facts/facts.ts'
import { around } from '../../facts/query.ts'
import { expectedBy, reachesTest, testsReached } from '../../flow/claims/expected.ts'
import { asksLocale, comparesItself, isCallByLocale, isCommand, isFormatter, isLocalText, speaksByLocale,
  takesOver } from '../../flow/zones/locales.ts'
import { type FileView, type Report } from '../rule.ts'

export const JUDGED = new Set(['==', '!=', 'contains', 'matches', 'snapshot'])
export const MADE = 'a formatter of the test goes by the locale of the machine: elsewhere separators and names differ'
export const HERE = 'a text is made in the language of the machine: elsewhere words, separators and their order differ'
export const BYTES =
  'characters are written by their numbers, in the encoding of the locale: where that has none for them, the numbers are written'
export const LACKED = 'asks for a locale by its name: where that is not installed, this raises an error'
export const SAYS = 'a text is made by the locale of the machine and compared with a fixed one: elsewhere separators and names differ'
/** Commands that go by the locale, and what they say in English. */
export const SAID = ['\\bnothing to commit', '\\bnot a git repository', '\\bNo such file or directory']
export const STARTED = ['["\']sort["\']', ...SAID]

/**
 * `localeCompare` sorts plain words alike in nearly every language, and of all letters only an i has another capital, in two languages. A
 * localised message that no assertion looks at is only said.
 */
export function isSlight(unit: Unit, span: Span, { facts, textOf }: FileView): boolean {
  const text = textOf(span)
  return facts.language === 'typescript' || /to(Lower|Upper)Case/.test(text)
    || (/getLocalizedMessage/.test(text) && !unit.assertions.some(a => a.span.start <= span.start && a.span.end >= span.end))
}

const COMMANDS = {
  order: 'sort goes by the locale of the environment: elsewhere capitals and signs stand in another place',
  words: 'the command speaks the language of the environment: elsewhere the expected words are others',
}

/**
 * A formatter, command or helper whose way into the assertion is not seen, in a test that expects the names or separators of one locale.
 */
export function* unseen(unit: Unit, seen: Set<number>, { facts }: FileView): Generator<Report> {
  for (const call of unit.calls) {
    if (seen.has(call.span.start) || asksLocale(unit, call)) continue
    // In an assertion its way is seen.
    const isSeen = unit.assertions.some(a => a.span.start <= call.span.start && a.span.end >= call.span.end)
    for (const test of facts.language === 'bash' || isCommand(call) ? testsReached(facts, unit, call) : []) {
      const how = speaksByLocale(call, facts.language, [...expectedBy(facts, test)].map(e => e.value))
      if (!how) continue
      seen.add(call.span.start)
      yield { at: call.span, unit: unit.id, confidence: 'medium', message: COMMANDS[how],
        related: [{ span: test.nameSpan, message: 'this test expects what one locale gives' }] }
      break
    }
    // A formatter of the test itself, whatever it is given; not one of a page in a browser.
    if (!isSeen && isFormatter(call) && call.result !== 'discarded' && !comparesItself(unit, call) && ![...around(unit, call.in)].some(r =>
      r.call !== undefined && /evaluate/i.test(unit.calls[r.call]!.name)
    ) && reachesTest(facts, unit, call)) {
      seen.add(call.span.start)
      yield { at: call.span, unit: unit.id, confidence: 'high', message: MADE }
    }
    if (isSeen || (!isCallByLocale(call) && !takesOver(call)) || seen.has(call.span.start))
      continue
    // What a hook takes over from the machine holds for every test around it.
    const reached = takesOver(call)
      ? facts.units.filter(u =>
        u === unit || (unit.role.is === 'hook' && u.parent === unit.parent) || unit.role.is === 'module'
      )
      : testsReached(facts, unit, call)
    const test = reached.find(t => [...expectedBy(facts, t)].some(e => isLocalText(e.value)))
    // Where the text that it shows in is told, that is enough.
    if (!test || (takesOver(call) && [...seen].some(at => at >= test.span.start && at < test.span.end))) continue
    seen.add(call.span.start)
    yield { at: call.span, unit: unit.id, confidence: 'high', message: SAYS,
      related: [{ span: test.nameSpan, message: 'this test expects what one locale gives' }] }
  }
}
