import type { FileFacts, Unit } from '../../facts/facts.ts'
import { ancestors, cured } from '../../facts/query.ts'
import { loopVariable } from '../../flow/threads/loop-variables.ts'
import { isMadeInLoop, outerWrites, runsBeside, sharersOf } from '../../flow/state/sharing.ts'
import { goFor } from '../../project/project.ts'
import { type FileView, type Report } from '../rule.ts'

/** Languages whose tests close over variables of the file; elsewhere each test has an object of its own. */
export const CLOSES_OVER = ['go', 'typescript']

/** It starts a test server, by itself or through helpers of the file. */
export const serves = (unit: Unit, facts: FileFacts, depth = 0): boolean =>
  unit.calls.some(c =>
    /^net\/http\/httptest\.New(TLS)?Server$/.test(c.name)
    || (c.target !== undefined && depth < 3 && serves(facts.units[c.target]!, facts, depth + 1))
  )

const OWN_IN_EACH_ROUND = 22

export function* captured(unit: Unit, { facts, project }: FileView): Iterable<Report> {
  if (facts.language !== 'go' || (goFor(project, facts.path) ?? OWN_IN_EACH_ROUND) >= OWN_IN_EACH_ROUND) return
  const variable = loopVariable(facts, unit)
  if (variable)
    yield {
      at: variable.span,
      unit: unit.id,
      confidence: 'high',
      message:
        `${variable.target} is one variable for all rounds before Go 1.22: the subtests run when the loop is over, and all see its last value`,
      related: [{ span: unit.nameSpan, message: 'runs when the loop is over' }],
    }
}

export function* shared(unit: Unit, { facts }: FileView): Iterable<Report> {
  if (cured(facts, unit, 'serialise') || unit.calls.some(c => /\b(Lock|lock|acquire|runExclusive|Do)$/.test(c.name))) return
  const seen = new Set<string>()
  for (const write of outerWrites(unit)) {
    if (seen.has(write.target) || write.target === '_' || !runsBeside(facts, unit, write.target)) continue
    seen.add(write.target)
    const others = sharersOf(facts, unit, write.target).filter(u =>
      runsBeside(facts, u, write.target) && !ancestors(facts, u).includes(unit) && !ancestors(facts, unit).includes(u)
    )
    const many = isMadeInLoop(facts, unit)
    if (others.length === 0 && !many) continue
    yield {
      at: write.span,
      unit: unit.id,
      confidence: 'medium',
      message: `sets ${write.target}, which ${many ? 'every test of this loop' : `${others[0]!.title} also uses`}${
        many ? ' sets' : ''
      }, while they run at the same time`,
      related: others.slice(0, 3).map(u => ({ span: u.nameSpan, message: 'runs beside it' })),
    }
  }
}
