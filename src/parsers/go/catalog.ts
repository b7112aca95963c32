// What Go's APIs do to determinism. One row, one fact; names are an import path and what follows it.

import type { CatalogRow } from '../frontend.ts'
import { pauses } from '../pauses.ts'

/** A bare number in time.Duration(n) counts nanoseconds. */
export const DURATIONS: Readonly<Record<string, number>> = {
  'time.Nanosecond': 1e-6,
  'time.Microsecond': 1e-3,
  'time.Millisecond': 1,
  'time.Second': 1000,
  'time.Minute': 60_000,
  'time.Hour': 3_600_000,
  'time.Duration': 1e-6,
}

const of = (path: string, ...names: string[]): string[] => names.map(name => `${path}.${name}`)
const each = (paths: readonly string[], ...names: string[]): string[] => paths.flatMap(path => of(path, ...names))

const TB = ['testing.T', 'testing.B', 'testing.F', 'testing.TB', 'github.com/onsi/ginkgo/v2.FullGinkgoTInterface',
  'github.com/onsi/ginkgo.GinkgoTInterface', 'github.com/frankban/quicktest.C']
const GOCHECK = ['gopkg.in/check.v1.C', 'github.com/go-check/check.C', 'launchpad.net/gocheck.C', 'github.com/pingcap/check.C']
const GOTEST_TOOLS = ['gotest.tools/v3/assert', 'gotest.tools/assert', 'github.com/gotestyourself/gotestyourself/assert']
const GINKGO = ['github.com/onsi/ginkgo', 'github.com/onsi/ginkgo/v2']
const GOMEGA = ['github.com/onsi/gomega', 'github.com/onsi/gomega.Gomega', 'github.com/onsi/gomega.WithT']
const TESTIFY = ['github.com/stretchr/testify/require', 'github.com/stretchr/testify/assert']
const TESTIFY_METHODS = [...TESTIFY.map(path => `${path}.Assertions`), 'github.com/stretchr/testify/suite.Suite']
const UUID = ['github.com/google/uuid', 'github.com/gofrs/uuid', 'github.com/gofrs/uuid/v5', 'github.com/satori/go.uuid',
  'github.com/pborman/uuid']
const WAIT = 'k8s.io/apimachinery/pkg/util/wait'
const RETRY = 'github.com/hashicorp/consul/sdk/testutil/retry'
const FAKE_CLOCKS = ['github.com/jonboulle/clockwork.FakeClock', 'github.com/benbjohnson/clock.Mock', 'github.com/coder/quartz.Mock',
  'k8s.io/utils/clock/testing.FakeClock']

