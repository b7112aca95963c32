// Expressions: calls with their names found out, and values as far as they are followed.

import { UNKNOWN, literal, type Resolution, type Value } from '../../facts/facts.ts'
import { addCall, addRegion, handTo, type Result } from '../build.ts'
import { field, fieldsOf, named, type Node } from '../tree-sitter.ts'
import { assertCall } from './assertions.ts'
import { SKIPS, SUITE_IMPORT, TESTERS, TESTER_NAMES, TESTIFY_ASSERTS } from './frameworks.ts'
import { dotImport, lookup, readParameters, spanOf, textOf, typeName, type Env, type Place } from './scope.ts'
import { block } from './statements.ts'
import { typeOf, typeOfPath } from './types.ts'
import { defineByCall } from './units.ts'
import { table } from '../table.ts'

const CONVERSIONS = new Set(['string', 'int', 'int8', 'int16', 'int32', 'int64', 'uint', 'uint8', 'uint16', 'uint32', 'uint64', 'uintptr',
  'float32', 'float64', 'byte', 'rune', 'any', 'complex64', 'complex128'])
const BUILTINS = new Set(['append', 'cap', 'clear', 'close', 'complex', 'copy', 'delete', 'imag', 'len', 'make', 'max', 'min', 'new',
  'panic', 'print', 'println', 'real', 'recover'])
const OPERATORS: Readonly<Record<string, string>> = { '&&': 'and', '||': 'or', '!': 'not' }

export function lower(node: Node, at: Place, result: Result = 'used'): Value {
  switch (node.type) {
    case 'int_literal':
    case 'float_literal':
      return numberValue(textOf(node, at.scope))
    case 'interpreted_string_literal':
    case 'raw_string_literal':
      return literal(stringOf(node, at))
    case 'rune_literal':
      return literal(textOf(node, at.scope).slice(1, -1))
    case 'true':
    case 'false':
      return literal(node.type === 'true')
    case 'nil':
      return literal(null)
    case 'identifier':
    case 'package_identifier':
    case 'field_identifier': {
      const name = textOf(node, at.scope)
      const path = lookup(at.env, name) === undefined ? dotImport(name, at.scope) : undefined
      return { is: 'name', path: path ? `${path}.${name}` : name }
    }
    case 'selector_expression':
      return selector(node, at)
    case 'call_expression':
      return callValue(node, at, result)
    case 'parenthesized_expression': {
      const inner = named(node)[0]
      return inner ? lower(inner, at, result) : UNKNOWN
    }
    case 'unary_expression':
      return unary(node, at, result)
    case 'binary_expression':
      return binary(node, at)
    case 'index_expression':
      return { is: 'op', op: '[]', of: named(node).map(n => lower(n, at)) }
    case 'type_assertion_expression': {
      const operand = field(node, 'operand')
      return operand ? { is: 'group', of: [lower(operand, at)] } : UNKNOWN
    }
    case 'type_conversion_expression':
      return conversion(node, at, result)
    case 'composite_literal':
      return composite(node, at)
    case 'literal_value':
      return elided(node, undefined, at)
    case 'func_literal':
      return closure(node, at)
    case 'variadic_argument':
    case 'literal_element': {
      const inner = named(node)[0]
      return inner ? lower(inner, at) : UNKNOWN
    }
    case 'slice_expression':
    case 'expression_list':
      return { is: 'group', of: named(node).map(n => lower(n, at)) }
    default:
      // Types, iota and whatever the grammar could not read.
      return node.type === 'ERROR' ? { is: 'group', of: named(node).map(n => lower(n, at)) } : UNKNOWN
  }
}

function numberValue(text: string): Value {
  const plain = text.replaceAll('_', '')
  const n = Number(/^0[0-7]+$/.test(plain) ? `0o${plain.slice(1)}` : plain)
  return Number.isNaN(n) ? UNKNOWN : literal(n)
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }

