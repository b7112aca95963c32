// Vitest, started through its programming interface with a runner of our own: tests are chosen by id inside the file, so no name
// is ever a pattern.

import { join } from 'node:path'
import { runnerError, type Abilities, type Detection, type Finished, type Listed, type Place, type Request, type Runner,
  type RunReport } from '../../runner.ts'
import { partsOf, readJournal, titlesOf, whatWentWrong, writeProbe } from '../journal.ts'
import { detectIn, escaped, installedIn, majorOf, packageSigns, type Installed } from '../node-packages.ts'

const CAN: Abilities = { order: 'tests', shuffle: true, parallel: true, race: false, phases: true, sharedProcess: true, twice: true,
  unskip: true }

export const vitest: Runner = {
  id: 'vitest',
  title: 'Vitest',
  can: CAN,
  detect: place =>
    detectIn(place, folder => [
      ...packageSigns(place, folder, 'vitest', null, /^vitest\.(?:config|workspace)\.(?:[cm]?[jt]s|json)$/),
      ...place.names(folder === '' ? '.' : folder).filter(n =>
        /^vite\.config\.[cm]?[jt]s$/.test(n) && /vitest/.test(place.read(join(folder, n)) ?? '')
      ).map(n => `${join(folder, n)} names vitest`),
    ]),
  prepare: async (place, { folder }) => {
    const found = installedIn(place, folder, 'vitest')
    if (majorOf(found.version) < 3)
      throw runnerError(`Vitest ${found.version} cannot be given single tests by id: confirm needs Vitest 3 or later`)
    return found
  },
  list,
  run,
}

function start(place: Place, { folder }: Detection, found: Installed, plan: Readonly<Record<string, unknown>>): Promise<Finished> {
  const dist = (name: string) => join(found.folder, 'dist', `${name}.js`)
  const drive = writeProbe(place, 'vitest', ['drive.mjs', 'probe.mjs'], { parallel: false, ...plan, node: dist('node'),
    entry: dist('index'), runners: dist('runners'), suite: dist('suite') })
  return place.exec({ argv: ['node', drive], ...(folder !== '' && { cwd: folder }) })
}

async function list(place: Place, detection: Detection, prepared: unknown, file?: string): Promise<readonly Listed[]> {
  const finished = await start(place, detection, prepared as Installed, { mode: 'list',
    parts: file === undefined ? null : [{ file, ids: [] }] })
  const journal = readJournal(place, finished)
  if (journal.listed.length === 0) throw runnerError(whatWentWrong('Vitest', finished, journal))
  return [...journal.listed]
}

async function run(place: Place, detection: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const parts = partsOf(request)
  const workers = request.workers ?? 2
  const finished = await start(place, detection, prepared as Installed, {
    mode: 'run',
    parts,
    parallel: request.parallel,
    workers,
    ...(request.seed !== undefined && { seed: request.seed }),
    ...(request.unskip && { unskip: true }),
  })
  const journal = readJournal(place, finished, parts)
  const mode = request.parallel ? [`--maxWorkers=${workers}`] : ['--no-file-parallelism']
  const shuffle = request.seed === undefined
    ? []
    : ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${request.seed}`]
  return {
    records: journal.records,
    command: ['npx', 'vitest', 'run', ...mode, ...shuffle, ...typed(request)],
    ...(journal.records.length === 0 && { broken: whatWentWrong('Vitest', finished, journal) }),
  }
}

/** The nearest that Vitest's own command line can say: it joins titles by a space. */
function typed({ tests }: Request): string[] {
  if (!tests) return []
  const names = [...new Set(tests.map(t => escaped(titlesOf(t).join(' '))))]
  return [...new Set(tests.flatMap(t => t.file ?? [])), '-t', names.length === 1 ? `^${names[0]}$` : `^(?:${names.join('|')})$`]
}
