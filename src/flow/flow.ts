// Values inside a function, for all languages: from where one arises, through locals, arithmetic, formatting and calls,
// to where it matters. Forward, in source order, without joining paths: what a reader follows with a finger.

import type { EffectKind } from '../facts/effects.ts'
import type { Assertion, Call, FileFacts, Span, Unit, Value } from '../facts/facts.ts'
import type { Folding } from '../facts/fold.ts'
import { argumentOf, has, inForce, valuesIn, within } from '../facts/query.ts'
import { rememberedByName } from '../facts/remembered.ts'

/** Something a value is made of. */
export interface Origin {
  readonly kind: EffectKind
  readonly unit: number
  readonly call: number
  readonly span: Span
  /** An instant or random number as such, a stretch of time between two, a string, or what a condition made of it. */
  readonly shape: 'plain' | 'duration' | 'text' | 'truth'
  /** It went through a function we know nothing about. */
  readonly opaque: boolean
  /** The variables it passed. */
  readonly steps: readonly { readonly span: Span; readonly name: string }[]
}

export interface Ingredients {
  readonly origins: readonly Origin[]
  /** Names that we cannot see behind: parameters, fields, results of other functions. */
  readonly unknown: readonly string[]
}

export interface Flows {
  /** What a value is made of, as it stands at `offset` in the unit. */
  readonly ingredients: (unit: Unit, value: Value | undefined, offset: number) => Ingredients
}

const NOTHING: Ingredients = { origins: [], unknown: [] }
const SOURCES: readonly EffectKind[] = ['clock', 'mono', 'elapsed', 'random', 'unique-id', 'temp-dir', 'process-id', 'unordered',
  'fs-order', 'usage', 'locale', 'completion', 'identity']
/** They change how a value looks, not where it comes from. */
const CONVERTERS: readonly EffectKind[] = ['locale', 'identity']
/** Their results have nothing to do with what they were given. */
const OPAQUE_RESULT: readonly EffectKind[] = ['sleep', 'sync', 'sync-timed', 'wait-until', 'log', 'seed', 'fake-clock', 'stub', 'sort']
const CONVERSIONS =
  /^(int|float|str|round|abs|min|max|repr|bytes|Number|String|parseInt|parseFloat|BigInt|Math\.\w+|Date\.new|java\.lang\.(Math|String|Long|Integer|Double)\.\w+|java\.time\.\w+\.\w+|java\.util\.Date\.new|java\.sql\.Timestamp\.\w+|time\.(Duration|Unix|UnixMilli)|fmt\.Sprintf?|pathlib\.\w+(\.\w+)*|os\.path\.\w+|path\.(join|resolve)|path\/filepath\.Join|std::path::\w+::\w+|strconv\.\w+|datetime\.\w+(\.\w+)*|std::(sync::LazyLock|cell::LazyCell)::new|once_cell::(un)?sync::Lazy::new|i64|u64|u128|f64|usize|uint64|int64|float64|bc|echo|printf|expr|math\.\w+|java\.util\.concurrent\.TimeUnit\.\w+\.(to\w+|convert))$/

/** `'/YYYY/post'.replace('YYYY', year)`; a moment's `replace` names the field. */
const PUTS_IN = /(^|[.:])(replace(All|First)?|replace_all|replacen|strings\.Replace(All)?)$/
/** `naturaltime(now - then)`: some seconds, as people say it. */
const IN_WORDS =
  /(^|[.:_])(natural_?(time|delta)|precise_?delta|humanize\w*|time_?(since|until|ago)|formatDistance(Strict)?|format_?duration|pretty_?ms|humantime::format_duration)$/i

/** A clock of the project's own, by a name that leaves no doubt. */
const CLOCK_NAME =
  /(^|[.:])(get_?(current_?)?time_?(ms|us|ns|millis|micros|nanos)|now_?(ms|us|ns|millis|micros|nanos)|current_?time_?(ms|millis|us|micros|ns|nanos))$/i

