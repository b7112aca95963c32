// What is known of libraries without reading them: which type a function gives, and what a short name most likely is. Data.

const from = (module: string, ...names: string[]): [string, string][] => names.map(n => [n, `${module}::${n}`])

/** Names so common that they tell their origin even where the import is out of sight (`use super::*`). */
export const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ...from('std::time', 'Instant', 'SystemTime', 'Duration', 'UNIX_EPOCH'),
  ...from('std::collections', 'HashMap', 'HashSet', 'BTreeMap', 'BTreeSet', 'VecDeque'),
  ...from('std::net', 'TcpListener', 'TcpStream', 'UdpSocket', 'SocketAddr', 'SocketAddrV4', 'IpAddr', 'Ipv4Addr'),
  ...from('std::os::unix::net', 'UnixListener', 'UnixStream'),
  ...from('std::process', 'Command', 'Child', 'Stdio'),
  ...from('std::sync', 'Arc', 'Mutex', 'RwLock', 'Condvar', 'Barrier', 'Once', 'OnceLock', 'LazyLock', 'Weak', 'mpsc'),
  ...from('std::sync::atomic', 'AtomicBool', 'AtomicUsize', 'AtomicU64', 'AtomicU32', 'AtomicU16', 'AtomicI64', 'AtomicI32', 'Ordering'),
  ...from('std::path', 'Path', 'PathBuf'),
  ...from('std::fs', 'File', 'OpenOptions'),
  ...from('std::thread', 'JoinHandle'),
  ...from('std', 'thread', 'fs', 'env', 'process', 'panic'),
  ...from('chrono', 'Utc', 'Local', 'DateTime', 'NaiveDateTime'),
  ...from('tempfile', 'TempDir', 'NamedTempFile', 'tempdir'),
  ...from('uuid', 'Uuid'),
  ...from('rand', 'thread_rng'),
  ...from('rand::rngs', 'StdRng', 'SmallRng', 'OsRng', 'ThreadRng'),
])

/** What `use module::*` brings in, as far as the catalog speaks of it. */
export const GLOBS: Readonly<Record<string, readonly string[]>> = {
  'std::time': ['Instant', 'SystemTime', 'Duration', 'UNIX_EPOCH'],
  'std::thread': ['sleep', 'spawn', 'park_timeout', 'scope', 'JoinHandle', 'current'],
  'std::env': ['set_var', 'remove_var', 'set_current_dir', 'temp_dir', 'current_dir', 'var'],
  'std::fs': ['write', 'create_dir', 'create_dir_all', 'read_dir', 'read_to_string', 'remove_file', 'remove_dir_all', 'File',
    'OpenOptions'],
  'std::net': ['TcpListener', 'TcpStream', 'UdpSocket', 'SocketAddr', 'IpAddr', 'Ipv4Addr'],
  'std::process': ['Command', 'Child', 'Stdio', 'id', 'exit'],
  'std::sync': ['Arc', 'Mutex', 'RwLock', 'Condvar', 'Barrier', 'Once', 'OnceLock', 'LazyLock', 'mpsc'],
  'std::sync::mpsc': ['channel', 'sync_channel', 'Receiver', 'Sender', 'SyncSender'],
  'std::sync::atomic': ['AtomicBool', 'AtomicUsize', 'AtomicU64', 'AtomicU32', 'AtomicU16', 'AtomicI64', 'AtomicI32', 'Ordering'],
  'std::collections': ['HashMap', 'HashSet', 'BTreeMap', 'BTreeSet', 'VecDeque'],
  'std::path': ['Path', 'PathBuf'],
  'tokio::time': ['sleep', 'sleep_until', 'timeout', 'timeout_at', 'interval', 'pause', 'advance', 'resume', 'Instant', 'Duration',
    'delay_for'],
  'tokio::task': ['spawn', 'spawn_blocking', 'spawn_local', 'yield_now', 'JoinHandle', 'JoinSet'],
  'tokio::net': ['TcpListener', 'TcpStream', 'UdpSocket', 'UnixListener'],
  'tokio::sync': ['mpsc', 'oneshot', 'broadcast', 'watch', 'Mutex', 'Notify', 'Barrier', 'Semaphore'],
  'chrono': ['Utc', 'Local', 'DateTime', 'Duration', 'TimeDelta', 'NaiveDate', 'NaiveDateTime'],
  'chrono::prelude': ['Utc', 'Local', 'DateTime', 'NaiveDate', 'NaiveDateTime'],
  'rand': ['thread_rng', 'rng', 'random'],
  'rand::prelude': ['thread_rng', 'rng', 'random', 'StdRng', 'SmallRng', 'ThreadRng'],
  'rand::rngs': ['StdRng', 'SmallRng', 'OsRng', 'ThreadRng'],
  'tempfile': ['tempdir', 'tempfile', 'TempDir', 'NamedTempFile', 'Builder'],
  'uuid': ['Uuid'],
}

