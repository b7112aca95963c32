// How JUnit 3, 4 and 5, TestNG and jqwik are recognised, and what their assertions compare. Data.

import type { Comparison, Marker, Role } from '../../facts/facts.ts'
import { table } from '../table.ts'

export const FRAMEWORKS = [
  { id: 'junit5', title: 'JUnit 5' },
  { id: 'junit4', title: 'JUnit 4' },
  { id: 'junit3', title: 'JUnit 3' },
  { id: 'testng', title: 'TestNG' },
  { id: 'jqwik', title: 'jqwik' },
]

const before = (per: 'test' | 'file' | 'run'): Role => ({ is: 'hook', when: 'before', per })
const after = (per: 'test' | 'file' | 'run'): Role => ({ is: 'hook', when: 'after', per })

/** By the annotation's simple name. */
export const HOOKS: Readonly<Record<string, Role>> = table({
  Before: before('test'),
  BeforeEach: before('test'),
  BeforeMethod: before('test'),
  BeforeTry: before('test'),
  BeforeProperty: before('test'),
  BeforeTransaction: before('test'),
  After: after('test'),
  AfterEach: after('test'),
  AfterMethod: after('test'),
  AfterTry: after('test'),
  AfterProperty: after('test'),
  AfterTransaction: after('test'),
  BeforeClass: before('file'),
  BeforeAll: before('file'),
  BeforeGroups: before('file'),
  BeforeContainer: before('file'),
  AfterClass: after('file'),
  AfterAll: after('file'),
  AfterGroups: after('file'),
  AfterContainer: after('file'),
  BeforeSuite: before('run'),
  BeforeTest: before('run'),
  AfterSuite: after('run'),
  AfterTest: after('run'),
})

/** JUnit 3 knows its hooks by name. */
export const NAMED_HOOKS: Readonly<Record<string, Role>> = table({ setUp: before('test'), tearDown: after('test') })

/**
 * `@Test`, JUnit's and jqwik's other kinds, and a project's own annotations built on them (`@ClusterTest`). TestNG's
 * `@BeforeTest` and `@AfterTest` end the same way and are hooks.
 */
export const TEST_ANNOTATION =
  /^(?!(?:Before|After|Ignore|Disable|Enable|Skip)\w*$)(?:\w*Tests?|TestFactory|\w*TestTemplate|ClusterTemplate|Property|Example|Theory)$/

/** Classes that JUnit 3 runs: subclasses of TestCase, which projects re-base under many names. */
export const TEST_BASE = /Test(s|er|[A-Z]\w*)?$/

export const PLAIN_ANNOTATIONS: ReadonlySet<string> = new Set(['Override', 'SuppressWarnings', 'Deprecated', 'SafeVarargs',
  'FunctionalInterface', 'Test', 'Nested', 'DisplayName'])

/** By the annotation's simple name; `when` looks at the text of its arguments. */
export const MARKERS: Readonly<Record<string, { readonly is: Marker['is']; readonly when?: RegExp }[]>> = table({
  Execution: [{ is: 'parallel', when: /CONCURRENT/ }, { is: 'serial' }],
  ResourceLock: [{ is: 'serial' }],
  ResourceLocks: [{ is: 'serial' }],
  Isolated: [{ is: 'serial' }],
  NotThreadSafe: [{ is: 'serial' }],
  RetryingTest: [{ is: 'retry' }],
  Retry: [{ is: 'retry' }],
  RetryTest: [{ is: 'retry' }],
  RepeatedIfExceptionsTest: [{ is: 'retry' }],
  RepeatFailedTest: [{ is: 'retry' }],
  Timeout: [{ is: 'timeout' }],
  TestMethodOrder: [{ is: 'other', when: /Random/ }, { is: 'ordered' }],
  FixMethodOrder: [{ is: 'ordered' }],
  Order: [{ is: 'ordered' }],
  Stepwise: [{ is: 'ordered' }],
  Benchmark: [{ is: 'benchmark' }],
  BenchmarkMode: [{ is: 'benchmark' }],
  Property: [{ is: 'property' }],
  Example: [{ is: 'property' }],
  FuzzTest: [{ is: 'property' }],
  Seed: [{ is: 'seeded' }],
  RunWith: [{ is: 'seeded', when: /Randomized/ }, { is: 'property', when: /Quickcheck|Theories/ }, { is: 'other' }],
})

/** What an argument of `@Test` says. */
export const TEST_ARGUMENTS: Readonly<Record<string, Marker['is']>> = {
  timeout: 'timeout',
  timeOut: 'timeout',
  dependsOnMethods: 'ordered',
  dependsOnGroups: 'ordered',
  priority: 'ordered',
  threadPoolSize: 'parallel',
  singleThreaded: 'serial',
  retryAnalyzer: 'retry',
  successPercentage: 'retry',
  invocationCount: 'other',
}

