// What names stand for: imports of the module, and in each function its own imports and whatever hides one.

import type { Import } from '../../facts/facts.ts'
import { field, named, type Node } from '../tree-sitter.ts'

export type Names = ReadonlyMap<string, string>

/** Every node below (and with) this one, in source order, without recursion. */
export function* everyNode(root: Node, enter: (node: Node) => boolean = () => true): Generator<Node> {
  const waiting = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node
    if (node !== root && !enter(node)) continue
    for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!)
  }
}

/** The imports of a file, and the names that those outside of functions give it; `pause = time.sleep` gives one too. */
export function importsIn(root: Node, found: readonly Node[], text: string,
  known: ReadonlySet<string>): { imports: Import[]; names: Names; wildcards: string[] }
{
  const imports: Import[] = [], names = new Map<string, string>()
  for (const node of found) {
    const read = readImport(node, text)
    imports.push(...read)
    if (!inFunction(node)) { for (const { local, name } of read) if (local !== '*') names.set(local, boundTo(node, local, name)) }
  }
  for (const statement of root.children) {
    const node = statement.type === 'expression_statement' ? statement.children[0] : undefined
    const left = node && field(node, 'left'), right = node && field(node, 'right')
    if (node?.type !== 'assignment' || left?.type !== 'identifier' || (right?.type !== 'attribute' && right?.type !== 'identifier'))
      continue
    const [first, ...rest] = text.slice(right.start, right.end).split('.')
    const path = [names.get(first!) ?? first, ...rest].join('.')
    if (names.has(first!) && known.has(path)) names.set(text.slice(left.start, left.end), path)
  }
  return { imports, names, wildcards: imports.filter(i => i.local === '*').map(i => i.name) }
}

function inFunction(node: Node): boolean {
  for (let at = node.parent; at; at = at.parent) if (at.type === 'function_definition') return true
  return false
}

/** `import os.path` binds `os`. */
const boundTo = (node: Node, local: string, name: string): string =>
  node.type === 'import_statement' && name.startsWith(`${local}.`) ? local : name

function readImport(node: Node, text: string): Import[] {
  const of = (n: Node | undefined) => (n ? text.slice(n.start, n.end) : '')
  const module = node.type === 'import_from_statement' ? of(field(node, 'module_name')) : ''
  const from = module === '' || module.endsWith('.') ? module : `${module}.`
  const span = { start: node.start, end: node.end }
  return node.children.flatMap((child): Import[] => {
    if (child.type === 'wildcard_import') return [{ span, local: '*', name: module }]
    if (child.field !== 'name') return []
    const name = of(child.type === 'aliased_import' ? field(child, 'name') : child)
    const local = child.type === 'aliased_import' ? of(field(child, 'alias')) : module === '' ? name.split('.')[0]! : name
    return [{ span, local, name: from + name }]
  })
}

/** What a function sees: its imports come in, its parameters and variables hide those of the module. */
export function localsIn(definition: Node, text: string, around: Names): { names: Names; outside: ReadonlySet<string> } {
  const brought = new Map<string, string>(), hidden = new Set<string>(), outside = new Set<string>()
  const of = (n: Node | undefined) => (n ? text.slice(n.start, n.end) : '')
  const hide = (n: Node | undefined) => {
    for (const name of n ? everyNode(n, c => c.type !== 'attribute' && c.type !== 'subscript') : [])
      if (name.type === 'identifier' && name.parent?.type !== 'attribute') hidden.add(of(name))
  }
  for (const parameter of named(field(definition, 'parameters') ?? definition))
    hide(
      parameter.type === 'identifier'
        ? parameter
        : field(parameter, 'name') ?? named(parameter).find(n => n.type === 'identifier' || n.type.endsWith('pattern')),
    )
  const body = field(definition, 'body')
  for (const node of body
    ? everyNode(body, n => n.type !== 'function_definition' && n.type !== 'class_definition' && n.type !== 'lambda')
    : [])
  {
    switch (node.type) {
      case 'import_statement':
      case 'import_from_statement':
        for (const { local, name } of readImport(node, text)) if (local !== '*') brought.set(local, boundTo(node, local, name))
        break
      case 'global_statement':
      case 'nonlocal_statement':
        named(node).forEach(n => outside.add(of(n)))
        break
      case 'function_definition':
      case 'class_definition':
        if (node !== body) hide(field(node, 'name'))
        break
      case 'assignment':
      case 'for_statement':
        if (field(node, 'left')?.type !== 'attribute' && field(node, 'left')?.type !== 'subscript') hide(field(node, 'left'))
        break
      case 'as_pattern_target':
        hide(node)
    }
  }
  const hides = [...hidden].filter(n => around.has(n) && !outside.has(n) && !brought.has(n))
  if (brought.size === 0 && hides.length === 0) return { names: around, outside }
  const names = new Map([...around, ...brought])
  for (const name of hides) names.delete(name)
  return { names, outside }
}
