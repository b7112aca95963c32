import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../src/config/config.ts'
import { checkConfiguration } from '../src/engine/configuration.ts'
import type { Settings } from '../src/engine/settings.ts'
import { readProject } from '../src/project/project.ts'
import { readRetries } from '../src/project/retries.ts'
import type { Preset } from '../src/rules/rule.ts'

const retries = (path: string, text: string) =>
  readRetries([{ path, text }]).map(r => `${text.slice(0, r.span.start).split('\n').length} ${r.how}${r.times ? `: ${r.times}` : ''}`)

describe('runs failed tests again', () => {
  test.each<[string, string, string]>([
    [
      'playwright.config.ts',
      'export default {\n  retries: process.env.CI ? 2 : 0,\n}\n',
      '2 retries of Playwright: process.env.CI ? 2 : 0',
    ],
    ['vitest.config.ts', 'export default {\n  test: { retry: 3 },\n}\n', '2 retry of Vitest: 3'],
    [
      'cypress.config.js',
      'module.exports = {\n  retries: { runMode: 2, openMode: 0 },\n}\n',
      '2 retries of Cypress: { runMode: 2, openMode: 0 }',
    ],
    ['.mocharc.yml', 'retries: 2\n', '1 retries of Mocha: 2'],
    ['package.json', '{\n  "mocha": {\n    "retries": 2\n  }\n}\n', '3 retries of Mocha: 2'],
    ['package.json', '{ "scripts": { "test": "vitest run --retry=2" } }\n', '1 vitest --retry: 2'],
    ['.config/nextest.toml', '[profile.ci]\nretries = 2\n', '2 retries of nextest: 2'],
    ['pom.xml', '<plugin>\n  <rerunFailingTestsCount>2</rerunFailingTestsCount>\n</plugin>\n', '2 rerunFailingTestsCount of surefire: 2'],
    [
      'pom.xml',
      '<reruns>3</reruns>\n<rerunFailingTestsCount>${reruns}</rerunFailingTestsCount>\n',
      '2 rerunFailingTestsCount of surefire: 3',
    ],
    [
      'pom.xml',
      '<surefire.rerunFailingTestsCount>0</surefire.rerunFailingTestsCount>\n<rerunFailingTestsCount>${surefire.rerunFailingTestsCount}</rerunFailingTestsCount>\n<profile>\n<surefire.rerunFailingTestsCount>1</surefire.rerunFailingTestsCount>\n</profile>\n',
      '4 rerunFailingTestsCount of surefire: 1',
    ],
    ['build.gradle.kts', 'tasks.test {\n  retry {\n    maxRetries.set(3)\n  }\n}\n', '3 Gradle’s test-retry: 3'],
    ['pytest.ini', '[pytest]\naddopts = -q --reruns 2\n', '2 pytest --reruns: 2'],
    ['pyproject.toml', '[tool.pytest.ini_options]\naddopts = ["-q", "--reruns", "2"]\n', '2 pytest --reruns: 2'],
    ['tox.ini', '[testenv]\ncommands =\n    pytest -q --force-flaky --max-runs=3 tests\n', '3 pytest --force-flaky: 3'],
    ['Makefile', 'test:\n\tpytest --force-flaky\n', '2 pytest --force-flaky'],
    ['Makefile', 'test:\n\tgotestsum --rerun-fails=2 ./...\n', '2 gotestsum --rerun-fails: 2'],
    ['Makefile', 'test:\n\tgo test ./... || go test ./...\n', '2 a second run after ||'],
    ['.travis.yml', 'script:\n  - travis_retry pytest tests\n', '2 travis_retry'],
    [
      '.github/workflows/ci.yml',
      'jobs:\n  t:\n    steps:\n      - uses: nick-fields/retry@v3\n        with:\n          max_attempts: 3\n          command: npm test\n',
      '4 nick-fields/retry: 3',
    ],
    [
      '.github/workflows/ci.yml',
      'jobs:\n  t:\n    steps:\n      - run: pytest\n        continue-on-error: true\n',
      '5 continue-on-error on a step that runs tests',
    ],
    ['.gitlab-ci.yml', 'unit:\n  script:\n    - cargo test\n  retry: 2\n', '4 retry of the job: 2'],
    ['.github/workflows/ci.yml', 'steps:\n  - run: for i in 1 2 3; do cargo test && break; done\n', '2 a loop around the tests'],
    [
      '.github/workflows/ci.yml',
      'steps:\n  - run: |\n      for n in 1 2; do\n        if bats test; then\n          exit 0\n        fi\n      done\n',
      '4 a loop around the tests',
    ],
    [
      '.github/workflows/ci.yml',
      'steps:\n  - run: |\n      for n in 1 2; do\n        npm test && break\n        sleep 5\n      done\n',
      '4 a loop around the tests',
    ],
    ['Makefile', 'test:\n\twhile ! go test ./...; do sleep 1; done\n', '2 a loop around the tests'],
  ])('%s %j', (path, text, expected) => {
    expect(retries(path, text)).toEqual([expected])
  })
})

