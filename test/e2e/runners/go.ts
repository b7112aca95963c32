import { execFileSync } from 'node:child_process'
import type { RunnerFixture } from './fixture.ts'

const subtests = [
  'with_spaces',
  `"quoted"_'names'`,
  ';_rm_-rf_x',
  '$(touch_pwned)',
  '`touch_pwned`',
  'two_lines',
  'a/b',
  'é/ü',
  '[param-0]',
  '.*+?(){}|^$\\',
  '#00',
  'same',
  'same#01',
  '100%',
  '<b>&amp;',
]

export const fixture: RunnerFixture = {
  runner: 'go',
  install: async () => {
    execFileSync('go', ['version'], { stdio: 'ignore' })
    return []
  },
  tests: {
    passing: 'example.com/shop.TestAlwaysPasses',
    broken: 'example.com/shop.TestIsBroken',
    flaky: 'example.com/shop.TestFlaky',
    victim: 'example.com/shop.TestVictimExpectsAnEmptyCart',
    polluter: 'example.com/shop.TestPolluterLeavesSomethingInTheCart',
    brittle: 'example.com/shop.TestBrittleNeedsARegisteredShop',
    setter: 'example.com/shop.TestSetterRegistersTheShop',
    slowSetUp: null,
    parallelOnly: 'example.com/shop.TestParallelOnlyLeft',
    timeZone: 'example.com/shop.TestTimeZoneEpochBeganAtMidnight',
    exits: 'example.com/exits.TestEndsTheProcess',
    hostile: [
      'example.com/shop.TestFiller01',
      'example.com/shop.TestFiller02',
      'example.com/shop/names.TestÜmlaut',
      ...subtests.map(n => `example.com/shop/names.TestTable/${n}`),
    ],
  },
  exitsIn: 'exits',
  lacks: { slowSetUp: 'a test in Go has no set-up of its own' },
}
