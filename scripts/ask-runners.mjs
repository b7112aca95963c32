// Asks the real test runners which tests the fixture projects have, and compares with what
// tests.listed.txt says: the lists that our own detection is measured by are never our own opinion.
//
//   node scripts/ask-runners.mjs                    all projects
//   node scripts/ask-runners.mjs go-shop rust-shop  some of them
//   node scripts/ask-runners.mjs --update           writes the lists anew

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bashTests } from './runners/bash.mjs'
import { cargoTests } from './runners/cargo.mjs'
import { goTests } from './runners/go.mjs'
import { junitTests } from './runners/junit.mjs'
import { nodeTests } from './runners/node-test.mjs'
import { pytestTests } from './runners/pytest.mjs'
import { vitestTests } from './runners/vitest.mjs'

// Each takes the copy of the project and a folder for what it installs, and returns [path, title] pairs.
const RUNNERS = {
  'bash-shop': { says: 'bats and shunit2 list', tests: bashTests },
  'go-shop': { says: 'go test lists', tests: goTests },
  'java-shop': { says: 'JUnit lists', tests: junitTests },
  'javascript-node-test': { says: 'node:test lists', tests: nodeTests },
  'python-shop': { says: 'pytest lists', tests: pytestTests },
  'rust-shop': { says: 'cargo test lists', tests: cargoTests },
  'typescript-shop': { says: 'vitest lists', tests: vitestTests },
}
const LEFTOVERS = new Set(['node_modules', 'target', '__pycache__', '.pytest_cache'])

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))
const { values: { update }, positionals } = readArguments()
const listOf = project => join(fixtures, project, 'tests.listed.txt')
const withList = readdirSync(fixtures).filter(project => existsSync(listOf(project)))
// A runner whose project or list is gone must fail too, or the check would shrink unseen.
const projects = positionals.length ? positionals : [...new Set([...withList, ...Object.keys(RUNNERS)])].sort()

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'flakesniff-runners-')))
// The tests that have to be run leave files behind: here they go with the rest.
process.env.TMPDIR = join(scratch, 'tmp')
try {
  mkdirSync(process.env.TMPDIR)
  for (const project of projects) check(project)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { update: { type: 'boolean' } } })
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}

function check(project) {
  try {
    const problems = compare(project, ask(project))
    if (problems.length) fail([`${project}: tests.listed.txt is not what ${RUNNERS[project].says}`, ...problems])
  } catch (error) {
    fail([`${project}: ${error.message}`])
  }
}

function ask(project) {
  if (!RUNNERS[project]) throw new Error('no runner is known for this project')
  if (!withList.includes(project) && !update) throw new Error('there is no tests.listed.txt')
  const copy = join(scratch, project)
  const tools = join(scratch, `${project}.tools`)
  mkdirSync(tools)
  cpSync(join(fixtures, project), copy, { recursive: true, filter: path => !LEFTOVERS.has(basename(path)) })
  const lines = new Set(RUNNERS[project].tests(copy, tools).map(pair => pair.join('\t')))
  if (lines.size === 0) throw new Error('the runner lists no test')
  return [...lines].sort()
}

function compare(project, actual) {
  const text = actual.map(line => `${line}\n`).join('')
  if (update) writeFileSync(listOf(project), text)
  const listed = readFileSync(listOf(project), 'utf8')
  if (listed === text) {
    console.log(`${project}: ${actual.length} tests, as ${RUNNERS[project].says} them`)
    return []
  }
  const lines = listed.split('\n').filter(Boolean)
  const drift = [
    ...actual.filter(line => !lines.includes(line)).map(line => `  not in tests.listed.txt: ${line}`),
    ...lines.filter(line => !actual.includes(line)).map(line => `  only in tests.listed.txt: ${line}`),
  ]
  return drift.length ? drift : ['  the same tests, but not once each and sorted']
}

function fail(lines) {
  process.exitCode = 1
  console.error(lines.join('\n'))
}
