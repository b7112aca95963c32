// How Go's testing package, testify, gocheck, Ginkgo and Gomega are recognised. Data.

import type { Comparison, Marker, Role } from '../../facts/facts.ts'
import { table } from '../table.ts'

export const FRAMEWORKS = [
  { id: 'gotest', title: 'go test' },
  { id: 'testify', title: 'testify suites' },
  { id: 'gocheck', title: 'gocheck' },
  { id: 'ginkgo', title: 'Ginkgo' },
]

const before = (per: 'test' | 'file' | 'run'): Role => ({ is: 'hook', when: 'before', per })
const after = (per: 'test' | 'file' | 'run'): Role => ({ is: 'hook', when: 'after', per })

/** What `t` can be: fails, skips and runs subtests. */
export const TESTERS: ReadonlySet<string> = new Set([
  'testing.T',
  'testing.B',
  'testing.F',
  'testing.TB',
  'gopkg.in/check.v1.C',
  'github.com/frankban/quicktest.C',
  'github.com/hashicorp/consul/sdk/testutil/retry.R',
  'github.com/stretchr/testify/assert.CollectT',
  'github.com/onsi/ginkgo/v2.FullGinkgoTInterface',
  'github.com/onsi/ginkgo.GinkgoTInterface',
])

/** The parameter of a subtest's function. */
export const SUBTESTERS: ReadonlySet<string> = new Set(['testing.T', 'github.com/frankban/quicktest.C'])

/** Wrappers of t.Run that take t, a name and a function: `testutil.RunStep(t, "adds", func(t *testing.T) {})`. */
export const SUBTEST_WRAPPER = /^[rR]un(Step|Test|Subtest|SubTest|Case|With\w*)?$/

/** The names `t` goes by where its type is not known. */
export const TESTER_NAMES = /^(t|tt|tb|tst|b|f|r|rt|st|T)$/

export const FAILURES: ReadonlySet<string> = new Set(['Fatal', 'Fatalf', 'Error', 'Errorf', 'Fail', 'FailNow', 'Failf', 'FailNowf'])
export const SKIPS: ReadonlySet<string> = new Set(['Skip', 'Skipf', 'SkipNow'])

/** Methods of a testify or gocheck suite. */
export const SUITE_HOOKS: Readonly<Record<string, Role>> = table({
  SetupTest: before('test'),
  BeforeTest: before('test'),
  SetupSubTest: before('test'),
  SetupSuite: before('file'),
  TearDownTest: after('test'),
  AfterTest: after('test'),
  TearDownSubTest: after('test'),
  TearDownSuite: after('file'),
  SetUpTest: before('test'),
  SetUpSuite: before('file'),
})

export const TESTIFY = 'github.com/stretchr/testify'
export const SUITE_IMPORT = `${TESTIFY}/suite`
export const GINKGO = /^github\.com\/onsi\/ginkgo(\/v2)?$/
export const GOMEGA = 'github.com/onsi/gomega'

type Node = Role | 'table' | 'entry'

const GINKGO_PLAIN: Readonly<Record<string, Node>> = {
  Describe: { is: 'suite' },
  Context: { is: 'suite' },
  When: { is: 'suite' },
  DescribeTable: 'table',
  DescribeTableSubtree: 'table',
  It: { is: 'test' },
  Specify: { is: 'test' },
  Entry: 'entry',
}

/** Ginkgo's nodes; F, P and X before a name focus it or leave it out. */
export const GINKGO_NODES: Readonly<Record<string, Node>> = table({
  ...GINKGO_PLAIN,
  ...Object.fromEntries(Object.entries(GINKGO_PLAIN).flatMap(([name, node]) => ['F', 'P', 'X'].map(sign => [sign + name, node]))),
  BeforeEach: before('test'),
  JustBeforeEach: before('test'),
  BeforeAll: before('file'),
  BeforeSuite: before('run'),
  SynchronizedBeforeSuite: before('run'),
  AfterEach: after('test'),
  JustAfterEach: after('test'),
  AfterAll: after('file'),
  AfterSuite: after('run'),
  SynchronizedAfterSuite: after('run'),
  ReportBeforeEach: before('test'),
  ReportAfterEach: after('test'),
  ReportBeforeSuite: before('run'),
  ReportAfterSuite: after('run'),
})

/** What stands among a node's arguments and says how it is run. */
export const GINKGO_DECORATORS: Readonly<Record<string, Marker['is'] | 'skip'>> = {
  Serial: 'serial',
  Ordered: 'ordered',
  Pending: 'skip',
  Focus: 'focus',
  FlakeAttempts: 'retry',
  MustPassRepeatedly: 'other',
  SpecTimeout: 'timeout',
  NodeTimeout: 'timeout',
  Label: 'other',
  ContinueOnFailure: 'other',
}

