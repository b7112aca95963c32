// One file, from its text to findings. Everything here is about one file only, so that workers can share the work.

import { applySuppressions, readSuppressions, type SuppressionProblem } from '../config/suppress.ts'
import type { FileFacts, Language, Marker, Unit } from '../facts/facts.ts'
import { ancestors, isTestCode, testsOf } from '../facts/query.ts'
import { flowsOf } from '../flow/flow.ts'
import { seeThroughHelpers } from '../flow/helpers.ts'
import { annotate, indexCatalog, type Catalog } from '../parsers/annotate.ts'
import type { ForeignTree, Frontend } from '../parsers/frontend.ts'
import { frontendOf, readyFrontend } from '../parsers/registry.ts'
import { curesFor, isWhole, parallelFor, type ProjectFacts } from '../project/project.ts'
import { identified, lineHasher } from '../report/fingerprint.ts'
import type { Confidence, FileView, Finding, FindingFix, FindingPlace, Fix, Notice, Place as Spot, Report, Rule, RuleMeta,
  Severity } from '../rules/rule.ts'
import { rules as allRules } from '../rules/registry.ts'
import { RANK } from '../rules/wording.ts'
import { linksOf, type FileLinks } from '../trace/links.ts'
import { placeOf as placeOfUnit, type Place } from '../trace/places.ts'
import { linesOf, type Lines } from './lines.ts'
import { makeScreens, type Screens } from './screen.ts'
import { lend } from './setups.ts'
import type { Look } from './sieve.ts'
import { PRESET_CONFIDENCE, declaredNames, declaredRows, isOff, levelIn, presetIn, type Settings } from './settings.ts'

/** How a single test says that it runs beside others. */
const BESIDE = ['CONCURRENT', '.Parallel(', 'test.concurrent', 'it.concurrent', 'describe.concurrent', 'suite.concurrent', 'fullyParallel']

export interface FileResult {
  readonly path: string
  readonly language: Language
  readonly tests: number
  readonly parsed: boolean
  readonly problems: number
  readonly findings: readonly Finding[]
  readonly suppressed: readonly Finding[]
  /** Findings in code that is not a test's: they count only where a test reaches them. */
  readonly pending: readonly Finding[]
  /** Findings outside tests, with the function that holds them: the trace asks who calls it. */
  readonly causes: readonly { readonly fingerprint: string; readonly place: Place }[]
  /** Holds test code, so that what it mentions is used by tests. */
  readonly testCode: boolean
  readonly notices: readonly Notice[]
}

export interface Analyser {
  readonly analyse: (path: string, text: string, language: Language) => Promise<FileResult>
  /** The same at once, for a language that `loadLanguages` has loaded. */
  readonly analyseNow: (path: string, text: string, language: Language, given?: Given) => FileResult
  /** Who calls what in a file; `setup` where the runner runs it before tests. */
  readonly links: (path: string, text: string, language: Language, setup: boolean) => Promise<FileLinks>
}

/** What a caller knows of a file beyond its text. */
export interface Given {
  /** Instead of the settings' own: what holds for this file's folder. */
  readonly project?: ProjectFacts
  readonly tree?: ForeignTree
}

interface Raw {
  readonly report: Report
  readonly meta: RuleMeta
  readonly severity: Severity
}

interface Kept {
  readonly text: string
  readonly links: FileLinks
}

interface Prepared {
  readonly frontend: Frontend
  readonly screens: Screens
  readonly catalog: Catalog
  /** The rules that are on, each with the question whether a file concerns it. */
  readonly rules: readonly { readonly rule: Rule; readonly concerned: ReturnType<Screens['concerns']> }[]
}

/** What is told of a file by its path and its words, before it is parsed. */
interface Sighted {
  readonly tools: Prepared
  readonly look: Look
  readonly passes: boolean
  /** The result where nothing more is done. */
  readonly empty: FileResult
}

