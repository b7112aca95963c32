// Values and calls: what an expression is made of, and which name a call goes by.

import { UNKNOWN, literal, type Call, type Resolution, type Span, type Value } from '../../facts/facts.ts'
import { addCall, addRegion, handTo, type Result } from '../build.ts'
import { field, type Node } from '../tree-sitter.ts'
import { readAssertion, subjectType } from './assertions.ts'
import { MAX_DEPTH, STRING, declaring, firstPart, lookup, parts, resolveStatic, resolveType, textOf, typeOf, typeOfNode, within, type At,
  type Env, type Scope, type Type } from './scope.ts'
import { statements, switchValue } from './statements.ts'
import { FLUENT, GIVES_ELEMENT, GIVES_SAME, RETURNS } from './types.ts'
import { anonymousBody, holdClosures } from './units.ts'
import { table } from '../table.ts'

const spanOf = (node: Node): Span => ({ start: node.start, end: node.end })
const name = (path: string): Value => ({ is: 'name', path })

const OPERATORS: Readonly<Record<string, string>> = { '&&': 'and', '||': 'or', '!': 'not' }

export function lower(node: Node, at: At, result: Result = 'used'): Value {
  const { scope } = at
  if (scope.depth >= MAX_DEPTH) return UNKNOWN
  scope.depth++
  const value = read(node, at, result)
  scope.depth--
  return value
}

function read(node: Node, at: At, result: Result): Value {
  const { scope, unit } = at
  switch (node.type) {
    case 'decimal_integer_literal':
    case 'decimal_floating_point_literal':
    case 'hex_integer_literal':
    case 'octal_integer_literal':
    case 'binary_integer_literal':
      return number(node, scope)
    case 'true':
    case 'false':
      return literal(node.type === 'true')
    case 'null_literal':
      return literal(null)
    case 'string_literal':
      return literal(stringText(node, scope))
    case 'character_literal':
      return literal(unescape(scope.text.slice(node.start + 1, node.end - 1)))
    case 'identifier':
      return identifier(node, scope, at)
    case 'field_access':
      return fieldAccess(node, at)
    case 'class_literal':
      return name(`${typeOfNode(firstPart(node), scope)?.name ?? ''}.class`)
    case 'this':
    case 'super':
      return name(node.type)
    case 'method_invocation':
      return chain(node, at, result)
    case 'object_creation_expression':
      return construct(node, at, result)
    case 'parenthesized_expression': {
      const inner = firstPart(node)
      return inner ? lower(inner, at, result) : UNKNOWN
    }
    case 'binary_expression':
      return binary(node, at)
    case 'unary_expression': {
      const operand = field(node, 'operand')
      const op = textOf(field(node, 'operator'), scope)
      const value = operand ? lower(operand, at) : UNKNOWN
      if (op === '-' && value.is === 'literal' && typeof value.value === 'number') return literal(-value.value)
      return { is: 'op', op: OPERATORS[op] ?? op, of: [value] }
    }
    case 'update_expression': {
      const operand = firstPart(node)
      if (!operand) return UNKNOWN
      unit.writes.push({ span: spanOf(node), target: targetOf(operand, at), value: literal(1), in: at.region, declares: false, adds: true })
      return operand.type === 'identifier' ? identifier(operand, scope, at) : { is: 'group', of: [] }
    }
    case 'assignment_expression':
      return assign(node, at)
    case 'ternary_expression': {
      const [condition, yes, no] = ['condition', 'consequence', 'alternative'].map(f => field(node, f)).map(
        n => (n ? lower(n, at) : UNKNOWN),
      )
      return { is: 'op', op: '?', of: [condition!, yes!, no!] }
    }
    case 'array_access': {
      const array = field(node, 'array'), index = field(node, 'index')
      return { is: 'op', op: '[]', of: [array ? lower(array, at) : UNKNOWN, index ? lower(index, at) : UNKNOWN] }
    }
    case 'cast_expression': {
      const inner = field(node, 'value')
      const value: Value = { is: 'group', of: inner ? [lower(inner, at, result)] : [] }
      const type = typeOfNode(field(node, 'type'), scope)
      if (type) scope.typed.set(value, type)
      return value
    }
    case 'instanceof_expression': {
      const left = field(node, 'left'), bound = field(node, 'name'), type = typeOfNode(field(node, 'right'), scope)
      if (bound) at.env.vars.set(textOf(bound, scope), type)
      return { is: 'op', op: 'instanceof', of: [left ? lower(left, at) : UNKNOWN, name(type?.name ?? '')] }
    }
    case 'lambda_expression':
      return lambda(node, at, undefined)
    case 'method_reference':
      return methodReference(node, at)
    case 'switch_expression':
      return switchValue(node, at)
    case 'array_creation_expression': {
      const given = field(node, 'value')
      if (given) return lower(given, at)
      const sizes = node.children.filter(c => c.type === 'dimensions_expr').map(d => firstPart(d)).map(s => (s ? lower(s, at) : UNKNOWN))
      // `new byte[0]` is nothing at all.
      return { is: 'group', of: sizes.length === 1 && sizes[0]!.is === 'literal' && sizes[0]!.value === 0 ? [] : sizes }
    }
    case 'array_initializer':
      return { is: 'group', of: parts(node).map(n => lower(n, at)) }
    case 'line_comment':
    case 'block_comment':
      return UNKNOWN
    default:
      if (node.type.endsWith('_type') || node.type === 'type_identifier') return UNKNOWN
      return node.children.length > 0 ? { is: 'group', of: parts(node).map(n => lower(n, at)) } : UNKNOWN
  }
}

