import type { Call, Span, Unit, Value } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { argumentOf, effectOf, has, inForce, isTestCode, valuesIn } from '../../facts/query.ts'
import { commandHost, installs, isChecked, isMeantToReach, isOffline, isShut, isToFail, nobodys, outsideHost, triedOut } from '../../flow/hosts.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { confidenceOf, least } from '../wording.ts'

const TRIED_WORD = ['httpbin', 'badssl\\.com', 'postman-echo', 'jsonplaceholder', 'one\\.one\\.one\\.one'], DNS_WORD = '(?:[rR]esolve|[lL]ookup|[dD]ial)\\w*\\(+["\'][\\w-]+\\.[\\w.-]+["\']'
const URL_WORD = '["\'`](?:https?|wss?|ftp|git)://(?!localhost|127\\.|0\\.0|\\[|\\$|%)[\\w-]+\\.[\\w.-]+'

export default defineRule(
  {
    id: 'network-access', title: 'A test reaches for a host outside of the machine', category: 'environment', severity: 'warning', triggers: [],
    // Only a file that holds an outer address can be meant; which calls talk is looked up after parsing.
    words: {
      python: [URL_WORD, 'gethostbyname', 'getaddrinfo', DNS_WORD, ...TRIED_WORD], typescript: [URL_WORD, 'dns\\.(?:lookup|resolve)', DNS_WORD, ...TRIED_WORD], java: [URL_WORD, 'InetAddress\\.get', DNS_WORD, ...TRIED_WORD],
      go: [URL_WORD, 'net\\.Lookup', DNS_WORD, ...TRIED_WORD], rust: [URL_WORD, 'to_socket_addrs', 'lookup_host', DNS_WORD, ...TRIED_WORD],
      bash: ['https?://', '\\b(?:apt-get|apt|apk|yum|dnf|brew|pip3?|npm|gem|cargo|go) (?:install|add|update|ci|get)\\b', '(?:docker|podman|skopeo) (?:pull|search|inspect)\\b', '\\bnslookup\\b', '\\bdig\\b'],
    },
    confirm: ['net-off'], since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      const told = new Set<number>()
      for (const report of [...talks(unit, view), ...recipes(unit, view), ...sources(unit, view), ...asks(unit, view)].filter(r => !told.has(r.at.start) && told.add(r.at.start)))
        yield { ...report, confidence: isMeantToReach(facts, unit) ? 'low' : report.confidence }
    }
  },
)

const message = (host: string): string => `depends on ${host}: when it is slow, away or has changed, the test fails`

/** What talks or connects by its name, where no catalog knows it. */
const TALKS = /(^|[._:/])(request|fetch|download|https?Request|curl|wget|goto|visit|urlopen)$|[a-z](Request|Fetch)$/
const CONNECTS = /(^|[._:/])(WebSocket|EventSource|Client|Pool|Agent)\.new$/
const SOCKET = /WebSocket|EventSource/, BUILDS = /NewRequest|Request\.new$|parse|build|valueOf|assert|expect|equal|mock|verify|render|format/i

function* talks(unit: Unit, view: FileView): Generator<Report> {
  for (const call of unit.calls) {
    const effect = effectOf(call, 'network')
    const guess = !effect && (TALKS.test(call.name) || CONNECTS.test(call.name))
    if ((!effect && !guess) || BUILDS.test(call.name) || call.target !== undefined || isShut(call) || isChecked(unit, call)) continue
    if (effect && installs(call)) {
      yield { at: call.span, unit: unit.id, confidence: 'medium', message: `${call.name} asks a registry: when it is slow, away or has changed, the test fails` }
      continue
    }
    const given = [effect && argumentOf(call, effect), call.named.url, call.named.uri, call.named.host, call.named.hostname, call.named.href, ...(guess ? [call.args[0]] : [])]
    const host = given.flatMap(v => outsideHost(v && textOf(v, unit, view), effect !== undefined) ?? [])[0]
    // A client for an address out of the documentation is made to be looked at; a socket connects at once.
    if (!host || (host.documentation && guess && !SOCKET.test(call.name)) || (effect && /^\d/.test(host.name) && /InetAddress|getaddrinfo|gethostbyname/.test(call.name))) continue
    if (isOffline(view.facts, unit, guess)) continue
    yield { at: call.span, unit: unit.id, confidence: sureOf(call, guess, host.documentation), message: message(host.name) }
  }
}

