// The command line, read strictly: what we do not understand is an error that says what would do.

import { parseArgs } from 'node:util'
import { readConfirm, readMerge, type ConfirmCommand, type MergeCommand } from './confirm-options.ts'
import { readMcp, type McpCommand } from './mcp-options.ts'
import { oneOf, output, usage } from './usage.ts'
import { didYouMean, formats, reports, rules, type ChangesOf, type FailOn, type Format, type Level, type Preset,
  type ReportFormat } from '../../index.ts'

export interface Output {
  readonly format: Format
  readonly file: string
}

export type Command =
  | { readonly is: 'help' | 'version' | 'lsp' }
  | { readonly is: 'rules'; readonly json: boolean }
  | { readonly is: 'explain'; readonly rule: string }
  | LintCommand
  | InitCommand
  | ReportCommand
  | ConfirmCommand
  | MergeCommand
  | McpCommand
  | BaselineCommand

export interface LintCommand {
  readonly is: 'lint'
  readonly paths: readonly string[]
  readonly format: Format
  readonly outputs: readonly Output[]
  readonly preset?: Preset
  readonly levels: Readonly<Record<string, Level>>
  readonly failOn?: FailOn
  readonly config?: string
  readonly stdinFilename?: string
  readonly jobs?: number
  readonly color: boolean | null
  readonly quiet: boolean
  readonly keepSuppressed: boolean
  readonly typed: boolean
  readonly trace: boolean
  readonly fix: 'write' | 'show' | null
  readonly changes?: ChangesOf
  readonly baseline: boolean
}

/** Accepts what is found today; with `prune`, only forgets what is gone. */
export interface BaselineCommand extends Omit<ReportCommand, 'is' | 'format' | 'outputs'> {
  readonly is: 'baseline'
  readonly prune: boolean
}

/** The analysis of causes; it takes what linting takes, and fails on nothing that it finds. */
export interface ReportCommand
  extends Omit<LintCommand, 'is' | 'format' | 'outputs' | 'failOn' | 'stdinFilename' | 'trace' | 'fix' | 'changes' | 'baseline'>
{
  readonly is: 'report'
  readonly format: ReportFormat
  readonly outputs: readonly { readonly format: ReportFormat; readonly file: string }[]
}

/** Sets flakesniff up in a repository. */
export interface InitCommand {
  readonly is: 'init'
  readonly preset: Preset
  readonly yes: boolean
  readonly dryRun: boolean
}

