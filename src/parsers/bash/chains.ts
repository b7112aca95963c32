// `a && b || c`: a condition, an assertion, a guard, a mask or simply one thing after the other.

import { UNKNOWN, type Span, type Value } from '../../facts/facts.ts'
import { addRegion, type Result } from '../build.ts'
import { field, type Node } from '../tree-sitter.ts'
import { assertTest } from './assertions.ts'
import { ANSWERS, FAILS } from './frameworks.ts'
import { quietly, textOf, type Place, type Scope } from './scope.ts'

const MASKS = new Set(['true', ':'])
export const isMask = (node: Node, scope: Scope): boolean => node.type === 'command' && MASKS.has(textOf(node, scope))

interface Link {
  readonly joint: string
  readonly node: Node
}

/** `a && b || c` leans to the left; a long chain must not become deep recursion. */
export function linksOf(node: Node): Link[] {
  const links: Link[] = []
  let at: Node = node
  while (at.type === 'list') {
    const parts: Node[] = at.children.filter(c => c.type !== 'comment')
    const [left, joint, right] = [parts[0], parts[1], parts.at(-1)]
    if (!left || !joint || !right || parts.length < 3) break
    links.push({ joint: joint.type, node: right })
    at = left
  }
  links.push({ joint: '', node: at })
  return links.reverse()
}

export function isTest(node: Node, scope: Scope): boolean {
  if (node.type === 'compound_statement') return node.children[0]?.type === '(('
  return node.type === 'test_command' || node.type === 'negated_command' || nameOf(node, scope) === 'test'
}

export function list(node: Node, at: Place, scope: Scope, result: Result): Value {
  const links = linksOf(node)
  const last = links.at(-1)!
  const firstCall = at.unit.calls.length
  const before = links.slice(0, -1)
  const left: Span = { start: node.start, end: before.at(-1)?.node.end ?? node.end }
  const mask = last.joint === '||' ? maskOf(last.node, before, scope) : undefined
  if (mask) {
    const value = conditions(before, quietly(at), scope, result)
    const calls = Array.from({ length: at.unit.calls.length - firstCall }, (_, i) => firstCall + i)
    // What `$(cmd || true)` gives back tells of the failure: it is empty.
    if (result === 'discarded' && !answers(before.at(-1)!.node, scope))
      at.unit.swallows.push({ span: node, how: mask, calls, text: plainly(scope.text.slice(left.start, left.end)), in: at.region })
    if (isMask(last.node, scope)) return value
    const instead = scope.evaluate(last.node, quietly(at), result)
    return { is: 'group', of: [value, instead] }
  }
  if (result !== 'discarded') return conditions(links, at, scope, result)
  if (at.asserts && fails(last.node, at, scope)) {
    const condition = conditions(before, quietly(at), scope, 'used')
    assertTest(at.unit, condition, node, at.region, last.joint === '&&')
    guarded(last, condition, left, at, scope)
    return UNKNOWN
  }
  if (at.asserts && links.every(l => isTest(l.node, scope))) {
    const condition = conditions(links, at, scope, 'used')
    assertTest(at.unit, condition, node, at.region)
    return condition
  }
  return steps(links, node, at, scope)
}

/** A long chain of one kind stays flat, so that nobody who walks a value goes deep. */
function chain(left: Value, joint: string, right: Value): Value {
  const sign = joint === '||' ? 'or' : 'and'
  return { is: 'op', op: sign, of: left.is === 'op' && left.op === sign ? [...left.of, right] : [left, right] }
}

/** Chained values as one condition. */
function conditions(links: readonly Link[], at: Place, scope: Scope, result: Result): Value {
  let value: Value | undefined
  for (const [i, { joint, node }] of links.entries()) {
    const next = scope.evaluate(node, { ...at, asserts: false }, result)
    if (i > 50) continue
    value = value === undefined ? next : chain(value, joint, next)
  }
  return value ?? UNKNOWN
}

