// How pytest, unittest and nose-style classes are recognised. Data.

import type { Marker, Role } from '../../facts/facts.ts'
import { table } from '../table.ts'

export const FRAMEWORKS = [
  { id: 'pytest', title: 'pytest' },
  { id: 'unittest', title: 'unittest' },
  { id: 'nose', title: 'nose-style classes' },
  { id: 'doctest', title: 'doctest' },
]

const before = (per: 'test' | 'file' | 'run'): Role => ({ is: 'hook', when: 'before', per })
const after = (per: 'test' | 'file' | 'run'): Role => ({ is: 'hook', when: 'after', per })

export const HOOKS: Readonly<Record<string, Role>> = table({
  setUp: before('test'),
  asyncSetUp: before('test'),
  setup_method: before('test'),
  setup_function: before('test'),
  setup: before('test'),
  setUpClass: before('file'),
  setup_class: before('file'),
  setup_module: before('file'),
  setUpModule: before('file'),
  setUpTestData: before('file'),
  tearDown: after('test'),
  asyncTearDown: after('test'),
  teardown_method: after('test'),
  teardown_function: after('test'),
  teardown: after('test'),
  tearDownClass: after('file'),
  teardown_class: after('file'),
  teardown_module: after('file'),
  tearDownModule: after('file'),
  pytest_runtest_setup: before('test'),
  pytest_runtest_teardown: after('test'),
  pytest_configure: before('run'),
  pytest_sessionstart: before('run'),
  pytest_unconfigure: after('run'),
  pytest_sessionfinish: after('run'),
})

/** Decorators that make a fixture. */
export const FIXTURES: ReadonlySet<string> = new Set(['pytest.fixture', 'pytest.yield_fixture', 'pytest_asyncio.fixture',
  'pytest_trio.trio_fixture'])

/** Decorators. A trailing * stands for any ending. */
export const MARKERS: readonly { readonly name: string; readonly is: Marker['is'] | 'skip'; readonly conditional?: true }[] = [
  { name: 'pytest.mark.skip', is: 'skip' },
  { name: 'pytest.mark.skipif', is: 'skip', conditional: true },
  { name: 'pytest.mark.xfail', is: 'skip' },
  { name: 'unittest.skip', is: 'skip' },
  { name: 'unittest.skipIf', is: 'skip', conditional: true },
  { name: 'unittest.skipUnless', is: 'skip', conditional: true },
  { name: 'twisted.trial.unittest.skip', is: 'skip' },
  { name: 'skip', is: 'skip' },
  { name: 'skipIf', is: 'skip', conditional: true },
  { name: 'skipUnless', is: 'skip', conditional: true },
  { name: 'pytest.mark.xdist_group', is: 'serial' },
  { name: 'pytest.mark.serial', is: 'serial' },
  { name: 'pytest.mark.flaky', is: 'retry' },
  { name: 'pytest.mark.only', is: 'focus' },
  { name: 'flaky.flaky', is: 'retry' },
  { name: 'pytest.mark.timeout', is: 'timeout' },
  { name: 'pytest.mark.benchmark*', is: 'benchmark' },
  { name: 'pytest.mark.order*', is: 'ordered' },
  { name: 'pytest.mark.dependency', is: 'ordered' },
  { name: 'freezegun.freeze_time', is: 'frozen-clock' },
  { name: 'time_machine.travel', is: 'frozen-clock' },
  { name: 'pytest.mark.freeze_time', is: 'frozen-clock' },
  { name: 'pytest.mark.time_machine', is: 'frozen-clock' },
  { name: 'pytest.mark.looptime', is: 'frozen-clock' },
  { name: 'hypothesis.given', is: 'property' },
  { name: 'hypothesis.seed', is: 'seeded' },
]

/** Fixtures that a test asks for by parameter and that cure something. */
export const FIXTURE_CURES: Readonly<Record<string, Marker['is']>> = table({
  freezer: 'frozen-clock',
  frozen_time: 'frozen-clock',
  time_machine: 'frozen-clock',
  autojump_clock: 'frozen-clock',
  mock_clock: 'frozen-clock',
  faker_seed: 'seeded',
  benchmark: 'benchmark',
})

interface AssertMethod {
  readonly compare: string
  readonly operands: number
  readonly absence?: true
  /** The thing asserted on is the receiver: `mock.assert_called_once()`. */
  readonly receiver?: true
}

