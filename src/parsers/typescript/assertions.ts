// What a test claims: `expect` chains in Jest's and Chai's style, assert functions, test contexts, and `if (…) fail()`.

import { UNKNOWN, literal, type Call, type Comparison, type Value } from '../../facts/facts.ts'
import { addCall, assertCondition, claimOf, handTo, type Result } from '../build.ts'
import { argumentsOf } from './calls.ts'
import { closureValue, lower } from './expressions.ts'
import { ASSERT_FUNCTIONS, ASSERT_METHODS, CHAI_WORDS, DOM_METHODS, MATCHERS, type Matcher } from './frameworks.ts'
import { lookup } from './names.ts'
import type { Place } from './place.ts'
import { bare, bodyOf, isFunction, isString, keyOf, spanOf, type Node } from './syntax.ts'

const OPPOSITE: Partial<Record<Comparison, Comparison>> = { '==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<' }
const AGAINST: Readonly<Record<NonNullable<Matcher['against']>, Value>> = {
  null: literal(null),
  empty: { is: 'group', of: [] },
  true: literal(true),
  false: literal(false),
}

interface Claim {
  readonly matcher: Matcher
  readonly actual: Value
  readonly args: readonly Value[]
  readonly negated: boolean
  readonly node: Node
  /** Jest counts digits where others give the slack itself. */
  readonly digits?: boolean
}

function claim({ matcher, actual, args, negated, node, digits }: Claim, place: Place): void {
  const { unit, region } = place
  const span = spanOf(node)
  const { compare, against } = matcher
  const expected = against ? [AGAINST[against]] : args.slice(0, matcher.operands ?? 1)
  const first = expected[0]
  if (compare === 'truth') return assertCondition(unit, actual, span, region, negated !== (matcher.absence === true))
  // `expect(a < b).toBe(true)` claims that a < b.
  if (compare === '==' && actual.is === 'op' && actual.op !== '-' && actual.op !== '+' && first?.is === 'literal'
    && typeof first.value === 'boolean')
    return assertCondition(unit, actual, span, region, negated !== !first.value)
  if (compare === 'near' && matcher.operands === 2) {
    const claims = negated ? 'absence' : 'presence'
    for (const [side, bound] of [['>=', args[0]], ['<=', args[1]]] as const)
      if (bound) unit.assertions.push({ span, compare: side, operands: [actual, bound], claims, in: region })
    return
  }
  const held = negated ? OPPOSITE[compare] ?? compare : compare
  const operands = [actual, ...expected]
  const absence = negated !== (matcher.absence === true)
  const compares = OPPOSITE[compare] !== undefined && matcher.operands !== 9
  const slack = compare !== 'near' ? undefined : digits ? literal(0.5 * 10 ** -digitsOf(args[1])) : args[1]
  unit.assertions.push({ span, compare: held, operands, claims: compares ? claimOf(held, operands) : absence ? 'absence' : 'presence',
    in: region, ...(slack && { tolerance: slack }) })
}

const digitsOf = (value: Value | undefined): number => (value?.is === 'literal' && typeof value.value === 'number' ? value.value : 2)

// --------------------------------------------------------------------------------------------------- expect

interface Expectation {
  readonly subject: Node | undefined
  readonly words: readonly string[]
  /** Arguments of calls in the middle: `.have.property('a').that.equals(1)`. */
  readonly between: readonly Node[]
}

/** Follows a chain down to `expect(x)` or `x.should`. */
function expectation(node: Node, place: Place): Expectation | undefined {
  const words: string[] = []
  const between: Node[] = []
  let at = bare(node)
  // No sentence is longer; a long fluent chain must not be followed anew from each of its calls.
  for (let links = 0; links < 40; links++) {
    if (at.type === 'MemberExpression') {
      const key = keyOf(at)
      if (key === undefined) return undefined
      if (key === 'should') return { subject: at['object'], words: words.reverse(), between }
      words.push(key)
      at = bare(at['object'])
    } else if (at.type === 'CallExpression') {
      const callee = bare(at['callee'])
      if (isExpect(callee, place)) return { subject: at['arguments'][0], words: words.reverse(), between }
      if (callee.type !== 'MemberExpression') return undefined
      const key = keyOf(callee) ?? ''
      words.push(key)
      if ((key === 'poll' || key === 'soft') && isExpect(bare(callee['object']), place))
        return { subject: at['arguments'][0], words: words.reverse(), between }
      between.push(...at['arguments'])
      at = bare(callee['object'])
    } else return undefined
  }
  return undefined
}

