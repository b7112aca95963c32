// From an empty folder, with the real ESLint, oxlint and typescript-eslint: what README.md and docs/editors.md say, word for word.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
let scratch: string, archive: string

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'flakesniff-e2e-eslint-'))
  npm(['pack', '--ignore-scripts', '--pack-destination', scratch], root)
  archive = join(scratch, readdirSync(scratch).find(f => f.endsWith('.tgz'))!)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const npm = (args: readonly string[], cwd: string) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund'], { cwd, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })

function install(name: string, packages: readonly string[]): string {
  const folder = join(scratch, name)
  mkdirSync(folder)
  npm(['install', archive, ...packages], folder)
  for (const [file, text] of Object.entries(SLEEPY)) writeFileSync(join(folder, file), text)
  return folder
}

const SLEEPY = {
  'ATest.java':
    'import org.junit.jupiter.api.Test;\n\nclass ATest {\n    @Test\n    void a() throws Exception {\n        Thread.sleep(1000);\n        org.junit.jupiter.api.Assertions.assertTrue(job.done());\n    }\n}\n',
  'a.bats': '@test "a" {\n  start_job\n  sleep 1\n  [ -f done ]\n}\n',
  'a.test.js':
    "import { setTimeout as sleep } from 'node:timers/promises'\n\ntest('a', async () => {\n  await sleep(1000)\n  expect(job.done).toBe(true)\n})\n",
  'a.test.ts':
    "import { setTimeout as sleep } from 'node:timers/promises'\n\ntest('a', async (): Promise<void> => {\n  await sleep(1000)\n  expect(job!.done as boolean).toBe(true)\n})\n",
  'a_test.go':
    'package a\n\nimport (\n\t"testing"\n\t"time"\n)\n\nfunc TestA(t *testing.T) {\n\ttime.Sleep(time.Second)\n\tif !job.Done() {\n\t\tt.Fatal("no")\n\t}\n}\n',
  'a_test.rs': '#[test]\nfn a() {\n    std::thread::sleep(std::time::Duration::from_secs(1));\n    assert!(job().done());\n}\n',
  'test_a.py': 'import time\n\ndef test_a(job):\n    time.sleep(1)\n    assert job.done\n',
}
const PLACES = {
  'ATest.java': '6:9',
  'a.bats': '3:3',
  'a.test.js': '4:9',
  'a.test.ts': '4:9',
  'a_test.go': '9:2',
  'a_test.rs': '3:5',
  'test_a.py': '4:5',
}
const expected = (files = Object.keys(PLACES)) =>
  Object.entries(PLACES).filter(([file]) => files.includes(file)).map(([file, place]) => `${file}:${place} flakesniff/fixed-sleep`)

