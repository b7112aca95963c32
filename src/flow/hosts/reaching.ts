// Ways out of the machine that stand in words for somebody else: arguments of programs, addresses of repositories, settings.
// Who goes there is out of sight, so nothing here is sure.

import type { Call, FileFacts, Span, Unit } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { has, valuesIn } from '../../facts/query.ts'
import { isChecked, isToFail, outsideHost } from './hosts.ts'
import { isStubbed } from './stand-ins.ts'

interface View {
  readonly facts: FileFacts
  readonly folding: Folding
  readonly textOf: (span: Span) => string
}

export interface Reach {
  readonly span: Span
  readonly to: string
  readonly registry?: true
  /** It is only told where to go. */
  readonly given?: true
}

/** A record, a row of a table, a name that only looks like an address: nobody goes there by them. */
const PASSIVE =
  /\{\}$|NS$|assert|expect|equal|verify|parse|mock|stub|fake|format|match|Link|split|valid|contains|describe|normalize|print|known|[hH]as(Suf|Pre)fix|\blog/i

export function* reaches(unit: Unit, view: View): Generator<Reach> {
  yield* settings(unit, view)
  for (const call of unit.calls) {
    if (PASSIVE.test(call.name) || has(call, 'log', 'stub', 'mock', 'fake-net', 'network') || isChecked(unit, call) || isToFail(call))
      continue
    const given = [...call.args, ...Object.values(call.named)].flatMap(v => (v.is === 'group' ? v.of : [v]))
    const words = given.map(v => fold(v, unit, view.folding) ?? (v.is === 'text' ? fold(v.parts[0], unit, view.folding) : undefined))
    if (view.facts.language === 'bash'
      && [call.name, ...words].some(w => typeof w === 'string' && /^[a-z][\w-]*$/.test(w) && isStubbed(w, unit, view))) continue
    const to = repository(call, words) ?? flagged(words) ?? lookedUp(call, words) ?? known(call, unit)
    if (to) yield { span: call.span, to }
    else if (fetches(call, words, view.facts.language === 'bash'))
      yield { span: call.span, to: words.filter(w => typeof w === 'string').slice(0, 3).join(' '), registry: true }
  }
}

const PLACE = /(^|_)(URL|URI|HOST|ENDPOINT|MIRROR|REGISTRY|SERVER|REMOTE|UPSTREAM|SOURCE|ADDR|ADDRESS|REPO|REPOSITORY|INDEX|API|BASE)S?$/i
/** Where a build was made, where a thing is shown to others, who sent somebody: nobody goes there by these. */
const TOLD_OF =
  /^(CI|GITHUB|GITLAB|BUILDKITE|CIRCLE|TRAVIS|JENKINS|BUILD|GIT)_|PUBLIC|EXTERNAL|CALLBACK|REDIRECT|ORIGIN|REFER|ISSUER|HOMEPAGE|DOCS?_|WEBHOOK|PROXY|(^|_)(SITE|ROOT|CONSOLE)_/i
const GETS = /^(fetch|install|download|pull|sync|update|upgrade|clone|get|add|mirror|import|restore|resolve|use)\b/

