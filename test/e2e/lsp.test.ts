// An afternoon of typing: 1,000 edits of a file of 2,000 lines, 20 a second. Nothing that is told may belong to another text than
// it says, the last text must be answered, and the memory of the server must not grow with the number of edits.
//
// The pace is kept by an interval, as typing is by fingers; no expectation depends on it. Memory is what the system says of the
// process, so that the linting thread and the grammars' own memory are in it: the median of the second fifth of the edits, when
// everything is warm, against that of the last.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval as every } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startClient, type LanguageClient } from '../language-client.ts'

const EDITS = 1000
const PACE_MS = 50
const MEGABYTE = 1024

let folder: string
let client: LanguageClient
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-e2e-lsp-'))
})
afterEach(() => {
  client.connection.dispose()
  client.child.kill()
  rmSync(folder, { recursive: true, force: true })
})

const CASE = (i: number) =>
  `def test_${i}(cart):\n    cart.add("book", ${i})\n    cart.add("pen", 2)\n    total = cart.total(currency="EUR")\n    assert total == ${i}\n    assert cart.size == 2\n    cart.clear()\n    assert cart.size == 0\n\n\n`
const HEAD = 'import time\n\n'
const SLEEP = 'def test_sleepy(job):\n    time.sleep(1)\n    assert job.done\n'
const FILE = `${HEAD}${Array.from({ length: 200 }, (_, i) => CASE(i)).join('')}${SLEEP}`
const SLEEPS_AT = FILE.split('\n').findIndex(line => line.includes('sleep(1)'))

/** Of the process, in kilobytes. */
const resident = (pid: number): number => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

test('1,000 edits of 2,000 lines, 20 a second: nothing stale, and memory does not grow', async () => {
  client = await startClient({ folder })
  const { child, change, open, diagnostics, published } = client
  await open('test_a.py', FILE)
  await diagnostics(d => d.version === 1)
  expect(FILE.split('\n').length).toBeGreaterThanOrEqual(2000)

  // Every edit moves the sleep by a line, to and fro: a diagnostic says by its place which text it was made of.
  const lineIn = (version: number) => SLEEPS_AT + ((version - 1) % 2) + 2 * Math.floor((version - 1) / 20)
  const memory: number[] = []
  let version = 1, at = SLEEPS_AT
  for await (const _ of every(PACE_MS)) {
    if (version > EDITS) break
    const wanted = lineIn(++version)
    const [from, to, text] = wanted >= at ? [1, 1, '\n'.repeat(wanted - at)] : [1, 1 + at - wanted, '']
    await change('test_a.py', version, [{ range: { start: { line: from, character: 0 }, end: { line: to, character: 0 } }, text }])
    at = wanted
    memory.push(resident(child.pid!))
    // Whoever types looks up now and then. Ticks that passed meanwhile come in a burst, so the pace is kept over all.
    if (version % 20 === 0) await diagnostics(d => d.version === version)
  }
  await diagnostics(d => d.version === EDITS + 1)

  const told = published.map(d => d.version!)
  expect(told, 'in order, each once').toEqual([...new Set(told)].sort((a, b) => a - b))
  for (const { version: of, diagnostics: all } of published)
    expect(all.map(d => [d.code, d.range.start.line]), `version ${of}`).toEqual([['fixed-sleep', lineIn(of!)]])
  const early = median(memory.slice(EDITS / 5, 2 * EDITS / 5)), late = median(memory.slice(-EDITS / 5))
  process.stdout.write(
    `${EDITS} edits, ${told.length - 1} of them answered by themselves; ${Math.round(early / MEGABYTE)} MB early, ${
      Math.round(late / MEGABYTE)
    } MB late\n`,
  )
  expect(late - early, 'kilobytes by which it grew').toBeLessThan(Math.max(32 * MEGABYTE, early / 5))
  expect(await client.end()).toBe(0)
})

test('a file that takes long holds up neither other requests nor the newest text', async () => {
  client = await startClient({ folder })
  const { connection, open, change, diagnostics, hover, published, uri } = client
  // Just below the largest that is looked at, and a finding on every third line.
  const large = `${HEAD}${
    Array.from({ length: 11_000 }, (_, i) => `def test_${i}(job):\n    time.sleep(1)\n    assert job.done(${i})\n\n`).join('')
  }`
  await open('test_large.py', large)
  const answers: string[] = []
  const seen = diagnostics(d => d.uri === uri('test_large.py')).then(d => answers.push(`diagnostics of version ${d.version}`))
  expect(await hover('test_elsewhere.py', 0, 0)).toBeNull()
  answers.push('hover')
  await change('test_large.py', 2, [{ text: SLEEP }])
  await seen
  expect(answers).toEqual(['hover', 'diagnostics of version 2'])
  expect(published.map(d => d.version)).toEqual([2])
  expect(await connection.sendRequest('shutdown')).toBeNull()
})
