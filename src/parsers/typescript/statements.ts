// Statements: blocks, branches, loops, tries, declarations and classes.

import { UNKNOWN, literal, type Value } from '../../facts/facts.ts'
import { addRegion, assertCondition } from '../build.ts'
import { fails, uncalledMatcher } from './assertions.ts'
import { assignTo, declareVariables, lower, objectParts } from './expressions.ts'
import { bindPattern, child, hoist, hoistVariables, textOf, typeOfValue } from './names.ts'
import { beginUnit, declare, inside, paramsOf, type Frame, type Place } from './place.ts'
import { bare, bodyOf, declarationOf, givesPromise, isFunction, keyOf, namesOf, spanOf, type Node } from './syntax.ts'

/** A block of its own scope. */
export function block(nodes: readonly Node[], place: Place): void {
  const env = child(place.env)
  hoist(nodes, env, place.file)
  statements(nodes, inside(place, { env }))
}

export function statements(nodes: readonly Node[], place: Place): void {
  for (const node of nodes) {
    try {
      statement(node, place)
    } catch (error) {
      // One absurdly deep expression costs its own statement, never the file.
      if (!(error instanceof RangeError)) throw error
      place.file.problems.push({ span: spanOf(node), message: 'too deeply nested' })
    }
  }
}

const body = (node: Node | null | undefined, place: Place): void => {
  if (node) block(node.type === 'BlockStatement' ? node['body'] : [node], place)
}

function statement(exported: Node, place: Place): void {
  const node = declarationOf(exported)
  switch (node.type) {
    case 'ExpressionStatement':
      uncalledMatcher(node['expression'], place)
      return void lower(node['expression'], place, 'discarded')
    case 'VariableDeclaration':
      return declareVariables(node, place)
    case 'FunctionDeclaration':
      return defineFunction(node, node['id']?.name ?? 'default', node['id'] ?? node, place)
    case 'ClassDeclaration':
      return defineClass(node, node['id']?.name ?? 'default', place)
    case 'ReturnStatement':
      return returnStatement(node, place)
    case 'IfStatement':
      return ifStatement(node, place)
    case 'BlockStatement':
    case 'StaticBlock':
      return block(node['body'], place)
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return loop(node, place)
    case 'TryStatement':
      return tryStatement(node, place)
    case 'SwitchStatement':
      return switchStatement(node, place)
    case 'ThrowStatement':
      leave(place.frame, 'throw')
      return void lower(node['argument'], place)
    case 'BreakStatement':
      return leave(place.frame, node['label'] ? 'return' : 'break')
    case 'LabeledStatement':
    case 'WithStatement':
      return body(node['body'], place)
    case 'TSModuleDeclaration':
      return node['body'] ? block(node['body'].body ?? [], place) : undefined
    case 'TSEnumDeclaration':
      return defineEnum(node, place)
    case 'TSExportAssignment':
      return void lower(node['expression'], place)
    default:
      if (exported.type === 'ExportDefaultDeclaration') defaultExport(node, place)
  }
}

function defaultExport(node: Node, place: Place): void {
  const value = bare(node)
  if (isFunction(value)) return defineFunction(value, 'default', value, place)
  if (value.type.endsWith('Expression') || value.type === 'Identifier') lower(value, place)
}

function returnStatement(node: Node, place: Place): void {
  leave(place.frame, 'return')
  if (!node['argument']) return
  const given = bare(node['argument'])
  // What a function makes and hands out has methods of its own; what a closure returns belongs to whoever runs the closure.
  const kept = given.type === 'ObjectExpression' && place.region === 0
  place.returns.push(kept ? { is: 'group', of: objectParts(given, place, true).values } : lower(given, place, 'returned'))
}

/** Marks the frames that this statement ends. */
function leave(frame: Frame | null, by: 'return' | 'break' | 'throw'): void {
  for (let at = frame; at; at = at.outer) {
    if (by === 'throw' && at.is === 'try') return
    at.left = true
    if (by === 'break' && at.is !== 'try') return
  }
}

// ------------------------------------------------------------------------------------------------ branches

