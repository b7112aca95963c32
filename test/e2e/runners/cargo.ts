import { execFileSync } from 'node:child_process'
import type { RunnerFixture } from './fixture.ts'

export const fixture: RunnerFixture = {
  runner: 'cargo',
  install: async () => {
    execFileSync('cargo', ['--version'], { stdio: 'ignore' })
    return []
  },
  tests: {
    passing: 'shop::shop always_passes',
    broken: 'shop::shop is_broken',
    flaky: 'shop::shop flaky',
    victim: 'shop::crowd victim_expects_an_empty_cart',
    polluter: 'shop::crowd filler_20_polluter_leaves_something_in_the_cart',
    brittle: 'shop::shop brittle_needs_a_registered_shop',
    setter: 'shop::shop a_setter_registers_the_shop',
    slowSetUp: null,
    parallelOnly: 'shop::shop parallel_only_left',
    timeZone: 'shop::shop time_zone_epoch_began_at_midnight',
    exits: 'exits::exits ends_the_process',
    // Rust's names are identifiers: what can go wrong is a name that is a part of another, or stands in several binaries.
    hostile: ['shop tests::prüft_ümlaute', 'shop tests::always_passes', 'shop::shop always_passes', 'shop::shop prints_half_a_line'],
  },
  exitsIn: 'exits',
  lacks: { slowSetUp: 'a test in Rust has no set-up of its own' },
}
