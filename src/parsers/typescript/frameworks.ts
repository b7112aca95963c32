// Test runners, assertion libraries and well-known factories of JavaScript. Data.

import type { Comparison, Role } from '../../facts/facts.ts'
import { table } from '../table.ts'

export const FRAMEWORKS = [
  { id: 'jest', title: 'Jest' },
  { id: 'vitest', title: 'Vitest' },
  { id: 'mocha', title: 'Mocha' },
  { id: 'jasmine', title: 'Jasmine' },
  { id: 'node-test', title: 'node:test' },
  { id: 'playwright', title: 'Playwright' },
  { id: 'cypress', title: 'Cypress' },
  { id: 'deno', title: 'Deno' },
  { id: 'bun', title: 'Bun' },
  { id: 'ava', title: 'AVA' },
  { id: 'tap', title: 'tap and tape' },
  { id: 'qunit', title: 'QUnit' },
]

// -------------------------------------------------------------------------------------------------- runners

/** Modules whose functions begin tests, and whether the module itself is one. */
export const TEST_MODULES = table<'named' | 'callable'>({
  vitest: 'named',
  '@jest/globals': 'named',
  'bun:test': 'named',
  mocha: 'named',
  '@playwright/test': 'named',
  '@std/testing/bdd': 'named',
  '@std/testing': 'named',
  '@playwright/experimental-ct-react': 'named',
  '@fast-check/vitest': 'named',
  '@fast-check/jest': 'named',
  '@effect/vitest': 'named',
  cypress: 'named',
  'node:test': 'callable',
  ava: 'callable',
  tape: 'callable',
  'tape-promise/tape': 'callable',
  tap: 'named',
  'test-runner': 'callable',
  'zora': 'named',
  'uvu': 'named',
  'poku': 'named',
  qunit: 'named',
  'ember-qunit': 'named',
  QUnit: 'named',
  Tinytest: 'named',
})

/** Runners that hand each test a context whose methods assert: `t.equal`, `t.after`. */
export const CONTEXT_MODULES: ReadonlySet<string> = new Set(['node:test', 'ava', 'tape', 'tape-promise/tape', 'tap', 'zora', 'Deno',
  'Tinytest', 't'])

const before = (per: 'test' | 'file' | 'run'): Role => ({ is: 'hook', when: 'before', per })
const after = (per: 'test' | 'file' | 'run'): Role => ({ is: 'hook', when: 'after', per })

export const HOOKS = table<Role>({
  beforeEach: before('test'),
  afterEach: after('test'),
  beforeAll: before('file'),
  afterAll: after('file'),
  before: before('file'),
  after: after('file'),
  setup: before('test'),
  teardown: after('test'),
  suiteSetup: before('file'),
  suiteTeardown: after('file'),
  onTestFinished: after('test'),
  onTestFailed: after('test'),
})

/** Names too common to be a hook unless a function stands right there or a runner exports them. */
export const SHY_HOOKS: ReadonlySet<string> = new Set(['before', 'after', 'setup', 'teardown'])

export interface RunnerName {
  readonly is: 'test' | 'suite'
  readonly skips?: true
  readonly focuses?: true
}

export const RUNNERS = table<RunnerName>({
  it: { is: 'test' },
  test: { is: 'test' },
  specify: { is: 'test' },
  xit: { is: 'test', skips: true },
  xtest: { is: 'test', skips: true },
  xspecify: { is: 'test', skips: true },
  fit: { is: 'test', focuses: true },
  ftest: { is: 'test', focuses: true },
  describe: { is: 'suite' },
  context: { is: 'suite' },
  suite: { is: 'suite' },
  xdescribe: { is: 'suite', skips: true },
  xcontext: { is: 'suite', skips: true },
  fdescribe: { is: 'suite', focuses: true },
  fcontext: { is: 'suite', focuses: true },
})

/** Names that begin something only where they are one runner's own: `module` is CommonJS elsewhere, `skip` and `add` are anything. */
export const OWN_RUNNERS: Readonly<Record<string, Readonly<Record<string, RunnerName>>>> = table({
  ...Object.fromEntries(['qunit', 'ember-qunit', 'QUnit'].map(of => [of, table<RunnerName>({
    module: { is: 'suite' },
    skip: { is: 'test', skips: true },
    todo: { is: 'test', skips: true },
    only: { is: 'test', focuses: true },
  })])),
  Tinytest: table<RunnerName>({ add: { is: 'test' }, addAsync: { is: 'test' } }),
})

