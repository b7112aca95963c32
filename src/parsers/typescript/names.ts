// Which thing a name stands for: scopes, imports and requires, aliases, and the types of receivers that the catalog knows.

import type { Import, Resolution, Value } from '../../facts/facts.ts'
import type { Draft } from '../build.ts'
import type { ParseOptions } from '../frontend.ts'
import { CALLABLE_PACKAGES, KEPT_ROOTS, KNOWN_GLOBALS, LOOSE_MODULES, MODULES, RETURNS, REWRITES, RUNNERS,
  UI_MODULES } from './frameworks.ts'
import { bare, declarationOf, goodEnds, isFunction, isString, keyOf, namesOf, spanOf, type Node } from './syntax.ts'

export interface Binding {
  readonly is: 'import' | 'alias' | 'function' | 'class' | 'variable' | 'parameter'
  /** import, alias: the qualified name it stands for. */
  readonly path?: string
  readonly by?: Resolution
  /** The type of what it holds, where the catalog speaks of it. Filled in by assignments too. */
  type?: string
  /** A function that hands its own arguments on to a test runner's function. */
  forwards?: string
  /** `const maybe = ci ? it : it.skip`. */
  readonly skip?: { readonly how: string; readonly condition: string }
  /** The property it was taken from: `({ findByText })`, `const { listen } = server`. */
  readonly key?: string
  /** Parameters that settle something: a promise executor's, or a test's `done`. */
  readonly settles?: 'resolve' | 'reject' | 'done'
  /** A test's `done` that is called, or handed on, for a good end in one place only. */
  readonly endsOnce?: boolean
}

export interface Env {
  readonly names: Map<string, Binding>
  readonly parent: Env | null
}

export interface File {
  readonly text: string
  readonly options: ParseOptions
  readonly units: Draft[]
  readonly imports: Import[]
  /** Types of `this.x`, by path. */
  readonly fields: Map<string, string>
  /** Something that drives a browser is imported, so `page` is surely a page. */
  drivesBrowser: boolean
  readonly problems: { span: { start: number; end: number }; message: string }[]
}

export const child = (parent: Env): Env => ({ names: new Map(), parent })

export function lookup(name: string, env: Env): Binding | undefined {
  for (let at: Env | null = env; at; at = at.parent) {
    const found = at.names.get(name)
    if (found) return found
  }
  return undefined
}

export const textOf = (node: Node, file: File): string => {
  const { start, end } = spanOf(node)
  return file.text.slice(start, end)
}

// ------------------------------------------------------------------------------------------------- modules

/** `node:fs` → `fs`, `lodash/random` → `lodash.random`, `jsr:@std/assert@1` → `@std/assert`. */
export function moduleName(specifier: string): string {
  if (/^node:(test|sqlite|sea)\b/.test(specifier)) return specifier
  let name = specifier.replace(/^(node:|npm:|jsr:)/, '').replace(/^https:\/\/(?:deno\.land\/std|jsr\.io\/@std)(?:@[\w.-]+)?\/(\w+)\/.*$/,
    '@std/$1')
  name = name.replace(/^((?:@[^/]+\/)?[^/@]+)@[\^~]?\d[\w.-]*/, '$1')
  if (/(^|\/)\.\.?$/.test(name)) name += '/index'
  for (const [pattern, canonical] of MODULES) if (pattern.test(name)) name = name.replace(pattern, canonical)
  return name
}

export function canonical(path: string): string {
  for (const [from, to] of REWRITES)
    if (path.startsWith(from) && (path.length === from.length || path[from.length] === '.'))
      return path.length === from.length
        ? to || path
        : to === ''
        ? canonical(path.slice(from.length + 1))
        : canonical(to + path.slice(from.length))
  return path
}

function bring(file: File, env: Env, node: Node, local: string, module: string, name: string | null): void {
  const path = name === null || name === 'default' ? module : `${module}.${name}`
  if (UI_MODULES.test(module)) file.drivesBrowser = true
  if (local !== '' && local !== '*') env.names.set(local, { is: 'import', path: canonical(path), by: 'import' })
  file.imports.push({ span: spanOf(node), local, name: path })
}

function readImport(node: Node, env: Env, file: File): void {
  const module = moduleName(String(node['source'].value))
  if (node['importKind'] === 'type') return
  if (node['specifiers'].length === 0) bring(file, env, node, '', module, null)
  for (const s of node['specifiers'] as Node[]) {
    if (s['importKind'] === 'type') continue
    const imported = s.type === 'ImportSpecifier' ? s['imported'].name ?? s['imported'].value : null
    bring(file, env, node, s['local'].name, module, imported)
  }
}

