// How far the trace sees beyond plain calls: set-ups of folders and base classes, aliases, crates, packages, loaded files.
// Each small project names a database by the clock somewhere, and says which tests must be found endangered, and how surely.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../src/run.ts'

let top: string
beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), 'flakesniff-neighbours-'))
})
afterAll(() => rmSync(top, { recursive: true, force: true }))

async function endangered(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = mkdtempSync(join(top, 'project-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const { summary } = await run({ cwd: folder, paths: ['.'], preset: 'strict', jobs: 1 })
  return [
    ...new Set(
      summary.findings.filter(f => f.ruleId === 'time-based-name').flatMap(f =>
        (f.endangers ?? []).map(e => `${e.file} ${e.test} ${e.sure}`)
      ),
    ),
  ].sort()
}

const PY_STORE =
  'import sqlite3\nimport time\n\n\ndef open_scratch():\n    name = f"db_{time.time_ns()}"\n    return sqlite3.connect(f"file:{name}?mode=memory&cache=shared", uri=True)\n'
const PY_TEST = 'def test_a():\n    assert 1 + 1 == 2\n'

test('an autouse fixture of a conftest.py runs for every test below its folder', async () => {
  expect(await endangered({
    'shop/__init__.py': '',
    'shop/store.py': PY_STORE,
    'tests/db/conftest.py':
      'import pytest\nfrom shop.store import open_scratch\n\n\n@pytest.fixture(autouse=True)\ndef store():\n    yield open_scratch()\n',
    'tests/db/test_in.py': PY_TEST,
    'tests/db/deep/test_deep.py': PY_TEST,
    'tests/test_out.py': PY_TEST,
  })).toEqual(['tests/db/deep/test_deep.py test_a sure', 'tests/db/test_in.py test_a sure'])
})

test('a relative import of Python leads to its own package', async () => {
  expect(await endangered({
    'shop/__init__.py': '',
    'shop/store.py': PY_STORE,
    'shop/tests/__init__.py': '',
    'bank/__init__.py': '',
    'bank/store.py': 'def open_scratch():\n    return 1\n',
    'bank/tests/__init__.py': '',
    'shop/tests/test_in.py': 'from ..store import open_scratch\n\n\ndef test_a():\n    assert open_scratch()\n',
    'bank/tests/test_out.py': 'from ..store import open_scratch\n\n\ndef test_a():\n    assert open_scratch()\n',
  })).toEqual(['shop/tests/test_in.py test_a sure'])
})

test('the setUp of a Python base class runs for the tests of classes that extend it elsewhere', async () => {
  expect(await endangered({
    'shop/__init__.py': '',
    'shop/store.py': PY_STORE,
    'tests/__init__.py': '',
    'tests/base.py':
      'import unittest\nfrom shop.store import open_scratch\n\n\nclass StoreCase(unittest.TestCase):\n    def setUp(self):\n        self.store = open_scratch()\n',
    'tests/test_in.py':
      'from tests.base import StoreCase\n\n\nclass TestIn(StoreCase):\n    def test_a(self):\n        assert self.store\n',
    'tests/test_out.py': 'import unittest\n\n\nclass TestOut(unittest.TestCase):\n    def test_a(self):\n        assert 1\n',
  })).toEqual(['tests/test_in.py TestIn::test_a sure'])
})

const JAVA_STORE =
  'package acme;\n\npublic class Ledger {\n  public static java.sql.Connection openScratch() throws Exception {\n    String name = "db_" + System.currentTimeMillis();\n    return java.sql.DriverManager.getConnection("jdbc:h2:mem:" + name);\n  }\n}\n'

test('the @BeforeEach of a Java base class runs for all tests of classes that extend it, however long their bodies', async () => {
  const long = Array.from({ length: 20 }, (_, i) => `    assertEquals(${i}, ${i});`).join('\n')
  expect(await endangered({
    'src/main/java/acme/Ledger.java': JAVA_STORE,
    'src/test/java/acme/LedgerBase.java':
      'package acme;\n\nimport org.junit.jupiter.api.BeforeEach;\n\nabstract class LedgerBase {\n  java.sql.Connection store;\n\n  @BeforeEach\n  void open() throws Exception {\n    store = Ledger.openScratch();\n  }\n}\n',
    'src/test/java/acme/InTest.java':
      `package acme;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport org.junit.jupiter.api.Test;\n\nclass InTest extends LedgerBase {\n  @Test\n  void short_() { assertEquals(1, 1); }\n\n  @Test\n  void long_() {\n${long}\n  }\n}\n`,
    'src/test/java/acme/OutTest.java':
      'package acme;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport org.junit.jupiter.api.Test;\n\nclass OutTest {\n  @Test\n  void alone() { assertEquals(1, 1); }\n}\n',
  })).toEqual(['src/test/java/acme/InTest.java InTest::long_ sure', 'src/test/java/acme/InTest.java InTest::short_ sure'])
})

const TS_STORE =
  "import Database from 'better-sqlite3'\n\nexport function openScratch() {\n  const name = `db_${Date.now()}`\n  return new Database(`/tmp/${name}.sqlite`)\n}\n"
const tsTest = (from: string) =>
  `import { openScratch } from '${from}'\nimport { expect, test } from 'vitest'\n\ntest('a', () => {\n  expect(openScratch()).toBeDefined()\n})\n`

test('an alias of a tsconfig leads to a file, an npm package of the same name does not', async () => {
  expect(await endangered({
    'tsconfig.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } } } // with a comment\n',
    'package.json': '{ "name": "shop" }',
    'src/store.ts': TS_STORE,
    'test/in.test.ts': tsTest('@/store'),
    'test/out.test.ts': tsTest('store'),
  })).toEqual(['test/in.test.ts a sure'])
})

test('the aliases of a tsconfig that the packages of a workspace extend lead to a file', async () => {
  expect(await endangered({
    'tsconfig.base.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "@shop/store": ["libs/store/src/store.ts"] } } }',
    'package.json': '{ "name": "all" }',
    'apps/till/tsconfig.json': '{ "extends": "../../tsconfig.base.json" }',
    'libs/store/src/store.ts': TS_STORE,
    'apps/till/src/in.test.ts': tsTest('@shop/store'),
  })).toEqual(['apps/till/src/in.test.ts a sure'])
})

test('what an index hands on is followed, less surely', async () => {
  expect(
    await endangered({
      'package.json': '{ "name": "shop" }',
      'src/db/store.ts': TS_STORE,
      'src/index.ts': "export * from './db/store.ts'\n",
      'test/in.test.ts': tsTest('../src'),
    }),
  ).toEqual(['test/in.test.ts a likely'])
})

test('a hook of a set-up file runs for the tests of its folder', async () => {
  expect(await endangered({
    'package.json': '{ "name": "shop", "jest": { "setupFilesAfterEnv": ["<rootDir>/config/prepare.ts"] } }',
    'src/store.ts': TS_STORE,
    'config/prepare.ts': "import { openScratch } from '../src/store'\n\nbeforeEach(() => {\n  globalThis.store = openScratch()\n})\n",
    'test/in.test.ts': "test('a', () => {\n  expect(1).toBe(1)\n})\n",
  })).toEqual(['test/in.test.ts a sure'])
})

const RUST_STORE =
  'use std::time::{SystemTime, UNIX_EPOCH};\n\npub fn open_scratch() -> String {\n    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();\n    let db_name = format!("memdb_{nanos}");\n    format!("file:{db_name}?mode=memory&cache=shared")\n}\n'
const rustTest = (use: string) =>
  `#[cfg(test)]\nmod tests {\n    use ${use};\n\n    #[test]\n    fn a() {\n        assert!(open_scratch().len() > 1);\n    }\n}\n`

test('a crate is known by its name in the workspace, and crate:: stays at home', async () => {
  expect(await endangered({
    'Cargo.toml': '[workspace]\nmembers = ["db", "api", "other"]\n',
    'db/Cargo.toml': '[package]\nname = "order-store"\n',
    'db/src/lib.rs': 'pub mod scratch;\n',
    'db/src/scratch.rs': RUST_STORE,
    'api/Cargo.toml': '[package]\nname = "api"\n',
    'api/src/lib.rs': rustTest('order_store::scratch::open_scratch'),
    'other/Cargo.toml': '[package]\nname = "other"\n',
    'other/src/scratch.rs': 'pub fn open_scratch() -> String {\n    String::new()\n}\n',
    'other/src/lib.rs': `pub mod scratch;\n${rustTest('crate::scratch::open_scratch')}`,
  })).toEqual(['api/src/lib.rs tests::a sure'])
})

const GO_STORE =
  'package store\n\nimport (\n\t"database/sql"\n\t"fmt"\n\t"time"\n)\n\nfunc OpenScratch() (*sql.DB, error) {\n\tname := fmt.Sprintf("db_%d", time.Now().UnixNano())\n\treturn sql.Open("sqlite", "file:"+name+"?mode=memory&cache=shared")\n}\n'
const goTest = (path: string) =>
  `package x_test\n\nimport (\n\t"testing"\n\n\t"${path}"\n)\n\nfunc TestA(t *testing.T) {\n\tif _, err := store.OpenScratch(); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n`

test('a Go package is known by its import path, not by its last word', async () => {
  expect(await endangered({
    'go.mod': 'module acme.com/shop\n',
    'store/store.go': GO_STORE,
    'x/in_test.go': goTest('acme.com/shop/store'),
    'y/out_test.go': goTest('other.org/store'),
  })).toEqual(['x/in_test.go TestA sure'])
})

test('a shell function is known to those who source or load its file, and surely only to them', async () => {
  expect(await endangered({
    'lib/store.sh': 'open_scratch() {\n  local db="/tmp/db_$(date +%s).sqlite"\n  sqlite3 "$db" "create table t (a)"\n  echo "$db"\n}\n',
    'test/test_helper.bash': 'source "$BATS_TEST_DIRNAME/../lib/store.sh"\n\nsetup() {\n  DB="$(open_scratch)"\n}\n',
    'test/in.bats': 'load test_helper\n\n@test "a" {\n  [ -n "$DB" ]\n}\n',
    'test/out.bats': '@test "b" {\n  [ 1 -eq 1 ]\n}\n',
  })).toEqual(['test/in.bats a likely'])
})
