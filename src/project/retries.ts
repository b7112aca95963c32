// Where configuration has tests that fail run again, or lets them fail: runner settings, flags in scripts, CI steps.
// As everywhere in this room a file is data, and each pattern costs no more than the text is long.

import { isMap, isScalar, parseDocument, visit, type Pair, type YAMLMap } from 'yaml'
import type { Span } from '../facts/facts.ts'
import { type RunnerFile, isManifest, isRecord, isSample, isScript, json, nameOf } from './evidence.ts'

export interface Retry {
  /** Relative to the root, with `/`. */
  readonly file: string
  readonly span: Span
  /** What does it, as its users call it: `gotestsum --rerun-fails`, `retries of Playwright`. */
  readonly how: string
  /** How often, as it is written there. */
  readonly times?: string
  readonly kind: 'retry' | 'lenient'
}

/** Starts a test suite. */
export const TEST_COMMAND =
  /(?:^|[\s;&|('"@/])(?:go\s+test|gotestsum|ginkgo|pytest|py\.test|python3?\s+-m\s+(?:pytest|unittest)|tox|nox|(?:npm|yarn|pnpm|bun)\s+(?:run\s+)?(?:test|e2e)[\w:-]*|(?:npx\s+)?(?:jest|vitest|mocha|playwright\s+test|cypress\s+run)|cargo\s+(?:test|nextest)|(?:\.\/)?mvnw?\s[^\n]{0,200}\b(?:test|verify|integration-test)|(?:\.\/)?gradlew?\s[^\n]{0,200}\b(?:test|check)\w*|bats|make\s+(?:[\w-]*-)?tests?|ctest|bazel\s+test)(?=[\s;&|)'"]|$)/

interface Pattern {
  readonly of: (path: string) => boolean
  readonly find: RegExp
  readonly how: string
  /** What lets the run fail all the same when a test passed only the second time: then nothing is hidden. */
  readonly told?: RegExp
}

const named = (pattern: RegExp) => (path: string): boolean => pattern.test(nameOf(path))
const isTyped = (path: string): boolean => isScript(path) || isManifest(path)
const AMOUNT = String.raw`["']?\s*[:=]\s*([^,\n}#]{1,80})`

/** In pom.xml and on a command line. */
const FLAKE_COUNT = /\bfailOnFlakeCount[=>]\s*[1-9]/

/** The first group is how often; a plain 0 means never. */
const PATTERNS: readonly Pattern[] = [
  { of: named(/^playwright[\w.-]*\.config\./), find: new RegExp(String.raw`\bretries${AMOUNT}`, 'g'), how: 'retries of Playwright',
    told: /\bfailOnFlakyTests\s*:\s*(?!false)/ },
  { of: named(/^vitest[\w.-]*\.config\./), find: new RegExp(String.raw`\bretry${AMOUNT}`, 'g'), how: 'retry of Vitest' },
  { of: named(/^cypress(?:\.[\w-]+)*\.(?:json|[cm]?[jt]s)$/), find: /["']?\bretries["']?\s*:\s*(\{[^}]{0,200}\}|[^,\n}]{1,80})/g,
    how: 'retries of Cypress' },
  { of: named(/^wdio[\w.-]*\.conf\./), find: new RegExp(String.raw`\bspecFileRetries${AMOUNT}`, 'g'),
    how: 'specFileRetries of WebdriverIO' },
  { of: named(/^\.mocharc\./), find: new RegExp(String.raw`\bretries${AMOUNT}`, 'g'), how: 'retries of Mocha' },
  { of: named(/^nextest\.toml$/), find: /^[ \t]*retries\s*=\s*(\{[^}\n]{0,200}\}|\d+)/gm, how: 'retries of nextest',
    told: /^[ \t]*flaky-result\s*=\s*["']fail/m },
  { of: named(/^pom\.xml$/), find: /<(?:surefire\.|failsafe\.)?rerunFailingTestsCount>\s*([^<\s]+)\s*</g,
    how: 'rerunFailingTestsCount of surefire', told: FLAKE_COUNT },
  // What stands around it is looked for only where it stands.
  { of: named(/^build\.gradle(?:\.kts)?$/),
    find: /\bmaxRetries(?<=\b(?:retry|testRetry)\s{0,9}\{[^{}]{0,600})\s*(?:=|\.set\()?\s*([^\n)]{1,80})/g, how: 'Gradle’s test-retry',
    told: /\bfailOnPassedAfterRetry\s*(?:=|\.set\()?\s*true\b/ },
  { of: named(/^(?:\.?pytest\.ini|setup\.cfg|tox\.ini|pyproject\.toml)$/), find: /(?:^|[\s"'=])--reruns(?:[=\s]+|["'],\s*["'])(\d+)/g,
    how: 'pytest --reruns' },
  { of: named(/^(?:\.?pytest\.ini|setup\.cfg|tox\.ini|pyproject\.toml)$/), find: /^[ \t]*reruns\s*=\s*(\d+)/gm, how: 'reruns of pytest' },
  { of: isTyped, find: /\bpytest\b[^\n]{0,300}?\s--reruns[=\s]+(\d+)/g, how: 'pytest --reruns' },
  { of: named(/^(?:\.?pytest\.ini|setup\.cfg|tox\.ini|pyproject\.toml)$/),
    find: /(?:^|[\s"'=])--force-flaky(?=[\s"',\]]|$)(?:[^\n]{0,200}?--max-runs[=\s]+(\d+))?/gm, how: 'pytest --force-flaky' },
  { of: path => isTyped(path) && nameOf(path) !== 'tox.ini',
    find: /\bpytest\b[^\n]{0,300}?\s--force-flaky(?=[\s"']|$)(?:[^\n]{0,200}?--max-runs[=\s]+(\d+))?/g, how: 'pytest --force-flaky' },
  { of: isTyped, find: /\bgotestsum\b[^\n]{0,300}?\s--rerun-fails(?:=(\d+))?(?=[\s"'=]|$)/g, how: 'gotestsum --rerun-fails' },
  { of: isTyped, find: /\bginkgo\b[^\n]{0,300}?\s--?flake-?[aA]ttempts[=\s]+(\d+)/g, how: 'ginkgo --flake-attempts' },
  { of: isTyped, find: /\bnextest\b[^\n]{0,300}?\s--retries[=\s]+(\d+)/g, how: 'nextest --retries', told: /--flaky-result[=\s]+fail/ },
  { of: isTyped, find: /\b(?:playwright|mocha|cypress)\b[^\n]{0,300}?\s--retries[=\s]+(\d+)/g, how: '--retries',
    told: /--fail-on-flaky-tests\b/ },
  { of: isTyped, find: /\bvitest\b[^\n]{0,300}?\s--retry[=\s]+(\d+)/g, how: 'vitest --retry' },
  { of: isTyped, find: /-D(?:surefire\.|failsafe\.)?rerunFailingTestsCount=(\d+)/g, how: 'rerunFailingTestsCount of surefire',
    told: FLAKE_COUNT },
  { of: isTyped, find: /\bbazel\b[^\n]{0,300}?\s--flaky_test_attempts=(\w+)/g, how: 'bazel --flaky_test_attempts' },
  { of: isTyped, find: /\bBATS_TEST_RETRIES["']?\s*[:?]?[:=]\s*["']?(\d+)/g, how: 'BATS_TEST_RETRIES' },
]

const isComment = (text: string, at: number): boolean =>
  /^\s*(?:#|\/\/|\*|;|<!--)/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at + 1))
const NEVER = /^\s*(?:["']?0["']?|false|undefined|null|["']?1["']?\s*\?)\s*\)?;?\s*$/

export function readRetries(files: readonly RunnerFile[]): Retry[] {
  return files.filter(f => !isSample(f.path)).flatMap(file => [...patterns(file), ...inManifest(file), ...inSteps(file), ...again(file)])
    .filter((r, i, all) => all.findIndex(o => o.file === r.file && o.span.start === r.span.start) === i)
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.span.start - b.span.start))
}

function patterns({ path, text }: RunnerFile): Retry[] {
  return PATTERNS.filter(p => p.of(path)).flatMap(({ find, how, told }) =>
    [...text.matchAll(find)].flatMap(match => {
      const times = match[1] && settled(match[1], text)
      const lead = /^\s*/.exec(match[0])![0].length
      const span = { start: match.index + lead, end: match.index + match[0].trimEnd().length }
      if (isComment(text, span.start) || NEVER.test(times ?? '1') || (told && isTold(text, span, told, isTyped(path)))) return []
      return [{ file: path, span, how, kind: 'retry' as const, ...(times && { times: times.trim().replace(/[\s)]+$/, '') }) }]
    })
  )
}

const ASKED_FOR = /\bprocess\.env\b[^|?]*(?:\|\||\?\?)\s*["']?0["']?\s*[),;]*\s*$/

/** `${reruns}` of a pom is what its properties say first; a property that bears the setting's own name is told where it is set. */
function settled(amount: string, text: string): string {
  // `Number(process.env.RETRIES || '0')`: never, unless whoever runs it asks for it.
  if (ASKED_FOR.test(amount)) return '0'
  const name = /^\$\{([\w.-]+)\}$/.exec(amount)?.[1]
  const set = name && new RegExp(`<${name.replaceAll('.', '\\.')}>\\s*([^<\\s]+)`).exec(text)?.[1]
  return set ? (/rerunFailingTestsCount$/.test(name!) ? '0' : set) : amount
}

/** In settings anywhere, in a script on the same line. */
function isTold(text: string, { start, end }: Span, told: RegExp, typed: boolean): boolean {
  const lines = typed
    ? [text.slice(text.lastIndexOf('\n', start) + 1, (text.indexOf('\n', end) + 1 || text.length + 1) - 1)]
    : text.split('\n')
  return told.test(lines.filter(line => typed || !isComment(line, line.search(/\S|$/))).join('\n'))
}

/** `"mocha": { "retries": 2 }` in package.json. */
function inManifest({ path, text }: RunnerFile): Retry[] {
  if (!isManifest(path) || !text.includes('"retries"')) return []
  const mocha = json(text)?.['mocha']
  if (!isRecord(mocha) || typeof mocha['retries'] !== 'number' || mocha['retries'] < 1) return []
  const key = /"mocha"\s*:/.exec(text)
  const start = key ? text.indexOf('"retries"', key.index) : -1
  return start < 0
    ? []
    : [{ file: path, span: { start, end: start + '"retries"'.length }, how: 'retries of Mocha', times: String(mocha['retries']),
      kind: 'retry' }]
}

const STEP_WORDS =
  /continue-on-error\s*:\s*true|allow_failure\s*:\s*true|\b(?:nick-fields|nick-invision)\/retry@|Wandalen\/wretry|\bretry\s*:/

/** Steps and jobs of CI that run tests: tried again by an action or the job, or free to fail. */
function inSteps({ path, text }: RunnerFile): Retry[] {
  if (!/\.ya?ml$/.test(path) || !isScript(path) || !STEP_WORDS.test(text)) return []
  const found: Retry[] = []
  const add = (pair: Pair | undefined, retry: Omit<Retry, 'file' | 'span'>) => {
    const from = isScalar(pair?.key) ? pair.key.range : undefined
    const to = isScalar(pair?.value) ? pair.value.range : undefined
    if (from) found.push({ file: path, span: { start: from[0], end: to?.[1] ?? from[1] }, ...retry })
  }
  visit(parseDocument(text, { logLevel: 'silent', uniqueKeys: false }), {
    Map(_, step) {
      const said = (key: string) => (isScalar(step.get(key, true)) ? String(step.get(key)) : '')
      const commands = `${said('run')}\n${script(step)}`
      const action = said('uses')
      const given = step.get('with', true)
      const inner = isMap(given) ? String(given.get('command') ?? given.get('run') ?? '') : ''
      if (/^(?:nick-fields|nick-invision)\/retry@|^Wandalen\/wretry/.test(action) && TEST_COMMAND.test(inner))
        add(pairOf(step, 'uses'), { how: action.split('@')[0]!, kind: 'retry',
          ...(isMap(given) && given.has('max_attempts') && { times: String(given.get('max_attempts')) }) })
      if (!TEST_COMMAND.test(commands)) return
      if (said('continue-on-error') === 'true')
        add(pairOf(step, 'continue-on-error'), { how: 'continue-on-error on a step that runs tests', kind: 'lenient' })
      if (said('allow_failure') === 'true')
        add(pairOf(step, 'allow_failure'), { how: 'allow_failure on a job that runs tests', kind: 'lenient' })
      if (step.has('script') && /^[12]$/.test(said('retry')))
        add(pairOf(step, 'retry'), { how: 'retry of the job', times: said('retry'), kind: 'retry' })
    },
  })
  return found
}

const pairOf = (map: YAMLMap, key: string): Pair | undefined => map.items.find(p => isScalar(p.key) && p.key.value === key)
const script = (step: YAMLMap): string => {
  const lines = step.get('script')
  return typeof lines === 'string'
    ? lines
    : lines && typeof lines === 'object' && 'items' in lines
    ? (lines as { items: { value?: unknown }[] }).items.map(i => String(i.value ?? '')).join('\n')
    : ''
}

/** `go test ./... || go test ./...`, `travis_retry pytest`, and a loop that ends when the tests pass. */
function again({ path, text }: RunnerFile): Retry[] {
  if (!isScript(path)) return []
  let start = 0
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const at = start
    start += line.length + 1
    if (/^\s*(?:#|- name:|name:)/.test(line) || line.length > 2000 || !TEST_COMMAND.test(line)) return []
    const how = /\btravis_retry\s/.test(line)
      ? 'travis_retry'
      : isLooped(lines, index)
      ? 'a loop around the tests'
      : repeated(line)
      ? 'a second run after ||'
      : undefined
    const lead = /^\s*/.exec(line)![0].length
    return how === undefined
      ? []
      : [{ file: path, span: { start: at + lead, end: at + line.trimEnd().length }, how, kind: 'retry' as const }]
  })
}

/**
 * Left when they pass: `… && break`, `if …; then exit 0`, or a header that asks for it. One that ends with the first failure looks for
 * flakes.
 */
function isLooped(lines: readonly string[], index: number): boolean {
  const line = lines[index]!
  if (/\bfor\s+\w+\s+in\b.*\bdo\b.*&&\s*(?:break|exit 0)\b|\buntil\s|\bwhile\s+!/.test(line)) return true
  const before = lines.slice(Math.max(0, index - 12), index).map(l => l.trim())
  const opens = before.findLastIndex(l => /^(?:- )?(?:run:\s*)?(?:@?for\s+\w+\s+in\b|@?for\s*\(\(|@?while\s|@?until\s)/.test(l))
  if (opens < 0 || before.slice(opens).some(l => /^done\b|;\s*done\b/.test(l))) return false
  if (/&&\s*(?:\{\s*)?(?:break|exit 0|return 0)\b/.test(line)) return true
  if (!/^\s*if\s+(?!!)/.test(line)) return false
  const rest = lines.slice(index, index + 8).join('\n')
  return /^[^\n]*\bthen\b(?:(?!\b(?:fi|else|elif)\b)[^])*?\b(?:break|exit 0|return 0)\b|^[^\n]*\n\s*then\b(?:(?!\b(?:fi|else|elif)\b)[^])*?\b(?:break|exit 0|return 0)\b/
    .test(rest)
}

function repeated(line: string): boolean {
  const parts = line.split('||').map(p => p.trim().replace(/^(?:- )?(?:run:|script:)?\s*/, ''))
  return parts.some((p, i) => i > 0 && TEST_COMMAND.test(p) && p === parts[i - 1])
}
