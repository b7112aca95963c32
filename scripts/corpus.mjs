// Reading findings in other people's code, and keeping count.
//
//   node scripts/corpus.mjs sample --rule fixed-sleep --language go --n 25 --seed 1 REPO… > reading.txt
//   (write useful, noisy or wrong into each verdict of reading.txt)
//   node scripts/corpus.mjs keep reading.txt      adds them to docs/corpus/readings/LANGUAGE.jsonl
//   node scripts/corpus.mjs again REPO…           looks what this version still says of what was read in these clones
//   node scripts/corpus.mjs table                 writes the tables of docs/corpus.md anew
//
// A sample is the same for the same clones, rule and seed. Nothing of a clone is executed.

import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const VERDICTS = ['useful', 'noisy', 'wrong']
const LANGUAGES = { bash: 'Bash/BATS', go: 'Go', java: 'Java', python: 'Python', rust: 'Rust', typescript: 'JS/TS',
  configuration: 'configuration' }
const ENDINGS = {
  bash: /\.(bats|bash|sh)$/,
  go: /\.go$/,
  java: /\.java$/,
  python: /\.pyi?$/,
  rust: /\.rs$/,
  typescript: /(?<!\.conf|\.config)\.[cm]?[jt]sx?$/,
}
const BEGIN = '<!-- made by scripts/corpus.mjs table -->'
const END = '<!-- end of what is made -->'
const here = path => fileURLToPath(new URL(`../${path}`, import.meta.url))

const { values, positionals: [command, ...rest] } = parseArgs({
  allowPositionals: true,
  options: {
    rule: { type: 'string' },
    language: { type: 'string' },
    n: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    preset: { type: 'string', default: 'strict' },
    around: { type: 'string', default: '6' },
    readings: { type: 'string', default: here('docs/corpus/readings') },
    page: { type: 'string', default: here('docs/corpus.md') },
    check: { type: 'boolean', default: false },
  },
})

// ---------------------------------------------------------------------------------------------------- sample

async function sample() {
  if (!values.rule || rest.length === 0) stop('sample wants --rule and the folders of local clones')
  if (values.language && !Object.hasOwn(LANGUAGES, values.language)) stop(`--language is one of ${Object.keys(LANGUAGES).join(', ')}`)
  const { run } = await import(new URL('../dist/run.js', import.meta.url).href)
  const { VERSION } = await import(new URL('../dist/version.js', import.meta.url).href)
  const wanted = values.rule.split(',')
  const found = []
  for (const folder of rest.map(p => resolve(p))) {
    const { summary } = await run({ cwd: folder, paths: ['.'], preset: values.preset })
    const origin = originOf(folder)
    for (const f of summary.findings)
      if (wanted.includes(f.ruleId) && (!values.language || languageOf(f.file) === values.language)) found.push({ folder, origin, f })
  }
  found.sort((a, b) =>
    compare(a.origin.repo, b.origin.repo) || compare(a.f.file, b.f.file) || a.f.startLine - b.f.startLine
    || a.f.startColumn - b.f.startColumn || compare(a.f.ruleId, b.f.ruleId)
  )
  const chosen = shuffled(found, Number(values.seed)).slice(0, Number(values.n))
  print(`# ${chosen.length} of ${found.length} findings of ${values.rule}, preset ${values.preset}, seed ${values.seed}`)
  print('# useful: a maintainer would want to know. noisy: right, but a maintainer would shrug. wrong: the rule misread the code.')
  for (const { folder, origin, f } of chosen) {
    print('')
    print(
      JSON.stringify({ verdict: '', rule: f.ruleId, language: languageOf(f.file), ...origin, path: f.file, line: f.startLine,
        confidence: f.confidence, version: VERSION }),
    )
    print(`# ${f.message}${f.test ? ` (${f.test})` : ''}`)
    const lines = readFileSync(join(folder, f.file), 'utf8').split('\n')
    const around = Number(values.around)
    for (let n = Math.max(1, f.startLine - around); n <= Math.min(lines.length, f.startLine + around); n++)
      print(`${n === f.startLine ? '#>' : '# '} ${n} ${lines[n - 1].slice(0, 180)}`)
  }
}

