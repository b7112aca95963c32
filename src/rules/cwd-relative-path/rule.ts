import type { Call, Unit, Value } from '../../facts/facts.ts'
import { fold } from '../../facts/fold.ts'
import { argumentOf, effectOf, has, inForce, isTestCode, valuesIn } from '../../facts/query.ts'
import { defineRule, type FileView } from '../rule.ts'

export default defineRule(
  {
    id: 'cwd-relative-path', title: 'A test finds its files only from one working directory', category: 'environment', severity: 'note', audit: true,
    triggers: ['cwd-read', 'name-resource'], confirm: ['cwd-change'], since: '0.2.0',
  },
  function* (view) {
    const { facts } = view
    // Their runners set the working directory to the package: a relative path is the custom there.
    if (facts.language === 'go' || facts.language === 'rust') return
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || moves(unit, view)) continue
      for (const call of unit.calls) {
        const effect = effectOf(call, 'name-resource')
        const asks = has(call, 'cwd-read') && isJoined(call, unit)
        const path = effect?.what === 'file' ? relativeIn(argumentOf(call, effect), unit, view) : undefined
        if (asks) yield { at: call.span, unit: unit.id, confidence: 'low', message: 'builds a path from the working directory: from another one the test does not find it' }
        else if (path) yield { at: call.span, unit: unit.id, confidence: 'low', message: `${path} is looked for in the working directory: from another one the test reads or leaves another file` }
      }
    }
  },
)

/** A folder or a file with an ending, from where one stands. */
const RELATIVE = /^(\.{1,2}\/)?[\w-]+(\/[\w.-]+)*(\/[\w-]+|\.\w{1,5})$/

function relativeIn(value: Value | undefined, unit: Unit, view: FileView): string | undefined {
  const text = fold(value, unit, view.folding)
  return typeof text === 'string' && RELATIVE.test(text) ? text : undefined
}

/** Its result becomes part of a longer path. */
const isJoined = (call: Call, unit: Unit): boolean => {
  const holds = (v: Value): boolean => (v.is === 'text' || v.is === 'op' || v.is === 'call') && [...valuesIn(v, unit)].some(x => x.is === 'call' && unit.calls[x.call] === call)
  return unit.writes.some(w => w.value.is !== 'call' && holds(w.value)) || unit.calls.some(c => c !== call && /join|resolve|Path|File/.test(c.name) && c.args.some(a => a.is === 'call' && unit.calls[a.call] === call))
}

/** The test has gone to a folder of its own. */
const moves = (unit: Unit, view: FileView): boolean => [unit, ...inForce(view.facts, unit)].some(u => u.calls.some(c => has(c, 'cwd-write') || /chdir$|^cd$|^pushd$/.test(c.name)))
