// Expressions to values; assignments and declarations to writes.

import { UNKNOWN, literal, type Span, type Value } from '../../facts/facts.ts'
import { addAwait, addCall, type Result } from '../build.ts'
import { propertyAssertion } from './assertions.ts'
import { callValue, newValue } from './calls.ts'
import { calleeName, hoistVariables, lookup, pathOf, requiredModule, textOf, typeOfValue } from './names.ts'
import { beginClosure, type Place } from './place.ts'
import { defineClass, defineFunction, enterFunction } from './statements.ts'
import { bare, isFunction, keyOf, spanOf, type Node } from './syntax.ts'

const OPERATORS: Readonly<Record<string, string>> = { '===': '==', '!==': '!=', '&&': 'and', '||': 'or', '??': 'or', '!': 'not' }
/** Longer chains are not worth following, and everything that walks values recurses. */
const LONGEST_CHAIN = 50

export function lower(given: Node, place: Place, result: Result = 'used'): Value {
  const node = bare(given)
  const each = (nodes: readonly (Node | null)[]): Value[] => nodes.flatMap(n => (n ? [lower(n, place)] : []))
  switch (node.type) {
    case 'Literal':
      return literalValue(node)
    case 'TemplateLiteral':
      return templateValue(node, place)
    case 'Identifier':
      if (node['name'] === 'undefined') return literal(null)
      // The same in every run, wherever it is.
      if (/^__(dirname|filename)$/.test(node['name']) && !lookup(node['name'], place.env)) return literal(node['name'])
      // `const original = Date.now` keeps what was there, so as a value it is itself; as a callee it is `Date.now`.
      return { is: 'name', path: lookup(node['name'], place.env)?.is === 'alias' ? node['name'] : pathOf(node, place.env)!.path }
    case 'ThisExpression':
      return { is: 'name', path: 'this' }
    case 'MetaProperty':
      return { is: 'name', path: pathOf(node, place.env)!.path }
    case 'MemberExpression':
      return memberValue(node, place)
    case 'CallExpression':
      return callValue(node, place, result)
    case 'NewExpression':
      return newValue(node, place, result)
    case 'AwaitExpression': {
      const value = lower(node['argument'], place, 'awaited')
      addAwait(place.unit, value, spanOf(node))
      return value
    }
    case 'ImportExpression':
      return importValue(node, place)
    case 'TaggedTemplateExpression':
      return taggedValue(node, place, result)
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return closureValue(node, place)
    case 'ClassExpression':
      defineClass(node, node['id']?.name ?? 'class', place)
      return UNKNOWN
    case 'BinaryExpression':
    case 'LogicalExpression':
      return binaryValue(node, place)
    case 'UnaryExpression':
      return unaryValue(node, place)
    case 'UpdateExpression': {
      const target = targetOf(node['argument'], place)
      place.unit.writes.push({ span: spanOf(node), target, value: literal(1), in: place.region, declares: false, adds: true })
      return { is: 'group', of: [{ is: 'name', path: target }] }
    }
    case 'AssignmentExpression':
      return assign(node, place)
    case 'ConditionalExpression': {
      const test = lower(node['test'], place)
      const branch = (side: Node) => lower(side, place, result === 'discarded' ? result : 'used')
      return { is: 'op', op: '?', of: [test, branch(node['consequent']), branch(node['alternate'])] }
    }
    case 'SequenceExpression':
      return each(node['expressions']).at(-1) ?? UNKNOWN
    case 'ArrayExpression':
      return { is: 'group', of: each(node['elements']) }
    case 'ObjectExpression':
      return { is: 'group', of: objectParts(node, place).values }
    case 'SpreadElement':
    case 'JSXSpreadAttribute':
    case 'JSXSpreadChild':
      return { is: 'group', of: [lower(node['argument'] ?? node['expression'], place)] }
    case 'YieldExpression':
      if (node['argument']) place.returns.push(lower(node['argument'], place))
      return UNKNOWN
    case 'JSXElement':
      return { is: 'group', of: [...each(node['openingElement'].attributes), ...each(node['children'])] }
    case 'JSXFragment':
      return { is: 'group', of: each(node['children']) }
    case 'JSXAttribute':
      return node['value'] ? lower(node['value'], place) : UNKNOWN
    case 'JSXExpressionContainer':
      return node['expression'].type === 'JSXEmptyExpression' ? UNKNOWN : lower(node['expression'], place)
    case 'JSXText':
      return literal(node['value'])
    default:
      return UNKNOWN
  }
}