const languageOf = path => Object.keys(ENDINGS).find(l => ENDINGS[l].test(path)) ?? 'configuration'

/** The repository's name and commit, as git tells them; the folder's name where it is no clone. */
function originOf(folder) {
  const git = (...args) => spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).stdout?.trim() ?? ''
  const url = git('config', '--get', 'remote.origin.url')
  const named = /[:/]([^:/]+\/[^/]+?)(?:\.git)?\/?$/.exec(url)?.[1]
  return { repo: named ?? basename(folder), commit: git('rev-parse', 'HEAD').slice(0, 12) }
}

/** Fisher and Yates with a small generator of its own: the same seed gives the same order everywhere. */
function shuffled(items, seed) {
  const all = [...items]
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1))
    ;[all[i], all[j]] = [all[j], all[i]]
  }
  return all
}

// ------------------------------------------------------------------------------------------------------ keep

function keep() {
  if (rest.length === 0) stop('keep wants the files that sample made, with verdicts in them')
  mkdirSync(values.readings, { recursive: true })
  const known = new Set(readings().map(keyOf))
  let kept = 0, open = 0
  for (const file of rest)
    for (const reading of readingsIn(readFileSync(file, 'utf8'), file, true)) {
      if (reading.verdict === '') open++
      else if (!known.has(keyOf(reading))) {
        known.add(keyOf(reading))
        appendFileSync(join(values.readings, `${reading.language}.jsonl`), `${JSON.stringify(reading)}\n`)
        kept++
      }
    }
  print(`${kept} readings kept, ${open} without a verdict left out`)
}

const keyOf = r => [r.rule, r.repo, r.commit, r.path, r.line, r.version].join('\n')

function readingsIn(text, where, blanks = false) {
  return text.split('\n').flatMap((line, i) => {
    if (!line.startsWith('{')) return []
    let reading
    try {
      reading = JSON.parse(line)
    } catch {
      stop(`${where}:${i + 1}: this line is no JSON`)
    }
    const missing = ['rule', 'language', 'repo', 'path', 'line', 'version'].filter(k => reading[k] === undefined)
    if (missing.length > 0) stop(`${where}:${i + 1}: ${missing.join(', ')} missing`)
    if (!VERDICTS.includes(reading.verdict) && !(blanks && reading.verdict === ''))
      stop(`${where}:${i + 1}: the verdict is one of ${VERDICTS.join(', ')}`)
    return [reading]
  })
}

function readings() {
  if (!existsSync(values.readings)) return []
  return readdirSync(values.readings).filter(f => f.endsWith('.jsonl')).sort(compare).flatMap(f =>
    readingsIn(readFileSync(join(values.readings, f), 'utf8'), f)
  )
}

// ----------------------------------------------------------------------------------------------------- again

/** Every reading of these clones is told what this version says there now: with which confidence, or nothing. */
async function again() {
  if (rest.length === 0) stop('again wants the folders of local clones')
  const { run } = await import(new URL('../dist/run.js', import.meta.url).href)
  const said = new Map()
  const all = readings()
  for (const folder of rest.map(p => resolve(p))) {
    const repo = nameOf(originOf(folder).repo), read = all.filter(r => nameOf(r.repo) === repo)
    // The files that were read are enough; what settings say is told of a whole project.
    const files = read.some(r => r.language === 'configuration')
      ? ['.']
      : [...new Set(read.map(r => r.path))].filter(path => existsSync(join(folder, path)))
    const { summary } = files.length === 0
      ? { summary: { findings: [] } }
      : await run({ cwd: folder, paths: files, preset: 'strict', trace: false })
    said.set(repo, summary.findings)
  }
  for (const file of readdirSync(values.readings).filter(f => f.endsWith('.jsonl'))) {
    const path = join(values.readings, file)
    const marked = readingsIn(readFileSync(path, 'utf8'), file).map(reading => {
      const findings = said.get(nameOf(reading.repo))
      const still = findings?.find(f =>
        f.ruleId === reading.rule && f.file === reading.path && f.startLine <= reading.line && reading.line <= f.endLine
      )
      return findings ? { ...reading, now: still?.confidence ?? 'silent' } : reading
    })
    writeFileSync(path, marked.map(r => `${JSON.stringify(r)}\n`).join(''))
  }
}

