// Calls that go to a host, as far as their names and what they are given tell.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { has, inForce, valuesIn } from '../../facts/query.ts'
import { oneOf, requested } from './addresses.ts'
import { commandHost, isChecked, isShut, isToFail, nobodys, outsideHost, triedOut } from './hosts.ts'
import { isStoodIn, isStubbed } from './stand-ins.ts'

interface View {
  readonly facts: FileFacts
  readonly folding: Folding
  readonly textOf: (span: Span) => string
}

/** Methods of the code under test that go out by their name: to an address, or to the servers that know one. */
const REACHES = /(^|[._:/])(check|probe|ping|crawl|scrape|download\w*|fetch\w*|dial|connect|open|visit|get|head|add\w*|install\w*)$/i
const RESOLVES = /(^|[._:/])(resolve|lookup|dial|connect|ping)(_?(host|name|all|ip|addr|address|dns))?$/i
const CLIENT = /client|http|session|agent|api|check|fetch|crawl|download|browser|conn|dial|resolver|github|registry/i
const MADE_UP =
  /\{\}$|mock|fake|stub|test_?client|request\.new$|parse|cookie|prepare|assert|expect|equal|verify|header|cache|storage|map|dict|param|config|url\w*$|intercept|nock|allow|match|valid|known/i

/** A stand-in among what a call is given: then the host is a name like any other. */
const givesStandIn = (call: Call, unit: Unit): boolean =>
  [...call.args, ...Object.values(call.named)].flatMap(a => [...valuesIn(a, unit)]).some(v =>
    /stub|fake|mock|dummy/i.test(v.is === 'name' ? v.path : v.is === 'call' ? unit.calls[v.call]?.name ?? '' : '')
  )

/** `client::handshake(io)`, `Client.new(stream)`: what it sends goes over a line that it was given. */
const hasOwnLine = (receiver: string, unit: Unit): boolean =>
  unit.writes.some(w =>
    w.target === receiver && [...valuesIn(w.value, unit)].some(v => {
      const made = v.is === 'call' ? unit.calls[v.call] : undefined
      return made !== undefined && (/(^|[.:_])(handshake|duplex|pair)$/.test(made.name) || made.args.some(a =>
        a.is === 'name' && /^(io|stream|transport|duplex|pipe|wire)$/i.test(a.path)
      ))
    })
  )

/** A resolver that a set-up has made, or that was given something to ask, mostly asks servers of the test's own. */
const hasOwnServers = ({ name, receiver, args }: Call, unit: Unit): boolean =>
  /(resolve|lookup)\w*$/i.test(name)
  && !(args.length === 1 && receiver?.is === 'name'
    && unit.writes.some(w => w.target === receiver.path && w.value.is === 'call' && unit.calls[w.value.call]!.args.length === 0))

/** The host that the code under test is given to go to, by the names of what it is given to. */
export function askedHost(call: Call, unit: Unit, view: View): string | undefined {
  const host = namedHost(call, unit, view)
  return host !== undefined && isStoodIn(call, unit, view) ? undefined : host
}

/** `requests.Request("GET", url)` that nobody sends. */
const isOnlyPrepared = ({ name }: Call, unit: Unit): boolean =>
  /^(requests|httpx)\.Request$/.test(name) && !unit.calls.some(c => /(^|\.)send$/.test(c.name))

