// Text that a test spells out and that was written from a map or by a serialiser: whoever wrote it promised no order of its entries.

import type { Assertion, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { calledBy, inForce, isTestCode, valuesIn } from '../../facts/query.ts'
import { type Expected } from './disorder.ts'
import { AS_DATA } from './expected.ts'

export interface Written {
  readonly unit: Unit
  readonly assertion: Assertion
  /** Who wrote it, as a reader would say. */
  readonly by: 'a map' | 'a serialiser' | 'entries'
  /** The test itself makes a map without an order, or asks a server for the text. */
  readonly sure: boolean
}

/** How a map of the JDK prints itself; a class of the project puts its name before the brace. */
const MAP = /^\s*\{[^{}=,\s]+=[^]*, [^{}=,\s]+=/
const JSON = /^\s*\[?\s*\{[^]*?["'][^"']+["']\s*:[^]*,\s*["'][^"']+["']\s*:/
/** Two parameters of different names. */
const PARAMETERS = /(?:^|[?\s])([\w.%-]+)=[^&\s]*&(?!\1=)[\w.%-]+=/
const HASHED = /\b(HashMap|HashSet|Hashtable|ConcurrentHashMap|Map\.of|Set\.of|newHashMap|newHashSet)\b/
const SERIALISES = /(^|\.)(\w*[tT]o(JSON|Json)\w*|writeValueAsString|asJson\w*|toPrettyString|encodePrettily|serialize\w*|prettyPrint)$/
/** Somebody asks for an order, or keeps one. */
export const ORDERED =
  /Linked\w*(Map|map|List|Set)|LinkedHash|Tree[A-Z]\w+|ArrayTable|EnumMap|StringBuilder|Sort|SORT|ORDER_MAP|PropertyOrder|ImmutableMap|ArrayNode|(^|\W)ordered/
/** Whatever comes in, it goes out in an order. */
export const PUTS_IN_ORDER = /Tree(Map|Set|map|set)|Sort|SORT|ORDER_MAP|PropertyOrder|(^|\W)ordered/
export const MAPS = /(^|[.])HashMap\.new$|newHashMap$/
/** What has no order stands in the test itself. */
const UNORDERED = /\bHash(Map|Set)\b|\bJSONObject\b|\b(Map|Set)</

export function* writtenTexts(file: FileFacts, textOf: (span: Span) => string): Generator<Written> {
  if (file.language !== 'java' || file.imports.some(i => /PropertyOrder$/.test(i.name))) return
  for (const unit of file.units) {
    if (!isTestCode(file, unit) || unit.assertions.length === 0) continue
    for (const assertion of unit.assertions) {
      const by = writerOf(file, unit, assertion, textOf) ?? (listsEntries(textOf(assertion.span), assertion) ? 'entries' : undefined)
      if (by && !ORDERED.test(textOf(unit.span)) && !AS_DATA.test(textOf(assertion.span)))
        yield { unit, assertion, by,
          sure: by === 'a serialiser' && UNORDERED.test(textOf(unit.span)) || isHashed(unit, assertion.span, textOf)
            || CONTENT.test(textOf(assertion.span)) }
    }
  }
}

/** A map without an order is made before the assertion, and holds more than one entry. */
function isHashed(unit: Unit, { end }: Span, textOf: (span: Span) => string): boolean {
  const text = textOf({ start: unit.span.start, end })
  const times = (what: RegExp) => [...text.matchAll(what)].length
  const one = times(/\bnew \w*Hash\w*/g) === 1 && times(/\.(put|add)\w*\(/g) === 1
    && !/\.(put|add)All\(|\b(for|while) ?\(|forEach/.test(text)
  return HASHED.test(text) && !one && !holdsOne(text)
}

const CONTENT = /\bcontent\(\)\s*\.string\(/
/** A text that is read before it is compared, or one that comes back as it went in. */
const PARSED =
  /\b(\w*[pP]arse\w*|readTree|readValue|from_?[jJ]son|[jJ]sonNode|newJsonObject|JSONObject|JsonObject|JSONArray|JsonPath|asJson)\(/
const READS = /(^|[.])(parse\w*|readTree|readValue|from_?[jJ]son)$/
const TEXTS = /"((?:[^"\\]|\\.)*)"/g
const ENTRIES = /["']\w+["']\s*:[^{}]*,[^{}]*["']\w+["']\s*:|^\{\w+:[^{},]*,\s*\w+:|[?&\s"](\w+)=[^&"]*&(?!\1=)\w+=/

/** What a test spells out holds two entries or more, wherever the text comes from that it is compared with. */
function listsEntries(text: string, { compare, operands }: Assertion): boolean {
  if (CONTENT.test(text)) return ENTRIES.test(joined(text))
  const spelledOut = operands.some(o => o.is === 'literal' || o.is === 'text' || (o.is === 'op' && o.op === '+'))
  if (compare !== '==' || !spelledOut || PARSED.test(text) || operands.every(o => o.is === 'literal')) return false
  return ENTRIES.test(joined(text))
}

const joined = (text: string): string => [...text.matchAll(TEXTS)].map(m => m[1]!.replaceAll('\\"', '"')).join('')

function writerOf(file: FileFacts, unit: Unit, { compare, operands, span }: Assertion, textOf: (span: Span) => string):
  | Written['by']
  | undefined
{
  if (compare !== '==' || operands.length !== 2) return undefined
  // `parse(text).print()` against the same text: it comes back as it went in.
  if (operands.some((o, i) => o.is === 'name' && [...valuesIn(operands[1 - i]!, unit)].some(v => v.is === 'name' && v.path === o.path)))
    return undefined
  // A text that was read before by its name comes back as it went in, too.
  const isRead = (o: Value) =>
    o.is === 'name'
    && unit.calls.some(c => c.span.end <= span.start && READS.test(c.name) && c.args.some(v => v.is === 'name' && v.path === o.path))
  if (operands.some(isRead)) return undefined
  const [a, b] = operands.map(o => keptAs(file, unit, o, span.start)) as [Value, Value]
  const text = spelled(unit, a) ?? spelled(unit, b)
  const other = spelled(unit, a) === undefined ? a : b
  // Two texts of things that are equal need not be equal.
  if (text === undefined)
    return isSerialised(unit, a) && isSerialised(unit, b) && printsEntries(textOf(unit.span))
      ? 'a serialiser'
      : undefined
  if (isPrinted(other) && !isWriter(unit, other) && (MAP.test(text) || JSON.test(text))) return 'a map'
  if (isSerialised(unit, other) && JSON.test(text)) return 'a serialiser'
  // Whoever is given a map in the test and makes text of it goes through its entries.
  // A text that the test itself has handed in comes back as it is.
  return (other.is === 'call' || other.is === 'name') && textOf(unit.span).split(text).length <= 2
      && (JSON.test(text) || PARAMETERS.test(text)) && isHashed(unit, span, textOf)
      && !PARSED.test(textOf(span))
    ? 'a map'
    : undefined
}

/** What a variable got last in the test, or a constant of the class once. */
function keptAs(file: FileFacts, unit: Unit, value: Value, offset: number): Value {
  if (value.is !== 'name') return value
  const own = unit.writes.findLast(w => w.target === value.path && w.span.end <= offset && !w.adds)?.value
  const outer = own ? [] : inForce(file, unit).flatMap(u => u.writes.filter(w => w.target === value.path))
  return own ?? (outer.length === 1 ? outer[0]!.value : undefined) ?? value
}

/** A text with nothing but literals in it, joined or handed to a function that only changes its quotes. */
function spelled(unit: Unit, value: Value): string | undefined {
  if (value.is === 'literal') return typeof value.value === 'string' ? value.value : undefined
  if (value.is === 'text')
    return value.parts.every(p => p.is === 'literal')
      ? value.parts.map(p => (p.is === 'literal' ? String(p.value) : '')).join('')
      : undefined
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  return call?.args.length === 1 && !call.receiver && !SERIALISES.test(call.name) ? spelled(unit, call.args[0]!) : undefined
}

/** `x.toString()`, `"" + x`, `String.valueOf(x)`. */
const isPrinted = (value: Value): boolean =>
  value.is === 'text' && value.parts.filter(p => p.is !== 'literal' || p.value !== '').length === 1
  && value.parts.some(p => p.is === 'name' || p.is === 'call')

/** What was written into `new StringWriter()` is the text itself. */
const isWriter = (unit: Unit, value: Value): boolean =>
  value.is === 'text'
  && value.parts.some(p =>
    p.is === 'name' && unit.writes.some(w =>
      w.target === p.path && w.value.is === 'call'
      && /(Writer|Builder|Buffer|OutputStream)(<.*>)?\.new$/.test(unit.calls[w.value.call]!.name)
    )
  )

const isSerialised = (unit: Unit, value: Value): boolean => value.is === 'call' && SERIALISES.test(unit.calls[value.call]?.name ?? '')

/** What the test says of its own makes something without an order be printed; else anything may be, and most things have one. */
export const printsEntries = (text: string): boolean => UNORDERED.test(text) && !ORDERED.test(text) && !holdsOne(text)

/** All maps and sets of the test are made with one entry, and nothing is added. */
const holdsOne = (text: string): boolean =>
  /\b(Map|Set)\.of\(|singleton(Map)?\(/.test(text)
  && !/\.(put|add|putAll|addAll)\(|\bnew \w*(Map|Set)\b|Map\.of\([^(),]+,[^(),]+,|Set\.of\([^(),]+,/.test(text)

/** Two things that are compared by how they print themselves. */
export const printedTwice = (file: FileFacts, unit: Unit): Assertion | undefined =>
  file.language === 'java'
    ? unit.assertions.find(a => a.compare === '==' && a.operands.length === 2 && a.operands.every(o => isPrinted(o)))
    : undefined

/** The test and what of this file it calls: `expectedStock().toString()` is printed by what makes it there. */
export const printersOf = (file: FileFacts, unit: Unit): Unit[] => [unit, ...calledBy(file, unit)]

/** The order is what is tested, by the name of the test, of the list or by the query: whoever gives such a map keeps one. */
export const isSubject = (unit: Unit, { span }: Assertion, { origin }: Expected, textOf: (span: Span) => string): boolean =>
  origin.effects.some(e => e.note === 'view')
  && (ABOUT_ORDER.test(unit.name) || ABOUT_ORDER.test(textOf(span))
    || unit.calls.some(c => c.args.some(a => a.is === 'literal' && /\border by\b/i.test(String(a.value))))
    || unit.writes.some(w => w.value.is === 'literal' && /\border by\b/i.test(String(w.value.value))))
const ABOUT_ORDER =
  /(?<![a-z])(?:un)?sort(ed|ing|s|By)?(?![a-z])|(?<![a-z])order(ed|ing|By)(?![a-z])|[a-z](Sort|Order(ed|ing|By))|^order[A-Z]/

/** One of the two is declared as a map or a set. */
export const printsMap = ({ operands }: Assertion, text: string): boolean =>
  printsEntries(text)
  && operands.some(o =>
    o.is === 'text' && o.parts.some(p =>
      p.is === 'name' && new RegExp(`\\b(?:\\w*(?:Map|Set)|JSONObject)(?:<[^;=]*>)?\\s+${p.path.replace(/\W/g, '\\$&')}\\b`).test(text)
    )
  )
