// How sure a finding is told, where more than its form decides it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadLanguages, makeLinter } from '../src/index.ts'

await loadLanguages(['python', 'java', 'go', 'typescript'])
const folder = mkdtempSync(join(tmpdir(), 'flakesniff-confidence-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const linter = makeLinter({ cwd: folder, preset: 'audit' })

const toldOf = (rule: string, path: string, lines: readonly string[]) =>
  linter.lint({ path, text: `${lines.join('\n')}\n` }).findings.filter(f => f.ruleId === rule)

const inJava = (rule: string, imports: readonly string[], ...body: string[]) =>
  toldOf(rule, 'ShopTest.java', [
    ...['static org.junit.jupiter.api.Assertions.assertEquals', 'org.junit.jupiter.api.Test', ...imports].map(i => `import ${i};`),
    'class ShopTest {',
    '  @Test',
    '  void sells() throws Exception {',
    ...body.map(l => `    ${l}`),
    '  }',
    '}',
  ]).map(f => f.confidence)

describe('tight-timeout', () => {
  const inPython = (header: string, ...body: string[]) =>
    toldOf('tight-timeout', 'test_shop.py', [
      'import time',
      '',
      'def test_shop(shop):',
      '    start = time.monotonic()',
      `    while ${header}:`,
      ...body.map(l => `        ${l}`),
    ]).map(f => `${f.confidence}: ${/[\d.]+ m?s/.exec(f.message)?.[0]}`)

  test.each([
    ['asserted, and short', ['not shop.sold()', 'time.sleep(0.01)', 'assert time.monotonic() < start + 0.3'], ['high: 300 ms']],
    ['short', ['not shop.sold() and time.monotonic() < start + 0.3', 'time.sleep(0.01)'], ['medium: 300 ms']],
    ['asserted, and of seconds', ['not shop.sold()', 'time.sleep(0.01)', 'assert time.monotonic() < start + 3'], ['low: 3 s']],
  ] as const)('a deadline that is %s', (_, [header, ...body], told) => {
    expect(inPython(header, ...body)).toEqual(told)
  })

  test.each([['SECONDS', []], ['MILLISECONDS', ['medium']]])('120 %s on a stopwatch', (unit, told) => {
    expect(inJava(
      'tight-timeout',
      ['com.google.common.base.Stopwatch', 'java.util.concurrent.TimeUnit'],
      'Stopwatch watch = Stopwatch.createStarted();',
      `while (!shop.sold() && watch.elapsed(TimeUnit.${unit}) < 120) {`,
      '  TimeUnit.MILLISECONDS.sleep(5);',
      '}',
    )).toEqual(told)
  })
})

test.each([
  ['a setting by its dotted key, before something starts', 'shop.server.port', 'server.start();', ['high']],
  ['by its dotted key, where something is served', 'shop.server.port', 'shop.listen(server);', ['medium']],
  ['by a bare key', 'port', 'server.start();', ['medium']],
])('fixed-port: %s', (_, key, then, told) => {
  expect(inJava('fixed-port', [], `System.setProperty("${key}", "20812");`, then, 'assertEquals(1, shop.sold());')).toEqual(told)
})

test.each([
  ['from nought on', 'isBetween(0L, 200L)', ['high']],
  ['without an end', 'isBetween(150L, Long.MAX_VALUE)', []],
])('elapsed-bound-assertion: a range %s', (_, range, told) => {
  expect(
    inJava('elapsed-bound-assertion', ['static org.assertj.core.api.Assertions.assertThat'], `assertThat(shop.elapsedMillis()).${range};`),
  ).toEqual(told)
})

test.each([
  ['a map of the test that keeps no order', 'shop.fill(new HashMap<>(Map.of("tea", 1, "milk", 2)));', ['medium']],
  ['the code, which may keep one', 'shop.fill();', ['low']],
])('unordered-assertion: text that is written from %s', (_, fill, told) => {
  expect(inJava('unordered-assertion', ['java.util.*'], fill, 'assertEquals("{milk=2, tea=1}", shop.stock().toString());')).toEqual(told)
})

test.each([
  ['tight', 'shop.sell()', 'took < 0.3', ['high']],
  ['just above what the test waits', 'shop.sell(timeout=2.5)', 'took < 3', ['high']],
  ['seconds above what the test waits', 'shop.sell(timeout=0.5)', 'took < 3', ['medium']],
  ['loose', 'shop.sell()', 'took < 30', ['medium']],
  ['from below, and fine', 'shop.sell()', 'took >= 0.3', ['high']],
  ['from below, and coarse', 'shop.sell()', 'took >= 5', ['medium']],
])('a bound on a measured time that is %s', (_, work, bound, told) => {
  expect(
    toldOf('elapsed-bound-assertion', 'test_shop.py', [
      'import time',
      '',
      'def test_shop(shop):',
      '    start = time.monotonic()',
      `    ${work}`,
      '    took = time.monotonic() - start',
      `    assert ${bound}`,
    ]).map(f => f.confidence),
  ).toEqual(told)
})

test.each([
  ['something else is done before the poll', ['shop.open();'], '', ['medium']],
  ['the poll comes at once', [], '', ['low']],
  ['the poll comes at once, and the comment says what is waited for', [], '// give the shop time to settle', ['medium']],
  ['it lets the clock go on, and something else is done', ['shop.open();'], '// the grace period has elapsed by then', ['low']],
])('fixed-sleep: before a poll, where %s', (_, done, comment, told) => {
  expect(inJava(
    'fixed-sleep',
    ['org.awaitility.Awaitility'],
    'shop.close();',
    ...(comment === '' ? [] : [comment]),
    'Thread.sleep(2000);',
    ...done,
    'Awaitility.await().until(() -> shop.isOpen());',
    'assertEquals(1, shop.sold());',
  )).toEqual(told)
})

const inTypeScript = (rule: string, ...lines: readonly string[]) => toldOf(rule, 'shop.test.ts', lines).map(f => f.confidence)

test('fixed-sleep: a test that begins by a wrapped tape is a test', () => {
  expect(inTypeScript(
    'fixed-sleep',
    "import delay = require('delay')",
    "import tape = require('tape')",
    "import promisify from 'tape-promise'",
    'const test = promisify(tape)',
    "test('sells', async t => {",
    "  run('shop', 'serve')",
    '  await delay(2000) // until the shop has started',
    '  t.ok(await sold())',
    '})',
  )).toEqual(['high'])
})

test('delayed-trigger: on one event loop a delay sets the test its pace, in a thread it seldom does', () => {
  expect(inTypeScript(
    'delayed-trigger',
    "import { expect, test } from 'vitest'",
    "test('is closed while it sells', async () => {",
    '  setTimeout(() => shop.close(), 50)',
    '  await shop.sellAll()',
    '  expect(shop.sold).toBe(3)',
    '})',
  )).toEqual(['medium'])
  expect(
    toldOf('delayed-trigger', 'test_shop.py', [
      'import threading',
      'import time',
      '',
      'def test_is_closed_while_it_sells(shop):',
      '    def close():',
      '        time.sleep(0.05)',
      '        shop.close()',
      '    threading.Thread(target=close).start()',
      '    shop.sell_all()',
      '    assert shop.sold == 3',
    ]).map(f => f.confidence),
  ).toEqual(['low'])
})

test.each([
  ['entered', ['with Proxy(port=8899):', '    assert ask("http://127.0.0.1/") == 1'], ['medium']],
  ['a client that is entered', ['with ShopClient(port=8899) as client:', '    assert client.ask() == 1'], ['low']],
  ['only made', ['proxy = Proxy(port=8899)', 'assert proxy.name == "p"'], ['low']],
])('fixed-port: what is given a port and is %s', (_, body, told) => {
  expect(
    toldOf('fixed-port', 'test_shop.py', ['from shop import *', '', 'def test_shop():', ...body.map(l => `    ${l}`)]).map(f =>
      f.confidence
    ),
  ).toEqual(told)
})

test('free-port-race: a server that is closed for its address', () => {
  expect(
    toldOf('free-port-race', 'shop_test.go', [
      'package shop',
      'import (',
      '\t"net/http/httptest"',
      '\t"testing"',
      ')',
      'func TestAway(t *testing.T) {',
      '\tserver := httptest.NewServer(nil)',
      '\turl := server.URL',
      '\tserver.Close()',
      '\tif _, err := Ask(url); err == nil {',
      '\t\tt.Fatal("answered")',
      '\t}',
      '}',
    ]).map(f => f.confidence),
  ).toEqual(['medium'])
})
