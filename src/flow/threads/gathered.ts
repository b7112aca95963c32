// Lists and channels that several pieces of work fill side by side: what they hold stands there in the order in which each got so far.

import type { Call, FileFacts, Unit, Value, Write } from '../../facts/facts.ts'
import { around, effectOf, has, inForce } from '../../facts/query.ts'
import { isInside, startOf, type Work } from './background.ts'

type File = Pick<FileFacts, 'units'>

export interface Gathered {
  /** The list, or the end of the channel from which it is read. */
  readonly name: string
  /** From here on all of them are under way. */
  readonly from: number
  /** What starts the first of them. */
  readonly origin: Call
}

interface Filling extends Work {
  /** What the parameters of a function that is handed over are given. */
  readonly given: ReadonlyMap<string, string>
  /** It is started many times by itself. */
  readonly many: boolean
}

const ADDS =
  /((^\?|List|Deque|Queue|Vector|Vec|Stack|deque)(\.|::)(append|push|push_back|put|offer)|(List|Deque|Queue|Vector|Collection)\.(add|addLast))$/
const SENDS = /(\.|::)(try_|blocking_)?send$/
const CHANNELS = /(^|::)(\w*channel|unbounded|bounded)$/
/** What stands between a lock and what is locked. */
const UNLOCKS = /(\.|::)(lock|write|borrow_mut|get_mut|unwrap|expect|clone|as_mut)$/
/** They run in turn, or when a clock says so; or what they run is a process. */
const IN_TURN =
  /[pP]rocess|Popen|schedule|Timer|invokeAny|nextTick|setI|Microtask|call_soon|call_at|callFromThread|callWhenRunning|run_in_executor|requestA|requestI|exec(a|File)?$|fork$|Cmd\.Start$/
/** One thread for all, or the test's own. */
const ALONE = /newSingleThread|[sS]erializing|[sS]equential|SerialExecutor|directExecutor|sameThread|newDirect|CurrentThread|GOMAXPROCS$/
const POOLS =
  /new(Fixed|Scheduled)ThreadPool$|newWorkStealingPool$|ThreadPoolExecutor(\.new)?$|ForkJoinPool\.new$|ThreadPool::new$|SetLimit$/
const EACH = /(^|[.:])(map|forEach|for_each|mapToObj|rangeClosed|flatMap)$/
const SCOPES = /(^|[.:])scope$/
const WAITS = /(^|[.:])(join|get|result|wait\w*|await\w*|recv|take|acquire)$/

/** What several pieces of work of a unit fill, each name once. */
export function gatheredIn(file: File, unit: Unit): Gathered[] {
  const works = [...worksOf(file, unit)]
  const filled = works.map(work => ({ work, names: namesFilled(file, unit, work) })).filter(w => w.names.length > 0)
  return [...new Set(filled.flatMap(f => f.names))].flatMap(name => {
    const mine = filled.filter(f => f.names.includes(name)).map(f => f.work)
    const born = unit.writes.find(w => w.target === name && startOf(unit, w.in) === undefined && !isAlias(w))
    if (!born || (mine.length < 2 && !mine.some(w => w.many && isRepeated(unit, w.call, born)))) return []
    if (isInOrder(unit, mine, works, born) || file.units.some(u => u.calls.some(isAlone))) return []
    const ends = mine.flatMap(w => [w.call.span.end, ...loopsAround(unit, w.call.in, born).map(r => unit.regions[r]!.span.end)])
    return [{ name, from: Math.max(...ends), origin: mine[0]!.call }]
  })
}

const isAlone = (call: Call): boolean =>
  ALONE.test(call.name) || (POOLS.test(call.name) && [call.args[0], call.named.max_workers].some(a => a?.is === 'literal' && a.value === 1))

function* worksOf(file: File, unit: Unit): Generator<Filling> {
  for (const [region, r] of unit.regions.entries()) {
    const call = r.kind === 'closure' && r.call !== undefined ? unit.calls[r.call] : undefined
    if (!call) continue
    if (isBeside(file, unit, call)) yield { call, body: unit, region, given: new Map(), many: within(unit, call.in) }
    else if (isParallel(unit, call) || isPooled(call) || (r.async === true && isOfAll(unit, r.call!) && isAwaitedFirst(unit, region)))
      yield { call, body: unit, region, given: new Map(), many: true }
  }
  for (const call of unit.calls) {
    if (!isBeside(file, unit, call)) continue
    const handedOver = [...call.args, ...Object.values(call.named)].flatMap(v => (v.is === 'name' ? [v.path] : []))
    const body = file.units.find(u => u.role.is === 'helper' && handedOver.includes(u.name) && (u.parent === unit.id || u.parent === 0))
    if (!body) continue
    const handed = call.named.args?.is === 'group'
      ? call.named.args.of
      : call.args.slice(call.args.findIndex(v => v.is === 'name' && v.path === body.name) + 1)
    yield { call, body, region: 0, given: bound(body, handed), many: within(unit, call.in) }
  }
}