const BETWEEN = /(sub|between|since|diff\w*|until|minus|elapsed|duration\w*|subtract|compareTo)$/i

/** What takes an instant and never a span: `now.Sub(cert.NotBefore)`. Since the epoch it is the reading itself. */
const SINCE = /[.:](Sub|duration_since|signed_duration_since|until)$/

interface Entry {
  readonly from: number
  readonly has: Ingredients
}
type Environment = Map<string, Entry[]>

export function flowsOf(file: Pick<FileFacts, 'units'>, folding: Folding): Flows {
  const environments = new Map<number, Environment>()
  const building = new Set<number>()

  function environmentOf(unit: Unit): Environment {
    const known = environments.get(unit.id)
    if (known) return known
    const environment: Environment = new Map()
    environments.set(unit.id, environment)
    if (building.has(unit.id)) return environment
    building.add(unit.id)
    for (const outer of inForce(file, unit)) {
      for (const [path, entries] of environmentOf(outer)) {
        const last = entries.at(-1)
        if (last) environment.set(path, [{ from: -1, has: last.has }])
      }
    }
    const writes = [...unit.writes].sort((a, b) => a.span.end - b.span.end)
    for (const write of writes) {
      const made = evaluate(unit, write.value, write.span.start, environment, 0)
      const stepped: Ingredients = {
        unknown: made.unknown,
        origins: made.origins.map(o => ({ ...o, steps: [...o.steps, { span: write.span, name: write.target }] })),
      }
      const before = environment.get(write.target)
      const keeps = write.adds || (before !== undefined && within(unit, write.in, 'if', 'else', 'loop', 'closure', 'catch', 'select'))
      const has = keeps && before?.length ? join([before.at(-1)!.has, stepped]) : stepped
      before ? before.push({ from: write.span.end, has }) : environment.set(write.target, [{ from: write.span.end, has }])
    }
    building.delete(unit.id)
    return environment
  }

  function lookUp(unit: Unit, path: string, offset: number, environment: Environment): Ingredients {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
      const entries = environment.get(at)
      const entry = entries?.findLast(e => e.from <= offset) ?? (entries?.[0]?.from === -1 ? entries[0] : undefined)
      if (entry) return entry.has
    }
    return folding.constants(unit).has(path) ? NOTHING : { origins: [], unknown: [path] }
  }

  function evaluate(unit: Unit, value: Value | undefined, offset: number, environment: Environment, depth: number): Ingredients {
    if (!value || depth > 25) return NOTHING
    const inner = (v: Value) => evaluate(unit, v, offset, environment, depth + 1)
    switch (value.is) {
      case 'literal':
        return NOTHING
      case 'unknown':
        return { origins: [], unknown: ['…'] }
      case 'name':
        return lookUp(unit, value.path, offset, environment)
      case 'text':
        return shaped(join(value.parts.map(inner)), 'text')
      case 'group':
        return join(value.of.map(inner))
      case 'op':
        return between(operator(value.op, value.of.map(inner)), value.op, value.of, unit, inner)
      case 'call': {
        const call = unit.calls[value.call]
        return call ? ofCall(unit, call, value.call, inner) : NOTHING
      }
    }
  }

  function ofCall(unit: Unit, call: Call, index: number, inner: (v: Value) => Ingredients): Ingredients {
    const own: Origin[] = call.effects.filter(e => SOURCES.includes(e.kind)).map(e => ({
      kind: e.kind,
      unit: unit.id,
      call: index,
      span: call.span,
      shape: e.kind === 'elapsed' ? 'duration' : 'plain',
      opaque: false,
      steps: [],
    }))
    if (call.effects.length === 0 && CLOCK_NAME.test(call.name))
      own.push({ kind: 'mono', unit: unit.id, call: index, span: call.span, shape: 'plain', opaque: false, steps: [] })
    if (call.effects.some(e => OPAQUE_RESULT.includes(e.kind))) return { origins: own, unknown: [] }
    const receiver = call.receiver ? inner(call.receiver) : NOTHING
    const args = join([...call.args, ...Object.values(call.named)].map(inner))
    // Two instants in one call (`end.Sub(start)`, `Duration.between(a, b)`) give the time between them.
    const instants = [...receiver.origins, ...args.origins].filter(isInstant)
    if (own.length === 0 && BETWEEN.test(call.name) && new Set(instants.map(o => o.call)).size > 1)
      return shaped(join([receiver, args]), 'duration')
    if (own.length === 0 && SINCE.test(call.name) && receiver.origins.some(isInstant) && args.unknown.length > 0
      && !args.unknown.some(n => /EPOCH$/.test(n))) return shaped(join([receiver, args]), 'duration')
    if (own.some(o => o.kind === 'elapsed'))
      return { origins: [...own, ...args.origins.map(o => ({ ...o, shape: 'duration' as const }))], unknown: [] }
    // A clock or generator read is what it is, whatever it was given.
    if (own.some(o => !CONVERTERS.includes(o.kind))) return { origins: own, unknown: [] }
    if (own.length > 0) return join([{ origins: own, unknown: [] }, receiver, args])
    if (CONVERSIONS.test(call.name)) return join([receiver, args])
    // What is put into a text is part of it, and so is a measured time that is put into words.
    if (PUTS_IN.test(call.name) && call.args.length > 1) return shaped(join([receiver, args]), 'text')
    if (IN_WORDS.test(call.name) && [...receiver.origins, ...args.origins].some(o => o.shape === 'duration'))
      return shaped(join([receiver, args]), 'text')
    const passed = args.origins.map(o => ({ ...o, opaque: true }))
    // A method of a reading (`now.duration_since(EPOCH).map_err(…)`) gives the reading in another form.
    return receiver.origins.length > 0 ? join([receiver, { origins: passed, unknown: [] }]) : { origins: passed, unknown: [call.name] }
  }

  return {
    ingredients: (unit, value, offset) => evaluate(unit, value, offset, environmentOf(unit), 0),
  }
}

