// Mocha, with a module that it requires: tests are chosen by id in the loaded tree, so no name is ever a pattern.

import { runnerError, type Abilities, type Detection, type Finished, type Listed, type Place, type Request, type Runner,
  type RunReport } from '../../runner.ts'
import { partsOf, readJournal, titlesOf, whatWentWrong, writeProbe } from '../journal.ts'
import { detectIn, escaped, installedIn, majorOf, packageSigns, type Installed } from '../node-packages.ts'
import { saidTo, type Said } from '../scripts.ts'

const CAN: Abilities = { order: 'tests', shuffle: true, parallel: true, race: false, phases: true, sharedProcess: true, twice: true }

interface Prepared {
  readonly found: Installed
  readonly said: Said | undefined
}

export const mocha: Runner = {
  id: 'mocha',
  title: 'Mocha',
  can: CAN,
  detect: place => detectIn(place, folder => packageSigns(place, folder, 'mocha', 'mocha', /^\.mocharc\.(?:[cm]?js|json|jsonc|ya?ml)$/)),
  prepare: async (place, { folder }) => {
    const found = installedIn(place, folder, 'mocha')
    if (majorOf(found.version) < 8) throw runnerError(`Mocha ${found.version} is too old: confirm needs Mocha 8 or later`)
    return { found, said: saidTo(place, folder, 'mocha') }
  },
  list,
  run,
}

function start(place: Place, { folder }: Detection, { found, said }: Prepared, plan: Readonly<Record<string, unknown>>,
  args: readonly string[]): Promise<Finished>
{
  const probe = writeProbe(place, 'mocha', ['probe.cjs', 'pick.cjs'], { ...plan, mocha: found.folder })
  return place.exec({
    // Last wins: what the project sets for people at a desk, and what would stop early.
    argv: ['node', found.bin, ...withoutOurs(said?.args ?? []), '--require', probe, '--reporter=dot', '--no-color', '--no-watch',
      '--no-bail', ...args],
    ...(folder !== '' && { cwd: folder }),
    ...(said && { env: said.env }),
  })
}

/** Of the script's words, those that we do not say ourselves. */
function withoutOurs(args: readonly string[]): string[] {
  const takesValue = /^(?:-R|--reporter|-j|--jobs|-O|--reporter-options?)$/
  return args.filter((arg, at) =>
    !/^(?:-R|--reporter(?:-options?)?|-O|-w|--watch|-b|--bail|-p|--parallel|-j|--jobs)(?:=|$)/.test(arg)
    && !takesValue.test(args[at - 1] ?? '')
  )
}

async function list(place: Place, detection: Detection, prepared: unknown, file?: string): Promise<readonly Listed[]> {
  const finished = await start(place, detection, prepared as Prepared, { mode: 'list',
    parts: file === undefined ? null : [{ file, ids: [] }] }, ['--no-parallel'])
  const journal = readJournal(place, finished)
  if (journal.listed.length === 0) throw runnerError(whatWentWrong('Mocha', finished, journal))
  return journal.listed
}

async function run(place: Place, detection: Detection, prepared: unknown, request: Request): Promise<RunReport> {
  const parts = partsOf(request)
  const mode = request.parallel ? ['--parallel', `--jobs=${request.workers ?? 2}`] : ['--no-parallel']
  const plan = { mode: 'run', parts, parallel: request.parallel, ...(request.seed !== undefined && { seed: request.seed }) }
  const finished = await start(place, detection, prepared as Prepared, plan, mode)
  const journal = readJournal(place, finished, parts)
  return {
    records: journal.records,
    command: ['npx', 'mocha', ...(prepared as Prepared).said?.args ?? [], ...(request.parallel ? mode : []), ...typed(request)],
    ...(journal.records.length === 0 && { broken: whatWentWrong('Mocha', finished, journal) }),
  }
}

/** The nearest that Mocha's own command line can say: it joins titles by a space. */
function typed({ tests }: Request): string[] {
  if (!tests) return []
  const names = [...new Set(tests.map(t => escaped(titlesOf(t).join(' '))))]
  return [...new Set(tests.flatMap(t => t.file ?? [])), '-g', names.length === 1 ? `^${names[0]}$` : `^(?:${names.join('|')})$`]
}
