// What a test starts in the background and then looks at once, with no wait between the two.

import type { Call, FileFacts, Span, Unit, Value } from '../../facts/facts.ts'
import { closureOf, has, inForce, looksLikePoll, polls, runsIn, valuesIn, within } from '../../facts/query.ts'
import { isInside, isListener, names, startOf } from '../threads/background.ts'
import { isGiven, isRead, isOverWith, outputOf } from './programs.ts'

export interface Glance {
  readonly look: Call
  readonly start: Call
  readonly how: 'output' | 'file' | 'connection' | 'mock'
}

/** Names that wait, whoever wrote them; and commands after which the thing has come to its end. */
const WAITS =
  /wait|ready|until|poll|retry|eventually|sleep|timeout|join|communicate|readline|expect_|health(y|check)|container_?check|_up\b|sync$|^(podman|docker)( container| pod)? (stop|rm|kill|attach|wait|restart|start --attach|start -a|healthcheck run)|^systemctl (stop|is-active)|^(wait|read|kill|inotifywait|jobs|fg)$/i

export const waits = (file: Pick<FileFacts, 'units'>, call: Call): boolean => call.result === 'awaited' || isWaiting(file, call)

const isWaiting = (file: Pick<FileFacts, 'units'>, call: Call): boolean =>
  has(call, 'sync', 'sync-timed', 'wait-until', 'sleep') || looksLikePoll(call) || isRetried(call)
  || (WAITS.test(call.name) && !/^fs\./.test(call.name))
  || (call.target !== undefined
    && file.units[call.target]!.calls.some(c => has(c, 'sync', 'sync-timed', 'wait-until', 'sleep') || WAITS.test(c.name)))

/** `socat - tcp:localhost:5000,retry=10`: it tries until somebody listens. */
const isRetried = ({ name, args }: Call): boolean => name === 'socat' && args.some(a => /,(retry=\d|forever\b)/.test(texts(a)))

export function* glances(file: Pick<FileFacts, 'units'>, unit: Unit): Generator<Glance> {
  let start: Call | undefined, told = ''
  const shell = unit.regions.some(r => r.kind === 'background')
  for (const call of [...unit.calls].sort((a, b) => a.span.end - b.span.end || a.span.start - b.span.start)) {
    if (polls(unit, call.in)) continue
    const background = within(unit, call.in, 'background')
    if (background || isStart(file, unit, call)) {
      start = call
      continue
    }
    if (!start || runsIn(unit, call.in) !== 'inline' || startOf(unit, call.in) !== undefined) continue
    // What is awaited may be the look itself.
    const how = isOverWith(unit, start, call.in) ? undefined : looksAt(file, unit, call, start, shell)
    if (isOverWith(unit, start, call.in) || outputOf(unit, call)
      || (waits(file, call) && !(how === 'connection' && has(call, 'network') && !isWaiting(file, call)))) start = undefined
    else {
      if (how && told !== `${start.span.start} ${how}`) yield { look: call, start, how }
      if (how) told = `${start.span.start} ${how}`
    }
  }
}

/** Told by an event, a promise or a line of output that it is there. */
const TOLD = /(^|\.)(on|once|then|addListener|addEventListener|Promise\.new)$/
const IN_PROCESS = /(^|[.:])(listen|createServer|setupServer|HTTPServer|start_server|MockWebServer\.\w+)$/

