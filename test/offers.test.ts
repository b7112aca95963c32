// What other files do for tests reaches those that take it from them, and no others.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { withBases } from '../src/project/derived.ts'
import { run } from '../src/run.ts'

const made: string[] = []
afterEach(() => made.splice(0).forEach(folder => rmSync(folder, { recursive: true, force: true })))

async function found(files: Record<string, string>): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'flakesniff-offers-'))
  made.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const { summary } = await run({ cwd: root, paths: ['.'], preset: 'strict', jobs: 1 })
  return summary.findings.map(f => `${f.file} ${f.ruleId}`)
}

const CLOCK = (head: string, call = '') =>
  `import { describe, expect, test } from 'vitest'\n${head}\ndescribe('shop', () => {\n  ${call}\n  test('order', () => { expect(load().at).toBe(Date.now()) })\n})\n`
const FETCH =
  "import { expect, test } from 'vitest'\ntest('price', async () => { const answer = await fetch('https://api.stripe.com/v1/prices'); expect(answer.status).toBe(200) })\n"
const HOOKS = "import { afterEach, beforeEach, vi } from 'vitest'\n"
const FREEZE = 'beforeEach(() => { vi.useFakeTimers({ now: 0 }) })\nafterEach(() => { vi.useRealTimers() })\n'

describe('JavaScript', () => {
  test('a module whose hooks freeze the clock, for those that import it', async () => {
    expect(await found({
      'test/helpers/clock.ts': HOOKS + FREEZE,
      'test/a.test.ts': CLOCK("import './helpers/clock'"),
      'test/b.test.ts': CLOCK(''),
      'test/deep/c.test.ts': CLOCK("import '../helpers/clock.js'"),
      'test/deep/d.test.ts': CLOCK("import './helpers/clock'"),
    })).toEqual(['test/b.test.ts wall-clock-in-assertion', 'test/deep/d.test.ts wall-clock-in-assertion'])
  })

  test('a function that makes hooks, for those that call it', async () => {
    const hooks = `${HOOKS}export function frozen() {\n${FREEZE}}\nexport function other() {}\n`
    expect(await found({
      'test/helpers/hooks.ts': hooks,
      'test/a.test.ts': CLOCK("import { frozen } from './helpers/hooks'", 'frozen()'),
      'test/b.test.ts': CLOCK("import { frozen, other } from './helpers/hooks'", 'other()'),
      'test/c.test.ts': CLOCK("import { frozen } from './elsewhere/hooks'", 'frozen()'),
      'test/own.test.ts': CLOCK(`import { afterEach, beforeEach, vi } from 'vitest'\nfunction frozen() {\n${FREEZE}}`, 'frozen()'),
    })).toEqual(['test/b.test.ts wall-clock-in-assertion', 'test/c.test.ts wall-clock-in-assertion'])
  })

  test('a server of stand-ins that a set-up file imports and starts', async () => {
    const server = "import { setupServer } from 'msw/node'\nexport const server = setupServer()\n"
    const setup = (body: string) =>
      `import { afterAll, beforeAll } from 'vitest'\nimport { server } from '../src/mocks/server'\n${body}\nafterAll(() => server.close())\n`
    const files = {
      'vitest.config.ts': "export default { test: { setupFiles: ['./test/prepare.ts'] } }\n",
      'src/mocks/server.ts': server,
      'test/a.test.ts': FETCH,
    }
    expect(await found({ ...files, 'test/prepare.ts': setup('beforeAll(() => server.listen())') })).toEqual([])
    expect(await found({ ...files, 'test/prepare.ts': setup('') })).toEqual(['test/a.test.ts network-access'])
  })

  test('fetch replaced for everybody, by a stand-in and not by another that goes out', async () => {
    const files = (setup: string) => ({
      'package.json': '{ "jest": { "setupFiles": ["./prepare.js"] } }',
      'prepare.js': setup,
      'a.test.ts': FETCH,
    })
    expect(await found(files("require('jest-fetch-mock').enableMocks()\n"))).toEqual([])
    expect(await found(files('global.fetch = jest.fn()\n'))).toEqual([])
    expect(await found(files("global.fetch = require('node-fetch')\n"))).toEqual(['a.test.ts network-access'])
  })

  test('root hooks of mocha', async () => {
    const spec =
      "const { expect } = require('chai')\ndescribe('shop', () => { it('order', () => { expect(load().at).to.equal(Date.now()) }) })\n"
    const hooks =
      "const sinon = require('sinon')\nexports.mochaHooks = {\n  beforeEach() { this.clock = sinon.useFakeTimers({ now: 0 }) },\n  afterEach() { this.clock.restore() },\n}\n"
    const files = { 'tools/root.js': hooks, 'test/a.spec.js': spec }
    expect(await found({ ...files, '.mocharc.yml': 'require:\n  - ./tools/root.js\n' })).toEqual([])
    expect(await found({ ...files, '.mocharc.yaml': 'require: ./tools/root.js\n' })).toEqual([])
    expect(await found({ ...files, 'package.json': '{ "mocha": { "require": ["tools/root.js"] } }' })).toEqual([])
    expect(await found({ ...files, 'package.json': '{ "scripts": { "test": "mocha -r ./tools/root.js" } }' })).toEqual([])
    expect(await found({ ...files, 'package.json': '{ "exports": { "require": "./tools/root.js" } }' })).toEqual([
      'test/a.spec.js wall-clock-in-assertion',
    ])
  })

  test('a configuration that is built on another', async () => {
    const spies =
      "test('pay', () => { jest.spyOn(bank, 'charge').mockReturnValue(1); expect(pay()).toBe(1) })\ntest('owe', () => { expect(owed()).toBe(1) })\n"
    const base = { 'jest.config.base.js': 'module.exports = { restoreMocks: true }\n', 'b/b.test.js': spies }
    const own = async (config: string, more = {}) => found({ ...base, 'a/a.test.js': spies, 'a/jest.config.js': config, ...more })
    expect(await own("const base = require('../jest.config.base')\nmodule.exports = { ...base }\n")).toEqual([
      'b/b.test.js mock-not-restored',
    ])
    expect(await own("module.exports = { ...require('../jest.config.base'), displayName: 'a' }\n")).toEqual([
      'b/b.test.js mock-not-restored',
    ])
    expect(await own("module.exports = { preset: '../tools' }\n", { 'tools/jest-preset.js': 'module.exports = { restoreMocks: true }\n' }))
      .toEqual(['b/b.test.js mock-not-restored'])
    expect(await own("const base = require('../jest.config.base')\nmodule.exports = { ...base, restoreMocks: false }\n")).toHaveLength(2)
    expect(await own("const base = require('../jest.config.base')\nmodule.exports = { displayName: base.displayName }\n")).toHaveLength(2)
  })

  test('bases of bases, and no circle', () => {
    const files = {
      'a/vitest.config.ts': "import b from '../b'\nexport default mergeConfig(b, {})\n",
      'b.ts':
        "export { x } from './c'\nimport c from './a/vitest.config'\nimport d from './d'\nexport default mergeConfig(c, d)\nexport const e = { ...d }\n",
      'd.ts': 'export default {}\n',
    }
    const [config] = withBases([{ path: 'a/vitest.config.ts', text: files['a/vitest.config.ts'] }],
      path => files[path as keyof typeof files])
    expect(config!.bases!.map(b => b.path)).toEqual(['b.ts', 'd.ts'])
  })
})

