// Who answers in the place of a host: a function, a client, a transport or a command that the test has put there itself.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { has, inForce, isTestCode, valuesIn } from '../../facts/query.ts'

interface View {
  readonly facts: FileFacts
  readonly textOf: (span: Span) => string
}

/** What a name was given last before a place: in the unit, or in what is in force around it. */
export function keptOf(path: string, unit: Unit, facts: FileFacts, before = Infinity):
  | { readonly value: Value; readonly in: Unit }
  | undefined
{
  const own = unit.writes.findLast(w => w.target === path && w.span.start < before)
  if (own) return { value: own.value, in: unit }
  for (const u of unit.params.includes(path) ? [] : inForce(facts, unit).reverse()) {
    const value = u.writes.findLast(w => w.target === path)?.value
    if (value) return { value, in: u }
  }
  return undefined
}

/** The call that made what this one is called on, and where: `client` of `client.get(…)`, `TestClient(app)` of `TestClient(app).get(…)`. */
export function makerOf(call: Call, unit: Unit, view: View): { readonly call: Call; readonly in: Unit } | undefined {
  const kept = call.receiver?.is === 'call'
    ? { value: call.receiver, in: unit }
    : keptOf(holderOf(call, view), unit, view.facts, call.span.start)
  const value = kept?.value.is === 'group' && kept.value.of.length === 1 ? kept.value.of[0]! : kept?.value
  return kept && value?.is === 'call' ? { call: kept.in.calls[value.call]!, in: kept.in } : undefined
}

/** The name that is called, or that something is called on. */
const holderOf = (call: Call, { textOf }: View): string =>
  call.receiver?.is === 'name' ? call.receiver.path : call.receiver === null ? textOf(call.nameSpan) : ''

/** Clients that hand a request to the application itself. */
const IN_PROCESS =
  /(^|[._:/])((Async)?TestClient|test_client|TestApp|MockMvc|WebTestClient|APIClient)(\.new)?$|^django\.test\.(Async)?Client$|^werkzeug\.test\.Client$|^falcon\.testing\./
