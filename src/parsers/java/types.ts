// Types that imports of a whole package may mean, and what well-known methods return. Data.

import { CATALOG } from './catalog.ts'
import { table } from '../table.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

export const JAVA_LANG: ReadonlySet<string> = new Set(words(`
  Object String Integer Long Short Byte Character Boolean Double Float Number Math StrictMath System Thread Runnable Runtime Process ProcessBuilder
  ThreadLocal ThreadGroup InheritableThreadLocal StringBuilder StringBuffer CharSequence Iterable Comparable Cloneable AutoCloseable Class ClassLoader
  Enum Record Void Package Module StackTraceElement StackWalker Throwable Exception Error RuntimeException AssertionError InterruptedException
  IllegalArgumentException IllegalStateException NullPointerException IndexOutOfBoundsException UnsupportedOperationException ArithmeticException
  ClassCastException ClassNotFoundException CloneNotSupportedException NumberFormatException OutOfMemoryError StackOverflowError LinkageError
  SecurityException ArrayIndexOutOfBoundsException NoSuchFieldException NoSuchMethodException ReflectiveOperationException VirtualMachineError
  Override Deprecated SuppressWarnings FunctionalInterface SafeVarargs`))

/** Beyond the types that the catalog speaks of. */
const MORE: Readonly<Record<string, string>> = {
  'java.util':
    `List ArrayList LinkedList Map HashMap LinkedHashMap TreeMap Set HashSet LinkedHashSet TreeSet EnumMap EnumSet Collection Collections
    Arrays Iterator ListIterator Queue Deque ArrayDeque PriorityQueue Vector Stack Optional OptionalInt OptionalLong Objects Properties Random Date
    Calendar GregorianCalendar UUID Locale TimeZone Timer TimerTask Scanner StringJoiner BitSet Comparator Formatter Base64 Map.Entry NoSuchElementException
    ConcurrentModificationException IdentityHashMap WeakHashMap SortedMap NavigableMap SortedSet NavigableSet Currency ServiceLoader SplittableRandom`,
  'java.util.concurrent':
    `Executor ExecutorService ScheduledExecutorService Executors Future CompletableFuture CompletionStage ScheduledFuture
    FutureTask Callable CountDownLatch CyclicBarrier Semaphore Phaser Exchanger TimeUnit ThreadFactory ThreadPoolExecutor ScheduledThreadPoolExecutor
    ForkJoinPool ConcurrentHashMap ConcurrentMap ConcurrentLinkedQueue ConcurrentLinkedDeque ConcurrentSkipListMap ConcurrentSkipListSet
    CopyOnWriteArrayList CopyOnWriteArraySet BlockingQueue BlockingDeque LinkedBlockingQueue LinkedBlockingDeque ArrayBlockingQueue
    PriorityBlockingQueue SynchronousQueue DelayQueue LinkedTransferQueue ThreadLocalRandom TimeoutException ExecutionException
    CancellationException CompletionException RejectedExecutionException BrokenBarrierException ExecutorCompletionService CompletionService Delayed`,
  'java.util.concurrent.atomic': `AtomicInteger AtomicLong AtomicBoolean AtomicReference AtomicIntegerArray AtomicLongArray LongAdder`,
  'java.util.concurrent.locks': `Lock ReentrantLock ReadWriteLock ReentrantReadWriteLock Condition LockSupport StampedLock`,
  'java.util.function':
    `Function BiFunction Supplier Consumer BiConsumer Predicate BooleanSupplier IntFunction UnaryOperator LongSupplier IntSupplier`,
  'java.util.stream': `Stream IntStream LongStream DoubleStream Collectors StreamSupport`,
  'java.time':
    `Instant Duration Clock LocalDate LocalTime LocalDateTime ZonedDateTime OffsetDateTime OffsetTime ZoneId ZoneOffset Year YearMonth
    MonthDay Period DayOfWeek Month`,
  'java.io':
    `File FileReader FileWriter FileInputStream FileOutputStream InputStream OutputStream Reader Writer BufferedReader BufferedWriter
    InputStreamReader OutputStreamWriter PrintStream PrintWriter RandomAccessFile IOException UncheckedIOException EOFException Closeable
    ByteArrayInputStream ByteArrayOutputStream StringReader StringWriter ObjectInputStream ObjectOutputStream Serializable FileNotFoundException`,
  'java.nio.file':
    `Files Path Paths FileSystem FileSystems StandardOpenOption DirectoryStream NoSuchFileException FileVisitor SimpleFileVisitor`,
  'java.net':
    `Socket ServerSocket InetAddress InetSocketAddress URL URI DatagramSocket HttpURLConnection URLConnection SocketTimeoutException
    UnknownHostException ConnectException BindException SocketException`,
  'java.text': `SimpleDateFormat DateFormat MessageFormat NumberFormat DecimalFormat`,
  'java.sql': `DriverManager Connection Statement PreparedStatement ResultSet Timestamp Date SQLException`,
  'org.junit': `Test Before After BeforeClass AfterClass Ignore Rule ClassRule Assert Assume FixMethodOrder`,
  'org.junit.rules': `TemporaryFolder Timeout ExpectedException TestName TestRule ExternalResource TestWatcher`,
  'org.junit.jupiter.api':
    `Test BeforeEach AfterEach BeforeAll AfterAll Disabled DisplayName Nested RepeatedTest TestFactory TestTemplate Tag Timeout
    Assertions Assumptions TestInfo TestInstance TestMethodOrder Order MethodOrderer DynamicTest DynamicContainer RepetitionInfo`,
  'org.junit.jupiter.api.parallel': `Execution ExecutionMode ResourceLock ResourceLocks Isolated Resources`,
  'org.junit.jupiter.params': `ParameterizedTest`,
  'org.testng.annotations':
    `Test BeforeMethod AfterMethod BeforeClass AfterClass BeforeTest AfterTest BeforeSuite AfterSuite BeforeGroups AfterGroups
    DataProvider Factory Ignore Parameters Listeners`,
  'org.testng': `Assert AssertJUnit SkipException`,
  'junit.framework': `TestCase Assert TestSuite AssertionFailedError`,
  'org.mockito': `Mockito Mock Spy InjectMocks Captor ArgumentCaptor ArgumentMatchers InOrder MockedStatic BDDMockito`,
  'com.google.common.base': `Stopwatch Ticker Strings Joiner Splitter Optional`,
  'com.google.common.testing': `FakeTicker`,
}