function readReexport(node: Node, env: Env, file: File): void {
  if (!node['source'] || node['exportKind'] === 'type') return
  const module = moduleName(String(node['source'].value))
  if (node.type === 'ExportAllDeclaration') return bring(file, env, node, '*', module, null)
  // A re-export binds nothing here, but whoever follows names across files needs to pass through it.
  for (const s of node['specifiers'] as Node[])
    file.imports.push({ span: spanOf(node), local: s['exported'].name ?? s['exported'].value,
      name: `${module}.${s['local'].name ?? s['local'].value}` })
}

/** The module that `require`, a dynamic `import`, awaited or not, and `jest.requireActual` are given. */
export function requiredModule(node: Node, env: Env): string | undefined {
  const at = bare(node)
  if (at.type === 'AwaitExpression') return requiredModule(at['argument'], env)
  if (at.type === 'ImportExpression') return isString(at['source']) ? moduleName(at['source'].value) : undefined
  if (at.type !== 'CallExpression' || !isString(at['arguments'][0])) return undefined
  const callee = bare(at['callee'])
  if (callee.type === 'Identifier' && callee['name'] === 'require' && !lookup('require', env)) return moduleName(at['arguments'][0].value)
  const actual = callee.type === 'MemberExpression' && /^(requireActual|importActual)$/.test(keyOf(callee) ?? '')
  return actual ? moduleName(at['arguments'][0].value) : undefined
}

// ------------------------------------------------------------------------------------------------- hoisting

/** Declares what a block's own statements bind, before any of them is read: functions are called above their definition. */
export function hoist(statements: readonly Node[], env: Env, file: File): void {
  for (const statement of statements) {
    try {
      hoistOne(declarationOf(statement), env, file)
    } catch (error) {
      // Too deep to read; whoever lowers the statement reports it.
      if (!(error instanceof RangeError)) throw error
    }
  }
  bindEndings(statements, env)
}

/**
 * QUnit's `const done = assert.async()`: what a runner hands other tests as a parameter. It is named once more where the test ends well.
 */
function bindEndings(statements: readonly Node[], env: Env): void {
  for (const statement of statements)
    for (const { id, init } of statement.type === 'VariableDeclaration' ? statement['declarations'] as Node[] : []) {
      const callee = init?.type === 'CallExpression' ? bare(init['callee']) : undefined
      if (id.type !== 'Identifier' || callee?.type !== 'MemberExpression' || keyOf(callee) !== 'async'
        || bare(callee['object']).type !== 'Identifier') continue
      if (lookup(bare(callee['object'])['name'], env)?.type === 'assert')
        env.names.set(id.name, { is: 'variable', settles: 'done', endsOnce: goodEnds(statements, id.name) === 2 })
    }
}

function hoistOne(node: Node, env: Env, file: File): void {
  switch (node.type) {
    case 'ImportDeclaration':
      readImport(node, env, file)
      break
    case 'ExportAllDeclaration':
      readReexport(node, env, file)
      break
    case 'ExportNamedDeclaration':
      readReexport(node, env, file)
      break
    case 'FunctionDeclaration':
      if (node['id']) env.names.set(node['id'].name, { is: 'function', ...forwarded(node, env) })
      break
    case 'ClassDeclaration':
      if (node['id']) env.names.set(node['id'].name, { is: 'class' })
      break
    case 'TSEnumDeclaration':
      env.names.set(node['id'].name, { is: 'variable' })
      break
    case 'TSImportEqualsDeclaration': {
      const source = node['moduleReference']?.expression
      if (isString(source)) bring(file, env, node, node['id'].name, moduleName(source.value), null)
      break
    }
    case 'VariableDeclaration':
      hoistVariables(node, env, file)
      break
  }
}

export function hoistVariables(node: Node, env: Env, file: File): void {
  for (const { id, init } of node['declarations'] as Node[]) {
    const made = init ? bare(init) : undefined
    if (id.type === 'Identifier' && made) {
      if (isFunction(made)) {
        env.names.set(id.name, { is: 'function', ...forwarded(made, env) })
        continue
      }
      if (made.type === 'ClassExpression') {
        env.names.set(id.name, { is: 'class' })
        continue
      }
    }
    const module = made && requiredModule(made, env)
    if (module !== undefined) {
      bindModule(id, module, null, made!, env, file)
      continue
    }
    const from = made?.type === 'MemberExpression' ? requiredModule(made['object'], env) : undefined
    if (from !== undefined) {
      bindModule(id, from, keyOf(made!) ?? null, made!, env, file)
      continue
    }
    if (node['kind'] !== 'let' && made && bindAlias(id, made, env, file)) continue
    bindPattern(id, env, 'variable')
  }
}

