// Holds a pipe from flakesniff and outlives it. It is told which process groups run («+123», «-123»); when the pipe closes,
// be it by kill -9, it ends them and every process that carries the session's mark in its environment.
// Plain JavaScript, started as it stands here: argv[2] is the mark.

import { readdirSync, readFileSync } from 'node:fs'

const mark = `FLAKESNIFF_RUN=${process.argv[2]}.`
const groups = new Set()
let rest = ''

const attempt = (what, otherwise) => {
  try {
    return what()
  } catch {
    return otherwise
  }
}

const marked = () =>
  attempt(() => readdirSync('/proc'), []).filter(n =>
    /^\d+$/.test(n) && attempt(() => readFileSync(`/proc/${n}/environ`, 'latin1'), '').includes(mark)
  ).map(Number)

function end() {
  for (const group of groups) attempt(() => process.kill(-group, 'SIGKILL'))
  // A process may fork while we look: look until nobody is left.
  for (let round = 0; round < 50; round++) {
    const left = marked()
    if (left.length === 0) break
    for (const pid of left) attempt(() => process.kill(pid, 'SIGKILL'))
  }
  process.exit(0)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.stdin.setEncoding('latin1')
process.stdin.on('data', chunk => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  for (const line of lines) line[0] === '+' ? groups.add(Number(line.slice(1))) : groups.delete(Number(line.slice(1)))
})
process.stdin.on('end', end)
process.stdin.on('error', end)
