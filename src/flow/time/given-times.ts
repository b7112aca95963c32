// Times that are called like measured ones and were given: read from a text, reckoned from numbers, the length of something
// that the test made.

import type { Call, Unit, Value } from '../../facts/facts.ts'
import { fold, type Folding } from '../../facts/fold.ts'
import { closureOf, has, valuesIn } from '../../facts/query.ts'
import { snake } from '../flow.ts'

/** Makes a time of a number with its unit: what it holds is told by what is inside. */
const IN_UNITS =
  /(^|[.:])(timedelta(\.\w+)?|Duration(\.new)?|(Duration|TimeSpan)(\.|::)(of|from|new|parse)\w*|(of|from|to)_?(nanos|micros|millis|sec(ond)?s?|minutes|hours|days)(_f(32|64))?)$/i
/** Reads or reckons a time; the clock has no part in it. */
const READS = /^(parse|decode|deserialize|unmarshal|clamp|convert|normali[sz]e|cap|default|sum|add|subtract|multiply|scale|to|from|as)(_|$)/
/** Who does something may take the time for it. */
const WORKS =
  /(^|_)(run|exec\w*|call|measure\w*|time|timed|timeit|bench\w*|profile|wait\w*|sleep|fetch|send|post|get|request|load|query|process|do|invoke|apply|perform|start|stop|finish|end|elapsed|since|took|latency|ping|trace|record|test|check|simulate|work)(_|$)/
/** Things that have a length of their own, and what holds settings. */
const HAS_LENGTH =
  /(^|[._])(track|video|audio|sound|song|clip|media|movie|film|animation|transition|tween|keyframe|episode|recording|subtitle|cue|note|chord|frame|scene|slide|meeting|booking|appointment|shift|trip|route|leg|subscription|lease|token|cookie|config\w*|conf|options?|opts|settings?|params?|props|schedule|policy|spec|defaults?)s?$/i

const lastOf = (name: string): string => snake(/\w+$/.exec(name.replace(/\.new$/, ''))?.[0] ?? '').toLowerCase()

const isData = (value: Value, unit: Unit): boolean =>
  [...valuesIn(value, unit)].every(v => v.is === 'literal' || v.is === 'op' || v.is === 'group' || v.is === 'text')

const givenTo = (call: Call): Value[] => [...call.args, ...Object.values(call.named)]

/** A value of such a name that was given, as far as one can see. */
export function isGivenTime(value: Value, unit: Unit, at: number): boolean {
  if (value.is !== 'name') return false
  const dot = value.path.lastIndexOf('.'), owner = value.path.slice(0, Math.max(0, dot)), field = value.path.slice(dot + 1)
  const made = madeBy(owner || value.path, unit, at)
  if (owner === '') return made !== undefined && (isReckoned(made, unit) || isOfGiven(made, unit, at))
  return HAS_LENGTH.test(snake(owner)) || tellsField(field, unit, at) || (made !== undefined && isAtRest(made, owner, unit, at))
}

function madeBy(path: string, unit: Unit, at: number): Call | undefined {
  const made = unit.writes.findLast(w => w.target === path && w.span.end <= at && !w.adds)?.value
  const inner = made?.is === 'group' && made.of.length === 1 ? made.of[0]! : made
  return inner?.is === 'call' ? unit.calls[inner.call] : undefined
}

/** `parseDuration('150ms')`, `frames(3)`: numbers and texts alone go in, and nobody is waited for. */
function isReckoned(call: Call, unit: Unit): boolean {
  const given = givenTo(call), name = lastOf(call.name)
  if (given.length === 0 || call.result === 'awaited' || closureOf(unit, call) >= 0 || call.effects.length > 0
    || !given.every(v => isData(v, unit))) return false
  return READS.test(name) || ((call.receiver === null || call.resolution === 'import') && call.target === undefined && !WORKS.test(name))
}

/** `timedelta(seconds=info.duration)`, where that was given. */
function isOfGiven(call: Call, unit: Unit, at: number): boolean {
  const given = givenTo(call)
  return IN_UNITS.test(call.name) && given.length > 0 && given.every(v => isData(v, unit) || isGivenTime(v, unit, at))
}

