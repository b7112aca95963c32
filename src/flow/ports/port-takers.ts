// Ports that are written where they are handed over: to what listens by its name, in an address, a setting, the words or the environment
// of a program. Who listens is told by a name alone, so this is never quite sure.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { effectOf, has, valuesIn } from '../../facts/query.ts'
import { isInMemory, somethingRuns } from './listening.ts'
import { isForeign, mayHoldPort } from './port-names.ts'

interface View {
  readonly facts: FileFacts
  readonly folding: Folding
  readonly textOf: (span: Span) => string
}

export interface TakenPort {
  readonly span: Span
  readonly unit: number
  readonly port: number
  readonly by: string
  /** A setting may only be read or compared, unless something runs beside it. */
  readonly sure: 'high' | 'medium'
}

/** Powers of two are sizes. */
const isPort = (n: unknown): n is number => typeof n === 'number' && Number.isInteger(n) && n > 1024 && n < 65_536 && (n & (n - 1)) !== 0
const last = (path: string): string => path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf(':'), path.lastIndexOf('/')) + 1)

const SERVER =
  /(Server(?:Transport|Connector|Channel|Endpoint|Container)?|Broker|Daemon)\.(start|create|run|launch|start_?on|on_?port|start_?server)$|(Server|Broker|Daemon|ServerRule)\d*(\.new|::new)?$|(^|[._:])(listen(_?tcp|_?udp)?|start_?server|run_?server|create_?server|serve_?on|bind_?now|bind_?async|add_?https?_?listener|start_?http_?server)$/i
const SERVES = /(^|[._:/])(run|serve(?!r_)|bind|listen|start|launch|open(?!\w*(channel|connection|stream|session)))(_?\w*)$/i
const PASSIVE =
  /assert|expect|equal|verify|mock\b|when|should|parse|format|print|client|connect|dial|remote|url|uri|stop|close|add_?event|remove|timeout|backlog|kill|wait|get|is_/i

const literalPort = (
  value: Value | undefined,
): number | undefined => value?.is === 'literal' && isPort(value.value) ? value.value : undefined
const isHost = (value: Value | undefined): boolean =>
  value?.is === 'literal' && typeof value.value === 'string' && /^(127\.0\.0\.1|localhost|0\.0\.0\.0|::1?|)$/.test(value.value)

export function* takenPorts(unit: Unit, view: View): Generator<TakenPort> {
  if (!mayHoldPort(unit, view) || view.facts.language === 'bash' || view.facts.imports.some(i => /container/i.test(i.name))) return
  const literals = unit.calls.filter(c => c.name.endsWith('{}'))
  for (const call of unit.calls) {
    const found = has(call, 'log', 'stub', 'fake-net', 'bind-port')
      ? undefined
      : directly(call, unit, view) ?? besideZero(call, view) ?? inRoute(call) ?? built(call, view) ?? inProgram(call, view)
    if (found) yield { span: call.span, unit: unit.id, sure: 'high', ...found }
    // A literal inside of another one is expected or stored more often than it is used.
    if (literals.some(c => c !== call && c.span.start < call.span.start && c.span.end >= call.span.end)) continue
    if (isElsewhere(call)) continue
    for (const [key, value] of Object.entries(call.named)) yield* settings(key, value, call.span, unit, view)
  }
  for (const write of unit.writes) if (write.target.includes('.')) yield* settings(last(write.target), write.value, write.span, unit, view)
}

/** `{ Address: "10.10.10.2", Port: 19218 }`: a port of another machine. */
const isElsewhere = ({ named }: Call): boolean => Object.values(named).some(isForeign)

type Found = Pick<TakenPort, 'port' | 'by'> & Partial<Pick<TakenPort, 'sure'>> | undefined

