// Rebuilds Mocha's tree of suites so that it holds the wanted tests in the wanted order. Mocha runs the tests of a suite before
// its inner suites: a test that must come later gets a nameless suite of its own. A suite that is entered again is a second suite
// with the same hooks; a test that comes again is a copy.

function leavesOf(suite) {
  return [...suite.tests, ...suite.suites.flatMap(leavesOf)]
}

function pick(root, wanted, ids) {
  const byId = new Map([...ids].map(([test, id]) => [id, test]))
  const steps = wanted.flatMap(id => byId.get(id) ?? []).map(test => ({ test, way: wayTo(test) }))
  const used = new Set()
  clear(root)
  let open = [root]
  let declared = [root]
  for (const { test, way } of steps) {
    let depth = 1
    while (depth < way.length && declared[depth] === way[depth]) depth++
    open = open.slice(0, depth)
    for (const suite of way.slice(depth)) open.push(added(open.at(-1), copyOf(suite)))
    declared = way
    const runs = used.has(test) ? test.clone() : test
    used.add(test)
    ids.set(runs, ids.get(test))
    const parent = open.at(-1)
    const place = parent.suites.length > 0 ? added(parent, nameless(parent)) : parent
    runs.parent = place
    place.tests.push(runs)
  }
}

function added(parent, suite) {
  suite.parent = parent
  parent.suites.push(suite)
  return suite
}

function copyOf(suite) {
  return clear(Object.assign(Object.create(Object.getPrototypeOf(suite)), suite))
}

function nameless(parent) {
  const suite = copyOf(parent)
  for (const hooks of ['_beforeAll', '_beforeEach', '_afterEach', '_afterAll']) suite[hooks] = []
  suite.root = false
  suite.title = ''
  suite.titlePath = () => parent.titlePath()
  suite.fullTitle = () => parent.fullTitle()
  return suite
}

// Who is asked for by id runs, whatever else is marked as the only one.
function clear(suite) {
  return Object.assign(suite, { tests: [], suites: [], _onlyTests: [], _onlySuites: [] })
}

function wayTo(test) {
  const way = []
  for (let suite = test.parent; suite; suite = suite.parent) way.unshift(suite)
  return way
}

module.exports = { leavesOf, pick }
