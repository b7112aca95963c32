// What a file's names stand for: imports, its own declarations, and the types of variables as far as they are cheap to know.
// A type is a string: `time.Time`, `sync.WaitGroup`, `Cart`, `[]Cart`, `map[]int`, `chan int`; pointers are left out, '' is unknown.

import type { Import, Span, Value } from '../../facts/facts.ts'
import type { Draft } from '../build.ts'
import type { ParseOptions } from '../frontend.ts'
import { field, fieldsOf, named, type Node } from '../tree-sitter.ts'
import { GINKGO, GINKGO_NODES, GINKGO_OTHERS, GOMEGA, GOMEGA_NAMES, SUITE_IMPORT } from './frameworks.ts'

export interface Scope {
  readonly text: string
  readonly options: ParseOptions
  readonly units: Draft[]
  readonly imports: Import[]
  /** What an import is called here: `r` → `math/rand`. */
  readonly names: Map<string, string>
  /** Paths imported with a dot. */
  readonly dots: string[]
  /** The results of this file's functions and methods: `NewCart` → [`Cart`], `Cart.Total` → [`int`]. */
  readonly functions: Map<string, readonly string[]>
  /** Types of struct fields: `Cart.opened` → `time.Time`; and maps under a name of their own: `prices` → `map[]int`. */
  readonly fields: Map<string, string>
  /** Types that run as suites, with the test that runs them where this file has it. */
  readonly suites: Map<string, string | null>
  readonly suiteUnits: Map<string, number>
  /** Types, variables and constants of this file. */
  readonly own: Set<string>
}

export interface Env {
  readonly types: Map<string, string>
  readonly outer: Env | null
}

/** Where an expression or a statement stands. */
export interface Place {
  readonly scope: Scope
  readonly unit: Draft
  readonly region: number
  readonly env: Env
  /** Where the values of `return` go: the unit's, or a closure's own. */
  readonly returns: Value[]
  /** The text of the conditions around it, for skips. */
  readonly condition: string | null
}

export const inside = (at: Place, region: number): Place => ({ ...at, region })
/** Facts keep places, never nodes: a node would keep its whole tree alive. */
export const spanOf = (node: Node): Span => ({ start: node.start, end: node.end })
export const textOf = (node: Node | undefined, scope: Scope): string => (node ? scope.text.slice(node.start, node.end) : '')

export function lookup(env: Env, name: string): string | undefined {
  for (let at: Env | null = env; at; at = at.outer) {
    const type = at.types.get(name)
    if (type !== undefined) return type
  }
  return undefined
}

// -------------------------------------------------------------------------------------------------- imports

export function readImports(node: Node, scope: Scope): void {
  const specs = node.children.flatMap(c => (c.type === 'import_spec_list' ? c.children : [c])).filter(c => c.type === 'import_spec')
  for (const spec of specs) {
    const path = textOf(field(spec, 'path'), scope).slice(1, -1)
    const alias = field(spec, 'name')
    if (alias?.type === 'dot') {
      scope.dots.push(path)
      scope.imports.push({ span: spanOf(spec), local: '*', name: path })
    } else if (alias?.type !== 'blank_identifier') {
      const locals = alias ? [textOf(alias, scope)] : packageNames(path)
      for (const local of locals) scope.names.set(local, path)
      scope.imports.push({ span: spanOf(spec), local: locals[0]!, name: path })
    }
  }
}

/** A package's name is not written in its path; these are what it may be by custom. */
function packageNames(path: string): string[] {
  const parts = path.split('/')
  const last = parts.length > 1 && /^v\d+$/.test(parts.at(-1)!) ? parts.at(-2)! : parts.at(-1)!
  const name = last.replace(/\.v\d+$/, '')
  if (/^\w+$/.test(name)) return [name]
  const short = name.replace(/^go[-.]/, '').replace(/[-.]go$/, '')
  return [...new Set([short.replace(/\W/g, ''), short.replace(/\W/g, '_'), name.replace(/\W/g, ''), name.replace(/^.*\W/, '')])]
}

/** The package that a name comes from when packages are imported with a dot. */
export function dotImport(name: string, scope: Scope): string | undefined {
  if (scope.dots.length === 0 || !/^[A-ZΩ]/.test(name) || scope.own.has(name) || scope.functions.has(name)) return undefined
  const unlisted: string[] = []
  for (const path of scope.dots) {
    const known = GINKGO.test(path)
      ? (n: string) => n in GINKGO_NODES || GINKGO_OTHERS.has(n)
      : path === GOMEGA
      ? (n: string) => GOMEGA_NAMES.has(n)
      : undefined
    if (known?.(name)) return path
    if (!known) unlisted.push(path)
  }
  return unlisted.length === 1 ? unlisted[0] : undefined
}

// ---------------------------------------------------------------------------------------------- declarations

