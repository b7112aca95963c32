// Runners from npm, played with made-up answers: how they are recognised and found, and what they ask for.

import { describe, expect, test } from 'vitest'
import type { Runner } from '../src/confirm/runner.ts'
import { jest } from '../src/confirm/runners/jest/jest.ts'
import { mocha } from '../src/confirm/runners/mocha/mocha.ts'
import { commandLineOf, matching } from '../src/confirm/runners/node-test/command-line.ts'
import { nodeTest } from '../src/confirm/runners/node-test/node-test.ts'
import { playwright } from '../src/confirm/runners/playwright/playwright.ts'
import { commandsIn, saidTo } from '../src/confirm/runners/scripts.ts'
import { vitest } from '../src/confirm/runners/vitest/vitest.ts'
import { madeUpPlace } from './confirm-made-up-place.ts'

const manifest = (content: object) => ({ 'package.json': JSON.stringify(content) })
const installed = (name: string, version: string, bin: object) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version, bin }),
})

describe('detection', () => {
  const cases: readonly [string, Runner, Record<string, string>, RegExp][] = [
    ['a dependency', jest, manifest({ devDependencies: { jest: '^30' } }), /jest is a dependency in package\.json/],
    ['a key', jest, manifest({ jest: {} }), /configures it under "jest"/],
    ['a file', vitest, { 'vitest.config.mts': '' }, /vitest\.config\.mts configures it/],
    ['a configuration of Vite that names vitest', vitest, { 'vite.config.ts': "import 'vitest/config'" }, /vite\.config\.ts names vitest/],
    ['a hidden file', mocha, { '.mocharc.yml': '' }, /\.mocharc\.yml configures it/],
    ['a script', nodeTest, manifest({ scripts: { test: 'node --test' } }), /the script "test" .* runs node --test/],
    ['an import', nodeTest, { 'test/a.mjs': "import test from 'node:test'\n" }, /test\/a\.mjs imports node:test/],
    ['a configuration', playwright, { 'playwright.config.ts': '' }, /playwright\.config\.ts configures it/],
  ]
  test.each(cases)('by %s', (_, runner, files, reason) => {
    expect(runner.detect(madeUpPlace(files))?.reasons.join()).toMatch(reason)
  })

  test('goes into the only package that uses the runner, and guesses among several no more', () => {
    const web = { 'web/package.json': JSON.stringify({ devDependencies: { jest: '30' } }) }
    expect(jest.detect(madeUpPlace(web))).toMatchObject({ folder: 'web' })
    expect(jest.detect(madeUpPlace({ ...web, 'api/package.json': web['web/package.json'] }))).toBeNull()
  })

  test.each([jest, vitest, mocha, playwright, nodeTest])('$id does not see itself everywhere', runner => {
    expect(runner.detect(madeUpPlace({ ...manifest({ scripts: { test: 'tap' } }), 'test/a.js': 'ok()' }))).toBeNull()
  })
})

describe('what is installed', () => {
  const detection = { reasons: [], folder: '' }

  test('is looked for up the folders, and missed with a way out', async () => {
    await expect(jest.prepare!(madeUpPlace({}), detection)).rejects.toThrow(
      "jest is not installed for /project: install the project's packages first",
    )
    await expect(
      jest.prepare!(madeUpPlace({ '/node_modules/jest/package.json': '{"version":"30.1.0","bin":{"jest":"bin/jest.js"}}' }), detection),
    ).resolves.toMatchObject({ bin: '/node_modules/jest/bin/jest.js' })
  })

  test.each([[jest, 'jest', '26.6.3'], [vitest, 'vitest', '1.6.0'], [mocha, 'mocha', '7.2.0']] as const)(
    '$0.title that is too old is said so',
    async (runner, name, version) => {
      await expect(runner.prepare!(madeUpPlace(installed(name, version, { [name]: 'x.js' })), detection)).rejects.toThrow(
        /confirm needs \w+ \d+ or later/,
      )
    },
  )
})