/** What may follow a runner's name and still begin a test. */
export const MODIFIERS: ReadonlySet<string> = new Set(['skip', 'only', 'todo', 'each', 'for', 'concurrent', 'sequential', 'serial',
  'parallel', 'fails', 'failing', 'fail', 'fixme', 'skipIf', 'runIf', 'if', 'todoIf', 'ignore', 'shuffle', 'always', 'cb', 'prop',
  'sanitizeOps', 'expectFailure', 'effect', 'scoped', 'live'])

/** Modifiers that take arguments of their own before the test's. */
export const CURRIED: ReadonlySet<string> = new Set(['each', 'for', 'skipIf', 'runIf', 'if', 'todoIf', 'prop', 'skip', 'only'])

/** Calls inside a test that skip the rest of it. */
export const SKIP_CALLS: ReadonlySet<string> = new Set(['this.skip', 't.skip', 't.todo', 'pending', 'ctx.skip', 'context.skip', 'test.skip',
  'test.fixme'])

// ---------------------------------------------------------------------------------------------------- names

/** Module specifiers under one name. */
export const MODULES: readonly (readonly [RegExp, string])[] = [
  [/^assert\/strict$/, 'assert'],
  [/^lodash-es(?=\/|$)/, 'lodash'],
  [/^lodash\/(fp\/)?(\w+)(\.js)?$/, 'lodash.$2'],
  [/^date-fns\/(\w+)$/, 'date-fns.$1'],
  [/^@testing-library\/(dom|react|vue|svelte|preact|angular|react-native|cypress)(\/.*)?$/, '@testing-library'],
  [/^(timers|readline|stream|dns|fs)\/promises\.js$/, '$1/promises'],
  [/^puppeteer-core$/, 'puppeteer'],
  [/^playwright-core$/, 'playwright'],
  [/^@tapjs\/.*$/, 'tap'],
  [/^tape-promise\/tape$/, 'tape'],
]

/** Qualified names under one name: a runner's API does the same whether it is global or imported. */
export const REWRITES: readonly (readonly [string, string])[] = [
  ['vitest.vi', 'vi'],
  ['vitest.vitest', 'vi'],
  ['bun:test.vi', 'vi'],
  ['bun:test.jest', 'jest'],
  ['@jest/globals.jest', 'jest'],
  ['vitest.expect', 'expect'],
  ['@jest/globals.expect', 'expect'],
  ['bun:test.expect', 'expect'],
  ['@playwright/test.expect', 'expect'],
  ['chai.expect', 'expect'],
  ['expect.expect', 'expect'],
  ['earl.expect', 'expect'],
  ['@playwright/test.test', 'test'],
  ['vitest.assert', 'assert'],
  ['chai.assert', 'assert'],
  ['power-assert', 'assert'],
  ['assert.strict', 'assert'],
  ['assert.assert', 'assert'],
  ['t.assert', 't'],
  ['tap.t', 't'],
  ['fs.promises', 'fs/promises'],
  ['timers.promises', 'timers/promises'],
  ['fs-extra', 'fs'],
  ['graceful-fs', 'fs'],
  ['timers.setTimeout', 'setTimeout'],
  ['Meteor.setTimeout', 'setTimeout'],
  ['@ember/runloop.later', 'setTimeout'],
  ['@ember/runloop.run.later', 'setTimeout'],
  ['ember.run.later', 'setTimeout'],
  ['lodash.delay', 'setTimeout'],
  ['underscore.delay', 'setTimeout'],
  ['timers.setInterval', 'setInterval'],
  ['timers.setImmediate', 'setImmediate'],
  ['timers.clearTimeout', 'clearTimeout'],
  ['bluebird', 'Promise'],
  ['es6-promise.Promise', 'Promise'],
  ['any-promise', 'Promise'],
  ['pinkie-promise', 'Promise'],
  ['rsvp.Promise', 'Promise'],
  ['q.Promise', 'Promise'],
  ['perf_hooks.performance', 'performance'],
  ['process.process', 'process'],
  ['crypto.webcrypto', 'crypto'],
  ['globalThis', ''],
  ['global', ''],
  ['window', ''],
  ['self', ''],
  ['@matteo.collina/tspl.tspl', '@matteo.collina/tspl'],
]

