import { fromNpm, javascriptTests } from '../javascript-fixture.ts'
import type { RunnerFixture } from './fixture.ts'

export const fixture: RunnerFixture = {
  runner: 'playwright',
  install: fromNpm('@playwright/test@1.65.0'),
  tests: javascriptTests('tests', '.spec.js', false),
  exitsIn: 'exits',
}