describe('a run', () => {
  const hostile = 'a.test.js > $(touch pwned) `x` ; "q" [param-0] new\nline'
  const target = { id: hostile, file: 'a.test.js', name: hostile.slice(12) }
  const detection = { reasons: [], folder: '' }
  const runners = [[jest, 'jest', '30.0.0'], [vitest, 'vitest', '4.1.0'], [mocha, 'mocha', '12.0.0']] as const

  test.each(runners)('of $0.title hands the name to a file, never to a command line', async (runner, name, version) => {
    const place = madeUpPlace(installed(name, version, { [name]: 'bin.js' }), (_, say) => {
      say('records.jsonl', { n: '1', id: hostile, outcome: 'pass' })
      return {}
    })
    const report = await runner.run(place, detection, await runner.prepare!(place, detection), { tests: [target], parallel: false })
    expect(report.records).toMatchObject([{ id: hostile, outcome: 'pass' }])
    expect(report.broken).toBeUndefined()
    expect(place.commands.flatMap(c => c.argv).join(' ')).not.toContain('pwned')
    expect(JSON.parse(place.files.get('/temp/plan.json')!)).toMatchObject({
      root: '/project',
      mode: 'run',
      parts: [{ file: 'a.test.js', ids: [hostile] }],
    })
  })

  test.each(runners)('of $0.title that tells nothing is broken, whatever its status', async (runner, name, version) => {
    const place = madeUpPlace(installed(name, version, { [name]: 'bin.js' }))
    const report = await runner.run(place, detection, await runner.prepare!(place, detection), { tests: [target], parallel: false })
    expect(report).toMatchObject({ records: [], broken: expect.stringContaining('reported no test') as unknown })
  })

  test('of node:test fails the last test of a process that fails though its tests passed', async () => {
    const place = madeUpPlace(manifest({ scripts: { test: 'node --test' } }), (command, say) => {
      if (command.argv.includes('--version')) return { stdout: 'v22.1.0\n' }
      say('records-0.jsonl', { n: '1', id: hostile, outcome: 'pass' })
      return { code: 1, stderr: 'late error' }
    })
    const report = await nodeTest.run(place, detection, await nodeTest.prepare!(place, detection), { tests: [target], parallel: false })
    expect(report.records).toMatchObject([{ outcome: 'fail', message: expect.stringContaining('late error') as unknown }])
  })

  test('of Playwright is given ids of its own', async () => {
    const place = madeUpPlace(installed('@playwright/test', '1.65.0', { playwright: 'cli.js' }), (command, say) => {
      if (command.argv.includes('--list')) say('records.jsonl', { listed: target, key: 'k-1' })
      else say('records.jsonl', { n: 'k-1', id: hostile, outcome: 'pass', attempts: 2 })
      return {}
    })
    const prepared = await playwright.prepare!(place, detection)
    expect(await playwright.list(place, detection, prepared)).toEqual([target])
    const report = await playwright.run(place, detection, prepared, { tests: [target], parallel: false })
    expect(report.records).toMatchObject([{ id: hostile, outcome: 'pass', attempts: 2 }])
    expect(JSON.parse(place.files.get('/temp/results/.last-run.json')!)).toMatchObject({ failedTests: ['k-1'] })
  })
})

describe('scripts', () => {
  test('are split into commands and words as a shell would', () => {
    expect(commandsIn(`NODE_ENV=test c8 mocha 'test/**/*.js' --grep="a b" && echo "d\\"one"; ls`)).toEqual([
      ['NODE_ENV=test', 'c8', 'mocha', 'test/**/*.js', '--grep=a b'],
      ['echo', 'd"one'],
      ['ls'],
    ])
  })

  test('say what a command is told', () => {
    const place = madeUpPlace(manifest({ scripts: { unit: 'mocha lib', test: 'npm run lint && TZ=UTC mocha test --exit' } }))
    expect(saidTo(place, '', 'mocha')).toEqual({ script: 'test', args: ['test', '--exit'], env: { TZ: 'UTC' } })
    expect(saidTo(place, '', 'node', '--test')).toBeUndefined()
  })

  test('of node --test keep what every process needs', () => {
    const said = {
      script: 'test',
      args: ['--import', 'tsx', '--test', '--test-concurrency', '1', '--test-only', '--env-file=.env', 'test/*.test.ts'],
      env: {},
    }
    const place = madeUpPlace({ 'test/b.test.ts': '', 'test/a.test.ts': '', 'test/deep/c.test.ts': '', 'test/a.ts': '' })
    expect(commandLineOf(place, '', said, 22)).toEqual({
      flags: ['--import', 'tsx', '--env-file=.env'],
      files: ['test/*.test.ts'],
      env: {},
    })
    expect(commandLineOf(place, '', said, 20).files).toEqual(['test/a.test.ts', 'test/b.test.ts'])
    expect(matching(place, '', 'test/**/*.test.{ts,js}')).toEqual(['test/a.test.ts', 'test/b.test.ts', 'test/deep/c.test.ts'])
  })
})
