// Words, arithmetic and tests: what a shell expands before it runs anything.

import { UNKNOWN, literal, type Value } from '../../facts/facts.ts'
import { addCall, addRegion } from '../build.ts'
import { field, type Node } from '../tree-sitter.ts'
import { LIVE, rowOf } from './frameworks.ts'
import { bounded, quietly, textOf, type Place, type Scope } from './scope.ts'

const op = (sign: string, ...of: Value[]): Value => ({ is: 'op', op: sign, of })
const inner = (node: Node): Node[] => node.children.filter(c => c.named && c.type !== 'comment')

// ----------------------------------------------------------------------------------------------------- words

export function word(node: Node, at: Place, scope: Scope): Value {
  return bounded<Value>(scope, UNKNOWN, () => readWord(node, at, scope))
}

function readWord(node: Node, at: Place, scope: Scope): Value {
  switch (node.type) {
    case 'word':
    case 'number':
      // What only fills a file is no number that anything hangs on.
      if (/^if=\/dev/.test(textOf(node, scope)) && /\sof=/.test(textOf(node.parent ?? undefined, scope)))
        return literal(textOf(node, scope))
      return plain(textOf(node, scope), node, at)
    case 'raw_string':
      return literal(scope.text.slice(node.start + 1, node.end - 1))
    case 'ansi_c_string':
      return literal(scope.text.slice(node.start + 2, node.end - 1))
    case 'string':
      return joined(quotedParts(node, at, scope))
    case 'translated_string':
    case 'command_name':
      return inner(node)[0] ? word(inner(node)[0]!, at, scope) : literal('')
    case 'concatenation':
      // The grammar takes the end of `/tmp/x.$$` for a mere sign.
      return joined(node.children.map(c => (c.type === '$' && textOf(c, scope) === '$$' ? variable('$', c, at) : word(c, at, scope))))
    case 'simple_expansion':
      return variable(scope.text.slice(node.start + 1, node.end), node, at)
    case 'variable_name':
    case 'special_variable_name':
      return variable(textOf(node, scope), node, at)
    case 'expansion':
      return expansion(node, at, scope)
    case 'subscript': {
      const index = field(node, 'index')
      return op('[]', variable(textOf(field(node, 'name'), scope), node, at), index ? word(index, at, scope) : UNKNOWN)
    }
    case 'command_substitution':
    case 'process_substitution':
      return substitution(node, at, scope)
    case 'arithmetic_expansion':
      return arithmetic(node, at, scope)
    case 'array':
      return { is: 'group', of: inner(node).map(c => word(c, at, scope)) }
    default:
      return literal(textOf(node, scope))
  }
}

const RANDOM_DEVICE = /^(?:if=)?\/dev\/u?random$/

function plain(text: string, node: Node, at: Place): Value {
  if (/^-?(?:0|[1-9]\d*)?(?:\.\d+)?$/.test(text) && /\d/.test(text)) return literal(Number(text))
  if (RANDOM_DEVICE.test(text))
    return addCall(at.unit, { span: node, name: '/dev/urandom', resolution: 'global', args: [], in: at.region, result: 'used' })
  return literal(text.replace(/\\\n/g, '').replace(/\\(.)/g, '$1'))
}

