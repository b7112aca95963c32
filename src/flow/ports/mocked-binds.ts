// Ports that nobody binds: what would listen is replaced by the test, or they are rows of a table that is only read.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { ancestors, has, inForce, valuesIn } from '../../facts/query.ts'

interface View {
  readonly facts: FileFacts
  readonly textOf: (span: Span) => string
}

/** What listens, by the last name of what is replaced: `uvicorn.run`, `http.createServer`, `listen`. */
const SERVES = new RegExp(`(^|[.:/#'"])(?:${
  [
    'run',
    'serve\\w*',
    'listen\\w*',
    'bind\\w*',
    'start(_?(server|app|http|serving|up)\\w*)?',
    'launch\\w*',
    'run_?(app|server|simple|forever)',
    '(create|make)_?server',
    '\\w*(Server|TCPSite|Daemon|Listener)',
    '[sS]ocket',
    'Popen',
    'check_(output|call)',
    'spawn(Sync)?',
    'execFile(Sync)?',
    'SpringApplication',
    'uvicorn',
    'waitress',
    'gunicorn',
    'hypercorn',
    'https?',
    'net',
  ].join('|')
})(\\.class)?['"]?$`)
const SERVER = /server|listener|daemon|socket|(^|[._])(app|http|net)$/i

const saysWhatServes = (value: Value): boolean =>
  (value.is === 'literal' && typeof value.value === 'string' && SERVES.test(value.value))
  || (value.is === 'name' && SERVES.test(value.path))

/**
 * `patch("shop.cli.uvicorn.run")`, `spyOn(server, 'listen')`, `mock(Server.class)`, `setattr(uvicorn, "run", …)`; a spy that is told
 * nothing lets the call through.
 */
const replaces = (call: Call, unit: Unit): boolean =>
  has(call, 'mock', 'stub', 'restore') && /patch|mock|spy|stub|replace|setattr|fake/i.test(call.name) && call.args.some(saysWhatServes)
  && (!/spyOn$|\.spy$/.test(call.name) || isTold(call, unit))

const isTold = (spy: Call, unit: Unit): boolean => {
  const index = unit.calls.indexOf(spy)
  return unit.calls.some(c =>
    c.receiver?.is === 'call' && c.receiver.call === index && /[.](mock\w+|and\w*|calls?Fake|returns?\w*|resolves)$/.test(c.name)
    && !/callThrough$/.test(c.name)
  )
}

