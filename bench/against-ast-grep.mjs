// How long a strict run takes beside `ast-grep scan` with ten Java patterns, on the same tree, in the same run.
//   node bench/against-ast-grep.mjs PATH-TO-TREE PATH-TO-AST-GREP [rounds]

import { spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [tree, astGrep, rounds = '3'] = process.argv.slice(2)
if (!tree || !astGrep) {
  console.error('usage: node bench/against-ast-grep.mjs PATH-TO-TREE PATH-TO-AST-GREP [rounds]')
  process.exit(2)
}
const PATTERNS = [
  'Thread.sleep($A)', 'System.currentTimeMillis()', 'Instant.now()', 'new Random()', 'UUID.randomUUID()',
  '$L.await($A, $B)', 'System.nanoTime()', 'LocalDate.now()', 'System.setProperty($A, $B)', 'new ServerSocket($A)',
]
const scratch = mkdtempSync(join(tmpdir(), 'flakesniff-bench-'))
mkdirSync(join(scratch, 'rules'))
PATTERNS.forEach((pattern, i) => writeFileSync(join(scratch, 'rules', `r${i}.yml`), `id: r${i}\nlanguage: java\nseverity: warning\nmessage: m\nrule:\n  pattern: '${pattern}'\n`))
writeFileSync(join(scratch, 'sgconfig.yml'), 'ruleDirs:\n  - rules\n')

const bin = fileURLToPath(new URL('../bin/flakesniff.js', import.meta.url))
const COMMANDS = {
  'ast-grep scan': [astGrep, ['scan', '-c', join(scratch, 'sgconfig.yml'), '--json=compact', tree]],
  'flakesniff --preset strict': [process.execPath, [bin, tree, '--preset', 'strict', '--format', 'sarif', '--fail-on', 'never']],
}

const best = {}
for (let round = 0; round < Number(rounds); round++)
  for (const [name, [command, args]] of Object.entries(COMMANDS)) {
    const started = performance.now()
    const run = spawnSync('/usr/bin/time', ['-f', '%M', command, ...args], { maxBuffer: 2 ** 30, encoding: 'utf8' })
    const seconds = (performance.now() - started) / 1000
    const megabytes = Number(run.stderr.trim().split('\n').at(-1)) / 1024
    if (!(best[name]?.seconds < seconds)) best[name] = { seconds, megabytes }
    console.log(`${name.padEnd(28)} ${seconds.toFixed(2)} s  ${megabytes.toFixed(0)} MB`)
  }
rmSync(scratch, { recursive: true, force: true })
const [theirs, ours] = Object.keys(COMMANDS).map(name => best[name].seconds)
console.log(`best of ${rounds}: ${(ours / theirs).toFixed(2)} times as long as ast-grep`)