export function stringOf(node: Node, at: Place): string {
  const inner = textOf(node, at.scope).slice(1, -1)
  if (node.type === 'raw_string_literal' || !inner.includes('\\')) return inner
  return inner.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|(.))/gs,
    (_, byte: string, rune: string, sign: string) =>
      sign === undefined ? String.fromCharCode(parseInt(byte ?? rune, 16)) : ESCAPES[sign] ?? sign)
}

const isString = (value: Value): boolean => value.is === 'text' || (value.is === 'literal' && typeof value.value === 'string')

/** A chain leans to the left and can be very long, so it is walked, not climbed. */
function binary(node: Node, at: Place): Value {
  const chain: Node[] = []
  let first = node
  while (first.type === 'binary_expression' && field(first, 'left')) {
    chain.push(first)
    first = field(first, 'left')!
  }
  let value = lower(first, at)
  for (const part of chain.reverse()) {
    const sign = textOf(field(part, 'operator'), at.scope)
    const right = field(part, 'right')
    const other = right ? lower(right, at) : UNKNOWN
    if (sign === '+' && (isString(value) || isString(other)))
      value = { is: 'text', parts: value.is === 'text' ? append(value.parts, other) : [value, other] }
    else value = { is: 'op', op: OPERATORS[sign] ?? sign, of: [value, other] }
  }
  return value
}

/** In place: the parts were made here, and copying them for each sign of a long chain would be quadratic. */
function append(parts: readonly Value[], value: Value): readonly Value[] {
  ;(parts as Value[]).push(value)
  return parts
}

function unary(node: Node, at: Place, result: Result): Value {
  const operand = field(node, 'operand')
  const sign = textOf(field(node, 'operator'), at.scope)
  if (!operand) return UNKNOWN
  if (sign === '<-') return receive(node, operand, at, result)
  const value = lower(operand, at, result)
  return sign === '&' || sign === '*' ? value : { is: 'op', op: OPERATORS[sign] ?? sign, of: [value] }
}

function selector(node: Node, at: Place): Value {
  const path = pathOf(node, at)
  if (path !== undefined) return { is: 'name', path }
  const operand = field(node, 'operand')
  return { is: 'group', of: operand ? [lower(operand, at)] : [] }
}

/** A dotted path, its first name followed through the imports unless a variable hides them. */
export function pathOf(node: Node | undefined, at: Place): string | undefined {
  if (node?.type === 'identifier') {
    const name = textOf(node, at.scope)
    if (lookup(at.env, name) !== undefined) return name
    const dot = dotImport(name, at.scope)
    return dot ? `${dot}.${name}` : at.scope.names.get(name) ?? name
  }
  if (node?.type === 'parenthesized_expression' || (node?.type === 'unary_expression' && /^[&*]/.test(textOf(node, at.scope))))
    return pathOf(named(node)[0], at)
  if (node?.type !== 'selector_expression') return undefined
  const operand = pathOf(field(node, 'operand'), at)
  return operand === undefined ? undefined : `${operand}.${textOf(field(node, 'field'), at.scope)}`
}

/** `[]byte(x)`, and `f[int](x)`, which the grammar takes for a conversion too. */
function conversion(node: Node, at: Place, result: Result): Value {
  const operand = field(node, 'operand')
  const type = field(node, 'type')
  const base = type?.type === 'generic_type' ? field(type, 'type') : undefined
  const args = operand ? [lower(operand, at)] : []
  if (!base) return { is: 'group', of: args }
  const name = typeName(base, at.scope)
  const value = addCall(at.unit, { span: spanOf(node), nameSpan: spanOf(base), name,
    resolution: name.includes('.') ? 'import' : at.scope.functions.has(name) ? 'local' : 'guess', args, in: at.region, result })
  if (value.is === 'call') assertCall(value.call, node, at)
  return value
}

// -------------------------------------------------------------------------------------------------- literals

