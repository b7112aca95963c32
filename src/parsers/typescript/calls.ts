// Calls and constructors: names, arguments, the closures handed over, and the idioms that are really something else.

import { UNKNOWN, literal, type Call, type Marker, type Value, type Write } from '../../facts/facts.ts'
import { addCall, addRegion, handTo, type Result } from '../build.ts'
import { assertCall, expectChain, failsTest } from './assertions.ts'
import { closureValue, lower, objectParts, targetOf } from './expressions.ts'
import { SKIP_CALLS } from './frameworks.ts'
import { pauseOf } from './pauses.ts'
import { calleeName, canonical, child, lookup, pathOf, requiredModule, textOf, type Named, type Path } from './names.ts'
import { declare, inside, type Place } from './place.ts'
import { statements } from './statements.ts'
import { bare, bodyOf, endOf, isFunction, isString, keyOf, mentions, namesOf, spanOf, startOf, type Node } from './syntax.ts'
import { runnerCall } from './units.ts'
import { table } from '../table.ts'

/** Methods that give each element, or the settled value, to the function they are handed. */
const GIVES = new Set(['forEach', 'map', 'filter', 'some', 'every', 'find', 'findIndex', 'findLast', 'flatMap', 'then'])

/** Their functions run in the page, whose globals are not the test's. */
const IN_BROWSER = /^(evaluate\w*|addInitScript|waitForFunction|\$\$?eval)$/
const inBrowser = (write: Write): Write =>
  /^(globalThis|window|self|document|console|navigator|Date|Math)\b./.test(write.target)
    ? { ...write, target: `page:${write.target}` }
    : write

export function callValue(node: Node, place: Place, result: Result): Value {
  if (runnerCall(node, place)) return UNKNOWN
  const asserted = expectChain(node, place, result)
  if (asserted) return asserted
  const callee = bare(node['callee'])
  const called = calledFunction(callee)
  if (called) return invoked(called, node, place)
  if (requiredModule(node, place.env) !== undefined) return { is: 'name', path: requiredModule(node, place.env)! }
  const { unit } = place
  const isMember = callee.type === 'MemberExpression'
  const firstCall = unit.calls.length
  const receiver = isMember && callee['object'].type !== 'Super' ? lower(callee['object'], place) : null
  if (isMember && keyOf(callee) === undefined) lower(callee['property'], place)
  if (!isMember && callee.type !== 'Identifier') lower(callee, place)
  const method = isMember ? keyOf(callee) ?? '' : ''
  const received = unit.calls.length
  const firstRegion = unit.regions.length
  const firstWrite = unit.writes.length
  const { args, named } = argumentsOf(node, place, receiver && GIVES.has(method) ? receiver : undefined)
  const given = calleeName(callee, receiver, unit, place.env, place.file)
  const text = textBuilt(given.name, method, receiver, args)
  if (text) return text
  const own = ownName(given, args, isMember)
  const pause = own ? undefined : pauseOf({ name: given.name, method, receiver, args, named, result }, place)
  const name = own ?? (pause ? 'pause(told)' : specialName(given.name, node, args, place))
  // What the callback of such a timer does, it does after the wait.
  const span = pause && receiver?.is === 'call'
    ? { start: startOf(callee['property']), end: endOf(node) }
    : name === 'setTimeout(done)'
    ? { start: startOf(node), end: startOf(bare(node['arguments'][0])['body']) }
    : spanOf(node)
  const value = addCall(unit, {
    span,
    nameSpan: spanOf(isMember ? callee['property'] : callee),
    name,
    resolution: own ? 'guess' : given.resolution,
    receiver,
    args,
    named: pause ? { ms: pause } : name === 'Promise.race(sleep)' ? { ...named, ms: raceLimit(args, place)! } : named,
    in: place.region,
    result,
  })
  handTo(unit, value, place.region, firstRegion, unit.regions.length)
  const call = unit.calls.at(-1)!
  if (IN_BROWSER.test(method)) { for (let i = firstWrite; i < unit.writes.length; i++) unit.writes[i] = inBrowser(unit.writes[i]!) }
  sideEffects(call, node, place)
  if (method === 'catch' || (method === 'then' && args.length > 1)) swallowed(node, receiver, firstCall, received, place)
  assertCall(call, node, place)
  // Every run and every test is given the same folder, wherever it is.
  return name === 'os.tmpdir' ? literal('/tmp') : value
}