/** A hook starts a server as a program of its own, nothing waits for it there, and the first thing that a test does is to connect. */
export function* fromHooks(file: FileFacts, unit: Unit, textOf: (span: Span) => string): Generator<Glance> {
  if (unit.role.is !== 'test') return
  const hooks = inForce(file, unit).filter(u => u.role.is === 'hook').map(u => ({ u, calls: beforeYield(u, textOf) }))
  const isServer = (c: Call) => starts(c) && !shellStart(c) && c.result !== 'awaited' && SERVER.test(textOf(c.span))
  const start = hooks.flatMap(({ u, calls }) => calls.filter(c => isServer(c) && runsIn(u, c.in) === 'inline'))[0]
  if (!start
    || hooks.some(({ calls }) =>
      calls.some(c => c !== start && (waits(file, c) || TOLD.test(c.name) || IN_PROCESS.test(c.name) || has(c, 'bind-port')))
    )) return
  for (const call of [...unit.calls].sort((a, b) => a.span.end - b.span.end)) {
    if (polls(unit, call.in) || runsIn(unit, call.in) !== 'inline' || isWaiting(file, call) || TOLD.test(call.name) || outputOf(unit, call)
      || starts(call)) return
    if (has(call, 'network') && local(call)) return void (yield { look: call, start, how: 'connection' })
    if (call.result === 'awaited') return
  }
}

/** What comes after a fixture's `yield` comes after the test. */
function beforeYield(hook: Unit, textOf: (span: Span) => string): Call[] {
  const at = textOf(hook.span).search(/^\s*(?:\w+ = )?yield\b/m)
  return at < 0 ? hook.calls : hook.calls.filter(c => c.span.start < hook.span.start + at)
}

/** `socat TCP-LISTEN:9000 … &` with nothing after it in the test that waits: who comes next may come before it listens. */
export const listensBehind = (file: Pick<FileFacts, 'units'>, unit: Unit): Call | undefined =>
  unit.role.is !== 'test'
    ? undefined
    : unit.calls.find(call =>
      has(call, 'bind-port') && within(unit, call.in, 'background') && !unit.calls.some(c => c.span.start > call.span.end && waits(file, c))
    )

/** Starts a program, a container or a service, and comes back at once. */
export const starts = (call: Call): boolean =>
  (has(call, 'start') && !has(call, 'sync') && !attached(call)) || /(^|\.)(ProcessBuilder\.start|Runtime\.exec)$/.test(call.name)

const isStart = (file: Pick<FileFacts, 'units'>, unit: Unit, call: Call): boolean =>
  starts(call) || (call.target !== undefined && file.units[call.target]!.calls.some(c => has(c, 'start')))
  || (has(call, 'spawn') && call.resolution !== 'guess' && !isListener(call)
    && ((call.result === 'discarded' && closureOf(unit, call) >= 0) || servesIn(file, unit, call)))

/** What takes its port only once it runs. A `Serve(listener)` or `serve_forever` has had it since the thing was made. */
const SERVES = /(^|[.:])(ListenAndServe\w*|listen_?(and_?)?serve|listen|run|run_?(server|forever|app)|start_?(server|listening)|main)$/i
export const SERVER = /serv|listen|daemon|broker|proxy|accept|app$|httpd|uvicorn|endpoint/i

/** A thread whose work is a server: handed over by name, or called in a closure that does nothing else. */
function servesIn(file: Pick<FileFacts, 'units'>, unit: Unit, start: Call): boolean {
  const handed = [start.named['target'], ...start.args].some(v =>
    v?.is === 'name' && ((SERVES.test(v.path) && SERVER.test(v.path)) || isServe(unit, start, v.path) || bindsIn(file, unit, v.path))
  )
  const closure = closureOf(unit, start)
  const work = closure < 0 ? [] : unit.calls.filter(c => isInside(unit, c.in, closure) && !has(c, 'log', 'exit'))
  return handed
    || (work.length === 1 && SERVES.test(work[0]!.name)
      && SERVER.test(`${work[0]!.name} ${work[0]!.receiver?.is === 'name' ? work[0]!.receiver.path : ''}`))
}

/**
 * A function that serves, of this file or another; one of an object that was made here may have its port already, and so has a socket that
 * it is given.
 */
