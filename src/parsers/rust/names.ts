// What a path stands for: `use` declarations, the file's own items, well-known names; and types as far as they are told.

import type { Import, Problem, Resolution, Span, Value } from '../../facts/facts.ts'
import type { Draft } from '../build.ts'
import type { ParseOptions } from '../frontend.ts'
import { field, type Node } from '../tree-sitter.ts'
import { BUILDERS, COMBINATORS, CHANGES, CONSTRUCTOR, GIVES, GLOBS, PAIRS, SAME, WELL_KNOWN, WRAPPERS } from './library.ts'

/** The names of a module or block; what is not found here is looked for outside. */
export interface Names {
  readonly imports: Map<string, string>
  readonly globs: string[]
  readonly own: Set<string>
  readonly parent: Names | null
}

export interface TypeRef {
  /** A path; `()` for a tuple, `[]` for a list. */
  readonly name: string
  readonly of: readonly (TypeRef | undefined)[]
  /** The name was only guessed. */
  readonly guess?: true
}

/** What is known of the whole file. */
export interface Scope {
  readonly text: string
  /** The same with macros unfolded: what the tree was made of. */
  readonly code: string
  readonly options: ParseOptions
  readonly units: Draft[]
  readonly imports: Import[]
  readonly selects: ReadonlySet<number>
  readonly items: ReadonlyMap<number, string>
  /** Functions, types, constants and statics that the file defines anywhere. */
  readonly own: Set<string>
  /** `Cart.started` → its type; `Cart::new` and `make` → what they give. */
  readonly fields: Map<string, TypeRef>
  readonly gives: Map<string, TypeRef>
  readonly statics: Map<string, TypeRef>
  readonly problems: Problem[]
  /** Values of several fields: what one of them is made of, the whole is not. */
  readonly built: WeakSet<Value>
  /** How many more macros of others may be read a second time. */
  budget: number
}

/** A unit being filled, with what its names stand for. */
export interface Body {
  readonly unit: Draft
  readonly scope: Scope
  readonly names: Names
  /** Locals seen so far, with their types where known. */
  readonly types: Map<string, TypeRef | undefined>
  /** The type of each call's result, by the call's place. */
  readonly made: (TypeRef | undefined)[]
  /** Closures and async blocks bound to a name. */
  readonly closures: Map<string, number>
  readonly self: string | undefined
  /** The macro of properties around this, or ''. */
  readonly property: string
}

/** Facts are plain data: a span, never the node itself. */
export const spanOf = (node: Span): Span => ({ start: node.start, end: node.end })
export const textOf = (node: Node | undefined, scope: Scope): string => (node ? scope.text.slice(node.start, node.end) : '')
export const kids = (
  node: Node | undefined,
): Node[] => node ? node.children.filter(c => c.named && c.type !== 'line_comment' && c.type !== 'block_comment') : []

/** A row of a table, never what objects have by nature: `constructor` is a name like any other. */
export const row = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined => Object.hasOwn(table, key) ? table[key] : undefined

export const newNames = (parent: Names | null): Names => ({ imports: new Map(), globs: [], own: new Set(), parent })

const ITEM =
  /^(function_item|struct_item|enum_item|union_item|trait_item|mod_item|const_item|static_item|type_item|function_signature_item)$/

/** The names that a list of items or statements brings: declarations hold for the whole of it. */
export function namesIn(children: readonly Node[], parent: Names | null, scope: Scope): Names {
  if (parent && !children.some(c => c.type === 'use_declaration' || c.type === 'extern_crate_declaration' || ITEM.test(c.type)))
    return parent
  const names = newNames(parent)
  for (const child of children) {
    if (child.type === 'use_declaration') {
      const argument = field(child, 'argument')
      if (argument) readUse(argument, '', child, names, scope)
    } else if (child.type === 'extern_crate_declaration') {
      const name = textOf(field(child, 'name'), scope), alias = textOf(field(child, 'alias'), scope)
      if (alias) bring(alias, name, child, names, scope)
    } else if (child.type === 'mod_item' && !field(child, 'body')) {
      // `mod common;` stands in a file of its own.
      const name = textOf(field(child, 'name'), scope)
      bring(name, `self::${name}`, child, names, scope)
    } else if (ITEM.test(child.type) && !scope.items.has(child.start)) names.own.add(textOf(field(child, 'name'), scope))
  }
  return names
}

const joined = (prefix: string, path: string): string => (prefix === '' ? path : path === 'self' ? prefix : `${prefix}::${path}`)
const spelled = (node: Node | undefined, scope: Scope): string =>
  textOf(node, scope).replace(/\s+/g, '').replace(/^::/, '').replaceAll('r#', '')

function bring(local: string, name: string, node: Node, names: Names, scope: Scope): void {
  const full = canonical(name)
  if (local !== '_' && local !== full) names.imports.set(local, full)
  scope.imports.push({ span: spanOf(node), local, name: full })
}

