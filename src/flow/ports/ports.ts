// Ports that a test has chosen beforehand, wherever it writes them down: in a field, a setting, an address, a counter.
// A number is a port by the name it goes to; a port matters where something listens on it.

import type { Call, FileFacts, Span, Unit, Value, Write } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { calledBy, has, inForce, isTestCode, valuesIn, within } from '../../facts/query.ts'
import { rememberedByName } from '../../facts/remembered.ts'
import { isInMemory, isPlayed, isSimulated, somethingRuns } from './listening.ts'
import { AGREED, isElsewhere, isEntry, mayHoldPort } from './port-names.ts'

interface View {
  readonly facts: FileFacts
  readonly folding: Folding
  readonly textOf?: (span: Span) => string
}

export interface ChosenPort {
  readonly span: Span
  readonly unit: number
  readonly port: number
  /** What says that it is a port: `opts.Port`, `--port`, `in_addr`. */
  readonly by: string
  readonly how: 'field' | 'setting' | 'assigned' | 'text' | 'address' | 'counter' | 'list'
  /** An address: what it is given to listens by its own verb, not by the name of whoever has it. A setting: something is started with it. */
  readonly sure?: boolean
}

/** From here on anybody may listen; from 32768 on the system hands ports out to whoever connects. */
const isPort = (n: unknown): n is number => typeof n === 'number' && Number.isInteger(n) && n >= 1024 && n < 65_536

/** What only wraps an address; the argument of any other function is not the port. */
const ADDRESS = /addr|socket|inet|endpoint|url|uri|sprintf|tuple|from|into|host|(^|[.:])(parse|format)$/i

/** A number, or the end of an address: 8080, ":8080", ("localhost", 8080). Zero asks for a free one. */
export function portIn(value: Value | undefined, unit: Unit, view: View, depth = 0): number | undefined {
  if (depth > 4) return undefined
  const inner = (v: Value) => portIn(v, unit, view, depth + 1)
  const folded = fold(value, unit, view.folding)
  if (typeof folded === 'number') return Number.isInteger(folded) && folded > 0 && folded < 65_536 ? folded : undefined
  if (typeof folded === 'string') return Number(/:(\d{2,5})$/.exec(folded)?.[1] ?? (/^\d{2,5}$/.test(folded) ? folded : 0)) || undefined
  const write = value?.is === 'name' ? writeOf(value.path, unit, view.facts) : undefined
  if (write && write.in !== unit) return portIn(write.of.value, write.in, view, depth + 1)
  const kept = value?.is === 'name' ? write?.of.value : value
  if (kept?.is === 'call') {
    const call = unit.calls[kept.call]!
    // A text that is parsed is the address itself.
    if (call.args.length === 0 && call.receiver && /[.:](parse|into|to_string|to_owned|clone|as_str)$/.test(call.name))
      return portIn(call.receiver, unit, view, depth + 1)
    return ADDRESS.test(call.name) ? call.args.map(inner).find(p => p !== undefined) : undefined
  }
  // `process.env.PORT || 3000`: where nobody says otherwise.
  if (kept?.is === 'op' && /^(or|\|\||\?\?)$/.test(kept.op)) return inner(kept.of.at(-1)!)
  return kept?.is === 'group' ? kept.of.map(inner).find(p => p !== undefined) : undefined
}

/** Where a variable gets its value: in the unit, or in what is in force around it. */
function writeOf(path: string, unit: Unit, facts: FileFacts): { of: Write; in: Unit } | undefined {
  for (const u of [unit, ...inForce(facts, unit).reverse()]) {
    const write = u.writes.findLast(w => w.target === path)
    if (write) return { of: write, in: u }
  }
  return undefined
}

/** Where the number itself is written, if what listens has it by a name: that is the place to mend. */
export function writtenAt(port: number, span: Span, unit: Unit, { facts, textOf }: View): { span: Span; unit: number } | undefined {
  const number = new RegExp(`(?<![\\d.])${port}(?!\\d)`)
  if (!textOf || number.test(textOf(span).replaceAll('_', ''))) return undefined
  for (const u of [unit, ...inForce(facts, unit).reverse(), ...facts.units.filter(o => o.role.is === 'suite' || o.role.is === 'module')]) {
    const write = u.writes.find(w => !w.adds && number.test(textOf(w.span).replaceAll('_', '')))
    // In options of many lines the port has a line of its own.
    const own = write
      && u.writes.find(w =>
        w !== write && w.target.startsWith(`${write.target}.`) && w.span.start > write.span.start && w.span.end <= write.span.end
        && number.test(textOf(w.span).replaceAll('_', ''))
      )
    if (write) return { span: (own ?? write).span, unit: u.id }
  }
  return undefined
}

