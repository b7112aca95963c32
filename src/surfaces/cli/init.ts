// `flakesniff init`: shows what it would write, asks, and writes. Nothing is written that was not shown as a diff before.

import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, chmodSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { VERSION, proposeSetup, unifiedDiff, type Proposal, type Setup } from '../../index.ts'
import type { InitCommand } from './options.ts'

export interface Talk {
  readonly print: (text: string) => void
  /** Asks for one change; nothing where nobody can answer. */
  readonly ask?: (question: string) => Promise<boolean>
}

export async function init(command: InitCommand, root: string, { print, ask }: Talk): Promise<number> {
  const setup = await proposeSetup(root, VERSION, command.preset)
  print(`${setup.seen.join('\n')}\n\n`)
  if (setup.proposals.length === 0) return finish(setup, print, 'nothing to set up: what can be there is there\n')
  const written: string[] = []
  for (const proposal of setup.proposals) {
    print(
      `${proposal.before === null ? 'new file' : 'change'} ${proposal.path}: ${proposal.why}\n${await unifiedDiff(proposal.path,
        proposal.before, proposal.after)}\n`,
    )
    if (command.dryRun || (!command.yes && !ask)) continue
    if (!command.yes && !(await ask!(`Write ${proposal.path}? [y/N] `))) continue
    write(root, proposal)
    written.push(proposal.path)
  }
  if (!command.dryRun && !command.yes && !ask) {
    finish(setup, print, '')
    throw Object.assign(new Error('init: nobody is there to ask, so nothing was written; --yes writes all of it, --dry-run only shows it'),
      { name: 'UsageError' })
  }
  return finish(setup, print,
    command.dryRun ? 'nothing was written\n' : written.length === 0 ? 'nothing was written\n' : `wrote ${written.join(', ')}\n`)
}

function finish({ advice }: Setup, print: Talk['print'], last: string): 0 {
  for (const { say, lines } of advice) print(`${say}:\n${lines.map(l => `  ${l}\n`).join('')}\n`)
  print(last)
  return 0
}

/** The question on a terminal; whatever is not a yes is a no. */
export async function asking<T>(use: (ask: Talk['ask']) => Promise<T>): Promise<T> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return use(undefined)
  const line = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await use(async question => /^y(es)?$/i.test((await line.question(question)).trim()))
  } finally {
    line.close()
  }
}

function write(root: string, { path, before, after }: Proposal): void {
  const file = join(root, path)
  const now = statSync(file, { throwIfNoEntry: false }) ? readFileSync(file, 'utf8') : null
  if (now !== before)
    throw Object.assign(new Error(`init: ${path} was changed in the meantime and is left as it is; run init again`), { name: 'UsageError' })
  mkdirSync(dirname(file), { recursive: true })
  const scratch = mkdtempSync(join(dirname(file), '.flakesniff-'))
  try {
    const whole = join(scratch, basename(file))
    writeFileSync(whole, after)
    if (before !== null) chmodSync(whole, statSync(file).mode)
    else if (path.startsWith('.husky/')) chmodSync(whole, 0o755)
    renameSync(whole, file)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
