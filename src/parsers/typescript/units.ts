// Tests, suites and hooks: what a runner's function is called by, and the units its callbacks become.

import type { Marker, Role } from '../../facts/facts.ts'
import { addCall } from '../build.ts'
import { lower } from './expressions.ts'
import { CONTEXT_MODULES, CURRIED, HOOKS, MODIFIERS, OWN_RUNNERS, RUNNERS, SHY_HOOKS, TEST_MODULES } from './frameworks.ts'
import { calleeName, lookup, textOf } from './names.ts'
import { beginUnit, type Place } from './place.ts'
import { enterFunction } from './statements.ts'
import { bare, goodEnds, isFunction, isString, keyOf, spanOf, type Node } from './syntax.ts'

interface Runner {
  role: Role
  /** The module it comes from; '' for a global. */
  readonly module: string
  name: string
  readonly modifiers: string[]
  readonly conditions: { readonly how: string; readonly condition: string }[]
  /** Arguments of `.each(…)` and the like, read where the test is registered. */
  readonly tables: Node[]
}

/** True where the call began a unit, and everything in it was read. */
export function runnerCall(node: Node, place: Place): boolean {
  if (place.file.options.kind === 'source' && place.file.options.testFunctions.length === 0) return false
  const callee = bare(node['callee'])
  if (!isShallow(callee)) return false
  if (chained(callee, node, place)) return true
  const runner = runnerOf(callee, place) ?? ownRunner(callee, node, place)
  return runner !== undefined && (begin(node, runner, place) !== undefined || hooksGiven(node, runner, place))
}

/** `testWithClient('reads back', async client => …)`: a wrapper of the project, told by its name, a title and a function. */
function ownRunner(callee: Node, node: Node, place: Place): Runner | undefined {
  const name = callee.type === 'Identifier' ? callee['name'] : callee.type === 'MemberExpression' ? keyOf(callee) : undefined
  if (callee.type === 'Identifier' && name === 'module' && takesHooks(bare(node['arguments'][1] ?? callee)))
    return runner({ is: 'suite' }, 'QUnit', name)
  if (place.file.options.kind === 'source' || (place.unit.role.is !== 'suite' && place.unit.role.is !== 'module')
    || !/^(test|it)[A-Z_]/.test(name ?? '')) return undefined
  const [title, ...rest] = (node['arguments'] as Node[]).map(bare)
  return (isString(title) || title?.type === 'TemplateLiteral') && rest.some(isFunction)
    ? runner({ is: 'test' }, 'custom', name)
    : undefined
}

/** `module` is CommonJS; a function that is given `hooks` makes it QUnit's. */
const takesHooks = (node: Node): boolean =>
  isFunction(node) && node['params'][0]?.type === 'Identifier' && node['params'][0].name === 'hooks'

/** QUnit's older form: `module('x', { beforeEach() {…} })`. The hooks hold for the tests that follow. */
function hooksGiven(node: Node, made: Runner, place: Place): boolean {
  const given = made.role.is === 'suite' && OWN_RUNNERS[made.module]
    ? (node['arguments'] as Node[]).map(bare).find(a => a.type === 'ObjectExpression')
    : undefined
  for (const property of given ? given['properties'] as Node[] : []) {
    const key = property.type === 'Property' ? keyOf(property) ?? '' : ''
    const fn = bare(property['value'] ?? property['argument'])
    const role = isFunction(fn) ? HOOKS[key] : undefined
    if (role) enterBody(fn, runner(role, made.module, key), beginUnit(place, { role, name: key, span: spanOf(property) }))
    else lower(fn, place)
  }
  return given !== undefined
}

/** No runner is called through more links than these; a long fluent chain must not be followed anew from each of its calls. */
function isShallow(callee: Node): boolean {
  let at: Node | undefined = callee
  for (let links = 0; links < 12; links++) {
    if (at?.type === 'MemberExpression') at = at['object']
    else if (at?.type === 'CallExpression') at = at['callee']
    else if (at?.type === 'ChainExpression' || at?.type === 'TSNonNullExpression') at = at['expression']
    else return true
  }
  return false
}

