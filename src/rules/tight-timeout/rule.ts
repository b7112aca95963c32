import type { Unit } from '../../facts/facts.ts'
import { frozenClock, isCalledElsewhere, isProperty, isTestCode, runsIn, within } from '../../facts/query.ts'
import { expectsTimeout, handsClock, inRealTime, isBinding, isDoneAtOnce, isOfServer, isRaced } from '../../flow/waiting/binding.ts'
import { exampleLimits, isShrugged, keptIn, limitsOf, type Limit } from '../../flow/waiting/limits.ts'
import { passedLimits } from '../../flow/waiting/passed-limits.ts'
import { defineRule } from '../rule.ts'
import { spell } from '../wording.ts'
import { words } from './words.ts'
import { isCommand, isDoneAgain, isFirst, isOfPoll, judge, placeOf, SAYS, SHORT_MS, TIGHT_MS, WORTH } from './signs.ts'

export default defineRule(
  {
    id: 'tight-timeout',
    title: 'Something must succeed within a time limit that a busy machine misses',
    category: 'waiting',
    severity: 'warning',
    triggers: ['timeout', 'sync-timed', 'wait-until', 'sleep', 'clock', 'mono', 'elapsed'],
    words,
    confirm: ['cpu-stress'],
    crowds: 8,
    foremost: 5,
    since: '0.1.0',
  },
  function* ({ facts, folding, flows, textOf }) {
    const told = new Set<number>()
    // What is taken by its name is told where its number stands, once.
    const kept = new Map(
      facts.units.filter(u => isTestCode(facts, u)).flatMap(u => [...keptIn(u, folding)].map(limit => [limit.name!, limit] as const)),
    )
    const placed = new Set<number>()
    const aside: { readonly unit: Unit; readonly limit: Limit }[] = []
    for (const unit of facts.units) {
      if (!isTestCode(facts, unit) || isCalledElsewhere(facts, unit)) continue
      const aboutTime = expectsTimeout(facts, unit)
      const said = new Set<number>()
      for (const limit of isProperty(facts, unit)
        ? exampleLimits(unit)
        : [...limitsOf(unit, folding, flows), ...passedLimits(unit, facts.units, folding)])
      {
        if (limit.ms < (limit.is === 'named' ? 0.001 : 1)
          || limit.ms > (isCommand(limit) ? SHORT_MS : isOfServer(limit) ? Infinity : WORTH[isOfPoll(limit) ? 'budget' : limit.is])
          || said.has(limit.span.start)
          || frozenClock(facts, unit, limit.span.start) || isDoneAtOnce(limit, facts) || (limit.is === 'option' && handsClock(unit)))
          continue
        const isBehind = limit.is === 'named' || !isBinding(limit, unit, aboutTime)
        if (isBehind && (limit.is === 'named' || isRaced(limit, unit, aboutTime))) aside.push({ unit, limit })
        if (isBehind || isFirst(limit, unit, textOf) || (limit.is === 'rounds' && isDoneAgain(facts, unit, limit, textOf))) continue
        const source = [...(limit.call?.args ?? []), ...Object.values(limit.call?.named ?? {})].flatMap(
          a => (a.is === 'name' ? kept.get(a.path) ?? [] : []),
        ).find(k => k.ms === limit.ms)
        if (source && placed.has(source.span.start)) continue
        if (source) placed.add(source.span.start)
        said.add(limit.span.start)
        told.add(limit.ms)
        yield {
          at: source ? source.span : placeOf(limit, unit, textOf),
          unit: unit.id,
          confidence: isCommand(limit) || isOfServer(limit) || runsIn(unit, limit.in) === 'spawn' && limit.is === 'limit'
              || (limit.is === 'guard' && (limit.bare || isShrugged(limit, unit) || /[rR]ace|reject/.test(textOf(limit.span))))
            ? 'medium'
            : judge(limit, within(unit, limit.in, 'select')),
          ...(limit.ms >= TIGHT_MS && { severity: 'note' as const }),
          message: `${SAYS[limit.is](spell(limit.ms))}: a busy machine needs longer`,
        }
      }
    }
    // Once a file: whoever takes it may be out of sight.
    const named = aside.find(({ limit }) => limit.is === 'named' && !told.has(limit.ms) && inRealTime(facts, limit.name!))
    if (named)
      yield { at: named.limit.span, unit: named.unit.id, confidence: 'medium', severity: 'note',
        message: `${SAYS.named(spell(named.limit.ms))}: a busy machine needs longer` }
    // And what is meant to run out races with all that must come before.
    const raced = aside.find(({ limit }) => limit.is !== 'named')
    if (raced)
      yield { at: placeOf(raced.limit, raced.unit, textOf), unit: raced.unit.id, confidence: 'medium', severity: 'note',
        message: `lets ${spell(raced.limit.ms)} of real time run out: on a busy machine what must come before comes too late` }
  },
  function* ({ limits = [] }) {
    for (const { file, span, whom, ms } of limits)
      yield { file, at: span, confidence: 'medium', message: `gives ${whom} ${spell(ms)} of real time: a busy machine needs longer` }
  },
)