const equal: AssertMethod = { compare: '==', operands: 2 }
const differ: AssertMethod = { compare: '!=', operands: 2 }
const near: AssertMethod = { compare: 'near', operands: 2 }
const called: AssertMethod = { compare: 'truth', operands: 0, receiver: true }
const calledWith: AssertMethod = { compare: '==', operands: 9, receiver: true }

export const ASSERT_METHODS: Readonly<Record<string, AssertMethod>> = table({
  assertEqual: equal,
  assertEquals: equal,
  assertIs: equal,
  assertIdentical: equal,
  failUnlessEqual: equal,
  assertDictEqual: equal,
  assertListEqual: equal,
  assertTupleEqual: equal,
  assertSetEqual: equal,
  assertSequenceEqual: equal,
  assertMultiLineEqual: equal,
  assert_array_equal: equal,
  assert_frame_equal: equal,
  assert_series_equal: equal,
  assert_equal: equal,
  assert_equals: equal,
  eq_: equal,
  assert_not_equal: differ,
  assert_not_equals: differ,
  assertNotEqual: differ,
  assertNotEquals: differ,
  assertIsNot: differ,
  assertNotIdentical: differ,
  failIfEqual: differ,
  assertLess: { compare: '<', operands: 2 },
  assertLessEqual: { compare: '<=', operands: 2 },
  assertGreater: { compare: '>', operands: 2 },
  assertGreaterEqual: { compare: '>=', operands: 2 },
  assertTrue: { compare: 'truth', operands: 1 },
  assert_: { compare: 'truth', operands: 1 },
  failUnless: { compare: 'truth', operands: 1 },
  ok_: { compare: 'truth', operands: 1 },
  assert_true: { compare: 'truth', operands: 1 },
  assert_less: { compare: '<', operands: 2 },
  assert_less_equal: { compare: '<=', operands: 2 },
  assert_greater: { compare: '>', operands: 2 },
  assert_greater_equal: { compare: '>=', operands: 2 },
  assert_in: { compare: 'contains', operands: 2 },
  assertFalse: { compare: 'not truth', operands: 1 },
  failIf: { compare: 'not truth', operands: 1 },
  assertIsNone: { compare: 'truth', operands: 1, absence: true },
  assertIsNotNone: { compare: 'truth', operands: 1 },
  assertIn: { compare: 'contains', operands: 2 },
  assertNotIn: { compare: 'contains', operands: 2, absence: true },
  assertRaises: { compare: 'throws', operands: 1 },
  assertRaisesRegex: { compare: 'throws', operands: 1 },
  assertRaisesRegexp: { compare: 'throws', operands: 1 },
  assertFailure: { compare: 'throws', operands: 1 },
  assertNoResult: { compare: 'truth', operands: 1, absence: true },
  assertNoLogs: { compare: 'other', operands: 1, absence: true },
  assertRegex: { compare: 'matches', operands: 2 },
  assertCountEqual: { compare: 'other', operands: 2 },
  assertIsInstance: { compare: 'other', operands: 1 },
  assertAlmostEqual: near,
  assertAlmostEquals: near,
  assertApproximates: near,
  assertNotAlmostEqual: { ...near, absence: true },
  assert_allclose: near,
  assert_almost_equal: near,
  assert_array_almost_equal: near,
  assert_close: near,
  assertAllClose: near,
  assertAllCloseAccordingToType: near,
  assertNear: near,
  assertArrayNear: near,
  assert_approx_equal: near,
  assert_allclose_dense_sparse: near,
  assertArrayAlmostEqual: near,
  assertTensorsClose: near,
  assert_called: called,
  assert_called_once: called,
  assert_awaited: called,
  assert_awaited_once: called,
  assert_called_with: calledWith,
  assert_called_once_with: calledWith,
  assert_awaited_with: calledWith,
  assert_awaited_once_with: calledWith,
  assert_has_awaits: calledWith,
  assert_any_call: calledWith,
  assert_has_calls: calledWith,
  assert_not_called: { ...called, absence: true },
  assert_not_awaited: { ...called, absence: true },
  assert_match: { compare: 'snapshot', operands: 2 },
  assertMatchSnapshot: { compare: 'snapshot', operands: 1 },
  assertMatchesSnapshot: { compare: 'snapshot', operands: 1 },
})