describe('Python', () => {
  const asks = 'import requests\n\ndef test_price():\n    assert requests.get("https://api.stripe.com/v1/prices").status_code == 200\n'
  test.each([
    [
      'a stand-in that is entered',
      'import pytest\nimport responses\n\n@pytest.fixture(autouse=True)\ndef offline():\n    with responses.RequestsMock() as mocked:\n        yield mocked\n',
      [],
    ],
    [
      'the client without its method',
      'import pytest\n\n@pytest.fixture(autouse=True)\ndef offline(monkeypatch):\n    monkeypatch.delattr("requests.sessions.Session.request")\n',
      [],
    ],
    [
      'a fixture of a plugin',
      'import pytest\n\n@pytest.fixture(autouse=True)\ndef offline(requests_mock):\n    requests_mock.get("https://api.stripe.com/v1/prices")\n',
      [],
    ],
    ['one that must be asked for', 'import pytest\n\n@pytest.fixture\ndef offline(requests_mock):\n    pass\n', [
      'test_price.py network-access',
    ]],
    [
      'something else replaced',
      'import pytest\n\n@pytest.fixture(autouse=True)\ndef offline(monkeypatch):\n    monkeypatch.setattr("shop.settings.client", None)\n',
      ['test_price.py network-access'],
    ],
  ])('the network replaced in conftest.py: %s', async (_, conftest, left) => {
    expect(await found({ 'conftest.py': conftest, 'test_price.py': asks })).toEqual(left)
  })
})

