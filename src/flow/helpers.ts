// Sees through the helpers of a file: a call to `wait(50)` sleeps if `wait` does, a call to `nowMs()` reads the clock if
// it returns one. Effects of a helper become effects of its callers, with the helper's name in `through`.

import type { Effect, EffectKind } from '../facts/effects.ts'
import type { Call, Unit, Value } from '../facts/facts.ts'
import { fold, milliseconds, type Folded, type Folding } from '../facts/fold.ts'
import { ancestors, argumentOf, around, cures, has, isHandedOn, polls, runsIn, within } from '../facts/query.ts'

const MAX_DEPTH = 3
/** A helper that gives one of these back is a source itself. */
const RETURNED: readonly EffectKind[] = ['clock', 'mono', 'elapsed', 'random', 'unique-id', 'temp-dir', 'process-id']
/** A helper that does one of these on its way does it for its caller. */
const DONE: readonly EffectKind[] = ['fake-clock', 'real-clock', 'fake-net', 'seed', 'serialise', 'wait-until', 'property']

export function seeThroughHelpers(units: readonly Unit[], folding: Folding): void {
  const byName = new Map<string, Unit[]>()
  for (const unit of units)
    if (unit.role.is === 'helper' && unit.name !== '') byName.get(unit.name)?.push(unit) ?? byName.set(unit.name, [unit])
  if (byName.size === 0) return
  for (const unit of units)
    for (const call of unit.calls) {
      const target = targetOf(call, unit, units, byName)
      if (target && target.id !== unit.id) call.target = target.id
    }
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    let changed = false
    for (const unit of units)
      for (const call of unit.calls) {
        if (call.target === undefined || call.effects.length > 0) continue
        const effects = effectsThrough(units[call.target]!, call, unit, folding, units)
        if (effects.length > 0) (changed = true), (call.effects = effects)
      }
    if (!changed) return
  }
}

/** The nearest function of that name: one inside the caller, then one beside it, then any. */
function targetOf(call: Call, caller: Unit, units: readonly Unit[], byName: ReadonlyMap<string, readonly Unit[]>): Unit | undefined {
  if (call.resolution !== 'local' && (call.resolution === 'import' || call.resolution === 'type' || /[.:]/.test(call.name)))
    return undefined
  const last = call.name.slice(Math.max(call.name.lastIndexOf('.'), call.name.lastIndexOf(':')) + 1)
  const named = byName.get(last)
  if (!named) return undefined
  // `Store::new` is the `new` of Store, not of whatever else has one.
  const owner = /(?:^|[.:])([A-Z]\w*)(?:::|\.)\w+$/.exec(call.name)?.[1]
  const owned = owner && named.find(u => u.title.endsWith(`${owner}::${last}`))
  if (owner && call.name.includes('::')) return owned || undefined
  if (owned || named.length === 1) return owned || named[0]
  const near = [caller, ...ancestors({ units }, caller)].map(u => u.id)
  return near.map(id => named.find(u => u.parent === id)).find(u => u !== undefined) ?? named[0]
}

function effectsThrough(helper: Unit, call: Call, caller: Unit, folding: Folding, units: readonly Unit[]): Effect[] {
  const through = helper.name
  const effects: Effect[] = []
  if (helper.calls.some(c => has(c, 'sleep') && polls(helper, c.in) && !isWorker(helper, c.in)))
    effects.push({ kind: 'wait-until', through })
  const sleep = wrappedSleep(helper)
  if (sleep && !isHandedOn(helper, call, caller)) {
    const effect = sleep.effects.find(e => e.kind === 'sleep')!
    const ms = effect.ms
      ?? milliseconds(argumentOf(sleep, effect), helper, withArguments(helper, call, caller, folding, param => defaultOf(helper, param)),
        effect.unitMs ?? 1)
    effects.push({ kind: 'sleep', through, ...(ms !== undefined && { ms }), ...(effect.note !== undefined && { note: effect.note }) })
  }
  const given = returned(helper).flatMap(v => (v.is === 'call' ? helper.calls[v.call]!.effects : []))
  for (const kind of RETURNED) if (given.some(e => e.kind === kind)) effects.push({ kind, through })
  // A function that makes hooks does for its caller what they will do.
  const doers = [helper, ...units.filter(u => u.parent === helper.id && u.role.is === 'hook' && u.role.when === 'before')]
  for (const kind of DONE) {
    const done = effects.some(e => e.kind === kind)
      ? []
      : doers.flatMap(u => u.calls.filter(c => has(c, kind) && !within(u, c.in, 'if', 'closure')))
    // A clock that a helper makes is handed to what is tested as much as one that the test makes.
    if (done.length > 0) effects.push({ kind, through, ...(!done.some(c => cures(c, kind)) && { note: 'handed' }) })
  }
  return effects
}

