// Assertions of JUnit, TestNG, AssertJ, Truth, Hamcrest and Mockito, read as comparisons.

import { literal, UNKNOWN, type Call, type Comparison, type Span, type Value } from '../../facts/facts.ts'
import { assertCondition, claimOf, isNothing } from '../build.ts'
import { field, type Node } from '../tree-sitter.ts'
import { ASSERT_METHODS, FLUENT_METHODS, MATCHERS, type AssertMethod } from './frameworks.ts'
import { firstPart, isComment, textOf, typeOf, type At, type Scope, type Subject } from './scope.ts'

const spanOf = (node: Node): Span => ({ start: node.start, end: node.end })

/** A body that ends by failing the test: `fail(…)`, `throw new AssertionError(…)`. */
export function fails(body: Node | undefined, scope: Scope): boolean {
  let last: Node | undefined = body
  if (body?.type === 'block') {
    last = undefined
    for (const child of body.children) if (child.named && !isComment(child)) last = child
  }
  if (!last) return false
  if (last.type === 'throw_statement') return /^throw\s+(new\s+)?[\w.]*Assertion(Failed)?Error\b/.test(textOf(last, scope))
  const call = last.type === 'expression_statement' ? firstPart(last) : undefined
  if (call?.type !== 'method_invocation') return false
  const method = textOf(field(call, 'name'), scope), on = textOf(field(call, 'object'), scope)
  // `promise.fail(…)` fails a promise; a test fails by a class of assertions, its own method or what the runner gave it.
  if (/^[a-z]\w*$/.test(on) && !/^(this|super)$|(context|ctx|tc|test|should|collector|errors?|assert\w*)$/i.test(on)) return false
  return method === 'fail' || method === 'failBecauseExceptionWasNotThrown'
}

const EMPTY_CHECKS = /\.(isEmpty|isBlank|isAbsent)$/
const EMPTY_VALUES = /\.(emptyList|emptySet|emptyMap|empty|absent)$|^java\.util\.(List|Set|Map)\.of$|Immutable\w+\.of$/

/** A condition that must hold, or must not; `isEmpty()` holding says that nothing was there. */
export function assertTruth(condition: Value, span: Span, at: At, negated = false): void {
  const { unit, region } = at
  if (condition.is === 'op' && condition.op === 'not') return assertTruth(condition.of[0] ?? UNKNOWN, span, at, !negated)
  const call = condition.is === 'call' ? unit.calls[condition.call] : undefined
  if (!call || !EMPTY_CHECKS.test(call.name)) return assertCondition(unit, condition, span, region, negated)
  unit.assertions.push({ span, compare: 'truth', operands: [condition], claims: negated ? 'presence' : 'absence', in: region })
}

function nothing(value: Value | undefined, at: At): boolean {
  if (isNothing(value)) return true
  const call = value?.is === 'call' ? at.unit.calls[value.call] : undefined
  return call !== undefined && call.args.length === 0 && EMPTY_VALUES.test(call.name)
}

function claim(compare: Comparison, operands: readonly Value[], at: At): 'presence' | 'absence' {
  if ((compare === '==' || compare === '<=') && operands.some(o => nothing(o, at))) return 'absence'
  return claimOf(compare, operands)
}

/** What the calls chained to this one are called on, where they are assertions. */
export function subjectType(callee: string): string | undefined {
  if (/^org\.assertj\./.test(callee) && /\.(assert\w*|that|[a-z]\w*)$/.test(callee)) return 'org.assertj.core.api.Assert'
  if (/^com\.google\.common\.truth\./.test(callee)) return 'com.google.common.truth.Subject'
  return undefined
}

const FLUENT_STARTS = /^(assertThat(Object|Collection|List|Code|ExceptionOfType|NoException)?|that|then)$/
const FLUENT_GUESS = /^(is|has|have|contains|does|starts|ends|matches|satisfies|all|any|none|are|was|occurs)([A-Z]|$)/
/** Steps of a chain that lead on to what is asserted. */
const PASS = /^(extracting\w*|isWithin)$/
/** Assertions of other tools, known by their method alone. */
const OTHERS = /^(andExpect|andExpectAll|verifyComplete|verifyError|expectComplete|expectBody|isOk)$/

