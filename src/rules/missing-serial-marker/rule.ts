import type { FileFacts, Span, Unit } from '../../facts/facts.ts'
import { cured, has, isTestCode, marked, runsIn } from '../../facts/query.ts'
import { parallelFor } from '../../project/project.ts'
import { defineRule } from '../rule.ts'

const GLOBALS = /^(process\.env|os\.environ|global|globalThis|window)\b/

export default defineRule(
  {
    id: 'missing-serial-marker', title: 'A test changes something that the whole process shares while other tests run beside it', category: 'state', severity: 'error',
    triggers: ['env-write', 'cwd-write', 'global-write', 'global'], parallel: true, confirm: ['parallelise'], since: '0.1.0',
  },
  function* ({ facts, project }) {
    const runner = parallelFor(project, facts.language, facts.path)
    for (const unit of facts.units) {
      if (unit.role.is !== 'test' || !isTestCode(facts, unit) || marked(facts, unit, 'serial') || cured(facts, unit, 'serialise')) continue
      const beside = marked(facts, unit, 'parallel') ? 'it is marked to run beside others' : runner.on && runner.scope === 'threads' ? runner.because : undefined
      if (!beside) continue
      const change = changes(facts, unit)
      if (change) yield { at: change.span, unit: unit.id, confidence: change.sure ? 'high' : 'medium', message: `changes ${change.what} while other tests may run (${beside})` }
    }
  },
)

const WHAT = { 'env-write': 'the process environment', 'cwd-write': 'the working directory', 'global-write': 'state of the whole process' } as const

function changes(facts: FileFacts, unit: Unit): { span: Span; what: string; sure: boolean } | undefined {
  for (const call of unit.calls) {
    if (has(call, 'restore')) continue
    const kind = (['env-write', 'cwd-write', 'global-write'] as const).find(k => has(call, k))
    if (kind && runsIn(unit, call.in) === 'inline') return { span: call.span, what: WHAT[kind], sure: call.resolution !== 'guess' && kind !== 'global-write' }
    const helper = call.target === undefined ? undefined : facts.units[call.target]
    const inner = helper?.calls.find(c => has(c, 'env-write', 'cwd-write'))
    if (inner) return { span: call.span, what: WHAT[has(inner, 'env-write') ? 'env-write' : 'cwd-write'], sure: false }
  }
  const write = unit.writes.find(w => GLOBALS.test(w.target) && !w.declares)
  return write && { span: write.span, what: /env/.test(write.target) ? WHAT['env-write'] : write.target, sure: true }
}
