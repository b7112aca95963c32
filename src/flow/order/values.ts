// What a value is at a place, if it has no promised order: from a hash set, a folder's listing or a query, through copies, loops,
// helpers and text.

import type { Effect } from '../../facts/effects.ts'
import type { Call, FileFacts, Span, Unit, Value, Write } from '../../facts/facts.ts'
import { around, effectOf, has, inForce } from '../../facts/query.ts'
import { gatheredIn } from '../threads/gathered.ts'
import { APPENDS, last, LISTS, ONE_RECEIVED, INDEXED, PICKED, SAME, type Disorder, type OrderKind } from './disorder.ts'
import { filledBy, givesRows, isHandedQuery, isUnorderedQuery, MANAGED, type Asked } from './queries.ts'
import { constant, sizeOf, textOf } from './spelled.ts'

/** What refines a query or asks for its rows. */
const QUERIED =
  /^((and|or)?[wW]here(In|Not|NotIn|Null|NotNull|Between|Like|ILike|Raw|Exists)?|or|and|innerJoin|leftJoin|join|limit|offset|groupBy|group_by|having|exec|execute|lean|toArray|populate|select|select_from|select_related|prefetch_related|distinct|only|defer|annotate|filter_by|filter|exclude|all|All|scalars|mappings|fetch|fetchall|fetch_all|partitions|getResultList|getResultStream|list|bind|find|read|setParameter|Val|Result|allowDiskUse|project|batchSize)$/
const LISTED = /^(toArray|toList|collect|collect_vec|try_collect|Collect|to_vec|tolist|collectAsList)$/
const WRITTEN =
  /^(toString|to_string|String|Bytes|getvalue|join|joining|decode|encode|trim|strip|toUpperCase|toLowerCase|replace|replaceAll|toPrettyString|toJSONString)$/
const COUNTED =
  /^(size|len|length|isEmpty|is_empty|contains|containsKey|contains_key|containsAll|equals|count|Len|hashCode|sum|anyMatch|allMatch|noneMatch|any|all|has|includes|includes_all|indexOf)$/
const TEXTS =
  /(^|[.:])(str|repr|stringify|Sprint|Sprintf|String\.valueOf|Objects\.toString|Arrays\.toString|writeValueAsString|toJson|toJSONString|dumps|to_string|to_string_pretty|join|Join)$/
