// The configuration: data from one file, found upward from the root and never above the repository; checked as a whole
// before anything else happens.

import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { globs } from '../discover/globs.ts'
import { attempt, exists, folderPath, isInside, repositoryTop, slashed } from '../discover/places.ts'
import type { Language } from '../facts/facts.ts'
import type { Preset, Severity } from '../rules/rule.ts'
import { CONFIG_SHAPE } from './shape.ts'
import { type Tree, position, readTree } from './tree.ts'
import { validate } from './validate.ts'

export type Level = 'off' | Severity
export type FailOn = Severity | 'never'

export interface RuleSetting {
  readonly level?: Level
  readonly options?: Readonly<Record<string, unknown>>
}

/** A name of the project's own that does what a catalog's name does. */
export interface DeclaredName {
  readonly name: string
  readonly language?: Language
  /** The argument with the duration, by place or name. */
  readonly arg?: number | string
  readonly unit?: 'ns' | 'us' | 'ms' | 's' | 'm'
}

export interface Override {
  readonly files: readonly string[]
  readonly rules: Readonly<Record<string, RuleSetting>>
  readonly preset?: Preset
}

/** Names of the bats-sequential-contract rule. */
export interface BatsSequential {
  readonly setup?: string
  readonly load?: string
  readonly complete?: string
  readonly environment?: string
  readonly pattern?: string
}

export interface Config {
  /** Where it was read, or null for the defaults. */
  readonly file: string | null
  /** The folder that its globs and patterns speak of; the root lies in it. */
  readonly base: string
  /** The root, as seen from there: `''` or `packages/app/`. */
  readonly prefix: string
  readonly preset?: Preset
  readonly rules: Readonly<Record<string, RuleSetting>>
  readonly ignore: readonly string[]
  readonly include: readonly string[] | null
  readonly overrides: readonly Override[]
  readonly failOn?: FailOn
  readonly sleeps: readonly DeclaredName[]
  readonly clocks: readonly DeclaredName[]
  readonly waits: readonly DeclaredName[]
  readonly serialMarkers: readonly DeclaredName[]
  readonly testFunctions: readonly DeclaredName[]
  readonly batsSequential: BatsSequential
  readonly maxFileBytes?: number
  readonly jobs?: number
  /** Ask the TypeScript compiler which calls give promises. */
  readonly typed?: boolean
  /** The file of accepted findings, from the base. */
  readonly baseline?: string
}

export interface ConfigProblem {
  readonly file: string
  readonly line: number | null
  readonly column: number | null
  readonly message: string
}

export interface ConfigError extends Error {
  readonly name: 'ConfigError'
  readonly problems: readonly ConfigProblem[]
}

export const isConfigError = (error: unknown): error is ConfigError => error instanceof Error && error.name === 'ConfigError'

export const CONFIG_FILES = ['flakesniff.json', 'flakesniff.jsonc', '.flakesniffrc.json', 'flakesniff.yaml', 'flakesniff.yml'] as const
const MANIFEST = 'package.json'
const MANIFEST_KEY = 'flakesniff'

/** Throws a ConfigError that names every fault of the file. */
export function loadConfig(root: string, ruleIds: readonly string[], explicitFile?: string): Config {
  const top = resolve(root)
  if (explicitFile !== undefined) {
    const file = resolve(top, explicitFile)
    return fromFile(file, readOrFail(file, explicitFile), top, ruleIds, explicitFile)
      ?? failAll(explicitFile, `has no key "${MANIFEST_KEY}"`)
  }
  for (const folder of foldersUpward(top)) {
    const found = configIn(folder, top, ruleIds)
    if (found) return found
  }
  return defaultConfig(top)
}

/** What holds where no file says anything. */
export const defaultConfig = (root: string): Config => assemble({}, null, root, root)

/** From the root to the top of its repository; without one, the root alone: what lies above is nobody's word on it. */
function foldersUpward(root: string): string[] {
  const top = repositoryTop(root) ?? root
  const folders = [root]
  for (let at = root; at !== top; at = dirname(at)) folders.push(dirname(at))
  return folders
}

function configIn(folder: string, root: string, ruleIds: readonly string[]): Config | undefined {
  const found = [...CONFIG_FILES, MANIFEST].flatMap(name => {
    const file = join(folder, name)
    const text = exists(file) ? readWithin(file, folder, root) : undefined
    return text !== undefined && (name !== MANIFEST || manifestHasKey(text)) ? [{ file, text }] : []
  })
  const [first, second] = found
  if (first && second)
    failAll(shownFrom(root, second.file), `there is a configuration in ${shownFrom(root, first.file)} too: keep one of them`)
  return first && fromFile(first.file, first.text, root, ruleIds, shownFrom(root, first.file))
}

function manifestHasKey(text: string): boolean {
  if (!text.includes(`"${MANIFEST_KEY}"`)) return false
  const { tree } = readTree(text, MANIFEST)
  return tree !== undefined && keyOf(tree) !== undefined
}

const keyOf = (tree: Tree) => (tree.is === 'map' ? tree.entries.find(e => e.key === MANIFEST_KEY)?.value : undefined)

function fromFile(file: string, text: string, root: string, ruleIds: readonly string[], shown: string): Config | undefined {
  const { tree, faults } = readTree(text, file)
  const problems = (list: readonly { at: number; message: string }[]) =>
    list.map(({ at, message }) => ({ file: shown, ...position(text, at), message }))
  if (faults.length > 0) fail(problems(faults))
  const part = tree && basename(file) === MANIFEST ? keyOf(tree) : tree
  if (!part) return basename(file) === MANIFEST ? undefined : assemble({}, file, baseFor(file, root), root)
  const checked = validate(part, CONFIG_SHAPE, ruleIds)
  if (checked.faults.length > 0) fail(problems(checked.faults))
  return assemble(checked.value as RawConfig, file, baseFor(file, root), root)
}

