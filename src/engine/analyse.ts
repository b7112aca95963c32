// One file, from its text to findings. Everything here is about one file only, so that workers can share the work.

import { applySuppressions, readSuppressions, type SuppressionProblem } from '../config/suppress.ts'
import type { FileFacts, Language, Marker } from '../facts/facts.ts'
import { isTestCode, testsOf } from '../facts/query.ts'
import { flowsOf } from '../flow/flow.ts'
import { seeThroughHelpers } from '../flow/helpers.ts'
import { annotate, indexCatalog, type Catalog } from '../parsers/annotate.ts'
import { withoutColdBodies } from '../parsers/cold.ts'
import type { Frontend } from '../parsers/frontend.ts'
import { frontendOf } from '../parsers/registry.ts'
import { curesFor, parallelFor } from '../project/project.ts'
import { fingerprint, lineHasher } from '../report/fingerprint.ts'
import type { FileView, Finding, FindingPlace, Notice, Place as Spot, Report, Rule, RuleMeta, Severity } from '../rules/rule.ts'
import { rules as allRules } from '../rules/registry.ts'
import { linksOf, type FileLinks } from '../trace/links.ts'
import { placeOf as placeOfUnit, type Place } from '../trace/places.ts'
import { linesOf, type Lines } from './lines.ts'
import { concerns, makeScreens, type Screens } from './screen.ts'
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
  /** Who calls what in a file; functions in which none of the words stands are left out, where the language can. */
  readonly links: (path: string, text: string, language: Language, words: RegExp | null, setup: boolean) => Promise<{ readonly links: FileLinks; readonly whole: boolean }>
}

interface Raw {
  readonly report: Report
  readonly meta: RuleMeta
  readonly severity: Severity
}

interface Prepared {
  readonly frontend: Frontend
  readonly screens: Screens
  readonly catalog: Catalog
  /** The rules that are on, each with the question whether a file concerns it. */
  readonly rules: readonly { readonly rule: Rule; readonly concerned: ReturnType<typeof concerns> }[]
}

