// Runs inside the project's test runner, beside a probe: what to do stands in plan.json next to this file, what was seen is
// added to records.jsonl at once. A process that dies in the middle of a test so leaves no record of it.

const { appendFileSync, readFileSync, realpathSync } = require('node:fs')
const { join, relative, sep } = require('node:path')

/** { mode: 'list' | 'run', root, parts: [{ file, ids }] | null, seed } */
const plan = JSON.parse(readFileSync(join(__dirname, 'plan.json'), 'utf8'))
const root = realpathSync(plan.root)

// Where several processes run for one plan, each is told which part of it is its own.
const part = process.env.FLAKESNIFF_PART
const journal = join(__dirname, part === undefined ? 'records.jsonl' : `records-${part}.jsonl`)

const write = record => appendFileSync(journal, `${JSON.stringify(record)}\n`)

const fromRoot = path => relative(root, realpathSync(path)).split(sep).join('/')

/** Names the tests of one file, in the order in which it declares them. Titles that meet get a number. */
function namer(file) {
  const taken = new Set()
  return titles => {
    const plain = [file, ...titles].join(' > ')
    let id = plain
    for (let n = 2; taken.has(id); n++) id = `${plain} #${n}`
    taken.add(id)
    return id
  }
}

/** A number for a text and a seed: sorting by it shuffles, and keeps the order of what is left when others are taken away. */
function lot(seed, text) {
  let hash = 2166136261 ^ seed
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0), 16777619)
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507)
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** What people need of an error: its first lines, without colours. */
function words(error) {
  const text = error instanceof Error || (error && typeof error.stack === 'string')
    ? error.stack || String(error)
    : error && error.message
    ? String(error.message)
    : String(error)
  return text.replace(/\u001b\[[0-9;]*m/g, '').split('\n').slice(0, 12).join('\n').slice(0, 2000)
}

module.exports = { plan, write, fromRoot, namer, lot, words }
