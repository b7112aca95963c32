// Ports that were free when somebody looked: bound and let go again, or drawn at random.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { argumentOf, around, effectOf, has, valuesIn, within } from '../../facts/query.ts'
import type { Flows } from '../flow.ts'

interface View {
  readonly facts: FileFacts
  readonly folding: Folding
  readonly flows: Flows
}

const CLOSES = /(^|[._:])(close|Close|drop|shutdown|destroy)$/
const READS = /(getsockname|getLocalPort|Addr|local_addr|address|port|LocalAddr)$/

/** Bound to port 0, asked for its number, closed: the number is all that is left. Told where it is asked: that is what outlives it. */
export function* portsLetGo(unit: Unit, view: View): Generator<{ readonly bind: Call; readonly asked: Call; readonly dead?: Call }> {
  for (const [index, call] of unit.calls.entries()) {
    const bind = effectOf(call, 'bind-port')
    const address = bind && argumentOf(call, bind)
    if (!bind || !(isMadeZero(address, unit, view) || isZero(address, unit, view))) continue
    const holder = unit.writes.find(w => [...valuesIn(w.value, unit)].some(v => v.is === 'call' && v.call === index))?.target
      ?? (call.receiver?.is === 'name' ? call.receiver.path : undefined)
    const of = (c: Call) => holder !== undefined && [c.receiver, ...c.args].some(v => v?.is === 'name' && v.path === holder)
    // What nobody keeps is dropped with the statement.
    const dropped = holder === undefined && view.facts.language === 'rust'
    const chained = (c: Call) =>
      dropped && c.receiver !== null && [...valuesIn(c.receiver, unit)].some(v => v.is === 'call' && v.call === index)
    const closed = dropped || unit.calls.some(c => c.span.start > call.span.start && CLOSES.test(c.name) && of(c) && !isAtTheEnd(unit, c))
      || within(unit, call.in, 'with') || unit.regions.some(r => r.kind === 'with' && r.call === index)
      || (view.facts.language === 'rust' && !isMoved(unit, holder))
      // Nobody holds it any more once the helper is over: it is closed when it is collected.
      || (/^(java|python)$/.test(view.facts.language) && givesPortOnly(unit, holder) && !isKept(unit, holder))
    const asked = unit.calls.find(c =>
      (c.span.end > call.span.end || (c.span.start > call.span.start && c.in !== call.in)) && READS.test(c.name) && (of(c) || chained(c))
    )
    const dead = closed && asked ? dialledAfter(unit, asked, of) : undefined
    if (dead && asked) {
      yield { bind: call, asked, dead }
      continue
    }
    // Connected to while it is held, it is a server.
    if (!closed || !asked || !(givesPortOnly(unit, holder) || isHandedAfter(unit, asked, of))
      || unit.calls.some(c => /(^|[._:])connect$/.test(c.name) && !of(c))) continue
    yield { bind: call, asked }
  }
}

/** `t.Cleanup(func() { ln.Close() })`: held until the test is over. */
const isAtTheEnd = (unit: Unit, { in: region }: Call): boolean =>
  [...around(unit, region)].some(r =>
    r.kind === 'closure' && r.call !== undefined && /(^|[._])(\w*[cC]leanup|onTestFinished|after|teardown)$/.test(unit.calls[r.call]!.name)
  )

/** Given away as a whole, it lives on elsewhere. */
const isMoved = (unit: Unit, holder: string | undefined): boolean => {
  const holds = (v: Value) => v.is === 'name' && v.path === holder
  return unit.calls.some(c => [...c.args, ...Object.values(c.named)].some(a => [...valuesIn(a, unit)].some(holds)))
    || [...unit.returns, ...unit.writes.map(w => w.value)].some(v => [...valuesIn(v, unit)].some(x => holds(x) && x !== v) || holds(v))
}

/** Somebody else has it, too. */
const isKept = (unit: Unit, holder: string | undefined): boolean => {
  const holds = (v: Value) => v.is === 'name' && v.path === holder
  return unit.calls.some(c => [...c.args, ...Object.values(c.named)].some(holds)) || unit.writes.some(w => holds(w.value))
}

const LISTENS = /serve|listen|start|bind|launch|broker|(^|[._:])(run|open|new)$|\{\}$|config|options|port|addr/i