/** A loop that nothing ends, in a closure: whoever runs it does so beside the helper, which is over long before. */
const isWorker = (helper: Unit, region: number): boolean => {
  const inner = [...around(helper, region)].find(r => r.kind === 'loop' || r.kind === 'closure')
  return inner?.kind === 'loop' && !inner.leaves && !inner.counted && inner.condition === undefined && within(helper, inner.in, 'closure')
}

/** What a helper gives back, local variables looked behind once; not what it only hands to something else on the way. */
function returned(helper: Unit): Value[] {
  const direct = helper.returns.flatMap(value => [...made(value, helper)])
  const behind = direct.flatMap(
    v => (v.is === 'name' ? helper.writes.filter(w => w.target === v.path).flatMap(w => [...made(w.value, helper)]) : []),
  )
  return [...direct, ...behind]
}

function* made(value: Value, helper: Unit, depth = 0): Generator<Value> {
  yield value
  if (depth > 12) return
  const receiver = value.is === 'call' ? helper.calls[value.call]?.receiver : undefined
  const parts = value.is === 'text'
    ? value.parts
    : value.is === 'op' || (value.is === 'group' && value.of.length === 1)
    ? value.of
    : receiver
    ? [receiver]
    : []
  for (const part of parts) yield* made(part, helper, depth + 1)
}

/** The one sleep of a helper that does little else; its callers, not it, are the place to report. */
export function wrappedSleep(helper: Unit): Call | undefined {
  if (helper.role.is !== 'helper' || helper.assertions.length > 0) return undefined
  // A future that is put into a record is nobody's sleep yet.
  const isKept = (c: Call) => c.result === 'used' && /(^|::)time::(sleep|delay_for)$/.test(c.name)
  const sleeps = helper.calls.filter(c =>
    has(c, 'sleep') && !isKept(c) && !within(helper, c.in, 'loop') && runsIn(helper, c.in) === 'inline'
  )
  const others = helper.calls.filter(c => !has(c, 'sleep', 'log') && c.effects.length === 0)
  return sleeps.length === 1 && others.length <= 2 ? sleeps[0] : undefined
}

/** What a parameter is worth where the caller does not say. */
const defaultOf = (helper: Unit, param: string): Value | undefined =>
  helper.writes.find(w => w.target === param && w.adds && w.declares && w.value.is === 'literal')?.value

/** The helper's parameters, bound to what this call gives them, and otherwise to what the asker says. */
export function withArguments(helper: Unit, call: Call, caller: Unit, folding: Folding,
  otherwise = (_param: string): Value | undefined => undefined): Folding
{
  const constants = new Map(folding.constants(helper))
  const params = helper.params.filter(p => p !== 'self' && p !== 'cls')
  params.forEach((param, i) => {
    const given = fold(call.named[param] ?? call.args[i] ?? otherwise(param), caller, folding)
    if (given === undefined) constants.delete(param)
    else constants.set(param, given)
  })
  if (params[0] === '1') bindPositional(helper, call, caller, folding, constants)
  return { constants: unit => (unit === helper ? constants : folding.constants(unit)), durations: folding.durations }
}

/** `local tries=$1; shift; local pause=${1:-5}`: what a function of a script calls what it is given. */
function bindPositional(helper: Unit, call: Call, caller: Unit, folding: Folding, constants: Map<string, Folded>): void {
  for (const { target, value, adds, span } of helper.writes) {
    const [first, otherwise] = value.is === 'group' ? value.of : [value]
    if (adds || first?.is !== 'name' || !/^\d$/.test(first.path) || helper.writes.filter(w => w.target === target).length > 1) continue
    const shifts = helper.calls.filter(c => c.name === 'shift' && c.span.end <= span.start).map(c =>
      Number(c.args[0]?.is === 'literal' ? c.args[0].value : 1)
    )
    const given = call.args[Number(first.path) - 1 + shifts.reduce((sum, n) => sum + n, 0)]
    const worth = given === undefined ? fold(otherwise, helper, folding) : fold(given, caller, folding)
    if (worth === undefined) constants.delete(target)
    else constants.set(target, worth)
  }
}
