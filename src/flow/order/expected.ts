// What an assertion expects of something without an order: positions, one of several, a text that names them one after another.

import type { Assertion, Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { around, inForce, valuesIn } from '../../facts/query.ts'
import { INDEXED, last, ONE_RECEIVED, PICKED, type Disorder, type Expected } from './disorder.ts'
import { throughOthersOf } from './handed.ts'
import { filledBy, givesSuch, isHandedQuery } from './queries.ts'
import { allSame, constant, hasOneOrder, holdsSeveral, isOneOfMany, itemsOf, literalText } from './spelled.ts'
import { type Values } from './values.ts'

export const AS_DATA =
  /JSONEq|YAMLEq|MatchJSON|MatchYAML|JSONAssert|JsonAssert|assertThatJson|isEqualToJson|assertJson|jsonEquals|assertXml|isSimilarTo|assert_json/
const SORTS_FIRST = /cmpopts\.(SortSlices|SortMaps)$|cmp\.Transformer$|protocmp\.SortRepeated\w*$/

/** What an assertion expects of it that nobody promised. */
export function expectationsOf(file: Pick<FileFacts, 'units'>, values: Values): (unit: Unit, assertion: Assertion) => Expected | undefined {
  const throughOthers = throughOthersOf(file, values)

  function expected(unit: Unit, a: Assertion): Expected | undefined {
    if (a.compare !== '==' && a.compare !== 'snapshot' && a.compare !== 'contains') return undefined
    const sides = a.operands.map(o => values.of(unit, o, a.span.start, a.in))
    const found = sides.findIndex(s => s && s.form !== 'ordered' && s.form !== 'each')
    const is = sides[found]
    const each = found === -1 ? inStep(unit, a, sides) : undefined
    if (each) return each
    const asData = () => within(unit, a).some(c => AS_DATA.test(c.name))
    // What a serialiser is given from the test's own map stands in the order of that map.
    const own = is?.origin.effects.some(e => e.note === 'text') && !asData() && throughOthers(unit, a)
    if (own) return own
    if (!is)
      return a.compare !== 'snapshot' && sides.every(s => s === undefined || s.form === 'ordered') && !asData()
        ? throughOthers(unit, a)
        : undefined
    if (sides.some((s, i) => s && i !== found && (s.form !== 'bag' || is.form === 'bag'))) return undefined
    if (unit.calls.some(c => c.args.length > 2 && a.operands.every(o => c.args.includes(o)) && c.args.some(o => sortsFirst(unit, o))))
      return undefined
    // `assertThat(map).extractingByKey(k).containsExactly(…)` looks at one of its values.
    if (within(unit, a).some(c => /[.](extractingByKey|extractingFromEntries|hasEntrySatisfying)$/.test(c.name))) return undefined
    const others = a.operands.filter((_, i) => i !== found).map(o => constant(file, unit, o))
    // Of what is done by now there is often one alone.
    if (isSingle(unit, is, a) || (is.form === 'element' && /^(asyncio|concurrent\.futures)\.wait$/.test(is.origin.name))) return undefined
    // In Rust a snapshot writes a map entry by entry, as the map gives them; elsewhere it puts them in an order of its own.
    if (a.compare === 'snapshot')
      return is.form === 'bag' && !/::/.test(is.origin.name)
        ? undefined
        : { ...is, form: is.form === 'bag' ? 'text' : is.form as Expected['form'], spelled: true }
    // JSON that is compared as data has no order.
    if (is.form === 'text' && asData()) return undefined
    // Truth's containsExactly asks for an order only where inOrder() follows.
    if (others.length > 1 && within(unit, a).some(c => /\btruth\b/.test(c.name))) return undefined
    const spelled = others.length > 1 ? others : itemsOf(unit, others[0], a.span.start)
    const asker = file.units[is.unit]!
    if (isHandedQuery(asker, is.origin) && !filledBy(asker, is.origin)
      && !(a.operands[found]!.is !== 'group' && listsRows(unit, a, is, spelled) && givesSuch(asker, is.origin, spelled!))) return undefined
    if (a.compare === 'contains')
      return is.form === 'text' && spelled?.length === 1 && holdsSeveral(spelled[0]!)
        ? { ...is, form: 'text', spelled: true }
        : undefined
    if (is.form === 'element' && others.length === 1 && isStepped(unit, a, found))
      return { ...is, form: 'element', spelled: true, several: true }
    if (is.form === 'element')
      return isOneOfMany(others[0])
        ? { ...is, form: 'element', spelled: true, several: takesSeveral(unit, is) }
        : undefined
    if (is.form === 'text' && others[0] && hasOneOrder(literalText(others[0]))) return undefined
    if (is.form === 'text' || (is.form === 'sequence' && others.length === 1 && others[0]?.is === 'literal')) {
      if (others[0]?.is === 'literal' || others[0]?.is === 'text')
        return [...valuesIn(others[0], unit)].some(holdsSeveral)
          ? { ...is, form: 'text', spelled: true }
          : undefined
      return is.form === 'text' && is.many ? { ...is, form: 'text', spelled: false } : undefined
    }
    // Small numbers keep an order in a hash, and a set of unknown making may be sorted.
    if (is.kind === 'unordered' && is.origin.effects.length === 0
      && spelled?.every(v => v.is === 'literal' ? typeof v.value === 'number' : v.is === 'op')) return undefined
    if (spelled)
      return spelled.length > 1 && !allSame(spelled) && (is.form === 'sequence' || others.length > 1)
        ? { ...is, form: 'sequence', spelled: true }
        : undefined
    // Rows are held against a list; where its name says that it is the expected one, somebody has written its order down.
    const isCase = unit.role.is === 'test' && others[0]?.is === 'name' && unit.params.includes(others[0].path)
    const awaited = others[0]?.is === 'name' && (is.kind === 'rows' || isCase) && /expect|want/i.test(others[0].path)
    return is.form === 'sequence' && (is.many || awaited) && others[0]?.is === 'name'
      ? { ...is, form: 'sequence', spelled: awaited }
      : undefined
  }

  /** `cmp.Diff(want, got, cmpopts.SortSlices(less))`: an option of the comparison that puts both in order, here or under a name. */
  const sortsFirst = (unit: Unit, option: Value): boolean => {
    const sorts = (u: Unit, values: readonly Value[]) => values.some(v => v.is === 'call' && SORTS_FIRST.test(u.calls[v.call]!.name))
    const values = [...valuesIn(option, unit)]
    const named = values.flatMap(v => (v.is === 'name' ? [v.path] : []))
    if (sorts(unit, values) || named.some(n => /sort|unordered|anyOrder|ignoreOrder/i.test(n))) return true
    return [unit, ...inForce(file, unit)].some(u => u.writes.some(w => named.includes(w.target) && sorts(u, [...valuesIn(w.value, u)])))
  }

  /** `for (String key : set) assertEquals(want[i++], key)`: one after another against a list that has an order. */
  function inStep(unit: Unit, a: Assertion, sides: readonly (Disorder | undefined)[]): Expected | undefined {
    const at = sides.findIndex(s => s?.form === 'each')
    const other = a.operands[1 - at]
    if (at === -1 || a.compare !== '==' || a.operands.length !== 2 || !other || sides[1 - at]) return undefined
    const call = other.is === 'call' ? unit.calls[other.call] : undefined
    const index = other.is === 'op' && other.op === '[]'
      ? other.of[1]
      : call && /[.](get|charAt|elementAt)$/.test(call.name)
      ? call.args[0]
      : undefined
    // By a key that comes from the loop itself each finds its own.
    const counts = index
      && [...valuesIn(index, unit)].every(v => v.is !== 'name' || /^(i|j|k|n|idx|index|pos|count\w*|\w+(Index|Idx|Count))$/.test(v.path))
      && index.is !== 'literal' && !values.of(unit, index, a.span.start, a.in)
    return counts ? { ...sides[at]!, form: 'element', spelled: true, several: true } : undefined
  }

  return expected
}

/**
 * `while (rows.next()) assertEquals(rows.get(), want.next())`: an iterator that was begun before the loop, step by step beside what the
 * loop goes through.
 */
function isStepped(unit: Unit, { operands, in: at }: Assertion, side: number): boolean {
  const other = operands[1 - side]
  const step = [...valuesIn(operands[side]!, unit)].flatMap(
    v => (v.is === 'call' && /[.]next$/.test(unit.calls[v.call]!.name) ? [unit.calls[v.call]!] : []),
  )[0]
  const loop = [...around(unit, at)].find(r => r.kind === 'loop')
  const from = step?.receiver?.is === 'name' ? step.receiver.path : undefined
  if (!loop || from === undefined || !other || (other.is !== 'call' && other.is !== 'name')) return false
  const begun = unit.writes.findLast(w => w.target === from && w.span.end <= step!.span.start)
  // What only counts the steps is asked of nobody.
  const asked = loop.condition && [...valuesIn(loop.condition, unit)].some(v => v.is === 'name' && v.path === from)
  return begun !== undefined && begun.span.end <= loop.span.start && !(asked && other.is === 'name')
}

const within = (unit: Unit, { span }: Assertion): Call[] => unit.calls.filter(c => c.span.start >= span.start && c.span.end <= span.end)

/** All that a query gives is compared with a list of two rows or more; what is built or asked of it is another matter. */
const listsRows = (unit: Unit, a: Assertion, { form }: Disorder, rows: readonly Value[] | undefined): boolean =>
  form === 'sequence' && a.compare === '==' && rows !== undefined && rows.length > 1
  && (a.operands.length === 2 || within(unit, a).some(c => /[.]containsExactly$/.test(c.name)))

/** `it.next()` twice, `list.get(1)`, or a count that is more than one. */
function takesSeveral(unit: Unit, { origin }: Disorder): boolean {
  const index = unit.calls.indexOf(origin)
  const names = new Set(
    unit.writes.filter(w => [...valuesIn(w.value, unit)].some(v => v.is === 'call' && v.call === index)).map(w => w.target),
  )
  if (origin.receiver?.is === 'name') names.add(origin.receiver.path)
  const ofIt = unit.calls.filter(c => c.receiver?.is === 'name' && names.has(c.receiver.path))
  if (ofIt.filter(c => last(c.name) === 'next').length > 1
    || ofIt.some(c => last(c.name) === 'get' && c.args[0]?.is === 'literal' && Number(c.args[0].value) > 0)) return true
  return unit.assertions.some(a =>
    a.operands.some(o => o.is === 'literal' && typeof o.value === 'number' && o.value > 1)
    && a.operands.some(o => o.is === 'call' && /^(size|length)$/.test(last(unit.calls[o.call]!.name)) && ofIt.includes(unit.calls[o.call]!))
  )
}

/** The test itself says that there is one: `assert len(files) == 1`. */
function isSingle(unit: Unit, is: Disorder, assertion: Assertion): boolean {
  const mentions = (value: Value) => [...valuesIn(value, unit)]
  // That one of them is the number 1 says nothing of how many there are.
  const takesOne = (name: string) => PICKED.test(last(name)) || INDEXED.test(last(name)) || ONE_RECEIVED.test(name)
  const picks = (values: readonly Value[]) =>
    values.some(v => (v.is === 'op' && v.op === '[]') || (v.is === 'call' && takesOne(unit.calls[v.call]!.name)))
  const source = [is.origin.receiver, ...is.origin.args].filter(v => v !== null && is.unit === unit.id)
  const own = [...assertion.operands, ...source as Value[]].flatMap(o => mentions(o)).flatMap(v => (v.is === 'name' ? [v.path] : []))
  return unit.assertions.some(a =>
    a !== assertion && a.operands.some(o => o.is === 'literal' && o.value === 1)
    && a.operands.some(o =>
      !picks(mentions(o)) && mentions(o).some(v =>
        (v.is === 'name' && (own.includes(v.path) || own.includes(v.path.split('.')[0]!)))
        || (v.is === 'call' && unit.calls[v.call] === is.origin)
      )
    )
  )
}
