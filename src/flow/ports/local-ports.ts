// Ports of the machine that stand in the text of a test, wherever they go: in an address, beside a host, under the name of a port. Who
// listens
// there is out of sight, so one mention of a port is told in a file and never surely.

import type { FileFacts, Span, Unit } from '../../facts/facts.ts'
import { isTestCode } from '../../facts/query.ts'
import { SIMULATORS } from './listening.ts'
import { isRow, isWanted } from './mocked-binds.ts'
import { AGREED, isContained, isElsewhere, isReplaced, MEANT } from './port-names.ts'
import { isOnlyMade, KEEPS } from './ports.ts'

interface View {
  readonly facts: FileFacts
  readonly textOf: (span: Span) => string
}

export interface LocalPort {
  readonly span: Span
  readonly unit: number
  readonly port: number
  /** It stands in addresses of pages alone: somebody goes there, and whoever listens is elsewhere. */
  readonly visited: boolean
}

const HOST = '(?:localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0|\\[::1?\\])'
/** `serverPort`, `SOCKET_PORT`, `local_port2`; no report, no transport, nobody else's port. */
const NAME =
  '(?<![\\w.?&])(?:\\w+[._\\[]["\']?)?\\w*(?<!sup|im|ex|trans|re|air|pass|view|Sup|Im|Ex|Trans|Re)[pP](?:ort|ORT)(?:[nN]um|_?\\d{1,2}|_?(?:[sS]tart|[bB]ase|START|BASE)\\w{0,6})?'

const FORMS = new RegExp([
  // `127.0.0.1:59065->127.0.0.1:80` tells of a connection.
  `(?<![\\w-])${HOST}:(\\d{4,5})(?![\\d.]|->)`,
  '["\'](?:localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0|::1?|)["\'],\\s*(\\d{4,5})\\b(?!\\.)',
  `${NAME}["']?\\]?\\s*:?=\\s*["']?(\\d{4,5})\\b(?![.:])`,
  '["\']\\w*(?<!sup|im|ex)[pP]ort["\']\\s*:\\s*["\']?(\\d{4,5})\\b',
  '/(?:tcp|udp)/(\\d{4,5})\\b',
  // `SocketAddr::from(([127, 0, 0, 1], 10000))`
  '\\(\\[(?:127, 0, 0, 1|0, 0, 0, 0)\\], (\\d{4,5})\\)',
  '["\'](?:-p|--publish)(?:["\'],\\s*["\']|=)(?:[\\d.]+:)?(\\d{4,5}):\\d',
  '(?<![?&])(?:[lL]isten|[pP]ort|[bB]ind)=(?:[\\w.]*:)?(\\d{4,5})\\b(?![.:])',
  // `Addr: ":1813"`: every address of the machine.
  '(?:[aA]ddr|[lL]isten|[bB]ind)\\w*["\']?\\s*(?::\\s*\\w+\\s*)?:?[=:]\\s*["\'`]:(\\d{4,5})["\'`]',
  // Where nobody says otherwise: `get("port", 13000)`.
  '[gG]et\\w*\\(\\s*["\'](?:[\\w.-]*[._-])?(?:\\w*[a-z]P|p)ort["\'],\\s*["\']?(\\d{4,5})\\b',
  '\\b(?:new )?\\w*(?:[sS]erver|[bB]roker|Runner|[lL]isten)\\w*(?:<>)?\\((?:[^()\\n]*,\\s*)?(\\d{4,5})\\)',
].join('|'), 'g')

/** From 1024 on anybody may listen; powers of two are sizes. */
const isPort = (n: number): boolean => n > 1024 && n < 65_536 && (n & (n - 1)) !== 0 && !AGREED.has(n) && !MEANT.has(n)

