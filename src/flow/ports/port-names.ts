// Numbers that are ports by the name they go by, where nobody sees them bound: constants, settings, lists, ports that are
// published, ports beside other ports. Less sure than what `ports.ts` finds, for the one who listens is out of sight.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { has, valuesIn } from '../../facts/query.ts'
import { isWanted } from './mocked-binds.ts'

interface View {
  readonly facts: FileFacts
  readonly folding: Folding
  readonly textOf: (span: Span) => string
}

export interface NamedPort {
  readonly span: Span
  readonly unit: number
  readonly port: number
  readonly by: string
  readonly how: 'named' | 'set' | 'published' | 'beside' | 'asked' | 'dialled'
}

const isPort = (n: unknown): n is number => typeof n === 'number' && Number.isInteger(n) && n >= 1024 && n < 65_536
const last = (path: string): string => path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf(':'), path.lastIndexOf('/')) + 1)

/** `port`, `SERVER_PORT`, `localListenPort2`, `X_PORT_KEY`; no portal, no report. */
const PORT = /(^|[_.\- ])ports?\d*([_.\- ]|$)|[a-z\d]P(ort|ORT)s?\d*($|[A-Z_])|^port\d*($|[A-Z_])/i
/** `remotePort`, `expectedPort`: ports of elsewhere, or of records that nobody binds. */
const ELSEWHERE =
  /^default_?port|remote(?!_|ing)|peer|dest|client|connect|expect|debug|transport|report|support|import|export|viewport|src|source|wrong|bad|invalid|unused|closed|dead|advert|unreachable|prohibited|foo|lamport|(?<![a-z])max|(?<![a-z])min|dst|fake|dummy|mock|some|any|range|timeout|count|num|size|delay|retries|interval/i
const isPortName = (name: string): boolean => PORT.test(name) && !ELSEWHERE.test(name)

const LISTENS =
  /(Server|Cluster|Broker|Daemon|Listener|Rule|Proxy)\d*(\.new|::new)?$|[sS]erve\b|[sS]erver?_?[a-z]*$|(^|[._:])(listen|bind|launch|start|run_?server|start_?server)\w*$/
const PASSIVE =
  /assert|expect|equal|verify|mock\b|when|should|must|match|parse|format|print|log|debug|valueOf|toString|hash|compare|contains|has|url|uri|get\w*Port|Mockito|stub|fake|dummy/i

const listens = (call: Call): boolean =>
  has(call, 'bind-port', 'start')
  || (LISTENS.test(call.name) && !PASSIVE.test(last(call.name)) && !/client|redis|mongo|kafka|host/i.test(last(call.name))
    && !has(call, 'log', 'stub', 'fake-net', 'fake-clock'))

/** Where databases and queues are by agreement. */
export const AGREED: ReadonlySet<number> = new Set([1433, 1521, 2181, 2375, 2379, 3306, 5432, 5672, 6379, 6380, 8125, 8500, 9042, 9092,
  9200, 11211, 27017])

/** What people write who mean no port at all. */
export const MEANT: ReadonlySet<number> = new Set([1111, 1234, 2222, 3333, 4444])

/** The address of another machine. */
export const isForeign = (value: Value): boolean =>
  value.is === 'literal' && /^(?!127\.|0\.0\.0\.0)\d{1,3}(\.\d{1,3}){3}$/.test(String(value.value))

const isThisMachine = (text: string): boolean => /127\.0\.0\.1|localhost|0\.0\.0\.0/.test(text)

