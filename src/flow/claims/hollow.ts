// Assertions that are whole and yet hold whatever the code does: what they ask has one answer, or they are never come to.

import type { Assertion, Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { around, isInSpan, valuesIn } from '../../facts/query.ts'

export interface Hollow {
  readonly span: Span
  /** Why it cannot fail, as a clause. */
  readonly how: string
}

export function* hollow(facts: FileFacts, unit: Unit, textOf: (span: Span) => string): Generator<Hollow> {
  for (const assertion of unit.assertions) {
    const how = heldAnyway(facts, unit, assertion, textOf(assertion.span)) ?? neverReached(unit, assertion)
    if (how !== undefined) yield { span: assertion.span, how }
  }
  for (const call of unit.calls)
    if (call.name === 'matches!' && call.result === 'discarded') yield { span: call.span, how: 'nobody looks at what matches! answers' }
}

function heldAnyway(facts: FileFacts, unit: Unit, { span, compare, operands, claims }: Assertion, text: string): string | undefined {
  const [actual, expected] = operands
  if (!actual || claims !== 'presence') return undefined
  if (isSize(actual, unit) && ((compare === '>=' && isNumber(expected, 0)) || (compare === '>' && isNumber(expected, -1))))
    return 'a length is never below zero'
  if (compare === 'truth' && actual.is === 'op' && actual.op === 'or'
    && actual.of.some((a, i) => actual.of.some((b, j) => j > i && areOpposite(a, b, unit)))) return 'one of the two always holds'
  if (compare === 'truth') {
    const call = unit.calls.find(c => c.span.start >= span.start && c.span.end <= span.end && c.args[0] === actual && c.args.length > 1)
    const told = call && tellsOnly(facts, call)
    if (told) return told
  }
  if (!ASKS_PRESENCE.some(p => p.test(text))) return undefined
  if (compare === 'truth' || (compare === '!=' && expected?.is === 'literal' && expected.value === null))
    return alwaysThere(facts, unit, actual, compare === 'truth')
  return undefined
}

const NAMED_SIZE = /(^|\.)(len|length|size|count)$/i

const isSize = (value: Value, unit: Unit): boolean =>
  value.is === 'call' ? NAMED_SIZE.test(unit.calls[value.call]!.name) : value.is === 'name' && /\.(length|size)$/.test(value.path)

const isNumber = (value: Value | undefined, number: number): boolean => value?.is === 'literal' && value.value === number

const OPPOSITES: Readonly<Record<string, string>> = { '==': '!=', '!=': '==', '<': '>=', '>=': '<', '>': '<=', '<=': '>' }

/** `x or not x`, `x == 1 or x != 1`. */
function areOpposite(a: Value, b: Value, unit: Unit): boolean {
  const denies = (one: Value, other: Value) => one.is === 'op' && one.op === 'not' && one.of.length === 1 && isSame(one.of[0]!, other)
  if (denies(a, b) || denies(b, a)) return !holdsCall(a, unit)
  return a.is === 'op' && b.is === 'op' && OPPOSITES[a.op] === b.op && a.of.length === b.of.length
    && a.of.every((v, i) => isSame(v, b.of[i]!)) && !holdsCall(a, unit)
}

/** Calls stand at different places, and need not answer the same: two values are one only where nothing is called. */
const isSame = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b)
const holdsCall = (value: Value, unit: Unit): boolean => [...valuesIn(value, unit)].some(v => v.is === 'call' || v.is === 'unknown')

/** What is asked for its truth takes one value and a message: `assertTrue(len(words), 3)`, `assert.ok("is a list", isList)`. */
const ASKS_TRUTH = /(^|[.])(assertTrue|assert_|ok|isTrue|isOk|truthy)$|^assert$/

function tellsOnly(facts: FileFacts, call: Call): string | undefined {
  const [first, second] = call.args
  if (facts.language !== 'python' && facts.language !== 'typescript' || !first || !second || !ASKS_TRUTH.test(call.name)) return undefined
  const name = call.name.split('.').at(-1)
  if (first.is === 'literal' && typeof first.value === 'string' && first.value !== '' && second.is !== 'literal')
    return `the message stands first, where ${name} looks for the condition`
  // A group with names in it tells what there was.
  const isValue = (second.is === 'literal' && typeof second.value === 'number')
    || (second.is === 'group' && facts.language === 'python' && second.of.every(v => v.is === 'literal'))
  return isValue && first.is !== 'op' ? `the second argument of ${name} is a message, and nothing is compared with it` : undefined
}

