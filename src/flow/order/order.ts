// Things without a promised order, followed to where a test expects one: from a hash set, a folder's listing or a query,
// through copies, loops and text, to a comparison that looks at positions.

import type { Effect, EffectKind } from '../../facts/effects.ts'
import type { Assertion, Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { around, effectOf, has, inForce, isTestCode, valuesIn } from '../../facts/query.ts'
import { gatheredIn } from '../threads/gathered.ts'
import { filledBy, givesRows, givesSuch, isHandedQuery, isUnorderedQuery, MANAGED, type Asked } from './queries.ts'

type OrderKind = Extract<EffectKind, 'unordered' | 'fs-order' | 'rows' | 'completion'>

/** `bag`: compared as a whole it is harmless. `each`: one after another in a loop. `ordered`: somebody has put it in order. */
type Form = 'bag' | 'sequence' | 'element' | 'text' | 'each' | 'ordered'

export interface Disorder {
  readonly kind: OrderKind
  readonly form: Form
  /** Where it comes from. */
  readonly origin: Call
  readonly unit: number
  /** It has two entries at least, as far as the file tells. */
  readonly many: boolean
  /** each: the loop it belongs to. */
  readonly loop?: number
  /** A helper of the file gives it, whatever it is given. */
  readonly helper?: boolean
}

export interface Expected extends Disorder {
  readonly form: 'sequence' | 'element' | 'text'
  /** The other side is spelled out in the test: nobody has put it in the same order. */
  readonly spelled: boolean
  /** The test takes more than one of them, or says that there are several. */
  readonly several?: boolean
  /** It went through code that is not in this file, which may put it in order. */
  readonly handed?: true
}

const last = (name: string): string => /(\w+)$/.exec(name)?.[1] ?? name
/** What still holds the same things in the same order. */
const SAME =
  /^(keySet|values|entrySet|keys|items|iterator|listIterator|stream|parallelStream|iter|iter_mut|into_iter|into_keys|into_values|drain|elements|entries|map|filter|flatMap|filter_map|flat_map|cloned|copied|peek|boxed|mapToObj|copy|clone|rev|enumerate|chain|asList|reverse|reversed|unwrap|expect|with_context|into_inner|orElseThrow|asIterator|values_list|skip|All|Values|Keys|flatten|inspect|map_while|take_while|skip_while|min_depth|max_depth|follow_links|same_file_system|filter_entry)$/
/** What refines a query or asks for its rows. */
const QUERIED =
  /^((and|or)?[wW]here(In|Not|NotIn|Null|NotNull|Between|Like|ILike|Raw|Exists)?|or|and|innerJoin|leftJoin|join|limit|offset|groupBy|group_by|having|exec|execute|lean|toArray|populate|select|select_from|select_related|prefetch_related|distinct|only|defer|annotate|filter_by|filter|exclude|all|All|scalars|mappings|fetch|fetchall|fetch_all|partitions|getResultList|getResultStream|list|bind|find|read|setParameter|Val|Result|allowDiskUse|project|batchSize)$/
const LISTED = /^(toArray|toList|collect|collect_vec|try_collect|Collect|to_vec|tolist|collectAsList)$/
const PICKED = /^(next|first|findFirst|findAny|nth|last|pop|poll|popitem|getFirst|getLast|removeFirst|find_first|firstKey|head|fetchone)$/
const INDEXED = /^(get|elementAt|at|item|index|Index|charAt|remove)$/
const WRITTEN =
  /^(toString|to_string|String|Bytes|getvalue|join|joining|decode|encode|trim|strip|toUpperCase|toLowerCase|replace|replaceAll|toPrettyString|toJSONString)$/
const COUNTED =
  /^(size|len|length|isEmpty|is_empty|contains|containsKey|contains_key|containsAll|equals|count|Len|hashCode|sum|anyMatch|allMatch|noneMatch|any|all|has|includes|includes_all|indexOf)$/
/** Functions that list what they are given, and those that make text of it. */
const LISTS =
  /(^|[.:])(list|tuple|enumerate|map|filter|zip|iter|reversed|ArrayList\.new|LinkedList\.new|ArrayDeque\.new|Vector\.new|LinkedHashSet\.new|List\.copyOf|Lists\.newArrayList|Lists\.newLinkedList|ImmutableList\.copyOf|ImmutableSet\.copyOf|Arrays\.asList|Arrays\.stream|Stream\.of|Array\.from|Collect|Vec::from_iter|Vec::from)$/
const TEXTS =
  /(^|[.:])(str|repr|stringify|Sprint|Sprintf|String\.valueOf|Objects\.toString|Arrays\.toString|writeValueAsString|toJson|toJSONString|dumps|to_string|to_string_pretty|join|Join)$/
const PICKS = /(^|[.:])(next|Iterables\.getFirst|Iterables\.get)$/
/** Of the calls that promise no order, those that make a collection rather than list one. */
const MAKES = /(\.new|[sS]et|Map|frozenset|\.of|copyOf|ofEntries|create|groupingBy|partitioningBy|::(new|from|from_iter|with_capacity))$/
const MAKES_HASHED = /^java\.util\.(Hash(Map|Set)\.new|(Map|Set)\.of(Entries)?)$|(^|[.])(Maps|Sets)\.newHash(Map|Set)$/
const GROWS = /^(put|add|insert|putIfAbsent|offer|setdefault|Store|entry)$/
const GROWS_BY_MANY = /^(addAll|putAll|update|extend|computeIfAbsent|merge)$/
const APPENDS =
  /(^\?|[.:]Vec|List|Deque|Builder|Buffer|Vector|Queue|Joiner|Writer)(\.|::)(append|push|push_back|add|addLast|push_str|writeln|WriteString|Write|WriteByte|WriteRune|print|println)$/
/** What writes into its first argument. */
const PRINTS_TO = /^fmt\.Fprint(f|ln)?$|^io\.WriteString$/
/** The next that has finished, and what has come through a channel or lies behind a lock, for results that come as they finish. */
const ONE_FINISHED = /(\.|::)(join_next|try_join_next|next|try_next|take|poll)$/
const ONE_RECEIVED = /^<-|(\.|::)((try_|blocking_)?recv(_timeout)?|take)$/
const RECEIVES = new RegExp(
  `^range channel$|(\\.|::)(lock|read|borrow|try_unwrap|into_inner|unwrap|try_iter|try_collect|collect_vec|result)$|${ONE_RECEIVED.source}`,
)
/** In the order of finishing: another matter. */
const FINISHING = /Promise\.|Unordered|_unordered|join_next|select_all|_concurrent|for_each/

/** Getters that give a set by their name, which the file does not tell the making of. */
const GIVES_SET = /[.]get(?!(\w*(Result|Row|Data|Char|Change|Record|Code|Work|Skill|Header))?Set$)\w+Set$/
export const AS_DATA =
  /JSONEq|YAMLEq|MatchJSON|MatchYAML|JSONAssert|JsonAssert|assertThatJson|isEqualToJson|assertJson|jsonEquals|assertXml|isSimilarTo|assert_json/
const KEEPS_ORDER = /(BTree|Index|Linked|Tree|Sorted)\w*(::|\.)/
const SORTS_FIRST = /cmpopts\.(SortSlices|SortMaps)$|cmp\.Transformer$|protocmp\.SortRepeated\w*$/
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
  names?: Map<string, Entry[]>
}

