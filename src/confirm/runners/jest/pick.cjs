// Rebuilds a file's tree of describe blocks so that it holds the wanted tests in the wanted order. A block that is entered
// again, because another's test stands between, is a second block with the same hooks; a test that comes again is a copy.

function leavesOf(block) {
  return block.children.flatMap(child => (child.type === 'test' ? [child] : leavesOf(child)))
}

function pick(state, wanted, ids) {
  const byId = new Map([...ids].map(([test, id]) => [id, test]))
  const root = state.rootDescribeBlock
  const chosen = wanted.flatMap(id => byId.get(id) ?? [])
  const used = new Set()
  const placed = []
  // The way from the root to the block that is open now, as pairs of what was declared and what runs.
  let open = [{ declared: root, runs: root }]
  root.children = []
  root.tests = []
  for (const test of chosen) {
    const way = wayTo(test)
    let depth = 1
    while (depth < way.length && open[depth]?.declared === way[depth]) depth++
    open = open.slice(0, depth)
    for (const declared of way.slice(depth)) {
      const parent = open.at(-1).runs
      const runs = { ...declared, parent, children: [], tests: [] }
      const retry = state.describeRetryOptions?.get(declared)
      if (retry) state.describeRetryOptions.set(runs, retry)
      parent.children.push(runs)
      open.push({ declared, runs })
    }
    const parent = open.at(-1).runs
    const runs = used.has(test) ? { ...test, errors: [], retryReasons: [], invocations: 0 } : test
    used.add(test)
    ids.set(runs, ids.get(test))
    parent.children.push(runs)
    parent.tests?.push(runs)
    // The way of a test is looked up by its declared parents: they change only when all is placed.
    placed.push([runs, parent])
  }
  for (const [test, parent] of placed) test.parent = parent
}

function wayTo(test) {
  const way = []
  for (let block = test.parent; block; block = block.parent) way.unshift(block)
  return way
}

module.exports = { leavesOf, pick }