/** Asks whether something was given at all; `toBeVisible` and its like go and look. */
const ASKS_PRESENCE = [
  /\.(toBe(Truthy|Defined|Null|Undefined)\(|(to\.|be\.|not\.)+(exist|ok|null)\b|isNotNull\()/,
  /^(self\.)?assert(\.(ok|exists|isOk|isNotNull)|NotNull|True|IsNotNone|)[\s(](?!.*\bto_)/,
  /^page\.(locator|get_by_\w+)\([^()]*\)( is not None)?$/,
]

/** Descriptions of what is looked for later, and lists of what was found: they are there though the page is empty. */
const LOCATOR =
  /(^|\.)(locator|frameLocator|frame_locator|getBy(Role|Text|Label|TestId|Placeholder|AltText|Title)|get_by_(role|text|label|test_id|placeholder|alt_text|title))$/
const LISTS = /(^|\.)(querySelectorAll|getElementsBy(ClassName|TagName|Name)|queryAllBy\w+|findElements)$/
const CYPRESS = /^cy\.(get|contains|find|findBy\w+)$/

function alwaysThere(facts: FileFacts, unit: Unit, value: Value, truth: boolean): string | undefined {
  const write = value.is === 'name' ? unit.writes.filter(w => w.target === value.path) : []
  const source = write.length === 1 ? write[0]!.value : value
  const call = source.is === 'call' ? unit.calls[source.call] : undefined
  if (!call || call.result === 'awaited') return undefined
  const imports = (pattern: RegExp) => facts.imports.some(i => pattern.test(i.name))
  if (CYPRESS.test(call.name)) return 'cy answers with a chain, whether anything is found or not'
  if (LOCATOR.test(call.name) && !imports(/testing-library/)
    && (imports(/playwright/) || /playwright/.test(call.name)
      || (facts.language === 'python' && unit.params.includes('page') && /^page\./.test(call.name))))
    return 'a locator is there whether it finds anything or not'
  // An empty list is false in Python, and nowhere else.
  if (LISTS.test(call.name) && (facts.language === 'typescript' || facts.language === 'java'))
    return 'a list is there though nothing was found'
  if (truth && /\.find$/.test(call.name) && imports(/^(enzyme|@vue\/test-utils)\b/) && call.args[0]?.is !== 'group'
    && isMounted(unit, call.receiver)) return 'a wrapper is there whether it finds anything or not'
  return undefined
}

function isMounted(unit: Unit, receiver: Value | null): boolean {
  if (receiver?.is === 'name')
    return /wrapper/i.test(receiver.path)
      || unit.writes.some(w => w.target === receiver.path && w.value.is === 'call' && isMounted(unit, w.value))
  return receiver?.is === 'call' && /(^|\.)(mount|shallow|shallowMount)$/.test(unit.calls[receiver.call]!.name)
}

const RAISES = /(^|\.)(raises|assertRaises(Regex)?|assertThrows(Exactly)?|assertThatThrownBy|toThrow(Error)?)$/
/** What a failed assertion throws, and what is caught with it. */
const CATCHES_CLAIMS =
  /(^|\.)(\w*Assertion\w*|Exception|BaseException|Throwable|Error|Failed|fail\w*|RuntimeError|\w*ExceptionGroup)(\.class)?$/

/** `with raises(X) as e: f(); assert e.value.code == 3`: where f throws, the rest is passed over. */
function neverReached(unit: Unit, assertion: Assertion): string | undefined {
  if (assertion.compare === 'throws') return undefined
  const place = [...around(unit, assertion.in)].find(r => r.kind !== 'else')
  const raises = place?.call === undefined ? undefined : unit.calls[place.call]
  if (!place || !raises || !RAISES.test(raises.name)) return undefined
  const paths = assertion.operands.flatMap(o => [...valuesIn(o, unit)].flatMap(v => (v.is === 'name' ? [v.path] : [])))
  const kept = unit.writes.filter(w => w.value.is === 'group' && w.value.of.some(v => v.is === 'call' && v.call === place.call)).map(w =>
    w.target
  )
  const how = 'what is to throw stands above it, and nothing after that is come to'
  const from = place.kind === 'with' ? raises.span.end : place.span.start
  if (!unit.calls.some(c => c.span.start >= from && c.span.end <= assertion.span.start)) return undefined
  if (kept.some(k => paths.some(p => p.startsWith(`${k}.`)))) return how
  // Where the claim calls something itself, that may be what is to throw; and a claim may be what is to fail.
  const wanted = raises.args.flatMap(
    a => (a.is === 'name' ? [a.path] : a.is === 'group' ? a.of.flatMap(v => (v.is === 'name' ? [v.path] : [])) : []),
  )
  const asks = unit.calls.some(c =>
    c.span.start >= assertion.span.start && c.span.end <= assertion.span.end && c.span.start !== assertion.span.start
    && !/(^|\.)expect\b/.test(c.name)
  )
  // More steps after it: one of them may be what is to throw.
  const goesOn = unit.calls.some(c =>
    c.span.start >= assertion.span.end && c.span.end <= place.span.end
    && !unit.assertions.some(a => isInSpan(c.span, a.span) && a.span.start > place.span.start)
  )
  if (asks || goesOn || wanted.length === 0 || wanted.some(w => CATCHES_CLAIMS.test(w))) return undefined
  return how
}
