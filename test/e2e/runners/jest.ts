import { fromNpm, javascriptTests } from '../javascript-fixture.ts'
import type { RunnerFixture } from './fixture.ts'

export const fixture: RunnerFixture = {
  runner: 'jest',
  install: fromNpm('jest@30.5.2'),
  tests: javascriptTests('tests', '.test.js'),
  exitsIn: 'exits',
}
