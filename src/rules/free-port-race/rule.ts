import type { Call, Span, Unit, Value } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { argumentOf, effectOf, has, isTestCode, valuesIn, within } from '../../facts/query.ts'
import { defineRule, type FileView, type Report } from '../rule.ts'
import { confidenceOf } from '../wording.ts'

/** A helper of another file that, by its name, gives a free port. */
const FINDS = /(^|[._:])(find|get|pick|choose|next|alloc(ate)?|reserve|random|unused|available|free|next)_?(\w*_)?(free|available|unused|open|random|tcp|udp|next)(_?(tcp|udp|local|host|listen))?_?ports?$/i

/** A helper that finds a port, and a port drawn at random, as they are written. */
const FINDER = '(?:[fF]ree|[aA]vailable|[uU]nused)_?(?:[tT]cp_?|[uU]dp_?)?[pP]orts?\\b'
const DRAWN = '[pP]ort\\w*\\s*:?=[^=\\n]*[rR]and'
/** The same in a helper, an address or a script. */
const DRAWN_ABOVE = '\\d{4,5}\\s*\\+[^;\\n]*[rR]and'

export default defineRule(
  {
    id: 'free-port-race', title: 'A test looks for a free port and lets it go before it is used', category: 'environment', severity: 'warning',
    triggers: ['free-port'], words: {
      python: [FINDER, DRAWN, DRAWN_ABOVE, '\\.getsockname\\('], typescript: [FINDER, DRAWN, '\\d_?\\d{3}\\s*\\+[^;\\n]*Math\\.random'], java: [FINDER, DRAWN, DRAWN_ABOVE, 'getLocalPort\\('], go: [FINDER, DRAWN, DRAWN_ABOVE],
      rust: [FINDER, DRAWN, DRAWN_ABOVE, 'local_addr\\('], bash: [FINDER, DRAWN, 'PORT\\w*=[^\\n]*RANDOM', 'port\\w*=[^\\n]*RANDOM', 'getsockname\\('],
    },
    confirm: ['parallelise', 'port-occupy'], since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    let asked = false
    if (facts.language === 'bash') yield* scripts(view)
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit)) continue
      yield* letGo(unit, view)
      yield* drawn(unit, view)
      // The address of a stand-in: nobody binds it.
      if (isStandIn(unit)) continue
      for (const call of unit.calls) {
        const known = has(call, 'free-port')
        // One report for a file: its calls have one cure.
        if (asked || (!known && !(FINDS.test(call.name) && call.target === undefined && call.resolution !== 'type'))) continue
        asked = true
        // A command whose maker is out of sight may well keep what it gives reserved. Read in Java, nearly all were useful; elsewhere half of them.
        yield { at: call.span, unit: unit.id, confidence: !known && call.resolution === 'global' ? 'low' : facts.language === 'java' ? 'high' : 'medium', message: 'asks for a port that is free now: somebody else may have it by the time it is bound' }
      }
    }
  },
)

/** `getRemoteAddress() { return new InetSocketAddress(freePort()) }` */
const isStandIn = (unit: Unit): boolean => unit.role.is === 'helper' && /^(get)?_?(remote|local|peer)_?addr(ess)?\d*$/i.test(unit.name)

const CLOSES = /(^|[._:])(close|Close|drop|shutdown|destroy)$/
const READS = /(getsockname|getLocalPort|Addr|local_addr|address|port|LocalAddr)$/

/** Bound to port 0, asked for its number, closed: the number is all that is left. Told where it is asked: that is what outlives it. */
function* letGo(unit: Unit, view: FileView): Generator<Report> {
  for (const [index, call] of unit.calls.entries()) {
    const bind = effectOf(call, 'bind-port')
    if (!bind || !isZero(argumentOf(call, bind), unit, view)) continue
    const holder = unit.writes.find(w => [...valuesIn(w.value, unit)].some(v => v.is === 'call' && v.call === index))?.target ?? (call.receiver?.is === 'name' ? call.receiver.path : undefined)
    const of = (c: Call) => holder !== undefined && [c.receiver, ...c.args].some(v => v?.is === 'name' && v.path === holder)
    // What nobody keeps is dropped with the statement.
    const dropped = holder === undefined && view.facts.language === 'rust'
    const chained = (c: Call) => dropped && c.receiver !== null && [...valuesIn(c.receiver, unit)].some(v => v.is === 'call' && v.call === index)
    const closed = dropped || unit.calls.some(c => c.span.start > call.span.start && CLOSES.test(c.name) && of(c)) || within(unit, call.in, 'with') || unit.regions.some(r => r.kind === 'with' && r.call === index)
      || (view.facts.language === 'rust' && !isMoved(unit, holder))
    const asked = unit.calls.find(c => c.span.end > call.span.end && READS.test(c.name) && (of(c) || chained(c)))
    // Connected to while it is held, it is a server.
    if (!closed || !asked || !givesPortOnly(unit, holder) || unit.calls.some(c => /(^|[._:])connect$/.test(c.name) && !of(c))) continue
    yield { at: asked.span, unit: unit.id, confidence: confidenceOf(call), message: 'binds to a free port, keeps its number and closes it: somebody else may have it by the time it is bound again' }
  }
}

