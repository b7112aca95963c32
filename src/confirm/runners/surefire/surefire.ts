// Maven Surefire with JUnit 4 and 5: `mvn test` as the project has it, writing to the temporary folder, its XML reports to a folder
// that is new in every run. With JUnit 5, methods and classes run in the chosen order; JUnit 4 keeps its own.
//
// With JUnit 5, tests are listed by a run in which every class is skipped. JUnit 4 cannot be asked: its tests are listed by running them
// once.

import { join } from 'node:path'
import { runnerError, type Abilities, type Detection, type Finished, type Listed, type Place, type Request, type Runner,
  type RunReport } from '../../runner.ts'
import { classOf, classOfFile, compileJupiterProbe, invocationNamed, isPart, jupiterProperties, located, methodOf, methodsFound,
  recordsInOrder, SHORT_LIVED } from '../junit.ts'
import { casesIn, type Case } from '../junit-xml.ts'
import { folderWith } from '../folders.ts'
import { compileTests, errorsOf, mavenOf, type Maven, type TestSources } from './maven.ts'

interface Prepared {
  readonly maven: Maven
  readonly sources: TestSources
  /** The folder of the classes that order JUnit 5; null where the project has no JUnit 5. */
  readonly jupiter: string | null
  /** All that was listed so far. */
  readonly known: Map<string, Listed>
}

const CAN: Abilities = { order: 'tests', shuffle: true, parallel: true, race: false, phases: false, sharedProcess: true }

export const surefire: Runner = {
  id: 'surefire',
  title: 'Maven Surefire',
  can: CAN,
  abilities: (_, prepared) => ((prepared as Prepared).jupiter === null ? { ...CAN, order: 'none', shuffle: false } : CAN),
  detect,
  prepare,
  list,
  run,
  named: invocationNamed,
  retries: (place, { folder }) =>
    [...(place.read(join(folder, 'pom.xml')) ?? '').matchAll(/<((?:surefire\.)?rerunFailingTestsCount)>\s*([1-9]\d*)\s*</g)].map(m =>
      `${m[1]} is ${m[2]} in ${join(folder, 'pom.xml')}`
    ),
}

function detect(place: Place): Detection | null {
  const folder = folderWith(place, ['pom.xml'])
  return folder === undefined ? null : { reasons: [`${join(folder, 'pom.xml')} is here`], folder }
}

async function prepare(place: Place, { folder }: Detection): Promise<Prepared> {
  const maven = await mavenOf(place, folder)
  const sources = await compileTests(place, folder, maven)
  const jupiter = sources.classpath.some(e => /junit-jupiter-api-[^/]*\.jar$/.test(e))
    ? await compileJupiterProbe(place, sources.classpath)
    : null
  return { maven, sources, jupiter, known: new Map() } satisfies Prepared
}

async function list(place: Place, detection: Detection, prepared: unknown, file?: string): Promise<readonly Listed[]> {
  const { sources, known } = prepared as Prepared
  const only = file === undefined ? undefined : classOfFile(place, sources.roots, file)
  const { report, finished } = await start(place, detection, prepared as Prepared, { tests: null, parallel: false },
    only === undefined ? [] : [`-Dtest=${only},${only}$*`], true)
  const ids = [...new Set([...methodsFound(place), ...report.records.map(r => r.id)])]
  if (ids.length === 0) throw runnerError(`no test was found (${endOf(finished)}): ${errorsOf(finished)}`)
  const listed = ids.map(id => ({ id, name: id.slice(id.indexOf('#') + 1), ...located(place, sources.roots, id) }))
  for (const test of listed) known.set(test.id, test)
  return listed
}

