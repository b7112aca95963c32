import type { Call, FileFacts, Region, Unit } from '../../facts/facts.ts'
import { has, valuesIn } from '../../facts/query.ts'
import { closeThree } from '../../fixes/bats.ts'
import { killedLate } from '../../flow/state/lifetimes.ts'
import { defineRule } from '../rule.ts'

export default defineRule(
  {
    id: 'bats-background-holds-fd-three',
    title: 'A command left running in the background holds bats’ own output open, and bats waits for it',
    category: 'waiting',
    severity: 'warning',
    triggers: [],
    words: { bash: ['[^&|>]&[ \\t]*(?:\\n|#|$)'] },
    confirm: ['repeat'],
    cap: 'medium',
    since: '0.2.0',
  },
  function* (view) {
    const { facts, textOf } = view
    if (!/\.(bats|bash)$/.test(facts.path)) return
    for (const unit of facts.units) {
      if (unit.role.is === 'module') continue
      for (const [i, region] of unit.regions.entries()) {
        if (region.kind !== 'background') continue
        const calls = callsIn(unit, i)
        if (calls.length === 0 || calls.some(closes) || SENDS.test(textOf(region.span)) || isBrief(calls)) continue
        if (unit.calls.some(c => c.name === 'exec' && closes(c) && c.span.start < region.span.start)) continue
        const late = killedLate(facts, unit, region)
        if (late) {
          yield {
            at: region.span,
            unit: unit.id,
            confidence: 'medium',
            message: `«${
              nameOf(calls)
            }» is killed only when the assertions before that hold: where one fails, it keeps descriptor 3 open and bats hangs; kill it in teardown`,
            // With the descriptor closed it would still go on: that is no cure to offer.
            related: [{ span: late.behind.span, message: 'a failure here leaves it running' }],
          }
          continue
        }
        if (isAwaited(unit, region)) continue
        // Whoever hands the child's id on, or gives it a time limit, has thought of its end.
        const kept = unit.writes.some(w =>
          w.span.start >= region.span.end && w.value.is === 'name' && w.value.path === '!' && isAskedFor(w.target, facts)
        ) || calls.some(c =>
          has(c, 'timeout')
        )
        const ended = kept || facts.units.some(u => u.role.is === 'hook' && u.role.when === 'after' && u.calls.some(isEnd))
        yield {
          at: region.span,
          unit: unit.id,
          confidence: ended ? 'low' : calls.some(c => LASTS.test(textOf(c.span))) ? 'high' : 'low',
          message: `«${nameOf(calls)}» goes on after the test and keeps descriptor 3 open: bats hangs until it ends; start it with «3>&-»`,
          fixes: closeThree(view, region),
        }
      }
    }
  },
)

/** Somebody names it: here, or in a file that this one loads or that loads this one. */
const isAskedFor = (name: string, { path, units }: FileFacts): boolean =>
  !path.endsWith('.bats')
  || units.some(u =>
    u.calls.some(c =>
      /^(load|source|\.|bats_load_library|export)$/.test(c.name)
      || c.args.some(a => [...valuesIn(a, u)].some(v => v.is === 'name' && v.path === name))
    )
  )

/** What goes on until somebody ends it. */
const LASTS = /server\b|serve\b|daemon|\bhttpd\b|\blisten|\bwatch|\bnc\b.*\s-\w*l|\btail\s+-\w*f|\bsleep\s+(inf|\d{3,}|\d+[mhd])|\bsocat\b/i

/** Descriptor 3 is a file of the test's own: `3> ready`. */
const SENDS = /(?<![\w&])3>>?\s*["'$\w./]/
const closes = (call: Call): boolean => '3>&' in call.named
const nameOf = (calls: readonly Call[]): string => (calls.findLast(c => !/^>/.test(c.name)) ?? calls.at(-1)!).name
const isEnd = (call: Call): boolean =>
  /^(kill|pkill|killall|wait)$/.test(call.name) || /(^|[_\s-])(kill|stop|terminate|shutdown)(_|\s|-|$)/.test(call.name)

function callsIn(unit: Unit, region: number): Call[] {
  const inside = (at: number): boolean => at === region || (at !== 0 && inside(unit.regions[at]!.in))
  return unit.calls.filter(c => inside(c.in))
}

/** Nothing but a short sleep and what takes no time. */
const isBrief = (calls: readonly Call[]): boolean =>
  calls.every(c =>
    has(c, 'log') || /^(touch|rm|cp|mv|kill|cat|>|>>|true|:|exit|mkdir|read|test|return|printf)( |$)/.test(c.name)
    || c.effects.some(e => e.kind === 'sleep' && (e.ms ?? Infinity) <= 5000)
  )

/** The same function waits for it or ends it. */
const isAwaited = (unit: Unit, region: Region): boolean =>
  unit.calls.some(c => c.span.start >= region.span.end && isEnd(c))
  || unit.calls.some(c => c.name === 'trap' && c.span.start < region.span.start)
