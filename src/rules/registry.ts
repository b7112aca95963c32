// Generated from the folders of src/rules by test/generated.test.ts: `npm run update` writes it.

import type { Rule } from './rule.ts'
import batsSequentialContract from './bats-sequential-contract/rule.ts'
import cwdMutation from './cwd-mutation/rule.ts'
import elapsedBoundAssertion from './elapsed-bound-assertion/rule.ts'
import envLeak from './env-leak/rule.ts'
import fakeClockNotRestored from './fake-clock-not-restored/rule.ts'
import fixedPort from './fixed-port/rule.ts'
import fixedSleep from './fixed-sleep/rule.ts'
import fixedTempPath from './fixed-temp-path/rule.ts'
import hardcodedAutoId from './hardcoded-auto-id/rule.ts'
import missingSerialMarker from './missing-serial-marker/rule.ts'
import mockNotRestored from './mock-not-restored/rule.ts'
import nondeterministicSeed from './nondeterministic-seed/rule.ts'
import setupAtImport from './setup-at-import/rule.ts'
import sharedMutableState from './shared-mutable-state/rule.ts'
import skippedTest from './skipped-test/rule.ts'
import sleepAfterSync from './sleep-after-sync/rule.ts'
import swallowedFailure from './swallowed-failure/rule.ts'
import syncResultIgnored from './sync-result-ignored/rule.ts'
import tightTimeout from './tight-timeout/rule.ts'
import timeBasedName from './time-based-name/rule.ts'
import unseededRandom from './unseeded-random/rule.ts'
import wallClockInAssertion from './wall-clock-in-assertion/rule.ts'
import wallClockRead from './wall-clock-read/rule.ts'
import wideFixtureMutation from './wide-fixture-mutation/rule.ts'

export const rules: readonly Rule[] = [
  batsSequentialContract,
  cwdMutation,
  elapsedBoundAssertion,
  envLeak,
  fakeClockNotRestored,
  fixedPort,
  fixedSleep,
  fixedTempPath,
  hardcodedAutoId,
  missingSerialMarker,
  mockNotRestored,
  nondeterministicSeed,
  setupAtImport,
  sharedMutableState,
  skippedTest,
  sleepAfterSync,
  swallowedFailure,
  syncResultIgnored,
  tightTimeout,
  timeBasedName,
  unseededRandom,
  wallClockInAssertion,
  wallClockRead,
  wideFixtureMutation,
]