function ifStatement(node: Node, place: Place): void {
  // `else if` is a list, not a nest: a generated chain of thousands must not grow the stack.
  for (let at: Node | null = node; at;) {
    const condition = lower(at['test'], place)
    const consequent: Node = at['consequent']
    if (fails(consequent, place)) assertCondition(place.unit, condition, spanOf(at), place.region, true)
    const yes = addRegion(place.unit, { kind: 'if', in: place.region, span: spanOf(consequent), condition })
    body(consequent, inside(place, { region: yes, condition: textOf(at['test'], place.file) }))
    const alternate: Node | null = at['alternate']
    if (alternate?.type === 'IfStatement') {
      at = alternate
      continue
    }
    if (alternate) {
      const no = addRegion(place.unit, { kind: 'else', in: place.region, span: spanOf(alternate), condition })
      body(alternate, inside(place, { region: no, condition: `!(${textOf(at['test'], place.file)})` }))
    }
    at = null
  }
}

function switchStatement(node: Node, place: Place): void {
  const on = lower(node['discriminant'], place)
  const frame: Frame = { is: 'switch', left: false, outer: place.frame }
  const env = child(place.env)
  for (const branch of node['cases'] as Node[]) hoist(branch['consequent'], env, place.file)
  for (const branch of node['cases'] as Node[]) {
    const condition: Value | undefined = branch['test'] ? { is: 'op', op: '==', of: [on, lower(branch['test'], place)] } : undefined
    const region = addRegion(place.unit, { kind: branch['test'] ? 'if' : 'else', in: place.region, span: spanOf(branch),
      ...(condition && { condition }) })
    statements(branch['consequent'], inside(place, { region, frame, env, condition: textOf(node['discriminant'], place.file) }))
  }
}

// --------------------------------------------------------------------------------------------------- loops

function loop(node: Node, outer: Place): void {
  const { unit, file } = outer
  const env = child(outer.env)
  const place = inside(outer, { env })
  const over = node.type === 'ForOfStatement' || node.type === 'ForInStatement'
  if (over) {
    const iterated = lower(node['right'], place)
    const target: Node = node['left'].type === 'VariableDeclaration' ? node['left'].declarations[0].id : node['left']
    if (node['left'].type === 'VariableDeclaration') hoistVariables(node['left'], env, file)
    assignTo(target, { is: 'group', of: [iterated] }, spanOf(node['left']), place, { declares: node['left'].type === 'VariableDeclaration',
      adds: false })
  } else if (node['init']?.type === 'VariableDeclaration') {
    hoistVariables(node['init'], env, file)
    declareVariables(node['init'], place)
  } else if (node['init']) lower(node['init'], place)
  const counted = over ? !endless(node) : counts(node)
  const frame: Frame = { is: 'loop', counted, left: false, outer: place.frame }
  const region = addRegion(unit, { kind: 'loop', in: place.region, span: spanOf(node), counted })
  const within = inside(place, { region, frame })
  // The condition is read on every turn, so its calls are inside the loop.
  const test: Node | undefined = over ? undefined : node['test']
  const always = !test || (test.type === 'Literal' && Boolean(test['value']))
  const condition = always ? undefined : lower(test, within)
  body(node['body'], within)
  if (node['update']) lower(node['update'], within)
  unit.regions[region] = { ...unit.regions[region]!, leaves: frame.left, ...(condition && { condition }) }
}

/** `for await (const x of setInterval(100))` and `events.on()` never end by themselves. */
const endless = (node: Node): boolean =>
  node['await'] === true && bare(node['right']).type === 'CallExpression'
  && /(^|\.)(setInterval|on)$/.test(calleeText(bare(node['right'])['callee']))

const calleeText = (
  node: Node,
): string => node.type === 'Identifier' ? node['name'] : node.type === 'MemberExpression' ? `.${keyOf(node)}` : ''

/** `for (let i = 0; i < n; i++)`: the condition compares what the update changes with something. */
function counts(node: Node): boolean {
  if (node.type !== 'ForStatement' || !node['test'] || !node['update']) return false
  const changed = node['update'].type === 'UpdateExpression' ? node['update'].argument : node['update'].left
  if (changed?.type !== 'Identifier') return false
  const compares = (test: Node): boolean => {
    const at = bare(test)
    if (at.type === 'LogicalExpression') return compares(at['left']) || compares(at['right'])
    return at.type === 'BinaryExpression'
      && [at['left'], at['right']].some((side: Node) => side.type === 'Identifier' && side['name'] === changed.name)
  }
  return compares(node['test'])
}

// --------------------------------------------------------------------------------------------------- tries