export interface AssertMethod {
  readonly compare: Comparison
  /** Operands before the message; the first is what is tested. */
  readonly operands: number
  readonly negated?: true
  readonly absence?: true
  /** JUnit writes what is expected first; TestNG what it got. */
  readonly expectedFirst?: true
}

const equal: AssertMethod = { compare: '==', operands: 2, expectedFirst: true }
const differ: AssertMethod = { compare: '!=', operands: 2, expectedFirst: true }

/** Static assertion methods of JUnit and TestNG, which share most of their names. */
export const ASSERT_METHODS: Readonly<Record<string, AssertMethod>> = table({
  assertEquals: equal,
  assertSame: equal,
  assertArrayEquals: equal,
  assertIterableEquals: equal,
  assertEqualsNoOrder: equal,
  assertEqualsDeep: equal,
  assertNotEquals: differ,
  assertNotSame: differ,
  assertLinesMatch: { compare: 'matches', operands: 2, expectedFirst: true },
  assertTrue: { compare: 'truth', operands: 1 },
  assertFalse: { compare: 'truth', operands: 1, negated: true },
  assertNull: { compare: 'truth', operands: 1, absence: true },
  assertNotNull: { compare: 'truth', operands: 1 },
  assertThrows: { compare: 'throws', operands: 2, expectedFirst: true },
  assertThrowsExactly: { compare: 'throws', operands: 2, expectedFirst: true },
  expectThrows: { compare: 'throws', operands: 2, expectedFirst: true },
  assertDoesNotThrow: { compare: 'throws', operands: 1, absence: true },
  assertInstanceOf: { compare: 'other', operands: 2, expectedFirst: true },
  assertTimeout: { compare: 'other', operands: 2, expectedFirst: true },
  assertTimeoutPreemptively: { compare: 'other', operands: 2, expectedFirst: true },
})

interface FluentMethod {
  readonly compare: Comparison
  readonly negated?: true
  readonly absence?: true
  /** How many of its arguments are compared with. */
  readonly operands?: number
  /** isCloseTo(expected, offset). */
  readonly tolerance?: number
  /** What its name says that it is compared with. */
  readonly against?: number
}

const is = (compare: Comparison, more: Omit<FluentMethod, 'compare'> = {}): FluentMethod => ({ compare, operands: 1, ...more })
const nothing: FluentMethod = { compare: 'truth', operands: 0, absence: true }
const something: FluentMethod = { compare: 'truth', operands: 0 }

