// What the readers of one file share: where we are, and what a name or a value stands for.

import type { Import, Value } from '../../facts/facts.ts'
import type { Draft } from '../build.ts'
import type { ParseOptions } from '../frontend.ts'
import type { Node } from '../tree-sitter.ts'
import { JAVA_LANG, PACKAGES, STATIC_MEMBERS } from './types.ts'

/** A type as far as receivers need it: its qualified name, and what it holds (`List<Thread>`, `Thread[]`, `Future<X>`). */
export interface Type {
  readonly name: string
  readonly of?: Type
}

/** Variables in reach and their types; null where a variable has none we know, so that it is not taken for a class. */
export interface Env {
  readonly vars: Map<string, Type | null>
  readonly up: Env | null
}

export interface OwnClass {
  readonly name: string
  readonly methods: Set<string>
  readonly base: Type | null
}

export interface Scope {
  readonly text: string
  readonly options: ParseOptions
  readonly units: Draft[]
  readonly imports: Import[]
  /** `Random` → `java.util.Random`; static imports: `SECONDS` → `java.util.concurrent.TimeUnit.SECONDS`. */
  readonly names: Map<string, string>
  readonly statics: Map<string, string>
  /** Packages and classes of `import x.*` and `import static X.*`; the file's own package is one of them. */
  readonly packages: string[]
  readonly staticClasses: string[]
  readonly resolved: Map<string, string>
  readonly classes: Map<string, OwnClass>
  /** Methods that this file declares, with what they return. */
  readonly methods: Map<string, Type | null>
  /** Types of values that are not names. */
  readonly typed: Map<Value, Type>
  /** What `assertThat(x)` and `verify(mock)` hand on to the calls chained to them. */
  readonly subjects: Map<Value, Subject>
  /** Which assertions an unqualified `assertEquals` most likely is. */
  style: 'junit4' | 'junit5' | 'testng'
  depth: number
}

export interface Subject {
  readonly is: 'fluent' | 'mock' | 'stubbing'
  readonly value: Value
  readonly absence: boolean
  readonly tolerance?: Value
  /** `verify(mock, times(3))`: 3. */
  readonly count?: Value
}

/** Where a node stands. */
export interface At {
  readonly scope: Scope
  readonly unit: Draft
  readonly region: number
  readonly env: Env
  /** The classes around, innermost first. */
  readonly owners: readonly OwnClass[]
  /** Where the `return`s of the innermost method or closure go. */
  readonly returns: Value[]
  /** Closures that a local variable holds, by its name: `Runnable r = () -> …`. */
  readonly closures: Map<string, number[]>
  /** Methods of anonymous classes and the constructor calls they stand in. */
  readonly made: { readonly region: number; readonly call: number }[]
  /** Inside `synchronized`, where `wait` is Object's. */
  readonly locked: boolean
}

export const STRING: Type = { name: 'java.lang.String' }

/** Nesting beyond this is generated or hostile; what lies deeper is left unknown rather than risk the stack. */
export const MAX_DEPTH = 250

export const textOf = (node: Node | undefined, scope: Scope): string => (node ? scope.text.slice(node.start, node.end) : '')

export const isComment = (node: Node): boolean => node.type === 'line_comment' || node.type === 'block_comment'

/** Children that carry meaning. */
export const parts = (node: Node): Node[] => node.children.filter(c => c.named && !isComment(c))
export const firstPart = (node: Node): Node | undefined => node.children.find(c => c.named && !isComment(c))

export const within = (at: At, region: number): At => ({ ...at, region })

export function lookup(env: Env, name: string): Type | null | undefined {
  for (let e: Env | null = env; e; e = e.up) {
    const type = e.vars.get(name)
    if (type !== undefined) return type
  }
  return undefined
}

/** The qualified name of a type's simple name. */
export function resolveType(name: string, scope: Scope): string {
  const known = scope.resolved.get(name)
  if (known !== undefined) return known
  const dot = name.indexOf('.')
  const found = dot < 0
    ? resolveSimple(name, scope)
    : /^[a-z]/.test(name)
    ? name
    : `${resolveSimple(name.slice(0, dot), scope)}${name.slice(dot)}`
  scope.resolved.set(name, found)
  return found
}

function resolveSimple(name: string, scope: Scope): string {
  if (scope.classes.has(name)) return name
  const imported = scope.names.get(name)
  if (imported) return imported
  for (const from of scope.packages) if (PACKAGES.get(from)?.has(name)) return `${from}.${name}`
  return JAVA_LANG.has(name) ? `java.lang.${name}` : name
}

/** A member that `import static` brought in, by name or with everything else of a class we know. */
export function resolveStatic(name: string, scope: Scope): string | undefined {
  const imported = scope.statics.get(name)
  if (imported) return imported
  for (const from of scope.staticClasses) if (STATIC_MEMBERS[from]?.test(name)) return `${from}.${name}`
  return undefined
}

/** The type a type node names, with its last type argument. */
export function typeOfNode(node: Node | undefined, scope: Scope): Type | null {
  if (!node) return null
  switch (node.type) {
    case 'type_identifier':
    case 'identifier': {
      const name = textOf(node, scope)
      return name === 'var' ? null : { name: resolveType(name, scope) }
    }
    case 'scoped_type_identifier':
      return { name: resolveType(textOf(node, scope).replace(/<[^<>]*>|\s+/g, ''), scope) }
    case 'generic_type': {
      const base = typeOfNode(node.children[0], scope)
      const given = node.children.find(c => c.type === 'type_arguments')
      const last = given && typeOfNode(parts(given).at(-1), scope)
      return base && last ? { ...base, of: last } : base
    }
    case 'wildcard':
      return typeOfNode(parts(node).at(-1), scope)
    case 'annotated_type':
      return typeOfNode(parts(node).at(-1), scope)
    case 'array_type': {
      const element = typeOfNode(node.children[0], scope)
      return element && { name: `${element.name}[]`, of: element }
    }
    default:
      return node.type.endsWith('_type') ? { name: textOf(node, scope) } : null
  }
}

export function typeOf(value: Value | null, at: At): Type | undefined {
  if (!value) return undefined
  if (value.is === 'name') return lookup(at.env, value.path) ?? at.scope.typed.get(value)
  if (value.is === 'text') return at.scope.typed.get(value) ?? STRING
  if (value.is === 'literal') return typeof value.value === 'string' ? STRING : undefined
  if (value.is === 'op' && value.op === '[]') return typeOf(value.of[0] ?? null, at)?.of
  return at.scope.typed.get(value)
}

/** The class that a method of one of our own classes comes from: itself, or the first base that is not in this file. */
export function declaring(type: string, method: string, scope: Scope): string {
  let name = type
  for (let i = 0; i < 8; i++) {
    const own = scope.classes.get(name)
    if (!own || own.methods.has(method) || !own.base) return name
    name = own.base.name
  }
  return name
}