function literalValue(node: Node): Value {
  const { value } = node as { value?: unknown } & Node
  if (node['regex']) return literal(node['regex'].pattern)
  if (node['bigint'] !== undefined || typeof value === 'bigint') return literal(Number(node['bigint'] ?? value))
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? literal(value) : UNKNOWN
}

function templateValue(node: Node, place: Place): Value {
  const parts: Value[] = []
  const expressions: Node[] = node['expressions']
  ;(node['quasis'] as Node[]).forEach((quasi, i) => {
    const text = quasi['value'].cooked ?? quasi['value'].raw
    if (text !== '') parts.push(literal(text))
    const expression = expressions[i]
    if (expression) parts.push(lower(expression, place))
  })
  if (parts.length === 0) return literal('')
  return expressions.length === 0 ? parts[0]! : { is: 'text', parts }
}

function memberValue(node: Node, place: Place): Value {
  const asserted = propertyAssertion(node, place)
  if (asserted) return asserted
  const path = pathOf(node, place.env)
  if (path) return { is: 'name', path: path.path }
  const object = lower(node['object'], place)
  if (keyOf(node) === undefined) return { is: 'op', op: '[]', of: [object, lower(node['property'], place)] }
  return object.is === 'name' ? { is: 'name', path: `${object.path}.${keyOf(node)}` } : { is: 'group', of: [object] }
}

function importValue(node: Node, place: Place): Value {
  const module = requiredModule(node, place.env)
  if (module === undefined) return { is: 'group', of: [lower(node['source'], place)] }
  place.file.imports.push({ span: spanOf(node), local: '', name: module })
  return { is: 'name', path: module }
}

/** A tag is called with the text: gql`…`, sql`…`. */
function taggedValue(node: Node, place: Place, result: Result): Value {
  const tag = bare(node['tag'])
  const text = templateValue(node['quasi'], place)
  const named = calleeName(tag, null, place.unit, place.env, place.file)
  return addCall(place.unit, { span: spanOf(node), nameSpan: spanOf(tag), ...named, args: [text], in: place.region, result })
}

/** What an anonymous function is given is written to its first parameter, where the caller knows it. */
export function closureValue(fn: Node, place: Place, known: { given?: Value; settles?: readonly ('resolve' | 'reject')[] } = {}): Value {
  const within = beginClosure(place, fn)
  const [first] = fn['params'] as Node[]
  known.settles?.forEach((settles, i) => {
    const parameter = fn['params'][i]
    if (parameter?.type === 'Identifier') within.env.names.set(parameter.name, { is: 'parameter', settles })
  })
  if (known.given && first && first.type !== 'RestElement')
    assignTo(first, { is: 'group', of: [known.given] }, spanOf(first), within, { declares: true, adds: false })
  enterFunction(fn, within)
  return within.returns.length > 0 ? { is: 'group', of: within.returns } : UNKNOWN
}

/** The values of an object literal, and by name. Its functions are closures when it is passed inline, units when it is kept. */
export function objectParts(node: Node, place: Place, kept = false): { values: Value[]; named: Record<string, Value> } {
  const values: Value[] = []
  const named: Record<string, Value> = {}
  for (const property of node['properties'] as Node[]) {
    if (property.type === 'SpreadElement') {
      values.push(lower(property, place))
      continue
    }
    const key = keyOf(property)
    const held = bare(property['value'])
    if (property['computed'] && key === undefined) values.push(lower(property['key'], place))
    if (kept && isFunction(held)) {
      defineFunction(held, key ?? 'computed', property['key'], place)
      continue
    }
    const inner = held.type === 'ObjectExpression' ? objectParts(held, place, kept) : undefined
    const value: Value = inner ? { is: 'group', of: inner.values } : lower(held, place)
    values.push(value)
    if (key === undefined || key === '__proto__') continue
    named[key] = value
    // What is set further in has a name too: `{ socket: { connectTimeout: 50 } }`.
    for (const [name, set] of Object.entries(inner?.named ?? {}))
      if (set.is === 'literal' && typeof set.value === 'number') named[`${key}.${name}`] = set
  }
  return { values, named }
}

// ------------------------------------------------------------------------------------------------ operators

const isText = (value: Value): boolean => value.is === 'text' || (value.is === 'literal' && typeof value.value === 'string')