export const GINKGO_OTHERS: ReadonlySet<string> = new Set([
  'Skip',
  'Fail',
  'By',
  'DeferCleanup',
  'GinkgoT',
  'GinkgoWriter',
  'GinkgoRecover',
  'GinkgoParallelProcess',
  'GinkgoRandomSeed',
  'CurrentSpecReport',
  'RunSpecs',
  'GinkgoHelper',
  'GinkgoConfiguration',
  'AddReportEntry',
  'SpecContext',
  'Offset',
  ...Object.keys(GINKGO_DECORATORS),
])

interface Assert {
  /** `not ` before a comparison turns it round. */
  readonly compare: Comparison | `not ${Comparison}`
  /** Places of what is tested and what it is tested against, after `t`. */
  readonly operands: readonly number[]
  readonly claims?: 'presence' | 'absence'
  readonly tolerance?: number
  /** Tested against this. */
  readonly against?: number | null
}

const equal: Assert = { compare: '==', operands: [1, 0] }
const differ: Assert = { compare: '!=', operands: [1, 0] }
const throws: Assert = { compare: 'throws', operands: [0, 1], claims: 'presence' }
const order = (compare: Comparison): Assert => ({ compare, operands: [0, 1] })
const other: Assert = { compare: 'other', operands: [0, 1] }

/** testify's functions; what is expected comes first there. A final f (a format) makes no difference. */
export const TESTIFY_ASSERTS: Readonly<Record<string, Assert>> = {
  Equal: equal,
  EqualValues: equal,
  Exactly: equal,
  JSONEq: equal,
  YAMLEq: equal,
  Same: equal,
  EqualExportedValues: equal,
  NotEqual: differ,
  NotEqualValues: differ,
  NotSame: differ,
  ElementsMatch: { compare: 'other', operands: [1, 0] },
  NotElementsMatch: { compare: 'other', operands: [1, 0] },
  True: { compare: 'truth', operands: [0] },
  False: { compare: 'not truth', operands: [0] },
  Nil: { compare: '==', operands: [0], against: null },
  NotNil: { compare: '!=', operands: [0], against: null },
  NoError: { compare: '==', operands: [0], against: null, claims: 'presence' },
  Error: { ...throws, operands: [0] },
  ErrorIs: throws,
  ErrorAs: throws,
  ErrorContains: throws,
  EqualError: throws,
  NotErrorIs: { ...throws, claims: 'absence' },
  Panics: { ...throws, operands: [0] },
  PanicsWithValue: { ...throws, operands: [1, 0] },
  PanicsWithError: { ...throws, operands: [1, 0] },
  NotPanics: { ...throws, operands: [0], claims: 'absence' },
  Less: order('<'),
  LessOrEqual: order('<='),
  Greater: order('>'),
  GreaterOrEqual: order('>='),
  Positive: { compare: '>', operands: [0], against: 0, claims: 'presence' },
  Negative: { compare: '<', operands: [0], against: 0, claims: 'presence' },
  Zero: { compare: '==', operands: [0], against: 0 },
  NotZero: { compare: '!=', operands: [0], against: 0 },
  Len: order('=='),
  Empty: { compare: 'truth', operands: [0], claims: 'absence' },
  NotEmpty: { compare: 'truth', operands: [0], claims: 'presence' },
  Contains: { compare: 'contains', operands: [1, 0] },
  NotContains: { compare: 'contains', operands: [1, 0], claims: 'absence' },
  Subset: { compare: 'contains', operands: [1, 0] },
  NotSubset: { compare: 'contains', operands: [1, 0], claims: 'absence' },
  Regexp: { compare: 'matches', operands: [1, 0] },
  NotRegexp: { compare: 'matches', operands: [1, 0], claims: 'absence' },
  WithinDuration: { compare: 'near', operands: [1, 0], tolerance: 2 },
  InDelta: { compare: 'near', operands: [1, 0], tolerance: 2 },
  InEpsilon: { compare: 'near', operands: [1, 0], tolerance: 2 },
  InDeltaSlice: { compare: 'near', operands: [1, 0], tolerance: 2 },
  Eventually: { compare: 'truth', operands: [0], claims: 'presence' },
  EventuallyWithT: { compare: 'other', operands: [0], claims: 'presence' },
  Never: { compare: 'truth', operands: [0], claims: 'absence' },
  Condition: { compare: 'truth', operands: [0], claims: 'presence' },
  FileExists: { compare: 'truth', operands: [0] },
  DirExists: { compare: 'truth', operands: [0] },
  NoFileExists: { compare: 'truth', operands: [0], claims: 'absence' },
  NoDirExists: { compare: 'truth', operands: [0], claims: 'absence' },
  IsType: other,
  Implements: other,
  IsIncreasing: other,
  IsDecreasing: other,
  HTTPStatusCode: other,
  HTTPBodyContains: other,
}

const inOrder: Assert = { compare: '==', operands: [0, 1] }
const holds: Assert = { compare: 'contains', operands: [1, 0] }

