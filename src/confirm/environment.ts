// The environment that tests see: the user's own, less what bends a runner and what is a secret. Whoever needs one of those
// passes it by name, and every run says what was dropped: a missing variable is itself a cause of failures.

/** Options that reach into a runner from outside: with them, the command we show is not the command that ran. */
const BENDING = new Set(['NODE_OPTIONS', 'NODE_PATH', 'NODE_ENV', 'NODE_TEST_CONTEXT', 'NODE_V8_COVERAGE', 'JEST_WORKER_ID', 'VITEST',
  'VITEST_MODE', 'VITEST_POOL_ID', 'VITEST_WORKER_ID', 'TEST', 'DEV', 'PROD', 'MODE', 'SSR', 'BASE_URL', 'PYTEST_ADDOPTS', 'PYTEST_PLUGINS',
  'PYTEST_CURRENT_TEST', 'PYTEST_XDIST_WORKER', 'PYTEST_XDIST_WORKER_COUNT', 'PYTHONHASHSEED', 'PYTHONSTARTUP', 'PYTHONWARNINGS', 'GOFLAGS',
  'GODEBUG', 'GORACE', 'GOMAXPROCS', 'RUST_TEST_THREADS', 'RUST_TEST_SHUFFLE', 'RUST_TEST_SHUFFLE_SEED', 'RUSTFLAGS', 'NEXTEST',
  'NEXTEST_RETRIES', 'NEXTEST_TEST_THREADS', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'JDK_JAVA_OPTIONS', 'MAVEN_OPTS', 'MAVEN_ARGS',
  'GRADLE_OPTS', 'BATS_TEST_RETRIES', 'BATS_NUMBER_OF_PARALLEL_JOBS', 'BATS_ROOT', 'BATS_TMPDIR', 'BATS_RUN_TMPDIR', 'FLAKESNIFF_RUN',
  'FLAKESNIFF_RANDOM_SEED', 'LD_PRELOAD', 'FAKETIME'])
const SECRET =
  /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH|APIKEY|PRIVATE|COOKIE)(?:_|$)|(?:API|ACCESS|SECRET|PRIVATE|SIGNING|ENCRYPTION)_KEY(?:_|$)/i
/** Folders and sockets whose names only look like secrets. */
const HARMLESS = new Set(['SSH_AUTH_SOCK', 'XAUTHORITY'])

/** No colour in what we read, no byte code beside the sources, no prompts, no watch mode. */
const SET: Readonly<Record<string, string>> = { CI: '1', NO_COLOR: '1', FORCE_COLOR: '0', TERM: 'dumb', RUST_BACKTRACE: '0',
  PYTHONDONTWRITEBYTECODE: '1' }

export interface Environment {
  readonly env: Readonly<Record<string, string>>
  readonly dropped: readonly string[]
  /** What we set ourselves. */
  readonly set: Readonly<Record<string, string>>
}

/** `passed` holds `NAME`, to keep a variable that would be dropped, or `NAME=VALUE`. */
export function environmentOf(own: Readonly<Record<string, string | undefined>>, passed: readonly string[] = []): Environment {
  const asked = passed.map(
    p => (p.includes('=') ? [p.slice(0, p.indexOf('=')), p.slice(p.indexOf('=') + 1)] as const : [p, own[p]] as const),
  )
  const names = new Set(asked.map(([name]) => name))
  const entries = Object.entries(own).filter((e): e is [string, string] => e[1] !== undefined)
  const dropped = entries.map(([name]) => name).filter(n => !names.has(n) && isDropped(n)).sort()
  const set = Object.fromEntries(Object.entries(SET).filter(([name]) => !names.has(name)))
  const env = { ...Object.fromEntries(entries.filter(([name]) => !dropped.includes(name))), ...set,
    ...Object.fromEntries(asked.filter((a): a is readonly [string, string] => a[1] !== undefined)) }
  return { env, dropped, set }
}

const isDropped = (name: string): boolean => BENDING.has(name) || (SECRET.test(name) && !HARMLESS.has(name))

/** All that a program needs to start at all; toolchains find their own caches. */
const BARE = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TMPDIR', 'TZ', 'VIRTUAL_ENV', 'PYTHONPATH', 'PYENV_ROOT',
  'JAVA_HOME', 'M2_HOME', 'MAVEN_HOME', 'GRADLE_USER_HOME', 'GOPATH', 'GOROOT', 'GOCACHE', 'GOMODCACHE', 'CARGO_HOME', 'RUSTUP_HOME',
  'RUSTUP_TOOLCHAIN', 'CARGO_TARGET_DIR', 'NVM_DIR', 'npm_config_cache', 'PLAYWRIGHT_BROWSERS_PATH', 'SYSTEMROOT'])

/** The allow-list alone: for the run that asks whether a test leans on anything else. */
export const bareEnvironment = (env: Readonly<Record<string, string>>,
  passed: readonly string[] = []): { env: Record<string, string>; dropped: string[] } =>
{
  const kept = (name: string) => BARE.has(name) || name in SET || passed.some(p => p === name || p.startsWith(`${name}=`))
  return { env: Object.fromEntries(Object.entries(env).filter(([name]) => kept(name))),
    dropped: Object.keys(env).filter(n => !kept(n)).sort() }
}