/** Reads what functions return and what structs hold before any body is read. */
export function readDeclarations(root: Node, scope: Scope): void {
  for (const node of root.children) {
    if (node.type === 'import_declaration') readImports(node, scope)
    for (const spec of node.children.flatMap(c => (c.type === 'var_spec_list' ? c.children : [c])))
      if (/^(type|var|const)_spec$|^type_alias$/.test(spec.type)) {
        for (const name of spec.children) if (/identifier$/.test(name.type)) scope.own.add(textOf(name, scope))
      }
  }
  for (const node of root.children)
    if (node.type === 'type_declaration') { for (const spec of node.children) if (spec.type === 'type_spec') readType(spec, scope) }
  for (const node of root.children) {
    if (node.type !== 'function_declaration' && node.type !== 'method_declaration') continue
    const name = textOf(field(node, 'name'), scope)
    const owner = receiverType(node, scope)
    scope.functions.set(owner === '' ? name : `${owner}.${name}`, resultTypes(field(node, 'result'), scope))
    if (owner !== '' && isSuite(owner, scope) && !scope.suites.has(owner)) scope.suites.set(owner, null)
    if (owner === '' && name.startsWith('Test')) readRunner(name, node, scope)
  }
}

/** `suite.Run(t, new(CartSuite))` says which test runs the methods of CartSuite. */
function readRunner(name: string, node: Node, scope: Scope): void {
  if (![...scope.names.values()].includes(SUITE_IMPORT)) return
  for (const [, type] of textOf(node, scope).matchAll(/\bsuite\.Run\(\s*\w+\s*,\s*(?:new\(|&)\s*(\w+)/g)) scope.suites.set(type!, name)
}

export const isSuite = (type: string, scope: Scope): boolean => /Suite$/.test(type) || scope.suites.has(type)

function readType(spec: Node, scope: Scope): void {
  const owner = textOf(field(spec, 'name'), scope)
  const body = field(spec, 'type')
  // `type prices map[string]int`: what it is by its own name.
  if (body?.type === 'map_type') scope.fields.set(owner, typeName(body, scope))
  if (body?.type !== 'struct_type') return
  for (const declared of named(body).flatMap(list => named(list)).filter(d => d.type === 'field_declaration')) {
    const type = typeName(field(declared, 'type'), scope)
    if (type === `${SUITE_IMPORT}.Suite`) scope.suites.set(owner, null)
    for (const name of fieldsOf(declared, 'name')) if (name.named) scope.fields.set(`${owner}.${textOf(name, scope)}`, type)
  }
}

export function receiverType(node: Node, scope: Scope): string {
  const receiver = field(node, 'receiver')
  const declared = receiver && named(receiver)[0]
  return declared ? typeName(field(declared, 'type'), scope) : ''
}

function resultTypes(node: Node | undefined, scope: Scope): string[] {
  if (node?.type !== 'parameter_list') return node ? [typeName(node, scope)] : []
  return named(node).flatMap(p =>
    Array<string>(Math.max(1, fieldsOf(p, 'name').filter(n => n.named).length)).fill(typeName(field(p, 'type'), scope))
  )
}

export function typeName(node: Node | undefined, scope: Scope): string {
  switch (node?.type) {
    case 'pointer_type':
    case 'parenthesized_type':
      return typeName(named(node)[0], scope)
    case 'qualified_type': {
      const local = textOf(field(node, 'package'), scope)
      return `${scope.names.get(local) ?? local}.${textOf(field(node, 'name'), scope)}`
    }
    case 'type_identifier': {
      const name = textOf(node, scope)
      const path = dotImport(name, scope)
      return path ? `${path}.${name}` : name
    }
    case 'generic_type':
      return typeName(field(node, 'type'), scope)
    case 'slice_type':
    case 'array_type':
      return `[]${typeName(field(node, 'element'), scope)}`
    case 'map_type':
      return `map[]${typeName(field(node, 'value'), scope)}`
    case 'channel_type':
      return `chan ${typeName(field(node, 'value'), scope)}`
    case 'function_type':
      return 'func'
    default:
      return ''
  }
}

/** What one turn of a range, an index or a receive gives. */
export const elementOf = (type: string): string => (/^(?:\[\]|map\[\]|chan )(.*)$/s.exec(type)?.[1] ?? '')

/** Names and types of parameters, as a function's first variables. */
export function readParameters(list: Node | undefined, types: Map<string, string>, scope: Scope): string[] {
  const names: string[] = []
  for (const parameter of list ? named(list) : []) {
    const type = typeName(field(parameter, 'type'), scope)
    for (const name of fieldsOf(parameter, 'name').filter(n => n.named)) {
      names.push(textOf(name, scope))
      types.set(textOf(name, scope), parameter.type === 'variadic_parameter_declaration' ? `[]${type}` : type)
    }
  }
  return names
}
