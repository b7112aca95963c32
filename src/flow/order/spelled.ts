// What a test spells out: texts, lists and collections, in place or where a name was bound to them.

import type { Call, FileFacts, Unit, Value, Write } from '../../facts/facts.ts'
import { has, inForce } from '../../facts/query.ts'
import { APPENDS, GROWS, GROWS_BY_MANY, last } from './disorder.ts'

export const lastWrite = (unit: Unit, path: string, offset: number): Write | undefined =>
  unit.writes.findLast(w => w.target === path && w.span.end <= offset)

/** Text that is spelled out, here or where the name was bound. */
export function textOf(unit: Unit, value: Value | undefined, offset: number): string | undefined {
  const bound = value?.is === 'name' ? lastWrite(unit, value.path, offset)?.value : value
  // `("{'a': 1, " + "'b': 2}").replace('\\'', '"')`
  const call = bound?.is === 'call' ? unit.calls[bound.call] : undefined
  const kept = call && /[.](replace|replaceAll|trim|strip|stripIndent)$/.test(call.name) ? call.receiver : bound
  return !kept || (kept.is === 'literal' && typeof kept.value !== 'string') ? undefined : literalText(kept)
}

/** The items of a list that is spelled out, here or where the name was bound. */
export function itemsOf(unit: Unit, value: Value | undefined, offset: number): readonly Value[] | undefined {
  // `all = new ArrayList<>(all)` is made of what the name held before.
  const write = value?.is === 'name' ? lastWrite(unit, value.path, offset) : undefined
  const kept = value?.is === 'name' ? write?.value : value, before = write?.span.start ?? offset
  if (kept?.is === 'literal') return [kept]
  if (kept?.is === 'group' && kept.of.length === 0 && write) return addedTo(unit, write, offset)
  if (kept?.is === 'group')
    return kept.of.length === 1 && kept.of[0]!.is === 'call'
      ? itemsOf(unit, kept.of[0], before) ?? kept.of
      : kept.of
  if (kept?.is !== 'call') return undefined
  const call = unit.calls[kept.call]!
  // `["a", "b"].map(PathBuf::from)`, `vec!["a"].into_iter().map(String::from).collect()`
  if (/^\?\.(map|iter|into_iter|collect)$/.test(call.name) && call.receiver && call.receiver.is !== 'name')
    return itemsOf(unit, call.receiver, before)
  if (!/(^|[.:])(asList|of|newArrayList|singletonList|emptyList|list|tuple|ArrayList\.new|LinkedList\.new|Vec::new|Vec::from|unmodifiableList)$/
    .test(call.name) || ONE_THING.test(call.name)) return undefined
  if (call.args.length === 0 && write) return addedTo(unit, write, offset)
  const [only] = call.args
  // `List.of(Row.of(1, "pear"))` holds one row, whatever the row is made of.
  if (call.args.length === 1 && only!.is === 'call' && ONE_THING.test(unit.calls[only!.call]!.name)) return call.args
  return call.args.length === 1 && only!.is !== 'literal' ? itemsOf(unit, only, before) : call.args
}

/** What is made of several values and is one thing. */
const ONE_THING = /(Row|Tuple|Tuple\d+|Pair|Triple|Triplet|Entry|Record|Struct|Arguments)\.of$/

/** A list that begins empty and is given one thing after another where it stands: as good as spelled out. */
function addedTo(unit: Unit, { target, span, in: at }: Write, offset: number): readonly Value[] | undefined {
  const given = unit.calls.filter(c =>
    c.receiver?.is === 'name' && c.receiver.path === target && c.span.start > span.end && c.span.end <= offset
  )
  const added = given.filter(c => APPENDS.test(c.name) && c.args.length === 1)
  return added.length > 0 && given.every(c => c.in === at && !has(c, 'sort') && !GROWS_BY_MANY.test(last(c.name)))
    ? added.map(c => c.args[0]!)
    : undefined
}

export const allSame = (items: readonly Value[]): boolean => items.every(i => JSON.stringify(i) === JSON.stringify(items[0]))

/** Text that tells the order of several entries: `a, b`, `{"a":1,"b":2}`, `a=1&b=2`, lines. */
export const holdsSeveral = (v: Value): boolean =>
  v.is === 'literal' && typeof v.value === 'string' && /\S[,&;]\s*\S|\S\n\s*\S|^[\w./:=@%-]+( [\w./:=@%-]+)+\s*$/.test(v.value)

/** A text that is spelled out, in one piece or several. */
export function literalText(value: Value): string | undefined {
  if (value.is === 'literal') return String(value.value)
  const parts = value.is === 'text' ? value.parts : value.is === 'op' && value.op === '+' ? value.of : undefined
  const texts = parts?.map(literalText)
  return texts?.every(t => t !== undefined) ? texts.join('') : undefined
}

