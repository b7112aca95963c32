// The story of a run: discover → screen → extract → check → trace → settle.

import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { readChanges, type ChangesOf } from './changes/changes.ts'
import { loadConfig, type Config, type FailOn, type Level } from './config/config.ts'
import { discover, type Discovery } from './discover/discover.ts'
import { exists, isInside, realPlace, repositoryTop } from './discover/places.ts'
import { isRunnerFile } from './discover/runner-files.ts'
import type { FileResult } from './engine/analyse.ts'
import { againstBaseline, type Baseline } from './engine/accepted.ts'
import { makeAnalyser } from './engine/analyse.ts'
import type { Outcome } from './engine/batch.ts'
import { filesBeside } from './engine/beside.ts'
import { fixFiles, fixText, type FixedFile, type Repair } from './engine/fix.ts'
import { checkConfiguration, type ConfigurationResult } from './engine/configuration.ts'
import { focusOf, type Focus } from './engine/focus.ts'
import { byPlace, compare } from './engine/order.ts'
import { openPool } from './engine/pool.ts'
import { traced } from './engine/trace.ts'
import { DEFAULT_PRESET, isOff, type Settings } from './engine/settings.ts'
import { setupCures } from './engine/setups.ts'
import type { Language } from './facts/facts.ts'
import { isScriptName, languageOf } from './parsers/registry.ts'
import { readBatsSuites } from './project/bats.ts'
import { withBases } from './project/derived.ts'
import { readPackages } from './project/packages.ts'
import { readProject, type RunnerFile } from './project/project.ts'
import { namedSetups, setupFiles } from './project/setups.ts'
import type { Summary } from './report/summary.ts'
import { pageOf } from './rules/pages.ts'
import { rules } from './rules/registry.ts'
import type { Finding, Notice, Preset, RuleMeta } from './rules/rule.ts'
import { promisesIn } from './typed/typed.ts'
import { VERSION } from './version.ts'

export interface RunOptions {
  /** Where relative paths begin. */
  readonly cwd: string
  readonly paths: readonly string[]
  readonly preset?: Preset
  readonly levels?: Readonly<Record<string, Level>>
  readonly config?: string
  readonly jobs?: number
  /** Lint this text as if it stood in a file of that name. */
  readonly stdin?: { readonly name: string; readonly text: string }
  readonly keepSuppressed?: boolean
  /** Ask the TypeScript compiler; the configuration can, too. */
  readonly typed?: boolean
  /** Follow findings outside tests to the tests that reach them (default: yes). */
  readonly trace?: boolean
  /** Apply what is safe: to the files, or only to tell what would change. */
  readonly fix?: 'write' | 'show'
  /** Speak only of what changed; the rest of the tree is still looked at for the tests behind it. */
  readonly changes?: ChangesOf
  /** Leave out what the baseline accepts (default: yes). */
  readonly baseline?: boolean
  /**
   * What these files hold, whatever the disk says and whether or not they are there; only those count that `paths` ask for. Not together
   * with `changes`.
   */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Ends the run: no more files are begun, worker threads are ended, and the run is refused with the signal's reason. */
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, all: number) => void
}

export interface Run {
  /** What is there after fixes were written. */
  readonly summary: Summary
  readonly failOn: FailOn
  /** What was fixed, or would be; left out where nobody asked. */
  readonly fixed?: readonly FixedFile[]
  /** What was accepted before, what is new and what is gone. */
  readonly baseline: Baseline
}

export async function run(options: RunOptions): Promise<Run> {
  const { signal } = options
  signal?.throwIfAborted()
  const root = rootOf(options)
  const config = loadConfig(root, rules.map(r => r.meta.id),
    options.config === undefined ? undefined : resolve(options.cwd, options.config))
  const view = viewOf(options, root, config)
  const { found, focus } = view
  const { project, texts } = await projectOf(root, view, config)
  const files = focus?.toCheck(found.files) ?? found.files
  const typed = options.typed ?? config.typed ?? false
  const settings: Settings = {
    config,
    preset: options.preset ?? null,
    levels: options.levels ?? {},
    project,
    // The compiler reads the disk: of what is given otherwise it can say nothing.
    ...(typed && { typed: await promisesIn(root, files.filter(f => f.language === 'typescript' && !f.content).map(f => f.path)) }),
  }
  const pool = openPool(files, settings, options.jobs ?? config.jobs, signal)
  try {
    const outcomes = options.stdin
      ? [await fromStdin(options.stdin, root, options.cwd, settings)]
      : await pool.analyse(files, done => options.onProgress?.(done, files.length))
    // Beyond this a run may write.
    signal?.throwIfAborted()
    const repair = options.fix ? await repairOf(outcomes, found, settings, options) : undefined
    const now = repair && options.fix === 'write'
      ? outcomes.map(o => ({ ...o, results: o.results.map(r => repair.results.get(r.path) ?? r) }))
      : outcomes
    const results = now.flatMap(o => o.results)
    const findings = options.trace === false
      ? results.flatMap(r => r.findings)
      : await traced(results, new Map(found.files.map(f => [f.path, f])), pool.links, { packages: readPackages(texts),
        setups: setupFiles(found.files.map(f => f.path), texts) })
    // Configuration above or beside what was asked for is read, but what it says there is nobody's question.
    const asked = options.stdin ? [] : texts.filter(t => options.paths.some(p => isInside(resolve(options.cwd, p), join(root, t.path))))
    const settled = settle([...now, { results: [], leftOut: {}, notices: [...repair?.notices ?? []] }], findings,
      checkConfiguration(asked, settings), view, settings, options)
    const everywhere = !options.stdin && !options.changes && options.trace !== false
    const baseline = againstBaseline(settled.findings, root, settings, options.baseline !== false, folder =>
      everywhere && options.paths.some(p => isInside(resolve(options.cwd, p), folder)))
    return { summary: withBaseline(settled, baseline, settings, options), failOn: config.failOn ?? 'warning', baseline,
      ...(repair && { fixed: repair.fixed }) }
  } finally {
    pool.close()
  }
}