/** The fence of a page whose first line, or whose language, is this. */
function linesOf(page: string, first: RegExp): string {
  const fences = [...readFileSync(join(root, page), 'utf8').matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(m => m[1]!)
  const found = fences.filter(f => first.test(f))
  expect(found, `${page} has one fence with ${first}`).toHaveLength(1)
  return found[0]!
}

function node(folder: string, script: string, args: readonly string[]) {
  const run = spawnSync(process.execPath, [join(folder, 'node_modules', script), ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  return { ...run, all: `${run.stdout}${run.stderr}` }
}

interface Message {
  readonly ruleId: string | null
  readonly line: number
  readonly column: number
  readonly message: string
}

function eslint(folder: string, args: readonly string[] = ['.']): string[] {
  const run = node(folder, 'eslint/bin/eslint.js', ['--format', 'json', ...args])
  expect(run.stderr).toBe('')
  const results = JSON.parse(run.stdout) as { filePath: string; messages: Message[] }[]
  return results.flatMap(r => r.messages.map(m => `${relative(folder, r.filePath)}:${m.line}:${m.column} ${m.ruleId ?? m.message}`)).sort()
}

const configure = (folder: string, name: string, text: string) => {
  for (const old of readdirSync(folder).filter(f => f.startsWith('eslint.config.'))) rmSync(join(folder, old))
  writeFileSync(join(folder, name), text)
}

describe.each(['9.15.0', '9', '10'])('ESLint %s', version => {
  let folder: string
  beforeAll(() => {
    folder = install(`eslint-${version}`, [`eslint@${version}`, `@eslint/js@${version}`])
  })

  test('with the lines of the README finds what flakesniff finds, in six languages', () => {
    configure(folder, 'eslint.config.mjs', linesOf('README.md', /^\/\/ eslint\.config\.mjs/))
    expect(eslint(folder)).toEqual(expected())
    const { stdout } = node(folder, 'flakesniff/bin/flakesniff.js', ['--format', 'json', '--no-trace'])
    const { findings } = JSON.parse(stdout) as { findings: { file: string; startLine: number; startColumn: number; ruleId: string }[] }
    expect(
      findings.filter(f => !f.file.startsWith('eslint')).map(f => `${f.file}:${f.startLine}:${f.startColumn} flakesniff/${f.ruleId}`)
        .sort(),
    ).toEqual(expected())
  })

  test('is not ended by rules of JavaScript that are configured for all files', () => {
    configure(folder, 'eslint.config.mjs', [
      "import js from '@eslint/js'",
      "import python from 'flakesniff/python'",
      "import bash from 'flakesniff/bash'",
      'export default [js.configs.recommended, js.configs.all, ...python.configs.recommended, ...bash.configs.recommended]',
    ].join('\n'))
    expect(eslint(folder, ['test_a.py', 'a.bats'])).toEqual(expected(['test_a.py', 'a.bats']))
  })

  test("obeys ESLint's comments and ours, and removes what nobody needs", () => {
    configure(folder, 'eslint.config.mjs',
      "import python from 'flakesniff/python'\nexport default [...python.configs.recommended, { linterOptions: { reportUnusedDisableDirectives: 'warn' } }]\n")
    const silenced = (comment: string) => SLEEPY['test_a.py'].replace('    time', `    # ${comment}\n    time`)
    writeFileSync(join(folder, 'test_b.py'), silenced('eslint-disable-next-line flakesniff/fixed-sleep -- why'))
    writeFileSync(join(folder, 'test_c.py'), silenced('flakesniff-disable-next-line fixed-sleep -- why'))
    writeFileSync(join(folder, 'test_d.py'), `# eslint-disable-next-line flakesniff/fixed-sleep -- nothing there\n${SLEEPY['test_a.py']}`)
    expect(eslint(folder, ['test_b.py', 'test_c.py', 'test_d.py', '--fix'])).toEqual(['test_d.py:5:5 flakesniff/fixed-sleep'])
    expect(readFileSync(join(folder, 'test_d.py'), 'utf8').trimStart()).toBe(SLEEPY['test_a.py'])
  })

  test('keeps its cache, and reads the configuration for CommonJS', () => {
    configure(folder, 'eslint.config.cjs', linesOf('docs/editors.md', /^\/\/ eslint\.config\.cjs/))
    for (const _ of ['cold', 'warm']) expect(eslint(folder, ['a.test.js', '--cache'])).toEqual(expected(['a.test.js']))
  })
})

describe('a language alone', () => {
  test('loads nothing of the others', () => {
    const folder = install('alone', ['eslint@10'])
    configure(folder, 'eslint.config.mjs', "import python from 'flakesniff/python'\nexport default python.configs.recommended\n")
    for (const other of ['java', 'go', 'rust', 'bash']) rmSync(join(folder, `node_modules/flakesniff/grammars/tree-sitter-${other}.wasm`))
    rmSync(join(folder, 'node_modules/oxc-parser'), { recursive: true })
    expect(eslint(folder)).toEqual(expected(['test_a.py']))
  })
})

describe('typescript-eslint', () => {
  test('with the lines of the docs: its tree is used', () => {
    const folder = install('typescript-eslint', ['eslint@10', 'typescript-eslint@8', 'typescript@5'])
    configure(folder, 'eslint.config.mjs', linesOf('docs/editors.md', /^\/\/ eslint\.config\.mjs/))
    expect(eslint(folder)).toContain(expected(['a.test.ts'])[0])
    // Ours is loaded, but not asked: the tree is there already.
    writeFileSync(join(folder, 'node_modules/oxc-parser/src-js/index.js'),
      "export const parseSync = () => { throw new Error('parsed twice') }\n")
    expect(eslint(folder, ['a.test.js', 'a.test.ts']).filter(m => m.includes('flakesniff/'))).toEqual(expected(['a.test.js', 'a.test.ts']))
  })

  test('types of the plugin fit defineConfig', () => {
    const folder = join(scratch, 'typescript-eslint')
    writeFileSync(join(folder, 'eslint.config.check.mts'), [
      "import { defineConfig } from 'eslint/config'",
      "import flakesniff from 'flakesniff/eslint'",
      "import python from 'flakesniff/python'",
      "export default defineConfig([flakesniff.configs.recommended, python.configs.strict, { plugins: { flakesniff }, rules: { 'flakesniff/fixed-sleep': 'error' } }])",
    ].join('\n'))
    const run = node(folder, 'typescript/bin/tsc', [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      'eslint.config.check.mts',
    ])
    expect(run.all).toBe('')
    rmSync(join(folder, 'eslint.config.check.mts'))
  })
})

describe('oxlint', () => {
  test('with the lines of the docs runs the plugin, without ESLint', () => {
    const folder = install('oxlint', ['oxlint@1'])
    expect(readdirSync(join(folder, 'node_modules'))).not.toContain('eslint')
    writeFileSync(join(folder, '.oxlintrc.json'), linesOf('docs/editors.md', /^\{ "extends"/))
    const run = node(folder, 'oxlint/bin/oxlint', ['--format', 'json', 'a.test.js', 'a.test.ts'])
    const { diagnostics } = JSON.parse(run.stdout) as {
      diagnostics: { code: string; filename: string; labels: { span: { line: number; column: number } }[] }[]
    }
    const found = diagnostics.filter(d => d.code.startsWith('flakesniff')).map(d =>
      `${d.filename}:${d.labels[0]!.span.line}:${d.labels[0]!.span.column} ${d.code.replace(/\((.*)\)/, '/$1')}`
    ).sort()
    expect(found).toEqual(expected(['a.test.js', 'a.test.ts']))
    writeFileSync(join(folder, 'b.test.js'),
      SLEEPY['a.test.js'].replace('  await', '  // flakesniff-disable-next-line fixed-sleep -- why\n  await'))
    writeFileSync(join(folder, 'c.test.js'),
      SLEEPY['a.test.js'].replace('  await', '  // eslint-disable-next-line flakesniff/fixed-sleep -- why\n  await'))
    expect(node(folder, 'oxlint/bin/oxlint', ['b.test.js', 'c.test.js']).all).not.toContain('flakesniff')
  })
})