/** A chain as a statement: what follows a test is guarded by it, what follows a command comes after it. */
function steps(links: readonly Link[], node: Node, at: Place, scope: Scope): Value {
  let condition: Value | undefined
  let value: Value = UNKNOWN
  for (const [i, link] of links.entries()) {
    const left: Span = { start: node.start, end: links[i - 1]?.node.end ?? node.start }
    const next = links[i + 1]
    if (i === 0) {
      // `a && b` goes on from a; before `||` or a way out, a is a question.
      const asks = next !== undefined && (next.joint === '||' || departs(next.node, scope))
      const asserts = at.asserts && !asks && /^(assert|refute)/.test(nameOf(link.node, scope))
      value = condition = scope.evaluate(link.node, { ...at, asserts }, asks ? 'used' : 'discarded')
      continue
    }
    const follows = link.joint === '&&' && !isTest(links[i - 1]!.node, scope) && !departs(link.node, scope)
    if (follows) value = scope.evaluate(link.node, at, 'discarded')
    else if (isTest(link.node, scope) && next) value = scope.evaluate(link.node, quietly(at), 'used')
    else value = guarded(link, condition ?? UNKNOWN, left, at, scope)
    condition = i < 50 ? chain(condition ?? UNKNOWN, link.joint, value) : condition
  }
  return value
}

function guarded(link: Link, condition: Value, left: Span, at: Place, scope: Scope): Value {
  const text = scope.text.slice(left.start, left.end)
  const denied = link.joint === '||'
  const region = addRegion(at.unit, { kind: 'if', in: at.region, span: link.node,
    condition: denied ? { is: 'op', op: 'not', of: [condition] } : condition })
  return scope.evaluate(link.node, { ...at, region, guard: denied ? `! ${text}` : text }, 'discarded')
}

export const nameOf = (node: Node, scope: Scope): string =>
  node.type === 'command' ? textOf(node.children.find(c => c.field === 'name'), scope) : ''

/** Leaves the unit, the loop or the test. */
const departs = (node: Node, scope: Scope): boolean =>
  /^(skip\w*|break|continue|return|exit)$/.test(nameOf(node, scope)) || FAILS.has(nameOf(node, scope))

/** `sudo -n rm -f x` is an `rm`, `IFS= read x` a `read`. */
export const plainly = (text: string): string =>
  text.replace(/^(?:(?:[A-Za-z_]\w*=\S*|sudo|doas|env|command|builtin|nohup)\s+(?:-\w+\s+)*)+/, '')

/** A command whose status answers a question does not fail; of a pipeline the last one's counts. */
export function answers(node: Node, scope: Scope): boolean {
  let last: Node | undefined = node
  while (last && /^(pipeline|redirected_statement|negated_command)$/.test(last.type))
    last = last.type === 'redirected_statement'
      ? field(last, 'body')
      : lastOf(last.children)
  return last !== undefined && (isTest(last, scope) || ANSWERS.has(nameOf(last, scope)))
}

/** `|| true` hides a failure; so does `2>/dev/null || echo none`. `|| rc=$?` keeps it. */
function maskOf(node: Node, before: readonly Link[], scope: Scope): string | undefined {
  const left = before.at(-1)?.node
  const silent = left?.type === 'redirected_statement' && /[2&]>\s*\/dev\/null/.test(textOf(left, scope)) ? '2>/dev/null ' : ''
  if (isMask(node, scope)) return `${silent}|| ${textOf(node, scope)}`
  return silent !== '' && /^(echo|printf)$/.test(nameOf(node, scope)) ? `${silent}|| ${nameOf(node, scope)}` : undefined
}

/** Ends in a command that fails the test. In a helper `return 1` may only be an answer. */
export function fails(node: Node | undefined, at: Place, scope: Scope): boolean {
  let last = node
  while (last && /^(redirected_statement|compound_statement|subshell)$/.test(last.type))
    last = last.type === 'redirected_statement' ? field(last, 'body') : lastOf(last.children)
  if (!last) return false
  const name = nameOf(last, scope)
  if (FAILS.has(name)) return true
  const ends = name === 'exit' || (name === 'return' && at.unit.role.is === 'test')
  return ends && /^\w+\s+[1-9]\d*$/.test(textOf(last, scope))
}

const lastOf = (body: readonly Node[]): Node | undefined => body.findLast(n => n.named && n.type !== 'comment')

export const failing = (body: readonly Node[], at: Place, scope: Scope): boolean => fails(lastOf(body), at, scope)