async function repairOf(outcomes: readonly Outcome[], found: Discovery, settings: Settings, { fix, stdin }: RunOptions): Promise<Repair> {
  const results = outcomes.flatMap(o => o.results)
  // What the compiler knew holds for the text that it read, not for the next round's.
  const { typed: _, ...rest } = settings
  const analyser = makeAnalyser(rest)
  if (!stdin) return fixFiles(results, new Map(found.files.map(f => [f.path, f])), analyser, fix === 'write')
  const done = await Promise.all(results.map(r => fixText(r.path, stdin.text, r.language, analyser)))
  return { fixed: done.filter(d => d.after !== d.before), results: new Map(), notices: [] }
}

/** Without what was accepted; where silenced findings are asked for, with it, and marked. */
function withBaseline(summary: Summary, { accepted, gone, shown, there }: Baseline, { config }: Settings,
  { keepSuppressed = false, baseline = true }: RunOptions): Summary
{
  const missing: Notice = { level: 'warning', id: 'baseline', file: shown, line: null,
    message: 'is the configured baseline, but there is no such file; `flakesniff baseline` writes it' }
  if (!there)
    return baseline && config.baseline !== undefined
      ? { ...summary, notices: [...summary.notices, missing].sort(byFile) }
      : summary
  const mark = (finding: Finding): Finding => ({ ...finding, suppressed: { reason: `accepted in ${shown}`, by: 'baseline' } })
  return {
    ...summary,
    findings: summary.findings.flatMap(f => (!accepted.has(f) ? [f] : keepSuppressed ? [mark(f)] : [])),
    baseline: { file: shown, accepted: accepted.size, gone, all: keepSuppressed },
  }
}

/** What a run sees: the files it may look at, and of which of them it speaks. */
interface View {
  readonly found: Discovery
  /** What was asked for, where that need not be all. */
  readonly asked?: readonly string[]
  readonly focus?: Focus
  /** What the given content of a file is, by its real path. */
  readonly contents: ReadonlyMap<string, Uint8Array>
}

function viewOf(options: RunOptions, root: string, config: Config): View {
  const asked = options.stdin ? [] : options.paths.map(p => resolve(options.cwd, p))
  const limits = { root, base: config.base, include: config.include, ignore: config.ignore,
    ...(config.maxFileBytes !== undefined && { maxBytes: config.maxFileBytes }) }
  if (!options.changes) {
    const contents = givenContents(options)
    return { contents, asked: options.stdin ? [resolve(options.cwd, options.stdin.name)] : asked,
      found: discover(asked, { ...limits, contents }) }
  }
  if (options.files) throw new TypeError('files and changes cannot be given together')
  const changes = readChanges(options.changes, root,
    path => languageOf(path, '') !== undefined || isRunnerFile(path) || isScriptName(path.slice(path.lastIndexOf('/') + 1)))
  const whole = discover([root], { ...limits, contents: changes.contents })
  const focus = focusOf(changes, realPlace(root), asked.map(realPlace))
  const missing = asked.filter(path => !exists(path) && options.changes?.is === 'given')
  return {
    focus,
    contents: changes.contents,
    found: {
      ...whole,
      files: whole.files.filter(f => changes.all?.has(f.absolute) ?? true),
      leftOut: {},
      notices: [
        ...whole.notices.filter(focus.tells),
        ...missing.map(
          path => ({ level: 'error', id: 'unreadable', file: relative(root, path), line: null,
            message: 'cannot be read: no such file or folder' } as const),
        ),
      ],
    },
  }
}

const givenContents = ({ cwd, files = {} }: RunOptions): Map<string, Uint8Array> =>
  new Map(
    Object.entries(files).map((
      [path, content],
    ) => [realPlace(resolve(cwd, path)), typeof content === 'string' ? Buffer.from(content) : content]),
  )

/**
 * What paths are told from: the working directory, for what lies in it. For what is asked for from elsewhere, the top of
 * its repository, or the folder that holds it all, so that the same tree gives the same report from anywhere.
 */
