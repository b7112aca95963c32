// Told by Node what became of each test, in the order of the tree: the n-th child that begins under a suite is the n-th that was
// let through there. Names need not be unique for that.

import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { write, fromRoot, words } = require('./journal.cjs')
const { root } = require('./face.cjs')
const { told } = require('./order.cjs')

export default async function* (events) {
  /** How many have begun at each depth, and who they are. */
  const begun = []
  let way = [root]
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      begun.length = data.nesting + 1
      way.length = data.nesting + 1
      begun[data.nesting] = (begun[data.nesting] ?? -1) + 1
      way.push(way[data.nesting]?.children?.[begun[data.nesting]])
    }
    // What a test leaves running fails the process when it breaks, and Node knows whose it was.
    const stray = type === 'test:diagnostic'
      && /^(?:Error|Warning): Test "(.*)"(?: at .*)? generated asynchronous activity/s.exec(data.message)
    if (stray) write({ stray: fromRoot(process.argv[1]), name: stray[1], message: data.message })
    const node = way[data?.nesting + 1]
    if ((type !== 'test:pass' && type !== 'test:fail') || !node) continue
    const error = data.details?.error
    if (node.suite) {
      if (type === 'test:fail' && error?.failureType === 'hookFailed') blame(leavesOf(node), words(error.cause ?? error))
      continue
    }
    const skipped = data.skip !== undefined && data.skip !== false || type === 'test:fail' && data.todo !== undefined && data.todo !== false
      || node.fn === undefined
    node.cancelled = error?.failureType === 'cancelledByParent'
    tell(node, skipped ? 'skip' : type === 'test:pass' ? 'pass' : 'fail', type === 'test:fail' ? words(error?.cause ?? error) : undefined)
  }
}

/** A hook of a suite broke: before its tests, which Node then cancels, or behind them. */
function blame(leaves, message) {
  const cancelled = leaves.filter(leaf => leaf.cancelled)
  for (const leaf of cancelled) tell(leaf, 'fail', `its set-up broke: ${message}`)
  if (cancelled.length === 0) {
    for (const leaf of leaves.filter(l => l.outcome === 'pass').slice(-1)) tell(leaf, 'fail', `after the test: ${message}`)
  }
}

const leavesOf = suite => suite.children.flatMap(child => (child.suite ? leavesOf(child) : [child]))

function tell(leaf, outcome, message) {
  leaf.n ??= `${process.pid}.${told()}`
  leaf.outcome = outcome
  const { n, id, setupMs = null, testMs = null, teardownMs = null } = leaf
  write({ n, id, outcome, attempts: 1, setupMs, testMs, teardownMs, ...(message !== undefined && { message }) })
}