const PICKS = /(^|[.:])(next|Iterables\.getFirst|Iterables\.get)$/
/** Of the calls that promise no order, those that make a collection rather than list one. */
const MAKES = /(\.new|[sS]et|Map|frozenset|\.of|copyOf|ofEntries|create|groupingBy|partitioningBy|::(new|from|from_iter|with_capacity))$/
/** What writes into its first argument. */
const PRINTS_TO = /^fmt\.Fprint(f|ln)?$|^io\.WriteString$/
/** The next that has finished, and what has come through a channel or lies behind a lock, for results that come as they finish. */
const ONE_FINISHED = /(\.|::)(join_next|try_join_next|next|try_next|take|poll)$/
const RECEIVES = new RegExp(
  `^range channel$|(\\.|::)(lock|read|borrow|try_unwrap|into_inner|unwrap|try_iter|try_collect|collect_vec|result)$|${ONE_RECEIVED.source}`,
)
/** In the order of finishing: another matter. */
const FINISHING = /Promise\.|Unordered|_unordered|join_next|select_all|_concurrent|for_each/
/** Getters that give a set by their name, which the file does not tell the making of. */
const GIVES_SET = /[.]get(?!(\w*(Result|Row|Data|Char|Change|Record|Code|Work|Skill|Header))?Set$)\w+Set$/
const KEEPS_ORDER = /(BTree|Index|Linked|Tree|Sorted)\w*(::|\.)/
const IN_ORDER = /\b(Linked\w*(Map|Set)|Tree(Map|Set)|Immutable(Sorted)?(Map|Set)|Enum(Map|Set)|ConcurrentSkipList\w+)\./
const SELECTS = /^\s*\(?select\b/i
const SETS_OF = /^[-|&^]$/

interface Entry {
  readonly from: number
  readonly is: Disorder | undefined
}

/** A helper of the file at work: who calls it, and what its parameters are given. */
interface Frame {
  readonly unit: number
  readonly caller: Unit
  readonly call: Call
  readonly given: ReadonlyMap<string, Disorder>
  readonly outer: Frame | undefined
  names?: Names
}

/** Names without a promised order, by what they are from some place on. */
type Names = Map<string, Entry[]>

export interface Values {
  /** What a value is, as it stands at `offset` in region `at` of the unit. */
  readonly of: (unit: Unit, value: Value | undefined, offset: number, at: number) => Disorder | undefined
  /** What the names of a unit are. */
  readonly names: (unit: Unit) => Names
}

export function valuesOf(file: Pick<FileFacts, 'units'>): Values {
  const known = new Map<number, Names>()
  const given = new Map<number, Disorder | undefined>()
  let frame: Frame | undefined

  function environmentOf(unit: Unit): Names {
    const own = frame?.unit === unit.id ? frame : undefined
    const seen = own ? own.names : known.get(unit.id)
    if (seen) return seen
    const names: Names = new Map()
    if (own) own.names = names
    else known.set(unit.id, names)
    for (const outer of inForce(file, unit))
      for (const [name, entries] of environmentOf(outer)) names.set(name, [{ from: -1, is: entries.at(-1)!.is }])
    for (const param of unit.params) names.delete(param)
    for (const [param, is] of own?.given ?? []) names.set(param, [{ from: -1, is }])
    const put = (name: string, from: number, is: Disorder | undefined) =>
      names.get(name)?.push({ from, is }) ?? names.set(name, [{ from, is }])
    const events = [...unit.writes.map(w => ({ at: w.span.end, run: () => written(unit, w, names, put) })),
      ...unit.calls.map(c => ({ at: c.span.end, run: () => called(unit, c, names, put) }))]
    for (const { name, from, origin } of gatheredIn(file, unit))
      events.push({ at: from, run: () => put(name, from, { kind: 'completion', form: 'sequence', origin, unit: unit.id, many: false }) })
    for (const event of events.sort((a, b) => a.at - b.at)) event.run()
    return names
  }

  type Put = (name: string, from: number, is: Disorder | undefined) => void

  function written(unit: Unit, w: Write, names: Names, put: Put): void {
    const is = evaluate(unit, w.value, w.span.start, w.in, 0) ?? (w.adds ? cursorAround(unit, w.in, w.span.start) : undefined)
    const region = loopOf(unit, w)
    const before = look(names, w.target, w.span.start)
    if (w.adds) {
      if (is && is.form !== 'ordered' && !before) put(w.target, w.span.end, { ...is, form: is.form === 'text' ? 'text' : 'sequence' })
      return
    }
    // `for x in s` binds x to each; `a, b = s` to one of them.
    const unpacked = is && w.value.is === 'group' && is.form !== 'ordered' && is.form !== 'text'
    if (unpacked && region === undefined && is.form === 'sequence' && LISTINGS.test(is.origin.name) && isTakenApart(unit, w))
      put(w.target, w.span.end, { ...is, form: 'element', many: true })
    else if (unpacked && region !== undefined) put(w.target, beginOf(unit, region), { ...is, form: 'each', loop: region })
    else if (unpacked && (is.form === 'bag' || is.form === 'sequence') && !isListing(unit, w.value) && !isOfEach(unit, w))
      put(w.target, w.span.end, { ...is, form: isWhole(unit, w.value) ? is.form : 'element' })
    else put(w.target, w.span.end, isFirstMet(unit, w, is) ? { ...is!, form: 'element' } : is)
  }

  /** `[x for x in a | b]`: a list of one name that stands for each of them. */
  const isOfEach = (unit: Unit, { value, span, in: at }: Write): boolean =>
    value.is === 'group' && evaluate(unit, value.of[0], span.start, at, 0)?.form === 'each'

  /** What a call does to a variable: puts it in order, or adds to it in a loop over something without one. */
  function called(unit: Unit, call: Call, names: Names, put: Put): void {
    if (has(call, 'sort')) {
      for (const target of [call.receiver, call.args[0]]) {
        const before = target?.is === 'name' ? look(names, target.path, call.span.start) : undefined
        if (target?.is === 'name' && before) put(target.path, call.span.end, { ...before, form: 'ordered' })
      }
      return
    }
    if (call.name === '>' || call.name === '>>') return redirected(unit, call, put)
    const filled = filledBy(unit, call)
    if (filled) return put(filled, call.span.end, { kind: 'rows', form: 'sequence', origin: call, unit: unit.id, many: false })
    const prints = PRINTS_TO.test(call.name)
    const into = prints ? call.args[0] : rootOf(unit, call.receiver)
    if (into?.is !== 'name' || !(prints || APPENDS.test(call.name)) || look(names, into.path, call.span.start)) return
    const given = call.args.map(a => evaluate(unit, a, call.span.start, call.in, 0)).find(d => d?.form === 'each')
      ?? cursorAround(unit, call.in, call.span.start)
    if (given)
      put(into.path, call.span.end, { ...given, form: prints || /Builder|Buffer|Joiner|Writer/.test(call.name) ? 'text' : 'sequence' })
  }

  /** A file that a command has written is what the command prints. */
  function redirected(unit: Unit, call: Call, put: Put): void {
    const [path] = call.args
    const writer = unit.calls[unit.calls.indexOf(call) - 1]
    if (path?.is !== 'literal' || !writer || !('>&' in writer.named)) return
    put(`>${path.value}`, call.span.end, evaluate(unit, { is: 'call', call: unit.calls.indexOf(writer) }, call.span.start, call.in, 0))
  }

  /** `while (rows.next())`: what is added in there comes row by row. */
  function cursorAround(unit: Unit, region: number, offset: number): Disorder | undefined {
    for (const r of around(unit, region)) {
      const asks = r.kind === 'loop' && r.condition?.is === 'call' ? unit.calls[r.condition.call] : undefined
      const over = asks && /[.](next|Next)$/.test(asks.name) ? evaluate(unit, asks.receiver ?? undefined, offset, region, 0) : undefined
      if (over?.kind === 'rows' && over.form === 'sequence') return { ...over, form: 'each', loop: unit.regions.indexOf(r) }
    }
    return undefined
  }

  function evaluate(unit: Unit, value: Value | undefined, offset: number, at: number, depth: number): Disorder | undefined {
    if (!value || depth > 12) return undefined
    const inner = (v: Value | undefined) => evaluate(unit, v, offset, at, depth + 1)
    switch (value.is) {
      case 'name':
        return ofName(environmentOf(unit), value.path, offset) ?? ofType(unit, value.path, offset)
      case 'literal':
        return typeof value.value === 'string' ? look(environmentOf(unit), `>${value.value}`, offset) : undefined
      case 'text': {
        // A statement's text is its own, whatever its rows are.
        const is = value.parts.map(inner).find(p => p && p.form !== 'ordered' && !(p.kind === 'rows' && p.form === 'bag'))
        return is && { ...is, form: is.form === 'each' || is.form === 'element' ? is.form : 'text' }
      }
      case 'group': {
        const parts = value.of.map(inner).filter(p => p !== undefined)
        const is = parts.find(p => p.form !== 'bag' && p.form !== 'ordered') ?? (value.of.length === 1 ? parts[0] : undefined)
        // Outside of its loop, what was made of each of them is the list of a comprehension.
        return is?.form === 'each' && !isInside(unit, at, is.loop!) ? { ...is, form: 'sequence' } : is
      }
      case 'op': {
        const first = inner(value.of[0])
        if (SETS_OF.test(value.op) && first?.form === 'bag') return { ...first, many: false }
        // All keys or values of the shell's associative array.
        if (value.op === '${}') return first
        if (value.op === '[]' && first?.form === 'bag' && value.of[1]?.is === 'literal' && /^[*@]$/.test(String(value.of[1].value)))
          return { ...first, form: 'sequence' }
        // By a key each finds its own.
        if (value.op === '[]' && first?.form === 'sequence' && value.of[1]?.is === 'literal' && typeof value.of[1].value === 'string')
          return undefined
        if (value.op === '[]')
          return first && (first.form === 'sequence' || first.form === 'text')
            ? { ...first, form: 'element' }
            : first?.form === 'element' || first?.form === 'each'
            ? first
            : undefined
        return value.op === '+' ? value.of.map(inner).find(p => p && p.form !== 'ordered') : undefined
      }
      case 'call': {
        const call = unit.calls[value.call]
        return call && ofCall(unit, call, offset, inner)
      }
      default:
        return undefined
    }
  }

  function ofCall(unit: Unit, call: Call, offset: number, inner: (v: Value | undefined) => Disorder | undefined): Disorder | undefined {
    const effect = sourceOf(unit, call)
    const receiver = inner(call.receiver ?? undefined)
    const given = receiver ?? call.args.map(inner).find(a => a !== undefined)
    const finished = effectOf(call, 'completion')
    if (finished && finished.what !== 'first')
      return { kind: 'completion', form: ONE_FINISHED.test(call.name) ? 'element' : 'sequence', origin: call, unit: unit.id, many: false }
    if (has(call, 'sort') || (receiver?.kind !== 'completion' && KEEPS_ORDER.test(call.name)))
      return { kind: 'unordered', origin: call, unit: unit.id, many: false, ...given, form: 'ordered' }
    const word = last(call.name)
    if (given?.kind === 'rows' && /^(order|sort)/i.test(word)) return { ...given, form: 'ordered' }
    if (effect && !FINISHING.test(call.name)) {
      const makes = MAKES.test(call.name) || effect.note === 'bag' || effect.note === 'statement'
      // A set of something in no order is as good as any set; a view of a small map is small.
      const size = effect.note === 'bag'
        ? 'unknown'
        : (makes && (!call.receiver || isOfClass(call))) || call.name === 'range map'
        ? sizeOf(unit, call, offset)
        : given?.many
        ? 'many'
        : 'unknown'
      const made = { kind: effect.kind as OrderKind,
        form: effect.note === 'text' || effect.note === 'unstable' || effect.note === 'labels' ? 'text' : makes ? 'bag' : 'sequence',
        origin: call, unit: unit.id, many: size === 'many' } as const
      return size === 'few' || (receiver?.form === 'ordered' && !makes) || isKeptInOrder(unit, call, offset)
        ? { ...made, form: 'ordered' }
        : made
    }
    const collected = word === 'collect' ? collectedAs(unit, call) : undefined
    if (collected)
      return { kind: 'unordered', form: keepsOrder(collected) ? 'ordered' : 'bag', origin: collected, unit: unit.id,
        many: receiver?.many ?? false }
    if (given?.kind === 'completion' && /^(sequence|element)$/.test(given.form) && RECEIVES.test(call.name))
      return ONE_RECEIVED.test(call.name) ? { ...given, form: 'element' } : given
    const target = call.target === undefined ? undefined : file.units[call.target]
    if (target && target.id !== unit.id) return ofHelper(unit, call, target, inner)
    if (receiver) return ofMethod(unit, call, word, receiver)
    if (!given)
      return GIVES_SET.test(call.name) && call.args.length === 0
        ? { kind: 'unordered', form: 'bag', origin: call, unit: unit.id, many: false }
        : undefined
    if (given.kind === 'rows' && QUERIED.test(word)) return given.form === 'bag' ? { ...given, form: 'sequence' } : given
    // Which file it is decides what is in it.
    if (given.kind === 'fs-order' && given.form === 'element' && given.many && /(^|\.)(open|Path|join)$/.test(call.name)) return given
    // What a function makes of one of them is its own affair, unless it only writes or names it.
    if (given.form === 'each' || given.form === 'element')
      return TEXTS.test(call.name) || (given.form === 'each' && !COUNTED.test(word))
        ? given
        : undefined
    if (given.form === 'ordered') return given
    if (PICKS.test(call.name)) return { ...given, form: 'element' }
    // Put beside names by its place: `dict(zip(names, done))`.
    if (call.name === 'dict' && given.form === 'sequence' && call.args[0]?.is === 'call' && unit.calls[call.args[0].call]!.name === 'zip')
      return given
    return TEXTS.test(call.name) ? { ...given, form: 'text' } : LISTS.test(call.name) ? { ...given, form: 'sequence' } : undefined
  }

  function sourceOf(unit: Unit, call: Call): Effect | undefined {
    const told = (['fs-order', 'rows', 'unordered'] as const).map(k => effectOf(call, k)).find(e => e !== undefined)
    const found = told ?? (MANAGED.test(call.name) || givesRows(call) || isHandedQuery(unit, call) ? { kind: 'rows' as const } : undefined)
    if (found?.kind === 'rows') return isUnorderedQuery(unit, call, asked(unit)) ? found : undefined
    if (found?.note === 'labels')
      return call.args.some(a => a.is === 'literal' && /\{\{\s*\.Labels\s*\}\}/.test(String(a.value)))
        ? found
        : undefined
    return found
  }

  /** `Map<K, V> stock = stockOf(3)`, where that makes an `ImmutableMap`: the type that is declared says less than the helper does. */
  function isKeptInOrder(unit: Unit, { receiver, resolution }: Call, offset: number): boolean {
    if (resolution !== 'type' || receiver?.is !== 'name') return false
    const made = unit.writes.findLast(w => w.target === receiver.path && w.span.end <= offset)?.value
    const target = made?.is === 'call' ? unit.calls[made.call]?.target : undefined
    return target !== undefined && file.units[target]!.calls.some(c => IN_ORDER.test(c.name))
  }

  const asked = (unit: Unit): Asked => param => {
    const index = frame?.unit === unit.id ? paramsOf(unit).indexOf(param) : -1
    const kept = index < 0 ? constant(file, unit, { is: 'name', path: param }) : undefined
    if (kept) return kept.is === 'literal' && typeof kept.value === 'string' ? kept.value : undefined
    return textOf(frame!.caller, frame!.call.named[param] ?? frame!.call.args[index], frame!.call.span.start)
  }

  /** What a helper of the file gives back, with what this call gives it. */
  function ofHelper(unit: Unit, call: Call, target: Unit, inner: (v: Value | undefined) => Disorder | undefined): Disorder | undefined {
    const bound = new Map(paramsOf(target).flatMap((param, i) => {
      const is = inner(call.named[param] ?? call.args[i])
      return is ? [[param, is] as const] : []
    }))
    const own = bound.size === 0 && !call.args.some(a => SELECTS.test(textOf(unit, a, call.span.start) ?? ''))
    if (own && given.has(target.id)) return given.get(target.id)
    for (let outer = frame; outer; outer = outer.outer) if (outer.unit === target.id) return undefined
    if (own) given.set(target.id, undefined)
    const before = frame
    frame = { unit: target.id, caller: unit, call, given: bound, outer: before }
    const gives = target.returns.map(v => evaluate(target, v, Infinity, 0, 4)).filter(d => d && d.form !== 'ordered' && d.form !== 'each')
    frame = before
    // Text of anything at all is seldom text of a hash map: only where one is handed in.
    const handed = [...bound.values()].find(b => b.form === 'bag')
    const found = gives.map(d => (d!.origin.effects.some(e => e.note === 'text') ? handed && { ...handed, form: 'text' as const } : d))
      .find(d => d !== undefined)
    const is = found && own ? { ...found, helper: true } : found
    if (own) given.set(target.id, is)
    return is
  }

  function ofMethod(unit: Unit, call: Call, word: string, is: Disorder): Disorder | undefined {
    if (is.form === 'sequence' && is.kind === 'rows' && /^get(String|Int|Long|Object|Double|Boolean|BigDecimal|Timestamp)$/.test(word))
      return { ...is, form: 'element' }
    if (is.form === 'sequence' && is.kind === 'rows' && word === 'all') return is
    if (is.form === 'element' && /^(size|length|len)$/.test(word)) return is
    if (COUNTED.test(word) || (is.form === 'element' && call.args.length > 0 && !(is.kind === 'rows' && word === 'get'))) return undefined
    // With what is added, a set of one is more.
    if (/^(union|symmetric_difference)$/.test(word) && is.kind === 'unordered') return { ...is, form: 'bag', many: true }
    if (is.form === 'each' || is.form === 'element' || is.form === 'ordered') return is
    // `collect(toSet())` and `collect(joining())` say what they make by their argument.
    const into = call.args.map(a => (a.is === 'call' ? unit.calls[a.call]! : undefined)).find(c => c !== undefined)
    if (LISTED.test(word))
      return into && (has(into, 'unordered', 'sort') || /to\w*(Set|Map)$|groupingBy|toCollection/.test(into.name))
        ? undefined
        : { ...is, form: into && /joining$/.test(into.name) ? 'text' : 'sequence' }
    if (PICKED.test(word)) return { ...is, form: 'element' }
    if (SAME.test(word) || (is.kind === 'rows' && QUERIED.test(word))) return is
    if (WRITTEN.test(word)) return { ...is, form: 'text' }
    return INDEXED.test(word) && is.form === 'sequence' ? { ...is, form: 'element' } : undefined
  }

  return { of: (unit, value, offset, at) => evaluate(unit, value, offset, at, 0), names: environmentOf }
}

/** A variable that is declared as a set or map: what is asked of it says so. What the test makes itself is known better. */
function ofType(unit: Unit, path: string, offset: number): Disorder | undefined {
  const made = unit.writes.findLast(w => w.target === path && w.span.end <= offset)?.value
  if (made?.is !== 'call'
    || /\.new$|[lL]inked|[tT]ree|[sS]ort|[oO]rder|[iI]mmutable|[eE]num|unmodifiable|(^|\.)(Sets?|Maps?|Collections)\./.test(
      unit.calls[made.call]!.name,
    )) return undefined
  const asks = unit.calls.filter(c =>
    c.resolution === 'type' && c.receiver?.is === 'name' && c.receiver.path === path
    && /^java\.util\.(Set|HashSet|HashMap|Hashtable|concurrent\.ConcurrentHashMap)\.\w+$/.test(c.name)
  )
  const asked = asks.find(c => SAME.test(last(c.name))) ?? asks[0]
  return asked && { kind: 'unordered', form: 'bag', origin: asked, unit: unit.id, many: false }
}

/** `text.append(a).append(b)`: what the chain began with. */
function rootOf(unit: Unit, value: Value | null): Value | null {
  let at = value
  for (let depth = 0; at?.is === 'call' && depth < 8 && APPENDS.test(unit.calls[at.call]!.name); depth++) at = unit.calls[at.call]!.receiver
  return at
}

/** `collect(toSet())`; a maker that is handed over, as in `toMap(key, value, merge, TreeMap::new)`, may keep an order. */
function collectedAs(unit: Unit, { args }: Call): Call | undefined {
  const into = args[0]?.is === 'call' ? unit.calls[args[0].call] : undefined
  return into && has(into, 'unordered') ? into : undefined
}

const keepsOrder = ({ name, args }: Call): boolean => args.length >= (/groupingBy$/.test(name) ? 3 : 4)

/** `Map.of(…)`: called on the class itself. */
const isOfClass = ({ name, receiver }: Call): boolean => receiver?.is === 'name' && name.startsWith(`${receiver.path}.`)

/** `for k := range m { first = k; break }`: whichever comes first. */
const isFirstMet = (unit: Unit, w: Write, is: Disorder | undefined): boolean =>
  is?.form === 'each' && is.loop === w.in && !w.declares && unit.regions[w.in]!.leaves === true
  && !unit.regions.some((r, i) => r.kind === 'if' && i !== w.in && isInside(unit, i, w.in))

const look = (names: Names, path: string, offset: number): Disorder | undefined => names.get(path)?.findLast(e => e.from <= offset)?.is

const paramsOf = (unit: Unit): string[] => unit.params.filter(p => p !== 'self' && p !== 'cls')

/** A field of one of them is as much a matter of chance as the one. */
function ofName(names: Names, path: string, offset: number): Disorder | undefined {
  const whole = look(names, path, offset)
  const dot = path.lastIndexOf('.')
  if (whole || dot < 0 || names.has(path)) return whole
  const base = ofName(names, path.slice(0, dot), offset)
  return base?.form === 'each' || base?.form === 'element' ? base : undefined
}

function isInside(unit: Unit, at: number, region: number): boolean {
  for (let r = at;; r = unit.regions[r]!.in) {
    if (r === region) return true
    if (r === 0) return false
  }
}

/** The loop or closure whose variable a write binds; in some languages the header belongs to the region around it. */
function loopOf(unit: Unit, w: Write): number | undefined {
  const own = unit.regions[w.in]!
  const header = unit.regions.findIndex((r, i) =>
    i !== 0 && r.kind === 'loop' && r.in === w.in && r.span.start <= w.span.start && r.span.end >= w.span.end
  )
  // What a promise is settled with is the whole.
  if (own.kind === 'closure' && own.call !== undefined && /\.then$/.test(unit.calls[own.call]!.name)) return undefined
  return header !== -1 ? header : w.in !== 0 && (own.kind === 'loop' || own.kind === 'closure') ? w.in : undefined
}

/** The variable of a comprehension is known from the beginning of what it stands in, since its loop is written after its body. */
function beginOf(unit: Unit, region: number): number {
  const { start, end } = unit.regions[region]!.span
  const holds = ({ span }: { readonly span: Span }) => span.start < start && span.end >= end
  return Math.min(start,
    ...[...unit.assertions.filter(holds), ...unit.writes.filter(holds), ...unit.calls.filter(holds)].map(o => o.span.start))
}

/** A group of several is a list; one that wraps a single name or call may be what is unpacked. */
const isListing = (unit: Unit, value: Value): boolean => value.is === 'group' && (value.of.length > 1 || isWhole(unit, value))

/** `first, second = os.listdir(path)`: one value for several names. */
const LISTINGS = /^(os\.(listdir|scandir)|glob\.i?glob|pathlib\.Path\.(iterdir|r?glob)|\?\.(iterdir|r?glob)|list)$/
const isTakenApart = (unit: Unit, { span }: Write): boolean =>
  unit.writes.filter(w => w.span.start === span.start && w.span.end === span.end).length > 1

/** A cast or a wrapper keeps the whole: what is in it is a call. */
const isWhole = (_: Unit, value: Value): boolean => value.is === 'group' && value.of[0]?.is === 'call'