/** Declares what a pattern binds; names taken off an object remember the property, which is a method when called. */
export function bindPattern(pattern: Node | null, env: Env, is: 'variable' | 'parameter'): void {
  if (pattern?.type === 'AssignmentPattern') return bindPattern(pattern['left'], env, is)
  if (pattern?.type !== 'ObjectPattern') return namesOf(pattern).forEach(name => bind(name))
  for (const property of pattern['properties'] as Node[]) {
    const target: Node = property['value']?.type === 'AssignmentPattern' ? property['value'].left : property['value']
    const key = property.type === 'Property' ? keyOf(property) : undefined
    if (key !== undefined && target.type === 'Identifier') bind(target['name'], key)
    else namesOf(property.type === 'Property' ? target : property).forEach(name => bind(name))
  }

  function bind(name: string, key?: string): void {
    if (is === 'variable' || !env.names.has(name)) env.names.set(name, { is, ...(key !== undefined && { key }) })
  }
}

function bindModule(id: Node, module: string, part: string | null, node: Node, env: Env, file: File): void {
  if (id.type === 'Identifier') return bring(file, env, node, id['name'], module, part)
  if (id.type !== 'ObjectPattern') return namesOf(id).forEach(name => env.names.set(name, { is: 'variable' }))
  for (const property of id['properties'] as Node[]) {
    const key = property.type === 'Property' ? keyOf(property) : undefined
    const target = property.type === 'Property' ? property['value'] : property['argument']
    const whole = [part, key].filter(Boolean).join('.')
    if (target.type === 'ObjectPattern') bindModule(target, module, whole, node, env, file)
    else for (const local of namesOf(target)) bring(file, env, node, local, module, key === undefined ? part : whole)
  }
}

/** `const { now } = Date`, `const sleep = promisify(setTimeout)`, `const test = base.extend({})`, `const env = process.env`. */
function bindAlias(id: Node, init: Node, env: Env, file: File): boolean {
  const conditional = init.type === 'ConditionalExpression' ? conditionalRunner(id, init, env, file) : undefined
  if (conditional) return true
  const whole = aliasOf(init, env)
  if (!whole) return false
  const bind = (name: string, path: string) => env.names.set(name, { is: 'alias', path: canonical(path), by: whole.by })
  if (id.type === 'Identifier') bind(id['name'], whole.path)
  else if (id.type === 'ObjectPattern') {
    for (const p of id['properties'] as Node[]) {
      const key = p.type === 'Property' ? keyOf(p) : undefined
      for (const name of namesOf(p.type === 'Property' ? p['value'] : p))
        key === undefined
          ? env.names.set(name, { is: 'variable' })
          : bind(name, `${whole.path}.${key}`)
    }
  } else return false
  return true
}

function conditionalRunner(id: Node, init: Node, env: Env, file: File): boolean {
  const [yes, no] = [pathOf(init['consequent'], env), pathOf(init['alternate'], env)]
  if (id.type !== 'Identifier' || !yes || !no || !isRunnerPath(yes.path) || !isRunnerPath(no.path)) return false
  const skipsWhenFalse = /\.(skip|todo|fixme)$|^x/.test(no.path)
  const chosen = skipsWhenFalse ? yes : no
  const test = textOf(init['test'], file)
  const by = chosen.by === 'variable' ? 'local' : chosen.by
  env.names.set(id['name'], { is: 'alias', path: chosen.path, by,
    skip: { how: (skipsWhenFalse ? no : yes).path, condition: skipsWhenFalse ? `!(${test})` : test } })
  return true
}

export const isRunnerPath = (path: string): boolean =>
  path.split('.').some(part => RUNNERS[part] !== undefined) || path === 'node:test' || path === 'ava' || path === 'tape'

function aliasOf(init: Node, env: Env): { path: string; by: Resolution } | undefined {
  if (init.type === 'CallExpression') {
    const callee = pathOf(init['callee'], env)
    const first = init['arguments'][0] ? pathOf(init['arguments'][0], env) : undefined
    if (callee && first?.path === 'setTimeout' && /(^|\.)promisify$/.test(callee.path))
      return { path: 'util.promisify(setTimeout)', by: callee.by === 'import' ? 'import' : 'guess' }
    // `const test = promisify(tape)` begins tests as tape does.
    if (callee?.by === 'import' && first?.path === 'tape') return { path: 'tape', by: 'import' }
    if (callee && /\.(extend|bind)$/.test(callee.path) && callee.by !== 'variable')
      return { path: callee.path.replace(/\.(extend|bind)$/, ''), by: callee.by }
    return undefined
  }
  if (init.type !== 'Identifier' && init.type !== 'MemberExpression') return undefined
  const path = pathOf(init, env)
  if (!path || path.by === 'variable' || path.by === 'local') return undefined
  // `const x = undefined` and unknown globals say nothing about what the name stands for.
  return path.by === 'import' || KNOWN_GLOBALS.has(path.path.split('.')[0]!) ? { path: path.path, by: path.by } : undefined
}