/** Addresses that are read, written, compared or stood in for rather than gone to, and those of others. */
const STORED =
  /assert|expect|placeholder|pars(?:e|ing)|mock[A-Z(]|nock\(|fake|stub|dummy|advertis|bootstrap.?servers|remote_?(?:port|addr|host)|(?:dst|src|source|dest\w*)_?(?:port|addr|host)|\.(?:toBe|toEqual)|===?/i
/** `connect("smtp.example.org", port=2525)`: the port of whoever that is. */
const FOREIGN =
  /["'`](?:[a-z]+:\/\/)?[\w-]+(?:\.[\w-]+){0,3}\.(?:com|org|net|io|dev|example|invalid|internal|lan)["'`],\s*["']?(?:\w*[pP]ort["']?\s*[:=]\s*)?\d{4,5}\b/
const STAND_IN = /\bnock\b|\bmsw\b|fetch-mock|httpretty|^responses\b|requests_mock|respx|httpmock|gock|pook/i
/** `Endpoint: "http://localhost:14268"`, `IPv4Address("TCP", …)`: where somebody goes to, and an address as such. */
const GONE_TO =
  /(?:[eE]ndpoint|[cC]ollector\w*)["']?\s*[:=]+\s*["'`]https?:|(?:[sS]erver_?[aA]ddr(?:ess)?|[uU]pstream|[tT]arget)["']?\s*[:=]+\s*["'`]|\bIPv[46]Address\(|httptest\.NewRequest\(/
/** `new Node(1, "localhost", 9090)`, `http.proxy = "…"`: a record of somebody, a peer as a listener sees it, an example for a reader. */
const OF_OTHERS =
  /\bnew (?:Node|Origin)\(|\b(?:HostAndPort|\w*HostPort\w*|\w*URL|Endpoint\.of|buildProtocol|finish_request)\(|[pP]roxy["']?\s*(?::|=(?!=))|[rR]esponse["']?\s*:|\be\.g\.|\bprint(?:f|ln)?!?\(|^\s*[hH]ost: |\/ip[46]\/(?!127\.|0\.0|::)/
/** A class that plays another has addresses that nobody goes to. */
const PLAYS = /^(?:Mock|Fake|Stub|Dummy)[A-Z]/
/** What reads and writes addresses has many that nobody goes to. */
const OF_ADDRESSES = /^(?:test_?)?\w{0,8}(?:ur[il]s?|address(?:es)?|endpoints?|pars\w+)(?:_?utils?|_?parser?)?[._-]?(?:test|spec)?s?\./i

export function* localPorts(view: View): Generator<LocalPort> {
  const { facts } = view
  if (facts.imports.some(i => STAND_IN.test(i.name) || SIMULATORS.test(i.name))
    || [OF_ADDRESSES, PLAYS].some(named => named.test(facts.path.slice(facts.path.lastIndexOf('/') + 1)))) return
  const text = view.textOf(facts.units[0]!.span), from = facts.units[0]!.span.start
  // What is asserted again was only stored.
  const asserted = facts.units.flatMap(u => u.assertions.map(a => view.textOf(a.span))).join('\n')
  const told = new Set<number>()
  for (const found of text.matchAll(FORMS)) {
    const port = Number(found.slice(1).find(Boolean)), at = from + found.index
    // An address without a host is one to listen on, whoever asserts it.
    if (!isPort(port) || told.has(port) || (!/["'`]:\d+["'`]$/.test(found[0]) && asserted.includes(String(port)))
      || isAsserted(found[0], asserted)) continue
    const unit = unitAt(facts, at)
    // `slowServer(60000)` is told for how long.
    if (/slow|delay|lag|hang|stall/i.test(found[0]) && /\($/.test(found[0].split(/\d{4,5}\)?$/)[0]!)) continue
    if (!isTestCode(facts, unit) || STORED.test(lineAround(text, found.index)) || FOREIGN.test(lineAround(text, found.index))
      || GONE_TO.test(lineAround(text, found.index)) || OF_OTHERS.test(lineAround(text, found.index)) || hasOwnLine(at, unit, text)
      || isKept(at, unit) || isWanted(at, unit, view)
      || isAside(facts, unit, at) || isRow(port, at, unit, view)
      || unit.writes.some(w => holds(at)(w) && (/^(?:exp(?:ect\w*)?|want\w*)$/i.test(w.target) || isReplaced(w.target, view)))
      || unit.calls.some(c => holds(at)(c) && isOnlyMade(c, unit, view))
      || (unit.role.is !== 'module' && unit.role.is !== 'suite' && isElsewhere(view.textOf(unit.span)))) continue
    // A name for a port of a container.
    if ((unit.role.is === 'module' || unit.role.is === 'suite') && isContained(view)) continue
    told.add(port)
    yield { span: { start: at, end: at + found[0].length }, unit: unit.id, port, visited: isVisited(port, text) }
  }
}

const isVisited = (port: number, text: string): boolean =>
  [...text.matchAll(new RegExp(`(?<!\\d)${port}(?!\\d)`, 'g'))].every(m =>
    /https?:\/\/[\w.[\]]+:$/.test(text.slice(Math.max(0, m.index - 60), m.index))
  )

const isKept = (at: number, unit: Unit): boolean =>
  unit.calls.some(c => holds(at)(c) && c.nameSpan.end <= at && KEEPS.test(c.name.slice(c.name.lastIndexOf('.') + 1)))

const LINE = /^(transport|connector|connection_class|adapter|dispatcher)$/

/** `Connection(port=9999, transport=OwnTransport)`, `shop.connect_with_connector(…)`: what is sent goes over a line of the test's own. */
const hasOwnLine = (at: number, unit: Unit, text: string): boolean =>
  unit.calls.filter(holds(at)).some(c =>
    /_with_connector(_lazy)?$/.test(c.name)
    || Object.entries(c.named).some(([key, v]) =>
      LINE.test(key) && v.is === 'name' && /^\w+$/.test(v.path) && new RegExp(`\\b(?:class|struct)\\s+${v.path}\\b`).test(text)
    )
  )

/** `PORT = 10021`, and an assertion holds the name. */
function isAsserted(found: string, asserted: string): boolean {
  const name = /(\w*[pP](?:ort|ORT)\w*)["']?\]?\s*:?=/.exec(found)?.[1]
  return name !== undefined && new RegExp(`(?<!\\w)${name}(?!\\w)`).test(asserted)
}

const COUNTED =
  /(?<![\w.&])(?:this\.|self\.|\w+\.)?((?:next|last|base|start|current|curr|cur|first)_?\w*[pP]orts?|\w*[pP](?:ort|ORT)s?_?(?:[cC]ounter|COUNTER|[sS]eq\w*|SEQ\w*|[sS]eed|SEED|[aA]llocator)|(?:NEXT|LAST|BASE|START)_\w*PORT)(?:\+\+|\s*\+=\s*\d|\.(?:addAndGet|getAndAdd|incrementAndGet|getAndIncrement|fetch_add|Add)\()/g

/** `nextPort++`, wherever the first number comes from: told once, for one counter is as good as another. */
export function countedPort({ facts, textOf }: View): Omit<LocalPort, 'port' | 'visited'> & { readonly name: string } | undefined {
  const text = textOf(facts.units[0]!.span), from = facts.units[0]!.span.start
  for (const found of text.matchAll(COUNTED)) {
    const at = from + found.index, unit = unitAt(facts, at), line = lineAround(text, found.index)
    // The header of a loop that looks through a list or a range.
    if (!isTestCode(facts, unit) || /\bfor\b/.test(line) || STORED.test(line) || isAside(facts, unit, at)) continue
    return { span: { start: at, end: at + found[0].length }, unit: unit.id, name: found[1]! }
  }
  return undefined
}

const unitAt = (facts: FileFacts, at: number): Unit => facts.units.findLast(u => u.span.start <= at && at < u.span.end) ?? facts.units[0]!
const lineAround = (text: string, at: number): string =>
  text.slice(text.lastIndexOf('\n', at) + 1, (text.indexOf('\n', at) + 1 || text.length + 1) - 1)
const holds = (at: number) => ({ span }: { span: Span }): boolean => span.start <= at && at < span.end
const isAside = (facts: FileFacts, unit: Unit, at: number): boolean => facts.comments.some(holds(at)) || unit.assertions.some(holds(at))
