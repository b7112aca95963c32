import { fromNpm, javascriptTests } from '../javascript-fixture.ts'
import type { RunnerFixture } from './fixture.ts'

export const fixture: RunnerFixture = {
  runner: 'mocha',
  install: fromNpm('mocha@12.0.3'),
  tests: javascriptTests('test', '.js'),
  exitsIn: 'exits',
}
