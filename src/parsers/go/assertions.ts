// Which calls and conditions claim something, and what.

import { UNKNOWN, literal, type Call, type Comparison, type Span, type Value } from '../../facts/facts.ts'
import { assertCondition, claimOf, type Draft } from '../build.ts'
import { field, named, type Node } from '../tree-sitter.ts'
import { FAILURES, GOMEGA, MATCHERS, PLAIN_ASSERTS, PLAIN_PACKAGES, TESTERS, TESTER_NAMES, TESTIFY, TESTIFY_ASSERTS } from './frameworks.ts'
import { lookup, spanOf, textOf, type Place } from './scope.ts'

// ----------------------------------------------------------------------------------------------------- calls

const TESTIFY_FUNCTION = new RegExp(`^${TESTIFY.replace(/\./g, '\\.')}/(?:require|assert)\\.(\\w+)$`)
const TESTIFY_METHOD = new RegExp(`^${TESTIFY.replace(/\./g, '\\.')}/(?:(?:require|assert)\\.Assertions|suite\\.Suite)\\.(\\w+)$`)
/** A project's own: `require_Equal(t, …)`, `assertNoError(t, …)`. */
const OWN_FUNCTION = /^(?:.*\.)?(?:require|assert|check|expect|must)_?([A-Z]\w*)$/

const HELPERS = /(^|\/)(test|testutils?|testhelpers?|testing|\w*assert|\w*require)$/

/** An assertion, where the call of this index is one. */
export function assertCall(index: number, node: Node, at: Place): void {
  const call = at.unit.calls[index]!
  const { name } = call
  const split = name.lastIndexOf('.')
  const method = name.slice(split + 1)
  const testify = TESTIFY_FUNCTION.exec(name)
  if (testify) return claim(testify[1]!, call.args.slice(1), TESTIFY_ASSERTS, node, at)
  const methodOf = TESTIFY_METHOD.exec(name)
  if (methodOf) return claim(methodOf[1]!, call.args, TESTIFY_ASSERTS, node, at)
  if (/^(To|NotTo|ToNot|Should|ShouldNot)$/.test(method) && name.startsWith(GOMEGA)) return gomega(call, method, node, at)
  if (PLAIN_PACKAGES.test(name.slice(0, split)))
    return claim(method, name.startsWith('github.com/matryer') ? call.args : call.args.slice(1), PLAIN_ASSERTS, node, at)
  if (/^github\.com\/frankban\/quicktest\.C\.(Assert|Check)$|^gopkg\.in\/check\.v1\.C\.(Assert|Check)$/.test(name))
    return checker(call, node, at)
  // A package of test helpers, by its name: `rtest.Assert(t, …)`, `testutil.Equals(t, …)`.
  if (call.resolution === 'import' && HELPERS.test(name.slice(0, split)) && isTester(call.args[0], at))
    return claim(method, call.args.slice(1), PLAIN_ASSERTS, node, at)
  // That nothing runs on: too early, it still does.
  if (/^go\.uber\.org\/goleak\.Verify(None|NoLeaks)$/.test(name))
    return push(at.unit, { span: node, compare: 'other', operands: call.args.slice(1), in: at.region, claims: 'presence' })
  // What a mock of testify was asked for, whoever embeds it.
  const asked = /^Assert(Expectations|Called|NotCalled|NumberOfCalls)$/.exec(method)?.[1]
  if (asked && isTester(call.args[0], at)) {
    const none = asked === 'NotCalled' || (asked === 'NumberOfCalls' && call.args[2]?.is === 'literal' && call.args[2].value === 0)
    return push(at.unit, { span: node, compare: 'other', operands: call.args.slice(1), in: at.region,
      claims: none ? 'absence' : 'presence' })
  }
  const own = call.resolution === 'import' || call.resolution === 'type' ? null : OWN_FUNCTION.exec(name)
  // `tc.assertError(t, err)`: what a row of a table is called says nothing of what the row wants; some want no error.
  if (own && /^Err(or)?$/.test(own[1]!) && call.receiver?.is === 'name' && isTester(call.args[0], at))
    return push(at.unit, { span: node, compare: 'other', operands: call.args.slice(1, 2), in: at.region, claims: 'presence' })
  if (own && isTester(call.args[0], at)) claim(own[1]!, call.args.slice(1), PLAIN_ASSERTS, node, at)
}