export function argumentsOf(node: Node, place: Place, given?: Value): { args: Value[]; named: Record<string, Value> } {
  const nodes: Node[] = node['arguments'] ?? []
  let named: Record<string, Value> = {}
  const args = nodes.map((argument, i): Value => {
    const at = bare(argument)
    if (isFunction(at)) return closureValue(at, place, given ? { given } : {})
    const bound = boundCall(at, place)
    if (bound) return bound
    // The stages of a pipeline are known by their names: `[{ $match: … }, { $sort: … }]`.
    if (at.type === 'ArrayExpression') { for (const stage of stagesOf(at)) named[stage] = UNKNOWN }
    if (at.type !== 'ObjectExpression') return lower(at, place)
    const parts = objectParts(at, place)
    // A function that is told of the end stands behind the options.
    if (nodes.slice(i + 1).every(isTold)) named = parts.named
    return { is: 'group', of: parts.values }
  })
  return { args, named }
}

const isTold = (node: Node): boolean =>
  isFunction(bare(node))
    ? /^_?(e|err|error)$/.test(bare(node)['params'][0]?.name ?? '')
    : node.type === 'Identifier' && /^(done|cb|callback|next)$/.test(node['name'])

const stagesOf = (list: Node): string[] =>
  (list['elements'] as (Node | null)[]).flatMap(e => {
    const key = e?.type === 'ObjectExpression' && e['properties'].length === 1 ? keyOf(e['properties'][0]) : undefined
    return key?.startsWith('$') ? [key] : []
  })

/** `.then(wait.bind(null, 5))` is `.then(() => wait(5))`. */
function boundCall(node: Node, place: Place): Value | undefined {
  if (node.type !== 'CallExpression' || node['arguments'].length < 2 || node['callee'].type !== 'MemberExpression'
    || keyOf(node['callee']) !== 'bind') return undefined
  const callee = bare(node['callee'].object)
  if (callee.type !== 'Identifier' && callee.type !== 'MemberExpression') return undefined
  const receiver = callee.type === 'MemberExpression' ? lower(callee['object'], place) : null
  const args = (node['arguments'] as Node[]).slice(1).map(a => lower(a, place))
  const region = addRegion(place.unit, { kind: 'closure', in: place.region, span: spanOf(node) })
  const named = calleeName(callee, receiver, place.unit, place.env, place.file)
  return { is: 'group',
    of: [addCall(place.unit, { span: spanOf(node), nameSpan: spanOf(callee), ...named, receiver, args, in: region, result: 'returned' })] }
}

/** `(() => {})()`, `(function () {}).call(this)`. */
function calledFunction(callee: Node): Node | undefined {
  if (isFunction(callee)) return callee
  if (callee.type !== 'MemberExpression' || !/^(call|apply)$/.test(keyOf(callee) ?? '')) return undefined
  const object = bare(callee['object'])
  return isFunction(object) ? object : undefined
}

/** A function called on the spot: its closure is handed to no call, so it runs right here. */
function invoked(fn: Node, node: Node, place: Place): Value {
  const { args } = argumentsOf(node, place)
  return closureValue(fn, place, args[0] && fn === bare(node['callee']) ? { given: args[0] } : {})
}

// ---------------------------------------------------------------------------------------------------- names

const TEXT_FUNCTIONS = new Set(['String', 'util.format'])
const PATH_FUNCTIONS = /^path\.((posix|win32)\.)?(join|resolve)$/

function textBuilt(name: string, method: string, receiver: Value | null, args: readonly Value[]): Value | undefined {
  if (TEXT_FUNCTIONS.has(name) && args.length > 0) return { is: 'text', parts: args }
  if (PATH_FUNCTIONS.test(name) && args.length > 0)
    return { is: 'text', parts: args.flatMap((part, i) => (i > 0 ? [literal('/'), part] : [part])) }
  if (!name.startsWith('?.') || !receiver) return undefined
  if (method === 'toString') return { is: 'text', parts: [receiver] }
  if (method === 'join' && args.length < 2) return { is: 'text', parts: [receiver] }
  const startsAsText = receiver.is === 'text' || (receiver.is === 'literal' && typeof receiver.value === 'string')
  return method === 'concat' && startsAsText ? { is: 'text', parts: [receiver, ...args] } : undefined
}

