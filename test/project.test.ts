import { describe, expect, test } from 'vitest'
import { NO_PROJECT, parallelFor, readProject, restoredFor } from '../src/project/project.ts'
import type { Restored } from '../src/project/restores.ts'
import type { Language } from '../src/facts/facts.ts'

const says = (language: Language, files: Record<string, string>, path = 'x') => {
  const { on, scope, grain } = parallelFor(readProject(Object.entries(files).map(([p, text]) => ({ path: p, text }))), language, path)
  return `${on ? 'shared' : 'apart'}${scope ? ` ${scope}` : ''}${grain ? ` ${grain}` : ''}`
}

describe('without any configuration', () => {
  test.each<[Language, string]>([
    ['rust', 'shared threads tests'], ['java', 'apart'], ['python', 'apart'], ['go', 'apart processes files'], ['typescript', 'apart'], ['bash', 'apart'],
  ])('%s runs tests %s', (language, expected) => {
    expect(says(language, {})).toBe(expected)
  })

  test('a project that was never read answers by the defaults', () => {
    expect(parallelFor(NO_PROJECT, 'rust', 'src/lib.rs')).toMatchObject({ on: true, because: 'cargo test runs the tests of a crate in threads' })
  })
})

describe('rust', () => {
  test.each<[string, Record<string, string>, string]>([
    ['a make file with one thread', { Makefile: 'test:\n\tcargo test --all -- --test-threads=1\n' }, 'apart'],
    ['many threads', { Makefile: 'test:\n\tcargo test -- --test-threads=16\n' }, 'shared threads tests'],
    ['the variable in CI', { '.github/workflows/ci.yml': 'env:\n  RUST_TEST_THREADS: 1\njobs:\n  t:\n    steps:\n      - run: cargo test\n' }, 'apart'],
    ['the variable set to 10', { '.github/workflows/ci.yml': 'env:\n  RUST_TEST_THREADS: 10\nsteps:\n  - run: cargo test\n' }, 'shared threads tests'],
    ["cargo's own environment", { '.cargo/config.toml': '[env]\nRUST_TEST_THREADS = "1"\n', Makefile: 't:\n\tcargo test\n' }, 'apart'],
    ["cargo's environment as a table", { '.cargo/config.toml': '[build]\njobs = 1\n[env]\nRUST_TEST_THREADS = { value = "1", force = true }\n' }, 'apart'],
    ['nextest by its file', { '.config/nextest.toml': '[profile.default]\nretries = 2\n' }, 'apart processes tests'],
    ['nextest with doctests beside it', { '.github/workflows/ci.yml': 'steps:\n  - run: cargo nextest run\n  - run: cargo test --doc\n' }, 'apart processes tests'],
    ['nextest and plain cargo test', { '.config/nextest.toml': '', Makefile: 't:\n\tcargo test --workspace\n' }, 'shared threads tests'],
    ['a command that is only a comment', { Makefile: '# cargo test -- --test-threads=1\n' }, 'shared threads tests'],
    ['a command over several lines', { Makefile: 'test:\n\tcargo test \\\n\t  --all -- \\\n\t  --test-threads=1\n' }, 'apart'],
  ])('%s', (_, files, expected) => {
    expect(says('rust', files)).toBe(expected)
  })
})

