import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../src/config/config.ts'
import { makeAnalyser } from '../src/engine/analyse.ts'
import { NO_PROJECT, curedFor, curesFor, goFor, parallelFor, readProject } from '../src/project/project.ts'
import type { Language } from '../src/facts/facts.ts'

const says = (language: Language, files: Record<string, string>, path = 'x') => {
  const { on, scope, grain } = parallelFor(readProject(Object.entries(files).map(([p, text]) => ({ path: p, text }))), language, path)
  return `${on ? 'shared' : 'apart'}${scope ? ` ${scope}` : ''}${grain ? ` ${grain}` : ''}`
}

describe('without any configuration', () => {
  test.each<[Language, string]>([
    ['rust', 'shared threads tests'],
    ['java', 'apart'],
    ['python', 'apart'],
    ['go', 'apart processes files'],
    ['typescript', 'apart'],
    ['bash', 'apart'],
  ])('%s runs tests %s', (language, expected) => {
    expect(says(language, {})).toBe(expected)
  })

  test('a project that was never read answers by the defaults', () => {
    expect(parallelFor(NO_PROJECT, 'rust', 'src/lib.rs')).toMatchObject({
      on: true,
      because: 'cargo test runs the tests of a crate in threads',
    })
  })
})

describe('rust', () => {
  test.each<[string, Record<string, string>, string]>([
    ['a make file with one thread', { Makefile: 'test:\n\tcargo test --all -- --test-threads=1\n' }, 'apart'],
    ['many threads', { Makefile: 'test:\n\tcargo test -- --test-threads=16\n' }, 'shared threads tests'],
    ['the variable in CI', {
      '.github/workflows/ci.yml': 'env:\n  RUST_TEST_THREADS: 1\njobs:\n  t:\n    steps:\n      - run: cargo test\n',
    }, 'apart'],
    [
      'the variable set to 10',
      { '.github/workflows/ci.yml': 'env:\n  RUST_TEST_THREADS: 10\nsteps:\n  - run: cargo test\n' },
      'shared threads tests',
    ],
    ["cargo's own environment", { '.cargo/config.toml': '[env]\nRUST_TEST_THREADS = "1"\n', Makefile: 't:\n\tcargo test\n' }, 'apart'],
    ["cargo's environment as a table", {
      '.cargo/config.toml': '[build]\njobs = 1\n[env]\nRUST_TEST_THREADS = { value = "1", force = true }\n',
    }, 'apart'],
    ['nextest by its file', { '.config/nextest.toml': '[profile.default]\nretries = 2\n' }, 'apart processes tests'],
    [
      'nextest with doctests beside it',
      { '.github/workflows/ci.yml': 'steps:\n  - run: cargo nextest run\n  - run: cargo test --doc\n' },
      'apart processes tests',
    ],
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
    [
      'enabled and concurrent',
      { [properties]: `${on}junit.jupiter.execution.parallel.mode.default = concurrent\n` },
      'shared threads tests',
    ],
    ['classes only', { [properties]: `${on}junit.jupiter.execution.parallel.mode.classes.default=concurrent\n` }, 'shared threads files'],
    ['enabled, but nobody asked', { [properties]: on }, 'apart'],
    ['commented out', { [properties]: `#${on}` }, 'apart'],
    ['surefire methods', { 'pom.xml': '<configuration><parallel>methods</parallel></configuration>' }, 'shared threads tests'],
    ['surefire in a comment', { 'pom.xml': '<!-- <parallel>methods</parallel> -->' }, 'apart'],
    ['surefire none', { 'pom.xml': '<parallel>none</parallel>' }, 'apart'],
    ['surefire forks', { 'pom.xml': '<forkCount>1C</forkCount>' }, 'apart processes files'],
    ['one fork', { 'pom.xml': '<forkCount>1</forkCount>' }, 'apart'],
    ['configuration parameters in a pom', {
      'pom.xml': `<configurationParameters>\n${on}junit.jupiter.execution.parallel.mode.default = concurrent</configurationParameters>`,
    }, 'shared threads tests'],
    ['a system property in Groovy', {
      'build.gradle':
        "systemProperty 'junit.jupiter.execution.parallel.enabled', 'true'\nsystemProperty 'junit.jupiter.execution.parallel.mode.default', 'concurrent'",
    }, 'shared threads tests'],
    ['a system property in Kotlin', {
      'build.gradle.kts':
        'systemProperties["junit.jupiter.execution.parallel.enabled"] = true\nsystemProperties["junit.jupiter.execution.parallel.mode.default"] = "concurrent"',
    }, 'shared threads tests'],
    ['Gradle forks', { 'build.gradle': 'test { maxParallelForks = Runtime.runtime.availableProcessors() }' }, 'apart processes files'],
    ['one Gradle fork', { 'build.gradle': 'test {\n  maxParallelForks = 1\n}' }, 'apart'],
    ['a TestNG suite', { 'testng.xml': '<suite name="s" parallel="methods" thread-count="4">' }, 'shared threads tests'],
  ])('%s', (_, files, expected) => {
    expect(says('java', files)).toBe(expected)
  })

  test('the nearest module decides', () => {
    const files = {
      'pom.xml': '<parallel>all</parallel>',
      'core/pom.xml': '<parallel>none</parallel>',
      [`web/${properties}`]: 'junit.jupiter.execution.parallel.enabled=false',
    }
    expect(says('java', files, 'core/src/test/java/A.java')).toBe('shared threads tests')
    expect(says('java', files, 'web/src/test/java/A.java')).toBe('apart')
    expect(says('java', files, 'webber/src/test/java/A.java')).toBe('shared threads tests')
  })
})