function packages(): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>()
  const put = (from: string, type: string) => {
    const set = all.get(from)
    if (set) set.add(type)
    else all.set(from, new Set([type]))
  }
  for (const [from, types] of Object.entries(MORE)) for (const type of words(types)) put(from, type)
  for (const { name } of CATALOG)
    for (const one of typeof name === 'string' ? [name] : name) {
      const type = /^([a-z][\w.]*?)\.([A-Z]\w*)\b/.exec(one)
      if (type && type[1] !== 'java.lang') put(type[1]!, type[2]!)
    }
  return all
}

export const PACKAGES: ReadonlyMap<string, ReadonlySet<string>> = packages()

const ASSERTS = /^(assert[A-Z]\w*|fail|fail[A-Z]\w*)$/
const MOCKITO =
  /^(mock|mockStatic|mockConstruction|spy|when|verify\w*|times|never|atLeast\w*|atMost\w*|only|timeout|after|do[A-Z]\w*|reset|inOrder|lenient|any\w*|eq|clearInvocations|ignoreStubs|description|calls|withSettings)$/
const UNITS = /^(NANOSECONDS|MICROSECONDS|MILLISECONDS|SECONDS|MINUTES|HOURS|DAYS)$/
const MATCHERS =
  /^(is|not|equalTo|sameInstance|any|anything|anyOf|allOf|both|either|nullValue|notNullValue|instanceOf|isA|has\w+|contains\w*|empty\w*|everyItem|startsWith\w*|endsWith\w*|greaterThan\w*|lessThan\w*|closeTo|in|oneOf|matchesPattern|aMapWithSize|arrayWithSize|arrayContaining\w*|comparesEqualTo)$/

/** What `import static X.*` brings in, of classes that tests use so. */
export const STATIC_MEMBERS: Readonly<Record<string, RegExp>> = table({
  'org.junit.Assert': ASSERTS,
  'org.junit.Assume': /^assume[A-Z]/,
  'junit.framework.Assert': ASSERTS,
  'junit.framework.TestCase': ASSERTS,
  'org.junit.jupiter.api.Assertions': ASSERTS,
  'org.junit.jupiter.api.Assumptions': /^(assume[A-Z]|abort$)/,
  'org.testng.Assert': ASSERTS,
  'org.testng.AssertJUnit': ASSERTS,
  'org.assertj.core.api.Assertions':
    /^(assert[A-Z]\w*|fail|within|withinPercentage|offset|tuple|entry|catchThrowable\w*|catchException\w*|from|in)$/,
  'org.assertj.core.api.AssertionsForClassTypes': ASSERTS,
  'com.google.common.truth.Truth': ASSERTS,
  'org.hamcrest.MatcherAssert': ASSERTS,
  'org.hamcrest.Matchers': MATCHERS,
  'org.hamcrest.CoreMatchers': MATCHERS,
  'org.mockito.Mockito': MOCKITO,
  'org.mockito.BDDMockito': /^(given|will\w*|then|mock|spy|never|times|timeout)$/,
  'org.mockito.ArgumentMatchers': /^(any\w*|eq|same|isA|isNull|argThat)$/,
  'org.awaitility.Awaitility': /^(await|given|with|waitAtMost|setDefault\w*|dontCatch\w*|catchUncaught\w*|reset)$/,
  'java.util.concurrent.TimeUnit': UNITS,
  'java.time.temporal.ChronoUnit': /^(NANOS|MICROS|MILLIS|SECONDS|MINUTES|HOURS|DAYS|WEEKS|MONTHS|YEARS)$/,
  'java.util.concurrent.Executors': /^new[A-Z]/,
  'java.lang.Thread': /^(sleep|currentThread|yield)$/,
  'java.lang.System': /^(currentTimeMillis|nanoTime|setProperty|getProperty|clearProperty|getenv)$/,
  'java.lang.Math': /^(random|abs|min|max|round)$/,
  'java.time.Instant': /^now$/,
  'java.time.Duration': /^(of\w*|between)$/,
  'java.util.UUID': /^randomUUID$/,
  'com.google.common.util.concurrent.Uninterruptibles': /Uninterruptibly$/,
  'org.apache.kafka.test.TestUtils': /^(waitFor\w*|retryOn\w*|temp\w+|random\w+)$/,
  'com.github.tomakehurst.wiremock.core.WireMockConfiguration': /^(wireMockConfig|options)$/,
})

