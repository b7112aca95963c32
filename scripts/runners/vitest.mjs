import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.mjs'

const VITEST = fileURLToPath(new URL('../../node_modules/vitest', import.meta.url))
const HOLE = /%[sdifjoOc#$]|\$\{[^}]*\}|\$[\w.]+/g

// A run and not `vitest list`, which leaves out what is skipped or still to be done.
export function vitestTests(copy, tools) {
  // A folder of its own and not a link to ours, because vitest keeps its cache there.
  mkdirSync(join(copy, 'node_modules'))
  symlinkSync(VITEST, join(copy, 'node_modules', 'vitest'), 'junction')
  const report = join(tools, 'report.json')
  const { stdout, stderr } = run(process.execPath, [join(VITEST, 'vitest.mjs'), 'run', '--reporter=json', `--outputFile=${report}`], {
    cwd: copy,
  })
  return readReport(report, stdout + stderr).testResults.flatMap(file => pairsOf(copy, file))
}

function readReport(path, output) {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'))
  throw new Error(`vitest wrote no report\n${output}`)
}

function pairsOf(copy, { name, message, assertionResults }) {
  const path = relative(copy, name)
  if (assertionResults.length === 0) throw new Error(`vitest found no test in ${path}\n${message}`)
  const asWritten = writtenTitles(readFileSync(name, 'utf8'))
  return assertionResults.map(test => [path, [...test.ancestorTitles, test.title].map(asWritten).join(' ')])
}

// `takes 50 percent off` is a case of `takes %i percent off`, if nothing in the file has that very title.
function writtenTitles(source) {
  const titles = [...source.matchAll(/\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])*)\1\s*[,)]/g)].map(match => match[2])
  const patterns = titles.filter(title => title.search(HOLE) >= 0)
  return title => titles.includes(title) ? title : patterns.find(pattern => asExpression(pattern).test(title)) ?? title
}

function asExpression(pattern) {
  return new RegExp(`^${pattern.split(HOLE).map(text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`, 's')
}
