// Go, from tree-sitter-go to facts. Names and types are in scope.ts and types.ts, what a unit is in units.ts.

import type { Comment, Parsed, Problem } from '../../facts/facts.ts'
import { draft } from '../build.ts'
import type { ParseOptions } from '../frontend.ts'
import { parse, type Node } from '../tree-sitter.ts'
import { readDeclarations, spanOf, type Place, type Scope } from './scope.ts'
import { statement } from './statements.ts'

export function parseGo(text: string, options: ParseOptions): Parsed {
  const tree = parse('go', text)
  const scope: Scope = {
    text,
    options,
    units: [],
    imports: [],
    names: new Map(),
    dots: [],
    functions: new Map(),
    fields: new Map(),
    suites: new Map(),
    suiteUnits: new Map(),
    own: new Set(),
  }
  const all = { start: 0, end: text.length }
  const module = draft(scope.units, { role: { is: 'module' }, name: '', span: all, parent: null })
  if (!tree) return { units: scope.units, imports: [], comments: [], problems: [{ span: all, message: 'parsing took too long' }] }
  const problems: Problem[] = [...tree.problems]
  const at: Place = { scope, unit: module, region: 0, env: { types: new Map(), outer: null }, returns: module.returns, condition: null }
  readDeclarations(tree.root, scope)
  for (const node of tree.root.children) {
    // Code that is nested deeper than the stack costs its own declaration, not the file.
    try {
      statement(node, at)
    } catch (error) {
      problems.push({ span: spanOf(node), message: error instanceof RangeError ? 'nested too deeply' : `not understood: ${String(error)}` })
    }
  }
  return { units: scope.units, imports: scope.imports, comments: commentsOf(tree.root, text), problems }
}

/** Without recursion: a tree can be deeper than the stack. */
function commentsOf(root: Node, text: string): Comment[] {
  const comments: Comment[] = []
  const open: Node[] = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'comment')
      comments.push({ span: spanOf(node), text: text.slice(node.start, node.end).replace(/^\/\/+|^\/\*+|\*+\/$/g, '').trim() })
    for (let i = node.children.length - 1; i >= 0; i--) open.push(node.children[i]!)
  }
  return comments
}