/** `http.Server{Addr: ":80"}` is a call named `net/http.Server{}`, so that the catalog can speak of its fields. */
function composite(node: Node, at: Place): Value {
  const type = field(node, 'type'), body = field(node, 'body')
  const firstRegion = at.unit.regions.length
  const { args, named: keyed } = body ? elements(body, at, elementTypeOf(type)) : { args: [], named: {} }
  if (type?.type === 'struct_type')
    return addCall(at.unit, { span: spanOf(node), nameSpan: spanOf(type), name: 'struct{}', resolution: 'global',
      ...byField(args, keyed, type, at), in: at.region, result: 'used' })
  if (type?.type !== 'type_identifier' && type?.type !== 'qualified_type' && type?.type !== 'generic_type')
    return { is: 'group', of: partsOf({ args, named: keyed }) }
  const name = typeName(type, at.scope)
  const value = addCall(at.unit, { span: spanOf(node), nameSpan: spanOf(type), name: `${name}{}`, resolution: typeResolution(type, at),
    args, named: keyed, in: at.region, result: 'used' })
  handTo(at.unit, value, at.region, firstRegion, at.unit.regions.length)
  return value
}

function typeResolution(type: Node, { scope }: Place): Resolution {
  const base = type.type === 'generic_type' ? field(type, 'type') ?? type : type
  const name = textOf(field(base, 'package') ?? base, scope)
  if (base.type === 'qualified_type') return scope.names.has(name) ? 'import' : 'guess'
  return scope.own.has(name) ? 'local' : dotImport(name, scope) ? 'import' : 'guess'
}

const partsOf = (of: { args: Value[]; named: Record<string, Value> }): Value[] => [...of.args, ...Object.values(of.named)]

/** What the elements of a slice, an array or a map literal are, where they may leave their type out. */
function elementTypeOf(type: Node | undefined): Node | undefined {
  const element = type && (field(type, 'element') ?? (type.type === 'map_type' ? field(type, 'value') : undefined))
  return element?.type === 'pointer_type' ? named(element)[0] : element
}

/** `{Port: 80}` in a `[]Options{…}` is an `Options{}`, and a row of a table is a struct: its fields are not the whole. */
function elided(node: Node, type: Node | undefined, at: Place): Value {
  const { args, named: keyed } = elements(node, at, elementTypeOf(type))
  const own = type?.type === 'type_identifier' || type?.type === 'qualified_type' || type?.type === 'generic_type'
  if (!own && type?.type !== 'struct_type') return { is: 'group', of: partsOf({ args, named: keyed }) }
  const name = own ? `${typeName(type, at.scope)}{}` : 'struct{}'
  return addCall(at.unit, { span: spanOf(node), name, resolution: own ? typeResolution(type, at) : 'global',
    ...byField(args, keyed, type, at), in: at.region, result: 'used' })
}

/** A row that gives its fields by their places is told by their names, as one that names them is. */
function byField(args: Value[], keyed: Record<string, Value>, type: Node | undefined,
  { scope }: Place): { args: Value[]; named: Record<string, Value> }
{
  const list = type?.type === 'struct_type' ? named(type).find(n => n.type === 'field_declaration_list') : undefined
  const declared = list ? named(list).filter(n => n.type === 'field_declaration').map(d => fieldsOf(d, 'name').filter(n => n.named)) : []
  const names = declared.flat().map(n => textOf(n, scope))
  if (Object.keys(keyed).length > 0 || names.length !== args.length || declared.some(d => d.length === 0)
    || new Set(names).size < names.length) return { args, named: keyed }
  return { args: [], named: Object.fromEntries(names.map((name, i) => [name, args[i]!])) }
}

function elements(body: Node, at: Place, type?: Node): { args: Value[]; named: Record<string, Value> } {
  const args: Value[] = []
  const keyed: Record<string, Value> = {}
  for (const element of named(body)) {
    const key = element.type === 'keyed_element' ? field(element, 'key') : undefined
    const value = element.type === 'keyed_element' ? field(element, 'value') : element
    const keyName = key && named(key)[0]
    if (key && keyName?.type !== 'identifier') args.push(lower(key, at))
    const inner = value?.type === 'literal_element' ? named(value)[0] : value
    const lowered = inner?.type === 'literal_value' ? elided(inner, type, at) : value ? lower(value, at) : UNKNOWN
    // A key that repeats or that hides a property of every object is rare enough to lose its name.
    const name = keyName?.type === 'identifier' ? textOf(keyName, at.scope) : ''
    if (name === '' || name in keyed) args.push(lowered)
    else keyed[name] = lowered
  }
  return { args, named: keyed }
}