const isTester = (value: Value | undefined, at: Place): boolean =>
  value?.is === 'name' && (TESTERS.has(lookup(at.env, value.path) ?? '') || TESTER_NAMES.test(value.path))

function claim(method: string, args: readonly Value[], table: typeof TESTIFY_ASSERTS, node: Node, at: Place): void {
  const first = at.unit.assertions.length
  claimBy(method, args, table, node, at)
  failuresFrom(first, at.unit)
}

function claimBy(method: string, args: readonly Value[], table: typeof TESTIFY_ASSERTS, node: Node, at: Place): void {
  const known = table[method] ?? (method.endsWith('f') ? table[method.slice(0, -1)] : undefined)
  if (method === 'WithinRange' && args.length > 2) {
    push(at.unit, { compare: '>=', operands: [args[0]!, args[1]!], span: node, in: at.region })
    return push(at.unit, { compare: '<=', operands: [args[0]!, args[2]!], span: node, in: at.region })
  }
  if (!known) return
  const negated = known.compare.startsWith('not ')
  const compare = (negated ? known.compare.slice(4) : known.compare) as Comparison
  const operands = known.operands.map(i => args[i] ?? UNKNOWN)
  if (known.against !== undefined) operands.push(literal(known.against))
  if (compare === 'truth' && !known.claims) return assertCondition(at.unit, refine(operands[0]!, at.unit), spanOf(node), at.region, negated)
  push(at.unit, {
    span: node,
    compare,
    operands,
    in: at.region,
    ...(known.claims && { claims: known.claims }),
    ...(known.tolerance !== undefined && args[known.tolerance] && { tolerance: args[known.tolerance]! }),
  })
}

function push(unit: Draft,
  of: { span: Span; compare: Comparison; operands: readonly Value[]; in: number; claims?: 'presence' | 'absence'; tolerance?: Value }): void
{
  unit.assertions.push({ ...of, span: { start: of.span.start, end: of.span.end }, claims: of.claims ?? claimOf(of.compare, of.operands) })
}

/** `Expect(x).To(Equal(y))`: the actual value is an argument of the chain's first call, the matcher one of the last's. */
function gomega(call: Call, method: string, node: Node, at: Place): void {
  const { unit } = at
  let first: Call | undefined = call
  while (first && !/\.(Expect|Ω|Eventually|Consistently)(WithOffset)?$/.test(first.name))
    first = first.receiver?.is === 'call'
      ? unit.calls[first.receiver.call]
      : undefined
  const actual = first?.args[first.name.endsWith('WithOffset') ? 1 : 0] ?? UNKNOWN
  match(call.args[0] ?? UNKNOWN, actual, method === 'NotTo' || method === 'ToNot' || method === 'ShouldNot', node, at)
}

function match(matcher: Value, actual: Value, negated: boolean, node: Node, at: Place): void {
  const call = matcher.is === 'call' ? at.unit.calls[matcher.call] : undefined
  const name = call?.name.slice(call.name.lastIndexOf('.') + 1) ?? ''
  if (call && name === 'Not') return match(call.args[0] ?? UNKNOWN, actual, !negated, node, at)
  if (call && (name === 'And' || name === 'SatisfyAll') && !negated)
    return call.args.forEach(part => match(part, actual, negated, node, at))
  const known = MATCHERS[name]
  const span = spanOf(node), region = at.region
  if (!known)
    return push(at.unit, { span, compare: 'other', operands: [actual, ...(call?.args ?? [])], in: region,
      claims: negated ? 'absence' : 'presence' })
  const expected = known.against === undefined ? call!.args : [literal(known.against)]
  if (name === 'HaveOccurred' && negated)
    return push(at.unit, { span, compare: '==', operands: [actual, literal(null)], in: region, claims: 'presence' })
  if (name === 'BeNumerically' || name === 'BeTemporally') return numerically(call!, actual, negated, node, at)
  if (known.compare === 'truth' && known.claims && expected.length === 0)
    return assertCondition(at.unit, name === 'BeTrue' || name === 'BeFalse' ? refine(actual, at.unit) : actual, span, region,
      (known.claims === 'absence') !== negated)
  if (known.compare === 'contains')
    return push(at.unit, { span, compare: 'contains', operands: [...expected.slice(0, 1), actual], in: region,
      claims: negated ? 'absence' : 'presence' })
  const compare = negated && known.compare === '==' ? '!=' : known.compare
  const operands = [actual, ...expected.slice(0, 1)]
  const claims = known.claims
    ? (known.claims === 'absence') !== negated ? 'absence' : 'presence'
    : compare === '==' || compare === '!='
    ? claimOf(compare, operands)
    : negated
    ? 'absence'
    : 'presence'
  push(at.unit, { span, compare, operands, in: region, claims })
}

