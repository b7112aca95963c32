// The root-cause analysis as one page that needs nothing else: its style and script stand in it, its data as JSON.

import { readFileSync } from 'node:fs'
import { causesOf, type Cause } from './causes.ts'
import { RECKONING } from './likelihood.ts'
import type { Formatter } from './summary.ts'
import { visible } from './visible.ts'

/** The sources beside the built code, in the package as in the checkout. */
const part = (name: string): string => readFileSync(new URL(`../../src/report/html/${name}`, import.meta.url), 'utf8')

export const formatHtml: Formatter = summary => {
  const data = pageData(causesOf(summary), Object.values(summary.tests).reduce((a, b) => a + b, 0))
  // What a script element holds ends at the first «</script» or «<!--», wherever it stands.
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return part('page.html').replace('/* style */', () => part('page.css')).replace('/* data */', () => json).replace('/* script */',
    () => part('page.js')).replace('<!-- version -->', () => summary.version)
}

/** Files and tests once each, causes by numbers: ten thousand tests stay a small page. */
function pageData(causes: readonly Cause[], seen: number) {
  const files = new Map<string, number>(), tests = new Map<string, number>()
  const table: [number, number, string][] = []
  const fileIndex = (file: string) => files.get(file) ?? files.set(file, files.size).get(file)!
  const testIndex = (t: Cause['tests'][number]) => {
    const key = `${t.file}\0${t.test}`
    if (!tests.has(key)) tests.set(key, table.push([fileIndex(t.file), t.line, visible(t.test)]) - 1)
    return tests.get(key)!
  }
  const made = causes.map(c => ({
    rule: c.rule,
    title: c.title,
    category: c.category,
    severity: c.severity,
    confidence: c.confidence,
    file: visible(c.finding.file),
    line: c.finding.startLine,
    unit: c.finding.test === null ? null : visible(c.finding.test),
    message: visible(c.finding.message),
    score: c.score,
    tests: c.tests.map(testIndex),
    frame: c.finding.frame.map(l => [l.line, visible(l.text.replaceAll('\t', '    ')), l.line === c.finding.startLine]),
    path: c.path.map(s => visible(`${s.file}:${s.startLine}  ${s.message}`)),
    why: c.why,
    shows: c.shows,
    fixes: c.fixes.map(f => `${f.fix}${f.here ? ` (${f.here})` : ''}. ${f.tradeOff}`),
    confirm: c.confirm.map(visible),
    others: c.others,
  }))
  return { seen, reckoning: RECKONING, files: [...files.keys()].map(visible), tests: table, causes: made }
}
