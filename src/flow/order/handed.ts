// What a test makes without an order, hands to code that is not in its file, and finds again in a text or list with one.

import type { Assertion, Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { has } from '../../facts/query.ts'
import { GROWS, last, LISTS, type Disorder, type Expected } from './disorder.ts'
import { constant, holdsSeveral, isNumbered, itemsOf, keysOf, lastWrite, textOf } from './spelled.ts'
import { type Values } from './values.ts'

/** What gives the text of a file, by its name. */
const READS_TEXT =
  /(^|[.:_])(read_?(all_?)?(string|text|content\w*|file\w*|resource\w*|to_string)|\w*contents?_?of|get_?resource\w*|load_?(text|string|resource\w*|file|golden|expected)|readFileSync|ReadFile|slurp)$|include_str!$|(IOUtils|Resources|Files)\.(toString|readString)$/i

const READS_ENTRY = /[.](get|getOrDefault|contains\w*|size|isEmpty)$/

export function throughOthersOf(file: Pick<FileFacts, 'units'>,
  values: Values): (unit: Unit, assertion: Assertion) => Expected | undefined
{
  /** Handed to other code and found again in text or a list that names its entries one after another. */
  function throughOthers(unit: Unit, a: Assertion): Expected | undefined {
    const text = a.operands.flatMap(o => expectedText(unit, o, a) ?? []).find(t => holdsSeveral({ is: 'literal', value: t }))
    const items = text === undefined
      ? a.operands.map(o => itemsOf(unit, o, a.span.start)).find(i => i !== undefined && i.length > 1)
      : undefined
    if (!a.operands.some(o =>
      o.is === 'call' || o.is === 'name' || (o.is === 'text' && o.parts.some(p => p.is === 'name' || p.is === 'call'))
    )
      || unit.calls.some(c => has(c, 'sort'))) return undefined
    if (a.compare === 'contains' && text === undefined) return undefined
    if (text === undefined && !items) return readFrom(unit, a)
    for (const { is, name } of handedIn(unit, a)) {
      // `Optional.of(Set.of("a", "b"))` holds a set: beside a list, what stands in the assertion may itself be what is expected.
      if (name === '' && text === undefined) continue
      const keys = keysOf(file.units[is.unit]!, is.origin, name)
      // A map writes each key before its value; what is written of a set may look in any way.
      const entry = /Map(\.|$)/.test(is.origin.name) ? '["\']?\\s*(?:=|:|->)' : '(?![A-Za-z0-9])'
      const place = (k: string) => text!.search(new RegExp(`(?<![A-Za-z0-9])${k.replace(/[^\w]/g, '\\$&')}${entry}`))
      const told = keys.filter(k => (text === undefined ? items!.some(i => i.is === 'literal' && i.value === k) : place(k) >= 0))
      // The keys stand in the order of the alphabet, and were put in by another: somebody sorts them.
      const isSorted = (all: readonly string[]) => all.every((k, i) => i === 0 || all[i - 1]! <= k)
      if (text !== undefined && !isSorted(told) && isSorted(told.toSorted((a, b) => place(a) - place(b)))) continue
      if (told.length > 1) return { ...is, form: text === undefined ? 'sequence' : 'text', spelled: false, handed: true }
    }
    return undefined
  }

  /** Text that is spelled out beside what is tested, or under a name that nobody else is given: what goes in comes out as it was. */
  function expectedText(unit: Unit, value: Value, a: Assertion): string | undefined {
    const given = value.is === 'name'
      && unit.calls.some(c => c.span.end < a.span.start && c.args.some(v => v.is === 'name' && v.path === value.path))
    return given ? undefined : textOf(unit, constant(file, unit, value), a.span.start)
  }

  /** A text that is read from a file, beside what is made of a collection in the same breath: `assertEquals(read("a.json"), write(map))`. */
  function readFrom(unit: Unit, a: Assertion): Expected | undefined {
    const made = (o: Value): Value => (o.is === 'name' ? lastWrite(unit, o.path, a.span.start)?.value ?? o : o)
    const callOf = (o: Value): Call | undefined => {
      const value = made(o)
      return value.is === 'call' ? unit.calls[value.call] : undefined
    }
    const read = a.operands.findIndex(o => READS_TEXT.test(callOf(o)?.name ?? ''))
    const writer = read < 0 || a.operands.length !== 2 ? undefined : callOf(a.operands[1 - read]!)
    if (!writer || READS_TEXT.test(writer.name)) return undefined
    const found = [...handedIn(unit, a)].find(({ is, name }) =>
      writer.args.some(v => (v.is === 'name' && v.path === name) || (v.is === 'call' && unit.calls[v.call] === is.origin))
    )
    return found && { ...found.is, form: 'text', spelled: false, handed: true }
  }

  /** Collections of two entries or more that the test or its class makes itself and hands to other code, which does not put them in order. */
  function* handedIn(unit: Unit, a: Assertion): Generator<{ readonly is: Disorder; readonly name: string }> {
    const checked = unit.assertions.filter(other => other !== a)
    const takersOf = (name: string) => unit.calls.filter(c => c.args.some(v => v.is === 'name' && v.path === name))
    const isHanded = (name: string, depth = 0): boolean =>
      takersOf(name).some(c =>
        c.span.end <= a.span.end && !LISTS.test(c.name)
        && !checked.some(({ span }) => span.start <= c.span.start && span.end >= c.span.end)
        // What is put into another collection goes where that one goes.
        && (!GROWS.test(last(c.name)) || (depth < 2 && c.receiver?.is === 'name' && isHanded(c.receiver.path, depth + 1)))
      )
    for (const [name, entries] of values.names(unit)) {
      const is = entries.findLast(e => e.from <= a.span.start)?.is
      const holdsMany = is && (is.form === 'bag' ? is.many : isNumbered(file.units[is.unit]!, is.origin, name))
      if (!holdsMany || !isOwn(unit, is)) continue
      if (isHanded(name) && !takersOf(name).some(sortsItself)) yield { is, name }
    }
    // Made where it is handed over: `join(Set.of("pear", "apple"))`.
    const before = unit.calls.filter(c =>
      c.span.end <= a.span.end && !checked.some(({ span }) => span.start <= c.span.start && span.end >= c.span.end)
    )
    for (const call of before.filter(c => !has(c, 'unordered') && !LISTS.test(c.name) && !sortsItself(c)))
      for (const value of call.args) {
        const is = value.is === 'call' ? values.of(unit, value, a.span.start, a.in) : undefined
        if (is?.form === 'bag' && is.many && !a.operands.includes(value)) yield { is, name: '' }
      }
  }

  /** Made by the test, or filled where its class declares it and by nobody else. */
  const isOwn = (unit: Unit, { unit: by, origin }: Disorder): boolean => {
    const maker = file.units[by]!
    if (by === unit.id) return true
    const index = maker.calls.indexOf(origin)
    const name = maker.writes.find(w => w.value.is === 'call' && w.value.call === index)?.target
    return maker.role.is === 'suite' && name !== undefined
      && !file.units.some(u =>
        u.id !== by && u.calls.some(c => c.receiver?.is === 'name' && c.receiver.path === name && !READS_ENTRY.test(c.name))
      )
  }

  /** A function of the file that sorts what it is given. */
  const sortsItself = (call: Call): boolean =>
    file.units.some(u => u.role.is === 'helper' && u.name === last(call.name) && u.calls.some(s => has(s, 'sort')))

  return throughOthers
}