/** Methods of the code under test that go out by their name: to an address, or to the servers that know one. */
const REACHES = /(^|[._:/])(check|probe|ping|crawl|scrape|download\w*|fetch\w*|dial|connect|open|visit|get|head|add\w*|install\w*)$/i
const RESOLVES = /(^|[._:/])(resolve|lookup|dial|connect|ping)(_?(host|name|all|ip|addr|address|dns))?$/i
const CLIENT = /client|http|session|agent|api|check|fetch|crawl|download|browser|conn|dial|resolver|github|registry/i
const MADE_UP = /mock|fake|stub|request\.new$|parse|cookie|prepare|assert|expect|equal|verify|header|cache|storage|map|dict|param|config|url\w*$|intercept|nock|allow|match|valid/i

/** What the code under test is given to go to. Nobody can see here that it does, so this is never said for sure. */
function* asks(unit: Unit, view: FileView): Generator<Report> {
  if (unit.role.is === 'module' || unit.role.is === 'suite' || isOffline(view.facts, unit, false)) return
  const hosts = new Set<string>()
  for (const call of unit.calls) {
    const receiver = call.receiver?.is === 'name' ? call.receiver.path : call.name
    if (MADE_UP.test(call.name) || MADE_UP.test(receiver) || has(call, 'log', 'stub', 'mock', 'fake-net', 'name-resource', 'restore') || isShut(call) || givesStandIn(call, unit)) continue
    const host = hostIn(call, receiver, unit, view)
    if (!host || hosts.has(host)) continue
    hosts.add(host)
    yield { at: { start: call.nameSpan.start, end: call.span.end }, unit: unit.id, confidence: 'medium', message: message(host) }
  }
}

/** A stand-in among what a call is given: then the host is a name like any other. */
const givesStandIn = (call: Call, unit: Unit): boolean =>
  [...call.args, ...Object.values(call.named)].flatMap(a => [...valuesIn(a, unit)]).some(v => /stub|fake|mock|dummy/i.test(v.is === 'name' ? v.path : v.is === 'call' ? unit.calls[v.call]?.name ?? '' : ''))

function hostIn(call: Call, receiver: string, unit: Unit, view: FileView): string | undefined {
  const given = [...call.args, ...Object.values(call.named)].flatMap(v => (v.is === 'group' ? v.of : [v]))
  const texts = given.map(v => textOf(v, unit, view))
  // A macro's words are not parsed.
  const tried = (call.name.endsWith('!') && call.args.length === 0 ? [view.textOf(call.span)] : texts).map(triedOut).find(h => h !== undefined)
  if (tried) return tried
  const command = commandHost(view.facts.language === 'bash' ? texts.filter(t => typeof t === 'string').join(' ') : texts.find(t => typeof t === 'string' && /\s/.test(t)))
  if (command && !command.documentation && !isToFail(call) && (view.facts.language === 'bash' || PROCESS.test(call.name))) return command.name
  const bare = call.args.flatMap(v => (v.is === 'group' ? v.of : [v])).map(v => fold(v, unit, view.folding)).filter(t => typeof t === 'string' && !t.includes('/'))
  const name = bare.map(t => (RESOLVES.test(call.name) ? outsideHost(t, true) : undefined)).find(h => h && !h.documentation)?.name
  if (name && !/^\d/.test(name)) return name
  const unowned = typeof texts[0] === 'string' && /^https?:/.test(texts[0]) ? nobodys(texts[0]) : undefined
  if (unowned || isChecked(unit, call)) return unowned
  const outside = REACHES.test(call.name) && CLIENT.test(`${receiver} ${call.name}`) && call.result !== 'discarded' ? outsideHost(texts[0]) : undefined
  return outside && !outside.documentation ? outside.name : undefined
}

