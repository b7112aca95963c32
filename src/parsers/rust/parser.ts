// Rust, from tree-sitter-rust to facts: modules, functions and statements.

import { UNKNOWN, type Call, type Comment, type Parsed, type Role, type Value } from '../../facts/facts.ts'
import { draft, type Draft, type Result } from '../build.ts'
import type { ParseOptions } from '../frontend.ts'
import { field, parse, type Node } from '../tree-sitter.ts'
import { attributesOf, isForTests, mark, type Attribute } from './attributes.ts'
import { fails } from './control.ts'
import { bind, bindFields, declare, given as givenBack, lower } from './expressions.ts'
import { CONTEXT_HOOKS, HOOK_ATTRIBUTES, TEST_ATTRIBUTES } from './frameworks.ts'
import { macroInvocation, reread } from './macros.ts'
import { kids, lastOf, namesIn, row, spanOf, textOf, typeFrom, typeOf, type Body, type Names, type Scope } from './names.ts'
import { unfold } from './unfold.ts'

export function parseRust(text: string, options: ParseOptions): Parsed {
  const { code, selects, items } = unfold(text)
  const tree = parse('rust', code)
  if (!tree)
    return { units: [], imports: [], comments: [], problems: [{ span: { start: 0, end: text.length }, message: 'parsing took too long' }] }
  const scope: Scope = {
    text,
    code,
    options,
    units: [],
    imports: [],
    selects,
    items,
    own: new Set(),
    fields: new Map(),
    gives: new Map(),
    statics: new Map(),
    problems: [...tree.problems],
    built: new WeakSet(),
    budget: 200_000 + text.length,
  }
  const comments = survey(tree.root, scope)
  const unit = draft(scope.units, { role: { is: 'module' }, name: '', span: spanOf(tree.root), parent: null })
  const body = newBody(unit, namesIn(tree.root.children, null, scope), scope)
  mark(unit, tree.root.children.filter(c => c.type === 'inner_attribute_item').flatMap(c => attributesOf(c, body)), body)
  guarded(tree.root, scope, () => {
    learnTypes(tree.root.children, body)
    statements(tree.root.children, body, 0)
  })
  return { units: scope.units, imports: scope.imports, comments, problems: scope.problems }
}

const newBody = (unit: Draft, names: Names, scope: Scope, self?: string, property = ''): Body => ({ unit, scope, names, types: new Map(),
  made: [], closures: new Map(), self, property })

/** Code nested deeper than our stack costs the function it stands in, not the file. */
function guarded(node: Node, scope: Scope, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    scope.problems.push({ span: spanOf(node), message: 'nested too deeply to be read' })
  }
}

/** One walk, without recursion: comments, and the names that the file defines. */
function survey(root: Node, scope: Scope): Comment[] {
  const comments: Comment[] = []
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'line_comment' || node.type === 'block_comment') {
      const raw = scope.text.slice(node.start, node.end)
      const text = raw.replace(/^\/\/[/!]?\s?|^\/\*[*!]?|\*\/$/g, '').replace(/^\s*\* ?/gm, '').trim()
      comments.push({ span: { start: node.start, end: node.start + raw.trimEnd().length }, text })
      continue
    }
    const defines = /^(function|struct|enum|trait|const|static|type|union)_item$/.test(node.type)
      || (node.type === 'mod_item' && field(node, 'body') !== undefined)
    if (defines) scope.own.add(textOf(field(node, 'name'), scope))
    if (node.type === 'macro_definition') scope.own.add(`${textOf(field(node, 'name'), scope)}!`)
    if (node.type === 'token_tree') {
      // Only comments are of interest among loose tokens.
      for (const child of node.children) if (child.children.length > 0 || child.type.endsWith('comment')) stack.push(child)
      continue
    }
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!)
  }
  return comments.sort((a, b) => a.span.start - b.span.start)
}

