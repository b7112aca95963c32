// The trace: which tests reach which cause, across files. The fixtures tell what must come out; the rest is told here.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Language, Role } from '../src/facts/facts.ts'
import { run } from '../src/run.ts'
import type { CallLink, FileLinks, UnitLink } from '../src/trace/links.ts'
import { NO_PACKAGES } from '../src/project/packages.ts'
import { reaches } from '../src/trace/names.ts'
import { piecesOfName, piecesOfPath } from '../src/trace/pieces.ts'
import { calledAs, placeOf, samePackage } from '../src/trace/places.ts'
import { traceAll, type Sight } from '../src/trace/trace.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))

describe.each(['trace-rust', 'trace-python', 'trace-java', 'trace-go', 'trace-typescript', 'trace-bats'])('the fixture %s', name => {
  const lint = (options: object = {}) => run({ cwd: fixture(name), paths: ['.'], preset: 'strict', jobs: 1, ...options })

  test('has every endangered test listed below its cause, and no other', async () => {
    const { summary } = await lint()
    const told = summary.findings.flatMap(f => (f.endangers ?? []).map(e => `${f.ruleId} ${e.file} ${e.test}`))
    const expected = readFileSync(`${fixture(name)}/endangered.txt`, 'utf8').split('\n').filter(l => l !== '')
    expect(told.sort()).toEqual(expected.sort())
  })

  test('has one finding for a cause, at the cause', async () => {
    const { summary } = await lint()
    const rules = summary.findings.map(f => f.ruleId)
    expect(new Set(rules).size).toBe(rules.length)
    expect(summary.findings.every(f => (f.endangers ?? []).length > 0)).toBe(true)
  })

  test('shows ways whose every step is a call that stands there', async () => {
    const { summary } = await lint()
    const steps = summary.findings.flatMap(f => (f.endangers ?? []).flatMap(e => e.path))
    expect(steps.length).toBeGreaterThan(0)
    for (const step of steps) {
      const line = readFileSync(`${fixture(name)}/${step.file}`, 'utf8').split('\n')[step.startLine - 1]!
      expect(line).toContain(step.message.split(/ (?:calls|asks for|extends|loads) /).at(-1))
    }
  })

  test('says nothing of source code where nothing is traced', async () => {
    const { summary } = await lint({ trace: false })
    expect(summary.findings).toEqual([])
  })
})

// Small worlds, made by hand.

const at = { start: 0, end: 1 }
const call = (name: string, resolution: CallLink['resolution'] = 'import'): CallLink => ({ name, resolution, at })
const unit = (id: number, name: string, role: Role['is'], calls: readonly CallLink[] = [], more: Partial<UnitLink> = {}): UnitLink => ({
  id,
  name,
  title: name,
  role: (role === 'hook' ? { is: 'hook', when: 'before', per: 'test' } : { is: role }) as Role,
  parent: id === 0 ? null : 0,
  params: [],
  autouse: false,
  isFixture: false,
  at: { start: id * 10, end: id * 10 + 1 },
  calls,
  ...more,
})
const file = (path: string, language: Language, units: readonly UnitLink[], imports: readonly string[] = []): FileLinks => ({
  path,
  language,
  imports,
  units: [unit(0, '', 'module'), ...units],
})

const world = (files: readonly FileLinks[]): Sight => ({
  packages: NO_PACKAGES,
  setupOf: () => undefined,
  mentioning: place => {
    const word = calledAs(place)!
    return files.filter(f =>
      f.language === place.language
      && f.units.some(u => u.name === word || u.params.includes(word) || u.calls.some(c => c.name.includes(word)))
    ).map(f => f.path)
  },
  testFiles: () => [],
  linksOf: async wanted => new Map(files.filter(f => wanted.has(f.path)).map(f => [f.path, f])),
})

const reachedIn = async (files: readonly FileLinks[], home: FileLinks, id: number) =>
  (await traceAll([placeOf(home, home.units[id]!)], world(files)))[0]!

