// Macros: assertions, text, printing, and those of others as far as their arguments can be read.

import { UNKNOWN, literal, type Span, type Value } from '../../facts/facts.ts'
import { addCall, addRegion, assertCondition, claimOf, handTo, type Result } from '../build.ts'
import { field, parse, type Node } from '../tree-sitter.ts'
import { lower, pathText } from './expressions.ts'
import { ASSERT_MACROS, LOG_MACROS, PRINT_MACROS, SNAPSHOT_MACRO, TEXT_MACROS } from './frameworks.ts'
import { kids, lastOf, resolve, row, spanOf, textOf, type Body } from './names.ts'
import { statements } from './parser.ts'

const TIMES = /^assert_(elapsed|took|duration)/

/** A macro whose arguments are expressions; `path` ends in `!`. */
export function macroCall(path: string, given: readonly Node[], node: Node, body: Body, region: number, result: Result): Value {
  const name = lastOf(path).slice(0, -1)
  const span = spanOf(node)
  if (TEXT_MACROS.has(name))
    return textValue(name === 'concat' ? undefined : given[0], name === 'concat' ? given : given.slice(1), body, region)
  if (row(ASSERT_MACROS, name) || SNAPSHOT_MACRO.test(name) || /^(prop_)?assert_/.test(name)) {
    const first = assertion(name, given, node, body, region)
    // What checks a time is told what it checks: `assert_elapsed!(start, Duration::from_secs(3))`.
    if (!row(ASSERT_MACROS, name) && TIMES.test(name))
      addCall(body.unit, { span, nameSpan: spanOf(field(node, 'macro') ?? node), name: `${name}!`, resolution: 'global',
        args: body.unit.assertions.at(-1)!.operands, in: region, result: 'discarded' })
    // `let order = assert_ok!(…)`
    return /^assert_(ready|ok|some|err)/.test(name) ? first ?? UNKNOWN : UNKNOWN
  }
  if (name === 'vec' || name === 'json' || name === 'pin' || name === 'dbg' || name === 'ready') {
    const of = given.map(a => lower(a, body, region))
    return of.length === 1 ? of[0]! : { is: 'group', of }
  }
  const first = body.unit.regions.length
  const args: Value[] = []
  if (PRINT_MACROS.has(name)) {
    const format = given.findIndex(a => /string_literal$/.test(a.type))
    args.push(...given.slice(0, Math.max(format, 0)).map(a => lower(a, body, region)))
    if (given.length > 0) args.push(textValue(given[Math.max(format, 0)], given.slice(Math.max(format, 0) + 1), body, region))
  } else args.push(...given.map(a => lower(a, body, region)))
  const last = body.unit.regions.length
  const { name: full, resolution } = resolve(path.slice(0, -1), body)
  const local = resolution === 'guess' ? path.slice(0, -1) : full
  const nameSpan = spanOf(field(node, 'function') ?? field(node, 'macro') ?? node)
  const value = addCall(body.unit, { span, nameSpan, name: `${local}!`, resolution: resolution === 'guess' ? 'global' : resolution, args,
    in: region, result })
  handTo(body.unit, value, region, first, last)
  return value
}

// ----------------------------------------------------------------------------------------------- assertions

/** What follows the value in `matches!(x, Err(_))`: nothing came. */
const ABSENT = /^\s*,\s*(Err\b|None\b|(\w+::)*Pending\b)/