/** Names under which a thing is exported again. */
export const SAME: readonly (readonly [string, string])[] = [
  ['core::', 'std::'],
  ['alloc::', 'std::'],
  ['tokio::time::Duration', 'std::time::Duration'],
  ['rand::prelude::', 'rand::rngs::'],
  ['chrono::prelude::', 'chrono::'],
  ['crossbeam::channel::', 'crossbeam_channel::'],
  ['tokio::time::error::', 'tokio::time::error::'],
  ['web_time::', 'std::time::'],
]

/** Looked through: what is inside is what a method is called on. */
export const WRAPPERS: ReadonlySet<string> = new Set(['Arc', 'Rc', 'Box', 'Pin', 'Option', 'Result', 'MutexGuard', 'RwLockReadGuard',
  'RwLockWriteGuard', 'Ref', 'RefMut', 'Cow', 'ManuallyDrop', 'Saturating'])

/** `A::new(x)` is as good as `x`. */
export const WRAPPING = /(^|::)(Arc|Rc|Box|Pin)::(new|pin|from|clone)$|(^|::)(ManuallyDrop|Wrapping|Cow)::(new|from)$/

/** What a function gives, by its name; `self` is the type of the receiver, `inner` its first parameter. */
export const GIVES: Readonly<Record<string, string>> = {
  'std::thread::spawn': 'std::thread::JoinHandle',
  'std::thread::Builder::spawn': 'std::thread::JoinHandle',
  'std::thread::current': 'std::thread::Thread',
  'tokio::spawn': 'tokio::task::JoinHandle',
  'tokio::task::spawn': 'tokio::task::JoinHandle',
  'tokio::task::spawn_blocking': 'tokio::task::JoinHandle',
  'tokio::task::spawn_local': 'tokio::task::JoinHandle',
  'tokio::runtime::Runtime::spawn': 'tokio::task::JoinHandle',
  'tokio::runtime::Runtime::handle': 'tokio::runtime::Handle',
  'tokio::runtime::Handle::spawn': 'tokio::task::JoinHandle',
  'tokio::runtime::Builder::build': 'tokio::runtime::Runtime',
  'tokio::time::interval': 'tokio::time::Interval',
  'async_std::task::spawn': 'async_std::task::JoinHandle',
  'std::time::Instant::elapsed': 'std::time::Duration',
  'std::time::Instant::duration_since': 'std::time::Duration',
  'std::time::Instant::saturating_duration_since': 'std::time::Duration',
  'std::time::Instant::checked_add': 'std::time::Instant',
  'std::time::SystemTime::elapsed': 'std::time::Duration',
  'std::time::SystemTime::duration_since': 'std::time::Duration',
  'tokio::time::Instant::elapsed': 'std::time::Duration',
  'tokio::time::Instant::duration_since': 'std::time::Duration',
  'tokio::time::Instant::into_std': 'std::time::Instant',
  'chrono::Utc::now': 'chrono::DateTime',
  'chrono::Local::now': 'chrono::DateTime',
  'std::process::Command::spawn': 'std::process::Child',
  'std::process::Command::output': 'std::process::Output',
  'std::process::Command::status': 'std::process::ExitStatus',
  'tokio::process::Command::spawn': 'tokio::process::Child',
  'tokio::process::Command::output': 'std::process::Output',
  'std::fs::OpenOptions::open': 'std::fs::File',
  'tokio::fs::OpenOptions::open': 'tokio::fs::File',
  'std::fs::read_to_string': 'std::string::String',
  'std::fs::read_dir': 'std::fs::ReadDir',
  'std::env::temp_dir': 'std::path::PathBuf',
  'std::env::current_dir': 'std::path::PathBuf',
  'std::path::Path::with_extension': 'std::path::PathBuf',
  'std::path::PathBuf::with_extension': 'std::path::PathBuf',
  'std::net::TcpListener::accept': '',
  'std::net::TcpListener::local_addr': 'std::net::SocketAddr',
  'tokio::net::TcpListener::local_addr': 'std::net::SocketAddr',
  'std::net::UdpSocket::local_addr': 'std::net::SocketAddr',
  'tokio::sync::broadcast::Sender::subscribe': 'tokio::sync::broadcast::Receiver',
  'tokio::sync::broadcast::Receiver::resubscribe': 'tokio::sync::broadcast::Receiver',
  'tokio::sync::watch::Sender::subscribe': 'tokio::sync::watch::Receiver',
  'tempfile::tempdir': 'tempfile::TempDir',
  'tempfile::tempdir_in': 'tempfile::TempDir',
  'tempfile::tempfile': 'std::fs::File',
  'tempfile::TempDir::path': 'std::path::Path',
  'tempfile::TempDir::into_path': 'std::path::PathBuf',
  'tempfile::TempDir::keep': 'std::path::PathBuf',
  'tempfile::NamedTempFile::path': 'std::path::Path',
  'tempfile::Builder::tempdir': 'tempfile::TempDir',
  'tempfile::Builder::tempfile': 'tempfile::NamedTempFile',
  'rand::thread_rng': 'rand::rngs::ThreadRng',
  'rand::rng': 'rand::rngs::ThreadRng',
  'std::sync::Mutex::lock': 'inner',
  'std::sync::RwLock::read': 'inner',
  'std::sync::RwLock::write': 'inner',
  'tokio::sync::Mutex::lock': 'inner',
  'tokio::sync::RwLock::read': 'inner',
  'tokio::sync::RwLock::write': 'inner',
  'parking_lot::Mutex::lock': 'inner',
  'parking_lot::RwLock::read': 'inner',
  'parking_lot::RwLock::write': 'inner',
  'std::cell::RefCell::borrow_mut': 'inner',
  'std::sync::OnceLock::get_or_init': 'inner',
  'std::sync::LazyLock::force': 'inner',
  'once_cell::sync::OnceCell::get_or_init': 'inner',
}