/** A file from elsewhere, given by hand, speaks of the root. */
const baseFor = (file: string, root: string) => (isInside(dirname(file), root) ? dirname(file) : root)

function fail(problems: readonly ConfigProblem[]): never {
  const lines = problems.map(p => `${p.file}${p.line === null ? '' : `:${p.line}:${p.column}`}: ${p.message}`)
  throw Object.assign(new Error(lines.join('\n')), { name: 'ConfigError' as const, problems })
}

/** For a fault of the file as a whole. */
const failAll = (file: string, message: string): never => fail([{ file, line: null, column: null, message }])

// --- reading --------------------------------------------------------------------------------------------------------

const MAX_BYTES = 1024 * 1024

function readOrFail(file: string, shown: string): string {
  const problem = (message: string) => failAll(shown, message)
  try {
    const text = readFileSync(file, 'utf8')
    return text.length > MAX_BYTES ? problem('is too large for a configuration') : text.replace(/^\uFEFF/, '')
  } catch (error) {
    if (isConfigError(error)) throw error
    const code = (error as NodeJS.ErrnoException).code
    return problem(
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EISDIR'
        ? 'is a folder, not a file'
        : `cannot be read (${code ?? 'unknown error'})`,
    )
  }
}

/** Messages quote what a file holds: a link in a stranger's repository must not make us quote another file. */
function readWithin(file: string, folder: string, root: string): string {
  const shown = shownFrom(root, file)
  if (lstatSync(file).isSymbolicLink()) {
    const top = repositoryTop(folder) ?? folder
    const target = attempt(() => realpathSync.native(file))
    if (target === undefined || !isInside(attempt(() => realpathSync.native(top)) ?? top, target))
      failAll(shown, 'is a link that leads out of the repository, and was not followed')
  }
  return readOrFail(file, shown)
}

const shownFrom = (root: string, file: string) => slashed(relative(root, file))

// --- from what was written to what is meant -------------------------------------------------------------------------

type RawRules = Readonly<Record<string, Level | RuleSetting>>
type RawName = string | DeclaredName
type NameLists = 'sleeps' | 'clocks' | 'waits' | 'serialMarkers' | 'testFunctions'

interface RawConfig
  extends
    Partial<Pick<Config, 'preset' | 'ignore' | 'include' | 'failOn' | 'batsSequential' | 'maxFileBytes' | 'jobs' | 'typed' | 'baseline'>>,
    Partial<Record<NameLists, readonly RawName[]>>
{
  readonly rules?: RawRules
  readonly overrides?: readonly { readonly files: string | readonly string[]; readonly rules?: RawRules; readonly preset?: Preset }[]
}

function assemble(raw: RawConfig, file: string | null, base: string, root: string): Config {
  const names = (list: readonly RawName[] = []) => list.map(n => (typeof n === 'string' ? { name: n } : n))
  return {
    file,
    base,
    prefix: folderPath(base, root),
    preset: raw.preset,
    failOn: raw.failOn,
    maxFileBytes: raw.maxFileBytes,
    jobs: raw.jobs,
    typed: raw.typed,
    baseline: raw.baseline,
    rules: settings(raw.rules),
    ignore: raw.ignore ?? [],
    include: raw.include ?? null,
    overrides: (raw.overrides ?? []).map(o => ({ files: typeof o.files === 'string' ? [o.files] : o.files, rules: settings(o.rules),
      preset: o.preset })
    ),
    sleeps: names(raw.sleeps),
    clocks: names(raw.clocks),
    waits: names(raw.waits),
    serialMarkers: names(raw.serialMarkers),
    testFunctions: names(raw.testFunctions),
    batsSequential: raw.batsSequential ?? {},
  }
}

function settings(rules: RawRules = {}): Record<string, RuleSetting> {
  const result = Object.create(null) as Record<string, RuleSetting>
  for (const [id, setting] of Object.entries(rules)) result[id] = typeof setting === 'string' ? { level: setting } : setting
  return result
}

// --- what holds for a file ------------------------------------------------------------------------------------------

/** The level of a rule in a file (relative to the root): the last override that names it decides, then `rules`, then the default. */
export function levelOf(config: Config, ruleId: string, path: string, defaultLevel: Level): Level {
  return lastThatSays(config, path, o => o.rules[ruleId]?.level) ?? config.rules[ruleId]?.level ?? defaultLevel
}

export function optionsOf(config: Config, ruleId: string, path: string): Readonly<Record<string, unknown>> {
  return lastThatSays(config, path, o => o.rules[ruleId]?.options) ?? config.rules[ruleId]?.options ?? {}
}

export function presetOf(config: Config, path: string, defaultPreset: Preset): Preset {
  return lastThatSays(config, path, o => o.preset) ?? config.preset ?? defaultPreset
}

function lastThatSays<T>(config: Config, path: string, what: (override: Override) => T | undefined): T | undefined {
  return config.overrides.filter(o => what(o) !== undefined && overrideMatches(o, config.prefix + path)).map(what).at(-1)
}

const matchers = new WeakMap<Override, (path: string) => boolean>()

function overrideMatches(override: Override, path: string): boolean {
  let matcher = matchers.get(override)
  if (!matcher) matchers.set(override, matcher = globs(override.files))
  return matcher(path)
}