/** Other libraries and a project's own `require_Equal(t, …)`: what is tested comes first. */
export const PLAIN_ASSERTS: Readonly<Record<string, Assert>> = {
  ...TESTIFY_ASSERTS,
  Equal: inOrder,
  EqualValues: inOrder,
  DeepEqual: inOrder,
  Equals: inOrder,
  Eq: inOrder,
  NotEqual: order('!='),
  NotDeepEqual: order('!='),
  NilError: TESTIFY_ASSERTS['NoError']!,
  NoErr: TESTIFY_ASSERTS['NoError']!,
  Err: TESTIFY_ASSERTS['Error']!,
  StrContains: holds,
  StrHasPrefix: holds,
  StrHasSuffix: holds,
  SliceContains: holds,
  SliceContainsAll: holds,
  MapContainsKey: holds,
  MapContainsKeys: holds,
  LessThan: order('<'),
  GreaterThan: order('>'),
  Assert: { compare: 'truth', operands: [0] },
  Contains: holds,
  Ok: TESTIFY_ASSERTS['NoError']!,
  OK: TESTIFY_ASSERTS['NoError']!,
  NotOk: TESTIFY_ASSERTS['Error']!,
  ErrorType: throws,
  Within: { compare: 'near', operands: [0, 1], tolerance: 2 },
}

/** Packages whose functions take `t` first and what is tested second. */
export const PLAIN_PACKAGES =
  /^(gotest\.tools(\/v\d)?\/assert|gotest\.tools(\/v\d)?\/assert\/cmp|github\.com\/shoenig\/test(\/must)?|github\.com\/alecthomas\/assert(\/v\d)?|github\.com\/matryer\/is\.I)$/

/** Gomega's matchers: what a call of one, given its own arguments, says of the actual value. */
export const MATCHERS: Readonly<
  Record<string,
    { readonly compare: Comparison; readonly claims?: 'absence' | 'presence'; readonly against?: null | number | true | false;
      readonly tolerance?: number }>
> = table({
  Equal: { compare: '==' },
  BeEquivalentTo: { compare: '==' },
  BeIdenticalTo: { compare: '==' },
  MatchJSON: { compare: '==' },
  MatchYAML: { compare: '==' },
  HaveLen: { compare: '==' },
  HaveValue: { compare: 'other' },
  HaveKey: { compare: 'contains' },
  HaveKeyWithValue: { compare: 'contains' },
  ContainElement: { compare: 'contains' },
  ContainElements: { compare: 'contains' },
  ContainSubstring: { compare: 'contains' },
  HavePrefix: { compare: 'matches' },
  HaveSuffix: { compare: 'matches' },
  MatchRegexp: { compare: 'matches' },
  ConsistOf: { compare: 'other' },
  BeTrue: { compare: 'truth', claims: 'presence' },
  BeTrueBecause: { compare: 'truth', claims: 'presence' },
  BeFalse: { compare: 'truth', claims: 'absence' },
  BeFalseBecause: { compare: 'truth', claims: 'absence' },
  BeNil: { compare: '==', against: null, claims: 'absence' },
  BeEmpty: { compare: 'truth', claims: 'absence' },
  BeZero: { compare: '==', against: 0, claims: 'absence' },
  Succeed: { compare: '==', against: null, claims: 'presence' },
  HaveOccurred: { compare: 'throws', claims: 'presence' },
  MatchError: { compare: 'throws', claims: 'presence' },
  Panic: { compare: 'throws', claims: 'presence' },
  BeTemporally: { compare: 'near' },
  BeNumerically: { compare: 'near' },
  BeClosed: { compare: 'truth', claims: 'presence' },
  Receive: { compare: 'truth', claims: 'presence' },
  BeAnExistingFile: { compare: 'truth', claims: 'presence' },
  BeADirectory: { compare: 'truth', claims: 'presence' },
  BeARegularFile: { compare: 'truth', claims: 'presence' },
})

export const GOMEGA_NAMES: ReadonlySet<string> = new Set([
  'Expect',
  'ExpectWithOffset',
  'Ω',
  'Eventually',
  'EventuallyWithOffset',
  'Consistently',
  'ConsistentlyWithOffset',
  'RegisterFailHandler',
  'NewWithT',
  'NewGomegaWithT',
  'Not',
  'And',
  'Or',
  'SatisfyAll',
  'SatisfyAny',
  'WithTransform',
  'SetDefaultEventuallyTimeout',
  'SetDefaultEventuallyPollingInterval',
  'Gomega',
  'HaveField',
  'HaveExactElements',
  'HaveHTTPStatus',
  'HaveHTTPBody',
  'BeElementOf',
  'BeAssignableToTypeOf',
  'BeSent',
  'HaveCap',
  'InterceptGomegaFailure',
  ...Object.keys(MATCHERS),
])
