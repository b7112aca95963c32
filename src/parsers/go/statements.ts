// Statements: control flow as regions, assignments as writes.

import { UNKNOWN, type Value } from '../../facts/facts.ts'
import { addCall, addRegion, handTo } from '../build.ts'
import { field, named, type Node } from '../tree-sitter.ts'
import { claimCondition, fails, isError } from './assertions.ts'
import { body, closure, lower, pathOf, timerOf } from './expressions.ts'
import { elementOf, inside, lookup, spanOf, textOf, typeName, type Place } from './scope.ts'
import { typeOf } from './types.ts'
import { defineFunction, defineLocal, defineSuite } from './units.ts'

/** What a block, a case or a list holds. */
export function statementsOf(node: Node | undefined): Node[] {
  if (!node) return []
  const list = node.type === 'statement_list' ? node : node.children.find(c => c.type === 'statement_list')
  return list ? named(list) : []
}

export function block(node: Node | undefined, at: Place): void {
  const all = statementsOf(node)
  for (let i = 0; i < all.length; i++) {
    const end = wayBack(all, i, at)
    if (end < 0) {
      statement(all[i]!, at)
      continue
    }
    const again = inside(at,
      addRegion(at.unit, { kind: 'loop', in: at.region, span: { start: all[i]!.start, end: all[end]!.end }, leaves: true, counted: false }))
    for (; i < end; i++) statement(all[i]!, again)
  }
}

/** `CHECK: …; goto CHECK` as statements of one block are a loop, up to the last way back. */
function wayBack(all: readonly Node[], from: number, at: Place): number {
  const label = all[from]!.type === 'labeled_statement' ? named(all[from]!)[0] : undefined
  return label
    ? all.findLastIndex((s, j) => j > from && s.type === 'goto_statement' && textOf(named(s)[0] ?? s, at.scope) === textOf(label, at.scope))
    : -1
}

export function statement(node: Node, at: Place): void {
  switch (node.type) {
    case 'expression_statement':
      return expressionStatement(node, at)
    case 'short_var_declaration':
      return assign(node, listOf(field(node, 'left')), listOf(field(node, 'right')), '=', true, at)
    case 'assignment_statement':
      return assign(node, listOf(field(node, 'left')), listOf(field(node, 'right')), textOf(field(node, 'operator'), at.scope), false, at)
    case 'var_declaration':
    case 'const_declaration':
    case 'var_spec_list':
      return node.children.forEach(
        c => (c.type === 'var_spec_list'
          ? statement(c, at)
          : c.type === 'var_spec' || c.type === 'const_spec'
          ? declare(c, at)
          : undefined),
      )
    case 'inc_statement':
    case 'dec_statement': {
      const target = named(node)[0]
      if (target)
        at.unit.writes.push({ span: spanOf(node), target: targetOf(target, at), value: { is: 'literal', value: 1 }, in: at.region,
          declares: false, adds: true })
      return
    }
    case 'send_statement':
      return send(node, at)
    case 'return_statement':
      return named(node).flatMap(listOf).forEach(v => void at.returns.push(lower(v, at, 'returned')))
    case 'go_statement':
      return goStatement(node, at)
    case 'defer_statement':
      return deferStatement(node, at)
    case 'if_statement':
      return ifStatement(node, at)
    case 'for_statement':
      return loop(node, at)
    case 'select_statement':
      return select(node, at)
    case 'expression_switch_statement':
    case 'type_switch_statement':
      return switchStatement(node, at)
    case 'labeled_statement':
      return named(node).slice(1).forEach(n => statement(n, at))
    case 'block':
      return block(node, at)
    case 'function_declaration':
    case 'method_declaration':
      return defineFunction(node, at)
    case 'type_declaration':
      return node.children.forEach(c => c.type === 'type_spec' && defineSuite(c, at))
    case 'ERROR':
      return named(node).forEach(n => (n.type.endsWith('_expression') ? void lower(n, at) : statement(n, at)))
    default:
      return
  }
}

