// A made-up project for protocols: tests with rules of behaviour instead of code.

import type { Answer, Ask, Run } from '../src/confirm/protocols/ask.ts'
import { nothingKnown, type Known, type Situation } from '../src/confirm/protocols/known.ts'
import { ladder } from '../src/confirm/protocols/ladder.ts'
import { judge, type Judgement } from '../src/confirm/protocols/verdict.ts'
import { closed } from '../src/confirm/protocols/known.ts'
import type { Abilities, Listed } from '../src/confirm/runner.ts'

export const CAN: Abilities = { order: 'tests', shuffle: false, parallel: true, race: true, phases: true, sharedProcess: true, twice: true }

export const suiteOf = (size: number): Listed[] =>
  Array.from({ length: size }, (_, i) => ({ id: `t${i}`, name: `t${i}`, file: `f${Math.floor(i / 10)}.py`, line: i + 1 }))

/** What happens to the target in a run: given what ran before it, and how many runs there were. */
export type Behaviour = (before: readonly string[], ask: Ask, nth: number) => Partial<Answer> | boolean

export function answers(listed: readonly Listed[], target: Listed, behave: Behaviour): (ask: Ask) => Answer {
  let nth = 0
  return ask => {
    const order = (ask.tests ?? listed).map(t => t.id)
    const before = order.slice(0, order.lastIndexOf(target.id))
    const made = behave(before, ask, ++nth)
    const told = typeof made === 'boolean' ? { outcome: made ? 'pass' as const : 'fail' as const } : made
    return {
      outcome: 'pass',
      setupMs: 1,
      testMs: 2,
      teardownMs: 1,
      ms: 100,
      attempts: 1,
      command: ['run', ...order.slice(-2)],
      before,
      ...told,
    }
  }
}

export const situationOf = (size: number, target: number, more: Partial<Situation> = {}): Situation => {
  const listed = suiteOf(size)
  return { target: listed[target]!, listed, can: CAN, only: new Set(), shakes: [], slowMs: 50_000, ...more }
}

export function climb(situation: Situation,
  behave: Behaviour): { readonly judged: Judgement; readonly known: Known; readonly runs: readonly Run[] }
{
  const known = nothingKnown()
  const answer = answers(situation.listed, situation.target, behave)
  const steps = ladder(situation, known)
  let next = steps.next()
  while (!next.done) {
    const run = { ask: next.value, ...answer(next.value) }
    known.runs.push(run)
    next = steps.next(run)
  }
  const all = closed(known)
  return { judged: judge(all, situation.target), known: all, runs: known.runs }
}
