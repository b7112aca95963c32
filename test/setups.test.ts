// Shared set-up files cure the folder they are run for, and no other.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { run } from '../src/run.ts'

const made: string[] = []
afterEach(() => made.splice(0).forEach(folder => rmSync(folder, { recursive: true, force: true })))

async function found(files: Record<string, string>, paths: readonly string[] = ['.']): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'flakesniff-setups-'))
  made.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const { summary } = await run({ cwd: root, paths, preset: 'strict', jobs: 1 })
  return summary.findings.map(f => `${f.file} ${f.ruleId}`)
}

const PY = 'import datetime\n\ndef test_order():\n    assert load().at == datetime.datetime.now()\n'
const TS = "import { expect, test } from 'vitest'\ntest('order', () => { expect(load().at).toBe(Date.now()) })\n"
const JAVA = (name: string, base: string) =>
  `import java.time.Instant;\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nclass ${name} ${base}{\n  @Test\n  void order() {\n    assertEquals(Instant.now(), load().at());\n  }\n}\n`

test('an autouse fixture of a conftest.py freezes the folder below it', async () => {
  const conftest =
    'import pytest\nfrom freezegun import freeze_time\n\n@pytest.fixture(autouse=True)\ndef frozen():\n    with freeze_time("2024-01-01"):\n        yield\n'
  expect(await found({ 'shop/conftest.py': conftest, 'shop/a/test_order.py': PY, 'other/test_order.py': PY })).toEqual([
    'other/test_order.py wall-clock-in-assertion',
  ])
})

test('a fixture that must be asked for freezes nobody else', async () => {
  const conftest =
    'import pytest\nfrom freezegun import freeze_time\n\n@pytest.fixture\ndef frozen():\n    with freeze_time("2024-01-01"):\n        yield\n'
  expect(await found({ 'conftest.py': conftest, 'test_order.py': PY })).toEqual(['test_order.py wall-clock-in-assertion'])
})

test('a file that vitest sets up with', async () => {
  const setup = "import { beforeEach, vi } from 'vitest'\nbeforeEach(() => { vi.useFakeTimers(); vi.setSystemTime(0) })\n"
  const config = "export default { test: { setupFiles: ['./test/setup.ts'] } }\n"
  expect(await found({ 'web/vitest.config.ts': config, 'web/test/setup.ts': setup, 'web/src/order.test.ts': TS, 'api/order.test.ts': TS }))
    .toEqual(['api/order.test.ts wall-clock-in-assertion'])
})

test('a base class in Java', async () => {
  const base =
    'import java.time.Instant;\nimport org.junit.jupiter.api.BeforeEach;\nimport org.mockito.Mockito;\nabstract class AbstractClockTest {\n  @BeforeEach\n  void freeze() {\n    Mockito.mockStatic(Instant.class);\n  }\n}\n'
  const files = {
    'src/test/java/AbstractClockTest.java': base,
    'src/test/java/OrderTest.java': JAVA('OrderTest', 'extends AbstractClockTest '),
    'src/test/java/CartTest.java': JAVA('CartTest', ''),
  }
  expect(await found(files)).toEqual(['src/test/java/CartTest.java wall-clock-in-assertion'])
})

const FROZEN =
  'import pytest\nfrom freezegun import freeze_time\n\n@pytest.fixture\ndef frozen():\n    with freeze_time("2024-01-01"):\n        yield\n\n@pytest.fixture\ndef shop(frozen):\n    return make()\n'
const asks = (name: string, head = '') =>
  `import datetime\nimport pytest\n${head}\ndef test_order(${name}):\n    assert load().at == datetime.datetime.now()\n`

test('a fixture of a conftest.py freezes the tests that name it, by whatever way', async () => {
  const usefixtures = '@pytest.mark.usefixtures("frozen")\n'
  expect(await found({
    'conftest.py': FROZEN,
    'test_given.py': asks('frozen'),
    'test_through.py': asks('shop'),
    'test_marked.py': asks('', usefixtures),
    'test_file.py': asks('', 'pytestmark = [pytest.mark.usefixtures("frozen")]\n'),
    'test_own.py': asks('mine', '@pytest.fixture\ndef mine(frozen):\n    return 1\n'),
    'test_hidden.py': asks('frozen', '@pytest.fixture\ndef frozen():\n    return 1\n'),
    'test_said.py': `${asks('')}\n# not frozen\n`,
  })).toEqual(['test_hidden.py wall-clock-in-assertion', 'test_said.py wall-clock-in-assertion'])
})

test('pytest is told to use a fixture for every test', async () => {
  expect(
    await found({
      'a/pytest.ini': '[pytest]\nusefixtures = frozen\n',
      'a/conftest.py': FROZEN,
      'a/test_order.py': PY,
      'b/conftest.py': FROZEN,
      'b/test_order.py': PY,
    }),
  ).toEqual(['b/test_order.py wall-clock-in-assertion'])
})