/** A name that a port goes by, last part of a path: `port`, `HTTPPort`, `listen_port`. */
const PORT_NAME = /(^|[._\-[\]])([pP]ort|[a-z_]+_port)$|[a-zA-Z]Port$|^[A-Z_]*PORT$/
const NOT_LISTENING =
  /placeholder|dummy|fake|remote|peer|target|dest|proxy|client|connect|expect|debug|transport|report|support|import|export|viewport|src_?port|source_?port|wrong|bad|invalid|unused|closed|dead|upstream|advertis|external|unreachable/i
/** Calls that start something which listens; processes apart, for they get addresses for all kinds of reasons. */
const SERVES = /[sS]erve(?!r_?[tT]ype|r[a-z])|[lL]isten|[bB]roker|[dD]aemon|(^|[._:])export$|(^|[._:])bind|[lL]aunch|(^|[.:_])start|Start/
const PROCESS = /[pP]open|(^|[.:_])(spawn|exec|run|command)|[sS]ubprocess|Process$|Exec$|Command(::new|::args?)?$/
const DIALS =
  /client|connect|dial|request|fetch|(^|[.:_])(get|post|put|head|delete|patch|send|open|read|write|format|print\w*|append|add\w*|parse|push|refer|of|new|equals?|is|log|debug|info|error)$|url|uri|mock|stub|expect|assert|equal|verify|when|should|must_?be|match|config|entry|props|\{\}$|unwrap|value|some|ok$/i
const HOLDER = /server|options?|opts|conf(ig)?|cfg|settings?|listener|broker|protocol|props|properties|bind/i

/** What a package is called says nothing of its classes: `org.shop.server.Paths.of`. */
const short = rememberedByName((name: string): string => name.slice(name.lastIndexOf('/') + 1).replace(/^([a-z]\w*\.){2,}(?=[A-Z])/, ''))
/**
 * `BoltServerAddress`, `SetServeConfig`, `refreshBrokers`, `handler.ServeHTTP(w, r)`: a server's name or setting, or a call without a
 * socket.
 */
const OF_SERVER =
  /^(?!(run|start|restart|launch|listen|bind|must)(?![a-z])|(run|start|restart|launch)_?server)\w*(addr(ess)?|info|config(uration)?|options?|settings?|metadata|meta|name|id|url|uri|key|type|endpoint|record|request|status|state|version|document)s?$|^(refresh|update|set|add|remove|find|with|list)_?[A-Z_]?\w*(serve|broker|listen)|^serve_?http$/i
/** `Messages.LISTENING(transport, port)`: a text by its name in a catalogue of them. */
const isMessage = (name: string): boolean => /^[A-Z]+(_[A-Z]+)*$/.test(last(name))
const servesByName = rememberedByName(name =>
  SERVES.test(short(name))
  && !/starts_?with$|^parse|client|assert|expect|verify|mock|stub|get_?\w*$|(^|[.:])is[A-Z_]|\{\}$|lock/i.test(last(name))
  && !OF_SERVER.test(last(name.replace(/(\.|::)new$/, ''))) && !isMessage(name)
)
const serves = (call: Call): boolean => servesByName(call.name) && !has(call, 'log', 'stub', 'fake-net')
const runsByName = rememberedByName(name => PROCESS.test(short(name)))
const isProcess = (call: Call): boolean =>
  (has(call, 'spawn', 'start') && !/thread|task|timer|submit|async/i.test(call.name)) || runsByName(call.name)

/** Something in the unit, or in what is in force around it, is started and then listens. */
function startsSomething(unit: Unit, view: View): boolean {
  const starts = (c: Call) => has(c, 'bind-port', 'start') || serves(c)
  return unit.calls.some(starts) || inForce(view.facts, unit).some(u => u.calls.some(starts))
}

/** A value that something which serves is given, by a variable or directly. */
function isServed(unit: Unit, is: (v: Value) => boolean): boolean {
  return unit.calls.some(c => serves(c) && [...c.args, ...Object.values(c.named)].some(a => [...valuesIn(a, unit)].some(is)))
}