/** Mocha: `it('x', fn).timeout(500)`. */
function chained(callee: Node, node: Node, place: Place): boolean {
  if (callee.type !== 'MemberExpression') return false
  const key = keyOf(callee) ?? ''
  const is: Marker['is'] | undefined = key === 'timeout'
    ? 'timeout'
    : key === 'retries'
    ? 'retry'
    : key === 'slow' || key === 'skip'
    ? 'other'
    : undefined
  const inner = is === undefined ? undefined : bare(callee['object'])
  if (inner?.type !== 'CallExpression') return false
  const at = place.file.units.length
  if (!runnerCall(inner, place)) return false
  place.file.units[at]?.markers.push({ span: spanOf(node), is: is!, name: `.${key}`,
    ...(node['arguments'][0] && { key: textOf(node['arguments'][0], place.file) }) })
  return true
}

// ---------------------------------------------------------------------------------------------- recognising

function runnerOf(callee: Node, place: Place): Runner | undefined {
  if (callee.type === 'CallExpression') return curried(callee, place)
  if (callee.type === 'TaggedTemplateExpression') return runnerOf(bare(callee['tag']), place)
  if (callee.type === 'ConditionalExpression') return eitherRunner(callee, place)
  const keys: string[] = []
  let at = callee
  while (at.type === 'MemberExpression') {
    const key = keyOf(at)
    if (key === undefined) return undefined
    keys.unshift(key)
    at = bare(at['object'])
    if (at.type === 'CallExpression' && keys.length > 0) {
      // `test.skipIf(ci).each(rows)('x', fn)`: the inner call is one more modifier.
      const inner = curried(at, place)
      return inner && applyKeys(inner, keys)
    }
  }
  if (at.type !== 'Identifier') return undefined
  const root = rootRunner(at['name'], keys, place)
  return root && applyKeys(root.runner, root.rest)
}

const runner = (role: Role, module: string, name: string): Runner => ({ role, module, name, modifiers: [], conditions: [], tables: [] })

function rootRunner(name: string, keys: string[], place: Place): { runner: Runner; rest: string[] } | undefined {
  const { kind, testFunctions } = place.file.options
  if (testFunctions.includes(name)) return { runner: runner({ is: 'test' }, '', name), rest: keys }
  if (kind === 'source') return undefined
  const binding = lookup(name, place.env)
  if (binding?.forwards !== undefined) return fromBinding(binding.forwards, !binding.forwards.includes('.'), name, keys, place)
  if (binding?.type === 'hooks') return HOOKS[keys[0] ?? ''] ? fromPath([keys[0]!], 'qunit', keys.slice(1)) : undefined
  if (binding?.type === 't' || (binding?.is === 'parameter' && name === 't')) return contextRunner(keys)
  if (!binding) {
    if (OWN_RUNNERS[name]) return fromPath(keys.slice(0, 1), name, keys.slice(1))
    if (name === 'Deno') return keys[0] === 'test' ? fromPath(['test'], 'Deno', keys.slice(1)) : undefined
    const guessed = /^([fx]?)(it|describe)_\w+$/.exec(name)
    if (guessed) return fromPath([guessed[1]! + guessed[2]!], '', keys)
    return fromPath([name], '', keys)
  }
  // `const { it, describe } = testRunner`: these names are nothing else, unlike `test`.
  if (binding.path === undefined && (binding.is === 'variable' || binding.is === 'parameter'))
    return OWN_NAMES.test(name)
      ? fromPath([name], 'given', keys)
      : undefined
  if (binding.path === undefined) return undefined
  const found = fromBinding(binding.path, binding.by === 'global', name, keys, place)
  if (found && binding.skip) found.runner.conditions.push(binding.skip)
  return found
}

const OWN_NAMES = /^([fx]?(it|describe)|(before|after)(Each|All))$/

