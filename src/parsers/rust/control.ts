// Branches and loops: regions, what decides them, and what they make of a failure.

import { UNKNOWN, type Value } from '../../facts/facts.ts'
import { addRegion, assertCondition, type Result } from '../build.ts'
import { field, type Node } from '../tree-sitter.ts'
import { bind, isAbsent, iterated, lower } from './expressions.ts'
import { FAILS } from './frameworks.ts'
import { kids, spanOf, textOf, typeOf, type Body } from './names.ts'
import { blockValue } from './parser.ts'

/** Ends in `panic!` or the like. */
export function fails(node: Node | undefined, body: Body): boolean {
  if (!node) return false
  const last = node.type === 'block' ? kids(node).at(-1) : node
  if (!last) return false
  const text = body.scope.text.slice(last.start, Math.min(last.end, last.start + 120))
  return FAILS.test(text) && (!text.startsWith('assert!') || /^assert!\(\s*false\b/.test(text))
}

const isEmpty = (node: Node | undefined): boolean => node?.type === 'unit_expression' || (node?.type === 'block' && kids(node).length === 0)

export function branch(node: Node, body: Body, region: number, result: Result): Value {
  const { unit, scope } = body
  const test = field(node, 'condition')
  const firstCall = unit.calls.length
  const condition = test ? lower(test, body, region) : UNKNOWN
  const tried = unit.calls.length
  const consequence = field(node, 'consequence')
  const otherwise = kids(field(node, 'alternative'))[0]
  const span = spanOf(node)
  const loose = test?.type !== 'let_condition' || isAbsent(textOf(field(test, 'pattern'), scope))
  if (fails(consequence, body)) {
    if (loose) assertCondition(unit, condition, span, region, true)
    else unit.assertions.push({ span, compare: 'matches', operands: [condition], claims: 'absence', in: region })
  }
  if (otherwise && otherwise.type !== 'if_expression' && fails(otherwise, body)) assertCondition(unit, condition, span, region)
  if (test?.type === 'let_condition' && /^Err\b/.test(textOf(field(test, 'pattern'), scope)) && isEmpty(consequence) && !otherwise
    && tried > firstCall)
    unit.swallows.push({ span, how: 'if let Err', calls: [tried - 1], text: textOf(field(test, 'value'), scope), in: region })
  const yes = consequence
    ? blockValue(consequence, body, addRegion(unit, { kind: 'if', in: region, span: spanOf(consequence), condition }), result)
    : UNKNOWN
  if (!otherwise) return yes
  const no = lower(otherwise, body, addRegion(unit, { kind: 'else', in: region, span: spanOf(otherwise), condition }), result)
  return yes.is === 'unknown' && no.is === 'unknown' ? UNKNOWN : { is: 'op', op: '?', of: [condition, yes, no] }
}

export function choose(node: Node, body: Body, region: number, result: Result): Value {
  const { unit, scope } = body
  const subject = field(node, 'value')
  const firstCall = unit.calls.length
  const value = subject ? lower(subject, body, region) : UNKNOWN
  const tried = unit.calls.length
  const arms = kids(field(node, 'body')).filter(a => a.type === 'match_arm')
  const patterns = arms.map(a => textOf(field(a, 'pattern'), scope))
  const failing = arms.map(a => fails(field(a, 'value'), body))
  if (failing.some(Boolean) && !failing.every(Boolean)) {
    const claims = patterns.every((p, i) => failing[i] || isAbsent(p)) ? 'absence' : 'presence'
    unit.assertions.push({ span: spanOf(node), compare: 'matches', operands: [value], claims, in: region })
  }
  const made = arms.map((arm, i) => {
    const pattern = field(arm, 'pattern'), then = field(arm, 'value')
    if (/^Err\b/.test(patterns[i]!) && isEmpty(then) && tried > firstCall && !failing.some(Boolean))
      unit.swallows.push({ span: spanOf(arm), how: `${patterns[i]} => {}`, calls: [tried - 1], text: textOf(subject, scope), in: region })
    const inside = addRegion(unit, { kind: 'if', in: region, span: spanOf(arm), condition: value })
    bind(pattern, value, typeOf(value, body), pattern ?? arm, body, inside)
    const guard = pattern && field(pattern, 'condition')
    if (guard) lower(guard, body, inside)
    return then ? lower(then, body, inside, result) : UNKNOWN
  })
  const known = made.filter(v => v.is !== 'unknown')
  return known.length === 0 ? UNKNOWN : { is: 'group', of: known }
}

export function loop(node: Node, body: Body, region: number): Value {
  const { unit } = body
  const inner = field(node, 'body')
  const span = spanOf(node)
  const leaves = leaving(inner, body, false)
  const over = node.type === 'for_expression' ? field(node, 'value') : undefined
  if (over) {
    const { value, element, endless } = iterated(over, body, region)
    const inside = addRegion(unit, { kind: 'loop', in: region, span, leaves, counted: !endless,
      ...(over.type === 'range_expression' && value.is === 'group' && { upTo: { is: 'op', op: '..', of: value.of } }) })
    bind(field(node, 'pattern'), { is: 'group', of: [value] }, element, field(node, 'pattern') ?? node, body, inside)
    if (inner) blockValue(inner, body, inside, 'discarded')
    return UNKNOWN
  }
  const inside = addRegion(unit, { kind: 'loop', in: region, span, leaves, counted: false })
  // The condition is read on every turn, so its calls are inside the loop.
  const test = field(node, 'condition')
  const condition = test && test.type !== 'boolean_literal' ? lower(test, body, inside) : undefined
  const firstWrite = unit.writes.length
  if (inner) blockValue(inner, body, inside, 'discarded')
  const counters = condition?.is === 'op' ? condition.of.flatMap(v => (v.is === 'name' ? [v.path] : [])) : []
  const counted = counters.length > 0 && unit.writes.slice(firstWrite).some(w => w.adds && counters.includes(w.target))
  unit.regions[inside] = { ...unit.regions[inside]!, ...(condition && { condition }), counted }
  return UNKNOWN
}

const NESTED = /^(loop|while|for)_expression$/

/** A break, return or panic below that ends this loop. */
function leaving(node: Node | undefined, body: Body, nested: boolean): boolean {
  for (const child of node?.children ?? []) {
    if (child.type === 'return_expression') return true
    if (child.type === 'break_expression' && (!nested || kids(child)[0]?.type === 'label')) return true
    if (child.type === 'call_expression' && /^(panic|unreachable)!/.test(body.scope.text.slice(child.start, child.start + 12))) return true
    if (child.type === 'function_item' || child.type === 'closure_expression' || child.type === 'async_block'
      || child.type === 'token_tree') continue
    if (leaving(child, body, nested || NESTED.test(child.type))) return true
  }
  return false
}