/** `a + b + c` is a list here: left-deep trees of thousands must not grow the stack. */
function binaryValue(node: Node, place: Place): Value {
  const operator: string = node['operator']
  const rights: Node[] = []
  let at: Node = node
  while ((at.type === 'BinaryExpression' || at.type === 'LogicalExpression') && at['operator'] === operator) {
    rights.push(at['right'])
    at = bare(at['left'])
  }
  const values = [at.type === 'PrivateIdentifier' ? UNKNOWN : lower(at, place), ...rights.reverse().map(r => lower(r, place))]
  if (operator === '+' && values.some(isText)) return { is: 'text', parts: values.flatMap(v => (v.is === 'text' ? v.parts : [v])) }
  if (values.length > LONGEST_CHAIN) return { is: 'group', of: values }
  const op = OPERATORS[operator] ?? operator
  if (op === 'and' || op === 'or') return { is: 'op', op, of: values }
  return values.slice(1).reduce((left, right): Value => ({ is: 'op', op, of: [left, right] }), values[0]!)
}

function unaryValue(node: Node, place: Place): Value {
  const { operator } = node as unknown as { operator: string }
  if (operator === 'delete') {
    place.unit.writes.push({ span: spanOf(node), target: targetOf(node['argument'], place), value: UNKNOWN, in: place.region,
      declares: false, adds: false })
    return UNKNOWN
  }
  const inner = lower(node['argument'], place)
  if (operator === 'void') return literal(null)
  // What kind of thing it is says nothing of its value.
  if (operator === 'typeof') return UNKNOWN
  if (operator === '-' && inner.is === 'literal' && typeof inner.value === 'number') return literal(-inner.value)
  return { is: 'op', op: OPERATORS[operator] ?? operator, of: [inner] }
}

// ------------------------------------------------------------------------------------------------- writing

interface How {
  readonly declares: boolean
  readonly adds: boolean
}

export function declareVariables(node: Node, place: Place): void {
  for (const declarator of node['declarations'] as Node[]) {
    const { id, init } = declarator
    const span = spanOf(declarator)
    if (!init) continue
    if (!lookup(id.name ?? '', place.env) && id.type === 'Identifier')
      hoistVariables({ ...node, declarations: [{ id, init }] } as Node, place.env, place.file)
    const made = bare(init)
    if (id.type === 'Identifier' && isFunction(made)) {
      defineFunction(made, id.name, id, place)
      continue
    }
    if (id.type === 'Identifier' && made.type === 'ClassExpression') {
      defineClass(made, id.name, place)
      continue
    }
    if (requiredModule(made, place.env) !== undefined
      || (made.type === 'MemberExpression' && requiredModule(made['object'], place.env) !== undefined)) continue
    const value = made.type === 'ObjectExpression' ? keptObject(made, place) : unawaited(made, lower(made, place), place)
    const how = { declares: place.unit.role.is !== 'module', adds: false }
    assignTo(id, value, span, place, how)
    if (made.type === 'ObjectExpression' && id.type === 'Identifier') constantsIn(made, id.name, place, how)
  }
}

/** `const closed = once(socket, 'close')` begins to wait; only its `await`, further down, has waited. */
function unawaited(node: Node, value: Value, place: Place): Value {
  const call = value.is === 'call' && node.type === 'CallExpression' ? place.unit.calls[value.call] : undefined
  if (call && value.is === 'call' && /^(events\.once|Promise\.all(Settled)?|stream\/promises\.\w+)$/.test(call.name))
    place.unit.calls[value.call] = { ...call, name: `${call.name}(later)` }
  return value
}

/** `const TTL = { short: 100 }`: a number in a constant's object is a constant too. */
function constantsIn(object: Node, path: string, place: Place, how: How): void {
  if (object['properties'].length > 40) return
  for (const property of object['properties'] as Node[]) {
    const key = property.type === 'Property' ? keyOf(property) : undefined
    if (key === undefined) continue
    const held = bare(property['value'])
    if (held.type === 'ObjectExpression') constantsIn(held, `${path}.${key}`, place, how)
    else if (isArithmetic(held))
      place.unit.writes.push({ span: spanOf(property), target: `${path}.${key}`, value: lower(held, place), in: place.region, ...how })
  }
}

