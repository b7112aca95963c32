// Checks that the ways a run shows are real: at every step's line stands the name that the step says is called there.
//
//   node scripts/check-trace.mjs [--preset PRESET] FOLDER…
//
// Prints how many steps were looked at and how many are bad, each bad one with its line; fails where there is one. Needs a
// built dist/. Nothing of the folders is executed.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { preset: { type: 'string', default: 'strict' } } })
if (positionals.length === 0) throw new Error('check-trace.mjs [--preset PRESET] FOLDER…')
const { run } = await import(new URL('../dist/index.js', import.meta.url).href)

for (const folder of positionals.map(p => resolve(p))) {
  const { summary } = await run({ cwd: folder, paths: ['.'], preset: values.preset })
  const texts = new Map()
  const lineOf = ({ file, startLine }) =>
    (texts.get(file) ?? texts.set(file, readFileSync(join(folder, file), 'utf8').split(/\r\n|\r|\n/)).get(file))[startLine - 1] ?? ''
  const steps = new Map(
    summary.findings.flatMap(f => (f.endangers ?? []).flatMap(e => e.path)).map(
      s => [`${s.file}:${s.startLine}:${s.startColumn} ${s.message}`, s],
    ),
  )
  const bad = [...steps].filter(([, step]) =>
    !lineOf(step).includes(/ (?:calls|asks for|extends|loads) (\S+)$/.exec(step.message)?.[1] ?? '\0')
  )
  const ways = summary.findings.reduce((sum, f) => sum + (f.endangers?.length ?? 0), 0)
  console.log(
    `${folder}: ${
      summary.findings.filter(f => f.endangers?.length).length
    } causes, ${ways} ways, ${steps.size} different steps, ${bad.length} bad`,
  )
  for (const [said, step] of bad) console.log(`  ${said}\n    ${lineOf(step).trim()}`)
  if (bad.length > 0) process.exitCode = 1
}