const isServe = (unit: Unit, start: Call, path: string): boolean =>
  /(^|\.)_?serve$/.test(path) && !unit.writes.some(w => w.target === path.split('.')[0])
  && !Object.values(start.named).some(v =>
    [...valuesIn(v, unit)].some(x => x.is === 'name' && /sock(et)?$|listener$|server$|^ln$/i.test(x.path))
  )

/** A function of the file that takes a port, and is told by nobody that it may begin. */
const bindsIn = ({ units }: Pick<FileFacts, 'units'>, unit: Unit, path: string): boolean =>
  units.some(u =>
    u.role.is === 'helper' && u.name === path && (u.parent === unit.id || u.parent === 0)
    && u.calls.some(c => has(c, 'bind-port') || (SERVES.test(c.name) && SERVER.test(c.name)))
  )

const attached = (call: Call): boolean =>
  call.args.some(a => a.is === 'literal' && /^(--attach|-a|-ai|--wait|--interactive|-i)$/.test(String(a.value)))

function looksAt(file: Pick<FileFacts, 'units'>, unit: Unit, call: Call, start: Call, shell: boolean): Glance['how'] | undefined {
  // `verify(delegate).execute(task)`: the mock is who runs the work.
  const verified = unit.calls[unit.calls.indexOf(call) + 1]
  if (/verify$/.test(call.name))
    return has(call, 'observe') && has(start, 'spawn') && !claimsNothing(unit, call)
        && !/\.(execute|submit|schedule\w*)$/.test(verified?.name ?? '')
      ? 'mock'
      : undefined
  const detached = starts(start)
  if ((detached || startsIn(file, start)) && !shellStart(start) && isRead(unit, call) && isGiven(unit, call, start)) return 'file'
  if (has(call, 'observe') && !follows(call))
    return detached && (shellRead(call) || handles(unit, call, start)) && !isOverwritten(unit, call) ? 'output' : undefined
  if (shell && readsFile(unit, call, start)) return 'file'
  return (has(call, 'network') || isSocket(unit, call)) && !holdsPort(unit, start)
      && (detached ? publishes(start) || !shellStart(start) : !('--retry' in call.named))
      && (local(call) || (!detached && servesIn(file, unit, start) && !isFar(call)))
    ? 'connection'
    : undefined
}

const boundBy = (unit: Unit, value: Value): boolean =>
  (value.is === 'group' ? value.of : [value]).some(v =>
    v.is === 'call' && has(unit.calls[v.call]!, 'bind-port') && /(bind|listen\w*)$/i.test(unit.calls[v.call]!.name)
  )

/** It is given a listener that was bound before: who connects meanwhile waits in its queue. */
function holdsPort(unit: Unit, start: Call): boolean {
  const closure = closureOf(unit, start)
  const used = [start, ...unit.calls.filter(c => closure > 0 && isInside(unit, c.in, closure))].flatMap(
    c => [...(c.receiver ? [c.receiver] : []), ...c.args, ...Object.values(c.named)],
  )
  return unit.writes.some(w => w.span.end <= start.span.start && boundBy(unit, w.value) && used.some(v => names(unit, v, w.target)))
}

/** A helper that starts a program and comes back at once. */
function startsIn(file: Pick<FileFacts, 'units'>, { target }: Call): boolean {
  const helper = target === undefined ? undefined : file.units[target]
  return helper !== undefined && helper.calls.some(starts) && !helper.calls.some(c => waits(file, c) || outputOf(helper, c))
}

/** `s.connect(path)` of a plain socket. */
const isSocket = (unit: Unit, { name, receiver }: Call): boolean =>
  /\.connect$/.test(name) && receiver?.is === 'name'
  && unit.writes.some(w =>
    w.target === receiver.path && [...valuesIn(w.value, unit)].some(v => v.is === 'call' && unit.calls[v.call]!.name === 'socket.socket')
  )

