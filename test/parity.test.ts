// One answer everywhere: the command, the library, ESLint, the language server and the MCP server over the same copy of the fixtures.

import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ESLint, type Linter } from 'eslint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lint, type Preset, type Report } from '../src/index.ts'
import flakesniff from '../src/surfaces/eslint/index.ts'
import bash from '../src/surfaces/eslint/languages/bash.ts'
import go from '../src/surfaces/eslint/languages/go.ts'
import java from '../src/surfaces/eslint/languages/java.ts'
import python from '../src/surfaces/eslint/languages/python.ts'
import rust from '../src/surfaces/eslint/languages/rust.ts'
import typescript from '../src/surfaces/eslint/languages/typescript.ts'
import { startClient } from './language-client.ts'
import { startServer, type Served } from './mcp-client.ts'
import { copyOfFixtures, differences, normal, type Told } from './parity.ts'
import { BIN } from './repository.ts'

const { folder, projects, remove } = copyOfFixtures(/-shop$|^trace-/)
let served: Served
beforeAll(async () => {
  served = await startServer(folder)
})
afterAll(async () => {
  await served.close()
  remove()
})

const command = (...args: readonly string[]) =>
  JSON.parse(
    spawnSync(process.execPath, [BIN, ...args, '--format', 'json'], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout,
  ) as Report

async function overMcp(given: Record<string, unknown>): Promise<Pick<Report, 'schemaVersion' | 'summary' | 'findings' | 'notices'>> {
  const { envelope } = await served.call('lint', given)
  return envelope.ok ? envelope.result as Report : expect.fail(envelope.error.message)
}

async function overEslint(preset: Preset): Promise<Told[]> {
  const config = [flakesniff, python, java, go, rust, bash, typescript].flatMap((plugin): Linter.Config[] => plugin.configs[preset])
  const eslint = new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: config, errorOnUnmatchedPattern: false })
  const results = await eslint.lintFiles(['.'])
  return results.flatMap(({ filePath, messages }) =>
    messages.map(m => ({
      file: filePath,
      startLine: m.line,
      startColumn: m.column,
      endLine: m.endLine ?? m.line,
      endColumn: m.endColumn ?? m.column,
      ruleId: (m.ruleId ?? 'none').replace('flakesniff/', ''),
      message: m.message,
    }))
  )
}

async function overLsp(preset: Preset): Promise<Told[]> {
  const client = await startClient({ folder, initializationOptions: { preset } })
  const told: Told[] = []
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isCode)) {
    await client.open(file, readFileSync(join(folder, file), 'utf8'))
    const { diagnostics } = await client.diagnostics(d => d.uri === client.uri(file))
    for (const { range: { start, end }, code, message } of diagnostics)
      told.push({
        file,
        startLine: start.line + 1,
        startColumn: start.character + 1,
        endLine: end.line + 1,
        endColumn: end.character + 1,
        ruleId: String(code),
        message: String(message),
      })
  }
  expect(await client.end()).toBe(0)
  return told
}

/** They follow nothing across files, and speak of code, not of settings. The first is what the others are held against. */
const ONE_FILE_AT_A_TIME: Readonly<Record<string, (preset: Preset) => Promise<readonly Told[]>>> = {
  'the command': async preset => command('.', '--preset', preset, '--no-trace').findings,
  'the library': async preset => (await lint({ cwd: folder, preset, trace: false })).findings,
  'ESLint': overEslint,
  'the language server': overLsp,
}

test('the copy holds projects of all languages, and nothing of where it lies is told', async () => {
  expect(projects).toHaveLength(12)
  const report = command('.', '--preset', 'audit')
  expect(Object.keys(report.summary.tests)).toEqual(['bash', 'go', 'java', 'python', 'rust', 'typescript'])
  expect(JSON.stringify(report)).not.toContain(folder)
  expect(JSON.stringify(await overMcp({ paths: ['.'], preset: 'audit' }))).not.toContain(folder)
})

describe.each(['recommended', 'audit'] as const)('at %s', preset => {
  test('the command, the library and the MCP server give the same report', async () => {
    const printed = command('.', '--preset', preset)
    expect(printed.findings.length).toBeGreaterThan(20)
    expect(await lint({ cwd: folder, preset })).toEqual(printed)
    const { schemaVersion, summary, findings, notices } = printed
    expect(await overMcp({ paths: ['.'], preset })).toEqual({ schemaVersion, summary, findings, notices })
  })

  test('the surfaces that show one file at a time tell what the command tells of each file', async () => {
    const answers = await Promise.all(
      Object.entries(ONE_FILE_AT_A_TIME).map(async ([name, ask]) =>
        [name, normal((await ask(preset)).filter(f => isCode(f.file)), folder)] as const
      ),
    )
    expect(answers[0]![1].length).toBeGreaterThan(20)
    expect(differences(Object.fromEntries(answers))).toEqual([])
  })
})

describe('the comparison itself', () => {
  const finding: Told = {
    file: 'a/test_a.py',
    startLine: 4,
    startColumn: 5,
    endLine: 4,
    endColumn: 18,
    ruleId: 'fixed-sleep',
    message: 'waits',
  }
  const told = (...findings: readonly Told[]) => normal(findings, folder)

  test('sees nothing where only the spelling of a path or the order differs', () => {
    const other = { ...finding, startLine: 9, endLine: 9 }
    expect(differences({ one: told(finding, other), two: told(other, { ...finding, file: `${folder}/a/test_a.py` }) })).toEqual([])
  })

  test.each<[string, readonly Told[]]>([
    ['lost', []],
    ['there twice', [finding, finding]],
    ['of another rule', [{ ...finding, ruleId: 'skipped-test' }]],
    ['a line off', [{ ...finding, startLine: 5 }]],
    ['a column short', [{ ...finding, endColumn: 17 }]],
    ['in another file', [{ ...finding, file: 'b/test_a.py' }]],
    ['worded differently', [{ ...finding, message: 'waits.' }]],
  ])('reports a finding that is %s', (_, changed) => {
    expect(differences({ one: told(finding), two: told(...changed) })).not.toEqual([])
  })

  test('fails when a real answer is made to differ', async () => {
    const [first, ...rest] = (await lint({ cwd: folder, paths: ['python-shop'], preset: 'audit', trace: false })).findings
    const printed = command('python-shop', '--preset', 'audit', '--no-trace').findings
    const shifted = normal([{ ...first!, startColumn: first!.startColumn + 1 }, ...rest], folder)
    expect(differences({ 'the command': normal(printed, folder), 'the library': shifted })).toEqual([
      `the library does not tell what the command tells: ${normal([first!], folder)[0]}`,
      `the library tells what the command does not tell: ${normal([{ ...first!, startColumn: first!.startColumn + 1 }], folder)[0]}`,
    ])
  })
})

const isCode = (file: string): boolean => /\.(py|[cm]?[jt]sx?|java|go|rs|sh|bash|bats)$/.test(file)
