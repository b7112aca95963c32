// Gradle, through an init script: everything is written to the temporary folder, and each test's end is told by Gradle's own listener.
// Gradle keeps its own order of classes and methods, and cannot list tests without running them, so they are listed by a run.

import { join } from 'node:path'
import { runnerError, type Detection, type Finished, type Listed, type Place, type Request, type Runner,
  type RunReport } from '../../runner.ts'
import { folderWith } from '../folders.ts'
import { classOf, classOfFile, located, methodOf, SHORT_LIVED, testsWritten } from '../junit.ts'
import { probe } from '../probe.ts'
import { readEvents, recordsOf, unheardOf, type GradleEvent } from './events.ts'

interface Prepared {
  readonly gradle: string
  readonly init: string
  /** Compiled once, used by every run. */
  readonly build: string
  /** Folders of sources, once a run has told them. */
  readonly roots: Set<string>
}

export const gradle: Runner = {
  id: 'gradle',
  title: 'Gradle',
  can: { order: 'none', shuffle: false, parallel: true, race: false, phases: false, sharedProcess: true },
  detect,
  prepare,
  list,
  run,
  retries: (place, { folder }) =>
    BUILD_FILES.flatMap(name =>
      [...(place.read(join(folder, name)) ?? '').matchAll(/\bmaxRetries(?:\.set\(|\s*=\s*)\s*([1-9]\d*)/g)].map(m =>
        `maxRetries is ${m[1]} in ${join(folder, name)}`
      )
    ),
}

const BUILD_FILES = ['build.gradle', 'build.gradle.kts']
const MARKS = ['settings.gradle', 'settings.gradle.kts', ...BUILD_FILES]

function detect(place: Place): Detection | null {
  const folder = folderWith(place, MARKS)
  if (folder === undefined) return null
  const names = place.names(folder || '.')
  return { reasons: [`${join(folder, MARKS.find(m => names.includes(m))!)} is here`], folder }
}

async function prepare(place: Place, { folder }: Detection): Promise<Prepared> {
  const gradle = place.names(folder || '.').includes('gradlew') ? join(place.root, folder, 'gradlew') : 'gradle'
  const asked = await place.exec({ argv: [gradle, '--version'], cwd: folder,
    env: { GRADLE_OPTS: options(place, '-Dorg.gradle.daemon=false') } })
  if (asked.code !== 0) throw runnerError(`${gradle} does not run: install Gradle, or commit the project's wrapper (gradlew)`)
  return { gradle, init: place.write('flakesniff.init.gradle', probe('gradle', 'flakesniff.init.gradle')), build: join(place.temp, 'build'),
    roots: new Set() } satisfies Prepared
}

const options = (place: Place, more: string): string => `${place.env['GRADLE_OPTS'] ?? ''} ${more}`.trim()

async function list(place: Place, detection: Detection, prepared: unknown, file?: string): Promise<readonly Listed[]> {
  const { roots } = prepared as Prepared
  const { events, finished } = await start(place, detection, prepared as Prepared, { tests: null, parallel: false }, null)
  for (const event of events) if (event.e === 'task') event.roots.forEach(r => roots.add(r))
  const ids = [...recordsOf(events, endOf(finished)).map(r => r.id),
    ...unheardOf(events).flatMap(name => testsWritten(place, [...roots], name))]
  if (ids.length === 0) throw runnerError(`no test was reported while tests were listed (${endOf(finished)}): ${errorsOf(finished)}`)
  const listed = ids.map(id => ({ id, name: id.slice(id.indexOf('#') + 1), ...located(place, [...roots], id) }))
  const only = file === undefined ? undefined : classOfFile(place, [...roots], file)
  return only === undefined ? listed : listed.filter(t => classOf(t.id) === only || classOf(t.id).startsWith(`${only}$`))
}

async function run(place: Place, detection: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const { events, finished } = await start(place, detection, prepared as Prepared, request, request.tests)
  const asked = request.tests === null ? null : new Set(request.tests.map(t => t.id))
  const all = recordsOf(events, endOf(finished))
  const records = all.filter(r => asked?.has(r.id) ?? true)
  const command = ['gradle', 'test', ...(request.tests ?? []).flatMap(t => ['--tests', `${classOf(t.id)}.${chosenName(t.id)}`])]
  return { records, command,
    ...(all.length === 0 && !finished.timedOut && { broken: `Gradle reported no test (${endOf(finished)}): ${errorsOf(finished)}` }) }
}

async function start(place: Place, { folder }: Detection, { gradle, init, build }: Prepared, request: Request,
  tests: readonly Listed[] | null): Promise<{ events: GradleEvent[]; finished: Finished }>
{
  const workers = request.workers ?? 2
  const events = join(place.temp, 'events.jsonl')
  const told = place.write('told.json', JSON.stringify({
    build,
    events,
    forks: request.parallel ? workers : 1,
    tests: tests?.map(t => [classOf(t.id), chosenName(t.id)]) ?? null,
    properties: { 'junit.jupiter.execution.parallel.enabled': String(request.parallel),
      ...(request.parallel && { 'junit.jupiter.execution.parallel.mode.default': 'concurrent' }) },
  }))
  const finished = await place.exec({
    argv: [gradle, '--no-daemon', '--console=plain', '--continue', '--init-script', init, '--project-cache-dir', join(build, 'cache'),
      `-Dflakesniff.told=${told}`, 'test'],
    cwd: folder,
    env: { GRADLE_OPTS: options(place, SHORT_LIVED) },
  })
  return { events: readEvents(place.read(events) ?? ''), finished }
}

/** JUnit 4 is asked for one parameter as `adds[0]`; JUnit 5 only for the method, all of whose invocations then run. */
const chosenName = (id: string): string => {
  const name = id.slice(id.indexOf('#') + 1)
  return /^[^([]+\[/.test(name) ? name : methodOf(id)
}

const endOf = (finished: Finished): string => (finished.timedOut ? 'it took too long' : finished.signal ?? `exit status ${finished.code}`)
const errorsOf = ({ stdout, stderr }: Finished): string => {
  const text = stderr || stdout
  const at = text.indexOf('* What went wrong:')
  return text.slice(at < 0 ? 0 : text.indexOf('\n', at) + 1).trim().split('\n').slice(0, 4).join('\n')
}