/** `function itAsync(name, fn) { it(name, () => fn()) }` begins tests in its own name. */
function forwarded(fn: Node, env: Env): { forwards?: string } {
  const params: Node[] = fn['params'] ?? []
  const first = params[0]
  if (params.length < 2 || first?.type !== 'Identifier') return {}
  const rest = params.slice(1).flatMap(p => namesOf(p))
  const body: Node = fn['body']
  const statements: Node[] = body?.type === 'BlockStatement' ? body['body'] : body ? [body] : []
  if (statements.length > 4) return {}
  for (const statement of statements) {
    const call = bare(
      statement.type === 'ExpressionStatement'
        ? statement['expression']
        : statement.type === 'ReturnStatement' && statement['argument']
        ? statement['argument']
        : statement,
    )
    if (call.type !== 'CallExpression' || call['arguments'][0]?.type !== 'Identifier' || call['arguments'][0].name !== first['name'])
      continue
    const callee = pathOf(call['callee'], env)
    if (!callee || callee.by === 'variable' || callee.by === 'local' || !isRunnerPath(callee.path)) continue
    const given = call['arguments'][1] as Node | undefined
    const calls = given
      && (given.type === 'Identifier' ? rest.includes(given['name']) : isFunction(given) && rest.some(name => callsName(given, name)))
    if (calls) return { forwards: callee.path }
  }
  return {}
}

function callsName(fn: Node, name: string): boolean {
  const body: Node = fn['body']
  const statements: Node[] = body.type === 'BlockStatement' ? body['body'] : [body]
  return statements.some(s => {
    let at = bare(s.type === 'ExpressionStatement' ? s['expression'] : s.type === 'ReturnStatement' && s['argument'] ? s['argument'] : s)
    if (at.type === 'AwaitExpression') at = bare(at['argument'])
    return at.type === 'CallExpression' && at['callee'].type === 'Identifier' && at['callee'].name === name
  })
}

// ---------------------------------------------------------------------------------------------------- paths

export interface Path {
  readonly path: string
  /** `variable` where the first name is a local whose value is not followed. */
  readonly by: Resolution | 'variable'
  readonly root?: Binding
}

/** A dotted path with its first name followed through scopes and imports. */
export function pathOf(node: Node, env: Env): Path | undefined {
  const at = bare(node)
  switch (at.type) {
    case 'Identifier': {
      const binding = lookup(at['name'], env)
      if (!binding) return { path: at['name'], by: 'global' }
      if (binding.path !== undefined) return { path: binding.path, by: binding.by ?? 'import', root: binding }
      const own = binding.is === 'function' || binding.is === 'class'
      return { path: at['name'], by: own ? 'local' : 'variable', root: binding }
    }
    case 'ThisExpression':
      return { path: 'this', by: 'variable' }
    case 'Super':
      return { path: 'super', by: 'variable' }
    case 'MetaProperty':
      return { path: `${at['meta'].name}.${at['property'].name}`, by: 'global' }
    case 'MemberExpression': {
      const key = keyOf(at)
      const object = key === undefined ? undefined : pathOf(at['object'], env)
      return object && key !== undefined
        ? { ...object, path: key === 'default' && object.by === 'import' ? object.path : `${object.path}.${key}` }
        : undefined
    }
    case 'CallExpression':
    case 'ImportExpression':
    case 'AwaitExpression': {
      const module = requiredModule(at, env)
      return module === undefined ? undefined : { path: module, by: 'import' }
    }
    default:
      return undefined
  }
}

export interface Named {
  readonly name: string
  readonly resolution: Resolution
}

