// What Java's APIs do to determinism. One row, one fact; names as imports and types resolve them, constructors as `.new`.

import type { CatalogRow } from '../frontend.ts'
import { pauses } from '../pauses.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Every method of every type: `all('java.util.concurrent', 'A B', 'x y')`. */
const all = (from: string, types: string, methods: string): string[] =>
  words(types).flatMap(type => words(methods).map(method => `${from}.${type}.${method}`))

const CONCURRENT = 'java.util.concurrent'
const UNITS = { NANOSECONDS: 1e-6, MICROSECONDS: 1e-3, MILLISECONDS: 1, SECONDS: 1000, MINUTES: 60_000, HOURS: 3_600_000,
  DAYS: 86_400_000 } as const
const CHRONO = { NANOS: 1e-6, MICROS: 1e-3, MILLIS: 1, SECONDS: 1000, MINUTES: 60_000, HOURS: 3_600_000, DAYS: 86_400_000 } as const

const CONVERSIONS = words('toNanos toMicros toMillis toSeconds toMinutes toHours toDays convert toChronoUnit')

function durations(): Record<string, number> {
  const worth: Record<string, number> = {
    'java.time.Duration.ofNanos': 1e-6,
    'java.time.Duration.ofMillis': 1,
    'java.time.Duration.ofSeconds': 1000,
    'java.time.Duration.ofMinutes': 60_000,
    'java.time.Duration.ofHours': 3_600_000,
    'java.time.Duration.ofDays': 86_400_000,
    'java.time.Duration.of': 1,
    'java.time.Duration.ZERO': 0,
    'timeout=': 1,
    'java.time.Duration.toMillis': 1,
    'java.time.Duration.toNanos': 1,
    'java.time.Duration.getSeconds': 1,
    'java.time.Duration.toSeconds': 1,
    'org.joda.time.Duration.millis': 1,
    'org.joda.time.Duration.standardSeconds': 1000,
    'org.joda.time.Duration.standardMinutes': 60_000,
    'org.awaitility.Durations.ONE_HUNDRED_MILLISECONDS': 100,
    'org.awaitility.Durations.TWO_HUNDRED_MILLISECONDS': 200,
    'org.awaitility.Durations.FIVE_HUNDRED_MILLISECONDS': 500,
    'org.awaitility.Durations.ONE_SECOND': 1000,
    'org.junit.rules.Timeout.millis': 1,
    'org.junit.rules.Timeout.seconds': 1000,
  }
  for (const [unit, ms] of Object.entries(UNITS)) {
    worth[`java.util.concurrent.TimeUnit.${unit}`] = ms
    // `SECONDS.toMillis(2)` and `MILLISECONDS.convert(2, SECONDS)` are both two seconds, whatever unit they are counted in.
    for (const method of CONVERSIONS) worth[`java.util.concurrent.TimeUnit.${unit}.${method}`] = ms
  }
  for (const [unit, ms] of Object.entries(CHRONO)) worth[`java.time.temporal.ChronoUnit.${unit}`] = ms
  return worth
}

export const DURATIONS: Readonly<Record<string, number>> = durations()

const DATES = 'Instant LocalDate LocalTime LocalDateTime ZonedDateTime OffsetDateTime OffsetTime Year YearMonth MonthDay'
const EXECUTORS =
  'Executor ExecutorService ScheduledExecutorService ThreadPoolExecutor ScheduledThreadPoolExecutor ForkJoinPool CompletionService ExecutorCompletionService'
const FUTURES = 'Future CompletableFuture ScheduledFuture FutureTask ForkJoinTask'
const QUEUES =
  'BlockingQueue BlockingDeque LinkedBlockingQueue LinkedBlockingDeque ArrayBlockingQueue PriorityBlockingQueue SynchronousQueue DelayQueue LinkedTransferQueue TransferQueue'
const LOCKS = 'Lock ReentrantLock ReentrantReadWriteLock.ReadLock ReentrantReadWriteLock.WriteLock'
/** By its package, and as it is named where that is imported with a star. */
const jms = (types: string, method: string): string[] =>
  ['javax.jms.', 'jakarta.jms.', ''].flatMap(from => words(types).map(type => `${from}${type}.${method}`))
const WAITS = ['org.apache.activemq.util.Wait.waitFor', 'org.apache.activemq.artemis.utils.Wait.waitFor',
  'org.apache.activemq.artemis.tests.util.Wait.waitFor', 'Wait.waitFor']
const GUAVA_CONCURRENT = 'com.google.common.util.concurrent'
const JUPITER = 'org.junit.jupiter.api.Assertions'
const KAFKA_TEST = 'org.apache.kafka.test.TestUtils'
const THROWS_LATE = [
  ...all(CONCURRENT, FUTURES, 'get'),
  'java.util.concurrent.CyclicBarrier.await',
  ...all(GUAVA_CONCURRENT, 'ListenableFuture SettableFuture AbstractFuture', 'get'),
  ...all(GUAVA_CONCURRENT, 'Service ServiceManager', 'awaitRunning awaitTerminated awaitHealthy awaitStopped'),
  'org.apache.kafka.common.KafkaFuture.get',
  '?.awaitRunning',
  '?.awaitTerminated',
  '?.awaitHealthy',
  '?.awaitStopped',
]
const LEVELS = 'trace debug info warn error fatal log fine finer finest config warning severe'

