// Generated from the folders of src/rules by test/generated.test.ts: `npm run update` writes it.

import type { Rule } from './rule.ts'
import absoluteOrHomePath from './absolute-or-home-path/rule.ts'
import ambientDependency from './ambient-dependency/rule.ts'
import batsSequentialContract from './bats-sequential-contract/rule.ts'
import cwdRelativePath from './cwd-relative-path/rule.ts'
import elapsedBoundAssertion from './elapsed-bound-assertion/rule.ts'
import fixedPort from './fixed-port/rule.ts'
import fixedSleep from './fixed-sleep/rule.ts'
import fixedTempPath from './fixed-temp-path/rule.ts'
import freePortRace from './free-port-race/rule.ts'
import missingSerialMarker from './missing-serial-marker/rule.ts'
import networkAccess from './network-access/rule.ts'
import nondeterministicSeed from './nondeterministic-seed/rule.ts'
import platformDependence from './platform-dependence/rule.ts'
import skippedTest from './skipped-test/rule.ts'
import sleepAfterSync from './sleep-after-sync/rule.ts'
import swallowedFailure from './swallowed-failure/rule.ts'
import syncResultIgnored from './sync-result-ignored/rule.ts'
import tightTimeout from './tight-timeout/rule.ts'
import timeBasedName from './time-based-name/rule.ts'
import unpinnedExternal from './unpinned-external/rule.ts'
import unseededRandom from './unseeded-random/rule.ts'
import wallClockInAssertion from './wall-clock-in-assertion/rule.ts'
import wallClockRead from './wall-clock-read/rule.ts'

export const rules: readonly Rule[] = [
  absoluteOrHomePath,
  ambientDependency,
  batsSequentialContract,
  cwdRelativePath,
  elapsedBoundAssertion,
  fixedPort,
  fixedSleep,
  fixedTempPath,
  freePortRace,
  missingSerialMarker,
  networkAccess,
  nondeterministicSeed,
  platformDependence,
  skippedTest,
  sleepAfterSync,
  swallowedFailure,
  syncResultIgnored,
  tightTimeout,
  timeBasedName,
  unpinnedExternal,
  unseededRandom,
  wallClockInAssertion,
  wallClockRead,
]