/** `results <- 3` goes where `results<-` is. Fields are another's, and may be read anywhere. */
function send(node: Node, at: Place): void {
  const [channel, sent] = named(node).map(n => lower(n, at))
  if (channel?.is === 'name' && sent && !channel.path.includes('.'))
    at.unit.writes.push({ span: spanOf(node), target: `${channel.path}<-`, value: sent, in: at.region, declares: false, adds: true })
}

const listOf = (node: Node | undefined): Node[] => (node?.type === 'expression_list' ? named(node) : node ? [node] : [])

function expressionStatement(node: Node, at: Place): void {
  const expression = named(node)[0]
  if (!expression) return
  lower(expression, at, 'discarded')
  if (textOf(expression, at.scope) === 'recover()')
    at.unit.swallows.push({ span: spanOf(node), how: 'recover', calls: [], text: 'recover()', in: at.region })
}

// ----------------------------------------------------------------------------------------------- assignments

function declare(spec: Node, at: Place): void {
  const names = spec.children.filter(c => c.field === 'name' && c.named)
  // Names after the first carry no field in a var_spec.
  const all = names.length > 1
    ? names
    : spec.children.filter((c, i) => c.type === 'identifier' && (c.field === 'name' || spec.children[i - 1]?.type === ','))
  const type = field(spec, 'type')
  if (type) { for (const name of all) at.env.types.set(textOf(name, at.scope), typeName(type, at.scope)) }
  const values = listOf(field(spec, 'value'))
  if (values.length > 0) return assign(spec, all, values, '=', true, at)
  // Without it, a later `done = true` would look like a write to something outside.
  const value: Value = type?.type === 'pointer_type' ? { is: 'literal', value: null } : zeroOf(type ? typeName(type, at.scope) : '')
  for (const name of spec.type === 'var_spec' ? all : [])
    at.unit.writes.push({ span: spanOf(spec), target: textOf(name, at.scope), value, in: at.region, declares: at.unit.role.is !== 'module',
      adds: false })
}

function zeroOf(type: string): Value {
  if (type === 'bool') return { is: 'literal', value: false }
  if (type === 'string') return { is: 'literal', value: '' }
  return /^(u?int(8|16|32|64)?|float(32|64)|byte|rune)$/.test(type) ? { is: 'literal', value: 0 } : UNKNOWN
}

function assign(node: Node, left: readonly Node[], right: readonly Node[], operator: string, declares: boolean, at: Place): void {
  const top = at.unit.role.is === 'module'
  const paired = left.length === right.length
  const first = left[0]
  if (paired && left.length === 1 && first?.type === 'identifier' && right[0]?.type === 'func_literal' && names(first, declares, at))
    return defineLocal(textOf(first, at.scope), first, right[0], at)
  const blank = !declares && left.every(l => textOf(l, at.scope) === '_')
  const values = right.map(r => lower(r, at, blank ? 'discarded' : 'used'))
  if (blank) return swallow(node, values, at)
  left.forEach((target, i) => {
    // A new variable may hide an import of the same name: require := require.New(t).
    const name = declares ? textOf(target, at.scope) : targetOf(target, at)
    if (name === '_') return
    const source = paired ? right[i]! : right[0]
    const value = paired ? values[i]! : values[0] ?? UNKNOWN
    if (declares && source && !at.env.types.get(name)) at.env.types.set(name, typeOf(source, value, at, paired ? 0 : i))
    const grown = appended(name, value, at)
    at.unit.writes.push({
      span: spanOf(node),
      target: name,
      value: grown ?? resultOf(name, value, paired, i),
      in: at.region,
      declares: declares && !top,
      adds: operator !== '=' || grown !== undefined,
    })
  })
}

/** An error or an ok tells whether it worked; it is not made of what was given, as the other results may be. */
function resultOf(name: string, value: Value, paired: boolean, place: number): Value {
  if (value.is === 'call' && isError({ is: 'name', path: name })) return UNKNOWN
  if (!paired && place === 1 && (value.is !== 'call' || /^ok([A-Z0-9]|$)/.test(name))) return UNKNOWN
  return paired ? value : { is: 'group', of: [value] }
}