/** Nobody looks at what `run` kept of it before the next `run` keeps something else. */
function isOverwritten(unit: Unit, look: Call): boolean {
  const kept = unit.writes.filter(w => w.target === 'output')
  const next = kept.some(w => w.span.start <= look.span.start && w.span.end >= look.span.end)
    ? kept.find(w => w.span.start >= look.span.end)
    : undefined
  const reads = (v: Value) => [...valuesIn(v, unit)].some(x => x.is === 'name' && /^(output|lines)\b/.test(x.path))
  const between = ({ start }: Span) => next !== undefined && start >= look.span.end && start < next.span.start
  return next !== undefined && !unit.assertions.some(a => between(a.span) && a.operands.some(reads))
    && !unit.writes.some(w => between(w.span) && reads(w.value))
    && !unit.calls.some(c => between(c.span) && !has(c, 'log') && c.args.some(reads))
    && !unit.regions.some(r => between(r.span) && r.condition !== undefined && reads(r.condition))
}

const shellRead = (call: Call): boolean => /^(docker|podman|docker-compose|kubectl) |^journalctl/.test(call.name)
const shellStart = (call: Call): boolean => /^(docker|podman|docker-compose|systemctl) /.test(call.name)
/** `logs -f` goes on until the end, and `never()` passes too early, not too late. */
const follows = (call: Call): boolean => call.args.some(a => a.is === 'literal' && /^(-f|--follow|-\w*f\w*)$/.test(String(a.value)))
const claimsNothing = (unit: Unit, call: Call): boolean =>
  call.args.some(a => a.is === 'call' && /\.(never|atMost|timeout|after|noInteractions)$/.test(unit.calls[a.call]?.name ?? ''))
const publishes = (start: Call): boolean =>
  ['-p', '--publish', '-P'].some(o => o in start.named) || start.args.some(a => a.is === 'literal' && a.value === '-P')

/** A file that the started program was told to write. */
function handles(unit: Unit, call: Call, start: Call): boolean {
  const file = call.args[0]
  return file !== undefined && file.is === 'name'
    && unit.calls.some(c =>
      c !== call && c.span.end <= start.span.end
      && [...c.args, ...Object.values(c.named)].some(v => v.is === 'name' && v.path === file.path)
    )
}

const READERS = /^(cat|grep|head|tail|wc|diff|cmp|<)$/
function readsFile(unit: Unit, call: Call, start: Call): boolean {
  // What is only printed is for the log.
  if (!READERS.test(call.name) || (/^(cat|head|tail)$/.test(call.name) && call.result === 'discarded')) return false
  const region = start.in
  return unit.calls.some(c =>
    /^(&?>>?\|?|2>|&>)$/.test(c.name) && isInside(unit, c.in, region) && within(unit, c.in, 'background')
    && call.args.some(a => c.args[0] !== undefined && spelt(unit, a) !== '' && spelt(unit, a) === spelt(unit, c.args[0]))
  )
}

/** A file's name as it is written, variables included. */
function spelt(unit: Unit, value: Value): string {
  if (value.is === 'literal') return value.value === '/dev/null' ? '' : String(value.value)
  if (value.is === 'name') return `$${value.path}`
  if (value.is === 'call') return unit.calls[value.call]?.name ?? ''
  return value.is === 'text' ? value.parts.map(p => spelt(unit, p)).join('') : ''
}

const LOCAL = /localhost|127\.0\.0\.1|\[?::1\]?|0\.0\.0\.0/
const texts = (
  value: Value,
): string =>
  value.is === 'literal'
    ? String(value.value)
    : value.is === 'text'
    ? value.parts.map(texts).join('')
    : value.is === 'group'
    ? value.of.map(texts).join(' ')
    : ''
/** A host of the world, written out. */
const isFar = (call: Call): boolean => [...call.args, ...Object.values(call.named)].some(a => /\/\/[\w-]+\.[a-z]/.test(texts(a)))
export const local = (call: Call): boolean => [...call.args, ...Object.values(call.named)].some(a => LOCAL.test(texts(a)))
