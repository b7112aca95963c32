// Before Go 1.22 a loop has one variable for all its rounds: a closure that runs when the loop is over sees the last value.

import type { FileFacts, Unit, Write } from '../../facts/facts.ts'
import { isInside } from './background.ts'
import { mentions } from '../state/sharing.ts'

/** The variable of the loop around a parallel subtest that the subtest uses and nobody has copied. */
export function loopVariable(file: FileFacts, unit: Unit): Write | undefined {
  const outer = unit.parent === null ? undefined : file.units[unit.parent]
  if (!outer || !unit.markers.some(m => m.is === 'parallel')) return undefined
  const loop = outer.regions.findLastIndex(r => r.kind === 'loop' && r.span.start <= unit.span.start && r.span.end >= unit.span.end)
  if (loop < 0) return undefined
  const body = outer.writes.filter(w => w.declares && isInside(outer, w.in, loop))
  const copied = (w: Write) => [...body, ...unit.writes.filter(o => o.declares)].some(o => o !== w && o.target === w.target)
  // Those of the header stand alone; what is made in the body is made anew in each round.
  const header = body.filter(w => w.in === loop && w.span.end - w.span.start === w.target.length && w.target !== '_')
  return header.find(w => !copied(w) && !unit.params.includes(w.target) && mentions(unit, w.target))
}