/** Takes down a time that somebody else has measured. */
const TAKES_DOWN = /^(update|record|add|observe|push|report|insert|sample|append|put|track)(_|$)/

/**
 * `stats.Record(3 * time.Millisecond)`, and then `latency := stats.Mean()`: a number that the test itself has told. Where anything in the
 * test takes its time or reads a clock, some of it may be measured after all.
 */
export function isRecorded(value: Value, unit: Unit, folding: Folding, at: number): boolean {
  const asked = value.is === 'name' ? madeBy(value.path, unit, at) : undefined
  const keeper = asked?.receiver?.is === 'name' ? asked.receiver.path : undefined
  if (keeper === undefined || unit.calls.some(c => TAKES_TIME.some(kind => has(c, kind)))) return false
  const worth = (v: Value): boolean =>
    [...valuesIn(v, unit)].some(x =>
      (x.is === 'name' && x.path in folding.durations) || ['number', 'object'].includes(typeof fold(x, unit, folding))
    )
  const isTold = (v: Value): boolean => [...valuesIn(v, unit)].every(x => x.is !== 'call' || typeof fold(x, unit, folding) === 'object')
  const takes = (c: Call): boolean =>
    TAKES_DOWN.test(lastOf(c.name)) && c.args.length > 0 && c.args.every(isTold) && c.args.some(worth) && closureOf(unit, c) < 0
  const made = madeBy(keeper, unit, asked!.span.start)
  return (made !== undefined && made.receiver !== null && takes(made))
    || unit.calls.some(c =>
      c.receiver?.is === 'name' && c.receiver.path === keeper && c.result === 'discarded' && c.span.end <= at && takes(c)
    )
}
const TAKES_TIME = ['sleep', 'clock', 'mono', 'elapsed', 'spawn', 'start', 'sync', 'sync-timed', 'wait-until'] as const

/** The test puts the field in itself: `probe({ format: { duration: '1.5' } })`. */
function tellsField(field: string, unit: Unit, at: number): boolean {
  const isTold = (key: string, value: Value) =>
    snake(key) === snake(field) && value.is === 'literal' && value.value !== 0 && value.value !== null
  return unit.calls.some(c =>
    c.span.end <= at
    && (Object.entries(c.named).some(([key, value]) => isTold(key, value))
      || c.args.some(a => pairs(a).some(([key, value]) => isTold(key, value))))
  )
}

function pairs(value: Value, depth = 0): (readonly [string, Value])[] {
  if (value.is !== 'group' || depth > 6) return []
  const [key, held] = value.of
  const own = value.of.length === 2 && key?.is === 'literal' && typeof key.value === 'string' && held ? [[key.value, held] as const] : []
  return [...own, ...value.of.flatMap(v => pairs(v, depth + 1))]
}

/** `Track(frames=4410, rate=44100)`: made of data, and nothing was asked of it or done with it since. */
function isAtRest(made: Call, path: string, unit: Unit, at: number): boolean {
  const given = givenTo(made), name = made.name.replace(/\.new$/, '')
  const isMaker = made.name.endsWith('.new') || /(^|[.:])[A-Z]\w*$/.test(name) || /::new$/.test(name)
  if (!isMaker || given.length === 0 || has(made, 'elapsed', 'clock', 'mono') || !given.every(v => isData(v, unit))
    || /time[rd]|watch|meter|bench|profil|measur/i.test(name)) return false
  const isIt = (v: Value | null) => v?.is === 'name' && (v.path === path || v.path.startsWith(`${path}.`))
  const isMoved = unit.calls.some(c =>
    c.span.start > made.span.end && c.span.end <= at && (isIt(c.receiver) || givenTo(c).some(isIt))
    && !unit.assertions.some(a => a.span.start <= c.span.start && a.span.end >= c.span.end)
  )
  return !isMoved && !unit.regions.some(r => r.kind === 'with' && r.call !== undefined && unit.calls[r.call] === made)
}