const MADE_UP = /(^|[._:/])(mock|fake|stub|dummy)\w*(\.new|::new|\{\})?$/i
/** `app.request(…)` of Hono, `worker.fetch(…)`, `server.inject(…)`. */
const ASKS_ITSELF = /(^|[\s.(])(app|worker|router|server|handler|SELF|mf)\.(request|fetch|inject|dispatchFetch)$/
/** What runners of web frameworks call the client that they hand to a test. */
const GIVEN = /^(client|test_client|api_client|async_client|admin_client|self\.client)$/

/** What the call is made on, or its function, is no way out: the test made it, or it asks the application itself. */
export function isStoodIn(call: Call, unit: Unit, view: View): boolean {
  const { facts } = view
  const target = call.target === undefined ? undefined : facts.units[call.target]!
  // Beside its tests stands the code under test itself: what it is given, it keeps for later.
  if (target) return isTestCode(facts, target) && answersItself(target)
  if (facts.language === 'bash') return isStubbed(call.name.split(' ')[0]!, unit, view)
  const holder = holderOf(call, view), text = view.textOf({ start: call.span.start, end: call.nameSpan.end })
  if (call.receiver === null && unit.params.includes(holder)) return true
  if (facts.language === 'typescript' && ASKS_ITSELF.test(text)) return true
  const kept = keptOf(holder, unit, facts, call.span.start)
  if (!kept && facts.language === 'python' && GIVEN.test(holder) && isGiven(holder, unit, facts)) return true
  if (!kept && facts.language === 'java' && /^\w+$/.test(holder)
    && new RegExp(`@(?:\\w*Mock\\w*|Spy\\w*)\\b[^;{}]*\\b${holder}\\s*;`).test(view.textOf(facts.units[0]!.span))) return true
  if (kept?.value.is === 'group' && kept.value.of.some(v => v.is === 'call' && has(kept.in.calls[v.call]!, 'stub'))) return true
  if (isIntercepted(holder, unit, view)) return true
  const made = makerOf(call, unit, view)
  if (made
    && (has(made.call, 'stub', 'mock', 'fake-net') || IN_PROCESS.test(made.call.name) || MADE_UP.test(made.call.name)
      || hasTransport(made.call, made.in, view))) return true
  return unit.writes.some(w =>
    w.target.startsWith(`${holder}.`) && TRANSPORT.test(w.target.slice(holder.length + 1)) && !isReal(w.value, unit, view)
  )
}

/** `new dom.window.WebSocket(…)`, and `dom` was made with interceptors: whatever it asks for, they answer. */
function isIntercepted(holder: string, unit: Unit, { facts, textOf }: View): boolean {
  const kept = keptOf(holder.split('.')[0]!, unit, facts)
  return facts.language === 'typescript' && kept?.value.is === 'call'
    && /(?<![\w.])interceptors\s*:\s*\[\s*[^\]\s]/.test(textOf(kept.in.calls[kept.value.call]!.span))
}

/** By a fixture of the framework, or by one of the file that makes it of the application; not by the class itself. */
function isGiven(holder: string, unit: Unit, facts: FileFacts): boolean {
  if (!unit.params.includes(holder)) return holder === 'self.client' && !facts.units.some(u => u.writes.some(w => w.target === holder))
  return facts.units.filter(u => u.role.is === 'hook' && u.name === holder).every(u => u.calls.some(c => IN_PROCESS.test(c.name)))
}

const TRANSPORT = /^(transport|dispatcher|adapter|app|client)$/i
/** Transports that do go out, or that wrap one which does. */
const REAL = /(^|[./])(Transport\{\}|DefaultTransport(\.\w+)?|(Async)?HTTPTransport|HTTPAdapter|\w*Agent\.new|\w*ProxyTransport)$/

/** A client with a transport of the test's own: `http.Client{Transport: fake}`, `httpx.Client(transport=MockTransport(…))`. */
const hasTransport = (call: Call, unit: Unit, view: View): boolean =>
  Object.entries(call.named).some(([key, value]) => TRANSPORT.test(key) && !isReal(value, unit, view))

function isReal(value: Value, unit: Unit, view: View): boolean {
  const goesOut = (v: Value, of: Unit): boolean =>
    [...valuesIn(v, of)].some(x => REAL.test(x.is === 'name' ? x.path : x.is === 'call' ? of.calls[x.call]?.name ?? '' : ''))
  const kept = value.is === 'name' ? keptOf(value.path, unit, view.facts) : undefined
  return value.is === 'literal' || goesOut(value, unit) || (kept !== undefined && goesOut(kept.value, kept.in))
}

/** Names that nobody gives to a function of his own but to stand in for them. */
const KNOWN = /^(fetch|curl|wget|urlopen|request|axios|git|npm|pip3?|docker|ssh|scp|dig|nslookup|ping)$/

/** A function of the file under the name of one that talks, which does not; or one that hands what it is given to nobody. */
function answersItself(helper: Unit): boolean {
  if (helper.calls.some(c => has(c, 'network') || /^(command|builtin|exec|env) /.test(c.name))) return false
  const gives = (c: Call): boolean =>
    [...c.args, ...Object.values(c.named)].some(a =>
      [...valuesIn(a, helper)].some(v => v.is === 'name' && helper.params.includes(v.path.split('.')[0]!))
    )
  return KNOWN.test(helper.name)
    || (helper.params.length > 0 && !helper.calls.some(c => gives(c) && !has(c, 'log') && !/[.](push|append|add)$/.test(c.name)))
}

const PUTS = /^(>|ln|cp|install|touch|mv|tee)$/

/** A command of the shell that the test has put another one in front of: a function, an alias, a file of its name, a stub. */
export function isStubbed(command: string, unit: Unit, { facts }: View): boolean {
  const own = facts.units.filter(u => u.role.is === 'helper' && u.name === command)
  if (own.length > 0) return own.some(answersItself)
  if (facts.stubbed?.includes(command)) return true
  const ends = (value: Value | undefined): boolean => {
    const last = value?.is === 'text' ? value.parts.at(-1) : value
    return last?.is === 'literal' && typeof last.value === 'string' && last.value.endsWith(`/${command}`)
  }
  const stubs = (c: Call): boolean =>
    (/(^|_)(stub|mock|fake)/i.test(c.name) && c.args.some(a => a.is === 'literal' && a.value === command))
    || (PUTS.test(c.name) && (ends(c.named['to'] ?? c.args.at(-1)) || ends(c.args[0])))
    || (c.name === 'alias' && c.args.some(a => a.is === 'literal' && String(a.value).startsWith(`${command}=`)))
  return [unit, ...inForce(facts, unit)].some(u => u.calls.some(stubs))
}