/** What structs hold, functions give and statics are, before any body is read. */
function learnTypes(children: readonly Node[], body: Body, prefix = ''): void {
  const { scope } = body
  for (const node of children) {
    const name = textOf(field(node, 'name'), scope)
    switch (node.type) {
      case 'struct_item':
        for (const part of kids(field(node, 'body'))) {
          const type = typeFrom(field(part, 'type'), body)
          if (type && part.type === 'field_declaration') scope.fields.set(`${name}.${textOf(field(part, 'name'), scope)}`, type)
        }
        break
      case 'function_item': {
        const type = typeFrom(field(node, 'return_type'), body)
        if (type) scope.gives.set(prefix + name, type)
        break
      }
      case 'static_item':
      case 'const_item': {
        const type = typeFrom(field(node, 'type'), body)
        // A lock around a number holds something; one that is called a lock may hold anything.
        const holds = type?.of.length === 1 && type.of[0] === undefined && !/<\s*\(\s*\)\s*>/.test(textOf(field(node, 'type'), scope))
          && !/LOCK|MUTEX|GUARD|SERIAL|TURN/.test(name)
        if (type) scope.statics.set(name, holds ? { ...type, of: [{ name: 'held', of: [] }] } : type)
        break
      }
      case 'mod_item': {
        const inner = field(node, 'body')
        if (inner) learnTypes(inner.children, { ...body, names: namesQuietly(inner.children, body.names, scope) })
        break
      }
      case 'impl_item': {
        const type = typeName(node, scope)
        learnTypes(field(node, 'body')?.children ?? [], { ...body, self: type }, `${type}::`)
        break
      }
    }
  }
}

/** The imports are recorded once, when the module itself is read. */
const namesQuietly = (children: readonly Node[], parent: Names, scope: Scope): Names => namesIn(children, parent, { ...scope, imports: [] })

// ---------------------------------------------------------------------------------------------------- units

const qualify = (outer: Draft, name: string): string => (outer.role.is === 'suite' ? `${outer.title}::${name}` : name)

function defineModule(node: Node, attributes: readonly Attribute[], outer: Body): void {
  const { scope } = outer
  const inner = field(node, 'body')
  if (!inner) return
  const macro = scope.items.get(node.start)
  if (macro === 'thread_local') return
  const names = namesIn(inner.children, outer.names, scope)
  // A macro around items is no module.
  if (macro) return statements(inner.children, { ...outer, names, property: macro === 'proptest' ? macro : outer.property }, 0)
  const name = textOf(field(node, 'name'), scope)
  const unit = draft(scope.units, {
    role: { is: 'suite' },
    name,
    title: qualify(outer.unit, name),
    span: spanOf(node),
    nameSpan: spanOf(field(node, 'name') ?? node),
    parent: outer.unit.id,
  })
  const body = newBody(unit, names, scope, undefined, outer.property)
  mark(unit, [...attributes, ...inner.children.filter(c => c.type === 'inner_attribute_item').flatMap(c => attributesOf(c, body))], body)
  statements(inner.children, body, 0)
}

/** `&mut shop::Cart<T>` is an impl of `Cart`. */
const typeName = (node: Node, scope: Scope): string =>
  textOf(field(node, 'type') ?? field(node, 'name'), scope).replace(/<[\s\S]*$/, '').replace(/^&?(mut |dyn )?\s*/, '').replace(/^.*::/, '')
    .trim()

function defineImpl(node: Node, attributes: readonly Attribute[], outer: Body): void {
  const { scope } = outer
  const name = typeName(node, scope)
  const unit = draft(scope.units, {
    role: { is: 'suite' },
    name,
    title: qualify(outer.unit, name),
    span: spanOf(node),
    nameSpan: spanOf(field(node, 'type') ?? field(node, 'name') ?? node),
    parent: outer.unit.id,
  })
  const trait = field(node, 'trait')
  if (trait) unit.params.push(textOf(trait, scope).replace(/<[\s\S]*$/, ''))
  const body = newBody(unit, outer.names, scope, name, outer.property)
  mark(unit, attributes, body)
  statements(field(node, 'body')?.children ?? [], body, 0)
}

