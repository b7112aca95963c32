import { effectOf, has, isProperty, isTestCode, valuesIn } from '../../facts/query.ts'
import { constantSeed } from '../../fixes/seeds.ts'
import { drawsForNone } from '../../flow/chance/fed.ts'
import { argumentIngredients, type Origin } from '../../flow/flow.ts'
import { isSalted } from '../../flow/order/hashes.ts'
import type { Unit, Value } from '../../facts/facts.ts'
import { defineRule, type FileView } from '../rule.ts'
import { confidenceOf, way } from '../wording.ts'

export default defineRule(
  {
    id: 'nondeterministic-seed',
    title: 'A generator is seeded with something that changes from run to run',
    category: 'random',
    severity: 'error',
    triggers: ['seed'],
    confirm: ['seed-vary'],
    cap: 'medium',
    since: '0.1.0',
  },
  function* (view) {
    const { facts, flows } = view
    const seen = new Set<string>()
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isProperty(facts, unit)) continue
      for (const call of unit.calls) {
        const seed = effectOf(call, 'seed')
        if (!seed || seed.through) continue
        const salted = (o: Origin) => o.kind === 'identity' && isSalted(facts.units[o.unit]!.calls[o.call]!, facts.units[o.unit]!)
        const changes = (o: Origin) => /^(clock|mono|random|process-id)$/.test(o.kind) || salted(o)
        const from = argumentIngredients(flows, unit, call, seed).origins.find(o => changes(o) && !o.opaque)
        if (!from || seen.has(`${from.unit}:${from.call}`)) continue
        seen.add(`${from.unit}:${from.call}`)
        const told = (facts.units[from.unit]!.role.is === 'suite' || facts.units[from.unit]!.role.is === 'module' ? facts.units : [unit])
          .some(u => isTold(u, from, view.textOf))
        yield {
          at: call.span,
          unit: unit.id,
          confidence: told || drawsForNone(view, unit, call) ? 'low' : isLookedAt(unit) ? confidenceOf(call) : 'medium',
          ...(told && { severity: 'note' as const }),
          message: told
            ? 'seeded anew in every run; the seed is printed, so a failure can be repeated by hand'
            : `seeded from ${WORDS[from.kind] ?? 'chance'}: the seed is lost with the run, and so is the failure`,
          trace: way(from, 'changes from run to run', { span: call.span, message: 'and becomes the seed' }),
          fixes: told ? [] : constantSeed(view, call),
        }
      }
    }
  },
)

const WORDS: Partial<Record<string, string>> = { clock: 'the clock', mono: 'the clock', random: 'another random number',
  'process-id': 'the process id', identity: 'a hash that is another one in every process' }

/**
 * The seed's variable is printed, logged, put into a message, given back, or handed to a helper that tells it: `assertSortedWithSeed(seed,
 * …)`.
 */
function isTold(unit: Unit, origin: Origin, textOf: FileView['textOf']): boolean {
  const names = new Set(origin.steps.map(s => s.name))
  const holds = (value: Value) => [...valuesIn(value, unit)].some(v => v.is === 'name' && names.has(v.path))
  return unit.calls.some(c =>
    [...c.args, ...Object.values(c.named)].some(a =>
      (has(c, 'log') || a.is === 'text' || (/[a-z_]Seed|_seed/.test(c.name) && !has(c, 'seed'))) && holds(a)
    )
  ) || unit.returns.some(r => r.is === 'name' && names.has(r.path))
    || unit.calls.some(c => LOGS.test(c.name) && [...names].some(n => new RegExp(`\\{${n}\\b`).test(textOf(c.span))))
}

/** A macro that writes a log, of whatever crate: the names stand in its text. */
const LOGS = /(^|::)(trace|debug|info|warn|error)!$/

/** A test that draws and asserts by itself; what a helper or a whole file is seeded for, nobody can tell here. */
const isLookedAt = (unit: Unit): boolean => unit.role.is === 'test' && unit.assertions.length > 0
