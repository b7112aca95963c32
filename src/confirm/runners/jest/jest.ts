// Jest, through a test runner of our own around jest-circus: tests are chosen by id inside the file, so no name is ever a
// pattern, and a sequencer puts files in the chosen order.

import { join } from 'node:path'
import { runnerError, type Abilities, type Detection, type Finished, type Listed, type Place, type Request, type Runner,
  type RunReport } from '../../runner.ts'
import { partsOf, readJournal, titlesOf, whatWentWrong, writeProbe } from '../journal.ts'
import { detectIn, escaped, installedIn, majorOf, packageSigns, type Installed } from '../node-packages.ts'

const CAN: Abilities = { order: 'tests', shuffle: true, parallel: true, race: false, phases: true, sharedProcess: true, twice: true,
  unskip: true }

export const jest: Runner = {
  id: 'jest',
  title: 'Jest',
  can: CAN,
  detect: place => detectIn(place, folder => packageSigns(place, folder, 'jest', 'jest', /^jest\.config\.(?:[cm]?[jt]s|json)$/)),
  prepare: async (place, detection) => {
    const found = installedIn(place, detection.folder, 'jest')
    if (majorOf(found.version) < 27) throw runnerError(`Jest ${found.version} has no jest-circus: confirm needs Jest 27 or later`)
    return found
  },
  list,
  run,
}

const FILES = ['probe.cjs', 'pick.cjs', 'sequencer.cjs']

function start(place: Place, { folder }: Detection, found: Installed, plan: Readonly<Record<string, unknown>>,
  args: readonly string[]): Promise<Finished>
{
  const probe = writeProbe(place, 'jest', FILES, { ...plan, jest: found.folder })
  return place.exec({
    argv: [
      'node',
      found.bin,
      `--testRunner=${probe}`,
      `--testSequencer=${join(place.temp, 'sequencer.cjs')}`,
      // What the project sets for people at a desk, and what would write into it or stop early.
      '--reporters=default',
      '--ci',
      '--watchAll=false',
      '--coverage=false',
      '--bail=0',
      '--notify=false',
      '--colors=false',
      ...args,
    ],
    ...(folder !== '' && { cwd: folder }),
  })
}

const only = (place: Place, files: readonly string[]): string[] =>
  files.length === 0 ? [] : ['--runTestsByPath', ...new Set(files.map(f => join(place.root, f)))]

async function list(place: Place, detection: Detection, prepared: unknown, file?: string): Promise<readonly Listed[]> {
  const finished = await start(place, detection, prepared as Installed, { mode: 'list' }, ['--runInBand',
    ...only(place, file === undefined ? [] : [file])])
  const journal = readJournal(place, finished)
  if (journal.listed.length === 0) throw runnerError(whatWentWrong('Jest', finished, journal))
  return journal.listed
}

async function run(place: Place, detection: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const parts = partsOf(request)
  const mode = request.parallel ? [`--maxWorkers=${request.workers ?? 2}`] : ['--runInBand']
  const shuffle = request.seed === undefined ? [] : ['--randomize', `--seed=${request.seed | 0}`]
  const plan = { mode: 'run', parts, parallel: request.parallel, ...(request.seed !== undefined && { seed: request.seed }),
    ...(request.unskip && { unskip: true }) }
  const finished = await start(place, detection, prepared as Installed, plan, [...mode, ...shuffle,
    ...only(place, (parts ?? []).map(p => p.file))])
  const journal = readJournal(place, finished, parts)
  return {
    records: journal.records,
    command: ['npx', 'jest', ...mode, ...shuffle, ...typed(request)],
    ...(journal.records.length === 0 && { broken: whatWentWrong('Jest', finished, journal) }),
  }
}

/** The nearest that Jest's own command line can say: it joins titles by a space. */
function typed({ tests }: Request): string[] {
  if (!tests) return []
  const names = [...new Set(tests.map(t => escaped(titlesOf(t).join(' '))))]
  return ['--runTestsByPath', ...new Set(tests.flatMap(t => t.file ?? [])), '-t',
    names.length === 1 ? `^${names[0]}$` : `^(?:${names.join('|')})$`]
}