const DIALS = /dial|connect|client|fetch|request|Socket\.new$|(^|[._:])(get|post|send|ping|open)$/i

/** A test that closes it and then gives its number to what listens there. */
const isHandedAfter = (unit: Unit, asked: Call, of: (c: Call) => boolean): boolean =>
  givenAfter(unit, asked, of, c => LISTENS.test(c.name) && !/dial|connect|client/i.test(c.name)) !== undefined

/** Or that counts on nobody being there: what is asked, and nothing else gets the number. */
const dialledAfter = (unit: Unit, asked: Call, of: (c: Call) => boolean): Call | undefined => {
  const first = givenAfter(unit, asked, of, () => true)
  return first && unit.role.is === 'test' && DIALS.test(first.name) && !/server|listen/i.test(first.name) ? first : undefined
}

function givenAfter(unit: Unit, asked: Call, of: (c: Call) => boolean, is: (c: Call) => boolean): Call | undefined {
  const index = unit.calls.indexOf(asked)
  const kept = unit.writes.find(w => [...valuesIn(w.value, unit)].some(v => v.is === 'call' && v.call === index))
  const closed = unit.calls.find(c =>
    c.span.start > asked.span.end && CLOSES.test(c.name) && of(c) && !within(unit, c.in, 'finally', 'closure')
  )
  if (!kept || !closed) return undefined
  const holds = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'name' && x.path === kept.target)
  return unit.calls.find(c =>
    c.span.start > closed.span.end && is(c) && !/assert|expect|equal/i.test(c.name) && [...c.args, ...Object.values(c.named)].some(holds)
  )
}

/** A helper that gives back something, and not the socket; a test that closes it and goes on is a server's test more often than not. */
const givesPortOnly = (unit: Unit, holder: string | undefined): boolean =>
  unit.role.is === 'helper' && /port|addr/i.test(unit.name)
  && !unit.returns.some(r =>
    r.is === 'name' && r.path === holder || (r.is === 'group' && r.of.some(v => v.is === 'name' && v.path === holder))
  )

/** `a, _ := net.ResolveTCPAddr("tcp", "localhost:0")`, `new InetSocketAddress(0)`: an address of its own making. */
function madeAddress(value: Value | undefined, unit: Unit): Call | undefined {
  const kept = value?.is === 'name' ? unit.writes.findLast(w => w.target === value.path)?.value : value
  const inner = kept?.is === 'group' ? kept.of[0] : kept
  const call = inner?.is === 'call' ? unit.calls[inner.call] : undefined
  return call && /ResolveTCPAddr$|ResolveUDPAddr$|(TCP|UDP)Addr\{\}$|SocketAddress\.new$|SocketAddr(V4|V6)?::(from|new)$/.test(call.name)
    ? call
    : undefined
}

/** Its port is zero; a record of an address without a port has that too, and so has no address at all: `net.ListenTCP("tcp", nil)`. */
function isMadeZero(value: Value | undefined, unit: Unit, view: View): boolean {
  if (value?.is === 'literal' && value.value === null) return view.facts.language === 'go'
  const call = madeAddress(value, unit)
  if (!call) return false
  return /\{\}$/.test(call.name)
    ? call.args.length === 0 && (!('Port' in call.named) || isZero(call.named['Port'], unit, view))
    : call.args.some(a => isZero(a, unit, view))
}

function isZero(value: Value | undefined, unit: Unit, view: View): boolean {
  const folded = fold(value, unit, view.folding)
  if (folded === 0 || (typeof folded === 'string' && /:0$/.test(folded))) return true
  return value !== undefined && value.is === 'group' && value.of.some(v => fold(v, unit, view.folding) === 0)
}

const PORT = /(^|[._])port$|[a-z]Port$|_?PORT$|^random_?port/i,
  NO_PORT = /report|support|import|export|transport|client|remote|peer|source|src/i
const ADDRESS = /InetSocketAddress|SocketAddr|JoinHostPort|listen$|bind$/

