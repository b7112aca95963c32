// A runner for Vitest that is Vitest's own with eyes: it picks and orders the tests of a file by id, and writes down what became
// of each. Suites and tests are not copied, since their functions and hooks are kept by identity: a suite that is entered again
// is given other children, a test that runs again is given a blank result.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { threadId } from 'node:worker_threads'

const { plan, write, fromRoot, namer, words } = createRequire(import.meta.url)('./journal.cjs')
const load = path => import(pathToFileURL(path).href)

const { TestRunner } = await load(plan.entry)
const Vitests = TestRunner ?? (await load(plan.runners)).VitestTestRunner
const Base = process.env.FLAKESNIFF_VITEST_RUNNER ? (await load(process.env.FLAKESNIFF_VITEST_RUNNER)).default : Vitests
const functionOf = Vitests.getTestFn ?? (await load(plan.suite)).getFn

const leavesOf = suite => suite.tasks.flatMap(task => (task.type === 'suite' ? leavesOf(task) : [task]))
const runs = task => task.mode === 'run' || task.mode === 'queued'

let count = 0
const next = () => `${process.pid}.${threadId}.${count++}`

export default class extends Base {
  ids = new Map()
  /** The children of a suite, for each time it is entered. */
  visits = new Map()
  seen = new Map()
  last
  waiting

  async onBeforeRunFiles(files) {
    await super.onBeforeRunFiles?.(files)
    for (const file of files) this.take(file)
  }

  take(file) {
    const path = fromRoot(file.filepath)
    if (file.result?.state === 'fail') return write({ file: path, error: words(file.result.errors?.[0]) })
    const nameOf = namer(file.projectName ? `[${file.projectName}] ${path}` : path)
    for (const test of leavesOf(file)) this.ids.set(test, nameOf(titlesOf(test)))
    if (plan.mode === 'list') {
      for (const test of leavesOf(file))
        write({ listed: { id: this.ids.get(test), file: path, line: test.location?.line, name: test.name } })
      file.mode = 'skip'
      return
    }
    const part = plan.parts && JSON.parse(readFileSync(new URL('./round.json', import.meta.url), 'utf8')).find(p => p.file === path)
    if (plan.unskip) unskip(file)
    if (part) this.pick(file, part.ids)
  }

  pick(file, wanted) {
    const byId = new Map([...this.ids].map(([test, id]) => [id, test]))
    const visits = this.visits
    visits.set(file, [[]])
    let open = [file]
    for (const id of wanted) {
      const test = byId.get(id)
      if (!test) continue
      const way = wayTo(test, file)
      let depth = 1
      while (depth < way.length && open[depth] === way[depth]) depth++
      for (let at = depth; at < way.length; at++) {
        visits.get(way[at - 1]).at(-1).push(way[at])
        visits.set(way[at], [...visits.get(way[at]) ?? [], []])
      }
      open = way
      visits.get(way.at(-1)).at(-1).push(test)
    }
    if (visits.get(file)[0].length === 0) file.mode = 'skip'
  }

  async onBeforeRunSuite(suite) {
    const [children, ...later] = this.visits.get(suite) ?? []
    if (children) {
      if (this.seen.has(suite)) suite.result = undefined
      this.seen.set(suite, true)
      this.visits.set(suite, later)
      suite.tasks = children
      suite.shuffle = false
    }
    await super.onBeforeRunSuite?.(suite)
    if (plan.mode === 'list') return
    if (suite.mode === 'skip' || suite.mode === 'todo') {
      for (const test of leavesOf(suite)) write({ n: next(), id: this.ids.get(test), outcome: 'skip' })
    } // The way to the first test of a suite is set-up: beforeAll lies there.
    else this.waiting ??= performance.now()
  }

  async onAfterRunSuite(suite) {
    await super.onAfterRunSuite?.(suite)
    if (plan.mode === 'list') return
    if (this.last && this.seen.get(this.last.test)?.open === false)
      this.amend({ teardownMs: this.last.record.teardownMs + performance.now() - this.last.end })
    const error = suite.result?.errors?.[0]
    if (suite.result?.state !== 'fail' || !error) return
    const never = leavesOf(suite).filter(test => !this.seen.has(test))
    // Where nothing ran, the set-up of the suite broke; else what broke came behind the last test.
    if (never.length > 0) { for (const test of never) write({ n: next(), id: this.ids.get(test), outcome: 'fail', message: words(error) }) }
    else this.amend({ outcome: 'fail', message: this.last?.record.message ?? `after the test: ${words(error)}` })
  }

  amend(change) {
    if (!this.last) return
    this.last = { ...this.last, record: { ...this.last.record, ...change }, end: performance.now() }
    write(this.last.record)
  }

  async onBeforeRunTask(test) {
    await super.onBeforeRunTask?.(test)
    if (!runs(test)) return write({ n: next(), id: this.ids.get(test), outcome: 'skip' })
    if (this.seen.has(test)) test.result = undefined
    const start = performance.now()
    const n = next()
    this.seen.set(test, { n, start: this.waiting ?? start, open: true })
    this.waiting = undefined
    write({ n, id: this.ids.get(test), ...(plan.parallel && { worker: `${process.pid}.${threadId}` }) })
  }

  async runTask(test) {
    const seen = this.seen.get(test)
    seen.fnStart = performance.now()
    seen.fnEnd = undefined
    try {
      if (super.runTask) await super.runTask(test)
      else await functionOf(test)()
    } finally {
      seen.fnEnd = performance.now()
    }
  }

  async onTaskFinished(test) {
    await super.onTaskFinished?.(test)
    // A test that skips itself is not told of again.
    if (test.result?.pending || test.result?.state === 'skip') this.tell(test, 'skip')
  }

  async onAfterRunTask(test) {
    await super.onAfterRunTask?.(test)
    this.tell(test, test.result?.state === 'pass' ? 'pass' : 'fail')
  }

  tell(test, outcome) {
    const seen = this.seen.get(test)
    const { n, start, fnStart, fnEnd } = seen
    const end = performance.now()
    const error = test.result?.errors?.[0]
    const record = {
      n,
      id: this.ids.get(test),
      outcome,
      attempts: (test.result?.retryCount ?? 0) + 1,
      setupMs: (fnStart ?? end) - start,
      testMs: fnStart ? fnEnd - fnStart : 0,
      teardownMs: fnStart ? end - fnEnd : 0,
      // Of a test that passed in the end, what the retry hid.
      ...(error && { message: words(error) }),
    }
    seen.open = false
    write(record)
    this.last = { test, record, end }
  }
}

function wayTo(test, file) {
  const way = []
  for (let suite = test.suite; suite && suite !== file; suite = suite.suite) way.unshift(suite)
  return [file, ...way]
}

function titlesOf(test) {
  const titles = [test.name]
  for (let suite = test.suite; suite && suite !== test.file; suite = suite.suite) titles.unshift(suite.name)
  return titles
}

function unskip(task) {
  if (task.mode === 'skip') task.mode = 'run'
  for (const child of task.tasks ?? []) unskip(child)
}
