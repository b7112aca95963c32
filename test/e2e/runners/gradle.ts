import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { RunnerFixture } from './fixture.ts'

const names = ['with space', `it's "quoted"; $(touch pwned) \`x\``, '<b>&amp; [param-0] .*+?(){}|^', 'a/b grün', 'two\nlines']

// Debian's own Gradle (4.4.1) knows JUnit 4 only.
export const fixture: RunnerFixture = {
  runner: 'gradle',
  install: async () => {
    execFileSync('gradle', ['--version'], { stdio: 'ignore' })
    if (!existsSync('/usr/share/java/junit4.jar')) throw new Error('/usr/share/java/junit4.jar is missing: apt-get install junit4')
    return []
  },
  tests: {
    passing: 'shop.APlainTest#alwaysPasses',
    broken: 'shop.APlainTest#isBroken',
    flaky: 'shop.APlainTest#failsInEveryThirdRun',
    victim: 'shop.BCrowdTest#victimExpectsAnEmptyCart',
    polluter: 'shop.BCrowdTest#polluterLeavesSomethingInTheCart',
    brittle: 'shop.BCrowdTest#tillNeedsARegisteredShop',
    setter: 'shop.BCrowdTest#setterRegistersTheShop',
    slowSetUp: null,
    parallelOnly: 'shop.ParallelLeftTest#parallelOnly',
    timeZone: 'shop.APlainTest#theEpochBeganAtMidnight',
    exits: 'exits.ExitsTest#endsTheProcess',
    hostile: names.map(n => `shop.DNamesTest#name[${n}]`),
  },
  exitsIn: 'exits',
  lacks: { slowSetUp: 'Gradle tells one time for a test and its set-up' },
}
