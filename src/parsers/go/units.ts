// Which functions and calls are tests, hooks, suites and helpers.

import { UNKNOWN, type Role, type Value } from '../../facts/facts.ts'
import { addCall, draft, type Draft, type Result } from '../build.ts'
import { field, named, type Node } from '../tree-sitter.ts'
import { body, lower, pathOf, stringOf } from './expressions.ts'
import { GINKGO, GINKGO_DECORATORS, GINKGO_NODES, SUBTESTERS, SUBTEST_WRAPPER, SUITE_HOOKS, SUITE_IMPORT } from './frameworks.ts'
import { dotImport, isSuite, lookup, readParameters, receiverType, spanOf, textOf, typeName, type Place, type Scope } from './scope.ts'
import { block } from './statements.ts'
import { typeOf } from './types.ts'

const TEST: Role = { is: 'test' }
const HELPER: Role = { is: 'helper' }
const BEFORE_RUN: Role = { is: 'hook', when: 'before', per: 'run' }

/** A place at the beginning of a unit of its own. */
const enter = (unit: Draft, at: Place): Place => ({ scope: at.scope, unit, region: 0, env: { types: new Map(), outer: at.env },
  returns: unit.returns, condition: null })

// ------------------------------------------------------------------------------------------------- functions

export function defineFunction(node: Node, at: Place): void {
  const { scope } = at
  const nameNode = field(node, 'name')
  const name = textOf(nameNode, scope)
  const owner = receiverType(node, scope)
  const parent = scope.suiteUnits.get(owner) ?? at.unit.id
  const parameters = field(node, 'parameters')
  const role = owner === '' ? functionRole(name, node, scope) : methodRole(owner, name, node, scope)
  const suite = role.is === 'test' && owner !== '' ? scope.suites.get(owner) : undefined
  const title = owner === '' ? name : suite !== undefined || role.is === 'test' ? `${suite ?? owner}/${name}` : `${owner}.${name}`
  const unit = draft(scope.units, { role, name, title, span: spanOf(node), nameSpan: spanOf(nameNode ?? node), parent })
  const place = enter(unit, at)
  // Neither a receiver nor a named result is a parameter, but both are the function's own.
  for (const list of [field(node, 'receiver'), field(node, 'result')]) {
    if (list?.type !== 'parameter_list') continue
    for (const target of readParameters(list, place.env.types, scope))
      unit.writes.push({ span: spanOf(list), target, value: UNKNOWN, in: 0, declares: true, adds: false })
  }
  unit.params.push(...readParameters(parameters, place.env.types, scope))
  if (/^Benchmark(?![a-z])/.test(name) && owner === '') unit.markers.push({ span: unit.nameSpan, is: 'benchmark', name: 'testing.B' })
  if (role.is === 'test' && /^Fuzz(?![a-z])/.test(name)) unit.markers.push({ span: unit.nameSpan, is: 'property', name: 'testing.F' })
  // An example without an output comment is compiled and never run.
  if (role.is === 'helper' && unit.params.length === 0 && owner === '' && scope.options.kind === 'test' && /^Example(?!\p{Ll})/u.test(name))
    return
  block(field(node, 'body'), place)
}

const parameterTypes = (node: Node, scope: Scope): string[] => {
  const types = new Map<string, string>()
  const list = field(node, 'parameters')
  const names = readParameters(list, types, scope)
  if (names.length > 0) return names.map(n => types.get(n) ?? '')
  return list ? named(list).map(p => typeName(field(p, 'type'), scope)) : []
}

