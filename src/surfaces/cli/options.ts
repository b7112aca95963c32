// The command line, read strictly: what we do not understand is an error that says what would do.

import { parseArgs } from 'node:util'
import { readConfirm, readMerge, type ConfirmCommand, type MergeCommand } from './confirm-options.ts'
import { oneOf, output, usage } from './usage.ts'
import { didYouMean, formats, reports, rules, type FailOn, type Format, type Level, type Preset, type ReportFormat } from '../../index.ts'

export interface Output {
  readonly format: Format
  readonly file: string
}

export type Command =
  | { readonly is: 'help' | 'version' }
  | { readonly is: 'rules'; readonly json: boolean }
  | { readonly is: 'explain'; readonly rule: string }
  | LintCommand
  | ReportCommand
  | ConfirmCommand
  | MergeCommand

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
}

/** The analysis of causes; it takes what linting takes, and fails on nothing that it finds. */
export interface ReportCommand extends Omit<LintCommand, 'is' | 'format' | 'outputs' | 'failOn' | 'stdinFilename' | 'trace'> {
  readonly is: 'report'
  readonly format: ReportFormat
  readonly outputs: readonly { readonly format: ReportFormat; readonly file: string }[]
}

const OPTIONS = {
  format: { type: 'string' }, output: { type: 'string', multiple: true }, preset: { type: 'string' }, rule: { type: 'string', multiple: true },
  'fail-on': { type: 'string' }, config: { type: 'string' }, 'stdin-filename': { type: 'string' }, jobs: { type: 'string' },
  color: { type: 'boolean' }, 'no-color': { type: 'boolean' }, quiet: { type: 'boolean', short: 'q' }, 'show-suppressed': { type: 'boolean' }, 'no-trace': { type: 'boolean' }, typed: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'V' },
} as const

const FORMATS = Object.keys(formats) as Format[]
const REPORTS = Object.keys(reports) as ReportFormat[]
const ENDINGS: Readonly<Record<string, Format>> = { sarif: 'sarif', json: 'json' }
const REPORT_ENDINGS: Readonly<Record<string, ReportFormat>> = { md: 'markdown', json: 'json', html: 'html', htm: 'html' }
const PRESETS: readonly Preset[] = ['recommended', 'strict', 'audit']
const LEVELS: readonly Level[] = ['off', 'note', 'warning', 'error']
const FAIL_ON: readonly FailOn[] = ['error', 'warning', 'note', 'never']

export function readCommand(argv: readonly string[]): Command {
  if (argv[0] === 'confirm') return readConfirm(argv.slice(1))
  if (argv[0] === 'merge') return readMerge(argv.slice(1))
  const { values, positionals } = parse(argv)
  if (values.help) return { is: 'help' }
  if (values.version) return { is: 'version' }
  if (positionals[0] === 'rules' && positionals.length === 1) return { is: 'rules', json: oneOf('--format', values.format ?? 'text', ['text', 'json']) === 'json' }
  if (positionals[0] === 'explain') return { is: 'explain', rule: knownRule(positionals[1] ?? usage('explain: which rule? `flakesniff rules` lists them')) }
  if (positionals[0] === 'report') return readReport(values, positionals.slice(1))
  return {
    ...shared(values, positionals), is: 'lint', format: oneOf('--format', values.format ?? 'text', FORMATS), trace: !values['no-trace'],
    outputs: (values.output ?? []).map(o => output(o, values.format, FORMATS, ENDINGS, 'text')),
    ...(values['fail-on'] !== undefined && { failOn: oneOf('--fail-on', values['fail-on'], FAIL_ON) }),
    ...(values['stdin-filename'] !== undefined && { stdinFilename: values['stdin-filename'] }),
  }
}

type Values = ReturnType<typeof parse>['values']

function readReport(values: Values, paths: readonly string[]): ReportCommand {
  for (const option of ['fail-on', 'stdin-filename', 'no-trace'] as const) if (values[option] !== undefined) usage(`report: --${option} has no meaning here`)
  return {
    ...shared(values, paths), is: 'report', format: oneOf('--format', values.format ?? 'markdown', REPORTS),
    outputs: (values.output ?? []).map(o => output(o, values.format, REPORTS, REPORT_ENDINGS, 'markdown')),
  }
}

const shared = (values: Values, paths: readonly string[]) => ({
  paths: paths.length > 0 ? paths : ['.'],
  levels: Object.fromEntries((values.rule ?? []).map(level)), color: values['no-color'] ? false : values.color ?? null, quiet: values.quiet ?? false,
  keepSuppressed: values['show-suppressed'] ?? false, typed: values.typed ?? false,
  ...(values.preset !== undefined && { preset: oneOf('--preset', values.preset, PRESETS) }),
  ...(values.config !== undefined && { config: values.config }),
  ...(values.jobs !== undefined && { jobs: count(values.jobs) }),
})

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    const message = (error as Error).message.split('. ')[0]!
    const option = /'(-{1,2}[^' ]*)/.exec(message)?.[1]
    return usage(`${message.replace(/^./, c => c.toLowerCase())}${option ? didYouMean(option, Object.keys(OPTIONS).map(o => `--${o}`)) : ''}; see flakesniff --help`)
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