/** Idioms whose meaning is in an argument get a name of their own, so that the catalog can speak of them. */
function specialName(name: string, node: Node, args: readonly Value[], place: Place): string {
  const nodes: Node[] = node['arguments']
  if (name === 'setTimeout' && nodes[0] && failsTest(bare(nodes[0]), place)) return 'setTimeout(fail)'
  if (name === 'setTimeout' && nodes[1] && endsHook(bare(nodes[0]!), place)) return 'setTimeout(hook)'
  if (name === 'setTimeout' && nodes[1] && endsTest(bare(nodes[0]!), place)) return 'setTimeout(done)'
  // The same method waits a time when given a number, for a thing when given anything else.
  if (/^(cy\.wait|page\.waitFor)$/.test(name) && nodes[0] && isThing(bare(nodes[0]))) return `${name}(condition)`
  if (name === 'Promise.race' && raceLimit(args, place)) return 'Promise.race(sleep)'
  if (/(^|\.)(spyOn|stub|method|replace)$/.test(name) && args[0]?.is === 'name' && args[1]?.is === 'literal') {
    const patched = `${canonical(args[0].path)}.${args[1].value}`
    if (/^(Date\.now|Math\.random|performance\.now)$/.test(patched)) return `${name}(${patched})`
  }
  return name
}

/** A hook that does nothing more but wait: `before(done => { server.start(); setTimeout(done, 500) })`. */
const endsHook = (callback: Node, { unit: { role }, env }: Place): boolean => {
  const binding = callback.type === 'Identifier' && role.is === 'hook' && role.when === 'before' ? lookup(callback['name'], env) : undefined
  // One of several steps of the hook, each of which is told to call on: `async.series([done => { start(); setTimeout(done, 500) }])`.
  return binding?.endsOnce === true
    || (binding?.is === 'parameter' && binding.settles === undefined && /^(done|cb|callback|next)$/.test(callback['name']))
}

/**
 * `() => { assert(x); done() }`: after the wait the test looks, and ends well nowhere else; or it asks somebody and ends when he answers. A
 * timer that only ends it plays slow work.
 */
function endsTest(callback: Node, place: Place): boolean {
  const body = isFunction(callback) ? bodyOf(callback) : []
  const nodes = body.length === 1 && body[0]!.type === 'TryStatement' ? body[0]!['block'].body as Node[] : body
  return nodes.length > 1
    ? nodes.some(s => isEnd(s, place)) || nodes.some(s => answered(s).some(n => isEnd(n, place)))
    : nodes.some(s => answered(s).length > 1 && answered(s).some(n => isEnd(n, place)))
}

function isEnd(statement: Node, place: Place): boolean {
  const at = statement.type === 'ExpressionStatement' ? bare(statement['expression']) : undefined
  const callee = at?.type === 'CallExpression' && at['arguments'].length === 0 ? bare(at['callee']) : undefined
  return callee?.type === 'Identifier' && lookup(callee['name'], place.env)?.endsOnce === true
}

/** What the function does that a call is given last. */
function answered(statement: Node): readonly Node[] {
  const at = statement.type === 'ExpressionStatement' ? bare(statement['expression']) : undefined
  const last = at?.type === 'CallExpression' ? at['arguments'].at(-1) as Node | undefined : undefined
  return last && isFunction(bare(last)) ? bodyOf(bare(last)) : []
}

const isThing = (node: Node): boolean =>
  isFunction(node) || node.type === 'TemplateLiteral' || node.type === 'ArrayExpression'
  || (node.type === 'Literal' && typeof node['value'] !== 'number')

const isNumber = (value: Value | undefined): boolean =>
  value?.is === 'literal' ? typeof value.value === 'number' : value?.is === 'op' && value.of.every(isNumber)

/**
 * What the project brings from a file of its own is read by its name where that says all: a `sleep`, a server that listens, a web
 * API that is given a whole URL.
 */
function ownName({ name, resolution }: Named, args: readonly Value[], isMember: boolean): string | undefined {
  if (resolution !== 'import' || !name.startsWith('.')) return undefined
  if (isMember && name.endsWith('.listen')) return '?.listen'
  const verb = args.length === 1 ? /[./](sleep|delay|wait|createTimeout)(\.[cm]?[jt]s)?$/.exec(name)?.[1] : undefined
  if (verb && (verb === 'sleep' || verb === 'delay' || isNumber(args[0]))) return `${verb}(own)`
  const known = /\.(fetch|WebSocket\.new|EventSource\.new)$/.exec(name)?.[1]
  return known && args[0]?.is === 'literal' && /^(https?|wss?):\/\//.test(String(args[0].value)) ? known : undefined
}

