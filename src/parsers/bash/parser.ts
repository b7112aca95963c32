// Bash and bats, from tree-sitter-bash to facts.

import { UNKNOWN, type Comment, type Parsed, type Role, type Span, type Unit, type Value } from '../../facts/facts.ts'
import { addRegion, draft, type Draft, type Result } from '../build.ts'
import type { ParseOptions } from '../frontend.ts'
import { field, fieldsOf, parse, type Node } from '../tree-sitter.ts'
import { assertTest } from './assertions.ts'
import { answers, isMask, list, plainly } from './chains.ts'
import { closeErrexit, command, duplicate, herestring, redirect, standInForDate } from './commands.ts'
import { branch, choice, loop } from './control.ts'
import { arithmetic, declares, joined, testCommand, word } from './expressions.ts'
import { HOOKS, TAGS, rowOf } from './frameworks.ts'
import { noteInert } from './inert.ts'
import { rewrite, sources, spoken } from './rewrite.ts'
import { expectsTests, isQuotedTest, quotedTest } from './sharness.ts'
import { bounded, inherit, quietly, textOf, type Place, type Scope } from './scope.ts'
import { assign, declaration } from './variables.ts'

export function parseBash(text: string, options: ParseOptions): Parsed {
  const { text: plain, titles } = rewrite(text)
  const tree = parse('bash', plain)
  const scope: Scope = {
    text,
    options,
    units: [],
    imports: [],
    own: new Map(),
    titles,
    registered: new Map(),
    tags: [],
    runner: runnerOf(text, options, titles.size > 0),
    locals: new Map(),
    lax: new Map(),
    depth: 0,
    evaluate: (node, at, result) => evaluate(node, at, scope, result),
    sequence: (nodes, at) => sequence(nodes, at, scope),
    script: (script, start, at) => readScript(script, start, at, scope),
  }
  const whole = { start: 0, end: text.length }
  const module = draft(scope.units, { role: { is: 'module' }, name: '', span: tree?.root ?? whole, parent: null })
  if (!tree) return { units: scope.units, imports: [], comments: [], problems: [{ span: whole, message: 'parsing took too long' }] }
  const comments = survey(tree.root, scope)
  // A script without a runner is its own test; what a bats file does outside its tests only prepares.
  const asserts = options.kind === 'test' && scope.runner === null
  sequence(tree.root.children, { unit: module, region: 0, guard: null, asserts }, scope)
  closeErrexit(module, scope, module.calls.length)
  const problems = tree.problems.filter(p => !isKnown(p.span, text))
  if (problems.length > 0) recover(plain, problems[0]!.span.start, module, scope)
  return { units: scope.units.map(sealed), imports: scope.imports.map(bare), comments, problems }
}

/** While the file is read a span may be a node; facts must not drag the tree along. */
const spanOf = ({ start, end }: Span): Span => ({ start, end })
const bare = <T extends { readonly span: Span }>(fact: T): T => ({ ...fact, span: spanOf(fact.span) })
const sealed = (unit: Draft): Unit => ({
  ...bare(unit),
  nameSpan: spanOf(unit.nameSpan),
  markers: unit.markers.map(bare),
  skips: unit.skips.map(bare),
  writes: unit.writes.map(bare),
  calls: unit.calls.map(c => ({ ...bare(c), nameSpan: spanOf(c.nameSpan) })),
  assertions: unit.assertions.map(bare),
  regions: unit.regions.map(bare),
  swallows: unit.swallows.map(bare),
  ...(unit.inert && { inert: unit.inert }),
})

/** Bash that the grammar does not know but gets over: `> file <<< text` and `<> file`. */
const isKnown = ({ start, end }: Span, text: string): boolean => text.slice(start, end + 1) === '<<<' || text.slice(start - 1, end) === '<>'