test('a conftest.py takes the fixtures of plugins and of what it imports', async () => {
  const forAll = FROZEN.replace('fixture\ndef frozen', 'fixture(autouse=True)\ndef frozen')
  const files = { 'conftest.py': 'pytest_plugins = ["plugins.clock"]\n', 'plugins/clock.py': forAll, 'test_order.py': PY }
  expect(await found(files)).toEqual([])
  expect(await found({ ...files, 'conftest.py': 'from plugins.clock import *\n' })).toEqual([])
  expect(await found({ ...files, 'conftest.py': '' })).toEqual(['test_order.py wall-clock-in-assertion'])
})

test('a base class in Python', async () => {
  const base =
    'import os\nimport unittest\nfrom unittest import mock\nfrom freezegun import freeze_time\n\nclass ClockCase(unittest.TestCase):\n    def setUp(self):\n        freezer = freeze_time("2024-01-01")\n        freezer.start()\n        self.addCleanup(freezer.stop)\n\n'
    + 'class TidyCase(unittest.TestCase):\n    def setUp(self):\n        env = mock.patch.dict(os.environ)\n        env.start()\n        self.addCleanup(env.stop)\n\n    def tearDown(self):\n        mock.patch.stopall()\n'
  const clock = (name: string) =>
    `import datetime\nfrom tests.base import ${name}\n\nclass OrderTest(${name}):\n    def test_order(self):\n        self.assertEqual(load().at, datetime.datetime.now())\n`
  const leaks = (name: string) =>
    `import os\nfrom unittest import mock\nfrom tests.base import ${name}\n\nclass OrderTest(${name}):\n    def test_order(self):\n        os.environ["SHOP"] = "x"\n        mock.patch("shop.bank.charge", return_value=False).start()\n        self.assertEqual(load(), 1)\n`
  expect(await found({
    'tests/base.py': base,
    'tests/test_a.py': clock('ClockCase'),
    'tests/test_b.py': clock('TidyCase'),
    'tests/test_c.py': leaks('TidyCase'),
    'tests/test_d.py': leaks('ClockCase'),
  })).toEqual(['tests/test_b.py wall-clock-in-assertion', 'tests/test_d.py env-leak', 'tests/test_d.py mock-not-restored'])
})

test('fixtures for everyone that put mocks and the environment back', async () => {
  const conftest =
    'import os\nimport pytest\nfrom unittest import mock\n\n@pytest.fixture(autouse=True)\ndef tidy():\n    with mock.patch.dict(os.environ):\n        yield\n    mock.patch.stopall()\n'
  const leaks =
    'import os\nfrom unittest import mock\n\ndef test_order():\n    os.environ["SHOP"] = "x"\n    mock.patch("shop.bank.charge", return_value=False).start()\n    assert load() == 1\n'
  expect(await found({ 'a/conftest.py': conftest, 'a/test_a.py': leaks, 'b/test_b.py': leaks })).toEqual([
    'b/test_b.py env-leak',
    'b/test_b.py mock-not-restored',
  ])
})

test('a base class in Java that puts back what its tests change', async () => {
  const base =
    'import java.util.Properties;\nimport java.util.TimeZone;\nimport org.junit.jupiter.api.AfterEach;\nabstract class AbstractShopTest {\n  private final Properties saved = (Properties) System.getProperties().clone();\n  private final TimeZone zone = TimeZone.getDefault();\n  @AfterEach\n  void tidy() {\n    System.setProperties(saved);\n    TimeZone.setDefault(zone);\n  }\n}\n'
  const leaks = (name: string, base: string) =>
    `import java.util.TimeZone;\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nclass ${name} ${base}{\n  @Test\n  void region() {\n    System.setProperty("region", "eu");\n    TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));\n    assertEquals("eu", load());\n  }\n}\n`
  const files = {
    'src/test/java/AbstractShopTest.java': base,
    'src/test/java/ATest.java': leaks('ATest', 'extends AbstractShopTest '),
    'src/test/java/BTest.java': leaks('BTest', ''),
  }
  expect(await found(files)).toEqual(['src/test/java/BTest.java env-leak', 'src/test/java/BTest.java fake-clock-not-restored'])
})

test('a suite in Go that embeds another', async () => {
  const base =
    'package shop\n\nimport (\n\t"os"\n\n\t"github.com/stretchr/testify/suite"\n)\n\ntype BaseSuite struct {\n\tsuite.Suite\n}\n\nfunc (s *BaseSuite) TearDownTest() {\n\tos.Unsetenv("REGION")\n}\n'
  const leaks = (name: string, base: string) =>
    `package shop\n\nimport (\n\t"os"\n\t"testing"\n\n\t"github.com/stretchr/testify/suite"\n)\n\ntype ${name} struct {\n\t${base}\n}\n\nfunc (s *${name}) TestRegion() {\n\tos.Setenv("REGION", "eu")\n\ts.Equal("eu", Region())\n}\n\nfunc Test${name}(t *testing.T) { suite.Run(t, new(${name})) }\n`
  expect(await found({ 'base_test.go': base, 'a_test.go': leaks('A', 'BaseSuite'), 'b_test.go': leaks('B', 'suite.Suite') })).toEqual([
    'b_test.go env-leak',
  ])
})

