import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RunnerFixture } from './fixture.ts'

const names = [
  'it\'s ; a [param-0] with .*+?(){}|^ and é/ü \\"quoted\\" \\$(touch pwned) \\`x\\` & <b> 100% in 5ms # skip',
  '-n looks like an option',
  'unquoted_function',
  'always passes',
]

export const fixture: RunnerFixture = {
  runner: 'bats',
  install: async (_, temp) => {
    const folder = join(temp, 'npm')
    mkdirSync(folder)
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, 'bats@1.13.0'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    execFileSync('parallel', ['--version'], { stdio: 'ignore' })
    return [`PATH=${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`]
  },
  tests: {
    passing: 'test/a-shop.bats::always passes',
    broken: 'test/a-shop.bats::is broken',
    flaky: 'test/a-shop.bats::flaky: fails in every third run',
    victim: 'test/b-crowd.bats::victim: expects an empty cart',
    polluter: 'test/b-crowd.bats::polluter: leaves something in the cart',
    brittle: 'test/a-shop.bats::brittle: needs a registered shop',
    setter: 'test/a-shop.bats::setter: registers the shop',
    slowSetUp: null,
    parallelOnly: 'test/c-time.bats::parallel-only: left',
    timeZone: 'test/c-time.bats::time zone: the epoch began at midnight',
    exits: 'test/d-names.bats::ends its process',
    hostile: names.map(n => `test/d-names.bats::${n}`),
  },
  lacks: { slowSetUp: 'bats tells one time for set-up, test and teardown' },
}
