// One text at a time, at once, as an editor holds it: for ESLint, language servers and whoever has no run to wait for. What a
// file alone and its surroundings tell is told as a run with `--no-trace` tells it.

import { dirname, isAbsolute, relative, resolve } from 'node:path'
import type { Config, Level } from './config/config.ts'
import { DEFAULT_MAX_BYTES, isGenerated, isMinified, leavesOut } from './discover/discover.ts'
import { isInside, repositoryTop, slashed } from './discover/places.ts'
import { againstBaseline } from './engine/accepted.ts'
import { makeAnalyser, type Analyser, type FileResult } from './engine/analyse.ts'
import { fixText, type FixedFile } from './engine/fix.ts'
import { byPlace } from './engine/order.ts'
import { surroundingsOf, type Surroundings } from './engine/surroundings.ts'
import type { Comment, Language } from './facts/facts.ts'
import type { ForeignTree } from './parsers/frontend.ts'
import { languageOf, loadLanguages, readyFrontend } from './parsers/registry.ts'
import { NO_PROJECT } from './project/project.ts'
import type { Finding, Notice, Preset } from './rules/rule.ts'

export { loadLanguages, type ForeignTree }

export interface LinterOptions {
  /** What paths are told from; the configuration is looked for from here upward. */
  readonly cwd: string
  /** What the configuration says, where left out. */
  readonly preset?: Preset
  /** Levels by rule; they beat the configuration's. */
  readonly levels?: Readonly<Record<string, Level>>
  /** A configuration file, instead of the nearest. */
  readonly config?: string
  /**
   * Leave out, as a run does, files that are ignored and findings that the baseline accepts. Not for ESLint, which has means of its own.
   */
  readonly asRun?: boolean
}

export interface Source {
  /** Absolute, or relative to the working directory. The file need not be on the disk. */
  readonly path: string
  readonly text: string
  /** Where the path does not say it. */
  readonly language?: Language
  /** For JavaScript and TypeScript: the ESTree that the caller has of this text already. Where it cannot be used, the text is parsed. */
  readonly tree?: ForeignTree
}

export interface LintResult {
  /** In the order of the text. */
  readonly findings: readonly Finding[]
  /** What comments silence, and with `asRun` the baseline. */
  readonly suppressed: readonly Finding[]
  readonly notices: readonly Notice[]
  /**
   * Why nothing was looked at: 'unknown language', 'generated', 'minified', 'too large'; with `asRun` also 'ignored', 'vendored', 'not
   * included'.
   */
  readonly leftOut: string | null
}

export interface Linter {
  /**
   * Throws a ConfigError where the project's configuration is at fault, and an Error where the language is not loaded: see `loadLanguages`.
   */
  readonly lint: (source: Source) => LintResult
  /** The text with all safe fixes in it, as `--fix` would write it. It throws as `lint` does. */
  readonly fix: (source: Source) => Promise<FixedFile>
}

/** Keeps what it reads of the project, and reads it again when it changes. */
export function makeLinter(options: LinterOptions): Linter {
  const cwd = resolve(options.cwd)
  const places = new Map<string, Surroundings>()
  const analysers = new Map<string, { readonly made: Analyser; readonly of: string }>()

  function surroundings(root: string): Surroundings {
    let known = places.get(root)
    if (!known) places.set(root, known = surroundingsOf(root, options.config === undefined ? undefined : resolve(cwd, options.config)))
    return known
  }

  /** To make one costs more than to use it: it is kept while the configuration says the same. */
  function analyserFor(root: string, config: Config): Analyser {
    const of = JSON.stringify(config)
    const known = analysers.get(root)
    if (known?.of === of) return known.made
    const made = makeAnalyser({ config, preset: options.preset ?? null, levels: options.levels ?? {}, project: NO_PROJECT })
    analysers.set(root, { made, of })
    return made
  }

  /** Everything there is to know of a text before it is analysed, or why it is not. */
  function sight({ path: given, text, language: said, tree }: Source): Sight | string {
    const absolute = isAbsolute(given) ? given : resolve(cwd, given)
    const root = rootFor(absolute, cwd)
    const path = slashed(relative(root, absolute))
    const language = said ?? languageOf(path, text.slice(0, 128))
    if (!language) return 'unknown language'
    const here = surroundings(root)
    const config = here.config()
    const leftOut = whyLeftOut(text, config)
      ?? (options.asRun ? leavesOut(absolute, { root, base: config.base, include: config.include, ignore: config.ignore }) : undefined)
    if (leftOut) return leftOut
    const analyser = analyserFor(root, config), project = here.projectFor(dirname(absolute), language)
    return { root, path, language, config,
      analyse: now => analyser.analyseNow(path, now, language, { project, ...(tree && now === text && { tree }) }) }
  }

  function lint(source: Source): LintResult {
    const seen = sight(source)
    if (typeof seen === 'string') return nothing(seen)
    const { findings, suppressed, notices } = seen.analyse(source.text)
    const sorted = [...findings].sort(byPlace)
    if (!options.asRun) return { findings: sorted, suppressed, notices, leftOut: null }
    const settings = { config: seen.config, preset: options.preset ?? null, levels: options.levels ?? {}, project: NO_PROJECT }
    const { accepted, shown } = againstBaseline(sorted, seen.root, settings, true, () => false)
    const silenced = [...accepted].map((f): Finding => ({ ...f, suppressed: { reason: `accepted in ${shown}`, by: 'baseline' } }))
    return { findings: sorted.filter(f => !accepted.has(f)), suppressed: [...suppressed, ...silenced], notices, leftOut: null }
  }

  async function fix(source: Source): Promise<FixedFile> {
    const seen = sight(source)
    if (typeof seen === 'string') return { path: source.path, before: source.text, after: source.text, fixes: 0 }
    const { result: _, ...fixed } = await fixText(seen.path, source.text, seen.language, {
      analyse: async (_path, text) => seen.analyse(text),
    })
    return fixed
  }
  return { lint, fix }
}

interface Sight {
  readonly root: string
  readonly path: string
  readonly language: Language
  readonly config: Config
  readonly analyse: (text: string) => FileResult
}

/** The comments of a text in a language that is loaded, by its own grammar: `#` in a string is none. */
export function commentsIn(text: string, language: Language, path: string): readonly Comment[] {
  const frontend = readyFrontend(language)
  if (!frontend) throw new Error(`${language} is not loaded: await loadLanguages(['${language}']) first`)
  return frontend.parse(text, { path, kind: frontend.kindOf(path), testFunctions: [] }).comments
}

/** The folder of which a file is part: the innermost of these, or the top of its repository, or its own. */
export function homeOf(absolute: string, folders: readonly string[]): string {
  const around = folders.filter(f => isInside(f, absolute)).sort((a, b) => b.length - a.length)
  return around[0] ?? repositoryTop(dirname(absolute)) ?? dirname(absolute)
}

/** As a run from the working directory tells paths; what lies elsewhere is told from the top of its repository. */
const rootFor = (absolute: string, cwd: string): string =>
  isInside(cwd, absolute) ? cwd : repositoryTop(dirname(absolute)) ?? dirname(absolute)

const nothing = (leftOut: string): LintResult => ({ findings: [], suppressed: [], notices: [], leftOut })

function whyLeftOut(text: string, { maxFileBytes = DEFAULT_MAX_BYTES }: Config): string | undefined {
  // Fewer characters than a third of the limit are surely fewer bytes.
  if (text.length * 3 > maxFileBytes && Buffer.byteLength(text) > maxFileBytes) return 'too large'
  return isGenerated(text) ? 'generated' : isMinified(text) ? 'minified' : undefined
}