export function makeAnalyser(settings: Settings, rules: readonly Rule[] = allRules): Analyser {
  const on = rules.filter(r => !isOff(settings, r.meta))
  const metas = on.map(r => r.meta)
  const known = rules.map(r => r.meta.id)
  const prepared = new Map<Language, Prepared>()
  /** What the trace may ask of files that were parsed for the rules, so that it need not parse them again. */
  const kept = new Map<string, Kept>()

  function prepare(frontend: Frontend): Prepared {
    const known = prepared.get(frontend.id)
    if (known) return known
    const rows = declaredRows(settings, frontend.id)
    const screens = makeScreens(frontend, metas, rows)
    const made = { frontend, screens, catalog: indexCatalog([...frontend.catalog, ...rows]),
      rules: on.map(rule => ({ rule, concerned: screens.concerns(rule.meta) })) }
    prepared.set(frontend.id, made)
    return made
  }

  async function analyse(path: string, text: string, language: Language): Promise<FileResult> {
    const look = lookAt(path, text, await frontendOf(language), settings.project)
    if (look.passes) await look.tools.frontend.load()
    return judge(look, text, { project: settings.project, keep: links => kept.set(path, links) })
  }

  function analyseNow(path: string, text: string, language: Language, given: Given = {}): FileResult {
    const frontend = readyFrontend(language)
    if (!frontend) throw new Error(`${language} is not loaded: await loadLanguages(['${language}']) first`)
    const project = given.project ?? settings.project
    return judge(lookAt(path, text, frontend, project), text, { ...given, project })
  }

  function lookAt(path: string, text: string, frontend: Frontend, project: ProjectFacts): Sighted {
    const tools = prepare(frontend)
    const { id: language } = frontend
    const kind = frontend.kindOf(path)
    const tests = kind !== 'source' || frontend.testsInSource ? frontend.countTests(text) : 0
    const testCode = kind !== 'source' || tests > 0 || frontend.holdsTestCode?.(text) === true
    const empty: FileResult = {
      path,
      language,
      parsed: false,
      problems: 0,
      findings: [],
      suppressed: [],
      pending: [],
      causes: [],
      testCode,
      notices: [],
      tests,
    }
    // Most projects run no tests side by side: the words of rules about that are then not looked for.
    const beside = parallelFor(project, language, path).on || BESIDE.some(word => text.includes(word))
    const passes = !testCode ? tools.screens.source : beside ? tools.screens.beside : tools.screens.tests
    const look = tools.screens.look(text)
    return { tools, look, empty, passes: passes(look, path) }
  }

  function judge({ tools, look, passes, empty }: Sighted, text: string,
    { project, tree, keep }: Given & { readonly project: ProjectFacts; readonly keep?: (links: Kept) => void }): FileResult
  {
    if (!passes) return empty
    const { frontend, catalog, rules: asked } = tools
    const { path, language, tests, testCode } = empty
    const kind = frontend.kindOf(path)
    const notices: Notice[] = []
    const lines = linesOf(text)
    let facts: FileFacts
    let view: FileView
    try {
      const parsed = frontend.parse(text, { path, kind, testFunctions: declaredNames(settings.config.testFunctions, language),
        ...(tree && { tree }) })
      const folding = annotate(parsed, catalog, frontend.durations)
      declareSerial(parsed.units, declaredNames(settings.config.serialMarkers, language))
      const outside = curesFor(project, language, path, text)
      lend({ units: parsed.units, path }, outside)
      seeThroughHelpers(parsed.units, folding)
      keep?.({ text, links: linksOf({ path, language, kind, ...parsed }) })
      addTyped(parsed.units, settings.typed?.[path] ?? [])
      const fixtures = outside.flatMap(c => (c.fixture === undefined ? [] : [{ name: c.fixture, kind: c.kind }]))
      const stubbed = outside.flatMap(c => c.command ?? [])
      facts = { path, language, kind, cures: outside.filter(isWhole).map(c => c.kind), ...(fixtures.length > 0 && { fixtures }),
        ...(stubbed.length > 0 && { stubbed }), ...parsed }
      view = { facts, folding, flows: flowsOf(facts, folding), project, textOf: span => text.slice(span.start, span.end) }
    } catch (error) {
      return { ...empty, notices: [ours(path, `the ${frontend.title} parser failed: ${messageOf(error)}`)] }
    }
    const raw: Raw[] = []
    const effects = new Set(facts.units.flatMap(u => u.calls.flatMap(c => c.effects.map(e => e.kind as string))))
    for (const { rule, concerned } of asked) {
      const { level, set } = levelIn(settings, rule.meta, path)
      if (level === 'off' || (!testCode && !rule.meta.source) || !concerned(look, path, effects)) continue
      try {
        for (const report of rule.check(view))
          raw.push({ report: capped(report, rule.meta, facts), meta: rule.meta, severity: set ? level : report.severity ?? level })
      } catch (error) {
        notices.push(ours(path, `the rule ${rule.meta.id} failed: ${messageOf(error)}`))
      }
    }
    if (facts.problems.length > 0) {
      const first = facts.problems[0]!
      notices.push({
        level: 'note',
        id: 'parse-problem',
        file: path,
        line: lines.lineOf(first.span.start),
        message: `${facts.problems.length} ${facts.problems.length === 1 ? 'place' : 'places'} could not be parsed; the rest was checked`,
      })
    }
    const reports = thinned(
      oncePerLine(raw.sort((a, b) => a.report.at.start - b.report.at.start || (a.meta.id < b.meta.id ? -1 : a.meta.id > b.meta.id ? 1 : 0)),
        lines),
      lines.count,
    )
    // A preset shows less, but a comment that silences what it does not show is not unused.
    const shown = PRESET_CONFIDENCE[presetIn(settings, path)]
    const made = findingsOf(reports, facts, text, lines, shown)
    const { suppressions, problems } = readSuppressions(facts.comments, lines.lineOf, known,
      text.includes('flakesniff-') ? lines.all() : [])
    const settled = applySuppressions(made.map(m => m.finding), suppressions,
      id => on.some(r => r.meta.id === id && levelIn(settings, r.meta, path).level !== 'off'))
    const silenced = new Set(settled.suppressed.map(s => s.fingerprint))
    const complaints = [...problems, ...settled.unused].map((p, i, all) =>
      complaint(p, all.slice(0, i).filter(o => o.ruleId === p.ruleId).length, path, lines, text)
    )
    const live = made.filter(m => !silenced.has(m.finding.fingerprint) && shown.includes(m.finding.confidence))
    return {
      ...empty,
      parsed: true,
      tests: testCode ? testsOf(facts, true).length : tests,
      problems: facts.problems.length,
      notices,
      findings: [...live.filter(m => m.inTests).map(m => m.finding), ...complaints],
      suppressed: settled.suppressed.filter(f => shown.includes(f.confidence)),
      pending: live.filter(m => !m.inTests).map(m => m.finding),
      causes: causesOf(live, facts),
    }
  }

  async function links(path: string, text: string, language: Language, setup: boolean): Promise<FileLinks> {
    const { frontend, catalog } = prepare(await frontendOf(language))
    const named = frontend.kindOf(path), known = kept.get(path)
    // Fixes may have been written since; and whatever its name says, the hooks of a set-up file are tests'.
    if (known?.text === text && !(setup && named === 'source')) return known.links
    await frontend.load()
    const kind = setup && named === 'source' ? 'support' : named
    const parsed = frontend.parse(text, { path, kind, testFunctions: declaredNames(settings.config.testFunctions, language) })
    seeThroughHelpers(parsed.units, annotate(parsed, catalog, frontend.durations))
    return linksOf({ path, language, kind, ...parsed })
  }
  return { analyse, analyseNow, links }
}

