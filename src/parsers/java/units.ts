// Classes, methods and their annotations: who is a test, a hook, a suite.

import type { Marker, Role, Span } from '../../facts/facts.ts'
import { addCall, draft, type Draft } from '../build.ts'
import { field, type Node } from '../tree-sitter.ts'
import { lower } from './expressions.ts'
import { HOOKS, MARKERS, NAMED_HOOKS, PLAIN_ANNOTATIONS, TEST_ANNOTATION, TEST_ARGUMENTS, TEST_BASE } from './frameworks.ts'
import { MAX_DEPTH, firstPart, isComment, parts, resolveType, textOf, typeOfNode, type At, type Env, type OwnClass, type Scope,
  type Type } from './scope.ts'
import { settleClosures, statements } from './statements.ts'

export interface Annotation {
  readonly node: Node
  readonly name: string
  readonly simple: string
  readonly args: Node | undefined
}

const NO_ANNOTATIONS: readonly Annotation[] = []

/** The node of the modifiers, which has no field of its own. */
export const modifiersOf = (node: Node): Node | undefined => node.children.find(c => c.type === 'modifiers')

export function annotationsOf(modifiers: Node | undefined, scope: Scope): readonly Annotation[] {
  if (!modifiers) return NO_ANNOTATIONS
  const found: Annotation[] = []
  for (const node of modifiers.children) {
    if (node.type !== 'marker_annotation' && node.type !== 'annotation') continue
    const written = textOf(field(node, 'name'), scope)
    found.push({ node, name: resolveType(written, scope), simple: written.slice(written.lastIndexOf('.') + 1),
      args: field(node, 'arguments') })
  }
  return found
}

export const hasModifier = (modifiers: Node | undefined, word: string): boolean => modifiers?.children.some(c => c.type === word) ?? false

const qualify = (outer: Draft, name: string): string => (outer.role.is === 'suite' ? `${outer.title}::${name}` : name)

const spanOf = (node: Node): Span => ({ start: node.start, end: node.end })

function define(role: Role, name: string, node: Node, at: At): Draft {
  const nameNode = field(node, 'name')
  return draft(at.scope.units, {
    role,
    name,
    title: qualify(at.unit, name),
    span: spanOf(node),
    nameSpan: nameNode && spanOf(nameNode),
    parent: at.unit.id,
  })
}

/** A class, interface, enum or record, wherever it is declared; anything else is no business of ours. */
export function defineType(node: Node, at: At): void {
  if (!/^(class|interface|enum|record)_declaration$/.test(node.type)) return
  const { scope } = at
  if (scope.depth >= MAX_DEPTH) return
  scope.depth += 4
  const name = textOf(field(node, 'name'), scope)
  const unit = define({ is: 'suite' }, name, node, at)
  unit.params.push(...basesOf(node, scope))
  const modifiers = modifiersOf(node)
  const annotations = annotationsOf(modifiers, scope)
  annotate(unit, annotations, scope)
  const body = field(node, 'body')
  const env: Env = { vars: new Map(), up: at.env }
  const own = scope.classes.get(name) ?? null
  const owners = own ? [own, ...at.owners] : at.owners
  const inside: At = { ...at, unit, region: 0, env, owners, returns: unit.returns, closures: new Map(), made: [], locked: false }
  const components = node.type === 'record_declaration' ? field(node, 'parameters') : undefined
  if (components) declareParameters(components, unit, inside, false)
  if (body) members(body, inside, { own, modifiers, annotations, interface: node.type === 'interface_declaration' })
  settleClosures(inside)
  scope.depth -= 4
}

function basesOf(node: Node, scope: Scope): string[] {
  const bases: string[] = []
  for (const child of node.children) {
    if (child.type === 'superclass') bases.push(typeOfNode(firstPart(child), scope)?.name ?? '')
    else if (child.type === 'super_interfaces' || child.type === 'extends_interfaces') {
      for (const list of child.children)
        if (list.type === 'type_list') bases.push(...parts(list).map(t => typeOfNode(t, scope)?.name ?? ''))
    }
  }
  return bases.filter(Boolean)
}

