// What Rust's APIs do to determinism. One row, one fact; names as `use` declarations and types resolve them.

import type { CatalogRow } from '../frontend.ts'
import { pauses } from '../pauses.ts'

const of = (type: string, ...methods: string[]): string[] => methods.map(m => `${type}::${m}`)
const each = (types: readonly string[], ...methods: string[]): string[] => types.flatMap(t => of(t, ...methods))

/** Milliseconds a constructor's unit is worth; `Duration::new` counts seconds first. */
export const DURATIONS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(['std::time::Duration', 'time::Duration', 'time::ext::NumericalStdDuration'].flatMap(d => [
    [`${d}::from_nanos`, 1e-6],
    [`${d}::from_micros`, 1e-3],
    [`${d}::from_millis`, 1],
    [`${d}::from_secs`, 1000],
    [`${d}::from_secs_f64`, 1000],
    [`${d}::from_secs_f32`, 1000],
    [`${d}::from_mins`, 60_000],
    [`${d}::from_hours`, 3_600_000],
    [`${d}::new`, 1000],
    [`${d}::ZERO`, 0],
    [`${d}::milliseconds`, 1],
    [`${d}::seconds`, 1000],
    [`${d}::minutes`, 60_000],
    [`${d}::microseconds`, 1e-3],
    [`${d}::nanoseconds`, 1e-6],
    [`${d}::SECOND`, 1000],
    [`${d}::MILLISECOND`, 1],
    [`${d}::hours`, 3_600_000],
    [`${d}::days`, 86_400_000],
  ])),
  ...Object.fromEntries(['chrono::Duration', 'chrono::TimeDelta'].flatMap(d =>
    ['', 'try_'].flatMap(t => [
      [`${d}::${t}milliseconds`, 1],
      [`${d}::${t}seconds`, 1000],
      [`${d}::${t}minutes`, 60_000],
      [`${d}::${t}hours`, 3_600_000],
      [`${d}::${t}days`, 86_400_000],
      [`${d}::${t}weeks`, 604_800_000],
      [`${d}::microseconds`, 1e-3],
      [`${d}::nanoseconds`, 1e-6],
    ])
  )),
}

const INSTANTS = ['std::time::Instant', 'tokio::time::Instant', 'quanta::Instant', 'minstant::Instant', 'coarsetime::Instant',
  'async_std::time::Instant']
const MAPS = ['std::collections::HashMap', 'std::collections::HashSet', 'hashbrown::HashMap', 'hashbrown::HashSet', 'ahash::AHashMap',
  'ahash::AHashSet', 'rustc_hash::FxHashMap', 'rustc_hash::FxHashSet', 'dashmap::DashMap', 'dashmap::DashSet',
  'slotmap::SparseSecondaryMap']
const ATOMICS = ['AtomicU64', 'AtomicU32', 'AtomicU16', 'AtomicU8', 'AtomicUsize', 'AtomicI64', 'AtomicI32', 'AtomicIsize'].map(a =>
  `std::sync::atomic::${a}`
)
const RECEIVERS = ['std::sync::mpsc::Receiver', 'crossbeam_channel::Receiver', 'flume::Receiver', 'tokio::sync::mpsc::Receiver',
  'tokio::sync::mpsc::UnboundedReceiver', 'tokio::sync::broadcast::Receiver', 'async_channel::Receiver']
const LISTENERS = ['std::net', 'tokio::net', 'async_std::net', 'smol::net', 'mio::net', 'async_net'].flatMap(
  m => [`${m}::TcpListener`, `${m}::UdpSocket`],
)
const UNIX_LISTENERS = ['std::os::unix::net', 'tokio::net', 'async_std::os::unix::net', 'mio::net'].flatMap(
  m => [`${m}::UnixListener`, `${m}::UnixDatagram`],
)
const FOLDERS = ['std::fs', 'tokio::fs', 'async_std::fs', 'fs_err', 'fs_err::tokio', 'smol::fs']
const COMMANDS = ['std::process::Command', 'tokio::process::Command', 'async_process::Command', 'assert_cmd::Command']
const CHILDREN = ['std::process::Child', 'tokio::process::Child', 'async_process::Child']