interface Order {
  /** What a value is, as it stands at `offset` in region `at` of the unit. */
  readonly of: (unit: Unit, value: Value | undefined, offset: number, at: number) => Disorder | undefined
  /** What an assertion expects of it that nobody promised. */
  readonly expected: (unit: Unit, assertion: Assertion) => Expected | undefined
}

/** An assertion, and what it expects. */
export interface Demand {
  readonly unit: Unit
  readonly assertion: Assertion
  readonly found: Expected
  /** Where it is to be put in order: at its source, a query or a helper that lists; else where it is compared. */
  readonly at: Span
  readonly in: number
  readonly atSource: boolean
}

const walked = new WeakMap<FileFacts, readonly Demand[]>()

/** Every assertion of a file's test code that expects an order of something that has none; the rules of order share one walk. */
export function demandsIn(file: FileFacts, kind: OrderKind): Demand[] {
  const known = walked.get(file) ?? walk(file)
  walked.set(file, known)
  return known.filter(e => e.found.kind === kind)
}

function walk(file: FileFacts): Demand[] {
  const order = orderOf(file)
  const demands = file.units.filter(u => u.assertions.length > 0 && isTestCode(file, u)).flatMap(unit =>
    unit.assertions.flatMap((assertion): Demand[] => {
      const found = order.expected(unit, assertion)
      if (!found) return []
      const own = found.unit === unit.id
      const atSource = isTestCode(file, file.units[found.unit]!)
        && (found.kind === 'rows'
          ? own || found.helper === true
          : found.kind === 'fs-order'
          ? !own && found.helper === true
          // A map that the test itself makes to have its text compared: another map is the cure.
          : own && found.form === 'text' && MAKES_HASHED.test(found.origin.name)
            && (!/\.new$/.test(found.origin.name) || found.origin.args.every(a => a.is === 'literal')))
      return [{ unit, assertion, found, atSource, at: atSource ? found.origin.span : assertion.span, in: atSource ? found.unit : unit.id }]
    })
  )
  // What one query or helper gives is one matter, however many assertions count on it.
  return demands.filter((d, i) => !d.atSource || demands.findIndex(o => o.atSource && o.found.origin === d.found.origin) === i)
}