function number(node: Node, scope: Scope): Value {
  const text = textOf(node, scope).replaceAll('_', '')
  const hex = node.type === 'hex_integer_literal'
  const digits = text.replace(hex ? /[lL]$/ : /[lLfFdD]$/, '')
  const n = Number(node.type === 'octal_integer_literal' && /^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits)
  return Number.isNaN(n) ? UNKNOWN : literal(n)
}

function stringText(node: Node, scope: Scope): string {
  let text = ''
  for (const child of node.children) {
    if (child.type === 'string_fragment' || child.type === 'multiline_string_fragment') text += textOf(child, scope)
    else if (child.type === 'escape_sequence') text += unescape(textOf(child, scope))
  }
  return text
}

const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\r': '\r', '\\b': '\b', '\\f': '\f', '\\0': '\0',
  '\\s': ' ' }
const unescape = (text: string): string => (text.startsWith('\\') ? ESCAPES[text] ?? text.slice(1) : text)

// ---------------------------------------------------------------------------------------------------- names

function identifier(node: Node, scope: Scope, at: At): Value {
  const text = textOf(node, scope)
  if (lookup(at.env, text) !== undefined) return name(text)
  // A whole class imported statically gives constants here, which are written in capitals; methods are another matter.
  if (!isTypeName(text)) return name(scope.statics.get(text) ?? text)
  return name(resolveStatic(text, scope) ?? resolveType(text, scope))
}

const isTypeName = (text: string): boolean => /^[A-Z]/.test(text)

/** `this.x` and `Own.X` are fields of this file and go by their bare name; `Foo.BAR` is qualified by the imports. */
function fieldAccess(node: Node, at: At): Value {
  const path = pathOf(node, at)
  if (path !== undefined) return name(path)
  const object = field(node, 'object')
  return { is: 'group', of: object ? [lower(object, at)] : [] }
}

