// Packs flakesniff, installs the package in an empty folder as a stranger would, and runs it there.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'flakesniff-package-'))
/** What eslint.config.mjs imports; they must open without ESLint, for oxlint's sake. */
const SUB_PATHS = ['eslint', 'python', 'java', 'go', 'rust', 'bash', 'typescript']
const npm = (args, cwd) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund'], { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })

try {
  npm(['pack', '--ignore-scripts', '--pack-destination', scratch], root)
  const archive = join(scratch, readdirSync(scratch).find(f => f.endsWith('.tgz')))
  for (const [name, flags] of [['plain', []], ['careful', ['--ignore-scripts', '--strict-peer-deps']]]) {
    const folder = join(scratch, name)
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{"name":"stranger","version":"1.0.0"}\n')
    npm(['install', archive, ...flags], folder)
    for (const [file, text] of Object.entries(FILES())) writeFileSync(join(folder, file), text)
    const run = spawnSync(join(folder, 'node_modules/.bin/flakesniff'), ['--quiet', '--no-color'], { cwd: folder, encoding: 'utf8' })
    const languages = Object.keys(FILES()).filter(file => run.stdout.includes(`${file}:`))
    if (run.status !== 1 || languages.length !== Object.keys(FILES()).length)
      throw new Error(`${name}: exit ${run.status}, findings in ${languages.join(', ') || 'no file'}\n${run.stdout}${run.stderr}`)
    const page = spawnSync(join(folder, 'node_modules/.bin/flakesniff'), ['report', '--quiet', '--format', 'html'], { cwd: folder,
      encoding: 'utf8' })
    if (page.status !== 0 || !page.stdout.includes('fixed-sleep'))
      throw new Error(`${name}: no page of causes (exit ${page.status})\n${page.stderr}`)
    const doors = SUB_PATHS.map(path => `flakesniff/${path}`)
    const opened = spawnSync(process.execPath, ['--input-type=module', '-e',
      `for (const door of ${
        JSON.stringify(doors)
      }) if (!(await import(door)).default.configs.recommended[0].rules['flakesniff/fixed-sleep']) throw new Error(door)`], { cwd: folder,
      encoding: 'utf8' })
    if (opened.status !== 0) throw new Error(`${name}: a sub-path cannot be imported\n${opened.stderr}`)
    const alone = spawnSync(join(folder, 'node_modules/.bin/flakesniff'), ['mcp'], { cwd: folder, input: '', encoding: 'utf8' })
    if (alone.status !== 2 || !alone.stderr.includes('npm install --save-dev @modelcontextprotocol/server'))
      throw new Error(`${name}: mcp without its SDK does not say what it needs (exit ${alone.status})\n${alone.stderr}`)
    console.log(
      `installed ${name}: findings in ${languages.length} languages, a page of their causes, and ${doors.length} doors for ESLint`,
    )
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function FILES() {
  return {
    'test_a.py': 'import time\n\ndef test_a(job):\n    time.sleep(1)\n    assert job.done\n',
    'a.test.js':
      "import { setTimeout as sleep } from 'node:timers/promises'\n\ntest('a', async () => {\n  await sleep(1000)\n  expect(job.done).toBe(true)\n})\n",
    'ATest.java':
      'import org.junit.jupiter.api.Test;\n\nclass ATest {\n    @Test\n    void a() throws Exception {\n        Thread.sleep(1000);\n        org.junit.jupiter.api.Assertions.assertTrue(job.done());\n    }\n}\n',
    'a_test.go':
      'package a\n\nimport (\n\t"testing"\n\t"time"\n)\n\nfunc TestA(t *testing.T) {\n\ttime.Sleep(time.Second)\n\tif !job.Done() {\n\t\tt.Fatal("no")\n\t}\n}\n',
    'a_test.rs': '#[test]\nfn a() {\n    std::thread::sleep(std::time::Duration::from_secs(1));\n    assert!(job().done());\n}\n',
    'a.bats': '@test "a" {\n  start_job\n  sleep 1\n  [ -f done ]\n}\n',
  }
}
