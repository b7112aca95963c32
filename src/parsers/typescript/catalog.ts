// What JavaScript's APIs do to determinism. One row, one fact; names as imports resolve them, globals as they are,
// constructors with `.new`, methods of unknown receivers with `?.`.

import type { CatalogRow } from '../frontend.ts'
import { pauses } from '../pauses.ts'

const both = (methods: readonly string[], ...owners: readonly string[]): string[] =>
  owners.flatMap(owner => methods.map(method => `${owner}.${method}`))

const HTTP_CLIENTS = ['axios', 'got', 'ky', 'superagent', 'request-promise']
const SERVERS = ['http.Server', 'https.Server', 'http2.Server', 'net.Server', 'tls.Server']
/** Ember's helpers settle when the page has; who goes on without them looks too early. */
const EMBER_HELPERS = ['click', 'doubleClick', 'tap', 'fillIn', 'typeIn', 'select', 'focus', 'blur', 'scrollTo', 'triggerEvent',
  'triggerKeyEvent', 'visit', 'render', 'rerender', 'settled', 'waitFor', 'waitUntil']

const FINDERS = ['findBy', 'findAllBy'].flatMap(find =>
  ['Role', 'Text', 'LabelText', 'PlaceholderText', 'TestId', 'AltText', 'Title', 'DisplayValue'].map(by => find + by)
)
const FILE_WRITES = ['writeFile', 'writeFileSync', 'appendFile', 'appendFileSync', 'mkdir', 'mkdirSync', 'open', 'openSync',
  'createWriteStream', 'outputFile', 'outputFileSync', 'ensureDir', 'ensureDirSync', 'outputJson', 'symlink', 'symlinkSync']

const LATER_MATCHERS = ['toBe', 'toEqual', 'toStrictEqual', 'toMatchObject', 'toMatch', 'toContain', 'toHaveLength', 'toHaveProperty',
  'toBeDefined', 'toBeUndefined', 'toBeNull', 'toBeTruthy', 'toBeFalsy', 'toBeInstanceOf', 'toThrow', 'toThrowError',
  'toThrowErrorMatchingSnapshot', 'toThrowErrorMatchingInlineSnapshot', 'toMatchSnapshot', 'toMatchInlineSnapshot', 'toHaveBeenCalled',
  'toBeGreaterThan']
/** Matchers that look again until they hold, in Playwright; jest-dom has some of the same names, and those hold at once. */
const WEB_FIRST = ['toBeVisible', 'toBeHidden', 'toBeAttached', 'toBeEnabled', 'toBeDisabled', 'toBeChecked', 'toBeFocused', 'toBeEditable',
  'toBeEmpty', 'toBeInViewport', 'toContainText', 'toHaveText', 'toHaveValue', 'toHaveValues', 'toHaveCount', 'toHaveURL', 'toHaveTitle',
  'toHaveAttribute', 'toHaveClass', 'toHaveCSS', 'toHaveId', 'toHaveScreenshot', 'toMatchAriaSnapshot', 'toPass']
const UI_ACTIONS = ['click', 'dblclick', 'tap', 'fill', 'type', 'press', 'pressSequentially', 'hover', 'focus', 'check', 'uncheck',
  'selectOption', 'select', 'setInputFiles', 'uploadFile', 'dragTo', 'dragAndDrop', 'clear', 'screenshot', 'evaluate',
  'scrollIntoViewIfNeeded']
const PAGE_ACTIONS = ['goto', 'reload', 'goBack', 'goForward', 'setContent', 'setViewport', 'setViewportSize', 'close', 'route', 'unroute',
  'addInitScript', 'exposeFunction', 'setRequestInterception', 'setCacheEnabled', 'setCookie', 'bringToFront', 'emulateMedia',
  'waitForSelector', 'waitForFunction', 'waitForURL', 'waitForLoadState', 'waitForTimeout', 'waitForNetworkIdle']