/** Where the grammar loses its way, all that follows is lost to it: tests after that are read one by one. */
function recover(plain: string, from: number, module: Draft, scope: Scope): void {
  const starts = [...scope.titles.keys()]
  const found = new Set(scope.units.map(u => u.nameSpan.start))
  starts.forEach((start, i) => {
    if (found.has(scope.titles.get(start)!.span.start) || (starts[i + 1] ?? plain.length) < from) return
    const tree = parse('bash', plain.slice(start, starts[i + 1]), 1000)
    const first = tree?.root.children.find(c => c.named)
    if (first?.type === 'function_definition' && first.start === 0) defineFunction(move(first, start, null, 0), module, scope)
  })
}

function runnerOf(text: string, options: ParseOptions, titled: boolean): Scope['runner'] {
  if (titled || /\.(bats|bash)$/.test(options.path) || /\bbats_test_function\b/.test(text)) return 'bats'
  if (expectsTests(text)) return 'sharness'
  if (!sources(text)) return null
  return /shunit/i.test(text) ? 'shunit2' : 'bash_unit'
}

/** One look at every node before any is read: comments, tags, and which functions there are. */
function survey(root: Node, scope: Scope): Comment[] {
  const comments: Comment[] = []
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'comment') {
      const text = textOf(node, scope).replace(/^#+!?\s?/, '').trim()
      comments.push({ span: { start: node.start, end: node.end }, text })
      const tags = /^bats\s+(test|file)_tags=(.*)$/.exec(text)
      if (tags)
        scope.tags.push({ span: node, of: tags[1] as 'test' | 'file', tags: tags[2]!.split(',').map(t => t.trim()).filter(Boolean) })
    } else if (node.type === 'function_definition') {
      const name = field(node, 'name')
      if (name && !scope.titles.has(name.start)) owns(textOf(name, scope), enclosing(node) ?? root, scope)
    } else if (node.type === 'command' && textOf(node.children[0], scope) === 'bats_test_function') register(node, scope)
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!)
  }
  return comments
}

function owns(name: string, around: Node, scope: Scope): void {
  const spans = scope.own.get(name)
  const span = { start: around.start, end: around.end + 1 }
  if (spans) spans.push(span)
  else scope.own.set(name, [span])
}

function enclosing(node: Node): Node | null {
  for (let at = node.parent; at; at = at.parent) if (at.type === 'function_definition') return at
  return null
}

