// What a process takes up, where no call gives the number itself: statistics that are filled into a variable, helpers that measure,
// references that a collector clears.

import type { Assertion, Call, FileFacts, Unit, Value } from '../../facts/facts.ts'
import { has, polls, valuesIn } from '../../facts/query.ts'

type File = Pick<FileFacts, 'units'>

const FILLS = /^runtime(\/debug)?\.(ReadMemStats|ReadGCStats)$/
const STATISTIC = /\.(Alloc|TotalAlloc|Sys|Mallocs|Frees|Heap\w+|Stack\w+|NumGC|NumForcedGC|PauseTotal\w*|GCCPUFraction)$/

/** The call that measured a value: it filled the variable of which this is a field, or the helper that is asked has it. */
export function measuredBy(value: Value, unit: Unit, file: File, at: number, depth = 0): Call | undefined {
  for (const v of valuesIn(value, unit)) {
    const helper = v.is === 'call' ? file.units[unit.calls[v.call]!.target ?? -1] : undefined
    const inside = helper?.role.is === 'helper' && helper.assertions.length === 0
      ? helper.calls.find(c => has(c, 'usage') && !polls(helper, c.in))
      : undefined
    if (inside) return inside
    if (v.is !== 'name') continue
    const filled = STATISTIC.test(v.path)
      ? unit.calls.find(c =>
        FILLS.test(c.name) && c.span.end <= at
        && c.args.some(a => [...valuesIn(a, unit)].some(x => x.is === 'name' && x.path === v.path.split('.')[0]))
      )
      : undefined
    const kept = unit.writes.findLast(w => w.target === v.path && w.span.end <= at)
    const found = filled ?? (kept && depth < 3 ? measuredBy(kept.value, unit, file, kept.span.start, depth + 1) : undefined)
    if (found) return found
  }
  return undefined
}

/** `stub(process, 'memoryUsage').returns(stats)`: what it gives the test has said, and may have asked the real one for. */
export function isStoodIn({ name }: Call, file: File): boolean {
  const method = /\w+$/.exec(name)?.[0]
  return file.units.some(u =>
    u.calls.some(c =>
      has(c, 'mock', 'stub') && c.args.some(a => a.is === 'literal' && typeof a.value === 'string' && a.value.split('.').at(-1) === method)
    )
  )
}

/** `toEqual({ rss: expect.any(Number) })`: that there is a number, not which. */
export const onlyKinds = ({ span }: Assertion, { calls }: Unit): boolean =>
  calls.some(c => c.span.start >= span.start && c.span.end <= span.end && /^expect\.(any|anything)$/.test(c.name))

const COLLECTS = /^(java\.lang\.(System|Runtime)\.(gc|runFinalization)|(global|globalThis)\.gc|gc)$/
const CLEARED = /(^|[.:])(Weak|Soft|Phantom)Reference\.(get|isEnqueued|refersTo)$|^WeakRef\.deref$/

const EMPTIED = /(^|[.:])(size|isEmpty|estimatedSize|count|getCount|length)$/

/** A reference is expected to be empty after the collector was asked to come. It comes when it likes. */
export function collected({ operands, claims, compare, span, in: region }: Assertion, unit: Unit): Call | undefined {
  const isEmpty = claims === 'absence' || (compare === '==' && operands.some(o => o.is === 'literal' && o.value === null))
  const asks = operands.some(o => [...valuesIn(o, unit)].some(v => v.is === 'call' && CLEARED.test(unit.calls[v.call]!.name)))
  // `System.gc(); assertEquals(0, cache.size())`: nothing else can have emptied it.
  const isNext = (c: Call) =>
    c.in === region && claims === 'absence' && operands.some(o => o.is === 'call' && EMPTIED.test(unit.calls[o.call]!.name))
    && !unit.calls.some(x => x.span.start >= c.span.end && x.span.end <= span.start && !COLLECTS.test(x.name))
  if (!asks)
    return polls(unit, region)
      ? undefined
      : unit.calls.findLast(c => COLLECTS.test(c.name) && c.span.end <= span.start && isNext(c))
  return isEmpty && asks && !polls(unit, region)
    ? unit.calls.findLast(c => COLLECTS.test(c.name) && c.span.end <= span.start && !polls(unit, c.in))
    : undefined
}