describe('java', () => {
  const properties = 'src/test/resources/junit-platform.properties'
  const on = 'junit.jupiter.execution.parallel.enabled=true\n'
  test.each<[string, Record<string, string>, string]>([
    ['enabled and concurrent', { [properties]: `${on}junit.jupiter.execution.parallel.mode.default = concurrent\n` }, 'shared threads tests'],
    ['classes only', { [properties]: `${on}junit.jupiter.execution.parallel.mode.classes.default=concurrent\n` }, 'shared threads files'],
    ['enabled, but nobody asked', { [properties]: on }, 'apart'],
    ['commented out', { [properties]: `#${on}` }, 'apart'],
    ['surefire methods', { 'pom.xml': '<configuration><parallel>methods</parallel></configuration>' }, 'shared threads tests'],
    ['surefire in a comment', { 'pom.xml': '<!-- <parallel>methods</parallel> -->' }, 'apart'],
    ['surefire none', { 'pom.xml': '<parallel>none</parallel>' }, 'apart'],
    ['surefire forks', { 'pom.xml': '<forkCount>1C</forkCount>' }, 'apart processes files'],
    ['one fork', { 'pom.xml': '<forkCount>1</forkCount>' }, 'apart'],
    ['configuration parameters in a pom', { 'pom.xml': `<configurationParameters>\n${on}junit.jupiter.execution.parallel.mode.default = concurrent</configurationParameters>` }, 'shared threads tests'],
    ['a system property in Groovy', { 'build.gradle': "systemProperty 'junit.jupiter.execution.parallel.enabled', 'true'\nsystemProperty 'junit.jupiter.execution.parallel.mode.default', 'concurrent'" }, 'shared threads tests'],
    ['a system property in Kotlin', { 'build.gradle.kts': 'systemProperties["junit.jupiter.execution.parallel.enabled"] = true\nsystemProperties["junit.jupiter.execution.parallel.mode.default"] = "concurrent"' }, 'shared threads tests'],
    ['Gradle forks', { 'build.gradle': 'test { maxParallelForks = Runtime.runtime.availableProcessors() }' }, 'apart processes files'],
    ['one Gradle fork', { 'build.gradle': 'test {\n  maxParallelForks = 1\n}' }, 'apart'],
    ['a TestNG suite', { 'testng.xml': '<suite name="s" parallel="methods" thread-count="4">' }, 'shared threads tests'],
  ])('%s', (_, files, expected) => {
    expect(says('java', files)).toBe(expected)
  })

  test('the nearest module decides', () => {
    const files = { 'pom.xml': '<parallel>all</parallel>', 'core/pom.xml': '<parallel>none</parallel>', [`web/${properties}`]: 'junit.jupiter.execution.parallel.enabled=false' }
    expect(says('java', files, 'core/src/test/java/A.java')).toBe('shared threads tests')
    expect(says('java', files, 'web/src/test/java/A.java')).toBe('apart')
    expect(says('java', files, 'webber/src/test/java/A.java')).toBe('shared threads tests')
  })
})

