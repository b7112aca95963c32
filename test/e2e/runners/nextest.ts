import { execFileSync } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { RunnerFixture } from './fixture.ts'

export const fixture: RunnerFixture = {
  runner: 'nextest',
  install: async () => {
    // Built from source, which takes minutes, so into cargo's own folder, where it stays; unoptimised, as it only starts processes.
    const env = {
      ...process.env,
      CARGO_PROFILE_RELEASE_OPT_LEVEL: '0',
      CARGO_PROFILE_RELEASE_LTO: 'off',
      CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16',
      CARGO_PROFILE_RELEASE_DEBUG: '0',
    }
    const bin = join(process.env['CARGO_HOME'] ?? join(homedir(), '.cargo'), 'bin')
    const path = `${bin}:${process.env['PATH']}`
    try {
      execFileSync('cargo-nextest', ['nextest', '--version'], { stdio: 'ignore', env: { ...env, PATH: path } })
    } catch {
      execFileSync('cargo', ['install', 'cargo-nextest', '--version', '0.9.151', '--locked', '--no-default-features'], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env,
      })
    }
    return [`PATH=${path}`]
  },
  tests: {
    passing: 'kiosk::shop always_passes',
    broken: 'kiosk::shop is_broken',
    flaky: 'kiosk::shop flaky',
    victim: null,
    polluter: null,
    brittle: null,
    setter: null,
    slowSetUp: null,
    parallelOnly: 'kiosk::shop parallel_only_left',
    timeZone: 'kiosk::shop time_zone_epoch_began_at_midnight',
    exits: 'kiosk::shop ends_the_process',
    hostile: ['kiosk tests::prüft_ümlaute', 'kiosk tests::always_passes', 'kiosk::shop always_passes', 'kiosk::shop prints_half_a_line'],
  },
  lacks: {
    victim: 'nextest gives every test a process of its own',
    brittle: 'nextest gives every test a process of its own',
    slowSetUp: 'a test in Rust has no set-up of its own',
  },
}