const LOCAL = '(?:127\\.0\\.0\\.1|localhost|0\\.0\\.0\\.0|\\[::1?\\])'
const BARE_ADDRESS = new RegExp(`^${LOCAL}:(\\d{4,5})$`)
const LOCAL_URL = new RegExp(`^[a-z][a-z0-9+.-]*://${LOCAL}:(\\d{4,5})(?:[/?]|$)`)
const SETTING = new RegExp(
  `(?:^|[\\s{,"'\\[])["']?((?:[a-z_.-]*[_.-])?port|listen)["']?\\s*[:=]\\s*["']?(?:[a-z]+://)?(?:${LOCAL}:)?(\\d{4,5})(?!\\d|\\.\\d)`,
  'i',
)
const FLAG = /^--?(?:[a-z][a-z.-]*[.-])?(?:port|listen|addr|bind|listen-addr(?:ess)?|bind-addr(?:ess)?)(?:=(?:[\w.[\]:]*:)?(\d{4,5}))?$/

const CONTAINERS = /container/i

export function* chosenPorts(view: View): Generator<ChosenPort> {
  for (const unit of view.facts.units) {
    if (!isTestCode(view.facts, unit)) continue
    const told = new Set<number>()
    const written = mayHoldPort(unit, view)
      ? [...counters(unit, view), ...fields(unit, view), ...texts(unit, view), ...addresses(unit, view)]
      : []
    for (const found of [...defined(unit, view), ...written]) {
      // What runs in a container has all of its ports to itself.
      if (/^(field|setting)$/.test(found.how) && view.facts.imports.some(i => CONTAINERS.test(i.name))) continue
      // One report for a port of a test, and one for a place.
      if (told.has(found.port) || told.has(-1 - found.span.start)) continue
      told.add(found.port).add(-1 - found.span.start)
      yield found
    }
  }
}

const last = (path: string): string => path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf(':')) + 1)
const isPortName = (name: string): boolean => PORT_NAME.test(name) && !NOT_LISTENING.test(name)

const DEFINED = /webEnvironment\s*=\s*[\w.]*DEFINED_PORT/

/** A whole application on the port of its configuration: `DEFINED_PORT`, with `server.port=8089` beside it or 8080. */
function* defined(unit: Unit, view: View): Generator<ChosenPort> {
  if (unit.role.is !== 'suite' || view.facts.language !== 'java' || !view.textOf) return
  const head = view.textOf({ start: unit.span.start, end: unit.nameSpan.start })
  const at = DEFINED.exec(head)
  const port = Number(/server\.port\s*=\s*(\d+)/.exec(head)?.[1] ?? 8080)
  // `System.setProperty("server.port", …)` in a hook says otherwise.
  const set = view.facts.units.some(u =>
    u.calls.some(c => /System\.setProperty$/.test(c.name) && fold(c.args[0], u, view.folding) === 'server.port')
  )
  if (at && isPort(port) && !set)
    yield { span: { start: unit.span.start + at.index, end: unit.span.start + at.index + at[0].length }, unit: unit.id, port,
      by: 'DEFINED_PORT', how: 'assigned' }
}

/** `BASE_PORT + index`, wherever it stands: told where the base is written. */
function* bases(unit: Unit, view: View): Generator<ChosenPort> {
  const values = [...unit.returns, ...unit.writes.map(w => w.value),
    ...unit.calls.flatMap(c => (has(c, 'log') ? [] : [...c.args, ...Object.values(c.named)]))]
  // `"clerk_" + (START_PORT + i)` is a name.
  const isNamePart = (v: Value) =>
    (v.is === 'text' ? v.parts : v.is === 'op' && v.op === '+' ? v.of : []).some(o => o.is === 'literal' && /_$/.test(String(o.value)))
  for (const value of values.map(v => [...valuesIn(v, unit)]).filter(all => !all.some(isNamePart)).flat()) {
    if (value.is !== 'op' || value.op !== '+' || value.of.length !== 2) continue
    const base = value.of.find(v =>
      v.is === 'name' && /(base|start|first)\w*port|port\w*(base|start|offset)|^PORT$/i.test(last(v.path)) && !NOT_LISTENING.test(v.path)
    )
    const other = value.of.find(v => v !== base)!
    const port = base?.is === 'name' ? fold(base, unit, view.folding) : undefined
    const from = base?.is === 'name' ? writeOf(base.path, unit, view.facts) : undefined
    if (isPort(port) && from && base?.is === 'name' && other.is !== 'literal' && other.is !== 'unknown' && !drawsIn(other, unit))
      yield { span: from.of.span, unit: from.in.id, port, by: last(base.path), how: 'counter' }
  }
}

