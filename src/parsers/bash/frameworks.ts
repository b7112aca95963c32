// How bats, shUnit2, bash_unit and Sharness are recognised, and what the commands of their assertion libraries claim. Data.

import type { Comparison, Marker, Role } from '../../facts/facts.ts'

export const FRAMEWORKS = [
  { id: 'bats', title: 'BATS' },
  { id: 'shunit2', title: 'shUnit2' },
  { id: 'bash_unit', title: 'bash_unit' },
  { id: 'sharness', title: 'Sharness' },
]

/** A row by name; a command may well be called `constructor`. */
export const rowOf = <T>(rows: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(rows, name) ? rows[name] : undefined

export type Runner = 'bats' | 'shunit2' | 'bash_unit' | 'sharness'

const before = (per: 'test' | 'file' | 'run'): Role => ({ is: 'hook', when: 'before', per })
const after = (per: 'test' | 'file' | 'run'): Role => ({ is: 'hook', when: 'after', per })

export const HOOKS: Readonly<Record<Runner, Readonly<Record<string, Role>>>> = {
  bats: {
    setup: before('test'),
    setup_file: before('file'),
    setup_suite: before('run'),
    teardown: after('test'),
    teardown_file: after('file'),
    teardown_suite: after('run'),
  },
  shunit2: { setUp: before('test'), oneTimeSetUp: before('file'), tearDown: after('test'), oneTimeTearDown: after('file') },
  bash_unit: { setup: before('test'), setup_suite: before('file'), teardown: after('test'), teardown_suite: after('file') },
  sharness: {},
}

/** Tags of `# bats test_tags=…` that say how tests may run beside each other; podman spells it `ci:parallel`. */
export const TAGS: readonly { readonly tag: RegExp; readonly is: Marker['is'] }[] = [
  { tag: /^(.*[:_-])?(serial|sequential|exclusive|no[_-]parallel)$/i, is: 'serial' },
  { tag: /^(.*[:_-])?parallel$/i, is: 'parallel' },
  { tag: /^(.*[:_-])?(benchmark|perf)$/i, is: 'benchmark' },
  { tag: /^bats:focus$/, is: 'focus' },
]

/** Variables by which a file tells its runner or a library how to treat it. */
export const SETTINGS: Readonly<Record<string, Marker['is']>> = {
  BATS_NO_PARALLELIZE_WITHIN_FILE: 'serial',
  BATS_TEST_RETRIES: 'retry',
  BATS_TEST_TIMEOUT: 'timeout',
  FAKETIME: 'frozen-clock',
  SOURCE_DATE_EPOCH: 'frozen-clock',
}

/** Variables whose reading does something: each becomes a call without arguments, for the catalog to speak of. */
export const LIVE = new Set(['RANDOM', 'SRANDOM', 'SECONDS', 'EPOCHSECONDS', 'EPOCHREALTIME', 'BASHPID', 'PPID', 'BATS_TEST_TMPDIR',
  'BATS_FILE_TMPDIR', 'BATS_SUITE_TMPDIR', 'BATS_RUN_TMPDIR', 'SHUNIT_TMPDIR', 'BATS_TEST_NUMBER', 'BATS_SUITE_TEST_NUMBER'])

/** Commands that make the test fail. */
export const FAILS = new Set(['fail', 'flunk', 'die', 'bail', 'bail-now', 'false', 'abort', 'failNotEquals', 'failSame', 'failNotSame'])

/** Commands whose status is an answer (found or not, equal or not, more or no more) rather than a failure. */
export const ANSWERS = new Set(['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'pgrep', 'pidof', 'diff', 'cmp', 'expr', 'read', 'shift',
  'let', 'test', 'command', 'type', 'which', 'hash', 'wait', 'getopts', 'getent', 'mountpoint'])

/** Commands that only ask what the machine has, beside those with `--version` and the like. */
export const ASKS = new Set([...ANSWERS, 'ls', 'id', 'uname', 'lsmod', 'modinfo', 'modprobe', 'findmnt', 'ssh-add', 'locale', 'getconf',
  'ldconfig', 'stat'])

/** Tools whose first word says what they do, and words that want a second one: `docker rm`, `docker image rm`. */
export const TOOLS = new Set(['docker', 'podman', 'nerdctl', 'buildah', 'crictl', 'ctr', 'kubectl', 'oc', 'helm', 'systemctl', 'git', 'ip',
  'virsh', 'lxc', 'machinectl', 'vagrant'])
export const OBJECTS = new Set(['container', 'image', 'network', 'volume', 'pod', 'system', 'manifest', 'secret', 'machine', 'compose',
  'buildx', 'builder', 'context', 'node', 'service', 'stack', 'swarm', 'kube', 'plugin', 'worktree', 'submodule', 'remote', 'netns', 'link',
  'addr', 'route'])

/** What holds the outcome of the last command. */
export const STATUS = new Set(['status', '?', 'rc', 'ret', 'retval', 'exit_code', 'exitcode', 'exit_status'])

interface AssertCommand {
  readonly compare: Comparison
  /**
   * The operands, what is tested first. Numbers are places among the arguments once flags are gone, negative ones from the
   * end (shUnit2 puts an optional message first); words are variables.
   */
  readonly of: readonly (number | string)[]
  readonly absence?: true
  readonly tolerance?: number
}

const equal: AssertCommand = { compare: '==', of: [0, 1] }
const differ: AssertCommand = { compare: '!=', of: [0, 1], absence: true }
const there: AssertCommand = { compare: 'truth', of: [0] }
const gone: AssertCommand = { compare: 'truth', of: [0], absence: true }
const holds: AssertCommand = { compare: 'contains', of: [0, 1] }
const lacks: AssertCommand = { compare: 'contains', of: [0, 1], absence: true }
const output: AssertCommand = { compare: '==', of: ['output', 0] }
const line: AssertCommand = { compare: 'contains', of: ['lines', 0] }
const stderr: AssertCommand = { compare: '==', of: ['stderr', 0] }

const all = (names: string, row: AssertCommand): Record<string, AssertCommand> =>
  Object.fromEntries(names.split(' ').map(name => [name, row]))

export const ASSERTS: Readonly<Record<string, AssertCommand>> = {
  // bats-assert
  assert_success: { compare: 'truth', of: ['status'] },
  assert_failure: { compare: 'truth', of: ['status'], absence: true },
  assert_equal: equal,
  assert_not_equal: differ,
  assert_eq: equal,
  assert_same: equal,
  assert_ne: differ,
  assert_neq: differ,
  assert_not_same: differ,
  assert_output: output,
  refute_output: { ...output, absence: true },
  assert_line: line,
  refute_line: { ...line, absence: true },
  assert_stderr: stderr,
  refute_stderr: { ...stderr, absence: true },
  assert_stderr_line: { compare: 'contains', of: ['stderr_lines', 0] },
  refute_stderr_line: { compare: 'contains', of: ['stderr_lines', 0], absence: true },
  assert_regex: { compare: 'matches', of: [0, 1] },
  refute_regex: { compare: 'matches', of: [0, 1], absence: true },
  // bats-file
  ...all(
    'assert_exist assert_exists assert_file_exist assert_file_exists assert_dir_exist assert_dir_exists assert_link_exist assert_link_exists '
      + 'assert_fifo_exist assert_fifo_exists assert_socket_exist assert_socket_exists assert_file_executable assert_file_not_empty '
      + 'assert_dir_not_empty assert_size_not_zero',
    there,
  ),
  ...all('assert_not_exist assert_not_exists assert_file_not_exist assert_file_not_exists assert_dir_not_exist assert_dir_not_exists '
    + 'assert_link_not_exist assert_link_not_exists assert_fifo_not_exist assert_fifo_not_exists assert_socket_not_exist assert_socket_not_exists '
    + 'assert_file_empty assert_dir_empty assert_size_zero refute_exists refute_file_exists refute_dir_exists', gone),
  assert_file_contains: { compare: 'matches', of: [0, 1] },
  assert_file_not_contains: { compare: 'matches', of: [0, 1], absence: true },
  assert_files_equal: equal,
  assert_files_not_equal: differ,
  assert_contains: holds,
  assert_not_contains: lacks,
  refute_contains: lacks,
  assert_matches: { compare: 'matches', of: [1, 0] },
  // podman
  is: equal,
  like: { compare: 'matches', of: [0, 1] },
  // shUnit2: message, expected, actual
  assertEquals: { compare: '==', of: [-1, -2] },
  assertSame: { compare: '==', of: [-1, -2] },
  assertNotEquals: { compare: '!=', of: [-1, -2], absence: true },
  assertNotSame: { compare: '!=', of: [-1, -2], absence: true },
  assertNull: { compare: 'truth', of: [-1], absence: true },
  assertNotNull: { compare: 'truth', of: [-1] },
  assertContains: { compare: 'contains', of: [-2, -1] },
  assertNotContains: { compare: 'contains', of: [-2, -1], absence: true },
  // bash_unit: expected, actual, message
  assert_equals: { compare: '==', of: [1, 0] },
  assert_not_equals: { compare: '!=', of: [1, 0], absence: true },
  assert_not_matches: { compare: 'matches', of: [1, 0], absence: true },
  assert_within_delta: { compare: 'near', of: [1, 0], tolerance: 2 },
  assert_fails: { compare: 'truth', of: [0], absence: true },
  assert_status_code: { compare: 'truth', of: [1], absence: true },
  assert_fail: { compare: 'truth', of: [0], absence: true },
  assert_no_diff: equal,
  // Sharness: expected, actual
  test_cmp: { compare: '==', of: [1, 0] },
  test_cmp_bin: { compare: '==', of: [1, 0] },
  test_grep: { compare: 'matches', of: [1, 0] },
  ...all('test_path_is_file test_path_is_dir test_path_exists test_file_not_empty', there),
  ...all('test_path_is_missing test_must_be_empty test_dir_is_empty', gone),
  test_line_count: { compare: '==', of: [2, 1] },
  // gluster: expected, then the command that tells; beakerlib: message, then both
  EXPECT: { compare: '==', of: [1, 0] },
  EXPECT_NOT: { compare: '!=', of: [1, 0], absence: true },
  rlAssertEquals: { compare: '==', of: [2, 1] },
  rlAssertNotEquals: { compare: '!=', of: [2, 1], absence: true },
  rlAssertGrep: { compare: 'matches', of: [1, 0] },
  rlAssertNotGrep: { compare: 'matches', of: [1, 0], absence: true },
  rlAssertExists: there,
  rlAssertNotExists: gone,
  // snapshots
  assert_snapshot: { compare: 'snapshot', of: ['output'] },
  approve: { compare: 'snapshot', of: [0] },
}

/** Flags of the `assert_output` family that change the comparison, and those that take a value. */
export const ASSERT_FLAGS: Readonly<Record<string, Comparison | 'value' | 'stdin'>> = {
  '--partial': 'contains',
  '-p': 'contains',
  '--regexp': 'matches',
  '-e': 'matches',
  '--index': 'value',
  '-n': 'value',
  '--stdin': 'stdin',
  '-': 'stdin',
}

interface Wrapper {
  /** Flags that take a value of their own. */
  readonly valued?: readonly string[]
  /** Arguments before the command: `timeout 5 cmd` has one. */
  readonly lead?: number
  /** With one of these flags nothing is run. */
  readonly unless?: readonly string[]
  /** It repeats the command until it succeeds. */
  readonly repeats?: true
  /** The command is not spelled out: `run_podman ps` runs `podman ps`. */
  readonly as?: string
  /** It stores what the command prints and how it ends in `output`, `lines` and `status`. */
  readonly captures?: true
}

/** Commands that run the command they are given. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  run: { captures: true },
  reentrant_run: { captures: true },
  run_podman: { as: 'podman', captures: true },
  podman_run: { as: 'podman', captures: true },
  timeout: { lead: 1, valued: ['-k', '--kill-after', '-s', '--signal'] },
  gtimeout: { lead: 1, valued: ['-k', '-s'] },
  command: { unless: ['-v', '-V'] },
  builtin: {},
  exec: { valued: ['-a'] },
  nohup: {},
  setsid: {},
  time: { valued: ['-f', '-o'] },
  env: { valued: ['-u', '-C'] },
  sudo: { valued: ['-u', '-g', '-h', '-p', '-U'] },
  doas: { valued: ['-u'] },
  nice: { valued: ['-n'] },
  ionice: { valued: ['-c', '-n', '-p'] },
  stdbuf: { valued: ['-i', '-o', '-e'] },
  unbuffer: {},
  chronic: {},
  flock: { lead: 1, valued: ['-w', '--timeout', '-E'] },
  bats_pipe: {},
  When: { lead: 1, captures: true },
  test_must_fail: {},
  test_might_fail: {},
  test_expect_code: { lead: 1 },
  log_must: {},
  log_mustnot: {},
  log_pos: {},
  log_neg: {},
  TEST: {},
  log_must_busy: { repeats: true },
  log_must_retry: { lead: 2, repeats: true },
  assert_rc: { lead: 1 },
  retry: { repeats: true },
  retry_default: { repeats: true },
  retry_long: { repeats: true },
  eventually: { repeats: true },
  wait_until: { repeats: true },
}

/** Commands whose first argument is a command line: beakerlib and OpenShift quote what they run, the latter again and again. */
export const QUOTES = /^(?:rlRun|os::cmd::(?:expect|try_until)_\w+)$/

/** Flags whose value matters, under the name the catalog knows. */
export const OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  read: { '-t': '-t', '-rt': '-t', '-st': '-t' },
  curl: { '-m': '--max-time', '--max-time': '--max-time', '--connect-timeout': '--connect-timeout', '--retry': '--retry' },
  wget: { '-T': '--timeout', '--timeout': '--timeout' },
  nc: { '-w': '-w', '-p': '-p' },
  ncat: { '-w': '-w', '-p': '-p' },
  netcat: { '-w': '-w', '-p': '-p' },
  docker: { '--name': '--name', '-p': '-p', '--publish': '-p' },
  podman: { '--name': '--name', '-p': '-p', '--publish': '-p' },
  nerdctl: { '--name': '--name', '-p': '-p', '--publish': '-p' },
  kubectl: { '--timeout': '--timeout' },
  oc: { '--timeout': '--timeout' },
  shuf: { '--random-source': '--random-source' },
  sort: { '--random-source': '--random-source' },
  flock: { '-w': '-w', '--timeout': '-w' },
  tmux: { '-L': '-L', '-s': '-s' },
  mktemp: { '--suffix': '--suffix' },
  timeout: { '-k': '-k', '--kill-after': '-k' },
  ping: { '-w': '-w', '-W': '-W' },
  systemctl: {},
  php: { '-S': '-S' },
  inotifywait: { '-t': '-t', '--timeout': '-t' },
  mosquitto_sub: { '-W': '-W' },
  mosquitto_rr: { '-W': '-W' },
  pg_ctl: { '-t': '-t', '--timeout': '-t' },
  pg_isready: { '-t': '-t', '--timeout': '-t' },
  grpcurl: { '-max-time': '--max-time', '-connect-timeout': '--max-time' },
  helm: { '--timeout': '--timeout' },
  waitpid: { '-t': '-t', '--timeout': '-t' },
}

/** Commands whose flags are dropped from the arguments, so that the path they make comes first; with the flags that take a value. */
export const PATHS: Readonly<Record<string, readonly string[]>> = {
  mkdir: ['-m', '--mode', '-Z'],
  touch: ['-d', '--date', '-r', '--reference', '-t'],
  mkfifo: ['-m', '--mode'],
  tee: [],
  mkdir_p: [],
  truncate: ['-s', '--size'],
}

/** The last argument is what they make. */
export const MAKES_LAST = new Set(['cp', 'mv', 'ln', 'install'])

/** Programs that take a script after `-c`. */
export const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash'])

/** Commands that tell by their status whether two things agree; the last command of a statement in a test counts as an assertion. */
export const CHECKS: Readonly<Record<string, Comparison>> = { grep: 'matches', egrep: 'matches', fgrep: 'matches', diff: '==', cmp: '==' }
