// How sure a sleep is told follows what its comment says that it is for, and what the assertion after it is about.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadLanguages, makeLinter } from '../src/index.ts'

await loadLanguages(['python', 'typescript', 'go', 'rust', 'bash'])
const folder = mkdtempSync(join(tmpdir(), 'flakesniff-sleeps-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const linter = makeLinter({ cwd: folder, preset: 'audit' })

const toldOf = (path: string, lines: readonly string[]) =>
  linter.lint({ path, text: `${lines.join('\n')}\n` }).findings.filter(f => f.ruleId === 'fixed-sleep').map(f => f.confidence)

const inPython = (...body: string[]) => toldOf('test_shop.py', ['import time', '', 'def test_shop(shop):', ...body.map(l => `    ${l}`)])

/** A shop that is opened with something, a sale, a second, and a look that may say more. */
const inGo = (openedWith: string, said = '') =>
  toldOf('shop_test.go', [
    'package shop',
    '',
    'import ("testing"; "time"; "github.com/stretchr/testify/require")',
    '',
    'func TestShop(t *testing.T) {',
    `\tshop := open(${openedWith})`,
    '\tshop.sell()',
    '\ttime.Sleep(time.Second)',
    `\trequire.Equal(t, 1, shop.sold()${said})`,
    '}',
  ])

test.each([
  ['nothing', ['time.sleep(1)'], 'medium'],
  ['that somebody is waited for', ['time.sleep(1)  # let the clerk open the till'], 'high'],
  ['so of other code', ['shop.tidy()  # wait for the clerk', 'time.sleep(1)'], 'medium'],
  ['that time has to pass', ['time.sleep(1)  # wait for the offer to expire'], 'medium'],
])('before something is done, where the comment says %s', (_, sleep, confidence) => {
  expect(inPython('shop.open()', ...sleep, 'shop.sell()')).toEqual([confidence])
})

test('lines of comment above it speak of it, and those above other code do not', () => {
  expect(inPython('shop.open()', '# The till is slow:', '# give it a moment.', 'time.sleep(1)', 'shop.sell()')).toEqual(['high'])
  expect(inPython('# Give it a moment.', 'shop.open()', 'time.sleep(1)', 'shop.sell()')).toEqual(['medium'])
})

test('what is logged before it speaks as well', () => {
  expect(inPython('shop.open()', 'print("waiting for the clerk")', 'time.sleep(1)', 'shop.sell()')).toEqual(['high'])
})

test.each([
  ['an assertion', 'assert shop.sold() == 1', 'high'],
  ['one that nothing has come', 'assert shop.sold() == 0', 'medium'],
  ['one that is said to be about what is still there', '# the offer is still there', 'medium'],
  ['one that is said to be about more than nothing', '# it should not be empty', 'high'],
])('before %s', (_, next, confidence) => {
  const after = next.startsWith('#') ? [next, 'assert shop.offers() == 1'] : [next]
  expect(inPython('shop.sell()', 'time.sleep(1)', ...after)).toEqual([confidence])
})

test('an assertion that must not hold says so in its message', () => {
  const told = (message: string) => inGo('t', `, "${message}"`)
  expect(told('an order must not be sold twice')).toEqual(['medium'])
  expect(told('sold')).toEqual(['high'])
})

test('a start that is said is waited for, whatever is asserted next', () => {
  const told = (comment: string) =>
    toldOf('tests/shop.rs', [
      'use std::{thread::sleep, time::Duration};',
      '',
      '#[test]',
      'fn opens() {',
      '    let mut shop = spawn();',
      `    ${comment}`,
      '    sleep(Duration::from_secs(1));',
      '    assert_eq!(None, shop.exit_code());',
      '}',
    ])
  expect(told('// Give the shop time to start.')).toEqual(['high'])
  expect(told('')).toEqual(['medium'])
})

test('in a hook there is nobody else to wait for what was started', () => {
  expect(
    toldOf('shop.test.ts', [
      "import { beforeEach, expect, test } from 'vitest'",
      "import { setTimeout } from 'node:timers/promises'",
      '',
      'beforeEach(async () => {',
      '  shop.open()',
      '  await setTimeout(500)',
      '})',
      '',
      "test('sells', () => {",
      '  expect(shop.sell()).toBe(1)',
      '})',
    ]),
  )
    .toEqual(['high'])
})

test('a helper that ends with a sleep is as good as one, where its caller asserts next', () => {
  const told = (next: string) =>
    toldOf('test_shop.py', [
      'import time',
      '',
      'def sell(shop):',
      '    shop.open()',
      '    shop.stock(3)',
      '    order = shop.sell()',
      '    time.sleep(1)',
      '    return order',
      '',
      'def test_shop(shop):',
      '    order = sell(shop)',
      `    ${next}`,
    ])
  expect(told('assert shop.sold() == 1')).toEqual(['high'])
  expect(told('shop.close()')).toEqual(['medium'])
})

test('in bats `assert_success` before and after a sleep is about two commands', () => {
  expect(
    toldOf('shop.bats', [
      '@test "sells" {',
      '  run shop open',
      '  assert_success',
      '  sleep 2',
      '  run shop sell',
      '  assert_success',
      '}',
    ]),
  ).toEqual(['high'])
})

test('what only one system needs is less sure', () => {
  expect(inPython('shop.sell()', 'if sys.platform == "win32":', '    time.sleep(1)', 'assert shop.sold() == 1')).toEqual(['medium'])
})

test.each([
  ['its comment asks whether all is as before', ['# check that the till is still open', 'time.sleep(1)', 'assert shop.till() == "open"']],
  ['the same was read before it', ['time.sleep(1)', 'later = shop.read("till")', 'assert later == first']],
  ['the same was asserted before it', ['assert shop.status == "open"', 'time.sleep(1)', 'assert shop.status == "open"']],
  ['its comment wants two moments apart', ['time.sleep(1)  # a gap between the two', 'assert shop.sold() == 1']],
  ['what is asked is how old something is', ['time.sleep(1)', 'assert shop.offer.is_expired()']],
  ['somebody else was given the same time', ['shop.pack(pause)', 'time.sleep(pause)', 'assert shop.sold() == 1']],
])('is less sure where %s', (_, body) => {
  expect(inPython('pause = 0.5', 'first = shop.read("till")', 'shop.sell()', ...body)).toEqual(['medium'])
})

test('a test that is named after something that grows old is less sure', () => {
  const told = (name: string) =>
    toldOf('test_shop.py', ['import time', '', `def ${name}(shop):`, '    shop.sell()', '    time.sleep(1)', '    assert shop.sold() == 1'])
  expect(told('test_offer_ttl')).toEqual(['medium'])
  expect(told('test_little_shop')).toEqual(['high'])
})

test('before a wait that is asserted it is for `audit` alone', () => {
  expect(inPython('shop.sell()', 'time.sleep(1)', 'assert wait_for_orders(shop, 1)')).toEqual(['low'])
  expect(inPython('shop.sell()', 'time.sleep(1)', 'assert waited(shop)')).toEqual(['high'])
})

test.each([
  ['what was asserted before and nothing has touched since', [
    'assert shop.sold() == 1',
    'assert shop.day() == "Monday"',
    'time.sleep(1)',
    'assert shop.sold() == 1',
  ], 'medium'],
  [
    'what was asserted before something was sold',
    ['assert shop.sold() == 1', 'assert shop.day() == "Monday"', 'shop.sell()', 'time.sleep(1)', 'assert shop.sold() == 1'],
    'high',
  ],
  [
    'what goes by a moment of change',
    ['shop.sell()', 'time.sleep(1)', 'ledger = shop.ledger(modified_since=noon)', 'assert ledger == []'],
    'medium',
  ],
  ['what must not have happened, by the comment', [
    'shop.sell()',
    '# let it order anew, which it should not do',
    'time.sleep(1)',
    'assert shop.orders() == 1',
  ], 'medium'],
])('before a look at %s', (_, body, confidence) => {
  expect(inPython(...body)).toEqual([confidence])
})

test('a task that is awaited by its name is waited for, whatever the sleep before it does', () => {
  const told = (next: string) =>
    toldOf('test_shop.py', [
      'import asyncio',
      '',
      'async def test_shop(shop):',
      '    sold = asyncio.create_task(shop.sell())',
      '    await asyncio.sleep(0.1)',
      `    ${next}`,
      '    assert shop.till == 1',
    ])
  expect(told('await sold')).toEqual(['medium'])
  expect(told('shop.tidy()')).toEqual(['high'])
})

test('where the test answers the request itself, what hangs on it is done before any timer', () => {
  const told = (install: string) =>
    toldOf('shop.spec.js', [
      `beforeEach(() => { ${install} })`,
      "it('sells', done => {",
      "  shop.order('/apple')",
      '  setTimeout(() => { expect(shop.orders).toBe(1); done() }, 100)',
      '})',
    ])
  expect(told('jasmine.Ajax.install()')).toEqual(['medium'])
  expect(told('shop.open()')).toEqual(['high'])
})

test('a clock of its own is what the test looks at', () => {
  expect(inGo('NewFakeTicker()')).toEqual(['medium'])
  expect(inGo('nil')).toEqual(['high'])
})
