// Tries every fix and suggestion on findings in other people's code, in memory.
//
//   node scripts/check-fixes.mjs CLONE…
//
// Each is applied by itself: what it gives must parse as well as before, the rule must have one finding less, and no other rule may
// say more. Then all safe ones of a file are applied together, in rounds: none may be left over. Needs a built dist/. Nothing of a
// clone is executed or written.

import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

const clones = process.argv.slice(2)
if (clones.length === 0) throw new Error('check-fixes.mjs CLONE…')
const load = path => import(new URL(`../dist/${path}`, import.meta.url).href)
const [{ run }, { makeAnalyser }, { defaultConfig }, { languageOf }, { applyFixes }, { fixText }] = await Promise.all(
  ['run.js', 'engine/analyse.js', 'config/config.js', 'parsers/registry.js', 'fixes/apply.js', 'engine/fix.js'].map(load),
)

const analyser = makeAnalyser({ config: defaultConfig('/'), preset: 'audit', levels: {}, project: { parallel: {}, bats: {} } })
const findingsOf = result => [...result.findings, ...result.pending]
const tally = result => {
  const counts = new Map()
  for (const f of findingsOf(result)) counts.set(f.ruleId, (counts.get(f.ruleId) ?? 0) + 1)
  return counts
}

const tried = new Map()
const failures = []

function judge(where, ruleId, before, after) {
  const was = tally(before), is = tally(after)
  const faults = []
  if (after.problems > before.problems) faults.push('it no longer parses')
  if (after.notices.some(n => n.level === 'error')) faults.push('a rule or parser failed')
  if (ruleId !== undefined && (is.get(ruleId) ?? 0) >= was.get(ruleId)) faults.push('the finding is still there')
  for (const [rule, n] of is) if (n > (was.get(rule) ?? 0)) faults.push(`${rule} says something new`)
  if (faults.length > 0) failures.push(`${where}: ${faults.join(', ')}`)
}

for (const clone of clones.map(c => resolve(c))) {
  process.stderr.write(`${clone}\n`)
  const { summary } = await run({ cwd: clone, paths: ['.'], preset: 'audit', trace: false })
  for (const file of [...new Set(summary.findings.filter(f => f.fixes).map(f => f.file))]) {
    const text = readFileSync(join(clone, file), 'utf8')
    const language = languageOf(file, text.slice(0, 128))
    const before = await analyser.analyse(file, text, language)
    for (const finding of findingsOf(before))
      for (const fix of finding.fixes ?? []) {
        const key = `${finding.ruleId} ${language} ${fix.safe ? 'fix' : 'suggestion'}`
        tried.set(key, (tried.get(key) ?? 0) + 1)
        judge(`${basename(clone)}/${file}:${finding.startLine} ${finding.ruleId} «${fix.title}»`, finding.ruleId, before,
          await analyser.analyse(file, applyFixes(text, [fix]).text, language))
      }
    const all = await fixText(file, text, language, analyser)
    judge(`${basename(clone)}/${file}, all at once`, undefined, before, all.result)
    if (all.result.findings.some(f => f.fixes?.some(x => x.safe))) failures.push(`${basename(clone)}/${file}: safe fixes are left over`)
  }
}

for (const [key, n] of [...tried].sort(([a], [b]) => (a < b ? -1 : 1))) process.stdout.write(`${String(n).padStart(5)}  ${key}\n`)
const sum = [...tried.values()].reduce((a, b) => a + b, 0)
process.stdout.write(`${String(sum).padStart(5)}  tried, ${failures.length} failed\n${failures.map(f => `${f}\n`).join('')}`)
process.exitCode = failures.length > 0 ? 1 : 0