function numerically(call: Call, actual: Value, negated: boolean, node: Node, at: Place): void {
  const [sign, limit, slack] = call.args
  const operator = sign?.is === 'literal' ? String(sign.value) : ''
  const expected = limit ?? UNKNOWN
  if (operator === '~')
    return push(at.unit, { span: node, compare: 'near', operands: [actual, expected], in: at.region, ...(slack && { tolerance: slack }) })
  assertCondition(at.unit, { is: 'op', op: operator, of: [actual, expected] }, spanOf(node), at.region, negated)
}

/** `c.Assert(got, qt.Equals, want)`. */
function checker(call: Call, node: Node, at: Place): void {
  const [actual, check, expected] = call.args
  const name = check?.is === 'name' ? check.path.slice(check.path.lastIndexOf('.') + 1) : ''
  const operands = [actual ?? UNKNOWN, ...(expected ? [expected] : [])]
  if (/^(Equals|DeepEquals|CmpEquals|HasLen)$/.test(name)) return push(at.unit, { span: node, compare: '==', operands, in: at.region })
  if (name === 'IsNil')
    return push(at.unit, { span: node, compare: '==', operands: [operands[0]!, literal(null)], in: at.region,
      claims: isError(operands[0]) ? 'presence' : 'absence' })
  if (name === 'IsTrue' || name === 'IsFalse')
    return assertCondition(at.unit, refine(operands[0]!, at.unit), spanOf(node), at.region, name === 'IsFalse')
  push(at.unit, { span: node, compare: 'other', operands, in: at.region })
}

// ------------------------------------------------------------------------------------------------ conditions

const EQUAL = new Set(['reflect.DeepEqual', 'github.com/google/go-cmp/cmp.Equal', 'bytes.Equal', 'slices.Equal', 'maps.Equal',
  'strings.EqualFold', 'google.golang.org/protobuf/proto.Equal'])
const CONTAINS = new Set(['strings.Contains', 'bytes.Contains', 'slices.Contains', 'strings.ContainsAny'])

/** Calls that only compare, as the operators they stand for. */
export function refine(value: Value, unit: Draft): Value {
  if (value.is === 'op' && (value.op === 'not' || value.op === 'and' || value.op === 'or'))
    return { ...value, of: value.of.map(v => refine(v, unit)) }
  if (value.is === 'op' && value.op === '!=') return unlike(value.of, unit) ?? value
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  if (!call || call.args.length < 2) return value
  if (EQUAL.has(call.name)) return { is: 'op', op: '==', of: call.args.slice(0, 2) }
  return CONTAINS.has(call.name) ? { is: 'op', op: 'in', of: [call.args[1]!, call.args[0]!] } : value
}

/** `diff := cmp.Diff(want, got); diff != ""` says that they differ. */
function unlike([left, right]: readonly Value[], unit: Draft): Value | undefined {
  if (right?.is !== 'literal' || right.value !== '') return undefined
  const made = left?.is === 'name' ? unit.writes.findLast(w => w.target === left.path)?.value : left
  const call = made?.is === 'call' ? unit.calls[made.call] : undefined
  return call?.name === 'github.com/google/go-cmp/cmp.Diff'
    ? { is: 'op', op: '!=', of: [call.args[1] ?? UNKNOWN, call.args[0] ?? UNKNOWN] }
    : undefined
}