export const isInstant = (o: Origin): boolean => (o.kind === 'clock' || o.kind === 'mono') && o.shape === 'plain'

function operator(op: string, of: readonly Ingredients[]): Ingredients {
  const all = join(of)
  if (op === '-' && of.length === 2 && of.every(i => i.origins.some(isInstant))) {
    // One reading minus itself, moved by a constant, measures nothing.
    const readings = new Set(all.origins.filter(isInstant).map(o => `${o.unit}:${o.call}`))
    return readings.size > 1 ? shaped(all, 'duration') : { origins: [], unknown: all.unknown }
  }
  // A reading minus an instant that came from elsewhere: a parameter, a field, what the code under test gave.
  if (op === '-' && of.length === 2 && isSince(of[0]!, of[1]!)) return shaped(all, 'duration')
  if (/^(==|!=|<|<=|>|>=|in|and|or|not)$/.test(op)) return shaped(all, 'truth')
  return all
}

/** `now.Sub(x)`, told as a difference: whatever it is given there is an instant, and what it gives a stretch of time. */
function between(made: Ingredients, op: string, [later, earlier]: readonly Value[], unit: Unit,
  inner: (v: Value) => Ingredients): Ingredients
{
  if (op !== '-' || !later || !earlier || !made.origins.some(isInstant)) return made
  const isCalled = unit.calls.some(c => c.receiver === later && c.args[0] === earlier && SINCE.test(c.name))
  return isCalled && inner(later).origins.some(isInstant) && inner(earlier).origins.length === 0 ? shaped(made, 'duration') : made
}

