// ESTree as oxc, espree and typescript-estree spell it, and the few questions that every file here asks of a node.

import type { Span } from '../../facts/facts.ts'

/** Fields differ by `type`; reading one that a parser leaves out gives undefined, which every reader expects. */
export interface Node {
  readonly type: string
  readonly [field: string]: any
}

/**
 * typescript-estree gives `range` alone, oxc `start` and `end`. Where there is a range, ESLint's RuleTester forbids to ask for the others.
 */
export const startOf = (node: Node): number => node['range']?.[0] ?? node['start'] ?? 0
export const endOf = (node: Node): number => node['range']?.[1] ?? node['end'] ?? 0
export const spanOf = (node: Node): Span => ({ start: startOf(node), end: endOf(node) })

const TRANSPARENT = new Set(['ChainExpression', 'ParenthesizedExpression', 'TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression',
  'TSTypeAssertion', 'TSInstantiationExpression'])

/** Without optional chaining, parentheses and casts. */
export function bare(node: Node): Node {
  while (TRANSPARENT.has(node.type)) node = node['expression']
  return node
}

export const isFunction = (node: Node): boolean => node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression'

/** Called, it gives a promise: it is `async`, or says so. */
export const givesPromise = (fn: Node): boolean =>
  fn['generator'] !== true && (fn['async'] === true || fn['returnType']?.typeAnnotation?.typeName?.name === 'Promise')

export const isString = (node: Node | null | undefined): boolean => node?.type === 'Literal' && typeof node['value'] === 'string'

/** The name of a property where it can be read off: `a.b`, `a['b']`, `{ b: 1 }`, `{ 'b': 1 }`. */
export function keyOf(node: Node): string | undefined {
  const key: Node | undefined = node.type === 'MemberExpression' ? node['property'] : node['key']
  if (!key) return undefined
  if (!node['computed']) {
    if (key.type === 'Identifier') return key['name']
    if (key.type === 'PrivateIdentifier') return `#${key['name']}`
  }
  // `a[0]` is an element, not a property of that name.
  if (key.type !== 'Literal' || (node.type === 'MemberExpression' && typeof key['value'] !== 'string')) return undefined
  return String(key['value'])
}

/** Every name that a pattern binds. */
export function namesOf(pattern: Node | null | undefined, into: string[] = []): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      into.push(pattern['name'])
      break
    case 'ObjectPattern':
      for (const p of pattern['properties']) namesOf(p.type === 'RestElement' ? p : p.value, into)
      break
    case 'ArrayPattern':
      for (const e of pattern['elements']) namesOf(e, into)
      break
    case 'AssignmentPattern':
      namesOf(pattern['left'], into)
      break
    case 'RestElement':
      namesOf(pattern['argument'], into)
      break
    case 'TSParameterProperty':
      namesOf(pattern['parameter'], into)
      break
  }
  return into
}

/** The declaration inside an export, or the statement itself. */
export function declarationOf(statement: Node): Node {
  const exported = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
  return (exported && statement['declaration']) || statement
}

/** Whether an identifier of this name stands anywhere below. Only asked of the small bodies of promise executors. */
export function mentions(node: unknown, name: string): boolean {
  if (Array.isArray(node)) return node.some(n => mentions(n, name))
  if (node === null || typeof node !== 'object') return false
  const at = node as Node
  if (at.type === 'Identifier' && at['name'] === name) return true
  for (const key in at)
    if (key !== 'parent' && key !== 'loc' && key !== 'range' && typeof at[key] === 'object' && mentions(at[key], name)) return true
  return false
}

/** How often a test's `done` is named other than to be given an error. */
export function goodEnds(node: unknown, name: string): number {
  if (Array.isArray(node)) return node.reduce((sum: number, n) => sum + goodEnds(n, name), 0)
  if (node === null || typeof node !== 'object') return 0
  const at = node as Node
  if (at.type === 'Identifier') return at['name'] === name ? 1 : 0
  const given: Node[] = at.type === 'CallExpression' && at['callee'].type === 'Identifier' && at['callee'].name === name
    ? at['arguments']
    : []
  if (given.length > 0) return goodEnds(given, name)
  if (at.type === 'MemberExpression' && !at['computed']) return goodEnds(at['object'], name)
  let sum = 0
  for (const key in at)
    if (key !== 'parent' && key !== 'loc' && key !== 'range' && typeof at[key] === 'object') sum += goodEnds(at[key], name)
  return sum
}

/** Statements of a body, or the one expression of an arrow function as if it were returned. */
export function bodyOf(fn: Node): readonly Node[] {
  const body: Node | null = fn['body']
  if (!body) return []
  return body.type === 'BlockStatement'
    ? body['body']
    : [{ type: 'ReturnStatement', argument: body, start: startOf(body), end: endOf(body) }]
}
