// Generated from the folders of src/rules by test/generated.test.ts: `npm run update` writes it.

import type { Rule } from './rule.ts'
import absoluteOrHomePath from './absolute-or-home-path/rule.ts'
import ambientDependency from './ambient-dependency/rule.ts'
import assertionInDetachedCallback from './assertion-in-detached-callback/rule.ts'
import asyncTestNotAwaitedByRunner from './async-test-not-awaited-by-runner/rule.ts'
import batsBackgroundHoldsFdThree from './bats-background-holds-fd-three/rule.ts'
import batsFdThreeWithoutHash from './bats-fd-three-without-hash/rule.ts'
import batsSequentialContract from './bats-sequential-contract/rule.ts'
import batsTerminalOutput from './bats-terminal-output/rule.ts'
import calendarEdge from './calendar-edge/rule.ts'
import clockAtImport from './clock-at-import/rule.ts'
import completionOrderAssertion from './completion-order-assertion/rule.ts'
import conditionalAssertion from './conditional-assertion/rule.ts'
import cwdMutation from './cwd-mutation/rule.ts'
import cwdRelativePath from './cwd-relative-path/rule.ts'
import delayedTrigger from './delayed-trigger/rule.ts'
import elapsedBoundAssertion from './elapsed-bound-assertion/rule.ts'
import envLeak from './env-leak/rule.ts'
import exactFloatEquality from './exact-float-equality/rule.ts'
import fakeClockNotRestored from './fake-clock-not-restored/rule.ts'
import fixedPort from './fixed-port/rule.ts'
import fixedSleep from './fixed-sleep/rule.ts'
import fixedTempPath from './fixed-temp-path/rule.ts'
import focusedTest from './focused-test/rule.ts'
import freePortRace from './free-port-race/rule.ts'
import hardcodedAutoId from './hardcoded-auto-id/rule.ts'
import hardcodedFutureDate from './hardcoded-future-date/rule.ts'
import identityOrAddressAssertion from './identity-or-address-assertion/rule.ts'
import inertAssertion from './inert-assertion/rule.ts'
import lateListener from './late-listener/rule.ts'
import leakedBackgroundWork from './leaked-background-work/rule.ts'
import localeDependence from './locale-dependence/rule.ts'
import missingCleanup from './missing-cleanup/rule.ts'
import missingSerialMarker from './missing-serial-marker/rule.ts'
import mockNotRestored from './mock-not-restored/rule.ts'
import networkAccess from './network-access/rule.ts'
import networkIdleWait from './network-idle-wait/rule.ts'
import nondeterministicSeed from './nondeterministic-seed/rule.ts'
import nondeterministicSnapshot from './nondeterministic-snapshot/rule.ts'
import oneShotBackgroundRead from './one-shot-background-read/rule.ts'
import oneShotUiAssertion from './one-shot-ui-assertion/rule.ts'
import orderDependentTests from './order-dependent-tests/rule.ts'
import parallelConflict from './parallel-conflict/rule.ts'
import pipeClosedEarly from './pipe-closed-early/rule.ts'
import platformDependence from './platform-dependence/rule.ts'
import processExitInTest from './process-exit-in-test/rule.ts'
import resourceThresholdAssertion from './resource-threshold-assertion/rule.ts'
import retryMasksFlake from './retry-masks-flake/rule.ts'
import serialGroupMismatch from './serial-group-mismatch/rule.ts'
import setupAtImport from './setup-at-import/rule.ts'
import sharedMutableState from './shared-mutable-state/rule.ts'
import sideEffectInPoll from './side-effect-in-poll/rule.ts'
import skippedTest from './skipped-test/rule.ts'
import sleepAfterSync from './sleep-after-sync/rule.ts'
import swallowedFailure from './swallowed-failure/rule.ts'
import syncResultIgnored from './sync-result-ignored/rule.ts'
import tightTimeout from './tight-timeout/rule.ts'
import timeBasedName from './time-based-name/rule.ts'
import timestampUniquenessOrOrder from './timestamp-uniqueness-or-order/rule.ts'
import timezoneDependence from './timezone-dependence/rule.ts'
import tooNarrowTolerance from './too-narrow-tolerance/rule.ts'
import unawaitedAsync from './unawaited-async/rule.ts'
import unboundedPoll from './unbounded-poll/rule.ts'
import unorderedAssertion from './unordered-assertion/rule.ts'
import unorderedQueryResult from './unordered-query-result/rule.ts'
import unpinnedExternal from './unpinned-external/rule.ts'
import unseededRandom from './unseeded-random/rule.ts'
import unsortedFsListing from './unsorted-fs-listing/rule.ts'
import unsynchronisedSharedVariable from './unsynchronised-shared-variable/rule.ts'
import wallClockInAssertion from './wall-clock-in-assertion/rule.ts'
import wallClockRead from './wall-clock-read/rule.ts'
import wideFixtureMutation from './wide-fixture-mutation/rule.ts'

export const rules: readonly Rule[] = [
  absoluteOrHomePath,
  ambientDependency,
  assertionInDetachedCallback,
  asyncTestNotAwaitedByRunner,
  batsBackgroundHoldsFdThree,
  batsFdThreeWithoutHash,
  batsSequentialContract,
  batsTerminalOutput,
  calendarEdge,
  clockAtImport,
  completionOrderAssertion,
  conditionalAssertion,
  cwdMutation,
  cwdRelativePath,
  delayedTrigger,
  elapsedBoundAssertion,
  envLeak,
  exactFloatEquality,
  fakeClockNotRestored,
  fixedPort,
  fixedSleep,
  fixedTempPath,
  focusedTest,
  freePortRace,
  hardcodedAutoId,
  hardcodedFutureDate,
  identityOrAddressAssertion,
  inertAssertion,
  lateListener,
  leakedBackgroundWork,
  localeDependence,
  missingCleanup,
  missingSerialMarker,
  mockNotRestored,
  networkAccess,
  networkIdleWait,
  nondeterministicSeed,
  nondeterministicSnapshot,
  oneShotBackgroundRead,
  oneShotUiAssertion,
  orderDependentTests,
  parallelConflict,
  pipeClosedEarly,
  platformDependence,
  processExitInTest,
  resourceThresholdAssertion,
  retryMasksFlake,
  serialGroupMismatch,
  setupAtImport,
  sharedMutableState,
  sideEffectInPoll,
  skippedTest,
  sleepAfterSync,
  swallowedFailure,
  syncResultIgnored,
  tightTimeout,
  timeBasedName,
  timestampUniquenessOrOrder,
  timezoneDependence,
  tooNarrowTolerance,
  unawaitedAsync,
  unboundedPoll,
  unorderedAssertion,
  unorderedQueryResult,
  unpinnedExternal,
  unseededRandom,
  unsortedFsListing,
  unsynchronisedSharedVariable,
  wallClockInAssertion,
  wallClockRead,
  wideFixtureMutation,
]