export const CATALOG: readonly CatalogRow[] = [
  // clock
  // Both carry a monotonic reading, and no timer of Go fires before its time by it.
  { name: 'time.Now', effect: 'clock', note: 'steady' },
  { name: ['time.Since', 'time.Until'], effect: 'elapsed', note: 'steady' },
  { name: ['testing.BenchmarkResult.NsPerOp', '?.NsPerOp'], effect: 'elapsed', args: 0 },
  {
    name: ['github.com/prometheus/common/model.Now', 'k8s.io/apimachinery/pkg/apis/meta/v1.Now',
      'google.golang.org/protobuf/types/known/timestamppb.Now'],
    effect: 'clock',
  },
  // A package of the project's own that rounds or moves it: `dbtime.Now()`.
  { name: '…Now', effect: 'clock', args: 0 },
  // the host's time zone: see flow/zones/zone.ts for the notes
  { name: of('time', 'Unix', 'UnixMilli', 'UnixMicro', 'Time.Local'), effect: 'local-zone', note: 'shown' },
  { name: '?.Local', effect: 'local-zone', args: 0, note: 'shown' },
  { name: ['time.Date', 'time.ParseInLocation'], effect: 'local-zone', note: 'located' },
  // sleep
  { name: ['time.Sleep', '<-time.After', '<-time.NewTimer', '<-time.Tick', '<-time.NewTicker'], effect: 'sleep',
    ms: { arg: 0, unit: 'ns' } },
  { name: 'runtime.Gosched', effect: 'yield' },
  { name: '…Sleep', effect: 'sleep', args: 1, ms: { arg: 0, unit: 'ms' } },
  ...pauses({ styles: ['camel', 'Pascal'], unit: 'ms' }),
  { name: ['<-time.Timer.C', '<-time.Ticker.C'], effect: 'sleep' },
  { name: ['github.com/grafana/dskit/backoff.Backoff.Wait'], effect: 'sleep' },
  // random; what rand.Read gives back is a count
  {
    name: each(['math/rand', 'golang.org/x/exp/rand'], 'Int', 'Intn', 'Int31', 'Int31n', 'Int63', 'Int63n', 'Uint32', 'Uint64', 'Float32',
      'Float64', 'NormFloat64', 'ExpFloat64', 'Perm', 'Shuffle'),
    effect: 'random',
  },
  {
    name: of('math/rand/v2', 'Int', 'IntN', 'Int32', 'Int32N', 'Int64', 'Int64N', 'Uint', 'UintN', 'Uint32', 'Uint32N', 'Uint64', 'Uint64N',
      'N', 'Float32', 'Float64', 'NormFloat64', 'ExpFloat64', 'Perm', 'Shuffle'),
    effect: 'random',
  },
  { name: ['crypto/rand.Int', 'crypto/rand.Read', 'math/rand.Read', 'crypto/rand.Prime', 'crypto/rand.Text', 'hash/maphash.MakeSeed'],
    effect: 'random' },
  {
    name: [...each(UUID, 'New', 'NewString', 'NewRandom', 'NewUUID', 'NewV1', 'NewV4', 'NewV6', 'NewV7', 'Must'),
      'github.com/hashicorp/go-uuid.GenerateUUID', 'k8s.io/apimachinery/pkg/util/uuid.NewUUID', 'github.com/oklog/ulid/v2.Make',
      'github.com/rs/xid.New', 'github.com/segmentio/ksuid.New', 'github.com/nats-io/nuid.Next', 'github.com/lithammer/shortuuid/v4.New',
      'crypto/rand.Text', 'crypto/rand.Read', 'k8s.io/apimachinery/pkg/util/rand.String',
      ...each(['github.com/containers/storage/pkg/stringid', 'go.podman.io/storage/pkg/stringid'], 'GenerateRandomID',
        'GenerateNonCryptoID')],
    effect: 'unique-id',
  },
  {
    name: [...each(UUID, 'New', 'NewString', 'NewRandom', 'NewUUID', 'NewV1', 'NewV4', 'NewV6', 'NewV7'),
      'github.com/hashicorp/go-uuid.GenerateUUID', 'github.com/oklog/ulid/v2.Make', 'github.com/rs/xid.New',
      'github.com/segmentio/ksuid.New', 'github.com/nats-io/nuid.Next'],
    effect: 'random',
  },
  {
    name: ['github.com/brianvoe/gofakeit/v6.*', 'github.com/brianvoe/gofakeit/v7.*', 'github.com/go-faker/faker/v4.*',
      'github.com/jaswdr/faker.New', 'k8s.io/apimachinery/pkg/util/rand.String'],
    effect: 'random',
  },
  // seeds
  {
    name: ['math/rand.Seed', 'math/rand.NewSource', 'math/rand/v2.NewPCG', 'math/rand/v2.NewChaCha8', 'math/rand.Rand.Seed',
      ...each(['github.com/brianvoe/gofakeit/v6', 'github.com/brianvoe/gofakeit/v7'], 'Seed', 'New')],
    effect: 'seed',
    arg: 0,
  },
  // order
  {
    name: ['range map', 'maps.Keys', 'maps.Values', 'maps.All', 'golang.org/x/exp/maps.Keys', 'golang.org/x/exp/maps.Values',
      'reflect.Value.MapKeys', 'reflect.Value.MapRange', 'sync.Map.Range'],
    effect: 'unordered',
  },
  {
    name: [
      ...each(['google.golang.org/protobuf/encoding/protojson', 'google.golang.org/protobuf/encoding/prototext'], 'Marshal', 'Format',
        'MarshalOptions.Marshal', 'MarshalOptions.Format'),
    ],
    effect: 'unordered',
    note: 'unstable',
  },
  {
    name: ['?.UnsortedList', '?.ToSlice', 'k8s.io/apimachinery/pkg/util/sets.String.UnsortedList', '?.SMembers', '?.HKeys', '?.HVals',
      '?.SInter', '?.SUnion', '?.SDiff'],
    effect: 'unordered',
  },
  { name: of('os.File', 'Readdir', 'Readdirnames', 'ReadDir'), effect: 'fs-order' },
  {
    name: ['?.Query', '?.QueryContext', '?.Queryx', '?.QueryxContext',
      ...each(['database/sql.DB', 'database/sql.Tx', 'database/sql.Conn'], 'Query', 'QueryContext')],
    effect: 'rows',
  },
  {
    name: [...of('sort', 'Strings', 'Ints', 'Float64s', 'Slice', 'SliceStable', 'Sort', 'Stable'),
      ...each(['slices', 'golang.org/x/exp/slices'], 'Sort', 'SortFunc', 'SortStableFunc', 'Sorted', 'SortedFunc', 'SortedStableFunc')],
    effect: 'sort',
    arg: 0,
  },
  // network
  {
    name: [...each(['net/http', 'net/http.Client'], 'Get', 'Head', 'Post', 'PostForm'), 'net/http.Client.Do',
      ...of('net', 'LookupHost', 'LookupIP', 'LookupAddr', 'LookupCNAME', 'LookupMX', 'LookupTXT'), 'google.golang.org/grpc.Dial',
      'google.golang.org/grpc.NewClient', 'golang.org/x/net/websocket.Dial'],
    effect: 'network',
    arg: 0,
  },
  { name: ['net.Dial', 'net.DialTimeout', 'net.DialTCP', 'net.DialUDP', 'crypto/tls.Dial'], effect: 'network', arg: 1 },
  { name: ['net.Dialer.DialContext', 'google.golang.org/grpc.DialContext'], effect: 'network', arg: 2 },
  // ports
  { name: ['net.Listen', 'net.ListenPacket', 'net.ListenTCP', 'net.ListenUDP', 'crypto/tls.Listen'], effect: 'bind-port', arg: 1 },
  { name: ['net.ListenConfig.Listen', 'net.ListenConfig.ListenPacket'], effect: 'bind-port', arg: 2 },
  { name: ['net/http.ListenAndServe', 'net/http.ListenAndServeTLS'], effect: 'bind-port', arg: 0 },
  { name: 'net/http.Server{}', effect: 'bind-port', arg: 'Addr', with: 'Addr' },
  { name: ['github.com/nats-io/nats-server/v2/server.Options{}', 'github.com/nats-io/nats-server/server.Options{}'], effect: 'bind-port',
    arg: 'Port', with: 'Port' },
  { name: ['github.com/phayes/freeport.GetFreePort', 'github.com/phayes/freeport.GetFreePorts'], effect: 'free-port' },
  // things by name
  { name: ['github.com/testcontainers/testcontainers-go.ContainerRequest{}'], effect: 'external', arg: 'Image', with: 'Image',
    what: 'image' },
  { name: ['github.com/testcontainers/testcontainers-go.Run'], effect: 'external', arg: 1, what: 'image' },
  // the host
  { name: ['os.UserHomeDir', 'os/user.Current'], effect: 'home-read' },
  { name: ['runtime.NumCPU', 'runtime.GOMAXPROCS'], effect: 'ambient', what: 'the number of processors' },
  { name: 'os.Hostname', effect: 'ambient', what: 'a name of the host' },
  // process-wide state
  { name: of('os', 'Setenv', 'Unsetenv', 'Clearenv'), effect: 'env-write', arg: 0 },
  { name: 'syscall.Setenv', effect: 'env-write', arg: 0 },
  { name: ['os.Chdir', 'os.File.Chdir', 'syscall.Chdir'], effect: 'cwd-write', arg: 0 },
  {
    name: [...of('log', 'SetOutput', 'SetFlags', 'SetPrefix'), 'log/slog.SetDefault', 'log/slog.SetLogLoggerLevel', 'flag.Set',
      'runtime/debug.SetGCPercent', 'runtime/debug.SetMaxStack', 'syscall.Umask', 'golang.org/x/sys/unix.Umask', 'net/http.Handle',
      'net/http.HandleFunc', 'expvar.Publish', 'database/sql.Register', 'encoding/gob.Register'],
    effect: 'global-write',
  },
  {
    name: [...each(['github.com/sirupsen/logrus'], 'SetOutput', 'SetLevel', 'SetFormatter', 'AddHook'), 'go.uber.org/zap.ReplaceGlobals',
      'go.opentelemetry.io/otel.SetTracerProvider', 'go.opentelemetry.io/otel.SetMeterProvider', 'github.com/spf13/viper.Set',
      'github.com/spf13/viper.Reset', 'github.com/gin-gonic/gin.SetMode', 'github.com/prometheus/client_golang/prometheus.MustRegister',
      'github.com/prometheus/client_golang/prometheus.Register', 'github.com/prometheus/client_golang/prometheus.Unregister',
      'google.golang.org/grpc/resolver.Register', 'google.golang.org/grpc/balancer.Register'],
    effect: 'global-write',
  },
  { name: ['os.Getpid', 'os.Getppid', 'syscall.Getpid'], effect: 'process-id' },
  // what the process takes up
  { name: ['runtime.NumGoroutine', 'runtime/metrics.Read', 'runtime.NumCgoCall', 'runtime.ReadMemStats', 'runtime/debug.ReadGCStats'],
    effect: 'usage' },
  // names
  {
    name: [...of('os', 'Create', 'OpenFile', 'WriteFile', 'Mkdir', 'MkdirAll'), 'io/ioutil.WriteFile', 'syscall.Mkfifo',
      'golang.org/x/sys/unix.Mkfifo'],
    effect: 'name-resource',
    arg: 0,
    what: 'file',
  },
  { name: ['os.Symlink', 'os.Link', 'os.Rename', 'os.CopyFS'], effect: 'name-resource', arg: 1, what: 'file' },
  { name: ['database/sql.Open', 'github.com/jmoiron/sqlx.Open', 'github.com/jmoiron/sqlx.Connect'], effect: 'name-resource', arg: 1,
    what: 'database' },
  { name: ['go.etcd.io/bbolt.Open', 'github.com/boltdb/bolt.Open', 'github.com/syndtr/goleveldb/leveldb.OpenFile'], effect: 'name-resource',
    arg: 0, what: 'database' },
  { name: ['?.CreateDatabase', '?.CreateSchema', '?.CreateTable', '?.CreateCollection'], effect: 'name-resource', arg: 0,
    what: 'database' },
  { name: ['?.CreateTopic', '?.CreateTopics', '?.CreateQueue', '?.QueueDeclare', '?.ExchangeDeclare', '?.CreateBucket', '?.MakeBucket'],
    effect: 'name-resource', arg: 0, what: 'topic, queue or bucket' },
  // limits
  { name: ['context.WithTimeout', 'context.WithTimeoutCause'], effect: 'timeout', ms: { arg: 1, unit: 'ns' } },
  { name: ['context.WithDeadline', 'context.WithDeadlineCause'], effect: 'timeout' },
  // Where a timer is made nobody waits yet; the case of a select that it ends is the limit.
  { name: ['time.After', 'time.NewTimer'], effect: 'timeout' },
  { name: ['select time.After', 'select time.NewTimer'], effect: 'timeout', ms: { arg: 0, unit: 'ns' }, note: 'guard' },
  { name: ['net.DialTimeout'], effect: 'timeout', ms: { arg: 2, unit: 'ns' } },
  { name: ['net/http.Client{}', 'net.Dialer{}'], effect: 'timeout', ms: { arg: 'Timeout', unit: 'ns' }, with: 'Timeout' },
  {
    name: ['net.Conn.SetDeadline', 'net.Conn.SetReadDeadline', 'net.Conn.SetWriteDeadline', '?.SetDeadline', '?.SetReadDeadline',
      '?.SetWriteDeadline'],
    effect: 'timeout',
  },
  {
    name: ['?.NextMsg', 'github.com/nats-io/nats.go.Subscription.NextMsg', '?.FlushTimeout', 'github.com/nats-io/nats.go.MaxWait',
      'github.com/nats-io/nats.go.Timeout'],
    effect: 'timeout',
    ms: { arg: 0, unit: 'ns' },
    note: 'told',
  },
  { name: ['?.Request', 'github.com/nats-io/nats.go.Conn.Request', 'natsNexMsg'], effect: 'timeout', args: 3, ms: { arg: 2, unit: 'ns' },
    note: 'told' },
  // waiting
  {
    name: ['<-', 'range channel', 'sync.WaitGroup.Wait', 'sync.Cond.Wait', 'golang.org/x/sync/errgroup.Group.Wait',
      'golang.org/x/sync/semaphore.Weighted.Acquire', 'os/exec.Cmd.Wait', '?.Wait', '?.WaitWithDefaultTimeout',
      'github.com/sourcegraph/conc.WaitGroup.Wait', 'testing/synctest.Wait'],
    effect: 'sync',
  },
  // The second name lends the row words that stand in a file.
  { name: ['select timeout ignored', 'select <-time.After'], effect: 'sync-timed', ms: { arg: 0, unit: 'ns' } },
  { name: ['?.WaitTimeout', 'waitTimeout'], effect: 'sync-timed' },
  { name: each(TESTIFY, 'Eventually', 'Eventuallyf', 'EventuallyWithT', 'EventuallyWithTf', 'Never', 'Neverf'), effect: 'wait-until',
    ms: { arg: 2, unit: 'ns' } },
  { name: each(TESTIFY_METHODS, 'Eventually', 'Eventuallyf', 'EventuallyWithT', 'EventuallyWithTf', 'Never', 'Neverf'),
    effect: 'wait-until', ms: { arg: 1, unit: 'ns' } },
  { name: each(GOMEGA, 'Eventually', 'Consistently'), effect: 'wait-until', ms: { arg: 1, unit: 's' } },
  { name: each(GOMEGA, 'EventuallyWithOffset', 'ConsistentlyWithOffset'), effect: 'wait-until', ms: { arg: 2, unit: 's' } },
  { name: ['checkFor', 'require_Eventually'], effect: 'wait-until', ms: { arg: 1, unit: 'ns' } },
  { name: ['github.com/grafana/dskit/test.Poll', 'github.com/cortexproject/cortex/pkg/util/test.Poll'], effect: 'wait-until',
    ms: { arg: 1, unit: 'ns' } },
  {
    name: [...of(RETRY, 'Run', 'RunWith'),
      ...of(WAIT, 'Poll', 'PollImmediate', 'PollInfinite', 'PollImmediateInfinite', 'PollUntil', 'PollWithContext',
        'PollUntilContextCancel', 'PollUntilContextTimeout', 'PollImmediateWithContext', 'ExponentialBackoff',
        'ExponentialBackoffWithContext')],
    effect: 'wait-until',
  },
  {
    name: [
      ...each(['github.com/cenkalti/backoff', 'github.com/cenkalti/backoff/v4', 'github.com/cenkalti/backoff/v5',
        'github.com/avast/retry-go', 'github.com/avast/retry-go/v4'], 'Retry', 'RetryNotify', 'Do'),
      'github.com/sethvargo/go-retry.Do',
      'gotest.tools/v3/poll.WaitOn',
      'gotest.tools/poll.WaitOn',
      'github.com/shoenig/test/wait.InitialSuccess',
      'github.com/shoenig/test/wait.ContinualSuccess',
      'github.com/shoenig/test/must.Wait',
    ],
    effect: 'wait-until',
  },
  {
    name: of('github.com/hashicorp/consul/testrpc', 'WaitForLeader', 'WaitForTestAgent', 'WaitForActiveCARoot', 'WaitUntilNoLeader',
      'WaitForServiceIntentions'),
    effect: 'wait-until',
  },
  {
    name: ['waitFor', 'WaitFor', 'waitUntil', 'WaitUntil', 'waitForCondition', 'WaitForCondition', 'eventually', 'retryUntil', 'pollUntil',
      '?.waitFor', '?.WaitFor', '?.WaitUntil', '?.Eventually', '?.EventuallyWithT'],
    effect: 'wait-until',
  },
  { name: 'time.AfterFunc', effect: 'spawn', ms: { arg: 0, unit: 'ns' }, note: 'timer' },
  {
    name: ['go', 'sync.WaitGroup.Go', 'golang.org/x/sync/errgroup.Group.Go', 'golang.org/x/sync/errgroup.Group.TryGo',
      'github.com/sourcegraph/conc.WaitGroup.Go', 'github.com/sourcegraph/conc/pool.Pool.Go', 'os/exec.Cmd.Start', '?.Go'],
    effect: 'spawn',
  },
  {
    name: ['net/http.HandlerFunc', 'net/http.HandleFunc', 'net/http.ServeMux.HandleFunc', 'net/http.ServeMux.Handle', '?.HandleFunc',
      '?.DoAndReturn', '?.RunAndReturn'],
    effect: 'stub',
  },
  {
    name: ['sync.Once.Do', ...each(GINKGO, 'By'), ...of('sort', 'Slice', 'SliceStable', 'Search'), 'slices.SortFunc', 'slices.IndexFunc',
      'slices.ContainsFunc', 'strings.Map', 'strings.FieldsFunc', ...each(TESTIFY, 'Panics', 'NotPanics', 'Condition'), 'testing.T.Run',
      'testing.B.Run', 'github.com/stretchr/testify/suite.Suite.Run', 'testing/synctest.Test', 'testing/synctest.Run'],
    effect: 'inline',
  },
  // started, and looked at once
  { name: 'os/exec.Cmd.Start', effect: 'start' },
  { name: ['os.ReadFile', 'io/ioutil.ReadFile'], effect: 'observe' },
  // opened, and to be closed
  {
    name: [...of('net/http/httptest', 'NewServer', 'NewTLSServer'), 'github.com/onsi/gomega/ghttp.NewServer',
      'github.com/alicebob/miniredis/v2.Run'],
    effect: 'opens',
    what: 'server',
  },
  { name: ['net.Listen', 'net.ListenTCP', 'net.ListenPacket', 'net.ListenUDP'], effect: 'opens', what: 'listener' },
  { name: 'os/exec.Cmd.Start', effect: 'opens', arg: -1, what: 'process' },
  // ends: the process, or no more than the goroutine
  {
    name: ['os.Exit', 'syscall.Exit', ...of('log', 'Fatal', 'Fatalf', 'Fatalln'),
      ...of('github.com/sirupsen/logrus', 'Fatal', 'Fatalf', 'Exit')],
    effect: 'exit',
  },
  {
    name: [...each([...TB, ...GOCHECK], 'Fatal', 'Fatalf', 'FailNow'), 'github.com/stretchr/testify/require.*',
      'github.com/onsi/gomega.Assertion.*'],
    effect: 'exit',
    note: 'thread',
  },
  {
    name: [...each([...GOCHECK, 'github.com/frankban/quicktest.C'], 'Assert'), 'github.com/frankban/quicktest.Assert',
      'github.com/shoenig/test/must.*',
      ...each(GOTEST_TOOLS, 'Assert', 'DeepEqual', 'Equal', 'Error', 'ErrorContains', 'ErrorIs', 'ErrorType', 'NilError')],
    effect: 'exit',
    note: 'thread',
  },
  // cures
  { name: ['testing/synctest.Test', 'testing/synctest.Run'], effect: 'fake-clock' },
  {
    name: [...of('github.com/jonboulle/clockwork', 'NewFakeClock', 'NewFakeClockAt'), 'github.com/benbjohnson/clock.NewMock',
      'github.com/coder/quartz.NewMock', 'k8s.io/utils/clock/testing.NewFakeClock', 'k8s.io/utils/clock/testing.NewFakePassiveClock',
      'github.com/andres-erbsen/clock.NewMock', ...each(FAKE_CLOCKS, 'Advance', 'Add', 'Set', 'Step', 'SetTime', 'BlockUntil')],
    effect: 'fake-clock',
    note: 'handed',
  },
  {
    name: [...of('net/http/httptest', 'NewServer', 'NewTLSServer', 'NewUnstartedServer', 'NewRecorder', 'NewRequest'), 'net.Pipe',
      'google.golang.org/grpc/test/bufconn.Listen', 'github.com/h2non/gock.New', 'gopkg.in/h2non/gock.v1.New',
      'github.com/jarcoal/httpmock.Activate', 'github.com/jarcoal/httpmock.ActivateNonDefault', 'github.com/dnaeon/go-vcr/recorder.New',
      'github.com/onsi/gomega/ghttp.NewServer'],
    effect: 'fake-net',
  },
  { name: [...each(TB, 'Setenv', 'Chdir', 'Cleanup'), ...each(GINKGO, 'DeferCleanup')], effect: 'restore' },
  { name: ['github.com/gofrs/flock.New', 'github.com/gofrs/flock.Flock.Lock', 'github.com/rogpeppe/go-internal/lockedfile.MutexAt'],
    effect: 'serialise' },
  {
    name: [...each(TB, 'TempDir', 'ArtifactDir'), 'os.MkdirTemp', 'os.CreateTemp', 'io/ioutil.TempDir', 'io/ioutil.TempFile',
      'gotest.tools/v3/fs.NewDir', 'gotest.tools/v3/fs.NewFile', '?.TempDir'],
    effect: 'temp-dir',
  },
  {
    name: [...each(TB, 'Name'),
      ...of('sync/atomic', 'AddInt32', 'AddInt64', 'AddUint32', 'AddUint64', 'Int32.Add', 'Int64.Add', 'Uint32.Add', 'Uint64.Add')],
    effect: 'unique-id',
  },
  {
    name: ['testing.F.Fuzz', 'testing/quick.Check', 'testing/quick.CheckEqual', 'pgregory.net/rapid.Check', 'pgregory.net/rapid.MakeCheck',
      'github.com/leanovate/gopter.NewProperties', 'github.com/google/gofuzz.New'],
    effect: 'property',
  },
  // where values go
  {
    name: [...each(TB, 'Log', 'Logf', 'Error', 'Errorf', 'Fatal', 'Fatalf', 'Skip', 'Skipf'),
      ...of('fmt', 'Print', 'Printf', 'Println', 'Fprint', 'Fprintf', 'Fprintln'),
      ...each(['log', 'log.Logger'], 'Print', 'Printf', 'Println', 'Fatal', 'Fatalf', 'Fatalln', 'Panic', 'Panicf'),
      ...each(['log/slog', 'log/slog.Logger'], 'Debug', 'Info', 'Warn', 'Error'),
      ...of('github.com/sirupsen/logrus', 'Debug', 'Debugf', 'Info', 'Infof', 'Warn', 'Warnf', 'Error', 'Errorf'), '?.Log', '?.Logf',
      '?.Debug', '?.Debugf', '?.Info', '?.Infof', '?.Warn', '?.Warnf', '?.Errorf', '?.Printf', '?.Println'],
    effect: 'log',
  },
  {
    name: ['github.com/bradleyjkemp/cupaloy.SnapshotT', 'github.com/bradleyjkemp/cupaloy/v2.SnapshotT',
      'github.com/gkampitakis/go-snaps/snaps.MatchSnapshot', 'github.com/gkampitakis/go-snaps/snaps.MatchJSON',
      'github.com/approvals/go-approval-tests.VerifyString', 'gotest.tools/v3/golden.Assert', 'gotest.tools/v3/golden.AssertBytes'],
    effect: 'snapshot',
    arg: 1,
  },
  { name: ['github.com/sebdah/goldie/v2.Goldie.Assert', 'github.com/sebdah/goldie/v2.Goldie.AssertJson'], effect: 'snapshot', arg: 2 },
]