test('what vitest restores by each of its options', async () => {
  const stubs =
    "import { expect, test, vi } from 'vitest'\ntest('a', () => { vi.stubGlobal('navigator', { onLine: false }); expect(online()).toBe(false) })\ntest('b', () => { vi.stubEnv('STAGE', 'x'); expect(stage()).toBe('x') })\ntest('c', () => { vi.spyOn(bank, 'charge').mockReturnValue(1); expect(pay()).toBe(1) })\n"
  const config = (options: string) => `export default { test: { ${options} } }\n`
  const left = async (options: string) => (await found({ 'vitest.config.ts': config(options), 'a.test.ts': stubs })).length
  expect(await left('globals: true')).toBe(3)
  expect(await left('restoreMocks: true')).toBe(2)
  expect(await left('unstubGlobals: true, restoreMocks: true')).toBe(1)
  expect(await left('unstubGlobals: true, unstubEnvs: true, restoreMocks: true')).toBe(0)
})

test('a set-up file that puts process.env back', async () => {
  const setup = "import { afterEach } from 'vitest'\nconst saved = { ...process.env }\nafterEach(() => { process.env = { ...saved } })\n"
  const leaks =
    "import { expect, test } from 'vitest'\ntest('a', () => { process.env.STAGE = 'x'; expect(stage()).toBe('x') })\ntest('b', () => { expect(stage()).toBe('y') })\n"
  expect(await found({ 'web/test/setup.ts': setup, 'web/a.test.ts': leaks, 'api/a.test.ts': leaks })).toEqual(['api/a.test.ts env-leak'])
})

test('a seed cures what it seeds', async () => {
  const conftest = (seed: string) =>
    `import random\nimport numpy as np\nimport pytest\n\n@pytest.fixture(autouse=True)\ndef seeded():\n    ${seed}\n`
  const draws =
    'import numpy as np\n\ndef test_mean():\n    values = np.random.normal(size=500)\n    assert abs(clip(values).mean()) < 0.05\n'
  expect(
    await found({
      'a/conftest.py': conftest('random.seed(0)'),
      'a/test_mean.py': draws,
      'b/conftest.py': conftest('random.seed(0)\n    np.random.seed(0)'),
      'b/test_mean.py': draws,
    }),
  ).toEqual(['a/test_mean.py unseeded-random'])
})

test('the time zone pinned where the runner starts', async () => {
  const zoned = "test('hour', () => { expect(new Date('2024-01-15T09:30:00Z').getHours()).toBe(9) })\n"
  const files = { 'jest.config.js': "module.exports = { globalSetup: '<rootDir>/test/global.js' }\n", 'a.test.js': zoned }
  expect(await found({ ...files, 'test/global.js': "module.exports = async () => { process.env.TZ = 'UTC' }\n" })).toEqual([])
  expect(await found({ ...files, 'test/global.js': 'module.exports = async () => {}\n' })).toEqual(['a.test.js timezone-dependence'])
})

test('they hold for a file that is asked for alone', async () => {
  const conftest =
    'import pytest\nfrom freezegun import freeze_time\n\n@pytest.fixture(autouse=True)\ndef frozen():\n    with freeze_time("2024-01-01"):\n        yield\n'
  const setup = "import { beforeEach, vi } from 'vitest'\nbeforeEach(() => { vi.useFakeTimers(); vi.setSystemTime(0) })\n"
  const helper = 'setup() {\n  export HOME="$BATS_TEST_TMPDIR"\n}\n'
  const bats = 'load helpers\n\n@test "keeps" {\n  mkdir -p "$HOME/shop"\n  [ -d "$HOME/shop" ]\n}\n'
  const files = {
    'shop/conftest.py': conftest,
    'shop/a/test_order.py': PY,
    'other/test_order.py': PY,
    'web/vitest.config.ts': "export default { test: { setupFiles: ['./boot/clock.ts'] } }\n",
    'web/boot/clock.ts': setup,
    'web/src/order.test.ts': TS,
    'cli/helpers.bash': helper,
    'cli/keeps.bats': bats,
  }
  expect(await found(files, ['shop/a/test_order.py', 'web/src/order.test.ts', 'cli/keeps.bats'])).toEqual([])
  expect(await found(files, ['shop/a', 'other/test_order.py'])).toEqual(['other/test_order.py wall-clock-in-assertion'])
})