function isExpect(callee: Node, place: Place): boolean {
  if (callee.type === 'MemberExpression') return keyOf(callee) === 'expect' && !/CallExpression/.test(bare(callee['object']).type)
  if (callee.type !== 'Identifier') return false
  const binding = lookup(callee['name'], place.env)
  if (binding?.is === 'function' || binding?.is === 'class') return false
  return /^(expect|expectAsync|should)$/.test(callee['name'])
    || (binding?.path !== undefined && /(^|\.)(expect|unexpected)$/.test(binding.path))
}

const ASYNC_WORDS = /^(resolves|rejects|poll|eventually)$/

export function expectChain(node: Node, place: Place, result: Result): Value | undefined {
  const callee = bare(node['callee'])
  if (callee.type === 'Identifier')
    return isExpect(callee, place) && isString(node['arguments'][1])
      ? sentence(node, place, result)
      : undefined
  const key = callee.type === 'MemberExpression' ? keyOf(callee) : undefined
  const found = key === undefined ? undefined : expectation(callee['object'], place)
  if (!found?.subject || key === undefined) return undefined
  const { unit, region } = place
  const firstRegion = unit.regions.length
  const subject = bare(found.subject)
  const actual = isFunction(subject) ? closureValue(subject, place) : lower(subject, place)
  for (const argument of found.between) lower(argument, place)
  const { args, named } = argumentsOf(node, place)
  const asynchronous = found.words.filter(w => ASYNC_WORDS.test(w))
  const value = addCall(unit, {
    span: spanOf(node),
    nameSpan: spanOf(callee['property']),
    name: ['expect', ...asynchronous, key].join('.'),
    resolution: lookup('expect', place.env)?.by ?? 'global',
    receiver: actual,
    args,
    named,
    in: region,
    result,
  })
  handTo(unit, value, region, firstRegion, unit.regions.length)
  if (key === 'and' && isString(node['arguments'][0])) {
    claim({ ...phrased(node['arguments'][0]), actual, args: args.slice(1), node }, place)
    return value
  }
  const known = MATCHERS[key] ?? { compare: 'other', operands: 2 }
  const matcher: Matcher = found.words.includes('rejects')
    ? { compare: 'throws', operands: 1 }
    : isPartly(key, found.words)
    ? { ...known, compare: 'contains' }
    : known
  const negated = found.words.filter(w => w === 'not' || w === 'never').length % 2 === 1
  claim({ matcher, actual, args, negated, node, digits: key === 'toBeCloseTo' }, place)
  return value
}

/** `cy.should('have.value', x)`: a chain of Chai's in one text. What needs nothing to compare with is left to Cypress. */
function chained(words: readonly string[]): Matcher | undefined {
  const matcher = MATCHERS[words.at(-1) ?? '']
  if (!matcher || matcher.operands === 0 || matcher.against || !/^(==|contains|matches)$/.test(matcher.compare)) return undefined
  return isPartly(words.at(-1)!, words) ? { ...matcher, compare: 'contains' } : matcher
}

/** `.to.contain.text('x')`: the words before it say that a part will do. */
const isPartly = (key: string, words: readonly string[]): boolean =>
  /^(text|html)$/.test(key) && words.some(w => /^(contains?|includes?)$/.test(w))

/** Chai asserts with properties: `expect(x).to.be.true`, `x.should.be.ok`. */
export function propertyAssertion(node: Node, place: Place): Value | undefined {
  const key = keyOf(node)
  const matcher = key === undefined ? undefined : MATCHERS[key]
  const known = matcher && (matcher.operands === 0 || key === 'rejected')
  if (!known) return undefined
  const found = expectation(node['object'], place)
  if (!found?.subject || !found.words.every(w => CHAI_WORDS.has(w) || w === 'not' || w === 'eventually' || MATCHERS[w])) return undefined
  const actual = lower(found.subject, place)
  for (const argument of found.between) lower(argument, place)
  claim({ matcher, actual, args: [], negated: found.words.filter(w => w === 'not').length % 2 === 1, node }, place)
  return UNKNOWN
}