async function run(place: Place, detection: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const strange = request.tests?.find(t => /[,!%#*?+]/.test(classOf(t.id) + methodOf(t.id)))
  if (strange)
    return { records: [], command: [], broken: `Surefire has no way to choose ${strange.id}: a sign in its name has a meaning in -Dtest` }
  return (await start(place, detection, prepared as Prepared, request, request.tests === null ? [] : [choice(place, request.tests)])).report
}

async function start(place: Place, { folder }: Detection, { maven, jupiter, known }: Prepared, request: Request, chosen: readonly string[],
  listing = false): Promise<{ report: RunReport; finished: Finished }>
{
  const reports = join(place.temp, 'reports')
  const narrow = listing || request.tests !== null && jupiter !== null && request.tests.some(t => isPart(t.id) || hasOverload(t.id, known))
  const properties = jupiter === null
    ? {}
    : { 'maven.test.additionalClasspath': jupiter, ...jupiterProperties(place, request, narrow, listing) }
  const told = [...chosen, ...parallelOf(request, jupiter !== null), '-Dsurefire.runOrder=alphabetical', '-DfailIfNoTests=false',
    '-Dsurefire.failIfNoSpecifiedTests=false']
  const finished = await place.exec({
    argv: [maven.mvn, ...maven.args, `-Dflakesniff.reports=${reports}`,
      ...Object.entries(properties).map(([name, value]) => `-D${name}=${value}`), ...told, 'test'],
    cwd: folder,
    env: { MAVEN_OPTS: `${place.env['MAVEN_OPTS'] ?? ''} ${SHORT_LIVED}`.trim() },
  })
  const records = recordsInOrder(place, casesOf(place, reports), request, [...known.values()])
  const went = records.length > 0 || finished.timedOut
  return { finished,
    report: { records, command: ['mvn', 'test', ...told],
      ...(!went && { broken: `no test was reported (${endOf(finished)}): ${errorsOf(finished)}` }) } }
}

const casesOf = (place: Place, reports: string): Case[] =>
  place.names(reports).flatMap(module =>
    place.names(join(reports, module)).filter(n => /^TEST-.*\.xml$/.test(n)).flatMap(n =>
      casesIn(place.read(join(reports, module, n)) ?? '')
    )
  )

const hasOverload = (id: string, known: ReadonlyMap<string, Listed>): boolean => [...known.keys()].some(k => k.startsWith(`${id}(`))

/** `-Dtest=shop.CartTest#adds+removes,shop.TillTest#opens`: methods by their bare names. A long one goes through a file. */
function choice(place: Place, tests: readonly Listed[]): string {
  const classes = new Map<string, Set<string>>()
  for (const { id } of tests) {
    const methods = classes.get(classOf(id)) ?? classes.set(classOf(id), new Set()).get(classOf(id))!
    // A single parameter of JUnit 4 cannot be told from its siblings: all run, and only the chosen are reported. The star stops at a slash.
    for (const name of isJUnit4Parameter(id) ? [`${methodOf(id)}[*`, `${methodOf(id)}[*/**`] : [methodOf(id)]) methods.add(name)
  }
  const lines = [...classes].map(([name, methods]) => `${name}#${[...methods].join('+')}`)
  const text = lines.join(',')
  return text.length < 60_000 ? `-Dtest=${text}` : `-Dsurefire.includesFile=${place.write('includes', lines.map(l => `${l}\n`).join(''))}`
}

/** `adds[0]`, where JUnit 5 would say `adds(int)[1]` or `adds()[1]`. */
const isJUnit4Parameter = (id: string): boolean => /#[^([]+\[/.test(id)

/** Threads for classes and for methods: a number for both together may leave one to each, and nothing runs side by side. */
const parallelOf = ({ parallel, workers = 2 }: Request, jupiter: boolean): string[] =>
  parallel && !jupiter
    ? ['-Dparallel=classesAndMethods', `-DthreadCountClasses=${workers}`, `-DthreadCountMethods=${workers}`, '-DperCoreThreadCount=false']
    : []

const endOf = (finished: Finished): string => (finished.timedOut ? 'it took too long' : finished.signal ?? `exit status ${finished.code}`)