function defineFunction(node: Node, attributes: readonly Attribute[], outer: Body): void {
  const { scope } = outer
  const name = textOf(field(node, 'name'), scope)
  const unit = draft(scope.units, {
    role: { is: 'helper' },
    name,
    title: qualify(outer.unit, name),
    span: spanOf(node),
    nameSpan: spanOf(field(node, 'name') ?? node),
    parent: outer.unit.id,
  })
  const body = newBody(unit, outer.names, scope, outer.self)
  if (/\basync\b/.test(textOf(node.children.find(c => c.type === 'function_modifiers'), scope))) unit.async = true
  for (const parameter of kids(field(node, 'parameters'))) {
    if (parameter.type === 'self_parameter') unit.params.push('self')
    const pattern = field(parameter, 'pattern')
    if (pattern) unit.params.push(...declare(pattern, typeFrom(field(parameter, 'type'), body), body))
  }
  mark(unit, attributes, body)
  if (outer.property) unit.markers.push({ span: unit.nameSpan, is: 'property', name: outer.property })
  unit.role = roleOf(unit, attributes, outer)
  const block = field(node, 'body')
  if (!block) return
  guarded(node, scope, () => {
    const gives = field(node, 'return_type') !== undefined
    const value = blockValue(block, body, 0, gives ? 'returned' : 'discarded')
    if (gives && value.is !== 'unknown') unit.returns.push(givenBack(value, body))
  })
}

/**
 * A macro of one rule that waits or looks at the clock is a helper by another name: `nap!(50)`. What writes items or repeats itself is
 * none.
 */