function pathOf(node: Node, at: At): string | undefined {
  const { scope } = at
  const names: string[] = []
  let inner: Node = node
  for (; inner.type === 'field_access'; inner = field(inner, 'object') ?? inner.children[0]!) {
    names.push(textOf(field(inner, 'field'), scope))
    if (names.length > 30) return undefined
  }
  names.reverse()
  if (inner.type === 'this') return names.join('.')
  if (inner.type === 'super') return `super.${names.join('.')}`
  if (inner.type !== 'identifier') return undefined
  const first = textOf(inner, scope)
  if (lookup(at.env, first) !== undefined) return [first, ...names].join('.')
  if (scope.classes.has(first) && names.length === 1) return names[0] === 'this' ? 'this' : names[0]
  const constant = isTypeName(first) ? resolveStatic(first, scope) : scope.statics.get(first)
  if (constant) return [constant, ...names].join('.')
  return [isTypeName(first) ? resolveType(first, scope) : first, ...names].join('.')
}

function targetOf(node: Node, at: At): string {
  if (node.type === 'array_access') {
    const array = field(node, 'array')
    return `${array ? targetOf(array, at) : ''}[]`
  }
  if (node.type === 'parenthesized_expression') return targetOf(firstPart(node) ?? node.children[0]!, at)
  return (node.type === 'field_access' ? pathOf(node, at) : undefined) ?? textOf(node, at.scope)
}

function assign(node: Node, at: At): Value {
  const left = field(node, 'left'), right = field(node, 'right')
  if (!left || !right) return UNKNOWN
  const from = at.unit.regions.length
  if (left.type === 'array_access') {
    const index = field(left, 'index')
    if (index) lower(index, at)
  }
  const value = lower(right, at)
  const adds = textOf(field(node, 'operator'), at.scope) !== '='
  const target = targetOf(left, at)
  at.unit.writes.push({ span: spanOf(node), target, value, in: at.region, declares: false, adds })
  if (!adds && right.type !== 'assignment_expression') holdClosures(target, from, at)
  return value
}

// ------------------------------------------------------------------------------------------------ operators

/** The left spine of `a + b + c` is walked in a loop: generated code chains thousands. */
function binary(node: Node, at: At): Value {
  const { scope } = at
  const spine: Node[] = []
  let left: Node = node
  for (; left.type === 'binary_expression'; left = field(left, 'left') ?? left.children[0]!) spine.push(left)
  let value = lower(left, at)
  // Text that this expression builds grows in place.
  let grown: Value[] | undefined
  for (let i = spine.length - 1; i >= 0; i--) {
    const step = spine[i]!
    const right = field(step, 'right')
    const other = right ? lower(right, at) : UNKNOWN
    const written = textOf(field(step, 'operator'), scope)
    if (written === '+' && grown) grown.push(other)
    else if (written === '+' && (isText(value, at) || isText(other, at))) value = { is: 'text', parts: grown = [value, other] }
    else {
      grown = undefined
      value = spine.length <= LONG
        ? { is: 'op', op: OPERATORS[written] ?? written, of: [value, other] }
        : { is: 'group', of: [...(value.is === 'group' ? value.of.slice(0, LONG) : [value]), other] }
    }
  }
  return value
}

/** Longer rows of operators are no condition that anybody wrote: their first parts do, and nothing nests too deep. */
const LONG = 100

function isText(value: Value, at: At): boolean {
  if (value.is === 'text') return true
  if (value.is === 'literal') return typeof value.value === 'string'
  return (value.is === 'name' || value.is === 'call') && typeOf(value, at)?.name === STRING.name
}

// ------------------------------------------------------------------------------------------------- closures

/** A lambda's parameter is one of what the receiver holds: `threads.forEach(t -> t.join())`. */
function lambda(node: Node, at: At, element: Type | undefined): Value {
  const { unit, scope } = at
  const region = addRegion(unit, { kind: 'closure', in: at.region, span: spanOf(node) })
  const env: Env = { vars: new Map(), up: at.env }
  const parameters = field(node, 'parameters')
  for (const p of parameters?.type === 'identifier' ? [parameters] : parameters?.children ?? []) {
    if (p.type === 'identifier') env.vars.set(textOf(p, scope), element ?? null)
    else if (p.type === 'formal_parameter') env.vars.set(textOf(field(p, 'name'), scope), typeOfNode(field(p, 'type'), scope))
  }
  const returns: Value[] = []
  const inside: At = { ...at, region, env, returns, locked: false }
  const body = field(node, 'body')
  if (body?.type === 'block') statements(body.children, inside)
  else if (body) returns.push(lower(body, inside, 'returned'))
  return { is: 'group', of: returns }
}