/** Devices of a ring, nodes of a map: ports beside addresses of other machines are theirs. */
export const isElsewhere = (text: string): boolean =>
  /['"](?!127\.)\d{1,3}\.\d{1,3}\.\d{1,3}\.(\d{1,3}|%\w|\{)/.test(text) && !isThisMachine(text)

/** `uint16(21529)` is the number. */
const plain = (value: Value | undefined, unit: Unit): Value | undefined => {
  const call = value?.is === 'call' ? unit.calls[value.call]! : undefined
  return call?.args.length === 1 && /(^|[.:])(u?int(8|16|32|64)?|Integer\.valueOf|Number|String|str|Port)$/.test(call.name)
    ? call.args[0]
    : value
}

const worth = (value: Value | undefined, unit: Unit, view: View, agreed = false): number | undefined => {
  const folded = fold(plain(value, unit), unit, view.folding)
  const n = typeof folded === 'string' && /^\d{4,5}$/.test(folded) ? Number(folded) : folded
  return isPort(n) && !MEANT.has(n) && (agreed || !AGREED.has(n)) ? n : undefined
}

/** What runs in a container has all of its ports to itself. */
export const isContained = ({ facts }: Pick<View, 'facts'>): boolean =>
  /containers?(\/|[A-Z_.])/.test(facts.path)
  || facts.imports.some(i => /testcontainers|docker\/go-connections|docker\/docker\/api|(^|[/.:])bollard/i.test(i.name))

const NUMBER = /\d_?\d_?\d_?\d|0[xX]|\d[eE]\d/

/** In most functions of a file that speaks of ports there is no number that could be one, nor the name of such a number. */
export function mayHoldPort(unit: Unit, { folding, textOf }: Pick<View, 'folding'> & Partial<Pick<View, 'textOf'>>): boolean {
  if (!textOf) return true
  const text = textOf(unit.span)
  return NUMBER.test(text)
    || [...folding.constants(unit)].some(([name, worth]) =>
      (typeof worth === 'number' ? worth >= 1024 : typeof worth === 'string' && NUMBER.test(worth)) && text.includes(last(name))
    )
}

export function* namedPorts(unit: Unit, view: View): Generator<NamedPort> {
  const { language } = view.facts
  // One port above another is written without its number.
  if (language !== 'bash') yield* beside(unit)
  if (!mayHoldPort(unit, view)) return
  if (language === 'bash') return yield* published(unit, view)
  yield* mapped(unit)
  // What is asserted again was only stored.
  const asserted = unit.assertions.map(a => view.textOf(a.span)).join(' ')
  const compared = unit.assertions.filter(a => a.compare === '==').map(a => view.textOf(a.span)).join(' ')
  if (!isContained(view))
    yield* [...constants(unit, view), ...settings(unit, view), ...addressed(unit, view)].filter(p => !asserted.includes(String(p.port)))
  yield* [...[...handed(unit, view)].filter(p => !compared.includes(String(p.port))), ...listed(unit, view), ...asked(unit, view),
    ...dialled(unit, view)]
}

/** `SERVER_PORT = 10021`, where somebody is given it. */
function* constants(unit: Unit, view: View): Generator<NamedPort> {
  if (!isTop(unit) && isElsewhere(view.textOf(unit.span))) return
  for (const write of unit.writes) {
    const name = last(write.target)
    if (!isPortName(name) || write.adds || plain(write.value, unit)?.is !== 'literal' || /^(?!this|self|cls)\w+[.[]/.test(write.target))
      continue
    const port = worth(write.value, unit, view, isTop(unit))
    if (port !== undefined && isGiven(write.target, unit, view) && !hasForeignHost(write.target, unit) && !isReplaced(write.target, view)
      && !isLookedUp(write.target, unit))
      yield { span: write.span, unit: unit.id, port, by: name, how: isTop(unit) ? 'named' : 'set' }
  }
}

/** `shopPort = findFreePort()` before every test: what stands there first is never used. */
export const isReplaced = (target: string, { facts }: Pick<View, 'facts'>): boolean =>
  facts.units.some(u =>
    u.role.is === 'hook' && u.role.when === 'before'
    && u.writes.some(w => last(w.target) === last(target) && !w.declares && w.value.is === 'call')
  )

/** `assertEquals(newPort, settings.get("port"))`: it was given to be read again. */
const isLookedUp = (target: string, unit: Unit): boolean =>
  unit.assertions.some(a => a.compare === '==' && a.operands.some(o => o.is === 'name' && o.path === target))

/** `SHOP_PORT` beside `SHOP_HOST = "10.1.2.3"`: the port of another machine. */
const hasForeignHost = (target: string, unit: Unit): boolean => {
  const rest = (name: string, what: RegExp): string => name.replace(what, '').toLowerCase()
  const own = rest(target, /_?port/i)
  return unit.writes.some(w => isForeign(w.value) && /host|ip|addr/i.test(w.target) && rest(w.target, /_?(host|ip|addr(ess)?)/i) === own)
}

const isTop = (unit: Unit): boolean => unit.role.is === 'module' || unit.role.is === 'suite'
const TAKEN_ALONE = /(?:assert|expect|equal|verify|should|require)\w*[.(][^\n]*$/i

/** A line that is no assertion holds the name too. */
function isGiven(target: string, unit: Unit, { facts, textOf }: View): boolean {
  const within = isTop(unit) ? facts.units[0]! : unit
  const name = new RegExp(`(?<![\\w.])(?:this\\.|self\\.|Self::)?${last(target).replace(/\W/g, '\\$&')}(?!\\w)`)
  return textOf(within.span).split('\n').filter(l => name.test(l) && !TAKEN_ALONE.test(l.slice(0, l.search(name)))).length > 1
}

/** Puts what it is given into a record and gives that back: nobody listens for it. */
const isRecord = ({ calls, returns, writes }: Unit): boolean =>
  returns.length > 0 && writes.length === 0 && calls.length > 0 && calls.every(c => /\{\}$|\.(Sprintf|Itoa|Helper)$/.test(c.name))

/** `startCluster(3, 14333)`, whose last parameter is a port by its name. */
function* handed(unit: Unit, view: View): Generator<NamedPort> {
  for (const call of unit.calls) {
    const to = call.target === undefined ? undefined : view.facts.units[call.target]
    // `newCandidate("192.168.1.1", 10000)`: a port of another machine.
    if (call.args.some(a => isForeign(a))) continue
    for (const [i, arg] of (to && !isRecord(to) ? call.args : []).entries()) {
      const port = arg.is === 'literal' && isPortName(to!.params[i] ?? '') ? worth(arg, unit, view) : undefined
      if (port !== undefined)
        yield { span: call.span, unit: unit.id, port, by: to!.params[i]!,
          how: to!.calls.some(listens) || isThisMachine(view.textOf(to!.span)) ? 'named' : 'set' }
    }
  }
}

/** `containers.run("redis", ports={"6379/tcp": 6379})`, `container.with_bind_ports(5432, 5433)`: the port of the host is the second one. */
function hostPort({ name, args, named }: Call): number | undefined {
  const pair = named['ports']?.is === 'group'
    ? named['ports'].of.find(p =>
      p.is === 'group' && p.of.length === 2 && p.of[0]!.is === 'literal' && /^\d+\/(tcp|udp)$/.test(String(p.of[0]!.value))
    )
    : undefined
  const to = /with_bind_ports$/.test(name) ? args[1] : pair?.is === 'group' ? pair.of[1] : undefined
  const port = to?.is === 'group' ? to.of.at(-1) : to
  return port?.is === 'literal' && isPort(port.value) ? port.value : undefined
}

/** `container.setPortBindings(List.of("5432:5432"))`: the port of the host is the first one. */
function* mapped(unit: Unit): Generator<NamedPort> {
  for (const call of unit.calls) {
    const host = hostPort(call)
    if (host !== undefined)
      yield { span: call.span, unit: unit.id, port: host, by: 'ports' in call.named ? 'ports' : last(call.name), how: 'named' }
    if (!/[pP]ort_?[bB]indings?$|[fF]ixed\w*Port$/.test(call.name)) continue
    for (const v of call.args.flatMap(a => [...valuesIn(a, unit)])) {
      const port = v.is === 'literal' ? Number(/^(?:[\d.]+:)?(\d{4,5}):\d+$/.exec(String(v.value))?.[1] ?? v.value) : NaN
      if (isPort(port)) {
        yield { span: call.span, unit: unit.id, port, by: last(call.name), how: 'named' }
        break
      }
    }
  }
}

const FLAG = /^--?((https?|grpc|rpc|server|listen|bind|dashboard|web|api|admin)-)?port$/

/** `check_error(['--port', …])`: refused before anybody listens. */
const REFUSES = /(^|_)(errors?|fails?|failure|invalid|rejects?|refuses?)(_|$)|[a-z](Error|Fails?|Failure|Invalid|Rejects?)([A-Z]|$)/

/** What is written there, or was put into the variable. */
function kept(value: Value | undefined, unit: Unit): unknown {
  const at = value?.is === 'text' && value.parts.length === 1 ? value.parts[0] : plain(value, unit)
  const from = at?.is === 'name' ? unit.writes.find(w => w.target === at.path)?.value : at
  return from?.is === 'literal' ? from.value : undefined
}

/** `{ Image: "shop/server", Command: ["--port", "8080"] }`: what runs in a container has all of its ports to itself. */
const IMAGE = /(?<![\w.])[iI]mage["']?\s*:\s*["'`\w]/

/** `["serve", "--port", "36195"]`, `['serve', '--port', str(self.port)]` */
function* listed(unit: Unit, { textOf }: View): Generator<NamedPort> {
  for (const { span, value } of [...unit.writes,
    ...unit.calls.filter(c => !REFUSES.test(last(c.name)) && !/^[pP]arse(?![a-z])/.test(last(c.name))).map(c => ({ span: c.span,
      value: { is: 'group', of: c.args } as const })
    )])
    for (const list of valuesIn(value, unit)) {
      if (list.is !== 'group') continue
      for (const [i, word] of list.of.entries()) {
        const next = list.of[i + 1]
        const port = word.is === 'literal' && FLAG.test(String(word.value)) ? Number(kept(next, unit)) : NaN
        if (isPort(port) && !IMAGE.test(textOf(span)))
          yield { span, unit: unit.id, port, by: String(word.is === 'literal' && word.value), how: 'named' }
      }
    }
}

/** `new OrderRecord().setHost("…").setPort(9094)`, `ShopContainer.of(…).withPort(8080)`: data, and ports of a container. */
const KEPT = /^(?:new\s+)?[\w.]*(?:[eE]ndpoint|Record|Address|Info|Registration|Instance|Request|Response|Data|Container)\b(?!Server)/
const SETTER = /^(set|with|use)_?\w*[pP]ort\d*$|^port$/
const KEYED = /^(put|set\w*|with\w*|add\w*|property|setProperty|config|option)$/

/** `instance.setPort(8080)`: what a registry is told of somebody else. */
export const isEntry = ({ receiver }: Call): boolean => receiver?.is === 'name' && /(^|[a-z_.])instance/i.test(receiver.path)

/** `setIpcPort(10021)`, `conf.setInt(X_PORT_KEY, 10023)`, `Proxy(port=8899)`, `portList.add(7777)`. */
function* settings(unit: Unit, view: View): Generator<NamedPort> {
  for (const call of unit.calls) {
    const name = last(call.name)
    if (PASSIVE.test(call.name) || has(call, 'log', 'stub', 'fake-net') || /\{\}$|client|remote|peer|URI|URL|address|uri/i.test(call.name))
      continue
    const found = (value: Value | undefined, by: string): NamedPort[] => {
      const port = value?.is === 'literal' ? worth(value, unit, view) : undefined
      return port === undefined || isWanted(call.span.start, unit, view) ? [] : [{ span: call.span, unit: unit.id, port, by, how: 'set' }]
    }
    if (SETTER.test(name) && !ELSEWHERE.test(name) && !isEntry(call) && !/[bB]uilder\(\)/.test(view.textOf(call.span))
      && !KEPT.test(view.textOf(call.span)))
      yield* found(call.args[0], name)
    if (KEYED.test(name) && call.args.length === 2 && isPortName(wordsOf(call.args[0]!, unit, view)))
      yield* found(call.args[1], wordsOf(call.args[0]!, unit, view))
    // `Map.of("http.port", "8080")`
    if (/(^|\.)(Immutable)?Map\.of$/.test(call.name)) {
      for (const [i, key] of call.args.entries())
        if (i % 2 === 0 && isPortName(wordsOf(key, unit, view))) yield* found(call.args[i + 1], wordsOf(key, unit, view))
    }
    if (/^(add|append|push)$/.test(name) && call.receiver?.is === 'name' && isPortName(last(call.receiver.path)))
      yield* found(call.args[0], last(call.receiver.path))
    if (listens(call)) { for (const [key, value] of Object.entries(call.named)) if (isPortName(key)) yield* found(value, key) }
  }
}

const HOST = /^(127\.0\.0\.1|localhost|0\.0\.0\.0)$/

/** `new Address("127.0.0.1", 5701)` in what all tests of a class stand on. */
function* addressed(unit: Unit, view: View): Generator<NamedPort> {
  if (unit.role.is === 'test' || unit.role.is === 'helper') return
  for (const call of unit.calls) {
    const at = /\.new$/.test(call.name) && !/client/i.test(call.name)
      ? call.args.findIndex(a => a.is === 'literal' && HOST.test(String(a.value)))
      : -1
    const port = at < 0 ? undefined : worth(call.args[at + 1], unit, view)
    if (port !== undefined) yield { span: call.span, unit: unit.id, port, by: last(call.name.slice(0, -4)), how: 'set' }
  }
}

/** The text or the last name of a key: `X_PORT_KEY + ".nn1"`, `"server.port"`. */
function wordsOf(value: Value, unit: Unit, view: View): string {
  const folded = fold(value, unit, view.folding)
  if (typeof folded === 'string') return folded
  for (const v of valuesIn(value, unit)) if (v.is === 'name') return last(v.path)
  return ''
}

/** `findOpenPort(port + 1)` looks from there on. */
const LOOKS = /(find|next|open|free|avail|unused|pick)\w*_?ports?\w*$/i

/** `ports.takePair()`, `get_port_range(3)`: whoever gave it has looked at its neighbours, too. */
const SEVERAL = /(^|[._:]|[a-z])_?(pair|triple|triplet|range|block|consecutive|contiguous|adjacent)s?(?![a-z])/i

const isOneOfSeveral = (value: Value, unit: Unit): boolean => {
  const kept = value.is === 'name' ? unit.writes.findLast(w => w.target === value.path)?.value : undefined
  return kept?.is === 'call' && SEVERAL.test(last(unit.calls[kept.call]!.name))
}

/**
 * `new Address(shop.getHost(), shop.getPort() + 1)`: an address made of another one, wherever that is. And one that is never resolved is
 * nobody's to listen on.
 */
function isOtherAddress(call: Call, value: Value, unit: Unit): boolean {
  if (/createUnresolved$/.test(call.name)) return true
  const of = (v: Value | undefined): string | undefined => {
    const from = v?.is === 'call' ? unit.calls[v.call]! : undefined
    return from?.args.length === 0 && from.receiver?.is === 'name' ? from.receiver.path : undefined
  }
  const holder = value.is === 'op' ? of(value.of[0]) : undefined
  return holder !== undefined && call.args.some(a => a !== value && of(a) === holder)
}

/** `port + 1`: nobody has looked whether that one is free. */
function* beside(unit: Unit): Generator<NamedPort> {
  const places = [...unit.writes.map(w => ({ span: w.span, value: w.value, to: last(w.target) })),
    ...unit.calls.filter(c => !PASSIVE.test(c.name) && !LOOKS.test(c.name) && !has(c, 'log')).flatMap(
      c => [...c.args.filter(value => !isOtherAddress(c, value, unit)).map(value => ({ span: c.span, value, to: '' })),
        ...Object.entries(c.named).map(([to, value]) => ({ span: c.span, value, to }))],
    )]
  for (const { span, value, to } of places) {
    if (/expect|actual|next/i.test(to) || value.is !== 'op' || value.op !== '+' || value.of.length !== 2) continue
    const [a, b] = value.of
    if (a && isOneOfSeveral(a, unit)) continue
    const name = a?.is === 'op' && a.op === '[]'
      ? keyOf(a.of[1], unit)
      : a?.is === 'name'
      ? last(a.path)
      : a?.is === 'call'
      ? last(unit.calls[a.call]?.name ?? '')
      : ''
    if (b?.is !== 'literal' || typeof b.value !== 'number' || b.value < 1 || b.value > 1000
      || !/(^|_)[pP]ort\d*$|[a-z]Port\d*$|(^|_)PORT\d*$/.test(name)
      || /remote|peer|report|support|import|export|transport|viewport|base|next|first|start/i.test(name)) continue
    yield { span, unit: unit.id, port: b.value, by: name, how: 'beside' }
  }
}

/** `ports["http_port"]`, `config[key]` with `for key in ("ret_port", …)`. */
function keyOf(key: Value | undefined, unit: Unit): string {
  const kept = key?.is === 'name' ? unit.writes.findLast(w => w.target === key.path)?.value : key
  const word = kept && [...valuesIn(kept, unit)].find(v => v.is === 'literal')
  return word?.is === 'literal' ? String(word.value) : ''
}

const ASKS = /(is|check|wait|test|probe|ensure|kill|free|assert)\w*Port\w*$|_port_\w+$|(is|check|wait|kill)\w*_port$/

/** `isPortInUse(9990)`: whoever else has it answers. */
function* asked(unit: Unit, view: View): Generator<NamedPort> {
  for (const call of unit.calls) {
    const port = ASKS.test(last(call.name)) && !/valid|parse|range|allowed|blocked|bad|safe|default|reserved|privileged/i.test(call.name)
        && call.args[0]?.is === 'literal'
      ? worth(call.args[0], unit, view)
      : undefined
    if (port !== undefined) yield { span: call.span, unit: unit.id, port, by: last(call.name), how: 'asked' }
  }
}

const PUBLISHES = /^(?:(?:-p|--publish)=?)?(?:[\d.]+:)?(\d{4,5}):\d{2,5}(?:\/(?:tcp|udp))?$/

/** `-p 50000:5000`: the port of the host is the first one. */
function* published(unit: Unit, view: View): Generator<NamedPort> {
  for (const call of unit.calls) {
    if (!/docker|podman|nerdctl/i.test(call.name)) continue
    for (const [i, arg] of call.args.entries()) {
      const word = fold(arg, unit, view.folding)
      const flag = fold(call.args[i - 1], unit, view.folding)
      const port = typeof word === 'string' && (/^(-p|--publish)/.test(word) || /^(-p|--publish)$/.test(String(flag)))
        ? Number(PUBLISHES.exec(word)?.[1])
        : NaN
      if (isPort(port)) yield { span: call.span, unit: unit.id, port, by: '--publish', how: 'published' }
    }
  }
}

const LOCAL_URL = /(?:^|\/\/)(?:127\.0\.0\.1|localhost|\[::1?\]):(\d{4,5})(?:[/?]|$)/
const DIALS =
  /(^|[._:/])(WebSocket\.new|create_?connection|getConnection|connect(_async)?|dial\w*|request|fetch|goto|check_?[uU]rl|\w+URL\.new)$/i

/** A socket that goes to a port of the machine: whether somebody listens there is not the test's to say. */
function* dialled(unit: Unit, view: View): Generator<NamedPort> {
  if (view.facts.imports.some(i => /mock|nock|msw|fake|stub|interceptor/i.test(i.name)) || /mock|intercept/i.test(view.facts.path)) return
  for (const call of unit.calls) {
    if (has(call, 'log', 'stub', 'fake-net')) continue
    const given = DIALS.test(call.name) || /[.]new$/.test(call.name) ? fold(call.args[0], unit, view.folding) : undefined
    // Whoever is made with the address of a socket connects, by whatever name.
    const address = typeof given === 'string' && (DIALS.test(call.name) || /^wss?:/.test(given)) ? given : ''
    const port = Number(LOCAL_URL.exec(address)?.[1])
    if (!isPort(port)) continue
    const started = startedOn(port, unit, call)
    yield started ?? { span: call.span, unit: unit.id, port, by: 'an address', how: 'dialled' }
  }
}

/** `runShop('./fixtures', { port: 8789 })` before somebody goes to `localhost:8789`: whatever it is called, it listens there. */
function startedOn(port: number, unit: Unit, dial: Call): NamedPort | undefined {
  for (const call of unit.calls) {
    if (call.span.end > dial.span.start || DIALS.test(call.name) || PASSIVE.test(last(call.name))) continue
    const key = Object.keys(call.named).find(k => isPortName(k) && kept(call.named[k], unit) === port)
    if (key) return { span: call.span, unit: unit.id, port, by: key, how: 'named' }
  }
  return undefined
}