/** `check := func() {…}` and `var check func(); check = func() {…}` name a function. */
const names = (target: Node, declares: boolean, at: Place): boolean =>
  declares ? textOf(target, at.scope) !== '_' : at.env.types.get(textOf(target, at.scope)) === 'func'

/** `xs = append(xs, x)` adds x to xs. */
function appended(name: string, value: Value, at: Place): Value | undefined {
  const call = value.is === 'call' ? at.unit.calls[value.call] : undefined
  const [onto, ...rest] = call?.name === 'append' && call.resolution === 'global' ? call.args : []
  return onto?.is === 'name' && onto.path === name ? { is: 'group', of: rest } : undefined
}

/** `_ = f()` in test code: whatever f had to say is dropped. */
function swallow(node: Node, values: readonly Value[], at: Place): void {
  if (at.scope.options.kind === 'source' || at.unit.role.is === 'module') return
  const calls = values.flatMap(
    v => (v.is === 'call' && !/^<-|\{\}$/.test(at.unit.calls[v.call]!.name) && at.unit.calls[v.call]!.resolution !== 'global'
      ? [v.call]
      : []),
  )
  if (calls.length > 0) at.unit.swallows.push({ span: spanOf(node), how: '_ =', calls, text: textOf(node, at.scope), in: at.region })
}

