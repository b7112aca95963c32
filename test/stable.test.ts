// The same commit gives the same fingerprints, and lines that move change none: not ours, and not GitHub's.

import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formats, run } from '../src/index.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-stable-'))
  cpSync(fileURLToPath(new URL('../fixtures', import.meta.url)), folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const COMMENT: Readonly<Record<string, string>> = {
  py: '#',
  sh: '#',
  bash: '#',
  bats: '#',
  ts: '//',
  js: '//',
  mjs: '//',
  java: '//',
  go: '//',
  rs: '//',
}

async function fingerprints(): Promise<string[]> {
  const { summary } = await run({ cwd: folder, paths: ['.'], preset: 'audit', jobs: 1 })
  const log = JSON.parse(formats.sarif(summary, { color: false, quiet: false })) as {
    runs: { results: { ruleId: string; partialFingerprints: object }[] }[]
  }
  return log.runs[0]!.results.map(r => `${r.ruleId} ${JSON.stringify(r.partialFingerprints)}`).sort()
}

test('ten lines at the top of each file change no fingerprint', async () => {
  const before = await fingerprints()
  expect(before.length).toBeGreaterThan(100)
  expect(new Set(before).size).toBe(before.length)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(f => join(folder, f)).filter(f => statSync(f).isFile())
  let changed = 0
  for (const file of files) {
    const sign = COMMENT[/\.(\w+)$/.exec(file)?.[1] ?? '']
    if (sign === undefined) continue
    const text = readFileSync(file, 'utf8')
    // What begins with a program's name must go on doing so.
    const first = /^#!.*\n/.exec(text)?.[0] ?? ''
    writeFileSync(file, `${first}${Array.from({ length: 10 }, (_, i) => `${sign} line ${i}\n`).join('')}${text.slice(first.length)}`)
    changed++
  }
  expect(changed).toBeGreaterThan(50)
  expect(await fingerprints()).toEqual(before)
})
