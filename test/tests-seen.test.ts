// On every fixture project, the tests we see are those that the real runner lists. The lists in tests.listed.txt are the
// runners' own; `npm run test:runners` asks the runners again and refuses a drift.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { discover } from '../src/discover/discover.ts'
import { run } from '../src/index.ts'
import { testsOf } from '../src/facts/query.ts'
import { frontendOf } from '../src/parsers/registry.ts'

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))
const projects = readdirSync(fixtures).filter(name => existsSync(join(fixtures, name, 'tests.listed.txt'))).sort()

test('there is a project for every language', () => {
  expect(projects.map(p => p.split('-')[0])).toEqual(
    expect.arrayContaining(['bash', 'go', 'java', 'javascript', 'python', 'rust', 'typescript']),
  )
})

describe.each(projects)('fixtures/%s', name => {
  const root = join(fixtures, name)
  const listed = readFileSync(join(root, 'tests.listed.txt'), 'utf8').trim().split('\n').sort()

  test('its tests are the ones that the runner lists', async () => {
    const seen: string[] = []
    for (const file of discover([root], { root }).files) {
      const frontend = await frontendOf(file.language)
      await frontend.load()
      const text = readFileSync(file.absolute, 'utf8')
      const kind = frontend.kindOf(file.path)
      const parsed = frontend.parse(text, { path: file.path, kind, testFunctions: [] })
      const tests = parsed.units.filter(u => u.role.is === 'test')
      seen.push(...tests.map(t => `${file.path}\t${t.title}`))
      if (kind !== 'source' || frontend.testsInSource)
        expect(frontend.countTests(text), `countTests of ${file.path}`).toBe(testsOf(parsed, file.language !== 'go').length)
    }
    expect([...new Set(seen)].sort()).toEqual([...new Set(listed)])
  })

  test('a run tells as many', async () => {
    const { summary } = await run({ cwd: root, paths: ['.'], preset: 'audit' })
    expect(Object.values(summary.tests).reduce((a, b) => a + b, 0)).toBeGreaterThan(5)
  })
})
