import { demandsIn } from '../../flow/order/demands.ts'
import { type Expected } from '../../flow/order/disorder.ts'
import { isSubject, MAPS, ORDERED, printedTwice, printersOf, printsMap, PUTS_IN_ORDER, writtenTexts } from '../../flow/order/written.ts'
import type { Assertion } from '../../facts/facts.ts'
import { isTestCode } from '../../facts/query.ts'
import { defineRule, type Confidence } from '../rule.ts'
import { words } from './words.ts'

export default defineRule(
  {
    id: 'unordered-assertion',
    title: 'A test expects one order of things that come in no promised order',
    category: 'order',
    severity: 'warning',
    triggers: [],
    confirm: ['hash-seed', 'repeat'],
    cap: 'medium',
    crowds: 8,
    since: '0.2.0',
    // Hash maps stand in every other file: what is looked for is the place where one is listed, picked from or written out.
    words,
  },
  function* ({ facts, textOf }) {
    const told = new Set<Assertion>(), demands = demandsIn(facts, 'unordered')
    // Another map mends all texts that the test has written from it.
    const mended = new Set(demands.filter(d => d.atSource).map(d => d.unit.id))
    for (const { unit, assertion, found, at, atSource } of demands) {
      if (!atSource && found.form === 'text' && mended.has(unit.id)) continue
      // What the test itself appends one by one is followed; elsewhere a builder may mean that somebody writes in an order.
      const text = textOf(unit.span), isBuilt = found.handed && /\.append\(/.test(text)
      // The keys of a map that the test made are found again: another map beside it may keep an order as it likes.
      const ordered = found.handed && MAPS.test(found.origin.name) && !isBuilt ? PUTS_IN_ORDER : ORDERED
      if (facts.language === 'java' && found.form === 'text' && ordered.test(isBuilt ? text : text.replaceAll('StringBuilder', '')))
        continue
      // What is thrown says nothing of what was to be written.
      if (isSubject(unit, assertion, found, textOf)
        || /^(assertThatThrownBy|assertThrows|expectThrows|assertThatExceptionOf)\b/.test(textOf(assertion.span)))
        continue
      // Somebody tells the snapshots of this file to put maps in order.
      if (facts.language === 'rust' && assertion.compare === 'snapshot' && /sort_maps|sorted_redaction/.test(textOf(facts.units[0]!.span)))
        continue
      // What the code under test gives back of a map it has is its own affair: it may hold one, or only be counted.
      const sure = found.unit !== unit.id && !isTestCode(facts, facts.units[found.unit]!) ? 'low' : confidence(found)
      if (sure !== 'low') told.add(assertion)
      yield {
        at,
        unit: unit.id,
        confidence: sure,
        message: `${SAYS[found.form]} ${named(found)}, which promises no ${
          found.origin.effects.some(e => e.note === 'unstable') ? 'stable form' : 'order'
        }`,
        related: [atSource
          ? { span: assertion.span, message: 'and is compared here' }
          : { span: found.origin.span, message: 'comes from here' }],
      }
    }
    for (const { unit, assertion, by, sure } of writtenTexts(facts, textOf))
      if (!told.has(assertion) && !mended.has(unit.id))
        yield { at: assertion.span, unit: unit.id, confidence: sure ? 'medium' : 'low', message: by === 'entries'
          ? 'compares text letter by letter that lists several entries: nothing here says that they come in this order'
          : `compares text that is written from ${by} with one order of its entries: nothing promises that order` }, told.add(assertion)
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || unit.assertions.some(a => told.has(a))) continue
      const twice = printedTwice(facts, unit)
      if (twice)
        yield { at: twice.span, unit: unit.id, confidence: printsMap(twice, printersOf(facts, unit).map(u => textOf(u.span)).join('\n'))
          ? 'medium'
          : 'low', message: 'compares two things by how they print themselves: equal ones may print their entries in another order' }
    }
  },
)

const SAYS = {
  sequence: 'expects one order of what is listed from',
  element: 'expects one particular item from',
  text: 'compares text that is written from',
} as const

/** `java.util.HashSet.new` is a HashSet, `range map` a map. */
const named = ({ origin }: Expected): string => {
  if (origin.name === 'declare -A') return 'an associative array'
  const parts = origin.name.replace(/^range /, '').replace(/^\?\./, '').split(/\.|::/).filter(p =>
    !/^(new|from|from_iter|with_capacity)$/.test(p)
  )
  return parts.slice(-2).filter((p, i, all) => i === all.length - 1 || /^[A-Z]/.test(p)).join('.')
}

function confidence({ origin, form, many, spelled, handed, several }: Expected): Confidence {
  if (handed || origin.effects.some(e => e.note === 'text')) return 'medium'
  // Most classes have one constructor; a set that we do not know the making of may be a sorted one.
  if (!spelled || /Constructors$/.test(origin.name)
    || ((origin.effects.some(e => e.note === 'view') || origin.effects.length === 0) && form === 'element' && !several && !many))
    return 'low'
  return 'medium'
}