/** What is called a fixture is handed to something that is tested; nobody counts on its own outcome. */
const FIXTURE = /\.fixture\.\w+$/

/** A test that never runs fails for nobody; that it was put away is another matter. */
const isPutAway = (facts: FileFacts, unit: Unit | undefined): boolean =>
  unit !== undefined && [unit, ...ancestors(facts, unit)].some(u => u.skips.some(s => s.condition === null))

const capped = (report: Report, { cap, category }: RuleMeta, facts: FileFacts): Report =>
  report.confidence === 'high'
    && (cap === 'medium' || FIXTURE.test(facts.path) || (category !== 'masking' && isPutAway(facts, facts.units[report.unit])))
    ? { ...report, confidence: 'medium' }
    : report

const messageOf = (
  error: unknown,
): string => error instanceof Error ? `${error.message} (${error.stack?.split('\n')[1]?.trim() ?? ''})` : String(error)
const ours = (file: string, message: string): Notice => ({ level: 'error', id: 'internal', file, line: null,
  message: `${message}; this is a fault of flakesniff, not of the file` })

/** Markers that the project declares to keep tests apart. */
function declareSerial(units: FileFacts['units'], names: readonly string[]): void {
  if (names.length === 0) return
  for (const unit of units)
    unit.markers.forEach((m, i) => {
      if (names.includes(m.name)) (unit.markers as Marker[])[i] = { ...m, is: 'serial' }
    })
}

