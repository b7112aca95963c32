// Which file Jest runs when. Jest's own order follows a cache of earlier runs (failed first, slow first): two runs of the same
// suite would differ. Files run by their path, by the seed, or as the plan says; a file may come twice.

const { plan, fromRoot, lot } = require('./journal.cjs')

/** The same file may belong to several of Jest's projects. */
const nameIn = (config, file) => (config.displayName ? `[${config.displayName.name}] ${file}` : file)
const firstOf = (part, name) => part.ids.findIndex(id => id.startsWith(`${name} > `))
const partsFor = name => plan.parts.filter(part => firstOf(part, name) >= 0)

const byPath = (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)

class Sequencer {
  shard(tests) {
    return tests
  }

  sort(tests) {
    const known = [...tests].sort(byPath)
    const nameOf = test => nameIn(test.context.config, fromRoot(test.path))
    // A list asks for a file and knows no tests yet.
    if (plan.mode === 'run' && plan.parts)
      return plan.parts.flatMap(part =>
        known.filter(test => firstOf(part, nameOf(test)) >= 0).sort((a, b) => firstOf(part, nameOf(a)) - firstOf(part, nameOf(b)))
      )
    if (plan.seed === undefined) return known
    const lots = new Map(known.map(test => [test, lot(plan.seed, fromRoot(test.path))]))
    return known.sort((a, b) => lots.get(a) - lots.get(b))
  }

  allFailedTests() {
    return []
  }

  cacheResults() {}
}

module.exports = Object.assign(Sequencer, { nameIn, partsFor })
