// Python, from tree-sitter-python to facts.

import { UNKNOWN, literal, type Comment, type Comparison, type Import, type Marker, type Parsed, type Role,
  type Value } from '../../facts/facts.ts'
import { addAwait, addCall, addRegion, assertCondition, claimOf, draft, handTo, type Draft, type Result } from '../build.ts'
import type { ParseOptions } from '../frontend.ts'
import { field, named, parse, type Node } from '../tree-sitter.ts'
import { CATALOG, MAKERS } from './catalog.ts'
import { ASSERT_METHODS, FIXTURES, FIXTURE_CURES, HOOKS, MARKERS } from './frameworks.ts'
import { everyNode, importsIn, localsIn, type Names } from './scope.ts'
import { heldIn, isStandIn, settleTypes } from './types.ts'

interface Scope {
  readonly text: string
  readonly options: ParseOptions
  readonly units: Draft[]
  readonly imports: Import[]
  /** What a name stands for here: `np` → `numpy`, `sleep` → `time.sleep`. */
  readonly names: Names
  /** Modules of which everything was imported. */
  readonly wildcards: readonly string[]
  /** Functions and classes that this file defines, methods left out. */
  readonly own: Set<string>
  /** Classes of this file, with the names of what they extend. */
  readonly bases: Map<string, readonly string[]>
  /** Types that annotations tell, by unit and name. */
  readonly types: Map<number, Map<string, string>>
  /** Names that a function declares global or nonlocal. */
  readonly outside: ReadonlySet<string>
  /** How deep the reading is in nested code. */
  readonly depth: { now: number }
}

/** Code nested deeper than this is not read: no person wrote it, and every reader of a tree has a bottom. */
const DEEPEST = 400
const KNOWN = new Set(CATALOG.flatMap(row => row.name))

