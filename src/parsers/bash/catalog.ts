// What the shell's commands and variables do to determinism. One row, one fact. A name with a blank is a command with its
// subcommand or flag: `git clone`, `mktemp -u`; `$X` is the reading of a variable (the bare name beside it is for the screen
// that looks for words); `>` is a redirection into a file.

import type { CatalogRow } from '../frontend.ts'
import { pauses } from '../pauses.ts'

/** Suffixes (`5s`, `1m`) are folded into seconds by the parser. */
export const DURATIONS: Readonly<Record<string, number>> = { 'timeout=': 1000, TIME_MS: 1, TIME_SEC: 1000, TIME_MIN: 60_000 }

const RUNS = ['docker', 'podman', 'nerdctl'].flatMap(
  tool => [`${tool} run`, `${tool} create`, `${tool} run -d`, `${tool} run --detach`, `${tool} container run`],
)

export const CATALOG: readonly CatalogRow[] = [
  // clock; `date -d` and its like are other names and no clock
  { name: ['date', 'gdate', 'printf %()T'], effect: 'clock', note: 'printed' },
  { name: ['$EPOCHREALTIME', 'EPOCHREALTIME', 'cal', 'hwclock'], effect: 'clock' },
  { name: ['$EPOCHSECONDS', 'EPOCHSECONDS'], effect: 'clock', note: 'seconds' },
  { name: ['date -d', 'gdate -d'], effect: 'local-zone', with: '!TZ', note: 'command' },
  { name: 'uptime', effect: 'mono' },
  // `$SECONDS` counts from the start of the shell or from `SECONDS=0`: it is a stretch of time already
  { name: ['$SECONDS', 'SECONDS'], effect: 'elapsed', note: 'seconds' },
  { name: 'time', effect: 'elapsed' },
  // sleep
  { name: ['sleep', 'gsleep'], effect: 'sleep', ms: { arg: 0, unit: 's' } },
  { name: 'usleep', effect: 'sleep', ms: { arg: 0, unit: 'us' } },
  // They are called `sleep` once they are read; these names are for the screen.
  { name: ['perl pause', 'read pause'], effect: 'sleep' },
  ...pauses({ styles: ['snake'], unit: 's' }),
  // random
  {
    name: ['$RANDOM', 'RANDOM', '$SRANDOM', 'SRANDOM', '/dev/urandom', 'openssl rand', 'uuidgen', 'mcookie', 'jot -r', 'pwgen',
      'mktemp -u'],
    effect: 'random',
  },
  { name: ['shuf', 'gshuf', 'sort -R', 'sort --random-sort'], effect: 'random', with: '!--random-source' },
  { name: ['uuidgen', 'mcookie', 'openssl rand', '/dev/urandom', 'mktemp -u'], effect: 'unique-id' },
  { name: ['$BATS_TEST_NUMBER', 'BATS_TEST_NUMBER', '$BATS_SUITE_TEST_NUMBER', 'BATS_SUITE_TEST_NUMBER'], effect: 'unique-id' },
  { name: 'RANDOM=', effect: 'seed', arg: 0 },
  { name: ['shuf', 'gshuf', 'sort -R', 'sort --random-sort'], effect: 'seed', arg: '--random-source', with: '--random-source' },
  { name: ['$$', '$BASHPID', 'BASHPID', '$PPID', 'PPID'], effect: 'process-id' },
  // order
  { name: ['find', 'ls -U', 'ls -f', 'fd', 'rg --files'], effect: 'fs-order' },
  { name: 'declare -A', effect: 'unordered', note: 'bag' },
  { name: ['docker ps', 'docker container ls', 'docker network ls', 'docker volume ls'], effect: 'unordered', note: 'labels' },
  { name: ['psql', 'mysql', 'mariadb', 'sqlite3', 'clickhouse-client', '$CLICKHOUSE_CLIENT', 'duckdb'], effect: 'rows' },
  { name: ['sort', 'gsort'], effect: 'sort' },
  // network
  {
    name: ['curl', 'wget', 'ssh', 'scp', 'sftp', 'rsync', 'telnet', 'ping', 'dig', 'nslookup', 'nc', 'ncat', 'netcat', 'git clone',
      'git fetch', 'git push', 'git pull', 'git ls-remote', 'git submodule update'],
    effect: 'network',
    arg: 'url',
  },
  {
    name: ['apt-get update', 'apt-get install', 'apt install', 'apt update', 'yum install', 'dnf install', 'apk add', 'brew install',
      'pip install', 'pip3 install', 'npm install', 'npm ci', 'gem install', 'cargo install', 'go get', 'go install', 'docker pull',
      'docker push', 'podman pull', 'podman push', 'podman search', 'docker search', 'skopeo copy', 'skopeo inspect', 'helm pull'],
    effect: 'network',
    arg: 0,
  },
  // ports
  { name: ['nc -l', 'ncat -l', 'netcat -l', 'socat', 'python -m http.server', 'python -m SimpleHTTPServer', 'php -S', ...RUNS],
    effect: 'bind-port', arg: 'port', with: 'port' },
  // things by name
  { name: RUNS, effect: 'external', what: 'image' },
  { name: ['docker pull', 'podman pull'], effect: 'external', arg: 0, what: 'image' },
  { name: ['npx -y', 'pip install', 'pip3 install', 'npm install', 'gem install', 'go install', 'cargo install'], effect: 'external',
    what: 'package' },
  { name: 'nproc', effect: 'ambient', what: 'the number of processors' },
  { name: 'hostname', effect: 'ambient', what: 'a name of the host' },
  // state of the machine; what `cd`, `umask` and `ulimit` change belongs to one shell, and each bats test has its own
  {
    name: ['git config --global', 'git config --system', 'crontab -', 'crontab -r', 'sysctl -w', 'iptables -A', 'iptables -I',
      'iptables -D', 'iptables -F', 'iptables -P', 'nft add', 'nft delete', 'nft flush', 'timedatectl set-time', 'timedatectl set-timezone',
      'hostnamectl set-hostname', 'setenforce', 'update-alternatives --set', 'update-alternatives --install', 'systemctl enable',
      'systemctl disable', 'systemctl mask', 'modprobe', 'locale-gen', 'date -s', 'kubectl config use-context',
      'kubectl config set-context', 'npm config set', 'useradd', 'userdel', 'usermod'],
    effect: 'global-write',
  },
  // names
  { name: ['>', '>>', 'mkdir', 'touch', 'mkfifo', 'tee', 'truncate', 'mknod'], effect: 'name-resource', arg: 0, what: 'file' },
  { name: ['cp', 'mv', 'ln', 'install'], effect: 'name-resource', arg: 'to', what: 'file' },
  { name: RUNS, effect: 'name-resource', arg: '--name', with: '--name', what: 'container' },
  {
    name: ['docker network create', 'docker volume create', 'podman network create', 'podman volume create', 'podman pod create',
      'ip netns add', 'kubectl create namespace', 'kubectl create ns', 'groupadd'],
    effect: 'name-resource',
    arg: 0,
    what: 'container, network or namespace',
  },
  { name: ['createdb', 'dropdb', 'sqlite3'], effect: 'name-resource', arg: 0, what: 'database' },
  { name: 'tmux new-session', effect: 'name-resource', arg: '-s', with: '-s', what: 'session' },
  // limits
  { name: ['timeout', 'gtimeout'], effect: 'timeout', ms: { arg: 0, unit: 's' } },
  { name: 'curl', effect: 'timeout', ms: { arg: '--max-time', unit: 's' }, with: '--max-time' },
  { name: 'curl', effect: 'timeout', ms: { arg: '--connect-timeout', unit: 's' }, with: '--connect-timeout' },
  { name: 'wget', effect: 'timeout', ms: { arg: '--timeout', unit: 's' }, with: '--timeout' },
  { name: ['nc', 'ncat', 'netcat', 'nc -l', 'ping'], effect: 'timeout', ms: { arg: '-w', unit: 's' }, with: '-w' },
  { name: 'flock', effect: 'timeout', ms: { arg: '-w', unit: 's' }, with: '-w' },
  { name: ['mosquitto_sub', 'mosquitto_rr'], effect: 'timeout', ms: { arg: '-W', unit: 's' }, with: '-W' },
  { name: ['pg_isready', 'waitpid'], effect: 'timeout', ms: { arg: '-t', unit: 's' }, with: '-t' },
  { name: 'grpcurl', effect: 'timeout', ms: { arg: '--max-time', unit: 's' }, with: '--max-time' },
  { name: ['expect', 'curl options'], effect: 'timeout', ms: { arg: 'timeout', unit: 's' }, with: 'timeout' },
  // waiting
  { name: 'inotifywait', effect: 'sync-timed', ms: { arg: '-t', unit: 's' }, with: '-t' },
  { name: 'pg_ctl', effect: 'wait-until', ms: { arg: '-t', unit: 's' }, with: '-t' },
  { name: 'EXPECT_WITHIN', effect: 'wait-until', ms: { arg: 0, unit: 's' } },
  { name: ['wait', 'inotifywait', 'docker wait', 'podman wait', 'systemctl start --wait', 'systemd-run --wait', 'tail --pid'],
    effect: 'sync' },
  { name: 'read', effect: 'sync-timed', ms: { arg: '-t', unit: 's' }, with: '-t' },
  {
    name: ['wait_for', 'wait_until', 'wait_for_it', 'wait-for-it', 'wait-for-it.sh', 'wait_for_port', 'wait_for_file',
      'wait_for_file_content', 'wait_for_output', 'wait_for_ready', 'wait_for_log', 'wait_for_service', 'wait_for_restart_count', 'retry',
      'retry_default', 'retry_long', 'eventually', 'try_until', 'poll_until', 'try', 'curl --retry', 'dockerize -wait', 'zpool wait',
      'os::cmd::try_until_text', 'os::cmd::try_until_success', 'os::cmd::try_until_failure', 'os::cmd::try_until_not_text'],
    effect: 'wait-until',
  },
  { name: ['kubectl wait', 'oc wait', 'kubectl rollout status', 'oc rollout status'], effect: 'wait-until',
    ms: { arg: '--timeout', unit: 's' } },
  {
    name: ['coproc', 'systemd-run', 'start-stop-daemon', 'daemonize', 'tmux new-session', 'at', 'docker run -d', 'docker run --detach',
      'podman run -d', 'podman run --detach', 'docker start', 'podman start', 'systemctl start', 'docker compose up', 'docker-compose up'],
    effect: 'spawn',
  },
  // started, and looked at once
  {
    name: ['docker run -d', 'docker run --detach', 'podman run -d', 'podman run --detach', 'systemctl start', 'docker compose up -d',
      'docker-compose up -d', 'podman start', 'docker start'],
    effect: 'start',
  },
  {
    name: ['docker logs', 'podman logs', 'podman container logs', 'docker container logs', 'podman pod logs', 'docker compose logs',
      'docker-compose logs', 'kubectl logs', 'journalctl'],
    effect: 'observe',
  },
  { name: ['stub', 'mock_create', 'mock_set_output', 'mock_set_status', 'shellmock_expect', 'stub_command', 'mock_command', 'fake'],
    effect: 'stub' },
  // cures
  { name: ['faketime', 'date_mock', 'mock_date', 'stand-in for date'], effect: 'fake-clock' },
  { name: 'flock', effect: 'serialise' },
  {
    name: ['mktemp', 'gmktemp', 'temp_make', '$BATS_TEST_TMPDIR', 'BATS_TEST_TMPDIR', '$BATS_FILE_TMPDIR', 'BATS_FILE_TMPDIR',
      '$BATS_SUITE_TMPDIR', 'BATS_SUITE_TMPDIR', '$BATS_RUN_TMPDIR', 'BATS_RUN_TMPDIR', '$SHUNIT_TMPDIR', 'SHUNIT_TMPDIR'],
    effect: 'temp-dir',
  },
  // where values go
  { name: ['echo', 'printf', 'logger', 'debug', 'log', 'info', 'warn', 'print', 'batslib_err', 'batslib_print_kv_single'], effect: 'log' },
  { name: ['assert_snapshot', 'approve'], effect: 'snapshot', arg: 0 },
]