export const UI_MODULES = /^(@playwright\/|playwright|puppeteer|cypress|webdriverio|@wdio\/|selenium-webdriver)/

/** Globals of the language, its hosts and the test runners: their members keep their whole name. */
export const KNOWN_GLOBALS: ReadonlySet<string> = new Set(['Date', 'Math', 'process', 'performance', 'console', 'Promise', 'JSON', 'Object',
  'Array', 'Number', 'String', 'crypto', 'Intl', 'Temporal', 'Deno', 'Bun', 'navigator', 'window', 'document', 'global', 'globalThis',
  'self', 'localStorage', 'sessionStorage', 'Buffer', 'URL', 'AbortSignal', 'Symbol', 'Reflect', 'Atomics', 'jest', 'vi', 'jasmine',
  'sinon', 'cy', 'Cypress', 'expect', 'assert', 'chai', 'should', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch',
  'WebAssembly', 'test', 'it', 'describe', 'context', 'suite', 'specify', 'beforeEach', 'afterEach', 'beforeAll', 'afterAll', 'before',
  'after', 'xit', 'xdescribe', 'fit', 'fdescribe', 'import.meta', 'require', 'module'])

/** Modules that short examples and the REPL use without importing them. */
export const LOOSE_MODULES: ReadonlySet<string> = new Set(['fs', 'os', 'http', 'https', 'http2', 'net', 'tls', 'dgram', 'path', 'util',
  'events', 'child_process', 'lodash', 'uuid', 'nock', 'fc', 'dns', 'moment', 'dayjs', 'axios', 'faker', 'MockDate', 'tk'])

/** Packages that are called by their own name, as many a local variable is too. */
export const CALLABLE_PACKAGES: ReadonlySet<string> = new Set(['axios', 'got', 'ky', 'superagent', 'glob', 'globby', 'delay', 'debug',
  'uuid', 'nanoid', 'ulid', 'cuid', 'nock', 'chance', 'casual', 'moment', 'dayjs', 'execa', 'supertest', 'hyperid'])

/** Receivers whose name says what they are, whoever made them. */
export const KEPT_ROOTS: ReadonlySet<string> = new Set(['page', 'browser', 'cy', 'driver', 't'])

/** What constructors and factories give, where the catalog knows the methods of it. */
export const RETURNS = table<string>({
  'http.createServer': 'http.Server',
  'http.Server.new': 'http.Server',
  'https.createServer': 'https.Server',
  'http2.createServer': 'http2.Server',
  'http2.createSecureServer': 'http2.Server',
  'net.createServer': 'net.Server',
  'net.Server.new': 'net.Server',
  'tls.createServer': 'tls.Server',
  'dgram.createSocket': 'dgram.Socket',
  express: 'express.Application',
  'koa.new': 'koa.Application',
  'events.EventEmitter.new': 'events.EventEmitter',
  'events.new': 'events.EventEmitter',
  'sinon.useFakeTimers': 'sinon.clock',
  'sinon.createSandbox': 'sinon.sandbox',
  'sinon.sandbox.create': 'sinon.sandbox',
  'sinon.sandbox.useFakeTimers': 'sinon.clock',
  '@sinonjs/fake-timers.install': 'sinon.clock',
  '@sinonjs/fake-timers.createClock': 'sinon.clock',
  '@sinonjs/fake-timers.withGlobal': '@sinonjs/fake-timers',
  'jasmine.clock': 'jasmine.clock',
  '@std/testing/time.FakeTime.new': '@std/testing/time.FakeTime',
  '@matteo.collina/tspl': 't',
  '@matteo.collina/tspl.new': 't',
  'assert.dom': 'assert.dom',
  'playwright.chromium.launch': 'browser',
  'playwright.firefox.launch': 'browser',
  'playwright.webkit.launch': 'browser',
  '@playwright/test.chromium.launch': 'browser',
  '@playwright/test.firefox.launch': 'browser',
  '@playwright/test.webkit.launch': 'browser',
  'puppeteer.launch': 'browser',
  'puppeteer.connect': 'browser',
  'browser.newPage': 'page',
  'browser.newContext': 'browserContext',
  'browserContext.newPage': 'page',
  ...Object.fromEntries(
    ['page', 'locator', 'frame'].flatMap(of =>
      ['locator', 'getByRole', 'getByText', 'getByLabel', 'getByTestId', 'getByPlaceholder', 'getByTitle', 'getByAltText', 'first', 'last',
        'nth', 'filter', 'and', 'or'].map(m => [`${of}.${m}`, 'locator'])
    ),
  ),
  'page.frameLocator': 'locator',
  'page.$': 'elementHandle',
  'page.waitForSelector': 'elementHandle',
  '@testing-library/user-event.setup': '@testing-library/user-event',
  '@testing-library/user-event.userEvent.setup': '@testing-library/user-event',
  'time-span': 'time-span.end',
  'chance.new': 'chance',
  'chance.Chance.new': 'chance',
  'undici.MockAgent.new': 'undici.MockAgent',
  'mongodb.MongoClient.new': 'mongodb.MongoClient',
  'ws.WebSocketServer.new': 'ws.WebSocketServer',
  'ws.Server.new': 'ws.WebSocketServer',
  'async-mutex.Mutex.new': 'async-mutex.Mutex',
})

