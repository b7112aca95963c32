// With --typed the compiler is asked which calls give promises.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from '../src/run.ts'
import { promisesIn } from '../src/typed/typed.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-typed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const SHOP = `export const cache = { async clear(): Promise<void> {}, size(): number { return 0 } }
export function maybe(): Promise<void> | undefined { return undefined }
`
const TEST = `import { cache, maybe } from './shop'

afterEach(() => {
  cache.clear()
  cache.size()
  maybe()
  void cache.clear()
})

it('is empty', async () => {
  await cache.clear()
  expect(cache.size()).toBe(0)
})
`

function project(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

test('discarded promises are found by their type', async () => {
  mkdirSync(join(folder, 'node_modules'))
  project({
    'tsconfig.json':
      '{ "compilerOptions": { "strict": true, "target": "ES2022", "module": "ESNext", "moduleResolution": "Bundler", "types": [] } }',
    'shop.ts': SHOP,
    'cart.test.ts': TEST,
  })
  const spans = (await promisesIn(folder, ['cart.test.ts']))['cart.test.ts']!
  expect([0, 2].map(i => TEST.slice(spans[i], spans[i + 1]))).toEqual(['cache.clear()', 'maybe()'])
  const lines = async (typed: boolean) =>
    (await run({ cwd: folder, paths: ['.'], typed })).summary.findings.filter(f => f.ruleId === 'unawaited-async').map(
      f => [f.startLine, f.confidence],
    )
  expect(await lines(false)).toEqual([])
  expect(await lines(true)).toEqual([[4, 'high'], [6, 'high']])
})

test('what is missing is told with the way out', async () => {
  project({ 'cart.test.ts': TEST })
  await expect(promisesIn(folder, ['cart.test.ts'])).rejects.toThrow(/no tsconfig\.json .* leave --typed/)
  project({ 'tsconfig.json': '{}' })
  await expect(promisesIn(folder, ['cart.test.ts'])).rejects.toThrow(/no node_modules .* install the dependencies/)
})

test('nothing is asked where there is no JavaScript', async () => {
  expect(await promisesIn(folder, [])).toEqual({})
})