const returns = (type: string, names: string): [string, string][] => words(names).map(name => [name, type])
const CF = 'java.util.concurrent.CompletableFuture'
const FUTURE = 'java.util.concurrent.Future'
const each = (types: string, methods: string): string => words(types).flatMap(t => words(methods).map(m => `${t}.${m}`)).join(' ')
const EXECUTORS =
  `java.util.concurrent.ExecutorService java.util.concurrent.ScheduledExecutorService java.util.concurrent.ThreadPoolExecutor
  java.util.concurrent.ScheduledThreadPoolExecutor java.util.concurrent.ForkJoinPool`

/** What a method gives, by its qualified name. */
export const RETURNS: ReadonlyMap<string, string> = new Map([
  // Not just any table of properties: the one of the process.
  ...returns('java.lang.System.Properties', 'java.lang.System.getProperties'),
  ...returns('java.util.concurrent.ExecutorService',
    each('java.util.concurrent.Executors', `newFixedThreadPool newCachedThreadPool newSingleThreadExecutor
    newWorkStealingPool newVirtualThreadPerTaskExecutor newThreadPerTaskExecutor`)),
  ...returns('java.util.concurrent.ScheduledExecutorService',
    each('java.util.concurrent.Executors', 'newScheduledThreadPool newSingleThreadScheduledExecutor')),
  ...returns('java.util.concurrent.ForkJoinPool', 'java.util.concurrent.ForkJoinPool.commonPool'),
  ...returns('java.util.concurrent.ThreadFactory', 'java.util.concurrent.Executors.defaultThreadFactory'),
  ...returns(FUTURE, each(EXECUTORS, 'submit')),
  ...returns('java.util.concurrent.ScheduledFuture',
    each('java.util.concurrent.ScheduledExecutorService java.util.concurrent.ScheduledThreadPoolExecutor',
      'schedule scheduleAtFixedRate scheduleWithFixedDelay')),
  ...returns('com.google.common.util.concurrent.ListeningExecutorService',
    each('com.google.common.util.concurrent.MoreExecutors', 'listeningDecorator newDirectExecutorService')),
  ...returns('com.google.common.util.concurrent.ListenableFuture', `com.google.common.util.concurrent.ListeningExecutorService.submit
    com.google.common.util.concurrent.Futures.immediateFuture com.google.common.util.concurrent.Futures.transform com.google.common.util.concurrent.Futures.allAsList`),
  ...returns('com.google.common.util.concurrent.SettableFuture', 'com.google.common.util.concurrent.SettableFuture.create'),
  ...returns(CF,
    each(CF, `supplyAsync runAsync completedFuture failedFuture allOf anyOf thenApply thenApplyAsync thenAccept thenAcceptAsync thenRun
    thenRunAsync thenCompose thenComposeAsync thenCombine whenComplete whenCompleteAsync handle handleAsync exceptionally orTimeout completeOnTimeout copy toCompletableFuture`)),
  ...returns('java.lang.Thread',
    'java.lang.Thread.currentThread java.lang.Thread.startVirtualThread java.util.concurrent.ThreadFactory.newThread'),
  ...returns('java.lang.Thread.Builder', each('java.lang.Thread', 'ofVirtual ofPlatform')),
  ...returns('java.util.concurrent.locks.Condition',
    each('java.util.concurrent.locks.Lock java.util.concurrent.locks.ReentrantLock', 'newCondition')),
  ...returns('java.util.concurrent.locks.Lock',
    each('java.util.concurrent.locks.ReadWriteLock java.util.concurrent.locks.ReentrantReadWriteLock', 'readLock writeLock')),
  ...returns('java.util.Random', 'java.util.concurrent.ThreadLocalRandom.current'),
  ...returns('java.util.UUID', each('java.util.UUID', 'randomUUID fromString nameUUIDFromBytes')),
  ...returns('java.util.Calendar', 'java.util.Calendar.getInstance'),
  ...words('Instant LocalDate LocalTime LocalDateTime ZonedDateTime OffsetDateTime OffsetTime YearMonth Year').flatMap(t =>
    returns(`java.time.${t}`, each(`java.time.${t}`, `now of parse
    ofEpochMilli ofEpochSecond ofEpochDay plus minus plusSeconds plusMillis plusNanos plusMinutes plusHours plusDays plusWeeks plusMonths plusYears
    minusSeconds minusMillis minusNanos minusMinutes minusHours minusDays minusWeeks minusMonths minusYears truncatedTo with withDayOfMonth withMonth withYear withHour
    withMinute withSecond withNano`))
  ),
  ...returns('java.time.Duration',
    each('java.time.Duration',
      'ofMillis ofSeconds ofMinutes ofHours ofDays ofNanos of between plus plusMillis plusSeconds minus minusMillis multipliedBy dividedBy')),
  ...returns('java.time.Clock', each('java.time.Clock', 'fixed offset tick tickMillis tickSeconds systemUTC systemDefaultZone system')),
  ...returns('com.google.common.base.Stopwatch',
    each('com.google.common.base.Stopwatch', 'createStarted createUnstarted start stop reset')),
  ...returns('java.nio.file.Path',
    `java.nio.file.Path.of java.nio.file.Paths.get java.nio.file.Path.resolve java.nio.file.Path.toAbsolutePath java.nio.file.Files.createTempDirectory
    java.nio.file.Files.createTempFile java.io.File.toPath java.nio.file.Path.getParent java.nio.file.Path.normalize`),
  ...returns('java.io.File',
    `java.io.File.createTempFile java.nio.file.Path.toFile org.junit.rules.TemporaryFolder.newFile org.junit.rules.TemporaryFolder.newFolder
    org.junit.rules.TemporaryFolder.getRoot java.io.File.getParentFile java.io.File.getAbsoluteFile`),
  ...returns('java.net.http.HttpClient', 'java.net.http.HttpClient.newHttpClient'),
  ...returns('com.sun.net.httpserver.HttpServer', 'com.sun.net.httpserver.HttpServer.create'),
  ...returns('reactor.test.StepVerifier', each('reactor.test.StepVerifier', 'create withVirtualTime')),
  ...returns('org.awaitility.core.ConditionFactory', each('org.awaitility.Awaitility', 'await given with waitAtMost')),
  ...returns('org.mockito.stubbing.OngoingStubbing', 'org.mockito.Mockito.when org.mockito.BDDMockito.given'),
  ...returns('org.mockito.stubbing.Stubber', each('org.mockito.Mockito', 'doReturn doAnswer doThrow doNothing doCallRealMethod lenient')),
  ...returns('org.mockito.InOrder', 'org.mockito.Mockito.inOrder'),
  ...returns('org.mockito.MockedStatic', 'org.mockito.Mockito.mockStatic'),
  ...returns('java.lang.Class', 'java.lang.Object.getClass java.lang.Class.forName'),
  ...returns('java.lang.Process', 'java.lang.ProcessBuilder.start java.lang.Runtime.exec'),
  ...returns('java.lang.Runtime', 'java.lang.Runtime.getRuntime'),
  ...returns('org.slf4j.Logger', 'org.slf4j.LoggerFactory.getLogger'),
  ...returns('java.util.logging.Logger', 'java.util.logging.Logger.getLogger'),
])

/** Every method of these gives the same again. */
export const FLUENT: ReadonlySet<string> = new Set(words(`
  org.awaitility.core.ConditionFactory java.lang.StringBuilder java.lang.StringBuffer org.mockito.stubbing.OngoingStubbing java.lang.ProcessBuilder
  com.github.tomakehurst.wiremock.core.WireMockConfiguration java.lang.Thread.Builder reactor.test.StepVerifier`))

/** Methods that give what a container, optional, supplier or future holds. */
export const GIVES_ELEMENT: ReadonlySet<string> = new Set(words(`
  get next poll take remove peek first last getFirst getLast removeFirst removeLast pop element getNow join orElse orElseThrow orElseGet pollFirst
  pollLast getAndSet resultNow call apply findFirst findAny`))

/** Methods that give another container of the same things. */
export const GIVES_SAME: ReadonlySet<string> = new Set(
  words(
    'stream parallelStream iterator values filter sorted distinct limit skip peek toList subList iterator listIterator descendingIterator',
  ),
)
