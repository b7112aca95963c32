// Shared set-up files cure the folder they are run for, and no other.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { run } from '../src/run.ts'

const made: string[] = []
afterEach(() => made.splice(0).forEach(folder => rmSync(folder, { recursive: true, force: true })))

async function found(files: Record<string, string>): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'flakesniff-setups-'))
  made.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const { summary } = await run({ cwd: root, paths: ['.'], preset: 'strict', jobs: 1 })
  return summary.findings.map(f => `${f.file} ${f.ruleId}`)
}

const PY = 'import datetime\n\ndef test_order():\n    assert load().at == datetime.datetime.now()\n'
const TS = "import { expect, test } from 'vitest'\ntest('order', () => { expect(load().at).toBe(Date.now()) })\n"
const JAVA = (name: string, base: string) => `import java.time.Instant;\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nclass ${name} ${base}{\n  @Test\n  void order() {\n    assertEquals(Instant.now(), load().at());\n  }\n}\n`

test('an autouse fixture of a conftest.py freezes the folder below it', async () => {
  const conftest = 'import pytest\nfrom freezegun import freeze_time\n\n@pytest.fixture(autouse=True)\ndef frozen():\n    with freeze_time("2024-01-01"):\n        yield\n'
  expect(await found({ 'shop/conftest.py': conftest, 'shop/a/test_order.py': PY, 'other/test_order.py': PY })).toEqual(['other/test_order.py wall-clock-in-assertion'])
})

test('a fixture that must be asked for freezes nobody else', async () => {
  const conftest = 'import pytest\nfrom freezegun import freeze_time\n\n@pytest.fixture\ndef frozen():\n    with freeze_time("2024-01-01"):\n        yield\n'
  expect(await found({ 'conftest.py': conftest, 'test_order.py': PY })).toEqual(['test_order.py wall-clock-in-assertion'])
})

test('a file that vitest sets up with', async () => {
  const setup = "import { beforeEach, vi } from 'vitest'\nbeforeEach(() => { vi.useFakeTimers(); vi.setSystemTime(0) })\n"
  const config = "export default { test: { setupFiles: ['./test/setup.ts'] } }\n"
  expect(await found({ 'web/vitest.config.ts': config, 'web/test/setup.ts': setup, 'web/src/order.test.ts': TS, 'api/order.test.ts': TS })).toEqual(['api/order.test.ts wall-clock-in-assertion'])
})

test('a base class in Java', async () => {
  const base = 'import java.time.Instant;\nimport org.junit.jupiter.api.BeforeEach;\nimport org.mockito.Mockito;\nabstract class AbstractClockTest {\n  @BeforeEach\n  void freeze() {\n    Mockito.mockStatic(Instant.class);\n  }\n}\n'
  const files = { 'src/test/java/AbstractClockTest.java': base, 'src/test/java/OrderTest.java': JAVA('OrderTest', 'extends AbstractClockTest '), 'src/test/java/CartTest.java': JAVA('CartTest', '') }
  expect(await found(files)).toEqual(['src/test/java/CartTest.java wall-clock-in-assertion'])
})