export const isError = (value: Value | undefined): boolean => value?.is === 'name' && /(^|\.)err(or)?\w*$|Err(or)?$/.test(value.path)

const SENTINEL = /(^|\.)(Err[A-Z]\w*|\w+Err(or)?|EOF|DeadlineExceeded|Canceled)$/

/** `err != nil`, `err == ErrTimeout` and `errors.Is(err, ErrTimeout)` claim a failure, as `require.ErrorIs` does. */
function failuresFrom(first: number, unit: Draft): void {
  for (let i = first; i < unit.assertions.length; i++) {
    const made = unit.assertions[i]!
    const [left, right] = made.operands
    const call = made.compare === 'truth' && left?.is === 'call' ? unit.calls[left.call] : undefined
    if (made.claims === 'presence' && call && call.name === 'errors.Is')
      unit.assertions[i] = { ...made, compare: 'throws', operands: call.args }
    if (made.compare === '!=' && isError(left) && right?.is === 'literal' && right.value === null)
      unit.assertions[i] = { ...made, compare: 'throws', claims: 'presence' }
    if (made.compare === '==' && isError(left) && right?.is === 'name' && SENTINEL.test(right.path))
      unit.assertions[i] = { ...made, compare: 'throws', claims: 'presence' }
  }
}

/**
 * What must hold (or, negated, must not). That there was no error is a claim that something worked: it passes too late,
 * not too early, so it is no absence.
 */
export function claimCondition(at: Place, condition: Value, span: Span, negated: boolean): void {
  const first = at.unit.assertions.length
  assertCondition(at.unit, refine(condition, at.unit), { start: span.start, end: span.end }, at.region, negated)
  failuresFrom(first, at.unit)
  for (let i = first; i < at.unit.assertions.length; i++) {
    const made = at.unit.assertions[i]!
    if (made.claims === 'absence' && isError(made.operands[0]) && made.operands[1]?.is === 'literal')
      at.unit.assertions[i] = { ...made, claims: 'presence' }
  }
}

/** The statements fail the test: t.Fatal, t.Error, Fail, panic. */
export function fails(statements: readonly Node[], at: Place): boolean {
  return statements.some(s => s.type === 'expression_statement' && isFailure(named(s)[0], at))
}

/** A project's own, by its name and by whom it is given: `stackFatalf(t, …)`. */
const OWN_FATAL = /(^f|[a-z_]F|_f)atalf?$/
const isGivenTester = (call: Node, at: Place): boolean => {
  const first = named(field(call, 'arguments') ?? call)[0]
  return first?.type === 'identifier' && TESTER_NAMES.test(textOf(first, at.scope))
}

function isFailure(call: Node | undefined, at: Place): boolean {
  const callee = call?.type === 'call_expression' ? field(call, 'function') : undefined
  if (!callee) return false
  const name = textOf(callee, at.scope)
  if (callee.type === 'identifier')
    return name === 'panic' || (name === 'Fail' && at.scope.dots.length > 0) || (OWN_FATAL.test(name) && isGivenTester(call!, at))
  if (callee.type !== 'selector_expression' || !FAILURES.has(textOf(field(callee, 'field'), at.scope))) return false
  const operand = field(callee, 'operand')!
  const root = textOf(operand, at.scope)
  if (operand.type === 'call_expression') return /\.T\(\)$|^GinkgoT\(\)$/.test(root)
  const type = lookup(at.env, root)
  // What testify calls Error is a claim that there is one: `if tc.fails { require.Error(t, err) }`.
  const isClaim = /\.Errorf?$/.test(name)
  // A suite of testify carries its assertions.
  if (type) return TESTERS.has(type) || ((type.startsWith(TESTIFY) || /Suite$/.test(type)) && !isClaim)
  const path = type === undefined ? at.scope.names.get(root) : undefined
  return path
    ? (path.startsWith(TESTIFY) && !isClaim) || path.startsWith('github.com/onsi/ginkgo') || (path === 'log' && /\.Fatal/.test(name))
    : TESTER_NAMES.test(root)
}
