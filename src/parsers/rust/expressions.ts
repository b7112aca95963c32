// Expressions, lowered to values and calls.

import { UNKNOWN, literal, type Value } from '../../facts/facts.ts'
import { addAwait, addCall, addRegion, handTo, type Result } from '../build.ts'
import { field, type Node } from '../tree-sitter.ts'
import { branch, choose, loop } from './control.ts'
import { CHANGES, COMBINATORS, CONVERSIONS, PASSING, WRAPPING } from './library.ts'
import { macroCall, macroInvocation } from './macros.ts'
import { elementOf, givenBy, isPath, kids, lastOf, resolve, row, SHARED_FOLDER, spanOf, textOf, typeFrom, typeOf, type Body, type Resolved,
  type TypeRef } from './names.ts'
import { blockValue } from './parser.ts'

export function lower(node: Node, body: Body, region: number, result: Result = 'used'): Value {
  const { unit, scope } = body
  const one = (n: Node | undefined, as: Result = 'used') => (n ? lower(n, body, region, as) : UNKNOWN)
  const all = (nodes: readonly Node[]) => nodes.map(n => lower(n, body, region))
  switch (node.type) {
    case 'integer_literal':
    case 'float_literal':
      return numberValue(textOf(node, scope))
    case 'string_literal':
    case 'raw_string_literal':
      return literal(stringOf(node, body))
    case 'char_literal':
      return literal(textOf(node, scope).replace(/^b?'|'$/g, ''))
    case 'boolean_literal':
      return literal(textOf(node, scope) === 'true')
    case 'unit_expression':
    case 'continue_expression':
      return UNKNOWN
    case 'identifier':
    case 'scoped_identifier':
    case 'self':
    case 'crate':
    case 'metavariable':
      return nameValue(node, body)
    case 'field_expression': {
      const path = fieldPath(node, body)
      return path !== undefined ? { is: 'name', path } : { is: 'group', of: [one(field(node, 'value'))] }
    }
    case 'generic_function':
      return one(field(node, 'function'))
    case 'call_expression':
      return callValue(node, body, region, result)
    case 'macro_invocation':
      return macroInvocation(node, body, region, result)
    case 'await_expression': {
      const value = one(kids(node)[0], 'awaited')
      addAwait(body.unit, value, spanOf(node))
      return value
    }
    case 'try_expression':
      return one(kids(node)[0], result === 'returned' ? 'returned' : 'used')
    case 'parenthesized_expression':
      return one(kids(node)[0], result)
    case 'reference_expression':
    case 'type_cast_expression':
      return one(field(node, 'value'))
    case 'unary_expression': {
      const sign = scope.text[node.start]
      const inner = one(kids(node)[0])
      return sign === '*' ? inner : { is: 'op', op: sign === '!' ? 'not' : '-', of: [inner] }
    }
    case 'binary_expression':
      return binary(node, body, region)
    case 'assignment_expression':
    case 'compound_assignment_expr':
      assign(node, body, region, result === 'awaited' ? 'awaited' : 'used')
      return UNKNOWN
    case 'index_expression':
      return { is: 'op', op: '[]', of: all(kids(node)) }
    case 'tuple_expression': {
      // `([127, 0, 0, 1], 8080)` is a host and a port.
      const [host, ...rest] = kids(node)
      const address = host?.type === 'array_expression' && rest.length === 1 ? addressOf(kids(host), body) : undefined
      return { is: 'group', of: address ? [address, ...all(rest)] : all(kids(node)) }
    }
    case 'range_expression':
    case 'array_expression':
      return { is: 'group', of: all(kids(node).filter(c => c.type !== 'attribute_item')) }
    case 'struct_expression':
      return structure(node, body, region)
    case 'field_identifier':
    case 'shorthand_field_identifier':
      return { is: 'name', path: textOf(node, scope) }
    case 'if_expression':
      return branch(node, body, region, result)
    case 'match_expression':
      return choose(node, body, region, result)
    case 'loop_expression':
    case 'while_expression':
    case 'for_expression':
      return loop(node, body, region)
    case 'let_condition': {
      const value = one(field(node, 'value'))
      bind(field(node, 'pattern'), value, typeOf(value, body), node, body, region)
      return isAbsent(textOf(field(node, 'pattern'), scope)) ? { is: 'op', op: 'not', of: [value] } : value
    }
    case 'let_chain':
      return { is: 'op', op: 'and', of: all(kids(node)) }
    case 'block':
      if (scope.selects.has(node.start))
        return blockValue(node, body, addRegion(unit, { kind: 'select', in: region, span: spanOf(node) }), result)
      return blockValue(node, body, region, result)
    case 'unsafe_block':
    case 'const_block':
    case 'try_block':
      return one(kids(node).at(-1), result)
    case 'async_block':
    case 'gen_block': {
      const inside = addRegion(unit, { kind: 'closure', in: region, span: spanOf(node), async: true })
      const block = kids(node).at(-1)
      return { is: 'group', of: block ? [blockValue(block, body, inside, 'used')] : [] }
    }
    case 'closure_expression':
      return closure(node, body, region)
    case 'return_expression': {
      const value = one(kids(node)[0], 'returned')
      if (kids(node).length > 0 && !inClosure(body, region)) unit.returns.push(given(value, body))
      return UNKNOWN
    }
    case 'break_expression':
    case 'yield_expression':
      return one(kids(node).find(c => c.type !== 'label'))
    default:
      return { is: 'group', of: all(kids(node).filter(c => !/_item$|^(type_arguments|label|lifetime|token_tree)$/.test(c.type))) }
  }
}

