// Java, from tree-sitter-java to facts.

import type { Comment, Parsed } from '../../facts/facts.ts'
import { draft } from '../build.ts'
import type { ParseOptions } from '../frontend.ts'
import { field, parse, type Node } from '../tree-sitter.ts'
import { isComment, textOf, typeOfNode, type At, type Scope } from './scope.ts'
import { defineType } from './units.ts'

export function parseJava(text: string, options: ParseOptions): Parsed {
  const tree = parse('java', text)
  if (!tree)
    return { units: [], imports: [], comments: [], problems: [{ span: { start: 0, end: text.length }, message: 'parsing took too long' }] }
  const scope: Scope = {
    text,
    options,
    units: [],
    imports: [],
    names: new Map(),
    statics: new Map(),
    packages: [],
    staticClasses: [],
    resolved: new Map(),
    classes: new Map(),
    methods: new Map(),
    typed: new Map(),
    subjects: new Map(),
    style: 'junit4',
    depth: 0,
  }
  for (const node of tree.root.children) {
    if (node.type === 'import_declaration') readImport(node, scope)
    else if (node.type === 'package_declaration') scope.packages.push(textOf(node, scope).replace(/^package\s+|\s*;$/g, ''))
  }
  scope.style = styleOf(scope)
  const comments = survey(tree.root, scope)
  const module = draft(scope.units, { role: { is: 'module' }, name: '', span: { start: 0, end: text.length }, parent: null })
  const at: At = {
    scope,
    unit: module,
    region: 0,
    env: { vars: new Map(), up: null },
    owners: [],
    returns: module.returns,
    closures: new Map(),
    made: [],
    locked: false,
  }
  // A file that the grammar lost its way in has its classes below an ERROR node.
  for (const node of tree.root.children) {
    if (node.type === 'ERROR') node.children.forEach(child => defineType(child, at))
    else defineType(node, at)
  }
  return { units: scope.units, imports: scope.imports, comments, problems: tree.problems }
}

/** `org.testcontainers.shaded.org.awaitility.Awaitility`, `org.apache.flink.shaded.guava33.com.google…`: a library under a roof of its own. */
const SHADED = /^[\w.]+\.(?:shaded?|thirdparty|relocated|repackaged)\.(?:\w+\d\.)?(?=(?:com|org|io|net|javax?)\.)/

function readImport(node: Node, scope: Scope): void {
  const path = node.children.find(c => c.type === 'scoped_identifier' || c.type === 'identifier')
  const name = textOf(path, scope).replace(/\s+/g, '').replace(SHADED, '')
  const isStatic = node.children.some(c => c.type === 'static')
  if (node.children.some(c => c.type === 'asterisk')) {
    scope.imports.push({ span: node, local: '*', name })
    ;(isStatic ? scope.staticClasses : scope.packages).push(name)
    return
  }
  const local = name.slice(name.lastIndexOf('.') + 1)
  scope.imports.push({ span: node, local, name })
  ;(isStatic ? scope.statics : scope.names).set(local, name)
}

function styleOf(scope: Scope): Scope['style'] {
  if (scope.imports.some(i => i.name.startsWith('org.junit.jupiter'))) return 'junit5'
  return scope.imports.some(i => i.name.startsWith('org.testng')) ? 'testng' : 'junit4'
}

const DECLARATIONS = new Set(['class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration'])

/** One look at every node, before the reading: the comments, and what this file declares. */
function survey(root: Node, scope: Scope): Comment[] {
  const comments: Comment[] = []
  const declarations: Node[] = []
  const methods: Node[] = []
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    const { type, children } = node
    if (isComment(node)) comments.push({ span: { start: node.start, end: node.end }, text: uncomment(textOf(node, scope)) })
    else if (type === 'method_declaration') methods.push(node)
    else if (DECLARATIONS.has(type)) declarations.push(node)
    for (let i = children.length - 1; i >= 0; i--) if (children[i]!.children.length > 0 || children[i]!.named) stack.push(children[i]!)
  }
  // Names first: a base or a return type may be a class that is declared further down.
  for (const node of declarations) {
    const name = textOf(field(node, 'name'), scope)
    scope.classes.set(name, { name, methods: new Set(), base: null })
  }
  for (const node of declarations) {
    const name = textOf(field(node, 'name'), scope)
    const base = field(node, 'superclass')?.children.find(c => c.named)
    scope.classes.set(name, { name, methods: scope.classes.get(name)!.methods, base: typeOfNode(base, scope) })
  }
  for (const node of methods) {
    const name = textOf(field(node, 'name'), scope)
    const type = typeOfNode(field(node, 'type'), scope)
    // Overloads that return different things are no help.
    const known = scope.methods.get(name)
    scope.methods.set(name, known === undefined || known?.name === type?.name ? type : null)
    const owner = node.parent?.type === 'enum_body_declarations' ? node.parent.parent?.parent : node.parent?.parent
    if (owner && DECLARATIONS.has(owner.type)) scope.classes.get(textOf(field(owner, 'name'), scope))?.methods.add(name)
  }
  return comments
}

function uncomment(text: string): string {
  if (text.startsWith('//')) return text.replace(/^\/+\s?/, '').trim()
  return text.replace(/^\/\*+|\*+\/$/g, '').replace(/^[ \t]*\* ?/gm, '').trim()
}
