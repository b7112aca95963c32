// Required by Mocha, in its own process and in each worker: picks and orders tests by id before a run, and writes down what
// became of each. Only the files that are needed are loaded.

const { existsSync } = require('node:fs')
const { join, resolve } = require('node:path')
const { plan, write, fromRoot, namer, lot, words } = require('./journal.cjs')
const { leavesOf, pick } = require('./pick.cjs')

const Mocha = require(['lib/mocha.cjs', 'lib/mocha.js'].map(name => join(plan.mocha, name)).find(existsSync))

const { loadFilesAsync, run } = Mocha.prototype
const { addTest } = Mocha.Suite.prototype
const lines = new Map()

if (plan.mode === 'list')
  Mocha.Suite.prototype.addTest = function (test) {
    lines.set(test, lineIn(test.file))
    return addTest.call(this, test)
  }

Mocha.prototype.loadFilesAsync = async function (...args) {
  narrow(this)
  try {
    return await loadFilesAsync.apply(this, args)
  } catch (error) {
    for (const file of this.files)
      if (this.files.length === 1 || String(error?.stack).includes(file)) write({ file: fromRoot(file), error: words(error) })
    throw error
  }
}

Mocha.prototype.run = function (...args) {
  // The process that only hands files to workers has no tests.
  if (this.options.parallel && !this.options.isWorker) {
    narrow(this)
    return run.apply(this, args)
  }
  const ids = namesOf(this.suite)
  if (plan.mode === 'list') {
    for (const [test, id] of ids) write({ listed: { id, file: fromRoot(test.file), line: lines.get(test), name: test.title } })
    this.suite.tests = []
    this.suite.suites = []
    return run.apply(this, args)
  }
  const wanted = plan.parts?.flatMap(part => part.ids)
  if (wanted) pick(this.suite, this.options.isWorker ? wanted.filter(id => [...ids.values()].includes(id)) : wanted, ids)
  else if (plan.seed !== undefined) shuffle(this.suite, ids)
  // A suite may be entered again: Mocha must not forget its hooks meanwhile.
  this._cleanReferencesAfterRun = false
  const runner = run.apply(this, args)
  watch(runner, ids)
  return runner
}

/** The line that called, in this file. */
function lineIn(file) {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const { stack } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  const at = stack.indexOf(`${file}:`)
  const line = at < 0 ? NaN : Number.parseInt(stack.slice(at + file.length + 1), 10)
  return line > 0 ? line : undefined
}

function narrow(mocha) {
  if (!plan.parts) return
  // What --file names is set-up: it is loaded first and always.
  const always = new Set([mocha.options.file ?? []].flat().map(file => resolve(file)))
  const known = mocha.files.map(file => resolve(file))
  // Also a file that the project's own patterns leave out can be asked for.
  const wanted = plan.parts.map(part => known.find(file => fromRoot(file) === part.file) ?? resolve(plan.root, part.file)).filter(file =>
    !always.has(file)
  )
  mocha.files = [...new Set([...known.filter(file => always.has(file)), ...wanted])]
}

function namesOf(root) {
  const namers = new Map()
  return new Map(leavesOf(root).map(test => {
    if (!namers.has(test.file)) namers.set(test.file, namer(fromRoot(test.file)))
    return [test, namers.get(test.file)(test.titlePath())]
  }))
}

function shuffle(suite, ids) {
  const by = key => (a, b) => lot(plan.seed, key(a)) - lot(plan.seed, key(b))
  suite.tests.sort(by(test => ids.get(test)))
  suite.suites.sort(by(inner => `${inner.file} ${inner.titlePath().join(' > ')}`))
  for (const inner of suite.suites) shuffle(inner, ids)
}

let count = 0
const next = () => `${process.pid}.${count++}`

function watch(runner, ids) {
  const seen = new Set()
  let now, hookStart, before = 0
  const tell = change => {
    now = { ...now, ...change }
    write(now)
  }
  const idOf = test => ids.get(test) ?? (test.retriedTest?.() ? idOf(test.retriedTest()) : undefined)
  const kindOf = hook => /^"(before all|before each|after each|after all)"/.exec(hook.originalTitle ?? hook.title)?.[1]

  const { runTest } = runner
  runner.runTest = function (done) {
    const start = performance.now()
    return runTest.call(this, error => {
      if (now) now.testMs = performance.now() - start
      done(error)
    })
  }

  runner.on('test', test => {
    seen.add(test)
    // A retry keeps the place of the first attempt.
    const again = test.currentRetry() > 0
    const kept = again ? { n: now.n, message: now.message } : { n: next() }
    now = { ...kept, id: idOf(test), attempts: test.currentRetry() + 1, setupMs: before, testMs: 0, teardownMs: 0,
      ...(plan.parallel && { worker: String(process.pid) }) }
    before = 0
    write({ n: now.n, id: now.id, ...(plan.parallel && { worker: now.worker }) })
  })
  runner.on('pass', () => tell({ outcome: 'pass' }))
  runner.on('retry', (_, error) => {
    now = { ...now, message: words(error) }
  })
  runner.on('pending', test => {
    if (seen.has(test)) return tell({ outcome: 'skip' })
    seen.add(test)
    write({ n: next(), id: idOf(test), outcome: 'skip' })
  })
  runner.on('fail', (what, error) => {
    if (idOf(what))
      return now?.id === idOf(what)
        ? tell({ outcome: 'fail', message: words(error) })
        : write({ n: next(), id: idOf(what), outcome: 'fail', message: words(error) })
    const kind = kindOf(what)
    if (kind === 'before each' && now)
      tell({ outcome: 'fail', setupMs: now.setupMs + performance.now() - hookStart, message: words(error) })
    // Behind the last test, in a hook or later.
    else if (kind !== 'before all' && now) tell({ outcome: 'fail', message: now.message ?? `after the test: ${words(error)}` })
    if (kind !== 'before all' && kind !== 'before each') return
    for (const test of leavesOf(runner.suite).filter(t => !seen.has(t))) {
      seen.add(test)
      write({ n: next(), id: idOf(test), outcome: 'fail', message: `its set-up broke: ${words(error)}` })
    }
  })
  runner.on('hook', () => {
    hookStart = performance.now()
  })
  runner.on('hook end', hook => {
    const took = performance.now() - hookStart
    const kind = kindOf(hook)
    if (kind === 'before all') before += took
    else if (kind === 'before each' && now) now.setupMs += took
    else if (now?.outcome) tell({ teardownMs: now.teardownMs + took })
  })
}
