// The command. It reads options, runs the engine and prints; everything it knows it has from the public API.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { VERSION, formats, reports, isConfigError, isTypedError, pageOf, rules, run, type FailOn, type Finding, type Formatter, type Run, type RunOptions, type Summary } from '../../index.ts'
import { HELP } from './help.ts'
import { readCommand, type LintCommand, type ReportCommand } from './options.ts'
import { progressLine } from './progress.ts'
import { isUsageError } from './usage.ts'
import { writeWhole } from './write.ts'

/** Returns the exit status. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const command = readCommand(argv)
    switch (command.is) {
      case 'help': return print(HELP)
      case 'version': return print(`${VERSION}\n`)
      case 'rules': return print(command.json ? rulesAsJson() : rulesAsText())
      case 'explain': return print(pageOf(command.rule))
      case 'lint': return await lint(command)
      case 'report': return await report(command)
      case 'confirm': return await (await import('./confirm.ts')).confirmCommand(command)
      case 'merge': return await (await import('./confirm.ts')).mergeCommand(command)
    }
  } catch (error) {
    if (isUsageError(error) || isConfigError(error) || isTypedError(error)) return complain(error.message)
    return complain(`a fault of flakesniff itself: ${error instanceof Error ? error.stack ?? error.message : String(error)}`)
  }
}

function print(text: string): 0 {
  process.stdout.write(text)
  return 0
}

function complain(message: string): 2 {
  process.stderr.write(`flakesniff: ${message}\n`)
  return 2
}

async function lint(command: LintCommand): Promise<number> {
  const started = performance.now()
  const done = await runWithProgress(command, {
    trace: command.trace, ...(command.stdinFilename !== undefined && { stdin: { name: command.stdinFilename, text: readFileSync(0, 'utf8') } }),
  })
  const missing = unreadable(done.summary)
  if (missing) return complain(missing)
  write(done.summary, command, formats)
  if (!command.quiet && command.format === 'text' && command.outputs.length === 0) process.stderr.write(`in ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  return fails(done.summary.findings, command.failOn ?? done.failOn) ? 1 : 0
}

/** A report is read at leisure: without a word from the user it shows what strict shows. */
async function report(command: ReportCommand): Promise<number> {
  const done = await runWithProgress(command, { preset: command.preset ?? 'strict' })
  const missing = unreadable(done.summary)
  if (missing) return complain(missing)
  write(done.summary, command, reports)
  return 0
}

async function runWithProgress(command: LintCommand | ReportCommand, more: Partial<RunOptions>): Promise<Run> {
  const progress = progressLine(process.stderr, command.quiet)
  try {
    return await run({
      cwd: process.cwd(), paths: command.paths, levels: command.levels, keepSuppressed: command.keepSuppressed, onProgress: progress.tell,
      ...(command.typed && { typed: true }), ...(command.preset && { preset: command.preset }), ...(command.config !== undefined && { config: command.config }), ...(command.jobs && { jobs: command.jobs }), ...more,
    })
  } finally {
    progress.end()
  }
}

function unreadable(summary: Summary): string | undefined {
  const missing = summary.notices.filter(n => n.level === 'error' && n.id === 'unreadable')
  return missing.length > 0 ? missing.map(n => `${n.file}: ${n.message}`).join('\n            ') : undefined
}

interface WriteCommand<T> {
  readonly format: T
  readonly outputs: readonly { readonly format: T; readonly file: string }[]
  readonly color: boolean | null
  readonly quiet: boolean
}

/** With --output, standard output stays free unless a format was asked for it too. */
function write<T extends string>(summary: Summary, command: WriteCommand<T>, all: Readonly<Record<T, Formatter>>): void {
  const options = { color: command.color ?? (process.stdout.isTTY === true && !process.env['NO_COLOR']), quiet: command.quiet }
  for (const { format, file } of command.outputs) writeWhole(resolve(file), all[format](summary, { color: false, quiet: command.quiet }))
  if (command.outputs.length === 0) process.stdout.write(all[command.format](summary, options))
}

const SEVERITIES = ['note', 'warning', 'error'] as const

const fails = (findings: readonly Finding[], failOn: FailOn): boolean =>
  failOn !== 'never' && findings.some(f => !f.suppressed && SEVERITIES.indexOf(f.severity) >= SEVERITIES.indexOf(failOn))

function rulesAsText(): string {
  const width = Math.max(...rules.map(r => r.meta.id.length))
  return rules.map(({ meta }) => `${meta.id.padEnd(width)}  ${meta.severity.padEnd(7)}  ${meta.title}\n`).join('')
}

const rulesAsJson = (): string =>
  `${JSON.stringify(rules.map(({ meta }) => ({ id: meta.id, title: meta.title, category: meta.category, severity: meta.severity, confirm: meta.confirm, since: meta.since })), null, 2)}\n`
