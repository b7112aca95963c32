// Command lines that a test runs: their words, and what they fetch by a name that means another version tomorrow.

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'

type Word = string | undefined

const RUNNERS = new RegExp(`^(${
  [
    'child_process\\.(exec|spawn|execFile)(Sync)?',
    'execa\\.(execa|execaSync|execaCommand|execaCommandSync|default|sync|command|commandSync)',
    'execa',
    'cross-spawn(\\.(sync|default|spawn))?',
    'shelljs\\.exec',
    'subprocess\\.(run|call|check_call|check_output|Popen|getoutput|getstatusoutput)',
    'os\\.system',
    'asyncio\\.create_subprocess_(exec|shell)',
    'os/exec\\.(Command|CommandContext)',
    'java\\.lang\\.ProcessBuilder\\.new',
    'java\\.lang\\.Runtime\\.exec',
    '(std|tokio|async_std)::process::Command::new',
  ].join('|')
})$`)

/** The words of the command that a call runs, as far as they are known; undefined where it runs none. */
export function commandOf(call: Call, unit: Unit, folding: Folding): readonly Word[] | undefined {
  if (!RUNNERS.test(call.name)) return undefined
  const word = (v: Value): Word => {
    const w = fold(v, unit, folding)
    return typeof w === 'string' ? w : nameOf(v, unit, folding)
  }
  // `spawn(command, words, options)`: what stands behind the words is no word.
  const given = call.args.slice(0, call.args[1]?.is === 'group' ? 2 : undefined).flatMap(a => (a.is === 'group' ? a.of : [a]))
  const first = given[0] && fold(given[0], unit, folding)
  if (typeof first === 'string' && /\s/.test(first.trim())) return first.trim().split(/\s+/)
  return [...given, ...chained(call, unit)].map(word).filter((w, i) => i > 0 || w !== undefined)
}

/** `Command::new("docker").args(["run", …])`. */
function chained(call: Call, unit: Unit): Value[] {
  const found: Value[] = []
  for (let at = unit.calls.indexOf(call), next = at; next >= 0; at = next) {
    next = unit.calls.findIndex(c => c.receiver?.is === 'call' && c.receiver.call === at)
    if (next >= 0 && /[.:]args?$/.test(unit.calls[next]!.name))
      found.push(...unit.calls[next]!.args.flatMap(a => (a.is === 'group' ? a.of : [a])))
  }
  return found
}

/** `venv / "bin" / "pip"`, `sys.executable`: of a program's place its name is enough. */
function nameOf(value: Value, unit: Unit, folding: Folding): Word {
  if (value.is === 'name' && value.path === 'sys.executable') return 'python'
  const last = value.is === 'text' ? value.parts.at(-1) : value.is === 'op' && value.op === '/' ? value.of.at(-1) : undefined
  const text = last && (last.is === 'op' || last.is === 'text' ? nameOf(last, unit, folding) : fold(last, unit, folding))
  return typeof text === 'string' ? /[\w.-]+$/.exec(text)?.[0] : undefined
}

const INSTALLS = /^(pip[\d.]*|npm|yarn|pnpm|bun|gem|go|cargo|pipx) (install|i|add)$/
const ONCE = /^(bunx|uvx|pnpm dlx|yarn dlx|pipx run|npm create|npm init|yarn create|pnpm create)$/
const IMAGES = /^(docker|podman|nerdctl)( container)? (run|create|pull)$/

export interface Fetch {
  readonly what: 'image' | 'package'
  readonly by: string
  readonly words: readonly Word[]
}

/** What a command line fetches, and the words behind the command. */
export function fetchOf(line: readonly Word[]): Fetch | undefined {
  let words = line.slice(line.findIndex(w => w !== 'sudo' && w !== 'env' && !/^\w+=/.test(w ?? '')))
  if (/^(python|uv)[\d.]*$/.test(baseOf(words[0])) && words.includes('pip')) words = words.slice(words.indexOf('pip'))
  const tool = baseOf(words[0]), by = `${tool} ${words[1] ?? ''}`
  if (tool === 'npx')
    return words.some(w => /^(-y|--yes)$|@(latest|next)$/.test(w ?? ''))
      ? { what: 'package', by: tool, words: words.slice(1) }
      : undefined
  if (tool === 'bunx' || tool === 'uvx') return { what: 'package', by: tool, words: words.slice(1) }
  const image = [2, 3].find(n => IMAGES.test([tool, ...words.slice(1, n)].join(' ')))
  if (image) return { what: 'image', by: tool, words: words.slice(image) }
  return INSTALLS.test(by) || ONCE.test(by) ? { what: 'package', by, words: words.slice(2) } : undefined
}