const drawsIn = (value: Value, unit: Unit): boolean =>
  [...valuesIn(value, unit)].some(v =>
    v.is === 'call' && (has(unit.calls[v.call]!, 'random', 'process-id') || /rand|Intn$|nextInt$/i.test(unit.calls[v.call]!.name))
  )

/** A record of a service that is elsewhere, or nowhere: it has a name or tags, and binds nothing. */
const registers = (call: Call): boolean =>
  /\{\}$/.test(call.name) && Object.keys(call.named).some(k =>
    /^(ID|Name|Service|ServiceName|ServiceID|Tags|Node|Kind|Meta|Weights|Checks?|Address)$/.test(k)
  ) && !HOLDER.test(last(call.name))

/** `req.Service.Kind = …; req.Service.Port = …`: of such a record, field by field. */
const isRecorded = ({ target }: Write, unit: Unit): boolean => {
  const holder = /^(.+)\.\w+$/.exec(target)?.[1]
  return holder !== undefined
    && unit.writes.some(w => /^\.(Kind|Tags|Meta|Weights|Checks?)$/.test(w.target.slice(holder.length)) && w.target.startsWith(holder))
}

/** `var nextPort = 15000` that somebody counts up; `20000 + index`; lists of ports to choose from. */
function* counters(unit: Unit, view: View): Generator<ChosenPort> {
  if (view.textOf && isElsewhere(view.textOf(unit.span))) return
  for (const write of unit.writes) {
    const name = last(write.target)
    if (/ports(_?list)?\d*$|port_?(list|array)\d*$/i.test(name) && (!NOT_LISTENING.test(name) || isServed(unit, v =>
      v.is === 'name' && v.path === write.target))
      && write.value.is === 'group' && write.value.of.length > 1)
    {
      const all = write.value.of.map(v => fold(v, unit, view.folding))
      if (all.every(isPort) && startsSomething(unit, view))
        yield { span: write.span, unit: unit.id, port: all[0] as number, by: name, how: 'list' }
    }
    if (!/port/i.test(name) || NOT_LISTENING.test(name) || write.adds || write.value.is === 'group' || isRecorded(write, unit)) continue
    const first = seedOf(write.value, unit, view)
    if (first !== undefined && isCounted(write.target, view))
      yield { span: write.span, unit: unit.id, port: first, by: name, how: 'counter' }
    const base = baseOf(write.value, unit, view)
    if (base !== undefined) yield { span: write.span, unit: unit.id, port: base, by: name, how: 'counter' }
  }
  yield* bases(unit, view)
  for (const call of unit.calls.filter(c => !registers(c)))
    for (const [key, value] of Object.entries(call.named)) {
      const base = (isPortName(key) || /ports?(config)?(\{\})?$/i.test(call.name)) && !NOT_LISTENING.test(call.name)
        ? baseOf(value, unit, view)
        : undefined
      if (base !== undefined) yield { span: call.span, unit: unit.id, port: base, by: key, how: 'counter' }
    }
}

/** A number, or what an atomic is made with. */
function seedOf(value: Value, unit: Unit, view: View): number | undefined {
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  const n = fold(call && /atomic|count|range|cycle/i.test(call.name) ? call.args[0] : value, unit, view.folding)
  return isPort(n) ? n : undefined
}

const COUNTS = /(fetch_add|getAndIncrement|incrementAndGet|addAndGet|getAndAdd|increment|next)$/

function isCounted(target: string, { facts }: View): boolean {
  const names = (v: Value | null) => v?.is === 'name' && (v.path === target || last(v.path) === last(target))
  const more = (v: Value) => v.is === 'op' && v.op === '+' && v.of.some(names)
  return facts.units.some(u =>
    u.writes.some(w => w.target === target && (w.adds || more(w.value)))
    || u.calls.some(c => (has(c, 'unique-id') && c.args.some(names)) || (COUNTS.test(c.name) && (names(c.receiver) || c.args.some(names))))
  )
}

