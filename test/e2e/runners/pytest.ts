import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { RunnerFixture } from './fixture.ts'

const names = [
  'with space',
  `it's "quoted"`,
  'a;b',
  '$(touch pwned)',
  '`touch pwned`',
  'new\\nline',
  'a/b',
  'gr\\xfcn',
  'param-0',
  'a.*b|c^$(?:x)',
  '[x]',
  'a::b',
  '-k nothing',
  '{test}',
  '%s',
]

export const fixture: RunnerFixture = {
  runner: 'pytest',
  runs: 10,
  install: async (_, temp) => {
    const venv = join(temp, 'venv')
    execFileSync('python3', ['-m', 'venv', venv])
    execFileSync(join(venv, 'bin/python'), [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      'pytest==9.1.1',
      'pytest-xdist==3.8.0',
      'pytest-rerunfailures==16.1',
    ], { stdio: ['ignore', 'ignore', 'inherit'] })
    return [`VIRTUAL_ENV=${venv}`]
  },
  tests: {
    passing: 'tests/test_a_plain.py::test_passes',
    broken: 'tests/test_a_plain.py::test_is_broken',
    flaky: 'tests/test_a_plain.py::test_fails_every_third_time',
    victim: 'tests/test_b_many.py::test_sells_at_full_price',
    polluter: 'tests/test_b_many.py::test_gives_a_discount',
    brittle: 'tests/test_b_many.py::test_finds_tea',
    setter: 'tests/test_b_many.py::test_sets_up_the_catalogue',
    slowSetUp: 'tests/test_a_plain.py::test_has_a_slow_set_up',
    parallelOnly: 'tests/test_c_parallel.py::test_minds_company',
    timeZone: 'tests/test_a_plain.py::test_minds_the_time_zone',
    exits: 'exits/test_exits.py::test_ends_the_process',
    hostile: names.map(n => `tests/test_d_names.py::test_name[${n}]`),
  },
}