function tryStatement(node: Node, place: Place): void {
  const { unit } = place
  const first = unit.calls.length
  const frame: Frame = { is: 'try', left: false, outer: place.frame }
  const tried: Node = node['block']
  body(tried, inside(place, { region: addRegion(unit, { kind: 'try', in: place.region, span: spanOf(tried) }), frame }))
  const calls = unit.calls.slice(first).map((_, i) => first + i)
  const handler: Node | null = node['handler']
  if (handler) {
    const caught: Node[] = handler['body'].body
    const empty = caught.every(s => s.type === 'EmptyStatement')
    const region = addRegion(unit, { kind: 'catch', in: place.region, span: spanOf(handler), catches: [], empty })
    const env = child(place.env)
    declare(namesOf(handler['param']), env, { is: 'variable' })
    // A try that returns or breaks on success goes another way on failure: the failure is not unseen.
    if (empty && !frame.left)
      unit.swallows.push({ span: spanOf(handler), how: 'catch', calls, text: textOf(tried['body'][0] ?? tried, place.file),
        in: place.region })
    body(handler['body'], inside(place, { region, env }))
  }
  if (node['finalizer'])
    body(node['finalizer'],
      inside(place, { region: addRegion(unit, { kind: 'finally', in: place.region, span: spanOf(node['finalizer']) }) }))
}

// ------------------------------------------------------------------------------------ functions and classes

export function defineFunction(fn: Node, name: string, nameNode: Node, outer: Place): void {
  if (!fn['body']) return
  const title = outer.owner !== null && outer.unit.role.is === 'suite' && outer.owner === outer.unit.name ? `${outer.owner}.${name}` : name
  const place = beginUnit(outer, { role: { is: 'helper' }, name, title, span: spanOf(fn), nameSpan: spanOf(nameNode) })
  enterFunction(fn, place)
}

/** Parameters, then the body, in a place that was made for it. */
export function enterFunction(fn: Node, place: Place): void {
  if (place.region === 0) place.unit.params.push(...paramsOf(fn))
  if (place.region === 0 && givesPromise(fn)) place.unit.async = true
  for (const parameter of fn['params'] as Node[] ?? [])
    bindParameter(parameter.type === 'TSParameterProperty' ? parameter['parameter'] : parameter, place)
  const nodes = bodyOf(fn)
  hoist(nodes, place.env, place.file)
  statements(nodes, place)
}

function bindParameter(parameter: Node, place: Place): void {
  bindPattern(parameter, place.env, 'parameter')
  // A default is one of several values the parameter can have, so it adds to what may be there.
  if (parameter.type === 'AssignmentPattern') {
    const value = lower(parameter['right'], place)
    assignTo(parameter['left'], value, spanOf(parameter), place, { declares: true, adds: true })
  }
}

export function defineClass(node: Node, name: string, outer: Place): void {
  const title = outer.owner !== null && outer.unit.role.is === 'suite' && outer.owner === outer.unit.name ? `${outer.owner}.${name}` : name
  const place = inside(beginUnit(outer, { role: { is: 'suite' }, name, title, span: spanOf(node), nameSpan: spanOf(node['id'] ?? node) }), {
    owner: name,
  })
  if (node['superClass']) {
    place.unit.params.push(textOf(node['superClass'], place.file))
    if (node['superClass'].type === 'CallExpression') lower(node['superClass'], place)
  }
  if (node['id']) place.env.names.set(name, { is: 'class' })
  for (const member of node['body'].body as Node[]) {
    if (member.type === 'StaticBlock') {
      block(member['body'], place)
      continue
    }
    const key = keyOf(member) ?? 'computed'
    const value: Node | null = member['value']
    if (!value || !member['key']) continue
    if (isFunction(bare(value))) defineFunction(bare(value), key, member['key'], place)
    else if (member.type === 'PropertyDefinition' || member.type === 'AccessorProperty') {
      const held = lower(value, place)
      const target = `${member['static'] ? name : 'this'}.${key}`
      const type = typeOfValue(held, place.unit, place.env)
      if (type) place.file.fields.set(target, type)
      place.unit.writes.push({ span: spanOf(member), target, value: held, in: 0, declares: false, adds: false })
    }
  }
}

function defineEnum(node: Node, place: Place): void {
  let next = 0
  for (const member of (node['body']?.members ?? node['members'] ?? []) as Node[]) {
    const name = member['id'].name ?? member['id'].value
    const value = member['initializer'] ? lower(member['initializer'], place) : literal(next)
    if (value.is === 'literal' && typeof value.value === 'number') next = value.value + 1
    place.unit.writes.push({ span: spanOf(member), target: `${node['id'].name}.${name}`, value: value ?? UNKNOWN, in: place.region,
      declares: false, adds: false })
  }
}