const PROCESS = /exec|run|spawn|command|shell|system|popen/i

/** A socket connects at once, and a request by name asks; a client that is made may never be used. */
const sureOf = (call: Call, guess: boolean, documentation: boolean): Report['confidence'] =>
  SOCKET.test(call.name) ? 'high' : guess ? (CONNECTS.test(call.name) ? 'medium' : 'high') : least(confidenceOf(call), documentation ? 'medium' : 'high')

/** The text of a value, or what it begins with. */
function textOf(value: Value, unit: Unit, view: FileView): unknown {
  const kept = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path)?.value ?? value : value
  const made = kept.is === 'call' && /(^|[.:])(URL|URI|Request)\.(new|create|parse)$/.test(unit.calls[kept.call]?.name ?? '') ? unit.calls[kept.call]!.args[0] : undefined
  if (made) return fold(made, unit, view.folding)
  const first = value.is === 'text' ? value.parts[0] : value
  // A set-up may have kept the address.
  const before = first?.is === 'name' ? inForce(view.facts, unit).map(u => u.writes.findLast(w => w.target === first.path)?.value).findLast(v => v !== undefined) : undefined
  return fold(value, unit, view.folding) ?? fold(first, unit, view.folding) ?? (before?.is === 'literal' ? before.value : undefined)
}

const RECIPE = /^(?:ADD\s+https?:\/\/.*|RUN\s+.*\b(?:apt-get|apk|yum|dnf|pip3?|npm)\s+(?:-\S+\s+)*(?:install|add|update)\b.*)$/m

/** Recipes of images in text: `ADD https://…`, `RUN apt-get install`. */
function* recipes(unit: Unit, view: FileView): Generator<Report> {
  const told = new Set<string>()
  for (const call of unit.calls)
    for (const value of [...call.args, ...Object.values(call.named)].flatMap(a => [...valuesIn(a, unit)])) {
      const line = value.is === 'literal' && typeof value.value === 'string' && /^(FROM|ADD|RUN)\b/m.test(value.value) ? RECIPE.exec(value.value)?.[0] : undefined
      if (!line || told.has(line)) continue
      told.add(line)
      yield { at: placeOf(line, call.span, unit, view), unit: unit.id, confidence: 'high', message: `«${line.slice(0, 60)}» goes out while an image is built: when the host is slow or away, the test fails` }
    }
}

function placeOf(text: string, near: Span, unit: Unit, view: FileView): Span {
  const at = view.textOf({ start: near.start, end: unit.span.end }).indexOf(text)
  return at === -1 ? near : { start: near.start + at, end: near.start + at + text.length }
}

const SOURCE_KEY = /\b(\w*(?:[kK]ey|[cC]ert|[jJ]wks|[mM]etadata|[dD]iscovery|[dD]ownload|[fF]eed)_?(?:Url|URL|Uri|URI|url|uri))["']?\s*[:=]\s*["'](https?:\/\/[^"']+)["']/

/** A key, certificate or feed that the code under test gets from an outer address. */
function* sources(unit: Unit, view: FileView): Generator<Report> {
  if (unit.role.is !== 'test' || !unit.calls.some(c => c.result === 'awaited' || c.result === 'returned')) return
  // A cache that the test fills beforehand answers in the host's place.
  if (view.facts.units.some(u => u.writes.some(w => /cache[.[]/i.test(w.target)))) return
  for (const write of unit.writes) {
    const found = write.value.is === 'group' ? SOURCE_KEY.exec(view.textOf(write.span)) : null
    const host = outsideHost(found?.[2])
    if (!found || !host || host.documentation || isOffline(view.facts, unit, false)) continue
    yield { at: placeOf(found[0], write.span, unit, view), unit: unit.id, confidence: 'high', message: message(host.name) }
  }
}