/** `"127.0.0.1:%d" % n`, f"http://localhost:{n}". */
const isLocalAddress = (value: Value): boolean =>
  value.is === 'text' && value.parts[0]?.is === 'literal'
  && /(^|\/\/)(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(%[ds]|\{\w*\}|$)/.test(String(value.parts[0].value))

/** `NodeService{Service: …, Tags: …, Port: …}`: a record of a service that is nowhere. */
const isRecord = ({ name, named }: Call): boolean =>
  /\{\}$/.test(name) && Object.keys(named).some(k => /^(ID|Service|ServiceName|ServiceID|Tags|Node|Kind|Meta|Weights)$/.test(k))

/** `20000 + random`: a port that is probably free; kept, given by its name, put into an address, or given back by a helper for ports. */
export function drawnPort(unit: Unit, view: View): { readonly span: Span; readonly name: string } | undefined {
  const places: { span: Span; value: Value; name: string }[] = [
    // Drawn again until it is a free one.
    ...unit.writes.filter(w => !within(unit, w.in, 'loop')).map(w => ({ span: w.span, value: w.value, name: w.target })),
    ...unit.calls.filter(c => !isRecord(c)).flatMap(
      c => [...Object.entries(c.named).map(([name, value]) => ({ span: c.span, value, name })),
        ...(ADDRESS.test(c.name) ? c.args.map(value => ({ span: c.span, value, name: 'the port' })) : [])],
    ),
    ...unit.returns.map(value => ({ span: unit.nameSpan, value, name: unit.name })),
  ]
  for (const { span, value, name } of places) {
    if ((!PORT.test(name) && name !== 'the port' && !isLocalAddress(value)) || NO_PORT.test(name)) continue
    const random = view.flows.ingredients(unit, value, span.end).origins.find(o => o.kind === 'random' && !o.opaque && o.shape !== 'truth')
    const large = [...valuesIn(value, unit)].some(v => Number(fold(v, unit, view.folding)) >= 1000)
    if (!random || !large || random.unit !== unit.id) continue
    return { span: span.start === unit.nameSpan.start ? random.span : span, name }
  }
  return undefined
}

const TAKEN = /EADDRINUSE|AddrInUse|AddressInUse|BindException|[aA]ddress already in use|port is already (?:allocated|in use)/

/** Another port is tried when this one turns out to be taken: in a loop, or by the function itself, that knows the failure by its name. */
export function triesAgain(call: Call, unit: Unit, { textOf }: { readonly textOf: (span: Span) => string }): boolean {
  if (!TAKEN.test(textOf(unit.span))) return false
  return [...around(unit, call.in)].some(r => r.kind === 'loop' && TAKEN.test(textOf(r.span)))
    || unit.calls.some(c => c.name === unit.name || c.name.endsWith(`.${unit.name}`))
}

/** Whoever asks this helper for a port tries again. */
export function isAskedAgain(unit: Unit, view: { readonly facts: FileFacts; readonly textOf: (span: Span) => string }): boolean {
  const asks = view.facts.units.flatMap(u => u.calls.filter(c => c.target === unit.id).map(c => ({ call: c, in: u })))
  return asks.length > 0 && asks.every(a => triesAgain(a.call, a.in, view))
}

/** `deadPort`, `portWithoutAnyone`, `invalidServer`: by its name nobody is to be there. */
const DEAD = /dead|closed|invalid|unreachable|refused|nobody|no_?one|without|not_?listening|unbound|unavailable|bad|wrong|missing|down$/i
const GOES = /client|connect|dial|request|fetch|socket|prepare_?get|(^|[._:])(get|post|put|open|ping|send)$/i

const WRITES_DOWN = /format|sprintf|(^|[.:])(str|String|Itoa|URL|URI|create|valueOf|parse)$/i,
  LOOKS_AT =
    /(^|[._:])(list|set|sorted|len|size|length|count|tuple|all|any|unique|distinct|assert\w*|expect\w*|to(Be|Equal|HaveLength)\w*|is[A-Z]\w*|is_\w+|has\w*)$/

/** The port is there to be refused: its name says so, or whoever gets it goes there and must fail. */
export function isToBeDead(call: Call, unit: Unit): boolean {
  const index = unit.calls.indexOf(call)
  const kept = unit.writes.find(w =>
    (w.value.is !== 'call' || w.value.call === index || WRITES_DOWN.test(unit.calls[w.value.call]!.name))
    && [...valuesIn(w.value, unit)].some(v => v.is === 'call' && v.call === index)
  )
  if (!kept) return false
  if (DEAD.test(kept.target.replace(/([a-z])([A-Z])/g, '$1_$2'))) return true
  if (!unit.assertions.some(a => a.compare === 'throws' && a.span.start > kept.span.end)) return false
  const takers = unit.calls.filter(c =>
    c.span.start > kept.span.end
    && [...c.args, ...Object.values(c.named)].some(a => [...valuesIn(a, unit)].some(v => v.is === 'name' && v.path === kept.target))
  )
  return takers.length > 0 && takers.every(c => GOES.test(c.name) || /format|str(ing)?$|Itoa$/i.test(c.name))
}

/** `assert len(free_ports(50)) == 50`: numbers that nobody uses but to look at them. */
export function isOnlyCounted(call: Call, unit: Unit): boolean {
  const index = unit.calls.indexOf(call)
  if (unit.assertions.some(a => a.operands.some(o => o.is === 'call' && o.call === index))) return true
  const kept = unit.writes.find(w =>
    w.value.is === 'call'
    && (w.value.call === index
      || (LOOKS_AT.test(unit.calls[w.value.call]!.name) && unit.calls[w.value.call]!.args.some(a => a.is === 'call' && a.call === index)))
  )
  if (!kept || unit.role.is !== 'test') return false
  const holds = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'name' && x.path.split(/[.[]/)[0] === kept.target)
  return unit.assertions.some(a => a.operands.some(holds))
    && unit.calls.every(c =>
      LOOKS_AT.test(c.name) || has(c, 'log') || !([...c.args, ...Object.values(c.named), ...(c.receiver ? [c.receiver] : [])].some(holds))
    ) && !unit.writes.some(w => w !== kept && holds(w.value))
}

const VERBS = /^(must|get|find|pick|choose|next|alloc|allocate|acquire|new|create|generate|gen|grab|obtain|request)$/,
  LOOKS = /^(pick|find|choose|next|grab)$/
const FREE = /^(free|available|unused|random|rand|safe|unique|ephemeral|open|next)$/,
  OF = /^(tcp|udp|local|localhost|host|listen|listening|http|https|grpc|network|net|server|test|a|an|any|some)$/

/** `get_safe_port()`, `pickPort(t)`, `getRandomAvailableTCPPort()`: every word of the name speaks of a port that is to be had. */
export function findsPort({ name, args, receiver, resolution }: Call): boolean {
  const words = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('/')) + 1).replace(
    /([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g,
    '$1$3_$2',
  ).toLowerCase().split('_').filter(w => w !== '')
  if (words.length < 2 || !/^ports?$/.test(words.at(-1)!)) return false
  const before = words.slice(0, -1)
  // `from utils import get_port`: of nobody, so of the machine.
  if (before.join() === 'get') return args.length === 0 && resolution !== 'type' && receiver === null
  // `freePort(port)` lets one go.
  if (args.some(a => a.is === 'name' && /port/i.test(a.path))) return false
  return before.every(w => VERBS.test(w) || FREE.test(w) || OF.test(w)) && (before.some(w => FREE.test(w)) || LOOKS.test(before[0]!))
}

const SERVERS = /^net\/http\/httptest\.New(TLS)?Server$/

/** `server := httptest.NewServer(…); server.Close()` and only then its address: it is made to be dead. */
export function* closedServers(unit: Unit): Generator<Call> {
  for (const [index, call] of unit.calls.entries()) {
    const holder = SERVERS.test(call.name) ? unit.writes.find(w => w.value.is === 'call' && w.value.call === index)?.target : undefined
    const closed = holder && unit.calls.find(c => c.receiver?.is === 'name' && c.receiver.path === holder && /\.Close$/.test(c.name))
    if (!closed || closed.in !== call.in || within(unit, closed.in, 'finally', 'loop')) continue
    // Nobody has asked it anything before.
    const between = unit.calls.filter(c => c.span.start > call.span.end && c.span.end <= closed.span.start)
    if (between.every(c => /url\.Parse$|Fatal|NoError|Nil$|Assert$|Addr|String$|Trim\w*$|Replace\w*$/.test(c.name))
      && unit.calls.some(c => c.span.start > closed.span.end)) yield closed
  }
}
