// `flakesniff init`: what it proposes for which repository, what it keeps, and that twice is once.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse as parseJson } from 'jsonc-parser'
import { parseSync } from 'oxc-parser'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { proposeSetup } from '../src/init/init.ts'
import { init } from '../src/surfaces/cli/init.ts'

const bin = fileURLToPath(new URL('../bin/flakesniff.js', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-init-'))
  write('tests/test_a.py', 'def test_a():\n    assert 1\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const flakesniff = (...args: readonly string[]) =>
  spawnSync(process.execPath, [bin, 'init', ...args], { cwd: folder, input: '', encoding: 'utf8' })
const proposal = async (path: string) => (await proposeSetup(folder, '1.2.3', 'recommended')).proposals.find(p => p.path === path)

describe('hooks', () => {
  test('pre-commit gets one more repo; comments and what follows stay', async () => {
    const text =
      '# hooks\nrepos:\n  - repo: https://example.org/x\n    rev: v1\n    hooks:\n      - id: a # first\n\n# later\nci:\n  skip: [a]\n'
    write('.pre-commit-config.yaml', text)
    const { after } = (await proposal('.pre-commit-config.yaml'))!
    const [one, two] = text.split('\n\n# later')
    expect(after.startsWith(`${one}\n  - repo: local\n`)).toBe(true)
    expect(after.endsWith(`\n\n# later${two}`)).toBe(true)
    expect(parseYaml(after).repos.map((r: { repo: string }) => r.repo)).toEqual(['https://example.org/x', 'local'])
    expect(parseYaml(after).repos[1].hooks[0]).toMatchObject({
      id: 'flakesniff',
      language: 'node',
      additional_dependencies: ['flakesniff@1.2.3'],
      entry: 'flakesniff --staged',
    })
  })

  test('a list without indentation, without an end of line, and one in brackets', async () => {
    write('.pre-commit-config.yaml', 'repos:\n- repo: local\n  hooks: []')
    expect(parseYaml((await proposal('.pre-commit-config.yaml'))!.after).repos).toHaveLength(2)
    write('.pre-commit-config.yaml', 'repos: []\n')
    const { proposals, advice } = await proposeSetup(folder, '1.2.3', 'recommended')
    expect(proposals.map(p => p.path)).toEqual(['flakesniff.json'])
    expect(advice[0]!.lines.join('\n')).toContain('id: flakesniff')
  })

  test('lefthook', async () => {
    write('lefthook.yml', 'pre-commit:\n  parallel: true\n  commands:\n    lint:\n      run: make lint # ours\n')
    const { after } = (await proposal('lefthook.yml'))!
    expect(after).toContain('run: make lint # ours\n    flakesniff:\n')
    expect(Object.keys(parseYaml(after)['pre-commit'].commands)).toEqual(['lint', 'flakesniff'])
  })

  test('lint-staged in package.json, in its own indentation', async () => {
    write('package.json', '{\n\t"name": "shop",\n\t"lint-staged": {\n\t\t"*.md": "prettier"\n\t}\n}\n')
    const { before, after } = (await proposal('package.json'))!
    expect(after).toContain('\n\t\t"*.{js')
    expect({ ...parseJson(after)['lint-staged'] }).toMatchObject({
      '*.md': 'prettier',
      '*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,py,java,go,rs,sh,bash,bats,ksh}': 'flakesniff',
    })
    expect(after.replace(/,\s*"\*\.\{js[^\n]*/, '')).toBe(before)
  })

  test('husky, where nothing else runs the hooks; a new one can be run', () => {
    write('.husky/_/husky.sh', '')
    expect(flakesniff('--yes').status).toBe(0)
    expect(read('.husky/pre-commit')).toBe('npx flakesniff --staged\n')
    expect(statSync(join(folder, '.husky/pre-commit')).mode & 0o111).not.toBe(0)
  })
})

describe('continuous integration', () => {
  test('a workflow of its own where there are workflows, and none where one knows flakesniff', async () => {
    write('.github/workflows/ci.yml', 'on: push\n')
    const { after } = (await proposal('.github/workflows/flakesniff.yml'))!
    expect(parseYaml(after).jobs.flakesniff.steps.map((s: { uses?: string; run?: string }) => s.uses ?? s.run)).toContain(
      'github/codeql-action/upload-sarif@v3',
    )
    write('.github/workflows/ci.yml', 'jobs: { a: { steps: [{ run: npx flakesniff }] } }\n')
    expect(await proposal('.github/workflows/flakesniff.yml')).toBeUndefined()
  })

  test('a job for GitLab, in a stage that there is', async () => {
    write('.gitlab-ci.yml', '# ours\nstages: [check, build]\n\nbuild:\n  stage: build\n  script: make\n')
    const { after, before } = (await proposal('.gitlab-ci.yml'))!
    expect(after.startsWith(before!)).toBe(true)
    expect(parseYaml(after).flakesniff).toMatchObject({
      stage: 'check',
      artifacts: { reports: { codequality: 'gl-code-quality-report.json' } },
    })
  })
})

describe('editors', () => {
  test.each([
    ['a list', "import js from '@eslint/js'\n\nexport default [\n  js.configs.recommended,\n  { rules: {} }, // ours\n]\n"],
    ['a list without a last comma', 'import js from "@eslint/js";\n\nexport default [\n  js.configs.recommended,\n  { rules: {} }\n];\n'],
    ['a list on one line', "import js from '@eslint/js'\nexport default [js.configs.recommended]\n"],
    ['an empty list', 'export default []\n'],
    ['a function of lists', "import { defineConfig } from 'eslint/config'\nexport default defineConfig([\n\t{ rules: {} },\n])\n"],
    ['a function of arguments', "import t from 'typescript-eslint'\nexport default t.config(\n  t.configs.recommended,\n)\n"],
  ])('eslint.config.js that is %s', async (_, text) => {
    write('eslint.config.js', text)
    write('tests/a.test.ts', "import { test } from 'vitest'\ntest('a', () => {})\n")
    const { after } = (await proposal('eslint.config.js'))!
    expect(parseSync('eslint.config.js', after).errors).toEqual([])
    for (const line of text.split('\n').filter(l => l.includes('// ours'))) expect(after).toContain(line)
    expect(after).toMatchSnapshot()
    write('eslint.config.js', after)
    expect(await proposal('eslint.config.js')).toBeUndefined()
  })

  test('one that requires is left to its owner', async () => {
    write('eslint.config.cjs', 'module.exports = [{}]\n')
    const { proposals, advice } = await proposeSetup(folder, '1.2.3', 'strict')
    expect(proposals.map(p => p.path)).toEqual(['flakesniff.json'])
    expect(advice[0]!.lines).toContain('...flakesniffPython.configs.strict,')
  })

  test('VS Code keeps its comments, and the languages that it validated before', async () => {
    write('eslint.config.js', 'export default []\n')
    write('.vscode/settings.json', '{\n  // wide\n  "editor.tabSize": 2, // two\n}\n')
    const { after } = (await proposal('.vscode/settings.json'))!
    expect(after).toContain('// wide\n  "editor.tabSize": 2, // two')
    expect(parseJson(after)['eslint.validate']).toEqual(['javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'python'])
    write('.vscode/settings.json', '{ "eslint.validate": ["vue"] }\n')
    expect(parseJson((await proposal('.vscode/settings.json'))!.after)['eslint.validate']).toEqual(['vue', 'python'])
  })
})

describe('the command', () => {
  const full = () => {
    write('package.json', '{ "name": "shop" }\n')
    write('.pre-commit-config.yaml', 'repos:\n  - repo: local\n    hooks: []\n')
    write('.github/workflows/ci.yml', 'on: push\n')
    write('.gitlab-ci.yml', 'build:\n  script: make\n')
    write('eslint.config.js', 'export default []\n')
    write('.vscode/settings.json', '{}\n')
  }

  test('--yes writes all of it, shows each as a diff, and twice is once', () => {
    full()
    const first = flakesniff('--yes', '--preset', 'strict')
    expect(first.stdout).toContain('--- a/.gitlab-ci.yml\n+++ b/.gitlab-ci.yml\n')
    expect(first.stdout).toContain(
      'wrote flakesniff.json, .pre-commit-config.yaml, .github/workflows/flakesniff.yml, .gitlab-ci.yml, eslint.config.js, .vscode/settings.json',
    )
    expect(parseJson(read('flakesniff.json'))).toEqual({ preset: 'strict' })
    const second = flakesniff('--yes')
    expect(second.status).toBe(0)
    expect(second.stdout).toContain('nothing to set up')
  })

  test('what it writes is a configuration that a run takes', () => {
    flakesniff('--yes')
    const lint = spawnSync(process.execPath, [bin], { cwd: folder, encoding: 'utf8' })
    expect([lint.status, lint.stderr.includes('flakesniff:')]).toEqual([0, false])
  })

  test('with nobody to ask it shows everything, writes nothing and says what would do', () => {
    full()
    const alone = flakesniff()
    expect(alone.status).toBe(2)
    expect(alone.stdout).toContain('new file flakesniff.json')
    expect(alone.stderr).toContain('--yes')
    expect(existsSync(join(folder, 'flakesniff.json'))).toBe(false)
    expect(flakesniff('--dry-run').status).toBe(0)
    expect(existsSync(join(folder, 'flakesniff.json'))).toBe(false)
  })

  test('it asks for each file, and writes what it was told to', async () => {
    full()
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return question.includes('gitlab')
    }
    expect(await init({ is: 'init', preset: 'recommended', yes: false, dryRun: false }, folder, { print: () => {}, ask })).toBe(0)
    expect(questions).toHaveLength(6)
    expect(read('.gitlab-ci.yml')).toContain('flakesniff')
    expect(existsSync(join(folder, 'flakesniff.json'))).toBe(false)
  })

  test('a file that changes while it asks is left as it is', async () => {
    full()
    const ask = async (question: string) => {
      if (question.includes('gitlab')) write('.gitlab-ci.yml', 'mine: {}\n')
      return question.includes('gitlab')
    }
    await expect(init({ is: 'init', preset: 'recommended', yes: false, dryRun: false }, folder, { print: () => {}, ask })).rejects.toThrow(
      '.gitlab-ci.yml was changed',
    )
    expect(read('.gitlab-ci.yml')).toBe('mine: {}\n')
  })

  test.each([[['--yes', '--dry-run'], 'one of them'], [['elsewhere'], 'go to elsewhere'], [['--fix'], '--preset, --yes and --dry-run']])(
    'refuses %j',
    (args, hint) => {
      const refused = flakesniff(...args)
      expect([refused.status, refused.stderr.includes(hint)]).toEqual([2, true])
    },
  )
})