/** What AssertJ, Truth and their like chain to `assertThat(x)`. */
export const FLUENT_METHODS: Readonly<Record<string, FluentMethod>> = table({
  isEqualTo: is('=='),
  isSameAs: is('=='),
  isSameInstanceAs: is('=='),
  hasSameHashCodeAs: is('=='),
  isEqualToIgnoringCase: is('=='),
  hasToString: is('=='),
  hasValue: is('=='),
  isEqualByComparingTo: is('=='),
  isEquivalentAccordingToCompareTo: is('=='),
  hasMessage: is('=='),
  isEqualToComparingFieldByField: is('=='),
  isEqualToIgnoringGivenFields: is('=='),
  isNotEqualTo: is('!='),
  isNotSameAs: is('!='),
  isNotSameInstanceAs: is('!='),
  isLessThan: is('<'),
  isBefore: is('<'),
  isShorterThan: is('<'),
  hasSizeLessThan: is('<'),
  isLessThanOrEqualTo: is('<='),
  isAtMost: is('<='),
  isBeforeOrEqualTo: is('<='),
  hasSizeLessThanOrEqualTo: is('<='),
  isGreaterThan: is('>'),
  isAfter: is('>'),
  isLongerThan: is('>'),
  hasSizeGreaterThan: is('>'),
  isGreaterThanOrEqualTo: is('>='),
  isAtLeast: is('>='),
  isAfterOrEqualTo: is('>='),
  hasSizeGreaterThanOrEqualTo: is('>='),
  isPositive: { compare: 'truth', operands: 0 },
  isNotNegative: { compare: 'truth', operands: 0 },
  isZero: is('==', { operands: 0, against: 0 }),
  isNegative: something,
  isNotZero: is('!=', { operands: 0, against: 0 }),
  isTrue: something,
  isFalse: { compare: 'truth', operands: 0, negated: true },
  isNull: nothing,
  isEmpty: nothing,
  isNullOrEmpty: nothing,
  isBlank: nothing,
  isNotPresent: nothing,
  isNotDone: nothing,
  isAbsent: nothing,
  isAlive: something,
  isNotNull: something,
  isNotEmpty: something,
  isPresent: something,
  isDone: something,
  isNotBlank: something,
  isCompleted: something,
  isNotCompleted: nothing,
  hasSize: is('=='),
  hasSameSizeAs: is('=='),
  hasLength: is('=='),
  contains: is('contains', { operands: 9 }),
  containsOnly: is('contains', { operands: 9 }),
  containsExactly: is('==', { operands: 9 }),
  containsExactlyElementsIn: is('=='),
  containsExactlyInAnyOrder: is('contains', { operands: 9 }),
  containsKey: is('contains'),
  containsKeys: is('contains', { operands: 9 }),
  containsEntry: is('contains', { operands: 2 }),
  containsAll: is('contains'),
  containsAtLeast: is('contains', { operands: 9 }),
  containsAnyOf: is('contains', { operands: 9 }),
  containsSequence: is('contains', { operands: 9 }),
  hasMessageContaining: is('contains'),
  isIn: is('contains'),
  isAnyOf: is('contains', { operands: 9 }),
  doesNotContain: is('contains', { operands: 9, absence: true }),
  doesNotContainKey: is('contains', { absence: true }),
  doesNotContainEntry: is('contains', { operands: 2, absence: true }),
  containsNoneOf: is('contains', { operands: 9, absence: true }),
  isNotIn: is('contains', { absence: true }),
  doesNotExist: nothing,
  doesNotHaveValue: is('contains', { absence: true }),
  containsNoDuplicates: nothing,
  matches: is('matches'),
  containsPattern: is('matches'),
  startsWith: is('matches'),
  endsWith: is('matches'),
  doesNotMatch: is('matches', { absence: true }),
  isCloseTo: is('near', { tolerance: 1 }),
  isBetween: is('near', { operands: 2 }),
  isStrictlyBetween: is('near', { operands: 2 }),
  isInclusivelyInRange: is('near', { operands: 2 }),
  isNotCloseTo: is('near', { absence: true }),
  isEqualToIgnoringNanos: is('near'),
  isEqualToIgnoringSeconds: is('near'),
  isCloseToUtcNow: is('near', { operands: 0, tolerance: 0 }),
  isInstanceOf: is('other'),
  isExactlyInstanceOf: is('other'),
  hasFieldOrPropertyWithValue: is('other', { operands: 2 }),
  inOrder: { compare: 'other', operands: 0 },
  isThrownBy: is('throws'),
  doesNotThrowAnyException: { compare: 'throws', operands: 0, absence: true },
  succeedsWithin: is('other', { operands: 2 }),
  failsWithin: is('other', { operands: 2 }),
})

interface Matcher {
  readonly compare: Comparison
  readonly absence?: true
  readonly tolerance?: number
}

/** Hamcrest. `is`, `not`, `allOf` and `both` are read through. */
export const MATCHERS: Readonly<Record<string, Matcher>> = table({
  equalTo: { compare: '==' },
  is: { compare: '==' },
  sameInstance: { compare: '==' },
  comparesEqualTo: { compare: '==' },
  hasSize: { compare: '==' },
  hasLength: { compare: '==' },
  equalToIgnoringCase: { compare: '==' },
  aMapWithSize: { compare: '==' },
  arrayWithSize: { compare: '==' },
  lessThan: { compare: '<' },
  lessThanOrEqualTo: { compare: '<=' },
  greaterThan: { compare: '>' },
  greaterThanOrEqualTo: { compare: '>=' },
  nullValue: { compare: 'truth', absence: true },
  notNullValue: { compare: 'truth' },
  empty: { compare: 'truth', absence: true },
  emptyString: { compare: 'truth', absence: true },
  emptyIterable: { compare: 'truth', absence: true },
  isEmptyString: { compare: 'truth', absence: true },
  anEmptyMap: { compare: 'truth', absence: true },
  emptyArray: { compare: 'truth', absence: true },
  containsString: { compare: 'contains' },
  hasItem: { compare: 'contains' },
  hasItems: { compare: 'contains' },
  hasKey: { compare: 'contains' },
  hasEntry: { compare: 'contains' },
  hasValue: { compare: 'contains' },
  in: { compare: 'contains' },
  oneOf: { compare: 'contains' },
  containsInAnyOrder: { compare: 'contains' },
  contains: { compare: '==' },
  startsWith: { compare: 'matches' },
  endsWith: { compare: 'matches' },
  matchesPattern: { compare: 'matches' },
  closeTo: { compare: 'near', tolerance: 1 },
})