describe('Go', () => {
  const main = (imports: string, body: string) =>
    `package shop\n\nimport (\n\t"os"\n\t"testing"\n${imports})\n\nfunc TestMain(m *testing.M) {\n${body}\tos.Exit(m.Run())\n}\n`
  const asks =
    'package shop\n\nimport (\n\t"net/http"\n\t"testing"\n)\n\nfunc TestPrice(t *testing.T) {\n\tresp, err := http.Get("https://api.stripe.com/v1/prices")\n\tif err != nil || resp.StatusCode != 200 {\n\t\tt.Fatal(err)\n\t}\n}\n'
  test.each([
    ['a library', '\n\t"github.com/jarcoal/httpmock"\n', '\thttpmock.Activate()\n', []],
    ['a transport of its own', '\t"net/http"\n', '\thttp.DefaultTransport = stub{}\n', []],
    ['a transport that goes out', '\t"net/http"\n', '\thttp.DefaultTransport = &http.Transport{}\n', ['shop/price_test.go network-access']],
  ])('the network replaced in TestMain by %s', async (_, imports, body, left) => {
    expect(await found({ 'go.mod': 'module shop\n', 'shop/main_test.go': main(imports, body), 'shop/price_test.go': asks })).toEqual(left)
  })

  test('a bubble that a function of the package makes', async () => {
    const bubble =
      'package shop\n\nimport (\n\t"testing"\n\t"testing/synctest"\n)\n\nfunc inBubble(t *testing.T, f func(*testing.T)) {\n\tt.Helper()\n\tsynctest.Test(t, f)\n}\n\nfunc plainly(t *testing.T, f func(*testing.T)) { f(t) }\n'
    const sleeps = (by: string) =>
      `package shop\n\nimport (\n\t"testing"\n\t"time"\n)\n\nfunc TestExpiry(t *testing.T) {\n\t${by}(t, func(t *testing.T) {\n\t\tput("k")\n\t\ttime.Sleep(2 * time.Second)\n\t\tif !gone("k") {\n\t\t\tt.Fatal("still there")\n\t\t}\n\t})\n}\n`
    expect(
      await found({
        'go.mod': 'module shop\n',
        'a/helpers_test.go': bubble,
        'a/a_test.go': sleeps('inBubble'),
        'b/b_test.go': sleeps('inBubble'),
        'c/helpers_test.go': bubble,
        'c/c_test.go': sleeps('plainly'),
      }),
    ).toEqual(['b/b_test.go fixed-sleep', 'c/c_test.go fixed-sleep'])
  })
})

test('a runtime in Rust whose time stands still', async () => {
  const support =
    'pub fn run<F: std::future::Future>(f: F) -> F::Output {\n    tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap().block_on(f)\n}\n\npub fn plainly<F: std::future::Future>(f: F) -> F::Output {\n    tokio::runtime::Runtime::new().unwrap().block_on(f)\n}\n'
  const sleeps = (by: string) =>
    `mod support;\n\n#[test]\nfn expires() {\n    support::${by}(async {\n        put("k").await;\n        tokio::time::sleep(std::time::Duration::from_secs(2)).await;\n        assert!(gone("k").await);\n    });\n}\n`
  expect(
    await found({
      'Cargo.toml': '[package]\nname = "shop"\n',
      'tests/support/mod.rs': support,
      'tests/a.rs': sleeps('run'),
      'tests/b.rs': sleeps('plainly'),
    }),
  ).toEqual(['tests/b.rs fixed-sleep'])
})