/** `Thread::join` and `this::work` are closures that make one call. */
function methodReference(node: Node, at: At): Value {
  const { unit, scope } = at
  const [object, method] = parts(node)
  if (!object) return UNKNOWN
  const region = addRegion(unit, { kind: 'closure', in: at.region, span: spanOf(node) })
  const inside = within(at, region)
  const isNew = node.children.some(c => c.type === 'new')
  const isType = !/^(identifier|field_access|this|super|method_invocation)$|_(expression|literal|access)$/.test(object.type)
  if (isType && object.type === 'array_type') return { is: 'group', of: [] }
  const type = isType ? typeOfNode(object, scope)?.name ?? '?' : undefined
  const receiver = type ? name(type) : lower(object, inside)
  const called = isNew ? 'new' : textOf(method, scope)
  const callee: Callee = type ? { name: `${type}.${called}`, resolution: 'type' } : calleeOf(object, receiver, called, inside)
  const value = addCall(unit, { span: spanOf(node), nameSpan: spanOf(method ?? node), ...callee, receiver, args: [], in: region,
    result: 'returned' })
  return { is: 'group', of: [value] }
}

// ---------------------------------------------------------------------------------------------------- calls

/** A chain of calls is read from its innermost receiver outwards, in a loop. */
function chain(node: Node, at: At, result: Result): Value {
  const spine: Node[] = [node]
  let object = field(node, 'object')
  for (; object?.type === 'method_invocation'; object = field(object, 'object')) spine.push(object)
  let receiver: Value | null = object ? lower(object, at) : null
  for (let i = spine.length - 1; i >= 0; i--) receiver = invoke(spine[i]!, receiver, at, i === 0 ? result : 'used')
  return receiver!
}

interface Callee {
  readonly name: string
  readonly resolution: Resolution
}

function invoke(node: Node, receiver: Value | null, at: At, result: Result): Value {
  const { scope, unit, region } = at
  const nameNode = field(node, 'name')
  const method = textOf(nameNode, scope)
  const object = field(node, 'object')
  const holds = receiver ? typeOf(receiver, at)?.of : undefined
  const firstRegion = unit.regions.length
  const args = argumentsOf(field(node, 'arguments'), at, holds)
  const lastRegion = unit.regions.length
  const callee = calleeOf(object, receiver, method, at)
  const text = asText(callee.name, method, receiver, args, spanOf(node), at)
  if (text) return text
  const subject = receiver ? scope.subjects.get(receiver) : undefined
  // What is called on a mock under verification or stubbing does not happen here.
  if (STUBS.has(callee.name)) rehearse(args[0], at)
  const named: Callee = subject && subject.is !== 'fluent' ? { name: `mock.${method}`, resolution: 'guess' } : callee
  const value = addCall(unit, {
    span: spanOf(node),
    nameSpan: spanOf(nameNode ?? node),
    ...named,
    receiver,
    ...overload(named.name, receiver, args, at),
    in: region,
    result,
  })
  handTo(unit, value, region, firstRegion, lastRegion)
  handHeld(args, value, at)
  const type = returnType(named.name, method, receiver, at)
  if (type) scope.typed.set(value, type)
  const call = unit.calls.at(-1)!
  readAssertion(node, value, call, method, at)
  return asOperator(method, receiver, args) ?? value
}

const STUBS = new Set(['org.mockito.Mockito.when', 'org.mockito.BDDMockito.given', 'org.easymock.EasyMock.expect'])