export function readAssertion(node: Node, value: Value, call: Call, method: string, at: At): void {
  const { scope } = at
  const subject = call.receiver ? scope.subjects.get(call.receiver) : undefined
  if (subject) return chained(node, value, call, method, subject, at)
  if (mocks(node, value, call, method, at)) return
  const isStart = FLUENT_STARTS.test(method) && (call.args.length > 0 || method === 'assertThatNoException') && startsFluent(call, method)
  if (isStart) return begin(node, value, call, method, at)
  const known = ASSERT_METHODS[method]
  const owned = call.receiver === null || /(^|\.)(Assert\w*|TestCase|\w*Asserts?)\.(assert|expect)|^super\./.test(call.name)
  if (known && owned) return plain(node, call, method, known, at)
  if (method === 'assertThatThrownBy') {
    push(node, 'throws', call.args.slice(0, 1), 'presence', at)
    scope.subjects.set(value, { is: 'fluent', value: call.args[0] ?? UNKNOWN, absence: false })
  } else if (/^assert(?!(?:All|Softly|WithMessage|About)$)[A-Z]\w*$/.test(method))
    push(node, 'other', call.args, /Not[A-Z]|No[A-Z]|Empty|Null|Never|Without/.test(method) ? 'absence' : 'presence', at)
  else if (OTHERS.test(method) && call.receiver) push(node, 'other', [call.receiver, ...call.args], 'presence', at)
}

const push = (node: Node, compare: Comparison, operands: readonly Value[], claims: 'presence' | 'absence', at: At,
  tolerance?: Value): void =>
  void at.unit.assertions.push({ span: spanOf(node), compare, operands, claims, in: at.region, ...(tolerance && { tolerance }) })

/** `that` and `then` are common words: only after Truth's and BDDAssertions' openers. */
function startsFluent(call: Call, method: string): boolean {
  if (method === 'that')
    return /truth|assertWithMessage|assertAbout|StandardSubjectBuilder|^\?\.that|\.expect\.that$|Expect\.that$/i.test(call.name)
  return method !== 'then' || /BDDAssertions\.then$/.test(call.name)
}

// ---------------------------------------------------------------------------------------------- JUnit, TestNG

type Style = Scope['style']

function styleOf(call: Call, at: At): Style {
  if (call.name.startsWith('org.junit.jupiter.')) return 'junit5'
  if (call.name.startsWith('org.testng.AssertJUnit') || /^(org\.junit\.|junit\.framework\.)/.test(call.name)) return 'junit4'
  return call.name.startsWith('org.testng.') ? 'testng' : at.scope.style
}

function plain(node: Node, call: Call, method: string, known: AssertMethod, at: At): void {
  const style = styleOf(call, at)
  const { operands, tolerance } = split(call.args, known, style, at)
  if (operands.length === 0) return
  if (known.compare === 'truth' && !known.absence && method !== 'assertNotNull')
    return assertTruth(operands[0]!, spanOf(node), at, known.negated === true)
  const ordered = known.expectedFirst && (style !== 'testng' || known.compare === 'throws') ? [...operands].reverse() : operands
  if (tolerance) return push(node, 'near', ordered, 'presence', at, tolerance)
  const claims = known.absence
    ? 'absence'
    : known.compare === 'throws' || known.compare === 'other'
    ? 'presence'
    : claim(known.compare, ordered, at)
  push(node, known.compare, ordered, claims, at)
}

/** Parts the operands from the message, first in JUnit 4 and last elsewhere, and from the slack. */
function split(args: readonly Value[], { operands: count }: AssertMethod, style: Style,
  at: At): { operands: readonly Value[]; tolerance?: Value }
{
  if (args.length <= count) return { operands: args }
  if (style === 'junit4') {
    const numeric = count === 2 && args.length === 3 && !isString(args[0]!, at) && isSlack(args[2]!, at)
    const rest = numeric ? args : args.slice(1)
    return { operands: rest.slice(0, count), ...(rest.length > count && { tolerance: rest[count]! }) }
  }
  const slack = count === 2 && isSlack(args[2]!, at) ? args[2]! : undefined
  return { operands: args.slice(0, count), ...(slack && { tolerance: slack }) }
}

