// Counts, for every rule, how many of its findings stand on lines that a real flakiness fix changed.
//
//   node scripts/calibrate.mjs INDEX BEFORE     writes src/report/observed.ts
//
// INDEX has one JSON object a line: id, path, flaky_lines (before the fix) and line_kind. BEFORE holds the files as they stood
// before their fixes, at BEFORE/id/path. A finding counts as fixed when it stands on such a line, or within a line of it
// (three where the fix only put lines in). Needs a built dist/. Nothing of those files is executed.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [index, before] = process.argv.slice(2)
if (!index || !before) throw new Error('calibrate.mjs INDEX BEFORE')
const { run } = await import(new URL('../dist/run.js', import.meta.url).href)
const { summary } = await run({ cwd: before, paths: ['.'], preset: 'audit', trace: false })
const fixes = new Map(readFileSync(index, 'utf8').trim().split('\n').map(line => JSON.parse(line)).map(e => [e.id, e]))

const counts = new Map()
for (const finding of summary.findings) {
  const fix = fixes.get(finding.file.split('/')[0])
  if (!fix) continue
  const slack = fix.line_kind === 'context' ? 3 : 1
  const fixed = fix.flaky_lines.some(line => finding.startLine - slack <= line && line <= finding.endLine + slack)
  const [hit, all] = counts.get(finding.ruleId) ?? [0, 0]
  counts.set(finding.ruleId, [hit + (fixed ? 1 : 0), all + 1])
}
const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([rule, [hit, all]]) => `  '${rule}': [${hit}, ${all}],\n`)
writeFileSync(fileURLToPath(new URL('../src/report/observed.ts', import.meta.url)),
  `// Made by scripts/calibrate.mjs: findings on lines that a real fix changed, and all findings in those files, by rule.\n\nexport const OBSERVED: Readonly<Record<string, readonly [fixed: number, found: number]>> = {\n${
    rows.join('')
  }}\n`)
