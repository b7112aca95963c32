import { javascriptTests, ourOwn } from '../javascript-fixture.ts'
import type { RunnerFixture } from './fixture.ts'

export const fixture: RunnerFixture = {
  runner: 'vitest',
  install: ourOwn,
  // Vitest turns the end of a process into a failure: the test may stand among the others.
  tests: { ...javascriptTests('tests', '.test.mjs'), exits: 'tests/f_exits.test.mjs > ends the process' },
}