/** `when(pool.awaitTermination(20, SECONDS))` tells the mock what to answer; nothing waits. */
function rehearse(value: Value | undefined, { unit }: At): void {
  const call = value?.is === 'call' ? unit.calls[value.call] : undefined
  if (call?.receiver)
    unit.calls[(value as { call: number }).call] = { ...call, name: `mock.${call.name.slice(call.name.lastIndexOf('.') + 1)}`,
      resolution: 'guess' }
}

function argumentsOf(list: Node | undefined, at: At, holds: Type | undefined): Value[] {
  const args: Value[] = []
  for (const node of list?.children ?? [])
    if (node.named && node.type !== 'line_comment' && node.type !== 'block_comment')
      args.push(node.type === 'lambda_expression' && holds && at.scope.depth < MAX_DEPTH ? lambda(node, at, holds) : lower(node, at))
  return args
}

/** Closures that a variable holds go to the first call that the variable is handed to. */
function handHeld(args: readonly Value[], value: Value, at: At): void {
  if (at.closures.size === 0 || value.is !== 'call') return
  for (const arg of args) {
    if (arg.is !== 'name') continue
    for (const region of at.closures.get(arg.path) ?? []) {
      const r = at.unit.regions[region]!
      if (r.call === undefined) at.unit.regions[region] = { ...r, call: value.call }
    }
  }
}

/**
 * What tells overloads apart is named, for the catalog to see: a Clock given to `now`, a class of java.time given to
 * `mockStatic`, Awaitility's `until(() -> true)`, which only sleeps for its pollDelay, a wait that nobody ends, and a setting that
 * says where to write.
 */
function overload(callee: string, receiver: Value | null, args: readonly Value[], at: At): Pick<Call, 'args' | 'named'> {
  const [first] = args
  const isConstant = first?.is === 'group' && first.of.length === 1 && first.of[0]!.is === 'literal'
  if (isConstant && callee === 'org.awaitility.core.ConditionFactory.until' && !asksInside(at))
    return { args, named: { always: pollDelay(receiver, at) } }
  const elsewhere = /\.subscribe$/.test(callee) ? schedulerOf(receiver, at) : undefined
  if (elsewhere) return { args, named: { elsewhere } }
  const pause = pauseOf(callee, receiver, args, at)
  if (pause) return { args: [], named: { pause } }
  if (first && args.length === 1) {
    const isNow = callee.startsWith('java.time.') && callee.endsWith('.now')
    const isClock = typeOf(first, at)?.name === 'java.time.Clock' || (first.is === 'name' && /clock/i.test(first.path))
    if (isNow && isClock) return { args: [], named: { clock: first } }
  }
  if (callee === 'org.mockito.Mockito.mockStatic' && first?.is === 'name'
    && /^java\.time\.|^java\.lang\.System\.class|Clock\.class$/.test(first.path))
    return { args: args.slice(1), named: { clock: first } }
  if (args.length === 2 && /\.(put|setProperty)$/.test(callee)) {
    if (first?.is === 'name' && FOLDER_KEY.test(first.path)) return { args: args.slice(0, 1), named: { folder: args[1]! } }
  }
  return { args, named: {} }
}

/** The closure that was just read does something before it says yes: it asserts, mostly. */
const asksInside = ({ unit }: At): boolean => {
  const closure = unit.regions.findLastIndex(r => r.kind === 'closure')
  return unit.calls.some(c => c.in === closure)
}

/** `StreamsConfig.STATE_DIR_CONFIG`: a constant of the component that will write there. Keys spelled out are as often only parsed. */
const FOLDER_KEY = /_(?:DIRS?|DIRECTORY|FOLDER)(?:_(?:CONFIG|KEY|PROPERTY|PROP))?$/

/** `flow.subscribeOn(Schedulers.io()).subscribe(…)`: another thread does what it is given. */
function schedulerOf(receiver: Value | null, { unit }: At): Value | undefined {
  for (let at = receiver, i = 0; at?.is === 'call' && i < 20; at = unit.calls[at.call]!.receiver, i++) {
    const { name: callee, args: [on] } = unit.calls[at.call]!
    if (/\.(subscribeOn|observeOn|publishOn)$/.test(callee) && on?.is === 'call'
      && /Schedulers\.(io|computation|newThread|parallel|boundedElastic|elastic|single)$/.test(unit.calls[on.call]!.name)) return on
  }
  return undefined
}

