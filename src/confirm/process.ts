// Starts a command and sees to its end: no shell, a process group of its own, no standard input, a time limit, capped output,
// and nobody left behind.

import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { signalTo, type Guard } from './guard.ts'
import { keepEnds } from './output.ts'
import type { Command, Finished } from './runner.ts'

export interface Surroundings {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly guard: Guard
  /** Set off by the user: the command is ended at once. */
  readonly signal?: AbortSignal
  /** Goes before the command's own words: `unshare -rn …`. */
  readonly prefix?: readonly string[]
  /** Something that goes on while the command runs; it is told the mark of its processes, and ends when its end is called. */
  readonly beside?: (marked: () => readonly number[]) => () => void
}

/** Between the polite signal and the other one. */
const GRACE_MS = 2000
/** After the process is gone, for what it printed last; a child that holds the pipe may keep it open for ever. */
const DRAIN_MS = 200

export function execute(command: Command, { root, env, timeoutMs, guard, signal, prefix = [], beside }: Surroundings): Promise<Finished> {
  const [file, ...args] = [...prefix, ...command.argv]
  const { name, value: mark } = guard.mark()
  const started = performance.now()
  const stdout = keepEnds(), stderr = keepEnds()
  return new Promise(settle => {
    const child = spawn(file!, args, {
      cwd: resolve(root, command.cwd ?? ''),
      env: { ...env, ...command.env, [name]: mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      shell: false,
      windowsHide: true,
    })
    const group = child.pid
    if (group !== undefined) guard.watch(group)
    const endBeside = beside?.(() => guard.marked(mark))
    let timedOut = false
    let kill: NodeJS.Timeout | undefined
    const end = () => {
      if (group === undefined || kill) return
      signalTo(-group, 'SIGTERM')
      kill = setTimeout(() => {
        signalTo(-group, 'SIGKILL')
        guard.sweep(mark)
      }, GRACE_MS)
    }
    const limit = setTimeout(() => {
      timedOut = true
      end()
    }, command.timeoutMs ?? timeoutMs)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
    child.stdout.on('data', stdout.add)
    child.stderr.on('data', stderr.add)

    const finish = (code: number | null, by: NodeJS.Signals | null) => {
      const ms = performance.now() - started
      endBeside?.()
      clearTimeout(limit)
      if (kill) clearTimeout(kill)
      signal?.removeEventListener('abort', end)
      // The leader is gone. What is left of its group, or wherever it went, is a leak, and would disturb the next run.
      const leaked = group === undefined ? 0 : guard.sweep(mark)
      if (group !== undefined) {
        signalTo(-group, 'SIGKILL')
        guard.unwatch(group)
      }
      settle({ code, signal: by, timedOut, stdout: stdout.text(), stderr: stderr.text(), ms, ...(leaked > 0 && !timedOut && { leaked }) })
    }
    child.on('error', error => {
      stderr.add(Buffer.from(`cannot start ${file}: ${(error as NodeJS.ErrnoException).code ?? error.message}\n`))
      finish(127, null)
    })
    child.on('exit', (code, by) => {
      const drained = setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, DRAIN_MS)
      child.on('close', () => {
        clearTimeout(drained)
        finish(code, by)
      })
    })
  })
}