/** `SHOP_URL=https://… shop fetch`, or exported for the commands that follow: a setting of the environment that says where to go. */
function* settings(unit: Unit, view: View): Generator<Reach> {
  if (view.facts.language !== 'bash') return
  const hostIn = (name: string, value: unknown): string | undefined => {
    const host = PLACE.test(name) && !TOLD_OF.test(name) ? outsideHost(value) : undefined
    return host && !host.documentation ? host.name : undefined
  }
  // `run shop fetch` runs the first of its words.
  const gets = (call: Call): boolean => {
    const words = call.args.flatMap(a => (a.is === 'literal' ? [String(a.value)] : []))
    return !isToFail(call) && words.some(w => GETS.test(w)) && ![call.name, words[0] ?? ''].some(w => isStubbed(w, unit, view))
  }
  const after = unit.role.is === 'hook' ? view.facts.units : [unit]
  for (const call of unit.calls)
    for (const [name, value] of Object.entries(call.named)) {
      const to = /^[A-Z][A-Z\d_]*$/.test(name) ? hostIn(name, fold(value, unit, view.folding)) : undefined
      if (to && gets(call)) yield { span: call.span, to, given: true }
    }
  for (const { target, value, span } of unit.writes) {
    const to = target.startsWith('export ') ? hostIn(target.slice(7), fold(value, unit, view.folding)) : undefined
    if (to && after.some(u => u.calls.some(c => (u !== unit || c.span.start > span.end) && gets(c)))) yield { span, to, given: true }
  }
}

