import { execFileSync } from 'node:child_process'
import type { RunnerFixture } from './fixture.ts'

export const fixture: RunnerFixture = {
  runner: 'surefire',
  install: async () => {
    execFileSync('mvn', ['-v'], { stdio: 'ignore' })
    execFileSync('javac', ['-version'], { stdio: 'ignore' })
    return []
  },
  tests: {
    passing: 'shop.APlainTest#alwaysPasses',
    broken: 'shop.APlainTest#isBroken',
    flaky: 'shop.APlainTest#failsInEveryThirdRun',
    victim: 'shop.CLeaningTest#victimExpectsAnEmptyCart',
    polluter: 'shop.BCrowdTest#polluterLeavesSomethingInTheCart',
    brittle: 'shop.CLeaningTest#brittleNeedsARegisteredShop',
    setter: 'shop.BCrowdTest#setterRegistersTheShop',
    slowSetUp: null,
    parallelOnly: 'shop.APlainTest#parallelOnlyLeft',
    timeZone: 'shop.APlainTest#theEpochBeganAtMidnight',
    exits: 'exits.ExitsTest#endsTheProcess',
    hostile: [
      'shop.DNamesTest#displayed',
      'shop.DNamesTest#overloaded',
      'shop.DNamesTest#table(String)[2]',
      'shop.DNamesTest#table(String)[4]',
      'shop.DNamesTest#repeated()[2]',
      'shop.DNamesTest#grün',
      'shop.DNamesTest$Inner#deep',
    ],
  },
  exitsIn: 'exits',
  lacks: { slowSetUp: 'Surefire tells one time for a test and its set-up' },
}