/** Gives back what is asserted on. */
function assertion(name: string, given: readonly Node[], node: Node, body: Body, region: number): Value | undefined {
  const { unit, scope } = body
  const span = spanOf(node)
  const known = row(ASSERT_MACROS, name)
  if (SNAPSHOT_MACRO.test(name)) {
    // A name may come first: `assert_snapshot!("cart", text)`.
    const operands = given.map(a => lower(a, body, region))
    const shown = operands.length > 1 && given[0]!.type === 'string_literal' ? operands.slice(1, 2) : operands.slice(0, 1)
    unit.assertions.push({ span, compare: 'snapshot', operands: shown, claims: 'presence', in: region })
    return shown[0]
  }
  const operands = given.slice(0, known?.operands ?? given.length).filter(a => known || !/string_literal$/.test(a.type)).map(a =>
    lower(a, body, region)
  )
  if (!known) {
    unit.assertions.push({ span, compare: 'other', operands, claims: /not|empty|none/.test(name) ? 'absence' : 'presence', in: region })
    return operands[0]
  }
  if (known.compare === 'truth' && !known.absence) {
    assertTruth(operands[0] ?? UNKNOWN, span, body, region)
    return operands[0]
  }
  const slack = given.slice(known.operands).find(a => !/string_literal$/.test(a.type))
  const tolerance = known.compare === 'near' && slack ? lower(field(slack, 'right') ?? slack, body, region) : undefined
  const expectsFailure = known.compare === 'matches'
    ? ABSENT.test(scope.text.slice(given[0]?.end ?? node.end, node.end))
    : known.compare === '==' && given.slice(0, 2).some(a => /^(Err\(|None\b|(\w+::)*Pending\b)/.test(textOf(a, scope)))
  unit.assertions.push({
    span,
    compare: known.compare,
    operands,
    in: region,
    ...(tolerance && { tolerance }),
    claims: known.absence || expectsFailure ? 'absence' : claimOf(known.compare, operands),
  })
  return operands[0]
}

const absentIn = (matched: Span, body: Body): boolean =>
  /,\s*(Err\b|None\b|(\w+::)*Pending\b)[^,]*\)$/.test(body.scope.text.slice(matched.start, matched.end))

/** `assert!((a - b).abs() < slack)` says that two values are near, `assert!(matches!(x, P))` what a value is. */
function assertTruth(condition: Value, span: Span, body: Body, region: number): void {
  const { unit } = body
  const negated = condition.is === 'op' && condition.op === 'not'
  const inner = negated ? condition.of[0] : condition
  const call = inner?.is === 'call' ? unit.calls[inner.call] : undefined
  if (call?.name === 'matches!')
    return void unit.assertions.push({ span, compare: 'matches', operands: call.args,
      claims: negated !== absentIn(call.span, body) ? 'absence' : 'presence', in: region })
  if (condition.is === 'op' && (condition.op === '<' || condition.op === '<=') && condition.of[0]?.is === 'call') {
    const measured = unit.calls[condition.of[0].call]
    const apart = measured && /(^\?\.|::)abs$/.test(measured.name) && measured.receiver?.is === 'op' && measured.receiver.op === '-'
      ? measured.receiver.of
      : measured && /(^\?\.|::)abs_diff$/.test(measured.name) && measured.receiver
      ? [measured.receiver, measured.args[0] ?? UNKNOWN]
      : undefined
    if (apart)
      return void unit.assertions.push({ span, compare: 'near', operands: apart, claims: 'presence', tolerance: condition.of[1] ?? UNKNOWN,
        in: region })
  }
  assertCondition(unit, condition, span, region)
}

// ------------------------------------------------------------------------------------------------------ text