const SLEEPS =
  /(^Promise\.setTimeout$|^timers\/promises\.setTimeout$|promisify\(setTimeout\)$|\(own\)$|(^|\.)(sleep|delay|wait|pause|timeout|setTimeout)(Ms|For)?$|(^|\.)(fail|reject|throw|timeout)(After|In)(Ms)?$)/i

/** A race against a sleep limits the other side: the sleep's length is the limit, and the sleep itself no wait. */
function raceLimit(args: readonly Value[], place: Place): Value | undefined {
  for (const given of args[0]?.is === 'group' ? args[0].of : []) {
    let side: Value | undefined | null = given.is === 'name' ? place.unit.writes.findLast(w => w.target === given.path)?.value : given
    // `sleep(1000).then(() => 'timed out')` is as long as the sleep.
    while (side?.is === 'call' && /^\?\.(then|catch|finally)$/.test(place.unit.calls[side.call]!.name))
      side = place.unit.calls[side.call]!.receiver
    if (side?.is !== 'call') continue
    const call = place.unit.calls[side.call]!
    const ownSleep = call.resolution === 'local'
      && place.file.units.some(u => u.name === call.name.replace(/\(race\)$/, '') && u.calls.some(c => c.name === 'Promise.setTimeout'))
    if (!ownSleep && !SLEEPS.test(call.name.replace(/\(race\)$/, ''))) continue
    const ms = call.args[0]
    if (!ms) continue
    if (!call.name.endsWith('(race)')) place.unit.calls[side.call] = { ...call, name: `${call.name}(race)` }
    return ms
  }
  return undefined
}

// --------------------------------------------------------------------------------------------- side effects

const MARKERS: Readonly<Record<string, Marker['is']>> = table({
  'jest.retryTimes': 'retry',
  'this.retries': 'retry',
  'test.setTimeout': 'timeout',
  'this.timeout': 'timeout',
  'jest.setTimeout': 'timeout',
  't.timeout': 'timeout',
  'assert.timeout': 'timeout',
  't.setTimeout': 'timeout',
  't.timeoutAfter': 'timeout',
  'test.slow': 'timeout',
  'this.slow': 'other',
})

function sideEffects(call: Call, node: Node, place: Place): void {
  const { unit, file } = place
  const nodes: Node[] = node['arguments']
  const argumentText = () => nodes.map(a => textOf(a, file)).join(', ')
  // Set in a hook or suite, it holds for what is around it.
  const holder = unit.role.is === 'hook' && unit.parent !== null ? file.units[unit.parent]! : unit
  const marks = MARKERS[call.name]
  if (marks && nodes.length + (call.name === 'test.slow' ? 1 : 0) > 0)
    holder.markers.push({ span: call.span, is: marks, name: call.name, ...(nodes.length > 0 && { key: argumentText() }) })
  if (/(^|\.)describe\.configure$/.test(call.name)) configured(call, holder)
  if (SKIP_CALLS.has(call.name)
    || (/(^|\.)skip$/.test(call.name) && unit.role.is === 'test' && unit.params.includes(call.name.replace(/\.skip$/, ''))))
    skipped(call, nodes, place)
  if (call.name === 'Object.assign' && call.args[0]?.is === 'name')
    push(`${call.args[0].path}[]`, { is: 'group', of: call.args.slice(1) }, true)
  if (/^(Object\.defineProperty|Reflect\.(defineProperty|deleteProperty))$/.test(call.name) && call.args[0]?.is === 'name'
    && isString(nodes[1]))
    push(`${call.args[0].path}.${nodes[1]!['value']}`, call.args[2] ?? UNKNOWN, false)
  if (/^\?\.(push|unshift)$/.test(call.name) && call.receiver?.is === 'name')
    push(targetOf(bare(node['callee'])['object'], place), { is: 'group', of: call.args }, true)

  function push(target: string, value: Value, adds: boolean): void {
    unit.writes.push({ span: call.span, target, value, in: place.region, declares: false, adds })
  }
}

function configured(call: Call, unit: { markers: Marker[] }): void {
  const { mode, retries, timeout } = call.named
  const mark = (is: Marker['is'], value: Value) =>
    unit.markers.push({ span: call.span, is, name: call.name, ...(value.is === 'literal' && { key: String(value.value) }) })
  if (mode?.is === 'literal') mark(mode.value === 'serial' || mode.value === 'parallel' ? mode.value : 'other', mode)
  if (retries) mark('retry', retries)
  if (timeout) mark('timeout', timeout)
}