/** tap and AVA call their per-test cleanup teardown. */
function contextRunner([key, ...rest]: readonly string[]): { runner: Runner; rest: string[] } | undefined {
  if (key === undefined) return undefined
  if (/^(after|tear[dD]own|cleanup)$/.test(key)) return { runner: runner({ is: 'hook', when: 'after', per: 'test' }, 't', key), rest }
  return fromPath([key], 't', rest)
}

function fromBinding(path: string, isGlobal: boolean, name: string, keys: string[], place: Place):
  | { runner: Runner; rest: string[] }
  | undefined
{
  const tail = path.slice(path.lastIndexOf('.') + 1)
  const maybe = [tail, name, ...keys, ...path.split('.', 3)].some(part => RUNNERS[part] || HOOKS[part] || OWN_RUNNERS[part])
    || TEST_MODULES[path] || /^[fx]?(it|describe)[A-Z_]/.test(name)
  if (!maybe) return undefined
  const module = Object.keys(TEST_MODULES).find(m => path === m || (path.startsWith(m) && path[m.length] === '.'))
  if (module !== undefined) {
    const chain = path === module ? [] : path.slice(module.length + 1).split('.')
    if (chain.length === 0 && keys.length > 0 && (RUNNERS[keys[0]!] || HOOKS[keys[0]!] || OWN_RUNNERS[module]?.[keys[0]!]))
      return fromPath([keys[0]!], module, keys.slice(1))
    if (chain.length === 0 && TEST_MODULES[module] === 'callable') return fromPath(['test'], module, keys)
    return fromPath(chain, module, keys)
  }
  // Playwright's canonical `test`, and aliases of globals.
  if (isGlobal || path === 'test' || path.startsWith('test.')) return fromPath(path.split('.'), isGlobal ? '' : '@playwright/test', keys)
  // Projects re-export a runner under its own name (fixtures, per-browser variants); a test file that calls it means it.
  if (place.file.options.kind === 'source') return undefined
  const own = /^([fx]?)(it|describe|test|specify|context)(?:[A-Z_]\w*)?$/.exec(name)
  const exact = RUNNERS[name] !== undefined || HOOKS[name] !== undefined
  if (exact) return fromPath([name], 'custom', keys)
  return own && own[2] !== 'test' && own[2] !== 'context' ? fromPath([own[1]! + own[2]!], 'custom', keys) : undefined
}

function fromPath(chain: readonly string[], module: string, keys: readonly string[]): { runner: Runner; rest: string[] } | undefined {
  const [base, ...rest] = chain
  if (base === undefined) return undefined
  const known = RUNNERS[base] ?? OWN_RUNNERS[module]?.[base]
  const made = known ? runner({ is: known.is }, module, base) : HOOKS[base] ? runner(HOOKS[base], module, base) : undefined
  if (!made) return undefined
  if (known?.skips) made.modifiers.push('skip')
  if (known?.focuses) made.modifiers.push('only')
  return { runner: made, rest: [...rest, ...keys] }
}

function applyKeys(made: Runner, keys: readonly string[]): Runner | undefined {
  for (const key of keys) {
    if (made.role.is === 'test' && key === 'describe') made.role = { is: 'suite' }
    else if (made.role.is === 'test' && HOOKS[key]) {
      made.role = HOOKS[key]
      made.name = key
    } else if (made.role.is === 'suite' && (key === 'test' || key === 'it')) made.role = { is: 'test' }
    else if (MODIFIERS.has(key)) made.modifiers.push(key)
    else return undefined
  }
  return made
}