/** `format!("db_{}_{name}", n)`: the parts in their order, names that the text captures among them. */
function textValue(format: Node | undefined, given: readonly Node[], body: Body, region: number): Value {
  const positional: Value[] = []
  const keyed = new Map<string, Value>()
  for (const argument of given) {
    if (argument.type === 'assignment_expression') {
      const right = field(argument, 'right')
      keyed.set(textOf(field(argument, 'left'), body.scope), right ? lower(right, body, region) : UNKNOWN)
    } else positional.push(lower(argument, body, region))
  }
  const shape = format ? lower(format, body, region) : undefined
  if (shape?.is !== 'literal' || typeof shape.value !== 'string')
    return { is: 'text', parts: [...(shape ? [shape] : []), ...positional, ...keyed.values()] }
  const parts: Value[] = []
  let plain = '', done = 0, taken = 0
  const hole = /\{\{|\}\}|\{([^{}:]*)(?::[^{}]*)?\}/g
  for (let match = hole.exec(shape.value); match; match = hole.exec(shape.value)) {
    plain += shape.value.slice(done, match.index)
    done = hole.lastIndex
    if (match[0] === '{{' || match[0] === '}}') {
      plain += match[0][0]
      continue
    }
    if (plain !== '') parts.push(literal(plain))
    plain = ''
    const name = match[1]!.trim()
    parts.push(
      name === ''
        ? positional[taken++] ?? UNKNOWN
        : /^\d+$/.test(name)
        ? positional[Number(name)] ?? UNKNOWN
        : keyed.get(name) ?? { is: 'name', path: name },
    )
  }
  plain += shape.value.slice(done)
  if (plain !== '') parts.push(literal(plain))
  return parts.length === 0 ? literal('') : parts.length === 1 && parts[0]!.is === 'literal' ? parts[0]! : { is: 'text', parts }
}

// ----------------------------------------------------------------------------------------- macros of others

/** A macro the unfolding left alone: its tokens are read once more, as arguments or as statements, where that works. */
export function macroInvocation(node: Node, body: Body, region: number, result: Result): Value {
  const { scope } = body
  const path = `${pathText(field(node, 'macro'), body)}!`
  const tokens = node.children.find(c => c.type === 'token_tree')
  const name = lastOf(path).slice(0, -1)
  if (!tokens || LOG_MACROS.has(name)) return macroCall(path, [], node, body, region, result)
  const braces = scope.text[tokens.start] === '{'
  // Without a bracket among its tokens there is no call to be found; a macro of the file is given something all the same.
  const worth = !/^((parse_)?quote(_spanned)?|macro_rules)$/.test(name)
    && (name.startsWith('assert') || scope.own.has(path) || tokens.children.some(c => c.type === 'token_tree'))
  const again = worth ? reread(tokens, braces, body) : undefined
  if (!again) return macroCall(path, [], node, body, region, result)
  if (!braces) return macroCall(path, again, node, body, region, result)
  // In a body, items are items and statements run as the macro pleases.
  const items = again.every(n => /_item$|_declaration$|comment$|macro_definition/.test(n.type) && n.type !== 'let_declaration')
  if (items) {
    statements(again, { ...body, property: name === 'quickcheck' ? name : body.property }, region)
    return UNKNOWN
  }
  const inside = addRegion(body.unit, { kind: 'closure', in: region, span: spanOf(tokens) })
  statements(again, body, inside)
  const value = macroCall(path, [], node, body, region, result)
  if (value.is === 'call') body.unit.regions[inside] = { ...body.unit.regions[inside]!, call: value.call }
  return value
}

/** The arguments or statements in a macro's brackets; undefined where they are in a language of the macro's own. */
export function reread(tokens: Node, braces: boolean, body: Body): Node[] | undefined {
  const { scope } = body
  if (scope.budget <= 0) return undefined
  scope.budget -= 50 + (tokens.end - tokens.start)
  const inner = scope.code.slice(tokens.start + 1, tokens.end - 1)
  const before = braces ? 'fn f(){' : 'fn f(){g('
  const tree = parse('rust', `${before}${inner}${braces ? '\n}' : '\n)}'}`, 500)
  if (!tree || tree.problems.length > 0) return undefined
  const block = kids(tree.root).length === 1 ? field(kids(tree.root)[0]!, 'body') : undefined
  const holder = braces ? block : block && field(kids(block)[0]!, 'arguments')
  if (!holder || (!braces && kids(block)[0]!.type !== 'call_expression')) return undefined
  const by = tokens.start + 1 - before.length
  return holder.children.filter(c => c.named).map(c => moved(c, by, null))
}

function moved(node: Node, by: number, parent: Node | null): Node {
  const copy = { ...node, start: node.start + by, end: node.end + by, parent, children: [] as Node[] }
  copy.children = node.children.map(c => moved(c, by, copy))
  return copy
}
