// Whether somebody listens at all: where nothing in sight is started, served or stopped, a port is a number like any other. And ports that
// are tried one after the other, and programs of their own.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { calledBy, around, has, inForce, valuesIn } from '../../facts/query.ts'

interface View {
  readonly facts: FileFacts
  readonly textOf: (span: Span) => string
}

const isTop = ({ role }: Unit): boolean => role.is === 'module' || role.is === 'suite'
const last = (path: string): string => path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf(':'), path.lastIndexOf('/')) + 1)

/** Who is stopped was started. */
const RUNS = new Set(['start', 'starts', 'restart', 'stop', 'listen', 'unlisten', 'serve', 'bind', 'launch', 'deploy', 'shutdown', 'boot',
  'expose', 'publish', 'accept', 'export', 'run', 'exec', 'spawn', 'up', 'command', 'popen'])
const SERVER = /(Server|Broker|Cluster|Daemon|Listeners?|Exporter|Node|Agent)\d*(\.new|::new|::builder|\.builder)?$/
/** `startsWith(…)`, `t.Run(name, …)`, `tokio::spawn(…)`: other words. */
const OTHER =
  /starts?_?with|^testing\.[TBF]\.Run$|assert|expect|verify|run_?until|(task|thread|tokio|goroutine|executor)\w*(::|\.)(spawn|run)|(^|\.)run$|start_?(time|date|of|at)|serve_?http$|MockServer\.new/i

const wordsOf = (name: string): string[] =>
  last(name.replace(/(\.|::)new$/, '')).replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2').toLowerCase().split('_')

/** `newShopServer(8080)` of Go gives one that somebody else must start. */
const MAKES = /(^|[./])[nN]ew[A-Z]\w*$/
const isRunning = (call: Call): boolean =>
  has(call, 'bind-port', 'start')
  || ((wordsOf(call.name).some(w => RUNS.has(w)) || (SERVER.test(call.name) && !MAKES.test(call.name))) && !OTHER.test(call.name)
    && !has(call, 'log', 'stub', 'mock'))

/** `mock(Launcher.class)`, `new FakeServer()`: what is asked only plays a part. */
export function isPlayed({ receiver }: Call, unit: Unit): boolean {
  // `verify(launcher).launch(8080)`
  if (receiver?.is === 'call' && /(^|\.)verify$/.test(unit.calls[receiver.call]!.name)) return true
  const root = receiver?.is === 'name' ? receiver.path.split('.')[0] : undefined
  const made = root && unit.writes.findLast(w => w.target === root)?.value
  const call = made && made.is === 'call' ? unit.calls[made.call] : undefined
  return call !== undefined && (has(call, 'stub', 'mock') || /(^|[._:])(mock|fake|stub|dummy)\w*((\.|::)new|\{\})?$/i.test(call.name))
}

/**
 * Something that is in play for this unit runs: in itself, what is in force around it or what it calls. What a file keeps is in play for
 * all of it.
 */
export function somethingRuns(unit: Unit, { facts }: Pick<View, 'facts'>): boolean {
  if (isTop(unit) || unit.role.is === 'helper') return facts.units.some(runs)
  const near = [unit, ...inForce(facts, unit), ...facts.units.filter(u => u.role.is === 'hook')]
  const called = near.flatMap(u => calledBy(facts, u))
  const inside = facts.units.filter(u => u.span.start > unit.span.start && u.span.end <= unit.span.end)
  return [...near, ...called, ...inside].some(runs)
}

/** `with proxy.Proxy(port=8899):` what is entered and is given a port listens on it until it is left. */
export const isEntered = (unit: Unit, at: Span): boolean =>
  unit.regions.some(r => {
    const entered = r.kind === 'with' && r.call !== undefined ? unit.calls[r.call] : undefined
    return entered !== undefined && entered.span.start <= at.start && at.end <= entered.span.end && !CONNECTS.test(entered.name)
  })
const CONNECTS = /client|connect|session|patch|mock|raises|warns|open$/i

/** Asked for every port of a file. */
const known = new WeakMap<Unit, boolean>()
function runs(unit: Unit): boolean {
  const told = known.get(unit) ?? unit.calls.some(c => isRunning(c) && !isPlayed(c, unit))
  known.set(unit, told)
  return told
}