/** A function literal is a region of the unit around it; its value is what it returns. */
export function closure(node: Node, at: Place, given: readonly Value[] = []): Value {
  const region = addRegion(at.unit, { kind: 'closure', in: at.region, span: spanOf(node) })
  const returns: Value[] = []
  body(node, { ...at, region, returns }, given)
  return { is: 'group', of: returns }
}

/** The body of a function literal, read where it stands. */
export function body(node: Node, at: Place, given: readonly Value[] = []): void {
  const env: Env = { types: new Map(), outer: at.env }
  const parameters = field(node, 'parameters')
  const names = readParameters(parameters, env.types, at.scope)
  // A unit of its own has them among its parameters.
  if (parameters && (at.region !== 0 || given.length > 0))
    names.forEach((target, i) =>
      at.unit.writes.push({ span: spanOf(parameters), target, value: given[i] ?? UNKNOWN, in: at.region, declares: true, adds: false })
    )
  block(field(node, 'body'), { ...at, env })
}

// -------------------------------------------------------------------------------------------------- receives

const TIMERS = /^time\.(After|Tick|NewTimer|NewTicker)$/

/** The timer behind a channel: `time.After(d)`, `time.NewTimer(d).C`, `timer.C`. Undefined where it is none. */
export function timerOf(channel: Node, at: Place): { readonly name: string; readonly duration: Value | undefined } | undefined {
  if (channel.type === 'parenthesized_expression') return named(channel)[0] && timerOf(named(channel)[0]!, at)
  const field_ = channel.type === 'selector_expression' ? field(channel, 'field') : undefined
  const maker = field_ ? (textOf(field_, at.scope) === 'C' ? field(channel, 'operand') : undefined) : channel
  if (maker?.type === 'call_expression') {
    const name = pathOf(field(maker, 'function'), at) ?? ''
    if (!TIMERS.test(name)) return undefined
    const duration = named(field(maker, 'arguments') ?? maker)[0]
    return { name, duration: duration && lower(duration, at) }
  }
  const path = field_ ? pathOf(maker, at) : channel.type === 'identifier' ? textOf(channel, at.scope) : undefined
  if (path === undefined) return undefined
  const type = typeOfPath(path, at)
  if (field_ ? type !== 'time.Timer' && type !== 'time.Ticker' : type !== 'chan time.Time') return undefined
  const made = at.unit.writes.findLast(w => w.target === path)?.value
  const call = made?.is === 'call' ? at.unit.calls[made.call] : undefined
  return { name: call && TIMERS.test(call.name) ? call.name : `${type}.C`, duration: call?.args[0] }
}

function receive(node: Node, channel: Node, at: Place, result: Result): Value {
  const timer = timerOf(channel, at)
  const at_ = { span: spanOf(node), resolution: 'global', in: at.region, result } as const
  if (timer)
    return addCall(at.unit, { ...at_, name: `<-${timer.name}`, resolution: 'import', args: timer.duration ? [timer.duration] : [] })
  return addCall(at.unit, { ...at_, name: '<-', args: [lower(channel, at)] })
}

// ----------------------------------------------------------------------------------------------------- calls

interface Callee {
  readonly name: string
  readonly resolution: Resolution
  readonly receiver: Value | null
  readonly at: Node
}

const unwrap = (node: Node | undefined): Node | undefined => {
  let at = node
  while (at && (at.type === 'parenthesized_expression' || at.type === 'type_instantiation_expression' || at.type === 'index_expression')) {
    if (at.type === 'index_expression' && field(at, 'operand')?.type === 'call_expression') return at
    at = named(at)[0]
  }
  return at
}