// ----------------------------------------------------------------------------------------------- assertions

export interface Matcher {
  readonly compare: Comparison
  /** Holds when something is not there. */
  readonly absence?: true
  /** What it is compared with where the matcher's name says it. */
  readonly against?: 'null' | 'empty' | 'true' | 'false'
  /** How many arguments are operands (after the actual value of an `expect`); messages follow. */
  readonly operands?: number
}

const equal: Matcher = { compare: '==', operands: 1 }
const differ: Matcher = { compare: '!=', operands: 1 }
const truth: Matcher = { compare: 'truth', operands: 0 }
const falsy: Matcher = { compare: 'truth', operands: 0, absence: true }
const nil: Matcher = { compare: '==', operands: 0, against: 'null' }
const notNil: Matcher = { compare: '!=', operands: 0, against: 'null' }
const empty: Matcher = { compare: '==', operands: 0, against: 'empty' }
const contains: Matcher = { compare: 'contains', operands: 1 }
const matches: Matcher = { compare: 'matches', operands: 1 }
const throws: Matcher = { compare: 'throws', operands: 1 }
const near: Matcher = { compare: 'near', operands: 1 }
const snapshot: Matcher = { compare: 'snapshot', operands: 0 }
const other: Matcher = { compare: 'other', operands: 1 }
const calledWith: Matcher = { compare: '==', operands: 9 }
const isTrue: Matcher = { compare: '==', operands: 0, against: 'true' }
const isFalse: Matcher = { compare: '==', operands: 0, against: 'false' }
const more: Matcher = { compare: '>', operands: 1 }
const atLeast: Matcher = { compare: '>=', operands: 1 }
const less: Matcher = { compare: '<', operands: 1 }
const atMost: Matcher = { compare: '<=', operands: 1 }

