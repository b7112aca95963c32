import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { demand, run } from './run.mjs'

export function goTests(copy) {
  const files = testFiles(copy)
  const fileOf = (pkg, name) => {
    const file = files.find(file => file.pkg === pkg && new RegExp(`^func ${name}\\(`, 'm').test(file.text))
    if (!file) throw new Error(`no file of ${pkg} has func ${name}`)
    return file
  }
  return [...listed(copy), ...subtests(copy)].map(({ pkg, name }) => {
    const [top, ...steps] = name.split('/')
    const file = fileOf(pkg, top)
    return [file.path, [top, ...steps.map(step => file.literals.has(step) ? step : '…')].join('/')]
  })
}

// Benchmarks are listed too, but are no tests.
function listed(copy) {
  const { stdout } = demand('go', ['test', '-json', '-list', '.*', './...'], { cwd: copy })
  return events(stdout)
    .filter(event => event.Action === 'output' && /^(?:Test|Fuzz|Example)\S*\n$/.test(event.Output))
    .map(event => ({ pkg: event.Package, name: event.Output.trim() }))
}

// Only a run knows the subtests. The seeds of a fuzz test are its data.
function subtests(copy) {
  const { stdout } = run('go', ['test', '-json', '-count=1', '-run', '.*', './...'], { cwd: copy })
  return events(stdout)
    .filter(event => event.Action === 'run' && /^Test.*\//.test(event.Test))
    .map(event => ({ pkg: event.Package, name: event.Test }))
}

function events(stdout) {
  return stdout.split('\n').filter(line => line.startsWith('{')).map(line => JSON.parse(line))
}

function testFiles(copy) {
  const each = names => `{{range .${names}}}{{$.ImportPath}}\t{{$.Dir}}\t{{.}}\n{{end}}`
  const { stdout } = demand('go', ['list', '-f', each('TestGoFiles') + each('XTestGoFiles'), './...'], { cwd: copy })
  return stdout.split('\n').filter(Boolean).map(line => {
    const [pkg, folder, name] = line.split('\t')
    const text = readFileSync(join(folder, name), 'utf8')
    return { pkg, path: relative(copy, join(folder, name)), text, literals: literalNames(text) }
  })
}

// What stands in the source by name; any other subtest is the case of a table.
function literalNames(text) {
  return new Set(
    [...text.matchAll(/\.Run\(\s*(?:"((?:\\.|[^"\\])*)"|`([^`]*)`)/g)].map(match => (match[1] ?? match[2]).replace(/\s/g, '_')),
  )
}