function orderOf(file: Pick<FileFacts, 'units'>): Order {
  const known = new Map<number, Map<string, Entry[]>>()
  const given = new Map<number, Disorder | undefined>()
  let frame: Frame | undefined

  function environmentOf(unit: Unit): Map<string, Entry[]> {
    const own = frame?.unit === unit.id ? frame : undefined
    const seen = own ? own.names : known.get(unit.id)
    if (seen) return seen
    const names = new Map<string, Entry[]>()
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

  function written(unit: Unit, w: Unit['writes'][number], names: Map<string, Entry[]>, put: Put): void {
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
  const isOfEach = (unit: Unit, { value, span, in: at }: Unit['writes'][number]): boolean =>
    value.is === 'group' && evaluate(unit, value.of[0], span.start, at, 0)?.form === 'each'

  /** What a call does to a variable: puts it in order, or adds to it in a loop over something without one. */
  function called(unit: Unit, call: Call, names: Map<string, Entry[]>, put: Put): void {
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
      return size === 'few' || (receiver?.form === 'ordered' && !makes) ? { ...made, form: 'ordered' } : made
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

  const asked = (unit: Unit): Asked => param => {
    const index = frame?.unit === unit.id ? paramsOf(unit).indexOf(param) : -1
    const kept = index < 0 ? constant(unit, { is: 'name', path: param }) : undefined
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

  function expected(unit: Unit, a: Assertion): Expected | undefined {
    if (a.compare !== '==' && a.compare !== 'snapshot' && a.compare !== 'contains') return undefined
    const sides = a.operands.map(o => evaluate(unit, o, a.span.start, a.in, 0))
    const found = sides.findIndex(s => s && s.form !== 'ordered' && s.form !== 'each')
    const is = sides[found]
    const each = found === -1 ? inStep(unit, a, sides) : undefined
    if (each) return each
    if (!is) return a.compare === '==' && sides.every(s => s === undefined) ? throughOther(unit, a) : undefined
    if (sides.some((s, i) => s && i !== found && (s.form !== 'bag' || is.form === 'bag'))) return undefined
    if (unit.calls.some(c => c.args.length > 2 && a.operands.every(o => c.args.includes(o)) && c.args.some(o => sortsFirst(unit, o))))
      return undefined
    // `assertThat(map).extractingByKey(k).containsExactly(…)` looks at one of its values.
    if (within(unit, a).some(c => /[.](extractingByKey|extractingFromEntries|hasEntrySatisfying)$/.test(c.name))) return undefined
    const others = a.operands.filter((_, i) => i !== found).map(o => constant(unit, o))
    // Of what is done by now there is often one alone.
    if (isSingle(unit, is, a) || (is.form === 'element' && /^(asyncio|concurrent\.futures)\.wait$/.test(is.origin.name))) return undefined
    // In Rust a snapshot writes a map entry by entry, as the map gives them; elsewhere it puts them in an order of its own.
    if (a.compare === 'snapshot')
      return is.form === 'bag' && !/::/.test(is.origin.name)
        ? undefined
        : { ...is, form: is.form === 'bag' ? 'text' : is.form as Expected['form'], spelled: true }
    // JSON that is compared as data has no order.
    if (is.form === 'text' && within(unit, a).some(c => AS_DATA.test(c.name))) return undefined
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

  /** What the class or file has written down once under a name. */
  function constant(unit: Unit, value: Value): Value {
    if (value.is !== 'name' || unit.params.includes(value.path) || unit.writes.some(w => w.target === value.path)) return value
    const name = value.path.replace(/^(this|self|cls)\./, '')
    const writes = inForce(file, unit).flatMap(u => u.writes.filter(w => w.target === name || w.target === value.path))
    const kept = writes.length === 1 ? writes[0]!.value : undefined
    return kept?.is === 'literal' || kept?.is === 'text'
        || (kept?.is === 'group' && kept.of.length > 1 && kept.of.every(v => v.is === 'literal'))
      ? kept
      : value
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
      && index.is !== 'literal' && !evaluate(unit, index, a.span.start, a.in, 0)
    return counts ? { ...sides[at]!, form: 'element', spelled: true, several: true } : undefined
  }

  /** Handed to other code and found again in text or a list that names its entries one after another. */
  function throughOther(unit: Unit, a: Assertion): Expected | undefined {
    const text = a.operands.flatMap(o => expectedText(unit, o, a) ?? []).find(t => holdsSeveral({ is: 'literal', value: t }))
    const items = text === undefined
      ? a.operands.map(o => itemsOf(unit, o, a.span.start)).find(i => i !== undefined && i.length > 1)
      : undefined
    if (!a.operands.some(o =>
      o.is === 'call' || o.is === 'name' || (o.is === 'text' && o.parts.some(p => p.is === 'name' || p.is === 'call'))
    )
      || unit.calls.some(c => has(c, 'sort'))) return undefined
    if (text === undefined && !items) return readFrom(unit, a)
    for (const { is, name } of handedIn(unit, a)) {
      // `Optional.of(Set.of("a", "b"))` holds a set: beside a list, what stands in the assertion may itself be what is expected.
      if (name === '' && text === undefined) continue
      const keys = keysOf(unit, is.origin, name)
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
    return given ? undefined : textOf(unit, value, a.span.start)
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

  /** Collections of two entries or more that the test makes itself and hands to other code, which does not put them in order. */
  function* handedIn(unit: Unit, a: Assertion): Generator<{ readonly is: Disorder; readonly name: string }> {
    const checked = unit.assertions.filter(other => other !== a)
    for (const [name, entries] of environmentOf(unit)) {
      const is = entries.findLast(e => e.from <= a.span.start && e.from >= 0)?.is
      if (is?.form !== 'bag' || is.unit !== unit.id || !is.many) continue
      const takers = unit.calls.filter(c => c.args.some(v => v.is === 'name' && v.path === name))
      const handed = takers.some(c =>
        c.span.end <= a.span.end && !GROWS.test(last(c.name)) && !LISTS.test(c.name)
        && !checked.some(({ span }) => span.start <= c.span.start && span.end >= c.span.end)
      )
      if (handed && !takers.some(sortsItself)) yield { is, name }
    }
    // Made where it is handed over: `join(Set.of("pear", "apple"))`.
    const before = unit.calls.filter(c =>
      c.span.end <= a.span.end && !checked.some(({ span }) => span.start <= c.span.start && span.end >= c.span.end)
    )
    for (const call of before.filter(c => !has(c, 'unordered') && !LISTS.test(c.name) && !sortsItself(c)))
      for (const value of call.args) {
        const is = value.is === 'call' ? evaluate(unit, value, a.span.start, a.in, 0) : undefined
        if (is?.form === 'bag' && is.many && !a.operands.includes(value)) yield { is, name: '' }
      }
  }

  /** A function of the file that sorts what it is given. */
  const sortsItself = (call: Call): boolean =>
    file.units.some(u => u.role.is === 'helper' && u.name === last(call.name) && u.calls.some(s => has(s, 'sort')))

  return { of: (unit, value, offset, at) => evaluate(unit, value, offset, at, 0), expected }
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
const isFirstMet = (unit: Unit, w: Unit['writes'][number], is: Disorder | undefined): boolean =>
  is?.form === 'each' && is.loop === w.in && !w.declares && unit.regions[w.in]!.leaves === true
  && !unit.regions.some((r, i) => r.kind === 'if' && i !== w.in && isInside(unit, i, w.in))

/** A value that tells one thing from the others: a text or number, a class, a constant. */
const isOneOfMany = (value: Value | undefined): boolean =>
  value?.is === 'group'
    ? value.of.length > 0 && value.of.every(v => v.is === 'literal' || isOneOfMany(v)) && value.of.some(isOneOfMany)
    : value?.is === 'literal'
    ? value.value !== null && typeof value.value !== 'boolean'
    : value?.is === 'name' && /(^|\.)[A-Z]\w*\.(class|[A-Z][A-Z0-9_]*)$/.test(value.path)

const look = (names: Map<string, Entry[]>, path: string, offset: number): Disorder | undefined =>
  names.get(path)?.findLast(e => e.from <= offset)?.is

const within = (unit: Unit, { span }: Assertion): Call[] => unit.calls.filter(c => c.span.start >= span.start && c.span.end <= span.end)

const lastWrite = (unit: Unit, path: string, offset: number): Unit['writes'][number] | undefined =>
  unit.writes.findLast(w => w.target === path && w.span.end <= offset)

/** What gives the text of a file, by its name. */
const READS_TEXT =
  /(^|[.:_])(read_?(all_?)?(string|text|content\w*|file\w*|resource\w*|to_string)|\w*contents?_?of|get_?resource\w*|load_?(text|string|resource\w*|file|golden|expected)|readFileSync|ReadFile|slurp)$|include_str!$|(IOUtils|Resources|Files)\.(toString|readString)$/i

/** Text that is spelled out, here or where the name was bound. */
function textOf(unit: Unit, value: Value | undefined, offset: number): string | undefined {
  const bound = value?.is === 'name' ? lastWrite(unit, value.path, offset)?.value : value
  // `("{'a': 1, " + "'b': 2}").replace('\\'', '"')`
  const call = bound?.is === 'call' ? unit.calls[bound.call] : undefined
  const kept = call && /[.](replace|replaceAll|trim|strip|stripIndent)$/.test(call.name) ? call.receiver : bound
  return !kept || (kept.is === 'literal' && typeof kept.value !== 'string') ? undefined : literalText(kept)
}

const paramsOf = (unit: Unit): string[] => unit.params.filter(p => p !== 'self' && p !== 'cls')

/** A field of one of them is as much a matter of chance as the one. */
function ofName(names: Map<string, Entry[]>, path: string, offset: number): Disorder | undefined {
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
function loopOf(unit: Unit, w: Unit['writes'][number]): number | undefined {
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
const isTakenApart = (unit: Unit, { span }: Unit['writes'][number]): boolean =>
  unit.writes.filter(w => w.span.start === span.start && w.span.end === span.end).length > 1

/** A cast or a wrapper keeps the whole: what is in it is a call. */
const isWhole = (_: Unit, value: Value): boolean => value.is === 'group' && value.of[0]?.is === 'call'

/** The items of a list that is spelled out, here or where the name was bound. */
function itemsOf(unit: Unit, value: Value | undefined, offset: number): readonly Value[] | undefined {
  // `all = new ArrayList<>(all)` is made of what the name held before.
  const write = value?.is === 'name' ? unit.writes.findLast(w => w.target === value.path && w.span.end <= offset) : undefined
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
function addedTo(unit: Unit, { target, span, in: at }: Unit['writes'][number], offset: number): readonly Value[] | undefined {
  const given = unit.calls.filter(c =>
    c.receiver?.is === 'name' && c.receiver.path === target && c.span.start > span.end && c.span.end <= offset
  )
  const added = given.filter(c => APPENDS.test(c.name) && c.args.length === 1)
  return added.length > 0 && given.every(c => c.in === at && !has(c, 'sort') && !GROWS_BY_MANY.test(last(c.name)))
    ? added.map(c => c.args[0]!)
    : undefined
}

const allSame = (items: readonly Value[]): boolean => items.every(i => JSON.stringify(i) === JSON.stringify(items[0]))

/** Text that tells the order of several entries: `a, b`, `{"a":1,"b":2}`, `a=1&b=2`, lines. */
const holdsSeveral = (v: Value): boolean =>
  v.is === 'literal' && typeof v.value === 'string' && /\S[,&;]\s*\S|\S\n\s*\S|^[\w./:=@%-]+( [\w./:=@%-]+)+\s*$/.test(v.value)

/** A text that is spelled out, in one piece or several. */
function literalText(value: Value): string | undefined {
  if (value.is === 'literal') return String(value.value)
  const parts = value.is === 'text' ? value.parts : value.is === 'op' && value.op === '+' ? value.of : undefined
  const texts = parts?.map(literalText)
  return texts?.every(t => t !== undefined) ? texts.join('') : undefined
}

/** JSON in which no object has two entries can be written in one way alone. */
function hasOneOrder(text: unknown): boolean {
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

/** All that a query gives is compared with a list of two rows or more; what is built or asked of it is another matter. */
const listsRows = (unit: Unit, a: Assertion, { form }: Disorder, rows: readonly Value[] | undefined): boolean =>
  form === 'sequence' && a.compare === '==' && rows !== undefined && rows.length > 1
  && (a.operands.length === 2 || within(unit, a).some(c => /[.]containsExactly$/.test(c.name)))

/** How many things a collection is made with, and given afterwards by its name. */
function sizeOf(unit: Unit, call: Call, offset: number): 'few' | 'many' | 'unknown' {
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

/** The entries of a collection by their literal keys. */
function keysOf(unit: Unit, origin: Call, name: string): string[] {
  const made = /Map\.of$/.test(origin.name)
    ? origin.args.filter((_, i) => i % 2 === 0)
    : origin.args.length === 1
    ? itemsOf(unit, origin.args[0], Infinity) ?? []
    : origin.args
  const put = [...unit.calls.filter(c => c.receiver?.is === 'name' && c.receiver.path === name && GROWS.test(last(c.name))),
    ...ownPuts(unit, origin)].flatMap(c => c.args.slice(0, 1))
  return [
    ...new Set([...made, ...put].flatMap(v => (v.is === 'literal' && typeof v.value === 'string' && v.value !== '' ? [v.value] : []))),
  ]
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
