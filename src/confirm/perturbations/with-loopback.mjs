// Inside of a network namespace of its own, where even the loopback is down: takes that up, then becomes the command that follows.
import { spawn, spawnSync } from 'node:child_process'

const up = spawnSync('ip', ['link', 'set', 'lo', 'up'], { stdio: ['ignore', 'ignore', 'inherit'] })
if (up.status !== 0) process.exit(up.status ?? 127)

const [file, ...args] = process.argv.slice(2)
const child = spawn(file, args, { stdio: 'inherit' })
child.on('error', error => {
  process.stderr.write(`${error.message}\n`)
  process.exit(127)
})
// Signals reach the whole group: this process only has to outlive its child, and end as that ended.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal === 'SIGKILL' ? 9 : 15)))