function defineMacro(node: Node, outer: Body): void {
  const { scope } = outer
  const [rule, ...others] = kids(node).filter(c => c.type === 'macro_rule')
  const given = textOf(rule && field(rule, 'left'), scope), made = rule && field(rule, 'right')
  if (!made || others.length > 0 || !/sleep|time|elapsed|Instant|wait/.test(textOf(made, scope))
    || /\$\(|\$crate\b/.test(given + textOf(made, scope)) || /\bfn\s|\bmacro_rules\b|#\[/.test(textOf(made, scope))) return
  const again = reread(made, true, { ...outer, scope: { ...scope, code: scope.code.replaceAll('$', '_') } })
  if (!again) return
  const name = `${textOf(field(node, 'name'), scope)}!`
  const unit = draft(scope.units, { role: { is: 'helper' }, name, title: qualify(outer.unit, name), span: spanOf(node),
    nameSpan: spanOf(field(node, 'name') ?? node), parent: outer.unit.id })
  const body = newBody(unit, outer.names, scope)
  for (const [parameter] of given.matchAll(/\$\w+(?=\s*:)/g)) unit.params.push(parameter), body.types.set(parameter, undefined)
  guarded(node, scope, () => statements(again, body, 0))
}

function roleOf(unit: Draft, attributes: readonly Attribute[], outer: Body): Role {
  const { testFunctions } = outer.scope.options
  const hook = attributes.map(a => row(HOOK_ATTRIBUTES, lastOf(a.path))).find(r => r !== undefined)
  if (hook) return hook.is === 'hook' && attributes.some(a => a.path === 'once') ? { ...hook, per: 'file' } : hook
  if (outer.unit.role.is === 'suite' && /TestContext$/.test(outer.unit.params[0] ?? '') && row(CONTEXT_HOOKS, unit.name))
    return row(CONTEXT_HOOKS, unit.name)!
  // The harness collects functions of modules: not of types, not of functions.
  if (outer.self !== undefined || (outer.unit.role.is !== 'module' && outer.unit.role.is !== 'suite')) return { is: 'helper' }
  const test = attributes.some(a =>
    TEST_ATTRIBUTES.has(lastOf(a.path)) || testFunctions.includes(a.path) || testFunctions.includes(lastOf(a.path))
  )
  return test || testFunctions.includes(unit.name) || outer.property === 'quickcheck' ? { is: 'test' } : { is: 'helper' }
}

// ----------------------------------------------------------------------------------------------- statements

const EXPRESSIONS = /(_expression|_literal|_block|^block|^identifier|^self|_expr)$/

/** Items and statements in their order; attributes go with what follows them. */
export function statements(children: readonly Node[], body: Body, region: number): void {
  let attributes: Attribute[] = []
  for (const node of children) {
    if (!node.named || node.type.endsWith('comment')) continue
    if (node.type === 'attribute_item') {
      attributes.push(...attributesOf(node, body))
      continue
    }
    statement(node, attributes, body, region)
    attributes = []
  }
}

function statement(node: Node, attributes: readonly Attribute[], body: Body, region: number): void {
  switch (node.type) {
    case 'function_item':
    case 'function_signature_item':
      if (node.type === 'function_item') defineFunction(node, attributes, body)
      return
    case 'macro_definition':
      return defineMacro(node, body)
    case 'mod_item':
      return defineModule(node, attributes, body)
    case 'impl_item':
    case 'trait_item':
      return defineImpl(node, attributes, body)
    case 'const_item':
      if (body.unit.role.is === 'module' && attributes.length > 0) return defineConstant(node, attributes, body)
      return constant(node, body, region)
    case 'static_item':
      return constant(node, body, region)
    case 'let_declaration':
      return letStatement(node, body, region)
    case 'expression_statement':
      // The head of a `select!` arm, which ended in `=>`, is waited for.
      if (body.scope.text[node.end - 1] === '=' && body.unit.regions[region]!.kind === 'select')
        return kids(node).forEach(e => void lower(e, body, region, 'awaited'))
      return kids(node).forEach(e => void discard(e, body, region))
    case 'macro_invocation':
      return void macroInvocation(node, body, region, 'discarded')
    default:
      if (EXPRESSIONS.test(node.type)) discard(node, body, region)
  }
}

/** A block's statements; its value is its last expression. */
export function blockValue(node: Node, outer: Body, region: number, result: Result): Value {
  const { scope } = outer
  const names = namesIn(node.children, outer.names, scope)
  const body = names === outer.names ? outer : { ...outer, names }
  if (names !== outer.names) learnTypes(node.children, body)
  const last = kids(node).at(-1)
  const tail = last && EXPRESSIONS.test(last.type) && last.type !== 'expression_statement'
    ? last
    : last?.type === 'macro_invocation'
    ? last
    : undefined
  statements(tail ? node.children.filter(c => c !== tail) : node.children, body, region)
  if (!tail) return UNKNOWN
  if (result === 'discarded') {
    discard(tail, body, region)
    return UNKNOWN
  }
  return lower(tail, body, region, result)
}

/** `#[cfg(test)] const LIMIT: …` among the code under test stands for itself: it is test code, and what is around it is none. */
function defineConstant(node: Node, attributes: readonly Attribute[], outer: Body): void {
  const { scope } = outer, name = textOf(field(node, 'name'), scope)
  if (!attributes.some(isForTests)) return constant(node, outer, 0)
  const unit = draft(scope.units, { role: { is: 'suite' }, name, title: name, span: spanOf(node),
    nameSpan: spanOf(field(node, 'name') ?? node), parent: outer.unit.id })
  const body = newBody(unit, outer.names, scope, undefined, outer.property)
  mark(unit, attributes, body)
  constant(node, body, 0)
}

function constant(node: Node, body: Body, region: number): void {
  const value = field(node, 'value')
  if (!value) return
  const lowered = lower(value, body, region)
  const name = textOf(field(node, 'name'), body.scope)
  const inside = body.unit.role.is !== 'module' && body.unit.role.is !== 'suite'
  if (name === '_') return
  body.unit.writes.push({ span: spanOf(node), target: body.self && !inside ? `${body.self}::${name}` : name, value: lowered, in: region,
    declares: inside, adds: false })
}

/** Their results are no failures, or failures that mean nothing: `try_init` of a logger that another test has set up. */
const INFALLIBLE = new RegExp(
  `(^|::|\\.)(${
    ['new', 'default', 'spawn', 'spawn_blocking', 'now', 'elapsed', 'len', 'collect', 'take', 'replace', 'insert', 'remove', 'swap',
      'fetch_\\w+', 'drop', 'black_box', 'enter', 'block_on', 'format', 'map', 'filter', 'pop', 'next', 'unwrap_or\\w*', 'unwrap_err',
      'expect_err', 'poll', 'init', 'try_init', 'set_default'].join('|')
  })$`,
)

function letStatement(node: Node, body: Body, region: number): void {
  const { unit, scope } = body
  const pattern = field(node, 'pattern'), given = field(node, 'value'), told = field(node, 'type')
  const firstRegion = unit.regions.length
  const ignored = pattern !== undefined && textOf(pattern, scope) === '_'
  if (given?.type === 'struct_expression' && pattern?.type === 'identifier' && kids(field(given, 'body')).length > 1) {
    const name = textOf(pattern, scope)
    bindFields(name, given, node, body, region)
    body.types.set(name, typeFrom(told, body) ?? typeFrom(field(given, 'name'), body))
    body.closures.delete(name)
    return
  }
  const value = given ? lower(given, body, region, ignored && given.type === 'call_expression' ? 'discarded' : 'used') : UNKNOWN
  const type = typeFrom(told, body) ?? (given?.type === 'struct_expression' ? typeFrom(field(given, 'name'), body) : typeOf(value, body))
  if (value.is === 'call' && told && type && /^std::collections::(HashMap|HashSet|BTreeMap|BTreeSet)$/.test(type.name)) {
    const call = unit.calls[value.call]!
    if (call.name === '?.collect') unit.calls[value.call] = { ...call, name: `${type.name}::from_iter`, resolution: 'type' }
  }
  if (ignored) {
    const inner = given && strip(given)
    const call = value.is === 'call' ? unit.calls[value.call]! : undefined
    // Not where the call stands inside an `unwrap()` or the like.
    const bare = inner !== undefined && call !== undefined && inner.start === call.span.start && inner.end === call.span.end
    if (value.is === 'call' && bare && !INFALLIBLE.test(call.name))
      unit.swallows.push({ span: spanOf(node), how: 'let _ =', calls: [value.call], text: textOf(given, scope), in: region })
    return
  }
  // A name that is declared first and set later has no value yet.
  if (given) bind(pattern, value, type, node, body, region)
  else if (pattern) declare(pattern, type, body)
  if (given && /^(closure_expression|async_block)$/.test(given.type) && pattern?.type === 'identifier')
    body.closures.set(textOf(pattern, scope), firstRegion)
  const otherwise = field(node, 'alternative')
  if (!otherwise) return
  if (fails(otherwise, body))
    unit.assertions.push({ span: spanOf(node), compare: 'matches', operands: [value], claims: 'presence', in: region })
  blockValue(otherwise, body, region, 'discarded')
}

/** Without what leaves a failure as it is: waiting for it, brackets around it. */
const strip = (
  node: Node,
): Node => node.type === 'await_expression' || node.type === 'parenthesized_expression' ? strip(kids(node)[0] ?? node) : node

/** An expression for its effects alone. */
function discard(node: Node, body: Body, region: number): void {
  const value = lower(node, body, region, 'discarded')
  const call = value.is === 'call' ? body.unit.calls[value.call] : undefined
  if (!call) return
  const name = lastOf(call.name.replace(/^.*\./, ''))
  if (!/^assert(_\w+)?$/.test(name)) return assertChain(call, body)
  // `mock.assert()`, `assert_stock(&cart, 3)`: the project's own.
  const snapshot = name === 'assert_eq' && call.name.startsWith('?.') && call.args.length === 1
  body.unit.assertions.push({
    span: call.span,
    compare: snapshot ? 'snapshot' : call.args.length === 0 && call.receiver ? 'truth' : 'other',
    operands: call.receiver && call.args.length === 0 ? [call.receiver] : call.args,
    claims: /not|empty|none/.test(name) ? 'absence' : 'presence',
    in: call.in,
  })
}

/** `cmd.assert().success()`: what follows an `assert()` is asserted too. */
function assertChain(call: Call, body: Body): void {
  let at: Call | undefined = call
  for (let i = 0; i < 8 && at; i++) {
    at = at.receiver?.is === 'call' ? body.unit.calls[at.receiver.call] : undefined
    if (at && /(\?\.|::)assert$/.test(at.name)) {
      body.unit.assertions.push({ span: call.span, compare: 'other', operands: [...(at.receiver ? [at.receiver] : []), ...call.args],
        claims: 'presence', in: call.in })
      return
    }
  }
}