describe('Java', () => {
  const zoned = (name: string, head = '', more = '') =>
    `import java.text.SimpleDateFormat;\nimport java.util.Date;\nimport java.util.Locale;\nimport org.junit.jupiter.api.Test;\nimport org.junit.jupiter.api.extension.ExtendWith;\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n${head}class ${name} {\n${more}  @Test\n  void hour() {\n    assertEquals("00:00", new SimpleDateFormat("HH:mm", Locale.ROOT).format(new Date(0L)));\n  }\n}\n`
  const extension =
    'import java.util.TimeZone;\nimport org.junit.jupiter.api.extension.BeforeAllCallback;\nimport org.junit.jupiter.api.extension.ExtensionContext;\npublic class UtcExtension implements BeforeAllCallback {\n  public void beforeAll(ExtensionContext context) {\n    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));\n  }\n}\n'
  const folder = 'src/test/java'
  test('an extension that pins the time zone, for those that name it', async () => {
    expect(
      await found({
        [`${folder}/UtcExtension.java`]: extension,
        [`${folder}/ATest.java`]: zoned('ATest', '@ExtendWith(UtcExtension.class)\n'),
        [`${folder}/BTest.java`]: zoned('BTest'),
      }),
    ).toEqual([`${folder}/BTest.java timezone-dependence`])
  })

  test('an extension that JUnit finds by itself', async () => {
    const files = {
      [`${folder}/UtcExtension.java`]: extension,
      [`${folder}/ATest.java`]: zoned('ATest'),
      'src/test/resources/META-INF/services/org.junit.jupiter.api.extension.Extension': 'shop.UtcExtension\n',
    }
    expect(
      await found({ ...files, 'src/test/resources/junit-platform.properties': 'junit.jupiter.extensions.autodetection.enabled=true\n' }),
    ).toEqual([])
    expect(await found(files)).toEqual([`${folder}/ATest.java timezone-dependence`])
  })

  test('a base class by the name of a test', async () => {
    const base = (kind: string) =>
      `import java.util.Properties;\nimport org.junit.jupiter.api.AfterEach;\n${kind}class ShopTest {\n  private final Properties saved = (Properties) System.getProperties().clone();\n  @AfterEach\n  void tidy() {\n    System.setProperties(saved);\n  }\n}\n`
    const leaks = (name: string, of: string) =>
      `import org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nclass ${name} ${of}{\n  @Test\n  void region() {\n    System.setProperty("region", "eu");\n    assertEquals("eu", load());\n  }\n}\n`
    expect(
      await found({
        [`${folder}/ShopTest.java`]: base('abstract '),
        [`${folder}/ATest.java`]: leaks('ATest', 'extends ShopTest '),
        [`${folder}/BTest.java`]: leaks('BTest', ''),
      }),
    ).toEqual([`${folder}/BTest.java env-leak`])
  })
})

describe('bats', () => {
  const shell = (line: string, head = 'load test_helper') => `${head}\n\n@test "day" {\n  run report\n  ${line}\n}\n`
  const DAY = '[ "$output" = "$(date +%F) ok" ]', GET = 'run curl -fsSL https://api.stripe.com/v1/prices'
  test('functions of a loaded file in the place of commands', async () => {
    expect(
      await found({
        'test/test_helper.bash': 'date() {\n  echo 2024-02-29\n}\n\ncurl() {\n  cat prices.json\n}\n',
        'test/a.bats': shell(DAY),
        'test/b.bats': shell(`${GET}\n  [ "$status" -eq 0 ]`),
        'other/c.bats': shell(DAY, ''),
      }),
    ).toEqual(['other/c.bats wall-clock-in-assertion'])
  })

  test('a function in the place of a command that calls it all the same', async () => {
    expect(
      await found({
        'test/test_helper.bash': 'curl() {\n  command curl --retry 3 "$@"\n}\n',
        'test/b.bats': shell(`${GET}\n  [ "$status" -eq 0 ]`),
      }),
    ).toEqual(['test/b.bats network-access'])
  })

  test('programs of that name, where their folder is looked into first', async () => {
    const path = 'setup() {\n  PATH="$BATS_TEST_DIRNAME/stubs:$PATH"\n}'
    expect(
      await found({ 'test/stubs/date': '#!/bin/sh\necho 2024-02-29\n', 'test/a.bats': shell(DAY, path), 'test/b.bats': shell(DAY, '') }),
    ).toEqual(['test/b.bats wall-clock-in-assertion'])
  })

  test('a seed that a loaded function sets, for those that call it', async () => {
    const draws = (setup: string) =>
      `load test_helper\n\nsetup() {\n  ${setup}\n}\n\n@test "dice" {\n  total=0\n  for _ in $(seq 200); do\n    total=$((total + RANDOM % 6 + 1))\n  done\n  [ $((total / 200)) -eq 3 ]\n}\n`
    expect(
      await found({
        'test/test_helper.bash': 'common_setup() {\n  RANDOM=42\n}\n',
        'test/a.bats': draws('common_setup'),
        'test/b.bats': draws('true'),
      }),
    ).toEqual(['test/b.bats unseeded-random'])
  })
})
