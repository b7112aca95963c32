import { javascriptTests, ourOwn } from '../javascript-fixture.ts'
import type { RunnerFixture } from './fixture.ts'

export const fixture: RunnerFixture = { runner: 'vitest', install: ourOwn, tests: javascriptTests('tests', '.test.ts'), exitsIn: 'exits' }