function namedHost(call: Call, unit: Unit, view: View): string | undefined {
  const receiver = call.receiver?.is === 'name' ? call.receiver.path : call.name
  if (call.receiver?.is === 'name' && hasOwnLine(receiver, unit)) return undefined
  if (MADE_UP.test(call.name) || MADE_UP.test(receiver) || has(call, 'log', 'stub', 'mock', 'fake-net', 'name-resource', 'restore')
    || isShut(call) || givesStandIn(call, unit) || isOnlyPrepared(call, unit)) return undefined
  const given = [...call.args, ...Object.values(call.named)].flatMap(v => (v.is === 'group' ? v.of : [v]))
  // Whoever is only called a client may have a line of the test's own to send a request on.
  const texts = given.map(v => addressOf(v, unit, view, Infinity, call.resolution === 'guess' ? 1 : 12))
  // A macro's words are not parsed. What is given a record that holds an address need not go there.
  const plain = given.map((v, i) => (v.is === 'name' && typeof fold(v, unit, view.folding) !== 'string'
      && unit.writes.some(w => w.target === v.path && w.value.is === 'group')
    ? undefined
    : texts[i])
  )
  const tried = (call.name.endsWith('!') && call.args.length === 0 ? [view.textOf(call.span)] : plain).map(triedOut).find(h =>
    h !== undefined
  )
  if (tried) return isCompared(tried, call, unit, view) ? undefined : tried
  const command = commandHost(
    view.facts.language === 'bash' || call.args[0]?.is === 'group' || PROCESS.test(call.name)
      ? texts.filter(t => typeof t === 'string').join(' ')
      : texts.find(t => typeof t === 'string' && /\s/.test(t)),
  )
  if (command && view.facts.language === 'bash'
    && texts.some(t => typeof t === 'string' && TOOL.test(t) && isStubbed(TOOL.exec(t)![1]!, unit, view))) return undefined
  if (command && !command.documentation && !isToFail(call) && (view.facts.language === 'bash' || PROCESS.test(call.name)))
    return command.name
  const bare = call.args.flatMap(v => (v.is === 'group' ? v.of : [v])).map(v => fold(v, unit, view.folding)).filter(t =>
    typeof t === 'string' && !t.includes('/')
  )
  const name = bare.map(t => (RESOLVES.test(call.name) && !hasOwnServers(call, unit) ? outsideHost(t, true) : undefined)).find(h =>
    h && !h.documentation
  )?.name
  if (name && !/^\d/.test(name)) return name
  // Who lets a connection hang has a limit for it; elsewhere such an address is a name for somebody.
  const unowned = typeof texts[0] === 'string' && /^https?:/.test(texts[0]) && /time_?out/i.test(view.textOf(unit.span))
    ? nobodys(texts[0])
    : undefined
  if (unowned || isChecked(unit, call)) return unowned
  const outside = REACHES.test(call.name) && CLIENT.test(`${receiver} ${call.name}`) && call.result !== 'discarded'
    ? outsideHost(texts[0])
    : undefined
  return outside && !outside.documentation ? outside.name : startedWith(call, texts[0], unit)
}

const TOLD_WHERE =
  /(^|[.:_])(fork\w*|(base_?|rpc_?|fork_?|http_?|ws_?)?ur[il]|endpoint|rpc\w*|server|remote|upstream|mirror|registry|node)$/i
const STARTS = /(^|[.:])(try_)?(spawn|start|launch|connect|run|serve|fetch|sync|clone)(_?(async|blocking|sync|once|all|and_?wait))?$/i

/** `Node::new().fork("https://…").spawn()`: a step of what is put together says where to go, and at the end it is started. */
function startedWith(call: Call, text: unknown, unit: Unit): string | undefined {
  const host = call.receiver && TOLD_WHERE.test(call.name) ? outsideHost(text) : undefined
  return host && !host.documentation && isStarted(unit.calls.indexOf(call), unit) ? host.name : undefined
}

function isStarted(index: number, unit: Unit, depth = 0): boolean {
  if (depth > 12) return false
  const kept = unit.writes.find(w => w.value.is === 'call' && w.value.call === index)?.target
  return unit.calls.some((c, i) =>
    (c.receiver?.is === 'call' ? c.receiver.call === index : c.receiver?.is === 'name' && c.receiver.path === kept)
    && (STARTS.test(c.name) || isStarted(i, unit, depth + 1))
  )
}