/** Both ends of a channel. */
export const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  'std::sync::mpsc::channel': ['std::sync::mpsc::Sender', 'std::sync::mpsc::Receiver'],
  'std::sync::mpsc::sync_channel': ['std::sync::mpsc::SyncSender', 'std::sync::mpsc::Receiver'],
  'tokio::sync::mpsc::channel': ['tokio::sync::mpsc::Sender', 'tokio::sync::mpsc::Receiver'],
  'tokio::sync::mpsc::unbounded_channel': ['tokio::sync::mpsc::UnboundedSender', 'tokio::sync::mpsc::UnboundedReceiver'],
  'tokio::sync::oneshot::channel': ['tokio::sync::oneshot::Sender', 'tokio::sync::oneshot::Receiver'],
  'tokio::sync::broadcast::channel': ['tokio::sync::broadcast::Sender', 'tokio::sync::broadcast::Receiver'],
  'tokio::sync::watch::channel': ['tokio::sync::watch::Sender', 'tokio::sync::watch::Receiver'],
  'crossbeam_channel::unbounded': ['crossbeam_channel::Sender', 'crossbeam_channel::Receiver'],
  'crossbeam_channel::bounded': ['crossbeam_channel::Sender', 'crossbeam_channel::Receiver'],
  'flume::unbounded': ['flume::Sender', 'flume::Receiver'],
  'flume::bounded': ['flume::Sender', 'flume::Receiver'],
  'async_channel::unbounded': ['async_channel::Sender', 'async_channel::Receiver'],
  'async_channel::bounded': ['async_channel::Sender', 'async_channel::Receiver'],
  'futures::channel::mpsc::channel': ['futures::channel::mpsc::Sender', 'futures::channel::mpsc::Receiver'],
  'futures::channel::mpsc::unbounded': ['futures::channel::mpsc::UnboundedSender', 'futures::channel::mpsc::UnboundedReceiver'],
  'futures::channel::oneshot::channel': ['futures::channel::oneshot::Sender', 'futures::channel::oneshot::Receiver'],
}