describe('python', () => {
  test.each<[string, Record<string, string>, string]>([
    ['pytest.ini', { 'pytest.ini': '[pytest]\naddopts = -ra -n auto\n' }, 'apart processes tests'],
    [
      'an option on the next line',
      { 'setup.cfg': '[metadata]\nname = x\n[tool:pytest]\naddopts =\n    -ra\n    -n 4\n' },
      'apart processes tests',
    ],
    [
      'pyproject with a string',
      { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "--numprocesses=4"\n[tool.x]\n' },
      'apart processes tests',
    ],
    [
      'pyproject with a list',
      { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = [\n  "-ra",\n  "-n", "auto",\n]\n' },
      'apart processes tests',
    ],
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
    [
      'concurrent sequences',
      { 'vitest.config.ts': 'export default { test: { sequence: { shuffle: true, concurrent: true } } }' },
      'shared threads tests',
    ],
    ['the same in a comment', { 'vitest.config.ts': '// sequence: { concurrent: true }\nexport default {}' }, 'apart processes files'],
    [
      'by a flag',
      { 'package.json': '{"scripts":{"test":"vitest run --sequence.concurrent"},"devDependencies":{"vitest":"4"}}' },
      'shared threads tests',
    ],
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
    [
      '-j with a command for a number',
      { '.github/workflows/ci.yml': 'steps:\n  - run: bats -j "$(nproc)" test\n' },
      'apart processes tests',
    ],
    ['in a script of package.json', { 'package.json': '{"scripts":{"test":"bats -j 8 test"}}' }, 'apart processes tests'],
    ['one job', { Makefile: 'test:\n\tbats --jobs 1 tests\n' }, 'apart'],
    ['only across files', { Makefile: 'test:\n\tbats --jobs 4 --no-parallelize-within-files tests\n' }, 'apart processes files'],
    ['the jobs of another program', { Makefile: 'test:\n\tbats tests; make -j 4\n' }, 'apart'],
    [
      'by the variable',
      { '.github/workflows/ci.yml': 'env:\n  BATS_NUMBER_OF_PARALLEL_JOBS: 4\nsteps:\n  - run: bats test\n' },
      'apart processes tests',
    ],
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
  expect(parallelFor(project, 'python', 'a/test_x.py')).toEqual({
    on: false,
    scope: 'processes',
    grain: 'tests',
    because: 'a/pytest.ini has pytest-xdist spread tests over 2 processes',
  })
  expect(parallelFor(project, 'python', 'b/test_x.py').scope).toBeUndefined()
})

test('files that make no sense say nothing', () => {
  const nonsense = ['{', '[', '\u0000', '<suite', '[[[', 'addopts', '"""', '='.repeat(1000)]
  const names = [
    'package.json',
    'pyproject.toml',
    'pom.xml',
    'Makefile',
    '.cargo/config.toml',
    'vitest.config.ts',
    'testng.xml',
    'setup.cfg',
    '.mocharc.yml',
  ]
  const files = names.flatMap(path => nonsense.map(text => ({ path, text })))
  expect(() => readProject(files)).not.toThrow()
})

test('a hostile file costs no more than its length', () => {
  const long = [
    '/*',
    '<!--',
    '<suite ',
    'sequence: {',
    '\n',
    ' ',
    '[',
    'node ',
    'cargo test ',
    '"',
    "'",
    '\\\n',
    'addopts = [\n',
    'bats -j ',
    'junit.jupiter.execution.parallel.enabled ',
    'retry { maxRetries ',
  ]
  const names = [
    'package.json',
    'pyproject.toml',
    'pom.xml',
    'build.gradle',
    'Makefile',
    '.cargo/config.toml',
    'vitest.config.ts',
    'testng.xml',
    'setup.cfg',
    'gradle.properties',
  ]
  // What is quadratic takes minutes here and runs into the time limit; what is not, a moment.
  for (const piece of long) readProject(names.map(path => ({ path, text: piece.repeat(Math.floor(50_000 / piece.length)) })))
})

describe('cures of a whole folder', () => {
  const cures = (language: Language, files: Record<string, string>, path = 'x') =>
    curesFor(readProject(Object.entries(files).map(([p, text]) => ({ path: p, text }))), language, path).map(c => c.kind).sort().join(' ')

  test.each<[string, Language, Record<string, string>, string]>([
    ['jest fakes timers', 'typescript', { 'jest.config.js': 'module.exports = { fakeTimers: { enableGlobally: true } }' }, 'fake-clock'],
    ['jest fakes timers on demand', 'typescript', { 'jest.config.js': 'module.exports = { fakeTimers: { now: 0 } }' }, ''],
    ['jest fakes timers the old way, without the clock', 'typescript', {
      'package.json': '{"jest":{"fakeTimers":{"enableGlobally":true,"legacyFakeTimers":true}}}',
    }, ''],
    ['jest fakes timers, but not the clock', 'typescript', {
      'jest.config.js': "module.exports = { fakeTimers: { doNotFake: ['nextTick', 'Date'], enableGlobally: true } }",
    }, ''],
    ['jest fakes timers, but not all of them', 'typescript', {
      'jest.config.js': "module.exports = { fakeTimers: { doNotFake: ['nextTick'], enableGlobally: true } }",
    }, 'fake-clock'],
    ['ava has a zone', 'typescript', { 'package.json': '{"ava":{"environmentVariables":{"TZ":"UTC"}}}' }, 'zone'],
    ['tox sets the environment', 'python', {
      'tox.ini': '[testenv]\nsetenv =\n    PYTHONHASHSEED = 0\n    TZ = UTC\n    LC_ALL = C\ncommands = pytest\n',
    }, 'locale zone'],
    ['tox sets the environment of the docs', 'python', { 'tox.ini': '[testenv:docs]\nsetenv =\n    TZ = UTC\n' }, ''],
    ['tox in pyproject.toml', 'python', { 'pyproject.toml': '[tool.tox.env_run_base]\nset_env = { TZ = "UTC" }\n' }, 'zone'],
    ['cargo sets the environment', 'rust', { '.cargo/config.toml': '[env]\nTZ = "UTC"\n' }, 'zone'],
    ['jest in package.json restores mocks', 'typescript', { 'package.json': '{"jest":{"restoreMocks":true}}' }, 'restore-mocks'],
    ['a commented line', 'typescript', { 'jest.config.js': 'module.exports = {\n  // restoreMocks: true,\n}' }, ''],
    [
      'vitest unstubs',
      'typescript',
      { 'vitest.config.ts': 'export default { test: { unstubEnvs: true, unstubGlobals: true } }' },
      'restore-env restore-globals',
    ],
    ['vitest has a zone', 'typescript', { 'vitest.config.ts': "export default { test: { env: { TZ: 'UTC' } } }" }, 'zone'],
    ['jest sets the zone of its process', 'typescript', { 'jest.config.js': "process.env.TZ = 'UTC'\nmodule.exports = {}" }, 'zone'],
    ['a script sets the zone', 'typescript', { 'package.json': '{"scripts":{"test":"TZ=UTC vitest run"}}' }, 'zone'],
    ['a script sets the zone of something else', 'typescript', { 'package.json': '{"scripts":{"dev":"TZ=UTC next dev"}}' }, ''],
    ['playwright pins both', 'typescript', {
      'playwright.config.ts': "export default { use: { timezoneId: 'Europe/Rome', locale: 'en-GB' } }",
    }, 'locale zone'],
    ['pytest-socket', 'python', { 'pytest.ini': '[pytest]\naddopts = -q --disable-socket\n' }, 'fake-net'],
    ['pytest-randomly as a dependency', 'python', {
      'pyproject.toml': '[project.optional-dependencies]\ntest = ["pytest", "pytest-randomly>=3"]\n',
    }, 'seed'],
    ['pytest-randomly turned off', 'python', { 'tox.ini': '[testenv]\ndeps = pytest-randomly\n[pytest]\naddopts = -p no:randomly\n' }, ''],
    ['pytest-env', 'python', { 'setup.cfg': '[tool:pytest]\nenv =\n    D:TZ=UTC\n' }, 'zone'],
    ['a make file for go', 'go', { Makefile: 'test:\n\tTZ=UTC go test ./...\n' }, 'zone'],
    ['surefire', 'java', { 'pom.xml': '<argLine>-Duser.timezone=UTC -Duser.language=en</argLine>' }, 'locale zone'],
    ['gradle', 'java', { 'build.gradle': "test { systemProperty 'user.timezone', 'UTC' }" }, 'zone'],
    ['another language', 'go', { 'jest.config.js': 'module.exports = { restoreMocks: true }' }, ''],
  ])('%s', (_, language, files, expected) => {
    expect(cures(language, files)).toBe(expected)
  })

  test('it holds for its folder, and says because of which file', () => {
    const project = readProject([{ path: 'web/jest.config.js', text: 'module.exports = { resetMocks: true }' }])
    expect(curedFor(project, 'typescript', 'web/src/cart.test.ts', 'restore-mocks')?.because).toBe(
      'web/jest.config.js puts mocks back after every test',
    )
    expect(curedFor(project, 'typescript', 'api/cart.test.ts', 'restore-mocks')).toBeUndefined()
  })
})

describe('the Go that a module is written for', () => {
  const project = readProject([{ path: 'go.mod', text: 'module shop\n\ngo 1.20\n' }, {
    path: 'till/go.mod',
    text: 'module till\n\ngo 1.22.1\n',
  }, { path: 'old/go.mod', text: 'module old\n' }])

  test.each([['cart/cart_test.go', 20], ['till/till_test.go', 22], ['old/old_test.go', 20]])('of %s', (path, minor) => {
    expect(goFor(project, path)).toBe(minor)
  })

  test('is not known without a go.mod', () => {
    expect(goFor(NO_PROJECT, 'cart_test.go')).toBeUndefined()
  })

  const loop = (body: string) =>
    `package shop\n\nimport "testing"\n\nfunc TestTotals(t *testing.T) {\n\tfor _, tt := range cases {\n${body}\t}\n}\n`
  const subtest =
    '\t\tt.Run(tt.name, func(t *testing.T) {\n\t\t\tt.Parallel()\n\t\t\tif total(tt.in) != tt.want {\n\t\t\t\tt.Error(tt.name)\n\t\t\t}\n\t\t})\n'

  test.each<[string, string, string, string[]]>([
    ['one variable for all rounds', 'cart_test.go', subtest, ['6 parallel-conflict']],
    ['a copy of it', 'cart_test.go', `\t\ttt := tt\n${subtest}`, []],
    ['one for each round', 'till/cart_test.go', subtest, []],
    ['subtests that do not wait for the loop', 'cart_test.go', subtest.replace('\t\t\tt.Parallel()\n', ''), []],
  ])('decides about loops: %s', async (_, path, body, expected) => {
    const settings = { config: defaultConfig('/'), preset: 'strict' as const, levels: {}, project }
    const { findings } = await makeAnalyser(settings).analyse(path, loop(body), 'go')
    expect(findings.map(f => `${f.startLine} ${f.ruleId}`)).toEqual(expected)
  })
})

describe('keys of locks where JUnit runs tests at the same time', () => {
  const project = readProject([{
    path: 'src/test/resources/junit-platform.properties',
    text: 'junit.jupiter.execution.parallel.enabled=true\njunit.jupiter.execution.parallel.mode.default=concurrent\n',
  }])
  const sells = (name: string, lock: string) =>
    `  @Test @ResourceLock(${lock}) void ${name}() {\n    System.setProperty("shop.currency", "${name}");\n    assertEquals("${name}", Shop.currency());\n  }\n`
  const suite = (one: string, other: string, around = '') =>
    `import static org.junit.jupiter.api.Assertions.assertEquals;\nimport org.junit.jupiter.api.*;\nimport org.junit.jupiter.api.parallel.*;\n${around}class CartTest {\n${
      sells('euro', one)
    }${sells('yen', other)}}\n`

  test.each<[string, string, boolean]>([
    ['two keys', suite('"properties"', '"currency"'), true],
    ['one key', suite('"currency"', '"currency"'), false],
    ['a constant of JUnit and what it stands for', suite('Resources.SYSTEM_PROPERTIES', '"java.lang.System.properties"'), false],
    ['a constant that stands elsewhere', suite('Locks.CURRENCY', '"currency"'), false],
    ['a lock of the class', suite('"properties"', '"currency"', '@ResourceLock("cart")\n'), false],
  ])('%s', async (_, source, expected) => {
    const settings = { config: defaultConfig('/'), preset: 'strict' as const, levels: {}, project }
    const { findings } = await makeAnalyser(settings).analyse('src/test/java/CartTest.java', source, 'java')
    expect(findings.some(f => f.ruleId === 'serial-group-mismatch')).toBe(expected)
  })
})
