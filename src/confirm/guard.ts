// Nothing that we start may outlive us. Every process carries a mark in its environment, so that one that left its group is
// still found; and a watcher outside of our own group ends them all should we be killed.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Guard {
  /** The environment variable that marks the next run's processes. */
  readonly mark: () => { readonly name: 'FLAKESNIFF_RUN'; readonly value: string }
  readonly watch: (group: number) => void
  readonly unwatch: (group: number) => void
  /** Ends what carries the mark, wherever it went; gives how many there were. */
  readonly sweep: (mark: string, signal?: NodeJS.Signals) => number
  /** Those that carry the mark now. */
  readonly marked: (mark: string) => readonly number[]
  /** Lets the watcher go, after a last sweep. */
  readonly release: () => void
}

export function startGuard(): Guard {
  const session = randomBytes(8).toString('hex')
  const watcher = spawn(process.execPath, [fileURLToPath(new URL('../../src/confirm/watcher.mjs', import.meta.url)), session], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { PATH: process.env['PATH'] ?? '' },
  })
  // A watcher that cannot be started or is killed leaves us with the group and the sweep of each run.
  watcher.on('error', () => {})
  watcher.stdin.on('error', () => {})
  watcher.unref()
  const tell = (line: string) => void (watcher.stdin.writable && watcher.stdin.write(`${line}\n`))
  let runs = 0
  const sweep = (mark: string, signal: NodeJS.Signals = 'SIGKILL'): number => {
    const seen = new Set<number>()
    for (let round = 0; round < 20; round++) {
      const left = marked(mark)
      if (left.length === 0) break
      for (const pid of left) {
        seen.add(pid)
        signalTo(pid, signal)
      }
      if (signal !== 'SIGKILL') break
    }
    return seen.size
  }
  return {
    mark: () => ({ name: 'FLAKESNIFF_RUN', value: `${session}.${++runs}.` }),
    watch: group => tell(`+${group}`),
    unwatch: group => tell(`-${group}`),
    sweep,
    marked,
    release: () => {
      sweep(`${session}.`)
      watcher.stdin.end()
    },
  }
}

/** By reading what the kernel keeps of each process's environment; elsewhere than on Linux nobody is found. */
function marked(mark: string): number[] {
  const wanted = `FLAKESNIFF_RUN=${mark}`
  return numbersIn('/proc').filter(pid => pid !== process.pid && environOf(pid).includes(wanted))
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).filter(n => /^\d+$/.test(n)).map(Number)
  } catch {
    return []
  }
}

function environOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    // Somebody else's, or already gone.
    return ''
  }
}

/** Gone already is as good as ended. */
export function signalTo(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
