// Any other runner: a command with {test} where the test's name goes. All it tells is its exit status, so it is taken at its word.

import type { Listed, Request, Runner, RunReport, Place } from '../../runner.ts'

export function commandRunner(argv: readonly string[], test: string): Runner {
  const target: Listed = { id: test, file: null, name: test }
  return {
    id: 'command',
    title: 'command',
    can: { order: 'none', shuffle: false, parallel: false, race: false, phases: false, sharedProcess: false },
    detect: () => ({ reasons: ['given by --command'], folder: '' }),
    list: async () => [target],
    run: (place, _, __, request) => run(argv, target, place, request),
  }
}

async function run(argv: readonly string[], target: Listed, place: Place, request: Request): Promise<RunReport> {
  const command = argv.map(word => word.replaceAll('{test}', () => target.id))
  const finished = await place.exec({ argv: command, ...(request.cwd !== undefined && { cwd: request.cwd }) })
  // What a shell or the system answers where there is no such program, or it may not be run.
  if (finished.code === 127 || finished.code === 126)
    return { records: [], command, broken: finished.stderr.trim().split('\n').at(-1) ?? `exit status ${finished.code}` }
  const outcome = finished.code === 0 ? 'pass' : 'fail'
  const message = `${finished.signal ?? `exit status ${finished.code}`}${
    finished.stderr.trim() === '' ? '' : `\n${finished.stderr.trim().split('\n').slice(-5).join('\n')}`
  }`
  return {
    records: [{ id: target.id, outcome, attempts: 1, setupMs: null, testMs: finished.ms, teardownMs: null,
      ...(outcome === 'fail' && { message }) }],
    command,
  }
}
