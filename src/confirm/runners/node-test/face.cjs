// Stands before `node:test`: names each test as the file declares it, lets only the wanted ones through, and writes down when
// they begin. What became of them is told by the reporter, which knows the tests by their place in the tree of those let through.
//
// A whole file and a single test go through at once. A list is kept back until the file is loaded, then told to Node in the
// list's order. A test inside of a running test belongs to it and is left alone.

const { AsyncLocalStorage } = require('node:async_hooks')
const { plan, write, fromRoot, namer, lot } = require('./journal.cjs')
const { told, tree } = require('./order.cjs')
const real = require('node:test')

const path = process.argv[1] ?? ''
const part = plan.parts?.[Number(process.env.FLAKESNIFF_PART)]
const file = process.env.NODE_TEST_CONTEXT || part ? fromRoot(path) : ''
const listing = plan.mode === 'list'
const deferred = !listing && part !== undefined && (part.ids.length > 1 && !part.whole || plan.seed !== undefined)
const wanted = new Set(part?.ids ?? [])
const nameOf = namer(file)

/** Where a declaration belongs: a suite of the tree, or a running test. */
const place = new AsyncLocalStorage()
const root = { titles: [], children: [], hooks: [], declared: [] }
/** Set-up that no test has taken yet, and the test that ran last. */
const clock = { before: 0, last: undefined }
/** Suites whose function is still at it. */
const declaring = []

function makeLeaf(id, title, parent, call, options, fn) {
  const leaf = { id, title, parent, call, options, copy: () => makeLeaf(id, title, parent, call, options, fn) }
  leaf.fn = fn && watched(fn, leaf)
  return leaf
}

const say = leaf => leaf.call(leaf.title, leaf.options, leaf.fn)

function testLike(call) {
  return (...args) => {
    const parent = place.getStore() ?? root
    if (parent.running) return call(...args)
    const { title, options, fn } = readArguments(args)
    const leaf = makeLeaf(nameOf([...parent.titles, title]), title, parent, call, options, fn)
    if (listing) write({ listed: { id: leaf.id, file, line: lineIn(path), name: title } })
    else if (deferred) parent.declared.push(leaf)
    else if (wanted.has(leaf.id)) {
      parent.children.push(leaf)
      return say(leaf)
    }
    return Promise.resolve()
  }
}

function suiteLike(call) {
  return (...args) => {
    const parent = place.getStore() ?? root
    if (parent.running) return call(...args)
    const { title, options, fn } = readArguments(args)
    const suite = { titles: [...parent.titles, title], title, parent, call, options, children: [], hooks: [], declared: [], suite: true }
    const prefix = [file, ...suite.titles, ''].join(' > ')
    if (!listing && !deferred && part.ids.some(id => id.startsWith(prefix))) {
      parent.children.push(suite)
      return call(title, options, fn && (context => place.run(suite, fn, context)))
    }
    // Its tests only say their names here, also where none is wanted: names that meet keep their numbers.
    parent.declared.push(suite)
    const done = Promise.resolve(fn && place.run(suite, fn))
    declaring.push(done)
    return done
  }
}

function hookLike(call, kind) {
  return (fn, options) => {
    const parent = place.getStore() ?? root
    if (parent.running) return call(fn, options)
    if (listing) return
    const hook = timed(fn, took => {
      if (kind === 'before' || kind === 'beforeEach') clock.before += took
      else if (clock.last) clock.last.teardownMs += took
    })
    if (deferred) parent.hooks.push(() => call(hook, options))
    else if (isOpen(parent)) call(hook, options)
  }
}

/** Hooks of a suite that was not let through have nowhere to go. */
function isOpen(suite) {
  for (let at = suite; at !== root; at = at.parent) if (!at.parent.children.includes(at)) return false
  return true
}

/** The test's function, which marks its begin and end. */
function watched(fn, leaf) {
  return timed(fn, took => Object.assign(leaf, { testMs: took }), run => {
    Object.assign(leaf, { n: `${process.pid}.${told()}`, setupMs: clock.before, testMs: 0, teardownMs: 0 })
    clock.before = 0
    clock.last = leaf
    write({ n: leaf.n, id: leaf.id, ...(plan.parallel && { worker: String(process.pid) }) })
    return place.run({ running: true }, run)
  })
}

/** It has as many parameters as before: Node looks at their number to know whether it is handed a callback. */
function timed(fn, end, around = run => run()) {
  const outer = function (...args) {
    let start
    const stop = () => end(performance.now() - start)
    const given = args.map(arg => (typeof arg === 'function' ? (...results) => (stop(), arg(...results)) : arg))
    return around(() => {
      start = performance.now()
      try {
        const result = fn.apply(this, given)
        if (typeof result?.then === 'function')
          return result.then(value => (stop(), value), error => {
            stop()
            throw error
          })
        if (!given.some(arg => typeof arg === 'function')) stop()
        return result
      } catch (error) {
        stop()
        throw error
      }
    })
  }
  return Object.defineProperty(outer, 'length', { value: fn.length })
}

function readArguments(args) {
  const fn = args.find(arg => typeof arg === 'function')
  const options = args.find(arg => typeof arg === 'object' && arg !== null)
  const title = typeof args[0] === 'string' ? args[0] : fn?.name || '<anonymous>'
  return { title, options: options ?? {}, fn }
}

function lineIn(path) {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const { stack } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  const at = stack.indexOf(`${path}:`)
  const line = at < 0 ? NaN : Number.parseInt(stack.slice(at + path.length + 1), 10)
  return line > 0 ? line : undefined
}

/** Tells Node what was kept back, in the order of the plan or of the seed. */
async function begin() {
  await Promise.all(declaring)
  const chosen = plan.seed === undefined ? part.ids : leavesOf(root).map(leaf => leaf.id).filter(id => wanted.has(id))
  tree(root, chosen, leavesOf(root))
  const open = suite => {
    for (const hook of suite.hooks) hook()
    for (const child of suite.children) {
      if (child.suite) child.call(child.title, child.options, () => place.run(child, () => open(child)))
      else say(child)
    }
  }
  open(root)
}

function leavesOf(suite) {
  const seeded = plan.seed === undefined
    ? suite.declared
    : [...suite.declared].sort((a, b) => lot(plan.seed, key(a)) - lot(plan.seed, key(b)))
  return seeded.flatMap(child => (child.suite ? leavesOf(child) : [child]))
}

const key = node => node.id ?? [file, ...node.titles].join(' > ')

function variants(wrap, call) {
  const made = wrap(call)
  for (const name of ['skip', 'todo', 'only', 'expectFailure']) if (call[name]) made[name] = wrap(call[name])
  return made
}

const test = variants(testLike, real.test)
const suite = variants(suiteLike, real.describe)
const hooks = Object.fromEntries(['before', 'after', 'beforeEach', 'afterEach'].map(kind => [kind, hookLike(real[kind], kind)]))
const exported = Object.assign(test, {
  ...Object.fromEntries(
    Object.getOwnPropertyNames(real).filter(name =>
      !['length', 'name', 'prototype', 'mock', 'snapshot', 'assert', ...Object.keys(test)].includes(name)
    ).map(name => [name, real[name]]),
  ),
  ...hooks,
  test,
  it: test,
  describe: suite,
  ...(real.suite && { suite }),
})
// Node makes these when they are first asked for.
for (const name of ['mock', 'snapshot', 'assert'])
  if (name in real) Object.defineProperty(exported, name, { configurable: true, enumerable: true, get: () => real[name] })

module.exports = { exported, deferred, begin, root }