function rootOf({ cwd, paths, stdin, files = {} }: RunOptions): string {
  const asked = stdin ? [dirname(stdin.name)] : paths
  const absolute = asked.map(p => resolve(cwd, p))
  if (absolute.length === 0) return cwd
  let common = absolute[0]!
  while (!absolute.every(p => isInside(common, p))) common = dirname(common)
  if (statSync(common, { throwIfNoEntry: false })?.isFile() || Object.keys(files).some(f => resolve(cwd, f) === common))
    common = dirname(common)
  const top = repositoryTop(common)
  const fromHere = asked.every(p => !isAbsolute(p)) || (top !== undefined && isInside(top, cwd))
  return fromHere && isInside(cwd, common) ? cwd : top !== undefined && !isInside(top, cwd) ? top : common
}

async function projectOf(root: string, { found, contents, asked = [] }: View,
  config: Config): Promise<{ project: Settings['project']; texts: RunnerFile[] }>
{
  const read = (path: string): string | undefined => {
    try {
      return Buffer.from(contents.get(join(realPlace(root), path)) ?? readFileSync(join(root, path))).toString('utf8')
    } catch {
      // Gone or forbidden: the run itself tells of it where it matters.
      return undefined
    }
  }
  const known = new Set(found.files.map(f => f.path))
  const texts = withBases(found.configFiles.flatMap(path => {
    const text = read(path)
    return text === undefined ? [] : [{ path, text }]
  }), path => (known.has(path) || path.endsWith('.json') ? read(path) : undefined))
  const around = [...found.files, ...filesBeside(root, asked, found.files, namedSetups(texts))]
  const project = readProject(texts, readBatsSuites(around.map(f => f.path), read, config.batsSequential))
  return { texts, project: { ...project, cures: [...project.cures ?? [], ...await setupCures(around, texts)] } }
}

async function fromStdin({ name, text }: { name: string; text: string }, root: string, cwd: string, settings: Settings): Promise<Outcome> {
  const path = relative(root, resolve(cwd, name)).split(sep).join('/')
  const language = languageOf(path, text.slice(0, 128))
  if (!language)
    return { results: [], leftOut: { 'unknown language': 1 },
      notices: [{ level: 'warning', id: 'left-out', file: path, line: null, message: 'is of no language that flakesniff knows' }] }
  return { results: [await makeAnalyser(settings).analyse(path, text, language)], leftOut: {}, notices: [] }
}

function settle(outcomes: readonly Outcome[], findings: readonly Finding[], configuration: ConfigurationResult, { found, focus }: View,
  settings: Settings, options: RunOptions): Summary
{
  const results = outcomes.flatMap(o => o.results)
  const shown = (all: readonly Finding[]) => (focus ? all.filter(focus.shows) : all)
  const suppressed = shown([...results.flatMap(r => r.suppressed), ...configuration.suppressed])
  const leftOut: Record<string, number> = {}
  for (const counts of [found.leftOut, ...outcomes.map(o => o.leftOut)])
    for (const [why, n] of Object.entries(counts)) leftOut[why] = (leftOut[why] ?? 0) + n
  const on = rules.map(r => r.meta).filter(m => !isOff(settings, m))
  return {
    version: VERSION,
    preset: settings.preset ?? settings.config.preset ?? DEFAULT_PRESET,
    rules: on.map(meta => ({ ...meta, level: levelOf(settings, meta), page: pageOf(meta.id) })),
    findings: [...shown([...findings, ...configuration.findings]), ...(options.keepSuppressed ? suppressed : [])].sort(byPlace),
    suppressed: suppressed.length,
    notices: [...found.notices, ...outcomes.flatMap(o => o.notices), ...results.flatMap(r => r.notices)].filter(n =>
      focus?.tells(n) ?? true
    ).sort(byFile),
    files: {
      checked: results.length,
      parsed: results.filter(r => r.parsed).length,
      withProblems: results.filter(r => r.problems > 0).length,
      leftOut: Object.fromEntries(Object.entries(leftOut).sort(([a], [b]) => compare(a, b))),
    },
    tests: testsByLanguage(results),
    ...(focus && { narrowed: { to: focus.title, files: found.files.filter(f => focus.includes(f.path)).length } }),
  }
}

function levelOf(settings: Settings, meta: RuleMeta): RuleMeta['severity'] {
  const level = settings.levels[meta.id] ?? settings.config.rules[meta.id]?.level ?? meta.severity
  return level === 'off' ? meta.severity : level
}

function testsByLanguage(results: readonly FileResult[]): Partial<Record<Language, number>> {
  const counts: Partial<Record<Language, number>> = {}
  for (const r of [...results].sort((a, b) => compare(a.language, b.language)))
    if (r.tests > 0) counts[r.language] = (counts[r.language] ?? 0) + r.tests
  return counts
}

const byFile = (a: Notice, b: Notice): number =>
  compare(a.file ?? '', b.file ?? '') || (a.line ?? 0) - (b.line ?? 0) || compare(a.id, b.id) || compare(a.message, b.message)