export const CATALOG: readonly CatalogRow[] = [
  // clock; the overload with a Clock is the cure, and the parser names that argument
  { name: ['java.lang.System.currentTimeMillis', '…currentTimeMillis', '…getCurrentTimeMillis', '…currentTimeInMillis'], effect: 'clock',
    note: 'millis' },
  { name: all('java.time', DATES, 'now'), effect: 'clock', args: [0, 1], with: '!clock' },
  { name: ['java.util.Date.new', 'java.util.GregorianCalendar.new'], effect: 'clock', args: 0 },
  {
    name: ['java.util.Calendar.getInstance', 'java.time.Clock.systemUTC', 'java.time.Clock.systemDefaultZone', 'java.time.Clock.system',
      'java.time.Clock.tickSeconds', 'java.time.Clock.tickMillis', 'java.time.Clock.tickMinutes', '?.dateNow'],
    effect: 'clock',
  },
  { name: all('org.joda.time', 'DateTime LocalDate LocalTime LocalDateTime Instant', 'now'), effect: 'clock' },
  { name: all('org.joda.time', 'DateTime LocalDate LocalTime LocalDateTime Instant', 'new'), effect: 'clock', args: 0 },
  // the host's time zone and locale: see flow/zones/zone.ts for the notes
  { name: ['java.util.Date.new', 'java.util.GregorianCalendar.new'], effect: 'local-zone', args: [3, 5, 6], note: 'from' },
  { name: 'org.joda.time.DateTime.new', effect: 'local-zone', args: 5, note: 'from' },
  { name: ['java.sql.Timestamp.valueOf', 'java.sql.Date.valueOf', 'java.text.SimpleDateFormat.parse', 'java.text.DateFormat.parse'],
    effect: 'local-zone', note: 'from' },
  {
    name: [...all('java.text', 'SimpleDateFormat DateFormat', 'format'),
      ...all('java.util', 'Date', 'getHours getDate getDay getMonth getYear toLocaleString'),
      'org.apache.commons.lang3.time.DateFormatUtils.format'],
    effect: 'local-zone',
    note: 'to',
  },
  {
    name: ['java.time.ZoneId.systemDefault', 'java.time.ZoneOffset.systemDefault', 'java.util.TimeZone.getDefault',
      'org.joda.time.DateTimeZone.getDefault', 'java.util.Date.getTimezoneOffset'],
    effect: 'local-zone',
    note: 'zone',
  },
  {
    name: ['java.text.SimpleDateFormat.new', ...all('java.text', 'DateFormat', 'getDateInstance getTimeInstance getDateTimeInstance'),
      'org.apache.commons.lang3.time.FastDateFormat.getInstance'],
    effect: 'local-zone',
    args: [0, 1, 2, 3],
    note: 'formatter',
  },
  { name: ['java.text.DecimalFormat.new'], effect: 'locale', args: [0, 1] },
  { name: all('java.text', 'NumberFormat', 'getInstance getNumberInstance getCurrencyInstance getPercentInstance getIntegerInstance'),
    effect: 'locale', args: 0 },
  { name: ['java.text.SimpleDateFormat.new', 'java.time.format.DateTimeFormatter.ofPattern'], effect: 'locale', args: 1, arg: 0,
    note: 'pattern' },
  { name: all('java.time.format', 'DateTimeFormatter', 'ofLocalizedDate ofLocalizedDateTime ofLocalizedTime'), effect: 'locale' },
  { name: all('java.text', 'DateFormat', 'getDateInstance getTimeInstance'), effect: 'locale', args: [0, 1] },
  { name: 'java.text.DateFormat.getDateTimeInstance', effect: 'locale', args: [0, 2] },
  { name: ['java.util.Locale.getDefault', 'java.text.Collator.getInstance'], effect: 'locale', args: 0 },
  // monotonic and measured
  { name: ['java.lang.System.nanoTime', 'com.google.common.base.Ticker.systemTicker'], effect: 'mono' },
  {
    name: ['com.google.common.base.Stopwatch.elapsed',
      ...all('org.springframework.util', 'StopWatch', 'getTotalTimeMillis getLastTaskTimeMillis')],
    effect: 'elapsed',
    note: 'millis',
  },
  {
    name: [...all('org.springframework.util', 'StopWatch', 'getTotalTimeSeconds getTotalTimeNanos'),
      ...all('org.apache.commons.lang3.time', 'StopWatch', 'getTime getNanoTime getDuration'),
      'java.lang.management.ThreadMXBean.getCurrentThreadCpuTime'],
    effect: 'elapsed',
  },
  // sleep
  { name: 'java.lang.Thread.sleep', effect: 'sleep', ms: { arg: 0, unit: 'ms' } },
  { name: ['java.lang.Thread.yield', 'java.lang.Thread.sleep'], effect: 'yield' },
  { name: 'java.util.concurrent.TimeUnit.NANOSECONDS.sleep', effect: 'sleep', ms: { arg: 0, unit: 'ns' } },
  { name: 'java.util.concurrent.TimeUnit.MICROSECONDS.sleep', effect: 'sleep', ms: { arg: 0, unit: 'us' } },
  { name: 'java.util.concurrent.TimeUnit.MILLISECONDS.sleep', effect: 'sleep', ms: { arg: 0, unit: 'ms' } },
  { name: 'java.util.concurrent.TimeUnit.SECONDS.sleep', effect: 'sleep', ms: { arg: 0, unit: 's' } },
  { name: 'java.util.concurrent.TimeUnit.MINUTES.sleep', effect: 'sleep', ms: { arg: 0, unit: 'm' } },
  {
    name: ['java.util.concurrent.TimeUnit.sleep', 'java.util.concurrent.TimeUnit.HOURS.sleep', 'java.util.concurrent.TimeUnit.DAYS.sleep',
      'java.util.concurrent.locks.LockSupport.parkUntil'],
    effect: 'sleep',
  },
  { name: 'java.util.concurrent.locks.LockSupport.parkNanos', effect: 'sleep', args: 1, ms: { arg: 0, unit: 'ns' } },
  { name: 'java.util.concurrent.locks.LockSupport.parkNanos', effect: 'sleep', args: 2, ms: { arg: 1, unit: 'ns' } },
  { name: `${GUAVA_CONCURRENT}.Uninterruptibles.sleepUninterruptibly`, effect: 'sleep', args: 2, ms: { arg: 0, unitArg: 1 } },
  { name: `${GUAVA_CONCURRENT}.Uninterruptibles.sleepUninterruptibly`, effect: 'sleep', args: 1, ms: { arg: 0, unit: 'ms' } },
  {
    name: ['android.os.SystemClock.sleep', 'org.apache.kafka.common.utils.Utils.sleep', 'org.apache.kafka.common.utils.Time.SYSTEM.sleep',
      'org.apache.kafka.common.utils.SystemTime.sleep', 'com.codeborne.selenide.Selenide.sleep', 'org.mockito.Mockito.after',
      '?.waitForTimeout', 'com.microsoft.playwright.Page.waitForTimeout', 'com.microsoft.playwright.Frame.waitForTimeout',
      'java.awt.Robot.delay', 'org.assertj.swing.timing.Pause.pause'],
    effect: 'sleep',
    ms: { arg: 0, unit: 'ms' },
  },
  {
    name: ['…sleep', '…sleepMillis', '…sleepMs', '…sleepQuietly', '…quietlySleep', '…safeSleep', '…sleepFor', '…sleepThread',
      '…sleepSilently', '…sleepAtLeastMillis'],
    effect: 'sleep',
    args: 1,
    ms: { arg: 0, unit: 'ms' },
  },
  { name: ['…sleepSeconds', '…sleepSecs', '…sleepAtLeastSeconds'], effect: 'sleep', args: 1, ms: { arg: 0, unit: 's' } },
  { name: 'org.apache.commons.lang3.ThreadUtils.sleep', effect: 'sleep', ms: { arg: 0, unit: 'ms' } },
  ...pauses({ styles: ['camel'], unit: 'ms', methods: true }),
  { name: all('org.apache.curator.test', 'Timing Timing2', 'sleepABit'), effect: 'sleep', args: 0 },
  // A wait for what nobody can bring, and a timer that is blocked for: the parser names the time.
  {
    name: ['java.lang.Object.wait', 'java.lang.Thread.join', 'java.util.concurrent.CountDownLatch.await',
      'java.util.concurrent.Semaphore.tryAcquire', ...words('First Last Single Get Await Subscribe ForEach').map(how => `?.blocking${how}`),
      '?.toBlocking'],
    effect: 'sleep',
    with: 'pause',
    ms: { arg: 'pause', unit: 'ms' },
  },
  { name: 'java.lang.Object.wait', effect: 'sync-timed', args: [1, 2], with: '!pause', ms: { arg: 0, unit: 'ms' }, note: 'spurious' },
  // random
  { name: ['java.util.Random.new', 'java.util.SplittableRandom.new'], effect: 'random', args: 0 },
  {
    name: ['java.lang.Math.random', 'java.util.concurrent.ThreadLocalRandom.current', 'java.security.SecureRandom.new',
      'java.security.SecureRandom.getInstanceStrong', 'java.security.SecureRandom.getInstance',
      'java.util.random.RandomGenerator.getDefault', 'java.util.UUID.randomUUID', 'org.apache.kafka.common.Uuid.randomUuid',
      'com.fasterxml.uuid.Generators.*'],
    effect: 'random',
  },
  {
    name: ['org.apache.commons.lang3.RandomStringUtils.*', 'org.apache.commons.lang3.RandomUtils.*',
      'org.apache.commons.lang.RandomStringUtils.*', 'org.apache.commons.lang.math.RandomUtils.*', 'org.instancio.Instancio.*',
      'org.instancio.Instancio.create'],
    effect: 'random',
  },
  { name: ['java.util.Collections.shuffle'], effect: 'random', args: 1 },
  { name: ['net.datafaker.Faker.new', 'com.github.javafaker.Faker.new', 'org.jeasy.random.EasyRandom.new'], effect: 'random', args: 0 },
  {
    name: ['java.util.UUID.randomUUID', 'org.apache.kafka.common.Uuid.randomUuid', 'com.fasterxml.uuid.Generators.*',
      'java.util.concurrent.atomic.AtomicInteger.getAndIncrement', 'java.util.concurrent.atomic.AtomicInteger.incrementAndGet',
      'java.util.concurrent.atomic.AtomicLong.getAndIncrement', 'java.util.concurrent.atomic.AtomicLong.incrementAndGet'],
    effect: 'unique-id',
  },
  { name: ['java.util.Random.new', 'java.util.SplittableRandom.new', 'java.util.Random.setSeed', 'java.security.SecureRandom.setSeed'],
    effect: 'seed', arg: 0, args: 1 },
  { name: 'java.util.Collections.shuffle', effect: 'seed', arg: 1, args: 2 },
  { name: ['net.datafaker.Faker.new', 'com.github.javafaker.Faker.new'], effect: 'seed', arg: 0, args: 1 },
  { name: ['net.datafaker.Faker.new', 'com.github.javafaker.Faker.new'], effect: 'seed', arg: 1, args: 2 },
  { name: ['org.jeasy.random.EasyRandomParameters.seed', '?.seed', '?.withSeed'], effect: 'seed', arg: 0, args: 1 },
  { name: 'org.jeasy.random.EasyRandom.new', effect: 'seed', arg: 0, args: 1 },
  // order
  {
    name: [...all('java.util', 'HashMap HashSet IdentityHashMap WeakHashMap PriorityQueue', 'new'),
      ...all(CONCURRENT, 'ConcurrentHashMap PriorityBlockingQueue', 'new'), 'java.util.concurrent.ConcurrentHashMap.newKeySet',
      'com.google.common.collect.Sets.newHashSet', 'com.google.common.collect.Maps.newHashMap',
      'com.google.common.collect.Sets.newConcurrentHashSet', 'com.google.common.collect.HashMultimap.create',
      'com.google.common.collect.HashMultiset.create'],
    effect: 'unordered',
  },
  {
    name: ['java.util.Set.of', 'java.util.Map.of', 'java.util.Set.copyOf', 'java.util.Map.copyOf', 'java.util.Map.ofEntries',
      ...all('java.util.stream', 'Collectors', 'toSet toMap groupingBy partitioningBy toUnmodifiableSet toUnmodifiableMap')],
    effect: 'unordered',
  },
  {
    name: all('java.lang', 'Class',
      'getMethods getDeclaredMethods getFields getDeclaredFields getConstructors getDeclaredConstructors getClasses getDeclaredClasses getAnnotations getDeclaredAnnotations'),
    effect: 'unordered',
  },
  {
    name: ['?.getDeclaredMethods', '?.getDeclaredFields', '?.getDeclaredAnnotations', '?.getDeclaredConstructors',
      'java.lang.reflect.Field.getDeclaredAnnotations', 'java.lang.reflect.Method.getDeclaredAnnotations',
      'java.lang.reflect.Method.getAnnotations', 'java.text.DateFormatSymbols.getZoneStrings', 'java.util.Locale.getAvailableLocales',
      'java.text.NumberFormat.getAvailableLocales', 'java.text.DateFormat.getAvailableLocales'],
    effect: 'unordered',
  },
  { name: [...all('java.util', 'Map', 'keySet values entrySet'), ...all('java.util', 'Set', 'iterator stream toArray')],
    effect: 'unordered', note: 'view' },
  // What writes the properties of an object finds them by reflection.
  {
    name: ['com.fasterxml.jackson.databind.ObjectMapper.writeValueAsString', '?.writeValueAsString', 'com.google.gson.Gson.toJson',
      '?.toJson', 'com.alibaba.fastjson.JSON.toJSONString', 'com.alibaba.fastjson2.JSON.toJSONString', '?.toJSONString',
      'org.json.JSONObject.toString'],
    effect: 'unordered',
    note: 'text',
  },
  {
    name: [...all('java.io', 'File', 'list listFiles listRoots'),
      ...all('java.nio.file', 'Files', 'list walk find newDirectoryStream walkFileTree'), '?.listFiles',
      'org.apache.commons.io.FileUtils.listFiles'],
    effect: 'fs-order',
  },
  {
    name: ['java.util.Collections.sort', 'java.util.Arrays.sort', 'java.util.List.sort', 'java.util.ArrayList.sort',
      'java.util.stream.Stream.sorted', '?.sorted', '?.sort', 'java.util.TreeMap.new', 'java.util.TreeSet.new',
      'java.util.concurrent.ConcurrentSkipListMap.new', 'java.util.concurrent.ConcurrentSkipListSet.new',
      'com.google.common.collect.Ordering.sortedCopy', 'com.google.common.collect.ImmutableSortedSet.copyOf'],
    effect: 'sort',
  },
  {
    name: [...all('java.sql', 'Statement PreparedStatement', 'executeQuery'), '?.executeQuery', '?.queryForList',
      ...all('org.springframework.jdbc.core', 'JdbcTemplate', 'query queryForList'), '?.getResultList'],
    effect: 'rows',
  },
  {
    name: [...all('org.springframework.jdbc.core', 'JdbcOperations', 'query queryForList'),
      ...all('org.springframework.jdbc.core.namedparam', 'NamedParameterJdbcTemplate NamedParameterJdbcOperations', 'query queryForList')],
    effect: 'rows',
  },
  { name: '?.findAll', effect: 'rows', note: 'built', args: 0 },
  // pages
  {
    name: [...all('org.openqa.selenium', 'WebElement', 'getText isDisplayed isEnabled isSelected getAttribute'),
      ...all('org.openqa.selenium', 'WebDriver', 'getTitle getCurrentUrl getPageSource'), '?.getText', '?.isDisplayed'],
    effect: 'ui-read',
  },
  { name: ['java.util.Properties.stringPropertyNames', '?.stringPropertyNames'], effect: 'unordered', note: 'bag' },
  { name: ['?.smembers', '?.hkeys', ...all('redis.clients.jedis', 'Jedis', 'smembers hkeys sinter sunion sdiff')], effect: 'unordered',
    note: 'bag' },
  { name: ['java.lang.System.identityHashCode'], effect: 'identity' },
  // network
  { name: ['java.net.URL.openStream', 'java.net.URL.openConnection', 'java.net.URL.getContent'], effect: 'network', arg: -1 },
  {
    name: ['java.net.http.HttpClient.send', 'java.net.http.HttpClient.sendAsync', 'org.jsoup.Jsoup.connect',
      'java.net.InetAddress.getByName', 'java.net.InetAddress.getAllByName', 'okhttp3.OkHttpClient.newCall',
      ...all('org.springframework.web.client', 'RestTemplate',
        'getForObject getForEntity postForObject postForEntity exchange execute put delete'),
      'org.springframework.web.reactive.function.client.WebClient.create', 'org.apache.http.client.HttpClient.execute',
      'org.apache.http.impl.client.CloseableHttpClient.execute'],
    effect: 'network',
    arg: 0,
  },
  { name: 'java.net.Socket.new', effect: 'network', arg: 0, args: [2, 4] },
  { name: 'java.net.Socket.connect', effect: 'network', arg: 0 },
  // ports
  { name: ['java.net.ServerSocket.new', 'java.net.DatagramSocket.new'], effect: 'bind-port', arg: 0, args: [1, 2, 3] },
  {
    name: ['java.net.ServerSocket.bind', 'java.net.DatagramSocket.bind', 'java.nio.channels.ServerSocketChannel.bind',
      'java.nio.channels.AsynchronousServerSocketChannel.bind', 'io.netty.bootstrap.ServerBootstrap.bind',
      'javax.net.ServerSocketFactory.createServerSocket', 'javax.net.ssl.SSLServerSocketFactory.createServerSocket',
      'com.sun.net.httpserver.HttpServer.create', 'com.sun.net.httpserver.HttpsServer.create', 'com.sun.net.httpserver.HttpServer.bind',
      'com.github.tomakehurst.wiremock.WireMockServer.new', 'com.github.tomakehurst.wiremock.junit.WireMockRule.new',
      'com.github.tomakehurst.wiremock.junit.WireMockClassRule.new', 'org.mockserver.junit.MockServerRule.new',
      'org.mockserver.netty.MockServer.new', 'com.github.tomakehurst.wiremock.core.WireMockConfiguration.port',
      'com.github.tomakehurst.wiremock.core.WireMockConfiguration.httpsPort', 'okhttp3.mockwebserver.MockWebServer.start',
      'mockwebserver3.MockWebServer.start', 'org.eclipse.jetty.server.Server.new', 'org.eclipse.jetty.server.ServerConnector.setPort',
      'org.apache.catalina.startup.Tomcat.setPort', 'io.grpc.ServerBuilder.forPort', 'io.grpc.netty.NettyServerBuilder.forPort',
      'org.apache.curator.test.TestingServer.new', 'org.mockserver.integration.ClientAndServer.startClientAndServer',
      'java.rmi.registry.LocateRegistry.createRegistry', 'redis.embedded.RedisServer.new'],
    effect: 'bind-port',
    arg: 0,
    args: [1, 2, 3, 4],
  },
  {
    name: ['io.undertow.Undertow.Builder.addHttpListener', '?.addHttpListener', '?.addHttpsListener',
      'io.vertx.core.http.HttpServer.listen', 'io.vertx.core.net.NetServer.listen', '?.listen'],
    effect: 'bind-port',
    arg: 0,
    args: [1, 2, 3, 4],
  },
  {
    name: ['org.springframework.util.SocketUtils.findAvailableTcpPort',
      'org.springframework.test.util.TestSocketUtils.findAvailableTcpPort', 'org.apache.dubbo.common.utils.NetUtils.getAvailablePort'],
    effect: 'bind-port',
    note: 'free-port',
  },
  {
    name: ['org.springframework.util.SocketUtils.findAvailableTcpPort',
      'org.springframework.test.util.TestSocketUtils.findAvailableTcpPort', 'org.apache.dubbo.common.utils.NetUtils.getAvailablePort'],
    effect: 'free-port',
  },
  // the host
  { name: ['java.lang.Runtime.availableProcessors', 'java.lang.Runtime.maxMemory', 'java.lang.Runtime.totalMemory'], effect: 'ambient',
    what: 'what the machine has' },
  { name: ['java.net.InetAddress.getLocalHost'], effect: 'ambient', what: 'a name of the host' },
  // things by name
  {
    name: ['org.testcontainers.containers.GenericContainer.new', 'org.testcontainers.containers.PostgreSQLContainer.new',
      'org.testcontainers.containers.MySQLContainer.new', 'org.testcontainers.containers.KafkaContainer.new',
      'org.testcontainers.containers.MongoDBContainer.new', 'org.testcontainers.utility.DockerImageName.parse'],
    effect: 'external',
    arg: 0,
    what: 'image',
  },
  // state of the whole process
  { name: all('java.lang', 'System', 'setProperty clearProperty setProperties Properties.remove Properties.put Properties.setProperty'),
    effect: 'env-write', arg: 0 },
  {
    name: ['java.lang.System.setOut', 'java.lang.System.setErr', 'java.lang.System.setIn', 'java.lang.System.setSecurityManager',
      'java.lang.Thread.setDefaultUncaughtExceptionHandler', 'java.security.Security.addProvider',
      'java.security.Security.insertProviderAt', 'java.security.Security.removeProvider', 'java.security.Security.setProperty',
      'java.net.URL.setURLStreamHandlerFactory', 'java.net.ProxySelector.setDefault', 'java.net.Authenticator.setDefault',
      'java.net.CookieHandler.setDefault', 'javax.net.ssl.SSLContext.setDefault',
      'javax.net.ssl.HttpsURLConnection.setDefaultSSLSocketFactory', 'javax.net.ssl.HttpsURLConnection.setDefaultHostnameVerifier',
      'java.util.logging.LogManager.reset', 'java.lang.Runtime.addShutdownHook'],
    effect: 'global-write',
    arg: 0,
  },
  { name: ['java.util.TimeZone.setDefault', 'org.joda.time.DateTimeZone.setDefault'], effect: 'global-write', what: 'time zone' },
  { name: 'java.util.Locale.setDefault', effect: 'global-write', what: 'locale' },
  { name: ['org.mockito.Mockito.mockStatic', 'org.mockito.Mockito.mockConstruction', 'org.mockito.Mockito.mockConstructionWithAnswer'],
    effect: 'mock', arg: 0 },
  {
    name: ['java.lang.ProcessHandle.current', 'java.lang.management.RuntimeMXBean.getName', 'java.lang.management.RuntimeMXBean.getPid',
      'java.lang.Thread.getId', 'java.lang.Thread.threadId', 'java.lang.ProcessHandle.pid'],
    effect: 'process-id',
  },
  // what the process takes up
  {
    name: [...all('java.lang', 'Runtime', 'freeMemory totalMemory gc'), 'java.lang.System.gc', 'java.lang.Thread.activeCount',
      'java.lang.Thread.getAllStackTraces', ...all('java.lang.management', 'ThreadMXBean', 'getThreadCount getPeakThreadCount'),
      'java.lang.management.MemoryMXBean.getHeapMemoryUsage', 'java.lang.management.OperatingSystemMXBean.getSystemLoadAverage'],
    effect: 'usage',
  },
  // names
  {
    name: ['java.sql.DriverManager.getConnection', 'com.mongodb.client.MongoClient.getDatabase', 'com.mongodb.MongoClient.getDatabase',
      '?.createDatabase', '?.getDatabase', '?.setJdbcUrl', 'com.zaxxer.hikari.HikariConfig.setJdbcUrl',
      'org.h2.jdbcx.JdbcDataSource.setURL'],
    effect: 'name-resource',
    arg: 0,
    what: 'database',
  },
  { name: ['?.createTable', '?.createSchema', '?.createCollection', '?.createIndex', '?.createKeyspace'], effect: 'name-resource', arg: 0,
    what: 'table' },
  {
    name: ['org.apache.kafka.clients.admin.NewTopic.new', 'kafka.utils.TestUtils.createTopic',
      'org.apache.kafka.streams.integration.utils.EmbeddedKafkaCluster.createTopic',
      'org.apache.kafka.streams.integration.utils.EmbeddedKafkaCluster.createTopics', '?.createTopic', '?.createTopics',
      '?.createTopicWithAssignment', 'org.apache.kafka.common.test.ClusterInstance.createTopic'],
    effect: 'name-resource',
    arg: 0,
    what: 'topic',
  },
  {
    name: ['?.createQueue', '?.queueDeclare', '?.exchangeDeclare', '?.createBucket',
      'software.amazon.awssdk.services.s3.S3Client.createBucket'],
    effect: 'name-resource',
    arg: 0,
    what: 'queue or bucket',
  },
  {
    name: [
      ...all('java.nio.file', 'Files',
        'createFile createDirectory createDirectories write writeString newBufferedWriter newOutputStream createSymbolicLink createLink'),
      ...all('java.io', 'FileWriter FileOutputStream RandomAccessFile', 'new'),
      'org.apache.commons.io.FileUtils.writeStringToFile',
      'org.apache.commons.io.FileUtils.forceMkdir',
      'org.apache.commons.io.FileUtils.touch',
      'com.google.common.io.Files.touch',
      'com.google.common.io.Files.createParentDirs',
    ],
    effect: 'name-resource',
    arg: 0,
    what: 'file',
  },
  { name: [...all('java.util', 'Properties Map HashMap', 'put setProperty'), 'java.lang.System.setProperty'], effect: 'name-resource',
    arg: 'folder', with: 'folder', what: 'folder' },
  { name: ['java.io.PrintWriter.new'], effect: 'name-resource', arg: 0, args: [1, 2], what: 'file' },
  { name: ['java.nio.file.Files.copy', 'java.nio.file.Files.move'], effect: 'name-resource', arg: 1, what: 'file' },
  { name: all('java.io', 'File', 'createNewFile mkdir mkdirs'), effect: 'name-resource', arg: -1, what: 'file' },
  // limits
  { name: [`${JUPITER}.assertTimeout`, `${JUPITER}.assertTimeoutPreemptively`], effect: 'timeout', ms: { arg: 0, unit: 'ms' } },
  { name: 'org.junit.rules.Timeout.seconds', effect: 'timeout', ms: { arg: 0, unit: 's' } },
  {
    name: ['org.junit.rules.Timeout.millis', 'org.mockito.Mockito.timeout', 'java.net.Socket.setSoTimeout',
      'java.net.ServerSocket.setSoTimeout', 'java.net.URLConnection.setConnectTimeout', 'java.net.URLConnection.setReadTimeout',
      'java.net.HttpURLConnection.setConnectTimeout', 'java.net.HttpURLConnection.setReadTimeout'],
    effect: 'timeout',
    ms: { arg: 0, unit: 'ms' },
  },
  {
    name: [...all('reactor.test', 'StepVerifier', 'verify verifyThenAssertThat'),
      ...all('reactor.core.publisher', 'Mono Flux', 'block blockFirst blockLast')],
    effect: 'timeout',
    args: 1,
    ms: { arg: 0, unit: 'ms' },
  },
  { name: 'org.junit.rules.Timeout.new', effect: 'timeout', args: 2, ms: { arg: 0, unitArg: 1 } },
  { name: 'org.junit.rules.Timeout.new', effect: 'timeout', args: 1, ms: { arg: 0, unit: 'ms' } },
  { name: ['java.util.concurrent.CompletableFuture.orTimeout', '?.orTimeout', 'org.assertj.core.api.Assertions.succeedsWithin'],
    effect: 'timeout', args: 2, ms: { arg: 0, unitArg: 1 } },
  { name: 'java.util.concurrent.CompletableFuture.completeOnTimeout', effect: 'timeout', ms: { arg: 1, unitArg: 2 } },
  { name: `${GUAVA_CONCURRENT}.SimpleTimeLimiter.callWithTimeout`, effect: 'timeout', ms: { arg: 1, unitArg: 2 } },
  { name: `${GUAVA_CONCURRENT}.SimpleTimeLimiter.newProxy`, effect: 'timeout', ms: { arg: 2, unitArg: 3 } },
  // waiting for another thread
  {
    name: [...all(CONCURRENT, 'CountDownLatch CyclicBarrier', 'await'), 'java.lang.Object.wait',
      ...all(`${CONCURRENT}.locks`, 'Condition', 'await awaitUninterruptibly'), ...all(CONCURRENT, FUTURES, 'get join'),
      'java.lang.Thread.join', 'java.lang.Process.waitFor', `${GUAVA_CONCURRENT}.ListenableFuture.get`,
      `${GUAVA_CONCURRENT}.SettableFuture.get`, `${GUAVA_CONCURRENT}.AbstractFuture.get`, 'org.apache.kafka.common.KafkaFuture.get'],
    effect: 'sync',
    args: 0,
  },
  {
    name: [...all(CONCURRENT, 'Semaphore', 'acquire acquireUninterruptibly'),
      ...all(CONCURRENT, 'Phaser', 'arriveAndAwaitAdvance awaitAdvance awaitAdvanceInterruptibly'),
      ...all(CONCURRENT, QUEUES, 'take takeFirst takeLast transfer'), 'java.util.concurrent.Exchanger.exchange',
      'java.util.concurrent.CompletionService.take', 'java.util.concurrent.ExecutorCompletionService.take',
      'java.util.concurrent.locks.LockSupport.park', 'java.util.concurrent.ForkJoinPool.invoke'],
    effect: 'sync',
  },
  { name: all(CONCURRENT, 'ExecutorService ThreadPoolExecutor ScheduledExecutorService ForkJoinPool', 'invokeAll invokeAny'),
    effect: 'sync', args: 1 },
  { name: all(GUAVA_CONCURRENT, 'Uninterruptibles', 'awaitUninterruptibly joinUninterruptibly getUninterruptibly takeUninterruptibly'),
    effect: 'sync', args: 1 },
  { name: `${GUAVA_CONCURRENT}.Uninterruptibles.putUninterruptibly`, effect: 'sync', args: 2 },
  { name: all(GUAVA_CONCURRENT, 'Futures', 'getDone getUnchecked getChecked'), effect: 'sync' },
  { name: ['?.awaitTerminated', '?.awaitStopped', ...all(GUAVA_CONCURRENT, 'Service ServiceManager', 'awaitTerminated awaitStopped')],
    effect: 'sync', args: 0 },
  { name: 'java.util.concurrent.CountDownLatch.await', effect: 'sync-timed', args: 2, ms: { arg: 0, unitArg: 1 }, note: 'getCount' },
  {
    name: [...all(CONCURRENT, EXECUTORS, 'awaitTermination'), `${GUAVA_CONCURRENT}.ListeningExecutorService.awaitTermination`,
      '?.awaitTermination'],
    effect: 'sync-timed',
    args: 2,
    ms: { arg: 0, unitArg: 1 },
    note: 'isTerminated',
  },
  { name: 'org.apache.kafka.streams.KafkaStreams.close', effect: 'sync-timed', args: 1, ms: { arg: 0, unit: 'ms' } },
  {
    name: [...all(`${CONCURRENT}.locks`, 'Condition', 'await'), ...all(CONCURRENT, 'Semaphore', 'tryAcquire'),
      ...all(`${CONCURRENT}.locks`, LOCKS, 'tryLock'), ...all(CONCURRENT, QUEUES, 'poll pollFirst pollLast'),
      'java.util.concurrent.CompletionService.poll', 'java.util.concurrent.ExecutorCompletionService.poll', 'java.lang.Process.waitFor',
      'java.util.concurrent.ForkJoinPool.awaitQuiescence', '?.tryAcquire'],
    effect: 'sync-timed',
    args: 2,
    ms: { arg: 0, unitArg: 1 },
  },
  { name: [...all(CONCURRENT, 'Semaphore', 'tryAcquire'), ...all(CONCURRENT, QUEUES, 'offer')], effect: 'sync-timed', args: 3,
    ms: { arg: 1, unitArg: 2 } },
  { name: all(CONCURRENT, 'ExecutorService ThreadPoolExecutor ScheduledExecutorService ForkJoinPool', 'invokeAll'), effect: 'sync-timed',
    args: 3, ms: { arg: 1, unitArg: 2 } },
  { name: all(GUAVA_CONCURRENT, 'Uninterruptibles', 'awaitUninterruptibly awaitTerminationUninterruptibly tryAcquireUninterruptibly'),
    effect: 'sync-timed', args: 3, ms: { arg: 1, unitArg: 2 } },
  { name: all(GUAVA_CONCURRENT, 'Uninterruptibles', 'awaitUninterruptibly awaitTerminationUninterruptibly tryAcquireUninterruptibly'),
    effect: 'sync-timed', args: 2, ms: { arg: 1, unit: 'ms' } },
  { name: `${GUAVA_CONCURRENT}.Uninterruptibles.joinUninterruptibly`, effect: 'sync-timed', args: 3, ms: { arg: 1, unitArg: 2 },
    note: 'isAlive' },
  { name: `${GUAVA_CONCURRENT}.Uninterruptibles.joinUninterruptibly`, effect: 'sync-timed', args: 2, ms: { arg: 1, unit: 'ms' },
    note: 'isAlive' },
  // These throw when their limit passes, so nobody need look at what they give back.
  { name: THROWS_LATE.filter(n => !/awaitRunning|awaitHealthy/.test(n)), effect: 'sync', args: 2 },
  { name: THROWS_LATE, effect: 'timeout', args: 2, ms: { arg: 0, unitArg: 1 } },
  {
    name: [...all(CONCURRENT, 'Phaser', 'awaitAdvanceInterruptibly'), 'java.util.concurrent.Exchanger.exchange',
      ...all(CONCURRENT, 'ExecutorService ThreadPoolExecutor ScheduledExecutorService ForkJoinPool', 'invokeAny'),
      `${GUAVA_CONCURRENT}.Uninterruptibles.getUninterruptibly`],
    effect: 'timeout',
    args: 3,
    ms: { arg: 1, unitArg: 2 },
  },
  {
    name: [...all(CONCURRENT, 'ExecutorService ThreadPoolExecutor ScheduledExecutorService ForkJoinPool', 'invokeAny'),
      `${GUAVA_CONCURRENT}.Uninterruptibles.getUninterruptibly`],
    effect: 'sync',
    args: 3,
  },
  {
    name: [...jms('MessageConsumer QueueReceiver TopicSubscriber JMSConsumer', 'receive'),
      'org.apache.activemq.ActiveMQMessageConsumer.receive'],
    effect: 'sync-timed',
    args: 1,
    ms: { arg: 0, unit: 'ms' },
  },
  { name: jms('JMSConsumer', 'receiveBody'), effect: 'sync-timed', args: 2, ms: { arg: 1, unit: 'ms' } },
  { name: WAITS, effect: 'wait-until', args: 1 },
  { name: ['org.apache.hadoop.test', 'org.apache.ozone.test'].map(from => `${from}.GenericTestUtils.waitFor`), effect: 'wait-until',
    args: [3, 4], ms: { arg: 2, unit: 'ms' } },
  { name: all('org.apache.hadoop.test', 'LambdaTestUtils', 'await eventually'), effect: 'wait-until', args: [2, 3, 4],
    ms: { arg: 0, unit: 'ms' } },
  { name: WAITS, effect: 'wait-until', args: [2, 3], ms: { arg: 1, unit: 'ms' } },
  { name: all('org.apache.curator.test', 'Timing Timing2', 'awaitLatch acquireSemaphore takeFromQueue'), effect: 'sync-timed' },
  { name: 'java.util.concurrent.locks.Condition.awaitNanos', effect: 'sync-timed', ms: { arg: 0, unit: 'ns' } },
  { name: 'java.lang.Thread.join', effect: 'sync-timed', args: [1, 2], with: '!pause', ms: { arg: 0, unit: 'ms' }, note: 'isAlive' },
  { name: all(CONCURRENT, 'TimeUnit', 'SECONDS.timedJoin MILLISECONDS.timedJoin'), effect: 'sync-timed', note: 'isAlive' },
  // polling for a condition
  { name: all('org.awaitility', 'Awaitility', 'await given with waitAtMost'), effect: 'wait-until' },
  {
    name: all('org.awaitility.core', 'ConditionFactory',
      'until untilAsserted untilTrue untilFalse untilAtomic untilCall untilNull untilNotNull'),
    effect: 'wait-until',
    with: '!always',
  },
  { name: ['?.setTimer', ...['core', 'reactivex.core', 'rxjava3.core', 'mutiny.core'].map(from => `io.vertx.${from}.Vertx.setTimer`)],
    effect: 'spawn', args: 2, ms: { arg: 0, unit: 'ms' }, note: 'timer' },
  { name: 'org.awaitility.core.ConditionFactory.until', effect: 'sleep', with: 'always', ms: { arg: 'always', unit: 'ms' } },
  { name: all('org.awaitility.core', 'ConditionFactory', 'atMost timeout'), effect: 'timeout', args: 2, ms: { arg: 0, unitArg: 1 } },
  { name: all('org.awaitility.core', 'ConditionFactory', 'atMost timeout'), effect: 'timeout', args: 1, ms: { arg: 0, unit: 'ms' } },
  {
    name: [`${KAFKA_TEST}.waitForCondition`, `${KAFKA_TEST}.retryOnExceptionWithTimeout`, 'kafka.utils.TestUtils.waitUntilTrue',
      'kafka.utils.TestUtils.waitForCondition', 'org.apache.kafka.server.util.TestUtils.waitUntilTrue',
      'org.apache.kafka.common.test.TestUtils.waitForCondition', 'org.apache.kafka.common.test.TestUtils.waitUntilTrue',
      ...all('org.apache.kafka.streams.integration.utils', 'IntegrationTestUtils',
        'waitUntilMinKeyValueRecordsReceived waitUntilMinRecordsReceived waitUntilMinValuesRecordsReceived waitUntilFinalKeyValueRecordsReceived waitUntilMinKeyValueWithTimestampRecordsReceived waitForApplicationState waitForCompletion waitForTopicPartitions waitForEmptyConsumerGroup waitUntilStreamsHasPolled startApplicationAndWaitUntilRunning'),
      'org.mockito.Mockito.timeout', 'org.openqa.selenium.support.ui.WebDriverWait.new', 'org.openqa.selenium.support.ui.FluentWait.new',
      'org.openqa.selenium.support.ui.WebDriverWait.until', 'org.openqa.selenium.support.ui.FluentWait.until', '?.waitForCondition',
      '?.waitUntil', '?.waitUntilTrue', 'waitForCondition', 'waitUntil', 'waitUntilTrue', 'assertBusy',
      'com.google.common.testing.GcFinalization.*', 'org.testcontainers.containers.wait.strategy.Wait.*', 'net.jodah.failsafe.Failsafe.*',
      'dev.failsafe.Failsafe.*'],
    effect: 'wait-until',
  },
  // elsewhere
  // A thread keeps its failures to itself; a future tells them to who asks.
  { name: ['java.lang.Thread.new', 'java.util.TimerTask.new', 'java.lang.Thread.startVirtualThread'], effect: 'spawn',
    note: 'keeps failures' },
  {
    name: ['java.lang.Thread.Builder.start', 'java.lang.Thread.Builder.unstarted', 'java.util.concurrent.ThreadFactory.newThread',
      'java.lang.ProcessBuilder.start', 'java.lang.Runtime.exec',
      ...all(CONCURRENT, EXECUTORS, 'submit execute invokeAll invokeAny schedule scheduleAtFixedRate scheduleWithFixedDelay'),
      ...all(CONCURRENT, 'CompletableFuture', 'supplyAsync runAsync'), ...all('java.util', 'Timer', 'schedule scheduleAtFixedRate'),
      `${GUAVA_CONCURRENT}.ListeningExecutorService.submit`, `${GUAVA_CONCURRENT}.ListeningExecutorService.execute`, '?.submit',
      '?.execute', '?.schedule', '?.scheduleAtFixedRate', '?.newThread', '?.supplyAsync', '?.runAsync'],
    effect: 'spawn',
  },
  { name: all(CONCURRENT, EXECUTORS, 'schedule'), effect: 'spawn', args: 3, ms: { arg: 1, unitArg: 2 }, note: 'timer' },
  { name: 'java.util.Timer.schedule', effect: 'spawn', args: 2, ms: { arg: 1, unit: 'ms' }, note: 'timer' },
  {
    name: [
      ...all(CONCURRENT, 'CompletableFuture',
        'thenApply thenApplyAsync thenAccept thenAcceptAsync thenRun thenRunAsync thenCompose thenComposeAsync whenComplete whenCompleteAsync handle handleAsync exceptionally'),
      `${GUAVA_CONCURRENT}.ListenableFuture.addListener`,
      `${GUAVA_CONCURRENT}.SettableFuture.addListener`,
      `${GUAVA_CONCURRENT}.Futures.addCallback`,
      '?.whenComplete',
      '?.whenCompleteAsync',
      '?.thenAccept',
      '?.thenAcceptAsync',
      '?.thenRun',
      '?.thenRunAsync',
      '?.addListener',
    ],
    effect: 'spawn',
    note: 'listener',
  },
  { name: '?.subscribe', effect: 'spawn', with: '!elsewhere', note: 'listener' },
  { name: '?.subscribe', effect: 'spawn', with: 'elsewhere' },
  {
    name: ['org.mockito.Mockito.mock', 'org.mockito.Mockito.spy', 'org.mockito.Mockito.doAnswer', 'org.mockito.Mockito.doReturn',
      'org.mockito.Mockito.doThrow', 'org.mockito.Mockito.when', 'org.mockito.BDDMockito.given',
      'org.mockito.stubbing.OngoingStubbing.thenAnswer', 'org.mockito.stubbing.OngoingStubbing.then',
      'org.mockito.stubbing.OngoingStubbing.thenReturn', 'org.mockito.stubbing.OngoingStubbing.willAnswer',
      'org.mockito.stubbing.Stubber.doAnswer', 'org.easymock.EasyMock.createMock', 'org.easymock.EasyMock.mock',
      'org.easymock.EasyMock.expect', '?.thenAnswer', '?.willAnswer', '?.andAnswer', 'java.lang.reflect.Proxy.newProxyInstance'],
    effect: 'stub',
  },
  {
    name: [`${JUPITER}.assertAll`, `${JUPITER}.assertThrows`, `${JUPITER}.assertThrowsExactly`, `${JUPITER}.assertDoesNotThrow`,
      `${JUPITER}.assertTimeout`, 'org.junit.Assert.assertThrows', 'org.testng.Assert.assertThrows', 'org.testng.Assert.expectThrows',
      'org.assertj.core.api.Assertions.assertThatThrownBy', 'org.assertj.core.api.Assertions.assertThatCode',
      'org.assertj.core.api.Assertions.catchThrowable', 'org.assertj.core.api.SoftAssertions.assertSoftly', 'java.util.Optional.ifPresent',
      'java.util.Optional.map', 'assertThrows'],
    effect: 'inline',
  },
  // looked at once
  { name: 'org.mockito.Mockito.verify', effect: 'observe' },
  // opened, and to be closed
  {
    name: ['java.net.ServerSocket.new', 'com.sun.net.httpserver.HttpServer.create', 'okhttp3.mockwebserver.MockWebServer.new',
      'com.github.tomakehurst.wiremock.WireMockServer.new'],
    effect: 'opens',
    what: 'server',
  },
  { name: ['java.lang.ProcessBuilder.start', 'java.lang.Runtime.exec'], effect: 'opens', what: 'process' },
  {
    name: all('java.util.concurrent', 'Executors',
      'newFixedThreadPool newCachedThreadPool newSingleThreadExecutor newScheduledThreadPool newSingleThreadScheduledExecutor newWorkStealingPool'),
    effect: 'opens',
    what: 'thread pool',
  },
  // ends
  { name: ['java.lang.System.exit', 'java.lang.Runtime.exit', 'java.lang.Runtime.halt'], effect: 'exit' },
  // promises: what is lost where nobody waits
  { name: all(CONCURRENT, 'CompletableFuture', 'runAsync supplyAsync'), effect: 'promise' },
  // results as they finish
  { name: [...all(CONCURRENT, 'ExecutorCompletionService', 'take poll'), ...all(CONCURRENT, 'CompletionService', 'take poll')],
    effect: 'completion' },
  { name: all(CONCURRENT, 'CompletableFuture', 'anyOf'), effect: 'completion', what: 'first' },
  // cures
  // Only what stands still for everybody. An injected Clock or MockTime leaves System.currentTimeMillis and Thread.sleep as they are.
  {
    name: ['com.google.common.testing.FakeTicker.new', 'com.google.common.testing.FakeTicker.advance',
      'org.jmock.lib.concurrent.DeterministicScheduler.new'],
    effect: 'fake-clock',
    note: 'handed',
  },
  {
    name: ['org.joda.time.DateTimeUtils.setCurrentMillisFixed', 'org.joda.time.DateTimeUtils.setCurrentMillisOffset',
      'reactor.test.StepVerifier.withVirtualTime', 'reactor.test.scheduler.VirtualTimeScheduler.*',
      'io.reactivex.schedulers.TestScheduler.new', 'io.reactivex.rxjava3.schedulers.TestScheduler.new', 'rx.schedulers.TestScheduler.new'],
    effect: 'fake-clock',
  },
  { name: ['org.mockito.Mockito.mockStatic'], effect: 'fake-clock', with: 'clock' },
  { name: ['org.joda.time.DateTimeUtils.setCurrentMillisSystem'], effect: 'real-clock' },
  {
    name: ['com.github.tomakehurst.wiremock.client.WireMock.*', 'com.github.tomakehurst.wiremock.WireMockServer.*',
      'okhttp3.mockwebserver.MockWebServer.new', 'mockwebserver3.MockWebServer.new',
      'org.springframework.test.web.client.MockRestServiceServer.*', 'org.mockserver.client.MockServerClient.*'],
    effect: 'fake-net',
  },
  {
    name: ['uk.org.webcompere.systemstubs.SystemStubs.*', 'com.github.stefanbirkner.systemlambda.SystemLambda.*',
      'uk.org.webcompere.systemstubs.environment.EnvironmentVariables.*', 'org.junit.contrib.java.lang.system.EnvironmentVariables.*',
      'org.junit.contrib.java.lang.system.RestoreSystemProperties.new', 'org.springframework.boot.test.util.TestPropertyValues.*',
      'org.mockito.MockedStatic.close', 'org.mockito.Mockito.reset'],
    effect: 'restore',
  },
  { name: ['java.nio.channels.FileChannel.lock', 'java.nio.channels.FileChannel.tryLock'], effect: 'serialise' },
  {
    name: ['java.io.File.createTempFile', 'java.nio.file.Files.createTempFile', 'java.nio.file.Files.createTempDirectory',
      'org.junit.jupiter.api.io.TempDir', ...all('org.junit.rules', 'TemporaryFolder', 'new newFile newFolder getRoot'),
      'com.google.common.io.Files.createTempDir', `${KAFKA_TEST}.tempDirectory`, `${KAFKA_TEST}.tempFile`,
      'com.google.common.jimfs.Jimfs.newFileSystem', 'org.apache.kafka.common.test.TestUtils.tempDirectory',
      'org.apache.kafka.common.test.TestUtils.tempFile', 'tempDirectory'],
    effect: 'temp-dir',
  },
  { name: ['net.jqwik.api.Arbitraries.*', 'com.pholser.junit.quickcheck.*', 'org.quicktheories.QuickTheory.qt'], effect: 'property' },
  // where values go
  {
    name: [...all('java.lang.System', 'out err', 'println print printf format'), 'java.lang.Throwable.printStackTrace',
      'java.lang.Exception.printStackTrace', ...all('org.slf4j', 'Logger', LEVELS), ...all('org.apache.logging.log4j', 'Logger', LEVELS),
      ...all('org.apache.log4j', 'Logger', LEVELS), ...all('org.apache.commons.logging', 'Log', LEVELS),
      ...all('java.util.logging', 'Logger', LEVELS), ...words(LEVELS).slice(0, 6).map(l => `?.${l}`), 'org.testng.Reporter.log',
      '?.printStackTrace'],
    effect: 'log',
  },
  {
    name: ['org.approvaltests.Approvals.verify', 'org.approvaltests.Approvals.verifyAll', 'org.approvaltests.Approvals.verifyJson',
      'org.approvaltests.JsonApprovals.verifyJson', 'com.diffplug.selfie.Selfie.expectSelfie',
      'au.com.origin.snapshots.Expect.toMatchSnapshot', '?.toMatchSnapshot', '?.toMatchDisk'],
    effect: 'snapshot',
    arg: 0,
  },
]
