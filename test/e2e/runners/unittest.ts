import type { RunnerFixture } from './fixture.ts'

const names = [
  'with space',
  `it's "quoted"`,
  'a;b',
  '$(touch pwned)',
  '`touch pwned`',
  'new\nline',
  'a/b',
  'grün',
  '[param-0]',
  'a.*b|c^$(?:x)',
  'a.b',
  '-k nothing',
  '{test}',
  '%s',
  '#2',
]

export const fixture: RunnerFixture = {
  runner: 'unittest',
  // The Python of the machine has it.
  install: async () => [],
  tests: {
    passing: 'tests.test_a_plain.Plain.test_passes',
    broken: 'tests.test_a_plain.Plain.test_is_broken',
    flaky: 'tests.test_a_plain.Plain.test_fails_every_third_time',
    victim: 'tests.test_b_many.Many.test_5_sells_at_full_price',
    polluter: 'tests.test_b_many.Many.test_3_gives_a_discount',
    brittle: 'tests.test_b_many.Many.test_6_finds_tea',
    setter: 'tests.test_b_many.Many.test_2_sets_up_the_catalogue',
    slowSetUp: 'tests.test_a_plain.WithASetUp.test_is_slow_now_and_then',
    parallelOnly: null,
    timeZone: 'tests.test_a_plain.Plain.test_minds_the_time_zone',
    exits: 'test_exits.Exits.test_ends_the_process',
    hostile: names.map(n => `tests.test_d_names.Names.test_${n}`),
  },
  lacks: { parallelOnly: 'unittest runs one test after another' },
  exitsIn: 'exits',
}