const bound = (body: Unit, values: readonly Value[]): Map<string, string> =>
  new Map(body.params.flatMap((p, i) => {
    const v = values[i]
    return v?.is === 'name' ? [[p, v.path] as const] : []
  }))

const within = (unit: Unit, region: number): boolean => [...around(unit, region)].some(r => r.kind === 'loop' || isEach(unit, r.call))
const isEach = (unit: Unit, call: number | undefined): boolean => call !== undefined && EACH.test(unit.calls[call]!.name)

/** Another thread or task runs it. What is only called like a thread pool is one where the file makes one. */
function isBeside(file: File, unit: Unit, call: Call): boolean {
  const spawn = effectOf(call, 'spawn')
  if (!spawn || spawn.note === 'timer' || spawn.note === 'listener' || IN_TURN.test(call.name)) return false
  if (call.resolution !== 'guess') return isKnownPool(file, unit, call)
  if ([...around(unit, call.in)].some(r => r.call !== undefined && SCOPES.test(unit.calls[r.call]!.name))) return true
  return /submit$/.test(call.name) && file.units.some(u => u.calls.some(c => /ThreadPoolExecutor$/.test(c.name)))
}

/** An executor of the project's own may well run one after the other; what the library makes does not. */
function isKnownPool(file: File, unit: Unit, { name, receiver, args }: Call): boolean {
  const pool = /Executor\w*\.(submit|execute)$/.test(name)
    ? receiver
    : /\.(run|supply)Async$/.test(name) && args.length > 1
    ? args[1]
    : undefined
  if (pool === undefined) return true
  const path = pool?.is === 'name' ? pool.path.replace(/^this\./, '') : ''
  const made = [unit, ...inForce(file, unit)].flatMap(u =>
    u.writes.flatMap(w => (w.target.replace(/^this\./, '') === path && w.value.is === 'call' ? [u.calls[w.value.call]!.name] : []))
  )
  return made.some(n => /^java\.util\.concurrent\./.test(n))
}

/** `items.parallelStream().forEach(…)`, `range(0, 9).parallel().forEach(…)`. */
function isParallel(unit: Unit, call: Call): boolean {
  if (!/[.](forEach|for_each)$/.test(call.name)) return false
  for (let at: Call | undefined = call, depth = 0; at && depth < 10; depth++) {
    if (/[.](parallelStream|parallel|par_iter|into_par_iter)$/.test(at.name)) return true
    at = at.receiver?.is === 'call' ? unit.calls[at.receiver.call] : undefined
  }
  return false
}

/** `crawl(root, { concurrency: 4, onPage: page => seen.push(page) })`: it is told to do several at once. */
const isPooled = ({ named, result }: Call): boolean =>
  result !== 'discarded'
  && [named['concurrency'], named['maxConcurrency'], named['parallelism']].some(n =>
    n?.is === 'literal' && typeof n.value === 'number' && n.value > 1
  )

/** `Promise.all(items.map(async item => …))` */
const isOfAll = (unit: Unit, call: number): boolean =>
  /[.]map$/.test(unit.calls[call]!.name)
  && unit.calls.some(c => /^Promise\.all(Settled)?$/.test(c.name) && c.args.some(a => a.is === 'call' && a.call === call))

/** Up to where it first waits, each is run in its turn. */
const isAwaitedFirst = (unit: Unit, region: number): boolean => {
  const inside = unit.calls.filter(c => isInside(unit, c.in, region))
  const waited = inside.find(c => c.result === 'awaited')
  return waited !== undefined && inside.some(c => ADDS.test(c.name) && c.span.start > waited.span.end)
}

/** The unit's own names that a piece of work adds to. */
function namesFilled(file: File, unit: Unit, work: Filling, depth = 0): string[] {
  const { body, region } = work
  // What it starts in turn is work of its own.
  const isOwn = ({ in: at }: Call | Write) => isInside(body, at, region) && [undefined, region].includes(startOf(body, at))
  const inside = body.calls.filter(isOwn)
  const added = inside.map(c => {
    const into = baseOf(body, c.receiver, c.span.start)
    return ADDS.test(c.name) ? into : SENDS.test(c.name) ? otherEnd(body, into) : undefined
  })
  const written = body.writes.filter(w => w.adds && isOwn(w)).map(w => {
    if (w.target.endsWith('<-')) return w.target.slice(0, -2)
    return w.value.is === 'group' ? baseOf(body, { is: 'name', path: w.target }, w.span.start) : undefined
  })
  const direct = [...added, ...written].flatMap(name => {
    if (name === undefined
      || body.writes.some(w => w.declares && w.target === name && region !== 0 && isInside(body, w.in, region) && !isAlias(w))) return []
    if (body === unit) return [name]
    if (body.params.includes(name)) return work.given.get(name) ?? []
    return body.writes.some(w => w.target === name && !w.adds) ? [] : [name]
  })
  // One helper further: `go produce(out, i)`.
  const through = depth > 0 || body !== unit ? [] : inside.flatMap(c => {
    const target = c.target === undefined ? undefined : file.units[c.target]
    return target ? namesFilled(file, unit, { ...work, body: target, region: 0, given: bound(target, c.args) }, 1) : []
  })
  return [...new Set([...direct, ...through])]
}