/** What stands after `expect(x)`, in Jest's, Jasmine's, Playwright's and Chai's spelling. */
export const MATCHERS = table<Matcher>({
  toBe: equal,
  toEqual: equal,
  toStrictEqual: equal,
  toMatchObject: equal,
  toHaveLength: equal,
  toHaveSize: equal,
  toHaveText: equal,
  toHaveValue: equal,
  toHaveCount: equal,
  toHaveURL: equal,
  toHaveTitle: equal,
  toHaveAttribute: { compare: '==', operands: 2 },
  toHaveProperty: { compare: '==', operands: 2 },
  toHaveTextContent: contains,
  toContainText: contains,
  // Pages, as chai-dom and chai-jquery ask them.
  value: equal,
  text: equal,
  html: equal,
  val: equal,
  attribute: { compare: '==', operands: 2 },
  attr: { compare: '==', operands: 2 },
  toHaveDisplayValue: equal,
  toHaveInnerHTML: equal,
  equal,
  equals: equal,
  eq: equal,
  eql: equal,
  eqls: equal,
  lengthOf: equal,
  length: equal,
  toBeOneOf: contains,
  oneOf: contains,
  toBeGreaterThan: more,
  toBeGreaterThanOrEqual: atLeast,
  toBeLessThan: less,
  toBeLessThanOrEqual: atMost,
  toBeAfter: more,
  toBeBefore: less,
  above: more,
  gt: more,
  greaterThan: more,
  least: atLeast,
  gte: atLeast,
  below: less,
  lt: less,
  lessThan: less,
  most: atMost,
  lte: atMost,
  within: { compare: 'near', operands: 2 },
  toBeTruthy: truth,
  ok: truth,
  toBeTrue: isTrue,
  true: isTrue,
  toBeFalse: isFalse,
  false: isFalse,
  toBeFalsy: falsy,
  toBeTrusty: truth,
  toBeNull: nil,
  toBeUndefined: nil,
  toBeNullish: nil,
  null: nil,
  undefined: nil,
  toBeDefined: notNil,
  exist: notNil,
  exists: notNil,
  empty,
  toBeEmpty: empty,
  toBeEmptyDOMElement: empty,
  toContain: contains,
  toContainEqual: contains,
  include: contains,
  includes: contains,
  contain: contains,
  contains,
  members: contains,
  keys: contains,
  key: contains,
  property: { compare: '==', operands: 2 },
  toMatch: matches,
  match: matches,
  matches,
  toThrow: throws,
  toThrowError: throws,
  throw: throws,
  throws,
  Throw: throws,
  toBeRejected: throws,
  toBeRejectedWith: throws,
  toBeRejectedWithError: throws,
  rejected: throws,
  rejectedWith: throws,
  toBeCloseTo: near,
  closeTo: near,
  approximately: near,
  toBeWithinRange: { compare: 'near', operands: 2 },
  toBeResolved: truth,
  toBeResolvedTo: equal,
  fulfilled: truth,
  toMatchSnapshot: snapshot,
  toMatchInlineSnapshot: snapshot,
  toMatchFileSnapshot: { compare: 'snapshot', operands: 1 },
  toThrowErrorMatchingSnapshot: snapshot,
  toThrowErrorMatchingInlineSnapshot: snapshot,
  toHaveScreenshot: snapshot,
  toMatchAriaSnapshot: snapshot,
  toMatchImageSnapshot: snapshot,
  matchSnapshot: snapshot,
  toHaveBeenCalled: truth,
  toHaveBeenCalledOnce: truth,
  toBeCalled: truth,
  called: truth,
  calledOnce: truth,
  calledTwice: truth,
  toHaveReturned: truth,
  notCalled: falsy,
  toHaveBeenCalledTimes: equal,
  toBeCalledTimes: equal,
  callCount: equal,
  toHaveReturnedTimes: equal,
  toHaveBeenCalledWith: calledWith,
  toBeCalledWith: calledWith,
  toHaveBeenLastCalledWith: calledWith,
  toHaveBeenNthCalledWith: calledWith,
  toHaveBeenCalledOnceWith: calledWith,
  toHaveBeenCalledExactlyOnceWith: calledWith,
  calledWith,
  calledOnceWith: calledWith,
  calledWithExactly: calledWith,
  calledOnceWithExactly: calledWith,
  calledWithMatch: calledWith,
  alwaysCalledWith: calledWith,
  alwaysCalledWithExactly: calledWith,
  toHaveReturnedWith: calledWith,
  toBeVisible: truth,
  toBeHidden: falsy,
  toBeInTheDocument: truth,
  toBeAttached: truth,
  toBeEnabled: truth,
  toBeDisabled: truth,
  toBeChecked: truth,
  toBeFocused: truth,
  toBeOK: truth,
  toPass: truth,
  toBeInstanceOf: other,
  instanceof: other,
  instanceOf: other,
  a: other,
  an: other,
  toSatisfy: other,
  satisfy: other,
})

/** Words of Chai that only make sentences. */
export const CHAI_WORDS: ReadonlySet<string> = new Set(['to', 'be', 'been', 'is', 'that', 'which', 'and', 'has', 'have', 'with', 'at', 'of',
  'same', 'but', 'does', 'still', 'also', 'deep', 'nested', 'own', 'ordered', 'any', 'all', 'itself', 'always', 'soft'])

/**
 * `assert.x(actual, expected, message)` and its like: node:assert, chai.assert, tap, tape, AVA, tspl. One more operand than an `expect`
 * has.
 */