interface ClassContext {
  readonly own: OwnClass | null
  readonly modifiers: Node | undefined
  readonly annotations: readonly Annotation[]
  readonly interface: boolean
}

const memberNodes = (body: Node): readonly Node[] =>
  body.type === 'enum_body' ? body.children.flatMap(c => (c.type === 'enum_body_declarations' ? c.children : [c])) : body.children

/** Names the fields of a body, so that methods above a field know its type too. */
export function declareFields(body: Node, env: Env, scope: Scope): void {
  for (const node of memberNodes(body)) {
    if (node.type === 'field_declaration' || node.type === 'constant_declaration') {
      const type = typeOfNode(field(node, 'type'), scope)
      for (const child of node.children)
        if (child.field === 'declarator') env.vars.set(textOf(field(child, 'name'), scope), declaredType(type, child, scope))
    } else if (node.type === 'enum_constant') env.vars.set(textOf(field(node, 'name'), scope), null)
  }
}

/** What is made says more than what is declared: `Time time = new MockTime()` sleeps in no real time. */
export function declaredType(type: Type | null, declarator: Node, scope: Scope): Type | null {
  const value = field(declarator, 'value')
  if (value?.type !== 'object_creation_expression') return type
  const made = typeOfNode(field(value, 'type'), scope)
  if (!made || value.children.some(c => c.type === 'class_body')) return type ?? made
  // `List<Thread> all = new ArrayList<>()` keeps what it holds.
  return !made.of && type?.of ? { name: made.name, of: type.of } : made
}

function members(body: Node, at: At, context: ClassContext): void {
  declareFields(body, at.env, at.scope)
  for (const node of memberNodes(body)) {
    switch (node.type) {
      case 'field_declaration':
      case 'constant_declaration':
        fields(node, at, context.interface)
        break
      case 'method_declaration':
      case 'constructor_declaration':
      case 'compact_constructor_declaration':
        defineMethod(node, at, context)
        break
      case 'static_initializer':
      case 'block':
        statements(node.type === 'block' ? node.children : firstPart(node)?.children ?? [], at)
        break
      case 'enum_constant': {
        const args = field(node, 'arguments'), inner = field(node, 'body')
        if (args) parts(args).forEach(a => void lower(a, at))
        if (inner) anonymousBody(inner, at)
        break
      }
      default:
        defineType(node, at)
    }
  }
}

function fields(node: Node, at: At, inInterface: boolean): void {
  const { scope, unit } = at
  const modifiers = modifiersOf(node)
  const annotations = annotationsOf(modifiers, scope)
  const isStatic = inInterface || hasModifier(modifiers, 'static')
  const given = annotations.find(a => a.simple === 'TempDir')
  ruleMarkers(node, annotations, unit, scope)
  for (const declarator of node.children) {
    if (declarator.field !== 'declarator') continue
    const target = textOf(field(declarator, 'name'), scope)
    const value = field(declarator, 'value')
    // A static field is the class's: nothing new for each test. An instance field is made anew with each test's object.
    const write = { span: spanOf(declarator), target, in: 0, declares: !isStatic, adds: false }
    if (given) unit.writes.push({ ...write, value: tempDir(given, at) })
    else if (value) {
      const from = unit.regions.length
      unit.writes.push({ ...write, value: lower(value, at) })
      holdClosures(target, from, at)
    } else if (isStatic && !hasModifier(modifiers, 'final')) unit.writes.push({ ...write, value: { is: 'literal', value: null } })
  }
}

/** Remembers which closures a variable holds, for the call that it is handed to later. */
export function holdClosures(name: string, from: number, at: At): void {
  const held: number[] = []
  for (let i = from; i < at.unit.regions.length; i++) {
    const region = at.unit.regions[i]!
    if (region.kind === 'closure' && region.in === at.region && region.call === undefined && isTask(i, at)) held.push(i)
  }
  if (held.length > 0) at.closures.set(name, held)
}

const TASKS = /(Runnable|Callable|Supplier|Consumer|Function|Predicate|Operator|Comparator|Answer|Executable|Task)\.new$/