/** `it.each(rows)`, `test.skipIf(ci)`, and wrappers that are given the runner: `it_id('…')(it)`. */
function curried(call: Node, place: Place): Runner | undefined {
  const inner = bare(call['callee'])
  const args: Node[] = call['arguments']
  const found = runnerOf(inner, place)
  const last = found?.modifiers.at(-1)
  if (found && last !== undefined && CURRIED.has(last) && !(args.some(a => isFunction(a)) && args.length > 1)) {
    const condition = args[0] ? textOf(args[0], place.file) : ''
    if (last === 'skipIf' || last === 'todoIf') found.conditions.push({ how: last, condition })
    else if (last === 'runIf' || last === 'if') found.conditions.push({ how: last, condition: `!(${condition})` })
    else found.tables.push(...args)
    return found
  }
  if (found && found.name.length > 2 && /^[fx]?(it|describe)_/.test(calleeText(inner))) return found
  const given = args.length === 1 && (args[0]!.type === 'Identifier' || args[0]!.type === 'MemberExpression')
    ? runnerOf(args[0]!, place)
    : undefined
  if (given && given.role.is !== 'hook') return given
  return found && !args.some(a => isFunction(a)) && /_/.test(calleeText(inner)) ? found : undefined
}

const calleeText = (
  node: Node,
): string => node.type === 'Identifier' ? node['name'] : node.type === 'CallExpression' ? calleeText(bare(node['callee'])) : ''

/** `(isCI ? it.skip : it)('x', fn)`. */
function eitherRunner(node: Node, place: Place): Runner | undefined {
  const yes = runnerOf(bare(node['consequent']), place), no = runnerOf(bare(node['alternate']), place)
  if (!yes || !no) return undefined
  const test = textOf(node['test'], place.file)
  const skips = (r: Runner) => r.modifiers.some(m => m === 'skip' || m === 'todo' || m === 'fixme')
  if (skips(no)) yes.conditions.push({ how: 'skip', condition: `!(${test})` })
  else if (skips(yes)) no.conditions.push({ how: 'skip', condition: test })
  return skips(no) ? yes : no
}

// ------------------------------------------------------------------------------------------------ beginning

interface Shape {
  readonly title: Node | undefined
  readonly fn: Node | undefined
  readonly options: Node | undefined
  readonly timeout: Node | undefined
}

const NOT_A_TITLE = new Set(['ArrayExpression', 'ObjectExpression', 'UnaryExpression', 'LogicalExpression', 'ArrowFunctionExpression',
  'FunctionExpression', 'SpreadElement'])

function shapeOf(node: Node, made: Runner, place: Place): Shape | undefined {
  const args: Node[] = (node['arguments'] as Node[]).map(bare)
  const options = args.find((a, i) => a.type === 'ObjectExpression' && i < 3)
  const at = args.findIndex(isFunction)
  const inside = options && (options['properties'] as Node[]).find(p => p.type === 'Property' && keyOf(p) === 'fn')?.['value']
  if (inside && made.module === 'Deno')
    return { title: propertyOf(options, 'name') ?? (isString(args[0]) ? args[0] : undefined), fn: bare(inside), options,
      timeout: undefined }
  if (made.role.is === 'hook') return hookShape(args, at, options, made, place)
  const first = args[0]
  if (!first) return undefined
  if (at === 0) {
    // Only runners that take no title may have none, and suites of Playwright.
    const untitled = CONTEXT_MODULES.has(made.module) || (made.role.is === 'suite' && made.module === '@playwright/test')
    return untitled && args.length < 3 ? { title: first['id'] ?? undefined, fn: first, options, timeout: undefined } : undefined
  }
  const titled = !NOT_A_TITLE.has(first.type) || (first.type === 'ObjectExpression' && CONTEXT_MODULES.has(made.module))
  if (!titled || (first.type === 'Literal' && !isString(first))) return undefined
  const title = first.type === 'ObjectExpression' ? propertyOf(first, 'name') : first
  if (at > 0)
    return { title, fn: args[at], options,
      timeout: args[at + 1]?.type === 'Literal' || args[at + 1]?.type === 'Identifier' ? args[at + 1] : undefined }
  const later = args.slice(1).find(a =>
    ['Identifier', 'MemberExpression', 'CallExpression', 'ConditionalExpression', 'AwaitExpression'].includes(a.type)
  )
  const literalTitle = isString(first) || first.type === 'TemplateLiteral'
  if (later && (literalTitle || (place.unit.role.is !== 'test' && !made.modifiers.some(m => m === 'skip' || m === 'fixme'))))
    return { title, fn: later, options, timeout: undefined }
  const pending = literalTitle && args.length - (options ? 1 : 0) === 1 && made.role.is === 'test' && place.unit.role.is !== 'test'
  return pending ? { title, fn: undefined, options, timeout: undefined } : undefined
}