/** A program of its own, that no test in sight starts: by its main function, or a file that is told its port from outside. */
export const isProgram = (unit: Unit, { facts, textOf }: View): boolean =>
  unit.name === 'main'
  || (isTop(unit) && facts.language === 'java' && facts.units.some(u => u.name === 'main')
    && facts.units.every(u => u.role.is !== 'test' && u.role.is !== 'hook'))
  || (unit.role.is === 'module' && facts.units.every(u => u.role.is === 'module' || u.role.is === 'helper')
    && facts.units.every(u => u.assertions.length === 0) && /process\.env\.\w*PORT\b|__name__ == ['"]__main__/.test(textOf(unit.span)))

const GUEST = /vsock|(?<![a-z])micro_?vms?(?![a-z])/i, OF_MACHINE = /TcpListener|TcpStream|UdpSocket|hostfwd|host_?port/i

/** Ports of a virtual socket and of a guest: nobody on the machine can hold them. */
export function isVirtual(unit: Unit, { facts }: Pick<View, 'facts'>): boolean {
  const names = (isTop(unit) ? facts.units : [unit]).flatMap(
    u => [...u.params, ...u.writes.map(w => w.target),
      ...u.calls.flatMap(c => [c.name, ...Object.keys(c.named), ...(c.receiver?.is === 'name' ? [c.receiver.path] : [])])],
  )
  return names.some(n => GUEST.test(n)) && !names.some(n => OF_MACHINE.test(n))
}

const COLLECTS = /^(add|set|with|push|insert|register|len|size|is|has|get|iter|new)(?![a-z])/

/** `listeners.add("127.0.0.1:8080")` of a list that the test only fills and looks at: it is never told to run, nor given to anybody. */
export function isOnlyAdded({ start }: Span, unit: Unit): boolean {
  const call = unit.calls.find(c => c.span.start <= start && start < c.span.end && /^(add|register)(?![a-z])/.test(last(c.name)))
  const holder = call?.receiver?.is === 'name' ? call.receiver.path : undefined
  const names = (v: Value | null): boolean => v?.is === 'name' && v.path === holder
  return holder !== undefined && unit.writes.some(w => w.declares && w.target === holder)
    && unit.calls.every(c =>
      names(c.receiver)
        ? COLLECTS.test(last(c.name))
        : ![...c.args, ...Object.values(c.named)].some(a => [...valuesIn(a, unit)].some(names))
    ) && !unit.returns.some(r => [...valuesIn(r, unit)].some(names))
}

/** The net of a simulation has ports of its own. */
export const SIMULATORS = /(^|::)(turmoil|madsim)\w*(::|$)/
export const isSimulated = (name: string): boolean => SIMULATORS.test(name) || /(^|::)(shim|sim|mock\w*|fake\w*)::/.test(name)

/** `bus := newMemoryTransport(); bus.Listen(":8080")`: what listens in memory takes no port. */
export function isInMemory({ name, receiver }: Call, unit: Unit): boolean {
  const made = receiver?.is === 'name' ? unit.writes.find(w => w.target === receiver.path)?.value : receiver
  return IN_MEMORY.test(name) || (made?.is === 'call' && IN_MEMORY.test(last(unit.calls[made.call]!.name)))
}
const IN_MEMORY = /memory|in_?proc(?!ess)/i

/** What is told whether it may measure: `func benchmarkOrders(b *testing.B)`. */
export const measures = (unit: Unit, { facts, textOf }: View): boolean =>
  facts.language === 'go'
  && /^func[^{\n]*\*testing\.B\b/.test(textOf({ start: unit.span.start, end: Math.min(unit.span.end, unit.span.start + 300) }))

/** `if err == nil { break }`, `if err != nil { continue }`, `except OSError: continue`. */
const GOES_ON =
  /\berr\w* == nil\b[^}]*\b(?:break|return)\b|\berr\w* != nil\b[^}]*\bcontinue\b|\b(?:except|catch)\b|\bif let Ok\b|\bis_ok\(\)|\bOk\(\w+\) =>/
const LISTENS = /listen|bind|serve/i

/** Bound in a loop that goes on where the port is taken. */
export const isTriedOn = (call: Call, unit: Unit, { textOf }: View): boolean =>
  // `if let Ok(l) = bind(9997) { l } else if let Ok(l) = bind(9998) { l }`
  /\bif let Ok\([^()]*\) = [\w:]*$/.test(textOf({ start: Math.max(0, call.span.start - 60), end: call.span.start }))
  || [...around(unit, call.in)].some(r => r.kind === 'loop' && GOES_ON.test(textOf(r.span)))

/** Whoever listens by this name does so in such a loop. */
export function isTriedInTurn(name: string, view: View): boolean {
  const word = new RegExp(`(?<![\\w.])${name.replace(/\W/g, '\\$&')}(?!\\w)`)
  return view.facts.units.some(u =>
    u.calls.some(c =>
      (has(c, 'bind-port') || LISTENS.test(last(c.name)))
      && [...around(u, c.in)].some(r => r.kind === 'loop' && GOES_ON.test(view.textOf(r.span)) && word.test(view.textOf(r.span)))
    )
  )
}

/** `query("…").bind(99)` gives a value to a statement. */
export function isParameter(call: Call, unit: Unit): boolean {
  for (let on: Value | null = call.receiver, left = 12; on && left > 0; left--) {
    const from: Call | undefined = on.is === 'call' ? unit.calls[on.call] : undefined
    if (/quer|sql|statement|stmt|prepare/i.test(from ? from.name : on.is === 'name' ? on.path : '')) return true
    on = from?.receiver ?? null
  }
  return false
}