const isString = (value: Value, at: At): boolean => typeOf(value, at)?.name === 'java.lang.String'

function isSlack(value: Value, at: At): boolean {
  if (value.is === 'literal') return typeof value.value === 'number'
  if (value.is === 'name')
    return /delta|epsilon|eps$|toleran|precision|slack/i.test(value.path) || /^(double|float)$/.test(typeOf(value, at)?.name ?? '')
  return value.is === 'op' && /^[-+*/]$/.test(value.op)
}

// ------------------------------------------------------------------------------------ AssertJ, Truth, Hamcrest

function begin(node: Node, value: Value, call: Call, method: string, at: At): void {
  const { args } = call
  // Hamcrest: assertThat([reason,] actual, matcher).
  if (method === 'assertThat' && args.length > 1 && !call.name.startsWith('org.assertj')) {
    const actual = args.length === 3 ? args[1]! : args[0]!
    const matcher = args.at(-1)!
    if (args.length === 2 && matcher.is === 'literal') return
    return hamcrest(node, actual, matcher, false, at)
  }
  at.scope.subjects.set(value, { is: 'fluent', value: args[0] ?? UNKNOWN, absence: false })
}

function chained(node: Node, value: Value, call: Call, method: string, subject: Subject, at: At): void {
  if (subject.is === 'mock') return verified(node, subject, at)
  if (subject.is === 'stubbing') return
  const known = FLUENT_METHODS[method]
  // Each call of the chain hands the subject on: one assertion each.
  at.scope.subjects.set(value, method === 'isWithin' ? { ...subject, tolerance: call.args[0] ?? UNKNOWN } : subject)
  const { args } = call
  if (method === 'of' && subject.tolerance)
    return push(node, 'near', [subject.value, ...args.slice(0, 1)], 'presence', at, subject.tolerance)
  if (method === 'isTrue') return assertTruth(subject.value, spanOf(node), at)
  if (method === 'isFalse') return assertTruth(subject.value, spanOf(node), at, true)
  if (method === 'hasSize' && nothing(args[0], at)) return push(node, '==', [subject.value, args[0]!], 'absence', at)
  if (known) {
    const against = known.against === undefined ? [] : [literal(known.against)]
    const operands = [subject.value, ...args.slice(0, known.operands ?? 1), ...against]
    const claims = known.absence || known.negated ? 'absence' : known.compare === 'truth' ? 'presence' : claim(known.compare, operands, at)
    return push(node, known.compare, operands, claims, at, known.tolerance === undefined ? undefined : slackOf(args[known.tolerance], at))
  }
  if (PASS.test(method) || !FLUENT_GUESS.test(method)) return
  push(node, 'other', [subject.value, ...args], /Not[A-Z]|No[A-Z]|Empty|None/.test(method) ? 'absence' : 'presence', at)
}

/** `within(5)` and `within(5, ChronoUnit.SECONDS)` are the slack they are given. */
function slackOf(value: Value | undefined, { unit }: At): Value | undefined {
  const call = value?.is === 'call' ? unit.calls[value.call] : undefined
  if (!call || !/\.(within|offset|byLessThan|withinPercentage)$/.test(call.name)) return value
  return call.args.length === 2 ? { is: 'op', op: '*', of: call.args } : call.args[0]
}

