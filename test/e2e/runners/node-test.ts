import { javascriptTests } from '../javascript-fixture.ts'
import type { RunnerFixture } from './fixture.ts'

export const fixture: RunnerFixture = {
  runner: 'node-test',
  install: async () => [],
  tests: javascriptTests('test', '.test.mjs'),
  exitsIn: 'exits',
}