/**
 * What only makes the test wait: a lock that nobody notifies, a latch that nobody else holds, a thread that joins itself, a timer that is
 * blocked for.
 */
function pauseOf(callee: string, receiver: Value | null, args: readonly Value[], at: At): Value | undefined {
  const { unit, scope } = at
  const of = receiver?.is === 'call' ? unit.calls[receiver.call]! : undefined
  const timed = ([count, each]: readonly Value[]): Value | undefined => count && each ? { is: 'op', op: '*', of: [count, each] } : undefined
  if (callee === 'java.lang.Object.wait' && args.length > 0) {
    const isOwn = !receiver || (receiver.is === 'name' && (receiver.path === 'this' || typeOf(receiver, at)?.name === 'java.lang.Object'))
    return isOwn && !/\bnotify(All)?\b/.test(scope.text) ? args[0] : undefined
  }
  if (!of) return undefined
  if (/\.(CountDownLatch\.await|Semaphore\.tryAcquire)$/.test(callee))
    return /\.(CountDownLatch|Semaphore)\.new$/.test(of.name) && args.length === 2 ? timed(args) : undefined
  if (callee === 'java.lang.Thread.join') return of.name === 'java.lang.Thread.currentThread' ? args[0] : undefined
  return /\.(blocking[A-Z]\w*|toBlocking)$/.test(callee) && /(^|\.)(Observable|Flowable|Single|Maybe|Completable)\.timer$/.test(of.name)
    ? timed(of.args)
    : undefined
}

function pollDelay(receiver: Value | null, { unit }: At): Value {
  let at = receiver
  for (let i = 0; i < 12 && at?.is === 'call'; i++) {
    const { name: callee, args, receiver: next } = unit.calls[at.call]!
    if (callee.endsWith('.pollDelay')) return args.length === 2 ? { is: 'op', op: '*', of: args } : args[0] ?? UNKNOWN
    at = next
  }
  return UNKNOWN
}

function calleeOf(object: Node | undefined, receiver: Value | null, method: string, at: At): Callee {
  const { scope } = at
  if (!object || !receiver) return unqualified(method, at)
  if (object.type === 'this') return unqualified(method, at)
  if (object.type === 'super') return { name: `super.${method}`, resolution: 'guess' }
  if (method === 'wait' && at.locked) return { name: 'java.lang.Object.wait', resolution: 'type' }
  if (object.type === 'class_literal') return { name: `java.lang.Class.${method}`, resolution: 'type' }
  const type = typeOf(receiver, at)
  if (type) {
    const owner = declaring(type.name, method, scope)
    return { name: `${owner}.${method}`, resolution: scope.classes.has(owner) ? 'local' : 'type' }
  }
  if (receiver.is === 'name') {
    const { path } = receiver
    const root = path.split('.', 1)[0]!
    const isConstant = object.type === 'identifier' && scope.statics.has(textOf(object, scope))
    const isClass = lookup(at.env, root) === undefined && (isConstant || /(^|\.)[A-Z]/.test(path))
    if (isClass) return { name: `${path}.${method}`, resolution: resolutionOf(path, scope) }
  }
  return { name: `?.${method}`, resolution: 'guess' }
}

function resolutionOf(path: string, scope: Scope): Resolution {
  if (/^java\.lang\.[A-Z]/.test(path)) return 'global'
  if (/^[a-z]/.test(path)) return 'import'
  return scope.classes.has(path) ? 'local' : 'type'
}