function isArithmetic(node: Node): boolean {
  const at = bare(node)
  return at.type === 'BinaryExpression'
    ? isArithmetic(at['left']) && isArithmetic(at['right'])
    : at.type === 'Literal' && typeof at['value'] === 'number'
}

const keptObject = (node: Node, place: Place): Value => ({ is: 'group', of: objectParts(node, place, true).values })

function assign(node: Node, place: Place): Value {
  const left: Node = node['left'], right = bare(node['right'])
  const adds = node['operator'] !== '='
  if (left.type === 'MemberExpression' && keyOf(left) === undefined) lower(left['property'], place)
  if (isFunction(right)) {
    const target = targetOf(left, place)
    defineFunction(right, target.slice(target.lastIndexOf('.') + 1), left, place)
    place.unit.writes.push({ span: spanOf(node), target, value: UNKNOWN, in: place.region, declares: false, adds })
    return { is: 'name', path: target }
  }
  const value = right.type === 'ObjectExpression' ? keptObject(right, place) : unawaited(right, lower(right, place), place)
  const built: Value = node['operator'] === '+=' && isText(value) ? { is: 'text', parts: [value] } : value
  assignTo(left, built, spanOf(node), place, { declares: false, adds })
  return value
}

export function assignTo(pattern: Node, value: Value, span: Span, place: Place, how: How): void {
  switch (pattern.type) {
    case 'AssignmentPattern':
      return assignTo(pattern['left'], { is: 'group', of: [value, lower(pattern['right'], place)] }, span, place, how)
    case 'RestElement':
      return assignTo(pattern['argument'], { is: 'group', of: [value] }, span, place, how)
    case 'ArrayPattern': {
      const parts = partsOf(value, place)
      return (pattern['elements'] as (Node | null)[]).forEach((element, i) =>
        element && assignTo(element, parts?.[i] ?? { is: 'group', of: [value] }, span, place, how)
      )
    }
    case 'ObjectPattern': {
      const type = typeOfValue(value, place.unit, place.env)
      for (const property of pattern['properties'] as Node[]) {
        const key = property.type === 'Property' ? keyOf(property) : undefined
        const target: Node = property.type === 'Property' ? property['value'] : property
        const part: Value = value.is === 'name' && key !== undefined
          ? { is: 'name', path: `${value.path}.${key}` }
          : { is: 'group', of: [value] }
        assignTo(target, part, span, place, how)
        // `const { strictEqual } = tspl(t)`: a method taken off a typed thing is still that method.
        if (type === 't' && key !== undefined && target.type === 'Identifier')
          place.env.names.set(target['name'], { is: 'alias', path: `t.${key}`, by: 'type' })
      }
      return
    }
    default: {
      const target = targetOf(pattern, place)
      place.unit.writes.push({ span, target, value, in: place.region, ...how })
      typeTarget(pattern, target, value, place)
    }
  }
}

/** `const [a, b] = [x, y]` and `await Promise.all([x, y])` pair up. */
function partsOf(value: Value, place: Place): readonly Value[] | undefined {
  if (value.is === 'group') return value.of.length > 1 ? value.of : undefined
  const call = value.is === 'call' ? place.unit.calls[value.call] : undefined
  const all = call && /^Promise\.(all|allSettled)$/.test(call.name) ? call.args[0] : undefined
  return all?.is === 'group' ? all.of : undefined
}

function typeTarget(pattern: Node, target: string, value: Value, place: Place): void {
  const inner = value.is === 'group' && value.of.length === 1 ? value.of[0]! : value
  const type = typeOfValue(inner, place.unit, place.env)
  if (type === undefined) return
  const binding = pattern.type === 'Identifier' ? lookup(pattern['name'], place.env) : undefined
  if (binding && binding.path === undefined) binding.type = type
  if (pattern.type === 'MemberExpression') place.file.fields.set(target, type)
}

/** `process.env[name]` is the target `process.env[]`: which key rarely matters, that it is the environment does. */
export function targetOf(node: Node, place: Place): string {
  const at = bare(node)
  if (at.type === 'Identifier' && lookup(at['name'], place.env)?.is === 'alias') return at['name']
  const path = pathOf(at, place.env)
  if (path) return path.path
  if (at.type === 'MemberExpression')
    return keyOf(at) === undefined
      ? `${targetOf(at['object'], place)}[]`
      : `${targetOf(at['object'], place)}.${keyOf(at)}`
  return textOf(at, place.file)
}