describe('python', () => {
  test.each<[string, Record<string, string>, string]>([
    ['pytest.ini', { 'pytest.ini': '[pytest]\naddopts = -ra -n auto\n' }, 'apart processes tests'],
    ['an option on the next line', { 'setup.cfg': '[metadata]\nname = x\n[tool:pytest]\naddopts =\n    -ra\n    -n 4\n' }, 'apart processes tests'],
    ['pyproject with a string', { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "--numprocesses=4"\n[tool.x]\n' }, 'apart processes tests'],
    ['pyproject with a list', { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = [\n  "-ra",\n  "-n", "auto",\n]\n' }, 'apart processes tests'],
    ['whole files', { 'pytest.ini': '[pytest]\naddopts = -n 4 --dist loadfile\n' }, 'apart processes files'],
    ['no workers', { 'pytest.ini': '[pytest]\naddopts = -n 0\n' }, 'apart'],
    ['threads', { 'pytest.ini': '[pytest]\naddopts = --parallel-threads=4\n' }, 'shared threads tests'],
    ['another tool of the file', { 'setup.cfg': '[flake8]\naddopts = -n 4\n' }, 'apart'],
    ['a command in CI', { '.github/workflows/ci.yml': 'steps:\n  - run: python -m pytest -nauto tests\n' }, 'apart processes tests'],
    ['tox', { 'tox.ini': '[testenv]\ncommands = pytest -n 2 {posargs}\n' }, 'apart processes tests'],
    ['an option that only looks alike', { Makefile: 't:\n\tpytest --no-header -k name\n' }, 'apart'],
    ['pytest.ini before setup.cfg', { 'pytest.ini': '', 'setup.cfg': '[tool:pytest]\naddopts = -n 4\n' }, 'apart'],
  ])('%s', (_, files, expected) => {
    expect(says('python', files)).toBe(expected)
  })

  test('a file without options holds against the one above it, not against a command', () => {
    expect(says('python', { 'pytest.ini': '[pytest]\naddopts = -n 4', 'sub/pytest.ini': '[pytest]' }, 'sub/test_a.py')).toBe('apart')
    expect(says('python', { Makefile: 't:\n\tpytest -n 4', 'sub/pytest.ini': '[pytest]' }, 'sub/test_a.py')).toBe('apart processes tests')
  })
})

describe('javascript', () => {
  test.each<[string, Record<string, string>, string]>([
    ['concurrent sequences', { 'vitest.config.ts': 'export default { test: { sequence: { shuffle: true, concurrent: true } } }' }, 'shared threads tests'],
    ['the same in a comment', { 'vitest.config.ts': '// sequence: { concurrent: true }\nexport default {}' }, 'apart processes files'],
    ['by a flag', { 'package.json': '{"scripts":{"test":"vitest run --sequence.concurrent"},"devDependencies":{"vitest":"4"}}' }, 'shared threads tests'],
    ['no file parallelism', { 'vitest.config.ts': 'export default { test: { fileParallelism: false } }' }, 'apart'],
    ['a vite file without tests', { 'vite.config.ts': 'export default { plugins: [] }' }, 'apart'],
    ['jest as a dependency', { 'package.json': '{"devDependencies":{"jest":"30"}}' }, 'apart processes files'],
    ['jest in band', { 'package.json': '{"scripts":{"test":"jest --runInBand"},"devDependencies":{"jest":"30"}}' }, 'apart'],
    ['playwright', { 'playwright.config.ts': 'export default { fullyParallel: true }' }, 'apart processes tests'],
    ['playwright with one worker', { 'playwright.config.ts': 'export default { fullyParallel: true, workers: 1 }' }, 'apart'],
    ['mocha', { '.mocharc.json': '{"parallel": true}' }, 'apart processes files'],
    ['node:test', { 'package.json': '{"scripts":{"test":"node --test"}}' }, 'apart processes files'],
    ['a broken package.json', { 'package.json': '{"scripts": ' }, 'apart'],
  ])('%s', (_, files, expected) => {
    expect(says('typescript', files)).toBe(expected)
  })
})

describe('go', () => {
  test('packages one after another', () => {
    expect(says('go', { Makefile: 'test:\n\tgo test -p 1 -parallel 8 ./...\n' })).toBe('apart')
    expect(says('go', { Makefile: 'test:\n\tgo test -parallel 1 ./...\n' })).toBe('apart processes files')
  })
})

describe('bash', () => {
  test.each<[string, Record<string, string>, string]>([
    ['--jobs in a make file', { Makefile: 'test:\n\ttest/bats/bin/bats --jobs 4 tests\n' }, 'apart processes tests'],
    ['-j with a command for a number', { '.github/workflows/ci.yml': 'steps:\n  - run: bats -j "$(nproc)" test\n' }, 'apart processes tests'],
    ['in a script of package.json', { 'package.json': '{"scripts":{"test":"bats -j 8 test"}}' }, 'apart processes tests'],
    ['one job', { Makefile: 'test:\n\tbats --jobs 1 tests\n' }, 'apart'],
    ['only across files', { Makefile: 'test:\n\tbats --jobs 4 --no-parallelize-within-files tests\n' }, 'apart processes files'],
    ['the jobs of another program', { Makefile: 'test:\n\tbats tests; make -j 4\n' }, 'apart'],
    ['by the variable', { '.github/workflows/ci.yml': 'env:\n  BATS_NUMBER_OF_PARALLEL_JOBS: 4\nsteps:\n  - run: bats test\n' }, 'apart processes tests'],
  ])('%s', (_, files, expected) => {
    expect(says('bash', files)).toBe(expected)
  })
})

test('a folder above the root speaks for all of it, and a nearer one is heard first', () => {
  const files = { '../Makefile': 't:\n\tcargo test -- --test-threads=1', 'a/Makefile': 't:\n\tcargo test' }
  expect(says('rust', files, 'b/src/lib.rs')).toBe('apart')
  expect(says('rust', files, 'a/src/lib.rs')).toBe('shared threads tests')
})

test('a file sees the project as it stands in its folder', () => {
  const project = readProject([{ path: 'a/pytest.ini', text: '[pytest]\naddopts = -n 2' }], { t: { files: ['01-a.bats'], contract: null } })
  expect(project.bats['t']?.files).toEqual(['01-a.bats'])
  expect(parallelFor(project, 'python', 'a/test_x.py')).toEqual({ on: false, scope: 'processes', grain: 'tests', because: 'a/pytest.ini has pytest-xdist spread tests over 2 processes' })
  expect(parallelFor(project, 'python', 'b/test_x.py').scope).toBeUndefined()
})

test('files that make no sense say nothing', () => {
  const nonsense = ['{', '[', '\u0000', '<suite', '[[[', 'addopts', '"""', '='.repeat(1000)]
  const names = ['package.json', 'pyproject.toml', 'pom.xml', 'Makefile', '.cargo/config.toml', 'vitest.config.ts', 'testng.xml', 'setup.cfg', '.mocharc.yml']
  const files = names.flatMap(path => nonsense.map(text => ({ path, text })))
  expect(() => readProject(files)).not.toThrow()
})

test('a hostile file costs no more than its length', () => {
  const long = ['/*', '<!--', '<suite ', 'sequence: {', '\n', ' ', '[', 'node ', 'cargo test ', '"', "'", '\\\n', 'addopts = [\n', 'bats -j ', 'junit.jupiter.execution.parallel.enabled ']
  const names = ['package.json', 'pyproject.toml', 'pom.xml', 'build.gradle', 'Makefile', '.cargo/config.toml', 'vitest.config.ts', 'testng.xml', 'setup.cfg', 'gradle.properties']
  // What is quadratic takes minutes here and runs into the time limit; what is not, a moment.
  for (const piece of long) readProject(names.map(path => ({ path, text: piece.repeat(Math.floor(50_000 / piece.length)) })))
})

describe('what is put back for every test', () => {
  const all: readonly Restored[] = ['mocks', 'env', 'globals', 'clock', 'cwd']
  const restores = (language: Language, files: Record<string, string>, path: string) => {
    const project = readProject(Object.entries(files).map(([p, text]) => ({ path: p, text })))
    return all.filter(what => restoredFor(project, language, path, what)).join(' ')
  }

  test.each<[string, Language, Record<string, string>, string]>([
    ['a Vitest configuration', 'typescript', { 'vitest.config.ts': 'export default { test: { restoreMocks: true, unstubEnvs: true } }' }, 'mocks env'],
    ['one that says no', 'typescript', { 'vitest.config.ts': 'export default { test: { restoreMocks: false } }' }, ''],
    ['one in a comment', 'typescript', { 'jest.config.js': '// restoreMocks: true\nmodule.exports = {}' }, ''],
    ["Jest's key in a manifest", 'typescript', { 'package.json': '{"jest": {"resetMocks": true, "fakeTimers": {"enableGlobally": true}}}' }, 'mocks clock'],
    ['a set-up file', 'typescript', { 'test/setup.ts': 'afterEach(() => { vi.restoreAllMocks(); vi.useRealTimers() })' }, 'mocks clock'],
    ['a set-up file without hooks', 'typescript', { 'test/setup.ts': 'vi.restoreAllMocks()' }, ''],
    ['a fixture for everyone', 'python', { 'conftest.py': '@pytest.fixture(autouse=True)\ndef env():\n    old = dict(os.environ)\n    yield\n    os.environ.update(old)\n' }, 'env'],
    ['a fixture for those who ask', 'python', { 'conftest.py': '@pytest.fixture\ndef env():\n    os.environ["A"] = "b"\n    yield\n' }, ''],
    ['a fixture of another folder', 'python', { 'web/conftest.py': '@pytest.fixture(autouse=True)\ndef env():\n    os.environ.clear()\n' }, ''],
  ])('%s', (_, language, files, expected) => {
    expect(restores(language, files, language === 'python' ? 'tests/test_cart.py' : 'src/cart.test.ts')).toBe(expected)
  })

  test('a project that was never read puts nothing back', () => {
    expect(restoredFor(NO_PROJECT, 'python', 'tests/test_cart.py', 'env')).toBe(false)
  })
})
