// The documents the project grew from: what they call bad is found on its line, everything else is quiet.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { run } from '../src/index.ts'

const root = fileURLToPath(new URL('../fixtures/seeds', import.meta.url))

function expected(): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(f => /\.(rs|bats|bash|java|js)$/.test(f))
  return files.flatMap(file =>
    readFileSync(join(root, file), 'utf8').split('\n').flatMap((line, i) => {
      const bad = /seed-bad: (.*)$/.exec(line)
      return bad ? bad[1]!.split(' ').map(rule => `${file.replaceAll('\\', '/')}:${i + 1} ${rule}`) : []
    })
  ).sort()
}

test('strict finds every bad pattern on its line, and nothing else', async () => {
  const { summary } = await run({ cwd: root, paths: ['.'], preset: 'strict' })
  expect(summary.notices.filter(n => n.level === 'error')).toEqual([])
  expect(summary.findings.map(f => `${f.file}:${f.startLine} ${f.ruleId}`).sort()).toEqual(expected())
})