/** `cache["x"] = 1` is the target `cache[]`. */
function targetOf(node: Node, at: Place): string {
  if (node.type === 'index_expression') {
    // `counts[hash(key)]++`: what is asked for the place is asked, though the place is not kept.
    const index = named(node)[1]
    if (index && /[(]/.test(textOf(index, at.scope))) lower(index, at)
    return `${targetOf(named(node)[0] ?? node.children[0]!, at)}[]`
  }
  return pathOf(node, at) ?? textOf(node, at.scope)
}

// ---------------------------------------------------------------------------------------- elsewhere and later

/** `go f()` is a call named `go`; what runs elsewhere is a closure handed to it. */
function goStatement(node: Node, at: Place): void {
  const call = named(node)[0]
  if (!call) return
  const callee = call.type === 'call_expression' ? field(call, 'function') : undefined
  let args: Value[] = []
  const literal = callee?.type === 'func_literal' ? callee : undefined
  if (literal) args = named(field(call, 'arguments') ?? call).map(a => lower(a, at))
  const first = at.unit.regions.length
  if (literal) closure(literal, at, args)
  else lower(call, inside(at, addRegion(at.unit, { kind: 'closure', in: at.region, span: spanOf(call) })), 'discarded')
  const value = addCall(at.unit, { span: spanOf(node), nameSpan: { start: node.start, end: node.start + 2 }, name: 'go',
    resolution: 'global', args, in: at.region, result: 'discarded' })
  handTo(at.unit, value, at.region, first, at.unit.regions.length)
}

function deferStatement(node: Node, at: Place): void {
  const call = named(node)[0]
  if (!call) return
  const later = inside(at, addRegion(at.unit, { kind: 'finally', in: at.region, span: spanOf(node) }))
  const callee = call.type === 'call_expression' ? field(call, 'function') : undefined
  if (callee?.type === 'func_literal')
    body(callee, { ...later, returns: [] }, named(field(call, 'arguments') ?? call).map(a => lower(a, at)))
  else lower(call, later, 'discarded')
}

// ------------------------------------------------------------------------------------------------ conditions

const under = (at: Place, region: number, condition: string): Place => ({ ...at, region,
  condition: at.condition === null ? condition : `${at.condition} && ${condition}` })

function ifStatement(node: Node, at: Place): void {
  const before = field(node, 'initializer'), test = field(node, 'condition')
  if (before) statement(before, at)
  const condition = test ? lower(test, at) : UNKNOWN
  const consequence = field(node, 'consequence'), alternative = field(node, 'alternative')
  // What the initializer sets is there when the condition is read.
  const span = { start: before && test ? test.start : node.start, end: test?.end ?? node.end }
  if (fails(statementsOf(consequence), at)) claimCondition(at, condition, span, true)
  else if (alternative?.type === 'block' && fails(statementsOf(alternative), at)) claimCondition(at, condition, span, false)
  const text = textOf(test, at.scope)
  const then = addRegion(at.unit, { kind: 'if', in: at.region, span: spanOf(consequence ?? node), condition })
  // if err != nil { time.Sleep(d); goto AGAIN }
  const again = statementsOf(consequence).some(s => s.type === 'goto_statement')
  block(consequence, under(at, again
    ? addRegion(at.unit, { kind: 'loop', in: then, span: spanOf(consequence ?? node), condition, leaves: true, counted: false })
    : then, text))
  if (!alternative) return
  const otherwise = under(at, addRegion(at.unit, { kind: 'else', in: at.region, span: spanOf(alternative), condition }), `!(${text})`)
  statement(alternative, otherwise)
}

function switchStatement(node: Node, at: Place): void {
  const before = field(node, 'initializer'), over = field(node, 'value')
  if (before) statement(before, at)
  const value = over ? lower(over, at) : undefined
  for (const alias of listOf(field(node, 'alias')))
    at.unit.writes.push({ span: spanOf(alias), target: textOf(alias, at.scope), value: { is: 'group', of: value ? [value] : [] },
      in: at.region, declares: true, adds: false })
  for (const clause of node.children) {
    if (!/_case$/.test(clause.type)) continue
    const statements = statementsOf(clause)
    const cases = clause.children.filter(c => c.field === 'value').flatMap(listOf)
    const tests = node.type === 'type_switch_statement' ? [] : cases.map(c => lower(c, at))
    const single = tests.length === 1 ? tests[0]! : undefined
    const condition: Value = value
      ? (single ? { is: 'op', op: '==', of: [value, single] } : { is: 'group', of: [value, ...tests] })
      : single ?? { is: 'group', of: tests }
    if (fails(statements, at)) {
      const head = { start: clause.start, end: cases.at(-1)?.end ?? clause.start + 7 }
      if (!value && single) claimCondition(at, single, head, true)
      else at.unit.assertions.push({ span: head, compare: 'other', operands: [...(value ? [value] : []), ...tests], claims: 'presence',
          in: at.region })
    }
    const region = addRegion(at.unit, { kind: 'if', in: at.region, span: spanOf(clause), condition })
    const text = cases.length > 0
      ? `${over ? `${textOf(over, at.scope)} == ` : ''}${cases.map(c => textOf(c, at.scope)).join(' or ')}`
      : 'default'
    for (const s of statements) statement(s, under(at, region, text))
  }
}

// ----------------------------------------------------------------------------------------------------- loops

function loop(node: Node, at: Place): void {
  const clause = node.children.find(c => c.named && c.field !== 'body' && c.type !== 'comment')
  const inner = field(node, 'body')
  const span = spanOf(node)
  const leaving = leaves(inner)
  if (clause?.type === 'range_clause') {
    const right = field(clause, 'right')
    const over = right ? lower(right, at) : UNKNOWN
    const type = right ? typeOf(right, over, at) : ''
    const region = addRegion(at.unit, { kind: 'loop', in: at.region, span, leaves: leaving, counted: !type.startsWith('chan '),
      ...(over.is === 'literal' && typeof over.value === 'number' && { upTo: over }) })
    rangeWrites(clause, ranged(right ?? clause, over, type, at, region), type, inside(at, region))
    return block(inner, inside(at, region))
  }
  if (clause?.type === 'for_clause') {
    const start = field(clause, 'initializer'), update = field(clause, 'update'), test = field(clause, 'condition')
    if (start) statement(start, at)
    const counter = update && /^(inc|dec|assignment)_statement$/.test(update.type) ? textOf(named(update)[0], at.scope) : ''
    const counted = counter !== '' && test !== undefined
      && new RegExp(`\\b${counter.replace(/[^\w.]/g, '\\$&')}\\b`).test(textOf(test, at.scope))
    const region = addRegion(at.unit, { kind: 'loop', in: at.region, span, leaves: leaving, counted })
    // What a counter is compared with says nothing about what the loop waits for.
    if (test && counted) {
      const limit = lower(test, inside(at, region))
      if (limit.is === 'op' && /^<=?$/.test(limit.op)) at.unit.regions[region] = { ...at.unit.regions[region]!, upTo: limit.of[1]! }
      // `i < 400 && answer == ""` asks for more than the count.
      else if (limit.is === 'op') at.unit.regions[region] = { ...at.unit.regions[region]!, condition: limit }
    } else if (test) decide(test, at, region)
    block(inner, inside(at, region))
    if (update) statement(update, inside(at, region))
    return
  }
  const region = addRegion(at.unit, { kind: 'loop', in: at.region, span, leaves: leaving, counted: false })
  if (clause && clause.type !== 'true') decide(clause, at, region)
  block(inner, inside(at, region))
}

/** The condition is read on every turn, so its calls are inside the loop. */
function decide(test: Node, at: Place, region: number): void {
  const condition = lower(test, inside(at, region))
  at.unit.regions[region] = { ...at.unit.regions[region]!, condition }
}

/** Maps under a name of their own. */
const MAPS: ReadonlySet<string> = new Set(['net/http.Header', 'net/url.Values', 'net/textproto.MIMEHeader',
  'k8s.io/apimachinery/pkg/labels.Set', 'k8s.io/apimachinery/pkg/util/sets.String',
  'github.com/prometheus/client_golang/prometheus.Labels'])

/** A range over a map comes in no order; one over a channel waits. Both are calls, so that the catalog can say so. */
function ranged(right: Node, over: Value, type: string, at: Place, region: number): Value {
  const name = type.startsWith('map[]') || MAPS.has(type) || at.scope.fields.get(type)?.startsWith('map[]')
    ? 'range map'
    : type.startsWith('chan ')
    ? 'range channel'
    : undefined
  return name
    ? addCall(at.unit, { span: spanOf(right), name, resolution: 'type', args: [over], in: name === 'range map' ? at.region : region,
      result: 'used' })
    : over
}

function rangeWrites(clause: Node, over: Value, type: string, at: Place): void {
  listOf(field(clause, 'left')).forEach((target, i) => {
    const declares = clause.children.some(c => c.type === ':=')
    const name = declares ? textOf(target, at.scope) : targetOf(target, at)
    if (name === '_') return
    if (declares) at.env.types.set(name, i === 1 || type.startsWith('chan ') ? elementOf(type) : '')
    at.unit.writes.push({ span: spanOf(target), target: name, value: { is: 'group', of: [over] }, in: at.region, declares, adds: false })
  })
}

/** A break, return or goto below that ends this loop. An unlabelled break in a switch or select ends only that. */
function leaves(node: Node | undefined, nested = false): boolean {
  for (const child of node?.children ?? []) {
    if (child.type === 'return_statement' || child.type === 'goto_statement') return true
    if (child.type === 'break_statement' && (!nested || named(child).length > 0)) return true
    if (!child.named || child.type === 'func_literal') continue
    if (leaves(child, nested || /^(for|select|expression_switch|type_switch)_statement$/.test(child.type))) return true
  }
  return false
}

// --------------------------------------------------------------------------------------------------- selects

interface Case {
  readonly node: Node
  readonly statements: readonly Node[]
  readonly channel: Node | undefined
  readonly fails: boolean
}

function select(node: Node, at: Place): void {
  const [only, ...others] = node.children.filter(c => c.type === 'communication_case' || c.type === 'default_case')
  const communication = only && others.length === 0 ? field(only, 'communication') : undefined
  const channel = channelOf(communication)
  // With nothing beside it a timer is waited for to its end.
  if (only && communication && channel && timerName(channel, at)) {
    lower(field(communication, 'right') ?? communication, at, 'discarded')
    for (const s of statementsOf(only)) statement(s, at)
    return
  }
  const region = addRegion(at.unit, { kind: 'select', in: at.region, span: spanOf(node) })
  const here = inside(at, region)
  const cases = node.children.filter(c => c.type === 'communication_case').map((clause): Case => {
    const statements = statementsOf(clause)
    return { node: clause, statements, channel: channelOf(field(clause, 'communication')), fails: fails(statements, at) }
  })
  const fallback = node.children.find(c => c.type === 'default_case')
  // case <-unexpected: t.Fatal() beside a timer: nothing must come for that long.
  const silence = cases.some(c => c.fails && !(c.channel && timerName(c.channel, at)))
  for (const clause of cases) selectCase(clause, cases, silence, fallback !== undefined, here)
  if (fallback) {
    const statements = statementsOf(fallback)
    if (fails(statements, at))
      at.unit.assertions.push({ span: { start: fallback.start, end: fallback.start + 7 }, compare: 'other',
        operands: channelNames(cases, here), claims: 'presence', in: region })
    for (const s of statements)
      statement(s, under(here, addRegion(at.unit, { kind: 'else', in: region, span: spanOf(fallback) }), 'default'))
  }
}

function channelOf(communication: Node | undefined): Node | undefined {
  const right = communication && (field(communication, 'right') ?? (communication.type === 'unary_expression' ? communication : undefined))
  return right?.type === 'unary_expression' ? field(right, 'operand') : undefined
}

/** Whether a channel is a timer's, without lowering anything. */
function timerName(channel: Node, at: Place): boolean {
  return /^time\.(After|Tick|NewTimer|NewTicker)\(/.test(textOf(channel, at.scope))
    || /^(chan time\.Time|time\.Timer|time\.Ticker)$/.test(lookup(at.env, textOf(channel, at.scope).replace(/\.C$/, '')) ?? '')
}

const channelNames = (cases: readonly Case[], at: Place): Value[] =>
  cases.flatMap(c => (c.channel && !timerName(c.channel, at)
    ? [{ is: 'name', path: pathOf(c.channel, at) ?? textOf(c.channel, at.scope) } as Value]
    : [])
  )

function selectCase(clause: Case, cases: readonly Case[], silence: boolean, fallback: boolean, at: Place): void {
  const { node, channel, statements } = clause
  const communication = field(node, 'communication')
  const timed = channel !== undefined && timerName(channel, at)
  const head = { start: node.start, end: communication?.end ?? node.end }
  let received: Value = UNKNOWN
  if (channel && timed) received = timer(clause, channel, cases, silence, at)
  else if (channel) {
    // With a default it never waits.
    received = addCall(at.unit, { span: spanOf(channel), name: fallback ? '<- or default' : '<-', resolution: 'global',
      args: [lower(channel, at)], in: at.region, result: 'used' })
  } else if (communication) statement(communication, at)
  if (channel && communication)
    listOf(field(communication, 'left')).forEach(target => {
      const declares = communication.children.some(c => c.type === ':=')
      const name = declares ? textOf(target, at.scope) : targetOf(target, at)
      if (name !== '_')
        at.unit.writes.push({ span: head, target: name, value: { is: 'group', of: [received] }, in: at.region, declares, adds: false })
    })
  if (clause.fails)
    at.unit.assertions.push({ span: head, compare: 'other', operands: timed ? channelNames(cases, at) : [received],
      claims: timed ? 'presence' : 'absence', in: at.region })
  const inner = under(at, addRegion(at.unit, { kind: 'if', in: at.region, span: spanOf(node) }), textOf(communication, at.scope))
  for (const s of statements) statement(s, inner)
}

/** The timer of a select: a time limit, a pause during which nothing may come, or a limit that nobody minds. */
function timer(clause: Case, channel: Node, cases: readonly Case[], silence: boolean, at: Place): Value {
  const span = spanOf(channel)
  const made = timerOf(channel, at)
  const args = made?.duration ? [made.duration] : []
  const name = made && /^time\.(After|NewTimer)$/.test(made.name) ? 'time.After' : made?.name ?? 'time.After'
  const pause = silence && !clause.fails
  // A pause ends a race that nothing else may win. It is no sleep after whatever the other cases wait for.
  const called = pause ? `silence ${name}` : name === 'time.After' && !goesOn(clause, at) ? 'select time.After' : name
  const value = addCall(at.unit, { span, name: called, resolution: 'import', args, in: at.region, result: 'used' })
  // Where another case returns, what follows the select knows that time ran out.
  const others = cases.filter(c => c !== clause)
  const told = others.some(c => leaves(c.node) || failsBelow(c.node, at)) || !others.some(c => c.channel)
  if (!pause && !told && !insideLoop(at) && name === 'time.After' && clause.statements.every(s => isLog(s, at)))
    addCall(at.unit, { span: spanOf(clause.node), name: 'select timeout ignored', resolution: 'global', args, in: at.region,
      result: 'discarded' })
  return value
}

/** `ok <- struct{}{}`, `errs <- nil`, `return nil`: that nothing came is what was wanted. */
const SAYS_WELL = /^(?!\w*(?:[tT]ime_?[oO]ut|[eE]xpired|[fF]ail)\w*\s*<-)(?:\w+\s*<-\s*(?:nil|struct\{\}\{\})|return nil)$/

/** Nothing is lost when the time is over: the case is empty, only ends what it is in, tries again, or does what is done once in a while. */
function goesOn(clause: Case, at: Place): boolean {
  const { node, fails, statements } = clause
  if (fails) return false
  if (statements.every(s => isLog(s, at)) || /^(continue|goto)_statement$/.test(statements.at(-1)!.type)
    || statements.some(s => SAYS_WELL.test(textOf(s, at.scope)))) return true
  const bare = statements.length === 1 && statements[0]!.type === 'return_statement' && named(statements[0]!).length === 0
  if (bare || !insideLoop(at)) return bare
  if (isTick(clause, at)) return true
  // The work of a round comes first, and whether it went well is asked after it.
  return !/^(if|return|break)_statement$/.test(statements[0]!.type) || (!leaves(node) && !failsBelow(node, at))
}

/**
 * `case <-time.After(tick): if shop.Open() { return nil }` in a loop: each round has a timer of its own, and looks. It goes round again but
 * for what it was to find, or until it has counted so many rounds.
 */
const isTick = ({ node, channel, statements }: Case, at: Place): boolean =>
  channel !== undefined && /^time\.After\(/.test(textOf(channel, at.scope))
  && statements.every(s =>
    !/^(return|break)_statement$/.test(s.type) && ((!failsBelow(s, at) && returnsIn(s).every(r => ENDS_WELL.test(textOf(r, at.scope))))
      || isUpToCount(s, node, at))
  )

/** `return`, `return nil`, `return reply, nil`. */
const ENDS_WELL = /^return(?![^]*(\bfalse\b|[eE]rr))(\s[^]*\b(nil|true))?$/

const returnsIn = (node: Node): Node[] =>
  node.type === 'return_statement' ? [node] : node.type === 'func_literal' ? [] : named(node).flatMap(returnsIn)

/** `if tries > most { return false }`, where each round adds to `tries`. */
function isUpToCount(node: Node, round: Node, at: Place): boolean {
  const counted = node.type === 'if_statement'
    ? /^(\w+)\s*(?:>=?|==)\s*[\w.]+$/.exec(textOf(field(node, 'condition'), at.scope))?.[1]
    : undefined
  return counted !== undefined && new RegExp(`\\b${counted}(\\+\\+| \\+= 1\\b)`).test(textOf(round, at.scope))
}

/** `case e := <-errs: if fatal(e) { t.Fatal(e) }`: what comes is looked at, and nothing need come. */
const failsBelow = (node: Node, at: Place): boolean =>
  node.children.some(c =>
    c.named && c.type !== 'func_literal' && ((c.type === 'statement_list' && fails(named(c), at)) || failsBelow(c, at))
  )

function insideLoop(at: Place): boolean {
  for (let region = at.region; region !== 0; region = at.unit.regions[region]!.in) {
    if (at.unit.regions[region]!.kind === 'loop') return true
    if (at.unit.regions[region]!.kind === 'closure') return false
  }
  return false
}

/** It says something, or only ends the select. */
const isLog = (node: Node, at: Place): boolean =>
  /^break$|^(\w+\.(Log|Logf|Debug\w*|Info\w*|Warn\w*)|fmt\.Print\w*|log\.Print\w*)\(/.test(textOf(node, at.scope))