/** `T::new` and the like give a T. */
export const CONSTRUCTOR =
  /^(new|default|from|with|now|open|create|bind|connect|try_new|try_from|build|start|seed_from|init|unix_epoch|options|current|piped|spawn_with)(_|$)|^(from|with|new|now|try|create|open|bind|connect|start)_/

/** Methods of a builder give the builder back, these excepted. */
export const BUILDERS: Readonly<Record<string, RegExp>> = {
  'std::process::Command': /^(spawn|output|status|get_\w+)$/,
  'tokio::process::Command': /^(spawn|output|status)$/,
  'std::fs::OpenOptions': /^open$/,
  'tokio::fs::OpenOptions': /^open$/,
  'std::thread::Builder': /^spawn/,
  'tokio::runtime::Builder': /^build$/,
  'tempfile::Builder': /^(tempdir|tempfile)/,
}

/** Of Option and Result, whatever the receiver holds: the type inside stays. */
export const COMBINATORS: ReadonlySet<string> = new Set(['map_err', 'or_else', 'unwrap_or', 'unwrap_or_else', 'unwrap_or_default', 'ok_or',
  'ok_or_else', 'context', 'with_context', 'wrap_err', 'inspect', 'inspect_err', 'as_ref', 'as_mut', 'take', 'cloned', 'copied', 'iter',
  'filter', 'ok', 'err', 'expect_err', 'unwrap_err', 'map', 'and_then', 'is_some_and', 'is_ok_and', 'map_or', 'map_or_else'])

/** Of those, the ones whose result is another thing. */
export const CHANGES: ReadonlySet<string> = new Set(['map', 'and_then', 'map_or', 'map_or_else', 'iter', 'err', 'expect_err', 'unwrap_err',
  'is_some_and', 'is_ok_and'])

/** Say the same thing in another form; no call is recorded. */
export const CONVERSIONS: ReadonlySet<string> = new Set(['clone', 'to_owned', 'into', 'as_str', 'as_ref', 'as_mut', 'as_deref',
  'as_deref_mut', 'borrow', 'as_bytes', 'into_bytes', 'to_vec', 'as_slice', 'as_path', 'to_path_buf', 'into_boxed_str', 'into_boxed_slice',
  'by_ref', 'to_str', 'as_os_str', 'cloned', 'copied', 'boxed', 'fuse', 'try_into', 'unwrap_or_default', 'display', 'to_string_lossy',
  'into_owned', 'into_os_string', 'into_string', 'to_std_string', 'as_os_string'])

/** Have to do with the failure alone; what comes through is what they were called on. */
export const PASSING: ReadonlySet<string> = new Set(['map_err', 'context', 'with_context', 'wrap_err', 'wrap_err_with', 'inspect',
  'inspect_err', 'ok_or', 'ok_or_else', 'instrument', 'in_current_span'])
