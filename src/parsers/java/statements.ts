// What a method does, statement by statement.

import { UNKNOWN, type Span, type Value } from '../../facts/facts.ts'
import { addRegion } from '../build.ts'
import { field, type Node } from '../tree-sitter.ts'
import { assertTruth, fails } from './assertions.ts'
import { lower } from './expressions.ts'
import { MAX_DEPTH, firstPart, isComment, parts, resolveType, textOf, typeOf, typeOfNode, within, type At, type Scope,
  type Type } from './scope.ts'
import { declaredType, defineType, holdClosures } from './units.ts'

const spanOf = (node: Node): Span => ({ start: node.start, end: node.end })

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

export function statements(nodes: readonly Node[], at: At): void {
  for (const node of nodes) if (node.named) statement(node, at)
}

function statement(node: Node, at: At): void {
  if (at.scope.depth >= MAX_DEPTH) return
  at.scope.depth++
  read(node, at)
  at.scope.depth--
}

/** The body of an `if` or loop: a block, or a statement alone. */
function body(node: Node | undefined, at: At): void {
  if (!node) return
  if (node.type === 'block') statements(node.children, at)
  else statement(node, at)
}

function read(node: Node, at: At): void {
  const { unit, region, scope } = at
  switch (node.type) {
    case 'expression_statement': {
      const inner = firstPart(node)
      if (inner) lower(inner, at, 'discarded')
      return
    }
    case 'local_variable_declaration':
      return declare(node, at)
    case 'return_statement':
    case 'yield_statement': {
      const value = firstPart(node)
      if (value) at.returns.push(lower(value, at, 'returned'))
      return
    }
    case 'if_statement':
      return ifStatement(node, at)
    case 'while_statement':
    case 'do_statement':
    case 'for_statement':
    case 'enhanced_for_statement':
      return loop(node, at)
    case 'try_statement':
    case 'try_with_resources_statement':
      return tryStatement(node, at)
    case 'synchronized_statement': {
      const lock = node.children.find(c => c.type === 'parenthesized_expression')
      if (lock) lower(lock, at)
      const inside = addRegion(unit, { kind: 'with', in: region, span: spanOf(node) })
      return body(field(node, 'body'), { ...within(at, inside), locked: true })
    }
    case 'assert_statement': {
      const condition = firstPart(node)
      if (condition) assertTruth(lower(condition, at), spanOf(node), at)
      return
    }
    case 'throw_statement': {
      const thrown = firstPart(node)
      if (thrown) lower(thrown, at)
      readSkip(node, at)
      return
    }
    case 'switch_expression':
    case 'switch_statement':
      return void switchValue(node, at)
    case 'labeled_statement':
      return statements(node.children.slice(1), at)
    case 'block':
    case 'ERROR':
      return statements(node.children, at)
    case 'explicit_constructor_invocation': {
      const args = field(node, 'arguments')
      if (args) parts(args).forEach(a => void lower(a, at))
      return
    }
    case 'class_declaration':
    case 'interface_declaration':
    case 'enum_declaration':
    case 'record_declaration':
      return defineType(node, { ...at, region: 0 })
    case 'line_comment':
    case 'block_comment':
    case 'break_statement':
    case 'continue_statement':
      return
    default:
      if (scope.depth < MAX_DEPTH && /_expression$|^method_invocation$|^identifier$/.test(node.type)) lower(node, at, 'discarded')
  }
}

function declare(node: Node, at: At): void {
  const type = typeOfNode(field(node, 'type'), at.scope)
  for (const declarator of node.children) if (declarator.field === 'declarator') declareOne(declarator, declarator, type, at)
}

/** `T x = value`, in a statement, a resource or the head of a loop. */
function declareOne(node: Node, declarator: Node, type: Type | null, at: At): Value | undefined {
  const target = textOf(field(declarator, 'name'), at.scope)
  const value = field(declarator, 'value')
  // Declared before the value is read: a lambda may speak of the variable that holds it.
  at.env.vars.set(target, declaredType(type, declarator, at.scope))
  if (!value) return undefined
  const from = at.unit.regions.length
  const lowered = lower(value, at)
  at.unit.writes.push({ span: spanOf(node), target, value: lowered, in: at.region, declares: true, adds: false })
  if (!at.env.vars.get(target)) at.env.vars.set(target, typeOf(lowered, at) ?? null)
  at.closures.delete(target)
  holdClosures(target, from, at)
  return lowered
}

/** Closures of anonymous classes that nobody was handed belong to what was constructed. */
export function settleClosures({ unit, made }: At): void {
  for (const { region, call } of made)
    if (unit.regions[region]!.call === undefined) unit.regions[region] = { ...unit.regions[region]!, call }
}

// ------------------------------------------------------------------------------------------------- branches