const nameOf = repo => repo.split('/').at(-1)

// ----------------------------------------------------------------------------------------------------- table

function table() {
  const page = readFileSync(values.page, 'utf8')
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) stop(`${values.page} must hold ${BEGIN} and ${END}`)
  const made = `${page.slice(0, from)}${BEGIN}\n\n${tables(readings())}\n${page.slice(to)}`
  if (values.check && made !== page) stop(`${values.page} is not what the readings give: run node scripts/corpus.mjs table`)
  if (!values.check) writeFileSync(values.page, made)
}

function tables(all) {
  if (all.length === 0) return 'No readings have been kept yet.\n'
  const languages = Object.keys(LANGUAGES).filter(l => all.some(r => r.language === l))
  const count = some => VERDICTS.map(v => some.filter(r => r.verdict === v).length)
  const cell = some => (some.length === 0 ? '' : count(some).join(' / '))
  const share = some => `${Math.round((100 * count(some)[0]) / some.length)} %`
  const names = [...new Set(all.map(r => r.rule))].sort(compare)
  const row = (name, some) =>
    `| ${name} | ${languages.map(l => cell(some.filter(r => r.language === l))).join(' | ')} | ${cell(some)} | ${share(some)} |`
  const clones = [...new Set(all.map(r => `${r.repo} | ${r.commit ?? ''}`))].sort(compare)
  return [
    `${all.length} readings, by versions ${[...new Set(all.map(r => r.version))].sort(compare).join(', ')}; useful / noisy / wrong:`,
    '',
    `| rule | ${languages.map(l => LANGUAGES[l]).join(' | ')} | all | useful |`,
    `|---|${languages.map(() => '---:|').join('')}---:|---:|`,
    ...names.map(name => row(name, all.filter(r => r.rule === name))),
    row('**all**', all),
    '',
    ...present(all, names, row, languages),
    '| repository | commit | readings |',
    '|---|---|---:|',
    ...clones.map(c => `| ${c} | ${all.filter(r => `${r.repo} | ${r.commit ?? ''}` === c).length} |`),
    '',
  ].join('\n')
}

/** Of the readings, what is shown without any setting today. */
function present(all, names, row, languages) {
  const marked = all.filter(r => r.now !== undefined)
  const high = marked.filter(r => r.now === 'high')
  if (high.length === 0) return []
  const silent = marked.filter(r => r.now === 'silent')
  return [
    `Of ${marked.length} places that were read, this version is silent about ${silent.length} (${
      silent.filter(r => r.verdict === 'useful').length
    } of them were useful). What \`recommended\` shows of the rest:`,
    '',
    `| rule in \`recommended\` | ${languages.map(l => LANGUAGES[l]).join(' | ')} | all | useful |`,
    `|---|${languages.map(() => '---:|').join('')}---:|---:|`,
    ...names.filter(name => high.some(r => r.rule === name)).map(name => row(name, high.filter(r => r.rule === name))),
    row('**all**', high),
    '',
  ]
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0
}

function print(line) {
  process.stdout.write(`${line}\n`)
}

function stop(message) {
  process.stderr.write(`corpus: ${message}\n`)
  process.exit(2)
}

// The functions above are made by now.
const commands = { sample, keep, again, table }
if (!Object.hasOwn(commands, command ?? ''))
  stop(`one of ${Object.keys(commands).join(', ')} is wanted; see the head of scripts/corpus.mjs`)
await commands[command]()
