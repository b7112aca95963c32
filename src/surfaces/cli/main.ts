// The command. It reads options, runs the engine and prints; everything it knows it has from the public API.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { VERSION, formats, reports, isBaselineError, isChangesError, isConfigError, isTypedError, pageOf, printEntries, rules, run,
  unifiedDiff, type Entry, type FailOn, type Finding, type FixedFile, type Formatter, type Run, type RunOptions,
  type Summary } from '../../index.ts'
import { HELP } from './help.ts'
import { readCommand, type BaselineCommand, type InitCommand, type LintCommand, type ReportCommand } from './options.ts'
import { progressLine } from './progress.ts'
import { isUsageError } from './usage.ts'
import { complain, letReadersLeave, print } from './say.ts'
import { writeWhole } from './write.ts'

/** Returns the exit status. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const command = readCommand(argv)
    if (command.is !== 'lsp' && command.is !== 'mcp') letReadersLeave()
    switch (command.is) {
      case 'help':
        return print(HELP)
      case 'version':
        return print(`${VERSION}\n`)
      case 'rules':
        return print(command.json ? rulesAsJson() : rulesAsText())
      case 'explain':
        return print(pageOf(command.rule))
      case 'init':
        return await startInit(command)
      case 'lint':
        return await lint(command)
      case 'report':
        return await report(command)
      case 'confirm':
        return await (await import('./confirm.ts')).confirmCommand(command)
      case 'merge':
        return await (await import('./confirm.ts')).mergeCommand(command)
      case 'mcp':
        return await (await import('../mcp/index.ts')).serve(command)
      case 'baseline':
        return await baseline(command)
      case 'lsp':
        return await (await import('../lsp/index.ts')).serve()
    }
  } catch (error) {
    if (isUsageError(error) || isBaselineError(error) || isChangesError(error) || isConfigError(error) || isTypedError(error))
      return complain(error.message)
    return complain(`a fault of flakesniff itself: ${error instanceof Error ? error.stack ?? error.message : String(error)}`)
  }
}

/** Loaded only where it is asked for. */
async function startInit(command: InitCommand): Promise<number> {
  const { asking, init } = await import('./init.ts')
  return asking(ask => init(command, process.cwd(), { print: text => void process.stdout.write(text), ...(ask && { ask }) }))
}

async function lint(command: LintCommand): Promise<number> {
  const started = performance.now()
  const done = await runWithProgress(command, {
    trace: command.trace,
    baseline: command.baseline,
    ...(command.fix && { fix: command.fix }),
    ...(command.changes && { changes: command.changes }),
    ...(command.stdinFilename !== undefined && { stdin: { name: command.stdinFilename, text: readFileSync(0, 'utf8') } }),
  })
  const missing = unreadable(done.summary)
  if (missing) return complain(missing)
  if (command.fix === 'show') {
    for (const { path, before, after } of done.fixed ?? []) process.stdout.write(await unifiedDiff(path, before, after))
    if (command.outputs.length > 0) write(done.summary, command, formats)
  } else write(done.summary, command, formats)
  if (done.fixed && !command.quiet) process.stderr.write(`${fixedSentence(done.fixed, command.fix === 'write')}\n`)
  if (!command.quiet && command.format === 'text' && command.outputs.length === 0 && command.fix !== 'show')
    process.stderr.write(`in ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  return fails(done.summary.findings, command.failOn ?? done.failOn) ? 1 : 0
}

function fixedSentence(fixed: readonly FixedFile[], written: boolean): string {
  const number = fixed.reduce((sum, f) => sum + f.fixes, 0)
  const what = `${number} ${number === 1 ? 'fix' : 'fixes'} in ${fixed.length} ${fixed.length === 1 ? 'file' : 'files'}`
  if (number === 0) return 'nothing that can be fixed safely'
  return written ? `applied ${what}` : `${what}; nothing was written`
}

/** A report is read at leisure: without a word from the user it shows what strict shows. */
async function report(command: ReportCommand): Promise<number> {
  const done = await runWithProgress(command, { preset: command.preset ?? 'strict', baseline: false })
  const missing = unreadable(done.summary)
  if (missing) return complain(missing)
  write(done.summary, command, reports)
  return 0
}

async function baseline(command: BaselineCommand): Promise<number> {
  const done = await runWithProgress(command, {})
  const missing = unreadable(done.summary)
  if (missing) return complain(missing)
  const { kept, fresh, gone, file, shown, there } = done.baseline
  if (command.prune && !there) return complain(`there is no ${shown} to prune; \`flakesniff baseline\` writes one`)
  const total = (entries: readonly Entry[]) => entries.reduce((n, e) => n + e.count, 0)
  writeWhole(file, printEntries(command.prune ? kept : [...kept, ...fresh]))
  const news = command.prune ? (total(fresh) > 0 ? `, ${total(fresh)} new not accepted` : '') : `, ${total(fresh)} of them new`
  return print(`${shown}: ${total(kept) + (command.prune ? 0 : total(fresh))} accepted${news}, ${total(gone)} gone and forgotten\n`)
}

async function runWithProgress(command: LintCommand | ReportCommand | BaselineCommand, more: Partial<RunOptions>): Promise<Run> {
  const progress = progressLine(process.stderr, command.quiet)
  try {
    return await run({
      cwd: process.cwd(),
      paths: command.paths,
      levels: command.levels,
      keepSuppressed: command.keepSuppressed,
      onProgress: progress.tell,
      ...(command.typed && { typed: true }),
      ...(command.preset && { preset: command.preset }),
      ...(command.config !== undefined && { config: command.config }),
      ...(command.jobs && { jobs: command.jobs }),
      ...more,
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

/** With --output, standard output stays free unless `-` asks for it. */
function write<T extends string>(summary: Summary, command: WriteCommand<T>, all: Readonly<Record<T, Formatter>>): void {
  const outputs = command.outputs.length > 0 ? command.outputs : [{ format: command.format, file: '-' }]
  const tell = (leftOut: string) => void process.stderr.write(`flakesniff: ${leftOut}\n`)
  for (const { format, file } of outputs) {
    const color = file === '-' && (command.color ?? (process.stdout.isTTY === true && !process.env['NO_COLOR']))
    const text = all[format](summary, { color, quiet: command.quiet, tell })
    if (file === '-') process.stdout.write(text)
    else writeWhole(resolve(file), text)
  }
}

const SEVERITIES = ['note', 'warning', 'error'] as const

const fails = (findings: readonly Finding[], failOn: FailOn): boolean =>
  failOn !== 'never' && findings.some(f => !f.suppressed && SEVERITIES.indexOf(f.severity) >= SEVERITIES.indexOf(failOn))

function rulesAsText(): string {
  const width = Math.max(...rules.map(r => r.meta.id.length))
  return rules.map(({ meta }) => `${meta.id.padEnd(width)}  ${meta.severity.padEnd(7)}  ${meta.title}\n`).join('')
}

const rulesAsJson = (): string =>
  `${
    JSON.stringify(
      rules.map(({ meta }) => ({ id: meta.id, title: meta.title, category: meta.category, severity: meta.severity, confirm: meta.confirm,
        since: meta.since })
      ),
      null,
      2,
    )
  }\n`