export function makeAnalyser(settings: Settings, rules: readonly Rule[] = allRules): Analyser {
  const on = rules.filter(r => !isOff(settings, r.meta))
  const metas = on.map(r => r.meta)
  const known = rules.map(r => r.meta.id)
  const prepared = new Map<Language, Promise<Prepared>>()

  async function prepare(language: Language): Promise<Prepared> {
    const frontend = await frontendOf(language)
    const rows = declaredRows(settings, language)
    return { frontend, screens: makeScreens(frontend, metas, rows), catalog: indexCatalog([...frontend.catalog, ...rows]), rules: on.map(rule => ({ rule, concerned: concerns(rule.meta, language) })) }
  }

  async function analyse(path: string, text: string, language: Language): Promise<FileResult> {
    if (!prepared.has(language)) prepared.set(language, prepare(language))
    const { frontend, screens, catalog, rules: asked } = await prepared.get(language)!
    const kind = frontend.kindOf(path)
    const tests = kind !== 'source' || frontend.testsInSource ? frontend.countTests(text) : 0
    const testCode = kind !== 'source' || tests > 0
    const empty: FileResult = {
      path, language, parsed: false, problems: 0, findings: [], suppressed: [], pending: [], causes: [], testCode, notices: [], tests,
    }
    // Most projects run no tests side by side: the words of rules about that are then not looked for.
    const beside = parallelFor(settings.project, language, path).on || BESIDE.some(word => text.includes(word))
    const screen = !testCode ? screens.source : beside ? screens.beside : screens.tests
    if (!screen.passes(text, path)) return empty
    await frontend.load()
    const notices: Notice[] = []
    const lines = linesOf(text)
    let facts: FileFacts
    let view: FileView
    try {
      const { code, placeOf } = frontend.lexicon ? withoutColdBodies(text, screen.hits(text), frontend.lexicon) : { code: text, placeOf: undefined }
      const parsed = frontend.parse(code, { path, kind, testFunctions: declaredNames(settings.config.testFunctions, language) })
      const folding = annotate(parsed, catalog, frontend.durations, placeOf)
      declareSerial(parsed.units, declaredNames(settings.config.serialMarkers, language))
      seeThroughHelpers(parsed.units, folding)
      addTyped(parsed.units, settings.typed?.[path] ?? [])
      facts = { path, language, kind, cures: curesFor(settings.project, language, path, text).map(c => c.kind), ...parsed }
      view = { facts, folding, flows: flowsOf(facts, folding), project: settings.project, textOf: span => text.slice(span.start, span.end) }
    } catch (error) {
      return { ...empty, notices: [ours(path, `the ${frontend.title} parser failed: ${messageOf(error)}`)] }
    }
    const raw: Raw[] = []
    const effects = new Set(facts.units.flatMap(u => u.calls.flatMap(c => c.effects.map(e => e.kind as string))))
    for (const { rule, concerned } of asked) {
      const { level, set } = levelIn(settings, rule.meta, path)
      if (level === 'off' || (!testCode && !rule.meta.source) || !concerned(text, path, effects)) continue
      try {
        for (const report of rule.check(view)) raw.push({ report: capped(report, rule.meta), meta: rule.meta, severity: set ? level : report.severity ?? level })
      } catch (error) {
        notices.push(ours(path, `the rule ${rule.meta.id} failed: ${messageOf(error)}`))
      }
    }
    if (facts.problems.length > 0) {
      const first = facts.problems[0]!
      notices.push({
        level: 'note', id: 'parse-problem', file: path, line: lines.lineOf(first.span.start),
        message: `${facts.problems.length} ${facts.problems.length === 1 ? 'place' : 'places'} could not be parsed; the rest was checked`,
      })
    }
    const reports = raw.sort((a, b) => a.report.at.start - b.report.at.start || (a.meta.id < b.meta.id ? -1 : a.meta.id > b.meta.id ? 1 : 0))
    const made = findingsOf(reports, facts, text, lines)
    const { suppressions, problems } = readSuppressions(facts.comments, lines.lineOf, known, text.includes('flakesniff-') ? lines.all() : [])
    const settled = applySuppressions(made.map(m => m.finding), suppressions, id => on.some(r => r.meta.id === id && levelIn(settings, r.meta, path).level !== 'off'))
    const silenced = new Set(settled.suppressed.map(s => s.fingerprint))
    const complaints = [...problems, ...settled.unused].map((p, i, all) => complaint(p, all.slice(0, i).filter(o => o.ruleId === p.ruleId).length, path, lines, text))
    // A preset shows less, but a comment that silences what it does not show is not unused.
    const shown = PRESET_CONFIDENCE[presetIn(settings, path)]
    const live = made.filter(m => !silenced.has(m.finding.fingerprint) && shown.includes(m.finding.confidence))
    return {
      ...empty, parsed: true, tests: frontend.lexicon || !testCode ? tests : testsOf(facts, true).length, problems: facts.problems.length, notices,
      findings: [...live.filter(m => m.inTests).map(m => m.finding), ...complaints], suppressed: settled.suppressed.filter(f => shown.includes(f.confidence)),
      pending: live.filter(m => !m.inTests).map(m => m.finding),
      causes: causesOf(live, facts),
    }
  }

  async function links(path: string, text: string, language: Language, words: RegExp | null, setup: boolean): Promise<{ links: FileLinks; whole: boolean }> {
    if (!prepared.has(language)) prepared.set(language, prepare(language))
    const { frontend, catalog } = await prepared.get(language)!
    await frontend.load()
    const named = frontend.kindOf(path)
    const kind = setup && named === 'source' ? 'support' : named
    const shortened = frontend.lexicon && words ? withoutColdBodies(text, Array.from(text.matchAll(words), m => m.index), frontend.lexicon) : undefined
    const { code, placeOf } = shortened ?? { code: text, placeOf: undefined }
    const parsed = frontend.parse(code, { path, kind, testFunctions: declaredNames(settings.config.testFunctions, language) })
    seeThroughHelpers(parsed.units, annotate(parsed, catalog, frontend.durations, placeOf))
    return { links: linksOf({ path, language, kind, ...parsed }), whole: code.length === text.length }
  }
  return { analyse, links }
}

