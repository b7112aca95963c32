// A reporter for Playwright Test: tells which tests there are, and what became of each.

const { plan, write, fromRoot, namer, words } = require('./journal.cjs')

module.exports = class {
  namers = new Map()
  ids = new Map()

  printsToStdio() {
    return true
  }

  onBegin(_, suite) {
    for (const test of suite.allTests()) {
      const file = fromRoot(test.location.file)
      // [root, project, file, …titles]
      const [, project, , ...titles] = test.titlePath()
      const id = plan.ids?.[test.id] ?? this.nameOf(project ? `[${project}] ${file}` : file, titles)
      this.ids.set(test, id)
      if (plan.mode === 'list') write({ listed: { id, file, line: test.location.line, name: test.title }, key: test.id })
    }
  }

  nameOf(file, titles) {
    if (!this.namers.has(file)) this.namers.set(file, namer(file))
    return this.namers.get(file)(titles)
  }

  onTestBegin(test, result) {
    write({ n: test.id, id: this.ids.get(test), ...(plan.parallel && { worker: String(result.workerIndex) }) })
  }

  onTestEnd(test, result) {
    const [setUp, tearDown, cleanUp] = ['Before Hooks', 'After Hooks', 'Worker Cleanup'].map(title =>
      result.steps.find(step => step.category === 'hook' && step.title === title)
    )
    // A result's own duration leaves out what beforeAll takes; the steps do not.
    const testMs = setUp && tearDown ? tearDown.startTime - setUp.startTime - setUp.duration : result.duration
    const outcome = result.status === 'skipped' ? 'skip' : result.status === test.expectedStatus ? 'pass' : 'fail'
    write({
      n: test.id,
      id: this.ids.get(test),
      outcome,
      attempts: result.retry + 1,
      setupMs: setUp?.duration ?? null,
      testMs: Math.max(0, testMs),
      teardownMs: tearDown ? tearDown.duration + Math.max(0, cleanUp?.duration ?? 0) : null,
      ...(outcome === 'fail'
        && {
          message: result.error ? words(result.error) : `it was expected to end as ${test.expectedStatus}, and ended as ${result.status}`,
        }),
    })
  }

  onError(error) {
    const path = error.location?.file
    write({ file: path && !path.includes('node_modules') ? fromRoot(path) : null, error: words(error) })
  }
}
