// Builds the tree of what runs from a list of tests: a suite that is entered again is a second suite with the same hooks, a test
// that comes again is a copy.

function tree(root, chosen, leaves) {
  const byId = new Map(leaves.map(leaf => [leaf.id, leaf]))
  let open = [root]
  let declared = [root]
  for (const id of chosen) {
    const leaf = byId.get(id)
    if (!leaf) continue
    const way = wayTo(leaf)
    let depth = 1
    while (depth < way.length && declared[depth] === way[depth]) depth++
    open = open.slice(0, depth)
    for (const suite of way.slice(depth)) {
      const runs = { ...suite, children: [] }
      open.at(-1).children.push(runs)
      open.push(runs)
    }
    declared = way
    open.at(-1).children.push(leaf.copy())
  }
}

function wayTo(leaf) {
  const way = []
  for (let suite = leaf.parent; suite; suite = suite.parent) way.unshift(suite)
  return way
}

let count = 0
const told = () => count++

module.exports = { tree, told }
