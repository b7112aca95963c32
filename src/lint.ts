// `lint`: one call, one report, as data. What a program wants that is no command line; `run` is there for who prints.

import type { Level } from './config/config.ts'
import { didYouMean } from './config/nearest.ts'
import { reportOf } from './report/json.ts'
import type { Report } from './report/report.ts'
import { rules as all } from './rules/registry.ts'
import type { Preset } from './rules/rule.ts'
import { run } from './run.ts'

export interface LintOptions {
  /** Where relative paths begin, and what paths are told from; the process's working directory where left out. */
  readonly cwd?: string
  /** Files and folders. Where left out: the given `files`, or else the whole of `cwd`. */
  readonly paths?: readonly string[]
  /** What files hold, by path, whatever the disk says; they need not be on the disk. Only those count that `paths` ask for. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** What the configuration says, where left out. */
  readonly preset?: Preset
  /** Levels by rule; they beat the configuration's. */
  readonly rules?: Readonly<Record<string, Level>>
  /** A configuration file, instead of the nearest. */
  readonly config?: string
  /** Follow findings outside tests to the tests that reach them (default: yes). */
  readonly trace?: boolean
  /** Leave out what the baseline accepts (default: yes). */
  readonly baseline?: boolean
  /** Also give what comments and the baseline silence, marked as such. */
  readonly showSuppressed?: boolean
  /** Ask the TypeScript compiler which calls give promises; needs ts-morph. */
  readonly typed?: boolean
  /** Worker threads; by the number of cores and the size of the work where left out. */
  readonly jobs?: number
  /** Ends the work and its threads; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Something that was asked for is not there, or cannot be read. */
export interface PathError extends Error {
  readonly name: 'PathError'
  readonly paths: readonly string[]
}

export const isPathError = (error: unknown): error is PathError => error instanceof Error && error.name === 'PathError'

/**
 * The report that `flakesniff --format json` prints for the same paths. Throws a PathError, a ConfigError, a BaselineError or a TypedError:
 * each has a message for people.
 */
export async function lint(options: LintOptions = {}): Promise<Report> {
  refuseUnknown('option', Object.keys(options), OPTIONS)
  refuseUnknown('rule', Object.keys(options.rules ?? {}), all.map(r => r.meta.id))
  const { cwd = process.cwd(), files, showSuppressed, rules, paths = files ? Object.keys(files) : ['.'], ...rest } = options
  const { summary } = await run({
    ...rest,
    cwd,
    paths,
    ...(files && { files }),
    ...(rules && { levels: rules }),
    ...(showSuppressed && { keepSuppressed: true }),
  })
  const missing = summary.notices.filter(n => n.level === 'error' && n.id === 'unreadable')
  if (missing.length === 0) return reportOf(summary)
  throw Object.assign(new Error(missing.map(n => `${n.file}: ${n.message}`).join('\n')), { name: 'PathError' as const,
    paths: missing.map(n => n.file ?? '') })
}

const OPTIONS = ['cwd', 'paths', 'files', 'preset', 'rules', 'config', 'trace', 'baseline', 'showSuppressed', 'typed', 'jobs',
  'signal'] satisfies (keyof LintOptions)[]

/** Types do not reach everybody: what is misspelt must not be taken for what is left out. */
function refuseUnknown(what: string, given: readonly string[], known: readonly string[]): void {
  const stray = given.find(name => !known.includes(name))
  if (stray !== undefined) throw new TypeError(`lint: there is no ${what} ${JSON.stringify(stray)}${didYouMean(stray, known)}`)
}