/** `startTime` as `start_Time`: patterns for names then know one way of parting words. */
export const snake = rememberedByName((name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1_$2'))

const INSTANT = /(^|[._])(start\w*|begin\w*|began|before|since|t0|now|last\w*|prev\w*|expir\w*|deadline|created\w*)$/i

function isSince(a: Ingredients, b: Ingredients): boolean {
  const [read, other] = a.origins.some(isInstant) ? [a, b] : [b, a]
  return read.origins.some(isInstant) && other.origins.length === 0 && other.unknown.some(n => INSTANT.test(snake(n)))
}

const shaped = (i: Ingredients, shape: Origin['shape']): Ingredients => ({ unknown: i.unknown,
  origins: i.origins.map(o => ({ ...o, shape })) })

function join(parts: readonly Ingredients[]): Ingredients {
  const full = parts.filter(p => p.origins.length > 0 || p.unknown.length > 0)
  if (full.length <= 1) return full[0] ?? NOTHING
  const origins: Origin[] = []
  for (const o of full.flatMap(p => p.origins))
    if (!origins.some(x => x.unit === o.unit && x.call === o.call && x.kind === o.kind && x.shape === o.shape)) origins.push(o)
  return { origins: origins.slice(0, 24), unknown: [...new Set(full.flatMap(p => p.unknown))].slice(0, 24) }
}

/** What an effect's argument is made of. */
export const argumentIngredients = (flows: Flows, unit: Unit, call: Call, effect: Call['effects'][number]): Ingredients =>
  flows.ingredients(unit, argumentOf(call, effect), call.span.start)

/** `assertSame(cart, cart.put("at", now))`: what is asserted keeps it. */
const PUTS_AWAY = /[.:](add|put|set|insert|store|save|write|push|append|\w*expire_?at|update)([A-Z]\w*)?$/i

/**
 * Whether a captured value goes elsewhere than into the comparison: then it is data that the test put in and expects to
 * get back, and what it was does not matter.
 */
export function isHandedOn(unit: Unit, origin: Origin, compared: Span, units: readonly Unit[] = []): boolean {
  if (origin.unit !== unit.id) return true
  const names = new Set(origin.steps.map(s => s.name))
  if (names.size === 0) return false
  const apart = (span: Span) =>
    (span.start >= compared.end || span.end <= compared.start)
    && !origin.steps.some(s => span.start >= s.span.start && span.end <= s.span.end)
  const holds = (value: Value, of = unit) => [...valuesIn(value, of)].some(v => v.is === 'name' && names.has(v.path.split('.')[0]!))
  // `require.NoError(t, os.Chtimes(path, now, now))`: what went well was done.
  const isDone = ({ operands }: Assertion, c: Call) =>
    operands.some(o => o.is === 'literal' && o.value === null) && operands.some(o => o.is === 'call' && unit.calls[o.call] === c)
  // A handler that the test defines inside of itself hands it to whoever asks.
  const isTaken = (inner: Unit) =>
    inner.parent === unit.id && inner.calls.some(c => [...c.args, ...Object.values(c.named)].some(a => holds(a, inner)))
  return units.some(isTaken)
    || unit.writes.some(w =>
      apart(w.span) && !unit.calls.some(c => c.span.start >= w.span.start && c.span.end <= w.span.end && CONVERSIONS.test(c.name))
      && holds(w.value)
    )
    || unit.calls.some(c =>
      // `due.setSeconds(due.getSeconds() + 30)` moves the reading and hands it to nobody.
      apart(c.span) && !CONVERSIONS.test(c.name) && !(c.receiver?.is === 'name' && names.has(c.receiver.path))
      && !has(c, 'log', 'elapsed', 'sleep')
      && (!unit.assertions.some(a => a.span.start <= c.span.start && a.span.end >= c.span.end && !isDone(a, c))
        || (c.receiver?.is === 'name' && PUTS_AWAY.test(c.name)))
      && [...c.args, ...Object.values(c.named)].some(a => holds(a))
    )
}
