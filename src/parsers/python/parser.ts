// Python, from tree-sitter-python to facts.

import { UNKNOWN, literal, type Comment, type Comparison, type Import, type Marker, type Parsed, type Role, type Value } from '../../facts/facts.ts'
import { addCall, addRegion, assertCondition, claimOf, draft, handTo, type Draft, type Result } from '../build.ts'
import type { ParseOptions } from '../frontend.ts'
import { field, named, parse, walk, type Node } from '../tree-sitter.ts'
import { ASSERT_METHODS, FIXTURE_CURES, HOOKS, MARKERS } from './frameworks.ts'

interface Scope {
  readonly text: string
  readonly options: ParseOptions
  readonly units: Draft[]
  readonly imports: Import[]
  /** What a name stands for: `np` → `numpy`, `sleep` → `time.sleep`. */
  readonly names: Map<string, string>
  /** Functions and classes that this file defines. */
  readonly own: Set<string>
}

export function parsePython(text: string, options: ParseOptions): Parsed {
  const tree = parse('python', text)
  if (!tree) return { units: [], imports: [], comments: [], problems: [{ span: { start: 0, end: text.length }, message: 'parsing took too long' }] }
  const scope: Scope = { text, options, units: [], imports: [], names: new Map(), own: new Set() }
  const comments: Comment[] = []
  for (const node of walk(tree.root)) {
    if (node.type === 'comment') comments.push({ span: node, text: text.slice(node.start, node.end).replace(/^#+\s?/, '').trim() })
    else if (node.type === 'import_statement' || node.type === 'import_from_statement') readImport(node, scope)
    else if (node.type === 'function_definition' || node.type === 'class_definition') scope.own.add(textOf(field(node, 'name'), scope))
  }
  const module = draft(scope.units, { role: { is: 'module' }, name: '', span: tree.root, parent: null })
  markDoctest(tree.root.children, module, scope)
  statements(tree.root.children, module, 0, scope)
  return { units: scope.units, imports: scope.imports, comments, problems: tree.problems }
}

const textOf = (node: Node | undefined, scope: Scope): string => (node ? scope.text.slice(node.start, node.end) : '')

function readImport(node: Node, scope: Scope): void {
  const from = node.type === 'import_from_statement' ? textOf(field(node, 'module_name'), scope) : ''
  const bring = (name: string, local: string) => {
    const full = from === '' ? name : `${from}.${name}`
    scope.names.set(local, full)
    scope.imports.push({ span: node, local, name: full })
  }
  for (const child of node.children) {
    if (child.type === 'wildcard_import') scope.imports.push({ span: node, local: '*', name: from })
    if (child.field !== 'name') continue
    if (child.type === 'aliased_import') bring(textOf(field(child, 'name'), scope), textOf(field(child, 'alias'), scope))
    else if (from !== '') bring(textOf(child, scope), textOf(child, scope))
    else {
      // `import os.path` binds `os`.
      const name = textOf(child, scope)
      const first = name.split('.')[0]!
      scope.names.set(first, first)
      scope.imports.push({ span: node, local: first, name })
    }
  }
}

// ---------------------------------------------------------------------------------------------------- units

function defineClass(node: Node, decorators: readonly Node[], outer: Draft, scope: Scope): void {
  const name = textOf(field(node, 'name'), scope)
  const unit = draft(scope.units, { role: { is: 'suite' }, name, title: qualify(outer, name), span: node, nameSpan: field(node, 'name') ?? node, parent: outer.id })
  const bases = field(node, 'superclasses')
  if (bases) unit.params.push(...named(bases).map(b => pathOf(b, scope) ?? textOf(b, scope)))
  decorate(unit, decorators, scope)
  markDoctest(field(node, 'body')?.children ?? [], unit, scope)
  statements(field(node, 'body')?.children ?? [], unit, 0, scope)
}

const qualify = (outer: Draft, name: string): string => (outer.role.is === 'suite' ? `${outer.title}::${name}` : name)

function defineFunction(node: Node, decorators: readonly Node[], outer: Draft, scope: Scope): void {
  const name = textOf(field(node, 'name'), scope)
  const unit = draft(scope.units, {
    role: { is: 'helper' }, name, title: qualify(outer, name), span: node, nameSpan: field(node, 'name') ?? node, parent: outer.id,
  })
  for (const parameter of named(field(node, 'parameters') ?? node)) {
    const given = parameter.type === 'identifier' ? parameter : field(parameter, 'name') ?? named(parameter)[0]
    unit.params.push(textOf(given, scope))
    // A default is one of several values the parameter can have, so it adds to what may be there.
    const value = field(parameter, 'value')
    if (value) unit.writes.push({ span: parameter, target: textOf(given, scope), value: lower(value, unit, 0, scope), in: 0, declares: true, adds: true })
  }
  decorate(unit, decorators, scope)
  unit.role = roleOf(unit, outer, scope)
  for (const parameter of unit.params)
    if (FIXTURE_CURES[parameter]) unit.markers.push({ span: unit.nameSpan, is: FIXTURE_CURES[parameter], name: `fixture ${parameter}` })
  const body = field(node, 'body')
  markDoctest(body?.children ?? [], unit, scope)
  if (body) statements(body.children, unit, 0, scope)
}

/** Examples in a docstring that doctest would run. */
function markDoctest(body: readonly Node[], unit: Draft, scope: Scope): void {
  const first = body.find(n => n.named && n.type !== 'comment')
  const docstring = first?.type === 'expression_statement' ? named(first)[0] : undefined
  if (docstring?.type === 'string' && /^\s*>>> /m.test(textOf(docstring, scope))) unit.markers.push({ span: docstring, is: 'other', name: 'doctest' })
}

function roleOf(unit: Draft, outer: Draft, scope: Scope): Role {
  const fixture = unit.markers.find(m => m.name === 'pytest.fixture')
  if (fixture) return { is: 'hook', when: 'before', per: /session|package/.test(fixture.key ?? '') ? 'run' : /module|class/.test(fixture.key ?? '') ? 'file' : 'test' }
  if (scope.options.testFunctions.includes(unit.name)) return { is: 'test' }
  if (scope.options.kind === 'source') return { is: 'helper' }
  const hook = HOOKS[unit.name]
  if (hook && (outer.role.is === 'suite' || outer.role.is === 'module')) return hook
  const collected = outer.role.is === 'module' ? scope.options.kind === 'test' : outer.role.is === 'suite' && isTestClass(outer, scope)
  return collected && unit.name.startsWith('test') ? { is: 'test' } : { is: 'helper' }
}

/** pytest collects `Test…` classes; unittest every subclass of its TestCase, which projects re-base under many names. */
function isTestClass(suite: Draft, scope: Scope): boolean {
  const outer = scope.units[suite.parent ?? 0]
  if (outer && outer.role.is !== 'module' && outer.role.is !== 'suite') return false
  return /^Test|(Tests?|TestCase)$/.test(suite.name) || suite.params.some(base => /Test/.test(base.split('.').at(-1)!))
}

function decorate(unit: Draft, decorators: readonly Node[], scope: Scope): void {
  for (const decorator of decorators) {
    const expression = named(decorator)[0]
    if (!expression) continue
    const callee = expression.type === 'call' ? field(expression, 'function') : expression
    const args = expression.type === 'call' ? field(expression, 'arguments') : undefined
    markUnit(unit, decorator, pathOf(callee, scope) ?? textOf(callee, scope), args, scope)
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
    unit.skips.push({ span: node, how: name, reason: reason ? unquote(textOf(reason, scope)) : null, condition })
    return
  }
  const marker: Marker = { span: node, is: known?.is ?? 'other', name, ...(args && { key: scope.text.slice(args.start + 1, args.end - 1) }) }
  unit.markers.push(marker)
}

const unquote = (text: string): string => text.replace(/^[a-zA-Z]*("""|'''|"|')([\s\S]*)\1$/, '$2')

// ----------------------------------------------------------------------------------------------- statements

function statements(nodes: readonly Node[], unit: Draft, region: number, scope: Scope): void {
  for (const node of nodes) statement(node, unit, region, scope)
}

function block(node: Node | undefined, unit: Draft, region: number, scope: Scope): void {
  if (node) statements(node.children, unit, region, scope)
}

function statement(node: Node, unit: Draft, region: number, scope: Scope): void {
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
      if (condition) assertCondition(unit, lower(condition, unit, region, scope), node, region)
      return
    }
    case 'expression_statement':
      return named(node).forEach(e => expression(e, unit, region, scope, 'discarded'))
    case 'return_statement': {
      const value = named(node)[0]
      if (value) unit.returns.push(lower(value, unit, region, scope, 'returned'))
      return
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
      for (const target of named(node)) unit.writes.push({ span: node, target: targetOf(target, scope), value: UNKNOWN, in: region, declares: false, adds: false })
      return
    case 'raise_statement':
      return named(node).forEach(e => void lower(e, unit, region, scope))
    case 'match_statement':
    case 'block':
      return block(node, unit, region, scope)
    case 'case_clause':
      return block(field(node, 'consequence'), unit, addRegion(unit, { kind: 'if', in: region, span: node }), scope)
    default:
      return
  }
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
  conditionalSkips(consequence, unit, scope, textOf(test, scope))
  block(consequence, unit, addRegion(unit, { kind: 'if', in: region, span: consequence ?? node, condition }), scope)
  for (const other of node.children) {
    if (other.type === 'elif_clause') {
      const next = lower(field(other, 'condition')!, unit, region, scope)
      block(field(other, 'consequence'), unit, addRegion(unit, { kind: 'if', in: region, span: other, condition: next }), scope)
    } else if (other.type === 'else_clause') block(field(other, 'body'), unit, addRegion(unit, { kind: 'else', in: region, span: other, condition }), scope)
  }
}

/** A skip called inside an `if` is conditional; `expression` sees the bare ones. */
function conditionalSkips(body: Node | undefined, unit: Draft, scope: Scope, condition: string): void {
  for (const node of body ? named(body) : []) {
    const call = node.type === 'expression_statement' || node.type === 'raise_statement' ? named(node)[0] : undefined
    if (call?.type === 'call') readSkip(call, unit, scope, condition)
  }
}

function readSkip(call: Node, unit: Draft, scope: Scope, condition: string | null): void {
  const name = pathOf(field(call, 'function'), scope) ?? ''
  if (!/^(pytest\.skip|self\.skipTest|(unittest\.)?(case\.)?SkipTest|pytest\.xfail)$/.test(name)) return
  if (unit.skips.some(s => s.span.start === call.start)) return
  const args = named(field(call, 'arguments') ?? call)
  const reason = args.find(a => a.type !== 'keyword_argument') ?? args.map(a => field(a, 'value')).find(v => v !== undefined)
  unit.skips.push({ span: call, how: name, reason: reason ? unquote(textOf(reason, scope)) : null, condition })
}

function loop(node: Node, unit: Draft, region: number, scope: Scope): void {
  const body = field(node, 'body')
  const over = node.type === 'for_statement' ? field(node, 'right') : undefined
  const target = field(node, 'left')
  if (over && target) {
    const iterated = lower(over, unit, region, scope)
    unit.writes.push({ span: target, target: targetOf(target, scope), value: { is: 'group', of: [iterated] }, in: region, declares: true, adds: false })
  }
  const inside = addRegion(unit, { kind: 'loop', in: region, span: node, leaves: leaves(body), counted: over !== undefined })
  // The condition is read on every turn, so its calls are inside the loop.
  const test = field(node, 'condition')
  if (test && !/^(True|1)$/.test(textOf(test, scope))) unit.regions[inside] = { ...unit.regions[inside]!, condition: lower(test, unit, inside, scope) }
  block(body, unit, inside, scope)
  const otherwise = node.children.find(c => c.type === 'else_clause')
  if (otherwise) block(field(otherwise, 'body'), unit, region, scope)
}

/** A break or return below that ends this loop. */
function leaves(body: Node | undefined, nested = false): boolean {
  for (const node of body?.children ?? []) {
    if (node.type === 'return_statement' || (node.type === 'break_statement' && !nested)) return true
    if (node.type === 'function_definition' || node.type === 'lambda') continue
    if (leaves(node, nested || node.type === 'for_statement' || node.type === 'while_statement')) return true
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
      const catches = types.flatMap(t => textOf(t, scope).replace(/\s+as\s+\w+$/, '').replace(/[()]/g, '').split(',').map(s => s.trim()).filter(Boolean))
      const empty = inner !== undefined && named(inner).every(s => s.type === 'pass_statement' || textOf(s, scope) === '...')
      const at = addRegion(unit, { kind: 'catch', in: region, span: clause, catches, empty })
      if (empty && body && !node.children.some(c => c.type === 'else_clause') && !leaves(body))
        unit.swallows.push({ span: { start: clause.start, end: clause.end }, how: `except ${catches.join(', ')}`.trim(), calls: tried, text: textOf(body, scope), in: region })
      block(inner, unit, at, scope)
    } else if (clause.type === 'finally_clause')
      block(clause.children.find(c => c.type === 'block'), unit, addRegion(unit, { kind: 'finally', in: region, span: clause }), scope)
    else if (clause.type === 'else_clause') block(field(clause, 'body'), unit, region, scope)
  }
}

function withStatement(node: Node, unit: Draft, region: number, scope: Scope): void {
  let inside = region
  const suppressed: Node[] = []
  for (const item of [...walk(node.children.find(c => c.type === 'with_clause') ?? node)].filter(n => n.type === 'with_item')) {
    const value = field(item, 'value')
    if (!value) continue
    const lowered = lower(value.type === 'as_pattern' ? named(value)[0]! : value, unit, inside, scope)
    const alias = value.type === 'as_pattern' ? field(value, 'alias') : undefined
    if (alias) unit.writes.push({ span: item, target: textOf(alias, scope), value: { is: 'group', of: [lowered] }, in: inside, declares: true, adds: false })
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

function expression(node: Node, unit: Draft, region: number, scope: Scope, result: Result): void {
  if (node.type === 'assignment' || node.type === 'augmented_assignment') return assign(node, unit, region, scope)
  if (node.type === 'yield') return named(node).forEach(v => void unit.returns.push(lower(v, unit, region, scope)))
  const value = lower(node, unit, region, scope, result)
  const inner = node.type === 'await' ? named(node)[0] : node
  if (value.is === 'call' && inner?.type === 'call') {
    readSkip(inner, unit, scope, null)
    assertCall(value.call, inner, unit, region)
  }
}

function assign(node: Node, unit: Draft, region: number, scope: Scope): void {
  const left = field(node, 'left'), right = field(node, 'right')
  if (!left || !right) return
  const adds = node.type === 'augmented_assignment'
  if (right.type === 'assignment') assign(right, unit, region, scope)
  const value = lower(right.type === 'assignment' ? field(right, 'right')! : right, unit, region, scope)
  const targets = left.type === 'pattern_list' || left.type === 'tuple_pattern' ? named(left) : [left]
  targets.forEach((target, i) => {
    const part: Value = targets.length === 1 ? value : value.is === 'group' && value.of.length === targets.length ? value.of[i]! : { is: 'group', of: [value] }
    unit.writes.push({ span: node, target: targetOf(target, scope), value: part, in: region, declares: !adds && target.type === 'identifier' && unit.role.is !== 'module', adds })
  })
}

/** `os.environ["X"]` is the target `os.environ[]`: which key rarely matters, that it is the environment does. */
function targetOf(node: Node, scope: Scope): string {
  if (node.type === 'subscript') return `${targetOf(field(node, 'value')!, scope)}[]`
  return pathOf(node, scope) ?? textOf(node, scope)
}

/** A dotted path with its first name followed through the imports. */
function pathOf(node: Node | undefined, scope: Scope): string | undefined {
  if (!node) return undefined
  if (node.type === 'identifier') {
    const name = textOf(node, scope)
    return scope.names.get(name) ?? name
  }
  if (node.type !== 'attribute') return undefined
  const object = pathOf(field(node, 'object'), scope)
  return object && `${object}.${textOf(field(node, 'attribute'), scope)}`
}

function lower(node: Node, unit: Draft, region: number, scope: Scope, result: Result = 'used'): Value {
  const of = (nodes: readonly Node[]) => nodes.map(n => lower(n, unit, region, scope))
  switch (node.type) {
    case 'integer':
    case 'float': {
      const n = Number(textOf(node, scope).replaceAll('_', ''))
      return Number.isNaN(n) ? UNKNOWN : literal(n)
    }
    case 'true': case 'false':
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
    case 'await': {
      const inner = named(node)[0]
      return inner ? lower(inner, unit, region, scope, 'awaited') : UNKNOWN
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
    case 'list_comprehension': case 'set_comprehension': case 'generator_expression': case 'dictionary_comprehension': {
      const inside = addRegion(unit, { kind: 'loop', in: region, span: node, counted: true })
      for (const clause of node.children.filter(c => c.type === 'for_in_clause')) {
        const left = field(clause, 'left'), right = field(clause, 'right')
        if (left && right) unit.writes.push({ span: clause, target: textOf(left, scope), value: { is: 'group', of: [lower(right, unit, region, scope)] }, in: inside, declares: true, adds: false })
      }
      const body = field(node, 'body')
      return { is: 'group', of: body ? [lower(body, unit, inside, scope)] : [] }
    }
    case 'keyword_argument':
      return lower(field(node, 'value')!, unit, region, scope)
    case 'type':
      return UNKNOWN
    default:
      return named(node).length > 0 || node.type === 'list' || node.type === 'tuple' || node.type === 'dictionary' ? { is: 'group', of: of(named(node)) } : UNKNOWN
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
  const args: Value[] = []
  const keyed: Record<string, Value> = {}
  const given = field(node, 'arguments')
  const firstRegion = unit.regions.length
  for (const argument of given?.type === 'argument_list' ? named(given) : given ? [given] : []) {
    if (argument.type === 'keyword_argument') keyed[textOf(field(argument, 'name'), scope)] = lower(argument, unit, region, scope)
    else args.push(lower(argument, unit, region, scope))
  }
  const lastRegion = unit.regions.length
  // "db_{}".format(now), ",".join(names) and str(now) build text.
  if (object?.type === 'string' && attribute === 'format') return { is: 'text', parts: [receiver!, ...args, ...Object.values(keyed)] }
  if (object?.type === 'string' && attribute === 'join') return { is: 'text', parts: args }
  if (callee.type === 'identifier' && textOf(callee, scope) === 'str' && args.length === 1) return { is: 'text', parts: args }
  const value = addCall(unit, { span: node, nameSpan: object ? field(callee, 'attribute')! : callee, ...calleeName(callee, receiver, attribute, unit, scope), receiver, args, named: keyed, in: region, result })
  handTo(unit, value, region, firstRegion, lastRegion)
  return value
}

function calleeName(callee: Node, receiver: Value | null, method: string, unit: Draft, scope: Scope): { name: string; resolution: 'import' | 'type' | 'local' | 'global' | 'guess' } {
  const path = pathOf(callee, scope)
  const root = textOf(callee, scope).split('.')[0]!
  if (path !== undefined && scope.names.has(root)) return { name: path, resolution: 'import' }
  if (path !== undefined && (root === 'self' || root === 'cls' || scope.own.has(root))) return { name: path, resolution: 'local' }
  if (callee.type === 'identifier') return { name: path!, resolution: 'global' }
  const type = typeOf(receiver, unit)
  if (type) return { name: `${type}.${method}`, resolution: 'type' }
  // A fixture or parameter keeps its name: `monkeypatch.setenv` says more than `?.setenv`.
  return receiver?.is === 'name' && unit.params.includes(receiver.path) ? { name: `${receiver.path}.${method}`, resolution: 'guess' } : { name: `?.${method}`, resolution: 'guess' }
}

/** `event = threading.Event()` makes `event` a `threading.Event`. */
function typeOf(receiver: Value | null, unit: Draft): string | undefined {
  const made = receiver?.is === 'name' ? unit.writes.findLast(w => w.target === receiver.path)?.value : receiver
  const inner = made?.is === 'group' && made.of.length === 1 ? made.of[0] : made
  const maker = inner?.is === 'call' ? unit.calls[inner.call] : undefined
  return maker?.resolution === 'import' && /(^|\.)[A-Z]\w*$/.test(maker.name) ? maker.name : undefined
}

function assertCall(index: number, node: Node, unit: Draft, region: number): void {
  const call = unit.calls[index]!
  const method = call.name.split('.').at(-1)!
  const known = ASSERT_METHODS[method]
  if (!known) {
    if (/^assert(_|[A-Z])/.test(method)) unit.assertions.push({ span: node, compare: 'other', operands: call.args, claims: /not|empty|none/i.test(method) ? 'absence' : 'presence', in: region })
    return
  }
  const negated = known.compare.startsWith('not ')
  const compare = (negated ? known.compare.slice(4) : known.compare) as Comparison
  const operands = call.args.slice(0, known.operands)
  if (compare === 'truth' && operands[0] && !known.absence) return assertCondition(unit, operands[0], node, region, negated)
  const slack = call.named['delta'] ?? call.named['atol'] ?? call.named['rtol'] ?? digits(call.named['places'] ?? call.args[known.operands])
  unit.assertions.push({
    span: node, compare, operands: known.receiver && call.receiver ? [call.receiver, ...operands] : operands,
    claims: known.absence ? 'absence' : claimOf(compare, operands, negated), in: region, ...(compare === 'near' && slack && { tolerance: slack }),
  })
}

/** `places=2` allows half a unit of the second digit. */
function digits(places: Value | undefined): Value | undefined {
  return places?.is === 'literal' && typeof places.value === 'number' ? literal(0.5 * 10 ** -places.value) : places
}
