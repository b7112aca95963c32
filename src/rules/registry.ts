// Generated from the folders of src/rules by test/generated.test.ts: `npm run update` writes it.

import type { Rule } from './rule.ts'
import batsSequentialContract from './bats-sequential-contract/rule.ts'
import elapsedBoundAssertion from './elapsed-bound-assertion/rule.ts'
import fixedPort from './fixed-port/rule.ts'
import fixedSleep from './fixed-sleep/rule.ts'
import fixedTempPath from './fixed-temp-path/rule.ts'
import identityOrAddressAssertion from './identity-or-address-assertion/rule.ts'
import missingSerialMarker from './missing-serial-marker/rule.ts'
import nondeterministicSeed from './nondeterministic-seed/rule.ts'
import orderDependentTests from './order-dependent-tests/rule.ts'
import parallelConflict from './parallel-conflict/rule.ts'
import serialGroupMismatch from './serial-group-mismatch/rule.ts'
import skippedTest from './skipped-test/rule.ts'
import sleepAfterSync from './sleep-after-sync/rule.ts'
import swallowedFailure from './swallowed-failure/rule.ts'
import syncResultIgnored from './sync-result-ignored/rule.ts'
import tightTimeout from './tight-timeout/rule.ts'
import timeBasedName from './time-based-name/rule.ts'
import unorderedAssertion from './unordered-assertion/rule.ts'
import unorderedQueryResult from './unordered-query-result/rule.ts'
import unseededRandom from './unseeded-random/rule.ts'
import unsortedFsListing from './unsorted-fs-listing/rule.ts'
import wallClockInAssertion from './wall-clock-in-assertion/rule.ts'
import wallClockRead from './wall-clock-read/rule.ts'

export const rules: readonly Rule[] = [
  batsSequentialContract,
  elapsedBoundAssertion,
  fixedPort,
  fixedSleep,
  fixedTempPath,
  identityOrAddressAssertion,
  missingSerialMarker,
  nondeterministicSeed,
  orderDependentTests,
  parallelConflict,
  serialGroupMismatch,
  skippedTest,
  sleepAfterSync,
  swallowedFailure,
  syncResultIgnored,
  tightTimeout,
  timeBasedName,
  unorderedAssertion,
  unorderedQueryResult,
  unseededRandom,
  unsortedFsListing,
  wallClockInAssertion,
  wallClockRead,
]
