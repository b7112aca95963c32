// The hook with the real pre-commit, from Debian and from PyPI, from a repository at a tag that the release script made.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAction } from '../composite.ts'
import { makeRepository, type Repository } from '../repository.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SLEEPY = 'import time\n\ndef test_a(job):\n    time.sleep(1)\n    assert job.done\n'
const CALM = 'def test_a(job):\n    assert job.wait()\n'
const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') && !name.startsWith('npm_')))
const identity = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org' }

let scratch: string
let source: string
let tag: string

function must(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const run = spawnSync(command, args, { cwd, env: { ...clean, ...identity, ...env }, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (run.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${run.error?.message ?? run.stdout + run.stderr}`)
  return run.stdout
}

beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'flakesniff-e2e-')))
  source = join(scratch, 'source')
  must('git', ['clone', '--quiet', root, source], scratch)
  // The tag of a release may be there already: here it is made anew.
  for (const old of must('git', ['tag', '--list'], source).split('\n').filter(Boolean)) must('git', ['tag', '--delete', old], source)
  symlinkSync(realpathSync(join(root, 'node_modules')), join(source, 'node_modules'))
  tag = /^(v\S+): /m.exec(must(process.execPath, ['scripts/release.mjs'], source))![1]!
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('the tag', () => {
  const show = (path: string) => must('git', ['show', `${tag}:${path}`], source)

  test('carries what runs, and nothing that builds', () => {
    const manifest = JSON.parse(show('package.json'))
    expect(manifest).not.toHaveProperty('scripts')
    expect(manifest).not.toHaveProperty('devDependencies')
    expect(manifest.dependencies).toEqual(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies)
    const files = must('git', ['ls-tree', '-r', '--name-only', tag], source).split('\n')
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/surfaces/cli/main.js',
        'dist/engine/worker.js',
        'grammars/tree-sitter-go.wasm',
        'bin/flakesniff.js',
        '.pre-commit-hooks.yaml',
        'action.yml',
        'action/lint.sh',
        'package-lock.json',
      ]),
    )
    expect(files.filter(f => /^(?:test|fixtures|node_modules)\//.test(f))).toEqual([])
    expect(Object.values(JSON.parse(show('package-lock.json')).packages).filter((p: any) => p.dev)).toEqual([])
  })

  test('is beside the branch, and made only once', () => {
    expect(must('git', ['rev-parse', `${tag}^`], source)).toBe(must('git', ['rev-parse', 'HEAD'], source))
    expect(must('git', ['branch', '--contains', tag], source)).toBe('')
    expect(must('git', ['status', '--porcelain', '--untracked-files=no'], source)).toBe('')
    expect(() => must(process.execPath, ['scripts/release.mjs'], source)).toThrow('is there already')
  })
})

/** From PyPI, into a folder of its own. */
function fromPyPI(version: string): string {
  const venv = join(scratch, `venv-${version}`)
  must('python3', ['-m', 'venv', venv], scratch)
  // Old releases load their resources through setuptools, which newer ones of it no longer offer.
  must(join(venv, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', `pre-commit==${version}`, 'setuptools<80'], scratch)
  return join(venv, 'bin/pre-commit')
}

describe.each([['Debian', () => '/usr/bin/pre-commit'], ['PyPI, 3.8.0', () => fromPyPI('3.8.0')], [
  'PyPI, 4.7.0',
  () => fromPyPI('4.7.0'),
]])('pre-commit from %s', (_, install) => {
  let repo: Repository
  let env: NodeJS.ProcessEnv
  let program: string
  beforeAll(() => {
    program = install()
    env = { PRE_COMMIT_HOME: mkdtempSync(join(scratch, 'home-')) }
    repo = makeRepository()
    repo.write('.pre-commit-config.yaml', `repos:\n  - repo: ${source}\n    rev: ${tag}\n    hooks:\n      - id: flakesniff\n`)
    repo.commitAll()
    must(program, ['install'], repo.folder, env)
  })
  afterAll(() => repo.remove())
  const commit = () =>
    spawnSync('git', ['commit', '--quiet', '--message', 'a'], {
      cwd: repo.folder,
      env: { ...clean, ...identity, ...env },
      encoding: 'utf8',
    })

  test('a commit with a flaky test fails with the finding, and passes when it is fixed', () => {
    repo.write('test_a.py', SLEEPY)
    repo.git('add', 'test_a.py')
    const refused = commit()
    expect(refused.stdout + refused.stderr).toContain('test_a.py:4:5  warning  waits a fixed 1 s')
    expect(refused.status).not.toBe(0)
    repo.write('test_a.py', CALM)
    repo.git('add', 'test_a.py')
    const taken = commit()
    expect(taken.stdout + taken.stderr).toMatch(/flakesniff\.+Passed/)
    expect(taken.status).toBe(0)
  })

  test('a file that nobody staged does not matter, and --all-files sees it', () => {
    repo.write('test_b.py', SLEEPY)
    repo.write('test_c.py', CALM)
    repo.git('add', 'test_c.py')
    expect(commit().status).toBe(0)
    repo.git('add', 'test_b.py')
    const all = spawnSync(program, ['run', '--all-files'], { cwd: repo.folder, env: { ...clean, ...env }, encoding: 'utf8' })
    expect([all.status, all.stdout]).toEqual([1, expect.stringContaining('test_b.py:4:5')])
  })

  test('the manifest is valid', () => {
    must(program, ['validate-manifest', join(source, '.pre-commit-hooks.yaml')], scratch, env)
  })
})

test('the action installs what its tag carries, and lints', () => {
  const tree = join(scratch, 'action'), temp = join(scratch, 'runner')
  must('git', ['clone', '--quiet', '--branch', tag, source, tree], scratch)
  must('mkdir', [temp], scratch)
  const repo = makeRepository()
  try {
    repo.write('test_a.py', SLEEPY)
    const job = runAction(tree, { inputs: {}, cwd: repo.folder, temp })
    expect(job.log).toContain('::warning file=test_a.py,line=4')
    expect([job.status, job.failedIn]).toEqual([1, 'Verdict'])
    expect(existsSync(job.outputs['sarif']!)).toBe(true)
  } finally {
    repo.remove()
  }
})

test('on a branch, the action says that it is no release', () => {
  const temp = join(scratch, 'runner-of-a-branch')
  must('mkdir', [temp], scratch)
  must('rm', ['-rf', join(source, 'dist')], scratch)
  expect(runAction(source, { inputs: {}, cwd: scratch, temp })).toMatchObject({ status: 2, log: expect.stringContaining('is no release') })
})

test('the job of the GitLab template writes its report', () => {
  const template = readFileSync(join(root, 'templates/gitlab-ci.yml'), 'utf8')
  const script = [...template.matchAll(/^    - (.*)$/gm)].map(m => m[1]!).join('\n')
  const [archive] = JSON.parse(must('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch], root, {})) as {
    filename: string
  }[]
  const repo = makeRepository()
  try {
    repo.write('test_a.py', SLEEPY)
    const env = {
      ...clean,
      FLAKESNIFF_PACKAGE: join(scratch, archive!.filename),
      FLAKESNIFF_PATHS: '.',
      FLAKESNIFF_SINCE: '',
      FLAKESNIFF_FAIL_ON: 'warning',
      npm_config_cache: join(scratch, 'npm'),
    }
    const job = spawnSync('sh', ['-e', '-c', script], { cwd: repo.folder, env, encoding: 'utf8' })
    expect([job.status, job.stdout]).toEqual([1, expect.stringContaining('test_a.py:4:5')])
    expect(JSON.parse(readFileSync(join(repo.folder, 'gl-code-quality-report.json'), 'utf8'))).toHaveLength(1)
  } finally {
    repo.remove()
  }
})
