import type { Assertion, Unit, Value } from '../../facts/facts.ts'
import { isProperty, isTestCode } from '../../facts/query.ts'
import { compareNearly } from '../../fixes/floats.ts'
import { isCarried, isComputed, isCopied, isFraction, isPrinted, isReckoned, isWithinHair, reckonsFractions, rounded,
  type Rounded } from '../../flow/order/floats.ts'
import { defineRule, type Confidence, type FileView } from '../rule.ts'
import { words } from './words.ts'

export default defineRule(
  {
    id: 'exact-float-equality',
    title: 'Rounded numbers are expected to be exactly equal',
    category: 'numeric',
    severity: 'warning',
    triggers: [],
    words,
    confirm: ['repeat'],
    crowds: 5,
    since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const assertion of unit.assertions) {
        const found = exactly(assertion)
          ? claimOf(view, unit, assertion)
          : isWithinHair(assertion, unit)
          ? { message: SAYS.hair, confidence: 'low' as const }
          : undefined
        if (found) yield { at: assertion.span, unit: unit.id, ...found, fixes: compareNearly(view, assertion) }
      }
    }
  },
)

/** A slack of nothing is none. */
const exactly = ({ compare, operands, tolerance }: Assertion): boolean =>
  operands.length === 2 && (compare === '==' || (compare === 'near' && tolerance?.is === 'literal' && tolerance.value === 0))

function claimOf({ facts, textOf }: FileView, unit: Unit, { operands, compare, span }: Assertion): { message: string;
  confidence: Confidence } | undefined
{
  const sides = operands.map(o => rounded(facts, unit, o, span.start))
  const found = sides[0] ?? sides[1]
  const other = operands[sides[0] ? 1 : 0]!
  const number = other.is === 'literal' && typeof other.value === 'number'
  const reckoned = () => operands.some(o => isReckoned(facts, unit, o, span.start))
  if (!found && operands.some(o => isPrinted(o) && !isCarried(unit, o)) && reckoned())
    return { message: SAYS.aggregate, confidence: 'medium' }
  if (!found && compare === 'near' && operands.every(o => o.is !== 'literal' && isReckoned(facts, unit, o, span.start)))
    return { message: SAYS.aggregate, confidence: 'medium' }
  if (!found && compare === 'near' && operands.some(isFraction) && reckoned()) return { message: SAYS.aggregate, confidence: 'medium' }
  if (!found && compare === '==') {
    const [a, b] = operands as [Value, Value]
    const [expected, tested] = isCopied(a) || isFraction(a) ? [a, b] : [b, a]
    if (isCopied(expected) && isComputed(facts, unit, tested, span.start) && textOf(unit.span).split(digitsOf(textOf(span))).length < 3)
      return { message: SAYS.copied, confidence: 'medium' }
    if (isCopied(expected) && tested.is === 'op' && /^[-+*/]$/.test(tested.op)) return { message: SAYS.copied, confidence: 'low' }
    if (expected.is === 'group' && expected.of.some(isFraction) && !isCarried(unit, expected) && reckoned())
      return { message: SAYS.aggregate, confidence: 'medium' }
    if ((isFraction(expected) || expected.is === 'group') && !isCarried(unit, expected)
      && reckonsFractions(facts, unit, tested, expected, span.start)) return { message: SAYS.arithmetic, confidence: 'medium' }
  }
  // Nothing, and what a binary fraction hits, is often met exactly.
  if (!found || (other.is === 'literal' && (!number || other.value === 0))) return undefined
  // Whole numbers add up to the same in any order.
  if (found.how === 'parallel' && SPLITS.test(textOf(unit.span)) && !FLOATS.test(textOf(unit.span))) return undefined
  // Clocks count in whole ticks in most languages and in fractions of a second in Python.
  if (found.how === 'times' && !(facts.language === 'python' && number)) return undefined
  // `cmp.Diff(want, got, cmpopts.EquateApprox(…))` allows for the rounding.
  if (found.how === 'table' && (!reckoned() || unit.calls.some(c => /Approx/.test(c.name)))) return undefined
  return { message: SAYS[found.how], confidence: sureOf(found, isFraction(other), number) }
}

const SPLITS = /par_iter|par_bridge|par_chunks|parallel/
const FLOATS = /\bf(32|64)\b|[fF]loat|[dD]ouble|\d\.\d|\d\.\s*\.?[,)\]]/

function sureOf({ how }: Rounded, fraction: boolean, number: boolean): Confidence {
  if (how === 'times') return 'high'
  if (how === 'table' || how === 'parallel') return 'medium'
  return how === 'aggregate' && (fraction || !number) ? 'medium' : 'low'
}

/** The longest number of an assertion: where it stands in the test again, it is only carried over. */
const digitsOf = (text: string): string => (text.match(/\d+\.\d+/g) ?? [text]).sort((a, b) => b.length - a.length)[0]!

const SAYS: Readonly<Record<Rounded['how'] | 'copied' | 'hair', string>> = {
  hair: 'allows less than the last digit of a number is worth: it is exact for all but the smallest',
  copied: 'expects all the digits that one machine printed: the last of them depend on the order of the additions and on the machine',
  times: 'expects the difference of two times to be exact: each is rounded, and the rest depends on when they were read',
  aggregate: 'expects an exact sum or mean of fractions: its last digits depend on the order of the additions and on the machine',
  parallel: 'expects an exact sum of what threads add up: its last digits depend on which of them is done first',
  table: 'expects exactly what the test reckons with fractions: the last digits depend on the order and on the machine',
  arithmetic: 'expects an exact result of reckoning with fractions: its last digits are rounded',
}