const capped = (report: Report, { cap }: RuleMeta): Report => (cap === 'medium' && report.confidence === 'high' ? { ...report, confidence: 'medium' } : report)

const messageOf = (error: unknown): string => (error instanceof Error ? `${error.message} (${error.stack?.split('\n')[1]?.trim() ?? ''})` : String(error))
const ours = (file: string, message: string): Notice => ({ level: 'error', id: 'internal', file, line: null, message: `${message}; this is a fault of flakesniff, not of the file` })

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
      if (call.result === 'discarded' && ends.get(call.span.start) === call.span.end && !call.effects.some(e => e.kind === 'promise')) call.effects.push({ kind: 'promise', note: 'type' })
}

function findingsOf(reports: readonly Raw[], facts: FileFacts, text: string, lines: Lines) {
  const hash = lineHasher(text)
  const seen = new Map<string, number>()
  const place = (p: Spot): FindingPlace => ({ file: p.file ?? facts.path, message: p.message, ...lines.regionOf(p.span) })
  return reports.map(({ report, meta, severity }) => {
    const region = lines.regionOf(report.at)
    const unit = facts.units[report.unit]
    const test = unit && unit.role.is !== 'module' ? unit.title : null
    const snippet = text.slice(report.at.start, report.at.end)
    const key = `${meta.id}\n${test}\n${snippet}`
    const occurrence = seen.get(key) ?? 0
    seen.set(key, occurrence + 1)
    const finding: Finding = {
      ruleId: meta.id, severity, confidence: report.confidence,
      file: facts.path, ...region, message: report.message, test,
      trace: (report.trace ?? []).map(place), related: (report.related ?? []).map(place),
      fingerprint: fingerprint({ ruleId: meta.id, file: facts.path, test, snippet, occurrence }), lineHash: hash(region.startLine), frame: frameOf(region.startLine, lines),
    }
    return { finding, inTests: unit === undefined || isTestCode(facts, unit), unit: report.unit }
  })
}

/** Of the findings those that stand in a function which is no test: helpers, hooks, code under test. */
function causesOf(made: readonly { readonly finding: Finding; readonly unit: number }[], facts: FileFacts): FileResult['causes'] {
  const links = made.length > 0 ? linksOf(facts) : undefined
  return made.flatMap(({ finding, unit }) => {
    const link = links!.units[unit]
    return link && (link.role.is === 'helper' || link.role.is === 'hook') ? [{ fingerprint: finding.fingerprint, place: placeOfUnit(links!, link) }] : []
  })
}

export const frameOf = (line: number, lines: Lines) =>
  [line - 1, line, line + 1].filter(n => n >= 1 && n <= lines.count).map(n => ({ line: n, text: lines.line(n).slice(0, 400) }))

export function complaint(problem: SuppressionProblem, occurrence: number, path: string, lines: Lines, text: string): Finding {
  const region = lines.regionOf(problem.span)
  const snippet = text.slice(problem.span.start, problem.span.end)
  return {
    ruleId: problem.ruleId, severity: 'warning', confidence: 'high', file: path, ...region, message: problem.message, test: null, trace: [], related: [],
    fingerprint: fingerprint({ ruleId: problem.ruleId, file: path, test: null, snippet, occurrence }), lineHash: lineHasher(text)(region.startLine), frame: frameOf(region.startLine, lines),
  }
}
