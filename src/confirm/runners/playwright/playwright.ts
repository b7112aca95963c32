// Playwright Test, which can be told to run «what failed last» by its own ids: a list of ids that we write is the one way to say
// exactly which tests run, whatever they are called. It keeps its own order.

import { join } from 'node:path'
import { runnerError, type Abilities, type Detection, type Finished, type Listed, type Place, type Request, type Runner,
  type RunReport } from '../../runner.ts'
import { readJournal, titlesOf, whatWentWrong, writeProbe } from '../journal.ts'
import { detectIn, escaped, installedIn, packageSigns, type Installed } from '../node-packages.ts'

const CAN: Abilities = { order: 'none', shuffle: false, parallel: true, race: false, phases: true, sharedProcess: true }

interface Prepared {
  readonly found: Installed
  readonly listed: readonly Listed[]
  /** Our ids to Playwright's own. */
  readonly keys: ReadonlyMap<string, string>
}

export const playwright: Runner = {
  id: 'playwright',
  title: 'Playwright Test',
  can: CAN,
  detect: place => detectIn(place, folder => packageSigns(place, folder, '@playwright/test', null, /^playwright\.config\.[cm]?[jt]s$/)),
  prepare,
  list: async (_place, _detection, prepared, file) => (prepared as Prepared).listed.filter(t => file === undefined || t.file === file),
  run,
}

/** The list is asked for once: with it go the ids that every run is given. */
async function prepare(place: Place, detection: Detection): Promise<Prepared> {
  const found = installedIn(place, detection.folder, '@playwright/test', 'playwright')
  const [major = 0, minor = 0] = found.version.split('.').map(Number)
  if (major === 1 && minor < 44)
    throw runnerError(`Playwright Test ${found.version} cannot be given tests by id: confirm needs 1.44 or later`)
  const finished = await start(place, detection, found, { mode: 'list' }, ['--list'])
  const journal = readJournal(place, finished)
  if (journal.listed.length === 0) throw runnerError(whatWentWrong('Playwright Test', finished, journal))
  return { found, listed: journal.listed, keys: journal.keys }
}

function start(place: Place, { folder }: Detection, found: Installed, plan: Readonly<Record<string, unknown>>,
  args: readonly string[]): Promise<Finished>
{
  const probe = writeProbe(place, 'playwright', ['probe.cjs'], plan)
  return place.exec({ argv: ['node', found.bin, 'test', `--reporter=${probe}`, `--output=${join(place.temp, 'results')}`, ...args],
    ...(folder !== '' && { cwd: folder }) })
}

async function run(place: Place, detection: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const { found, keys } = prepared as Prepared
  const mode = [`--workers=${request.parallel ? request.workers ?? 2 : 1}`]
  const chosen = request.tests?.map(t => keys.get(t.id) ?? `unknown: ${t.id}`)
  if (chosen) place.write('results/.last-run.json', JSON.stringify({ status: 'failed', failedTests: chosen }))
  // Only the files that are needed are loaded; an argument is a pattern of paths.
  const files = [...new Set((request.tests ?? []).flatMap(t => (t.file === null ? [] : [`${escaped(join(place.root, t.file))}$`])))]
  const plan = { mode: 'run', parallel: request.parallel, ids: Object.fromEntries([...keys].map(([id, key]) => [key, id])) }
  const finished = await start(place, detection, found, plan, [...mode, '--max-failures=0', ...(chosen ? ['--last-failed'] : []), ...files])
  const journal = readJournal(place, finished, chosen ? partsByFile(request.tests!) : null)
  return { records: journal.records, command: ['npx', 'playwright', 'test', ...mode, ...typed(request)],
    ...(journal.records.length === 0 && { broken: whatWentWrong('Playwright Test', finished, journal) }) }
}

const partsByFile = (tests: readonly Listed[]) => tests.flatMap(t => (t.file === null ? [] : [{ file: t.file, ids: [t.id] }]))

/** A pattern is compared with the project, the file and the titles, joined by spaces. */
function typed({ tests }: Request): string[] {
  if (!tests) return []
  const projects = new Set(
    tests.flatMap(t => (t.file !== null && t.id.startsWith('[') ? [t.id.slice(1, t.id.indexOf(`] ${t.file} > `))] : [])),
  )
  const names = new Set(tests.map(t => `${escaped(titlesOf(t).join(' '))}$`))
  return [...new Set(tests.flatMap(t => t.file ?? [])), ...[...projects].map(p => `--project=${p}`), '-g', `/${[...names].join('|')}/`]
}