function readUse(node: Node, prefix: string, whole: Node, names: Names, scope: Scope, depth = 0): void {
  if (depth > 100) return
  switch (node.type) {
    case 'use_list':
      return kids(node).forEach(c => readUse(c, prefix, whole, names, scope, depth + 1))
    case 'scoped_use_list': {
      const list = field(node, 'list')
      const path = field(node, 'path')
      if (list) readUse(list, path ? joined(prefix, spelled(path, scope)) : prefix, whole, names, scope, depth + 1)
      return
    }
    case 'use_as_clause':
      return bring(textOf(field(node, 'alias'), scope), joined(prefix, spelled(field(node, 'path'), scope)), whole, names, scope)
    case 'use_wildcard': {
      const inner = kids(node)[0]
      const module = canonical(inner ? joined(prefix, spelled(inner, scope)) : prefix)
      names.globs.push(module)
      scope.imports.push({ span: spanOf(whole), local: '*', name: module })
      return
    }
    default: {
      const full = joined(prefix, spelled(node, scope))
      return bring(full.slice(full.lastIndexOf(':') + 1), full, whole, names, scope)
    }
  }
}

export function canonical(path: string): string {
  for (const [alias, real] of SAME) if (path.startsWith(alias)) return real + path.slice(alias.length)
  return path
}

export interface Resolved {
  readonly name: string
  readonly resolution: Resolution
}

/** `awaited` tells one `sleep` from another where only a glob of this project could have brought it. */
export function resolve(path: string, body: Pick<Body, 'names' | 'scope' | 'self'>, awaited = false): Resolved {
  const cut = path.indexOf('::')
  const first = cut < 0 ? path : path.slice(0, cut)
  const rest = cut < 0 ? '' : path.slice(cut)
  if (first === 'Self' && body.self) return { name: body.self + rest, resolution: 'local' }
  if (first === 'crate' || first === 'super' || first === 'self' || first === '$crate') return within(path, body.scope)
  for (let around: Names | null = body.names; around; around = around.parent) {
    const imported = around.imports.get(first)
    if (imported !== undefined) {
      const full = canonical(imported + rest)
      return /^(crate|super|self)::/.test(full) ? within(full, body.scope) : { name: full, resolution: 'import' }
    }
    if (around.own.has(first)) return { name: path, resolution: 'local' }
    for (const glob of around.globs)
      if (row(GLOBS, glob)?.includes(first)) return { name: canonical(`${glob}::${first}${rest}`), resolution: 'import' }
  }
  const known = WELL_KNOWN.get(first)
  if (known !== undefined && (rest !== '' || /^[A-Z]|^tempdir$|^thread_rng$/.test(first)))
    return { name: known + rest, resolution: 'guess' }
  if (rest !== '') {
    if (first === 'time') {
      const crate = /^::(Instant|SystemTime|Duration|UNIX_EPOCH)/.test(rest)
        ? 'std::'
        : /^::(sleep|timeout|interval|pause|advance)/.test(rest)
        ? 'tokio::'
        : ''
      return { name: crate + path, resolution: 'guess' }
    }
    // A path that begins with a crate's name needs no import.
    return { name: canonical(path), resolution: /^[a-z]/.test(first) && !PRIMITIVE.test(first) ? 'import' : 'global' }
  }
  if (first === 'sleep' && hasGlob(body.names)) return { name: awaited ? 'tokio::time::sleep' : 'std::thread::sleep', resolution: 'guess' }
  return { name: path, resolution: 'global' }
}

const PRIMITIVE = /^([iu](8|16|32|64|128|size)|f32|f64|str|char|bool)$/

function hasGlob(names: Names): boolean {
  for (let at: Names | null = names; at; at = at.parent) if (at.globs.length > 0) return true
  return false
}

/** A path of this crate: what the file itself defines loses its `super::`. */
function within(path: string, scope: Scope): Resolved {
  const tail = path.replace(/^(\$?crate|self|super)(::(self|super))*::/, '')
  const first = tail.split('::')[0]!
  return scope.own.has(first) ? { name: tail, resolution: 'local' } : { name: path, resolution: 'import' }
}

// ---------------------------------------------------------------------------------------------------- types