/** Given away as a whole, it lives on elsewhere. */
const isMoved = (unit: Unit, holder: string | undefined): boolean => {
  const holds = (v: Value) => v.is === 'name' && v.path === holder
  return unit.calls.some(c => [...c.args, ...Object.values(c.named)].some(a => [...valuesIn(a, unit)].some(holds))) || [...unit.returns, ...unit.writes.map(w => w.value)].some(v => [...valuesIn(v, unit)].some(x => holds(x) && x !== v) || holds(v))
}

const SCRIPT = /\.bind\(\(.*,\s*0\)\)[^]*getsockname/

/** A function of a script that lets another program bind, print and close: told where its number is kept. */
function* scripts({ facts }: FileView): Generator<Report> {
  for (const helper of facts.units) {
    if (!helper.calls.some(c => c.args.some(a => a.is === 'literal' && typeof a.value === 'string' && SCRIPT.test(a.value)))) continue
    for (const unit of helper.role.is === 'helper' ? facts.units : []) {
      const call = unit.calls.find(c => c.target === helper.id)
      if (call) yield { at: call.span, unit: unit.id, confidence: 'medium', message: `${helper.name} closes the port before it is used: somebody else may have it by the time it is bound again` }
    }
  }
}

/** A helper that gives back something, and not the socket; a test that closes it and goes on is a server's test more often than not. */
const givesPortOnly = (unit: Unit, holder: string | undefined): boolean =>
  unit.role.is === 'helper' && /port|addr/i.test(unit.name) && !unit.returns.some(r => r.is === 'name' && r.path === holder || (r.is === 'group' && r.of.some(v => v.is === 'name' && v.path === holder)))

function isZero(value: Value | undefined, unit: Unit, view: FileView): boolean {
  const folded = fold(value, unit, view.folding)
  if (folded === 0 || (typeof folded === 'string' && /:0$/.test(folded))) return true
  return value !== undefined && value.is === 'group' && value.of.some(v => fold(v, unit, view.folding) === 0)
}

const PORT = /(^|[._])port$|[a-z]Port$|_?PORT$|^random_?port/i, NO_PORT = /report|support|import|export|transport/i
const ADDRESS = /InetSocketAddress|SocketAddr|JoinHostPort|listen$|bind$/

/** `20000 + random`: a port that is probably free; kept, given by its name, put into an address, or given back by a helper for ports. */
function* drawn(unit: Unit, view: FileView): Generator<Report> {
  const places: { span: Span; value: Value; name: string }[] = [
    ...unit.writes.map(w => ({ span: w.span, value: w.value, name: w.target })),
    ...unit.calls.flatMap(c => [...Object.entries(c.named).map(([name, value]) => ({ span: c.span, value, name })), ...(ADDRESS.test(c.name) ? c.args.map(value => ({ span: c.span, value, name: 'the port' })) : [])]),
    ...unit.returns.map(value => ({ span: unit.nameSpan, value, name: unit.name })),
  ]
  for (const { span, value, name } of places) {
    if ((!PORT.test(name) && name !== 'the port') || NO_PORT.test(name)) continue
    const random = view.flows.ingredients(unit, value, span.end).origins.find(o => o.kind === 'random' && !o.opaque && o.shape !== 'truth')
    const large = [...valuesIn(value, unit)].some(v => Number(fold(v, unit, view.folding)) >= 1000)
    if (!random || !large || random.unit !== unit.id) continue
    yield { at: span.start === unit.nameSpan.start ? random.span : span, unit: unit.id, confidence: 'medium', message: `${name} is drawn at random: now and then it is taken already` }
    return
  }
}