function ifStatement(node: Node, at: At): void {
  const { unit, region, scope } = at
  // `else if` is read as one flat row of branches, however long.
  for (let branch: Node | undefined = node; branch;) {
    const test = field(branch, 'condition')
    const condition = test ? lower(test, at) : UNKNOWN
    const yes: Node | undefined = field(branch, 'consequence'), no: Node | undefined = field(branch, 'alternative')
    if (fails(yes, scope)) assertTruth(condition, spanOf(branch), at, true)
    else if (no && no.type !== 'if_statement' && fails(no, scope)) assertTruth(condition, spanOf(branch), at)
    const inside = addRegion(unit, { kind: 'if', in: region, span: spanOf(yes ?? branch), condition })
    conditionalSkips(yes, textOf(test, scope).replace(/^\(([\s\S]*)\)$/, '$1'), at)
    body(yes, within(at, inside))
    if (no?.type === 'if_statement') {
      branch = no
      continue
    }
    if (no) body(no, within(at, addRegion(unit, { kind: 'else', in: region, span: spanOf(no), condition })))
    return
  }
}

const SKIPS = /^throw\s+new\s+([\w.]*(?:SkipException|TestAbortedException|AssumptionViolatedException))\s*\(/

function conditionalSkips(node: Node | undefined, condition: string, at: At): void {
  for (const inner of node?.type === 'block' ? node.children : node ? [node] : [])
    if (inner.type === 'throw_statement') readSkip(inner, at, condition)
}

/** TestNG: `throw new SkipException("no server")`. */
function readSkip(node: Node, at: At, condition: string | null = null): void {
  const text = textOf(node, at.scope)
  const how = SKIPS.exec(text)?.[1]
  if (!how || at.unit.skips.some(s => s.span.start === node.start)) return
  at.unit.skips.push({ span: spanOf(node), how: resolveType(how, at.scope), reason: /\(\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? null,
    condition })
}

export function switchValue(node: Node, at: At): Value {
  const { unit, region } = at
  const of: Value[] = []
  // A switch for its own sake returns from the method; one for its value yields it.
  const isStatement = node.parent?.type === 'expression_statement' || node.parent?.type === 'block'
  const test = field(node, 'condition')
  if (test) of.push(lower(test, at))
  for (const group of field(node, 'body')?.children ?? []) {
    if (group.type !== 'switch_block_statement_group' && group.type !== 'switch_rule') continue
    const inside: At = { ...at, region: addRegion(unit, { kind: 'if', in: region, span: spanOf(group) }),
      returns: isStatement ? at.returns : of }
    for (const child of group.children) {
      if (!child.named || child.type === 'switch_label') continue
      const only = group.type === 'switch_rule' && child.type === 'expression_statement' ? firstPart(child) : undefined
      if (only) of.push(lower(only, inside))
      else statement(child, inside)
    }
  }
  return { is: 'group', of }
}

// ---------------------------------------------------------------------------------------------------- loops

function loop(node: Node, at: At): void {
  const { unit, region, scope } = at
  const inner = field(node, 'body')
  const found = survey(inner)
  const inLoop = (): number => addRegion(unit, { kind: 'loop', in: region, span: spanOf(node), leaves: found.leaves })
  const mark = (index: number, more: { condition?: Value; counted?: boolean }) =>
    void (unit.regions[index] = { ...unit.regions[index]!, ...more })
  if (node.type === 'enhanced_for_statement') {
    const name = field(node, 'name'), over = field(node, 'value')
    const iterated = over ? lower(over, at) : UNKNOWN
    const target = textOf(name, scope)
    at.env.vars.set(target, typeOfNode(field(node, 'type'), scope) ?? typeOf(iterated, at)?.of ?? null)
    unit.writes.push({ span: spanOf(name ?? node), target, value: { is: 'group', of: [iterated] }, in: region, declares: true,
      adds: false })
    const inside = inLoop()
    mark(inside, { counted: true })
    return body(inner, within(at, inside))
  }
  for (const child of node.children)
    if (child.field === 'init') child.type === 'local_variable_declaration' ? declare(child, at) : void lower(child, at, 'discarded')
  const inside = inLoop()
  const within_ = within(at, inside)
  const test = field(node, 'condition')
  const updates = node.children.filter(c => c.field === 'update')
  // The condition is read on every turn, so its calls are inside the loop; a do's after its body.
  const readTest = () => {
    if (!test || /^\(?\s*true\s*\)?$/.test(textOf(test, scope))) return
    mark(inside, { condition: lower(test, within_), counted: counted(test, updates, found, scope.text) })
  }
  if (node.type !== 'do_statement') readTest()
  body(inner, within_)
  for (const update of updates) lower(update, within_, 'discarded')
  if (node.type === 'do_statement') readTest()
}

/** Up to a count: `i < 5; i++`, `while (tries-- > 0)`, `while (n < 5) { …; n++; }`, or over an iterator. */
function counted(test: Node, updates: readonly Node[], { steps }: LoopSurvey, text: string): boolean {
  if (updates.some(u => u.type === 'update_expression' || (u.type === 'assignment_expression' && /[+-]=/.test(text.slice(u.start, u.end)))))
    return true
  const condition = text.slice(test.start, test.end)
  if (/\+\+|--|\.(hasNext|hasMoreElements|hasPrevious)\(\)/.test(condition)) return true
  return steps.some(s => new RegExp(`(^|[^\\w.])${text.slice(s.start, s.end).replace(/[^\w]/g, '\\$&')}([^\\w(.]|$)`).test(condition))
}

interface LoopSurvey {
  readonly leaves: boolean
  /** What the body steps by one: the operands of `++` and `--`. */
  readonly steps: Node[]
}

/** Looks for a way out of the loop: a break of its own, a return, a failure under an `if`. */
function survey(node: Node | undefined): LoopSurvey {
  const steps: Node[] = []
  let leaves = false
  const stack: { node: Node; loop: boolean; guarded: boolean }[] = node ? [{ node, loop: false, guarded: false }] : []
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { node: here, loop: nested, guarded } = top
    const { type } = here
    if (type === 'lambda_expression' || type === 'class_body') continue
    if (type === 'return_statement' || (type === 'throw_statement' && guarded)) leaves = true
    if (type === 'break_statement' && (!nested || here.children.some(c => c.type === 'identifier'))) leaves = true
    if (type === 'update_expression') steps.push(here.children.find(c => c.named) ?? here)
    const loops = nested || /^(while|do|for|enhanced_for)_statement$|^switch_(expression|statement)$/.test(type)
    const inIf = guarded || type === 'if_statement'
    for (const child of here.children) if (child.named) stack.push({ node: child, loop: loops, guarded: inIf })
  }
  return { leaves, steps }
}

// ----------------------------------------------------------------------------------------------------- try

/** `try { f(); ok = true; } catch (Exception e) {}`: whoever reads the flag learns of the failure. */
function tellsItself(body: Node, scope: Scope): boolean {
  const last = body.children.filter(c => c.named && !isComment(c)).at(-1)
  const assigned = last?.type === 'expression_statement' ? firstPart(last) : undefined
  return assigned?.type === 'assignment_expression' && /^(true|false)$/.test(textOf(field(assigned, 'right'), scope))
}

const CATCHES_ASSERTIONS = /(^|\.)(Throwable|Error|AssertionError|AssertionFailedError|ComparisonFailure)$/

/** The calls whose failure is dropped: a failed assertion is an Error, which `catch (Exception e)` lets pass. */
function dropped(catches: readonly string[], first: number, last: number, unit: At['unit']): number[] {
  const calls = range(first, last)
  if (catches.length === 0 || catches.some(c => CATCHES_ASSERTIONS.test(c))) return calls
  return calls.filter(i => !unit.assertions.some(a => a.span.start <= unit.calls[i]!.span.start && a.span.end >= unit.calls[i]!.span.end))
}

function tryStatement(node: Node, at: At): void {
  const { unit, region, scope } = at
  const tried = field(node, 'body')
  const firstCall = unit.calls.length
  const inTry = addRegion(unit, { kind: 'try', in: region, span: spanOf(tried ?? node) })
  let inside = inTry
  for (const resource of field(node, 'resources')?.children ?? []) {
    if (resource.type !== 'resource') continue
    const here = within(at, inside)
    const only = firstPart(resource)
    const value = field(resource, 'name')
      ? declareOne(resource, resource, typeOfNode(field(resource, 'type'), scope), here)
      : only && lower(only, here)
    inside = addRegion(unit, { kind: 'with', in: inside, span: spanOf(node), ...(value?.is === 'call' && { call: value.call }) })
  }
  if (tried) statements(tried.children, within(at, inside))
  const lastCall = unit.calls.length
  // `try { f(); fail(); } catch (X expected) {}` is how one asserted a throw before there was assertThrows.
  const expects = fails(tried, scope)
  for (const clause of node.children) {
    if (clause.type === 'catch_clause') {
      const parameter = clause.children.find(c => c.type === 'catch_formal_parameter')
      const types = parameter?.children.find(c => c.type === 'catch_type')
      const catches = types ? parts(types).map(t => textOf(t, scope)) : []
      const handler = field(clause, 'body')
      const empty = handler !== undefined && handler.children.every(c => !c.named || isComment(c))
      const inCatch = addRegion(unit, { kind: 'catch', in: region, span: spanOf(clause), catches, empty })
      const name = parameter && field(parameter, 'name')
      if (name) at.env.vars.set(textOf(name, scope), types ? typeOfNode(firstPart(types), scope) : null)
      if (expects) {
        const operands = catches.map((path): Value => ({ is: 'name', path }))
        unit.assertions.push({ span: spanOf(clause), compare: 'throws', operands, claims: 'presence', in: region })
      } else if (empty && tried && !survey(tried).leaves && !tellsItself(tried, scope)) {
        const text = textOf(tried, scope).slice(0, 1000).replace(/^\{\s*|\s*\}$/g, '')
        unit.swallows.push({ span: spanOf(clause), how: `catch ${catches.join(' | ')}`.trim(),
          calls: dropped(catches, firstCall, lastCall, unit), text, in: region })
      }
      if (handler) statements(handler.children, within(at, inCatch))
    } else if (clause.type === 'finally_clause') {
      const last = clause.children.find(c => c.type === 'block')
      if (last) statements(last.children, within(at, addRegion(unit, { kind: 'finally', in: region, span: spanOf(clause) })))
    }
  }
}