export function typeFrom(node: Node | undefined, body: Pick<Body, 'names' | 'scope' | 'self'>, depth = 0): TypeRef | undefined {
  if (!node || depth > 20) return undefined
  const inner = (n: Node | undefined) => typeFrom(n, body, depth + 1)
  switch (node.type) {
    case 'type_identifier':
    case 'identifier':
    case 'scoped_type_identifier':
    case 'scoped_identifier': {
      const name = textOf(node, body.scope).replace(/\s+/g, '').replace(/::<.*$/s, '')
      if (name === 'Self') return body.self ? { name: body.self, of: [] } : undefined
      // A type parameter.
      if (/^[A-Z]\d?$/.test(name)) return undefined
      const resolved = resolve(name, body)
      return { name: resolved.name, of: [], ...(resolved.resolution === 'guess' && { guess: true as const }) }
    }
    case 'generic_type': {
      const base = inner(field(node, 'type'))
      const of = kids(field(node, 'type_arguments')).filter(a => a.type !== 'lifetime').map(inner)
      if (!base) return undefined
      return WRAPPERS.has(lastOf(base.name)) ? of[0] : { ...base, of }
    }
    case 'reference_type':
    case 'pointer_type':
      return inner(field(node, 'type'))
    case 'tuple_type':
      return { name: '()', of: kids(node).map(inner) }
    case 'array_type':
      return { name: '[]', of: [inner(field(node, 'element'))] }
    default:
      return undefined
  }
}

export const lastOf = (path: string): string => path.slice(path.lastIndexOf(':') + 1)

/** A list's or map's element, for `for x in xs`. */
export const elementOf = (type: TypeRef | undefined): TypeRef | undefined =>
  type && (type.name === '[]' || /^(Vec|VecDeque|HashSet|BTreeSet|BinaryHeap)$/.test(lastOf(type.name))) ? type.of[0] : undefined

/** What `env::temp_dir()` stands for in a path. */
export const SHARED_FOLDER = '/tmp'

export const isPath = (value: Value): boolean => value.is === 'text' && value.parts[1]?.is === 'literal' && value.parts[1].value === '/'

export function typeOf(value: Value | null, body: Body): TypeRef | undefined {
  if (!value) return undefined
  if (isPath(value) || (value.is === 'literal' && value.value === SHARED_FOLDER)) return { name: 'std::path::PathBuf', of: [] }
  if (value.is === 'call') return body.made[value.call]
  if (value.is === 'group' && value.of.length === 1) return typeOf(value.of[0]!, body)
  if (value.is === 'op') {
    if (value.op === '[]') return elementOf(typeOf(value.of[0] ?? null, body))
    const left = value.op === '+' || value.op === '-' ? typeOf(value.of[0] ?? null, body) : undefined
    if (!left || !/::(Instant|SystemTime|Duration|DateTime)$/.test(left.name)) return undefined
    const right = typeOf(value.of[1] ?? null, body)
    return value.op === '-' && right?.name === left.name && left.name.startsWith('std::') ? { name: 'std::time::Duration', of: [] } : left
  }
  return value.is === 'name' ? typeOfPath(value.path, body) : undefined
}

function typeOfPath(path: string, body: Body): TypeRef | undefined {
  if (body.types.has(path)) return body.types.get(path)
  if (path === 'self') return body.self ? { name: body.self, of: [] } : undefined
  const dot = path.lastIndexOf('.')
  if (dot > 0) {
    const owner = typeOfPath(path.slice(0, dot), body)
    const name = path.slice(dot + 1)
    if (owner?.name === '()') return owner.of[Number(name)]
    return owner && body.scope.fields.get(`${lastOf(owner.name)}.${name}`)
  }
  const last = lastOf(path)
  if (last === 'UNIX_EPOCH') return { name: 'std::time::SystemTime', of: [] }
  const told = body.scope.statics.get(last)
  if (told) return told
  // A unit struct is its own value: `OsRng`.
  return /^[A-Z]\w*[a-z]\w*$/.test(last) && path.includes('::') ? { name: path, of: [] } : undefined
}

/** What a call gives: told by the file, by the tables, or by being a constructor. */
export function givenBy(name: string, receiver: TypeRef | undefined, args: readonly Value[], turbofish: TypeRef | undefined, body: Body):
  | TypeRef
  | undefined
{
  const own = body.scope.gives.get(name)
  if (own) return own
  const pair = row(PAIRS, name)
  if (pair) return { name: '()', of: [{ name: pair[0], of: [] }, { name: pair[1], of: [] }] }
  const given = row(GIVES, name)
  if (given !== undefined) return given === 'inner' ? receiver?.of[0] : given === '' ? undefined : { name: given, of: [] }
  const cut = name.lastIndexOf('::')
  const method = name.slice(cut < 0 ? name.lastIndexOf('.') + 1 : cut + 2)
  if (receiver && COMBINATORS.has(method)) return CHANGES.has(method) ? undefined : receiver
  if (method === 'collect' || method === 'parse') return turbofish
  const owner = cut < 0 ? '' : name.slice(0, cut)
  const builder = row(BUILDERS, owner)
  if (builder) return builder.test(method) ? undefined : { name: owner, of: [] }
  if (receiver) return undefined
  if (cut < 0 || !/^[A-Z]/.test(lastOf(owner)) || !CONSTRUCTOR.test(method)) return undefined
  // `Mutex::new(x)` holds an x.
  return { name: owner, of: /^(Mutex|RwLock|RefCell|Cell)$/.test(lastOf(owner)) ? [typeOf(args[0] ?? null, body)] : [] }
}
