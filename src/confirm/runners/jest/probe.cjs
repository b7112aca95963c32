// A test runner for Jest that is jest-circus with eyes: it picks and orders the tests of a file by id, and writes down what
// became of each. It listens where a test environment would, so the project's own environments stay as they are.

const { createRequire } = require('node:module')
const { join } = require('node:path')
const { plan, write, fromRoot, namer, words } = require('./journal.cjs')
const { leavesOf, pick } = require('./pick.cjs')
const { nameIn, partsFor } = require('./sequencer.cjs')

const circus = loadCircus()
// In one process a file may be visited several times, each time for another part of the plan.
const visits = new Map()

module.exports = async (globalConfig, config, environment, runtime, path, ...rest) => {
  const file = fromRoot(path)
  const name = nameIn(config, file)
  const watch = plan.mode === 'list' ? lister(file, name, path) : watcher(name)
  const own = environment.handleTestEvent
  environment.handleTestEvent = async function (event, state) {
    if (event.name === 'run_start') watch(event, state)
    if (own) await own.call(this, event, state)
    if (event.name !== 'run_start') watch(event, state)
  }
  try {
    const result = await circus(globalConfig, config, environment, runtime, path, ...rest)
    if (result.testExecError && result.testResults.length === 0 && plan.mode === 'run') write({ file, error: words(result.testExecError) })
    return result
  } catch (error) {
    write({ file, error: words(error) })
    throw error
  }
}

function loadCircus() {
  // By the way Jest itself goes, so that it is found in every layout of node_modules.
  const steps = ['@jest/core', 'jest-config', 'jest-circus/runner']
  const found = steps.reduce((from, step) => createRequire(from).resolve(step), join(plan.jest, 'package.json'))
  const loaded = require(found)
  return loaded.default ?? loaded
}

function lister(file, name, path) {
  return (event, state) => {
    if (event.name !== 'run_start') return
    const nameOf = namer(name)
    for (const test of leavesOf(state.rootDescribeBlock))
      write({ listed: { id: nameOf(titlesOf(test)), file, line: lineOf(test, path), name: test.name } })
    state.rootDescribeBlock.children = []
  }
}

function watcher(name) {
  const visit = visits.get(name) ?? 0
  visits.set(name, visit + 1)
  const part = plan.parts && (partsFor(name)[visit] ?? { ids: [] })
  const ids = new Map()
  const seen = new Map()
  let last
  let before = 0
  let hookStart = 0
  let strays = 0

  const tell = (test, outcome, error) => {
    const { first, start, fnStart, fnEnd, setup } = seen.get(test)
    const now = performance.now()
    const record = {
      n: first,
      id: ids.get(test),
      outcome,
      attempts: Math.max(1, test.invocations ?? 1),
      setupMs: fnStart ? setup + fnStart - start : null,
      testMs: fnStart ? (fnEnd ?? fnStart) - fnStart : null,
      teardownMs: fnStart ? now - (fnEnd ?? fnStart) : null,
      ...(error !== undefined && { message: words(error) }),
    }
    write(record)
    last = record
  }
  /** What breaks behind the last test, in afterAll or later, is laid at its door. */
  const blame = error => {
    if (!last) return
    last = { ...last, outcome: 'fail', message: last.message ?? `after the test: ${words(error)}` }
    write(last)
  }

  return (event, state) => {
    const { test, hook } = event
    switch (event.name) {
      case 'run_start': {
        const nameOf = namer(name)
        for (const leaf of leavesOf(state.rootDescribeBlock)) ids.set(leaf, nameOf(titlesOf(leaf)))
        if (part) pick(state, part.ids, ids)
        if (plan.unskip) unskip(state.rootDescribeBlock)
        return
      }
      case 'hook_start':
        hookStart = performance.now()
        return
      case 'hook_success':
      case 'hook_failure':
        if (hook.type === 'beforeAll') before += performance.now() - hookStart
        if (hook.type !== 'afterAll' || !last) return
        last = { ...last, teardownMs: (last.teardownMs ?? 0) + performance.now() - hookStart }
        write(last)
        if (event.name === 'hook_failure') {
          strays = state.unhandledErrors.length
          blame(event.error)
        }
        return
      case 'test_start':
        // A retry keeps the place of the first attempt.
        seen.set(test, { first: seen.get(test)?.first ?? next(), start: performance.now(), setup: before })
        before = 0
        write({ n: seen.get(test).first, id: ids.get(test), ...(plan.parallel && { worker: String(process.pid) }) })
        return
      case 'test_fn_start':
        seen.get(test).fnStart = performance.now()
        return
      case 'test_fn_success':
      case 'test_fn_failure':
        seen.get(test).fnEnd = performance.now()
        return
      case 'test_done':
        return test.errors.length ? tell(test, 'fail', [test.errors[0]].flat()[0]) : tell(test, 'pass')
      case 'test_skip':
      case 'test_todo':
        return tell(test, 'skip')
      case 'run_finish':
        if (state.unhandledErrors.length > strays) blame([state.unhandledErrors[strays]].flat()[0])
    }
  }
}

function unskip(block) {
  if (block.mode === 'skip') block.mode = undefined
  for (const child of block.children) {
    if (child.type !== 'test') unskip(child)
    else if (child.mode === 'skip') child.mode = undefined
  }
}

let count = 0
// Workers write to one file: the process keeps their numbers apart.
const next = () => `${process.pid}.${count++}`

function titlesOf(test) {
  const titles = [test.name]
  for (let block = test.parent; block?.parent; block = block.parent) titles.unshift(block.name)
  return titles
}

function lineOf(test, path) {
  const stack = String(test.asyncError?.stack ?? '')
  const at = stack.indexOf(`${path}:`)
  const line = at < 0 ? NaN : Number.parseInt(stack.slice(at + path.length + 1), 10)
  return line > 0 ? line : undefined
}