describe('a way', () => {
  test('that goes round in a circle ends', async () => {
    const home = file('shop/a.py', 'python', [
      unit(1, 'one', 'helper', [call('shop.a.two')]),
      unit(2, 'two', 'helper', [call('shop.a.one')]),
      unit(3, 'test_it', 'test', [call('shop.a.two')]),
    ])
    expect((await reachedIn([home], home, 1)).map(r => r.test)).toEqual(['test_it'])
  })

  test('gets less sure with every guess and ends when it is none', async () => {
    const home = file('shop/store.py', 'python', [unit(1, 'Store', 'suite'), unit(2, 'settle_all', 'helper', [], { parent: 1 })])
    const near = file('tests/test_a.py', 'python', [unit(1, 'test_a', 'test', [call('?.settle_all', 'guess')])], ['shop.store.Store'])
    const far = file('tests/test_b.py', 'python', [unit(1, 'test_b', 'test', [call('?.settle_all', 'guess')])])
    expect((await reachedIn([home, near, far], home, 2)).map(r => [r.test, r.sure])).toEqual([['test_a', 'guess']])
  })

  test('through a name that everybody calls is not followed', async () => {
    const home = file('lib/a.go', 'go', [unit(1, 'Open', 'helper')])
    const many = Array.from({ length: 5 },
      (_, i) => file(`lib/a${i}_test.go`, 'go', [unit(1, `Test${i}`, 'test', [call('Open', 'guess')])]))
    expect((await traceAll([placeOf(home, home.units[1]!)], world([home, ...many]), { depth: 8, tests: 5000, files: 3 }))[0]).toEqual([])
  })

  test('from a hook goes to the tests around which it stands', async () => {
    const home = file('store.test.ts', 'typescript', [
      unit(1, 'open', 'helper'),
      unit(2, 'orders', 'suite'),
      unit(3, 'beforeEach', 'hook', [call('open', 'local')], { parent: 2 }),
      unit(4, 'orders a', 'test', [], { parent: 2 }),
      unit(5, 'b', 'test'),
    ])
    expect((await reachedIn([home], home, 1)).map(r => r.test)).toEqual(['orders a'])
  })

  test('through a fixture goes to those who name it, below its folder', async () => {
    const home = file('tests/conftest.py', 'python', [unit(1, 'store', 'hook', [], { isFixture: true })])
    const below = file('tests/a/test_a.py', 'python', [unit(1, 'test_a', 'test', [], { params: ['store'] }), unit(2, 'test_none', 'test')])
    const beside = file('other/test_b.py', 'python', [unit(1, 'test_b', 'test', [], { params: ['store'] })])
    expect((await reachedIn([home, below, beside], home, 1)).map(r => r.test)).toEqual(['test_a'])
  })
})

describe('a name', () => {
  test.each([
    ['acme.com/shop/store.Open', ['acme.com', 'shop', 'store', 'Open']],
    ['shop.store.open', ['shop', 'store', 'open']],
    ['order_store::Store::open', ['order_store', 'Store', 'open']],
    ['?.open', ['open']],
  ])('%s is taken apart', (name, pieces) => expect(piecesOfName(name)).toEqual(pieces))

  test('of a path keeps what tells something', () => {
    expect(piecesOfPath('crates/order-store/src/lib.rs')).toEqual(['order_store'])
    expect(piecesOfPath('src/main/java/com/example/Store.java')).toEqual(['com', 'example', 'Store'])
  })

  const store = file('src/shop/store.py', 'python', [unit(1, 'open_scratch', 'helper')])
  const place = placeOf(store, store.units[1]!)
  test.each([
    ['shop.store.open_scratch', 'sure'],
    ['shop.open_scratch', 'sure'],
    ['bank.vault.open_scratch', undefined],
    ['open_scratch', undefined],
    ['shop.store.close', undefined],
  ])('%s reaches a function of src/shop/store.py: %s', (name, sure) => {
    const caller = file('tests/test_a.py', 'python', [unit(1, 'test_a', 'test', [call(name)])])
    expect(reaches(caller, caller.units[1]!, caller.units[1]!.calls[0]!, place, NO_PACKAGES)).toBe(sure)
  })

  test('of the same Java package is known in the main and the test tree', () => {
    expect(samePackage('src/main/java/a/B.java', 'src/test/java/a/BTest.java')).toBe(true)
    expect(samePackage('src/main/java/a/B.java', 'src/test/java/b/BTest.java')).toBe(false)
  })
})