/** `Test` must not be followed by a small letter: Testify is no test. */
function functionRole(name: string, node: Node, scope: Scope): Role {
  if (scope.options.testFunctions.includes(name)) return TEST
  if (name === 'init' && scope.options.kind !== 'source') return BEFORE_RUN
  const kind = /^(Test|Fuzz|Example|Benchmark)(?![\p{Ll}])/u.exec(name)?.[1]
  if (!kind || scope.options.kind !== 'test' || field(node, 'type_parameters')) return HELPER
  const types = parameterTypes(node, scope)
  if (kind === 'Example')
    return types.length === 0 && !field(node, 'result') && /\/\/\s*(unordered\s+)?output:/i.test(textOf(node, scope))
      ? TEST
      : HELPER
  if (types.length !== 1 || field(node, 'result')) return HELPER
  if (name === 'TestMain' && types[0] === 'testing.M') return BEFORE_RUN
  return (kind === 'Test' && types[0] === 'testing.T') || (kind === 'Fuzz' && types[0] === 'testing.F') ? TEST : HELPER
}

function methodRole(owner: string, name: string, node: Node, scope: Scope): Role {
  const types = parameterTypes(node, scope)
  const checked = types.length === 1 && types[0] === 'gopkg.in/check.v1.C'
  if (scope.options.kind === 'source' || !(checked || scope.suites.has(owner) || isSuite(owner, scope))) return HELPER
  if (SUITE_HOOKS[name]) return SUITE_HOOKS[name]
  return /^Test/.test(name) && (types.length === 0 || checked) && scope.options.kind === 'test' ? TEST : HELPER
}

/** A struct whose methods are tests is a suite. */
export function defineSuite(spec: Node, at: Place): void {
  const nameNode = field(spec, 'name')
  const name = textOf(nameNode, at.scope)
  if (at.unit.role.is !== 'module' || !at.scope.suites.has(name) || at.scope.suiteUnits.has(name)) return
  const unit = draft(at.scope.units, { role: { is: 'suite' }, name, title: at.scope.suites.get(name) ?? name, span: spanOf(spec),
    nameSpan: spanOf(nameNode ?? spec), parent: at.unit.id })
  at.scope.suiteUnits.set(name, unit.id)
}

/** A function bound to a local name is as good as one declared with it. */
export function defineLocal(name: string, nameNode: Node, literal: Node, at: Place): void {
  at.env.types.set(name, 'func')
  const unit = draft(at.scope.units, { role: HELPER, name, span: spanOf(literal), nameSpan: spanOf(nameNode), parent: at.unit.id })
  unit.params.push(...readParameters(field(literal, 'parameters'), new Map(), at.scope))
  body(literal, enter(unit, at))
}

// ----------------------------------------------------------------------------------------------------- calls

/** Calls that make units: t.Run, Ginkgo's nodes and what the configuration names. Undefined for every other call. */
export function defineByCall(node: Node, callee: Node, given: readonly Node[], at: Place, result: Result): Value | undefined {
  const { scope } = at
  const selector = callee.type === 'selector_expression'
  if (!selector && callee.type !== 'identifier') return undefined
  const name = textOf(selector ? field(callee, 'field') : callee, scope)
  const last = given.at(-1)
  if (last?.type === 'func_literal'
    && (given.length === 2 ? selector && name === 'Run' : given.length === 3 && SUBTEST_WRAPPER.test(name)))
  {
    const role = subtestRole(given.length === 2 ? field(callee, 'operand') : undefined, last, at)
    if (role) return subtest(node, callee, given.at(-2)!, last, role, at, result)
  }
  if (Object.hasOwn(GINKGO_NODES, name) && isGinkgo(callee, name, at)) return ginkgo(node, callee, name, given, at)
  if (scope.options.testFunctions.includes(name)) {
    const literal = given.find(a => a.type === 'func_literal')
    if (literal) return subtest(node, callee, given.find(a => /string_literal$/.test(a.type)) ?? callee, literal, TEST, at, result)
  }
  return undefined
}