export const CATALOG: readonly CatalogRow[] = [
  // clock
  { name: ['Date.now', 'Date'], effect: 'clock', note: 'millis' },
  {
    name: ['performance.timeOrigin', 'Temporal.Now.instant', 'Temporal.Now.plainDateISO', 'Temporal.Now.plainDateTimeISO',
      'Temporal.Now.plainTimeISO', 'Temporal.Now.zonedDateTimeISO'],
    effect: 'clock',
  },
  { name: 'Date.new', effect: 'clock', args: 0, note: 'millis' },
  { name: ['dayjs', 'dayjs.utc', 'moment', 'moment.utc', 'moment-timezone', 'luxon.DateTime.local', 'luxon.DateTime.utc'], effect: 'clock',
    args: 0 },
  // The same with plugins of the project's own: `import dayjs from '@/lib/dayjs'`.
  { name: '…dayjs', effect: 'clock', args: 0 },
  { name: '…dayjs', effect: 'local-zone', args: 1, note: 'library' },
  {
    name: ['luxon.DateTime.now', 'date-fns.isToday', 'date-fns.isPast', 'date-fns.isFuture', 'date-fns.formatDistanceToNow',
      'date-fns.formatDistanceToNowStrict', 'date-fns.startOfToday', 'date-fns.endOfToday', 'date-fns.startOfTomorrow',
      'date-fns.isYesterday', 'date-fns.isTomorrow', 'date-fns.isThisWeek', 'date-fns.isThisMonth'],
    effect: 'clock',
  },
  // the host's time zone and locale: see flow/zones/zone.ts for the notes
  { name: 'Date.new', effect: 'local-zone', args: [2, 3, 4, 5, 6, 7], note: 'from' },
  { name: ['Date.new', 'Date.parse'], effect: 'local-zone', args: 1, note: 'text' },
  { name: ['moment', 'dayjs', 'moment.unix', 'dayjs.unix'], effect: 'local-zone', args: 1, note: 'library' },
  { name: both(['fromISO', 'fromMillis', 'fromSeconds', 'fromJSDate'], 'luxon.DateTime'), effect: 'local-zone', with: '!zone',
    note: 'library' },
  { name: ['date-fns.parseISO', 'date-fns/parseISO'], effect: 'local-zone', args: 1, note: 'text' },
  { name: both(['format', 'formatISO', 'lightFormat', 'getHours', 'getDate', 'getDay', 'getMonth', 'getYear'], 'date-fns'),
    effect: 'local-zone', note: 'to' },
  { name: both(['getHours', 'getDate', 'getDay', 'getMonth', 'getFullYear', 'toDateString', 'toTimeString'], '?', 'Date'),
    effect: 'local-zone', note: 'to' },
  { name: both(['toLocaleDateString', 'toLocaleTimeString'], '?', 'Date'), effect: 'local-zone', with: '!timeZone', note: 'to' },
  { name: 'Intl.DateTimeFormat.new', effect: 'local-zone', with: '!timeZone', note: 'formatter' },
  { name: ['?.getTimezoneOffset', 'Date.getTimezoneOffset', 'moment.tz.guess', 'dayjs.tz.guess'], effect: 'local-zone', note: 'zone' },
  {
    name: ['?.toLocaleString', '?.toLocaleDateString', '?.toLocaleTimeString', 'Date.toLocaleString', 'Date.toLocaleDateString',
      'Date.toLocaleTimeString', 'Number.toLocaleString', 'Intl.NumberFormat.new', 'Intl.DateTimeFormat.new', 'Intl.PluralRules.new',
      'Intl.ListFormat.new', 'Intl.RelativeTimeFormat.new'],
    effect: 'locale',
    note: 'unless',
  },
  // monotonic
  { name: ['performance.now', 'process.hrtime.bigint', 'process.uptime', 'Bun.nanoseconds', 'cy.now'], effect: 'mono' },
  { name: 'process.hrtime', effect: 'mono', args: 0 },
  { name: 'process.hrtime', effect: 'elapsed', args: 1 },
  {
    name: ['performance.measure', 'luxon.DateTime.diffNow', '?.diffNow',
      ...both(['end', 'end.rounded', 'end.seconds', 'end.nanoseconds'], 'time-span')],
    effect: 'elapsed',
  },
  // sleep
  {
    name: ['Promise.setTimeout', 'timers/promises.setTimeout', 'timers/promises.scheduler.wait', 'util.promisify(setTimeout)', 'Bun.sleep',
      'Bun.sleepSync', 'delay', 'sleep-promise', 'p-sleep', 'delay.delay', '@std/async.delay', '@std/async/delay.delay', 'puppeteer.delay'],
    effect: 'sleep',
    ms: { arg: 0 },
  },
  {
    name: ['page.waitForTimeout', 'page.waitFor', 'frame.waitForTimeout', 'cy.wait', 'browser.pause', 'browser.sleep', 'driver.sleep',
      '?.waitForTimeout', '?.sleep', 'sleep(own)', 'delay(own)', 'wait(own)', 'createTimeout(own)'],
    effect: 'sleep',
    ms: { arg: 0 },
  },
  { name: 'Atomics.wait', effect: 'sleep', ms: { arg: 3 } },
  { name: 'setTimeout(done)', effect: 'sleep', ms: { arg: 1 } },
  { name: 'pause(told)', effect: 'sleep', ms: { arg: 'ms' } },
  { name: 'setTimeout(hook)', effect: 'sleep', ms: { arg: 1 }, note: 'pause of a hook' },
  ...pauses({ styles: ['camel'], unit: 'ms', methods: true, awaited: true }),
  {
    name: ['wait', 'timeout', 'waitFor', 'setTimeoutPromise', 'setTimeoutAsync', 'timeoutPromise', 'promiseTimeout', 'promiseDelay',
      'asyncTimeout', 'createTimeout', 'awaitTimeout', 'waitTimeout', 'waitForTimeout', 'tick'].map(n => `…${n}`),
    effect: 'sleep',
    args: 1,
    ms: { arg: 0 },
    note: 'pause by name, awaited, not a count',
  },
  // random
  {
    name: ['Math.random', 'crypto.getRandomValues', 'crypto.randomInt', 'crypto.randomBytes', 'crypto.randomFillSync', 'crypto.randomFill',
      'crypto.pseudoRandomBytes', 'lodash.random', 'lodash.sample', 'lodash.sampleSize', 'lodash.shuffle', 'd3.randomNormal', 'random.int',
      'random.float', 'casual.*'],
    effect: 'random',
  },
  { name: ['@faker-js/faker.*', 'faker.*', 'chance.*', 'chance', 'casual', 'random-words', 'unique-names-generator.uniqueNamesGenerator'],
    effect: 'random' },
  {
    name: ['crypto.randomUUID', 'uuid', 'uuid.v1', 'uuid.v4', 'uuid.v6', 'uuid.v7', 'uuid.uuid', 'uuid/v1', 'uuid/v4', 'nanoid',
      'nanoid.nanoid', 'ulid', 'ulid.ulid', 'cuid', '@paralleldrive/cuid2.createId', 'bson.ObjectId.new', 'mongodb.ObjectId.new',
      'mongoose.Types.ObjectId.new', 'hyperid', 'shortid.generate', 'short-uuid.generate', '@faker-js/faker.faker.string.uuid',
      '@faker-js/faker.faker.datatype.uuid'],
    effect: 'random',
  },
  {
    name: ['crypto.randomUUID', 'crypto.randomBytes', 'crypto.randomFillSync', 'crypto.randomFill', 'crypto.getRandomValues', 'uuid',
      'uuid.v1', 'uuid.v4', 'uuid.v6', 'uuid.v7', 'uuid.uuid', 'uuid/v1', 'uuid/v4', 'nanoid', 'nanoid.nanoid', 'ulid', 'ulid.ulid', 'cuid',
      '@paralleldrive/cuid2.createId', 'bson.ObjectId.new', 'mongodb.ObjectId.new', 'mongoose.Types.ObjectId.new', 'shortid.generate',
      'short-uuid.generate', 'lodash.uniqueId', '@faker-js/faker.faker.string.uuid', '@faker-js/faker.faker.datatype.uuid'],
    effect: 'unique-id',
  },
  // seeds
  {
    name: ['@faker-js/faker.faker.seed', '@faker-js/faker.seed', 'faker.seed', 'faker.faker.seed', 'casual.seed', 'seedrandom',
      'seedrandom.new', 'seedrandom.alea', 'random-seed.create', 'pure-rand.xoroshiro128plus', 'pure-rand.mersenne',
      'pure-rand.xorshift128plus', 'prando.new', 'random-js.MersenneTwister19937.seed', '?.seed'],
    effect: 'seed',
    arg: 0,
  },
  { name: ['chance.new', 'chance.Chance.new'], effect: 'seed', arg: 0, args: [1, 2] },
  {
    name: ['vi.spyOn(Math.random)', 'jest.spyOn(Math.random)', 'spyOn(Math.random)', 'sinon.stub(Math.random)',
      't.mock.method(Math.random)', 'node:test.mock.method(Math.random)'],
    effect: 'seed',
    note: 'the generator is stubbed',
  },
  // order
  { name: ['Promise.race', 'Promise.any'], effect: 'unordered' },
  {
    name: [...both(['readdir', 'readdirSync', 'opendir', 'opendirSync'], 'fs', 'fs/promises'), 'fast-glob', 'fast-glob.sync',
      'fast-glob.glob', 'globby', 'globby.globby', 'globby.globbySync', 'glob', 'glob.glob', 'glob.globSync', 'glob.sync',
      'tinyglobby.glob', 'tinyglobby.globSync', 'fs.glob', 'fs.globSync', 'fs/promises.glob', 'Deno.readDir', 'Deno.readDirSync', 'klaw',
      'walkdir', 'readdirp'],
    effect: 'fs-order',
  },
  { name: ['?.sort', '?.toSorted', '?.localeCompare', 'lodash.sortBy', 'lodash.orderBy'], effect: 'sort' },
  { name: ['?.query', '?.execute', '?.all', '?.raw', '?.any', '?.manyOrNone', '?.$queryRawUnsafe'], effect: 'rows' },
  // queries without SQL: drizzle and knex, Prisma, Sequelize, TypeORM, MongoDB
  { name: ['?.from', '?.findMany', '?.findAll', '?.getMany', '?.getRawMany', '?.toArray', '?.lean', '?.exec', '?.select', '?.find'],
    effect: 'rows', note: 'built' },
  { name: ['?.smembers', '?.sMembers', '?.sinter', '?.sunion', '?.sdiff', '?.hkeys', '?.hvals'], effect: 'unordered' },
  // network
  {
    name: ['fetch', 'node-fetch', 'cross-fetch', 'undici.fetch', 'undici.request', 'undici.stream', 'http.get', 'http.request', 'https.get',
      'https.request', 'net.connect', 'net.createConnection', 'tls.connect', 'WebSocket.new', 'ws.new', 'ws.WebSocket.new',
      'undici.WebSocket.new', 'EventSource.new', 'undici.EventSource.new', 'XMLHttpRequest.new', 'dns.lookup', 'dns.resolve',
      'dns.promises.lookup', 'dns/promises.lookup', 'dns/promises.resolve', 'undici.Client.new', 'undici.Pool.new', 'page.goto',
      'page.waitForURL', 'cy.visit', 'cy.request'],
    effect: 'network',
    arg: 0,
  },
  {
    name: [...HTTP_CLIENTS,
      ...both(['get', 'post', 'put', 'patch', 'delete', 'head', 'request', 'stream'], ...HTTP_CLIENTS, 'needle', 'request')],
    effect: 'network',
    arg: 0,
  },
  // ports
  { name: ['?.listen', ...both(['listen'], ...SERVERS, 'express.Application', 'koa.Application')], effect: 'bind-port', arg: 0,
    with: '!port' },
  {
    name: ['?.listen', ...both(['listen'], ...SERVERS, 'express.Application', 'koa.Application'), 'Bun.serve', 'Deno.serve', 'Deno.listen',
      'ws.WebSocketServer.new', 'ws.Server.new', '@hono/node-server.serve', 'webpack-dev-server.new', 'vite.createServer'],
    effect: 'bind-port',
    arg: 'port',
    with: 'port',
  },
  { name: ['dgram.Socket.bind', 'socket.io.Server.new', 'socket.io.new', '?.bindAsync'], effect: 'bind-port', arg: 0 },
  {
    name: ['get-port', 'get-port.getPort', 'portfinder.getPort', 'portfinder.getPortPromise', 'detect-port', 'get-port-please.getPort',
      'find-free-port', 'find-free-ports.findFreePorts'],
    effect: 'bind-port',
    note: 'a free port that is let go again',
  },
  {
    name: ['get-port', 'get-port.getPort', 'portfinder.getPort', 'portfinder.getPortPromise', 'detect-port', 'get-port-please.getPort',
      'find-free-port', 'find-free-ports.findFreePorts'],
    effect: 'free-port',
  },
  // things by name
  {
    name: ['testcontainers.GenericContainer.new', '@testcontainers/postgresql.PostgreSqlContainer.new',
      '@testcontainers/redis.RedisContainer.new', '@testcontainers/mysql.MySqlContainer.new', '@testcontainers/kafka.KafkaContainer.new',
      '@testcontainers/mongodb.MongoDBContainer.new'],
    effect: 'external',
    arg: 0,
    what: 'image',
  },
  // the host
  { name: ['process.cwd', 'Deno.cwd'], effect: 'cwd-read' },
  { name: ['os.homedir'], effect: 'home-read' },
  { name: ['os.cpus', 'os.availableParallelism', 'os.totalmem', 'os.freemem'], effect: 'ambient', what: 'what the machine has' },
  { name: ['os.hostname', 'os.userInfo'], effect: 'ambient', what: 'a name of the host' },
  // process-wide state
  { name: ['process.loadEnvFile', 'dotenv.config', 'Deno.env.set', 'Deno.env.delete', 'vi.stubEnv'], effect: 'env-write', arg: 0 },
  { name: ['process.chdir', 'Deno.chdir'], effect: 'cwd-write', arg: 0 },
  // Without an argument they only tell.
  { name: ['moment.locale', 'moment.lang', 'dayjs.locale', 'i18next.changeLanguage', 'numeral.locale', 'numbro.setLanguage'],
    effect: 'global-write', args: [1, 2], what: 'locale' },
  { name: ['moment.tz.setDefault', 'moment-timezone.tz.setDefault', 'dayjs.tz.setDefault'], effect: 'global-write', args: 1,
    what: 'time zone' },
  {
    name: ['process.umask', 'process.setuid', 'process.setgid', 'vi.stubGlobal', 'undici.setGlobalDispatcher', 'dns.setServers',
      'dns.setDefaultResultOrder', 'v8.setFlagsFromString', 'http.globalAgent.destroy', 'process.setMaxListeners', 'localStorage.setItem',
      'sessionStorage.setItem', 'window.localStorage.setItem'],
    effect: 'global-write',
    arg: 0,
  },
  // replaced until put back; a sandbox or a test's own context may do it by itself
  {
    name: ['vi.spyOn', 'jest.spyOn', 'bun:test.spyOn', 'sinon.replace', 'sinon.sandbox.replace', 'testdouble.replace',
      'node:test.mock.method', 'node:test.mock.getter'],
    effect: 'mock',
    arg: 0,
  },
  { name: ['sinon.stub', 'sinon.spy', 'sinon.sandbox.stub', 'sinon.sandbox.spy'], effect: 'mock', arg: 0, args: [2, 3] },
  { name: ['vi.stubGlobal', 'vi.stubEnv'], effect: 'mock', note: 'by name' },
  { name: 'process.exit', effect: 'global-write', note: 'ends the process' },
  // what the process takes up
  {
    name: ['process.memoryUsage', 'process.memoryUsage.rss', 'global.gc', 'globalThis.gc', 'process.cpuUsage', 'process.resourceUsage',
      'process._getActiveHandles', 'process.getActiveResourcesInfo', 'v8.getHeapStatistics', 'os.freemem', 'os.loadavg'],
    effect: 'usage',
  },
  // names
  { name: both(FILE_WRITES, 'fs', 'fs/promises'), effect: 'name-resource', arg: 0, what: 'file' },
  {
    name: ['Bun.write', 'Deno.writeTextFile', 'Deno.writeFile', 'Deno.mkdir', 'Deno.create', 'fs.cpSync', 'better-sqlite3.new',
      'sqlite3.Database.new', 'node:sqlite.DatabaseSync.new', 'level.Level.new'],
    effect: 'name-resource',
    arg: 0,
    what: 'file',
  },
  { name: ['?.createDatabase', '?.dropDatabase', 'mongodb.MongoClient.db', 'indexedDB.open', 'window.indexedDB.open', '?.useDb'],
    effect: 'name-resource', arg: 0, what: 'database' },
  { name: ['?.createCollection', '?.createTable', '?.createSchema', '?.createIndex'], effect: 'name-resource', arg: 0, what: 'table' },
  {
    name: ['?.createTopic', '?.createTopics', '?.createQueue', '?.createBucket', '?.assertQueue', '?.assertExchange', 'bullmq.Queue.new',
      'BroadcastChannel.new', 'worker_threads.BroadcastChannel.new'],
    effect: 'name-resource',
    arg: 0,
    what: 'topic, queue or bucket',
  },
  // limits
  { name: ['setTimeout(fail)'], effect: 'timeout', ms: { arg: 1 }, note: 'guard' },
  { name: 'Promise.race(sleep)', effect: 'timeout', ms: { arg: 'ms' }, note: 'guard' },
  {
    name: ['AbortSignal.timeout', 'jest.setTimeout', 'test.setTimeout', 'this.timeout', 't.timeout', 't.setTimeout', 't.timeoutAfter',
      'page.setDefaultTimeout', 'page.setDefaultNavigationTimeout'],
    effect: 'timeout',
    ms: { arg: 0 },
  },
  { name: ['p-timeout', 'p-timeout.pTimeout', '@std/async.deadline', 'promise-timeout.timeout'], effect: 'timeout', ms: { arg: 1 },
    with: '!milliseconds' },
  { name: 'p-timeout', effect: 'timeout', ms: { arg: 'milliseconds' }, with: 'milliseconds' },
  { name: both(['timeout'], 'rxjs', 'rxjs/operators'), effect: 'timeout', ms: { arg: 0 }, with: '!with' },
  { name: both(['timeout'], 'rxjs', 'rxjs/operators'), effect: 'timeout', ms: { arg: 'each' }, with: 'each' },
  { name: both(['timeout'], 'rxjs', 'rxjs/operators'), effect: 'timeout', ms: { arg: 'first' }, with: 'first' },
  { name: ['?.timeout'], effect: 'timeout', ms: { arg: 'response' }, with: 'response' },
  { name: ['vi.setConfig'], effect: 'timeout', ms: { arg: 'testTimeout' }, with: 'testTimeout' },
  { name: ['fetch', 'axios', 'axios.get', 'axios.post', 'got', 'undici.Client.new', 'http.request', 'http.get'], effect: 'timeout',
    ms: { arg: 'timeout' }, with: 'timeout' },
  // waiting
  {
    name: ['events.once', 'stream/promises.finished', 'stream/promises.pipeline', 'Promise.all', 'Promise.allSettled', '?.whenReady',
      '?.waitForExit'],
    effect: 'sync',
  },
  {
    name: ['vi.waitFor', 'vi.waitUntil', 'expect.poll.*', 'expect.toPass', '@testing-library.waitFor',
      '@testing-library.waitForElementToBeRemoved', '@testing-library.screen.waitFor', 'wait-for-expect', 'p-wait-for', 'async-wait-until',
      'async-retry', 'p-retry', 'p-retry.pRetry', 'wait-on', 'waitForExpect', '@vue/test-utils.flushPromises', 'cy.should', 'cy.get',
      'cy.contains', 'cy.waitUntil', ...FINDERS.map(f => `@testing-library.screen.${f}`), ...FINDERS.map(f => `?.${f}`),
      ...FINDERS.map(f => `cy.${f}`)],
    effect: 'wait-until',
  },
  { name: ['cy.wait(condition)', 'page.waitFor(condition)'], effect: 'wait-until' },
  {
    name: [
      ...both(['waitForSelector', 'waitForFunction', 'waitForURL', 'waitForLoadState', 'waitForResponse', 'waitForRequest', 'waitForEvent',
        'waitForNavigation', 'waitForNetworkIdle', 'waitForXPath', 'waitForFrame'], 'page', '?'),
      '?.waitUntil',
      '?.waitFor',
      '?.waitForExist',
      '?.waitForDisplayed',
      'browser.waitUntil',
    ],
    effect: 'wait-until',
  },
  { name: ['driver.wait', 'browser.wait'], effect: 'wait-until', ms: { arg: 1 } },
  {
    name: both(['toBeVisible', 'toBeHidden', 'toBeAttached', 'toBeEnabled', 'toBeDisabled', 'toBeChecked', 'toBeFocused', 'toContainText',
      'toHaveText', 'toHaveValue', 'toHaveCount', 'toHaveURL', 'toHaveTitle', 'toHaveAttribute', 'toHaveClass', 'toHaveScreenshot'],
      'expect'),
    effect: 'wait-until',
    note: 'only where awaited',
  },
  // promises: what is lost where nobody waits
  {
    name: ['assert.rejects', 'assert.doesNotReject', 't.throwsAsync', 't.notThrowsAsync',
      ...both(['assertRejects'], '@std/assert', '@std/testing/asserts'), ...both(LATER_MATCHERS, 'expect.resolves', 'expect.rejects'),
      'expect.resolves.*', 'expect.rejects.*', 'expect.poll.*', 'expect.eventually.*',
      ...both(['rejectedWith', 'fulfilled', 'toBeRejected', 'toBeRejectedWith', 'toBeRejectedWithError', 'toBeResolved', 'toBeResolvedTo'],
        'expect'), ...both(['waitFor', 'waitForElementToBeRemoved'], '@testing-library', 'vi'), 'vi.waitUntil', 'wait-for-expect'],
    effect: 'promise',
    note: 'asserts',
  },
  { name: both(WEB_FIRST, 'expect'), effect: 'promise', note: 'asserts', what: '@playwright/test' },
  {
    name: [...FINDERS.map(f => `@testing-library.screen.${f}`),
      ...both(['click', 'dblClick', 'tripleClick', 'type', 'clear', 'hover', 'unhover', 'tab', 'keyboard', 'pointer', 'upload', 'paste',
        'selectOptions', 'deselectOptions'], '@testing-library/user-event', '@testing-library/user-event.userEvent'),
      '@vue/test-utils.flushPromises', ...both(EMBER_HELPERS, '@ember/test-helpers')],
    effect: 'promise',
  },
  {
    name: [...both([...UI_ACTIONS, ...PAGE_ACTIONS], 'page'), ...both(UI_ACTIONS, 'locator', 'elementHandle'),
      ...both(['newPage', 'newContext', 'close'], 'browser', 'browserContext')],
    effect: 'promise',
  },
  {
    name: [
      ...both([...FILE_WRITES.filter(f => !/Sync$|Stream$/.test(f)), 'rm', 'rmdir', 'unlink', 'rename', 'copyFile', 'cp', 'chmod', 'utimes',
        'truncate'], 'fs/promises'),
      'Promise.setTimeout',
      'timers/promises.setTimeout',
      'timers/promises.scheduler.wait',
      'util.promisify(setTimeout)',
      'Bun.sleep',
      'delay',
      'sleep-promise',
      ...both(['remove', 'rename', 'mkdir', 'chmod', 'chown', 'copyFile', 'create', 'link', 'symlink', 'truncate', 'utime', 'writeFile',
        'writeTextFile'], 'Deno'),
      'stream/promises.pipeline',
      'Promise.all',
      'Promise.allSettled',
      ...both(['ensureDir', 'ensureFile', 'emptyDir', 'outputFile', 'outputJson', 'writeJson', 'remove', 'move', 'mkdirp'], 'fs'),
    ],
    effect: 'promise',
  },
  // events and pages
  {
    name: both(['waitForResponse', 'waitForRequest', 'waitForEvent', 'waitForNavigation', 'waitForFileChooser'], 'page', 'browserContext',
      '?'),
    effect: 'wait-event',
  },
  { name: both(['waitForResponse', 'waitForRequest', 'waitForEvent', 'waitForNavigation', 'waitForFileChooser'], 'page', 'browserContext'),
    effect: 'promise' },
  { name: 'events.once', effect: 'wait-event', what: 'emitter' },
  {
    name: [
      ...both(['count', 'isVisible', 'isHidden', 'isEnabled', 'isDisabled', 'isChecked', 'isEditable', 'textContent', 'innerText',
        'innerHTML', 'inputValue', 'getAttribute', 'allTextContents', 'allInnerTexts'], 'locator', 'elementHandle'),
      ...both(['isVisible', 'isHidden', 'isEnabled', 'isDisabled', 'isChecked', 'textContent', 'innerText', 'innerHTML', 'inputValue',
        'getAttribute', 'title', 'url', '$eval', '$$eval', '$$'], 'page'),
      '?.getText',
      '?.isDisplayed',
      '?.isExisting',
      '?.getCurrentUrl',
    ],
    effect: 'ui-read',
  },
  { name: ['page.waitForNetworkIdle', '?.waitForNetworkIdle'], effect: 'idle-wait' },
  { name: ['Promise.race', 'Promise.any'], effect: 'completion', what: 'first' },
  // elsewhere
  { name: 'setTimeout', effect: 'spawn', ms: { arg: 1 }, note: 'timer' },
  {
    name: ['setTimeout(fail)', 'setInterval', 'setImmediate', 'process.nextTick', 'queueMicrotask', 'timers/promises.setInterval',
      'requestAnimationFrame', 'requestIdleCallback', 'worker_threads.Worker.new', 'Worker.new', 'child_process.spawn',
      'child_process.fork', 'child_process.exec', 'child_process.execFile', 'cluster.fork', 'execa', 'execa.execa', 'execa.execaNode',
      'cross-spawn', 'Bun.spawn', 'Deno.Command.new'],
    effect: 'spawn',
  },
  {
    name: [...both(['on', 'once', 'addListener', 'prependListener', 'addEventListener', 'subscribe', 'onmessage'], '?'),
      ...both(['on', 'once', 'addListener', 'prependListener'], 'events.EventEmitter', 'process', ...SERVERS, 'dgram.Socket',
        'ws.WebSocketServer', 'page', 'browser', 'cy'), 'window.addEventListener', 'document.addEventListener'],
    effect: 'spawn',
    note: 'listener',
  },
  {
    name: ['vi.fn', 'jest.fn', 'vi.mock', 'jest.mock', 'vi.doMock', 'jest.doMock', 'vi.spyOn', 'jest.spyOn', 'spyOn', 'sinon.stub',
      'sinon.fake', 'sinon.spy', 'sinon.mock', 'sinon.replace', 'sinon.sandbox.stub', 'sinon.sandbox.spy', 'sinon.sandbox.replace',
      'jasmine.createSpy', 't.mock.fn', 't.mock.method', 't.mock.module', 'node:test.mock.fn', 'node:test.mock.method',
      'node:test.mock.module', 'bun:test.mock', 'bun:test.spyOn', 'testdouble.func', 'testdouble.replace', '?.mockImplementation',
      '?.mockImplementationOnce', '?.mockReturnValue', '?.mockReturnValueOnce', '?.mockResolvedValue', '?.mockResolvedValueOnce',
      '?.mockRejectedValue', '?.callsFake', '?.callFake', '?.returnValue', '?.callThrough', '?.returns', '?.resolves'],
    effect: 'stub',
  },
  {
    name: ['http.createServer', 'https.createServer', 'http2.createServer', 'http2.createSecureServer', 'net.createServer',
      'tls.createServer'],
    effect: 'stub',
    note: 'a server of the test',
  },
  {
    name: [...both(['then', 'catch', 'finally', 'forEach', 'map', 'filter', 'some', 'every', 'find', 'reduce', 'flatMap'], '?'),
      'test.step', 't.step', 'cy.then', 'cy.within', 'cy.each', 'Array.from', 'expect.toThrow', 'expect.toThrowError', 'expect.throw',
      'expect.throws', 'expect.rejects.toThrow', 'expect.resolves.toBe', 'assert.throws', 'assert.doesNotThrow', 'assert.rejects',
      'assert.doesNotReject', 't.throws', 't.doesNotThrow', 't.rejects', 't.throwsAsync', 't.notThrows', 't.notThrowsAsync',
      '@testing-library.act', 'react.act', 'react-dom/test-utils.act', 'Promise.new', 'Promise.try', 'setTimeout(done)'],
    effect: 'inline',
  },
  // started, and looked at once
  { name: ['child_process.spawn', 'child_process.fork', 'execa', 'execa.execa', 'Bun.spawn'], effect: 'start' },
  { name: ['fs.readFileSync', 'fs/promises.readFile'], effect: 'observe' },
  // opened, and to be closed
  {
    name: ['http.createServer', 'https.createServer', 'net.createServer', 'http2.createServer', 'http2.createSecureServer',
      'tls.createServer'],
    effect: 'opens',
    what: 'server',
  },
  { name: ['child_process.spawn', 'child_process.fork'], effect: 'opens', what: 'process' },
  // ends
  { name: ['process.exit', 'process.abort', 'process.reallyExit', 'Deno.exit'], effect: 'exit' },
  // cures
  {
    name: ['vi.useFakeTimers', 'jest.useFakeTimers', 'vi.setSystemTime', 'jest.setSystemTime', 'bun:test.setSystemTime',
      'sinon.useFakeTimers', 'sinon.sandbox.useFakeTimers', '@sinonjs/fake-timers.install', '@sinonjs/fake-timers.createClock',
      '@sinonjs/fake-timers.withGlobal', 'lolex.install', 't.mock.timers.enable', 't.mock.timers.setTime', 'node:test.mock.timers.enable',
      'node:test.mock.timers.setTime', 'cy.clock', 'page.clock.install', 'page.clock.setFixedTime', 'page.clock.setSystemTime',
      'page.clock.pauseAt', 'browserContext.clock.install', 'mockdate.set', 'MockDate.set', 'timekeeper.freeze', 'timekeeper.travel',
      'tk.freeze', '@std/testing/time.FakeTime.new', '…FakeTime.new', '…setupFakeTimers', '…installFakeTimers', '…enableFakeTimers',
      '…setupFakeClock', '…installFakeClock', '…useFakeClock', '…useFakeTime', 'jasmine.clock.install', 'jasmine.clock.mockDate',
      'vi.spyOn(Date.now)', 'jest.spyOn(Date.now)', 'spyOn(Date.now)', 'sinon.stub(Date.now)', 'sinon.sandbox.stub(Date.now)',
      't.mock.method(Date.now)', 'node:test.mock.method(Date.now)', 'vi.spyOn(performance.now)', 'jest.spyOn(performance.now)',
      'jest-date-mock.advanceTo', 'rxjs/testing.TestScheduler.new'],
    effect: 'fake-clock',
  },
  {
    name: ['vi.useRealTimers', 'jest.useRealTimers', 'sinon.clock.restore', 'sinon.clock.uninstall', 't.mock.timers.reset',
      'node:test.mock.timers.reset', 'mockdate.reset', 'MockDate.reset', 'timekeeper.reset', 'tk.reset', 'jasmine.clock.uninstall',
      '@std/testing/time.FakeTime.restore', 'jest-date-mock.clear', 'sinon.sandbox.restore', 'sinon.restore', 't.mock.reset',
      't.mock.restoreAll', 'node:test.mock.reset', 'node:test.mock.restoreAll'],
    effect: 'real-clock',
  },
  {
    name: ['nock', 'nock.disableNetConnect', 'msw/node.setupServer', 'msw.setupServer', 'msw/browser.setupWorker', 'msw.http.*',
      'msw.rest.*', 'msw.graphql.*', 'fetch-mock.*', 'jest-fetch-mock.*', 'undici.MockAgent.new', 'undici.MockPool.new',
      '@pollyjs/core.Polly.new', 'axios-mock-adapter.new', 'page.route', 'page.routeFromHAR', 'browserContext.route',
      'page.setRequestInterception', 'cy.intercept', 'cy.route', 'supertest', 'mock-socket.Server.new', 'jasmine.Ajax.install',
      'jasmine.Ajax.withMock'],
    effect: 'fake-net',
  },
  {
    name: ['vi.restoreAllMocks', 'jest.restoreAllMocks', 'vi.resetAllMocks', 'jest.resetAllMocks', 'vi.clearAllMocks', 'jest.clearAllMocks',
      '?.mockClear', '?.resetHistory', 'sinon.resetHistory', 'sinon.reset', 'sinon.sandbox.reset', 'sinon.sandbox.resetHistory',
      'vi.unstubAllEnvs', 'vi.unstubAllGlobals', 'vi.resetModules', 'jest.resetModules', 'sinon.restore', 'sinon.sandbox.restore',
      'sinon.verifyAndRestore', '?.mockRestore', '?.mockReset', '?.restore', 't.mock.reset', 't.mock.restoreAll', 'node:test.mock.reset',
      'node:test.mock.restoreAll', 'bun:test.mock.restore', 'vi.stubEnv', 'mock-fs.restore', 'nock.cleanAll', 'nock.restore',
      'testdouble.reset'],
    effect: 'restore',
  },
  {
    name: ['async-mutex.Mutex.runExclusive', 'async-mutex.Mutex.acquire', 'proper-lockfile.lock', 'proper-lockfile.lockSync',
      'lockfile.lock'],
    effect: 'serialise',
  },
  {
    name: [...both(['mkdtemp', 'mkdtempSync', 'mkdtempDisposable', 'mkdtempDisposableSync'], 'fs', 'fs/promises'), 'tmp.dirSync',
      'tmp.fileSync', 'tmp.dir', 'tmp.file', 'tmp.tmpNameSync', 'tmp-promise.dir', 'tmp-promise.file', 'tmp-promise.withDir',
      'tempy.temporaryDirectory', 'tempy.temporaryFile', 'tempy.temporaryDirectoryTask', 'temp.mkdirSync', 'temp.mkdir', 'tempy.directory',
      'tempy.file', 't.testdir', 'Deno.makeTempDir', 'Deno.makeTempFile', 'Deno.makeTempDirSync', 'mock-fs', 'memfs.vol.fromJSON',
      'testInfo.outputPath', 'test.info.outputPath', 'mongodb-memory-server.MongoMemoryServer.create',
      'mongodb-memory-server.MongoMemoryServer.new'],
    effect: 'temp-dir',
  },
  {
    name: ['fast-check.assert', 'fast-check.check', 'fast-check.property', 'fast-check.asyncProperty', 'fast-check.sample', 'fc.assert',
      'fc.property', 'fc.asyncProperty', 'jsverify.*', 'testcheck.*'],
    effect: 'property',
  },
  // where values go
  {
    name: [...both(['log', 'info', 'warn', 'error', 'debug', 'trace', 'time', 'timeEnd', 'table'], 'console'),
      ...both(['write'], 'process.stdout', 'process.stderr'), 'cy.log', 't.log', 't.comment', 't.diagnostic', 'debug', '?.info', '?.debug',
      '?.warn', '?.verbose'],
    effect: 'log',
  },
  {
    name: both(['toMatchSnapshot', 'toMatchInlineSnapshot', 'toMatchFileSnapshot', 'toThrowErrorMatchingSnapshot',
      'toThrowErrorMatchingInlineSnapshot', 'matchSnapshot', 'toMatchImageSnapshot', 'toHaveScreenshot', 'toMatchAriaSnapshot'], 'expect',
      'expect.resolves', 'expect.rejects'),
    effect: 'snapshot',
    arg: -1,
  },
  { name: ['t.snapshot', 't.matchSnapshot', 't.fileSnapshot', 'assert.snapshot', 'snap-shot-it', 'chai-jest-snapshot'], effect: 'snapshot',
    arg: 0 },
  { name: ['@std/testing/snapshot.assertSnapshot', '@std/testing.assertSnapshot'], effect: 'snapshot', arg: 1 },
]