function hookShape(args: readonly Node[], at: number, options: Node | undefined, made: Runner, place: Place): Shape | undefined {
  if (at >= 0) return { title: undefined, fn: args[at], options, timeout: args[at + 1]?.type === 'Literal' ? args[at + 1] : undefined }
  const given = args.find(a => ['Identifier', 'MemberExpression', 'CallExpression'].includes(a.type))
  const shy = SHY_HOOKS.has(made.name) && (made.module === '' || made.module === 'custom') && place.unit.role.is !== 'suite'
  return given && !shy ? { title: undefined, fn: given, options, timeout: undefined } : undefined
}

const propertyOf = (object: Node, key: string): Node | undefined =>
  (object['properties'] as Node[]).find(p => p.type === 'Property' && keyOf(p) === key)?.['value']

function begin(node: Node, made: Runner, place: Place): Place | undefined {
  const shape = shapeOf(node, made, place)
  if (!shape || isForwarding(shape, place)) return undefined
  for (const table of made.tables) if (!isFunction(table)) lower(table, place)
  const role = roleFor(made.role, place)
  const own = shape.title ? titleOf(shape.title, place) : role.is === 'hook' ? made.name : ''
  const title = role.is === 'hook' ? own : [pathTitle(place), own].filter(Boolean).join(' ')
  const within = beginUnit(place, { role, name: own, title, span: spanOf(node), nameSpan: spanOf(shape.title ?? bare(node['callee'])) })
  const unit = within.unit
  const callee = spanOf(bare(node['callee']))
  for (const modifier of made.modifiers) mark(modifier)
  for (const { how, condition } of made.conditions) unit.skips.push({ span: callee, how, reason: null, condition })
  if (shape.options) readOptions(shape.options, within)
  if (shape.timeout)
    unit.markers.push({ span: spanOf(shape.timeout), is: 'timeout', name: 'timeout', key: textOf(shape.timeout, place.file) })
  if (!shape.fn && unit.skips.length === 0) unit.skips.push({ span: spanOf(node), how: 'pending', reason: null, condition: null })
  if (shape.fn) enterBody(shape.fn, made, within)
  return within

  function mark(modifier: string): void {
    const span = callee
    if (/^(skip|todo|fixme|ignore)$/.test(modifier)) unit.skips.push({ span, how: modifier, reason: null, condition: null })
    else if (/^(fails|failing|fail|expectFailure)$/.test(modifier)) unit.markers.push({ span, is: 'other', name: modifier })
    else if (modifier === 'concurrent' || modifier === 'parallel') unit.markers.push({ span, is: 'parallel', name: modifier })
    else if (modifier === 'sequential' || modifier === 'serial') unit.markers.push({ span, is: 'serial', name: modifier })
    else if (modifier === 'only')
      unit.markers.push({ span, is: 'focus', name: made.name === 'only' || /^f/.test(made.name) ? made.name : `${made.name}.only` })
    else if (modifier === 'prop') unit.markers.push({ span, is: 'property', name: 'prop' })
  }
}

/** The one `it` inside a wrapper of the project stands for the tests that call the wrapper. */
const isForwarding = ({ title }: Shape, place: Place): boolean =>
  title?.type === 'Identifier' && place.unit.role.is === 'helper' && place.unit.params[0] === title['name']
  && lookup(place.unit.name, place.env)?.forwards !== undefined

/** A hook set inside a test is about that test alone. */
function roleFor(role: Role, place: Place): Role {
  if (role.is === 'hook' && role.per === 'file' && place.unit.role.is === 'test') return { ...role, per: 'test' }
  return role
}

function pathTitle(place: Place): string {
  for (let at = place.unit;; at = place.file.units[at.parent]!) {
    if (at.role.is === 'test' || at.role.is === 'suite') return at.title
    if (at.parent === null) return ''
  }
}