/** A lambda, or a method of an anonymous class that stands for one: of any other class it is a method like others. */
function isTask(region: number, { made, unit }: At): boolean {
  const maker = made.findLast(m => m.region === region)
  return !maker || TASKS.test(unit.calls[maker.call]!.name)
}

/** `@TempDir Path dir` is as good as a call that makes it. */
const tempDir = (annotation: Annotation, at: At) =>
  addCall(at.unit, {
    span: spanOf(annotation.node),
    name: 'org.junit.jupiter.api.io.TempDir',
    resolution: 'import',
    args: [],
    in: at.region,
    result: 'used',
  })

/** JUnit 4 rules that treat the whole class: `@Rule public Timeout limit = Timeout.seconds(5)`. */
function ruleMarkers(node: Node, annotations: readonly Annotation[], unit: Draft, scope: Scope): void {
  const rule = annotations.find(a => a.simple === 'Rule' || a.simple === 'ClassRule')
  if (!rule) return
  const type = typeOfNode(field(node, 'type'), scope)?.name ?? ''
  const marker = /\bTimeout$/.test(type) ? 'timeout' : /Retry|Flaky/.test(type) ? 'retry' : undefined
  const value = node.children.find(c => c.field === 'declarator')
  if (marker) unit.markers.push({ span: spanOf(node), is: marker, name: type, key: textOf(value && field(value, 'value'), scope) })
}

function declareParameters(list: Node, unit: Draft, at: At, writes = true): void {
  for (const node of list.children) {
    if (node.type !== 'formal_parameter' && node.type !== 'spread_parameter') continue
    const { scope } = at
    const name = node.type === 'spread_parameter'
      ? field(node.children.find(c => c.type === 'variable_declarator') ?? node, 'name')
      : field(node, 'name')
    const type = typeOfNode(node.type === 'spread_parameter' ? parts(node).find(c => c.type !== 'modifiers') : field(node, 'type'), scope)
    const text = textOf(name, scope)
    at.env.vars.set(text, node.type === 'spread_parameter' && type ? { name: `${type.name}[]`, of: type } : type)
    if (!writes) continue
    unit.params.push(text)
    const given = annotationsOf(modifiersOf(node), scope).find(a => a.simple === 'TempDir')
    if (given) unit.writes.push({ span: spanOf(node), target: text, value: tempDir(given, at), in: 0, declares: true, adds: false })
  }
}

function defineMethod(node: Node, at: At, context: ClassContext): void {
  const { scope } = at
  const body = field(node, 'body')
  if (!body || scope.depth >= MAX_DEPTH) return
  scope.depth++
  // A constructor goes by the name that calls have for it.
  const name = node.type === 'method_declaration' ? textOf(field(node, 'name'), scope) : 'new'
  const unit = define({ is: 'helper' }, name, node, at)
  const modifiers = modifiersOf(node)
  const annotations = annotationsOf(modifiers, scope)
  const env: Env = { vars: new Map(), up: at.env }
  const inside: At = { ...at, unit, region: 0, env, returns: unit.returns, closures: new Map(), made: [],
    locked: hasModifier(modifiers, 'synchronized') }
  const parameters = field(node, 'parameters')
  if (parameters) declareParameters(parameters, unit, inside)
  annotate(unit, annotations, scope)
  if (node.type === 'method_declaration') unit.role = roleOf(unit, node, modifiers, annotations, context, at)
  statements(body.children, inside)
  settleClosures(inside)
  scope.depth--
}