/** `route.uri("https://httpbin.org")` and later `route.getUri().equals(…)`: what is given is only to come back. */
const isCompared = (host: string, { span, name }: Call, unit: Unit, { textOf }: View): boolean =>
  /(^|[.:])ur[il][.:]+(create|new|parse|of)$/i.test(name)
  || [...unit.assertions, ...unit.calls.filter(c => /expect|equals|assert|verify/i.test(c.name))].some(({ span: at }) =>
    at.start > span.end && textOf(at).includes(host)
  )

const TOOL = /(?:^|[\s;&|(])(curl|wget|git|nslookup|dig|ping|svn|http)(?=\s|$)/
const PROCESS = /exec|run|spawn|command|shell|system|popen|check_(call|output)/i

/** The text of a value, or what it begins with. */
export function addressOf(value: Value, unit: Unit, view: View, before = Infinity, steps = 12): unknown {
  const kept = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path && w.span.start < before)?.value ?? value : value
  const made = requested(kept, unit, before, steps)
  if (made) return made === value ? undefined : addressOf(made, unit, view, before, steps)
  const first = value.is === 'text' ? value.parts[0] : value
  // A set-up may have kept the address.
  const set = first?.is === 'name'
    ? inForce(view.facts, unit).map(u => u.writes.findLast(w => w.target === first.path)?.value).findLast(v => v !== undefined)
    : undefined
  return fold(value, unit, view.folding) ?? fold(first, unit, view.folding) ?? (set?.is === 'literal' ? set.value : undefined)
    ?? (first?.is === 'name' ? oneOf(first.path, unit, view) : undefined)
}

/** Where a text stands, at or after a place. */
export function placeOf(text: string, near: Span, unit: Unit, view: Pick<View, 'textOf'>): Span {
  const at = view.textOf({ start: near.start, end: unit.span.end }).indexOf(text)
  return at === -1 ? near : { start: near.start + at, end: near.start + at + text.length }
}

const RECIPE =
  /^(?:ADD\s+https?:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::|\$).*|RUN\s+.*\b(?:apt-get|apk|yum|dnf|pip3?|npm)\s+(?:-\S+\s+)*(?:install|add|update)\b.*)$/m

/** Lines of recipes for images that go out while they are followed. */
export function* recipeLines(unit: Unit, view: View): Generator<{ readonly line: string; readonly at: Span }> {
  const told = new Set<string>()
  for (const call of unit.calls)
    for (const value of [...call.args, ...Object.values(call.named)].flatMap(a => [...valuesIn(a, unit)])) {
      const line = value.is === 'literal' && typeof value.value === 'string' && /^(FROM|ADD|RUN)\b/m.test(value.value)
        ? RECIPE.exec(value.value)?.[0]
        : undefined
      // Whose failure is dropped, and what a server of the test's own gives, depends on nobody.
      if (line && !told.has(line) && !/\|\| true\b|\/\/(0\.0\.0\.0|127\.|localhost)/.test(line))
        told.add(line), yield { line, at: placeOf(line, call.span, unit, view) }
    }
}

const SOURCE_KEY =
  /\b(\w*(?:[kK]ey|[cC]ert|[jJ]wks|[mM]etadata|[dD]iscovery|[dD]ownload|[fF]eed)_?(?:Url|URL|Uri|URI|url|uri))["']?\s*[:=]\s*["'](https?:\/\/[^"']+)["']/

/** Settings of a test that waits, by keys that say that something is got from there. */
export function* sourceAddresses(unit: Unit, view: View): Generator<{ readonly host: string; readonly at: Span }> {
  if (unit.role.is !== 'test' || !unit.calls.some(c => c.result === 'awaited' || c.result === 'returned')) return
  // A cache that the test fills beforehand answers in the host's place.
  if (view.facts.units.some(u => u.writes.some(w => /cache[.[]/i.test(w.target)))) return
  for (const write of unit.writes) {
    const found = write.value.is === 'group' ? SOURCE_KEY.exec(view.textOf(write.span)) : null
    const host = outsideHost(found?.[2])
    if (found && host && !host.documentation) yield { host: host.name, at: placeOf(found[0], write.span, unit, view) }
  }
}