function structure(node: Node, body: Body, region: number): Value {
  const value: Value = { is: 'group', of: kids(field(node, 'body')).map(f => fieldValue(f, body, region)) }
  if (value.of.length > 1) body.scope.built.add(value)
  return value
}

function fieldValue(node: Node, body: Body, region: number): Value {
  const value = field(node, 'value') ?? kids(node).at(-1)
  return value ? lower(value, body, region) : UNKNOWN
}

/** `let order = Order { id, made: now() }`: each field is what it was given, the rest is what it is based on. */
export function bindFields(name: string, node: Node, whole: Node, body: Body, region: number): void {
  const write = (target: string, value: Value) =>
    body.unit.writes.push({ span: spanOf(whole), target, value, in: region, declares: true, adds: false })
  const fields = kids(field(node, 'body')).filter(f => f.type !== 'attribute_item')
  const values = fields.map(f => fieldValue(f, body, region))
  write(name, values[fields.findIndex(f => f.type === 'base_field_initializer')] ?? UNKNOWN)
  fields.forEach((f, i) => {
    const part = textOf(field(f, 'field') ?? field(f, 'name') ?? kids(f)[0], body.scope)
    if (f.type !== 'base_field_initializer') write(`${name}.${part}`, values[i]!)
  })
}

/** What a function gives back: a thing of several fields says nothing of them. */
export function given(value: Value, { scope }: Body): Value {
  if (scope.built.has(value)) return UNKNOWN
  return value.is === 'group' ? { is: 'group', of: value.of.map(v => (scope.built.has(v) ? UNKNOWN : v)) } : value
}

/** A pattern that stands for nothing having come: `Err(_)`, `None`, `Poll::Pending`. */
export const isAbsent = (pattern: string): boolean => /^\s*(Err\b|None\b|(\w+::)*Pending\b)/.test(pattern)

function inClosure(body: Body, region: number): boolean {
  for (let at = region; at !== 0; at = body.unit.regions[at]!.in) if (body.unit.regions[at]!.kind === 'closure') return true
  return false
}