/** `new Server(3131)`, `listen("localhost", 3131)`, `bind(new InetSocketAddress(20880))`, `run(":5150")`, `run(([127, 0, 0, 1], 3030))`. */
function directly(call: Call, unit: Unit, view: View): Found {
  if (PASSIVE.test(call.name.replace(/^.*\//, '')) || isInMemory(call, unit) || /fake|dummy|stub/i.test(call.name)
    || isGivenStandIn(call, unit))
    return undefined
  if (hasOwnNetwork(call, view)) return undefined
  const by = last(call.name.replace(/(\.|::)new$/, ''))
  if (call.target !== undefined && isPause(view.facts.units[call.target]!)) return undefined
  const bare = SERVER.test(call.name)
    ? literalPort(call.args[0]) ?? (isHost(call.args[0]) ? literalPort(call.args[1]) : undefined)
    : undefined
  if (bare) return { port: bare, by }
  if (!SERVES.test(call.name) && !SERVER.test(call.name)) return undefined
  for (const arg of call.args) {
    const made = addressOf(arg, unit, view)
    const pair = made && /InetSocketAddress|SocketAddr/.test(made.name) ? made.args : arg.is === 'group' && isHost(arg.of[0]) ? arg.of : []
    const port = pair.length <= 2 ? literalPort(pair.at(-1)) : undefined
    if (port) return { port, by }
    const text = fold(arg, unit, view.folding)
    const short = typeof text === 'string' ? Number(/^:(\d{4,5})$/.exec(text)?.[1]) : NaN
    if (isPort(short)) return { port: short, by }
  }
  return undefined
}

const ADDRESS = /^(?:\w+:\/\/)?(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\])?:(\d{1,5})$/

/** `newService("db", "127.0.0.1:45362")` where another test says `newService("db", "127.0.0.1:0")`: any port would do, so it listens. */
function besideZero(call: Call, { facts }: View): Found {
  const text = (v: Value | undefined) => (v?.is === 'literal' && typeof v.value === 'string' ? ADDRESS.exec(v.value)?.[1] : undefined)
  for (const [at, arg] of call.args.entries()) {
    const port = Number(text(arg))
    if (isPort(port) && !PASSIVE.test(last(call.name))
      && facts.units.some(u => u.calls.some(c => c.name === call.name && text(c.args[at]) === '0')))
      return { port, by: last(call.name), sure: 'medium' }
  }
  return undefined
}

/** `node.Listen("tcp", ":8080")`: who offers what the package `net` does has a network of its own. */
const hasOwnNetwork = ({ name, receiver, args }: Call, { facts }: View): boolean =>
  facts.language === 'go' && /\.Listen(Packet)?$/.test(name) && receiver?.is === 'name' && args[0]?.is === 'literal'
  && /^(tcp|udp)[46]?$/.test(String(args[0].value)) && !facts.imports.some(i => i.local === receiver.path)

/** `TCPServer(1234, factory, reactor=MemoryReactor())`: nothing of it is on the machine. */
function isGivenStandIn({ args, named }: Call, unit: Unit): boolean {
  return [...args, ...Object.values(named)].some(arg => {
    const kept = arg.is === 'name' ? unit.writes.findLast(w => w.target === arg.path)?.value : arg
    return kept?.is === 'call' && /(^|[._:/])(\w*Memory|Fake|Mock|Stub|Dummy)\w*((\.|::)new|\{\})?$/.test(unit.calls[kept.call]!.name)
  })
}

/** A function of the file that waits by what it is told, and is told no more. */
const isPause = (helper: Unit): boolean =>
  helper.params.length === 1
  && helper.calls.some(c =>
    c.args.some(a => a.is === 'name' && a.path === helper.params[0]) && (has(c, 'sleep') || effectOf(c, 'spawn')?.note === 'timer')
  )

/** What makes an address, here or where the class keeps it. */
function addressOf(value: Value, unit: Unit, { facts }: View): Call | undefined {
  if (value.is === 'call') return unit.calls[value.call]
  if (value.is !== 'name') return undefined
  for (const u of [unit, ...facts.units.filter(o => o.role.is === 'module' || o.role.is === 'suite')]) {
    const kept = u.writes.findLast(w => w.target === value.path)?.value
    if (kept) return kept.is === 'call' ? u.calls[kept.call] : undefined
  }
  return undefined
}

const ROUTE =
  /^(?:jetty|netty\d*(?:-http)?|undertow(?:-ws)?|mina\d*|restlet|vertx(?:-http|-websocket)?|cxf|cxfrs|websocket|ahc-ws):(?:\w+:)?\/\/(?:127\.0\.0\.1|localhost|0\.0\.0\.0):(\d{4,5})/

/** `from("jetty:http://localhost:9080/orders")` */
function inRoute({ name, args }: Call): Found {
  const text = /(^|\.)from$/.test(name) && args[0]?.is === 'literal' ? args[0].value : undefined
  const port = typeof text === 'string' ? Number(ROUTE.exec(text)?.[1]) : NaN
  return isPort(port) ? { port, by: 'from' } : undefined
}

/** `RedisServer.builder().port(6380)`: what is built listens. */
function built(call: Call, { textOf }: View): Found {
  const port = /[.:](with_?)?(https?_?|grpc_?|server_?)?port$/i.test(call.name) && call.receiver?.is === 'call'
    ? literalPort(call.args[0])
    : undefined
  return port && /\b\w*(Server|Broker|Embedded\w*|Cluster)\s*(\.|::)\s*(builder|new|create|newBuilder|options)\b/.test(textOf(call.span))
    ? { port, by: last(call.name) }
    : undefined
}

const ENVIRONMENT = /\b((?:[A-Z]+_)*PORT)["'`]?\s*[:=,]\s*["'`]?(\d{4,5})\b/
const KEYWORDS = /["'](port)["']\s*:\s*(\d{4,5})\b/

/** The environment of a program, or what a thread is given that runs a server. */
function inProgram(call: Call, { textOf }: View): Found {
  const process = has(call, 'spawn', 'start') && call.named.env !== undefined
  const thread = has(call, 'spawn') && call.named.kwargs !== undefined && call.named.target?.is === 'name'
    && /run|serve|listen|start/i.test(call.named.target.path)
  const found = process ? ENVIRONMENT.exec(textOf(call.span)) : thread ? KEYWORDS.exec(textOf(call.span)) : null
  const port = Number(found?.[2])
  return found && isPort(port) ? { port, by: found[1]! } : undefined
}

const STARTS = /(^|[._:/])(start|serve|run|create|listen|join|launch|new)\w*$|(Server|Node|Agent|Cluster|Broker)(\.new|::new|::start)?$/i
const KEY = /^(bind|listen|listening)_?(port|addr|address|host|on)$/i

/** `Config{BindPort: 7946}`, `config.listen_addr = "0.0.0.0:26657"`. */
function* settings(key: string, value: Value, span: Span, unit: Unit, view: View): Generator<TakenPort> {
  // What is only read or compared is no setting of something that listens.
  if (!KEY.test(key) || /\b(want|expect)\w*["']?\s*[:=]+\s*&?$/i.test(view.textOf({ start: Math.max(0, span.start - 40), end: span.start }))
    || !unit.calls.some(c => STARTS.test(c.name) && !PASSIVE.test(last(c.name)))) return
  for (const v of valuesIn(value, unit)) {
    const folded = fold(v, unit, view.folding)
    const port = typeof folded === 'number' && /port$/i.test(key)
      ? folded
      : typeof folded === 'string'
      ? Number(/^(?:tcp:\/\/)?(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\])?:(\d{4,5})$/.exec(folded)?.[1])
      : NaN
    if (isPort(port)) return yield { span, unit: unit.id, port, by: key, sure: somethingRuns(unit, view) ? 'high' : 'medium' }
  }
}