/** A name that only stands for another one: `let seen = Arc::clone(&seen)`. */
const isAlias = ({ value }: Write): boolean => value.is === 'name'

/** The variable behind a lock, a clone and other names for it. */
function baseOf(unit: Unit, value: Value | null, offset: number): string | undefined {
  let at = value
  for (let depth = 0; at && depth < 8; depth++) {
    if (at.is === 'call') at = UNLOCKS.test(unit.calls[at.call]!.name) ? unit.calls[at.call]!.receiver : null
    else if (at.is === 'name') {
      const { path } = at
      const made: Value | undefined = unit.writes.findLast(w => w.target === path && w.declares && w.span.end <= offset)?.value
      const next: Value | undefined = made?.is === 'name' && made.path !== path
        ? made
        : made?.is === 'call' && UNLOCKS.test(unit.calls[made.call]!.name)
        ? made
        : undefined
      if (!next) return path
      at = next
    } else return undefined
  }
  return undefined
}

/** The receiver of a channel, by its sender. */
function otherEnd(unit: Unit, sender: string | undefined): string | undefined {
  const made = (
    w: Write,
  ) => (w.value.is === 'group' && w.value.of[0]?.is === 'call' && CHANNELS.test(unit.calls[w.value.of[0].call]!.name)
    ? w.value.of[0].call
    : undefined)
  const call = unit.writes.filter(w => w.target === sender).map(made).find(c => c !== undefined)
  return call === undefined ? undefined : unit.writes.find(w => w.target !== sender && made(w) === call)?.target
}

/** The loops around a place that the variable stands outside of. */
function loopsAround(unit: Unit, region: number, born: Write): number[] {
  return [...around(unit, region)].filter(r =>
    (r.kind === 'loop' || isEach(unit, r.call)) && !(born.span.start >= r.span.start && born.span.end <= r.span.end)
  ).map(r => unit.regions.indexOf(r))
}

const isRepeated = (unit: Unit, call: Call, born: Write): boolean =>
  EACH.test(call.name) || isPooled(call) || loopsAround(unit, call.in, born).length > 0

/** Somebody waits for one before the next is started, or they wait for each other. */
function isInOrder(unit: Unit, mine: readonly Filling[], all: readonly Filling[], born: Write): boolean {
  const first = Math.min(...mine.map(w => w.call.span.start))
  const launches = [...mine.map(w => w.call), ...unit.calls.filter(c => /(^|[.:])start$/.test(c.name) && c.span.start > first)]
  const outside = unit.calls.filter(c =>
    !launches.includes(c) && !all.some(w => w.body === unit && w.region !== 0 && isInside(unit, c.in, w.region))
  )
  const waits = outside.filter(c =>
    has(c, 'sync', 'sync-timed', 'sleep', 'wait-until') || c.result === 'awaited'
    || (c.receiver !== null && c.receiver.is !== 'literal' && WAITS.test(c.name))
  )
  const apart = waits.some(w => launches.some(l => l.span.start < w.span.start) && launches.some(l => l.span.start > w.span.end))
  const joined = waits.some(w =>
    launches.some(l =>
      w.span.start <= l.span.start && w.span.end > l.span.end && w.receiver?.is === 'call' && unit.calls[w.receiver.call] === l
    )
  )
  const together = waits.some(w => launches.some(l => loopsAround(unit, l.in, born).some(r => isInside(unit, w.in, r))))
  return apart || joined || together || takeTurns(mine)
}

/** A sleep of its own length, or a wait for another thing in each, puts them in order; a gate that all of them wait at does not. */
function takeTurns(mine: readonly Filling[]): boolean {
  const waits = mine.map(w =>
    w.body.calls.filter(c => isInside(w.body, c.in, w.region) && has(c, 'sync', 'sync-timed', 'sleep', 'wait-until'))
  )
  if (waits.flat().some(c => has(c, 'sleep') && (mine.length > 1 || effectOf(c, 'sleep')?.ms === undefined))) return true
  const gates = waits.map(calls => calls.filter(c => !has(c, 'sleep')).map(gateOf).sort().join())
  return gates.some(g => g.includes('?') || g !== gates[0])
}

const gateOf = ({ receiver, args, result }: Call): string =>
  result === 'awaited' ? '' : receiver?.is === 'name' ? receiver.path : args[0]?.is === 'name' ? args[0].path : '?'