export function numberValue(text: string): Value {
  const plain = text.replaceAll('_', '')
  const digits = /^0[xob]/.test(plain)
    ? plain.replace(/([iu](8|16|32|64|128|size))$/, '')
    : plain.replace(/([iu](8|16|32|64|128|size)|f(32|64))$/, '')
  const n = Number(digits)
  return Number.isNaN(n) ? UNKNOWN : literal(n)
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' }

export function stringOf(node: Node, body: Body): string {
  let text = ''
  for (const child of node.children) {
    if (child.type === 'string_content') text += textOf(child, body.scope)
    else if (child.type === 'escape_sequence') {
      const escape = textOf(child, body.scope)
      const code = /^\\(?:u\{([0-9a-fA-F_]+)\}|x([0-9a-fA-F]{2}))$/.exec(escape)
      const point = code ? parseInt((code[1] ?? code[2]!).replaceAll('_', ''), 16) : NaN
      text += point <= 0x10ffff ? String.fromCodePoint(point) : /^\\\s/.test(escape) ? '' : row(ESCAPES, escape[1]!) ?? escape.slice(1)
    }
  }
  return text
}

/** A path without blanks and type arguments. */
export const pathText = (node: Node | undefined, body: Body): string =>
  textOf(node, body.scope).replace(/\s+/g, '').replace(/::<.*?>(?=::|$)/g, '').replace(/<.*>(?=::)/g, '').replace(/^::/, '')

function nameValue(node: Node, body: Body): Value {
  const path = pathText(node, body)
  if (path === 'None') return literal(null)
  if (body.types.has(path)) return { is: 'name', path }
  const { name, resolution } = resolve(path, body)
  // A local of the same name as a module is a local.
  return { is: 'name', path: resolution === 'guess' && !/^[A-Z]/.test(path) ? path : name }
}

/** `self.a.b`, `x.0`: undefined where it begins with something else than a name. */
function fieldPath(node: Node, body: Body): string | undefined {
  const parts: string[] = []
  let at: Node | undefined = node
  for (; at?.type === 'field_expression'; at = field(at, 'value')) parts.push(textOf(field(at, 'field'), body.scope))
  const wraps = (n: Node) =>
    n.type === 'parenthesized_expression' || n.type === 'reference_expression'
    || (n.type === 'unary_expression' && body.scope.text[n.start] === '*')
  while (at && wraps(at)) at = kids(at).at(-1)
  if (!at || (at.type !== 'identifier' && at.type !== 'self' && at.type !== 'scoped_identifier')) return undefined
  const root = nameValue(at, body)
  return root.is === 'name' ? [root.path, ...parts.reverse()].join('.') : undefined
}

const OPERATORS: Readonly<Record<string, string>> = { '&&': 'and', '||': 'or' }

function binary(node: Node, body: Body, region: number): Value {
  const sign = textOf(field(node, 'operator'), body.scope)
  const left = field(node, 'left'), right = field(node, 'right')
  const of = [left ? lower(left, body, region) : UNKNOWN, right ? lower(right, body, region) : UNKNOWN]
  if (sign === '+' && of.some(v => v.is === 'text' || (v.is === 'literal' && typeof v.value === 'string'))) return { is: 'text', parts: of }
  return { is: 'op', op: row(OPERATORS, sign) ?? sign, of }
}

// ---------------------------------------------------------------------------------------- writes and closures

/** Binds every name of a pattern to the value it is matched with. */
export function bind(pattern: Node | undefined, value: Value, type: TypeRef | undefined, node: Node, body: Body, region: number): void {
  if (!pattern) return
  const write = (target: string, as: Value, told: TypeRef | undefined) => {
    body.types.set(target, told)
    body.closures.delete(target)
    body.unit.writes.push({ span: spanOf(node), target, value: as, in: region, declares: true, adds: false })
  }
  const part: Value = { is: 'group', of: [value] }
  switch (pattern.type) {
    case 'identifier':
    case 'shorthand_field_identifier': {
      const name = textOf(pattern, body.scope)
      if (/^[a-z_]/.test(name) && name !== '_') write(name, value, type)
      return
    }
    case 'mut_pattern':
    case 'ref_pattern':
    case 'reference_pattern':
    case 'captured_pattern':
    case 'match_pattern':
      return kids(pattern).filter(c => c.field !== 'condition' && c.type !== 'mutable_specifier').forEach(c =>
        bind(c, value, type, node, body, region)
      )
    case 'tuple_pattern':
      return kids(pattern).forEach((c, i, parts) =>
        bind(c, value.is === 'group' && value.of.length === parts.length ? value.of[i]! : part,
          type?.name === '()' ? type.of[i] : undefined, node, body, region)
      )
    case 'tuple_struct_pattern': {
      const inner = kids(pattern).filter(c => c.field !== 'type')
      const keeps = /^(Some|Ok|Ready|Poll::Ready)$/.test(textOf(field(pattern, 'type'), body.scope))
      return inner.forEach(c => bind(c, keeps ? value : part, keeps ? type : undefined, node, body, region))
    }
    case 'field_pattern': {
      const inner = field(pattern, 'pattern') ?? field(pattern, 'name')
      return bind(inner, part, undefined, node, body, region)
    }
    case 'struct_pattern':
    case 'slice_pattern':
    case 'or_pattern':
      return kids(pattern).filter(c => c.field !== 'type').forEach(c => bind(c, part, undefined, node, body, region))
    default:
      return
  }
}

function assign(node: Node, body: Body, region: number, result: Result): void {
  const left = field(node, 'left'), right = field(node, 'right')
  if (!left || !right) return
  const value = lower(right, body, region, result)
  const adds = node.type === 'compound_assignment_expr'
  const span = spanOf(node)
  // `_ = f()` and `(a, b) = f()` take apart what they are given.
  for (const target of left.type === 'tuple_expression' ? kids(left) : [left]) {
    const path = targetOf(target, body, region)
    const part: Value = left === target ? value : { is: 'group', of: [value] }
    if (path !== undefined) body.unit.writes.push({ span, target: path, value: part, in: region, declares: false, adds })
  }
}

function targetOf(node: Node, body: Body, region: number): string | undefined {
  switch (node.type) {
    case 'unary_expression':
    case 'parenthesized_expression':
    case 'reference_expression': {
      const inner = kids(node).at(-1)
      return inner && targetOf(inner, body, region)
    }
    case 'index_expression': {
      const [of, key] = kids(node)
      if (key) lower(key, body, region)
      const path = of && targetOf(of, body, region)
      return path && `${path}[]`
    }
    case 'identifier':
    case 'scoped_identifier':
    case 'self':
    case 'field_expression': {
      const value = lower(node, body, region)
      return value.is === 'name' ? value.path : undefined
    }
    default: {
      // `*STATE.lock().unwrap() = x` writes what the static holds.
      const value = lower(node, body, region)
      return staticRoot(value, body)
    }
  }
}

/** The static that a chain of calls begins with: `LOCK.get_or_init(…).lock()`. */
export function staticRoot(value: Value | null, body: Body): string | undefined {
  let at = value
  for (let i = 0; i < 8 && at; i++) {
    if (at.is === 'name') return /^[A-Z][A-Z0-9_]*$/.test(lastOf(at.path)) ? at.path : undefined
    if (at.is !== 'call') return undefined
    at = body.unit.calls[at.call]?.receiver ?? null
  }
  return undefined
}

function closure(node: Node, body: Body, region: number): Value {
  const inside = addRegion(body.unit, { kind: 'closure', in: region, span: spanOf(node) })
  const inner = field(node, 'body')
  // Its parameters hide what has the same name outside, until it ends.
  const own: Body = { ...body, types: new Map() }
  const parameters = kids(field(node, 'parameters')).flatMap(parameter => {
    const pattern = parameter.type === 'parameter' ? field(parameter, 'pattern') : parameter
    return pattern ? declare(pattern, typeFrom(field(parameter, 'type'), body), own) : []
  })
  const hidden = parameters.map(name => ({ name, was: body.types.has(name), type: body.types.get(name) }))
  for (const name of parameters) body.types.set(name, own.types.get(name))
  const value = !inner ? undefined : inner.type === 'block' ? blockValue(inner, body, inside, 'used') : lower(inner, body, inside)
  for (const { name, was, type } of hidden) was ? body.types.set(name, type) : body.types.delete(name)
  return { is: 'group', of: value ? [value] : [] }
}

/** Names that come from outside: parameters. */
export function declare(pattern: Node, type: TypeRef | undefined, body: Body): string[] {
  if (pattern.type === 'identifier' || pattern.type === 'shorthand_field_identifier') {
    const name = textOf(pattern, body.scope)
    body.types.set(name, type)
    return [name]
  }
  if (pattern.type === 'tuple_pattern')
    return kids(pattern).flatMap((c, i) => declare(c, type?.name === '()' ? type.of[i] : undefined, body))
  const same = /^(mut|ref|reference)_pattern$/.test(pattern.type)
  return kids(pattern).filter(c => c.field !== 'type' && c.type !== 'mutable_specifier').flatMap(c =>
    declare(c, same ? type : undefined, body)
  )
}

// ---------------------------------------------------------------------------------------------------- calls

/** Text or a path made of the same text. */
const SAME_TEXT = /^(std::string::)?String::from$|^std::path::Path(Buf)?::(new|from)$|^(std::)?(str::)?from_utf8$/

function callValue(node: Node, body: Body, region: number, result: Result): Value {
  let callee = field(node, 'function')
  const generic = callee?.type === 'generic_function' ? callee : undefined
  if (generic) callee = field(generic, 'function')
  if (!callee) return UNKNOWN
  const given = kids(field(node, 'arguments')).filter(a => a.type !== 'attribute_item')
  const told = generic && kids(field(generic, 'type_arguments'))[0]
  const turbofish = generic
    ? typeFrom(told, body)
      ?? (told?.type === 'primitive_type' && /[.]\s*(sum|product)$/.test(textOf(callee, body.scope))
        ? { name: textOf(told, body.scope), of: [] }
        : undefined)
    : undefined
  if (callee.type === 'field_expression') return methodCall(node, callee, given, turbofish, body, region, result)
  if (body.scope.text[callee.end - 1] === '!') return macroCall(pathText(callee, body), given, node, body, region, result)
  if (callee.type !== 'identifier' && callee.type !== 'scoped_identifier') {
    const receiver = lower(callee, body, region)
    return record(node, callee, { name: '?.call', resolution: 'guess' }, receiver, given, undefined, body, region, result)
  }
  const path = pathText(callee, body)
  const resolved = body.types.has(path) ? { name: path, resolution: 'local' as const } : resolve(path, body, result === 'awaited')
  // `Some(x)`, `Event::Log(x)`: a variant or tuple struct around its parts.
  if (/^[A-Z]/.test(lastOf(path))) return { is: 'group', of: given.map(a => lower(a, body, region)) }
  if (WRAPPING.test(resolved.name) && given.length === 1) return lower(given[0]!, body, region)
  if (SAME_TEXT.test(resolved.name) && given.length === 1) return lower(given[0]!, body, region)
  if (resolved.name === 'std::net::Ipv4Addr::new') {
    const address = addressOf(given, body)
    if (address) return address
  }
  const value = record(node, callee.type === 'scoped_identifier' ? field(callee, 'name') ?? callee : callee, resolved, null, given,
    turbofish, body, region, result)
  // The folder that all share: a path in it is as fixed as its last part.
  return resolved.name === 'std::env::temp_dir' ? literal(SHARED_FOLDER) : value
}

/** Four numbers as they are written in an address. */
function addressOf(numbers: readonly Node[], body: Body): Value | undefined {
  const parts = numbers.map(n => (n.type === 'integer_literal' ? textOf(n, body.scope) : ''))
  return parts.length === 4 && parts.every(p => /^\d{1,3}(u8)?$/.test(p))
    ? literal(parts.map(p => p.replace('u8', '')).join('.'))
    : undefined
}

function record(
  node: Node,
  nameNode: Node,
  callee: Resolved,
  receiver: Value | null,
  given: readonly Node[],
  turbofish: TypeRef | undefined,
  body: Body,
  region: number,
  result: Result,
  receiverType?: TypeRef,
): Value {
  const { unit } = body
  const first = unit.regions.length
  const args = given.map(a => lower(a, body, region))
  const last = unit.regions.length
  const name = napOf(callee.name, receiver, args, body) ?? callee.name
  const value = addCall(unit, { span: spanOf(node), nameSpan: spanOf(nameNode), ...callee, name, receiver, args, in: region, result })
  handTo(unit, value, region, first, last)
  if (value.is === 'call') {
    // A closure that has a name is handed on by it.
    for (const arg of args) {
      const at = arg.is === 'name' ? body.closures.get(arg.path) : undefined
      if (at !== undefined && unit.regions[at]!.call === undefined) unit.regions[at] = { ...unit.regions[at]!, call: value.call }
    }
    body.made[value.call] = givenBy(callee.name, receiverType, args, turbofish, body)
  }
  return value
}

/** A limit for what never comes is a sleep: `timeout(d, pending())`, `Condvar::new().wait_for(…)`, and so is the program of that name. */
function napOf(name: string, receiver: Value | null, args: readonly Value[], { unit }: Body): string | undefined {
  const made = (value: Value | null | undefined): string => (value?.is === 'call' ? unit.calls[value.call]!.name : '')
  if (/(^|::)timeout$/.test(name) && /^(std|core|futures|futures_util|futures_lite)::future::pending$/.test(made(args[1])))
    return 'timeout of nothing'
  if (/Condvar::(wait_for|wait_timeout)$/.test(name) && /Condvar::(new|default)$/.test(made(receiver))) return 'Condvar of nobody'
  if (!/^std::process::Command::(status|output)$/.test(name) || receiver?.is !== 'call') return undefined
  const given = unit.calls[receiver.call]!
  const program = given.receiver?.is === 'call' && /::arg$/.test(given.name) ? unit.calls[given.receiver.call]! : undefined
  return program && /::new$/.test(program.name) && program.args[0]?.is === 'literal'
      && /^(\/bin\/)?sleep$/.test(String(program.args[0].value)) && given.args[0]?.is === 'literal'
    ? 'Command sleep'
    : undefined
}

const TESTS: Readonly<Record<string, (x: Value) => Value>> = {
  is_none: x => ({ is: 'op', op: '==', of: [x, literal(null)] }),
  is_some: x => ({ is: 'op', op: '!=', of: [x, literal(null)] }),
  is_empty: x => ({ is: 'op', op: '==', of: [x, { is: 'group', of: [] }] }),
  is_ok: x => x,
  is_err: x => ({ is: 'op', op: 'not', of: [x] }),
  is_pending: x => ({ is: 'op', op: 'not', of: [x] }),
  is_ready: x => x,
}

function methodCall(node: Node, callee: Node, given: readonly Node[], turbofish: TypeRef | undefined, body: Body, region: number,
  result: Result): Value
{
  const { unit, scope } = body
  const object = field(callee, 'value'), nameNode = field(callee, 'field')
  if (!object || !nameNode) return UNKNOWN
  const method = textOf(nameNode, scope)
  const inner = peel(object)
  // `(a..b).contains(&x)` is two comparisons.
  if (method === 'contains' && inner.type === 'range_expression' && given[0]) return inRange(inner, given[0], body, region)
  const receiver = lower(object, body, region)
  if (method === 'unwrap' || method === 'expect') return receiver
  if (method === 'ok' && given.length === 0) {
    if (result === 'discarded' && receiver.is === 'call')
      unit.swallows.push({ span: spanOf(node), how: '.ok()', calls: [receiver.call], text: textOf(object, scope), in: region })
    return receiver
  }
  const type = typeOf(receiver, body)
  const own = type !== undefined && body.scope.gives.has(`${type.name}::${method}`)
  const test = given.length === 0 && !own ? row(TESTS, method) : undefined
  if (test) return test(receiver)
  if (given.length === 0) {
    if (method === 'to_string')
      return receiver.is === 'literal' && typeof receiver.value === 'string'
        ? receiver
        : { is: 'text', parts: [receiver] }
    if (CONVERSIONS.has(method)) return receiver
    if (method === 'parse' && receiver.is === 'literal') return receiver
  }
  if ((method === 'contains' || method === 'contains_key') && given.length === 1 && !own)
    return { is: 'op', op: 'in', of: [lower(given[0]!, body, region), receiver] }
  if (method === 'join' && given.length === 1
    && (receiver.is === 'text' || receiver.is === 'literal' || type?.name.startsWith('std::path::Path')))
    return joinPath(receiver, lower(given[0]!, body, region))
  const value = record(node, nameNode, methodName(method, receiver, type, turbofish, body), receiver, given, turbofish, body, region,
    result, type)
  if (value.is === 'call') {
    changeStatic(method, value.call, node, body, region)
    fill(method, value.call, node, body, region)
  }
  return PASSING.has(method) ? receiver : value
}

/** A path is text with its parts in their order. */
const joinPath = (folder: Value, name: Value): Value => ({ is: 'text',
  parts: [...(folder.is === 'text' && isPath(folder) ? folder.parts : [folder]), literal('/'),
    ...(name.is === 'text' ? name.parts : [name])] })

const peel = (
  node: Node,
): Node => node.type === 'parenthesized_expression' || node.type === 'reference_expression' ? peel(kids(node).at(-1) ?? node) : node

function inRange(range: Node, given: Node, body: Body, region: number): Value {
  const signs = range.children.find(c => !c.named && c.type.startsWith('..'))
  const low = kids(range).find(c => c.end <= (signs?.start ?? range.end)),
    high = kids(range).find(c => c.start >= (signs?.end ?? range.end))
  const x = lower(given, body, region)
  const parts: Value[] = []
  if (low) parts.push({ is: 'op', op: '>=', of: [x, lower(low, body, region)] })
  if (high) parts.push({ is: 'op', op: signs?.type === '..=' ? '<=' : '<', of: [x, lower(high, body, region)] })
  return parts.length === 1 ? parts[0]! : { is: 'op', op: 'and', of: parts }
}

const COLLECTIONS = /^std::collections::(HashMap|HashSet|BTreeMap|BTreeSet)$/
const NAMELESS = /^(\(\)|\[\]|[a-z]\w*|Vec|String)$/

function methodName(method: string, receiver: Value, type: TypeRef | undefined, turbofish: TypeRef | undefined, body: Body): Resolved {
  if (/^(lock|write|read|lock_arc|blocking_lock)$/.test(method) && isTestLock(receiver, type, body))
    return { name: 'static Mutex::lock', resolution: 'type' }
  if (method === 'collect' && turbofish && COLLECTIONS.test(turbofish.name))
    return { name: `${turbofish.name}::from_iter`, resolution: 'type' }
  if (/^(sum|product)$/.test(method) && turbofish && /^([iu](\d+|size)|f\d+)$/.test(turbofish.name))
    return { name: `${turbofish.name}::${method}`, resolution: 'type' }
  if (!type || NAMELESS.test(type.name) || (COMBINATORS.has(method) && (CHANGES.has(method) ? !COLLECTIONS.test(type.name) : true)))
    return { name: `?.${method}`, resolution: 'guess' }
  const local = body.scope.own.has(type.name) || type.name === body.self
  return { name: `${type.name}::${method}`, resolution: local ? 'local' : type.guess ? 'guess' : 'type' }
}

/** What is made on first use, or shared, is asked like what it holds: `LazyLock<Mutex<()>>`. */
const held = (type: TypeRef | undefined): TypeRef | undefined =>
  type && /^(LazyLock|Lazy|OnceLock|OnceCell|Arc)$/.test(lastOf(type.name)) && type.of[0] ? held(type.of[0]) : type

/** A static that holds nothing but the turn: `static LOCK: Mutex<()>`. */
function isTestLock(receiver: Value, type: TypeRef | undefined, body: Body): boolean {
  const root = staticRoot(receiver, body)
  if (root === undefined) return false
  const told = held(type ?? body.scope.statics.get(lastOf(root)))
  if (!told) return receiver.is === 'name'
  return /(Mutex|RwLock|ReentrantMutex)$/.test(lastOf(told.name)) && (told.of.length === 0 || told.of[0] === undefined)
}

const REPLACES = /^(store|set|swap|replace|reset)$/
const ADDS =
  /^(fetch_\w+|inc|inc_by|dec|dec_by|push|push_back|push_str|insert|remove|clear|extend|append|pop|drain|retain|truncate|compare_exchange)$/

/** Statics change through their methods: `SEEN.lock().unwrap().push(x)`, `COUNT.store(0, SeqCst)`. */
function changeStatic(method: string, call: number, node: Node, body: Body, region: number): void {
  const adds = ADDS.test(method)
  if (!adds && !REPLACES.test(method)) return
  const made = body.unit.calls[call]!
  const target = staticRoot(made.receiver, body)
  if (target === undefined || /Ordering$|^Self/.test(target)) return
  body.unit.writes.push({ span: spanOf(node), target, value: made.args[0] ?? UNKNOWN, in: region, declares: false, adds })
}

const FILLS = /^(push|push_back|push_front|push_str|extend|append)$/

/** What a list of this function is given, it is made of from then on: `lines.push(line)`. */
function fill(method: string, call: number, node: Node, body: Body, region: number): void {
  if (!FILLS.test(method)) return
  const { receiver, args } = body.unit.calls[call]!
  if (receiver?.is !== 'name' || !body.types.has(receiver.path) || args.every(a => a.is === 'literal')) return
  body.unit.writes.push({ span: spanOf(node), target: receiver.path, value: { is: 'group', of: args }, in: region, declares: false,
    adds: true })
}

/** `for x in &map` asks the map for its own order. */
export function iterated(node: Node, body: Body, region: number): { value: Value; element: TypeRef | undefined; endless: boolean } {
  const value = lower(node, body, region)
  const type = typeOf(value, body)
  const method = value.is === 'call' ? lastOf(body.unit.calls[value.call]!.name.replace('?.', '')) : ''
  const endless = /^(incoming|cycle|repeat|repeat_with|from_fn)$/.test(method) || /Receiver$/.test(type?.name ?? '')
    || (method === 'iter' && value.is === 'call' && /Receiver::iter$/.test(body.unit.calls[value.call]!.name))
    || (node.type === 'range_expression' && !kids(node).some(c => c.start > (node.children.find(x => !x.named)?.start ?? 0)))
  if (type && /^std::collections::Hash(Map|Set)$/.test(type.name) && value.is === 'name') {
    const span = spanOf(node)
    const resolution = type.guess ? 'guess' : 'type'
    const made = addCall(body.unit, { span, name: `${type.name}::into_iter`, resolution, receiver: value, args: [], in: region,
      result: 'used' })
    return { value: made, element: undefined, endless }
  }
  return { value, element: elementOf(type), endless }
}