/** The qualified name of what is called. `receiver` is the already lowered object of a method call. */
export function calleeName(node: Node, receiver: Value | null, unit: Draft, env: Env, file: File): Named {
  const callee = bare(node)
  if (callee.type === 'Identifier') {
    const binding = lookup(callee['name'], env)
    if (!binding) return { name: canonical(callee['name']), resolution: 'global' }
    if (binding.path !== undefined) return { name: canonical(binding.path), resolution: binding.by ?? 'import' }
    if (binding.is === 'function' || binding.is === 'class') return { name: callee['name'], resolution: 'local' }
    if (binding.type === 'time-span.end') return { name: binding.type, resolution: 'type' }
    // A variable is not the package of the same name.
    const method = binding.key ?? (CALLABLE_PACKAGES.has(callee['name']) ? callee['name'] as string : undefined)
    return { name: method === undefined ? callee['name'] : `?.${method}`, resolution: 'guess' }
  }
  if (callee.type !== 'MemberExpression') {
    const module = requiredModule(callee, env)
    return module === undefined ? { name: '?', resolution: 'guess' } : { name: module, resolution: 'import' }
  }
  const method = keyOf(callee)
  if (method === undefined) return { name: '?.[]', resolution: 'guess' }
  const object = pathOf(callee['object'], env)
  if (object?.by === 'import' || object?.by === 'type')
    return { name: canonical(method === 'default' ? object.path : `${object.path}.${method}`), resolution: object.by }
  if (object?.by === 'local') return { name: `${object.path}.${method}`, resolution: 'local' }
  const type = typeOf(callee['object'], receiver, unit, env, file)
  if (type) return { name: canonical(`${type.type}.${method}`), resolution: type.own ? 'local' : 'type' }
  if (!object) return { name: `?.${method}`, resolution: 'guess' }
  return rootedName(object, method, file)
}

function rootedName(object: Path, method: string, file: File): Named {
  const root = object.path.split('.')[0]!
  const plain = canonical(`${object.path}.${method}`)
  const keeps = KEPT_ROOTS.has(root) && (root !== 't' || object.path === 't' || CONTEXT_PARTS.test(object.path.slice(1)))
  if (object.by === 'global' && (KNOWN_GLOBALS.has(root) || keeps))
    return { name: plain, resolution: keeps && root !== 'cy' && !file.drivesBrowser ? 'guess' : 'global' }
  if (object.by === 'global' && LOOSE_MODULES.has(root)) return { name: plain, resolution: 'guess' }
  // Mocha's own; anything else on `this` is a method of the class around.
  if (object.path === 'this') return { name: plain, resolution: /^(timeout|retries|slow|skip)$/.test(method) ? 'type' : 'local' }
  if (keeps) return { name: plain, resolution: file.drivesBrowser ? 'type' : 'guess' }
  // `this.page.waitForTimeout` is as good as `page.waitForTimeout`.
  const last = object.path.slice(object.path.lastIndexOf('.') + 1).replace(/^[_#]/, '')
  if (KEPT_ROOTS.has(last)) return { name: `${last}.${method}`, resolution: file.drivesBrowser ? 'type' : 'guess' }
  return { name: `?.${method}`, resolution: 'guess' }
}

/** What a test's context offers besides its own methods; the rest is the project's. */
const CONTEXT_PARTS = /^\.(mock|assert)\b/

/** The type of a receiver: declared by a constructor or factory that the catalog knows, or a class of this file. */
function typeOf(node: Node, receiver: Value | null, unit: Draft, env: Env, file: File): { type: string; own: boolean } | undefined {
  let at = bare(node)
  if (at.type === 'AwaitExpression') at = bare(at['argument'])
  if (at.type === 'Identifier') {
    const type = lookup(at['name'], env)?.type
    return type === undefined ? undefined : { type, own: lookup(type, env)?.is === 'class' }
  }
  if (at.type === 'MemberExpression') {
    // `t.mock.timers.enable`: the root has a type, the rest is its path.
    const path = pathOf(at, env)
    const known = path && file.fields.get(path.path)
    if (known) return { type: known, own: false }
    const rest = path?.root?.type === 't' ? path.path.slice(path.path.indexOf('.')) : ''
    return CONTEXT_PARTS.test(rest) ? { type: `t${rest}`, own: false } : undefined
  }
  const type = typeOfValue(receiver, unit, env)
  return type === undefined ? undefined : { type, own: lookup(type, env)?.is === 'class' }
}

export function typeOfValue(value: Value | null, unit: Draft, env: Env): string | undefined {
  const call = value?.is === 'call' ? unit.calls[value.call] : undefined
  if (!call) return undefined
  if (RETURNS[call.name]) return RETURNS[call.name]
  if (call.name.startsWith('cy.')) return 'cy'
  if (call.name.startsWith('assert.dom.')) return 'assert.dom'
  const fluent = /^((?:https?|http2|net|tls|dgram)\.\w+)\.(?:listen|on|once|unref|ref|bind)$/.exec(call.name)
  if (fluent) return fluent[1]
  if (call.resolution === 'local' && call.name.endsWith('.new')) {
    const made = call.name.slice(0, -4)
    return lookup(made, env)?.is === 'class' ? made : undefined
  }
  return undefined
}
