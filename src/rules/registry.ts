// Generated from the folders of src/rules by test/generated.test.ts: `npm run update` writes it.

import type { Rule } from './rule.ts'
import batsSequentialContract from './bats-sequential-contract/rule.ts'
import calendarEdge from './calendar-edge/rule.ts'
import clockAtImport from './clock-at-import/rule.ts'
import elapsedBoundAssertion from './elapsed-bound-assertion/rule.ts'
import exactFloatEquality from './exact-float-equality/rule.ts'
import fixedPort from './fixed-port/rule.ts'
import fixedSleep from './fixed-sleep/rule.ts'
import fixedTempPath from './fixed-temp-path/rule.ts'
import hardcodedFutureDate from './hardcoded-future-date/rule.ts'
import localeDependence from './locale-dependence/rule.ts'
import missingSerialMarker from './missing-serial-marker/rule.ts'
import nondeterministicSeed from './nondeterministic-seed/rule.ts'
import nondeterministicSnapshot from './nondeterministic-snapshot/rule.ts'
import resourceThresholdAssertion from './resource-threshold-assertion/rule.ts'
import skippedTest from './skipped-test/rule.ts'
import sleepAfterSync from './sleep-after-sync/rule.ts'
import swallowedFailure from './swallowed-failure/rule.ts'
import syncResultIgnored from './sync-result-ignored/rule.ts'
import tightTimeout from './tight-timeout/rule.ts'
import timeBasedName from './time-based-name/rule.ts'
import timestampUniquenessOrOrder from './timestamp-uniqueness-or-order/rule.ts'
import timezoneDependence from './timezone-dependence/rule.ts'
import tooNarrowTolerance from './too-narrow-tolerance/rule.ts'
import unseededRandom from './unseeded-random/rule.ts'
import wallClockInAssertion from './wall-clock-in-assertion/rule.ts'
import wallClockRead from './wall-clock-read/rule.ts'

export const rules: readonly Rule[] = [
  batsSequentialContract,
  calendarEdge,
  clockAtImport,
  elapsedBoundAssertion,
  exactFloatEquality,
  fixedPort,
  fixedSleep,
  fixedTempPath,
  hardcodedFutureDate,
  localeDependence,
  missingSerialMarker,
  nondeterministicSeed,
  nondeterministicSnapshot,
  resourceThresholdAssertion,
  skippedTest,
  sleepAfterSync,
  swallowedFailure,
  syncResultIgnored,
  tightTimeout,
  timeBasedName,
  timestampUniquenessOrOrder,
  timezoneDependence,
  tooNarrowTolerance,
  unseededRandom,
  wallClockInAssertion,
  wallClockRead,
]