/** A constant and something that varies: `20000 + index`. */
function baseOf(value: Value, unit: Unit, view: View): number | undefined {
  if (value.is !== 'op' || value.op !== '+' || value.of.length !== 2) return undefined
  const [a, b] = value.of.map(v => fold(v, unit, view.folding))
  const other = value.of[a === undefined ? 0 : 1]!
  // A random part is another rule's matter.
  if ((a === undefined) === (b === undefined) || drawsIn(other, unit)) return undefined
  const base = a ?? b
  // A port made of another one is as free or taken as that.
  return isPort(base) && base % 10 === 0 && other.is !== 'unknown' && !(other.is === 'name' && /port/i.test(other.path)) ? base : undefined
}

/** `opts.Port = 4222`, `setPort(8080)`, `Options{Port: 4222}`, `startServer(PORT)`. */
function* fields(unit: Unit, view: View): Generator<ChosenPort> {
  const worth = (v: Value | undefined) => {
    const n = fold(v, unit, view.folding)
    const port = typeof n === 'string' && /^\d{4,5}$/.test(n) ? Number(n) : n
    return isPort(port) ? port : undefined
  }
  for (const write of unit.writes) {
    const holder = /^(.+)[.[][^.[]+$/.exec(write.target)?.[1]
    const port = holder && isPortName(last(write.target)) && HOLDER.test(write.target) && !NOT_LISTENING.test(write.target)
      ? worth(write.value)
      : undefined
    const root = holder?.split(/[.[]/)[0]
    if (port !== undefined && isServed(unit, v => v.is === 'name' && v.path.split(/[.[]/)[0] === root))
      yield { span: write.span, unit: unit.id, port, by: write.target, how: 'assigned' }
  }
  for (const [index, call] of unit.calls.entries()) {
    const name = last(call.name)
    if (registers(call) || NOT_LISTENING.test(short(call.name)) || /assert|expect|verify|mock|when|(^|[._])get/i.test(name)) continue
    for (const [key, value] of Object.entries(call.named)) {
      const port = isPortName(key) ? worth(value) : undefined
      if (port !== undefined && (serves(call) || (/\{\}$/.test(call.name) && HOLDER.test(name) && isMadeAndServed(unit, index))))
        yield { span: call.span, unit: unit.id, port, by: key, how: 'field' }
    }
    const holder = call.receiver?.is === 'name' && HOLDER.test(call.receiver.path) && !isEntry(call)
    const setter = holder && /^(set|with)_?\w*[pP]ort$|^port$/.test(name) ? worth(call.args[0]) : undefined
    if (setter !== undefined && startsSomething(unit, view))
      yield { span: call.span, unit: unit.id, port: setter, by: name, how: 'field' }
    const key = call.args.length === 2 && /^(put|set|setProperty)$/.test(name) ? fold(call.args[0], unit, view.folding) : undefined
    const setting = typeof key === 'string' && /(^|[.])port$/i.test(key) ? worth(call.args[1]) : undefined
    // `"shop.server.port"` is a setting of something, and here it starts.
    const starts = typeof key === 'string' && key.includes('.')
      && unit.calls.some(c => c.span.start > call.span.end && /[.]start$/.test(c.name))
    if (setting !== undefined && startsSomething(unit, view))
      yield { span: call.span, unit: unit.id, port: setting, by: String(key), how: 'setting', sure: starts }
    if (!serves(call) || /^(set|with|get)(?![a-z])/.test(name) || isPlayed(call, unit) || isOnlyMade(call, unit, view)) continue
    const given = call.args.find(a => a.is === 'name' && isPortName(last(a.path)) && worth(a) !== undefined)
      ?? (/[a-z]Port$|_port$/.test(name) ? call.args.find(a => a.is === 'literal' && worth(a) !== undefined) : undefined)
    if (given)
      yield { span: call.span, unit: unit.id, port: worth(given)!, by: given.is === 'name' ? last(given.path) : name, how: 'field' }
  }
}

/** A literal of settings that is given to what serves, right there or from its variable. */
function isMadeAndServed(unit: Unit, index: number): boolean {
  const holds = (v: Value) => v.is === 'call' && v.call === index
  const kept = new Set(unit.writes.filter(w => [...valuesIn(w.value, unit)].some(holds)).map(w => w.target))
  return isServed(unit, v => holds(v) || (v.is === 'name' && kept.has(v.path)))
}

/** Settings in text that goes to a process or a server: `{"port": 9373}`, `--port 9373`, `listen: 127.0.0.1:4222`. */
function* texts(unit: Unit, view: View): Generator<ChosenPort> {
  // A setting that is asserted again was only read.
  const isRead = (port: number): boolean =>
    unit.assertions.some(a =>
      a.operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'literal' && String(v.value) === String(port)))
    )
    || unit.calls.some(c => /^assert/.test(last(c.name)) && c.args.some(a => a.is === 'literal' && String(a.value) === String(port)))
  for (const call of unit.calls) {
    const runs = serves(call) || (view.facts.language === 'bash' ? within(unit, call.in, 'background') : isProcess(call))
    if (/assert|expect|parse|verify/i.test(call.name)) continue
    for (const arg of [...call.args, ...Object.values(call.named)]) {
      const flat = arg.is === 'group' ? arg.of : [arg]
      for (const [i, value] of flat.entries()) {
        const text = fold(value, unit, view.folding)
        const flag = typeof text === 'string' ? FLAG.exec(text) : null
        const next = flag && !flag[1] ? fold(flat[i + 1] ?? call.args[call.args.indexOf(arg) + 1], unit, view.folding) : undefined
        const port = flag
          ? Number(flag[1] ?? /^(?:(?:[a-z\d.-]*[a-z.][\w.-]*|\[[\d:]*\])?:)?(\d{4,5})$/i.exec(String(next))?.[1])
          : value.is === 'text'
          ? templated(value, unit, view)
          : typeof text === 'string' && runs
          ? Number(SETTING.exec(text)?.[2])
          : undefined
        if (isPort(port) && (flag || !isRead(port)) && (runs || (value.is === 'text' && startsSomething(unit, view))))
          yield { span: call.span, unit: unit.id, port, by: flag ? flag[0] : 'its configuration', how: 'text' }
      }
    }
  }
}

/** The first number that a format puts behind `port:` or `listen: host:`. */
function templated(value: Extract<Value, { is: 'text' }>, unit: Unit, view: View): number | undefined {
  const format = fold(value.parts[0], unit, view.folding)
  if (typeof format !== 'string') return undefined
  const pieces = format.split(/%[sdvqi]/)
  for (let i = 0; i + 1 < pieces.length && i + 1 < value.parts.length; i++) {
    const n = /(port["']?\s*[:=]\s*|listen["']?\s*[:=]\s*["']?[\w.]*:?)$/i.test(pieces[i]!)
      ? fold(value.parts[i + 1], unit, view.folding)
      : undefined
    if (isPort(n)) return n
  }
  return undefined
}

const mustFail = (unit: Unit, call: Call): boolean =>
  unit.assertions.some(a => a.compare === 'throws' && a.span.start <= call.span.start && a.span.end >= call.span.end)

const LISTENS = /^(export|bind\w*|listen\w*|serve(?!r)\w*|start\w*|run\w*|launch\w*|add(Connector|Listener)|create(Server|Broker))$/i

const STARTS = /^(start|run|launch)\w*$/i

/** A field that says where to go, not where to listen: `Endpoint`, `serverAddr`, `proxyUrl`. */
const GONE_TO =
  /endpoint|server|ur[il]$|ur[il]s$|target|upstream|proxy|remote|peer|backend|broker|registry|collector|origin|host_?name|callback|redirect|issuer|base|join|seed|bootstrap/i
/** What wraps an address that somebody goes to. */
const WRAPS = /request|ur[il]|parse|client|dial|connect|credential|redirect/i

/** The texts that a call is given to serve by, but those in fields and wrappings of somebody who goes there. */
function* servedBy(value: Value, unit: Unit, depth = 0): Generator<Value> {
  yield value
  if (depth > 6) return
  const call = value.is === 'call' ? unit.calls[value.call] : undefined
  // `URL.valueOf("shop://…").addParameter(…)`
  if (call?.receiver && !WRAPS.test(last(call.name))) yield* servedBy(call.receiver, unit, depth + 1)
  if (call && !WRAPS.test(last(call.name))) {
    for (const [key, v] of [...call.args.map(a => ['', a] as const), ...Object.entries(call.named)])
      if (!GONE_TO.test(key)) yield* servedBy(v, unit, depth + 1)
  }
  if (value.is === 'op' || value.is === 'group') { for (const v of value.of) yield* servedBy(v, unit, depth + 1) }
}

/** `_, err := NewServer("…")`, and an assertion wants the error. */
const wantsError = (unit: Unit, call: Call): boolean => {
  const index = unit.calls.indexOf(call)
  const kept = unit.writes.filter(w => /err/i.test(w.target) && [...valuesIn(w.value, unit)].some(v => v.is === 'call' && v.call === index))
  return kept.some(w =>
    unit.calls.some(c =>
      c.span.start > call.span.end && /(^|[.])(Error|ErrorIs|ErrorContains|EqualError|ErrorAs|ErrorMatches|NotNil)$/.test(c.name)
      && c.args.some(a => a.is === 'name' && a.path === w.target)
    )
  )
}

/** `NewServer("127.0.0.1:8080")` of Go and Rust keeps the address, and nothing in the test or what it calls starts it. */
export function isOnlyMade(made: Call, unit: Unit, { facts }: Pick<View, 'facts'>): boolean {
  const starts = (c: Call) =>
    !/^[nN]ew(?![a-z])|\{\}$/.test(last(c.name))
    && (has(c, 'start', 'bind-port', 'spawn')
      || /serve(?!_?http$)|listen|^(export|bind|start|run|launch)/i.test(last(c.name)) && !c.name.startsWith('testing.'))
  return /^(go|rust)$/.test(facts.language) && /^[nN]ew(?![a-z])/.test(last(made.name))
    && ![unit, ...inForce(facts, unit), ...calledBy(facts, unit)].some(u => u.calls.some(starts))
}

/** Who puts an address into a map, or ends what goes by it, does not listen there. */
export const KEEPS = /^(put|singleton|destroy|remove|stop|unregister|disconnect)(?![a-z])/

/** A local address that two parties of a test are given: one of them listens there. Or it is given to what serves. */
function* addresses(unit: Unit, view: View): Generator<ChosenPort> {
  const seen = new Map<number,
    { takers: Set<string>; first: Call; served: Call | undefined; dialled: boolean; visited: boolean; span: Span | undefined }>()
  for (const call of unit.calls) {
    if (/assert|expect|verify|equal/i.test(call.name) || has(call, 'log', 'stub', 'fake-net') || mustFail(unit, call)
      || wantsError(unit, call)) continue
    // An address among options is somebody else's more often than not: `publicUrl`, `databaseUri`. Shell words are no values.
    const given = view.facts.language === 'bash' ? [] : call.args.filter(a => a.is !== 'group')
    if (KEEPS.test(last(call.name)) || isSimulated(call.name) || isInMemory(call, unit)) continue
    const dials = DIALS.test(last(call.name))
    for (const value of serves(call) ? given.flatMap(a => [...servedBy(a, unit)]) : ADDRESS.test(last(call.name)) ? [] : given) {
      const folded = fold(value.is === 'text' ? value.parts[0] : value, unit, view.folding)
      // `dubbo://localhost:2000?transporter=mock`: what serves there is a stand-in.
      if (typeof folded !== 'string' || /[=:](mock|fake|stub|dummy)/i.test(folded)) continue
      const bare = value.is === 'text' ? null : BARE_ADDRESS.exec(folded)
      const port = Number((bare ?? LOCAL_URL.exec(folded))?.[1])
      if (!isPort(port) || AGREED.has(port)) continue
      const kept = value.is === 'name' ? unit.writes.find(w => w.target === value.path)?.span : undefined
      const entry = seen.get(port)
        ?? seen.set(port, { takers: new Set(), first: call, served: undefined, dialled: false, visited: false, span: kept }).get(port)!
      if (bare && !dials) entry.takers.add(call.name)
      if (serves(call)) {
        entry.served ??= call
        // `browser.start("http://localhost:9876")` goes there.
        entry.visited ||= !bare && STARTS.test(last(call.name))
      } else if (entry.takers.size > 0 && /connect|dial/i.test(last(call.name))) entry.dialled = true
    }
  }
  for (const [port, { takers, first, served, dialled, visited, span }] of seen) {
    // One of those who are given it before the test goes there itself listens on it.
    const sure = unit.name !== 'main' && (dialled || (served !== undefined && !visited && LISTENS.test(last(served.name))))
    // Two who are given an address may only keep it.
    if ((served && !isOnlyMade(served, unit, view)) || (takers.size > 1 && somethingRuns(unit, view)))
      yield { span: span ?? (served ?? first).span, unit: unit.id, port, by: 'an address', how: 'address', sure }
  }
}