function roleOf(unit: Draft, node: Node, modifiers: Node | undefined, annotations: readonly Annotation[], context: ClassContext,
  at: At): Role
{
  const { scope } = at
  if (scope.options.testFunctions.includes(unit.name)) return { is: 'test' }
  if (scope.options.kind === 'source') return { is: 'helper' }
  // What is done before and after each test alike puts things back.
  const hooks = annotations.flatMap(({ simple }) => HOOKS[simple] ?? [])
  const hook = hooks.find(h => h.is === 'hook' && h.when === 'after') ?? hooks[0]
  if (hook) return hook
  if (annotations.some(a => TEST_ANNOTATION.test(a.simple))) return runs(modifiers, context, at) ? { is: 'test' } : { is: 'helper' }
  const isVoid = field(node, 'type')?.type === 'void_type'
  const isPublic = hasModifier(modifiers, 'public') && !hasModifier(modifiers, 'static')
  // TestNG: @Test on a class makes tests of its public methods.
  const testClass = context.annotations.some(a => a.name === 'org.testng.annotations.Test')
  if (testClass && isVoid && isPublic && annotations.every(a => a.simple === 'Override')) return { is: 'test' }
  if (!isJUnit3(context.own, scope) || unit.params.length > 0 || !isVoid) return { is: 'helper' }
  if (NAMED_HOOKS[unit.name]) return NAMED_HOOKS[unit.name]!
  return isPublic && unit.name.startsWith('test') ? { is: 'test' } : { is: 'helper' }
}

/** JUnit 5 leaves out private and static methods, and inner classes that are not @Nested. */
function runs(modifiers: Node | undefined, context: ClassContext, at: At): boolean {
  if (at.scope.style !== 'junit5') return true
  if (hasModifier(modifiers, 'private') || hasModifier(modifiers, 'static')) return false
  const outer = at.unit.parent === null ? undefined : at.scope.units[at.unit.parent]
  const apart = context.interface || hasModifier(context.modifiers, 'static') || hasModifier(context.modifiers, 'abstract')
  return outer?.role.is !== 'suite' || apart || context.annotations.some(a => a.simple === 'Nested')
}

function isJUnit3(own: OwnClass | null, scope: Scope, depth = 0): boolean {
  const base = own?.base?.name
  if (!base || depth > 8) return false
  // With annotations about, a method that has none is no test, whatever its name.
  const annotated = scope.style !== 'junit4' || scope.names.get('Test')?.startsWith('org.') || scope.packages.includes('org.junit')
  if (annotated) return base === 'junit.framework.TestCase'
  return TEST_BASE.test(base) || isJUnit3(scope.classes.get(base) ?? null, scope, depth + 1)
}

// ---------------------------------------------------------------------------------------------- annotations

function annotate(unit: Draft, annotations: readonly Annotation[], scope: Scope): void {
  for (const annotation of annotations) {
    const { node, name, simple, args } = annotation
    const key = args && scope.text.slice(args.start + 1, args.end - 1)
    if (readSkip(annotation, unit, scope)) continue
    const known = MARKERS[simple]?.find(m => !m.when || m.when.test(key ?? ''))
    const mark = (is: Marker['is'], text: string | undefined) =>
      unit.markers.push({ span: spanOf(node), is, name, ...(text !== undefined && { key: text }) })
    if (known) mark(known.is, known.is !== 'serial' ? key : simple === 'Execution' ? undefined : serialKey(args, scope))
    else if (TEST_ANNOTATION.test(simple)) testArguments(annotation, mark, scope)
    else if (!PLAIN_ANNOTATIONS.has(simple) && !HOOKS[simple]) mark('other', key)
  }
}

/** The lock's name: `@ResourceLock("db")`, `@ResourceLock(value = "db", mode = READ)`. */
function serialKey(args: Node | undefined, scope: Scope): string | undefined {
  if (!args) return undefined
  const value = argument(args, 'value', scope) ?? firstPart(args)
  return value && value.type !== 'element_value_pair' ? unquote(textOf(value, scope)) : undefined
}

/** `@Test(timeout = 100)`, `@Test(dependsOnMethods = "login", enabled = false)`. */
function testArguments({ node, args, simple }: Annotation, mark: (is: Marker['is'], key: string | undefined) => void, scope: Scope): void {
  for (const pair of args?.children ?? []) {
    if (pair.type !== 'element_value_pair') continue
    const is = TEST_ARGUMENTS[textOf(field(pair, 'key'), scope)]
    if (is && !/=\s*-1$/.test(textOf(pair, scope))) mark(is, textOf(pair, scope))
  }
  // A kind of test of its own is worth knowing: @ParameterizedTest, @ClusterTest.
  if (simple !== 'Test' && node.parent?.parent?.type !== 'class_declaration')
    mark('other', args && scope.text.slice(args.start + 1, args.end - 1))
}