/** The grammar leaves blanks between two expansions out, so what lies between children is read from the text. */
function quotedParts(node: Node, at: Place, scope: Scope): Value[] {
  const parts: Value[] = []
  let from = node.start + 1
  const upTo = (end: number) => {
    if (end > from) parts.push(literal(scope.text.slice(from, end).replace(/\\\n/g, '').replace(/\\(["$`\\])/g, '$1')))
  }
  for (const child of node.children) {
    if (child.type === '"' || child.type === 'string_content') continue
    upTo(child.start)
    parts.push(child.named ? word(child, at, scope) : literal(textOf(child, scope)))
    from = child.end
  }
  const closed = node.children.length > 1 && node.children.at(-1)!.type === '"'
  upTo(closed ? node.end - 1 : node.end)
  return parts
}

/** One part is that part, literals alone are one literal, anything else is text built from parts. */
export function joined(parts: readonly Value[]): Value {
  if (parts.length === 1) return parts[0]!
  const merged: Value[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (part.is === 'literal' && last?.is === 'literal') merged[merged.length - 1] = literal(`${last.value}${part.value}`)
    else merged.push(part)
  }
  if (merged.length === 0) return literal('')
  return merged.length === 1 ? merged[0]! : { is: 'text', parts: merged }
}

/** Reading `$RANDOM` is a call to whoever looks for effects; `$1` makes the function take a parameter. */
export function variable(name: string, node: Node, at: Place): Value {
  if (LIVE.has(name) || name === '$')
    return addCall(at.unit, { span: node, name: `$${name}`, resolution: 'global', args: [], in: at.region, result: 'used' })
  if (/^[1-9]\d?$/.test(name) && at.unit.role.is !== 'module') {
    for (let n = at.unit.params.length + 1; n <= Number(name); n++) at.unit.params.push(String(n))
  }
  return { is: 'name', path: name }
}

/** `${x:-5}` may be either, `${x%.*}` is made from x, `${#x}` counts it. */
function expansion(node: Node, at: Place, scope: Scope): Value {
  const target = node.children.findIndex(c => c.type === 'variable_name' || c.type === 'subscript' || c.type === 'special_variable_name')
  if (target < 0) return literal(textOf(node, scope))
  const value = word(node.children[target]!, at, scope)
  const before = node.children.slice(1, target).map(c => c.type)
  const operator = node.children.slice(target + 1).find(c => c.field === 'operator')?.type
  const rest = node.children.slice(target + 1).filter(c => c.named).map(c => word(c, at, scope))
  if (before.includes('#')) return op('#', value)
  if (before.includes('!')) return op('${}', value)
  if (!operator || operator === ':?' || operator === '?') return value
  if (/^:?[-=+]$/.test(operator)) return rest.length === 0 ? value : { is: 'group', of: [value, ...rest] }
  return op('${}', value, ...rest.filter(v => v.is !== 'literal'))
}

/** What `$(…)` prints. More than one simple command gets a region of its own: a `cd` in there does not leak. */
function substitution(node: Node, at: Place, scope: Scope): Value {
  const statements = inner(node)
  const read = statements.filter(s => s.type === 'file_redirect')
  if (read.length > 0 && read.length === statements.length) {
    const path = field(read[0]!, 'destination')
    return { is: 'group', of: path ? [word(path, at, scope)] : [] }
  }
  const [only] = statements
  const simple = statements.length === 1 && /^(command|pipeline|redirected_statement|test_command)$/.test(only!.type)
    && node.type === 'command_substitution'
  const region = simple ? at.region : addRegion(at.unit, { kind: 'subshell', in: at.region, span: node })
  const values = statements.flatMap(s => outputs(scope.evaluate(s, { ...quietly(at), region }, 'used')))
  return values.length === 1 ? values[0]! : values.length === 0 ? UNKNOWN : { is: 'group', of: values }
}

/** `$(a && b)` prints what both print. */
const outputs = (value: Value): readonly Value[] =>
  value.is === 'op' && (value.op === 'and' || value.op === 'or') ? value.of.flatMap(outputs) : value.is === 'unknown' ? [] : [value]

// ------------------------------------------------------------------------------------------------ arithmetic

const WORDS: Readonly<Record<string, string>> = { '&&': 'and', '||': 'or', '!': 'not' }
const ASSIGNS = /^([-+*/%&|^]|<<|>>)?=$/

/** `$(( … ))`, `(( … ))` and what stands in them; assignments become writes. */
export function arithmetic(node: Node, at: Place, scope: Scope): Value {
  return bounded<Value>(scope, UNKNOWN, () => readArithmetic(node, at, scope))
}

function readArithmetic(node: Node, at: Place, scope: Scope): Value {
  const of = (nodes: readonly Node[]) => nodes.map(n => arithmetic(n, at, scope))
  switch (node.type) {
    case 'word':
    case 'variable_name': {
      const text = textOf(node, scope)
      return /^[A-Za-z_]\w*$/.test(text) ? variable(text, node, at) : plain(text, node, at)
    }
    case 'binary_expression': {
      const left = field(node, 'left'), right = field(node, 'right')
      const sign = textOf(field(node, 'operator'), scope)
      if (left && right && ASSIGNS.test(sign)) {
        const value = arithmetic(right, at, scope)
        return change(left, node, value, sign !== '=', at, scope)
      }
      return { is: 'op', op: rowOf(WORDS, sign) ?? sign, of: of([left, right].filter(n => n !== undefined)) }
    }
    case 'unary_expression': {
      const operand = node.children.filter(c => c.field !== 'operator' && c.named)
      const sign = textOf(field(node, 'operator'), scope)
      if (sign === '++' || sign === '--') return operand[0] ? change(operand[0], node, literal(1), true, at, scope) : UNKNOWN
      return { is: 'op', op: rowOf(WORDS, sign) ?? sign, of: of(operand) }
    }
    case 'postfix_expression': {
      const operand = inner(node)[0]
      return operand ? change(operand, node, literal(1), true, at, scope) : UNKNOWN
    }
    case 'ternary_expression':
      return { is: 'op', op: '?', of: of(inner(node)) }
    case 'variable_assignment': {
      const name = field(node, 'name'), value = field(node, 'value')
      return name ? change(name, node, value ? arithmetic(value, at, scope) : UNKNOWN, false, at, scope) : UNKNOWN
    }
    case 'parenthesized_expression':
    case 'arithmetic_expansion':
    case 'compound_statement': {
      const values = of(inner(node))
      return values.length === 1 ? values[0]! : { is: 'group', of: values }
    }
    default:
      return word(node, at, scope)
  }
}

function change(target: Node, node: Node, value: Value, adds: boolean, at: Place, scope: Scope): Value {
  const name = textOf(target, scope).replace(/^\$\{?|\}$/g, '').replace(/\[.*$/, '[]')
  at.unit.writes.push({ span: node, target: name, value, in: at.region, declares: declares(name, at, scope), adds })
  return { is: 'name', path: name }
}

/** A bats test runs in a process of its own, so all it sets is its own; elsewhere only `local` makes it so. */
export const declares = (name: string, at: Place, scope: Scope): boolean =>
  (at.unit.role.is === 'test' && scope.runner === 'bats') || (scope.locals.get(at.unit)?.has(name) ?? false)

// ----------------------------------------------------------------------------------------------------- tests

/** A word of a test: its plain text where it could be an operator, and its value, read only once it is known to be an operand. */
export interface Token {
  readonly text: string | null
  readonly glob?: boolean
  value(): Value
}

const COMPARES: Readonly<Record<string, string>> = {
  '-eq': '==',
  '-ne': '!=',
  '-lt': '<',
  '-le': '<=',
  '-gt': '>',
  '-ge': '>=',
  '=': '==',
  '==': '==',
  '!=': '!=',
  '<': '<',
  '>': '>',
  '\\<': '<',
  '\\>': '>',
  '=~': '=~',
  '!~': '!~',
  '-nt': '-nt',
  '-ot': '-ot',
  '-ef': '-ef',
}
const UNARY = /^-[a-zA-Z]$/

/** `[ … ]` and `[[ … ]]`. The grammar binds `-a`, `-o` and `!` loosely, so its tree is flattened and read again. */
export function testCommand(node: Node, at: Place, scope: Scope): Value {
  const tokens: Token[] = []
  flatten(node.children.slice(1, -1), textOf(node.children[0], scope) === '[[', at, scope, tokens)
  return testValue(tokens)
}

function flatten(nodes: readonly Node[], double: boolean, at: Place, scope: Scope, tokens: Token[]): void {
  const leaves: Node[] = []
  const stack = [...nodes].reverse()
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (/^(binary|unary|parenthesized)_expression$/.test(node.type)) stack.push(...[...node.children].reverse())
    else if (node.type !== 'comment') leaves.push(node)
  }
  for (let i = 0; i < leaves.length; i++) {
    // `*"foo"*` comes as three nodes that touch.
    const touching = [leaves[i]!]
    while (i + 1 < leaves.length && isOperand(leaves[i]!) && isOperand(leaves[i + 1]!) && leaves[i + 1]!.start === leaves[i]!.end)
      touching.push(leaves[++i]!)
    const first = touching[0]!
    const text = touching.length === 1 && !/string|expansion|substitution|concatenation/.test(first.type)
      ? first.named ? textOf(first, scope) : first.type
      : null
    const glob = double && touching.some(n => hasGlob(n, scope))
    tokens.push({ text, glob, value: () => joined(touching.map(n => word(n, at, scope))) })
  }
}

const isOperand = (node: Node): boolean => node.named && node.type !== 'test_operator'

const hasGlob = (node: Node, scope: Scope): boolean =>
  /^(word|extglob_pattern|regex)$/.test(node.type)
    ? /[*?[]/.test(textOf(node, scope))
    : node.type === 'concatenation' && node.children.some(c => hasGlob(c, scope))

export function testValue(tokens: readonly Token[]): Value {
  let i = 0
  const peek = (ahead = 0) => tokens[i + ahead]?.text
  const either = (): Value => {
    const parts = [both()]
    while (peek() === '||' || (peek() === '-o' && i + 1 < tokens.length)) parts.push((i++, both()))
    return parts.length === 1 ? parts[0]! : { is: 'op', op: 'or', of: parts }
  }
  const both = (): Value => {
    const parts = [single()]
    while (peek() === '&&' || (peek() === '-a' && i + 1 < tokens.length)) parts.push((i++, single()))
    return parts.length === 1 ? parts[0]! : { is: 'op', op: 'and', of: parts }
  }
  const single = (): Value => {
    if (i >= tokens.length) return UNKNOWN
    let negated = false
    while (peek() === '!' && i + 1 < tokens.length) (i++, (negated = !negated))
    const value = primary()
    return negated ? op('not', value) : value
  }
  const primary = (): Value => {
    const first = tokens[i]
    if (!first) return UNKNOWN
    if (first.text === '(' && i + 2 < tokens.length) {
      i++
      const value = either()
      if (peek() === ')') i++
      return value
    }
    const sign = peek(1)
    if (sign != null && rowOf(COMPARES, sign) && tokens[i + 2]) {
      const right = tokens[i + 2]!
      i += 3
      return compared(sign, first.value(), right.value(), right.glob ?? false)
    }
    if (first.text !== null && UNARY.test(first.text) && tokens[i + 1]) {
      const operand = tokens[i + 1]!
      i += 2
      return unary(first.text, operand.value())
    }
    i++
    const value = first.value()
    return value.is === 'literal' ? value : op('!=', value, literal(''))
  }
  return either()
}

/** `[[ $x == *foo* ]]` looks for foo in x. */
export function compared(sign: string, left: Value, right: Value, glob = false): Value {
  const known = rowOf(COMPARES, sign) ?? sign
  if (glob && known === '==') return op('in', right, left)
  if (glob && known === '!=') return op('not', op('in', right, left))
  if (known === '!~') return op('not', op('=~', left, right))
  return sign.startsWith('-') ? op(known, asNumber(left), asNumber(right)) : op(known, left, right)
}

function unary(sign: string, value: Value): Value {
  if (sign === '-z') return op('==', value, literal(''))
  if (sign === '-n') return op('!=', value, literal(''))
  return op(sign, value)
}

export const asNumber = (value: Value): Value =>
  value.is === 'literal' && typeof value.value === 'string' && /^-?\d+(\.\d+)?$/.test(value.value) ? literal(Number(value.value)) : value

const SUFFIX: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, ms: 0.001 }

/** `5s`, `1m` and `"0.2"` in seconds. */
export function seconds(value: Value): Value {
  if (value.is !== 'literal' || typeof value.value !== 'string') return value
  const amount = /^(\d*\.?\d+)(ms|[smhd]?)$/.exec(value.value)
  return amount ? literal(Number(amount[1]) * SUFFIX[amount[2]!]!) : value
}