function callValue(node: Node, at: Place, result: Result): Value {
  const callee = unwrap(field(node, 'function'))
  if (!callee) return UNKNOWN
  const list = field(node, 'arguments')
  const given = list ? named(list) : []
  // func() { … }() runs right here.
  if (callee.type === 'func_literal') {
    const returns: Value[] = []
    body(callee, { ...at, returns }, given.map(a => lower(a, at)))
    return { is: 'group', of: returns }
  }
  if (callee.type === 'identifier' && CONVERSIONS.has(textOf(callee, at.scope)) && lookup(at.env, textOf(callee, at.scope)) === undefined)
    return { is: 'group', of: given.map(a => lower(a, at)) }
  const structure = defineByCall(node, callee, given, at, result)
  if (structure) return structure
  const { name, resolution, receiver, at: nameNode } = calleeOf(callee, at)
  const firstRegion = at.unit.regions.length
  const args = given.map(a => lower(a, at))
  const lastRegion = at.unit.regions.length
  const text = textBuilt(name, args)
  if (text) return text
  const value = addCall(at.unit, { span: spanOf(node), nameSpan: spanOf(nameNode), name, resolution, receiver, args, in: at.region,
    result })
  handTo(at.unit, value, at.region, firstRegion, lastRegion)
  if ((resolution === 'local' || resolution === 'guess') && !/wait|retry|eventually|poll|until/i.test(name))
    given.forEach(a => runHere(a, firstRegion, lastRegion, at))
  if (value.is !== 'call') return value
  // The same for every test on the machine.
  if (name === 'os.TempDir') return literal('/tmp')
  assertCall(value.call, node, at)
  mark(name, node, receiver, given, at)
  return receiver && args.length === 1 ? timeArithmetic(name, receiver, args[0]!) ?? value : value
}

/** `forEachStore(t, func(t *testing.T, s Store) {…})`: whoever is given a test's body runs it, and the test waits for it. */
function runHere(argument: Node, from: number, to: number, at: Place): void {
  const types = new Map<string, string>()
  const first = argument.type === 'func_literal' ? readParameters(field(argument, 'parameters'), types, at.scope)[0] : undefined
  if (first === undefined || types.get(first) !== 'testing.T') return
  const region = at.unit.regions.findIndex((r, i) => i >= from && i < to && r.kind === 'closure' && r.span.start === argument.start)
  if (region < 0) return
  const { call: _, ...alone } = at.unit.regions[region]!
  at.unit.regions[region] = alone
}

function calleeOf(callee: Node, at: Place): Callee {
  const { scope, env } = at
  if (callee.type === 'identifier') {
    const name = textOf(callee, scope)
    const base = { receiver: null, at: callee }
    const type = lookup(env, name)
    if (type !== undefined) return { ...base, name, resolution: type === 'func' ? 'local' : 'guess' }
    if (scope.functions.has(name)) return { ...base, name, resolution: 'local' }
    if (BUILTINS.has(name)) return { ...base, name, resolution: 'global' }
    const path = dotImport(name, scope)
    return path ? { ...base, name: `${path}.${name}`, resolution: 'import' } : { ...base, name, resolution: 'guess' }
  }
  if (callee.type !== 'selector_expression') return { name: '?', resolution: 'guess', receiver: lower(callee, at), at: callee }
  const operand = field(callee, 'operand')!, member = field(callee, 'field') ?? callee
  const method = textOf(member, scope)
  if (operand.type === 'identifier') {
    const local = textOf(operand, scope)
    const path = lookup(env, local) === undefined ? scope.names.get(local) : undefined
    if (path !== undefined) return { name: `${path}.${method}`, resolution: 'import', receiver: null, at: member }
  }
  const receiver = lower(operand, at)
  return { ...methodName(typeOf(operand, receiver, at), method, at), receiver, at: member }
}

const SUITE_METHODS = new Set(['T', 'Require', 'Assert', 'Run', 'SetT', ...Object.keys(TESTIFY_ASSERTS)])