const CHAI_CALLED =
  /^(equals?|eql|eq|include[s]?|contains?|match(es)?|throws?|above|below|least|most|within|instanceof|property|keys?|members|lengthOf|closeTo|oneOf|satisfy)$/

/** `expect(x).toBe` names a matcher and does not call it. */
export function uncalledMatcher(expression: Node, place: Place): void {
  const node = bare(expression.type === 'AwaitExpression' ? expression['argument'] : expression)
  const key = node.type === 'MemberExpression' ? keyOf(node) : undefined
  if (key === undefined || !(/^to[A-Z]/.test(key) || CHAI_CALLED.test(key))) return
  const found = expectation(node['object'], place)
  if (!found?.subject || found.between.length > 0
    || !found.words.every(w => CHAI_WORDS.has(w) || /^(not|resolves|rejects|eventually)$/.test(w))) return
  // Chai's own words are matchers only behind `.to`; a plugin may make properties of the others.
  if (!/^to[A-Z]/.test(key) && !found.words.includes('to')) return
  ;(place.unit.inert ??= []).push({ span: spanOf(node), how: `the matcher ${key} is named and not called`, in: place.region })
}

const PHRASES: readonly (readonly [RegExp, Matcher])[] = [
  [/^to (throw|be rejected|error|have failed|be rejected with)/, { compare: 'throws' }],
  [/^to (be greater than or equal to|be at least|be >=)/, { compare: '>=' }],
  [/^to (be (greater than|above|>))/, { compare: '>' }],
  [/^to (be less than or equal to|be at most|be <=)/, { compare: '<=' }],
  [/^to (be (less than|below|<))/, { compare: '<' }],
  [/^to be (null|undefined)$/, { compare: '==', against: 'null' }],
  [/^to be empty$/, { compare: '==', against: 'empty' }],
  [/^to be (ok|truthy|true)$/, { compare: 'truth', operands: 0 }],
  [/^to be (falsy|false)$/, { compare: 'truth', operands: 0, absence: true }],
  [/^to (be|equal|satisfy|have length|be fulfilled with value.*)$/, { compare: '==' }],
  [/^to contain/, { compare: 'contains' }],
  [/^to match/, { compare: 'matches' }],
  [/^to be close to/, { compare: 'near' }],
  [/^(was called|was called once|was called times)$/, { compare: 'truth', operands: 0 }],
  [/^was not called$/, { compare: 'truth', operands: 0, absence: true }],
]

/** unexpected.js: `expect(x, 'not to be', y)`. */
function sentence(node: Node, place: Place, result: Result): Value {
  const [, phrase] = node['arguments'] as Node[]
  const { unit, region } = place
  const firstRegion = unit.regions.length
  const { args, named } = argumentsOf(node, place)
  const value = addCall(unit, { span: spanOf(node), nameSpan: spanOf(node['callee']), name: 'expect', resolution: 'global', args, named,
    in: region, result })
  handTo(unit, value, region, firstRegion, unit.regions.length)
  claim({ ...phrased(phrase!), actual: args[0] ?? UNKNOWN, args: args.slice(2), node }, place)
  return value
}

function phrased(phrase: Node): { matcher: Matcher; negated: boolean } {
  const words = String(phrase['value'])
  const positive = words.replace(/^not /, '')
  return { matcher: PHRASES.find(([pattern]) => pattern.test(positive))?.[1] ?? { compare: 'other', operands: 2 },
    negated: words !== positive }
}

// --------------------------------------------------------------------------------------- assert functions

/** Assert functions that projects put into the global scope, as QUnit does. */
const BARE_ASSERTS = /^(ok|notOk|equal|notEqual|(not)?(deep|strict|deepStrict)Equal|(not)?(Deep|Strict|DeepStrict)Equal)$/i