/** `t.Run("x", func(t *testing.T) {})`, and a suite's `s.Run("x", func() {})`. */
function subtestRole(operand: Node | undefined, literal: Node, at: Place): Role | undefined {
  const [type, ...more] = parameterTypes(literal, at.scope)
  if (more.length > 0) return undefined
  if (type === 'testing.B') return HELPER
  // A helper's subtests are printed below the tests that call it; by themselves they are none.
  const role = at.scope.options.kind === 'test' && belowTest(at) ? TEST : HELPER
  if (type !== undefined) return SUBTESTERS.has(type) ? role : undefined
  if (operand?.type !== 'identifier') return undefined
  const owner = lookup(at.env, textOf(operand, at.scope))
  return owner !== undefined && at.scope.suites.has(owner) ? role : undefined
}

function belowTest({ unit, scope }: Place): boolean {
  for (let at: Draft | undefined = unit; at; at = at.parent === null ? undefined : scope.units[at.parent])
    if (at.role.is === 'test') return true
  return false
}

function subtest(node: Node, callee: Node, nameNode: Node, literal: Node, role: Role, at: Place, result: Result): Value {
  const { scope } = at
  const operand = callee.type === 'selector_expression' ? field(callee, 'operand')! : undefined
  const path = operand?.type === 'identifier' && lookup(at.env, textOf(operand, scope)) === undefined
    ? scope.names.get(textOf(operand, scope))
    : undefined
  const receiver = operand && path === undefined ? lower(operand, at) : null
  const type = operand && receiver ? typeOf(operand, receiver, at) || '?' : ''
  const owner = path ?? (scope.suites.has(type) ? `${SUITE_IMPORT}.Suite` : type)
  const value = lower(nameNode, at)
  const sub = /string_literal$/.test(nameNode.type) ? stringOf(nameNode, at) : '…'
  const run = owner === '' ? textOf(callee, scope) : `${owner}.${textOf(field(callee, 'field'), scope)}`
  const call = addCall(at.unit, { span: spanOf(node), nameSpan: spanOf(callee), name: run,
    resolution: path !== undefined ? 'import' : owner === '?' || owner === '' ? 'guess' : 'type', receiver, args: [value], in: at.region,
    result })
  const above = at.unit.role.is === 'module' ? '' : `${at.unit.title}/`
  const unit = draft(scope.units, { role, name: sub, title: `${above}${sub.replace(/\s/g, '_')}`, span: spanOf(node),
    nameSpan: spanOf(nameNode), parent: at.unit.id })
  unit.params.push(...readParameters(field(literal, 'parameters'), new Map(), scope))
  if (parameterTypes(literal, scope)[0] === 'testing.B') unit.markers.push({ span: unit.nameSpan, is: 'benchmark', name: 'testing.B' })
  body(literal, enter(unit, at))
  return call
}

// ---------------------------------------------------------------------------------------------------- Ginkgo

function isGinkgo(callee: Node, name: string, at: Place): boolean {
  const operand = callee.type === 'selector_expression' ? field(callee, 'operand') : undefined
  const local = operand ? textOf(operand, at.scope) : name
  if (lookup(at.env, local) !== undefined) return false
  return GINKGO.test((operand ? at.scope.names.get(local) : dotImport(name, at.scope)) ?? '')
}

function ginkgo(node: Node, callee: Node, name: string, given: readonly Node[], at: Place): Value {
  const kind = GINKGO_NODES[name]!
  if (kind === 'entry') return entry(node, callee, name, given, '', at)
  const role: Role = kind === 'table' ? { is: 'suite' } : kind
  const unit = nodeUnit(node, callee, name, role, role.is === 'hook' ? undefined : given[0], at)
  decorate(unit, callee, name, given, at)
  const place = enter(unit, at)
  if (kind === 'table') return table(given, unit, place)
  const rest = role.is === 'hook' ? given : given.slice(1)
  if (role.is === 'test' && rest.length === 0)
    unit.skips.push({ span: unit.nameSpan, how: `${name} without a body`, reason: null, condition: null })
  for (const argument of rest) {
    if (argument.type === 'func_literal') {
      unit.params.push(...readParameters(field(argument, 'parameters'), new Map(), at.scope))
      body(argument, place)
    } else if (argument.type === 'identifier' && at.scope.functions.has(textOf(argument, at.scope)))
      addCall(unit, { span: spanOf(argument), name: textOf(argument, at.scope), resolution: 'local', args: [], in: 0, result: 'discarded' })
  }
  return UNKNOWN
}