function unqualified(method: string, at: At): Callee {
  const { scope } = at
  if (scope.methods.has(method)) return { name: method, resolution: 'local' }
  const imported = resolveStatic(method, scope)
  if (imported) return { name: imported, resolution: 'import' }
  if (method === 'wait' && (at.locked || at.owners[0]?.base === null)) return { name: 'java.lang.Object.wait', resolution: 'type' }
  // What a class inherits from a base we know by name: a Thread's own join, a TestCase's assertEquals.
  for (const owner of at.owners) {
    const base = declaring(owner.name, method, scope)
    if (base === 'java.lang.Thread' || base === 'junit.framework.TestCase') return { name: `${base}.${method}`, resolution: 'type' }
  }
  return { name: method, resolution: 'guess' }
}

function returnType(callee: string, method: string, receiver: Value | null, at: At): Type | undefined {
  const { scope } = at
  const known = RETURNS.get(callee)
  if (known) return { name: known }
  const from = receiver ? typeOf(receiver, at) : undefined
  if (from && FLUENT.has(from.name)) return from
  const fluent = subjectType(callee)
  if (fluent) return { name: fluent }
  if (from?.of) {
    if (GIVES_ELEMENT.has(method)) return from.of
    const container = method === 'iterator' ? 'java.util.Iterator' : /stream/i.test(method) ? 'java.util.stream.Stream' : from.name
    if (GIVES_SAME.has(method)) return { name: container, of: from.of }
  }
  const isOwn = !receiver || (receiver.is === 'name' && receiver.path === 'this')
    || scope.classes.has(callee.slice(0, callee.lastIndexOf('.')))
  return isOwn ? scope.methods.get(method) ?? undefined : undefined
}

const FORMATS = new Set([
  'java.lang.String.format',
  'java.text.MessageFormat.format',
  'java.lang.String.join',
  'com.google.common.base.Strings.lenientFormat',
])
const CONVERTS = new Set(['java.lang.String.valueOf', 'java.lang.Long.toString', 'java.lang.Integer.toString', 'java.lang.Long.toHexString',
  'java.lang.Integer.toHexString', 'java.util.Objects.toString', 'java.lang.Double.toString'])
const BUILDERS = new Set(['java.lang.StringBuilder', 'java.lang.StringBuffer'])
const SAME_TEXT = new Set(['trim', 'strip', 'toLowerCase', 'toUpperCase', 'substring', 'replace', 'replaceAll', 'intern', 'repeat'])

const PATHS = new Set(['java.nio.file.Path.of', 'java.nio.file.Paths.get'])
const SAME_PATH: Readonly<Record<string, string>> = table({
  'java.nio.file.Path.toFile': 'java.io.File',
  'java.io.File.toPath': 'java.nio.file.Path',
  'java.io.File.getAbsoluteFile': 'java.io.File',
  'java.nio.file.Path.toAbsolutePath': 'java.nio.file.Path',
  'java.nio.file.Path.normalize': 'java.nio.file.Path',
  'java.nio.file.Path.resolve': 'java.nio.file.Path',
})

/** A path is text with slashes between its parts. */
function pathText(parts: readonly Value[], type: string, at: At): Value {
  const value: Value = { is: 'text', parts: parts.flatMap((part, i) => (i === 0 ? [part] : [literal('/'), part])) }
  at.scope.typed.set(value, { name: type })
  return value
}