/** `assert.equal(a, b)`, `t.is(a, b)`, `assertEquals(a, b)`, `sinon.assert.called(spy)`, `request(app).get('/').expect(200)`. */
export function assertCall(call: Call, node: Node, place: Place): void {
  const dot = call.name.lastIndexOf('.')
  const method = call.name.slice(dot + 1)
  const [actual, ...args] = call.args
  const push = (matcher: Matcher, operand: Value, rest: readonly Value[]) =>
    claim({ matcher, actual: operand, args: rest, negated: false, node }, place)
  if (call.name === 'assert' || call.name === 't') return actual && push({ compare: 'truth' }, actual, [])
  const owner = dot < 0 ? '' : call.name.slice(0, dot)
  if (owner === 'assert' || owner === 't' || owner === 'tap' || owner === 'tape') {
    const matcher = ASSERT_METHODS[method]
    if (matcher && actual) push(matcher, actual, args)
    return
  }
  if (owner === 'assert.dom') {
    const matcher = DOM_METHODS[method]
    if (matcher && call.receiver) push(matcher, call.receiver, call.args)
    return
  }
  if (owner === 'sinon.assert' && actual) return push(MATCHERS[method] ?? { compare: 'other', operands: 2 }, actual, args)
  if (call.name === 'cy.should' && call.receiver) {
    const words = actual?.is === 'literal' ? String(actual.value).split('.') : []
    return claim({ matcher: chained(words) ?? { compare: 'other', operands: 2 }, actual: call.receiver, args: call.args.slice(1),
      negated: words[0] === 'not', node }, place)
  }
  if (call.name === '?.expect' && call.receiver && call.args.length > 0)
    return push({ compare: '==', operands: 9 }, call.receiver, call.args)
  const loose = dot < 0 && BARE_ASSERTS.test(call.name) ? ASSERT_METHODS[call.name] : undefined
  if (loose && actual && call.resolution !== 'local') return push(loose, actual, args)
  // tsd and expect-type claim something of types, which no run can change.
  if (call.resolution === 'local' || !/^(assert|expect)[A-Z]/.test(method) || owner === 'tsd' || /TypeOf$/.test(method)) return
  const known = ASSERT_FUNCTIONS[method]
  if (known && actual) return push(known, actual, args)
  place.unit.assertions.push({ span: call.span, compare: 'other', operands: call.args,
    claims: /not|empty|none/i.test(method) ? 'absence' : 'presence', in: place.region })
}

// --------------------------------------------------------------------------------------------------- failing

const lastOf = (node: Node): Node | undefined => (node.type === 'BlockStatement' ? node['body'].at(-1) : node)

/** Ends in failing the test: `throw new Error()`, `t.fail()`, `done(err)`. */
export function fails(consequent: Node, place: Place): boolean {
  if (place.file.options.kind === 'source') return false
  const last = lastOf(consequent)
  if (last?.type === 'ThrowStatement') {
    // A loop that throws at its deadline is a poll, and the deadline nothing that it claims.
    for (let at = place.frame; at; at = at.outer) if (at.is === 'loop' && !at.counted) return false
    return bare(last['argument']).type === 'NewExpression'
  }
  return last !== undefined && failCall(last, place, false)
}

function failCall(statement: Node, place: Place, rejecting: boolean): boolean {
  const expression = statement.type === 'ExpressionStatement'
    ? statement['expression']
    : statement.type === 'ReturnStatement'
    ? statement['argument']
    : undefined
  const call = expression ? bare(expression) : undefined
  if (call?.type !== 'CallExpression') return false
  const callee = bare(call['callee'])
  if (callee.type === 'MemberExpression') return /^(fail|unreachable)$/.test(keyOf(callee) ?? '')
  if (callee.type !== 'Identifier') return false
  const settles = lookup(callee['name'], place.env)?.settles
  if (settles === 'done') return call['arguments'].length > 0
  return callee['name'] === 'fail' || (rejecting && isReject(callee, place))
}

const isReject = (node: Node, place: Place): boolean =>
  node.type === 'Identifier' && (lookup(node['name'], place.env)?.settles === 'reject' || /^rej(ect)?$/.test(node['name']))

/** What a timer calls ends the test in failure: `t.fail`, `reject`, `() => { t.fail() }`. */
export function failsTest(callback: Node, place: Place): boolean {
  if (callback.type === 'Identifier') return callback['name'] === 'fail' || isReject(callback, place)
  if (callback.type === 'MemberExpression') return keyOf(callback) === 'fail'
  if (callback.type === 'CallExpression' && callback['callee'].type === 'MemberExpression' && keyOf(callback['callee']) === 'bind')
    return failsTest(bare(callback['callee'].object), place)
  if (!isFunction(callback)) return false
  return bodyOf(callback).some(s =>
    (s.type === 'ThrowStatement' && bare(s['argument']).type === 'NewExpression') || failCall(s, place, true)
  )
}