/** Titles are joined by blanks, as Ginkgo prints them. */
function nodeUnit(node: Node, callee: Node, name: string, role: Role, titleNode: Node | undefined, at: Place): Draft {
  const own = !titleNode ? name : /string_literal$/.test(titleNode.type) ? stringOf(titleNode, at) : '…'
  const title = at.unit.role.is === 'suite' ? `${at.unit.title} ${own}` : own
  return draft(at.scope.units, { role, name: own, title, span: spanOf(node), nameSpan: spanOf(titleNode ?? callee), parent: at.unit.id })
}

function decorate(unit: Draft, callee: Node, name: string, given: readonly Node[], at: Place): void {
  const sign = /^[FPX](?=[A-Z])/.exec(name)?.[0]
  const path = pathOf(callee, at) ?? name
  if (sign === 'F') unit.markers.push({ span: spanOf(callee), is: 'focus', name: path })
  else if (sign) unit.skips.push({ span: spanOf(callee), how: path, reason: null, condition: null })
  for (const argument of given.slice(1)) {
    const word = argument.type === 'call_expression' ? field(argument, 'function') : argument
    if (word?.type !== 'identifier' && word?.type !== 'selector_expression') continue
    const known = GINKGO_DECORATORS[textOf(word.type === 'identifier' ? word : field(word, 'field'), at.scope)]
    const key = argument.type === 'call_expression' ? textOf(field(argument, 'arguments'), at.scope).slice(1, -1) : undefined
    if (known === 'skip') unit.skips.push({ span: spanOf(argument), how: pathOf(word, at) ?? '', reason: null, condition: null })
    else if (known)
      unit.markers.push({ span: spanOf(argument), is: known, name: pathOf(word, at) ?? '', ...(key !== undefined && { key }) })
  }
}

/** A table's function is a helper that each of its entries calls. */
function table(given: readonly Node[], suite: Draft, at: Place): Value {
  let called = ''
  for (const argument of given.slice(1)) {
    const callee = argument.type === 'call_expression' ? field(argument, 'function') : undefined
    const name = textOf(callee?.type === 'selector_expression' ? field(callee, 'field') : callee, at.scope)
    if (argument.type === 'func_literal' && called === '') {
      called = `table@${argument.start}`
      const unit = draft(at.scope.units, { role: HELPER, name: called, title: `${suite.title} (table)`, span: spanOf(argument),
        parent: suite.id })
      unit.params.push(...readParameters(field(argument, 'parameters'), new Map(), at.scope))
      body(argument, enter(unit, at))
    } else if (argument.type === 'identifier' && at.scope.functions.has(textOf(argument, at.scope))) called = textOf(argument, at.scope)
    else if (callee && GINKGO_NODES[name] === 'entry')
      entry(argument, callee, name, named(field(argument, 'arguments') ?? argument), called, at)
    else lower(argument, at)
  }
  return UNKNOWN
}

function entry(node: Node, callee: Node, name: string, given: readonly Node[], called: string, at: Place): Value {
  const unit = nodeUnit(node, callee, name, TEST, given[0], at)
  decorate(unit, callee, name, given, at)
  const place = enter(unit, at)
  const args = given.slice(1).map(a => lower(a, place))
  if (called !== '')
    addCall(unit, { span: spanOf(node), nameSpan: spanOf(callee), name: called, resolution: 'local', args, in: 0, result: 'discarded' })
  return UNKNOWN
}