/** String.format, valueOf, concat, toString, StringBuilder: text built from parts rather than calls. */
function asText(callee: string, method: string, receiver: Value | null, args: readonly Value[], span: Span, at: At): Value | undefined {
  if (FORMATS.has(callee)) {
    // A locale is no part of the text; an empty one before the pattern tells that it was given.
    const parts = args.filter(a => !(a.is === 'name' && a.path.startsWith('java.util.Locale')))
    return { is: 'text', parts: parts.length < args.length ? [literal(''), ...parts] : parts }
  }
  if (CONVERTS.has(callee) && args.length > 0) return { is: 'text', parts: args.slice(0, 1) }
  if (PATHS.has(callee)) return pathText(args, 'java.nio.file.Path', at)
  if (!receiver || (receiver.is === 'name' && receiver.path === 'super')) return undefined
  const samePath = SAME_PATH[callee]
  if (samePath) return pathText([receiver, ...args], samePath, at)
  if (method === 'toString' && args.length === 0 && !at.scope.subjects.has(receiver))
    return receiver.is === 'text' ? receiver : { is: 'text', parts: [receiver] }
  const type = typeOf(receiver, at)?.name
  if (type === STRING.name) {
    if (method === 'concat' || method === 'formatted') return { is: 'text', parts: [receiver, ...args] }
    return SAME_TEXT.has(method) ? { is: 'text', parts: [receiver] } : undefined
  }
  if (method !== 'append' || !type || !BUILDERS.has(type)) return undefined
  if (receiver.is === 'name') {
    at.unit.writes.push({ span, target: receiver.path, value: args[0] ?? UNKNOWN, in: at.region, declares: false, adds: true })
    return receiver
  }
  if (receiver.is === 'text') {
    // Begun by this very chain, so it may grow in place.
    ;(receiver.parts as Value[]).push(...args)
    return receiver
  }
  const grown: Value = { is: 'text', parts: [receiver, ...args] }
  at.scope.typed.set(grown, { name: type })
  return grown
}

/** `a.equals(b)` and `list.contains(x)` compare: the call stays, its value is read as the operator. */
function asOperator(method: string, receiver: Value | null, args: readonly Value[]): Value | undefined {
  if (!receiver || receiver.is === 'name' && receiver.path === 'super') return undefined
  if (method === 'equals') {
    if (args.length === 1) return { is: 'op', op: '==', of: [receiver, args[0]!] }
    if (args.length === 2 && receiver.is === 'name' && /(^|\.)(Objects|Arrays)$/.test(receiver.path))
      return { is: 'op', op: '==', of: args }
  }
  if (/^contains(Key|Value)?$/.test(method) && args.length === 1) return { is: 'op', op: 'in', of: [args[0]!, receiver] }
  return undefined
}

// --------------------------------------------------------------------------------------------- constructors

/** An anonymous Thread runs its own methods; a Runnable's are run by whoever it is handed to. */
const RUNS_ITSELF = new Set(['java.lang.Thread', 'java.util.TimerTask'])

function construct(node: Node, at: At, result: Result): Value {
  const { scope, unit, region } = at
  const typeNode = field(node, 'type')
  const type = typeOfNode(typeNode, scope)
  const outer = firstPart(node)
  const isOuter = outer !== typeNode && /^(identifier|this|field_access|method_invocation)$/.test(outer?.type ?? '')
  const receiver = isOuter ? lower(outer!, at) : null
  const firstRegion = unit.regions.length
  const args = argumentsOf(field(node, 'arguments'), at, undefined)
  const lastRegion = unit.regions.length
  const body = node.children.find(c => c.type === 'class_body')
  const methods = body ? anonymousBody(body, at) : []
  const typeName = type?.name ?? '?'
  if (typeName === 'java.io.File' && args.length > 0) return pathText(args, typeName, at)
  if (args.length === 1 && typeName === STRING.name) return { is: 'text', parts: args }
  if (BUILDERS.has(typeName)) {
    const begun: Value = { is: 'text', parts: args.filter(a => isText(a, at)) }
    scope.typed.set(begun, { name: typeName })
    return begun
  }
  const own = scope.classes.has(typeName)
  const value = addCall(unit, {
    span: spanOf(node),
    nameSpan: spanOf(typeNode ?? node),
    name: `${typeName}.new`,
    resolution: own ? 'local' : resolutionOf(typeName, scope),
    receiver,
    args,
    in: region,
    result,
  })
  handTo(unit, value, region, firstRegion, lastRegion)
  handHeld(args, value, at)
  if (type) scope.typed.set(value, type)
  const call = unit.calls.length - 1
  for (const method of methods) {
    if (RUNS_ITSELF.has(typeName)) unit.regions[method] = { ...unit.regions[method]!, call }
    else at.made.push({ region: method, call })
  }
  return value
}
