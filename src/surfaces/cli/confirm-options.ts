// The options of `confirm` and `merge`.

import { parseArgs } from 'node:util'
import { didYouMean, type ConfirmFormat } from '../../index.ts'
import { oneOf, output, usage } from './usage.ts'

export interface ConfirmOutput {
  readonly format: ConfirmFormat
  readonly file: string
}

export interface ConfirmCommand {
  readonly is: 'confirm'
  readonly target: string | null
  readonly from: string | null
  readonly runner?: string
  readonly runs?: number
  readonly budgetMs?: number
  readonly perturb: readonly string[]
  readonly plan: boolean
  readonly format: ConfirmFormat
  readonly outputs: readonly ConfirmOutput[]
  readonly beforeRun?: readonly string[]
  readonly command?: readonly string[]
  readonly shard?: { readonly index: number; readonly of: number }
  readonly journal?: string
  readonly env: readonly string[]
  readonly quiet: boolean
}

export interface MergeCommand {
  readonly is: 'merge'
  readonly files: readonly string[]
  readonly format: ConfirmFormat
  readonly outputs: readonly ConfirmOutput[]
}

const FORMATS: readonly ConfirmFormat[] = ['text', 'json', 'markdown', 'html', 'sarif']
const ENDINGS: Readonly<Record<string, ConfirmFormat>> = { json: 'json', md: 'markdown', html: 'html', htm: 'html', sarif: 'sarif',
  txt: 'text' }

const OPTIONS = {
  runner: { type: 'string' },
  runs: { type: 'string' },
  budget: { type: 'string' },
  perturb: { type: 'string', multiple: true },
  plan: { type: 'boolean' },
  format: { type: 'string' },
  output: { type: 'string', multiple: true },
  'before-run': { type: 'string' },
  command: { type: 'string' },
  shard: { type: 'string' },
  resume: { type: 'string' },
  env: { type: 'string', multiple: true },
  from: { type: 'string' },
  quiet: { type: 'boolean', short: 'q' },
  help: { type: 'boolean', short: 'h' },
} as const

export function readConfirm(argv: readonly string[]): ConfirmCommand | { readonly is: 'help' } {
  const { values, positionals } = parse('confirm', argv)
  if (values.help) return { is: 'help' }
  if (positionals.length > 1)
    usage(
      `confirm: one test at a time, not ${positionals.length} (a name with spaces goes in quotes; --from FILE takes the findings of a report)`,
    )
  const target = positionals[0] ?? null, from = values.from ?? null
  if (target === null && from === null)
    usage('confirm: which test? Its id as the runner prints it, FILE:LINE, or --from a report of findings')
  if (target !== null && from !== null) usage('confirm: either a test or --from, not both')
  if (values.command !== undefined && values.runner !== undefined) usage('confirm: either --runner or --command, not both')
  if (from !== null && (values.resume !== undefined || values.command !== undefined))
    usage(`confirm: --${values.resume !== undefined ? 'resume' : 'command'} is for one test, and has no meaning with --from`)
  const command = values.command === undefined ? undefined : words('--command', values.command)
  if (command && !command.some(w => w.includes('{test}'))) usage('--command: write {test} where the name of the test goes')
  return {
    is: 'confirm',
    target,
    from,
    perturb: (values.perturb ?? []).flatMap(p => p.split(',')),
    plan: values.plan ?? false,
    env: values.env ?? [],
    quiet: values.quiet ?? false,
    ...outputs(values),
    ...(values.runner !== undefined && { runner: values.runner }),
    ...(values.runs !== undefined && { runs: whole('--runs', values.runs, 1, 10_000) }),
    ...(values.budget !== undefined && { budgetMs: duration(values.budget) }),
    ...(values['before-run'] !== undefined && { beforeRun: words('--before-run', values['before-run']) }),
    ...(command && { command }),
    ...(values.shard !== undefined && { shard: shard(values.shard) }),
    ...(values.resume !== undefined && { journal: values.resume }),
  }
}

export function readMerge(argv: readonly string[]): MergeCommand | { readonly is: 'help' } {
  const { values, positionals } = parse('merge', argv)
  if (values.help) return { is: 'help' }
  const foreign = Object.keys(values).find(o => !['format', 'output', 'quiet'].includes(o))
  if (foreign) usage(`merge: --${foreign} has no meaning here`)
  if (positionals.length === 0) usage('merge: which files? Those that `flakesniff confirm --shard i/n --format json` wrote')
  return { is: 'merge', files: positionals, ...outputs(values) }
}

const outputs = (values: { readonly format?: string; readonly output?: readonly string[] }) => ({
  format: oneOf('--format', values.format ?? 'text', FORMATS),
  outputs: (values.output ?? []).map(o => output(o, values.format, FORMATS, ENDINGS, 'text')),
})

function parse(command: string, argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    const message = (error as Error).message.split('. ')[0]!
    const option = /'(-{1,2}[^' ]*)/.exec(message)?.[1]
    return usage(
      `${command}: ${message.replace(/^./, c => c.toLowerCase())}${
        option
          ? didYouMean(option, Object.keys(OPTIONS).map(o => `--${o}`))
          : ''
      }; see flakesniff --help`,
    )
  }
}

function whole(option: string, value: string, least: number, most: number): number {
  const n = Number(value)
  return Number.isInteger(n) && n >= least && n <= most ? n : usage(`${option} ${value}: must be a whole number from ${least} to ${most}`)
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

function duration(value: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smh])$/.exec(value) ?? usage(`--budget ${value}: write it as 90s, 10m or 1h`)
  return Number(number) * UNITS[unit!]!
}

function shard(value: string): { index: number; of: number } {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(value) ?? usage(`--shard ${value}: write it as 1/4`)
  const made = { index: Number(index), of: Number(of) }
  return made.index >= 1 && made.index <= made.of && made.of <= 1000
    ? made
    : usage(`--shard ${value}: the first number counts from 1 to the second`)
}

/** Words as a shell would part them, with its quotes, and nothing else of a shell: no variables, no patterns, no pipes. */
export function words(option: string, text: string): string[] {
  const made: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (quote !== null && c === quote) quote = null
    else if (quote === null && (c === '"' || c === "'")) {
      quote = c
      word ??= ''
    } else if (c === '\\' && quote !== "'" && i + 1 < text.length) word = (word ?? '') + text[++i]
    else if (quote === null && /\s/.test(c)) {
      if (word !== null) made.push(word)
      word = null
    } else word = (word ?? '') + c
  }
  if (quote !== null) usage(`${option}: a quote is not closed in ${text}`)
  if (word !== null) made.push(word)
  return made.length > 0 ? made : usage(`${option}: is empty`)
}