describe('says nothing of it', () => {
  test.each<[string, string]>([
    ['playwright.config.ts', 'export default {\n  retries: 0,\n}\n'],
    ['playwright.config.ts', 'export default {\n  // retries: 2,\n}\n'],
    ['.config/nextest.toml', '[profile.default]\nretries = 0\n'],
    ['package.json', '{ "scripts": { "start": "shop --retries 3" }, "retries": 3 }\n'],
    ['.github/workflows/ci.yml', 'jobs:\n  t:\n    steps:\n      - uses: nick-fields/retry@v3\n        with:\n          command: npm ci\n'],
    ['.github/workflows/ci.yml', 'jobs:\n  t:\n    steps:\n      - run: npm run lint\n        continue-on-error: true\n'],
    ['.github/workflows/ci.yml', 'jobs: [\n  { broken: : :\n continue-on-error: true\n'],
    ['examples/.mocharc.yml', 'retries: 2\n'],
    ['Makefile', 'wait:\n\tfor i in 1 2 3; do curl -f localhost && break; done\n'],
    ['Makefile', 'stress:\n\tfor i in 1 2 3; do \\\n\t  go test ./... || break; \\\n\tdone\n'],
    ['ci.sh', 'for n in 1 2; do\n  up && break\ndone\nif go test ./...; then\n  exit 0\nfi\n'],
    ['build.gradle.kts', 'retry {\n  maxRetries.set(2)\n  failOnPassedAfterRetry.set(true)\n}\n'],
    ['playwright.config.ts', 'export default {\n  retries: 2,\n  failOnFlakyTests: !!process.env.CI,\n}\n'],
    ['playwright.config.js', "const retries = Number(process.env.PLAYWRIGHT_RETRIES || '0')\nmodule.exports = { retries }\n"],
    ['pom.xml', '<rerunFailingTestsCount>2</rerunFailingTestsCount>\n<failOnFlakeCount>1</failOnFlakeCount>\n'],
    ['pom.xml', '<reruns>0</reruns>\n<rerunFailingTestsCount>${reruns}</rerunFailingTestsCount>\n'],
  ])('%s %j', (path, text) => {
    expect(retries(path, text)).toEqual([])
  })
})

describe('a finding in configuration', () => {
  const check = (text: string, preset: Preset, path = '.config/nextest.toml') => {
    const files = [{ path, text }]
    const settings: Settings = { config: defaultConfig('/'), preset, levels: {}, project: readProject(files) }
    const { findings, suppressed } = checkConfiguration(files, settings)
    return { said: findings.map(f => `${f.file}:${f.startLine} ${f.severity} ${f.ruleId}`), suppressed: suppressed.length }
  }

  test('stands on its line, as a note', () => {
    expect(check('[profile.ci]\nretries = 2\n', 'recommended').said).toEqual(['.config/nextest.toml:2 note retry-masks-flake'])
  })

  test('is silenced by a comment with a reason', () => {
    const text = '[profile.ci]\n# flakesniff-disable-next-line retry-masks-flake -- until the fleet has moved\nretries = 2\n'
    expect(check(text, 'recommended')).toEqual({ said: [], suppressed: 1 })
    expect(check('# flakesniff-disable-next-line retry-masks-flake -- why\nretries = 0\n', 'strict').said).toEqual([
      '.config/nextest.toml:1 warning unused-suppression',
    ])
  })

  test('is shown by the preset that its confidence asks for', () => {
    const text = 'steps:\n  - run: pytest\n    continue-on-error: true\n'
    expect(check(text, 'recommended', '.github/workflows/ci.yml').said).toEqual([])
    expect(check(text, 'strict', '.github/workflows/ci.yml').said).toEqual(['.github/workflows/ci.yml:3 note retry-masks-flake'])
  })
})
