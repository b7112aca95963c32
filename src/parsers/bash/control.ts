// Branches and loops.

import { UNKNOWN, type Value } from '../../facts/facts.ts'
import { addRegion, type Draft } from '../build.ts'
import { field, fieldsOf, type Node } from '../tree-sitter.ts'
import { assertTest } from './assertions.ts'
import { failing, nameOf } from './chains.ts'
import { arithmetic, word } from './expressions.ts'
import { inherit, quietly, textOf, type Place, type Scope } from './scope.ts'

/** The nodes before and after `then`; in an `elif` the condition has no field. */
function halves(node: Node): { condition: Node[]; body: Node[]; others: Node[] } {
  const then = node.children.findIndex(c => c.type === 'then')
  const rest = node.children.slice(then + 1)
  const isOther = (c: Node) => c.type === 'elif_clause' || c.type === 'else_clause'
  return {
    condition: node.children.slice(1, Math.max(then, 1)).filter(c => c.named && c.type !== 'comment'),
    body: rest.filter(c => !isOther(c)),
    others: rest.filter(isOther),
  }
}

export function branch(node: Node, at: Place, scope: Scope): Value {
  const { condition: tests, body, others } = halves(node)
  const condition = decide(tests, quietly(at), scope)
  const text = tests.map(t => textOf(t, scope)).join('; ')
  if (at.asserts && failing(body, at, scope)) assertTest(at.unit, condition, node, at.region, true)
  const inside = inherit(at)
  const span = body[0] ? { start: body[0].start, end: body.at(-1)!.end } : node
  scope.sequence(body, { ...inside, guard: text, region: addRegion(at.unit, { kind: 'if', in: at.region, span, condition }) })
  for (const other of others) {
    if (other.type === 'elif_clause') {
      const half = halves(other)
      const next = decide(half.condition, quietly(at), scope)
      if (at.asserts && failing(half.body, at, scope)) assertTest(at.unit, next, other, at.region, true)
      const region = addRegion(at.unit, { kind: 'if', in: at.region, span: other, condition: next })
      scope.sequence(half.body, { ...inside, guard: half.condition.map(t => textOf(t, scope)).join('; '), region })
      continue
    }
    if (at.asserts && failing(other.children, at, scope)) assertTest(at.unit, condition, other, at.region)
    scope.sequence(other.children, { ...inside, guard: `! ${text}`,
      region: addRegion(at.unit, { kind: 'else', in: at.region, span: other, condition }) })
  }
  return UNKNOWN
}

/** Of several commands in a condition the last decides. */
function decide(nodes: readonly Node[], at: Place, scope: Scope): Value {
  let value: Value = UNKNOWN
  for (const node of nodes) value = scope.evaluate(node, at, 'used')
  return value
}

export function choice(node: Node, at: Place, scope: Scope): Value {
  const subject = field(node, 'value')
  const value = subject ? word(subject, at, scope) : UNKNOWN
  for (const item of node.children.filter(c => c.type === 'case_item')) {
    const patterns = fieldsOf(item, 'value')
    const condition: Value = { is: 'op', op: 'in', of: [value, { is: 'group', of: patterns.map(p => word(p, at, scope)) }] }
    const guard = `${textOf(subject, scope)} in ${patterns.map(p => textOf(p, scope)).join('|')}`
    const body = item.children.filter(c => c.field !== 'value')
    scope.sequence(body, { ...inherit(at), guard, region: addRegion(at.unit, { kind: 'if', in: at.region, span: item, condition }) })
  }
  return UNKNOWN
}

const ENDLESS = /^(true|:|\[ 1 \]|\[\[ 1 \]\]|\(\(\s*1\s*\)\)|\[ true \]|\[\[ true \]\])$/

export function loop(node: Node, at: Place, scope: Scope): Value {
  const { unit } = at
  const body = field(node, 'body')
  const inside = inherit(at)
  const firstWrite = unit.writes.length
  const counted = node.type === 'for_statement'
  if (counted) {
    const target = textOf(field(node, 'variable'), scope)
    const over = fieldsOf(node, 'value').map(v => word(v, at, scope))
    unit.writes.push({ span: field(node, 'variable') ?? node, target, value: { is: 'group', of: over }, in: at.region, declares: true,
      adds: false })
  }
  const start = field(node, 'initializer')
  if (start) arithmetic(start, at, scope)
  const region = addRegion(unit, { kind: 'loop', in: at.region, span: node, leaves: leaves(body, scope), counted })
  const place: Place = { ...inside, region }
  const tests = fieldsOf(node, 'condition').filter(c => c.named)
  const text = tests.map(t => textOf(t, scope)).join('; ')
  if (tests.length > 0 && !ENDLESS.test(text)) {
    const value = node.type === 'while_statement'
      ? decide(tests, { ...quietly(place), region }, scope)
      : arithmetic(tests[0]!, place, scope)
    const condition: Value = node.children[0]?.type === 'until' ? { is: 'op', op: 'not', of: [value] } : value
    unit.regions[region] = { ...unit.regions[region]!, condition }
  }
  const update = field(node, 'update')
  if (update) arithmetic(update, place, scope)
  if (body) scope.sequence(body.children, place)
  const { condition } = unit.regions[region]!
  const ends = /^(IFS=\S*\s+)?read\b/.test(text) || (condition !== undefined && runsOut(condition, unit, firstWrite))
  if (ends) unit.regions[region] = { ...unit.regions[region]!, counted: true }
  return UNKNOWN
}

/** The loop itself moves a number that its condition looks at. */
function runsOut(condition: Value, unit: Draft, firstWrite: number): boolean {
  const watched = new Set(namesIn(condition))
  return unit.writes.slice(firstWrite).some(w =>
    watched.has(w.target) && (w.adds || (w.value.is === 'op' && namesIn(w.value).includes(w.target)))
  )
}

function namesIn(value: Value): string[] {
  if (value.is === 'name') return [value.path]
  if (value.is === 'text') return value.parts.flatMap(namesIn)
  return value.is === 'op' || value.is === 'group' ? value.of.flatMap(namesIn) : []
}

const LOOPS = /^(while_statement|for_statement|c_style_for_statement)$/

/** A command below that ends this loop: break, return, or the failure of the test. */
function leaves(body: Node | undefined, scope: Scope): boolean {
  const stack: { node: Node; nested: boolean }[] = body ? [{ node: body, nested: false }] : []
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { node, nested } = top
    const name = nameOf(node, scope)
    if (/^(return|exit|die|fail|flunk|skip)$/.test(name) || (name === 'break' && !nested)) return true
    if (node.type === 'function_definition') continue
    for (const child of node.children) if (child.named) stack.push({ node: child, nested: nested || LOOPS.test(node.type) })
  }
  return false
}