function methodName(type: string, method: string, { scope }: Place): { name: string; resolution: Resolution } {
  if (type === '' || type === 'func' || /^(\[\]|map\[\]|chan )/.test(type)) return { name: `?.${method}`, resolution: 'guess' }
  if (scope.functions.has(`${type}.${method}`)) return { name: `${type}.${method}`, resolution: 'local' }
  if (scope.suites.has(type) && SUITE_METHODS.has(method.replace(/f$/, '')))
    return { name: `${SUITE_IMPORT}.Suite.${method}`, resolution: 'type' }
  return { name: `${type}.${method}`, resolution: 'type' }
}

const TEXTS = new Set(['fmt.Sprintf', 'fmt.Sprint', 'fmt.Sprintln', 'strconv.Itoa', 'strconv.FormatInt', 'strconv.FormatUint',
  'strconv.Quote', 'strings.ToLower', 'strings.ToUpper', 'strings.TrimSpace', 'strings.ReplaceAll', 'strings.Replace'])

/** Functions whose result is a string made of their arguments. */
function textBuilt(name: string, args: readonly Value[]): Value | undefined {
  // `fmt.Sprintf("localhost:%d", 4051)` is the text that it gives.
  if (name === 'fmt.Sprintf' && args.length > 1 && args.every(a => a.is === 'literal')) {
    const [format, ...given] = args.map(a => (a.is === 'literal' ? String(a.value) : ''))
    if (format!.split(/%[dsv]/).length === given.length + 1 && !/%[^dsv]/.test(format!))
      return literal(format!.replace(/%[dsv]/g, () => given.shift()!))
  }
  if (TEXTS.has(name)) return { is: 'text', parts: args }
  if (name === 'strings.Join') return { is: 'text', parts: args.slice(0, 1) }
  if (name === 'path.Join' || name === 'path/filepath.Join')
    return { is: 'text', parts: args.flatMap((arg, i) => (i === 0 ? [arg] : [literal('/'), arg])) }
  return undefined
}

const TIME_OPERATORS: Readonly<Record<string, string>> = table({
  'time.Time.Sub': '-',
  'time.Time.Add': '+',
  'time.Time.Before': '<',
  'time.Time.After': '>',
  'time.Time.Equal': '==',
})

/** Times have methods where other languages have operators; a rule should not have to know. */
function timeArithmetic(name: string, receiver: Value, arg: Value): Value | undefined {
  const op = TIME_OPERATORS[name]
  return op ? { is: 'op', op, of: [receiver, arg] } : undefined
}

// --------------------------------------------------------------------------------------------- marks and skips

const FROZEN = /^testing\/synctest\.(Test|Run)$/

function mark(name: string, node: Node, receiver: Value | null, given: readonly Node[], at: Place): void {
  const method = name.slice(name.lastIndexOf('.') + 1)
  const owner = name.slice(0, -method.length - 1)
  const tester = TESTERS.has(owner) || (owner === '?' && receiver?.is === 'name' && TESTER_NAMES.test(receiver.path))
  const span = spanOf(node)
  if (tester && method === 'Parallel') at.unit.markers.push({ span, is: 'parallel', name })
  else if (FROZEN.test(name)) at.unit.markers.push({ span, is: 'frozen-clock', name })
  else if ((tester && SKIPS.has(method)) || /^github\.com\/onsi\/ginkgo(\/v2)?\.Skip$/.test(name))
    at.unit.skips.push({ span, how: name, reason: reasonOf(given, at), condition: at.condition })
  else {
    // A project's own guard says its condition in its name: SkipIfRemote("no logs").
    const guard = /^skip_?(If|Unless|On|When|For)[A-Z_]/i.exec(method)
    if (guard && /^(\?\.)?\w+$/.test(name))
      at.unit.skips.push({ span, how: method, reason: reasonOf(given, at), condition: method.replace(/^skip_?(If|On|When|For)?/i, '') })
  }
}

function reasonOf(given: readonly Node[], at: Place): string | null {
  const first = given.find(a => a.type === 'interpreted_string_literal' || a.type === 'raw_string_literal')
  if (first) return stringOf(first, at)
  return given[0] && given[0].type !== 'identifier' ? textOf(given[0], at.scope) : null
}