/** What the compiler knows to give a promise: pairs of start and end. */
function addTyped(units: FileFacts['units'], spans: readonly number[]): void {
  if (spans.length === 0) return
  const ends = new Map(Array.from({ length: spans.length / 2 }, (_, i) => [spans[2 * i]!, spans[2 * i + 1]!]))
  for (const unit of units)
    for (const call of unit.calls)
      if (call.result === 'discarded' && ends.get(call.span.start) === call.span.end && !call.effects.some(e => e.kind === 'promise'))
        call.effects.push({ kind: 'promise', note: 'type' })
}

/** `gap < low || gap > high` is one line to mend: what a rule says of it in the same words is said once, where it is surest. */
function oncePerLine(reports: readonly Raw[], { lineOf }: Lines): Raw[] {
  const said = new Map<string, Raw>()
  for (const raw of reports) {
    const key = `${raw.meta.id} ${lineOf(raw.report.at.start)} ${raw.report.message}`, known = said.get(key)
    if (!known || RANK[raw.report.confidence] > RANK[known.report.confidence]) said.set(key, raw)
  }
  const kept = new Set(said.values())
  return reports.filter(r => kept.has(r))
}

/**
 * In the files of 1,822 real fixes, 143 of 1,518 sleeps were fixed where a file had fewer than twenty, and 3 of 465 where it had more; of
 * time limits 50 of 345, and none of 154. Of measured times it was 63 of 353, and 4 of 55: too many to step back.
 */
const CROWD = 20
/** In a file that is long, one in this many lines is no crowd. */
const SPREAD = 250

/**
 * Of a crowd the first few stay what they are, so that nobody misses it; the others step back, and twice what comes after the most that a
 * rule says of one file: first what is sure, then what is not.
 */
function thinned(reports: readonly Raw[], length: number): Raw[] {
  const add = (to: Map<string, number>, id: string): number => to.set(id, (to.get(id) ?? 0) + 1).get(id)!
  const sure = new Map<string, number>(), passed = new Map<string, number>(), told = new Map<string, number>()
  for (const { report, meta } of reports) if (report.confidence === 'high') add(sure, meta.id)
  const step = (raw: Raw): Raw => {
    const { meta: { id, crowds, foremost = Infinity }, report } = raw
    if (crowds === undefined || report.confidence === 'low') return raw
    if (add(told, id) > Math.max(crowds, length / SPREAD)) return { ...raw, report: { ...report, confidence: 'low' } }
    return report.confidence !== 'high' || sure.get(id)! < CROWD || add(passed, id) <= foremost
      ? raw
      : { ...raw, report: { ...report, confidence: 'medium' } }
  }
  const high = new Map(reports.flatMap(raw => (raw.report.confidence === 'high' ? [[raw, step(raw)] as const] : [])))
  return reports.map(raw => high.get(raw) ?? step(raw))
}