/** `t.skip('why')`, `this.skip()`, `test.skip(isMac, 'why')`. */
function skipped(call: Call, nodes: readonly Node[], place: Place): void {
  const reason = nodes.find(n => isString(n))
  const first = nodes[0]
  const hangsOn = first && !isString(first)
    ? textOf(isFunction(first) && first['body'].type !== 'BlockStatement' ? first['body'] : first, place.file)
    : null
  place.unit.skips.push({ span: call.span, how: call.name, reason: reason ? reason['value'] : null, condition: hangsOn ?? place.condition })
}

/** `.catch(() => {})`, `.catch(noop)`. */
function swallowed(node: Node, receiver: Value | null, from: number, to: number, place: Place): void {
  const handler = bare(node['arguments'].at(-1) ?? { type: 'EmptyStatement' })
  if (!doesNothing(handler)) return
  const [first] = node['arguments'] as Node[]
  if (node['arguments'].length > 1 && first && failsTest(bare(first), place)) {
    // `.then(() => fail(), () => {})` wants the failure.
    if (receiver)
      place.unit.assertions.push({ span: spanOf(node), compare: 'throws', operands: [receiver], claims: 'presence', in: place.region })
    return
  }
  const calls = Array.from({ length: to - from }, (_, i) => from + i)
  const tried: Node = bare(node['callee'])['object']
  const span = { start: startOf(bare(node['callee'])['property']), end: endOf(node) }
  if (receiver)
    place.unit.swallows.push({ span, how: `.${keyOf(bare(node['callee']))}`, calls, text: textOf(tried, place.file), in: place.region })
}

function doesNothing(handler: Node): boolean {
  if (handler.type === 'Identifier') return /^_?noop$/i.test(handler['name'])
  if (handler.type === 'MemberExpression') return /^noop$/i.test(keyOf(handler) ?? '')
  if (!isFunction(handler)) return false
  const body: Node = handler['body']
  if (body.type === 'BlockStatement') return body['body'].length === 0
  const value = bare(body)
  if (value.type === 'Literal') return value['value'] === null && !value['regex']
  return (value.type === 'Identifier' && value['name'] === 'undefined')
    || (value.type === 'UnaryExpression' && value['operator'] === 'void')
}

// --------------------------------------------------------------------------------------------- constructors

export function newValue(node: Node, place: Place, result: Result): Value {
  const callee = bare(node['callee'])
  const path = pathOf(callee, place.env)
  if (path?.path === 'Promise' && (path.by === 'global' || path.by === 'import')) {
    const slept = sleepValue(node, place, result)
    if (slept) return slept
  }
  const { unit } = place
  const firstRegion = unit.regions.length
  const executor = path?.path === 'Promise' && node['arguments'][0] ? bare(node['arguments'][0]) : undefined
  const { args, named } = executor && isFunction(executor)
    ? { args: [closureValue(executor, place, { settles: ['resolve', 'reject'] })], named: {} }
    : argumentsOf(node, place)
  const made = constructorName(callee, path)
  const own = ownName(made, args, false)
  const value = addCall(unit, {
    span: spanOf(node),
    nameSpan: spanOf(callee),
    name: own ?? made.name,
    resolution: own ? 'guess' : made.resolution,
    receiver: null,
    args,
    named,
    in: place.region,
    result,
  })
  handTo(unit, value, place.region, firstRegion, unit.regions.length)
  return value
}

function constructorName(callee: Node, path: Path | undefined): Named {
  if (!path) return { name: callee.type === 'MemberExpression' ? `?.${keyOf(callee) ?? ''}.new` : '?.new', resolution: 'guess' }
  if (path.by !== 'variable') return { name: `${canonical(path.path)}.new`, resolution: path.by }
  return { name: path.path.includes('.') ? `?.${path.path.split('.').at(-1)}.new` : `${path.path}.new`, resolution: 'guess' }
}

/**
 * `new Promise(resolve => setTimeout(resolve, n))` in all its shapes is one call, a sleep. What the timer does before it
 * resolves happens after the sleep.
 */
