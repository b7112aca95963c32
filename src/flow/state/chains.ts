// Tests that are run as a chain on one page: each goes on where the one before it has stopped.

import type { Call, FileFacts, Span, Unit } from '../../facts/facts.ts'
import { ancestors, lineage } from '../../facts/query.ts'
import { outerWrites } from './sharing.ts'

export interface Continued {
  readonly unit: Unit
  readonly at: Span
  readonly giver: Unit
  readonly name: string
}

/** What brings a page to a known place, whatever it showed before. */
const ARRIVES = /\.(goto|setContent|goBack|reload|newPage|waitForURL)$/

/** Tests of a serial group of Playwright that neither open the shared page anew nor hand it to somebody who may. */
export function* continuedPages(file: FileFacts): Generator<Continued> {
  const groups = file.units.filter(u => u.markers.some(m => m.is === 'serial' && /describe/.test(m.name)))
  const told = new Set<Unit>()
  for (const group of groups) {
    const tests = file.units.filter(u => u.role.is === 'test' && !u.skips.length && ancestors(file, u).includes(group))
    for (const name of pagesOf(file, group)) {
      const before: Unit[] = []
      for (const unit of tests) {
        const first = unit.calls.find(c => isOf(c, name))
        if (!first || unit.params.includes(name)) continue
        const giver = before.at(-1)
        const handed = unit.calls.some(c =>
          c.span.start <= first.span.start && c !== first && c.args.some(a => a.is === 'name' && a.path === name)
        )
        if (giver && !ARRIVES.test(first.name) && !handed && !told.has(unit)) told.add(unit), yield { unit, at: unit.nameSpan, giver, name }
        before.push(unit)
      }
    }
  }
}

const isOf = ({ receiver }: Call, name: string): boolean => receiver?.is === 'name' && receiver.path === name

/** Pages that a hook opens once for all tests of a group, and that no hook before each test touches. */
function pagesOf(file: FileFacts, group: Unit): string[] {
  const around = [group, ...lineage(file, group)].map(u => u.id)
  const hooks = file.units.filter(u =>
    u.role.is === 'hook' && u.role.when === 'before' && u.parent !== null
    && (around.includes(u.parent) || ancestors(file, u).includes(group))
  )
  const once = hooks.filter(u => u.role.is === 'hook' && u.role.per === 'file')
  const each = hooks.filter(u => u.role.is === 'hook' && u.role.per === 'test')
  const opened = once.flatMap(u =>
    outerWrites(u).filter(w => w.value.is === 'call' && /\.newPage$/.test(u.calls[w.value.call]!.name)).map(w => w.target)
  )
  return opened.filter(name =>
    !each.some(u =>
      u.calls.some(c => isOf(c, name) || c.args.some(a => a.is === 'name' && a.path === name)) || u.writes.some(w => w.target === name)
    )
  )
}