const baseOf = (word: Word): string => word?.replace(/^.*[\\/]/, '').replace(/\.(exe|cmd)$/, '') ?? ''

const PINNED =
  /^(-r|-c|-e|--requirement|--editable|--no-index|--offline|--locked|--frozen-lockfile|--help|-h|--version|--path|--git|--no-install)$/
const TAKES_VALUE =
  /^(-[itCfp]|--(index-url|extra-index-url|target|prefix|root|cache|registry|python|cwd|find-links|trusted-host|template|cache-dir|install-dir|package))$/

/** The first package of a command line, where it has no version. */
export function loosePackage(by: string, words: readonly Word[]): string | undefined {
  if (words.some(w => w !== undefined && PINNED.test(w))) return undefined
  const first = words.find((w, i): w is string => w !== undefined && /^[@A-Za-z]/.test(w) && !TAKES_VALUE.test(words[i - 1] ?? ''))
  if (!first || /[=<>~]|@[v\d^~]|@[\da-f]{7,}$/.test(first.slice(1)) || /^(\.|\/|\w+:|.*\.(whl|tgz|gz|zip|txt|gem)$)/.test(first)
    || first.includes('$')) return undefined
  // Without a version, Go takes the one of its module.
  if (/^go /.test(by) && !/@(latest|main|master|HEAD)$/.test(first)) return undefined
  return `${by} ${first}`
}

/** Flags of `docker run` that stand alone, and those behind which a value stands. */
const ALONE =
  /^(-[ditqPz]+|--(rm|detach|interactive|tty|privileged|init|read-only|quiet|replace|tls-verify|publish-all|no-healthcheck|oom-kill-disable|all-tags))$/
const VALUED = new RegExp(`^(-[aceghlmpuvw]|--(${
  [
    'add-host|annotation|attach|cap-add|cap-drop|cgroupns|cidfile|cpus|cpuset-cpus|device|dns|entrypoint|env|env-file|expose|gpus|group-add|health-cmd|hostname|ip|ipc|label|link',
    'log-driver|log-opt|memory|mount|name|net|network|network-alias|pid|pids-limit|platform|pod|publish|pull|restart|runtime|security-opt|shm-size|stop-signal|stop-timeout|sysctl',
    'tmpfs|ulimit|user|userns|uts|volume|volumes-from|workdir',
  ].join('|')
}))$`)
/** Images that everybody has from the same registry: as a bare word none of them is somebody's own. */
const WELL_KNOWN = new RegExp(`^(${
  [
    'alpine|ubuntu|debian|busybox|fedora|centos|rockylinux|almalinux|archlinux|redis|valkey|postgres|mysql|mariadb|mongo|memcached|rabbitmq|nats|consul|vault|nginx|httpd|traefik',
    'haproxy|node|python|ruby|golang|rust|openjdk|eclipse-temurin|maven|gradle|php|elasticsearch|cassandra|influxdb|neo4j|registry|docker|hello-world|zookeeper|wordpress|eclipse-mosquitto',
  ].join('|')
})$`)

const isFlag = (word: Word): boolean => word !== undefined && word.startsWith('-')

/** The image of a command line; `sure` where nothing before it is strange, so that it can be no value of a flag. */
function imageWord(words: readonly Word[]): { readonly image: string; readonly sure: boolean } | undefined {
  let sure = true
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (!isFlag(word)) return word === undefined ? undefined : { image: word, sure }
    if (ALONE.test(word!) || word!.includes('=')) continue
    if (!VALUED.test(word!)) sure = false
    at++
  }
  return undefined
}

const isImage = (text: string): boolean => /^[a-z0-9][a-z0-9._/-]*(:[\w.-]+)?(@sha256:\w+)?$/.test(text) && text.length > 2

/** The image, where it has no digest and its tag is missing or moves. */
export function looseImage(text: unknown): string | undefined {
  if (typeof text !== 'string' || !isImage(text) || text.includes('@')
    || /^(localhost|docker-archive|oci|dir|containers-storage)\b/.test(text)) return undefined
  return !/:[^/]+$/.test(text) || /:(latest|stable|edge|nightly|main|master)$/.test(text) ? text : undefined
}

/** The same of a command line: a bare word may be a command, the value of a flag, or an image that the test itself has made. */
export function looseImageIn(words: readonly Word[]): string | undefined {
  const found = imageWord(words)
  return found && (/[/:]/.test(found.image) || (found.sure && WELL_KNOWN.test(found.image))) ? looseImage(found.image) : undefined
}