function sleepValue(node: Node, place: Place, result: Result): Value | undefined {
  const executor = node['arguments'][0] ? bare(node['arguments'][0]) : undefined
  const resolve = executor && isFunction(executor) && executor['params'][0]?.type === 'Identifier'
    ? executor['params'][0].name as string
    : undefined
  if (!executor || resolve === undefined) return undefined
  const nodes = bodyOf(executor)
  const at = nodes.findIndex(s => timerOf(s) !== undefined)
  const timer = at < 0 ? undefined : timerOf(nodes[at]!)!
  if (!timer || nodes.some((s, i) => i !== at && mentions(s, resolve))) return undefined
  const env = child(place.env)
  declare(namesOf(executor['params'][0]), env, { is: 'parameter', settles: 'resolve' })
  for (const other of executor['params'].slice(1)) declare(namesOf(other), env, { is: 'parameter', settles: 'reject' })
  const path = pathOf(timer['callee'], env)
  const kind = path && path.by !== 'variable' && path.by !== 'local' ? canonical(path.path) : ''
  if (kind !== 'setTimeout' && kind !== 'setImmediate' && kind !== 'process.nextTick') return undefined
  const callback = timer['arguments'][0] ? bare(timer['arguments'][0]) : undefined
  const then = callback && whatResolves(callback, resolve)
  if (!then) return undefined
  const within = inside(place, { env })
  statements(nodes.filter((_, i) => i !== at), within)
  const args = kind === 'setTimeout' ? [timer['arguments'][1] ? lower(timer['arguments'][1], within) : literal(0)] : []
  const span = then.length > 0 ? { start: startOf(node), end: startOf(callback['body']) } : spanOf(node)
  const value = addCall(place.unit, { span, nameSpan: spanOf(timer['callee']), name: `Promise.${kind.replace('process.', '')}`,
    resolution: 'global', args, in: place.region, result })
  if (then.length > 0) {
    const region = addRegion(place.unit, { kind: 'closure', in: place.region, span: spanOf(callback) })
    statements(then, inside(within, { region, returns: [], frame: null }))
  }
  return value
}

/** The `setTimeout(…)` of a statement, bare or kept in a variable. */
function timerOf(statement: Node): Node | undefined {
  const kept = statement.type === 'VariableDeclaration' && statement['declarations'].length === 1
    ? statement['declarations'][0].init
    : undefined
  let at: Node | undefined = statement.type === 'ExpressionStatement'
    ? statement['expression']
    : statement.type === 'ReturnStatement'
    ? statement['argument']
    : kept
  at = at && bare(at)
  if (at?.type === 'AssignmentExpression') at = bare(at['right'])
  if (at?.type === 'CallExpression' && at['callee'].type === 'MemberExpression' && /^(unref|ref)$/.test(keyOf(at['callee']) ?? ''))
    at = bare(at['callee'].object)
  if (at?.type !== 'CallExpression') return undefined
  const callee = bare(at['callee'])
  const name = callee.type === 'Identifier' ? callee['name'] : callee.type === 'MemberExpression' ? keyOf(callee) : ''
  return /^(setTimeout|setImmediate|nextTick|later|delay|_?setTimeout\w*)$/.test(name ?? '') ? at : undefined
}

/** What a timer's callback does besides resolving; undefined where it does not surely resolve. */
function whatResolves(callback: Node, resolve: string): Node[] | undefined {
  if (callback.type === 'Identifier') return callback['name'] === resolve ? [] : undefined
  if (callback.type === 'CallExpression' && callback['callee'].type === 'MemberExpression' && callback['callee'].object.name === resolve)
    return []
  if (!isFunction(callback)) return undefined
  const nodes = bodyOf(callback)
  const at = nodes.findIndex(s => resolves(s, resolve))
  if (at < 0) return undefined
  // `resolve(server.close())` does something too.
  const call = bare(nodes[at]!['expression'] ?? nodes[at]!['argument'])
  const given: Node[] = call['arguments'].filter((a: Node) => !['Literal', 'Identifier'].includes(bare(a).type))
  return [...nodes.filter((_, i) => i !== at), ...given.map(argument => ({ type: 'ReturnStatement', argument, ...spanOf(argument) }))]
}

function resolves(statement: Node, resolve: string): boolean {
  const at = statement.type === 'ExpressionStatement'
    ? statement['expression']
    : statement.type === 'ReturnStatement'
    ? statement['argument']
    : undefined
  const call = at ? bare(at) : undefined
  return call?.type === 'CallExpression' && call['callee'].type === 'Identifier' && call['callee'].name === resolve
}