/** What is not shown is only told apart, for comments that may silence it; its lines cost nothing. */
function findingsOf(reports: readonly Raw[], facts: FileFacts, text: string, lines: Lines, shown: readonly Confidence[]) {
  const hash = lineHasher(text)
  const seen = new Map<string, number>()
  const place = (p: Spot): FindingPlace => ({ file: p.file ?? facts.path, message: p.message, ...lines.regionOf(p.span) })
  return reports.map(({ report, meta, severity }) => {
    const region = lines.regionOf(report.at)
    const unit = facts.units[report.unit]
    const test = unit && unit.role.is !== 'module' ? unit.title : null
    // What is said of the file as a whole stands at its first character: the line there today is no part of it.
    const ofFile = report.at.start === 0 && report.at.end <= 1
    const snippet = ofFile ? report.message : text.slice(report.at.start, report.at.end)
    const key = `${meta.id}\n${test}\n${snippet}`
    const occurrence = seen.get(key) ?? 0
    seen.set(key, occurrence + 1)
    const isShown = shown.includes(report.confidence)
    const names = identified({ ruleId: meta.id, file: facts.path, test, snippet, occurrence })
    const finding: Finding = {
      ruleId: meta.id,
      severity,
      confidence: report.confidence,
      file: facts.path,
      ...region,
      message: report.message,
      test,
      trace: (report.trace ?? []).map(place),
      related: (report.related ?? []).map(place),
      ...((report.fixes ?? []).length > 0 && { fixes: report.fixes!.map(f => fixIn(f, text, lines)) }),
      ...names,
      lineHash: ofFile ? `${names.fingerprint}:1` : isShown ? hash(region.startLine) : '',
      frame: isShown ? frameOf(region.startLine, lines) : [],
    }
    return { finding, inTests: unit === undefined || isTestCode(facts, unit), unit: report.unit }
  })
}

/** A fix as a reader counts, in the file's own line ends. */
function fixIn({ title, safe, edits }: Fix, text: string, lines: Lines): FindingFix {
  const crlf = text.includes('\r\n')
  return { title, safe, edits: edits.map(e => ({ ...lines.regionOf(e.span), text: crlf ? e.text.replace(/\r?\n/g, '\r\n') : e.text })) }
}

/** Of the findings those that stand in a function which is no test: helpers, hooks, code under test. */
function causesOf(made: readonly { readonly finding: Finding; readonly unit: number }[], facts: FileFacts): FileResult['causes'] {
  const links = made.length > 0 ? linksOf(facts) : undefined
  return made.flatMap(({ finding, unit }) => {
    const link = links!.units[unit]
    return link && (link.role.is === 'helper' || link.role.is === 'hook')
      ? [{ fingerprint: finding.fingerprint, place: placeOfUnit(links!, link) }]
      : []
  })
}

export const frameOf = (line: number, lines: Lines) =>
  [line - 1, line, line + 1].filter(n => n >= 1 && n <= lines.count).map(n => ({ line: n, text: lines.line(n).slice(0, 400) }))

export function complaint(problem: SuppressionProblem, occurrence: number, path: string, lines: Lines, text: string): Finding {
  const region = lines.regionOf(problem.span)
  const snippet = text.slice(problem.span.start, problem.span.end)
  return {
    ruleId: problem.ruleId,
    severity: 'warning',
    confidence: 'high',
    file: path,
    ...region,
    message: problem.message,
    test: null,
    trace: [],
    related: [],
    ...identified({ ruleId: problem.ruleId, file: path, test: null, snippet, occurrence }),
    lineHash: lineHasher(text)(region.startLine),
    frame: frameOf(region.startLine, lines),
  }
}