export function parsePython(text: string, options: ParseOptions): Parsed {
  const tree = parse('python', text)
  if (!tree)
    return { units: [], imports: [], comments: [], problems: [{ span: { start: 0, end: text.length }, message: 'parsing took too long' }] }
  const comments: Comment[] = []
  const own = new Set<string>(), bases = new Map<string, readonly string[]>(), brought: Node[] = []
  for (const node of everyNode(tree.root)) {
    if (node.type === 'comment')
      comments.push({ span: { start: node.start, end: node.end }, text: text.slice(node.start, node.end).replace(/^#+\s?/, '').trim() })
    else if (node.type === 'import_statement' || node.type === 'import_from_statement') brought.push(node)
    else if (node.type === 'function_definition' || node.type === 'class_definition') {
      const name = text.slice(field(node, 'name')?.start ?? 0, field(node, 'name')?.end ?? 0)
      if (!isMethod(node)) own.add(name)
      if (node.type === 'class_definition')
        bases.set(name, named(field(node, 'superclasses') ?? node).filter(b =>
          b.type === 'identifier' || b.type === 'attribute'
        ).map(b => text.slice(b.start, b.end)))
    }
  }
  const { imports, names, wildcards } = importsIn(tree.root, brought, text, KNOWN)
  const scope: Scope = { text, options, units: [], imports, names, wildcards, own, bases, types: new Map(), outside: new Set(),
    depth: { now: 0 } }
  const module = draft(scope.units, { role: { is: 'module' }, name: '', span: tree.root, parent: null })
  markDoctest(tree.root.children, module, scope)
  statements(tree.root.children, module, 0, scope)
  settleTypes(scope.units, scope.types, KNOWN)
  return { units: scope.units, imports: scope.imports, comments, problems: tree.problems }
}

const textOf = (node: Node | undefined, scope: Scope): string => (node ? scope.text.slice(node.start, node.end) : '')

const isMethod = (node: Node): boolean => {
  const holder = node.parent?.type === 'decorated_definition' ? node.parent.parent : node.parent
  return holder?.parent?.type === 'class_definition'
}

// ---------------------------------------------------------------------------------------------------- units

function defineClass(node: Node, decorators: readonly Node[], outer: Draft, scope: Scope): void {
  const name = textOf(field(node, 'name'), scope)
  const unit = draft(scope.units, { role: { is: 'suite' }, name, title: qualify(outer, name), span: node,
    nameSpan: field(node, 'name') ?? node, parent: outer.id })
  const bases = field(node, 'superclasses')
  if (bases) unit.params.push(...named(bases).map(b => pathOf(b, scope) ?? textOf(b, scope)))
  decorate(unit, decorators, scope)
  markDoctest(field(node, 'body')?.children ?? [], unit, scope)
  statements(field(node, 'body')?.children ?? [], unit, 0, scope)
}

const qualify = (outer: Draft, name: string): string => (outer.role.is === 'suite' ? `${outer.title}::${name}` : name)

function defineFunction(node: Node, decorators: readonly Node[], outer: Draft, around: Scope): void {
  const name = textOf(field(node, 'name'), around)
  const unit = draft(around.units, {
    role: { is: 'helper' },
    name,
    title: qualify(outer, name),
    span: node,
    nameSpan: field(node, 'name') ?? node,
    parent: outer.id,
  })
  const scope: Scope = { ...around, ...localsIn(node, around.text, around.names) }
  if (node.children[0]?.type === 'async') unit.async = true
  for (const parameter of named(field(node, 'parameters') ?? node)) {
    const given = parameter.type === 'identifier' ? parameter : field(parameter, 'name') ?? named(parameter)[0]
    unit.params.push(textOf(given, scope))
    annotateType(unit, textOf(given, scope), field(parameter, 'type'), around)
    // A default is one of several values the parameter can have, so it adds to what may be there.
    const value = field(parameter, 'value')
    if (value)
      unit.writes.push({ span: parameter, target: textOf(given, scope), value: lower(value, unit, 0, around), in: 0, declares: true,
        adds: true })
  }
  decorate(unit, decorators, around)
  unit.role = roleOf(unit, outer, scope)
  // `@pytest.mark.usefixtures("freezer")` asks for it as well.
  const asked = unit.markers.filter(m => m.name.endsWith('.usefixtures')).flatMap(m => (m.key ?? '').match(/\w+/g) ?? [])
  for (const fixture of [...unit.params, ...asked])
    if (FIXTURE_CURES[fixture]) unit.markers.push({ span: unit.nameSpan, is: FIXTURE_CURES[fixture], name: `fixture ${fixture}` })
  const body = field(node, 'body')
  markDoctest(body?.children ?? [], unit, scope)
  if (body) statements(body.children, unit, 0, scope)
}

/** `event: threading.Event` tells a type; only imported names are trusted. */
function annotateType(unit: Draft, name: string, annotation: Node | undefined, scope: Scope): void {
  const type = annotation && named(annotation)[0]
  const path = pathOf(type, scope)
  if (!path || !/(^|\.)[A-Z]\w*$/.test(path) || !scope.names.has(textOf(type, scope).split('.')[0]!)) return
  const known = scope.types.get(unit.id) ?? new Map<string, string>()
  scope.types.set(unit.id, known.set(name, path))
}

/** Examples in a docstring that doctest would run. */
function markDoctest(body: readonly Node[], unit: Draft, scope: Scope): void {
  const first = body.find(n => n.named && n.type !== 'comment')
  const docstring = first?.type === 'expression_statement' ? named(first)[0] : undefined
  if (docstring?.type === 'string' && /^\s*>>> /m.test(textOf(docstring, scope)))
    unit.markers.push({ span: docstring, is: 'other', name: 'doctest' })
}

function roleOf(unit: Draft, outer: Draft, scope: Scope): Role {
  const fixture = unit.markers.find(m => FIXTURES.has(m.name))
  if (fixture)
    return { is: 'hook', when: 'before',
      per: /session|package/.test(fixture.key ?? '') ? 'run' : /module|class/.test(fixture.key ?? '') ? 'file' : 'test' }
  if (scope.options.testFunctions.includes(unit.name)) return { is: 'test' }
  if (scope.options.kind === 'source') return { is: 'helper' }
  const hook = Object.hasOwn(HOOKS, unit.name) ? HOOKS[unit.name] : undefined
  // `setup` and `teardown` are also what plugins and handlers call their methods.
  if (hook && (outer.role.is === 'module' || (outer.role.is === 'suite' && (/[A-Z_]/.test(unit.name) || isTestClass(outer, scope)))))
    return hook
  const collected = outer.role.is === 'module' ? scope.options.kind === 'test' : outer.role.is === 'suite' && isTestClass(outer, scope)
  return collected && unit.name.startsWith('test') ? { is: 'test' } : { is: 'helper' }
}

/** pytest collects `Test…` classes; unittest every subclass of its TestCase, which projects re-base under many names. */
function isTestClass(suite: Draft, scope: Scope): boolean {
  const outer = scope.units[suite.parent ?? 0]
  if (outer && outer.role.is !== 'module' && outer.role.is !== 'suite') return false
  return TEST_CLASS.test(suite.name) || suite.params.some(base => extendsTest(base, scope))
}

const TEST_CLASS = /^Test|(Tests?|TestCase)$/

/** Through the classes of this file up to a name that speaks of tests. */
function extendsTest(base: string, scope: Scope, depth = 0): boolean {
  if (/Test/.test(base.slice(base.lastIndexOf('.') + 1))) return true
  return depth < 8 && (scope.bases.get(base) ?? []).some(b => extendsTest(b, scope, depth + 1))
}

function decorate(unit: Draft, decorators: readonly Node[], scope: Scope): void {
  for (const decorator of decorators) {
    const expression = named(decorator)[0]
    if (!expression) continue
    const callee = expression.type === 'call' ? field(expression, 'function') : expression
    const args = expression.type === 'call' ? field(expression, 'arguments') : undefined
    const name = pathOf(callee, scope) ?? textOf(callee, scope)
    if (patchesClock(name, args ? named(args) : [], scope)) unit.markers.push({ span: decorator, is: 'frozen-clock', name })
    else markUnit(unit, decorator, name, args, scope)
  }
}

function markUnit(unit: Draft, node: Node, name: string, args: Node | undefined, scope: Scope): void {
  const known = MARKERS.find(m => (m.name.endsWith('*') ? name.startsWith(m.name.slice(0, -1)) : m.name === name))
  if (known?.is === 'skip') {
    const given = args ? named(args) : []
    const keyword = given.find(a => a.type === 'keyword_argument' && textOf(field(a, 'name'), scope) === 'reason')
    const positional = given.filter(a => a.type !== 'keyword_argument')
    const condition = known.conditional || (name === 'pytest.mark.xfail' && positional.length > 0) ? textOf(positional[0], scope) : null
    const reason = keyword ? field(keyword, 'value') : positional[condition === null ? 0 : 1]
    // A strict xfail runs and must fail: nothing is hidden.
    if (!given.some(a => /^strict\s*=\s*True$/.test(textOf(a, scope))))
      unit.skips.push({ span: node, how: name, reason: reason ? plainText(reason, scope) : null, condition })
    return
  }
  const marker: Marker = { span: node, is: known?.is ?? 'other', name,
    ...(args && { key: scope.text.slice(args.start + 1, args.end - 1) }) }
  unit.markers.push(marker)
}

/** `mock.patch("time.time")`, `monkeypatch.setattr(time, "sleep", …)`: from then on the test holds the clock. */
function patchesClock(name: string, args: readonly Node[], scope: Scope): boolean {
  if (!/(^|\.)(patch|setattr|object|multiple)$/.test(name) || !/patch/.test(name)) return false
  const [first, second] = args.filter(a => a.type !== 'keyword_argument')
  const target = first?.type === 'string'
    ? plainText(first, scope)
    : second?.type === 'string'
    ? `${pathOf(first, scope)}.${plainText(second, scope)}`
    : ''
  return /(^|\.)(time\.(time|time_ns|monotonic|perf_counter|sleep)|asyncio\.sleep|datetime\.(datetime|date)|timezone\.now)$/.test(target)
}

/** A string as it reads, the pieces of a concatenation joined. */
const plainText = (node: Node, scope: Scope): string =>
  node.type === 'concatenated_string' || node.type === 'parenthesized_expression'
    ? named(node).map(n => plainText(n, scope)).join('')
    : unquote(textOf(node, scope))

const unquote = (text: string): string => text.replace(/^[a-zA-Z]*("""|'''|"|')([\s\S]*)\1$/, '$2')

// ----------------------------------------------------------------------------------------------- statements

function statements(nodes: readonly Node[], unit: Draft, region: number, scope: Scope): void {
  for (const node of nodes) statement(node, unit, region, scope)
}

function block(node: Node | undefined, unit: Draft, region: number, scope: Scope): void {
  if (node) statements(node.children, unit, region, scope)
}

function statement(node: Node, unit: Draft, region: number, scope: Scope): void {
  if (scope.depth.now > DEEPEST) return
  scope.depth.now++
  readStatement(node, unit, region, scope)
  scope.depth.now--
}

function readStatement(node: Node, unit: Draft, region: number, scope: Scope): void {
  switch (node.type) {
    case 'decorated_definition': {
      const definition = field(node, 'definition')
      const decorators = node.children.filter(c => c.type === 'decorator')
      if (definition?.type === 'class_definition') defineClass(definition, decorators, unit, scope)
      else if (definition) defineFunction(definition, decorators, unit, scope)
      return
    }
    case 'class_definition':
      return defineClass(node, [], unit, scope)
    case 'function_definition':
      return defineFunction(node, [], unit, scope)
    case 'assert_statement': {
      const condition = named(node)[0]
      if (condition) inertCondition(condition, unit, region, scope)
      if (condition) assertHolds(unit, lower(condition, unit, region, scope), node, region)
      return
    }
    case 'expression_statement':
      inertStatement(node, unit, region, scope)
      return named(node).forEach(e => expression(e, unit, region, scope, 'discarded'))
    case 'return_statement': {
      const value = named(node)[0]
      if (!value) return
      unit.returns.push(lower(value, unit, region, scope, 'returned'))
      return assertLast(value, unit, region)
    }
    case 'if_statement':
      return ifStatement(node, unit, region, scope)
    case 'while_statement':
    case 'for_statement':
      return loop(node, unit, region, scope)
    case 'try_statement':
      return tryStatement(node, unit, region, scope)
    case 'with_statement':
      return withStatement(node, unit, region, scope)
    case 'delete_statement':
      for (const target of named(node).flatMap(namesIn))
        unit.writes.push({ span: node, target: targetOf(target, scope), value: UNKNOWN, in: region, declares: false, adds: false })
      return
    case 'raise_statement':
      for (const raised of named(node)) {
        lower(raised, unit, region, scope)
        if (raised.type === 'call') readSkip(raised, unit, scope)
      }
      return
    case 'match_statement':
      for (const subject of node.children.filter(c => c.field === 'subject')) lower(subject, unit, region, scope)
      return block(node, unit, region, scope)
    case 'block':
      return block(node, unit, region, scope)
    case 'case_clause':
      return block(field(node, 'consequence'), unit, addRegion(unit, { kind: 'if', in: region, span: node }), scope)
    default:
      return
  }
}

/** A tuple is true whatever it holds, and so is what a mock answers to a name that is no assertion of it. */
function inertCondition(node: Node, unit: Draft, region: number, scope: Scope): void {
  const push = (how: string) => void (unit.inert ??= []).push({ span: { start: node.start, end: node.end }, how, in: region })
  if (node.type === 'tuple' && named(node).length > 0) return push('a tuple is always true')
  if (node.type !== 'call') return
  const called = /\.(called_(?:once|with|once_with)|has_calls|any_call)$/.exec(textOf(field(node, 'function'), scope))?.[1]
  if (called) push(`${called}() is no question that a mock knows, and its answer is always true`)
}

/** `x == 3` and `mock.assert_called_once` alone on a line. */
function inertStatement(node: Node, unit: Draft, region: number, scope: Scope): void {
  const alone = named(node).length === 1 ? named(node)[0]! : undefined
  const push = (how: string) => void (unit.inert ??= []).push({ span: { start: node.start, end: node.end }, how, in: region })
  if (alone?.type === 'comparison_operator' && alone.children.some(c => /^(==|!=|is|in|not in|is not)$/.test(c.type)))
    push('a comparison that nobody looks at')
  const uncalled = alone?.type === 'attribute'
    ? /\.(assert_(?:called|not_called|has_calls|any_call|awaited|not_awaited|has_awaits)\w*|assert[A-Z]\w*)$/.exec(textOf(alone, scope))
      ?.[1]
    : undefined
  if (uncalled) push(`${uncalled} is named and not called`)
}

/** Fails the test: `raise AssertionError`, `self.fail()`, `pytest.fail()`. */
function fails(body: Node | undefined, scope: Scope): boolean {
  const last = body ? named(body).at(-1) : undefined
  return last !== undefined && /^(raise\s+(AssertionError|Exception)\b|self\.fail\(|pytest\.fail\()/.test(textOf(last, scope))
}

function ifStatement(node: Node, unit: Draft, region: number, scope: Scope): void {
  const test = field(node, 'condition')
  const condition = test ? lower(test, unit, region, scope) : UNKNOWN
  const consequence = field(node, 'consequence')
  if (fails(consequence, scope)) assertCondition(unit, condition, node, region, true)
  block(consequence, unit, addRegion(unit, { kind: 'if', in: region, span: consequence ?? node, condition }), scope)
  for (const other of node.children) {
    if (other.type === 'elif_clause') {
      const next = lower(field(other, 'condition')!, unit, region, scope)
      block(field(other, 'consequence'), unit, addRegion(unit, { kind: 'if', in: region, span: other, condition: next }), scope)
    } else if (other.type === 'else_clause')
      block(field(other, 'body'), unit, addRegion(unit, { kind: 'else', in: region, span: other, condition }), scope)
  }
}

/** What the nearest `if` around a place asks, within its function. */
function conditionAround(node: Node, scope: Scope): string | null {
  for (let at = node.parent; at && at.type !== 'function_definition' && at.type !== 'class_definition'; at = at.parent) {
    if (at.type === 'if_statement' || at.type === 'elif_clause') return textOf(field(at, 'condition'), scope)
    if (at.type === 'conditional_expression') return textOf(named(at)[1], scope)
  }
  return null
}

function readSkip(call: Node, unit: Draft, scope: Scope): void {
  const name = pathOf(field(call, 'function'), scope) ?? ''
  if (!/^(pytest\.skip|self\.skipTest|(unittest\.)?(case\.)?SkipTest|pytest\.xfail)$/.test(name)) return
  const args = named(field(call, 'arguments') ?? call)
  const reason = args.find(a => a.type !== 'keyword_argument') ?? args.map(a => field(a, 'value')).find(v => v !== undefined)
  unit.skips.push({ span: call, how: name, reason: reason ? plainText(reason, scope) : null, condition: conditionAround(call, scope) })
}

function loop(node: Node, unit: Draft, region: number, scope: Scope): void {
  const body = field(node, 'body')
  const over = node.type === 'for_statement' ? field(node, 'right') : undefined
  const target = field(node, 'left')
  if (over && target) {
    const iterated = lower(over, unit, region, scope)
    for (const name of namesIn(target))
      unit.writes.push({ span: target, target: targetOf(name, scope), value: { is: 'group', of: [iterated] }, in: region, declares: true,
        adds: false })
  }
  const inside = addRegion(unit, { kind: 'loop', in: region, span: node, leaves: leaves(body), counted: over !== undefined })
  // The condition is read on every turn, so its calls are inside the loop.
  const test = field(node, 'condition')
  if (test && !/^(True|1)$/.test(textOf(test, scope)))
    unit.regions[inside] = { ...unit.regions[inside]!, condition: lower(test, unit, inside, scope) }
  block(body, unit, inside, scope)
  const otherwise = node.children.find(c => c.type === 'else_clause')
  if (otherwise) block(field(otherwise, 'body'), unit, region, scope)
}

const HOLDS_STATEMENTS =
  /^(block|if_statement|elif_clause|else_clause|try_statement|except_clause|except_group_clause|finally_clause|with_statement|match_statement|case_clause)$/

/** A break or return below that ends this loop. */
function leaves(body: Node | undefined, nested = false, depth = 0): boolean {
  if (depth > DEEPEST) return false
  for (const node of body?.children ?? []) {
    if (node.type === 'return_statement' || (node.type === 'break_statement' && !nested)) return true
    const loops = node.type === 'for_statement' || node.type === 'while_statement'
    if ((loops || HOLDS_STATEMENTS.test(node.type)) && leaves(node, nested || loops, depth + 1)) return true
  }
  return false
}

function tryStatement(node: Node, unit: Draft, region: number, scope: Scope): void {
  const firstCall = unit.calls.length
  const body = field(node, 'body')
  block(body, unit, addRegion(unit, { kind: 'try', in: region, span: body ?? node }), scope)
  const tried = unit.calls.slice(firstCall).map((_, i) => firstCall + i)
  for (const clause of node.children) {
    if (clause.type === 'except_clause' || clause.type === 'except_group_clause') {
      const inner = clause.children.find(c => c.type === 'block')
      const types = named(clause).filter(c => c !== inner)
      const catches = types.flatMap(t =>
        textOf(t, scope).replace(/\s+as\s+\w+$/, '').replace(/[()]/g, '').split(',').map(s => s.trim()).filter(Boolean)
      )
      const empty = inner !== undefined && named(inner).every(s => s.type === 'pass_statement' || textOf(s, scope) === '...')
      const rethrows = inner !== undefined && named(inner).at(-1)?.type === 'raise_statement'
      const at = addRegion(unit, { kind: 'catch', in: region, span: clause, catches, empty, ...(rethrows && { rethrows }) })
      if (empty && body && !node.children.some(c => c.type === 'else_clause') && !leaves(body))
        unit.swallows.push({ span: { start: clause.start, end: clause.end }, how: `except ${catches.join(', ')}`.trim(), calls: tried,
          text: textOf(body, scope), in: region })
      block(inner, unit, at, scope)
    } else if (clause.type === 'finally_clause')
      block(clause.children.find(c => c.type === 'block'), unit, addRegion(unit, { kind: 'finally', in: region, span: clause }), scope)
    else if (clause.type === 'else_clause') block(field(clause, 'body'), unit, region, scope)
  }
}

/** `with a, b:` and `with (a as x, b as y):` */
const withItems = (node: Node): Node[] =>
  node.children.filter(c => c.type === 'with_clause').flatMap(clause =>
    clause.children.flatMap(c => (c.type === 'with_item' ? [c] : c.children.filter(i => i.type === 'with_item')))
  )

function withStatement(node: Node, unit: Draft, region: number, scope: Scope): void {
  let inside = region
  const suppressed: Node[] = []
  for (const item of withItems(node)) {
    const value = field(item, 'value')
    if (!value) continue
    const lowered = lower(value.type === 'as_pattern' ? named(value)[0]! : value, unit, inside, scope)
    const alias = value.type === 'as_pattern' ? field(value, 'alias') : undefined
    for (const name of alias ? namesIn(named(alias)[0] ?? alias) : [])
      unit.writes.push({ span: item, target: targetOf(name, scope), value: { is: 'group', of: [lowered] }, in: inside, declares: true,
        adds: false })
    const call = lowered.is === 'call' ? unit.calls[lowered.call] : undefined
    if (call && /^pytest\.(raises|warns|deprecated_call)$|^self\.assert(Raises|Warns|Logs)/.test(call.name))
      unit.assertions.push({ span: item, compare: 'throws', operands: call.args, claims: 'presence', in: inside })
    if (call?.name === 'contextlib.suppress') suppressed.push(item)
    inside = addRegion(unit, { kind: 'with', in: inside, span: node, ...(lowered.is === 'call' && { call: lowered.call }) })
  }
  const first = unit.calls.length
  const body = field(node, 'body')
  block(body, unit, inside, scope)
  const calls = unit.calls.slice(first).map((_, i) => first + i)
  for (const item of suppressed) unit.swallows.push({ span: item, how: textOf(item, scope), calls, text: textOf(body, scope), in: region })
}

// ---------------------------------------------------------------------------------------------- expressions

/** Coroutines from before `await`: what they yield is waited for. */
const waitsByYield = (unit: Draft): boolean => unit.markers.some(m => /(^|\.)(gen_test|gen\.coroutine|inlineCallbacks)$/.test(m.name))

function expression(node: Node, unit: Draft, region: number, scope: Scope, result: Result): void {
  if (node.type === 'assignment' || node.type === 'augmented_assignment') return void assign(node, unit, region, scope)
  if (node.type === 'yield') {
    for (const given of named(node)) {
      unit.returns.push(lower(given, unit, region, scope, waitsByYield(unit) ? 'awaited' : 'used'))
      assertLast(given, unit, region)
    }
    return
  }
  const value = lower(node, unit, region, scope, result)
  const inner = node.type === 'await' ? named(node)[0] : node
  if (value.is !== 'call' || inner?.type !== 'call') return
  readSkip(inner, unit, scope)
  assertCall(value.call, inner, unit, region)
}

/** `yield self.assertFailure(…)` and `return self.assertRaises(…)` assert as well; the call is the last one made. */
function assertLast(node: Node, unit: Draft, region: number): void {
  const last = unit.calls.length - 1
  if (node.type === 'call' && unit.calls[last]?.span.start === node.start && unit.calls[last]!.span.end === node.end)
    assertCall(last, node, unit, region)
}

function assign(node: Node, unit: Draft, region: number, scope: Scope): Value {
  const left = field(node, 'left'), right = field(node, 'right')
  if (left) annotateType(unit, textOf(left, scope), field(node, 'type'), scope)
  if (!left || !right) return UNKNOWN
  const adds = node.type === 'augmented_assignment'
  const value = right.type === 'assignment' ? assign(right, unit, region, scope) : lower(right, unit, region, scope)
  readMark(left, right, unit, scope)
  const targets = namesIn(left)
  targets.forEach((target, i) => {
    const part: Value = targets.length === 1
      ? value
      : value.is === 'group' && value.of.length === targets.length
      ? value.of[i]!
      : { is: 'group', of: [value] }
    const declares = !adds && target.type === 'identifier' && unit.role.is !== 'module' && !scope.outside.has(textOf(target, scope))
    unit.writes.push({ span: node, target: targetOf(target, scope), value: part, in: region, declares, adds })
  })
  return value
}

/** `pytestmark = pytest.mark.skip(…)`, and trial's `skip = "…"` and `test_x.skip = "…"`. */
function readMark(left: Node, right: Node, unit: Draft, scope: Scope): void {
  if (unit.role.is !== 'module' && unit.role.is !== 'suite') return
  const name = textOf(left, scope)
  if (name === 'pytestmark') {
    for (const mark of right.type === 'list' || right.type === 'tuple' ? named(right) : [right]) {
      const callee = mark.type === 'call' ? field(mark, 'function') : mark
      const path = pathOf(callee, scope)
      if (path) markUnit(unit, mark, path, mark.type === 'call' ? field(mark, 'arguments') : undefined, scope)
    }
  } else if (scope.options.kind === 'test' && (/^test\w*\.skip$/.test(name) || (name === 'skip' && unit.role.is === 'suite'))
    && right.type !== 'none')
    unit.skips.push({ span: left, how: 'skip',
      reason: /string/.test(right.type) || right.type === 'parenthesized_expression' ? plainText(right, scope) : textOf(right, scope),
      condition: conditionAround(left, scope) })
}

/** The single targets of `a, (b, *c) = …`. */
function namesIn(node: Node): Node[] {
  return /^(pattern_list|tuple_pattern|list_pattern|expression_list|tuple|list_splat_pattern)$/.test(node.type)
    ? named(node).flatMap(namesIn)
    : [node]
}

/** `os.environ["X"]` is the target `os.environ[]`: which key rarely matters, that it is the environment does. */
function targetOf(node: Node, scope: Scope): string {
  if (node.type === 'subscript') return `${targetOf(field(node, 'value')!, scope)}[]`
  return pathOf(node, scope) ?? textOf(node, scope)
}

/** A dotted path with its first name followed through the imports. */
function pathOf(node: Node | undefined, scope: Scope, depth = 0): string | undefined {
  if (!node || depth > 40) return undefined
  if (node.type === 'identifier') {
    const name = textOf(node, scope)
    return scope.names.get(name) ?? name
  }
  if (node.type !== 'attribute') return undefined
  const object = pathOf(field(node, 'object'), scope, depth + 1)
  return object && `${object}.${textOf(field(node, 'attribute'), scope)}`
}

function lower(node: Node, unit: Draft, region: number, scope: Scope, result: Result = 'used'): Value {
  if (scope.depth.now > DEEPEST) return UNKNOWN
  scope.depth.now++
  const value = valueOf(node, unit, region, scope, result)
  scope.depth.now--
  return value
}

function valueOf(node: Node, unit: Draft, region: number, scope: Scope, result: Result): Value {
  const of = (nodes: readonly Node[]) => nodes.map(n => lower(n, unit, region, scope))
  switch (node.type) {
    case 'integer':
    case 'float': {
      const n = Number(textOf(node, scope).replaceAll('_', ''))
      return Number.isNaN(n) ? UNKNOWN : literal(n)
    }
    case 'true':
    case 'false':
      return literal(node.type === 'true')
    case 'none':
      return literal(null)
    case 'string':
      return stringValue(node, unit, region, scope)
    case 'concatenated_string':
      return { is: 'text', parts: of(named(node)) }
    case 'identifier':
    case 'attribute': {
      const path = pathOf(node, scope)
      if (path) return { is: 'name', path }
      const object = field(node, 'object')
      return { is: 'group', of: object ? [lower(object, unit, region, scope)] : [] }
    }
    case 'call':
      return callValue(node, unit, region, scope, result)
    case 'yield': {
      const inner = named(node)[0]
      return inner ? lower(inner, unit, region, scope, waitsByYield(unit) ? 'awaited' : result) : UNKNOWN
    }
    case 'await': {
      const inner = named(node)[0]
      const value = inner ? lower(inner, unit, region, scope, 'awaited') : UNKNOWN
      addAwait(unit, value, node)
      return value
    }
    case 'parenthesized_expression': {
      const inner = named(node)[0]
      return inner ? lower(inner, unit, region, scope, result) : UNKNOWN
    }
    case 'unary_operator':
    case 'not_operator': {
      const inner = field(node, 'argument')
      const op = node.type === 'not_operator' ? 'not' : textOf(field(node, 'operator'), scope)
      return { is: 'op', op, of: inner ? [lower(inner, unit, region, scope)] : [] }
    }
    case 'binary_operator':
    case 'boolean_operator': {
      const left = field(node, 'left')!, right = field(node, 'right')!
      const op = textOf(field(node, 'operator'), scope)
      const parts = of([left, right])
      // "db_" + name and "db_%s" % name build text.
      if ((op === '+' || op === '%') && [left, right].some(n => n.type === 'string')) return { is: 'text', parts }
      return { is: 'op', op, of: parts }
    }
    case 'comparison_operator':
      return comparison(node, unit, region, scope)
    case 'conditional_expression': {
      const [yes, condition, no] = of(named(node))
      return { is: 'op', op: '?', of: [condition ?? UNKNOWN, yes ?? UNKNOWN, no ?? UNKNOWN] }
    }
    case 'subscript':
      return { is: 'op', op: '[]', of: of(named(node)) }
    case 'named_expression': {
      const value = field(node, 'value'), name = field(node, 'name')
      const lowered = value ? lower(value, unit, region, scope) : UNKNOWN
      if (name) unit.writes.push({ span: node, target: textOf(name, scope), value: lowered, in: region, declares: true, adds: false })
      return lowered
    }
    case 'lambda': {
      const inside = addRegion(unit, { kind: 'closure', in: region, span: node })
      const body = field(node, 'body')
      return { is: 'group', of: body ? [lower(body, unit, inside, scope)] : [] }
    }
    case 'list_comprehension':
    case 'set_comprehension':
    case 'generator_expression':
    case 'dictionary_comprehension': {
      const inside = addRegion(unit, { kind: 'loop', in: region, span: node, counted: true })
      const iterables: Value[] = []
      for (const clause of node.children.filter(c => c.type === 'for_in_clause')) {
        const left = field(clause, 'left'), right = field(clause, 'right')
        const iterated = right ? lower(right, unit, region, scope) : UNKNOWN
        iterables.push(iterated)
        for (const name of left ? namesIn(left) : [])
          unit.writes.push({ span: clause, target: textOf(name, scope), value: { is: 'group', of: [iterated] }, in: inside, declares: true,
            adds: false })
      }
      for (const filter of node.children.filter(c => c.type === 'if_clause')) named(filter).forEach(c => void lower(c, unit, inside, scope))
      const body = field(node, 'body')
      const made: Value = { is: 'group',
        of: [...(body ? [lower(body, unit, inside, scope)] : []), ...iterables.filter(v => v.is === 'call')] }
      const builtin = node.type === 'set_comprehension' ? 'set' : node.type === 'dictionary_comprehension' ? 'dict' : undefined
      return builtin ? addCall(unit, { span: node, name: builtin, resolution: 'global', args: [made], in: region, result }) : made
    }
    // A set in braces is as unordered as one from set().
    case 'set':
      return addCall(unit, { span: node, name: 'set', resolution: 'global', args: [{ is: 'group', of: of(named(node)) }], in: region,
        result })
    case 'keyword_argument':
      return lower(field(node, 'value')!, unit, region, scope)
    case 'type':
      return UNKNOWN
    default:
      return named(node).length > 0 || node.type === 'list' || node.type === 'tuple' || node.type === 'dictionary'
        ? { is: 'group', of: of(named(node)) }
        : UNKNOWN
  }
}

function stringValue(node: Node, unit: Draft, region: number, scope: Scope): Value {
  const parts: Value[] = []
  for (const child of node.children) {
    if (child.type === 'string_content') parts.push(literal(textOf(child, scope)))
    else if (child.type === 'interpolation') {
      const inner = field(child, 'expression') ?? named(child)[0]
      if (inner) parts.push(lower(inner, unit, region, scope))
    }
  }
  if (parts.length === 0) return literal('')
  return parts.length === 1 && parts[0]!.is === 'literal' ? parts[0]! : { is: 'text', parts }
}

const SPELLED: Record<string, string> = { is: '==', 'is not': '!=', '<>': '!=' }

/** `a < b <= c` is `a < b and b <= c`. */
function comparison(node: Node, unit: Draft, region: number, scope: Scope): Value {
  const values = node.children.filter(c => c.field !== 'operators' && c.named).map(o => lower(o, unit, region, scope))
  const operators = node.children.filter(c => c.field === 'operators').map(c => textOf(c, scope).replace(/\s+/g, ' '))
  const pairs = operators.map((operator, i): Value => {
    const pair = [values[i] ?? UNKNOWN, values[i + 1] ?? UNKNOWN]
    if (operator === 'not in') return { is: 'op', op: 'not', of: [{ is: 'op', op: 'in', of: pair }] }
    return { is: 'op', op: SPELLED[operator] ?? operator, of: pair }
  })
  return pairs.length === 1 ? pairs[0]! : { is: 'op', op: 'and', of: pairs }
}

function callValue(node: Node, unit: Draft, region: number, scope: Scope, result: Result): Value {
  const callee = field(node, 'function')!
  const object = callee.type === 'attribute' ? field(callee, 'object')! : undefined
  const attribute = object ? textOf(field(callee, 'attribute'), scope) : ''
  const receiver = object ? lower(object, unit, region, scope) : null
  // `retry(stop_after_delay=1)(work)`: what is called was made by a call of its own.
  if (callee.type === 'call') lower(callee, unit, region, scope)
  const args: Value[] = []
  const keyed: Record<string, Value> = {}
  const given = field(node, 'arguments')
  const firstRegion = unit.regions.length
  for (const argument of given?.type === 'argument_list' ? named(given) : given ? [given] : []) {
    if (argument.type === 'keyword_argument') keyed[textOf(field(argument, 'name'), scope)] = lower(argument, unit, region, scope)
    else if (argument.type === 'dictionary_splat') {
      for (const [key, value] of spread(lower(named(argument)[0]!, unit, region, scope), unit, scope)) keyed[key] ??= value
    } else args.push(lower(argument, unit, region, scope))
  }
  const lastRegion = unit.regions.length
  // "db_{}".format(now), ",".join(names) and str(now) build text.
  if (object?.type === 'string' && attribute === 'format') return { is: 'text', parts: [receiver!, ...args, ...Object.values(keyed)] }
  if (object?.type === 'string' && attribute === 'join') return { is: 'text', parts: args }
  if (callee.type === 'identifier' && textOf(callee, scope) === 'str' && args.length === 1) return { is: 'text', parts: args }
  const called = calleeName(callee, receiver, attribute, given, unit, scope), program = sleepsAs(called.name, args[0])
  if (called.name === 'threading.Event().wait' && keyed['timeout']) args.push(keyed['timeout']), delete keyed['timeout']
  const value = addCall(unit, { span: node, nameSpan: object ? field(callee, 'attribute')! : callee, ...(program === undefined
    ? { ...called, args, named: keyed }
    : { ...called, name: 'subprocess(sleep)', args: [literal(program)], named: {} }), receiver, in: region, result })
  handTo(unit, value, region, firstRegion, lastRegion)
  return value
}

/** `**SETTINGS`: what a dictionary of the function or the module holds under plain names. */
function spread(value: Value, unit: Draft, { units }: Scope): (readonly [string, Value])[] {
  const home = value.is === 'name' ? [unit, units[0]!].find(u => u.writes.some(w => w.target === value.path)) : undefined
  const writes = home && value.is === 'name' ? home.writes.filter(w => w.target === value.path) : []
  const held = value.is === 'group' ? value : writes.length === 1 ? writes[0]!.value : undefined
  return (held?.is === 'group' ? held.of : []).flatMap(pair => {
    const [key, of] = pair.is === 'group' ? pair.of : []
    return key?.is === 'literal' && typeof key.value === 'string' && of && (of.is === 'literal' || home === undefined || home === unit)
      ? [[key.value, of] as const]
      : []
  })
}

interface Named {
  readonly name: string
  readonly resolution: 'import' | 'type' | 'local' | 'global' | 'guess'
}

function calleeName(callee: Node, receiver: Value | null, method: string, given: Node | undefined, unit: Draft, scope: Scope): Named {
  const path = pathOf(callee, scope)
  const root = rootOf(callee, scope)
  const args = given?.type === 'argument_list' ? named(given) : []
  if (stopsLater(method, args, unit, scope)) return { name: 'call_later(stop)', resolution: 'guess' }
  if (path !== undefined && patchesClock(path, args, scope)) return { name: 'unittest.mock.patch of the clock', resolution: 'import' }
  if (path === 'select.select' && args.length === 4 && args.slice(0, 3).every(a => /^[[(]\s*[\])]$/.test(textOf(a, scope))))
    return { name: 'select.select(nothing)', resolution: 'import' }
  if (path !== undefined && scope.names.has(root))
    return { name: path === 'datetime.timedelta' ? timedelta(args, scope) : path, resolution: 'import' }
  // What hangs on a field is known by the field's type, if at all; `self.helper()` is a method of this file or its base.
  const field = root === 'self' || root === 'cls' ? path?.split('.').length !== 2 : false
  if (path !== undefined && !field
    && (root === 'self' || root === 'cls' || (scope.own.has(root) && !(callee.type === 'attribute' && unit.params.includes(root)))))
    return { name: path, resolution: 'local' }
  if (callee.type === 'identifier') {
    const from = scope.wildcards.find(module => KNOWN.has(`${module}.${path}`))
    return from ? { name: `${from}.${path}`, resolution: 'import' } : { name: path!, resolution: 'global' }
  }
  const type = typeOf(receiver, unit)
  if (type === 'threading.Event' && method === 'wait' && receiver?.is === 'call')
    return { name: 'threading.Event().wait', resolution: 'type' }
  if (type && (KNOWN.has(`${type}.${method}`) || !KNOWN.has(`?.${method}`) || isStandIn(type)))
    return { name: `${type}.${method}`, resolution: 'type' }
  // A fixture or parameter keeps its name: `monkeypatch.setenv` says more than `?.setenv`.
  if (joinsFor(method, args, scope)) return { name: 'threading.Thread.join', resolution: 'guess' }
  const keeps = receiver?.is === 'name' && unit.params.includes(receiver.path)
    && (BUILT_IN_FIXTURES.test(receiver.path) || !(KNOWN.has(`?.${method}`) || KNOWN.has(`${receiver.path}.${method}`)))
  return { name: keeps ? `${receiver.path}.${method}` : `?.${method}`, resolution: 'guess' }
}

/** `subprocess.run(["sleep", "1"])`, `os.system("sleep 1")`: the program that only waits, for so many seconds. */
function sleepsAs(name: string, command: Value | undefined): number | undefined {
  if (!command || !/^(subprocess\.(run|call|check_call|check_output)|os\.system)$/.test(name)) return undefined
  const words = (command.is === 'group' ? command.of : [command]).map(v => (v.is === 'literal' ? String(v.value) : '?')).join(' ')
  return /^sleep (\d+(?:\.\d+)?|\.\d+)s?$/.test(words) ? Number.parseFloat(words.slice('sleep '.length)) : undefined
}

/** `thread.join(0.5)`, `worker.join(timeout=5)`: what is told a time is no separator. */
function joinsFor(method: string, args: readonly Node[], scope: Scope): boolean {
  const [only] = args
  return method === 'join' && args.length === 1
    && (/^(integer|float)$/.test(only!.type) || (only!.type === 'keyword_argument' && textOf(field(only!, 'name'), scope) === 'timeout'))
}

/** `loop.call_later(0.1, loop.stop)` and then `loop.run_forever()`: nothing else in the function stops the loop. */
function stopsLater(method: string, [, stop]: readonly Node[], unit: Draft, scope: Scope): boolean {
  const what = stop && /^(call_later|add_timeout)$/.test(method) ? textOf(stop, scope) : ''
  if (!/^[\w.]+\.stop$/.test(what)) return false
  const after = scope.text.slice(stop!.end, unit.span.end)
  return /^\)\s*(self\.wait|[\w.]+\.(run_forever|start))\(\)/.test(after)
    && scope.text.slice(unit.span.start, unit.span.end).split('.stop').length === 2
}

/** Fixtures that the catalog speaks of; any other parameter called like a module is not that module. */
const BUILT_IN_FIXTURES = /^(monkeypatch|mocker|qtbot|freezer|frozen_time|tmpdir|tmp_path_factory)$/

function rootOf(callee: Node, scope: Scope): string {
  let at = callee
  for (let object = at; object; object = field(at, 'object')!) {
    at = object
    if (at.type !== 'attribute') break
  }
  return at.type === 'identifier' ? textOf(at, scope) : ''
}

/** What `timedelta(minutes=5)` counts is in its argument's name, so it goes into the call's. */
function timedelta(args: readonly Node[], scope: Scope): string {
  const keys = args.filter(a => a.type === 'keyword_argument').map(a => textOf(field(a, 'name'), scope))
  if (args.length > 1) return 'datetime.timedelta.mixed'
  return keys.length === 1 ? `datetime.timedelta.${keys[0]}` : 'datetime.timedelta'
}

/** `event = threading.Event()` makes `event` a `threading.Event`. */
function typeOf(receiver: Value | null, unit: Draft): string | undefined {
  const made = receiver?.is === 'name' ? unit.writes.findLast(w => w.target === receiver.path)?.value : receiver
  const inner = made?.is === 'group' && made.of.length === 1 ? made.of[0] : made
  const maker = inner?.is === 'call'
    ? unit.calls[inner.call]
    : inner?.is === 'name' && inner !== made
    ? heldIn(inner.path, unit)
    : undefined
  if (maker?.resolution !== 'import') return undefined
  return MAKERS[maker.name] ?? (/(^|\.)[A-Z]\w*$/.test(maker.name) ? maker.name : undefined)
}

/** A condition that must hold; `x == pytest.approx(y, abs=2)` is as near as it says. */
function assertHolds(unit: Draft, condition: Value, node: Node, region: number, negated = false): void {
  const first = unit.assertions.length
  assertCondition(unit, condition, node, region, negated)
  for (let i = first; i < unit.assertions.length; i++) {
    const assertion = unit.assertions[i]!
    const at = assertion.compare === '=='
      ? assertion.operands.findIndex(o => o.is === 'call' && unit.calls[o.call]!.name === 'pytest.approx')
      : -1
    const operand = assertion.operands[at]
    if (operand?.is !== 'call') continue
    const { args, named: keyed } = unit.calls[operand.call]!
    const slack = keyed['abs'] ?? keyed['rel'] ?? args[2] ?? args[1]
    unit.assertions[i] = { ...assertion, compare: 'near', operands: assertion.operands.map((o, n) => (n === at ? args[0] ?? UNKNOWN : o)),
      ...(slack && { tolerance: slack }) }
  }
}

function assertCall(index: number, node: Node, unit: Draft, region: number): void {
  const call = unit.calls[index]!
  const method = call.name.split('.').at(-1)!
  const known = Object.hasOwn(ASSERT_METHODS, method) ? ASSERT_METHODS[method] : undefined
  if (call.name === 'pytest.raises' && call.args.length > 1)
    return void unit.assertions.push({ span: node, compare: 'throws', operands: call.args.slice(0, 1), claims: 'presence', in: region })
  if (!known) {
    if (/^assert(_|[A-Z])/.test(method))
      unit.assertions.push({ span: node, compare: 'other', operands: call.args,
        claims: /not|empty|none/i.test(method) ? 'absence' : 'presence', in: region })
    return
  }
  const negated = known.compare.startsWith('not ')
  const compare = (negated ? known.compare.slice(4) : known.compare) as Comparison
  const operands = call.args.slice(0, known.operands)
  if (compare === 'truth' && operands[0] && !known.absence) return assertHolds(unit, operands[0], node, region, negated)
  const slack = call.named['delta'] ?? call.named['atol'] ?? call.named['rtol'] ?? digits(call.named['places'] ?? call.args[known.operands])
  unit.assertions.push({
    span: node,
    compare,
    operands: known.receiver && call.receiver ? [call.receiver, ...operands] : operands,
    claims: known.absence ? 'absence' : claimOf(compare, operands, negated),
    in: region,
    ...(compare === 'near' && slack && { tolerance: slack }),
  })
}

/** `places=2` allows half a unit of the second digit. */
function digits(places: Value | undefined): Value | undefined {
  return places?.is === 'literal' && typeof places.value === 'number' ? literal(0.5 * 10 ** -places.value) : places
}
