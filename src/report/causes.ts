// Root causes: findings gathered by where they come from, each with the tests whose outcome it bears on, worst first.

import type { Language } from '../facts/facts.ts'
import type { Confidence, Finding, FindingPlace, Severity } from '../rules/rule.ts'
import { nearest } from './endangered.ts'
import { likelihoodOf } from './likelihood.ts'
import { bullets, paragraphs, table } from './page.ts'
import type { AppliedRule, Summary } from './summary.ts'

export interface CauseTest {
  readonly file: string
  readonly line: number
  readonly test: string
  /** How many calls lie between the test and the cause; none where it stands in the test. */
  readonly calls: number
  readonly sure: 'sure' | 'likely' | 'guess'
}

export interface Cause {
  readonly rule: string
  readonly title: string
  readonly category: string
  readonly severity: Severity
  readonly confidence: Confidence
  /** The first finding of the cause; others of the same function and rule are among `places`. */
  readonly finding: Finding
  readonly places: readonly Finding[]
  readonly tests: readonly CauseTest[]
  /** The calls from the nearest test to the cause. */
  readonly path: readonly FindingPlace[]
  readonly score: number
  readonly likelihood: number
  readonly why: readonly string[]
  readonly shows: readonly string[]
  readonly fixes: readonly Fix[]
  readonly others: readonly string[]
  readonly confirm: readonly string[]
}

export interface Fix {
  readonly fix: string
  readonly tradeOff: string
  /** How it is done in the language of the finding, where the page says. */
  readonly here: string | null
}

export function causesOf(summary: Summary): Cause[] {
  const rules = new Map(summary.rules.map(r => [r.id, r]))
  const groups = new Map<string, Finding[]>()
  for (const finding of summary.findings) {
    if (finding.suppressed !== undefined || !rules.has(finding.ruleId)) continue
    const key = JSON.stringify([finding.ruleId, finding.file, finding.test])
    groups.get(key)?.push(finding) ?? groups.set(key, [finding])
  }
  return [...groups.values()].map(places => toCause(places, rules.get(places[0]!.ruleId)!)).sort(byRisk)
}

function toCause(places: readonly Finding[], rule: AppliedRule): Cause {
  const finding = places[0]!
  const tests = testsOf(places)
  const likelihood = Math.max(...places.map(likelihoodOf))
  return {
    rule: rule.id,
    title: rule.title,
    category: rule.category,
    severity: worst(places),
    confidence: finding.confidence,
    finding,
    places,
    tests,
    path: nearest(finding)?.path ?? [],
    likelihood,
    score: round(likelihood * Math.max(WEIGHT.guess, tests.reduce((sum, t) => sum + WEIGHT[t.sure], 0))),
    why: paragraphs(rule.page, 'Why').slice(0, 1),
    shows: bullets(rule.page, 'Shows as'),
    others: bullets(rule.page, 'Could also be'),
    fixes: fixesOf(rule.page, finding.file),
    confirm: confirmation(finding, rule),
  }
}

/** A test that is reached by a guess counts for less; a cause of which no test is known counts as if one were guessed. */
const WEIGHT = { sure: 1, likely: 0.8, guess: 0.3 } as const

function testsOf(places: readonly Finding[]): CauseTest[] {
  const tests = new Map<string, CauseTest>()
  for (const place of places) {
    const own = place.endangers === undefined && place.test !== null
      ? [{ file: place.file, line: place.startLine, test: place.test, calls: 0, sure: 'sure' as const }]
      : []
    for (const test of [...own,
      ...(place.endangers ?? []).map(e => ({ file: e.file, line: e.startLine, test: e.test, calls: e.calls, sure: e.sure }))])
      if (!tests.has(`${test.file}\0${test.test}`)) tests.set(`${test.file}\0${test.test}`, test)
  }
  return [...tests.values()]
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note']
const worst = (places: readonly Finding[]): Severity => SEVERITIES.find(s => places.some(p => p.severity === s))!
/** Smaller differences mean nothing: the shares were counted on some hundreds of fixes. */
const round = (n: number): number => Math.round(n * 100) / 100

const CONFIDENCES: readonly Confidence[] = ['high', 'medium', 'low']

/** Among equals the surer one comes first. */
const byRisk = (a: Cause, b: Cause): number =>
  b.score - a.score || b.tests.length - a.tests.length || CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence)
  || (a.finding.file < b.finding.file ? -1 : a.finding.file > b.finding.file ? 1 : a.finding.startLine - b.finding.startLine)
  || (a.rule < b.rule ? -1 : 1)

/** The columns of a page's fixes, by language. */
export const COLUMNS: Readonly<Record<Language, string>> = { python: 'Python', typescript: 'JS/TS', java: 'Java', go: 'Go', rust: 'Rust',
  bash: 'Bash' }
const EXTENSIONS: readonly (readonly [RegExp, Language])[] = [
  [/\.py$/, 'python'],
  [/\.[cm]?[jt]sx?$/, 'typescript'],
  [/\.java$/, 'java'],
  [/\.go$/, 'go'],
  [/\.rs$/, 'rust'],
  [/\.(?:bats|sh|bash)$/, 'bash'],
]

function fixesOf(page: string, file: string): Fix[] {
  const language = EXTENSIONS.find(([pattern]) => pattern.test(file))?.[1]
  return table(page, 'Fixes').map(row => ({ fix: row['Fix'] ?? '', tradeOff: row['Trade-off'] ?? '',
    here: (language && row[COLUMNS[language]]) || null })
  )
}

/** The command that would prove it: on the nearest test, with the shakes that the rule names. */
function confirmation(finding: Finding, rule: AppliedRule): string[] {
  const test = nearest(finding)
  const at = test ? `${test.file}:${test.startLine}` : `${finding.file}:${finding.startLine}`
  return rule.confirm.map(shake => `flakesniff confirm ${quoted(at)} --perturb ${shake}`)
}

const quoted = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