/** `bats_test_function --description "…" -- name arguments`: however often it is registered, the function is one test. */
function register(node: Node, scope: Scope): void {
  const words = fieldsOf(node, 'argument').map(n => textOf(n, scope))
  const dashes = words.indexOf('--')
  const name = dashes < 0 ? undefined : words[dashes + 1]
  if (!name || scope.registered.has(name)) return
  const description = words[words.indexOf('--description') + 1] ?? ''
  const literal = words.includes('--description') && !/[$`]/.test(description)
  scope.registered.set(name, literal ? spoken(description.replace(/^(["'])([\s\S]*)\1$/, '$2')) : name)
}

// ---------------------------------------------------------------------------------------------------- units

function defineFunction(node: Node, outer: Draft, scope: Scope): void {
  const nameNode = field(node, 'name')
  const name = textOf(nameNode, scope)
  const given = nameNode ? scope.titles.get(nameNode.start) : undefined
  const role = given ? { is: 'test' } as const : roleOf(name, outer, scope)
  const title = given?.title ?? (role.is === 'test' ? scope.registered.get(name) : undefined) ?? name
  const unit = draft(scope.units, { role, name: given ? title : name, title, span: node, nameSpan: given?.span ?? nameNode ?? node,
    parent: outer.id })
  if (role.is === 'test') tag(unit, scope)
  freezes(name, node, outer)
  const body = field(node, 'body')
  if (!body) return
  const region = body.type === 'subshell' ? addRegion(unit, { kind: 'subshell', in: 0, span: body }) : 0
  const last = sequence(body.children, { unit, region, guard: null, asserts: true }, scope)
  if (role.is === 'helper' && last.is !== 'unknown' && last.is !== 'literal') unit.returns.push(last)
  closeErrexit(unit, scope, unit.calls.length)
}

/** A test whose body is quoted, or stands in a heredoc. */
function expectation(node: Node, at: Place, scope: Scope, heredoc?: Node): Value {
  const test = quotedTest(node, scope, heredoc)
  if (!test) return UNKNOWN
  const unit = draft(scope.units, { role: { is: 'test' }, name: test.title, title: test.title,
    span: { start: node.start, end: (heredoc ?? node).end }, nameSpan: test.span, parent: at.unit.id })
  readScript(test.script, test.start, { unit, region: 0, guard: null, asserts: true }, scope)
  closeErrexit(unit, scope, unit.calls.length)
  return UNKNOWN
}

function roleOf(name: string, outer: Draft, scope: Scope): Role {
  const helper: Role = { is: 'helper' }
  if (scope.registered.has(name) || scope.options.testFunctions.includes(name)) return { is: 'test' }
  if (outer.role.is !== 'module' || scope.options.kind === 'source' || scope.runner === null) return helper
  if ((scope.runner === 'shunit2' || scope.runner === 'bash_unit') && /^test/.test(name)) return { is: 'test' }
  return rowOf(HOOKS[scope.runner], name) ?? helper
}

/** `# bats test_tags=…` speaks of the next test, `file_tags` of all that follow. */
function tag(unit: Draft, scope: Scope): void {
  const above = scope.tags.filter(t => t.span.start < unit.span.start)
  const file = above.findLast(t => t.of === 'file'), own = above.filter(t => t.of === 'test')
  for (const t of own) scope.tags.splice(scope.tags.indexOf(t), 1)
  for (const t of [file, own.at(-1)])
    for (const name of t?.tags ?? [])
      unit.markers.push({ span: t!.span, is: TAGS.find(k => k.tag.test(name))?.is ?? 'other', name: `${t!.of}_tags`, key: name })
}

/**
 * A function called `date` stands in for the clock wherever it is in reach; one that a hook or helper makes is there for those it works
 * for.
 */
function freezes(name: string, node: Node, outer: Draft): void {
  if (name !== 'date') return
  if (outer.role.is === 'hook' || outer.role.is === 'helper') standInForDate(node, { unit: outer, region: 0, guard: null, asserts: false })
  else outer.markers.push({ span: outer.nameSpan, is: 'frozen-clock', name: 'date()' })
}

// ----------------------------------------------------------------------------------------------- statements

/** Statements one after the other; the value is the last one's. */
function sequence(nodes: readonly Node[], at: Place, scope: Scope): Value {
  let last: Value = UNKNOWN
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!
    if (!node.named || node.type === 'comment') continue
    const firstCall = at.unit.calls.length
    if (nodes[i + 1]?.type === '&') {
      const span = { start: node.start, end: nodes[i + 1]!.end }
      const region = addRegion(at.unit, { kind: 'background', in: at.region, span })
      last = evaluate(node, { ...quietly(at), region }, scope, 'discarded')
      continue
    }
    noteInert(node, at, scope)
    last = evaluate(node, at, scope, 'discarded')
    const next = nodes[i + 2]
    if (nodes[i + 1]?.type === ';' && next && isMask(next, scope) && sameLine(node, next, scope))
      swallow('; true', node, { start: node.start, end: next.end }, firstCall, at, scope)
  }
  return last
}

const sameLine = (a: Node, b: Node, scope: Scope): boolean => !scope.text.slice(a.end, b.start).includes('\n')
function swallow(how: string, node: Node, span: Span, firstCall: number, at: Place, scope: Scope): void {
  if (answers(node, scope)) return
  const calls = Array.from({ length: at.unit.calls.length - firstCall }, (_, i) => firstCall + i)
  at.unit.swallows.push({ span, how, calls, text: plainly(textOf(node, scope)), in: at.region })
}

function evaluate(node: Node, at: Place, scope: Scope, result: Result = 'discarded'): Value {
  return bounded<Value>(scope, UNKNOWN, () => read(node, at, scope, result))
}

function read(node: Node, at: Place, scope: Scope, result: Result): Value {
  const claims = result === 'discarded' && at.asserts
  switch (node.type) {
    case 'command':
      return scope.runner === 'sharness' && isQuotedTest(node, scope) ? expectation(node, at, scope) : command(node, at, scope, result)
    case 'test_command': {
      const value = testCommand(node, at, scope)
      if (claims) assertTest(at.unit, value, node, at.region)
      return value
    }
    case 'negated_command': {
      const inner = node.children.find(c => c.named)
      const value: Value = { is: 'op', op: 'not', of: [inner ? evaluate(inner, { ...at, asserts: false }, scope, 'used') : UNKNOWN] }
      if (claims) assertTest(at.unit, value, node, at.region)
      return value
    }
    case 'compound_statement':
      return node.children[0]?.type === '((' ? counting(node, at, scope, claims) : sequence(node.children, inherit(at), scope)
    case 'subshell':
      return sequence(node.children, { ...inherit(at), region: addRegion(at.unit, { kind: 'subshell', in: at.region, span: node }) }, scope)
    case 'pipeline':
      return pipeline(node, at, scope, result)
    case 'list':
      return list(node, at, scope, result)
    case 'redirected_statement':
      return redirected(node, at, scope, result)
    case 'if_statement':
      return branch(node, at, scope)
    case 'case_statement':
      return choice(node, at, scope)
    case 'while_statement':
    case 'for_statement':
    case 'c_style_for_statement':
      return loop(node, at, scope)
    case 'function_definition':
      defineFunction(node, at.unit, scope)
      return UNKNOWN
    case 'variable_assignment':
      assign(node, at, scope, {})
      return UNKNOWN
    case 'variable_assignments':
      node.children.forEach(c => c.type === 'variable_assignment' && assign(c, at, scope, {}))
      return UNKNOWN
    case 'declaration_command':
      declaration(node, at, scope)
      return UNKNOWN
    case 'unset_command':
      for (const name of node.children.filter(c => c.type === 'variable_name'))
        at.unit.writes.push({ span: node, target: textOf(name, scope), value: UNKNOWN, in: at.region,
          declares: declares(textOf(name, scope), at, scope), adds: false })
      return UNKNOWN
    case 'do_group':
    case 'else_clause':
    case 'ERROR':
      return sequence(node.children, inherit(at), scope)
    default:
      return UNKNOWN
  }
}

/** `(( n < 5 ))` claims something, `(( n++ ))` changes something. */
function counting(node: Node, at: Place, scope: Scope, claims: boolean): Value {
  const value = arithmetic(node, at, scope)
  if (claims && value.is === 'op') assertTest(at.unit, value, node, at.region)
  return value
}

function pipeline(node: Node, at: Place, scope: Scope, result: Result): Value {
  const chained = node.children.at(-1)
  if (chained?.type === 'list') return list(regrouped(node, chained), at, scope, result)
  const parts = node.children.filter(c => c.named && c.type !== 'comment')
  // `! a | b` denies the whole pipeline, though the grammar ties it to the first command.
  const negated = parts[0]?.type === 'negated_command'
  if (negated) parts[0] = parts[0]!.children.find(c => c.named) ?? parts[0]!
  let flow: Value | undefined = at.stdin
  parts.forEach((part, i) => {
    const last = i === parts.length - 1
    const place: Place = { ...(last && !negated ? at : quietly(at)), ...(flow && { stdin: flow }) }
    flow = evaluate(part, place, scope, last && !negated ? result : 'used')
  })
  const value = flow ?? UNKNOWN
  if (!negated) return value
  const denied: Value = { is: 'op', op: 'not', of: [value] }
  if (result === 'discarded' && at.asserts) assertTest(at.unit, denied, node, at.region)
  return denied
}

/** `a | b || c` comes from the grammar as `a | (b || c)`; the shell reads `(a | b) || c`. */
function regrouped(node: Node, chained: Node): Node {
  const lists = [chained]
  for (let left = chained.children[0]; left?.type === 'list'; left = left.children[0]) lists.push(left)
  const first = lists.at(-1)!.children[0]!
  let left: Node = { ...node, end: first.end,
    children: [...node.children.slice(0, -1), ...(first.type === 'pipeline' ? first.children : [first])] }
  for (const at of lists.reverse()) left = { ...at, start: node.start, children: [left, ...at.children.slice(1)] }
  return left
}

function redirected(node: Node, at: Place, scope: Scope, result: Result): Value {
  const body = field(node, 'body')
  let place = at
  const files: Node[] = [], heredocs: Node[] = []
  for (const child of node.children) {
    if (child.type === 'heredoc_redirect') {
      heredocs.push(child)
      place = { ...place, stdin: heredoc(child, at, scope) }
      files.push(...child.children.filter(c => c.type === 'file_redirect'))
    } else if (child.type === 'file_redirect') files.push(child)
    else if (child.type === 'herestring_redirect') place = { ...place, stdin: herestring(child, at, scope) }
  }
  for (const file of files) {
    const sign = file.children.find(c => !c.named)?.type ?? ''
    const destination = field(file, 'destination')
    if (sign === '<' && destination) place = { ...place, stdin: { is: 'group', of: [word(destination, at, scope)] } }
    else if (sign.includes('>') && !/^[3-9]|^2/.test(textOf(field(file, 'descriptor'), scope))) place = { ...place, redirected: true }
  }
  if (scope.runner === 'sharness' && body && isQuotedTest(body, scope)) return expectation(body, at, scope, heredocs[0])
  const firstCall = at.unit.calls.length
  let value = body ? evaluate(body, place, scope, heredocs.some(piped) ? 'used' : result) : UNKNOWN
  for (const file of files) redirect(file, at, scope)
  for (const call of at.unit.calls.slice(firstCall)) for (const file of files) duplicate(file, call.named as Record<string, Value>, scope)
  for (const heredoc of heredocs) value = behindHeredoc(heredoc, node, body, value, firstCall, at, scope, result)
  return value
}

/** The body is data; what the shell expands in it is run. */
function heredoc(node: Node, at: Place, scope: Scope): Value {
  const body = node.children.find(c => c.type === 'heredoc_body')
  if (!body) return UNKNOWN
  const parts: Value[] = []
  let from = body.start
  const upTo = (end: number) => void (end > from && parts.push({ is: 'literal', value: scope.text.slice(from, end) }))
  for (const child of body.children) {
    if (child.type === 'heredoc_content') continue
    upTo(child.start)
    parts.push(word(child, at, scope))
    from = child.end
  }
  upTo(body.end)
  return joined(parts)
}

const piped = (heredoc: Node): boolean => heredoc.children.some(c => c.type === 'pipeline')

/** `cmd <<EOF || true` and `cat <<EOF | cmd`: what follows the heredoc's start is inside it, as the grammar sees it. */
function behindHeredoc(heredoc: Node, node: Node, body: Node | undefined, value: Value, firstCall: number, at: Place, scope: Scope,
  result: Result): Value
{
  const pipe = heredoc.children.find(c => c.type === 'pipeline')
  if (pipe) return pipeline(pipe, { ...at, ...(value.is !== 'unknown' && { stdin: value }) }, scope, result)
  const right = field(heredoc, 'right')
  if (!right) return value
  if (textOf(field(heredoc, 'operator'), scope) === '||' && isMask(right, scope))
    swallow(`|| ${textOf(right, scope)}`, body ?? node, node, firstCall, at, scope)
  else evaluate(right, { ...at, guard: textOf(body, scope) }, scope, result)
  return value
}

// --------------------------------------------------------------------------------------------- quoted scripts

/** The script of `bash -c '…'`, read where it stands: its nodes are moved to their place in the file. */
function readScript(script: string, start: number, at: Place, scope: Scope): Value {
  if (script.length > 20_000 || scope.depth > 60) return UNKNOWN
  const tree = parse('bash', script, 1000)
  if (!tree) return UNKNOWN
  const moved = bounded<Node | undefined>(scope, undefined, () => move(tree.root, start, null, 0))
  return moved ? sequence(moved.children, at, scope) : UNKNOWN
}

function move(node: Node, by: number, parent: Node | null, depth: number): Node {
  const children: Node[] = []
  const copy: Node = { ...node, start: node.start + by, end: node.end + by, parent, children }
  if (depth < 200) { for (const child of node.children) children.push(move(child, by, copy, depth + 1)) }
  return copy
}