/** What the runner prints; what is only known at run time stays as `${…}`. */
function titleOf(node: Node, place: Place): string {
  const at = bare(node)
  if (isString(at)) return at['value']
  if (at.type === 'TemplateLiteral') return textOf(at, place.file).slice(1, -1)
  if (at.type === 'BinaryExpression' && at['operator'] === '+') return titleOf(at['left'], place) + titleOf(at['right'], place)
  if (at.type === 'Identifier' && (/^[A-Z]\w*[a-z]/.test(at['name']) || lookup(at['name'], place.env)?.is === 'function')) return at['name']
  if (at.type === 'MemberExpression' && keyOf(at) === 'name' && bare(at['object']).type === 'Identifier'
    && /^[A-Z]/.test(at['object'].name)) return at['object'].name
  return `\${${textOf(at, place.file)}}`
}

function enterBody(fn: Node, made: Runner, place: Place): void {
  if (isFunction(fn)) {
    const [first, second] = fn['params'] as Node[]
    if (first?.type === 'Identifier' && first['name'] === (made.role.is === 'suite' ? 'hooks' : 'assert'))
      place.env.names.set(first['name'], { is: 'parameter', type: first['name'] })
    else if (first?.type === 'Identifier' && made.role.is !== 'suite'
      && !made.modifiers.some(m => m === 'each' || m === 'for' || m === 'prop'))
    {
      const isContext = CONTEXT_MODULES.has(made.module) || first['name'] === 't'
      place.env.names.set(first['name'], isContext
        ? { is: 'parameter', type: 't' }
        : { is: 'parameter', settles: 'done', endsOnce: goodEnds(fn['body'], first['name']) === 1 })
    }
    if (made.module === 'Tinytest' && second?.type === 'Identifier')
      place.env.names.set(second['name'], { is: 'parameter', settles: 'done', endsOnce: goodEnds(fn['body'], second['name']) === 1 })
    return enterFunction(fn, place)
  }
  // `after(client.close)`, `it('x', shared)`, `it('x', withServer(async () => {}))`: the function is called, or what makes it is.
  const target = fn.type === 'CallExpression' && fn['callee'].type === 'MemberExpression' && keyOf(fn['callee']) === 'bind'
    ? bare(fn['callee'].object)
    : fn
  if (target.type === 'CallExpression' || target.type === 'ConditionalExpression' || target.type === 'AwaitExpression')
    return void lower(target, place)
  const receiver = target.type === 'MemberExpression' ? lower(target['object'], place) : null
  addCall(place.unit, { span: spanOf(target), ...calleeName(target, receiver, place.unit, place.env, place.file), receiver, args: [], in: 0,
    result: 'returned' })
}

/** `{ skip: 'why', timeout: 500, retry: 2, concurrency: true }`. */
function readOptions(node: Node, place: Place): void {
  const { unit, file } = place
  for (const property of node['properties'] as Node[]) {
    const key = property.type === 'Property' ? keyOf(property) : undefined
    if (key === undefined) continue
    const value = bare(property['value'])
    const span = spanOf(property)
    const text = textOf(value, file)
    const off = value.type === 'Literal' && !value['value']
    if (/^(skip|todo|ignore)$/.test(key) && !off) {
      const always = value.type === 'Literal'
      unit.skips.push({ span, how: key, reason: isString(value) ? value['value'] : null, condition: always ? null : text })
    } else if (key === 'only' && value.type === 'Literal' && value['value'] === true) unit.markers.push({ span, is: 'focus', name: 'only' })
    else if (/^(retry|retries)$/.test(key) && !off) unit.markers.push({ span, is: 'retry', name: key, key: text })
    else if (key === 'timeout') unit.markers.push({ span, is: 'timeout', name: key, key: text })
    else if (/^(concurrency|concurrent)$/.test(key) && !off && text !== '1')
      unit.markers.push({ span, is: 'parallel', name: key, key: text })
    else if (key === 'sequential' && !off) unit.markers.push({ span, is: 'serial', name: key, key: text })
  }
}
