// What the build tools for the JVM have in common: how tests of JUnit are called, and the small classes that let a run of JUnit 5
// be ordered, shuffled and narrowed from outside. They are compiled once against the project's own JUnit.

import { join } from 'node:path'
import { runnerError, type Listed, type Place, type Request, type TestRecord } from '../runner.ts'
import { recordOf, type Case } from './junit-xml.ts'
import { probe } from './probe.ts'

/** `shop.CartTest#adds(String)[2]`: as a report calls it. */
export const idOf = (of: Case): string => `${of.className}#${of.name}`
export const classOf = (id: string): string => id.slice(0, id.indexOf('#'))
/** `adds` of `shop.CartTest#adds(String)[2]`. */
export const methodOf = (id: string): string => id.slice(id.indexOf('#') + 1).replace(/[([{][^]*$/, '')
/** A name in which an overload or one invocation of several is meant: build tools choose by the method's bare name alone. */
export const isPart = (id: string): boolean => /[([{]/.test(id.slice(id.indexOf('#') + 1))

/**
 * For a build tool that itself lives for a few seconds: compiling it well costs more than it gives. The tests' own JVM is left as the
 * project has it.
 */
export const SHORT_LIVED = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'

const NOT_CHOSEN = 'flakesniff: not chosen'

/** Compiles the classes and gives the folder to put on the class path. Order of classes is known to JUnit since 5.8. */
export async function compileJupiterProbe(place: Place, classpath: readonly string[]): Promise<string> {
  const out = join(place.temp, 'junit/classes')
  const write = (names: readonly string[]) => names.map(name => place.write(`junit/${name}.java`, probe('junit', `${name}.java`)))
  const javac = place.env['JAVA_HOME'] ? join(place.env['JAVA_HOME'], 'bin/javac') : 'javac'
  const compile = (sources: readonly string[]) =>
    place.exec({ argv: [javac, '-nowarn', '-encoding', 'UTF-8', '-proc:none', '-d', out, '-cp', classpath.join(':'), ...sources] })
  const done = await compile(write(['Told', 'MethodOrder', 'ClassOrder', 'OnlyChosen']))
  if (done.code !== 0 && (await compile(write(['Told', 'MethodOrder', 'OnlyChosen']))).code !== 0)
    throw runnerError(`${javac} cannot compile against the project's JUnit: ${done.stderr.trim().split('\n').slice(0, 4).join('\n')}`)
  place.write('junit/classes/META-INF/services/org.junit.jupiter.api.extension.Extension', 'flakesniff.OnlyChosen\n')
  return out
}

/** Settings of JUnit 5 for one run, as system properties of the JVM that runs the tests. `narrow` turns on what skips the unchosen. */
export function jupiterProperties(place: Place, request: Request, narrow: boolean, list = false): Record<string, string> {
  const workers = String(request.workers ?? 2)
  return {
    'junit.jupiter.testmethod.order.default': 'flakesniff.MethodOrder',
    'junit.jupiter.testclass.order.default': 'flakesniff.ClassOrder',
    'flakesniff.order': orderFile(place),
    ...(request.tests !== null && { 'flakesniff.chosen': place.write('junit/chosen', request.tests.map(t => `${t.id}\n`).join('')) }),
    ...(narrow
      && { 'junit.jupiter.extensions.autodetection.enabled': 'true', 'junit.jupiter.extensions.autodetection.include': 'flakesniff.*' }),
    ...(list && { 'flakesniff.list': 'true' }),
    ...(request.seed !== undefined && { 'flakesniff.seed': String(request.seed) }),
    'junit.jupiter.execution.parallel.enabled': String(request.parallel),
    ...(request.parallel && {
      'junit.jupiter.execution.parallel.mode.default': 'concurrent',
      'junit.jupiter.execution.parallel.config.strategy': 'fixed',
      'junit.jupiter.execution.parallel.config.fixed.parallelism': workers,
      'junit.jupiter.execution.parallel.config.fixed.max-pool-size': workers,
    }),
  }
}

const orderFile = (place: Place): string => join(place.temp, 'junit-order')

/** What JUnit 5 found, in the order in which it runs; it looks for tests several times, and the last time counts. */
const notedIn = (place: Place): Map<string, number> =>
  new Map((place.read(orderFile(place)) ?? '').split('\n').map((name, at) => [name, at]))

/** Methods of JUnit 5 that were found by a run in which none was started. */
export const methodsFound = (place: Place): string[] =>
  [...notedIn(place)].filter(([name]) => name.includes('#')).sort((a, b) => a[1] - b[1]).map(([name]) => name)

/** The method of an invocation: `adds(String)` of `adds(String)[2]`, `rep` of `rep()[1]`. */
export const withoutIndex = (id: string): string => id.replace(/(?:\(\))?\[\d+\]$/, '')

/** Records in the order in which tests ran. JUnit 5 noted its order; others run classes by name, and methods as they are reported. */
export function recordsInOrder(place: Place, cases: readonly Case[], request: Request, known: readonly Listed[]): TestRecord[] {
  const noted = notedIn(place)
  const at = (id: string): number => noted.get(withoutIndex(id)) ?? noted.get(id.replace(/\[\d+\]$/, '')) ?? -1
  const ran = cases.filter(c => c.name !== '' && !c.message.startsWith(NOT_CHOSEN)).map(c => recordOf(idOf(c), c))
  const ordered = ran.map((record, index) => ({ record, index })).sort((a, b) =>
    at(a.record.id) - at(b.record.id) || byClass(a.record.id, b.record.id) || a.index - b.index
  ).map(o => o.record)
  const all = [...ordered, ...failedAsAWhole(cases, request.tests ?? known, new Set(ran.map(r => r.id)))]
  if (request.tests !== null)
    return request.tests.some(t => !ran.some(r => r.id === t.id))
      ? chosenOf(withWholes(all), request.tests)
      : chosenOf(all, request.tests)
  return withWholes(all)
}

const chosenOf = (records: readonly TestRecord[], tests: readonly Listed[]): TestRecord[] => {
  const ids = new Set(tests.map(t => t.id))
  return records.filter(r => ids.has(r.id))
}

/** A method that ran several times has failed where one of them has: its own record stands behind those of its invocations. */
function withWholes(records: readonly TestRecord[]): TestRecord[] {
  const groups = new Map<string, TestRecord[]>()
  for (const record of records) groups.set(withoutIndex(record.id), [...(groups.get(withoutIndex(record.id)) ?? []), record])
  return [...groups].flatMap(([id, parts]) => (parts.some(p => p.id === id) ? parts : [...parts, wholeOf(id, parts)]))
}

function wholeOf(id: string, parts: readonly TestRecord[]): TestRecord {
  const failed = parts.find(p => p.outcome === 'fail')
  const ms = parts.reduce((sum, p) => sum + (p.testMs ?? 0), 0)
  const outcome = failed ? 'fail' : parts.some(p => p.outcome === 'pass') ? 'pass' : 'skip'
  return { id, outcome, attempts: Math.max(...parts.map(p => p.attempts)), setupMs: null, testMs: ms, teardownMs: null,
    ...(failed?.message !== undefined && { message: failed.message }) }
}

/** `shop.CartTest#adds(String)[2]`, which no listing tells of. */
export function invocationNamed(text: string, listed: readonly Listed[]): Listed | null {
  const method = listed.find(t => t.id === withoutIndex(text))
  return method === undefined || method.id === text ? null : { ...method, id: text, name: text.slice(text.indexOf('#') + 1) }
}

const byClass = (a: string, b: string): number => (classOf(a) < classOf(b) ? -1 : classOf(a) > classOf(b) ? 1 : 0)

/** Where the set-up of a class fails, its tests are not reported one by one; each of them failed all the same. */
function failedAsAWhole(cases: readonly Case[], tests: readonly Listed[], reported: ReadonlySet<string>): TestRecord[] {
  const classes = cases.filter(c =>
    (c.name === '' || c.name === c.className || c.name === 'initializationError' || c.name === 'classMethod') && c.outcome === 'fail'
  )
  return tests.filter(t => !reported.has(t.id)).flatMap(t => {
    const failed = classes.find(c => classOf(t.id) === c.className || classOf(t.id).startsWith(`${c.className}$`))
    return failed ? [recordOf(t.id, failed)] : []
  })
}

/** Files of the project that hold the tests: `roots` are folders of test sources, absolute. */
export function located(place: Place, roots: readonly string[], id: string): Pick<Listed, 'file' | 'line'> {
  const source = sourceOf(place, roots, classOf(id))
  if (source === undefined) return { file: null }
  const { file, text } = source
  const line = text.split('\n').findIndex(l =>
    new RegExp(`\\b${methodOf(id).replace(/[^\p{L}\p{N}_]/gu, '\\$&')}\\b[\`]?\\s*\\(`, 'u').test(l)
  )
  return { file: file.startsWith(`${place.root}/`) ? file.slice(place.root.length + 1) : null, ...(line >= 0 && { line: line + 1 }) }
}

function sourceOf(place: Place, roots: readonly string[], name: string): { readonly file: string; readonly text: string } | undefined {
  const path = name.replace(/\$.*/, '').replaceAll('.', '/')
  for (const root of roots)
    for (const ending of ['java', 'kt', 'groovy']) {
      const file = `${root}/${path}.${ending}`, text = place.read(file)
      if (text !== undefined) return { file, text }
    }
  return undefined
}

/** `@Test(timeout = 10) public void adds() throws IOException {`: what the source of a class calls a test, where no run tells. */
const WRITTEN = /(?<=^|[\s)])@(?:[\w.]+\.)?(?:Test|RepeatedTest)\b[^;{}]*?\b(\w+)\s*\([^()]*\)\s*(?:throws[\w\s.,]+)?\{/g

export function testsWritten(place: Place, roots: readonly string[], name: string): string[] {
  const text = sourceOf(place, roots, name)?.text ?? ''
  return /\babstract\s+class\b/.test(text) ? [] : [...text.matchAll(WRITTEN)].map(m => `${name}#${m[1]}`)
}

/** The class of a test file, by the root it lies in. */
export const classOfFile = (place: Place, roots: readonly string[], file: string): string | undefined => {
  const path = join(place.root, file)
  const root = roots.find(r => path.startsWith(`${r}/`))
  return root === undefined ? undefined : path.slice(root.length + 1).replace(/\.\w+$/, '').replaceAll('/', '.')
}