const OPTIONS = {
  format: { type: 'string' },
  output: { type: 'string', multiple: true },
  preset: { type: 'string' },
  rule: { type: 'string', multiple: true },
  'fail-on': { type: 'string' },
  config: { type: 'string' },
  'stdin-filename': { type: 'string' },
  jobs: { type: 'string' },
  color: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  'show-suppressed': { type: 'boolean' },
  'no-trace': { type: 'boolean' },
  typed: { type: 'boolean' },
  fix: { type: 'boolean' },
  'fix-dry-run': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  'dry-run': { type: 'boolean' },
  staged: { type: 'boolean' },
  since: { type: 'string' },
  changed: { type: 'boolean' },
  'no-baseline': { type: 'boolean' },
  prune: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const

const FORMATS = Object.keys(formats) as Format[]
const REPORTS = Object.keys(reports) as ReportFormat[]
const ENDINGS: Readonly<Record<string, Format>> = { sarif: 'sarif', json: 'json', md: 'markdown', xml: 'junit', rdjson: 'rdjson' }
const REPORT_ENDINGS: Readonly<Record<string, ReportFormat>> = { md: 'markdown', json: 'json', html: 'html', htm: 'html' }
const PRESETS: readonly Preset[] = ['recommended', 'strict', 'audit']
const LEVELS: readonly Level[] = ['off', 'note', 'warning', 'error']
const FAIL_ON: readonly FailOn[] = ['error', 'warning', 'note', 'never']

export function readCommand(argv: readonly string[]): Command {
  if (argv[0] === 'confirm') return readConfirm(argv.slice(1))
  if (argv[0] === 'mcp') return readMcp(argv.slice(1))
  if (argv[0] === 'merge') return readMerge(argv.slice(1))
  if (argv[0] === 'lsp') return readLsp(argv.slice(1))
  const { values, positionals } = parse(argv)
  if (values.help) return { is: 'help' }
  if (values.version) return { is: 'version' }
  if (positionals[0] === 'rules' && positionals.length === 1)
    return { is: 'rules', json: oneOf('--format', values.format ?? 'text', ['text', 'json']) === 'json' }
  if (positionals[0] === 'explain')
    return { is: 'explain', rule: knownRule(positionals[1] ?? usage('explain: which rule? `flakesniff rules` lists them')) }
  if (positionals[0] === 'init') return readInit(values, positionals.slice(1))
  for (const option of ['yes', 'dry-run'] as const)
    if (values[option] !== undefined)
      usage(
        `--${option} belongs to flakesniff init${option === 'dry-run' ? '; --fix-dry-run shows what --fix would change' : ''}`,
      )
  if (positionals[0] === 'report') return readReport(values, positionals.slice(1))
  if (positionals[0] === 'baseline') return readBaseline(values, positionals.slice(1))
  if (values.prune) usage('--prune goes with baseline: `flakesniff baseline --prune`')
  return {
    ...shared(values, positionals),
    is: 'lint',
    fix: fixing(values),
    baseline: !values['no-baseline'],
    format: oneOf('--format', values.format ?? 'text', FORMATS),
    trace: !values['no-trace'],
    outputs: (values.output ?? []).map(o => output(o, values.format, FORMATS, ENDINGS, 'text')),
    ...(values['fail-on'] !== undefined && { failOn: oneOf('--fail-on', values['fail-on'], FAIL_ON) }),
    ...(values['stdin-filename'] !== undefined && { stdinFilename: values['stdin-filename'] }),
    ...changes(values, positionals),
  }
}

/** Clients add `--stdio` and their process id of themselves; the connection reads the latter. */
function readLsp(rest: readonly string[]): Command {
  const stray = rest.find(arg => arg !== '--stdio' && !/^--clientProcessId(?:=\d+)?$|^\d+$/.test(arg))
  if (stray === '--help' || stray === '-h') return { is: 'help' }
  if (stray !== undefined)
    usage(
      `lsp: ${stray} has no meaning here; it speaks over standard input and output, and the client's settings or flakesniff.json say the preset`,
    )
  return { is: 'lsp' }
}

type Values = ReturnType<typeof parse>['values']

function readInit(values: Values, rest: readonly string[]): InitCommand {
  const stray = Object.keys(values).find(option => !['preset', 'yes', 'dry-run'].includes(option))
  if (stray !== undefined) usage(`init: --${stray} has no meaning here; it takes --preset, --yes and --dry-run`)
  if (rest.length > 0) usage(`init: it sets up the folder it is called in; go to ${rest[0]} first`)
  if (values.yes && values['dry-run']) usage('init: --yes writes and --dry-run does not: give one of them')
  return { is: 'init', preset: oneOf('--preset', values.preset ?? 'recommended', PRESETS), yes: values.yes ?? false,
    dryRun: values['dry-run'] ?? false }
}

function fixing(values: Values): LintCommand['fix'] {
  if (values.fix && values['fix-dry-run']) usage('--fix writes and --fix-dry-run does not: give one of them')
  if (values.fix && values['stdin-filename'] !== undefined)
    usage('--fix cannot write to standard input; --fix-dry-run prints what it would change')
  if (values.fix && values.staged) usage('--fix changes the files, --staged speaks of what is staged: run --fix, and stage what it changed')
  if (values['fix-dry-run'] && values.format !== undefined)
    usage('--fix-dry-run prints a diff: leave --format out, or write the report with --output')
  return values.fix ? 'write' : values['fix-dry-run'] ? 'show' : null
}

function readReport(values: Values, paths: readonly string[]): ReportCommand {
  refuse('report', values, ['fail-on', 'stdin-filename', 'no-trace', 'fix', 'fix-dry-run', 'staged', 'since', 'changed', 'no-baseline',
    'prune'])
  return {
    ...shared(values, paths),
    is: 'report',
    format: oneOf('--format', values.format ?? 'markdown', REPORTS),
    outputs: (values.output ?? []).map(o => output(o, values.format, REPORTS, REPORT_ENDINGS, 'markdown')),
  }
}

function readBaseline(values: Values, paths: readonly string[]): BaselineCommand {
  refuse('baseline', values, ['format', 'output', 'fail-on', 'stdin-filename', 'no-trace', 'fix', 'fix-dry-run', 'staged', 'since',
    'changed', 'no-baseline', 'show-suppressed'])
  if (values.prune && paths.length > 0)
    usage('baseline --prune: looks at everything, since a finding is gone only where nothing reaches it; leave the paths out')
  return { ...shared(values, paths), is: 'baseline', prune: values.prune ?? false }
}

function refuse(command: string, values: Values, options: readonly (keyof Values)[]): void {
  for (const option of options) if (values[option] !== undefined) usage(`${command}: --${option} has no meaning here`)
}

const shared = (values: Values, paths: readonly string[]) => ({
  paths: paths.length > 0 ? paths : ['.'],
  levels: Object.fromEntries((values.rule ?? []).map(level)),
  color: values['no-color'] ? false : values.color ?? null,
  quiet: values.quiet ?? false,
  keepSuppressed: values['show-suppressed'] ?? false,
  typed: values.typed ?? false,
  ...(values.preset !== undefined && { preset: oneOf('--preset', values.preset, PRESETS) }),
  ...(values.config !== undefined && { config: values.config }),
  ...(values.jobs !== undefined && { jobs: count(values.jobs) }),
})

function changes({ staged, since, changed, ...values }: Values, paths: readonly string[]): { readonly changes?: ChangesOf } {
  const asked = [...(staged ? ['--staged'] : []), ...(since === undefined ? [] : ['--since']), ...(changed ? ['--changed'] : [])]
  const [first, second] = [...asked, ...(values['stdin-filename'] === undefined ? [] : ['--stdin-filename'])]
  if (asked.length > 0 && second) usage(`${first} and ${second} cannot be asked for together: keep one of them`)
  if (since === '') usage('--since: which commit or branch? for example --since origin/main')
  if (changed && paths.length === 0) usage('--changed: which files? name them, or let git tell with --staged or --since REF')
  return staged
    ? { changes: { is: 'staged' } }
    : since !== undefined
    ? { changes: { is: 'since', ref: since } }
    : changed
    ? { changes: { is: 'given' } }
    : {}
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    const message = (error as Error).message.split('. ')[0]!
    const option = /'(-{1,2}[^' ]*)/.exec(message)?.[1]
    return usage(
      `${message.replace(/^./, c => c.toLowerCase())}${
        option
          ? didYouMean(option, Object.keys(OPTIONS).map(o => `--${o}`))
          : ''
      }; see flakesniff --help`,
    )
  }
}

function knownRule(id: string): string {
  const ids = rules.map(r => r.meta.id)
  return ids.includes(id) ? id : usage(`there is no rule ${id}${didYouMean(id, ids)}; \`flakesniff rules\` lists them`)
}

function level(setting: string): [string, Level] {
  const [id, value] = setting.split('=', 2)
  if (!id || value === undefined) return usage(`--rule ${setting}: write it as --rule ID=off|note|warning|error`)
  return [knownRule(id), oneOf(`--rule ${id}=`, value, LEVELS)]
}

function count(value: string): number {
  const n = Number(value)
  return Number.isInteger(n) && n >= 1 && n <= 64 ? n : usage(`--jobs ${value}: must be a whole number from 1 to 64`)
}