/** JSON in which no object has two entries can be written in one way alone. */
export function hasOneOrder(text: unknown): boolean {
  const single = (v: unknown): boolean =>
    Array.isArray(v)
      ? v.every(single)
      : typeof v !== 'object' || v === null || (Object.keys(v).length < 2 && Object.values(v).every(single))
  try {
    return typeof text === 'string' && /^\s*[[{]/.test(text) && single(JSON.parse(text))
  } catch {
    return false
  }
}

/** A value that tells one thing from the others: a text or number, a class, a constant. */
export const isOneOfMany = (value: Value | undefined): boolean =>
  value?.is === 'group'
    ? value.of.length > 0 && value.of.every(v => v.is === 'literal' || isOneOfMany(v)) && value.of.some(isOneOfMany)
    : value?.is === 'literal'
    ? value.value !== null && typeof value.value !== 'boolean'
    : value?.is === 'name' && /(^|\.)[A-Z]\w*\.(class|[A-Z][A-Z0-9_]*)$/.test(value.path)

/** How many things a collection is made with, and given afterwards by its name. */
export function sizeOf(unit: Unit, call: Call, offset: number): 'few' | 'many' | 'unknown' {
  const index = unit.calls.indexOf(call)
  const name = unit.writes.find(w => w.value.is === 'call' && w.value.call === index)?.target
  const perEntry = /Map\.of$|^range map$/.test(call.name) ? 2 : 1
  // `new HashMap<>(8)` has room for eight and holds none.
  const room = /(\.new|::with_capacity)$/.test(call.name) && call.args[0]?.is === 'literal' && typeof call.args[0].value === 'number'
  const items = call.args.length > 1 && !room
    ? call.args
    : call.args.length === 1 && !room
    ? itemsOf(unit, call.args[0], offset) ?? (/\.of$/.test(call.name) ? call.args : undefined)
    : []
  // `{name(x) for x in items}` writes one item and makes many.
  if (!items || unit.regions.some(r => r.kind === 'loop' && r.span.start >= call.span.start && r.span.end <= call.span.end))
    return 'unknown'
  // The hash of a small number is itself: such a set keeps an order, if not a promised one.
  const numbers = (values: readonly Value[]) => values.length > 0 && values.every(v => v.is === 'literal' && typeof v.value === 'number')
  if (numbers(items)) return 'few'
  const grown = [...(name === undefined ? [] : unit.calls.filter(c => c.receiver?.is === 'name' && c.receiver.path === name)),
    ...ownPuts(unit, call)]
  if (grown.some(c => GROWS_BY_MANY.test(last(c.name)))) return 'unknown'
  const put = grown.filter(c => GROWS.test(last(c.name)))
  if (put.some(c => c.in !== call.in && c.receiver && unit.regions[c.in]?.kind === 'loop')) return 'unknown'
  if (numbers(put.flatMap(c => c.args.slice(0, 1)))) return 'few'
  const count = items.length / perEntry + put.length
  const handed = name !== undefined
    && unit.calls.some(c =>
      c.args.some(a => a.is === 'name' && a.path === name)
      && !unit.assertions.some(a => a.span.start <= c.span.start && a.span.end >= c.span.end)
    )
  return count > 1 ? 'many' : handed && count === 0 ? 'unknown' : 'few'
}

/** `new HashMap<>() {{ put("a", 1); }}` */
const ownPuts = (unit: Unit, made: Call): Call[] => {
  const index = unit.calls.indexOf(made)
  return unit.calls.filter(c =>
    !c.receiver && GROWS.test(c.name) && unit.regions[c.in]?.kind === 'closure' && unit.regions[c.in]!.call === index
  )
}

/** The entries of a collection by their literal keys. */
export function keysOf(unit: Unit, origin: Call, name: string): string[] {
  const made = /Map\.of$/.test(origin.name)
    ? origin.args.filter((_, i) => i % 2 === 0)
    : origin.args.length === 1
    ? itemsOf(unit, origin.args[0], Infinity) ?? []
    : origin.args
  const put = [...unit.calls.filter(c => c.receiver?.is === 'name' && c.receiver.path === name && GROWS.test(last(c.name))),
    ...ownPuts(unit, origin)].flatMap(c => c.args.slice(0, 1))
  return [
    ...new Set(
      [...made, ...put].flatMap(v =>
        v.is === 'literal' && (typeof v.value === 'number' || (typeof v.value === 'string' && v.value !== '')) ? [String(v.value)] : []
      ),
    ),
  ]
}

/** A hash map of Java with several numbers for keys: they most often stand in the order of their size, which nobody promised. */
export const isNumbered = (unit: Unit, origin: Call, name: string): boolean =>
  /^java\.util\.HashMap\.new$/.test(origin.name) && keysOf(unit, origin, name).filter(k => /^\d+$/.test(k)).length > 1

/** What the class or file has written down once under a name. */
export function constant(file: Pick<FileFacts, 'units'>, unit: Unit, value: Value): Value {
  if (value.is !== 'name' || unit.params.includes(value.path) || unit.writes.some(w => w.target === value.path)) return value
  const name = value.path.replace(/^(this|self|cls)\./, '')
  const writes = inForce(file, unit).flatMap(u => u.writes.filter(w => w.target === name || w.target === value.path))
  const kept = writes.length === 1 ? writes[0]!.value : undefined
  return kept?.is === 'literal' || kept?.is === 'text'
      || (kept?.is === 'group' && kept.of.length > 1 && kept.of.every(v => v.is === 'literal'))
    ? kept
    : value
}