export const ASSERT_METHODS = table<Matcher>({
  ok: truth,
  assert: truth,
  true: truth,
  truthy: truth,
  isOk: truth,
  notOk: falsy,
  isNotOk: falsy,
  false: falsy,
  falsy,
  isTrue: truth,
  isFalse: falsy,
  ifError: falsy,
  error: falsy,
  iferror: falsy,
  equal,
  equals: equal,
  strictEqual: equal,
  deepEqual: equal,
  deepStrictEqual: equal,
  partialDeepStrictEqual: equal,
  deepLooseEqual: equal,
  looseEqual: equal,
  is: equal,
  same: equal,
  strictSame: equal,
  like: equal,
  propEqual: equal,
  propContains: equal,
  verifySteps: equal,
  notPropEqual: differ,
  notPropContains: differ,
  raises: throws,
  has: equal,
  hasStrict: equal,
  lengthOf: equal,
  sameMembers: equal,
  sameDeepMembers: equal,
  propertyVal: { compare: '==', operands: 2 },
  deepLoose: equal,
  notEqual: differ,
  notStrictEqual: differ,
  notDeepEqual: differ,
  notDeepStrictEqual: differ,
  not: differ,
  notSame: differ,
  strictNotSame: differ,
  isNot: differ,
  doesNotEqual: differ,
  notLooseEqual: differ,
  isAbove: more,
  isAtLeast: atLeast,
  isBelow: less,
  isAtMost: atMost,
  closeTo: near,
  approximately: near,
  isNull: nil,
  isUndefined: nil,
  notExists: nil,
  isNotNull: notNil,
  isDefined: notNil,
  exists: notNil,
  isEmpty: empty,
  isNotEmpty: { compare: '!=', operands: 0, against: 'empty' },
  include: contains,
  includes: contains,
  notInclude: { ...contains, absence: true },
  oneOf: contains,
  property: contains,
  hasAllKeys: contains,
  hasOwnProp: contains,
  match: matches,
  regex: matches,
  doesNotMatch: { ...matches, absence: true },
  notMatch: { ...matches, absence: true },
  notRegex: { ...matches, absence: true },
  throws,
  rejects: throws,
  throwsAsync: throws,
  doesNotThrow: { ...throws, absence: true },
  doesNotReject: { ...throws, absence: true },
  notThrows: { ...throws, absence: true },
  notThrowsAsync: { ...throws, absence: true },
  resolves: truth,
  resolveMatch: equal,
  resolveMatchSnapshot: snapshot,
  snapshot,
  matchSnapshot: snapshot,
  fileSnapshot: snapshot,
  instanceOf: other,
  isInstance: other,
  type: other,
  typeOf: other,
})

/** qunit-dom's, after `assert.dom(selector)`. */
export const DOM_METHODS = table<Matcher>({
  hasText: equal,
  hasValue: equal,
  hasAttribute: { compare: '==', operands: 2 },
  hasProperty: { compare: '==', operands: 2 },
  hasStyle: equal,
  hasTagName: equal,
  hasClass: contains,
  includesText: contains,
  hasTextContaining: contains,
  containsText: contains,
  hasAnyText: truth,
  hasAnyValue: truth,
  exists: truth,
  isVisible: truth,
  isDisabled: truth,
  isEnabled: truth,
  isChecked: truth,
  isFocused: truth,
  isRequired: truth,
  isValid: truth,
  doesNotExist: falsy,
  isNotVisible: falsy,
  isNotChecked: falsy,
  isNotDisabled: falsy,
  isNotFocused: falsy,
  hasNoText: falsy,
  hasNoValue: falsy,
  doesNotHaveClass: { ...contains, absence: true },
  doesNotIncludeText: { ...contains, absence: true },
  doesNotContainText: { ...contains, absence: true },
  doesNotHaveAttribute: { ...contains, absence: true },
  doesNotHaveValue: differ,
})

/** Deno's: `assertEquals(actual, expected)`. */
export const ASSERT_FUNCTIONS = table<Matcher>({
  assertEquals: equal,
  assertStrictEquals: equal,
  assertObjectMatch: equal,
  assertNotEquals: differ,
  assertNotStrictEquals: differ,
  assertExists: notNil,
  assertFalse: falsy,
  assertGreater: more,
  assertGreaterOrEqual: atLeast,
  assertLess: less,
  assertLessOrEqual: atMost,
  assertAlmostEquals: near,
  assertStringIncludes: contains,
  assertArrayIncludes: contains,
  assertMatch: matches,
  assertNotMatch: { ...matches, absence: true },
  assertThrows: throws,
  assertRejects: throws,
  assertInstanceOf: other,
  assertSnapshot: { compare: 'snapshot', operands: 1 },
})
