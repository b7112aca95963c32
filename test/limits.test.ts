import { expect, test } from 'vitest'
import { defaultConfig } from '../src/config/config.ts'
import { checkConfiguration } from '../src/engine/configuration.ts'
import { readProject } from '../src/project/project.ts'
import { readLimits } from '../src/project/limits.ts'

const limits = (path: string, text: string) =>
  readLimits([{ path, text }]).map(l => `${text.slice(l.span.start, l.span.end)}: ${l.whom} ${l.ms}`)

test.each<[string, string, string[]]>([
  ['jest.config.js', 'module.exports = { testTimeout: 50 }\n', ['50: every test 50']],
  ['vitest.config.ts', 'export default { test: { hookTimeout: 1_00 } }\n', ['1_00: every hook 100']],
  ['playwright.config.ts', 'export default { timeout: 30_000, expect: { timeout: 80 } }\n', ['80: every assertion 80']],
  ['.mocharc.json', '{ "timeout": "20" }\n', ['20: every test 20']],
  ['package.json', '{ "jest": { "testTimeout": 40 } }\n', ['"testTimeout": every test 40']],
  ['src/test/resources/junit-platform.properties', 'junit.jupiter.execution.timeout.default = 50 ms\n', ['50: every test 50']],
  ['pytest.ini', '[pytest]\ntimeout = 0.2\n', ['0.2: every test 200']],
  ['jest.config.js', 'module.exports = { testTimeout: 5000 }\n', []],
  ['jest.config.js', 'module.exports = { testTimeout: 60 * 1000 }\n', []],
  ['jest.config.js', 'module.exports = {\n  // testTimeout: 50,\n}\n', []],
  ['vitest.config.ts', 'export default { test: { testTimeout: 0 } }\n', []],
  ['src/test/resources/junit-platform.properties', 'junit.jupiter.execution.timeout.default = 5\n', []],
  ['examples/jest.config.js', 'module.exports = { testTimeout: 50 }\n', []],
])('%s %j', (path, text, expected) => {
  expect(limits(path, text)).toEqual(expected)
})

test('a tight limit for every test is told where it stands', () => {
  const files = [{ path: 'jest.config.js', text: 'module.exports = {\n  testTimeout: 50,\n}\n' }]
  const { findings } = checkConfiguration(files, { config: defaultConfig('/'), preset: 'strict', levels: {}, project: readProject(files) })
  expect(findings).toMatchObject([{
    ruleId: 'tight-timeout',
    startLine: 2,
    confidence: 'medium',
    message: 'gives every test 50 ms of real time: a busy machine needs longer',
  }])
})