const ARGUMENT = /\.args?\(\[?[^\n]*?["'](https?:\/\/[\w.-]+)/g

/** `.args(["--fork-url", "https://…"])` in a macro, whose words are not parsed. */
export function* inMacros({ facts, textOf }: View): Generator<Reach & { readonly unit: number }> {
  if (facts.language !== 'rust') return
  const whole = facts.units[0]!.span
  for (const found of textOf(whole).matchAll(ARGUMENT)) {
    const host = outsideHost(found[1]), start = whole.start + found.index, end = start + found[0].length
    const unit = facts.units.findLast(u => u.span.start <= start && start < u.span.end) ?? facts.units[0]!
    if (!host || host.documentation || facts.comments.some(c => c.span.start <= start && start < c.span.end)
      || unit.calls.some(c => !c.name.endsWith('!') && c.span.start < end && start < c.span.end)) continue
    yield { span: { start, end }, to: host.name, unit: unit.id }
  }
}

const VCS = /^(?:git|svn|bzr|hg)\+(?:https?|git|svn|ssh):\/\/(?:[^\s@/]*@)?([\w.-]+)/
const FETCHES =
  /install|checkout|clone|obtain|(^|[._:])add\w*$|(^|[._:])(pip|run|fetch|update|export|pull|exec\w*|check_call|check_output|spawn\w*)$/i

/** `git+http://…`: an address that only version control is given. */
const repository = (call: Call, words: readonly unknown[]): string | undefined => {
  // `is_installed("git+https://…")` reads the address.
  const host = FETCHES.test(call.name) && !/(^|[._:])(is|has|are)[_A-Z]\w*$/.test(call.name)
    ? words.flatMap(w => (typeof w === 'string' ? VCS.exec(w)?.[1] ?? [] : []))[0]
    : undefined
  return outsideHost(host, true)?.documentation === false || (host !== undefined && outsideHost(`https://${host}`)?.documentation === false)
    ? host
    : undefined
}

/** What a program fetches from or talks to; `--public-url` and `--login-server` are only told to others. */
const FLAG =
  /^--(?:(?:rpc|fork|node|registry|repo|repository|index|mirror|download|source|remote|upstream|api)-)?(?:url|uri|endpoint|registry|host|server)(?:=(.+))?$/

/** `--rpc-url https://…` among the words for a program. */
function flagged(words: readonly unknown[]): string | undefined {
  for (const [i, word] of words.entries()) {
    const flag = typeof word === 'string' ? FLAG.exec(word) : null
    const host = flag && outsideHost(flag[1] ?? words[i + 1])
    if (host && !host.documentation) return host.name
  }
  return undefined
}

const LOOKS = /^(resolvectl|nslookup|dig|host|ping|curl|wget|telnet|traceroute)$/

/** `['resolvectl', 'query', 'shop.net']`. */
function lookedUp(call: Call, words: readonly unknown[]): string | undefined {
  const first = words.findIndex(w => w !== 'sudo')
  if (!LOOKS.test(String(words[first])) || words.some(w => /^@(127\.|localhost|::1)/.test(String(w)))
    || !/run|exec|spawn|call|output|command|popen|system/i.test(call.name)) return undefined
  const host = words.slice(first + 1).flatMap(w => outsideHost(w, true) ?? [])[0]
  return host && !host.documentation ? host.name : undefined
}

/** Servers that are there for everybody: nobody writes their names to make one up. */
const PUBLIC =
  /(?:^|\.)(?:nip\.io|sslip\.io|xip\.io|nist\.gov|pool\.ntp\.org|opendns\.com|infura\.io)$|^(?:demo|mainnet)\.[a-z\d.-]+\.(?:com|org|net|io|dev|app|cloud|network)$/
const SETTING = /^\s*"?(?:host|hostname|address|server|endpoint|url)"?\s*[=:]\s*"(?:https?:\/\/)?([\w.-]+)/gm

/** `host = "time-c.nist.gov"` in a text of settings, `"address": "demo.shop.io:80"` in a map. */
function known(call: Call, unit: Unit): string | undefined {
  for (const value of call.args.flatMap(a => [...valuesIn(a, unit)])) {
    const text = value.is === 'literal' && typeof value.value === 'string' ? value.value : ''
    const bare = text.length < 200 && /^(?:https?:\/\/)?(\w[\w.-]*\.\w+)(?::\d+)?(?:\/|$)/.exec(text)?.[1]
    if (bare && PUBLIC.test(bare)) return bare
    for (const found of text.length < 4000 ? text.matchAll(SETTING) : []) if (PUBLIC.test(found[1]!)) return found[1]
  }
  return undefined
}

const TOOL = /^(pip3?|npm|yarn|pnpm|gem|apt-get|apt|apk|dnf|yum|brew)$/, VERB = /^(install|add|download)$/
const OFFLINE =
  /^(--no-index|--offline|-f|--find-links|--index-url|-i|--registry|-r|-e|--editable|--no-install|--help|--dry-run|--prefix|--cache-folder.*|\.|-g)$/
const IMAGE =
  /^(?!localhost|dir:|oci|docker-archive|containers-storage|\$|-|\/|\.)(?:docker:\/\/)?(?:[\w.-]+(?::\d+)?\/)*[a-z][\w.-]*(?::[\w.-]+)?$/

/** A package or an image that is asked for by its name, of a registry that no word names. */
function fetches(call: Call, words: readonly unknown[], script: boolean): boolean {
  const name = call.name.slice(Math.max(call.name.lastIndexOf('.'), call.name.lastIndexOf(':')) + 1)
  const all = script || TOOL.test(name) ? [name, ...words] : words
  if (script) {
    const pull = words.indexOf('pull')
    return /buildah|podman|docker|skopeo|nerdctl|PODMAN|BUILDAH/.test(name) && pull >= 0 && words.slice(0, pull).every(w =>
      typeof w === 'string' && /^-/.test(w)
    ) && words.slice(pull + 1).some((w, i, rest) =>
      typeof w === 'string' && IMAGE.test(w)
      && !(i > 0 && /^--[\w-]+$/.test(String(rest[i - 1])) && !/^--(all-tags|quiet)$/.test(String(rest[i - 1])))
    )
  }
  const tool = all.findIndex(w => typeof w === 'string' && TOOL.test(w))
  const next = tool < 0 ? -1 : all.findIndex((w, i) => i > tool && !(typeof w === 'string' && w.startsWith('-')))
  const verb = next >= 0 && VERB.test(String(all[next])) ? next : -1
  const rest = all.slice(verb + 1)
  return verb > tool && tool >= 0 && !all.some(w => typeof w === 'string' && OFFLINE.test(w)) && rest.every(w => typeof w === 'string')
    && rest.some(w => /^[A-Za-z@][\w.@/-]*(?:==[\w.]+)?$/.test(String(w)) && !/[/\\].*[/\\]|\.(whl|zip|tgz|gz|txt)$/.test(String(w)))
}
