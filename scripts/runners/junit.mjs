import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { demand, filesOf } from './run.mjs'

const CONSOLE = 'org.junit.platform:junit-platform-console-standalone:1.11.4'
const TESTS = new Set(['method', 'test-template', 'test-factory'])

export function junitTests(copy, tools) {
  const jar = consoleJar(tools)
  const out = join(tools, 'out')
  const sources = filesOf(copy, /\.java$/)
  demand('javac', ['-encoding', 'UTF-8', '-d', out, '-cp', jar, ...sources], { cwd: copy })
  const { stdout } = demand('java', ['-jar', jar, 'discover', '--disable-banner', '--disable-ansi-colors', '--class-path', out,
    '--scan-class-path', out, '--include-classname', '.*', '--details=verbose'], { cwd: copy })
  return [...stdout.matchAll(/uniqueId: (.*)/g)].map(match => stepsOf(match[1])).filter(steps => TESTS.has(steps.at(-1).kind)).map(steps =>
    pairOf(steps, sources)
  )
}

// [engine:junit-jupiter]/[class:shop.CartTest]/[nested-class:WhenEmpty]/[method:hasNothing()]
function stepsOf(id) {
  return [...id.matchAll(/\[([\w-]+):([^\]]*)\]/g)].map(([, kind, name]) => ({ kind, name }))
}

function pairOf([, top, ...inner], sources) {
  const [outer, ...statics] = top.name.split('$')
  const file = `${outer.replaceAll('.', '/')}.java`
  const path = sources.find(path => path === file || path.endsWith(`/${file}`))
  if (!path) throw new Error(`no file for the class ${top.name}`)
  const names = [outer.split('.').at(-1), ...statics, ...inner.map(step => step.name.replace(/\(.*/, ''))]
  return [path, names.join('::')]
}

// Away from the project, whose pom.xml has no say in this.
function consoleJar(tools) {
  const folder = join(tools, 'jars')
  demand('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${CONSOLE}`, `-DoutputDirectory=${folder}`], { cwd: tools })
  return join(folder, readdirSync(folder).find(name => name.endsWith('.jar')))
}
