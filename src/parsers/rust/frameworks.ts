// How the test attributes, markers and assertion macros of Rust are recognised. Data.

import type { Comparison, Marker, Role } from '../../facts/facts.ts'
import { table } from '../table.ts'

export const FRAMEWORKS = [
  { id: 'libtest', title: 'cargo test' },
  { id: 'tokio', title: '#[tokio::test] and other async runtimes' },
  { id: 'rstest', title: 'rstest' },
  { id: 'test-case', title: 'test-case' },
  { id: 'proptest', title: 'proptest' },
  { id: 'quickcheck', title: 'quickcheck' },
  { id: 'serial_test', title: 'serial_test' },
]

/** The last name of an attribute that makes a function a test: `#[test]`, `#[tokio::test]`, `#[rstest]`. */
export const TEST_ATTRIBUTES: ReadonlySet<string> = new Set(['test', 'rstest', 'test_case', 'test_matrix', 'quickcheck', 'proptest',
  'property_test', 'wasm_bindgen_test', 'gtest', 'parameterized', 'async_test', 'test_with', 'fuzz_test', 'tokio_test', 'test_async',
  'traced_tokio_test', 'apply_test'])

const hook = (when: 'before' | 'after', per: 'test' | 'file' | 'run'): Role => ({ is: 'hook', when, per })

export const HOOK_ATTRIBUTES: Readonly<Record<string, Role>> = {
  fixture: hook('before', 'test'),
  ctor: hook('before', 'run'),
  dtor: hook('after', 'run'),
}

/** Methods of `impl TestContext for …`. */
export const CONTEXT_HOOKS: Readonly<Record<string, Role>> = { setup: hook('before', 'test'), teardown: hook('after', 'test') }

/** By the last name of the attribute. */
export const MARKERS: Readonly<Record<string, { readonly is: Marker['is']; readonly name?: string }>> = table({
  serial: { is: 'serial', name: 'serial_test::serial' },
  file_serial: { is: 'serial', name: 'serial_test::file_serial' },
  parallel: { is: 'parallel', name: 'serial_test::parallel' },
  file_parallel: { is: 'parallel', name: 'serial_test::file_parallel' },
  timeout: { is: 'timeout' },
  bench: { is: 'benchmark' },
  divan: { is: 'benchmark' },
  quickcheck: { is: 'property' },
  proptest: { is: 'property' },
  property_test: { is: 'property' },
  fuzz_test: { is: 'property' },
  retry: { is: 'retry' },
  flaky: { is: 'retry' },
  flaky_test: { is: 'retry' },
  should_panic: { is: 'other' },
  rstest: { is: 'other' },
  test_case: { is: 'other' },
  fixture: { is: 'other' },
  test_context: { is: 'other' },
})

interface AssertMacro {
  readonly compare: Comparison
  readonly operands: number
  readonly absence?: true
}

const equal: AssertMacro = { compare: '==', operands: 2 }
const differ: AssertMacro = { compare: '!=', operands: 2 }
const near: AssertMacro = { compare: 'near', operands: 2 }
const truth: AssertMacro = { compare: 'truth', operands: 1 }
const nothing: AssertMacro = { compare: 'truth', operands: 1, absence: true }
const matches: AssertMacro = { compare: 'matches', operands: 1 }

export const ASSERT_MACROS: Readonly<Record<string, AssertMacro>> = {
  assert: truth,
  debug_assert: truth,
  prop_assert: truth,
  ensure: truth,
  assert_ok: truth,
  assert_some: truth,
  assert_ready: truth,
  assert_ready_ok: truth,
  assert_err: nothing,
  assert_none: nothing,
  assert_pending: nothing,
  assert_ready_err: nothing,
  assert_eq: equal,
  debug_assert_eq: equal,
  prop_assert_eq: equal,
  assert_ok_eq: equal,
  assert_some_eq: equal,
  assert_ready_eq: equal,
  assert_str_eq: equal,
  assert_ne: differ,
  debug_assert_ne: differ,
  prop_assert_ne: differ,
  assert_lt: { compare: '<', operands: 2 },
  assert_le: { compare: '<=', operands: 2 },
  assert_gt: { compare: '>', operands: 2 },
  assert_ge: { compare: '>=', operands: 2 },
  assert_approx_eq: near,
  assert_relative_eq: near,
  assert_abs_diff_eq: near,
  assert_ulps_eq: near,
  assert_matches: matches,
  debug_assert_matches: matches,
  prop_assert_matches: matches,
  assert_let: matches,
}

export const SNAPSHOT_MACRO = /^assert_(\w+_)?snapshot$/
/** Building text: `format!` itself, and those that print what they build. */
export const TEXT_MACROS: ReadonlySet<string> = new Set(['format', 'format_args', 'concat'])
export const PRINT_MACROS: ReadonlySet<string> = new Set(['print', 'println', 'eprint', 'eprintln', 'write', 'writeln', 'panic',
  'unreachable', 'todo', 'unimplemented', 'bail', 'anyhow'])
/** Log macros have a syntax of their own, and what they are given never matters. */
export const LOG_MACROS: ReadonlySet<string> = new Set(['trace', 'debug', 'info', 'warn', 'error', 'log', 'event', 'span', 'info_span',
  'debug_span', 'trace_span'])

/** Ends a test in failure. */
export const FAILS = /^(panic|unreachable|assert|bail|prop_assert)!/
