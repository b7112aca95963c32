// A run of ten thousand endangered tests, made up: forty systemic causes in helpers, and many of single tests.

import { formatHtml } from '../../src/report/html.ts'
import type { Summary } from '../../src/report/summary.ts'
import { pageOf } from '../../src/rules/pages.ts'
import { rules } from '../../src/rules/registry.ts'
import type { Endangered, Finding } from '../../src/rules/rule.ts'

const RULES = [
  'time-based-name',
  'unseeded-random',
  'fixed-port',
  'fixed-sleep',
  'elapsed-bound-assertion',
  'shared-mutable-state',
  'env-leak',
  'network-access',
]
const AREAS = ['billing', 'catalog', 'checkout', 'identity', 'inventory', 'ledger', 'search', 'shipping']
const SEVERITIES = ['error', 'warning', 'note'] as const

export const TESTS = 10_000
export const EVIL_NAME = '</script><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'

const fileOf = (test: number): string =>
  `services/${AREAS[test % AREAS.length]}/src/test/${['unit', 'api', 'storage'][test % 3]}/suite_${Math.floor(test / 80)}_test.py`
const region = (line: number) => ({ startLine: line, startColumn: 5, endLine: line, endColumn: 30 })

function finding(n: number, more: Partial<Finding>): Finding {
  const ruleId = RULES[n % RULES.length]!, file = `services/${AREAS[n % AREAS.length]}/src/helpers_${n}.py`
  return {
    ruleId,
    severity: SEVERITIES[n % 3]!,
    confidence: n % 4 === 0 ? 'medium' : 'high',
    file,
    ...region(20 + n),
    message: `the outcome depends on what helper ${n} gets`,
    test: `open_store_${n}`,
    trace: [],
    related: [],
    fingerprint: n.toString(16).padStart(16, '0'),
    likeness: n.toString(16).padStart(16, '0'),
    lineHash: `${n}:1`,
    frame: [{ line: 19 + n, text: 'def open_store():' }, { line: 20 + n, text: '    name = f"db_{time.time_ns()}"' }, {
      line: 21 + n,
      text: '    return Store(name)',
    }],
    ...more,
  }
}

function endangered(test: number, by: Finding): Endangered {
  const name = test === 0 ? EVIL_NAME : `TestSuite${test % 97}::test_case_${test}_keeps_its_promise`
  const step = { file: fileOf(test), message: `${name} calls ${by.test}`, ...region(test % 400 + 12) }
  return {
    file: fileOf(test),
    test: name,
    message: `${name} depends on it`,
    calls: 1 + test % 3,
    sure: test % 9 === 0 ? 'likely' : 'sure',
    ...region(test % 400 + 10),
    path: [step],
  }
}

/** Helpers from large to small fan-in, so that every test is endangered by one of them and some by several; then single tests. */
function findings(): Finding[] {
  const shared = Array.from({ length: 40 }, (_, n) => {
    const made = finding(n, {})
    const every = n === 0 ? 1 : 3 + n
    return {
      ...made,
      endangers: Array.from({ length: TESTS }, (_, t) => t).filter(t => (n === 0 ? t % 2 === 0 || t % 5 === 0 : t % every === n % every))
        .map(t => endangered(t, made)),
    }
  })
  const single = Array.from({ length: 1500 }, (_, n) => finding(n + 40, { file: fileOf(n * 7 + 1), test: `test_alone_${n}` }))
  const reached = new Set(shared.flatMap(f => f.endangers.map(e => e.test)))
  const last = finding(39, {})
  const rest = Array.from({ length: TESTS }, (_, t) => endangered(t, last)).filter(e => !reached.has(e.test))
  return [...shared.slice(0, 39), { ...shared[39]!, endangers: [...shared[39]!.endangers, ...rest] }, ...single]
}

export function largeSummary(): Summary {
  return {
    version: '0.0.0',
    preset: 'strict',
    suppressed: 0,
    notices: [],
    files: { checked: 4000, parsed: 900, withProblems: 0, leftOut: {} },
    tests: { python: 24_000 },
    rules: rules.map(({ meta }) => ({ ...meta, level: meta.severity, page: pageOf(meta.id) })),
    findings: findings(),
  }
}

export const largePage = (): string => formatHtml(largeSummary(), { color: false, quiet: false })