function hamcrest(node: Node, actual: Value, matcher: Value, negated: boolean, at: At, depth = 0): void {
  const call = matcher.is === 'call' ? at.unit.calls[matcher.call] : undefined
  if (!call || depth > 10) return push(node, 'other', [actual, matcher], negated ? 'absence' : 'presence', at)
  const method = call.name.slice(call.name.lastIndexOf('.') + 1)
  const inner = call.args[0]
  const isMatcher = (v: Value | undefined) => v?.is === 'call' && MATCHERS[at.unit.calls[v.call]!.name.split('.').at(-1)!] !== undefined
  if (method === 'not' && inner) {
    const again = inner.is === 'call' && (isMatcher(inner) || /\.not$|^not$/.test(at.unit.calls[inner.call]!.name))
    if (again) return hamcrest(node, actual, inner, !negated, at, depth + 1)
    return push(node, negated ? '==' : '!=', [actual, inner], claim(negated ? '==' : '!=', [actual, inner], at), at)
  }
  if (method === 'is' && isMatcher(inner)) return hamcrest(node, actual, inner!, negated, at, depth + 1)
  if (method === 'allOf' || method === 'both') return call.args.forEach(m => hamcrest(node, actual, m, negated, at, depth + 1))
  const known = MATCHERS[method]
  if (!known) return push(node, 'other', [actual, ...call.args], negated ? 'absence' : 'presence', at)
  if (method === 'is' && inner?.is === 'literal' && typeof inner.value === 'boolean')
    return assertTruth(actual, spanOf(node), at, inner.value === negated)
  const operands = [actual, ...call.args.slice(0, known.tolerance ?? 9)]
  const opposite: Partial<Record<Comparison, Comparison>> = { '==': '!=', '<': '>=', '<=': '>', '>': '<=', '>=': '<' }
  const compare = negated ? opposite[known.compare] ?? known.compare : known.compare
  // What has no opposite is negated by its claim.
  const byClaim = known.compare === 'truth' || (negated && compare === known.compare)
  const claims = !byClaim ? claim(compare, operands, at) : (known.absence ?? false) !== negated ? 'absence' : 'presence'
  push(node, compare, operands, claims, at, known.tolerance === undefined ? undefined : call.args[known.tolerance])
}

// -------------------------------------------------------------------------------------------------- Mockito

const NEVER = /\.(never)$|^never$/

/** `verify(mock, times(2))` waits for the call chained to it; `verifyNoInteractions(mock)` is whole. */
function mocks(node: Node, value: Value, call: Call, method: string, at: At): boolean {
  const { scope } = at
  if (/^verify(NoInteractions|NoMoreInteractions|ZeroInteractions)$/.test(method)) {
    push(node, 'truth', call.args, 'absence', at)
    return true
  }
  if (method === 'verify' && /Mockito\.verify$|InOrder\.verify$|^verify$|^\?\.verify$/.test(call.name) && call.args.length > 0) {
    const mode = call.args[1]?.is === 'call' ? at.unit.calls[call.args[1].call] : undefined
    const absence = mode !== undefined
      && (NEVER.test(mode.name) || (/\btimes$/.test(mode.name) && isNothing(mode.args[0])) || never(mode, at))
    const counted = mode && /\b(times|atLeast|atMost)$/.test(mode.name) ? mode.args[0] : undefined
    scope.subjects.set(value, { is: 'mock', value: call.args[0]!, absence, ...(counted && { count: counted }) })
    return true
  }
  if (/MockedStatic\.verify$/.test(call.name)) {
    const mode = call.args[1]?.is === 'call' ? at.unit.calls[call.args[1].call] : undefined
    push(node, 'truth', call.args.slice(0, 1), mode && NEVER.test(mode.name) ? 'absence' : 'presence', at)
    return true
  }
  // doReturn(1).when(mock).size(): what follows is told to the mock, not done.
  if (method === 'when' && /Stubber\.when$/.test(call.name)
    || /^org\.mockito\.BDDMockito\.(given|then)$/.test(call.name) && method === 'then')
  {
    scope.subjects.set(value, { is: method === 'then' ? 'mock' : 'stubbing', value: call.args[0] ?? UNKNOWN, absence: false })
    return true
  }
  return false
}

/** `timeout(100).times(0)`, `after(100).never()`. */
function never(mode: Call, at: At): boolean {
  return /\.never$/.test(mode.name) || (/\.times$/.test(mode.name) && nothing(mode.args[0], at))
}

function verified(node: Node, subject: Subject, at: At): void {
  const operands = subject.count ? [subject.value, subject.count] : [subject.value]
  push(node, subject.count ? '==' : 'truth', operands, subject.absence ? 'absence' : 'presence', at)
}