/** Nothing that the unit starts listens: a patch, a spy or a function of its own stands where the port would be bound. */
export function isBindReplaced(unit: Unit, view: View): boolean {
  const near = [unit, ...ancestors(view.facts, unit)], inPlay = new Set([unit, ...inForce(view.facts, unit)])
  if (near.some(u =>
    u.markers.some(m => /patch/.test(m.name) && [...(m.key ?? '').matchAll(/["']([\w.]+)["']/g)].some(q => SERVES.test(q[1]!)))
  )) return true
  for (const u of inPlay) {
    if (u.calls.some(c => replaces(c, u))) return true
    // `listenAndServe = func(…) { … }`: a function that the code under test keeps in a variable.
    const functions = u.regions.filter(r => r.kind === 'closure')
    const isFunction = ({ span }: { readonly span: Span }): boolean =>
      functions.some(r => r.span.start >= span.start && r.span.end <= span.end)
    if (u.writes.some(w => !w.declares && /(^|[._])(listen|serve)\w*$/i.test(w.target) && w.value.is !== 'literal' && isFunction(w)))
      return true
  }
  return false
}

/** A server of the test's own making among what is given: `start({ listen: jest.fn() }, { port: 3000 })`. */
export function givesStandIn(at: Span, unit: Unit, view: View): boolean {
  const call = unit.calls.find(c => c.span.start === at.start && c.span.end === at.end)
  return (call?.args ?? []).some(arg => {
    const write = arg.is === 'name' ? unit.writes.findLast(w => w.target === arg.path) : undefined
    const value = write?.value ?? arg
    const stubs = value.is === 'call'
      ? has(unit.calls[value.call]!, 'stub', 'mock')
        || /(^|[._:/])(fake|mock|stub)\w*(\.new|::new|\{\})?$/i.test(unit.calls[value.call]!.name)
      : value.is === 'group' && value.of.some(v => v.is === 'call' && has(unit.calls[v.call]!, 'stub'))
    const text = write ? view.textOf(write.span) : ''
    return stubs && ((arg.is === 'name' && SERVER.test(arg.path)) || /\b(listen|bind|serve|createServer)\b["']?\s*[:=(]/.test(text))
  })
}

const GOES = /listen|serve|bind|dial|connect|launch|(^|[._:])(start|open|run|main|get|post|fetch|request)\w*$|Server|Client/i
const RUNS_TEST = /^testing\.[TBF]\.Run$|(^|[._])(subTest|each)$/

/** A row of a table for tests that start and ask nobody: an address that is there to be read. */
export function isRow(port: number, at: number, of: Unit, view: View): boolean {
  const holds = ({ span }: { readonly span: Span }): boolean => span.start <= at && at < span.end
  // What is given to a test by a marker stands before it.
  const marked = view.facts.units.find(u => u.markers.some(m => holds(m) && /parametrize|Source$|case$/.test(m.name)))
  const unit = marked ?? of
  const inner = of.calls.filter(holds).sort((a, b) => a.span.end - a.span.start - (b.span.end - b.span.start))[0]
  if (inner && !/\{\}$|(^|\.)(of|arguments|asList|each)$/.test(inner.name)) return false
  const table = unit.writes.find(w => rowsOf(w.value, unit).some(r => tells(r, port, unit)))
  const given = marked !== undefined || /\.each\(\s*[[`](?:(?!=>|function)[^])*$/.test(view.textOf({ start: unit.span.start, end: at }))
  if (!table && !given) return false
  const name = table && new RegExp(`\\b${table.target.replace(/\W/g, '\\$&')}\\b`)
  const isTop = unit.role.is === 'module' || unit.role.is === 'suite'
  const users = isTop ? view.facts.units.filter(u => u.role.is === 'test' && (!name || name.test(view.textOf(u.span)))) : [unit]
  return view.facts.units.filter(u => [u, ...ancestors(view.facts, u)].some(a => users.includes(a))).every(u => !u.calls.some(goes))
}

const WANTED = /(?<![\w.])(want|expect)\w*["']?\s*:?[:=]\s*[&*]?(new\s+)?[\w.[\]*]*$/i

/** `want: podOf(port("8080"))`: part of what a test compares with, however deep. */
export function isWanted(at: number, unit: Unit, { textOf }: View): boolean {
  const text = textOf({ start: unit.span.start, end: at })
  for (let i = text.length - 1, depth = 0; i >= 0; i--) {
    if (')]}'.includes(text[i]!)) depth++
    else if ('([{'.includes(text[i]!) && depth-- === 0) {
      if (WANTED.test(text.slice(Math.max(0, i - 60), i))) return true
      depth = 0
    }
  }
  return false
}

const goes = (call: Call): boolean => has(call, 'bind-port', 'start', 'network') || (GOES.test(call.name) && !RUNS_TEST.test(call.name))

/** Rows of a list: `[["localhost:9090", 9090], …]`, `[]struct{…}{{"localhost:9090", "9090"}, …}`. */
function rowsOf(value: Value, unit: Unit, depth = 0): Value[] {
  if (value.is !== 'group' || depth > 4) return []
  const rows = value.of.filter(v =>
    (v.is === 'group' && v.of.some(x => x.is === 'literal'))
    || (v.is === 'call' && /\{\}$|(^|\.)(of|arguments|asList)$/.test(unit.calls[v.call]!.name))
  )
  return rows.length > 0 ? rows : value.of.flatMap(v => rowsOf(v, unit, depth + 1))
}

const tells = (row: Value, port: number, unit: Unit): boolean =>
  [...valuesIn(row, unit)].some(v => v.is === 'literal' && new RegExp(`(?<!\\d)${port}(?!\\d)`).test(String(v.value)))

/** `ServerBuilder.forPort(8080)` of which a file asks what it is set to, and starts nothing. */
export const isOnlySet = ({ name }: Call, { facts }: View): boolean =>
  /ServerBuilder\.forPort$/.test(name) && !facts.units.some(u => u.calls.some(c => /(^|[.])(start|run)\w*$/i.test(c.name)))
