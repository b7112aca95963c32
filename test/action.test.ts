// The GitHub action, the GitLab template and the hook: of the right shape, and their shell does what it says.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readAction, runAction } from './composite.ts'
import { BIN, makeRepository, type Repository } from './repository.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const SLEEPY = 'import time\n\ndef test_a(job):\n    time.sleep(1)\n    assert job.done\n'
const schemaOf = (path: string) =>
  JSON.parse(readFileSync(createRequire(import.meta.url).resolve(`schemastore/schemas/json/${path}`), 'utf8'))
const read = (path: string): unknown => parse(readFileSync(join(root, path), 'utf8'))

const check = (schema: object, value: unknown) => {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
  expect(ajv.validate(schema, value), ajv.errorsText()).toBe(true)
}

describe('action.yml', () => {
  const action = readAction(join(root, 'action.yml'))

  test("is what GitHub's schema asks for", () => {
    check(schemaOf('github-action.json'), read('action.yml'))
    expect(new Ajv({ strict: false, logger: false }).validate(schemaOf('github-action.json'), { name: 'x' })).toBe(false)
  })

  test('lets no input into a script: they come by the environment', () => {
    for (const step of action.runs.steps) expect(step.run ?? '', step.name).not.toContain('${{')
    const used = action.runs.steps.flatMap(s => [...JSON.stringify(s).matchAll(/inputs\.([\w-]+)/g)].map(m => m[1]))
    expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort())
  })

  test('documents each input', () => {
    const page = readFileSync(join(root, 'docs/code-scanning.md'), 'utf8')
    for (const input of Object.keys(action.inputs)) expect(page).toContain(`\`${input}\``)
  })
})

describe('its steps', () => {
  let repo: Repository
  let temp: string
  beforeEach(() => {
    repo = makeRepository()
    temp = mkdtempSync(join(tmpdir(), 'flakesniff-action-'))
    repo.write('test_a.py', SLEEPY)
  })
  afterEach(() => {
    repo.remove()
    rmSync(temp, { recursive: true, force: true })
  })
  const job = (inputs: Record<string, string>) => runAction(root, { inputs, cwd: repo.folder, temp, given: { install: { bin: BIN } } })

  test('annotate, write the summary and the SARIF file, and only then fail', () => {
    const { status, failedIn, log, summary, outputs } = job({})
    expect([status, failedIn]).toEqual([1, 'Verdict'])
    expect(log).toMatch(/^::warning file=test_a\.py,line=4,/)
    expect(summary).toContain('| warning | `test_a.py:4` |')
    expect(outputs['status']).toBe('1')
    expect(JSON.parse(readFileSync(outputs['sarif']!, 'utf8')).runs[0].results).toHaveLength(1)
  })

  test('do as the inputs say', () => {
    expect(job({ 'fail-on': 'never', annotations: 'false', summary: 'false' })).toMatchObject({
      status: 0,
      summary: '',
      outputs: { status: '0' },
      log: expect.stringContaining('1 finding: 1 warning'),
    })
    repo.commitAll()
    expect(job({ since: 'HEAD' })).toMatchObject({
      status: 0,
      summary: expect.stringContaining('Nothing found in 0 files changed since HEAD.'),
    })
    repo.write('a b/test_b.py', SLEEPY)
    repo.write('report', '')
    expect(job({ paths: 'a b\nreport\n', preset: 'strict' }).log).toContain('file=a b/test_b.py,')
  })

  test('a mistake fails at once', () => {
    expect(job({ preset: 'strickt' })).toMatchObject({ status: 2, failedIn: 'Lint', log: expect.stringContaining('did you mean "strict"') })
  })

  test.each(['$(touch PWNED) `touch PWNED`; touch PWNED \'; touch PWNED; \' "; touch PWNED; "', '--output=PWNED'])(
    '%j in an input stays text',
    text => {
      for (const input of ['paths', 'since', 'preset', 'fail-on', 'config', 'annotations', 'summary']) job({ [input]: text })
      expect(existsSync(join(repo.folder, 'PWNED'))).toBe(false)
    },
  )

  test('installing tells what is missing', () => {
    const bare = (inputs: Record<string, string>) => runAction(root, { inputs, cwd: repo.folder, temp })
    expect(bare({ version: '0.2.0; touch PWNED' })).toMatchObject({
      status: 2,
      failedIn: 'Install flakesniff',
      log: expect.stringContaining('must be a version of the package'),
    })
    expect(existsSync(join(repo.folder, 'PWNED'))).toBe(false)
  })
})

test("the hook is what pre-commit's schema asks for", () => {
  check(schemaOf('pre-commit-hooks.json'), read('.pre-commit-hooks.yaml'))
})

test("the GitLab template is what GitLab's schema asks for", () => {
  check(schemaOf('gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json'), read('templates/gitlab-ci.yml'))
})

test('the GitLab template runs one job that reports code quality', () => {
  const { flakesniff: job } = read('templates/gitlab-ci.yml') as {
    flakesniff: { script: string[]; artifacts: { reports: { codequality: string } } }
  }
  expect(job.script.join('\n')).toContain(`--output gitlab:${job.artifacts.reports.codequality} `)
})