export const CATALOG: readonly CatalogRow[] = [
  // clock
  {
    name: ['std::time::SystemTime::now', 'chrono::Utc::now', 'chrono::Local::now', 'chrono::Utc::today', 'chrono::Local::today',
      'jiff::Timestamp::now', 'jiff::Zoned::now'],
    effect: 'clock',
  },
  {
    name: [...each(['time::OffsetDateTime'], 'now_utc', 'now_local'), 'time::UtcDateTime::now', 'time::get_time',
      'humantime::Timestamp::now', 'std::time::SystemTime::elapsed', 'coarsetime::Clock::now_since_epoch', 'prost_types::Timestamp::now'],
    effect: 'clock',
  },
  // the host's time zone: see flow/zones/zone.ts for the notes
  {
    name: each(['chrono::Local'], 'timestamp', 'timestamp_opt', 'timestamp_millis', 'timestamp_millis_opt', 'timestamp_nanos',
      'from_utc_datetime'),
    effect: 'local-zone',
    note: 'to',
  },
  { name: each(['chrono::Local'], 'ymd', 'ymd_opt', 'with_ymd_and_hms', 'datetime_from_str', 'from_local_datetime'), effect: 'local-zone',
    note: 'from' },
  { name: '?.and_local_timezone', effect: 'local-zone', args: 1, note: 'located' },
  { name: ['time::UtcOffset::current_local_offset', 'iana_time_zone::get_timezone', 'jiff::tz::TimeZone::system'], effect: 'local-zone',
    note: 'zone' },
  // monotonic
  {
    name: [...each(INSTANTS, 'now', 'recent'), 'embassy_time::Instant::now', 'quanta::Clock::now', 'time::precise_time_ns',
      'time::precise_time_s'],
    effect: 'mono',
    note: 'steady',
  },
  { name: each(INSTANTS, 'elapsed', 'duration_since', 'saturating_duration_since', 'checked_duration_since'), effect: 'elapsed',
    note: 'steady' },
  { name: ['?.elapsed', 'std::time::SystemTime::elapsed'], effect: 'elapsed', args: 0 },
  { name: '?.duration_since', effect: 'elapsed' },
  // sleep
  {
    name: ['std::thread::sleep', 'tokio::time::sleep', 'tokio::time::delay_for', 'async_std::task::sleep', 'smol::Timer::after',
      'async_io::Timer::after', 'futures_timer::Delay::new', 'gloo_timers::future::sleep', 'gloo_timers::future::TimeoutFuture::new',
      'monoio::time::sleep', 'compio::time::sleep', 'glommio::timer::sleep', 'actix_rt::time::sleep', 'actix::clock::sleep',
      'wasmtimer::tokio::sleep', 'embassy_time::Timer::after', 'ntex::time::sleep'],
    effect: 'sleep',
    ms: { arg: 0 },
  },
  { name: ['std::thread::yield_now', 'std::thread::sleep'], effect: 'yield' },
  { name: '…sleep', effect: 'sleep', args: 1, ms: { arg: 0 } },
  { name: ['…sleep_ms', '…sleep_millis'], effect: 'sleep', args: 1, ms: { arg: 0, unit: 'ms' } },
  { name: ['…sleep_secs', '…sleep_seconds'], effect: 'sleep', args: 1, ms: { arg: 0, unit: 's' } },
  ...pauses({ styles: ['snake'], unit: 'ms' }),
  { name: ['std::thread::sleep_ms'], effect: 'sleep', ms: { arg: 0, unit: 'ms' } },
  { name: ['std::thread::park_timeout'], effect: 'sleep', ms: { arg: 0 } },
  { name: ['tokio::time::sleep_until', 'tokio::time::delay_until', 'std::thread::sleep_until', 'smol::Timer::at', 'async_io::Timer::at'],
    effect: 'sleep' },
  { name: ['libc::usleep', 'nix::unistd::sleep'], effect: 'sleep', ms: { arg: 0, unit: 'us' } },
  { name: 'libc::sleep', effect: 'sleep', ms: { arg: 0, unit: 's' } },
  { name: 'timeout of nothing', effect: 'sleep', ms: { arg: 0 } },
  { name: 'Condvar of nobody', effect: 'sleep', ms: { arg: 1 } },
  { name: 'Command sleep', effect: 'sleep' },
  // random
  { name: ['rand::rng', 'rand::thread_rng', 'rand::rngs::ThreadRng::default', 'fastrand::Rng::new'], effect: 'random', note: 'generator' },
  {
    name: ['rand::random', 'rand::random_range', 'rand::random_bool', 'rand::random_iter', 'rand::fill', 'rand::rngs::OsRng::*',
      'rand_core::OsRng::*', 'getrandom::getrandom', 'getrandom::fill', 'nanoid::nanoid', 'nanoid::nanoid!'],
    effect: 'random',
  },
  {
    name: each(['rand::rngs::StdRng', 'rand::rngs::SmallRng', 'rand::SeedableRng', 'rand_chacha::ChaCha20Rng', 'rand_chacha::ChaCha8Rng',
      'rand_chacha::ChaCha12Rng', 'rand_chacha::ChaChaRng', 'rand_pcg::Pcg64', 'rand_xorshift::XorShiftRng', 'rand_isaac::IsaacRng'],
      'from_entropy', 'from_os_rng', 'from_rng'),
    effect: 'random',
    note: 'generator',
  },
  {
    name: ['fastrand::u8', 'fastrand::u16', 'fastrand::u32', 'fastrand::u64', 'fastrand::usize', 'fastrand::i32', 'fastrand::i64',
      'fastrand::f32', 'fastrand::f64', 'fastrand::bool', 'fastrand::char', 'fastrand::alphanumeric', 'fastrand::shuffle',
      'fastrand::choice', 'oorandom::Rand64', 'fake::Faker::fake', '?.fake', 'ulid::Ulid::new', 'ulid::Ulid::generate'],
    effect: 'random',
  },
  { name: ['uuid::Uuid::new_v4', 'uuid::Uuid::now_v7', 'uuid::Uuid::now_v1', 'uuid::Uuid::now_v6'], effect: 'random' },
  {
    name: ['uuid::Uuid::new_v4', 'uuid::Uuid::now_v7', 'ulid::Ulid::new', 'ulid::Ulid::generate', 'nanoid::nanoid!', 'cuid2::create_id',
      'xid::new'],
    effect: 'unique-id',
  },
  { name: each(ATOMICS, 'fetch_add', 'fetch_sub'), effect: 'unique-id' },
  { name: '?.fetch_add', effect: 'unique-id' },
  {
    name: each(['rand::rngs::StdRng', 'rand::rngs::SmallRng', 'rand::SeedableRng', 'rand_chacha::ChaCha20Rng', 'rand_chacha::ChaCha8Rng',
      'rand_chacha::ChaCha12Rng', 'rand_chacha::ChaChaRng', 'rand_pcg::Pcg64', 'rand_xorshift::XorShiftRng', 'rand_isaac::IsaacRng'],
      'seed_from_u64', 'from_seed'),
    effect: 'seed',
    arg: 0,
  },
  {
    name: ['fastrand::seed', 'fastrand::Rng::with_seed', 'oorandom::Rand32::new', 'oorandom::Rand64::new', '?.seed_from_u64',
      '?.from_seed'],
    effect: 'seed',
    arg: 0,
  },
  // order
  {
    name: each(MAPS, 'iter', 'iter_mut', 'keys', 'values', 'values_mut', 'drain', 'into_iter', 'into_keys', 'into_values', 'difference',
      'union', 'intersection', 'symmetric_difference'),
    effect: 'unordered',
  },
  { name: each(MAPS, 'new', 'from', 'from_iter', 'with_capacity'), effect: 'unordered' },
  {
    name: ['futures::stream::FuturesUnordered::new', '?.buffer_unordered', '?.par_bridge', 'tokio::task::JoinSet::join_next',
      '?.for_each_concurrent', 'rayon::iter::ParallelIterator::for_each', 'futures::future::select_all', 'futures::stream::select_all'],
    effect: 'unordered',
  },
  {
    name: [...FOLDERS.map(f => `${f}::read_dir`), 'std::path::Path::read_dir', 'std::path::PathBuf::read_dir', '?.read_dir',
      'walkdir::WalkDir::new', 'glob::glob', 'glob::glob_with', 'ignore::Walk::new', 'ignore::WalkBuilder::new', 'globwalk::glob'],
    effect: 'fs-order',
  },
  {
    name: ['?.sort', '?.sort_by', '?.sort_by_key', '?.sort_unstable', '?.sort_unstable_by', '?.sort_unstable_by_key',
      '?.sort_by_cached_key', '?.sorted', '?.sorted_by', '?.sorted_by_key', '?.sorted_unstable', '?.sort_by_file_name',
      'walkdir::WalkDir::sort_by', 'walkdir::WalkDir::sort_by_file_name', 'std::collections::BTreeMap::from_iter',
      'std::collections::BTreeSet::from_iter', 'itertools::sorted'],
    effect: 'sort',
  },
  { name: ['?.fetch_all', '?.query_map', 'sqlx::query::Query::fetch_all'], effect: 'rows' },
  // network
  {
    name: ['reqwest::get', 'reqwest::blocking::get', 'reqwest::Client::get', 'reqwest::Client::post', 'reqwest::Client::put',
      'reqwest::Client::delete', 'reqwest::Client::head', 'reqwest::Client::execute', 'reqwest::blocking::Client::execute',
      'reqwest::blocking::Client::get', 'reqwest::blocking::Client::post', 'ureq::get', 'ureq::post', 'ureq::put', 'ureq::delete',
      'ureq::head', 'surf::get', 'surf::post', 'isahc::get', 'attohttpc::get', 'minreq::get'],
    effect: 'network',
    arg: 0,
  },
  {
    name: ['std::net::TcpStream::connect', 'tokio::net::TcpStream::connect', 'async_std::net::TcpStream::connect',
      'tokio::net::lookup_host', '?.to_socket_addrs', 'tokio_tungstenite::connect_async', 'tungstenite::connect', 'ssh2::Session::new'],
    effect: 'network',
    arg: 0,
  },
  { name: ['std::net::TcpStream::connect_timeout'], effect: 'timeout', ms: { arg: 1 } },
  // ports
  {
    name: ['portpicker::pick_unused_port', 'get_port::tcp::TcpPort::any', 'openport::pick_unused_port', 'free_local_port::free_local_port',
      'port_check::free_local_port', 'port_check::free_local_ipv4_port'],
    effect: 'free-port',
  },
  { name: ['testcontainers::GenericImage::new'], effect: 'external', arg: 1, what: 'image' },
  // what the process takes up
  {
    name: ['sysinfo::Process::memory', 'sysinfo::Process::virtual_memory', 'sysinfo::Process::cpu_usage', 'sysinfo::System::used_memory',
      'sysinfo::System::free_memory', 'sysinfo::System::available_memory', 'sysinfo::System::global_cpu_usage',
      'memory_stats::memory_stats', 'procfs::process::Process::statm', 'jemalloc_ctl::stats::allocated::read',
      'jemalloc_ctl::stats::resident::read', 'tikv_jemalloc_ctl::stats::allocated::read', 'tikv_jemalloc_ctl::stats::resident::read',
      'libc::getrusage', 'psutil::process::Process::memory_info'],
    effect: 'usage',
  },
  // the host
  { name: ['dirs::home_dir', 'home::home_dir', 'std::env::home_dir'], effect: 'home-read' },
  { name: ['num_cpus::get', 'num_cpus::get_physical', 'std::thread::available_parallelism'], effect: 'ambient',
    what: 'the number of processors' },
  { name: ['hostname::get', 'gethostname::gethostname', 'whoami::username'], effect: 'ambient', what: 'a name of the host' },
  { name: each(LISTENERS, 'bind'), effect: 'bind-port', arg: 0 },
  {
    name: ['hyper::Server::bind', 'hyper::server::Server::bind', 'axum::Server::bind', 'axum_server::bind', 'axum_server::bind_rustls',
      'tiny_http::Server::http', 'tiny_http::Server::https', 'actix_web::HttpServer::bind', 'rouille::Server::new', 'rouille::start_server',
      'socket2::Socket::bind', 'tonic::transport::Server::serve', 'warp::Server::run', 'warp::Server::bind', '?.bind',
      '?.bind_with_graceful_shutdown', '?.serve_with_addr', '?.try_bind_ephemeral'],
    effect: 'bind-port',
    arg: 0,
  },
  { name: each(UNIX_LISTENERS, 'bind'), effect: 'name-resource', arg: 0, what: 'socket' },
  // process-wide state
  {
    name: ['std::env::set_var', 'std::env::remove_var', 'libc::setenv', 'libc::unsetenv', 'libc::putenv', 'dotenv::dotenv',
      'dotenvy::dotenv', 'dotenv::from_filename', 'dotenvy::from_filename'],
    effect: 'env-write',
  },
  { name: ['std::env::set_current_dir', 'nix::unistd::chdir', 'libc::chdir'], effect: 'cwd-write' },
  {
    name: ['std::panic::set_hook', 'std::panic::take_hook', 'log::set_logger', 'log::set_boxed_logger', 'log::set_max_level',
      'tracing::subscriber::set_global_default', 'env_logger::init', 'tracing_subscriber::fmt::init', 'pretty_env_logger::init',
      'simple_logger::init', 'color_eyre::install', 'rayon::ThreadPoolBuilder::build_global', '?.build_global',
      'metrics::set_global_recorder', 'metrics::set_boxed_recorder', 'opentelemetry::global::set_tracer_provider',
      'opentelemetry::global::set_text_map_propagator', 'libc::umask', 'nix::sys::stat::umask', 'libc::signal', 'nix::sys::signal::signal',
      'nix::sys::signal::sigaction', 'signal_hook::flag::register', 'ctrlc::set_handler', 'libc::setlocale', 'libc::tzset',
      'colored::control::set_override', 'libc::setrlimit', 'nix::sys::resource::setrlimit',
      'rustls::crypto::CryptoProvider::install_default'],
    effect: 'global-write',
  },
  {
    name: ['std::process::id', 'nix::unistd::getpid', 'nix::unistd::gettid', 'libc::getpid', 'std::thread::Thread::id',
      'std::os::unix::process::parent_id'],
    effect: 'process-id',
  },
  // names
  {
    name: ['rusqlite::Connection::open', 'rusqlite::Connection::open_with_flags', 'sqlite::open', 'sqlite::Connection::open',
      'diesel::SqliteConnection::establish', 'diesel::PgConnection::establish', 'diesel::MysqlConnection::establish',
      'diesel::sqlite::SqliteConnection::establish', 'diesel::pg::PgConnection::establish', 'diesel::Connection::establish', '?.establish'],
    effect: 'name-resource',
    arg: 0,
    what: 'database',
  },
  {
    name: ['sqlx::SqlitePool::connect', 'sqlx::PgPool::connect', 'sqlx::MySqlPool::connect', 'sqlx::AnyPool::connect',
      'sqlx::SqliteConnection::connect', 'sqlx::PgConnection::connect', 'sqlx::Pool::connect', 'sqlx::Sqlite::create_database',
      'sqlx::Postgres::create_database', 'sqlx::sqlite::SqliteConnectOptions::from_str', 'sqlx::sqlite::SqliteConnectOptions::filename',
      '?.filename', 'sea_orm::Database::connect', 'tokio_postgres::connect', 'postgres::Client::connect', 'redis::Client::open',
      'mongodb::Client::with_uri_str', 'sled::open', 'rocksdb::DB::open', 'rocksdb::DB::open_default', 'rocksdb::DB::open_cf',
      'heed::EnvOpenOptions::open', 'lmdb::Environment::open', 'redb::Database::create', 'duckdb::Connection::open',
      'leveldb::database::Database::open', '?.create_database', '?.open_tree', '?.use_db'],
    effect: 'name-resource',
    arg: 0,
    what: 'database',
  },
  { name: ['?.create_table', '?.create_schema', '?.create_collection', '?.create_index'], effect: 'name-resource', arg: 0, what: 'table' },
  {
    name: ['?.create_topic', '?.create_topics', '?.create_queue', '?.queue_declare', '?.exchange_declare', '?.create_bucket',
      '?.create_stream'],
    effect: 'name-resource',
    arg: 0,
    what: 'topic, queue or bucket',
  },
  {
    name: [
      ...FOLDERS.flatMap(f =>
        of(f, 'write', 'create_dir', 'create_dir_all', 'remove_file', 'remove_dir', 'remove_dir_all', 'set_permissions')
      ),
      ...each(FOLDERS.map(f => `${f}::File`), 'create', 'create_new'),
      ...each(FOLDERS.map(f => `${f}::OpenOptions`), 'open'),
      '?.create_dir_all',
      'nix::unistd::mkfifo',
      'nix::sys::stat::mknod',
      'fs_extra::dir::create',
    ],
    effect: 'name-resource',
    arg: 0,
    what: 'file',
  },
  { name: [...FOLDERS.flatMap(f => of(f, 'copy', 'rename', 'hard_link', 'soft_link')), 'std::os::unix::fs::symlink', 'tokio::fs::symlink'],
    effect: 'name-resource', arg: 1, what: 'file' },
  { name: ['shared_memory::ShmemConf::os_id', 'nix::sys::mman::shm_open', 'libc::shm_open', 'named_lock::NamedLock::create'],
    effect: 'name-resource', arg: 0, what: 'shared memory' },
  // limits
  {
    name: ['tokio::time::timeout', 'async_std::future::timeout', 'async_io::timeout', 'actix_rt::time::timeout', 'compio::time::timeout',
      'monoio::time::timeout', 'wasmtimer::tokio::timeout', 'ntex::time::timeout'],
    effect: 'timeout',
    ms: { arg: 0 },
  },
  { name: ['tokio::time::timeout_at'], effect: 'timeout' },
  { name: ['crossbeam_channel::after', 'crossbeam_channel::never'], effect: 'timeout', ms: { arg: 0 } },
  {
    name: ['std::net::TcpStream::set_read_timeout', 'std::net::TcpStream::set_write_timeout', 'std::net::UdpSocket::set_read_timeout',
      'std::os::unix::net::UnixStream::set_read_timeout', '?.set_read_timeout', '?.set_write_timeout', '?.timeout', '?.connect_timeout',
      '?.read_timeout', '?.timeout_connect', '?.timeout_read'],
    effect: 'timeout',
    ms: { arg: 0 },
  },
  // the last arm of crossbeam's `select!`
  { name: ['default', 'crossbeam_channel::default'], effect: 'timeout', args: 1, ms: { arg: 0 }, note: 'guard' },
  // how long each expectation of a terminal session may take
  { name: ['rexpect::spawn', 'rexpect::session::spawn', 'rexpect::session::spawn_command', 'rexpect::spawn_with_options'],
    effect: 'timeout', ms: { arg: 1, unit: 'ms' } },
  { name: ['rexpect::spawn_bash', 'rexpect::spawn_python', 'rexpect::session::spawn_bash', 'rexpect::session::spawn_python'],
    effect: 'timeout', ms: { arg: 0, unit: 'ms' } },
  { name: ['?.set_expect_timeout', 'expectrl::Session::set_expect_timeout'], effect: 'timeout', ms: { arg: 0 } },
  { name: ['tokio::time::timeout', 'tokio::time::timeout_at', 'async_std::future::timeout'], effect: 'inline' },
  // waiting
  { name: each(RECEIVERS, 'recv', 'recv_async', 'recv_many', 'blocking_recv', 'recv_blocking', 'iter'), effect: 'sync' },
  { name: each(RECEIVERS, 'recv_timeout'), effect: 'sync-timed', ms: { arg: 0 } },
  { name: ['?.recv_timeout', '?.select_timeout', 'crossbeam_channel::Select::select_timeout', 'crossbeam_channel::Select::ready_timeout'],
    effect: 'sync-timed', ms: { arg: 0 } },
  { name: each([...RECEIVERS], 'recv_deadline'), effect: 'sync-timed' },
  { name: '?.recv', effect: 'sync', args: 0 },
  { name: ['std::thread::JoinHandle::join', 'std::thread::ScopedJoinHandle::join', 'tokio::task::JoinSet::join_all', '?.join'],
    effect: 'sync', args: 0 },
  {
    name: ['std::sync::Barrier::wait', 'tokio::sync::Barrier::wait', 'async_std::sync::Barrier::wait',
      'crossbeam_utils::sync::WaitGroup::wait', 'crossbeam::sync::WaitGroup::wait', 'tokio::sync::Notify::notified',
      'tokio::sync::watch::Receiver::changed', 'tokio::sync::watch::Receiver::wait_for', 'tokio::sync::Semaphore::acquire',
      'tokio::sync::oneshot::Receiver::blocking_recv', 'event_listener::EventListener::wait',
      'tokio_util::sync::CancellationToken::cancelled', 'futures::future::join_all', 'futures::future::try_join_all', 'futures::join!',
      'tokio::join!', 'tokio::try_join!', 'futures::try_join!', 'std::sync::Once::wait', 'std::sync::OnceLock::wait'],
    effect: 'sync',
  },
  { name: each(CHILDREN, 'wait', 'wait_with_output'), effect: 'sync' },
  { name: '?.wait', effect: 'sync', args: 0 },
  { name: each(COMMANDS, 'output', 'status'), effect: 'sync' },
  { name: ['std::sync::Condvar::wait', 'std::sync::Condvar::wait_while', 'parking_lot::Condvar::wait', 'parking_lot::Condvar::wait_while'],
    effect: 'sync' },
  {
    name: ['std::sync::Condvar::wait_timeout', 'std::sync::Condvar::wait_timeout_while', 'parking_lot::Condvar::wait_for',
      'parking_lot::Condvar::wait_while_for', '?.wait_timeout_while'],
    effect: 'sync-timed',
    ms: { arg: 1 },
  },
  { name: '?.wait_timeout', effect: 'sync-timed', args: 2, ms: { arg: 1 } },
  {
    name: ['?.wait_timeout', 'std::process::Child::wait_timeout', '?.try_lock_for', '?.try_read_for', '?.try_write_for',
      'parking_lot::Mutex::try_lock_for'],
    effect: 'sync-timed',
    args: 1,
    ms: { arg: 0 },
  },
  {
    name: ['tokio_retry::Retry::spawn', 'tokio_retry::RetryIf::spawn', 'retry::retry', 'retry::retry_with_index', 'backoff::retry',
      'backoff::future::retry', 'backoff::retry_notify', 'backon::Retryable::retry', 'tryhard::retry_fn', 'again::retry',
      'futures_retry::FutureRetry::new', '?.wait_until', '?.wait_for_condition', '?.retry'],
    effect: 'wait-until',
  },
  {
    name: ['std::thread::spawn', 'std::thread::Builder::spawn', 'std::thread::Scope::spawn', 'tokio::spawn', 'tokio::task::spawn',
      'tokio::task::spawn_blocking', 'tokio::task::spawn_local', 'tokio::runtime::Runtime::spawn', 'tokio::runtime::Handle::spawn',
      'tokio::task::JoinSet::spawn', 'tokio::task::JoinSet::spawn_blocking', 'async_std::task::spawn', 'async_std::task::spawn_blocking',
      'smol::spawn', 'smol::unblock', 'actix_rt::spawn', 'actix_web::rt::spawn', 'rayon::spawn', 'futures::executor::ThreadPool::spawn_ok',
      'glib::MainContext::spawn', '?.spawn', '?.spawn_blocking', '?.spawn_local', '?.spawn_ok', '?.execute', '?.spawn_named',
      '?.spawn_unchecked', '?.spawn_scoped'],
    effect: 'spawn',
  },
  { name: each(COMMANDS, 'spawn'), effect: 'spawn' },
  {
    name: ['?.returning', '?.return_once', '?.returning_st', '?.withf', '?.respond_with', 'wiremock::Mock::given', 'tower::service_fn',
      'tower_test::mock::pair', 'tokio_test::io::Builder::new', 'warp::any', 'axum::routing::get', 'axum::routing::post',
      'hyper::service::service_fn', 'hyper::service::make_service_fn'],
    effect: 'stub',
  },
  {
    name: ['tokio::runtime::Runtime::block_on', 'tokio::runtime::Handle::block_on', 'futures::executor::block_on', 'tokio_test::block_on',
      'smol::block_on', 'async_std::task::block_on', 'pollster::block_on', 'futures_lite::future::block_on', 'async_io::block_on',
      '?.block_on', 'std::panic::catch_unwind', 'std::thread::scope', 'rayon::scope', 'rayon::join', 'crossbeam::scope',
      'crossbeam::thread::scope', 'crossbeam_utils::thread::scope', '?.run_until', '?.enter', 'temp_env::with_var', 'temp_env::with_vars',
      'temp_env::with_var_unset', 'temp_env::async_with_vars', 'figment::Jail::expect_with'],
    effect: 'inline',
  },
  {
    name: ['?.map', '?.and_then', '?.unwrap_or_else', '?.map_err', '?.for_each', '?.filter', '?.filter_map', '?.flat_map', '?.any', '?.all',
      '?.find', '?.position', '?.fold', '?.or_else', '?.ok_or_else', '?.with_context', '?.is_some_and', '?.is_ok_and', '?.map_or',
      '?.map_or_else', '?.get_or_init', '?.with', '?.inspect', '?.retain', '?.sort_by', '?.sort_by_key', '?.take_while', '?.skip_while',
      '?.or_insert_with', '?.then'],
    effect: 'inline',
  },
  // started, and looked at once
  { name: each(COMMANDS, 'spawn'), effect: 'start' },
  {
    name: ['std::fs::read_to_string', 'std::fs::read', 'std::net::TcpStream::connect', 'tokio::net::TcpStream::connect',
      'tokio::fs::read_to_string'],
    effect: 'observe',
  },
  { name: each(COMMANDS, 'spawn'), effect: 'opens', what: 'process' },
  // taken from the guard that would remove it
  { name: ['tempfile::TempDir::into_path', 'tempfile::TempDir::keep', 'tempdir::TempDir::into_path'], effect: 'opens', what: 'folder',
    note: 'leaks' },
  // ends
  { name: ['std::process::exit', 'std::process::abort'], effect: 'exit' },
  // futures do nothing until somebody waits
  {
    name: ['tokio::time::sleep', 'tokio::time::timeout', 'tokio::time::delay_for', 'async_std::task::sleep', 'futures::future::join_all',
      'futures::join_all', 'tokio::sync::Notify::notified'],
    effect: 'promise',
    note: 'lazy',
  },
  // results as they finish
  {
    name: each(['futures::stream::FuturesUnordered', 'futures_util::stream::FuturesUnordered',
      'futures::stream::futures_unordered::FuturesUnordered', 'FuturesUnordered'], 'new', 'from_iter', 'next', 'try_next', 'collect'),
    effect: 'completion',
  },
  {
    name: ['?.buffer_unordered', '?.for_each_concurrent', 'tokio::task::JoinSet::join_next', 'tokio::task::JoinSet::try_join_next',
      '?.join_next'],
    effect: 'completion',
  },
  // cures
  {
    name: ['tokio::time::pause', 'tokio::runtime::Builder::start_paused', 'tokio::time::advance', 'mock_instant::*',
      'mock_instant::MockClock::*', 'fake_clock::FakeClock::*', 'sn_fake_clock::FakeClock::*', 'quanta::Clock::mock', 'quanta::with_clock',
      'tokio_test::task::spawn_paused', 'mock_clock::advance', 'libfaketime::set', '?.start_paused'],
    effect: 'fake-clock',
  },
  { name: 'tokio::time::resume', effect: 'real-clock' },
  {
    name: ['wiremock::MockServer::start', 'wiremock::MockServer::builder', 'mockito::mock', 'mockito::Server::new',
      'mockito::Server::new_async', 'httpmock::MockServer::start', 'httpmock::MockServer::start_async', 'httptest::Server::run',
      'tokio::io::duplex', 'tower_test::mock::spawn', 'turmoil::Builder::new'],
    effect: 'fake-net',
  },
  {
    name: ['temp_env::with_var', 'temp_env::with_vars', 'temp_env::with_var_unset', 'temp_env::with_vars_unset',
      'temp_env::async_with_vars', 'figment::Jail::expect_with', 'scopeguard::guard', 'scopeguard::defer!', 'defer!',
      'tracing::subscriber::set_default', 'tracing::subscriber::with_default', '?.set_default', 'envtestkit::set_env',
      'serial_env::set_var', 'tempenv::set_var'],
    effect: 'restore',
  },
  {
    name: ['static Mutex::lock', 'envtestkit::lock::lock_test', 'fd_lock::RwLock::write', 'fs2::FileExt::lock_exclusive',
      'named_lock::NamedLock::lock', 'serial_test::local_serial_core'],
    effect: 'serialise',
  },
  // a test that runs its own binary again has the process to itself
  { name: 'std::env::current_exe', effect: 'serialise' },
  {
    name: ['tempfile::tempdir', 'tempfile::tempdir_in', 'tempfile::tempfile', 'tempfile::tempfile_in', 'tempfile::TempDir::new',
      'tempfile::TempDir::new_in', 'tempfile::TempDir::with_prefix', 'tempfile::TempDir::with_suffix', 'tempfile::NamedTempFile::new',
      'tempfile::NamedTempFile::new_in', 'tempfile::NamedTempFile::with_prefix', 'tempfile::NamedTempFile::with_suffix',
      'tempfile::Builder::new', 'tempfile::Builder::tempdir', 'tempfile::Builder::tempfile', 'tempdir::TempDir::new',
      'assert_fs::TempDir::new', 'assert_fs::NamedTempFile::new', 'temp_dir::TempDir::new', 'temp_file::TempFile::new',
      'mktemp::Temp::new_dir', 'mktemp::Temp::new_file', 'camino_tempfile::tempdir', 'camino_tempfile::Utf8TempDir::new',
      'async_tempfile::TempDir::new', 'async_tempfile::TempFile::new', 'testdir::testdir!', 'testdir!',
      'vmm_sys_util::tempfile::TempFile::new', 'vmm_sys_util::tempdir::TempDir::new', 'utils::tempfile::TempFile::new',
      'utils::tempdir::TempDir::new', 'rusqlite::Connection::open_in_memory'],
    effect: 'temp-dir',
  },
  {
    name: ['proptest::*', 'quickcheck::quickcheck', 'quickcheck::QuickCheck::new', 'arbtest::arbtest', 'bolero::check!', 'hegel::*',
      'loom::model', 'shuttle::check_random', 'turmoil::*'],
    effect: 'property',
  },
  // where values go
  {
    name: ['println!', 'eprintln!', 'print!', 'eprint!', 'dbg!',
      ...['log', 'tracing', 'slog', 'defmt'].flatMap(c =>
        ['trace', 'debug', 'info', 'warn', 'error', 'event', 'log'].map(l => `${c}::${l}!`)
      ), 'trace!', 'debug!', 'info!', 'warn!', 'error!', 'event!', 'log!', 'panic!', 'unreachable!', 'std::println!', 'std::eprintln!'],
    effect: 'log',
  },
]
