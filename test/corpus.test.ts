// The script that keeps count of what readers thought of findings: the same input gives the same sample and the same page.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const script = fileURLToPath(new URL('../scripts/corpus.mjs', import.meta.url))
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-corpus-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (path: string) => join(folder, path)
const write = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const corpus = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', cwd: folder })
const PAGE = '# Corpus\n\nBefore.\n\n<!-- made by scripts/corpus.mjs table -->\n\n<!-- end of what is made -->\n\nAfter.\n'

test('a sample is the same for the same seed, and what is written into it is kept and counted', () => {
  const sleeps = Array.from({ length: 6 }, (_, i) => `def test_${i}(job):\n    time.sleep(${i + 1})\n    assert job.done\n`)
  write('shop/test_shop.py', `import time\n\n${sleeps.join('\n')}`)
  const sample = (seed: string) =>
    corpus('sample', '--rule', 'fixed-sleep', '--language', 'python', '--n', '4', '--seed', seed, 'shop').stdout
  const first = sample('1')
  expect(first).toContain('# 4 of 6 findings of fixed-sleep, preset strict, seed 1')
  expect(first).toMatch(/^#> \d+ {5}time\.sleep\(\d\)$/m)
  expect(sample('1')).toBe(first)
  expect(sample('2')).not.toBe(first)
  write('reading.txt', first.replace('"verdict":""', '"verdict":"useful"').replace('"verdict":""', '"verdict":"noisy"'))
  write('page.md', PAGE)
  const kept = () => corpus('keep', '--readings', at('readings'), 'reading.txt').stdout
  expect(kept()).toBe('2 readings kept, 2 without a verdict left out\n')
  expect(kept()).toBe('0 readings kept, 2 without a verdict left out\n')
  expect(corpus('table', '--readings', at('readings'), '--page', at('page.md')).status).toBe(0)
  const page = readFileSync(at('page.md'), 'utf8')
  expect(page).toContain('| fixed-sleep | 1 / 1 / 0 | 1 / 1 / 0 | 50 % |')
  expect(page).toMatch(/Before\.[\s\S]*After\.\n$/)
  expect(corpus('table', '--check', '--readings', at('readings'), '--page', at('page.md')).status).toBe(0)
})

test('a verdict that is none is refused with its line', () => {
  write('readings/go.jsonl',
    '{"verdict":"fine","rule":"fixed-sleep","language":"go","repo":"a/b","path":"a_test.go","line":1,"version":"0.2.0"}\n')
  write('page.md', PAGE)
  const run = corpus('table', '--readings', at('readings'), '--page', at('page.md'))
  expect(run.status).toBe(2)
  expect(run.stderr).toContain('go.jsonl:1: the verdict is one of useful, noisy, wrong')
})

test('the pages are what the readings give', () => {
  const docs = (path: string) => fileURLToPath(new URL(`../docs/corpus/${path}`, import.meta.url))
  expect(corpus('table', '--check').stderr).toBe('')
  expect(corpus('table', '--check', '--readings', docs('second'), '--page', docs('second.md')).stderr).toBe('')
})