function argument(args: Node, key: string, scope: Scope): Node | undefined {
  const pair = args.children.find(c => c.type === 'element_value_pair' && textOf(field(c, 'key'), scope) === key)
  return pair && field(pair, 'value')
}

function readSkip({ node, name, simple, args }: Annotation, unit: Draft, scope: Scope): boolean {
  const push = (reason: Node | undefined, condition: string | null) =>
    unit.skips.push({ span: spanOf(node), how: name,
      reason: reason ? unquote(textOf(reason, scope)) : condition === null ? remark(node, scope) : null, condition }) > 0
  const given = (key: string) => (args ? argument(args, key, scope) : undefined)
  if (simple === 'Disabled' || simple === 'Ignore') return push(given('value') ?? given('reason') ?? (args && valueOf(args)), null)
  if (simple === 'DisabledUntil') return push(given('reason'), `until ${unquote(textOf(given('date'), scope))}`)
  if (/^(Disabled|Enabled)(If|On|For|In)\w*$/.test(simple)) {
    const reason = given('disabledReason') ?? given('reason')
    const rest = (args ? parts(args) : []).filter(p => p !== reason?.parent).map(p => textOf(p, scope)).join(', ')
    return push(reason, `${simple}${rest === '' ? '' : ` ${rest}`}`)
  }
  if (simple === 'Test' && textOf(given('enabled'), scope) === 'false') push(given('description'), null)
  return false
}

/** `@Disabled // hangs on Windows`: many write the reason beside the annotation, or in the line above it. */
function remark(node: Node, { text }: Scope): string | null {
  const lineEnd = text.indexOf('\n', node.end)
  const beside = /^\s*(?:\/\/|\/\*)\s*(.*?)\s*(?:\*\/\s*)?$/.exec(text.slice(node.end, lineEnd < 0 ? text.length : lineEnd))
  if (beside?.[1]) return beside[1]
  const lineStart = text.lastIndexOf('\n', node.start) + 1
  const above = text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, Math.max(0, lineStart - 1))
  return text.slice(lineStart, node.start).trim() === '' ? /^\s*\/\/\s*(\S.*?)\s*$/.exec(above)?.[1] ?? null : null
}

const valueOf = (args: Node): Node | undefined => args.children.find(c => c.named && c.type !== 'element_value_pair' && !isComment(c))

const unquote = (text: string): string => text.replace(/^"""\s*([\s\S]*?)\s*"""$|^"([\s\S]*)"$/, '$1$2')

// ----------------------------------------------------------------------------------------- anonymous classes

/** The methods of an anonymous class are closures of the unit around it. Returns their regions. */
export function anonymousBody(body: Node, at: At): number[] {
  const { scope, unit } = at
  const env: Env = { vars: new Map(), up: at.env }
  const regions: number[] = []
  declareFields(body, env, scope)
  for (const node of memberNodes(body)) {
    if (node.type === 'field_declaration') {
      for (const declarator of node.children) {
        const value = declarator.field === 'declarator' ? field(declarator, 'value') : undefined
        if (!value) continue
        const target = textOf(field(declarator, 'name'), scope)
        unit.writes.push({ span: spanOf(declarator), target, value: lower(value, { ...at, env }), in: at.region, declares: true,
          adds: false })
      }
    } else if (node.type === 'method_declaration' || node.type === 'block' || node.type === 'constructor_declaration') {
      const inner = node.type === 'block' ? node : field(node, 'body')
      if (!inner) continue
      const region = unit.regions.push({ kind: 'closure', in: at.region, span: spanOf(node) }) - 1
      regions.push(region)
      const inside: At = { ...at, region, env: { vars: new Map(), up: env }, returns: [],
        locked: hasModifier(modifiersOf(node), 'synchronized') }
      const parameters = field(node, 'parameters')
      if (parameters) declareParameters(parameters, unit, inside, false)
      statements(inner.children, inside)
    } else defineType(node, at)
  }
  return regions
}
